// SPDX-License-Identifier: MIT
// scenario_scene.c - the recorded scenario of the scene: edits of every kind, commits, changes.
#include "scenario.h"

#include <acre/scene.h>

#include <string.h>

#define FRAMES 48u
#define ENTITIES 3000u

typedef struct scene_scenario {
    acre_scene *scene;
    test_random random;
    acre_entity entities[ENTITIES];
    uint64_t changes;
} scene_scenario;

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

static acre_entity random_entity(scene_scenario *scenario)
{
    return scenario->entities[random_below(&scenario->random, ENTITIES)];
}

static void create_entity(scene_scenario *scenario, uint32_t index, bool has_parent)
{
    const acre_transform local = random_transform(&scenario->random);
    acre_aabb bounds = {{-1.0f, -2.0f, -3.0f}, {1.0f, 2.5f, 3.0f}};
    bounds.max[1] = random_float(&scenario->random, 0.0f, 30.0f);
    acre_entity_def def = {.local = &local, .bounds = &bounds, .user = index};
    if (index % 16 == 15) {
        def.bounds = NULL;
    }
    if (has_parent) {
        def.parent = random_entity(scenario);
        if (!acre_entity_is_alive(scenario->scene, def.parent)) {
            def.parent = (acre_entity){0};
        }
    }
    expect(acre_entity_create(scenario->scene, &def, &scenario->entities[index]) == ACRE_OK,
           "entity");
}

// An affine matrix with shear.
static void set_matrix(scene_scenario *scenario, acre_entity entity)
{
    float matrix[16] = {1.0f, 0.0f,  0.0f, 0.0f, 0.25f, 1.0f, 0.0f, 0.0f,
                        0.0f, -0.5f, 1.5f, 0.0f, 0.0f,  0.0f, 0.0f, 1.0f};
    matrix[12] = random_float(&scenario->random, -20.0f, 20.0f);
    matrix[4] = random_float(&scenario->random, -1.0f, 1.0f);
    (void)acre_entity_set_local_matrix(scenario->scene, entity, matrix);
}

// Edits may hit entities that are gone; that they are refused everywhere alike is part of it.
static void edit_scene(scene_scenario *scenario)
{
    for (int i = 0; i < 120; i++) {
        const acre_transform local = random_transform(&scenario->random);
        (void)acre_entity_set_local(scenario->scene, random_entity(scenario), &local);
    }
    for (int i = 0; i < 10; i++) {
        const acre_entity entity = random_entity(scenario);
        const acre_entity parent = random_entity(scenario);
        (void)acre_entity_set_parent(scenario->scene, entity, parent);
        set_matrix(scenario, random_entity(scenario));
        const acre_entity flagged = random_entity(scenario);
        (void)acre_entity_set_flags(scenario->scene, flagged, random_below(&scenario->random, 8));
        const acre_entity layered = random_entity(scenario);
        (void)acre_entity_set_layers(scenario->scene, layered, random_below(&scenario->random, 4));
    }
    (void)acre_entity_destroy(scenario->scene, random_entity(scenario));
    for (uint32_t index = 0; index < ENTITIES; index++) {
        if (!acre_entity_is_alive(scenario->scene, scenario->entities[index]) && index % 3 == 0) {
            create_entity(scenario, index, true);
        }
    }
}

static acre_result hash_changes(void *user, const acre_scene *scene,
                                const acre_scene_changes *changes)
{
    uint64_t *hash = user;
    (void)scene;
    hash_words(hash, changes->destroyed, changes->destroyed_count);
    hash_words(hash, changes->created, changes->created_count);
    hash_words(hash, changes->moved, changes->moved_count);
    return ACRE_OK;
}

static uint64_t scene_hash(const acre_scene *scene)
{
    const acre_scene_view view = acre_scene_get_view(scene);
    uint64_t hash = HASH_START;
    hash_word(&hash, view.entity_count);
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_entity entity = acre_scene_entity(scene, slot);
        hash_word(&hash, entity.generation);
        if (entity.index1 == 0) {
            continue;
        }
        float matrix[16];
        expect(acre_entity_world_matrix(scene, entity, matrix) == ACRE_OK, "world matrix");
        hash_floats(&hash, matrix, 16);
        hash_box(&hash, &view.world_bounds[slot]);
        hash_word(&hash, view.flags[slot]);
        hash_word(&hash, view.layers[slot]);
        hash_word(&hash, (uint32_t)view.user[slot]);
    }
    return hash;
}

static void run_scene(void)
{
    static scene_scenario scenario; // too large for a small stack
    scenario.random.state = 77;
    scenario.changes = HASH_START;
    expect(acre_scene_create(&(acre_scene_def){.scene = 3}, &scenario.scene) == ACRE_OK, "scene");
    const acre_module module = {.name = "hash", .commit = hash_changes, .user = &scenario.changes};
    expect(acre_scene_attach(scenario.scene, &module) == ACRE_OK, "attach");
    for (uint32_t index = 0; index < ENTITIES; index++) {
        create_entity(&scenario, index, index > 0 && random_below(&scenario.random, 4) != 0);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        expect(acre_scene_commit(scenario.scene) == ACRE_OK, "commit");
        if (frame % 12 == 0) {
            printf("scene frame %u %016llx\n", frame,
                   (unsigned long long)scene_hash(scenario.scene));
        }
        edit_scene(&scenario);
    }
    expect(acre_scene_commit(scenario.scene) == ACRE_OK, "commit");
    printf("scene %016llx changes %016llx entities %u\n",
           (unsigned long long)scene_hash(scenario.scene), (unsigned long long)scenario.changes,
           acre_scene_get_view(scenario.scene).entity_count);
    acre_scene_destroy(scenario.scene);
}

int main(void)
{
    run_scene();
    return scenario_failures > 0;
}
