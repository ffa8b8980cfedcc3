// SPDX-License-Identifier: MIT
// sample_towns.c - towns of up to a million boxes, some of which move; what the camera sees is
// drawn.
#include "samples.h"

#include "run_statistics.h"

#include <acre/quadtree.h>

#include <math.h>
#include <stdlib.h>

enum { MOST = 1000000, TOWNS = 48, STEPS_A_FIGURE = 30 };

#define STILL_COLOR 0xa9b4beffu
#define POINT_DISTANCE 380.0f // sizes of a box

typedef struct towns_state {
    acre_quadtree *tree;
    acre_aabb *boxes;
    uint32_t *items, *found;
    int thousands, made_thousands;
    int moving; // percent
    uint32_t steps;
    double query, loop; // milliseconds, measured now and then
} towns_state;

// Towns of different sizes; most boxes stand near the middle of theirs.
static void place_boxes(towns_state *state, uint32_t count)
{
    uint64_t random = 77;
    float towns[TOWNS][3];
    for (int i = 0; i < TOWNS; i++) {
        sample_place(&random, 3500.0f, towns[i]);
        towns[i][2] = 120.0f + 420.0f * powf(sample_random(&random), 3.0f);
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *const town = towns[(uint32_t)(sample_random(&random) * TOWNS)];
        const float angle = 6.2831853f * sample_random(&random);
        const float away = town[2] * sqrtf(-logf(1e-6f + sample_random(&random)));
        const float middle = expf(-away / town[2]);
        const float height = 3.0f + (4.0f + 50.0f * middle) * powf(sample_random(&random), 3.0f);
        state->boxes[i] = sample_box(town[0] + away * cosf(angle), town[1] + away * sinf(angle),
                                     1.2f + 2.5f * sample_random(&random), height);
    }
}

static bool generate(towns_state *state)
{
    const uint32_t count = 1000u * (uint32_t)state->thousands;
    place_boxes(state, count);
    acre_quadtree_clear(state->tree);
    state->made_thousands = state->thousands;
    state->steps = 0;
    return acre_quadtree_insert_many(state->tree, state->items, state->boxes, count) == ACRE_OK;
}

static bool create(void *memory)
{
    towns_state *const state = memory;
    state->boxes = malloc(MOST * sizeof *state->boxes);
    state->items = malloc(MOST * sizeof *state->items);
    state->found = malloc((MOST + 64) * sizeof *state->found);
    state->thousands = 100;
    state->moving = 20;
    const acre_quadtree_def def = {.half_size = 4096.0f};
    if (!state->boxes || !state->items || !state->found ||
        acre_quadtree_create(&def, &state->tree) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < MOST; i++) {
        state->items[i] = i;
    }
    return generate(state);
}

static void destroy(void *memory)
{
    towns_state *const state = memory;
    acre_quadtree_destroy(state->tree);
    free(state->boxes);
    free(state->items);
    free(state->found);
}

// The first boxes go round in small circles.
static void move(towns_state *state, uint32_t count, double time, float seconds)
{
    for (uint32_t i = 0; i < count; i++) {
        const float angle = (float)time + (float)(i % 512u) * 0.0123f;
        const float step[3] = {6.0f * seconds * cosf(angle), 0.0f, 6.0f * seconds * sinf(angle)};
        for (int k = 0; k < 3; k += 2) {
            state->boxes[i].min[k] += step[k];
            state->boxes[i].max[k] += step[k];
        }
    }
}

static size_t ask_tree(const towns_state *state, const acre_frustum *frustum)
{
    return acre_quadtree_query_frustum(state->tree, frustum, state->found, MOST + 64);
}

static size_t ask_all(const towns_state *state, const acre_frustum *frustum)
{
    size_t visible = 0;
    for (uint32_t i = 0; i < 1000u * (uint32_t)state->thousands; i++) {
        state->found[visible] = i;
        visible += acre_frustum_test_aabb(frustum, &state->boxes[i]);
    }
    return visible;
}

