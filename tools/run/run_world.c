// SPDX-License-Identifier: MIT
// run_world.c - a scene file as entities, the culler around it, cars on its streets.
#include "run_world.h"

#include "import_sandbox.h"
#include "run_statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WELD 0.5f // meters; the tiles of a map are cut on a grid of 0.2 m

// Meters from the origin. There a float's step is 1 km; 100 times as far out the planes of a camera
// that sees 1 km fall into one, and beyond 2^100 m there is no tree.
#define FARTHEST 1e10f

const acre_aabb run_car_box = {{-0.9f, 0.0f, -2.2f}, {0.9f, 1.5f, 2.2f}};

static bool fail(char *message, size_t size, const char *path, const char *what, acre_result result)
{
    snprintf(message, size, "%s: %s: %s", path, what, acre_result_text(result));
    return false;
}

// The culler comes between these two hooks, because modules are called in the order of attachment.
static acre_result clock_before(void *user, const acre_scene *scene,
                                const acre_scene_changes *changes)
{
    (void)scene;
    commit_clock *const clock = user;
    clock->moved = changes->moved_count;
    clock->begin = clock_seconds();
    return ACRE_OK;
}

static acre_result clock_after(void *user, const acre_scene *scene,
                               const acre_scene_changes *changes)
{
    (void)scene;
    (void)changes;
    ((commit_clock *)user)->end = clock_seconds();
    return ACRE_OK;
}

static acre_result attach_culling(run_world *world)
{
    commit_clock *const clock = &world->clock;
    clock->before = (acre_module){.name = "clock before", .commit = clock_before, .user = clock};
    clock->after = (acre_module){.name = "clock after", .commit = clock_after, .user = clock};
    acre_culling_def def = {.register_all = true};
    float half = 0.0f;
    for (int k = 0; k < 2; k++) {
        const float low = world->bounds.min[2 * k], high = world->bounds.max[2 * k];
        def.tree.center[k] = 0.5f * low + 0.5f * high;
        half = fmaxf(half, 0.5f * high - 0.5f * low);
    }
    def.tree.half_size = half; // 0, a single point, means the default
    world->tree_def = def.tree;
    acre_result result = acre_scene_attach(world->scene, &clock->before);
    if (result == ACRE_OK) {
        result = acre_culling_create(world->scene, &def, &world->culling);
    }
    if (result == ACRE_OK) {
        result = acre_scene_attach(world->scene, &clock->after);
    }
    return result;
}

static entity_kind node_kind(const acre_import_model *model, const acre_import_node *node)
{
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        if (model->meshes[model->node_meshes[node->first_mesh + i]].triangle_count) {
            return KIND_SOLID;
        }
    }
    return node->mesh_count ? KIND_STREET : KIND_GROUP;
}

// The kinds of lines in maps that no car drives on; other files have no such names.
static bool is_drivable(const char *name)
{
    static const char *const others[] = {"/path/", "/pedestrian/", "/steps/", "_rail/", "/rail/"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strstr(name, others[i])) {
            return false;
        }
    }
    return true;
}

static void transform_point(const float *matrix, const float *point, float *out)
{
    for (int k = 0; k < 3; k++) {
        out[k] = matrix[k] * point[0] + matrix[4 + k] * point[1] + matrix[8 + k] * point[2] +
                 matrix[12 + k];
    }
}

// What the file says that its nodes hide others with.
static acre_result set_occluders(run_world *world)
{
    acre_result result = ACRE_OK;
    for (uint32_t n = 0; n < world->model->node_count && result == ACRE_OK; n++) {
        const acre_import_node *const node = &world->model->nodes[n];
        if (node->occluder_count > 0) {
            result = acre_culling_set_occluders(world->culling, world->nodes[n],
                                                world->model->occluders + node->first_occluder,
                                                node->occluder_count);
        }
    }
    return result;
}

// Appends a mesh's lines, in world coordinates.
static size_t add_segments(const acre_import_mesh *mesh, const float *matrix, street_segment *out)
{
    for (uint32_t i = 0; i < mesh->line_count; i++) {
        transform_point(matrix, mesh->points + 3 * (size_t)mesh->lines[2 * (size_t)i], out[i].a);
        transform_point(matrix, mesh->points + 3 * (size_t)mesh->lines[2 * (size_t)i + 1],
                        out[i].b);
    }
    return mesh->line_count;
}

