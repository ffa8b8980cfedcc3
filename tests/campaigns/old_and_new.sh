#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# old_and_new.sh - what a change costs: builds the library of an older commit and of this tree, runs
# both in turns in one process (old_and_new.c) and prints the least and the median of each operation.
#     tests/campaigns/old_and_new.sh OLD_COMMIT WORK [ITEMS [ROUNDS]]
#     tests/campaigns/old_and_new.sh movers OLD_COMMIT WORK [ITEMS [ROUNDS]]
# The second one runs old_and_new_movers.c: a scene's movers, beside a loop that only touches their
# lines. WORK is a folder for the builds. Look at ratios within a run, and run it twice: 1 % may be
# chance. old_and_new.txt and old_and_new_movers.txt have dated results: what this prints, the
# command first.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
command="tests/campaigns/old_and_new.sh"
program=old_and_new
if [ "${1:-}" = movers ]; then
    command="$command movers"
    program=old_and_new_movers
    shift
fi
if [ $# -lt 2 ]; then
    sed -n '5,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
old="$(git -C "$root" rev-parse --short "$1")"
mkdir -p "$2"
work="$(cd "$2" && pwd)"
shift 2
new="$(git -C "$root" rev-parse --short HEAD)"
[ -z "$(git -C "$root" status --porcelain -uno)" ] || new="$new with changes"

# build SOURCE FOLDER: the shared library.
build() {
    mkdir -p "$2"
    { cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DACRE_BUILD_TOOLS=OFF \
        -DACRE_BUILD_TESTS=OFF -DACRE_INSTALL=OFF -DCMAKE_DISABLE_FIND_PACKAGE_assimp=ON &&
        cmake --build "$2" --target acre_shared --parallel "$(nproc)"; } >"$2/log" 2>&1 || {
        tail -n 40 "$2/log" >&2
        exit 1
    }
}
mkdir -p "$work/$old/source"
git -C "$root" archive "$old" | tar -x -C "$work/$old/source"
build "$work/$old/source" "$work/$old/build"
build "$root" "$work/new"

# The driver links functions of its own for the views, which no library sees.
cc -std=c17 -O2 -D_GNU_SOURCE -o "$work/$program" -I "$root/engine/core/include" \
    -I "$root/engine/camera/include" -I "$root/engine/scene/include" -I "$root/modules/culling/include" \
    -I "$root/modules/quadtree/include" -I "$root/engine/core/src" -I "$root/tests/support" \
    "$root/tests/campaigns/$program.c" \
    "$root"/tests/support/{country,country_views,mover_lines}.c "$work/new/engine/core/libacre_core.a" \
    -lm -ldl
echo "$command $old WORK${*:+ $*}"
echo "$(date +%F): old $old, new $new, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)," \
    "gcc $(gcc -dumpfullversion)"
"$work/$program" "$work/$old/build/libacre.so" "$work/new/libacre.so" "$@"
