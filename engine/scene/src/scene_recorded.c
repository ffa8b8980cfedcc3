// SPDX-License-Identifier: MIT
// scene_recorded.c - reading by handle what is recorded, before any commit.
#include "scene_internal.h"

#include "scene_math_internal.h"

bool acre_entity_is_alive(const acre_scene *scene, acre_entity entity)
{
    return scene && scene_live_slot(scene, entity) != NONE;
}

// @return the links of a live entity, or NULL.
static const slot_links *find_links(const acre_scene *scene, acre_entity entity)
{
    const uint32_t slot = scene ? scene_live_slot(scene, entity) : NONE;
    return slot == NONE ? NULL : COLUMN_AT(scene->links, slot);
}

acre_entity acre_entity_parent(const acre_scene *scene, acre_entity entity)
{
    const slot_links *const links = find_links(scene, entity);
    return scene_handle(scene, links ? links->parent : NONE);
}

acre_entity acre_entity_first_child(const acre_scene *scene, acre_entity entity)
{
    const slot_links *const links = find_links(scene, entity);
    return scene_handle(scene, links ? links->first_child : NONE);
}

acre_entity acre_entity_next_sibling(const acre_scene *scene, acre_entity entity)
{
    const slot_links *const links = find_links(scene, entity);
    return scene_handle(scene, links ? links->next : NONE);
}

// Checks what every function below is given. @return ACRE_OK and the entity's slot in *slot.
static acre_result find_slot_to_read(const acre_scene *scene, acre_entity entity, const void *out,
                                     uint32_t *slot)
{
    if (!scene || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *slot = scene_live_slot(scene, entity);
    return *slot == NONE ? ACRE_ERROR_STALE_HANDLE : ACRE_OK;
}

acre_result acre_entity_get_local(const acre_scene *scene, acre_entity entity, acre_transform *out)
{
    uint32_t slot = NONE;
    acre_result result = find_slot_to_read(scene, entity, out, &slot);
    if (result == ACRE_OK && (COLUMN_AT(scene->slots, slot)->flags & SLOT_MATRIX)) {
        result = ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (result == ACRE_OK) {
        const uint32_t row = scene_row(scene, slot);
        ACRE_INVARIANT(!(row_bits(scene, row) & ROW_MATRIX));
        *out = COLUMN_AT(scene->locals, row)->transform;
    }
    return ACRE_ANSWER_RULE(result, ACRE_REFUSED_MATRIX, "o@p", scene, entity.index1, out);
}

acre_result acre_entity_get_local_matrix(const acre_scene *scene, acre_entity entity, float *matrix)
{
    uint32_t slot = NONE;
    const acre_result result = find_slot_to_read(scene, entity, matrix, &slot);
    if (result != ACRE_OK) {
        return ACRE_ANSWER(result, "o@p", scene, entity.index1, matrix);
    }
    const uint32_t row = scene_row(scene, slot);
    const local_row *const local = COLUMN_AT(scene->locals, row);
    affine rows;
    if (row_bits(scene, row) & ROW_MATRIX) {
        rows = *COLUMN_AT(scene->matrices, local->matrix);
    } else {
        matrix_compose(&local->transform, rows.m);
    }
    matrix_write_columns(rows.m, matrix);
    return ACRE_OK;
}

acre_result acre_entity_get_bounds(const acre_scene *scene, acre_entity entity, acre_aabb *out)
{
    uint32_t slot = NONE;
    acre_result result = find_slot_to_read(scene, entity, out, &slot);
    if (result == ACRE_OK) {
        const uint32_t row = scene_row(scene, slot);
        if ((row_bits(scene, row) & ROW_BOX_MASK) != ROW_BOX_NONE) {
            *out = COLUMN_AT(scene->locals, row)->box;
        } else {
            result = ACRE_ERROR_NOT_FOUND;
        }
    }
    return ACRE_ANSWER_RULE(result, ACRE_REFUSED_NO_BOUNDS, "o@p", scene, entity.index1, out);
}

acre_result acre_entity_get_flags(const acre_scene *scene, acre_entity entity, uint32_t *out)
{
    uint32_t slot = NONE;
    const acre_result result = find_slot_to_read(scene, entity, out, &slot);
    if (result == ACRE_OK) {
        *out = COLUMN_AT(scene->slots, slot)->flags & KNOWN_FLAGS;
    }
    return ACRE_ANSWER(result, "o@p", scene, entity.index1, out);
}

acre_result acre_entity_get_layers(const acre_scene *scene, acre_entity entity, uint32_t *out)
{
    uint32_t slot = NONE;
    const acre_result result = find_slot_to_read(scene, entity, out, &slot);
    if (result == ACRE_OK) {
        *out = slot_layers(scene, slot);
    }
    return ACRE_ANSWER(result, "o@p", scene, entity.index1, out);
}

acre_result acre_entity_get_user(const acre_scene *scene, acre_entity entity, uint64_t *out)
{
    uint32_t slot = NONE;
    const acre_result result = find_slot_to_read(scene, entity, out, &slot);
    if (result == ACRE_OK) {
        *out = slot_user(scene, slot);
    }
    return ACRE_ANSWER(result, "o@p", scene, entity.index1, out);
}

size_t acre_scene_rules(const acre_scene *scene, const uint32_t **rules)
{
    *rules = scene ? scene->rules.data : NULL;
    return scene ? scene->rules.capacity : 0;
}
