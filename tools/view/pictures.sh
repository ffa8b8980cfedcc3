#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# pictures.sh - draws the pictures of the README and the manual, without a display.
#     tools/view/pictures.sh [FOLDER]     (default: tools/view/pictures)
# The program has to be built with the viewer: tools/setup.sh view, then tools/run.sh. Debian's
# pngquant makes the files small, and its apngdis takes the still out of the animation.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
acre="${ACRE:-$root/build/release/tools/acre}"
folder="${1:-$root/tools/view/pictures}"
for tool in pngquant apngdis; do
    command -v "$tool" >/dev/null || {
        echo "pictures: $tool is missing (Debian: $tool)" >&2
        exit 1
    }
done
mkdir -p "$folder"
new="$(mktemp -d "$folder/.new.XXXXXX")"
trap 'rm -rf "$new"' EXIT

# view NAME OPTION...: a picture of at most 300 KB.
view() {
    local name="$1" colors
    shift
    "$acre" view --png "$new/$name.whole" --size 1280x720 --cars 8000 "$@"
    for colors in 256 128 64 32; do
        pngquant --force --nofs --output "$new/$name.png" --speed 1 "$colors" "$new/$name.whole"
        [ "$(wc -c <"$new/$name.png")" -gt 300000 ] || break
    done
    mv "$new/$name.png" "$folder/$name.png"
}
# animate NAME OPTION...: an animation of at most 3 MB.
animate() {
    local name="$1"
    shift
    "$acre" view --apng "$new/$name.png" --size 800x450 --cars 4000 "$@"
    if [ "$(wc -c <"$new/$name.png")" -gt 3000000 ]; then
        echo "pictures: $name.png has more than 3 MB" >&2
        exit 1
    fi
    mv "$new/$name.png" "$folder/$name.png"
}
# The README's first: a street, then the same moment from above, all of it and what is left. And a
# still, for whoever cannot play it: what the camera does not see, the last picture but one.
animate occlusion --frames 440:453 --rise yes
mkdir "$new/frames"
cp "$folder/occlusion.png" "$new/frames/all.png"
apngdis "$new/frames/all.png" frame >/dev/null
mv "$(printf '%s\n' "$new"/frames/frame*.png | tail -n 2 | head -n 1)" "$folder/occlusion_still.png"
view street --frame 440
# The moment of the street from above: what the camera there sees, and what it does not.
view frozen --frame 440 --overlay freeze,states,map
view idea --sample idea --frame 100 --overlay panel
view panel --frame 520 --overlay panel,map
# The manual's: loose cells of a crowd, and bands of height.
view crowd --sample crowd --frame 60
view towers --sample towers --frame 60 --overlay bands
