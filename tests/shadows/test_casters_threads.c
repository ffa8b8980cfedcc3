// SPDX-License-Identifier: MIT
// test_casters_threads.c - receivers and casters on a host's workers: the slots and their order are
// what one thread finds.
#include "failing_allocator.h"
#include "task_scheduler.h"
#include "view_crowd.h"

#include <acre/casters.h>

#include <string.h>

// CASCADES in place of a cascade's number is the point light.
enum { CASCADES = 2, LISTED = 3000 };

static view_crowd crowd;
static acre_cascade cascades[CASCADES];
static acre_frustum seen; // by the camera
static const acre_local_light lamp = {.position = {-60, 40, -60}, .range = 220};
static uint32_t listed[LISTED]; // slots that receive

typedef struct caster_answer {
    uint32_t slots[CROWD_ENTITIES + 1];
    uint8_t faces[CROWD_ENTITIES + 1]; // of the light
    size_t total;
    acre_result added;
} caster_answer;

static bool make_cascades(void)
{
    const float eye[3] = {-240, 90, -240}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    const acre_cascades_def def = {.light = {0.4f, -1, 0.3f},
                                   .caster_distance = 80,
                                   .log_share = 0.5f,
                                   .count = CASCADES,
                                   .resolution = 1024};
    acre_camera camera;
    for (uint32_t i = 0; i < LISTED; i++) {
        listed[i] = i * 3;
    }
    return acre_camera_perspective(&camera, 1.5f, 1.6f, 0.5f, 800, ACRE_CLIP_ZERO_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
           acre_cascades_fit(&def, &camera, cascades) == ACRE_OK &&
           acre_camera_frustum(&camera, &seen) == ACRE_OK && view_crowd_create(&crowd, test_seed);
}

// Receivers are a list, where has_list, else all that is in the slice.
static bool find(uint32_t cascade, bool has_list, size_t capacity, acre_receivers *receivers,
                 caster_answer *out)
{
    memset(out, 0xa5, sizeof *out);
    const bool is_light = cascade == CASCADES;
    if ((is_light ? acre_receivers_begin_light(receivers, &lamp, &seen)
                  : acre_receivers_begin(receivers, &cascades[cascade])) != ACRE_OK) {
        return false;
    }
    out->added = has_list ? acre_culling_add_receivers(crowd.culling, receivers, listed, LISTED)
                          : acre_culling_add_receivers_in_slice(crowd.culling, receivers, 0);
    return acre_culling_query_casters_by_face(
               crowd.culling, receivers, capacity ? out->slots : NULL, is_light ? out->faces : NULL,
               capacity, &out->total) == ACRE_OK;
}

static bool is_same_answer(uint32_t cascade, bool has_list, size_t capacity,
                           const acre_tasks *tasks)
{
    static caster_answer answers[2];
    acre_receivers *receivers[2] = {NULL, NULL};
    bool is_good = true;
    for (int k = 0; k < 2 && is_good; k++) {
        is_good = acre_culling_set_tasks(crowd.culling, k ? tasks : NULL) == ACRE_OK &&
                  acre_receivers_create(NULL, &receivers[k]) == ACRE_OK &&
                  find(cascade, has_list, capacity, receivers[k], &answers[k]);
    }
    const size_t total = answers[0].total, written = total < capacity ? total : capacity;
    is_good = is_good && total == answers[1].total && total > 100 &&
              answers[0].added == answers[1].added &&
              memcmp(answers[0].slots, answers[1].slots, written * sizeof(uint32_t)) == 0 &&
              memcmp(answers[0].faces, answers[1].faces, written) == 0 &&
              answers[1].slots[capacity] == 0xa5a5a5a5u;
    // Boxes that no entity has are tested alike: the grids are the same.
    test_random random = {test_seed};
    for (int i = 0; i < 500 && is_good; i++) {
        acre_aabb box;
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = random_float(&random, -200, 200);
            box.max[axis] = box.min[axis] + random_float(&random, 0, 20);
        }
        is_good = acre_receivers_test_aabb(receivers[0], &box) ==
                  acre_receivers_test_aabb(receivers[1], &box);
    }
    acre_receivers_destroy(receivers[0]);
    acre_receivers_destroy(receivers[1]);
    return is_good;
}

static bool casters_are_those_of_one_thread(const acre_tasks *tasks, uint32_t number)
{
    const size_t rooms[] = {CROWD_ENTITIES, 700, 0};
    return is_same_answer(CASCADES - 1, number & 1, rooms[number % 3], tasks) &&
           is_same_answer(number % CASCADES, !(number & 1), CROWD_ENTITIES, tasks) &&
           is_same_answer(CASCADES, !(number & 1), rooms[(number + 1) % 3], tasks);
}

static void casters_are_the_same_in_every_order(void)
{
    CHECK(make_cascades());
    CHECK(task_scheduler_try_all(casters_are_those_of_one_thread));
    view_crowd_destroy(&crowd);
}

static void a_slot_that_is_missing_is_told_and_the_others_are_added(void)
{
    static caster_answer answers[2];
    CHECK(make_cascades());
    listed[LISTED / 2] = CROWD_ENTITIES + 5;
    task_scheduler *const scheduler = task_scheduler_create(3, TASKS_IN_REVERSE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(is_same_answer(1, true, CROWD_ENTITIES, &tasks));
    acre_receivers *receivers;
    CHECK(acre_receivers_create(NULL, &receivers) == ACRE_OK);
    CHECK(find(1, true, CROWD_ENTITIES, receivers, &answers[0]));
    CHECK(answers[0].added == ACRE_ERROR_NOT_FOUND && answers[0].total > 100);
    acre_receivers_destroy(receivers);
    task_scheduler_destroy(scheduler);
    view_crowd_destroy(&crowd);
}

// The allocator counts without atomics, so that a thread sanitizer sees a call from a task.
static void short_memory_changes_no_answer_and_a_steady_frame_takes_none(void)
{
    static caster_answer expected, answer;
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_receivers_def def = {.allocator = &memory.allocator};
    CHECK(make_cascades());
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    acre_receivers *receivers;
    CHECK(acre_receivers_create(&def, &receivers) == ACRE_OK);
    CHECK(find(1, false, CROWD_ENTITIES, receivers, &expected));
    CHECK(acre_culling_set_tasks(crowd.culling, &tasks) == ACRE_OK);
    for (int frame = 0; frame < 6; frame++) {
        // Without memory in the first frames; once it was taken no more is asked for.
        const bool is_short = frame < 2 || frame > 3;
        failing_allocator_arm(&memory, is_short ? FAIL_FROM : FAIL_NEVER, 1);
        CHECK(find(1, frame & 1, CROWD_ENTITIES, receivers, &answer));
        CHECK(frame < 2 ? memory.failed > 0 : memory.failed == 0);
        if (!(frame & 1)) {
            CHECK(answer.total == expected.total);
            CHECK(memcmp(answer.slots, expected.slots, answer.total * sizeof(uint32_t)) == 0);
        }
    }
    CHECK(task_scheduler_runs(scheduler) > 0);
    acre_receivers_destroy(receivers);
    task_scheduler_destroy(scheduler);
    view_crowd_destroy(&crowd);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(casters_are_the_same_in_every_order),
        TEST(a_slot_that_is_missing_is_told_and_the_others_are_added),
        TEST(short_memory_changes_no_answer_and_a_steady_frame_takes_none),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
