#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# page_samples.sh - the samples of code in the pages compile, those that are no whole programs too.
#     tests/scripts/page_samples.sh WORK
# A block ```c or ```cpp without a main function of modules/x/README.md becomes WORK/x_1.inc, x_2.inc and so
# on. tests/pages/x_samples.c declares what the sample uses and includes it. A block that no file includes
# fails. Whole programs are run by readme_example.sh.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
work="$1"
mkdir -p "$work"
rm -f "$work"/*.inc
cd "$root"

# The folder names the page, or its own name where it is not a README.
for page in README.md engine/*.md engine/*/*.md modules/*/*.md tools/*/*.md; do
    name="$(basename "$page" .md)"
    [ "$name" != README ] || name="$(basename "$(dirname "$page")")"
    [ "$page" != README.md ] || name=root
    awk -v start="$work/$name" '
        /^```c(pp)?$/ { inside = 1; text = ""; next }
        /^```$/ && inside {
            inside = 0
            if (text !~ /int main\(void\)/)
                printf "%s", text > (start "_" ++count ".inc")
            next
        }
        inside { sub(/^\.\.\.$/, "// ..."); text = text $0 "\n" }' "$page"
done

includes=()
for folder in engine/*/include modules/*/include; do
    includes+=("-I$folder")
done
status=0
count=0
for block in "$work"/*.inc; do
    count=$((count + 1))
    grep -qF "\"$(basename "$block")\"" tests/pages/*.c* || {
        echo "FAIL: no file in tests/pages includes $(basename "$block"):"
        cat "$block"
        status=1
    }
done
for file in tests/pages/*.c; do
    "${CC:-cc}" -std=c17 -Wall -Wextra -Wno-unused -Werror -S -o /dev/null "${includes[@]}" "-I$work" "$file" ||
        status=1
done
if command -v "${CXX:-c++}" >/dev/null; then
    for file in tests/pages/*.cpp; do
        "${CXX:-c++}" -std=c++17 -Wall -Wextra -Wno-unused -Werror -S -o /dev/null "${includes[@]}" "-I$work" \
            "$file" || status=1
    done
fi
[ "$status" -eq 0 ] && echo "page_samples: $count samples compile"
exit "$status"
