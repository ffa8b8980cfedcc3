#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_examples.sh - runs an example and compares what it prints, and the picture it writes.
#     test_examples.sh FOLDER EXPECTED PICTURE PROGRAM [ARGUMENTS]
# FOLDER is made anew and worked in; EXPECTED is a file with the output; PICTURE is a file that the
# program's last argument has to equal afterwards, or `-`.
set -euo pipefail
folder="$1"
expected="$2"
picture="$3"
shift 3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$@" >output.txt
diff -u "$expected" output.txt
if [ "$picture" != - ]; then
    diff -u "$picture" "${!#}"
fi
for svg in *.svg; do
    [ -e "$svg" ] || continue
    grep -q '^<svg ' "$svg"
    tail -n 1 "$svg" | grep -q '</svg>$'
done
