// SPDX-License-Identifier: MIT
// view_cases.c - what is asked of each view, and Acre's answers.
#include "culling_counts.h"
#include "view_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_HEIGHT 1080.0f // pixels
#define LEAST_PIXELS 4.0f
#define HYSTERESIS 0.1f

enum {
    SIZE_RULES = ASK_PIXELS | ASK_LODS,
    ALL_RULES = ASK_DISTANCE | ASK_PIXELS | ASK_RANGES | ASK_LODS,
    EVERYTHING = ALL_RULES | ASK_HYSTERESIS,
    VOLUMES = ASK_EXCLUDE | ASK_INCLUDE | ASK_LAYERS,
    SET_LODS = ACRE_VISIBLE_LODS,
    SET_ALL = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS
};

const view_case view_cases[VIEW_CASES] = {
    {"query", CASE_QUERY, 0, 0},
    {"loop over all boxes", CASE_ALL, 0, 0},
    {"query, max distance", CASE_QUERY, 0, ASK_DISTANCE},
    {"query, all rules", CASE_QUERY, 0, ALL_RULES},
    {"set", CASE_FIND, 0, 0},
    {"set, bits", CASE_FIND, ACRE_VISIBLE_BITS, 0},
    {"set, changes", CASE_FIND, ACRE_VISIBLE_CHANGES, 0},
    {"set, max distance", CASE_FIND, 0, ASK_DISTANCE},
    {"set, min pixels", CASE_FIND, 0, ASK_PIXELS},
    {"set, own ranges", CASE_FIND, 0, ASK_RANGES},
    {"set, LODs", CASE_FIND, SET_LODS, ASK_LODS},
    {"set, distance, hysteresis", CASE_FIND, 0, ASK_DISTANCE | ASK_HYSTERESIS},
    {"set, LODs, hysteresis", CASE_FIND, SET_LODS, ASK_LODS | ASK_HYSTERESIS},
    {"set, layers", CASE_FIND, 0, ASK_LAYERS},
    {"set, exclude", CASE_FIND, 0, ASK_EXCLUDE},
    {"set, include", CASE_FIND, 0, ASK_INCLUDE},
    {"set, all rules", CASE_FIND, SET_LODS, ALL_RULES},
    {"set, everything", CASE_FIND, SET_ALL, EVERYTHING},
    {"everything and volumes", CASE_FIND, SET_ALL, EVERYTHING | VOLUMES},
    {"plain loop, max distance", CASE_LOOP, 0, ASK_DISTANCE},
    {"plain loop, min pixels", CASE_LOOP, 0, ASK_PIXELS},
    {"plain loop, own ranges", CASE_LOOP, 0, ASK_RANGES},
    {"plain loop, LODs", CASE_LOOP, SET_LODS, ASK_LODS},
    {"plain loop, all rules", CASE_LOOP, SET_LODS, ALL_RULES},
    {"plain loop, everything", CASE_LOOP, SET_ALL, EVERYTHING},
};

// A box as a volume.
static acre_frustum box_volume(const float *middle, float half)
{
    acre_frustum volume = {.plane_count = 6};
    for (int k = 0; k < 3; k++) {
        volume.planes[2 * k][k] = 1.0f;
        volume.planes[2 * k][3] = half - middle[k];
        volume.planes[2 * k + 1][k] = -1.0f;
        volume.planes[2 * k + 1][3] = half + middle[k];
    }
    return volume;
}

static bool make_view(case_track *out, const track_kind *kind, const acre_camera *camera, int frame,
                      uint32_t asks)
{
    acre_view *const view = &out->views[frame];
    const float *const m = camera->view;
    float middle[3];
    if (acre_view_from_camera(view, camera) != ACRE_OK ||
        ((asks & SIZE_RULES) && acre_view_set_viewport(view, camera, PICTURE_HEIGHT) != ACRE_OK)) {
        return false;
    }
    for (int k = 0; k < 3; k++) { // a camera looks along its -z, the third row of its view
        middle[k] = view->eye[k] - kind->limits.focus * m[4 * k + 2];
    }
    out->exclude[frame] = box_volume(middle, kind->limits.exclude_half);
    out->include[frame] = box_volume(middle, kind->limits.include_half);
    view->flags = asks & (ASK_RANGES | ASK_LODS) ? 0 : ACRE_VIEW_IGNORE_RULES;
    view->max_distance = asks & ASK_DISTANCE ? kind->limits.max_distance : 0.0f;
    view->min_pixels = asks & ASK_PIXELS ? LEAST_PIXELS : 0.0f;
    view->hysteresis = asks & ASK_HYSTERESIS ? HYSTERESIS : 0.0f;
    view->layers = asks & ASK_LAYERS ? 7 : 0;
    view->exclude = asks & ASK_EXCLUDE ? &out->exclude[frame] : NULL;
    view->include = asks & ASK_INCLUDE ? &out->include[frame] : NULL;
    return true;
}

