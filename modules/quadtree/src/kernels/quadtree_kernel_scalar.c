// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar.c - the reference kernel in plain C: what every other kernel must equal.
#include "quadtree_kernel.h"

#include "lanes_one.h"

#include <string.h>

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float distance(const query_plane *plane, float x, float y, float z)
{
    return ((plane->normal[0] * x + plane->normal[1] * y) + plane->normal[2] * z) + plane->d;
}

typedef struct four_masks {
    uint32_t lane[4];
} four_masks;

static four_masks no_planes(void)
{
    return (four_masks){{0, 0, 0, 0}};
}

// The lanes whose mask is 0, as a set.
static uint32_t zero_lanes(four_masks masks)
{
    uint32_t set = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        set |= (uint32_t)(masks.lane[lane] == 0) << lane;
    }
    return set;
}

static four_masks join_masks(four_masks a, four_masks b)
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        a.lane[lane] |= b.lane[lane];
    }
    return a;
}

// Adds bits to the masks of the lanes in a set.
static void add_bits(four_masks *masks, uint32_t set, uint32_t bits)
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        masks->lane[lane] |= set >> lane & 1 ? bits : 0;
    }
}

// Distances of the p-vertices and of the opposite corners of four boxes. The corner that is farther
// along an axis is the one with the larger product, whatever the normal's sign.
static void four_distances(const query_plane *plane, const four_boxes *bounds, float *far_distance,
                           float *near_distance)
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        float far_part[3], near_part[3];
        for (int axis = 0; axis < 3; axis++) {
            const float low = plane->normal[axis] * bounds->row[axis * 2][lane];
            const float high = plane->normal[axis] * bounds->row[axis * 2 + 1][lane];
            far_part[axis] = larger(low, high);
            near_part[axis] = smaller(low, high);
        }
        far_distance[lane] = ((far_part[0] + far_part[1]) + far_part[2]) + plane->bounds_d;
        near_distance[lane] = ((near_part[0] + near_part[1]) + near_part[2]) + plane->bounds_d;
    }
}

// Four boxes, or 16 items, at a time: loops without branches, which compilers make vectors of.
// A NaN distance is not below another one: such a plane decides nothing.
static uint32_t frustum_four(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                             four_masks *left)
{
    uint32_t outside[4] = {0, 0, 0, 0};
    *left = (four_masks){{mask, mask, mask, mask}};
    while (mask) {
        const uint32_t plane = take_lowest(&mask);
        float far_distance[4], near_distance[4];
        four_distances(&volume->planes[plane], bounds, far_distance, near_distance);
        for (uint32_t lane = 0; lane < 4; lane++) {
            outside[lane] |= far_distance[lane] < 0.0f;
            left->lane[lane] &= ~((uint32_t)(near_distance[lane] >= 0.0f) << plane);
        }
    }
    return (outside[0] | outside[1] << 1 | outside[2] << 2 | outside[3] << 3) ^ 15u;
}

static uint32_t box_four(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                         four_masks *left)
{
    uint32_t seen = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        bool outside = false, inside = true;
        for (int low = 0; low < ROW_COUNT; low += 2) {
            const float node_low = bounds->row[low][lane], node_high = bounds->row[low + 1][lane];
            const float box_low = volume->box.row[low], box_high = volume->box.row[low + 1];
            outside |= node_high < box_low || box_high < node_low;
            inside &= box_low <= node_low && node_high <= box_high;
        }
        left->lane[lane] = inside ? 0 : mask;
        seen |= (uint32_t)!outside << lane;
    }
    return seen;
}

// The siblings that have children, as a set.
static uint32_t parents_of(const quad *siblings)
{
    uint32_t set = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        set |= (uint32_t)(siblings->child[slot] != 0) << slot;
    }
    return set;
}

// Every row is written; those that count are followed by the next one.
static void list_siblings(const quad *siblings, uint32_t seen, four_masks left, node_lists *lists,
                          node_ends *ends)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        const uint32_t word = siblings->items[slot], mask = left.lane[slot];
        const uint32_t is_listed = (seen >> slot & 1) & (word != 0);
        lists->inside[ends->inside] = word;
        lists->cut[ends->cut] = word;
        lists->cut_masks[ends->cut] = mask;
        ends->inside += is_listed & (mask == 0);
        ends->cut += is_listed & (mask != 0);
    }
}

// The same of siblings that are wholly inside.
static void list_inside(const quad *siblings, uint32_t wanted, node_lists *lists, node_ends *ends)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        lists->inside[ends->inside] = siblings->items[slot];
        ends->inside += (wanted >> slot & 1) & (siblings->items[slot] != 0);
    }
}

// The first sibling's children come to lie on top.
static void stack_children(const quad *siblings, uint32_t parents, four_masks left,
                           node_lists *lists, node_ends *ends)
{
    for (uint32_t slot = 4; slot-- > 0;) {
        lists->stack[ends->stack] = siblings->child[slot];
        lists->stack_masks[ends->stack] = left.lane[slot];
        ends->stack += parents >> slot & 1;
    }
}

