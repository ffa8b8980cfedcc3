#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# count_instructions_refuses.sh - the test of the test: count_instructions.sh must refuse counts that
# grew, are missing or are no numbers, and nothing else.
#     tests/scripts/count_instructions_refuses.sh WORK
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$1"
recorded="$here/../scenarios/instructions.recorded"
passed=0
failed=0
mkdir -p "$work"

# expect WANTED TEXT RECORDED COUNTED: the comparison ends as wanted and says the text.
expect() {
    local status=accepted output
    output="$("$here/count_instructions.sh" compare "$3" "$4")" || status=refused
    if [ "$status" = "$1" ] && grep -q -- "$2" <<<"$output"; then
        passed=$((passed + 1))
        echo "ok   $1: $2"
    else
        failed=$((failed + 1))
        echo "FAIL $status instead of $1, with \"$2\":"
        echo "$output"
    fi
}

# scaled FACTOR: the recorded rows with other counts.
scaled() {
    awk -v factor="$1" '/^#/ { print; next } { $4 = int($4 * factor); print }' "$recorded" \
        >"$work/scaled_$1"
    echo "$work/scaled_$1"
}

rows="$(grep -vc '^#' "$recorded")"
expect accepted "^$rows passed, 0 failed" "$recorded" "$recorded"
expect refused "^0 passed, $rows failed" "$(scaled 0.98)" "$recorded"
expect accepted "^hint: .* record" "$(scaled 1.02)" "$recorded"
expect accepted "^$rows passed, 0 failed" "$(scaled 1.005)" "$recorded"

printf '# recorded\na avx2 10 1000\nb avx2 10 2000\n' >"$work/two"
printf 'a avx2 10 1010\nb avx2 10 2020\n' >"$work/one_percent"
printf 'a avx2 10 1000\nb avx2 10 2021\n' >"$work/above"
printf 'a avx2 10 1000\n' >"$work/lost"
printf 'a avx2 10 1000\nb avx2 10 2000\nb scalar 10 2000\n' >"$work/new"
printf 'a avx2 10 1000\nb avx2 10 \n' >"$work/blank"
: >"$work/empty"
expect accepted '^2 passed, 0 failed' "$work/two" "$work/one_percent"
expect refused '^b .*FAIL: more than 1 % more' "$work/two" "$work/above"
expect refused '^FAIL: b avx2 was not counted' "$work/two" "$work/lost"
expect refused '^FAIL: b scalar is not recorded' "$work/two" "$work/new"
expect refused '^FAIL: not a row: b avx2 10' "$work/two" "$work/blank"
expect refused '^0 passed' "$work/two" "$work/empty"
expect refused '^0 passed' "$work/empty" "$work/empty"

printf 'a avx2 10 1000\na_tasks avx2 10 1020\n' >"$work/with_tasks"
printf 'a avx2 10 1000\na_tasks avx2 10 1021\n' >"$work/above_with_tasks"
expect accepted '^2 passed, 0 failed' "$work/with_tasks" "$work/with_tasks"
expect refused '^FAIL: a_tasks takes more than 2 % more than a' "$work/above_with_tasks" "$work/above_with_tasks"

rm -rf "$work"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
