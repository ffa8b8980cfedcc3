// SPDX-License-Identifier: MIT
// scene_handles.c - life and death: the scene itself, entities, slots and their generations.
#include "scene_internal.h"

#include "scene_edit_internal.h"
#include "scene_kernel_internal.h"

acre_result acre_scene_create(const acre_scene_def *def, acre_scene **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    const scene_kernel *const kernel = def ? acre_scene_kernel_choose(def->kernel) : NULL;
    if (!kernel || def->entity_capacity > MAX_ENTITIES) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_allocator heap = {NULL, NULL};
    const acre_allocator allocator = def->allocator ? *def->allocator : heap;
    acre_scene *const scene = acre_resize(&allocator, NULL, 0, sizeof *scene, _Alignof(acre_scene));
    if (!scene) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *scene = (acre_scene){
        .allocator = allocator,
        .kernel = kernel,
        .number = def->scene,
        .entity_capacity = def->entity_capacity ? def->entity_capacity : MAX_ENTITIES,
        .free_head = NONE,
    };
    *out = scene;
    return ACRE_OK;
}

void acre_scene_destroy(acre_scene *scene)
{
    if (!scene || scene->is_committing) {
        return;
    }
    while (scene->module_count > 0) {
        const acre_module **const modules = scene->modules.data;
        const acre_module *const module = modules[--scene->module_count];
        if (module->detach) {
            module->detach(module->user, scene);
        }
    }
    acre_scene_free_columns(scene);
    const acre_allocator allocator = scene->allocator;
    (void)acre_resize(&allocator, scene, sizeof *scene, 0, _Alignof(acre_scene));
}

static acre_result check_def(const acre_scene *scene, const acre_entity_def *def)
{
    const acre_entity null = {0, 0, 0};
    if (!def || (def->flags & ~KNOWN_FLAGS) != 0 ||
        (def->local && !transform_is_finite(def->local)) ||
        (def->bounds && box_has_nan(def->bounds))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!entity_equals(def->parent, null) && scene_live_slot(scene, def->parent) == NONE) {
        return ACRE_ERROR_STALE_HANDLE;
    }
    return ACRE_OK;
}

// Makes room for one more entity. *slot is the one to use.
static acre_result find_slot(acre_scene *scene, uint32_t *slot)
{
    const bool is_new = scene->free_head == NONE;
    if (is_new && scene->slot_count >= scene->entity_capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    // Rows of entities that come and go between two commits are not reused; their number is bounded
    // by the index type.
    if (scene->row_count >= NONE - 1) {
        return ACRE_ERROR_CAPACITY;
    }
    if ((is_new && !acre_scene_reserve_slots(scene, (size_t)scene->slot_count + 1)) ||
        !acre_scene_reserve_rows(scene, (size_t)scene->row_count + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *slot = is_new ? scene->slot_count : scene->free_head;
    return ACRE_OK;
}

static void take_slot(acre_scene *scene, uint32_t slot)
{
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    if (slot == scene->slot_count) {
        scene->slot_count++;
        record->generation = 1;
    } else {
        scene->free_head = COLUMN_AT(scene->links, slot)->scratch;
        scene->free_count--;
    }
    record->state = SLOT_LIVE;
    record->row = scene->row_count++;
    *COLUMN_AT(scene->links, slot) = (slot_links){NONE, NONE, NONE, NONE, NONE};
    *COLUMN_AT(scene->row_slot, record->row) = slot;
    *COLUMN_AT(scene->row_parent, record->row) = NONE;
    *COLUMN_AT(scene->row_bits, record->row) = ROW_CREATED;
    scene->live_count++;
    scene->created_count++;
}

acre_result acre_entity_create(acre_scene *scene, const acre_entity_def *def, acre_entity *out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = (acre_entity){0, 0, 0};
    acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    uint32_t slot = NONE;
    result = check_def(scene, def);
    if (result == ACRE_OK) {
        result = find_slot(scene, &slot);
    }
    if (result != ACRE_OK) {
        return scene_end_edit(scene, result);
    }
    take_slot(scene, slot);
    const uint32_t row = scene_row(scene, slot);
    const acre_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    local_row_set(COLUMN_AT(scene->locals, row), def->local ? def->local : &identity);
    row_set_add(&scene->dirty, row);
    acre_row_set_box(scene, row, def->bounds);
    acre_slot_set_labels(scene, slot, &(slot_labels){def->user, def->layers, def->flags});
    const uint32_t parent = scene_live_slot(scene, def->parent);
    if (parent != NONE) {
        acre_link_child(scene, slot, parent);
    }
    const slot_record *const record = COLUMN_AT(scene->slots, slot);
    *out = (acre_entity){slot + 1, scene->number, record->generation};
    return scene_end_edit(scene, ACRE_OK);
}

// The slot keeps its row until the next commit, which lists it as destroyed and frees both.
static void kill_slot(acre_scene *scene, uint32_t slot)
{
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    record->state = SLOT_DYING;
    row_set_add(&scene->destroyed, record->row);
    if (*COLUMN_AT(scene->row_bits, record->row) & ROW_CREATED) {
        scene->created_count--;
    }
    scene->live_count--;
    scene->dying_count++;
}

acre_result acre_entity_destroy(acre_scene *scene, acre_entity entity)
{
    const acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    const uint32_t top = scene_live_slot(scene, entity);
    if (top == NONE) {
        return scene_end_edit(scene, ACRE_ERROR_STALE_HANDLE);
    }
    acre_unlink_child(scene, top);
    const slot_links *const links = scene->links.data;
    for (uint32_t slot = top; slot != NONE; slot = scene_subtree_next(links, top, slot, true)) {
        kill_slot(scene, slot);
    }
    return scene_end_edit(scene, ACRE_OK);
}

bool acre_entity_is_alive(const acre_scene *scene, acre_entity entity)
{
    return scene && scene_live_slot(scene, entity) != NONE;
}

acre_entity acre_entity_parent(const acre_scene *scene, acre_entity entity)
{
    const acre_entity null = {0, 0, 0};
    const uint32_t slot = scene ? scene_live_slot(scene, entity) : NONE;
    if (slot == NONE) {
        return null;
    }
    const uint32_t parent = COLUMN_AT(scene->links, slot)->parent;
    if (parent == NONE) {
        return null;
    }
    const slot_record *const record = COLUMN_AT(scene->slots, parent);
    return (acre_entity){parent + 1, scene->number, record->generation};
}
