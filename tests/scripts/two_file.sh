#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# two_file.sh - Acre as two files: made, compiled strictly, and the same results as the library.
#     tests/scripts/two_file.sh WORK [all]
# Compiled by gcc, clang, and gcc for arm64, each with the widest kernel of its flags and as the plain
# program of the README; a compiler that is missing is left out. With `all` also for every set that this
# processor has, optimized, with checks, without SIMDe and without cglm.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
work="$1"
rm -rf "$work"
mkdir -p "$work/acre" "$work/packages"
cd "$work"
"$root/tools/package.sh" two-file .

# The scenarios name single headers; only acre.h is there.
for header in "$root"/engine/*/include/acre/*.h "$root"/modules/*/include/acre/*.h; do
    echo '#include "acre.h"' >"acre/$(basename "$header")"
done
for package in cglm simde; do
    for folder in /usr/include /usr/local/include; do
        [ ! -d "$folder/$package" ] || ln -sfn "$folder/$package" "packages/$package"
    done
done
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion
    -Wstrict-prototypes -Wmissing-prototypes -Wcast-align -Wundef -Werror)
tests=("$root/tests/scenarios/scenario.c" "$root/tests/support/test.c"
    "$root/tests/support/scene_edits.c")
passed=0
failed=0
count() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "FAIL: $1"
        failed=$((failed + 1))
    fi
}

# try NAME PARTS RUNNER COMPILER FLAG...: the scenarios of these parts give the recorded lines.
try() {
    local name="$1" parts="$2" runner="$3" part status
    shift 3
    if ! command -v "$1" >/dev/null || { [ -n "$runner" ] && ! command -v "$runner" >/dev/null; }; then
        echo "left out: $name: $1 is missing"
        return 0
    fi
    status=0
    "$@" -std=c17 "${warnings[@]}" -isystem packages -c acre.c -o acre.o || status=1
    for part in $parts; do
        [ "$status" -ne 0 ] || "$@" -std=c17 -ffp-contract=off -isystem packages -I. \
            -I"$root/tests/support" -I"$root/tests/scenarios" \
            "$root/tests/scenarios/scenario_$part.c" "${tests[@]}" acre.o -lm -o scenario || status=1
        [ "$status" -ne 0 ] || "$root/tests/scripts/scenario.sh" "$work/scenario" \
            "$root/tests/scenarios/scenario_$part.expected" "$runner" >lines || status=1
    done
    count "$name: $*" "$status"
}

# The lines of the head: one command, in C and in C++, the tree alone too.
printf '#include "acre.h"\n#include "acre_quadtree.h"\n%s\n' \
    'int main(void) { return acre_version() == 0; }' >game.c
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    status=0
    $compiler -O0 -std=c17 "${warnings[@]}" game.c acre_quadtree.c -lm -o game && ./game || status=1
    count "the tree alone, $compiler" $status
    status=0
    $compiler -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only game.c || status=1
    count "C++, $compiler" $status
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for cameras in "" -DACRE_WITHOUT_CGLM; do
        status=0
        echo '#include "acre.hpp"' | $compiler -x c++ -std=c++17 -fno-exceptions -fno-rtti -I. \
            -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror $cameras -fsyntax-only - || status=1
        count "acre.hpp, $compiler $cameras" $status
    done
done
native=-march=native
[ "$(uname -m)" = x86_64 ] || native=-O1
try "as in the head" "quadtree scene culling" "" gcc -O1
try "the widest kernel" "quadtree scene culling" "" clang -O1 $native
try arm64 "quadtree scene culling" qemu-aarch64-static aarch64-linux-gnu-gcc -O0 -static
if [ "${2:-}" = all ]; then
    for compiler in gcc clang; do
        for flags in "-O2 -DNDEBUG" "-O3 -march=native" "-O1 -DACRE_CHECK=2" "-O1 -DACRE_WITHOUT_SIMDE"; do
            # shellcheck disable=SC2086
            try "$compiler $flags" "quadtree scene culling" "" $compiler $flags
        done
        if grep -qw avx2 /proc/cpuinfo; then
            try AVX2 "quadtree scene culling" "" $compiler -O2 -march=x86-64-v3
        fi
        try "without cglm" "quadtree scene" "" $compiler -O1 -DACRE_WITHOUT_CGLM
    done
fi
cd "$root"
rm -rf "$work"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
