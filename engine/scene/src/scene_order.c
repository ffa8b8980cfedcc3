// SPDX-License-Identifier: MIT
// scene_order.c - keeps parents before children, closes holes, frees slots and gives memory back.
//
// If the parent of a subtree now has a later row, the whole subtree moves to the end of the order.
// Let S be the union of all such subtrees. A row outside S keeps its place: its parent is outside S
// too, and stands before it. S is appended in pre-order from its topmost entities, so each entity
// of S is visited once, even where such subtrees contain each other.
#include "scene_commit_internal.h"

#include "prefetch_internal.h"

#include <string.h>

// Closing holes copies every row behind the first one. So it waits until there are more holes than
// SCENE_FEWEST_HOLES, and than one row in HOLES_DIVISOR. Then each commit goes over STEP_ROWS rows,
// and STEP_ROWS_A_CHANGE more for each new hole and each new row. So no commit takes much longer
// than the others. Nor do rows come faster than holes go: where a row comes for each that goes,
// there are a 32nd of holes when the closing begins, and a 44th of new rows until it ends. Together
// that is less than the sixteenth of room that a loaded scene has. Where it is not, because commits
// are few and large, the one that leaves no room for another like it closes all holes.
enum {
    HOLES_DIVISOR = 32,
    STEP_ROWS = 256,
    STEP_ROWS_A_CHANGE = 22,
    SLOTS_OF_ROWS_AHEAD = 16 // slots of rows are fetched so many ahead: their order is any
};

#define HOLE (~(row_head)0)

static bool slot_is_moving(const acre_scene *scene, uint32_t slot)
{
    return (COLUMN_AT(scene->slots, slot)->flags & SLOT_MOVING) != 0;
}

// @return the slot in a row of `misplaced` if it is alive and its parent has a later row, else
// NONE.
static uint32_t misplaced_slot(const acre_scene *scene, uint32_t row)
{
    const uint32_t slot = head_slot(*COLUMN_AT(scene->heads, row));
    if (slot == NONE || COLUMN_AT(scene->slots, slot)->state != SLOT_LIVE) {
        return NONE;
    }
    const uint32_t parent = COLUMN_AT(scene->links, slot)->parent;
    return parent != NONE && scene_row(scene, parent) > row ? slot : NONE;
}

// Marks or unmarks a subtree, but for what is marked so already. @return how many entities changed.
static size_t mark_subtree(acre_scene *scene, uint32_t top, bool mark)
{
    const slot_links *const links = scene->links.data;
    size_t count = 0;
    uint32_t slot = top;
    while (slot != NONE) {
        const bool changes = slot_is_moving(scene, slot) != mark;
        if (changes) {
            COLUMN_AT(scene->slots, slot)->flags ^= SLOT_MOVING;
            count++;
        }
        slot = scene_subtree_next(links, top, slot, changes);
    }
    return count;
}

static size_t mark_misplaced(acre_scene *scene, bool mark)
{
    size_t count = 0;
    for (uint32_t row = row_set_next(&scene->misplaced, 0); row != NONE;
         row = row_set_next(&scene->misplaced, row + 1)) {
        const uint32_t slot = misplaced_slot(scene, row);
        count += slot != NONE ? mark_subtree(scene, slot, mark) : 0;
    }
    return count;
}

bool acre_order_prepare(acre_scene *scene)
{
    if (!scene->misplaced.is_used) {
        return acre_commit_reserve_shares(scene, scene->row_count);
    }
    const size_t moving = mark_misplaced(scene, true);
    const size_t rows = (size_t)scene->row_count + moving;
    if (rows <= MAX_ROWS && acre_scene_reserve_rows(scene, rows) &&
        acre_scene_reserve_worlds(scene, rows) && acre_commit_reserve_shares(scene, rows)) {
        return true;
    }
    (void)mark_misplaced(scene, false);
    return false;
}

