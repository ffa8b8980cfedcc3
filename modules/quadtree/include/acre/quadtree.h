// SPDX-License-Identifier: MIT
// quadtree.h - a loose quadtree over the x/z ground plane: items (numbers) and their boxes.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor
// version.
//
// Knows boxes; knows no entity and no scene. A program with its own arrays needs this header alone.
// Queries are declared in quadtree_query.h, which it includes.
//
// Words used here:
//     item          the caller's small dense number, 0 .. item_capacity - 1
//     cell          a half-open square of the ground; cells of one level tile it
//     level         0 is the finest; a cell of level n is 2^n finest cells wide
//     loose bounds  the cell grown by half its size on every side, so twice as wide
//     center        the middle of an item's box; it alone decides the cell of a level
//     stored bounds a 3D box around the items of a cell and of the cells below, in its loose bounds
//     lattice       where the finest cells lie: their size and an origin
//     outlier       an item that no cell can hold: too far away, larger than the root, or infinite
//     band          a layer of height within a cell. A cell splits into four bands, not into four
//                   quarters, if the centers of its items span more height than the cell is wide;
//                   in a tree of 4,096 items or more, if the cell also has more than 256
//
// How far a tree reaches. A root has at most 2^24 finest cells a side: with cells of 1 m, as the
// default def has them, 16,777 km. What is farther away is an outlier, which every query tests. A
// few strays cost little, at any distance. But when more than 64 items and more than a sixteenth of
// all are outliers that another lattice would hold, the next acre_quadtree_insert_many,
// acre_quadtree_maintain or acre_quadtree_optimize builds the tree anew on that lattice: around the
// items, with larger cells if need be. So towns at coordinates of UTM or Web Mercator need no
// setting. A refresh never builds the tree anew. If memory is short, the build waits for the next
// of these calls. After five calls that found no such lattice the next look is 300 calls later, or
// once there were less than half as many outliers; a call that builds the tree anyway looks at
// once. When the items that needed larger cells are gone, the next build has finer ones again;
// where there is none, acre_quadtree_maintain makes one once they have stayed away for 300 calls,
// or for longer if they came back after the last time. The tree stays as it is if larger cells for
// few far items would put most of the other items into a few cells.
//
// How small a world may be. The square of the def may be far larger than what stands in it: half a
// million meters for a town of a hundred. Then finest cells are crowded: they hold more items than
// a leaf should, and cannot split. When more than a quarter of all items stand in such cells, the
// next build by acre_quadtree_insert_many or acre_quadtree_optimize takes a lattice of finer cells,
// around the items. A def with another max_depth than the default asks for cells of some size, and
// keeps them. Items at one point stay crowded. acre_quadtree_get_stats says how many are.
//
// How exact boxes are. Edges are floats, and floats lie farther apart the farther they are from 0:
//     up to     1 km   16 km   131 km   1,049 km   8,389 km   16,777 km     33,554 km
//     apart  0.06 mm    1 mm     8 mm       6 cm      0.5 m         1 m           2 m
//                                                       UTM             Web Mercator
// Answers are exact for the boxes as stored. If that is too coarse, store positions relative to a
// point in the middle of your world.
//
// Typical use:
//     acre_quadtree_def def = {.half_size = 2048.0f};
//     acre_quadtree_create(&def, &tree);
//     acre_quadtree_insert(tree, item, &box);                // once
//     acre_quadtree_refresh(tree, item, &moved_box);         // when it moved
//     acre_quadtree_maintain(tree);                          // once a frame
//     count = acre_quadtree_query_frustum(tree, &frustum, items, capacity);
//
// Threading: functions on a const tree may run in many threads at a time; all others need the tree
// for themselves. An edit from a visitor, a listener or a debug drawing of the same tree is refused
// with ACRE_ERROR_BUSY in every build. Such a function must return, and on the thread that called
// it: no longjmp and no exception may leave it. Builds with ACRE_CHECK >= 1 also detect calls of
// two threads that exclude each other, such as an edit while another thread visits, and answer so.
// For that they count the readers of a tree, which threads that query one tree wait for; in other
// builds a query writes nothing that threads share.
#ifndef ACRE_QUADTREE_H
#define ACRE_QUADTREE_H

#include <acre/alloc.h>
#include <acre/bounds.h>
#include <acre/debug_draw.h>
#include <acre/frustum.h>
#include <acre/kernel.h>
#include <acre/quadtree_query.h>
#include <acre/tasks.h>

