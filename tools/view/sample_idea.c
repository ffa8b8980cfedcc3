// SPDX-License-Identifier: MIT
// sample_idea.c - the loose quadtree itself: a dozen boxes, their cells, and one that moves.
#include "samples.h"

#include <acre/quadtree_inspect.h>

#include <math.h>

enum { BOXES = 14 };

typedef struct idea_state {
    acre_quadtree *tree;
    acre_aabb boxes[BOXES];
    int held; // the box that moves
    int capacity, depth, made_capacity, made_depth;
    bool was_dragged;
    uint64_t moves;
    int refreshed, changed_cell;
} idea_state;

// Another capacity or depth needs another tree.
static bool make_tree(idea_state *state)
{
    acre_quadtree_destroy(state->tree);
    const acre_quadtree_def def = {.half_size = 64.0f,
                                   .max_depth = (uint32_t)state->depth,
                                   .node_capacity = (uint32_t)state->capacity};
    if (acre_quadtree_create(&def, &state->tree) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < BOXES; i++) {
        if (acre_quadtree_insert(state->tree, i, &state->boxes[i]) != ACRE_OK) {
            return false;
        }
    }
    state->made_capacity = state->capacity;
    state->made_depth = state->depth;
    state->moves = 0;
    return true;
}

static bool create(void *memory)
{
    idea_state *const state = memory;
    uint64_t random = 5;
    state->capacity = 1;
    state->depth = 4;
    for (int i = 0; i < BOXES; i++) {
        float at[2];
        sample_place(&random, 58.0f, at);
        const float size = i == 0 ? 3.2f : 1.2f + 6.0f * powf(sample_random(&random), 2.0f);
        state->boxes[i] = sample_box(at[0], at[1], size, 1.5f * size);
    }
    return make_tree(state);
}

static void destroy(void *memory)
{
    acre_quadtree_destroy(((idea_state *)memory)->tree);
}

static float distance_to(const acre_aabb *box, const float *point)
{
    return hypotf(0.5f * (box->min[0] + box->max[0]) - point[0],
                  0.5f * (box->min[2] + box->max[2]) - point[2]);
}

// Where the moving box goes: to the mouse, or round and round until somebody takes one.
static void move_box(idea_state *state, const stage *s, float *x, float *z)
{
    if (s->is_new_press) {
        for (int i = 0; i < BOXES; i++) {
            if (distance_to(&state->boxes[i], s->pointer) <
                distance_to(&state->boxes[state->held], s->pointer)) {
                state->held = i;
            }
        }
    }
    const acre_aabb *const box = &state->boxes[state->held];
    *x = 0.5f * (box->min[0] + box->max[0]);
    *z = 0.5f * (box->min[2] + box->max[2]);
    if (s->is_held) {
        *x = s->pointer[0];
        *z = s->pointer[2];
        state->was_dragged = true;
    } else if (!state->was_dragged) {
        *x = 34.0f * cosf((float)s->time * 0.4f);
        *z = 30.0f * sinf((float)s->time * 0.4f);
    }
}

// Where the box that is held stands: the node of its step in a trace of the whole tree.
typedef struct held_place {
    uint32_t item;
    bool is_found;
    acre_quadtree_place place;
} held_place;

static bool find_held(void *user, const acre_trace_step *step)
{
    held_place *const held = user;
    if (step->part == ACRE_TRACE_ITEM && step->item == held->item) {
        held->is_found = true;
        held->place = *step->node;
    }
    return !held->is_found;
}

static bool locate_held(const idea_state *state, acre_quadtree_place *out)
{
    held_place held = {.item = (uint32_t)state->held};
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    const acre_result result = acre_quadtree_trace(state->tree, &all, find_held, &held);
    *out = held.place;
    return result == ACRE_OK && held.is_found;
}

static bool step(void *memory, stage *s)
{
    idea_state *const state = memory;
    stage_slider(s, "capacity of a leaf", &state->capacity, 1, 12);
    stage_slider(s, "levels below the root", &state->depth, 1, 6);
    if ((state->capacity != state->made_capacity || state->depth != state->made_depth) &&
        !make_tree(state)) {
        return false;
    }
    float x, z;
    move_box(state, s, &x, &z);
    const acre_aabb old = state->boxes[state->held];
    const float half = 0.5f * (old.max[0] - old.min[0]);
    state->boxes[state->held] = sample_box(x, z, half, old.max[1]);
    acre_quadtree_place place;
    acre_quadtree_stats stats;
    if (acre_quadtree_refresh(state->tree, (uint32_t)state->held, &state->boxes[state->held]) !=
            ACRE_OK ||
        !locate_held(state, &place)) {
        return false;
    }
    acre_quadtree_get_stats(state->tree, &stats);
    *(stats.moves > state->moves ? &state->changed_cell : &state->refreshed) += 1;
    state->moves = stats.moves;

    stage_drawing cells = {.stage = s, .height = 0.05f, .rgba = 0xb8c6d4ffu};
    const acre_debug_draw draw = stage_debug_draw(&cells, ACRE_DEBUG_STRICT_CELLS);
    acre_quadtree_debug_draw(state->tree, &draw);
    for (int i = 0; i < BOXES; i++) {
        stage_box(s, &state->boxes[i], i == state->held ? STAGE_BLUE : 0xa9b4beffu);
    }
    stage_line_width(s, 4.0f);
    if (!place.is_outlier) {
        stage_square(s, place.cell_min, place.cell_max, 0.12f, STAGE_RED);
        stage_square(s, place.loose_min, place.loose_max, 0.12f, STAGE_SKY);
    }
    const float center[3] = {x, 0.15f, z};
    stage_circle(s, center, 0.5f, STAGE_RED);
    stage_label(s, (float[3]){x, old.max[1] + 1.5f * half + 1.0f, z}, "level %u",
                (unsigned)place.level);
    stage_key(s, STAGE_BLUE, "blue", "the box that moves");
    stage_key(s, STAGE_RED, "red", "the cell that holds its center");
    stage_key(s, STAGE_SKY, "light blue", "that cell grown to twice its size");
    stage_readout(s, "kept its cell", "%d moves", state->refreshed);
    stage_readout(s, "changed its cell", "%d moves", state->changed_cell);
    stage_readout(s, "cells", "%zu (%llu splits, %llu joins)", stats.nodes,
                  (unsigned long long)stats.splits, (unsigned long long)stats.collapses);
    stage_tree(s, state->tree);
    return true;
}

const view_sample sample_idea = {
    .name = "idea",
    .title = "The idea",
    .about =
        "A box lives in the cell that holds its center, so most moves change no cell. Drag a box.",
    .state_size = sizeof(idea_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.3f,
    .pitch = -0.95f,
    .distance = 185.0f};
