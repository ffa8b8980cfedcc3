#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_replay.sh - what `acre replay` says of good, damaged, cut and missing recordings.
#     tests/scripts/test_replay.sh ACRE FOLDER, where recorded.acreqt and printed_record.c are
set -euo pipefail
acre=$1
cd "$2"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect STATUS TEXT ARGUMENTS...: the exit status, and a text in what it prints.
expect() {
    local status=0
    timeout 60 "$acre" replay "${@:3}" >"$scratch/out" 2>&1 || status=$?
    if [ "$status" != "$1" ] || ! grep -qF -- "$2" "$scratch/out"; then
        echo "FAIL: acre replay ${*:3}: status $status, expected $1 and '$2', got:"
        cat "$scratch/out"
        exit 1
    fi
}

expect 0 'calls answer as recorded' recorded.acreqt
expect 0 'usage: acre replay' --help
expect 2 'usage: acre replay'
expect 2 'there is no option --nonsense' recorded.acreqt --nonsense
expect 2 "also 'second'" recorded.acreqt second
expect 1 'No such file or directory' missing.acreqt
expect 1 'byte 0: not a recording of a tree' printed_record.c
expect 1 'byte 0: not a recording of a tree' /dev/zero
expect 1 'byte 0: not a recording of a tree' /dev/null
mkfifo "$scratch/pipe"
expect 1 'nobody writes into this pipe' "$scratch/pipe"
expect 0 'calls answer as recorded' <(sleep 2; cat recorded.acreqt)
head -c 1000 recorded.acreqt >"$scratch/cut"
expect 1 'not a whole call' "$scratch/cut"
# The last byte belongs to the hash of the content.
{ head -c -1 recorded.acreqt && printf '\001'; } >"$scratch/damaged"
expect 1 "the tree's content differs" "$scratch/damaged"

"$acre" replay recorded.acreqt --print >"$scratch/printed.c"
cmp "$scratch/printed.c" printed_record.c
echo 'acre replay says what is right and what is wrong'
