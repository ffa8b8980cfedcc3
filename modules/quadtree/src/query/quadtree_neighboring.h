// SPDX-License-Identifier: MIT
// quadtree_neighboring.h - what the search for neighbors and its kernels share.
//
// The search takes up to ROWS_TOGETHER rows at a time, which are near each other:
//     1. It puts a box around their spheres and lists the groups of the tree whose bounds overlap
//        it, with these bounds side by side.
//     2. For each row it tests these bounds against the row's sphere, 16 at a time, and then the
//        items of the groups that the sphere touches.
// If the box overlaps too many groups, it takes half as many rows; a single row is a query of its
// own then. quadtree_neighbors_nearest.c says how the nearest are found, and
// quadtree_neighbors_layers.c how the layers within reach are.
#ifndef ACRE_QUADTREE_NEIGHBORING_H
#define ACRE_QUADTREE_NEIGHBORING_H

#include <acre/quadtree_neighbors.h>

#include "quadtree_kernel_neighbor.h"
#include "quadtree_walk.h"
#include "tasks_internal.h"

#include <math.h>

enum {
    ROWS_TOGETHER = 16,
    // More groups than this for each row, and the way through the tree is not worth sharing. With 8
    // instead of 16, units with 37 neighbors each take 27 % longer, those with 147 take 77 %.
    GROUPS_A_ROW = 16,
    MOST_NEAR_GROUPS = ROWS_TOGETHER * GROUPS_A_ROW,
    // The nearest are found in at most so many listed groups. In more there are boxes that overlap
    // each other, or few rows that are far from each other.
    NEAREST_GROUPS_LISTED = 64,
    MOST_MEASURED = (NEAREST_GROUPS_LISTED + 1) * GROUP_SLOTS,
    // Items that rows share where so many groups are near them that few of all items count.
    MOST_NEAR_ITEMS = 768,
    WITNESS_LANES = 4 * GROUP_SLOTS,
    MOST_RANKED = 48, // measured items that are sorted by their ranks
    // More nearest than this do not share candidates: each witness needs a lane of its own, and two
    // near items may fall into one.
    MOST_SHARED_NEAREST = 47,
    // Rows of a chunk are searched as if no others came before, so that workers may take chunks.
    // With 1,024 the nearest 8 of 10,000 took 2 % more instructions.
    ROWS_A_CHUNK = 4096,
    FEW_ROWS_A_CHUNK = 64
};
static_assert(MOST_SHARED_NEAREST + 1 <= WITNESS_LANES, "the row's own item is a witness, too");

static inline size_t rows_a_chunk(const acre_quadtree *tree)
{
    return block_size_for(&tree->tasks, ROWS_A_CHUNK, FEW_ROWS_A_CHUNK);
}

typedef struct neighbor_task {
    const item_group *groups; // of block 0
    const uint32_t *ids;      // of block 0
    bool is_on_ground;
    uint32_t count;                                    // groups listed
    uint32_t most;                                     // that are listed
    uint32_t words[MOST_NEAR_GROUPS];                  // group_word
    uint32_t slots[MOST_NEAR_GROUPS];                  // where distances count: of which items
    item_group bounds[MOST_NEAR_GROUPS / GROUP_SLOTS]; // bounds of 16 groups side by side
} neighbor_task;

// Where a row is.
typedef struct row_place {
    acre_sphere sphere; // y is 0 on the ground; the radius may be INFINITY
    uint32_t own;       // location of the item to leave out, ABSENT: none
} row_place;

// The items that may be among the `wanted` nearest of any row of some, and the witnesses that rule
// out the others: for each lane the item, of those looked at in this lane, whose box is nearest to
// the farthest corner of the rows' box. Each of `wanted` witnesses is in reach of every row.
typedef struct near_candidates {
    row_box rows;     // around the centers of the rows
    float near;       // squared distance of the farthest of `wanted` witnesses; or the limit
    float touch;      // `near`, and more than what is lost in roots
    uint32_t last_id; // the largest number of these witnesses
    uint32_t count;
    uint32_t step;                // groups until witnesses are chosen again
    float witness[WITNESS_LANES]; // squared distances; INFINITY: none yet
    uint32_t witness_ids[WITNESS_LANES];
    uint32_t ids[MOST_NEAR_ITEMS];
    item_group groups[MOST_NEAR_ITEMS / GROUP_SLOTS];
} near_candidates;

