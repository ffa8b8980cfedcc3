// SPDX-License-Identifier: MIT
// scene_validate.c - checks the invariants of scene_internal.h, each by its number.
#include "scene_internal.h"

#include <stdio.h>
#include <string.h>

typedef struct report {
    char *message;
    size_t size;
} report;

// @return whether the rule holds; if not, the message says which rule and where.
static bool require(report *out, bool holds, const char *rule, uint32_t where)
{
    if (!holds && out->message && out->size > 0) {
        (void)snprintf(out->message, out->size, "%s (at %lu)", rule, (unsigned long)where);
    }
    return holds;
}

static bool set_has_room(const acre_scene *scene, const row_set *set)
{
    return set->words.capacity * 64 >= scene->row_count &&
           set->summary.capacity * 4096 >= scene->row_count;
}

static bool check_capacities(const acre_scene *scene, report *out)
{
    const uint32_t slots = scene->slot_count, rows = scene->row_count;
    const uint32_t published = scene->published_slots;
    const bool holds =
        scene->slots.capacity >= slots && scene->links.capacity >= slots &&
        (!scene->has_doubles || scene->places.capacity >= slots) && scene->heads.capacity >= rows &&
        scene->locals.capacity >= rows && scene->matrices.capacity >= scene->matrix_count &&
        published <= slots && scene->published.capacity >= published &&
        scene->world_boxes.capacity >= published && scene->world_flags.capacity >= published &&
        scene->world_layers.capacity >= published && scene->world_user.capacity >= published &&
        set_has_room(scene, &scene->dirty) && set_has_room(scene, &scene->boxed) &&
        set_has_room(scene, &scene->toggled) && set_has_room(scene, &scene->labeled) &&
        set_has_room(scene, &scene->destroyed) && set_has_room(scene, &scene->misplaced);
    return require(out, holds, "1 every array has room for what is counted in it", 0);
}

static bool check_row(const acre_scene *scene, uint32_t row, report *out)
{
    const slot_record *const slots = scene->slots.data;
    const uint32_t slot = head_slot(scene->heads.data[row]);
    const uint32_t bits = head_bits(scene->heads.data[row]);
    const bool names = slot < scene->slot_count && slots[slot].row == row &&
                       (slots[slot].state == SLOT_LIVE || slots[slot].state == SLOT_DYING);
    return require(out, names, "2 slot and row name each other", row) &&
           require(out, !(bits & ROW_PENDING) && !(slots[slot].flags & SLOT_MOVING),
                   "5 no row moves outside of commit", row) &&
           require(out, row_set_has(&scene->destroyed, row) == (slots[slot].state == SLOT_DYING),
                   "2 a dying row is in destroyed", row);
}

static bool check_rows(const acre_scene *scene, report *out)
{
    uint32_t used = 0, created = 0;
    if (!require(out,
                 scene->closed_to <= scene->closed_from && scene->closed_from <= scene->row_count,
                 "2 what is being closed are rows", scene->closed_from)) {
        return false;
    }
    for (uint32_t row = 0; row < scene->row_count; row++) {
        const uint32_t slot = head_slot(scene->heads.data[row]);
        if (slot == NONE) {
            continue;
        }
        const bool is_being_closed = row >= scene->closed_to && row < scene->closed_from;
        if (!check_row(scene, row, out) ||
            !require(out, !is_being_closed, "2 rows that are being closed are holes", row)) {
            return false;
        }
        used++;
        created += scene->slots.data[slot].state == SLOT_LIVE &&
                   (head_bits(scene->heads.data[row]) & ROW_CREATED);
    }
    return require(out, used == scene->live_count + scene->dying_count, "2 a hole has no slot",
                   used) &&
           require(out, used + scene->hole_count == scene->row_count, "2 holes are counted",
                   used) &&
           require(out, created == scene->created_count, "2 new rows are counted", created);
}

// The numbers of free matrices and of those that rows name are 0, 1, 2 ... together: compared by
// how many they are, and by their sum.
static bool check_matrices(const acre_scene *scene, report *out)
{
    uint64_t sum = 0;
    uint32_t count = 0;
    for (uint32_t row = 0; row < scene->row_count; row++) {
        const row_head head = scene->heads.data[row];
        if (head_slot(head) == NONE || !(head_bits(head) & ROW_MATRIX)) {
            continue;
        }
        sum += scene->locals.data[row].matrix;
        count++;
        if (!require(out, scene->slots.data[head_slot(head)].flags & SLOT_MATRIX,
                     "5 a row with a matrix was given one", row)) {
            return false;
        }
    }
    uint32_t number = scene->free_matrix;
    for (uint32_t i = 0; i < scene->free_matrix_count; i++) {
        if (!require(out, number < scene->matrix_count, "11 a free matrix is one of them",
                     number)) {
            return false;
        }
        sum += number;
        memcpy(&number, scene->matrices.data[number].m, sizeof number);
    }
    const uint64_t all = scene->matrix_count;
    return require(out,
                   number == NONE && (uint64_t)count + scene->free_matrix_count == all &&
                       2 * sum == all * (all - (all > 0)),
                   "11 each matrix is free or one row's", count);
}

