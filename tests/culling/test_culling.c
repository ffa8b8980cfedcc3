// SPDX-License-Identifier: MIT
// test_culling.c - the culler's contract: who is registered, where they are, and what is visible.
#include "culling_world.h"
#include "test.h"

#include <acre/culling.h>
#include <acre/explain.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static world make_world(bool register_all)
{
    world w = {NULL, NULL};
    EXPECT(acre_scene_create(&(acre_scene_def){.scene = 2}, &w.scene) == ACRE_OK);
    EXPECT(acre_culling_create(w.scene, &(acre_culling_def){.register_all = register_all},
                               &w.culling) == ACRE_OK);
    return w;
}

static bool commit(world w)
{
    const bool done = acre_scene_commit(w.scene) == ACRE_OK;
    return done && acre_scene_validate(w.scene, NULL, 0) == ACRE_OK &&
           acre_culling_validate(w.culling, NULL, 0) == ACRE_OK && trees_are_valid(w);
}

// The volume min_x <= x <= max_x.
static acre_frustum slab(float min_x, float max_x)
{
    return (acre_frustum){{{1, 0, 0, -min_x}, {-1, 0, 0, max_x}}, 2};
}

// How often the entity is among those visible between two x.
static int times_seen(world w, acre_entity entity, float min_x, float max_x)
{
    uint32_t slots[4096];
    const acre_frustum frustum = slab(min_x, max_x);
    const size_t count = count_in_frustum(w.culling, &frustum, 0, slots, 4096);
    int times = 0;
    for (size_t i = 0; i < count; i++) {
        times += slots[i] == entity.index1 - 1;
    }
    return times;
}

static bool is_seen_at(world w, acre_entity entity, float x)
{
    return times_seen(w, entity, x - 0.5f, x + 0.5f) == 1;
}

static bool is_seen(world w, acre_entity entity)
{
    return times_seen(w, entity, -INFINITY, INFINITY) == 1;
}

static acre_hidden_by reason(world w, acre_entity entity)
{
    acre_explanation why = {.lod = 0};
    const acre_view view = {.layers = 0};
    EXPECT(acre_culling_explain(w.culling, &view, NULL, entity, &why) == ACRE_OK);
    return why.hidden_by;
}

// Entities that no query finds because of an oversight.
static void what_nobody_registered_is_counted_and_explained(void)
{
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    for (int all = 0; all < 2; all++) {
        const world w = make_world(all);
        acre_entity bounded, boundless;
        acre_culling_stats stats;
        CHECK(acre_entity_create(w.scene, &(acre_entity_def){.bounds = &box}, &bounded) == ACRE_OK);
        CHECK(acre_entity_create(w.scene, NULL, &boundless) == ACRE_OK && commit(w));
        acre_culling_get_stats(w.culling, &stats);
        CHECK(stats.unregistered == (all ? 1 : 2) && stats.without_bounds == (all ? 1 : 0));
        CHECK(reason(w, bounded) == (all ? ACRE_HIDDEN_BY_NOTHING : ACRE_HIDDEN_BY_REGISTRATION));
        CHECK(reason(w, boundless) == (all ? ACRE_HIDDEN_BY_NO_BOX : ACRE_HIDDEN_BY_REGISTRATION));
        CHECK(acre_culling_refresh_bounds(w.culling, boundless, &box) == ACRE_ERROR_NOT_FOUND);
        CHECK(acre_culling_register(w.culling, boundless) == ACRE_OK); // the way
        CHECK(acre_culling_refresh_bounds(w.culling, boundless, &box) == ACRE_OK && commit(w));
        acre_culling_get_stats(w.culling, &stats);
        CHECK(stats.unregistered == (all ? 0 : 1) && stats.without_bounds == 0);
        CHECK(is_seen(w, boundless) && reason(w, boundless) == ACRE_HIDDEN_BY_NOTHING);
        CHECK(acre_culling_unregister(w.culling, boundless) == ACRE_OK);
        acre_culling_get_stats(w.culling, &stats);
        CHECK(stats.unregistered == (all ? 1 : 2) && stats.without_bounds == 0);
        CHECK(reason(w, boundless) == ACRE_HIDDEN_BY_REGISTRATION);
        acre_culling_destroy(w.culling);
        acre_scene_destroy(w.scene);
    }
}

