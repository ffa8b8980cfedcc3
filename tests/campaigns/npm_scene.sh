#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# npm_scene.sh - what a frame of ordinary Meshes costs by script, with AcreScene and by three.js alone.
#     tests/campaigns/npm_scene.sh [RECORD]
# It needs Emscripten, node, npm, its registry, and Chromium. RECORD receives the date, the commit and a
# table; default: npm_scene.txt beside this script.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/campaign.sh"
record="${1:-$root/tests/campaigns/npm_scene.txt}"
npm_project npm_scene three@0.187.0
lines="$(mktemp)"
trap 'rm -f "$lines"' EXIT
{
    echo "# $(date +%F), commit $commit: tests/campaigns/npm_scene.sh, milliseconds of render() by script"
    node "$root/tests/campaigns/npm_scene.mjs" "$PWD"
} | tee "$lines"
cp "$lines" "$record"
