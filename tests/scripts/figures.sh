#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# figures.sh - whether tables of figures were measured by a commit since which the code that they measure
# has not changed.
#     tests/scripts/figures.sh
# A file of figures belongs to the folders in the list below, and only their code makes it old, or flags of
# the compiler: no comment, no test, no other module. An old table of tools/bench/results is a failure, as
# it says how fast Acre is, and so is one without a commit of this branch; such a record of a campaign is
# named. Of a table whose code has other words both commits are compiled: it is not old where the compiler
# makes the same instructions of them, as of what only another system is told.
# tests/scenarios/instructions.recorded is not here: the test count_instructions counts anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tree="engine/core modules/quadtree"
views="$tree engine/scene modules/culling"
npm="$views engine/camera modules/drawing modules/interest modules/occlusion modules/shadows tools/web/npm"
# FILE in tools/bench/results or tests/campaigns, and its folders.
list="crowd.txt $tree modules/partition modules/partition_mpi
drift.txt $tree
engines.txt $views
interest.txt $tree modules/interest
kernel_avx2.txt $tree
kernel_avx512.txt $tree
kernel_scalar.txt $tree
kernel_sse4.txt $tree
near.txt $tree
occlusion.txt $views modules/occlusion
pairs.txt $tree modules/contacts
queries.txt $tree
stream_avx2.txt $tree
stream_avx512.txt $tree
tables.txt $views
view_rules.txt $views modules/drawing modules/shadows
workers.txt $views modules/drawing modules/shadows
worlds.txt $views
worst.txt $views
bundlers.txt $npm
depth_buffer.txt $views tools/bench
gltf_files.txt modules/import
hosts.txt $views
import_models.txt modules/import
light_casters.txt $views modules/shadows
never_lost.txt $views engine/camera modules/occlusion
npm_peers.txt $npm
npm_scene.txt $npm
occluded_rays.txt engine/core modules/occlusion
old_and_new.txt $tree
old_and_new_movers.txt $views
planted_faults.txt engine modules
stream_districts.txt $views
which_call.txt $views modules/interest modules/shadows
world_shifts.txt $views modules/interest
threads.txt $views modules/contacts modules/drawing modules/interest modules/shadows"

# code_of COMMIT FILE: without its comments, and without the number of the version.
code_of() {
    case "$2" in
    *.[ch] | *.js) git show "$1:$2" 2>/dev/null | cc -w -fpreprocessed -dD -E -P -x c - 2>/dev/null |
        grep -v '^#define ACRE_VERSION_' ;;
    *) git show "$1:$2" 2>/dev/null | sed 's/^ *#.*//; s/ # .*//' | grep . ;;
    esac
}
code_of HEAD engine/core/include/acre/base.h | grep -q . || {
    echo "the compiler takes no comments out"
    exit 1
}
# changed_code COMMIT FOLDER...: the first of their files that has other code now, or nothing.
changed_code() {
    local file
    while IFS= read -r file; do
        cmp -s <(code_of "$1" "$file") <(code_of HEAD "$file") || {
            echo "$file"
            break
        }
    done < <(git diff --name-only --no-renames "$1" HEAD -- "${@:2}" cmake/compilers.cmake cmake/kernels.cmake |
        grep -E '\.[ch]$|\.js$|\.cmake$' || true)
}

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# objects COMMIT FOLDER...: the instructions with what they call, and the constants, but no texts, of the
# libraries in these folders.
objects() {
    local at="$work/$1"
    if [ ! -d "$at" ]; then
        mkdir -p "$at/source"
        git archive "$1" | tar -x -C "$at/source"
        { cmake -S "$at/source" -B "$at/build" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=OFF \
            -DACRE_BUILD_TOOLS=OFF && cmake --build "$at/build" --parallel "$(nproc)"; } >"$at/log" 2>&1 || {
            tail -n 5 "$at/log" >&2
            return 1
        }
    fi
    (cd "$at/build" && find "${@:2}" -name '*.o' | sort | xargs objdump -s -r |
        awk '/^Contents of section|^RELOCATION/ { is_text = /^C.*\.str1\./ }
            !is_text { sub(/\.str1\..*/, ""); print }' | grep .)
}
# compiles_alike COMMIT FOLDER...: to what it is now.
compiles_alike() {
    objects "$@" >"$work/then" && objects HEAD "${@:2}" >"$work/now" && cmp -s "$work/then" "$work/now"
}

bad=0
old=0
# is_old FILE WHY
is_old() {
    echo "$1: $2"
    case "$1" in
    tests/*) old=$((old + 1)) ;;
    *) bad=$((bad + 1)) ;;
    esac
}
for file in tools/bench/results/*.txt tests/campaigns/*.txt; do
    folders="$(sed -n "s/^${file##*/} //p" <<<"$list")"
    # "commit COMMIT", of campaigns "new COMMIT" as well.
    commits="$(grep -oE '\b(new|commit) +[0-9a-f]{7,40}(-dirty)?\b' "$file" | sed 's/.* //' | sort -u || true)"
    [ -n "$commits" ] || commits="$(git log -1 --format=%h -- "$file")"
    [ -n "$folders" ] || {
        echo "$file: this script does not say what it measures"
        bad=$((bad + 1))
    }
    for at in $commits; do
        # shellcheck disable=SC2086
        if ! git merge-base --is-ancestor "$at" HEAD 2>/dev/null; then
            is_old "$file" "$at is no commit of this branch"
        elif changed="$(changed_code "$at" $folders)" && [ -n "$changed" ] &&
            { [[ $file == tests/* ]] || ! compiles_alike "$at" $folders; }; then
            is_old "$file" "measured at $at; the code of $changed is another one now"
        fi
    done
done
echo "$bad tables to measure anew (tools/bench/results.sh), $old older records of campaigns"
[ "$bad" -eq 0 ]
