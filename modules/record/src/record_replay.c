// SPDX-License-Identifier: MIT
// record_replay.c - repeats a recording's calls on a tree of its own and compares the outcomes.
#include "record_format.h"

#include "assert_internal.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct replay {
    record_reader reader;
    size_t call_limit;
    acre_record_watch watch; // NULL: nobody watches
    void *watch_context;
    acre_quadtree *tree;
    uint32_t *found;
    size_t room; // of found
    acre_query_hit *hits;
    size_t hit_room;
    acre_pair *pairs;
    size_t pair_room;
    acre_record_report *report;
} replay;

// Makes an array grow to count elements of a size, if it is smaller.
static bool need_room(const replay *run, void **array, size_t *room, size_t count, size_t size)
{
    ACRE_INVARIANT((*array == NULL) == (*room == 0));
    if (count <= *room) {
        return true;
    }
    void *const grown = acre_resize(run->reader.allocator, *array, *room * size, count * size, 4);
    if (grown) {
        *array = grown;
        *room = count;
    }
    return grown != NULL;
}

static bool room_for_found(replay *run, size_t total)
{
    void *array = run->found;
    const bool is_there = need_room(run, &array, &run->room, total, sizeof *run->found);
    run->found = array;
    return is_there;
}

static bool room_for_hits(replay *run, size_t total)
{
    void *array = run->hits;
    const bool is_there = need_room(run, &array, &run->hit_room, total, sizeof *run->hits);
    run->hits = array;
    return is_there;
}

static bool room_for_pairs(replay *run, size_t total)
{
    void *array = run->pairs;
    const bool is_there = need_room(run, &array, &run->pair_room, total, sizeof *run->pairs);
    run->pairs = array;
    return is_there;
}

static acre_result repeat_edit(acre_quadtree *tree, const acre_quadtree_call *call)
{
    switch (call->kind) {
    case ACRE_QUADTREE_CALL_INSERT:
        return acre_quadtree_insert(tree, call->item, call->boxes);
    case ACRE_QUADTREE_CALL_REFRESH:
        return acre_quadtree_refresh(tree, call->item, call->boxes);
    case ACRE_QUADTREE_CALL_REFRESH_MANY:
        return acre_quadtree_refresh_many(tree, call->items, call->boxes, call->count);
    case ACRE_QUADTREE_CALL_REFRESH_ALL:
        return acre_quadtree_refresh_all(tree, call->boxes, call->count);
    case ACRE_QUADTREE_CALL_REFRESH_MANY_FROM:
        return acre_quadtree_refresh_many_from(tree, call->items, call->array, call->count);
    case ACRE_QUADTREE_CALL_REFRESH_ALL_FROM:
        return acre_quadtree_refresh_all_from(tree, call->array, call->count);
    case ACRE_QUADTREE_CALL_INSERT_MANY:
        return acre_quadtree_insert_many(tree, call->items, call->boxes, call->count);
    case ACRE_QUADTREE_CALL_INSERT_MANY_FROM:
        return acre_quadtree_insert_many_from(tree, call->items, call->array, call->count);
    case ACRE_QUADTREE_CALL_REMOVE_MANY:
        return acre_quadtree_remove_many(tree, call->items, call->count);
    case ACRE_QUADTREE_CALL_OPTIMIZE:
        return acre_quadtree_optimize(tree);
    case ACRE_QUADTREE_CALL_MAINTAIN_BUDGET:
        return acre_quadtree_maintain_budget(tree, call->count);
    case ACRE_QUADTREE_CALL_REMOVE:
        return acre_quadtree_remove(tree, call->item);
    case ACRE_QUADTREE_CALL_CLEAR:
        acre_quadtree_clear(tree);
        return ACRE_OK;
    case ACRE_QUADTREE_CALL_MAINTAIN:
        return acre_quadtree_maintain(tree);
    case ACRE_QUADTREE_CALL_TIGHTEN:
        return acre_quadtree_tighten(tree);
    case ACRE_QUADTREE_CALL_RESERVE:
        return acre_quadtree_reserve(tree, call->count);
    case ACRE_QUADTREE_CALL_TRIM:
        return acre_quadtree_trim(tree);
    case ACRE_QUADTREE_CALL_SET_LAYERS:
        return acre_quadtree_set_layers(tree, call->item, call->layers);
    default:
        return ACRE_ERROR_FORMAT;
    }
}

