// SPDX-License-Identifier: MIT
// test_edit_queue_threads.c - edits that several threads record in queues of their own: applied,
// the scene is the one that the same edits make one by one.
#include "failing_allocator.h"
#include "test.h"

#include <acre/edit_queue.h>

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { THREADS = 4, EDITS = 400, ENTITIES = 300 };

static const acre_aabb unit = {{-1, -1, -1}, {1, 1, 1}};

// A thread's edits, as plain data: what a queue records, and what the oracle does one by one.
typedef struct plan_edit {
    int kind;        // 0 create, 1 destroy, 2 local, 3 parent, 4 bounds, 5 flags, 6 layers
    uint32_t target; // below ENTITIES: an entity of all; else a create of this plan
    uint32_t parent; // so; UINT32_MAX: none
    acre_transform local;
    uint32_t value;
} plan_edit;

typedef struct plan {
    plan_edit edits[EDITS];
    uint32_t creates;
    acre_edit_queue *queue;
    acre_entity names[EDITS]; // tickets of the creates, then handles
    const acre_entity *entities;
    bool is_bad;
} plan;

static acre_transform at(test_random *random)
{
    acre_transform local = ACRE_TRANSFORM_IDENTITY;
    for (int k = 0; k < 3; k++) {
        local.translation[k] = random_float(random, -100, 100);
    }
    if (random_below(random, 40) == 0) {
        local.translation[1] = NAN; // refused
    }
    return local;
}

static uint32_t pick(test_random *random, const plan *p)
{
    return random_below(random, 2) && p->creates ? ENTITIES + random_below(random, p->creates)
                                                 : random_below(random, ENTITIES);
}

static void make_plan(plan *p, test_random *random)
{
    p->creates = 0;
    for (uint32_t i = 0; i < EDITS; i++) {
        plan_edit *const edit = &p->edits[i];
        edit->kind = (int)random_below(random, 9);
        edit->kind = edit->kind > 6 ? 2 : edit->kind;
        edit->target = pick(random, p);
        edit->parent = random_below(random, 3) ? UINT32_MAX : pick(random, p);
        edit->local = at(random);
        edit->value = random_below(random, 8);
        p->creates += edit->kind == 0;
    }
}

static acre_entity name_of(const plan *p, uint32_t number)
{
    return number == UINT32_MAX ? (acre_entity){0, 0, 0}
           : number < ENTITIES  ? p->entities[number]
                                : p->names[number - ENTITIES];
}

static acre_result record_edit(plan *p, const plan_edit *edit, uint32_t *created)
{
    const acre_entity target = name_of(p, edit->target), parent = name_of(p, edit->parent);
    const acre_entity_def def = {.local = &edit->local, .bounds = &unit, .parent = parent};
    switch (edit->kind) {
    case 0:
        return acre_edit_queue_create_entity(p->queue, &def, &p->names[(*created)++]);
    case 1:
        return acre_edit_queue_destroy_entity(p->queue, target);
    case 2:
        return acre_edit_queue_set_local(p->queue, target, &edit->local);
    case 3:
        return acre_edit_queue_set_parent(p->queue, target, parent);
    case 4:
        return acre_edit_queue_set_bounds(p->queue, target, edit->value ? &unit : NULL);
    case 5:
        return acre_edit_queue_set_flags(p->queue, target, edit->value & ACRE_ENTITY_HIDDEN);
    default:
        return acre_edit_queue_set_layers(p->queue, target, edit->value);
    }
}

static void *record_plan(void *user)
{
    plan *const p = user;
    uint32_t created = 0;
    for (uint32_t i = 0; i < EDITS; i++) {
        p->is_bad |= record_edit(p, &p->edits[i], &created) != ACRE_OK;
    }
    return NULL;
}

