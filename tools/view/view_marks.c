// SPDX-License-Identifier: MIT
// view_marks.c - overlays in the scene: which entities are marked, and lines and boxes beside them.
#include "view_marks.h"

#include "stage_solids.h"
#include "view_overlays.h"

#include <acre/explain.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEFT_ROOM 16384u
#define FLASH_SECONDS 1.0f
#define FRUSTUM_REACH 800.0f // meters that are drawn of a frustum

bool view_marks_create(view_marks *out, uint32_t slot_count)
{
    *out = (view_marks){.slot_count = slot_count};
    out->looks = calloc((size_t)slot_count + 1, sizeof *out->looks);
    out->entered_at = calloc((size_t)slot_count + 1, sizeof *out->entered_at);
    out->is_caster = calloc((size_t)slot_count + 1, sizeof *out->is_caster);
    out->states = calloc((size_t)slot_count + 1, sizeof *out->states);
    out->left = calloc(LEFT_ROOM, sizeof *out->left);
    out->left_at = calloc(LEFT_ROOM, sizeof *out->left_at);
    return out->looks && out->entered_at && out->is_caster && out->states && out->left &&
           out->left_at;
}

void view_marks_free(view_marks *marks)
{
    free(marks->looks);
    free(marks->entered_at);
    free(marks->is_caster);
    free(marks->states);
    free(marks->left);
    free(marks->left_at);
    *marks = (view_marks){0};
}

static void mark(instance_look *look, uint32_t rgba, float strength)
{
    *look = (instance_look){rgba >> 8, strength};
}

// Notes what the trace says of an entity.
static bool take_state(void *user, const acre_trace_step *step)
{
    view_marks *const marks = user;
    if (step->part == ACRE_TRACE_ITEM && step->item < marks->slot_count) {
        marks->states[step->item] = (uint8_t)step->state;
    }
    return true;
}

// Traces the query of the culling camera.
static bool trace_view(view_marks *marks, view_city *c, const marks_question *question)
{
    acre_view view;
    memset(marks->states, 0, marks->slot_count * sizeof *marks->states);
    return acre_view_from_camera(&view, question->culling) == ACRE_OK &&
           acre_view_set_viewport(&view, question->culling, question->height) == ACRE_OK &&
           acre_culling_trace(c->world.culling, &view, take_state, marks) == ACRE_OK;
}

static void find_casters(view_marks *marks, view_city *c)
{
    memset(marks->is_caster, 0, marks->slot_count * sizeof *marks->is_caster);
    for (int i = 0; i < SHADOW_CASCADES; i++) {
        const acre_draw casters = acre_draw_list_get(c->caster_lists[i]);
        for (size_t k = 0; k < casters.count; k++) {
            marks->is_caster[casters.slots[k]] = true;
        }
    }
}

// What is not drawn: casters as pink boxes, the rest as outlines.
static void mark_hidden(view_marks *marks, stage *s, uint32_t slot, const acre_aabb *box)
{
    if (marks->is_caster[slot]) {
        stage_box(s, box, (STAGE_PINK & ~0xffu) | 0xa0u);
        marks->counts[MARK_CASTER]++;
    } else if (marks->states[slot] == ACRE_TRACE_INSIDE || marks->states[slot] == ACRE_TRACE_KEPT) {
        stage_outline(s, box, (STAGE_RED & ~0xffu) | 0xb0u);
        marks->counts[MARK_BEHIND]++;
    } else if (marks->states[slot] == ACRE_TRACE_DROPPED) {
        stage_outline(s, box, (STAGE_ORANGE & ~0xffu) | 0xb0u);
        marks->counts[MARK_DROPPED]++;
    } else {
        stage_outline(s, box, 0x4a545e70u);
        marks->counts[MARK_SKIPPED]++;
    }
}

// Found without a test green, found by a test yellow.
static void mark_states(view_marks *marks, view_city *c, stage *s)
{
    const acre_aabb *const boxes = acre_scene_get_view(c->world.scene).world_bounds;
    const acre_draw visible = acre_draw_list_get(c->list);
    memset(marks->counts, 0, sizeof marks->counts);
    find_casters(marks, c);
    for (size_t i = 0; i < visible.count; i++) {
        const uint32_t slot = visible.slots[i];
        const bool inside = marks->states[slot] == ACRE_TRACE_INSIDE;
        // Streets are long: most cross the edge, and would hide the rest.
        const float strength = c->world.kinds[slot] == KIND_STREET ? 0.0f : inside ? 0.55f : 0.72f;
        mark(&marks->looks[slot], inside ? STAGE_GREEN : STAGE_YELLOW, strength);
        marks->counts[inside ? MARK_INSIDE : MARK_KEPT]++;
    }
    for (uint32_t slot = 0; slot < marks->slot_count; slot++) {
        const bool is_solid =
            c->world.kinds[slot] == KIND_SOLID || c->world.kinds[slot] == KIND_CAR;
        if (is_solid && marks->looks[slot].strength == 0.0f) {
            mark_hidden(marks, s, slot, &boxes[slot]);
        }
    }
}

