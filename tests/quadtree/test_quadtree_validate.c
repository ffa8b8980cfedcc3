// SPDX-License-Identifier: MIT
// test_quadtree_validate.c - the validator's own test: each planted fault is named by its rule.
//
// A validator with a hole hides every bug that the hole is wide enough for. So each invariant of
// quadtree_internal.h is broken here in turn, in all the ways that its sentence speaks of.
#include "quadtree_tree.h"

#include "test.h"
#include "tree_helpers.h"

#include <math.h>
#include <string.h>

enum { SMALL = 300, STACKED = 200, OUTLIERS = 3, REST = SMALL + STACKED + OUTLIERS + 3 };
enum { STOREYS = 80, ALL = REST + STOREYS };

static bool insert_all(acre_quadtree *tree)
{
    test_random random = {11};
    bool ok = true;
    for (uint32_t item = 0; item < ALL && ok; item++) {
        const float x = random_float(&random, -60, 60), z = random_float(&random, -60, 60);
        acre_aabb box = box_at(x, z, 0.2f);
        if (item >= SMALL) {
            box = box_at(20, 20, 30); // in an inner cell, in several blocks
        }
        if (item >= SMALL + STACKED && item < REST) {
            box.max[0] = INFINITY;
        }
        if (item == REST - 3) {
            box = (acre_aabb){{0, 0, 0}, {0.25f, 1, 0.25f}}; // zeros whose sign can change
        } else if (item == REST - 2) {
            box = box_at(500, 500, 1); // the root grew
        } else if (item == REST - 1) {
            box = box_at(-30, -30, 25);
        } else if (item >= REST) { // one above the other
            box = box_at(-50.0f + 0.1f * x, 50.0f + 0.1f * z, 0.2f);
            box.min[1] = 4.0f * (float)(item - REST);
            box.max[1] = box.min[1] + 1.0f;
        }
        ok = acre_quadtree_insert(tree, item, &box) == ACRE_OK &&
             (item % 5 != 0 || acre_quadtree_set_layers(tree, item, 1u << (item % 3)) == ACRE_OK);
    }
    return ok;
}

// A tree with everything that a rule speaks of: inner cells with items of their own, chains of
// several blocks, bands, outliers, layers, free quads and free blocks.
static acre_quadtree *rich_tree(void)
{
    const acre_quadtree_def def = {.half_size = 64, .max_depth = 7, .node_capacity = 4};
    acre_quadtree *tree = NULL;
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK && insert_all(tree);
    for (uint32_t item = ALL; item < ALL + 40 && ok; item++) {
        const acre_aabb box = box_at(-300 + 2 * (float)item, -400, 0.2f);
        ok = acre_quadtree_insert(tree, item, &box) == ACRE_OK;
    }
    for (uint32_t item = ALL; item < ALL + 40 && ok; item++) {
        ok = acre_quadtree_remove(tree, item) == ACRE_OK;
    }
    ok = ok && acre_quadtree_tighten(tree) == ACRE_OK && tree->free_quad != 0 &&
         tree->free_block != NONE && tree->banded_quads > 0;
    if (!ok) {
        acre_quadtree_destroy(tree);
        return NULL;
    }
    return tree;
}

// ---- places for faults ----

static uint32_t node_of(const acre_quadtree *tree, uint32_t item)
{
    return item_node(tree, item);
}

// A small item deep below the root.
static uint32_t deep_item(const acre_quadtree *tree)
{
    uint32_t best = 0;
    for (uint32_t item = 1; item < SMALL; item++) {
        best = node_level(tree, node_of(tree, item)) < node_level(tree, node_of(tree, best)) ? item
                                                                                             : best;
    }
    return best;
}

// Children of a node that has no items of its own.
static uint32_t quad_below_an_empty_node(const acre_quadtree *tree)
{
    for (uint32_t q = 1; q < tree->quad_count; q++) {
        if (tree->cold[q].level != NONE && *node_items(tree, node_parent(tree, q * 4)) == 0) {
            return q;
        }
    }
    return NONE;
}

static uint32_t quad_of_bands(const acre_quadtree *tree)
{
    for (uint32_t q = 1; q < tree->quad_count; q++) {
        if (is_live_quad(tree, q) && is_banded(tree, q)) {
            return q;
        }
    }
    return NONE;
}

// An edge of the bounds of the group that an item stands in.
static float *group_edge(acre_quadtree *tree, uint32_t item, int row)
{
    const uint32_t location = tree->locations[item];
    return &tree->headers[location_block(location)]
                .bounds.row[row][location_slot(location) / GROUP_SLOTS];
}

