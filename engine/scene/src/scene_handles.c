// SPDX-License-Identifier: MIT
// scene_handles.c - life and death: the scene itself, entities, slots and their generations.
#include "scene_edit_internal.h"
#include "scene_kernel_internal.h"

#include <math.h>

static acre_result create_scene(const acre_scene_def *def, acre_scene **out)
{
    const acre_scene_def defaults = {0};
    *out = NULL;
    def = def ? def : &defaults;
    const scene_kernel *const kernel =
        acre_scene_kernels[acre_kernel_pick(def->kernel, BUILT_KERNELS)];
    if (!kernel || def->entity_capacity > MAX_ENTITIES ||
        (def->flags & ~(uint32_t)ACRE_SCENE_DOUBLES)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_scene *const scene = acre_object_make(def->allocator, sizeof *scene);
    if (!scene) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    scene->kernel = kernel;
    scene->number = def->scene;
    scene->has_doubles = (def->flags & ACRE_SCENE_DOUBLES) != 0;
    scene->entity_capacity = def->entity_capacity ? def->entity_capacity : MAX_ENTITIES;
    scene->free_head = scene->free_matrix = NONE;
    *out = scene;
    return ACRE_OK;
}

acre_result acre_scene_create(const acre_scene_def *def, acre_scene **out)
{
    const acre_result result = out ? create_scene(def, out) : ACRE_ERROR_INVALID_ARGUMENT;
    return ACRE_ANSWER(result, "?Sp", def, out);
}

void acre_scene_destroy(acre_scene *scene)
{
    if (!scene) {
        return;
    }
    if (scene->is_committing) {
        (void)ACRE_NOTHING(ACRE_ERROR_BUSY, "o", scene);
        return;
    }
    while (scene->module_count > 0) {
        const acre_module *const module = *COLUMN_AT(scene->modules, --scene->module_count);
        if (module->detach) {
            module->detach(module->user, scene);
        }
    }
    acre_object_free(scene, sizeof *scene, acre_scene_visit_columns);
}

static acre_result check_def(const acre_scene *scene, const acre_entity_def *def)
{
    ACRE_INVARIANT(def != NULL);
    if ((def->flags & ~KNOWN_FLAGS) != 0 || (def->local && !transform_is_valid(def->local)) ||
        (def->bounds && box_has_nan(def->bounds))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!entity_is_null(def->parent) && scene_live_slot(scene, def->parent) == NONE) {
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
    // Rows of entities that come and go between two commits are not used again before the second.
    if (scene->row_count >= MAX_ROWS) {
        return ACRE_ERROR_CAPACITY;
    }
    if ((is_new && !acre_scene_reserve_slots(scene, (size_t)scene->slot_count + 1)) ||
        !acre_scene_reserve_rows(scene, (size_t)scene->row_count + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *slot = is_new ? scene->slot_count : scene->free_head;
    return ACRE_OK;
}

// Takes the slot that find_slot made room for.
static void take_slot(acre_scene *scene, uint32_t slot)
{
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    ACRE_INVARIANT(scene->row_count < scene->locals.capacity);
    ACRE_INVARIANT(record->state == SLOT_FREE);
    if (slot == scene->slot_count) {
        scene->slot_count++;
        record->generation = 1;
    } else {
        ACRE_INVARIANT(slot == scene->free_head && scene->free_count > 0);
        scene->free_head = COLUMN_AT(scene->links, slot)->next;
        scene->free_count--;
    }
    record->state = SLOT_LIVE;
    record->flags = 0;
    record->row = scene->row_count++;
    *COLUMN_AT(scene->links, slot) = (slot_links){NONE, NONE, NONE, NONE};
    if (scene->has_doubles) {
        COLUMN_AT(scene->places, slot)->at[0] = (double)NAN; // none: its floats name it
    }
    *COLUMN_AT(scene->heads, record->row) = head_make(slot, ROW_CREATED, NONE);
    row_set_add(&scene->dirty, record->row);
    row_set_add(&scene->labeled, record->row);
    scene->live_count++;
    scene->created_count++;
}

static acre_result create_checked(acre_scene *scene, const acre_entity_def *def, acre_entity *out)
{
    static const acre_transform identity = ACRE_TRANSFORM_IDENTITY;
    uint32_t slot = NONE;
    acre_result result = check_def(scene, def);
    if (result == ACRE_OK) {
        result = find_slot(scene, &slot);
    }
    if (result != ACRE_OK) {
        return result;
    }
    if (!acre_slot_set_layers(scene, slot, def->layers) ||
        !acre_slot_set_user(scene, slot, def->user) ||
        ((def->rule != 0 || slot < scene->rules.capacity) &&
         !acre_slot_set_rule(scene, slot, def->rule))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    take_slot(scene, slot);
    const uint32_t row = scene_row(scene, slot);
    acre_slot_set_transform(scene, slot, def->local ? def->local : &identity);
    acre_row_set_box(scene, row, def->bounds);
    acre_slot_set_flags(scene, slot, def->flags);
    acre_link_child(scene, slot, scene_live_slot(scene, def->parent));
    *out = scene_handle(scene, slot);
    return ACRE_OK;
}

acre_result acre_entity_create(acre_scene *scene, const acre_entity_def *def, acre_entity *out)
{
    static const acre_entity_def defaults; // zero
    acre_result result = ACRE_ERROR_INVALID_ARGUMENT;
    if (out) {
        *out = (acre_entity){0, 0, 0};
        result = scene_begin_edit(scene);
    }
    if (result == ACRE_OK) {
        result = scene_end_edit(scene, create_checked(scene, def ? def : &defaults, out));
    }
    return ACRE_ANSWER(result, "o?Ep", scene, def, out);
}

// One row of many. Its parent may be an earlier row's entity.
static acre_result create_row(acre_scene *scene, const acre_entity_def *def,
                              const uint32_t *parent_rows, size_t row, acre_entity *out)
{
    const uint32_t parent_row = parent_rows ? parent_rows[row] : UINT32_MAX;
    acre_entity_def own = *def;
    if (parent_row != UINT32_MAX) {
        if (parent_row >= row) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
        own.parent = out[parent_row];
        if (entity_is_null(own.parent)) {
            return ACRE_ERROR_STALE_HANDLE;
        }
    }
    return create_checked(scene, &own, &out[row]);
}

// Room for as many entities at once. Where there is none, rows find room one by one or are refused.
static void reserve_many(acre_scene *scene, size_t count)
{
    const size_t new_slots = count > scene->free_count ? count - scene->free_count : 0;
    const size_t slots = scene->slot_count + new_slots, rows = scene->row_count + count;
    if (slots <= scene->entity_capacity && rows <= MAX_ROWS &&
        acre_scene_reserve_slots(scene, slots)) {
        (void)acre_scene_reserve_rows(scene, rows);
    }
}

acre_result acre_entity_create_many(acre_scene *scene, const acre_entity_def *defs,
                                    const uint32_t *parent_rows, size_t count, acre_entity *out)
{
    refused_rows refused = {0, 0, ACRE_OK};
    acre_result result = ACRE_ERROR_INVALID_ARGUMENT;
    if (count == 0 || (defs && out)) {
        for (size_t row = 0; row < count; row++) {
            out[row] = (acre_entity){0, 0, 0};
        }
        result = scene_begin_edit(scene);
    }
    if (result == ACRE_OK) {
        if (count <= MAX_ENTITIES) {
            reserve_many(scene, count);
        }
        for (size_t row = 0; row < count; row++) {
            count_row(&refused, row, create_row(scene, &defs[row], parent_rows, row, out));
        }
        result = scene_end_edit(scene, refused.result);
    }
    return ACRE_ANSWER(result, "ro[E!?[unp", refused.count, refused.first, scene, defs, parent_rows,
                       count, out);
}

// The slot keeps its row until the next commit, which lists it as destroyed and frees both.
static void kill_slot(acre_scene *scene, uint32_t slot)
{
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    ACRE_INVARIANT(record->state == SLOT_LIVE && scene->live_count > 0);
    record->state = SLOT_DYING;
    row_set_add(&scene->destroyed, record->row);
    if (row_bits(scene, record->row) & ROW_CREATED) {
        ACRE_INVARIANT(scene->created_count > 0);
        scene->created_count--;
    }
    scene->live_count--;
    scene->dying_count++;
}

static void destroy_subtree(acre_scene *scene, uint32_t top)
{
    acre_unlink_child(scene, top);
    const slot_links *const links = scene->links.data;
    for (uint32_t slot = top; slot != NONE; slot = scene_subtree_next(links, top, slot, true)) {
        kill_slot(scene, slot);
    }
}

static acre_result destroy_many(acre_scene *scene, const acre_entity *entities, size_t count,
                                refused_rows *refused)
{
    const acre_result result =
        count == 0 || entities ? scene_begin_edit(scene) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result != ACRE_OK) {
        return result;
    }
    // First: which are stale now. A handle may become so by the end of an ancestor.
    for (size_t i = 0; i < count; i++) {
        const bool is_stale = scene_live_slot(scene, entities[i]) == NONE;
        count_row(refused, i, is_stale ? ACRE_ERROR_STALE_HANDLE : ACRE_OK);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = scene_live_slot(scene, entities[i]);
        if (slot != NONE) {
            destroy_subtree(scene, slot);
        }
    }
    return scene_end_edit(scene, refused->result);
}

acre_result acre_entity_destroy(acre_scene *scene, acre_entity entity)
{
    refused_rows refused = {0, 0, ACRE_OK};
    const acre_result result = destroy_many(scene, &entity, 1, &refused);
    return ACRE_ANSWER(result, "o@", scene, entity.index1);
}

acre_result acre_entity_destroy_many(acre_scene *scene, const acre_entity *entities, size_t count)
{
    refused_rows refused = {0, 0, ACRE_OK};
    const acre_result result = destroy_many(scene, entities, count, &refused);
    return ACRE_ANSWER(result, "ro[@n", refused.count, refused.first, scene, entities, count);
}
