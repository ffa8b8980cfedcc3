#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs.sh - the manual as HTML, see tools/docs/README.md
#     tools/package.sh docs OUT
# Needs doxygen, doxygen-awesome-css and python3. A warning of doxygen, a broken link and a header without a page
# are errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out="$1"
style=/usr/share/doxygen-awesome-css/doxygen-awesome.css
if ! command -v doxygen >/dev/null || [ ! -e "$style" ]; then
    echo "docs: apt-get install doxygen doxygen-awesome-css" >&2
    exit 1
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
version="$(sed -n 's/^project(acre VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
python3 tools/package/docs.py . "$work/pages"
{
    cat tools/docs/Doxyfile
    echo "PROJECT_NUMBER = $version"
    # In this order the pages stand in the manual's tree.
    printf 'INPUT = %s\n' "$(sed "s|^|$work/pages/|" "$work/pages/order" | tr '\n' ' ')"
    printf 'INPUT += %s\n' engine/*/include modules/*/include
    echo "STRIP_FROM_PATH = $work/pages ."
    echo "IMAGE_PATH = $work/pages"
    echo "USE_MDFILE_AS_MAINPAGE = $work/pages/index.md"
    echo "OUTPUT_DIRECTORY = $work"
    echo "HTML_EXTRA_STYLESHEET = $style tools/docs/manual.css"
} >"$work/Doxyfile"
doxygen "$work/Doxyfile" 2>"$work/warnings"
if [ -s "$work/warnings" ]; then
    head -n 20 "$work/warnings" >&2
    echo "docs: doxygen has $(grep -c warning "$work/warnings") warnings" >&2
    exit 1
fi
# As doxygen names the page of a header: quadtree_query.h has quadtree__query_8h.html.
while read -r header; do
    page="$(basename "$header" | sed 's/_/__/g; s/\./_8/').html"
    if [ ! -s "$work/html/$page" ]; then
        echo "docs: the reference has no page of $header" >&2
        exit 1
    fi
done < <(find engine/*/include modules/*/include -name '*.h' -o -name '*.hpp')
cp -r "$work/html/." tools/package/THIRD_PARTY.md "$out/"
echo "docs: $(find "$out" -name '*.html' | wc -l) pages; begin with index.html"