// Gives an item another box and every bound above it room for it.
static void force_box(acre_quadtree *tree, uint32_t item, const row_box *box)
{
    set_location_box(tree, tree->locations[item], box);
    if (node_of(tree, item) != OUTLIER_NODE) {
        row_box bounds = group_bounds(tree, tree->locations[item]);
        rows_merge(&bounds, box);
        set_group_bounds(tree, tree->locations[item], &bounds);
        acre_grow_node_bounds(tree, node_of(tree, item), box);
    }
}

static void set_row(acre_quadtree *tree, uint32_t item, int row, float value)
{
    row_box box = location_box(tree, tree->locations[item]);
    box.row[row] = value;
    set_location_box(tree, tree->locations[item], &box);
}

// A box in the ground square [x, x + size) of the item's own heights.
static row_box moved_box(const acre_quadtree *tree, uint32_t item, double x, double z, double size)
{
    row_box box = location_box(tree, tree->locations[item]);
    box.row[ROW_X_MIN] = (float)x;
    box.row[ROW_X_MAX] = (float)(x + size);
    box.row[ROW_Z_MIN] = (float)z;
    box.row[ROW_Z_MAX] = (float)(z + size);
    return box;
}

static row_box cell_of_item(const acre_quadtree *tree, uint32_t item)
{
    const cell square = node_cell(tree, node_of(tree, item));
    return acre_grid_strict_bounds(&tree->grid, &square);
}

static uint32_t *word_of(acre_quadtree *tree, uint32_t item)
{
    return node_items(tree, node_of(tree, item));
}

// ---- the faults ----

static void box_is_inverted(acre_quadtree *tree)
{
    const row_box box = location_box(tree, tree->locations[7]);
    set_row(tree, 7, ROW_Z_MAX, nextafterf(box.row[ROW_Z_MIN], -INFINITY));
}

static void box_has_a_nan(acre_quadtree *tree)
{
    set_row(tree, 8, ROW_Y_MIN, NAN);
}

static void location_is_lost(acre_quadtree *tree)
{
    tree->locations[9] = ABSENT;
}

static void locations_are_swapped(acre_quadtree *tree)
{
    const uint32_t other = tree->locations[10];
    tree->locations[10] = tree->locations[11];
    tree->locations[11] = other;
}

static void id_is_no_item(acre_quadtree *tree)
{
    const uint32_t at = tree->locations[12];
    tree->ids[location_block(at)].id[location_slot(at)] = tree->location_count;
}

static void id_is_there_twice(acre_quadtree *tree)
{
    const uint32_t at = tree->locations[13];
    tree->ids[location_block(at)].id[location_slot(at)] = 14;
}

static void absent_item_has_a_location(acre_quadtree *tree)
{
    tree->locations[ALL + 5] = tree->locations[3];
}

static void node_counts_one_too_many(acre_quadtree *tree)
{
    tree->cold[node_of(tree, 15) >> 2].count[node_of(tree, 15) & 3]++;
}

static void word_counts_one_too_few(acre_quadtree *tree)
{
    uint32_t *const word = word_of(tree, SMALL);
    *word = chain_word(chain_block(*word), chain_more(*word), chain_count(*word) - 1);
}

static void word_names_no_block(acre_quadtree *tree)
{
    uint32_t *const word = word_of(tree, SMALL);
    *word = chain_word(tree->block_count, chain_more(*word), chain_count(*word));
}

static void word_counts_more_than_a_block_holds(acre_quadtree *tree)
{
    uint32_t *const word = word_of(tree, SMALL);
    *word = chain_word(chain_block(*word), chain_more(*word), BLOCK_SLOTS) + CHAIN_ITEM;
}

static void word_forgets_the_other_blocks(acre_quadtree *tree)
{
    uint32_t *const word = word_of(tree, SMALL);
    *word = chain_word(chain_block(*word), false, chain_count(*word));
}

static void chain_is_no_run(acre_quadtree *tree)
{
    *word_of(tree, SMALL) |= CHAIN_RUN;
}

static void block_is_no_run(acre_quadtree *tree)
{
    *word_of(tree, deep_item(tree)) &= ~(uint32_t)CHAIN_RUN;
}

static void chain_is_a_ring(acre_quadtree *tree)
{
    const uint32_t second = tree->next[chain_block(*word_of(tree, SMALL))];
    tree->next[second] = second;
}