static void release_slot(acre_scene *scene, uint32_t slot)
{
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    ACRE_INVARIANT(record->state == SLOT_DYING && scene->dying_count > 0);
    scene->dying_count--;
    if (record->generation == LAST_GENERATION) {
        // Another generation would repeat an old handle.
        record->state = SLOT_RETIRED;
        scene->retired_count++;
        return;
    }
    record->generation++;
    record->state = SLOT_FREE;
    COLUMN_AT(scene->links, slot)->next = scene->free_head;
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
    size_t count = 0, cursor = 0;
    for (uint32_t row; (row = row_set_take(&scene->destroyed, &cursor)) != NONE;) {
        row_head *const head = COLUMN_AT(scene->heads, row);
        const uint32_t slot = head_slot(*head), bits = head_bits(*head);
        ACRE_INVARIANT(slot != NONE);
        if (!(bits & ROW_CREATED)) {
            *COLUMN_AT(scene->list_destroyed, count++) = slot;
            unpublish_slot(scene, slot);
        }
        if (bits & ROW_MATRIX) {
            acre_matrix_release(scene, COLUMN_AT(scene->locals, row)->matrix);
        }
        row_set_remove(&scene->dirty, row);
        row_set_remove(&scene->boxed, row);
        row_set_remove(&scene->toggled, row);
        row_set_remove(&scene->labeled, row);
        row_set_remove(&scene->misplaced, row);
        *head = HOLE;
        scene->hole_count++;
        release_slot(scene, slot);
    }
    return count;
}

static void move_bit(row_set *set, uint32_t from, uint32_t to)
{
    if (row_set_has(set, from)) {
        row_set_remove(set, from);
        row_set_add(set, to);
    }
}

// Puts an entity, with this head, into another row, which is a hole or new.
static void put_row(acre_scene *scene, row_head head, uint32_t from, uint32_t to)
{
    const uint32_t slot = head_slot(head), parent = head_parent(head);
    slot_record *const record = COLUMN_AT(scene->slots, slot);
    ACRE_INVARIANT(record->row == from && from != to);
    ACRE_INVARIANT(parent == NONE || parent < to);
    *COLUMN_AT(scene->locals, to) = *COLUMN_AT(scene->locals, from);
    *COLUMN_AT(scene->worlds, to) = *COLUMN_AT(scene->worlds, from);
    *COLUMN_AT(scene->heads, to) = head;
    *COLUMN_AT(scene->heads, from) = HOLE;
    record->row = to;
    if (!(head_bits(head) & ROW_CREATED)) {
        COLUMN_AT(scene->published, slot)->row = to;
    }
    move_bit(&scene->dirty, from, to);
    move_bit(&scene->boxed, from, to);
    move_bit(&scene->toggled, from, to);
    move_bit(&scene->labeled, from, to);
}

static uint32_t parent_row(const acre_scene *scene, uint32_t slot)
{
    const uint32_t parent = COLUMN_AT(scene->links, slot)->parent;
    return parent == NONE ? NONE : scene_row(scene, parent);
}

static void append_subtree(acre_scene *scene, uint32_t top)
{
    const slot_links *const links = scene->links.data;
    for (uint32_t slot = top; slot != NONE; slot = scene_subtree_next(links, top, slot, true)) {
        const uint32_t row = scene_row(scene, slot);
        const row_head head = *COLUMN_AT(scene->heads, row);
        put_row(scene, head_with_parent(head, parent_row(scene, slot)), row, scene->row_count++);
        COLUMN_AT(scene->slots, slot)->flags &= (uint8_t)~SLOT_MOVING;
        scene->hole_count++;
    }
}

// @return how many rows were added.
static uint32_t append_misplaced(acre_scene *scene)
{
    const uint32_t before = scene->row_count;
    if (!scene->misplaced.is_used) {
        return 0;
    }
    size_t cursor = 0;
    for (uint32_t row; (row = row_set_take(&scene->misplaced, &cursor)) != NONE;) {
        // The row is a hole by now if it moved with a subtree above it. If its parent has still to
        // move, the row moves with it.
        const uint32_t slot = misplaced_slot(scene, row);
        if (slot != NONE && !slot_is_moving(scene, COLUMN_AT(scene->links, slot)->parent)) {
            append_subtree(scene, slot);
        }
    }
    return scene->row_count - before;
}

