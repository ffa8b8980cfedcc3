#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stream_districts.sh - an endless town for 100,000 frames (tools/examples/stream_districts.c): no
# request for memory after the first 1,000, no frame with more than five times the median's work,
# 99.9 % of the frames within five times the median time.
#     tests/campaigns/stream_districts.sh WORK [FRAMES] >tests/campaigns/stream_districts.txt
# WORK is a folder for the build. 100,000 frames by default, played three times, take ten seconds.
set -euo pipefail
if [ $# -lt 1 ]; then
    sed -n '6p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
{ cmake -S "$root" -B "$work" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=OFF &&
    cmake --build "$work" --target stream_districts; } >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    exit 1
}
echo "# $(date -I), commit $(git -C "$root" rev-parse --short HEAD), $(cc --version | head -n 1)," \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)"
"$work/tools/examples/stream_districts" "${2:-100000}"
