// SPDX-License-Identifier: MIT
// culling_parts.h - a visit of one of a culler's trees in parts: workers fill regions of an array,
// which are then closed up to what one thread writes. Also for modules that stand on the culler.
//
//     1 acre_culling_visit_first   visits the first groups on this thread
//     2 acre_culling_make_regions
//     3 acre_culling_run_parts     each share fills regions
//     4 acre_culling_place_parts, and acre_culling_close_array for each array
//     5 where some parts had too little room, acre_culling_run_parts fills them at their places
// acre_culling_write_slots does steps 2 to 5 for one array.
#ifndef CULLING_PARTS_H
#define CULLING_PARTS_H

#include <acre/quadtree_parts.h>

#include "regions_internal.h"
#include "tasks_internal.h"

typedef struct culling_parts {
    block_claim claim; ///< a block is a part
    const acre_quadtree *tree;
    const acre_tasks *tasks;
    uint32_t most_shares;
    size_t capacity;  ///< of the array that the regions are in
    bool fills_again; ///< only parts that did not fit into their regions are claimed
    acre_query_parts rest;
    array_region regions[ACRE_QUERY_MOST_PARTS];
} culling_parts;

/// A part that a share has claimed.
typedef struct culling_part {
    uint32_t number;
    size_t begin, room; ///< in the array
} culling_part;

/// @return whether visits are cut into parts.
static inline bool culling_may_divide(const acre_tasks *tasks, const acre_query *query)
{
    return tasks->worker_count > 1 && !(query->flags & ACRE_QUERY_UNDIVIDED);
}

/// Visits what one thread visits sooner; parts->rest.count tells whether something is left.
/// @param least as of acre_quadtree_query_visit_first.
acre_result acre_culling_visit_first(culling_parts *parts, const acre_tasks *tasks,
                                     const acre_quadtree *tree, const acre_query *query,
                                     size_t least, acre_group_visitor visit, void *user);

/// @return in how many shares the rest is run.
static inline uint32_t culling_part_shares(const culling_parts *parts)
{
    uint32_t shares = parts->tasks->worker_count;
    shares = shares < parts->most_shares ? shares : parts->most_shares;
    return shares < parts->rest.count ? shares : parts->rest.count;
}

/// Divides an array among the parts, by how many results each has at most.
void acre_culling_make_regions(culling_parts *parts, size_t capacity);

/// Runs shares until no part is left. Each claims one part after the other, writes its results and
/// sets the total of its region.
void acre_culling_run_parts(culling_parts *parts, const char *name, share_function *run,
                            void *context);

/// @return false when no part is left.
bool acre_culling_claim_part(culling_parts *parts, culling_part *out);

/// Finds the place of each part by the totals. Parts that did not fit can be claimed once more.
/// @param total receives the sum of the totals. @return whether no part has to be filled again.
bool acre_culling_place_parts(culling_parts *parts, size_t *total);

/// Moves the parts in one array to the places that they have.
void acre_culling_close_array(const culling_parts *parts, void *array, size_t size);

/// A caller's array. Slots at or above capacity are counted and not written.
typedef struct slot_array {
    uint32_t *slots;
    size_t count, capacity;
} slot_array;

/// Runs the rest, which writes its slots behind those that are there.
/// @param array as in the context: shares write a part at slots + count + the part's begin.
/// @return the count with those of the rest.
size_t acre_culling_write_slots(culling_parts *parts, const slot_array *array, const char *name,
                                share_function *run, void *context);

#endif
