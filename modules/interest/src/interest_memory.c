// SPDX-License-Identifier: MIT
// interest_memory.c - all memory of an interest: made, reserved, counted and freed.
#include "interest_internal.h"

#include "object_internal.h"

#include <string.h>

// ---- all columns, each once ----

static void visit_lists(column_visitor *visitor, interest_lists *lists)
{
    COLUMN_VISIT(visitor, lists->items);
    COLUMN_VISIT(visitor, lists->marks);
}

static void visit_share(column_visitor *visitor, interest_share *share)
{
    interest_candidates *const near = &share->near;
    COLUMN_VISIT(visitor, share->planes.words);
    COLUMN_VISIT(visitor, share->ring);
    visit_lists(visitor, &near->old);
    COLUMN_VISIT(visitor, near->runs);
    COLUMN_VISIT(visitor, near->was);
    COLUMN_VISIT(visitor, near->distances);
    COLUMN_VISIT(visitor, near->fresh);
    COLUMN_VISIT(visitor, near->gone);
    COLUMN_VISIT(visitor, near->kept);
    COLUMN_VISIT(visitor, near->scratch);
    COLUMN_VISIT(visitor, near->ranked);
    COLUMN_VISIT(visitor, near->touched_sets);
    COLUMN_VISIT(visitor, near->touched_at);
    visit_lists(visitor, &share->lists);
    COLUMN_VISIT(visitor, share->outcomes);
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        COLUMN_VISIT(visitor, share->events[kind]);
    }
}

static void visit_shares(column_visitor *visitor, acre_interest *interest)
{
    visit_share(visitor, &interest->share);
    for (size_t i = 0; i < interest->more_shares.capacity; i++) {
        visit_share(visitor, &interest->more_shares.data[i]);
    }
    COLUMN_VISIT(visitor, interest->more_shares);
}

static void visit_map(column_visitor *visitor, number_map *map)
{
    COLUMN_VISIT(visitor, map->numbers);
    COLUMN_VISIT(visitor, map->table);
}

static void visit_rooms(column_visitor *visitor, acre_interest *interest)
{
    for (size_t i = 0; i < interest->rooms.capacity; i++) {
        COLUMN_VISIT(visitor, interest->rooms.data[i].items.numbers);
        COLUMN_VISIT(visitor, interest->rooms.data[i].rows.numbers);
    }
    for (size_t i = 0; i < interest->row_count; i++) {
        COLUMN_VISIT(visitor, interest->rows.data[i].rooms.numbers);
        COLUMN_VISIT(visitor, interest->rows.data[i].set);
    }
    visit_map(visitor, &interest->room_map);
    COLUMN_VISIT(visitor, interest->rooms);
    visit_map(visitor, &interest->member_map);
    COLUMN_VISIT(visitor, interest->room_members);
}

static void visit_outputs(column_visitor *visitor, acre_interest *interest)
{
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        COLUMN_VISIT(visitor, interest->outputs[kind].offsets);
        COLUMN_VISIT(visitor, interest->outputs[kind].items);
        COLUMN_VISIT(visitor, interest->outputs[kind].bands);
        COLUMN_VISIT(visitor, interest->outputs[kind].entities);
    }
    COLUMN_VISIT(visitor, interest->inverse_items);
    COLUMN_VISIT(visitor, interest->inverse);
    COLUMN_VISIT(visitor, interest->inverse_places);
}

static void visit_interest(column_visitor *visitor, acre_interest *interest)
{
    visit_shares(visitor, interest);
    visit_rooms(visitor, interest); // before the rows, which have sets
    visit_outputs(visitor, interest);
    visit_lists(visitor, &interest->lists);
    COLUMN_VISIT(visitor, interest->rows);
    COLUMN_VISIT(visitor, interest->order);
    COLUMN_VISIT(visitor, interest->noted);
    visit_map(visitor, &interest->epoch_map);
    COLUMN_VISIT(visitor, interest->epochs);
    COLUMN_VISIT(visitor, interest->reused.bits);
    COLUMN_VISIT(visitor, interest->reused.items);
    COLUMN_VISIT(visitor, interest->touched.bits);
    COLUMN_VISIT(visitor, interest->touched.items);
    COLUMN_VISIT(visitor, interest->touched_boxes);
    for (int i = 0; i < TOUCHED_GRIDS; i++) {
        COLUMN_VISIT(visitor, interest->grids[i].begins);
        COLUMN_VISIT(visitor, interest->grids[i].items);
    }
    COLUMN_VISIT(visitor, interest->met);
    visit_map(visitor, &interest->ranges.map);
    COLUMN_VISIT(visitor, interest->ranges.things);
    COLUMN_VISIT(visitor, interest->ranges.bits);
    COLUMN_VISIT(visitor, interest->ranges.anew.bits);
    COLUMN_VISIT(visitor, interest->ranges.anew.items);
    COLUMN_VISIT(visitor, interest->rings.boxes);
    COLUMN_VISIT(visitor, interest->rings.present);
    COLUMN_VISIT(visitor, interest->rings.present_now);
    COLUMN_VISIT(visitor, interest->rings.jumpers.bits);
    COLUMN_VISIT(visitor, interest->rings.jumpers.items);
    COLUMN_VISIT(visitor, interest->rings.jumper_boxes);
}

