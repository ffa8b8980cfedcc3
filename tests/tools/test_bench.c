// SPDX-License-Identifier: MIT
// test_bench.c - `acre bench`: the workload is the same everywhere, contenders find the reference
// sets, and a set that differs is noticed. Nothing here looks at a clock.
#include "test.h"

#include "bench_measure.h"
#include "measure_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool parse(int argc, const char **arguments, bench_options *out, char *message, size_t size)
{
    char *argv[16] = {0};
    for (int i = 0; i < argc; i++) {
        memcpy(&argv[i], &arguments[i], sizeof argv[i]); // argv is without const
    }
    return bench_options_parse(argc, argv, out, message, size);
}

static void options_have_the_defaults_that_the_help_names(void)
{
    bench_options options;
    char message[256];
    CHECK(parse(1, (const char *[]){"bench"}, &options, message, sizeof message));
    CHECK(options.sizes.count == 4 && options.sizes.values[0] == 1000 &&
          options.sizes.values[3] == 1000000);
    CHECK(options.views == 64 && options.rounds == 15 && options.has_peers);
    CHECK(options.churn == 10000000 && options.has_cold);
    CHECK(options.scenes.count >= 1 && strstr(options.scenes.paths[0], "san_francisco.glb"));
    CHECK(options.kernel == ACRE_KERNEL_DEFAULT && !options.csv_path && !options.help);
}

static void queries_have_defaults_of_their_own_and_no_pairs_beside_them(void)
{
    bench_options options;
    char message[256];
    CHECK(
        parse(3, (const char *[]){"bench", "--queries", "yes"}, &options, message, sizeof message));
    CHECK(options.mode == BENCH_QUERIES && options.sizes.count == 2 &&
          options.sizes.values[0] == 100000 && options.sizes.values[1] == 1000000 &&
          options.views == 64 && options.scenes.count == 0);
    CHECK(!parse(5, (const char *[]){"bench", "--queries", "yes", "--pairs", "yes"}, &options,
                 message, sizeof message) &&
          strstr(message, "--queries"));
}

static void pairs_have_defaults_of_their_own_and_no_queries_beside_them(void)
{
    bench_options options;
    char message[256];
    CHECK(parse(3, (const char *[]){"bench", "--pairs", "yes"}, &options, message, sizeof message));
    CHECK(options.mode == BENCH_PAIRS && options.sizes.count == 3 &&
          options.sizes.values[0] == 10000 && options.sizes.values[2] == 1000000 &&
          options.scenes.count == 0);
    CHECK(!parse(5, (const char *[]){"bench", "--queries", "yes", "--pairs", "yes"}, &options,
                 message, sizeof message) &&
          strstr(message, "--pairs"));
}

static void scenes_are_named_files_or_none(void)
{
    bench_options options;
    char message[256];
    CHECK(parse(2, (const char *[]){"bench", "--scenes=a.glb,b/c.glb"}, &options, message,
                sizeof message));
    CHECK(options.scenes.count == 2 && strcmp(options.scenes.paths[0], "a.glb") == 0 &&
          strcmp(options.scenes.paths[1], "b/c.glb") == 0);
    CHECK(
        parse(3, (const char *[]){"bench", "--scenes", "none"}, &options, message, sizeof message));
    CHECK(options.scenes.count == 0);
}

static void options_take_every_flag(void)
{
    bench_options options;
    char message[256];
    CHECK(parse(15,
                (const char *[]){"bench", "--sizes", "7,16777216,1", "--views=3", "--rounds", "2",
                                 "--milliseconds", "50", "--kernel=avx2", "--peers", "no",
                                 "--csv=b", "--churn=0", "--worlds", "yes"},
                &options, message, sizeof message));
    CHECK(options.sizes.count == 3 && options.sizes.values[1] == 16777216 &&
          options.sizes.values[2] == 1);
    CHECK(options.views == 3 && options.rounds == 2 && !options.has_peers);
    CHECK(fabs(options.seconds - 0.05) < 1e-9 && options.churn == 0);
    CHECK(options.mode == BENCH_WORLDS);
    CHECK(options.kernel == ACRE_KERNEL_AVX2);
    CHECK(strcmp(options.csv_path, "b") == 0);
}

