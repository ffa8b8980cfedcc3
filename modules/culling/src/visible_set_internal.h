// SPDX-License-Identifier: MIT
// visible_set_internal.h - what a set keeps of the last finding, and its history of each slot.
//
// Invariants, after any call:
//     1 slots, and lods where they are kept, have count elements; no slot stands twice
//     2 while has_history is true, the history of a slot has the stamp of the last finding if and
//       only if the slot stands in slots; its generation and LOD are then those of that finding
//     3 while has_view is true, view is the view of the last finding, and its volumes, if any, are
//       the set's own copies
//     4 with ACRE_VISIBLE_BITS, bits has a one for each of slots and for nothing else
#ifndef ACRE_VISIBLE_SET_INTERNAL_H
#define ACRE_VISIBLE_SET_INTERNAL_H

#include <acre/visible_set.h>

#include "horizon_shared.h"
#include "view_find_internal.h"

struct acre_visible_set {
    acre_allocator allocator;
    uint32_t flags; ///< ACRE_VISIBLE_...

    acre_view view;
    acre_frustum include;        ///< copy of view's
    acre_frustum exclude;        ///< copy of view's
    horizon_place horizon_place; ///< where view's horizon stood; zeros: it has none
    bool has_view;
    bool is_frozen;
    bool is_in_many;             ///< one of the sets of acre_culling_find_visible_many, which runs
    acre_result many_result;     ///< how its finding ended there
    const acre_culling *culling; ///< the one of the last finding; NULL: none
    uint64_t revision;           ///< the culler's at that time

    acre_visible last;              ///< of the last finding; its arrays are the columns
    COLUMN_OF(uint32_t) slots;      ///< visible
    COLUMN_OF(uint8_t) lods;        ///< of slots
    COLUMN_OF(uint32_t) next_slots; ///< of the finding that runs; swapped with slots at its end
    COLUMN_OF(uint8_t) next_lods;   ///< swapped with lods
    COLUMN_OF(uint32_t) entered;
    COLUMN_OF(uint32_t) left;
    COLUMN_OF(uint32_t) left_hidden;
    COLUMN_OF(uint32_t) stayed;
    COLUMN_OF(uint32_t) changed;
    COLUMN_OF(uint64_t) bits;
    COLUMN_OF(slot_history) history; ///< by slot
    bool has_history;                ///< the last finding is in it
    uint8_t stamp;                   ///< of the last finding
};

// visible_set.c

/// Forgets who was visible: the next finding has only entered entities.
void acre_visible_drop_history(acre_visible_set *set);

// visible_changes.c

/// Room for all that acre_visible_apply writes. @return false: out of memory.
bool acre_visible_reserve_changes(acre_visible_set *set, const view_find *find);

/// Brings changes, bits and history up to date, and makes the found slots those of the set.
void acre_visible_apply(acre_visible_set *set, const view_find *find);

/// Who was visible in the set's last finding, which saw this culler.
static inline view_history visible_history(const acre_visible_set *set)
{
    return (view_history){set->history.data, set->has_history ? set->history.capacity : 0,
                          set->stamp};
}

/// Whether the last result of a set still holds.
bool acre_visible_can_reuse(const acre_visible_set *set, const acre_culling *culling,
                            const acre_view *view);

/// acre_culling_find_visible, of which no handler is told.
acre_result acre_visible_find(const acre_culling *culling, const acre_view *view,
                              acre_visible_set *set);

#endif
