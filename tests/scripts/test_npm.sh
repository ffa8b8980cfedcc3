#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_npm.sh - packs the npm package, installs it into an empty project, and tests it there.
#     tests/scripts/test_npm.sh FOLDER
# Exits with 77 where Emscripten, node or npm is missing. three and typescript come from npm's
# registry; where that is out of reach, their tests are left out.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
for program in emcc node npm; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: $program is missing"
        exit 77
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
    echo "left out: three and typescript are out of reach"
node --test "$root/tests/npm/test_npm.mjs"
if [ -x node_modules/.bin/tsc ]; then
    cp "$root/tests/npm/types.mts" .
    node_modules/.bin/tsc --strict --noEmit --module nodenext --target es2022 --skipLibCheck types.mts
    echo "ok    types"
fi
if [ -d node_modules/three ] && command -v chromium >/dev/null; then
    node "$root/tests/npm/test_example.mjs" "$PWD" "$work/example.png"
fi