void case_rules(uint32_t asks, acre_visibility_rule *out)
{
    static const acre_visibility_rule rules[SCENE_RULES] = {
        {.max_distance = 150.0f, .lod_pixels = {100.0f, 30.0f}},
        {.max_distance = 500.0f, .lod_pixels = {200.0f, 60.0f, 20.0f}},
        {.max_distance = 1200.0f, .lod_pixels = {300.0f, 100.0f, 30.0f}},
        {.lod_pixels = {400.0f, 150.0f, 50.0f}},
    };
    for (int i = 0; i < SCENE_RULES; i++) {
        out[i] = rules[i];
        out[i].max_distance = asks & ASK_RANGES ? rules[i].max_distance : 0.0f;
        if (!(asks & ASK_LODS)) {
            memset(out[i].lod_pixels, 0, sizeof out[i].lod_pixels);
        }
    }
}

static size_t test_all(void *user, const acre_frustum *frustum, uint32_t *items)
{
    const country_scene *const world = user;
    size_t found = 0;
    for (uint32_t item = 0; item < world->item_count; item++) {
        if (acre_frustum_test_aabb(frustum, &world->boxes[item])) {
            items[found++] = item;
        }
    }
    return found;
}

bool case_runner_create(case_runner *out, const country_scene *world)
{
    const size_t room = (size_t)world->slot_count + CASE_SLACK;
    loop_memory *const memory = &out->memory;
    *out = (case_runner){.world = world, .query_all = test_all, .user = (void *)(uintptr_t)world};
    out->slots = calloc(room, sizeof *out->slots);
    out->found = calloc(room, sizeof *out->found);
    out->lods = calloc(room, 1);
    memory->last = calloc(room, 1);
    memory->next = calloc(room, 1);
    memory->visible = calloc(room, sizeof *memory->visible);
    memory->entered = calloc(room, sizeof *memory->entered);
    memory->left = calloc(room, sizeof *memory->left);
    memory->stayed = calloc(room, sizeof *memory->stayed);
    memory->bits = calloc(room / 64 + 1, sizeof *memory->bits);
    bool is_good = out->slots && out->found && out->lods && memory->last && memory->next &&
                   memory->visible && memory->entered && memory->left && memory->stayed &&
                   memory->bits;
    for (uint32_t i = 0; i < VIEW_CASES && is_good; i++) {
        const acre_visible_set_def def = {.flags = view_cases[i].flags};
        is_good = view_cases[i].method != CASE_FIND ||
                  acre_visible_set_create(&def, &out->sets[i]) == ACRE_OK;
    }
    return is_good;
}

void case_runner_free(case_runner *runner)
{
    loop_memory *const memory = &runner->memory;
    void *const blocks[] = {runner->slots,  runner->found,   runner->lods,    memory->last,
                            memory->next,   memory->visible, memory->entered, memory->left,
                            memory->stayed, memory->bits};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        free(blocks[i]);
    }
    for (uint32_t i = 0; i < VIEW_CASES; i++) {
        acre_visible_set_destroy(runner->sets[i]);
    }
    *runner = (case_runner){0};
}

bool case_begin(case_runner *runner, uint32_t number, const track_kind *kind, uint32_t track)
{
    const uint32_t asks = view_cases[number].asks;
    bool is_good = true;
    case_rules(asks, runner->rules);
    if (runner->sets[number]) {
        acre_visible_set_clear(runner->sets[number]);
    }
    loop_forget(&runner->memory);
    for (int f = 0; f < TRACK_LENGTH && is_good; f++) {
        is_good = make_view(&runner->track, kind, &kind->cameras[track][f], f, asks);
    }
    return is_good &&
           acre_culling_set_rules(runner->world->culling, runner->rules, SCENE_RULES) == ACRE_OK;
}

size_t case_ask(case_runner *runner, uint32_t number, uint32_t frame)
{
    const acre_view *const view = &runner->track.views[frame];
    const country_scene *const world = runner->world;
    const size_t room = (size_t)world->slot_count + CASE_SLACK;
    switch (view_cases[number].method) {
    case CASE_QUERY:
        return count_in_view(world->culling, view, runner->slots, room);
    case CASE_ALL:
        return runner->query_all(runner->user, &view->frustum, runner->slots);
    case CASE_FIND:
        return acre_culling_find_visible(world->culling, view, runner->sets[number]) == ACRE_OK
                   ? acre_visible_set_get(runner->sets[number]).count
                   : SIZE_MAX;
    default: // CASE_LOOP
        return loop_ask(runner, view_cases[number].asks, view);
    }
}

acre_visible case_last_answer(const case_runner *runner, uint32_t number, size_t count)
{
    const view_case *const what = &view_cases[number];
    const loop_memory *const memory = &runner->memory;
    if (what->method == CASE_FIND) {
        return acre_visible_set_get(runner->sets[number]);
    }
    acre_visible answer = {.slots = runner->slots, .count = count};
    if (what->method == CASE_LOOP) {
        answer.lods = what->asks & ASK_LODS ? runner->lods : NULL;
        answer.entered = memory->entered;
        answer.left = memory->left;
        answer.stayed = memory->stayed;
        answer.entered_count = memory->entered_count;
        answer.left_count = memory->left_count;
        answer.stayed_count = memory->stayed_count;
        answer.bits = memory->bits;
        answer.word_count = (size_t)runner->world->slot_count / 64 + 1;
    }
    return answer;
}
