#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# python.sh - the tree for numpy, as a wheel and as a source distribution.
#     tools/package.sh python OUT
#     OUT/acre_culling-*.whl       pip install it: any Python 3.9 or later of this platform
#     OUT/acre_culling-*.tar.gz    for other platforms: needs a C compiler, setuptools and wheel
# The C code in them is Acre as two files (two_file.sh). CC and CFLAGS are heeded. PYTHON names another
# Python than python3, or than Debian's where that one lacks setuptools and wheel.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
out="$(cd "$1" && pwd)"
for python in "${PYTHON:-python3}" /usr/bin/python3 none; do
    if command -v "$python" >/dev/null && "$python" -c 'import setuptools, wheel' 2>/dev/null; then
        break
    fi
done
if [ "$python" = none ]; then
    echo "package: missing (Debian): python3-setuptools python3-wheel" >&2
    exit 1
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp -r "$root/tools/python/." "$work"
rm -rf "$work"/acre/*.so "$work"/acre/__pycache__
cp "$root/LICENSE" "$work"
sed -n 's/^project(acre VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt" >"$work/VERSION"
cp "$root"/tools/workers.[ch] "$work/src"
"$python" "$root/tools/package/two_file.py" acre_quadtree "$work/src" core quadtree
mkdir "$work/src/acre"
echo '#include "../acre_quadtree.h"' >"$work/src/acre/tasks.h"
if ! (cd "$work" && "$python" setup.py -q sdist -d "$out" bdist_wheel -d "$out") >"$work/log" 2>&1; then
    tail -n 40 "$work/log" >&2
    exit 1
fi
cd "$out"
ls -l -- *.whl *.tar.gz
