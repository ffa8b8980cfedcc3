// SPDX-License-Identifier: MIT
// view_many.c - the slots of many views: one after the other, or in shares where there are tasks.
#include "view_find_internal.h"

#include "tasks_internal.h"

// A share of less is not worth a fork and a join. A slot takes about a nanosecond.
#define SHARE_SLOTS 20000

typedef struct many_lists {
    block_claim claim; // a block is a view
    const acre_culling *culling;
    const acre_view *views;
    acre_view_list *lists;
} many_lists;

static void fill_lists(void *context, uint32_t share)
{
    (void)share;
    many_lists *const call = context;
    for (uint32_t i; claim_block(&call->claim, &i);) {
        acre_view_list *const list = &call->lists[i];
        list->result = acre_view_query_undivided(call->culling, &call->views[i], list->slots,
                                                 list->capacity, &list->total);
    }
}

// In how many shares to find views; 1: one after the other.
static uint32_t shares_of_lists(const acre_culling *culling, const acre_view_list *lists,
                                size_t count)
{
    uint64_t work = 0;
    if (count < 2 || count > UINT32_MAX || culling->tasks.worker_count < 2 ||
        acre_culling_has_listener(culling)) {
        return 1;
    }
    const uint64_t items = (uint64_t)culling->tree_counts[0] + culling->tree_counts[1];
    for (size_t i = 0; i < count; i++) {
        work += lists[i].expected ? lists[i].expected : items / 8;
    }
    const uint32_t shares = share_count_for(&culling->tasks, work, SHARE_SLOTS);
    return shares < count ? shares : (uint32_t)count;
}

acre_result acre_culling_query_views(const acre_culling *culling, const acre_view *views,
                                     acre_view_list *lists, size_t count)
{
    if (!culling || (count > 0 && (!views || !lists))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    // With checks no edit begins between two views; while one lasts each view answers
    // ACRE_ERROR_BUSY.
    const bool may_read = access_begin_read(&culling->access);
    const uint32_t shares = may_read ? shares_of_lists(culling, lists, count) : 1;
    acre_result first = ACRE_OK;
    if (shares > 1) {
        many_lists call = {
            .claim.count = (uint32_t)count, .culling = culling, .views = views, .lists = lists};
        acre_run_shares(&culling->tasks, "acre query views", shares, fill_lists, &call);
    }
    for (size_t i = 0; i < count; i++) {
        if (shares < 2) {
            lists[i].result = acre_culling_query_view(culling, &views[i], lists[i].slots,
                                                      lists[i].capacity, &lists[i].total);
        }
        culling_first_error(&first, lists[i].result);
    }
    if (may_read) {
        access_end_read(&culling->access);
    }
    return first;
}
