#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme_names.sh - what README files name exists: functions, types and macros of Acre, files, and
# test programs.
#     tests/scripts/readme_names.sh [ROOT]
# Names stand between backquotes; links are checked as paths.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
status=0
fail() {
    echo "FAIL: $1"
    status=1
}

# Build folders are pruned, not walked: other tests make and remove files there at the same time.
named() {
    find . \( -path ./build -o -path ./.git -o -name node_modules \) -prune -o -type f "$@" -print
}
mapfile -t pages < <(named -name '*.md' -not -name CHANGES.md | LC_ALL=C sort)
# All words of the code, once.
words="$(find engine modules tools tests cmake -type f \( -name '*.[ch]' -o -name '*.[ch]pp' \
    -o -name '*.cmake' -o -name '*.sh' -o -name CMakeLists.txt -o -name '*.in' \) -exec cat {} + |
    grep -oE '[A-Za-z_][A-Za-z0-9_]*' | LC_ALL=C sort -u)"
files="$(named | sed 's|.*/||' | LC_ALL=C sort -u)"

for page in "${pages[@]}"; do
    folder="$(dirname "$page")"
    while read -r name; do
        grep -qxF -- "$name" <<<"$words" || fail "$page names $name"
    done < <(grep -oE '`(acre|ACRE|test|fuzz)_[A-Za-z0-9_]*[A-Za-z0-9]`' "$page" | tr -d '`' | sort -u)
    while read -r name; do
        grep -qxF -- "${name##*/}" <<<"$files" || fail "$page names the file $name"
    done < <(grep -oE '`[A-Za-z0-9_./]*[a-z0-9]\.(c|h|sh|cmake|expected|recorded)`' "$page" | tr -d '`' |
        sed 's|^_.*||' | grep . | sort -u)
    while read -r path; do
        [ "$path" = https ] || [ -e "$folder/$path" ] || fail "$page links to $path"
    done < <(grep -oE '\]\([^)#:]+' "$page" | sed 's|](||' | sort -u)
done
[ "$status" -eq 0 ] && echo "readme_names: ${#pages[@]} pages name what exists"
exit "$status"
