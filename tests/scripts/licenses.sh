#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# licenses.sh - every file of code names its license, and packages carry those of the parts of others.
#     tests/scripts/licenses.sh
# Code has a line with SPDX-License-Identifier: MIT among its first four. Parts of others in packages stand
# in tools/package/THIRD_PARTY.md, and what makes a package takes it. Scenes have a notice beside them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
passed=0
failed=0
# expect SENTENCE COMMAND...
expect() {
    if "${@:2}" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        echo "FAIL $1"
        failed=$((failed + 1))
    fi
}
has_license() {
    local lines=()
    mapfile -n 4 lines <"$1"
    [[ ${lines[*]} = *"SPDX-License-Identifier: MIT"* ]]
}

while IFS= read -r -d '' file; do
    expect "$file: no line with its license" has_license "$file"
done < <(find . \( -path ./build -o -path ./.git -o -path ./shared -o -name node_modules -o -name out \) -prune \
    -o -type f \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.sh' -o -name '*.py' -o -name '*.js' -o -name '*.mjs' \
    -o -name '*.ts' -o -name '*.mts' -o -name '*.css' -o -name '*.html' -o -name '*.glsl' -o -name '*.awk' \
    -o -name '*.cmake' -o -name '*.in' -o -name CMakeLists.txt -o -path ./.ci/run \) -print0)
while IFS= read -r file; do
    expect "$file: no license" grep -q '"license": "MIT"\|"private": true' "$file"
done < <(find tests tools \( -name node_modules -o -name out \) -prune -o \( -name package.json -o -name vcpkg.json \) -print)
parts=tools/package/THIRD_PARTY.md
for part in SIMDe cglm Emscripten musl dlmalloc compiler-rt DejaVu 'Dear ImGui' ProggyClean stb doxygen-awesome-css; do
    expect "$parts: no line for $part" \
        grep -q "^| .*$part.* | .*\(MIT\|public\|Apache\|Vera\).* | .* | .* |\$" "$parts"
done
for taker in tools/package/npm.sh tools/web/npm/package.json tools/package/web.sh tools/view/page/page.html \
    tools/view/page/measure.html tools/package/docs.sh cmake/install.cmake cmake/packages.cmake; do
    expect "$taker: does not take $parts" grep -q 'THIRD_PARTY\.md' "$taker"
done
expect "tools/scenes/NOTICE.md does not name the ODbL" grep -q ODbL tools/scenes/NOTICE.md
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 300 ]
