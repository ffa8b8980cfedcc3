// SPDX-License-Identifier: MIT
// test_culling_random.c - random streams of scene edits, registrations and refreshes: after every
// one of them a query answers exactly what testing every entity answers.
#include "scene_oracle.h"

#include "frustum_kinds.h"

#include <acre/culling.h>

#include <stdlib.h>
#include <string.h>

// What the culler should know of an entity, by its index in the oracle.
typedef struct model_entity {
    bool is_registered, is_excluded, has_own_box;
    acre_aabb own_box;
} model_entity;

typedef struct culling_stream {
    scene_oracle oracle;
    acre_culling *culling;
    bool register_all;
    model_entity *model;
    int model_capacity;
    uint32_t *found; // room for a query's slots
    size_t found_capacity;
    uint8_t *times; // by slot
} culling_stream;

static bool stream_init(culling_stream *stream, bool register_all, int limit, uint64_t seed)
{
    memset(stream, 0, sizeof *stream);
    stream->register_all = register_all;
    const acre_culling_def def = {.register_all = register_all,
                                  .tree = {.half_size = 100, .node_capacity = 8}};
    return scene_oracle_init(&stream->oracle, &(acre_scene_def){0}, limit, seed) &&
           acre_culling_create(stream->oracle.scene, &def, &stream->culling) == ACRE_OK;
}

static void stream_free(culling_stream *stream)
{
    acre_culling_destroy(stream->culling);
    scene_oracle_free(&stream->oracle);
    free(stream->model);
    free(stream->found);
    free(stream->times);
}

// Room for all entities and slots.
static const char *stream_grow(culling_stream *stream)
{
    const int count = stream->oracle.count;
    if (count > stream->model_capacity) {
        const size_t capacity = (size_t)(2 * count);
        model_entity *const model = realloc(stream->model, capacity * sizeof *model);
        stream->model = model ? model : stream->model;
        uint32_t *const found = realloc(stream->found, capacity * sizeof *found);
        stream->found = found ? found : stream->found;
        uint8_t *const times = realloc(stream->times, capacity);
        stream->times = times ? times : stream->times;
        if (!model || !found || !times) {
            return "memory of the test";
        }
        memset(model + stream->model_capacity, 0,
               (capacity - (size_t)stream->model_capacity) * sizeof *model);
        stream->model_capacity = (int)capacity;
        stream->found_capacity = capacity;
    }
    return NULL;
}

// Registers what register_all registers, among entities whose box was just computed.
static void model_register_if_all(culling_stream *stream, int index)
{
    const oracle_entity *const entity = &stream->oracle.entities[index];
    model_entity *const model = &stream->model[index];
    if (stream->register_all && entity->is_published && entity->sees_box && !model->is_excluded) {
        model->is_registered = true;
    }
}

static const char *stream_commit(culling_stream *stream)
{
    scene_oracle *const oracle = &stream->oracle;
    const char *const fault = scene_oracle_commit(oracle);
    for (int i = 0; !fault && i < oracle->count; i++) {
        const oracle_entity *const entity = &oracle->entities[i];
        model_entity *const model = &stream->model[i];
        if (!entity->is_alive) {
            *model = (model_entity){0};
            continue;
        }
        for (int kind = 1; kind <= 2; kind++) { // created, moved
            for (size_t k = 0; k < oracle->expected[kind].count; k++) {
                if (oracle->expected[kind].slots[k] + 1 == entity->handle.index1) {
                    model->has_own_box &= kind == 1;
                    model_register_if_all(stream, i);
                }
            }
        }
    }
    return fault;
}

