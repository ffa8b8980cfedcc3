// SPDX-License-Identifier: MIT
// test_scene_stack.c - a hierarchy a million deep, and very wide ones, on a stack of 256 KiB.
#include "scene_shared.h"
#include "test.h"

#include <acre/scene.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { DEPTH = 1000000, STACK = 256 * 1024 };
enum { WIDE = 200000 }; // quadratic time would take minutes

static acre_entity *entities; // made outside of the small stack

static float world_x(const acre_scene *scene, int index)
{
    float matrix[16];
    return acre_entity_world_matrix(scene, entities[index], matrix) == ACRE_OK ? matrix[12] : NAN;
}

static bool set_x(acre_scene *scene, int index, float x)
{
    const acre_transform local = {{x, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    return acre_entity_set_local(scene, entities[index], &local) == ACRE_OK;
}

static bool make(acre_scene *scene, int index, acre_entity parent)
{
    const acre_transform local = {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    return acre_entity_create(scene,
                              &(acre_entity_def){.parent = parent, .local = &local, .bounds = &box},
                              &entities[index]) == ACRE_OK;
}

// Every integer up to the depth is a float, so the sums are exact.
static void try_chain(acre_scene *scene)
{
    const acre_entity null = {0, 0, 0};
    for (int i = 0; i < DEPTH; i++) {
        CHECK(make(scene, i, i ? entities[i - 1] : null));
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, DEPTH - 1) == (float)DEPTH);
    CHECK(set_x(scene, 0, 2) && acre_scene_commit(scene) == ACRE_OK);
    CHECK(world_x(scene, DEPTH - 1) == (float)(DEPTH + 1) && world_x(scene, 7) == 9);
    CHECK(acre_entity_set_parent(scene, entities[0], entities[DEPTH - 1]) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    size_t count = 0;
    CHECK(set_x(scene, 0, 1) && acre_scene_refresh(scene, entities[0], NULL, 0, &count) == ACRE_OK);
    CHECK(count == DEPTH && world_x(scene, DEPTH - 1) == (float)DEPTH);
    CHECK(acre_scene_refresh(scene, entities[DEPTH - 1], NULL, 0, &count) == ACRE_OK && count == 1);
    CHECK(acre_entity_set_flags(scene, entities[0], ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_scene_get_view(scene).flags[DEPTH - 1] == ACRE_ENTITY_HIDDEN);
    CHECK(acre_entity_set_flags(scene, entities[0], 0) == ACRE_OK);
    // Half of it goes under the last entity of the other half's new order.
    CHECK(acre_entity_set_parent(scene, entities[DEPTH / 2], null) == ACRE_OK);
    CHECK(acre_entity_set_parent(scene, entities[0], entities[DEPTH - 1]) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, 0) == (float)(DEPTH / 2 + 1));
    CHECK(world_x(scene, DEPTH / 2 - 1) == (float)DEPTH && world_x(scene, DEPTH / 2) == 1);
    CHECK(acre_scene_validate(scene, NULL, 0) == ACRE_OK);
    CHECK(acre_entity_destroy(scene, entities[DEPTH / 2]) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && acre_scene_get_view(scene).entity_count == 0);
}

static void try_bottom_up(acre_scene *scene)
{
    const acre_entity null = {0, 0, 0};
    for (int i = 0; i < WIDE; i++) {
        CHECK(make(scene, i, null));
        CHECK(i == 0 || acre_entity_set_parent(scene, entities[i - 1], entities[i]) == ACRE_OK);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, 0) == (float)WIDE);
    for (int i = 0; i + 1 < WIDE; i++) {
        CHECK(acre_entity_set_parent(scene, entities[i], null) == ACRE_OK);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, 0) == 1);
    CHECK(acre_scene_validate(scene, NULL, 0) == ACRE_OK);
}

static void try_siblings(acre_scene *scene)
{
    CHECK(make(scene, 0, (acre_entity){0, 0, 0}));
    for (int i = 1; i < WIDE; i++) {
        CHECK(make(scene, i, entities[0]));
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && world_x(scene, WIDE - 1) == 2);
    CHECK(set_x(scene, 0, 5) && acre_scene_commit(scene) == ACRE_OK);
    CHECK(world_x(scene, 1) == 6 && world_x(scene, WIDE - 1) == 6);
    CHECK(acre_entity_destroy(scene, entities[0]) == ACRE_OK &&
          acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_scene_get_view(scene).entity_count == 0);
}

static void *run_with_scene(void *argument)
{
    void (*const attempt)(acre_scene * scene) = *(void (**)(acre_scene * scene)) argument;
    acre_scene *scene = NULL;
    if (acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK) {
        attempt(scene);
        acre_scene_destroy(scene);
        return argument;
    }
    return NULL;
}

static void run_on_small_stack(void (*attempt)(acre_scene *scene))
{
    entities = malloc(DEPTH * sizeof *entities);
    pthread_attr_t attributes;
    pthread_t thread;
    void *answer = NULL;
    CHECK(entities && pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, STACK) == 0);
    CHECK(pthread_create(&thread, &attributes, run_with_scene, &attempt) == 0);
    CHECK(pthread_join(thread, &answer) == 0 && answer != NULL);
    (void)pthread_attr_destroy(&attributes);
    free(entities);
}

static void a_chain_a_million_deep_needs_no_stack(void)
{
    run_on_small_stack(try_chain);
}

static void a_chain_built_from_its_end_costs_linear_time(void)
{
    run_on_small_stack(try_bottom_up);
}

static void very_many_siblings_need_no_stack(void)
{
    run_on_small_stack(try_siblings);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_chain_a_million_deep_needs_no_stack),
        TEST(a_chain_built_from_its_end_costs_linear_time),
        TEST(very_many_siblings_need_no_stack),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
