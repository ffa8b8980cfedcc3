// SPDX-License-Identifier: MIT
// quadtree_kernel_select.h - a block as its groups, for a kernel that says what a group is.
//
// No header of its own: a kernel file includes it behind its frustum_group and box_group, so that
// the compiler sees both and the loop around them as one.

static uint32_t select_frustum(const query_volume *volume, const block_boxes *block, uint32_t mask,
                               const uint32_t *ids, uint32_t count, uint32_t *out)
{
    active_planes active;
    list_planes(volume, mask, &active);
    uint32_t found = 0;
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        found += frustum_group(&active, &block->groups[first / GROUP_SLOTS], ids + first,
                               count - first, out + found);
    }
    return found;
}

static uint32_t select_box(const query_volume *volume, const block_boxes *block, uint32_t mask,
                           const uint32_t *ids, uint32_t count, uint32_t *out)
{
    (void)mask;
    uint32_t found = 0;
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        found += box_group(volume, &block->groups[first / GROUP_SLOTS], ids + first, count - first,
                           out + found);
    }
    return found;
}
