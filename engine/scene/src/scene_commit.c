// SPDX-License-Identifier: MIT
// scene_commit.c - makes recorded edits visible: worlds, boxes, labels, lists of changes, hooks.
//
// The commit visits dirty rows in ascending order, so it meets a parent before its children. A row
// that must be computed marks its children, which are later rows. Kernels compute many rows at a
// time, parents first. A row of which only the world box was set gets that box, and is not
// computed. The cost follows what changed.
#include "scene_commit_internal.h"

#include "tasks_internal.h"

// How many entities a subtree has; where they are more than `most`, most.
static size_t count_subtree(const acre_scene *scene, uint32_t top, size_t most)
{
    const slot_links *const links = scene->links.data;
    size_t count = 0;
    for (uint32_t slot = top; slot != NONE && count < most;
         slot = scene_subtree_next(links, top, slot, true)) {
        count++;
    }
    return count;
}

// The most entities whose flags or layers may change: the rows of `labeled` that are not new, and
// where a subtree may be hidden or shown, what is below them. A list that has room for all old
// entities needs no count.
static size_t count_relabeled(const acre_scene *scene)
{
    const size_t old = scene->live_count - scene->created_count;
    if (old <= scene->list_relabeled.capacity) {
        return old;
    }
    if (!scene->may_hide) {
        const size_t labeled = row_set_count(&scene->labeled);
        return labeled < old ? labeled : old;
    }
    size_t count = 0;
    for (uint32_t row = row_set_next(&scene->labeled, 0); row != NONE && count < old;
         row = row_set_next(&scene->labeled, row + 1)) {
        const uint32_t slot = head_slot(*COLUMN_AT(scene->heads, row));
        count += count_subtree(scene, slot, old - count);
    }
    return count;
}

// Reserves all memory that this commit can need, so that what follows cannot fail.
static bool reserve_commit(acre_scene *scene)
{
    const acre_allocator *const memory = &scene->allocator;
    ACRE_INVARIANT(scene->created_count <= scene->live_count);
    // Room for a few in any case: a frame that hides, shows or destroys a few entities allocates
    // nothing.
    const size_t relabeled = count_relabeled(scene), destroyed = scene->dying_count, some = 64;
    return acre_scene_reserve_published(scene) &&
           COLUMN_RESERVE(memory, scene->list_destroyed, destroyed > some ? destroyed : some) &&
           COLUMN_RESERVE(memory, scene->list_relabeled, relabeled > some ? relabeled : some) &&
           acre_order_prepare(scene);
}

static void mark_children(acre_scene *scene, uint32_t slot)
{
    const slot_links *const links = scene->links.data;
    for (uint32_t child = links[slot].first_child; child != NONE; child = links[child].next) {
        row_set_add(&scene->dirty, scene_row(scene, child));
    }
}

static bool has_edit(const acre_scene *scene, uint32_t row)
{
    return row_set_has(&scene->dirty, row) || row_set_has(&scene->boxed, row);
}

// Marks the children of a row while some rows are toggled: hidden or shown, but not moved. The
// child of a toggled row is toggled too, unless it was edited itself. Then it is in one of the
// sets, or in `left`, the rows of this row's word that are still to be visited.
static void mark_toggled_children(acre_scene *scene, uint32_t slot, uint32_t row, uint64_t left)
{
    const slot_links *const links = scene->links.data;
    const bool has_moved = !row_set_has(&scene->toggled, row);
    for (uint32_t child = links[slot].first_child; child != NONE; child = links[child].next) {
        const uint32_t below = scene_row(scene, child);
        const bool waits = below >> 6 == row >> 6 && (left >> (below & 63) & 1);
        ACRE_INVARIANT(below > row);
        if (has_moved) {
            row_set_remove(&scene->toggled, below);
        } else if (!waits && !has_edit(scene, below)) {
            row_set_add(&scene->toggled, below);
        }
        row_set_add(&scene->dirty, below);
    }
}

// Makes the toggled rows dirty. A row that was edited has moved: it leaves the set `toggled`.
static void mark_toggled(acre_scene *scene)
{
    for (uint32_t row = row_set_next(&scene->toggled, 0); row != NONE;
         row = row_set_next(&scene->toggled, row + 1)) {
        if (has_edit(scene, row)) {
            row_set_remove(&scene->toggled, row);
        }
        row_set_add(&scene->dirty, row);
    }
}

static void clear_toggled(acre_scene *scene)
{
    for (size_t cursor = 0; row_set_take(&scene->toggled, &cursor) != NONE;) {
    }
}

