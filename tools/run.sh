#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh - installs what is missing, builds Acre (release) and runs `acre run` with the arguments.
#     tools/run.sh [FILE] [--frames N] ... (--help names them all)
# Paths among the arguments are relative to where it is called from. It builds in ACRE_BUILD, or in
# the checkout's folder `build`.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="${ACRE_BUILD:-$root/build}/release"

"$root/tools/setup.sh" run

# Quiet unless it fails: whoever runs this wants to see Acre, not its compiler.
if ! mkdir -p "$build" 2>/dev/null || ! [ -w "$build" ]; then
    echo "run: $build cannot be written; name another folder: ACRE_BUILD=/tmp/acre $0" >&2
    exit 1
fi
log="$build/build.log"
if [ ! -x "$build/tools/acre" ]; then
    echo "run: building in $build; with $(nproc) processors about $((240 / $(nproc) + 10)) seconds"
fi
if ! cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=OFF \
    -DACRE_BUILD_TOOLS=ON >"$build/configure.log" 2>&1; then
    tail -n 40 "$build/configure.log" >&2
    echo "run: cmake failed; all it said is in $build/configure.log" >&2
    exit 1
fi
if ! cmake --build "$build" --parallel "$(nproc)" 2>&1 |
    awk -v name=run -v log_file="$log" -f "$root/tools/build_progress.awk"; then
    tail -n 40 "$log" >&2
    echo "run: the build failed; the whole log is $log" >&2
    exit 1
fi
if [ ! -x "$build/tools/acre" ]; then
    grep -iE 'acre: |left out' "$build/configure.log" >&2 || true
    echo "run: tools/acre was not built; all that cmake said is in $build/configure.log" >&2
    exit 1
fi
status=0
"$build/tools/acre" run "$@" || status=$?
echo "run: the program is $build/tools/acre" >&2
if "$build/tools/acre" view --help | grep -q 'without the viewer'; then
    echo "run: a window on the city needs tools/setup.sh view; then build again" >&2
else
    echo "run: a window on the city: $build/tools/acre view" >&2
fi
exit "$status"
