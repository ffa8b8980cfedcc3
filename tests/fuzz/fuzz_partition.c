// SPDX-License-Identifier: MIT
// fuzz_partition.c - fuzz target: bytes choose edits of the items of 1, 2 or 4 parts, many of them
// around the seam and the borders of parts, and exchanges, some with broken messages. After each
// exchange the observers see what a look at each thing says. In half of the worlds things have
// ranges of their own.
#include "fuzz.h"
#include "sight_oracle.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 300, ITEMS = 25, SIDE = 64 };

typedef struct world {
    sight_world *sights;
    bool is_periodic;
    uint32_t removed_by[ITEMS]; // the part that removed it since the last exchange, plus 1
} world;

// Around the middle, where parts meet, around the seam, or anywhere.
static float read_place(fuzz_input *input)
{
    const float near = ((float)fuzz_byte(input) - 128) / 64;
    const uint32_t where = fuzz_below(input, 5);
    return where < 2 ? near : where < 4 ? near + (where == 2 ? -SIDE : SIDE) : near * SIDE / 2;
}

static acre_aabb read_box(fuzz_input *input)
{
    static const float sizes[] = {0, 0.25f, 0.5f, 1.5f};
    const float x = read_place(input), z = read_place(input), half = sizes[fuzz_below(input, 4)];
    return (acre_aabb){{x - half, 0, z - half}, {x + half, 1, z + half}};
}

// Moves an item, wherever it is; adds one that is nowhere.
static void put(world *w, fuzz_input *input)
{
    const uint32_t number = fuzz_below(input, ITEMS);
    uint32_t part, slot;
    acre_aabb *const box = sight_world_find(w->sights, number, &part, &slot);
    if (box) {
        *box = read_box(input);
        return;
    }
    // Who removed it may add it at once, others after the next exchange.
    const uint32_t by = w->removed_by[number];
    const acre_aabb added = read_box(input);
    part = by > 0 ? by - 1 : fuzz_below(input, w->sights->count);
    FUZZ_CHECK(acre_partition_add(w->sights->parts[part], number, &added, &slot) == ACRE_OK);
}

static void drop(world *w, fuzz_input *input)
{
    const uint32_t number = fuzz_below(input, ITEMS);
    uint32_t part, slot;
    if (sight_world_find(w->sights, number, &part, &slot)) {
        FUZZ_CHECK(acre_partition_remove(w->sights->parts[part], slot) == ACRE_OK);
        w->removed_by[number] = part + 1;
        memset(w->sights->bands[number], NOT_SEEN,
               ITEMS); // an observer that comes back is a new one
    }
}

// What the next exchange refuses: the item keeps its last box.
static void spoil(world *w, fuzz_input *input)
{
    uint32_t part, slot;
    acre_aabb *const box = sight_world_find(w->sights, fuzz_below(input, ITEMS), &part, &slot);
    if (box) {
        (fuzz_byte(input) & 1 ? box->min : box->max)[fuzz_below(input, 3)] = NAN;
    }
}