size_t acre_interest_bytes(const acre_interest *interest)
{
    column_visitor visitor = {.allocator = NULL}; // so that nothing changes
    visit_interest(&visitor, (acre_interest *)(uintptr_t)interest);
    acre_quadtree_stats tree = {.bytes = 0};
    if (interest->ranges.tree) {
        acre_quadtree_get_stats(interest->ranges.tree, &tree);
    }
    return visitor.bytes + tree.bytes + sizeof *interest +
           (interest->front ? interest->front->state_size : 0);
}

// ---- make and free ----

#define KNOWN_INTEREST_FLAGS ((uint32_t)(ACRE_INTEREST_STAYED | ACRE_INTEREST_INVERSE))

acre_result acre_interest_make(const acre_interest_def *def, const void *over,
                               const interest_front *front, acre_interest **out)
{
    if (out) {
        *out = NULL;
    }
    if (!over || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_interest_def own = def ? *def : (acre_interest_def){0};
    const interest_kernel *const kernel =
        acre_interest_kernels[acre_kernel_pick(own.kernel, BUILT_KERNELS)];
    if (!kernel || (own.flags & ~KNOWN_INTEREST_FLAGS)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_allocator allocator = own.allocator ? *own.allocator : (acre_allocator){NULL, NULL};
    acre_interest *const interest =
        acre_resize(&allocator, NULL, 0, sizeof *interest, _Alignof(acre_interest));
    if (!interest) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    memset(interest, 0, sizeof *interest);
    interest->allocator = allocator;
    interest->kernel = kernel;
    interest->flags = own.flags;
    interest->front = front;
    interest->free_row = INTEREST_NONE;
    interest->share_count = 1;
    interest->least_set = LEAST_SET;
    interest->rings.price = RING_PRICE;
    interest->most_reach = (double)INFINITY;
    if (front) {
        interest->front_state =
            acre_resize(&allocator, NULL, 0, front->state_size, front->state_alignment);
        if (!interest->front_state) {
            acre_interest_free(interest);
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        memset(interest->front_state, 0, front->state_size);
    }
    *out = interest;
    return ACRE_OK;
}

void acre_interest_free(acre_interest *interest)
{
    const acre_allocator allocator = interest->allocator;
    acre_quadtree_destroy(interest->ranges.tree);
    visit_interest(&(column_visitor){.allocator = &allocator}, interest);
    if (interest->front_state) {
        (void)acre_resize(&allocator, interest->front_state, interest->front->state_size, 0,
                          interest->front->state_alignment);
    }
    (void)acre_resize(&allocator, interest, sizeof *interest, 0, _Alignof(acre_interest));
}

// ---- what a peak leaves ----

// Memory that so many updates in a row need less than a quarter of is given back, down to a size
// that every update may take.
enum { TRIM_UPDATES = 4, LEAST_TRIMMED = 1 << 16 };

static void trim_column(const acre_allocator *allocator, column *c, size_t peak, size_t element)
{
    const size_t room = peak < LEAST_TRIMMED / 2 ? LEAST_TRIMMED : 2 * peak;
    if (c->capacity > 2 * room) {
        acre_column_shrink(allocator, c, room, element);
    }
}
#define TRIM_COLUMN(allocator, c, peak) trim_column((allocator), &(c).any, (peak), sizeof *(c).data)

static void trim_lists(const acre_allocator *allocator, interest_lists *lists, size_t peak)
{
    TRIM_COLUMN(allocator, lists->items, peak);
    TRIM_COLUMN(allocator, lists->marks, peak);
}

static void trim_share(const acre_allocator *allocator, interest_share *share, size_t entries,
                       const size_t *peaks)
{
    trim_lists(allocator, &share->lists, entries + LIST_SLACK);
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        TRIM_COLUMN(allocator, share->events[kind], peaks[kind]);
    }
}

void acre_interest_trim(acre_interest *interest)
{
    const acre_allocator *const allocator = &interest->allocator;
    size_t *const peaks = interest->peak_events;
    size_t entries = interest->lists.used > interest->share.lists.used ? interest->lists.used
                                                                       : interest->share.lists.used;
    entries = entries > interest->peak_entries ? entries : interest->peak_entries;
    interest->peak_entries = entries;
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        const size_t count = interest->outputs[kind].offsets.data[interest->row_count];
        peaks[kind] = count > peaks[kind] ? count : peaks[kind];
    }
    if (++interest->trim_updates < TRIM_UPDATES) {
        return;
    }
    trim_lists(allocator, &interest->lists, entries + LIST_SLACK);
    trim_share(allocator, &interest->share, entries, peaks);
    for (size_t i = 0; i < interest->more_shares.capacity; i++) { // also those of before
        trim_share(allocator, &interest->more_shares.data[i], entries, peaks);
    }
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        TRIM_COLUMN(allocator, interest->outputs[kind].items, peaks[kind]);
        TRIM_COLUMN(allocator, interest->outputs[kind].bands, peaks[kind]);
        TRIM_COLUMN(allocator, interest->outputs[kind].entities, peaks[kind]);
        peaks[kind] = 0;
    }
    interest->trim_updates = 0;
    interest->peak_entries = 0;
}

// ---- room ----

bool acre_interest_reserve_lists(const acre_allocator *allocator, interest_lists *lists,
                                 size_t entries)
{
    return COLUMN_RESERVE(allocator, lists->items, entries + LIST_SLACK) &&
           COLUMN_RESERVE(allocator, lists->marks, entries + LIST_SLACK);
}
