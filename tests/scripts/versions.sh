#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# versions.sh - every file that names Acre's version names the same one, and README.md and CHANGES.md the
# same date.
#     tests/scripts/versions.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version="$(sed -n 's/^project(acre VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)"
passed=0
failed=0
# same FILE FOUND
same() {
    if [ "$2" = "$version" ]; then
        passed=$((passed + 1))
    else
        echo "FAIL $1 says '$2', CMakeLists.txt $version"
        failed=$((failed + 1))
    fi
}
part() {
    sed -n "s/^#define ACRE_VERSION_$1 //p" engine/core/include/acre/base.h
}
same acre/base.h "$(part MAJOR).$(part MINOR).$(part PATCH)"
for file in tools/web/npm/package.json tools/package/vcpkg/acre/vcpkg.json; do
    same "$file" "$(sed -n 's/^ *"version": "\([0-9.]*\)".*/\1/p' "$file")"
done
same tools/examples/python/acre_tree.py "$(sed -n 's/^VERSION = (\([0-9]*\), \([0-9]*\)).*/\1.\2/p' \
    tools/examples/python/acre_tree.py).${version##*.}"
same CHANGES.md "$(sed -n 's/^## \([0-9.]*\), .*/\1/p' CHANGES.md | head -n 1)"
same README.md "$(sed -n 's/.*Version \([0-9]*\.[0-9]*\.[0-9]*\)[,:. ].*/\1/p' README.md | head -n 1)"
same tests/consumer/CMakeLists.txt "$(sed -n 's/.*find_package(acre \([0-9.]*\) CONFIG REQUIRED.*/\1/p' \
    tests/consumer/CMakeLists.txt).${version##*.}"
released="$(sed -n 's/^## [0-9.]*, //p' CHANGES.md | head -n 1)"
if grep -qF "Version $version, $released. " README.md; then
    passed=$((passed + 1))
else
    echo "FAIL README.md does not say 'Version $version, $released.' as CHANGES.md"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
