#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# random_release.sh - builds the random test of the tree optimized, without sanitizers, and runs its full
# count: more than 2,000,000 operations, each checked.
#     tests/scripts/random_release.sh WORK [arguments of the test, as --seed 7 --scale 10]
set -euo pipefail
work="$1"
shift
"$(dirname "${BASH_SOURCE[0]}")/build_by_gcc.sh" "$work" test_quadtree_random
"$work/build/tests/test_quadtree_random" "$@"