static void chain_leaves_the_array(acre_quadtree *tree)
{
    const uint32_t first = chain_block(*word_of(tree, SMALL));
    tree->next[tree->next[first]] = tree->block_count + 1000000;
}

static void chain_is_cut(acre_quadtree *tree)
{
    const uint32_t first = chain_block(*word_of(tree, SMALL));
    tree->next[tree->next[first]] = NONE;
}

static void free_blocks_are_lost(acre_quadtree *tree)
{
    tree->free_block = NONE;
}

static void free_blocks_are_a_ring(acre_quadtree *tree)
{
    tree->next[tree->free_block] = tree->free_block;
}

static void free_list_names_a_used_block(acre_quadtree *tree)
{
    tree->free_block = location_block(tree->locations[16]);
}

static void free_block_has_a_node(acre_quadtree *tree)
{
    tree->headers[tree->free_block].node = ROOT_NODE;
}

static void children_have_another_parent(acre_quadtree *tree)
{
    const uint32_t q = quad_below_an_empty_node(tree);
    tree->cold[q].parent ^= 1;
}

static void children_are_forgotten(acre_quadtree *tree)
{
    const uint32_t q = quad_below_an_empty_node(tree), parent = node_parent(tree, q * 4);
    tree->quads[parent >> 2].child[parent & 3] = 0;
}

static void children_are_shared(acre_quadtree *tree)
{
    const uint32_t q = quad_below_an_empty_node(tree), parent = node_parent(tree, q * 4);
    tree->quads[parent >> 2].child[(parent & 3) ^ 2] = q;
}

static void children_are_outside_the_array(acre_quadtree *tree)
{
    const uint32_t q = quad_below_an_empty_node(tree), parent = node_parent(tree, q * 4);
    tree->quads[parent >> 2].child[parent & 3] = tree->quad_count + 1000000;
}

static void children_are_two_levels_below(acre_quadtree *tree)
{
    tree->cold[quad_below_an_empty_node(tree)].level--;
}

static void children_stand_beside_their_parent(acre_quadtree *tree)
{
    tree->cold[quad_below_an_empty_node(tree)].x += 1;
}

static void level_is_no_level(acre_quadtree *tree)
{
    tree->cold[quad_below_an_empty_node(tree)].level = 77;
}

static void corner_is_beyond_all_ground(acre_quadtree *tree)
{
    tree->cold[quad_below_an_empty_node(tree)].z = INT32_MAX;
}

static void root_has_a_parent(acre_quadtree *tree)
{
    tree->cold[0].parent = 4;
}

static void root_quad_has_a_third_node(acre_quadtree *tree)
{
    tree->quads[0].items[2] = *word_of(tree, 17);
}

static void free_quads_are_lost(acre_quadtree *tree)
{
    tree->free_quad = 0;
}

static void free_quads_are_a_ring(acre_quadtree *tree)
{
    tree->cold[tree->free_quad].parent = tree->free_quad;
}

static void free_list_names_a_used_quad(acre_quadtree *tree)
{
    tree->free_quad = quad_below_an_empty_node(tree);
}

static void center_is_outside_the_cell(acre_quadtree *tree)
{
    const uint32_t item = deep_item(tree);
    const row_box square = cell_of_item(tree, item);
    const row_box box =
        moved_box(tree, item, (double)square.row[ROW_X_MAX], (double)square.row[ROW_Z_MIN], 0);
    force_box(tree, item, &box);
}

// The largest center that the integer function puts into the cell before.
static void center_is_one_float_outside_the_cell(acre_quadtree *tree)
{
    const uint32_t item = deep_item(tree);
    const row_box square = cell_of_item(tree, item);
    const int32_t first = node_cell(tree, node_of(tree, item)).x;
    const double z = (double)square.row[ROW_Z_MIN];
    float x = nextafterf(square.row[ROW_X_MIN], INFINITY);
    row_box box = moved_box(tree, item, (double)x, z, 0);
    while (acre_grid_place(&tree->grid, &box).x >= first) {
        x = nextafterf(x, -INFINITY);
        box = moved_box(tree, item, (double)x, z, 0);
    }
    force_box(tree, item, &box);
}

static void item_is_wider_than_its_cell(acre_quadtree *tree)
{
    const uint32_t item = deep_item(tree);
    const row_box square = cell_of_item(tree, item);
    const float size = square.row[ROW_X_MAX] - square.row[ROW_X_MIN];
    row_box box = moved_box(tree, item, (double)square.row[ROW_X_MIN],
                            (double)square.row[ROW_Z_MIN], (double)size);
    box.row[ROW_X_MAX] = nextafterf(box.row[ROW_X_MAX], INFINITY);
    force_box(tree, item, &box);
}

