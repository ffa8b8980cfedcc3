// SPDX-License-Identifier: MIT
// test_bench_queries.c - `acre bench --queries`: loops answer as the definition does, what differs
// is noticed.
#include "test.h"

#include "bench_neighbors.h"
#include "bench_order.h"
#include "bench_queries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bench_options small_options(void)
{
    return (bench_options){
        .views = 2, .rounds = 1, .seconds = 1e-6, .mode = BENCH_QUERIES, .has_peers = true};
}

static const measure_row *find(const measure_rows *rows, uint32_t items, const char *contender,
                               const char *measure, const char *detail)
{
    return rows_find(rows, items, contender, measure, detail, "");
}

static bool measure(const bench_options *options, uint32_t count, measure_rows *rows)
{
    bench_contest contest;
    const bool is_good =
        contest_create(&contest, options, count, rows) && queries_measure(&contest);
    if (!is_good) {
        fprintf(stderr, "%s\n", contest.message);
    }
    contest_free(&contest);
    return is_good;
}

// Every length of the last vector, every instruction set of this processor.
static void loops_answer_every_kind_for_every_number_of_boxes(void)
{
    static const acre_kernel kernels[] = {ACRE_KERNEL_SCALAR, ACRE_KERNEL_SSE4, ACRE_KERNEL_AVX2,
                                          ACRE_KERNEL_AVX512};
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        if (k > 0 && !bench_simd_loop(kernels[k])) {
            continue;
        }
        bench_options options = small_options();
        options.kernel = kernels[k];
        options.has_peers = false;
        for (uint32_t count = 1; count <= 70; count += count < 40 ? 3 : 1) {
            measure_rows rows = {0};
            CHECK(measure(&options, count, &rows));
            rows_free(&rows);
        }
    }
}

static void every_kind_has_a_row_of_each_who_answers_it(void)
{
    const bench_options options = small_options();
    measure_rows rows = {0};
    double found = 0.0;
    CHECK(measure(&options, 4000, &rows));
    for (uint32_t i = 0; i < question_kind_count(); i++) {
        const question_kind *const kind = question_kind_at(i);
        const measure_row *const row = find(&rows, 4000, bench_acre.name, "answer", kind->name);
        CHECK(row && row->value.count > 0 && row->value.least > 0.0);
        CHECK(find(&rows, 4000, bench_scalar.name, "answer", kind->name));
        const measure_row *const items =
            find(&rows, 4000, bench_acre.name, "answer items", kind->name);
        CHECK(items != NULL);
        found += items ? items->value.median : 0.0;
        CHECK(!find(&rows, 4000, bench_acre.name, "answer missing", kind->name));
    }
    CHECK(found > 1000.0);
    rows_free(&rows);
}

static void every_way_to_find_neighbors_has_a_row(void)
{
    const bench_options options = small_options();
    measure_rows rows = {0};
    CHECK(measure(&options, 3000, &rows));
    const measure_row *const found = find(&rows, 3000, neighbor_ways[0], "neighbors found", "");
    CHECK(found && found->value.median > 20.0 && found->value.median < 37.5);
    for (uint32_t i = 0; i < NEIGHBOR_WAY_COUNT; i++) {
        const measure_row *const row = find(&rows, 3000, neighbor_ways[i], "neighbors", "");
        CHECK(row && row->value.least > 0.0);
    }
    rows_free(&rows);
}

// Acre, but for what it loses.
static size_t lose_one(void *state, const asked_question *question, uint32_t *items)
{
    const size_t found = bench_acre.answer(state, question, items);
    return found > 1 && question->capacity == 0 ? found - 1 : found;
}

static size_t swap_two(void *state, const asked_question *question, acre_query_hit *hits)
{
    const size_t found = bench_acre.nearest(state, question, hits);
    if (found > 1) {
        const acre_query_hit first = hits[0];
        hits[0] = hits[1];
        hits[1] = first;
    }
    return found;
}

static void expect_failure(const bench_contender *wrong, const char *text)
{
    const bench_options options = small_options();
    measure_rows rows = {0};
    bench_contest contest;
    CHECK(contest_create(&contest, &options, 2000, &rows));
    contest.entrants[0].what = wrong;
    CHECK(!queries_measure(&contest));
    CHECK(strstr(contest.message, text) && strstr(contest.message, "differs from the definition"));
    contest_free(&contest);
    rows_free(&rows);
}

