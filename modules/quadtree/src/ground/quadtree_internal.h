// SPDX-License-Identifier: MIT
// quadtree_internal.h - the tree's memory: quads of four siblings, blocks of items, locations.
//
//     quad 0        slot 0 is the root, slot 1 the outliers' list, slots 2 and 3 stay empty
//     quads[q]      four sibling cells; a node is named by q * 4 + slot, slot = x bit | z bit << 1
//     banded quad   four bands of height, the lowest first; the cell of each is its parent's
//     node          its own items stand in a chain of blocks; only the first block may have gaps
//     block         64 boxes as four groups of six rows of 16 floats; ids and header apart
//     group         16 items that stand close together; its bounds are in the block's header
//     locations     item -> block * 64 + slot
//
// Invariants. acre_quadtree_validate checks them by their numbers, without tolerance; asserts in
// the code name them where one is established or relied on.
// - I1: every stored box is valid.
// - I2: an item's location names the slot that holds its id; all other locations are ABSENT.
// - I3: the counts of a chain add up; its blocks but the first are full; each block is in one chain
//   or in the free list; a run has no gap.
// - I4: children know their parent; levels fall by one, and a cell's corner follows from its slot.
//   Or the children are bands: each has its parent's cell, the height of a band is a power of two
//   and the base a multiple of it, and the parent has no items of its own. No more bands stand
//   above a node than its level, nor more than MAX_BANDS. So the way down from the root to a node
//   has no more steps than the root's level, as it would without bands.
// - I5: an item's center lies in its cell, by integers, and its size is at most the cell's.
// - I6: an item stands at the deepest existing level that its size allows.
// - I7: an item lies in its group's bounds, these in the node's, these in the parent's.
// - I8: a node's bounds lie in the cell's loose bounds, in x and z.
// - I9: outliers are exactly the items that no cell of the root can hold.
// - I10: the root covers the home square of the lattice.
// - I11: the layers of a node include those of its items and children.
// - I12: there are enough blocks for any refresh; quadtree_memory.c has the proof.
// - I13: a block's header repeats its node's cell.
// - I14: the counters of items, outliers and nodes equal what the arrays hold.
// - I15: a finest cell has a power of two for its side, and the origin is a multiple of it. The
//   lattice is the def's unless it was changed. Finer cells than the def's there are only where its
//   max_depth is the default.
#ifndef ACRE_QUADTREE_INTERNAL_H
#define ACRE_QUADTREE_INTERNAL_H

#include <acre/quadtree_calls.h>

#include "access_internal.h"
#include "assert_internal.h"
#include "prefetch_internal.h"
#include "quadtree_place.h"
#include "quadtree_tuning.h"
#include "refusal_internal.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#define NONE UINT32_MAX   // names no node, no quad and no block
#define ABSENT UINT32_MAX // location of an item that is not in the tree

enum { ROOT_NODE = 0, OUTLIER_NODE = 1 };
enum { ALL_GROUPS = (1 << BLOCK_GROUPS) - 1 }; // the set of a block's groups
enum { MAX_BANDS = 8 };                        // bands within bands

// Four boxes side by side, as queries test them.
typedef struct four_boxes {
    float row[ROW_COUNT][4];
} four_boxes;

typedef struct quad {
    four_boxes bounds; // by slot: stored bounds of the node's items and all descendants
    uint32_t child[4]; // quad of the node's children, 0 = none
    uint32_t items[4]; // chain word of the node's items, 0 = none; see chain_word
} quad;
static_assert(sizeof(quad) == 128, "a quad is two cache lines");

// The part of a quad that queries do not read, apart from layers.
typedef struct quad_cold {
    uint32_t parent; // node whose children these are; in a free quad the next free quad
    uint32_t level;  // level of the four cells, with BANDED beside it; NONE: the quad is free
    union {
        struct {
            int32_t x, z; // corner of slot 0's cell
        };
        height_bands bands; // of a banded quad
    };
    uint32_t count[4];  // number of the node's own items
    uint32_t retry[4];  // a split that would move too little is tried again at this count
    uint32_t layers[4]; // layers of the node's items and descendants, or more
} quad_cold;
static_assert(sizeof(quad_cold) == 64, "one cache line");

enum { LEVEL_ONLY = 255, BANDED = 256 }; // parts of quad_cold.level

typedef struct item_group {
    float row[ROW_COUNT][GROUP_SLOTS];
} item_group;

