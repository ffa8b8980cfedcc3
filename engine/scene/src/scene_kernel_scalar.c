// SPDX-License-Identifier: MIT
// scene_kernel_scalar.c - one row at a time in plain C: the reference of all kernels.
#include "scene_kernel_internal.h"

#include "scene_math_internal.h"

static void compute_world(const scene_arrays *arrays, uint32_t row, float *out)
{
    const row_head head = arrays->heads[row];
    const local_row *const local = &arrays->locals[row];
    float composed[12];
    const float *matrix = composed;
    if (head_bits(head) & ROW_MATRIX) {
        matrix = arrays->matrices[local->matrix].m;
    } else {
        matrix_compose(&local->transform, composed);
    }
    if (head_has_parent(head)) {
        matrix_product(arrays->worlds[head_parent(head)].m, matrix, out);
    } else {
        memcpy(out, matrix, sizeof composed);
    }
}

static void scalar_compute_rows(const scene_arrays *arrays, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = rows[i], slot = head_slot(arrays->heads[row]);
        float *const world = arrays->worlds[row].m;
        ACRE_INVARIANT(slot != NONE);
        compute_world(arrays, row, world);
        box_transform(world, &arrays->locals[row].box, &arrays->world_boxes[slot]);
    }
}

static void scalar_compute_word(const scene_arrays *arrays, uint32_t first, bool next_follows)
{
    (void)next_follows;
    for (uint32_t row = first; row < first + 64; row++) {
        scalar_compute_rows(arrays, &row, 1);
    }
}

acre_aabb acre_scene_box(const float *world, uint32_t kind, const acre_aabb *local)
{
    acre_aabb box = acre_aabb_empty();
    if (kind == ROW_BOX_FINITE) {
        box_transform(world, local, &box);
    } else if (kind == ROW_BOX_INFINITE) {
        box = acre_box_transform_infinite(world, local);
    } else if (kind == ROW_BOX_WORLD) {
        box = *local;
    }
    return box;
}

void acre_scene_compute_row(const acre_scene *scene, uint32_t row, affine *world, acre_aabb *box)
{
    ACRE_INVARIANT(row < scene->row_count && row < scene->worlds.capacity);
    const scene_arrays arrays = {scene->heads.data,  scene->locals.data,      scene->matrices.data,
                                 scene->worlds.data, scene->world_boxes.data, false};
    compute_world(&arrays, row, world->m);
    *box = acre_scene_box(world->m, row_bits(scene, row) & ROW_BOX_MASK,
                          &COLUMN_AT(scene->locals, row)->box);
}

const scene_kernel acre_scene_kernel_scalar = {scalar_compute_rows, scalar_compute_word};
