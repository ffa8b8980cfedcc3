#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# dropped_results.sh - compilers warn where a result of Acre is dropped, and only there.
#     tests/scripts/dropped_results.sh
# A dropped call warns in every compiler and standard here; ACRE_IGNORE, a result that is read and
# ACRE_NO_NODISCARD do not. gcc warns when it makes code, not with -fsyntax-only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
includes=(-Iengine/core/include -Imodules/quadtree/include)
passed=0
failed=0

# warns yes|no NAME LINES COMPILER FLAG...: whether a function with these lines has a warning.
warns() {
    local expected="$1" name="$2" lines="$3" output found=no
    shift 3
    output="$(printf '%s\nacre_result f(acre_quadtree *t);\nacre_result f(acre_quadtree *t)\n{\n%s\n}\n' \
        '#include <acre/quadtree.h>' "$lines" |
        "$@" -Wall -Wextra "${includes[@]}" -S -o /dev/null - 2>&1)" || found=error
    [ "$found" = error ] || ! grep -qE 'warning: ignoring return value' <<<"$output" || found=yes
    # Nothing else warns, so that no line is good for another reason.
    local count=0
    [ "$expected" = no ] || count=1
    if [ "$found" = "$expected" ] && [ "$(grep -c 'warning:' <<<"$output")" -eq $count ]; then
        passed=$((passed + 1))
    else
        echo "FAIL $name with $*: $found, not $expected"
        echo "$output"
        failed=$((failed + 1))
    fi
}

try() {
    warns yes "a dropped result" '    acre_quadtree_insert(t, 0, 0);
    return ACRE_OK;' "$@"
    warns no "ACRE_IGNORE" '    ACRE_IGNORE(acre_quadtree_insert(t, 0, 0));
    return ACRE_OK;' "$@"
    warns no "ACRE_IGNORE as an operand" '    return ACRE_IGNORE(acre_quadtree_insert(t, 0, 0)), ACRE_OK;' "$@"
    warns no "a result that is read" '    return acre_quadtree_insert(t, 0, 0);' "$@"
    warns no "ACRE_NO_NODISCARD" '    acre_quadtree_insert(t, 0, 0);
    return ACRE_OK;' "$@" -DACRE_NO_NODISCARD
}

for compiler in gcc clang; do
    if command -v $compiler >/dev/null; then
        for standard in c99 c11 c17 c2x; do
            try $compiler -x c -std=$standard
        done
    fi
done
for compiler in g++ clang++; do
    if command -v $compiler >/dev/null; then
        for standard in c++98 c++17 c++20; do
            try $compiler -x c++ -std=$standard
        done
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
