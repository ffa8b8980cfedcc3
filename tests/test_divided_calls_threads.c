// SPDX-License-Identifier: MIT
// test_divided_calls_threads.c - every call that takes tasks, in one world: frame by frame it finds
// what one thread finds, and the failure of any of its allocations leaves the state as it was.
#include "divided_calls.h"
#include "task_scheduler.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Entities. A commit of many has two blocks of rows.
enum { FEW = 100, MANY = 1500 };

static task_scheduler *scheduler;
static acre_tasks tasks;

static bool open_tasks(uint32_t workers, task_order order)
{
    scheduler = task_scheduler_create(workers, order, test_seed);
    if (!scheduler) {
        return false;
    }
    tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    return true;
}

static void every_call_of_the_table_is_divided(void)
{
    static divided_world world;
    uint32_t undivided = 0;
    CHECK(open_tasks(4, TASKS_IN_REVERSE));
    CHECK(divided_world_create(&world, MANY, test_seed, &tasks));
    for (uint32_t i = 0; i < DIVIDED_CALLS; i++) {
        const uint32_t runs = task_scheduler_runs(scheduler);
        const acre_result result = divided_calls[i].run(&world);
        if (result != ACRE_OK || task_scheduler_runs(scheduler) == runs) {
            printf("%s: result %d, %u tasks\n", divided_calls[i].name, (int)result,
                   (unsigned)(task_scheduler_runs(scheduler) - runs));
        }
        undivided += result != ACRE_OK || task_scheduler_runs(scheduler) == runs;
    }
    CHECK(undivided == 0);
    divided_world_destroy(&world);
    task_scheduler_destroy(scheduler);
    CHECK(failing_allocator_verdict(&world.memory) == NULL);
}

// ---- frames ----

// The scene, the tree and the view of each frame; the other calls take turns.
static bool is_of_frame(uint32_t call, uint32_t frame)
{
    const char *const name = divided_calls[call].name;
    return strcmp(name, "set_locals") == 0 || strcmp(name, "commit") == 0 ||
           strcmp(name, "refresh_all") == 0 || strcmp(name, "find_visible") == 0 ||
           (call + frame) % 6 == 0;
}

// @return a hash of all frames; 0 if a call failed.
static uint64_t hash_of_frames(uint32_t frames, const acre_tasks *workers)
{
    divided_world *const world = malloc(sizeof *world);
    uint64_t hash = 1;
    bool is_good = world && divided_world_create(world, MANY, test_seed, workers);
    for (uint32_t frame = 0; frame < frames && is_good; frame++) {
        for (uint32_t i = 0; i < DIVIDED_CALLS && is_good; i++) {
            is_good = !is_of_frame(i, frame) || divided_calls[i].run(world) == ACRE_OK;
        }
        if (frame % 25 == 24) {
            is_good = is_good && divided_world_fault(world) == NULL;
            hash = hash * 31 + divided_world_hash(world, true);
        }
        divided_world_move(world);
    }
    if (world) {
        hash = hash * 31 + divided_world_hash(world, true);
        divided_world_destroy(world);
        is_good = is_good && failing_allocator_verdict(&world->memory) == NULL;
    }
    free(world);
    return is_good ? hash : 0;
}

static void four_workers_run_frames_as_one_does(void)
{
    const uint32_t frames = 100 * test_scale;
    const uint64_t serial = hash_of_frames(frames, NULL);
    CHECK(serial != 0);
    CHECK(open_tasks(4, TASKS_ALL_AT_ONCE));
    CHECK(hash_of_frames(frames, &tasks) == serial);
    CHECK(task_scheduler_runs(scheduler) > 20 * frames);
    CHECK(task_scheduler_worker_runs(scheduler) > 0);
    task_scheduler_destroy(scheduler);
}

// One of two threads that run frames of worlds of their own on one host.
typedef struct frames_caller {
    pthread_barrier_t *both; // have begun
    uint32_t frames;
    uint64_t hash;
} frames_caller;