static void no_definition_is_one_of_zeros(void)
{
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_entity entity;
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, NULL, &culling) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.bounds = &box}, &entity) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(!acre_culling_is_registered(culling, entity)); // register_all is off
    CHECK(acre_culling_register(culling, entity) == ACRE_OK);
    CHECK(count_in_frustum(culling, &everything, 0, NULL, 0) == 1);
    CHECK(acre_culling_validate(culling, NULL, 0) == ACRE_OK);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static void a_registered_entity_is_visible_at_once_or_from_its_first_commit(void)
{
    const world w = make_world(false);
    const acre_entity early = make_entity(w, null_entity, 3, 0);
    CHECK(acre_culling_register(w.culling, early) == ACRE_OK && visible_count(w) == 0);
    CHECK(commit(w) && is_seen_at(w, early, 3) && visible_count(w) == 1);
    const acre_entity late = make_entity(w, null_entity, 5, 0);
    CHECK(commit(w) && visible_count(w) == 1);
    CHECK(acre_culling_register(w.culling, late) == ACRE_OK && is_seen_at(w, late, 5));
    CHECK(acre_culling_register(w.culling, late) == ACRE_ERROR_EXISTS);
    CHECK(acre_culling_register(w.culling, early) == ACRE_ERROR_EXISTS && visible_count(w) == 2);
    CHECK(acre_culling_unregister(w.culling, late) == ACRE_OK && visible_count(w) == 1);
    CHECK(acre_culling_unregister(w.culling, late) == ACRE_ERROR_NOT_FOUND);
    CHECK(move(w, late, 9) && commit(w) && visible_count(w) == 1);
    CHECK(acre_culling_register(w.culling, late) == ACRE_OK && is_seen_at(w, late, 9));
    free_world(w);
}

static void register_all_takes_every_entity_with_bounds_and_no_other(void)
{
    world w = make_world(true);
    const acre_entity a = make_entity(w, null_entity, 1, 0);
    acre_entity bare;
    CHECK(acre_entity_create(w.scene, &(acre_entity_def){.parent = a}, &bare) == ACRE_OK);
    CHECK(commit(w) && is_seen_at(w, a, 1) && visible_count(w) == 1);
    CHECK(acre_culling_register(w.culling, a) == ACRE_ERROR_EXISTS);
    CHECK(acre_culling_unregister(w.culling, bare) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_entity_set_bounds(w.scene, bare, &unit_box) == ACRE_OK && commit(w));
    CHECK(is_seen_at(w, bare, 1) && visible_count(w) == 2);
    // One that is unregistered stays out, whatever it does.
    CHECK(acre_culling_unregister(w.culling, a) == ACRE_OK && !is_seen(w, a));
    CHECK(move(w, a, 2) && commit(w) && !is_seen(w, a) && is_seen_at(w, bare, 2));
    CHECK(acre_culling_register(w.culling, a) == ACRE_OK && is_seen_at(w, a, 2));
    // Entities that were there before the culler.
    acre_culling_destroy(w.culling);
    const acre_culling_def all = {.register_all = true};
    CHECK(acre_culling_create(w.scene, &all, &w.culling) == ACRE_OK && visible_count(w) == 2);
    free_world(w);
}

static void entities_come_and_go_with_the_commits(void)
{
    const world w = make_world(true);
    const acre_entity parent = make_entity(w, null_entity, 10, 0);
    const acre_entity child = make_entity(w, parent, 10, 0);
    CHECK(commit(w) && is_seen_at(w, child, 20));
    CHECK(move(w, parent, 100) && is_seen_at(w, child, 20) && commit(w));
    CHECK(is_seen_at(w, child, 110) && !is_seen_at(w, child, 20) && is_seen_at(w, parent, 100));
    CHECK(acre_entity_destroy(w.scene, parent) == ACRE_OK && visible_count(w) == 2);
    CHECK(commit(w) && visible_count(w) == 0);
    const acre_entity next = make_entity(w, null_entity, 7, 0);
    CHECK(commit(w) && visible_count(w) == 1 && is_seen_at(w, next, 7));
    free_world(w);
}

static void hidden_subtrees_leave_the_culler_and_come_back(void)
{
    const world w = make_world(true);
    const acre_entity parent = make_entity(w, null_entity, 1, 0);
    const acre_entity child = make_entity(w, parent, 1, 0);
    CHECK(commit(w) && visible_count(w) == 2);
    CHECK(acre_entity_set_flags(w.scene, parent, ACRE_ENTITY_HIDDEN) == ACRE_OK && commit(w));
    CHECK(visible_count(w) == 0);
    CHECK(move(w, parent, 50) && commit(w) && visible_count(w) == 0);
    CHECK(acre_culling_refresh(w.culling, parent) == ACRE_OK && visible_count(w) == 0);
    CHECK(acre_entity_set_flags(w.scene, parent, 0) == ACRE_OK && commit(w));
    CHECK(is_seen_at(w, parent, 50) && is_seen_at(w, child, 51) && visible_count(w) == 2);
    const acre_entity born_hidden = make_entity(w, null_entity, 9, ACRE_ENTITY_HIDDEN);
    CHECK(commit(w) && !is_seen(w, born_hidden));
    CHECK(acre_entity_set_flags(w.scene, born_hidden, 0) == ACRE_OK && commit(w));
    CHECK(is_seen_at(w, born_hidden, 9));
    free_world(w);
}