typedef struct block_boxes {
    item_group groups[BLOCK_GROUPS];
} block_boxes;
static_assert(sizeof(block_boxes) == 1536, "a row is one cache line");

typedef struct block_ids {
    uint32_t id[BLOCK_SLOTS];
} block_ids;

// An item may stay in its cell if three numbers are in range: its center's x and z, and its size,
// the larger of its sides along x and z. A smaller item may belong deeper, a larger one higher.
enum { LIMIT_X, LIMIT_Z, LIMIT_SIZE, LIMIT_COUNT };
typedef struct cell_limits {
    float least[LIMIT_COUNT]; // smallest number allowed
    float end[LIMIT_COUNT];   // smallest number too large
} cell_limits;

// What a query needs to test a block's four groups, and what a refresh needs to find that an item
// stays where it is.
typedef struct block_header {
    four_boxes bounds;  // of each group's items, or larger; empty for a group without items
    uint32_t node;      // node whose chain has the block; NONE: the block is free
    cell_limits limits; // limits of the node's cell
    float tidy_width;   // sum of the groups' widths when they were last put in order
} block_header;
static_assert(sizeof(block_header) == 128, "two cache lines");

// The tree's arrays.
typedef enum array_index {
    ARRAY_QUADS, // of quads, the first
    ARRAY_COLD,
    ARRAY_BOXES, // of blocks, the first
    ARRAY_IDS,
    ARRAY_HEADERS,
    ARRAY_NEXT,
    ARRAY_LEAVING,
    ROW_ARRAY_COUNT, // the arrays above have a row for each quad or block
    ARRAY_LOCATIONS = ROW_ARRAY_COUNT,
    ARRAY_LAYERS,
    ARRAY_COUNT_
} array_index;

// The arrays of quads and blocks, taken out of a tree that is given others.
typedef struct tree_rows {
    void *arrays[ROW_ARRAY_COUNT];
    size_t bytes[ROW_ARRAY_COUNT];
    uint32_t quad_capacity;
    uint32_t block_capacity;
} tree_rows;

struct acre_quadtree {
    acre_access access;
    acre_allocator allocator;
    ground_grid grid;
    cell home; // the root covers it: the square of the def, or one that another lattice came with
    acre_quadtree_def def; // defaults filled in; no allocator; kernel is the one that was chosen
    acre_quadtree_listener listener;
    void *listener_context;
    acre_tasks tasks; // without workers: serial

    quad *quads;
    quad_cold *cold;
    uint32_t quad_count;    // rows that were ever used, free ones included
    uint32_t quad_capacity; // rows of the arrays
    uint32_t free_quad;     // first quad of the free list, 0 = none
    uint32_t live_quads;    // rows in use
    uint32_t banded_quads;  // of these, quads of bands

    block_boxes *boxes;
    block_ids *ids;
    block_header *headers;
    uint32_t *next;    // next block of the chain or of the free list, NONE = none
    uint64_t *leaving; // scratch. refresh_all: a bit for each slot whose item leaves its cell; a
                       // build, in the first block of a chain: where its entries begin
    uint32_t block_count;
    uint32_t block_capacity;
    uint32_t free_block; // NONE = none
    uint32_t live_blocks;

    uint32_t *locations;
    uint32_t *layers;        // NULL until an item gets a mask other than "all"
    uint32_t location_count; // elements of locations, and of layers if there are any
    uint32_t item_limit;     // above every item since the tree was last empty
    uint32_t item_count;
    uint32_t insert_node;    // node of the last insert; the node may be gone
    bool inserts_are_near;   // the last two inserts went to one node below the root
    uint32_t last_item;      // item of the last single refresh
    uint32_t last_step;      // its distance from the single refresh before it
    uint32_t expected_items; // rest of a batch that is being inserted; blocks count them already

    uint32_t maintain_cursor; // node that maintain looks at next
    uint32_t shrink_wait;     // maintains since the root grew or shrank

    float def_cell;              // side of a finest cell of the def's lattice
    bool has_other_lattice;      // than the def's
    bool was_refined;            // by the last change of the lattice
    uint32_t reach_misses;       // looks for a lattice with larger cells that found none
    uint32_t reach_countdown;    // maintains until the next one
    uint32_t finer_delay;        // finer lattices that did not last
    uint32_t finer_countdown;    // maintains until one that was found is taken; 0: none was found
    uint32_t reachable_outliers; // at most so many would be held by another lattice
    uint32_t finer_wait;         // see acre_renew_lattice
    uint64_t finer_edits;        // moves and removals when a finer lattice was looked for last
    acre_quadtree_report report;
    struct {
        uint64_t moves, splits, collapses, grows, shrinks, tightened, removals, lattices;
    } work;
    size_t bytes[ARRAY_COUNT_];
};

