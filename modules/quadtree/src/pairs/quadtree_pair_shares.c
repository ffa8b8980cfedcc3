// SPDX-License-Identifier: MIT
// quadtree_pair_shares.c - all pairs on several workers, in the order in which one finds them.
//
// The quads of the first tree are cut into ranges with about the same number of items. Each range
// has a region of the caller's array, as long as its share of the items, and workers claim range
// after range. Afterwards the regions are closed up. A range whose pairs do not fit into its region
// is searched once more by the caller's thread, into its place.
#include "quadtree_pairing.h"

#include "tasks_internal.h"

#include <string.h>

enum {
    RANGES_A_SHARE = 4,
    MOST_RANGES = RANGES_A_SHARE * ACRE_TASKS_MAX_WORKERS,
    SHARE_ITEMS_OF_PAIRS = 1024 // the least of a share: some 60 us
};

typedef struct pair_range {
    quad_range quads;
    size_t begin; // of its region
    size_t room;  // pairs of its region
    size_t total; // pairs that there are
    size_t place; // where they are to stand
} pair_range;

typedef struct pair_ranges {
    block_claim claim; // a block is a range
    const pair_question *question;
    acre_pair *pairs;
    size_t capacity;
    pair_range ranges[MOST_RANGES];
} pair_ranges;

uint32_t acre_pair_shares(const pair_question *question)
{
    const acre_quadtree *const tree = question->first;
    if (tree->listener || question->second->listener) {
        return 1;
    }
    return share_count_for(&tree->tasks, tree->item_count, SHARE_ITEMS_OF_PAIRS);
}

static uint32_t items_of_quad(const acre_quadtree *tree, uint32_t q)
{
    const quad_cold *const cold = &tree->cold[q];
    return cold->level == NONE ? 0
                               : cold->count[0] + cold->count[1] + cold->count[2] + cold->count[3];
}

// Cuts all quads into ranges with about the same number of items.
static void make_ranges(pair_ranges *all, uint32_t wanted)
{
    const acre_quadtree *const tree = all->question->first;
    const double capacity_of_item = (double)all->capacity / (double)tree->item_count;
    uint64_t items = 0, begin_items = 0;
    uint32_t count = 0, begin = 0;
    ACRE_INVARIANT(wanted > 0 && wanted <= MOST_RANGES);
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        items += items_of_quad(tree, q);
        const bool is_last = q + 1 == tree->quad_count;
        if (!is_last && items * wanted < (uint64_t)tree->item_count * (count + 1)) {
            continue;
        }
        const size_t from = (size_t)((double)begin_items * capacity_of_item);
        const size_t to = is_last ? all->capacity : (size_t)((double)items * capacity_of_item);
        ACRE_INVARIANT(count < MOST_RANGES && from <= to && to <= all->capacity);
        all->ranges[count++] =
            (pair_range){.quads = {begin, q + 1}, .begin = from, .room = to - from};
        begin = q + 1;
        begin_items = items;
    }
    all->claim.count = count;
}

static void search_ranges(void *context, uint32_t share)
{
    (void)share;
    pair_ranges *const all = context;
    for (uint32_t i; claim_block(&all->claim, &i);) {
        pair_range *const range = &all->ranges[i];
        range->total =
            acre_search_quads(all->question, range->quads,
                              range->room > 0 ? all->pairs + range->begin : NULL, range->room);
    }
}

static bool fits(const pair_range *range)
{
    return range->total <= range->room;
}

static void move_range(const pair_ranges *all, const pair_range *range)
{
    const size_t room = range->place < all->capacity ? all->capacity - range->place : 0;
    const size_t count = range->total < room ? range->total : room;
    if (count > 0 && range->place != range->begin) {
        memmove(all->pairs + range->place, all->pairs + range->begin, count * sizeof *all->pairs);
    }
}

// Moves the regions to their places. Those that move to the left go first, ascending, then those
// that move to the right, descending: no region is overwritten before it has moved.
static size_t close_up(pair_ranges *all)
{
    const uint32_t count = all->claim.count;
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        all->ranges[i].place = total;
        total += all->ranges[i].total;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (fits(&all->ranges[i]) && all->ranges[i].place <= all->ranges[i].begin) {
            move_range(all, &all->ranges[i]);
        }
    }
    for (uint32_t i = count; i-- > 0;) {
        if (fits(&all->ranges[i]) && all->ranges[i].place > all->ranges[i].begin) {
            move_range(all, &all->ranges[i]);
        }
    }
    return total;
}

size_t acre_search_in_shares(const pair_question *question, uint32_t shares, acre_pair *pairs,
                             size_t capacity)
{
    pair_ranges all; // not zeroed: it is large
    all.claim.count = 0;
    atomic_init(&all.claim.next, 0);
    all.question = question;
    all.pairs = pairs;
    all.capacity = capacity;
    make_ranges(&all, shares * RANGES_A_SHARE);
    acre_run_shares(&question->first->tasks, "acre pairs", shares, search_ranges, &all);
    const size_t total = close_up(&all);
    for (uint32_t i = 0; i < all.claim.count; i++) {
        const pair_range *const range = &all.ranges[i];
        if (!fits(range) && range->place < capacity) {
            const size_t room = capacity - range->place;
            const size_t found = acre_search_quads(question, range->quads, pairs + range->place,
                                                   range->total < room ? range->total : room);
            ACRE_INVARIANT(found == range->total);
            (void)found;
        }
    }
    return total;
}
