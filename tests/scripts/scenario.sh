#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scenario.sh - runs a build of a recorded scenario and compares its lines with the recorded ones.
#     tests/scripts/scenario.sh PROGRAM EXPECTED [RUNNER]
# A change of layout or order changes the hashes on purpose: then record them anew, as with
#     build/test/tests/scenario_quadtree > tests/scenario_quadtree.expected
set -euo pipefail
program="$1"
expected="$2"
runner="${3:-}"
actual="$($runner "$program" | tr -d "\r")"
printf '%s\n' "$actual"
if ! diff <(printf '%s\n' "$actual") "$expected"; then
    echo "FAIL: above, < is what $program printed and > what $expected says."
    echo "If layout or order changed on purpose, record anew: $program > $expected"
    exit 1
fi
