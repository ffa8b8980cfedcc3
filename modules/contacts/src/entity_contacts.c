// SPDX-License-Identifier: MIT
// entity_contacts.c - pairs of entities from call to call: the differences of two sorted lists.
#include "entity_pairs_internal.h"

#include "object_internal.h"
#include "sort_internal.h"

#include <string.h>

struct acre_entity_contacts {
    acre_allocator allocator;
    COLUMN_OF(acre_pair) found, scratch;   // slots
    COLUMN_OF(acre_entity_pair) now, next; // of the last update, and of the one that runs
    COLUMN_OF(acre_entity_pair) began, ended;
    size_t now_count, began_count, ended_count;
};

acre_result acre_entity_contacts_create(const acre_allocator *allocator, acre_entity_contacts **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = acre_object_make(allocator, sizeof **out);
    return *out ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}

static void visit_entity_contacts(column_visitor *visitor, void *object)
{
    acre_entity_contacts *const contacts = object;
    COLUMN_VISIT(visitor, contacts->found);
    COLUMN_VISIT(visitor, contacts->scratch);
    COLUMN_VISIT(visitor, contacts->now);
    COLUMN_VISIT(visitor, contacts->next);
    COLUMN_VISIT(visitor, contacts->began);
    COLUMN_VISIT(visitor, contacts->ended);
}

void acre_entity_contacts_destroy(acre_entity_contacts *contacts)
{
    acre_object_free(contacts, sizeof *contacts, visit_entity_contacts);
}

// Writes the pairs into found; searches a second time if they had no room.
static acre_result find_slots(acre_entity_contacts *contacts, const culling_reader *reader,
                              const acre_pairs_rules *rules, size_t *count)
{
    for (;;) {
        const size_t room = contacts->found.capacity;
        const acre_result result =
            acre_entity_pairs_find(reader, rules, contacts->found.data, room, count);
        if (result != ACRE_OK || *count <= room) {
            return result;
        }
        if (!COLUMN_RESERVE(&contacts->allocator, contacts->found, *count)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
    }
}

// Sorts the pairs of slots and writes the pairs of entities into next.
static void name_entities(acre_entity_contacts *contacts, const culling_reader *reader,
                          size_t count)
{
    const acre_pair *const sorted = (const acre_pair *)acre_sort_number_pairs(
        (uint32_t *)contacts->found.data, (uint32_t *)contacts->scratch.data, count);
    const culling_slot *const slots = reader->table.slots;
    const uint16_t scene = reader->scene_number;
    acre_entity_pair *const named = contacts->next.data;
    ACRE_INVARIANT(count <= contacts->next.capacity && count <= contacts->scratch.capacity);
    for (size_t i = 0; i < count; i++) {
        const acre_pair pair = sorted[i];
        ACRE_INVARIANT(pair.a < pair.b && pair.b < reader->table.known_count);
        named[i] = (acre_entity_pair){{pair.a + 1u, scene, slots[pair.a].generation},
                                      {pair.b + 1u, scene, slots[pair.b].generation}};
    }
}

// Positions of the pairs that only one of two sorted lists has.
typedef struct entity_list_changes {
    size_t *began; // positions in next
    size_t *ended; // positions in now
    size_t began_count, ended_count;
} entity_list_changes;

_Static_assert(sizeof(size_t) <= sizeof(acre_pair), "positions stand where slots stood");

static uint64_t entity_pair_key(const acre_entity_pair *pair)
{
    return (uint64_t)pair->a.index1 << 32 | pair->b.index1;
}

// Two pairs of the same slots differ if one of the slots has a new entity.
static entity_list_changes compare_entity_lists(const acre_entity_contacts *contacts,
                                                size_t next_count)
{
    const acre_entity_pair *const now = contacts->now.data, *const next = contacts->next.data;
    entity_list_changes out = {(void *)contacts->found.data, (void *)contacts->scratch.data, 0, 0};
    size_t i = 0, k = 0, begins = 0, ends = 0;
    while (i < next_count && k < contacts->now_count) {
        if (memcmp(&next[i], &now[k], sizeof *next) == 0) { // handles have no padding
            i++; // nearly always: a predicted branch waits for no load
            k++;
            continue;
        }
        const uint64_t new_key = entity_pair_key(&next[i]), old_key = entity_pair_key(&now[k]);
        out.began[begins] = i;
        out.ended[ends] = k;
        begins += new_key <= old_key;
        ends += old_key <= new_key;
        i += new_key <= old_key;
        k += old_key <= new_key;
    }
    while (i < next_count) {
        out.began[begins++] = i++;
    }
    while (k < contacts->now_count) {
        out.ended[ends++] = k++;
    }
    ACRE_INVARIANT(begins <= next_count && ends <= contacts->now_count);
    out.began_count = begins;
    out.ended_count = ends;
    return out;
}

static void gather_entity_pairs(acre_entity_pair *out, const acre_entity_pair *list,
                                const size_t *positions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = list[positions[i]];
    }
}

// Makes room for count pairs; the last update made room for those of now. Columns that are swapped
// have the same room.
static bool reserve_entity_lists(acre_entity_contacts *contacts, size_t count)
{
    const acre_allocator *const own = &contacts->allocator;
    return COLUMN_RESERVE(own, contacts->scratch, count) &&
           COLUMN_RESERVE(own, contacts->next, count) && COLUMN_RESERVE(own, contacts->now, count);
}

// Compares the pairs found with those of the last update. Writes no list before all have room.
static acre_result follow_entity_pairs(acre_entity_contacts *contacts, const culling_reader *reader,
                                       size_t count)
{
    const acre_allocator *const own = &contacts->allocator;
    ACRE_INVARIANT(count <= contacts->found.capacity); // the search wrote all of them
    if (!reserve_entity_lists(contacts, count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    name_entities(contacts, reader, count);
    const entity_list_changes changes = compare_entity_lists(contacts, count);
    if (!COLUMN_RESERVE(own, contacts->began, changes.began_count) ||
        !COLUMN_RESERVE(own, contacts->ended, changes.ended_count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    gather_entity_pairs(contacts->began.data, contacts->next.data, changes.began,
                        changes.began_count);
    gather_entity_pairs(contacts->ended.data, contacts->now.data, changes.ended,
                        changes.ended_count);
    column_swap(&contacts->now.any, &contacts->next.any);
    contacts->now_count = count;
    contacts->began_count = changes.began_count;
    contacts->ended_count = changes.ended_count;
    return ACRE_OK;
}

acre_result acre_entity_contacts_update(acre_entity_contacts *contacts, const acre_culling *culling,
                                        const acre_pairs_rules *rules)
{
    if (!contacts || !culling) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    culling_reader reader;
    if (!acre_culling_begin_reading(culling, &reader)) {
        return ACRE_ERROR_BUSY;
    }
    size_t count = 0;
    acre_result result = find_slots(contacts, &reader, rules, &count);
    if (result == ACRE_OK) {
        result = follow_entity_pairs(contacts, &reader, count);
    }
    acre_culling_end_reading(&reader);
    return result;
}

acre_entity_contacts_lists acre_entity_contacts_get(const acre_entity_contacts *contacts)
{
    if (!contacts) {
        return (acre_entity_contacts_lists){.bytes = 0};
    }
    return (acre_entity_contacts_lists){
        .now = contacts->now.data,
        .began = contacts->began.data,
        .ended = contacts->ended.data,
        .now_count = contacts->now_count,
        .began_count = contacts->began_count,
        .ended_count = contacts->ended_count,
        .bytes = acre_object_bytes(contacts, sizeof *contacts, visit_entity_contacts)};
}
