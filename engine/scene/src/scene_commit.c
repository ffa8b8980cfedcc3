// SPDX-License-Identifier: MIT
// scene_commit.c - makes recorded edits visible: worlds, boxes, labels, lists of changes, hooks.
//
// Dirty rows are visited in ascending order, so a parent is done before its children; a computed
// row marks its children, which are later rows. The cost follows what changed.
#include "scene_internal.h"

#include "scene_math_internal.h"

typedef struct change_counts {
    size_t destroyed, created, moved, relabelled;
} change_counts;

static bool reserve_commit(acre_scene *scene)
{
    const size_t element = sizeof(uint32_t);
    return acre_scene_reserve_published(scene) &&
           acre_column_reserve(scene, &scene->list_destroyed, scene->dying_count, element) &&
           acre_column_reserve(scene, &scene->list_created, scene->created_count, element) &&
           acre_column_reserve(scene, &scene->list_moved, scene->live_count, element) &&
           acre_column_reserve(scene, &scene->list_relabelled, scene->live_count, element) &&
           acre_order_prepare(scene);
}

static inline void compute_world(const world_row *worlds, uint32_t parent, const local_row *local,
                                 float *out)
{
    float composed[12];
    const float *matrix = local->matrix;
    if (local->mark == LOCAL_IS_TRANSFORM) {
        matrix_compose(&local->transform, composed);
        matrix = composed;
    }
    if (parent == NONE) {
        memcpy(out, matrix, sizeof composed);
    } else {
        matrix_product(worlds[parent].m, matrix, out);
    }
}

static inline void compute_box(const float *world, uint32_t kind, const acre_aabb *local,
                               acre_aabb *out)
{
    if (kind == ROW_BOX_FINITE) {
        box_transform(world, local, out);
    } else if (kind == ROW_BOX_INFINITE) {
        *out = acre_box_transform_infinite(world, local);
    } else {
        *out = acre_aabb_empty();
    }
}

// The one place where a row's world comes from. world may be the row's own.
static inline void compute_row(const acre_scene *scene, uint32_t row, world_row *world,
                               acre_aabb *box)
{
    const uint32_t bits = ((const uint8_t *)scene->row_bits.data)[row];
    const uint32_t parent = ((const uint32_t *)scene->row_parent.data)[row];
    compute_world(scene->worlds.data, parent, (const local_row *)scene->locals.data + row,
                  world->m);
    compute_box(world->m, bits & ROW_BOX_MASK, (const acre_aabb *)scene->boxes.data + row, box);
}

void acre_scene_compute_row(const acre_scene *scene, uint32_t row, world_row *world, acre_aabb *box)
{
    compute_row(scene, row, world, box);
}

static void mark_children(acre_scene *scene, uint32_t slot)
{
    const slot_links *const links = scene->links.data;
    for (uint32_t child = links[slot].first_child; child != NONE; child = links[child].next) {
        row_set_add(&scene->dirty, scene_row(scene, child));
    }
}

// Hiding or showing an entity reaches its whole subtree: the children are visited next, and the
// published flags are written with the labels.
static void change_hidden(acre_scene *scene, uint32_t row, bool hidden)
{
    row_bits_change(scene, row, ROW_HIDDEN, hidden ? ROW_HIDDEN : 0);
    row_set_add(&scene->labelled, row);
}

// Visits the dirty rows. What stays hidden is not computed, nor is anything below it: showing an
// entity computes its subtree. New entities are computed in any case.
static void commit_worlds(acre_scene *scene, change_counts *counts)
{
    const uint32_t *const row_slot = scene->row_slot.data;
    const uint32_t *const row_parent = scene->row_parent.data;
    const uint8_t *const row_bits = scene->row_bits.data;
    world_row *const worlds = scene->worlds.data;
    acre_aabb *const world_boxes = scene->world_boxes.data;
    uint32_t *const moved = scene->list_moved.data;
    uint32_t *const created = scene->list_created.data;
    size_t cursor = 0;
    for (;;) {
        const uint32_t row = row_set_take(&scene->dirty, &cursor);
        if (row == NONE) {
            return;
        }
        const uint32_t slot = row_slot[row], parent = row_parent[row], bits = row_bits[row];
        const bool was_hidden = (bits & ROW_HIDDEN) != 0;
        const bool hidden =
            (bits & ROW_OWN_HIDDEN) || (parent != NONE && (row_bits[parent] & ROW_HIDDEN));
        if (hidden != was_hidden) {
            change_hidden(scene, row, hidden);
        }
        if (!hidden || (bits & ROW_CREATED)) {
            compute_row(scene, row, &worlds[row], &world_boxes[slot]);
            if (bits & ROW_CREATED) {
                created[counts->created++] = slot;
            } else {
                moved[counts->moved++] = slot;
            }
        } else if (was_hidden) {
            continue;
        }
        if (bits & ROW_HAS_CHILDREN) {
            mark_children(scene, slot);
        }
    }
}

