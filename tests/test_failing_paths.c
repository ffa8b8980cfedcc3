// SPDX-License-Identifier: MIT
// test_failing_paths.c - where a call fails its count is 0 and the pointer to a new object NULL.
//
// One table has every public function that gives a count, another one every function that makes an
// object. Each is called with each kind of error that it can be given.
#include "failing_allocator.h"

#include "culling_internal.h"
#include "quadtree_internal.h"
#include "scene_internal.h"

#include <acre/casters.h>
#include <acre/draw_list.h>
#include <acre/edit_queue.h>
#include <acre/entity_pairs.h>
#include <acre/interest.h>
#include <acre/partition_interest.h>
#include <acre/quadtree_inspect.h>
#include <acre/quadtree_neighbors.h>
#include <acre/quadtree_pairs.h>
#include <acre/record.h>
#include <acre/visible_set.h>

#include <math.h>
#include <string.h>

enum { ITEMS = 8, ROOM = 4, UNTOUCHED = 77 };

typedef enum fault {
    NO_OBJECT,    // NULL in place of the object that is asked
    NO_ROOM,      // NULL with a capacity
    UNKNOWN_BITS, // a shape or flags that do not exist
    NOT_A_NUMBER,
    STALE, // an item or entity that is not there
    IN_USE,
    FAULT_COUNT
} fault;

#define BIT(fault) (1u << (fault))

// What calls are given; a fault spoils it.
typedef struct question {
    acre_quadtree *tree, *other;
    acre_scene *scene;
    acre_culling *culling;
    acre_interest *interest;
    acre_partition *part;
    acre_receivers *receivers;
    acre_draw_list *list;
    acre_query query;
    acre_neighbors_query neighbors;
    acre_view view;
    acre_pairs_rules rules;
    acre_draw_meshes meshes;
    acre_entity entity;
    acre_observer observer;
    uint32_t item;
    uint32_t *numbers;
    acre_query_hit *hits;
    acre_pair *pairs;
    acre_number_pair *number_pairs;
    acre_item_span *spans;
    acre_draw_command *commands;
    char *text;
} question;

typedef acre_result (*counting_call)(const question *q, size_t *count);

static acre_result query(const question *q, size_t *count)
{
    return acre_quadtree_query(q->tree, &q->query, q->numbers, ROOM, count);
}

static acre_result spans(const question *q, size_t *count)
{
    acre_span_totals totals = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
    const acre_result result =
        acre_quadtree_query_spans(q->tree, &q->query, q->spans, ROOM, q->numbers, ROOM, &totals);
    *count = totals.items | totals.copied | totals.spans;
    return result;
}

static acre_result nearest(const question *q, size_t *count)
{
    return acre_quadtree_query_nearest(q->tree, &q->query, q->hits, ROOM, count);
}

static acre_result neighbors(const question *q, size_t *count)
{
    acre_neighbor_row rows[ITEMS];
    acre_neighbor_lists lists = {
        .rows = rows, .items = q->numbers, .capacity = ROOM, .total = UNTOUCHED};
    const acre_result result = acre_quadtree_neighbors(q->tree, &q->neighbors, &lists);
    *count = lists.total;
    return result;
}

static acre_result pairs(const question *q, size_t *count)
{
    return acre_quadtree_pairs(q->tree, &q->rules, q->pairs, ROOM, count);
}

static acre_result pairs_between(const question *q, size_t *count)
{
    return acre_quadtree_pairs_between(q->tree, q->other, &q->rules, q->pairs, ROOM, count);
}

static acre_result item_pairs(const question *q, size_t *count)
{
    return acre_quadtree_item_pairs(q->tree, q->item, &q->rules, q->numbers, ROOM, count);
}

static acre_result view(const question *q, size_t *count)
{
    return acre_culling_query_view(q->culling, &q->view, q->numbers, ROOM, count);
}

static acre_result frustum(const question *q, size_t *count)
{
    return acre_culling_query_frustum(q->culling, &q->view.frustum, 0, q->numbers, ROOM, count);
}

static acre_result shape(const question *q, size_t *count)
{
    return acre_culling_query_shape(q->culling, &q->query, q->numbers, ROOM, count);
}

static acre_result nearest_entities(const question *q, size_t *count)
{
    return acre_culling_query_nearest(q->culling, &q->query, q->hits, ROOM, count);
}