// A call of user code from inside a call on a tree. Each thread has a list of those that it is in,
// so that an edit from there is refused in every build, and so that queries of one tree on several
// threads write nothing that they share. An entry stands on the stack of the call on the tree.
typedef struct tree_callback {
    const acre_quadtree *tree;
    const struct tree_callback *outer; // around this one: of any tree
} tree_callback;

extern ACRE_THREAD_LOCAL const tree_callback *acre_innermost_callback; // quadtree_callbacks.c

static inline void begin_callback(tree_callback *callback, const acre_quadtree *tree)
{
    *callback = (tree_callback){tree, acre_innermost_callback};
    acre_innermost_callback = callback;
}

static inline void end_callback(const tree_callback *callback)
{
    ACRE_ASSERT(acre_innermost_callback == callback); // it returned, and on its own thread
    acre_innermost_callback = callback->outer;
}

// Whether this thread, which is in some callback, is in one of the tree. quadtree_callbacks.c
bool acre_is_in_callback(const acre_quadtree *tree);

// Begins an edit, or says that the tree is busy. end_edit ends it.
static inline bool begin_edit(acre_quadtree *tree)
{
    return (!acre_innermost_callback || !acre_is_in_callback(tree)) &&
           access_begin_write(&tree->access);
}

// Begins an edit of what may be no tree. @return why not, or ACRE_OK: end_edit ends it.
static inline acre_result start_edit(acre_quadtree *tree)
{
    return !tree ? ACRE_ERROR_INVALID_ARGUMENT : begin_edit(tree) ? ACRE_OK : ACRE_ERROR_BUSY;
}

// Begins a read. can: whether the arguments are good. @return why not, or ACRE_OK:
// access_end_read ends it.
static inline acre_result start_read(const acre_quadtree *tree, bool can)
{
    return !tree || !can                      ? ACRE_ERROR_INVALID_ARGUMENT
           : access_begin_read(&tree->access) ? ACRE_OK
                                              : ACRE_ERROR_BUSY;
}

// Calls the listener of a tree that has one. quadtree_callbacks.c
void acre_call_listener(const acre_quadtree *tree, const acre_quadtree_call *call);

// Notifies the listener, if there is one, of a call: NOTIFY(tree, .kind = ..., .result = ...). The
// call is only put together for a listener.
#define NOTIFY(tree, ...)                                                                          \
    do {                                                                                           \
        if ((tree)->listener) {                                                                    \
            const acre_quadtree_call notified_call = {__VA_ARGS__};                                \
            acre_call_listener(tree, &notified_call);                                              \
        }                                                                                          \
    } while (0)

// A chain word names a node's chain: the first block in bits 0..22, "has more blocks" in bit 23,
// "is a run" in bit 24, and the number of items in the first block above. The blocks of a run lie
// one after the other in memory: the second block first, then the third and so on, and the chain's
// first block last. Copying a run's ids needs no walk along the chain.
enum {
    CHAIN_BLOCK_BITS = 23,
    MAX_BLOCKS = 1 << CHAIN_BLOCK_BITS,
    CHAIN_MORE = 1 << CHAIN_BLOCK_BITS,
    CHAIN_RUN = CHAIN_MORE << 1,
    CHAIN_ITEM = CHAIN_RUN << 1 // added for each item in the first block
};
static_assert(UINT32_MAX / CHAIN_ITEM >= BLOCK_SLOTS, "a chain word counts a full block");

// A single block is always a run. For longer chains the caller sets CHAIN_RUN if it knows the
// blocks are contiguous.
static inline uint32_t chain_word(uint32_t block, bool more, uint32_t count)
{
    ACRE_INVARIANT(block < MAX_BLOCKS && count <= BLOCK_SLOTS);
    return block | (uint32_t)(more ? CHAIN_MORE : CHAIN_RUN) | count * CHAIN_ITEM;
}
static inline uint32_t chain_block(uint32_t word)
{
    return word & (MAX_BLOCKS - 1);
}
static inline bool chain_more(uint32_t word)
{
    return word & CHAIN_MORE;
}
static inline bool chain_is_run(uint32_t word)
{
    return word & CHAIN_RUN;
}
static inline uint32_t chain_count(uint32_t word)
{
    return word / CHAIN_ITEM;
}
// The block of a run that lies first in memory; chain_block is the one that lies last.
static inline uint32_t run_begin(const uint32_t *next, uint32_t word)
{
    const uint32_t block = chain_block(word), second = next[block];
    ACRE_INVARIANT(chain_is_run(word));
    return chain_more(word) ? second : block;
}