static const char *stream_refresh(culling_stream *stream, int index)
{
    scene_oracle *const oracle = &stream->oracle;
    const oracle_entity *const entity = &oracle->entities[index];
    const acre_result expected = !entity->is_alive       ? ACRE_ERROR_STALE_HANDLE
                                 : !entity->is_published ? ACRE_ERROR_NOT_FOUND
                                                         : ACRE_OK;
    if (acre_culling_refresh(stream->culling, entity->handle) != expected) {
        return "refresh";
    }
    if (expected != ACRE_OK) {
        return NULL;
    }
    scene_oracle_refreshed(oracle, index);
    for (int i = 0; i < oracle->count; i++) {
        int up = i, down = index;
        while (up >= 0 && up != index) {
            up = oracle->entities[up].parent;
        }
        while (down >= 0 && down != i) {
            down = oracle->entities[down].parent;
        }
        const bool is_below = up == index, is_above = down == i;
        if (oracle->entities[i].is_alive &&
            (is_below || (is_above && !oracle->entities[i].box_is_empty))) {
            model_register_if_all(stream, i);
        }
    }
    return NULL;
}

static const char *stream_refresh_bounds(culling_stream *stream, int index)
{
    test_random *const random = &stream->oracle.random;
    const oracle_entity *const entity = &stream->oracle.entities[index];
    model_entity *const model = &stream->model[index];
    acre_aabb box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = random_float(random, -80, 80);
        box.max[i] = box.min[i] + random_float(random, 0, 20);
    }
    const bool is_bad = random_below(random, 8) == 0;
    if (is_bad) {
        box.max[random_below(random, 3)] = random_below(random, 2) ? NAN : -1000;
    }
    const acre_result expected = !entity->is_alive       ? ACRE_ERROR_STALE_HANDLE
                                 : !model->is_registered ? ACRE_ERROR_NOT_FOUND
                                 : is_bad                ? ACRE_ERROR_INVALID_ARGUMENT
                                                         : ACRE_OK;
    if (acre_culling_refresh_bounds(stream->culling, entity->handle, &box) != expected) {
        return "refresh_bounds";
    }
    if (expected == ACRE_OK) {
        model->has_own_box = true;
        model->own_box = box;
    }
    return NULL;
}

static const char *stream_register(culling_stream *stream, int index, bool registers)
{
    const oracle_entity *const entity = &stream->oracle.entities[index];
    model_entity *const model = &stream->model[index];
    acre_result expected = registers ? ACRE_ERROR_EXISTS : ACRE_ERROR_NOT_FOUND;
    if (!entity->is_alive) {
        expected = ACRE_ERROR_STALE_HANDLE;
    } else if (model->is_registered != registers) {
        expected = ACRE_OK;
    }
    const acre_result result = registers ? acre_culling_register(stream->culling, entity->handle)
                                         : acre_culling_unregister(stream->culling, entity->handle);
    if (result == ACRE_OK) {
        model->is_registered = registers;
        model->is_excluded = !registers;
        model->has_own_box &= registers;
    }
    return result == expected ? NULL : registers ? "register" : "unregister";
}

static const char *stream_step(culling_stream *stream)
{
    scene_oracle *const oracle = &stream->oracle;
    const uint32_t dice = random_below(&oracle->random, 100);
    if (oracle->count == 0 || dice < 60) {
        return scene_oracle_edit(oracle);
    }
    if (dice < 72) {
        return stream_commit(stream);
    }
    const int index = (int)(scene_oracle_pick(oracle) - oracle->entities);
    if (dice < 78) {
        return stream_refresh(stream, index);
    }
    if (dice < 86) {
        return stream_refresh_bounds(stream, index);
    }
    return stream_register(stream, index, dice < 95);
}

// The definition of what a query answers.
static bool is_visible(const culling_stream *stream, int index, const acre_frustum *frustum,
                       uint32_t layers)
{
    const oracle_entity *const entity = &stream->oracle.entities[index];
    const model_entity *const model = &stream->model[index];
    if (!entity->is_published || !model->is_registered ||
        (entity->seen_flags & ACRE_ENTITY_HIDDEN) || !(entity->seen_layers & layers)) {
        return false;
    }
    if (entity->seen_flags & ACRE_ENTITY_NEVER_CULL) {
        return true;
    }
    const acre_aabb box =
        model->has_own_box
            ? model->own_box
            : acre_scene_get_view(stream->oracle.scene).world_bounds[entity->handle.index1 - 1];
    return !acre_aabb_is_empty(&box) && acre_frustum_test_aabb(frustum, &box);
}

