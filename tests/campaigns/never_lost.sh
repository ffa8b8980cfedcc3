#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# never_lost.sh - asks ten billion times whether a camera finds exactly what it sees (never_lost.c):
# in worlds of every kind, with every kernel, serial and on workers. First it plants faults, which
# must be noticed.
#     tests/campaigns/never_lost.sh WORK [BILLIONS [SEED]] >tests/campaigns/never_lost.txt
# WORK is a folder for the build. A billion, of 10 by default, takes some nine minutes of processor
# time, most of it for horizons and what checks them; each processor takes its share, with
# a seed of its own.
set -euo pipefail
billions="${2:-10}" seed="${3:-1}" jobs="$(nproc)"
if [ $# -lt 1 ] || ! [[ "$billions$seed" =~ ^[0-9]+$ ]] || [ "$billions" -lt 1 ]; then
    sed -n '6p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
. "$(dirname "${BASH_SOURCE[0]}")/campaign.sh"
build_campaign "$1" never_lost -DACRE_BUILD_TOOLS=OFF
campaign_head
"$work/tests/never_lost" 10000000 "$seed" 10

running=()
trap 'kill "${running[@]}" 2>/dev/null' INT TERM
for i in $(seq 1 "$jobs"); do
    "$work/tests/never_lost" $((billions * 1000000000 / jobs + 1)) $((seed + i)) >"$work/$i.txt" &
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
echo "nothing was lost, and nothing found too much, but what was planted"
