// SPDX-License-Identifier: MIT
// quadtree_neighbor_order.c - the order in which rows are searched for neighbors: rows that follow
// each other are near each other.
//
// All items come in the order of the tree. Listed items are sorted by their location in the tree,
// and spheres along Morton's curve through the root: in place, first by a key's high digit, then by
// its low one.
#include "quadtree_neighboring.h"

#include "bits_internal.h"

#include <math.h>

enum {
    KEY_DIGIT_BITS = 11,
    KEY_DIGITS = 1 << KEY_DIGIT_BITS,
    KEY_BITS = 2 * KEY_DIGIT_BITS,
    KEY_AXIS_BITS = KEY_BITS / 2, // of Morton's curve: 2,048 x 2,048 squares
    FEW_ROWS = 64                 // so few are sorted by insertion
};

// ---- where a row is ----

// The middle of an item's box.
static void item_middle(const acre_quadtree *tree, uint32_t location, float *out)
{
    const row_box box = location_box(tree, location);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = box_center(box.row[axis * 2], box.row[axis * 2 + 1]);
    }
}

// As acre_sphere_is_valid, but the radius may be INFINITY. False for NaN.
static bool is_valid_place(const acre_sphere *sphere)
{
    const float *const center = sphere->center;
    const bool is_near = (fabsf(center[0]) <= LARGEST_OF_SHAPE) &
                         (fabsf(center[1]) <= LARGEST_OF_SHAPE) &
                         (fabsf(center[2]) <= LARGEST_OF_SHAPE);
    return is_near && is_neighbor_radius(sphere->radius);
}

bool acre_find_row_place(const acre_quadtree *tree, const acre_neighbors_query *query, size_t row,
                         row_place *out)
{
    ACRE_INVARIANT(row < query->count);
    const uint32_t listed = query->items ? query->items[row] : NONE;
    const uint32_t item = query->items || query->spheres ? listed : (uint32_t)row;
    out->own = has_item(tree, item) ? tree->locations[item] : ABSENT;
    if (query->spheres) {
        out->sphere = query->spheres[row];
    } else {
        ACRE_INVARIANT(out->own != ABSENT);
        item_middle(tree, out->own, out->sphere.center);
        out->sphere.radius = query->radius;
    }
    if (query->flags & ACRE_NEIGHBORS_ON_GROUND) {
        out->sphere.center[1] = 0.0f;
    }
    return is_valid_place(&out->sphere);
}

// ---- keys ----

// The column or row of the root's squares that a coordinate is in, or the nearest one.
static uint32_t square_of(const acre_quadtree *tree, int axis, float center)
{
    const cell root = node_cell(tree, ROOT_NODE);
    const int64_t first = axis == 0 ? root.x : root.z, last = ((int64_t)1 << root.level) - 1;
    int64_t at = grid_index(&tree->grid, axis, center) - first;
    at = at < 0 ? 0 : at > last ? last : at;
    return (uint32_t)((uint64_t)at << KEY_AXIS_BITS >> root.level);
}

static uint32_t curve_key(const acre_quadtree *tree, const float *center)
{
    const uint32_t x = square_of(tree, 0, center[0]), z = square_of(tree, 1, center[2]);
    ACRE_INVARIANT((x | z) < 1u << KEY_AXIS_BITS);
    return spread_bits(x) | spread_bits(z) << 1;
}

// Locations in order, as a key.
static uint32_t location_key(const acre_quadtree *tree, uint32_t location)
{
    uint32_t shift = 0;
    while ((uint64_t)tree->block_count * BLOCK_SLOTS >> shift > UINT32_C(1) << KEY_BITS) {
        shift++;
    }
    return location >> shift;
}

// ---- sorting rows: `count` has the key, `order` the row ----

static void sort_few_rows(acre_neighbor_row *rows, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const acre_neighbor_row row = rows[i];
        size_t at = i;
        for (; at > 0 && rows[at - 1].count > row.count; at--) {
            rows[at] = rows[at - 1];
        }
        rows[at] = row;
    }
}

static uint32_t digit_of(acre_neighbor_row row, uint32_t shift)
{
    return row.count >> shift & (KEY_DIGITS - 1);
}

// Swaps each row into the bucket of its digit (McIlroy, Bostic and McIlroy 1993). ends receives
// where each bucket ends.
static void sort_by_digit(acre_neighbor_row *rows, uint32_t count, uint32_t shift, uint32_t *ends)
{
    uint32_t next[KEY_DIGITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        next[digit_of(rows[i], shift)]++;
    }
    for (uint32_t digit = 0; digit < KEY_DIGITS; digit++) {
        const uint32_t here = next[digit];
        next[digit] = sum;
        sum += here;
        ends[digit] = sum;
    }
    for (uint32_t digit = 0; digit < KEY_DIGITS; digit++) {
        while (next[digit] < ends[digit]) {
            acre_neighbor_row row = rows[next[digit]];
            for (uint32_t home; (home = digit_of(row, shift)) != digit;) {
                const acre_neighbor_row other = rows[next[home]];
                rows[next[home]++] = row;
                row = other;
            }
            rows[next[digit]++] = row;
        }
    }
    ACRE_INVARIANT(ends[KEY_DIGITS - 1] == count);
}

