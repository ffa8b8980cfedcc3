// SPDX-License-Identifier: MIT
// test_quadtree_random.c - random streams of every call against brute force and the textbook twin.
#include "quadtree_stream.h"
#include "test.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#define LONGEST 4000

// Operations with all checks after each. Sanitizers make a tree ten times slower, and Windows is a
// guest under wine here: there the streams are a part of those that random_release.sh runs.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(_WIN32)
#define IS_SHORT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define IS_SHORT 1
#endif
#endif
#ifdef IS_SHORT
enum { CHECKED_OPERATIONS = 100000, LARGE_STREAMS = 3, REPEATED_STREAMS = 6 };
#else
enum { CHECKED_OPERATIONS = 2100000, LARGE_STREAMS = 24, REPEATED_STREAMS = 60 };
#endif

static const tall_world building = {TALL_STOREYS, 16, 60, 0};
static const tall_world towers = {TALL_TOWERS, 100, 80, 0.7f};
static const tall_world airport = {TALL_AEROPLANES, 200, 1, 0.2f};
static const tall_world caves = {TALL_CAVES, 200, 1, 0.5f};

// Trees whose roots grow and shrink, whose leaves split at once or never, far from the origin, tiny
// and huge, full of heights; spread makes the boxes' ground larger than the tree's.
static const stream_def small_trees[] = {
    {.tree = {.half_size = 64, .max_depth = 6, .node_capacity = 4}, .items = 100},
    {.tree = {.half_size = 64, .max_depth = 8, .node_capacity = 1}, .items = 60, .spread = 2},
    {.tree = {.half_size = 1, .max_depth = 1, .node_capacity = 1}, .items = 40, .spread = 64},
    {.tree = {.half_size = 8, .max_depth = 3, .node_capacity = 4}, .items = 120, .spread = 16},
    {.tree = {.half_size = 100, .max_depth = 20, .node_capacity = 2}, .items = 80},
    {.tree = {.half_size = 1024}, .items = 150, .spread = 1},
    {.tree = {.center = {1e6f, -1e6f}, .half_size = 100, .max_depth = 10, .node_capacity = 4},
     .items = 100,
     .spread = 4},
    {.tree = {.center = {1e9f, 3}, .half_size = 10, .max_depth = 12, .node_capacity = 2},
     .items = 60,
     .spread = 1000},
    {.tree = {.center = {0.3f, -7.7f}, .half_size = 3.7f, .max_depth = 5, .node_capacity = 8},
     .items = 100,
     .spread = 3},
    {.tree = {.half_size = 0x1p-20f, .max_depth = 4, .node_capacity = 2}, .items = 60, .spread = 8},
    {.tree = {.half_size = 1e12f, .max_depth = 14, .node_capacity = 3}, .items = 80},
    {.tree = {.half_size = 4, .max_depth = 20, .node_capacity = 1}, .items = 24, .spread = 1e5f},
    {.tree = {.half_size = 200, .max_depth = 9, .node_capacity = 16}, .items = 250, .spread = 2},
    {.tree = {.half_size = 32, .max_depth = 10, .node_capacity = 192},
     .items = 600,
     .spread = 1.5f},
    // Far from the tree's square, so that it is built on other lattices.
    {.tree = {.node_capacity = 16}, .items = 300, .spread = 2, .offset = {5.7e6f, -3e7f}},
    {.tree = {.half_size = 4, .max_depth = 20, .node_capacity = 4},
     .items = 260,
     .spread = 500,
     .offset = {573000, -6136000}},
    {.tree = {.half_size = 16, .max_depth = 18, .node_capacity = 2},
     .items = 220,
     .offset = {-1e12f, 1e11f}},
    {.tree = {.half_size = 16, .max_depth = 7, .node_capacity = 4},
     .items = 200,
     .tall = &building},
    {.tree = {.half_size = 64, .max_depth = 9, .node_capacity = 2},
     .items = 150,
     .spread = 2,
     .tall = &towers},
    {.tree = {.half_size = 200, .max_depth = 10, .node_capacity = 3},
     .items = 100,
     .tall = &airport},
    {.tree = {.half_size = 2, .max_depth = 2, .node_capacity = 1}, .items = 80, .tall = &caves},
};

