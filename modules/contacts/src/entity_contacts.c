// SPDX-License-Identifier: MIT
// entity_contacts.c - pairs of entities from call to call: the differences of two sorted lists.
#include "entity_pairs_internal.h"

#include "column_internal.h"
#include "sort_internal.h"

#include <string.h>

struct acre_entity_contacts {
    acre_allocator allocator;
    column found, scratch; // acre_pair: slots
    column now;            // acre_entity_pair: the pairs of the last update
    column next;           // acre_entity_pair: the pairs of the update that runs
    column began, ended;   // acre_entity_pair
    size_t now_count, began_count, ended_count;
};

// The columns of a tracker, and the sizes of their elements.
enum { ENTITY_COLUMN_COUNT = 6 };

static const size_t entity_element_sizes[ENTITY_COLUMN_COUNT] = {
    sizeof(acre_pair),        sizeof(acre_pair),        sizeof(acre_entity_pair),
    sizeof(acre_entity_pair), sizeof(acre_entity_pair), sizeof(acre_entity_pair)};

static void list_entity_columns(acre_entity_contacts *contacts,
                                column *columns[ENTITY_COLUMN_COUNT])
{
    column *const all[ENTITY_COLUMN_COUNT] = {&contacts->found, &contacts->scratch,
                                              &contacts->now,   &contacts->next,
                                              &contacts->began, &contacts->ended};
    memcpy(columns, all, sizeof all);
}

acre_result acre_entity_contacts_create(const acre_allocator *allocator, acre_entity_contacts **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    const acre_allocator own = allocator ? *allocator : (acre_allocator){NULL, NULL};
    acre_entity_contacts *const contacts =
        acre_resize(&own, NULL, 0, sizeof *contacts, _Alignof(acre_entity_contacts));
    if (!contacts) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *contacts = (acre_entity_contacts){.allocator = own};
    *out = contacts;
    return ACRE_OK;
}

void acre_entity_contacts_destroy(acre_entity_contacts *contacts)
{
    if (!contacts) {
        return;
    }
    const acre_allocator own = contacts->allocator;
    column *columns[ENTITY_COLUMN_COUNT];
    list_entity_columns(contacts, columns);
    for (int i = 0; i < ENTITY_COLUMN_COUNT; i++) {
        acre_column_free(&own, columns[i], entity_element_sizes[i]);
    }
    (void)acre_resize(&own, contacts, sizeof *contacts, 0, _Alignof(acre_entity_contacts));
}

// Writes the pairs into found; searches a second time if they had no room.
static acre_result find_slots(acre_entity_contacts *contacts, const culling_reader *reader,
                              const acre_pairs_rules *rules, size_t *count)
{
    column *const found = &contacts->found;
    for (;;) {
        const acre_result result =
            acre_entity_pairs_find(reader, rules, found->data, found->capacity, count);
        if (result != ACRE_OK || *count <= found->capacity) {
            return result;
        }
        if (!acre_column_reserve(&contacts->allocator, found, *count, sizeof(acre_pair))) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
    }
}

// Sorts the pairs of slots and writes the pairs of entities into next.
static void name_entities(acre_entity_contacts *contacts, const culling_reader *reader,
                          size_t count)
{
    const acre_pair *const sorted = (const acre_pair *)acre_sort_number_pairs(
        contacts->found.data, contacts->scratch.data, count);
    const culling_slot *const slots = reader->table.slots;
    const uint16_t scene = reader->scene_number;
    acre_entity_pair *const named = contacts->next.data;
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
    entity_list_changes out = {contacts->found.data, contacts->scratch.data, 0, 0};
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

static void swap_entity_columns(column *a, column *b)
{
    const column held = *a;
    *a = *b;
    *b = held;
}

// Makes room for count pairs; the last update made room for those of now. Columns that are swapped
// have the same room.
static bool reserve_entity_lists(acre_entity_contacts *contacts, size_t count)
{
    const acre_allocator *const own = &contacts->allocator;
    return acre_column_reserve(own, &contacts->scratch, count, sizeof(acre_pair)) &&
           acre_column_reserve(own, &contacts->next, count, sizeof(acre_entity_pair)) &&
           acre_column_reserve(own, &contacts->now, count, sizeof(acre_entity_pair));
}

// Compares the pairs found with those of the last update. Writes no list before all have room.
static acre_result follow_entity_pairs(acre_entity_contacts *contacts, const culling_reader *reader,
                                       size_t count)
{
    const acre_allocator *const own = &contacts->allocator;
    if (!reserve_entity_lists(contacts, count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    name_entities(contacts, reader, count);
    const entity_list_changes changes = compare_entity_lists(contacts, count);
    if (!acre_column_reserve(own, &contacts->began, changes.began_count,
                             sizeof(acre_entity_pair)) ||
        !acre_column_reserve(own, &contacts->ended, changes.ended_count,
                             sizeof(acre_entity_pair))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    gather_entity_pairs(contacts->began.data, contacts->next.data, changes.began,
                        changes.began_count);
    gather_entity_pairs(contacts->ended.data, contacts->now.data, changes.ended,
                        changes.ended_count);
    swap_entity_columns(&contacts->now, &contacts->next);
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
    acre_entity_contacts copy = *contacts;
    column *columns[ENTITY_COLUMN_COUNT];
    list_entity_columns(&copy, columns);
    size_t bytes = sizeof *contacts;
    for (int i = 0; i < ENTITY_COLUMN_COUNT; i++) {
        bytes += columns[i]->capacity * entity_element_sizes[i];
    }
    return (acre_entity_contacts_lists){.now = contacts->now.data,
                                        .began = contacts->began.data,
                                        .ended = contacts->ended.data,
                                        .now_count = contacts->now_count,
                                        .began_count = contacts->began_count,
                                        .ended_count = contacts->ended_count,
                                        .bytes = bytes};
}