static acre_result repeat_query(const replay *run, size_t capacity, size_t *total)
{
    const acre_quadtree_call *const call = &run->reader.call;
    ACRE_ASSERT(capacity <= run->room);
    uint32_t *const found = capacity > 0 ? run->found : NULL;
    if (call->kind == ACRE_QUADTREE_CALL_QUERY) {
        acre_query query = *call->query;
        query.flags &= ~(uint32_t)ACRE_QUERY_STOP_WHEN_FULL; // where it stopped is not compared
        return acre_quadtree_query(run->tree, &query, found, capacity, total);
    }
    if (call->kind == ACRE_QUADTREE_CALL_ITEM_PAIRS) {
        return acre_quadtree_item_pairs(run->tree, call->item, call->rules, found, capacity, total);
    }
    *total = call->kind == ACRE_QUADTREE_CALL_QUERY_AABB
                 ? acre_quadtree_query_aabb(run->tree, call->boxes, found, capacity)
                 : acre_quadtree_query_frustum(run->tree, call->frustum, found, capacity);
    return ACRE_OK;
}

static acre_result differs(const replay *run, const char *what, uint64_t then, uint64_t now)
{
    snprintf(run->report->message, sizeof run->report->message,
             "byte %zu, call %zu: %s: %s: recorded %" PRIu64 ", now %" PRIu64, run->report->offset,
             run->report->calls, acre_record_call_name((uint32_t)run->reader.call.kind), what, then,
             now);
    return ACRE_ERROR_DIFFERS;
}

static acre_result compare_edit(const replay *run)
{
    const acre_quadtree_call *const then = &run->reader.call;
    const acre_result now = repeat_edit(run->tree, then);
    return now == ACRE_ERROR_OUT_OF_MEMORY || now == then->result
               ? (now == then->result ? ACRE_OK : now)
               : differs(run, "result", (uint64_t)then->result, (uint64_t)now);
}

// How many items the recorded query should have found, if it finds `total` when asked to the end.
static size_t expected_total(const acre_quadtree_call *then, size_t total)
{
    const bool is_query = then->kind == ACRE_QUADTREE_CALL_QUERY;
    if (is_query && then->total == SIZE_MAX) {
        return SIZE_MAX; // it was stopped; how many there were is not recorded
    }
    return is_query && (then->query->flags & ACRE_QUERY_STOP_WHEN_FULL) && total > then->capacity
               ? then->capacity
               : total;
}

static acre_result compare_set(const replay *run, uint64_t set_hash)
{
    return set_hash == run->reader.set_hash
               ? ACRE_OK
               : differs(run, "set of items", run->reader.set_hash, set_hash);
}

