// SPDX-License-Identifier: MIT
// test_agents.c - agents that bounce: energy, pairs, memory, and the check that watches them.
#include "test.h"

#include "agents_run.h"
#include "png_writer.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

// Leaves of 64 agents on average, so that a small world has several.
static agents_def def_of(uint32_t count)
{
    return (agents_def){.count = count, .seed = test_seed, .area = 4.0f, .node_capacity = 128};
}

// Steps, and checks the pairs of every `every`th. False where something failed.
static bool run_steps(agents_world *world, uint32_t steps, uint32_t every, size_t *pairs)
{
    for (uint32_t i = 0; i < steps; i++) {
        if (agents_step(world, NULL) != ACRE_OK) {
            return false;
        }
        *pairs += world->pair_count;
        agents_difference difference;
        if (i % every == 0 &&
            (!agents_check(world, &difference) || difference.verdict != AGENTS_EQUAL)) {
            return false;
        }
    }
    return true;
}

static void energy_stays_over_ten_thousand_frames_and_no_pair_is_missed(void)
{
    const agents_def def = def_of(500);
    agents_world world;
    CHECK(agents_create(&def, &world) == ACRE_OK);
    const double energy = agents_energy(&world);
    uint64_t bounces = 0;
    size_t pairs = 0;
    for (int part = 0; part < 100; part++) {
        CHECK(run_steps(&world, 100, 25, &pairs));
        bounces += world.bounces;
        const double ratio = agents_energy(&world) / energy;
        CHECK(ratio > 0.9999 && ratio < 1.0001);
    }
    CHECK(world.step == 10000);
    CHECK(pairs > 10000 && bounces > 100); // they do meet
    CHECK(world.steady_changes == 0);
    agents_free(&world);
}

static void agents_stay_between_the_walls_and_on_the_ground(void)
{
    const agents_def def = def_of(300);
    agents_world world;
    size_t pairs = 0;
    CHECK(agents_create(&def, &world) == ACRE_OK);
    for (int part = 0; part < 20; part++) {
        CHECK(run_steps(&world, 50, 50, &pairs));
        for (uint32_t i = 0; i < def.count; i++) {
            const acre_aabb box = agents_box(&world, i);
            CHECK(fabsf(box.min[0]) <= world.half_size && fabsf(box.max[0]) <= world.half_size);
            CHECK(fabsf(box.min[2]) <= world.half_size && fabsf(box.max[2]) <= world.half_size);
            CHECK(box.min[1] == 0.0f);
        }
    }
    agents_free(&world);
}

static void agents_start_apart_and_at_the_asked_density(void)
{
    for (uint32_t count = 1; count < 2000; count += 1 + count / 3) {
        agents_def def = def_of(count);
        def.area = 0.0f;
        agents_world world;
        acre_pair *pairs;
        size_t pair_count;
        CHECK(agents_create(&def, &world) == ACRE_OK);
        CHECK(agents_pairs_by_loop(&world, &pairs, &pair_count));
        free(pairs);
        CHECK(pair_count == 0);
        const float area = 4.0f * world.half_size * world.half_size;
        CHECK(area > 0.99f * AGENTS_DEFAULT_AREA * (float)count);
        CHECK(area < 1.01f * AGENTS_DEFAULT_AREA * (float)count + 20.0f);
        agents_free(&world);
    }
}

static void no_memory_is_taken_after_the_first_second_also_where_agents_come_and_go(void)
{
    static const uint32_t churn[] = {0, 10, 100};
    for (int i = 0; i < 3; i++) {
        agents_def def = def_of(2000);
        def.churn_percent = churn[i];
        def.is_shuffled = i > 0;
        agents_world world;
        size_t pairs = 0;
        CHECK(agents_create(&def, &world) == ACRE_OK);
        CHECK(run_steps(&world, AGENTS_WARM_UP, 30, &pairs));
        const size_t bytes = world.memory->bytes;
        const uint64_t calls = world.memory->calls;
        CHECK(calls > 0);
        CHECK(run_steps(&world, 400, 100, &pairs));
        acre_quadtree_stats stats;
        acre_quadtree_get_stats(world.tree, &stats);
        CHECK(stats.items == def.count && world.memory->bytes == bytes);
        CHECK(world.memory->calls == calls && world.steady_changes == 0);
        CHECK(acre_quadtree_validate(world.tree, NULL, 0) == ACRE_OK);
        agents_free(&world);
    }
}

// Of a run in one kernel; 0 where the processor lacks it.
static uint64_t hash_in_kernel(acre_kernel kernel, uint64_t seed, uint32_t churn)
{
    agents_def def = def_of(600);
    def.kernel = kernel;
    def.seed = seed;
    def.churn_percent = churn;
    agents_world world;
    if (agents_create(&def, &world) != ACRE_OK) {
        return 0;
    }
    size_t pairs = 0;
    const bool is_good = run_steps(&world, 200, 50, &pairs);
    const uint64_t hash = is_good ? agents_hash(&world) : 1;
    agents_free(&world);
    return hash;
}

