#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# random_release.sh - builds the random test of the tree optimized, with asserts and without
# sanitizers, and runs its full count: more than 2,000,000 operations, each checked.
#     tests/scripts/random_release.sh WORK [arguments of the test, as --seed 7 --scale 10]
set -euo pipefail
work="$1"
shift
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$work"
if ! { cmake -S "$source" -B "$work" -DCMAKE_BUILD_TYPE=Release -DACRE_WERROR=ON \
    -DCMAKE_C_FLAGS_RELEASE=-O2 -DACRE_SANITIZE= -DACRE_BUILD_TOOLS=OFF \
    -DCMAKE_DISABLE_FIND_PACKAGE_assimp=ON &&
    cmake --build "$work" --target test_quadtree_random; } >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
"$work/tests/test_quadtree_random" "$@"