// A location: the block and the slot in which an item stands.
static inline uint32_t location_of(uint32_t block, uint32_t slot)
{
    ACRE_INVARIANT(block < MAX_BLOCKS && slot < BLOCK_SLOTS);
    return block * BLOCK_SLOTS + slot;
}
static inline uint32_t location_block(uint32_t location)
{
    return location / BLOCK_SLOTS;
}
static inline uint32_t location_slot(uint32_t location)
{
    return location % BLOCK_SLOTS;
}

static inline bool is_live_quad(const acre_quadtree *tree, uint32_t q)
{
    return q < tree->quad_count && tree->cold[q].level != NONE;
}
static inline bool is_banded(const acre_quadtree *tree, uint32_t q)
{
    ACRE_INVARIANT(is_live_quad(tree, q));
    return tree->cold[q].level & BANDED;
}
static inline uint32_t node_level(const acre_quadtree *tree, uint32_t node)
{
    return tree->cold[node >> 2].level & LEVEL_ONLY;
}
static inline uint32_t *node_items(const acre_quadtree *tree, uint32_t node)
{
    return &tree->quads[node >> 2].items[node & 3];
}
static inline uint32_t node_child(const acre_quadtree *tree, uint32_t node)
{
    return tree->quads[node >> 2].child[node & 3];
}
static inline uint32_t node_count(const acre_quadtree *tree, uint32_t node)
{
    return tree->cold[node >> 2].count[node & 3];
}
static inline uint32_t node_parent(const acre_quadtree *tree, uint32_t node)
{
    return tree->cold[node >> 2].parent;
}
// The cell of a node that is no band.
static inline cell quarter_cell(const acre_quadtree *tree, uint32_t node)
{
    const quad_cold *const cold = &tree->cold[node >> 2];
    const int32_t size = (int32_t)(1u << cold->level);
    ACRE_INVARIANT(!is_banded(tree, node >> 2));
    return (cell){cold->x + (int32_t)(node & 1) * size, cold->z + (int32_t)(node >> 1 & 1) * size,
                  cold->level};
}
static inline cell node_cell(const acre_quadtree *tree, uint32_t node)
{
    while (is_banded(tree, node >> 2)) {
        node = node_parent(tree, node);
    }
    return quarter_cell(tree, node);
}
static inline uint32_t item_node(const acre_quadtree *tree, uint32_t item)
{
    ACRE_INVARIANT(item < tree->location_count && tree->locations[item] != ABSENT);
    return tree->headers[location_block(tree->locations[item])].node;
}
static inline bool has_item(const acre_quadtree *tree, uint32_t item)
{
    return item < tree->location_count && tree->locations[item] != ABSENT;
}

// A walk over all cells, each before its children: for (node = ROOT_NODE; node != NONE; node =
// next_preorder(tree, node)). node_behind leaves out what is below the node.
static inline uint32_t node_behind(const acre_quadtree *tree, uint32_t node)
{
    while (node != ROOT_NODE && (node & 3) == 3) {
        node = node_parent(tree, node);
    }
    return node == ROOT_NODE ? NONE : node + 1;
}
static inline uint32_t next_preorder(const acre_quadtree *tree, uint32_t node)
{
    const uint32_t child = node_child(tree, node);
    return child ? child * 4 : node_behind(tree, node);
}

// Whether a box has a size along all axes. It is then valid in every float mode of the program.
static inline bool rows_have_sizes(const row_box *box)
{
    return (box->row[ROW_X_MIN] < box->row[ROW_X_MAX]) &
           (box->row[ROW_Y_MIN] < box->row[ROW_Y_MAX]) &
           (box->row[ROW_Z_MIN] < box->row[ROW_Z_MAX]);
}

// False if a box has a NaN or is inverted.
static inline bool rows_are_valid(const row_box *box)
{
    return rows_have_sizes(box) || acre_rows_are_ordered(box);
}

