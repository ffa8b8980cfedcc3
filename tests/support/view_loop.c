// SPDX-License-Identifier: MIT
// view_loop.c - the rules of views as programs have them that ask a tree for a volume alone:
// a loop over what it found, with square roots.
//
// One text for all cases: what is asked is a constant where it is called, so that the loop of one
// rule reads and computes no more than that rule needs.
#include "culling_counts.h"
#include "view_cases.h"

#include <math.h>
#include <string.h>

static float gap(float least, float most, float eye)
{
    const float below = least - eye, above = eye - most;
    const float larger = below > above ? below : above;
    return larger > 0.0f ? larger : 0.0f;
}

static float distance_to(const acre_aabb *box, const float *eye)
{
    const float x = gap(box->min[0], box->max[0], eye[0]);
    const float y = gap(box->min[1], box->max[1], eye[1]);
    const float z = gap(box->min[2], box->max[2], eye[2]);
    return sqrtf(x * x + y * y + z * z);
}

static float diagonal(const acre_aabb *box)
{
    const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1];
    const float z = box->max[2] - box->min[2];
    return sqrtf(x * x + y * y + z * z);
}

// Within the eye everything is as large as can be.
static float size_at(const acre_view *view, const acre_aabb *box, float distance)
{
    const float size = diagonal(box) * view->pixels;
    if (view->is_parallel) {
        return size;
    }
    return distance > 0.0f ? size / distance : INFINITY;
}

static uint32_t lod_of(const acre_visibility_rule *rule, float pixels)
{
    uint32_t lod = 0;
    while (lod < ACRE_LOD_LIMITS && pixels < rule->lod_pixels[lod]) {
        lod++;
    }
    return lod;
}

static bool is_beyond(float distance, float limit, float factor)
{
    return limit > 0.0f && distance > limit * factor;
}

typedef struct loop_query {
    case_runner *runner;
    const acre_view *view;
    const acre_aabb *boxes; // by slot
    const uint32_t *found;
    size_t count;
} loop_query;

// last: the LOD, plus 1, of the last frame; 0: it was hidden. Returns the new one.
static inline uint32_t judge(const loop_query *query, uint32_t slot, const uint32_t asks,
                             uint32_t last)
{
    const acre_view *const view = query->view;
    const acre_aabb *const box = &query->boxes[slot];
    const bool has_sizes = asks & (ASK_PIXELS | ASK_LODS);
    const acre_visibility_rule *const rule =
        asks & (ASK_RANGES | ASK_LODS)
            ? &query->runner->rules[query->runner->world->rules[slot] - 1]
            : NULL;
    if (asks == ASK_RANGES && rule->max_distance == 0.0f) {
        return 1;
    }
    const float up = last ? 1.0f + view->hysteresis : 1.0f;
    const float down = last ? 1.0f - view->hysteresis : 1.0f;
    const float distance = distance_to(box, view->eye);
    const float pixels = has_sizes ? size_at(view, box, distance) : 0.0f;
    if (((asks & ASK_DISTANCE) && is_beyond(distance, view->max_distance, up)) ||
        ((asks & ASK_RANGES) && is_beyond(distance, rule->max_distance, up)) ||
        ((asks & ASK_PIXELS) && pixels < view->min_pixels * down)) {
        return 0;
    }
    uint32_t lod = asks & ASK_LODS ? lod_of(rule, pixels) : 0;
    if ((asks & ASK_LODS) && last) {
        const uint32_t finest = lod_of(rule, pixels / down), before = last - 1u;
        lod = before > lod ? lod : before < finest ? finest : before;
    }
    return lod + 1;
}

static inline size_t keep(const loop_query *query, const uint32_t asks)
{
    case_runner *const runner = query->runner;
    size_t kept = 0;
    for (size_t i = 0; i < query->count; i++) {
        const uint32_t slot = query->found[i];
        const uint32_t now = judge(query, slot, asks, 0);
        if (now) {
            if (asks & ASK_LODS) {
                runner->lods[kept] = (uint8_t)(now - 1);
            }
            runner->slots[kept++] = slot;
        }
    }
    return kept;
}

// What left: it was visible and has no LOD of this frame.
static void end_frame(case_runner *runner, size_t kept)
{
    loop_memory *const memory = &runner->memory;
    memory->left_count = 0;
    for (size_t i = 0; i < memory->visible_count; i++) {
        const uint32_t slot = memory->visible[i];
        if (!memory->next[slot]) {
            memory->left[memory->left_count++] = slot;
        }
        memory->last[slot] = 0;
        memory->bits[slot / 64] = 0;
    }
    for (size_t i = 0; i < kept; i++) {
        const uint32_t slot = runner->slots[i];
        memory->last[slot] = memory->next[slot];
        memory->next[slot] = 0;
        memory->bits[slot / 64] |= (uint64_t)1 << slot % 64;
    }
    memcpy(memory->visible, runner->slots, kept * sizeof *memory->visible);
    memory->visible_count = kept;
}

static size_t keep_with_memory(const loop_query *query, const uint32_t asks)
{
    case_runner *const runner = query->runner;
    loop_memory *const memory = &runner->memory;
    size_t kept = 0;
    memory->entered_count = memory->stayed_count = 0;
    for (size_t i = 0; i < query->count; i++) {
        const uint32_t slot = query->found[i];
        const uint32_t last = memory->last[slot];
        const uint32_t now = judge(query, slot, asks, last);
        if (now == 0) {
            continue;
        }
        if (last) {
            memory->stayed[memory->stayed_count++] = slot;
        } else {
            memory->entered[memory->entered_count++] = slot;
        }
        memory->next[slot] = (uint8_t)now;
        runner->slots[kept] = slot;
        runner->lods[kept++] = (uint8_t)(now - 1);
    }
    end_frame(runner, kept);
    return kept;
}

size_t loop_ask(case_runner *runner, uint32_t asks, const acre_view *view)
{
    enum { ALL = ASK_DISTANCE | ASK_PIXELS | ASK_RANGES | ASK_LODS };
    const country_scene *const world = runner->world;
    const loop_query query = {
        runner, view, acre_scene_get_view(world->scene).world_bounds, runner->found,
        count_in_frustum(world->culling, &view->frustum, view->layers, runner->found,
                         (size_t)world->slot_count + CASE_SLACK)};
    switch (asks) {
    case ASK_DISTANCE:
        return keep(&query, ASK_DISTANCE);
    case ASK_PIXELS:
        return keep(&query, ASK_PIXELS);
    case ASK_RANGES:
        return keep(&query, ASK_RANGES);
    case ASK_LODS:
        return keep(&query, ASK_LODS);
    case ALL:
        return keep(&query, ALL);
    default: // with hysteresis
        return keep_with_memory(&query, ALL);
    }
}

void loop_forget(loop_memory *memory)
{
    for (size_t i = 0; i < memory->visible_count; i++) {
        memory->last[memory->visible[i]] = 0;
        memory->bits[memory->visible[i] / 64] = 0;
    }
    memory->visible_count = 0;
}
