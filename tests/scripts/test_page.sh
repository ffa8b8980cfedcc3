#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_page.sh - builds the pages and looks at them in a headless Chromium.
#     tests/scripts/test_page.sh ACRE FOLDER, where recorded.acreqt is
# Exits with 77 where Emscripten or Chromium is missing: tools/setup.sh web installs the one, Debian's
# chromium is the other. ACRE_PAGES names pages that were built before. Pictures are left in
# FOLDER/pictures.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
acre="$(realpath "$1")"
work="$(realpath "$2")"
for program in emcc chromium node; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: $program is missing"
        exit 77
    fi
done
pages="${ACRE_PAGES:-$work/pages}"
if [ -z "${ACRE_PAGES:-}" ]; then
    ACRE="$acre" "$root/tools/package.sh" web "$pages"
fi
size="$(gzip -9 -c "$pages/page.html" | wc -c)"
if [ "$size" -gt 300000 ]; then
    echo "FAIL: page.html takes $size bytes by gzip -9; 300,000 are allowed"
    exit 1
fi
# But for the time that a view takes, and for occluders: a page looks for none, which keeps it small.
"$acre" inspect "$root/tools/scenes/san_francisco.glb" |
    grep -v -e '^a view takes' -e '^occluders ' >"$work/city_numbers.txt"
ACRE_PAGE="$pages/page.html" "$acre" inspect "$work/recorded.acreqt" --html "$work/recording.html" \
    >"$work/recording_numbers.txt"
timeout 300 node "$root/tests/page/test_page.mjs" "$pages" "$work/city_numbers.txt" \
    "$work/recording.html" "$work/recording_numbers.txt" "$work/pictures"
