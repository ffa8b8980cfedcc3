#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_ranks.sh - every tick of a stream leaves the same content, pairs, answers and sights in one part,
# in several parts of one process, and in as many ranks of mpirun.
#     test_ranks.sh PARTS_LINES RANKS_LINES TICKS SEEDS COUNT...
# RANKS_LINES may be -: then there is no MPI. With another MPI than Open MPI parts are compared, and the
# exit status is 77: skipped.
set -uo pipefail
parts="$1" ranks="$2" ticks="$3" seeds="$4"
shift 4
failed=0 compared=0
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export LSAN_OPTIONS="${LSAN_OPTIONS:-}:print_suppressions=0:suppressions=$here/open_mpi.supp"
skipped="" mpi=0
if [ "$ranks" != - ]; then
    skipped="$("$here/open_mpi.sh" "$ranks")" || mpi=$?
fi
if [ "$mpi" -ne 0 ]; then
    ranks=-
fi
if [ "$mpi" -ne 0 ] && [ "$mpi" -ne 77 ]; then
    echo "${skipped:-FAIL open_mpi.sh: status $mpi}"
    failed=1
fi
# Open MPI is compiled without frame pointers.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:fast_unwind_on_malloc=0"
compare() {
    compared=$((compared + 1))
    if grep -A 12 -E 'ERROR: |runtime error' <<<"$2"; then
        echo "FAIL $1: a leak or an error"
        failed=1
    fi
    if [ "$(grep -E '^(tick|no error)' <<<"$2")" != "$one" ]; then
        echo "FAIL $1 differs:"
        diff <(echo "$one") <(echo "$2") | head -n 4
        failed=1
    fi
}
# run WORDS COMMAND...: every rank has to end well, and what is said has to be equal.
run() {
    local said
    said="$("${@:2}" 2>&1)" || {
        echo "FAIL $1: status $?"
        tail -n 3 <<<"$said"
        failed=1
    }
    compare "$1" "$said"
}
for ((seed = 1; seed <= seeds; seed++)); do
    for periodic in 0 1; do
        one="$("$parts" 1 "$ticks" "$seed" "$periodic")"
        [ "$(tail -n 1 <<<"$one")" = "no error" ] || { echo "FAIL one part: $one"; exit 1; }
        for count in "$@"; do
            run "$count parts, seed $seed, periodic $periodic" \
                "$parts" "$count" "$ticks" "$seed" "$periodic"
            [ "$ranks" = - ] || run "$count ranks, seed $seed, periodic $periodic" \
                timeout 300 mpirun --allow-run-as-root --oversubscribe -n "$count" \
                "$ranks" "$ticks" "$seed" "$periodic"
        done
    done
done
[ "$failed" -eq 0 ] && echo "ranks: $compared runs of $ticks ticks are those of one part"
if [ "$failed" -eq 0 ] && [ "$mpi" -eq 77 ]; then
    echo "$skipped"
    exit 77
fi
exit "$failed"
