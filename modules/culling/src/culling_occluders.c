// SPDX-License-Identifier: MIT
// culling_occluders.c - gives objects occluders, and adds them to horizons in their world forms.
#include "culling_internal.h"

#include "horizon_shared.h"

#include <math.h>

// ---- set ----

static acre_result give_occluders(acre_culling *culling, acre_entity entity,
                                  const acre_occluder *occluders, size_t count)
{
    const uint32_t slot = entity.index1 - 1u;
    if (slot >= culling->item_capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    if (count > 0 &&
        (!acre_culling_reserve_slots(culling, (size_t)slot + 1) ||
         !COLUMN_RESERVE(&culling->allocator, culling->slot_occluders, (size_t)slot + 1) ||
         !COLUMN_RESERVE(&culling->allocator, culling->occluders,
                         culling->occluder_count + count))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    culling->revision++;
    acre_culling_drop_occluders(culling, slot);
    if (count == 0) {
        return ACRE_OK;
    }
    acre_culling_bind_slot(culling, entity);
    acre_culling_list_occluders(culling, slot, occluders, count);
    return ACRE_OK;
}

acre_result acre_culling_set_occluders(acre_culling *culling, acre_entity entity,
                                       const acre_occluder *occluders, size_t count)
{
    bool is_good = culling && (count == 0 || occluders);
    if (is_good && count > ACRE_CULLING_MAX_OCCLUDERS) {
        return ACRE_ERROR_CAPACITY;
    }
    for (size_t i = 0; i < count && is_good; i++) {
        is_good = acre_occluder_is_valid(&occluders[i]);
    }
    const acre_result result = culling_begin_edit(culling, is_good);
    if (result != ACRE_OK) {
        return result;
    }
    const acre_result given = culling_is_alive(culling, entity)
                                  ? give_occluders(culling, entity, occluders, count)
                                  : ACRE_ERROR_STALE_HANDLE;
    culling_check_edit(culling);
    return culling_end_edit(culling, given);
}

// ---- in the world ----

// Cuts an occluder off where the box of its object ends. @return false: the box does not hold it
// sideways, or nothing is left.
static bool keep_in_box(acre_occluder *occluder, const acre_aabb *box)
{
    bool is_held = true;
    for (uint32_t k = 0; k < occluder->point_count; k++) {
        const float x = occluder->points[k][0], z = occluder->points[k][1];
        is_held &= x >= box->min[0] && x <= box->max[0] && z >= box->min[2] && z <= box->max[2];
    }
    if (!is_held) {
        return false;
    }
    if (occluder->bottom > -INFINITY && occluder->bottom < box->min[1]) {
        occluder->bottom = box->min[1];
    }
    if (occluder->top > box->max[1]) {
        occluder->top = box->max[1];
    }
    return occluder->bottom < occluder->top;
}

// The object at a slot as its occluders need it: its matrix and its box.
typedef struct occluding_object {
    float matrix[16];
    acre_aabb box;
    bool is_moved; // by the matrix
    bool has_box;
} occluding_object;

static bool find_object(const acre_culling *culling, const culling_table *table, uint32_t slot,
                        occluding_object *out)
{
    if (slot >= table->slot_count) {
        return false; // someone commits
    }
    out->box = culling_box(table, slot);
    out->has_box = !culling_box_is_empty(&out->box);
    out->is_moved = !table->has_host;
    const acre_entity entity = {slot + 1, table->scene_number,
                                culling_published(table, slot).generation};
    return table->has_host ||
           acre_entity_world_matrix(culling->scene, entity, out->matrix) == ACRE_OK;
}

// An occluder in the world. @return false: nothing of it may be used.
static bool place_occluder(acre_occluder *out, const culling_occluder *from,
                           const occluding_object *object)
{
    const acre_aabb *const box = &object->box;
    const double height =
        object->has_box ? (double)box->max[1] - (double)box->min[1] : (double)INFINITY;
    if (!object->is_moved) {
        *out = from->shape;
    } else if (!acre_occluder_move(out, &from->shape, &from->facts, object->matrix, height)) {
        return false;
    }
    return object->has_box ? keep_in_box(out, box) : out->flags & ACRE_OCCLUDER_TWO_SIDED;
}

size_t acre_culling_add_occluders(const acre_culling *culling, const culling_table *table,
                                  uint32_t slot, acre_horizon *horizon)
{
    occluding_object object;
    if (!acre_culling_is_occluder(culling, slot) || !find_object(culling, table, slot, &object)) {
        return 0;
    }
    size_t added = 0;
    for (uint32_t next1 = culling->slot_occluders.data[slot]; next1;) {
        const culling_occluder *const one = COLUMN_AT(culling->occluders, next1 - 1u);
        acre_occluder moved;
        next1 = one->next1;
        if (place_occluder(&moved, one, &object)) {
            added += acre_horizon_add_of(horizon, &moved, &object.box);
        }
    }
    return added;
}
