#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# pictures.sh - draws the pictures of the README, without a display.
#     tools/view/pictures.sh [FOLDER]     (default: out)
# The program has to be built with the viewer: tools/setup.sh view, then tools/run.sh.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
acre="${ACRE:-$root/build/release/tools/acre}"
folder="${1:-out}"
mkdir -p "$folder"

view() {
    local name="$1"
    shift
    "$acre" view --png "$folder/$name.png" --size 1600x900 --cars 8000 "$@"
}
view street --frame 440
view roofs --frame 560
# The moment of the street from above: what the camera there sees, and what it does not.
view frozen --frame 440 --overlay freeze,states,map
view cells --frame 560 --overlay freeze,cells,loose
view idea --sample idea --frame 100 --overlay panel
view panel --frame 520 --overlay panel,graphs,map
