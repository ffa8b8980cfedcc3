// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar.c - the reference kernel in plain C: what every other kernel must equal.
#include "quadtree_kernel.h"

static float distance(const query_plane *plane, float x, float y, float z)
{
    return ((plane->normal[0] * x + plane->normal[1] * y) + plane->normal[2] * z) + plane->d;
}

static uint32_t frustum_test_quad(const query_volume *volume, const quad *siblings, uint32_t mask,
                                  uint32_t *masks)
{
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        bool outside = false;
        masks[slot] = mask;
        for (uint32_t i = 0; i < volume->plane_count; i++) {
            if (!(mask >> i & 1)) {
                continue;
            }
            const query_plane *const plane = &volume->planes[i];
            const uint8_t *const far_row = plane->far_row, *const near_row = plane->near_row;
            outside |= distance(plane, siblings->bounds[far_row[0]][slot],
                                siblings->bounds[far_row[1]][slot],
                                siblings->bounds[far_row[2]][slot]) < 0.0f;
            const bool inside = distance(plane, siblings->bounds[near_row[0]][slot],
                                         siblings->bounds[near_row[1]][slot],
                                         siblings->bounds[near_row[2]][slot]) >= 0.0f;
            masks[slot] &= ~((uint32_t)inside << i);
        }
        alive |= (uint32_t)!outside << slot;
    }
    return alive;
}

static uint32_t frustum_test_group(const query_volume *volume, const item_group *group,
                                   uint32_t mask)
{
    uint32_t outside[GROUP_SLOTS] = {0};
    for (uint32_t i = 0; i < volume->plane_count; i++) {
        if (!(mask >> i & 1)) {
            continue;
        }
        const query_plane *const plane = &volume->planes[i];
        const float *const x = group->row[plane->far_row[0]];
        const float *const y = group->row[plane->far_row[1]];
        const float *const z = group->row[plane->far_row[2]];
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            outside[slot] |= distance(plane, x[slot], y[slot], z[slot]) < 0.0f;
        }
    }
    uint32_t visible = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        visible |= (outside[slot] ^ 1u) << slot;
    }
    return visible;
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

static uint32_t box_test_group(const query_volume *volume, const item_group *group, uint32_t mask)
{
    (void)mask;
    uint32_t visible = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        uint32_t outside = 0;
        for (int low = 0; low < ROW_COUNT; low += 2) {
            outside |= group->row[low + 1][slot] < volume->box.row[low];
            outside |= volume->box.row[low + 1] < group->row[low][slot];
        }
        visible |= (outside ^ 1u) << slot;
    }
    return visible;
}

const query_kernel query_frustum_scalar = {frustum_test_quad, frustum_test_group};
const query_kernel query_box_scalar = {box_test_quad, box_test_group};