static void list_groups(uint32_t block, uint32_t count, uint32_t seen, four_masks left,
                        group_lists *lists, group_ends *ends)
{
    for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
        const uint32_t is_seen = seen >> group & 1, mask = left.lane[group];
        const uint32_t rest = is_seen ? count - group * GROUP_SLOTS : 0;
        const uint32_t word =
            group_word(block * BLOCK_GROUPS + group, rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
        lists->inside[ends->inside] = word;
        lists->cut[ends->cut] = word;
        lists->cut_masks[ends->cut] = mask;
        ends->inside += is_seen & (mask == 0);
        ends->cut += is_seen & (mask != 0);
    }
}

// What is seen and what is not changes from item to item: no branches, but for groups of one kind.
static uint32_t append_visible(const float *farthest_out, const uint32_t *ids, uint32_t count,
                               uint32_t *out)
{
    uint32_t seen[GROUP_SLOTS], sum = 0, found = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        seen[slot] = !(farthest_out[slot] < 0.0f) & (slot < count);
        sum += seen[slot];
    }
    if (sum == 0) {
        return 0;
    }
    if (sum == GROUP_SLOTS) {
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            out[slot] = ids[slot];
        }
        return GROUP_SLOTS;
    }
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        out[found] = ids[slot];
        found += seen[slot];
    }
    return found;
}

static uint32_t frustum_group(const query_volume *volume, const item_group *group, uint32_t mask,
                              const uint32_t *ids, uint32_t count, uint32_t *out)
{
    float farthest_out[GROUP_SLOTS] = {0.0f};
    while (mask) {
        const query_plane *const plane = &volume->planes[take_lowest(&mask)];
        const float *const x = group->row[plane->far_row[0]];
        const float *const y = group->row[plane->far_row[1]];
        const float *const z = group->row[plane->far_row[2]];
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            farthest_out[slot] =
                smaller(distance(plane, x[slot], y[slot], z[slot]), farthest_out[slot]);
        }
    }
    return append_visible(farthest_out, ids, count, out);
}

static uint32_t overlapping_half(const item_group *group, const float *box, size_t stride,
                                 uint32_t axes, int part)
{
    uint32_t outside[HALF_SLOTS] = {0}, seen = 0;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float box_low = box[(size_t)low * stride], box_high = box[(size_t)(low + 1) * stride];
        const float *const lows = group->row[low] + part * HALF_SLOTS;
        const float *const highs = group->row[low + 1] + part * HALF_SLOTS;
        for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
            outside[slot] |= (highs[slot] < box_low) | (box_high < lows[slot]);
        }
    }
    for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
        seen |= (outside[slot] ^ 1) << slot;
    }
    return seen;
}

static void repeat_group(const item_group *group, uint32_t axes, group_twice *twice)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        if (axes >> row / 2 & 1) {
            memcpy(twice->row[row], group->row[row], sizeof group->row[row]);
            memcpy(twice->row[row] + GROUP_SLOTS, group->row[row], HALF_SLOTS * sizeof(float));
        }
    }
}

static uint32_t overlapping_behind(const group_twice *twice, uint32_t turn, uint32_t axes, int part)
{
    uint32_t outside[HALF_SLOTS] = {0}, seen = 0;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float *const lows = twice->row[low] + part * HALF_SLOTS;
        const float *const highs = twice->row[low + 1] + part * HALF_SLOTS;
        for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
            outside[slot] |= (highs[slot] < lows[slot + turn]) | (highs[slot + turn] < lows[slot]);
        }
    }
    for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
        seen |= (outside[slot] ^ 1) << slot;
    }
    return seen;
}

static uint32_t append_ids(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        out[found] = ids[slot];
        found += seen >> slot & 1;
    }
    return found;
}

TEST_TWICE(frustum_two, frustum_four)
LIST_TWICE

static inline void copy_group(const uint32_t *from, uint32_t *to)
{
    memcpy(to, from, GROUP_SLOTS * sizeof *to);
}

#include "quadtree_kernel_copy.h"
#include "quadtree_kernel_select.h"
#include "quadtree_kernel_shape.h"
#include "quadtree_kernel_pairs.h"
#include "quadtree_kernel_curve.h"
#include "quadtree_kernel_place.h"

// Boxes as the caller has them, in two parts whose strides are powers of two, so that compilers
// transpose them in vectors.
typedef struct gathered_boxes {
    float first[GROUP_SLOTS][4]; // x min, y min, z min, x max
    float last[GROUP_SLOTS][2];  // y max, z max
} gathered_boxes;
static_assert(sizeof(acre_aabb) == 6 * sizeof(float), "min and max without padding");

