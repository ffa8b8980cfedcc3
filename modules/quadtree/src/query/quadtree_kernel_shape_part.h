// SPDX-License-Identifier: MIT
// quadtree_kernel_shape_part.h - queries of any volume, part by part: planes, box, ball, slab, and
// what is excluded; queries of a sphere or a circle alone.
//
// Must be defined before: what a set defines, and the lanes of lanes_one.h or lanes_four.h.
#ifndef ACRE_QUADTREE_KERNEL_SHAPE_PART_H
#define ACRE_QUADTREE_KERNEL_SHAPE_PART_H

#ifndef LANES
#error "quadtree_kernel_shape_SET.c, which CMake makes, include this behind quadtree_kernel_SET.h"
#endif

#include "quadtree_kernel_shape.h"
#include "quadtree_kernel_slab_part.h"
#include "quadtree_kernel_walk_part.h"

#include <string.h>

// ---- boxes of nodes and groups, four at a time ----

static inline void load_rows(const float *from, uint32_t stride, floats *rows)
{
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        rows[i] = floats_load(from + i * stride);
    }
}

// For the boxes first, first + 1, ... of the four: removes those outside of the ball from `seen`,
// and adds its bit to the masks of those not wholly inside.
static inline void apply_ball(const query_volume *volume, uint32_t first, const floats *rows,
                              uint32_t *seen, four_masks *left)
{
    const uint32_t lanes = (1u << LANES) - 1;
    const uint32_t touching = choice_bits(ball_comes_near(&volume->ball, rows));
    *seen &= ~((touching ^ lanes) << first);
    add_bits(left, (choice_bits(ball_holds(&volume->ball, rows)) ^ lanes) << first, MASK_BALL);
}

// Removes the boxes that lie wholly inside the excluded volume.
static inline void drop_excluded(const query_volume *volume, const four_boxes *bounds,
                                 uint32_t *seen, four_masks *left)
{
    four_masks left_of_excluded;
    ACRE_INVARIANT(volume->excluded != NULL);
    const uint32_t touching =
        frustum_four(volume->excluded, bounds, volume->excluded_mask, &left_of_excluded);
    *seen &= ~(touching & zero_lanes(left_of_excluded));
    add_bits(left, touching, MASK_EXCLUDED);
}

// The parts that cost most come last, and only for boxes that no other part excludes.
static inline uint32_t shape_four(const query_volume *volume, const four_boxes *bounds,
                                  uint32_t mask, four_masks *left)
{
    uint32_t seen = 15;
    *left = no_planes();
    if (mask & MASK_SMALL) {
        four_masks outside_of_box;
        add_bits(left, seen, mask);
        return box_four(volume, bounds, MASK_BOX, &outside_of_box);
    }
    if (mask & MASK_BOX) {
        seen &= box_four(volume, bounds, MASK_BOX, left);
    }
    if ((mask & MASK_PLANES) && seen) {
        four_masks planes;
        seen &= frustum_four(volume, bounds, mask & MASK_PLANES, &planes);
        *left = join_masks(*left, planes);
        add_bits(left, ~zero_lanes(planes), mask & MASK_EDGES);
    }
    for (uint32_t first = 0; first < 4 && (mask & MASK_BALL); first += LANES) {
        floats rows[ROW_COUNT];
        if (seen >> first & ((1u << LANES) - 1)) {
            load_rows(bounds->row[0] + first, 4, rows);
            apply_ball(volume, first, rows, &seen, left);
        }
    }
    if (mask & MASK_SLAB) {
        float enters[4];
        seen &= ray_four(&volume->slab, bounds, volume->slab.length, enters);
        add_bits(left, 15, MASK_SLAB);
    }
    if ((mask & MASK_EXCLUDED) && seen) {
        drop_excluded(volume, bounds, &seen, left);
    }
    return seen;
}

// ---- items, 16 at a time ----

