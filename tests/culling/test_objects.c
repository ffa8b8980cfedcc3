// SPDX-License-Identifier: MIT
// test_objects.c - a culler over a host's objects: what an update refuses and says of it, handles,
// shortages of memory, workers, and who follows an object.
#include "culling_world.h"
#include "failing_allocator.h"
#include "task_scheduler.h"

#include <acre/draw_list.h>
#include <acre/explain.h>
#include <acre/interest.h>
#include <acre/objects.h>
#include <acre/visible_set.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 200, CROWD = 40000 };

static acre_aabb boxes[CROWD];
static uint32_t all_slots[CROWD];

static void place_row(float first)
{
    for (uint32_t i = 0; i < CROWD; i++) {
        const float x = first + (float)(i % 200) * 3.0f, z = (float)(i / 200) * 3.0f;
        boxes[i] = (acre_aabb){{x, 0, z}, {x + 1, 2, z + 1}};
        all_slots[i] = i;
    }
}

static acre_box_array rows(void)
{
    return (acre_box_array){boxes[0].min, boxes[0].max, sizeof *boxes, sizeof *boxes,
                            ACRE_BOX_FORM_MIN_MAX};
}

static acre_objects first_update(uint32_t count)
{
    return (acre_objects){
        .slot_count = count, .boxes = rows(), .added = all_slots, .added_count = count};
}

static acre_culling *make_host(const acre_culling_def *def, uint32_t count)
{
    acre_culling *culling = NULL;
    place_row(0.0f);
    const acre_objects objects = first_update(count);
    EXPECT(acre_culling_create_for_objects(def, &culling) == ACRE_OK);
    EXPECT(acre_culling_update(culling, &objects, NULL) == ACRE_OK);
    return culling;
}

static size_t count_all(const acre_culling *culling)
{
    return count_in_frustum(culling, &everything, 0, NULL, 0);
}

