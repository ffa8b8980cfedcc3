// SPDX-License-Identifier: MIT
// country_scene.c - a country as a scene in a culler, and cameras that move in it.
#include "country_scene.h"

#include "country_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ASPECT (16.0f / 9.0f)
#define FIELD_OF_VIEW 1.0471976f   // 60 degrees
#define PICTURE_TURN 0.0087266463f // radians a frame: 30 degrees a second
#define PICTURE_STEP 0.15f         // meters a frame: 9 m/s

enum { MOVER_STRIDE = 10 }; // of the land's items, the last of ten moves

// A camera before it moves.
typedef struct camera_start {
    float eye[3], forward[3], up[3];
    float width;         // of what an orthographic camera sees, meters; 0: a perspective of 60
                         // degrees
    float near_distance; // meters
    float far_distance;
} camera_start;

// The start's camera, turned about the vertical by `turn` radians (small) and moved ahead.
static bool camera_from_start(const camera_start *start, float turn, float ahead, acre_camera *out)
{
    const float c = 1.0f / sqrtf(1.0f + turn * turn), s = turn * c;
    const float *const f = start->forward, *const u = start->up;
    const float forward[3] = {c * f[0] - s * f[2], f[1], s * f[0] + c * f[2]};
    const float up[3] = {c * u[0] - s * u[2], u[1], s * u[0] + c * u[2]};
    const float *const way = fabsf(f[1]) < 0.99f ? forward : up; // over the ground
    const float eye[3] = {start->eye[0] + ahead * way[0], start->eye[1],
                          start->eye[2] + ahead * way[2]};
    const float target[3] = {eye[0] + forward[0], eye[1] + forward[1], eye[2] + forward[2]};
    *out = (acre_camera){0};
    const acre_result result =
        start->width > 0.0f
            ? acre_camera_orthographic(out, start->width, start->width, start->near_distance,
                                       start->far_distance, ACRE_CLIP_ZERO_TO_ONE)
            : acre_camera_perspective(out, FIELD_OF_VIEW, ASPECT, start->near_distance,
                                      start->far_distance, ACRE_CLIP_ZERO_TO_ONE);
    return result == ACRE_OK && acre_camera_look_at(out, eye, target, up) == ACRE_OK;
}

// As country_views.c has them.
static void place_camera(const country *land, uint64_t *random, view_kind kind, camera_start *out)
{
    static const float heights[] = {1.7f, 80.0f, 85.0f, 300.0f, 600.0f};
    static const float distances[] = {1000.0f, 2000.0f, 400.0f, 600.0f, 700.0f};
    float place[2], heading[2];
    country_next_place(land, random, place);
    draw_direction(random, heading);
    const bool looks_down = kind == VIEW_RTS || kind == VIEW_WHOLE;
    *out = (camera_start){.eye = {place[0], heights[kind], place[1]},
                          .forward = {heading[0], kind == VIEW_AERIAL ? -0.15f : 0.0f, heading[1]},
                          .up = {0.0f, 1.0f, 0.0f},
                          .near_distance = 0.1f,
                          .far_distance = distances[kind]};
    if (looks_down) {
        memcpy(out->up, (const float[3]){heading[0], 0.0f, heading[1]}, sizeof out->up);
        memcpy(out->forward, (const float[3]){0.0f, -1.0f, 0.0f}, sizeof out->forward);
    }
    if (kind == VIEW_SHADOW) {
        out->width = 200.0f;
        out->forward[0] *= 0.5f;
        out->forward[1] = -1.0f;
        out->forward[2] *= 0.5f;
        const float back = 300.0f / sqrtf(1.25f);
        out->eye[1] = back;
        out->eye[0] -= back * out->forward[0];
        out->eye[2] -= back * out->forward[2];
    }
    if (kind == VIEW_WHOLE) {
        out->width = 1.5f * (2.2f * land->half_size + 800.0f); // also where it is turned
        out->eye[0] = out->eye[2] = 0.0f;
        out->near_distance = 1.0f;
    }
}

// Of the whole, half the country's width is added to the distance.
static const track_limits limits_of_kinds[VIEW_KIND_COUNT_] = {
    {700.0f, 300.0f, 50.0f, 250.0f, true},
    {1400.0f, 600.0f, 100.0f, 500.0f, true},
    {95.0f, 85.0f, 20.0f, 60.0f, false},
    {310.0f, 335.0f, 20.0f, 60.0f, false},
    {0.0f, 600.0f, 300.0f, 1000.0f, false}};

