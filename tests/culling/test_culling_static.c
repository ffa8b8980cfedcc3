// SPDX-License-Identifier: MIT
// test_culling_static.c - the culler's second tree: what stands still, what of it moves all the
// same, what a commit does not touch; prepared views; queries over both trees.
#include "culling_world.h"
#include "failing_allocator.h"

#include <acre/culling.h>
#include <acre/quadtree_calls.h>

#include <math.h>
#include <string.h>

static world make_world(const acre_allocator *allocator)
{
    world w = {NULL, NULL};
    const acre_culling_def def = {
        .register_all = true,
        .tree = {.half_size = 100, .node_capacity = 8, .allocator = allocator}};
    EXPECT(acre_scene_create(&(acre_scene_def){0}, &w.scene) == ACRE_OK);
    EXPECT(acre_culling_create(w.scene, &def, &w.culling) == ACRE_OK);
    return w;
}

static bool commit(world w)
{
    return acre_scene_commit(w.scene) == ACRE_OK && trees_are_valid(w);
}

typedef enum place { NOWHERE, IN_MOVING, IN_STATIC, IN_NEVER } place;

// Where a query of everything finds the entity; every place but one is empty of it.
static place place_of(world w, acre_entity entity)
{
    const acre_quadtree *const still = acre_culling_static_tree(w.culling);
    const uint32_t slot = entity.index1 - 1;
    const bool in_moving = acre_quadtree_contains(acre_culling_tree(w.culling), slot);
    const bool in_static = still && acre_quadtree_contains(still, slot);
    static uint32_t slots[20000];
    const size_t count = count_in_frustum(w.culling, &everything, 0, slots, 20000);
    int times = 0;
    for (size_t i = 0; i < count; i++) {
        times += slots[i] == slot;
    }
    if (times != 1 || (in_moving && in_static)) {
        return NOWHERE;
    }
    return in_moving ? IN_MOVING : in_static ? IN_STATIC : IN_NEVER;
}

// How many are visible between two x.
static size_t count_between(world w, float min_x, float max_x)
{
    const acre_frustum slab = {{{1, 0, 0, -min_x}, {-1, 0, 0, max_x}}, 2};
    return count_in_frustum(w.culling, &slab, 0, NULL, 0);
}

static acre_culling_stats stats_of(world w)
{
    acre_culling_stats stats;
    acre_culling_get_stats(w.culling, &stats);
    return stats;
}

static void static_entities_have_a_tree_of_their_own(void)
{
    const world w = make_world(NULL);
    const acre_entity car = make_entity(w, null_entity, 1, 0);
    CHECK(commit(w) && !acre_culling_static_tree(w.culling));
    const acre_entity house = make_entity(w, null_entity, 2, ACRE_ENTITY_STATIC);
    CHECK(!acre_culling_static_tree(w.culling) && commit(w));
    CHECK(place_of(w, car) == IN_MOVING && place_of(w, house) == IN_STATIC);
    const acre_culling_stats stats = stats_of(w);
    CHECK(stats.moving.items == 1 && stats.still.items == 1 && stats.never_culled == 0);
    CHECK(stats.bytes > stats.moving.bytes + stats.still.bytes);
    free_world(w);
}

