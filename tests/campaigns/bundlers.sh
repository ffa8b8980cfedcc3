#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bundlers.sh - packs the npm package, and builds and runs a small program with it through each bundler,
# under a Content-Security-Policy, and in React's StrictMode.
#     tests/campaigns/bundlers.sh [RECORD]
# It needs Emscripten, node, npm, its registry, and Chromium. RECORD receives the date, the commit, the
# versions and what the programs found; default: bundlers.txt beside this script.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/campaign.sh"
record="${1:-$root/tests/campaigns/bundlers.txt}"
npm_project bundlers three vite webpack webpack-cli rollup \
    @rollup/plugin-node-resolve parcel esbuild next react react-dom @react-three/fiber
lines="$(mktemp)"
trap 'rm -f "$lines"' EXIT
node "$root/tests/campaigns/bundlers.mjs" "$PWD" | tee "$lines"
{
    echo "# $(date +%F), commit $commit, node $(node --version): tests/campaigns/bundlers.sh"
    cat "$lines"
} >"$record"
! grep -q FAIL "$lines"
