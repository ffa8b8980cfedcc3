// SPDX-License-Identifier: MIT
// sample_lods.c - levels of detail by size on the screen, with hysteresis against flicker.
#include "samples.h"

#include <acre/culling.h>
#include <acre/visible_set.h>

#include <math.h>

#define UNSEEN_COLOR 0x78838dffu

enum { SIDE = 40, BOXES = SIDE * SIDE, LODS = 4 };

typedef struct lods_state {
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set;
    int hysteresis; // percent
    int scale;      // percent of the size that counts
    uint64_t changes;
    double started;
} lods_state;

static bool create(void *memory)
{
    lods_state *const state = memory;
    uint64_t random = 29;
    bool is_good = acre_scene_create(&(acre_scene_def){0}, &state->scene) == ACRE_OK;
    const acre_culling_def def = {.tree = {.half_size = 160.0f}, .register_all = true};
    is_good = is_good && acre_culling_create(state->scene, &def, &state->culling) == ACRE_OK;
    const acre_visibility_rule rule = {.min_pixels = 6.0f, .lod_pixels = {48.0f, 24.0f, 12.0f}};
    is_good = is_good && acre_culling_set_rules(state->culling, &rule, 1) == ACRE_OK;
    for (int i = 0; i < BOXES && is_good; i++) {
        const float x = 7.0f * (float)(i % SIDE - SIDE / 2),
                    z = 7.0f * (float)(i / SIDE - SIDE / 2);
        const float half = 0.8f + 0.7f * sample_random(&random);
        const acre_aabb box = sample_box(x, z, half, 1.0f + 3.0f * sample_random(&random));
        const acre_entity_def entity = {.bounds = &box};
        acre_entity handle;
        is_good = acre_entity_create(state->scene, &entity, &handle) == ACRE_OK &&
                  acre_culling_set_rule(state->culling, handle, 1) == ACRE_OK;
    }
    const acre_visible_set_def set = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES};
    state->hysteresis = 15;
    state->scale = 100;
    return is_good && acre_scene_commit(state->scene) == ACRE_OK &&
           acre_visible_set_create(&set, &state->set) == ACRE_OK;
}

static void destroy(void *memory)
{
    lods_state *const state = memory;
    acre_visible_set_destroy(state->set);
    acre_culling_destroy(state->culling);
    acre_scene_destroy(state->scene);
}

// A camera that sways to and fro: without hysteresis boxes at a limit change in every sway.
static bool make_camera(double time, acre_camera *out, float *eye)
{
    static const float up[3] = {0, 1, 0};
    eye[0] = 4.0f * sinf((float)time * 5.0f);
    eye[1] = 6.0f;
    eye[2] = 105.0f + 4.0f * cosf((float)time * 4.0f);
    const float target[3] = {0.0f, 2.0f, -40.0f};
    *out = (acre_camera){0};
    return acre_camera_perspective(out, 0.9f, 1.5f, 0.5f, 400.0f, ACRE_CLIP_NEGATIVE_ONE_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(out, eye, target, up) == ACRE_OK;
}

static bool step(void *memory, stage *s)
{
    static const uint32_t colors[LODS] = {STAGE_RED, STAGE_ORANGE, STAGE_YELLOW, STAGE_SKY};
    static const char *const names[LODS] = {"LOD 0", "LOD 1", "LOD 2", "LOD 3"};
    lods_state *const state = memory;
    stage_slider(s, "hysteresis, percent", &state->hysteresis, 0, 50);
    stage_slider(s, "size that counts, percent", &state->scale, 25, 400);
    acre_camera camera;
    acre_view view;
    float eye[3];
    if (!make_camera(s->time, &camera, eye) || acre_view_from_camera(&view, &camera) != ACRE_OK ||
        acre_view_set_viewport(&view, &camera, 720.0f) != ACRE_OK) {
        return false;
    }
    view.hysteresis = 0.01f * (float)state->hysteresis;
    view.lod_scale = 0.01f * (float)state->scale;
    if (acre_culling_find_visible(state->culling, &view, state->set) != ACRE_OK) {
        return false;
    }
    const acre_visible visible = acre_visible_set_get(state->set);
    const acre_scene_view scene = acre_scene_get_view(state->scene);
    size_t counts[LODS] = {0};
    bool is_seen[BOXES] = {false};
    for (size_t i = 0; i < visible.count; i++) {
        const uint32_t slot = visible.slots[i], lod = visible.lods[i];
        counts[lod]++;
        is_seen[slot] = true;
        stage_box(s, &scene.world_bounds[slot], colors[lod]);
    }
    for (uint32_t slot = 0; slot < BOXES; slot++) {
        if (!is_seen[slot]) {
            stage_box(s, &scene.world_bounds[slot], UNSEEN_COLOR);
        }
    }
    stage_frustum(s, &camera, 200.0f, STAGE_VIOLET);
    state->changes += visible.changed_count;
    for (int i = 0; i < LODS; i++) {
        stage_key(s, colors[i], names[i], "%zu%s", counts[i], i == 0 ? ", the finest" : "");
    }
    stage_key(s, UNSEEN_COLOR, "gray", "not visible");
    stage_readout(s, "changes of LOD", "%zu now, %llu in all", visible.changed_count,
                  (unsigned long long)state->changes);
    stage_tree(s, acre_culling_tree(state->culling));
    return true;
}

const view_sample sample_lods = {
    .name = "lods",
    .title = "Levels of detail",
    .about =
        "The size on the screen decides the level of detail; hysteresis keeps it from flickering.",
    .state_size = sizeof(lods_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.5f,
    .pitch = -0.6f,
    .distance = 280.0f};