static void a_culler_without_static_entities_holds_no_second_tree(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const world w = make_world(&memory.allocator);
    for (int i = 0; i < 100; i++) {
        (void)make_entity(w, null_entity, (float)i, i % 2 ? ACRE_ENTITY_NEVER_CULL : 0);
    }
    CHECK(commit(w) && stats_of(w).still.bytes == 0);
    CHECK(stats_of(w).bytes == memory.live_bytes);
    (void)make_entity(w, null_entity, 0, ACRE_ENTITY_STATIC);
    CHECK(commit(w) && stats_of(w).still.bytes > 0);
    CHECK(stats_of(w).bytes == memory.live_bytes);
    free_world(w);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static void a_new_flag_moves_the_entity_to_the_other_tree_at_the_commit(void)
{
    const world w = make_world(NULL);
    const acre_entity e = make_entity(w, null_entity, 5, 0);
    CHECK(commit(w) && place_of(w, e) == IN_MOVING);
    for (int round = 0; round < 5; round++) {
        CHECK(set_flags(w, e, ACRE_ENTITY_STATIC) && place_of(w, e) == IN_MOVING && commit(w));
        CHECK(place_of(w, e) == IN_STATIC && count_between(w, 4, 6) == 1);
        CHECK(set_flags(w, e, 0) && move(w, e, 50) && place_of(w, e) == IN_STATIC && commit(w));
        CHECK(place_of(w, e) == IN_MOVING && count_between(w, 49, 51) == 1);
        CHECK(set_flags(w, e, ACRE_ENTITY_STATIC) && move(w, e, 5) && commit(w));
        CHECK(place_of(w, e) == IN_STATIC && count_between(w, 4, 6) == 1 && visible_count(w) == 1);
        CHECK(set_flags(w, e, ACRE_ENTITY_STATIC | ACRE_ENTITY_NEVER_CULL) && commit(w));
        CHECK(place_of(w, e) == IN_NEVER && count_between(w, 90, 91) == 1);
        CHECK(set_flags(w, e, ACRE_ENTITY_STATIC | ACRE_ENTITY_HIDDEN) && commit(w));
        CHECK(visible_count(w) == 0);
        CHECK(set_flags(w, e, ACRE_ENTITY_STATIC) && commit(w) && place_of(w, e) == IN_STATIC);
        CHECK(set_flags(w, e, 0) && commit(w) && place_of(w, e) == IN_MOVING);
    }
    free_world(w);
}

// A promise that is broken costs time, not entities.
static void a_static_entity_that_moves_is_seen_where_it_is(void)
{
    const world w = make_world(NULL);
    const acre_entity parent = make_entity(w, null_entity, 0, 0);
    const acre_entity e = make_entity(w, parent, 10, ACRE_ENTITY_STATIC);
    for (int i = 0; i < 100; i++) { // company, so that the tree has cells
        (void)make_entity(w, null_entity, (float)(i - 200), ACRE_ENTITY_STATIC);
    }
    CHECK(commit(w) && count_between(w, 10, 10) == 1);
    CHECK(move(w, e, 60) && commit(w) && count_between(w, 60, 60) == 1);
    CHECK(count_between(w, 10, 10) == 0);
    CHECK(move(w, parent, 4000) && commit(w) && count_between(w, 4060, 4060) == 1);
    CHECK(move(w, parent, 1000) && acre_culling_refresh(w.culling, parent) == ACRE_OK);
    CHECK(count_between(w, 1060, 1060) == 1 && count_between(w, 4060, 4060) == 0);
    const acre_aabb own = {{7, 0, 7}, {8, 1, 8}};
    CHECK(acre_culling_refresh_bounds(w.culling, e, &own) == ACRE_OK && trees_are_valid(w));
    CHECK(count_between(w, 7.5f, 7.5f) == 1 && count_between(w, 1060, 1060) == 0);
    CHECK(commit(w) && move(w, parent, 1000) && commit(w) && count_between(w, 7.5f, 7.5f) == 1);
    const acre_aabb wide = {{-1, -1, -1}, {30, 1, 1}};
    CHECK(acre_entity_set_bounds(w.scene, e, &wide) == ACRE_OK && commit(w));
    CHECK(count_between(w, 1089, 1089) == 1 && place_of(w, e) == IN_STATIC);
    const acre_aabb empty = acre_aabb_empty();
    CHECK(acre_entity_set_bounds(w.scene, e, &empty) == ACRE_OK && commit(w));
    CHECK(place_of(w, e) == NOWHERE);
    free_world(w);
}

static void static_entities_leave_like_any_other(void)
{
    const world w = make_world(NULL);
    acre_entity e[4];
    for (int i = 0; i < 4; i++) {
        e[i] = make_entity(w, null_entity, (float)i, ACRE_ENTITY_STATIC);
    }
    CHECK(commit(w) && visible_count(w) == 4);
    CHECK(acre_culling_unregister(w.culling, e[0]) == ACRE_OK && visible_count(w) == 3);
    CHECK(acre_culling_register(w.culling, e[0]) == ACRE_OK && place_of(w, e[0]) == IN_STATIC);
    CHECK(set_flags(w, e[1], ACRE_ENTITY_STATIC | ACRE_ENTITY_HIDDEN) && commit(w));
    CHECK(visible_count(w) == 3 && place_of(w, e[1]) == NOWHERE);
    CHECK(acre_entity_destroy(w.scene, e[2]) == ACRE_OK && commit(w) && visible_count(w) == 2);
    CHECK(acre_culling_unregister(w.culling, e[2]) == ACRE_ERROR_STALE_HANDLE);
    const acre_entity next = make_entity(w, null_entity, 9, 0); // the slot's next entity
    CHECK(next.index1 == e[2].index1 && commit(w) && place_of(w, next) == IN_MOVING);
    acre_scene_destroy(w.scene);
    CHECK(visible_count(w) == 0 && stats_of(w).still.items == 0);
    acre_culling_destroy(w.culling);
}

// The definition of the order.
static size_t ask_one_by_one(world w, const acre_frustum *frustum, uint32_t layers, uint32_t *slots,
                             size_t capacity)
{
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = frustum, .layers = layers};
    const acre_scene_view scene = acre_scene_get_view(w.scene);
    size_t total = 0, count = 0;
    EXPECT(acre_quadtree_query(acre_culling_tree(w.culling), &query, slots, capacity, &count) ==
           ACRE_OK);
    total += count;
    EXPECT(acre_quadtree_query(acre_culling_static_tree(w.culling), &query, slots + total,
                               capacity - total, &count) == ACRE_OK);
    total += count;
    for (uint32_t slot = 0; slot < scene.slot_count; slot++) {
        if ((scene.flags[slot] & ACRE_ENTITY_NEVER_CULL) &&
            (scene.layers[slot] & (layers ? layers : UINT32_MAX))) {
            slots[total++] = slot;
        }
    }
    return total;
}