// The lanes that planes exclude, as acre_frustum_test_aabb does.
static inline choice planes_exclude(const query_volume *volume, uint32_t mask, const floats *rows)
{
    choice hidden = choice_of(false);
    while (mask) {
        const query_plane *const plane = &volume->planes[take_lowest(&mask)];
        floats sum = floats_mul(floats_all(plane->normal[0]), rows[plane->far_row[0]]);
        for (int axis = 1; axis < 3; axis++) {
            sum = floats_add(
                sum, floats_mul(floats_all(plane->normal[axis]), rows[plane->far_row[axis]]));
        }
        hidden =
            choice_or(hidden, floats_less(floats_add(sum, floats_all(plane->d)), floats_all(0.0f)));
    }
    return hidden;
}

// The lanes that are inside all planes, as acre_frustum_contains_aabb says. The corner opposite to
// the p-vertex is made of the other rows.
static inline choice planes_contain(const query_volume *volume, uint32_t mask, const floats *rows)
{
    choice holds = choice_of(true);
    while (mask) {
        const query_plane *const plane = &volume->planes[take_lowest(&mask)];
        floats sum = floats_mul(floats_all(plane->normal[0]), rows[plane->far_row[0] ^ 1]);
        for (int axis = 1; axis < 3; axis++) {
            sum = floats_add(
                sum, floats_mul(floats_all(plane->normal[axis]), rows[plane->far_row[axis] ^ 1]));
        }
        holds = choice_and(
            holds, floats_not_above(floats_all(0.0f), floats_add(sum, floats_all(plane->d))));
    }
    return holds;
}

// The set of lanes that no part excludes. Box and slab are not asked.
static inline uint32_t shape_lanes(const query_volume *volume, uint32_t mask, const floats *rows)
{
    uint32_t seen = (1u << LANES) - 1;
    if (mask & MASK_PLANES) {
        seen &= ~choice_bits(planes_exclude(volume, mask & MASK_PLANES, rows));
    }
    if (mask & MASK_BALL) {
        seen &= choice_bits(ball_touches(&volume->ball, rows));
    }
    if (mask & MASK_EDGES) {
        seen &= ~choice_bits(edges_separate(&volume->edges, rows));
    }
    if (mask & MASK_EXCLUDED) {
        const query_volume *const excluded = volume->excluded;
        ACRE_INVARIANT(excluded != NULL);
        seen &= volume->excludes_touching
                    ? choice_bits(planes_exclude(excluded, volume->excluded_mask, rows))
                    : ~choice_bits(planes_contain(excluded, volume->excluded_mask, rows));
    }
    return seen;
}

// The set of items of a group that are found.
static inline uint32_t shape_group(const query_volume *volume, const item_group *group,
                                   uint32_t mask, uint32_t count)
{
    uint32_t seen = present_slots(count);
    if (mask & MASK_BOX) {
        seen &= overlapping_slots(group, volume->box.row, 1, AXES_ALL);
    }
    if (mask & MASK_SLAB) {
        float enters[GROUP_SLOTS];
        seen &= ray_slots(&volume->slab, group, volume->slab.length, enters);
    }
    mask &= ~(uint32_t)(MASK_BOX | MASK_SLAB);
    for (uint32_t first = 0; first < GROUP_SLOTS && mask; first += LANES) {
        const uint32_t lanes = (1u << LANES) - 1;
        if (seen >> first & lanes) {
            floats rows[ROW_COUNT];
            load_rows(group->row[0] + first, GROUP_SLOTS, rows);
            seen &= ~((shape_lanes(volume, mask, rows) ^ lanes) << first);
        }
    }
    return seen;
}

// ---- the functions of query_kernel ----

TEST_TWICE(shape_two, shape_four)
LISTING_FUNCTIONS(shape, shape_four, shape_two)

SELECTING_IDS(shape, shape_group)
SELECTING_SLOTS(shape, shape_group)

// ---- the same for a sphere alone, and for a circle alone ----

