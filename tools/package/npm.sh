#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# npm.sh - the npm package: the tree and the culler in WebAssembly, made with Emscripten.
#     tools/package.sh npm OUT
# OUT/acre-culling-VERSION.tgz is what `npm install` takes; the same files lie in OUT/package. It has
# two modules, with SIMD and without; acre.js chooses when it loads. Each may take 150,000 bytes by
# gzip -9. It builds in ACRE_BUILD, or in the checkout's folder `build`.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
build="${ACRE_BUILD:-$root/build}/npm"
jobs="${ACRE_JOBS:-$(nproc)}"
mkdir -p "$build/headers"
out="$(cd "$1" && pwd)"

missing=()
command -v emcc >/dev/null || missing+=(emscripten)
command -v npm >/dev/null || missing+=(npm)
[ -e /usr/include/cglm/cglm.h ] || missing+=(libcglm-dev)
[ -e /usr/include/simde/x86/avx512.h ] || missing+=(libsimde-dev)
if [ ${#missing[@]} -gt 0 ]; then
    echo "package: missing (Debian): ${missing[*]}" >&2
    exit 1
fi
# Headers alone, beside Emscripten's own C library.
ln -sfn /usr/include/cglm "$build/headers/cglm"
ln -sfn /usr/include/simde "$build/headers/simde"

# compile NAME FLAGS OPTION...: $build/NAME/tools/acre_npm.wasm. Debian's Emscripten finds its
# scripts' packages by NODE_PATH.
compile() {
    local name="$1" flags="$2" log="$build/$1.log"
    shift 2
    echo "package: compiling acre_$name.wasm, which takes a minute"
    if ! { NODE_PATH=/usr/share/nodejs emcmake cmake -S "$root" -B "$build/$name" \
        -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=OFF -DACRE_BUILD_TOOLS=ON -DACRE_INSTALL=OFF \
        -DACRE_NPM=ON -DCMAKE_C_FLAGS="-isystem $build/headers $flags" \
        -DCMAKE_C_FLAGS_RELEASE=-DNDEBUG -DACRE_CGLM_INCLUDE_DIR="$build/headers" "$@" &&
        NODE_PATH=/usr/share/nodejs cmake --build "$build/$name" --parallel "$jobs" \
            --target acre_npm; } >"$log" 2>&1; then
        grep -E -A 8 'error|undefined' "$log" | head -n 40 >&2 || tail -n 40 "$log" >&2
        echo "package: the build failed; the whole log is $log" >&2
        exit 1
    fi
    cp "$build/$name/tools/acre_npm.wasm" "$out/package/acre_$name.wasm"
    local size
    size="$(gzip -9 -n -c "$out/package/acre_$name.wasm" | wc -c)"
    echo "package: acre_$name.wasm: $size bytes by gzip -9"
    if [ "$size" -gt 150000 ]; then
        echo "package: acre_$name.wasm takes more than 150,000 bytes" >&2
        exit 1
    fi
}
mkdir -p "$out/package"
compile simd -msimd128
compile plain "" -DACRE_WITHOUT_SIMDE=ON

cp "$root/tools/web/npm/"{*.js,*.d.ts,package.json,README.md} "$root/LICENSE" \
    "$root/tools/package/THIRD_PARTY.md" "$out/package"
cp -r "$root/tools/web/npm/example" "$out/package"
# The same for `require`: no import, no export, another name of the file itself.
cd "$out/package"
{ printf '/^const MODULE/s|@MODULE@|'; base64 -w 0 acre_simd.wasm; echo '|'; } >"$build/module.sed"
sed -i -f "$build/module.sed" inline.js
for name in core occluders tree horizon culler instances changes interest visible_set casters acre inline; do
    names="$(sed -nE "s/^export (async )?(class|function|const) (\w+).*/\3/p; s/^export \{(.*)\} from.*/\1/p" "$name.js" |
        paste -sd ,)"
    sed -E "s/^(import|export) (\{.*\}) from '(.*)\.js';/const \2 = require('\3.cjs');/; s/^export //" "$name.js" |
        sed "s/import\.meta\.url/require('node:url').pathToFileURL(__filename).href/" >"$name.cjs"
    echo "module.exports = {$names};" >>"$name.cjs"
done
for name in acre inline; do
    sed 's/\.js/.cjs/' "$name.d.ts" >"$name.d.cts"
done
inlined="$(gzip -9 -n -c inline.js | wc -c)"
module="$(gzip -9 -n -c acre_simd.wasm | wc -c)"
echo "package: inline.js: $inlined bytes by gzip -9"
if [ $((10 * inlined)) -gt $((14 * module)) ]; then
    echo "package: inline.js takes more than 1.4 times the module" >&2
    exit 1
fi
(cd "$out" && npm pack --silent ./package)
