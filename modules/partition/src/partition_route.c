// SPDX-License-Identifier: MIT
// partition_route.c - which parts a question goes to.
//
// An ordinary item reaches no farther than ghost_range from its center, which is on its owner's
// ground. So a volume is compared with ground that is grown by this range. Squares of cells are
// looked at from the whole ground downward, until a square belongs to one part alone.
#include "partition_internal.h"

#include "float_bits.h"

#include <math.h>

typedef struct route_walk {
    const acre_partition *part;
    cell_range range;            ///< cells that the volume's bounds touch
    const acre_frustum *frustum; ///< NULL: any other volume
    uint8_t *marks;
} route_walk;

// The cells of the ground that bounds touch when they are grown. Centers on the far edge of a
// periodic ground belong to the last cell, so one cell more is looked at.
static cell_range cells_of(const partition_ground *ground, const acre_aabb *bounds)
{
    cell_range range = acre_ground_touched(ground, bounds);
    const int32_t last = (int32_t)ground->side - 1;
    for (int axis = 0; axis < 2; axis++) {
        range.low[axis] -= range.low[axis] == last + 1;
        range.low[axis] = range.low[axis] < 0 ? 0 : range.low[axis];
        range.high[axis] = range.high[axis] > last ? last : range.high[axis];
    }
    return range;
}

// A column of infinite height over a square of cells, as far as items there may reach. The float
// test of a frustum never calls a larger box hidden when it calls a smaller one visible.
static acre_aabb column_over(const partition_ground *ground, const uint32_t *first, uint32_t side)
{
    acre_aabb box = {{0, -INFINITY, 0}, {0, INFINITY, 0}};
    for (int axis = 0; axis < 2; axis++) {
        const double low = ground->low[axis] + first[axis] * ground->cell;
        const double high = ground->low[axis] + (first[axis] + side) * ground->cell;
        const double far = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
        const double more = ground->grow + 0x1p-20 * (far + ground->cell);
        const bool is_first = first[axis] == 0 && !ground->is_periodic;
        const bool is_last = first[axis] + side == ground->side && !ground->is_periodic;
        box.min[2 * axis] = is_first ? -INFINITY : float_round_down(low - more);
        box.max[2 * axis] = is_last ? INFINITY : float_round_up(high + more);
    }
    return box;
}

static void mark_square(const route_walk *walk, uint32_t cell, uint32_t level)
{
    const partition_ground *const ground = &walk->part->ground;
    ACRE_INVARIANT(level <= ground->levels && cell % (1u << 2 * level) == 0);
    const uint32_t side = 1u << level;
    const uint32_t first[2] = {acre_ground_unmorton(cell, 0), acre_ground_unmorton(cell, 1)};
    for (int axis = 0; axis < 2; axis++) {
        if ((int32_t)first[axis] > walk->range.high[axis] ||
            (int32_t)(first[axis] + side - 1) < walk->range.low[axis]) {
            return;
        }
    }
    if (walk->frustum) {
        const acre_aabb over = column_over(ground, first, side);
        if (!acre_frustum_test_aabb(walk->frustum, &over)) {
            return;
        }
    }
    const uint32_t owner = acre_partition_owner(walk->part, cell);
    if (level == 0 || walk->part->cut.data[owner + 1] >= cell + side * side) {
        walk->marks[owner] = 1;
        return;
    }
    for (uint32_t child = 0; child < 4; child++) {
        mark_square(walk, cell + child * (side / 2) * (side / 2), level - 1);
    }
}

int acre_partition_places(const acre_partition *part)
{
    return part->ground.is_periodic ? 9 : 1;
}

partition_volume acre_partition_at_place(const acre_partition *part, const partition_volume *volume,
                                         int place)
{
    ACRE_INVARIANT(place >= 0 && place < acre_partition_places(part));
    if (!part->ground.is_periodic || place == 4) {
        return *volume; // where it is
    }
    const float size = part->ground.size;
    return acre_volume_moved(volume, (float)(place / 3 - 1) * size, (float)(place % 3 - 1) * size);
}

void acre_partition_route(const acre_partition *part, const partition_question *question,
                          float most, uint8_t *marks)
{
    for (int place = 0; place < acre_partition_places(part); place++) {
        const partition_volume volume = acre_partition_at_place(part, &question->volume, place);
        const acre_aabb bounds = acre_volume_bounds(&volume);
        route_walk walk = {
            .part = part,
            .range = cells_of(&part->ground, &bounds),
            .frustum = volume.shape == ACRE_QUERY_SHAPE_FRUSTUM ? &volume.data.frustum : NULL,
            .marks = marks};
        if (question->nearest > 0 && volume.has_origin) {
            const acre_aabb near = acre_volume_within(&volume.origin, most);
            const cell_range range = cells_of(&part->ground, &near);
            for (int axis = 0; axis < 2; axis++) {
                if (range.low[axis] > walk.range.low[axis]) {
                    walk.range.low[axis] = range.low[axis];
                }
                if (range.high[axis] < walk.range.high[axis]) {
                    walk.range.high[axis] = range.high[axis];
                }
            }
        }
        mark_square(&walk, 0, part->ground.levels);
    }
}
