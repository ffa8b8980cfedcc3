#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# npm_scene.sh - what a frame of ordinary Meshes costs by script, with AcreScene and by three.js alone.
#     tests/campaigns/npm_scene.sh [RECORD]
# It needs Emscripten, node, npm, its registry, and Chromium. RECORD receives the date, the commit and a
# table; default: npm_scene.txt beside this script.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
record="${1:-$root/tests/campaigns/npm_scene.txt}"
commit="$("$root/tests/scripts/commit_name.sh")"
work="${ACRE_BUILD:-$root/build}/npm_scene"
mkdir -p "$work"
"$root/tools/package.sh" npm "$work"
rm -rf "$work/project"
mkdir "$work/project"
cd "$work/project"
echo '{"private": true}' >package.json
npm install --silent --no-audit --no-fund "$work"/acre-culling-*.tgz three@0.187.0
lines="$(mktemp)"
trap 'rm -f "$lines"' EXIT
{
    echo "# $(date +%F), commit $commit: tests/campaigns/npm_scene.sh, milliseconds of render() by script"
    node "$root/tests/campaigns/npm_scene.mjs" "$PWD"
} | tee "$lines"
cp "$lines" "$record"
