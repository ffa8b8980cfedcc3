// SPDX-License-Identifier: MIT
// bounds.c - axis-aligned boxes.
#include <acre/bounds.h>

#include "assert_internal.h"
#include "float_bits.h"

#include <float.h>
#include <math.h>

acre_aabb acre_aabb_from_center(const float *center, const float *half_size)
{
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = center[axis] - half_size[axis];
        box.max[axis] = center[axis] + half_size[axis];
    }
    return box;
}

// Comparisons pass over NaN, so NaN is counted beside them.
acre_aabb acre_aabb_from_points(const float *points, size_t count, size_t stride)
{
    const size_t step = stride == 0 ? 3 * sizeof(float) : stride;
    ACRE_ASSERT(points || count == 0);
    ACRE_ASSERT(step >= 3 * sizeof(float) && step % sizeof(float) == 0);
    acre_aabb box = acre_aabb_empty();
    bool has_nan[3] = {false, false, false};
    for (size_t i = 0; points && i < count; i++) {
        const float *const point = points + i * (step / sizeof(float));
        for (int axis = 0; axis < 3; axis++) {
            const float at = point[axis];
            has_nan[axis] = has_nan[axis] || float_is_nan(at);
            box.min[axis] = i == 0 || at < box.min[axis] ? at : box.min[axis];
            box.max[axis] = i == 0 || at > box.max[axis] ? at : box.max[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = has_nan[axis] ? NAN : box.min[axis];
        box.max[axis] = has_nan[axis] ? NAN : box.max[axis];
    }
    return box;
}

typedef enum edge_order { EDGES_ORDERED, EDGES_INVERTED, EDGES_NAN } edge_order;

static edge_order order_edges(const acre_aabb *box, int axis)
{
    const float min = box->min[axis], max = box->max[axis];
    if (float_is_nan(min) || float_is_nan(max)) {
        return EDGES_NAN;
    }
    return float_order(min) <= float_order(max) ? EDGES_ORDERED : EDGES_INVERTED;
}

bool acre_aabb_is_valid(const acre_aabb *box)
{
    return order_edges(box, 0) == EDGES_ORDERED && order_edges(box, 1) == EDGES_ORDERED &&
           order_edges(box, 2) == EDGES_ORDERED;
}

bool acre_aabb_is_finite(const acre_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!float_is_finite(box->min[axis]) || !float_is_finite(box->max[axis])) {
            return false;
        }
    }
    return true;
}

acre_aabb acre_aabb_empty(void)
{
    return (acre_aabb){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

bool acre_aabb_is_empty(const acre_aabb *box)
{
    return order_edges(box, 0) == EDGES_INVERTED || order_edges(box, 1) == EDGES_INVERTED ||
           order_edges(box, 2) == EDGES_INVERTED;
}

acre_aabb acre_aabb_merge(const acre_aabb *a, const acre_aabb *b)
{
    ACRE_ASSERT(a && b);
    if (acre_aabb_is_empty(a)) {
        return *b;
    }
    if (acre_aabb_is_empty(b)) {
        return *a;
    }
    acre_aabb merged;
    for (int axis = 0; axis < 3; axis++) {
        merged.min[axis] = a->min[axis] < b->min[axis] ? a->min[axis] : b->min[axis];
        merged.max[axis] = a->max[axis] > b->max[axis] ? a->max[axis] : b->max[axis];
    }
    return merged;
}

bool acre_aabb_overlaps(const acre_aabb *a, const acre_aabb *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a->max[axis] < b->min[axis] || b->max[axis] < a->min[axis]) {
            return false;
        }
    }
    return true;
}

bool acre_aabb_contains(const acre_aabb *outer, const acre_aabb *inner)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(outer->min[axis] <= inner->min[axis] && inner->max[axis] <= outer->max[axis])) {
            return false;
        }
    }
    return true;
}
