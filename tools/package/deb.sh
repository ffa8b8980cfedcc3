#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# deb.sh - Debian's binary packages: libraries, development files, the program acre.
#     tools/package.sh deb OUT
#     OUT/libacre*.deb    the library, the reader of scene files, libacre-dev
#     OUT/acre*.deb       the program
# `apt install ./*.deb` installs them with what they need.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
build="${ACRE_BUILD:-$root/build}/deb"
if ! command -v dpkg-shlibdeps >/dev/null; then
    echo "package: missing (Debian): dpkg-dev" >&2
    exit 1
fi
mkdir -p "$build"
if ! { cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
    -DACRE_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr &&
    cmake --build "$build" --parallel "${ACRE_JOBS:-$(nproc)}" &&
    (cd "$build" && cpack -G DEB -B "$1"); } >"$build/log" 2>&1; then
    tail -n 40 "$build/log" >&2
    exit 1
fi
rm -rf "$1/_CPack_Packages"
cd "$1"
ls -l -- *.deb
