// SPDX-License-Identifier: MIT
// test_scene_all_move_threads.c - frames in which every entity moves, and arrays in which an entity
// stands twice, on a host's workers: what is published is what one thread publishes.
#include "hash_changes.h"
#include "task_scheduler.h"

#include <acre/scene.h>

#include <stdlib.h>
#include <string.h>

// Three blocks of rows, 40 that a worker claims to set: those have 64.
enum { ENTITIES = 2500, FRAMES = 7 };

typedef struct frames_world {
    acre_scene *scene;
    acre_module module; // hears the lists
    uint64_t hash;      // of all lists and boxes so far
    acre_entity entities[ENTITIES];
    acre_transform locals[ENTITIES];
} frames_world;

static acre_result hash_lists(void *user, const acre_scene *scene,
                              const acre_scene_changes *changes)
{
    (void)scene;
    hash_changes(&((frames_world *)user)->hash, changes);
    return ACRE_OK;
}

// Plain roots; from the middle on, chains of three.
static bool begin(frames_world *w, const acre_tasks *tasks)
{
    static const acre_aabb box = {{-1, 0, -1}, {1, 3, 1}};
    *w = (frames_world){.hash = HASH_START};
    w->module = (acre_module){.name = "lists", .commit = hash_lists, .user = w};
    bool is_good = acre_scene_create(&(acre_scene_def){0}, &w->scene) == ACRE_OK &&
                   acre_scene_attach(w->scene, &w->module) == ACRE_OK &&
                   acre_scene_set_tasks(w->scene, tasks) == ACRE_OK;
    for (uint32_t i = 0; i < ENTITIES && is_good; i++) {
        const bool is_child = i >= ENTITIES / 2 && i % 3 != 0;
        w->locals[i] = (acre_transform)ACRE_TRANSFORM_IDENTITY;
        w->locals[i].translation[0] = (float)i;
        const acre_entity_def def = {.local = &w->locals[i],
                                     .bounds = &box,
                                     .parent = is_child ? w->entities[i - 1] : (acre_entity){0}};
        is_good = acre_entity_create(w->scene, &def, &w->entities[i]) == ACRE_OK;
    }
    return is_good && acre_scene_commit(w->scene) == ACRE_OK;
}

static bool commit_and_hash(frames_world *w)
{
    if (acre_scene_commit(w->scene) != ACRE_OK ||
        acre_scene_validate(w->scene, NULL, 0) != ACRE_OK) {
        return false;
    }
    const acre_scene_view view = acre_scene_get_view(w->scene);
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        hash_box(&w->hash, &view.world_bounds[slot]);
    }
    return true;
}

static bool set_all(frames_world *w, float step)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        w->locals[i].translation[1] += step;
    }
    return acre_scene_set_locals(w->scene, w->entities, w->locals, ENTITIES) == ACRE_OK;
}

// The edits of a frame in which all entities move as well.
static bool edit_frame(frames_world *w, uint32_t frame)
{
    static const acre_aabb box = {{-1, 0, -1}, {1, 3, 1}};
    acre_entity *const some = &w->entities[1502];
    const acre_entity_def def = {.bounds = &box};
    switch (frame) {
    case 2: // a chain and a root are hidden
        return acre_entity_set_flags(w->scene, w->entities[1500], ACRE_ENTITY_HIDDEN) == ACRE_OK &&
               acre_entity_set_flags(w->scene, w->entities[70], ACRE_ENTITY_HIDDEN) == ACRE_OK;
    case 4: // and shown
        return acre_entity_set_flags(w->scene, w->entities[1500], 0) == ACRE_OK &&
               acre_entity_set_flags(w->scene, w->entities[70], 0) == ACRE_OK;
    case 6: // a hole and a new row
        return acre_entity_destroy(w->scene, *some) == ACRE_OK &&
               acre_entity_create(w->scene, &def, some) == ACRE_OK;
    default:
        return true;
    }
}

