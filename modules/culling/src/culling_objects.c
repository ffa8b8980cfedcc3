// SPDX-License-Identifier: MIT
// culling_objects.c - a culler over a host's objects: its updates take the place of commits.
//
// Nearly all objects that move are plain: they stand in the moving tree and stay there. So the tree
// is given all rows unseen; only where it refuses one, the slots are looked at one by one.
#include "culling_internal.h"

#include <acre/objects.h>

#include "bits_internal.h"
#include "box_array_internal.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

// Boxes on the stack, 6 KiB, how far ahead rows are prefetched that lie apart, and slots on the
// stack that are read from bits.
enum { OBJECT_BATCH = 256, OBJECTS_AHEAD = 16, MARKED_AT_ONCE = 2048 };

/// Numbers of fields in acre_objects, as a report names them.
enum {
    OBJECTS_BOXES = 2,
    OBJECTS_BOX_SLOTS = 3,
    OBJECTS_REMOVED = 7,
    OBJECTS_ADDED = 9,
    OBJECTS_RELABELED = 11,
    OBJECTS_MOVED = 13
};
#define BEFORE(a, b) (offsetof(acre_objects, a) < offsetof(acre_objects, b))
static_assert(BEFORE(slot_count, boxes) && BEFORE(boxes, box_slots) &&
                  BEFORE(box_slots, box_count) && BEFORE(box_count, flags) &&
                  BEFORE(flags, layers) && BEFORE(layers, removed) &&
                  BEFORE(removed, removed_count) && BEFORE(removed_count, added) &&
                  BEFORE(added, added_count) && BEFORE(added_count, relabeled) &&
                  BEFORE(relabeled, relabeled_count) && BEFORE(relabeled_count, moved),
              "fields are numbered as they stand");
#undef BEFORE

typedef struct object_update {
    acre_culling *culling;
    const acre_objects *in;
    culling_table table;
    acre_batch_report report;
} object_update;

static void refuse_object(object_update *update, uint16_t field, size_t row, acre_result result,
                          acre_refusal_rule rule)
{
    if (update->report.refused++ == 0) {
        update->report.first_row = row;
        update->report.first =
            (acre_refusal){.result = result, .argument = 2, .field = field, .rule = (uint8_t)rule};
    }
}

static void refuse_absent(object_update *update, uint16_t field, size_t row)
{
    refuse_object(update, field, row, ACRE_ERROR_NOT_FOUND, ACRE_REFUSED_ABSENT);
}

// Whether a tree applied its batch, or somebody reads it, which is misuse and no row's fault.
static bool is_over(object_update *update, acre_result result)
{
    if (result == ACRE_ERROR_BUSY) {
        culling_note(update->culling, result);
    }
    return result == ACRE_OK || result == ACRE_ERROR_BUSY;
}

static bool is_object(const object_update *update, uint32_t slot)
{
    return (culling_slot_of(&update->table, slot).bits & SLOT_PUBLISHED) != 0;
}

// The generation of the next object. That of a free slot is already the next one's, so that no
// handle of an object that is gone fits. The host owns the slots, so none can be retired.
static uint16_t next_generation(uint16_t generation)
{
    return generation < UINT16_MAX ? (uint16_t)(generation + 1) : 1;
}

static void remove_object(object_update *update, uint32_t slot)
{
    culling_slot *const own = culling_slot_at(update->culling, slot);
    const uint16_t next = next_generation(own->generation);
    acre_culling_release_slot(update->culling, slot);
    own->generation = next;
    update->culling->object_count--;
}

static void remove_objects(object_update *update)
{
    const acre_objects *const in = update->in;
    for (size_t i = 0; i < in->removed_count; i++) {
        if (is_object(update, in->removed[i])) {
            remove_object(update, in->removed[i]);
        } else {
            refuse_absent(update, OBJECTS_REMOVED, i);
        }
    }
}

