// SPDX-License-Identifier: MIT
// quadtree_stream.c - random calls on a quadtree, each checked against both oracles.
#include "quadtree_stream.h"

#include "brute_force.h"
#include "textbook_quadtree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 0xfeedbeefu // stands behind the room that a query is given

typedef struct stream {
    const stream_def *def;
    stream_result *result;
    failing_allocator memory;
    acre_quadtree *tree;
    textbook_quadtree *twin;
    brute_force oracle;
    box_world world;
    acre_quadtree_stats created; // right after create
    uint32_t *found, *expected;  // room for all items and a guard
    uint32_t *rows;              // items of a batch
    acre_aabb *boxes;            // boxes of a batch
    FILE *print;                 // NULL: run; else print the calls, run the oracle only
} stream;

#define ROWS_OF(run) ((run)->def->items + 8)

static bool fail(stream *run, const char *text)
{
    if (run->result->message[0] == '\0') {
        snprintf(run->result->message, sizeof run->result->message, "%s", text);
    }
    return false;
}

static void digest(stream *run, uint64_t value)
{
    test_random mixer = {run->result->digest ^ value};
    run->result->digest = random_bits(&mixer);
}

// ---- printing: C that can be pasted into a test ----

static void print_float(FILE *out, float value)
{
    if (isnan(value)) {
        fputs("NAN", out);
    } else if (isinf(value)) {
        fputs(value < 0.0f ? "-INFINITY" : "INFINITY", out);
    } else {
        fprintf(out, "%af", (double)value);
    }
}

static void print_floats(FILE *out, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        fputs(i == 0 ? "{" : ", ", out);
        print_float(out, values[i]);
    }
    fputs("}", out);
}

static void print_box(FILE *out, const acre_aabb *box)
{
    fputs("{", out);
    print_floats(out, box->min, 3);
    fputs(", ", out);
    print_floats(out, box->max, 3);
    fputs("}", out);
}

static void print_frustum(FILE *out, const acre_frustum *frustum)
{
    fputs("        const acre_frustum frustum = {{", out);
    for (int i = 0; i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        fputs(i == 0 ? "" : ",\n            ", out);
        print_floats(out, frustum->planes[i], 4);
    }
    fprintf(out, "}, %uu};\n", frustum->plane_count);
}

static const char *result_name(acre_result result)
{
    static const char *const names[] = {"ACRE_OK",
                                        "ACRE_ERROR_INVALID_ARGUMENT",
                                        "ACRE_ERROR_OUT_OF_MEMORY",
                                        "ACRE_ERROR_CAPACITY",
                                        "ACRE_ERROR_STALE_HANDLE",
                                        "ACRE_ERROR_EXISTS",
                                        "ACRE_ERROR_NOT_FOUND"};
    return names[result];
}

static void print_item_call(stream *run, const char *name, uint32_t item, const acre_aabb *box,
                            acre_result expected)
{
    fprintf(run->print, "    CHECK(acre_quadtree_%s(tree, %u", name, item);
    if (box) {
        fputs(", &(acre_aabb)", run->print);
        print_box(run->print, box);
    }
    fprintf(run->print, ") == %s);\n", result_name(expected));
}

static void print_batch(stream *run, const char *name, size_t count, bool with_items,
                        bool with_boxes, acre_result expected)
{
    FILE *const out = run->print;
    fprintf(out, "    {\n");
    if (with_boxes) {
        fprintf(out, "        static const acre_aabb boxes[] = {\n");
        for (size_t i = 0; i < count; i++) {
            fputs("            ", out);
            print_box(out, &run->boxes[i]);
            fputs(",\n", out);
        }
        fprintf(out, "        };\n");
    }
    if (with_items) {
        fprintf(out, "        static const uint32_t items[] = {");
        for (size_t i = 0; i < count; i++) {
            fprintf(out, "%u, ", run->rows[i]);
        }
        fprintf(out, "};\n");
    }
    fprintf(out, "        CHECK(acre_quadtree_%s(tree, %s%s%zu) == %s);\n    }\n", name,
            with_items ? "items, " : "", with_boxes ? "boxes, " : "", count, result_name(expected));
}

// ---- edits ----

// Answers that the contract allows; a bit for each result.
typedef struct answers {
    acre_result main; // what the oracle says
    uint32_t allowed;
} answers;

static answers only(acre_result result)
{
    return (answers){result, 1u << result};
}

// Only insert, insert_many, reserve, set_layers and optimize may answer so, and only if the
// allocator refused something.
static bool runs_out_of_memory(const stream *run, acre_result result)
{
    return result == ACRE_ERROR_OUT_OF_MEMORY && run->memory.failed > 0;
}

// After an answer: as the oracle's, and an error left the state as it was.
static bool check_answer(stream *run, answers expected, acre_result result, uint64_t hash)
{
    digest(run, (uint64_t)result);
    if (!(expected.allowed & (1u << result))) {
        return fail(run, "the call's result differs from the oracle's");
    }
    if (expected.main != ACRE_OK && acre_quadtree_state_hash(run->tree) != hash) {
        return fail(run, "a refused call changed the state");
    }
    return true;
}

