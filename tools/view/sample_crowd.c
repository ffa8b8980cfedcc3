// SPDX-License-Identifier: MIT
// sample_crowd.c - the cells of a crowd that moves: red strict, light blue loose.
#include "samples.h"

#include <acre/quadtree.h>

#include <math.h>

enum { MOST = 2000 };

typedef struct crowd_state {
    acre_quadtree *tree;
    acre_aabb boxes[MOST];
    float angles[MOST], sizes[MOST], places[MOST][2];
    int count, made_count;
    uint64_t moves;
} crowd_state;

static bool generate(crowd_state *state)
{
    uint64_t random = 21;
    acre_quadtree_clear(state->tree);
    for (int i = 0; i < state->count; i++) {
        state->sizes[i] = 0.35f + 1.4f * powf(sample_random(&random), 3.0f);
        state->angles[i] = 6.2831853f * sample_random(&random);
        // Two towns and what lies between them.
        const float spread = i % 3 ? 18.0f : 56.0f, side = i % 3 == 1 ? 28.0f : -24.0f;
        const float middle = i % 3 ? side : 0.0f;
        for (int k = 0; k < 2; k++) {
            const float sum = sample_random(&random) + sample_random(&random) - 1.0f;
            state->places[i][k] = middle + spread * sum;
        }
        state->boxes[i] = sample_box(state->places[i][0], state->places[i][1], state->sizes[i],
                                     1.7f * state->sizes[i]);
        if (acre_quadtree_insert(state->tree, (uint32_t)i, &state->boxes[i]) != ACRE_OK) {
            return false;
        }
    }
    state->made_count = state->count;
    return true;
}

static bool create(void *memory)
{
    crowd_state *const state = memory;
    state->count = 600;
    const acre_quadtree_def def = {.half_size = 64.0f, .node_capacity = 16, .max_depth = 6};
    return acre_quadtree_create(&def, &state->tree) == ACRE_OK && generate(state);
}

static void destroy(void *memory)
{
    acre_quadtree_destroy(((crowd_state *)memory)->tree);
}

// Everyone walks on, turns a little, and turns back at the edge.
static void walk(crowd_state *state, float seconds, double time)
{
    for (int i = 0; i < state->count; i++) {
        float *const at = state->places[i];
        state->angles[i] += seconds * sinf((float)time * 0.7f + (float)i);
        for (int k = 0; k < 2; k++) {
            at[k] += 4.0f * seconds * (k ? sinf(state->angles[i]) : cosf(state->angles[i]));
            if (fabsf(at[k]) > 60.0f) {
                state->angles[i] += 0.2f;
                at[k] = fmaxf(-60.0f, fminf(at[k], 60.0f));
            }
        }
        state->boxes[i] = sample_box(at[0], at[1], state->sizes[i], 1.7f * state->sizes[i]);
    }
}

static bool step(void *memory, stage *s)
{
    crowd_state *const state = memory;
    stage_slider(s, "walkers", &state->count, 10, MOST);
    if (state->count != state->made_count && !generate(state)) {
        return false;
    }
    walk(state, s->seconds, s->time);
    acre_quadtree_stats before, after;
    acre_quadtree_get_stats(state->tree, &before);
    if (acre_quadtree_refresh_all(state->tree, state->boxes, (size_t)state->count) != ACRE_OK ||
        acre_quadtree_maintain(state->tree) != ACRE_OK) {
        return false;
    }
    acre_quadtree_get_stats(state->tree, &after);
    for (int i = 0; i < state->count; i++) {
        stage_box(s, &state->boxes[i], 0xa9b4beffu);
    }
    stage_drawing loose = {.stage = s, .height = 0.05f, .rgba = (STAGE_SKY & ~0xffu) | 0x90u};
    const acre_debug_draw draw_loose = stage_debug_draw(&loose, ACRE_DEBUG_LOOSE_CELLS);
    acre_quadtree_debug_draw(state->tree, &draw_loose);
    stage_line_width(s, 3.0f);
    stage_drawing strict = {.stage = s, .height = 0.10f, .rgba = STAGE_RED};
    const acre_debug_draw draw_strict = stage_debug_draw(&strict, ACRE_DEBUG_STRICT_CELLS);
    acre_quadtree_debug_draw(state->tree, &draw_strict);
    const uint64_t moved = after.moves - before.moves;
    stage_key(s, STAGE_RED, "red", "cells");
    stage_key(s, STAGE_SKY, "light blue", "how far their boxes may reach");
    stage_readout(s, "changed their cell", "%llu in this frame", (unsigned long long)moved);
    stage_readout(s, "cells", "%zu", after.nodes);
    stage_tree(s, state->tree);
    return true;
}

const view_sample sample_crowd = {
    .name = "crowd",
    .title = "Cells of a crowd",
    .about = "Cells split where many are and join where they leave; few walkers change their cell.",
    .state_size = sizeof(crowd_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.35f,
    .pitch = -0.85f,
    .distance = 172.0f};
