// SPDX-License-Identifier: MIT
// sample_panels.c - panels on a desk: which ones touch the one that is dragged.
#include "samples.h"

#include <acre/quadtree.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS = 60, ROOM = 64 };

typedef struct panels_state {
    acre_quadtree *tree;
    acre_aabb panels[PANELS];
    uint32_t held;
    bool was_dragged;
    float grip[2]; // from the pointer to the panel's middle
} panels_state;

static void place(acre_aabb *panel, float x, float z)
{
    const float half_x = 0.5f * (panel->max[0] - panel->min[0]);
    const float half_z = 0.5f * (panel->max[2] - panel->min[2]);
    *panel = (acre_aabb){{x - half_x, 0.0f, z - half_z}, {x + half_x, panel->max[1], z + half_z}};
}

static bool create(void *memory)
{
    panels_state *const state = memory;
    uint64_t random = 11;
    if (acre_quadtree_create(&(acre_quadtree_def){.half_size = 64.0f, .node_capacity = 4},
                             &state->tree) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < PANELS; i++) {
        const float x = 110.0f * sample_random(&random) - 55.0f;
        const float z = 90.0f * sample_random(&random) - 45.0f;
        const float a = 3.0f + 7.0f * sample_random(&random);
        const float b = 2.0f + 5.0f * sample_random(&random);
        state->panels[i] = (acre_aabb){{-a, 0.0f, -b}, {a, 0.8f, b}};
        place(&state->panels[i], x, z);
        if (acre_quadtree_insert(state->tree, i, &state->panels[i]) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

static void destroy(void *memory)
{
    acre_quadtree_destroy(((panels_state *)memory)->tree);
}

// A query of a point takes the panel under the mouse.
static void take(panels_state *state, const stage *s)
{
    const acre_query at = {.shape = ACRE_QUERY_SHAPE_GROUND_POINT, .point = s->pointer};
    uint32_t found[1];
    size_t count = 0;
    if (acre_quadtree_query(state->tree, &at, found, 1, &count) == ACRE_OK && count > 0) {
        const acre_aabb *const panel = &state->panels[found[0]];
        state->held = found[0];
        state->grip[0] = 0.5f * (panel->min[0] + panel->max[0]) - s->pointer[0];
        state->grip[1] = 0.5f * (panel->min[2] + panel->max[2]) - s->pointer[2];
        state->was_dragged = true;
    }
}

// ": 12, 7" of what the dragged panel touches; no more than there is room for.
static void add_name(const panels_state *state, uint32_t panel, char *names, size_t size)
{
    const size_t length = strlen(names);
    if (panel != state->held) {
        snprintf(names + length, size - length, "%s %u", length > 0 ? "," : ":", panel + 1);
    }
}

static bool step(void *memory, stage *s)
{
    panels_state *const state = memory;
    if (s->is_new_press) {
        take(state, s);
    }
    acre_aabb *const held = &state->panels[state->held];
    if (!state->was_dragged) {
        place(held, 36.0f * cosf((float)s->time * 0.5f), 26.0f * sinf((float)s->time * 0.8f));
    } else if (s->is_held) {
        place(held, s->pointer[0] + state->grip[0], s->pointer[2] + state->grip[1]);
    }
    uint32_t found[ROOM];
    if (acre_quadtree_refresh(state->tree, state->held, held) != ACRE_OK) {
        return false;
    }
    const size_t total = acre_quadtree_query_aabb(state->tree, held, found, ROOM);
    const size_t count = total < ROOM ? total : ROOM;
    bool touches[PANELS] = {false};
    char names[64] = "";
    for (size_t i = 0; i < count; i++) {
        touches[found[i]] = true;
        add_name(state, found[i], names, sizeof names);
    }
    for (uint32_t i = 0; i < PANELS; i++) {
        acre_aabb box = state->panels[i];
        box.max[1] = i == state->held ? 1.6f : touches[i] ? 1.1f : 0.8f;
        stage_box(s, &box, i == state->held ? STAGE_BLUE : touches[i] ? STAGE_YELLOW : 0xb4bec8ffu);
        stage_outline(s, &box, 0x39424bffu);
        stage_label(s, (float[3]){box.min[0] + 1.5f, 1.8f, box.min[2] + 2.2f}, "%u", i + 1);
    }
    stage_key(s, STAGE_BLUE, "blue", "panel %u, dragged", state->held + 1);
    stage_key(s, STAGE_YELLOW, "yellow", "%zu that it touches%s", total - 1, names);
    stage_tree(s, state->tree);
    return true;
}

const view_sample sample_panels = {
    .name = "panels",
    .title = "Drag panels",
    .about =
        "One query of its box names what the dragged panel touches, in every frame. Drag a panel.",
    .state_size = sizeof(panels_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.0f,
    .pitch = -1.35f,
    .distance = 128.0f};
