// SPDX-License-Identifier: MIT
// quadtree_kernel_volume_scalar.c - queries of planes and of a box, scalar.
#include "quadtree_kernel_scalar.h"

#include <string.h>

static inline float distance(const query_plane *plane, float x, float y, float z)
{
    return ((plane->normal[0] * x + plane->normal[1] * y) + plane->normal[2] * z) + plane->d;
}

// Which items are outside is unpredictable, so only whole groups branch.
static uint32_t append_visible(const float *farthest_out, const uint32_t *ids, uint32_t count,
                               uint32_t *out)
{
    uint32_t seen[GROUP_SLOTS], sum = 0, found = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        seen[slot] = !(farthest_out[slot] < 0.0f) & (slot < count);
        sum += seen[slot];
    }
    if (sum == 0) {
        return 0;
    }
    if (sum == GROUP_SLOTS) {
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            out[slot] = ids[slot];
        }
        return GROUP_SLOTS;
    }
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        out[found] = ids[slot];
        found += seen[slot];
    }
    return found;
}

// Distances from the planes of a mask to the p-vertices of a group, of each item the least.
static inline void farthest_out_of(const query_volume *volume, const item_group *group,
                                   uint32_t mask, float *farthest_out)
{
    while (mask) {
        const query_plane *const plane = &volume->planes[take_lowest(&mask)];
        const float *const x = group->row[plane->far_row[0]];
        const float *const y = group->row[plane->far_row[1]];
        const float *const z = group->row[plane->far_row[2]];
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            farthest_out[slot] =
                smaller(distance(plane, x[slot], y[slot], z[slot]), farthest_out[slot]);
        }
    }
}

static uint32_t frustum_slots(const query_volume *volume, const item_group *group, uint32_t mask,
                              uint32_t count)
{
    float farthest_out[GROUP_SLOTS] = {0.0f};
    uint32_t seen = 0;
    farthest_out_of(volume, group, mask, farthest_out);
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        seen |= (uint32_t) !(farthest_out[slot] < 0.0f) << slot;
    }
    return seen & present_slots(count);
}

static inline void copy_group(const uint32_t *from, uint32_t *to)
{
    memcpy(to, from, GROUP_SLOTS * sizeof *to);
}

#include "quadtree_kernel_volume_part.h"

static uint32_t append_frustum(const query_volume *volume, const item_group *group, uint32_t mask,
                               const uint32_t *ids, uint32_t count, uint32_t *out)
{
    float farthest_out[GROUP_SLOTS] = {0.0f};
    farthest_out_of(volume, group, mask, farthest_out);
    return append_visible(farthest_out, ids, count, out);
}

// Not by append_ids: most groups are found wholly or not at all.
static uint32_t select_frustum(const query_volume *volume, const item_group *groups,
                               const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                               uint32_t count, uint32_t *out)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const size_t group = group_number(words[i]);
        prefetch_group(groups, ids, group_number(words[i + GROUPS_AHEAD]));
        found += append_frustum(volume, &groups[group], masks[i], ids + group * GROUP_SLOTS,
                                group_count(words[i]), out + found);
    }
    return found;
}

VOLUME_KERNEL(scalar);
