// SPDX-License-Identifier: MIT
// quadtree_query_shares.c - the rest of a large query on several workers, with the results and the
// order of one.
//
// A walk that has done SERIAL_NS of work and is not at its end may be worth dividing:
//     1. The caller's thread runs the descent to its end, which is a twentieth of the work. It cuts
//        the rest into parts (quadtree_query_parts.c) and adds up how many items each can find.
//     2. If it is known how many results each part has, workers write all parts to their places.
//     3. Else, if few items are tested, workers first count the results of the other parts.
//     4. If many are tested, each part has a region of the caller's array for all that it can find.
//        Workers search the parts into their regions, which are then closed up.
#include "quadtree_walk.h"

#include "tasks_internal.h"

#include <string.h>

enum {
    // A query of 50 us gains nothing from a second worker: fork and join take 0.4 to 5 us, and the
    // descent is run twice. Accepting an item takes an eighth of a nanosecond, testing one about a
    // nanosecond.
    SERIAL_NS = 8000,
    SHARE_NS = 25000,
    ACCEPTED_PER_NS = 8
};

// What becomes of a part.
typedef struct part_answer {
    size_t begin; // of its region, or its place
    size_t room;
    size_t total;
    bool is_known; // total is that of the results, without a search
    acre_query_stats stats;
} part_answer;

typedef struct walk_parts {
    block_claim claim; // a block is a part
    const query_walk *walk;
    bool counts; // the parts are searched to count what they find
    acre_query_parts cut;
    part_answer answers[ACRE_QUERY_MOST_PARTS];
} walk_parts;

// ---- searches ----

static void search_part(const walk_parts *parts, uint32_t i, part_answer *answer)
{
    query_walk walk = *parts->walk;
    const size_t room = parts->counts ? 0 : answer->room;
    walk.items = room > 0 ? parts->walk->items + answer->begin : NULL;
    walk.capacity = room;
    walk.total = 0;
    walk.stats.nodes_tested = walk.stats.items_tested = walk.stats.items_accepted = 0;
    acre_walk_part(&walk, &parts->cut.parts[i]);
    ACRE_INVARIANT(!answer->is_known || answer->total == walk.total);
    answer->total = walk.total;
    answer->is_known = true;
    answer->stats = walk.stats;
}

static void search_parts(void *context, uint32_t share)
{
    (void)share;
    walk_parts *const parts = context;
    for (uint32_t i; claim_block(&parts->claim, &i);) {
        part_answer *const answer = &parts->answers[i];
        if (!parts->counts || !answer->is_known) {
            search_part(parts, i, answer);
        }
    }
}

static void search_in_shares(walk_parts *parts, uint32_t shares, bool counts)
{
    parts->claim.next = 0;
    parts->claim.count = parts->cut.count;
    parts->counts = counts;
    acre_run_shares(&parts->walk->tree->tasks, "acre query", shares, search_parts, parts);
}

// ---- places ----

// Places the parts one after the other by their totals. Returns where the last one ends.
static size_t place_parts(walk_parts *parts)
{
    const size_t capacity = parts->walk->capacity;
    size_t place = parts->walk->total;
    for (uint32_t i = 0; i < parts->cut.count; i++) {
        part_answer *const answer = &parts->answers[i];
        const size_t room = place < capacity ? capacity - place : 0;
        ACRE_INVARIANT(answer->is_known);
        answer->begin = place;
        answer->room = answer->total < room ? answer->total : room;
        place += answer->total;
    }
    return place;
}

static size_t count_then_write(walk_parts *parts, uint32_t shares)
{
    const bool has_room = parts->walk->total < parts->walk->capacity;
    bool all_known = true;
    for (uint32_t i = 0; i < parts->cut.count; i++) {
        const acre_query_part *const part = &parts->cut.parts[i];
        part_answer *const answer = &parts->answers[i];
        answer->is_known = has_room && part->tested == 0 && walk_takes_all(parts->walk);
        answer->total = part->inside;
        all_known &= answer->is_known;
    }
    if (!all_known) {
        search_in_shares(parts, shares, true);
    }
    const size_t end = place_parts(parts);
    if (has_room) {
        search_in_shares(parts, shares, false);
    }
    return end;
}

// The array has room for a region for each part.
static size_t write_and_close_up(walk_parts *parts, uint32_t shares)
{
    size_t begin = parts->walk->total, place = begin;
    for (uint32_t i = 0; i < parts->cut.count; i++) {
        part_answer *const answer = &parts->answers[i];
        answer->begin = begin;
        answer->room = parts->cut.parts[i].inside + parts->cut.parts[i].tested;
        answer->is_known = false;
        begin += answer->room;
    }
    ACRE_INVARIANT(begin <= parts->walk->capacity);
    search_in_shares(parts, shares, false);
    uint32_t *const items = parts->walk->items;
    for (uint32_t i = 0; i < parts->cut.count; i++) {
        const part_answer *const answer = &parts->answers[i];
        ACRE_INVARIANT(answer->total <= answer->room && place <= answer->begin);
        memmove(items + place, items + answer->begin, answer->total * sizeof *items);
        place += answer->total;
    }
    return place;
}

static void add_stats_of_parts(query_walk *walk, const walk_parts *parts)
{
    for (uint32_t i = 0; i < parts->cut.count; i++) {
        const acre_query_stats *const stats = &parts->answers[i].stats;
        walk->stats.nodes_tested += stats->nodes_tested;
        walk->stats.items_tested += stats->items_tested;
        walk->stats.items_accepted += stats->items_accepted;
    }
}

// The parts take 47 KB of the caller's stack.
_Static_assert(sizeof(walk_parts) <= 47 * 1024, "of the stack that quadtree_query.h promises");
static bool divide_walk(query_walk *walk, const node_lists *nodes)
{
    walk_parts parts; // not zeroed: it is large
    const acre_query_parts *const cut = &parts.cut;
    parts.walk = walk;
    acre_cut_walk(walk, nodes, &parts.cut);
    uint32_t shares =
        share_count_for(&walk->tree->tasks, cut->inside / ACCEPTED_PER_NS + cut->tested, SHARE_NS);
    shares = shares < cut->count ? shares : cut->count;
    if (shares < 2) {
        return false;
    }
    const size_t room = walk->total < walk->capacity ? walk->capacity - walk->total : 0;
    const bool has_regions = cut->inside + cut->tested <= room;
    walk->total = has_regions && cut->tested > cut->inside ? write_and_close_up(&parts, shares)
                                                           : count_then_write(&parts, shares);
    add_stats_of_parts(walk, &parts);
    return true;
}

bool acre_walk_in_shares(query_walk *walk, const node_lists *nodes)
{
    const uint64_t ns =
        walk->stats.items_accepted / ACCEPTED_PER_NS + (uint64_t)walk->stats.items_tested;
    ACRE_INVARIANT(walk->only_copies && nodes->stack_count > 0);
    if (walk->tree->listener) {
        walk->is_undivided = true;
        return false;
    }
    if (ns < SERIAL_NS && !walk->tree->tasks.divides_small_calls) {
        return false;
    }
    walk->is_undivided = true; // it is now or never
    return divide_walk(walk, nodes);
}