static acre_result culling_pairs(const question *q, size_t *count)
{
    return acre_culling_pairs(q->culling, &q->rules, q->pairs, ROOM, count);
}

static acre_result entity_pairs(const question *q, size_t *count)
{
    return acre_culling_entity_pairs(q->culling, q->entity, &q->rules, q->numbers, ROOM, count);
}

static acre_result casters(const question *q, size_t *count)
{
    return acre_culling_query_casters(q->culling, q->receivers, q->numbers, ROOM, count);
}

static acre_result casters_by_face(const question *q, size_t *count)
{
    return acre_culling_query_casters_by_face(q->culling, q->receivers, q->numbers, NULL, ROOM,
                                              count);
}

static acre_result commands(const question *q, size_t *count)
{
    return acre_draw_list_commands(q->list, &q->meshes, q->commands, ROOM, count);
}

static acre_result refresh(const question *q, size_t *count)
{
    return acre_scene_refresh(q->scene, q->entity, q->numbers, ROOM, count);
}

static acre_result list_seen(const question *q, size_t *count)
{
    return acre_interest_list_seen(q->interest, q->observer, q->numbers, NULL, ROOM, count);
}

static acre_result partition_pairs(const question *q, size_t *count)
{
    return acre_partition_pairs(q->part, &q->rules, q->number_pairs, ROOM, count);
}

// A function, and the faults that it must refuse.
typedef struct counting_row {
    const char *name;
    counting_call call;
    uint32_t faults;
} counting_row;

static const counting_row counting[] = {
    {"acre_quadtree_query", query,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(NOT_A_NUMBER) | BIT(IN_USE)},
    {"acre_quadtree_query_spans", spans,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(NOT_A_NUMBER) | BIT(IN_USE)},
    {"acre_quadtree_query_nearest", nearest,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(NOT_A_NUMBER) | BIT(IN_USE)},
    {"acre_quadtree_neighbors", neighbors,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(NOT_A_NUMBER) | BIT(IN_USE)},
    {"acre_quadtree_pairs", pairs, BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(IN_USE)},
    {"acre_quadtree_pairs_between", pairs_between,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(IN_USE)},
    {"acre_quadtree_item_pairs", item_pairs,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(STALE) | BIT(IN_USE)},
    {"acre_culling_query_view", view,
     BIT(NO_OBJECT) | BIT(UNKNOWN_BITS) | BIT(NOT_A_NUMBER) | BIT(IN_USE)},
    {"acre_culling_query_frustum", frustum, BIT(NO_OBJECT) | BIT(IN_USE)},
    {"acre_culling_query_shape", shape,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(NOT_A_NUMBER) | BIT(IN_USE)},
    {"acre_culling_query_nearest", nearest_entities,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(NOT_A_NUMBER) | BIT(IN_USE)},
    {"acre_culling_pairs", culling_pairs,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(IN_USE)},
    {"acre_culling_entity_pairs", entity_pairs,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS) | BIT(STALE) | BIT(IN_USE)},
    {"acre_culling_query_casters", casters, BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(IN_USE)},
    {"acre_culling_query_casters_by_face", casters_by_face,
     BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(IN_USE)},
    {"acre_draw_list_commands", commands, BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS)},
    {"acre_scene_refresh", refresh, BIT(NO_OBJECT) | BIT(STALE) | BIT(IN_USE)},
    {"acre_interest_list_seen", list_seen, BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(STALE)},
    {"acre_partition_pairs", partition_pairs, BIT(NO_OBJECT) | BIT(NO_ROOM) | BIT(UNKNOWN_BITS)},
};

// The world in which a question is asked: boxes and entities at the same places, which overlap.
typedef struct world {
    question asked;
    acre_aabb box;
    uint32_t numbers[ROOM];
    acre_query_hit hits[ROOM];
    acre_pair pairs[ROOM];
    acre_number_pair number_pairs[ROOM];
    acre_item_span spans[ROOM];
    acre_draw_command commands[ROOM];
    acre_draw_mesh mesh;
} world;

