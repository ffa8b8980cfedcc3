// SPDX-License-Identifier: MIT
// test_refusals.c - what the handler of refused calls is told: the sentence, the same as data, once
// for each call and after it. The tables of wrong calls in test_misuse.c and in the tests of
// cameras, views, interest and memory look at the handler too (told_calls.h); here are the texts,
// and the calls that no such table has.
#include "test.h"

#include <acre/assert.h>
#include <acre/camera.h>
#include <acre/culling.h>
#include <acre/horizon.h>
#include <acre/interest.h>
#include <acre/refusal.h>
#include <acre/visible_set.h>

#include "told_calls.h"

#include <math.h>
#include <string.h>

static const acre_aabb good = {{0, 0, 0}, {1, 1, 1}}, undefined = {{0, NAN, 0}, {1, 1, 1}},
                       inverted = {{0, 0, 2}, {1, 1, 1}};
static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;

// Whether a call was refused with this sentence.
static bool says(acre_result result, const char *text)
{
    const bool is_so = result != ACRE_OK && strcmp(told_text, text) == 0;
    if (!is_so) {
        printf("  \"%s\"\nnot \"%s\"\n", told_text, text);
    }
    return is_so;
}

// Whether the last refusal is this one as data.
static bool is_refusal(acre_result result, int argument, int field, int axis, int rule)
{
    const acre_refusal first = told_report.first;
    return first.result == result && first.argument == argument && first.field == field &&
           first.axis == axis && first.rule == rule;
}

static void a_box_is_named_to_its_number(void)
{
    acre_quadtree *tree;
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.item_capacity = 100}, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 7, &good) == ACRE_OK);
    CHECK(says(acre_quadtree_refresh(tree, 7, &undefined),
               "acre_quadtree_refresh: box.min[1] is NaN (item 7)"));
    CHECK(is_refusal(bad, 3, 1, 1, ACRE_REFUSED_NAN) && told_report.refused == 1);
    CHECK(says(acre_quadtree_insert(tree, 8, &inverted),
               "acre_quadtree_insert: box.min[2] is above its maximum (item 8)"));
    CHECK(is_refusal(bad, 3, 1, 2, ACRE_REFUSED_INVERTED));
    CHECK(says(acre_quadtree_insert(tree, 7, &good),
               "acre_quadtree_insert: item is there already (item 7)"));
    CHECK(says(acre_quadtree_insert(tree, 100, &good),
               "acre_quadtree_insert: item is above the capacity (item 100)"));
    CHECK(
        says(acre_quadtree_refresh(tree, 7, NULL), "acre_quadtree_refresh: box is NULL (item 7)"));
    acre_quadtree_destroy(tree);
}

static void a_batch_names_its_first_refused_row_and_counts_them(void)
{
    acre_quadtree *tree;
    const uint32_t items[4] = {7, 9, 7, 8};
    const acre_aabb boxes[4] = {good, good, undefined, inverted};
    const acre_box_array array = {boxes[0].min, boxes[0].max, sizeof boxes[0], sizeof boxes[0],
                                  ACRE_BOX_FORM_MIN_MAX};
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 7, &good) == ACRE_OK);
    CHECK(says(acre_quadtree_refresh_many(tree, items, boxes, 4),
               "acre_quadtree_refresh_many: items[1] is not there (item 9), 3 rows refused"));
    CHECK(told_report.refused == 3 && told_report.first_row == 1);
    CHECK(is_refusal(ACRE_ERROR_NOT_FOUND, 2, 0, 0, ACRE_REFUSED_ABSENT));
    CHECK(acre_quadtree_last_report(tree).refused == 3);
    CHECK(says(acre_quadtree_refresh_many_from(tree, items, &array, 4),
               "acre_quadtree_refresh_many_from: items[1] is not there (item 9), 3 rows refused"));
    CHECK(says(acre_quadtree_insert_many(tree, items + 2, boxes + 2, 2),
               "acre_quadtree_insert_many: boxes[0].min[1] is NaN (item 7), 2 rows refused"));
    CHECK(says(acre_quadtree_insert_many_from(tree, items, &array, 4),
               "acre_quadtree_insert_many_from: items[0] is there already (item 7), "
               "3 rows refused"));
    CHECK(acre_quadtree_contains(tree, 9)); // the good row
    const acre_aabb all[10] = {{{NAN, NAN, NAN}, {0, 0, 0}}, [7] = inverted, [9] = undefined};
    CHECK(says(acre_quadtree_refresh_all(tree, all, 10),
               "acre_quadtree_refresh_all: boxes[7].min[2] is above its maximum, 2 rows refused"));
    CHECK(told_report.first_row == 7);
    CHECK(says(acre_quadtree_remove_many(tree, items, 4),
               "acre_quadtree_remove_many: items[2] is not there (item 7), 2 rows refused"));
    acre_quadtree_destroy(tree);
}

