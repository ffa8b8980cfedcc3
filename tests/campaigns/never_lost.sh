#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# never_lost.sh - asks ten billion times whether an entity that a camera sees is found, and one that
# it does not see is not (never_lost.c): in worlds of every kind, with every kernel, serial and on
# workers. First it plants losses, which must be noticed.
#     tests/campaigns/never_lost.sh WORK [BILLIONS [SEED]] >tests/campaigns/never_lost.txt
# WORK is a folder for the build. 10 billion by default take some ten minutes of processor time; each
# processor takes its share, with a seed of its own.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
billions="${2:-10}" seed="${3:-1}" jobs="$(nproc)"
{ cmake -S "$root" -B "$work" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TOOLS=OFF &&
    cmake --build "$work" --target never_lost --parallel "$jobs"; } >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    exit 1
}
echo "# $(date -I), commit $(git -C "$root" rev-parse --short HEAD), gcc $(gcc -dumpfullversion)," \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)"
"$work/tests/never_lost" 10000000 "$seed" 10
for i in $(seq 1 "$jobs"); do
    "$work/tests/never_lost" $((billions * 1000000000 / jobs + 1)) $((seed + i)) >"$work/$i.txt" &
    running[i]=$!
done
failed=0
for i in $(seq 1 "$jobs"); do
    wait "${running[i]}" || failed=1
    cat "$work/$i.txt"
done
[ "$failed" -eq 0 ] && echo "nothing was lost but what was planted" || echo "FAIL"
exit "$failed"