static bool check_item(stream *run, uint32_t item)
{
    const bool is_present = item < run->def->items && run->oracle.present[item];
    if (acre_quadtree_contains(run->tree, item) != is_present) {
        return fail(run, "contains differs from the oracle");
    }
    acre_aabb box;
    const acre_result result = acre_quadtree_get_box(run->tree, item, &box);
    if (!is_present) {
        return result == ACRE_ERROR_NOT_FOUND && acre_quadtree_get_layers(run->tree, item) == 0
                   ? true
                   : fail(run, "an absent item has a box or layers");
    }
    if (result != ACRE_OK || memcmp(&box, &run->oracle.boxes[item], sizeof box) != 0) {
        return fail(run, "get_box differs from the oracle");
    }
    if (acre_quadtree_get_layers(run->tree, item) != run->oracle.layers[item]) {
        return fail(run, "get_layers differs from the oracle");
    }
    return true;
}

static acre_aabb draw_new_box(const stream *run, test_random *random)
{
    return run->def->tall && random_below(random, 4)
               ? tall_world_box(run->def->tall, &random->state)
               : box_any(random, &run->world);
}

// In tall worlds some things rise and fall.
static acre_aabb draw_box(const stream *run, test_random *random, uint32_t item)
{
    const bool is_present = item < run->def->items && run->oracle.present[item];
    if (!is_present || random_below(random, 4) == 0) {
        return draw_new_box(run, random);
    }
    if (run->def->tall && random_below(random, 2)) {
        acre_aabb box = run->oracle.boxes[item];
        const float step = random_float(random, -40.0f, 40.0f);
        box.min[1] += step;
        box.max[1] += step;
        return box;
    }
    return box_moved(random, &run->world, &run->oracle.boxes[item]);
}

static answers oracle_insert(stream *run, uint32_t item, const acre_aabb *box)
{
    answers expected = only(brute_force_insert(&run->oracle, item, box));
    if (expected.main == ACRE_OK) {
        textbook_insert(run->twin, item, box);
    } else { // several things wrong at once: either answer will do
        expected.allowed |= item >= run->def->items     ? 1u << ACRE_ERROR_CAPACITY
                            : run->oracle.present[item] ? 1u << ACRE_ERROR_EXISTS
                                                        : 0;
    }
    return expected;
}

static bool run_insert(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    const acre_aabb box = draw_new_box(run, &random);
    const answers expected = oracle_insert(run, op->item, &box);
    if (run->print) {
        print_item_call(run, "insert", op->item, &box, expected.main);
        return true;
    }
    const uint64_t hash = acre_quadtree_state_hash(run->tree);
    const acre_result result = acre_quadtree_insert(run->tree, op->item, &box);
    if (runs_out_of_memory(run, result)) {
        if (expected.main == ACRE_OK) {
            brute_force_remove(&run->oracle, op->item);
            textbook_remove(run->twin, op->item);
        }
        run->result->memory_refusals++;
        return check_answer(run, only(ACRE_ERROR_OUT_OF_MEMORY), result, hash);
    }
    return check_answer(run, expected, result, hash) && check_item(run, op->item);
}

static answers oracle_refresh(stream *run, uint32_t item, const acre_aabb *box)
{
    answers expected = only(brute_force_refresh(&run->oracle, item, box));
    if (expected.main == ACRE_OK) {
        textbook_refresh(run->twin, item, box);
    } else if (item >= run->def->items || !run->oracle.present[item]) {
        expected.allowed |= 1u << ACRE_ERROR_NOT_FOUND;
    }
    return expected;
}

static bool run_refresh(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    const acre_aabb box = draw_box(run, &random, op->item);
    const answers expected = oracle_refresh(run, op->item, &box);
    if (run->print) {
        print_item_call(run, "refresh", op->item, &box, expected.main);
        return true;
    }
    const uint64_t hash = acre_quadtree_state_hash(run->tree);
    const acre_result result = acre_quadtree_refresh(run->tree, op->item, &box);
    return check_answer(run, expected, result, hash) && check_item(run, op->item);
}

static bool check_report(stream *run, size_t refused, size_t first, uint32_t allowed,
                         acre_result result)
{
    const acre_quadtree_report report = acre_quadtree_last_report(run->tree);
    if (report.refused != refused) {
        return fail(run, "the report's count of refused rows is wrong");
    }
    if (refused > 0 && (report.first_row != first || report.first_result != result)) {
        return fail(run, "the report's first row or result is wrong");
    }
    if (!(allowed & (1u << result))) {
        return fail(run, "the batch's result differs from the oracle's");
    }
    return true;
}

static bool run_refresh_many(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    const size_t count =
        random_below(&random, 4) ? random_below(&random, 12) : random_below(&random, ROWS_OF(run));
    size_t refused = 0;
    size_t first = 0;
    answers first_answer = only(ACRE_OK);
    for (size_t i = 0; i < count; i++) {
        run->rows[i] = random_below(&random, run->def->items + 2);
        run->boxes[i] = draw_box(run, &random, run->rows[i]);
        const answers answer = oracle_refresh(run, run->rows[i], &run->boxes[i]);
        if (answer.main != ACRE_OK && refused++ == 0) {
            first = i;
            first_answer = answer;
        }
    }
    if (run->print) {
        print_batch(run, "refresh_many", count, true, true, first_answer.main);
        return true;
    }
    const acre_result result = acre_quadtree_refresh_many(run->tree, run->rows, run->boxes, count);
    digest(run, (uint64_t)result);
    bool ok = check_report(run, refused, first, first_answer.allowed, result);
    for (size_t i = 0; i < count && ok; i++) {
        ok = check_item(run, run->rows[i]);
    }
    return ok;
}