static void never_cull_is_visible_to_every_query_until_hidden(void)
{
    const world w = make_world(true);
    enum { COUNT = 200 };
    static acre_entity entities[COUNT];
    for (int i = 0; i < COUNT; i++) {
        entities[i] = make_entity(w, null_entity, (float)i, i % 2 ? ACRE_ENTITY_NEVER_CULL : 0);
    }
    CHECK(commit(w) && visible_count(w) == COUNT);
    uint32_t slots[COUNT];
    const acre_frustum far_away = slab(1e6f, 2e6f);
    CHECK(count_in_frustum(w.culling, &far_away, 0, slots, COUNT) == COUNT / 2);
    for (uint32_t i = 0; i < COUNT / 2; i++) {
        CHECK(slots[i] == 2 * i + 1); // in ascending order
    }
    CHECK(count_in_frustum(w.culling, &far_away, 0, slots, 3) == COUNT / 2);
    CHECK(acre_entity_set_flags(w.scene, entities[1],
                                ACRE_ENTITY_HIDDEN | ACRE_ENTITY_NEVER_CULL) == ACRE_OK);
    CHECK(acre_entity_set_flags(w.scene, entities[3], 0) == ACRE_OK);
    CHECK(acre_entity_set_flags(w.scene, entities[2], ACRE_ENTITY_NEVER_CULL) == ACRE_OK);
    CHECK(acre_entity_set_layers(w.scene, entities[5], 4) == ACRE_OK && commit(w));
    CHECK(count_in_frustum(w.culling, &far_away, 0, slots, COUNT) == COUNT / 2 - 1);
    CHECK(slots[0] == 2 && slots[1] == 5 && is_seen_at(w, entities[3], 3));
    CHECK(count_in_frustum(w.culling, &far_away, 3, slots, COUNT) == COUNT / 2 - 2);
    CHECK(slots[0] == 2 && slots[1] == 7);
    // It needs no box.
    CHECK(acre_entity_set_bounds(w.scene, entities[7], NULL) == ACRE_OK && commit(w));
    CHECK(times_seen(w, entities[7], 1e6f, 2e6f) == 1);
    CHECK(acre_culling_unregister(w.culling, entities[7]) == ACRE_OK && !is_seen(w, entities[7]));
    CHECK(acre_entity_destroy(w.scene, entities[9]) == ACRE_OK && commit(w));
    CHECK(count_in_frustum(w.culling, &far_away, 0, slots, COUNT) == COUNT / 2 - 3);
    free_world(w);
}

static void layers_choose_what_a_query_sees(void)
{
    const world w = make_world(true);
    const acre_entity all = make_entity(w, null_entity, 0, 0);
    const acre_entity two = make_entity(w, null_entity, 0, 0);
    CHECK(acre_entity_set_layers(w.scene, two, 2) == ACRE_OK && commit(w));
    uint32_t slots[4];
    CHECK(count_in_frustum(w.culling, &everything, 1, slots, 4) == 1);
    CHECK(slots[0] == all.index1 - 1);
    CHECK(count_in_frustum(w.culling, &everything, 2, slots, 4) == 2);
    CHECK(count_in_frustum(w.culling, &everything, 0, slots, 4) == 2);
    acre_camera camera = {.layers = 4}; // no valid frustum: everything in its layers
    CHECK(acre_culling_query(w.culling, &camera, slots, 4) == 1);
    CHECK(acre_entity_set_layers(w.scene, two, 4) == ACRE_OK && commit(w));
    CHECK(acre_culling_query(w.culling, &camera, slots, 4) == 2);
    CHECK(acre_entity_set_layers(w.scene, two, 0) == ACRE_OK && commit(w));
    CHECK(count_in_frustum(w.culling, &everything, 1, slots, 4) == 2);
    // An entity that comes back into the tree has its layers again.
    CHECK(acre_entity_set_layers(w.scene, two, 8) == ACRE_OK && commit(w));
    CHECK(acre_culling_unregister(w.culling, two) == ACRE_OK);
    CHECK(acre_culling_register(w.culling, two) == ACRE_OK);
    CHECK(count_in_frustum(w.culling, &everything, 7, slots, 4) == 1);
    free_world(w);
}

static void new_bounds_are_seen_by_the_next_query(void)
{
    const world w = make_world(true);
    const acre_entity e = make_entity(w, null_entity, 0, 0);
    const acre_aabb away = {{500, 0, 0}, {501, 1, 1}};
    const acre_aabb empty = acre_aabb_empty();
    CHECK(commit(w) && is_seen_at(w, e, 0));
    CHECK(acre_entity_set_bounds(w.scene, e, &away) == ACRE_OK);
    CHECK(acre_culling_refresh(w.culling, e) == ACRE_OK && is_seen_at(w, e, 500));
    CHECK(commit(w) && is_seen_at(w, e, 500) && !is_seen_at(w, e, 0));
    CHECK(acre_entity_set_bounds(w.scene, e, &empty) == ACRE_OK && commit(w) && !is_seen(w, e));
    CHECK(acre_entity_set_bounds(w.scene, e, &unit_box) == ACRE_OK && commit(w));
    CHECK(is_seen_at(w, e, 0));
    CHECK(acre_entity_set_bounds(w.scene, e, NULL) == ACRE_OK);
    CHECK(acre_culling_refresh(w.culling, e) == ACRE_OK && !is_seen(w, e) && commit(w));
    CHECK(!is_seen(w, e));
    free_world(w);
}

