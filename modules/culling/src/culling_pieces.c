// SPDX-License-Identifier: MIT
// culling_pieces.c - cuts the visit of a tree into pieces, and hands them to shares.
#include "culling_pieces_shared.h"

acre_result acre_culling_visit_first(culling_pieces *pieces, const acre_tasks *tasks,
                                     const acre_quadtree *tree, const acre_query *query,
                                     size_t least, acre_group_visitor visit, void *user)
{
    ACRE_INVARIANT(tasks->worker_count > 1);
    pieces->tree = tree;
    pieces->tasks = tasks;
    pieces->most_shares = ACRE_TASKS_MAX_WORKERS;
    pieces->fills_again = false;
    return acre_quadtree_visit_first(tree, query, least, visit, user, &pieces->rest);
}

void acre_culling_make_regions(culling_pieces *pieces, size_t capacity)
{
    const acre_query_pieces *const rest = &pieces->rest;
    const size_t most = rest->inside + rest->tested;
    const double each = most > 0 ? (double)capacity / (double)most : 0.0;
    size_t begin = 0, before = 0;
    pieces->capacity = capacity;
    for (uint32_t i = 0; i < rest->count; i++) {
        before += rest->pieces[i].inside + rest->pieces[i].tested;
        // With room for all, each piece has room for its own.
        const size_t end = capacity >= most ? before : (size_t)((double)before * each);
        const size_t room = end < capacity ? end - begin : capacity - begin;
        pieces->regions[i] = (array_region){.begin = begin, .room = room};
        begin += room;
    }
    ACRE_INVARIANT(before == most && begin <= capacity);
}

void acre_culling_run_pieces(culling_pieces *pieces, const char *name, share_function *run,
                             void *context)
{
    ACRE_INVARIANT(pieces->rest.count > 0);
    pieces->claim.next = 0;
    pieces->claim.count = pieces->rest.count;
    acre_run_shares(pieces->tasks, name, culling_piece_shares(pieces), run, context);
}

bool acre_culling_claim_piece(culling_pieces *pieces, culling_piece *out)
{
    for (uint32_t i; claim_block(&pieces->claim, &i);) {
        const array_region *const region = &pieces->regions[i];
        if (!pieces->fills_again) {
            *out = (culling_piece){i, region->begin, region->room};
            return true;
        }
        if (!region_fits(region) && region->place < pieces->capacity) {
            *out =
                (culling_piece){i, region->place, region_room_at_place(region, pieces->capacity)};
            return true;
        }
    }
    return false;
}

// Finds the place of each piece by the totals. @return whether no piece has to be filled again.
static bool place_pieces(culling_pieces *pieces, size_t *total)
{
    bool all_fit = true;
    *total = acre_place_regions(pieces->regions, pieces->rest.count);
    for (uint32_t i = 0; i < pieces->rest.count; i++) {
        const array_region *const region = &pieces->regions[i];
        all_fit &= region_fits(region) || region->place >= pieces->capacity;
    }
    pieces->fills_again = !all_fit;
    return all_fit;
}

size_t acre_culling_fill_array(culling_pieces *pieces, const slot_room *room, const char *name,
                               share_function *run, void *context)
{
    size_t total;
    const uint32_t count = pieces->rest.count;
    acre_culling_make_regions(pieces, room->capacity);
    acre_culling_run_pieces(pieces, name, run, context);
    const bool is_filled = place_pieces(pieces, &total);
    if (room->capacity > 0) {
        acre_close_regions(pieces->regions, count, room->slots, room->capacity,
                           sizeof *room->slots);
    }
    if (room->capacity > 0 && room->lods) {
        acre_close_regions(pieces->regions, count, room->lods, room->capacity, sizeof *room->lods);
    }
    if (!is_filled) {
        acre_culling_run_pieces(pieces, name, run, context);
    }
    return total;
}