// What an oracle says of the rows of a batch, the first refused one apart.
typedef struct batch_answers {
    size_t refused, first;
    answers first_answer;
} batch_answers;

static void add_answer(batch_answers *batch, size_t row, answers answer)
{
    if (answer.main != ACRE_OK && batch->refused++ == 0) {
        batch->first = row;
        batch->first_answer = answer;
    }
}

static bool check_batch(stream *run, const batch_answers *expected, size_t count,
                        acre_result result)
{
    digest(run, (uint64_t)result);
    bool ok = check_report(run, expected->refused, expected->first, expected->first_answer.allowed,
                           result);
    for (size_t i = 0; i < count && ok; i++) {
        ok = check_item(run, run->rows[i]);
    }
    return ok;
}

// From a few rows to more than there are items.
static size_t draw_rows(stream *run, test_random *random)
{
    const uint32_t room = (uint32_t)ROWS_OF(run);
    const size_t count =
        random_below(random, 2) ? random_below(random, 12) % room : random_below(random, room);
    for (size_t i = 0; i < count; i++) {
        run->rows[i] = random_below(random, run->def->items + 2);
    }
    return count;
}

static bool run_insert_many(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    const size_t count = draw_rows(run, &random);
    for (size_t i = 0; i < count; i++) {
        run->boxes[i] = draw_new_box(run, &random);
    }
    const uint64_t hash = run->print ? 0 : acre_quadtree_state_hash(run->tree);
    const acre_result result =
        run->print ? ACRE_OK : acre_quadtree_insert_many(run->tree, run->rows, run->boxes, count);
    if (!run->print && runs_out_of_memory(run, result)) {
        run->result->memory_refusals++;
        return check_report(run, count, 0, 1u << ACRE_ERROR_OUT_OF_MEMORY, result) &&
               check_answer(run, only(ACRE_ERROR_OUT_OF_MEMORY), result, hash);
    }
    batch_answers expected = {.first_answer = only(ACRE_OK)};
    for (size_t i = 0; i < count; i++) {
        add_answer(&expected, i, oracle_insert(run, run->rows[i], &run->boxes[i]));
    }
    if (run->print) {
        print_batch(run, "insert_many", count, true, true, expected.first_answer.main);
        return true;
    }
    return check_batch(run, &expected, count, result);
}

static bool run_remove_many(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    const size_t count = draw_rows(run, &random);
    batch_answers expected = {.first_answer = only(ACRE_OK)};
    for (size_t i = 0; i < count; i++) {
        add_answer(&expected, i, only(brute_force_remove(&run->oracle, run->rows[i])));
        textbook_remove(run->twin, run->rows[i]);
    }
    if (run->print) {
        print_batch(run, "remove_many", count, true, false, expected.first_answer.main);
        return true;
    }
    const acre_result result = acre_quadtree_remove_many(run->tree, run->rows, count);
    return check_batch(run, &expected, count, result);
}