static void item_is_small_in_an_inner_cell(acre_quadtree *tree)
{
    const row_box box = moved_box(tree, SMALL, 20, 20, 0.5);
    force_box(tree, SMALL, &box);
}

static void group_bounds_are_one_float_too_small(acre_quadtree *tree)
{
    float *const edge = group_edge(tree, deep_item(tree), ROW_Z_MAX);
    *edge = nextafterf(*edge, -INFINITY);
}

static void group_bounds_are_nan(acre_quadtree *tree)
{
    *group_edge(tree, deep_item(tree), ROW_X_MIN) = NAN;
}

static void node_bounds_are_one_float_too_small(acre_quadtree *tree)
{
    const uint32_t node = node_of(tree, deep_item(tree));
    float *const edge = &tree->quads[node >> 2].bounds.row[ROW_Y_MIN][node & 3];
    *edge = nextafterf(*edge, INFINITY);
}

static void parents_bounds_are_one_float_too_small(acre_quadtree *tree)
{
    const uint32_t node = node_parent(tree, quad_below_an_empty_node(tree) * 4);
    float *const edge = &tree->quads[node >> 2].bounds.row[ROW_X_MAX][node & 3];
    *edge = nextafterf(*edge, -INFINITY);
}

static void node_bounds_are_empty_above_items(acre_quadtree *tree)
{
    const row_box empty = rows_empty();
    set_node_bounds(tree, node_of(tree, deep_item(tree)), &empty);
}

static void bounds_are_one_float_beyond_the_loose_ones(acre_quadtree *tree)
{
    const uint32_t node = node_of(tree, deep_item(tree));
    const cell square = node_cell(tree, node);
    row_box bounds = node_bounds(tree, node);
    bounds.row[ROW_X_MAX] =
        nextafterf(acre_grid_loose_bounds(&tree->grid, &square).row[ROW_X_MAX], INFINITY);
    acre_grow_node_bounds(tree, node, &bounds);
}

static void root_bounds_are_endless(acre_quadtree *tree)
{
    tree->quads[0].bounds.row[ROW_Z_MIN][ROOT_NODE] = -INFINITY;
}

static void outlier_fits_the_root(acre_quadtree *tree)
{
    const row_box box = moved_box(tree, SMALL + STACKED, 1, 1, 1);
    force_box(tree, SMALL + STACKED, &box);
}

static void root_is_smaller_than_home(acre_quadtree *tree)
{
    tree->home.level = tree->cold[0].level + 1;
}

static void root_stands_beside_home(acre_quadtree *tree)
{
    tree->home.x += (int32_t)(1u << tree->cold[0].level);
}

static void root_ends_inside_home(acre_quadtree *tree)
{
    const int32_t end = tree->cold[0].z + (int32_t)(1u << tree->cold[0].level);
    tree->home.z = end - (int32_t)(1u << tree->home.level) + 1;
}

static void root_ends_west_of_homes_east(acre_quadtree *tree)
{
    const int32_t end = tree->cold[0].x + (int32_t)(1u << tree->cold[0].level);
    tree->home.x = end - (int32_t)(1u << tree->home.level) + 1;
}

static void home_begins_before_the_root(acre_quadtree *tree)
{
    tree->home.z = tree->cold[0].z - 1;
}

static void home_is_larger_than_any_root(acre_quadtree *tree)
{
    tree->home.level = MAX_LEVEL + 1;
}

static void node_lacks_a_layer_of_its_item(acre_quadtree *tree)
{
    const uint32_t node = node_of(tree, deep_item(tree));
    tree->cold[node >> 2].layers[node & 3] = 0;
}

static void node_lacks_a_layer_of_its_children(acre_quadtree *tree)
{
    const uint32_t node = node_parent(tree, quad_below_an_empty_node(tree) * 4);
    tree->cold[node >> 2].layers[node & 3] &= ~2u;
}

static void too_few_blocks_are_reserved(acre_quadtree *tree)
{
    const size_t nodes = acre_tree_nodes(tree) + 1;
    tree->block_capacity = (uint32_t)acre_blocks_needed(tree->item_count, nodes) - 1;
}

static void block_names_another_node(acre_quadtree *tree)
{
    tree->headers[location_block(tree->locations[18])].node ^= 1;
}

