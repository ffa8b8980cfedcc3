// SPDX-License-Identifier: MIT
// view_crowd.c - thousands of entities on a plain, and views of them.
#include "view_crowd.h"

#include <string.h>

static acre_transform random_place(test_random *random)
{
    acre_transform local = ACRE_TRANSFORM_IDENTITY;
    local.translation[0] = random_float(random, -250, 250);
    local.translation[1] = random_float(random, 0, 20);
    local.translation[2] = random_float(random, -250, 250);
    return local;
}

static bool add_entity(view_crowd *crowd, uint32_t i)
{
    test_random *const random = &crowd->random;
    // All sizes from 0.1 to 12, so that cells of many levels have items.
    const float size = 0.1f * (float)(1u << random_below(random, 7)) * random_float(random, 1, 2);
    const acre_aabb bounds = {{-size, 0, -size}, {size, 2 * size, size}};
    const acre_transform local = random_place(random);
    const acre_entity_def def = {.local = &local,
                                 .bounds = &bounds,
                                 .layers = i % 7 ? 1 : 2,
                                 .flags = (i % 8 ? ACRE_ENTITY_STATIC : 0u) |
                                          (i % 501 == 7 ? ACRE_ENTITY_NEVER_CULL : 0u) |
                                          (i % 301 == 5 ? ACRE_ENTITY_HIDDEN : 0u)};
    return acre_entity_create(crowd->scene, &def, &crowd->entities[i]) == ACRE_OK &&
           acre_culling_set_rule(crowd->culling, crowd->entities[i], i % 5) == ACRE_OK;
}

bool view_crowd_create(view_crowd *crowd, uint64_t seed)
{
    static const acre_visibility_rule rules[] = {
        {.max_distance = 90, .lod_pixels = {60, 20, 5}},
        {.min_pixels = 8, .lod_pixels = {40, 10}},
        {.min_distance = 20, .max_distance = 300},
        {.lod_pixels = {80, 40, 20, 10, 5}},
    };
    const acre_culling_def def = {.register_all = true,
                                  .tree = {.half_size = 256, .node_capacity = 16}};
    memset(crowd, 0, sizeof *crowd);
    crowd->random.state = seed;
    bool is_good = acre_scene_create(&(acre_scene_def){0}, &crowd->scene) == ACRE_OK &&
                   acre_culling_create(crowd->scene, &def, &crowd->culling) == ACRE_OK &&
                   acre_culling_set_rules(crowd->culling, rules, 4) == ACRE_OK;
    for (uint32_t i = 0; i < CROWD_ENTITIES && is_good; i++) {
        is_good = add_entity(crowd, i);
    }
    return is_good && acre_scene_commit(crowd->scene) == ACRE_OK;
}

void view_crowd_destroy(view_crowd *crowd)
{
    acre_culling_destroy(crowd->culling);
    acre_scene_destroy(crowd->scene);
}

bool view_crowd_frame(view_crowd *crowd)
{
    bool is_good = true;
    for (uint32_t i = 0; i < CROWD_ENTITIES / 30 && is_good; i++) {
        const uint32_t entity = random_below(&crowd->random, CROWD_ENTITIES);
        const acre_transform local = random_place(&crowd->random);
        is_good = acre_entity_set_local(crowd->scene, crowd->entities[entity], &local) == ACRE_OK;
    }
    return is_good && acre_scene_commit(crowd->scene) == ACRE_OK;
}

acre_view view_crowd_view(uint32_t number)
{
    static const acre_frustum half = {.planes = {{0.8f, 0, 0.6f, 30}}, .plane_count = 1};
    static const acre_frustum wedge = {.planes = {{0.7f, 0, 0.7f, 40}, {-0.7f, 0, 0.7f, 60}},
                                       .plane_count = 2};
    static const acre_frustum slab = {.planes = {{0, 0, 1, 90}, {0, 0, -1, 70}}, .plane_count = 2};
    const acre_view views[CROWD_VIEWS] = {
        {.pixels = 900},
        {.frustum = half, .eye = {30, 10, 5}, .pixels = 1200, .min_pixels = 3, .hysteresis = 0.2f},
        {.frustum = wedge, .eye = {0, 5, -40}, .max_distance = 180, .pixels = 500, .lod_scale = 2},
        {.frustum = half, .include = &slab, .exclude = &wedge, .layers = 1, .pixels = 700},
        {.frustum = half, .flags = ACRE_VIEW_IGNORE_RULES},
        {.frustum = slab, .pixels = 40, .is_parallel = true, .depth = {0.6f, 0, 0.8f, 3}},
    };
    return views[number % CROWD_VIEWS];
}
