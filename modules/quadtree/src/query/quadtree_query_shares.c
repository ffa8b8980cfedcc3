// SPDX-License-Identifier: MIT
// quadtree_query_shares.c - the rest of a large query on several workers, with the results and the
// order of one.
//
// A walk that has done SERIAL_NS of work and is not at its end may be worth dividing:
//     1. The caller's thread runs the descent to its end, which is a twentieth of the work. It cuts
//        the rest into parts: what the stack was at the beginning of each, and how many portions of
//        the walk follow. It adds up how many items each part can find.
//     2. If it is known how many results each part has, workers write all parts to their places.
//     3. Else, if few items are tested, workers first count the results of the other parts.
//     4. If many are tested, each part has a region of the caller's array for all that it can find.
//        Workers search the parts into their regions, which are then closed up.
// Portions are those of a walk on one thread, so that the order is the same.
#include "quadtree_walk.h"

#include "tasks_internal.h"

#include <string.h>

enum {
    MOST_WALK_PARTS = 64,
    // A query of 50 us gains nothing from a second worker: fork and join take 0.4 to 5 us, and the
    // descent is run twice. Accepting an item takes an eighth of a nanosecond, testing one about a
    // nanosecond.
    SERIAL_NS = 8000,
    SHARE_NS = 25000,
    ACCEPTED_PER_NS = 8
};

typedef struct walk_part {
    uint32_t portions;
    uint32_t stack_count;
    uint32_t stack[STACK_DEPTH];
    uint32_t stack_masks[STACK_DEPTH];
    size_t inside; // items of nodes wholly inside
    size_t tested; // items of the other nodes
    size_t begin;  // of its region, or its place
    size_t room;
    size_t total;
    bool is_known; // total is that of the results, without a search
    acre_query_stats stats;
} walk_part;

typedef struct walk_parts {
    block_claim claim; // a block is a part
    const query_walk *walk;
    uint32_t count;
    size_t inside, tested; // of all parts
    bool counts;           // the parts are searched to count what they find
    walk_part parts[MOST_WALK_PARTS];
} walk_parts;

static size_t items_of_chain(const acre_quadtree *tree, uint32_t word)
{
    size_t count = chain_count(word);
    if (chain_is_run(word)) {
        return count + (size_t)(chain_block(word) - run_begin(tree->next, word)) * BLOCK_SLOTS;
    }
    for (uint32_t block = tree->next[chain_block(word)]; block != NONE; block = tree->next[block]) {
        count += BLOCK_SLOTS;
    }
    return count;
}

// ---- parts ----

// Makes half as many parts, each of two.
static void join_parts(walk_parts *parts)
{
    ACRE_INVARIANT(parts->count == MOST_WALK_PARTS);
    for (uint32_t i = 0; i < MOST_WALK_PARTS / 2; i++) {
        const walk_part second = parts->parts[2 * i + 1];
        parts->parts[i] = parts->parts[2 * i];
        parts->parts[i].portions += second.portions;
        parts->parts[i].inside += second.inside;
        parts->parts[i].tested += second.tested;
    }
    parts->count = MOST_WALK_PARTS / 2;
}

static void begin_part(walk_parts *parts, const node_lists *nodes)
{
    walk_part *const part = &parts->parts[parts->count++];
    ACRE_INVARIANT(parts->count <= MOST_WALK_PARTS);
    ACRE_INVARIANT(nodes->stack_count > 0 && nodes->stack_count <= STACK_DEPTH);
    part->portions = 0;
    part->inside = part->tested = 0;
    part->stack_count = nodes->stack_count;
    memcpy(part->stack, nodes->stack, nodes->stack_count * sizeof *nodes->stack);
    memcpy(part->stack_masks, nodes->stack_masks, nodes->stack_count * sizeof *nodes->stack_masks);
}

static void add_portion(walk_part *part, const acre_quadtree *tree, const node_lists *nodes)
{
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        part->inside += items_of_chain(tree, nodes->inside[i]);
    }
    for (uint32_t i = 0; i < nodes->intersecting_count; i++) {
        part->tested += items_of_chain(tree, nodes->intersecting[i]);
    }
    part->portions++;
}

// Runs the descent to its end. nodes: a copy of the walk's lists.
static void cut_into_parts(walk_parts *parts, node_lists *nodes)
{
    const query_walk *const walk = parts->walk;
    quad_descent descent = {.quads = walk->tree->quads,
                            .cold = walk->tree->cold,
                            .layers = walk->layers,
                            .most_listed = PORTION_NODES,
                            .quads_left = SIZE_MAX};
    parts->count = 0;
    parts->inside = parts->tested = 0;
    for (uint32_t portion = 0, stride = 1; nodes->stack_count > 0; portion++) {
        if (portion % stride == 0) {
            if (parts->count == MOST_WALK_PARTS) {
                join_parts(parts);
                stride *= 2;
            }
            begin_part(parts, nodes);
        }
        nodes->inside_count = nodes->intersecting_count = 0;
        walk->kernel->descend(walk->volume, &descent, nodes);
        add_portion(&parts->parts[parts->count - 1], walk->tree, nodes);
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        parts->inside += parts->parts[i].inside;
        parts->tested += parts->parts[i].tested;
    }
}

// ---- searches ----

