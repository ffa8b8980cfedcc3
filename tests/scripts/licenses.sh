#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# licenses.sh - every file of code names its license, and every file of data has one named beside it.
#     tests/scripts/licenses.sh [ROOT]
# Code has a line with SPDX-License-Identifier: MIT among its first four. Data (pictures, scenes, tables,
# seeds) has a README.md or NOTICE.md in its folder, or in one above it below the root, that names MIT or
# the ODbL. The license itself, and the texts of papers, are those of the root.
# Parts of others in packages stand in tools/package/THIRD_PARTY.md, and what makes a package takes it.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

names_license() {
    local folder="$1"
    while [ "$folder" != . ]; do
        if grep -qsE '\b(MIT|ODbL)\b' "$folder/README.md" "$folder/NOTICE.md"; then
            return 0
        fi
        folder="$(dirname "$folder")"
    done
    return 1
}

mapfile -d '' files < <(find . -path ./build -prune -o -path ./.git -prune -o -name node_modules -prune -o \
    -path ./shared -prune -o -name out -prune -o -type f -print0 | LC_ALL=C sort -z)
code=0
data=0
failed=0
declare -A named=()
for file in "${files[@]}"; do
    case "$file" in
    *.md | */package-lock.json | */.gitignore | ./.* | ./LICENSE | ./CMakePresets.json)
        [[ $file == ./.ci/* ]] || continue
        ;;
    */package.json | */vcpkg.json)
        if ! grep -q '"license": "MIT"\|"private": true' "$file"; then
            echo "FAIL $file: no license"
            failed=$((failed + 1))
        fi
        continue
        ;;
    esac
    case "$file" in
    *.c | *.h | *.cpp | *.hpp | *.sh | *.py | *.js | *.mjs | *.ts | *.mts | *.css | *.html | *.glsl | *.awk | \
        *.cmake | *.in | */CMakeLists.txt | ./.ci/run)
        code=$((code + 1))
        lines=()
        mapfile -n 4 lines <"$file"
        if [[ ${lines[*]} != *"SPDX-License-Identifier: MIT"* ]]; then
            echo "FAIL $file: no line with its license"
            failed=$((failed + 1))
        fi
        ;;
    *)
        data=$((data + 1))
        folder="${file%/*}"
        if [ -z "${named[$folder]:-}" ]; then
            named[$folder]=1
            if ! names_license "${folder#./}"; then
                echo "FAIL $file: no README.md or NOTICE.md beside it or above names its license"
                failed=$((failed + 1))
            fi
        fi
        ;;
    esac
done
parts=tools/package/THIRD_PARTY.md
for part in SIMDe cglm Emscripten musl dlmalloc compiler-rt DejaVu 'Dear ImGui' ProggyClean stb doxygen-awesome-css; do
    if ! grep -qs "^| .*$part.* | .*\(MIT\|public\|Apache\|Vera\).* | .* | .* |\$" "$parts"; then
        echo "FAIL $parts: no line for $part"
        failed=$((failed + 1))
    fi
done
for taker in tools/package/npm.sh tools/web/npm/package.json tools/package/web.sh tools/view/page/page.html \
    tools/view/page/measure.html tools/package/docs.sh cmake/install.cmake cmake/packages.cmake; do
    if ! grep -qs 'THIRD_PARTY\.md' "$taker"; then
        echo "FAIL $taker: does not take $parts"
        failed=$((failed + 1))
    fi
done
echo "$((code + data - failed)) passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$code" -gt 300 ] && [ "$data" -gt 50 ]