static void tell_children(acre_scene *scene, uint32_t slot, uint32_t row)
{
    const slot_links *const links = scene->links.data;
    for (uint32_t child = links[slot].first_child; child != NONE; child = links[child].next) {
        row_head *const head = COLUMN_AT(scene->heads, scene_row(scene, child));
        *head = head_with_parent(*head, row);
    }
}

static void fetch_slot_of(const acre_scene *scene, uint32_t row)
{
    if (row < scene->row_count) {
        const uint32_t slot = head_slot(scene->heads.data[row]); // of a hole it is any number
        prefetch_element(scene->slots.data, slot, sizeof *scene->slots.data);
        prefetch_element(scene->published.data, slot, sizeof *scene->published.data);
    }
}

// Visits the next rows, at most `most` of them, and moves those that are in use to the front, in
// their order. A pass that has come to the last row cuts off the rows that are left over.
static void close_holes(acre_scene *scene, size_t most)
{
    ACRE_INVARIANT(!scene->destroyed.is_used && !scene->misplaced.is_used);
    ACRE_INVARIANT(scene->worlds.capacity >= scene->row_count);
    if (most >= scene->row_count) {
        scene->closed_to = scene->closed_from = 0; // also those that came behind it
    }
    uint32_t to = scene->closed_to, from = scene->closed_from;
    ACRE_INVARIANT(to <= from && from <= scene->row_count);
    const uint32_t rest = scene->row_count - from;
    const uint32_t end = from + (most < rest ? (uint32_t)most : rest);
    for (; from < end; from++) {
        const row_head head = *COLUMN_AT(scene->heads, from);
        fetch_slot_of(scene, from + SLOTS_OF_ROWS_AHEAD);
        if (head_slot(head) == NONE) {
            continue;
        }
        if (from != to) {
            ACRE_INVARIANT(head_slot(*COLUMN_AT(scene->heads, to)) == NONE);
            ACRE_INVARIANT(head_parent(head) == parent_row(scene, head_slot(head)));
            put_row(scene, head, from, to);
            if (head_bits(head) & ROW_HAS_CHILDREN) {
                tell_children(scene, head_slot(head), to);
            }
        }
        to++;
    }
    if (from == scene->row_count) {
        ACRE_INVARIANT(from - to <= scene->hole_count);
        scene->hole_count -= from - to;
        scene->row_count = to;
        to = from = 0;
    }
    scene->closed_to = to;
    scene->closed_from = from;
}

void acre_order_apply(acre_scene *scene, uint32_t holes)
{
    const size_t added = append_misplaced(scene) + scene->created_count;
    ACRE_INVARIANT(holes <= scene->hole_count && scene->row_count <= scene->heads.capacity);
    const bool has_many = scene->hole_count > SCENE_FEWEST_HOLES &&
                          scene->hole_count > scene->row_count / HOLES_DIVISOR;
    if (has_many || scene->closed_from > 0) {
        const size_t changes = (size_t)scene->hole_count - holes + added;
        const bool has_room = scene->heads.capacity - scene->row_count >= 2 * added;
        close_holes(scene, has_room ? STEP_ROWS + changes * STEP_ROWS_A_CHANGE : scene->row_count);
    }
}

static acre_result trim(acre_scene *scene)
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
        close_holes(scene, scene->row_count);
    }
    if (scene->free_matrix_count > 0) {
        acre_matrix_compact(scene);
    }
    acre_scene_shrink_columns(scene);
    access_end_write(&scene->access);
    return scene_end_edit(scene, ACRE_OK);
}

acre_result acre_scene_trim(acre_scene *scene)
{
    const acre_result result = trim(scene);
    return ACRE_ANSWER(result, "o", scene);
}
