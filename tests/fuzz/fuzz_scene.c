// SPDX-License-Identifier: MIT
// fuzz_scene.c - fuzz target: bytes choose edits, commits and refreshes of a scene that the oracle
// follows; between them every function gets handles that are no handles and numbers that are no
// numbers, and must refuse them without a trace.
#include "fuzz.h"
#include "scene_oracle.h"
#include "scene_shared.h"

#include <acre/culling.h>

#include <math.h>

enum { MAX_STEPS = 250, LIVING = 24 };

static void check(const char *fault)
{
    if (fault) {
        fuzz_fail(__FILE__, __LINE__, fault);
    }
}

// A handle that names nothing alive; false if the bytes happen to make one that does.
static bool read_wrong_handle(scene_oracle *oracle, fuzz_input *input, acre_entity *out)
{
    const int pick = oracle->count ? (int)(fuzz_byte(input) % (uint32_t)oracle->count) : -1;
    acre_entity handle = {0, 0, 0};
    if (pick >= 0) {
        handle = oracle->entities[pick].handle;
    }
    switch (fuzz_byte(input) % 7) {
    case 0:
        handle = (acre_entity){0, 0, 0};
        break;
    case 1:
        handle.scene = (uint16_t)(handle.scene + 1 + fuzz_byte(input));
        break;
    case 2:
        handle.generation = (uint16_t)(handle.generation + 1 + fuzz_byte(input));
        break;
    case 3:
        handle.generation = 0;
        break;
    case 4:
        handle.index1 += 1 + fuzz_byte(input);
        break;
    case 5:
        handle.index1 = fuzz_u32(input);
        break;
    default: // a dead one, perhaps
        break;
    }
    *out = handle;
    for (int i = 0; i < oracle->count; i++) {
        const oracle_entity *const entity = &oracle->entities[i];
        if (handle.index1 == entity->handle.index1 && handle.scene == entity->handle.scene &&
            handle.generation == entity->handle.generation &&
            (entity->is_alive || entity->is_published)) {
            return false;
        }
    }
    return true;
}

static void probe_scene(acre_scene *scene, acre_entity wrong, acre_entity good, bool has_good)
{
    const acre_entity null = {0, 0, 0};
    const acre_transform local = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
    const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    const acre_result stale = ACRE_ERROR_STALE_HANDLE;
    acre_entity made = {1, 1, 1};
    const bool is_null = wrong.index1 == 0 && wrong.scene == 0 && wrong.generation == 0;
    if (!is_null) { // a null parent is no error
        FUZZ_CHECK(acre_entity_create(scene, &(acre_entity_def){.parent = wrong}, &made) == stale);
        FUZZ_CHECK(made.index1 == 0 && made.scene == 0 && made.generation == 0);
        FUZZ_CHECK(!has_good || acre_entity_set_parent(scene, good, wrong) == stale);
    }
    FUZZ_CHECK(acre_entity_destroy(scene, wrong) == stale);
    FUZZ_CHECK(acre_entity_set_parent(scene, wrong, has_good ? good : null) == stale);
    FUZZ_CHECK(acre_entity_set_parent(scene, wrong, wrong) == stale);
    FUZZ_CHECK(acre_entity_set_local(scene, wrong, &local) == stale);
    FUZZ_CHECK(acre_entity_set_local_matrix(scene, wrong, matrix) == stale);
    FUZZ_CHECK(acre_scene_set_locals(scene, &wrong, &local, 1) == stale);
    FUZZ_CHECK(acre_entity_set_bounds(scene, wrong, &box) == stale);
    FUZZ_CHECK(acre_entity_set_flags(scene, wrong, ACRE_ENTITY_HIDDEN) == stale);
    FUZZ_CHECK(acre_entity_set_layers(scene, wrong, 2) == stale);
    FUZZ_CHECK(acre_entity_set_user(scene, wrong, 2) == stale);
    FUZZ_CHECK(acre_scene_refresh(scene, wrong, NULL, 0, NULL) == stale);
    FUZZ_CHECK(acre_entity_parent(scene, wrong).index1 == 0);
    FUZZ_CHECK(!acre_entity_is_alive(scene, wrong));
    float read[16];
    acre_aabb bounds;
    FUZZ_CHECK(acre_entity_world_matrix(scene, wrong, read) == stale);
    FUZZ_CHECK(acre_entity_world_bounds(scene, wrong, &bounds) == stale);
}

