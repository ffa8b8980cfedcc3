// SPDX-License-Identifier: MIT
// test_scene_random.c - random streams of edits, commits, refreshes and trims against the oracle.
#include "scene_oracle.h"

// Runs a stream of rounds; each has up to `edits` edits, then a refresh or a commit.
static const char *run_stream(uint64_t seed, int limit, uint32_t rounds, uint32_t edits)
{
    scene_oracle oracle;
    const char *fault = NULL;
    if (!scene_oracle_init(&oracle, &(acre_scene_def){.scene = 5}, limit, seed)) {
        fault = "memory of the test";
    }
    oracle.sets_worlds = seed % 2;
    oracle.shifts = seed % 3 == 0;
    for (uint32_t round = 0; !fault && round < rounds; round++) {
        for (uint32_t i = random_below(&oracle.random, edits + 1); !fault && i > 0; i--) {
            fault = scene_oracle_edit(&oracle);
        }
        if (!fault && random_below(&oracle.random, 4) == 0) {
            fault = scene_oracle_refresh(&oracle);
        } else if (!fault) {
            fault = scene_oracle_commit(&oracle);
        }
        fault = fault ? fault : scene_oracle_check(&oracle);
        if (!fault && random_below(&oracle.random, 4) == 0) {
            fault = acre_scene_trim(oracle.scene) == ACRE_OK ? scene_oracle_check(&oracle) : "trim";
        }
    }
    if (fault) {
        printf("stream %llu: %s\n", (unsigned long long)seed, fault);
    }
    scene_oracle_free(&oracle);
    return fault;
}

static void small_scenes_follow_the_oracle_after_every_edit(void)
{
    for (uint32_t i = 0; i < 60 * test_scale; i++) {
        CHECK(run_stream(test_seed + i, 6, 150, 1) == NULL);
    }
}

static void middling_scenes_follow_the_oracle(void)
{
    for (uint32_t i = 0; i < 12 * test_scale; i++) {
        CHECK(run_stream(test_seed + 1000 + i, 60, 60, 20) == NULL);
    }
}

static void large_edits_of_large_scenes_follow_the_oracle(void)
{
    for (uint32_t i = 0; i < 2 * test_scale; i++) {
        CHECK(run_stream(test_seed + 2000 + i, 500, 12, 700) == NULL);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(small_scenes_follow_the_oracle_after_every_edit),
        TEST(middling_scenes_follow_the_oracle),
        TEST(large_edits_of_large_scenes_follow_the_oracle),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
