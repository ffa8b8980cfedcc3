// SPDX-License-Identifier: MIT
// quadtree.h - a loose quadtree over the x/z ground plane: items (numbers) and their boxes.
//
// Knows boxes; knows no entity and no scene. A program with its own arrays needs this header alone;
// what a tree can be asked stands in quadtree_query.h, which it includes.
//
// Words used here:
//     item          the caller's small dense number, 0 .. item_capacity - 1
//     cell          a half-open square of the ground; cells of one level tile it
//     level         0 is the finest; a cell of level n is 2^n finest cells wide
//     loose bounds  the cell grown by half its size on every side: twice the size
//     center        of an item's box; it alone decides the cell (center-point placement)
//     stored bounds the fitted 3D box of a node's items and descendants, inside its loose bounds
//     outlier       an item that no cell can hold: too far, larger than the root, or infinite
//
// Typical use:
//     acre_quadtree_def def = {.half_size = 2048.0f};
//     acre_quadtree_create(&def, &tree);
//     acre_quadtree_insert(tree, item, &box);                // once
//     acre_quadtree_refresh(tree, item, &moved_box);         // when it moved
//     acre_quadtree_maintain(tree);                          // once a frame
//     count = acre_quadtree_query_frustum(tree, &frustum, items, capacity);
//
// Threading: functions on a const tree may run from many threads at a time; all others need the
// tree for themselves. Builds with ACRE_CHECK >= 1 detect misuse and answer ACRE_ERROR_BUSY.
#ifndef ACRE_QUADTREE_H
#define ACRE_QUADTREE_H

#include <acre/alloc.h>
#include <acre/bounds.h>
#include <acre/debug_draw.h>
#include <acre/frustum.h>
#include <acre/kernel.h>
#include <acre/quadtree_query.h>

ACRE_EXTERN_C_BEGIN

/// Zero in a field means its default.
typedef struct acre_quadtree_def {
    float center[2];                 ///< x, z of the middle of the expected world; finite
    float half_size;                 ///< half its side, 2^-80 to 2^100; 0 = 1024
    uint32_t max_depth;              ///< levels below the root, 1..20; 0 = 14
    uint32_t node_capacity;          ///< a leaf with more items splits, 1..65536; 0 = 512
    uint32_t item_capacity;          ///< hard limit of item numbers, up to 2^26; 0 = 2^26
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
    acre_kernel kernel; ///< of queries and refresh_all; one that was not built, or that
                        ///< the processor lacks, is an invalid argument
} acre_quadtree_def;

/// Makes an empty tree. The finest cell is the smallest power of two that is at least
/// 2 half_size / 2^max_depth; the origin is a multiple of it. The root covers at least the square
/// that the def describes, and grows as items need it.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API acre_result acre_quadtree_create(const acre_quadtree_def *def, acre_quadtree **out);

/// Frees everything. NULL is allowed.
ACRE_API void acre_quadtree_destroy(acre_quadtree *tree);

/// Adds an item. Amortised O(depth). Items that come one by one stand in the order of their coming
/// until maintain has come round to their cells; queries take up to 1.8 times as long till then.
/// acre_quadtree_insert_many puts them in order at once.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NaN or inverted box; ACRE_ERROR_CAPACITY for
/// an item >= item_capacity; ACRE_ERROR_EXISTS; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_insert(acre_quadtree *tree, uint32_t item, const acre_aabb *box);

/// What the two parts of a row are.
typedef enum acre_box_form {
    ACRE_BOX_FORM_MIN_MAX = 0,  ///< the smallest and the largest corner
    ACRE_BOX_FORM_CENTER_EXTENT ///< the middle c and half the size e: the box is c - e to c + e, in
                                ///< floats; an e that is negative or NaN is refused
} acre_box_form;

/// Boxes where and as a program keeps them: row i is two parts of three floats x, y, z, the first
/// one i * first_stride bytes behind `first`, the second one i * second_stride behind `second`. The
/// parts may lie in one array of records or in two arrays. Any address and any stride will do.
typedef struct acre_box_array {
    const void *first;    ///< row 0's smallest corner or middle
    const void *second;   ///< row 0's largest corner or half size
    size_t first_stride;  ///< bytes from a row to the next; 0: all rows share row 0's part
    size_t second_stride; ///< the same of the second part
    acre_box_form form;
} acre_box_array;

/// Inserts items[i] with boxes[i]. A bad row is refused, the others are applied; of two rows of one
/// item the second is ACRE_ERROR_EXISTS. If memory is short, no row is applied.
/// A batch of at least 16 rows that is no smaller than the tree builds it anew, as optimize does:
/// 0.6 times the time of single inserts into an empty tree, and queries that miss the caches take
/// half the time. It needs 32 bytes a row for the time of the call, and memory for a second tree if
/// the tree was not empty. Where there is less, and for smaller batches, the rows are inserted one
/// by one.
/// @return ACRE_OK, or the first refused row's error, as insert.
ACRE_API acre_result acre_quadtree_insert_many(acre_quadtree *tree, const uint32_t *items,
                                               const acre_aabb *boxes, size_t count);

