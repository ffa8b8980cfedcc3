// SPDX-License-Identifier: MIT
// partition_find.c - what a part's own tree has for a question.
#include "partition_internal.h"

#include <stdlib.h>

// The part that asks answers for giants, since all parts know them.
static bool answers_for_slot(const acre_partition *part, uint32_t slot, bool is_asker)
{
    if (part->is_giant.data[slot]) {
        return is_asker && part->images.data[slot] == 0;
    }
    return part->kinds.data[slot] == ACRE_SLOT_OWN;
}

static bool add_own(acre_partition *part, uint32_t slot, float distance)
{
    partition_rounds *const rounds = &part->rounds;
    if (!COLUMN_RESERVE(&part->allocator, rounds->own_found, rounds->own_count + 1)) {
        return false;
    }
    acre_found *const found = COLUMN_AT(rounds->own_found, rounds->own_count++);
    *found = (acre_found){.number = *COLUMN_AT(part->numbers, slot), .distance = distance};
    ACRE_INVARIANT_OK(acre_quadtree_get_box(part->tree, slot, &found->box));
    found->part = acre_partition_owner(part, acre_ground_cell(&part->ground, &found->box));
    return true;
}

static acre_result find_all_in(acre_partition *part, const acre_query *query, bool is_asker)
{
    partition_rounds *const rounds = &part->rounds;
    size_t total = 0;
    acre_result result =
        acre_quadtree_query(part->tree, query, rounds->items.data, rounds->items.capacity, &total);
    if (result == ACRE_OK && total > rounds->items.capacity) {
        result = COLUMN_RESERVE(&part->allocator, rounds->items, total)
                     ? acre_quadtree_query(part->tree, query, rounds->items.data, total, &total)
                     : ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < total && result == ACRE_OK; i++) {
        const uint32_t slot = *COLUMN_AT(rounds->items, i);
        if (answers_for_slot(part, slot, is_asker) && !add_own(part, slot, 0)) {
            result = ACRE_ERROR_OUT_OF_MEMORY;
        }
    }
    return result;
}

// Whether the hits hold `nearest` items that count, and all others that are as far as the last of
// these: one of them may have a smaller number, and then comes first.
static bool are_enough(const acre_partition *part, const acre_query_hit *hits, size_t count,
                       uint32_t nearest, bool is_asker)
{
    ACRE_INVARIANT(nearest > 0);
    size_t counting = 0;
    for (size_t i = 0; i < count; i++) {
        counting += answers_for_slot(part, hits[i].item, is_asker);
        if (counting >= nearest) {
            return hits[count - 1].distance > hits[i].distance;
        }
    }
    return false;
}

// The tree also has ghosts, which do not count, so it is asked for more and more hits.
static acre_result find_nearest_in(acre_partition *part, const acre_query *query, uint32_t nearest,
                                   bool is_asker)
{
    partition_rounds *const rounds = &part->rounds;
    size_t count = 0;
    for (size_t capacity = (size_t)nearest + 16;; capacity *= 4) {
        if (capacity > part->slots) {
            capacity = part->slots; // all of them
        }
        if (!COLUMN_RESERVE(&part->allocator, rounds->hits, capacity + 1)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        const acre_result result =
            acre_quadtree_query_nearest(part->tree, query, rounds->hits.data, capacity, &count);
        if (result != ACRE_OK) {
            return result;
        }
        ACRE_INVARIANT(count <= capacity && capacity <= part->slots);
        if (count < capacity || capacity == part->slots ||
            are_enough(part, rounds->hits.data, count, nearest, is_asker)) {
            break;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const acre_query_hit hit = *COLUMN_AT(rounds->hits, i);
        if (answers_for_slot(part, hit.item, is_asker) && !add_own(part, hit.item, hit.distance)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
    }
    return ACRE_OK;
}

// ---- order ----

static int compare_numbers(const void *x, const void *y)
{
    const acre_found *const a = x, *const b = y;
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return (a->distance > b->distance) - (a->distance < b->distance);
}

static int compare_distances(const void *x, const void *y)
{
    const acre_found *const a = x, *const b = y;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

size_t acre_partition_sort_found(acre_found *found, size_t count, uint32_t nearest)
{
    if (count == 0) {
        return 0;
    }
    // On periodic ground a volume finds some items at two places: the lesser distance counts.
    qsort(found, count, sizeof *found, compare_numbers);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (found[i].number != found[kept - 1].number) {
            found[kept++] = found[i];
        }
    }
    if (nearest == 0) {
        return kept;
    }
    qsort(found, kept, sizeof *found, compare_distances);
    return kept < nearest ? kept : nearest;
}

// ---- questions ----

acre_result acre_partition_check_question(const acre_partition *part,
                                          const partition_question *question)
{
    const bool limits_nothing = question->nearest == 0 && question->volume.max_distance != 0.0f;
    acre_result result = limits_nothing ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK;
    for (int place = 0; place < acre_partition_places(part) && result == ACRE_OK; place++) {
        const partition_volume volume = acre_partition_at_place(part, &question->volume, place);
        acre_query query = acre_volume_query(&volume);
        const acre_aabb anywhere = {{0, 0, 0}, {0, 0, 0}};
        if (question->nearest == 0) {
            query.origin = &anywhere; // not read
        }
        acre_query_hit nearest; // of one: what counts is whether the query is refused
        size_t count = 0;
        result = acre_quadtree_query_nearest(part->tree, &query, &nearest, 1, &count);
    }
    return result;
}

acre_result acre_partition_find_own(acre_partition *part, const partition_question *question,
                                    bool is_asker)
{
    part->rounds.own_count = 0;
    acre_result result = ACRE_OK;
    for (int place = 0; place < acre_partition_places(part) && result == ACRE_OK; place++) {
        const partition_volume volume = acre_partition_at_place(part, &question->volume, place);
        const acre_query query = acre_volume_query(&volume);
        result = question->nearest > 0 ? find_nearest_in(part, &query, question->nearest, is_asker)
                                       : find_all_in(part, &query, is_asker);
    }
    if (result == ACRE_OK) {
        part->rounds.own_count = acre_partition_sort_found(
            part->rounds.own_found.data, part->rounds.own_count, question->nearest);
    }
    return result;
}