// The same edits one by one: the creates, or all else.
static void do_edit(acre_scene *scene, plan *p, const plan_edit *edit, bool creates,
                    uint32_t *created, acre_edit_report *report)
{
    const acre_entity target = name_of(p, edit->target), parent = name_of(p, edit->parent);
    const acre_entity_def def = {.local = &edit->local, .bounds = &unit, .parent = parent};
    acre_result result = ACRE_OK;
    if ((edit->kind == 0) != creates) {
        return;
    }
    switch (edit->kind) {
    case 0:
        result = acre_entity_create(scene, &def, &p->names[*created]);
        if (result != ACRE_OK) {
            p->names[*created] = (acre_entity){UINT32_MAX, 0, 1}; // nobody's
        }
        ++*created;
        break;
    case 1:
        result = acre_entity_destroy(scene, target);
        break;
    case 2:
        result = acre_entity_set_local(scene, target, &edit->local);
        break;
    case 3:
        result = acre_entity_set_parent(scene, target, parent);
        break;
    case 4:
        result = acre_entity_set_bounds(scene, target, edit->value ? &unit : NULL);
        break;
    case 5:
        result = acre_entity_set_flags(scene, target, edit->value & ACRE_ENTITY_HIDDEN);
        break;
    default:
        result = acre_entity_set_layers(scene, target, edit->value);
        break;
    }
    report->applied += result == ACRE_OK;
    report->refused += result != ACRE_OK;
}

typedef struct side {
    acre_scene *scene;
    acre_entity entities[ENTITIES];
    plan plans[THREADS];
} side;

static bool begin_side(side *s)
{
    if (acre_scene_create(&(acre_scene_def){.scene = 3}, &s->scene) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (acre_entity_create(s->scene, &(acre_entity_def){.bounds = &unit}, &s->entities[i]) !=
            ACRE_OK) {
            return false;
        }
    }
    for (int t = 0; t < THREADS; t++) {
        s->plans[t].entities = s->entities;
    }
    return acre_scene_commit(s->scene) == ACRE_OK;
}

static bool same_views(const side *a, const side *b)
{
    const acre_scene_view x = acre_scene_get_view(a->scene), y = acre_scene_get_view(b->scene);
    return x.slot_count == y.slot_count && x.entity_count == y.entity_count &&
           memcmp(x.world_bounds, y.world_bounds, x.slot_count * sizeof *x.world_bounds) == 0 &&
           memcmp(x.flags, y.flags, x.slot_count * sizeof *x.flags) == 0 &&
           memcmp(x.layers, y.layers, x.slot_count * sizeof *x.layers) == 0;
}

static void threads_record_what_one_by_one_does(void)
{
    static side queued, plain;
    test_random random = {test_seed};
    acre_edit_queue *queues[THREADS];
    CHECK(begin_side(&queued) && begin_side(&plain));
    for (int t = 0; t < THREADS; t++) {
        CHECK(acre_edit_queue_create(NULL, &queues[t]) == ACRE_OK);
        queued.plans[t].queue = queues[t];
    }
    for (uint32_t frame = 0; frame < 12 * test_scale; frame++) {
        pthread_t threads[THREADS];
        acre_edit_report report, expected = {0};
        for (int t = 0; t < THREADS; t++) {
            make_plan(&plain.plans[t], &random);
            memcpy(queued.plans[t].edits, plain.plans[t].edits, sizeof plain.plans[t].edits);
            CHECK(pthread_create(&threads[t], NULL, record_plan, &queued.plans[t]) == 0);
        }
        for (int t = 0; t < THREADS; t++) {
            CHECK(pthread_join(threads[t], NULL) == 0 && !queued.plans[t].is_bad);
        }
        for (int step = 0; step < 2; step++) {
            for (int t = 0; t < THREADS; t++) {
                uint32_t created = 0;
                for (uint32_t i = 0; i < EDITS; i++) {
                    do_edit(plain.scene, &plain.plans[t], &plain.plans[t].edits[i], step == 0,
                            &created, &expected);
                }
            }
        }
        ACRE_IGNORE(acre_scene_apply_queues(queued.scene, queues, THREADS, &report));
        CHECK(report.applied == expected.applied && report.refused == expected.refused);
        CHECK((report.refused > 0) == (report.first_result != ACRE_OK));
        CHECK(acre_scene_commit(queued.scene) == ACRE_OK);
        CHECK(acre_scene_commit(plain.scene) == ACRE_OK);
        CHECK(same_views(&queued, &plain));
        CHECK(acre_scene_validate(queued.scene, NULL, 0) == ACRE_OK);
    }
    for (int t = 0; t < THREADS; t++) {
        acre_edit_queue_destroy(queues[t]);
    }
    acre_scene_destroy(queued.scene);
    acre_scene_destroy(plain.scene);
}