static void refresh_moves_the_subtree_without_a_commit(void)
{
    const world w = make_world(true);
    const acre_entity root = make_entity(w, null_entity, 10, 0);
    const acre_entity a = make_entity(w, root, 10, 0), a1 = make_entity(w, a, 10, 0);
    const acre_entity b = make_entity(w, root, 10, 0);
    CHECK(commit(w) && move(w, root, 100));
    CHECK(acre_culling_refresh(w.culling, a) == ACRE_OK);
    CHECK(is_seen_at(w, a, 110) && is_seen_at(w, a1, 120) && is_seen_at(w, root, 100));
    CHECK(is_seen_at(w, b, 20));
    CHECK(acre_culling_refresh(w.culling, root) == ACRE_OK && is_seen_at(w, b, 110));
    CHECK(commit(w) && is_seen_at(w, b, 110) && visible_count(w) == 4);
    const acre_entity fresh = make_entity(w, root, 1, 0);
    CHECK(acre_culling_refresh(w.culling, fresh) == ACRE_ERROR_NOT_COMMITTED && !is_seen(w, fresh));
    CHECK(acre_culling_refresh(w.culling, root) == ACRE_OK && !is_seen(w, fresh));
    CHECK(commit(w) && is_seen_at(w, fresh, 101));
    free_world(w);
}

static void a_world_box_holds_until_bounds_are_set_again(void)
{
    const world w = make_world(true);
    const acre_entity e = make_entity(w, null_entity, 0, 0);
    const acre_entity other = make_entity(w, null_entity, 0, 0);
    const acre_aabb away = {{500, 0, 0}, {501, 1, 1}};
    CHECK(acre_culling_refresh_bounds(w.culling, e, &away) == ACRE_ERROR_NOT_FOUND);
    CHECK(commit(w));
    CHECK(acre_culling_refresh_bounds(w.culling, e, &away) == ACRE_OK && is_seen_at(w, e, 500));
    CHECK(!is_seen_at(w, e, 0));
    CHECK(move(w, other, 3) && commit(w) && is_seen_at(w, e, 500) && is_seen_at(w, other, 3));
    CHECK(acre_culling_refresh(w.culling, e) == ACRE_OK && is_seen_at(w, e, 500));
    CHECK(acre_entity_set_layers(w.scene, e, 3) == ACRE_OK && commit(w) && is_seen_at(w, e, 500));
    // Not while never culled, and again after it.
    CHECK(acre_entity_set_flags(w.scene, e, ACRE_ENTITY_NEVER_CULL) == ACRE_OK && commit(w));
    CHECK(acre_entity_set_flags(w.scene, e, 0) == ACRE_OK && commit(w) && is_seen_at(w, e, 500));
    CHECK(move(w, e, 1) && commit(w) && is_seen_at(w, e, 500) && !is_seen_at(w, e, 1));
    acre_aabb kept;
    CHECK(acre_entity_world_bounds(w.scene, e, &kept) == ACRE_OK && kept.min[0] == 500);
    CHECK(acre_entity_get_bounds(w.scene, e, &kept) == ACRE_OK && kept.min[0] == 500);
    CHECK(acre_entity_set_bounds(w.scene, e, &unit_box) == ACRE_OK && commit(w));
    CHECK(is_seen_at(w, e, 1) && !is_seen_at(w, e, 500));
    free_world(w);
}

// A character walks, and its animation throws the body up to 50 units away from its root. Its box
// comes after the commit, before it, or after every fourth one.
static void a_posed_box_is_found_in_each_order_of_calls(void)
{
    for (int order = 0; order < 3; order++) {
        const world w = make_world(true);
        const acre_entity e = make_entity(w, null_entity, 0, 0);
        float at = 0;
        int lost = 0;
        CHECK(commit(w));
        for (int frame = 0; frame < 200; frame++) {
            const bool is_posed = order < 2 || frame % 4 == 0;
            const float root = (float)frame * 0.1f;
            at = is_posed ? root + (float)(frame * 7 % 50) : at;
            const acre_aabb posed = {{at - 1, 0, -1}, {at + 1, 2, 1}};
            CHECK(move(w, e, root));
            CHECK(order != 1 || acre_culling_refresh_bounds(w.culling, e, &posed) == ACRE_OK);
            CHECK(commit(w));
            CHECK(order == 1 || !is_posed ||
                  acre_culling_refresh_bounds(w.culling, e, &posed) == ACRE_OK);
            lost += !is_seen_at(w, e, at);
        }
        CHECK(lost == 0);
        free_world(w);
    }
}

static void a_world_box_gives_bounds_to_an_entity_without(void)
{
    const world w = make_world(false);
    acre_entity e;
    const acre_aabb away = {{500, 0, 0}, {501, 1, 1}};
    CHECK(acre_entity_create(w.scene, &(acre_entity_def){0}, &e) == ACRE_OK);
    CHECK(acre_culling_refresh_bounds(w.culling, e, &away) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_culling_register(w.culling, e) == ACRE_OK);
    CHECK(acre_culling_refresh_bounds(w.culling, e, &away) == ACRE_OK && !is_seen(w, e));
    CHECK(commit(w) && is_seen_at(w, e, 500));
    CHECK(move(w, e, 2) && commit(w) && is_seen_at(w, e, 500));
    CHECK(acre_entity_set_bounds(w.scene, e, NULL) == ACRE_OK && commit(w) && !is_seen(w, e));
    CHECK(acre_culling_refresh_bounds(w.culling, e, &away) == ACRE_OK && is_seen_at(w, e, 500));
    CHECK(acre_culling_unregister(w.culling, e) == ACRE_OK && !is_seen(w, e));
    CHECK(acre_culling_register(w.culling, e) == ACRE_OK && is_seen_at(w, e, 500));
    free_world(w);
}

