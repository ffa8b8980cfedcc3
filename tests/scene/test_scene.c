// SPDX-License-Identifier: MIT
// test_scene.c - the scene's contract, function by function, and what breaks in scene graphs.
#include "scene_shared.h"
#include "test.h"

#include <acre/scene.h>

#include "told_calls.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const acre_entity null_entity = {0, 0, 0};

static const acre_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
static const acre_aabb unit_box = {{-1, -1, -1}, {1, 1, 1}};

static acre_scene *make_scene(void)
{
    acre_scene *scene = NULL;
    EXPECT(acre_scene_create(&(acre_scene_def){.scene = 7}, &scene) == ACRE_OK);
    return scene;
}

static acre_transform at(float x, float y, float z)
{
    acre_transform local = identity;
    local.translation[0] = x;
    local.translation[1] = y;
    local.translation[2] = z;
    return local;
}

// An entity with the unit box at a place under a parent; null if it is refused.
static acre_entity make_entity(acre_scene *scene, acre_entity parent, float x)
{
    const acre_transform local = at(x, 0, 0);
    acre_entity entity;
    ACRE_IGNORE(acre_entity_create(
        scene, &(acre_entity_def){.parent = parent, .local = &local, .bounds = &unit_box},
        &entity));
    return entity;
}

static bool is_null(acre_entity entity)
{
    return entity.index1 == 0 && entity.scene == 0 && entity.generation == 0;
}

static bool same(acre_entity a, acre_entity b)
{
    return a.index1 == b.index1 && a.scene == b.scene && a.generation == b.generation;
}

static bool boxes_equal(const acre_aabb *a, const acre_aabb *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static float world_x(const acre_scene *scene, acre_entity entity)
{
    float matrix[16];
    return acre_entity_world_matrix(scene, entity, matrix) == ACRE_OK ? matrix[12] : NAN;
}

static acre_aabb world_box(const acre_scene *scene, acre_entity entity)
{
    acre_aabb box = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    ACRE_IGNORE(acre_entity_world_bounds(scene, entity, &box));
    return box;
}

static bool is_valid(const acre_scene *scene)
{
    char message[160];
    const acre_result result = acre_scene_validate(scene, message, sizeof message);
    if (result != ACRE_OK) {
        printf("%s\n", message);
    }
    return result == ACRE_OK;
}

static void no_definition_is_one_of_zeros(void)
{
    acre_scene *scene = NULL;
    acre_entity entity;
    float matrix[16];
    uint32_t layers = 0;
    acre_aabb box;
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, NULL, &entity) == ACRE_OK && entity.scene == 0);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_world_matrix(scene, entity, matrix) == ACRE_OK);
    CHECK(matrix[0] == 1 && matrix[5] == 1 && matrix[10] == 1 && matrix[1] == 0);
    CHECK(acre_entity_get_layers(scene, entity, &layers) == ACRE_OK && layers == UINT32_MAX);
    CHECK(acre_entity_world_bounds(scene, entity, &box) == ACRE_ERROR_NOT_FOUND);
    CHECK(is_null(acre_entity_parent(scene, entity)) && is_valid(scene));
    acre_scene_destroy(scene);
}

static void entities_beyond_the_capacity_are_refused(void)
{
    acre_scene *scene = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){.entity_capacity = 3}, &scene) == ACRE_OK);
    acre_entity entities[3];
    for (int i = 0; i < 3; i++) {
        entities[i] = make_entity(scene, null_entity, 0);
        CHECK(!is_null(entities[i]));
    }
    acre_entity extra;
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &extra) == ACRE_ERROR_CAPACITY);
    CHECK(acre_entity_destroy(scene, entities[1]) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &extra) == ACRE_ERROR_CAPACITY);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &extra) == ACRE_OK);
    CHECK(extra.index1 == entities[1].index1 && extra.generation != entities[1].generation);
    CHECK(is_valid(scene));
    acre_scene_destroy(scene);
}