ACRE_EXTERN_C_BEGIN

/// Zero in a field means its default.
typedef struct acre_quadtree_def {
    float center[2];                 ///< x, z of the middle of a square around the world; finite
    float half_size;                 ///< half the side of this square, 2^-80 to 2^100; 0 = 1024
    uint32_t max_depth;              ///< levels below the root, 1..20; 0 = 11, where builds may
                                     ///< take finer cells for crowded items
    uint32_t node_capacity;          ///< a leaf with more items splits, 1..65536; 0 = 512; what
                                     ///< counts is max(node_capacity, min(128, items / 32)), so
                                     ///< that small leaves do not slow down a tree of many items
    uint32_t item_capacity;          ///< all items are below it, at most 2^26; 0 = 2^26
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
    acre_kernel kernel; ///< instruction set; one that was not built, or that the processor
                        ///< lacks, is an invalid argument
} acre_quadtree_def;

/// Makes an empty tree. The side of a finest cell is the smallest power of two that is at least
/// 2 half_size / 2^max_depth; the origin is a multiple of it. The root covers at least the square
/// of the def, and grows when an item needs it. The square says where most items are expected, not
/// where they must be; "How far a tree reaches" and "How small a world may be", above, say what
/// happens elsewhere.
/// @param def NULL: zero, so that all defaults hold.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL out and a number out of its range;
/// ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API ACRE_RESULT acre_quadtree_create(const acre_quadtree_def *def, acre_quadtree **out);

/// Frees everything. NULL is allowed. In a visitor or listener of the tree, where it must not be
/// called, it frees nothing.
ACRE_API void acre_quadtree_destroy(acre_quadtree *tree);

/// Adds an item. Amortized O(depth). Items inserted one by one are not in the order in which
/// queries are fastest; maintain puts them in order over the next frames, acre_quadtree_insert_many
/// at once.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and for a NaN or inverted box;
/// ACRE_ERROR_CAPACITY for an item >= item_capacity; ACRE_ERROR_EXISTS; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_insert(acre_quadtree *tree, uint32_t item, const acre_aabb *box);

/// Inserts items[i] with boxes[i]. A bad row is refused, the others are applied; if an item is in
/// two rows, the second one is refused with ACRE_ERROR_EXISTS. If there is no memory for all
/// rows, none is applied. A batch of at least 16 rows that is no smaller than the tree builds the
/// tree anew, as acre_quadtree_optimize does. For the time of the call a build needs 32 bytes an
/// item, 4 a row, 4 for each item that the tree's blocks have room for, 24 for each cell that
/// splits into bands, and memory for a second tree if the tree was not empty. Smaller batches, and
/// all batches when there is no memory for a build, are inserted row by row. May build the tree on
/// another lattice (at the top of this file).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY; or the first refused
/// row's error, as acre_quadtree_insert.
ACRE_API ACRE_RESULT acre_quadtree_insert_many(acre_quadtree *tree, const uint32_t *items,
                                               const acre_aabb *boxes, size_t count);

/// As acre_quadtree_insert_many, with row i of an array as the box of items[i].
/// @return as acre_quadtree_insert_many; ACRE_ERROR_INVALID_ARGUMENT also for a NULL array, an
/// unknown form, and a NULL part where there are rows.
ACRE_API ACRE_RESULT acre_quadtree_insert_many_from(acre_quadtree *tree, const uint32_t *items,
                                                    const acre_box_array *boxes, size_t count);

/// As acre_quadtree_insert_many, and items[i] is in layers[i] at once; 0 means all layers. Faster
/// than setting the layers afterward, and no cell says that it has layers which none of its items
/// are in. Where there is no memory for masks, as for acre_quadtree_set_layers, no row is applied.
/// @return as acre_quadtree_insert_many.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_insert_many_in_layers(acre_quadtree *tree,
                                                                      const uint32_t *items,
                                                                      const acre_aabb *boxes,
                                                                      const uint32_t *layers,
                                                                      size_t count);

/// Gives an item a new box. O(1) while the center stays in its cell and the size fits the cell,
/// else O(depth). Needs no memory. If near items have near numbers, refreshing in the order of the
/// numbers is fastest.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and for a NaN or inverted box (the item
/// keeps its box); ACRE_ERROR_NOT_FOUND; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_refresh(acre_quadtree *tree, uint32_t item,
                                           const acre_aabb *box);