// A registration dies with its entity, also before any commit.
static void a_slots_next_entity_inherits_no_registration(void)
{
    const world w = make_world(false);
    const acre_aabb away = {{500, 0, 0}, {501, 1, 1}};
    const acre_entity brief = make_entity(w, null_entity, 0, 0);
    CHECK(acre_culling_register(w.culling, brief) == ACRE_OK);
    CHECK(acre_culling_refresh_bounds(w.culling, brief, &away) == ACRE_OK);
    CHECK(acre_entity_destroy(w.scene, brief) == ACRE_OK && commit(w) && visible_count(w) == 0);
    const acre_entity next = make_entity(w, null_entity, 3, 0);
    CHECK(next.index1 == brief.index1 && commit(w) && visible_count(w) == 0);
    CHECK(acre_culling_unregister(w.culling, next) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_culling_register(w.culling, next) == ACRE_OK && is_seen_at(w, next, 3));
    // Registered before its first commit, in a slot whose dead entity was registered.
    CHECK(acre_entity_destroy(w.scene, next) == ACRE_OK && commit(w));
    const acre_entity third = make_entity(w, null_entity, 4, 0);
    CHECK(acre_culling_register(w.culling, third) == ACRE_OK && commit(w));
    CHECK(is_seen_at(w, third, 4));
    free_world(w);
}

// With register_all and registered by hand, before the first commit and after it.
static void an_entity_comes_with_its_rule(void)
{
    enum { COUNT = 300 };
    static acre_entity entities[COUNT];
    for (int variant = 0; variant < 8; variant++) {
        const bool all = variant & 1, is_early = variant & 2, has_culler = variant & 4;
        world w = make_world(all);
        if (!has_culler) {
            acre_culling_destroy(w.culling);
        }
        for (uint32_t i = 0; i < COUNT; i++) { // the first ones have none
            const acre_entity_def def = {.bounds = &unit_box, .rule = i / 100 * i};
            CHECK(acre_entity_create(w.scene, &def, &entities[i]) == ACRE_OK);
        }
        CHECK(acre_entity_create(w.scene, &(acre_entity_def){.rule = 65536}, &entities[1]) ==
              ACRE_OK);
        CHECK(is_early || acre_scene_commit(w.scene) == ACRE_OK);
        CHECK(has_culler || acre_culling_create(w.scene, &(acre_culling_def){.register_all = all},
                                                &w.culling) == ACRE_OK);
        // Given before or after, a rule of the caller's holds.
        CHECK(acre_culling_set_rule(w.culling, entities[150], 0) == ACRE_OK);
        for (uint32_t i = 0; i < COUNT && !all; i++) {
            CHECK(acre_culling_register(w.culling, entities[i]) == ACRE_OK);
        }
        CHECK(commit(w));
        for (uint32_t i = 0; i < COUNT; i++) {
            CHECK(acre_culling_get_rule(w.culling, entities[i]) == (i == 150 ? 0 : i / 100 * i));
        }
        // A slot's next entity has its own.
        CHECK(acre_entity_destroy(w.scene, entities[200]) == ACRE_OK && commit(w));
        acre_entity next;
        CHECK(acre_entity_create(w.scene, &(acre_entity_def){.bounds = &unit_box}, &next) ==
              ACRE_OK);
        CHECK(next.index1 == entities[200].index1 && commit(w));
        CHECK(acre_culling_get_rule(w.culling, next) == 0);
        CHECK(acre_culling_get_rule(w.culling, entities[200]) == 0);
        free_world(w);
    }
}

static void slots_beyond_the_trees_items_are_refused(void)
{
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    const acre_culling_def def = {.tree.item_capacity = 2, .register_all = true};
    CHECK(acre_culling_create(scene, &def, &culling) == ACRE_OK);
    const world w = {scene, culling};
    for (int i = 0; i < 2; i++) {
        (void)make_entity(w, null_entity, 0, 0);
    }
    CHECK(commit(w) && visible_count(w) == 2);
    const acre_entity third = make_entity(w, null_entity, 0, 0);
    CHECK(acre_culling_register(culling, third) == ACRE_ERROR_CAPACITY);
    CHECK(acre_scene_commit(scene) == ACRE_ERROR_CAPACITY && visible_count(w) == 2);
    CHECK(acre_scene_commit(scene) == ACRE_OK && !is_seen(w, third));
    free_world(w);
}

