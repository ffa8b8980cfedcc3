#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hpp_calls.sh - every function of acre.hpp that is no template is called by a test itself, and the
# header compiles strictly.
#     tests/scripts/hpp_calls.sh TEST.cpp... -- INCLUDE_FOLDER...
# gcc makes code of every inline function with -fkeep-inline-functions: the first list. Without
# optimization a call is a relocation, in the section of the function that calls: those in sections of
# the tests' own functions are the second list. What is in the first list alone has no test. `handle`
# and `error` are beneath all classes, and `row` is private: these count where any function calls them.
# Exits with 77 where g++ is missing.
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

export LC_ALL=C # one order for sort and comm
classes='acre::(handle|error|quadtree|contacts|scene|explanation|culling|visible_set|entity_contacts|cascades|receivers'
classes+='|draw_list|interest)'
beneath='^acre::(handle<|error::|interest::row\()'
# Names without that of the inline namespace.
plain_names() { sed 's/acre::without_exceptions::/acre::/g'; }
# functions OBJECT: the member functions of acre.hpp that it has code for.
functions() {
    nm -C --defined-only "$1" | plain_names | sed -nE "s/^[0-9a-f]* [TtWw] ($classes.*)\$/\1/p" | sort -u
}
# calls OBJECT: what functions call that are not of acre.hpp.
calls() {
    readelf -rW "$1" | awk '/^Relocation section/ { is_test = $3 ~ /\.text/ && $3 !~ /\.text\._ZZ?NK?4acre/ }
        is_test && $5 ~ /^_Z/ { print $5 }' | c++filt | plain_names
}
echo '#include <acre/acre.hpp>' >"$work/all.cpp"
g++ "${flags[@]}" "${folders[@]}" -fkeep-inline-functions -c "$work/all.cpp" -o "$work/all.o"
for i in "${!tests[@]}"; do
    g++ "${flags[@]}" "${folders[@]}" -O0 -ffunction-sections -c "${tests[i]}" -o "$work/$i.o"
    calls "$work/$i.o"
    functions "$work/$i.o" | grep -E "$beneath"
done | sort -u >"$work/called"
functions "$work/all.o" >"$work/all"
count="$(wc -l <"$work/all")"
if [ "$count" -lt 140 ]; then
    echo "FAIL: only $count functions were found"
    exit 1
fi
comm -23 "$work/all" "$work/called" >"$work/missing"
if [ -s "$work/missing" ]; then
    cat "$work/missing"
    echo "FAIL: no test calls what is above"
    exit 1
fi
echo "$count functions, each called by a test"
