// SPDX-License-Identifier: MIT
// test_culling_occluders.c - which occluders a culler has for each object, where they stand in the
// world, and when they are out of use.
#include "culling_internal.h"
#include "culling_world.h"
#include "failing_allocator.h"

#include <acre/horizon.h>
#include <acre/objects.h>

#include <math.h>
#include <string.h>

static const float origin[3] = {0, 0, 0};

static acre_occluder wall_of(const acre_aabb *box)
{
    acre_occluder wall;
    EXPECT(acre_occluder_from_box(&wall, box) == ACRE_OK);
    return wall;
}

static world make_world(const acre_allocator *allocator)
{
    world w;
    EXPECT(acre_scene_create(NULL, &w.scene) == ACRE_OK);
    EXPECT(acre_culling_create(
               w.scene, &(acre_culling_def){.register_all = true, .tree.allocator = allocator},
               &w.culling) == ACRE_OK);
    return w;
}

static acre_horizon *make_horizon(void)
{
    acre_horizon *horizon = NULL;
    EXPECT(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    return horizon;
}

// Whether the occluders of a slot hide a box from the eye.
static bool hides(const acre_culling *culling, uint32_t slot, const float *eye,
                  const acre_aabb *target)
{
    acre_horizon *const horizon = make_horizon();
    EXPECT(acre_horizon_begin(horizon, eye, NULL, 0) == ACRE_OK);
    const culling_table table = acre_culling_table(culling);
    const size_t added = acre_culling_add_occluders(culling, &table, slot, horizon);
    const bool is_hidden = acre_horizon_hides(horizon, target);
    EXPECT(added <= ACRE_CULLING_MAX_OCCLUDERS && (added > 0 || !is_hidden));
    acre_horizon_destroy(horizon);
    return is_hidden;
}

// Behind a wall at x, seen from the origin.
static acre_aabb behind(float x)
{
    return (acre_aabb){{x + 5, -0.1f, -0.1f}, {x + 6, 0.1f, 0.1f}};
}

static void they_stand_where_the_last_commit_has_the_object(void)
{
    const world w = make_world(NULL);
    const acre_occluder wall = wall_of(&unit_box);
    const acre_entity entity = make_entity(w, null_entity, 10, 0);
    const acre_aabb target = behind(10);
    CHECK(!acre_culling_has_occluders(w.culling));
    CHECK(acre_culling_set_occluders(w.culling, entity, &wall, 1) == ACRE_OK);
    CHECK(!hides(w.culling, 0, origin, &target)); // not committed yet
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(acre_culling_has_occluders(w.culling) && acre_culling_is_occluder(w.culling, 0));
    CHECK(hides(w.culling, 0, origin, &target));
    acre_transform aside = at(10, 7);
    CHECK(acre_entity_set_local(w.scene, entity, &aside) == ACRE_OK);
    CHECK(hides(w.culling, 0, origin, &target));
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(!hides(w.culling, 0, origin, &target));
    // Turned about y, mirrored and made smaller, it hides what it covers.
    aside = (acre_transform){{10, 0, 0}, {0, 0.70710678f, 0, 0.70710678f}, {-0.2f, -0.2f, 0.2f}};
    CHECK(acre_entity_set_local(w.scene, entity, &aside) == ACRE_OK);
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    const acre_aabb wide = {{15, -0.4f, -0.4f}, {16, 0.4f, 0.4f}};
    CHECK(hides(w.culling, 0, origin, &target) && !hides(w.culling, 0, origin, &wide));
    // Lying on its side it is a prism no more; a little tilt leaves most of it.
    aside = (acre_transform){{10, 0, 0}, {0, 0, 0.02f, 0.9998f}, {1, 1, 1}};
    CHECK(acre_entity_set_local(w.scene, entity, &aside) == ACRE_OK);
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(hides(w.culling, 0, origin, &wide));
    CHECK(acre_culling_set_occluders(w.culling, entity, NULL, 0) == ACRE_OK);
    CHECK(!acre_culling_has_occluders(w.culling) && !hides(w.culling, 0, origin, &target));
    free_world(w);
}

static void bad_calls_are_refused_and_change_nothing(void)
{
    const world w = make_world(NULL);
    const acre_entity entity = make_entity(w, null_entity, 10, 0);
    acre_occluder many[ACRE_CULLING_MAX_OCCLUDERS + 1];
    for (size_t i = 0; i <= ACRE_CULLING_MAX_OCCLUDERS; i++) {
        many[i] = wall_of(&unit_box);
    }
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    acre_culling *const culling = w.culling;
    CHECK(acre_culling_set_occluders(culling, entity, many, 1) == ACRE_OK);
    CHECK(acre_culling_set_occluders(NULL, entity, many, 1) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_set_occluders(culling, entity, NULL, 1) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_set_occluders(culling, entity, many, ACRE_CULLING_MAX_OCCLUDERS + 1) ==
          ACRE_ERROR_CAPACITY);
    CHECK(acre_culling_set_occluders(culling, null_entity, many, 1) == ACRE_ERROR_STALE_HANDLE);
    many[1].top = NAN;
    CHECK(acre_culling_set_occluders(culling, entity, many, 2) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(culling->occluder_count == 1);
    many[1].top = 1;
    CHECK(acre_culling_set_occluders(culling, entity, many, ACRE_CULLING_MAX_OCCLUDERS) == ACRE_OK);
    CHECK(culling->occluder_count == ACRE_CULLING_MAX_OCCLUDERS);
    free_world(w);
}

static void an_entity_that_is_gone_leaves_none(void)
{
    const world w = make_world(NULL);
    const acre_occluder wall = wall_of(&unit_box);
    const acre_entity first = make_entity(w, null_entity, 10, 0);
    const acre_aabb target = behind(10);
    CHECK(acre_culling_set_occluders(w.culling, first, &wall, 1) == ACRE_OK);
    CHECK(acre_entity_destroy(w.scene, first) == ACRE_OK); // before any commit
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    const acre_entity second = make_entity(w, null_entity, 10, 0);
    CHECK(second.index1 == first.index1);
    CHECK(acre_culling_set_rule(w.culling, second, 0) == ACRE_OK); // the culler knows the entity
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(!hides(w.culling, 0, origin, &target));
    CHECK(acre_culling_set_occluders(w.culling, second, &wall, 1) == ACRE_OK);
    CHECK(hides(w.culling, 0, origin, &target));
    CHECK(acre_entity_destroy(w.scene, second) == ACRE_OK);
    CHECK(hides(w.culling, 0, origin, &target)); // queries find it, until the commit
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(!acre_culling_is_occluder(w.culling, 0) && !acre_culling_has_occluders(w.culling));
    make_entity(w, null_entity, 10, 0);
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(!hides(w.culling, 0, origin, &target));
    free_world(w);
}

static void what_its_box_does_not_hold_is_out_of_use(void)
{
    const world w = make_world(NULL);
    acre_occluder wall = wall_of(&unit_box);
    const acre_entity entity = make_entity(w, null_entity, 10, 0);
    const acre_aabb target = behind(10), low = {{15, -3, -0.1f}, {16, -2, 0.1f}},
                    high = {{15, 2, -0.1f}, {16, 3, 0.1f}};
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    wall.bottom = -30; // all of the box is below its top
    CHECK(acre_culling_set_occluders(w.culling, entity, &wall, 1) == ACRE_OK);
    CHECK(hides(w.culling, 0, origin, &target) && !hides(w.culling, 0, origin, &low));
    wall.bottom = -1;
    wall.top = 30;
    CHECK(acre_culling_set_occluders(w.culling, entity, &wall, 1) == ACRE_OK);
    CHECK(hides(w.culling, 0, origin, &target) && !hides(w.culling, 0, origin, &high));
    wall.top = 1;
    wall.bottom = -INFINITY; // nothing shows below
    CHECK(acre_culling_set_occluders(w.culling, entity, &wall, 1) == ACRE_OK);
    CHECK(hides(w.culling, 0, origin, &low));
    // The object is drawn elsewhere than its matrix says.
    const acre_aabb elsewhere = {{9.5f, -1, -1}, {11.5f, 1, 1}};
    CHECK(acre_culling_refresh_bounds(w.culling, entity, &elsewhere) == ACRE_OK);
    CHECK(!hides(w.culling, 0, origin, &target));
    const acre_aabb around = {{9, -1, -1}, {11.5f, 1, 1}};
    CHECK(acre_culling_refresh_bounds(w.culling, entity, &around) == ACRE_OK);
    CHECK(hides(w.culling, 0, origin, &target));
    // An eye in that box sees no back faces, unless they are drawn.
    const float eye[3] = {11.4f, 0, 0.9f};
    const acre_aabb across = {{5, -0.1f, 0.05f}, {6, 0.1f, 0.2f}};
    CHECK(!hides(w.culling, 0, eye, &across));
    wall.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(acre_culling_set_occluders(w.culling, entity, &wall, 1) == ACRE_OK);
    CHECK(hides(w.culling, 0, eye, &across));
    free_world(w);
}

// An object that is never culled hides others, and does not count among those that a walk keeps.
static void what_is_never_culled_hides_others(void)
{
    const world w = make_world(NULL);
    const acre_entity wall = make_entity(w, null_entity, 10, ACRE_ENTITY_NEVER_CULL);
    (void)make_entity(w, null_entity, 20, 0);
    acre_occluder occluder = wall_of(&unit_box);
    occluder.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(acre_culling_set_occluders(w.culling, wall, &occluder, 1) == ACRE_OK);
    acre_horizon *const horizon = make_horizon();
    const float ahead[3] = {1, 0, 0}, up[3] = {0, 1, 0};
    acre_camera camera;
    acre_view view;
    acre_horizon_stats stats;
    uint32_t slots[2];
    size_t total = 0;
    CHECK(acre_camera_perspective(&camera, 1, 1, 0.1f, 100, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
          acre_camera_look_at(&camera, origin, ahead, up) == ACRE_OK &&
          acre_view_from_camera(&view, &camera) == ACRE_OK);
    CHECK(acre_horizon_begin_camera(horizon, &camera, NULL) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, slots, 2, &total) == ACRE_OK && total == 2);
    view.horizon = horizon;
    CHECK(acre_culling_query_view(w.culling, &view, slots, 2, &total) == ACRE_OK);
    acre_horizon_get_stats(horizon, &stats);
    CHECK(total == 1 && slots[0] == wall.index1 - 1 && stats.occluders == 1 && stats.kept == 0);
    acre_horizon_destroy(horizon);
    free_world(w);
}

// A wall as large as the box of its object, at places where floats are coarse.
static void no_object_hides_itself_at_any_distance(void)
{
    const world w = make_world(NULL);
    test_random random = {test_seed};
    const acre_entity entity = make_entity(w, null_entity, 0, 0);
    const acre_occluder wall = wall_of(&unit_box);
    uint32_t used = 0;
    acre_horizon *const horizon = make_horizon();
    CHECK(acre_culling_set_occluders(w.culling, entity, &wall, 1) == ACRE_OK);
    for (uint32_t round = 0; round < 4000 * test_scale; round++) {
        const float far = powf(10, (float)(round % 7));
        const float half = random_float(&random, 0, 7) * 0.5f;
        const acre_transform local = {
            {random_float(&random, -far, far), random_float(&random, -9, 9),
             random_float(&random, -far, far)},
            {0, sinf(half), 0, cosf(half)},
            {random_float(&random, 0.1f, 9), random_float(&random, 0.1f, 9), 3}};
        CHECK(acre_entity_set_local(w.scene, entity, &local) == ACRE_OK);
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
        const acre_aabb box = acre_scene_get_view(w.scene).world_bounds[0];
        const float eye[3] = {local.translation[0] + random_float(&random, 10, 40),
                              random_float(&random, -20, 20),
                              local.translation[2] + random_float(&random, -30, 30)};
        CHECK(acre_horizon_begin(horizon, eye, NULL, 0) == ACRE_OK);
        const culling_table table = acre_culling_table(w.culling);
        used += acre_culling_add_occluders(w.culling, &table, 0, horizon) > 0;
        CHECK(!acre_horizon_hides(horizon, &box));
    }
    CHECK(used > 3600 * test_scale);
    acre_horizon_destroy(horizon);
    free_world(w);
}

// ---- a host's objects ----

static acre_culling *make_walls(acre_aabb *boxes, uint32_t count)
{
    static const uint32_t slots[] = {0, 1, 2, 3};
    acre_culling *culling = NULL;
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = (acre_aabb){{9, -1, -1}, {11, 1, 1}};
    }
    const acre_objects objects = {
        .slot_count = count,
        .boxes = {boxes[0].min, boxes[0].max, sizeof *boxes, sizeof *boxes, ACRE_BOX_FORM_MIN_MAX},
        .added = slots,
        .added_count = count};
    EXPECT(acre_culling_create_for_objects(NULL, &culling) == ACRE_OK);
    EXPECT(acre_culling_update(culling, &objects, NULL) == ACRE_OK);
    return culling;
}

static void of_a_host_they_are_in_use_until_its_box_is_read(void)
{
    static const uint32_t first[] = {0}, second[] = {1};
    const uint64_t bits = 1;
    acre_aabb boxes[2], target = behind(10);
    acre_culling *const culling = make_walls(boxes, 2);
    const acre_occluder wall = wall_of(&boxes[0]);
    const acre_box_array rows = {boxes[0].min, boxes[0].max, sizeof *boxes, sizeof *boxes,
                                 ACRE_BOX_FORM_MIN_MAX};
    const acre_objects updates[] = {
        {.slot_count = 2, .boxes = rows, .moved = second, .moved_count = 1},
        {.slot_count = 2, .relabeled = first, .relabeled_count = 1}, // reads no box
        {.slot_count = 2, .boxes = rows, .moved = first, .moved_count = 1},
        {.slot_count = 2, .boxes = rows, .moved_bits = &bits},
        {.slot_count = 2, .boxes = rows, .moved_count = ACRE_ALL_MOVED},
        {.slot_count = 2, .boxes = rows, .box_slots = first, .box_count = 1},
        {.slot_count = 2, .boxes = rows, .relabeled = first, .relabeled_count = 1},
        {.slot_count = 2, .boxes = rows, .added = first, .added_count = 1},
        {.slot_count = 2, .removed = first, .removed_count = 1}};
    for (size_t i = 0; i < sizeof updates / sizeof *updates; i++) {
        const acre_entity object = acre_culling_object(culling, 0);
        CHECK(acre_culling_set_occluders(culling, object, &wall, 1) == ACRE_OK);
        CHECK(hides(culling, 0, origin, &target));
        CHECK(acre_culling_update(culling, &updates[i], NULL) == ACRE_OK);
        CHECK(hides(culling, 0, origin, &target) == (i < 2));
        CHECK(acre_culling_has_occluders(culling) == (i < 2));
    }
    CHECK(acre_culling_set_occluders(culling, acre_culling_object(culling, 0), &wall, 1) ==
          ACRE_ERROR_STALE_HANDLE);
    acre_culling_destroy(culling);
}

// Exactly, or not at all: what is rounded might hide more than it did.
static void of_a_host_they_move_with_the_world(void)
{
    static const double offset[3] = {64, 8, -128}, uneven[3] = {0.1, 0, 0};
    static const float eye[3] = {64, 8, -128};
    acre_aabb boxes[1], there = behind(10), here = behind(10);
    acre_culling *const culling = make_walls(boxes, 1);
    const acre_occluder wall = wall_of(&boxes[0]);
    for (int k = 0; k < 3; k++) {
        there.min[k] += eye[k];
        there.max[k] += eye[k];
    }
    CHECK(acre_culling_set_occluders(culling, acre_culling_object(culling, 0), &wall, 1) ==
          ACRE_OK);
    CHECK(hides(culling, 0, origin, &here) && !hides(culling, 0, eye, &there));
    CHECK(acre_culling_shift(culling, offset, NULL, NULL) == ACRE_OK);
    CHECK(hides(culling, 0, eye, &there) && !hides(culling, 0, origin, &here));
    CHECK(acre_culling_shift(culling, uneven, NULL, NULL) == ACRE_OK);
    CHECK(!acre_culling_has_occluders(culling));
    CHECK(acre_culling_validate(culling, NULL, 0) == ACRE_OK);
    acre_culling_destroy(culling);
}

static void without_a_box_only_two_sided_ones_hide(void)
{
    static const uint32_t first[] = {0};
    static const uint32_t flags[] = {ACRE_ENTITY_NEVER_CULL};
    acre_aabb boxes[1], target = behind(10);
    acre_culling *const culling = make_walls(boxes, 1);
    acre_occluder wall = wall_of(&boxes[0]);
    const acre_objects label = {
        .slot_count = 1, .flags = flags, .relabeled = first, .relabeled_count = 1};
    CHECK(acre_culling_update(culling, &label, NULL) == ACRE_OK);
    const acre_entity object = acre_culling_object(culling, 0);
    CHECK(acre_culling_set_occluders(culling, object, &wall, 1) == ACRE_OK);
    CHECK(!hides(culling, 0, origin, &target));
    wall.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(acre_culling_set_occluders(culling, object, &wall, 1) == ACRE_OK);
    CHECK(hides(culling, 0, origin, &target));
    acre_culling_destroy(culling);
}

// ---- lists ----

enum { OWNERS = 40 };

static bool list_is(const acre_culling *culling, uint32_t slot, const float *tops, uint32_t count)
{
    uint32_t found = 0;
    uint32_t next1 =
        acre_culling_is_occluder(culling, slot) ? culling->slot_occluders.data[slot] : 0;
    for (; next1 && found < count; found++) {
        const culling_occluder *const one = COLUMN_AT(culling->occluders, next1 - 1u);
        if (one->shape.top != tops[found]) {
            return false;
        }
        next1 = one->next1;
    }
    return next1 == 0 && found == count;
}

static acre_result give_tops(acre_culling *culling, acre_entity entity, const float *tops,
                             uint32_t count)
{
    acre_occluder given[ACRE_CULLING_MAX_OCCLUDERS];
    for (uint32_t i = 0; i < count; i++) {
        given[i] = wall_of(&unit_box);
        given[i].top = tops[i];
    }
    return acre_culling_set_occluders(culling, entity, given, count);
}

// Also where the allocator fails: then an entity keeps what it had.
static void lists_are_those_that_were_given(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const world w = make_world(&memory.allocator);
    test_random random = {test_seed};
    acre_entity entities[OWNERS];
    static float tops[OWNERS][ACRE_CULLING_MAX_OCCLUDERS];
    uint32_t counts[OWNERS] = {0}, failed = 0;
    for (uint32_t i = 0; i < OWNERS; i++) {
        entities[i] = make_entity(w, null_entity, (float)i, 0);
    }
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    for (uint32_t round = 0; round < 2000; round++) {
        const uint32_t owner = random_below(&random, OWNERS), slot = entities[owner].index1 - 1;
        const uint32_t count = random_below(&random, ACRE_CULLING_MAX_OCCLUDERS + 1);
        float given[ACRE_CULLING_MAX_OCCLUDERS];
        for (uint32_t i = 0; i < count; i++) {
            given[i] = (float)(round + 1) + 0.01f * (float)i;
        }
        memory.mode = FAIL_FROM;
        acre_result result = give_tops(w.culling, entities[owner], given, count);
        memory.mode = FAIL_NEVER;
        if (result == ACRE_ERROR_OUT_OF_MEMORY) {
            failed++;
            CHECK(list_is(w.culling, slot, tops[owner], counts[owner]));
            result = give_tops(w.culling, entities[owner], given, count);
        }
        CHECK(result == ACRE_OK && list_is(w.culling, slot, given, count));
        CHECK(acre_culling_validate(w.culling, NULL, 0) == ACRE_OK);
        counts[owner] = count;
        memcpy(tops[owner], given, count * sizeof *given);
    }
    for (uint32_t i = 0; i < OWNERS; i++) {
        CHECK(list_is(w.culling, entities[i].index1 - 1, tops[i], counts[i]));
    }
    CHECK(failed > 2 && w.culling->occluders.capacity <= 3 * OWNERS * ACRE_CULLING_MAX_OCCLUDERS);
    free_world(w);
    CHECK(failing_allocator_fault(&memory) == NULL && memory.live_blocks == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(they_stand_where_the_last_commit_has_the_object),
        TEST(bad_calls_are_refused_and_change_nothing),
        TEST(an_entity_that_is_gone_leaves_none),
        TEST(what_its_box_does_not_hold_is_out_of_use),
        TEST(what_is_never_culled_hides_others),
        TEST(no_object_hides_itself_at_any_distance),
        TEST(of_a_host_they_are_in_use_until_its_box_is_read),
        TEST(of_a_host_they_move_with_the_world),
        TEST(without_a_box_only_two_sided_ones_hide),
        TEST(lists_are_those_that_were_given),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
