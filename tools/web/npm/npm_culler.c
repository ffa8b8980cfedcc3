// SPDX-License-Identifier: MIT
// npm_culler.c - a scene with its culler as scripts call them. An entity is its slot and its
// generation.
#include "npm_export.h"
#include "npm_query.h"
#include <acre/culling.h>
#include <acre/horizon.h>
#include <acre/scene.h>
#include <assert.h>
#include <stdlib.h>

static_assert(sizeof(acre_transform) == 40, "culler.js writes transforms as ten floats");
static_assert(sizeof(acre_entity) == 8, "culler.js reads an entity as two words");

typedef struct npm_culler {
    acre_scene *scene;
    acre_culling *culling;
} npm_culler;

static acre_entity handle(uint32_t index1, uint32_t generation)
{
    return (acre_entity){.index1 = index1, .generation = (uint16_t)generation};
}

void NPM_EXPORT(npm_culler_destroy)(npm_culler *culler)
{
    if (culler != NULL) {
        acre_culling_destroy(culler->culling);
        acre_scene_destroy(culler->scene);
        free(culler);
    }
}

acre_result NPM_EXPORT(npm_culler_create)(float x, float z, float half_size, uint32_t max_depth,
                                          uint32_t node_capacity, uint32_t entity_capacity,
                                          npm_culler **out)
{
    *out = NULL;
    npm_culler *culler = calloc(1, sizeof *culler);
    if (culler == NULL) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const acre_scene_def scene = {.entity_capacity = entity_capacity};
    const acre_culling_def culling = {.tree = {.center = {x, z},
                                               .half_size = half_size,
                                               .max_depth = max_depth,
                                               .node_capacity = node_capacity},
                                      .register_all = true};
    acre_result result = acre_scene_create(&scene, &culler->scene);
    if (result == ACRE_OK) {
        result = acre_culling_create(culler->scene, &culling, &culler->culling);
    }
    if (result != ACRE_OK) {
        npm_culler_destroy(culler);
        return result;
    }
    *out = culler;
    return ACRE_OK;
}

// local and bounds may be NULL, as in acre_entity_def. out receives slot + 1 and generation.
acre_result NPM_EXPORT(npm_entity_create)(npm_culler *culler, uint32_t parent_index1,
                                          uint32_t parent_generation, const acre_transform *local,
                                          const acre_aabb *bounds, uint32_t layers, uint32_t flags,
                                          uint32_t *out)
{
    const acre_entity_def def = {.parent = handle(parent_index1, parent_generation),
                                 .local = local,
                                 .bounds = bounds,
                                 .layers = layers,
                                 .flags = flags};
    acre_entity entity;
    const acre_result result = acre_entity_create(culler->scene, &def, &entity);
    out[0] = entity.index1;
    out[1] = entity.generation;
    return result;
}

acre_result NPM_EXPORT(npm_entity_destroy)(npm_culler *culler, uint32_t index1, uint32_t generation)
{
    return acre_entity_destroy(culler->scene, handle(index1, generation));
}

bool NPM_EXPORT(npm_entity_is_alive)(const npm_culler *culler, uint32_t index1, uint32_t generation)
{
    return acre_entity_is_alive(culler->scene, handle(index1, generation));
}

acre_result NPM_EXPORT(npm_entity_set_parent)(npm_culler *culler, uint32_t index1,
                                              uint32_t generation, uint32_t parent_index1,
                                              uint32_t parent_generation)
{
    return acre_entity_set_parent(culler->scene, handle(index1, generation),
                                  handle(parent_index1, parent_generation));
}

acre_result NPM_EXPORT(npm_entity_set_local)(npm_culler *culler, uint32_t index1,
                                             uint32_t generation, const acre_transform *local)
{
    return acre_entity_set_local(culler->scene, handle(index1, generation), local);
}

acre_result NPM_EXPORT(npm_entity_set_matrix)(npm_culler *culler, uint32_t index1,
                                              uint32_t generation, const float *matrix)
{
    return acre_entity_set_local_matrix(culler->scene, handle(index1, generation), matrix);
}

// entities: pairs of slot + 1 and generation. refused receives the number of refused rows and the
// first of them.
acre_result NPM_EXPORT(npm_entity_set_locals)(npm_culler *culler, const uint32_t *entities,
                                              const acre_transform *locals, size_t count,
                                              uint32_t *refused)
{
    acre_result first = ACRE_OK;
    refused[0] = 0;
    refused[1] = 0;
    for (size_t i = 0; i < count; i++) {
        const acre_entity entity = handle(entities[2 * i], entities[2 * i + 1]);
        const acre_result result = acre_entity_set_local(culler->scene, entity, &locals[i]);
        if (result != ACRE_OK && refused[0]++ == 0) {
            first = result;
            refused[1] = i;
        }
    }
    return first;
}

