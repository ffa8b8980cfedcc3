// SPDX-License-Identifier: MIT
// quadtree_validate.c - checks every invariant of quadtree_internal.h, by number and without
// tolerance.
//
// Nothing that it reads is trusted: an index is checked before it is followed.
#include "quadtree_tree.h"

#include <math.h>
#include <string.h>
#include <stdio.h>

typedef struct check {
    const acre_quadtree *tree;
    char *message;
    size_t size;
    size_t items, outliers, quads, banded_quads, blocks; // met so far
    bool is_broken;
} check;

// Writes the message, if it is the first one. Always answers false.
static bool broken(check *state, int rule, const char *text, uint32_t where)
{
    if (!state->is_broken && state->message && state->size > 0) {
        snprintf(state->message, state->size, "I%d: %s (%u)", rule, text, (unsigned)where);
    }
    state->is_broken = true;
    return false;
}

static bool check_place(check *state, uint32_t node, uint32_t item, const row_box *box)
{
    const acre_quadtree *const tree = state->tree;
    const placement place = acre_grid_place(&tree->grid, box);
    if (node == OUTLIER_NODE) {
        return !acre_root_covers(tree, &place) || broken(state, 9, "outlier fits the root", item);
    }
    const cell square = node_cell(tree, node);
    if (place.is_outlier || place.level > square.level || !cell_holds(&square, place.x, place.z)) {
        return broken(state, 5, "item outside its cell or too large for it", item);
    }
    if (node_child(tree, node) && place.level < square.level) {
        return broken(state, 6, "item belongs deeper", item);
    }
    return true;
}

static bool check_item(check *state, uint32_t node, uint32_t location)
{
    const acre_quadtree *const tree = state->tree;
    const uint32_t block = location_block(location);
    const uint32_t item = tree->ids[block].id[location_slot(location)];
    const row_box box = location_box(tree, location);
    if (!rows_are_valid(&box)) {
        return broken(state, 1, "stored box is invalid", item);
    }
    if (item >= tree->location_count || tree->locations[item] != location) {
        return broken(state, 2, "location names another slot", item);
    }
    const row_box bounds = group_bounds(tree, location);
    if (!rows_contain(&bounds, &box)) {
        return broken(state, 7, "item outside its group's bounds", item);
    }
    if (tree->layers &&
        (tree->cold[node >> 2].layers[node & 3] & tree->layers[item]) != tree->layers[item]) {
        return broken(state, 11, "node lacks a layer of its item", item);
    }
    return check_place(state, node, item, &box);
}

static bool is_cell_limit(const ground_grid *grid, int axis, float center, int32_t index)
{
    const float expected = acre_grid_first_center(grid, axis, index);
    return center == expected || (isnan(center) && isnan(expected));
}

static bool check_header(check *state, uint32_t node, uint32_t block)
{
    const acre_quadtree *const tree = state->tree;
    const block_header *const header = &tree->headers[block];
    if (header->node != node) {
        return broken(state, 13, "block names another node", block);
    }
    if (node == OUTLIER_NODE) {
        return header->limits.end[LIMIT_SIZE] < 0.0f ||
               broken(state, 13, "outliers' block has sizes", block);
    }
    const cell square = node_cell(tree, node);
    const float size = acre_grid_cell_size(&tree->grid, square.level);
    const float least = node_child(tree, node) ? nextafterf(0.5f * size, INFINITY) : 0.0f;
    const cell_limits *const limits = &header->limits;
    const int32_t cells = (int32_t)(1u << square.level);
    if (!is_cell_limit(&tree->grid, 0, limits->least[LIMIT_X], square.x) ||
        !is_cell_limit(&tree->grid, 1, limits->least[LIMIT_Z], square.z) ||
        !is_cell_limit(&tree->grid, 0, limits->end[LIMIT_X], square.x + cells) ||
        !is_cell_limit(&tree->grid, 1, limits->end[LIMIT_Z], square.z + cells) ||
        limits->least[LIMIT_SIZE] != least || limits->end[LIMIT_SIZE] != size) {
        return broken(state, 13, "block header differs from its node's cell", block);
    }
    return true;
}

