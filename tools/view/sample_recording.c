// SPDX-License-Identifier: MIT
// sample_recording.c - a recording of a tree's calls, and the tree as it was after each of them.
#include "sample_recording.h"

#include "recording_player.h"
#include "samples.h"

#include <acre/quadtree_calls.h>

#include <assert.h>
#include <math.h>

#define SIDE 110.0f          // meters that the recorded world takes up here
#define MOST_PLAYED 20000    // calls; longer ones stand still until the slider is moved
#define CALLS_A_SECOND 40.0f // at the least

typedef struct recording_state {
    recording_player player;
    int call;
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

bool sample_recording_is_given(void)
{
    return given.bytes != NULL;
}

static bool create(void *memory)
{
    recording_state *const state = memory;
    assert(given.bytes);
    acre_quadtree_def def = {0};
    if (!recording_player_open(&state->player, given.bytes, given.size) ||
        (state->player.tree && acre_quadtree_get_def(state->player.tree, &def) != ACRE_OK)) {
        return false;
    }
    const float half = def.half_size > 0.0f ? def.half_size : 0.5f * SIDE;
    state->origin[0] = def.center[0];
    state->origin[2] = def.center[1];
    state->scale = 0.5f * SIDE / half;
    state->is_playing = state->player.whole.calls <= MOST_PLAYED;
    state->call = state->is_playing ? 0 : (int)fmin((double)state->player.whole.calls, 1e9);
    return true;
}

static void destroy(void *memory)
{
    recording_player_close(&((recording_state *)memory)->player);
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
    const recording_player *const player = &state->player;
    acre_quadtree_debug_draw(player->tree, &draw);
    for (size_t i = 0; i < player->item_count; i++) {
        acre_aabb box;
        if (acre_quadtree_get_box(player->tree, player->items[i], &box) == ACRE_OK &&
            acre_aabb_is_finite(&box)) {
            const acre_aabb here = place_here(state, &box);
            const bool is_large = here.max[0] - here.min[0] > 0.2f * SIDE ||
                                  here.max[2] - here.min[2] > 0.2f * SIDE; // would hide the rest
            is_large ? stage_outline(s, &here, 0xa9b4beffu) : stage_box(s, &here, 0xa9b4beffu);
        }
    }
}

static bool step(void *memory, stage *s)
{
    recording_state *const state = memory;
    recording_player *const player = &state->player;
    const int all = (int)fmin((double)player->whole.calls, 1e9);
    stage_switch(s, "play", &state->is_playing);
    stage_slider(s, "after the call", &state->call, 0, all > 0 ? all : 1);
    if (state->is_playing && state->call < all) {
        state->pending += s->seconds * fmaxf(CALLS_A_SECOND, (float)all / 20.0f);
        const float whole = floorf(state->pending);
        state->call = (int)fminf((float)all, (float)state->call + whole);
        state->pending -= whole;
    }
    if ((size_t)state->call != player->call &&
        !recording_player_seek(player, (size_t)state->call)) {
        return false;
    }
    stage_readout(s, "calls", "%zu", player->whole.calls);
    stage_readout(s, "the replay says", "%s",
                  player->whole.message[0] ? player->whole.message
                                           : "all answers are the recorded ones");
    if (player->tree) {
        acre_quadtree_stats stats;
        acre_quadtree_get_stats(player->tree, &stats);
        draw_tree(state, s);
        stage_readout(s, "items", "%zu", stats.items);
        stage_readout(s, "cells", "%zu, %u levels", stats.nodes, (unsigned)stats.depth);
        stage_readout(s, "state", "%016llx", (unsigned long long)player->part.state_hash);
    }
    return true;
}

const view_sample sample_recording = {
    .name = "recording",
    .title = "A recording",
    .about =
        "A program's calls, recorded, make the same tree again on any machine. Drag the slider.",
    .state_size = sizeof(recording_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.3f,
    .pitch = -0.95f,
    .distance = 185.0f};