static void read_labels(object_update *update, uint32_t slot)
{
    const acre_objects *const in = update->in;
    culling_slot *const own = culling_slot_at(update->culling, slot);
    const uint32_t flags = in->flags ? in->flags[slot] & SLOT_FLAGS : 0;
    own->bits =
        (uint16_t)((own->bits & ~(SLOT_FLAGS << SLOT_FLAGS_SHIFT)) | flags << SLOT_FLAGS_SHIFT);
    if (update->culling->object_layers.capacity > 0) {
        const uint32_t layers = in->layers ? in->layers[slot] : 0;
        *COLUMN_AT(update->culling->object_layers, slot) = layers ? layers : UINT32_MAX;
    }
    if (in->rules) {
        *COLUMN_AT(update->culling->slot_rules, slot) = in->rules[slot];
    }
}

// The box that an object has in its tree, which may be younger than the table.
static acre_aabb kept_box(object_update *update, uint32_t slot)
{
    update->table.trees[TREE_STATIC] = update->culling->trees[TREE_STATIC];
    return acre_culling_kept_box(&update->table, slot);
}

// Brings an object to its place with a box.
static void settle_object(object_update *update, uint32_t slot, const acre_aabb *box)
{
    const uint32_t bits = culling_slot_at(update->culling, slot)->bits;
    const uint32_t place = culling_wanted_place(bits, culling_flags(&update->table, slot), box);
    acre_culling_settle(update->culling, slot, place, box, culling_layers(&update->table, slot));
}

// Whether no box decides where an object belongs.
static bool is_without_box(const object_update *update, uint32_t slot)
{
    return (culling_flags(&update->table, slot) & (ACRE_ENTITY_HIDDEN | ACRE_ENTITY_NEVER_CULL)) !=
           0;
}

// Whether an object waits for its next box, because its tree had no room for it when it had the
// last. Until then every query finds it.
static bool waits_for_room(const object_update *update, uint32_t slot)
{
    return (culling_slot_of(&update->table, slot).bits & SLOT_IN_NEVER) &&
           !is_without_box(update, slot);
}

static void add_objects(object_update *update)
{
    const acre_objects *const in = update->in;
    for (size_t i = 0; i < in->added_count; i++) {
        const uint32_t slot = in->added[i];
        if (slot >= in->slot_count) {
            refuse_object(update, OBJECTS_ADDED, i, ACRE_ERROR_INVALID_ARGUMENT,
                          ACRE_REFUSED_RANGE);
            continue;
        }
        if (slot >= update->culling->item_capacity) {
            refuse_object(update, OBJECTS_ADDED, i, ACRE_ERROR_CAPACITY, ACRE_REFUSED_CAPACITY);
            continue;
        }
        culling_slot *const own = culling_slot_at(update->culling, slot);
        if (own->bits & SLOT_PUBLISHED) {
            remove_object(update, slot);
        }
        own->generation = own->generation ? own->generation : 1;
        own->bits = SLOT_REGISTERED | SLOT_PUBLISHED;
        update->culling->object_count++;
        read_labels(update, slot);
        if (is_without_box(update, slot)) {
            const acre_aabb none = acre_aabb_empty();
            settle_object(update, slot, &none);
        }
    }
}

static bool is_below(const uint32_t *slots, size_t count, uint32_t end)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = slots[i] > largest ? slots[i] : largest;
    }
    return count == 0 || largest < end;
}

// Makes a host's box that is not valid empty: there is nothing to cull. @return false: it is NaN.
static bool read_meaning(acre_aabb *box)
{
    if (!acre_aabb_is_valid(box)) {
        const bool has_nan = box_has_nan(box);
        *box = acre_aabb_empty();
        return !has_nan;
    }
    return true;
}

// Gives an object a box as the host has it. @param field, row where that stands
// @return false if the row is refused.
static bool move_object(object_update *update, uint32_t slot, acre_aabb box, uint16_t field,
                        size_t row)
{
    if (is_without_box(update, slot)) {
        return true;
    }
    if (!read_meaning(&box)) {
        refuse_object(update, field, row, ACRE_ERROR_INVALID_ARGUMENT, ACRE_REFUSED_NAN);
        return false;
    }
    settle_object(update, slot, &box);
    return true;
}

// A list that names a slot without a row is not loaded.
static void load_objects(object_update *update, const uint32_t *slots, size_t count, bool by_slot)
{
    const size_t known = update->table.known_count;
    const uint32_t end = update->in->slot_count;
    if (is_below(slots, count, end < known ? end : (uint32_t)known)) {
        acre_culling_load(update->culling, &update->table, slots, count, &update->in->boxes,
                          by_slot);
    }
}