// Rows out of range, numbers that are there and that are not: refused without a trace.
static void probe(world *w, fuzz_input *input)
{
    acre_partition *const part = w->sights->parts[fuzz_below(input, w->sights->count)];
    const acre_partition_slots slots = acre_partition_get_slots(part);
    const acre_observer_def def = stream_observer();
    const acre_aabb good = {{0, 0, 0}, {1, 1, 1}}, bad = {{0, 0, 0}, {1, NAN, 1}};
    uint32_t at, slot;
    FUZZ_CHECK(acre_partition_remove(part, (uint32_t)slots.count + fuzz_byte(input)) ==
               ACRE_ERROR_NOT_FOUND);
    FUZZ_CHECK(acre_partition_remove(part, UINT32_MAX) == ACRE_ERROR_NOT_FOUND);
    FUZZ_CHECK(acre_partition_add(part, 1000, &bad, &slot) == ACRE_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(acre_partition_find(part, 1000, &slot) == ACRE_ERROR_NOT_FOUND);
    FUZZ_CHECK(acre_partition_interest_add(w->sights->interests[0], 1000, &def) ==
               ACRE_ERROR_NOT_FOUND);
    FUZZ_CHECK(acre_partition_take(part, 0, &good, sizeof good) == ACRE_ERROR_BUSY);
    const uint32_t number = fuzz_below(input, ITEMS);
    if (sight_world_find(w->sights, number, &at, &slot)) {
        FUZZ_CHECK(acre_partition_add(w->sights->parts[at], number, &good, &slot) ==
                   ACRE_ERROR_EXISTS);
    }
}

// An exchange by hand, in which each message comes broken first.
static acre_result exchange_broken(sight_world *w, fuzz_input *input)
{
    acre_result first = ACRE_OK;
    for (uint32_t i = 0; i < w->count; i++) {
        FUZZ_CHECK(acre_partition_begin(w->parts[i]) == ACRE_OK);
        FUZZ_CHECK(acre_partition_interest_update(w->interests[i]) == ACRE_ERROR_BUSY);
    }
    for (uint32_t from = 0; from < w->count; from++) {
        for (uint32_t to = 0; to < w->count; to++) {
            const acre_partition_bytes message = acre_partition_message(w->parts[from], to);
            acre_partition *const part = w->parts[to];
            if (message.size > 0) {
                const size_t less = 1 + fuzz_below(input, (uint32_t)message.size - 1);
                FUZZ_CHECK(acre_partition_take(part, from, message.bytes, less) ==
                           ACRE_ERROR_FORMAT);
                FUZZ_CHECK(acre_partition_take(part, w->count, message.bytes, message.size) ==
                           ACRE_ERROR_INVALID_ARGUMENT);
                FUZZ_CHECK(acre_partition_take(part, from, message.bytes, message.size) == ACRE_OK);
                FUZZ_CHECK(acre_partition_take(part, from, message.bytes, message.size) ==
                           ACRE_ERROR_EXISTS);
            }
        }
    }
    for (uint32_t i = 0; i < w->count; i++) {
        const acre_result result = acre_partition_apply(w->parts[i]);
        first = first == ACRE_OK ? result : first;
    }
    return first;
}

static bool has_invalid(const world *w)
{
    bool is_one = false;
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t part, slot;
        const acre_aabb *const box = sight_world_find(w->sights, i, &part, &slot);
        is_one |= box && !acre_aabb_is_valid(box);
    }
    return is_one;
}

static void tick(world *w, fuzz_input *input)
{
    const uint32_t how = fuzz_byte(input);
    const acre_result expected = has_invalid(w) ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK;
    const acre_result result = how % 4 == 0
                                   ? exchange_broken(w->sights, input)
                                   : acre_partition_exchange(w->sights->parts, w->sights->count);
    FUZZ_CHECK(result == expected);
    for (uint32_t i = 0; i < ITEMS; i++) {
        w->removed_by[i] = 0;
    }
    FUZZ_CHECK(sight_world_watch(w->sights));
    if (how >= 192) {
        const acre_recut_def def = {.tolerance = 1, .most_moved = 1 + how % 60};
        FUZZ_CHECK(acre_partition_recut(w->sights->parts, w->sights->count, &def, NULL) == ACRE_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size, 0};
    const uint32_t kind = fuzz_byte(&input);
    world w = {.is_periodic = kind & 1};
    w.sights = sight_world_open(kind, w.is_periodic, 1u << kind / 2 % 3, ITEMS);
    FUZZ_CHECK(w.sights);
    w.sights->has_ranges = kind / 6 & 1;
    for (uint32_t i = 0; i < MAX_STEPS && fuzz_has_more(&input); i++) {
        const uint32_t step = fuzz_byte(&input);
        if (step < 150) {
            put(&w, &input);
        } else if (step < 165) {
            drop(&w, &input);
        } else if (step < 170) {
            spoil(&w, &input);
        } else if (step < 180) {
            probe(&w, &input);
        } else {
            tick(&w, &input);
        }
    }
    tick(&w, &input);
    sight_world_close(w.sights);
    return 0;
}