// One row of a refresh_all: nothing may be read of absent items' rows.
static acre_aabb draw_row(const stream *run, test_random *random, uint32_t item)
{
    const bool is_present = item < run->def->items && run->oracle.present[item];
    if (!is_present) {
        return (acre_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return random_below(random, 3) ? draw_box(run, random, item) : run->oracle.boxes[item];
}

static bool run_refresh_all(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    const size_t count = random_below(&random, ROWS_OF(run));
    size_t refused = 0;
    for (uint32_t item = 0; item < count; item++) {
        run->boxes[item] = draw_row(run, &random, item);
        const answers answer = oracle_refresh(run, item, &run->boxes[item]);
        refused += answer.main == ACRE_ERROR_INVALID_ARGUMENT && item < run->def->items &&
                   run->oracle.present[item];
    }
    const acre_result expected = refused ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK;
    if (run->print) {
        print_batch(run, "refresh_all", count, false, true, expected);
        return true;
    }
    const acre_result result = acre_quadtree_refresh_all(run->tree, run->boxes, count);
    digest(run, (uint64_t)result);
    const acre_quadtree_report report = acre_quadtree_last_report(run->tree);
    // The first refused row in block order may be any of them, but it is one of them.
    if (refused > 0 &&
        (report.first_row >= count || acre_aabb_is_valid(&run->boxes[report.first_row]) ||
         !acre_quadtree_contains(run->tree, (uint32_t)report.first_row))) {
        return fail(run, "the report names a row that was not refused");
    }
    bool ok = check_report(run, refused, report.first_row, 1u << expected, result);
    for (uint32_t item = 0; item < run->def->items && ok; item++) {
        ok = check_item(run, item);
    }
    return ok;
}

static bool run_remove(stream *run, const stream_op *op)
{
    const acre_result expected = brute_force_remove(&run->oracle, op->item);
    textbook_remove(run->twin, op->item);
    if (run->print) {
        print_item_call(run, "remove", op->item, NULL, expected);
        return true;
    }
    const uint64_t hash = acre_quadtree_state_hash(run->tree);
    const acre_result result = acre_quadtree_remove(run->tree, op->item);
    return check_answer(run, only(expected), result, hash) && check_item(run, op->item);
}

static bool run_clear(stream *run)
{
    brute_force_clear(&run->oracle);
    for (uint32_t item = 0; item < run->def->items; item++) {
        textbook_remove(run->twin, item);
    }
    if (run->print) {
        fprintf(run->print, "    acre_quadtree_clear(tree);\n");
        return true;
    }
    acre_quadtree_clear(run->tree);
    acre_quadtree_stats now;
    acre_quadtree_get_stats(run->tree, &now);
    const acre_quadtree_stats *const then = &run->created;
    if (memcmp(now.root_min, then->root_min, sizeof now.root_min) != 0 ||
        memcmp(now.root_max, then->root_max, sizeof now.root_max) != 0 ||
        now.nodes != then->nodes) {
        return fail(run, "after clear the root is not as after create");
    }
    return true;
}

// Calls without an item that leave the content alone.
static bool run_upkeep(stream *run, const stream_op *op)
{
    static const char *const names[STREAM_KIND_COUNT] = {[STREAM_MAINTAIN] = "maintain",
                                                         [STREAM_TIGHTEN] = "tighten",
                                                         [STREAM_TRIM] = "trim",
                                                         [STREAM_OPTIMIZE] = "optimize"};
    acre_result (*const calls[STREAM_KIND_COUNT])(acre_quadtree *) = {
        [STREAM_MAINTAIN] = acre_quadtree_maintain,
        [STREAM_TIGHTEN] = acre_quadtree_tighten,
        [STREAM_TRIM] = acre_quadtree_trim,
        [STREAM_OPTIMIZE] = acre_quadtree_optimize};
    if (run->print) {
        fprintf(run->print, "    CHECK(acre_quadtree_%s(tree) == ACRE_OK);\n", names[op->kind]);
        return true;
    }
    const uint64_t content = acre_quadtree_content_hash(run->tree);
    const uint64_t hash = acre_quadtree_state_hash(run->tree);
    const acre_result result = calls[op->kind](run->tree);
    if (op->kind == STREAM_OPTIMIZE && runs_out_of_memory(run, result)) {
        run->result->memory_refusals++;
        return check_answer(run, only(ACRE_ERROR_OUT_OF_MEMORY), result, hash);
    }
    if (result != ACRE_OK) {
        return fail(run, "maintain, tighten, trim or optimize failed");
    }
    return acre_quadtree_content_hash(run->tree) == content
               ? true
               : fail(run, "maintain, tighten, trim or optimize changed the content");
}

static bool run_maintain_budget(stream *run, const stream_op *op)
{
    const uint32_t nodes = op->item;
    if (run->print) {
        fprintf(run->print, "    CHECK(acre_quadtree_maintain_budget(tree, %u) == ACRE_OK);\n",
                nodes);
        return true;
    }
    acre_quadtree_stats before, after;
    acre_quadtree_get_stats(run->tree, &before);
    const uint64_t content = acre_quadtree_content_hash(run->tree);
    if (acre_quadtree_maintain_budget(run->tree, nodes) != ACRE_OK) {
        return fail(run, "maintain_budget failed");
    }
    acre_quadtree_get_stats(run->tree, &after);
    // The root's own quad is tightened apart when the root shrinks.
    const uint64_t most = (uint64_t)nodes + 4 * (after.shrinks - before.shrinks);
    if (after.tightened - before.tightened > most) {
        return fail(run, "maintain_budget tightened more than it was allowed to");
    }
    return acre_quadtree_content_hash(run->tree) == content
               ? true
               : fail(run, "maintain_budget changed the content");
}

static bool run_reserve(stream *run, const stream_op *op)
{
    const acre_result expected = op->item > run->def->items ? ACRE_ERROR_CAPACITY : ACRE_OK;
    if (run->print) {
        fprintf(run->print, "    CHECK(acre_quadtree_reserve(tree, %u) == %s);\n", op->item,
                result_name(expected));
        return true;
    }
    const uint64_t hash = acre_quadtree_state_hash(run->tree);
    const acre_result result = acre_quadtree_reserve(run->tree, op->item);
    if (runs_out_of_memory(run, result)) {
        run->result->memory_refusals++;
        return check_answer(run, only(ACRE_ERROR_OUT_OF_MEMORY), result, hash);
    }
    return check_answer(run, only(expected), result, hash);
}

static bool run_set_layers(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    const uint32_t choice = random_below(&random, 4);
    const uint32_t layers = choice == 0   ? 0
                            : choice == 1 ? UINT32_MAX
                                          : 1u << random_below(&random, 4);
    const bool is_present = op->item < run->def->items && run->oracle.present[op->item];
    const uint32_t before = is_present ? run->oracle.layers[op->item] : 0;
    const acre_result expected = brute_force_set_layers(&run->oracle, op->item, layers);
    if (run->print) {
        fprintf(run->print, "    CHECK(acre_quadtree_set_layers(tree, %u, 0x%xu) == %s);\n",
                op->item, layers, result_name(expected));
        return true;
    }
    const uint64_t hash = acre_quadtree_state_hash(run->tree);
    const acre_result result = acre_quadtree_set_layers(run->tree, op->item, layers);
    if (runs_out_of_memory(run, result)) {
        brute_force_set_layers(&run->oracle, op->item, before);
        run->result->memory_refusals++;
        return check_answer(run, only(ACRE_ERROR_OUT_OF_MEMORY), result, hash);
    }
    return check_answer(run, only(expected), result, hash) && check_item(run, op->item);
}

// ---- queries ----

static bool same_numbers(const uint32_t *a, const uint32_t *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

// run->found holds `count` results; they are the oracle's as a set. Sorts found.
static bool check_set(stream *run, size_t count, size_t expected)
{
    for (size_t i = 0; i < count; i++) {
        digest(run, run->found[i]);
    }
    run->result->found += count;
    if (count > run->def->items) {
        return fail(run, "a query found more items than there are");
    }
    sort_numbers(run->found, count);
    if (count != expected || !same_numbers(run->found, run->expected, count)) {
        return fail(run, count > expected ? "a query found too much" : "a query lost an item");
    }
    return true;
}

static bool check_twin(stream *run, const acre_frustum *frustum, const acre_aabb *box,
                       size_t expected)
{
    const size_t room = run->def->items;
    const size_t count = frustum ? textbook_query_frustum(run->twin, frustum, run->found, room)
                                 : textbook_query_aabb(run->twin, box, run->found, room);
    sort_numbers(run->found, count);
    return count == expected && same_numbers(run->found, run->expected, count)
               ? true
               : fail(run, "the textbook twin differs from brute force");
}

// With less room the total is the same and the first ones are written, nothing behind them.
static bool check_small_capacity(stream *run, const acre_frustum *frustum, const acre_aabb *box,
                                 test_random *random, size_t total)
{
    const size_t room = random_below(random, (uint32_t)total + 2);
    uint32_t *const full = malloc((total + 1) * sizeof *full);
    uint32_t *const part = malloc((room + 1) * sizeof *part);
    bool ok = full != NULL && part != NULL;
    if (ok) {
        part[room] = GUARD;
        const size_t all = frustum ? acre_quadtree_query_frustum(run->tree, frustum, full, total)
                                   : acre_quadtree_query_aabb(run->tree, box, full, total);
        const size_t again = frustum ? acre_quadtree_query_frustum(run->tree, frustum, part, room)
                                     : acre_quadtree_query_aabb(run->tree, box, part, room);
        ok = all == total && again == total && part[room] == GUARD &&
             same_numbers(full, part, room < total ? room : total);
    }
    free(full);
    free(part);
    return ok ? true : fail(run, "a small capacity changes the total, the order or other memory");
}

static bool run_query_frustum(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    const acre_frustum frustum = frustum_any(&random, &run->world);
    const size_t expected = brute_force_query_frustum(&run->oracle, &frustum, 0, run->expected);
    if (run->print) {
        fprintf(run->print, "    {\n");
        print_frustum(run->print, &frustum);
        fprintf(run->print,
                "        CHECK(acre_quadtree_query_frustum(tree, &frustum, NULL, 0) == %zu);\n"
                "    }\n",
                expected);
        return true;
    }
    const size_t room = run->def->items;
    const size_t count = acre_quadtree_query_frustum(run->tree, &frustum, run->found, room);
    return check_set(run, count, expected) && check_twin(run, &frustum, NULL, expected) &&
           check_small_capacity(run, &frustum, NULL, &random, expected);
}

static bool run_query_aabb(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    acre_aabb box = box_any(&random, &run->world);
    if (op->item < run->def->items && run->oracle.present[op->item] && random_below(&random, 2)) {
        box = run->oracle.boxes[op->item]; // touches what touches this item
    }
    const size_t expected = brute_force_query_aabb(&run->oracle, &box, 0, run->expected);
    if (run->print) {
        fprintf(run->print, "    CHECK(acre_quadtree_query_aabb(tree, &(acre_aabb)");
        print_box(run->print, &box);
        fprintf(run->print, ", NULL, 0) == %zu);\n", expected);
        return true;
    }
    const size_t count = acre_quadtree_query_aabb(run->tree, &box, run->found, run->def->items);
    return check_set(run, count, expected) && check_twin(run, NULL, &box, expected) &&
           check_small_capacity(run, NULL, &box, &random, expected);
}

typedef struct full_query {
    acre_query query;
    acre_frustum frustum;
    acre_aabb box;
    acre_query_stats stats;
    size_t expected; // without ACRE_QUERY_EXACT
    bool is_refused; // NaN in the volume
    bool is_inverted;
} full_query;

static bool has_nan_plane(const acre_frustum *frustum)
{
    const uint32_t count =
        frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count : 16;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++) {
            if (isnan(frustum->planes[i][k])) {
                return true;
            }
        }
    }
    return false;
}

static bool has_nan_edge(const acre_aabb *box)
{
    bool has_nan = false;
    for (int i = 0; i < 3; i++) {
        has_nan |= isnan(box->min[i]) || isnan(box->max[i]);
    }
    return has_nan;
}

static void draw_full_query(stream *run, test_random *random, full_query *full)
{
    *full = (full_query){0};
    const uint32_t layer_choice = random_below(random, 4);
    full->query.layers = layer_choice == 0   ? 0
                         : layer_choice == 1 ? UINT32_MAX
                                             : 1u << random_below(random, 4);
    full->query.flags = random_below(random, 4); // SORTED, EXACT
    full->query.stats = &full->stats;
    if (random_below(random, 3) == 0) {
        full->box = box_any(random, &run->world);
        full->query.shape = ACRE_QUERY_SHAPE_AABB;
        full->query.box = &full->box;
        full->is_refused = has_nan_edge(&full->box);
        full->is_inverted = !full->is_refused && !acre_aabb_is_valid(&full->box);
        full->expected =
            brute_force_query_aabb(&run->oracle, &full->box, full->query.layers, run->expected);
    } else {
        full->frustum = frustum_any(random, &run->world);
        full->query.shape = ACRE_QUERY_SHAPE_FRUSTUM;
        full->query.frustum = &full->frustum;
        full->is_refused = has_nan_plane(&full->frustum);
        full->expected = brute_force_query_frustum(&run->oracle, &full->frustum, full->query.layers,
                                                   run->expected);
    }
}

static double proof_margin(const acre_frustum *frustum, const acre_aabb *box)
{
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        size += fabs((double)box->min[i]) + fabs((double)box->max[i]);
    }
    double margin = 0.0;
    for (uint32_t i = 0; i < frustum->plane_count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        const float *const plane = frustum->planes[i];
        const double normal =
            fabs((double)plane[0]) + fabs((double)plane[1]) + fabs((double)plane[2]);
        margin = fmax(margin, 1e-4 * (normal * size + fabs((double)plane[3])));
    }
    return margin;
}

