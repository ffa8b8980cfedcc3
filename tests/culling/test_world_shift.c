// SPDX-License-Identifier: MIT
// test_world_shift.c - a scene whose origin shifts, with all that hangs on it: nothing comes, goes,
// begins, ends or changes its LOD, and every box is where it was and the offset.
//
// The world stands on a grid of 2^-8 m, so that the offsets are exact; what offsets that are not do
// is tested by what must hold all the same: the culler's own rules (acre_culling_validate).
#include "culling_world.h"
#include "failing_allocator.h"

#include <acre/camera.h>
#include <acre/edit_queue.h>
#include <acre/entity_pairs.h>
#include <acre/interest.h>
#include <acre/objects.h>
#include <acre/visible_set.h>

#include <math.h>
#include <string.h>

enum { ENTITIES = 400, OBJECTS = 300 };

static float on_grid(test_random *random, float most)
{
    return floorf(256.0f * random_float(random, -most, most)) / 256.0f;
}

static void random_offset(test_random *random, double *offset)
{
    for (int axis = 0; axis < 3; axis++) {
        offset[axis] = 0.25 * random_below(random, 16384) - 2048.0;
    }
}

static void move_box(acre_aabb *box, const double *offset)
{
    for (int axis = 0; axis < 3 && box->min[0] <= box->max[0]; axis++) {
        box->min[axis] += (float)offset[axis];
        box->max[axis] += (float)offset[axis];
    }
}

// ---- a town with everything that knows a place ----

typedef struct town {
    world w;
    acre_entity entities[ENTITIES];
    acre_interest *interest;
    acre_visible_set *set, *frozen;
    acre_entity_contacts *contacts;
    acre_view view;
    acre_frustum include, exclude; // of the view that is frozen
} town;

// Roots and children, still and moving ones, never culled and hidden ones, free matrices.
static void fill_town(town *t, test_random *random)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const float size = ceilf(random_float(random, 1, 40)) / 4.0f;
        const acre_aabb box = {{-size, -size, -size}, {size, size, size}};
        acre_transform local = at(on_grid(random, 500), on_grid(random, 500));
        local.translation[1] = on_grid(random, 90);
        const acre_entity_def def = {.parent = i % 5 == 4 ? t->entities[i - 1] : null_entity,
                                     .local = &local,
                                     .bounds = i % 17 == 3 ? NULL : &box,
                                     .flags = i % 3 == 0    ? ACRE_ENTITY_STATIC
                                              : i % 31 == 7 ? ACRE_ENTITY_NEVER_CULL
                                              : i % 29 == 5 ? ACRE_ENTITY_HIDDEN
                                                            : 0,
                                     .rule = i % 2};
        EXPECT(acre_entity_create(t->w.scene, &def, &t->entities[i]) == ACRE_OK);
        if (i % 13 == 6) {
            float matrix[16] = {1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 2, 0, 3.25f, -7.5f, 90.125f, 1};
            matrix[12] += (float)i;
            EXPECT(acre_entity_set_local_matrix(t->w.scene, t->entities[i], matrix) == ACRE_OK);
        }
    }
    EXPECT(acre_scene_commit(t->w.scene) == ACRE_OK);
    for (uint32_t i = 1; i < ENTITIES; i += 41) { // boxes of the program's own
        const acre_aabb own = {{(float)i, 2, 3}, {(float)i + 4.5f, 5, 20}};
        EXPECT(acre_culling_refresh_bounds(t->w.culling, t->entities[i], &own) == ACRE_OK);
    }
}

static const acre_allocator *town_memory; // NULL: the heap

