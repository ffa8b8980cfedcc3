// SPDX-License-Identifier: MIT
// quadtree_kernel_slab_part.h - which of four boxes, and which items of a group, a ray touches.
//
// Must be defined before: what a set defines. One with vectors of more than LANES defines
// WIDE_LANES, 8 or 16, and eight_bits_not_above(a, b) and its like for 16, `wide`.
#ifndef ACRE_QUADTREE_KERNEL_SLAB_PART_H
#define ACRE_QUADTREE_KERNEL_SLAB_PART_H

#ifndef LANES
#error "quadtree_kernel_shape_part.h includes this"
#endif

#include "quadtree_kernel.h"

#include "shape_lanes.h"

#ifdef WIDE_LANES

// What SLAB_TOUCHES asks of a vector.
#define SLAB_OPERATIONS(vector, simde)                                                             \
    static inline vector vector##_of_rows(const float *rows, const float *others)                  \
    {                                                                                              \
        (void)others;                                                                              \
        return simde##_loadu_ps(rows);                                                             \
    }                                                                                              \
    static inline void vector##_store(float *to, vector v)                                         \
    {                                                                                              \
        simde##_storeu_ps(to, v);                                                                  \
    }                                                                                              \
    static inline vector vector##_all(float value)                                                 \
    {                                                                                              \
        return simde##_set1_ps(value);                                                             \
    }                                                                                              \
    SLAB_OPERATION(vector, add, simde##_add_ps)                                                    \
    SLAB_OPERATION(vector, sub, simde##_sub_ps)                                                    \
    SLAB_OPERATION(vector, mul, simde##_mul_ps)                                                    \
    SLAB_OPERATION(vector, min, simde##_min_ps)                                                    \
    SLAB_OPERATION(vector, max, simde##_max_ps)
#define SLAB_OPERATION(vector, name, instruction)                                                  \
    static inline vector vector##_##name(vector a, vector b)                                       \
    {                                                                                              \
        return instruction(a, b);                                                                  \
    }

SLAB_OPERATIONS(eight, simde_mm256)
SLAB_TOUCHES(slab_touches_two, eight, eight_of_two)
#if WIDE_LANES == 16
SLAB_OPERATIONS(wide, simde_mm512)
SLAB_TOUCHES(slab_touches_wide, wide, wide_of_rows)
#else
SLAB_TOUCHES(slab_touches_wide, eight, eight_of_rows)
#endif

#else
#define WIDE_LANES LANES
#define slab_touches_wide slab_touches
#endif

// The siblings that a ray touches within `reach`.
ACRE_ALWAYS_INLINE uint32_t ray_four(const shape_slab *slab, const four_boxes *bounds, float reach,
                                     float *enters)
{
    uint32_t seen = 0;
    for (uint32_t first = 0; first < 4; first += LANES) {
        const float *const rows = bounds->row[0] + first;
        seen |= slab_touches(slab, rows, rows, 4, reach, enters + first) << first;
    }
    return seen;
}

// The groups of two blocks. The second block's have the higher bits.
ACRE_ALWAYS_INLINE uint32_t ray_two(const shape_slab *slab, const four_boxes *first,
                                    const four_boxes *second, float reach, float *enters)
{
#if WIDE_LANES > 4
    return slab_touches_two(slab, first->row[0], second->row[0], 4, reach, enters);
#else
    return ray_four(slab, first, reach, enters) | ray_four(slab, second, reach, enters + 4) << 4;
#endif
}

// The slots of a group.
ACRE_ALWAYS_INLINE uint32_t ray_slots(const shape_slab *slab, const item_group *group, float reach,
                                      float *enters)
{
    uint32_t seen = 0;
    for (uint32_t first = 0; first < GROUP_SLOTS; first += WIDE_LANES) {
        const float *const rows = group->row[0] + first;
        seen |= slab_touches_wide(slab, rows, rows, GROUP_SLOTS, reach, enters + first) << first;
    }
    return seen;
}

#endif