// A NaN plane hides nothing, in this query as in the tree's.
static void a_plane_with_nan_hides_nothing(void)
{
    const world w = make_world(true);
    for (int i = 0; i < 20; i++) {
        (void)make_entity(w, null_entity, (float)i * 10, i % 5 ? 0 : ACRE_ENTITY_NEVER_CULL);
    }
    CHECK(commit(w));
    for (int k = 0; k < 4; k++) {
        acre_frustum frustum = slab(45, 95);
        const size_t expected = count_in_frustum(w.culling, &frustum, 0, NULL, 0);
        frustum.planes[2][0] = 1;
        frustum.planes[2][3] = -1e9f;
        frustum.planes[2][k] = NAN;
        frustum.plane_count = 3;
        CHECK(count_in_frustum(w.culling, &frustum, 0, NULL, 0) == expected);
        CHECK(expected == 4 + 4);
    }
    acre_frustum many = {.plane_count = UINT32_MAX}; // read as 16 planes that hide nothing
    CHECK(count_in_frustum(w.culling, &many, 0, NULL, 0) == 20);
    free_world(w);
}

static void two_cullers_and_two_scenes_do_not_meet(void)
{
    const world w = make_world(true);
    world second = {w.scene, NULL};
    CHECK(acre_culling_create(w.scene, &(acre_culling_def){0}, &second.culling) == ACRE_OK);
    const world other = make_world(true);
    const acre_entity e = make_entity(w, null_entity, 1, 0);
    (void)make_entity(other, null_entity, 1, 0);
    CHECK(commit(w) && visible_count(w) == 1 && visible_count(second) == 0);
    CHECK(visible_count(other) == 0 && commit(other) && visible_count(other) == 1);
    CHECK(acre_culling_register(second.culling, e) == ACRE_OK && is_seen_at(second, e, 1));
    acre_culling_destroy(second.culling);
    CHECK(move(w, e, 2) && commit(w) && is_seen_at(w, e, 2));
    free_world(other);
    free_world(w);
}

typedef struct watcher {
    acre_culling *culling;
    acre_entity entity;
    acre_result answer;
} watcher;

static acre_result watch(void *user, const acre_scene *scene, const acre_scene_changes *changes)
{
    (void)scene;
    (void)changes;
    watcher *const own = user;
    own->answer = acre_culling_refresh(own->culling, own->entity);
    acre_culling_destroy(own->culling); // refused: the commit still needs it
    return ACRE_OK;
}

static void hooks_of_other_modules_cannot_edit_the_culler_through_the_scene(void)
{
    const world w = make_world(true);
    watcher own = {w.culling, make_entity(w, null_entity, 0, 0), ACRE_OK};
    const acre_module module = {.name = "watcher", .commit = watch, .user = &own};
    CHECK(acre_scene_attach(w.scene, &module) == ACRE_OK && commit(w));
    CHECK(own.answer == ACRE_ERROR_BUSY && is_seen_at(w, own.entity, 0));
    CHECK(acre_scene_detach(w.scene, &module) == ACRE_OK);
    free_world(w);
}

static void the_scenes_debug_drawing_shows_the_tree(void)
{
    const world w = make_world(true);
    for (int i = 0; i < 3; i++) {
        (void)make_entity(w, null_entity, (float)i, 0);
    }
    int boxes = 0;
    const acre_debug_draw draw = {.user = &boxes, .flags = ACRE_DEBUG_ITEMS, .box = count_boxes};
    CHECK(commit(w));
    acre_scene_debug_draw(w.scene, &draw);
    CHECK(boxes == 3);
    free_world(w);
}

// What no cell can hold is found as well.
static void infinite_huge_and_far_entities_are_found(void)
{
    const world w = make_world(true);
    const acre_aabb infinite = {{-INFINITY, -1, -1}, {INFINITY, 1, 1}};
    const acre_aabb huge = {{-1e8f, -1e8f, -1e8f}, {1e8f, 1e8f, 1e8f}};
    const acre_entity a = make_entity(w, null_entity, 0, 0);
    const acre_entity b = make_entity(w, null_entity, 0, 0);
    CHECK(acre_entity_set_bounds(w.scene, a, &infinite) == ACRE_OK);
    CHECK(acre_entity_set_bounds(w.scene, b, &huge) == ACRE_OK);
    acre_entity far[8];
    for (int i = 0; i < 8; i++) {
        far[i] = make_entity(w, null_entity, powf(-10.0f, (float)(i + 3)), 0);
    }
    CHECK(commit(w) && visible_count(w) == 10);
    for (int i = 0; i < 8; i++) {
        const float x = powf(-10.0f, (float)(i + 3));
        CHECK(times_seen(w, far[i], x - fabsf(x) / 8, x + fabsf(x) / 8) == 1);
        CHECK(times_seen(w, far[i], -x - fabsf(x) / 8, -x + fabsf(x) / 8) == 0);
    }
    CHECK(is_seen_at(w, a, 1e30f) && is_seen_at(w, b, 9e7f) && !is_seen_at(w, b, 1e30f));
    // A parent whose scale overflows: doubt means visible.
    acre_transform enormous = at(0, 0);
    enormous.scale[0] = 1e38f;
    const acre_entity child = make_entity(w, a, 1e10f, 0);
    CHECK(acre_entity_set_local(w.scene, a, &enormous) == ACRE_OK && commit(w));
    CHECK(is_seen_at(w, child, 0) && is_seen_at(w, child, 1e30f));
    CHECK(move(w, a, 0) && commit(w) && is_seen_at(w, child, 1e10f) && !is_seen_at(w, child, 0));
    free_world(w);
}