// An exact query drops only what it could prove outside: what it found is sorted in run->found,
// what the plain query finds in run->expected.
static bool check_exact(stream *run, const full_query *full, size_t count)
{
    size_t next = 0;
    for (size_t i = 0; i < full->expected; i++) {
        if (next < count && run->found[next] == run->expected[i]) {
            next++;
            continue;
        }
        const acre_aabb *const box = &run->oracle.boxes[run->expected[i]];
        if (full->query.shape != ACRE_QUERY_SHAPE_FRUSTUM) {
            return fail(run, "an exact query of a box lost an item");
        }
        if (brute_force_proves_overlap(&full->frustum, box, proof_margin(&full->frustum, box))) {
            return fail(run, "an exact query dropped a box that overlaps the volume");
        }
    }
    return next == count ? true : fail(run, "an exact query found what the plain one does not");
}

static bool check_full_order(stream *run, const full_query *full, size_t count)
{
    for (size_t i = 1; i < count && (full->query.flags & ACRE_QUERY_SORTED); i++) {
        if (run->found[i - 1] >= run->found[i]) {
            return fail(run, "a sorted query is not sorted");
        }
    }
    for (size_t i = 0; i < count; i++) {
        digest(run, run->found[i]);
    }
    if (full->stats.items_tested + full->stats.items_accepted < count) {
        return fail(run, "a query's statistics count fewer items than it found");
    }
    sort_numbers(run->found, count);
    return true;
}