static void *run_own_frames(void *user)
{
    frames_caller *const own = user;
    pthread_barrier_wait(own->both);
    own->hash = hash_of_frames(own->frames, &tasks);
    return NULL;
}

// A finish runs waiting tasks of any call, those of the other thread too. On a busy machine the two
// may not meet at once.
static void four_workers_run_frames_of_two_threads(void)
{
    const uint32_t frames = 3 * test_scale, most = 400;
    const uint64_t serial = hash_of_frames(frames, NULL);
    pthread_barrier_t both;
    CHECK(pthread_barrier_init(&both, NULL, 2) == 0);
    CHECK(serial != 0 && open_tasks(4, TASKS_AT_RANDOM));
    for (uint32_t i = 0; i < most && task_scheduler_foreign_runs(scheduler) == 0; i++) {
        frames_caller callers[2] = {{&both, frames, 0}, {&both, frames, 0}};
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, run_own_frames, &callers[1]) == 0);
        run_own_frames(&callers[0]);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(callers[0].hash == serial && callers[1].hash == serial);
    }
    CHECK(task_scheduler_foreign_runs(scheduler) > 0);
    task_scheduler_destroy(scheduler);
    pthread_barrier_destroy(&both);
}

// ---- every kernel, order of tasks and number of workers ----

static acre_kernel tried_kernel;
static uint64_t scalar_hash;

// Two frames of every call. @return a hash of them; 0 if a call failed.
static uint64_t hash_of_calls(uint32_t count, acre_kernel kernel, const acre_tasks *workers)
{
    static divided_world world;
    bool is_good = divided_world_create_with(&world, count, test_seed, workers, kernel);
    for (uint32_t i = 0; i < 2 * DIVIDED_CALLS && is_good; i++) {
        if (i == DIVIDED_CALLS) {
            divided_world_move(&world);
        }
        is_good = divided_calls[i % DIVIDED_CALLS].run(&world) == ACRE_OK;
    }
    const uint64_t hash = is_good ? divided_world_hash(&world, true) : 0;
    divided_world_destroy(&world);
    return hash;
}

static bool has_scalar_hash(const acre_tasks *workers, uint32_t number)
{
    (void)number;
    return hash_of_calls(FEW, tried_kernel, workers) == scalar_hash;
}

// Numbers of workers are those of task_scheduler_try_all.
static void every_kernel_order_and_worker_count_has_one_result(void)
{
    uint32_t kernels = 0;
    scalar_hash = hash_of_calls(FEW, ACRE_KERNEL_SCALAR, NULL);
    CHECK(scalar_hash != 0);
    for (int kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        acre_scene *scene;
        const acre_scene_def def = {.kernel = (acre_kernel)kernel};
        if (acre_scene_create(&def, &scene) != ACRE_OK) {
            continue; // the processor lacks it
        }
        acre_scene_destroy(scene);
        tried_kernel = (acre_kernel)kernel;
        CHECK(task_scheduler_try_all(has_scalar_hash));
        kernels++;
    }
    printf("%u kernels\n", (unsigned)kernels);
}

#if ACRE_CHECK >= 1
// ---- edits, which checking builds refuse ----

// A read, and the object that a host edits while it is divided.
typedef enum read_object { READS_CROWD, READS_TREE, READS_CULLING } read_object;

typedef struct divided_read {
    const char *name;
    read_object object;
} divided_read;

static const divided_read reads[] = {
    {"neighbors", READS_CROWD},         {"pairs", READS_TREE},
    {"pairs between", READS_TREE},      {"contacts", READS_TREE},
    {"entity contacts", READS_CULLING}, {"query view", READS_CULLING},
    {"find_visible", READS_CULLING},    {"find_visible_many", READS_CULLING},
    {"casters", READS_CULLING},         {"light casters", READS_CULLING},
    {"draw list", READS_CULLING},
};
enum { READS = sizeof reads / sizeof *reads };

