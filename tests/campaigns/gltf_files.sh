#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gltf_files.sh - imports the .glb files of npm's @webxr-input-profiles/assets, as they are and as web
# tools rewrite them, and compares every box with a second reader, gltf_reader.mjs.
#     tests/campaigns/gltf_files.sh WORK [MUTATIONS]
# WORK: a folder for npm's packages and the files, some 600 MB. MUTATIONS: how many changed files
# mutate_gltf reads afterwards under the sanitizers, 10,000,000 by default. The results stand in
# gltf_files.txt. Not one of the tests, since it needs npm's server and takes many minutes.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,9s/^# //p' "$0" >&2 && exit 2; }
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
mutations="${2:-10000000}"
cmake -S "$root" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=ON >"$work/log"
cmake --build "$work/build" --target gltf_boxes --parallel "$(nproc)" >>"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    exit 1
}
cd "$work"
[ -e package.json ] || npm init -y >>"$work/log"
npm install --no-audit --no-fund @webxr-input-profiles/assets@1.0.20 @gltf-transform/cli@4 gltfpack@1 meshoptimizer >>"$work/log"
mkdir -p files/as_they_are files/pack files/pack_c files/pack_cc
find node_modules/@webxr-input-profiles/assets/dist -name '*.glb' | while read -r file; do
    name="$(basename "$(dirname "$file")")_$(basename "$file")"
    cp "$file" "files/as_they_are/$name"
    for kind in "pack" "pack_c -c" "pack_cc -cc"; do
        read -r folder option <<<"$kind"
        # shellcheck disable=SC2086
        [ -e "files/$folder/$name" ] || node_modules/.bin/gltfpack -i "$file" -o "files/$folder/$name" $option >>"$work/log"
    done
done
node "$root/tests/campaigns/gltf_variants.mjs" files/as_they_are files
node "$root/tests/campaigns/gltf_reader.mjs" "$work/build/tests/gltf_boxes" files/*
if [ "$mutations" -gt 0 ]; then
    cmake -S "$root" -B "$work/asan" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DACRE_SANITIZE=address,undefined >>"$work/log"
    cmake --build "$work/asan" --target mutate_gltf --parallel "$(nproc)" >>"$work/log" 2>&1
    "$work/asan/tests/mutate_gltf" "$mutations" 3 "$root"/tests/fuzz/fuzz_gltf/*.gltf
fi
