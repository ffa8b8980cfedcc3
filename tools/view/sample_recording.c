// SPDX-License-Identifier: MIT
// sample_recording.c - a recording of a tree's calls, and the tree as it was after each of them.
#include "sample_recording.h"

#include "recorded_boxes.h"
#include "samples.h"

#include <acre/quadtree_calls.h>
#include <acre/record.h>

#include <math.h>
#include <stdlib.h>

#define SIDE 110.0f          // meters that the recorded world takes up here
#define MOST_PLAYED 20000    // calls; longer ones stand still until the slider is moved
#define CALLS_A_SECOND 40.0f // at the least

typedef struct recording_state {
    recorded_bytes own; // where no recording was given
    const void *bytes;
    size_t size;
    acre_quadtree *tree;
    acre_record_report whole, part;
    uint32_t *items;
    size_t item_count, item_room;
    int call, shown_call;
    float pending; // of the next call
    bool is_playing;
    float origin[3], scale; // of the recorded world
} recording_state;

static struct {
    const void *bytes;
    size_t size;
} given;

void sample_recording_give(const void *bytes, size_t size)
{
    given.bytes = bytes;
    given.size = size;
}

// The tree after state->call calls, and the items in it.
static bool replay_to_call(recording_state *state)
{
    acre_quadtree_destroy(state->tree);
    acre_record_replay_part(state->bytes, state->size, NULL, (size_t)state->call, &state->part,
                            &state->tree);
    state->shown_call = state->call;
    state->item_count = 0;
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    if (!state->tree) {
        return true;
    }
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(state->tree, &stats);
    if (stats.items > state->item_room) {
        uint32_t *const grown = realloc(state->items, stats.items * sizeof *grown);
        if (!grown) {
            return false;
        }
        state->items = grown;
        state->item_room = stats.items;
    }
    return acre_quadtree_query(state->tree, &all, state->items, state->item_room,
                               &state->item_count) == ACRE_OK;
}

static bool create(void *memory)
{
    recording_state *const state = memory;
    state->bytes = given.bytes;
    state->size = given.size;
    if (!given.bytes) {
        if (!record_circling_boxes(&state->own)) {
            return false;
        }
        state->bytes = state->own.bytes;
        state->size = state->own.size;
    }
    acre_record_replay_part(state->bytes, state->size, NULL, SIZE_MAX, &state->whole, &state->tree);
    acre_quadtree_def def = {0};
    if (state->tree && acre_quadtree_get_def(state->tree, &def) != ACRE_OK) {
        return false;
    }
    const float half = def.half_size > 0.0f ? def.half_size : 0.5f * SIDE;
    state->origin[0] = def.center[0];
    state->origin[2] = def.center[1];
    state->scale = 0.5f * SIDE / half;
    state->is_playing = state->whole.calls <= MOST_PLAYED;
    state->call = state->is_playing ? 0 : (int)fmin((double)state->whole.calls, 1e9);
    return replay_to_call(state);
}

static void destroy(void *memory)
{
    recording_state *const state = memory;
    acre_quadtree_destroy(state->tree);
    free(state->items);
    free(state->own.bytes);
}

static acre_aabb place_here(const recording_state *state, const acre_aabb *box)
{
    acre_aabb placed;
    for (int k = 0; k < 3; k++) {
        placed.min[k] = state->scale * (box->min[k] - state->origin[k]);
        placed.max[k] = state->scale * (box->max[k] - state->origin[k]);
    }
    return placed;
}

typedef struct cell_drawing {
    const recording_state *state;
    stage *stage;
} cell_drawing;

static void draw_cell(void *user, const acre_aabb *box, uint32_t rgba)
{
    (void)rgba;
    const cell_drawing *const drawing = user;
    const acre_aabb here = place_here(drawing->state, box);
    const float min[2] = {here.min[0], here.min[2]}, max[2] = {here.max[0], here.max[2]};
    stage_square(drawing->stage, min, max, 0.1f, 0xb8c6d4ffu);
}

static void draw_tree(const recording_state *state, stage *s)
{
    cell_drawing cells = {state, s};
    const acre_debug_draw draw = {
        .user = &cells, .flags = ACRE_DEBUG_STRICT_CELLS, .box = draw_cell};
    acre_quadtree_debug_draw(state->tree, &draw);
    for (size_t i = 0; i < state->item_count; i++) {
        acre_aabb box;
        if (acre_quadtree_get_box(state->tree, state->items[i], &box) == ACRE_OK &&
            acre_aabb_is_finite(&box)) {
            const acre_aabb here = place_here(state, &box);
            const bool is_large = here.max[0] - here.min[0] > 0.2f * SIDE ||
                                  here.max[2] - here.min[2] > 0.2f * SIDE; // would hide the rest
            if (is_large) {
                stage_outline(s, &here, STAGE_SKY);
            } else {
                stage_box(s, &here, STAGE_SKY);
            }
        }
    }
}

static bool step(void *memory, stage *s)
{
    recording_state *const state = memory;
    const int all = (int)fmin((double)state->whole.calls, 1e9);
    stage_switch(s, "play", &state->is_playing);
    stage_slider(s, "after the call", &state->call, 0, all > 0 ? all : 1);
    if (state->is_playing && state->call < all) {
        state->pending += s->seconds * fmaxf(CALLS_A_SECOND, (float)all / 20.0f);
        const float whole = floorf(state->pending);
        state->call = (int)fminf((float)all, (float)state->call + whole);
        state->pending -= whole;
    }
    if (state->call != state->shown_call && !replay_to_call(state)) {
        return false;
    }
    stage_readout(s, "calls", "%zu", state->whole.calls);
    stage_readout(s, "the replay says", "%s",
                  state->whole.message[0] ? state->whole.message
                                          : "all answers are the recorded ones");
    if (state->tree) {
        acre_quadtree_stats stats;
        acre_quadtree_get_stats(state->tree, &stats);
        draw_tree(state, s);
        stage_readout(s, "items", "%zu", stats.items);
        stage_readout(s, "cells", "%zu, %u levels", stats.nodes, (unsigned)stats.depth);
        stage_readout(s, "state", "%016llx", (unsigned long long)state->part.state_hash);
    }
    return true;
}

const view_sample sample_recording = {
    .name = "recording",
    .title = "A recording",
    .about = "A program's calls on a tree can be recorded to a file. A replay\n"
             "makes the same tree again, call by call, on any machine.",
    .state_size = sizeof(recording_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.3f,
    .pitch = -0.95f,
    .distance = 185.0f};