// Of a question, by repeats: of the clocks of browsers one tick is a tenth of a millisecond.
static double milliseconds(size_t (*ask)(const towns_state *, const acre_frustum *),
                           const towns_state *state, const acre_frustum *frustum)
{
    const double begin = clock_seconds();
    double seconds = 0.0;
    uint32_t repeats = 0;
    for (; seconds < 2e-3; repeats++) {
        (void)ask(state, frustum);
        seconds = clock_seconds() - begin;
    }
    return 1e3 * seconds / repeats;
}

// So far that the box is three pixels of a picture of 900 rows.
static bool is_far(const acre_aabb *box, const float *eye)
{
    const float x = box->min[0] - eye[0], y = box->min[1] - eye[1], z = box->min[2] - eye[2];
    const float size = fmaxf(box->max[0] - box->min[0], box->max[1] - box->min[1]);
    return x * x + y * y + z * z > POINT_DISTANCE * POINT_DISTANCE * size * size;
}

static bool step(void *memory, stage *s)
{
    towns_state *const state = memory;
    stage_slider(s, "thousands of boxes", &state->thousands, 1, MOST / 1000);
    stage_slider(s, "percent that move", &state->moving, 0, 20);
    if (state->thousands != state->made_thousands && !generate(state)) {
        return false;
    }
    const uint32_t count = 1000u * (uint32_t)state->thousands;
    const uint32_t movers = count / 100u * (uint32_t)state->moving;
    move(state, movers, s->time, s->seconds);
    const double begin = clock_seconds();
    acre_frustum frustum;
    if (acre_quadtree_refresh_many(state->tree, state->items, state->boxes, movers) != ACRE_OK ||
        acre_quadtree_maintain(state->tree) != ACRE_OK ||
        acre_camera_frustum(&s->camera, &frustum) != ACRE_OK) {
        return false;
    }
    const double end = clock_seconds();
    if (state->steps++ % STEPS_A_FIGURE == 0) {
        state->query = milliseconds(ask_tree, state, &frustum);
        state->loop = milliseconds(ask_all, state, &frustum);
    }
    const size_t visible = ask_tree(state, &frustum);
    float eye[3];
    view_camera_eye(&s->camera, eye);
    size_t points = 0;
    for (size_t i = 0; i < visible; i++) {
        const acre_aabb *const box = &state->boxes[state->found[i]];
        const uint32_t color = state->found[i] < movers ? STAGE_BLUE : STILL_COLOR;
        const bool is_point = is_far(box, eye);
        points += is_point;
        is_point ? stage_point(s, box, color) : stage_box(s, box, color);
    }
    stage_key(s, STAGE_BLUE, "blue", "%u that move", movers);
    stage_key(s, STILL_COLOR, "gray", "visible, stands still");
    stage_readout(s, "visible", "%zu of %u", visible, count);
    stage_readout(s, "drawn as points", "%zu", points);
    stage_time(s, "refresh", 1e3 * (end - begin));
    stage_readout(s, "query", "%.1f \xc2\xb5s", 1e3 * state->query);
    const bool is_long = state->loop >= 1.0;
    stage_readout(s, "loop over all boxes", "%.1f %s, %.0f times",
                  (is_long ? 1.0 : 1e3) * state->loop, is_long ? "ms" : "\xc2\xb5s",
                  state->loop / state->query);
    stage_tree(s, state->tree);
    return true;
}

const view_sample sample_towns = {.name = "towns",
                                  .title = "Towns",
                                  .about = "A query passes by whole towns that are not in view; a "
                                           "loop tests all boxes. Try a million.",
                                  .state_size = sizeof(towns_state),
                                  .create = create,
                                  .destroy = destroy,
                                  .step = step,
                                  .yaw = 0.6f,
                                  .pitch = -0.30f,
                                  .distance = 900.0f};