static size_t node_line_count(const acre_import_model *model, const acre_import_node *node)
{
    size_t count = 0;
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        count += model->meshes[model->node_meshes[node->first_mesh + i]].line_count;
    }
    return is_drivable(node->name) ? count : 0;
}

static bool build_streets(run_world *world)
{
    const acre_import_model *const model = world->model;
    size_t count = 0;
    for (uint32_t n = 0; n < model->node_count; n++) {
        count += node_line_count(model, &model->nodes[n]);
    }
    street_segment *const segments = calloc(count + 1, sizeof *segments);
    if (!segments) {
        return false;
    }
    size_t filled = 0;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const acre_import_node *const node = &model->nodes[n];
        float matrix[16];
        if (node_line_count(model, node) == 0 ||
            acre_entity_world_matrix(world->scene, world->nodes[n], matrix) != ACRE_OK) {
            continue;
        }
        for (uint32_t i = 0; i < node->mesh_count; i++) {
            const uint32_t mesh = model->node_meshes[node->first_mesh + i];
            filled += add_segments(&model->meshes[mesh], matrix, segments + filled);
        }
    }
    const bool is_built = streets_build(&world->streets, segments, filled, WELD);
    free(segments);
    return is_built;
}

// Tiles of a map are named zoom/x/y: see tools/scenes.
static bool has_map_tiles(const acre_import_model *model)
{
    for (uint32_t n = 0; n < model->node_count; n++) {
        const char *const name = model->nodes[n].name;
        unsigned zoom, x, y;
        int length = 0;
        if (sscanf(name, "%3u/%9u/%9u%n", &zoom, &x, &y, &length) == 3 && name[length] == '\0') {
            return true;
        }
    }
    return false;
}

// The distance of a box's farthest corner from the origin, along the axis where it is largest.
static float box_reach(const acre_aabb *box)
{
    float reach = 0.0f;
    for (int k = 0; k < 3; k++) {
        reach = fmaxf(reach, fmaxf(-box->min[k], box->max[k]));
    }
    return reach;
}

// Whether all finite boxes are near enough for floats; if not, names the node that is farthest out.
static bool check_reach(const run_world *world, const char *path, char *message, size_t size)
{
    const acre_scene_view view = acre_scene_get_view(world->scene);
    float reach = FARTHEST;
    uint64_t farthest = UINT64_MAX;
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_aabb *const box = &view.world_bounds[slot];
        if (acre_aabb_is_finite(box) && box_reach(box) > reach) {
            reach = box_reach(box);
            farthest = view.user[slot];
        }
    }
    if (farthest == UINT64_MAX) {
        return true;
    }
    snprintf(message, size, "%s: node %lu '%.100s' reaches %g m from the origin; the most is %g m",
             path, (unsigned long)farthest, world->model->nodes[farthest].name, (double)reach,
             (double)FARTHEST);
    return false;
}

static bool create_nodes(run_world *world, const char *path, char *message, size_t size)
{
    const acre_import_model *const model = world->model;
    acre_result result = acre_scene_create(&(acre_scene_def){0}, &world->scene);
    world->nodes = calloc(model->node_count, sizeof *world->nodes);
    if (result == ACRE_OK && !world->nodes) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (result == ACRE_OK) {
        result = acre_import_to_scene(model, world->scene, (acre_entity){0}, world->nodes);
    }
    if (result == ACRE_OK) {
        result = acre_scene_commit(world->scene);
    }
    if (result != ACRE_OK) {
        return fail(message, size, path, "the scene", result);
    }
    const acre_scene_view view = acre_scene_get_view(world->scene);
    world->bounds = acre_aabb_empty();
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        if (acre_aabb_is_finite(&view.world_bounds[slot])) {
            world->bounds = acre_aabb_merge(&world->bounds, &view.world_bounds[slot]);
        }
    }
    if (acre_aabb_is_empty(&world->bounds)) {
        snprintf(message, size, "%s: no mesh in it has points of a finite size", path);
        return false;
    }
    return check_reach(world, path, message, size);
}

