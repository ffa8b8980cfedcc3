#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# threads.sh - looks for data races for longer than CI can: a thousand frames on four workers for
# each seed, and once every test program whose name ends in _threads, under the thread sanitizers of
# gcc and clang and under helgrind (scripts/races.sh). That of clang also looks for undefined
# behavior, in the tests of interest and partitions as well.
#     tests/campaigns/threads.sh [SEEDS] >tests/campaigns/threads.txt
# SEEDS: 5 by default, which is 5,000 frames.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
echo "# $(date -I), commit $(git -C "$root" rev-parse --short HEAD), $(gcc --version | head -n 1)," \
    "$(clang --version | head -n 1), $(valgrind --version)"
for finder in gcc clang helgrind; do
    CI=true "$root/tests/scripts/races.sh" "$finder" "$root/build/races-$finder" "${1:-5}"
done