static void wrong_options_are_refused_by_name(void)
{
    static const char *const wrong[][3] = {
        {"--sizes", "0", "--sizes"},
        {"--sizes", "", "--sizes"},
        {"--sizes", "10,", "--sizes"},
        {"--sizes", "10,,20", "--sizes"},
        {"--sizes", "16777217", "--sizes"},
        {"--sizes", "10x", "10x"},
        {"--sizes", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "at most 16"},
        {"--sizes", "0000000000000000000000000000001,2", "--sizes"},
        {"--views", "65", "--views"},
        {"--rounds", "0", "--rounds"},
        {"--milliseconds", "-1", "-1"},
        {"--scenes", "", "--scenes"},
        {"--scenes", "a,,b", "--scenes"},
        {"--scenes", "a,", "--scenes"},
        {"--scenes", "a,b,c,d,e", "at most 4"},
        {"--churn", "1000000001", "--churn"},
        {"--kernel", "mmx", "mmx"},
        {"--peers", "maybe", "maybe"},
        {"--cold", "maybe", "--cold"},
        {"--worlds", "maybe", "--worlds"},
        {"--speed", "1", "--speed"},
        {"-x", "1", "-x"},
        {"file", "--views=1", "file"},
        {"--csv", "--views", "looks like an option"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        bench_options options;
        char message[256] = "";
        const char *arguments[] = {"bench", wrong[i][0], wrong[i][1]};
        CHECK(!parse(3, arguments, &options, message, sizeof message));
        CHECK(strstr(message, wrong[i][2]));
    }
}

static bench_options small_options(void)
{
    return (bench_options){.views = 6, .rounds = 2, .seconds = 1e-6};
}

static const measure_row *find(const measure_rows *rows, uint32_t items, const char *measure,
                               const char *detail, const char *state)
{
    return rows_find(rows, items, bench_acre.name, measure, detail, state);
}

static void every_contender_finds_the_reference_sets_fresh_and_moved(void)
{
    bench_options options = small_options();
    options.has_peers = true;
    measure_rows rows = {0};
    bench_contest contest;
    CHECK(contest_create(&contest, &options, 1000, &rows));
    CHECK(contest_check(&contest));
    CHECK(measure_refresh(&contest) && measure_bursts(&contest) && contest_check(&contest));
    for (uint32_t i = 0; i < contest.entrant_count; i++) {
        const contest_entrant *const entrant = &contest.entrants[i];
        // Two checks of four kinds with six views and one kind with one.
        CHECK(entrant->faults.sets == 2 * (4 * 6 + 1));
        CHECK(entrant->faults.missing_seen == 0);
        CHECK(!entrant->what->is_exact || entrant->faults.different == 0);
    }
    CHECK(contest.entrant_count >= 6);
    rows_free(&rows);
    contest_free(&contest);
}

static void a_lost_item_is_noticed_and_named(void)
{
    const bench_options options = small_options();
    measure_rows rows = {0};
    bench_contest contest;
    CHECK(contest_create(&contest, &options, 300, &rows));
    CHECK(contest_check(&contest));
    contest_entrant *const acre = &contest.entrants[0];
    CHECK(acre->what->remove(acre->state, &(uint32_t){7}, 1));
    CHECK(!contest_check(&contest));
    CHECK(strstr(contest.message, "acre") && strstr(contest.message, "not the reference set"));
    CHECK(acre->faults.missing == 1 && acre->faults.extra == 0);
    rows_free(&rows);
    contest_free(&contest);
}

static void an_item_that_is_elsewhere_now_is_noticed(void)
{
    const bench_options options = small_options();
    measure_rows rows = {0};
    bench_contest contest;
    CHECK(contest_create(&contest, &options, 300, &rows));
    for (uint32_t item = 0; item < contest.workload.count; item++) {
        for (int k = 0; k < 2; k++) {
            contest.workload.boxes[item].min[2 * k] += 50.0f;
            contest.workload.boxes[item].max[2 * k] += 50.0f;
        }
    }
    CHECK(!contest_check(&contest));
    CHECK(contest.entrants[0].faults.missing + contest.entrants[0].faults.extra > 0);
    rows_free(&rows);
    contest_free(&contest);
}

// Counters alone are judged: they are the same on every machine.
static void a_churned_tree_looks_at_little_more_than_a_fresh_one(void)
{
    bench_options options = small_options();
    options.churn = 200000;
    measure_rows rows = {0};
    bench_contest contest;
    CHECK(contest_create(&contest, &options, 2000, &rows));
    const uint64_t before = country_hash(&contest.workload);
    CHECK(measure_churn(&contest));
    CHECK(country_hash(&contest.workload) == before);
    for (uint32_t i = 0; i < contest.entrant_count; i++) {
        const bench_contender *const what = contest.entrants[i].what;
        CHECK(!what->is_exact || contest.entrants[i].faults.different == 0);
        CHECK(!what->remove || !what->refresh || contest.entrants[i].faults.sets == 4 * 4 + 1);
    }
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        const char *const detail = view_kind_name((view_kind)kind);
        const measure_row *const aged = find(&rows, 2000, "churn items", detail, "aged");
        const measure_row *const fresh = find(&rows, 2000, "churn items", detail, "fresh");
        CHECK(aged && fresh && aged->value.median <= 1.1 * fresh->value.median);
    }
    const measure_row *const done = find(&rows, 2000, "churn operations", "", "");
    CHECK(done && done->value.median >= 200000.0);
    rows_free(&rows);
    contest_free(&contest);
}

