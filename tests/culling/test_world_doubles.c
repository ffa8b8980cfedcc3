// SPDX-License-Identifier: MIT
// test_world_doubles.c - roots with places in double: far from zero a world is the same, bit for
// bit.
#include "culling_world.h"

#include "failing_allocator.h"

#include <acre/edit_queue.h>

#include <math.h>
#include <string.h>

enum { ROOTS = 120, ENTITIES = 2 * ROOTS, STEPS = 40 };

static const acre_result refused = ACRE_ERROR_INVALID_ARGUMENT;

static world open_world(const acre_allocator *allocator)
{
    world w = {NULL, NULL};
    const acre_scene_def def = {.allocator = allocator, .flags = ACRE_SCENE_DOUBLES};
    EXPECT(acre_scene_create(&def, &w.scene) == ACRE_OK);
    EXPECT(acre_culling_create(w.scene, &(acre_culling_def){.register_all = true}, &w.culling) ==
           ACRE_OK);
    return w;
}

static double on_grid(test_random *random, double most)
{
    const double steps = most * 0x1p20;
    return floor(((double)random_bits(random) * 0x1p-63 - 1.0) * steps) * 0x1p-20;
}

// ---- one walk at several distances ----

static void mix(uint64_t *hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    }
}

// What a camera at the origin sees, and where everything stands.
static uint64_t look_around(world w, const acre_entity *entities)
{
    uint32_t found[ENTITIES];
    bool is_found[ENTITIES] = {false};
    uint64_t hash = 1469598103934665603u;
    const acre_frustum slab = {{{0.8f, 0, 0.6f, 90.5f}, {-0.6f, 0, 0.8f, 120.25f}}, 2};
    const size_t count = count_in_frustum(w.culling, &slab, 0, found, ENTITIES);
    for (size_t i = 0; i < count && i < ENTITIES; i++) {
        is_found[found[i]] = true; // the set: the tree may have been built elsewhere
    }
    mix(&hash, is_found, sizeof is_found);
    const acre_scene_view view = acre_scene_get_view(w.scene);
    mix(&hash, view.world_bounds, view.slot_count * sizeof *view.world_bounds);
    for (int i = 0; i < ENTITIES; i++) {
        float matrix[16];
        EXPECT(acre_entity_world_matrix(w.scene, entities[i], matrix) == ACRE_OK);
        mix(&hash, matrix, sizeof matrix);
    }
    EXPECT(count > 20 && count < ENTITIES && trees_are_valid(w));
    return hash;
}

static void place_root(world w, acre_entity root, double base, test_random *random)
{
    const double place[3] = {base + on_grid(random, 300), on_grid(random, 20),
                             -base + on_grid(random, 300)};
    EXPECT(acre_entity_set_translation(w.scene, root, place) == ACRE_OK);
}

