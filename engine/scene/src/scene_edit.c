// SPDX-License-Identifier: MIT
// scene_edit.c - setters: they check, record, and mark the row; commit does the work.
#include "scene_edit_internal.h"
#include "scene_math_internal.h"

void acre_slot_set_flags(acre_scene *scene, uint32_t slot, uint32_t flags)
{
    ACRE_ASSERT((flags & ~KNOWN_FLAGS) == 0);
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    const bool changes_hidden = ((record->flags ^ flags) & ACRE_ENTITY_HIDDEN) != 0;
    record->flags = (uint8_t)((record->flags & ~KNOWN_FLAGS) | flags);
    row_bits_change(scene, record->row, ROW_OWN_HIDDEN,
                    flags & ACRE_ENTITY_HIDDEN ? ROW_OWN_HIDDEN : 0);
    row_set_add(&scene->labeled, record->row);
    if (changes_hidden) {
        row_set_add(&scene->toggled, record->row);
        scene->may_hide |= COLUMN_AT(scene->links, slot)->first_child != NONE;
    }
}

// The column exists once an entity is not in all layers.
bool acre_slot_set_layers(acre_scene *scene, uint32_t slot, uint32_t layers)
{
    const uint32_t absent = layers ? ~layers : 0;
    if (slot >= scene->absent_layers.capacity) {
        if (absent == 0) {
            return true;
        }
        if (!COLUMN_RESERVE(&scene->allocator, scene->absent_layers, (size_t)slot + 1)) {
            return false;
        }
    }
    *COLUMN_AT(scene->absent_layers, slot) = absent;
    return true;
}

// The column exists once an entity has a user value.
bool acre_slot_set_user(acre_scene *scene, uint32_t slot, uint64_t user)
{
    if (slot >= scene->users.capacity) {
        if (user == 0) {
            return true;
        }
        if (!COLUMN_RESERVE(&scene->allocator, scene->users, (size_t)slot + 1)) {
            return false;
        }
    }
    *COLUMN_AT(scene->users, slot) = user;
    return true;
}

// The column exists once an entity has a rule: until then nobody calls this.
bool acre_slot_set_rule(acre_scene *scene, uint32_t slot, uint32_t rule)
{
    if (!COLUMN_RESERVE(&scene->allocator, scene->rules, (size_t)slot + 1)) {
        return false;
    }
    *COLUMN_AT(scene->rules, slot) = rule;
    return true;
}

void acre_link_child(acre_scene *scene, uint32_t slot, uint32_t parent)
{
    if (parent == NONE) {
        return;
    }
    slot_links *const links = scene->links.data;
    ACRE_INVARIANT(links[slot].parent == NONE && slot != parent);
    const uint32_t first = links[parent].first_child;
    links[slot].parent = parent;
    links[slot].previous = NONE;
    links[slot].next = first;
    if (first != NONE) {
        ACRE_INVARIANT(links[first].previous == NONE && links[first].parent == parent);
        links[first].previous = slot;
    }
    links[parent].first_child = slot;
    const uint32_t row = scene_row(scene, slot);
    const uint32_t parent_row = scene_row(scene, parent);
    row_bits_change(scene, parent_row, 0, ROW_HAS_CHILDREN);
    row_head *const head = COLUMN_AT(scene->heads, row);
    *head = head_with_parent(*head, parent_row);
    if (parent_row > row) {
        row_set_add(&scene->misplaced, row);
    }
}

void acre_unlink_child(acre_scene *scene, uint32_t slot)
{
    slot_links *const links = scene->links.data;
    slot_links *const own = &links[slot];
    if (own->parent == NONE) {
        return;
    }
    if (own->previous != NONE) {
        ACRE_INVARIANT(links[own->previous].next == slot);
        links[own->previous].next = own->next;
    } else {
        ACRE_INVARIANT(links[own->parent].first_child == slot);
        links[own->parent].first_child = own->next;
    }
    if (own->next != NONE) {
        ACRE_INVARIANT(links[own->next].previous == slot);
        links[own->next].previous = own->previous;
    }
    if (links[own->parent].first_child == NONE) {
        row_bits_change(scene, scene_row(scene, own->parent), ROW_HAS_CHILDREN, 0);
    }
    own->parent = own->previous = own->next = NONE;
    row_head *const head = COLUMN_AT(scene->heads, scene_row(scene, slot));
    *head = head_with_parent(*head, NONE);
}