static bool check_siblings(const acre_scene *scene, uint32_t slot, report *out)
{
    const slot_links *const links = scene->links.data;
    const slot_record *const slots = scene->slots.data;
    const slot_links *const own = &links[slot];
    const bool next = own->next == NONE ||
                      (links[own->next].previous == slot && links[own->next].parent == own->parent);
    const bool previous = own->previous == NONE || links[own->previous].next == slot;
    const bool first =
        own->parent == NONE || own->previous != NONE || links[own->parent].first_child == slot;
    const bool root = own->parent != NONE || (own->next == NONE && own->previous == NONE);
    const bool child = own->first_child == NONE || (links[own->first_child].parent == slot &&
                                                    links[own->first_child].previous == NONE &&
                                                    slots[own->first_child].state == SLOT_LIVE);
    return require(out, next && previous && first && root && child, "3 links agree both ways",
                   slot);
}

static bool box_kind_holds(const acre_aabb *box, uint32_t kind)
{
    return kind == ROW_BOX_NONE || kind == ROW_BOX_WORLD ||
           kind == (acre_aabb_is_empty(box)    ? ROW_BOX_EMPTY
                    : acre_aabb_is_finite(box) ? ROW_BOX_FINITE
                                               : ROW_BOX_INFINITE);
}

static bool check_live_row(const acre_scene *scene, uint32_t slot, report *out)
{
    const slot_links *const own = &scene->links.data[slot];
    const uint32_t row = scene_row(scene, slot);
    const uint32_t parent = own->parent == NONE ? NONE : scene_row(scene, own->parent);
    const row_head head = scene->heads.data[row];
    if (!require(out, head_parent(head) == parent, "4 a head's parent is the parent's row", row) ||
        !require(out, parent == NONE || parent < row || row_set_has(&scene->misplaced, row),
                 "4 a parent's row is smaller, or the row is misplaced", row)) {
        return false;
    }
    const uint32_t bits = head_bits(head), flags = scene->slots.data[slot].flags;
    return require(out, !(bits & ROW_HAS_CHILDREN) == (own->first_child == NONE),
                   "5 ROW_HAS_CHILDREN says what the links say", row) &&
           require(out, !(bits & ROW_OWN_HIDDEN) == !(flags & ACRE_ENTITY_HIDDEN),
                   "5 ROW_OWN_HIDDEN says what the flags say", row) &&
           require(out, box_kind_holds(&scene->locals.data[row].box, bits & ROW_BOX_MASK),
                   "5 the box kind says what the box is", row);
}

// A cycle has no root, so its entities would be live and never reached.
static bool check_reach(const acre_scene *scene, report *out)
{
    const slot_links *const links = scene->links.data;
    const slot_record *const slots = scene->slots.data;
    uint32_t reached = 0;
    for (uint32_t root = 0; root < scene->slot_count; root++) {
        if (slots[root].state != SLOT_LIVE || links[root].parent != NONE) {
            continue;
        }
        for (uint32_t slot = root; slot != NONE && reached <= scene->live_count;
             slot = scene_subtree_next(links, root, slot, true)) {
            reached++;
        }
    }
    return require(out, reached == scene->live_count, "3 every entity is under one root", reached);
}

static bool check_free_list(const acre_scene *scene, report *out)
{
    const slot_record *const slots = scene->slots.data;
    uint32_t counts[4] = {0, 0, 0, 0};
    for (uint32_t slot = 0; slot < scene->slot_count; slot++) {
        counts[slots[slot].state & 3]++;
    }
    uint32_t free_count = 0;
    for (uint32_t slot = scene->free_head; slot != NONE && free_count <= scene->free_count;
         slot = scene->links.data[slot].next) {
        if (!require(out, slot < scene->slot_count && slots[slot].state == SLOT_FREE,
                     "6 the free list holds free slots", slot)) {
            return false;
        }
        free_count++;
    }
    return require(out,
                   free_count == scene->free_count && counts[SLOT_FREE] == scene->free_count &&
                       counts[SLOT_LIVE] == scene->live_count &&
                       counts[SLOT_DYING] == scene->dying_count &&
                       counts[SLOT_RETIRED] == scene->retired_count,
                   "6 slots are counted by state", free_count);
}

static bool check_published(const acre_scene *scene, uint32_t slot, report *out)
{
    const slot_record *const record = &scene->slots.data[slot];
    const uint32_t row = record->row, bits = head_bits(scene->heads.data[row]);
    if ((bits & ROW_CREATED) || row_set_has(&scene->labeled, row) ||
        row_set_has(&scene->dirty, row) || row_set_has(&scene->misplaced, row)) {
        return true;
    }
    const published_slot *const published = &scene->published.data[slot];
    const uint32_t hidden = bits & ROW_HIDDEN ? ACRE_ENTITY_HIDDEN : 0;
    const bool holds = slot < scene->published_slots && published->row == row &&
                       published->generation == record->generation &&
                       published->has_bounds == ((bits & ROW_BOX_MASK) != ROW_BOX_NONE) &&
                       scene->world_flags.data[slot] == ((record->flags & KNOWN_FLAGS) | hidden) &&
                       scene->world_layers.data[slot] == slot_layers(scene, slot) &&
                       scene->world_user.data[slot] == slot_user(scene, slot);
    return require(out, holds, "7 what is published is what was recorded", slot);
}