static void block_has_the_size_of_another_level(acre_quadtree *tree)
{
    tree->headers[location_block(tree->locations[19])].limits.end[LIMIT_SIZE] *= 2.0f;
}

static void leafs_block_speaks_of_children(acre_quadtree *tree)
{
    const uint32_t block = location_block(tree->locations[deep_item(tree)]);
    tree->headers[block].limits.least[LIMIT_SIZE] =
        nextafterf(0.5f * tree->headers[block].limits.end[LIMIT_SIZE], INFINITY);
}

static void inner_cells_block_knows_no_children(acre_quadtree *tree)
{
    tree->headers[location_block(tree->locations[SMALL])].limits.least[LIMIT_SIZE] = 0.0f;
}

static void outliers_block_lets_items_stay(acre_quadtree *tree)
{
    tree->headers[location_block(tree->locations[SMALL + STACKED])].limits.end[LIMIT_SIZE] = 1.0f;
}

static void height_of_bands_is_no_power_of_two(acre_quadtree *tree)
{
    tree->cold[quad_of_bands(tree)].bands.height *= 1.5f;
}

static void bands_begin_between_two_multiples(acre_quadtree *tree)
{
    height_bands *const bands = &tree->cold[quad_of_bands(tree)].bands;
    bands->base += 0.25f * bands->height;
}

static void bands_begin_nowhere(acre_quadtree *tree)
{
    tree->cold[quad_of_bands(tree)].bands.base = NAN;
}

static void bands_have_another_level_than_their_parent(acre_quadtree *tree)
{
    tree->cold[quad_of_bands(tree)].level--;
}

static void item_stands_beside_bands(acre_quadtree *tree)
{
    const uint32_t item = ALL - 1;
    const row_box box = location_box(tree, tree->locations[item]);
    acre_detach_item(tree, tree->locations[item]);
    acre_attach_item(tree, node_parent(tree, quad_of_bands(tree) * 4), item, &box);
}

// A node without items and children whose level lies between two.
static uint32_t empty_leaf(const acre_quadtree *tree, uint32_t least, uint32_t most)
{
    for (uint32_t node = 4; node < 4 * tree->quad_count; node++) {
        if (is_live_quad(tree, node >> 2) && !node_child(tree, node) && !*node_items(tree, node) &&
            node_level(tree, node) >= least && node_level(tree, node) <= most) {
            return node;
        }
    }
    return NONE;
}

// Puts bands below a node, and others into the lowest of them, and so on.
static void nest_bands(acre_quadtree *tree, uint32_t node, uint32_t count)
{
    const height_bands bands = {0.0f, 1.0f};
    const uint32_t above = acre_band_range(tree, node).count;
    for (uint32_t i = above; i < count && acre_ensure_quads(tree, 1) &&
                             acre_ensure_blocks(tree, tree->item_count, acre_tree_nodes(tree) + 5);
         i++) {
        node = acre_make_children(tree, node, &bands) * 4;
    }
}

static void bands_are_nested_deeper_than_their_level(acre_quadtree *tree)
{
    const uint32_t node = empty_leaf(tree, 1, MAX_BANDS - 1);
    nest_bands(tree, node, node_level(tree, node) + 1);
}

static void bands_are_nested_too_deep(acre_quadtree *tree)
{
    nest_bands(tree, empty_leaf(tree, MAX_BANDS + 1, MAX_LEVEL), MAX_BANDS + 1);
}

static void bands_have_no_height(acre_quadtree *tree)
{
    tree->cold[quad_of_bands(tree)].bands.height = 0.0f;
}

static void bands_have_an_endless_height(acre_quadtree *tree)
{
    tree->cold[quad_of_bands(tree)].bands.height = INFINITY;
}

static void bands_stand_upside_down(acre_quadtree *tree)
{
    tree->cold[quad_of_bands(tree)].bands.height *= -1.0f;
}

static void bands_begin_at_infinity(acre_quadtree *tree)
{
    tree->cold[quad_of_bands(tree)].bands.base = INFINITY;
}

static void root_is_a_band(acre_quadtree *tree)
{
    tree->cold[0].level |= BANDED;
    tree->cold[0].bands = (height_bands){0.0f, 1.0f};
}

static void bands_are_miscounted(acre_quadtree *tree)
{
    tree->banded_quads++;
}

static void quarters_are_called_bands(acre_quadtree *tree)
{
    tree->cold[quad_below_an_empty_node(tree)].level |= BANDED;
}

