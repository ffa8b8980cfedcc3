// SPDX-License-Identifier: MIT
// test_quadtree_memory.c - the tree when memory is short, and how much memory it takes and returns.
//
// Words used here:
//     k     the number of the allocator's request that fails, counted from the start of a call
#include "quadtree_stream.h"
#include "test.h"
#include "tree_helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "told_calls.h"

// ---- one call at a time, every k ----

// A tree with an allocator of its own and what is needed to call it.
typedef struct bench {
    failing_allocator memory;
    acre_quadtree *tree;
    test_random random;
    bool gives_layers; // to what it inserts
} bench;

typedef struct call_case {
    const char *name;
    bool (*prepare)(bench *on); // from an empty tree to right before the call; no failures yet
    acre_result (*call)(bench *on);
    uint64_t least_requests; // the case is about a call that asks for memory at least so often
} call_case;

enum { CROWD = 383 }; // one more item needs one block more

static acre_aabb crowd_box(test_random *random)
{
    const float x = random_float(random, -60, 60);
    return box_at(x, random_float(random, -60, 60), 0.25f);
}

static bool insert_crowd(bench *on, uint32_t count)
{
    bool ok = true;
    for (uint32_t item = 0; item < count && ok; item++) {
        const acre_aabb box = crowd_box(&on->random);
        ok = acre_quadtree_insert(on->tree, item, &box) == ACRE_OK;
    }
    return ok;
}

static bool prepare_empty(bench *on)
{
    return on->tree != NULL;
}

static bool prepare_crowd(bench *on)
{
    return insert_crowd(on, CROWD);
}

// Exactly as many items as the arrays have room for, so that the next one makes them grow.
static bool prepare_trimmed(bench *on)
{
    return insert_crowd(on, CROWD) && acre_quadtree_trim(on->tree) == ACRE_OK;
}

static bool prepare_trimmed_with_layers(bench *on)
{
    return insert_crowd(on, CROWD) && acre_quadtree_set_layers(on->tree, 7, 2) == ACRE_OK &&
           acre_quadtree_trim(on->tree) == ACRE_OK;
}

// As many small items in one cell as it can hold; the next one splits it.
static bool prepare_full_leaf(bench *on)
{
    for (uint32_t item = 0; item < 4; item++) {
        const acre_aabb box = box_at(-60.0f + 30.0f * (float)item, 10, 0.25f);
        if (acre_quadtree_insert(on->tree, item, &box) != ACRE_OK) {
            return false;
        }
    }
    return acre_quadtree_trim(on->tree) == ACRE_OK;
}