acre_result NPM_EXPORT(npm_entity_set_bounds)(npm_culler *culler, uint32_t index1,
                                              uint32_t generation, const acre_aabb *bounds)
{
    return acre_entity_set_bounds(culler->scene, handle(index1, generation), bounds);
}

acre_result NPM_EXPORT(npm_entity_set_flags)(npm_culler *culler, uint32_t index1,
                                             uint32_t generation, uint32_t flags)
{
    return acre_entity_set_flags(culler->scene, handle(index1, generation), flags);
}

acre_result NPM_EXPORT(npm_entity_set_layers)(npm_culler *culler, uint32_t index1,
                                              uint32_t generation, uint32_t layers)
{
    return acre_entity_set_layers(culler->scene, handle(index1, generation), layers);
}

acre_result NPM_EXPORT(npm_entity_world_matrix)(const npm_culler *culler, uint32_t index1,
                                                uint32_t generation, float *matrix)
{
    return acre_entity_world_matrix(culler->scene, handle(index1, generation), matrix);
}

acre_result NPM_EXPORT(npm_entity_world_bounds)(const npm_culler *culler, uint32_t index1,
                                                uint32_t generation, acre_aabb *out)
{
    return acre_entity_world_bounds(culler->scene, handle(index1, generation), out);
}

// out receives slot + 1 and generation; zeros for a free slot.
void NPM_EXPORT(npm_culler_entity)(const npm_culler *culler, uint32_t slot, uint32_t *out)
{
    const acre_entity entity = acre_scene_entity(culler->scene, slot);
    out[0] = entity.index1;
    out[1] = entity.generation;
}

acre_result NPM_EXPORT(npm_culler_commit)(npm_culler *culler)
{
    return acre_scene_commit(culler->scene);
}

acre_result NPM_EXPORT(npm_culler_optimize)(npm_culler *culler)
{
    return acre_culling_optimize(culler->culling);
}

acre_result NPM_EXPORT(npm_culler_query)(const npm_culler *culler, acre_query_shape shape,
                                         const void *volume, uint32_t layers, uint32_t flags,
                                         uint32_t *slots, size_t capacity, size_t *total)
{
    const acre_query query = npm_query(shape, volume, layers, flags);
    return acre_culling_query_shape(culler->culling, &query, slots, capacity, total);
}

acre_result NPM_EXPORT(npm_culler_nearest)(const npm_culler *culler, acre_query_shape shape,
                                           const void *volume, uint32_t layers,
                                           const acre_aabb *origin, float max_distance,
                                           acre_query_hit *hits, size_t capacity, size_t *count)
{
    acre_query query = npm_query(shape, volume, layers, 0);
    query.origin = origin;
    query.max_distance = max_distance;
    return acre_culling_query_nearest(culler->culling, &query, hits, capacity, count);
}

acre_result NPM_EXPORT(npm_entity_set_occluders)(npm_culler *culler, uint32_t index1,
                                                 uint32_t generation,
                                                 const acre_occluder *occluders, size_t count)
{
    return acre_culling_set_occluders(culler->culling, handle(index1, generation), occluders,
                                      count);
}

// As npm_culler_query with a frustum; what npm_tree_query_hiding takes beside it is not read.
acre_result NPM_EXPORT(npm_culler_query_hiding)(const npm_culler *culler,
                                                const acre_frustum *frustum, uint32_t layers,
                                                uint32_t flags, const void *occluders,
                                                const float *eye, acre_horizon *horizon,
                                                uint32_t *slots, size_t capacity, size_t *total)
{
    (void)occluders;
    (void)flags;
    const acre_view view = {
        .frustum = *frustum, .layers = layers, .eye = {eye[0], eye[1], eye[2]}, .horizon = horizon};
    return acre_culling_query_view(culler->culling, &view, slots, capacity, total);
}

acre_result NPM_EXPORT(npm_culler_gather)(const npm_culler *culler, const uint32_t *slots,
                                          size_t count, float *matrices)
{
    return acre_scene_gather_matrices(culler->scene, slots, count, ACRE_MATRIX_COLUMNS, matrices,
                                      0);
}

acre_result NPM_EXPORT(npm_culler_validate)(const npm_culler *culler, char *message, size_t size)
{
    const acre_result result = acre_scene_validate(culler->scene, message, size);
    return result != ACRE_OK ? result : acre_culling_validate(culler->culling, message, size);
}

// In the order of culler.js: entities, items of the moving and of the static tree, bytes.
void NPM_EXPORT(npm_culler_stats)(const npm_culler *culler, uint32_t *out)
{
    acre_scene_stats scene;
    acre_culling_stats culling;
    acre_scene_get_stats(culler->scene, &scene);
    acre_culling_get_stats(culler->culling, &culling);
    out[0] = scene.entities;
    out[1] = culling.moving.items;
    out[2] = culling.still.items;
    out[3] = scene.bytes + culling.bytes;
}
