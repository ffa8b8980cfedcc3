// SPDX-License-Identifier: MIT
// test_bench_pairs.c - `acre bench --pairs`: all find the same pairs, what differs is noticed.
#include "test.h"

#include "bench_pairs.h"

static const bench_options small_options = {
    .views = 1, .rounds = 1, .seconds = 1e-6, .mode = BENCH_PAIRS, .has_peers = true};

static const measure_row *find(const measure_rows *rows, const char *contender, const char *measure)
{
    return rows_find(rows, 300, contender, measure, "", "");
}

static void the_sweep_finds_acres_pairs_for_every_number_of_boxes_and_kernel(void)
{
    static const acre_kernel kernels[] = {ACRE_KERNEL_DEFAULT, ACRE_KERNEL_SCALAR};
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        bench_options options = small_options;
        options.kernel = kernels[k];
        options.has_peers = false;
        for (uint32_t count = 1; count <= 70; count += count < 40 ? 3 : 1) {
            measure_rows rows = {0};
            bench_contest contest;
            CHECK(pairs_create_contest(&contest, &options, count, &rows) &&
                  pairs_measure(&contest));
            contest_free(&contest);
            rows_free(&rows);
        }
    }
}

// The first pair is another one: an agent with itself, which is none.
static size_t find_a_wrong_one(void *state, acre_pair *pairs, size_t capacity)
{
    const size_t count = bench_acre_contacts.pairs(state, pairs, capacity);
    pairs[0].b = pairs[0].a;
    return count;
}

static void measure_with_a_wrong_one(bool is_exact)
{
    bench_contender wrong = bench_acre_contacts;
    wrong.is_exact = is_exact;
    wrong.pairs = find_a_wrong_one;
    measure_rows rows = {0};
    bench_contest contest;
    CHECK(pairs_create_contest(&contest, &small_options, 300, &rows) &&
          contest.entrants[1].what == &bench_acre_contacts);
    contest.entrants[1].what = &wrong;
    CHECK(pairs_measure(&contest) == !is_exact);
    if (!is_exact) {
        const measure_row *const found = find(&rows, wrong.name, "pairs found");
        const measure_row *const missing = find(&rows, wrong.name, "pairs missing");
        const measure_row *const extra = find(&rows, wrong.name, "pairs extra");
        CHECK(found && found->value.median > 1.0);
        CHECK(missing && missing->value.median == 1.0 && extra && extra->value.median == 1.0);
        CHECK(!find(&rows, bench_acre.name, "pairs missing"));
    }
    contest_free(&contest);
    rows_free(&rows);
}

static void a_wrong_pair_is_counted(void)
{
    measure_with_a_wrong_one(false);
}

static void a_wrong_pair_of_an_exact_contender_ends_the_run(void)
{
    measure_with_a_wrong_one(true);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_sweep_finds_acres_pairs_for_every_number_of_boxes_and_kernel),
        TEST(a_wrong_pair_is_counted),
        TEST(a_wrong_pair_of_an_exact_contender_ends_the_run),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
