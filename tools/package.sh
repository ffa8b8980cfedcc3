#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# package.sh - makes what is handed on.
#     tools/package.sh KIND OUT
# Each kind is a script in tools/package, whose head says what it makes. It gets the folder OUT, which
# exists by then, and builds in a folder of its own in ACRE_BUILD, or in the checkout's `build`.
set -euo pipefail
scripts="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/package"
script="$scripts/$(tr - _ <<<"${1:-}").sh"
if [ $# -ne 2 ] || [ ! -x "$script" ]; then
    {
        echo "usage: tools/package.sh KIND OUT"
        for script in "$scripts"/*.sh; do
            kind="$(basename "$script" .sh)"
            printf '    %-10s %s\n' "${kind//_/-}" "$(sed -n '3s/^# [a-z_]*\.sh - //p' "$script")"
        done
    } >&2
    exit 2
fi
mkdir -p "$2"
exec "$script" "$(cd "$2" && pwd)"