static void a_lost_item_and_a_wrong_order_end_the_run(void)
{
    bench_contender wrong = bench_acre;
    wrong.answer = lose_one;
    expect_failure(&wrong, "box");
    wrong = bench_acre;
    wrong.nearest = swap_two;
    expect_failure(&wrong, "near");
}

static const acre_query_hit wanted_hits[] = {{7, 1.0f}, {3, 2.0f}, {5, 2.0f}, {1, 4.0f}};

static answer_faults compare(const acre_query_hit *hits, size_t count, bool is_exact)
{
    acre_query_hit wanted[4];
    memcpy(wanted, wanted_hits, sizeof wanted);
    const question_key key = {.hits = wanted, .count = 4, .first = {0, 4}, .item_count = 10};
    answer_faults faults = {0, 0};
    question_compare_hits(&key, 0, hits, count, is_exact, &faults);
    return faults;
}

static void hits_that_differ_are_counted(void)
{
    const acre_query_hit swapped[] = {{7, 1.0f}, {5, 2.0f}, {3, 2.0f}, {1, 4.0f}};
    const acre_query_hit other[] = {{7, 1.0f}, {3, 2.0f}, {6, 3.0f}, {1, 4.0f}};
    answer_faults faults = compare(wanted_hits, 4, true);
    CHECK(faults.missing == 0 && faults.extra == 0);
    faults = compare(wanted_hits, 3, true);
    CHECK(faults.missing == 1 && faults.extra == 0);
    faults = compare(swapped, 4, true);
    CHECK(faults.missing == 1 && faults.extra == 1);
    faults = compare(swapped, 4, false);
    CHECK(faults.missing == 0 && faults.extra == 0);
    faults = compare(other, 4, false);
    CHECK(faults.missing == 1 && faults.extra == 1);
}

static void items_that_differ_are_counted(void)
{
    static question_set set;
    acre_query_hit wanted[4];
    memcpy(wanted, wanted_hits, sizeof wanted);
    const question_key key = {.hits = wanted, .count = 4, .first = {0, 4}, .item_count = 10};
    const uint32_t twice[] = {1, 3, 3, 7}, beyond[] = {1, 3, 5, 7, 4000000000u};
    uint8_t marks[10] = {0};
    answer_faults faults = {0, 0};
    set.count = 1;
    question_compare_items(&key, &set, 0, beyond, 4, marks, &faults);
    CHECK(faults.missing == 0 && faults.extra == 0);
    question_compare_items(&key, &set, 0, twice, 4, marks, &faults);
    CHECK(faults.missing == 1 && faults.extra == 1);
    question_compare_items(&key, &set, 0, beyond, 5, marks, &faults);
    CHECK(faults.missing == 1 && faults.extra == 2);
    set.questions[0].capacity = 2; // any two will do, a third one is too many
    question_compare_items(&key, &set, 0, beyond, 2, marks, &faults);
    CHECK(faults.missing == 1 && faults.extra == 2);
    question_compare_items(&key, &set, 0, beyond, 3, marks, &faults);
    CHECK(faults.missing == 1 && faults.extra == 3);
}

static void keys_are_sorted_by_their_numbers_and_equal_ones_stay(void)
{
    enum { COUNT = 5000 };
    static uint64_t keys[COUNT], sorted[COUNT];
    uint32_t state = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u; // Knuth, after Lewis
        const float values[] = {-1e3f * (float)(state >> 20), 1e-40f, (float)(state >> 8),
                                1e30f * (float)(state >> 20)};
        keys[i] = order_key(values[state >> 30], i);
        CHECK(order_value(keys[i]) >= values[state >> 30] &&
              order_value(keys[i]) <= values[state >> 30]);
    }
    order_sort(keys, sorted, COUNT);
    for (uint32_t i = 1; i < COUNT; i++) {
        const float before = order_value(sorted[i - 1]), value = order_value(sorted[i]);
        CHECK(before < value || (before <= value && (uint32_t)sorted[i - 1] < (uint32_t)sorted[i]));
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(loops_answer_every_kind_for_every_number_of_boxes),
        TEST(every_kind_has_a_row_of_each_who_answers_it),
        TEST(every_way_to_find_neighbors_has_a_row),
        TEST(a_lost_item_and_a_wrong_order_end_the_run),
        TEST(hits_that_differ_are_counted),
        TEST(items_that_differ_are_counted),
        TEST(keys_are_sorted_by_their_numbers_and_equal_ones_stay),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
