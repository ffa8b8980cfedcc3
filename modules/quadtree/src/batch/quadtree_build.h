// SPDX-License-Identifier: MIT
// quadtree_build.h - a build of the tree: its entries, and what its files do for each other.
#ifndef ACRE_QUADTREE_BUILD_H
#define ACRE_QUADTREE_BUILD_H

#include "quadtree_batch.h"
#include "quadtree_kernel_build.h"
#include "tasks_internal.h"

#include <string.h>

#define TAKEN (ABSENT - 1) // location of an item that a build has collected but not yet placed

enum {
    LEVEL_BITS = 5,
    LEVEL_MASK = (1 << LEVEL_BITS) - 1,
    SORT_LEVELS = 5,         // one pass sorts by at most so many levels
    SORTED_CELL_ITEMS = 256, // on average in a cell that is sorted no further
    ITEM_BITS = 26,
    // A quad takes one cell off the stack and puts at most four on, one step down. I4 bounds the
    // steps.
    BUILD_STACK = 3 * MAX_LEVEL + 8,
    FILLED_QUADS = 8, // that a worker claims at a time: up to some 2,000 items
    MOST_JOBS = 512,  // cells that workers plan: 256 of a flat world
    JOB_BANDS = 4     // of a job, which has some 4,000 items; one that has more is done once more
};

// One item while it is sorted. At first the key holds the finest cell, x in its low half and z in
// its high half. Once the root is known, the key is the place on the curve of the item's own cell,
// then 31 - level. The key of an outlier is 0, which sorts before all others.
typedef struct bulk_entry {
    uint64_t key;
    uint32_t source; // row of the batch, or the item's location in the old blocks
    uint32_t item : ITEM_BITS;
    uint32_t level : LEVEL_BITS; // LEVEL_MASK: an outlier; once there are keys, the item's band
    uint32_t is_old : 1;         // the item was in the tree before
} bulk_entry;
static_assert(sizeof(bulk_entry) == 16, "what quadtree.h says of memory: two entries an item");

// A cell that gets bands.
typedef struct bulk_bands {
    uint32_t number; // of the cell, among those that get children
    uint32_t end[3]; // behind the last entry of each band but the highest
    height_bands bands;
} bulk_bands;
static_assert(sizeof(bulk_bands) == 24, "what this file's first comment says of memory");

// Heights between which centers lie.
typedef struct height_span {
    float low;
    float high;
} height_span;

typedef struct bulk_build {
    acre_quadtree *tree;
    const box_source *source; // rows of the batch
    bulk_entry *memory;       // room for entries, scratch and centers
    bulk_entry *entries;
    bulk_entry *scratch;     // entries are sorted into it; as large as entries
    float *centers;          // their heights: by location in the old blocks, then by row
    size_t center_count;     // of centers
    uint32_t old_slots;      // of centers of old blocks
    size_t capacity;         // of entries
    size_t count;            // of entries in use
    ground_lattice place_on; // where items are placed: the tree's lattice, or the one that it gets
    cell root;               // grown to hold all collected items
    uint32_t root_level;     // before it grew
    uint32_t limit;          // above the largest item
    tree_rows old;           // the rows that hold the old items' boxes; none if the tree was empty
    const block_boxes *old_boxes; // boxes of the old items, before and after the rows are taken
    float lowest[GROUP_SLOTS];    // centers that were collected in each slot of a group
    float highest[GROUP_SLOTS];
    bulk_bands *bands; // cells with bands, in the order in which both walks meet them
    size_t bands_count;
    size_t bands_capacity;
    height_span heights; // of all items' centers
    size_t bands_met;    // by the second walk
    uint32_t met;        // cells with enough entries for children, met by a walk
    bool has_no_memory;  // for bands
    bool has_few_bands;  // bands have their room, and no allocator: has_no_memory where it ends
    uint32_t shares;     // of the parts that are divided; 1: one thread does all
} bulk_build;

// The entries of a node and its descendants, while they are divided.
typedef struct bulk_part {
    uint32_t node;
    uint32_t level;
    uint32_t sorted; // the entries are sorted by cells of this level
    uint32_t bands;  // index of its bands; NONE: it gets quarters
    uint32_t bands_above;
    size_t begin;
    size_t own_end; // here the entries begin that belong below the node
    size_t end;
    height_span heights; // the entries' centers lie in it
} bulk_part;