// A group's bounds lie in the node's; a group without items has empty bounds.
static bool check_groups(check *state, uint32_t node, uint32_t block, uint32_t count)
{
    const row_box bounds = node_bounds(state->tree, node), empty = rows_empty();
    for (uint32_t slot = 0; slot < BLOCK_SLOTS; slot += GROUP_SLOTS) {
        const row_box group = group_bounds(state->tree, location_of(block, slot));
        const bool is_right = slot < count ? rows_contain(&bounds, &group)
                                           : memcmp(&group, &empty, sizeof group) == 0;
        if (!is_right && node != OUTLIER_NODE) {
            return broken(state, 7, "group bounds outside the node's", block);
        }
    }
    return true;
}

// Checks a chain word before it is followed.
static bool check_chain_word(check *state, uint32_t node)
{
    const acre_quadtree *const tree = state->tree;
    const uint32_t word = *node_items(tree, node), block = chain_block(word);
    const bool is_sound = word == 0 || (block < tree->block_count && chain_count(word) > 0 &&
                                        chain_count(word) <= BLOCK_SLOTS &&
                                        chain_more(word) == (tree->next[block] != NONE) &&
                                        (chain_more(word) || chain_is_run(word)));
    return is_sound || broken(state, 3, "chain word is wrong", node);
}

// In a run, each block but the chain's first is followed in memory by the next one of the chain,
// and the last one by the first.
static bool check_run(check *state, uint32_t node, const chain_walk *walk)
{
    const uint32_t word = *node_items(state->tree, node), first = chain_block(word);
    const uint32_t after = walk->next == NONE ? first : walk->next;
    return !chain_is_run(word) || walk->block == first || after == walk->block + 1 ||
           broken(state, 3, "run has a gap", node);
}

static bool check_chain(check *state, uint32_t node)
{
    const acre_quadtree *const tree = state->tree;
    size_t count = 0;
    if (!check_chain_word(state, node)) {
        return false;
    }
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        if ((walk.next != NONE && walk.next >= tree->block_count) ||
            ++state->blocks > tree->live_blocks) {
            return broken(state, 3, "chain is broken", node);
        }
        if (!check_run(state, node, &walk) || !check_header(state, node, walk.block) ||
            !check_groups(state, node, walk.block, walk.count)) {
            return false;
        }
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            if (!check_item(state, node, location_of(walk.block, slot))) {
                return false;
            }
        }
        count += walk.count;
    }
    state->items += count;
    state->outliers += node == OUTLIER_NODE ? count : 0;
    return count == node_count(tree, node) || broken(state, 3, "node counts its items wrong", node);
}

static bool check_bounds(check *state, uint32_t node)
{
    const acre_quadtree *const tree = state->tree;
    const row_box bounds = node_bounds(tree, node);
    if (bounds.row[ROW_X_MIN] > bounds.row[ROW_X_MAX]) {
        return true; // empty
    }
    const cell square = node_cell(tree, node);
    const row_box loose = acre_grid_loose_bounds(&tree->grid, &square);
    if (!rows_contain(&loose, &bounds)) {
        return broken(state, 8, "stored bounds outside the loose bounds", node);
    }
    const uint32_t parent = node_parent(tree, node);
    if (parent == NONE) {
        return true;
    }
    const row_box above = node_bounds(tree, parent);
    return rows_contain(&above, &bounds) || broken(state, 7, "bounds outside the parent's", node);
}

// Whether a number is a power of two; zero, infinity and NaN are none.
static bool is_power_of_two(float number)
{
    int exponent;
    return frexpf(number, &exponent) == 0.5f;
}

static bool are_bands(const height_bands *bands)
{
    const float steps = bands->base / bands->height;
    return is_power_of_two(bands->height) && fabsf(bands->base) <= FLT_MAX &&
           (fabsf(steps) >= 0x1p24f || floorf(steps) == steps);
}

// Checks the children of a node against its cell.
static bool check_children(check *state, uint32_t node, uint32_t child)
{
    const acre_quadtree *const tree = state->tree;
    const quad_cold *const cold = &tree->cold[child];
    const cell square = node_cell(tree, node);
    if (cold->level == NONE || cold->parent != node) {
        return broken(state, 4, "children do not know their parent", node);
    }
    if (cold->level & BANDED) {
        const uint32_t bands = acre_band_range(tree, child * 4).count;
        return (node_level(tree, child * 4) == square.level && bands <= square.level &&
                bands <= MAX_BANDS && *node_items(tree, node) == 0) ||
               broken(state, 4, "bands are not those of their parent", node);
    }
    return (cold->level + 1 == square.level && cold->x == square.x && cold->z == square.z) ||
           broken(state, 4, "children do not tile their parent", node);
}

