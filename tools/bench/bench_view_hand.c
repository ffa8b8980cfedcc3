// SPDX-License-Identifier: MIT
// bench_view_hand.c - the rules of views as programs have them that ask a tree for a volume alone:
// a loop over what it found, with square roots.
//
// The loops that apply one rule read and compute no more than it needs.
#include "bench_view_cases.h"

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

typedef struct hand_query {
    case_runner *runner;
    const acre_view *view;
    const acre_aabb *boxes; // by slot
    const uint32_t *found;
    size_t count;
} hand_query;

static size_t keep_near(const hand_query *query)
{
    const acre_view *const view = query->view;
    uint32_t *const slots = query->runner->slots;
    size_t kept = 0;
    for (size_t i = 0; i < query->count; i++) {
        const uint32_t slot = query->found[i];
        if (distance_to(&query->boxes[slot], view->eye) <= view->max_distance ||
            view->max_distance == 0.0f) {
            slots[kept++] = slot;
        }
    }
    return kept;
}

static size_t keep_large(const hand_query *query)
{
    const acre_view *const view = query->view;
    uint32_t *const slots = query->runner->slots;
    size_t kept = 0;
    for (size_t i = 0; i < query->count; i++) {
        const uint32_t slot = query->found[i];
        const acre_aabb *const box = &query->boxes[slot];
        if (size_at(view, box, distance_to(box, view->eye)) >= view->min_pixels) {
            slots[kept++] = slot;
        }
    }
    return kept;
}

static const acre_visibility_rule *rule_of(const hand_query *query, uint32_t slot)
{
    return &query->runner->rules[query->runner->world->rules[slot] - 1];
}

static size_t keep_in_range(const hand_query *query)
{
    uint32_t *const slots = query->runner->slots;
    size_t kept = 0;
    for (size_t i = 0; i < query->count; i++) {
        const uint32_t slot = query->found[i];
        const float most = rule_of(query, slot)->max_distance;
        if (most == 0.0f || distance_to(&query->boxes[slot], query->view->eye) <= most) {
            slots[kept++] = slot;
        }
    }
    return kept;
}

static size_t choose_lods(const hand_query *query)
{
    const acre_view *const view = query->view;
    case_runner *const runner = query->runner;
    for (size_t i = 0; i < query->count; i++) {
        const uint32_t slot = query->found[i];
        const acre_aabb *const box = &query->boxes[slot];
        const float pixels = size_at(view, box, distance_to(box, view->eye));
        runner->slots[i] = slot;
        runner->lods[i] = (uint8_t)lod_of(rule_of(query, slot), pixels);
    }
    return query->count;
}

static size_t keep_by_all(const hand_query *query)
{
    const acre_view *const view = query->view;
    case_runner *const runner = query->runner;
    size_t kept = 0;
    for (size_t i = 0; i < query->count; i++) {
        const uint32_t slot = query->found[i];
        const acre_aabb *const box = &query->boxes[slot];
        const acre_visibility_rule *const rule = rule_of(query, slot);
        const float distance = distance_to(box, view->eye);
        const float pixels = size_at(view, box, distance);
        if ((view->max_distance > 0.0f && distance > view->max_distance) ||
            (rule->max_distance > 0.0f && distance > rule->max_distance) ||
            pixels < view->min_pixels) {
            continue;
        }
        runner->slots[kept] = slot;
        runner->lods[kept++] = (uint8_t)lod_of(rule, pixels);
    }
    return kept;
}

static bool is_beyond(float distance, float limit, float factor)
{
    return limit > 0.0f && distance > limit * factor;
}

// The rules with hysteresis: last is the LOD, plus 1, of the last frame. Returns the new one, 0 for
// hidden.
static uint8_t judge(const hand_query *query, const acre_aabb *box,
                     const acre_visibility_rule *rule, uint8_t last)
{
    const acre_view *const view = query->view;
    const float up = last ? 1.0f + view->hysteresis : 1.0f;
    const float down = last ? 1.0f - view->hysteresis : 1.0f;
    const float distance = distance_to(box, view->eye);
    const float pixels = size_at(view, box, distance);
    if (is_beyond(distance, view->max_distance, up) ||
        is_beyond(distance, rule->max_distance, up) || pixels < view->min_pixels * down) {
        return 0;
    }
    uint32_t lod = lod_of(rule, pixels);
    if (last) {
        const uint32_t finest = lod_of(rule, pixels / down), before = last - 1u;
        lod = before > lod ? lod : before < finest ? finest : before;
    }
    return (uint8_t)(lod + 1);
}

// What left: it was visible and has no LOD of this frame.
static void end_frame(case_runner *runner, size_t kept)
{
    hand_memory *const hand = &runner->hand;
    hand->left_count = 0;
    for (size_t i = 0; i < hand->visible_count; i++) {
        const uint32_t slot = hand->visible[i];
        if (!hand->next[slot]) {
            hand->left[hand->left_count++] = slot;
        }
        hand->last[slot] = 0;
        hand->bits[slot / 64] = 0;
    }
    for (size_t i = 0; i < kept; i++) {
        const uint32_t slot = runner->slots[i];
        hand->last[slot] = hand->next[slot];
        hand->next[slot] = 0;
        hand->bits[slot / 64] |= (uint64_t)1 << slot % 64;
    }
    memcpy(hand->visible, runner->slots, kept * sizeof *hand->visible);
    hand->visible_count = kept;
}

static size_t keep_with_memory(const hand_query *query)
{
    case_runner *const runner = query->runner;
    hand_memory *const hand = &runner->hand;
    size_t kept = 0;
    hand->entered_count = hand->stayed_count = 0;
    for (size_t i = 0; i < query->count; i++) {
        const uint32_t slot = query->found[i];
        const uint8_t last = hand->last[slot];
        const uint8_t now = judge(query, &query->boxes[slot], rule_of(query, slot), last);
        if (now == 0) {
            continue;
        }
        if (last) {
            hand->stayed[hand->stayed_count++] = slot;
        } else {
            hand->entered[hand->entered_count++] = slot;
        }
        hand->next[slot] = now;
        runner->slots[kept] = slot;
        runner->lods[kept++] = (uint8_t)(now - 1);
    }
    end_frame(runner, kept);
    return kept;
}

size_t hand_ask(case_runner *runner, uint32_t asks, const acre_view *view)
{
    const view_world *const world = runner->world;
    const hand_query query = {.runner = runner,
                              .view = view,
                              .boxes = acre_scene_get_view(world->scene).world_bounds,
                              .found = runner->found,
                              .count = acre_culling_query_frustum(
                                  world->culling, &view->frustum, view->layers, runner->found,
                                  (size_t)world->slot_count + CONTENDER_SLACK)};
    switch (asks) {
    case ASK_DISTANCE:
        return keep_near(&query);
    case ASK_PIXELS:
        return keep_large(&query);
    case ASK_RANGES:
        return keep_in_range(&query);
    case ASK_LODS:
        return choose_lods(&query);
    default:
        return asks & ASK_HYSTERESIS ? keep_with_memory(&query) : keep_by_all(&query);
    }
}

void hand_forget(case_runner *runner)
{
    hand_memory *const hand = &runner->hand;
    for (size_t i = 0; i < hand->visible_count; i++) {
        hand->last[hand->visible[i]] = 0;
        hand->bits[hand->visible[i] / 64] = 0;
    }
    hand->visible_count = 0;
}