// With boxes by slot; with others the rows bring them. What is refused is told already.
static void place_added(object_update *update)
{
    const acre_objects *const in = update->in;
    load_objects(update, in->added, in->added_count, true);
    for (size_t i = 0; i < in->added_count; i++) {
        const uint32_t slot = in->added[i];
        if (slot < in->slot_count && is_object(update, slot) &&
            !(culling_slot_at(update->culling, slot)->bits & CULLING_TREES)) {
            (void)move_object(update, slot, box_array_row(&in->boxes, slot), OBJECTS_ADDED, i);
        }
    }
}

// Brings objects whose flags or layers changed to their places: with the box that the host has, or
// else with the one that a tree has. The box of an object that waits for room nobody knows then: it
// stays visible to every query.
static void relabel_objects(object_update *update)
{
    const acre_objects *const in = update->in;
    const bool has_row = !in->box_slots && in->boxes.first;
    for (size_t i = 0; i < in->relabeled_count; i++) {
        const uint32_t slot = in->relabeled[i];
        if (slot >= in->slot_count || !is_object(update, slot)) {
            refuse_absent(update, OBJECTS_RELABELED, i);
            continue;
        }
        const bool waited = waits_for_room(update, slot);
        read_labels(update, slot);
        const bool needs_box = !is_without_box(update, slot);
        const bool is_placed =
            has_row && needs_box &&
            move_object(update, slot, box_array_row(&in->boxes, slot), OBJECTS_RELABELED, i);
        if (!is_placed && !(waited && needs_box)) {
            const acre_aabb box = kept_box(update, slot);
            settle_object(update, slot, &box);
        }
    }
}

// Refreshes listed slots. @param readable how many slots stand in the list from here on, those of
// later batches included; field, first where the first of them stands; 0: the row is the slot, and
// slots without an object mean nothing
static void move_batch(object_update *update, const uint32_t *slots, size_t count, size_t readable,
                       uint16_t field, size_t first)
{
    const acre_box_array *const rows = &update->in->boxes;
    acre_aabb boxes[OBJECT_BATCH];
    ACRE_INVARIANT(count > 0 && count <= OBJECT_BATCH && count <= readable);
    size_t next = 0;
    do {
        if (next + OBJECTS_AHEAD < readable) {
            box_array_prefetch(rows, slots[next + OBJECTS_AHEAD]);
        }
        boxes[next] = box_array_row(rows, slots[next]);
    } while (++next < count);
    acre_quadtree *const tree = update->culling->trees[TREE_MOVING];
    if (is_over(update, acre_quadtree_refresh_many(tree, slots, boxes, count))) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = slots[i];
        if (!is_object(update, slot)) {
            if (field) {
                refuse_absent(update, field, first + i);
            }
        } else if (!culling_is_plain(*culling_slot_at(update->culling, slot)) ||
                   !acre_aabb_is_valid(&boxes[i])) {
            (void)move_object(update, slot, boxes[i], field ? field : OBJECTS_BOXES,
                              field ? first + i : slot);
        }
    }
}

static void move_slots(object_update *update, const uint32_t *slots, size_t count, uint16_t field,
                       size_t first)
{
    for (size_t i = 0; i < count; i += OBJECT_BATCH) {
        const size_t left = count - i;
        move_batch(update, slots + i, left < OBJECT_BATCH ? left : OBJECT_BATCH, left, field,
                   first + i);
    }
}

static void move_listed(object_update *update)
{
    const acre_objects *const in = update->in;
    if (is_below(in->moved, in->moved_count, in->slot_count)) {
        move_slots(update, in->moved, in->moved_count, OBJECTS_MOVED, 0);
        return;
    }
    for (size_t i = 0; i < in->moved_count; i++) {
        if (in->moved[i] < in->slot_count) {
            move_slots(update, in->moved + i, 1, OBJECTS_MOVED, i);
        } else {
            refuse_absent(update, OBJECTS_MOVED, i);
        }
    }
}

