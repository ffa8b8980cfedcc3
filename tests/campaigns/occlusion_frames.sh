#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# occlusion_frames.sh - frames at 320 x 180 with occlusion and without, which must be equal in color
# and depth in every pixel: 900 of the flight through San Francisco, 600 of the same flight at eye
# height through whatever stands there, 600 from 5 cm before walls (a quarter of all these with
# shadows), 600 of rooms and 600 past a gap in a wall. The tests draw 44.
#     tests/campaigns/occlusion_frames.sh [BUILD]
# BUILD: a folder that was configured before, build/campaigns by default.
# 2026-11-26, Mesa 22.3's llvmpipe, a build with -O1 and all checks, 600 frames of each: all equal.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
build="$(realpath -m "${1:-$root/build/campaigns}")"
mkdir -p "$build"
{ cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=ON &&
    cmake --build "$build" --target test_occlusion_frames --parallel "$(nproc)"; } >"$build/log" 2>&1 || {
    tail -n 40 "$build/log" >&2
    exit 1
}
"$build/tests/test_occlusion_frames" --scale 75
