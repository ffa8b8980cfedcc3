// SPDX-License-Identifier: MIT
// culling_stream.c - a random stream of scene edits, registrations and refreshes, and what the
// culler should know after each.
#include "culling_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool culling_stream_init(culling_stream *stream, bool register_all, int limit, uint64_t seed)
{
    memset(stream, 0, sizeof *stream);
    stream->register_all = register_all;
    stream->spread = 80;
    const acre_culling_def def = {.register_all = register_all,
                                  .tree = {.half_size = 100, .node_capacity = 8}};
    const bool is_good = scene_oracle_init(&stream->oracle, &(acre_scene_def){0}, limit, seed);
    stream->oracle.shifts = seed % 3 == 0;
    return is_good && acre_culling_create(stream->oracle.scene, &def, &stream->culling) == ACRE_OK;
}

void culling_stream_free(culling_stream *stream)
{
    acre_culling_destroy(stream->culling);
    scene_oracle_free(&stream->oracle);
    free(stream->model);
    free(stream->found);
    free(stream->times);
}

// Room for all entities and slots.
const char *culling_stream_grow(culling_stream *stream)
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

// Registers what register_all registers.
static void model_register_if_all(culling_stream *stream, int index)
{
    const oracle_entity *const entity = &stream->oracle.entities[index];
    model_entity *const model = &stream->model[index];
    if (stream->register_all && entity->is_published && !model->is_excluded &&
        (entity->sees_box || (entity->seen_flags & ACRE_ENTITY_NEVER_CULL))) {
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
        model_register_if_all(stream, i);
    }
    return fault;
}

static const char *stream_refresh(culling_stream *stream, int index)
{
    scene_oracle *const oracle = &stream->oracle;
    const oracle_entity *const entity = &oracle->entities[index];
    const acre_result expected = !entity->is_alive       ? ACRE_ERROR_STALE_HANDLE
                                 : !entity->is_published ? ACRE_ERROR_NOT_COMMITTED
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

const char *culling_stream_refresh_bounds(culling_stream *stream, int index)
{
    test_random *const random = &stream->oracle.random;
    const oracle_entity *const entity = &stream->oracle.entities[index];
    acre_aabb box, kept;
    for (int i = 0; i < 3; i++) {
        box.min[i] = random_float(random, -stream->spread, stream->spread);
        box.max[i] = box.min[i] + random_float(random, 0, 20);
    }
    const bool is_bad = random_below(random, 8) == 0;
    if (is_bad) {
        box.max[random_below(random, 3)] = random_below(random, 2) ? NAN : -1000;
    }
    const acre_result expected = !entity->is_alive                     ? ACRE_ERROR_STALE_HANDLE
                                 : !stream->model[index].is_registered ? ACRE_ERROR_NOT_FOUND
                                 : is_bad                              ? ACRE_ERROR_INVALID_ARGUMENT
                                                                       : ACRE_OK;
    if (acre_culling_refresh_bounds(stream->culling, entity->handle, &box) != expected) {
        return "refresh_bounds";
    }
    if (expected == ACRE_OK) {
        scene_oracle_boxed(&stream->oracle, index, &box);
    }
    return expected != ACRE_OK || !entity->is_published ||
                   (acre_entity_world_bounds(stream->oracle.scene, entity->handle, &kept) ==
                        ACRE_OK &&
                    memcmp(&kept, &box, sizeof box) == 0)
               ? NULL
               : "the scene has another box";
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
    }
    return result == expected ? NULL : registers ? "register" : "unregister";
}

const char *culling_stream_step(culling_stream *stream)
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
        return culling_stream_refresh_bounds(stream, index);
    }
    return stream_register(stream, index, dice < 95);
}

bool culling_stream_sees(const culling_stream *stream, int index)
{
    const oracle_entity *const entity = &stream->oracle.entities[index];
    return entity->is_published && stream->model[index].is_registered &&
           !(entity->seen_flags & ACRE_ENTITY_HIDDEN);
}

acre_aabb culling_stream_box(const culling_stream *stream, int index)
{
    const uint32_t slot = stream->oracle.entities[index].handle.index1 - 1;
    return acre_scene_get_view(stream->oracle.scene).world_bounds[slot];
}

bool culling_stream_place(const culling_stream *stream, const oracle_entity *entity, float *place)
{
    if (entity->seen_flags & ACRE_ENTITY_HIDDEN) {
        return false;
    }
    const acre_aabb box = culling_stream_box(stream, (int)(entity - stream->oracle.entities));
    bool is_finite = true;
    for (int axis = 0; axis < 3; axis++) {
        place[axis] = acre_aabb_is_finite(&box) && !acre_aabb_is_empty(&box)
                          ? 0.5f * box.min[axis] + 0.5f * box.max[axis]
                          : entity->world[axis * 4 + 3];
        is_finite = is_finite && isfinite(place[axis]);
    }
    return is_finite;
}
