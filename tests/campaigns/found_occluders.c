// SPDX-License-Identifier: MIT
// found_occluders.c - what occluders that are found in a model leave out: a horizon beside a
// picture of what each eye really sees.
//
// The model stands SIDE times SIDE times, a step of 1.5 times its width apart. Eyes stand at random
// places outside of what is solid, at the heights that are given, and look level. An object is
// hidden where no pixel of 2560 x 1440 is its; "dropped" is the share of those in the frustum that
// the horizon leaves out. An object that has a pixel and is left out is lost: there must be none.
// Twelve pictures from all around also show whether an occluder is in front of what is drawn.
//     found_occluders MODEL.glb SIDE VIEWS HEIGHT...
// Exit status: 0 nothing is lost and no occluder in front; 1 else; 2 bad arguments.
#include "item_buffer.h"

#include <acre/culling.h>
#include <acre/horizon.h>
#include <acre/import.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 2560, HEIGHT = 1440 };

typedef struct world {
    acre_import_model *model; // with what was found
    acre_scene *scene;
    acre_culling *culling;
    acre_horizon *horizon;
    acre_entity *entities; // by slot
    uint32_t slot_count;
    acre_aabb bounds;
    item_buffer buffer;
    uint32_t *pixels, *plain, *kept; // by slot; the answers
} world;

typedef struct tally {
    uint64_t found, seen, kept, lost;
    uint64_t occluders, gave_up; // that the horizon took; of the views
} tally;

static void demand(bool is_good, const char *what)
{
    if (!is_good) {
        fprintf(stderr, "found_occluders: %s\n", what);
        exit(1);
    }
}