static void half_of_a_small_world_and_ten_thousand_of_a_large_one_spawn_at_once(void)
{
    CHECK(measure_burst_items(1) == 1 && measure_burst_items(7) == 4);
    CHECK(measure_burst_items(19998) == 9999 && measure_burst_items(1000000) == 10000);
    bench_options options = small_options();
    measure_rows rows = {0};
    bench_contest contest;
    CHECK(contest_create(&contest, &options, 1, &rows));
    CHECK(measure_bursts(&contest) && contest_check(&contest));
    CHECK(find(&rows, 1, "spawn", "spawning", "") && find(&rows, 1, "despawn", "spawning", "") &&
          find(&rows, 1, "teleport", "teleporting", ""));
    rows_free(&rows);
    contest_free(&contest);
}

// Every length of the last vector, every instruction set of this processor.
static void loops_find_the_reference_sets_for_every_number_of_boxes(void)
{
    static const acre_kernel kernels[] = {ACRE_KERNEL_SCALAR, ACRE_KERNEL_SSE4, ACRE_KERNEL_AVX2,
                                          ACRE_KERNEL_AVX512};
    uint64_t sets = 0, kernel_count = 0;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        if (k > 0 && !bench_simd_loop(kernels[k])) {
            continue;
        }
        kernel_count++;
        for (uint32_t count = 1; count <= 49; count++) {
            bench_options options = small_options();
            options.views = 2;
            options.kernel = kernels[k];
            measure_rows rows = {0};
            bench_contest contest;
            CHECK(contest_create(&contest, &options, count, &rows));
            CHECK(contest_check(&contest));
            sets += contest.entrants[0].faults.sets;
            contest_free(&contest);
        }
    }
    CHECK(sets == kernel_count * 49 * (4 * 2 + 1));
}

static void a_measured_contest_has_a_row_for_every_column(void)
{
    static const char *const states[] = {"hot", "cold L2", "cold L3"};
    const bench_options options = small_options();
    measure_rows rows = {0};
    bench_contest contest;
    CHECK(contest_create(&contest, &options, 200, &rows));
    CHECK(contest_check(&contest) && measure_building(&contest) && measure_refresh(&contest) &&
          measure_hot_queries(&contest) && measure_cold_queries(&contest));
    for (int i = 0; i < 3 * VIEW_KIND_COUNT_; i++) {
        const measure_row *const row =
            find(&rows, 200, "query", view_kind_name((view_kind)(i / 3)), states[i % 3]);
        CHECK(row && row->value.count > 0 && row->value.least <= row->value.median);
        CHECK(row->value.p999 <= row->value.most);
    }
    const measure_row *const visible = find(&rows, 200, "items visible", "whole", "");
    CHECK(visible && visible->value.median > 199.5 && visible->value.median < 200.5);
    const measure_row *const memory = find(&rows, 200, "memory", "", "");
    CHECK(memory && memory->value.median > 24.0);
    CHECK(find(&rows, 200, "refresh", "2 % moving", "") && find(&rows, 200, "remove", "", ""));
    CHECK(!find(&rows, 201, "memory", "", ""));
    rows_free(&rows);
    contest_free(&contest);
}

static void the_highest_of_a_thousand_is_left_out_of_p999(void)
{
    sample_list list = {0};
    CHECK(samples_reserve(&list, 2000));
    for (int i = 0; i < 999; i++) {
        samples_add(&list, 1.0 + i);
    }
    CHECK(samples_summarise(&list).p999 >= 999.0 && samples_summarise(&list).p999 <= 999.0);
    samples_add(&list, 5000.0);
    CHECK(samples_summarise(&list).p999 <= 999.0 && samples_summarise(&list).most >= 5000.0);
    samples_free(&list);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(options_have_the_defaults_that_the_help_names),
        TEST(queries_have_defaults_of_their_own_and_no_pairs_beside_them),
        TEST(pairs_have_defaults_of_their_own_and_no_queries_beside_them),
        TEST(scenes_are_named_files_or_none),
        TEST(options_take_every_flag),
        TEST(wrong_options_are_refused_by_name),
        TEST(every_contender_finds_the_reference_sets_fresh_and_moved),
        TEST(a_lost_item_is_noticed_and_named),
        TEST(an_item_that_is_elsewhere_now_is_noticed),
        TEST(a_churned_tree_looks_at_little_more_than_a_fresh_one),
        TEST(half_of_a_small_world_and_ten_thousand_of_a_large_one_spawn_at_once),
        TEST(loops_find_the_reference_sets_for_every_number_of_boxes),
        TEST(a_measured_contest_has_a_row_for_every_column),
        TEST(the_highest_of_a_thousand_is_left_out_of_p999),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