static void readers_see_an_edit_only_after_the_commit(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity entity = make_entity(scene, null_entity, 5);
    float matrix[16];
    acre_aabb box;
    CHECK(acre_entity_is_alive(scene, entity));
    CHECK(acre_entity_world_matrix(scene, entity, matrix) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_entity_world_bounds(scene, entity, &box) == ACRE_ERROR_STALE_HANDLE);
    CHECK(is_null(acre_scene_entity(scene, 0)) && acre_scene_get_view(scene).slot_count == 0);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(world_x(scene, entity) == 5 && same(acre_scene_entity(scene, 0), entity));
    const acre_transform moved = at(6, 0, 0);
    CHECK(acre_entity_set_local(scene, entity, &moved) == ACRE_OK && world_x(scene, entity) == 5);
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, entity) == 6);
    CHECK(acre_entity_destroy(scene, entity) == ACRE_OK && !acre_entity_is_alive(scene, entity));
    CHECK(world_x(scene, entity) == 6 && acre_scene_get_view(scene).entity_count == 1);
    CHECK(acre_scene_commit(scene) == ACRE_OK && isnan(world_x(scene, entity)));
    CHECK(is_null(acre_scene_entity(scene, 0)) && acre_scene_get_view(scene).entity_count == 0);
    CHECK(is_valid(scene));
    acre_scene_destroy(scene);
}

// At any depth a child follows its parent in the same commit.
static void children_follow_a_moved_ancestor_in_the_same_commit(void)
{
    acre_scene *const scene = make_scene();
    acre_entity chain[50];
    for (int i = 0; i < 50; i++) {
        chain[i] = make_entity(scene, i ? chain[i - 1] : null_entity, 1);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, chain[49]) == 50);
    const acre_transform moved = at(101, 0, 0);
    CHECK(acre_entity_set_local(scene, chain[0], &moved) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    for (int i = 0; i < 50; i++) {
        CHECK(world_x(scene, chain[i]) == 101.0f + (float)i);
        CHECK(world_box(scene, chain[i]).min[0] == 100.0f + (float)i);
    }
    CHECK(is_valid(scene));
    acre_scene_destroy(scene);
}

static void reparenting_at_every_depth_moves_the_whole_subtree(void)
{
    acre_scene *const scene = make_scene();
    enum { DEPTH = 1000 };
    static acre_entity chain[DEPTH];
    const acre_entity early = make_entity(scene, null_entity, 1000000);
    for (int i = 0; i < DEPTH; i++) {
        chain[i] = make_entity(scene, i ? chain[i - 1] : null_entity, 1);
    }
    const acre_entity late = make_entity(scene, null_entity, -1000000);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    for (int cut = 1; cut < DEPTH; cut += 83) {
        // Under a parent before it and under one after it in the order of transforms.
        for (int side = 0; side < 2; side++) {
            const acre_entity parent = side ? late : early;
            CHECK(acre_entity_set_parent(scene, chain[cut], parent) == ACRE_OK);
            CHECK(same(acre_entity_parent(scene, chain[cut]), parent));
            CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
            const float base = side ? -1000000.0f : 1000000.0f;
            CHECK(world_x(scene, chain[cut - 1]) == (float)cut);
            for (int i = cut; i < DEPTH; i++) {
                CHECK(world_x(scene, chain[i]) == base + (float)(i - cut + 1));
            }
        }
        CHECK(acre_entity_set_parent(scene, chain[cut], chain[cut - 1]) == ACRE_OK);
        CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
        CHECK(world_x(scene, chain[DEPTH - 1]) == (float)DEPTH);
    }
    acre_scene_destroy(scene);
}

