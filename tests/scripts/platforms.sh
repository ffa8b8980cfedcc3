#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# platforms.sh - every kind of cross.sh, one after the other, as a table for tests/README.md.
#     tests/scripts/platforms.sh WORK
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
mkdir -p "$1"
export WINEDEBUG=-all
failed=0
printf '| Kind | Date | Result |\n|---|---|---|\n'
for kind in gcc clang fast musl i686 arm64 armhf riscv64 ppc64 s390x windows; do
    status=0
    "$here/cross.sh" "$kind" "$1/$kind" >"$1/$kind.log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || failed=$((failed + 1))
    printf '| %s | %s | %s |\n' "$kind" "$(date +%F)" "$(tail -n 1 "$1/$kind.log")"
done
[ "$failed" -eq 0 ]