static void probe_culling(acre_culling *culling, acre_entity wrong)
{
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    const acre_result stale = ACRE_ERROR_STALE_HANDLE;
    FUZZ_CHECK(acre_culling_register(culling, wrong) == stale);
    FUZZ_CHECK(acre_culling_unregister(culling, wrong) == stale);
    FUZZ_CHECK(acre_culling_refresh(culling, wrong) == stale);
    FUZZ_CHECK(acre_culling_refresh_bounds(culling, wrong, &box) == stale);
}

// One number that is none, in any place of a transform, a matrix or a box.
static void probe_numbers(acre_scene *scene, acre_entity good, fuzz_input *input)
{
    acre_transform local = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
    float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
    acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;
    const uint32_t at = fuzz_byte(input);
    const float bad = at & 1 ? NAN : at & 2 ? INFINITY : -INFINITY;
    float *const places[3] = {local.translation, local.rotation, local.scale};
    if (at < 24) {
        local.rotation[3] = 0.0f; // finite, but no rotation
    } else {
        places[at / 4 % 3][at / 12 % 3] = bad;
    }
    matrix[at % 16] = bad;
    (at & 4 ? box.min : box.max)[at / 8 % 3] = NAN;
    FUZZ_CHECK(acre_entity_set_local(scene, good, &local) == invalid);
    FUZZ_CHECK(acre_scene_set_locals(scene, &good, &local, 1) == invalid);
    FUZZ_CHECK(acre_entity_set_local_matrix(scene, good, matrix) == invalid);
    FUZZ_CHECK(acre_entity_set_bounds(scene, good, &box) == invalid);
    FUZZ_CHECK(acre_entity_set_flags(scene, good, 8u << at % 29) == invalid);
    acre_entity made = {1, 1, 1};
    FUZZ_CHECK(acre_entity_create(scene, &(acre_entity_def){.local = &local}, &made) == invalid);
    FUZZ_CHECK(made.index1 == 0);
    FUZZ_CHECK(acre_entity_create(scene, &(acre_entity_def){.bounds = &box}, &made) == invalid);
    FUZZ_CHECK(acre_entity_create(scene, &(acre_entity_def){.flags = 8}, &made) == invalid);
}

static void probe(scene_oracle *oracle, acre_culling *culling, fuzz_input *input)
{
    const int pick = oracle->count ? (int)(fuzz_byte(input) % (uint32_t)oracle->count) : -1;
    const bool has_good = pick >= 0 && oracle->entities[pick].is_alive;
    const acre_entity good = has_good ? oracle->entities[pick].handle : (acre_entity){0, 0, 0};
    acre_entity wrong;
    if (read_wrong_handle(oracle, input, &wrong)) {
        probe_scene(oracle->scene, wrong, good, has_good);
        probe_culling(culling, wrong);
    }
    if (has_good) {
        probe_numbers(oracle->scene, good, input);
    }
}

static void step(scene_oracle *oracle, acre_culling *culling, fuzz_input *input)
{
    const uint32_t kind = fuzz_byte(input);
    // What the oracle draws for this step follows from two bytes.
    oracle->random.state = fuzz_byte(input);
    oracle->random.state |= (uint64_t)fuzz_byte(input) << 8;
    if (kind < 160) {
        check(scene_oracle_edit(oracle));
    } else if (kind < 196) {
        check(scene_oracle_commit(oracle));
        check(scene_oracle_check(oracle));
    } else if (kind < 216) {
        check(scene_oracle_refresh(oracle));
        check(scene_oracle_check(oracle));
    } else if (kind >= 250) {
        FUZZ_CHECK(acre_scene_trim(oracle->scene) == ACRE_OK);
        check(scene_oracle_check(oracle));
    } else {
        probe(oracle, culling, input);
        check(acre_scene_validate(oracle->scene, NULL, 0) == ACRE_OK ? NULL : "validate");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size, 0};
    scene_oracle oracle;
    acre_culling *culling = NULL;
    const acre_scene_def def = {.scene = (uint16_t)fuzz_byte(&input)};
    const acre_culling_def culling_def = {.register_all = true, .tree = {.node_capacity = 2}};
    FUZZ_CHECK(scene_oracle_init(&oracle, &def, LIVING, 0));
    FUZZ_CHECK(acre_culling_create(oracle.scene, &culling_def, &culling) == ACRE_OK);
    for (uint32_t i = 0; i < MAX_STEPS && fuzz_has_more(&input); i++) {
        step(&oracle, culling, &input);
    }
    check(scene_oracle_commit(&oracle));
    check(scene_oracle_check(&oracle));
    acre_culling_destroy(culling);
    scene_oracle_free(&oracle);
    return 0;
}