// What rows that are searched together have not seen yet, and what the listed groups have.
typedef struct near_layers {
    const uint32_t *of_items;     // NULL: all items are in all layers
    uint32_t count;               // of rows
    uint32_t left[ROWS_TOGETHER]; // of the layers that each row wants
    uint32_t left_of_any;
    uint32_t first;                       // the listed group that rows look at first
    uint32_t of_groups[MOST_NEAR_GROUPS]; // of all items of a listed group; 0: not known yet
    uint32_t of_slots[MOST_NEAR_GROUPS][GROUP_SLOTS];
} near_layers;

// Larger than every square whose root rounds to the same float as this one's.
static inline float beyond_root(float square)
{
    return square * (1.0f + 0x1p-20f) + FLT_MIN;
}

// A row that is searched now.
typedef struct taken_row {
    uint32_t row;
    uint32_t layers; // finds only items that share a bit; 0: all
    row_place place;
    shape_round round;
} taken_row;

// How far away the last of the nearest were of the rows before.
typedef struct nearest_guess {
    bool is_known;
    float mean;      // of squared distances
    float spread;    // mean deviation from it
    size_t count;    // hits of the row before, if it had as many as it wanted; else 0
    float center[3]; // of the row before
    float farthest;  // of its hits
} nearest_guess;

typedef struct neighbor_search {
    const acre_quadtree *tree;
    const acre_neighbors_query *query;
    acre_neighbor_lists *lists;
    uint32_t layers; // of all taken rows; 0: all
    const query_kernel *box;
    const query_kernel *round;
    const neighbor_kernel *kernel;
    uint32_t together; // how many rows to search together next
    query_volume volume;
    taken_row taken[ROWS_TOGETHER];
    neighbor_task task;
    nearest_guess guess;
    bool lists_candidates; // the task has candidates instead of the tree's groups
    bool hits_are_shared;  // they serve a row in the same place with the same shared_touch
    float shared_touch;    // round.touch of the row that found them
    uint32_t hit_count;    // of the row before
    union {
        struct {
            acre_query_hit hits[MOST_MEASURED]; // its nearest
            uint32_t measured[MOST_MEASURED];
            uint32_t squares[MOST_MEASURED]; // of measured: bits of squared distances
        };
        uint32_t found_squares[(MOST_NEAR_GROUPS + 1) * GROUP_SLOTS]; // the same of all neighbors
    };
    union {
        uint32_t found[(MOST_NEAR_GROUPS + 1) * GROUP_SLOTS]; // where the array is short of room
        near_candidates candidates;
        near_layers near_layers;
    };
} neighbor_search;
static_assert(ACRE_NEIGHBORS_MOST_NEAREST < MOST_MEASURED, "there is room for the hits of a row");

static inline bool is_on_ground(const neighbor_search *search)
{
    return search->query->flags & ACRE_NEIGHBORS_ON_GROUND;
}

// Where distances of a row are measured from.
static inline acre_aabb origin_of_row(const neighbor_search *search, const taken_row *row)
{
    const float *const center = row->place.sphere.center;
    const float low = is_on_ground(search) ? -INFINITY : center[1];
    const float high = is_on_ground(search) ? INFINITY : center[1];
    return (acre_aabb){{center[0], low, center[2]}, {center[0], high, center[2]}};
}

static inline uint32_t item_of_location(const acre_quadtree *tree, uint32_t location)
{
    return location == ABSENT ? NONE
                              : tree->ids[location_block(location)].id[location_slot(location)];
}

// A radius of neighbors: as of a sphere, or INFINITY. False for NaN.
static inline bool is_neighbor_radius(float radius)
{
    return radius >= 0.0f && (radius <= LARGEST_OF_SHAPE || !float_is_finite(radius));
}

static inline size_t room_in_lists(const acre_neighbor_lists *lists)
{
    return lists->total < lists->capacity ? lists->capacity - lists->total : 0;
}

