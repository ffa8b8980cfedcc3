// SPDX-License-Identifier: MIT
// import_scene.c - a model's nodes as entities of a scene, all of them or none.
#include "assert_internal.h"

#include <acre/import.h>

/// Creates the entity of one node; its parent exists already.
static acre_result create_entity(const acre_import_node *node, uint32_t index, acre_scene *scene,
                                 acre_entity parent, acre_entity *out)
{
    const acre_entity_def def = {
        .parent = parent, .bounds = node->mesh_count > 0 ? &node->bounds : NULL, .user = index};
    acre_result result = acre_entity_create(scene, &def, out);
    if (result != ACRE_OK) {
        *out = (acre_entity){0};
        return result;
    }
    result = acre_entity_set_local_matrix(scene, *out, node->local);
    if (result != ACRE_OK) {
        ACRE_IGNORE(acre_entity_destroy(scene, *out));
        *out = (acre_entity){0};
    }
    return result;
}

/// Destroys the model's roots among the first count entities; their subtrees go with them.
static void destroy_entities(const acre_import_model *model, acre_scene *scene,
                             acre_entity *entities, uint32_t count)
{
    ACRE_ASSERT(count < model->node_count);
    for (uint32_t i = 0; i < count; i++) {
        if (model->nodes[i].parent == ACRE_IMPORT_NO_PARENT) {
            ACRE_IGNORE(acre_entity_destroy(scene, entities[i]));
        }
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        entities[i] = (acre_entity){0};
    }
}

static acre_result create_entities(const acre_import_model *model, acre_scene *scene,
                                   acre_entity parent, acre_entity *entities)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const acre_import_node *node = &model->nodes[i];
        const bool is_root = node->parent == ACRE_IMPORT_NO_PARENT;
        ACRE_ASSERT(is_root || node->parent < i); // import.h promises it
        const acre_result result =
            create_entity(node, i, scene, is_root ? parent : entities[node->parent], &entities[i]);
        if (result != ACRE_OK) {
            destroy_entities(model, scene, entities, i);
            return result;
        }
    }
    return ACRE_OK;
}

acre_result acre_import_to_scene(const acre_import_model *model, acre_scene *scene,
                                 acre_entity parent, acre_entity *entities)
{
    if (model == NULL || scene == NULL) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (entities != NULL) {
        return create_entities(model, scene, parent, entities);
    }
    const acre_allocator *allocator = model->allocator.resize != NULL ? &model->allocator : NULL;
    const size_t size = (size_t)model->node_count * sizeof(acre_entity);
    acre_entity *own = acre_resize(allocator, NULL, 0, size, _Alignof(acre_entity));
    if (own == NULL) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const acre_result result = create_entities(model, scene, parent, own);
    acre_resize(allocator, own, size, 0, _Alignof(acre_entity));
    return result;
}