enum { MIXED = 2000 };

// A third each: moving, static, static or moving but never culled; some in few layers.
static world make_mixed_world(void)
{
    const world w = make_world(NULL);
    for (int i = 0; i < MIXED; i++) {
        const uint32_t kinds[] = {0, ACRE_ENTITY_STATIC, ACRE_ENTITY_NEVER_CULL,
                                  0, ACRE_ENTITY_STATIC, 6};
        const acre_entity e =
            make_entity(w, null_entity, (float)(i * 7 % MIXED) * 0.25f, kinds[(i / 3) % 6]);
        if (i % 5 == 0) {
            EXPECT(acre_entity_set_layers(w.scene, e, 1u << (i % 3)) == ACRE_OK);
        }
    }
    return w;
}

static void results_are_the_moving_tree_then_the_static_tree_then_the_never_culled(void)
{
    static uint32_t expected[MIXED], found[MIXED];
    const world w = make_mixed_world();
    CHECK(commit(w));
    for (uint32_t round = 0; round < 40; round++) {
        acre_view view = {.frustum = {{{1, 0, 0, -(float)round * 5}, {-1, 0, 0, 300}}, 2},
                          .layers = round % 4};
        const size_t count = ask_one_by_one(w, &view.frustum, view.layers, expected, MIXED);
        for (size_t capacity = 0; capacity <= count; capacity += 1 + capacity / 3) {
            memset(found, 0xff, sizeof found);
            CHECK(count_in_view(w.culling, &view, found, capacity) == count);
            CHECK(memcmp(found, expected, capacity * sizeof *found) == 0);
            CHECK(found[capacity] == UINT32_MAX);
        }
        CHECK(count_in_view(w.culling, &view, found, MIXED) == count);
        CHECK(memcmp(found, expected, count * sizeof *found) == 0);
        CHECK(count_in_frustum(w.culling, &view.frustum, view.layers, NULL, 9) == count);
        // A plane with NaN hides nothing, whatever the layers.
        view.frustum.plane_count = 4;
        memcpy(view.frustum.planes[3], view.frustum.planes[1], sizeof view.frustum.planes[1]);
        view.frustum.planes[1][round % 4] = NAN;
        view.frustum.planes[2][0] = NAN;
        CHECK(count_in_view(w.culling, &view, found, MIXED) == count);
        CHECK(memcmp(found, expected, count * sizeof *found) == 0);
    }
    free_world(w);
}

