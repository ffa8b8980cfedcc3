#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# results.sh - measures all tables and charts in results/ on this machine; about an hour.
#     tools/bench/results.sh ACRE NAME [MODE...]
# ACRE is the program (a release build with the trees of others), NAME that of the machine, as in
# emerald-rapids.csv. The machine should do nothing else. MODE: only some of tables, queries, pairs,
# views, occlusion, kernels, stream, worlds, worst, drift, near, interest, workers, crowd (ranks
# where Open MPI is); engines, of a build with -DACRE_BUILD_HOSTS=ON, only where it is named; NAME.csv keeps the rows
# of other modes.
set -euo pipefail

if [ "$#" -lt 2 ] || [ ! -x "$1" ]; then
    echo "usage: tools/bench/results.sh ACRE NAME [MODE...]" >&2
    exit 2
fi
acre="$(realpath "$1")"
name="$2"
shift 2
modes=("$@")
[ "$#" -gt 0 ] || modes=(tables queries pairs views occlusion kernels stream worlds worst drift near
    interest workers crowd)
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
results="$here/results"
work="$(mktemp -d)"
# What is measured, whatever the tables themselves are by now.
commit="$(git -C "$here" rev-parse --short HEAD)"
[ -z "$(git -C "$here" status --porcelain -uno -- ':/' ':!/tools/bench/results')" ] || commit+=-dirty
trap 'rm -rf "$work"' EXIT

# put FILE NAME: a file takes its name in results/ when all of it is there.
put() { cp "$1" "$results/$2.new" && mv "$results/$2.new" "$results/$2"; }
# measure FILE OPTIONS...: the tables of a run. Those of workers and interest are measured with
# ACRE_BIND=1: each worker stays on a core, whose caches keep what it wrote. Their head says so.
measure() {
    echo "results: $1"
    "$acre" bench "${@:2}" >"$work/table"
    # With the commit that was measured, for tools/release.sh.
    sed "1i commit     $commit${ACRE_BIND:+\nthreads    ACRE_BIND=$ACRE_BIND}" "$work/table" \
        >"$work/headed"
    put "$work/headed" "$1"
}
# keep: the rows of the run in NAME.csv, instead of those of its mode.
keep() {
    local csv="$results/$name.csv" mode
    mode="$(sed -n 2p "$work/rows" | cut -d, -f1)"
    {
        sed -n 1p "$work/rows"
        [ ! -r "$csv" ] || sed 1d "$csv" | grep -v "^$mode," || true
        sed 1d "$work/rows"
    } >"$work/all"
    put "$work/all" "$name.csv"
}

# crowd PROGRAM...: a command and what it prints, indented.
crowd() {
    local line="$*"
    echo "${line//"$programs/"/}"
    "$@" | sed 's/^/    /'
}
measure_crowd() {
    local programs ranks parts
    programs="$(dirname "$acre")"
    echo "processor  $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
    if [ -x "$programs/crowd_mpi" ] &&
        "$here/../../tests/scripts/open_mpi.sh" "$programs/crowd_mpi" >&2; then
        ranks=(mpirun --bind-to core --allow-run-as-root -n)
        crowd "${ranks[@]}" 1 "$programs/crowd_mpi" --walkers 500000 --frames 15
        crowd "${ranks[@]}" 2 "$programs/crowd_mpi" --walkers 1000000 --frames 15
        crowd "$acre" crowd --walkers 1000000 --frames 15 --parts 2 --workers 2
        crowd "${ranks[@]}" 1 "$programs/crowd_mpi" --walkers 4000 --frames 300
        crowd "${ranks[@]}" 2 "$programs/crowd_mpi" --walkers 4000 --frames 300
    fi
    for parts in 1 4 16 64 256; do
        crowd "$acre" crowd --walkers 250000 --frames 10 --parts "$parts"
    done
}

for mode in "${modes[@]}"; do
    case "$mode" in
    tables)
        measure tables.txt --csv "$work/rows"
        keep
        ;;
    queries)
        measure queries.txt --queries yes --kernel avx2 --views 24 --rounds 7 --milliseconds 25 \
            --csv "$work/rows"
        keep
        ;;
    pairs)
        measure pairs.txt --pairs yes --rounds 3 --csv "$work/rows"
        keep
        ;;
    views)
        measure view_rules.txt --view-rules yes --sizes 100000 --milliseconds 150 --csv "$work/rows"
        cp "$work/table" "$work/first"
        cp "$work/rows" "$work/first_rows"
        measure view_rules.txt --view-rules yes --sizes 1000000 --scenes none --views 12 --rounds 9 \
            --milliseconds 150 --csv "$work/rows"
        { echo "commit     $commit"; cat "$work/first" "$work/table"; } >"$work/both"
        put "$work/both" view_rules.txt
        sed 1d "$work/rows" >>"$work/first_rows"
        mv "$work/first_rows" "$work/rows"
        keep
        ;;
    occlusion)
        measure occlusion.txt --occlusion yes --csv "$work/rows"
        keep
        ;;
    kernels)
        for kernel in scalar sse4 avx2 avx512; do
            measure "kernel_$kernel.txt" --sizes 1000,10000,100000 --views 16 --milliseconds 60 \
                --rounds 7 --peers no --scenes none --churn 200000 --kernel "$kernel"
        done
        ;;
    stream)
        for kernel in avx2 avx512; do
            measure "stream_$kernel.txt" --sizes 1000,10000 --stream 3 --views 16 \
                --milliseconds 60 --rounds 7 --peers no --scenes none --churn 0 --kernel "$kernel"
        done
        ;;
    drift)
        measure drift.txt --drift yes --csv "$work/rows"
        keep
        ;;
    worst)
        ACRE_BIND=1 measure worst.txt --worst yes --csv "$work/rows"
        keep
        ;;
    near)
        measure near.txt --near yes --csv "$work/rows"
        keep
        ;;
    worlds)
        measure worlds.txt --worlds yes --kernel avx2 --rounds 9 --milliseconds 60 \
            --csv "$work/rows"
        keep
        ;;
    interest)
        ACRE_BIND=1 measure interest.txt --interest yes --rounds 15 --csv "$work/rows"
        keep
        ;;
    workers)
        ACRE_BIND=1 measure workers.txt --workers 1,2 --rounds 200 --milliseconds 600 --csv "$work/rows"
        keep
        ;;
    engines)
        measure engines.txt --engines yes --csv "$work/rows"
        keep
        ;;
    crowd)
        echo "results: crowd.txt"
        measure_crowd >"$work/table"
        sed "1i commit     $commit" "$work/table" >"$work/headed"
        put "$work/headed" crowd.txt
        ;;
    *)
        echo "results: there is no mode '$mode'" >&2
        exit 2
        ;;
    esac
done
[ ! -r "$results/$name.csv" ] || "$here/plot.sh" "$results/$name.csv" "$results"
