// SPDX-License-Identifier: MIT
// scene_matrices.c - local matrices that are no transforms: a pool with a list of free ones.
//
// Most entities have a translation, a rotation and a scale, which take 40 bytes of their row. A
// matrix takes 48, so the few that need one keep it here.
#include "scene_internal.h"

#include "atomic_internal.h"

#include <string.h>

// A free matrix holds the number of the next free one.
static uint32_t next_free(const acre_scene *scene, uint32_t number)
{
    uint32_t next;
    memcpy(&next, COLUMN_AT(scene->matrices, number)->m, sizeof next);
    return next;
}

bool acre_matrix_reserve(acre_scene *scene)
{
    return scene->free_matrix != NONE ||
           COLUMN_RESERVE(&scene->allocator, scene->matrices, (size_t)scene->matrix_count + 1);
}

uint32_t acre_matrix_take(acre_scene *scene)
{
    if (scene->free_matrix == NONE) {
        ACRE_INVARIANT(scene->matrix_count < scene->matrices.capacity);
        return scene->matrix_count++;
    }
    const uint32_t number = scene->free_matrix;
    ACRE_INVARIANT(scene->free_matrix_count > 0);
    scene->free_matrix = next_free(scene, number);
    scene->free_matrix_count--;
    return number;
}

void acre_matrix_release(acre_scene *scene, uint32_t number)
{
    ACRE_INVARIANT(number < scene->matrix_count);
    // Several threads may release at a time (scene_set_locals.c); none takes meanwhile.
    uint32_t next = atomic_read_relaxed(&scene->free_matrix);
    do {
        memcpy(COLUMN_AT(scene->matrices, number)->m, &next, sizeof next);
    } while (!atomic_replace_relaxed(&scene->free_matrix, &next, number));
    (void)atomic_add_relaxed(&scene->free_matrix_count, 1);
}

// @return a free matrix below limit, taken out of the list. There is one.
static uint32_t take_below(acre_scene *scene, uint32_t limit)
{
    for (;;) {
        const uint32_t number = acre_matrix_take(scene);
        if (number < limit) {
            return number;
        }
    }
}

void acre_matrix_compact(acre_scene *scene)
{
    const uint32_t used = scene->matrix_count - scene->free_matrix_count;
    for (uint32_t row = 0; row < scene->row_count && scene->free_matrix_count > 0; row++) {
        const row_head head = *COLUMN_AT(scene->heads, row);
        if (head_slot(head) == NONE || !(head_bits(head) & ROW_MATRIX)) {
            continue;
        }
        local_row *const local = COLUMN_AT(scene->locals, row);
        if (local->matrix >= used) {
            const uint32_t to = take_below(scene, used);
            *COLUMN_AT(scene->matrices, to) = *COLUMN_AT(scene->matrices, local->matrix);
            local->matrix = to;
        }
    }
    scene->matrix_count = used;
    scene->free_matrix_count = 0;
    scene->free_matrix = NONE;
}
