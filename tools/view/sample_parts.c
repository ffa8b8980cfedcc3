// SPDX-License-Identifier: MIT
// sample_parts.c - one crowd over several parts, each in its color, and the ghosts of one of them:
// `acre crowd --parts K`, drawn.
#include "samples.h"

#include "crowd_part.h"

enum { WALKERS = 2400, MOST_PARTS = 7, TICKS_OF_A_CUT = 64 };

static const uint32_t part_colors[MOST_PARTS] = {
    STAGE_ORANGE, STAGE_SKY, STAGE_GREEN, STAGE_YELLOW, STAGE_BLUE, STAGE_PINK, STAGE_RED};
static const char *const part_names[MOST_PARTS] = {"part 1", "part 2", "part 3", "part 4",
                                                   "part 5", "part 6", "part 7"};

typedef struct parts_state {
    crowd_part crowd[MOST_PARTS];
    acre_partition *parts[MOST_PARTS];
    acre_partition_def ground; // of all parts
    crowd_room room;
    int count, made_count;
    int shown; // the part whose ghosts are outlined, from 1
    bool are_borders_moved;
    uint32_t ticks;
} parts_state;

static void close_parts(parts_state *state)
{
    for (int i = 0; i < state->made_count; i++) {
        crowd_part_close(&state->crowd[i]);
    }
    state->made_count = 0;
}

// Each part adds some of the walkers; the first exchange sends all of them home.
static bool open_parts(parts_state *state)
{
    close_parts(state);
    const crowd_def def = {
        .walkers = WALKERS, .parts = (uint32_t)state->count, .area = 4, .seed = 3};
    bool is_good = true;
    for (int i = 0; i < state->count && is_good; i++) {
        crowd_part *const crowd = &state->crowd[i];
        crowd_part_def(&def, (uint32_t)i, crowd, &state->ground);
        state->ground.levels = 4; // smaller cells, so that borders move a little at a time
        state->made_count = i + 1;
        is_good = acre_partition_create(&state->ground, &crowd->part) == ACRE_OK &&
                  crowd_part_fill(&def, (uint32_t)i, crowd) == ACRE_OK;
        state->parts[i] = crowd->part;
    }
    state->ticks = 0;
    return is_good && acre_partition_exchange(state->parts, (uint32_t)state->count) == ACRE_OK;
}

static bool create(void *memory)
{
    parts_state *const state = memory;
    state->count = 5;
    state->shown = 1;
    state->are_borders_moved = true;
    return crowd_room_open(&state->room) && open_parts(state);
}

static void destroy(void *memory)
{
    close_parts(memory);
    crowd_room_close(&((parts_state *)memory)->room);
}

// A tick: each part steers the walkers that it owns, then all exchange who left and who is near.
static bool tick(parts_state *state)
{
    const uint32_t count = (uint32_t)state->count;
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        crowd_part *const crowd = &state->crowd[i];
        result = crowd_part_list(crowd);
        for (size_t at = 0; at < crowd->own_count && result == ACRE_OK; at += CROWD_CHUNK) {
            result = crowd_part_steer(crowd, at, &state->room);
        }
        if (result == ACRE_OK) {
            crowd_part_move(crowd);
        }
    }
    if (result == ACRE_OK && state->are_borders_moved && ++state->ticks % TICKS_OF_A_CUT == 0) {
        const acre_recut_def recut = {.tolerance = 3};
        result = acre_partition_recut(state->parts, count, &recut, NULL);
    }
    return result == ACRE_OK && acre_partition_exchange(state->parts, count) == ACRE_OK;
}

// The cells of a part's ground, which are a run of Morton's curve.
static void draw_ground(const parts_state *state, int number, stage *s)
{
    const uint32_t *const cut = acre_partition_get_cut(state->parts[number]);
    const float half = state->ground.half_size;
    const float size = 2.0f * half / (float)(1u << state->ground.levels);
    for (uint32_t cell = cut[number]; cell < cut[number + 1]; cell++) {
        uint32_t at[2] = {0, 0};
        for (uint32_t bit = 0; bit < 2 * state->ground.levels; bit++) {
            at[bit % 2] |= (cell >> bit & 1) << bit / 2;
        }
        const float min[2] = {size * (float)at[0] - half + 0.2f, size * (float)at[1] - half + 0.2f};
        const float max[2] = {min[0] + size - 0.4f, min[1] + size - 0.4f};
        stage_square(s, min, max, 0.1f, part_colors[number]);
    }
}

static void draw_walkers(const parts_state *state, int number, stage *s)
{
    acre_partition *const part = state->parts[number];
    const acre_partition_slots slots = acre_partition_get_slots(part);
    const acre_aabb *const boxes = acre_partition_get_slots(part).boxes;
    for (size_t slot = 0; slot < slots.count; slot++) {
        if (slots.kinds[slot] == ACRE_SLOT_OWN) {
            stage_box(s, &boxes[slot], part_colors[number]);
        } else if (slots.kinds[slot] == ACRE_SLOT_GHOST && number == state->shown - 1) {
            stage_outline(s, &boxes[slot], STAGE_WHITE);
        }
    }
}

static bool step(void *memory, stage *s)
{
    parts_state *const state = memory;
    stage_slider(s, "parts", &state->count, 1, MOST_PARTS);
    stage_slider(s, "ghosts of part", &state->shown, 1, MOST_PARTS);
    stage_switch(s, "borders move", &state->are_borders_moved);
    if ((state->count != state->made_count && !open_parts(state)) ||
        (s->seconds > 0.0f && !tick(state))) {
        return false;
    }
    for (int i = 0; i < state->count; i++) {
        acre_partition_stats stats;
        acre_partition_get_stats(state->parts[i], &stats);
        draw_ground(state, i, s);
        draw_walkers(state, i, s);
        stage_key(s, part_colors[i], part_names[i], "%zu own, %zu ghosts, %zu bytes", stats.own,
                  stats.ghosts, stats.bytes_sent);
    }
    stage_tree(s, acre_partition_tree(state->parts[(state->shown - 1) % state->count]));
    return true;
}

const view_sample sample_parts = {
    .name = "parts",
    .title = "A crowd in parts",
    .about = "Each part owns the walkers on its ground, and knows ghosts (white) of those near it.",
    .state_size = sizeof(parts_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.4f,
    .pitch = -0.8f,
    .distance = 105.0f};
