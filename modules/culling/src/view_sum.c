// SPDX-License-Identifier: MIT
// view_sum.c - the sum of what is visible: one box around all boxes, nearest and farthest depth.
//
// Least and most do not depend on the order, and each depth is computed in one fixed order, so that
// the sum is the same for every kernel and every order of the items.
#include "view_find_internal.h"

#ifdef ACRE_HAS_LANES_FOUR
#include "lanes_four.h"
#else
#include "lanes_one.h"
#endif

#include <math.h>

_Static_assert(LANES <= VIEW_SUM_LANES, "a sum has a place for each lane");

void acre_view_begin_sum(view_sum *out, const acre_view *view)
{
    for (int k = 0; k < 4; k++) {
        out->depth[k] = view->depth[k];
    }
    for (int lane = 0; lane < VIEW_SUM_LANES; lane++) {
        for (int k = 0; k < 3; k++) {
            out->low[k][lane] = INFINITY;
            out->high[k][lane] = -INFINITY;
        }
        out->nearest[lane] = INFINITY;
        out->farthest[lane] = -INFINITY;
    }
}

// The depth of a corner of each box. Infinite boxes may give NaN, which stands for any depth.
static inline floats depth_of(const view_sum *sum, const float *const corner[3], uint32_t first,
                              floats unknown)
{
    const floats x = floats_mul(floats_all(sum->depth[0]), floats_load(corner[0] + first));
    const floats y = floats_mul(floats_all(sum->depth[1]), floats_load(corner[1] + first));
    const floats z = floats_mul(floats_all(sum->depth[2]), floats_load(corner[2] + first));
    const floats depth = floats_add(floats_add(floats_add(x, y), z), floats_all(sum->depth[3]));
    return floats_choose(floats_not_above(depth, depth), depth, unknown);
}

static inline void keep_least(float *least, choice counts, floats value)
{
    const floats so_far = floats_load(least);
    floats_store(least, floats_choose(counts, floats_min(so_far, value), so_far));
}

static inline void keep_most(float *most, choice counts, floats value)
{
    const floats so_far = floats_load(most);
    floats_store(most, floats_choose(counts, floats_max(so_far, value), so_far));
}

void acre_view_add_to_sum(view_sum *sum, const acre_item_group *group, uint32_t found)
{
    static const float bits[16][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0},
                                      {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0},
                                      {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
                                      {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    const float *near_corner[3], *far_corner[3];
    for (uint32_t k = 0; k < 3; k++) {
        const float *const min = group->edges + 2 * k * ACRE_GROUP_ITEMS;
        const float *const max = min + ACRE_GROUP_ITEMS;
        near_corner[k] = sum->depth[k] >= 0.0f ? min : max;
        far_corner[k] = sum->depth[k] >= 0.0f ? max : min;
    }
    for (uint32_t i = 0; i < ACRE_GROUP_ITEMS; i += LANES) {
        const uint32_t part = found >> i & ((1u << LANES) - 1u);
        if (!part) {
            continue;
        }
        const choice counts = floats_less(floats_all(0.0f), floats_load(bits[part]));
        for (uint32_t k = 0; k < 3; k++) {
            const float *const min = group->edges + 2 * k * ACRE_GROUP_ITEMS + i;
            keep_least(sum->low[k], counts, floats_load(min));
            keep_most(sum->high[k], counts, floats_load(min + ACRE_GROUP_ITEMS));
        }
        keep_least(sum->nearest, counts, depth_of(sum, near_corner, i, floats_all(-INFINITY)));
        keep_most(sum->farthest, counts, depth_of(sum, far_corner, i, floats_all(INFINITY)));
    }
}

void acre_view_join_sums(view_sum *sum, const view_sum *other)
{
    for (int lane = 0; lane < VIEW_SUM_LANES; lane++) {
        for (int k = 0; k < 3; k++) {
            const float low = other->low[k][lane], high = other->high[k][lane];
            sum->low[k][lane] = low < sum->low[k][lane] ? low : sum->low[k][lane];
            sum->high[k][lane] = high > sum->high[k][lane] ? high : sum->high[k][lane];
        }
        const float nearest = other->nearest[lane], farthest = other->farthest[lane];
        sum->nearest[lane] = nearest < sum->nearest[lane] ? nearest : sum->nearest[lane];
        sum->farthest[lane] = farthest > sum->farthest[lane] ? farthest : sum->farthest[lane];
    }
}

// Zeros of both signs are one number; adding 0 makes them the same.
static float least_lane(const float *lanes)
{
    float least = lanes[0];
    for (int i = 1; i < VIEW_SUM_LANES; i++) {
        least = lanes[i] < least ? lanes[i] : least;
    }
    return least + 0.0f;
}

static float most_lane(const float *lanes)
{
    float most = lanes[0];
    for (int i = 1; i < VIEW_SUM_LANES; i++) {
        most = lanes[i] > most ? lanes[i] : most;
    }
    return most + 0.0f;
}

acre_visible_sum acre_view_end_sum(const view_sum *sum)
{
    acre_visible_sum out = {.box = acre_aabb_empty()};
    if (!(least_lane(sum->low[0]) <= most_lane(sum->high[0]))) {
        return out; // nothing was added
    }
    for (int k = 0; k < 3; k++) {
        out.box.min[k] = least_lane(sum->low[k]);
        out.box.max[k] = most_lane(sum->high[k]);
        ACRE_INVARIANT(out.box.min[k] <= out.box.max[k]);
    }
    out.min_depth = least_lane(sum->nearest);
    out.max_depth = most_lane(sum->farthest);
    return out;
}