typedef struct intruder {
    divided_world *world;
    const divided_read *read; // NULL: edits nothing
    uint32_t edits, refused;
} intruder;

static bool is_edit_refused(divided_world *world, read_object object)
{
    static const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    acre_quadtree *const tree = object == READS_TREE ? world->tree : world->crowd;
    return (object == READS_CULLING ? acre_culling_set_rule(world->culling, world->entities[5], 2)
                                    : acre_quadtree_refresh(tree, 5, &box)) == ACRE_ERROR_BUSY;
}

// A host that edits what is read before it runs a task.
static void *edit_and_run(void *user, acre_task *task, void *context, const char *name)
{
    intruder *const own = user;
    (void)name;
    if (own->read) {
        own->edits++;
        own->refused += is_edit_refused(own->world, own->read->object);
    }
    task(context);
    return NULL;
}

static void finish_nothing(void *user, void *handle)
{
    (void)user, (void)handle;
}

static const divided_read *read_of_call(const divided_call *call)
{
    const divided_read *found = NULL;
    for (uint32_t i = 0; i < READS; i++) {
        found = strcmp(reads[i].name, call->name) == 0 ? &reads[i] : found;
    }
    return found;
}

static void an_edit_during_a_divided_read_is_refused(void)
{
    static divided_world world;
    intruder own = {.world = &world};
    const acre_tasks intruding = {.worker_count = 4,
                                  .enqueue = edit_and_run,
                                  .finish = finish_nothing,
                                  .user = &own,
                                  .divides_small_calls = true};
    uint32_t tried = 0;
    CHECK(divided_world_create(&world, MANY, test_seed, &intruding));
    for (uint32_t i = 0; i < 2 * DIVIDED_CALLS; i++) {
        const divided_call *const call = &divided_calls[i % DIVIDED_CALLS];
        own.read = read_of_call(call);
        own.edits = own.refused = 0;
        if (i == DIVIDED_CALLS) {
            divided_world_move(&world);
        }
        CHECK(call->run(&world) == ACRE_OK);
        if (own.edits != own.refused) {
            printf("%s: %u edits, %u refused\n", call->name, (unsigned)own.edits,
                   (unsigned)own.refused);
        }
        CHECK(own.edits == own.refused);
        tried += own.edits > 0;
    }
    CHECK(tried == 2 * READS);
    CHECK(divided_world_hash(&world, true) == hash_of_calls(MANY, ACRE_KERNEL_DEFAULT, NULL));
    divided_world_destroy(&world);
}
#endif

// ---- memory ----

// One call, made in a world after some frames and after all calls before it in the table.
typedef struct call_case {
    uint32_t call, frames_before;
    failing_mode mode;
    uint64_t at;
    bool has_failed; // an allocation
    bool was_refused;
    uint64_t hash; // in the end; 0: something is wrong
} call_case;

static bool make_calls_before(divided_world *world, const call_case *one)
{
    bool is_good = true;
    for (uint32_t frame = 0; frame < one->frames_before && is_good; frame++) {
        for (uint32_t i = 0; i < DIVIDED_CALLS && is_good; i++) {
            is_good = divided_calls[i].run(world) == ACRE_OK;
        }
        divided_world_move(world);
    }
    for (uint32_t i = 0; i < one->call && is_good; i++) {
        is_good = divided_calls[i].run(world) == ACRE_OK;
    }
    return is_good;
}

