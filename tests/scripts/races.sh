#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# races.sh - looks for data races with one of three finders: the thread sanitizer of gcc or of
# clang, or helgrind. First the finder must report the planted races (planted_race.c), or its
# silence means nothing. Then frames of every call that takes tasks run on four workers: 300, and a
# thousand with SEEDS. CI has clang and helgrind; gcc's sanitizer has the same runtime as clang's.
#     tests/scripts/races.sh gcc|clang|helgrind WORK [SEEDS]
# helgrind takes the build of `cross.sh gcc` in WORK, and makes it where it is not there; with SEEDS one of
# its own, whose reports name lines.
# With clang all other test programs whose name ends in _threads run, too. With SEEDS, as in
# campaigns/threads.sh, they do so with all three, the frames run for each of so many seeds, and
# clang also looks for undefined behavior, in the tests of interest and partitions as well.
# Skips (status 77) where the finder is missing or does not run, except in CI.
set -euo pipefail
finder="$1" work="$2" build="$2" seeds="${3:-1}"
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
frames=test_divided_calls_threads
scale=10 # 1,000 frames
[ $# -gt 2 ] || scale=3
# -O1 and lines without variables are compiled in two thirds of the time, and run as fast. Some
# warnings are wrong there; other builds have them all.
options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo '-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1'
    -DACRE_WERROR=OFF -DACRE_BUILD_TOOLS=OFF)
command=(env) report='ThreadSanitizer: data race' needed="$finder"
case "$finder" in
gcc) options+=(-DCMAKE_C_COMPILER=gcc -DACRE_SANITIZE=thread) ;;
clang) options+=(-DCMAKE_C_COMPILER=clang "-DACRE_SANITIZE=thread${3:+,undefined}") ;;
helgrind)
    # Without the other access's stack it is faster. A thread that waits lets the others run.
    command=(valgrind --tool=helgrind --error-exitcode=9 --history-level=none --fair-sched=try -q)
    if [ $# -lt 3 ]; then
        build="$work/build"
    else # other programs than the frames come where it takes relaxed atomics for races
        command+=("--suppressions=$source/tests/scripts/helgrind.supp")
    fi
    report='Possible data race' needed=valgrind
    ;;
*)
    sed -n '7p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
# lacks WHAT: ends the test, which fails where CI is set.
lacks() {
    [ -z "${CI:-}" ] || { echo "FAIL: $1"; exit 1; }
    echo "SKIP: $1"
    exit 77
}
command -v "$needed" >/dev/null || lacks "$needed is missing (tools/setup.sh test installs it)"
export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1"

target="$frames" others=()
if [ "$finder" = clang ] || [ $# -gt 2 ]; then
    target=thread_tests
fi
if [ "$finder" = clang ] && [ $# -gt 2 ]; then
    mapfile -t others < <(basename -s .c "$source"/tests/interest/test_*.c \
        "$source"/tests/partition/test_*.c)
fi
mkdir -p "$work"
if [ "$build" != "$work" ]; then
    "$source/tests/scripts/build_by_gcc.sh" "$work" planted_race "$target"
elif ! { cmake -S "$source" -B "$build" "${options[@]}" &&
    cmake --build "$build" --target planted_race "$target" "${others[@]}"; } >"$work/log" 2>&1; then
    tail -n 60 "$work/log"
    exit 1
fi

# A kernel that scatters addresses more widely than the finder knows: ask for steady ones.
runs() { "$@" "$build/tests/planted_race" none >"$work/race" 2>&1; }
if ! runs "${command[@]}"; then
    runs setarch -R "${command[@]}" || ! grep -q "$report" "$work/race" ||
        { echo "$finder: a race is found where none is planted"; exit 1; }
    runs setarch -R "${command[@]}" || lacks "$finder does not run here: $(tail -n 1 "$work/race")"
    command=(setarch -R "${command[@]}")
fi
for fault in count block; do
    if "${command[@]}" "$build/tests/planted_race" "$fault" >"$work/race" 2>&1 ||
        ! grep -q "$report" "$work/race"; then
        echo "$finder: the planted race '$fault' was not found"
        exit 1
    fi
done
echo "$finder: the planted races were found"

# clean SEED PROGRAM ARGUMENT...
clean() {
    local seed="$1" program="$2"
    shift 2
    if ! "${command[@]}" "$build/tests/$program" --seed "$seed" "$@" >"$work/out" 2>&1; then
        tail -n 60 "$work/out"
        echo "$finder: $program, seed $seed: not clean"
        exit 1
    fi
    echo "$finder: $program, seed $seed $*: clean"
}

for seed in $(seq 1 "$seeds"); do
    clean "$seed" "$frames" --filter four_workers_run_frames --scale "$scale"
done
if [ "$target" = thread_tests ]; then
    for program in "$build"/tests/test_*_threads; do
        program="$(basename "$program")"
        [ "$program" = "$frames" ] || clean 1 "$program"
    done
fi
for program in "${others[@]}"; do
    [[ "$program" = *_threads ]] || clean 1 "$program"
done
