// SPDX-License-Identifier: MIT
// test_visible_sum.c - the sum of what is visible equals the loop over the visible boxes; of those
// that left a set, the ones that were hidden or unregistered are told apart; results of queries.
#include "culling_counts.h"
#include "test.h"

#include <acre/visible_set.h>

#include <math.h>
#include <string.h>

#define ENTITIES 700

typedef struct sum_world {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entities[ENTITIES];
    test_random random;
} sum_world;

static float spread(sum_world *w, float reach)
{
    return random_float(&w->random, -reach, reach);
}

static bool move_entity(sum_world *w, int i)
{
    const acre_transform local = {
        {spread(w, 300.0f), spread(w, 20.0f), spread(w, 300.0f)}, {0, 0, 0, 1}, {1, 1, 1}};
    return acre_entity_set_local(w->scene, w->entities[i], &local) == ACRE_OK;
}

static bool make_sum_world(sum_world *w, uint64_t seed)
{
    w->random = (test_random){seed};
    const acre_scene_def scene_def = {0};
    if (acre_scene_create(&scene_def, &w->scene) != ACRE_OK ||
        acre_culling_create(w->scene, &(acre_culling_def){.register_all = true}, &w->culling) !=
            ACRE_OK) {
        return false;
    }
    for (int i = 0; i < ENTITIES; i++) {
        const float size = random_float(&w->random, 0.1f, i % 50 ? 4.0f : 60.0f);
        const acre_aabb bounds = {{-size, 0, -size}, {size, size, size}};
        const acre_entity_def def = {.bounds = &bounds,
                                     .flags = i % 90 == 7  ? (uint32_t)ACRE_ENTITY_NEVER_CULL
                                              : i % 3 == 0 ? (uint32_t)ACRE_ENTITY_STATIC
                                                           : 0,
                                     .layers = 1u << i % 3};
        if (acre_entity_create(w->scene, &def, &w->entities[i]) != ACRE_OK || !move_entity(w, i)) {
            return false;
        }
    }
    return acre_scene_commit(w->scene) == ACRE_OK;
}

static void free_sum_world(sum_world *w)
{
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

static acre_view random_view(sum_world *w)
{
    static const acre_clip clips[] = {ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE,
                                      ACRE_CLIP_REVERSED_ZERO_TO_ONE};
    acre_camera camera = {0};
    const acre_clip clip = clips[random_below(&w->random, 3)];
    if (random_below(&w->random, 4) == 0) {
        EXPECT(acre_camera_orthographic(&camera, 120.0f, 90.0f, 1.0f, 250.0f, clip) == ACRE_OK);
    } else {
        const float far_distance = random_float(&w->random, 20.0f, 600.0f);
        EXPECT(acre_camera_perspective(&camera, 1.0f, 1.5f, 0.5f, far_distance, clip) == ACRE_OK);
    }
    const float eye[3] = {spread(w, 200.0f), 10.0f, spread(w, 200.0f)}, up[3] = {0, 1, 0};
    const float target[3] = {spread(w, 200.0f), 0.0f, spread(w, 200.0f)};
    EXPECT(acre_camera_look_at(&camera, eye, target, up) == ACRE_OK);
    acre_view view;
    EXPECT(acre_view_from_camera(&view, &camera) == ACRE_OK);
    view.layers = random_below(&w->random, 2) ? 0 : 3;
    view.max_distance = random_below(&w->random, 3) ? 0.0f : 150.0f;
    return view;
}

static float depth_of_corner(const acre_view *view, const acre_aabb *box, bool nearest)
{
    float p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (view->depth[k] >= 0.0f) == nearest ? box->min[k] : box->max[k];
    }
    return ((view->depth[0] * p[0] + view->depth[1] * p[1]) + view->depth[2] * p[2]) +
           view->depth[3];
}

// The loop over the slots found.
static acre_visible_sum sum_of(const sum_world *w, const acre_view *view, const uint32_t *slots,
                               size_t count)
{
    const acre_scene_view scene = acre_scene_get_view(w->scene);
    acre_visible_sum sum = {.box = acre_aabb_empty()};
    bool is_first = true;
    for (size_t i = 0; i < count; i++) {
        if (scene.flags[slots[i]] & ACRE_ENTITY_NEVER_CULL) {
            continue;
        }
        const acre_aabb *const box = &scene.world_bounds[slots[i]];
        const float near_depth = depth_of_corner(view, box, true);
        const float far_depth = depth_of_corner(view, box, false);
        for (int k = 0; k < 3; k++) {
            sum.box.min[k] = is_first ? box->min[k] : fminf(sum.box.min[k], box->min[k]);
            sum.box.max[k] = is_first ? box->max[k] : fmaxf(sum.box.max[k], box->max[k]);
        }
        sum.min_depth = is_first ? near_depth : fminf(sum.min_depth, near_depth);
        sum.max_depth = is_first ? far_depth : fmaxf(sum.max_depth, far_depth);
        is_first = false;
    }
    return sum;
}