static void *make(size_t count, size_t size)
{
    void *const made = calloc(count + 1, size);
    demand(made != NULL, "out of memory");
    return made;
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static double draw(double low, double high)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

// ---- the world ----

static void read_model(world *out, const char *path)
{
    char message[256];
    acre_import_model *model;
    double times[4];
    times[0] = now();
    demand(acre_import_file(path, NULL, &model, message, sizeof message) == ACRE_OK, message);
    times[1] = now();
    acre_import_finding *const findings = make(model->node_count, sizeof *findings);
    const acre_import_find_def def = {.replace = true};
    demand(acre_import_find_occluders(model, &def, NULL, &out->model) == ACRE_OK, "search");
    times[2] = now();
    demand(acre_import_find_occluders(model, &def, findings, NULL) == ACRE_OK, "report");
    uint32_t nodes = 0, with_some = 0;
    double share = 0.0;
    for (uint32_t i = 0; i < model->node_count; i++) {
        nodes += findings[i].reason != ACRE_IMPORT_NO_TRIANGLES;
        with_some += findings[i].occluder_count > 0;
        share += (double)findings[i].share;
    }
    printf("%s: %lu triangles, nodes with triangles %u, with occluders %u, occluders %u, "
           "share %.2f; search %.1f ms, reading %.1f ms\n",
           path, (unsigned long)model->triangle_total, nodes, with_some, out->model->occluder_count,
           with_some > 0 ? share / with_some : 0.0, times[2] - times[1], times[1] - times[0]);
    free(findings);
    acre_import_free(model);
}

// The copies of the model, each under an entity that carries it to its place.
static void fill_scene(world *out, uint32_t side)
{
    const uint32_t count = out->model->node_count;
    demand(acre_scene_create(NULL, &out->scene) == ACRE_OK, "scene");
    acre_entity *const made = make((size_t)count * side * side, sizeof *made);
    acre_aabb one = acre_aabb_empty();
    for (uint32_t copy = 0; copy < side * side; copy++) {
        const float step = 1.5f * fmaxf(one.max[0] - one.min[0], one.max[2] - one.min[2]);
        const acre_transform at = {.translation = {copy ? step * (float)(copy % side) : 0, 0,
                                                   copy ? step * (float)(copy / side) : 0},
                                   .rotation = {0, 0, 0, 1},
                                   .scale = {1, 1, 1}};
        acre_entity parent;
        demand(
            acre_entity_create(out->scene, &(acre_entity_def){.local = &at}, &parent) == ACRE_OK &&
                acre_import_to_scene(out->model, out->scene, parent, made + (size_t)count * copy) ==
                    ACRE_OK &&
                acre_scene_commit(out->scene) == ACRE_OK,
            "entities");
        const acre_scene_view view = acre_scene_get_view(out->scene);
        for (uint32_t slot = 0; slot < view.slot_count && copy == 0; slot++) {
            if (acre_aabb_is_finite(&view.world_bounds[slot])) {
                one = acre_aabb_merge(&one, &view.world_bounds[slot]);
            }
        }
    }
    demand(acre_culling_create(out->scene, &(acre_culling_def){.register_all = true},
                               &out->culling) == ACRE_OK &&
               acre_scene_commit(out->scene) == ACRE_OK,
           "culling");
    out->slot_count = acre_scene_get_view(out->scene).slot_count;
    out->entities = make(out->slot_count, sizeof *out->entities);
    for (uint32_t i = 0; i < count * side * side; i++) {
        const acre_import_node *const node = &out->model->nodes[i % count];
        out->entities[made[i].index1 - 1] = made[i];
        demand(node->occluder_count == 0 ||
                   acre_culling_set_occluders(out->culling, made[i],
                                              out->model->occluders + node->first_occluder,
                                              node->occluder_count) == ACRE_OK,
               "occluders");
    }
    demand(acre_scene_commit(out->scene) == ACRE_OK, "commit");
    free(made);
    const acre_scene_view view = acre_scene_get_view(out->scene);
    out->bounds = acre_aabb_empty();
    for (uint32_t slot = 0; slot < out->slot_count; slot++) {
        if (acre_aabb_is_finite(&view.world_bounds[slot])) {
            out->bounds = acre_aabb_merge(&out->bounds, &view.world_bounds[slot]);
        }
    }
}

static const acre_import_node *node_of(const world *at, uint32_t slot)
{
    return &at->model->nodes[acre_scene_get_view(at->scene).user[slot]];
}

static bool is_drawn(const world *at, uint32_t slot)
{
    return at->entities[slot].index1 != 0 && node_of(at, slot)->mesh_count > 0;
}

static void draw_slot(world *at, uint32_t slot)
{
    float matrix[16];
    const acre_import_node *const node = node_of(at, slot);
    demand(acre_entity_world_matrix(at->scene, at->entities[slot], matrix) == ACRE_OK, "matrix");
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const acre_import_mesh *const from =
            &at->model->meshes[at->model->node_meshes[node->first_mesh + i]];
        const bool is_two_sided = (from->flags & ACRE_IMPORT_MESH_TWO_SIDED) != 0;
        item_buffer_draw(
            &at->buffer, slot,
            &(item_mesh){from->points, from->triangles, from->triangle_count, is_two_sided},
            matrix);
    }
}

// ---- occluders beside the meshes ----

static void draw_occluder(item_buffer *buffer, const acre_occluder *from, const float *matrix)
{
    float points[2 * ACRE_OCCLUDER_MAX_POINTS][3];
    uint32_t triangles[4 * ACRE_OCCLUDER_MAX_POINTS][3], count = 0;
    const uint32_t n = from->point_count;
    for (uint32_t k = 0; k < 2 * n; k++) {
        points[k][0] = from->points[k % n][0];
        points[k][1] = k < n ? from->bottom : from->top;
        points[k][2] = from->points[k % n][1];
    }
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t next = (k + 1) % n;
        const uint32_t four[4][3] = {
            {k, next, k + n}, {next, next + n, k + n}, {0, k, next}, {n, n + k, n + next}};
        memcpy(triangles[count], four, sizeof four);
        count += 4;
    }
    item_buffer_draw(buffer, 0, &(item_mesh){points[0], triangles[0], count, true}, matrix);
}

// Draws the meshes into the world's picture and the occluders into another.
static void draw_both(world *at, item_buffer *occluders, const acre_camera *camera)
{
    item_buffer_begin(&at->buffer, camera);
    item_buffer_begin(occluders, camera);
    for (uint32_t slot = 0; slot < at->slot_count; slot++) {
        float matrix[16];
        if (!is_drawn(at, slot)) {
            continue;
        }
        draw_slot(at, slot);
        const acre_import_node *const node = node_of(at, slot);
        demand(acre_entity_world_matrix(at->scene, at->entities[slot], matrix) == ACRE_OK,
               "matrix");
        for (uint32_t i = 0; i < node->occluder_count; i++) {
            const acre_occluder *const o = &at->model->occluders[node->first_occluder + i];
            if (isfinite(o->bottom)) {
                draw_occluder(occluders, o, matrix);
            }
        }
    }
}

