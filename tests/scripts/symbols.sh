#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# symbols.sh - a program that links the libraries keeps all names but acre_* for itself.
#     tests/scripts/symbols.sh LIBRARY...
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: symbols.sh LIBRARY..."; exit 2; }
foreign=$(nm -g --defined-only "$@" | awk 'NF == 3 && $2 ~ /[A-TV-Z]/ { print $3 }' |
    grep -vE '^(acre_|__|_Z|DW\.ref)' || true)
total=$(nm -g --defined-only "$@" | grep -c ' acre_')
if [ -n "$foreign" ]; then
    echo "symbols: names that a program may want for itself:"
    echo "$foreign"
    exit 1
fi
echo "symbols: all of $total global names begin with acre_"
