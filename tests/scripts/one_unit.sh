#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# one_unit.sh - the library with its scalar kernels compiles as one unit, core first: static names
# stand once in all of it, and it is C17 without extensions.
#     tests/scripts/one_unit.sh WORK
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work="$1"
mkdir -p "$work"

folders=()
for folder in engine/*/include engine/*/src modules/*/include modules/*/src modules/quadtree/src/*/; do
    case "$folder" in modules/import/* | modules/partition_mpi/*) continue ;; esac
    folders+=(-I"$folder")
done
# alloc.c comes first: it asks the C library's headers for more than the others do. The wider kernels
# are units of their own, each for its instruction set. import needs assimp.
{
    echo '#include "engine/core/src/alloc.c"'
    find engine modules -path '*/src/*' -name '*.c' ! -path 'modules/import/*' ! -path 'modules/partition_mpi/*' \
        ! -path engine/core/src/alloc.c ! -name '*_sse4.c' ! -name '*_avx2.c' ! -name '*_avx512.c' |
        LC_ALL=C sort | sed 's/.*/#include "&"/'
    # What CMake makes of the questions' parts.
    for part in $(grep -l '^#define [A-Z]*_KERNEL(set)' engine/*/src/*.h modules/*/src/*.h modules/*/src/*/*.h); do
        name="$(basename "$part" _part.h)"
        question="${name##*_}"
        sed -e "s/@stem@/${name%_*}/; s/@question@/$question/; s/@QUESTION@/${question^^}/; s/@set@/scalar/" \
            cmake/kernel.c.in cmake/kernel_table.c.in
    done
} >"$work/unit.c"
grep -q 'VOLUME_KERNEL(scalar)' "$work/unit.c"

passed=0
failed=0
cglm="$(pkg-config --cflags cglm 2>/dev/null || true)"
for compiler in gcc clang; do
    for check in 0 2; do
        if ! command -v "$compiler" >/dev/null; then
            continue
        fi
        # shellcheck disable=SC2086
        if "$compiler" -std=c17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -DACRE_CHECK=$check -I. \
            "${folders[@]}" $cglm "$work/unit.c"; then
            passed=$((passed + 1))
        else
            echo "FAIL $compiler, ACRE_CHECK $check"
            failed=$((failed + 1))
        fi
    done
done
# With extensions, for a processor that has registers for _Float16, which gcc counts as a way to evaluate floats.
if gcc -march=sapphirerapids -E -x c /dev/null >/dev/null 2>&1; then
    if gcc -std=gnu17 -march=sapphirerapids -fsyntax-only -Iengine/core/include engine/core/src/base.c; then
        passed=$((passed + 1))
    else
        echo "FAIL gcc with _Float16"
        failed=$((failed + 1))
    fi
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