// Both trees are sound, and each holds what belongs there.
static const char *check_trees(const culling_stream *stream)
{
    static char message[160];
    const acre_scene_view view = acre_scene_get_view(stream->oracle.scene);
    const acre_quadtree *const trees[2] = {acre_culling_tree(stream->culling),
                                           acre_culling_static_tree(stream->culling)};
    for (uint32_t i = 0; i < 2 && trees[i]; i++) {
        if (acre_quadtree_validate(trees[i], message, sizeof message) != ACRE_OK) {
            return message;
        }
        for (uint32_t slot = 0; slot < view.slot_count; slot++) {
            const bool is_static = (view.flags[slot] & ACRE_ENTITY_STATIC) != 0;
            if (acre_quadtree_contains(trees[i], slot) && is_static != (i == 1)) {
                return "an item of the wrong tree";
            }
        }
    }
    return NULL;
}

static const char *stream_check(culling_stream *stream)
{
    scene_oracle *const oracle = &stream->oracle;
    test_random *const random = &oracle->random;
    const test_view view = random_view(
        random, &projection_kinds[random_below(random, PROJECTION_KIND_COUNT)], all_clips[0], 0);
    double matrix[16];
    acre_frustum frustum;
    view_projection_matrix(&view, matrix);
    if (acre_frustum_from_matrix_double(&frustum, matrix, view.clip) != ACRE_OK) {
        return "frustum";
    }
    const uint32_t layers = random_below(random, 9);
    const size_t count = acre_culling_query_frustum(stream->culling, &frustum, layers,
                                                    stream->found, stream->found_capacity);
    memset(stream->times, 0, stream->found_capacity);
    for (size_t i = 0; i < count; i++) {
        stream->times[stream->found[i]]++;
    }
    size_t expected = 0;
    for (int i = 0; i < oracle->count; i++) {
        if (is_visible(stream, i, &frustum, layers ? layers : UINT32_MAX)) {
            expected++;
            if (stream->times[oracle->entities[i].handle.index1 - 1] != 1) {
                return "a visible entity is lost or named twice";
            }
        }
    }
    const char *const fault = check_trees(stream);
    return fault ? fault : expected == count ? NULL : "a hidden entity is named";
}

static const char *run_stream(uint64_t seed, bool register_all, int limit, int steps, int every)
{
    culling_stream stream;
    const char *fault =
        stream_init(&stream, register_all, limit, seed) ? NULL : "memory of the test";
    int step = 0;
    for (; !fault && step < steps; step++) {
        fault = stream_grow(&stream);
        fault = fault ? fault : stream_step(&stream);
        fault = fault ? fault : stream_grow(&stream);
        if (!fault && step % every == 0) {
            fault = stream_check(&stream);
        }
    }
    fault = fault ? fault : scene_oracle_check(&stream.oracle);
    if (fault) {
        printf("stream %llu, step %d: %s\n", (unsigned long long)seed, step, fault);
    }
    stream_free(&stream);
    return fault;
}

static void small_streams_equal_brute_force_after_every_step(void)
{
    for (uint32_t i = 0; i < 40 * test_scale; i++) {
        CHECK(run_stream(test_seed + i, i % 2, 10, 300, 1) == NULL);
    }
}

static void large_streams_equal_brute_force(void)
{
    for (uint32_t i = 0; i < 4 * test_scale; i++) {
        CHECK(run_stream(test_seed + 1000 + i, i % 2, 300, 3000, 7) == NULL);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(small_streams_equal_brute_force_after_every_step),
        TEST(large_streams_equal_brute_force),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
