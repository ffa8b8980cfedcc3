// SPDX-License-Identifier: MIT
// sample_rectangle.c - a rectangle drawn with the mouse: what the cells offer, what is inside.
#include "samples.h"

#include <acre/quadtree_inspect.h>

#include <math.h>
#include <string.h>

enum { MOST = 5000 };

typedef struct rectangle_state {
    acre_quadtree *tree;
    acre_aabb boxes[MOST];
    int count, made_count;
    float from[3], to[3];
    bool was_drawn;
} rectangle_state;

typedef struct rectangle_drawing {
    stage *stage;
    bool are_counts_shown;
    size_t counts[ACRE_TRACE_SKIPPED + 1]; // of items, by state
} rectangle_drawing;

static bool generate(rectangle_state *state)
{
    uint64_t random = 3;
    acre_quadtree_clear(state->tree);
    for (int i = 0; i < state->count; i++) {
        float at[2];
        sample_place(&random, 58.0f, at);
        const float half =
            (0.4f + 1.6f * sample_random(&random)) / (1.0f + 0.0006f * (float)state->count);
        state->boxes[i] = sample_box(at[0], at[1], half, 2.0f * half);
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

// Draws a node of the tree as its cell with the number of its items, and an item as its box in a
// color that says what the query did with it.
static bool draw_step(void *user, const acre_trace_step *step)
{
    rectangle_drawing *const drawing = user;
    static const uint32_t colors[ACRE_TRACE_SKIPPED + 1] = {[ACRE_TRACE_INSIDE] = STAGE_GREEN,
                                                            [ACRE_TRACE_KEPT] = STAGE_YELLOW,
                                                            [ACRE_TRACE_DROPPED] = STAGE_ORANGE,
                                                            [ACRE_TRACE_SKIPPED] = 0xa9b4beffu};
    if (step->part == ACRE_TRACE_ITEM) {
        stage_box(drawing->stage, &step->bounds, colors[step->state]);
        drawing->counts[step->state]++;
    } else if (step->part == ACRE_TRACE_NODE && !step->node->is_outlier) {
        const float *const min = step->node->cell_min;
        stage_square(drawing->stage, min, step->node->cell_max, 0.05f, 0xb8c6d4ffu);
        if (step->items > 0 && drawing->are_counts_shown) {
            const float corner[3] = {min[0] + 1.2f, 0.0f, min[1] + 2.6f};
            stage_label(drawing->stage, corner, "%zu", step->items);
        }
    }
    return true;
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
    rectangle_drawing drawing = {.stage = s, .are_counts_shown = state->count <= 1000};
    if (acre_quadtree_trace(state->tree, &query, draw_step, &drawing) != ACRE_OK) {
        return false;
    }
    const float min[2] = {rectangle.min[0], rectangle.min[2]};
    const float max[2] = {rectangle.max[0], rectangle.max[2]};
    stage_line_width(s, 4.0f);
    stage_square(s, min, max, 0.3f, STAGE_VIOLET);
    const size_t *const counts = drawing.counts;
    stage_readout(s, "in the rectangle", "%zu of %d",
                  counts[ACRE_TRACE_INSIDE] + counts[ACRE_TRACE_KEPT], state->count);
    stage_key(s, STAGE_GREEN, "green", "%zu found without a test", counts[ACRE_TRACE_INSIDE]);
    stage_key(s, STAGE_YELLOW, "yellow", "%zu tested, inside", counts[ACRE_TRACE_KEPT]);
    stage_key(s, STAGE_ORANGE, "orange", "%zu tested, not inside", counts[ACRE_TRACE_DROPPED]);
    stage_key(s, 0xa9b4beffu, "gray", "%zu not looked at", counts[ACRE_TRACE_SKIPPED]);
    stage_key(s, STAGE_VIOLET, "violet", "the rectangle");
    if (drawing.are_counts_shown) {
        stage_readout(s, "numbers", "boxes that a cell owns");
    }
    stage_readout(s, "cells tested", "%zu", stats.nodes_tested);
    stage_tree(s, state->tree);
    return true;
}

const view_sample sample_rectangle = {
    .name = "rectangle",
    .title = "Rectangle query",
    .about =
        "Cells outside are never opened, and in cells inside no box is tested. Draw a rectangle.",
    .state_size = sizeof(rectangle_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.0f,
    .pitch = -1.2f,
    .distance = 150.0f};