static bool fill(question *q)
{
    bool is_good = true;
    for (uint32_t i = 0; i < ITEMS; i++) {
        const float x = 0.5f * (float)i;
        const acre_aabb box = {{x, 0, 0}, {x + 1, 1, 1}};
        is_good = is_good && acre_quadtree_insert(q->tree, i, &box) == ACRE_OK &&
                  acre_quadtree_insert(q->other, i, &box) == ACRE_OK &&
                  acre_entity_create(
                      q->scene,
                      &(acre_entity_def){.bounds = &box, .flags = i % 2 ? ACRE_ENTITY_STATIC : 0},
                      &q->entity) == ACRE_OK;
    }
    return is_good && acre_scene_commit(q->scene) == ACRE_OK;
}

static bool open_world(world *w)
{
    memset(w, 0, sizeof *w);
    question *const q = &w->asked;
    const acre_culling_def culling = {.register_all = true};
    const acre_partition_def part = {.half_size = 64, .part_count = 1, .ghost_range = 2};
    const acre_observer_def seer = {.enter_radius = 100};
    const acre_cascades_def light = {
        .light = {0.3f, -1, 0.2f}, .distance = 60, .count = 1, .resolution = 256};
    const float eye[3] = {0, 20, 20}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    acre_camera camera = {0};
    acre_cascade cascade;
    bool is_good = acre_quadtree_create(NULL, &q->tree) == ACRE_OK &&
                   acre_quadtree_create(NULL, &q->other) == ACRE_OK &&
                   acre_scene_create(NULL, &q->scene) == ACRE_OK &&
                   acre_culling_create(q->scene, &culling, &q->culling) == ACRE_OK && fill(q);
    is_good = is_good && acre_interest_create(q->tree, NULL, &q->interest) == ACRE_OK &&
              acre_interest_add(q->interest, &seer, &q->observer) == ACRE_OK &&
              acre_interest_update(q->interest) == ACRE_OK &&
              acre_partition_create(&part, &q->part) == ACRE_OK;
    is_good = is_good &&
              acre_camera_perspective(&camera, 1, 1, 0.1f, 100, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
              acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
              acre_view_from_camera(&q->view, &camera) == ACRE_OK &&
              acre_cascades_fit(&light, &camera, &cascade) == ACRE_OK &&
              acre_receivers_create(NULL, &q->receivers) == ACRE_OK &&
              acre_receivers_begin(q->receivers, &cascade) == ACRE_OK &&
              acre_culling_add_receivers_in_slice(q->culling, q->receivers, 0) == ACRE_OK;
    static const uint32_t slots[1] = {0};
    const acre_draw_input input = {.slots = slots, .count = 1};
    return is_good && acre_draw_list_create(NULL, &q->list) == ACRE_OK &&
           acre_draw_list_build(q->list, q->culling, &input) == ACRE_OK;
}

// What a good call is given.
static question ask(world *w)
{
    question q = w->asked;
    w->box = (acre_aabb){{0, 0, 0}, {3, 1, 1}};
    q.query = (acre_query){.shape = ACRE_QUERY_SHAPE_AABB, .box = &w->box, .origin = &w->box};
    q.neighbors = (acre_neighbors_query){.count = ITEMS, .radius = 2};
    q.meshes = (acre_draw_meshes){.meshes = &w->mesh, .count = 1, .lod_count = 1};
    q.item = 1;
    q.numbers = w->numbers;
    q.hits = w->hits;
    q.pairs = w->pairs;
    q.number_pairs = w->number_pairs;
    q.spans = w->spans;
    q.commands = w->commands;
    return q;
}

static void spoil(world *w, question *q, fault kind)
{
    switch (kind) {
    case NO_OBJECT:
        q->tree = NULL;
        q->scene = NULL;
        q->culling = NULL;
        q->interest = NULL;
        q->part = NULL;
        q->list = NULL;
        break;
    case NO_ROOM:
        q->numbers = NULL;
        q->hits = NULL;
        q->pairs = NULL;
        q->number_pairs = NULL;
        q->spans = NULL;
        q->commands = NULL;
        break;
    case UNKNOWN_BITS:
        q->query.shape = (acre_query_shape)99;
        q->neighbors.flags = 1u << 31;
        q->view.flags = 1u << 31;
        q->rules.flags = 1u << 31;
        q->meshes.lod_count = 0;
        break;
    case NOT_A_NUMBER:
        w->box.min[0] = NAN;
        q->neighbors.radius = NAN;
        q->view.max_distance = NAN;
        break;
    case STALE:
        q->entity.generation++;
        q->observer.generation++;
        q->item = ITEMS;
        break;
    default: // IN_USE is the objects' state
        break;
    }
}

// Whether the objects of a world are begun to be edited; false where this build does not see it.
static bool begin_edits(const world *w)
{
    return ACRE_CHECK > 0 && access_begin_write(&w->asked.tree->access) &&
           access_begin_write(&w->asked.culling->access) &&
           access_begin_write(&w->asked.scene->access);
}

static void end_edits(const world *w)
{
    access_end_write(&w->asked.scene->access);
    access_end_write(&w->asked.culling->access);
    access_end_write(&w->asked.tree->access);
}

static void close_world(world *w)
{
    acre_draw_list_destroy(w->asked.list);
    acre_receivers_destroy(w->asked.receivers);
    acre_partition_destroy(w->asked.part);
    acre_interest_destroy(w->asked.interest);
    acre_culling_destroy(w->asked.culling);
    acre_scene_destroy(w->asked.scene);
    acre_quadtree_destroy(w->asked.other);
    acre_quadtree_destroy(w->asked.tree);
}

static void every_count_is_zero_where_its_call_fails(void)
{
    static world w;
    CHECK(open_world(&w));
    for (size_t row = 0; row < sizeof counting / sizeof *counting; row++) {
        const counting_row *const r = &counting[row];
        question good = ask(&w);
        size_t count = UNTOUCHED;
        acre_result result = r->call(&good, &count);
        bool is_good = result == ACRE_OK && count != UNTOUCHED;
        for (int f = 0; f < FAULT_COUNT && is_good; f++) {
            question bad = ask(&w);
            spoil(&w, &bad, (fault)f);
            const bool is_edited = f == IN_USE && begin_edits(&w);
            count = UNTOUCHED;
            result = r->call(&bad, &count);
            if (is_edited) {
                end_edits(&w);
            }
            const bool must_fail = (r->faults & BIT(f)) && (f != IN_USE || is_edited);
            is_good = must_fail ? result != ACRE_OK && count == 0 : result == ACRE_OK || count == 0;
            if (!is_good) {
                printf("fault %d: ", f);
            }
        }
        if (!is_good) {
            printf("%s: %s, count %zu\n", r->name, acre_result_text(result), count);
        }
        CHECK(is_good);
    }
    close_world(&w);
}

// ---- new objects ----

// Makes an object with this allocator; `out` is a pointer to where a pointer to it goes.
typedef acre_result (*making_call)(const acre_allocator *allocator, bool is_wrong, void **out);

#define MAKE(name, type, good, wrong)                                                              \
    static acre_result make_##name(const acre_allocator *allocator, bool is_wrong, void **out)     \
    {                                                                                              \
        type *made = (type *)*out;                                                                 \
        (void)allocator;                                                                           \
        const acre_result result = is_wrong ? wrong : good;                                        \
        *out = made;                                                                               \
        return result;                                                                             \
    }

static world made_of;
static const acre_quadtree_def deep = {.max_depth = 99};
static const acre_scene_def crowded = {.entity_capacity = UINT32_MAX};
static const acre_visible_set_def unknown_set = {.flags = 1u << 31};
static const acre_receivers_def odd = {.resolution = 9};
static const acre_interest_def unknown_interest = {.flags = 1u << 31};

MAKE(tree, acre_quadtree, acre_quadtree_create(&(acre_quadtree_def){.allocator = allocator}, &made),
     acre_quadtree_create(&deep, &made))
MAKE(scene, acre_scene, acre_scene_create(&(acre_scene_def){.allocator = allocator}, &made),
     acre_scene_create(&crowded, &made))
MAKE(queue, acre_edit_queue, acre_edit_queue_create(allocator, &made),
     acre_edit_queue_create(allocator, &made))
MAKE(culling, acre_culling,
     acre_culling_create(made_of.asked.scene, &(acre_culling_def){.tree = {.allocator = allocator}},
                         &made),
     acre_culling_create(NULL, NULL, &made))
MAKE(set, acre_visible_set,
     acre_visible_set_create(&(acre_visible_set_def){.allocator = allocator}, &made),
     acre_visible_set_create(&unknown_set, &made))
MAKE(list, acre_draw_list, acre_draw_list_create(allocator, &made),
     acre_draw_list_create(allocator, &made))
MAKE(contacts, acre_contacts, acre_contacts_create(allocator, &made),
     acre_contacts_create(allocator, &made))
MAKE(entity_contacts, acre_entity_contacts, acre_entity_contacts_create(allocator, &made),
     acre_entity_contacts_create(allocator, &made))
MAKE(receivers, acre_receivers,
     acre_receivers_create(&(acre_receivers_def){.allocator = allocator}, &made),
     acre_receivers_create(&odd, &made))
MAKE(interest, acre_interest,
     acre_interest_create(made_of.asked.tree, &(acre_interest_def){.allocator = allocator}, &made),
     acre_interest_create(made_of.asked.tree, &unknown_interest, &made))
MAKE(entity_interest, acre_interest,
     acre_interest_create_for_entities(made_of.asked.culling,
                                       &(acre_interest_def){.allocator = allocator}, &made),
     acre_interest_create_for_entities(NULL, NULL, &made))
MAKE(part, acre_partition,
     acre_partition_create(&(acre_partition_def){.half_size = 64,
                                                 .part_count = 1,
                                                 .ghost_range = 2,
                                                 .allocator = allocator},
                           &made),
     acre_partition_create(NULL, &made))
MAKE(part_interest, acre_partition_interest,
     acre_partition_interest_create(made_of.asked.part, &unknown_interest, &made),
     acre_partition_interest_create(NULL, NULL, &made))
MAKE(replay, acre_quadtree,
     acre_record_replay_watched("", 0, allocator, NULL, NULL, &(acre_record_report){0}, &made),
     acre_record_replay_watched(NULL, 0, allocator, NULL, NULL, NULL, &made))

static const struct making_row {
    const char *name;
    making_call call;
} making[] = {
    {"acre_quadtree_create", make_tree},
    {"acre_scene_create", make_scene},
    {"acre_edit_queue_create", make_queue},
    {"acre_culling_create", make_culling},
    {"acre_visible_set_create", make_set},
    {"acre_draw_list_create", make_list},
    {"acre_contacts_create", make_contacts},
    {"acre_entity_contacts_create", make_entity_contacts},
    {"acre_receivers_create", make_receivers},
    {"acre_interest_create", make_interest},
    {"acre_interest_create_for_entities", make_entity_interest},
    {"acre_partition_create", make_part},
    {"acre_partition_interest_create", make_part_interest},
    {"acre_record_replay_watched", make_replay},
};

static void every_pointer_is_null_where_nothing_was_made(void)
{
    CHECK(open_world(&made_of));
    for (size_t row = 0; row < sizeof making / sizeof *making; row++) {
        for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
            failing_allocator memory;
            failing_allocator_init(&memory, FAIL_FROM, 1);
            char elsewhere;
            void *made = &elsewhere;
            const acre_result result = making[row].call(&memory.allocator, is_wrong, &made);
            if (result == ACRE_OK || made) {
                printf("%s: %s\n", making[row].name, acre_result_text(result));
            }
            CHECK(result != ACRE_OK && !made);
        }
    }
    close_world(&made_of);
}

static void a_handle_is_null_where_no_entity_and_no_observer_was_made(void)
{
    static world w;
    CHECK(open_world(&w));
    const acre_entity stale = {9999, 0, 1};
    acre_entity entity = {7, 7, 7};
    CHECK(acre_entity_create(w.asked.scene, &(acre_entity_def){.parent = stale}, &entity) ==
          ACRE_ERROR_STALE_HANDLE);
    CHECK(entity.index1 == 0 && entity.generation == 0);
    entity = (acre_entity){7, 7, 7};
    CHECK(acre_edit_queue_create_entity(NULL, NULL, &entity) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(entity.index1 == 0 && entity.generation == 0);
    acre_observer observer = {7, 7};
    const acre_observer_def nowhere = {.place = {NAN, 0, 0}};
    CHECK(acre_interest_add(w.asked.interest, &nowhere, &observer) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(observer.index1 == 0 && observer.generation == 0);
    close_world(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_count_is_zero_where_its_call_fails),
        TEST(every_pointer_is_null_where_nothing_was_made),
        TEST(a_handle_is_null_where_no_entity_and_no_observer_was_made),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