// The pixels in which an occluder is in front of all meshes: by more than 2e-6 of the distance, as
// its top may lie in a face.
static uint64_t count_outside(world *at)
{
    static const float up[3] = {0, 1, 0};
    item_buffer occluders;
    float middle[3], radius = 0.0f;
    uint64_t count = 0;
    demand(item_buffer_create(&occluders, WIDTH, HEIGHT), "out of memory");
    for (int axis = 0; axis < 3; axis++) {
        const float half = 0.5f * (at->bounds.max[axis] - at->bounds.min[axis]);
        middle[axis] = at->bounds.min[axis] + half;
        radius = hypotf(radius, half);
    }
    for (int k = 0; k < 12; k++) {
        const double angle = 0.6 + k * 1.0471976, height = k < 6 ? 0.45 : -0.3;
        const float eye[3] = {middle[0] + 2.3f * radius * (float)(cos(angle) * cos(height)),
                              middle[1] + 2.3f * radius * (float)sin(height),
                              middle[2] + 2.3f * radius * (float)(sin(angle) * cos(height))};
        acre_camera camera = {0};
        demand(acre_camera_perspective(&camera, 0.9f, 16.0f / 9, 0.05f * radius, 10 * radius,
                                       ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
                   acre_camera_look_at(&camera, eye, middle, up) == ACRE_OK,
               "camera");
        draw_both(at, &occluders, &camera);
        for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
            const bool is_met = at->buffer.items[i] != ITEM_BUFFER_NONE;
            count += occluders.items[i] != ITEM_BUFFER_NONE &&
                     !(is_met && occluders.nearness[i] <= at->buffer.nearness[i] * (1 + 2e-6));
        }
    }
    item_buffer_free(&occluders);
    return count;
}

// ---- views ----

// The box around an occluder of a node, in the world.
static acre_aabb box_of(const acre_occluder *occluder, const float *matrix)
{
    acre_aabb box = acre_aabb_empty();
    for (uint32_t k = 0; k < 2 * occluder->point_count; k++) {
        const float *const point = occluder->points[k / 2];
        const float y = k % 2 == 0 ? fmaxf(occluder->bottom, -1e3f) : occluder->top;
        acre_aabb corner;
        for (int axis = 0; axis < 3; axis++) {
            corner.min[axis] = corner.max[axis] = matrix[axis] * point[0] + matrix[4 + axis] * y +
                                                  matrix[8 + axis] * point[1] + matrix[12 + axis];
        }
        box = acre_aabb_merge(&box, &corner);
    }
    return box;
}

// Whether an eye stands outside of what is solid: 0.15 m off the box of each occluder.
static bool is_free(const world *at, const float *eye)
{
    bool is_near = false;
    for (uint32_t slot = 0; slot < at->slot_count && !is_near; slot++) {
        float matrix[16];
        const uint32_t count = is_drawn(at, slot) ? node_of(at, slot)->occluder_count : 0;
        if (count > 0) {
            demand(acre_entity_world_matrix(at->scene, at->entities[slot], matrix) == ACRE_OK,
                   "matrix");
        }
        for (uint32_t i = 0; i < count && !is_near; i++) {
            const uint32_t first = node_of(at, slot)->first_occluder;
            const acre_aabb box = box_of(&at->model->occluders[first + i], matrix);
            is_near = true;
            for (int axis = 0; axis < 3; axis++) {
                is_near &= eye[axis] > box.min[axis] - 0.15f && eye[axis] < box.max[axis] + 0.15f;
            }
        }
    }
    return !is_near;
}

