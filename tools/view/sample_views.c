// SPDX-License-Identifier: MIT
// sample_views.c - several cameras at once: two players and the two eyes of a headset.
#include "samples.h"

#include <acre/culling.h>
#include <acre/visible_set.h>

#include <math.h>

#define UNSEEN_COLOR 0x7d8892ffu

enum { BOXES = 3000, VIEWS = 4 };

typedef struct views_state {
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *sets[VIEWS];
    uint32_t masks[BOXES];
    bool are_eyes_shown;
} views_state;

static bool create(void *memory)
{
    views_state *const state = memory;
    uint64_t random = 17;
    bool is_good = acre_scene_create(&(acre_scene_def){0}, &state->scene) == ACRE_OK;
    for (int i = 0; i < BOXES && is_good; i++) {
        const float x = 300.0f * sample_random(&random) - 150.0f;
        const float z = 300.0f * sample_random(&random) - 150.0f;
        const float half = 0.7f + 1.1f * sample_random(&random);
        const acre_aabb box = sample_box(x, z, half, 1.0f + 5.0f * sample_random(&random));
        const acre_entity_def def = {.bounds = &box};
        acre_entity entity;
        is_good = acre_entity_create(state->scene, &def, &entity) == ACRE_OK;
    }
    const acre_culling_def def = {.tree = {.half_size = 160.0f}, .register_all = true};
    is_good = is_good && acre_culling_create(state->scene, &def, &state->culling) == ACRE_OK &&
              acre_scene_commit(state->scene) == ACRE_OK;
    for (int i = 0; i < VIEWS && is_good; i++) {
        is_good = acre_visible_set_create(NULL, &state->sets[i]) == ACRE_OK;
    }
    state->are_eyes_shown = true;
    return is_good;
}

static void destroy(void *memory)
{
    views_state *const state = memory;
    for (int i = 0; i < VIEWS; i++) {
        acre_visible_set_destroy(state->sets[i]);
    }
    acre_culling_destroy(state->culling);
    acre_scene_destroy(state->scene);
}

// Players 1 and 2 walk in circles; the eyes stand apart and look the same way.
static bool make_camera(int number, double time, acre_camera *out)
{
    static const float up[3] = {0, 1, 0};
    const float turn = (float)time * 0.25f + (float)number * 2.2f;
    float eye[3] = {60.0f * cosf(turn), 9.0f, 60.0f * sinf(turn)};
    float target[3] = {eye[0] - sinf(turn + 0.4f), 8.85f, eye[2] + cosf(turn + 0.4f)};
    if (number >= 2) {
        const float look = 0.35f * sinf((float)time * 0.5f) + 0.7f;
        const float apart = number == 2 ? -6.0f : 6.0f; // far wider than eyes, to be seen
        eye[0] = -20.0f + apart * cosf(look);
        eye[2] = 20.0f + apart * sinf(look);
        target[0] = eye[0] + sinf(look);
        target[2] = eye[2] - cosf(look);
    }
    *out = (acre_camera){0};
    return acre_camera_perspective(out, 0.75f, 1.2f, 0.5f, 90.0f, ACRE_CLIP_NEGATIVE_ONE_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(out, eye, target, up) == ACRE_OK;
}

static bool step(void *memory, stage *s)
{
    static const uint32_t colors[VIEWS] = {STAGE_ORANGE, STAGE_SKY, STAGE_YELLOW, STAGE_GREEN};
    static const char *const names[VIEWS] = {"player 1", "player 2", "left eye", "right eye"};
    views_state *const state = memory;
    stage_switch(s, "eyes", &state->are_eyes_shown);
    const int count = state->are_eyes_shown ? VIEWS : 2;
    acre_camera cameras[VIEWS];
    acre_view views[VIEWS];
    for (int i = 0; i < count; i++) {
        if (!make_camera(i, s->time, &cameras[i]) ||
            acre_view_from_camera(&views[i], &cameras[i]) != ACRE_OK) {
            return false;
        }
        stage_frustum(s, &cameras[i], 90.0f, colors[i]);
    }
    if (acre_culling_find_visible_many(state->culling, views, state->sets, (size_t)count) !=
            ACRE_OK ||
        acre_visible_set_masks(state->sets, (size_t)count, state->masks, BOXES) != ACRE_OK) {
        return false;
    }
    const acre_scene_view scene = acre_scene_get_view(state->scene);
    size_t shared = 0;
    for (uint32_t slot = 0; slot < scene.slot_count; slot++) {
        const uint32_t mask = state->masks[slot];
        uint32_t color = UNSEEN_COLOR;
        for (int i = 0; i < count; i++) {
            color = mask == 1u << i ? colors[i] : color;
        }
        const bool is_shared = (mask & (mask - 1)) != 0;
        shared += is_shared;
        stage_box(s, &scene.world_bounds[slot], is_shared ? STAGE_WHITE : color);
    }
    for (int i = 0; i < count; i++) {
        const acre_visible visible = acre_visible_set_get(state->sets[i]);
        stage_key(s, colors[i], names[i], "%zu visible", visible.count);
        stage_begin_screen(s, &cameras[i], names[i]);
        for (size_t k = 0; k < visible.count; k++) { // what its set has, nothing else
            const uint32_t slot = visible.slots[k], mask = state->masks[slot];
            const bool is_shared = (mask & (mask - 1)) != 0;
            stage_box(s, &scene.world_bounds[slot], is_shared ? STAGE_WHITE : colors[i]);
        }
    }
    stage_key(s, STAGE_WHITE, "white", "%zu seen by several", shared);
    stage_key(s, UNSEEN_COLOR, "gray", "not visible");
    stage_tree(s, acre_culling_tree(state->culling));
    return true;
}

const view_sample sample_views = {
    .name = "views",
    .title = "Views",
    .about = "One call asks for all cameras, and a bit for each says which of them see a box.",
    .state_size = sizeof(views_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .target = {0.0f, 0.0f, 30.0f}, // its screens have the lower edge
    .yaw = 0.4f,
    .pitch = -0.9f,
    .distance = 260.0f};