// Begins a row of the lists, without neighbors.
static inline void begin_row(acre_neighbor_lists *lists, uint32_t row)
{
    lists->rows[row].first = lists->total;
    lists->rows[row].count = 0;
}

// Adds neighbors to the row that was begun last. ids: in the array already, or elsewhere.
static inline void add_neighbors(acre_neighbor_lists *lists, uint32_t row, const uint32_t *ids,
                                 size_t count)
{
    const size_t room = room_in_lists(lists), fitting = count < room ? count : room;
    ACRE_INVARIANT(lists->total == lists->rows[row].first + lists->rows[row].count);
    if (fitting > 0 && ids != lists->items + lists->total) {
        memcpy(lists->items + lists->total, ids, fitting * sizeof *ids);
    }
    lists->rows[row].count += (uint32_t)count;
    lists->total += count;
}

// quadtree_neighbor_order.c

// The layers that a row asks for; 0: all.
static inline uint32_t layers_of_row(const acre_neighbors_query *query, size_t row)
{
    return query->row_layers ? query->row_layers[row] : query->layers;
}

// Finds where a row is; its item, if it has no sphere, must be in the tree. Returns false for an
// invalid sphere, and for an item without a middle.
bool acre_find_row_place(const acre_quadtree *tree, const acre_neighbors_query *query, size_t row,
                         row_place *out);

// Takes a row, if it has a place. layers: that it asks for; 0: all. Returns how many are taken.
static inline uint32_t take_near_row(neighbor_search *search, uint32_t count, uint32_t row,
                                     uint32_t layers)
{
    taken_row *const taken = &search->taken[count];
    ACRE_INVARIANT(count < ROWS_TOGETHER);
    taken->row = row;
    taken->layers = layers;
    if (!acre_find_row_place(search->tree, search->query, row, &taken->place)) {
        return count;
    }
    taken->round = shape_round_of(taken->place.sphere.center, taken->place.sphere.radius);
    return count + 1;
}

// Puts the rows in the order in which they are searched: rows[n].order. Those that are refused or
// about absent items come last. Reports the refused ones. Returns how many rows come before; of
// these, rows of items without a middle are empty.
size_t acre_order_rows(const acre_quadtree *tree, const acre_neighbors_query *query,
                       acre_neighbor_lists *lists);

// quadtree_neighbors.c

bool acre_neighbors_query_is_valid(const acre_neighbors_query *query);

// Sets what all rows of a search have in common, but for the lists. The tree must have items.
void acre_begin_search(neighbor_search *search, const acre_quadtree *tree,
                       const acre_neighbors_query *query);

// Searches the rows at places first to end - 1, and appends what they have to the lists. first is a
// multiple of rows_a_chunk.
void acre_search_rows(const acre_quadtree *tree, const acre_neighbors_query *query,
                      acre_neighbor_lists *lists, size_t first, size_t end);

// quadtree_neighbor_groups.c

// Takes groups of the tree that are near some rows. Returns false to end the walk.
typedef bool (*take_near_groups)(neighbor_search *search, const uint32_t *words, uint32_t count);

// Visits the groups near the taken rows from first to end - 1, whose radii count as at most
// `widest`. Returns false if it was ended.
bool acre_walk_near_rows(neighbor_search *search, uint32_t first, uint32_t end, float widest,
                         take_near_groups take);

// Adds groups to the task, as far as it has room. Returns false if it has too little.
bool acre_add_near_groups(neighbor_search *search, const uint32_t *words, uint32_t count);

// Lists the groups near rows in the task, at most so many. Returns false if there are more.
bool acre_list_groups_near(neighbor_search *search, uint32_t first, uint32_t end, float widest,
                           uint32_t most);

// quadtree_neighbors_nearest.c

// Searches for the nearest of the taken rows.
void acre_find_nearest_of_rows(neighbor_search *search, uint32_t count);

// quadtree_neighbors_shares.c

// acre_search_rows for the first `placed` rows on several workers, if it pays. False: it does not,
// and nothing is changed. lists->total is 0.
bool acre_search_rows_in_shares(const acre_quadtree *tree, const acre_neighbors_query *query,
                                acre_neighbor_lists *lists, size_t placed);

#endif
