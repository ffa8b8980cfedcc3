#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# versions.sh - every file that names Acre's version names the same one, and README.md the date of CHANGES.md.
#     tests/scripts/versions.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version="$(sed -n 's/^project(acre VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)"
minor="${version%.*}"
header="$(sed -n 's/^#define ACRE_VERSION_[A-Z]* //p' engine/core/include/acre/base.h | tr '\n' .)"
released="$(sed -n 's/^## [0-9.]*, //p' CHANGES.md | head -n 1)"
failed=0
# says FILE LINE: the file has a line that contains this.
says() {
    grep -qF -- "$2" "$1" || {
        echo "FAIL $1 does not say: $2"
        failed=1
    }
}
[ "$header" = "$version." ] || {
    echo "FAIL acre/base.h says '$header', CMakeLists.txt $version"
    failed=1
}
says tools/web/npm/package.json "\"version\": \"$version\""
says tools/package/vcpkg/acre/vcpkg.json "\"version\": \"$version\""
says tools/python/acre/library.py "__version__ = \"$version\""
says tests/consumer/CMakeLists.txt "find_package(acre $minor CONFIG REQUIRED"
says CHANGES.md "## $version, "
[ "$(grep -m 1 '^## ' CHANGES.md)" = "## $version, $released" ] || failed=1
says README.md "Version $version, $released. "
echo "versions: $version, $released"
[ "$failed" -eq 0 ]
