// SPDX-License-Identifier: MIT
// view_occlusion.c - what of a city's frustum stands behind occluders: the horizon, what it hides,
// and how overlays show it.
#include "view_occlusion.h"

#include "view_camera.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PRISM_COLOR 0x56b4e948u // STAGE_SKY
#define HIDDEN_COLOR 0xf82810u  // STAGE_RED
#define RING_SCALE 6.0f         // times the 10 m of acre_horizon_debug_draw

enum { HELD = 1, SEEN = 2 }; // in view_occlusion.masks

acre_result view_occlusion_create(view_occlusion *out, const run_world *world)
{
    *out = (view_occlusion){0};
    if (world->model->occluder_count == 0) {
        return ACRE_OK;
    }
    acre_result result = acre_horizon_create(&(acre_horizon_def){0}, &out->horizon);
    if (result == ACRE_OK) {
        result = acre_draw_list_create(NULL, &out->list);
    }
    out->masks = calloc((size_t)world->slot_count + 1, sizeof *out->masks);
    return result == ACRE_OK && !out->masks ? ACRE_ERROR_OUT_OF_MEMORY : result;
}

void view_occlusion_free(view_occlusion *o)
{
    acre_horizon_destroy(o->horizon);
    acre_draw_list_destroy(o->list);
    free(o->masks);
    *o = (view_occlusion){0};
}

acre_result view_occlusion_begin(view_occlusion *o, const acre_camera *camera)
{
    if (memcmp(o->begun.view, camera->view, sizeof camera->view) == 0 &&
        memcmp(o->begun.projection, camera->projection, sizeof camera->projection) == 0) {
        return ACRE_OK;
    }
    o->begun = *camera;
    return acre_horizon_begin_camera(o->horizon, camera, NULL);
}

bool view_occlusion_hides(const view_occlusion *o, uint32_t slot)
{
    assert(o->is_known);
    return o->masks[slot] == HELD;
}

void view_occlusion_mark(const view_occlusion *o, const run_world *world, instance_look *looks)
{
    for (uint32_t slot = 0; slot < world->slot_count; slot++) {
        if (view_occlusion_hides(o, slot)) {
            looks[slot] = (instance_look){HIDDEN_COLOR, 0.75f};
        }
    }
}

// A ring that is seen from afar: the same slopes, farther out.
typedef struct ring_drawing {
    stage *stage;
    float eye[3];
} ring_drawing;

static void draw_ring_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    const ring_drawing *const ring = user;
    const float *const ends[2] = {a, b};
    float at[2][3];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            at[i][k] = ring->eye[k] + RING_SCALE * (ends[i][k] - ring->eye[k]);
        }
    }
    (void)rgba; // what hides others has one color here
    stage_line(ring->stage, at[0], at[1], (STAGE_SKY & ~0xffu) | 0x50u);
}

static void draw_prisms(const run_world *world, uint32_t node, stage *s)
{
    const acre_import_node *const n = &world->model->nodes[node];
    float matrix[16];
    if (n->occluder_count > 0 &&
        acre_entity_world_matrix(world->scene, world->nodes[node], matrix) == ACRE_OK) {
        for (uint32_t i = 0; i < n->occluder_count; i++) {
            stage_prism(s, &world->model->occluders[n->first_occluder + i], matrix,
                        world->bounds.min[1], PRISM_COLOR);
        }
    }
}

static void draw_ring(const view_occlusion *o, const acre_camera *camera, stage *s)
{
    ring_drawing ring = {.stage = s};
    const acre_debug_draw draw = {.user = &ring, .line = draw_ring_line};
    view_camera_eye(camera, ring.eye);
    acre_horizon_debug_draw(o->horizon, &draw);
}

void view_occlusion_draw(const view_occlusion *o, const run_world *world,
                         const acre_camera *ring_camera, stage *s)
{
    stage_line_width(s, 1.0f);
    for (uint32_t node = 0; node < world->model->node_count; node++) {
        if (o->masks[world->nodes[node].index1 - 1] == (HELD | SEEN)) {
            draw_prisms(world, node, s);
        }
    }
    if (ring_camera) {
        draw_ring(o, ring_camera, s);
    }
    stage_line_width(s, 2.0f);
}
