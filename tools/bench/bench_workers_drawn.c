// SPDX-License-Identifier: MIT
// bench_workers_drawn.c - a scene of chains, what is drawn of it, and a bare tree of its boxes.
#include "bench_workers_drawn.h"

#include <acre/camera.h>

#include <stdlib.h>
#include <string.h>

// ---- the world ----

static acre_transform place_of_box(const acre_aabb *box)
{
    acre_transform local = ACRE_TRANSFORM_IDENTITY;
    for (int k = 0; k < 3; k++) {
        local.translation[k] = 0.5f * (box->min[k] + box->max[k]);
    }
    return local;
}

// Each chain hangs from a box of the country; its links lie two meters apart.
static bool create_chains(drawn_world *world)
{
    static const acre_aabb bounds = {{-0.5f, 0, -0.5f}, {0.5f, 2, 0.5f}};
    const acre_transform step = {{2, 0, 0.5f}, {0, 0, 0, 1}, {1, 1, 1}};
    bool is_good = true;
    for (uint32_t i = 0; i < world->root_count && is_good; i++) {
        world->locals[0][i] = place_of_box(&world->land->boxes[i]);
        world->locals[1][i] = world->locals[0][i];
        world->locals[1][i].translation[0] += 0.1f;
        acre_entity above = {0};
        for (uint32_t link = 0; link < DRAWN_CHAIN && is_good; link++) {
            const acre_entity_def def = {
                .parent = above, .local = link ? &step : &world->locals[0][i], .bounds = &bounds};
            is_good = acre_entity_create(world->scene, &def, &above) == ACRE_OK;
            world->roots[i] = link ? world->roots[i] : above;
        }
    }
    return is_good && acre_scene_commit(world->scene) == ACRE_OK &&
           acre_culling_optimize(world->culling) == ACRE_OK;
}

