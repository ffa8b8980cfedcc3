#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# two_file.sh - Acre as two files: made, compiled strictly, and the same results as the library.
#     tests/scripts/two_file.sh WORK [all]
# Compiled by gcc, clang, and gcc for arm64, for processors with fused operations, with the widest kernel
# of the flags. Each header compiles alone in all standards that its head names. With `all` also by clang
# for arm64, for every set that this processor has, with checks, without SIMDe and without cglm; and
# without the pragmas against fused operations, where results must differ: else nothing here tests them.
# Where CI is set, a missing compiler fails the test; elsewhere what needs it is left out.
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
both=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wcast-align -Wundef
    -Werror)
in_c=(-Wstrict-prototypes -Wmissing-prototypes)
in_cpp=(-Wold-style-cast)
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

# left_out WHAT MISSING: no failure, but where CI is set.
left_out() {
    if [ -n "${CI:-}" ]; then
        count "$2 is missing (tools/setup.sh test installs it)" 1
    else
        echo "left out: $1: $2 is missing (tools/setup.sh test installs it)"
    fi
}

# has NAME PROGRAM...: whether all are there.
has() {
    local name="$1" program
    shift
    for program in "$@"; do
        if ! command -v "$program" >/dev/null; then
            left_out "$name" "$program"
            return 1
        fi
    done
}

for package in cglm simde; do
    for folder in /usr/include /usr/local/include; do
        [ ! -d "$folder/$package" ] || ln -sfn "$folder/$package" "packages/$package"
    done
    [ -e "packages/$package" ] || left_out "what needs $package" "$package"
done

# compile SOURCE COMPILER FLAG...: makes acre.o. gcc fuses in GNU's C, not in -std=c17.
compile() {
    local source="$1" compiler="$2"
    shift 2
    "$compiler" -std=gnu17 "$@" "${both[@]}" "${in_c[@]}" -isystem packages -c "$source" -o acre.o
}

# scenario PART COMPILER FLAG...: makes the scenarios of this part from acre.o.
scenario() {
    local part="$1"
    shift
    "$@" -std=c17 -ffp-contract=off -isystem packages -I. -I"$root/tests/support" \
        -I"$root/tests/scenarios" "$root/tests/scenarios/scenario_$part.c" "${tests[@]}" acre.o -lm \
        -o scenario
}

# try NAME PARTS RUNNER COMPILER FLAG...: the scenarios of these parts give the recorded lines.
try() {
    local name="$1" parts="$2" runner="$3" part status
    shift 3
    # shellcheck disable=SC2086
    has "$name" "$1" $runner || return 0
    status=0
    compile acre.c "$@" || status=1
    for part in $parts; do
        [ "$status" -ne 0 ] || scenario "$part" "$@" || status=1
        [ "$status" -ne 0 ] || "$root/tests/scripts/scenario.sh" "$work/scenario" \
            "$root/tests/scenarios/scenario_$part.expected" "$runner" >lines || status=1
    done
    count "$name: $*" "$status"
}

# differs RUNNER COMPILER FLAG...: without the pragmas against fused operations, the scenarios of culling
# run and give other lines than the recorded ones.
differs() {
    local runner="$1" name="without the pragmas" status
    local expected="$root/tests/scenarios/scenario_culling.expected"
    shift
    # shellcheck disable=SC2086
    has "$name" "$1" $runner || return 0
    sed '/^#pragma clang fp contract(off)$/d; /^#pragma GCC optimize(/s/"fp-contract=off", //' \
        acre.c >fused.c
    status=0
    compile fused.c "$@" && scenario culling "$@" && $runner ./scenario >lines || status=1
    [ "$(wc -l <lines)" -eq "$(wc -l <"$expected")" ] && ! cmp -s lines "$expected" || status=1
    count "$name, results do not differ: $*" "$status"
}

# The lines of the head: one command, in C and in C++, the tree alone too.
printf '#include "acre.h"\n#include "acre_quadtree.h"\n%s\n' \
    'int main(void) { return acre_version() == 0; }' >game.c
