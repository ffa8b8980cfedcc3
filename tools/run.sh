#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh - installs what is missing, builds Acre (release) and runs `acre run` with the arguments.
#     tools/run.sh [FILE] [--frames N] ... (--help names them all)
# Paths among the arguments are relative to where it is called from.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="$root/build/release"

"$root/tools/setup.sh" run

# Quiet unless it fails: whoever runs this wants to see Acre, not its compiler.
mkdir -p "$build"
log="$build/build.log"
if [ ! -x "$build/tools/acre" ]; then
    echo "run: building (release)"
fi
if ! { cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=OFF \
    -DACRE_BUILD_TOOLS=ON && cmake --build "$build" --parallel "$(nproc)"; } >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "run: the build failed; the whole log is $log" >&2
    exit 1
fi
if [ ! -x "$build/tools/acre" ]; then
    grep -iE 'acre: |left out' "$log" >&2 || true
    echo "run: tools/acre was not built; the whole log is $log" >&2
    exit 1
fi
exec "$build/tools/acre" run "$@"
