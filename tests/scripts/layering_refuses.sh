#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layering_refuses.sh - the test of the test: layering.sh must refuse each planted mistake.
#     tests/scripts/layering_refuses.sh WORK
set -euo pipefail
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
work="$1"
passed=0
failed=0

copy() {
    rm -rf "$work"
    mkdir -p "$work/modules/quadtree/src"
    (cd "$source" && find engine modules tests tools -type f -name '*.[ch]' -print0 |
        tar --null -T - -cf -) | tar -C "$work" -xf -
    printf '// SPDX-License-Identifier: MIT\n// planted_internal.h - planted.\n' \
        >"$work/modules/quadtree/src/planted_internal.h"
}

# plant RULE FILE TEXT: with the text appended to (or as) the file, the rule is reported there.
plant() {
    local rule="$1" file="$2" text="$3" output
    copy
    mkdir -p "$work/$(dirname "$file")"
    if [ ! -e "$work/$file" ]; then
        printf '// SPDX-License-Identifier: MIT\n// %s - planted.\n' "$(basename "$file")" \
            >"$work/$file"
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
}

copy
if "$source/tests/scripts/layering.sh" "$work"; then
    passed=$((passed + 1))
else
    echo "FAIL the tree itself, with nothing planted, is refused"
    failed=$((failed + 1))
fi

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
plant include modules/quadtree/src/planted.c '#include <acre/scene.h>'
plant include modules/quadtree/src/planted.c '#include <acre/camera.h>'
plant include engine/scene/src/planted.c '#include <acre/camera.h>'
plant include engine/core/src/bounds.c '#include <acre/debug_svg.h>'
plant include engine/core/src/bounds.c '#include <cglm/vec3.h>'
plant include modules/quadtree/src/planted.c '#include <simde/x86/sse4.1.h>'
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
plant name engine/core/src/bounds.c '// Called by acre_quadtree_insert.'
plant name engine/scene/src/planted.c 'void acre_culling_commit(void);'
plant memory modules/quadtree/src/planted.c 'void *block = malloc(16);'
plant memory engine/core/src/bounds.c 'free(block);'
plant memory modules/quadtree/src/planted.c '(void)munmap(block, 4096);'
plant include engine/core/src/bounds.c '#include <sys/mman.h>'
plant quiet modules/quadtree/src/planted.c 'printf("split\n");'
plant quiet engine/core/src/bounds.c 'fprintf(stderr, "box\n");'
plant quiet engine/core/src/bounds.c 'abort();'
plant compiler engine/core/src/bounds.c '#define LOWEST(bits) __builtin_ctz(bits)'
plant compiler modules/quadtree/src/planted.c 'static int hot(void) __attribute__((hot));'
plant compiler modules/quadtree/src/planted.c '#define MOST(a, b) ({ int x = (a); x > (b) ? x : (b); })'
plant compiler modules/quadtree/src/planted.c 'float length(const float v[static 3]);'
plant include modules/quadtree/src/planted.c '#include <stdatomic.h>'
plant unique tests/bounds.c '// A second file of this name.'
copy
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
