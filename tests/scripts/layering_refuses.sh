#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layering_refuses.sh - the test of the test: layering.sh must refuse each planted mistake.
#     tests/scripts/layering_refuses.sh WORK
set -euo pipefail
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
work="$1"
passed=0
failed=0

# planted FILE: a file that the rules allow.
planted() {
    mkdir -p "$work/$(dirname "$1")"
    printf '// SPDX-License-Identifier: MIT\n// %s - planted.\n' "$(basename "$1")" >"$work/$1"
}

# The tree, with an internal header, with floors in modules/record and with a header that it shares.
copy() {
    rm -rf "$work"
    mkdir -p "$work"
    (cd "$source" && find engine modules tests tools cmake -type f \
        \( -name '*.[ch]' -o -name '*.hpp' -o -name layers.txt -o -name modules.cmake \) -print0 | tar --null -T - -cf -) | tar -C "$work" -xf -
    planted modules/quadtree/src/tree/planted_internal.h
    mkdir "$work/modules/record/src/low"
    mv "$work"/modules/record/src/*.[ch] "$work/modules/record/src/low"
    planted modules/record/src/low/low.h
    planted modules/record/src/high/high.h
    planted modules/record/src/beside/beside.h
    planted modules/record/src/planted_shared.h
    planted modules/quadtree/src/tree_shared.h
    printf 'floors record: low < high beside\nshared %s\nshared %s\n' 'planted_shared.h:' \
        'tree_shared.h: record' >>"$work/tests/scripts/layers.txt"
}

# plant RULE FILE TEXT [LINE]: appends the text to the file, which is made if it is not there. The rule is
# to be reported at the text, or at LINE.
expected=()
plant() {
    local rule="$1" file="$2" text="$3"
    [ -e "$work/$file" ] || planted "$file"
    printf '%s\n' "$text" >>"$work/$file"
    expected+=("$file:${4:-$(wc -l <"$work/$file")}: $rule: ")
}

copy
for line in low/low.h:tree_shared.h high/high.h:low.h high/high.h:planted_shared.h; do
    printf '#include "%s"\n' "${line#*:}" >>"$work/modules/record/src/${line%:*}"
done
if "$source/tests/scripts/layering.sh" "$work"; then
    passed=$((passed + 1))
else
    echo "FAIL the tree itself, with nothing planted but what is allowed, is refused"
    failed=$((failed + 1))
fi
copy

plant include engine/core/src/bounds.c '#include <acre/scene.h>'
plant include engine/core/src/bounds.c '#include <acre/quadtree.h>'
plant include engine/core/src/bounds.c '#include <cglm/mat4.h>'
plant include engine/core/src/bounds.c '#include <pthread.h>'
plant include engine/core/include/acre/bounds.h '#  include <acre/scene.h>'
plant include engine/core/src/bounds.c '#include <acre/nowhere.h>'
plant include engine/core/src/bounds.c '#include "test.h"'
plant include engine/core/src/bounds.c '#include BOUNDS_HEADER'
plant include engine/scene/src/planted_scene.c '#include <acre/culling.h>'
plant include engine/scene/src/planted_scene.c '#include <cglm/quat.h>'
plant include modules/quadtree/src/tree/planted_tree.c '#include <acre/scene.h>'
plant include modules/quadtree/src/tree/planted_tree.c '#include <acre/camera.h>'
plant include engine/scene/src/planted_scene.c '#include <acre/camera.h>'
plant include engine/core/src/bounds.c '#include <acre/debug_svg.h>'
plant include engine/core/src/bounds.c '#include <cglm/vec3.h>'
plant include modules/quadtree/src/tree/planted_tree.c '#include <simde/x86/sse4.1.h>'
plant include engine/scene/src/planted_scene.c '#include <simde/x86/sse4.1.h>'
plant include modules/culling/src/planted_culling.c '#include <acre/import.h>'
plant include modules/import/src/planted_import.c '#include <acre/quadtree.h>'
plant include modules/culling/src/planted_culling.c '#include <assimp/cimport.h>'
plant include modules/culling/src/planted_culling.c '#include <acre/casters.h>'
plant include modules/shadows/src/planted_shadows.c '#include <acre/draw_list.h>'
plant internal modules/shadows/src/planted_shadows.c '#include "culling_internal.h"'
plant include modules/another/src/planted_another.c '#include <acre/base.h>' 1
plant internal tools/planted_tool.c '#include "planted_internal.h"'
plant internal modules/culling/src/planted_culling.c '#include "planted_internal.h"'
plant internal modules/culling/src/planted_culling.c '#include "quadtree_place.h"'
plant internal tools/planted_tool.c '#include "culling_internal.h"'
plant graph cmake/modules.cmake 'acre_module(shadows USES culling record)' 1
plant include modules/record/src/low/planted_low.c '#include <acre/scene.h>'
plant shared modules/partition/src/planted_partition.c '#include "culling_shared.h"'
plant shared modules/partition/src/planted_partition.c '#include "tree_shared.h"'
plant shared tools/planted_tool.c '#include "tree_shared.h"'
plant shared modules/record/src/another_shared.h '// Shared with nobody.' 1
plant shared tests/scripts/layers.txt 'shared nowhere_shared.h: culling'
plant rooms tests/scripts/layers.txt 'rooms quadtree: tree'
plant floors modules/record/src/low/low.h '#include "high.h"'
plant floors modules/record/src/high/high.h '#include "beside.h"'
plant floors modules/record/src/planted_shared.h '#include "low.h"'
plant floors modules/record/src/planted_record.c '// On no floor.' 1
plant floors modules/record/src/another/planted_room.c '// On no floor.' 1
plant name engine/core/src/bounds.c '// Called by acre_quadtree_insert.'
plant name engine/scene/src/planted_scene.c 'void acre_culling_commit(void);'
plant memory modules/quadtree/src/tree/planted_tree.c 'void *block = malloc(16);'
plant memory engine/core/src/bounds.c 'free(block);'
plant memory modules/quadtree/src/tree/planted_tree.c '(void)munmap(block, 4096);'
plant include engine/core/src/bounds.c '#include <sys/mman.h>'
plant quiet modules/quadtree/src/tree/planted_tree.c 'printf("split\n");'
plant quiet engine/core/src/bounds.c 'fprintf(stderr, "box\n");'
plant quiet engine/core/src/bounds.c 'abort();'
plant compiler engine/core/src/bounds.c '#define LOWEST(bits) __builtin_ctz(bits)'
plant compiler modules/quadtree/src/tree/planted_tree.c 'static int hot(void) __attribute__((hot));'
plant compiler modules/quadtree/src/tree/planted_tree.c '#define MOST(a, b) ({ int x = (a); x > (b) ? x : (b); })'
plant compiler modules/quadtree/src/tree/planted_tree.c 'float length(const float v[static 3]);'
plant include modules/quadtree/src/tree/planted_tree.c '#include <stdatomic.h>'
plant unique tests/bounds.c '// A second file of this name.' 1
printf 'int x;\n' >"$work/engine/core/src/unmarked.c"
expected+=("engine/core/src/unmarked.c:1: header: ")

if "$source/tests/scripts/layering.sh" "$work" >"$work.said"; then
    echo "FAIL all of it was accepted"
    failed=$((failed + 1))
fi
for line in "${expected[@]}"; do
    if grep -qF -- "$line" "$work.said"; then
        passed=$((passed + 1))
    else
        echo "FAIL $line was not said"
        failed=$((failed + 1))
    fi
done
[ "$failed" -eq 0 ] || cat "$work.said"
rm -rf "$work" "$work.said"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
