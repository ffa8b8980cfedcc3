// SPDX-License-Identifier: MIT
// scene_order.c - the order of rows: parents before children, holes closed, slots and memory given
// back.
//
// A subtree that now stands under a later parent goes to the end of the order as a whole. With S
// the union of all such subtrees: whatever is outside S keeps its row, for its parent is outside S
// and before it. S is appended in pre-order from its topmost entities, so all of it costs one
// visit, however the moved subtrees lie in each other.
#include "scene_internal.h"

#include <string.h>

// Closing holes copies every row, so it waits until that many rows paid for it.
#define FEWEST_HOLES 64

static bool row_is_moving(const acre_scene *scene, uint32_t row)
{
    return (*COLUMN_AT(scene->row_bits, row) & ROW_MOVING) != 0;
}

// @return the slot in a row of misplaced if it is alive and before its parent, else NONE.
static uint32_t misplaced_slot(const acre_scene *scene, uint32_t row)
{
    const uint32_t slot = *COLUMN_AT(scene->row_slot, row);
    if (slot == NONE || COLUMN_AT(scene->slots, slot)->state != SLOT_LIVE) {
        return NONE;
    }
    const uint32_t parent = COLUMN_AT(scene->links, slot)->parent;
    return parent != NONE && scene_row(scene, parent) > row ? slot : NONE;
}

// Marks or unmarks a subtree. Parts that are marked so already are skipped. @return how many.
static size_t mark_subtree(acre_scene *scene, uint32_t top, bool mark)
{
    const slot_links *const links = scene->links.data;
    size_t count = 0;
    uint32_t slot = top;
    while (slot != NONE) {
        const uint32_t row = scene_row(scene, slot);
        const bool changes = row_is_moving(scene, row) != mark;
        if (changes) {
            row_bits_change(scene, row, ROW_MOVING, mark ? ROW_MOVING : 0);
            count++;
        }
        slot = scene_subtree_next(links, top, slot, changes);
    }
    return count;
}

static size_t mark_misplaced(acre_scene *scene, bool mark)
{
    size_t count = 0;
    uint32_t row = row_set_next(&scene->misplaced, 0);
    while (row != NONE) {
        const uint32_t slot = misplaced_slot(scene, row);
        if (slot != NONE) {
            count += mark_subtree(scene, slot, mark);
        }
        row = row_set_next(&scene->misplaced, row + 1);
    }
    return count;
}

bool acre_order_prepare(acre_scene *scene)
{
    if (!scene->misplaced.is_used) {
        return true;
    }
    const size_t moving = mark_misplaced(scene, true);
    const size_t rows = (size_t)scene->row_count + moving;
    if (rows < NONE && acre_scene_reserve_rows(scene, rows) &&
        COLUMN_RESERVE(&scene->allocator, scene->worlds, rows)) {
        return true;
    }
    (void)mark_misplaced(scene, false);
    return false;
}

static void release_slot(acre_scene *scene, uint32_t slot)
{
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    scene->dying_count--;
    if (record->generation == LAST_GENERATION) {
        // Another generation would repeat an old handle.
        record->state = SLOT_RETIRED;
        scene->retired_count++;
        return;
    }
    record->generation++;
    record->state = SLOT_FREE;
    COLUMN_AT(scene->links, slot)->scratch = scene->free_head;
    scene->free_head = slot;
    scene->free_count++;
}

static void unpublish_slot(acre_scene *scene, uint32_t slot)
{
    *COLUMN_AT(scene->published, slot) = (published_slot){0, 0, 0};
    *COLUMN_AT(scene->world_boxes, slot) = acre_aabb_empty();
    *COLUMN_AT(scene->world_flags, slot) = 0;
    *COLUMN_AT(scene->world_layers, slot) = 0;
    *COLUMN_AT(scene->world_user, slot) = 0;
}

size_t acre_order_remove_destroyed(acre_scene *scene)
{
    if (!scene->destroyed.is_used) {
        return 0;
    }
    uint32_t *const list = scene->list_destroyed.data;
    uint32_t *const row_slot = scene->row_slot.data;
    size_t count = 0, cursor = 0;
    for (;;) {
        const uint32_t row = row_set_take(&scene->destroyed, &cursor);
        if (row == NONE) {
            return count;
        }
        const uint32_t slot = row_slot[row];
        if (!(*COLUMN_AT(scene->row_bits, row) & ROW_CREATED)) {
            list[count++] = slot;
            unpublish_slot(scene, slot);
        }
        row_set_remove(&scene->dirty, row);
        row_set_remove(&scene->labelled, row);
        row_set_remove(&scene->misplaced, row);
        row_slot[row] = NONE;
        scene->hole_count++;
        release_slot(scene, slot);
    }
}

