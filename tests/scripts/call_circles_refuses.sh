#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# call_circles_refuses.sh - call_circles.sh finds circles that are planted, and those alone.
#     tests/scripts/call_circles_refuses.sh WORK
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$1"
rm -rf "$work"
mkdir -p "$work"
cd "$work"
passed=0
failed=0

# try NAME STATUS TEXT FILE:CALLED[,CALLED]...: a library of files that each define a function of their name
# and call others. A file may stand in a folder: low/a:b. TEXT must be said, if any.
try() {
    local name="$1" expected="$2" text="$3" plan file called status=0
    shift 3
    rm -rf root objects planted.a
    mkdir -p root/engine root/modules objects
    for plan in "$@"; do
        file="${plan%%:*}"
        mkdir -p "root/modules/planted/src/$(dirname "$file")"
        called="$(basename "$file")"
        {
            for other in $(tr , ' ' <<<"${plan#*:}"); do
                echo "int $other(void);"
            done
            echo "int $called(void);"
            echo "int $called(void) { return 0$(tr , '\n' <<<"${plan#*:}" | sed '/./s/.*/ + &()/' | tr -d '\n'); }"
        } >"root/modules/planted/src/$file.c"
        "${CC:-cc}" -c "root/modules/planted/src/$file.c" -o "objects/$called.c.o"
    done
    ar cr planted.a objects/*.o
    ACRE_CIRCLES_ROOT=root "$here/call_circles.sh" planted.a >said || status=1
    if [ "$status" -eq "$expected" ] && grep -qF -- "$text" said; then
        passed=$((passed + 1))
    else
        echo "FAIL: $name"
        cat said
        failed=$((failed + 1))
    fi
}
try "a chain" 0 "0 circles among 3" a:b b:c c:
try "two files" 1 "a circle: a.c b.c" a:b b:a
try "the call" 1 "b.c calls a.c: a" a:b b:a
try "three files" 1 "1 circles among 4" a:b b:c c:a d:a
try "two circles" 1 "2 circles among 4" a:b b:a c:d,a d:c
try "shares" 0 "0 circles among 3" walk:walk_shares walk_shares:walk,below below:
try "shares of another" 1 "a circle: query_shares.c walk.c" walk:query_shares query_shares:walk
try "shares and a third" 1 "1 circles" walk:walk_shares walk_shares:walk,part part:walk
try "folders" 1 "planted.a, folders: a circle: low high" low/a:b high/b: high/c:d low/d:
try "floors" 0 "0 circles among 4" high/b:a low/a: high/c:d low/d:
try "a kernel beside its part" 0 "0 circles among 2" high/walk:low_kernel_scalar low_kernel_scalar:
status=0
"$here/call_circles.sh" objects/low_kernel_scalar.c.o >said || status=1
if [ "$status" -eq 0 ]; then
    echo "FAIL: an object alone is no library"
    failed=$((failed + 1))
fi
cd /
rm -rf "$work"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