static void items_are_miscounted(acre_quadtree *tree)
{
    tree->item_count++;
}

static void quads_are_miscounted(acre_quadtree *tree)
{
    tree->live_quads++;
}

static void blocks_are_miscounted(acre_quadtree *tree)
{
    tree->live_blocks++;
}

static void largest_item_is_forgotten(acre_quadtree *tree)
{
    tree->item_limit = ALL - 1;
}

static void cells_are_finer_than_the_def_asks_for(acre_quadtree *tree)
{
    tree->def_cell *= 2.0f;
    tree->has_other_lattice = true;
}

static void cells_are_coarser_without_reason(acre_quadtree *tree)
{
    tree->def_cell *= 0.5f;
}

static void cells_are_no_power_of_two(acre_quadtree *tree)
{
    tree->grid.cell *= 1.5f;
    tree->grid.inverse = 1.0f / tree->grid.cell;
    tree->has_other_lattice = true; // so that another rule of the lattice does not name it
}

static void inverse_is_of_another_cell(acre_quadtree *tree)
{
    tree->grid.inverse *= 2.0f;
}

static void origin_lies_inside_a_cell(acre_quadtree *tree)
{
    tree->grid.origin[1] += 0.5f * tree->grid.cell;
}

static void origin_is_infinite(acre_quadtree *tree)
{
    tree->grid.origin[0] = INFINITY;
}

static void cells_are_endless(acre_quadtree *tree)
{
    tree->grid.cell = INFINITY;
    tree->grid.inverse = 0.0f;
}

static void origin_of_the_other_axis_lies_inside_a_cell(acre_quadtree *tree)
{
    tree->grid.origin[0] += 0.25f * tree->grid.cell;
}

typedef struct fault {
    int rule;
    void (*plant)(acre_quadtree *tree);
    const char *name;
} fault;

#define FAULT(rule, name)                                                                          \
    {                                                                                              \
        rule, name, #name                                                                          \
    }

static const fault faults[] = {
    FAULT(1, box_is_inverted),
    FAULT(1, box_has_a_nan),
    FAULT(2, location_is_lost),
    FAULT(2, locations_are_swapped),
    FAULT(2, id_is_no_item),
    FAULT(2, id_is_there_twice),
    FAULT(2, absent_item_has_a_location),
    FAULT(3, node_counts_one_too_many),
    FAULT(3, word_counts_one_too_few),
    FAULT(3, word_names_no_block),
    FAULT(3, word_counts_more_than_a_block_holds),
    FAULT(3, word_forgets_the_other_blocks),
    FAULT(3, chain_is_no_run),
    FAULT(3, block_is_no_run),
    FAULT(3, chain_is_a_ring),
    FAULT(3, chain_leaves_the_array),
    FAULT(3, chain_is_cut),
    FAULT(3, free_blocks_are_lost),
    FAULT(3, free_blocks_are_a_ring),
    FAULT(3, free_list_names_a_used_block),
    FAULT(3, free_block_has_a_node),
    FAULT(4, children_have_another_parent),
    FAULT(4, children_are_forgotten),
    FAULT(4, children_are_shared),
    FAULT(4, children_are_outside_the_array),
    FAULT(4, children_are_two_levels_below),
    FAULT(4, children_stand_beside_their_parent),
    FAULT(4, level_is_no_level),
    FAULT(4, corner_is_beyond_all_ground),
    FAULT(4, height_of_bands_is_no_power_of_two),
    FAULT(4, bands_begin_between_two_multiples),
    FAULT(4, bands_begin_nowhere),
    FAULT(4, bands_have_another_level_than_their_parent),
    FAULT(4, item_stands_beside_bands),
    FAULT(4, bands_are_nested_deeper_than_their_level),
    FAULT(4, bands_are_nested_too_deep),
    FAULT(4, bands_have_no_height),
    FAULT(4, bands_have_an_endless_height),
    FAULT(4, bands_stand_upside_down),
    FAULT(4, bands_begin_at_infinity),
    FAULT(4, root_is_a_band),
    FAULT(4, quarters_are_called_bands),
    FAULT(4, root_has_a_parent),
    FAULT(4, root_quad_has_a_third_node),
    FAULT(4, free_quads_are_lost),
    FAULT(4, free_quads_are_a_ring),
    FAULT(4, free_list_names_a_used_quad),
    FAULT(5, center_is_outside_the_cell),
    FAULT(5, center_is_one_float_outside_the_cell),
    FAULT(5, item_is_wider_than_its_cell),
    FAULT(6, item_is_small_in_an_inner_cell),
    FAULT(7, group_bounds_are_one_float_too_small),
    FAULT(7, group_bounds_are_nan),
    FAULT(7, node_bounds_are_one_float_too_small),
    FAULT(7, parents_bounds_are_one_float_too_small),
    FAULT(7, node_bounds_are_empty_above_items),
    FAULT(8, bounds_are_one_float_beyond_the_loose_ones),
    FAULT(8, root_bounds_are_endless),
    FAULT(9, outlier_fits_the_root),
    FAULT(10, root_is_smaller_than_home),
    FAULT(10, root_stands_beside_home),
    FAULT(10, root_ends_inside_home),
    FAULT(10, root_ends_west_of_homes_east),
    FAULT(10, home_begins_before_the_root),
    FAULT(10, home_is_larger_than_any_root),
    FAULT(11, node_lacks_a_layer_of_its_item),
    FAULT(11, node_lacks_a_layer_of_its_children),
    FAULT(12, too_few_blocks_are_reserved),
    FAULT(13, block_names_another_node),
    FAULT(13, block_has_the_size_of_another_level),
    FAULT(13, leafs_block_speaks_of_children),
    FAULT(13, inner_cells_block_knows_no_children),
    FAULT(13, outliers_block_lets_items_stay),
    FAULT(14, items_are_miscounted),
    FAULT(14, quads_are_miscounted),
    FAULT(14, blocks_are_miscounted),
    FAULT(14, bands_are_miscounted),
    FAULT(14, largest_item_is_forgotten),
    FAULT(15, cells_are_finer_than_the_def_asks_for),
    FAULT(15, cells_are_coarser_without_reason),
    FAULT(15, cells_are_no_power_of_two),
    FAULT(15, inverse_is_of_another_cell),
    FAULT(15, origin_lies_inside_a_cell),
    FAULT(15, origin_is_infinite),
    FAULT(15, cells_are_endless),
    FAULT(15, origin_of_the_other_axis_lies_inside_a_cell),
};
enum { FAULTS = sizeof faults / sizeof faults[0], RULES = 15 };

