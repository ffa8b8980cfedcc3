// SPDX-License-Identifier: MIT
// partition.c - parts and their items: create, add, remove, ask.
#include "partition_internal.h"

#include "float_bits.h"

#include <string.h>

// ---- create and destroy ----

static bool def_is_good(const acre_partition_def *def)
{
    const float half = def->half_size > 0 ? def->half_size : 1024.0f;
    const float most = def->is_periodic ? half / 4 : half;
    const bool has_bytes = def->data.migrant_bytes > 0 || def->data.ghost_bytes > 0;
    return def->part_count >= 1 && def->part_count <= 65536 && def->part < def->part_count &&
           float_is_finite(def->center[0]) && float_is_finite(def->center[1]) &&
           def->half_size >= 0 && half >= 0x1p-20f && half <= 0x1p40f && def->levels <= 12 &&
           def->ghost_range > 0 && def->ghost_range <= most && def->data.migrant_bytes <= 65536 &&
           def->data.ghost_bytes <= 65536 && (!has_bytes || (def->data.pack && def->data.unpack));
}

static void set_ground(acre_partition *part, const acre_partition_def *def)
{
    partition_ground *const ground = &part->ground;
    const float half = def->half_size > 0 ? def->half_size : 1024.0f;
    ground->levels = def->levels ? def->levels : 7;
    ground->side = 1u << ground->levels;
    ground->size = 2 * half;
    ground->cell = (double)ground->size / ground->side;
    ground->inverse = ground->side / (double)ground->size;
    ground->is_periodic = def->is_periodic;
    ground->range = (double)def->ghost_range;
    // The range, and room for rounding: of a difference in doubles, and of the floats of an image.
    ground->grow = ground->range * (1 + 0x1p-40);
    for (int axis = 0; axis < 2; axis++) {
        ground->low[axis] = (double)def->center[axis] - (double)half;
        const double far = ground->low[axis] < 0 ? -ground->low[axis] : ground->low[axis];
        ground->grow += def->is_periodic ? 0x1p-21 * (far + (double)ground->size) : 0;
    }
    ACRE_INVARIANT(ground->levels <= 12 && ground->cell > 0 && ground->grow >= ground->range);
}

static bool make_arrays(acre_partition *part)
{
    const size_t count = part->part_count;
    if (!COLUMN_RESERVE(&part->allocator, part->cut, count + 1) ||
        !COLUMN_RESERVE(&part->allocator, part->neighbors, count) ||
        !COLUMN_RESERVE(&part->allocator, part->messages, count) ||
        !COLUMN_RESERVE(&part->allocator, part->taken, count) ||
        !COLUMN_RESERVE(&part->allocator, part->sent, 9 * count) ||
        !COLUMN_RESERVE(&part->allocator, part->rounds.parts, count) ||
        !COLUMN_RESERVE(&part->allocator, part->rounds.marks, count)) {
        return false;
    }
    const uint64_t cells = (uint64_t)part->ground.side * part->ground.side;
    for (size_t i = 0; i <= count; i++) {
        *COLUMN_AT(part->cut, i) = (uint32_t)(cells * i / count);
    }
    acre_partition_find_neighbors(part);
    return true;
}

static acre_result make_tree(acre_partition *part, const acre_partition_def *def)
{
    acre_quadtree_def tree = def->tree;
    if (tree.half_size == 0) { // NaN and less are refused by the tree
        memcpy(tree.center, def->center, sizeof tree.center);
        tree.half_size = part->ground.size / 2;
    }
    tree.item_capacity = 0; // slots have a bound of their own
    tree.allocator = tree.allocator ? tree.allocator : &part->allocator;
    return acre_quadtree_create(&tree, &part->tree);
}