/// As acre_quadtree_insert_many, with row i of an array as the box of items[i].
/// @return as acre_quadtree_insert_many; ACRE_ERROR_INVALID_ARGUMENT also for no array, an unknown
/// form, and a part that is NULL while there are rows.
ACRE_API acre_result acre_quadtree_insert_many_from(acre_quadtree *tree, const uint32_t *items,
                                                    const acre_box_array *boxes, size_t count);

/// Gives an item a new box. O(1) while the center stays in its cell and the size still fits,
/// otherwise O(depth). Needs no memory. On a Zen 5 core 6 ns an item where 10,000 move, 6 to 8
/// where 100,000 do; 8 of 1,000,000 whose neighbours have near numbers, refreshed in their order.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT (the item keeps its box); ACRE_ERROR_NOT_FOUND;
/// ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_refresh(acre_quadtree *tree, uint32_t item,
                                           const acre_aabb *box);

/// What a batch refused.
typedef struct acre_quadtree_report {
    size_t refused;           ///< how many rows
    size_t first_row;         ///< the smallest of them: its position in the batch
    acre_result first_result; ///< why
} acre_quadtree_report;

/// Refreshes items[i] with boxes[i], in order. A bad row is refused, the others are applied. On the
/// same core 5 ns a row where 10,000 items move, 7 of 100,000 with random numbers, 7 to 12 of
/// 1,000,000.
/// @return ACRE_OK, or the first refused row's error.
ACRE_API acre_result acre_quadtree_refresh_many(acre_quadtree *tree, const uint32_t *items,
                                                const acre_aabb *boxes, size_t count);

/// Refreshes every item of the tree below count with boxes[item]; rows of absent items are
/// ignored. Cheaper than refresh_many when half of the items moved or more: on the same core 2 ns
/// an item in trees of up to 10,000, 3 of 100,000, 5 to 7 of 1,000,000, whether they moved or not.
/// @return ACRE_OK, or the error of the smallest refused row.
ACRE_API acre_result acre_quadtree_refresh_all(acre_quadtree *tree, const acre_aabb *boxes,
                                               size_t count);

/// As acre_quadtree_refresh_many, with row i of an array as the box of items[i]. Other strides cost
/// the same, two arrays 0.5 ns a row more, middles and half sizes 1 ns.
/// @return as acre_quadtree_refresh_many; ACRE_ERROR_INVALID_ARGUMENT also for no array, an unknown
/// form, and a part that is NULL while there are rows.
ACRE_API acre_result acre_quadtree_refresh_many_from(acre_quadtree *tree, const uint32_t *items,
                                                     const acre_box_array *boxes, size_t count);

/// As acre_quadtree_refresh_all, with row `item` of an array as the box of an item. Two arrays cost
/// 0.5 ns an item more, middles and half sizes 1.5 ns.
/// @return as acre_quadtree_refresh_all; ACRE_ERROR_INVALID_ARGUMENT as refresh_many_from.
ACRE_API acre_result acre_quadtree_refresh_all_from(acre_quadtree *tree,
                                                    const acre_box_array *boxes, size_t count);

/// What the last batch refused: refresh of many or of all, insert_many, remove_many.
ACRE_API acre_quadtree_report acre_quadtree_last_report(const acre_quadtree *tree);

/// Removes an item; four childless siblings that then hold little collapse into their parent.
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_remove(acre_quadtree *tree, uint32_t item);

/// Removes items[i], in order. A row of an item that is not there is refused, the others are
/// applied. Half the time of single removes or less. A batch of at least half the items collapses
/// cells at its end. Needs no memory.
/// @return ACRE_OK, or the first refused row's error: ACRE_ERROR_NOT_FOUND; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_remove_many(acre_quadtree *tree, const uint32_t *items,
                                               size_t count);

/// Removes every item and keeps the memory. The root is as after create.
ACRE_API void acre_quadtree_clear(acre_quadtree *tree);

/// Once a frame: looks at a 32nd of the nodes, one at least. Where what came or moved has widened
/// bounds by an eighth, they become tight and the node's items are put in order. The root may
/// shrink. Skipping it is slower, never wrong.
/// @return ACRE_OK; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_maintain(acre_quadtree *tree);

/// As acre_quadtree_maintain, with another bound: looks at that many nodes, if there are so many.
/// 0: none; the root may still shrink.
/// @return ACRE_OK; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_maintain_budget(acre_quadtree *tree, size_t nodes);

