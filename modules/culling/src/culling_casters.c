// SPDX-License-Identifier: MIT
// culling_casters.c - a culler's entities as receivers and as casters.
#include "culling_casters_internal.h"
#include "culling_internal.h"

// Cells along a side that one entity is compared with when it is marked, so that a large one costs
// no more than some hundred small ones.
#define RECEIVER_CELLS 16u

// Slots of one tree, in portions: to be marked, or to be tested and written.
typedef struct caster_walk {
    const acre_culling *culling;
    acre_scene_view scene;
    acre_receivers *receivers;
    uint32_t *slots;
    size_t capacity, count;
} caster_walk;

// Returns false while someone edits the culler or commits the scene.
static bool begin_walk(caster_walk *walk, const acre_culling *culling, acre_receivers *receivers)
{
    if (!access_begin_read(&culling->access)) {
        return false;
    }
    *walk = (caster_walk){.culling = culling, .receivers = receivers};
    if (culling->scene) {
        walk->scene = acre_scene_get_view(culling->scene);
    }
    const bool has_items = culling->tree_counts[TREE_MOVING] + culling->tree_counts[TREE_STATIC] +
                               culling->never_count >
                           0;
    if (has_items && walk->scene.slot_count == 0) {
        access_end_read(&culling->access);
        return false;
    }
    return true;
}

static bool is_ready(const acre_culling *culling, const acre_receivers *receivers)
{
    return culling && receivers && acre_receivers_space(receivers);
}

// What both trees find in a volume goes to a visitor.
static acre_result visit_trees(caster_walk *walk, const acre_frustum *volume, uint32_t layers,
                               acre_query_visitor visit)
{
    // Every item is in some layer of the scene's, so that all layers ask nothing.
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                              .frustum = volume,
                              .layers = layers == UINT32_MAX ? 0 : layers};
    acre_result result = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK; i++) {
        if (walk->culling->tree_counts[i] > 0) {
            result = acre_quadtree_query_visit(walk->culling->trees[i], &query, visit, walk);
        }
    }
    return result;
}

// Never-cull entities of some layer, ascending. Cost: a summary word for 4096 slots, and the set.
static bool visit_never_culled(caster_walk *walk, uint32_t layers, acre_query_visitor visit)
{
    const uint64_t *const words = walk->culling->never.data;
    const uint64_t *const summary = walk->culling->never_summary.data;
    const size_t blocks = walk->culling->never_count ? walk->culling->never_summary.capacity : 0;
    for (size_t word = 0; word < blocks * 64; word++) {
        if (!(summary[word / 64] >> (word & 63) & 1)) {
            word |= summary[word / 64] ? 0 : 63; // a block without any
            continue;
        }
        for (uint32_t bit = 0; bit < 64; bit++) {
            const uint32_t slot = (uint32_t)(word * 64) + bit;
            if (words[word] >> bit & 1 && (walk->scene.layers[slot] & layers) &&
                !visit(walk, &slot, 1)) {
                return false;
            }
        }
    }
    return true;
}

static bool mark_portion(void *user, const uint32_t *items, size_t count)
{
    const caster_walk *const walk = user;
    for (size_t i = 0; i < count; i++) {
        const acre_aabb *const box = acre_culling_box(walk->culling, &walk->scene, items[i]);
        acre_receivers_mark(walk->receivers, box, RECEIVER_CELLS);
    }
    return true;
}

// Nothing is known of where it is: one is enough.
static bool mark_all(void *user, const uint32_t *items, size_t count)
{
    (void)items;
    (void)count;
    (void)acre_receivers_add_all(((const caster_walk *)user)->receivers);
    return false;
}

// As acre_aabb_overlaps, for a box that is valid: most visible entities are far from a slice.
static inline bool is_near(const acre_aabb *bounds, const acre_aabb *box)
{
    return (box->min[0] <= bounds->max[0]) & (box->max[0] >= bounds->min[0]) &
           (box->min[1] <= bounds->max[1]) & (box->max[1] >= bounds->min[1]) &
           (box->min[2] <= bounds->max[2]) & (box->max[2] >= bounds->min[2]);
}

