// SPDX-License-Identifier: MIT
// scene_edits.c - a stream of random edits of a scene.
#include "scene_edits.h"

#include <math.h>
#include <string.h>

// Unit quaternions of rational numbers, as exact as floats hold them.
static const float rotations[8][4] = {{0.0f, 0.0f, 0.0f, 1.0f},    {0.0f, 0.6f, 0.0f, 0.8f},
                                      {0.0f, -0.28f, 0.0f, 0.96f}, {0.5f, 0.5f, 0.5f, 0.5f},
                                      {0.1f, 0.7f, 0.1f, 0.7f},    {0.0f, 1.0f, 0.0f, 0.0f},
                                      {-0.5f, 0.5f, -0.5f, 0.5f},  {0.48f, 0.6f, 0.0f, 0.64f}};

static acre_transform random_transform(test_random *random)
{
    acre_transform transform;
    memcpy(transform.rotation, rotations[random_below(random, 8)], sizeof transform.rotation);
    for (int axis = 0; axis < 3; axis++) {
        transform.translation[axis] = random_float(random, -50.0f, 50.0f);
        transform.scale[axis] = random_float(random, 0.75f, 1.25f);
    }
    if (random_below(random, 16) == 0) {
        transform.scale[0] = -transform.scale[0];
    }
    return transform;
}

acre_entity scene_edits_pick(scene_edits *edits)
{
    return edits->entities[random_below(&edits->random, SCENE_EDITS_ENTITIES)];
}

static void create_entity(scene_edits *edits, uint32_t index, bool has_parent)
{
    const acre_transform local = random_transform(&edits->random);
    acre_aabb bounds = {{-1.0f, -2.0f, -3.0f}, {1.0f, 2.5f, 3.0f}};
    bounds.max[1] = random_float(&edits->random, 0.0f, 30.0f);
    acre_entity_def def = {.local = &local, .bounds = &bounds, .user = index};
    if (index % 16 == 15) {
        def.bounds = NULL;
    }
    if (has_parent) {
        def.parent = scene_edits_pick(edits);
        if (!acre_entity_is_alive(edits->scene, def.parent)) {
            def.parent = (acre_entity){0};
        }
    }
    if (acre_entity_create(edits->scene, &def, &edits->entities[index]) != ACRE_OK) {
        edits->unexpected++;
    }
}

// An affine matrix with shear.
static void set_matrix(scene_edits *edits, acre_entity entity)
{
    float matrix[16] = {1.0f, 0.0f,  0.0f, 0.0f, 0.25f, 1.0f, 0.0f, 0.0f,
                        0.0f, -0.5f, 1.5f, 0.0f, 0.0f,  0.0f, 0.0f, 1.0f};
    matrix[12] = random_float(&edits->random, -20.0f, 20.0f);
    matrix[4] = random_float(&edits->random, -1.0f, 1.0f);
    ACRE_IGNORE(acre_entity_set_local_matrix(edits->scene, entity, matrix));
}

static void set_bounds(scene_edits *edits, acre_entity entity)
{
    acre_aabb bounds = {{-1.0f, 0.0f, -1.0f}, {1.0f, 2.0f, 1.0f}};
    bounds.max[0] = random_float(&edits->random, -0.5f, 4.0f);
    const uint32_t kind = random_below(&edits->random, 16);
    if (kind == 0) {
        bounds.min[1] = -INFINITY;
    }
    ACRE_IGNORE(acre_entity_set_bounds(edits->scene, entity, kind == 1 ? NULL : &bounds));
}

static void set_many_locals(scene_edits *edits)
{
    acre_entity entities[32];
    acre_transform locals[32];
    for (int i = 0; i < 32; i++) {
        entities[i] = scene_edits_pick(edits);
        locals[i] = random_transform(&edits->random);
    }
    ACRE_IGNORE(acre_scene_set_locals(edits->scene, entities, locals, 32));
}

// What is rarer than moving.
static void edit_others(scene_edits *edits)
{
    for (int i = 0; i < 10; i++) {
        const acre_entity entity = scene_edits_pick(edits);
        const acre_entity parent = scene_edits_pick(edits);
        ACRE_IGNORE(acre_entity_set_parent(edits->scene, entity, parent));
        set_matrix(edits, scene_edits_pick(edits));
        const acre_entity flagged = scene_edits_pick(edits);
        ACRE_IGNORE(acre_entity_set_flags(edits->scene, flagged, random_below(&edits->random, 8)));
        const acre_entity layered = scene_edits_pick(edits);
        ACRE_IGNORE(acre_entity_set_layers(edits->scene, layered, random_below(&edits->random, 4)));
        set_bounds(edits, scene_edits_pick(edits));
        const acre_entity named = scene_edits_pick(edits);
        ACRE_IGNORE(acre_entity_set_user(edits->scene, named, random_bits(&edits->random)));
    }
}

void scene_edits_run(scene_edits *edits)
{
    for (int i = 0; i < 120; i++) {
        const acre_transform local = random_transform(&edits->random);
        ACRE_IGNORE(acre_entity_set_local(edits->scene, scene_edits_pick(edits), &local));
    }
    set_many_locals(edits);
    edit_others(edits);
    ACRE_IGNORE(acre_entity_destroy(edits->scene, scene_edits_pick(edits)));
    for (uint32_t index = 0; index < SCENE_EDITS_ENTITIES; index++) {
        if (!acre_entity_is_alive(edits->scene, edits->entities[index]) && index % 3 == 0) {
            create_entity(edits, index, true);
        }
    }
}

void scene_edits_create_all(scene_edits *edits)
{
    for (uint32_t index = 0; index < SCENE_EDITS_ENTITIES; index++) {
        create_entity(edits, index, index > 0 && random_below(&edits->random, 4) != 0);
    }
}
