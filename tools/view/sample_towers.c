// SPDX-License-Identifier: MIT
// sample_towers.c - towers and aeroplanes: heights in a tree that splits the ground alone.
#include "samples.h"

#include <acre/quadtree.h>

#include <math.h>
#include <string.h>

enum { TOWERS = 400, PLANES = 120, ALL = TOWERS + PLANES };

typedef struct towers_state {
    acre_quadtree *tree;
    acre_aabb boxes[ALL];
    float radii[PLANES], heights[PLANES], phases[PLANES];
    uint32_t found[ALL];
    bool looks_up;
} towers_state;

static void fly(towers_state *state, double time)
{
    for (int i = 0; i < PLANES; i++) {
        const float angle = state->phases[i] + (float)time * 14.0f / state->radii[i];
        const float x = state->radii[i] * cosf(angle), z = state->radii[i] * sinf(angle);
        const float y = state->heights[i];
        state->boxes[TOWERS + i] =
            (acre_aabb){{x - 2.6f, y, z - 2.6f}, {x + 2.6f, y + 1.2f, z + 2.6f}};
    }
}

static bool create(void *memory)
{
    towers_state *const state = memory;
    uint64_t random = 8;
    const acre_quadtree_def def = {.half_size = 128.0f, .node_capacity = 8, .max_depth = 6};
    for (int i = 0; i < TOWERS; i++) {
        const float x = -114.0f + 12.0f * (float)(i % 20), z = -114.0f + 12.0f * (float)(i / 20);
        const float high = expf(-0.0005f * (x * x + z * z));
        const float height = 4.0f + (10.0f + 62.0f * high) * powf(sample_random(&random), 2.0f);
        state->boxes[i] = sample_box(x, z, 3.6f, height);
    }
    for (int i = 0; i < PLANES; i++) {
        state->radii[i] = 15.0f + 105.0f * sample_random(&random);
        state->heights[i] = 30.0f + 75.0f * sample_random(&random);
        state->phases[i] = 6.2831853f * sample_random(&random);
    }
    fly(state, 0.0);
    bool is_good = acre_quadtree_create(&def, &state->tree) == ACRE_OK;
    for (uint32_t i = 0; i < ALL && is_good; i++) {
        is_good = acre_quadtree_insert(state->tree, i, &state->boxes[i]) == ACRE_OK;
    }
    // Built anew, now that all heights are known: where aeroplanes fly above towers, cells split
    // into bands of height.
    return is_good && acre_quadtree_optimize(state->tree) == ACRE_OK;
}

static void destroy(void *memory)
{
    acre_quadtree_destroy(((towers_state *)memory)->tree);
}

// From the middle of the town, turning; level, or up at the sky.
static bool make_camera(const towers_state *state, double time, acre_camera *out)
{
    view_camera eye = {.eye = {0.0f, 26.0f, 0.0f},
                       .yaw = 0.3f * (float)time,
                       .pitch = state->looks_up ? 0.65f : -0.04f,
                       .vertical_fov = 0.55f};
    acre_camera camera;
    static const float up[3] = {0, 1, 0};
    float target[3];
    view_camera_forward(&eye, target);
    for (int k = 0; k < 3; k++) {
        target[k] += eye.eye[k];
    }
    camera = (acre_camera){0};
    const bool is_good = acre_camera_perspective(&camera, eye.vertical_fov, 1.5f, 1.0f, 110.0f,
                                                 ACRE_CLIP_NEGATIVE_ONE_TO_ONE) == ACRE_OK &&
                         acre_camera_look_at(&camera, eye.eye, target, up) == ACRE_OK;
    *out = camera;
    return is_good;
}

static bool step(void *memory, stage *s)
{
    towers_state *const state = memory;
    stage_switch(s, "look up", &state->looks_up);
    fly(state, s->time);
    acre_camera camera;
    acre_frustum frustum;
    if (acre_quadtree_refresh_all(state->tree, state->boxes, ALL) != ACRE_OK ||
        acre_quadtree_maintain(state->tree) != ACRE_OK || !make_camera(state, s->time, &camera) ||
        acre_camera_frustum(&camera, &frustum) != ACRE_OK) {
        return false;
    }
    acre_query_stats stats = {0};
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum, .stats = &stats};
    size_t count = 0, towers = 0;
    if (acre_quadtree_query(state->tree, &query, state->found, ALL, &count) != ACRE_OK) {
        return false;
    }
    bool is_seen[ALL] = {false};
    for (size_t i = 0; i < count; i++) {
        is_seen[state->found[i]] = true;
        towers += state->found[i] < TOWERS;
    }
    for (int i = 0; i < ALL; i++) {
        const uint32_t unseen = i < TOWERS ? 0x98a3adffu : 0xf4f5f6ffu;
        stage_box(s, &state->boxes[i], is_seen[i] ? STAGE_YELLOW : unseen);
    }
    stage_frustum(s, &camera, 200.0f, STAGE_VIOLET);
    stage_key(s, STAGE_YELLOW, "yellow", "seen: %zu of %d towers, %zu of %d aeroplanes", towers,
              TOWERS, count - towers, PLANES);
    stage_key(s, STAGE_VIOLET, "violet", "the camera that looks");
    stage_tree(s, state->tree);
    stage_readout(s, "boxes tested", "%zu of %d", stats.items_tested, ALL);
    return true;
}

const view_sample sample_towers = {
    .name = "towers",
    .title = "Towers and aeroplanes",
    .about =
        "Cells divide the ground alone. Each knows how high its boxes reach, so few are tested.",
    .state_size = sizeof(towers_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .target = {0.0f, 20.0f, 0.0f},
    .yaw = 0.6f,
    .pitch = -0.42f,
    .distance = 310.0f};
