// SPDX-License-Identifier: MIT
// engine_acre.c - frames by Acre's scene and culler, by its tree alone, and by a plain loop.
#include "engine_acre.h"

#include <acre/culling.h>

#include <stdlib.h>
#include <string.h>

// ---- the scene and the culler ----

typedef struct scene_state {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity *entities; // by item; the item is the slot
    uint32_t count;
} scene_state;

static void destroy_scene(void *state)
{
    scene_state *const self = state;
    if (self) {
        acre_culling_destroy(self->culling);
        acre_scene_destroy(self->scene);
        free(self->entities);
        free(self);
    }
}

static acre_transform standing_at(const float *center)
{
    acre_transform at = ACRE_TRANSFORM_IDENTITY;
    memcpy(at.translation, center, sizeof at.translation);
    return at;
}

static acre_result fill_scene(scene_state *self, const engine_world *world)
{
    const acre_culling_def def = {.tree = {.half_size = world->half_size}, .register_all = true};
    acre_result result = acre_scene_create(NULL, &self->scene);
    result = result == ACRE_OK ? acre_culling_create(self->scene, &def, &self->culling) : result;
    for (uint32_t i = 0; i < world->count && result == ACRE_OK; i++) {
        const float *const half = world->half_sizes[i];
        const acre_transform at = standing_at(world->centers[i]);
        const acre_aabb box = {{-half[0], -half[1], -half[2]}, {half[0], half[1], half[2]}};
        const acre_entity_def entity = {.local = &at, .bounds = &box};
        result = acre_entity_create(self->scene, &entity, &self->entities[i]);
    }
    return result == ACRE_OK ? acre_scene_commit(self->scene) : result;
}

static void *create_scene(const engine_world *world)
{
    scene_state *const self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    self->count = world->count;
    self->entities = calloc(world->count, sizeof *self->entities);
    if (!self->entities || fill_scene(self, world) != ACRE_OK) {
        destroy_scene(self);
        return NULL;
    }
    return self;
}

static bool frame_of_scene(void *state, const engine_frame *frame, engine_answer *answers)
{
    scene_state *const self = state;
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < frame->mover_count && result == ACRE_OK; i++) {
        const uint32_t item = frame->movers[i];
        const acre_transform at = standing_at(frame->centers[item]);
        result = acre_entity_set_local(self->scene, self->entities[item], &at);
    }
    result = result == ACRE_OK ? acre_scene_commit(self->scene) : result;
    for (uint32_t i = 0; i < frame->camera_count && result == ACRE_OK; i++) {
        size_t total = 0;
        acre_view view;
        result = acre_view_from_camera(&view, &frame->cameras[i]);
        if (result == ACRE_OK) {
            result = acre_culling_query_view(self->culling, &view, answers[i].items, self->count,
                                             &total);
        }
        answers[i].count = (uint32_t)total;
    }
    return result == ACRE_OK;
}

// ---- boxes in arrays: the tree alone, and a loop ----

typedef struct array_state {
    const float (*half_sizes)[3];
    acre_aabb *boxes; // by item
    uint32_t count;
    acre_quadtree *tree; // NULL: a loop
} array_state;

static void destroy_arrays(void *state)
{
    array_state *const self = state;
    if (self) {
        acre_quadtree_destroy(self->tree);
        free(self->boxes);
        free(self);
    }
}

static void *create_loop(const engine_world *world)
{
    array_state *const self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    self->half_sizes = world->half_sizes;
    self->count = world->count;
    self->boxes = calloc(world->count, sizeof *self->boxes);
    if (!self->boxes) {
        destroy_arrays(self);
        return NULL;
    }
    for (uint32_t i = 0; i < world->count; i++) {
        self->boxes[i] = acre_aabb_from_center(world->centers[i], world->half_sizes[i]);
    }
    return self;
}

static void *create_tree(const engine_world *world)
{
    array_state *const self = create_loop(world);
    if (!self) {
        return NULL;
    }
    const acre_quadtree_def def = {.half_size = world->half_size};
    acre_result result = acre_quadtree_create(&def, &self->tree);
    for (uint32_t i = 0; i < world->count && result == ACRE_OK; i++) {
        result = acre_quadtree_insert(self->tree, i, &self->boxes[i]);
    }
    if (result != ACRE_OK || acre_quadtree_optimize(self->tree) != ACRE_OK) {
        destroy_arrays(self);
        return NULL;
    }
    return self;
}

static void move_boxes(array_state *self, const engine_frame *frame)
{
    for (uint32_t i = 0; i < frame->mover_count; i++) {
        const uint32_t item = frame->movers[i];
        self->boxes[item] = acre_aabb_from_center(frame->centers[item], self->half_sizes[item]);
    }
}

static bool frame_of_tree(void *state, const engine_frame *frame, engine_answer *answers)
{
    array_state *const self = state;
    acre_result result = ACRE_OK;
    move_boxes(self, frame);
    for (uint32_t i = 0; i < frame->mover_count && result == ACRE_OK; i++) {
        const uint32_t item = frame->movers[i];
        result = acre_quadtree_refresh(self->tree, item, &self->boxes[item]);
    }
    result = result == ACRE_OK ? acre_quadtree_maintain(self->tree) : result;
    for (uint32_t i = 0; i < frame->camera_count && result == ACRE_OK; i++) {
        acre_frustum frustum;
        result = acre_camera_frustum(&frame->cameras[i], &frustum);
        answers[i].count = (uint32_t)acre_quadtree_query_frustum(self->tree, &frustum,
                                                                 answers[i].items, self->count);
    }
    return result == ACRE_OK;
}

// As one writes it: a plane after the other, and no further than the first that hides the box.
static bool is_visible(const acre_frustum *frustum, const acre_aabb *box)
{
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        const float *const plane = frustum->planes[i];
        const float x = plane[0] >= 0.0f ? box->max[0] : box->min[0];
        const float y = plane[1] >= 0.0f ? box->max[1] : box->min[1];
        const float z = plane[2] >= 0.0f ? box->max[2] : box->min[2];
        if (plane[0] * x + plane[1] * y + plane[2] * z + plane[3] < 0.0f) {
            return false;
        }
    }
    return true;
}

static bool frame_of_loop(void *state, const engine_frame *frame, engine_answer *answers)
{
    array_state *const self = state;
    move_boxes(self, frame);
    for (uint32_t i = 0; i < frame->camera_count; i++) {
        acre_frustum frustum;
        if (acre_camera_frustum(&frame->cameras[i], &frustum) != ACRE_OK) {
            return false;
        }
        engine_answer *const answer = &answers[i];
        answer->count = 0;
        for (uint32_t item = 0; item < self->count; item++) {
            if (is_visible(&frustum, &self->boxes[item])) {
                answer->items[answer->count++] = item;
            }
        }
    }
    return true;
}

const engine engine_acre_scene = {"acre", create_scene, frame_of_scene, destroy_scene};
const engine engine_acre_tree = {"acre, tree alone", create_tree, frame_of_tree, destroy_arrays};
const engine engine_loop = {"plain loop", create_loop, frame_of_loop, destroy_arrays};