static bool is_quiet(const acre_scene *scene)
{
    return !scene->dirty.is_used && !scene->boxed.is_used && !scene->toggled.is_used &&
           !scene->labeled.is_used && !scene->destroyed.is_used && !scene->misplaced.is_used;
}

static bool check_world(const acre_scene *scene, uint32_t slot, report *out)
{
    const uint32_t row = scene_row(scene, slot), bits = head_bits(scene->heads.data[row]);
    const uint32_t parent = head_parent(scene->heads.data[row]);
    const bool hidden = (bits & ROW_OWN_HIDDEN) ||
                        (parent != NONE && (head_bits(scene->heads.data[parent]) & ROW_HIDDEN));
    if (!require(out, hidden == ((bits & ROW_HIDDEN) != 0), "7 HIDDEN is inherited from the parent",
                 slot)) {
        return false;
    }
    if (hidden) {
        return true;
    }
    affine world;
    acre_aabb box;
    acre_scene_compute_row(scene, row, &world, &box);
    return require(out, memcmp(&world, &scene->worlds.data[row], sizeof world) == 0,
                   "8 the world matrix is the one computed from scratch", slot) &&
           require(out, memcmp(&box, &scene->world_boxes.data[slot], sizeof box) == 0,
                   "8 the world box is the one computed from scratch", slot);
}

static bool check_unpublished(const acre_scene *scene, uint32_t slot, report *out)
{
    if (scene->published.data[slot].generation != 0) {
        return true;
    }
    const acre_aabb empty = acre_aabb_empty();
    return require(out,
                   memcmp(scene->world_boxes.data + slot, &empty, sizeof empty) == 0 &&
                       scene->world_flags.data[slot] == 0 && scene->world_layers.data[slot] == 0 &&
                       scene->world_user.data[slot] == 0,
                   "9 a slot that is not published is empty", slot);
}

static bool check_set(const acre_scene *scene, const row_set *set, report *out)
{
    const uint64_t *const words = set->words.data;
    const uint64_t *const summary = set->summary.data;
    for (size_t word = 0; word < set->words.capacity; word++) {
        if (words[word] == 0) {
            continue;
        }
        const bool marked = summary[word / 64] >> (word % 64) & 1;
        if (!require(out, set->is_used && marked, "10 a set's word has its summary bit",
                     (uint32_t)word) ||
            !require(out, row_set_next(set, scene->row_count) == NONE,
                     "10 no bit stands beyond the rows", (uint32_t)word)) {
            return false;
        }
    }
    for (size_t block = set->words.capacity / 64; block < set->summary.capacity; block++) {
        if (!require(out, summary[block] == 0, "10 a summary bit stands over a word",
                     (uint32_t)block)) {
            return false;
        }
    }
    return true;
}

static bool check_slots(const acre_scene *scene, report *out)
{
    const bool quiet = is_quiet(scene);
    const slot_record *const slots = scene->slots.data;
    for (uint32_t slot = 0; slot < scene->slot_count; slot++) {
        if (slots[slot].state == SLOT_LIVE &&
            !(check_siblings(scene, slot, out) && check_live_row(scene, slot, out) &&
              check_published(scene, slot, out) && (!quiet || check_world(scene, slot, out)))) {
            return false;
        }
        if (slot < scene->published_slots && !check_unpublished(scene, slot, out)) {
            return false;
        }
    }
    return true;
}

static acre_result validate(const acre_scene *scene, char *message, size_t size)
{
    report out = {message, size};
    if (message && size > 0) {
        message[0] = '\0';
    }
    if (!scene) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const bool holds =
        check_capacities(scene, &out) && check_rows(scene, &out) && check_matrices(scene, &out) &&
        check_free_list(scene, &out) && check_set(scene, &scene->dirty, &out) &&
        check_set(scene, &scene->boxed, &out) && check_set(scene, &scene->toggled, &out) &&
        check_set(scene, &scene->labeled, &out) && check_set(scene, &scene->destroyed, &out) &&
        check_set(scene, &scene->misplaced, &out) && check_slots(scene, &out) &&
        check_reach(scene, &out);
    return holds ? ACRE_OK : ACRE_ERROR_FORMAT;
}

acre_result acre_scene_validate(const acre_scene *scene, char *message, size_t size)
{
    const acre_result result = validate(scene, message, size);
    return ACRE_ANSWER(result, "o", scene);
}

void acre_scene_check_edit(acre_scene *scene)
{
    if (++scene->edit_count >= scene->slot_count / 256) {
        scene->edit_count = 0;
        ACRE_INVARIANT(validate(scene, NULL, 0) == ACRE_OK);
    }
}
