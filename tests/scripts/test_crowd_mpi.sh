#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_crowd_mpi.sh - walkers under mpirun have the content of those in one process, and a rank that
# is killed ends all.
#     test_crowd_mpi.sh ACRE CROWD_MPI
set -uo pipefail
"$(dirname "${BASH_SOURCE[0]}")/open_mpi.sh" "$2" || exit
options=(--walkers 3000 --frames 40 --recut 3)
# Where ranks were killed, Open MPI's mpirun may wait for itself forever when it ends (4.1, in
# PMIx_server_finalize), and then does not heed a signal that it can catch.
limit=(timeout --kill-after 10 60)
# Open MPI keeps memory until the end, in modules that it has unloaded by then, so their names cannot
# be suppressed: a leak is a failure if its stack names Acre.
export LSAN_OPTIONS="${LSAN_OPTIONS:-}:exitcode=0"
ranks() { mpirun --allow-run-as-root --oversubscribe -n "$1" "${@:2}" 2>&1; }
one="$("$1" crowd "${options[@]}" | tail -n 1)"
failed=0
for count in 1 3; do
    said="$(ranks "$count" "$2" "${options[@]}")" || failed=1
    content="$(grep '^content ' <<<"$said")"
    if [ -z "$one" ] || [ "$content" != "$one" ] || grep -E '#[0-9]+ .* in (acre|crowd)_' <<<"$said"; then
        echo "FAIL $count ranks: '$content' instead of '$one'"
        failed=1
    fi
done
said="$("${limit[@]}" mpirun --allow-run-as-root --oversubscribe -n 3 bash -c \
    '[ "$OMPI_COMM_WORLD_RANK" != 1 ] || { (sleep 1; kill -9 $$) & }; exec "$@"' \
    crowd "$2" --walkers 20000 --frames 100000 2>&1)"
status=$?
if [ "$status" -eq 0 ] || [ "$status" -eq 124 ] || ! grep -q 'rank 1.*signal 9' <<<"$(tr '\n' ' ' <<<"$said")"; then
    echo "FAIL a killed rank: status $status, said: $said"
    failed=1
fi
# The ranks of a run share the folder's lock, which another run does not get.
saved="$(mktemp -d)"
trap 'rm -rf "$saved"' EXIT
"${limit[@]}" mpirun --allow-run-as-root --oversubscribe -n 2 "$2" --walkers 2000 --frames 1000000 \
    --checkpoint "$saved" --every 1 >/dev/null 2>&1 &
run=$!
until ls "$saved" | grep -q '[0-9]$' || ! kill -0 "$run" 2>/dev/null; do sleep 0.1; done
said="$("$1" crowd --walkers 2000 --frames 2 --checkpoint "$saved" 2>&1)" && failed=1
grep -q 'another run writes its checkpoints there' <<<"$said" || {
    echo "FAIL a second run beside ranks said: $said"
    failed=1
}
kill "$run"
wait "$run" 2>/dev/null
# Ranks that are killed some time after their first checkpoint; another number of ranks goes on from the
# last one.
for delay in 0.1 0.4 0.9; do
    rm -rf "$saved"/*
    "${limit[@]}" mpirun --allow-run-as-root --oversubscribe -n 3 bash -c \
        '[ "$OMPI_COMM_WORLD_RANK" != 2 ] || {
            (until ls "$0" | grep -q "[0-9]$"; do sleep 0.05; done; sleep '$delay'; kill -9 $$) &
        }; exec "$@"' \
        "$saved" "$2" --walkers 2000 --frames 1000000 --checkpoint "$saved" --every 1 >/dev/null 2>&1
    tick="$(ls "$saved" | grep '[0-9]$' | tail -n 1)"
    [ -n "$tick" ] || {
        echo "FAIL killed $delay s after one: there is no checkpoint"
        failed=1
        continue
    }
    frames=$((10#${tick#tick_} + 3))
    straight="$("$1" crowd --walkers 2000 --frames "$frames" | tail -n 1)"
    content="$(ranks 2 "$2" --walkers 2000 --frames "$frames" --restart "$saved" | grep '^content ')"
    if [ "$content" != "$straight" ]; then
        echo "FAIL killed near '$tick': '$content' instead of '$straight'"
        failed=1
    fi
done
[ "$failed" -eq 0 ] && echo "crowd_mpi: ranks have the content of one process"
exit "$failed"
