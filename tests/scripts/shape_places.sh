#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shape_places.sh - the places that modules/quadtree/README.md names for a new shape of queries are all.
#     tests/scripts/shape_places.sh
# The capsule, a shape like any other, must stand in the code of exactly these files, at most seven.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
readme=modules/quadtree/README.md
named="$(awk '/^## /{ on = /^## To add a query shape/ } on' "$readme" |
    grep -oE '`(engine|modules)/[a-z0-9_/]+\.[ch]`' | tr -d '`' | LC_ALL=C sort -u)"
# Without comments, in which a shape may be an example.
found="$(find engine modules -name '*.[ch]' -exec grep -li capsule {} + | while read -r file; do
    if gcc -fpreprocessed -dD -E -P -x c "$file" 2>/dev/null | grep -ci capsule >/dev/null; then
        echo "$file"
    fi
done | LC_ALL=C sort)"
if [ "$named" != "$found" ]; then
    echo "shape_places: $readme (<) and the places of the capsule (>) differ:"
    diff <(echo "$named") <(echo "$found") && true
    exit 1
fi
count="$(wc -l <<<"$found")"
if ((count > 7)); then
    echo "shape_places: a shape needs $count places, which is more than 7" && exit 1
fi
echo "shape_places: a shape stands in the $count files that $readme names"
