#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_costs.sh - what each test costs: seconds of processor time, those of its child processes included.
#     tests/scripts/test_costs.sh BUILD [REGEX]    a line for each test: seconds, result, form, name
#     tests/scripts/test_costs.sh last BUILD       such lines of what tools/test.sh ran last in BUILD, without
#                                                  running anything: seconds by the clock
#     tests/scripts/test_costs.sh table <LINES     the table in tests/README.md, from such lines
# The table has no backquotes: a test that is gone since makes it old, not wrong.
# Tests run one after another. Seconds of processor time hardly change when the machine does other work.
set -euo pipefail
export LC_ALL=C # a point in the seconds

if [ "${1:-}" = table ]; then
    echo '| Seconds | Form | Tests |'
    echo '|---|---|---|'
    sort -k1,1nr -k4 | awk '
        { total[$3] += $1 }
        $1 >= 5 { printf "| %.0f | %s | %s |\n", $1, $3, $4; next }
        { group = $3 " " ($1 >= 1 ? "1 to 5" : "under 1"); small[group] += $1
          names[group] = names[group] (count[group]++ ? ", " : "") $4 }
        END {
            for (i = 1; i <= split("short 1 to 5,short under 1,long 1 to 5,long under 1", groups, ","); i++)
                if (groups[i] in names) {
                    split(groups[i], words, " ")
                    printf "| %.0f | %s | %d of %s: %s |\n", small[groups[i]], words[1], count[groups[i]],
                           substr(groups[i], length(words[1]) + 2), names[groups[i]]
                }
            printf "| %.0f | short | all |\n| %.0f | long | all |\n", total["short"], total["long"]
        }'
    exit
fi
if [ $# -lt 1 ]; then
    sed -n '4,7s/^# *//p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
build="${2:-}"
[ "$1" = last ] || build="$1"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
TIMEFORMAT='%U %S'
names() {
    ctest --test-dir "$build" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p'
}
long="$(names -L '^long$')"
if [ "$1" = last ]; then
    sed -nE 's/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: ([a-z0-9_]+) \.*[ *]*(Passed|Skipped|Failed|Timeout)[^0-9]*([0-9.]+) sec.*/\3 \2 \1/p' \
        "$build/ctest.log" | while read -r seconds result name; do
        form=short
        ! grep -qxF "$name" <<<"$long" || form=long
        echo "$seconds $result $form $name"
    done
    exit
fi
names -R "${2:-.}" | while read -r name; do
    seconds="$({ time ctest --test-dir "$build" -R "^$name\$" --timeout 1800 >"$log" 2>&1 </dev/null || true; } 2>&1)"
    result="$(sed -n 's/^1\/1 Test.*\(Passed\|Skipped\|Failed\|Timeout\).*/\1/p' "$log")"
    form=short
    ! grep -qxF "$name" <<<"$long" || form=long
    awk -v name="$name" -v result="${result:-Failed}" -v form="$form" \
        '{ printf "%.1f %s %s %s\n", $1 + $2, result, form, name }' <<<"$seconds"
done
