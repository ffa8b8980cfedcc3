// SPDX-License-Identifier: MIT
// test_view_threads.c - one view by rules, LODs and sums on a host's workers: the slots, their
// order and all else are what one thread finds.
#include "failing_allocator.h"
#include "task_scheduler.h"
#include "view_crowd.h"

#include <acre/visible_set.h>

#include <string.h>

#define ALL_FLAGS (ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS | ACRE_VISIBLE_SUM)
enum { FRAMES = 3, GUARD = 16 };

static view_crowd crowd;

// ---- sets ----

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *const from = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ from[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t mix_slots(uint64_t hash, const uint32_t *slots, size_t count)
{
    return mix(mix(hash, &count, sizeof count), slots, count * sizeof *slots);
}

// All that a set tells, in its order.
static uint64_t hash_of_set(const acre_visible_set *set, uint64_t hash)
{
    const acre_visible found = acre_visible_set_get(set);
    hash = mix_slots(hash, found.slots, found.count);
    hash = mix_slots(hash, found.entered, found.entered_count);
    hash = mix_slots(hash, found.left, found.left_count);
    hash = mix_slots(hash, found.changed, found.changed_count);
    if (found.lods) {
        hash = mix(hash, found.lods, found.count);
    }
    if (found.bits) {
        hash = mix(hash, found.bits, found.word_count * sizeof *found.bits);
    }
    hash = mix(hash, &found.tested, sizeof found.tested);
    hash = mix(hash, &found.sum.box, sizeof found.sum.box);
    hash = mix(hash, &found.sum.min_depth, sizeof(float));
    return mix(hash, &found.sum.max_depth, sizeof(float));
}

static acre_view view_of_frame(uint32_t number, uint32_t frame)
{
    acre_view view = view_crowd_view(number);
    view.eye[0] += (float)frame * 7;
    return view;
}

// Finds a view of a few frames into sets with these flags. @return 0 if that went wrong.
static uint64_t hash_of_frames(uint32_t number, uint32_t flags, const acre_tasks *tasks)
{
    acre_visible_set *set = NULL;
    const acre_visible_set_def def = {.flags = flags};
    bool is_good = acre_visible_set_create(&def, &set) == ACRE_OK &&
                   acre_culling_set_tasks(crowd.culling, tasks) == ACRE_OK;
    uint64_t hash = 1;
    size_t seen = 0;
    for (uint32_t frame = 0; frame < FRAMES && is_good; frame++) {
        const acre_view view = view_of_frame(number, frame);
        is_good = acre_culling_find_visible(crowd.culling, &view, set) == ACRE_OK;
        hash = hash_of_set(set, hash);
        seen += acre_visible_set_get(set).count;
    }
    acre_visible_set_destroy(set);
    return is_good && seen > CROWD_ENTITIES / 20 ? hash : 0;
}

static uint64_t serial_hashes[CROWD_VIEWS][2];

static bool sets_are_those_of_one_thread(const acre_tasks *tasks, uint32_t number)
{
    bool is_good = true;
    for (uint32_t i = 0; i < CROWD_VIEWS && is_good; i += 1 + number % 3) {
        for (uint32_t k = 0; k < 2 && is_good; k++) {
            is_good =
                hash_of_frames(i, k ? ALL_FLAGS : ACRE_VISIBLE_LODS, tasks) == serial_hashes[i][k];
        }
    }
    return is_good;
}

static void a_set_is_the_same_in_every_order(void)
{
    CHECK(view_crowd_create(&crowd, test_seed) && view_crowd_frame(&crowd));
    for (uint32_t i = 0; i < CROWD_VIEWS; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            serial_hashes[i][k] = hash_of_frames(i, k ? ALL_FLAGS : ACRE_VISIBLE_LODS, NULL);
            CHECK(serial_hashes[i][k] != 0);
        }
    }
    CHECK(task_scheduler_try_all(sets_are_those_of_one_thread));
    view_crowd_destroy(&crowd);
}

// ---- slots ----

typedef struct slot_answer {
    uint32_t slots[CROWD_ENTITIES + GUARD];
    size_t total;
} slot_answer;

static bool ask(uint32_t number, size_t capacity, const acre_tasks *tasks, slot_answer *out)
{
    const acre_view view = view_crowd_view(number);
    memset(out, 0xa5, sizeof *out);
    uint32_t *const slots = capacity > 0 ? out->slots : NULL;
    return acre_culling_set_tasks(crowd.culling, tasks) == ACRE_OK &&
           acre_culling_query_view(crowd.culling, &view, slots, capacity, &out->total) == ACRE_OK;
}