static void what_is_no_update_is_refused(void)
{
    acre_culling *const host = make_host(NULL, 10);
    acre_scene *scene;
    acre_culling *other;
    CHECK(acre_culling_create_for_objects(NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, NULL, &other) == ACRE_OK);
    const acre_objects none = {.slot_count = 10};
    CHECK(acre_culling_update(host, &none, NULL) == ACRE_OK);
    CHECK(acre_culling_update(NULL, &none, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_update(host, NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_update(other, &none, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    const uint64_t bits = 1;
    const acre_objects bad[] = {
        {.slot_count = 10, .moved_count = ACRE_ALL_MOVED}, // no boxes
        {.slot_count = 10, .boxes = rows(), .moved_count = 1},
        {.slot_count = 10, .boxes = rows(), .removed_count = 1},
        {.slot_count = 10, .boxes = rows(), .added_count = 1},
        {.slot_count = 10, .boxes = rows(), .relabeled_count = 1},
        {.slot_count = 10, .boxes = rows(), .box_count = 1},
        {.slot_count = 10, .boxes = rows(), .box_slots = all_slots, .moved_count = ACRE_ALL_MOVED},
        {.slot_count = 10, .boxes = rows(), .box_slots = all_slots, .moved_bits = &bits},
        {.slot_count = 10, .boxes = rows(), .moved_bits = &bits, .moved_count = 1},
        {.slot_count = 10, .boxes = {.form = (acre_box_form)7}},
        {.box_slots = all_slots, .box_count = 1}, // no boxes, and no slots either
        {.slot_count = 10,
         .boxes = {.first = boxes},
         .relabeled = all_slots,
         .relabeled_count = 1}, // half of the boxes
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(acre_culling_update(host, &bad[i], NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    // What is for the entities of a scene.
    const acre_entity object = acre_culling_object(host, 3);
    CHECK(acre_culling_register(host, object) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_unregister(host, object) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_refresh(host, object) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_refresh_bounds(host, object, &unit_box) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_is_registered(host, object));
    CHECK(count_all(host) == 10 && acre_culling_object(NULL, 0).index1 == 0);
    acre_culling_destroy(other);
    acre_scene_destroy(scene);
    acre_culling_destroy(host);
}

static void a_report_names_the_list_the_row_and_the_rule(void)
{
    acre_culling *const host = make_host(&(acre_culling_def){.tree.item_capacity = 20}, 10);
    const uint32_t wrong[3] = {2, 15, 30};
    acre_batch_report report;
    acre_objects objects = {.slot_count = 25, .boxes = rows()};
    objects.removed = &wrong[1];
    objects.removed_count = 1;
    CHECK(acre_culling_update(host, &objects, &report) == ACRE_ERROR_NOT_FOUND);
    CHECK(report.refused == 1 && report.first_row == 0 && report.first.argument == 2);
    CHECK(report.first.field == 7 && report.first.rule == ACRE_REFUSED_ABSENT);
    const uint32_t added[3] = {12, 30, 22}; // beyond slot_count, beyond the capacity
    objects = (acre_objects){.slot_count = 25, .boxes = rows(), .added = added, .added_count = 3};
    CHECK(acre_culling_update(host, &objects, &report) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(report.refused == 2 && report.first_row == 1 && report.first.field == 9);
    CHECK(report.first.rule == ACRE_REFUSED_RANGE && count_all(host) == 11);
    objects.added = &added[2];
    objects.added_count = 1;
    CHECK(acre_culling_update(host, &objects, &report) == ACRE_ERROR_CAPACITY);
    CHECK(report.first.rule == ACRE_REFUSED_CAPACITY);
    objects = (acre_objects){
        .slot_count = 25, .boxes = rows(), .relabeled = &wrong[1], .relabeled_count = 1};
    CHECK(acre_culling_update(host, &objects, &report) == ACRE_ERROR_NOT_FOUND);
    CHECK(report.first.field == 11);
    boxes[2].max[1] = NAN;
    objects = (acre_objects){.slot_count = 25, .boxes = rows(), .moved = wrong, .moved_count = 3};
    CHECK(acre_culling_update(host, &objects, &report) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(report.refused == 3 && report.first_row == 0 && report.first.field == 13);
    CHECK(report.first.rule == ACRE_REFUSED_NAN);
    objects = (acre_objects){.slot_count = 25, .boxes = rows(), .moved_count = ACRE_ALL_MOVED};
    CHECK(acre_culling_update(host, &objects, &report) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(report.refused == 1 && report.first_row == 2 && report.first.field == 2);
    objects =
        (acre_objects){.slot_count = 25, .boxes = rows(), .box_slots = &wrong[1], .box_count = 2};
    CHECK(acre_culling_update(host, &objects, &report) == ACRE_ERROR_NOT_FOUND);
    CHECK(report.refused == 2 && report.first.field == 3 && count_all(host) == 11);
    CHECK(acre_culling_update(host, &(acre_objects){.slot_count = 25}, &report) == ACRE_OK);
    CHECK(report.refused == 0 && report.first.result == ACRE_OK);
    acre_culling_destroy(host);
}

static void a_handle_names_one_object(void)
{
    acre_culling *const host = make_host(NULL, 4);
    const acre_entity first = acre_culling_object(host, 1);
    acre_explanation why;
    acre_view view = {.layers = 0};
    CHECK(first.index1 == 2 && acre_culling_set_rule(host, first, 3) == ACRE_OK);
    CHECK(acre_culling_get_rule(host, first) == 3);
    const acre_objects gone = {.slot_count = 4, .removed = &all_slots[1], .removed_count = 1};
    CHECK(acre_culling_update(host, &gone, NULL) == ACRE_OK);
    CHECK(acre_culling_object(host, 1).index1 == 0 && !acre_culling_is_registered(host, first));
    CHECK(acre_culling_explain(host, &view, NULL, first, &why) == ACRE_ERROR_STALE_HANDLE);
    const acre_objects back = {
        .slot_count = 4, .boxes = rows(), .added = &all_slots[1], .added_count = 1};
    for (int i = 0; i < 70000; i++) { // more objects than there are generations
        CHECK(acre_culling_update(host, &back, NULL) == ACRE_OK);
        CHECK(acre_culling_object(host, 1).generation != 0);
    }
    const acre_entity second = acre_culling_object(host, 1);
    CHECK(second.generation != first.generation && acre_culling_get_rule(host, second) == 0);
    CHECK(acre_culling_explain(host, &view, NULL, second, &why) == ACRE_OK);
    CHECK(why.hidden_by == ACRE_HIDDEN_BY_NOTHING && why.place == ACRE_CULLING_MOVING_TREE);
    acre_culling_destroy(host);
}

// The host's arrays may go as soon as an update has returned.
static void nothing_of_the_host_is_read_after_an_update(void)
{
    uint32_t *const flags = malloc(MANY * sizeof *flags);
    uint32_t *const layers = malloc(MANY * sizeof *layers);
    acre_aabb *const given = malloc(MANY * sizeof *given);
    acre_culling *host;
    CHECK(flags && layers && given);
    CHECK(acre_culling_create_for_objects(NULL, &host) == ACRE_OK);
    place_row(0.0f);
    for (uint32_t i = 0; i < MANY; i++) {
        flags[i] = i % 10 == 0 ? ACRE_ENTITY_NEVER_CULL : i % 10 == 1 ? ACRE_ENTITY_HIDDEN : 0u;
        layers[i] = 1u << i % 4;
        given[i] = boxes[i];
    }
    acre_objects objects = first_update(MANY);
    objects.flags = flags;
    objects.layers = layers;
    objects.boxes.first = given[0].min;
    objects.boxes.second = given[0].max;
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
    free(flags);
    free(layers);
    free(given);
    size_t expected = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        expected += i % 4 == 2 && i % 10 != 1;
    }
    CHECK(count_in_frustum(host, &everything, 4, NULL, 0) == expected);
    acre_explanation why;
    const acre_view view = {.layers = 4};
    CHECK(acre_culling_explain(host, &view, NULL, acre_culling_object(host, 11), &why) == ACRE_OK);
    CHECK(why.hidden_by == ACRE_HIDDEN_BY_FLAG && why.parent.index1 == 12);
    CHECK(acre_culling_explain(host, &view, NULL, acre_culling_object(host, 20), &why) == ACRE_OK);
    CHECK(why.hidden_by == ACRE_HIDDEN_BY_LAYERS && why.place == ACRE_CULLING_NEVER_CULL);
    acre_culling_destroy(host);
}

// After any shortage an object is found by a query that looks at it, and the next update heals.
static void a_shortage_of_memory_loses_no_object(void)
{
    for (int mode = FAIL_ONCE; mode <= FAIL_FROM; mode++) {
        bool failed = true;
        for (uint64_t at = 1; failed && at < 400; at++) {
            failing_allocator memory;
            failing_allocator_init(&memory, FAIL_NEVER, 0);
            acre_culling_def def = {.tree = {.allocator = &memory.allocator, .half_size = 100}};
            acre_culling *host;
            uint32_t flags[MANY], layers[MANY];
            place_row(0.0f);
            for (uint32_t i = 0; i < MANY; i++) {
                flags[i] = i % 3 ? 0u : ACRE_ENTITY_STATIC;
                layers[i] = 1u + i % 3;
            }
            CHECK(acre_culling_create_for_objects(&def, &host) == ACRE_OK);
            failing_allocator_arm(&memory, (failing_mode)mode, at);
            acre_objects objects = first_update(MANY);
            objects.flags = flags;
            objects.layers = layers;
            const acre_result result = acre_culling_update(host, &objects, NULL);
            const acre_entity last = acre_culling_object(host, MANY - 1);
            failed = memory.failed > 0;
            CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
            CHECK(count_all(host) == (last.index1 ? MANY : 0));
            failing_allocator_arm(&memory, FAIL_NEVER, 0);
            if (last.index1) {
                objects = (acre_objects){
                    .slot_count = MANY, .boxes = rows(), .moved_count = ACRE_ALL_MOVED};
            }
            CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
            CHECK(acre_culling_validate(host, NULL, 0) == ACRE_OK && count_all(host) == MANY);
            acre_culling_stats stats;
            acre_culling_get_stats(host, &stats);
            CHECK(stats.never_culled == 0 && stats.still.items == (MANY + 2) / 3);
            CHECK(count_in_frustum(host, &everything, 2, NULL, 0) == MANY - (MANY + 2) / 3);
            acre_culling_destroy(host);
            CHECK(failing_allocator_fault(&memory) == NULL && memory.live_blocks == 0);
        }
        CHECK(!failed);
    }
}

// The first of two rows makes the static tree; the second one needs the box that is in it.
static void an_object_that_is_relabeled_twice_keeps_its_box(void)
{
    acre_culling *const host = make_host(NULL, 4);
    const uint32_t twice[2] = {1, 1}, flags[4] = {0, ACRE_ENTITY_STATIC, 0, 0};
    const acre_objects objects = {
        .slot_count = 4, .flags = flags, .relabeled = twice, .relabeled_count = 2};
    acre_aabb kept;
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK && count_all(host) == 4);
    CHECK(acre_quadtree_get_box(acre_culling_static_tree(host), 1, &kept) == ACRE_OK);
    CHECK(memcmp(&kept, &boxes[1], sizeof kept) == 0);
    acre_culling_destroy(host);
}

// A culler whose objects wait for room: no tree finds memory from request `at` on.
static acre_culling *make_behind(failing_allocator *memory, uint64_t at)
{
    failing_allocator_init(memory, FAIL_NEVER, 0);
    const acre_culling_def def = {.tree = {.allocator = &memory->allocator, .half_size = 100}};
    acre_culling *host = NULL;
    place_row(0.0f);
    EXPECT(acre_culling_create_for_objects(&def, &host) == ACRE_OK);
    acre_objects objects = {.slot_count = MANY};
    EXPECT(acre_culling_update(host, &objects, NULL) == ACRE_OK);
    failing_allocator_arm(memory, FAIL_FROM, at);
    objects = first_update(MANY);
    for (objects.added_count = 20; objects.added < all_slots + MANY; objects.added += 20) {
        ACRE_IGNORE(acre_culling_update(host, &objects, NULL));
    }
    failing_allocator_arm(memory, FAIL_NEVER, 0);
    EXPECT(count_all(host) == MANY);
    return host;
}

static size_t count_waiting(const acre_culling *host)
{
    acre_culling_stats stats;
    acre_culling_get_stats(host, &stats);
    return stats.never_culled;
}

static bool is_kept_at(const acre_culling *host, uint32_t slot, const acre_aabb *box)
{
    acre_aabb kept;
    return acre_quadtree_get_box(acre_culling_tree(host), slot, &kept) == ACRE_OK &&
           memcmp(&kept, box, sizeof kept) == 0;
}

static bool is_valid(const acre_culling *host)
{
    char message[160] = "";
    const bool holds = acre_culling_validate(host, message, sizeof message) == ACRE_OK;
    if (!holds) {
        printf("%s\n", message);
    }
    return holds;
}

// Each shortage leaves another part of the objects waiting.
// As a list, and as a chunk, of which the last row holds.
static void a_load_takes_a_slot_that_is_listed_twice(void)
{
    for (int chunk = 0; chunk < 2; chunk++) {
        acre_culling *host;
        uint32_t twice[MANY];
        place_row(0.0f);
        memcpy(twice, all_slots, sizeof twice);
        twice[MANY - 1] = 7;
        acre_objects objects = first_update(MANY);
        objects.added = twice;
        objects.box_slots = chunk ? twice : NULL;
        objects.box_count = chunk ? MANY : 0;
        CHECK(acre_culling_create_for_objects(NULL, &host) == ACRE_OK);
        CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
        CHECK(count_all(host) == MANY - 1 && acre_culling_validate(host, NULL, 0) == ACRE_OK);
        acre_aabb box;
        CHECK(acre_quadtree_get_box(acre_culling_tree(host), 7, &box) == ACRE_OK);
        CHECK(box.min[0] == boxes[chunk ? MANY - 1 : 7].min[0]);
        acre_culling_destroy(host);
    }
}

static void objects_wait_until_an_update_has_their_boxes(void)
{
    size_t most = 0, least = MANY;
    for (uint64_t at = 1; at < 60; at++) {
        failing_allocator memory;
        acre_culling *const host = make_behind(&memory, at);
        const size_t waiting = count_waiting(host);
        const uint32_t last = MANY - 1;
        most = waiting > most ? waiting : most;
        least = waiting < least ? waiting : least;
        if (waiting > 0) {
            const acre_aabb box = boxes[last];
            boxes[last].max[1] = NAN;
            acre_objects objects = {
                .slot_count = MANY, .boxes = rows(), .moved_count = ACRE_ALL_MOVED};
            CHECK(acre_culling_update(host, &objects, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
            CHECK(is_valid(host) && count_all(host) == MANY && count_waiting(host) == 1);
            boxes[last] = box;
            objects = (acre_objects){.slot_count = last, .boxes = rows()}; // without the last one
            CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
            CHECK(is_valid(host) && count_waiting(host) == 1);
            objects = (acre_objects){.slot_count = MANY}; // no boxes at all
            CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
            CHECK(is_valid(host) && count_waiting(host) == 1);
            objects.boxes = rows(); // no list names it
            CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
        }
        CHECK(is_valid(host) && count_waiting(host) == 0 && is_kept_at(host, last, &boxes[last]));
        acre_culling_destroy(host);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(most == MANY && least == 0);
}

static void after_a_shortage_rows_that_no_list_names_stay_unread(void)
{
    size_t mixed = 0;
    for (uint64_t at = 1; at < 60; at++) {
        failing_allocator memory;
        acre_culling *const host = make_behind(&memory, at);
        const size_t waiting = count_waiting(host);
        bool had_room[MANY];
        for (uint32_t i = 0; i < MANY; i++) {
            had_room[i] = is_kept_at(host, i, &boxes[i]);
        }
        mixed += waiting > 0 && waiting < MANY;
        place_row(1.0f);
        const acre_objects objects = {.slot_count = MANY, .boxes = rows()};
        CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
        CHECK(is_valid(host) && count_waiting(host) == 0);
        for (uint32_t i = 0; i < MANY; i++) {
            CHECK(is_kept_at(host, i, &boxes[i]) != had_room[i]);
        }
        acre_culling_destroy(host);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(mixed > 0);
}

// A chunk brings boxes to those that wait, and what only changes tree keeps the box that it has.
static void a_host_of_chunks_heals(void)
{
    failing_allocator memory;
    acre_culling *const host = make_behind(&memory, 1);
    CHECK(count_waiting(host) == MANY);
    acre_objects objects = {
        .slot_count = MANY, .boxes = rows(), .box_slots = all_slots, .box_count = MANY / 2};
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK && is_valid(host));
    CHECK(count_waiting(host) == MANY - MANY / 2 && count_all(host) == MANY);
    objects.box_slots += MANY / 2;
    objects.boxes.first = boxes[MANY / 2].min;
    objects.boxes.second = boxes[MANY / 2].max;
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK && is_valid(host));
    CHECK(count_waiting(host) == 0 && is_kept_at(host, MANY - 1, &boxes[MANY - 1]));
    uint32_t flags[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        flags[i] = ACRE_ENTITY_STATIC;
    }
    objects = (acre_objects){
        .slot_count = MANY, .flags = flags, .relabeled = all_slots, .relabeled_count = MANY};
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_ERROR_OUT_OF_MEMORY);
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    objects =
        (acre_objects){.slot_count = MANY, .boxes = rows(), .box_slots = all_slots, .box_count = 1};
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK && is_valid(host));
    acre_culling_stats stats;
    acre_culling_get_stats(host, &stats);
    CHECK(stats.still.items == MANY && stats.moving.items == 0);
    boxes[MANY - 1].max[0] += 1.0f;
    objects.boxes = (acre_box_array){0};
    objects.box_count = 0;
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK && is_valid(host));
    acre_culling_destroy(host);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

#if ACRE_CHECK >= 1
typedef struct reader_of_tree {
    acre_culling *host;
    const acre_objects *objects;
    acre_batch_report report;
    acre_result answer;
} reader_of_tree;

static bool update_while_reading(void *user, const uint32_t *items, size_t count)
{
    reader_of_tree *const own = user;
    (void)items;
    (void)count;
    own->answer = acre_culling_update(own->host, own->objects, &own->report);
    return false;
}
#endif

// Misuse, but no row is at fault, and the move is not taken for done.
static void an_update_beside_a_reader_of_a_tree_is_busy(void)
{
#if ACRE_CHECK >= 1
    acre_culling *const host = make_host(NULL, MANY);
    const uint32_t absent[3] = {0, 1, MANY + 5}, moved[2] = {3, 4};
    const uint64_t bits = 3u << 3;
    place_row(50.0f);
    acre_objects wrong = {.slot_count = MANY, .boxes = rows(), .box_slots = absent, .box_count = 3};
    CHECK(acre_culling_update(host, &wrong, NULL) == ACRE_ERROR_NOT_FOUND);
    const acre_objects forms[] = {
        {.slot_count = MANY, .boxes = rows(), .moved = moved, .moved_count = 2},
        {.slot_count = 64, .boxes = rows(), .moved_bits = &bits},
        {.slot_count = MANY, .boxes = rows(), .box_slots = moved, .box_count = 2},
        {.slot_count = MANY, .boxes = rows(), .moved_count = ACRE_ALL_MOVED},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        reader_of_tree own = {.host = host, .objects = &forms[i], .answer = ACRE_OK};
        const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
        CHECK(acre_quadtree_query_visit(acre_culling_tree(host), &all, update_while_reading,
                                        &own) == ACRE_OK);
        CHECK(own.answer == ACRE_ERROR_BUSY && own.report.refused == 0);
    }
    CHECK(!is_kept_at(host, 4, &boxes[4]));
    CHECK(acre_culling_update(host, &forms[0], NULL) == ACRE_OK);
    CHECK(is_valid(host) && is_kept_at(host, 4, &boxes[4]) && !is_kept_at(host, 5, &boxes[5]));
    acre_culling_destroy(host);
#endif
}

// Frames of a crowd, with workers or without: what is seen, in its order.
static uint64_t play_crowd(task_scheduler *scheduler)
{
    static uint32_t slots[CROWD];
    uint64_t hash = 1469598103934665603u;
    acre_culling *const host = make_host(NULL, CROWD);
    if (scheduler) {
        const acre_tasks tasks = task_scheduler_tasks(scheduler);
        EXPECT(acre_culling_set_tasks(host, &tasks) == ACRE_OK);
    }
    for (int frame = 0; frame < 6; frame++) {
        place_row((float)frame * 1.5f);
        acre_objects objects = {
            .slot_count = CROWD, .boxes = rows(), .moved_count = ACRE_ALL_MOVED};
        if (frame % 2) {
            objects.moved = all_slots + 100;
            objects.moved_count = CROWD / 5;
        }
        EXPECT(acre_culling_update(host, &objects, NULL) == ACRE_OK);
        const acre_frustum half = {{{1, 0, 0.3f, -150.0f}}, 1};
        const size_t count = count_in_frustum(host, &half, 0, slots, CROWD);
        for (size_t i = 0; i < count; i++) {
            hash = (hash ^ slots[i]) * 1099511628211u;
        }
    }
    acre_culling_destroy(host);
    return hash;
}

static void workers_change_nothing(void)
{
    const uint64_t alone = play_crowd(NULL);
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler && play_crowd(scheduler) == alone);
    CHECK(task_scheduler_runs(scheduler) > 0);
    task_scheduler_destroy(scheduler);
}

// Trees keep boxes to the bit, but for -0.
static void edges_next_to_zero_are_no_fault(void)
{
    acre_culling *const host = make_host(NULL, MANY);
    boxes[3].min[0] = -FLT_TRUE_MIN;
    boxes[4].min[2] = -0.0f;
    const acre_objects objects = {
        .slot_count = MANY, .boxes = rows(), .moved_count = ACRE_ALL_MOVED};
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK && is_valid(host));
    CHECK(is_kept_at(host, 3, &boxes[3]));
    acre_culling_destroy(host);
}

// The host has more slots than the culler may ever know.
static void slots_above_the_capacity_hold_nothing(void)
{
    enum { CAPACITY = 100, ALL = 5000 };
    static uint32_t slots[ALL], flags[ALL], layers[ALL];
    static acre_box_array given;
    acre_culling *host;
    acre_batch_report report;
    place_row(0.0f);
    for (uint32_t i = 0; i < ALL; i++) {
        flags[i] = i % 50 == 3 ? ACRE_ENTITY_NEVER_CULL : 0u;
        layers[i] = 1u << i % 2;
    }
    given = rows();
    const acre_culling_def def = {.tree.item_capacity = CAPACITY};
    CHECK(acre_culling_create_for_objects(&def, &host) == ACRE_OK);
    acre_objects objects = first_update(CAPACITY); // at once
    objects.slot_count = ALL;
    objects.flags = flags;
    objects.layers = layers;
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK && count_all(host) == CAPACITY);
    objects.added_count = ALL; // one by one
    objects.relabeled = all_slots;
    objects.relabeled_count = ALL;
    CHECK(acre_culling_update(host, &objects, &report) == ACRE_ERROR_CAPACITY);
    CHECK(report.refused == 2u * (ALL - CAPACITY) && report.first_row == CAPACITY);
    objects = (acre_objects){.slot_count = ALL, .boxes = given, .moved_count = ACRE_ALL_MOVED};
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK && is_valid(host));
    CHECK(count_in_frustum(host, &everything, 2, slots, ALL) == CAPACITY / 2);
    const uint32_t some[3] = {CAPACITY - 1, CAPACITY, ALL - 1};
    const acre_view view = {.layers = 0};
    acre_draw_list *list;
    acre_interest *interest;
    CHECK(acre_draw_list_create(NULL, &list) == ACRE_OK);
    CHECK(acre_interest_create_for_entities(host, NULL, &interest) == ACRE_OK);
    for (uint32_t i = 0; i < 3; i++) {
        acre_draw_input input = {
            .slots = &some[i], .count = 1, .order = ACRE_DRAW_NEAR_TO_FAR, .boxes = NULL};
        CHECK(acre_draw_list_build(list, host, &input) == ACRE_OK); // as of one that is gone
        input.boxes = &given;
        CHECK(acre_draw_list_build(list, host, &input) == ACRE_OK);
        const acre_entity guessed = {some[i] + 1, 0, 1};
        const acre_entity named = acre_culling_object(host, some[i]);
        const acre_observer_def def_of = {.entity = i ? guessed : named,
                                          .place = {-900, 0, 0}, // of one without a thing
                                          .enter_radius = 7.0f};
        acre_observer observer;
        CHECK(acre_interest_add(interest, &def_of, &observer) == ACRE_OK);
        acre_explanation why;
        CHECK((named.index1 != 0) == (i == 0));
        CHECK(acre_culling_explain(host, &view, NULL, i ? guessed : named, &why) ==
              (i == 0 ? ACRE_OK : ACRE_ERROR_STALE_HANDLE));
    }
    CHECK(acre_interest_update(interest) == ACRE_OK);
    const acre_interest_changes seen = acre_interest_get_changes(interest);
    CHECK(seen.entered.offsets[1] > 0 && seen.entered.offsets[3] == seen.entered.offsets[1]);
    acre_interest_destroy(interest);
    acre_draw_list_destroy(list);
    acre_culling_destroy(host);
}

static void an_observer_follows_an_object(void)
{
    acre_culling *const host = make_host(NULL, MANY);
    acre_interest *interest;
    acre_observer observer;
    CHECK(acre_interest_create_for_entities(host, NULL, &interest) == ACRE_OK);
    const acre_observer_def def = {.entity = acre_culling_object(host, 50), .enter_radius = 7.0f};
    CHECK(acre_interest_add(interest, &def, &observer) == ACRE_OK);
    CHECK(acre_interest_update(interest) == ACRE_OK);
    acre_interest_changes changes = acre_interest_get_changes(interest);
    CHECK(changes.entered.offsets[1] == 4); // 48, 49, 51 and 52, 3 m apart
    boxes[50] = (acre_aabb){{-500, 0, 0}, {-499, 2, 1}};
    const acre_objects objects = {
        .slot_count = MANY, .boxes = rows(), .moved = &all_slots[50], .moved_count = 1};
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
    CHECK(acre_interest_update(interest) == ACRE_OK);
    changes = acre_interest_get_changes(interest);
    CHECK(changes.entered.offsets[1] == 0 && changes.left.offsets[1] == 4);
    acre_interest_destroy(interest);
    acre_culling_destroy(host);
}

static void an_object_costs_seven_bytes_beside_the_trees(void)
{
    acre_culling *const host = make_host(&(acre_culling_def){.tree.half_size = 700}, CROWD);
    static uint16_t rules[CROWD];
    CHECK(acre_culling_set_rule_numbers(host, rules, 0, CROWD) == ACRE_OK);
    CHECK(acre_culling_set_rule_numbers(NULL, rules, 0, CROWD) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_culling_stats stats;
    acre_culling_get_stats(host, &stats);
    CHECK(stats.bytes - stats.moving.bytes - stats.still.bytes <= 7u * CROWD);
    CHECK(stats.unregistered == 0);
    acre_culling_destroy(host);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(what_is_no_update_is_refused),
        TEST(a_report_names_the_list_the_row_and_the_rule),
        TEST(a_handle_names_one_object),
        TEST(nothing_of_the_host_is_read_after_an_update),
        TEST(a_shortage_of_memory_loses_no_object),
        TEST(an_object_that_is_relabeled_twice_keeps_its_box),
        TEST(a_load_takes_a_slot_that_is_listed_twice),
        TEST(objects_wait_until_an_update_has_their_boxes),
        TEST(after_a_shortage_rows_that_no_list_names_stay_unread),
        TEST(a_host_of_chunks_heals),
        TEST(an_update_beside_a_reader_of_a_tree_is_busy),
        TEST(workers_change_nothing),
        TEST(edges_next_to_zero_are_no_fault),
        TEST(slots_above_the_capacity_hold_nothing),
        TEST(an_observer_follows_an_object),
        TEST(an_object_costs_seven_bytes_beside_the_trees),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
