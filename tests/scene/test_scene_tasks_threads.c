// SPDX-License-Identifier: MIT
// test_scene_tasks_threads.c - a scene that commits on a host's workers publishes the bits and
// lists that one thread publishes, in every order and with any number of workers.
#include "hash_changes.h"
#include "task_scheduler.h"

#include <acre/scene.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 9000, MOST_FRAMES = 1000 };

// Runs of plain roots between families, hidden ones and ones without boxes. Some parents stand next
// to their children, some far before them.
typedef struct world {
    acre_scene *scene;
    acre_module module; // hears the lists
    uint64_t lists;     // a hash of all lists so far
    test_random random;
    acre_entity created; // by the last edit that creates
    acre_entity entities[ENTITIES];
    acre_transform locals[ENTITIES];
} world;

static acre_result hash_lists(void *user, const acre_scene *scene,
                              const acre_scene_changes *changes)
{
    (void)scene;
    hash_changes(&((world *)user)->lists, changes);
    return ACRE_OK;
}

static acre_transform random_transform(test_random *random)
{
    acre_transform local = ACRE_TRANSFORM_IDENTITY;
    for (int k = 0; k < 3; k++) {
        local.translation[k] = random_float(random, -1000, 1000);
        local.scale[k] = random_float(random, 0.5f, 2);
    }
    return local;
}