static void sort_rows(acre_neighbor_row *rows, uint32_t count)
{
    uint32_t ends[KEY_DIGITS], inner_ends[KEY_DIGITS];
    if (count <= FEW_ROWS) {
        sort_few_rows(rows, count);
        return;
    }
    sort_by_digit(rows, count, KEY_DIGIT_BITS, ends);
    for (uint32_t digit = 0, begin = 0; digit < KEY_DIGITS; begin = ends[digit++]) {
        const uint32_t here = ends[digit] - begin;
        if (here <= FEW_ROWS) {
            sort_few_rows(rows + begin, here);
        } else {
            sort_by_digit(rows + begin, here, 0, inner_ends);
        }
    }
}

// ---- all rows ----

// The rows in order: those with a place fill up from the front, the others from the back.
typedef struct row_order {
    acre_neighbor_row *rows;
    size_t placed;
    size_t unplaced; // where those begin
} row_order;

static void add_unplaced(row_order *order, size_t row)
{
    ACRE_INVARIANT(order->placed < order->unplaced);
    order->rows[--order->unplaced].order = (uint32_t)row;
}

static void add_refused(row_order *order, size_t row, acre_result why,
                        acre_quadtree_report *refused)
{
    add_unplaced(order, row);
    if (refused->refused++ == 0) {
        refused->first_row = row;
        refused->first_result = why;
    }
}

static void add_placed(row_order *order, size_t row, uint32_t key)
{
    acre_neighbor_row *const end = &order->rows[order->placed++];
    ACRE_INVARIANT(order->placed <= order->unplaced && key >> KEY_BITS == 0);
    end->count = key;
    end->order = (uint32_t)row;
}

static void order_list(const acre_quadtree *tree, const acre_neighbors_query *query,
                       row_order *order, acre_quadtree_report *refused)
{
    for (size_t row = 0; row < query->count; row++) {
        const uint32_t item = query->items[row];
        if (has_item(tree, item)) {
            add_placed(order, row, location_key(tree, tree->locations[item]));
        } else {
            add_refused(order, row, ACRE_ERROR_NOT_FOUND, refused);
        }
    }
}

static void order_spheres(const acre_quadtree *tree, const acre_neighbors_query *query,
                          row_order *order, acre_quadtree_report *refused)
{
    for (size_t row = 0; row < query->count; row++) {
        row_place place;
        if (acre_find_row_place(tree, query, row, &place)) {
            add_placed(order, row, curve_key(tree, place.sphere.center));
        } else {
            add_refused(order, row, ACRE_ERROR_INVALID_ARGUMENT, refused);
        }
    }
}

static void order_chain(const acre_quadtree *tree, const acre_neighbors_query *query, uint32_t node,
                        row_order *order)
{
    for (chain_walk at = chain_first(tree, node); at.count; at = chain_next(tree, at)) {
        for (uint32_t slot = 0; slot < at.count; slot++) {
            const uint32_t item = tree->ids[at.block].id[slot];
            if (item < query->count) {
                order->rows[order->placed++].order = item;
            }
        }
    }
}

static void order_all(const acre_quadtree *tree, const acre_neighbors_query *query,
                      row_order *order)
{
    order_chain(tree, query, ROOT_NODE, order);
    order_chain(tree, query, OUTLIER_NODE, order);
    for (uint32_t q = 1; q < tree->quad_count; q++) {
        for (uint32_t slot = 0; tree->cold[q].level != NONE && slot < 4; slot++) {
            if (tree->quads[q].items[slot]) {
                order_chain(tree, query, q * 4 + slot, order);
            }
        }
    }
    for (size_t row = 0; row < query->count; row++) {
        if (row >= tree->location_count || !has_item(tree, (uint32_t)row)) {
            add_unplaced(order, row);
        }
    }
}

size_t acre_order_rows(const acre_quadtree *tree, const acre_neighbors_query *query,
                       acre_neighbor_lists *lists)
{
    row_order order = {lists->rows, 0, query->count};
    lists->refused = (acre_quadtree_report){.first_result = ACRE_OK};
    if (query->spheres) {
        order_spheres(tree, query, &order, &lists->refused);
    } else if (query->items) {
        order_list(tree, query, &order, &lists->refused);
    } else {
        order_all(tree, query, &order);
    }
    ACRE_INVARIANT(order.placed == order.unplaced);
    if (query->items || query->spheres) {
        sort_rows(order.rows, (uint32_t)order.placed);
    }
    return order.placed;
}
