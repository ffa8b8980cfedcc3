#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install_program.sh - installs a build and looks at what is installed.
#     tests/scripts/install_program.sh BUILD WORK
set -euo pipefail
build="$1"
work="$2"
rm -rf "$work"
cmake --install "$build" --prefix "$work" >/dev/null
for file in share/doc/acre/LICENSE share/doc/acre/README.md include/acre/quadtree.h; do
    if [ ! -s "$work/$file" ]; then
        echo "FAIL: $file is not installed"
        exit 1
    fi
done
"$(dirname "${BASH_SOURCE[0]}")/links_whole.sh" "$work/share/doc/acre"
"$(dirname "${BASH_SOURCE[0]}")/installed_program.sh" "$work"
rm -rf "$work"