static bool make_tracks(country_scene *world, uint32_t views)
{
    uint64_t random = 0x747261636b73u;
    bool is_good = true;
    world->kind_count = VIEW_KIND_COUNT_;
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        track_kind *const kind = &world->kinds[k];
        kind->limits = limits_of_kinds[k];
        kind->name = view_kind_name((view_kind)k);
        kind->limits.max_distance += k == VIEW_WHOLE ? world->land.half_size : 0.0f;
        kind->track_count = k == VIEW_WHOLE ? (views + 7) / 8 : views;
        for (uint32_t i = 0; i < kind->track_count; i++) {
            camera_start start;
            place_camera(&world->land, &random, (view_kind)k, &start);
            for (int f = 0; f < TRACK_LENGTH; f++) {
                is_good = camera_from_start(&start, (float)f * PICTURE_TURN,
                                            (float)f * PICTURE_STEP, &kind->cameras[i][f]) &&
                          is_good;
            }
        }
    }
    return is_good;
}

// Limits of small, middling, large and huge things. Each use takes the part that it measures.
static uint16_t rule_of(const acre_aabb *box)
{
    const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1];
    const float z = box->max[2] - box->min[2];
    const float size2 = x * x + y * y + z * z;
    return size2 < 9.0f ? 1 : size2 < 100.0f ? 2 : size2 < 1600.0f ? 3 : 4;
}

bool country_scene_list(country_scene *world, acre_scene *scene, acre_culling *culling)
{
    const acre_scene_view view = acre_scene_get_view(scene);
    world->scene = scene;
    world->culling = culling;
    world->slot_count = view.slot_count;
    world->items = calloc((size_t)view.slot_count + 1, sizeof *world->items);
    world->boxes = calloc((size_t)view.slot_count + 1, sizeof *world->boxes);
    world->rules = calloc((size_t)view.slot_count + 1, sizeof *world->rules);
    world->ground = acre_aabb_empty();
    if (!world->items || !world->boxes || !world->rules) {
        return false;
    }
    bool is_good = true;
    for (uint32_t slot = 0; slot < view.slot_count && is_good; slot++) {
        const acre_aabb *const box = &view.world_bounds[slot];
        const acre_entity entity = acre_scene_entity(world->scene, slot);
        if (acre_aabb_is_empty(box)) {
            continue;
        }
        world->boxes[world->item_count] = *box;
        world->items[world->item_count++] = slot;
        world->rules[slot] = rule_of(box);
        world->ground = acre_aabb_merge(&world->ground, box);
        is_good = acre_culling_set_rule(world->culling, entity, world->rules[slot]) == ACRE_OK &&
                  acre_entity_set_layers(world->scene, entity, 1u << slot % 4) == ACRE_OK;
    }
    world->ground.max[1] = world->ground.min[1];
    return is_good && acre_scene_commit(world->scene) == ACRE_OK;
}

static acre_result create_entity(country_scene *world, uint32_t item)
{
    const acre_aabb *const box = &world->land.boxes[item];
    const bool is_static = item % MOVER_STRIDE != MOVER_STRIDE - 1;
    acre_transform place = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = {1.0f, 1.0f, 1.0f}};
    acre_aabb local;
    for (int k = 0; k < 3; k++) {
        place.translation[k] = 0.5f * (box->min[k] + box->max[k]);
        local.max[k] = 0.5f * (box->max[k] - box->min[k]);
        local.min[k] = -local.max[k];
    }
    acre_entity entity;
    const acre_result result = acre_entity_create(
        world->scene,
        &(acre_entity_def){
            .local = &place, .bounds = &local, .flags = is_static ? ACRE_ENTITY_STATIC : 0},
        &entity);
    world->mover_count += result == ACRE_OK && !is_static;
    return result;
}

static bool create_entities(country_scene *world, acre_kernel kernel)
{
    const country *const land = &world->land;
    const acre_culling_def def = {.tree = {.half_size = land->half_size, .kernel = kernel},
                                  .register_all = true};
    acre_result result = acre_scene_create(&(acre_scene_def){0}, &world->scene);
    for (uint32_t item = 0; item < land->count && result == ACRE_OK; item++) {
        result = create_entity(world, item);
    }
    if (result == ACRE_OK) {
        result = acre_culling_create(world->scene, &def, &world->culling);
    }
    return result == ACRE_OK && acre_scene_commit(world->scene) == ACRE_OK;
}

bool country_scene_create(country_scene *out, uint32_t count, uint32_t views, acre_kernel kernel)
{
    *out = (country_scene){.kinds = calloc(VIEW_KIND_COUNT_, sizeof *out->kinds)};
    return out->kinds && country_create(&out->land, count, 1) && create_entities(out, kernel) &&
           country_scene_list(out, out->scene, out->culling) && make_tracks(out, views);
}

void country_scene_free(country_scene *world, bool owns_scene)
{
    if (owns_scene) {
        acre_culling_destroy(world->culling);
        acre_scene_destroy(world->scene);
    }
    country_free(&world->land);
    free(world->items);
    free(world->boxes);
    free(world->rules);
    free(world->kinds);
    *world = (country_scene){0};
}
