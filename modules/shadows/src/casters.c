// SPDX-License-Identifier: MIT
// casters.c - the entities of a culler as receivers and as casters.
#include "out_internal.h"
#include "bits_internal.h"
#include "casters_internal.h"
#include "tasks_internal.h"

#include <string.h>

// An entity is marked in at most so many cells along a side, so that a large one costs no more than
// some hundred small ones.
#define RECEIVER_CELLS 16u
#define ALL_CUBE_FACES 63

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
    if (has_items && reader->table.slot_count == 0) {
        acre_culling_end_reading(reader);
        return false;
    }
    return true;
}

static bool receivers_are_ready(const acre_culling *culling, const acre_receivers *receivers)
{
    return culling && receivers && acre_receivers_space(receivers);
}

// What receives is in the slice, or within a light's reach; what casts is around both.
static acre_query casters_query(const acre_receivers *receivers, bool marks)
{
    const light_cube *const cube = &receivers->cube;
    if (!receivers->is_light) {
        const light_space *const space = &receivers->space;
        return (acre_query){.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                            .frustum = marks ? &space->slice : &space->casters};
    }
    return (acre_query){.shape = cube->is_cone ? ACRE_QUERY_SHAPE_CONE : ACRE_QUERY_SHAPE_SPHERE,
                        .sphere = &cube->sphere,
                        .cone = &cube->cone};
}

// Marks what both trees find, or writes those that are casters.
static acre_result visit_both_trees(caster_walk *walk, uint32_t layers, bool marks)
{
    const acre_group_visitor visit = marks ? acre_casters_mark_group : acre_casters_test_group;
    const culling_reader *const reader = &walk->reader;
    acre_query query = casters_query(walk->receivers, marks);
    query.layers = culling_asked_layers(layers);
    acre_result result = ACRE_OK;
    const bool is_dark = walk->receivers->is_light && !acre_light_may_find(walk->receivers, marks);
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK && !is_dark; i++) {
        if (reader->tree_counts[i] > 0) {
            result = reader->tasks->worker_count > 1
                         ? acre_casters_visit_in_shares(walk, reader->trees[i], &query, marks)
                         : acre_quadtree_query_visit_groups(reader->trees[i], &query, visit, walk);
        }
    }
    return result;
}

bool acre_casters_mark_group(void *user, const acre_item_group *group)
{
    const caster_walk *const walk = user;
    acre_receivers *const receivers = walk->receivers;
    for (uint32_t bits = group->found; bits; bits &= bits - 1) {
        const acre_aabb box = culling_group_box(group, lowest_bit(bits));
        if (!receivers->is_light || acre_frustum_test_aabb(&receivers->space.slice, &box)) {
            acre_receivers_mark(receivers, &box, RECEIVER_CELLS);
        }
    }
    return true;
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
    if (slot >= walk->reader.table.slot_count) {
        return false;
    }
    const uint32_t place = culling_slot_of(&walk->reader.table, slot).bits & CULLING_PLACES;
    if (place & CULLING_TREES) {
        acre_aabb room;
        const acre_aabb *const box = culling_find_box(&walk->reader.table, slot, &room);
        if (overlaps_bounds(&space->slice_bounds, box) &&
            acre_frustum_test_aabb(&space->slice, box)) {
            acre_receivers_mark(walk->receivers, box, RECEIVER_CELLS);
        }
    }
    return place != 0;
}

void acre_casters_mark_slots(const caster_walk *walk, const uint32_t *slots, size_t count,
                             marked_slots *met)
{
    const light_space *const space = acre_receivers_space(walk->receivers);
    for (size_t i = 0; i < count; i++) {
        if (!mark_receiver(walk, space, slots[i])) {
            met->has_missing = true;
        } else {
            met->has_never |=
                (culling_slot_of(&walk->reader.table, slots[i]).bits & SLOT_IN_NEVER) != 0;
        }
    }
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
    marked_slots met = {false, false};
    if (walk.reader.tasks->worker_count < 2 ||
        !acre_casters_mark_in_shares(&walk, slots, count, &met)) {
        acre_casters_mark_slots(&walk, slots, count, &met);
    }
    if (met.has_never) { // it has no box: it may receive shadows anywhere
        acre_receivers_mark_all(receivers);
    }
    acre_culling_end_reading(&walk.reader);
    return met.has_missing ? ACRE_ERROR_NOT_FOUND : ACRE_OK;
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
    const acre_result result = visit_both_trees(&walk, layers, true);
    if (result == ACRE_OK && acre_culling_list_never(culling, layers, UINT32_MAX, NULL, 0) > 0) {
        acre_receivers_mark_all(receivers);
    }
    acre_culling_end_reading(&walk.reader);
    return result;
}

static void write_caster(caster_walk *walk, uint32_t slot, uint32_t faces)
{
    if (walk->count < walk->capacity) {
        walk->slots[walk->count] = slot;
        if (walk->faces) {
            walk->faces[walk->count] = (uint8_t)faces;
        }
    }
    walk->count++;
}

bool acre_casters_test_group(void *user, const acre_item_group *group)
{
    caster_walk *const walk = user;
    const acre_receivers *const receivers = walk->receivers;
    for (uint32_t bits = group->found; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits);
        const acre_aabb box = culling_group_box(group, i);
        const uint32_t faces = receivers->is_light
                                   ? acre_light_reach(receivers, &box, walk->faces != NULL)
                                   : acre_receivers_reach(receivers, &box);
        if (faces) {
            write_caster(walk, group->items[i], faces);
        }
    }
    return true;
}

// A never-culled entity has no box: it may be on any face.
static void write_never_casters(caster_walk *walk, uint32_t layers)
{
    const size_t room = culling_room(walk->count, walk->capacity);
    const size_t count = acre_culling_list_never(walk->reader.culling, layers, UINT32_MAX,
                                                 room > 0 ? walk->slots + walk->count : NULL, room);
    if (walk->faces && room > 0) {
        memset(walk->faces + walk->count, ALL_CUBE_FACES, count < room ? count : room);
    }
    walk->count += count;
}

static acre_result find_casters(caster_walk *walk, size_t *total)
{
    acre_receivers *const receivers = walk->receivers;
    acre_receivers_settle(receivers);
    const uint32_t layers = acre_receivers_space(receivers)->layers;
    const acre_result result = visit_both_trees(walk, layers, false);
    if (result == ACRE_OK) {
        write_never_casters(walk, layers);
        set_count(total, walk->count);
    }
    return result;
}

acre_result acre_culling_query_casters_by_face(const acre_culling *culling,
                                               acre_receivers *receivers, uint32_t *slots,
                                               uint8_t *faces, size_t capacity, size_t *total)
{
    set_count(total, 0);
    caster_walk walk;
    if (!receivers_are_ready(culling, receivers) || (capacity > 0 && !slots) ||
        (faces && !receivers->is_light)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_walk(&walk, culling, receivers)) {
        return ACRE_ERROR_BUSY;
    }
    walk.slots = slots;
    walk.faces = faces;
    walk.capacity = capacity;
    const acre_result result = find_casters(&walk, total);
    acre_culling_end_reading(&walk.reader);
    return result;
}

acre_result acre_culling_query_casters(const acre_culling *culling, acre_receivers *receivers,
                                       uint32_t *slots, size_t capacity, size_t *total)
{
    return acre_culling_query_casters_by_face(culling, receivers, slots, NULL, capacity, total);
}
