#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# npm_peers.sh - the npm package beside others on the same boxes, each in a process of its own.
#     tests/campaigns/npm_peers.sh [RECORD]
# It needs Emscripten, node, npm and its registry. RECORD receives the date, the commit, the versions and
# two tables; default: npm_peers.txt beside this script.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/campaign.sh"
record="${1:-$root/tests/campaigns/npm_peers.txt}"
npm_project npm_peers three @three.ez/instanced-mesh three-mesh-bvh bvh.js \
    rbush flatbush
lines="$(mktemp)"
trap 'rm -f "$lines"' EXIT
# rows KIND...: for each count.
rows() {
    local count kind
    for count in 10000 100000 1000000; do
        for kind in "$@"; do
            timeout 600 node "$root/tests/campaigns/npm_peers.mjs" "$PWD" "$kind" "$count" ||
                echo "| $kind | $count | no answer in ten minutes, or an error |"
        done
    done
}
{
    echo "# $(date +%F), commit $commit, node $(node --version): tests/campaigns/npm_peers.sh"
    npm ls --depth 0 | grep -o '[a-z@.-]*[/a-z.-]*@[0-9.]*$' | sed 's/^/# /'
    echo "Median / worst, ms: moves told and a search for the camera; one ray with all its hits."
    echo "| | boxes | nothing moves | a tenth | all | a ray | found, of those by the definition |"
    echo "|---|---|---|---|---|---|---|"
    rows acre loop instanced2 instanced2_tree bvhjs objectbvh
    echo
    echo "Squares of 50 m on the ground."
    echo "| | boxes | filled, ms | a search, us | found in 2,000 |"
    echo "|---|---|---|---|---|"
    rows acre_flat rbush flatbush
} | tee "$lines"
cp "$lines" "$record"