static bool take_all(void *user, const uint32_t *items, size_t count)
{
    (void)user;
    (void)items;
    (void)count;
    return true;
}

static void queries_name_their_field(void)
{
    acre_quadtree *tree;
    const acre_sphere sphere = {{0, 0, NAN}, 1};
    const acre_frustum frustum = {.planes = {{1, 0, NAN, 0}}, .plane_count = 1};
    acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &undefined};
    acre_query_hit hit;
    size_t count = 0;
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(says(acre_quadtree_query(tree, &query, NULL, 0, NULL),
               "acre_quadtree_query: query.box.min[1] is NaN"));
    query.box = NULL;
    CHECK(says(acre_quadtree_query(tree, &query, NULL, 0, NULL),
               "acre_quadtree_query: query.box is NULL"));
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere, .box = &undefined};
    CHECK(says(acre_quadtree_query(tree, &query, NULL, 0, NULL),
               "acre_quadtree_query: query.sphere.center[2] is NaN"));
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_ALL, .exclude = &frustum};
    CHECK(says(acre_quadtree_query(tree, &query, NULL, 0, NULL),
               "acre_quadtree_query: query.exclude.planes[0][2] is NaN"));
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_ALL};
    CHECK(says(acre_quadtree_query_nearest(tree, &query, &hit, 1, &count),
               "acre_quadtree_query_nearest: query.origin is NULL"));
    const acre_ray ray = {.direction = {1, 0, 0}, .length = 9}; // a ray needs no origin
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &ray, .max_distance = -1};
    CHECK(says(acre_quadtree_query_nearest(tree, &query, &hit, 1, &count),
               "acre_quadtree_query_nearest: query.max_distance is -1, the range is 0 or more"));
    query.max_distance = 0;
    CHECK(says(acre_quadtree_query_nearest(tree, &query, NULL, 1, &count),
               "acre_quadtree_query_nearest: hits is NULL"));
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_ALL};
    CHECK(says(acre_quadtree_query(tree, &query, NULL, 4, NULL),
               "acre_quadtree_query: items is NULL"));
    CHECK(acre_quadtree_insert(tree, 7, &good) == ACRE_OK); // the two short ones count
    CHECK(acre_quadtree_query_aabb(tree, &good, NULL, 4) == 1);
    CHECK(acre_quadtree_query_frustum(tree, &(acre_frustum){.plane_count = 0}, NULL, 4) == 1);
    query.max_distance = 2;
    CHECK(says(acre_quadtree_query(tree, &query, NULL, 0, NULL),
               "acre_quadtree_query: query.max_distance is not for this function"));
    CHECK(is_refusal(bad, 2, 16, 0, ACRE_REFUSED_MISPLACED));
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_POINT, .flags = ACRE_QUERY_SORTED};
    query.point = good.min;
    CHECK(acre_quadtree_query(tree, &query, NULL, 0, NULL) == ACRE_OK);
    CHECK(says(acre_quadtree_query_visit(tree, &query, take_all, NULL),
               "acre_quadtree_query_visit: query.flags has bits that the function does not know"));
    CHECK(says(acre_quadtree_query_nearest(tree, &query, &hit, 1, &count),
               "acre_quadtree_query_nearest: query.flags has bits that the function does not "
               "know"));
    query.flags = ACRE_QUERY_WHOLE_GROUPS;
    CHECK(says(acre_quadtree_query(tree, &query, NULL, 0, NULL),
               "acre_quadtree_query: query.flags has bits that the function does not know"));
    acre_quadtree_destroy(tree);
}

