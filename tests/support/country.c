// SPDX-License-Identifier: MIT
// country.c - boxes of a country of towns, and how they move.
#include "country.h"

#include "country_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AREA_PER_BOX 168.1f  // m^2: 100,000 boxes on 4.1 km x 4.1 km
#define BOXES_PER_TOWN 2500u // in and around it
#define TOWN_SHARE 0.7f      // of the boxes
#define TOWN_RADIUS 600.0f   // m, where its density has fallen to nothing
#define FLYING_SHARE 0.03f   // birds, drones, planes: up to FLYING_HEIGHT
#define FLYING_HEIGHT 150.0f // m
#define LEAST_SPEED 0.5f     // m/s
#define MOST_SPEED 10.0f     // m/s
#define FRAME (1.0f / 60.0f) // s

// Sizes: meters, width and height, by share of the boxes. Within a class small ones are more.
typedef struct size_class {
    float share;
    float least, most;
    float height; // at most, per meter of width
} size_class;

static const size_class size_classes[] = {
    {0.50f, 0.3f, 2.0f, 2.0f},    // props, people
    {0.30f, 1.5f, 8.0f, 1.5f},    // cars, trees
    {0.18f, 6.0f, 30.0f, 1.5f},   // houses
    {0.018f, 20.0f, 80.0f, 2.0f}, // blocks
    {0.002f, 60.0f, 200.0f, 1.0f} // halls, bridges
};

// Folds a coordinate back into the country.
static float fold(float value, float half_size)
{
    while (value < -half_size || value > half_size) {
        value = value < 0.0f ? -2.0f * half_size - value : 2.0f * half_size - value;
    }
    return value;
}

// The towns stand in an order of their own, each found by its number, so that there is no list.
static void town_center(const country *land, uint32_t town, float *out)
{
    uint64_t state = 0x746f776e00000000u + town;
    for (int k = 0; k < 2; k++) {
        out[k] = (2.0f * draw_unit(&state) - 1.0f) * land->half_size;
    }
}

// In a town: three uniform numbers a direction, nearly a bell. Elsewhere: anywhere.
void country_next_place(const country *land, uint64_t *state, float *out)
{
    const uint32_t towns = land->count / BOXES_PER_TOWN + 1;
    const bool is_in_town = draw_unit(state) < TOWN_SHARE;
    const uint32_t town = (uint32_t)(draw_bits(state) % towns);
    town_center(land, town, out);
    for (int k = 0; k < 2; k++) {
        if (is_in_town) {
            float sum = draw_unit(state);
            sum += draw_unit(state);
            sum += draw_unit(state);
            out[k] += (sum - 1.5f) * (TOWN_RADIUS / 1.5f);
        } else {
            out[k] = (2.0f * draw_unit(state) - 1.0f) * land->half_size;
        }
        out[k] = fold(out[k], land->half_size);
    }
}

static const size_class *next_class(uint64_t *state)
{
    float rest = draw_unit(state);
    size_t i = 0;
    while (i + 1 < sizeof size_classes / sizeof size_classes[0] && rest >= size_classes[i].share) {
        rest -= size_classes[i++].share;
    }
    return &size_classes[i];
}

static float next_size(uint64_t *state, float least, float most)
{
    const float u = draw_unit(state);
    return least + (most - least) * (u * u);
}

static void make_box(const country *land, uint64_t *state, acre_aabb *box)
{
    float place[2];
    country_next_place(land, state, place);
    const size_class *const kind = next_class(state);
    const float width = next_size(state, kind->least, kind->most);
    const float depth = next_size(state, kind->least, kind->most);
    const float share = 0.3f + 0.7f * draw_unit(state);
    const float height = fminf(share * kind->height * width, 200.0f);
    const bool flies = draw_unit(state) < FLYING_SHARE;
    const float floor = flies ? FLYING_HEIGHT * draw_unit(state) : 0.0f;
    *box = (acre_aabb){{place[0] - 0.5f * width, floor, place[1] - 0.5f * depth},
                       {place[0] + 0.5f * width, floor + height, place[1] + 0.5f * depth}};
}

static void make_step(uint64_t *state, float *step)
{
    draw_direction(state, step);
    const float speed = LEAST_SPEED + (MOST_SPEED - LEAST_SPEED) * draw_unit(state);
    step[0] *= speed * FRAME;
    step[1] *= speed * FRAME;
}

bool country_create(country *out, uint32_t count, uint32_t view_count)
{
    *out = (country){.count = count, .view_count = view_count};
    out->half_size = 0.5f * sqrtf(AREA_PER_BOX * (float)count);
    out->boxes = calloc((size_t)count + 1, sizeof *out->boxes);
    out->steps = calloc((size_t)count + 1, sizeof *out->steps);
    out->saved_boxes = calloc((size_t)count + 1, sizeof *out->saved_boxes);
    out->saved_steps = calloc((size_t)count + 1, sizeof *out->saved_steps);
    if (!out->boxes || !out->steps || !out->saved_boxes || !out->saved_steps) {
        country_free(out);
        return false;
    }
    uint64_t state = 0x626f786573u;
    for (uint32_t item = 0; item < count; item++) {
        make_box(out, &state, &out->boxes[item]);
        make_step(&state, out->steps[item]);
    }
    if (!country_make_views(out)) {
        country_free(out);
        return false;
    }
    return true;
}

void country_free(country *land)
{
    free(land->boxes);
    free(land->steps);
    free(land->saved_boxes);
    free(land->saved_steps);
    land->boxes = land->saved_boxes = NULL;
    land->steps = land->saved_steps = NULL;
}

void country_advance(country *land, uint32_t first, uint32_t stride)
{
    for (uint32_t item = first; item < land->count; item += stride) {
        acre_aabb *const box = &land->boxes[item];
        float *const step = land->steps[item];
        for (int k = 0; k < 2; k++) {
            const float middle = 0.5f * (box->min[2 * k] + box->max[2 * k]);
            if (fabsf(middle) > land->half_size && middle * step[k] > 0.0f) {
                step[k] = -step[k];
            }
            box->min[2 * k] += step[k];
            box->max[2 * k] += step[k];
        }
    }
}

void country_respawn(country *land, uint32_t item, uint64_t *random)
{
    make_box(land, random, &land->boxes[item]);
    make_step(random, land->steps[item]);
}

void country_save(country *land)
{
    memcpy(land->saved_boxes, land->boxes, land->count * sizeof *land->boxes);
    memcpy(land->saved_steps, land->steps, land->count * sizeof *land->steps);
}

void country_restore(country *land)
{
    memcpy(land->boxes, land->saved_boxes, land->count * sizeof *land->boxes);
    memcpy(land->steps, land->saved_steps, land->count * sizeof *land->steps);
}

// Little-endian bytes of the bits, whatever the machine's order is.
static uint64_t hash_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int byte = 0; byte < 4; byte++) {
            hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3u;
        }
    }
    return hash;
}

uint64_t country_hash(const country *land)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t item = 0; item < land->count; item++) {
        hash = hash_floats(hash, land->boxes[item].min, 3);
        hash = hash_floats(hash, land->boxes[item].max, 3);
        hash = hash_floats(hash, land->steps[item], 2);
    }
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < land->view_count; i++) {
            const acre_frustum *const frustum = &land->views[kind][i].frustum;
            hash = hash_floats(hash, frustum->planes[0], 4 * (size_t)frustum->plane_count);
        }
    }
    return hash;
}