static void move_marked(object_update *update)
{
    const acre_objects *const in = update->in;
    uint32_t slots[MARKED_AT_ONCE];
    size_t count = 0;
    for (size_t first = 0; first < in->slot_count; first += 64) {
        uint64_t bits = in->moved_bits[first / 64];
        if (in->slot_count - first < 64) {
            bits &= ((uint64_t)1 << (in->slot_count - first)) - 1;
        }
        if (count > MARKED_AT_ONCE - 64) {
            move_slots(update, slots, count, 0, 0);
            count = 0;
        }
        for (; bits; bits &= bits - 1) {
            slots[count++] = (uint32_t)first + lowest_bit(bits);
        }
    }
    move_slots(update, slots, count, 0, 0);
}

// Gives all objects in the trees their boxes. What has an empty box leaves its tree, which refused
// it.
static bool refresh_trees(object_update *update)
{
    acre_culling *const culling = update->culling;
    bool is_refused = false;
    for (int i = 0; i < TREE_COUNT; i++) {
        if (culling->tree_counts[i] > 0) {
            is_refused |= !is_over(update, acre_quadtree_refresh_all_from(culling->trees[i],
                                                                          &update->in->boxes,
                                                                          update->in->slot_count));
        }
    }
    culling->static_edits_now += culling->tree_counts[TREE_STATIC];
    return is_refused;
}

// Objects in no tree that may have a box now are looked at one by one, and so are all where a tree
// refused one.
static void move_all(object_update *update)
{
    const bool is_refused = refresh_trees(update);
    const uint32_t *const in_trees = update->culling->tree_counts;
    const bool has_others =
        update->culling->object_count > in_trees[TREE_MOVING] + in_trees[TREE_STATIC];
    const uint32_t slot_count = is_refused || has_others ? update->in->slot_count : 0;
    for (uint32_t slot = 0; slot < slot_count; slot++) {
        const uint32_t bits = culling_slot_of(&update->table, slot).bits;
        const bool is_refreshed = (bits & CULLING_TREES) != 0;
        if (!(bits & SLOT_PUBLISHED) || (is_refreshed && !is_refused)) {
            continue;
        }
        const acre_aabb box = box_array_row(&update->in->boxes, slot);
        if (!is_refreshed || !acre_aabb_is_valid(&box)) {
            (void)move_object(update, slot, box, OBJECTS_BOXES, slot);
        }
    }
}

// The boxes of a chunk. Rows from the first refused one on are applied one by one, in their order.
static void move_rows(object_update *update)
{
    const acre_objects *const in = update->in;
    acre_quadtree *const tree = update->culling->trees[TREE_MOVING];
    if (in->added_count >= LOAD_LEAST) {
        load_objects(update, in->box_slots, in->box_count, false);
    }
    if (is_over(update,
                acre_quadtree_refresh_many_from(tree, in->box_slots, &in->boxes, in->box_count))) {
        return;
    }
    for (size_t i = acre_quadtree_last_report(tree).first_row; i < in->box_count; i++) {
        if (is_object(update, in->box_slots[i])) {
            (void)move_object(update, in->box_slots[i], box_array_row(&in->boxes, i),
                              OBJECTS_BOX_SLOTS, i);
        } else {
            refuse_absent(update, OBJECTS_BOX_SLOTS, i);
        }
    }
}

// After a shortage of memory: tries again to bring an object to its place. What a tree has keeps
// the box that it has there. @return whether the object is in its place, unless a tree refused it.
static bool retry_object(object_update *update, uint32_t slot)
{
    const acre_objects *const in = update->in;
    acre_aabb box = kept_box(update, slot);
    if (waits_for_room(update, slot)) {
        const bool has_row = !in->box_slots && in->boxes.first && slot < in->slot_count;
        box = has_row ? box_array_row(&in->boxes, slot) : box;
        if (!has_row || !read_meaning(&box)) {
            return false;
        }
    }
    settle_object(update, slot, &box);
    return true;
}

static void retry_objects(object_update *update)
{
    acre_culling *const culling = update->culling;
    culling->is_behind = false;
    for (uint32_t slot = 0; slot < update->table.known_count; slot++) {
        const bool is_tried =
            !(culling_slot_at(culling, slot)->bits & CULLING_PLACES) || retry_object(update, slot);
        culling->is_behind |= !is_tried;
    }
}