// Sorted with too little room: the first ones found, sorted.
static bool check_sorted_part(stream *run, const full_query *full, test_random *random,
                              size_t count)
{
    const size_t room = random_below(random, (uint32_t)count + 1);
    acre_query query = full->query;
    query.stats = NULL;
    query.flags &= ~(uint32_t)ACRE_QUERY_SORTED;
    size_t total = 0;
    run->found[room] = GUARD;
    if (acre_quadtree_query(run->tree, &query, run->found, room, &total) != ACRE_OK) {
        return fail(run, "a query with little room is refused");
    }
    const bool kept = run->found[room] == GUARD;
    sort_numbers(run->found, room);
    query.flags |= ACRE_QUERY_SORTED;
    uint32_t *const part = run->rows; // has room for more than all items
    const acre_result result = acre_quadtree_query(run->tree, &query, part, room, &total);
    return result == ACRE_OK && total == count && kept && same_numbers(run->found, part, room)
               ? true
               : fail(run, "a sorted query with little room gives other items or another total");
}

static void print_full(stream *run, const full_query *full)
{
    FILE *const out = run->print;
    const bool is_box = full->query.shape == ACRE_QUERY_SHAPE_AABB;
    fprintf(out, "    {\n");
    if (is_box) {
        fprintf(out, "        const acre_aabb box = ");
        print_box(out, &full->box);
        fprintf(out, ";\n");
    } else {
        print_frustum(out, &full->frustum);
    }
    fprintf(out,
            "        const acre_query query = {%s, .layers = 0x%xu, .flags = %uu};\n"
            "        size_t total = 0;\n"
            "        CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == %s);\n"
            "        CHECK(total %s %zu);\n    }\n",
            is_box ? ".shape = ACRE_QUERY_SHAPE_AABB, .box = &box"
                   : ".shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum",
            full->query.layers, full->query.flags,
            full->is_refused ? "ACRE_ERROR_INVALID_ARGUMENT" : "ACRE_OK",
            full->query.flags & ACRE_QUERY_EXACT ? "<=" : "==",
            full->is_refused ? (size_t)0 : full->expected);
}