static void a_cycle_is_refused_and_nothing_changes(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity a = make_entity(scene, null_entity, 1);
    const acre_entity b = make_entity(scene, a, 1);
    const acre_entity c = make_entity(scene, b, 1);
    const acre_entity other = make_entity(scene, null_entity, 1);
    CHECK(acre_entity_set_parent(scene, a, a) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_set_parent(scene, a, c) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_set_parent(scene, b, c) == ACRE_ERROR_INVALID_ARGUMENT);
    // Also while rows are out of order.
    CHECK(acre_entity_set_parent(scene, a, other) == ACRE_OK);
    CHECK(acre_entity_set_parent(scene, other, c) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_set_parent(scene, a, c) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(is_valid(scene) && acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(acre_entity_set_parent(scene, other, c) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(is_null(acre_entity_parent(scene, other)) && same(acre_entity_parent(scene, a), other));
    CHECK(world_x(scene, c) == 4);
    CHECK(acre_entity_set_parent(scene, a, null_entity) == ACRE_OK);
    CHECK(acre_entity_set_parent(scene, other, c) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene) && world_x(scene, other) == 4);
    acre_scene_destroy(scene);
}

static void destroying_takes_the_subtree_along(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity root = make_entity(scene, null_entity, 1);
    const acre_entity a = make_entity(scene, root, 1), b = make_entity(scene, root, 1);
    const acre_entity a1 = make_entity(scene, a, 1), a2 = make_entity(scene, a, 1);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_destroy(scene, a) == ACRE_OK && is_valid(scene));
    CHECK(!acre_entity_is_alive(scene, a) && !acre_entity_is_alive(scene, a1));
    CHECK(!acre_entity_is_alive(scene, a2) && acre_entity_is_alive(scene, b));
    CHECK(acre_entity_destroy(scene, a1) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(acre_scene_get_view(scene).entity_count == 2 && world_x(scene, b) == 2);
    acre_scene_destroy(scene);
}

static void created_and_destroyed_between_two_commits_leaves_no_trace(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity kept = make_entity(scene, null_entity, 1);
    const acre_entity brief = make_entity(scene, kept, 1);
    const acre_entity below = make_entity(scene, brief, 1);
    CHECK(acre_entity_set_bounds(scene, below, &unit_box) == ACRE_OK);
    CHECK(acre_entity_destroy(scene, brief) == ACRE_OK && is_valid(scene));
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    const acre_scene_view view = acre_scene_get_view(scene);
    CHECK(view.entity_count == 1 && view.slot_count == 3);
    CHECK(acre_aabb_is_empty(&view.world_bounds[1]) && acre_aabb_is_empty(&view.world_bounds[2]));
    CHECK(is_null(acre_scene_entity(scene, 1)) && is_null(acre_scene_entity(scene, 2)));
    CHECK(!is_null(make_entity(scene, kept, 3)) && acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_scene_get_view(scene).slot_count == 3 && is_valid(scene));
    acre_scene_destroy(scene);
}

static void a_batch_of_locals_refuses_single_rows_and_applies_the_rest(void)
{
    acre_scene *const scene = make_scene();
    acre_entity entities[4];
    acre_transform locals[4];
    for (int i = 0; i < 4; i++) {
        entities[i] = make_entity(scene, null_entity, 0);
        locals[i] = at((float)(i + 1), 0, 0);
    }
    locals[1].scale[2] = NAN;
    entities[2].generation++;
    CHECK(acre_scene_set_locals(scene, entities, locals, 4) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_set_locals(scene, entities + 2, locals + 2, 2) == ACRE_ERROR_STALE_HANDLE);
    entities[2].generation--;
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(world_x(scene, entities[0]) == 1 && world_x(scene, entities[1]) == 0);
    CHECK(world_x(scene, entities[2]) == 0 && world_x(scene, entities[3]) == 4);
    // A later row of the same entity wins.
    const acre_entity twice[2] = {entities[0], entities[0]};
    const acre_transform both[2] = {at(8, 0, 0), at(9, 0, 0)};
    CHECK(acre_scene_set_locals(scene, twice, both, 2) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, entities[0]) == 9);
    acre_scene_destroy(scene);
}

static void a_free_matrix_and_a_transform_replace_each_other(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity e = make_entity(scene, null_entity, 1);
    const float shear[16] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1};
    CHECK(acre_entity_set_local_matrix(scene, e, shear) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    float matrix[16];
    CHECK(acre_entity_world_matrix(scene, e, matrix) == ACRE_OK);
    CHECK(memcmp(matrix, shear, sizeof shear) == 0);
    const acre_transform local = at(3, 0, 0);
    CHECK(acre_entity_set_local(scene, e, &local) == ACRE_OK &&
          acre_scene_commit(scene) == ACRE_OK);
    const float translation[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1};
    CHECK(acre_entity_world_matrix(scene, e, matrix) == ACRE_OK);
    for (int i = 0; i < 16; i++) {
        CHECK(matrix[i] == translation[i]);
    }
    acre_scene_destroy(scene);
}

// Scale, also of a parent, also negative, is in the box.
static void boxes_follow_scale_mirror_and_shear(void)
{
    acre_scene *const scene = make_scene();
    const acre_aabb box = {{-1, -2, -3}, {4, 5, 6}};
    acre_transform scaled = at(10, 20, 30);
    scaled.scale[0] = 2;
    scaled.scale[1] = -3;
    scaled.scale[2] = 0.5f;
    acre_entity parent, child;
    CHECK(acre_entity_create(scene, &(acre_entity_def){.local = &scaled, .bounds = &box},
                             &parent) == ACRE_OK);
    CHECK(acre_entity_create(scene,
                             &(acre_entity_def){.parent = parent, .local = &scaled, .bounds = &box},
                             &child) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    const acre_aabb expected = {{8, 5, 28.5f}, {18, 26, 33}};
    const acre_aabb found = world_box(scene, parent);
    CHECK(boxes_equal(&found, &expected));
    // Twice: x 4 x + 30, y 9 y - 40, z z / 4 + 45.
    const acre_aabb below = {{26, -58, 44.25f}, {46, 5, 46.5f}};
    const acre_aabb child_box = world_box(scene, child);
    CHECK(boxes_equal(&child_box, &below));
    const float shear[16] = {1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    CHECK(acre_entity_set_local_matrix(scene, parent, shear) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    const acre_aabb sheared = {{-5, -2, -3}, {14, 5, 6}};
    const acre_aabb found_sheared = world_box(scene, parent);
    CHECK(boxes_equal(&found_sheared, &sheared));
    acre_scene_destroy(scene);
}

static void empty_boxes_stay_empty_and_flat_ones_stay_boxes(void)
{
    acre_scene *const scene = make_scene();
    const acre_aabb empty = acre_aabb_empty();
    const acre_aabb inverted = {{5, 0, 0}, {4, 1, 1}};
    const acre_entity a = make_entity(scene, null_entity, 100);
    const acre_entity b = make_entity(scene, null_entity, 100);
    const acre_entity c = make_entity(scene, null_entity, 100);
    acre_transform flat = at(100, 0, 0);
    flat.scale[0] = flat.scale[1] = flat.scale[2] = 0;
    CHECK(acre_entity_set_bounds(scene, a, &empty) == ACRE_OK);
    CHECK(acre_entity_set_bounds(scene, b, &inverted) == ACRE_OK);
    CHECK(acre_entity_set_local(scene, c, &flat) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    const acre_aabb box_a = world_box(scene, a), box_b = world_box(scene, b);
    CHECK(acre_aabb_is_empty(&box_a) && acre_aabb_is_empty(&box_b));
    const acre_aabb point = {{100, 0, 0}, {100, 0, 0}};
    const acre_aabb box_c = world_box(scene, c);
    CHECK(acre_aabb_contains(&box_c, &point) && acre_aabb_contains(&point, &box_c));
    acre_scene_destroy(scene);
}

static void infinite_bounds_stay_infinite_and_never_become_nan(void)
{
    acre_scene *const scene = make_scene();
    acre_transform turned = at(1, 2, 3);
    turned.rotation[1] = 0.6f;
    turned.rotation[3] = 0.8f;
    const acre_aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb half = {{0, -1, -1}, {INFINITY, 1, 1}};
    acre_entity a, b, c;
    CHECK(acre_entity_create(scene, &(acre_entity_def){.local = &turned, .bounds = &all}, &a) ==
          ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.bounds = &half}, &b) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.local = &turned, .bounds = &half}, &c) ==
          ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    const acre_aabb box_a = world_box(scene, a), box_b = world_box(scene, b);
    const acre_aabb box_c = world_box(scene, c);
    // Turned about y, the y axis of the world sees y of the box alone, which is infinite as well.
    CHECK(boxes_equal(&box_a, &all) && acre_aabb_contains(&box_b, &half));
    CHECK(box_b.min[0] == 0 && box_b.max[0] == INFINITY && box_b.max[1] == 1);
    CHECK(acre_aabb_is_valid(&box_c) && box_c.min[1] == 1 && box_c.max[1] == 3);
    CHECK(box_c.max[0] == INFINITY && box_c.min[2] == -INFINITY);
    acre_scene_destroy(scene);
}

static void a_matrix_that_overflows_gives_the_infinite_box(void)
{
    acre_scene *const scene = make_scene();
    acre_transform huge = identity;
    huge.scale[0] = huge.scale[1] = huge.scale[2] = 1e30f;
    acre_entity parent, child;
    CHECK(acre_entity_create(scene, &(acre_entity_def){.local = &huge}, &parent) == ACRE_OK);
    CHECK(acre_entity_create(
              scene, &(acre_entity_def){.parent = parent, .local = &huge, .bounds = &unit_box},
              &child) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    const acre_aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb box = world_box(scene, child);
    CHECK(boxes_equal(&box, &all));
    acre_scene_destroy(scene);
}

static void new_bounds_are_there_after_the_same_commit(void)
{
    acre_scene *const scene = make_scene();
    acre_entity e;
    acre_aabb box;
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &e) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_world_bounds(scene, e, &box) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_entity_set_bounds(scene, e, &unit_box) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_world_bounds(scene, e, &box) == ACRE_OK && boxes_equal(&box, &unit_box));
    CHECK(acre_entity_set_bounds(scene, e, NULL) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(acre_entity_world_bounds(scene, e, &box) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_aabb_is_empty(&acre_scene_get_view(scene).world_bounds[0]));
    acre_scene_destroy(scene);
}

static void labels_are_published_and_hidden_is_inherited(void)
{
    acre_scene *const scene = make_scene();
    acre_entity parent, child;
    CHECK(acre_entity_create(scene, &(acre_entity_def){.user = 11, .layers = 6}, &parent) ==
          ACRE_OK);
    const acre_entity_def def = {
        .parent = parent, .flags = ACRE_ENTITY_STATIC, .bounds = &unit_box};
    CHECK(acre_entity_create(scene, &def, &child) == ACRE_OK &&
          acre_scene_commit(scene) == ACRE_OK);
    acre_scene_view view = acre_scene_get_view(scene);
    CHECK(view.user[0] == 11 && view.layers[0] == 6 && view.flags[0] == 0);
    CHECK(view.user[1] == 0 && view.layers[1] == UINT32_MAX && view.flags[1] == ACRE_ENTITY_STATIC);
    CHECK(acre_entity_set_flags(scene, parent, ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(acre_entity_set_user(scene, child, 12) == ACRE_OK);
    CHECK(acre_entity_set_layers(scene, child, 2) == ACRE_OK && view.layers[1] == UINT32_MAX);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    view = acre_scene_get_view(scene);
    CHECK(view.flags[1] == (ACRE_ENTITY_STATIC | ACRE_ENTITY_HIDDEN) && view.user[1] == 12);
    CHECK(view.flags[0] == ACRE_ENTITY_HIDDEN && view.layers[1] == 2 && view.commit == 2);
    // What is hidden is not computed; shown, it is where it should be.
    const acre_transform moved = at(50, 0, 0);
    CHECK(acre_entity_set_local(scene, parent, &moved) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, child) == 0);
    CHECK(acre_entity_set_flags(scene, parent, 0) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene) && world_x(scene, child) == 50);
    CHECK(acre_scene_get_view(scene).flags[1] == ACRE_ENTITY_STATIC);
    CHECK(acre_entity_set_layers(scene, child, 0) == ACRE_OK &&
          acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_scene_get_view(scene).layers[1] == UINT32_MAX);
    acre_scene_destroy(scene);
}

// 65535 lives, then the slot is never used again.
static void a_slot_whose_generations_are_used_up_is_retired(void)
{
    acre_scene *scene = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){.entity_capacity = 1}, &scene) == ACRE_OK);
    acre_entity first = null_entity, entity;
    for (uint32_t life = 1; life <= UINT16_MAX; life++) {
        CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &entity) == ACRE_OK);
        CHECK(entity.index1 == 1 && entity.generation == life);
        first = life == 1 ? entity : first;
        CHECK(life == 1 || !acre_entity_is_alive(scene, first));
        CHECK(acre_entity_destroy(scene, entity) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
    }
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &entity) == ACRE_ERROR_CAPACITY);
    CHECK(!acre_entity_is_alive(scene, first) && is_valid(scene));
    acre_scene_destroy(scene);
}