/// Builds the tree anew from its items, in the order of memory in which queries read it, with tight
/// bounds; the root stays. For after loading or long churn, not for every frame: O(items), two
/// thirds of the time of inserting them. Queries that miss the second-level cache take less time
/// afterwards (100,000 items: a ground view 20 us, 27 in a tree that maintain has tidied, 39 right
/// after single inserts; everything 58, 72, 95); those in the caches gain little over maintain.
/// Needs memory for a second tree, and 32 bytes an item, for the time of the call.
/// @return ACRE_OK; ACRE_ERROR_OUT_OF_MEMORY: nothing has changed; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_optimize(acre_quadtree *tree);

/// Tightens all stored bounds to their content, and puts the items of cells in order. O(items).
/// @return ACRE_OK; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_tighten(acre_quadtree *tree);

/// Makes room for items numbered below `items`, so that inserting them allocates little.
/// @return ACRE_OK; ACRE_ERROR_CAPACITY; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_reserve(acre_quadtree *tree, size_t items);

/// Gives unused memory back to the allocator, as far as the order of blocks allows.
/// @return ACRE_OK; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_trim(acre_quadtree *tree);

/// @return whether the item is in the tree.
ACRE_API bool acre_quadtree_contains(const acre_quadtree *tree, uint32_t item);

/// The box that the item was given last (-0 comes back as +0).
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND.
ACRE_API acre_result acre_quadtree_get_box(const acre_quadtree *tree, uint32_t item,
                                           acre_aabb *out);

/// Where an item stands in the tree. Of an outlier, which stands in a list beside the tree, depth
/// and level are 0 and all bounds endless.
typedef struct acre_quadtree_place {
    bool is_outlier;    ///< no cell holds it
    bool is_leaf;       ///< its cell has no children; true of an outlier
    uint32_t depth;     ///< levels below the root, as acre_quadtree_stats counts: 0 is the root
    uint32_t level;     ///< the cell is 2^level finest cells wide
    float cell_min[2];  ///< x, z of the cell, rounded outward where floats do not reach
    float cell_max[2];  ///< the cell itself is half-open: its largest edges belong to the next ones
    float loose_min[2]; ///< x, z of its loose bounds
    float loose_max[2];
    acre_aabb bounds; ///< stored bounds of the cell: of its items and those of the cells below
    size_t items;     ///< in the cell itself, not below; of an outlier: all outliers
} acre_quadtree_place;

/// Says where an item stands. The item's box lies in place->bounds, these in the loose bounds.
/// For tools that explain and draw. O(1).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND, *out is left alone;
/// ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_locate(const acre_quadtree *tree, uint32_t item,
                                          acre_quadtree_place *out);

/// Sets the item's layer mask; new items are in all layers. The array of masks (4 bytes an item)
/// exists only once a mask other than "all" is set.
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_set_layers(acre_quadtree *tree, uint32_t item, uint32_t layers);

/// @return the item's layer mask; 0 if it is not in the tree.
ACRE_API uint32_t acre_quadtree_get_layers(const acre_quadtree *tree, uint32_t item);

typedef struct acre_quadtree_stats {
    size_t items;  ///< in the tree, outliers included
    size_t nodes;  ///< cells, the root included
    size_t leaves; ///< cells without children
    size_t outliers;
    size_t bytes;   ///< all memory the tree holds
    uint32_t depth; ///< deepest level below the root
    size_t bytes_nodes, bytes_blocks, bytes_locations, bytes_layers; ///< bytes by category
    /// Work since create; tightened counts nodes that maintain and tighten looked at.
    uint64_t moves, splits, collapses, grows, shrinks, tightened;
    float cell_size;                ///< side of a finest cell
    float root_min[2], root_max[2]; ///< x, z of the root cell now
    acre_aabb bounds; ///< holds all items but outliers; loose after edits, empty without items
} acre_quadtree_stats;

ACRE_API void acre_quadtree_get_stats(const acre_quadtree *tree, acre_quadtree_stats *out);

/// Checks every numbered invariant (quadtree_internal.h) without tolerance. O(items).
/// @param message receives the broken rule; may be NULL.
/// @return ACRE_OK, or ACRE_ERROR_FORMAT if a rule is broken.
ACRE_API acre_result acre_quadtree_validate(const acre_quadtree *tree, char *message, size_t size);

/// Hash of values, structure and order: equal after equal calls, on every platform.
ACRE_API uint64_t acre_quadtree_state_hash(const acre_quadtree *tree);

/// Hash of the set of (item, box, layers) alone, however the tree came about.
ACRE_API uint64_t acre_quadtree_content_hash(const acre_quadtree *tree);

/// Draws strict cells, loose cells, stored bounds, items and counts, as draw->flags says.
ACRE_API void acre_quadtree_debug_draw(const acre_quadtree *tree, const acre_debug_draw *draw);

ACRE_EXTERN_C_END

#endif