/// What a batch refused.
typedef struct acre_quadtree_report {
    size_t refused;           ///< number of refused rows
    size_t first_row;         ///< position in the batch of the first refused row
    acre_result first_result; ///< why that row was refused; ACRE_OK if none was
} acre_quadtree_report;

/// Refreshes items[i] with boxes[i], in order: of an item in two rows the last one wins. A bad row
/// is refused, the others are applied. Needs no memory.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY; or the first refused
/// row's error, as acre_quadtree_refresh.
ACRE_API ACRE_RESULT acre_quadtree_refresh_many(acre_quadtree *tree, const uint32_t *items,
                                                const acre_aabb *boxes, size_t count);

/// Refreshes every item of the tree below count with boxes[item]; rows of absent items are ignored.
/// Cheaper than acre_quadtree_refresh_many when half of the items moved, or more. Needs no memory.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY; or the error of the
/// smallest refused row, which is ACRE_ERROR_INVALID_ARGUMENT.
ACRE_API ACRE_RESULT acre_quadtree_refresh_all(acre_quadtree *tree, const acre_aabb *boxes,
                                               size_t count);

/// As acre_quadtree_refresh_many, with row i of an array as the box of items[i]. Any stride costs
/// the same; two arrays, and centers with half sizes, cost a little more.
/// @return as acre_quadtree_refresh_many; ACRE_ERROR_INVALID_ARGUMENT also for a NULL array, an
/// unknown form, and a NULL part where there are rows.
ACRE_API ACRE_RESULT acre_quadtree_refresh_many_from(acre_quadtree *tree, const uint32_t *items,
                                                     const acre_box_array *boxes, size_t count);

/// As acre_quadtree_refresh_all, with row `item` of an array as the box of an item.
/// @return as acre_quadtree_refresh_all; ACRE_ERROR_INVALID_ARGUMENT also as
/// acre_quadtree_refresh_many_from.
ACRE_API ACRE_RESULT acre_quadtree_refresh_all_from(acre_quadtree *tree,
                                                    const acre_box_array *boxes, size_t count);

/// Moves the world: what stood at p stands at p + offset. The lattice moves by whole cells, as many
/// as come nearest to the offset, and so does the square of the def; the rest of the offset is a
/// small move of every item. So this costs what acre_quadtree_refresh_all costs where nothing
/// leaves its cell, whatever the offset. Cells, bands, outliers, layers and the order of results
/// stay for whole cells. Where more than half of the items went to other cells, as where floats are
/// farther apart than cells are wide, the tree is built anew, if there is memory for that. Needs no
/// memory otherwise.
/// @param offset double[3], each at most 2^100 in size; the def's square must stay within the
/// floats.
/// @param boxes the new box of each item below count, as acre_quadtree_refresh_all takes them: a
/// program that knows its places exactly loses nothing by any number of shifts. The other items,
/// and all where boxes is NULL, keep their own boxes, moved and rounded outward: a new box holds
/// the old one moved, and is the same if the offset is exact in floats there.
/// @param report may be NULL. Does not count boxes of yours as rounded.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL tree or offset, for an offset out of its
/// range, and for a NaN or inverted box of an item of the tree; ACRE_ERROR_BUSY. On error nothing
/// has changed, and the report says zeros. Threading: exclusive.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_shift(acre_quadtree *tree, const double *offset,
                                                      const acre_aabb *boxes, size_t count,
                                                      acre_shift_report *report);

/// Gives the tree workers. Where there is enough work, these then run on all of them: refresh_all,
/// refresh_all_from and shift; insert_many, insert_many_from and optimize where they build;
/// maintain and maintain_budget; neighbors of many rows; and the search for all pairs, within a
/// tree, between two (as the first one's tasks say) and of contacts. refresh_many applies its rows
/// in order, on the calling thread, and so runs each query (quadtree_query.h). Results are the same
/// bits as without. A tree with a listener stays serial.
/// @param tasks copied; NULL: serial again.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL tree and for tasks without a function;
/// ACRE_ERROR_BUSY.
/// Threading: exclusive.
ACRE_API ACRE_RESULT acre_quadtree_set_tasks(acre_quadtree *tree, const acre_tasks *tasks);

/// @return what the last batch refused: the last refresh of many or of all, insert_many (in layers,
/// too), remove_many or set_layers_many; zeros for NULL.
ACRE_API acre_quadtree_report acre_quadtree_last_report(const acre_quadtree *tree);