for compiler in gcc clang; do
    has "the tree alone" $compiler || continue
    status=0
    $compiler -O0 -std=c17 "${both[@]}" "${in_c[@]}" game.c acre_quadtree.c -lm -o game && ./game || status=1
    count "the tree alone, $compiler" $status
done
# gcc's GNU C evaluates half floats as such on processors that have them; other floats stay what they are.
if gcc -mavx512fp16 -fsyntax-only -x c /dev/null 2>/dev/null; then
    status=0
    gcc -std=gnu17 -mavx512fp16 -fsyntax-only "${both[@]}" "${in_c[@]}" acre_quadtree.c || status=1
    count "the tree alone, with half floats" $status
fi
# Each header alone, twice; then both, as another program has them.
for header in acre.h acre_quadtree.h; do
    printf '#include "%s"\n#include "%s"\nextern int acre_header_check;\n' $header $header >"alone_$header"
done
for compiler in gcc clang; do
    has "headers in C" $compiler || continue
    for source in alone_acre.h alone_acre_quadtree.h game.c; do
        for flags in -std=c99 -std=c17 "-std=c17 -DACRE_WITHOUT_CGLM"; do
            status=0
            # shellcheck disable=SC2086
            $compiler -x c $flags "${both[@]}" "${in_c[@]}" -Wshadow -fsyntax-only $source || status=1
            count "$source, $compiler $flags" $status
        done
    done
done
for compiler in g++ clang++; do
    has "headers in C++" $compiler || continue
    for source in alone_acre.h alone_acre_quadtree.h game.c; do
        for flags in -std=c++98 "-std=c++17 -Wzero-as-null-pointer-constant" \
            "-std=c++17 -DACRE_WITHOUT_CGLM"; do
            status=0
            # shellcheck disable=SC2086
            $compiler -x c++ $flags "${both[@]}" "${in_cpp[@]}" -Wshadow -fsyntax-only $source || status=1
            count "$source, $compiler $flags" $status
        done
    done
    for cameras in "" -DACRE_WITHOUT_CGLM; do
        status=0
        echo '#include "acre.hpp"' | $compiler -x c++ -std=c++17 -fno-exceptions -fno-rtti -I. \
            "${both[@]}" "${in_cpp[@]}" -Wzero-as-null-pointer-constant -Wshadow $cameras \
            -fsyntax-only - || status=1
        count "acre.hpp, $compiler $cameras" $status
    done
done
# gcc fuses at -O2; clang at every level, so -O0 saves time.
native=()
[ "$(uname -m)" != x86_64 ] || native=(-march=native)
try "as in the head" "quadtree scene culling" "" gcc -O2 "${native[@]}"
try "the widest kernel" "quadtree scene culling" "" clang -std=c17 -O0 "${native[@]}"
# -O1 is compiled in half the time; -O2's way to fused operations comes with expensive optimizations.
arm64=("quadtree scene culling" qemu-aarch64-static)
fused=(aarch64-linux-gnu-gcc -O1 -fexpensive-optimizations -Wno-maybe-uninitialized -static)
try arm64 "${arm64[@]}" "${fused[@]}"
if [ "${2:-}" = all ]; then
    if has arm64 aarch64-linux-gnu-gcc; then # whose linker and C library clang takes
        try arm64 "${arm64[@]}" clang -O2 -static --target=aarch64-linux-gnu
        differs qemu-aarch64-static clang -O0 -static --target=aarch64-linux-gnu
    fi
    differs qemu-aarch64-static "${fused[@]}"
    try arm64 "${arm64[@]}" aarch64-linux-gnu-gcc -O2 -static
    if [ "$(uname -m)" != x86_64 ] || grep -qw fma /proc/cpuinfo; then
        differs "" gcc -O2 "${native[@]}"
        differs "" clang -O0 "${native[@]}"
    fi
    for compiler in gcc clang; do
        for flags in "-O2 -DNDEBUG" "-O3 -march=native" "-std=c17 -O1 -DACRE_CHECK=2" \
            "-O1 -DACRE_WITHOUT_SIMDE"; do
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