static bool make_town(town *t, test_random *random)
{
    static const acre_visibility_rule rule = {.max_distance = 700, .lod_pixels = {200, 60, 20}};
    const acre_culling_def def = {.register_all = true,
                                  .tree = {.node_capacity = 8, .allocator = town_memory}};
    const acre_visible_set_def wanted = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES |
                                                  ACRE_VISIBLE_SUM,
                                         .allocator = town_memory};
    const acre_interest_def interest = {.allocator = town_memory};
    *t = (town){
        .view = {.eye = {20, 3, -40}, .max_distance = 600, .pixels = 900, .hysteresis = 0.2f}};
    // A slab between two planes, one of them at an angle.
    t->view.frustum = (acre_frustum){{{1, 0, 0, 350.5f}, {-0.6f, 0, -0.8f, 300.25f}}, 2};
    const acre_scene_def scene = {.allocator = town_memory};
    bool ok = acre_scene_create(&scene, &t->w.scene) == ACRE_OK &&
              acre_culling_create(t->w.scene, &def, &t->w.culling) == ACRE_OK &&
              acre_culling_set_rules(t->w.culling, &rule, 1) == ACRE_OK &&
              acre_interest_create_for_entities(t->w.culling, &interest, &t->interest) == ACRE_OK &&
              acre_visible_set_create(&wanted, &t->set) == ACRE_OK &&
              acre_visible_set_create(&wanted, &t->frozen) == ACRE_OK &&
              acre_entity_contacts_create(town_memory, &t->contacts) == ACRE_OK;
    fill_town(t, random);
    for (uint32_t i = 0; i < 40 && ok; i++) {
        acre_observer observer;
        const acre_observer_def place = {.place = {on_grid(random, 400), 0, on_grid(random, 400)},
                                         .entity = i % 2 ? t->entities[i] : null_entity,
                                         .enter_radius = 60,
                                         .leave_radius = 75};
        ok = acre_interest_add(t->interest, &place, &observer) == ACRE_OK;
    }
    return ok;
}

static void free_town(town *t)
{
    acre_entity_contacts_destroy(t->contacts);
    acre_visible_set_destroy(t->frozen);
    acre_visible_set_destroy(t->set);
    acre_interest_destroy(t->interest);
    free_world(t->w);
}

static bool look(town *t)
{
    acre_view other = t->view; // while the set is frozen, nobody looks at it
    t->include = (acre_frustum){{{0.8f, 0, -0.6f, 310.25f}}, 1};
    t->exclude = (acre_frustum){{{1, 0, 0, 200.5f}, {-1, 0, 0, 40.25f}}, 2};
    other.include = &t->include;
    other.exclude = &t->exclude;
    return acre_culling_find_visible(t->w.culling, &t->view, t->set) == ACRE_OK &&
           acre_culling_find_visible(t->w.culling, &other, t->frozen) == ACRE_OK &&
           acre_interest_update(t->interest) == ACRE_OK &&
           acre_entity_contacts_update(t->contacts, t->w.culling, NULL) == ACRE_OK;
}

static bool nothing_happened(const town *t)
{
    const acre_interest_changes changes = acre_interest_get_changes(t->interest);
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(t->contacts);
    bool same = changes.entered.count + changes.left.count + changes.changed.count == 0 &&
                lists.began_count + lists.ended_count == 0;
    const acre_visible_set *const sets[2] = {t->set, t->frozen};
    for (int i = 0; i < 2; i++) {
        const acre_visible visible = acre_visible_set_get(sets[i]);
        same &= visible.count > 20 &&
                visible.entered_count + visible.left_count + visible.changed_count == 0;
    }
    return same && changes.row_count > 0 && lists.now_count > 5;
}

static bool rules_hold(const town *t)
{
    char message[200] = "";
    const bool hold = acre_culling_validate(t->w.culling, message, sizeof message) == ACRE_OK &&
                      acre_scene_validate(t->w.scene, message, sizeof message) == ACRE_OK &&
                      trees_are_valid(t->w);
    if (!hold) {
        printf("     %s\n", message);
    }
    return hold;
}

