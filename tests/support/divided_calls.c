// SPDX-License-Identifier: MIT
// divided_calls.c - a small world, and the calls of it that are divided among workers.
#include "divided_calls.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_KEPT = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS | ACRE_VISIBLE_SUM };
enum { CROWD_OF_ENTITY = 8, NEIGHBOR_ROWS_OF_ENTITY = 3 };

// ---- hashes ----

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *const from = bytes;
    for (size_t i = 0; i < size; i += sizeof hash) { // word by word: tests spend their time here
        uint64_t word = 0;
        memcpy(&word, from + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t mix_list(uint64_t hash, const void *elements, size_t count, size_t size)
{
    return mix(mix(hash, &count, sizeof count), elements, count * size);
}

static uint64_t mix_tree(uint64_t hash, const acre_quadtree *tree, bool is_exact)
{
    acre_quadtree_stats stats = {0};
    if (tree) {
        acre_quadtree_get_stats(tree, &stats);
    }
    const uint64_t own = stats.items == 0 ? 0
                         : is_exact       ? acre_quadtree_state_hash(tree)
                                          : acre_quadtree_content_hash(tree);
    return mix(hash, &own, sizeof own);
}

static uint64_t mix_scene(uint64_t hash, const acre_scene *scene, bool is_exact)
{
    const acre_scene_view view = acre_scene_get_view(scene);
    hash = is_exact ? mix(hash, &view.commit, sizeof view.commit) : hash;
    hash = mix_list(hash, view.world_bounds, view.slot_count, sizeof *view.world_bounds);
    hash = mix_list(hash, view.flags, view.slot_count, sizeof *view.flags);
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        acre_transform local = ACRE_TRANSFORM_IDENTITY; // as recorded
        ACRE_IGNORE(acre_entity_get_local(scene, acre_scene_entity(scene, slot), &local));
        hash = mix(hash, local.translation, sizeof local.translation);
    }
    return hash;
}

static uint64_t mix_set(uint64_t hash, const acre_visible_set *set, bool is_exact)
{
    const acre_visible found = acre_visible_set_get(set);
    hash = mix_list(hash, found.slots, found.count, sizeof *found.slots);
    hash = mix_list(hash, found.lods, found.lods ? found.count : 0, sizeof *found.lods);
    hash = mix_list(hash, found.bits, found.word_count, sizeof *found.bits);
    hash = mix(hash, &found.sum.box, sizeof found.sum.box);
    if (is_exact) {
        hash = mix_list(hash, found.entered, found.entered_count, sizeof *found.entered);
        hash = mix_list(hash, found.left, found.left_count, sizeof *found.left);
        hash = mix_list(hash, found.stayed, found.stayed_count, sizeof *found.stayed);
        hash = mix_list(hash, found.changed, found.changed_count, sizeof *found.changed);
    }
    return hash;
}

static uint64_t mix_interest_list(uint64_t hash, const acre_interest_list *list, size_t rows)
{
    hash = mix_list(hash, list->items, list->count, sizeof *list->items);
    return list->count > 0 ? mix(hash, list->offsets, (rows + 1) * sizeof *list->offsets) : hash;
}

static uint64_t mix_lists(uint64_t hash, const divided_world *world)
{
    const acre_interest_changes seen = acre_interest_get_changes(world->interest);
    hash = mix_interest_list(hash, &seen.entered, seen.row_count);
    hash = mix_interest_list(hash, &seen.left, seen.row_count);
    hash = mix_interest_list(hash, &seen.stayed, seen.row_count);
    hash = mix_list(hash, seen.inverse_items, seen.inverse_count, sizeof *seen.inverse_items);
    hash = mix_list(hash, seen.observers, seen.inverse_count, sizeof *seen.observers);
    const acre_contacts_lists touching = acre_contacts_get(world->contacts);
    hash = mix_list(hash, touching.now, touching.now_count, sizeof *touching.now);
    hash = mix_list(hash, touching.began, touching.began_count, sizeof *touching.began);
    hash = mix_list(hash, touching.ended, touching.ended_count, sizeof *touching.ended);
    const acre_entity_contacts_lists met = acre_entity_contacts_get(world->entity_contacts);
    hash = mix_list(hash, met.now, met.now_count, sizeof *met.now);
    hash = mix_list(hash, met.began, met.began_count, sizeof *met.began);
    hash = mix_list(hash, met.ended, met.ended_count, sizeof *met.ended);
    const acre_draw draw = acre_draw_list_get(world->list);
    hash = mix_list(hash, draw.slots, draw.count, sizeof *draw.slots);
    hash = mix_list(hash, draw.ranges, draw.range_count, sizeof *draw.ranges);
    return mix_list(hash, draw.matrices, draw.matrices ? draw.count * draw.matrix_floats : 0,
                    sizeof *draw.matrices);
}

uint64_t divided_world_hash(const divided_world *world, bool is_exact)
{
    uint64_t hash = mix_scene(world->answers, world->bare, is_exact);
    hash = mix_scene(hash, world->scene, is_exact);
    hash = mix_tree(hash, acre_culling_tree(world->culling), is_exact);
    hash = mix_tree(hash, acre_culling_static_tree(world->culling), is_exact);
    hash = mix_tree(hash, world->tree, is_exact);
    hash = mix_tree(hash, world->other, is_exact);
    for (int i = 0; i < DIVIDED_VIEWS; i++) {
        hash = mix_set(hash, world->sets[i], is_exact);
    }
    return mix_lists(hash, world);
}

const char *divided_world_fault(const divided_world *world)
{
    const acre_quadtree *const still = acre_culling_static_tree(world->culling);
    return acre_scene_validate(world->bare, NULL, 0) != ACRE_OK        ? "bare"
           : acre_scene_validate(world->scene, NULL, 0) != ACRE_OK     ? "scene"
           : acre_culling_validate(world->culling, NULL, 0) != ACRE_OK ? "culler"
           : acre_quadtree_validate(acre_culling_tree(world->culling), NULL, 0) != ACRE_OK
               ? "moving"
           : still && acre_quadtree_validate(still, NULL, 0) != ACRE_OK  ? "static"
           : acre_quadtree_validate(world->tree, NULL, 0) != ACRE_OK     ? "tree"
           : acre_quadtree_validate(world->other, NULL, 0) != ACRE_OK    ? "other"
           : acre_interest_validate(world->interest, NULL, 0) != ACRE_OK ? "interest"
                                                                         : NULL;
}

// ---- the world ----

// The side of a square in which an entity has some 20 square meters.
static float side_of(const divided_world *world)
{
    float side = 32;
    while (side * side < 20.0f * (float)world->count) {
        side *= 1.25f;
    }
    return side;
}

void divided_world_move(divided_world *world)
{
    const float half = side_of(world) / 2;
    world->frame++;
    for (uint32_t i = 0; i < world->count; i++) {
        test_random random = {world->seed * 1000003 + i};
        const float x = random_float(&random, -half, half), z = random_float(&random, -half, half);
        const float size = 0.25f * (float)(1u << random_below(&random, 4));
        // It comes back after some frames; one in 16 jumps.
        test_random step = {world->seed + i * UINT64_C(7919) + world->frame % 16};
        const float reach = random_below(&step, 16) == 0 ? 40.0f : 1.0f;
        world->locals[i] = (acre_transform)ACRE_TRANSFORM_IDENTITY;
        float *const place = world->locals[i].translation;
        place[0] = x + random_float(&step, -reach, reach);
        place[1] = random_float(&step, 0, 5);
        place[2] = z + random_float(&step, -reach, reach);
        for (int axis = 0; axis < 3; axis++) {
            world->boxes[i].min[axis] = place[axis] - size;
            world->boxes[i].max[axis] = place[axis] + size;
        }
    }
    acre_quadtree_clear(world->other);
}

static bool create_arrays(divided_world *world)
{
    world->entities = calloc(world->count, sizeof *world->entities);
    world->locals = calloc(world->count, sizeof *world->locals);
    world->boxes = calloc(world->count, sizeof *world->boxes);
    world->items = calloc(world->count, sizeof *world->items);
    world->slots = calloc(world->count, sizeof *world->slots);
    world->faces = calloc(world->count, sizeof *world->faces);
    world->pairs = calloc(world->count, sizeof *world->pairs);
    world->rows = calloc(NEIGHBOR_ROWS_OF_ENTITY * (size_t)world->count, sizeof *world->rows);
    world->distances = calloc(world->count, sizeof *world->distances);
    for (uint32_t i = 0; world->items && i < world->count; i++) {
        world->items[i] = i;
    }
    return world->entities && world->locals && world->boxes && world->items && world->slots &&
           world->faces && world->pairs && world->rows && world->distances;
}

static bool create_objects(divided_world *world)
{
    const acre_allocator *const memory = &world->memory.allocator;
    const acre_kernel kernel = world->kernel;
    const acre_scene_def scene = {.allocator = memory, .kernel = kernel};
    const acre_quadtree_def tree = {
        .half_size = 64, .node_capacity = 8, .allocator = memory, .kernel = kernel};
    const acre_quadtree_def crowd = {
        .half_size = 64, .node_capacity = 4, .allocator = memory, .kernel = kernel};
    const acre_culling_def culling = {.tree = tree, .register_all = true};
    const acre_visible_set_def set = {.flags = ALL_KEPT, .allocator = memory};
    const acre_receivers_def receivers = {.resolution = 16, .allocator = memory};
    const acre_interest_def interest = {.flags = ACRE_INTEREST_STAYED | ACRE_INTEREST_INVERSE,
                                        .allocator = memory,
                                        .kernel = kernel};
    bool is_good = true;
    for (int i = 0; i < DIVIDED_VIEWS; i++) {
        is_good &= acre_visible_set_create(&set, &world->sets[i]) == ACRE_OK;
    }
    return is_good && acre_scene_create(&scene, &world->bare) == ACRE_OK &&
           acre_scene_create(&scene, &world->scene) == ACRE_OK &&
           acre_culling_create(world->scene, &culling, &world->culling) == ACRE_OK &&
           acre_quadtree_create(&tree, &world->tree) == ACRE_OK &&
           acre_quadtree_create(&tree, &world->other) == ACRE_OK &&
           acre_quadtree_create(&crowd, &world->crowd) == ACRE_OK &&
           acre_interest_create(world->tree, &interest, &world->interest) == ACRE_OK &&
           acre_contacts_create(memory, &world->contacts) == ACRE_OK &&
           acre_entity_contacts_create(memory, &world->entity_contacts) == ACRE_OK &&
           acre_receivers_create(&receivers, &world->receivers) == ACRE_OK &&
           acre_draw_list_create(memory, &world->list) == ACRE_OK;
}

static bool set_tasks(divided_world *world, const acre_tasks *tasks)
{
    return acre_scene_set_tasks(world->bare, tasks) == ACRE_OK &&
           acre_scene_set_tasks(world->scene, tasks) == ACRE_OK &&
           acre_culling_set_tasks(world->culling, tasks) == ACRE_OK &&
           acre_quadtree_set_tasks(world->tree, tasks) == ACRE_OK &&
           acre_quadtree_set_tasks(world->other, tasks) == ACRE_OK &&
           acre_quadtree_set_tasks(world->crowd, tasks) == ACRE_OK &&
           acre_interest_set_tasks(world->interest, tasks) == ACRE_OK;
}

static bool fill_objects(divided_world *world)
{
    static const acre_visibility_rule rules[] = {{.max_distance = 60, .lod_pixels = {40, 10}},
                                                 {.min_pixels = 4, .lod_pixels = {60, 20, 5}}};
    static const acre_aabb bounds = {{-1, 0, -1}, {1, 2, 1}};
    bool is_good = acre_culling_set_rules(world->culling, rules, 2) == ACRE_OK;
    for (uint32_t i = 0; i < world->count && is_good; i++) {
        const acre_entity_def def = {.local = &world->locals[i],
                                     .bounds = &bounds,
                                     .parent = i % 10 == 9 ? world->entities[i - 5]
                                                           : (acre_entity){0, 0, 0},
                                     .flags = i % 11 == 0 ? ACRE_ENTITY_STATIC : 0};
        is_good = acre_entity_create(world->bare, &def, &world->entities[i]) == ACRE_OK &&
                  acre_entity_create(world->scene, &def, &world->entities[i]) == ACRE_OK &&
                  acre_culling_set_rule(world->culling, world->entities[i], i % 3) == ACRE_OK &&
                  acre_quadtree_insert(world->tree, i, &world->boxes[i]) == ACRE_OK;
    }
    for (uint32_t i = 0; i < DIVIDED_OBSERVERS && is_good; i++) {
        const acre_observer_def def = {.follows_item = true,
                                       .item = i * (world->count / DIVIDED_OBSERVERS),
                                       .enter_radius = 8,
                                       .leave_radius = 10};
        acre_observer observer;
        is_good = acre_interest_add(world->interest, &def, &observer) == ACRE_OK;
    }
    return is_good;
}

// Queries are divided once they have tested thousands of boxes.
static bool fill_crowd(divided_world *world)
{
    const uint32_t crowd = CROWD_OF_ENTITY * world->count;
    acre_aabb *const boxes = malloc(crowd * sizeof *boxes);
    uint32_t *const items = malloc(crowd * sizeof *items);
    test_random random = {world->seed};
    for (uint32_t i = 0; boxes && items && i < crowd; i++) {
        const float x = random_float(&random, -60, 60), z = random_float(&random, -60, 60);
        boxes[i] = (acre_aabb){{x, 0, z}, {x + 1, 1, z + 1}};
        items[i] = i;
    }
    const bool is_good = boxes && items &&
                         acre_quadtree_insert_many(world->crowd, items, boxes, crowd) == ACRE_OK &&
                         acre_quadtree_set_layers(world->crowd, 0, 2) == ACRE_OK &&
                         acre_quadtree_set_layers(world->crowd, crowd / 2, 4) == ACRE_OK;
    free(boxes);
    free(items);
    return is_good;
}

static bool fit_cascade(divided_world *world)
{
    static const float eye[3] = {-60, 30, -60}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    const acre_cascades_def def = {
        .light = {0.4f, -1, 0.3f}, .caster_distance = 40, .count = 1, .resolution = 512};
    acre_camera camera;
    return acre_camera_perspective(&camera, 1.2f, 1.6f, 0.5f, 200, ACRE_CLIP_ZERO_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
           acre_cascades_fit(&def, &camera, &world->cascade) == ACRE_OK;
}

bool divided_world_create(divided_world *world, uint32_t count, uint64_t seed,
                          const acre_tasks *tasks)
{
    return divided_world_create_with(world, count, seed, tasks, ACRE_KERNEL_DEFAULT);
}

bool divided_world_create_with(divided_world *world, uint32_t count, uint64_t seed,
                               const acre_tasks *tasks, acre_kernel kernel)
{
    *world = (divided_world){.kernel = kernel, .seed = seed, .count = count, .answers = seed};
    failing_allocator_init(&world->memory, FAIL_NEVER, 0);
    if (!create_arrays(world) || !create_objects(world) || !set_tasks(world, tasks)) {
        return false;
    }
    divided_world_move(world);
    return fill_objects(world) && fill_crowd(world) && fit_cascade(world);
}

void divided_world_destroy(divided_world *world)
{
    acre_draw_list_destroy(world->list);
    acre_receivers_destroy(world->receivers);
    acre_entity_contacts_destroy(world->entity_contacts);
    acre_contacts_destroy(world->contacts);
    acre_interest_destroy(world->interest);
    acre_quadtree_destroy(world->crowd);
    acre_quadtree_destroy(world->other);
    acre_quadtree_destroy(world->tree);
    acre_culling_destroy(world->culling);
    acre_scene_destroy(world->scene);
    acre_scene_destroy(world->bare);
    for (int i = 0; i < DIVIDED_VIEWS; i++) {
        acre_visible_set_destroy(world->sets[i]);
    }
    free(world->entities);
    free(world->locals);
    free(world->boxes);
    free(world->items);
    free(world->slots);
    free(world->faces);
    free(world->pairs);
    free(world->rows);
    free(world->distances);
}

// ---- the calls ----

static acre_view view_of(const divided_world *world, uint32_t number)
{
    static const acre_frustum slabs[DIVIDED_VIEWS] = {
        {.plane_count = 0},
        {.planes = {{0.8f, 0, 0.6f, 10}}, .plane_count = 1},
        {.planes = {{0, 0, 1, 30}, {0, 0, -1, 20}}, .plane_count = 2},
        {.planes = {{0.7f, 0, 0.7f, 40}, {-0.7f, 0, 0.7f, 5}}, .plane_count = 2}};
    return (acre_view){.frustum = slabs[number],
                       .eye = {(float)(world->frame % 16) - 8, 5, (float)number},
                       .pixels = 600,
                       .hysteresis = 0.1f};
}

static void note_slots(divided_world *world, size_t total)
{
    world->answers = mix_list(world->answers, world->slots,
                              total < world->count ? total : world->count, sizeof *world->slots);
    world->answers = mix(world->answers, &total, sizeof total);
}

static void note_pairs(divided_world *world, size_t total)
{
    world->answers = mix_list(world->answers, world->pairs,
                              total < world->count ? total : world->count, sizeof *world->pairs);
    world->answers = mix(world->answers, &total, sizeof total);
}

static acre_result run_bare_set_locals(divided_world *world)
{
    return acre_scene_set_locals(world->bare, world->entities, world->locals, world->count);
}

static acre_result run_bare_commit(divided_world *world)
{
    return acre_scene_commit(world->bare);
}

static acre_result run_set_locals(divided_world *world)
{
    return acre_scene_set_locals(world->scene, world->entities, world->locals, world->count);
}

static acre_result run_commit(divided_world *world)
{
    return acre_scene_commit(world->scene);
}

static acre_result run_culling_optimize(divided_world *world)
{
    return acre_culling_optimize(world->culling);
}

static acre_result run_shift(divided_world *world)
{
    static const double there[3] = {0.3, 0.0, -16.0}, back[3] = {-0.3, 0.0, 16.0};
    const acre_result result = acre_quadtree_shift(world->tree, there, NULL, 0, NULL);
    return result == ACRE_OK ? acre_quadtree_shift(world->tree, back, NULL, 0, NULL) : result;
}

static acre_result run_refresh_all(divided_world *world)
{
    return acre_quadtree_refresh_all(world->tree, world->boxes, world->count);
}

static acre_result run_maintain(divided_world *world)
{
    return acre_quadtree_maintain(world->tree);
}

static acre_result run_optimize(divided_world *world)
{
    return acre_quadtree_optimize(world->tree);
}

static acre_result run_insert_many(divided_world *world)
{
    return acre_quadtree_insert_many_in_layers(world->other, world->items, world->boxes,
                                               world->items, world->count);
}

static acre_result find_neighbors(divided_world *world, const acre_neighbors_query *query)
{
    acre_neighbor_lists lists = {.rows = world->rows,
                                 .items = world->slots,
                                 .capacity = world->count,
                                 .distances = world->distances};
    const acre_result result = acre_quadtree_neighbors(world->crowd, query, &lists);
    for (uint32_t i = 0; i < query->count && result == ACRE_OK; i++) {
        const acre_neighbor_row *const row = &world->rows[i];
        world->answers = mix(world->answers, &row->count, sizeof row->count);
        if (row->first + row->count <= world->count) {
            world->answers = mix_list(world->answers, world->slots + row->first, row->count,
                                      sizeof *world->slots);
            world->answers = mix_list(world->answers, world->distances + row->first, row->count,
                                      sizeof *world->distances);
        }
    }
    return result;
}

// All within a meter, and the nearest in layers of each row's own.
static acre_result run_neighbors(divided_world *world)
{
    acre_neighbors_query query = {.count = NEIGHBOR_ROWS_OF_ENTITY * world->count, .radius = 1};
    const acre_result result = find_neighbors(world, &query);
    query.count = world->count;
    query.nearest = 1;
    query.row_layers = world->items;
    return result == ACRE_OK ? find_neighbors(world, &query) : result;
}

static acre_result run_layers(divided_world *world)
{
    acre_neighbors_query query = {.count = world->count, .radius = 1};
    acre_result result = acre_quadtree_layers_within(world->crowd, &query, world->slots);
    world->answers = mix_list(world->answers, world->slots, world->count, sizeof *world->slots);
    query.items = world->items;
    if (result == ACRE_OK) {
        result = acre_quadtree_layers_within(world->crowd, &query, world->slots);
        world->answers = mix_list(world->answers, world->slots, world->count, sizeof *world->slots);
    }
    return result;
}

static acre_result run_pairs(divided_world *world)
{
    size_t total = 0;
    const acre_result result =
        acre_quadtree_pairs(world->tree, NULL, world->pairs, world->count, &total);
    note_pairs(world, total);
    return result;
}

static acre_result run_pairs_between(divided_world *world)
{
    size_t total = 0;
    const acre_result result = acre_quadtree_pairs_between(
        world->tree, acre_culling_tree(world->culling), NULL, world->pairs, world->count, &total);
    note_pairs(world, total);
    return result;
}

static acre_result run_contacts(divided_world *world)
{
    return acre_contacts_update(world->contacts, world->tree, NULL, NULL);
}

static acre_result run_entity_contacts(divided_world *world)
{
    return acre_entity_contacts_update(world->entity_contacts, world->culling, NULL);
}

static acre_result run_query_view(divided_world *world)
{
    acre_view view = view_of(world, 0);
    size_t total = 0;
    view.max_distance = 1e6f; // a view without rules is not divided
    const acre_result result =
        acre_culling_query_view(world->culling, &view, world->slots, world->count, &total);
    note_slots(world, total);
    return result;
}

static acre_result run_find_visible(divided_world *world)
{
    const acre_view view = view_of(world, 0);
    return acre_culling_find_visible(world->culling, &view, world->sets[0]);
}

// The set that find_visible found is not among them.
static acre_result run_find_visible_many(divided_world *world)
{
    acre_view views[DIVIDED_VIEWS];
    for (uint32_t i = 1; i < DIVIDED_VIEWS; i++) {
        views[i] = view_of(world, i);
    }
    return acre_culling_find_visible_many(world->culling, views + 1, world->sets + 1,
                                          DIVIDED_VIEWS - 1);
}

static acre_result run_casters(divided_world *world)
{
    const acre_visible seen = acre_visible_set_get(world->sets[0]);
    size_t total = 0;
    acre_result result = acre_receivers_begin(world->receivers, &world->cascade);
    if (result == ACRE_OK) {
        result = acre_culling_add_receivers(world->culling, world->receivers, seen.slots,
                                            seen.count / 2);
    }
    if (result == ACRE_OK) {
        result = acre_culling_add_receivers_in_slice(world->culling, world->receivers, 2);
    }
    if (result == ACRE_OK) {
        result = acre_culling_query_casters(world->culling, world->receivers, world->slots,
                                            world->count, &total);
    }
    note_slots(world, total);
    return result;
}

static acre_result run_light_casters(divided_world *world)
{
    const acre_local_light light = {.position = {5, 12, -4}, .range = 70};
    const acre_visible seen = acre_visible_set_get(world->sets[0]);
    const acre_view *const view = acre_visible_set_view(world->sets[0]);
    size_t total = 0;
    acre_result result =
        acre_receivers_begin_light(world->receivers, &light, view ? &view->frustum : NULL);
    if (result == ACRE_OK) {
        result = acre_culling_add_receivers(world->culling, world->receivers, seen.slots,
                                            seen.count / 2);
    }
    if (result == ACRE_OK) {
        result = acre_culling_add_receivers_in_slice(world->culling, world->receivers, 2);
    }
    if (result == ACRE_OK) {
        result = acre_culling_query_casters_by_face(world->culling, world->receivers, world->slots,
                                                    world->faces, world->count, &total);
    }
    note_slots(world, total);
    world->answers =
        mix_list(world->answers, world->faces, total < world->count ? total : world->count, 1);
    return result;
}

static acre_result run_draw_list(divided_world *world)
{
    const acre_visible seen = acre_visible_set_get(world->sets[0]);
    const acre_draw_input input = {.slots = seen.slots,
                                   .count = seen.count,
                                   .lods = seen.lods,
                                   .order = ACRE_DRAW_NEAR_TO_FAR,
                                   .matrices = ACRE_MATRIX_ROWS};
    return acre_draw_list_build(world->list, world->culling, &input);
}

static acre_result run_interest(divided_world *world)
{
    return acre_interest_update(world->interest);
}

const divided_call divided_calls[DIVIDED_CALLS] = {
    {"bare set_locals", run_bare_set_locals, false, false},
    {"bare commit", run_bare_commit, false, false},
    {"set_locals", run_set_locals, false, false},
    {"commit", run_commit, false, true},
    {"culling optimize", run_culling_optimize, true, true},
    {"shift", run_shift, false, false},
    {"refresh_all", run_refresh_all, false, false},
    {"maintain", run_maintain, false, false},
    {"optimize", run_optimize, true, false},
    {"insert_many in layers", run_insert_many, true, false},
    {"neighbors", run_neighbors, false, false},
    {"layers within", run_layers, false, false},
    {"pairs", run_pairs, false, false},
    {"pairs between", run_pairs_between, false, false},
    {"contacts", run_contacts, false, false},
    {"entity contacts", run_entity_contacts, false, false},
    {"query view", run_query_view, false, false},
    {"find_visible", run_find_visible, false, false},
    {"find_visible_many", run_find_visible_many, false, true},
    {"casters", run_casters, false, false},
    {"light casters", run_light_casters, false, false},
    {"draw list", run_draw_list, false, false},
    {"interest update", run_interest, false, false},
};
