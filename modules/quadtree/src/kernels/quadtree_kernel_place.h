// SPDX-License-Identifier: MIT
// quadtree_kernel_place.h - where the items of a group belong.
//
// No header of its own: each kernel file includes it, so that the compiler makes vectors of it that
// are as wide as the kernel's.

// Whether a root can reach so far: cell_holds of acre_grid_place, before rounding.
static inline bool are_near(float x, float z)
{
    const float reach = 1 << MAX_LEVEL;
    return (x >= -reach) & (x < reach) & (z >= -reach) & (z < reach);
}

// In two loops: of one that could round constants, compilers make no vectors.
static void place_group(const ground_grid *grid, const item_group *group, group_places *out)
{
    float x[GROUP_SLOTS], z[GROUP_SLOTS];
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const row_box box = group_rows(group, slot);
        const float east = grid_offset(grid, 0, box_centre(box.row[ROW_X_MIN], box.row[ROW_X_MAX]));
        const float south =
            grid_offset(grid, 1, box_centre(box.row[ROW_Z_MIN], box.row[ROW_Z_MAX]));
        const bool has_height = (box.row[ROW_Y_MIN] >= -FLT_MAX) & (box.row[ROW_Y_MAX] <= FLT_MAX);
        const uint32_t is_inlier = (uint32_t)are_near(east, south) & (uint32_t)has_height;
        x[slot] = is_inlier ? east : 0.0f;
        z[slot] = is_inlier ? south : 0.0f;
        out->level[slot] =
            (is_inlier ^ 1) * LEVEL_OUTLIER | (uint32_t)!rows_are_valid(&box) * LEVEL_INVALID;
    }
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const row_box box = group_rows(group, slot);
        out->x[slot] = offset_index(x[slot]);
        out->z[slot] = offset_index(z[slot]);
        out->level[slot] |= level_of_extent(grid, box.row[ROW_X_MAX] - box.row[ROW_X_MIN],
                                            box.row[ROW_Z_MAX] - box.row[ROW_Z_MIN]);
    }
}

#define PLACE_KERNEL .place_group = place_group
