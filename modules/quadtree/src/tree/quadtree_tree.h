// SPDX-License-Identifier: MIT
// quadtree_tree.h - what the files of the tree do for each other, and for the floors above.
#ifndef ACRE_QUADTREE_TREE_H
#define ACRE_QUADTREE_TREE_H

#include "quadtree_internal.h"

// The heights of the bands that a node stands in.
typedef struct band_range {
    float low;      // -INFINITY: no end
    float end;      // INFINITY: no end
    uint32_t count; // bands from the node up to the root
    uint32_t top;   // the node around all of them; the node itself if there is none
} band_range;

// The files in order: each uses only those above it.

// quadtree_memory.c: room, and rows out of and into the free lists.
bool acre_has_blocks_for_refresh(const acre_quadtree *tree);
bool acre_resize_quads(acre_quadtree *tree, uint32_t capacity);
bool acre_resize_blocks(acre_quadtree *tree, size_t capacity);
bool acre_ensure_quads(acre_quadtree *tree, uint32_t more);
bool acre_ensure_blocks(acre_quadtree *tree, size_t items, size_t nodes);
bool acre_make_room(acre_quadtree *tree, uint32_t quads);
bool acre_ensure_locations(acre_quadtree *tree, size_t items);
size_t acre_tree_nodes(const acre_quadtree *tree);
size_t acre_blocks_needed(size_t items, size_t nodes);
bool acre_create_layers(acre_quadtree *tree);
uint32_t acre_take_quad(acre_quadtree *tree, uint32_t parent, cell first);
uint32_t acre_take_bands(acre_quadtree *tree, uint32_t parent, const height_bands *bands);
void acre_free_quad(acre_quadtree *tree, uint32_t quad);
uint32_t acre_take_block(acre_quadtree *tree);
void acre_free_block(acre_quadtree *tree, uint32_t block);
void acre_clear_header(acre_quadtree *tree, uint32_t block);
void acre_reset_rows(acre_quadtree *tree, cell root);
void acre_reset_tree(acre_quadtree *tree);
tree_rows acre_take_rows(acre_quadtree *tree);
void acre_free_rows(acre_quadtree *tree, const tree_rows *rows);
void acre_put_rows(acre_quadtree *tree, const tree_rows *rows);
void acre_fit_arrays(acre_quadtree *tree);

// quadtree_bounds.c: stored bounds and layers. Names end in what the new bounds are made from.
void acre_grow_node_bounds(acre_quadtree *tree, uint32_t node, const row_box *bounds);
void acre_grow_node_layers(acre_quadtree *tree, uint32_t node, uint32_t layers);
void acre_group_bounds_from_items(acre_quadtree *tree, uint32_t block, uint32_t count,
                                  uint32_t groups);
bool acre_bands_from_items(const acre_quadtree *tree, uint32_t node, height_bands *out);
void acre_node_groups_from_items(acre_quadtree *tree, uint32_t node);
void acre_quad_bounds_from_items(acre_quadtree *tree, uint32_t quad);
void acre_node_bounds_from_groups(acre_quadtree *tree, uint32_t node);
void acre_quad_bounds_from_groups(acre_quadtree *tree, uint32_t quad);
uint32_t acre_first_postorder(const acre_quadtree *tree, uint32_t quad);
uint32_t acre_next_postorder(const acre_quadtree *tree, uint32_t quad); // NONE: none

// quadtree_blocks.c: items in and out of a node's chain.
void acre_append_item(acre_quadtree *tree, uint32_t node, uint32_t item, const row_box *box);
void acre_attach_item(acre_quadtree *tree, uint32_t node, uint32_t item, const row_box *box);
void acre_detach_item(acre_quadtree *tree, uint32_t location);
void acre_store_box(acre_quadtree *tree, uint32_t location, const row_box *box);
void acre_write_headers(acre_quadtree *tree, uint32_t node);

// quadtree_order.c: a node's items along a curve. The caller must make the bounds of the groups
// anew.
void acre_order_node(acre_quadtree *tree, uint32_t node);
// Notes how wide the groups are, in order; and whether they are notably wider than they were then.
void acre_mark_tidy(acre_quadtree *tree, uint32_t node);
bool acre_is_spread(const acre_quadtree *tree, uint32_t node);

// quadtree_nodes.c: where an item goes; split and collapse.
bool acre_root_covers(const acre_quadtree *tree, const placement *place);
uint32_t acre_find_covered_node(const acre_quadtree *tree, uint32_t start, const placement *place,
                                const row_box *box);
uint32_t acre_find_node(const acre_quadtree *tree, uint32_t start, const placement *place,
                        const row_box *box);
band_range acre_band_range(const acre_quadtree *tree, uint32_t node);
uint32_t acre_make_children(acre_quadtree *tree, uint32_t node, const height_bands *bands);
void acre_split_if_full(acre_quadtree *tree, uint32_t node);
void acre_collapse_upward(acre_quadtree *tree, uint32_t node);
bool acre_is_crowded(const acre_quadtree *tree, uint32_t node);
size_t acre_crowded_items(const acre_quadtree *tree);
bool acre_are_crowded(const acre_quadtree *tree, size_t items);

// quadtree_root.c: growth and shrinking of the root, outliers.
cell acre_grown_root(cell root, const placement *place);
bool acre_grow_root(acre_quadtree *tree, const placement *place);
bool acre_shrink_root(acre_quadtree *tree);
bool acre_has_many_outliers(const acre_quadtree *tree, size_t outliers);

// quadtree_edit.c: one item at a time; also what a batch does for each.
acre_result acre_refresh_item(acre_quadtree *tree, uint32_t item, const row_box *rows);
acre_result acre_insert_item(acre_quadtree *tree, uint32_t item, const row_box *rows,
                             uint32_t layers);
acre_result acre_set_item_layers(acre_quadtree *tree, uint32_t item, uint32_t layers);
acre_result acre_remove_item(acre_quadtree *tree, uint32_t item, bool may_collapse);

// quadtree_debug.c: where a node's items stand, for tools.
acre_quadtree_place acre_place_of_node(const acre_quadtree *tree, uint32_t node);

// quadtree_validate.c: asserts every invariant.
void acre_check_tree(const acre_quadtree *tree);

// Ends the write access that the same function has begun. Every function that edits a tree ends
// here, so here level 3 checks the whole tree.
static inline void end_edit(acre_quadtree *tree)
{
    ACRE_INVARIANT(acre_has_blocks_for_refresh(tree)); // I12
    ACRE_INVARIANT(tree->expected_items == 0);
#if ACRE_CHECK >= 3
    acre_check_tree(tree);
#endif
    access_end_write(&tree->access);
}

#endif
