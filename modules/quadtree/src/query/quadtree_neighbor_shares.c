// SPDX-License-Identifier: MIT
// quadtree_neighbor_shares.c - neighbors of many rows on several workers, in the order of one.
//
// The rows, in their order, are cut into ranges of chunks. Each range has a region of the caller's
// array, as long as its share of the rows, and workers claim range after range. Afterwards the
// regions are closed up. A range whose neighbors do not fit into its region is searched once more
// by the caller's thread, into its place.
#include "quadtree_neighboring.h"

#include "tasks_internal.h"

#include <string.h>

enum {
    ROW_RANGES_A_SHARE = 4,
    MOST_ROW_RANGES = ROW_RANGES_A_SHARE * ACRE_TASKS_MAX_WORKERS,
    SHARE_NEIGHBOR_ROWS = ROWS_A_CHUNK // the least of a share: some 600 us
};

typedef struct row_range {
    size_t first, end; // rows, by their places
    size_t begin;      // of its region
    size_t room;       // of its region
    size_t total;      // neighbors that there are
    size_t place;      // where they are to stand
} row_range;

typedef struct row_ranges {
    block_claim claim; // a block is a range
    const acre_quadtree *tree;
    const acre_neighbors_query *query;
    const acre_neighbor_lists *lists; // the caller's
    row_range ranges[MOST_ROW_RANGES];
} row_ranges;

static void make_row_ranges(row_ranges *all, size_t placed, uint32_t wanted)
{
    const size_t chunks = (placed + ROWS_A_CHUNK - 1) / ROWS_A_CHUNK;
    const double a_row = (double)all->lists->capacity / (double)placed;
    const uint32_t count = chunks < wanted ? (uint32_t)chunks : wanted;
    ACRE_INVARIANT(count > 0 && count <= MOST_ROW_RANGES);
    size_t begin = 0;
    for (uint32_t i = 0; i < count; i++) {
        const size_t first = chunks * i / count * ROWS_A_CHUNK;
        const bool is_last = i + 1 == count;
        const size_t end = is_last ? placed : chunks * (i + 1) / count * ROWS_A_CHUNK;
        const size_t to = is_last ? all->lists->capacity : (size_t)((double)end * a_row);
        ACRE_INVARIANT(first < end && begin <= to && to <= all->lists->capacity);
        all->ranges[i] =
            (row_range){.first = first, .end = end, .begin = begin, .room = to - begin};
        begin = to;
    }
    all->claim.count = count;
}

// Rows of the range begin at 0 then.
static void search_row_range(const row_ranges *all, row_range *range, size_t begin, size_t room)
{
    acre_neighbor_lists own = *all->lists;
    own.items = room > 0 ? all->lists->items + begin : NULL;
    own.capacity = room;
    own.total = 0;
    acre_search_rows(all->tree, all->query, &own, range->first, range->end);
    range->total = own.total;
}

static void search_row_ranges(void *context, uint32_t share)
{
    (void)share;
    row_ranges *const all = context;
    for (uint32_t i; claim_block(&all->claim, &i);) {
        row_range *const range = &all->ranges[i];
        search_row_range(all, range, range->begin, range->room);
    }
}

static bool row_range_fits(const row_range *range)
{
    return range->total <= range->room;
}

static void move_row_range(const row_ranges *all, const row_range *range)
{
    const size_t capacity = all->lists->capacity;
    const size_t room = range->place < capacity ? capacity - range->place : 0;
    const size_t count = range->total < room ? range->total : room;
    if (count > 0 && range->place != range->begin) {
        memmove(all->lists->items + range->place, all->lists->items + range->begin,
                count * sizeof *all->lists->items);
    }
}

// Moves the regions to their places. Those that move to the left go first, ascending, then those
// that move to the right, descending: no region is overwritten before it has moved.
static size_t close_up_rows(row_ranges *all)
{
    size_t total = 0;
    for (uint32_t i = 0; i < all->claim.count; i++) {
        all->ranges[i].place = total;
        total += all->ranges[i].total;
    }
    for (uint32_t i = 0; i < all->claim.count; i++) {
        if (row_range_fits(&all->ranges[i]) && all->ranges[i].place <= all->ranges[i].begin) {
            move_row_range(all, &all->ranges[i]);
        }
    }
    for (uint32_t i = all->claim.count; i-- > 0;) {
        if (row_range_fits(&all->ranges[i]) && all->ranges[i].place > all->ranges[i].begin) {
            move_row_range(all, &all->ranges[i]);
        }
    }
    return total;
}

// Searches what did not fit into its region, and tells the rows where they begin.
static void finish_row_ranges(row_ranges *all)
{
    const acre_neighbor_lists *const lists = all->lists;
    for (uint32_t i = 0; i < all->claim.count; i++) {
        row_range *const range = &all->ranges[i];
        if (!row_range_fits(range) && range->place < lists->capacity) {
            const size_t room = lists->capacity - range->place, found = range->total;
            search_row_range(all, range, range->place, found < room ? found : room);
            ACRE_INVARIANT(range->total == found);
        }
        for (size_t at = range->first; at < range->end; at++) {
            lists->rows[lists->rows[at].order].first += range->place;
        }
    }
}

bool acre_search_rows_in_shares(const acre_quadtree *tree, const acre_neighbors_query *query,
                                acre_neighbor_lists *lists, size_t placed)
{
    uint32_t shares = share_count_for(&tree->tasks, placed, SHARE_NEIGHBOR_ROWS);
    row_ranges all; // not zeroed: it is large
    if (shares < 2 || placed <= ROWS_A_CHUNK || tree->listener) {
        return false;
    }
    atomic_init(&all.claim.next, 0);
    all.tree = tree;
    all.query = query;
    all.lists = lists;
    make_row_ranges(&all, placed, shares * ROW_RANGES_A_SHARE);
    shares = shares < all.claim.count ? shares : all.claim.count;
    acre_run_shares(&tree->tasks, "acre neighbors", shares, search_row_ranges, &all);
    lists->total = close_up_rows(&all);
    finish_row_ranges(&all);
    return true;
}