static void a_seed_gives_the_same_run_in_every_kernel(void)
{
    for (uint32_t churn = 0; churn <= 20; churn += 20) {
        const uint64_t scalar = hash_in_kernel(ACRE_KERNEL_SCALAR, test_seed, churn);
        CHECK(scalar > 1);
        for (int kernel = ACRE_KERNEL_DEFAULT; kernel < ACRE_KERNEL_COUNT_; kernel++) {
            const uint64_t hash = hash_in_kernel((acre_kernel)kernel, test_seed, churn);
            CHECK(hash == scalar || (hash == 0 && kernel > ACRE_KERNEL_SCALAR));
        }
        CHECK(hash_in_kernel(ACRE_KERNEL_SCALAR, test_seed + 1, churn) != scalar);
    }
}

static void the_grid_of_the_check_finds_what_a_plain_loop_finds(void)
{
    static const float areas[] = {4.0f, 9.0f, 900.0f};
    for (int i = 0; i < 3; i++) {
        agents_def def = def_of(700);
        def.area = areas[i];
        agents_world world;
        acre_pair *grid = NULL, *loop = NULL;
        size_t grid_count, loop_count, pairs = 0;
        CHECK(agents_create(&def, &world) == ACRE_OK);
        CHECK(run_steps(&world, 200, 200, &pairs));
        if (i == 0) { // some far outside the grid, a heap of them in one place
            for (uint32_t k = 0; k < 20; k++) {
                world.agents[k].center[0] = k < 10 ? 500.0f : -500.0f;
                world.agents[k].center[2] = 7.0f;
                world.agents[k + 20].center[0] = world.agents[k + 40].center[0] = 0.0f;
                world.agents[k + 20].center[2] = world.agents[k + 40].center[2] = 0.0f;
            }
        }
        CHECK(agents_pairs_by_grid(&world, &grid, &grid_count));
        CHECK(agents_pairs_by_loop(&world, &loop, &loop_count));
        CHECK(grid_count == loop_count && (i > 0 || loop_count > 700));
        CHECK(loop_count == 0 || memcmp(grid, loop, loop_count * sizeof *loop) == 0);
        free(grid);
        free(loop);
        agents_free(&world);
    }
}

// The verdict on the pairs as they stand.
static agents_difference judge(const agents_world *world)
{
    agents_difference difference = {.verdict = AGENTS_EQUAL, .pair = {~0u, ~0u}};
    return agents_check(world, &difference) ? difference : (agents_difference){0};
}

static void the_check_tells_a_missed_a_foreign_and_a_doubled_pair(void)
{
    const agents_def def = def_of(400);
    agents_world world;
    size_t pairs = 0;
    CHECK(agents_create(&def, &world) == ACRE_OK);
    CHECK(run_steps(&world, 100, 50, &pairs) && world.pair_count > 2);
    CHECK(judge(&world).verdict == AGENTS_EQUAL);
    const acre_pair last = world.pairs[world.pair_count - 1];
    world.pair_count--;
    agents_difference found = judge(&world);
    CHECK(found.verdict == AGENTS_MISSED && found.pair.a == last.a && found.pair.b == last.b);
    CHECK(found.expected == world.pair_count + 1);
    world.pairs[world.pair_count++] = last;
    world.pairs[world.pair_count++] = last;
    found = judge(&world);
    CHECK(found.verdict == AGENTS_TWICE && found.pair.a == last.a && found.pair.b == last.b);
    world.pairs[world.pair_count - 1] = (acre_pair){0, 400};
    found = judge(&world);
    CHECK(found.verdict == AGENTS_FOREIGN && found.pair.b == 400);
    agents_free(&world);
}

// An agent that the tree has lost is missed by a run with checks, which then stops.
static void a_run_stops_at_the_first_missed_pair(void)
{
    const agents_options options = {.def = def_of(400), .frames = 300, .check_every = 1};
    agents_world world;
    agents_record record;
    CHECK(agents_create(&options.def, &world) == ACRE_OK);
    CHECK(agents_run(&world, &options, &record));
    CHECK(record.frames == 300 && record.checked_frames == 300 && record.checked_pairs > 300);
    CHECK(record.difference.verdict == AGENTS_EQUAL && record.error[0] == '\0');
    CHECK(record.samples[MEASURE_FRAME].count == 240);
    agents_record_free(&record);
    for (uint32_t i = 0; i < 40; i++) {
        CHECK(acre_quadtree_remove(world.tree, 10 * i) == ACRE_OK);
    }
    CHECK(!agents_run(&world, &options, &record));
    CHECK(record.difference.verdict == AGENTS_MISSED && record.frames < 300);
    CHECK(record.difference.pair.a % 10 == 0 || record.difference.pair.b % 10 == 0);
    agents_record_free(&record);
    agents_free(&world);
}