static void exact_shifts_of_a_scene_change_places_alone(void)
{
    test_random random = {test_seed};
    static acre_aabb boxes[ENTITIES + 1];
    town t;
    CHECK(make_town(&t, &random));
    CHECK(look(&t) && acre_visible_set_freeze(t.frozen, true) == ACRE_OK && look(&t));
    CHECK(nothing_happened(&t));
    const size_t seen = acre_visible_set_get(t.set).count;
    for (int turn = 0; turn < 12; turn++) {
        double first[3], second[3], sum[3];
        random_offset(&random, first);
        random_offset(&random, second);
        acre_scene_view before = acre_scene_get_view(t.w.scene);
        memcpy(boxes, before.world_bounds, before.slot_count * sizeof *boxes);
        CHECK(acre_scene_shift_origin(t.w.scene, first) == ACRE_OK);
        CHECK(acre_scene_shift_origin(t.w.scene, second) == ACRE_OK); // they add up
        CHECK(look(&t) && nothing_happened(&t));                      // until the commit all is old
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] = first[axis] + second[axis];
        }
        CHECK(acre_scene_commit(t.w.scene) == ACRE_OK);
        const acre_shift_report report = acre_scene_shift_report(t.w.scene);
        CHECK(report.is_exact && report.rounded == 0);
        CHECK(acre_interest_shift(t.interest, sum) == ACRE_OK);
        acre_visible_sum of_frozen = acre_visible_set_get(t.frozen).sum;
        CHECK(acre_visible_set_shift(t.frozen, sum) == ACRE_OK);
        move_box(&of_frozen.box, sum);
        const acre_visible_sum now = acre_visible_set_get(t.frozen).sum;
        CHECK(memcmp(&now, &of_frozen, sizeof now) == 0);
        acre_view_shift(&t.view, sum);
        before = acre_scene_get_view(t.w.scene);
        for (uint32_t slot = 0; slot < before.slot_count; slot++) {
            move_box(&boxes[slot], before.flags[slot] & ACRE_ENTITY_HIDDEN ? (double[3]){0} : sum);
            CHECK(memcmp(&boxes[slot], &before.world_bounds[slot], sizeof *boxes) == 0);
        }
        CHECK(look(&t) && nothing_happened(&t) && rules_hold(&t));
        CHECK(acre_visible_set_get(t.set).count == seen);
    }
    CHECK(acre_entity_set_flags(t.w.scene, t.entities[5], 0) == ACRE_OK); // it was hidden all along
    CHECK(acre_scene_commit(t.w.scene) == ACRE_OK && rules_hold(&t));
    CHECK(acre_scene_shift_report(t.w.scene).is_exact);
    free_town(&t);
}

// The planes, eye and depth of a shifted view are about those of a camera that stands there.
static void a_view_is_about_that_of_its_camera(void)
{
    static const double offset[3] = {512, -8, -1024};
    static const float up[3] = {0, 1, 0};
    acre_view views[2];
    for (int i = 0; i < 2; i++) {
        const float x = (float)i * (float)offset[0], y = (float)i * (float)offset[1];
        const float z = (float)i * (float)offset[2];
        const float eye[3] = {x + 20, y + 4, z - 30}, target[3] = {x + 50, y, z + 70};
        acre_camera camera = {0};
        CHECK(acre_camera_perspective(&camera, 1.0f, 1.5f, 0.5f, 400.0f,
                                      ACRE_CLIP_REVERSED_ZERO_TO_ONE) == ACRE_OK);
        CHECK(acre_camera_look_at(&camera, eye, target, up) == ACRE_OK);
        CHECK(acre_view_from_camera(&views[i], &camera) == ACRE_OK);
    }
    acre_view_shift(&views[0], offset);
    CHECK(views[0].frustum.plane_count == views[1].frustum.plane_count);
    for (uint32_t i = 0; i < views[0].frustum.plane_count; i++) {
        const float by = views[0].frustum.planes[i][3] - views[1].frustum.planes[i][3];
        CHECK(by > -0.002f && by < 0.01f); // outward, but for the rounding of the camera's matrix
    }
    for (int i = 0; i < 4; i++) {
        CHECK(fabsf(views[0].depth[i] - views[1].depth[i]) < 0.002f);
        CHECK(i == 3 || fabsf(views[0].eye[i] - views[1].eye[i]) < 0.002f);
    }
}

// The first still entity comes after a long way: its tree is made where the world is now.
static void a_tree_that_is_made_later_stands_where_the_world_is(void)
{
    static const double offset[3] = {1048576, 0, -2097152};
    acre_quadtree_stats stats;
    world w = {NULL, NULL};
    CHECK(acre_scene_create(NULL, &w.scene) == ACRE_OK);
    CHECK(acre_culling_create(w.scene, &(acre_culling_def){.register_all = true}, &w.culling) ==
          ACRE_OK);
    CHECK(acre_scene_shift_origin(w.scene, offset) == ACRE_OK);
    CHECK(acre_scene_commit(w.scene) == ACRE_OK && !acre_culling_static_tree(w.culling));
    const acre_transform here = at((float)offset[0] + 100, (float)offset[2] - 100);
    const acre_entity_def def = {.local = &here, .bounds = &unit_box, .flags = ACRE_ENTITY_STATIC};
    acre_entity still;
    CHECK(acre_entity_create(w.scene, &def, &still) == ACRE_OK);
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    acre_quadtree_get_stats(acre_culling_static_tree(w.culling), &stats);
    CHECK(stats.items == 1 && stats.grows == 0 && stats.outliers == 0);
    CHECK(stats.root_min[0] > 1e6f && stats.root_max[1] < -2e6f);
    free_world(w);
}

