// SPDX-License-Identifier: MIT
// scene_refresh.c - computes one subtree now, between commits.
//
// The rows stay dirty, so that the next commit notifies the modules. Ancestors are computed first,
// because the subtree's matrices depend on them. An entity that was never committed is computed for
// its descendants' sake; only commit publishes it.
#include "out_internal.h"
#include "scene_internal.h"

#include <string.h>

typedef struct refresh_output {
    uint32_t *slots;
    size_t capacity;
    size_t count; // of all, those beyond the capacity included
} refresh_output;

// Computes one entity. @param always whether it is listed even if its box stays the same
static void refresh_slot(acre_scene *scene, uint32_t slot, bool always, refresh_output *output)
{
    const uint32_t row = scene_row(scene, slot);
    const uint32_t bits = row_bits(scene, row);
    acre_aabb box;
    acre_scene_compute_row(scene, row, COLUMN_AT(scene->worlds, row), &box);
    if (bits & ROW_CREATED) {
        return;
    }
    acre_aabb *const stored = COLUMN_AT(scene->world_boxes, slot);
    const bool changed = memcmp(stored, &box, sizeof box) != 0;
    *stored = box;
    COLUMN_AT(scene->published, slot)->has_bounds = (bits & ROW_BOX_MASK) != ROW_BOX_NONE;
    if (changed || (always && (bits & ROW_BOX_MASK) != ROW_BOX_NONE)) {
        if (output->slots && output->count < output->capacity) {
            output->slots[output->count] = slot;
        }
        output->count++;
    }
}

// From the root down to the entity's parent.
static void refresh_ancestors(acre_scene *scene, uint32_t slot, refresh_output *output)
{
    slot_links *const links = scene->links.data;
    uint32_t below = NONE;
    for (uint32_t at = scene_turn_links_down(links, slot); at != slot;) {
        const uint32_t next = links[at].parent;
        ACRE_INVARIANT(next != NONE);
        links[at].parent = below;
        refresh_slot(scene, at, false, output);
        below = at;
        at = next;
    }
    links[slot].parent = below;
}

static acre_result refresh_from_root(acre_scene *scene, acre_entity entity, refresh_output *output)
{
    const uint32_t top = scene_live_slot(scene, entity);
    if (top == NONE) {
        return ACRE_ERROR_STALE_HANDLE;
    }
    const uint32_t row = scene_row(scene, top);
    if (row_bits(scene, row) & ROW_CREATED) {
        return ACRE_ERROR_NOT_COMMITTED;
    }
    if (!acre_scene_reserve_worlds(scene, scene->row_count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    refresh_ancestors(scene, top, output);
    const slot_links *const links = scene->links.data;
    for (uint32_t slot = top; slot != NONE; slot = scene_subtree_next(links, top, slot, true)) {
        refresh_slot(scene, slot, true, output);
    }
    return ACRE_OK;
}

acre_result acre_scene_refresh(acre_scene *scene, acre_entity entity, uint32_t *slots,
                               size_t capacity, size_t *count)
{
    set_count(count, 0);
    acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    if (!access_begin_write(&scene->access)) {
        return scene_end_edit(scene, ACRE_ERROR_BUSY);
    }
    refresh_output output = {slots, capacity, 0};
    result = refresh_from_root(scene, entity, &output);
    set_count(count, output.count);
    access_end_write(&scene->access);
    return scene_end_edit(scene, result);
}
