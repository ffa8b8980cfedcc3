#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# two_file.sh - Acre as two files to put beside your own.
#     tools/package.sh two-file OUT
#     OUT/acre.h, acre.c                      all but the reader of scene files and what needs MPI
#     OUT/acre.hpp                            C++ classes over acre.h
#     OUT/acre_quadtree.h, acre_quadtree.c    the tree alone
# They need Python to be made, and a C compiler to be used.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if ! command -v python3 >/dev/null; then
    echo "package: missing (Debian): python3" >&2
    exit 1
fi
python3 two_file.py acre "$1"
python3 two_file.py acre_quadtree "$1" core quadtree
for file in acre acre_quadtree; do
    printf 'package: %s: %d lines, %d KB\n' "$file.c" "$(wc -l <"$1/$file.c")" \
        "$(($(wc -c <"$1/$file.c") / 1000))"
done