static void a_picture_is_written_as_png(void)
{
    static const uint8_t pixels[] = {0, 1, 2, 2, 1, 15};
    static const png_byte expected[][3] = {{0x0a, 0x0e, 0x14}, {0x6d, 0x86, 0xa6},
                                           {0xff, 0xa6, 0x40}, {0xff, 0xa6, 0x40},
                                           {0x6d, 0x86, 0xa6}, {0xff, 0xff, 0xff}};
    const png_picture picture = {.width = 3,
                                 .height = 2,
                                 .pixels = pixels,
                                 .colors = {0x0a0e14, 0x6d86a6, 0xffa640, [15] = 0xffffff}};
    png_byte read[sizeof expected];
    png_image image = {.version = PNG_IMAGE_VERSION};
    CHECK(png_write(&picture, "test_agents.png"));
    CHECK(png_image_begin_read_from_file(&image, "test_agents.png"));
    CHECK(image.width == 3 && image.height == 2);
    image.format = PNG_FORMAT_RGB;
    CHECK(png_image_finish_read(&image, NULL, read, 0, NULL));
    remove("test_agents.png");
    CHECK(memcmp(read, expected, sizeof expected) == 0);
    CHECK(!png_write(&picture, "/dev/null/test_agents.png"));
}

// Two agents alone on a line, the first one as large as told, at speeds u and v towards each other.
static bool meet_on_a_line(float side, float u, float v, float *after)
{
    agents_def def = def_of(2);
    def.area = 100.0f;
    agents_world world;
    if (agents_create(&def, &world) != ACRE_OK) {
        return false;
    }
    world.agents[0] = (agent){{-1.0f, 0.5f, 0.1f}, {0.5f * side, 0.5f, 0.5f * side}, {u, 0.0f}};
    world.agents[1] = (agent){{1.0f, 0.5f, 0.0f}, {0.5f, 0.5f, 0.5f}, {v, 0.0f}};
    size_t pairs = 0;
    const bool is_good = run_steps(&world, 40, 1, &pairs);
    after[0] = world.agents[0].velocity[0];
    after[1] = world.agents[1].velocity[0];
    const bool is_straight =
        world.agents[0].velocity[1] == 0.0f && world.agents[1].velocity[1] == 0.0f;
    agents_free(&world);
    return is_good && is_straight && pairs > 0;
}

static void equal_agents_exchange_their_speeds_others_keep_momentum_and_energy(void)
{
    float after[2];
    CHECK(meet_on_a_line(1.0f, 2.0f, -1.0f, after));
    CHECK(fabsf(after[0] + 1.0f) < 1e-6f && fabsf(after[1] - 2.0f) < 1e-6f);
    CHECK(meet_on_a_line(1.5f, 2.0f, -1.0f, after));
    CHECK(fabsf(2.25f * after[0] + after[1] - (2.25f * 2.0f - 1.0f)) < 1e-5f);
    CHECK(fabsf(2.25f * after[0] * after[0] + after[1] * after[1] - (2.25f * 4.0f + 1.0f)) < 1e-5f);
    CHECK(after[1] > after[0]);
}

static void a_bad_def_is_refused(void)
{
    static const agents_def defs[] = {
        {.count = 0},
        {.count = AGENTS_MAX + 1},
        {.count = 10, .area = 3.9f},
        {.count = 10, .area = NAN},
        {.count = 10, .area = 2.0e6f},
        {.count = 10, .churn_percent = 101},
        {.count = 10, .kernel = ACRE_KERNEL_COUNT_},
    };
    for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
        agents_world world;
        CHECK(agents_create(&defs[i], &world) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(!world.tree && !world.agents && !world.pairs);
    }
}

static const test_case cases[] = {
    TEST(energy_stays_over_ten_thousand_frames_and_no_pair_is_missed),
    TEST(agents_stay_between_the_walls_and_on_the_ground),
    TEST(agents_start_apart_and_at_the_asked_density),
    TEST(no_memory_is_taken_after_the_first_second_also_where_agents_come_and_go),
    TEST(a_seed_gives_the_same_run_in_every_kernel),
    TEST(the_grid_of_the_check_finds_what_a_plain_loop_finds),
    TEST(the_check_tells_a_missed_a_foreign_and_a_doubled_pair),
    TEST(a_run_stops_at_the_first_missed_pair),
    TEST(a_picture_is_written_as_png),
    TEST(equal_agents_exchange_their_speeds_others_keep_momentum_and_energy),
    TEST(a_bad_def_is_refused),
};

int main(int argc, char **argv)
{
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
