#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# open_mpi.sh - whether tests can run PROGRAM in ranks: they know the options of Open MPI's mpirun alone.
#     tests/scripts/open_mpi.sh PROGRAM
# Otherwise it says why not, and its exit status is 77, in CI 1.
set -euo pipefail
reason=""
if ! grep -q 'Open MPI' <<<"$(mpirun --version 2>/dev/null)"; then
    reason="mpirun is not Open MPI's"
elif grep -q libmpich <<<"$(ldd "$1")"; then
    reason="$(basename "$1") is not built with Open MPI"
fi
[ -n "$reason" ] || exit 0
if [ -n "${CI:-}" ]; then
    echo "FAIL: $reason (tools/setup.sh test installs it)"
    exit 1
fi
echo "SKIP: ranks: $reason (Debian: libopenmpi-dev openmpi-bin)"
exit 77
