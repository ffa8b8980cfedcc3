// SPDX-License-Identifier: MIT
// worlds.c - worlds as they come: boxes drawn or moved, and cameras that stand on them.
#include "worlds.h"

#include "country_random.h"
#include "tall_world.h"

enum { MOST_STRAYS = 64, BOXES_PER_STRAY = 500 };

static const struct {
    const char *name;
    tall_world tall;  // 0 storeys: the country's boxes
    float offset[2];  // x, z
    float aeroplanes; // share of the boxes
} worlds[WORLD_KIND_COUNT_] = {
    [WORLD_TOWN] = {.name = "town"},
    [WORLD_STOREYS_5] = {"storeys 5", {TALL_STOREYS, 30.0f, 5, 0.0f}, {0}, 0},
    [WORLD_STOREYS_20] = {"storeys 20", {TALL_STOREYS, 30.0f, 20, 0.0f}, {0}, 0},
    [WORLD_STOREYS_50] = {"storeys 50", {TALL_STOREYS, 30.0f, 50, 0.0f}, {0}, 0},
    [WORLD_STOREYS_100] = {"storeys 100", {TALL_STOREYS, 30.0f, 100, 0.0f}, {0}, 0},
    [WORLD_STOREYS_500] = {"storeys 500", {TALL_STOREYS, 30.0f, 500, 0.0f}, {0}, 0},
    [WORLD_TOWERS] = {"towers", {TALL_TOWERS, 0.0f, 100, 0.5f}, {0}, 0},
    [WORLD_AEROPLANES_2] = {.name = "aeroplanes 2 %", .aeroplanes = 0.02f},
    [WORLD_AEROPLANES_5] = {.name = "aeroplanes 5 %", .aeroplanes = 0.05f},
    [WORLD_CAVES] = {"caves", {TALL_CAVES, 0.0f, 1, 0.5f}, {0}, 0},
    [WORLD_UTM] = {.name = "UTM", .offset = {573000.0f, -6136000.0f}},
    [WORLD_MERCATOR] = {.name = "Web Mercator", .offset = {19820000.0f, -4700000.0f}},
    [WORLD_STRAYS] = {.name = "strays"},
};

const char *world_name(world_kind kind)
{
    return worlds[kind].name;
}

// Boxes of a tall world in the place of the country's.
static void make_tall(country *land, const tall_world *like)
{
    tall_world world = *like;
    uint64_t random = 0x74616c6cu;
    land->half_size = world.half_size > 0.0f ? world.half_size : land->half_size;
    world.half_size = land->half_size;
    for (uint32_t item = 0; item < land->count; item++) {
        land->boxes[item] = tall_world_box(&world, &random);
    }
}

static void make_aeroplanes(country *land, float share)
{
    uint64_t random = 0x666c79u;
    for (uint32_t item = 0; item < land->count; item++) {
        if (draw_unit(&random) < share) {
            land->boxes[item] = tall_world_aeroplane(&land->boxes[item], &random);
        }
    }
}

// Moves one box in 500, but at most 64, out of the country: the farther the later in the list.
static void make_strays(country *land)
{
    uint64_t random = 0x7374726179u;
    const uint32_t share = land->count / BOXES_PER_STRAY;
    const uint32_t strays = share < MOST_STRAYS ? share : MOST_STRAYS;
    float distance = 1e8f;
    for (uint32_t i = 0; i < strays; i++) {
        acre_aabb *const box = &land->boxes[i * BOXES_PER_STRAY];
        for (int axis = 0; axis < 3; axis += 2) {
            const float way = (2.0f * draw_unit(&random) - 1.0f) * distance;
            box->min[axis] += way;
            box->max[axis] = box->min[axis] + 2.0f;
        }
        distance = distance < 1e17f ? 1.5f * distance : distance;
    }
}

// Moves boxes and views. A plane moves with its box: n (p - offset) + d is n p + (d - n offset).
static void move_all(country *land, const float *offset)
{
    for (uint32_t item = 0; item < land->count; item++) {
        for (int k = 0; k < 2; k++) {
            land->boxes[item].min[2 * k] += offset[k];
            land->boxes[item].max[2 * k] += offset[k];
        }
    }
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < land->view_count; i++) {
            country_view *const view = &land->views[kind][i];
            for (uint32_t p = 0; p < view->frustum.plane_count; p++) {
                float *const plane = view->frustum.planes[p];
                const double shift =
                    (double)plane[0] * (double)offset[0] + (double)plane[2] * (double)offset[1];
                plane[3] = (float)((double)plane[3] - shift);
            }
            view->bounds = view_bounds(&view->frustum);
        }
    }
}

// Makes the views from a kind on anew. Cameras stand on boxes.
static bool make_views(country *land, view_kind first)
{
    uint64_t random = 0x657965u;
    bool is_good = true;
    for (int kind = (int)first; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < land->view_count; i++) {
            const uint32_t item = (uint32_t)(draw_bits(&random) % land->count);
            const acre_aabb *const box = &land->boxes[item];
            const float feet[3] = {0.5f * (box->min[0] + box->max[0]), box->max[1],
                                   0.5f * (box->min[2] + box->max[2])};
            is_good =
                country_view_from(land, (view_kind)kind, feet, &random, &land->views[kind][i]) &&
                is_good;
        }
    }
    return is_good;
}

bool world_create(country *out, world_kind kind, uint32_t count, uint32_t view_count)
{
    if (!country_create(out, count, view_count)) {
        return false;
    }
    bool is_good = true;
    if (worlds[kind].tall.storeys > 0) {
        make_tall(out, &worlds[kind].tall);
        is_good = make_views(out, VIEW_GROUND);
    } else if (worlds[kind].aeroplanes > 0.0f) {
        make_aeroplanes(out, worlds[kind].aeroplanes);
        is_good = make_views(out, VIEW_WHOLE);
    }
    if (!is_good) {
        country_free(out);
        return false;
    }
    if (kind == WORLD_STRAYS) {
        make_strays(out);
    }
    if (worlds[kind].offset[0] != 0.0f) {
        move_all(out, worlds[kind].offset);
    }
    return true;
}
