// SPDX-License-Identifier: MIT
// quadtree_neighbors_shares.c - neighbors of many rows on several workers, in the order of one.
//
// The rows, in their order, are cut into ranges of chunks. Each range has a region of the caller's
// array, as long as its share of the rows, and workers claim range after range. Afterwards the
// regions are closed up. A range whose neighbors do not fit into its region is searched once more
// by the caller's thread, into its place.
#include "quadtree_neighboring.h"

#include "regions_internal.h"
#include "tasks_internal.h"

enum {
    ROW_RANGES_A_SHARE = 4,
    MOST_ROW_RANGES = ROW_RANGES_A_SHARE * ACRE_TASKS_MAX_WORKERS,
    SHARE_NEIGHBOR_ROWS = ROWS_A_CHUNK // the least of a share: some 600 us
};

typedef struct row_range {
    size_t first, end; // rows, by their places
} row_range;

typedef struct row_ranges {
    block_claim claim; // a block is a range
    const acre_quadtree *tree;
    const acre_neighbors_query *query;
    acre_neighbor_lists *lists; // the caller's
    row_range ranges[MOST_ROW_RANGES];
    array_region regions[MOST_ROW_RANGES]; // of the ranges' neighbors
} row_ranges;

static void make_row_ranges(row_ranges *all, size_t placed, uint32_t wanted)
{
    const size_t most = rows_a_chunk(all->tree), chunks = (placed + most - 1) / most;
    const double a_row = (double)all->lists->capacity / (double)placed;
    const uint32_t count = chunks < wanted ? (uint32_t)chunks : wanted;
    ACRE_INVARIANT(count > 0 && count <= MOST_ROW_RANGES);
    size_t begin = 0;
    for (uint32_t i = 0; i < count; i++) {
        const size_t first = chunks * i / count * most;
        const bool is_last = i + 1 == count;
        const size_t end = is_last ? placed : chunks * (i + 1) / count * most;
        const size_t to = is_last ? all->lists->capacity : (size_t)((double)end * a_row);
        ACRE_INVARIANT(first < end && begin <= to && to <= all->lists->capacity);
        all->ranges[i] = (row_range){.first = first, .end = end};
        all->regions[i] = (array_region){.begin = begin, .room = to - begin};
        begin = to;
    }
    all->claim.count = count;
}

// Rows of the range begin at 0 then. Returns how many neighbors it has.
static size_t search_row_range(const row_ranges *all, uint32_t range, size_t begin, size_t room)
{
    acre_neighbor_lists own = *all->lists;
    own.items = room > 0 ? all->lists->items + begin : NULL;
    own.distances = own.items && own.distances ? own.distances + begin : NULL;
    own.capacity = room;
    own.total = 0;
    acre_search_rows(all->tree, all->query, &own, all->ranges[range].first, all->ranges[range].end);
    return own.total;
}

static void search_row_ranges(void *context, uint32_t share)
{
    (void)share;
    row_ranges *const all = context;
    for (uint32_t i; claim_block(&all->claim, &i);) {
        array_region *const region = &all->regions[i];
        region->total = search_row_range(all, i, region->begin, region->room);
    }
}

// Closes the regions up, searches what did not fit into its region, and tells the rows where they
// begin.
static void finish_row_ranges(row_ranges *all)
{
    acre_neighbor_lists *const lists = all->lists;
    const uint32_t count = all->claim.count;
    lists->total = acre_place_regions(all->regions, count);
    acre_close_regions(all->regions, count, lists->items, lists->capacity, sizeof *lists->items);
    if (lists->distances) {
        acre_close_regions(all->regions, count, lists->distances, lists->capacity,
                           sizeof *lists->distances);
    }
    for (uint32_t i = 0; i < count; i++) {
        const array_region *const region = &all->regions[i];
        if (!region_fits(region) && region->place < lists->capacity) {
            const size_t room = region_room_at_place(region, lists->capacity);
            const size_t found = search_row_range(all, i, region->place, room);
            ACRE_INVARIANT(region->total == found);
            (void)found;
        }
        for (size_t at = all->ranges[i].first; at < all->ranges[i].end; at++) {
            lists->rows[lists->rows[at].order].first += region->place;
        }
    }
}

bool acre_search_rows_in_shares(const acre_quadtree *tree, const acre_neighbors_query *query,
                                acre_neighbor_lists *lists, size_t placed)
{
    uint32_t shares = share_count_for(&tree->tasks, placed, SHARE_NEIGHBOR_ROWS);
    row_ranges all; // not zeroed: it is large
    if (shares < 2 || placed <= rows_a_chunk(tree) || tree->listener) {
        return false;
    }
    all.claim.next = 0;
    all.tree = tree;
    all.query = query;
    all.lists = lists;
    make_row_ranges(&all, placed, shares * ROW_RANGES_A_SHARE);
    shares = shares < all.claim.count ? shares : all.claim.count;
    acre_run_shares(&tree->tasks, "acre neighbors", shares, search_row_ranges, &all);
    finish_row_ranges(&all);
    return true;
}
