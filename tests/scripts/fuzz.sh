#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# fuzz.sh - builds the fuzz targets with clang's fuzzer, address and undefined-behavior sanitizers
# and runs each for some minutes. Inputs found so far are kept in WORK and grow from run to run;
# what makes a target fail lands in WORK/findings and ends the script with an error.
#     tests/scripts/fuzz.sh WORK MINUTES [target...]
#     tests/scripts/fuzz.sh WORK smoke [target...]   some seconds each, from the seeds alone: a test
#     tests/scripts/fuzz.sh WORK keep [target...]    adds to tests/fuzz what covers more than its seeds
# A finding is repeated, and that of fuzz_quadtree printed as C, by the program of an ordinary
# build:
#     build/test/tests/fuzz_quadtree --runs 0 --print FINDING
set -euo pipefail
smoke_seconds=3
work="$1"
minutes="$2"
shift 2
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for file in "$here"/../fuzz/fuzz_*.c; do
        name="$(basename "$file" .c)"
        case "$name" in fuzz_main | fuzz_input) ;; *) targets+=("$name") ;; esac
    done
fi
compiler="$(command -v clang-14 || command -v clang || true)"
if [ -z "$compiler" ]; then
    echo "clang is missing (tools/setup.sh test installs it)"
    [ -z "${CI:-}" ] || exit 1
    exit 77
fi
corpora="$work"
seconds=$smoke_seconds
case "$minutes" in
keep) ;;
smoke)
    corpora="$work/smoke"
    rm -rf "$corpora"
    ;;
*) seconds=$((minutes * 60)) ;;
esac
mkdir -p "$work/findings"
if ! { CC="$compiler" cmake -S "$here/../.." -B "$work/build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -gline-tables-only" -DACRE_SANITIZE=address,undefined,fuzzer-no-link \
    -DACRE_FUZZER=ON -DACRE_BUILD_TOOLS=OFF &&
    cmake --build "$work/build" --target "${targets[@]}"; } >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
for target in "${targets[@]}"; do
    program="$work/build/tests/$target"
    corpus="$corpora/$target"
    mkdir -p "$corpus"
    if [ "$minutes" = keep ]; then
        "$program" -set_cover_merge=1 -use_counters=0 -max_len=1024 "$here/../fuzz/$target" "$corpus" 2>&1 | tail -1
        continue
    fi
    # 1024 MiB is the library's own promise. An input takes some 10 ms; the timeout is one of the
    # clock, and a machine that is busy elsewhere is no finding.
    "$program" -max_total_time="$seconds" -max_len=1024 -timeout=60 -rss_limit_mb=1024 \
        -print_final_stats=1 -artifact_prefix="$work/findings/$target-" \
        "$corpus" "$here/../fuzz/$target" >"$work/$target.log" 2>&1 || {
        tail -40 "$work/$target.log"
        for finding in "$work/findings/$target-"*; do
            echo "FAIL: $target; base64 -d makes $(basename "$finding") of these lines:"
            base64 "$finding"
        done
        exit 1
    }
    grep -E 'number_of_executed_units|average_exec_per_sec' "$work/$target.log" |
        sed "s/^/$target /"
done