static const acre_aabb box_at_500 = {{499, -1, -1}, {501, 1, 1}};

static void hiding_and_showing_keeps_a_world_box(void)
{
    for (int variant = 0; variant < 16; variant++) {
        const bool of_parent = variant & 1, in_one_frame = variant & 2, has_bounds = variant & 4;
        const uint32_t flags = variant & 8 ? ACRE_ENTITY_STATIC : 0;
        const world w = make_world(false);
        const acre_entity parent = make_entity(w, null_entity, 0, 0);
        const acre_entity e = make_entity(w, parent, 10, flags), hidden = of_parent ? parent : e;
        CHECK(has_bounds || acre_entity_set_bounds(w.scene, e, NULL) == ACRE_OK);
        CHECK(acre_culling_register(w.culling, e) == ACRE_OK && commit(w));
        CHECK(acre_culling_refresh_bounds(w.culling, e, &box_at_500) == ACRE_OK && commit(w));
        CHECK(set_flags(w, hidden, of_parent ? ACRE_ENTITY_HIDDEN : flags | ACRE_ENTITY_HIDDEN));
        CHECK(in_one_frame || (commit(w) && !is_seen(w, e)));
        CHECK(set_flags(w, hidden, of_parent ? 0 : flags) && commit(w));
        CHECK(is_seen_at(w, e, 500) && !is_seen_at(w, e, 10));
        CHECK(move(w, parent, 100) && commit(w) && is_seen_at(w, e, 500));
        free_world(w);
    }
}

static void moves_while_hidden_keep_a_world_box(void)
{
    for (int variant = 0; variant < 8; variant++) {
        const bool of_parent = variant & 1, moves_when_shown = variant & 2, is_late = variant & 4;
        const world w = make_world(true);
        const acre_entity parent = make_entity(w, null_entity, 0, 0);
        const acre_entity e = make_entity(w, parent, 10, 0), moved = of_parent ? parent : e;
        CHECK(commit(w) && acre_culling_refresh_bounds(w.culling, e, &box_at_500) == ACRE_OK);
        CHECK(set_flags(w, parent, ACRE_ENTITY_HIDDEN) && commit(w));
        CHECK(moves_when_shown || (move(w, moved, 30) && commit(w)));
        if (is_late) {
            CHECK(acre_culling_refresh_bounds(w.culling, e, &box_at_500) == ACRE_OK);
        }
        CHECK(!moves_when_shown || move(w, moved, 30));
        CHECK(set_flags(w, parent, 0) && commit(w));
        CHECK(is_seen_at(w, e, 500) && !is_seen_at(w, e, of_parent ? 40 : 30));
        free_world(w);
    }
}

static void a_world_box_given_before_the_first_commit_holds(void)
{
    for (int variant = 0; variant < 6; variant++) {
        const world w = make_world(false);
        const acre_entity parent = make_entity(w, null_entity, 0, 0);
        const acre_entity e = make_entity(w, parent, 10, 0);
        CHECK(acre_culling_register(w.culling, e) == ACRE_OK);
        CHECK(variant != 5 || move(w, e, 20)); // before the box
        CHECK(acre_culling_refresh_bounds(w.culling, e, &box_at_500) == ACRE_OK);
        CHECK(variant != 1 || acre_entity_set_bounds(w.scene, e, &unit_box) == ACRE_OK);
        CHECK(variant != 2 || move(w, e, 20));
        CHECK(variant != 3 || move(w, parent, 10));
        CHECK(variant != 4 || acre_entity_set_parent(w.scene, e, null_entity) == ACRE_OK);
        CHECK(commit(w));
        CHECK(is_seen_at(w, e, variant == 1 ? 10 : 500));
        free_world(w);
    }
}

static void register_all_knows_entities_that_got_bounds_while_hidden(void)
{
    for (int variant = 0; variant < 3; variant++) {
        const world w = make_world(true);
        acre_entity e;
        const acre_entity_def def = {.flags = ACRE_ENTITY_HIDDEN};
        CHECK(acre_entity_create(w.scene, &def, &e) == ACRE_OK && commit(w));
        CHECK(!acre_culling_is_registered(w.culling, e));
        CHECK(acre_entity_set_bounds(w.scene, e, &unit_box) == ACRE_OK && commit(w));
        CHECK(acre_culling_is_registered(w.culling, e));
        if (variant == 0) {
            CHECK(acre_culling_unregister(w.culling, e) == ACRE_OK);
            CHECK(!acre_culling_is_registered(w.culling, e));
        } else if (variant == 1) {
            CHECK(acre_culling_refresh_bounds(w.culling, e, &box_at_500) == ACRE_OK);
        } else {
            CHECK(acre_culling_register(w.culling, e) == ACRE_ERROR_EXISTS);
        }
        CHECK(set_flags(w, e, 0) && commit(w));
        CHECK(variant == 0 ? !is_seen(w, e) : is_seen_at(w, e, variant == 1 ? 500 : 0));
        free_world(w);
    }
}

