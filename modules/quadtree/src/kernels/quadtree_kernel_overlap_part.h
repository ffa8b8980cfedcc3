// SPDX-License-Identifier: MIT
// quadtree_kernel_overlap_part.h - which boxes of a group share a point with one box, or are near a
// center.
//
// Must be defined before, near_half(group, round, axes, part, out): the set of slots of half a
// group whose boxes the round touches; out, unless NULL, receives their squared distances; and
// overlapping_slots(group, box, stride, axes), the set of slots whose boxes share a point with a
// box; it may contain slots without an item. stride: floats from one edge of the box to the next.
// axes: the axes that count, a constant. part: 0 or 1.
#ifndef ACRE_QUADTREE_KERNEL_OVERLAP_PART_H
#define ACRE_QUADTREE_KERNEL_OVERLAP_PART_H

#ifndef LANES
#error "quadtree_kernel_sse4.h, _avx2.h and _avx512.h include this at their end"
#endif

static inline uint32_t near_slots(const item_group *group, const shape_round *round, uint32_t axes)
{
    return near_half(group, round, axes, 0, NULL) | near_half(group, round, axes, 1, NULL) << 8;
}

// near_slots, and the squared distances of all slots.
static inline uint32_t near_squares(const item_group *group, const shape_round *round,
                                    uint32_t axes, float *squares)
{
    return near_half(group, round, axes, 0, squares) |
           near_half(group, round, axes, 1, squares + HALF_SLOTS) << 8;
}

ACRE_ALWAYS_INLINE uint32_t slots_in_box(const query_volume *volume, const item_group *group,
                                         uint32_t mask, uint32_t count)
{
    (void)mask; // a box is all there is
    return overlapping_slots(group, volume->box.row, 1, AXES_ALL) & present_slots(count);
}

// Writes the ids of the items that the planes of the mask do not exclude.
ACRE_ALWAYS_INLINE uint32_t frustum_group(const query_volume *volume, const item_group *group,
                                          uint32_t mask, const uint32_t *ids, uint32_t count,
                                          uint32_t *out)
{
    return append_ids(frustum_slots(volume, group, mask, count), ids, out);
}

#endif
