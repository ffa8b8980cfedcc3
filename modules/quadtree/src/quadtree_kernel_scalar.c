// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar.c - the reference kernel in plain C: what every other kernel must equal.
#include "quadtree_kernel.h"

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

// Four siblings, or 16 items, at a time: loops without branches, which compilers make vectors of.
// A NaN distance is not below another one: such a plane is ignored.
static uint32_t frustum_test_quad(const query_volume *volume, const quad *siblings, uint32_t mask,
                                  uint32_t *masks)
{
    float farthest_out[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t slot = 0; slot < 4; slot++) {
        masks[slot] = mask;
    }
    for (uint32_t i = 0; mask >> i != 0; i++) {
        if (!(mask >> i & 1)) {
            continue;
        }
        const query_plane *const plane = &volume->planes[i];
        float near_distance[4];
        for (uint32_t slot = 0; slot < 4; slot++) {
            const float far_distance = distance(plane, siblings->bounds[plane->far_row[0]][slot],
                                                siblings->bounds[plane->far_row[1]][slot],
                                                siblings->bounds[plane->far_row[2]][slot]);
            farthest_out[slot] = smaller(far_distance, farthest_out[slot]);
        }
        for (uint32_t slot = 0; slot < 4; slot++) {
            near_distance[slot] = distance(plane, siblings->bounds[plane->near_row[0]][slot],
                                           siblings->bounds[plane->near_row[1]][slot],
                                           siblings->bounds[plane->near_row[2]][slot]);
        }
        for (uint32_t slot = 0; slot < 4; slot++) {
            masks[slot] &= ~((uint32_t)(near_distance[slot] >= 0.0f) << i);
        }
    }
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        alive |= (uint32_t) !(farthest_out[slot] < 0.0f) << slot;
    }
    return alive;
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

static uint32_t frustum_select_group(const active_planes *active, const item_group *group,
                                     const uint32_t *ids, uint32_t count, uint32_t *out)
{
    float farthest_out[GROUP_SLOTS] = {0.0f};
    for (uint32_t i = 0; i < active->count; i++) {
        const query_plane *const plane = active->plane[i];
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

static uint32_t frustum_select_block(const query_volume *volume, const block_boxes *block,
                                     uint32_t mask, const uint32_t *ids, uint32_t count,
                                     uint32_t *out)
{
    active_planes active;
    list_planes(volume, mask, &active);
    uint32_t found = 0;
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        found += frustum_select_group(&active, &block->groups[first / GROUP_SLOTS], ids + first,
                                      count - first, out + found);
    }
    return found;
}

static uint32_t box_test_quad(const query_volume *volume, const quad *siblings, uint32_t mask,
                              uint32_t *masks)
{
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        bool outside = false, inside = true;
        for (int low = 0; low < ROW_COUNT; low += 2) {
            const float node_low = siblings->bounds[low][slot];
            const float node_high = siblings->bounds[low + 1][slot];
            const float box_low = volume->box.row[low], box_high = volume->box.row[low + 1];
            outside |= node_high < box_low || box_high < node_low;
            inside &= box_low <= node_low && node_high <= box_high;
        }
        masks[slot] = inside ? 0 : mask;
        alive |= (uint32_t)!outside << slot;
    }
    return alive;
}

static uint32_t box_select_group(const query_volume *volume, const item_group *group,
                                 const uint32_t *ids, uint32_t count, uint32_t *out)
{
    float farthest_out[GROUP_SLOTS] = {0.0f};
    for (int low = 0; low < ROW_COUNT; low += 2) {
        const float box_low = volume->box.row[low], box_high = volume->box.row[low + 1];
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const bool outside =
                (group->row[low + 1][slot] < box_low) | (box_high < group->row[low][slot]);
            farthest_out[slot] = outside ? -1.0f : farthest_out[slot];
        }
    }
    return append_visible(farthest_out, ids, count, out);
}

static uint32_t box_select_block(const query_volume *volume, const block_boxes *block,
                                 uint32_t mask, const uint32_t *ids, uint32_t count, uint32_t *out)
{
    (void)mask;
    uint32_t found = 0;
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        found += box_select_group(volume, &block->groups[first / GROUP_SLOTS], ids + first,
                                  count - first, out + found);
    }
    return found;
}

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
static bool transpose_boxes(const block_header *header, const gathered_boxes *boxes,
                            item_group *rows)
{
    const block_header limits = *header; // a copy: rows cannot change it
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
                        bounds_fold *restrict fold)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            group->row[i][slot] = rows->row[i][slot];
        }
    }
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const float *const low = rows->row[i], *const high = rows->row[i + 1];
        for (uint32_t lane = 0; lane < FOLD_LANES; lane++) {
            const float low_part =
                smaller(smaller(low[lane], low[lane + 4]), smaller(low[lane + 8], low[lane + 12]));
            const float high_part =
                larger(larger(high[lane], high[lane + 4]), larger(high[lane + 8], high[lane + 12]));
            fold->row[i][lane] = smaller(fold->row[i][lane], low_part);
            fold->row[i + 1][lane] = larger(fold->row[i + 1][lane], high_part);
        }
    }
}

static bool refresh_group(const block_header *header, const box_source *source, const uint32_t *ids,
                          uint32_t count, item_group *group, bounds_fold *fold)
{
    uint32_t padded[GROUP_SLOTS];
    if (count < GROUP_SLOTS) {
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            padded[slot] = ids[slot < count ? slot : 0];
        }
        ids = padded;
    }
    gathered_boxes gathered;
    item_group rows;
    gather_boxes(source, ids, &gathered);
    if (!transpose_boxes(header, &gathered, &rows)) {
        return false;
    }
    store_group(&rows, group, fold);
    return true;
}

bounds_fold acre_fold_empty(void)
{
    bounds_fold fold;
    for (int i = 0; i < ROW_COUNT; i += 2) {
        for (uint32_t lane = 0; lane < FOLD_LANES; lane++) {
            fold.row[i][lane] = FLT_MAX;
            fold.row[i + 1][lane] = -FLT_MAX;
        }
    }
    return fold;
}

row_box acre_fold_bounds(const bounds_fold *fold)
{
    row_box bounds;
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const float *const low = fold->row[i], *const high = fold->row[i + 1];
        bounds.row[i] = smaller(smaller(low[0], low[1]), smaller(low[2], low[3]));
        bounds.row[i + 1] = larger(larger(high[0], high[1]), larger(high[2], high[3]));
    }
    return bounds;
}

const tree_kernel acre_kernel_scalar = {
    {frustum_test_quad, frustum_select_block}, {box_test_quad, box_select_block}, refresh_group};