// What a module hears: one shift for all calls before a commit, and none after it.
typedef struct hearing {
    int calls;
    double sum[3];
} hearing;

static acre_result hear_shift(void *user, const acre_scene *scene, const double *offset,
                              acre_shift_report *report)
{
    hearing *const heard = user;
    (void)scene, (void)report;
    heard->calls++;
    memcpy(heard->sum, offset, sizeof heard->sum);
    return ACRE_OK;
}

static void several_shifts_are_one_and_told_once(void)
{
    static const double first[3] = {4096, 0, 8192}, second[3] = {-1024, 2, 4096};
    test_random random = {test_seed + 5};
    hearing heard = {0};
    const acre_module module = {.name = "hearing", .user = &heard, .shift = hear_shift};
    town t;
    CHECK(make_town(&t, &random));
    CHECK(acre_scene_attach(t.w.scene, &module) == ACRE_OK);
    CHECK(acre_scene_shift_origin(t.w.scene, first) == ACRE_OK);
    CHECK(acre_scene_shift_origin(t.w.scene, second) == ACRE_OK && heard.calls == 0);
    CHECK(acre_scene_commit(t.w.scene) == ACRE_OK && heard.calls == 1);
    CHECK(heard.sum[0] == 3072 && heard.sum[1] == 2 && heard.sum[2] == 12288);
    CHECK(acre_scene_shift_report(t.w.scene).moved ==
          0); // whole cells: every item stays in its own
    CHECK(acre_scene_commit(t.w.scene) == ACRE_OK && heard.calls == 1);
    CHECK(acre_scene_detach(t.w.scene, &module) == ACRE_OK);
    free_town(&t);
}

// What is recorded before a shift moves with the rest; what comes after it is where it says.
static void a_shift_has_its_place_among_the_edits(void)
{
    test_random random = {test_seed + 1};
    town t;
    CHECK(make_town(&t, &random));
    const acre_transform here = at(10, 20);
    static const double offset[3] = {4096, 0, -256};
    const acre_entity before = t.entities[2], after = t.entities[8];
    acre_entity made = null_entity;
    acre_edit_queue *queue;
    CHECK(acre_edit_queue_create(NULL, &queue) == ACRE_OK);
    CHECK(acre_entity_set_local(t.w.scene, before, &here) == ACRE_OK);
    made = make_entity(t.w, null_entity, 5, 0);
    CHECK(acre_edit_queue_set_local(queue, t.entities[11], &here) == ACRE_OK);
    CHECK(acre_scene_shift_origin(t.w.scene, offset) == ACRE_OK);
    CHECK(acre_entity_set_local(t.w.scene, after, &here) == ACRE_OK);
    CHECK(acre_scene_apply_queues(t.w.scene, &queue, 1, NULL) == ACRE_OK);
    CHECK(acre_entity_destroy(t.w.scene, t.entities[1]) == ACRE_OK);
    CHECK(acre_scene_commit(t.w.scene) == ACRE_OK && rules_hold(&t));
    acre_transform local;
    CHECK(acre_entity_get_local(t.w.scene, before, &local) == ACRE_OK);
    CHECK(local.translation[0] == 10 + 4096 && local.translation[2] == 20 - 256);
    CHECK(acre_entity_get_local(t.w.scene, made, &local) == ACRE_OK);
    CHECK(local.translation[0] == 5 + 4096);
    CHECK(acre_entity_get_local(t.w.scene, after, &local) == ACRE_OK);
    CHECK(local.translation[0] == 10 && local.translation[2] == 20);
    CHECK(acre_entity_get_local(t.w.scene, t.entities[11], &local) == ACRE_OK);
    CHECK(local.translation[0] == 10 && local.translation[2] == 20);
    acre_edit_queue_destroy(queue);
    free_town(&t);
}

