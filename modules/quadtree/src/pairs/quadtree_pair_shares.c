// SPDX-License-Identifier: MIT
// quadtree_pair_shares.c - all pairs on several workers, in the order in which one finds them.
//
// The quads of the first tree are cut into ranges with about the same number of items. Each range
// has a region of the caller's array, as long as its share of the items, and workers claim range
// after range. Afterwards the regions are closed up. A range whose pairs do not fit into its region
// is searched once more by the caller's thread, into its place.
#include "quadtree_pairing.h"

#include "regions_internal.h"
#include "tasks_internal.h"

enum {
    RANGES_A_SHARE = 4,
    MOST_RANGES = RANGES_A_SHARE * ACRE_TASKS_MAX_WORKERS,
    SHARE_ITEMS_OF_PAIRS = 1024 // the least of a share: some 60 us
};

typedef struct pair_ranges {
    block_claim claim; // a block is a range
    const pair_question *question;
    acre_pair *pairs;
    size_t capacity;
    quad_range quads[MOST_RANGES];     // of a range
    array_region regions[MOST_RANGES]; // of its pairs
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
        all->quads[count] = (quad_range){begin, q + 1};
        all->regions[count++] = (array_region){.begin = from, .room = to - from};
        begin = q + 1;
        begin_items = items;
    }
    all->claim.count = count;
}

static size_t search_range(const pair_ranges *all, uint32_t range, size_t begin, size_t room)
{
    return acre_search_quads(all->question, all->quads[range], room > 0 ? all->pairs + begin : NULL,
                             room);
}

static void search_ranges(void *context, uint32_t share)
{
    (void)share;
    pair_ranges *const all = context;
    for (uint32_t i; claim_block(&all->claim, &i);) {
        array_region *const region = &all->regions[i];
        region->total = search_range(all, i, region->begin, region->room);
    }
}

size_t acre_search_in_shares(const pair_question *question, uint32_t shares, acre_pair *pairs,
                             size_t capacity)
{
    pair_ranges all; // not zeroed: it is large
    all.claim.count = 0;
    all.claim.next = 0;
    all.question = question;
    all.pairs = pairs;
    all.capacity = capacity;
    make_ranges(&all, shares * RANGES_A_SHARE);
    acre_run_shares(&question->first->tasks, "acre pairs", shares, search_ranges, &all);
    const uint32_t count = all.claim.count;
    const size_t total = acre_place_regions(all.regions, count);
    acre_close_regions(all.regions, count, pairs, capacity, sizeof *pairs);
    for (uint32_t i = 0; i < count; i++) {
        const array_region *const region = &all.regions[i];
        if (!region_fits(region) && region->place < capacity) {
            const size_t room = region_room_at_place(region, capacity);
            const size_t found = search_range(&all, i, region->place, room);
            ACRE_INVARIANT(found == region->total);
            (void)found;
        }
    }
    return total;
}
