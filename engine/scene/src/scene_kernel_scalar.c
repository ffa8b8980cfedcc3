// SPDX-License-Identifier: MIT
// scene_kernel_scalar.c - one row at a time in plain C: the reference of all kernels.
#include "scene_kernel_internal.h"

#include "scene_math_internal.h"

static void compute_world(const world_row *worlds, uint32_t parent, const local_row *local,
                          float *out)
{
    float composed[12];
    const float *matrix = local->matrix;
    if (local->mark == LOCAL_IS_TRANSFORM) {
        matrix_compose(&local->transform, composed);
        matrix = composed;
    }
    if (parent == NONE) {
        memcpy(out, matrix, sizeof composed);
    } else {
        matrix_product(worlds[parent].m, matrix, out);
    }
}

static void compute_rows(const scene_arrays *arrays, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = rows[i];
        float *const world = arrays->worlds[row].m;
        compute_world(arrays->worlds, arrays->row_parent[row], &arrays->locals[row], world);
        box_transform(world, &arrays->boxes[row], &arrays->world_boxes[arrays->row_slot[row]]);
    }
}

static void compute_word(const scene_arrays *arrays, uint32_t first, bool next_follows)
{
    (void)next_follows;
    for (uint32_t row = first; row < first + 64; row++) {
        compute_rows(arrays, &row, 1);
    }
}

acre_aabb acre_scene_box(const float *world, uint32_t kind, const acre_aabb *local)
{
    acre_aabb box = acre_aabb_empty();
    if (kind == ROW_BOX_FINITE) {
        box_transform(world, local, &box);
    } else if (kind == ROW_BOX_INFINITE) {
        box = acre_box_transform_infinite(world, local);
    }
    return box;
}

void acre_scene_compute_row(const acre_scene *scene, uint32_t row, world_row *world, acre_aabb *box)
{
    const uint32_t bits = *COLUMN_AT(scene->row_bits, row);
    const uint32_t parent = *COLUMN_AT(scene->row_parent, row);
    compute_world(scene->worlds.data, parent, COLUMN_AT(scene->locals, row), world->m);
    *box = acre_scene_box(world->m, bits & ROW_BOX_MASK, COLUMN_AT(scene->boxes, row));
}

const scene_kernel acre_scene_kernel_scalar = {compute_rows, compute_word};