// The last number of each volume: those before it have their places too.
static void volumes_are_named_to_their_last_number(void)
{
    acre_quadtree *tree;
    const acre_circle circle = {{0, 0}, NAN};
    const acre_capsule capsule = {{0, 0, 0}, {0, 0, 1}, NAN};
    const acre_cone cone = {{0, 0, 0}, {0, 0, 1}, 1, NAN};
    const acre_oriented_box oriented_box = {
        {0, 0, 0}, {1, 1, 1}, {{1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}};
    const acre_ray ray = {{0, 0, 0}, {0, 0, 1}, 1, {0, 0, NAN}};
    const float point[3] = {0, 0, NAN};
    acre_query query = {.circle = &circle, .capsule = &capsule, .cone = &cone, .ray = &ray};
    query.oriented_box = &oriented_box;
    query.point = point;
    static const struct {
        acre_query_shape shape;
        const char *text;
    } cases[] = {
        {ACRE_QUERY_SHAPE_POINT, "acre_quadtree_query: query.point[2] is NaN"},
        {ACRE_QUERY_SHAPE_GROUND_POINT, "acre_quadtree_query: query.point[2] is NaN"},
        {ACRE_QUERY_SHAPE_CIRCLE, "acre_quadtree_query: query.circle.radius is NaN"},
        {ACRE_QUERY_SHAPE_CAPSULE, "acre_quadtree_query: query.capsule.radius is NaN"},
        {ACRE_QUERY_SHAPE_CONE, "acre_quadtree_query: query.cone.angle is NaN"},
        {ACRE_QUERY_SHAPE_ORIENTED_BOX,
         "acre_quadtree_query: query.oriented_box.axes[2][2] is NaN"},
        {ACRE_QUERY_SHAPE_RAY, "acre_quadtree_query: query.ray.half_size[2] is NaN"},
        {(acre_query_shape)12, "acre_quadtree_query: query.shape is 12, the range is 1 to 11"},
    };
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        query.shape = cases[i].shape;
        CHECK(says(acre_quadtree_query(tree, &query, NULL, 0, NULL), cases[i].text));
    }
    acre_quadtree_destroy(tree);
}

