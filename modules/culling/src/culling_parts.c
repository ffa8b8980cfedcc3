// SPDX-License-Identifier: MIT
// culling_parts.c - cuts the visit of a tree into parts, and hands them to shares.
#include "culling_parts.h"

#include "culling_reader.h"

acre_result acre_culling_visit_first(culling_parts *parts, const acre_tasks *tasks,
                                     const acre_quadtree *tree, const acre_query *query,
                                     size_t least, acre_group_visitor visit, void *user)
{
    ACRE_INVARIANT(culling_may_divide(tasks, query));
    parts->tree = tree;
    parts->tasks = tasks;
    parts->most_shares = ACRE_TASKS_MAX_WORKERS;
    parts->fills_again = false;
    return acre_quadtree_query_visit_first(tree, query, least, visit, user, &parts->rest);
}

void acre_culling_make_regions(culling_parts *parts, size_t capacity)
{
    const acre_query_parts *const rest = &parts->rest;
    const size_t most = rest->inside + rest->tested;
    const double each = most > 0 ? (double)capacity / (double)most : 0.0;
    size_t begin = 0, before = 0;
    parts->capacity = capacity;
    for (uint32_t i = 0; i < rest->count; i++) {
        before += rest->parts[i].inside + rest->parts[i].tested;
        // With room for all, each part has room for its own.
        const size_t end = capacity >= most ? before : (size_t)((double)before * each);
        const size_t room = end < capacity ? end - begin : capacity - begin;
        parts->regions[i] = (array_region){.begin = begin, .room = room};
        begin += room;
    }
    ACRE_INVARIANT(before == most && begin <= capacity);
}

void acre_culling_run_parts(culling_parts *parts, const char *name, share_function *run,
                            void *context)
{
    ACRE_INVARIANT(parts->rest.count > 0);
    parts->claim.next = 0;
    parts->claim.count = parts->rest.count;
    acre_run_shares(parts->tasks, name, culling_part_shares(parts), run, context);
}

bool acre_culling_claim_part(culling_parts *parts, culling_part *out)
{
    for (uint32_t i; claim_block(&parts->claim, &i);) {
        const array_region *const region = &parts->regions[i];
        if (!parts->fills_again) {
            *out = (culling_part){i, region->begin, region->room};
            return true;
        }
        if (!region_fits(region) && region->place < parts->capacity) {
            *out = (culling_part){i, region->place, region_room_at_place(region, parts->capacity)};
            return true;
        }
    }
    return false;
}

bool acre_culling_place_parts(culling_parts *parts, size_t *total)
{
    bool all_fit = true;
    *total = acre_place_regions(parts->regions, parts->rest.count);
    for (uint32_t i = 0; i < parts->rest.count; i++) {
        const array_region *const region = &parts->regions[i];
        all_fit &= region_fits(region) || region->place >= parts->capacity;
    }
    parts->fills_again = !all_fit;
    return all_fit;
}

void acre_culling_close_array(const culling_parts *parts, void *array, size_t size)
{
    if (parts->capacity > 0) {
        acre_close_regions(parts->regions, parts->rest.count, array, parts->capacity, size);
    }
}

size_t acre_culling_write_slots(culling_parts *parts, const slot_array *array, const char *name,
                                share_function *run, void *context)
{
    size_t total;
    acre_culling_make_regions(parts, culling_room(array->count, array->capacity));
    acre_culling_run_parts(parts, name, run, context);
    const bool is_filled = acre_culling_place_parts(parts, &total);
    if (parts->capacity > 0) {
        acre_culling_close_array(parts, array->slots + array->count, sizeof *array->slots);
    }
    if (!is_filled) {
        acre_culling_run_parts(parts, name, run, context);
    }
    return array->count + total;
}