static void make_call(call_case *one, const acre_tasks *workers)
{
    static divided_world world;
    const divided_call *const call = &divided_calls[one->call];
    bool is_good =
        divided_world_create(&world, FEW, test_seed, workers) && make_calls_before(&world, one);
    const uint64_t before = divided_world_hash(&world, true);
    failing_allocator_arm(&world.memory, one->mode, one->at);
    acre_result result = is_good ? call->run(&world) : ACRE_OK;
    one->has_failed = world.memory.failed > 0;
    one->was_refused = result != ACRE_OK;
    failing_allocator_arm(&world.memory, FAIL_NEVER, 0);
    if (one->was_refused) {
        is_good = is_good && one->has_failed && result == ACRE_ERROR_OUT_OF_MEMORY &&
                  (call->changes_what_fits || divided_world_hash(&world, true) == before) &&
                  divided_world_fault(&world) == NULL;
        result = call->run(&world);
    }
    is_good = is_good && result == ACRE_OK && divided_world_fault(&world) == NULL;
    one->hash = divided_world_hash(&world, false);
    divided_world_destroy(&world);
    one->hash = is_good && failing_allocator_verdict(&world.memory) == NULL ? one->hash : 0;
}

// @return how often a call was refused for want of memory, or UINT32_MAX where it went wrong.
static uint32_t fail_each_allocation(uint32_t call, uint32_t frames_before, failing_mode mode)
{
    call_case serial = {.call = call, .frames_before = frames_before, .mode = FAIL_NEVER};
    make_call(&serial, NULL);
    uint32_t refused = 0;
    bool has_failed = serial.hash != 0;
    for (uint64_t at = 1; has_failed; at++) {
        call_case one = serial;
        one.mode = mode;
        one.at = at;
        make_call(&one, &tasks);
        if (one.hash != serial.hash) {
            printf("%s, frame %u, mode %d, allocation %u\n", divided_calls[call].name,
                   (unsigned)frames_before, (int)mode, (unsigned)at);
            return UINT32_MAX;
        }
        has_failed = one.has_failed;
        refused += one.was_refused;
    }
    return serial.hash != 0 ? refused : UINT32_MAX;
}

// In the first frame no allocation succeeds from one on, in the second one fails. The allocator
// counts without atomics, so that a thread sanitizer sees a call from a task.
static void each_allocation_that_fails_leaves_the_state_as_before(void)
{
    CHECK(open_tasks(4, TASKS_ALL_AT_ONCE));
    uint32_t refused = 0, refusing = 0;
    for (uint32_t call = 0; call < DIVIDED_CALLS; call++) {
        const uint32_t from = fail_each_allocation(call, 0, FAIL_FROM);
        const uint32_t once = fail_each_allocation(call, 1, FAIL_ONCE);
        CHECK(once != UINT32_MAX && from != UINT32_MAX);
        refused += once + from;
        refusing += once + from > 0;
    }
    CHECK(refused > 100 && refusing >= 11);
    task_scheduler_destroy(scheduler);
}

static void a_steady_frame_allocates_nothing(void)
{
    static divided_world world;
    CHECK(open_tasks(4, TASKS_ALL_AT_ONCE));
    CHECK(divided_world_create(&world, MANY, test_seed, &tasks));
    for (uint32_t frame = 0; frame < 64; frame++) {
        if (frame == 40) {
            failing_allocator_arm(&world.memory, FAIL_FROM, 1);
        }
        for (uint32_t i = 0; i < DIVIDED_CALLS; i++) {
            const acre_result result =
                divided_calls[i].is_build ? ACRE_OK : divided_calls[i].run(&world);
            if (result != ACRE_OK || world.memory.failed > 0) {
                printf("%s in frame %u\n", divided_calls[i].name, (unsigned)frame);
            }
            CHECK(result == ACRE_OK && world.memory.failed == 0);
        }
        divided_world_move(&world);
    }
    CHECK(world.memory.requests == 0);
    divided_world_destroy(&world);
    task_scheduler_destroy(scheduler);
    CHECK(failing_allocator_verdict(&world.memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_call_of_the_table_is_divided),
        TEST(four_workers_run_frames_as_one_does),
        TEST(four_workers_run_frames_of_two_threads),
        TEST(every_kernel_order_and_worker_count_has_one_result),
#if ACRE_CHECK >= 1
        TEST(an_edit_during_a_divided_read_is_refused),
#endif
        TEST(each_allocation_that_fails_leaves_the_state_as_before),
        TEST(a_steady_frame_allocates_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