static void mark_lods(view_marks *marks, view_city *c)
{
    static const uint32_t colors[4] = {STAGE_RED, STAGE_ORANGE, STAGE_YELLOW, STAGE_SKY};
    const acre_draw visible = acre_draw_list_get(c->list);
    for (size_t r = 0; r < visible.range_count; r++) {
        const acre_draw_range *const range = &visible.ranges[r];
        const uint32_t color = colors[range->lod < 3 ? range->lod : 3];
        for (uint32_t i = 0; i < range->count; i++) {
            const uint32_t slot = visible.slots[range->first + i];
            if (c->world.kinds[slot] != KIND_STREET) {
                mark(&marks->looks[slot], color, 0.7f);
            }
        }
    }
}

void view_marks_note(view_marks *marks, const view_city *c, float time)
{
    const acre_visible visible = acre_visible_set_get(c->set);
    const acre_aabb *const boxes = acre_scene_get_view(c->world.scene).world_bounds;
    const bool is_first = visible.entered_count == visible.count; // not a change, a beginning
    assert(time > 0.0f);
    for (size_t i = 0; i < visible.entered_count && !is_first; i++) {
        marks->entered_at[visible.entered[i]] = time;
    }
    for (size_t i = 0; i < visible.left_count; i++) {
        marks->left[marks->left_next] = boxes[visible.left[i]];
        marks->left_at[marks->left_next] = time;
        marks->left_next = (marks->left_next + 1) % LEFT_ROOM;
    }
}

// 1 for what was just now, 0 after a second and for what never was.
static float freshness(float at, float now)
{
    return at > 0.0f ? fmaxf(0.0f, 1.0f - (now - at) / FLASH_SECONDS) : 0.0f;
}

// Yellow fades on what entered; orange outlines fade where something left.
static void mark_changes(view_marks *marks, view_city *c, stage *s, float time)
{
    const acre_visible visible = acre_visible_set_get(c->set);
    marks->counts[MARK_ENTERED] = marks->counts[MARK_LEFT] = 0;
    for (size_t i = 0; i < visible.count; i++) {
        const uint32_t slot = visible.slots[i];
        const float fresh = freshness(marks->entered_at[slot], time);
        if (fresh > 0.0f) {
            mark(&marks->looks[slot], STAGE_YELLOW, 0.85f * fresh);
            marks->counts[MARK_ENTERED]++;
        }
    }
    for (uint32_t i = 0; i < LEFT_ROOM; i++) {
        const float fresh = freshness(marks->left_at[i], time);
        if (fresh > 0.0f) {
            stage_outline(s, &marks->left[i], (STAGE_ORANGE & ~0xffu) | (uint32_t)(255.0f * fresh));
            marks->counts[MARK_LEFT]++;
        }
    }
}

const instance_look *view_marks_make(view_marks *marks, view_city *c, stage *s,
                                     const marks_question *question)
{
    static const uint32_t colors[SHADOW_CASCADES] = {STAGE_ORANGE, STAGE_SKY, STAGE_GREEN,
                                                     STAGE_PINK};
    const bool *const is_on = question->is_on;
    memset(marks->looks, 0, marks->slot_count * sizeof *marks->looks);
    if (is_on[OVERLAY_STATES] && trace_view(marks, c, question)) {
        mark_states(marks, c, s);
    }
    if (is_on[OVERLAY_LODS]) {
        mark_lods(marks, c);
    }
    if (is_on[OVERLAY_CHANGES]) {
        mark_changes(marks, c, s, question->time);
    }
    if (is_on[OVERLAY_HIDDEN] && c->occlusion.is_known) {
        view_occlusion_mark(&c->occlusion, &c->world, marks->looks);
    }
    if (is_on[OVERLAY_OCCLUDERS] && c->occlusion.is_known) {
        view_occlusion_draw(&c->occlusion, &c->world,
                            is_on[OVERLAY_FREEZE] ? question->culling : NULL, s);
    }
    if (is_on[OVERLAY_FREEZE]) {
        if (!is_on[OVERLAY_HIDDEN]) { // what is red would be neither color
            stage_fill_view(s, question->culling, FRUSTUM_REACH, c->world.bounds.min[1] + 0.5f,
                            (STAGE_VIOLET & ~0xffu) | 0x60u);
        }
        stage_line_width(s, 4.0f);
        stage_frustum(s, question->culling, FRUSTUM_REACH, STAGE_VIOLET);
        stage_line_width(s, 2.0f);
    }
    for (int i = 0; i < SHADOW_CASCADES && is_on[OVERLAY_CASCADES] && is_on[OVERLAY_FREEZE]; i++) {
        stage_frustum(s, &c->cascades[i].camera, 3000.0f, colors[i]);
    }
    const bool is_any = is_on[OVERLAY_STATES] || is_on[OVERLAY_LODS] || is_on[OVERLAY_CHANGES] ||
                        is_on[OVERLAY_HIDDEN];
    return is_any ? marks->looks : NULL;
}