static bool mark_slot(const caster_walk *walk, const light_space *space, uint32_t slot)
{
    const acre_culling *const culling = walk->culling;
    if (slot >= walk->scene.slot_count || slot >= culling->slots.capacity) {
        return false;
    }
    const uint32_t place = culling_slot_at(culling, slot)->bits & CULLING_PLACES;
    if (place & CULLING_TREES) {
        const acre_aabb *const box = acre_culling_box(culling, &walk->scene, slot);
        if (is_near(&space->slice_bounds, box) && acre_frustum_test_aabb(&space->slice, box)) {
            acre_receivers_mark(walk->receivers, box, RECEIVER_CELLS);
        }
    }
    return place != 0;
}

acre_result acre_culling_add_receivers(const acre_culling *culling, acre_receivers *receivers,
                                       const uint32_t *slots, size_t count)
{
    caster_walk walk;
    if (!is_ready(culling, receivers) || (count > 0 && !slots)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_walk(&walk, culling, receivers)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_OK;
    bool has_all = false;
    for (size_t i = 0; i < count; i++) {
        if (!mark_slot(&walk, acre_receivers_space(receivers), slots[i])) {
            result = ACRE_ERROR_NOT_FOUND;
        } else {
            has_all |= (culling_slot_at(culling, slots[i])->bits & SLOT_IN_NEVER) != 0;
        }
    }
    if (has_all) {
        (void)mark_all(&walk, NULL, 0);
    }
    access_end_read(&culling->access);
    return result;
}

acre_result acre_culling_add_receivers_in_slice(const acre_culling *culling,
                                                acre_receivers *receivers, uint32_t layers)
{
    caster_walk walk;
    if (!is_ready(culling, receivers)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_walk(&walk, culling, receivers)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_frustum *const slice = &acre_receivers_space(receivers)->slice;
    const acre_result result = visit_trees(&walk, slice, layers, mark_portion);
    if (result == ACRE_OK) {
        (void)visit_never_culled(&walk, layers ? layers : UINT32_MAX, mark_all);
    }
    access_end_read(&culling->access);
    return result;
}

static void write_slot(caster_walk *walk, uint32_t slot)
{
    if (walk->count < walk->capacity) {
        walk->slots[walk->count] = slot;
    }
    walk->count++;
}

static bool test_portion(void *user, const uint32_t *items, size_t count)
{
    caster_walk *const walk = user;
    for (size_t i = 0; i < count; i++) {
        const acre_aabb *const box = acre_culling_box(walk->culling, &walk->scene, items[i]);
        if (acre_receivers_reach(walk->receivers, box)) {
            write_slot(walk, items[i]);
        }
    }
    return true;
}

static bool write_portion(void *user, const uint32_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        write_slot(user, items[i]);
    }
    return true;
}

acre_result acre_culling_query_casters(const acre_culling *culling, acre_receivers *receivers,
                                       uint32_t *slots, size_t capacity, size_t *total)
{
    caster_walk walk;
    if (!is_ready(culling, receivers) || (capacity > 0 && !slots)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_walk(&walk, culling, receivers)) {
        return ACRE_ERROR_BUSY;
    }
    walk.slots = slots;
    walk.capacity = capacity;
    acre_receivers_settle(receivers);
    const light_space *const space = acre_receivers_space(receivers);
    const acre_result result = visit_trees(&walk, &space->casters, space->layers, test_portion);
    if (result == ACRE_OK) {
        (void)visit_never_culled(&walk, space->layers ? space->layers : UINT32_MAX, write_portion);
        if (total) {
            *total = walk.count;
        }
    }
    access_end_read(&culling->access);
    return result;
}
