// SPDX-License-Identifier: MIT
// sample_interest.c - who notices whom: observers with circles, bands and a room among boxes that
// wander. Boxes have the color of the nearest band in which anyone sees them.
#include "samples.h"

#include <acre/interest.h>

#include <string.h>

enum { BOXES = 900, OBSERVERS = 8, ROOM = 1, PARTY = 2, SEEN_BY_NOBODY = 3 }; // bands: 0 to 2

typedef struct interest_state {
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observers[OBSERVERS];
    acre_aabb boxes[BOXES];
    float steps[BOXES][2]; // meters a second in x and z
    int radius;            // in meters
} interest_state;

static acre_observer_def observer_def(const interest_state *state, uint32_t item)
{
    const float radius = (float)state->radius;
    return (acre_observer_def){.follows_item = true,
                               .item = item,
                               .enter_radius = radius,
                               .leave_radius = 1.1f * radius,
                               .band_limits = {0.4f * radius, 0.75f * radius}};
}

static bool add_observers(interest_state *state)
{
    bool is_good = true;
    for (uint32_t i = 0; i < OBSERVERS && is_good; i++) {
        const acre_observer_def def = observer_def(state, i);
        is_good = acre_interest_add(state->interest, &def, &state->observers[i]) == ACRE_OK;
    }
    for (uint32_t i = 0; i < PARTY && is_good; i++) { // they see each other at any distance
        is_good = acre_interest_join_item(state->interest, i, ROOM) == ACRE_OK &&
                  acre_interest_join(state->interest, state->observers[i], ROOM) == ACRE_OK;
    }
    return is_good;
}

static bool create(void *memory)
{
    interest_state *const state = memory;
    uint64_t random = 28;
    state->radius = 16;
    const acre_quadtree_def def = {.half_size = 80.0f};
    bool is_good = acre_quadtree_create(&def, &state->tree) == ACRE_OK &&
                   acre_interest_create(state->tree, NULL, &state->interest) == ACRE_OK;
    for (uint32_t i = 0; i < BOXES && is_good; i++) {
        float at[2];
        sample_place(&random, 75.0f, at);
        sample_place(&random, 4.0f, state->steps[i]);
        state->boxes[i] = sample_box(at[0], at[1], 0.6f, i < OBSERVERS ? 5.0f : 1.2f);
        is_good = acre_quadtree_insert(state->tree, i, &state->boxes[i]) == ACRE_OK;
    }
    return is_good && add_observers(state);
}

static void destroy(void *memory)
{
    acre_interest_destroy(((interest_state *)memory)->interest);
    acre_quadtree_destroy(((interest_state *)memory)->tree);
}

static bool move_boxes(interest_state *state, float seconds)
{
    for (uint32_t i = 0; i < BOXES; i++) {
        sample_wander(&state->boxes[i], state->steps[i], 75.0f, seconds);
    }
    return acre_quadtree_refresh_all(state->tree, state->boxes, BOXES) == ACRE_OK &&
           acre_quadtree_maintain(state->tree) == ACRE_OK;
}

// Radii may be other ones in each frame.
static bool update(interest_state *state)
{
    bool is_good = true;
    for (uint32_t i = 0; i < OBSERVERS && is_good; i++) {
        const acre_observer_def def = observer_def(state, i);
        is_good = acre_interest_set(state->interest, state->observers[i], &def) == ACRE_OK;
    }
    return is_good && acre_interest_update(state->interest) == ACRE_OK;
}

// The nearest band in which anyone sees each box.
static void find_bands(const interest_state *state, uint8_t *bands)
{
    memset(bands, SEEN_BY_NOBODY, BOXES);
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        uint32_t items[BOXES];
        uint8_t own[BOXES];
        size_t count = 0;
        if (acre_interest_list_seen(state->interest, state->observers[i], items, own, BOXES,
                                    &count) != ACRE_OK) {
            continue; // the observer is gone
        }
        for (size_t k = 0; k < count; k++) {
            bands[items[k]] = own[k] < bands[items[k]] ? own[k] : bands[items[k]];
        }
    }
}

static void draw(const interest_state *state, const uint8_t *bands, stage *s)
{
    static const uint32_t colors[] = {STAGE_ORANGE, STAGE_YELLOW, STAGE_SKY, 0xa9b4beffu};
    for (uint32_t i = 0; i < BOXES; i++) {
        stage_box(s, &state->boxes[i], i < OBSERVERS ? STAGE_BLUE : colors[bands[i]]);
    }
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        acre_observer_state own;
        if (acre_interest_get_observer(state->interest, state->observers[i], &own) == ACRE_OK) {
            const float at[3] = {own.place[0], 0.2f, own.place[2]};
            stage_circle(s, at, own.def.enter_radius, STAGE_VIOLET);
            stage_circle(s, at, own.def.leave_radius, STAGE_GRAY);
            stage_circle(s, at, own.def.band_limits[0], STAGE_ORANGE);
            stage_circle(s, at, own.def.band_limits[1], STAGE_YELLOW);
            const float above[3] = {own.place[0], 5.5f, own.place[2]};
            stage_label(s, above, "%zu", own.seen);
        }
    }
}

static bool step(void *memory, stage *s)
{
    interest_state *const state = memory;
    uint8_t bands[BOXES];
    stage_slider(s, "radius", &state->radius, 4, 40);
    if (!move_boxes(state, s->seconds) || !update(state)) {
        return false;
    }
    find_bands(state, bands);
    draw(state, bands, s);
    acre_interest_stats stats;
    acre_interest_get_stats(state->interest, &stats);
    const acre_interest_changes changes = acre_interest_get_changes(state->interest);
    stage_key(s, STAGE_BLUE, "blue", "%d observers, and how many each sees", OBSERVERS);
    stage_key(s, STAGE_ORANGE, "orange", "seen, in the nearest band");
    stage_key(s, STAGE_YELLOW, "yellow", "seen, in the next band");
    stage_key(s, STAGE_SKY, "light blue", "seen, farther");
    stage_readout(s, "seen by all", "%zu", stats.seen);
    stage_readout(s, "entered, left", "%zu, %zu", changes.entered.count, changes.left.count);
    stage_readout(s, "changed their band", "%zu", changes.changed.count);
    return true;
}

const view_sample sample_interest = {
    .name = "interest",
    .title = "Who notices whom",
    .about = "Observers hear who comes within the violet circle and who goes beyond the gray one.",
    .state_size = sizeof(interest_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.4f,
    .pitch = -0.9f,
    .distance = 130.0f};
