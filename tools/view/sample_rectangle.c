// SPDX-License-Identifier: MIT
// sample_rectangle.c - a rectangle drawn with the mouse: what the cells offer, what is inside.
#include "samples.h"

#include <acre/quadtree.h>

#include <math.h>
#include <string.h>

enum { MOST = 5000 };

typedef struct rectangle_state {
    acre_quadtree *tree;
    acre_aabb boxes[MOST];
    uint32_t found[MOST];
    int count, made_count;
    float from[3], to[3];
    bool was_drawn;
} rectangle_state;

static bool generate(rectangle_state *state)
{
    uint64_t random = 3;
    acre_quadtree_clear(state->tree);
    for (int i = 0; i < state->count; i++) {
        const float x = 116.0f * sample_random(&random) - 58.0f;
        const float z = 116.0f * sample_random(&random) - 58.0f;
        const float half =
            (0.4f + 1.6f * sample_random(&random)) / (1.0f + 0.0006f * (float)state->count);
        state->boxes[i] = sample_box(x, z, half, 2.0f * half);
        if (acre_quadtree_insert(state->tree, (uint32_t)i, &state->boxes[i]) != ACRE_OK) {
            return false;
        }
    }
    state->made_count = state->count;
    return acre_quadtree_tighten(state->tree) == ACRE_OK;
}

static bool create(void *memory)
{
    rectangle_state *const state = memory;
    state->count = 100;
    const acre_quadtree_def def = {.half_size = 64.0f, .node_capacity = 8, .max_depth = 6};
    return acre_quadtree_create(&def, &state->tree) == ACRE_OK && generate(state);
}

static void destroy(void *memory)
{
    acre_quadtree_destroy(((rectangle_state *)memory)->tree);
}

// The rectangle grows and shrinks by itself until somebody draws one.
static void draw_rectangle(rectangle_state *state, const stage *s, acre_aabb *out)
{
    if (s->is_new_press) {
        memcpy(state->from, s->pointer, sizeof state->from);
        state->was_drawn = true;
    }
    if (s->is_held) {
        memcpy(state->to, s->pointer, sizeof state->to);
    } else if (!state->was_drawn) {
        const float reach = 22.0f + 12.0f * sinf((float)s->time * 0.6f);
        state->from[0] = -reach - 6.0f;
        state->from[2] = -0.6f * reach;
        state->to[0] = reach - 6.0f;
        state->to[2] = 0.9f * reach;
    }
    *out = (acre_aabb){
        {fminf(state->from[0], state->to[0]), 0.0f, fminf(state->from[2], state->to[2])},
        {fmaxf(state->from[0], state->to[0]), 100.0f, fmaxf(state->from[2], state->to[2])}};
}

static bool step(void *memory, stage *s)
{
    rectangle_state *const state = memory;
    stage_slider(s, "boxes", &state->count, 100, MOST);
    if (state->count != state->made_count && !generate(state)) {
        return false;
    }
    acre_aabb rectangle;
    draw_rectangle(state, s, &rectangle);
    acre_query_stats stats = {0};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &rectangle, .stats = &stats};
    size_t count = 0;
    if (acre_quadtree_query(state->tree, &query, state->found, MOST, &count) != ACRE_OK) {
        return false;
    }
    static bool is_found[MOST];
    memset(is_found, 0, sizeof is_found);
    for (size_t i = 0; i < count; i++) {
        is_found[state->found[i]] = true;
    }
    for (int i = 0; i < state->count; i++) {
        stage_box(s, &state->boxes[i], is_found[i] ? STAGE_ORANGE : 0xa9b4beffu);
    }
    stage_drawing cells = {.stage = s, .height = 0.05f, .rgba = 0xb8c6d4ffu};
    const acre_debug_draw strict = stage_debug_draw(&cells, ACRE_DEBUG_STRICT_CELLS);
    acre_quadtree_debug_draw(state->tree, &strict);
    const float min[2] = {rectangle.min[0], rectangle.min[2]};
    const float max[2] = {rectangle.max[0], rectangle.max[2]};
    stage_square(s, min, max, 0.3f, STAGE_RED);
    stage_readout(s, "in the rectangle", "%zu of %d", count, state->count);
    stage_readout(s, "taken without a test", "%zu", stats.items_accepted);
    stage_readout(s, "boxes tested", "%zu", stats.items_tested);
    stage_readout(s, "cells tested", "%zu", stats.nodes_tested);
    stage_tree(s, state->tree);
    return true;
}

const view_sample sample_rectangle = {
    .name = "rectangle",
    .title = "Rectangle query",
    .about = "Draw a rectangle with the mouse. Cells outside are never opened;\n"
             "of cells inside nothing needs a test.",
    .state_size = sizeof(rectangle_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.0f,
    .pitch = -1.2f,
    .distance = 150.0f};