static bool begin_world(world *w, acre_kernel kernel, const acre_tasks *tasks)
{
    static const acre_aabb box = {{-1, 0, -1}, {1, 3, 1}};
    const acre_scene_def def = {.kernel = kernel};
    *w = (world){.lists = HASH_START, .random.state = test_seed};
    w->module = (acre_module){.name = "lists", .commit = hash_lists, .user = w};
    if (acre_scene_create(&def, &w->scene) != ACRE_OK ||
        acre_scene_attach(w->scene, &w->module) != ACRE_OK ||
        acre_scene_set_tasks(w->scene, tasks) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const bool is_odd = i / 512 % 3 == 2; // one run of three
        const uint32_t chance = is_odd ? random_below(&w->random, 10) : 9;
        const uint32_t parent = chance < 5 ? i - 1 : random_below(&w->random, i + 1);
        w->locals[i] = random_transform(&w->random);
        const acre_entity_def entity = {.local = &w->locals[i],
                                        .bounds = chance == 0 ? NULL : &box,
                                        .flags = chance == 1 ? ACRE_ENTITY_HIDDEN : 0,
                                        .parent = chance < 6 && parent < i ? w->entities[parent]
                                                                           : (acre_entity){0}};
        if (acre_entity_create(w->scene, &entity, &w->entities[i]) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

// Creates an entity that a frame or two later is destroyed.
static bool create_child(world *w, acre_entity parent)
{
    static const acre_aabb box = {{-1, 0, -1}, {1, 3, 1}};
    const acre_entity_def def = {.parent = parent, .bounds = &box};
    ACRE_IGNORE(acre_entity_destroy(w->scene, w->created)); // stale at first
    return acre_entity_create(w->scene, &def, &w->created) == ACRE_OK;
}

// A run of entities gets world boxes.
static bool set_world_boxes(world *w)
{
    enum { BOXES = 600 };
    static acre_aabb boxes[BOXES];
    const uint32_t first = random_below(&w->random, ENTITIES - BOXES);
    for (uint32_t i = 0; i < BOXES; i++) {
        for (int k = 0; k < 3; k++) {
            boxes[i].min[k] = random_float(&w->random, -900, 900);
            boxes[i].max[k] = boxes[i].min[k] + 2;
        }
    }
    const acre_box_array rows = {boxes[0].min, boxes[0].max, sizeof *boxes, sizeof *boxes,
                                 ACRE_BOX_FORM_MIN_MAX};
    return acre_scene_set_world_bounds(w->scene, &w->entities[first], &rows, BOXES) == ACRE_OK;
}

// Moves long runs of entities, and some single ones; hides, shows and replaces a few.
static bool edit_world(world *w)
{
    const uint32_t first = random_below(&w->random, ENTITIES / 2);
    const uint32_t count = ENTITIES / 4 + random_below(&w->random, ENTITIES / 4);
    for (uint32_t i = first; i < first + count; i++) {
        w->locals[i].translation[0] += random_float(&w->random, -2, 2);
    }
    if (acre_scene_set_locals(w->scene, &w->entities[first], &w->locals[first], count) != ACRE_OK) {
        return false;
    }
    static const float sheared[16] = {1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 1, 0, 9, 0, 7, 1};
    bool is_good = set_world_boxes(w);
    for (int n = 0; n < 40 && is_good; n++) {
        const uint32_t i = random_below(&w->random, ENTITIES);
        switch (random_below(&w->random, 6)) {
        case 4: // perhaps below itself, which is refused
            ACRE_IGNORE(acre_entity_set_parent(w->scene, w->entities[i],
                                               w->entities[random_below(&w->random, ENTITIES)]));
            break;
        case 5:
            is_good = create_child(w, w->entities[i]);
            break;
        case 3: // a call that sets many transforms frees the matrix again
            is_good = acre_entity_set_local_matrix(w->scene, w->entities[i], sheared) == ACRE_OK;
            break;
        case 0:
            w->locals[i] = random_transform(&w->random);
            is_good = acre_entity_set_local(w->scene, w->entities[i], &w->locals[i]) == ACRE_OK;
            break;
        case 1:
            is_good =
                acre_entity_set_flags(w->scene, w->entities[i], ACRE_ENTITY_HIDDEN) == ACRE_OK;
            break;
        default:
            is_good = acre_entity_set_flags(w->scene, w->entities[i], 0) == ACRE_OK;
            break;
        }
    }
    return is_good;
}

static uint64_t hash_view(const world *w)
{
    const acre_scene_view view = acre_scene_get_view(w->scene);
    uint64_t hash = w->lists;
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        float matrix[16];
        hash_box(&hash, &view.world_bounds[slot]);
        hash_word(&hash, view.flags[slot]);
        if (acre_entity_world_matrix(w->scene, acre_scene_entity(w->scene, slot), matrix) ==
            ACRE_OK) {
            hash_floats(&hash, matrix, 16);
        }
    }
    return hash;
}

// @return whether all went well; hashes[frame] is what was published.
static bool run_frames(acre_kernel kernel, const acre_tasks *tasks, uint32_t frames,
                       uint64_t *hashes)
{
    static world w;
    bool is_good = begin_world(&w, kernel, tasks);
    for (uint32_t frame = 0; frame < frames && is_good; frame++) {
        is_good = (frame == 0 || edit_world(&w)) && acre_scene_commit(w.scene) == ACRE_OK &&
                  (frame % 8 != 0 || acre_scene_validate(w.scene, NULL, 0) == ACRE_OK);
        hashes[frame] = is_good ? hash_view(&w) : 0;
    }
    acre_scene_destroy(w.scene);
    return is_good;
}

enum { FRAMES = 4 };
static uint64_t wanted[FRAMES];

static bool has_wanted_hashes(const acre_tasks *tasks, uint32_t number)
{
    const acre_kernel kernel = (number + number / 8) % 2 ? ACRE_KERNEL_DEFAULT : ACRE_KERNEL_SCALAR;
    uint64_t found[FRAMES];
    return run_frames(kernel, tasks, FRAMES, found) && memcmp(wanted, found, sizeof wanted) == 0;
}

static void every_kernel_order_and_worker_count_has_one_result(void)
{
    CHECK(run_frames(ACRE_KERNEL_SCALAR, NULL, FRAMES, wanted));
    CHECK(task_scheduler_try_all(has_wanted_hashes));
}

static void four_workers_commit_many_frames_as_one_does(void)
{
    static uint64_t serial[MOST_FRAMES], found[MOST_FRAMES];
    const uint32_t frames = 30 * test_scale < MOST_FRAMES ? 30 * test_scale : MOST_FRAMES;
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(run_frames(ACRE_KERNEL_DEFAULT, NULL, frames, serial));
    CHECK(run_frames(ACRE_KERNEL_DEFAULT, &tasks, frames, found));
    CHECK(memcmp(serial, found, frames * sizeof *serial) == 0);
    task_scheduler_destroy(scheduler);
}

// Every parent stands in another block of rows, so that a family waits for many rounds.
static uint64_t commit_long_family(const acre_tasks *tasks)
{
    enum { STEP = 1024, GENERATIONS = 24 };
    static acre_entity entities[STEP * GENERATIONS];
    static const acre_aabb box = {{-1, 0, -1}, {1, 3, 1}};
    acre_transform local = ACRE_TRANSFORM_IDENTITY;
    uint64_t hash = HASH_START;
    world w = {.lists = HASH_START};
    w.module = (acre_module){.name = "lists", .commit = hash_lists, .user = &w};
    bool is_good = acre_scene_create(NULL, &w.scene) == ACRE_OK &&
                   acre_scene_attach(w.scene, &w.module) == ACRE_OK &&
                   acre_scene_set_tasks(w.scene, tasks) == ACRE_OK;
    for (uint32_t i = 0; i < STEP * GENERATIONS && is_good; i++) {
        const acre_entity_def def = {.bounds = &box,
                                     .parent = i < STEP ? (acre_entity){0} : entities[i - STEP]};
        is_good = acre_entity_create(w.scene, &def, &entities[i]) == ACRE_OK;
    }
    for (uint32_t frame = 0; frame < 3 && is_good; frame++) { // new, moved, hidden
        local.translation[0] += 0.1f;
        for (uint32_t i = 0; i < STEP && is_good; i++) {
            is_good = acre_entity_set_local(w.scene, entities[i], &local) == ACRE_OK &&
                      acre_entity_set_flags(w.scene, entities[i + STEP],
                                            frame == 2 ? ACRE_ENTITY_HIDDEN : 0) == ACRE_OK;
        }
        is_good = is_good && acre_scene_commit(w.scene) == ACRE_OK &&
                  acre_scene_validate(w.scene, NULL, 0) == ACRE_OK;
        hash = is_good ? hash * 31 + hash_view(&w) : 0;
    }
    acre_scene_destroy(w.scene);
    return hash;
}

static void families_over_many_blocks_are_published_as_one_thread_does(void)
{
    const uint64_t serial = commit_long_family(NULL);
    CHECK(serial != 0);
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        task_scheduler *const scheduler = task_scheduler_create(3, (task_order)order, test_seed);
        CHECK(scheduler);
        acre_tasks tasks = task_scheduler_tasks(scheduler);
        tasks.divides_small_calls = true;
        CHECK(commit_long_family(&tasks) == serial);
        CHECK(task_scheduler_runs(scheduler) > 2 * 3 * 10);
        task_scheduler_destroy(scheduler);
    }
}

// Which row is refused first, and which of two rows of one entity wins, is as without workers.
static void refused_rows_and_entities_that_stand_twice_are_as_without_workers(void)
{
    static world worlds[2];
    static acre_transform locals[ENTITIES];
    acre_entity last;
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    for (int k = 0; k < 2; k++) {
        world *const w = &worlds[k];
        CHECK(begin_world(w, ACRE_KERNEL_DEFAULT, k == 0 ? NULL : &tasks));
        CHECK(acre_scene_commit(w->scene) == ACRE_OK);
        memcpy(locals, w->locals, sizeof locals);
        last = w->entities[ENTITIES - 1];
        locals[7000].translation[1] = NAN;
        w->entities[8000].generation++;
        CHECK(acre_scene_set_locals(w->scene, w->entities, locals, ENTITIES) ==
              ACRE_ERROR_INVALID_ARGUMENT);
        locals[7000].translation[1] = 0;
        CHECK(acre_scene_set_locals(w->scene, w->entities, locals, ENTITIES) ==
              ACRE_ERROR_STALE_HANDLE);
        w->entities[8000].generation--;
        w->entities[0] = last; // stands twice: its second row wins
        CHECK(acre_scene_set_locals(w->scene, w->entities, locals, ENTITIES) == ACRE_OK);
        CHECK(acre_scene_commit(w->scene) == ACRE_OK);
    }
    CHECK(hash_view(&worlds[0]) == hash_view(&worlds[1]));
    acre_scene_destroy(worlds[0].scene);
    acre_scene_destroy(worlds[1].scene);
    task_scheduler_destroy(scheduler);
}

typedef struct setter {
    world *w;
    uint32_t first, count;
    acre_result result;
} setter;

static void *set_own_entities(void *user)
{
    setter *const own = user;
    for (uint32_t i = own->first; i < own->first + own->count && own->result == ACRE_OK; i += 25) {
        own->result =
            acre_scene_set_locals(own->w->scene, &own->w->entities[i], &own->w->locals[i], 25);
    }
    return NULL;
}

// Each thread has entities of its own, some with matrices, whose rows share words of the sets.
static void many_threads_set_transforms_at_a_time(void)
{
    enum { THREADS = 4, EACH = ENTITIES / 2 / THREADS / 25 * 25 };
    static world worlds[2];
    task_scheduler *const scheduler = task_scheduler_create(2, TASKS_LATE, test_seed);
    CHECK(scheduler);
    const acre_tasks tasks = task_scheduler_tasks(scheduler);
    for (int k = 0; k < 2; k++) {
        CHECK(begin_world(&worlds[k], ACRE_KERNEL_DEFAULT, k == 0 ? NULL : &tasks));
    }
    for (uint32_t frame = 0; frame < 20 * test_scale; frame++) {
        for (int k = 0; k < 2; k++) {
            setter setters[THREADS];
            pthread_t threads[THREADS];
            CHECK(edit_world(&worlds[k]));
            for (uint32_t i = 0; i < THREADS; i++) {
                setters[i] = (setter){&worlds[k], i * EACH, EACH, ACRE_OK};
                CHECK(k == 0 ||
                      pthread_create(&threads[i], NULL, set_own_entities, &setters[i]) == 0);
            }
            for (uint32_t i = 0; i < THREADS; i++) {
                if (k == 0) {
                    set_own_entities(&setters[i]);
                } else {
                    CHECK(pthread_join(threads[i], NULL) == 0);
                }
                CHECK(setters[i].result == ACRE_OK);
            }
            CHECK(acre_scene_commit(worlds[k].scene) == ACRE_OK);
            CHECK(acre_scene_validate(worlds[k].scene, NULL, 0) == ACRE_OK);
        }
        CHECK(hash_view(&worlds[0]) == hash_view(&worlds[1]));
    }
    acre_scene_destroy(worlds[0].scene);
    acre_scene_destroy(worlds[1].scene);
    task_scheduler_destroy(scheduler);
}

static void small_scenes_stay_serial_and_bad_tasks_are_refused(void)
{
    static uint64_t hashes[3];
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_LATE, test_seed);
    CHECK(scheduler);
    const acre_tasks tasks = task_scheduler_tasks(scheduler);
    CHECK(run_frames(ACRE_KERNEL_DEFAULT, &tasks, 3, hashes));
    CHECK(task_scheduler_runs(scheduler) == 0);
    task_scheduler_destroy(scheduler);
    const acre_tasks bad = {.worker_count = 2};
    acre_scene *scene;
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_scene_set_tasks(scene, &bad) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_set_tasks(NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_kernel_order_and_worker_count_has_one_result),
        TEST(four_workers_commit_many_frames_as_one_does),
        TEST(families_over_many_blocks_are_published_as_one_thread_does),
        TEST(refused_rows_and_entities_that_stand_twice_are_as_without_workers),
        TEST(many_threads_set_transforms_at_a_time),
        TEST(small_scenes_stay_serial_and_bad_tasks_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