static bool run_query_full(stream *run, const stream_op *op)
{
    test_random random = {op->seed};
    full_query full;
    draw_full_query(run, &random, &full);
    if (run->print) {
        print_full(run, &full);
        return true;
    }
    size_t total = 0;
    const acre_result result =
        acre_quadtree_query(run->tree, &full.query, run->found, run->def->items, &total);
    digest(run, (uint64_t)result);
    if (full.is_refused || (full.is_inverted && result != ACRE_OK)) {
        return result == ACRE_ERROR_INVALID_ARGUMENT
                   ? true
                   : fail(run, "a volume with NaN was not refused");
    }
    if (result != ACRE_OK || total > run->def->items) {
        return fail(run, "a query failed or its total is too large");
    }
    if (!check_full_order(run, &full, total)) {
        return false;
    }
    const bool same = full.query.flags & ACRE_QUERY_EXACT ? check_exact(run, &full, total)
                                                          : check_set(run, total, full.expected);
    return same && check_sorted_part(run, &full, &random, total);
}

// ---- running ----

static bool run_op(stream *run, const stream_op *op)
{
    switch (op->kind) {
    case STREAM_INSERT:
        return run_insert(run, op);
    case STREAM_REFRESH:
        return run_refresh(run, op);
    case STREAM_REFRESH_MANY:
        return run_refresh_many(run, op);
    case STREAM_REFRESH_ALL:
        return run_refresh_all(run, op);
    case STREAM_REMOVE:
        return run_remove(run, op);
    case STREAM_CLEAR:
        return run_clear(run);
    case STREAM_MAINTAIN:
    case STREAM_TIGHTEN:
    case STREAM_TRIM:
    case STREAM_OPTIMIZE:
        return run_upkeep(run, op);
    case STREAM_MAINTAIN_BUDGET:
        return run_maintain_budget(run, op);
    case STREAM_INSERT_MANY:
        return run_insert_many(run, op);
    case STREAM_REMOVE_MANY:
        return run_remove_many(run, op);
    case STREAM_RESERVE:
        return run_reserve(run, op);
    case STREAM_SET_LAYERS:
        return run_set_layers(run, op);
    case STREAM_QUERY_FRUSTUM:
        return run_query_frustum(run, op);
    case STREAM_QUERY_AABB:
        return run_query_aabb(run, op);
    case STREAM_QUERY_FULL:
        return run_query_full(run, op);
    case STREAM_KIND_COUNT:
        break;
    }
    return fail(run, "no such operation");
}

static bool check_state(stream *run)
{
    char message[200];
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(run->tree, &stats);
    if (stats.items != run->oracle.count) {
        return fail(run, "the count of items differs from the oracle's");
    }
    if (acre_quadtree_validate(run->tree, message, sizeof message) != ACRE_OK) {
        return fail(run, message);
    }
    if (failing_allocator_fault(&run->memory)) {
        return fail(run, failing_allocator_fault(&run->memory));
    }
    if (stats.bytes != run->memory.live_bytes) {
        return fail(run, "the statistics' bytes differ from what the allocator gave");
    }
    if (run->def->extra_check && !run->def->extra_check(run->tree)) {
        return fail(run, "the planted check");
    }
    run->result->outliers += stats.outliers > 0;
    run->result->bands += stats.bands;
    return true;
}

static bool stream_open(stream *run, const stream_def *def, stream_result *result, FILE *print)
{
    *run = (stream){.def = def, .result = result, .print = print};
    *result = (stream_result){0};
    acre_quadtree_def tree_def = def->tree;
    tree_def.item_capacity = def->items;
    failing_allocator_init(&run->memory, FAIL_NEVER, 0);
    tree_def.allocator = &run->memory.allocator;
    const textbook_def twin_def = {{def->tree.center[0], def->tree.center[1]},
                                   def->tree.half_size > 0.0f ? def->tree.half_size : 1024.0f,
                                   def->tree.max_depth,
                                   4};
    run->twin = textbook_create(&twin_def, def->items);
    run->found = calloc(ROWS_OF(run), sizeof *run->found);
    run->expected = calloc(ROWS_OF(run), sizeof *run->expected);
    run->rows = calloc(ROWS_OF(run), sizeof *run->rows);
    run->boxes = calloc(ROWS_OF(run), sizeof *run->boxes);
    if (!run->twin || !run->found || !run->expected || !run->rows || !run->boxes ||
        !brute_force_init(&run->oracle, def->items)) {
        return fail(run, "the test has no memory");
    }
    if (acre_quadtree_create(&tree_def, &run->tree) != ACRE_OK) {
        return fail(run, "create failed");
    }
    acre_quadtree_get_stats(run->tree, &run->created);
    run->world = (box_world){
        .center = {def->tree.center[0] + def->offset[0], def->tree.center[1] + def->offset[1]},
        .half_size = twin_def.half_size * (def->spread > 0.0f ? def->spread : 1.0f),
        .cell_size = run->created.cell_size,
    };
    failing_allocator_arm(&run->memory, def->fail, def->fail_at);
    return true;
}

static bool stream_close(stream *run, bool ok)
{
    if (run->tree) {
        acre_quadtree_stats stats;
        acre_quadtree_get_stats(run->tree, &stats);
        run->result->splits = stats.splits;
        run->result->collapses = stats.collapses;
        run->result->grows = stats.grows;
        run->result->shrinks = stats.shrinks;
        run->result->lattices = stats.lattices;
        run->result->failed_requests = run->memory.failed;
        digest(run, acre_quadtree_state_hash(run->tree));
    }
    acre_quadtree_destroy(run->tree);
    if (ok && failing_allocator_verdict(&run->memory)) {
        ok = fail(run, failing_allocator_verdict(&run->memory));
    }
    textbook_destroy(run->twin);
    brute_force_free(&run->oracle);
    free(run->found);
    free(run->expected);
    free(run->rows);
    free(run->boxes);
    return ok;
}

