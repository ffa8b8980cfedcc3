#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_npm.sh - packs the npm package, installs it into an empty project, and tests it there.
#     tests/scripts/test_npm.sh FOLDER
# Exits with 77 where Emscripten, node or npm is missing. three and typescript come from npm's
# registry; where that is out of reach, or Chromium is missing, the tests that need them are left
# out. Where CI is set, nothing may be missing.
set -euo pipefail
# lacks STATUS TEXT: fails in CI; elsewhere says so, and ends the script unless the status is 0.
lacks() {
    [ -z "${CI:-}" ] || { echo "FAIL: in CI nothing may be missing: $2"; exit 1; }
    echo "$2"
    [ "$1" -eq 0 ] || exit "$1"
}
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
for program in emcc node npm; do
    if ! command -v "$program" >/dev/null; then
        lacks 77 "skipped: $program is missing"
    fi
done
mkdir -p "$1"
work="$(realpath "$1")"
"$root/tools/package.sh" npm "$work"
rm -rf "$work/project"
mkdir "$work/project"
cd "$work/project"
echo '{"private": true}' >package.json
npm install --silent --offline --no-audit --no-fund --omit=peer "$work"/acre-culling-*.tgz
npm install --silent --no-audit --no-fund three@0.187.0 typescript@5 @types/three 2>/dev/null ||
    lacks 0 "left out: three and typescript are out of reach"
tests=("$root"/tests/npm/test_{npm,shapes,calls,near,sets,horizon,readme,inline}.mjs)
[ ! -d node_modules/three ] || tests+=("$root"/tests/npm/test_{three,scene}.mjs)
node --test "${tests[@]}"
if [ -x node_modules/.bin/tsc ]; then
    cp "$root/tests/npm/types.mts" .
    node_modules/.bin/tsc --strict --noEmit --module nodenext --target es2022 --skipLibCheck types.mts
    echo "ok    types"
fi
if ! command -v "${CHROMIUM:-chromium}" >/dev/null; then
    lacks 0 "left out: the example, Chromium is missing"
elif [ -d node_modules/three ]; then
    node "$root/tests/npm/test_example.mjs" "$PWD" "$work/example.png"
    node "$root/tests/npm/test_examples.mjs" "$PWD" "$work"
    node "$root/tests/npm/test_render.mjs" "$PWD" "$work/render.png"
fi
