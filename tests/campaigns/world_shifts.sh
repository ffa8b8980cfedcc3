#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# world_shifts.sh - shifts worlds by 10,000 offsets of all sizes and over 1,000 km (world_shifts.c):
# each compared with a world that is built anew there, and with a loop over doubles.
#     tests/campaigns/world_shifts.sh WORK [OFFSETS [KILOMETERS [SEED]]] >tests/campaigns/world_shifts.txt
# WORK is a folder for the build. It takes some ten seconds of processor time.
set -euo pipefail
if [ $# -lt 1 ]; then
    sed -n '5p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
{ cmake -S "$root" -B "$work" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TOOLS=OFF &&
    cmake --build "$work" --target world_shifts --parallel "$(nproc)"; } >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    exit 1
}
commit="$(git -C "$root" rev-parse --short HEAD)"
[ -z "$(git -C "$root" status --porcelain -uno)" ] || commit="$commit with changes"
echo "# $(date -I), commit $commit, $(cc --version | head -n 1)," \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)"
"$work/tests/world_shifts" "${2:-10000}" "${3:-1000}" "${4:-1}"
