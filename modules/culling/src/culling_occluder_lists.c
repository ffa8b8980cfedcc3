// SPDX-License-Identifier: MIT
// culling_occluder_lists.c - a list of occluders for each slot that has some, in one pool.
#include "culling_internal.h"

#include <acre/objects.h>

#include "bits_internal.h"

void acre_culling_drop_occluders(acre_culling *culling, uint32_t slot)
{
    if (!acre_culling_is_occluder(culling, slot)) {
        return;
    }
    uint32_t *const first1 = COLUMN_AT(culling->slot_occluders, slot);
    uint32_t *next1 = first1;
    while (*next1) {
        next1 = &COLUMN_AT(culling->occluders, *next1 - 1u)->next1;
        culling->occluder_count--;
    }
    *next1 = culling->free_occluders;
    culling->free_occluders = *first1;
    *first1 = 0;
}

// The number of a free one, counted from 1; the caller made room.
static uint32_t take_free(acre_culling *culling)
{
    const uint32_t free1 = culling->free_occluders;
    culling->occluder_count++;
    if (free1 == 0) {
        return ++culling->occluders_used;
    }
    culling->free_occluders = COLUMN_AT(culling->occluders, free1 - 1u)->next1;
    return free1;
}

void acre_culling_list_occluders(acre_culling *culling, uint32_t slot,
                                 const acre_occluder *occluders, size_t count)
{
    ACRE_INVARIANT(!acre_culling_is_occluder(culling, slot));
    uint32_t *next1 = COLUMN_AT(culling->slot_occluders, slot);
    for (size_t i = 0; i < count; i++) {
        *next1 = take_free(culling);
        culling_occluder *const one = COLUMN_AT(culling->occluders, *next1 - 1u);
        *one = (culling_occluder){.shape = occluders[i], .next1 = 0};
        acre_occluder_turn(&one->shape);
        one->facts = acre_occluder_measure(&one->shape);
        next1 = &one->next1;
    }
}

// ---- objects that move ----

static void drop_listed(acre_culling *culling, const uint32_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        acre_culling_drop_occluders(culling, slots[i]);
    }
}

static void drop_marked(acre_culling *culling, const acre_objects *in)
{
    for (uint32_t first = 0; first < in->slot_count; first += 64) {
        for (uint64_t bits = in->moved_bits[first / 64]; bits; bits &= bits - 1) {
            const uint32_t slot = first + lowest_bit(bits);
            if (slot < in->slot_count) {
                acre_culling_drop_occluders(culling, slot);
            }
        }
    }
}

void acre_culling_drop_moved_occluders(acre_culling *culling, const acre_objects *in)
{
    if (!acre_culling_has_occluders(culling)) {
        return;
    }
    if (in->moved_count == ACRE_ALL_MOVED) {
        for (uint32_t slot = 0; slot < in->slot_count; slot++) {
            acre_culling_drop_occluders(culling, slot);
        }
    } else {
        drop_listed(culling, in->moved, in->moved_count);
    }
    drop_listed(culling, in->box_slots, in->box_count);
    if (!in->box_slots && in->boxes.first) {
        drop_listed(culling, in->relabeled, in->relabeled_count);
    }
    if (in->moved_bits) {
        drop_marked(culling, in);
    }
}
