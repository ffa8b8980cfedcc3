// SPDX-License-Identifier: MIT
// visible_lods.c - the LODs that a set's view gives to any slots, such as the casters of a light.
#include "visible_set_internal.h"

static bool can_tell_lods(const acre_culling *culling, const acre_visible_set *set)
{
    return set && set->has_view && set->culling == culling && (set->flags & ACRE_VISIBLE_LODS);
}

acre_result acre_culling_find_lods(const acre_culling *culling, const acre_visible_set *set,
                                   const uint32_t *slots, size_t count, uint8_t *lods)
{
    const bool has_arrays = (slots && lods) || count == 0;
    acre_result result = culling_begin_read(culling, can_tell_lods(culling, set) && has_arrays);
    if (result != ACRE_OK) {
        return result;
    }
    view_rules rules;
    acre_view_begin_rules(&rules, culling, &set->view);
    const culling_table table = acre_culling_table(culling);
    const view_history history = visible_history(set);
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = slots[i];
        const bool is_found =
            slot < table.slot_count && (culling_slot_of(&table, slot).bits & CULLING_PLACES) != 0;
        lods[i] = 0;
        if (!is_found) {
            result = ACRE_ERROR_NOT_FOUND;
        } else {
            const slot_history *const seen = view_seen_before(&history, culling, slot);
            lods[i] = seen ? seen->lod : (uint8_t)acre_view_slot_lod(&rules, &table, slot, NULL);
        }
    }
    access_end_read(&culling->access);
    return result;
}