static const stream_def large_trees[] = {
    {.tree = {.half_size = 512, .max_depth = 10}, .items = 3000, .validate_every = 256},
    {.tree = {.half_size = 64, .max_depth = 8, .node_capacity = 16},
     .items = 2000,
     .validate_every = 128,
     .spread = 3},
    {.tree = {.half_size = 4, .max_depth = 4, .node_capacity = 64},
     .items = 2000,
     .validate_every = 128,
     .spread = 200},
    {.tree = {.half_size = 16, .max_depth = 11},
     .items = 3000,
     .validate_every = 256,
     .tall = &building},
};

// What all streams together made the trees do, so that none of it is left out unseen.
static stream_result sums;
static uint64_t operations;

static void add_result(const stream_result *result, size_t count)
{
    sums.found += result->found;
    sums.splits += result->splits;
    sums.collapses += result->collapses;
    sums.grows += result->grows;
    sums.shrinks += result->shrinks;
    sums.outliers += result->outliers;
    sums.lattices += result->lattices;
    sums.bands += result->bands;
    operations += count;
}

// Runs one stream; a failure is shrunk and printed.
static bool stream_holds(const stream_def *def, uint64_t seed, size_t count, stream_result *result)
{
    static stream_op ops[LONGEST];
    stream_generate(ops, count, seed, def->items);
    const bool ok = stream_run(def, ops, count, result);
    add_result(result, count);
    if (!ok) {
        printf("stream %llu, operation %zu: %s\n", (unsigned long long)seed, result->failed_at,
               result->message);
        count = stream_shrink(def, ops, result->failed_at + 1);
        stream_result shrunk;
        stream_run(def, ops, count, &shrunk);
        printf("shrunk to %zu operations: %s\n", count, shrunk.message);
        stream_print(def, ops, count, stdout);
    }
    return ok;
}

// Trees of many items need long streams to fill and to empty.
static size_t stream_length(const stream_def *def, uint32_t index)
{
    return def->items > 200 || index % 16 == 0 ? LONGEST : 750;
}

static void small_trees_agree_with_both_oracles_after_every_operation(void)
{
    const size_t kinds = sizeof small_trees / sizeof small_trees[0];
    const uint64_t target = (uint64_t)CHECKED_OPERATIONS * test_scale;
    sums = (stream_result){0};
    operations = 0;
    for (uint32_t i = 0; operations < target; i++) {
        const stream_def *const def = &small_trees[i % kinds];
        stream_result result;
        CHECK(stream_holds(def, test_seed * 1000003 + i, stream_length(def, i), &result));
    }
    printf("     %llu operations, each checked; %llu found, %llu splits, %llu collapses, "
           "%llu grows, %llu shrinks, %llu states with outliers, %llu lattices, %llu bands in all "
           "states\n",
           (unsigned long long)operations, (unsigned long long)sums.found,
           (unsigned long long)sums.splits, (unsigned long long)sums.collapses,
           (unsigned long long)sums.grows, (unsigned long long)sums.shrinks,
           (unsigned long long)sums.outliers, (unsigned long long)sums.lattices,
           (unsigned long long)sums.bands);
    CHECK(sums.lattices > 10);
    CHECK(sums.splits > 1000 && sums.collapses > 1000 && sums.grows > 1000);
    CHECK(sums.shrinks > 100 && sums.outliers > 10000 && sums.found > operations / 4);
    CHECK(sums.bands > operations);
}

static void large_trees_agree_with_both_oracles(void)
{
    for (uint32_t i = 0; i < LARGE_STREAMS * test_scale; i++) {
        stream_def def = large_trees[i % (sizeof large_trees / sizeof large_trees[0])];
        stream_result result;
        CHECK(stream_holds(&def, test_seed * 7919 + i, LONGEST, &result));
    }
}

