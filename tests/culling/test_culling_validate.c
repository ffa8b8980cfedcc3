// SPDX-License-Identifier: MIT
// test_culling_validate.c - the validator of the culler finds planted faults by their rule's
// number.
#include "test.h"

#include "culling_internal.h"
#include "scene_internal.h"

#include <acre/objects.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Slots 0 to 2 move, 3 and 4 are static, 5 is never culled, 6 is hidden, 7 has a box of its own.
#define ENTITIES 8

typedef struct planted_world {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entities[ENTITIES];
} planted_world;

static bool make_planted(planted_world *w)
{
    const acre_aabb bounds = {{-1, -1, -1}, {1, 1, 1}}, own = {{50, 0, 0}, {51, 1, 1}};
    const uint32_t flags[ENTITIES] = {
        0, 0, 0, ACRE_ENTITY_STATIC, ACRE_ENTITY_STATIC, ACRE_ENTITY_NEVER_CULL, ACRE_ENTITY_HIDDEN,
        0};
    const acre_scene_def scene_def = {0};
    if (acre_scene_create(&scene_def, &w->scene) != ACRE_OK ||
        acre_culling_create(w->scene, &(acre_culling_def){.register_all = true}, &w->culling) !=
            ACRE_OK) {
        return false;
    }
    for (int i = 0; i < ENTITIES; i++) {
        const acre_transform local = {{10.0f * (float)i, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_entity_def def = {
            .local = &local, .bounds = &bounds, .flags = flags[i], .layers = 1u << i};
        if (acre_entity_create(w->scene, &def, &w->entities[i]) != ACRE_OK) {
            return false;
        }
    }
    return acre_scene_commit(w->scene) == ACRE_OK &&
           acre_culling_refresh_bounds(w->culling, w->entities[7], &own) == ACRE_OK;
}

static void free_planted(planted_world *w)
{
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

static bool is_valid(const planted_world *w)
{
    char message[160] = "kept";
    return acre_culling_validate(w->culling, message, sizeof message) == ACRE_OK &&
           message[0] == '\0' && acre_culling_validate(w->culling, NULL, 0) == ACRE_OK;
}

// Whether the validator's message begins with the rule's number.
static bool names_rule(const planted_world *w, int rule)
{
    char message[160] = "";
    const acre_result result = acre_culling_validate(w->culling, message, sizeof message);
    const bool named = result == ACRE_ERROR_FORMAT && atoi(message) == rule &&
                       acre_culling_validate(w->culling, NULL, 0) == ACRE_ERROR_FORMAT;
    if (!named) {
        printf("rule %d: %d, \"%s\"\n", rule, (int)result, message);
    }
    return named;
}

// Overwrites size bytes, validates, and puts them back.
static bool plant(const planted_world *w, void *at, const void *fault, size_t size, int rule)
{
    unsigned char kept[64];
    memcpy(kept, at, size);
    memcpy(at, fault, size);
    const bool named = names_rule(w, rule);
    memcpy(at, kept, size);
    return named && is_valid(w);
}

static bool plant_bits(const planted_world *w, uint32_t slot, uint32_t flipped, int rule)
{
    culling_slot *const own = culling_slot_at(w->culling, slot);
    const uint16_t bits = (uint16_t)(own->bits ^ flipped);
    return plant(w, &own->bits, &bits, sizeof bits, rule);
}

static bool plant_u32(const planted_world *w, uint32_t *at, uint32_t value, int rule)
{
    return plant(w, at, &value, sizeof value, rule);
}

static void a_sound_culler_is_valid(void)
{
    planted_world w;
    CHECK(make_planted(&w) && is_valid(&w));
    CHECK(acre_culling_validate(NULL, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    free_planted(&w);
}

static void planted_faults_of_arrays_and_places_are_named(void)
{
    planted_world w;
    CHECK(make_planted(&w));
    acre_culling *const culling = w.culling;
    const size_t none = 0;
    CHECK(plant(&w, &culling->never.any.capacity, &none, sizeof none, 1));
    CHECK(plant(&w, &culling->never_summary.any.capacity, &none, sizeof none, 1));
    CHECK(plant_u32(&w, &culling->rule_count, 1, 1));
    const uint64_t words[] = {0, 2};
    CHECK(plant(&w, culling->never_summary.data, &words[0], sizeof words[0], 2));
    CHECK(plant(&w, culling->never_summary.data, &words[1], sizeof words[1], 2));
    CHECK(plant_bits(&w, 0, SLOT_IN_STATIC, 3));
    CHECK(plant_bits(&w, 5, SLOT_IN_MOVING, 3));
    CHECK(plant_bits(&w, 0, SLOT_IN_MOVING, 4));
    CHECK(plant_bits(&w, 3, SLOT_IN_STATIC | SLOT_IN_MOVING, 4));
    CHECK(plant_bits(&w, 6, SLOT_IN_NEVER, 4));
    free_planted(&w);
}

static void planted_faults_of_entities_are_named(void)
{
    planted_world w;
    CHECK(make_planted(&w));
    acre_culling *const culling = w.culling;
    CHECK(plant_bits(&w, 0, SLOT_REGISTERED, 5));
    CHECK(plant_bits(&w, 4, SLOT_PUBLISHED, 5));
    const uint16_t generation = 77;
    CHECK(plant(&w, &culling_slot_at(culling, 1)->generation, &generation, sizeof generation, 5));
    CHECK(plant_u32(&w, &culling->tree_counts[TREE_MOVING], 3, 9));
    CHECK(plant_u32(&w, &culling->tree_counts[TREE_STATIC], 3, 9));
    CHECK(plant_u32(&w, &culling->never_count, 2, 9));
    // In the trees themselves.
    acre_quadtree *const moving = culling->trees[TREE_MOVING];
    const culling_table table = acre_culling_table(culling);
    const acre_aabb box = culling_box(&table, 7);
    CHECK(acre_quadtree_set_layers(moving, 2, 64) == ACRE_OK && names_rule(&w, 8));
    CHECK(acre_quadtree_set_layers(moving, 2, 4) == ACRE_OK && is_valid(&w));
    CHECK(acre_quadtree_remove(moving, 7) == ACRE_OK && names_rule(&w, 4));
    CHECK(acre_quadtree_insert(moving, 7, &box) == ACRE_OK);
    CHECK(acre_quadtree_set_layers(moving, 7, 128) == ACRE_OK && is_valid(&w));
    acre_aabb other = box;
    other.max[0] += 0.5f;
    CHECK(acre_quadtree_refresh(moving, 7, &other) == ACRE_OK && names_rule(&w, 7));
    CHECK(acre_quadtree_refresh(moving, 7, &box) == ACRE_OK && is_valid(&w));
    free_planted(&w);
}

static void an_entity_in_the_wrong_tree_is_named(void)
{
    planted_world w;
    CHECK(make_planted(&w));
    acre_culling *const culling = w.culling;
    acre_aabb box;
    CHECK(acre_quadtree_get_box(culling->trees[TREE_STATIC], 3, &box) == ACRE_OK);
    CHECK(acre_quadtree_remove(culling->trees[TREE_STATIC], 3) == ACRE_OK);
    CHECK(acre_quadtree_insert(culling->trees[TREE_MOVING], 3, &box) == ACRE_OK);
    culling_slot *const own = culling_slot_at(culling, 3);
    own->bits = (uint16_t)(own->bits ^ (SLOT_IN_STATIC | SLOT_IN_MOVING));
    CHECK(names_rule(&w, 6));
    culling->is_behind = true; // a shortage of memory leaves items in the other tree
    culling->tree_counts[TREE_STATIC]--;
    culling->tree_counts[TREE_MOVING]++;
    CHECK(is_valid(&w));
    CHECK(acre_scene_commit(w.scene) == ACRE_OK && !culling->is_behind && is_valid(&w));
    CHECK(acre_quadtree_contains(culling->trees[TREE_STATIC], 3));
    free_planted(&w);
}

// Puts a slot into the never-cull set of a culler that has no objects, and takes it out again.
static bool is_named_where_nothing_is(const planted_world *w, uint32_t slot)
{
    const acre_aabb none = acre_aabb_empty();
    if (!acre_culling_reserve_slots(w->culling, slot + 1)) {
        return false;
    }
    acre_culling_settle(w->culling, slot, SLOT_IN_NEVER, &none, 1);
    const bool is_named = names_rule(w, 5);
    acre_culling_leave(w->culling, slot);
    return is_named && is_valid(w);
}

static void what_is_in_a_place_before_there_are_objects_is_named(void)
{
    planted_world w;
    CHECK(acre_scene_create(NULL, &w.scene) == ACRE_OK);
    CHECK(acre_culling_create(w.scene, NULL, &w.culling) == ACRE_OK);
    CHECK(is_named_where_nothing_is(&w, 3));
    acre_culling_destroy(w.culling);
    CHECK(acre_culling_create_for_objects(NULL, &w.culling) == ACRE_OK);
    CHECK(is_named_where_nothing_is(&w, 3));
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    const uint32_t slot = 0;
    const acre_objects objects = {.slot_count = 1,
                                  .boxes = {box.min, box.max, 0, 0, ACRE_BOX_FORM_MIN_MAX},
                                  .added = &slot,
                                  .added_count = 1};
    CHECK(acre_culling_update(w.culling, &objects, NULL) == ACRE_OK && is_valid(&w));
    CHECK(plant_u32(&w, &w.culling->object_count, 2, 9));
    free_planted(&w);
}

// Its slots are no objects of a host.
static void a_scene_that_is_being_committed_has_no_entities(void)
{
#if ACRE_CHECK >= 1
    planted_world w;
    CHECK(make_planted(&w));
    CHECK(acre_culling_object(w.culling, 2).index1 == 3);
    CHECK(access_begin_write(&w.scene->access));
    const acre_entity entity = acre_culling_object(w.culling, 2);
    CHECK(entity.index1 == 0 && entity.generation == 0);
    access_end_write(&w.scene->access);
    CHECK(acre_culling_object(w.culling, 2).index1 == 3);
    free_planted(&w);
#endif
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_sound_culler_is_valid),
        TEST(planted_faults_of_arrays_and_places_are_named),
        TEST(planted_faults_of_entities_are_named),
        TEST(an_entity_in_the_wrong_tree_is_named),
        TEST(what_is_in_a_place_before_there_are_objects_is_named),
        TEST(a_scene_that_is_being_committed_has_no_entities),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