static void a_ticket_becomes_a_handle_and_the_report_names_the_culprit(void)
{
    acre_scene *scene;
    acre_edit_queue *queues[2];
    acre_entity house, dog, bad;
    acre_edit_report report;
    const acre_entity_def broken = {.flags = 1u << 20};
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_edit_queue_create(NULL, &queues[0]) == ACRE_OK);
    CHECK(acre_edit_queue_create(NULL, &queues[1]) == ACRE_OK);
    CHECK(acre_edit_queue_create_entity(queues[0], NULL, &house) == ACRE_OK);
    CHECK(acre_edit_queue_create_entity(queues[1], NULL, &house) == ACRE_OK);
    CHECK(acre_edit_queue_create_entity(queues[1], &broken, &bad) == ACRE_OK);
    const acre_entity_def child = {.parent = house};
    CHECK(acre_edit_queue_create_entity(queues[1], &child, &dog) == ACRE_OK);
    CHECK(acre_edit_queue_set_flags(queues[1], bad, ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(acre_edit_queue_handle(queues[1], dog).index1 == 0); // not applied yet
    CHECK(acre_scene_apply_queues(scene, queues, 2, &report) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(report.applied == 3 && report.refused == 2 && report.first_queue == 1);
    CHECK(report.first_edit == 1 && report.first_result == ACRE_ERROR_INVALID_ARGUMENT);
    const acre_entity handle = acre_edit_queue_handle(queues[1], dog);
    CHECK(acre_entity_is_alive(scene, handle));
    CHECK(acre_entity_parent(scene, handle).index1 ==
          acre_edit_queue_handle(queues[1], house).index1);
    CHECK(acre_edit_queue_handle(queues[1], bad).index1 == 0);
    CHECK(acre_scene_apply_queues(scene, queues, 2, &report) == ACRE_OK && report.applied == 0);
    CHECK(acre_edit_queue_destroy_entity(queues[1], handle) == ACRE_OK);
    CHECK(acre_edit_queue_handle(queues[1], dog).index1 == 0); // recording began anew
    CHECK(acre_scene_apply_queues(scene, queues, 2, NULL) == ACRE_OK);
    CHECK(!acre_entity_is_alive(scene, handle));
    acre_edit_queue_destroy(queues[0]);
    acre_edit_queue_destroy(queues[1]);
    acre_scene_destroy(scene);
}

// Of another queue, and of the same one before its last apply or 2^16 applies ago.
static void a_ticket_names_an_entity_of_its_own_recording_alone(void)
{
    acre_scene *scene;
    acre_edit_queue *queues[2];
    acre_entity old, next, other;
    acre_edit_report report;
    acre_transform local = ACRE_TRANSFORM_IDENTITY;
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_edit_queue_create(NULL, &queues[0]) == ACRE_OK);
    CHECK(acre_edit_queue_create(NULL, &queues[1]) == ACRE_OK);
    CHECK(acre_edit_queue_create_entity(queues[0], NULL, &old) == ACRE_OK);
    CHECK(acre_scene_apply_queues(scene, queues, 2, NULL) == ACRE_OK);
    CHECK(acre_entity_set_local(scene, old, &local) == ACRE_ERROR_STALE_HANDLE);
    local.translation[0] = 77;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; round == 1 && i < (1 << 16); i++) {
            CHECK(acre_edit_queue_create_entity(queues[0], NULL, &next) == ACRE_OK);
            CHECK(acre_edit_queue_destroy_entity(queues[0], next) == ACRE_OK);
            CHECK(acre_scene_apply_queues(scene, queues, 1, NULL) == ACRE_OK);
            CHECK(i % 256 > 0 || acre_scene_commit(scene) == ACRE_OK);
        }
        CHECK(acre_edit_queue_create_entity(queues[0], NULL, &next) == ACRE_OK);
        CHECK(acre_edit_queue_set_local(queues[0], old, &local) == ACRE_OK);
        CHECK(acre_edit_queue_create_entity(queues[1], NULL, &other) == ACRE_OK);
        CHECK(acre_edit_queue_destroy_entity(queues[1], next) == ACRE_OK);
        CHECK(acre_scene_apply_queues(scene, queues, 2, &report) == ACRE_ERROR_STALE_HANDLE);
        CHECK(report.applied == 2 && report.refused == 2);
        CHECK(acre_edit_queue_handle(queues[0], old).index1 == 0);
        CHECK(acre_edit_queue_handle(queues[1], next).index1 == 0);
        acre_transform is = {.scale = {0}};
        CHECK(acre_entity_get_local(scene, acre_edit_queue_handle(queues[0], next), &is) ==
              ACRE_OK);
        CHECK(is.translation[0] == 0.0f);
        CHECK(acre_entity_is_alive(scene, acre_edit_queue_handle(queues[1], other)));
    }
    acre_edit_queue_destroy(queues[0]);
    acre_edit_queue_destroy(queues[1]);
    acre_scene_destroy(scene);
}