// The boxes of up to GROUP_SLOTS rows, and where they belong.
static inline void place_rows(const bulk_build *build, size_t first, uint32_t rows,
                              item_group *group, group_places *places)
{
    ACRE_INVARIANT(rows <= GROUP_SLOTS && first + rows - 1 <= UINT32_MAX);
    memset(group, 0, sizeof *group);
    for (uint32_t slot = 0; slot < rows; slot++) {
        const row_box box = source_rows(build->source, first + slot);
        for (int i = 0; i < ROW_COUNT; i++) {
            group->row[i][slot] = box.row[i];
        }
    }
    build_kernel_of(build->tree)->place_group(&build->place_on.grid, group, places);
}

// Adds an entry for the item whose box is in a slot of a group.
static inline void add_entry(bulk_build *build, uint32_t item, const item_group *group,
                             const group_places *places, uint32_t slot, uint32_t source,
                             bool is_old)
{
    const uint32_t level = places->level[slot] & ~(uint32_t)LEVEL_UNSURE;
    placement place = {places->x[slot], places->z[slot], level, level > MAX_LEVEL};
    if (place.level & LEVEL_CLOSE) {
        const row_box box = group_rows(group, slot);
        place = acre_grid_place(&build->place_on.grid, &box);
    }
    if (!cell_holds(&build->root, place.x, place.z) && !place.is_outlier) {
        build->root = acre_grown_root(build->root, &place);
    }
    ACRE_INVARIANT(build->count < build->capacity);
    ACRE_INVARIANT(item < 1u << ITEM_BITS);
    build->entries[build->count++] =
        (bulk_entry){.key = (uint64_t)(uint32_t)place.x | (uint64_t)(uint32_t)place.z << 32,
                     .source = source,
                     .item = item & ((1u << ITEM_BITS) - 1),
                     .level = (place.is_outlier ? LEVEL_MASK : place.level) & LEVEL_MASK,
                     .is_old = is_old};
}

// quadtree_build.c

// Adds entries for the items in the chains of quads first to end - 1, behind those that are there.
void acre_build_collect_quads(bulk_build *build, uint32_t first, uint32_t end);

// Keeps the heights of the centers of a group's first boxes, and between which heights they lie.
// source: of the first of them; is_old: as of an entry.
void acre_build_note_group(bulk_build *build, const item_group *group, uint32_t count,
                           uint32_t source, bool is_old);

// Turns the cells of some entries into places along the curve, now that the root is known.
void acre_build_make_keys(const bulk_build *build, size_t begin, size_t end);

// The bucket of an entry: first how many levels it lies above the sorted level, then its cell
// there.
static inline uint32_t sort_class(uint64_t key, uint32_t sorted, uint32_t levels)
{
    const uint32_t level = LEVEL_MASK - (uint32_t)(key & LEVEL_MASK);
    const uint32_t above = level > sorted ? level - sorted : 0;
    const uint32_t at = (uint32_t)(key >> LEVEL_BITS >> 2 * sorted) & ((1u << 2 * levels) - 1);
    return (above < levels + 1 ? above : levels + 1) << 2 * levels | at;
}

// A cell whose descendants a worker sorts and plans.
typedef struct plan_job {
    _Alignas(SHARE_ALIGNMENT) bulk_part part;
    uint32_t met_before; // cells that the caller's walk met before it, and the bands of those
    size_t bands_before;
    uint32_t quads, met; // below the cell
    size_t bands_count;
    bool is_short; // of room for bands
    bulk_bands bands[JOB_BANDS];
} plan_job;
ASSERT_OWN_LINES(plan_job);

typedef struct plan_jobs {
    plan_job *jobs; // room for MOST_JOBS
    uint32_t count;
} plan_jobs;

// The first walk below a part that is planned. jobs: receives the cells that workers are to walk
// through; NULL: all are walked through. Returns how many quads there are without those of jobs.
uint32_t acre_build_plan_below(bulk_build *build, const bulk_part *part, plan_jobs *jobs);

// Adds the bands of a cell. False: no memory.
bool acre_build_add_bands(bulk_build *build, const bulk_bands *bands);

// quadtree_build_shares.c: parts of a build in build->shares shares, as one thread does them.
// False: it does not pay, or there is not enough memory; then nothing is changed.
bool acre_build_collect_tree_in_shares(bulk_build *build);
bool acre_build_collect_rows_in_shares(bulk_build *build, const uint32_t *items, size_t count);
bool acre_build_sort_in_shares(bulk_build *build, uint32_t sorted);
bool acre_build_plan_in_shares(bulk_build *build, const bulk_part *root, uint32_t *quads);

#endif