// Hides or shows a row. Its children are visited later in the same pass; the published flags are
// written with the labels.
static void change_hidden(acre_scene *scene, uint32_t row, bool hidden)
{
    row_bits_change(scene, row, ROW_HIDDEN, hidden ? ROW_HIDDEN : 0);
    row_set_add(&scene->labeled, row);
}

static inline void list_moved(acre_scene *scene, uint32_t slot, change_counts *counts)
{
    *COLUMN_AT(scene->list_computed, scene->created_count + counts->moved++) = slot;
}

// Lists a hidden entity that was edited. This list grows down from the end of list_computed. There
// is room for it, as a row stands in one list alone.
static void list_moved_hidden(acre_scene *scene, uint32_t slot, change_counts *counts)
{
    const size_t room = scene->list_computed.capacity - counts->moved_hidden++;
    ACRE_INVARIANT(scene->created_count + counts->moved < room);
    *COLUMN_AT(scene->list_computed, room - 1) = slot;
}

// Visits a row that is new or hidden, or that was hidden or shown since the last commit. A row that
// stays hidden is not computed, nor is anything below it: the commit that shows it computes its
// subtree. A new row is computed in any case. @return whether the row may have changed its
// children.
static bool visit_unusual_row(acre_scene *scene, uint32_t row, row_head head, uint32_t parent_bits,
                              pending_rows *pending, change_counts *counts)
{
    const uint32_t bits = head_bits(head), slot = head_slot(head);
    const bool was_hidden = (bits & ROW_HIDDEN) != 0;
    const bool hidden = (bits & ROW_OWN_HIDDEN) || (parent_bits & ROW_HIDDEN);
    if (hidden != was_hidden) {
        change_hidden(scene, row, hidden);
    }
    if (hidden && !(bits & ROW_CREATED)) {
        if (!row_set_has(&scene->toggled, row)) {
            list_moved_hidden(scene, slot, counts);
        }
        return !was_hidden;
    }
    pending_add(scene, row, head, parent_bits, pending);
    if (bits & ROW_CREATED) {
        ACRE_INVARIANT(counts->created < scene->created_count);
        *COLUMN_AT(scene->list_computed, counts->created++) = slot;
    } else {
        list_moved(scene, slot, counts);
    }
    return true;
}

// @return whether it may have marked children.
static inline bool visit_row(acre_scene *scene, uint32_t row, uint64_t left, pending_rows *pending,
                             change_counts *counts)
{
    const row_head head = pending->arrays.heads[row];
    const uint32_t bits = head_bits(head), parent = head_parent(head), slot = head_slot(head);
    ACRE_INVARIANT(slot != NONE && (parent == NONE || parent < row));
    const row_head above = parent == NONE ? 0 : pending->arrays.heads[parent];
    if (!(head_bits(head | above) & (ROW_OWN_HIDDEN | ROW_HIDDEN | ROW_CREATED))) {
        pending_add(scene, row, head, head_bits(above), pending);
        list_moved(scene, slot, counts);
    } else if (!visit_unusual_row(scene, row, head, head_bits(above), pending, counts)) {
        return false;
    }
    if (!(bits & ROW_HAS_CHILDREN)) {
        return false;
    }
    if (scene->toggled.is_used) {
        mark_toggled_children(scene, slot, row, left);
    } else if (!pending->all_dirty) {
        pending->fetches_families = scene->row_count >= FAMILIES_FETCHED_LEAST;
        mark_children(scene, slot);
    }
    return true;
}

// Whether every row is dirty or a hole. This is cheap where few rows are dirty: the search stops
// once it has met more clean rows than there are holes, and does not begin where holes are many.
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
        clean += missing ? count_bits(missing) : 0;
    }
    return clean == scene->hole_count;
}

static void commit_plain_word(acre_scene *scene, const scene_arrays *arrays, uint32_t word,
                              uint64_t dirty, change_counts *counts)
{
    const bool next_follows = word + 1 < scene->row_count / 64 &&
                              count_bits(*COLUMN_AT(scene->dirty.words, word + 1)) >= PLAIN_DIRTY;
    ACRE_INVARIANT(counts->moved + count_bits(dirty) <= scene->live_count - scene->created_count);
    scene->kernel->compute_word(arrays, word * 64, next_follows);
    acre_word_list(arrays, word, dirty,
                   COLUMN_AT(scene->list_computed, scene->created_count + counts->moved));
    counts->moved += count_bits(dirty);
}

