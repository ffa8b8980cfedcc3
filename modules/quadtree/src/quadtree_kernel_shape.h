// SPDX-License-Identifier: MIT
// quadtree_kernel_shape.h - queries of any volume, part by part: planes, box, ball, slab, and what
// is excluded.
//
// No header of its own: a kernel file includes it behind lanes_one.h or lanes_four.h and
// quadtree_kernel_select.h.

#include "shape_lanes.h"

#include <string.h>

// ---- boxes of nodes and groups, four at a time ----

static inline void load_rows(const float *from, uint32_t stride, floats *rows)
{
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        rows[i] = floats_load(from + i * stride);
    }
}

static inline choice box_touches(const row_box *box, const floats *rows)
{
    choice touches = choice_of(true);
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const choice reaches = floats_not_above(floats_all(box->row[i]), rows[i + 1]);
        touches = choice_and(touches, reaches);
        touches = choice_and(touches, floats_not_above(rows[i], floats_all(box->row[i + 1])));
    }
    return touches;
}

static inline choice box_holds(const row_box *box, const floats *rows)
{
    choice holds = choice_of(true);
    for (int i = 0; i < ROW_COUNT; i += 2) {
        holds = choice_and(holds, floats_not_above(floats_all(box->row[i]), rows[i]));
        holds = choice_and(holds, floats_not_above(rows[i + 1], floats_all(box->row[i + 1])));
    }
    return holds;
}

// Boxes first, first + 1, ... of the four: takes those outside of a part from seen; those not
// wholly inside get its bit.
static inline void tell_part(uint32_t bit, uint32_t first, choice touches, choice holds,
                             uint32_t *seen, uint32_t *masks)
{
    const uint32_t lanes = (1u << LANES) - 1, inside = choice_bits(holds);
    *seen &= ~((choice_bits(touches) ^ lanes) << first);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        masks[first + lane] |= inside >> lane & 1 ? 0 : bit;
    }
}

static inline void hide_excluded(const query_volume *volume, const four_boxes *bounds,
                                 uint32_t *seen, uint32_t *masks)
{
    four_masks left;
    uint32_t cutting[4];
    const uint32_t meets = frustum_four(volume->excluded, bounds, volume->excluded_mask, &left);
    memcpy(cutting, &left, sizeof cutting);
    for (uint32_t lane = 0; lane < 4; lane++) {
        const bool is_met = meets >> lane & 1;
        *seen &= ~((uint32_t)(is_met && cutting[lane] == 0) << lane);
        masks[lane] |= is_met ? MASK_EXCLUDED : 0;
    }
}

static inline uint32_t shape_four(const query_volume *volume, const four_boxes *bounds,
                                  uint32_t mask, uint32_t *masks)
{
    uint32_t seen = 15;
    memset(masks, 0, 4 * sizeof *masks);
    if (mask & MASK_PLANES) {
        four_masks left;
        seen &= frustum_four(volume, bounds, mask & MASK_PLANES, &left);
        memcpy(masks, &left, 4 * sizeof *masks);
    }
    for (uint32_t first = 0; first < 4; first += LANES) {
        floats rows[ROW_COUNT], distance;
        load_rows(bounds->row[0] + first, 4, rows);
        if (mask & MASK_BOX) {
            tell_part(MASK_BOX, first, box_touches(&volume->box, rows),
                      box_holds(&volume->box, rows), &seen, masks);
        }
        if (mask & MASK_BALL) {
            tell_part(MASK_BALL, first, ball_touches(&volume->ball, rows, 2.0f),
                      ball_holds(&volume->ball, rows), &seen, masks);
        }
        if (mask & MASK_SLAB) {
            tell_part(MASK_SLAB, first, slab_touches(&volume->slab, rows, &distance),
                      choice_of(false), &seen, masks);
        }
    }
    if (mask & MASK_EXCLUDED) {
        hide_excluded(volume, bounds, &seen, masks);
    }
    return seen;
}

// ---- items, 16 at a time ----

// As acre_frustum_test_aabb: lanes that the planes of a mask exclude.
static inline choice planes_hide(const query_volume *volume, uint32_t mask, const floats *rows)
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

// As acre_frustum_contains_aabb. The rows of the corner opposite to the p-vertex are the others.
static inline choice planes_hold(const query_volume *volume, uint32_t mask, const floats *rows)
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

