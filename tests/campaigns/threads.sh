#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# threads.sh - looks for data races for longer than CI can: the tests whose names end in _threads,
# with the thread sanitizer of gcc and of clang, and under helgrind. First all three must find the
# races of planted_race.
#     tests/campaigns/threads.sh [SEEDS]
# SEEDS: how many seeds, 5 by default. Each is 1,000 frames on four workers and more in
# test_quadtree_tasks_threads. Prints one line for each program.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
seeds="${1:-5}"
export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1"

build() { # FOLDER COMPILER CMAKE_OPTION...
    local folder="$1" compiler="$2"
    shift 2
    mkdir -p "$folder"
    { cmake -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER="$compiler" \
        -DACRE_BUILD_TOOLS=OFF "$@" &&
        cmake --build "$folder" --target thread_tests --parallel "$(nproc)"; } >"$folder/log" 2>&1 || {
        tail -n 40 "$folder/log" >&2
        exit 1
    }
}

expect_races() { # NAME FOLDER COMMAND...
    local name="$1" folder="$2" fault
    shift 2
    for fault in count block; do
        if "$@" "$folder/tests/planted_race" "$fault" >"$folder/race" 2>&1; then
            echo "$name: the planted race '$fault' was not found" >&2
            exit 1
        fi
    done
    "$@" "$folder/tests/planted_race" none >"$folder/race" 2>&1
    echo "$name: planted races found"
}

run_tests() { # NAME FOLDER SCALE SEEDS COMMAND...
    local name="$1" folder="$2" scale="$3" seed last="$4" test
    shift 4
    for test in "$folder"/tests/test_*_threads; do
        for seed in $(seq 1 "$last"); do
            "$@" "$test" --seed "$seed" --scale "$scale" >"$folder/out" 2>&1 || {
                tail -n 60 "$folder/out" >&2
                exit 1
            }
        done
        echo "$name: $(basename "$test"): $last seeds clean"
    done
}

for compiler in gcc clang; do
    folder="$root/build/campaigns-$compiler"
    command -v "$compiler" >/dev/null || continue
    build "$folder" "$compiler" -DACRE_SANITIZE=thread
    expect_races "$compiler" "$folder" env
    run_tests "$compiler" "$folder" 20 "$seeds" env
done
if command -v valgrind >/dev/null; then
    folder="$root/build/campaigns-helgrind"
    build "$folder" gcc
    helgrind=(valgrind --tool=helgrind --error-exitcode=9 -q)
    expect_races helgrind "$folder" "${helgrind[@]}"
    run_tests helgrind "$folder" 1 1 "${helgrind[@]}"
fi
