// SPDX-License-Identifier: MIT
// view_squares.c - the boxes of a group measured and compared with limits, four at a time.
#include "view_find_internal.h"

#ifdef ACRE_HAS_LANES_FOUR
#include "lanes_four.h"
#else
#include "lanes_one.h"
#endif

static inline floats square_of_gap(const float *min, floats eye)
{
    const floats below = floats_sub(floats_load(min), eye);
    const floats above = floats_sub(eye, floats_load(min + ACRE_GROUP_ITEMS));
    const floats gap = floats_max(floats_max(below, above), floats_all(0.0f));
    return floats_mul(gap, gap);
}

static inline floats square_of_extent(const float *min)
{
    const floats extent = floats_sub(floats_load(min + ACRE_GROUP_ITEMS), floats_load(min));
    return floats_mul(extent, extent);
}

void acre_view_measure_group(const view_scale *scale, const float *edges, group_squares *out)
{
    const float *const x = edges, *const y = edges + 2 * ACRE_GROUP_ITEMS;
    const float *const z = edges + 4 * ACRE_GROUP_ITEMS;
    const floats eye_x = floats_all(scale->eye[0]), eye_y = floats_all(scale->eye[1]);
    const floats eye_z = floats_all(scale->eye[2]);
    for (int i = 0; i < ACRE_GROUP_ITEMS; i += LANES) {
        const floats dx = square_of_gap(x + i, eye_x), dy = square_of_gap(y + i, eye_y);
        const floats dz = square_of_gap(z + i, eye_z);
        floats_store(out->distance2 + i, floats_add(floats_add(dx, dy), dz));
        const floats ex = square_of_extent(x + i), ey = square_of_extent(y + i);
        const floats ez = square_of_extent(z + i);
        floats_store(out->extent2 + i, floats_add(floats_add(ex, ey), ez));
    }
}

uint32_t acre_view_pass_group(const view_scale *scale, const view_limits *limits,
                              const group_squares *squares)
{
    const floats least = floats_all(limits->min_distance2), one = floats_all(1.0f);
    const floats most = floats_all(limits->max_distance2), pixels2 = floats_all(scale->pixels2);
    const floats size2 = floats_all(limits->size2);
    uint32_t hidden = 0;
    for (uint32_t i = 0; i < ACRE_GROUP_ITEMS; i += LANES) {
        const floats distance2 = floats_load(squares->distance2 + i);
        const floats seen2 = floats_mul(floats_load(squares->extent2 + i), pixels2);
        const floats asked2 = floats_mul(size2, scale->is_parallel ? one : distance2);
        const choice is_far =
            choice_or(floats_less(distance2, least), floats_less(most, distance2));
        hidden |= choice_bits(choice_or(is_far, floats_less(seen2, asked2))) << i;
    }
    return ~hidden;
}
