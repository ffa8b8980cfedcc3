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
}

static void visit_interest(column_visitor *visitor, acre_interest *interest)
{
    visit_shares(visitor, interest);
    visit_rooms(visitor, interest); // before the rows, which have sets of rooms
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
    COLUMN_VISIT(visitor, interest->grid.begins);
    COLUMN_VISIT(visitor, interest->grid.items);
    COLUMN_VISIT(visitor, interest->grid.met);
}

size_t acre_interest_bytes(const acre_interest *interest)
{
    column_visitor visitor = {.allocator = NULL}; // so that nothing changes
    visit_interest(&visitor, (acre_interest *)(uintptr_t)interest);
    return visitor.bytes + sizeof *interest + (interest->front ? interest->front->state_size : 0);
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
    visit_interest(&(column_visitor){.allocator = &allocator}, interest);
    if (interest->front_state) {
        (void)acre_resize(&allocator, interest->front_state, interest->front->state_size, 0,
                          interest->front->state_alignment);
    }
    (void)acre_resize(&allocator, interest, sizeof *interest, 0, _Alignof(acre_interest));
}

// ---- room ----

bool acre_interest_reserve_lists(const acre_allocator *allocator, interest_lists *lists,
                                 size_t entries)
{
    return COLUMN_RESERVE(allocator, lists->items, entries + LIST_SLACK) &&
           COLUMN_RESERVE(allocator, lists->marks, entries + LIST_SLACK);
}
