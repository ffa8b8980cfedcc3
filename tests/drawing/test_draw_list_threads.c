// SPDX-License-Identifier: MIT
// test_draw_list_threads.c - draw lists built on a host's workers are those that one thread builds.
#include "culling_counts.h"
#include "failing_allocator.h"
#include "task_scheduler.h"
#include "view_crowd.h"

#include <acre/draw_list.h>

#include <stdlib.h>
#include <string.h>

enum { INPUTS = 6 };

static view_crowd crowd;
static uint32_t slots[CROWD_ENTITIES], keys[CROWD_ENTITIES];
static uint8_t lods[CROWD_ENTITIES];
static size_t count;

static bool open_crowd(void)
{
    test_random random = {test_seed};
    const acre_view all = {.flags = ACRE_VIEW_IGNORE_RULES};
    if (!view_crowd_create(&crowd, test_seed)) {
        return false;
    }
    count = count_in_view(crowd.culling, &all, slots, CROWD_ENTITIES);
    for (uint32_t i = 0; i < CROWD_ENTITIES; i++) {
        keys[i] = i % 3 ? i % 40 : random_below(&random, 1u << 28);
        lods[i] = (uint8_t)random_below(&random, 5);
    }
    return count > CROWD_ENTITIES / 2;
}

// Keys that fit one sort and that need two, one group, equal distances, each order and form.
static acre_draw_input input_of(uint32_t number)
{
    const acre_draw_input inputs[INPUTS] = {
        {.keys = keys, .lods = lods, .order = ACRE_DRAW_NEAR_TO_FAR, .matrices = ACRE_MATRIX_ROWS},
        {.keys = keys, .matrices = ACRE_MATRIX_COLUMNS},
        {.lods = lods, .order = ACRE_DRAW_FAR_TO_NEAR, .flags = ACRE_DRAW_UNGROUPED, .keys = keys},
        {.order = ACRE_DRAW_NEAR_TO_FAR, .eye = {1e30f, 0, 0}, .matrices = ACRE_MATRIX_ROWS},
        {.lods = lods, .flags = ACRE_DRAW_USER_KEYS, .order = ACRE_DRAW_FAR_TO_NEAR},
        {.keys = keys, .lods = lods, .flags = ACRE_DRAW_UNGROUPED, .matrices = ACRE_MATRIX_ROWS},
    };
    acre_draw_input input = inputs[number % INPUTS];
    input.slots = slots;
    input.count = number % 4 == 3 ? count - 2000 : count;
    input.key_count = input.keys ? CROWD_ENTITIES : 0;
    return input;
}

static bool are_same(const acre_draw *a, const acre_draw *b)
{
    return a->count == b->count && a->range_count == b->range_count &&
           a->matrix_floats == b->matrix_floats &&
           memcmp(a->slots, b->slots, a->count * sizeof *a->slots) == 0 &&
           memcmp(a->ranges, b->ranges, a->range_count * sizeof *a->ranges) == 0 &&
           (!a->matrices ||
            memcmp(a->matrices, b->matrices, a->count * a->matrix_floats * sizeof(float)) == 0);
}

static bool is_same_list(uint32_t number, const acre_tasks *tasks)
{
    acre_draw_list *lists[2] = {NULL, NULL};
    bool is_good = true;
    for (int k = 0; k < 2 && is_good; k++) {
        const acre_draw_input input = input_of(number);
        is_good = acre_culling_set_tasks(crowd.culling, k ? tasks : NULL) == ACRE_OK &&
                  acre_draw_list_create(NULL, &lists[k]) == ACRE_OK &&
                  acre_draw_list_build(lists[k], crowd.culling, &input) == ACRE_OK;
    }
    const acre_draw serial = acre_draw_list_get(lists[0]), shared = acre_draw_list_get(lists[1]);
    is_good = is_good && serial.count > 1000 && are_same(&serial, &shared);
    acre_draw_list_destroy(lists[0]);
    acre_draw_list_destroy(lists[1]);
    return is_good;
}

static bool lists_are_those_of_one_thread(const acre_tasks *tasks, uint32_t number)
{
    return is_same_list(number, tasks) && is_same_list(number / 8 + 1, tasks);
}

static void lists_are_the_same_in_every_order(void)
{
    CHECK(open_crowd());
    CHECK(task_scheduler_try_all(lists_are_those_of_one_thread));
    view_crowd_destroy(&crowd);
}

// The allocator counts without atomics, so that a thread sanitizer sees a call from a task.
static void short_memory_leaves_the_list_and_a_steady_frame_takes_none(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(open_crowd());
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    acre_draw_list *expected;
    const acre_draw_input input = input_of(0);
    CHECK(acre_draw_list_create(NULL, &expected) == ACRE_OK);
    CHECK(acre_draw_list_build(expected, crowd.culling, &input) == ACRE_OK);
    CHECK(acre_culling_set_tasks(crowd.culling, &tasks) == ACRE_OK);
    const acre_draw wanted = acre_draw_list_get(expected);
    bool has_ended = false;
    uint32_t refused = 0, divided_less = 0;
    for (uint64_t at = 1; !has_ended; at++) {
        acre_draw_list *list;
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_draw_list_create(&memory.allocator, &list) == ACRE_OK);
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        const acre_result result = acre_draw_list_build(list, crowd.culling, &input);
        has_ended = memory.failed == 0;
        acre_draw draw = acre_draw_list_get(list);
        CHECK(result == ACRE_OK ? are_same(&draw, &wanted) : draw.count == 0);
        refused += result != ACRE_OK;
        divided_less += result == ACRE_OK && !has_ended;
        if (has_ended) {
            failing_allocator_arm(&memory, FAIL_FROM, 1);
            for (int i = 0; i < 3; i++) { // the second build takes the other array of slots
                CHECK(acre_draw_list_build(list, crowd.culling, &input) ==
                      (i == 0 ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK));
                failing_allocator_arm(&memory, i == 0 ? FAIL_NEVER : FAIL_FROM, 1);
            }
            draw = acre_draw_list_get(list);
            CHECK(memory.requests == 0 && are_same(&draw, &wanted));
        }
        acre_draw_list_destroy(list);
    }
    CHECK(refused > 3 && divided_less == 1); // the table of counts
    acre_draw_list_destroy(expected);
    task_scheduler_destroy(scheduler);
    view_crowd_destroy(&crowd);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(lists_are_the_same_in_every_order),
        TEST(short_memory_leaves_the_list_and_a_steady_frame_takes_none),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