static bool sums_are_equal(const acre_visible_sum *a, const acre_visible_sum *b)
{
    return memcmp(&a->box, &b->box, sizeof a->box) == 0 && a->min_depth == b->min_depth &&
           a->max_depth == b->max_depth;
}

static void the_sum_of_a_set_is_that_of_the_loop(void)
{
    static sum_world w;
    static uint32_t slots[ENTITIES];
    acre_visible_set *set;
    CHECK(make_sum_world(&w, test_seed));
    CHECK(acre_visible_set_create(&(acre_visible_set_def){.flags = ACRE_VISIBLE_SUM}, &set) ==
          ACRE_OK);
    size_t empty = 0, visible = 0;
    for (int frame = 0; frame < 200; frame++) {
        for (int i = 0; i < ENTITIES; i += 9) {
            CHECK(move_entity(&w, i));
        }
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
        const acre_view view = random_view(&w);
        size_t total = 0;
        CHECK(acre_culling_query_view(w.culling, &view, slots, ENTITIES, &total) == ACRE_OK);
        const acre_visible_sum sum = sum_of(&w, &view, slots, total);
        for (int round = 0; round < 2; round++) { // the second one is reused
            CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
            const acre_visible found = acre_visible_set_get(set);
            CHECK(found.count == total && sums_are_equal(&found.sum, &sum));
            CHECK(found.is_reused == (round == 1));
        }
        empty += acre_aabb_is_empty(&sum.box);
        visible += total;
        // A box in view lies in front of the far corner and behind the near one.
        CHECK(acre_aabb_is_empty(&sum.box) || sum.min_depth <= sum.max_depth);
    }
    CHECK(empty < 100 && visible > 2000);
    acre_visible_set_clear(set);
    const acre_visible cleared = acre_visible_set_get(set);
    CHECK(acre_aabb_is_empty(&cleared.sum.box));
    acre_visible_set_destroy(set);
    free_sum_world(&w);
}

// The sum of what a view sees, by a set of its own.
static acre_result sum_in(const acre_culling *culling, const acre_view *view, size_t *total,
                          acre_visible_sum *out)
{
    const acre_visible_set_def def = {.flags = ACRE_VISIBLE_SUM};
    acre_visible_set *set;
    acre_result result = acre_visible_set_create(&def, &set);
    if (result == ACRE_OK) {
        result = acre_culling_find_visible(culling, view, set);
        *out = acre_visible_set_get(set).sum;
        *total = acre_visible_set_get(set).count;
        acre_visible_set_destroy(set);
    }
    return result;
}