// Each struct with a fault near its end: the fields before it have their places too.
static void a_number_out_of_range_is_told_with_its_range(void)
{
    acre_camera camera;
    acre_scene *scene, *no_scene;
    acre_culling *culling, *no_culling;
    acre_quadtree *tree, *no_tree;
    acre_interest *interest, *no_interest;
    acre_observer observer;
    acre_visible_set *set;
    acre_entity entity;
    uint32_t slots[2];
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, NULL, &culling) == ACRE_OK);
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(acre_interest_create(tree, NULL, &interest) == ACRE_OK);
    CHECK(says(acre_camera_perspective(&camera, 4.1f, 1, 0.1f, 10, ACRE_CLIP_ZERO_TO_ONE),
               "acre_camera_perspective: vertical_fov is 4.1, the range is (0, pi)"));
    CHECK(says(acre_camera_perspective(&camera, 1, 0, 0.1f, 10, ACRE_CLIP_ZERO_TO_ONE),
               "acre_camera_perspective: aspect is 0, the range is above 0"));
    CHECK(says(acre_camera_perspective(&camera, 1, 1, 0.1f, 10, (acre_clip)4),
               "acre_camera_perspective: clip is 4, the range is 1 to 3"));
    const acre_kernel none = (acre_kernel)99;
    CHECK(says(acre_quadtree_create(&(acre_quadtree_def){.max_depth = 21}, &no_tree),
               "acre_quadtree_create: def.max_depth is 21, the range is 0 to 20"));
    CHECK(says(acre_quadtree_create(&(acre_quadtree_def){.kernel = none}, &no_tree),
               "acre_quadtree_create: def.kernel is 99, the range is 0 to 4"));
    CHECK(says(acre_culling_create(scene, &(acre_culling_def){.tree.kernel = none}, &no_culling),
               "acre_culling_create: def.tree.kernel is 99, the range is 0 to 4"));
    CHECK(is_refusal(bad, 2, 1, 0, ACRE_REFUSED_RANGE));
    CHECK(says(acre_scene_create(&(acre_scene_def){.kernel = none}, &no_scene),
               "acre_scene_create: def.kernel is 99, the range is 0 to 4"));
    CHECK(says(acre_interest_create(tree, &(acre_interest_def){.kernel = none}, &no_interest),
               "acre_interest_create: def.kernel is 99, the range is 0 to 4"));
    CHECK(says(acre_interest_add(
                   interest, &(acre_observer_def){.enter_radius = 1, .limit_share = 1}, &observer),
               "acre_interest_add: def.limit_share is 1, the range is 0 to below 1"));
    CHECK(is_refusal(bad, 2, 11, 0, ACRE_REFUSED_RANGE));
    CHECK(says(acre_visible_set_create(&(acre_visible_set_def){.flags = 16}, &set),
               "acre_visible_set_create: def.flags has bits that the function does not know"));
    const acre_frustum undefined_planes = {.planes = {[1] = {0, 0, 0, NAN}}, .plane_count = 2};
    acre_view view = {.hysteresis = -0.5f};
    CHECK(says(acre_culling_query_view(culling, &view, slots, 2, NULL),
               "acre_culling_query_view: view.hysteresis is -0.5, the range is 0 to below 1"));
    view = (acre_view){.exclude = &undefined_planes};
    CHECK(says(acre_culling_query_view(culling, &view, slots, 2, NULL),
               "acre_culling_query_view: view.exclude.planes[1][3] is NaN"));
    view = (acre_view){.depth = {0, 0, 0, INFINITY}};
    CHECK(says(acre_culling_query_view(culling, &view, slots, 2, NULL),
               "acre_culling_query_view: view.depth[3] is infinite"));
    CHECK(is_refusal(bad, 2, 15, 3, ACRE_REFUSED_INFINITE));
    CHECK(says(acre_entity_create(scene, &(acre_entity_def){.flags = 8}, &entity),
               "acre_entity_create: def.flags has bits that the function does not know"));
    CHECK(says(acre_entity_create(scene, &(acre_entity_def){.bounds = &undefined}, &entity),
               "acre_entity_create: def.bounds.min[1] is NaN"));
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static void horizons_are_for_their_eye_and_one_view(void)
{
    acre_scene *scene;
    acre_culling *culling;
    acre_horizon *horizon;
    acre_visible_set *sets[3];
    acre_entity entity;
    acre_occluder wall;
    uint32_t slots[2];
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling) ==
          ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.bounds = &good}, &entity) == ACRE_OK);
    CHECK(acre_occluder_from_box(&wall, &good) == ACRE_OK);
    CHECK(acre_culling_set_occluders(culling, entity, &wall, 1) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    CHECK(acre_horizon_begin(horizon, good.max, NULL, 0) == ACRE_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(acre_visible_set_create(NULL, &sets[i]) == ACRE_OK);
    }
    const acre_view views[3] = {
        {.horizon = horizon, .eye = {1, 1, 1}}, {.layers = 0}, {.horizon = horizon}};
    CHECK(says(acre_culling_query_view(culling, &views[2], slots, 2, NULL),
               "acre_culling_query_view: view.eye is outside the region of the view's horizon"));
    CHECK(is_refusal(bad, 2, 4, 0, ACRE_REFUSED_OUTSIDE));
    CHECK(says(acre_culling_find_visible(culling, &views[2], sets[0]),
               "acre_culling_find_visible: view.eye is outside the region of the view's horizon"));
    CHECK(says(acre_culling_find_visible_many(culling, views + 1, sets, 2),
               "acre_culling_find_visible_many: views[1].eye is outside the region of the view's "
               "horizon"));
    CHECK(says(acre_culling_find_visible_many(culling, views, sets, 3),
               "acre_culling_find_visible_many: views[2].horizon is that of another view: each "
               "needs its own"));
    CHECK(is_refusal(bad, 2, 16, 0, ACRE_REFUSED_SHARED) && told_report.first_row == 2);
    const acre_view undefined_eye = {.horizon = horizon, .eye = {0, NAN, 0}};
    CHECK(says(acre_culling_query_view(culling, &undefined_eye, slots, 2, NULL),
               "acre_culling_query_view: view.eye[1] is NaN"));
    CHECK(acre_culling_find_visible_many(culling, NULL, NULL, 0) == ACRE_OK);
    for (int i = 0; i < 3; i++) {
        acre_visible_set_destroy(sets[i]);
    }
    acre_horizon_destroy(horizon);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static void entities_and_cullers_name_the_way(void)
{
    acre_scene *scene;
    acre_culling *culling;
    acre_entity one, two;
    float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2};
    acre_transform local = {.translation = {0, 0, 0}};
    acre_aabb box;
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, NULL, &culling) == ACRE_OK);
    CHECK(acre_entity_create(scene, NULL, &one) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.parent = one}, &two) == ACRE_OK);
    CHECK(says(acre_entity_set_local(scene, one, &local),
               "acre_entity_set_local: local.rotation is all zero (slot 0)"));
    local.rotation[1] = -0.0f;
    CHECK(says(acre_entity_set_local(scene, one, &local),
               "acre_entity_set_local: local.rotation is all zero (slot 0)"));
    CHECK(says(acre_entity_set_local_matrix(scene, one, matrix),
               "acre_entity_set_local_matrix: matrix is not affine (slot 0)"));
    CHECK(says(acre_entity_set_parent(scene, one, two),
               "acre_entity_set_parent: parent is the entity itself, or below it (slot 1)"));
    CHECK(says(acre_entity_get_bounds(scene, two, &box),
               "acre_entity_get_bounds: entity has no bounds (slot 1)"));
    matrix[15] = 1;
    matrix[4] = 3;
    CHECK(acre_entity_set_local_matrix(scene, two, matrix) == ACRE_OK);
    CHECK(says(acre_entity_get_local(scene, two, &local),
               "acre_entity_get_local: entity was set as a matrix: "
               "acre_entity_get_local_matrix reads it (slot 1)"));
    CHECK(says(acre_culling_refresh_bounds(culling, two, &good),
               "acre_culling_refresh_bounds: entity is not registered: register it first "
               "(slot 1)"));
    const acre_entity three[3] = {two, {0, 0, 0}, {9, 0, 1}};
    CHECK(says(acre_entity_destroy_many(scene, three, 3),
               "acre_entity_destroy_many: entities[1] is null, destroyed or of another scene, "
               "2 rows refused"));
    const acre_entity_def defs[2] = {{.layers = 1}, {.parent = two}};
    acre_entity made[2];
    CHECK(says(acre_entity_create_many(scene, defs, NULL, 2, made),
               "acre_entity_create_many: defs[1].parent is null, destroyed or of another scene"));
    const uint32_t rows[2] = {UINT32_MAX, 1};
    CHECK(says(acre_entity_create_many(scene, defs, rows, 2, made),
               "acre_entity_create_many: parent_rows[1] is not in the range that the function "
               "takes"));
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static void rows_are_named_where_there_are_some(void)
{
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *sets[2] = {NULL, NULL};
    const acre_view views[2] = {{.layers = 1}, {.layers = 1}};
    uint32_t masks[4];
    const acre_transform locals[3] = {{.rotation = {0, 0, 0, 1}}};
    const acre_visibility_rule rules[2] = {{.lod_pixels = {20, 10}}, {.lod_pixels = {10, 20}}};
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, NULL, &culling) == ACRE_OK);
    CHECK(acre_visible_set_create(NULL, &sets[0]) == ACRE_OK);
    CHECK(says(acre_scene_set_locals(scene, NULL, locals, 3),
               "acre_scene_set_locals: entities is NULL"));
    CHECK(told_report.refused == 1 && told_report.first_row == 0);
    CHECK(says(acre_visible_set_masks(NULL, 2, masks, 4), "acre_visible_set_masks: sets is NULL"));
    CHECK(told_report.refused == 1 && told_report.first_row == 0);
    CHECK(
        says(acre_visible_set_masks(sets, 2, masks, 4), "acre_visible_set_masks: sets[1] is NULL"));
    CHECK(told_report.first_row == 1 && is_refusal(bad, 1, 0, 0, ACRE_REFUSED_NULL));
    CHECK(says(acre_culling_find_visible_many(culling, views, sets, 2),
               "acre_culling_find_visible_many: sets[1] is NULL"));
    const acre_view wrong[2] = {{.layers = 1}, {.min_pixels = -1}};
    sets[1] = sets[0];
    CHECK(says(acre_culling_find_visible_many(culling, wrong, sets, 2),
               "acre_culling_find_visible_many: views[1].min_pixels is -1, the range is 0 or "
               "more"));
    const acre_entity_def defs[2] = {{.layers = 1}, {.bounds = &undefined}};
    acre_entity made[2];
    CHECK(says(acre_entity_create_many(scene, defs, NULL, 2, made),
               "acre_entity_create_many: defs[1].bounds.min[1] is NaN"));
    CHECK(says(acre_culling_set_rules(culling, rules, 2),
               "acre_culling_set_rules: rules[1].lod_pixels[1] is above the one before it"));
    CHECK(is_refusal(bad, 2, 4, 1, ACRE_REFUSED_RISING));
    acre_visible_set_destroy(sets[0]);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static void an_entity_that_is_not_committed_is_called_so(void)
{
    acre_scene *scene;
    acre_entity one;
    acre_aabb box;
    float matrix[16];
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, NULL, &one) == ACRE_OK);
    CHECK(says(acre_entity_world_bounds(scene, one, &box),
               "acre_entity_world_bounds: entity is not in the last commit (slot 0)"));
    CHECK(is_refusal(ACRE_ERROR_STALE_HANDLE, 2, 0, 0, ACRE_REFUSED_NOT_COMMITTED));
    CHECK(says(acre_entity_world_matrix(scene, one, matrix),
               "acre_entity_world_matrix: entity is not in the last commit (slot 0)"));
    CHECK(says(acre_entity_world_matrix(scene, (acre_entity){0, 0, 0}, matrix),
               "acre_entity_world_matrix: entity is null, destroyed or of another scene"));
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(says(acre_entity_world_bounds(scene, one, &box),
               "acre_entity_world_bounds: entity has no bounds (slot 0)"));
    acre_scene_destroy(scene);
}

