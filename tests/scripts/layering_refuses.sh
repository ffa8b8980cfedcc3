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

# plant RULE FILE TEXT: with the text appended to (or as) the file, the rule is reported there. Then
# the file is as before.
plant() {
    local rule="$1" file="$2" text="$3" output before=""
    if [ -e "$work/$file" ]; then
        before="$work.before"
        cp "$work/$file" "$before"
    else
        planted "$file"
    fi
    printf '%s\n' "$text" >>"$work/$file"
    if output="$("$source/tests/scripts/layering.sh" "$work")"; then
        echo "FAIL $rule: $text in $file was accepted"
        failed=$((failed + 1))
    elif ! grep -q "^$file:[0-9]*: $rule: " <<<"$output"; then
        echo "FAIL $rule: $text in $file was refused for another reason:"
        echo "$output"
        failed=$((failed + 1))
    else
        echo "ok   $rule: $text in $file"
        passed=$((passed + 1))
    fi
    if [ "$before" ]; then
        mv "$before" "$work/$file"
    else
        rm "$work/$file"
    fi
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
plant include engine/scene/src/planted.c '#include <acre/culling.h>'
plant include engine/scene/src/planted.c '#include <cglm/quat.h>'
plant include modules/quadtree/src/tree/planted.c '#include <acre/scene.h>'
plant include modules/quadtree/src/tree/planted.c '#include <acre/camera.h>'
plant include engine/scene/src/planted.c '#include <acre/camera.h>'
plant include engine/core/src/bounds.c '#include <acre/debug_svg.h>'
plant include engine/core/src/bounds.c '#include <cglm/vec3.h>'
plant include modules/quadtree/src/tree/planted.c '#include <simde/x86/sse4.1.h>'
plant include engine/scene/src/planted.c '#include <simde/x86/sse4.1.h>'
plant include modules/culling/src/planted.c '#include <acre/import.h>'
plant include modules/import/src/planted.c '#include <acre/quadtree.h>'
plant include modules/culling/src/planted.c '#include <assimp/cimport.h>'
plant include modules/culling/src/planted.c '#include <acre/casters.h>'
plant include modules/shadows/src/planted.c '#include <acre/draw_list.h>'
plant internal modules/shadows/src/planted.c '#include "culling_internal.h"'
plant include modules/another/src/planted.c '#include <acre/base.h>'
plant internal tools/planted.c '#include "planted_internal.h"'
plant internal modules/culling/src/planted.c '#include "planted_internal.h"'
plant internal modules/culling/src/planted.c '#include "quadtree_place.h"'
plant internal tools/planted.c '#include "culling_internal.h"'
plant graph cmake/modules.cmake 'acre_module(shadows USES culling record)'
plant include modules/record/src/low/planted.c '#include <acre/scene.h>'
plant shared modules/partition/src/planted.c '#include "culling_shared.h"'
plant shared modules/partition/src/planted.c '#include "tree_shared.h"'
plant shared tools/planted.c '#include "tree_shared.h"'
plant shared modules/record/src/another_shared.h '// Shared with nobody.'
plant shared tests/scripts/layers.txt 'shared nowhere_shared.h: culling'
plant rooms tests/scripts/layers.txt 'rooms quadtree: tree'
plant floors modules/record/src/low/low.h '#include "high.h"'
plant floors modules/record/src/high/high.h '#include "beside.h"'
plant floors modules/record/src/planted_shared.h '#include "low.h"'
plant floors modules/record/src/planted.c '// On no floor.'
plant floors modules/record/src/another/planted.c '// On no floor.'
plant name engine/core/src/bounds.c '// Called by acre_quadtree_insert.'
plant name engine/scene/src/planted.c 'void acre_culling_commit(void);'
plant memory modules/quadtree/src/tree/planted.c 'void *block = malloc(16);'
plant memory engine/core/src/bounds.c 'free(block);'
plant memory modules/quadtree/src/tree/planted.c '(void)munmap(block, 4096);'
plant include engine/core/src/bounds.c '#include <sys/mman.h>'
plant quiet modules/quadtree/src/tree/planted.c 'printf("split\n");'
plant quiet engine/core/src/bounds.c 'fprintf(stderr, "box\n");'
plant quiet engine/core/src/bounds.c 'abort();'
plant compiler engine/core/src/bounds.c '#define LOWEST(bits) __builtin_ctz(bits)'
plant compiler modules/quadtree/src/tree/planted.c 'static int hot(void) __attribute__((hot));'
plant compiler modules/quadtree/src/tree/planted.c '#define MOST(a, b) ({ int x = (a); x > (b) ? x : (b); })'
plant compiler modules/quadtree/src/tree/planted.c 'float length(const float v[static 3]);'
plant include modules/quadtree/src/tree/planted.c '#include <stdatomic.h>'
plant unique tests/bounds.c '// A second file of this name.'
printf 'int x;\n' >"$work/engine/core/src/unmarked.c"
if "$source/tests/scripts/layering.sh" "$work" >/dev/null; then
    echo "FAIL header: a file without license was accepted"
    failed=$((failed + 1))
else
    echo "ok   header: a file without license"
    passed=$((passed + 1))
fi

rm -rf "$work"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
