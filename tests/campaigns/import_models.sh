#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# import_models.sh - imports the models of Debian's assimp-testmodels and compares the result with
# the recorded one.
#     tests/campaigns/import_models.sh [FOLDER [RECORD]]
# FOLDER: where the models are, /usr/share/assimp/models by default. RECORD: the file to compare
# with, or `-` to print the result alone. Not one of the tests, since the models are 75 MB and
# assimp crashes on some of them: run it after changes of modules/import or of assimp.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
models="${1:-/usr/share/assimp/models}"
record="${2:-$root/tests/campaigns/import_models.txt}"
build="$root/build/campaigns"

if [ ! -d "$models" ]; then
    echo "import_models: there is no $models (Debian: apt-get install assimp-testmodels)" >&2
    exit 1
fi
mkdir -p "$build"
cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=ON >"$build/log"
cmake --build "$build" --target import_models --parallel "$(nproc)" >>"$build/log" 2>&1 || {
    tail -n 40 "$build/log" >&2
    exit 1
}

result="$(cd "$models" && find . -type f -print0 | LC_ALL=C sort -z |
    xargs -0 "$build/tests/import_models" 2>"$build/assimp.log")"
echo "$result"
if [ "$record" != - ]; then
    # The record begins with comments: date, versions.
    diff <(grep -v '^#' "$record") <(echo "$result") && echo "import_models: as recorded"
fi