static void each_planted_fault_is_named_by_its_rule(void)
{
    bool is_planted[RULES + 1] = {false};
    bool all_named = true;
    for (int i = 0; i < FAULTS; i++) {
        acre_quadtree *const tree = rich_tree();
        CHECK(tree != NULL);
        char message[200] = "untouched", rule[8];
        CHECK(acre_quadtree_validate(tree, message, sizeof message) == ACRE_OK);
        CHECK(message[0] == '\0');
        faults[i].plant(tree);
        const acre_result result = acre_quadtree_validate(tree, message, sizeof message);
        snprintf(rule, sizeof rule, "I%d:", faults[i].rule);
        if (result != ACRE_ERROR_FORMAT || strncmp(message, rule, strlen(rule)) != 0) {
            printf("     %s should break I%d: %s\n", faults[i].name, faults[i].rule,
                   result == ACRE_OK ? "not seen" : message);
            all_named = false;
        }
        CHECK(acre_quadtree_validate(tree, NULL, 0) == result);
        is_planted[faults[i].rule] = true;
        acre_quadtree_destroy(tree);
    }
    for (int rule = 1; rule <= RULES; rule++) {
        CHECK(is_planted[rule]);
    }
    CHECK(all_named);
}

// As many bands above a node as are allowed, by its level and in all.
static void bands_within_bands_are_sound_to_their_limits(void)
{
    acre_quadtree *const tree = rich_tree();
    CHECK(tree != NULL);
    const uint32_t low = empty_leaf(tree, 1, MAX_BANDS - 1);
    const uint32_t high = empty_leaf(tree, MAX_BANDS + 1, MAX_LEVEL);
    CHECK(low != NONE && high != NONE);
    nest_bands(tree, low, node_level(tree, low));
    nest_bands(tree, high, MAX_BANDS);
    CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    acre_quadtree_destroy(tree);
}

static void a_message_never_overruns_its_room(void)
{
    acre_quadtree *const tree = rich_tree();
    CHECK(tree != NULL);
    items_are_miscounted(tree);
    char full[200];
    CHECK(acre_quadtree_validate(tree, full, sizeof full) == ACRE_ERROR_FORMAT);
    for (size_t room = 0; room < 60; room++) {
        char text[80];
        memset(text, '#', sizeof text);
        CHECK(acre_quadtree_validate(tree, text, room) == ACRE_ERROR_FORMAT);
        CHECK(text[room] == '#');
        CHECK(room == 0 || (strlen(text) < room && strncmp(text, full, strlen(text)) == 0));
    }
    acre_quadtree_destroy(tree);
    CHECK(acre_quadtree_validate(NULL, full, sizeof full) == ACRE_ERROR_INVALID_ARGUMENT);
}