/// Removes an item. Four sibling cells without children collapse into their parent when they hold
/// little. Needs no memory.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_remove(acre_quadtree *tree, uint32_t item);

/// Removes items[i], in order; faster than single removes. A row of an absent item is refused, the
/// others are applied. A batch of at least half of the items collapses cells once, at its end.
/// Needs no memory.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY; or the first refused
/// row's error, which is ACRE_ERROR_NOT_FOUND.
ACRE_API ACRE_RESULT acre_quadtree_remove_many(acre_quadtree *tree, const uint32_t *items,
                                               size_t count);

/// Removes every item and keeps the memory. Root and lattice are as after create. In a visitor or
/// listener of the tree, where it must not be called, it does nothing.
ACRE_API void acre_quadtree_clear(acre_quadtree *tree);

/// Call it once a frame. Looks at a 32nd of the nodes, and at least at one. A node whose bounds
/// have widened by an eighth, through items that came or moved, gets tight bounds, and its items
/// are put in order; those that have risen or fallen go into their bands of height. The root may
/// shrink. In the rare call that finds many outliers, or that many are gone, the tree is built on
/// another lattice (at the top of this file), which is O(items). Without the call queries become
/// slower, never wrong.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_maintain(acre_quadtree *tree);

/// As acre_quadtree_maintain, but looks at the given number of nodes, or at all if there are fewer.
/// With 0 it looks at none; the root may still shrink, and the lattice may change.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_maintain_budget(acre_quadtree *tree, size_t nodes);

/// Builds the tree anew from its items, in the order in which queries read memory, with tight
/// bounds. The root stays, unless many outliers or crowded cells need another lattice. O(items):
/// call it after loading or long churn, not every frame. Afterward queries are faster than after
/// single inserts, and faster than with acre_quadtree_maintain alone; those that fit the caches
/// gain little. For the time of the call it needs the memory of a build
/// (acre_quadtree_insert_many), with tasks up to 600 KB more. After many removals the blocks have
/// room for far more items than the tree has: where 1,000 of 200,000 items are left, a build may
/// take more than 900 bytes for each.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_OUT_OF_MEMORY: nothing has
/// changed; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_optimize(acre_quadtree *tree);

/// Makes all stored bounds tight, and puts the items of all cells in order and into their bands of
/// height. O(items).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_tighten(acre_quadtree *tree);

/// Makes room for the items below `items`, so that inserting them allocates little.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY above item_capacity;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_reserve(acre_quadtree *tree, size_t items);

/// Gives unused memory back to the allocator. The root shrinks if it can.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_trim(acre_quadtree *tree);

/// @return whether the item is in the tree.
ACRE_API bool acre_quadtree_contains(const acre_quadtree *tree, uint32_t item);

/// The box that the item was given last, with +0 for -0.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND.
ACRE_API ACRE_RESULT acre_quadtree_get_box(const acre_quadtree *tree, uint32_t item,
                                           acre_aabb *out);

/// The same for many items; boxes of items that are not in the tree are left as they are. Boxes
/// stand anywhere in memory: this waits for several at a time, and so takes two thirds of the time
/// that as many single calls take in a tree larger than the caches.
/// @param items `count` of them; NULL only for none.
/// @param boxes receives as many; NULL only for none.
/// @return how many of the items are in the tree; 0 for NULL.
ACRE_API size_t acre_quadtree_get_boxes(const acre_quadtree *tree, const uint32_t *items,
                                        size_t count, acre_aabb *boxes);

/// Where an item stands in the tree. Outliers stand in a list beside the tree: their depth and
/// level are 0 and their bounds are infinite.
typedef struct acre_quadtree_place {
    bool is_outlier;    ///< no cell holds it
    bool is_leaf;       ///< its cell has no children; true for an outlier
    uint32_t depth;     ///< levels below the root; 0 is the root
    uint32_t level;     ///< the cell is 2^level finest cells wide
    float cell_min[2];  ///< x, z of the cell's lower corner, rounded outward to floats
    float cell_max[2];  ///< x, z of its upper corner, which itself belongs to the next cells
    float loose_min[2]; ///< x, z of the loose bounds' lower corner
    float loose_max[2]; ///< x, z of the loose bounds' upper corner
    acre_aabb bounds;   ///< stored bounds of the cell
    size_t items;       ///< items of the cell itself, not of cells below; for an outlier: outliers
    uint32_t bands;     ///< how many bands are nested here, the cell's own included; 0: no band.
                        ///< depth + bands cells hold this one
    float band_low;     ///< where the cell's band begins, a height; -INFINITY: it has no lower end
    float band_end;     ///< where the next band begins; INFINITY: it has no upper end
} acre_quadtree_place;

