// SPDX-License-Identifier: MIT
// sample_occlusion.c - a wall with a narrow gap, and an eye that goes past it.
#include "sample_hiding.h"

#include <math.h>

enum { THINGS = 600 };

#define WALL_END 60.0f
#define GAP 1.2f // half of it
#define WALL_HEIGHT 7.0f
#define FAR 120.0f

typedef struct occlusion_state {
    hiding_world world;
    float eye[2]; // x, z
    bool is_dragged;
} occlusion_state;

static bool create(void *memory)
{
    occlusion_state *const state = memory;
    hiding_world *const w = &state->world;
    uint64_t random = 11;
    bool is_good = hiding_create(w, 128.0f);
    for (int side = -1; side <= 1 && is_good; side += 2) {
        const float inner = GAP * (float)side, outer = WALL_END * (float)side;
        const acre_aabb wall = {{fminf(inner, outer), 0.0f, -0.5f},
                                {fmaxf(inner, outer), WALL_HEIGHT, 0.5f}};
        is_good = hiding_add(w, &wall, HIDING_SOLID);
    }
    for (int i = 0; i < THINGS && is_good; i++) {
        const float x = 70.0f * (2.0f * sample_random(&random) - 1.0f);
        const float z = -3.0f - 90.0f * sample_random(&random);
        const float half = 0.4f + 0.5f * sample_random(&random);
        const acre_aabb box = sample_box(x, z, half, 1.0f + 2.5f * sample_random(&random));
        is_good = hiding_add(w, &box, HIDING_THING);
    }
    return is_good && hiding_finish(w);
}

static void destroy(void *memory)
{
    hiding_free(&((occlusion_state *)memory)->world);
}

// It goes to and fro until somebody drags it.
static void move_eye(occlusion_state *state, const stage *s)
{
    if (s->is_held) {
        state->is_dragged = true;
        state->eye[0] = fmaxf(-50.0f, fminf(s->pointer[0], 50.0f));
        state->eye[1] = fmaxf(1.5f, fminf(s->pointer[2], 40.0f));
    } else if (!state->is_dragged) {
        state->eye[0] = 6.0f * sinf(0.4f * (float)s->time);
        state->eye[1] = 9.0f;
    }
}

static bool make_camera(const float *eye, acre_camera *out)
{
    static const float up[3] = {0, 1, 0};
    const float at[3] = {eye[0], 1.7f, eye[1]}, target[3] = {eye[0], 1.7f, eye[1] - 1.0f};
    *out = (acre_camera){0};
    return acre_camera_perspective(out, 0.85f, 1.6f, 0.2f, FAR, ACRE_CLIP_NEGATIVE_ONE_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(out, at, target, up) == ACRE_OK;
}

static bool step(void *memory, stage *s)
{
    occlusion_state *const state = memory;
    acre_camera camera;
    move_eye(state, s);
    if (!make_camera(state->eye, &camera) || !hiding_ask(&state->world, &camera)) {
        return false;
    }
    const acre_aabb eye = {{state->eye[0] - 0.7f, 1.0f, state->eye[1] - 0.7f},
                           {state->eye[0] + 0.7f, 2.4f, state->eye[1] + 0.7f}};
    stage_box(s, &eye, STAGE_VIOLET);
    stage_frustum(s, &camera, FAR, STAGE_VIOLET);
    hiding_show(&state->world, s, &camera);
    stage_tree(s, acre_culling_tree(state->world.culling));
    return true;
}

const view_sample sample_occlusion = {
    .name = "occlusion",
    .title = "Occlusion",
    .about = "What the wall hides from the eye is red. Its picture leaves that out. Drag the eye.",
    .state_size = sizeof(occlusion_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .target = {0.0f, 0.0f, -30.0f},
    .yaw = 0.45f,
    .pitch = -0.62f,
    .distance = 125.0f};