// A module that records what it is told.
typedef struct listener {
    acre_module module;
    acre_scene *scene;
    int attached, detached, commits, drawn;
    size_t destroyed, created, moved, relabeled;
    acre_result answer;
    acre_result edit; // of an edit from within the hook
} listener;

static acre_result listener_attach(void *user, acre_scene *scene)
{
    listener *const own = user;
    own->attached++;
    own->scene = scene;
    return own->answer;
}

static acre_result listener_commit(void *user, const acre_scene *scene,
                                   const acre_scene_changes *changes)
{
    listener *const own = user;
    own->commits++;
    own->destroyed = changes->destroyed_count;
    own->created = changes->created_count;
    own->moved = changes->moved_count;
    own->relabeled = changes->relabeled_count;
    own->edit = acre_entity_create(own->scene, &(acre_entity_def){0}, &(acre_entity){0, 0, 0});
    if (acre_scene_get_view(scene).commit != (uint64_t)own->commits) {
        own->commits = -1000;
    }
    return own->answer;
}

static void listener_draw(const void *user, const acre_debug_draw *draw)
{
    (void)draw;
    ((listener *)(uintptr_t)user)->drawn++;
}

static void listener_detach(void *user, acre_scene *scene)
{
    listener *const own = user;
    own->detached += scene == own->scene;
}

