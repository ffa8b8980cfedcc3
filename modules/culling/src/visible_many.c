// SPDX-License-Identifier: MIT
// visible_many.c - finds several views: one after the other, or in shares where there are tasks.
#include "visible_set_internal.h"

#include <acre/quadtree_calls.h>

#include "tasks_internal.h"

// A share of less is not worth a fork and a join. Boxes tested and slots found take about a
// nanosecond each.
#define SHARE_LEAST 20000

// The views of a call of at most so many begin in descending order of work: a large one that began
// last would leave the other workers idle.
#define MOST_ORDERED 64
_Static_assert(MOST_ORDERED <= 256, "an index in order is a byte");

acre_result acre_culling_set_tasks(acre_culling *culling, const acre_tasks *tasks)
{
    if (!culling || !acre_tasks_are_valid(tasks)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK; i++) {
        if (culling->trees[i]) {
            result = acre_quadtree_set_tasks(culling->trees[i], tasks);
        }
    }
    if (result == ACRE_OK) {
        culling->tasks = tasks ? *tasks : (acre_tasks){.worker_count = 1};
    }
    access_end_write(&culling->access);
    return result;
}

typedef struct many_views {
    block_claim claim; // a block is a view
    uint8_t order[MOST_ORDERED];
    const acre_culling *culling;
    const acre_view *views;
    acre_visible_set *const *sets;
} many_views;

// Finds views into sets with the memory that they have: no task calls an allocator.
static void find_views(void *context, uint32_t share)
{
    (void)share;
    many_views *const call = context;
    for (uint32_t block; claim_block(&call->claim, &block);) {
        const uint32_t i = call->claim.count <= MOST_ORDERED ? call->order[block] : block;
        acre_visible_set *const set = call->sets[i];
        const acre_allocator own = set->allocator;
        set->allocator = acre_refusing_allocator;
        set->many_result = acre_culling_find_visible(call->culling, &call->views[i], set);
        set->allocator = own;
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

// Estimates the work of a view from that of its last finding; for a new set, an eighth of all
// items.
static uint64_t expected_work(const acre_culling *culling, const acre_visible_set *set)
{
    const uint64_t items = (uint64_t)culling->tree_counts[0] + culling->tree_counts[1];
    return set->has_view ? (uint64_t)set->count + set->tested : items / 8;
}

// Recorders must be called from one thread at a time.
bool acre_culling_has_listener(const acre_culling *culling)
{
    bool has = false;
    for (int i = 0; i < TREE_COUNT; i++) {
        has |= culling->trees[i] && acre_quadtree_has_listener(culling->trees[i]);
    }
    return has;
}

// In how many shares to find views; 1: one after the other.
static uint32_t shares_of_views(const acre_culling *culling, acre_visible_set *const *sets,
                                size_t count)
{
    uint64_t work = 0;
    if (acre_culling_has_listener(culling)) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (!sets[i]) {
            return 1;
        }
        work += expected_work(culling, sets[i]);
    }
    const uint32_t shares = share_count_for(&culling->tasks, work, SHARE_LEAST);
    return shares < count ? shares : (uint32_t)count;
}

// An insertion sort: there are few, in about the order of the frame before.
static void order_by_work(many_views *call)
{
    if (call->claim.count > MOST_ORDERED) {
        return; // they begin as they come
    }
    for (uint32_t i = 0; i < call->claim.count; i++) {
        const uint64_t work = expected_work(call->culling, call->sets[i]);
        uint32_t at = i;
        while (at > 0 && expected_work(call->culling, call->sets[call->order[at - 1]]) < work) {
            call->order[at] = call->order[at - 1];
            at--;
        }
        call->order[at] = (uint8_t)i;
    }
}

// Finds in shares what needs no memory. The sets are marked; many_result tells how each ended.
static void find_in_shares(many_views *call, uint32_t shares)
{
    order_by_work(call);
    acre_run_shares(&call->culling->tasks, "acre find views", shares, find_views, call);
}

acre_result acre_culling_find_visible_many(const acre_culling *culling, const acre_view *views,
                                           acre_visible_set *const *sets, size_t count)
{
    if (!culling || (count > 0 && (!views || !sets))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    // With checks no edit begins between two views; while one lasts each view answers
    // ACRE_ERROR_BUSY.
    const bool may_read = access_begin_read(&culling->access);
    const bool may_divide =
        may_read && count > 1 && count <= UINT32_MAX && culling->tasks.worker_count > 1;
    const uint32_t shares = may_divide ? shares_of_views(culling, sets, count) : 1;
    const bool is_divided = shares > 1 && mark_sets(sets, count);
    if (is_divided) {
        many_views call = {
            .claim.count = (uint32_t)count, .culling = culling, .views = views, .sets = sets};
        find_in_shares(&call, shares);
    }
    acre_result first = ACRE_OK;
    for (size_t i = 0; i < count; i++) {
        acre_result result = is_divided ? sets[i]->many_result : ACRE_ERROR_OUT_OF_MEMORY;
        if (is_divided) {
            sets[i]->is_in_many = false;
        }
        if (result == ACRE_ERROR_OUT_OF_MEMORY) {
            result = acre_culling_find_visible(culling, &views[i], sets[i]);
        }
        culling_first_error(&first, result);
    }
    if (may_read) {
        access_end_read(&culling->access);
    }
    return first;
}