static void depths_are_distances_along_the_view(void)
{
    static const acre_clip clips[] = {ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE,
                                      ACRE_CLIP_REVERSED_ZERO_TO_ONE};
    const float eye[3] = {10, 0, 0}, target[3] = {10, 0, 50}, up[3] = {0, 1, 0};
    const acre_aabb bounds = {{8, -1, 20}, {12, 1, 30}};
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entity;
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling) ==
          ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.bounds = &bounds}, &entity) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    for (int i = 0; i < 6; i++) {
        acre_camera camera = {0};
        const acre_clip clip = clips[i % 3];
        CHECK((i < 3 ? acre_camera_perspective(&camera, 1.0f, 1.0f, 1.0f, 100.0f, clip)
                     : acre_camera_orthographic(&camera, 50.0f, 50.0f, 1.0f, 100.0f, clip)) ==
              ACRE_OK);
        CHECK(acre_camera_look_at(&camera, eye, target, up) == ACRE_OK);
        acre_view view;
        acre_visible_sum sum;
        size_t total;
        CHECK(acre_view_from_camera(&view, &camera) == ACRE_OK);
        CHECK(sum_in(culling, &view, &total, &sum) == ACRE_OK);
        CHECK(total == 1 && memcmp(&sum.box, &bounds, sizeof bounds) == 0);
        CHECK(fabsf(sum.min_depth - 20.0f) < 1e-4f && fabsf(sum.max_depth - 30.0f) < 1e-4f);
    }
    // An endless box has endless depths; a view without an axis has none.
    const acre_aabb endless = {{-INFINITY, 0, -INFINITY}, {INFINITY, 1, INFINITY}};
    CHECK(acre_entity_set_bounds(scene, entity, &endless) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    acre_view view = {.depth = {0, 0, 1, 5}};
    acre_visible_sum sum;
    size_t total;
    CHECK(sum_in(culling, &view, &total, &sum) == ACRE_OK);
    CHECK(isinf(sum.min_depth) && sum.min_depth < 0 && isinf(sum.max_depth) && sum.max_depth > 0);
    view.depth[1] = NAN;
    CHECK(sum_in(culling, &view, &total, &sum) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_aabb_is_empty(&sum.box));
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static bool lists(const uint32_t *slots, size_t count, acre_entity entity)
{
    bool is_listed = false;
    for (size_t i = 0; i < count; i++) {
        is_listed = is_listed || slots[i] == entity.index1 - 1;
    }
    return is_listed;
}

static void of_those_that_left_the_hidden_ones_are_named(void)
{
    static sum_world w;
    acre_visible_set *set;
    CHECK(make_sum_world(&w, test_seed + 1));
    CHECK(acre_visible_set_create(&(acre_visible_set_def){.flags = ACRE_VISIBLE_CHANGES}, &set) ==
          ACRE_OK);
    const acre_view everything = {0};
    CHECK(acre_culling_find_visible(w.culling, &everything, set) == ACRE_OK);
    const acre_entity *const e = w.entities;
    const acre_transform away = {{1e6f, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    // 0 hidden, 1 unregistered, 2 destroyed, 4 moves out of view, 5 loses its box, 8 is destroyed
    // and its slot given to another.
    CHECK(acre_entity_set_flags(w.scene, e[0], ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(acre_culling_unregister(w.culling, e[1]) == ACRE_OK);
    CHECK(acre_entity_destroy(w.scene, e[2]) == ACRE_OK);
    CHECK(acre_entity_set_local(w.scene, e[4], &away) == ACRE_OK);
    CHECK(acre_entity_set_bounds(w.scene, e[5], NULL) == ACRE_OK);
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    const acre_view near_by = {.frustum = {{{-1, 0, 0, 1000}}, 1}};
    CHECK(acre_culling_find_visible(w.culling, &near_by, set) == ACRE_OK);
    const acre_visible found = acre_visible_set_get(set);
    CHECK(found.left_count == 5 && found.left_hidden_count == 3);
    for (int i = 0; i < 3; i++) {
        const int hidden[] = {0, 1, 5};
        CHECK(lists(found.left_hidden, found.left_hidden_count, e[hidden[i]]));
        CHECK(lists(found.left, found.left_count, e[hidden[i]]));
    }
    CHECK(lists(found.left, found.left_count, e[2]) && lists(found.left, found.left_count, e[4]));
    CHECK(acre_culling_find_visible(w.culling, &near_by, set) == ACRE_OK);
    CHECK(acre_visible_set_get(set).left_hidden_count == 0); // reused
    acre_visible_set_destroy(set);
    free_sum_world(&w);
}

static void results_tell_mistakes_from_nothing(void)
{
    static sum_world w;
    CHECK(make_sum_world(&w, test_seed + 2));
    size_t total = 9;
    uint32_t slots[4];
    const acre_view empty_view = {.layers = 1u << 31}, bad_view = {.min_pixels = NAN};
    CHECK(acre_culling_query_view(w.culling, &empty_view, slots, 4, &total) == ACRE_OK);
    CHECK(total == 0);
    total = 9;
    CHECK(acre_culling_query_view(w.culling, &bad_view, slots, 4, &total) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(total == 0);
    const acre_camera no_clip = {.view = {1}, .projection = {1}};
    acre_view view;
    CHECK(acre_view_from_camera(&view, &no_clip) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_query(w.culling, &no_clip, slots, 4) == ENTITIES);
    acre_camera camera = {0};
    CHECK(acre_camera_perspective(&camera, 1.0f, 1.0f, 0.1f, 400.0f, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_OK);
    const float eye[3] = {0, 5, 0}, target[3] = {1, 0, 1}, up[3] = {0, 1, 0};
    CHECK(acre_camera_look_at(&camera, eye, target, up) == ACRE_OK);
    CHECK(acre_view_from_camera(&view, &camera) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, NULL, 0, &total) == ACRE_OK);
    CHECK(total > 0 && total == acre_culling_query(w.culling, &camera, NULL, 0));
    const acre_frustum half = {{{1, 0, 0, 0}}, 1};
    CHECK(acre_culling_query_frustum(w.culling, &half, 2, slots, 4, &total) == ACRE_OK);
    CHECK(total > 4 && total == count_in_frustum(w.culling, &half, 2, NULL, 0));
    free_sum_world(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_sum_of_a_set_is_that_of_the_loop),
        TEST(depths_are_distances_along_the_view),
        TEST(of_those_that_left_the_hidden_ones_are_named),
        TEST(results_tell_mistakes_from_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