static bool is_same_answer(uint32_t number, size_t capacity, const acre_tasks *tasks)
{
    static slot_answer serial, shared;
    if (!ask(number, capacity, NULL, &serial) || !ask(number, capacity, tasks, &shared)) {
        return false;
    }
    const size_t written = serial.total < capacity ? serial.total : capacity;
    return serial.total == shared.total && serial.total > 0 &&
           memcmp(serial.slots, shared.slots, written * sizeof(uint32_t)) == 0 &&
           shared.slots[capacity] == 0xa5a5a5a5u;
}

// With room for all, for some, for none, and for just those that there are.
static bool slots_are_those_of_one_thread(const acre_tasks *tasks, uint32_t number)
{
    static slot_answer first;
    bool is_good = true;
    for (uint32_t i = 0; i < CROWD_VIEWS && is_good; i += 1 + number % 3) {
        is_good = ask(i, CROWD_ENTITIES, NULL, &first);
        const size_t rooms[] = {CROWD_ENTITIES, first.total, first.total - 1, 300, 0};
        is_good = is_good && is_same_answer(i, rooms[number % 5], tasks) &&
                  is_same_answer(i, rooms[(number + i) % 5], tasks);
    }
    return is_good;
}

static void slots_are_the_same_in_every_order(void)
{
    CHECK(view_crowd_create(&crowd, test_seed));
    CHECK(task_scheduler_try_all(slots_are_those_of_one_thread));
    view_crowd_destroy(&crowd);
}

// ---- what is not divided, and memory ----

static void small_views_are_not_divided(void)
{
    CHECK(view_crowd_create(&crowd, test_seed));
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    const acre_tasks tasks = task_scheduler_tasks(scheduler);
    for (uint32_t i = 0; i < CROWD_VIEWS; i++) {
        CHECK(hash_of_frames(i, ALL_FLAGS, &tasks) != 0);
        CHECK(is_same_answer(i, CROWD_ENTITIES, &tasks));
    }
    CHECK(task_scheduler_runs(scheduler) == 0);
    task_scheduler_destroy(scheduler);
    view_crowd_destroy(&crowd);
}

// The allocator counts without atomics, so that a thread sanitizer sees a call from a task. Where
// there is no memory for regions one thread finds the rest; where there is none at all the set
// stays as it was.
static void no_task_calls_an_allocator_and_short_memory_is_told(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(view_crowd_create(&crowd, test_seed));
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    const uint64_t expected = hash_of_frames(1, ALL_FLAGS, NULL);
    const acre_visible_set_def def = {.flags = ALL_FLAGS, .allocator = &memory.allocator};
    CHECK(acre_culling_set_tasks(crowd.culling, &tasks) == ACRE_OK);
    uint64_t failures = 0, successes = 0;
    for (uint64_t at = 1; successes < 3; at++) {
        acre_visible_set *set;
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_visible_set_create(&def, &set) == ACRE_OK);
        uint64_t hash = 1;
        bool has_failed = false;
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            const acre_view view = view_of_frame(1, frame);
            if (acre_culling_find_visible(crowd.culling, &view, set) != ACRE_OK) {
                has_failed = true;
                CHECK(frame > 0 || acre_visible_set_get(set).count == 0);
                CHECK(acre_culling_find_visible(crowd.culling, &view, set) == ACRE_OK);
            }
            hash = hash_of_set(set, hash);
        }
        CHECK(hash == expected);
        failures += has_failed;
        successes += memory.failed == 0;
        acre_visible_set_destroy(set);
    }
    CHECK(failures > 3);
    task_scheduler_destroy(scheduler);
    view_crowd_destroy(&crowd);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static void a_steady_frame_allocates_nothing(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(view_crowd_create(&crowd, test_seed));
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    const acre_visible_set_def def = {.flags = ALL_FLAGS, .allocator = &memory.allocator};
    acre_visible_set *set;
    CHECK(acre_visible_set_create(&def, &set) == ACRE_OK);
    CHECK(acre_culling_set_tasks(crowd.culling, &tasks) == ACRE_OK);
    for (uint32_t frame = 0; frame < 20; frame++) {
        const acre_view view = view_of_frame(0, frame % 4);
        if (frame == 4) {
            failing_allocator_arm(&memory, FAIL_FROM, 1);
        }
        CHECK(acre_culling_find_visible(crowd.culling, &view, set) == ACRE_OK);
    }
    CHECK(memory.requests == 0 && task_scheduler_runs(scheduler) > 0);
    acre_visible_set_destroy(set);
    task_scheduler_destroy(scheduler);
    view_crowd_destroy(&crowd);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_set_is_the_same_in_every_order),
        TEST(slots_are_the_same_in_every_order),
        TEST(small_views_are_not_divided),
        TEST(no_task_calls_an_allocator_and_short_memory_is_told),
        TEST(a_steady_frame_allocates_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
