// SPDX-License-Identifier: MIT
// interest_update.c - one update, from the edit of an interest to lists that the caller may read.
#include "interest_internal.h"

// Finds what the changed items change; where they are many, by a search for everything.
static acre_result find_for_items(acre_interest *interest, const interest_world *world,
                                  const uint32_t *items, size_t count)
{
    const bool are_all =
        acre_interest_changes_are_many(interest, world, count + interest->ranges.anew.count);
    interest->cost = (update_cost){0, 0};
    acre_interest_refuse_items(interest, items, count);
    if (!acre_interest_find_reused(interest, items, count, are_all)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    if ((!are_all && !acre_interest_touch(interest, items, count)) ||
        !acre_interest_file_ranges(interest, world, are_all)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (are_all) {
        return acre_interest_find_all(interest, world);
    }
    interest->rings.are_noted = false; // of what moves from here on
    interest->cost.spent = COST_OF_TOUCH * (uint64_t)interest->touched.count;
    acre_interest_place_touched(interest, world);
    return acre_interest_find_changed(interest, world);
}

static acre_result update_world(acre_interest *interest, const interest_world *world,
                                const uint32_t *items, size_t count, bool are_all)
{
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    interest->share_count = 1;
    interest->rings.are_known = false;
    ACRE_INVARIANT(world->count > 0 || interest->front);
    acre_interest_begin_share(&interest->share, &interest->allocator);
    if (!are_all) {
        result = find_for_items(interest, world, items, count);
    } else if (acre_interest_find_reused(interest, NULL, 0, true) &&
               acre_interest_file_ranges(interest, world, true)) {
        result = acre_interest_find_all(interest, world);
    }
    if (result == ACRE_OK && !acre_interest_reserve_outcomes(interest)) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (result == ACRE_OK) {
        acre_interest_apply(interest);
        acre_interest_accept_generations(interest);
        acre_item_marks_clear(&interest->ranges.anew);
    } else {
        interest->rings.are_noted = false;
        acre_interest_move_back(interest);
    }
    return result;
}

static acre_result update_interest(acre_interest *interest, const uint32_t *items, size_t count,
                                   bool are_all)
{
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    interest_world world = {.trees = {interest->tree, NULL}, .count = 1};
    acre_result result = ACRE_ERROR_BUSY;
    interest->report = (acre_quadtree_report){0, 0, ACRE_OK};
    if (!interest->front || interest->front->open(interest->front_state, &world)) {
        result = update_world(interest, &world, items, count, are_all);
        acre_item_marks_clear(&interest->touched);
        if (interest->front) {
            interest->front->close(interest->front_state);
        }
    }
    access_end_write(&interest->access);
    return result == ACRE_OK ? interest->report.first_result : result;
}

acre_result acre_interest_update(acre_interest *interest)
{
    const acre_result result = interest ? ACRE_UNTOLD(update_interest(interest, NULL, 0, true))
                                        : ACRE_ERROR_INVALID_ARGUMENT;
    return ACRE_ANSWER(result, "o", interest);
}

acre_result acre_interest_update_changed(acre_interest *interest, const uint32_t *items,
                                         size_t count)
{
    if (!interest || (!items && count > 0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    return update_interest(interest, items, count, false);
}