static void what_is_full_is_called_so(void)
{
    acre_scene *scene;
    acre_entity one;
    CHECK(acre_scene_create(&(acre_scene_def){.entity_capacity = 1}, &scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, NULL, &one) == ACRE_OK);
    CHECK(says(acre_entity_create(scene, NULL, &one),
               "acre_entity_create: scene is full: it has as many as its capacity"));
    acre_scene_destroy(scene);
}

// Of functions that no table of wrong calls has.
static void what_is_left_is_told_once(void)
{
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set;
    acre_entity one;
    const acre_tasks tasks = {.worker_count = 2};
    uint32_t flags;
    uint64_t user;
    float matrix[16];
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, NULL, &culling) == ACRE_OK);
    CHECK(acre_visible_set_create(NULL, &set) == ACRE_OK);
    CHECK(acre_entity_create(scene, NULL, &one) == ACRE_OK);
    CHECK(says(acre_scene_set_tasks(scene, &tasks), "acre_scene_set_tasks: tasks.enqueue is NULL"));
    CHECK(acre_scene_set_tasks(NULL, NULL) == bad &&
          acre_culling_set_tasks(culling, &tasks) == bad);
    CHECK(acre_culling_set_tasks(NULL, NULL) == bad && acre_culling_optimize(NULL) == bad);
    CHECK(acre_quadtree_set_tasks(NULL, NULL) == bad &&
          acre_culling_validate(NULL, NULL, 0) == bad);
    CHECK(says(acre_visible_set_freeze(set, true),
               "acre_visible_set_freeze: set was never found: find it first"));
    CHECK(acre_entity_get_flags(scene, one, NULL) == bad);
    CHECK(acre_entity_get_layers(scene, (acre_entity){0, 0, 0}, &flags) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_entity_get_user(NULL, one, &user) == bad);
    CHECK(acre_entity_get_local_matrix(scene, one, NULL) == bad);
    CHECK(acre_entity_get_local_matrix(NULL, one, matrix) == bad);
    acre_culling_get_stats(culling, NULL); // and their like do nothing
    acre_scene_get_stats(scene, NULL);
    acre_quadtree_get_stats(acre_culling_tree(culling), NULL);
    CHECK(told_take_others() == 0);
    acre_visible_set_destroy(set);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

