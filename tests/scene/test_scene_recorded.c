// SPDX-License-Identifier: MIT
// test_scene_recorded.c - what was recorded is read back; many entities at once; where bytes are.
#include "failing_allocator.h"
#include "test.h"

#include <acre/scene.h>

#include "told_calls.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const acre_entity null_entity = {0, 0, 0};
static const acre_transform identity = ACRE_TRANSFORM_IDENTITY;
static const acre_aabb unit_box = {{-1, -1, -1}, {1, 1, 1}};
static const float sheared[16] = {1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 1};

static acre_scene *make_scene(void)
{
    acre_scene *scene = NULL;
    EXPECT(acre_scene_create(&(acre_scene_def){.scene = 7}, &scene) == ACRE_OK);
    return scene;
}

static acre_entity make_entity(acre_scene *scene, acre_entity parent)
{
    acre_entity entity;
    ACRE_IGNORE(acre_entity_create(scene, &(acre_entity_def){.parent = parent, .bounds = &unit_box},
                                   &entity));
    return entity;
}

static bool same(acre_entity a, acre_entity b)
{
    return a.index1 == b.index1 && a.scene == b.scene && a.generation == b.generation;
}

static bool is_null(acre_entity entity)
{
    return same(entity, null_entity);
}

static bool is_valid(const acre_scene *scene)
{
    return acre_scene_validate(scene, NULL, 0) == ACRE_OK;
}

static void a_rotation_of_length_zero_is_refused_everywhere(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity e = make_entity(scene, null_entity);
    const acre_transform zero = {.translation = {1, 2, 3}, .scale = {1, 1, 1}};
    acre_transform signs = zero;
    signs.rotation[1] = -0.0f;
    acre_entity made = e;
    CHECK(acre_entity_set_local(scene, e, &zero) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_set_local(scene, e, &signs) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_set_locals(scene, &e, &zero, 1) == ACRE_ERROR_INVALID_ARGUMENT);
    const acre_entity_def def = {.local = &zero};
    CHECK(acre_entity_create(scene, &def, &made) == ACRE_ERROR_INVALID_ARGUMENT && is_null(made));
    signs.rotation[2] = 1e-45f; // not zero: used as given
    CHECK(acre_entity_set_local(scene, e, &signs) == ACRE_OK);
    acre_transform found;
    CHECK(acre_entity_get_local(scene, e, &found) == ACRE_OK && found.rotation[2] == 1e-45f);
    acre_scene_destroy(scene);
}