static void what_cannot_be_recorded_or_applied_is_refused(void)
{
    acre_scene *scene;
    acre_edit_queue *queue, *queues[2];
    acre_entity ticket;
    const acre_entity none = {0, 0, 0};
    CHECK(acre_edit_queue_create(NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_edit_queue_create(NULL, &queue) == ACRE_OK);
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_edit_queue_create_entity(queue, NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_edit_queue_create_entity(NULL, NULL, &ticket) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_edit_queue_set_local(queue, none, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_edit_queue_destroy_entity(NULL, none) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_edit_queue_destroy_entity(queue, none) == ACRE_OK); // refused when applied
    queues[0] = queue;
    queues[1] = NULL;
    acre_edit_report report;
    CHECK(acre_scene_apply_queues(scene, queues, 2, &report) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(report.applied == 0 && report.refused == 0);
    CHECK(acre_scene_apply_queues(NULL, queues, 1, &report) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_apply_queues(scene, NULL, 1, &report) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_apply_queues(scene, queues, 1, &report) == ACRE_ERROR_STALE_HANDLE);
    CHECK(report.refused == 1 && report.first_edit == 0);
    acre_edit_queue_destroy(queue);
    acre_edit_queue_destroy(NULL);
    acre_scene_destroy(scene);
}

static void each_allocation_may_fail_and_a_steady_queue_needs_none(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    for (uint64_t n = 1; n < 12; n++) {
        acre_edit_queue *queue;
        acre_entity ticket;
        failing_allocator_arm(&memory, FAIL_ONCE, n);
        acre_result result = acre_edit_queue_create(&memory.allocator, &queue);
        if (result == ACRE_OK) {
            result = acre_edit_queue_create_entity(queue, NULL, &ticket);
            CHECK(result == ACRE_OK || ticket.index1 == 0);
            CHECK(result == ACRE_OK ||
                  acre_edit_queue_create_entity(queue, NULL, &ticket) == ACRE_OK);
            acre_edit_queue_destroy(queue);
        }
        CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
        CHECK((result == ACRE_OK) == (memory.failed == 0));
    }
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    acre_scene *scene;
    acre_edit_queue *queue;
    acre_entity ticket;
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_edit_queue_create(&memory.allocator, &queue) == ACRE_OK);
    for (int frame = 0; frame < 20; frame++) {
        const uint64_t before = memory.requests;
        const acre_transform local = ACRE_TRANSFORM_IDENTITY;
        for (int i = 0; i < 50; i++) {
            CHECK(acre_edit_queue_create_entity(queue, NULL, &ticket) == ACRE_OK);
            CHECK(acre_edit_queue_set_local(queue, ticket, &local) == ACRE_OK);
        }
        CHECK(acre_scene_apply_queues(scene, &queue, 1, NULL) == ACRE_OK);
        CHECK(frame == 0 || memory.requests == before);
    }
    acre_edit_queue_destroy(queue);
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(threads_record_what_one_by_one_does),
        TEST(a_ticket_becomes_a_handle_and_the_report_names_the_culprit),
        TEST(a_ticket_names_an_entity_of_its_own_recording_alone),
        TEST(what_cannot_be_recorded_or_applied_is_refused),
        TEST(each_allocation_may_fail_and_a_steady_queue_needs_none),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