// The content alone makes the content hash: a tree built afresh from the oracle has the same.
static bool check_content_hash(stream *run)
{
    acre_quadtree *fresh = NULL;
    bool ok = acre_quadtree_create(&(acre_quadtree_def){.half_size = 3.0f}, &fresh) == ACRE_OK;
    for (uint32_t i = run->def->items; ok && i-- > 0;) {
        if (run->oracle.present[i]) {
            ok = acre_quadtree_insert(fresh, i, &run->oracle.boxes[i]) == ACRE_OK &&
                 acre_quadtree_set_layers(fresh, i, run->oracle.layers[i]) == ACRE_OK;
        }
    }
    ok = ok && acre_quadtree_content_hash(fresh) == acre_quadtree_content_hash(run->tree);
    acre_quadtree_destroy(fresh);
    return ok ? true : fail(run, "the content hash depends on the history");
}

bool stream_run(const stream_def *def, const stream_op *ops, size_t count, stream_result *result)
{
    stream run;
    bool ok = stream_open(&run, def, result, NULL);
    const size_t every = def->validate_every ? def->validate_every : 1;
    for (size_t i = 0; ok && i < count; i++) {
        result->failed_at = i;
        ok = run_op(&run, &ops[i]);
        if (ok && (i % every == 0 || i + 1 == count)) {
            ok = check_state(&run);
        }
    }
    ok = ok && check_content_hash(&run);
    return stream_close(&run, ok);
}

void stream_print(const stream_def *def, const stream_op *ops, size_t count, FILE *out)
{
    stream run;
    stream_result ignored;
    fprintf(out, "static void shrunk_stream(void)\n{\n");
    fprintf(out, "    const acre_quadtree_def def = {");
    print_floats(out, def->tree.center, 2);
    fprintf(out, ", ");
    print_float(out, def->tree.half_size);
    fprintf(out, ", %u, %u, %u, NULL};\n", def->tree.max_depth, def->tree.node_capacity,
            def->items);
    fprintf(out, "    acre_quadtree *tree;\n"
                 "    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);\n");
    bool ok = stream_open(&run, def, &ignored, out);
    for (size_t i = 0; ok && i < count; i++) {
        ok = run_op(&run, &ops[i]);
    }
    stream_close(&run, true);
    fprintf(out, "    CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);\n"
                 "    acre_quadtree_destroy(tree);\n}\n");
}

// ---- generating and shrinking ----

// Weights of the kinds while a stream grows, churns and shrinks.
static const uint8_t phase_weights[3][STREAM_KIND_COUNT] = {
    {40, 10, 1, 1, 6, 0, 4, 1, 1, 1, 4, 4, 4, 4, 2, 0, 1, 1},
    {8, 40, 3, 3, 8, 0, 8, 1, 1, 1, 4, 5, 4, 6, 1, 1, 1, 1},
    {4, 16, 1, 1, 40, 1, 6, 1, 1, 2, 2, 4, 4, 4, 1, 1, 1, 1},
};

static stream_kind draw_kind(test_random *random, const uint8_t *weights)
{
    uint32_t sum = 0;
    for (int kind = 0; kind < STREAM_KIND_COUNT; kind++) {
        sum += weights[kind];
    }
    uint32_t draw = random_below(random, sum);
    int kind = 0;
    while (draw >= weights[kind]) {
        draw -= weights[kind++];
    }
    return (stream_kind)kind;
}

void stream_generate(stream_op *ops, size_t count, uint64_t seed, uint32_t items)
{
    test_random random = {seed};
    uint32_t phase = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % (items + 16) == 0) { // long enough to fill or empty the tree about half
            phase = random_below(&random, 3);
            phase = i == 0 ? 0 : phase;
        }
        ops[i].kind = draw_kind(&random, phase_weights[phase]);
        ops[i].item = random_below(&random, items + 2);
        ops[i].seed = random_bits(&random);
    }
}

static bool still_fails(const stream_def *def, const stream_op *ops, size_t count)
{
    stream_result result;
    return !stream_run(def, ops, count, &result);
}

// Leaves out chunks of halving size (Zeller and Hildebrandt 2002), then single operations until
// none can go.
size_t stream_shrink(const stream_def *def, stream_op *ops, size_t count)
{
    stream_op *const trial = malloc((count + 1) * sizeof *trial);
    stream_def strict = *def;
    strict.validate_every = 1;
    if (!trial || !still_fails(&strict, ops, count)) {
        free(trial);
        return count;
    }
    size_t chunk = count / 2 > 0 ? count / 2 : 1;
    for (bool changed = true; changed || chunk > 1;) {
        chunk = changed || chunk == 1 ? chunk : chunk / 2;
        changed = false;
        for (size_t at = 0; at + chunk <= count;) {
            memcpy(trial, ops, at * sizeof *ops);
            memcpy(trial + at, ops + at + chunk, (count - at - chunk) * sizeof *ops);
            if (still_fails(&strict, trial, count - chunk)) {
                count -= chunk;
                memcpy(ops, trial, count * sizeof *ops);
                changed = true;
            } else {
                at += chunk;
            }
        }
    }
    free(trial);
    return count;
}