// A caller's box as rows, valid or not.
static inline row_box rows_of_aabb(const acre_aabb *box)
{
    row_box rows;
    for (int axis = 0; axis < 3; axis++) {
        rows.row[axis * 2] = box->min[axis];
        rows.row[axis * 2 + 1] = box->max[axis];
    }
    return rows;
}

// Writes a caller's box as rows. False if it is not valid.
static inline bool rows_from_aabb(row_box *out, const acre_aabb *box)
{
    *out = rows_of_aabb(box);
    return rows_are_valid(out);
}

// Small trees split at the capacity of the def; in a tree of many items a leaf may hold more. What
// a leaf may hold changes with the number of items. A cell that has collapsed splits again at the
// earliest when the number of items has halved, because siblings collapse at half of the capacity.
static inline uint32_t large_tree_capacity(size_t items)
{
    const size_t share = items / CAPACITY_SHARE_DIVISOR;
    return share < LARGE_TREE_CAPACITY ? (uint32_t)share : LARGE_TREE_CAPACITY;
}

// Whether so many items are too many for a leaf. The def mostly decides, so it is asked first.
static inline bool is_too_full(const acre_quadtree *tree, uint64_t count, size_t items)
{
    return count > tree->def.node_capacity &&
           (count > LARGE_TREE_CAPACITY || count > items / CAPACITY_SHARE_DIVISOR);
}

// Whether a leaf of so many items may split into bands, in a tree of so many. Where a large tree's
// leaves are small, as the def asks for, bands would leave most of their blocks nearly empty: 95
// bytes an item at 100,000 instead of 82.
static inline bool may_have_bands(uint64_t count, size_t items)
{
    return count > 4 * BLOCK_SLOTS || large_tree_capacity(items) < LARGE_TREE_CAPACITY;
}

// The group that a location is in. The groups of all blocks lie one after the other.
static inline item_group *location_group(const acre_quadtree *tree, uint32_t location)
{
    item_group *const groups = tree->boxes->groups;
    ACRE_INVARIANT(location != ABSENT);
    return groups + location / GROUP_SLOTS;
}

static inline row_box group_rows(const item_group *group, uint32_t slot)
{
    row_box box;
    for (int i = 0; i < ROW_COUNT; i++) {
        box.row[i] = group->row[i][slot];
    }
    return box;
}

static inline row_box location_box(const acre_quadtree *tree, uint32_t location)
{
    return group_rows(location_group(tree, location), location % GROUP_SLOTS);
}

static inline void set_location_box(acre_quadtree *tree, uint32_t location, const row_box *box)
{
    item_group *const group = location_group(tree, location);
    for (int i = 0; i < ROW_COUNT; i++) {
        group->row[i][location % GROUP_SLOTS] = box->row[i];
    }
}

// Boxes that leave the tree have +0 for -0, in every float mode.
static inline float positive_zero(float value)
{
    return float_magnitude_bits(value) == 0 ? 0.0f : value;
}

static inline acre_aabb aabb_of_rows(const row_box *rows)
{
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = positive_zero(rows->row[axis * 2]);
        box.max[axis] = positive_zero(rows->row[axis * 2 + 1]);
    }
    return box;
}

static inline bool rows_contain(const row_box *outer, const row_box *inner)
{
    bool inside = true;
    for (int i = 0; i < ROW_COUNT; i += 2) {
        inside &= outer->row[i] <= inner->row[i];
        inside &= outer->row[i + 1] >= inner->row[i + 1];
    }
    return inside;
}

static inline void rows_merge(row_box *into, const row_box *box)
{
    for (int i = 0; i < ROW_COUNT; i += 2) {
        into->row[i] = box->row[i] < into->row[i] ? box->row[i] : into->row[i];
        into->row[i + 1] = box->row[i + 1] > into->row[i + 1] ? box->row[i + 1] : into->row[i + 1];
    }
}

static inline row_box rows_empty(void)
{
    return (row_box){{FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX}};
}

static inline row_box lane_box(const four_boxes *boxes, uint32_t lane)
{
    row_box box;
    for (int i = 0; i < ROW_COUNT; i++) {
        box.row[i] = boxes->row[i][lane];
    }
    return box;
}

static inline void set_lane_box(four_boxes *boxes, uint32_t lane, const row_box *box)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        boxes->row[i][lane] = box->row[i];
    }
}

