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
    for (size_t i = 0; i < interest->rows.capacity; i++) { // room for sets also where no row was
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

void acre_interest_shrink(acre_interest *interest)
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
        peaks[kind] = interest->least_events;
    }
    interest->trim_updates = 0;
    interest->peak_entries = interest->least_entries;
}

// ---- room ----

bool acre_interest_reserve_lists(const acre_allocator *allocator, interest_lists *lists,
                                 size_t entries)
{
    return COLUMN_RESERVE(allocator, lists->items, entries + LIST_SLACK) &&
           COLUMN_RESERVE(allocator, lists->marks, entries + LIST_SLACK);
}

// The most that an update needs for the sizes that a caller gives.
typedef struct interest_needs {
    size_t observers, items;
    size_t one, all; // things near one observer, and near all of them
    size_t entries;  // of lists, gaps included
    size_t events;   // of a kind
    size_t changed;  // items that are marked as changed
    size_t words;    // of a plane; 0: nobody sees enough for a set
    size_t set_words;
} interest_needs;

enum { SET_PLANES = 3 };

static interest_needs needs_of(const acre_interest *interest, const acre_interest_sizes *sizes)
{
    const size_t observers = sizes->observers, items = sizes->items, one = sizes->near_one;
    const uint64_t most = (uint64_t)observers * one;
    const size_t all = sizes->near_all < most ? sizes->near_all : (size_t)most;
    interest_needs needs = {.observers = observers, .items = items, .one = one, .all = all};
    if (one >= interest->least_set && items > 0) {
        needs.words = acre_interest_set_words((uint32_t)(items - 1));
        needs.set_words = acre_interest_most_set_words(one, (uint32_t)(items - 1));
    }
    // Old lists and new ones, and while one observer is searched for, its own twice and what two
    // groups may add.
    needs.entries = acre_interest_most_entries(2 * all) + 2 * one + 2 * (size_t)ACRE_GROUP_ITEMS;
    // There is room for all that one observer may list before it is known what it does: what is
    // near now and was before, or what is near its limits and what jumps.
    needs.events = all + 2 * (needs.words > 0 && items > one ? items : one);
    const uint64_t searches = (uint64_t)COST_OF_SEARCH * observers +
                              (COST_OF_ENTRY + 1) * (uint64_t)all +
                              (uint64_t)observers * needs.set_words;
    const size_t changed = interest_most_changes(searches);
    needs.changed = changed < items ? changed : items;
    return needs;
}

static bool reserve_candidates(const acre_allocator *allocator, interest_candidates *near,
                               const interest_needs *needs)
{
    const size_t one = needs->one;
    return COLUMN_RESERVE(allocator, near->runs, 2 * one) &&
           COLUMN_RESERVE(allocator, near->was, one) &&
           COLUMN_RESERVE(allocator, near->distances, one) &&
           COLUMN_RESERVE(allocator, near->fresh, one) &&
           COLUMN_RESERVE(allocator, near->gone, one + 1) &&
           COLUMN_RESERVE(allocator, near->kept, one / 64 + 1) &&
           COLUMN_RESERVE(allocator, near->scratch, 8 * one) &&
           COLUMN_RESERVE(allocator, near->ranked, one) &&
           COLUMN_RESERVE(allocator, near->touched_sets, 4 * (one / 64 + 1)) &&
           COLUMN_RESERVE(allocator, near->touched_at, one) &&
           (needs->words == 0 || acre_interest_reserve_lists(allocator, &near->old, one));
}

static bool reserve_share(const acre_allocator *allocator, interest_share *share,
                          const interest_needs *needs)
{
    bool has_room = reserve_candidates(allocator, &share->near, needs) &&
                    acre_interest_reserve_lists(allocator, &share->lists, needs->entries) &&
                    COLUMN_RESERVE(allocator, share->outcomes, needs->observers);
    for (int kind = 0; kind < EVENT_KINDS && has_room; kind++) {
        has_room = COLUMN_RESERVE(allocator, share->events[kind], needs->events);
    }
    return has_room;
}

static bool reserve_marks(const acre_allocator *allocator, item_marks *marks, size_t items,
                          size_t marked)
{
    return COLUMN_RESERVE(allocator, marks->bits, items / 64 + 1) &&
           COLUMN_RESERVE(allocator, marks->items, marked);
}