static void the_same_calls_give_the_same_answers_order_and_state(void)
{
    const size_t kinds = sizeof small_trees / sizeof small_trees[0];
    for (uint32_t i = 0; i < REPEATED_STREAMS * test_scale; i++) {
        stream_def def = small_trees[i % kinds];
        def.validate_every = 64;
        stream_result first, second;
        CHECK(stream_holds(&def, test_seed * 31 + i, 1000, &first));
        CHECK(stream_holds(&def, test_seed * 31 + i, 1000, &second));
        CHECK(first.digest == second.digest);
    }
}

// ---- the host program's floating-point modes ----

// Denormals as zero, where the processor's register is known; the old value, to set it back.
static uint32_t flush_denormals(void)
{
#ifdef __SSE2__
    const uint32_t before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u); // FTZ, DAZ
    return before;
#else
    return 0;
#endif
}

static void restore_denormals(uint32_t before)
{
#ifdef __SSE2__
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

static void trees_are_right_in_programs_that_round_otherwise_or_flush_denormals(void)
{
    const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const size_t kinds = sizeof small_trees / sizeof small_trees[0];
    for (uint32_t i = 0; i < 8 * REPEATED_STREAMS * test_scale; i++) {
        const uint32_t before = i % 8 < 4 ? 0 : flush_denormals();
        CHECK(fesetround(roundings[i % 4]) == 0);
        stream_result result;
        const bool ok = stream_holds(&small_trees[i % kinds], test_seed * 17 + i, 500, &result);
        CHECK(fesetround(FE_TONEAREST) == 0);
        if (before) {
            restore_denormals(before);
        }
        CHECK(ok);
    }
}

// ---- the shrinker's own test ----

static bool never_three_with_five(const acre_quadtree *tree)
{
    return !(acre_quadtree_contains(tree, 3) && acre_quadtree_contains(tree, 5));
}

static void a_failing_stream_shrinks_to_the_calls_that_matter_and_prints_as_c(void)
{
    stream_def def = {.tree = {.half_size = 64, .max_depth = 6, .node_capacity = 4}, .items = 20};
    def.extra_check = never_three_with_five;
    static stream_op ops[600];
    stream_generate(ops, 600, test_seed, def.items);
    for (int i = 0; i < 600; i++) { // no one call brings both
        ops[i].kind = ops[i].kind == STREAM_INSERT_MANY ? STREAM_INSERT : ops[i].kind;
    }
    stream_result result;
    CHECK(!stream_run(&def, ops, 600, &result));
    CHECK(strcmp(result.message, "the planted check") == 0 && result.failed_at > 2);
    const size_t count = stream_shrink(&def, ops, result.failed_at + 1);
    CHECK(count == 2 && ops[0].kind == STREAM_INSERT && ops[1].kind == STREAM_INSERT);
    CHECK(ops[0].item + ops[1].item == 8 && !stream_run(&def, ops, count, &result));
    char text[2000] = {0};
    FILE *const out = tmpfile();
    CHECK(out);
    stream_print(&def, ops, count, out);
    rewind(out);
    const size_t length = fread(text, 1, sizeof text - 1, out);
    fclose(out);
    CHECK(length > 0 && strstr(text, "acre_quadtree_insert(tree, 3, &(acre_aabb){{"));
    CHECK(strstr(text, "acre_quadtree_insert(tree, 5, &(acre_aabb){{"));
    CHECK(strstr(text, "== ACRE_OK);") && strstr(text, "acre_quadtree_destroy(tree);"));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_failing_stream_shrinks_to_the_calls_that_matter_and_prints_as_c),
        TEST(small_trees_agree_with_both_oracles_after_every_operation),
        TEST(large_trees_agree_with_both_oracles),
        TEST(the_same_calls_give_the_same_answers_order_and_state),
        TEST(trees_are_right_in_programs_that_round_otherwise_or_flush_denormals),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
