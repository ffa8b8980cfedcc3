// SPDX-License-Identifier: MIT
// interest_kernel_part.h - the part of all kernels that is the same: see interest_kernel.h.
#include "interest_internal.h"

// The squared distances of the boxes in slots `first` and up.
static inline floats squared_distances(const near_limits *limits, const float *edges, int first)
{
    floats sum = floats_all(0);
    for (int axis = 0; axis < 3; axis += limits->in_space ? 1 : 2) {
        const floats at = floats_all(limits->place[axis]);
        const floats low = floats_load(edges + 2 * axis * ACRE_GROUP_ITEMS + first);
        const floats high = floats_load(edges + (2 * axis + 1) * ACRE_GROUP_ITEMS + first);
        const floats gap =
            floats_max(floats_max(floats_sub(low, at), floats_sub(at, high)), floats_all(0));
        sum = floats_add(sum, floats_mul(gap, gap));
    }
    return sum;
}

static uint32_t sift_group(const near_limits *limits, const acre_item_group *group, uint32_t *items,
                           uint8_t *marks, uint32_t *doubtful)
{
    uint32_t below[MOST_LIMITS] = {0}, doubt = 0;
    for (int first = 0; first < ACRE_GROUP_ITEMS; first += LANES) {
        const floats squares = squared_distances(limits, group->edges, first);
        for (uint32_t i = 0; i < limits->count; i++) {
            const uint32_t is_below = less_bits(squares, floats_all(limits->limits[i].low));
            below[i] |= is_below << first;
            doubt |= (not_above_bits(squares, floats_all(limits->limits[i].high)) & ~is_below)
                     << first;
        }
    }
    const uint32_t found = group->found & ~same_bits(group->items, limits->hidden);
    const uint32_t near = found & below[LIMIT_LEAVE] & ~doubt;
    *doubtful = found & doubt;
    if (!near) {
        return 0;
    }
    append_items(group->items, near, items);
    append_marks(near, below, limits->count, marks);
    return (uint32_t)__builtin_popcount(near);
}