// Checks that the way from a quad up to the root ends. The links of all quads are right.
static bool check_way_up(check *state, uint32_t q)
{
    uint32_t at = q, steps = 0;
    while (at != 0 && steps <= MAX_LEVEL) {
        at = state->tree->cold[at].parent >> 2;
        steps++;
    }
    return steps <= MAX_LEVEL || broken(state, 4, "too far below the root", q);
}

// Checks that a quad can be read without harm: its cells, its parent and its children exist.
static bool check_links(check *state, uint32_t q)
{
    const acre_quadtree *const tree = state->tree;
    if (++state->quads > tree->live_quads) {
        return broken(state, 4, "more quads than there are", q);
    }
    const quad_cold *const cold = &tree->cold[q];
    const int32_t reach = 1 << (MAX_LEVEL + 1);
    const bool has_bands = cold->level & BANDED;
    if ((cold->level & ~(uint32_t)BANDED) > MAX_LEVEL) {
        return broken(state, 4, "no such level", q);
    }
    if (!has_bands &&
        (cold->x < -reach || cold->x > reach || cold->z < -reach || cold->z > reach)) {
        return broken(state, 4, "no such cell", q);
    }
    if (has_bands && (q == 0 || !are_bands(&cold->bands))) {
        return broken(state, 4, "no such bands", q);
    }
    const uint32_t parent = cold->parent;
    if (q == 0 ? parent != NONE
               : parent / 4 >= tree->quad_count || tree->cold[parent / 4].level == NONE ||
                     node_child(tree, parent) != q) {
        return broken(state, 4, "parent does not know its children", q);
    }
    for (uint32_t slot = 0; slot < 4; slot++) {
        if (tree->quads[q].child[slot] >= tree->quad_count) {
            return broken(state, 4, "no such children", q * 4 + slot);
        }
    }
    state->banded_quads += has_bands;
    return true;
}

static bool check_quad(check *state, uint32_t q)
{
    const acre_quadtree *const tree = state->tree;
    if (!check_way_up(state, q)) {
        return false;
    }
    for (uint32_t slot = 0; slot < 4; slot++) {
        const uint32_t node = q * 4 + slot;
        const uint32_t child = node_child(tree, node);
        if (q == 0 && slot > OUTLIER_NODE && (child || *node_items(tree, node))) {
            return broken(state, 4, "quad 0 has content beside root and outliers", slot);
        }
        if (child) {
            const quad_cold *const cold = &tree->cold[child];
            if (!check_children(state, node, child)) {
                return false;
            }
            const uint32_t sums =
                cold->layers[0] | cold->layers[1] | cold->layers[2] | cold->layers[3];
            if (tree->layers && (sums & ~tree->cold[q].layers[slot])) {
                return broken(state, 11, "node lacks a layer of its children", node);
            }
        }
        if (!check_chain(state, node) || (node != OUTLIER_NODE && !check_bounds(state, node))) {
            return false;
        }
    }
    return true;
}

// Checks that each row that no chain and no parent names is in a free list, once.
static bool check_free_lists(check *state)
{
    const acre_quadtree *const tree = state->tree;
    uint32_t block = tree->free_block;
    for (uint32_t left = tree->block_count - tree->live_blocks; left > 0; left--) {
        if (block >= tree->block_count || tree->headers[block].node != NONE) {
            return broken(state, 3, "free list of blocks is broken", block);
        }
        block = tree->next[block];
    }
    uint32_t q = tree->free_quad;
    for (uint32_t left = tree->quad_count - tree->live_quads; left > 0; left--) {
        if (q == 0 || q >= tree->quad_count || tree->cold[q].level != NONE) {
            return broken(state, 4, "free list of quads is broken", q);
        }
        q = tree->cold[q].parent;
    }
    if (block != NONE) {
        return broken(state, 3, "free list of blocks is too long", block);
    }
    return q == 0 || broken(state, 4, "free list of quads is too long", q);
}

