// SPDX-License-Identifier: MIT
// quadtree_contacts.c - pairs from call to call: sorted lists, and the differences between two.
#include <acre/quadtree_pairs.h>

#include "assert_internal.h"
#include "column_internal.h"
#include "sort_internal.h"

#include <string.h>

// Room for pairs in the first search; a second search has room for all that the first one found.
#define FIRST_PAIRS 1024

struct acre_contacts {
    acre_allocator allocator;
    column now;     // acre_pair: the pairs of the last update
    column last;    // acre_pair: those of the update before, then those of the update that runs
    column began;   // acre_pair
    column ended;   // acre_pair
    column scratch; // acre_pair: for sorting
    size_t now_count;
    size_t began_count;
    size_t ended_count;
};

acre_result acre_contacts_create(const acre_allocator *allocator, acre_contacts **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    const acre_allocator own = allocator ? *allocator : (acre_allocator){NULL, NULL};
    acre_contacts *const contacts =
        acre_resize(&own, NULL, 0, sizeof *contacts, _Alignof(acre_contacts));
    if (!contacts) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *contacts = (acre_contacts){.allocator = own};
    *out = contacts;
    return ACRE_OK;
}

void acre_contacts_destroy(acre_contacts *contacts)
{
    if (contacts) {
        const acre_allocator own = contacts->allocator;
        column *const columns[] = {&contacts->now, &contacts->last, &contacts->began,
                                   &contacts->ended, &contacts->scratch};
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
            acre_column_free(&own, columns[i], sizeof(acre_pair));
        }
        (void)acre_resize(&own, contacts, sizeof *contacts, 0, _Alignof(acre_contacts));
    }
}

static uint64_t item_pair_key(acre_pair pair)
{
    return (uint64_t)pair.a << 32 | pair.b;
}

// Sorts by a, then b. Returns the array that holds the result: either of the two.
static acre_pair *sort_pairs(acre_pair *pairs, acre_pair *other, size_t count)
{
    return (acre_pair *)acre_sort_number_pairs((uint32_t *)pairs, (uint32_t *)other, count);
}

static acre_result find_pairs(const acre_quadtree *first, const acre_quadtree *second,
                              const acre_pairs_rules *rules, const column *into, size_t *total)
{
    return second ? acre_quadtree_pairs_between(first, second, rules, into->data, into->capacity,
                                                total)
                  : acre_quadtree_pairs(first, rules, into->data, into->capacity, total);
}

static bool reserve_pairs(acre_contacts *contacts, column *into, size_t count)
{
    return acre_column_reserve(&contacts->allocator, into, count, sizeof(acre_pair));
}

static bool reserve_all(acre_contacts *contacts, size_t count)
{
    return reserve_pairs(contacts, &contacts->now, count) &&
           reserve_pairs(contacts, &contacts->last, count) &&
           reserve_pairs(contacts, &contacts->began, count) &&
           reserve_pairs(contacts, &contacts->ended, count) &&
           reserve_pairs(contacts, &contacts->scratch, count);
}

// Writes the pairs that only one of two sorted lists has into began and ended. Each of these needs
// room for one more than its list.
static void compare_lists(acre_contacts *contacts, size_t now_count, size_t last_count)
{
    ACRE_INVARIANT(now_count < contacts->began.capacity && last_count < contacts->ended.capacity);
    const acre_pair *const now = contacts->now.data, *const last = contacts->last.data;
    acre_pair *const began = contacts->began.data, *const ended = contacts->ended.data;
    size_t i = 0, k = 0, begins = 0, ends = 0;
    while (i < now_count && k < last_count) {
        const uint64_t new_key = item_pair_key(now[i]);
        const uint64_t old_key = item_pair_key(last[k]);
        began[begins] = now[i];
        ended[ends] = last[k];
        begins += new_key < old_key;
        ends += old_key < new_key;
        i += new_key <= old_key;
        k += old_key <= new_key;
    }
    ACRE_INVARIANT(i == now_count || k == last_count);
    if (i < now_count) {
        memcpy(began + begins, now + i, (now_count - i) * sizeof *now);
    }
    if (k < last_count) {
        memcpy(ended + ends, last + k, (last_count - k) * sizeof *last);
    }
    contacts->began_count = begins + (now_count - i);
    contacts->ended_count = ends + (last_count - k);
}

static void swap_columns(column *a, column *b)
{
    const column held = *a;
    *a = *b;
    *b = held;
}

acre_result acre_contacts_update(acre_contacts *contacts, const acre_quadtree *first,
                                 const acre_quadtree *second, const acre_pairs_rules *rules)
{
    if (!contacts || !first) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    // The search writes into the oldest list: the others stay as they are until nothing can fail.
    column *const fresh = &contacts->last;
    size_t count = FIRST_PAIRS;
    do {
        if (!reserve_pairs(contacts, fresh, count)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        const acre_result result = find_pairs(first, second, rules, fresh, &count);
        if (result != ACRE_OK) {
            return result;
        }
    } while (count > fresh->capacity);
    // All columns grow alike, since they are swapped. compare_lists needs room for one more.
    if (!reserve_all(contacts, (count > contacts->now_count ? count : contacts->now_count) + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (sort_pairs(fresh->data, contacts->scratch.data, count) != fresh->data) {
        swap_columns(fresh, &contacts->scratch);
    }
    swap_columns(&contacts->now, &contacts->last);
    compare_lists(contacts, count, contacts->now_count);
    contacts->now_count = count;
    return ACRE_OK;
}

acre_contacts_lists acre_contacts_get(const acre_contacts *contacts)
{
    if (!contacts) {
        return (acre_contacts_lists){.bytes = 0};
    }
    const size_t room = contacts->now.capacity + contacts->last.capacity +
                        contacts->began.capacity + contacts->ended.capacity +
                        contacts->scratch.capacity;
    return (acre_contacts_lists){.now = contacts->now.data,
                                 .began = contacts->began.data,
                                 .ended = contacts->ended.data,
                                 .now_count = contacts->now_count,
                                 .began_count = contacts->began_count,
                                 .ended_count = contacts->ended_count,
                                 .bytes = sizeof *contacts + room * sizeof(acre_pair)};
}
