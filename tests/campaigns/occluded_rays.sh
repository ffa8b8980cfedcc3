#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# occluded_rays.sh - asks with a billion rays whether a horizon hides what can be seen, and whether it hides
# enough (occluded_rays.c).
#     tests/campaigns/occluded_rays.sh WORK [MILLIONS [SEED]] >tests/campaigns/occluded_rays.txt
# WORK is a folder for the build. 1000 million rays by default take some five minutes of processor time;
# each processor takes its share, with a seed of its own.
set -euo pipefail
millions="${2:-1000}" seed="${3:-1}" jobs="$(nproc)"
if [ $# -lt 1 ] || ! [[ "$millions$seed" =~ ^[0-9]+$ ]] || [ "$millions" -lt 1 ]; then
    sed -n '5p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
{ cmake -S "$root" -B "$work" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TOOLS=OFF &&
    cmake --build "$work" --target occluded_rays --parallel "$jobs"; } >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    exit 1
}
commit="$(git -C "$root" rev-parse --short HEAD)"
[ -z "$(git -C "$root" status --porcelain -uno)" ] || commit="$commit with changes"
echo "# $(date -I), commit $commit, $(cc --version | head -n 1)," \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)"

running=()
trap 'kill "${running[@]}" 2>/dev/null' INT TERM
for i in $(seq 1 "$jobs"); do
    "$work/tests/occluded_rays" $((millions * 1000000 / jobs + 1)) $((seed + i)) >"$work/$i.txt" &
    running+=($!)
done
failed=0
for i in $(seq 1 "$jobs"); do
    wait "${running[i - 1]}" || failed=1
    cat "$work/$i.txt"
done
if [ "$failed" -ne 0 ]; then
    echo "FAIL"
    exit 1
fi
echo "nothing that can be seen was hidden"