static void look(world *at, const float *eye, double angle, tally *sum)
{
    static const float up[3] = {0, 1, 0};
    const float target[3] = {eye[0] + (float)cos(angle), eye[1], eye[2] + (float)sin(angle)};
    acre_camera camera = {0};
    acre_view view = {0};
    size_t plain = 0, kept = 0;
    demand(acre_camera_perspective(&camera, 1.0471976f, 16.0f / 9, 0.1f, 1500,
                                   ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
               acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
               acre_view_from_camera(&view, &camera) == ACRE_OK &&
               acre_culling_query_view(at->culling, &view, at->plain, at->slot_count, &plain) ==
                   ACRE_OK &&
               acre_horizon_begin_camera(at->horizon, &camera, NULL) == ACRE_OK,
           "view");
    view.horizon = at->horizon;
    demand(acre_culling_query_view(at->culling, &view, at->kept, at->slot_count, &kept) == ACRE_OK,
           "view with a horizon");
    acre_horizon_stats stats;
    acre_horizon_get_stats(at->horizon, &stats);
    sum->occluders += stats.occluders;
    sum->gave_up += stats.gave_up;
    item_buffer_begin(&at->buffer, &camera);
    memset(at->pixels, 0, at->slot_count * sizeof *at->pixels);
    for (size_t i = 0; i < plain; i++) {
        if (is_drawn(at, at->plain[i])) {
            draw_slot(at, at->plain[i]);
        }
    }
    item_buffer_count(&at->buffer, at->pixels);
    uint64_t seen = 0, kept_seen = 0;
    for (size_t i = 0; i < plain; i++) {
        sum->found += is_drawn(at, at->plain[i]);
        seen += at->pixels[at->plain[i]] > 0;
    }
    for (size_t i = 0; i < kept; i++) {
        sum->kept += is_drawn(at, at->kept[i]);
        kept_seen += at->pixels[at->kept[i]] > 0;
    }
    sum->seen += seen;
    sum->lost += seen - kept_seen;
}

static tally look_around(world *at, uint32_t views, char **heights, int height_count)
{
    tally sum = {0};
    for (uint32_t view = 0, tries = 0; view < views; tries++) {
        demand(tries < 1000 * views, "no place for an eye");
        const float eye[3] = {(float)draw((double)at->bounds.min[0], (double)at->bounds.max[0]),
                              strtof(heights[view % (uint32_t)height_count], NULL),
                              (float)draw((double)at->bounds.min[2], (double)at->bounds.max[2])};
        if (is_free(at, eye)) {
            look(at, eye, draw(0.0, 6.2831853), &sum);
            view++;
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    const unsigned long side = argc > 4 ? strtoul(argv[2], NULL, 10) : 0;
    const unsigned long views = argc > 4 ? strtoul(argv[3], NULL, 10) : 0;
    if (side < 1 || side > 100 || views < 1 || views > 100000) {
        fprintf(stderr, "usage: found_occluders MODEL.glb SIDE VIEWS HEIGHT...\n");
        return 2;
    }
    world at = {0};
    read_model(&at, argv[1]);
    fill_scene(&at, (uint32_t)side);
    at.pixels = make(at.slot_count, sizeof *at.pixels);
    at.plain = make(at.slot_count, sizeof *at.plain);
    at.kept = make(at.slot_count, sizeof *at.kept);
    demand(acre_horizon_create(&(acre_horizon_def){0}, &at.horizon) == ACRE_OK &&
               item_buffer_create(&at.buffer, WIDTH, HEIGHT),
           "horizon");
    const tally sum = look_around(&at, (uint32_t)views, argv + 4, argc - 4);
    const double count = (double)views;
    const uint64_t hidden = sum.found - sum.seen, dropped = sum.found - sum.kept - sum.lost;
    printf("a view of %lu: in the frustum %.1f, seen %.1f, kept %.1f, occluders %.1f, given up "
           "%.2f; dropped of what is hidden %.3f; lost %lu\n",
           views, (double)sum.found / count, (double)sum.seen / count, (double)sum.kept / count,
           (double)sum.occluders / count, (double)sum.gave_up / count,
           hidden > 0 ? (double)dropped / (double)hidden : 0.0, (unsigned long)sum.lost);
    const uint64_t outside = count_outside(&at);
    printf("pixels of occluders in front of what is drawn, in 12 pictures: %lu\n",
           (unsigned long)outside);
    item_buffer_free(&at.buffer);
    acre_horizon_destroy(at.horizon);
    acre_culling_destroy(at.culling);
    acre_scene_destroy(at.scene);
    acre_import_free(at.model);
    free(at.entities);
    free(at.pixels);
    free(at.plain);
    free(at.kept);
    return sum.lost > 0 || outside > 0;
}