// ---- the handler ----

typedef struct curious {
    acre_quadtree *tree;
    int told;
    acre_result inserted, refused;
} curious;

static void edit(void *user, const acre_refused_call *call)
{
    curious *const by = user;
    by->told++;
    EXPECT(strcmp(call->argument, "item") == 0 && call->report.first_row == 0);
    by->inserted = (acre_quadtree_insert)(by->tree, 3, &good); // the call has ended: it is free
    by->refused = (acre_quadtree_insert)(by->tree, 3, &good);  // of which nobody is told
}

static void a_handler_may_edit_and_is_not_told_of_its_own_calls(void)
{
    curious by = {.told = 0};
    CHECK(acre_quadtree_create(NULL, &by.tree) == ACRE_OK);
    acre_set_refusal_handler(edit, &by);
    CHECK((acre_quadtree_remove)(by.tree, 3) == ACRE_ERROR_NOT_FOUND);
    CHECK(by.told == 1 && by.inserted == ACRE_OK && by.refused == ACRE_ERROR_EXISTS);
    acre_set_refusal_handler(NULL, NULL);
    CHECK((acre_quadtree_remove)(by.tree, 4) == ACRE_ERROR_NOT_FOUND && by.told == 1);
    acre_quadtree_destroy(by.tree);
}