acre_result acre_partition_create(const acre_partition_def *def, acre_partition **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    if (!def || !def_is_good(def)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_partition *const part = acre_object_make(def->allocator, sizeof *part);
    if (!part) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    part->data = def->data;
    part->part = def->part;
    part->part_count = def->part_count;
    part->free_slot = part->resting_slot = SLOT_NONE;
    set_ground(part, def);
    acre_result result = make_arrays(part) ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
    result = result == ACRE_OK ? make_tree(part, def) : result;
    if (result != ACRE_OK) {
        acre_partition_free(part);
        return result;
    }
    ACRE_INVARIANT(part->tree && part->phase == PHASE_REST);
    *out = part;
    return ACRE_OK;
}

void acre_partition_destroy(acre_partition *part)
{
    if (part) {
        acre_partition_free(part);
    }
}

// ---- items ----

acre_result acre_partition_add(acre_partition *part, uint64_t number, const acre_aabb *box,
                               uint32_t *slot)
{
    if (!part || !box || !slot || !acre_aabb_is_valid(box)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_aabb own_box = *box;
    if (part->ground.is_periodic && !acre_ground_wrap(&part->ground, &own_box)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const uint32_t old = acre_partition_slot_of(part, number, 0);
    if (old != SLOT_NONE) {
        return ACRE_ERROR_EXISTS;
    }
    const acre_result result = acre_partition_reserve_slots(part, 1);
    if (result != ACRE_OK) {
        return result;
    }
    *slot = acre_partition_take_slot(part, number, 0, ACRE_SLOT_OWN, &own_box);
    ACRE_INVARIANT(*slot < part->slots && part->kinds.data[*slot] == ACRE_SLOT_OWN);
    *COLUMN_AT(part->fresh, part->fresh_count++) = *slot;
    return ACRE_OK;
}

// A slot that never came into the tree.
static void forget_fresh(acre_partition *part, uint32_t slot)
{
    size_t kept = 0;
    for (size_t i = 0; i < part->fresh_count; i++) {
        if (part->fresh.data[i] != slot) {
            part->fresh.data[kept++] = part->fresh.data[i];
        }
    }
    ACRE_INVARIANT(kept + 1 == part->fresh_count);
    part->fresh_count = kept;
}

acre_result acre_partition_remove(acre_partition *part, uint32_t slot)
{
    if (!part) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    if (slot >= part->slots || part->kinds.data[slot] != ACRE_SLOT_OWN) {
        return ACRE_ERROR_NOT_FOUND;
    }
    if (acre_quadtree_contains(part->tree, slot)) {
        const acre_result result = acre_quadtree_remove(part->tree, slot);
        if (result != ACRE_OK) {
            return result;
        }
    } else {
        forget_fresh(part, slot);
    }
    if (part->rider.user) {
        part->rider.end(part->rider.user, slot);
    }
    acre_partition_free_slot(part, slot, true);
    return ACRE_OK;
}

acre_partition_slots acre_partition_get_slots(const acre_partition *part)
{
    if (!part) {
        return (acre_partition_slots){.count = 0};
    }
    return (acre_partition_slots){.count = part->slots,
                                  .numbers = part->numbers.data,
                                  .kinds = part->kinds.data,
                                  .images = part->images.data,
                                  .boxes = part->boxes.data};
}

acre_result acre_partition_find(const acre_partition *part, uint64_t number, uint32_t *slot)
{
    if (!part || !slot) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *slot = acre_partition_slot_of(part, number, 0);
    return *slot == SLOT_NONE ? ACRE_ERROR_NOT_FOUND : ACRE_OK;
}

const acre_quadtree *acre_partition_tree(const acre_partition *part)
{
    return part ? part->tree : NULL;
}

acre_partition_changes acre_partition_get_changes(const acre_partition *part)
{
    if (!part || part->phase != PHASE_REST) {
        return (acre_partition_changes){0};
    }
    return (acre_partition_changes){.arrived = part->arrived.items.data,
                                    .departed = part->departed.items.data,
                                    .entered = part->entered.items.data,
                                    .left = part->left.items.data,
                                    .arrived_count = part->arrived.count,
                                    .departed_count = part->departed.count,
                                    .entered_count = part->entered.count,
                                    .left_count = part->left.count,
                                    .refused = part->refused.items.data,
                                    .refused_count = part->refused.count};
}
