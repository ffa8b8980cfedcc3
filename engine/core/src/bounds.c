// SPDX-License-Identifier: MIT
// bounds.c - axis-aligned boxes.
#include <acre/bounds.h>

#include "float_bits.h"

#include <float.h>

bool acre_aabb_is_valid(const acre_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        if (float_is_nan(box->min[axis]) || float_is_nan(box->max[axis]) ||
            box->min[axis] > box->max[axis]) {
            return false;
        }
    }
    return true;
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
    return box->min[0] > box->max[0] || box->min[1] > box->max[1] || box->min[2] > box->max[2];
}

acre_aabb acre_aabb_merge(const acre_aabb *a, const acre_aabb *b)
{
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
