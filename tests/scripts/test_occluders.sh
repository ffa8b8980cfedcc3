#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_occluders.sh - `acre occluders` changes the JSON of a file alone, and refuses what it cannot
# read or write.
#     tests/scripts/test_occluders.sh ACRE CITY.glb TEXT.gltf
set -euo pipefail
acre=$(realpath "$1")
city=$(realpath "$2")
text=$(realpath "$3")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# expect STATUS TEXT ARGUMENTS...: the exit status, and a text in what it prints.
expect() {
    local status=0
    timeout 60 "$acre" "${@:3}" >out 2>&1 || status=$?
    if [ "$status" != "$1" ] || ! grep -qE -- "$2" out; then
        echo "FAIL: acre ${*:3}: status $status, expected $1 and '$2', got:"
        cat out
        exit 1
    fi
}

# The bytes behind the JSON of a .glb: its length stands at byte 12, its text begins at byte 20.
rest_of() {
    tail -c +$((21 + $(od -An -t u4 -j 12 -N 4 "$1"))) "$1"
}

expect 0 'occluders found +1[0-9]{4}, in 13076 nodes, behind 9[0-9]' occluders "$city" found.glb --anew
cmp <(rest_of "$city") <(rest_of found.glb)
[ "$(od -An -t u4 -j 8 -N 4 found.glb)" -eq "$(stat -c %s found.glb)" ]
expect 0 'occluders of the file +1[0-9]{4}, in 13076 nodes' inspect found.glb
expect 0 '0, in 0 nodes' occluders found.glb again.glb # what is there stays
cmp found.glb again.glb

expect 0 'occluders found' occluders "$text" found.gltf --json figures.json
grep -q '"occluders found":' figures.json
cp found.gltf again.gltf
expect 0 'occluders found' occluders again.gltf again.gltf --anew # over its own input
cmp found.gltf again.gltf
expect 0 nodes inspect found.gltf

expect 2 'usage: acre occluders'  occluders found.glb
expect 2 "also 'c'" occluders a b c
expect 1 'it cannot be opened' occluders missing.glb new.glb
head -c 5000 found.glb >cut.glb
expect 1 'cut off' occluders cut.glb new.glb
cp found.gltf kept.gltf
expect 1 'No such file|cannot|Not a directory' occluders found.gltf kept.gltf/new.gltf
if [ -c /dev/full ]; then
    expect 1 'No space left|cannot be written' occluders found.gltf /dev/full
    expect 1 'No space left|cannot be written' occluders found.gltf new.gltf --json /dev/full
    rm new.gltf
fi
[ ! -e new.glb ]
cmp found.gltf kept.gltf
echo 'acre occluders changes the JSON alone'
