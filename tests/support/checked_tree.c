// SPDX-License-Identifier: MIT
// checked_tree.c - a quadtree whose every call is checked against brute force.
#include "checked_tree.h"

#include "record_format.h"

#include <acre/quadtree_inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 0xfeedbeefu // stands behind the room that a query is given

acre_result checked_tree_init(checked_tree *checked, const acre_quadtree_def *def)
{
    *checked = (checked_tree){.item_capacity = def->item_capacity};
    const acre_result result = acre_quadtree_create(def, &checked->tree);
    if (result != ACRE_OK) {
        return result;
    }
    const size_t room = (size_t)def->item_capacity + 1;
    checked->found = calloc(room, sizeof *checked->found);
    checked->expected = calloc(room, sizeof *checked->expected);
    checked->part = calloc(room, sizeof *checked->part);
    checked->spans = calloc(room, sizeof *checked->spans);
    checked->hits = calloc(room, sizeof *checked->hits);
    checked->expected_hits = calloc(room, sizeof *checked->expected_hits);
    if (!checked->found || !checked->expected || !checked->part || !checked->spans ||
        !checked->hits || !checked->expected_hits ||
        !brute_force_init(&checked->oracle, def->item_capacity)) {
        checked_tree_free(checked);
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    return ACRE_OK;
}

void checked_tree_free(checked_tree *checked)
{
    acre_quadtree_destroy(checked->tree);
    brute_force_free(&checked->oracle);
    free(checked->found);
    free(checked->expected);
    free(checked->part);
    free(checked->spans);
    free(checked->hits);
    free(checked->expected_hits);
    *checked = (checked_tree){0};
}

static bool is_present(const checked_tree *checked, uint32_t item)
{
    return item < checked->item_capacity && checked->oracle.present[item];
}

// ---- edits ----

// Where several things are wrong at once, the header does not say which answer comes first.
static bool is_allowed(const checked_tree *checked, const acre_quadtree_call *call,
                       acre_result expected, acre_result result)
{
    if (result == expected) {
        return true;
    }
    const bool was_absent = !is_present(checked, call->item);
    return expected != ACRE_OK &&
           (result == ACRE_ERROR_INVALID_ARGUMENT ? !acre_aabb_is_valid(call->boxes)
            : result == ACRE_ERROR_CAPACITY       ? call->item >= checked->item_capacity
            : result == ACRE_ERROR_EXISTS         ? !was_absent
            : result == ACRE_ERROR_NOT_FOUND      ? was_absent
                                                  : false);
}

static const char *call_item(checked_tree *checked, const acre_quadtree_call *call)
{
    const bool inserts = call->kind == ACRE_QUADTREE_CALL_INSERT;
    const uint64_t hash = acre_quadtree_state_hash(checked->tree);
    const acre_result result = inserts
                                   ? acre_quadtree_insert(checked->tree, call->item, call->boxes)
                                   : acre_quadtree_refresh(checked->tree, call->item, call->boxes);
    const acre_result expected =
        inserts ? brute_force_insert(&checked->oracle, call->item, call->boxes)
                : brute_force_refresh(&checked->oracle, call->item, call->boxes);
    if (!is_allowed(checked, call, expected, result)) {
        return "insert or refresh answers what brute force does not";
    }
    return result == ACRE_OK || acre_quadtree_state_hash(checked->tree) == hash
               ? NULL
               : "a refused insert or refresh changed the tree";
}

static const char *check_report(const checked_tree *checked, const acre_quadtree_report *expected,
                                acre_result result)
{
    const acre_quadtree_report report = acre_quadtree_last_report(checked->tree);
    if (report.refused != expected->refused) {
        return "a batch's report counts wrongly";
    }
    if (expected->refused == 0) {
        return result == ACRE_OK ? NULL : "a batch without a bad row answers an error";
    }
    return report.first_row == expected->first_row && report.first_result == result &&
                   result != ACRE_OK
               ? NULL
               : "a batch's report names a wrong row";
}

static const char *call_refresh_many(checked_tree *checked, const acre_quadtree_call *call)
{
    acre_quadtree_report expected = {.refused = 0};
    for (size_t i = 0; i < call->count; i++) {
        const acre_result row =
            brute_force_refresh(&checked->oracle, call->items[i], &call->boxes[i]);
        if (row != ACRE_OK && expected.refused++ == 0) {
            expected.first_row = i;
        }
    }
    const acre_result result =
        acre_quadtree_refresh_many(checked->tree, call->items, call->boxes, call->count);
    return check_report(checked, &expected, result);
}

static acre_aabb array_box(const acre_box_array *array, size_t row)
{
    acre_aabb box;
    memcpy(box.min, (const char *)array->first + row * array->first_stride, sizeof box.min);
    memcpy(box.max, (const char *)array->second + row * array->second_stride, sizeof box.max);
    for (int i = 0; i < 3 && array->form == ACRE_BOX_FORM_CENTER_EXTENT; i++) {
        const float middle = box.min[i], half = box.max[i];
        box.min[i] = half >= 0.0f ? middle - half : NAN;
        box.max[i] = middle + half;
    }
    return box;
}

static const char *call_refresh_from(checked_tree *checked, const acre_quadtree_call *call)
{
    const bool is_pull = call->kind == ACRE_QUADTREE_CALL_REFRESH_ALL_FROM;
    acre_quadtree_report expected = {.refused = 0};
    for (uint32_t i = 0; i < call->count; i++) {
        const uint32_t item = is_pull ? i : call->items[i];
        const acre_aabb box = array_box(call->array, i);
        if ((!is_pull || is_present(checked, item)) &&
            brute_force_refresh(&checked->oracle, item, &box) != ACRE_OK &&
            expected.refused++ == 0) {
            expected.first_row = i;
        }
    }
    const acre_result result =
        is_pull
            ? acre_quadtree_refresh_all_from(checked->tree, call->array, call->count)
            : acre_quadtree_refresh_many_from(checked->tree, call->items, call->array, call->count);
    return check_report(checked, &expected, result);
}

static const char *call_insert_many(checked_tree *checked, const acre_quadtree_call *call)
{
    const bool is_array = call->kind == ACRE_QUADTREE_CALL_INSERT_MANY_FROM;
    acre_quadtree_report expected = {.refused = 0};
    for (size_t i = 0; i < call->count; i++) {
        const acre_aabb box = is_array ? array_box(call->array, i) : call->boxes[i];
        const acre_result row = brute_force_insert(&checked->oracle, call->items[i], &box);
        if (row != ACRE_OK && expected.refused++ == 0) {
            expected.first_row = i;
        }
        if (row == ACRE_OK && call->row_layers) {
            ACRE_IGNORE(
                brute_force_set_layers(&checked->oracle, call->items[i], call->row_layers[i]));
        }
    }
    const acre_result result = acre_record_repeat(checked->tree, call, NULL);
    return check_report(checked, &expected, result);
}

static const char *call_set_layers_many(checked_tree *checked, const acre_quadtree_call *call)
{
    acre_quadtree_report expected = {.refused = 0};
    for (size_t i = 0; i < call->count; i++) {
        const acre_result row =
            brute_force_set_layers(&checked->oracle, call->items[i], call->row_layers[i]);
        if (row != ACRE_OK && expected.refused++ == 0) {
            expected.first_row = i;
        }
    }
    const acre_result result =
        acre_quadtree_set_layers_many(checked->tree, call->items, call->row_layers, call->count);
    return check_report(checked, &expected, result);
}

static const char *call_remove_many(checked_tree *checked, const acre_quadtree_call *call)
{
    acre_quadtree_report expected = {.refused = 0};
    for (size_t i = 0; i < call->count; i++) {
        const acre_result row = brute_force_remove(&checked->oracle, call->items[i]);
        if (row != ACRE_OK && expected.refused++ == 0) {
            expected.first_row = i;
        }
    }
    const acre_result result = acre_quadtree_remove_many(checked->tree, call->items, call->count);
    return check_report(checked, &expected, result);
}

static const char *call_refresh_all(checked_tree *checked, const acre_quadtree_call *call)
{
    acre_quadtree_report expected = {.refused = 0};
    for (uint32_t i = 0; i < call->count && i < checked->item_capacity; i++) {
        if (is_present(checked, i) &&
            brute_force_refresh(&checked->oracle, i, &call->boxes[i]) != ACRE_OK &&
            expected.refused++ == 0) {
            expected.first_row = i;
        }
    }
    const acre_result result = acre_quadtree_refresh_all(checked->tree, call->boxes, call->count);
    return check_report(checked, &expected, result);
}

static const char *call_remove(checked_tree *checked, const acre_quadtree_call *call)
{
    const uint64_t hash = acre_quadtree_state_hash(checked->tree);
    const acre_result result = acre_quadtree_remove(checked->tree, call->item);
    if (result != brute_force_remove(&checked->oracle, call->item)) {
        return "remove answers what brute force does not";
    }
    return result == ACRE_OK || acre_quadtree_state_hash(checked->tree) == hash
               ? NULL
               : "a refused remove changed the tree";
}

static const char *call_set_layers(checked_tree *checked, const acre_quadtree_call *call)
{
    const uint64_t hash = acre_quadtree_state_hash(checked->tree);
    const acre_result result = acre_quadtree_set_layers(checked->tree, call->item, call->layers);
    if (result != brute_force_set_layers(&checked->oracle, call->item, call->layers)) {
        return "set_layers answers what brute force does not";
    }
    return result == ACRE_OK || acre_quadtree_state_hash(checked->tree) == hash
               ? NULL
               : "a refused set_layers changed the tree";
}

static const char *call_shift(checked_tree *checked, const acre_quadtree_call *call)
{
    const uint64_t hash = acre_quadtree_state_hash(checked->tree);
    const size_t count = call->boxes ? call->count : 0;
    bool is_good = true;
    for (uint32_t i = 0; i < count; i++) {
        is_good &= !is_present(checked, i) || acre_aabb_is_valid(&call->boxes[i]);
    }
    acre_shift_report report;
    const acre_result result =
        acre_quadtree_shift(checked->tree, call->offset, call->boxes, call->count, &report);
    if (result != ACRE_OK) { // the offset may be too large
        return acre_quadtree_state_hash(checked->tree) == hash ? NULL
                                                               : "a refused shift changed the tree";
    }
    const size_t rounded = brute_force_shift(&checked->oracle, call->offset, (uint32_t)count);
    for (uint32_t i = 0; is_good && i < count; i++) {
        if (is_present(checked, i)) {
            is_good &= brute_force_refresh(&checked->oracle, i, &call->boxes[i]) == ACRE_OK;
        }
    }
    return is_good && report.rounded == rounded ? NULL
                                                : "a shift takes a bad box, or counts wrongly";
}

static const char *call_upkeep(checked_tree *checked, const acre_quadtree_call *call)
{
    acre_quadtree *const tree = checked->tree;
    const uint64_t content = acre_quadtree_content_hash(tree);
    const bool is_too_much =
        call->kind == ACRE_QUADTREE_CALL_RESERVE && call->count > checked->item_capacity;
    const acre_result result = acre_record_repeat(tree, call, NULL);
    if (result != (is_too_much ? ACRE_ERROR_CAPACITY : ACRE_OK)) {
        return "upkeep answers wrongly";
    }
    return acre_quadtree_content_hash(tree) == content ? NULL : "upkeep changed the content";
}

// ---- queries ----

static size_t ask(const checked_tree *checked, const acre_quadtree_call *call, uint32_t *items,
                  size_t room, acre_result *result)
{
    *result = ACRE_OK;
    size_t total = 0;
    if (call->kind == ACRE_QUADTREE_CALL_QUERY_FRUSTUM) {
        return acre_quadtree_query_frustum(checked->tree, call->frustum, items, room);
    }
    if (call->kind == ACRE_QUADTREE_CALL_QUERY_AABB) {
        return acre_quadtree_query_aabb(checked->tree, call->boxes, items, room);
    }
    *result = acre_quadtree_query(checked->tree, call->query, items, room, &total);
    return total;
}

static bool is_refused(const acre_quadtree_call *call)
{
    return call->kind == ACRE_QUADTREE_CALL_QUERY &&
           (!is_valid_query(call->query) || call->query->max_distance != 0.0f);
}

static bool same_numbers(const uint32_t *a, const uint32_t *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

// The items that were found, ascending, against those of brute force.
static const char *check_set(const checked_tree *checked, const acre_quadtree_call *call,
                             const uint32_t *items, size_t count)
{
    const brute_force *const oracle = &checked->oracle;
    uint32_t *const expected = checked->expected;
    size_t wanted = 0;
    if (call->kind == ACRE_QUADTREE_CALL_QUERY) {
        return brute_force_agrees(oracle, call->query, items, count)
                   ? NULL
                   : "a query finds other items than brute force";
    }
    if (call->kind == ACRE_QUADTREE_CALL_QUERY_FRUSTUM) {
        wanted = brute_force_query_frustum(oracle, call->frustum, 0, expected);
    } else {
        wanted = brute_force_query_aabb(oracle, call->boxes, 0, expected);
    }
    if (count != wanted || !same_numbers(items, expected, count)) {
        return count < wanted ? "a query loses an item" : "a query finds other items";
    }
    return NULL;
}

// With less room the total and the order are the same, and nothing behind the room is written. A
// sorted query sorts only those that it wrote, one that stops counts only those.
static const char *check_small_room(checked_tree *checked, const acre_quadtree_call *call,
                                    size_t total)
{
    const size_t room = total ? call->capacity % (total + 1) : 0;
    const uint32_t flags = call->kind == ACRE_QUADTREE_CALL_QUERY ? call->query->flags : 0;
    acre_result result;
    checked->part[room] = GUARD;
    if (ask(checked, call, room ? checked->part : NULL, room, &result) !=
            (flags & ACRE_QUERY_STOP_WHEN_FULL ? room : total) ||
        result != ACRE_OK) {
        return "a query's total depends on its room";
    }
    if (checked->part[room] != GUARD) {
        return "a query writes behind its room";
    }
    return flags & (ACRE_QUERY_SORTED | ACRE_QUERY_STOP_WHEN_FULL) ||
                   same_numbers(checked->part, checked->found, room)
               ? NULL
               : "a query with little room writes others than the first";
}

// A span query answers the same items in the same order; found is what the plain one answered.
static const char *check_spans(checked_tree *checked, const acre_query *query, size_t found)
{
    const size_t room = checked->item_capacity;
    acre_span_totals totals = {0, 0, 0}, counted = {0, 0, 0};
    const acre_result result = acre_quadtree_query_spans(checked->tree, query, checked->spans, room,
                                                         checked->part, room, &totals);
    if (query->flags & (ACRE_QUERY_SORTED | ACRE_QUERY_STOP_WHEN_FULL)) {
        return result == ACRE_ERROR_INVALID_ARGUMENT ? NULL : "a span query's flag is not refused";
    }
    if (result != ACRE_OK || totals.items != found || totals.copied > found ||
        totals.spans > found) {
        return "a span query fails or its totals are wrong";
    }
    size_t next = 0;
    for (size_t i = 0; i < totals.spans; i++) {
        const acre_item_span *const span = &checked->spans[i];
        if (span->count == 0 || span->count > found - next ||
            !same_numbers(span->items, checked->found + next, span->count)) {
            return "a span query answers other items or another order";
        }
        next += span->count;
    }
    const acre_result again =
        acre_quadtree_query_spans(checked->tree, query, NULL, 0, NULL, 0, &counted);
    return next == found && again == ACRE_OK && counted.items == totals.items &&
                   counted.copied == totals.copied && counted.spans == totals.spans
               ? NULL
               : "a span query without room counts otherwise";
}

typedef struct visit_check {
    checked_tree *checked;
    size_t count, calls, most_calls;
    bool is_wrong;
} visit_check;

static bool take_portion(void *user, const uint32_t *items, size_t count)
{
    visit_check *const check = user;
    checked_tree *const checked = check->checked;
    check->is_wrong |= count == 0 || count > checked->item_capacity - check->count ||
                       check->calls == check->most_calls;
    if (!check->is_wrong) {
        memcpy(checked->part + check->count, items, count * sizeof *items);
        check->count += count;
        check->calls++;
    }
    return !check->is_wrong && check->calls < check->most_calls;
}

// A visitor gets the same items, in portions, until it wants no more.
static const char *check_visit(checked_tree *checked, const acre_quadtree_call *call, size_t found)
{
    const size_t most_calls = call->capacity & 1 ? SIZE_MAX : 1 + call->capacity % 8;
    visit_check check = {.checked = checked, .most_calls = most_calls};
    const acre_result result =
        acre_quadtree_query_visit(checked->tree, call->query, take_portion, &check);
    if (call->query->flags & (ACRE_QUERY_SORTED | ACRE_QUERY_STOP_WHEN_FULL)) {
        return result == ACRE_ERROR_INVALID_ARGUMENT ? NULL : "a visit's flag is not refused";
    }
    if (result != ACRE_OK || check.is_wrong) {
        return "a visit fails, or hands over too much";
    }
    sort_numbers(checked->part, check.count);
    if (check.calls < most_calls &&
        (check.count != found ||
         !brute_force_agrees(&checked->oracle, call->query, checked->part, check.count))) {
        return "a visit hands over others than the query finds";
    }
    return NULL;
}

// What a trace showed: the items that were found, and how many there are in all.
typedef struct trace_check {
    checked_tree *checked;
    size_t found, items;
    bool is_wrong;
} trace_check;

static bool take_step(void *user, const acre_trace_step *step)
{
    trace_check *const check = user;
    const bool is_item = step->part == ACRE_TRACE_ITEM;
    check->items += is_item;
    check->is_wrong |= check->items > check->checked->item_capacity;
    if (is_item && !check->is_wrong &&
        (step->state == ACRE_TRACE_INSIDE || step->state == ACRE_TRACE_KEPT)) {
        check->checked->part[check->found++] = step->item;
    }
    return !check->is_wrong;
}

// A trace shows every item once, and the same ones as found.
static const char *check_trace(checked_tree *checked, const acre_query *query, size_t found)
{
    trace_check check = {.checked = checked};
    const acre_result result = acre_quadtree_trace(checked->tree, query, take_step, &check);
    if (query->flags & (ACRE_QUERY_SORTED | ACRE_QUERY_STOP_WHEN_FULL)) {
        return result == ACRE_ERROR_INVALID_ARGUMENT ? NULL : "a trace's flag is not refused";
    }
    if (result != ACRE_OK || check.is_wrong || check.items != checked->oracle.count ||
        check.found != found) {
        return "a trace fails, or shows too much or too little";
    }
    sort_numbers(checked->part, check.found);
    return brute_force_agrees(&checked->oracle, query, checked->part, check.found)
               ? NULL
               : "a trace shows others than the query finds";
}

static bool is_sorted(const uint32_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (items[i - 1] >= items[i]) {
            return false;
        }
    }
    return true;
}

// What only the full form of a query can do.
static const char *check_forms(checked_tree *checked, const acre_quadtree_call *call, size_t found)
{
    if ((call->query->flags & ACRE_QUERY_SORTED) && !is_sorted(checked->found, found)) {
        return "a sorted query is not sorted";
    }
    const char *fault = check_spans(checked, call->query, found);
    fault = fault ? fault : check_visit(checked, call, found);
    return fault ? fault : check_trace(checked, call->query, found);
}

static const char *call_query(checked_tree *checked, const acre_quadtree_call *call)
{
    acre_result result;
    const uint64_t hash = acre_quadtree_state_hash(checked->tree);
    checked->found[checked->item_capacity] = GUARD;
    const size_t found = ask(checked, call, checked->found, checked->item_capacity, &result);
    if (is_refused(call)) {
        return result == ACRE_ERROR_INVALID_ARGUMENT ? NULL : "a bad query is not refused";
    }
    if (result != ACRE_OK || found > checked->oracle.count ||
        checked->found[checked->item_capacity] != GUARD) {
        return "a query fails or finds more than there is";
    }
    const char *fault = check_small_room(checked, call, found);
    if (!fault && call->kind == ACRE_QUADTREE_CALL_QUERY) {
        fault = check_forms(checked, call, found);
    }
    if (fault) {
        return fault;
    }
    sort_numbers(checked->found, found);
    fault = check_set(checked, call, checked->found, found);
    return fault || acre_quadtree_state_hash(checked->tree) == hash ? fault
                                                                    : "a query changed the tree";
}

static bool is_valid_nearest(const acre_query *query)
{
    return is_valid_query(query) &&
           !(query->flags & (ACRE_QUERY_SORTED | ACRE_QUERY_STOP_WHEN_FULL)) &&
           (query->origin ? acre_aabb_is_valid(query->origin)
                          : query->shape == ACRE_QUERY_SHAPE_RAY) &&
           query->max_distance >= 0.0f;
}

// The exact test is not asked: where it decides, brute force allows two answers.
static const char *call_nearest(checked_tree *checked, const acre_quadtree_call *call)
{
    acre_query query = *call->query;
    query.flags &= ~(uint32_t)ACRE_QUERY_EXACT;
    const size_t room = call->capacity % ((size_t)checked->item_capacity + 1);
    size_t count = SIZE_MAX;
    checked->hits[room].item = GUARD;
    const acre_result result = acre_quadtree_query_nearest(
        checked->tree, &query, room ? checked->hits : NULL, room, &count);
    if (!is_valid_nearest(&query)) {
        return result == ACRE_ERROR_INVALID_ARGUMENT ? NULL : "a bad nearest query is not refused";
    }
    const size_t wanted = brute_force_nearest(&checked->oracle, &query, checked->expected_hits,
                                              room ? room : checked->item_capacity);
    if (result != ACRE_OK || count != wanted || checked->hits[room].item != GUARD) {
        return "a nearest query fails, or finds too many or too few";
    }
    for (size_t i = 0; i < count && room > 0; i++) {
        const acre_query_hit *const hit = &checked->hits[i], *const other =
                                                                 &checked->expected_hits[i];
        if (hit->item != other->item || hit->distance != other->distance) {
            return "a nearest query finds others than brute force";
        }
    }
    return NULL;
}

// ---- all of it ----

static const char *check_state(const checked_tree *checked)
{
    static char message[200];
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(checked->tree, &stats);
    if (stats.items != checked->oracle.count) {
        return "the tree counts its items wrongly";
    }
    if (acre_quadtree_validate(checked->tree, message, sizeof message) != ACRE_OK) {
        return message;
    }
    for (uint32_t item = 0; item <= checked->item_capacity; item++) {
        acre_aabb box;
        const bool is_there = is_present(checked, item);
        if (acre_quadtree_contains(checked->tree, item) != is_there ||
            acre_quadtree_get_box(checked->tree, item, &box) !=
                (is_there ? ACRE_OK : ACRE_ERROR_NOT_FOUND) ||
            acre_quadtree_get_layers(checked->tree, item) !=
                (is_there ? checked->oracle.layers[item] : 0)) {
            return "an item is there and not there";
        }
        if (is_there && memcmp(&box, &checked->oracle.boxes[item], sizeof box) != 0) {
            return "an item has another box than it was given";
        }
    }
    return NULL;
}

// What the items answer one by one adds up to all pairs, twice.
static const char *call_pairs(checked_tree *checked, const acre_quadtree_call *call)
{
    const acre_quadtree *const tree = checked->tree;
    const uint64_t hash = acre_quadtree_state_hash(tree);
    const bool is_valid = !(call->rules->flags & ~3u);
    size_t total = 0, sum = 0;
    if (acre_quadtree_pairs(tree, call->rules, NULL, 0, &total) !=
        (is_valid ? ACRE_OK : ACRE_ERROR_INVALID_ARGUMENT)) {
        return "pairs fail, or bad rules are not refused";
    }
    for (uint32_t item = 0; is_valid && item < checked->item_capacity; item++) {
        size_t own = 0;
        const acre_result result =
            acre_quadtree_item_pairs(tree, item, call->rules, checked->found, 0, &own);
        if (result != (acre_quadtree_contains(tree, item) ? ACRE_OK : ACRE_ERROR_NOT_FOUND)) {
            return "pairs of an item fail, or those of one that is not there are found";
        }
        sum += own;
    }
    if (sum != 2 * total) {
        return "the pairs of all items are not all pairs twice";
    }
    return acre_quadtree_state_hash(tree) == hash ? NULL : "a search for pairs changed the tree";
}

static const char *make_call(checked_tree *checked, const acre_quadtree_call *call)
{
    switch (call->kind) {
    case ACRE_QUADTREE_CALL_INSERT:
    case ACRE_QUADTREE_CALL_REFRESH:
        return call_item(checked, call);
    case ACRE_QUADTREE_CALL_REFRESH_MANY:
        return call_refresh_many(checked, call);
    case ACRE_QUADTREE_CALL_REFRESH_ALL:
        return call_refresh_all(checked, call);
    case ACRE_QUADTREE_CALL_REFRESH_MANY_FROM:
    case ACRE_QUADTREE_CALL_REFRESH_ALL_FROM:
        return call_refresh_from(checked, call);
    case ACRE_QUADTREE_CALL_INSERT_MANY:
    case ACRE_QUADTREE_CALL_INSERT_MANY_FROM:
    case ACRE_QUADTREE_CALL_INSERT_MANY_IN_LAYERS:
        return call_insert_many(checked, call);
    case ACRE_QUADTREE_CALL_SET_LAYERS_MANY:
        return call_set_layers_many(checked, call);
    case ACRE_QUADTREE_CALL_SHIFT:
        return call_shift(checked, call);
    case ACRE_QUADTREE_CALL_REMOVE_MANY:
        return call_remove_many(checked, call);
    case ACRE_QUADTREE_CALL_REMOVE:
        return call_remove(checked, call);
    case ACRE_QUADTREE_CALL_CLEAR:
        acre_quadtree_clear(checked->tree);
        brute_force_clear(&checked->oracle);
        return NULL;
    case ACRE_QUADTREE_CALL_SET_LAYERS:
        return call_set_layers(checked, call);
    case ACRE_QUADTREE_CALL_QUERY_FRUSTUM:
    case ACRE_QUADTREE_CALL_QUERY_AABB:
    case ACRE_QUADTREE_CALL_QUERY:
        return call_query(checked, call);
    case ACRE_QUADTREE_CALL_QUERY_NEAREST:
        return call_nearest(checked, call);
    case ACRE_QUADTREE_CALL_PAIRS:
    case ACRE_QUADTREE_CALL_ITEM_PAIRS:
        return call_pairs(checked, call);
    default:
        return call_upkeep(checked, call);
    }
}

const char *checked_tree_call(checked_tree *checked, const acre_quadtree_call *call)
{
    const char *const fault = make_call(checked, call);
    const bool is_query = call->kind == ACRE_QUADTREE_CALL_QUERY_FRUSTUM ||
                          call->kind == ACRE_QUADTREE_CALL_QUERY_AABB ||
                          call->kind == ACRE_QUADTREE_CALL_QUERY ||
                          call->kind == ACRE_QUADTREE_CALL_QUERY_NEAREST;
    return fault || is_query ? fault : check_state(checked);
}
