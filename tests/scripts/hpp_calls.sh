#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hpp_calls.sh - every function of acre.hpp is called by a test, and the header compiles strictly.
#     tests/scripts/hpp_calls.sh TEST.cpp... -- INCLUDE_FOLDER...
# gcc makes code of every inline function with -fkeep-inline-functions, and otherwise without
# optimization of those alone that are called. What is in the first list and not in the others has no
# test. Exits with 77 where g++ is missing.
set -euo pipefail
tests=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    tests+=("$1")
    shift
done
shift
folders=()
for folder in "$@"; do
    folders+=("-I$folder")
done
command -v g++ >/dev/null || exit 77
work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT
flags=(-std=c++17 -fno-exceptions -fno-rtti -DACRE_CHECK=0)

strict=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow
    -Wcast-align -Wundef -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
for compiler in g++ clang++; do
    if command -v "$compiler" >/dev/null; then
        "$compiler" "${flags[@]}" "${strict[@]}" "${folders[@]}" -fsyntax-only "${tests[@]}"
        echo "ok    $compiler"
    fi
done

# functions OBJECT: the member functions of acre.hpp that it has code for.
functions() {
    nm -C --defined-only "$1" | sed -nE 's/^[0-9a-f]* [TtWw] (acre::(handle|quadtree|scene|culling|visible_set|interest|error).*)$/\1/p' |
        sort -u
}
echo '#include <acre/acre.hpp>' >"$work/all.cpp"
g++ "${flags[@]}" "${folders[@]}" -fkeep-inline-functions -c "$work/all.cpp" -o "$work/all.o"
for i in "${!tests[@]}"; do
    g++ "${flags[@]}" "${folders[@]}" -O0 -c "${tests[i]}" -o "$work/$i.o"
    functions "$work/$i.o"
done | sort -u >"$work/called"
functions "$work/all.o" >"$work/all"
count="$(wc -l <"$work/all")"
if [ "$count" -lt 80 ]; then
    echo "FAIL: only $count functions were found"
    exit 1
fi
if comm -23 "$work/all" "$work/called" | grep .; then
    echo "FAIL: no test calls what is above"
    exit 1
fi
echo "$count functions, each called by a test"