static uint64_t run_frames(const acre_tasks *tasks)
{
    static frames_world w;
    bool is_good = begin(&w, tasks);
    for (uint32_t frame = 0; frame < FRAMES && is_good; frame++) {
        is_good =
            set_all(&w, 0.5f) && edit_frame(&w, frame) && set_all(&w, 1) && commit_and_hash(&w);
    }
    acre_scene_destroy(w.scene);
    return is_good ? w.hash : 0;
}

static uint64_t wanted;

static bool has_wanted_hash(const acre_tasks *tasks, uint32_t number)
{
    (void)number;
    return run_frames(tasks) == wanted;
}

static void frames_in_which_all_move_have_the_lists_of_one_thread(void)
{
    wanted = run_frames(NULL);
    CHECK(wanted != 0);
    CHECK(task_scheduler_try_all(has_wanted_hash));
}

// Positions of an array where one entity stands twice: within a block of a worker, at the ends of
// blocks, in neighboring blocks, far apart. The thread sanitizer sees where two workers set it.
static const uint32_t twice[][2] = {{0, 1},    {10, 50},   {63, 64},  {62, 65},    {63, 127},
                                    {64, 127}, {127, 128}, {0, 2499}, {2498, 2499}};

// Whether an entity stands where a row of the array has it: x tells the row.
static bool has_row(const frames_world *w, acre_entity entity, uint32_t row)
{
    acre_transform local;
    return acre_entity_get_local(w->scene, entity, &local) == ACRE_OK &&
           memcmp(local.translation, w->locals[row].translation, sizeof local.translation) == 0 &&
           local.translation[0] == (float)row;
}

// Each of the two stands where the other one belongs, too: the row that comes last wins.
static bool set_one_twice(frames_world *w, uint32_t a, uint32_t b)
{
    const acre_entity kept = w->entities[a];
    w->entities[a] = w->entities[b];
    const bool is_good =
        set_all(w, 1) && commit_and_hash(w) && has_row(w, w->entities[b], a > b ? a : b);
    w->entities[a] = kept;
    return is_good;
}

// The last block has entities of the first one, both in ascending order.
static bool set_first_block_twice(frames_world *w)
{
    enum { LAST_BLOCK = ENTITIES / 64 * 64, COUNT = ENTITIES - LAST_BLOCK };
    acre_entity kept[COUNT];
    memcpy(kept, w->entities + LAST_BLOCK, sizeof kept);
    memcpy(w->entities + LAST_BLOCK, w->entities, sizeof kept);
    const bool is_good = set_all(w, 1) && commit_and_hash(w) &&
                         has_row(w, w->entities[0], LAST_BLOCK) &&
                         has_row(w, w->entities[COUNT - 1], ENTITIES - 1);
    memcpy(w->entities + LAST_BLOCK, kept, sizeof kept);
    return is_good;
}

static uint64_t set_twice(const acre_tasks *tasks)
{
    static frames_world w;
    bool is_good = begin(&w, tasks) && set_first_block_twice(&w);
    for (size_t k = 0; k < sizeof twice / sizeof twice[0] && is_good; k++) {
        is_good = set_one_twice(&w, twice[k][0], twice[k][1]) &&
                  set_one_twice(&w, twice[k][1], twice[k][0]);
    }
    acre_scene_destroy(w.scene);
    return is_good ? w.hash : 0;
}

static void of_an_entity_that_stands_twice_the_last_row_wins(void)
{
    const uint64_t serial = set_twice(NULL);
    CHECK(serial != 0);
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        task_scheduler *const scheduler = task_scheduler_create(4, (task_order)order, test_seed);
        CHECK(scheduler);
        acre_tasks tasks = task_scheduler_tasks(scheduler);
        tasks.divides_small_calls = true;
        CHECK(set_twice(&tasks) == serial);
        task_scheduler_destroy(scheduler);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(frames_in_which_all_move_have_the_lists_of_one_thread),
        TEST(of_an_entity_that_stands_twice_the_last_row_wins),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