static void move_bit(row_set *set, uint32_t from, uint32_t to)
{
    if (row_set_has(set, from)) {
        row_set_remove(set, from);
        row_set_add(set, to);
    }
}

// Gives an entity another row, which is a hole. Its parent has its row already.
static void move_row(acre_scene *scene, uint32_t slot, uint32_t to)
{
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    const uint32_t from = record->row;
    const uint32_t parent = COLUMN_AT(scene->links, slot)->parent;
    local_row *const locals = scene->locals.data;
    acre_aabb *const boxes = scene->boxes.data;
    world_row *const worlds = scene->worlds.data;
    uint8_t *const bits = scene->row_bits.data;
    uint32_t *const row_slot = scene->row_slot.data;
    locals[to] = locals[from];
    boxes[to] = boxes[from];
    worlds[to] = worlds[from];
    bits[to] = (uint8_t)(bits[from] & ~ROW_MOVING);
    row_slot[to] = slot;
    row_slot[from] = NONE;
    *COLUMN_AT(scene->row_parent, to) = parent == NONE ? NONE : scene_row(scene, parent);
    record->row = to;
    if (!(bits[to] & ROW_CREATED)) {
        COLUMN_AT(scene->published, slot)->row = to;
    }
    move_bit(&scene->dirty, from, to);
    move_bit(&scene->labelled, from, to);
}

static void append_subtree(acre_scene *scene, uint32_t top)
{
    const slot_links *const links = scene->links.data;
    for (uint32_t slot = top; slot != NONE; slot = scene_subtree_next(links, top, slot, true)) {
        move_row(scene, slot, scene->row_count++);
        scene->hole_count++;
    }
}

static void append_misplaced(acre_scene *scene)
{
    if (!scene->misplaced.is_used) {
        return;
    }
    size_t cursor = 0;
    for (;;) {
        const uint32_t row = row_set_take(&scene->misplaced, &cursor);
        if (row == NONE) {
            return;
        }
        // A row that moved with a subtree above it is a hole by now; one whose parent still has to
        // move goes with it.
        const uint32_t slot = misplaced_slot(scene, row);
        if (slot != NONE) {
            const uint32_t parent = COLUMN_AT(scene->links, slot)->parent;
            if (!row_is_moving(scene, scene_row(scene, parent))) {
                append_subtree(scene, slot);
            }
        }
    }
}

static void close_holes(acre_scene *scene)
{
    const uint32_t *const row_slot = scene->row_slot.data;
    const slot_links *const links = scene->links.data;
    uint32_t *const row_parent = scene->row_parent.data;
    uint32_t to = 0;
    for (uint32_t row = 0; row < scene->row_count; row++) {
        const uint32_t slot = row_slot[row];
        if (slot == NONE) {
            continue;
        }
        if (row != to) {
            move_row(scene, slot, to);
        } else if (links[slot].parent != NONE) {
            row_parent[row] = scene_row(scene, links[slot].parent);
        }
        to++;
    }
    scene->row_count = to;
    scene->hole_count = 0;
}

void acre_order_apply(acre_scene *scene)
{
    append_misplaced(scene);
    if (scene->hole_count > FEWEST_HOLES && scene->hole_count > scene->row_count / 2) {
        close_holes(scene);
    }
}

acre_result acre_scene_trim(acre_scene *scene)
{
    const acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    if (!access_begin_write(&scene->access)) {
        return scene_end_edit(scene, ACRE_ERROR_BUSY);
    }
    // Rows keep their place while a recorded edit refers to them.
    if (scene->hole_count > 0 && !scene->misplaced.is_used && !scene->destroyed.is_used &&
        scene->worlds.capacity >= scene->row_count) {
        close_holes(scene);
    }
    acre_scene_shrink_columns(scene);
    access_end_write(&scene->access);
    return scene_end_edit(scene, ACRE_OK);
}