// Gives rows of a word the world boxes that were set. The rows before them are visited, so it is
// known whether they are hidden.
static void publish_boxes(acre_scene *scene, size_t word, uint64_t rows, change_counts *counts)
{
    for (; rows; rows &= rows - 1) {
        const uint32_t row = (uint32_t)(word * 64 + lowest_bit(rows));
        const row_head head = *COLUMN_AT(scene->heads, row);
        if (head_bits(head) & ROW_HIDDEN) {
            list_moved_hidden(scene, head_slot(head), counts);
        } else {
            scene_publish_box(scene, row, head);
            list_moved(scene, head_slot(head), counts);
        }
    }
}

// Visits the rows of a word in ascending order: the dirty ones, `left`, and those whose world box
// was set.
static inline void visit_word(acre_scene *scene, size_t word, uint64_t left, uint64_t boxed,
                              pending_rows *pending, change_counts *counts)
{
    uint64_t *const dirty = COLUMN_AT(scene->dirty.words, word);
    for (;;) {
        const uint64_t before_dirty = (left & -left) - 1; // all rows if none is dirty
        publish_boxes(scene, word, boxed & before_dirty, counts);
        if (!left) {
            return;
        }
        boxed &= ~(before_dirty | left); // a dirty row publishes its own box
        const uint64_t before_boxed = (boxed & -boxed) - 1;
        do {
            const uint32_t row = (uint32_t)(word * 64 + lowest_bit(left));
            left &= left - 1;
            if (visit_row(scene, row, left, pending, counts)) {
                left |= *dirty; // children in the row's own word: later rows, visited next
                *dirty = 0;
            }
        } while (left & before_boxed);
        boxed &= ~left;
    }
}

// Visits the dirty rows, and those whose world box was set.
static void visit_edited_rows(acre_scene *scene, change_counts *counts)
{
    pending_rows pending = {.arrays = scene_arrays_of(scene),
                            .last_parent = NONE,
                            .all_dirty = all_rows_are_dirty(scene)};
    uint64_t *const words = scene->dirty.words.data, *const boxes = scene->boxed.words.data;
    family_fetch fetch = {.word_count = 0};
    const bool has_boxed = scene->boxed.is_used;
    size_t cursor = 0, boxed_cursor = 0;
    for (;;) {
        size_t word = row_set_first_word(&scene->dirty, &cursor);
        if (has_boxed) {
            const size_t other = row_set_first_word(&scene->boxed, &boxed_cursor);
            word = other < word ? other : word;
        }
        if (word == SIZE_MAX) {
            break;
        }
        if (pending.fetches_families) {
            acre_families_fetch(scene, (uint32_t)word, &fetch);
        }
        const uint64_t left = words[word], boxed = has_boxed ? boxes[word] : 0;
        words[word] = 0;
        const uint32_t dirty = count_bits(left);
        if (dirty >= PLAIN_DIRTY && acre_word_is_plain(scene, (uint32_t)word)) {
            ACRE_INVARIANT(!(boxed & ~left)); // a row with a world box is not plain
            commit_plain_word(scene, &pending.arrays, (uint32_t)word, left, counts);
        } else {
            visit_word(scene, word, left, boxed, &pending, counts);
        }
        if (has_boxed) {
            boxes[word] = 0; // not sooner: mark_toggled_children asks for them
        }
    }
    acre_pending_compute(scene, &pending);
}

static void commit_worlds(acre_scene *scene, change_counts *counts)
{
    if (scene->toggled.is_used) {
        mark_toggled(scene);
    }
    if (!acre_commit_in_shares(scene, counts)) {
        visit_edited_rows(scene, counts);
    }
    ACRE_INVARIANT(counts->created == scene->created_count);
    ACRE_INVARIANT(counts->moved <= scene->live_count - scene->created_count);
}