// ---- flipped bits ----

// A random bit of a random row of one array.
static void flip_bit(void *array, size_t row_size, size_t offset, size_t bytes, uint32_t rows,
                     test_random *random)
{
    const size_t row = random_below(random, rows);
    const size_t byte = offset + random_below(random, (uint32_t)bytes);
    ((unsigned char *)array)[row * row_size + byte] ^=
        (unsigned char)(1u << random_below(random, 8));
}

// Flips one bit somewhere; true if no rule may miss it.
static bool flip_somewhere(acre_quadtree *tree, test_random *random)
{
    switch (random_below(random, 9)) {
    case 0:
        flip_bit(tree->quads, sizeof(quad), offsetof(quad, child), sizeof(uint32_t[4]),
                 tree->quad_count, random);
        break;
    case 1:
        flip_bit(tree->quads, sizeof(quad), offsetof(quad, items), sizeof(uint32_t[4]),
                 tree->quad_count, random);
        break;
    case 2:
        flip_bit(tree->quads, sizeof(quad), 0, sizeof(quad), tree->quad_count, random);
        return false; // bounds may be larger than they need be
    case 3:           // parent, level, corner
        flip_bit(tree->cold, sizeof(quad_cold), 0, offsetof(quad_cold, count), tree->quad_count,
                 random);
        break;
    case 4:
        flip_bit(tree->cold, sizeof(quad_cold), offsetof(quad_cold, count), sizeof(uint32_t[4]),
                 tree->quad_count, random);
        break;
    case 5: // links of blocks
        flip_bit(tree->next, sizeof(uint32_t), 0, sizeof(uint32_t), tree->block_count, random);
        break;
    case 6:
        flip_bit(tree->headers, sizeof(block_header), offsetof(block_header, node),
                 sizeof(uint32_t), tree->block_count, random);
        break;
    case 7:
        flip_bit(tree->locations, sizeof(uint32_t), 0, sizeof(uint32_t), ALL, random);
        break;
    default:
        flip_bit(tree->ids, sizeof(block_ids), 0, sizeof(block_ids), tree->block_count, random);
        return false; // slots beyond a block's items hold anything
    }
    return true;
}

// Free quads keep what they held: nobody reads it, but for the level and the link of the list.
// Bands may begin anywhere and have any height.
static bool is_seen_or_free(acre_quadtree *tree, const acre_quadtree *before)
{
    if (acre_quadtree_validate(tree, NULL, 0) != ACRE_OK) {
        return true;
    }
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        if (before->cold[q].level != NONE && is_banded(before, q)) {
            tree->cold[q].bands = before->cold[q].bands;
        }
        if (before->cold[q].level != NONE &&
            (memcmp(&tree->cold[q], &before->cold[q], sizeof tree->cold[q]) != 0 ||
             memcmp(&tree->quads[q], &before->quads[q], sizeof tree->quads[q]) != 0)) {
            return false;
        }
    }
    return memcmp(tree->headers, before->headers, tree->block_count * sizeof *tree->headers) == 0;
}

static void any_flipped_bit_is_survived_and_those_of_links_and_counts_are_seen(void)
{
    acre_quadtree *const before = rich_tree();
    CHECK(before != NULL);
    test_random random = {test_seed};
    uint32_t unseen = 0, sure = 0;
    for (uint32_t i = 0; i < 1500 * test_scale; i++) {
        acre_quadtree *const tree = rich_tree();
        CHECK(tree != NULL);
        const bool is_sure = flip_somewhere(tree, &random);
        sure += is_sure;
        unseen += acre_quadtree_validate(tree, NULL, 0) == ACRE_OK;
        CHECK(!is_sure || is_seen_or_free(tree, before));
        acre_quadtree_destroy(tree);
    }
    CHECK(sure > 500 && unseen < 1000 * test_scale);
    acre_quadtree_destroy(before);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(each_planted_fault_is_named_by_its_rule),
        TEST(bands_within_bands_are_sound_to_their_limits),
        TEST(a_message_never_overruns_its_room),
        TEST(any_flipped_bit_is_survived_and_those_of_links_and_counts_are_seen),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
