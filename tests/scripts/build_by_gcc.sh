#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# build_by_gcc.sh - the build of `cross.sh gcc`, for tests that share it: most objects are built once then.
#     tests/scripts/build_by_gcc.sh WORK TARGET...
# The programs are in WORK/build. Tests that share WORK run one at a time.
set -euo pipefail
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
work="$1"
mkdir -p "$work"
unset CFLAGS LDFLAGS
if ! { cmake -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc \
    -DCMAKE_C_FLAGS= -DACRE_WERROR=ON -DACRE_BUILD_TOOLS=ON &&
    cmake --build "$work/build" --target "${@:2}"; } >"$work/log" 2>&1; then
    cat "$work/log"
    echo "FAIL: ${*:2}: the build fails"
    exit 1
fi
