#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# count_instructions.sh - builds count_instructions optimized, lets callgrind count the instructions
# of its scenarios and compares them with the recorded ones: 1 % more in one of them is a failure.
# So is a scenario NAME_tasks, with tasks that are not used, of more than 2 % more than NAME.
# Counts repeat to the digit where times do not, so that a small loss is seen when it is made.
#     tests/scripts/count_instructions.sh WORK                      the test
#     tests/scripts/count_instructions.sh WORK record               records anew (instructions.recorded)
#     tests/scripts/count_instructions.sh compare RECORDED COUNTED  the comparison alone
# Compilers and C libraries differ in counts by more than 1 %: with others than those recorded the
# test is skipped (status 77). Where a program is missing it is skipped too, but fails in CI.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
recorded="$here/../scenarios/instructions.recorded"

# Both files: lines "scenario kernel items instructions"; # begins a comment.
compare() {
    awk '
/^#/ || NF == 0 { next }
NF != 4 || $4 !~ /^[1-9][0-9]*$/ { printf "FAIL: not a row: %s\n", $0; failed++; next }
{ name = $1 " " $2 }
is_recorded { before[name] = $4; next }
{
    now[name] = $4
    plain = $1
    if (sub(/_tasks$/, "", plain) && (plain " " $2) in now && $4 * 100 > now[plain " " $2] * 102) {
        printf "FAIL: %s takes more than 2 %% more than %s\n", $1, plain
        failed++
    }
    if (!(name in before)) {
        printf "FAIL: %s is not recorded\n", name
        failed++
        next
    }
    if (!counted++)
        printf "%-20s %-7s %12s %12s %8s %9s\n", "scenario", "kernel", "recorded", "now", "ratio",
               "per item"
    ratio = $4 / before[name]
    verdict = ""
    # Of whole numbers, so that exactly 1 % more passes.
    if ($4 * 100 > before[name] * 101) {
        verdict = "  FAIL: more than 1 % more"
        failed++
    } else {
        passed++
        if ($4 * 100 < before[name] * 99) {
            verdict = "  less: record anew"
            less++
        }
    }
    printf "%-20s %-7s %12d %12d %8.4f %9.1f%s\n", $1, $2, before[name], $4, ratio, $4 / $3, verdict
    delete before[name]
}
END {
    for (name in before) {
        printf "FAIL: %s was not counted\n", name
        failed++
    }
    if (less > 0)
        print "hint: tests/scripts/count_instructions.sh WORK record keeps what was gained"
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
}' is_recorded=1 "$1" is_recorded=0 "$2"
}

if [ "${1:-}" = compare ]; then
    compare "$2" "$3"
    exit
fi
work="$1"
mode="${2:-test}"

missing() {
    [ "$mode" = test ] && [ -z "${CI:-}" ] || { echo "FAIL: $1"; exit 1; }
    echo "SKIP: $1"
    exit 77
}
if [ "$(uname -m)" != x86_64 ] || ! grep -qw avx2 /proc/cpuinfo; then
    echo "SKIP: the recorded counts are those of an x86-64 processor with AVX2"
    exit 77
fi
for program in gcc valgrind; do
    command -v "$program" >/dev/null || missing "$program is missing (tools/setup.sh test installs it)"
done
valgrind -q --tool=none true || missing "valgrind runs no program here"
tools="$(gcc -dumpfullversion | sed 's/^/gcc /'), $(getconf GNU_LIBC_VERSION)"
expected="$(sed -n 's/^# counted with //p' "$recorded" 2>/dev/null || true)"
if [ "$mode" = test ] && [ "$tools" != "$expected" ]; then
    echo "SKIP: recorded with $expected; this is $tools"
    exit 77
fi

"$here/build_by_gcc.sh" "$work" count_instructions
rm -f "$work"/profile*
# valgrind counts the instruction "rep movsb" once for each byte: ten times what a loop takes. Bytes
# copied and filled so were a quarter of what creating a scene took. Which arrays realloc copies
# hangs on what stands behind them in the heap: a row grew by 5 % because calls before it had
# allocated other sizes. So glibc is told to copy and fill without "rep".
never=1073741824
tunables="glibc.cpu.x86_rep_movsb_threshold=$never:glibc.cpu.x86_rep_stosb_threshold=$never"
# No other environment, as its size decides where the stack begins.
if ! env -i PATH="$PATH" LD_BIND_NOW=1 GLIBC_TUNABLES="$tunables" \
    valgrind --tool=callgrind --collect-atstart=no --callgrind-out-file="$work/profile" \
    "$work/build/tests/count_instructions" >"$work/run" 2>&1; then
    cat "$work/run"
    echo "FAIL: count_instructions under callgrind"
    exit 1
fi
# Profiles are numbered in the order of scenarios; the last one, of the program's end, has no name.
for profile in $(printf '%s\n' "$work"/profile.* | sort -t . -k 2 -V); do
    awk '/^desc: Trigger: Client Request: / { name = $5 " " $6 " " $7 }
         /^totals: / { count = $2 }
         END { if (name != "") print name, count }' "$profile"
done >"$work/counted"

if [ "$mode" = record ]; then
    {
        echo "# Instructions by scenario, see count_instructions.sh: scenario kernel items instructions"
        echo "# counted with $tools"
        cat "$work/counted"
    } >"$recorded"
    echo "recorded $(wc -l <"$work/counted") rows in $recorded"
    exit
fi
compare "$recorded" "$work/counted"
