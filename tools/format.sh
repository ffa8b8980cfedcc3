#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# format.sh - formats the C files, or with --check names those that are not formatted.
# Versions of clang-format differ in what they do; Acre's is 14.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

format=clang-format-14
if ! command -v "$format" >/dev/null; then
    format=clang-format
    if ! "$format" --version 2>/dev/null | grep -q 'version 14\.'; then
        echo "format: clang-format 14 is missing (tools/setup.sh test installs it)" >&2
        exit 1
    fi
fi

mapfile -d '' files < <(find engine modules tests tools -name node_modules -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.[ch]pp' \) -print0 | LC_ALL=C sort -z)
if [ "${1:-}" = --check ]; then
    "$format" --dry-run --Werror "${files[@]}"
    echo "format: ${#files[@]} files are formatted"
else
    "$format" -i "${files[@]}"
fi