// Roots with a child each; some have a matrix, one in seven is still. `seen` receives a hash a
// step.
static void walk(double base, uint64_t *seen)
{
    test_random random = {test_seed};
    acre_entity entities[ENTITIES];
    const world w = open_world(NULL);
    const double to_base[3] = {-base, 0, base};
    CHECK(acre_scene_shift_origin(w.scene, to_base) == ACRE_OK);
    for (int i = 0; i < ROOTS; i++) {
        entities[2 * i] = make_entity(w, null_entity, 0, i % 7 == 3 ? ACRE_ENTITY_STATIC : 0);
        if (i % 5 == 2) {
            const float matrix[16] = {1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
            CHECK(acre_entity_set_local_matrix(w.scene, entities[2 * i], matrix) == ACRE_OK);
        }
        place_root(w, entities[2 * i], base, &random);
        entities[2 * i + 1] = make_entity(w, entities[2 * i], 3.5f, 0);
    }
    for (int step = 0; step < STEPS; step++) {
        double offset[3] = {on_grid(&random, 60), on_grid(&random, 2), on_grid(&random, 60)};
        for (int i = 0; i < 10; i++) {
            place_root(w, entities[2 * random_below(&random, ROOTS)], base, &random);
        }
        CHECK(acre_scene_shift_origin(w.scene, offset) == ACRE_OK);
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
        seen[step] = look_around(w, entities);
    }
    CHECK(acre_scene_validate(w.scene, NULL, 0) == ACRE_OK);
    free_world(w);
}

static void a_walk_is_the_same_at_every_distance(void)
{
    static const double bases[] = {1e5, 1e7, 1e9};
    uint64_t home[STEPS], away[STEPS];
    walk(0, home);
    for (int i = 0; i < 3; i++) {
        walk(bases[i], away);
        CHECK(memcmp(home, away, sizeof home) == 0);
    }
}

// A thousand offsets that floats cannot hold, and back: floats alone would be millimeters off.
static void nothing_drifts(void)
{
    test_random random = {test_seed + 1};
    const world w = open_world(NULL);
    acre_entity roots[ROOTS];
    acre_transform first[ROOTS], last;
    double place[3], back[3] = {0, 0, 0};
    for (int i = 0; i < ROOTS; i++) {
        roots[i] = make_entity(w, null_entity, 0, 0);
        place_root(w, roots[i], 0, &random);
        CHECK(acre_entity_get_local(w.scene, roots[i], &first[i]) == ACRE_OK);
    }
    for (int i = 0; i < 1000; i++) {
        const double offset[3] = {on_grid(&random, 4000), on_grid(&random, 1),
                                  on_grid(&random, 4000)};
        CHECK(acre_scene_shift_origin(w.scene, offset) == ACRE_OK);
        for (int axis = 0; axis < 3; axis++) {
            back[axis] -= offset[axis];
        }
    }
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(!acre_scene_shift_report(w.scene).is_exact); // the floats had to be rounded
    CHECK(acre_scene_shift_origin(w.scene, back) == ACRE_OK);
    for (int i = 0; i < ROOTS; i++) {
        CHECK(acre_entity_get_local(w.scene, roots[i], &last) == ACRE_OK);
        CHECK(memcmp(&last, &first[i], sizeof last) == 0);
        CHECK(acre_entity_get_translation(w.scene, roots[i], place) == ACRE_OK);
        CHECK((float)place[0] == first[i].translation[0]);
    }
    free_world(w);
}

// ---- who else sets places ----

static bool stands_at(world w, acre_entity entity, double x, double y, double z)
{
    double place[3] = {0, 0, 0};
    return acre_entity_get_translation(w.scene, entity, place) == ACRE_OK && place[0] == x &&
           place[1] == y && place[2] == z;
}

static const double far_off[3] = {-1e9, 0, -1e9};
static const double place_there[3] = {1e9 + 0.125, 2.5, 1e9 + 0.1};

static void floats_name_places_relative_to_the_origin(void)
{
    const world w = open_world(NULL);
    acre_edit_queue *queue;
    CHECK(acre_edit_queue_create(NULL, &queue) == ACRE_OK);
    const acre_entity before = make_entity(w, null_entity, 7, 0);
    CHECK(stands_at(w, before, 7, 0, 0));
    CHECK(acre_scene_shift_origin(w.scene, far_off) == ACRE_OK);
    CHECK(stands_at(w, before, 7, 0, 0)); // the origin has moved, and nothing else
    const acre_entity after = make_entity(w, null_entity, 7, 0);
    CHECK(stands_at(w, after, 1e9 + 7, 0, 1e9));

    CHECK(acre_entity_set_translation(w.scene, after, place_there) == ACRE_OK);
    CHECK(stands_at(w, after, place_there[0], place_there[1], place_there[2]));
    acre_transform local;
    CHECK(acre_entity_get_local(w.scene, after, &local) == ACRE_OK);
    CHECK(local.translation[0] == 0.125f && local.translation[2] == (float)(place_there[2] - 1e9));
    local.rotation[1] = 1;
    local.rotation[3] = 0; // turned: the doubles live on
    CHECK(acre_scene_set_locals(w.scene, &after, &local, 1) == ACRE_OK);
    CHECK(stands_at(w, after, place_there[0], place_there[1], place_there[2]));
    local.translation[0] = 0.25f; // moved: the floats name the place
    CHECK(acre_entity_set_local(w.scene, after, &local) == ACRE_OK);
    CHECK(stands_at(w, after, 1e9 + 0.25, 2.5, 1e9 + (double)local.translation[2]));

    const float matrix[16] = {1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 2, 0, 3, 4, 5, 1};
    CHECK(acre_entity_set_local_matrix(w.scene, after, matrix) == ACRE_OK);
    CHECK(stands_at(w, after, 1e9 + 3, 4, 1e9 + 5));
    CHECK(acre_edit_queue_set_local(
              queue, after, &(acre_transform){{9, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}) == ACRE_OK);
    static const double on[3] = {-64, 0, 0};
    CHECK(acre_scene_shift_origin(w.scene, on) == ACRE_OK); // before the queue is applied
    CHECK(acre_scene_apply_queues(w.scene, &queue, 1, NULL) == ACRE_OK);
    CHECK(stands_at(w, after, 1e9 + 64 + 9, 0, 1e9));
    acre_edit_queue_destroy(queue);
    free_world(w);
}

static void a_slot_forgets_the_place_of_the_entity_before(void)
{
    const world w = open_world(NULL);
    static const double place[3] = {7 + 0x1p-40, 0, 0};
    const acre_entity old = make_entity(w, null_entity, 0, 0);
    CHECK(acre_entity_set_translation(w.scene, old, place) == ACRE_OK);
    CHECK(stands_at(w, old, place[0], 0, 0));
    CHECK(acre_scene_commit(w.scene) == ACRE_OK && acre_entity_destroy(w.scene, old) == ACRE_OK);
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    const acre_entity heir = make_entity(w, null_entity, 7, 0);
    CHECK(heir.index1 == old.index1 && stands_at(w, heir, 7, 0, 0));
    free_world(w);
}

static void only_roots_have_places(void)
{
    const world w = open_world(NULL);
    double place[3] = {1, 2, 3};
    const acre_entity root = make_entity(w, null_entity, 5, 0);
    const acre_entity child = make_entity(w, root, 2, 0);
    CHECK(acre_entity_set_translation(w.scene, child, place) == refused);
    CHECK(acre_entity_get_translation(w.scene, child, place) == refused);
    CHECK(acre_scene_shift_origin(w.scene, far_off) == ACRE_OK);
    CHECK(acre_entity_set_parent(w.scene, child, null_entity) == ACRE_OK);
    CHECK(stands_at(w, child, 1e9 + 2, 0, 1e9));
    CHECK(acre_entity_set_translation(w.scene, child, place_there) == ACRE_OK);
    CHECK(acre_entity_set_parent(w.scene, child, root) == ACRE_OK);
    static const double on[3] = {0, 64, 0};
    CHECK(acre_scene_shift_origin(w.scene, on) == ACRE_OK && acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(acre_entity_set_parent(w.scene, child, null_entity) == ACRE_OK);
    acre_transform local;
    CHECK(acre_entity_get_local(w.scene, child, &local) == ACRE_OK);
    CHECK(local.translation[0] == 0.125f && local.translation[1] == 2.5f); // a child's stays
    CHECK(stands_at(w, child, 1e9 + 0.125, 2.5 - 64, 1e9 + (double)local.translation[2]));
    CHECK(acre_scene_validate(w.scene, NULL, 0) == ACRE_OK);
    free_world(w);
}

static void what_is_no_place_is_refused(void)
{
    const world w = open_world(NULL);
    const acre_entity root = make_entity(w, null_entity, 5, 0), stale = {99, 0, 1};
    static const double bad[][3] = {{(double)NAN, 0, 0}, {0, (double)INFINITY, 0}, {0, 0, -1e31}};
    double place[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
        CHECK(acre_entity_set_translation(w.scene, root, bad[i]) == refused);
    }
    CHECK(acre_entity_set_translation(w.scene, root, NULL) == refused);
    CHECK(acre_entity_set_translation(NULL, root, place) == refused);
    CHECK(acre_entity_set_translation(w.scene, stale, place) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_entity_get_translation(w.scene, root, NULL) == refused);
    CHECK(acre_entity_get_translation(NULL, root, place) == refused);
    CHECK(acre_entity_get_translation(w.scene, stale, place) == ACRE_ERROR_STALE_HANDLE);
    CHECK(stands_at(w, root, 5, 0, 0));
    free_world(w);

    acre_scene *scene = NULL;
    acre_entity plain;
    CHECK(acre_scene_create(&(acre_scene_def){.flags = 2}, &scene) == refused && !scene);
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, NULL, &plain) == ACRE_OK);
    CHECK(acre_entity_set_translation(scene, plain, place) == refused);
    CHECK(acre_entity_get_translation(scene, plain, place) == refused);
    acre_scene_destroy(scene);
}

// Each allocation of entities with places fails once: the entity is there, or nothing is.
static void memory_may_run_out(void)
{
    bool has_failed = true;
    for (uint64_t at = 1; has_failed; at++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_ONCE, at);
        const acre_scene_def def = {.allocator = &memory.allocator, .flags = ACRE_SCENE_DOUBLES};
        acre_scene *scene = NULL;
        size_t made = 0;
        if (acre_scene_create(&def, &scene) == ACRE_OK) {
            for (int i = 0; i < 100; i++) {
                acre_entity entity;
                const acre_result result = acre_entity_create(scene, NULL, &entity);
                made += result == ACRE_OK;
                CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
                CHECK(result != ACRE_OK ||
                      acre_entity_set_translation(scene, entity, place_there) == ACRE_OK);
            }
            CHECK(acre_scene_shift_origin(scene, far_off) == ACRE_OK);
            acre_scene_stats stats;
            acre_scene_get_stats(scene, &stats);
            CHECK(stats.entities == made && acre_scene_validate(scene, NULL, 0) == ACRE_OK);
        }
        has_failed = memory.failed > 0;
        CHECK(made >= 99 || !scene);
        acre_scene_destroy(scene);
        CHECK(failing_allocator_verdict(&memory) == NULL);
        CHECK(has_failed || at > 5);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_walk_is_the_same_at_every_distance),
        TEST(nothing_drifts),
        TEST(floats_name_places_relative_to_the_origin),
        TEST(a_slot_forgets_the_place_of_the_entity_before),
        TEST(only_roots_have_places),
        TEST(what_is_no_place_is_refused),
        TEST(memory_may_run_out),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
