// SPDX-License-Identifier: MIT
// quadtree_kernel_select.h - the functions of a query_kernel, for a kernel that says how four boxes
// and how a group of 16 are tested, and how results are listed.
//
// No header of its own: a kernel file includes it behind its frustum_four, frustum_group, box_four,
// overlapping_half, append_ids, list_siblings and list_groups, so that the compiler sees them and
// the loops around them as one.
//
// overlapping_half: the slots of half a group whose boxes share a point with a box, as a set; free
// slots may be in it. stride: from an edge of the box to the next, in floats. step: from an axis
// that counts to the next, in rows: 2, or 4 for x and z alone. part: 0 or 1.

static inline uint32_t overlapping_slots(const item_group *group, const float *box, size_t stride,
                                         int step)
{
    return overlapping_half(group, box, stride, step, 0) |
           overlapping_half(group, box, stride, step, 1) << 8;
}

static void visit_quad_frustum(const query_volume *volume, const quad *siblings, uint32_t mask,
                               uint32_t wanted, node_lists *lists)
{
    four_masks left = no_planes();
    if (mask) {
        wanted &= frustum_four(volume, &siblings->bounds, mask, &left);
    }
    list_siblings(siblings, wanted, left, lists);
}

static void visit_quad_box(const query_volume *volume, const quad *siblings, uint32_t mask,
                           uint32_t wanted, node_lists *lists)
{
    four_masks left = no_planes();
    if (mask) {
        wanted &= box_four(volume, &siblings->bounds, mask, &left);
    }
    list_siblings(siblings, wanted, left, lists);
}

static void visit_block_frustum(const query_volume *volume, const four_boxes *bounds,
                                uint32_t block, uint32_t count, uint32_t mask, group_lists *lists)
{
    four_masks left;
    const uint32_t seen = frustum_four(volume, bounds, mask, &left);
    list_groups(block, count, seen & present_groups(count), left, lists);
}

static void visit_block_box(const query_volume *volume, const four_boxes *bounds, uint32_t block,
                            uint32_t count, uint32_t mask, group_lists *lists)
{
    four_masks left;
    const uint32_t seen = box_four(volume, bounds, mask, &left);
    list_groups(block, count, seen & present_groups(count), left, lists);
}

static uint32_t select_frustum(const query_volume *volume, const item_group *groups,
                               const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                               uint32_t count, uint32_t *out)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const size_t group = group_number(words[i]);
        prefetch_group(groups, ids, group_number(words[i + GROUPS_AHEAD]));
        found += frustum_group(volume, &groups[group], masks[i], ids + group * GROUP_SLOTS,
                               group_count(words[i]), out + found);
    }
    return found;
}

static uint32_t select_box(const query_volume *volume, const item_group *groups,
                           const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                           uint32_t count, uint32_t *out)
{
    uint32_t found = 0;
    (void)masks;
    for (uint32_t i = 0; i < count; i++) {
        const size_t group = group_number(words[i]);
        prefetch_group(groups, ids, group_number(words[i + GROUPS_AHEAD]));
        const uint32_t seen = overlapping_slots(&groups[group], volume->box.row, 1, 2) &
                              present_slots(group_count(words[i]));
        found += append_ids(seen, ids + group * GROUP_SLOTS, out + found);
    }
    return found;
}

#define QUERY_KERNELS                                                                              \
    .frustum = {visit_quad_frustum, visit_block_frustum, select_frustum},                          \
    .box = {visit_quad_box, visit_block_box, select_box}
