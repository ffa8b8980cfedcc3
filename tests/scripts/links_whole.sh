#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# links_whole.sh - every link of an installed manual leads to a file that is there.
#     tests/scripts/links_whole.sh FOLDER, where README.md is
set -euo pipefail
cd "$1"
broken=0
pages=0
while read -r page; do
    pages=$((pages + 1))
    while read -r target; do
        [[ "$target" =~ ^[a-z]+: ]] || [ -e "$(dirname "$page")/$target" ] || {
            echo "FAIL: $page: nothing is at $target"
            broken=$((broken + 1))
        }
    done < <(grep -oE '\]\([^)# ]+' "$page" | cut -c 3-)
done < <(find . -name '*.md')
echo "links_whole: $pages pages, $broken broken links"
[ "$broken" -eq 0 ] && [ "$pages" -gt 20 ] && [ -s tools/docs/which_call.md ]
