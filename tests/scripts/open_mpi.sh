#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# open_mpi.sh - whether tests can run PROGRAM in ranks: they know the options of Open MPI's mpirun alone,
# which needs a network of its own machine and shared memory.
#     tests/scripts/open_mpi.sh PROGRAM
# Otherwise it says why not, and its exit status is 77, in CI 1.
set -euo pipefail
reason=""
if ! grep -q 'Open MPI' <<<"$(mpirun --version 2>/dev/null)"; then
    reason="mpirun is not Open MPI's"
elif grep -q libmpich <<<"$(ldd "$1")"; then
    reason="$(basename "$1") is not built with Open MPI"
elif ! said="$(timeout 60 mpirun --allow-run-as-root --oversubscribe -n 2 true 2>&1)"; then
    reason="mpirun runs no two ranks here: $(grep -v '^[- ]*$' <<<"$said" | head -n 1)"
fi
[ -n "$reason" ] || exit 0
if [ -n "${CI:-}" ]; then
    echo "FAIL: $reason (tools/setup.sh test installs it)"
    exit 1
fi
echo "SKIP: ranks: $reason (Debian: libopenmpi-dev openmpi-bin)"
exit 77