static void a_prepared_view_sees_what_its_camera_sees(void)
{
    static uint32_t a[MIXED], b[MIXED];
    const world w = make_mixed_world();
    CHECK(commit(w));
    acre_camera camera = {0};
    CHECK(acre_camera_perspective(&camera, 1.0f, 1.5f, 0.5f, 300.0f, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_OK);
    for (uint32_t round = 0; round < 30; round++) {
        const float eye[3] = {(float)round * 15, 2, 20}, up[3] = {0, 1, 0};
        const float target[3] = {250, 0, (float)round - 15};
        camera.layers = round % 4;
        acre_view view;
        CHECK(acre_camera_look_at(&camera, eye, target, up) == ACRE_OK);
        CHECK(acre_view_from_camera(&view, &camera) == ACRE_OK && view.layers == camera.layers);
        const size_t count = acre_culling_query(w.culling, &camera, a, MIXED);
        CHECK(count > 0 && count_in_view(w.culling, &view, b, MIXED) == count);
        CHECK(memcmp(a, b, count * sizeof *a) == 0);
    }
    free_world(w);
}

static void drawing_and_statistics_cover_both_trees(void)
{
    const world w = make_world(NULL);
    for (int i = 0; i < 9; i++) {
        (void)make_entity(w, null_entity, (float)i, i % 3 ? ACRE_ENTITY_STATIC : 0);
    }
    int boxes = 0;
    const acre_debug_draw draw = {.user = &boxes, .flags = ACRE_DEBUG_ITEMS, .box = count_boxes};
    CHECK(commit(w));
    acre_scene_debug_draw(w.scene, &draw);
    CHECK(boxes == 9 && stats_of(w).moving.items == 3 && stats_of(w).still.items == 6);
    free_world(w);
}

static uint64_t static_hash(world w)
{
    return acre_quadtree_state_hash(acre_culling_static_tree(w.culling));
}

// What optimize would do has been done: it changes nothing.
static bool is_optimal(world w)
{
    const uint64_t before = static_hash(w);
    return acre_culling_optimize(w.culling) == ACRE_OK && trees_are_valid(w) &&
           static_hash(w) == before;
}

enum { HOUSES = 5000 };

static acre_transform house_place(int i)
{
    return at((float)(i * 37 % 500 - 250), (float)(i * 91 % 730 - 365));
}

// @return whether all were created.
static bool create_houses(world w, acre_entity *out, int count, uint32_t flags)
{
    bool done = true;
    for (int i = 0; i < count; i++) {
        const acre_transform local = house_place(i);
        const acre_entity_def def = {
            .local = &local, .bounds = &unit_box, .flags = flags, .layers = i % 7 == 0 ? 2 : 0};
        done &= acre_entity_create(w.scene, &def, &out[i]) == ACRE_OK;
    }
    return done;
}

static void a_load_builds_the_trees_as_optimize_does(void)
{
    static acre_entity houses[HOUSES], cars[HOUSES];
    const world w = make_world(NULL);
    CHECK(acre_culling_optimize(NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_optimize(w.culling) == ACRE_OK);
    CHECK(create_houses(w, houses, HOUSES, ACRE_ENTITY_STATIC));
    CHECK(create_houses(w, cars, HOUSES / 2, 0) && commit(w));
    CHECK(stats_of(w).still.items == HOUSES && stats_of(w).moving.items == HOUSES / 2);
    const uint64_t moving = acre_quadtree_state_hash(acre_culling_tree(w.culling));
    CHECK(is_optimal(w));
    CHECK(acre_quadtree_state_hash(acre_culling_tree(w.culling)) == moving);
    // The layers came along.
    CHECK(count_in_frustum(w.culling, &everything, 4, NULL, 0) ==
          HOUSES + HOUSES / 2 - (HOUSES + 6) / 7 - (HOUSES / 2 + 6) / 7);
    // Becoming static is an edit as well.
    for (int i = 0; i < HOUSES / 2; i++) {
        CHECK(set_flags(w, cars[i], ACRE_ENTITY_STATIC));
    }
    CHECK(commit(w) && stats_of(w).still.items == HOUSES + HOUSES / 2 && is_optimal(w));
    // A culler that comes later loads what is there.
    acre_culling *late = NULL;
    CHECK(acre_culling_create(w.scene, &(acre_culling_def){.register_all = true}, &late) ==
          ACRE_OK);
    CHECK(count_in_frustum(late, &everything, 0, NULL, 0) == HOUSES + HOUSES / 2);
    acre_culling_destroy(late);
    free_world(w);
}

// Loading and packing need memory for a while; without it they are slower, and nothing is lost.
static void a_load_without_memory_for_it_loses_nothing(void)
{
    static acre_entity houses[HOUSES];
    for (uint64_t at_request = 1;; at_request++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        const world w = make_world(&memory.allocator);
        CHECK(create_houses(w, houses, HOUSES, at_request % 2 ? ACRE_ENTITY_STATIC : 0));
        // Room for the slots and their boxes, without which an entity may be missing.
        CHECK(acre_culling_refresh_bounds(w.culling, houses[0], &unit_box) == ACRE_ERROR_NOT_FOUND);
        CHECK(acre_culling_unregister(w.culling, houses[0]) == ACRE_ERROR_NOT_FOUND);
        CHECK(acre_culling_register(w.culling, houses[HOUSES - 1]) == ACRE_OK);
        failing_allocator_arm(&memory, at_request % 4 < 2 ? FAIL_ONCE : FAIL_FROM, at_request);
        const acre_result loaded = acre_scene_commit(w.scene);
        CHECK(loaded == ACRE_OK || loaded == ACRE_ERROR_OUT_OF_MEMORY);
        CHECK(visible_count(w) == HOUSES && trees_are_valid(w));
        for (int i = 0; i < HOUSES; i++) {
            CHECK(set_flags(w, houses[i], at_request % 2 ? 0 : ACRE_ENTITY_STATIC));
        }
        const acre_result changed = acre_scene_commit(w.scene);
        CHECK(changed == ACRE_OK || changed == ACRE_ERROR_OUT_OF_MEMORY);
        CHECK(visible_count(w) == HOUSES && trees_are_valid(w));
        const bool is_over = memory.failed == 0;
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(commit(w) && visible_count(w) == HOUSES);
        CHECK(stats_of(w).still.items == (at_request % 2 ? 0 : HOUSES));
        free_world(w);
        CHECK(failing_allocator_verdict(&memory) == NULL);
        if (is_over) {
            CHECK(at_request > 30);
            return;
        }
    }
}

// Counts what the scene hands to its modules.
static acre_result count_changes(void *user, const acre_scene *scene,
                                 const acre_scene_changes *changes)
{
    (void)scene;
    *(size_t *)user += changes->created_count + changes->destroyed_count + changes->moved_count +
                       changes->relabeled_count;
    return ACRE_OK;
}

// Work, not time: what a commit looks at and what it does to the static tree.
static void static_and_hidden_entities_are_not_looked_at_by_a_commit(void)
{
    enum { STILL = 9000, CARS = 10, COMMITS = 300 };
    const world w = make_world(NULL);
    acre_entity cars[CARS];
    for (int i = 0; i < STILL; i++) {
        (void)make_entity(w, null_entity, (float)(i % 200 - 100),
                          i % 3 ? ACRE_ENTITY_STATIC : ACRE_ENTITY_HIDDEN);
    }
    for (int i = 0; i < CARS; i++) {
        cars[i] = make_entity(w, null_entity, (float)i, 0);
    }
    size_t changes = 0;
    const acre_module listener = {.name = "listener", .commit = count_changes, .user = &changes};
    CHECK(acre_scene_attach(w.scene, &listener) == ACRE_OK && commit(w));
    for (int round = 0; round < 100; round++) { // what the load put off, and the way once
        for (int i = 0; i < CARS; i++) {
            CHECK(move(w, cars[i], (float)(round % 90 + i)));
        }
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    }
    const acre_culling_stats before = stats_of(w);
    const uint64_t hash = acre_quadtree_state_hash(acre_culling_static_tree(w.culling));
    CHECK(before.still.items == STILL * 2 / 3 && before.moving.items == CARS);
    changes = 0;
    for (int round = 0; round < COMMITS; round++) {
        for (int i = 0; i < CARS; i++) {
            CHECK(move(w, cars[i], (float)(round % 90 + i)));
        }
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    }
    const acre_culling_stats after = stats_of(w);
    CHECK(changes == CARS * COMMITS && after.visits - before.visits == CARS * COMMITS);
    CHECK(after.still.tightened == before.still.tightened &&
          after.still.moves == before.still.moves);
    CHECK(acre_quadtree_state_hash(acre_culling_static_tree(w.culling)) == hash);
    CHECK(after.moving.tightened > before.moving.tightened && after.bytes == before.bytes);
    CHECK(acre_scene_detach(w.scene, &listener) == ACRE_OK);
    free_world(w);
}

// One edit in a large static tree does not start its upkeep; enough of them do, and it ends.
static void upkeep_of_the_static_tree_follows_its_edits(void)
{
    enum { STILL = 2000 };
    const world w = make_world(NULL);
    static acre_entity houses[STILL];
    for (int i = 0; i < STILL; i++) {
        houses[i] = make_entity(w, null_entity, (float)(i % 200 - 100), ACRE_ENTITY_STATIC);
    }
    CHECK(commit(w) && stats_of(w).still.nodes > 40);
    const uint64_t loaded = stats_of(w).still.tightened;
    for (int i = 0; i < STILL / 3; i++) { // a large change: every cell is tightened at once
        CHECK(move(w, houses[i], (float)(i % 300 - 150)));
    }
    CHECK(commit(w) && stats_of(w).still.tightened >= loaded + stats_of(w).still.nodes - 1);
    for (int i = 0; i < 100; i++) {
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    }
    const uint64_t settled = stats_of(w).still.tightened;
    CHECK(move(w, houses[7], 55) && commit(w) && stats_of(w).still.tightened == settled);
    for (int i = 0; i < STILL / 100; i++) {
        CHECK(move(w, houses[i], 66) && acre_scene_commit(w.scene) == ACRE_OK);
    }
    CHECK(stats_of(w).still.tightened > settled);
    for (int i = 0; i < 100; i++) {
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    }
    const uint64_t ended = stats_of(w).still.tightened;
    CHECK(commit(w) && stats_of(w).still.tightened == ended);
    free_world(w);
}

typedef struct heard_tree {
    acre_quadtree *tree;
    int hooked, inserts, queries;
} heard_tree;

static void hear(void *context, const acre_quadtree_call *call)
{
    heard_tree *const heard = context;
    heard->inserts += call->kind == ACRE_QUADTREE_CALL_INSERT;
    heard->queries += call->kind == ACRE_QUADTREE_CALL_QUERY_FRUSTUM;
}

static void listen(void *context, acre_quadtree *tree, bool is_static)
{
    heard_tree *const heard = (heard_tree *)context + is_static;
    heard->hooked++;
    heard->tree = tree;
    EXPECT(acre_quadtree_set_listener(tree, hear, heard) == ACRE_OK);
}

static void a_listener_hears_of_a_tree_from_its_first_item_on(void)
{
    const world w = make_world(NULL);
    heard_tree heard[2] = {{NULL, 0, 0, 0}, {NULL, 0, 0, 0}};
    CHECK(acre_culling_set_tree_hook(NULL, listen, heard) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_set_tree_hook(w.culling, listen, heard) == ACRE_OK);
    CHECK(heard[0].tree == acre_culling_tree(w.culling) && !heard[1].tree);
    (void)make_entity(w, null_entity, 0, 0);
    CHECK(commit(w) && heard[0].inserts == 1 && heard[1].hooked == 0);
    (void)make_entity(w, null_entity, 1, ACRE_ENTITY_STATIC);
    (void)make_entity(w, null_entity, 2, ACRE_ENTITY_STATIC);
    CHECK(commit(w) && heard[1].tree == acre_culling_static_tree(w.culling));
    CHECK(heard[0].inserts == 1 && heard[1].inserts == 2 && heard[1].hooked == 1);
    CHECK(visible_count(w) == 3 && heard[0].queries == 1 && heard[1].queries == 1);
    // A second hook is told of both; none is told of nothing.
    heard_tree late[2] = {{NULL, 0, 0, 0}, {NULL, 0, 0, 0}};
    CHECK(acre_culling_set_tree_hook(w.culling, listen, late) == ACRE_OK);
    CHECK(late[0].hooked == 1 && late[1].hooked == 1 && late[1].tree == heard[1].tree);
    CHECK(acre_culling_set_tree_hook(w.culling, NULL, NULL) == ACRE_OK);
    CHECK(visible_count(w) == 3 && late[0].queries == 1 && heard[0].queries == 1);
    free_world(w);
}

// Random edits: many static flags, and every way to move.

enum { LIMIT = 150 };

typedef struct stream {
    world w;
    test_random random;
    acre_entity entities[LIMIT];
    uint32_t flags[LIMIT];
    int count;
} stream;

static uint32_t random_flags(stream *s)
{
    const uint32_t dice = random_below(&s->random, 16);
    return dice == 0   ? ACRE_ENTITY_HIDDEN | ACRE_ENTITY_STATIC
           : dice == 1 ? ACRE_ENTITY_NEVER_CULL | ACRE_ENTITY_STATIC
           : dice % 2  ? ACRE_ENTITY_STATIC
                       : 0;
}

static bool stream_create(stream *s)
{
    const acre_transform local =
        at(random_float(&s->random, -90, 90), random_float(&s->random, -90, 90));
    const int i = s->count < LIMIT ? s->count++ : (int)random_below(&s->random, LIMIT);
    if (acre_entity_is_alive(s->w.scene, s->entities[i])) {
        return acre_entity_destroy(s->w.scene, s->entities[i]) == ACRE_OK;
    }
    s->flags[i] = random_flags(s);
    const acre_entity_def def = {.local = &local,
                                 .bounds = &unit_box,
                                 .flags = s->flags[i],
                                 .layers = random_below(&s->random, 4)};
    return acre_entity_create(s->w.scene, &def, &s->entities[i]) == ACRE_OK;
}

static bool stream_edit(stream *s)
{
    const int i = (int)random_below(&s->random, (uint32_t)s->count);
    if (!acre_entity_is_alive(s->w.scene, s->entities[i])) {
        return true;
    }
    const acre_transform local =
        at(random_float(&s->random, -140, 140), random_float(&s->random, -140, 140));
    const uint32_t dice = random_below(&s->random, 8);
    if (dice < 4) {
        s->flags[i] = random_flags(s);
        return set_flags(s->w, s->entities[i], s->flags[i]);
    }
    if (dice < 7) {
        return acre_entity_set_local(s->w.scene, s->entities[i], &local) == ACRE_OK;
    }
    const float *const t = local.translation;
    const acre_aabb box = {{t[0], -1, t[2]}, {t[0] + 9, 1, t[2] + 9}};
    const acre_result result = acre_culling_refresh_bounds(s->w.culling, s->entities[i], &box);
    // Before its first commit it is not registered.
    return result == ACRE_OK || result == ACRE_ERROR_NOT_FOUND;
}

// @return NULL, or what is wrong with the culler's answers.
static const char *stream_check(stream *s)
{
    static uint32_t found[2 * LIMIT];
    const acre_scene_view scene = acre_scene_get_view(s->w.scene);
    const float x = random_float(&s->random, -100, 100);
    const acre_view view = {.frustum = {{{1, 0, 0.5f, -x}, {-1, 0, 0, x + 60}}, 2},
                            .layers = random_below(&s->random, 4)};
    const size_t count = count_in_view(s->w.culling, &view, found, 2 * LIMIT);
    size_t expected = 0;
    for (int i = 0; i < s->count; i++) {
        const uint32_t slot = s->entities[i].index1 - 1;
        const acre_entity published = acre_scene_entity(s->w.scene, slot);
        if (published.generation != s->entities[i].generation ||
            (scene.flags[slot] & ACRE_ENTITY_HIDDEN) ||
            !(scene.layers[slot] & (view.layers ? view.layers : UINT32_MAX))) {
            continue;
        }
        const acre_aabb *const box = &scene.world_bounds[slot];
        const bool is_never_culled = (scene.flags[slot] & ACRE_ENTITY_NEVER_CULL) != 0;
        if (!is_never_culled && !acre_frustum_test_aabb(&view.frustum, box)) {
            continue;
        }
        expected++;
        bool is_found = false;
        for (size_t k = 0; k < count; k++) {
            is_found |= found[k] == slot;
        }
        const acre_quadtree *const home = scene.flags[slot] & ACRE_ENTITY_STATIC
                                              ? acre_culling_static_tree(s->w.culling)
                                              : acre_culling_tree(s->w.culling);
        if (!is_found || (!is_never_culled && !acre_quadtree_contains(home, slot))) {
            return is_found ? "in the wrong tree" : "lost";
        }
    }
    return expected != count ? "one too many" : trees_are_valid(s->w) ? NULL : "invalid";
}

static const char *run_stream(uint64_t seed, int steps)
{
    static stream s;
    memset(&s, 0, sizeof s);
    s.random.state = seed;
    s.w = make_world(NULL);
    const char *fault = stream_create(&s) ? NULL : "create";
    int step = 0;
    for (; !fault && step < steps; step++) {
        const uint32_t edits = random_below(&s.random, random_below(&s.random, 20) + 1);
        for (uint32_t i = 0; i < edits && !fault; i++) {
            const bool done = random_below(&s.random, 8) ? stream_edit(&s) : stream_create(&s);
            fault = done ? NULL : "edit";
        }
        fault = fault ? fault : acre_scene_commit(s.w.scene) == ACRE_OK ? NULL : "commit";
        fault = fault ? fault : stream_check(&s);
    }
    free_world(s.w);
    if (fault) {
        printf("stream %llu, step %d: %s\n", (unsigned long long)seed, step, fault);
    }
    return fault;
}

static void random_flags_over_thousands_of_commits_equal_brute_force(void)
{
    for (uint32_t i = 0; i < 4 * test_scale; i++) {
        CHECK(run_stream(test_seed + i, 1500) == NULL);
    }
}

// A town of 100 m under a square of 2,000 km. loaded: entities that come between two commits.
static void check_wide_square(uint32_t flags, int loaded, bool optimizes)
{
    enum { COUNT = 6000 };
    world w = {NULL, NULL};
    const acre_culling_def def = {.register_all = true, .tree = {.half_size = 1e6f}};
    CHECK(acre_scene_create(NULL, &w.scene) == ACRE_OK);
    CHECK(acre_culling_create(w.scene, &def, &w.culling) == ACRE_OK);
    test_random random = {test_seed};
    for (int i = 0; i < COUNT; i++) {
        const float x = random_float(&random, 0, 100), z = random_float(&random, 0, 100);
        const acre_aabb box = {{x, 0, z}, {x + 0.1f, 1, z + 0.1f}};
        acre_entity made;
        CHECK(acre_entity_create(w.scene, &(acre_entity_def){.bounds = &box, .flags = flags},
                                 &made) == ACRE_OK);
        CHECK((i + 1) % loaded != 0 || commit(w));
    }
    CHECK(!optimizes || acre_culling_optimize(w.culling) == ACRE_OK);
    const acre_quadtree *const tree =
        flags ? acre_culling_static_tree(w.culling) : acre_culling_tree(w.culling);
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    CHECK(stats.items == COUNT && stats.lattices == 1 && !stats.has_wide_cells);
    acre_culling_destroy(w.culling);
    acre_scene_destroy(w.scene);
}

static void trees_of_a_square_that_is_too_wide_recover(void)
{
    check_wide_square(0, 6000, false);
    check_wide_square(ACRE_ENTITY_STATIC, 6000, false);
    check_wide_square(ACRE_ENTITY_STATIC, 600, false); // too few to be packed, but for the cells
    check_wide_square(0, 60, true);
    check_wide_square(ACRE_ENTITY_STATIC, 60, true);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(static_entities_have_a_tree_of_their_own),
        TEST(a_culler_without_static_entities_holds_no_second_tree),
        TEST(a_new_flag_moves_the_entity_to_the_other_tree_at_the_commit),
        TEST(a_static_entity_that_moves_is_seen_where_it_is),
        TEST(static_entities_leave_like_any_other),
        TEST(results_are_the_moving_tree_then_the_static_tree_then_the_never_culled),
        TEST(a_prepared_view_sees_what_its_camera_sees),
        TEST(drawing_and_statistics_cover_both_trees),
        TEST(a_load_builds_the_trees_as_optimize_does),
        TEST(a_load_without_memory_for_it_loses_nothing),
        TEST(static_and_hidden_entities_are_not_looked_at_by_a_commit),
        TEST(upkeep_of_the_static_tree_follows_its_edits),
        TEST(trees_of_a_square_that_is_too_wide_recover),
        TEST(a_listener_hears_of_a_tree_from_its_first_item_on),
        TEST(random_flags_over_thousands_of_commits_equal_brute_force),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