// Items that change, or become other things.
static bool reserve_changed(acre_interest *interest, const interest_needs *needs)
{
    const acre_allocator *const allocator = &interest->allocator;
    const size_t items = needs->items, changed = needs->changed;
    const bool has_generations = interest->front || interest->has_generations;
    touched_grid *const grid = &interest->grids[GRID_PLAIN];
    return reserve_marks(allocator, &interest->touched, items, changed) &&
           COLUMN_RESERVE(allocator, interest->touched_boxes, changed) &&
           COLUMN_RESERVE(allocator, grid->begins, 4 * changed + 3) && // buckets, a power of 4
           COLUMN_RESERVE(allocator, grid->items, changed) &&
           COLUMN_RESERVE(allocator, interest->met, changed) &&
           (!has_generations || (COLUMN_RESERVE(allocator, interest->noted, items) &&
                                 reserve_marks(allocator, &interest->reused, items, items)));
}

// Observers with sets need this beside their lists.
static bool reserve_sets_and_rings(acre_interest *interest, const interest_needs *needs)
{
    const acre_allocator *const allocator = &interest->allocator;
    interest_share *const share = &interest->share;
    interest_rings *const rings = &interest->rings;
    const size_t items = needs->items, words = needs->words;
    bool has_room = COLUMN_RESERVE(allocator, share->planes.words, NEAR_PLANES * words) &&
                    COLUMN_RESERVE(allocator, share->ring, items + ACRE_GROUP_ITEMS) &&
                    COLUMN_RESERVE(allocator, rings->boxes, items) &&
                    COLUMN_RESERVE(allocator, rings->present, words) &&
                    COLUMN_RESERVE(allocator, rings->present_now, words) &&
                    reserve_marks(allocator, &rings->jumpers, items, items) &&
                    COLUMN_RESERVE(allocator, rings->jumper_boxes, items);
    for (size_t i = 0; i < interest->rows.capacity && has_room; i++) {
        has_room =
            COLUMN_RESERVE(allocator, interest->rows.data[i].set, SET_PLANES * needs->set_words);
    }
    return has_room;
}

static bool reserve_told(acre_interest *interest, const interest_needs *needs)
{
    const acre_allocator *const allocator = &interest->allocator;
    const size_t rows = interest->rows.capacity, all = needs->all;
    bool has_room = true;
    for (int kind = 0; kind < EVENT_KINDS && has_room; kind++) {
        interest_output *const output = &interest->outputs[kind];
        has_room = COLUMN_RESERVE(allocator, output->offsets, rows + 1) &&
                   COLUMN_RESERVE(allocator, output->items, all) &&
                   COLUMN_RESERVE(allocator, output->bands, all) &&
                   (!interest->front || COLUMN_RESERVE(allocator, output->entities, all));
    }
    return has_room &&
           (!(interest->flags & ACRE_INTEREST_INVERSE) ||
            (COLUMN_RESERVE(allocator, interest->share.near.scratch, 2 * (all + 1) + rows + 1) &&
             COLUMN_RESERVE(allocator, interest->inverse_items, all + 1) &&
             COLUMN_RESERVE(allocator, interest->inverse, all + 1) &&
             COLUMN_RESERVE(allocator, interest->inverse_places, 1)));
}

static acre_result reserve_room(acre_interest *interest, const acre_interest_sizes *sizes)
{
    const acre_allocator *const allocator = &interest->allocator;
    if (sizes->observers > INTEREST_ITEMS || sizes->near_one > INTEREST_ITEMS ||
        sizes->items > INTEREST_ITEMS) {
        return ACRE_ERROR_CAPACITY;
    }
    const interest_needs needs = needs_of(interest, sizes);
    interest->order_updates = 0;     // the order may stand elsewhere
    if (needs.all > SIZE_MAX / 64 || // sums below are too large for a size_t
        !COLUMN_RESERVE(allocator, interest->rows, needs.observers) ||
        !COLUMN_RESERVE(allocator, interest->order, 4 * needs.observers + 1) ||
        !acre_interest_reserve_lists(allocator, &interest->lists, needs.entries) ||
        !reserve_share(allocator, &interest->share, &needs) || !reserve_changed(interest, &needs) ||
        !reserve_told(interest, &needs) ||
        (needs.words > 0 && !reserve_sets_and_rings(interest, &needs))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    interest->least_entries = interest->peak_entries = needs.entries;
    interest->least_events = needs.events;
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        interest->peak_events[kind] = needs.events;
    }
    interest->keeps_sets = needs.words > 0;
    return ACRE_OK;
}