static bool prepare_sparse(bench *on)
{
    for (uint32_t item = 0; item < CROWD; item += 3) {
        const acre_aabb box = crowd_box(&on->random);
        if (acre_quadtree_insert(on->tree, item, &box) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

static bool prepare_emptied(bench *on)
{
    bool ok = insert_crowd(on, CROWD);
    for (uint32_t item = 0; item < CROWD && ok; item++) {
        ok = item % 16 == 0 || acre_quadtree_remove(on->tree, item) == ACRE_OK;
    }
    return ok;
}

static acre_result call_insert(bench *on)
{
    const acre_aabb box = box_at(3, 3, 0.25f);
    return acre_quadtree_insert(on->tree, CROWD + 1000, &box);
}

// Far away, so that the root grows by many levels.
static acre_result call_insert_far(bench *on)
{
    const acre_aabb box = box_at(100000, -100000, 0.25f);
    return acre_quadtree_insert(on->tree, CROWD, &box);
}

static acre_result call_insert_outlier(bench *on)
{
    const acre_aabb box = {{-3e38f, 0, 0}, {3e38f, 1, 1}};
    return acre_quadtree_insert(on->tree, CROWD, &box);
}

static acre_result call_reserve(bench *on)
{
    return acre_quadtree_reserve(on->tree, 100000);
}

static acre_result call_set_layers(bench *on)
{
    return acre_quadtree_set_layers(on->tree, 3, 5);
}

// Each item somewhere else: cells split and collapse, the root grows.
static acre_result call_refresh_far(bench *on)
{
    acre_aabb boxes[CROWD];
    uint32_t items[CROWD];
    for (uint32_t item = 0; item < CROWD; item++) {
        items[item] = item;
        boxes[item] = box_at(random_float(&on->random, 0, 4), random_float(&on->random, 0, 4),
                             item % 50 == 0 ? 3000.0f : 0.01f);
    }
    boxes[0] = box_at(5000, 5000, 1);
    return acre_quadtree_refresh_many(on->tree, items, boxes, CROWD);
}

static acre_result call_refresh_all(bench *on)
{
    acre_aabb boxes[CROWD];
    for (uint32_t item = 0; item < CROWD; item++) {
        boxes[item] =
            box_at(random_float(&on->random, 0, 4), random_float(&on->random, 0, 4), 0.01f);
    }
    boxes[0] = box_at(5000, 5000, 1);
    return acre_quadtree_refresh_all(on->tree, boxes, CROWD);
}

static acre_result call_trim(bench *on)
{
    return acre_quadtree_trim(on->tree);
}

// More than the tree holds: it is built anew.
static acre_result call_insert_many(bench *on)
{
    static acre_aabb boxes[2 * CROWD];
    static uint32_t items[2 * CROWD];
    for (uint32_t i = 0; i < 2 * CROWD; i++) {
        items[i] = CROWD + i;
        boxes[i] = crowd_box(&on->random);
    }
    boxes[5] = box_at(5000, 5000, 1);
    return on->gives_layers
               ? acre_quadtree_insert_many_in_layers(on->tree, items, boxes, items, 2 * CROWD)
               : acre_quadtree_insert_many(on->tree, items, boxes, 2 * CROWD);
}

static acre_result call_insert_many_in_layers(bench *on)
{
    on->gives_layers = true;
    return call_insert_many(on);
}

// Less than the tree holds: they are inserted one by one, and all or none of them.
static acre_result call_insert_few(bench *on)
{
    acre_aabb boxes[CROWD / 3];
    uint32_t items[CROWD / 3];
    for (uint32_t i = 0; i < CROWD / 3; i++) {
        items[i] = CROWD + i;
        boxes[i] = box_at(random_float(&on->random, 0, 4), random_float(&on->random, 0, 4), 0.01f);
    }
    boxes[5] = box_at(5000, 5000, 1);
    return on->gives_layers
               ? acre_quadtree_insert_many_in_layers(on->tree, items, boxes, items, CROWD / 3)
               : acre_quadtree_insert_many(on->tree, items, boxes, CROWD / 3);
}

static acre_result call_insert_few_in_layers(bench *on)
{
    on->gives_layers = true;
    return call_insert_few(on);
}

// The first rows are in all layers, as they are without masks.
static acre_result call_set_layers_many(bench *on)
{
    uint32_t items[CROWD], layers[CROWD];
    for (uint32_t i = 0; i < CROWD; i++) {
        items[i] = i;
        layers[i] = i / 3;
    }
    return acre_quadtree_set_layers_many(on->tree, items, layers, CROWD);
}

static acre_result call_remove_many(bench *on)
{
    uint32_t items[CROWD];
    for (uint32_t i = 0; i < CROWD; i++) {
        items[i] = CROWD - 1 - i;
    }
    return acre_quadtree_remove_many(on->tree, items, CROWD - 9);
}

static acre_result call_optimize(bench *on)
{
    return acre_quadtree_optimize(on->tree);
}

static acre_result call_remove(bench *on)
{
    return acre_quadtree_remove(on->tree, 9);
}

static acre_result call_upkeep(bench *on)
{
    acre_result result = acre_quadtree_tighten(on->tree);
    for (int i = 0; i < 50 && result == ACRE_OK; i++) {
        result = acre_quadtree_maintain(on->tree);
    }
    return result;
}

static const call_case cases_of_calls[] = {
    {"first insert", prepare_empty, call_insert, 4},
    {"insert into full arrays", prepare_trimmed, call_insert, 4},
    {"insert into full arrays with layers", prepare_trimmed_with_layers, call_insert, 5},
    {"insert that splits a cell", prepare_full_leaf, call_insert, 5},
    {"insert that grows the root", prepare_trimmed, call_insert_far, 4},
    {"insert of an outlier", prepare_trimmed, call_insert_outlier, 1},
    {"reserve in an empty tree", prepare_empty, call_reserve, 5},
    {"reserve in a full tree", prepare_trimmed_with_layers, call_reserve, 6},
    {"first layers", prepare_crowd, call_set_layers, 1},
    {"refresh of all, far away", prepare_trimmed, call_refresh_far, 2},
    {"pull of all, far away", prepare_trimmed, call_refresh_all, 2},
    {"insert of many into an empty tree", prepare_empty, call_insert_many, 6},
    {"insert of many into full arrays", prepare_trimmed, call_insert_many, 7},
    {"insert of many into full arrays with layers", prepare_trimmed_with_layers, call_insert_many,
     8},
    {"insert of a few into full arrays", prepare_trimmed, call_insert_few, 4},
    {"insert of many in layers", prepare_empty, call_insert_many_in_layers, 7},
    {"insert of many in layers into full arrays", prepare_trimmed, call_insert_many_in_layers, 8},
    {"insert of a few in layers", prepare_trimmed, call_insert_few_in_layers, 5},
    {"first layers of many", prepare_crowd, call_set_layers_many, 1},
    {"remove of many", prepare_trimmed, call_remove_many, 0},
    {"optimize", prepare_crowd, call_optimize, 6},
    {"optimize of a sparse tree", prepare_emptied, call_optimize, 6},
    {"trim", prepare_emptied, call_trim, 5},
    {"trim of a sparse tree", prepare_sparse, call_trim, 3},
    {"remove", prepare_trimmed, call_remove, 0},
    {"tighten and maintain", prepare_trimmed, call_upkeep, 0},
};

static bool open_bench(bench *on, const call_case *which)
{
    on->random.state = 99;
    on->gives_layers = false;
    failing_allocator_init(&on->memory, FAIL_NEVER, 0);
    const acre_quadtree_def def = {.half_size = 64,
                                   .max_depth = 7,
                                   .node_capacity = 4,
                                   .item_capacity = 200000,
                                   .allocator = &on->memory.allocator};
    return acre_quadtree_create(&def, &on->tree) == ACRE_OK && which->prepare(on);
}

// The call with failures: it works, or it says so and nothing has changed, and works again when
// there is memory. `content` is what an undisturbed call makes of the tree.
static bool call_survives(const call_case *which, failing_mode mode, uint64_t k, uint64_t content,
                          bool *has_failed)
{
    bench on;
    bool ok = open_bench(&on, which);
    const uint64_t before = ok ? acre_quadtree_state_hash(on.tree) : 0;
    const test_random random = on.random;
    failing_allocator_arm(&on.memory, mode, k);
    acre_result result = ok ? which->call(&on) : ACRE_OK;
    *has_failed = on.memory.failed > 0;
    failing_allocator_arm(&on.memory, FAIL_NEVER, 0);
    if (ok && result == ACRE_ERROR_OUT_OF_MEMORY) {
        ok = *has_failed && acre_quadtree_state_hash(on.tree) == before && is_valid(on.tree);
        on.random = random;
        result = which->call(&on);
    }
    ok = ok && result == ACRE_OK && is_valid(on.tree) &&
         acre_quadtree_content_hash(on.tree) == content &&
         stats_of(on.tree).bytes == on.memory.live_bytes;
    acre_quadtree_destroy(on.tree);
    return ok && failing_allocator_verdict(&on.memory) == NULL;
}

// @return requests of the undisturbed call, UINT64_MAX on failure.
static uint64_t undisturbed_call(const call_case *which, uint64_t *content)
{
    bench on;
    bool ok = open_bench(&on, which);
    failing_allocator_arm(&on.memory, FAIL_NEVER, 0);
    ok = ok && which->call(&on) == ACRE_OK && is_valid(on.tree);
    *content = ok ? acre_quadtree_content_hash(on.tree) : 0;
    const uint64_t requests = on.memory.requests;
    acre_quadtree_destroy(on.tree);
    return ok && failing_allocator_verdict(&on.memory) == NULL ? requests : UINT64_MAX;
}

static bool all_failures_are_survived(const call_case *which)
{
    uint64_t content;
    const uint64_t requests = undisturbed_call(which, &content);
    if (requests == UINT64_MAX || requests < which->least_requests) {
        printf("     %s: %llu requests\n", which->name, (unsigned long long)requests);
        return false;
    }
    static const failing_mode modes[] = {FAIL_ONCE, FAIL_FROM, FAIL_ONE_IN_THREE};
    for (int m = 0; m < 3; m++) {
        bool has_failed = true;
        // By chance: a few seeds. Else until a k that the call does not reach.
        for (uint64_t k = 1; modes[m] == FAIL_ONE_IN_THREE ? k <= 40 : has_failed; k++) {
            if (!call_survives(which, modes[m], k, content, &has_failed)) {
                printf("     %s: mode %d, k = %llu\n", which->name, m, (unsigned long long)k);
                return false;
            }
            if (modes[m] == FAIL_ONCE && k <= requests && !has_failed) {
                printf("     %s: request %llu did not fail\n", which->name, (unsigned long long)k);
                return false;
            }
        }
    }
    return true;
}

static void each_call_survives_the_failure_of_each_of_its_allocations(void)
{
    for (size_t i = 0; i < sizeof cases_of_calls / sizeof cases_of_calls[0]; i++) {
        CHECK(all_failures_are_survived(&cases_of_calls[i]));
    }
}

static void create_leaves_nothing_behind_if_an_allocation_fails(void)
{
    uint64_t k = 1;
    for (bool is_made = false; !is_made; k++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_ONCE, k);
        const acre_quadtree_def def = {.allocator = &memory.allocator};
        acre_quadtree *tree = (acre_quadtree *)&memory; // anything but NULL
        const acre_result result = acre_quadtree_create(&def, &tree);
        is_made = result == ACRE_OK;
        CHECK(is_made || (result == ACRE_ERROR_OUT_OF_MEMORY && tree == NULL));
        CHECK(is_made == (memory.failed == 0));
        acre_quadtree_destroy(tree);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(k > 3); // the tree and its arrays are more than one allocation
}

// ---- streams of calls, every k ----

static const stream_def short_of_memory[] = {
    {.tree = {.half_size = 64, .max_depth = 7, .node_capacity = 2}, .items = 60, .spread = 3},
    {.tree = {.half_size = 4, .max_depth = 3, .node_capacity = 1}, .items = 30, .spread = 50},
    {.tree = {.half_size = 64, .max_depth = 9, .node_capacity = 16}, .items = 120},
};

// Runs one stream with failures; prints it, shrunk, if a check fails.
static bool stream_survives(stream_def def, failing_mode mode, uint64_t at, uint64_t seed,
                            stream_result *result)
{
    static stream_op ops[500];
    const size_t count = sizeof ops / sizeof ops[0];
    def.fail = mode;
    def.fail_at = at;
    stream_generate(ops, count, seed, def.items);
    if (stream_run(&def, ops, count, result)) {
        return true;
    }
    printf("     mode %d at %llu, operation %zu: %s\n", (int)mode, (unsigned long long)at,
           result->failed_at, result->message);
    stream_print(&def, ops, stream_shrink(&def, ops, result->failed_at + 1), stdout);
    return false;
}

static void streams_go_on_after_the_failure_of_any_one_allocation(void)
{
    uint64_t failures = 0;
    uint64_t refusals = 0;
    for (int kind = 0; kind < 3; kind++) {
        stream_result result = {.failed_requests = 1};
        for (uint64_t k = 1; result.failed_requests > 0; k++) {
            const uint64_t seed = test_seed + (uint64_t)kind;
            CHECK(stream_survives(short_of_memory[kind], FAIL_ONCE, k, seed, &result));
            CHECK(result.memory_refusals <= 1);
            failures += result.failed_requests;
            refusals += result.memory_refusals;
        }
    }
    printf("     %llu failures, %llu of them refused a call\n", (unsigned long long)failures,
           (unsigned long long)refusals);
    CHECK(failures > 100 && refusals > 30 && refusals < failures);
}

static void streams_go_on_while_all_or_a_third_of_the_allocations_fail(void)
{
    uint64_t refusals = 0;
    for (uint32_t i = 0; i < 60 * test_scale; i++) {
        stream_result result;
        const stream_def *const def = &short_of_memory[i % 3];
        CHECK(stream_survives(*def, FAIL_FROM, 1 + i / 3, test_seed + i, &result));
        refusals += result.memory_refusals;
        CHECK(stream_survives(*def, FAIL_ONE_IN_THREE, i, test_seed + i, &result));
        refusals += result.memory_refusals;
    }
    CHECK(refusals > 1000);
}

// ---- what may need no memory ----

static void refresh_remove_and_upkeep_never_fail_for_memory(void)
{
    enum { COUNT = 2000 };
    static acre_aabb boxes[COUNT];
    for (uint32_t round = 0; round < 12; round++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        const uint32_t capacities[] = {1, 4, 16, 192};
        const acre_quadtree_def def = {.half_size = 64,
                                       .max_depth = 10,
                                       .node_capacity = capacities[round % 4],
                                       .allocator = &memory.allocator};
        acre_quadtree *tree;
        const box_world world = {{0, 0}, 150, 0.125f};
        test_random random = {test_seed + round};
        CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
        for (uint32_t item = 0; item < COUNT; item++) {
            const acre_aabb box = box_valid(&random, &world);
            CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
        }
        if (round & 1) { // no room that is not needed
            CHECK(acre_quadtree_trim(tree) == ACRE_OK);
        }
        failing_allocator_arm(&memory, FAIL_FROM, 1);
        for (int step = 0; step < 6; step++) {
            for (uint32_t item = 0; item < COUNT; item++) {
                boxes[item] = box_valid(&random, &world);
                if (step % 2 == 0) {
                    const acre_result result = acre_quadtree_refresh(tree, item, &boxes[item]);
                    CHECK(result == (step > 2 && item < 100 ? ACRE_ERROR_NOT_FOUND : ACRE_OK));
                }
            }
            CHECK(acre_quadtree_refresh_all(tree, boxes, COUNT) == ACRE_OK && is_valid(tree));
            CHECK(acre_quadtree_maintain(tree) == ACRE_OK && is_valid(tree));
            CHECK(acre_quadtree_tighten(tree) == ACRE_OK && is_valid(tree));
            for (uint32_t item = 0; item < 100 && step == 2; item++) {
                CHECK(acre_quadtree_remove(tree, item) == ACRE_OK);
            }
            CHECK(acre_quadtree_trim(tree) == ACRE_OK && is_valid(tree));
        }
        acre_quadtree_destroy(tree);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

// Splits are optional work: without memory they wait, and maintain makes up for them.
static void splits_that_had_to_wait_for_memory_are_made_by_maintain(void)
{
    enum { COUNT = 4000 };
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_quadtree_def def = {
        .half_size = 64, .max_depth = 9, .node_capacity = 16, .allocator = &memory.allocator};
    acre_quadtree *tree, *fresh;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    CHECK(acre_quadtree_create(&def, &fresh) == ACRE_OK);
    static acre_aabb boxes[COUNT];
    test_random random = {test_seed};
    for (uint32_t item = 0; item < COUNT; item++) {
        const float x = random_float(&random, -60, 60);
        boxes[item] = box_at(x, random_float(&random, -60, 60), 0.1f);
        const acre_aabb crowded = box_at(10, 10, 0.1f);
        CHECK(acre_quadtree_insert(tree, item, &crowded) == ACRE_OK);
        CHECK(acre_quadtree_insert(fresh, item, &boxes[item]) == ACRE_OK);
    }
    CHECK(acre_quadtree_trim(tree) == ACRE_OK);
    const size_t before = stats_of(tree).nodes, wanted = stats_of(fresh).nodes;
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    CHECK(acre_quadtree_refresh_all(tree, boxes, COUNT) == ACRE_OK && is_valid(tree));
    CHECK(memory.failed > 0 && stats_of(tree).nodes <= before);
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    for (int frame = 0; frame < 64; frame++) {
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK && is_valid(tree));
    }
    CHECK(stats_of(tree).nodes * 10 >= wanted * 9 && stats_of(tree).nodes > 2 * before);
    CHECK(acre_quadtree_content_hash(tree) == acre_quadtree_content_hash(fresh));
    acre_quadtree_destroy(tree);
    acre_quadtree_destroy(fresh);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// A split asks for more than it needs. Where that is too much it asks for what it needs, and where
// it gets that it does not wait.
static void a_split_takes_the_room_that_it_needs_where_there_is_no_more(void)
{
    enum { COUNT = 400 };
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_quadtree_def def = {.half_size = 64, .max_depth = 9, .allocator = &memory.allocator};
    def.node_capacity = 16;
    acre_quadtree *tree;
    test_random random = {test_seed};
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t item = 0; item < COUNT; item++) {
        const acre_aabb box = crowd_box(&random);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    CHECK(stats_of(tree).nodes > 16 && acre_quadtree_trim(tree) == ACRE_OK);
    failing_allocator_arm(&memory, FAIL_ONCE, 1);
    uint64_t splits = 0;
    for (uint32_t item = 0; item < COUNT && memory.failed == 0; item++) {
        const acre_aabb box = box_at(random_float(&random, 8, 16), 10, 0.1f);
        splits = stats_of(tree).splits;
        CHECK(acre_quadtree_refresh(tree, item, &box) == ACRE_OK);
    }
    CHECK(memory.failed == 1 && stats_of(tree).splits > splits && is_valid(tree));
    acre_quadtree_destroy(tree);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static acre_aabb circling_box(uint32_t item, uint32_t frame)
{
    // Triangle waves instead of sines: the same on every platform.
    const int32_t phase = (int32_t)((frame * (1 + item % 3) + item * 7) % 60);
    const float swing = (float)(phase < 30 ? phase : 60 - phase);
    const float x = (float)(item % 150) * 12.0f - 900.0f;
    const float z = (float)(item / 150) * 12.0f - 900.0f;
    return box_at(x + 3.0f * swing, z - 2.0f * swing, 0.5f + (float)(item % 5));
}

static void a_steady_frame_allocates_nothing(void)
{
    enum { COUNT = 20000 };
    static acre_aabb boxes[COUNT];
    static uint32_t items[COUNT], found[COUNT];
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_quadtree_def def = {.half_size = 1024, .allocator = &memory.allocator};
    acre_quadtree *tree;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    const float eye[3] = {0, 20, 0}, target[3] = {100, 0, 100};
    const acre_frustum camera = frustum_camera(eye, target, 0.6f, 0.4f, 0.5f, 800);
    uint64_t calls = 0;
    size_t seen = 0;
    acre_quadtree_stats before = {0};
    for (uint32_t frame = 0; frame < 360; frame++) {
        for (uint32_t item = 0; item < COUNT; item++) {
            items[item] = item;
            boxes[item] = circling_box(item, frame);
            if (frame == 0) {
                CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK);
                CHECK(acre_quadtree_set_layers(tree, item, 1u << (item % 7)) == ACRE_OK);
            }
        }
        if (frame == 180) { // three periods of the motion went by
            calls = memory.total_calls;
            before = stats_of(tree);
        }
        CHECK((frame & 1 ? acre_quadtree_refresh_all(tree, boxes, COUNT)
                         : acre_quadtree_refresh_many(tree, items, boxes, COUNT)) == ACRE_OK);
        const uint32_t leaver = (frame * 7919) % COUNT; // the crowd changes, its size does not
        CHECK(acre_quadtree_remove(tree, leaver) == ACRE_OK);
        CHECK(acre_quadtree_insert(tree, leaver, &boxes[leaver]) == ACRE_OK);
        CHECK(acre_quadtree_set_layers(tree, leaver, 3) == ACRE_OK);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
        seen += acre_quadtree_query_frustum(tree, &camera, found, COUNT);
    }
    const acre_quadtree_stats after = stats_of(tree);
    CHECK(memory.total_calls == calls && after.bytes == before.bytes);
    CHECK(after.moves > before.moves + 100000 && seen > 100000 && is_valid(tree));
    acre_quadtree_destroy(tree);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static void queries_and_questions_ask_for_no_memory(void)
{
    bench on;
    const call_case which = {"", prepare_crowd, NULL, 0};
    CHECK(open_bench(&on, &which));
    const uint64_t calls = on.memory.total_calls;
    uint32_t found[CROWD];
    const acre_aabb area = box_at(0, 0, 40);
    const acre_frustum frustum = frustum_of_box(&area);
    size_t total;
    for (uint32_t flags = 0; flags < 4; flags++) {
        const acre_query query = {
            .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum, .flags = flags, .layers = 1};
        CHECK(acre_quadtree_query(on.tree, &query, found, CROWD, &total) == ACRE_OK && total > 10);
    }
    CHECK(acre_quadtree_query_aabb(on.tree, &area, found, CROWD) == total);
    CHECK(is_valid(on.tree) && acre_quadtree_content_hash(on.tree) != 0);
    CHECK(acre_quadtree_state_hash(on.tree) != 0 && stats_of(on.tree).items == CROWD);
    CHECK(on.memory.total_calls == calls);
    acre_quadtree_destroy(on.tree);
    CHECK(failing_allocator_verdict(&on.memory) == NULL);
}

// ---- how much ----

static acre_quadtree *spread_tree(failing_allocator *memory, uint32_t node_capacity, uint32_t count,
                                  uint32_t every)
{
    failing_allocator_init(memory, FAIL_NEVER, 0);
    const acre_quadtree_def def = {
        .half_size = 2048, .node_capacity = node_capacity, .allocator = &memory->allocator};
    acre_quadtree *tree = NULL;
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    test_random random = {test_seed};
    for (uint32_t item = 0; item < count && ok; item++) {
        const float x = random_float(&random, -2000, 2000);
        const acre_aabb box = box_at(x, random_float(&random, -2000, 2000), 2);
        ok = item % every != 0 || acre_quadtree_insert(tree, item, &box) == ACRE_OK;
    }
    return ok ? tree : NULL;
}

static void the_memory_of_a_spike_is_given_back(void)
{
    enum { SPIKE = 100000, EVERY = 100 };
    failing_allocator calm_memory, memory;
    acre_quadtree *const calm = spread_tree(&calm_memory, 0, SPIKE, EVERY);
    acre_quadtree *const tree = spread_tree(&memory, 0, SPIKE, 1);
    CHECK(calm && tree && acre_quadtree_trim(calm) == ACRE_OK);
    const size_t peak = memory.live_bytes;
    for (uint32_t item = 0; item < SPIKE; item++) {
        CHECK(item % EVERY == 0 || acre_quadtree_remove(tree, item) == ACRE_OK);
    }
    CHECK(memory.live_bytes <= peak);
    CHECK(acre_quadtree_trim(tree) == ACRE_OK && is_valid(tree));
    const acre_quadtree_stats after = stats_of(tree);
    const acre_quadtree_stats fresh = stats_of(calm);
    CHECK(after.items == fresh.items);
    CHECK(acre_quadtree_content_hash(tree) == acre_quadtree_content_hash(calm));
    // Collapse has hysteresis, so the nodes need not be as few as in a tree that never was large.
    CHECK(after.nodes <= 4 * fresh.nodes && after.bytes_locations == fresh.bytes_locations);
    CHECK(after.bytes - after.bytes_locations <= 4 * (fresh.bytes - fresh.bytes_locations));
    CHECK((memory.live_bytes - after.bytes_locations) * 10 < peak);
    for (uint32_t item = 0; item < SPIKE; item += EVERY) {
        CHECK(acre_quadtree_remove(tree, item) == ACRE_OK);
    }
    CHECK(acre_quadtree_trim(tree) == ACRE_OK && is_valid(tree));
    CHECK(memory.live_bytes < 8192 && stats_of(tree).nodes == 1);
    acre_quadtree_destroy(tree);
    acre_quadtree_destroy(calm);
    CHECK(failing_allocator_verdict(&memory) == NULL);
    CHECK(failing_allocator_verdict(&calm_memory) == NULL);
}

static void a_trimmed_tree_without_layers_takes_at_most_50_bytes_an_item(void)
{
    enum { COUNT = 100000 };
    failing_allocator memory;
    acre_quadtree *const tree = spread_tree(&memory, 0, COUNT, 1);
    CHECK(tree != NULL);
    const size_t grown = memory.live_bytes;
    const size_t peak = memory.peak_bytes;
    const uint64_t requests = memory.requests;
    CHECK(acre_quadtree_trim(tree) == ACRE_OK);
    const size_t trimmed = memory.live_bytes;
    printf(
        "     %zu bytes an item, %zu before the trim, %zu at the peak of growth; %llu requests\n",
        trimmed / COUNT, grown / COUNT, peak / COUNT, (unsigned long long)requests);
    CHECK(trimmed <= (size_t)50 * COUNT && grown <= (size_t)60 * COUNT);
    CHECK(peak <= (size_t)100 * COUNT);
    CHECK(requests < 500); // geometric growth
    const acre_quadtree_stats stats = stats_of(tree);
    CHECK(stats.bytes == trimmed && stats.bytes_layers == 0);
    acre_quadtree_destroy(tree);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// Whatever the capacity and however sparse: a block and two quads an item at most, and growth.
static void memory_is_linear_in_the_items_for_every_capacity(void)
{
    const uint32_t capacities[] = {1, 2, 4, 16, 64, 192, 65536};
    for (int i = 0; i < 7; i++) {
        size_t bytes[2];
        for (int large = 0; large < 2; large++) {
            failing_allocator memory;
            acre_quadtree *const tree =
                spread_tree(&memory, capacities[i], large ? 16000 : 2000, 1);
            CHECK(tree && acre_quadtree_trim(tree) == ACRE_OK);
            bytes[large] = memory.live_bytes;
            acre_quadtree_destroy(tree);
        }
        CHECK(bytes[1] <= 12 * bytes[0] && bytes[1] <= (size_t)16000 * 2600);
    }
}

static void reserve_makes_room_for_what_follows(void)
{
    enum { COUNT = 50000 };
    failing_allocator memory;
    acre_quadtree *const tree = spread_tree(&memory, 0, 0, 1);
    CHECK(tree && acre_quadtree_reserve(tree, COUNT) == ACRE_OK && is_valid(tree));
    const uint64_t calls = memory.total_calls;
    CHECK(acre_quadtree_reserve(tree, COUNT) == ACRE_OK && memory.total_calls == calls);
    const size_t bytes = memory.live_bytes;
    test_random random = {test_seed};
    for (uint32_t item = 0; item < COUNT; item++) {
        const float x = random_float(&random, -2000, 2000);
        const acre_aabb box = box_at(x, random_float(&random, -2000, 2000), 2);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    // Without the reserve it is more than 100 calls.
    CHECK(memory.total_calls - calls <= 16 && memory.live_bytes <= 2 * bytes && is_valid(tree));
    acre_quadtree_destroy(tree);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// A build takes 32 bytes an item and 4 a row in one piece and gives them back. In a tree that has
// the room, it asks for nothing else.
static void a_build_gives_back_the_memory_it_sorts_in(void)
{
    enum { COUNT = 50000 };
    static uint32_t items[COUNT];
    static acre_aabb boxes[COUNT];
    test_random random = {test_seed};
    for (uint32_t i = 0; i < COUNT; i++) {
        const float x = random_float(&random, -2000, 2000);
        items[i] = i;
        boxes[i] = box_at(x, random_float(&random, -2000, 2000), 2);
    }
    for (int is_reserved = 0; is_reserved < 2; is_reserved++) {
        failing_allocator memory;
        acre_quadtree *const tree = spread_tree(&memory, 0, 0, 1);
        CHECK(tree && (!is_reserved || acre_quadtree_reserve(tree, COUNT) == ACRE_OK));
        const uint64_t calls = memory.total_calls;
        const size_t bytes = memory.live_bytes;
        CHECK(acre_quadtree_insert_many(tree, items, boxes, COUNT) == ACRE_OK && is_valid(tree));
        CHECK(!is_reserved || (memory.total_calls == calls + 2 && memory.live_bytes == bytes));
        CHECK(!is_reserved || memory.peak_bytes == bytes + (size_t)36 * COUNT);
        CHECK(memory.live_bytes <= (size_t)52 * COUNT && stats_of(tree).bytes == memory.live_bytes);
        acre_quadtree_destroy(tree);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

// All items, or every tenth of them, wander about after a build of a world that is dense in the
// middle. Their splits find the room that the build left.
static void refreshes_after_a_build_allocate_nothing(void)
{
    enum { COUNT = 20000 };
    static uint32_t items[COUNT], movers[COUNT];
    static acre_aabb boxes[COUNT], moved[COUNT];
    for (uint32_t step = 1; step <= 10; step += 9) {
        failing_allocator memory;
        acre_quadtree *const tree = spread_tree(&memory, 0, 0, 1);
        test_random random = {test_seed};
        for (uint32_t i = 0; i < COUNT; i++) {
            const float x = random_float(&random, -32, 32), z = random_float(&random, -32, 32);
            items[i] = i;
            boxes[i] = box_at(x * fabsf(x), z * fabsf(z), 2);
        }
        CHECK(tree && acre_quadtree_insert_many(tree, items, boxes, COUNT) == ACRE_OK);
        const uint64_t calls = memory.total_calls;
        for (uint32_t frame = 0; frame < 500; frame++) {
            uint32_t count = 0;
            for (uint32_t i = frame % step; i < COUNT; i += step) {
                const float x = boxes[i].min[0] + 2 + random_float(&random, -3, 3);
                const float z = boxes[i].min[2] + 2 + random_float(&random, -3, 3);
                boxes[i] = moved[count] = box_at(x, z, 2);
                movers[count++] = i;
            }
            CHECK((step == 1 ? acre_quadtree_refresh_all(tree, boxes, COUNT)
                             : acre_quadtree_refresh_many(tree, movers, moved, count)) == ACRE_OK);
            CHECK(acre_quadtree_maintain(tree) == ACRE_OK && memory.total_calls == calls);
        }
        CHECK(stats_of(tree).splits > 0 && is_valid(tree));
        acre_quadtree_destroy(tree);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

// In an evenly spread world all leaves are about to split at once.
static void leaves_just_below_their_limit_split_without_the_allocator(void)
{
    enum { SIDE = 8, A_LEAF = 490, COUNT = SIDE * SIDE * A_LEAF };
    static uint32_t items[COUNT];
    static acre_aabb boxes[COUNT];
    failing_allocator memory;
    acre_quadtree *const tree = spread_tree(&memory, 0, 0, 1);
    test_random random = {test_seed};
    for (uint32_t i = 0; i < COUNT; i++) {
        items[i] = i;
        boxes[i] =
            box_at(random_float(&random, -1023, 1023), random_float(&random, -1023, 1023), 1);
    }
    CHECK(tree && acre_quadtree_insert_many(tree, items, boxes, COUNT) == ACRE_OK);
    const uint64_t calls = memory.total_calls, splits = stats_of(tree).splits;
    for (uint32_t frame = 0; frame < 80; frame++) {
        for (uint32_t i = 0; i < COUNT; i++) { // through the walls, as on a torus
            const float x = boxes[i].min[0] + 1 + random_float(&random, -40, 40);
            const float z = boxes[i].min[2] + 1 + random_float(&random, -40, 40);
            boxes[i] =
                box_at(fabsf(x) < 1023 ? x : -x * 0.99f, fabsf(z) < 1023 ? z : -z * 0.99f, 1);
        }
        CHECK((frame & 1 ? acre_quadtree_refresh_all(tree, boxes, COUNT)
                         : acre_quadtree_refresh_many(tree, items, boxes, COUNT)) == ACRE_OK);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    CHECK(memory.total_calls == calls);
    CHECK(stats_of(tree).splits > splits + SIDE * SIDE / 4);
    CHECK(is_valid(tree));
    acre_quadtree_destroy(tree);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(create_leaves_nothing_behind_if_an_allocation_fails),
        TEST(each_call_survives_the_failure_of_each_of_its_allocations),
        TEST(streams_go_on_after_the_failure_of_any_one_allocation),
        TEST(streams_go_on_while_all_or_a_third_of_the_allocations_fail),
        TEST(refresh_remove_and_upkeep_never_fail_for_memory),
        TEST(splits_that_had_to_wait_for_memory_are_made_by_maintain),
        TEST(a_split_takes_the_room_that_it_needs_where_there_is_no_more),
        TEST(a_steady_frame_allocates_nothing),
        TEST(queries_and_questions_ask_for_no_memory),
        TEST(the_memory_of_a_spike_is_given_back),
        TEST(a_trimmed_tree_without_layers_takes_at_most_50_bytes_an_item),
        TEST(memory_is_linear_in_the_items_for_every_capacity),
        TEST(reserve_makes_room_for_what_follows),
        TEST(a_build_gives_back_the_memory_it_sorts_in),
        TEST(refreshes_after_a_build_allocate_nothing),
        TEST(leaves_just_below_their_limit_split_without_the_allocator),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
