#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_examples.sh - runs an example and compares what it prints, and the picture it writes.
#     test_examples.sh FOLDER EXPECTED PICTURE [RUNNER] PROGRAM [ARGUMENTS]
# FOLDER is made anew and worked in; EXPECTED is a file with the output; PICTURE is a file that the
# program's last argument has to equal afterwards, or `-`. RUNNER: wine, with which lines may end as
# Windows ends them.
set -euo pipefail
folder="$1"
expected="$2"
picture="$3"
shift 3
compare=(diff -u)
if [ "$1" = wine ]; then
    compare+=(--strip-trailing-cr)
fi
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$@" >output.txt
"${compare[@]}" "$expected" output.txt
if [ "$picture" != - ]; then
    "${compare[@]}" "$picture" "${!#}"
fi
for svg in *.svg; do
    [ -e "$svg" ] || continue
    grep -q '^<svg ' "$svg"
    tail -n 1 "$svg" | tr -d '\r' | grep -q '</svg>$'
done