static bool create_cascades(drawn_world *world)
{
    const float eye[3] = {0, 60, 0}, target[3] = {300, 0, 200}, up[3] = {0, 1, 0};
    const float far_distance = world->land->half_size;
    const acre_cascades_def def = {.light = {0.4f, -1, 0.3f},
                                   .caster_distance = 200,
                                   .log_share = 0.5f,
                                   .count = DRAWN_CASCADES,
                                   .resolution = 2048};
    acre_camera camera;
    bool is_good = acre_camera_perspective(&camera, 1.2f, 1.6f, 0.5f, far_distance,
                                           ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
                   acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
                   acre_cascades_fit(&def, &camera, world->cascades) == ACRE_OK;
    for (int i = 0; i < DRAWN_CASCADES && is_good; i++) {
        const acre_receivers_def receivers = {.resolution = 128};
        is_good = acre_receivers_create(&receivers, &world->receivers[i]) == ACRE_OK;
    }
    return is_good;
}

static bool allocate(drawn_world *world)
{
    const size_t count = world->land->count;
    world->roots = calloc(world->root_count, sizeof *world->roots);
    world->locals[0] = calloc(world->root_count, sizeof *world->locals[0]);
    world->locals[1] = calloc(world->root_count, sizeof *world->locals[1]);
    world->items = calloc(count, sizeof *world->items);
    world->keys = calloc(count, sizeof *world->keys);
    world->slots = calloc(count, sizeof *world->slots);
    world->lods = calloc(count, sizeof *world->lods);
    world->casters = calloc(count * DRAWN_CASCADES, sizeof *world->casters);
    bool is_good = world->roots && world->locals[0] && world->locals[1] && world->items &&
                   world->keys && world->slots && world->lods && world->casters;
    for (uint32_t i = 0; i < count && is_good; i++) {
        world->items[i] = i;
        world->keys[i] = i / DRAWN_CHAIN % 200;
        world->lods[i] = (uint8_t)(i % 4);
    }
    return is_good;
}

static bool list_half(drawn_world *world)
{
    const size_t count = world->land->count;
    return acre_culling_query_frustum(world->culling, &world->view.frustum, 0, world->slots, count,
                                      &world->slot_count) == ACRE_OK &&
           world->slot_count > 0 && world->slot_count <= count;
}

bool drawn_create(drawn_world *world, const country *land, acre_kernel kernel)
{
    *world = (drawn_world){.land = land, .root_count = land->count / DRAWN_CHAIN};
    const acre_scene_def scene = {.scene = 2, .kernel = kernel};
    const acre_quadtree_def tree = {.half_size = land->half_size, .kernel = kernel};
    const acre_culling_def culling = {.tree = tree, .register_all = true};
    const acre_visible_set_def set = {.flags = ACRE_VISIBLE_LODS};
    world->view = (acre_view){.frustum = {.planes = {{0.8f, 0, 0.6f, 0}}, .plane_count = 1},
                              .pixels = 1000,
                              .min_pixels = 2};
    return allocate(world) && acre_scene_create(&scene, &world->scene) == ACRE_OK &&
           acre_culling_create(world->scene, &culling, &world->culling) == ACRE_OK &&
           create_chains(world) && create_cascades(world) &&
           acre_quadtree_create(&tree, &world->tree) == ACRE_OK &&
           acre_visible_set_create(&set, &world->set) == ACRE_OK &&
           acre_draw_list_create(NULL, &world->list) == ACRE_OK && list_half(world) &&
           drawn_run(world, DRAWN_VIEW) && drawn_run(world, DRAWN_BUILD);
}

void drawn_destroy(drawn_world *world)
{
    for (int i = 0; i < DRAWN_CASCADES; i++) {
        acre_receivers_destroy(world->receivers[i]);
    }
    acre_draw_list_destroy(world->list);
    acre_visible_set_destroy(world->set);
    acre_quadtree_destroy(world->tree);
    acre_culling_destroy(world->culling);
    acre_scene_destroy(world->scene);
    free(world->roots);
    free(world->locals[0]);
    free(world->locals[1]);
    free(world->items);
    free(world->keys);
    free(world->slots);
    free(world->lods);
    free(world->casters);
}

bool drawn_set_tasks(drawn_world *world, const acre_tasks *tasks)
{
    return acre_scene_set_tasks(world->scene, tasks) == ACRE_OK &&
           acre_culling_set_tasks(world->culling, tasks) == ACRE_OK &&
           acre_quadtree_set_tasks(world->tree, tasks) == ACRE_OK;
}

// ---- the tasks ----

static bool move_chains(drawn_world *world)
{
    const acre_transform *const locals = world->locals[world->frame++ & 1];
    return acre_scene_set_locals(world->scene, world->roots, locals, world->root_count) ==
               ACRE_OK &&
           acre_scene_commit(world->scene) == ACRE_OK;
}

static bool find_view(drawn_world *world)
{
    world->view.eye[0] = world->frame++ & 1 ? 1e-3f : -1e-3f; // by a hair: no result is reused
    return acre_culling_find_visible(world->culling, &world->view, world->set) == ACRE_OK;
}

static bool build_list(drawn_world *world)
{
    const acre_draw_input input = {.slots = world->slots,
                                   .count = world->slot_count,
                                   .lods = world->lods,
                                   .keys = world->keys,
                                   .key_count = world->land->count,
                                   .order = ACRE_DRAW_NEAR_TO_FAR,
                                   .matrices = ACRE_MATRIX_ROWS};
    return acre_draw_list_build(world->list, world->culling, &input) == ACRE_OK;
}

static bool find_casters(drawn_world *world)
{
    bool is_good = true;
    for (int i = 0; i < DRAWN_CASCADES && is_good; i++) {
        acre_receivers *const receivers = world->receivers[i];
        is_good = acre_receivers_begin(receivers, &world->cascades[i]) == ACRE_OK &&
                  acre_culling_add_receivers_in_slice(world->culling, receivers, 0) == ACRE_OK &&
                  acre_culling_query_casters(
                      world->culling, receivers, world->casters + (size_t)i * world->land->count,
                      world->land->count, &world->caster_counts[i]) == ACRE_OK;
    }
    return is_good;
}

static bool build_tree(drawn_world *world)
{
    acre_quadtree_clear(world->tree);
    return acre_quadtree_insert_many(world->tree, world->items, world->land->boxes,
                                     world->land->count) == ACRE_OK;
}

bool drawn_run(drawn_world *world, drawn_task task)
{
    switch (task) {
    case DRAWN_CHAINS:
        return move_chains(world);
    case DRAWN_VIEW:
        return find_view(world);
    case DRAWN_LIST:
        return build_list(world);
    case DRAWN_CASTERS:
        return find_casters(world);
    case DRAWN_BUILD:
        return build_tree(world);
    default:
        return acre_quadtree_optimize(world->tree) == ACRE_OK;
    }
}

// ---- checks ----

static uint64_t mix_words(uint64_t hash, const void *words, size_t bytes)
{
    const unsigned char *const from = words;
    for (size_t i = 0; i + sizeof(uint32_t) <= bytes; i += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, from + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

uint64_t drawn_hash(drawn_world *world)
{
    world->frame = 0;
    for (int task = 0; task < DRAWN_TASK_COUNT_; task++) {
        if (!drawn_run(world, (drawn_task)task)) {
            return 0;
        }
    }
    const acre_draw draw = acre_draw_list_get(world->list);
    const acre_visible visible = acre_visible_set_get(world->set);
    uint64_t hash = acre_quadtree_state_hash(world->tree);
    hash = mix_words(hash, visible.slots, visible.count * sizeof *visible.slots);
    hash = mix_words(hash, visible.lods, visible.count);
    hash = mix_words(hash, draw.slots, draw.count * sizeof *draw.slots);
    hash = mix_words(hash, draw.matrices, draw.count * draw.matrix_floats * sizeof(float));
    for (int i = 0; i < DRAWN_CASCADES; i++) {
        hash = mix_words(hash, world->casters + (size_t)i * world->land->count,
                         world->caster_counts[i] * sizeof(uint32_t));
    }
    return hash ? hash : 1;
}

uint64_t drawn_chains_hash(drawn_world *world)
{
    uint64_t hash = 0;
    world->frame = 0;
    for (int i = 0; i < 2; i++) {
        if (!move_chains(world)) {
            return 0;
        }
        const acre_scene_view scene = acre_scene_get_view(world->scene);
        hash = mix_words(hash, scene.world_bounds, scene.slot_count * sizeof *scene.world_bounds);
    }
    return hash ? hash : 1;
}