// Which of the two handlers was called how often, and whether checks came first.
typedef struct order {
    uint32_t told, checked, checked_untold;
} order;

static void note_told(void *user, const acre_refused_call *call)
{
    (void)call;
    ((order *)user)->told++;
}

static void note_checked(void *user, const char *condition, const char *file, int line)
{
    order *const seen = user;
    (void)condition, (void)file, (void)line;
    seen->checked++;
    seen->checked_untold += seen->told < seen->checked;
}

// Functions that return no acre_result: a failed check may end the program.
static void the_sentence_comes_before_the_check(void)
{
    order seen = {0};
    acre_set_refusal_handler(note_told, &seen);
    acre_set_assert_handler(note_checked, &seen);
    CHECK(acre_quadtree_query_aabb(NULL, &good, NULL, 0) == 0);
    CHECK(acre_quadtree_query_frustum(NULL, NULL, NULL, 0) == 0);
    CHECK(!acre_quadtree_contains(NULL, 1) && acre_quadtree_get_layers(NULL, 1) == 0);
    CHECK(acre_quadtree_get_boxes(NULL, NULL, 1, NULL) == 0);
    CHECK(acre_quadtree_state_hash(NULL) == 0 && acre_quadtree_content_hash(NULL) == 0);
    CHECK(acre_quadtree_last_report(NULL).refused == 0);
    acre_quadtree_clear(NULL);
    CHECK(acre_culling_query(NULL, NULL, NULL, 0) == 0);
    CHECK(!acre_culling_is_registered(NULL, (acre_entity){0}));
    CHECK(acre_culling_get_rule(NULL, (acre_entity){0}) == 0);
    CHECK(acre_visible_set_get(NULL).count == 0);
    acre_set_assert_handler(NULL, NULL);
    acre_set_refusal_handler(NULL, NULL);
    CHECK(seen.told == 13 && seen.checked_untold == 0);
    CHECK(seen.checked == (ACRE_CHECK > 0 ? 13 : 0));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_box_is_named_to_its_number),
        TEST(a_batch_names_its_first_refused_row_and_counts_them),
        TEST(queries_name_their_field),
        TEST(volumes_are_named_to_their_last_number),
        TEST(a_number_out_of_range_is_told_with_its_range),
        TEST(horizons_are_for_their_eye_and_one_view),
        TEST(entities_and_cullers_name_the_way),
        TEST(rows_are_named_where_there_are_some),
        TEST(an_entity_that_is_not_committed_is_called_so),
        TEST(what_is_full_is_called_so),
        TEST(what_is_left_is_told_once),
        TEST(a_handler_may_edit_and_is_not_told_of_its_own_calls),
        TEST(the_sentence_comes_before_the_check),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