static void apply_objects(object_update *update)
{
    const acre_objects *const in = update->in;
    const bool was_behind = update->culling->is_behind;
    remove_objects(update);
    add_objects(update);
    if (!in->box_slots) {
        place_added(update);
    }
    relabel_objects(update);
    if (in->box_slots) {
        move_rows(update);
    } else if (in->moved_count == ACRE_ALL_MOVED) {
        move_all(update);
    } else if (in->moved_bits) {
        move_marked(update);
    } else {
        move_listed(update);
    }
    if (was_behind) {
        retry_objects(update);
    }
}

static bool objects_are_valid(const acre_objects *in)
{
    const bool moves = in->moved_count > 0 || in->moved_bits;
    const bool is_all = in->moved_count == ACRE_ALL_MOVED;
    const bool reads_rows =
        in->box_slots ? in->box_count > 0 : in->slot_count > 0 && (moves || in->added_count > 0);
    return box_array_is_valid(&in->boxes, reads_rows || in->boxes.first) &&
           (in->box_slots ? !moves : in->box_count == 0) &&
           (in->removed || in->removed_count == 0) && (in->added || in->added_count == 0) &&
           (in->relabeled || in->relabeled_count == 0) &&
           (in->moved_bits ? in->moved_count == 0 : in->moved || in->moved_count == 0 || is_all);
}

// Room for the slots, and for masks once a host gives some: all layers where it gave none.
static bool reserve_objects(acre_culling *culling, const acre_objects *in)
{
    const uint32_t limit = culling->item_capacity;
    if (!acre_culling_reserve_slots(culling, in->slot_count < limit ? in->slot_count : limit)) {
        return false;
    }
    const size_t before = culling->object_layers.capacity, all = culling->slots.capacity;
    if (in->rules && !acre_culling_reserve_rules(culling, all)) {
        return false;
    }
    if (before >= all || (before == 0 && !in->layers)) {
        return true;
    }
    if (!COLUMN_RESERVE(&culling->allocator, culling->object_layers, all)) {
        return false;
    }
    memset(culling->object_layers.data + before, 0xff,
           (culling->object_layers.capacity - before) * sizeof *culling->object_layers.data);
    return true;
}

// Trees are kept up once for each update, or, where chunks come one by one, once for as many rows
// as a tree has items.
static void maintain_objects(acre_culling *culling, const acre_objects *in)
{
    culling->object_rows += in->box_count;
    if (!in->box_slots || in->added_count + in->removed_count > 0 ||
        culling->object_rows >= culling->tree_counts[TREE_MOVING]) {
        culling->object_rows = 0;
        acre_culling_maintain(culling);
    }
}

static acre_result update_objects(acre_culling *culling, const acre_objects *in,
                                  acre_batch_report *report)
{
    if (!reserve_objects(culling, in)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    culling->object_slots =
        in->slot_count > culling->object_slots ? in->slot_count : culling->object_slots;
    culling->seen_commit++;
    culling->revision++;
    culling->visits += in->removed_count + in->added_count + in->relabeled_count + in->box_count +
                       (in->moved_count == ACRE_ALL_MOVED ? in->slot_count : in->moved_count);
    object_update update = {.culling = culling, .in = in, .table = acre_culling_table(culling)};
    acre_culling_drop_moved_occluders(culling, in);
    apply_objects(&update);
    maintain_objects(culling, in);
    culling_check_edit(culling);
    *report = update.report;
    return update.report.first.result;
}

acre_result acre_culling_update(acre_culling *culling, const acre_objects *objects,
                                acre_batch_report *report)
{
    acre_batch_report refused = {.refused = 0};
    acre_result result = culling_begin_edit(culling, culling && culling->has_host && objects &&
                                                         objects_are_valid(objects));
    if (result == ACRE_OK) {
        result = culling_end_edit(culling, update_objects(culling, objects, &refused));
    }
    if (report) {
        *report = refused;
    }
    return result;
}

acre_entity acre_culling_object(const acre_culling *culling, uint32_t slot)
{
    const acre_entity none = {0, 0, 0};
    if (culling_begin_read(culling, true) != ACRE_OK) {
        return none;
    }
    const culling_table table = acre_culling_table(culling);
    const uint16_t generation = culling_published(&table, slot).generation;
    access_end_read(&culling->access);
    return generation ? (acre_entity){slot + 1, table.scene_number, generation} : none;
}