static void search_part(const query_walk *all, walk_part *part, bool counts)
{
    query_walk walk = *all;
    node_lists nodes; // not zeroed, as in acre_walk
    const size_t room = counts ? 0 : part->room;
    walk.items = room > 0 ? all->items + part->begin : NULL;
    walk.capacity = room;
    walk.total = 0;
    walk.portions = part->portions;
    walk.is_undivided = true;
    walk.stats.nodes_tested = walk.stats.items_tested = walk.stats.items_accepted = 0;
    nodes.stack_count = part->stack_count;
    memcpy(nodes.stack, part->stack, part->stack_count * sizeof *nodes.stack);
    memcpy(nodes.stack_masks, part->stack_masks, part->stack_count * sizeof *nodes.stack_masks);
    nodes.inside_count = nodes.intersecting_count = 0;
    acre_walk(&walk, &nodes);
    ACRE_INVARIANT(walk.portions == 0 || nodes.stack_count == 0); // as cut_into_parts counted them
    ACRE_INVARIANT(!part->is_known || part->total == walk.total);
    part->total = walk.total;
    part->is_known = true;
    part->stats = walk.stats;
}

static void search_parts(void *context, uint32_t share)
{
    (void)share;
    walk_parts *const parts = context;
    for (uint32_t i; claim_block(&parts->claim, &i);) {
        walk_part *const part = &parts->parts[i];
        if (!parts->counts || !part->is_known) {
            search_part(parts->walk, part, parts->counts);
        }
    }
}

static void search_in_shares(walk_parts *parts, uint32_t shares, bool counts)
{
    atomic_init(&parts->claim.next, 0);
    parts->claim.count = parts->count;
    parts->counts = counts;
    acre_run_shares(&parts->walk->tree->tasks, "acre query", shares, search_parts, parts);
}

// ---- places ----

// Places the parts one after the other by their totals. Returns where the last one ends.
static size_t place_parts(walk_parts *parts)
{
    const size_t capacity = parts->walk->capacity;
    size_t place = parts->walk->total;
    for (uint32_t i = 0; i < parts->count; i++) {
        walk_part *const part = &parts->parts[i];
        const size_t room = place < capacity ? capacity - place : 0;
        ACRE_INVARIANT(part->is_known);
        part->begin = place;
        part->room = part->total < room ? part->total : room;
        place += part->total;
    }
    return place;
}

static size_t count_then_write(walk_parts *parts, uint32_t shares)
{
    const bool has_room = parts->walk->total < parts->walk->capacity;
    bool all_known = true;
    for (uint32_t i = 0; i < parts->count; i++) {
        walk_part *const part = &parts->parts[i];
        part->is_known = has_room && part->tested == 0 && walk_takes_all(parts->walk);
        part->total = part->inside;
        all_known &= part->is_known;
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
    for (uint32_t i = 0; i < parts->count; i++) {
        walk_part *const part = &parts->parts[i];
        part->begin = begin;
        part->room = part->inside + part->tested;
        part->is_known = false;
        begin += part->room;
    }
    ACRE_INVARIANT(begin <= parts->walk->capacity);
    search_in_shares(parts, shares, false);
    uint32_t *const items = parts->walk->items;
    for (uint32_t i = 0; i < parts->count; i++) {
        const walk_part *const part = &parts->parts[i];
        ACRE_INVARIANT(part->total <= part->room && place <= part->begin);
        memmove(items + place, items + part->begin, part->total * sizeof *items);
        place += part->total;
    }
    return place;
}

static void add_stats_of_parts(query_walk *walk, const walk_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        walk->stats.nodes_tested += parts->parts[i].stats.nodes_tested;
        walk->stats.items_tested += parts->parts[i].stats.items_tested;
        walk->stats.items_accepted += parts->parts[i].stats.items_accepted;
    }
}

// The parts take 46 KB of the caller's stack.
_Static_assert(sizeof(walk_parts) <= 47 * 1024, "of the stack that quadtree_query.h promises");
static bool divide_walk(query_walk *walk, const node_lists *nodes)
{
    const acre_tasks *const tasks = &walk->tree->tasks;
    walk_parts parts; // not zeroed: it is large
    node_lists rest;
    rest.stack_count = nodes->stack_count;
    memcpy(rest.stack, nodes->stack, nodes->stack_count * sizeof *rest.stack);
    memcpy(rest.stack_masks, nodes->stack_masks, nodes->stack_count * sizeof *rest.stack_masks);
    parts.walk = walk;
    cut_into_parts(&parts, &rest);
    uint32_t shares =
        share_count_for(tasks, parts.inside / ACCEPTED_PER_NS + parts.tested, SHARE_NS);
    shares = shares < parts.count ? shares : parts.count;
    if (shares < 2) {
        return false;
    }
    const size_t room = walk->total < walk->capacity ? walk->capacity - walk->total : 0;
    const bool has_regions = parts.inside + parts.tested <= room;
    walk->total = has_regions && parts.tested > parts.inside ? write_and_close_up(&parts, shares)
                                                             : count_then_write(&parts, shares);
    add_stats_of_parts(walk, &parts);
    return true;
}

bool acre_walk_in_shares(query_walk *walk, const node_lists *nodes)
{
    const uint64_t ns =
        walk->stats.items_accepted / ACCEPTED_PER_NS + (uint64_t)walk->stats.items_tested;
    ACRE_INVARIANT(walk->only_copies && nodes->stack_count > 0);
    if (walk->step || walk->tree->listener) {
        walk->is_undivided = true;
        return false;
    }
    if (ns < SERIAL_NS && !walk->tree->tasks.divides_small_calls) {
        return false;
    }
    walk->is_undivided = true; // it is now or never
    return divide_walk(walk, nodes);
}