// Publishes flags, layers, user and whether there is a box. @return whether flags or layers
// changed.
static bool publish_labels(acre_scene *scene, uint32_t row, uint32_t slot)
{
    const slot_record *const record = COLUMN_AT(scene->slots, slot);
    ACRE_INVARIANT(record->state == SLOT_LIVE && record->row == row);
    const uint32_t bits = row_bits(scene, row), own_layers = slot_layers(scene, slot);
    const uint32_t inherited = bits & ROW_HIDDEN ? ACRE_ENTITY_HIDDEN : 0;
    const uint32_t own_flags = (record->flags & KNOWN_FLAGS) | inherited;
    uint32_t *const flags = COLUMN_AT(scene->world_flags, slot);
    uint32_t *const layers = COLUMN_AT(scene->world_layers, slot);
    const bool changed = *layers != own_layers || *flags != own_flags;
    *flags = own_flags;
    *layers = own_layers;
    *COLUMN_AT(scene->world_user, slot) = slot_user(scene, slot);
    const bool has_bounds = (bits & ROW_BOX_MASK) != ROW_BOX_NONE;
    *COLUMN_AT(scene->published, slot) = (published_slot){row, record->generation, has_bounds};
    if (!has_bounds) {
        *COLUMN_AT(scene->world_boxes, slot) = acre_aabb_empty();
    }
    return changed;
}

static void commit_labels(acre_scene *scene, change_counts *counts)
{
    if (!scene->labeled.is_used) {
        return;
    }
    size_t cursor = 0;
    for (uint32_t row; (row = row_set_take(&scene->labeled, &cursor)) != NONE;) {
        const row_head head = *COLUMN_AT(scene->heads, row);
        const bool changed = publish_labels(scene, row, head_slot(head));
        if (head_bits(head) & ROW_CREATED) {
            row_bits_change(scene, row, ROW_CREATED, 0);
        } else if (changed) {
            *COLUMN_AT(scene->list_relabeled, counts->relabeled++) = head_slot(head);
        }
    }
}

static void publish_new_slots(acre_scene *scene)
{
    for (uint32_t slot = scene->published_slots; slot < scene->slot_count; slot++) {
        *COLUMN_AT(scene->world_boxes, slot) = acre_aabb_empty();
    }
    scene->published_slots = scene->slot_count;
}

static acre_result call_hooks(acre_scene *scene, const change_counts *counts)
{
    const acre_scene_changes changes = {
        .destroyed = scene->list_destroyed.data,
        .created = scene->list_computed.data,
        .moved = scene->list_computed.data ? scene->list_computed.data + counts->created : NULL,
        .destroyed_count = counts->destroyed,
        .created_count = counts->created,
        .moved_count = counts->moved,
        .relabeled = scene->list_relabeled.data,
        .relabeled_count = counts->relabeled,
        .moved_hidden = counts->moved_hidden > 0
                            ? COLUMN_AT(scene->list_computed,
                                        scene->list_computed.capacity - counts->moved_hidden)
                            : NULL,
        .moved_hidden_count = counts->moved_hidden,
    };
    acre_result first = acre_scene_tell_shift(scene);
    for (size_t i = 0; i < scene->module_count; i++) {
        const acre_module *const module = *COLUMN_AT(scene->modules, i);
        if (module->commit) {
            const acre_result result = module->commit(module->user, scene, &changes);
            first = first == ACRE_OK ? result : first;
        }
    }
    return first;
}

static acre_result begin_commit(acre_scene *scene)
{
    const acre_result result = scene_begin_edit(scene);
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
    return ACRE_OK;
}

acre_result acre_scene_commit(acre_scene *scene)
{
    acre_result result = begin_commit(scene);
    if (result != ACRE_OK) {
        return ACRE_ANSWER(result, "o", scene);
    }
    change_counts counts = {0};
    const uint32_t holes = scene->hole_count;
    publish_new_slots(scene);
    counts.destroyed = acre_order_remove_destroyed(scene);
    acre_order_apply(scene, holes);
    commit_worlds(scene, &counts);
    commit_labels(scene, &counts);
    scene->created_count = 0;
    scene->may_hide = false;
    scene->published_entities = scene->live_count;
    scene->commit_count++;
    // Hooks may read the scene. Edits are refused until they return.
    scene->is_committing = true;
    access_write_to_read(&scene->access);
    result = call_hooks(scene, &counts);
    scene->is_committing = false;
    clear_toggled(scene);
    access_end_read(&scene->access);
    result = scene_end_edit(scene, result);
    return ACRE_ANSWER(result, "-", scene); // what a hook refused is no fault of the scene
}

acre_result acre_scene_set_tasks(acre_scene *scene, const acre_tasks *tasks)
{
    acre_result result =
        acre_tasks_are_valid(tasks) ? scene_begin_edit(scene) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result == ACRE_OK) {
        scene->tasks = tasks ? *tasks : (acre_tasks){.worker_count = 1};
        result = scene_end_edit(scene, ACRE_OK);
    }
    return ACRE_ANSWER(result, "o?W", scene, tasks);
}
