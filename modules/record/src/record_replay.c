// SPDX-License-Identifier: MIT
// record_replay.c - repeats a recording's calls on a tree of its own and compares the outcomes.
#include "record_format.h"

#include "assert_internal.h"

#include <inttypes.h>
#include <stdio.h>

// ---- one call ----

// clang-format off
#define VALUE_NONE
#define VALUE_ITEM    , call->item
#define VALUE_LAYERS  , call->layers
#define VALUE_COUNT   , call->count
#define VALUE_ITEMS   , call->items
#define VALUE_ARRAY   , call->array
#define VALUE_BOXES   , call->boxes
#define VALUE_MASKS   , call->row_layers
#define VALUE_BOX     , call->boxes
#define VALUE_FRUSTUM , call->frustum
#define VALUE_QUERY   , call->query
#define VALUE_RULES   , call->rules
#define VALUE_OFFSET  , call->offset
// clang-format on

#define REPEAT_RESULT(function, ...) function(__VA_ARGS__)
#define REPEAT_NOTHING(function, ...) (function(__VA_ARGS__), ACRE_OK)
#define REPEAT_SHIFT(function, ...) function(__VA_ARGS__, NULL)
#define REPEAT_TOTAL(function, ...)                                                                \
    (found->total = function(__VA_ARGS__, found->rows, found->capacity), ACRE_OK)
#define REPEAT_ITEMS(function, ...)                                                                \
    function(__VA_ARGS__, found->rows, found->capacity, &found->total)
#define REPEAT_HITS REPEAT_ITEMS
#define REPEAT_PAIRS REPEAT_ITEMS

acre_result acre_record_repeat(acre_quadtree *tree, const acre_quadtree_call *call,
                               record_found *found)
{
    switch (call->kind) {
#define X(number, KIND, name, answer, a, b, c, d)                                                  \
    case ACRE_QUADTREE_CALL_##KIND:                                                                \
        return REPEAT_##answer(acre_quadtree_##name, tree VALUE_##a VALUE_##b VALUE_##c VALUE_##d);
        RECORD_OPERATIONS(X)
#undef X
    }
    return ACRE_ERROR_INVALID_ARGUMENT;
}

// ---- comparing ----

typedef struct replay {
    record_reader reader;
    acre_record_watch watch; // NULL: nobody watches
    void *watch_context;
    acre_quadtree *tree;
    COLUMN_OF(unsigned char) rows; // of what a call finds
    acre_record_report *report;
} replay;

// Gives a call room for so many of what it finds. @return false if memory is short.
static bool room_for_found(replay *run, record_answer answer, size_t count, record_found *found)
{
    const size_t size = answer == ANSWER_HITS    ? sizeof(acre_query_hit)
                        : answer == ANSWER_PAIRS ? sizeof(acre_pair)
                                                 : sizeof(uint32_t);
    ACRE_INVARIANT(count <= SIZE_MAX / size); // they are in the tree
    if (!COLUMN_RESERVE(run->reader.allocator, run->rows, count * size)) {
        return false;
    }
    *found = (record_found){.rows = count > 0 ? run->rows.data : NULL, .capacity = count};
    return true;
}

static acre_result differs(const replay *run, const char *what, uint64_t then, uint64_t now)
{
    const uint32_t kind = (uint32_t)run->reader.now.call.kind;
    snprintf(run->report->message, sizeof run->report->message,
             "byte %zu, call %zu: %s: %s: recorded %" PRIu64 ", now %" PRIu64, run->report->offset,
             run->report->calls, acre_record_operation(kind)->name, what, then, now);
    return ACRE_ERROR_DIFFERS;
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

// The room that a call gets at first. Most are asked for their number alone, so that the room for
// what they find depends on the tree and not on what a broken file says. A tree has no more hits
// than items, whatever capacity the file names.
static size_t first_capacity(const replay *run, record_answer answer)
{
    const size_t capacity = run->reader.now.call.capacity;
    if (answer != ANSWER_HITS) {
        return 0;
    }
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(run->tree, &stats);
    return capacity < stats.items ? capacity : stats.items;
}

// Compares the set of what a call found.
static acre_result compare_set(replay *run, record_answer answer, const acre_quadtree_call *call,
                               record_found *found)
{
    const size_t total = found->total;
    if (answer != ANSWER_HITS) {
        if (!room_for_found(run, answer, total, found)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        const acre_result result = acre_record_repeat(run->tree, call, found);
        if (result != run->reader.now.call.result) {
            return result; // memory was short
        }
    }
    ACRE_INVARIANT(found->total == total); // the tree has not changed
    const uint64_t hash = acre_record_found_hash(answer, found->rows, total, found->capacity);
    return hash == run->reader.now.set_hash
               ? ACRE_OK
               : differs(run, answer == ANSWER_PAIRS ? "set of pairs" : "set of items",
                         run->reader.now.set_hash, hash);
}

static acre_result compare_call(replay *run)
{
    const acre_quadtree_call *const then = &run->reader.now.call;
    const record_answer answer = acre_record_operation((uint32_t)then->kind)->answer;
    if (then->result == ACRE_ERROR_OUT_OF_MEMORY) {
        return ACRE_OK; // it left the tree as it was
    }
    acre_quadtree_call call = *then;
    acre_query query = {.layers = 0};
    if (call.query) {
        query = *call.query;
        query.flags &= ~(uint32_t)ACRE_QUERY_STOP_WHEN_FULL; // where it stopped is not compared
        call.query = &query;
    }
    record_found found;
    if (!room_for_found(run, answer, first_capacity(run, answer), &found)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const acre_result now = acre_record_repeat(run->tree, &call, &found);
    if (now != then->result) {
        return now == ACRE_ERROR_OUT_OF_MEMORY
                   ? now
                   : differs(run, "result", (uint64_t)then->result, (uint64_t)now);
    }
    const size_t expected = expected_total(then, found.total);
    if (expected != then->total) {
        return differs(run, "found", then->total, expected);
    }
    const bool has_set = answer >= ANSWER_TOTAL && expected == found.total &&
                         then->capacity >= found.total && run->reader.now.set_hash != 0;
    return has_set ? compare_set(run, answer, &call, &found) : ACRE_OK;
}

// Repeats as many calls as there are, or as the watch allows.
static acre_result replay_calls(replay *run)
{
    record_reader *const reader = &run->reader;
    acre_record_report *const report = run->report;
    report->offset = reader->offset;
    while ((!run->watch || run->watch(run->watch_context, report)) && acre_record_next(reader)) {
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

// Checks the tree as a whole after the last call, which is that of the recording unless the watch
// ended it.
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
    COLUMN_FREE(allocator, run->rows);
    acre_record_close(&run->reader);
    return result;
}

acre_result acre_record_replay_watched(const void *bytes, size_t size,
                                       const acre_allocator *allocator, acre_record_watch watch,
                                       void *context, acre_record_report *report,
                                       acre_quadtree **tree)
{
    if (report) {
        *report = (acre_record_report){.calls = 0};
    }
    if (tree) {
        *tree = NULL;
    }
    if (!bytes || !report) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    replay run = {.report = report, .watch = watch, .watch_context = context};
    const acre_result result = replay_recording(&run, bytes, size, allocator);
    if (tree) {
        *tree = run.tree;
    } else {
        acre_quadtree_destroy(run.tree);
    }
    return result;
}

acre_result acre_record_replay(const void *bytes, size_t size, const acre_allocator *allocator,
                               acre_record_report *report)
{
    return acre_record_replay_watched(bytes, size, allocator, NULL, NULL, report, NULL);
}
