// SPDX-License-Identifier: MIT
// culling_world.h - what tests of the culler say often: a scene with its culler, entities along x.
#ifndef ACRE_TESTS_CULLING_WORLD_H
#define ACRE_TESTS_CULLING_WORLD_H

#include "culling_counts.h"
#include "test.h"

#include <acre/culling.h>

#include <stdbool.h>

static const acre_entity null_entity = {0, 0, 0};
static const acre_aabb unit_box = {{-1, -1, -1}, {1, 1, 1}};
static const acre_frustum everything; // no planes

typedef struct world {
    acre_scene *scene;
    acre_culling *culling;
} world;

static inline void free_world(world w)
{
    acre_culling_destroy(w.culling);
    acre_scene_destroy(w.scene);
}

static inline acre_transform at(float x, float z)
{
    return (acre_transform){{x, 0, z}, {0, 0, 0, 1}, {1, 1, 1}};
}

static inline acre_entity make_entity(world w, acre_entity parent, float x, uint32_t flags)
{
    const acre_transform local = at(x, 0);
    acre_entity entity = {0, 0, 0};
    EXPECT(acre_entity_create(
               w.scene,
               &(acre_entity_def){
                   .parent = parent, .local = &local, .bounds = &unit_box, .flags = flags},
               &entity) == ACRE_OK);
    return entity;
}

static inline bool move(world w, acre_entity entity, float x)
{
    const acre_transform local = at(x, 0);
    return acre_entity_set_local(w.scene, entity, &local) == ACRE_OK;
}

static inline bool trees_are_valid(world w)
{
    const acre_quadtree *const still = acre_culling_static_tree(w.culling);
    return acre_quadtree_validate(acre_culling_tree(w.culling), NULL, 0) == ACRE_OK &&
           (!still || acre_quadtree_validate(still, NULL, 0) == ACRE_OK);
}

static inline bool set_flags(world w, acre_entity entity, uint32_t flags)
{
    return acre_entity_set_flags(w.scene, entity, flags) == ACRE_OK;
}

static inline size_t visible_count(world w)
{
    return count_in_frustum(w.culling, &everything, 0, NULL, 0);
}

static inline void count_boxes(void *user, const acre_aabb *box, uint32_t rgba)
{
    (void)box;
    (void)rgba;
    ++*(int *)user;
}

#endif
