#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# view_frames.sh - 300 frames of the flight through San Francisco at 480 x 270, each drawn with
# culling and without, with shadows and without: color and depth must be equal in every pixel. The
# tests draw 20 of them.
#     tests/campaigns/view_frames.sh [BUILD]
# BUILD: a folder that was configured before, build/campaigns by default.
# 2026-11-23, Mesa 22.3's llvmpipe: all are equal.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
build="$(realpath -m "${1:-$root/build/campaigns}")"
mkdir -p "$build"
{ cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=ON &&
    cmake --build "$build" --target test_viewer --parallel "$(nproc)"; } >"$build/log" 2>&1 || {
    tail -n 40 "$build/log" >&2
    exit 1
}
"$build/tests/test_viewer" --filter one_visible_entity_left_out_is_found
"$build/tests/test_viewer" --scale 15 --filter frames_drawn_with_culling