static acre_result create_cars(run_world *world, const run_options *options)
{
    const uint32_t count = world->streets.edge_count ? options->cars : 0;
    const traffic_def def = {.seed = options->seed, .car_count = count};
    world->cars = calloc((size_t)count + 1, sizeof *world->cars);
    if (!world->cars || !traffic_create(&def, &world->streets, &world->traffic)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const acre_transform *const at = traffic_transforms(world->traffic);
    for (uint32_t i = 0; i < count; i++) {
        const acre_entity_def car = {.local = &at[i], .bounds = &run_car_box, .user = i};
        const acre_result result = acre_entity_create(world->scene, &car, &world->cars[i]);
        if (result != ACRE_OK) {
            return result;
        }
    }
    world->kind_counts[KIND_CAR] = count;
    return ACRE_OK;
}

static acre_result label_slots(run_world *world)
{
    world->slot_count = acre_scene_get_view(world->scene).slot_count;
    world->kinds = calloc((size_t)world->slot_count + 1, sizeof *world->kinds);
    if (!world->kinds) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t n = 0; n < world->model->node_count; n++) {
        const entity_kind kind = node_kind(world->model, &world->model->nodes[n]);
        world->kinds[world->nodes[n].index1 - 1] = (uint8_t)kind;
        world->kind_counts[kind]++;
    }
    for (uint32_t i = 0; i < world->kind_counts[KIND_CAR]; i++) {
        world->kinds[world->cars[i].index1 - 1] = KIND_CAR;
    }
    return ACRE_OK;
}

bool run_world_create(const run_options *options, run_world *out, char *message,
                      size_t message_size)
{
    *out = (run_world){0};
    const char *const path = options->scene_path;
    const import_sandbox_def def = {.finds_occluders = options->has_occlusion};
    if (import_sandbox_file(path, &def, &out->model, message, message_size) != ACRE_OK) {
        return false;
    }
    out->is_openstreetmap = has_map_tiles(out->model);
    if (!create_nodes(out, path, message, message_size)) {
        return false;
    }
    if (!build_streets(out) || !flight_plan(&out->path, &out->streets, &out->bounds)) {
        return fail(message, message_size, path, "streets", ACRE_ERROR_OUT_OF_MEMORY);
    }
    acre_result result = create_cars(out, options);
    if (result == ACRE_OK) {
        result = attach_culling(out);
    }
    if (result == ACRE_OK) {
        result = acre_scene_commit(out->scene);
    }
    if (result == ACRE_OK) {
        result = set_occluders(out);
    }
    if (result == ACRE_OK) {
        result = label_slots(out);
    }
    return result == ACRE_OK || fail(message, message_size, path, "the scene", result);
}

void run_world_free(run_world *world)
{
    acre_culling_destroy(world->culling);
    acre_scene_destroy(world->scene);
    traffic_destroy(world->traffic);
    flight_free(&world->path);
    streets_free(&world->streets);
    free(world->nodes);
    free(world->cars);
    free(world->kinds);
    acre_import_free(world->model);
    *world = (run_world){0};
}

bool run_view_at(const run_world *world, uint32_t frame, run_view *out)
{
    // An afternoon sun; shadows of the tallest roofs reach 300 m.
    static const acre_cascades_def shadows = {.light = {0.5f, -0.8f, 0.35f},
                                              .distance = 500.0f,
                                              .caster_distance = 300.0f,
                                              .log_share = 0.7f,
                                              .count = RUN_CASCADE_COUNT,
                                              .resolution = 2048};
    flight_pose(&world->path, frame, &out->pose);
    const view_pose *const pose = &out->pose;
    out->cameras[0] = (acre_camera){0};
    if (acre_camera_perspective(&out->cameras[0], pose->vertical_fov, pose->aspect,
                                pose->near_distance, pose->far_distance,
                                ACRE_CLIP_ZERO_TO_ONE) != ACRE_OK ||
        acre_camera_look_at(&out->cameras[0], pose->eye, pose->target, pose->up) != ACRE_OK ||
        acre_cascades_fit(&shadows, &out->cameras[0], out->cascades) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < RUN_CASCADE_COUNT; i++) {
        out->cameras[1 + i] = out->cascades[i].camera;
    }
    return true;
}

const char *run_camera_name(uint32_t camera)
{
    static const char *const names[RUN_CAMERA_COUNT] = {"camera", "cascade 1", "cascade 2",
                                                        "cascade 3", "cascade 4"};
    return names[camera];
}

const char *run_entity_name(const run_world *world, uint32_t slot, uint64_t *number)
{
    *number = acre_scene_get_view(world->scene).user[slot];
    return world->kinds[slot] == KIND_CAR ? "car" : world->model->nodes[*number].name;
}

const char *run_solid_name(const run_world *world)
{
    return world->is_openstreetmap ? "buildings" : "solids";
}