static void gather_joined(const box_source *source, const uint32_t *ids, gathered_boxes *out)
{
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const unsigned char *const box = source->first + ids[slot] * source->first_stride;
        memcpy(out->first[slot], box, sizeof out->first[slot]);
        memcpy(out->last[slot], box + sizeof out->first[slot], sizeof out->last[slot]);
    }
}

static void gather_boxes(const box_source *source, const uint32_t *ids, gathered_boxes *out)
{
    if (source->is_joined && !source->is_centered) {
        gather_joined(source, ids, out);
        return;
    }
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const row_box box = source_rows(source, ids[slot]);
        const float *const row = box.row;
        const float first[4] = {row[ROW_X_MIN], row[ROW_Y_MIN], row[ROW_Z_MIN], row[ROW_X_MAX]};
        memcpy(out->first[slot], first, sizeof first);
        out->last[slot][0] = row[ROW_Y_MAX];
        out->last[slot][1] = row[ROW_Z_MAX];
    }
}

// The boxes as rows. Whether all of them may stay in the cell.
static bool transpose_boxes(const cell_limits *of_cell, const gathered_boxes *boxes,
                            item_group *rows)
{
    const cell_limits limits = *of_cell; // a copy: rows cannot change it
    uint32_t movers = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const float x_min = boxes->first[slot][0], y_min = boxes->first[slot][1];
        const float z_min = boxes->first[slot][2], x_max = boxes->first[slot][3];
        const float y_max = boxes->last[slot][0], z_max = boxes->last[slot][1];
        rows->row[ROW_X_MIN][slot] = x_min;
        rows->row[ROW_X_MAX][slot] = x_max;
        rows->row[ROW_Y_MIN][slot] = y_min;
        rows->row[ROW_Y_MAX][slot] = y_max;
        rows->row[ROW_Z_MIN][slot] = z_min;
        rows->row[ROW_Z_MAX][slot] = z_max;
        movers |= !stays_in_cell(&limits, x_min, x_max, y_min, y_max, z_min, z_max);
    }
    return movers == 0;
}

static void store_group(const item_group *restrict rows, item_group *restrict group,
                        float *restrict bounds)
{
    enum { PARTS = 4 };
    // Of all rows before one is finished: compilers make vectors of it.
    float part[ROW_COUNT][PARTS];
    for (int i = 0; i < ROW_COUNT; i++) {
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            group->row[i][slot] = rows->row[i][slot];
        }
    }
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const float *const low = rows->row[i], *const high = rows->row[i + 1];
        for (uint32_t lane = 0; lane < PARTS; lane++) {
            part[i][lane] =
                smaller(smaller(low[lane], low[lane + 4]), smaller(low[lane + 8], low[lane + 12]));
            part[i + 1][lane] =
                larger(larger(high[lane], high[lane + 4]), larger(high[lane + 8], high[lane + 12]));
        }
    }
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const float *const low = part[i], *const high = part[i + 1];
        bounds[i * BLOCK_GROUPS] = smaller(smaller(low[0], low[1]), smaller(low[2], low[3]));
        bounds[(i + 1) * BLOCK_GROUPS] = larger(larger(high[0], high[1]), larger(high[2], high[3]));
    }
}

static uint32_t refresh_block(block_header *header, const box_source *source, const uint32_t *ids,
                              uint32_t count, const uint32_t *next, block_boxes *boxes)
{
    uint32_t left = 0;
    for (uint32_t group = 0; group * GROUP_SLOTS < count; group++) {
        const uint32_t *const own = ids + group * GROUP_SLOTS;
        uint32_t padded[GROUP_SLOTS];
        if (next) {
            prefetch_rows(source, next + group * GROUP_SLOTS);
        }
        const bool is_part = is_group_padded(own, count - group * GROUP_SLOTS, padded);
        gathered_boxes gathered;
        item_group rows;
        gather_boxes(source, is_part ? padded : own, &gathered);
        if (transpose_boxes(&header->limits, &gathered, &rows)) {
            store_group(&rows, &boxes->groups[group], &header->bounds.row[0][group]);
        } else {
            left |= 1u << group;
        }
    }
    return left;
}

static size_t refresh_rows(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                           size_t row, size_t count)
{
    const size_t ahead = refreshes_ahead(tree);
    for (; row < count; row++) {
        if (ahead > 0 && row + ahead < count) {
            prefetch_item(tree, items[row + ahead]);
        }
        const row_box box = source_rows(source, row);
        if (!has_item(tree, items[row]) ||
            !fits_in_place(tree, tree->locations[items[row]], &box)) {
            break;
        }
        write_rows(tree, tree->locations[items[row]], &box);
    }
    return row;
}

const tree_kernel acre_kernel_scalar = {QUERY_KERNELS,
                                        SHAPE_KERNELS,
                                        PAIR_KERNELS,
                                        CURVE_KERNEL,
                                        PLACE_KERNEL,
                                        COPY_KERNELS,
                                        .refresh_block = refresh_block,
                                        .refresh_rows = refresh_rows};