#define ROUND_FUNCTIONS(kind, axes)                                                                \
    ACRE_ALWAYS_INLINE uint32_t kind##_four(const query_volume *volume, const four_boxes *bounds,  \
                                            uint32_t mask, four_masks *left)                       \
    {                                                                                              \
        return round_four(volume, bounds, axes, mask, left);                                       \
    }                                                                                              \
    ACRE_ALWAYS_INLINE uint32_t kind##_two(const query_volume *volume, const four_boxes *first,    \
                                           const four_boxes *second, uint32_t mask,                \
                                           four_masks left[2])                                     \
    {                                                                                              \
        return round_two(volume, first, second, axes, mask, left);                                 \
    }                                                                                              \
    ACRE_ALWAYS_INLINE uint32_t kind##_slots(const query_volume *volume, const item_group *group,  \
                                             uint32_t mask, uint32_t count)                        \
    {                                                                                              \
        (void)mask; /* a round is all there is */                                                  \
        return near_slots(group, &volume->round, axes) & present_slots(count);                     \
    }                                                                                              \
    LISTING_FUNCTIONS(kind, kind##_four, kind##_two)                                               \
    static uint32_t select_##kind(const query_volume *volume, const item_group *groups,            \
                                  const uint32_t *ids, const uint32_t *words,                      \
                                  const uint32_t *masks, uint32_t count, uint32_t *out)            \
    {                                                                                              \
        (void)masks;                                                                               \
        return select_round(volume, groups, ids, words, count, axes, out);                         \
    }                                                                                              \
    SELECTING_SLOTS(kind, kind##_slots)

// The round is copied: the ids that are written might else be taken for parts of it.
ACRE_ALWAYS_INLINE uint32_t select_round(const query_volume *volume, const item_group *groups,
                                         const uint32_t *ids, const uint32_t *words, uint32_t count,
                                         uint32_t axes, uint32_t *out)
{
    const shape_round round = volume->round;
    uint32_t found = 0, room = GROUP_SLOTS; // as in select_frustum
    for (uint32_t i = 0; i < count; i++) {
        const size_t group = group_number(words[i]);
        room += group_count(words[i]);
        expect_room_for_ids(found, room);
        prefetch_group(groups, ids, group_number(words[i + GROUPS_AHEAD]));
        const uint32_t seen =
            near_slots(&groups[group], &round, axes) & present_slots(group_count(words[i]));
        found += append_ids(seen, ids + group * GROUP_SLOTS, out + found);
    }
    return found;
}

ROUND_FUNCTIONS(sphere, AXES_ALL)
ROUND_FUNCTIONS(circle, AXES_GROUND)

// ---- the functions of shape_kernel that the nearest ask ----

static uint32_t measure_boxes(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                              float *distances, uint32_t *masks)
{
    for (uint32_t first = 0; first < 4; first += LANES) {
        floats rows[ROW_COUNT];
        load_rows(bounds->row[0] + first, 4, rows);
        floats_store(distances + first, box_distance(volume->origin.row, rows));
    }
    four_masks left;
    const uint32_t seen = shape_four(volume, bounds, mask, &left);
    memcpy(masks, &left, sizeof left);
    return seen;
}

static uint32_t measure_items(const query_volume *volume, const item_group *group, uint32_t mask,
                              uint32_t count, float *distances)
{
    const uint32_t seen = shape_group(volume, group, mask, count);
    for (uint32_t first = 0; first < GROUP_SLOTS; first += LANES) {
        if (seen >> first & ((1u << LANES) - 1)) {
            floats rows[ROW_COUNT];
            load_rows(group->row[0] + first, GROUP_SLOTS, rows);
            floats_store(distances + first, box_distance(volume->origin.row, rows));
        }
    }
    return seen;
}

#include "quadtree_kernel_ray_part.h"

#define SHAPE_KERNEL(set)                                                                          \
    const shape_kernel acre_shape_kernel_##set = {.shape = QUERY_KERNEL(shape),                    \
                                                  .sphere = QUERY_KERNEL(sphere),                  \
                                                  .circle = QUERY_KERNEL(circle),                  \
                                                  .measure_boxes = measure_boxes,                  \
                                                  .measure_items = measure_items,                  \
                                                  .cast_ray = cast_ray}

#endif