static void local_transforms_and_matrices_are_read_as_recorded(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity e = make_entity(scene, null_entity);
    acre_transform found;
    float matrix[16];
    CHECK(acre_entity_get_local(scene, e, &found) == ACRE_OK);
    CHECK(memcmp(&found, &identity, sizeof found) == 0);
    const acre_transform turned = {{1, 2, 3}, {0, 0.6f, 0, 0.8f}, {1, 2, -1}};
    CHECK(acre_entity_set_local(scene, e, &turned) == ACRE_OK);
    CHECK(acre_entity_get_local(scene, e, &found) == ACRE_OK);
    CHECK(memcmp(&found, &turned, sizeof found) == 0);
    CHECK(acre_entity_get_local_matrix(scene, e, matrix) == ACRE_OK);
    float world[16];
    CHECK(acre_entity_world_matrix(scene, e, world) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_world_matrix(scene, e, world) == ACRE_OK);
    CHECK(memcmp(world, matrix, sizeof world) == 0);
    CHECK(acre_entity_set_local_matrix(scene, e, sheared) == ACRE_OK);
    CHECK(acre_entity_get_local(scene, e, &found) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_get_local_matrix(scene, e, matrix) == ACRE_OK);
    CHECK(memcmp(matrix, sheared, sizeof matrix) == 0);
    // A matrix that a transform makes as well is still a matrix.
    const float moved[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1};
    CHECK(acre_entity_set_local_matrix(scene, e, moved) == ACRE_OK);
    CHECK(acre_entity_get_local(scene, e, &found) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_get_local_matrix(scene, e, matrix) == ACRE_OK);
    CHECK(memcmp(matrix, moved, sizeof matrix) == 0);
    CHECK(acre_entity_set_local(scene, e, &turned) == ACRE_OK);
    CHECK(acre_entity_get_local(scene, e, &found) == ACRE_OK && is_valid(scene));
    CHECK(acre_entity_get_local(scene, null_entity, &found) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_entity_get_local_matrix(scene, null_entity, matrix) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_entity_get_local(scene, e, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_get_local_matrix(NULL, e, matrix) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_scene_destroy(scene);
}

static void bounds_and_labels_are_read_as_recorded(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity e = make_entity(scene, null_entity);
    acre_aabb box;
    uint32_t flags = 9, layers = 9;
    uint64_t user = 9;
    CHECK(acre_entity_get_bounds(scene, e, &box) == ACRE_OK);
    CHECK(memcmp(&box, &unit_box, sizeof box) == 0);
    CHECK(acre_entity_get_flags(scene, e, &flags) == ACRE_OK && flags == 0);
    CHECK(acre_entity_get_layers(scene, e, &layers) == ACRE_OK && layers == UINT32_MAX);
    CHECK(acre_entity_get_user(scene, e, &user) == ACRE_OK && user == 0);
    CHECK(acre_entity_set_bounds(scene, e, NULL) == ACRE_OK);
    CHECK(acre_entity_set_flags(scene, e, ACRE_ENTITY_STATIC) == ACRE_OK);
    CHECK(acre_entity_set_layers(scene, e, 6) == ACRE_OK);
    CHECK(acre_entity_set_user(scene, e, UINT64_MAX) == ACRE_OK);
    CHECK(acre_entity_get_bounds(scene, e, &box) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_entity_get_flags(scene, e, &flags) == ACRE_OK && flags == ACRE_ENTITY_STATIC);
    CHECK(acre_entity_get_layers(scene, e, &layers) == ACRE_OK && layers == 6);
    CHECK(acre_entity_get_user(scene, e, &user) == ACRE_OK && user == UINT64_MAX);
    CHECK(acre_entity_set_layers(scene, e, 0) == ACRE_OK);
    CHECK(acre_entity_get_layers(scene, e, &layers) == ACRE_OK && layers == UINT32_MAX);
    // Flags are the entity's own: what hides it does not show here.
    const acre_entity child = make_entity(scene, e);
    CHECK(acre_entity_set_flags(scene, e, ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && acre_scene_get_view(scene).flags[1] == 1);
    CHECK(acre_entity_get_flags(scene, child, &flags) == ACRE_OK && flags == 0);
    CHECK(acre_entity_get_bounds(scene, null_entity, &box) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_entity_get_flags(scene, e, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_get_layers(NULL, e, &layers) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_get_user(scene, null_entity, &user) == ACRE_ERROR_STALE_HANDLE);
    acre_scene_destroy(scene);
}

// A slot that is used again has the labels of its new entity.
static void a_slot_forgets_the_labels_of_the_dead(void)
{
    acre_scene *const scene = make_scene();
    acre_entity e;
    const acre_entity_def def = {.layers = 4, .user = 5, .flags = ACRE_ENTITY_STATIC};
    CHECK(acre_entity_create(scene, &def, &e) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_destroy(scene, e) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
    const acre_entity again = make_entity(scene, null_entity);
    uint32_t layers = 0, flags = 9;
    uint64_t user = 9;
    CHECK(again.index1 == e.index1);
    CHECK(acre_entity_get_layers(scene, again, &layers) == ACRE_OK && layers == UINT32_MAX);
    CHECK(acre_entity_get_user(scene, again, &user) == ACRE_OK && user == 0);
    CHECK(acre_entity_get_flags(scene, again, &flags) == ACRE_OK && flags == 0);
    acre_scene_destroy(scene);
}

static void children_and_siblings_lead_to_every_entity_once(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity top = make_entity(scene, null_entity);
    acre_entity children[5];
    for (int i = 0; i < 5; i++) {
        children[i] = make_entity(scene, top);
    }
    CHECK(acre_entity_destroy(scene, children[2]) == ACRE_OK);
    uint32_t seen = 0, count = 0;
    acre_entity child = acre_entity_first_child(scene, top);
    while (!is_null(child)) {
        for (uint32_t i = 0; i < 5; i++) {
            seen |= same(child, children[i]) ? 1u << i : 0;
        }
        CHECK(same(acre_entity_parent(scene, child), top) && ++count <= 5);
        child = acre_entity_next_sibling(scene, child);
    }
    CHECK(seen == 0x1b && count == 4);
    CHECK(is_null(acre_entity_first_child(scene, children[0])));
    CHECK(is_null(acre_entity_first_child(scene, children[2])));
    CHECK(is_null(acre_entity_next_sibling(scene, top)));
    CHECK(is_null(acre_entity_next_sibling(NULL, top)));
    acre_scene_destroy(scene);
}

// A local box of denormals is a point in every float mode, whatever scales it.
static void edges_smaller_than_flt_min_are_stored_as_zero(void)
{
    acre_scene *const scene = make_scene();
    const acre_entity e = make_entity(scene, null_entity);
    const acre_transform large = {{0, 0, 0}, {0, 0, 0, 1}, {1e30f, 1e30f, 1e30f}};
    const acre_aabb denormal = {{-1e-39f, 0, -0.0f}, {1e-39f, FLT_MIN, 1e-45f}};
    const acre_aabb stored = {{0, 0, 0}, {0, FLT_MIN, 0}};
    acre_aabb found;
    CHECK(acre_entity_set_local(scene, e, &large) == ACRE_OK);
    CHECK(acre_entity_set_bounds(scene, e, &denormal) == ACRE_OK);
    CHECK(acre_entity_get_bounds(scene, e, &found) == ACRE_OK);
    CHECK(memcmp(&found, &stored, sizeof found) == 0);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(acre_entity_world_bounds(scene, e, &found) == ACRE_OK);
    CHECK(found.max[0] == 0 && found.min[0] == 0 && found.max[1] > 1e-8f && found.max[2] == 0);
    // A box that only denormals turn inside out is empty, as its bits say.
    const acre_aabb inverted = {{1e-45f, 0, 0}, {-1e-45f, 1, 1}};
    CHECK(acre_entity_set_bounds(scene, e, &inverted) == ACRE_OK);
    CHECK(acre_entity_get_bounds(scene, e, &found) == ACRE_OK && acre_aabb_is_empty(&found));
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(acre_entity_world_bounds(scene, e, &found) == ACRE_OK && acre_aabb_is_empty(&found));
    acre_scene_destroy(scene);
}

static void many_entities_are_those_that_single_calls_create(void)
{
    enum { COUNT = 300 };
    static acre_entity many[COUNT], single[COUNT];
    static acre_entity_def defs[COUNT];
    static uint32_t parents[COUNT];
    static acre_transform locals[COUNT];
    acre_scene *const a = make_scene(), *const b = make_scene();
    const acre_entity top_a = make_entity(a, null_entity), top_b = make_entity(b, null_entity);
    CHECK(same(top_a, top_b));
    test_random random = {test_seed};
    for (uint32_t i = 0; i < COUNT; i++) {
        locals[i] = identity;
        locals[i].translation[0] = random_float(&random, -9, 9);
        parents[i] = i > 0 && random_below(&random, 3) > 0 ? random_below(&random, i) : UINT32_MAX;
        defs[i] = (acre_entity_def){.local = &locals[i], .bounds = &unit_box, .user = i};
        defs[i].parent = random_below(&random, 2) ? top_a : null_entity;
    }
    CHECK(acre_entity_create_many(a, defs, parents, COUNT, many) == ACRE_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        acre_entity_def def = defs[i];
        def.parent = parents[i] == UINT32_MAX ? def.parent : single[parents[i]];
        CHECK(acre_entity_create(b, &def, &single[i]) == ACRE_OK && same(single[i], many[i]));
    }
    CHECK(acre_scene_commit(a) == ACRE_OK && acre_scene_commit(b) == ACRE_OK);
    CHECK(is_valid(a) && acre_scene_get_view(a).entity_count == COUNT + 1);
    CHECK(memcmp(acre_scene_get_view(a).world_bounds, acre_scene_get_view(b).world_bounds,
                 (COUNT + 1) * sizeof(acre_aabb)) == 0);
    acre_scene_destroy(a);
    acre_scene_destroy(b);
}

static void refused_rows_take_their_children_along(void)
{
    acre_scene *const scene = make_scene();
    const acre_transform bad = {.translation = {1, 2, 3}};
    acre_entity out[6];
    const acre_entity_def defs[6] = {{.user = 1}, {.local = &bad}, {.user = 3},
                                     {.user = 4}, {.user = 5},     {.user = 6}};
    const uint32_t parents[6] = {UINT32_MAX, 0, 1, 2, 4, 0};
    CHECK(acre_entity_create_many(scene, defs, parents, 6, out) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(!is_null(out[0]) && is_null(out[1]) && is_null(out[2]) && is_null(out[3]));
    CHECK(is_null(out[4]) && same(acre_entity_parent(scene, out[5]), out[0]));
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(acre_scene_get_view(scene).entity_count == 2);
    const uint32_t stale[2] = {UINT32_MAX, 0};
    const acre_entity_def orphans[2] = {{.parent = {99, 7, 1}}, {.user = 1}};
    CHECK(acre_entity_create_many(scene, orphans, stale, 2, out) == ACRE_ERROR_STALE_HANDLE);
    CHECK(is_null(out[0]) && is_null(out[1]));
    CHECK(acre_entity_create_many(scene, NULL, NULL, 1, out) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_create_many(scene, defs, NULL, 1, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_create_many(NULL, defs, NULL, 1, out) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_create_many(scene, NULL, NULL, 0, NULL) == ACRE_OK);
    acre_scene_destroy(scene);
}

static void rows_beyond_the_capacity_are_refused(void)
{
    acre_scene *scene = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){.entity_capacity = 3}, &scene) == ACRE_OK);
    const acre_entity_def defs[5] = {{.user = 1}, {.user = 2}, {.user = 3}, {.user = 4}};
    const uint32_t parents[5] = {UINT32_MAX, 0, 1, 2, 3};
    acre_entity out[5];
    CHECK(acre_entity_create_many(scene, defs, parents, 5, out) == ACRE_ERROR_CAPACITY);
    CHECK(!is_null(out[2]) && is_null(out[3]) && is_null(out[4]) && is_valid(scene));
    acre_scene_destroy(scene);
}

static void rows_without_memory_are_refused(void)
{
    static acre_entity_def defs[200];
    static acre_entity out[200];
    uint64_t at = 1;
    bool has_failed;
    do {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        acre_scene *scene = NULL;
        const acre_scene_def def = {.allocator = &memory.allocator};
        CHECK(acre_scene_create(&def, &scene) == ACRE_OK);
        failing_allocator_arm(&memory, FAIL_FROM, at++);
        const acre_result result = acre_entity_create_many(scene, defs, NULL, 200, out);
        has_failed = memory.failed > 0;
        CHECK(result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK));
        CHECK(is_null(out[199]) == has_failed && is_valid(scene));
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
        acre_scene_destroy(scene);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    } while (has_failed);
    CHECK(at > 10);
}

static void many_are_destroyed_with_what_is_below_them(void)
{
    acre_scene *const scene = make_scene();
    acre_entity e[6];
    for (int i = 0; i < 6; i++) {
        e[i] = make_entity(scene, i % 3 ? e[i - 1] : null_entity);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    // A parent, its child and once more the parent: none of them was stale before.
    const acre_entity gone[3] = {e[0], e[1], e[0]};
    CHECK(acre_entity_destroy_many(scene, gone, 3) == ACRE_OK);
    CHECK(!acre_entity_is_alive(scene, e[2]) && acre_entity_is_alive(scene, e[3]));
    const acre_entity stale[2] = {e[1], e[5]};
    CHECK(acre_entity_destroy_many(scene, stale, 2) == ACRE_ERROR_STALE_HANDLE);
    CHECK(!acre_entity_is_alive(scene, e[5]) && acre_entity_is_alive(scene, e[4]));
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(acre_scene_get_view(scene).entity_count == 2);
    CHECK(acre_entity_destroy_many(scene, NULL, 1) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_destroy_many(scene, NULL, 0) == ACRE_OK);
    CHECK(acre_entity_destroy_many(NULL, e, 1) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_scene_destroy(scene);
}

static void statistics_count_every_byte(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_scene *scene = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){.allocator = &memory.allocator}, &scene) == ACRE_OK);
    acre_scene_stats stats;
    acre_entity last = null_entity;
    for (uint32_t i = 0; i < 1000; i++) {
        acre_scene_get_stats(scene, &stats);
        CHECK(stats.bytes == memory.live_bytes && stats.entities == i && stats.slots == i);
        const acre_entity_def def = {.bounds = &unit_box, .user = i / 500, .layers = i / 700};
        CHECK(acre_entity_create(scene, &def, &last) == ACRE_OK);
    }
    CHECK(acre_entity_set_local_matrix(scene, last, sheared) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_destroy(scene, last) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
    acre_scene_get_stats(scene, &stats);
    CHECK(stats.bytes == memory.live_bytes && stats.free_slots == 1 && stats.matrices == 0);
    CHECK(stats.bytes == stats.bytes_entities + stats.bytes_transforms + stats.bytes_worlds +
                             stats.bytes_changes + stats.bytes_other);
    // Trimmed, with users and layers: 64 + 8 of a row, 48 + 24 of its world, 28 + 12 + 24 of a
    // slot.
    CHECK(acre_scene_trim(scene) == ACRE_OK);
    acre_scene_get_stats(scene, &stats);
    CHECK(stats.bytes == memory.live_bytes);
    CHECK(stats.bytes_transforms == 1024 * 64 && stats.bytes_worlds >= 1000 * 72);
    acre_scene_destroy(scene);
    acre_scene_get_stats(NULL, &stats);
    CHECK(stats.bytes == 0 && stats.entities == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_rotation_of_length_zero_is_refused_everywhere),
        TEST(local_transforms_and_matrices_are_read_as_recorded),
        TEST(bounds_and_labels_are_read_as_recorded),
        TEST(a_slot_forgets_the_labels_of_the_dead),
        TEST(children_and_siblings_lead_to_every_entity_once),
        TEST(edges_smaller_than_flt_min_are_stored_as_zero),
        TEST(many_entities_are_those_that_single_calls_create),
        TEST(refused_rows_take_their_children_along),
        TEST(rows_beyond_the_capacity_are_refused),
        TEST(rows_without_memory_are_refused),
        TEST(many_are_destroyed_with_what_is_below_them),
        TEST(statistics_count_every_byte),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
