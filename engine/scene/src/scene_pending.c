// SPDX-License-Identifier: MIT
// scene_pending.c - computes rows that wait, parents before their children.
#include "scene_commit_internal.h"

uint32_t acre_pending_position(const pending_rows *pending, uint32_t row)
{
    uint32_t low = 0, high = pending->count - 1;
    if (pending->row[high] == row) {
        return high;
    }
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (pending->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    ACRE_INVARIANT(pending->row[low] == row);
    return low;
}

// Depth by depth, so that a row's parent is done before it.
static void compute_by_depth(const acre_scene *scene, const pending_rows *pending)
{
    uint32_t ends[PENDING + 1] = {0};
    for (uint32_t i = 0; i < pending->count; i++) {
        ends[pending->depth[i] + 1]++;
    }
    for (uint32_t depth = 0; depth < pending->deepest; depth++) {
        ends[depth + 1] += ends[depth];
    }
    uint32_t sorted[PENDING];
    for (uint32_t i = 0; i < pending->count; i++) {
        sorted[ends[pending->depth[i]]++] = pending->row[i];
    }
    uint32_t first = 0;
    for (uint32_t depth = 0; depth <= pending->deepest; depth++) {
        scene->kernel->compute_rows(&pending->arrays, sorted + first, ends[depth] - first);
        first = ends[depth];
    }
}

static void finish_special(acre_scene *scene, const pending_rows *pending)
{
    const scene_arrays *const arrays = &pending->arrays;
    for (uint32_t i = 0; i < pending->count; i++) {
        const uint32_t row = pending->row[i], kind = row_bits(scene, row) & ROW_BOX_MASK;
        row_bits_change(scene, row, ROW_PENDING, 0);
        if (kind != ROW_BOX_FINITE) {
            *COLUMN_AT(scene->world_boxes, head_slot(arrays->heads[row])) =
                acre_scene_box(arrays->worlds[row].m, kind, &arrays->locals[row].box);
        }
    }
}

void acre_pending_compute(acre_scene *scene, pending_rows *pending)
{
    if (pending->deepest == 0) {
        scene->kernel->compute_rows(&pending->arrays, pending->row, pending->count);
    } else {
        compute_by_depth(scene, pending);
    }
    if (pending->has_special) {
        finish_special(scene, pending);
    }
    pending->count = 0;
    pending->deepest = 0;
    pending->has_special = false;
    pending->last_parent = NONE;
}
