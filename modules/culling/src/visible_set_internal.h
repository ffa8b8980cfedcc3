// SPDX-License-Identifier: MIT
// visible_set_internal.h - what a set remembers of the last finding, and of each slot.
//
// Invariants, after any call:
//     1 slots, and lods where they are kept, have count elements; no slot stands twice
//     2 while has_memory is true, the memory of a slot has the stamp of the last finding if and
//       only if the slot stands in slots; its generation and LOD are then those of that finding
//     3 while has_view is true, view is the view of the last finding, and its volumes, if any, are
//       the set's own copies
//     4 with ACRE_VISIBLE_BITS, bits has a one for each of slots and for nothing else
#ifndef ACRE_VISIBLE_SET_INTERNAL_H
#define ACRE_VISIBLE_SET_INTERNAL_H

#include <acre/visible_set.h>

#include "view_find_internal.h"

/// What is known of a slot. Zero: it was not visible.
typedef struct slot_history {
    uint16_t generation; ///< of the entity that was visible
    uint8_t lod;
    uint8_t stamp; ///< of the finding that saw it last, 1 or 2; 0: not visible
} slot_history;

struct acre_visible_set {
    acre_allocator allocator;
    uint32_t flags; ///< ACRE_VISIBLE_...

    acre_view view;
    acre_frustum include, exclude; ///< of view
    bool has_view, is_frozen, is_reused;
    const acre_culling *culling; ///< that was asked last; NULL: none
    uint64_t revision;           ///< of it

    size_t count, entered_count, left_count, stayed_count, changed_count, tested;
    column slots, lods;                    ///< uint32_t, uint8_t: visible
    column next_slots, next_lods;          ///< of the finding that runs; swapped with the above
    column entered, left, stayed, changed; ///< uint32_t
    column bits;                           ///< uint64_t
    size_t word_count;                     ///< of bits

    column memory; ///< slot_history, by slot
    bool has_memory;
    uint8_t stamp; ///< of the last finding
};

/// A finding on its way.
typedef struct visible_search {
    const acre_culling *culling;
    const acre_view *view;
    view_volume volume;
    view_rules rules;
    size_t count; ///< in next_slots
    size_t tested;
    bool by_rules; ///< boxes are looked at, to hide some or to choose LODs
    bool keeps_history;
} visible_search;

/// Room for count elements in one of the set's columns. @return whether there was memory.
static inline bool visible_grow(acre_visible_set *set, column *c, size_t count, size_t element)
{
    return acre_column_reserve(&set->allocator, c, count, element);
}

// visible_set.c

/// Forgets who was visible: all that is found next enters.
void acre_visible_drop_history(acre_visible_set *set);

// visible_changes.c

/// Room for what visible_changes writes, for count slots found. @return whether there was memory.
bool acre_visible_reserve_changes(acre_visible_set *set, const visible_search *search);

/// Brings changes, bits and memory up to date, and makes the found slots those of the set.
void acre_visible_apply(acre_visible_set *set, const visible_search *search);

/// What a set remembers of the entity in a slot, if it was visible. NULL: nothing.
static inline const slot_history *visible_history(const acre_visible_set *set,
                                                  const acre_culling *culling, uint32_t slot)
{
    if (slot >= set->memory.capacity) {
        return NULL;
    }
    const slot_history *const known = (const slot_history *)set->memory.data + slot;
    return known->stamp == set->stamp &&
                   known->generation == culling_slot_at(culling, slot)->generation
               ? known
               : NULL;
}

#endif
