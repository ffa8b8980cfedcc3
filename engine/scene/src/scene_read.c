// SPDX-License-Identifier: MIT
// scene_read.c - reading the last commit: matrices, boxes, handles, the view.
#include "scene_internal.h"

#include "scene_math_internal.h"

#include <string.h>

// @return the entity's published state, NULL if it was not in the last commit.
static const published_slot *find_published(const acre_scene *scene, acre_entity entity)
{
    const uint32_t slot = entity.index1 - 1u;
    if (slot >= scene->published_slots || entity.scene != scene->number) {
        return NULL;
    }
    const published_slot *const found = COLUMN_AT(scene->published, slot);
    return found->generation != 0 && found->generation == entity.generation ? found : NULL;
}

// Why an entity is not published: a handle of this scene was not committed yet, or is destroyed.
// Which, only the recording thread may look up.
static acre_refusal_rule unpublished(const acre_scene *scene, acre_entity entity)
{
    return scene && entity.index1 != 0 && entity.scene == scene->number ? ACRE_REFUSED_NOT_COMMITTED
                                                                        : ACRE_REFUSED_STALE;
}

acre_result acre_entity_world_matrix(const acre_scene *scene, acre_entity entity, float *matrix)
{
    acre_result result = scene_begin_read(scene, matrix);
    if (result == ACRE_OK) {
        const published_slot *const found = find_published(scene, entity);
        if (found) {
            ACRE_INVARIANT(found->row < scene->row_count);
            matrix_write_columns(COLUMN_AT(scene->worlds, found->row)->m, matrix);
        }
        access_end_read(&scene->access);
        result = found ? ACRE_OK : ACRE_ERROR_STALE_HANDLE;
    }
    const acre_refusal_rule rule =
        result == ACRE_ERROR_STALE_HANDLE ? unpublished(scene, entity) : ACRE_REFUSED_NOTHING;
    return ACRE_ANSWER_RULE(result, rule, "o@p", scene, entity.index1, matrix);
}

acre_result acre_entity_world_bounds(const acre_scene *scene, acre_entity entity, acre_aabb *out)
{
    acre_result result = scene_begin_read(scene, out);
    if (result == ACRE_OK) {
        const published_slot *const found = find_published(scene, entity);
        result = !found               ? ACRE_ERROR_STALE_HANDLE
                 : !found->has_bounds ? ACRE_ERROR_NOT_FOUND
                                      : ACRE_OK;
        if (result == ACRE_OK) {
            *out = scene->world_boxes.data[entity.index1 - 1u];
        }
        access_end_read(&scene->access);
    }
    const acre_refusal_rule rule =
        result == ACRE_ERROR_STALE_HANDLE ? unpublished(scene, entity) : ACRE_REFUSED_NO_BOUNDS;
    return ACRE_ANSWER_RULE(result, rule, "o@p", scene, entity.index1, out);
}

acre_entity acre_scene_entity(const acre_scene *scene, uint32_t slot)
{
    acre_entity entity = {0, 0, 0};
    if (!scene || !access_begin_read(&scene->access)) {
        return entity;
    }
    if (slot < scene->published_slots) {
        const uint16_t generation = COLUMN_AT(scene->published, slot)->generation;
        if (generation != 0) {
            entity = (acre_entity){slot + 1, scene->number, generation};
        }
    }
    access_end_read(&scene->access);
    return entity;
}

static acre_scene_view published_view(const acre_scene *scene)
{
    return (acre_scene_view){
        .slot_count = scene->published_slots,
        .entity_count = scene->published_entities,
        .world_bounds = scene->world_boxes.data,
        .flags = scene->world_flags.data,
        .layers = scene->world_layers.data,
        .user = scene->world_user.data,
        .commit = scene->commit_count,
    };
}

acre_scene_view acre_scene_get_view(const acre_scene *scene)
{
    acre_scene_view view;
    memset(&view, 0, sizeof view);
    if (scene && access_begin_read(&scene->access)) {
        view = published_view(scene);
        access_end_read(&scene->access);
    }
    return view;
}

scene_columns acre_scene_columns(const acre_scene *scene)
{
    scene_columns columns;
    memset(&columns, 0, sizeof columns);
    if (scene && access_begin_read(&scene->access)) {
        columns = (scene_columns){
            .view = published_view(scene),
            .published = scene->published.data,
            .scene = scene->number,
        };
        access_end_read(&scene->access);
    }
    return columns;
}
