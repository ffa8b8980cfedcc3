// SPDX-License-Identifier: MIT
// scene_set_locals.c - transforms of many entities: on one thread, on workers, from many threads.
//
// A scene with tasks is *shared*: several threads may set transforms of different entities at a
// time, and the workers of one call do. One thread writes what belongs to one entity: its slot, row
// and head. Atomics write what the threads have in common: the words of the set of dirty rows, and
// the list of free matrices, to which nobody else adds.
#include "scene_edit_internal.h"

#include "atomic_internal.h"
#include "prefetch_internal.h"
#include "tasks_internal.h"

// A worker claims this many entities at a time (some 15 us); a share has at least SHARE_ENTITIES
// (some 60 us).
enum { CLAIMED_ENTITIES = 4096, FEW_ENTITIES = 64, SHARE_ENTITIES = 16384 };

// A call fetches its next slots and rows ahead, unless they lie so close together that the
// processor does it by itself. 10,000 rows spread over a million: 46 ns each instead of 88.
enum { SLOTS_AHEAD = 16, ROWS_AHEAD = 8, CLOSE_SLOTS = 64 };

static inline bool is_scattered(const acre_entity *entities, size_t left)
{
    return left > SLOTS_AHEAD && entities[SLOTS_AHEAD].index1 - entities[0].index1 > CLOSE_SLOTS;
}

static inline void fetch_scattered(const acre_scene *scene, const acre_entity *entities)
{
    const slot_record *const slots = scene->slots.data;
    const uint32_t later = entities[SLOTS_AHEAD].index1 - 1u;
    const uint32_t sooner = entities[ROWS_AHEAD].index1 - 1u;
    if (later < scene->slot_count) {
        prefetch_line(&slots[later]);
    }
    if (sooner < scene->slot_count && slots[sooner].state == SLOT_LIVE) {
        prefetch_line(&scene->locals.data[slots[sooner].row]);
    }
}

// As row_set_add_word, while other threads add rows too.
static inline void add_word_shared(row_set *set, uint32_t word, uint64_t bits)
{
    ACRE_INVARIANT(word < set->words.capacity && word >> 6 < set->summary.capacity);
    atomic_or_long_relaxed(&set->words.data[word], bits);
    atomic_or_long_relaxed(&set->summary.data[word >> 6], (uint64_t)1 << (word & 63));
}

static inline void add_dirty(acre_scene *scene, uint32_t word, uint64_t bits, bool is_shared)
{
    if (!is_shared) {
        row_set_add_word(&scene->dirty, word, bits);
    } else if (bits) {
        add_word_shared(&scene->dirty, word, bits);
    }
}

static acre_result refusal(const acre_scene *scene, acre_entity entity, const acre_transform *local)
{
    return scene_live_slot(scene, entity) == NONE ? ACRE_ERROR_STALE_HANDLE
           : !transform_is_valid(local)           ? ACRE_ERROR_INVALID_ARGUMENT
                                                  : ACRE_OK;
}

// Applies the good rows. @return the first refused row, or count. A row costs its checks, a copy of
// 40 bytes and a bit in a word; the bits of neighboring rows are written together.
static inline size_t set_rows(acre_scene *scene, const acre_entity *entities,
                              const acre_transform *locals, size_t count, bool is_shared)
{
    const slot_record *const slots = scene->slots.data;
    local_row *const stored = scene->locals.data;
    size_t refused = count;
    uint64_t bits = 0;
    uint32_t word = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_scattered(entities + i, count - i)) {
            fetch_scattered(scene, entities + i);
        }
        const uint32_t slot = scene_live_slot(scene, entities[i]);
        if (slot == NONE || !transform_is_valid(&locals[i])) {
            refused = refused == count ? i : refused;
            continue;
        }
        const uint32_t row = slots[slot].row;
        if (row >> 6 != word) {
            add_dirty(scene, word, bits, is_shared);
            word = row >> 6;
            bits = 0;
        }
        bits |= (uint64_t)1 << (row & 63);
        if (slots[slot].flags & SLOT_MATRIX) {
            acre_slot_set_transform(scene, slot, &locals[i]);
        } else {
            stored[row].transform = locals[i];
        }
    }
    add_dirty(scene, word, bits, is_shared);
    return refused;
}

typedef struct locals_call {
    block_claim claim; // of blocks
    size_t claimed;    // rows of a block
    acre_scene *scene;
    const acre_entity *entities;
    const acre_transform *locals;
    size_t count;
    uint64_t refused;  // the first refused row, or count
    uint32_t descends; // 1: a slot does not ascend: an entity may stand twice
} locals_call;

static size_t claimed_end(const locals_call *call, uint32_t block)
{
    const size_t end = ((size_t)block + 1) * call->claimed;
    return end < call->count ? end : call->count;
}

