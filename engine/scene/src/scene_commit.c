// SPDX-License-Identifier: MIT
// scene_commit.c - makes recorded edits visible: worlds, boxes, labels, lists of changes, hooks.
//
// Dirty rows are visited in ascending order, so a parent is decided before its children; a row that
// is to be computed marks its children, which are later rows. Kernels compute many rows at a time,
// parents first. The cost follows what changed.
#include "scene_kernel_internal.h"

#include "prefetch_internal.h"

#include <string.h>

typedef struct change_counts {
    size_t destroyed, created, moved, relabelled;
} change_counts;

static bool reserve_commit(acre_scene *scene)
{
    const acre_allocator *const memory = &scene->allocator;
    return acre_scene_reserve_published(scene) &&
           COLUMN_RESERVE(memory, scene->list_destroyed, scene->dying_count) &&
           COLUMN_RESERVE(memory, scene->list_created, scene->created_count) &&
           COLUMN_RESERVE(memory, scene->list_moved, scene->live_count) &&
           COLUMN_RESERVE(memory, scene->list_relabelled, scene->live_count) &&
           acre_order_prepare(scene);
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

// Rows that wait for being computed, in ascending order. 64, 128, 192 and 256 rows cost the same
// within 3 %.
enum { PENDING = 256 };
typedef struct pending_rows {
    scene_arrays arrays;
    uint32_t count;
    uint32_t deepest;                 // largest depth
    bool has_special;                 // some have children or no finite local box
    uint32_t last_parent, last_depth; // the parent asked for last and the depth below it
    bool all_dirty;                   // every row was dirty: no children need to be marked
    uint32_t row[PENDING];
    uint8_t depth[PENDING]; // how many ancestors are pending
} pending_rows;

_Static_assert(PENDING <= 256, "a depth is a byte");

static uint32_t pending_position(const pending_rows *pending, uint32_t row)
{
    uint32_t low = 0, high = pending->count - 1;
    if (pending->row[high] == row) {
        return high;
    }
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (pending->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Depth by depth, so that a row's parent is done before it.
static void compute_by_depth(const acre_scene *scene, const pending_rows *pending)
{
    uint32_t ends[PENDING + 1] = {0};
    for (uint32_t i = 0; i < pending->count; i++) {
        ends[pending->depth[i] + 1]++;
    }
    for (uint32_t depth = 0; depth < pending->deepest; depth++) {
        ends[depth + 1] += ends[depth];
    }
    uint32_t sorted[PENDING];
    for (uint32_t i = 0; i < pending->count; i++) {
        sorted[ends[pending->depth[i]]++] = pending->row[i];
    }
    uint32_t first = 0;
    for (uint32_t depth = 0; depth <= pending->deepest; depth++) {
        scene->kernel->compute_rows(&pending->arrays, sorted + first, ends[depth] - first);
        first = ends[depth];
    }
}

static void finish_special(const acre_scene *scene, const pending_rows *pending)
{
    const scene_arrays *const arrays = &pending->arrays;
    uint8_t *const row_bits = scene->row_bits.data;
    for (uint32_t i = 0; i < pending->count; i++) {
        const uint32_t row = pending->row[i], kind = row_bits[row] & ROW_BOX_MASK;
        row_bits[row] &= (uint8_t)~ROW_PENDING;
        if (kind != ROW_BOX_FINITE) {
            arrays->world_boxes[arrays->row_slot[row]] =
                acre_scene_box(arrays->worlds[row].m, kind, &arrays->boxes[row]);
        }
    }
}

static void compute_pending(const acre_scene *scene, pending_rows *pending)
{
    if (pending->deepest == 0) {
        scene->kernel->compute_rows(&pending->arrays, pending->row, pending->count);
    } else {
        compute_by_depth(scene, pending);
    }
    if (pending->has_special) {
        finish_special(scene, pending);
    }
    pending->count = 0;
    pending->deepest = 0;
    pending->has_special = false;
    pending->last_parent = NONE;
}

// bits: the row's. parent_bits: its parent's, 0 without one.
static inline void add_pending(const acre_scene *scene, uint32_t row, uint32_t bits,
                               uint32_t parent_bits, pending_rows *pending)
{
    uint32_t depth = 0;
    if (pending->count == PENDING) {
        compute_pending(scene, pending);
    } else if (parent_bits & ROW_PENDING) {
        const uint32_t parent = pending->arrays.row_parent[row];
        if (parent != pending->last_parent) {
            pending->last_parent = parent;
            pending->last_depth = pending->depth[pending_position(pending, parent)] + 1u;
        }
        depth = pending->last_depth;
        pending->deepest = depth > pending->deepest ? depth : pending->deepest;
    }
    // What the kernel will read and write; a matrix may begin in one line and end in the next. Of
    // rows that follow each other, too: in chains of four a million rows took 28 ns each without,
    // 11 with.
    const scene_arrays *const arrays = &pending->arrays;
    prefetch_line(&arrays->locals[row].matrix[0]);
    prefetch_line(&arrays->locals[row].matrix[11]);
    prefetch_line(&arrays->boxes[row]);
    prefetch_line(&arrays->worlds[row].m[0]);
    prefetch_line(&arrays->worlds[row].m[11]);
    prefetch_line(&arrays->world_boxes[arrays->row_slot[row]]);
    pending->row[pending->count] = row;
    pending->depth[pending->count++] = (uint8_t)depth;
    pending->has_special |= (bits & (ROW_BOX_MASK | ROW_HAS_CHILDREN)) != ROW_BOX_FINITE;
    if (bits & ROW_HAS_CHILDREN) {
        row_bits_change(scene, row, 0, ROW_PENDING);
    }
}

// What stays hidden is not computed, nor is anything below it: showing an entity computes its
// subtree. New entities are computed in any case.
static void visit_row(acre_scene *scene, uint32_t row, pending_rows *pending, change_counts *counts)
{
    const uint8_t *const row_bits = scene->row_bits.data;
    const uint32_t slot = pending->arrays.row_slot[row], parent = pending->arrays.row_parent[row];
    const uint32_t bits = row_bits[row], parent_bits = parent == NONE ? 0 : row_bits[parent];
    if (!((bits | parent_bits) & (ROW_OWN_HIDDEN | ROW_HIDDEN | ROW_CREATED))) {
        add_pending(scene, row, bits, parent_bits, pending);
        *COLUMN_AT(scene->list_moved, counts->moved++) = slot;
    } else {
        const bool was_hidden = (bits & ROW_HIDDEN) != 0;
        const bool hidden = (bits & ROW_OWN_HIDDEN) || (parent_bits & ROW_HIDDEN);
        if (hidden != was_hidden) {
            change_hidden(scene, row, hidden);
        }
        if (!hidden || (bits & ROW_CREATED)) {
            add_pending(scene, row, bits, parent_bits, pending);
            if (bits & ROW_CREATED) {
                *COLUMN_AT(scene->list_created, counts->created++) = slot;
            } else {
                *COLUMN_AT(scene->list_moved, counts->moved++) = slot;
            }
        } else if (was_hidden) {
            return;
        }
    }
    if ((bits & ROW_HAS_CHILDREN) && !pending->all_dirty) {
        mark_children(scene, slot);
    }
}

// Whether no row but holes is clean. Costs little where few rows are dirty: it stops where too many
// are clean, and does not begin where holes are many.
static bool all_rows_are_dirty(const acre_scene *scene)
{
    if (scene->hole_count > scene->row_count / 8) {
        return false;
    }
    const uint64_t *const words = scene->dirty.words.data;
    uint32_t clean = 0;
    for (uint32_t first = 0; first < scene->row_count && clean <= scene->hole_count; first += 64) {
        const uint32_t rows = scene->row_count - first;
        uint64_t missing = ~words[first >> 6];
        missing &= rows < 64 ? ((uint64_t)1 << rows) - 1 : UINT64_MAX;
        if (missing == UINT64_MAX) {
            clean += 64;
            continue;
        }
        for (; missing; missing &= missing - 1) {
            clean++;
        }
    }
    return clean == scene->hole_count;
}

// Whether 64 rows are old roots without children, not hidden, with a finite box each.
static bool word_is_plain(const acre_scene *scene, uint32_t first)
{
    const uint8_t *const bits = COLUMN_AT(scene->row_bits, first);
    const uint32_t *const parents = COLUMN_AT(scene->row_parent, first);
    uint32_t other = 0, no_parent = NONE;
    for (uint32_t i = 0; i < 64; i++) {
        other |= bits[i] ^ ROW_BOX_FINITE;
    }
    if (other) {
        return false;
    }
    for (uint32_t i = 0; i < 64; i++) {
        no_parent &= parents[i];
    }
    return no_parent == NONE;
}

// What visit_row does, for 64 plain rows: nobody waits for them, and they wait for nobody.
static void visit_plain_word(acre_scene *scene, uint32_t first, const scene_arrays *arrays,
                             change_counts *counts)
{
    const uint64_t *const words = scene->dirty.words.data;
    const size_t next = first / 64 + 1;
    const bool next_follows = next < scene->dirty.words.capacity && words[next] == UINT64_MAX;
    scene->kernel->compute_word(arrays, first, next_follows);
    memcpy(scene->list_moved.data + counts->moved, arrays->row_slot + first, 64 * sizeof(uint32_t));
    counts->moved += 64;
}

// Visits the dirty rows.
static void commit_worlds(acre_scene *scene, change_counts *counts)
{
    pending_rows pending = {.arrays = {scene->locals.data, scene->boxes.data, scene->row_slot.data,
                                       scene->row_parent.data, scene->worlds.data,
                                       scene->world_boxes.data},
                            .last_parent = NONE,
                            .all_dirty = all_rows_are_dirty(scene)};
    uint64_t *const words = scene->dirty.words.data;
    size_t cursor = 0;
    for (;;) {
        const size_t word = row_set_first_word(&scene->dirty, &cursor);
        if (word == SIZE_MAX) {
            break;
        }
        uint64_t left = words[word];
        words[word] = 0;
        if (left == UINT64_MAX && word_is_plain(scene, (uint32_t)(word * 64))) {
            visit_plain_word(scene, (uint32_t)(word * 64), &pending.arrays, counts);
            continue;
        }
        while (left) {
            const uint32_t row = (uint32_t)(word * 64 + lowest_bit(left));
            left &= left - 1;
            visit_row(scene, row, &pending, counts);
            // Children in the same word, all of them later rows.
            left |= words[word];
            words[word] = 0;
        }
    }
    compute_pending(scene, &pending);
}

// Publishes flags, layers, user and whether there is a box. @return whether a module may care.
static bool publish_labels(acre_scene *scene, uint32_t row, uint32_t slot)
{
    const slot_labels *const labels = COLUMN_AT(scene->labels, slot);
    const uint32_t bits = *COLUMN_AT(scene->row_bits, row);
    uint32_t *const flags = COLUMN_AT(scene->world_flags, slot);
    uint32_t *const layers = COLUMN_AT(scene->world_layers, slot);
    const uint32_t inherited = bits & ROW_HIDDEN ? ACRE_ENTITY_HIDDEN : 0;
    const bool changed = *layers != labels->layers || *flags != (labels->flags | inherited);
    *flags = labels->flags | inherited;
    *layers = labels->layers;
    *COLUMN_AT(scene->world_user, slot) = labels->user;
    const bool has_bounds = (bits & ROW_BOX_MASK) != ROW_BOX_NONE;
    const slot_record *const record = COLUMN_AT(scene->slots, slot);
    *COLUMN_AT(scene->published, slot) = (published_slot){row, record->generation, has_bounds};
    if (!has_bounds) {
        *COLUMN_AT(scene->world_boxes, slot) = acre_aabb_empty();
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
        if (*COLUMN_AT(scene->row_bits, row) & ROW_CREATED) {
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