static inline row_box node_bounds(const acre_quadtree *tree, uint32_t node)
{
    return lane_box(&tree->quads[node >> 2].bounds, node & 3);
}

static inline void set_node_bounds(acre_quadtree *tree, uint32_t node, const row_box *bounds)
{
    set_lane_box(&tree->quads[node >> 2].bounds, node & 3, bounds);
}

// The bounds of the group that a location is in.
static inline row_box group_bounds(const acre_quadtree *tree, uint32_t location)
{
    return lane_box(&tree->headers[location_block(location)].bounds,
                    location_slot(location) / GROUP_SLOTS);
}

static inline void set_group_bounds(acre_quadtree *tree, uint32_t location, const row_box *bounds)
{
    set_lane_box(&tree->headers[location_block(location)].bounds,
                 location_slot(location) / GROUP_SLOTS, bounds);
}

// A walk over the blocks of a chain: for (walk = chain_first(...); walk.count; walk =
// chain_next(...)).
typedef struct chain_walk {
    uint32_t block; // this block
    uint32_t count; // its items; 0: the walk is over
    uint32_t next;  // block after it, NONE = none
} chain_walk;

static inline chain_walk chain_first(const acre_quadtree *tree, uint32_t node)
{
    const uint32_t word = *node_items(tree, node);
    const uint32_t block = chain_block(word);
    return (chain_walk){block, chain_count(word), chain_more(word) ? tree->next[block] : NONE};
}
static inline chain_walk chain_next(const acre_quadtree *tree, chain_walk walk)
{
    if (walk.next == NONE) {
        return (chain_walk){.count = 0};
    }
    ACRE_INVARIANT(walk.next < tree->block_count);
    return (chain_walk){walk.next, BLOCK_SLOTS, tree->next[walk.next]};
}

// The number of items in a block; 0 if the block is free.
static inline uint32_t block_items(const acre_quadtree *tree, uint32_t block)
{
    ACRE_INVARIANT(block < tree->block_count);
    const uint32_t node = tree->headers[block].node;
    if (node == NONE) {
        return 0;
    }
    const uint32_t word = *node_items(tree, node);
    return chain_block(word) == block ? chain_count(word) : BLOCK_SLOTS;
}

// Whether a valid box certainly stays in a block's cell: its center is in the cell, and its size
// lies strictly between the limits. Float subtraction is monotone, so "strictly between" is exact.
// There are no branches, so that compilers can test several boxes at once.
static inline bool stays_in_cell(const cell_limits *limits, float x_min, float x_max, float y_min,
                                 float y_max, float z_min, float z_max)
{
    const float x = box_center(x_min, x_max), z = box_center(z_min, z_max);
    const float size_x = x_max - x_min, size_z = z_max - z_min;
    const float size = size_x > size_z ? size_x : size_z;
    // A box of infinite height is not in a cell. The test that a box is valid lets no NaN pass.
    return (x >= limits->least[LIMIT_X]) & (x < limits->end[LIMIT_X]) &
           (z >= limits->least[LIMIT_Z]) & (z < limits->end[LIMIT_Z]) &
           (size >= limits->least[LIMIT_SIZE]) & (size < limits->end[LIMIT_SIZE]) &
           (y_max - y_min <= FLT_MAX);
}

// Whether any box is valid and certainly stays in a block's cell.
static inline bool rows_stay_in_cell(const cell_limits *limits, const row_box *box)
{
    const float *const row = box->row;
    return rows_are_valid(box) &&
           stays_in_cell(limits, row[ROW_X_MIN], row[ROW_X_MAX], row[ROW_Y_MIN], row[ROW_Y_MAX],
                         row[ROW_Z_MIN], row[ROW_Z_MAX]);
}

// Whether a new box that has a size along all axes can be stored without any other change: the item
// stays in its cell, and the box lies in the bounds of its group. False for other boxes, which are
// looked at more closely elsewhere.
static inline bool fits_in_place(const acre_quadtree *tree, uint32_t location, const row_box *box)
{
    const row_box bounds = group_bounds(tree, location);
    const float *const row = box->row;
    return rows_have_sizes(box) &&
           stays_in_cell(&tree->headers[location_block(location)].limits, row[ROW_X_MIN],
                         row[ROW_X_MAX], row[ROW_Y_MIN], row[ROW_Y_MAX], row[ROW_Z_MIN],
                         row[ROW_Z_MAX]) &&
           rows_contain(&bounds, box);
}

#endif