// Whether the slots of a block ascend, and lie below the first one of the next block. Where those
// first ones ascend too, no two such blocks have an entity in common.
static bool block_ascends(const locals_call *call, uint32_t block)
{
    const size_t end = claimed_end(call, block), last = end < call->count ? end : end - 1;
    bool ascends = true;
    for (size_t i = (size_t)block * call->claimed; i < last; i++) {
        ascends &= call->entities[i].index1 < call->entities[i + 1].index1;
    }
    return ascends;
}

static void set_share(void *context, uint32_t share)
{
    (void)share;
    locals_call *const call = context;
    for (uint32_t block; claim_block(&call->claim, &block);) {
        const size_t begin = (size_t)block * call->claimed;
        const size_t count = claimed_end(call, block) - begin;
        if (!block_ascends(call, block)) {
            atomic_write_relaxed(&call->descends, 1);
            continue;
        }
        const size_t refused =
            set_rows(call->scene, call->entities + begin, call->locals + begin, count, true);
        if (refused < count) {
            atomic_least_long_relaxed(&call->refused, begin + refused);
        }
    }
}

static bool first_slots_ascend(const locals_call *call)
{
    bool ascend = true;
    for (size_t i = call->claimed; i < call->count; i += call->claimed) {
        ascend &= call->entities[i - call->claimed].index1 < call->entities[i].index1;
    }
    return ascend;
}

// If slots do not ascend, an entity may stand in two rows, and the later one must win. Then one
// thread sets all rows in order, also those that shares have set.
static size_t set_in_shares(acre_scene *scene, const acre_entity *entities,
                            const acre_transform *locals, size_t count, uint32_t shares)
{
    const size_t claimed = block_size_for(&scene->tasks, CLAIMED_ENTITIES, FEW_ENTITIES);
    locals_call call = {.claim.count = (uint32_t)((count + claimed - 1) / claimed),
                        .claimed = claimed,
                        .scene = scene,
                        .entities = entities,
                        .locals = locals,
                        .count = count,
                        .refused = count};
    if (first_slots_ascend(&call)) {
        acre_run_shares(&scene->tasks, "acre set locals", shares, set_share, &call);
    } else {
        call.descends = 1;
    }
    return call.descends ? set_rows(scene, entities, locals, count, true) : (size_t)call.refused;
}

// Counts the rows that are refused, where there is one: `first`, or `count` if there is none.
static acre_result count_refused(const acre_scene *scene, const acre_entity *entities,
                                 const acre_transform *locals, size_t count, size_t first,
                                 refused_rows *refused)
{
    for (size_t row = first; row < count; row++) {
        count_row(refused, row, refusal(scene, entities[row], &locals[row]));
    }
    ACRE_INVARIANT(first == count || refused->first == first);
    return refused->result;
}

// Other threads may set transforms at the same time.
static acre_result set_locals_shared(acre_scene *scene, const acre_entity *entities,
                                     const acre_transform *locals, size_t count,
                                     refused_rows *refused)
{
    if (scene->is_committing || !access_begin_read(&scene->recording)) {
        return ACRE_ERROR_BUSY;
    }
    atomic_write_bool_relaxed(&scene->dirty.is_used, true);
    const uint32_t shares =
        count < MAX_ENTITIES ? share_count_for(&scene->tasks, count, SHARE_ENTITIES) : 1;
    const size_t first = shares > 1 ? set_in_shares(scene, entities, locals, count, shares)
                                    : set_rows(scene, entities, locals, count, true);
    const acre_result result = count_refused(scene, entities, locals, count, first, refused);
    access_end_read(&scene->recording);
    return result;
}

static acre_result set_locals_alone(acre_scene *scene, const acre_entity *entities,
                                    const acre_transform *locals, size_t count,
                                    refused_rows *refused)
{
    const acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    const size_t first = set_rows(scene, entities, locals, count, false);
    return scene_end_edit(scene, count_refused(scene, entities, locals, count, first, refused));
}

acre_result acre_scene_set_locals(acre_scene *scene, const acre_entity *entities,
                                  const acre_transform *locals, size_t count)
{
    refused_rows refused = {0, 0, ACRE_OK};
    acre_result result = ACRE_ERROR_INVALID_ARGUMENT;
    if (scene && (count == 0 || (entities && locals))) {
        result = scene->tasks.worker_count > 1 && count > 0
                     ? set_locals_shared(scene, entities, locals, count, &refused)
                     : set_locals_alone(scene, entities, locals, count, &refused);
    }
    return ACRE_ANSWER(result, "ro[@[Tn", refused.count, refused.first, scene, entities, locals,
                       count);
}
