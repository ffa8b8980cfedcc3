// SPDX-License-Identifier: MIT
// view_many.c - many views in one call: one after the other, or side by side where there are tasks.
#include "visible_set_internal.h"

// A share of less is not worth a fork and a join. Boxes tested and slots found take about a
// nanosecond each.
#define SHARE_LEAST 20000

// The views of a call of at most so many begin in descending order of work: a large one that began
// last would leave the other workers idle.
#define MOST_ORDERED 64
_Static_assert(MOST_ORDERED <= 256, "an index in order is a byte");

typedef struct many_views {
    block_claim claim; // a block is a view
    uint8_t order[MOST_ORDERED];
    const acre_culling *culling;
    const acre_view *views;
    acre_visible_set *const *sets;
    size_t count;
} many_views;

// Estimates the work of a view from that of its last finding; where there was none, an eighth of
// all items.
static uint64_t expected_work(const many_views *call, size_t i)
{
    const uint64_t items = (uint64_t)call->culling->tree_counts[0] + call->culling->tree_counts[1];
    const acre_visible_set *const set = call->sets[i];
    return set->has_view ? (uint64_t)set->last.count + set->last.tested : items / 8;
}

// An insertion sort: there are few, in about the order of the frame before.
static void order_by_work(many_views *call)
{
    for (uint32_t i = 0; i < call->claim.count && call->claim.count <= MOST_ORDERED; i++) {
        const uint64_t work = expected_work(call, i);
        uint32_t at = i;
        while (at > 0 && expected_work(call, call->order[at - 1]) < work) {
            call->order[at] = call->order[at - 1];
            at--;
        }
        call->order[at] = (uint8_t)i;
    }
}

// Finds a view into a set with the memory that the set has: no task calls an allocator.
static void find_without_memory(const many_views *call, uint32_t i)
{
    acre_visible_set *const set = call->sets[i];
    const acre_allocator own = set->allocator;
    set->allocator = acre_refusing_allocator;
    set->many_result = acre_visible_find(call->culling, &call->views[i], set);
    set->allocator = own;
}

static void find_views(void *context, uint32_t share)
{
    (void)share;
    many_views *const call = context;
    for (uint32_t next; claim_block(&call->claim, &next);) {
        find_without_memory(call, call->claim.count <= MOST_ORDERED ? call->order[next] : next);
    }
}

// Marks the sets of a call. @return false, and none is marked, if one is NULL or stands twice.
static bool mark_sets(acre_visible_set *const *sets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!sets[i] || sets[i]->is_in_many) {
            while (i-- > 0) {
                sets[i]->is_in_many = false;
            }
            return false;
        }
        sets[i]->is_in_many = true;
    }
    return true;
}

// In how many shares to find the views; 1: one after the other. The sets are marked.
static uint32_t shares_of_views(const many_views *call)
{
    uint64_t work = 0;
    for (size_t i = 0; i < call->count; i++) {
        work += expected_work(call, i);
    }
    const uint32_t shares = share_count_for(&call->culling->tasks, work, SHARE_LEAST);
    return shares < call->count ? shares : (uint32_t)call->count;
}

// Finds the views in shares if that is worth while. @return false: nothing is done.
static bool find_in_shares(many_views *call)
{
    const acre_culling *const culling = call->culling;
    if (call->count < 2 || call->count > UINT32_MAX || culling->tasks.worker_count < 2 ||
        acre_culling_has_listener(culling) || !mark_sets(call->sets, call->count)) {
        return false;
    }
    const uint32_t shares = shares_of_views(call);
    if (shares > 1) {
        call->claim.count = (uint32_t)call->count;
        order_by_work(call);
        acre_run_shares(&culling->tasks, "acre find views", shares, find_views, call);
    }
    for (size_t i = 0; i < call->count; i++) {
        call->sets[i]->is_in_many = false;
    }
    return shares > 1;
}

// The first view that is to be found with the horizon of one before it: which came first would
// count. @return count: there is none.
static size_t find_shared_horizon(const acre_view *views, acre_visible_set *const *sets,
                                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const acre_horizon *const horizon = sets[i] && sets[i]->is_frozen ? NULL : views[i].horizon;
        for (size_t k = 0; k < i && horizon; k++) {
            if (views[k].horizon == horizon && !(sets[k] && sets[k]->is_frozen)) {
                return i;
            }
        }
    }
    return count;
}

acre_result acre_culling_find_visible_many(const acre_culling *culling, const acre_view *views,
                                           acre_visible_set *const *sets, size_t count)
{
    if (!culling || (count > 0 && (!views || !sets))) {
        return ACRE_ANSWER(ACRE_ERROR_INVALID_ARGUMENT, "o[-[-n", culling, views, sets, count);
    }
    const size_t shared = find_shared_horizon(views, sets, count);
    if (shared < count) {
        return ACRE_ANSWER_RULE(ACRE_ERROR_INVALID_ARGUMENT, ACRE_REFUSED_SHARED, "ro[V[-n",
                                (size_t)1, shared, culling, views, sets, count);
    }
    many_views call = {.culling = culling, .views = views, .sets = sets, .count = count};
    // With checks no edit begins between two views; while one lasts each view answers
    // ACRE_ERROR_BUSY.
    const bool may_read = access_begin_read(&culling->access);
    const bool is_divided = may_read && find_in_shares(&call);
    acre_result first = ACRE_OK;
    size_t refused = 0, first_row = 0;
    for (size_t i = 0; i < count; i++) {
        acre_result result = is_divided ? sets[i]->many_result : ACRE_ERROR_OUT_OF_MEMORY;
        if (result == ACRE_ERROR_OUT_OF_MEMORY) {
            result = acre_visible_find(culling, &views[i], sets[i]);
        }
        first_row = result != ACRE_OK && refused++ == 0 ? i : first_row;
        culling_first_error(&first, result);
    }
    if (may_read) {
        access_end_read(&culling->access);
    }
    return ACRE_ANSWER_RULE(first, view_broken_rule(&views[first_row]), "ro[V[qn", refused,
                            first_row, culling, views, sets, count);
}