// Offsets that floats cannot hold, far travel, edits in between: places are the scene's own.
static void shifts_that_round_keep_the_rules(void)
{
    test_random random = {test_seed + 2};
    town t;
    CHECK(make_town(&t, &random));
    for (int turn = 0; turn < 30; turn++) {
        const float most = turn % 3 == 0 ? 1e6f : 100.0f;
        const double offset[3] = {(double)random_float(&random, -most, most) / 3.0,
                                  (double)random_float(&random, -9, 9),
                                  (double)random_float(&random, -most, most) / 7.0};
        const acre_entity moved = t.entities[random_below(&random, ENTITIES)];
        CHECK(acre_scene_shift_origin(t.w.scene, offset) == ACRE_OK);
        CHECK(move(t.w, moved, on_grid(&random, 500)));
        CHECK(set_flags(t.w, moved,
                        random_below(&random, 8) & 7 & ~(uint32_t)ACRE_ENTITY_NEVER_CULL));
        CHECK(acre_scene_commit(t.w.scene) == ACRE_OK && rules_hold(&t));
        const acre_shift_report report = acre_scene_shift_report(t.w.scene);
        CHECK(!report.is_exact && report.rounded > 0);
        CHECK(acre_scene_commit(t.w.scene) == ACRE_OK);
        CHECK(acre_scene_shift_report(t.w.scene).is_exact); // there was none
    }
    static const double bad[3][3] = {{(double)NAN, 0, 0}, {0, (double)INFINITY, 0}, {0, 0, -1e300}};
    for (int i = 0; i < 3; i++) {
        CHECK(acre_scene_shift_origin(t.w.scene, bad[i]) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(acre_interest_shift(t.interest, bad[i]) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(acre_visible_set_shift(t.set, bad[i]) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    CHECK(acre_scene_shift_origin(t.w.scene, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_shift(t.w.culling, bad[0], NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(!acre_scene_shift_report(NULL).is_exact);
    free_town(&t);
}

static bool boxes_are(acre_scene_view view, const acre_aabb *boxes)
{
    return memcmp(view.world_bounds, boxes, view.slot_count * sizeof *boxes) == 0;
}

// Shifts a town that has edits to come, while one request for memory fails. @return whether one
// did. A commit that fails leaves all as it was, and the next one makes up for it.
static bool shift_without_memory(uint64_t at, const acre_aabb *there)
{
    static const double offset[3] = {700.3, 1.7, -5000.9};
    static acre_aabb here[ENTITIES + 1];
    test_random random = {test_seed + 4};
    failing_allocator memory;
    town t;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    town_memory = &memory.allocator;
    EXPECT(make_town(&t, &random) && look(&t));
    acre_scene_view view = acre_scene_get_view(t.w.scene);
    memcpy(here, view.world_bounds, view.slot_count * sizeof *here);
    failing_allocator_arm(&memory, at ? FAIL_ONCE : FAIL_NEVER, at);
    for (int i = 0; i < 30; i++) { // new ones, which commits need room for
        acre_entity entity;
        acre_result made;
        do {
            made = acre_entity_create(t.w.scene, &(acre_entity_def){.bounds = &unit_box}, &entity);
        } while (made == ACRE_ERROR_OUT_OF_MEMORY);
        EXPECT(made == ACRE_OK);
    }
    EXPECT(acre_scene_shift_origin(t.w.scene, offset) == ACRE_OK);
    const acre_result result = acre_scene_commit(t.w.scene);
    view = acre_scene_get_view(t.w.scene);
    EXPECT(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
    EXPECT(boxes_are(view, there) || (result != ACRE_OK && boxes_are(view, here)));
    EXPECT(acre_scene_commit(t.w.scene) == ACRE_OK && rules_hold(&t));
    EXPECT(boxes_are(acre_scene_get_view(t.w.scene), there));
    acre_result moved;
    do {
        moved = acre_interest_shift(t.interest, offset);
    } while (moved == ACRE_ERROR_OUT_OF_MEMORY);
    EXPECT(moved == ACRE_OK && acre_visible_set_shift(t.set, offset) == ACRE_OK);
    free_town(&t);
    town_memory = NULL;
    EXPECT(failing_allocator_verdict(&memory) == NULL);
    return memory.failed > 0;
}

static void memory_may_run_out_in_a_shift(void)
{
    static acre_aabb there[ENTITIES + 31];
    // What a shift with all its memory leads to, by way of the same edits.
    test_random random = {test_seed + 4};
    static const double offset[3] = {700.3, 1.7, -5000.9};
    town t;
    CHECK(make_town(&t, &random));
    for (int i = 0; i < 30; i++) {
        (void)make_entity(t.w, null_entity, 0, 0);
    }
    CHECK(acre_scene_shift_origin(t.w.scene, offset) == ACRE_OK);
    CHECK(acre_scene_commit(t.w.scene) == ACRE_OK);
    const acre_scene_view view = acre_scene_get_view(t.w.scene);
    CHECK(view.slot_count <= ENTITIES + 31);
    memcpy(there, view.world_bounds, view.slot_count * sizeof *there);
    free_town(&t);
    uint64_t at = 0;
    while (shift_without_memory(at, there) || at == 0) {
        at++;
    }
    CHECK(at > 8);
}

// ---- objects of a host ----

static acre_aabb rows[OBJECTS];

static bool boxes_are_rows(const acre_culling *culling)
{
    bool same = true;
    for (uint32_t slot = 0; slot < OBJECTS; slot++) {
        acre_aabb box;
        const acre_quadtree *const tree = acre_quadtree_contains(acre_culling_tree(culling), slot)
                                              ? acre_culling_tree(culling)
                                              : acre_culling_static_tree(culling);
        same &= acre_quadtree_get_box(tree, slot, &box) == ACRE_OK &&
                memcmp(&box, &rows[slot], sizeof box) == 0;
    }
    return same;
}

static void objects_of_a_host_shift_at_once(void)
{
    test_random random = {test_seed + 3};
    acre_culling *culling;
    static uint32_t slots[OBJECTS], flags[OBJECTS];
    for (uint32_t i = 0; i < OBJECTS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            rows[i].min[axis] = on_grid(&random, 500);
            rows[i].max[axis] = rows[i].min[axis] + 2.25f;
        }
        slots[i] = i;
        flags[i] = i % 3 ? 0 : ACRE_ENTITY_STATIC;
    }
    const acre_box_array array = {rows->min, rows->max, sizeof *rows, sizeof *rows,
                                  ACRE_BOX_FORM_MIN_MAX};
    const acre_objects objects = {.slot_count = OBJECTS,
                                  .boxes = array,
                                  .flags = flags,
                                  .added = slots,
                                  .added_count = OBJECTS};
    CHECK(acre_culling_create_for_objects(NULL, &culling) == ACRE_OK);
    CHECK(acre_culling_update(culling, &objects, NULL) == ACRE_OK && boxes_are_rows(culling));
    for (int turn = 0; turn < 10; turn++) {
        double offset[3];
        acre_shift_report report;
        random_offset(&random, offset);
        for (uint32_t i = 0; i < OBJECTS; i++) {
            move_box(&rows[i], offset);
        }
        CHECK(acre_culling_shift(culling, offset, turn % 2 ? &array : NULL, &report) == ACRE_OK);
        CHECK(report.is_exact && boxes_are_rows(culling));
        CHECK(acre_culling_validate(culling, NULL, 0) == ACRE_OK);
    }
    const acre_aabb good = rows[7];
    rows[7].min[1] = NAN;
    static const double east[3] = {64, 0, 0};
    CHECK(acre_culling_shift(culling, east, &array, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    rows[7] = good;
    CHECK(boxes_are_rows(culling)); // nothing has changed
    acre_culling_destroy(culling);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(exact_shifts_of_a_scene_change_places_alone),
        TEST(a_view_is_about_that_of_its_camera),
        TEST(a_tree_that_is_made_later_stands_where_the_world_is),
        TEST(several_shifts_are_one_and_told_once),
        TEST(a_shift_has_its_place_among_the_edits),
        TEST(shifts_that_round_keep_the_rules),
        TEST(memory_may_run_out_in_a_shift),
        TEST(objects_of_a_host_shift_at_once),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
