// SPDX-License-Identifier: MIT
// sample_shapes.c - every shape that a query can have, between two handles to drag.
#include "query_shapes.h"
#include "samples.h"

#include <math.h>

enum { BOXES = 1500 };

typedef struct shapes_state {
    acre_quadtree *tree;
    acre_aabb boxes[BOXES];
    uint32_t found[BOXES];
    int shape, width;
    float handles[2][3];
    int held; // the handle that is dragged
    bool was_dragged;
} shapes_state;

static bool create(void *memory)
{
    shapes_state *const state = memory;
    uint64_t random = 41;
    *state = (shapes_state){.shape = SHAPE_CONE,
                            .width = 24,
                            .handles = {{-34.0f, 1.5f, 24.0f}, {20.0f, 1.5f, -10.0f}}};
    const acre_quadtree_def def = {.half_size = 80.0f, .node_capacity = 16};
    bool is_good = acre_quadtree_create(&def, &state->tree) == ACRE_OK;
    for (uint32_t i = 0; i < BOXES && is_good; i++) {
        float at[2];
        sample_place(&random, 75.0f, at);
        state->boxes[i] = sample_box(at[0], at[1], 0.5f + 0.6f * sample_random(&random),
                                     0.8f + 4.0f * powf(sample_random(&random), 2.0f));
        is_good = acre_quadtree_insert(state->tree, i, &state->boxes[i]) == ACRE_OK;
    }
    return is_good;
}

static void destroy(void *memory)
{
    acre_quadtree_destroy(((shapes_state *)memory)->tree);
}

static float distance_to(const float *handle, const float *point)
{
    return hypotf(handle[0] - point[0], handle[2] - point[2]);
}

// The handle that is nearer to the mouse; the second one swings by itself until somebody drags one.
static void drag(shapes_state *state, const stage *s)
{
    if (s->is_new_press) {
        state->held =
            distance_to(state->handles[1], s->pointer) < distance_to(state->handles[0], s->pointer);
        state->was_dragged = true;
    }
    float *const held = state->handles[state->held];
    if (s->is_held && state->was_dragged) {
        held[0] = s->pointer[0];
        held[2] = s->pointer[2];
    } else if (!state->was_dragged) {
        state->handles[1][0] = 20.0f + 12.0f * sinf(0.4f * (float)s->time);
        state->handles[1][2] = -10.0f + 16.0f * cosf(0.4f * (float)s->time);
    }
}

static bool step(void *memory, stage *s)
{
    shapes_state *const state = memory;
    stage_choice(s, "shape", &state->shape, query_shape_names, SHAPE_COUNT_);
    stage_slider(s, "width", &state->width, 2, 80);
    drag(state, s);
    query_shapes shapes;
    query_shapes_make(&shapes, state->handles[0], state->handles[1], (float)state->width);
    acre_query_stats stats = {0};
    acre_query query = query_shapes_ask(&shapes, (query_shape)state->shape);
    query.stats = &stats;
    size_t count = 0;
    if (acre_quadtree_query(state->tree, &query, state->found, BOXES, &count) != ACRE_OK) {
        return false;
    }
    bool is_found[BOXES] = {false};
    for (size_t i = 0; i < count; i++) {
        is_found[state->found[i]] = true;
    }
    for (uint32_t i = 0; i < BOXES; i++) {
        stage_box(s, &state->boxes[i], is_found[i] ? STAGE_YELLOW : 0xa9b4beffu);
    }
    stage_line_width(s, 3.0f);
    query_shapes_draw(&shapes, (query_shape)state->shape, s, STAGE_VIOLET);
    for (int i = 0; i < 2; i++) {
        const float *const at = state->handles[i];
        const acre_aabb post = sample_box(at[0], at[2], 0.6f, 9.0f);
        stage_box(s, &post, STAGE_BLUE);
    }
    stage_key(s, STAGE_YELLOW, "yellow", "%zu found of %d", count, BOXES);
    stage_key(s, STAGE_VIOLET, "violet", "the shape that asks");
    stage_key(s, STAGE_BLUE, "blue", "posts to drag");
    stage_readout(s, "taken without a test", "%zu", stats.items_accepted);
    stage_readout(s, "boxes tested", "%zu", stats.items_tested);
    stage_tree(s, state->tree);
    return true;
}

const view_sample sample_shapes = {
    .name = "shapes",
    .title = "Every query shape",
    .about = "Every shape asks the same tree. Choose one, and drag the blue posts.",
    .state_size = sizeof(shapes_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.4f,
    .pitch = -0.75f,
    .distance = 150.0f};