// Publishes flags, layers, user and whether there is a box. @return whether a module may care.
static bool publish_labels(acre_scene *scene, uint32_t row, uint32_t slot)
{
    const slot_labels *const labels = (const slot_labels *)scene->labels.data + slot;
    const uint32_t bits = ((const uint8_t *)scene->row_bits.data)[row];
    uint32_t *const flags = (uint32_t *)scene->world_flags.data + slot;
    uint32_t *const layers = (uint32_t *)scene->world_layers.data + slot;
    const uint32_t inherited = bits & ROW_HIDDEN ? ACRE_ENTITY_HIDDEN : 0;
    const bool changed = *layers != labels->layers || *flags != (labels->flags | inherited);
    *flags = labels->flags | inherited;
    *layers = labels->layers;
    ((uint64_t *)scene->world_user.data)[slot] = labels->user;
    const bool has_bounds = (bits & ROW_BOX_MASK) != ROW_BOX_NONE;
    const slot_record *const record = (const slot_record *)scene->slots.data + slot;
    ((published_slot *)scene->published.data)[slot] =
        (published_slot){row, record->generation, has_bounds};
    if (!has_bounds) {
        ((acre_aabb *)scene->world_boxes.data)[slot] = acre_aabb_empty();
    }
    return changed;
}

static void commit_labels(acre_scene *scene, change_counts *counts)
{
    if (!scene->labelled.is_used) {
        return;
    }
    const uint32_t *const row_slot = scene->row_slot.data;
    uint32_t *const relabelled = scene->list_relabelled.data;
    size_t cursor = 0;
    for (;;) {
        const uint32_t row = row_set_take(&scene->labelled, &cursor);
        if (row == NONE) {
            return;
        }
        const uint32_t slot = row_slot[row];
        const bool changed = publish_labels(scene, row, slot);
        if (((const uint8_t *)scene->row_bits.data)[row] & ROW_CREATED) {
            row_bits_change(scene, row, ROW_CREATED, 0);
        } else if (changed) {
            relabelled[counts->relabelled++] = slot;
        }
    }
}

static void publish_new_slots(acre_scene *scene)
{
    acre_aabb *const boxes = scene->world_boxes.data;
    for (uint32_t slot = scene->published_slots; slot < scene->slot_count; slot++) {
        boxes[slot] = acre_aabb_empty();
    }
    scene->published_slots = scene->slot_count;
}

static acre_result call_hooks(acre_scene *scene, const change_counts *counts)
{
    const acre_scene_changes changes = {
        .destroyed = scene->list_destroyed.data,
        .created = scene->list_created.data,
        .moved = scene->list_moved.data,
        .destroyed_count = counts->destroyed,
        .created_count = counts->created,
        .moved_count = counts->moved,
        .relabelled = scene->list_relabelled.data,
        .relabelled_count = counts->relabelled,
    };
    acre_result first = ACRE_OK;
    const acre_module *const *const modules = scene->modules.data;
    for (size_t i = 0; i < scene->module_count; i++) {
        if (modules[i]->commit) {
            const acre_result result = modules[i]->commit(modules[i]->user, scene, &changes);
            first = first == ACRE_OK ? result : first;
        }
    }
    return first;
}

acre_result acre_scene_commit(acre_scene *scene)
{
    acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    if (!access_begin_write(&scene->access)) {
        return scene_end_edit(scene, ACRE_ERROR_BUSY);
    }
    if (!reserve_commit(scene)) {
        access_end_write(&scene->access);
        return scene_end_edit(scene, ACRE_ERROR_OUT_OF_MEMORY);
    }
    change_counts counts = {0, 0, 0, 0};
    publish_new_slots(scene);
    counts.destroyed = acre_order_remove_destroyed(scene);
    acre_order_apply(scene);
    commit_worlds(scene, &counts);
    commit_labels(scene, &counts);
    scene->created_count = 0;
    scene->published_entities = scene->live_count;
    scene->commit_count++;
    // Hooks may read the scene, edits are refused until they return.
    scene->is_committing = true;
    access_write_to_read(&scene->access);
    result = call_hooks(scene, &counts);
    scene->is_committing = false;
    access_end_read(&scene->access);
    return scene_end_edit(scene, result);
}