/// Sets the item's layer mask; 0 means all layers. New items are in all layers. The first mask
/// other than "all" makes an array of masks, 4 bytes an item.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_set_layers(acre_quadtree *tree, uint32_t item, uint32_t layers);

/// Sets the layer mask of items[i] to layers[i], in order: of an item in two rows the last one
/// wins. A row of an absent item is refused, the others are applied. If there is no memory for
/// masks, no row is applied.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY; or the first refused
/// row's error, as acre_quadtree_set_layers.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_set_layers_many(acre_quadtree *tree,
                                                                const uint32_t *items,
                                                                const uint32_t *layers,
                                                                size_t count);

/// @return the item's layer mask; 0 if it is not in the tree.
ACRE_API uint32_t acre_quadtree_get_layers(const acre_quadtree *tree, uint32_t item);

typedef struct acre_quadtree_stats {
    size_t items;           ///< in the tree, outliers included
    size_t nodes;           ///< cells, the root included
    size_t leaves;          ///< cells without children
    size_t outliers;        ///< items that no cell can hold
    size_t bytes;           ///< all memory that the tree holds
    uint32_t depth;         ///< levels from the root to the deepest cell
    size_t bytes_nodes;     ///< memory for cells
    size_t bytes_blocks;    ///< memory for items' boxes and numbers
    size_t bytes_locations; ///< memory that finds an item by its number
    size_t bytes_layers;    ///< memory for layer masks
    uint64_t moves;         ///< items that went to another cell, since create
    uint64_t splits;        ///< cells that got children, since create
    uint64_t collapses;     ///< cells that lost their children, since create
    uint64_t grows;         ///< levels that the root has grown, since create
    uint64_t shrinks;       ///< levels that the root has shrunk, since create
    uint64_t tightened;     ///< nodes that maintain and tighten looked at, since create
    float cell_size;        ///< side of a finest cell
    float root_min[2];      ///< x, z of the root cell's lower corner
    float root_max[2];      ///< x, z of the root cell's upper corner
    acre_aabb bounds;       ///< around all items but outliers; not tight; empty without items
    uint64_t lattices;      ///< builds on another lattice, since create
    bool has_many_outliers; ///< more than 64, and more than a sixteenth of all: queries are slow
    size_t bands;           ///< cells that are bands of height; 0 where nothing is stacked
    size_t crowded;         ///< items in finest cells that hold more than a leaf should
    bool has_wide_cells;    ///< more than a quarter of all items are crowded: queries are slow, and
                            ///< acre_quadtree_optimize takes finer cells if they can help
} acre_quadtree_stats;

/// Fills in the statistics; zeros for a NULL tree and for a busy one. Does nothing if out is NULL.
/// O(nodes).
ACRE_API void acre_quadtree_get_stats(const acre_quadtree *tree, acre_quadtree_stats *out);

/// Checks every numbered invariant of quadtree_internal.h, without tolerance. O(items).
/// @param message receives the first broken rule; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if a rule is broken; ACRE_ERROR_INVALID_ARGUMENT for NULL;
/// ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_validate(const acre_quadtree *tree, char *message, size_t size);

/// @return a hash of values, structure and order: equal after equal calls, on every platform. 0 for
/// NULL and for a busy tree.
ACRE_API uint64_t acre_quadtree_state_hash(const acre_quadtree *tree);

/// @return a hash of all (item, box, layers), whatever the calls that led to them: the sum, modulo
/// 2^64, of a hash of each. So the hashes of trees that share no item add up to the hash of a tree
/// with all of their items. 0 for NULL, an empty tree and a busy one.
ACRE_API uint64_t acre_quadtree_content_hash(const acre_quadtree *tree);

/// Draws strict cells, loose cells, stored bounds, items and counts, as draw->flags says.
ACRE_EXPERIMENTAL_API void acre_quadtree_debug_draw(const acre_quadtree *tree,
                                                    const acre_debug_draw *draw);

ACRE_EXTERN_C_END

#endif
