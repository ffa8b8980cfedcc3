#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scenario.sh - runs a build of scenario_hash.c and compares its lines with the recorded ones.
#     tests/scenario.sh PROGRAM EXPECTED [RUNNER]
# A change of layout or order changes the hashes on purpose: then record them anew with
#     build/test/tests/scenario_hash > tests/scenario_hash.expected
set -euo pipefail
program="$1"
expected="$2"
runner="${3:-}"
actual="$($runner "$program")"
printf '%s\n' "$actual"
if ! diff <(printf '%s\n' "$actual") "$expected"; then
    echo "FAIL: above, < is what $program printed and > what $expected says"
    exit 1
fi