static void init_listener(listener *own)
{
    memset(own, 0, sizeof *own);
    own->module = (acre_module){.name = "listener",
                                .attach = listener_attach,
                                .commit = listener_commit,
                                .debug_draw = listener_draw,
                                .detach = listener_detach,
                                .user = own};
}

static void modules_are_told_what_a_commit_changed(void)
{
    acre_scene *const scene = make_scene();
    listener own;
    init_listener(&own);
    CHECK(acre_scene_attach(scene, &own.module) == ACRE_OK && own.attached == 1);
    CHECK(acre_scene_attach(scene, &own.module) == ACRE_ERROR_EXISTS && own.attached == 1);
    const acre_entity a = make_entity(scene, null_entity, 1), b = make_entity(scene, a, 1);
    const acre_entity c = make_entity(scene, null_entity, 1);
    CHECK(acre_scene_commit(scene) == ACRE_OK && own.created == 3 && own.moved == 0);
    CHECK(own.edit == ACRE_ERROR_BUSY);
    CHECK(acre_scene_commit(scene) == ACRE_OK && own.created == 0 && own.commits == 2);
    CHECK(acre_entity_set_local(scene, a, &identity) == ACRE_OK);
    CHECK(acre_entity_set_layers(scene, c, 1) == ACRE_OK);
    CHECK(acre_entity_set_user(scene, b, 1) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && own.moved == 2 && own.relabeled == 1);
    CHECK(acre_entity_set_flags(scene, a, ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && own.moved == 0 && own.relabeled == 2);
    CHECK(acre_entity_destroy(scene, a) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
    CHECK(own.destroyed == 2 && own.moved == 0 && own.relabeled == 0);
    acre_scene_debug_draw(scene, &(acre_debug_draw){0});
    CHECK(own.drawn == 1 && own.detached == 0);
    acre_scene_destroy(scene);
    CHECK(own.detached == 1);
}

static void a_failing_module_is_reported_and_the_commit_stands(void)
{
    acre_scene *const scene = make_scene();
    listener failing, other;
    init_listener(&failing);
    init_listener(&other);
    failing.answer = ACRE_ERROR_IO;
    CHECK(acre_scene_attach(scene, &failing.module) == ACRE_ERROR_IO);
    CHECK(acre_scene_detach(scene, &failing.module) == ACRE_ERROR_NOT_FOUND);
    failing.answer = ACRE_OK;
    CHECK(acre_scene_attach(scene, &failing.module) == ACRE_OK);
    CHECK(acre_scene_attach(scene, &other.module) == ACRE_OK);
    failing.answer = ACRE_ERROR_IO;
    const acre_entity e = make_entity(scene, null_entity, 4);
    CHECK(acre_scene_commit(scene) == ACRE_ERROR_IO && other.commits == 1 && other.created == 1);
    CHECK(world_x(scene, e) == 4 && is_valid(scene));
    CHECK(acre_scene_detach(scene, &failing.module) == ACRE_OK && failing.detached == 1);
    CHECK(acre_scene_commit(scene) == ACRE_OK && failing.commits == 1 && other.commits == 2);
    CHECK(acre_scene_detach(scene, &failing.module) == ACRE_ERROR_NOT_FOUND);
    acre_scene_destroy(scene);
}

// A fresh box between commits, and nothing else changes.
static void refresh_computes_the_subtree_and_its_ancestors_now(void)
{
    acre_scene *const scene = make_scene();
    listener own;
    init_listener(&own);
    CHECK(acre_scene_attach(scene, &own.module) == ACRE_OK);
    const acre_entity root = make_entity(scene, null_entity, 1);
    const acre_entity a = make_entity(scene, root, 1), b = make_entity(scene, root, 1);
    const acre_entity a1 = make_entity(scene, a, 1);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    const acre_transform moved = at(10, 0, 0);
    CHECK(acre_entity_set_local(scene, root, &moved) == ACRE_OK);
    uint32_t slots[8];
    size_t count = 0;
    CHECK(acre_scene_refresh(scene, a, slots, 8, &count) == ACRE_OK && count == 3);
    CHECK(slots[0] == root.index1 - 1 && slots[1] == a.index1 - 1 && slots[2] == a1.index1 - 1);
    CHECK(world_x(scene, root) == 10 && world_x(scene, a) == 11 && world_x(scene, a1) == 12);
    CHECK(world_x(scene, b) == 2 && own.commits == 1 && is_valid(scene));
    CHECK(acre_scene_refresh(scene, a, slots, 1, &count) == ACRE_OK && count == 2);
    const acre_entity fresh = make_entity(scene, a, 1);
    CHECK(acre_scene_refresh(scene, fresh, NULL, 0, &count) == ACRE_ERROR_NOT_COMMITTED &&
          count == 0);
    CHECK(acre_scene_commit(scene) == ACRE_OK && own.moved == 4 && own.created == 1);
    CHECK(world_x(scene, b) == 11 && world_x(scene, fresh) == 12 && is_valid(scene));
    acre_scene_destroy(scene);
}

// The same calls give the same slots, lists and bits; the order of siblings is free.
static void a_late_parent_is_ordered_before_its_children(void)
{
    acre_scene *const scene = make_scene();
    enum { COUNT = 300 };
    static acre_entity entities[COUNT];
    for (int i = 0; i < COUNT; i++) {
        entities[i] = make_entity(scene, null_entity, 1);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    // Each goes under the next one: the whole order is turned round.
    for (int i = 0; i + 1 < COUNT; i++) {
        CHECK(acre_entity_set_parent(scene, entities[i], entities[i + 1]) == ACRE_OK);
    }
    CHECK(is_valid(scene) && acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    for (int i = 0; i < COUNT; i++) {
        CHECK(world_x(scene, entities[i]) == (float)(COUNT - i));
    }
    acre_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_definition_is_one_of_zeros),
        TEST(entities_beyond_the_capacity_are_refused),
        TEST(readers_see_an_edit_only_after_the_commit),
        TEST(children_follow_a_moved_ancestor_in_the_same_commit),
        TEST(reparenting_at_every_depth_moves_the_whole_subtree),
        TEST(a_cycle_is_refused_and_nothing_changes),
        TEST(destroying_takes_the_subtree_along),
        TEST(created_and_destroyed_between_two_commits_leaves_no_trace),
        TEST(a_batch_of_locals_refuses_single_rows_and_applies_the_rest),
        TEST(a_free_matrix_and_a_transform_replace_each_other),
        TEST(boxes_follow_scale_mirror_and_shear),
        TEST(empty_boxes_stay_empty_and_flat_ones_stay_boxes),
        TEST(infinite_bounds_stay_infinite_and_never_become_nan),
        TEST(a_matrix_that_overflows_gives_the_infinite_box),
        TEST(new_bounds_are_there_after_the_same_commit),
        TEST(labels_are_published_and_hidden_is_inherited),
        TEST(a_slot_whose_generations_are_used_up_is_retired),
        TEST(modules_are_told_what_a_commit_changed),
        TEST(a_failing_module_is_reported_and_the_commit_stands),
        TEST(refresh_computes_the_subtree_and_its_ancestors_now),
        TEST(a_late_parent_is_ordered_before_its_children),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
