// SPDX-License-Identifier: MIT
// sample_hiding.c - what samples of occlusion share: boxes of which some are solid, an eye among
// them, and what it sees with its horizon and without.
#include "sample_hiding.h"

#include <assert.h>

#define WALL_COLOR 0xc9c4b8ffu
#define DOOR_COLOR STAGE_BLUE // it moves
#define GLASS_COLOR 0x9fb4c41cu
#define OUTSIDE_COLOR 0x7d8892ffu

enum { HELD = 1, SEEN = 2 }; // in hiding_world.masks

bool hiding_create(hiding_world *out, float half_size)
{
    *out = (hiding_world){.is_occlusion_on = true};
    const acre_culling_def def = {.tree = {.half_size = half_size}, .register_all = true};
    bool is_good = acre_scene_create(&(acre_scene_def){0}, &out->scene) == ACRE_OK &&
                   acre_culling_create(out->scene, &def, &out->culling) == ACRE_OK &&
                   acre_horizon_create(&(acre_horizon_def){0}, &out->horizon) == ACRE_OK;
    for (int i = 0; i < 2 && is_good; i++) {
        is_good = acre_visible_set_create(NULL, &out->sets[i]) == ACRE_OK;
    }
    return is_good;
}

void hiding_free(hiding_world *w)
{
    acre_visible_set_destroy(w->sets[0]);
    acre_visible_set_destroy(w->sets[1]);
    acre_horizon_destroy(w->horizon);
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

bool hiding_add(hiding_world *w, const acre_aabb *box, hiding_kind kind)
{
    assert(w->count < HIDING_MOST);
    const acre_entity_def def = {.bounds = box};
    const uint32_t i = w->count++;
    w->boxes[i] = *box;
    w->kinds[i] = (uint8_t)kind;
    return acre_entity_create(w->scene, &def, &w->entities[i]) == ACRE_OK;
}

static acre_occluder occluder_of(const hiding_world *w, uint32_t i)
{
    acre_occluder occluder;
    ACRE_IGNORE(acre_occluder_from_box(&occluder, &w->boxes[i])); // of a box with edges
    occluder.flags = ACRE_OCCLUDER_TWO_SIDED;
    return occluder;
}

bool hiding_finish(hiding_world *w)
{
    bool is_good = acre_scene_commit(w->scene) == ACRE_OK;
    for (uint32_t i = 0; i < w->count && is_good; i++) {
        if (w->kinds[i] != HIDING_THING) {
            const acre_occluder occluder = occluder_of(w, i);
            is_good =
                acre_culling_set_occluders(w->culling, w->entities[i], &occluder, 1) == ACRE_OK;
        }
    }
    return is_good;
}

bool hiding_ask(hiding_world *w, const acre_camera *camera)
{
    acre_view view;
    if (acre_view_from_camera(&view, camera) != ACRE_OK ||
        acre_culling_find_visible(w->culling, &view, w->sets[0]) != ACRE_OK ||
        acre_horizon_begin_camera(w->horizon, camera, NULL) != ACRE_OK) {
        return false;
    }
    view.horizon = w->horizon;
    return acre_culling_find_visible(w->culling, &view, w->sets[1]) == ACRE_OK &&
           acre_visible_set_masks(w->sets, 2, w->masks, HIDING_MOST) == ACRE_OK;
}

static void show_solid(const hiding_world *w, stage *s, uint32_t i, const acre_aabb *box)
{
    const bool is_door = w->kinds[i] == HIDING_DOOR;
    if (w->is_glass) {
        const acre_occluder occluder = occluder_of(w, i);
        float matrix[16];
        ACRE_IGNORE(acre_entity_world_matrix(w->scene, w->entities[i], matrix));
        stage_prism(s, &occluder, matrix, 0.0f, is_door ? DOOR_COLOR : GLASS_COLOR);
    } else {
        stage_box(s, box, is_door ? DOOR_COLOR : WALL_COLOR);
    }
}

// What the eye sees: what is drawn, and nothing else.
static void show_picture(const hiding_world *w, stage *s, const acre_camera *camera)
{
    const acre_aabb *const boxes = acre_scene_get_view(w->scene).world_bounds;
    const uint32_t wanted = w->is_occlusion_on ? SEEN : HELD;
    stage_begin_screen(s, camera, "what the eye sees");
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t slot = w->entities[i].index1 - 1;
        if (w->masks[slot] & wanted) {
            stage_box(s, &boxes[slot],
                      w->kinds[i] == HIDING_THING  ? STAGE_YELLOW
                      : w->kinds[i] == HIDING_DOOR ? DOOR_COLOR
                                                   : WALL_COLOR);
        }
    }
}

static void show_counts(const hiding_world *w, stage *s)
{
    const size_t held = acre_visible_set_get(w->sets[0]).count;
    const size_t kept = acre_visible_set_get(w->sets[1]).count;
    stage_readout(s, "in the frustum", "%zu boxes", held);
    stage_readout(s, "kept", "%zu: %.1f %% hidden", kept,
                  held ? 100.0 * (double)(held - kept) / (double)held : 0.0);
    if (w->is_occlusion_on) { // a box is a draw of twelve triangles
        stage_readout(s, "draws saved", "%zu of %zu", held - kept, held);
        stage_readout(s, "triangles saved", "%zu of %zu", 12 * (held - kept), 12 * held);
    }
}

void hiding_show(hiding_world *w, stage *s, const acre_camera *camera)
{
    const acre_aabb *const boxes = acre_scene_get_view(w->scene).world_bounds;
    stage_switch(s, "occlusion (O)", &w->is_occlusion_on);
    s->occlusion_switch = &w->is_occlusion_on;
    stage_switch(s, "horizon as a ring", &w->is_ring_shown);
    stage_line_width(s, 1.0f);
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t slot = w->entities[i].index1 - 1, mask = w->masks[slot];
        const bool is_hidden = w->is_occlusion_on && mask == HELD;
        if (w->kinds[i] != HIDING_THING) {
            show_solid(w, s, i, &boxes[slot]);
        } else {
            stage_box(s, &boxes[slot],
                      mask == 0   ? OUTSIDE_COLOR
                      : is_hidden ? STAGE_RED
                                  : STAGE_YELLOW);
        }
    }
    if (w->is_ring_shown) {
        stage_drawing drawing = {.stage = s, .rgba = (STAGE_SKY & ~0xffu) | 0x90u};
        const acre_debug_draw draw = stage_debug_draw(&drawing, 0);
        acre_horizon_debug_draw(w->horizon, &draw);
    }
    stage_line_width(s, 2.0f);
    show_counts(w, s);
    stage_key(s, STAGE_YELLOW, "yellow", "drawn for the eye");
    if (w->is_occlusion_on) {
        stage_key(s, STAGE_RED, "red", "hidden by solid boxes");
    }
    stage_key(s, OUTSIDE_COLOR, "gray", "outside the frustum");
    if (w->is_glass) {
        stage_key(s, DOOR_COLOR, "blue", "doors");
    }
    if (w->is_ring_shown) {
        stage_key(s, STAGE_SKY, "light blue", "all that the horizon blocks");
    }
    stage_key(s, STAGE_VIOLET, "violet", "the eye and its frustum");
    show_picture(w, s, camera);
}