// Lanes whose item is found, as a set. With a slab *distances receives where the ray enters.
static inline uint32_t shape_lanes(const query_volume *volume, uint32_t mask, const floats *rows,
                                   floats *distances)
{
    uint32_t seen = (1u << LANES) - 1;
    if (mask & MASK_PLANES) {
        seen &= ~choice_bits(planes_hide(volume, mask & MASK_PLANES, rows));
    }
    if (mask & MASK_BOX) {
        seen &= choice_bits(box_touches(&volume->box, rows));
    }
    if (mask & MASK_BALL) {
        seen &= choice_bits(ball_touches(&volume->ball, rows, 1.0f));
    }
    if (mask & MASK_SLAB) {
        seen &= choice_bits(slab_touches(&volume->slab, rows, distances));
    }
    if (mask & MASK_EXCLUDED) {
        const query_volume *const excluded = volume->excluded;
        seen &= volume->excludes_touching
                    ? choice_bits(planes_hide(excluded, volume->excluded_mask, rows))
                    : ~choice_bits(planes_hold(excluded, volume->excluded_mask, rows));
    }
    return seen;
}

// ---- the functions of query_kernel ----

static four_masks as_four_masks(const uint32_t *masks)
{
    four_masks left;
    memcpy(&left, masks, sizeof left);
    return left;
}

static void visit_quad_shape(const query_volume *volume, const quad *siblings, uint32_t mask,
                             uint32_t wanted, node_lists *lists)
{
    uint32_t masks[4] = {0, 0, 0, 0};
    if (mask) {
        wanted &= shape_four(volume, &siblings->bounds, mask, masks);
    }
    list_siblings(siblings, wanted, as_four_masks(masks), lists);
}

static void visit_block_shape(const query_volume *volume, const four_boxes *bounds, uint32_t block,
                              uint32_t count, uint32_t mask, group_lists *lists)
{
    uint32_t masks[4];
    const uint32_t seen = shape_four(volume, bounds, mask, masks);
    list_groups(block, count, seen & present_groups(count), as_four_masks(masks), lists);
}

static uint32_t select_shape(const query_volume *volume, const item_group *groups,
                             const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                             uint32_t count, uint32_t *out)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const size_t group = group_number(words[i]);
        uint32_t seen = 0;
        prefetch_group(groups, ids, group_number(words[i + GROUPS_AHEAD]));
        for (uint32_t first = 0; first < GROUP_SLOTS; first += LANES) {
            floats rows[ROW_COUNT], distances;
            load_rows(groups[group].row[0] + first, GROUP_SLOTS, rows);
            seen |= shape_lanes(volume, masks[i], rows, &distances) << first;
        }
        seen &= present_slots(group_count(words[i]));
        found += append_ids(seen, ids + group * GROUP_SLOTS, out + found);
    }
    return found;
}

// ---- the functions of measure_kernel ----

static inline floats measure_lanes(const query_volume *volume, const floats *rows)
{
    floats distance;
    if (volume->measures_slab) {
        (void)slab_touches(&volume->slab, rows, &distance);
    } else {
        distance = box_distance(volume->origin.row, rows);
    }
    return distance;
}

static uint32_t measure_boxes(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                              float *distances, uint32_t *masks)
{
    for (uint32_t first = 0; first < 4; first += LANES) {
        floats rows[ROW_COUNT];
        load_rows(bounds->row[0] + first, 4, rows);
        floats_store(distances + first, measure_lanes(volume, rows));
    }
    return shape_four(volume, bounds, mask, masks);
}

static uint32_t measure_items(const query_volume *volume, const item_group *group, uint32_t mask,
                              uint32_t count, float *distances)
{
    uint32_t seen = 0;
    for (uint32_t first = 0; first < GROUP_SLOTS; first += LANES) {
        floats rows[ROW_COUNT], entries;
        load_rows(group->row[0] + first, GROUP_SLOTS, rows);
        seen |= shape_lanes(volume, mask, rows, &entries) << first;
        floats_store(distances + first, measure_lanes(volume, rows));
    }
    return seen & present_slots(count);
}

#define SHAPE_KERNELS                                                                              \
    .shape = {visit_quad_shape, visit_block_shape, select_shape},                                  \
    .measure = {measure_boxes, measure_items}
