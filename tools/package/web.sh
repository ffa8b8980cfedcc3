#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# web.sh - the viewer as web pages, made with Emscripten.
#     tools/package.sh web OUT
# Static pages, each a single file that opens from disk or from any server, with the licenses of its parts:
#     OUT/index.html    the viewer with San Francisco and the samples
#     OUT/page.html     the viewer without a scene, which `acre inspect --html` fills
#     OUT/measure.html  a scan and the tree, measured on the visitor's machine
#     OUT/manual        the manual, where doxygen and doxygen-awesome-css are installed
# It installs and builds what is missing, in ACRE_BUILD or in the checkout's folder `build`, and leaves
# page.html there for `acre inspect`. The scene is converted with the program `acre` of tools/run.sh, or
# with the one that ACRE names.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
build="${ACRE_BUILD:-$root/build}/web"
acre="${ACRE:-${ACRE_BUILD:-$root/build}/release/tools/acre}"
jobs="${ACRE_JOBS:-$(nproc)}"
mkdir -p "$build"
out="$(cd "$1" && pwd)"

"$root/tools/setup.sh" web
if [ ! -x "$acre" ] && [ -z "${ACRE:-}" ]; then
    "$root/tools/run.sh" --frames 1 --svg none >/dev/null
fi
if [ ! -x "$acre" ]; then
    echo "package: $acre is missing" >&2
    exit 1
fi
# Debian's Emscripten finds its scripts' packages there.
export NODE_PATH=/usr/share/nodejs

# Headers alone, beside Emscripten's own C library.
mkdir -p "$build/headers"
ln -sfn /usr/include/cglm "$build/headers/cglm"
ln -sfn /usr/include/simde "$build/headers/simde"

version="$(emcc --version)"
echo "package: compiling with ${version%%$'\n'*}"
log="$build/wasm.log"
if ! { emcmake cmake -S "$root" -B "$build/wasm" -DCMAKE_BUILD_TYPE=Release \
    -DACRE_BUILD_TESTS=OFF -DACRE_BUILD_TOOLS=ON -DACRE_INSTALL=OFF -DACRE_WERROR=OFF \
    -DCMAKE_C_FLAGS="-isystem $build/headers -I$root/tools/view -msimd128" \
    -DCMAKE_C_FLAGS_RELEASE=-DNDEBUG -DACRE_CGLM_INCLUDE_DIR="$build/headers" &&
    cmake --build "$build/wasm" --parallel "$jobs"; } >"$log" 2>&1; then
    grep -E -A 8 'error|undefined' "$log" | head -n 40 >&2 || tail -n 40 "$log" >&2
    echo "package: the build failed; the whole log is $log" >&2
    exit 1
fi

pack() {
    gzip -9 -n -c "$1" | base64 -w 0
}
# assemble PAGE: a page's text, with the files that it names put in their places.
assemble() {
    local line
    while IFS= read -r line; do
        case "$line" in
        *'<!-- put '*' -->'*)
            local what="${line#*<!-- put }"
            what="${what%% -->*}"
            printf '%s' "${line%%<!-- put *}"
            case "$what" in
            wasm/*) pack "$build/wasm/tools/${what#wasm/}" ;;
            THIRD_PARTY.md) cat "$root/tools/package/$what" ;;
            module/*) cat "$build/wasm/tools/${what#module/}" ;;
            *) cat "$root/tools/view/page/$what" ;;
            esac
            printf '%s\n' "${line#*-->}"
            ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$1"
}
for page in page measure; do
    assemble "$root/tools/view/page/$page.html" >"$build/$page.new"
    mv "$build/$page.new" "$build/$page.html"
done
cp "$build/page.html" "$build/measure.html" "$out"
manual=""
if command -v doxygen >/dev/null && [ -e /usr/share/doxygen-awesome-css ]; then
    mkdir -p "$out/manual"
    "$root/tools/package/docs.sh" "$out/manual"
    manual='<a href="manual/index.html">Manual</a>'
fi
ACRE_PAGE="$build/page.html" "$acre" inspect "$root/tools/scenes/san_francisco.glb" \
    --html "$out/index.html" >"$build/numbers.txt"
# A page that somebody fills may stand anywhere; these stand beside each other.
links="<a href=\"index.html\">City</a><a href=\"page.html\">Samples</a><a href=\"measure.html\">Measure this machine</a>$manual"
for page in page measure index; do
    sed -i "s|<nav></nav>|<nav>$links</nav>|" "$out/$page.html"
done
for page in page measure index; do
    printf 'package: %s: %d KB, %d KB by gzip -9\n' "$page.html" \
        "$(($(wc -c <"$out/$page.html") / 1000))" "$(($(gzip -9 -c "$out/$page.html" | wc -c) / 1000))"
done