acre_result acre_interest_reserve(acre_interest *interest, const acre_interest_sizes *sizes)
{
    if (!interest || !sizes) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_result result = reserve_room(interest, sizes);
    access_end_write(&interest->access);
    return result;
}

// ---- room given back ----

static void trim_marks(const acre_allocator *allocator, item_marks *marks)
{
    if (marks->count == 0) { // else the next update needs them
        COLUMN_FREE(allocator, marks->bits);
        COLUMN_FREE(allocator, marks->items);
    }
}

static void trim_generations(acre_interest *interest)
{
    size_t known = interest->noted.capacity; // behind these all are 0, as where none is noted
    while (known > 0 && interest->noted.data[known - 1] == 0) {
        known--;
    }
    COLUMN_SHRINK(&interest->allocator, interest->noted, known);
    trim_marks(&interest->allocator, &interest->reused);
}

// Frees the memory that only a running update uses, and the boxes of the last update, which the
// next search for everything notes anew.
static void free_scratch(acre_interest *interest)
{
    const acre_allocator *const allocator = &interest->allocator;
    interest_rings *const rings = &interest->rings;
    visit_shares(&(column_visitor){.allocator = allocator}, interest);
    interest->share.lists.used = 0;
    COLUMN_FREE(allocator, interest->order);
    interest->order_updates = 0;
    trim_marks(allocator, &interest->touched);
    COLUMN_FREE(allocator, interest->touched_boxes);
    for (int i = 0; i < TOUCHED_GRIDS; i++) {
        COLUMN_FREE(allocator, interest->grids[i].begins);
        COLUMN_FREE(allocator, interest->grids[i].items);
    }
    COLUMN_FREE(allocator, interest->met);
    COLUMN_FREE(allocator, interest->inverse_places);
    rings->are_noted = rings->are_known = false;
    rings->jumpers.count = 0;
    trim_marks(allocator, &rings->jumpers);
    COLUMN_FREE(allocator, rings->boxes);
    COLUMN_FREE(allocator, rings->present);
    COLUMN_FREE(allocator, rings->present_now);
    COLUMN_FREE(allocator, rings->jumper_boxes);
}

static void shrink_rows(acre_interest *interest)
{
    const acre_allocator *const allocator = &interest->allocator;
    for (size_t i = 0; i < interest->rows.capacity; i++) {
        observer_row *const row = COLUMN_AT(interest->rows, i);
        COLUMN_SHRINK(allocator, row->set, (size_t)row->set_planes * row->set_words);
    }
    COLUMN_SHRINK(allocator, interest->rows, interest->row_count);
}

static void shrink_told(acre_interest *interest)
{
    const acre_allocator *const allocator = &interest->allocator;
    const size_t rows = interest->listed_rows;
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        interest_output *const output = &interest->outputs[kind];
        const size_t count = rows > 0 ? output->offsets.data[rows] : 0;
        COLUMN_SHRINK(allocator, output->offsets, rows + 1);
        COLUMN_SHRINK(allocator, output->items, count);
        COLUMN_SHRINK(allocator, output->bands, count);
        COLUMN_SHRINK(allocator, output->entities, count);
    }
    COLUMN_SHRINK(allocator, interest->inverse_items, interest->inverse_count);
    COLUMN_SHRINK(allocator, interest->inverse, interest->inverse_count);
}

acre_result acre_interest_trim(acre_interest *interest)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    free_scratch(interest);
    trim_generations(interest);
    shrink_rows(interest);
    shrink_told(interest);
    const size_t entries = interest->lists.used + LIST_SLACK;
    COLUMN_SHRINK(&interest->allocator, interest->lists.items, entries);
    COLUMN_SHRINK(&interest->allocator, interest->lists.marks, entries);
    interest->keeps_sets = false;
    interest->least_entries = interest->least_events = 0;
    interest->trim_updates = 0;
    interest->peak_entries = 0;
    memset(interest->peak_events, 0, sizeof interest->peak_events);
    access_end_write(&interest->access);
    return ACRE_OK;
}