static bool check_totals(check *state)
{
    const acre_quadtree *const tree = state->tree;
    size_t present = 0;
    for (uint32_t item = 0; item < tree->location_count; item++) {
        present += tree->locations[item] != ABSENT;
        if (tree->locations[item] != ABSENT && item >= tree->item_limit) {
            return broken(state, 14, "item_limit is not above all items", item);
        }
    }
    if (present != state->items) {
        return broken(state, 2, "locations name items that no node holds", (uint32_t)present);
    }
    if (state->blocks != tree->live_blocks || state->quads != tree->live_quads ||
        state->items != tree->item_count || state->banded_quads != tree->banded_quads) {
        return broken(state, 14, "a counter differs from what the arrays hold", tree->item_count);
    }
    if (!check_free_lists(state)) {
        return false;
    }
    const cell root = node_cell(tree, ROOT_NODE), inner = tree->home;
    if (root.level < inner.level || !cell_holds(&root, inner.x, inner.z) ||
        root.x + (int32_t)(1u << root.level) < inner.x + (int32_t)(1u << inner.level) ||
        root.z + (int32_t)(1u << root.level) < inner.z + (int32_t)(1u << inner.level)) {
        return broken(state, 10, "root does not cover the home square", root.level);
    }
    const size_t needed =
        state->items ? acre_blocks_needed(state->items, acre_tree_nodes(tree) + 1) : 0;
    return needed <= tree->block_capacity ||
           broken(state, 12, "too few blocks for any refresh", tree->block_capacity);
}

// Side and inverse are exact powers of two, so a product of them is exact.
static bool check_lattice(check *state)
{
    const acre_quadtree *const tree = state->tree;
    const ground_grid *const grid = &tree->grid;
    bool is_sound = is_power_of_two(grid->cell) && grid->cell * grid->inverse == 1.0f;
    for (int axis = 0; axis < 2; axis++) { // an infinite origin has no remainder
        is_sound = is_sound && fmod((double)grid->origin[axis], (double)grid->cell) == 0.0;
    }
    if (!is_sound) {
        return broken(state, 15, "finest cells are no lattice", (uint32_t)tree->home.level);
    }
    const bool may_be_finer = tree->def.max_depth == DEFAULT_MAX_DEPTH;
    const bool is_allowed = tree->has_other_lattice ? may_be_finer || grid->cell >= tree->def_cell
                                                    : grid->cell == tree->def_cell;
    return is_allowed || broken(state, 15, "finest cells are not the def's", 0);
}

// Checks all rules. The message, if there is room for one, receives the first broken rule.
static bool is_tree_sound(const acre_quadtree *tree, char *message, size_t size)
{
    check state = {.tree = tree, .message = message, .size = size};
    bool is_sound = check_lattice(&state);
    // All links first, so that a broken one is met before it is followed.
    for (uint32_t q = 0; is_sound && q < tree->quad_count; q++) {
        is_sound = tree->cold[q].level == NONE || check_links(&state, q);
    }
    for (uint32_t q = 0; is_sound && q < tree->quad_count; q++) {
        is_sound = tree->cold[q].level == NONE || check_quad(&state, q);
    }
    return is_sound && check_totals(&state);
}

#if ACRE_CHECK >= 3
// Whether floats round to nearest and small ones are not flushed to zero. In another mode cells and
// bounds come out a little different, so that a tree which was edited in both is not exact.
static bool is_float_mode_default(void)
{
    volatile float one = 1.0f, quarter = 0.25f * FLT_EPSILON, least = FLT_MIN;
    const float low = one + quarter, high = one + 3.0f * quarter;
    return low == 1.0f && high > 1.0f && 0.5f * least > 0.0f;
}

void acre_check_tree(const acre_quadtree *tree)
{
    ACRE_INVARIANT(!is_float_mode_default() || is_tree_sound(tree, NULL, 0));
}
#endif

acre_result acre_quadtree_validate(const acre_quadtree *tree, char *message, size_t size)
{
    acre_result result = start_read(tree, true);
    if (result == ACRE_OK) {
        if (message && size > 0) {
            message[0] = '\0';
        }
        result = is_tree_sound(tree, message, size) ? ACRE_OK : ACRE_ERROR_FORMAT;
        access_end_read(&tree->access);
    }
    return ACRE_ANSWER(result, "o", tree);
}
