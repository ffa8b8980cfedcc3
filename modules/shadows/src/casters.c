// SPDX-License-Identifier: MIT
// casters.c - the entities of a culler as receivers and as casters.
#include "casters_internal.h"
#include "culling_reader.h"

// An entity is marked in at most so many cells along a side, so that a large one costs no more than
// some hundred small ones.
#define RECEIVER_CELLS 16u

// Slots of one tree, in portions: to be marked, or to be tested and written.
typedef struct caster_walk {
    culling_reader reader;
    acre_receivers *receivers;
    uint32_t *slots;
    size_t capacity, count;
} caster_walk;

// Returns false while someone edits the culler or commits the scene.
static bool begin_walk(caster_walk *walk, const acre_culling *culling, acre_receivers *receivers)
{
    *walk = (caster_walk){.receivers = receivers};
    if (!acre_culling_begin_reading(culling, &walk->reader)) {
        return false;
    }
    const culling_reader *const reader = &walk->reader;
    const bool has_items = reader->tree_counts[TREE_MOVING] > 0 ||
                           reader->tree_counts[TREE_STATIC] > 0 || reader->never_count > 0;
    if (has_items && reader->scene.slot_count == 0) {
        acre_culling_end_reading(reader);
        return false;
    }
    return true;
}

static bool receivers_are_ready(const acre_culling *culling, const acre_receivers *receivers)
{
    return culling && receivers && acre_receivers_space(receivers);
}

// Hands what both trees find in a volume to a visitor.
static acre_result visit_both_trees(caster_walk *walk, const acre_frustum *volume, uint32_t layers,
                                    acre_query_visitor visit)
{
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                              .frustum = volume,
                              .layers = culling_asked_layers(layers)};
    acre_result result = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK; i++) {
        if (walk->reader.tree_counts[i] > 0) {
            result = acre_quadtree_query_visit(walk->reader.trees[i], &query, visit, walk);
        }
    }
    return result;
}

static bool mark_receivers(void *user, const uint32_t *items, size_t count)
{
    const caster_walk *const walk = user;
    for (size_t i = 0; i < count; i++) {
        const acre_aabb *const box = culling_reader_box(&walk->reader, items[i]);
        acre_receivers_mark(walk->receivers, box, RECEIVER_CELLS);
    }
    return true;
}

// A never-culled entity has no box: it may receive shadows anywhere. One is enough.
static bool mark_everything(void *user, uint32_t slot)
{
    (void)slot;
    (void)acre_receivers_add_all(((const caster_walk *)user)->receivers);
    return false;
}

// As acre_aabb_overlaps for valid boxes, without a branch: most visible entities are far from a
// slice.
static inline bool overlaps_bounds(const acre_aabb *bounds, const acre_aabb *box)
{
    return (box->min[0] <= bounds->max[0]) & (box->max[0] >= bounds->min[0]) &
           (box->min[1] <= bounds->max[1]) & (box->max[1] >= bounds->min[1]) &
           (box->min[2] <= bounds->max[2]) & (box->max[2] >= bounds->min[2]);
}

static bool mark_receiver(const caster_walk *walk, const light_space *space, uint32_t slot)
{
    if (slot >= walk->reader.scene.slot_count) {
        return false;
    }
    const uint32_t place = culling_reader_slot(&walk->reader, slot).bits & CULLING_PLACES;
    if (place & CULLING_TREES) {
        const acre_aabb *const box = culling_reader_box(&walk->reader, slot);
        if (overlaps_bounds(&space->slice_bounds, box) &&
            acre_frustum_test_aabb(&space->slice, box)) {
            acre_receivers_mark(walk->receivers, box, RECEIVER_CELLS);
        }
    }
    return place != 0;
}

acre_result acre_culling_add_receivers(const acre_culling *culling, acre_receivers *receivers,
                                       const uint32_t *slots, size_t count)
{
    caster_walk walk;
    if (!receivers_are_ready(culling, receivers) || (count > 0 && !slots)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_walk(&walk, culling, receivers)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_OK;
    bool has_all = false;
    for (size_t i = 0; i < count; i++) {
        if (!mark_receiver(&walk, acre_receivers_space(receivers), slots[i])) {
            result = ACRE_ERROR_NOT_FOUND;
        } else {
            has_all |= (culling_reader_slot(&walk.reader, slots[i]).bits & SLOT_IN_NEVER) != 0;
        }
    }
    if (has_all) {
        (void)mark_everything(&walk, 0);
    }
    acre_culling_end_reading(&walk.reader);
    return result;
}

acre_result acre_culling_add_receivers_in_slice(const acre_culling *culling,
                                                acre_receivers *receivers, uint32_t layers)
{
    caster_walk walk;
    if (!receivers_are_ready(culling, receivers)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_walk(&walk, culling, receivers)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_frustum *const slice = &acre_receivers_space(receivers)->slice;
    const acre_result result = visit_both_trees(&walk, slice, layers, mark_receivers);
    if (result == ACRE_OK) {
        acre_culling_visit_never(&walk.reader, layers ? layers : UINT32_MAX, mark_everything,
                                 &walk);
    }
    acre_culling_end_reading(&walk.reader);
    return result;
}

static void write_caster(caster_walk *walk, uint32_t slot)
{
    if (walk->count < walk->capacity) {
        walk->slots[walk->count] = slot;
    }
    walk->count++;
}

static bool test_candidates(void *user, const uint32_t *items, size_t count)
{
    caster_walk *const walk = user;
    for (size_t i = 0; i < count; i++) {
        const acre_aabb *const box = culling_reader_box(&walk->reader, items[i]);
        if (acre_receivers_reach(walk->receivers, box)) {
            write_caster(walk, items[i]);
        }
    }
    return true;
}

static bool write_never_culled(void *user, uint32_t slot)
{
    write_caster(user, slot);
    return true;
}

acre_result acre_culling_query_casters(const acre_culling *culling, acre_receivers *receivers,
                                       uint32_t *slots, size_t capacity, size_t *total)
{
    caster_walk walk;
    if (!receivers_are_ready(culling, receivers) || (capacity > 0 && !slots)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_walk(&walk, culling, receivers)) {
        return ACRE_ERROR_BUSY;
    }
    walk.slots = slots;
    walk.capacity = capacity;
    acre_receivers_settle(receivers);
    const light_space *const space = acre_receivers_space(receivers);
    const acre_result result =
        visit_both_trees(&walk, &space->casters, space->layers, test_candidates);
    if (result == ACRE_OK) {
        acre_culling_visit_never(&walk.reader, space->layers ? space->layers : UINT32_MAX,
                                 write_never_culled, &walk);
        if (total) {
            *total = walk.count;
        }
    }
    acre_culling_end_reading(&walk.reader);
    return result;
}