// Asks for the number first, so that the size of the array depends on the tree and not on what a
// broken file says.
static acre_result compare_query(replay *run)
{
    const acre_quadtree_call *const then = &run->reader.call;
    size_t total = 0;
    const acre_result now = repeat_query(run, 0, &total);
    if (now != then->result) {
        return differs(run, "result", (uint64_t)then->result, (uint64_t)now);
    }
    const size_t expected = expected_total(then, total);
    if (expected != then->total) {
        return differs(run, "found", then->total, expected);
    }
    if (expected != total || then->capacity < total || run->reader.set_hash == 0) {
        return ACRE_OK;
    }
    if (!room_for_found(run, total)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const acre_result again = repeat_query(run, run->room, &total);
    if (again != now) {
        return again; // memory was short
    }
    ACRE_INVARIANT(total <= run->room); // the tree has not changed
    return compare_set(run, acre_record_set_hash(run->found, total, run->room));
}

// The same as compare_query for all pairs of the tree.
static acre_result compare_pairs(replay *run)
{
    const acre_quadtree_call *const then = &run->reader.call;
    size_t total = 0;
    const acre_result now = acre_quadtree_pairs(run->tree, then->rules, NULL, 0, &total);
    if (now != then->result) {
        return differs(run, "result", (uint64_t)then->result, (uint64_t)now);
    }
    if (total != then->total) {
        return differs(run, "found", then->total, total);
    }
    if (then->capacity < total || run->reader.set_hash == 0) {
        return ACRE_OK;
    }
    if (!room_for_pairs(run, total)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_pair *const pairs = total > 0 ? run->pairs : NULL;
    const acre_result again = acre_quadtree_pairs(run->tree, then->rules, pairs, total, &total);
    const uint64_t hash = acre_record_pair_hash(pairs, total, total);
    return again != ACRE_OK || hash == run->reader.set_hash
               ? again
               : differs(run, "set of pairs", run->reader.set_hash, hash);
}

// A tree has no more hits than items, whatever capacity a broken file names.
static acre_result compare_nearest(replay *run)
{
    const acre_quadtree_call *const then = &run->reader.call;
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(run->tree, &stats);
    const size_t capacity = then->capacity < stats.items ? then->capacity : stats.items;
    if (!room_for_hits(run, capacity)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    size_t count = 0;
    const acre_result now =
        acre_quadtree_query_nearest(run->tree, then->query, run->hits, capacity, &count);
    if (now != then->result) {
        return differs(run, "result", (uint64_t)then->result, (uint64_t)now);
    }
    ACRE_INVARIANT(count <= capacity);
    if (count != then->total) {
        return differs(run, "found", then->total, count);
    }
    return compare_set(run, acre_record_hit_hash(run->hits, count, capacity));
}

static acre_result compare_call(replay *run)
{
    const acre_quadtree_call *const then = &run->reader.call;
    if (then->result == ACRE_ERROR_OUT_OF_MEMORY) {
        return ACRE_OK; // it left the tree as it was
    }
    if (then->kind == ACRE_QUADTREE_CALL_QUERY_NEAREST) {
        return compare_nearest(run);
    }
    if (then->kind == ACRE_QUADTREE_CALL_PAIRS) {
        return compare_pairs(run);
    }
    return acre_record_call_args((uint32_t)then->kind) & ARG_CAPACITY ? compare_query(run)
                                                                      : compare_edit(run);
}

// Whether the replay is to go on with another call.
static bool may_go_on(const replay *run)
{
    return run->report->calls < run->call_limit &&
           (!run->watch || run->watch(run->watch_context, run->report));
}

// Repeats as many calls as there are, or as the limit and the watch allow.
static acre_result replay_calls(replay *run)
{
    record_reader *const reader = &run->reader;
    acre_record_report *const report = run->report;
    report->offset = reader->offset;
    while (may_go_on(run) && acre_record_next(reader)) {
        ACRE_INVARIANT(report->offset < reader->offset);
        const acre_result result = compare_call(run);
        if (result != ACRE_OK) {
            return result;
        }
        report->calls++;
        report->offset = reader->offset;
    }
    if (reader->result == ACRE_ERROR_FORMAT) {
        snprintf(report->message, sizeof report->message, "byte %zu, call %zu: not a whole call",
                 report->offset, report->calls);
    }
    return reader->result;
}

// Checks the tree as a whole after the last call, which is that of the recording or of the limit.
static acre_result check_end(const replay *run)
{
    acre_record_report *const report = run->report;
    ACRE_ASSERT(run->reader.result == ACRE_OK && run->tree != NULL);
    char rule[96];
    report->state_hash = acre_quadtree_state_hash(run->tree);
    report->content_hash = acre_quadtree_content_hash(run->tree);
    if (acre_quadtree_validate(run->tree, rule, sizeof rule) != ACRE_OK) {
        snprintf(report->message, sizeof report->message, "after call %zu: %s", report->calls,
                 rule);
        return ACRE_ERROR_DIFFERS;
    }
    if (run->reader.has_content_hash && report->content_hash != run->reader.content_hash) {
        snprintf(report->message, sizeof report->message,
                 "after call %zu: the tree's content differs from the recorded one's",
                 report->calls);
        return ACRE_ERROR_DIFFERS;
    }
    return ACRE_OK;
}

static void say_no_recording(const replay *run)
{
    const record_reader *const reader = &run->reader;
    acre_record_report *const report = run->report;
    if (reader->version > RECORD_VERSION && reader->offset == 7) {
        snprintf(report->message, sizeof report->message,
                 "byte 7: version %" PRIu32 " of a recording; this library reads %d to %d",
                 reader->version, RECORD_FIRST_VERSION, RECORD_VERSION);
        return;
    }
    snprintf(report->message, sizeof report->message, "byte %zu: not a recording of a tree",
             reader->offset);
}

// Repeats the calls on run->tree, which is left for the caller to destroy.
static acre_result replay_recording(replay *run, const void *bytes, size_t size,
                                    const acre_allocator *allocator)
{
    ACRE_ASSERT(run->tree == NULL);
    acre_quadtree_def def;
    if (!acre_record_open(&run->reader, bytes, size, allocator, &def)) {
        say_no_recording(run);
        return ACRE_ERROR_FORMAT;
    }
    def.allocator = allocator;
    acre_result result = acre_quadtree_create(&def, &run->tree);
    if (result == ACRE_ERROR_INVALID_ARGUMENT) {
        snprintf(run->report->message, sizeof run->report->message,
                 "byte 8: a def that no tree has");
        return ACRE_ERROR_FORMAT;
    }
    if (result == ACRE_OK) {
        result = replay_calls(run);
    }
    if (result == ACRE_OK) {
        result = check_end(run);
    }
    if (run->found) {
        acre_resize(allocator, run->found, run->room * sizeof *run->found, 0, 4);
    }
    if (run->hits) {
        acre_resize(allocator, run->hits, run->hit_room * sizeof *run->hits, 0, 4);
    }
    if (run->pairs) {
        acre_resize(allocator, run->pairs, run->pair_room * sizeof *run->pairs, 0, 4);
    }
    acre_record_close(&run->reader);
    return result;
}

// The three replays are one, with a limit or with a watch.
static acre_result replay_into(replay *run, const void *bytes, size_t size,
                               const acre_allocator *allocator, acre_quadtree **tree)
{
    if (run->report) {
        *run->report = (acre_record_report){.calls = 0};
    }
    if (tree) {
        *tree = NULL;
    }
    if (!bytes || !run->report) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_result result = replay_recording(run, bytes, size, allocator);
    if (tree) {
        *tree = run->tree;
    } else {
        acre_quadtree_destroy(run->tree);
    }
    return result;
}

acre_result acre_record_replay_part(const void *bytes, size_t size, const acre_allocator *allocator,
                                    size_t call_limit, acre_record_report *report,
                                    acre_quadtree **tree)
{
    replay run = {.report = report, .call_limit = call_limit};
    return replay_into(&run, bytes, size, allocator, tree);
}

acre_result acre_record_replay_watched(const void *bytes, size_t size,
                                       const acre_allocator *allocator, acre_record_watch watch,
                                       void *context, acre_record_report *report,
                                       acre_quadtree **tree)
{
    replay run = {
        .report = report, .call_limit = SIZE_MAX, .watch = watch, .watch_context = context};
    return replay_into(&run, bytes, size, allocator, tree);
}

acre_result acre_record_replay(const void *bytes, size_t size, const acre_allocator *allocator,
                               acre_record_report *report)
{
    return acre_record_replay_part(bytes, size, allocator, SIZE_MAX, report, NULL);
}