static void never_culled_entities_need_no_bounds(void)
{
    for (int all = 0; all < 2; all++) {
        const world w = make_world(all == 1);
        acre_entity born, turned;
        const acre_entity_def def = {.flags = ACRE_ENTITY_NEVER_CULL}, plain = {.flags = 0};
        CHECK(acre_entity_create(w.scene, &def, &born) == ACRE_OK);
        CHECK(acre_entity_create(w.scene, &plain, &turned) == ACRE_OK && commit(w));
        CHECK(is_seen(w, born) == (all == 1) && !is_seen(w, turned));
        CHECK(set_flags(w, turned, ACRE_ENTITY_NEVER_CULL) && commit(w));
        CHECK(is_seen(w, turned) == (all == 1));
        const acre_result expected = all ? ACRE_ERROR_EXISTS : ACRE_OK;
        CHECK(acre_culling_register(w.culling, born) == expected);
        CHECK(acre_culling_register(w.culling, turned) == expected);
        CHECK(is_seen(w, born) && is_seen(w, turned));
        CHECK(acre_culling_unregister(w.culling, born) == ACRE_OK && commit(w));
        CHECK(!is_seen(w, born) && is_seen(w, turned));
        free_world(w);
    }
}

static void a_commit_takes_in_a_town_that_is_out_of_its_trees_reach(void)
{
    enum { MOVERS = 200, HOUSES = 200 };
    const acre_culling_def def = {.tree = {.half_size = 16, .max_depth = 20}, .register_all = true};
    world w = {NULL, NULL};
    acre_entity all[MOVERS + HOUSES];
    CHECK(acre_scene_create(&(acre_scene_def){.scene = 2}, &w.scene) == ACRE_OK);
    CHECK(acre_culling_create(w.scene, &def, &w.culling) == ACRE_OK);
    for (uint32_t i = 0; i < MOVERS + HOUSES; i++) {
        all[i] = make_entity(w, null_entity, (float)i, i < MOVERS ? 0 : ACRE_ENTITY_STATIC);
    }
    CHECK(commit(w));
    for (uint32_t i = 0; i < MOVERS + HOUSES; i++) { // all go to where UTM puts them
        CHECK(move(w, all[i], 5000000.0f + 8.0f * (float)i));
    }
    CHECK(commit(w) && commit(w)); // static entities are tidied in the next one
    const acre_quadtree *const trees[] = {acre_culling_tree(w.culling),
                                          acre_culling_static_tree(w.culling)};
    for (int i = 0; i < 2; i++) {
        acre_quadtree_stats stats;
        acre_quadtree_get_stats(trees[i], &stats);
        CHECK(stats.items == 200 && stats.outliers == 0 && stats.lattices >= 1);
    }
    for (uint32_t i = 0; i < MOVERS + HOUSES; i++) {
        const float x = 5000000.0f + 8.0f * (float)i;
        CHECK(times_seen(w, all[i], x, x) == 1 && times_seen(w, all[i], x + 8, x + 9) == 0);
    }
    free_world(w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_definition_is_one_of_zeros),
        TEST(what_nobody_registered_is_counted_and_explained),
        TEST(a_registered_entity_is_visible_at_once_or_from_its_first_commit),
        TEST(register_all_takes_every_entity_with_bounds_and_no_other),
        TEST(entities_come_and_go_with_the_commits),
        TEST(hidden_subtrees_leave_the_culler_and_come_back),
        TEST(never_cull_is_visible_to_every_query_until_hidden),
        TEST(layers_choose_what_a_query_sees),
        TEST(new_bounds_are_seen_by_the_next_query),
        TEST(refresh_moves_the_subtree_without_a_commit),
        TEST(a_world_box_holds_until_bounds_are_set_again),
        TEST(a_posed_box_is_found_in_each_order_of_calls),
        TEST(a_world_box_gives_bounds_to_an_entity_without),
        TEST(a_slots_next_entity_inherits_no_registration),
        TEST(an_entity_comes_with_its_rule),
        TEST(slots_beyond_the_trees_items_are_refused),
        TEST(a_plane_with_nan_hides_nothing),
        TEST(two_cullers_and_two_scenes_do_not_meet),
        TEST(hooks_of_other_modules_cannot_edit_the_culler_through_the_scene),
        TEST(the_scenes_debug_drawing_shows_the_tree),
        TEST(infinite_huge_and_far_entities_are_found),
        TEST(hiding_and_showing_keeps_a_world_box),
        TEST(moves_while_hidden_keep_a_world_box),
        TEST(a_world_box_given_before_the_first_commit_holds),
        TEST(register_all_knows_entities_that_got_bounds_while_hidden),
        TEST(never_culled_entities_need_no_bounds),
        TEST(a_commit_takes_in_a_town_that_is_out_of_its_trees_reach),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