// Whether slot is parent or one of its ancestors. An entity without children is nobody's ancestor.
// While every row stands behind its parent's, an ancestor has the smaller row. So chains are built
// and taken apart in constant time for each link.
static bool closes_cycle(const acre_scene *scene, uint32_t slot, uint32_t parent)
{
    const slot_links *const links = scene->links.data;
    if (slot == parent) {
        return true;
    }
    if (links[slot].first_child == NONE) {
        return false;
    }
    if (!scene->misplaced.is_used && scene_row(scene, parent) < scene_row(scene, slot)) {
        return false;
    }
    for (uint32_t at = parent; at != NONE; at = links[at].parent) {
        if (at == slot) {
            return true;
        }
    }
    return false;
}

static acre_result set_parent(acre_scene *scene, acre_entity entity, acre_entity parent)
{
    const uint32_t slot = scene_live_slot(scene, entity);
    const uint32_t under = scene_live_slot(scene, parent);
    if (slot == NONE || (under == NONE && !entity_is_null(parent))) {
        return ACRE_ERROR_STALE_HANDLE;
    }
    if (COLUMN_AT(scene->links, slot)->parent == under) {
        return ACRE_OK;
    }
    if (under != NONE && closes_cycle(scene, slot, under)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_unlink_child(scene, slot);
    acre_link_child(scene, slot, under);
    row_set_add(&scene->dirty, scene_row(scene, slot));
    row_set_add(&scene->labeled, scene_row(scene, slot));
    scene->may_hide |= COLUMN_AT(scene->links, slot)->first_child != NONE;
    return ACRE_OK;
}

acre_result acre_entity_set_parent(acre_scene *scene, acre_entity entity, acre_entity parent)
{
    acre_result result = scene_begin_edit(scene);
    if (result == ACRE_OK) {
        result = scene_end_edit(scene, set_parent(scene, entity, parent));
    }
    const bool is_entity =
        result == ACRE_ERROR_STALE_HANDLE && !acre_entity_is_alive(scene, entity);
    return is_entity ? ACRE_ANSWER(result, "o@u", scene, entity.index1, parent.index1)
                     : ACRE_ANSWER_RULE(result, ACRE_REFUSED_CYCLE, "ou@", scene, entity.index1,
                                        parent.index1);
}

static void drop_matrix(acre_scene *scene, uint32_t row)
{
    if (row_bits(scene, row) & ROW_MATRIX) {
        acre_matrix_release(scene, COLUMN_AT(scene->locals, row)->matrix);
        row_bits_change(scene, row, ROW_MATRIX, 0);
    }
}

void acre_slot_set_transform(acre_scene *scene, uint32_t slot, const acre_transform *local)
{
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    drop_matrix(scene, record->row);
    record->flags &= (uint8_t)~SLOT_MATRIX;
    COLUMN_AT(scene->locals, record->row)->transform = *local;
}

// A slot's generation, state and flags as one number.
static inline uint32_t slot_life(slot_record record)
{
    _Static_assert(sizeof record == offsetof(slot_record, generation) + sizeof(uint32_t),
                   "generation, state and flags are four bytes without a gap");
    uint32_t life;
    memcpy(&life, (const char *)&record + offsetof(slot_record, generation), sizeof life);
    return life;
}

// Whether a slot is this entity's and its local transform was no matrix. One comparison, because
// nearly every edit is of such an entity.
static inline bool is_plain(slot_record record, acre_entity entity)
{
    const slot_record all = {.generation = UINT16_MAX, .state = UINT8_MAX, .flags = SLOT_MATRIX};
    const slot_record plain = {.generation = entity.generation, .state = SLOT_LIVE};
    return (slot_life(record) & slot_life(all)) == slot_life(plain);
}

// A transform that is refused, or that takes the place of a matrix. Never inlined: it would make
// the path without it save registers.
ACRE_NEVER_INLINE
static acre_result set_unusual_local(acre_scene *scene, acre_entity entity,
                                     const acre_transform *local)
{
    const uint32_t slot = scene_live_slot(scene, entity);
    if (slot == NONE) {
        return ACRE_ERROR_STALE_HANDLE;
    }
    if (!local || !transform_is_valid(local)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_slot_set_transform(scene, slot, local);
    row_set_add(&scene->dirty, scene_row(scene, slot));
    return ACRE_OK;
}

acre_result acre_entity_set_local(acre_scene *scene, acre_entity entity,
                                  const acre_transform *local)
{
    acre_result result = scene_begin_edit(scene);
    if (result == ACRE_OK) {
        const uint32_t slot = entity.index1 - 1u;
        if (slot < scene->slot_count && entity.scene == scene->number && local) {
            const slot_record record = *COLUMN_AT(scene->slots, slot);
            if (is_plain(record, entity) && transform_is_valid(local)) {
                ACRE_INVARIANT(!(row_bits(scene, record.row) & ROW_MATRIX));
                COLUMN_AT(scene->locals, record.row)->transform = *local;
                row_set_add(&scene->dirty, record.row);
                return scene_end_edit(scene, ACRE_OK);
            }
        }
        result = scene_end_edit(scene, set_unusual_local(scene, entity, local));
    }
    return ACRE_ANSWER(result, "o@T", scene, entity.index1, local);
}

// @return whether all of them are finite and the last row is 0 0 0 1.
static bool matrix_is_affine(const float *matrix)
{
    return floats_are_finite(matrix, 16) && matrix[3] == 0.0f && matrix[7] == 0.0f &&
           matrix[11] == 0.0f && matrix[15] == 1.0f;
}

// The transform without rotation that composes to exactly this matrix, if there is one. Most
// matrices of scene files are such, and need no place among the matrices.
static bool find_transform(const affine *matrix, acre_transform *out)
{
    const float *const m = matrix->m;
    *out = (acre_transform){{m[3], m[7], m[11]}, {0, 0, 0, 1}, {m[0], m[5], m[10]}};
    affine composed;
    matrix_compose(out, composed.m);
    return memcmp(&composed, matrix, sizeof composed) == 0;
}

// Records a matrix, 16 floats by column. @return false: no memory, nothing changed.
static bool slot_set_matrix(acre_scene *scene, uint32_t slot, const float *matrix)
{
    affine rows;
    for (int i = 0; i < 12; i++) {
        rows.m[i] = matrix[4 * (i % 4) + i / 4];
    }
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    acre_transform transform;
    if (find_transform(&rows, &transform)) {
        acre_slot_set_transform(scene, slot, &transform);
    } else if (row_bits(scene, record->row) & ROW_MATRIX) {
        *COLUMN_AT(scene->matrices, COLUMN_AT(scene->locals, record->row)->matrix) = rows;
    } else {
        if (!acre_matrix_reserve(scene)) {
            return false;
        }
        const uint32_t number = acre_matrix_take(scene);
        *COLUMN_AT(scene->matrices, number) = rows;
        COLUMN_AT(scene->locals, record->row)->matrix = number;
        row_bits_change(scene, record->row, 0, ROW_MATRIX);
    }
    record->flags |= SLOT_MATRIX;
    return true;
}

acre_result acre_entity_set_local_matrix(acre_scene *scene, acre_entity entity, const float *matrix)
{
    uint32_t slot;
    acre_result result = scene_begin_edit_of(scene, entity, &slot);
    if (result == ACRE_OK) {
        result = !matrix || !matrix_is_affine(matrix)    ? ACRE_ERROR_INVALID_ARGUMENT
                 : !slot_set_matrix(scene, slot, matrix) ? ACRE_ERROR_OUT_OF_MEMORY
                                                         : ACRE_OK;
        if (result == ACRE_OK) {
            row_set_add(&scene->dirty, scene_row(scene, slot));
        }
        result = scene_end_edit(scene, result);
    }
    return ACRE_ANSWER_RULE(result, ACRE_REFUSED_NOT_AFFINE, "o@m", scene, entity.index1, matrix);
}

acre_result acre_entity_set_flags(acre_scene *scene, acre_entity entity, uint32_t flags)
{
    uint32_t slot;
    acre_result result = flags & ~KNOWN_FLAGS ? ACRE_ERROR_INVALID_ARGUMENT
                                              : scene_begin_edit_of(scene, entity, &slot);
    if (result == ACRE_OK) {
        acre_slot_set_flags(scene, slot, flags);
        result = scene_end_edit(scene, ACRE_OK);
    }
    return ACRE_ANSWER_RULE(result, ACRE_REFUSED_UNKNOWN, "o@!u", scene, entity.index1, flags);
}

// Ends the edit of a label. has_room: whether there was memory for it.
static acre_result label_slot(acre_scene *scene, uint32_t slot, bool has_room)
{
    if (!has_room) {
        return scene_end_edit(scene, ACRE_ERROR_OUT_OF_MEMORY);
    }
    row_set_add(&scene->labeled, scene_row(scene, slot));
    return scene_end_edit(scene, ACRE_OK);
}

acre_result acre_entity_set_layers(acre_scene *scene, acre_entity entity, uint32_t layers)
{
    uint32_t slot;
    acre_result result = scene_begin_edit_of(scene, entity, &slot);
    if (result == ACRE_OK) {
        result = label_slot(scene, slot, acre_slot_set_layers(scene, slot, layers));
    }
    return ACRE_ANSWER(result, "o@", scene, entity.index1);
}

acre_result acre_entity_set_user(acre_scene *scene, acre_entity entity, uint64_t user)
{
    uint32_t slot;
    acre_result result = scene_begin_edit_of(scene, entity, &slot);
    if (result == ACRE_OK) {
        result = label_slot(scene, slot, acre_slot_set_user(scene, slot, user));
    }
    return ACRE_ANSWER(result, "o@", scene, entity.index1);
}
