// SPDX-License-Identifier: MIT
// test_lods.c - the LODs of a camera's set for the slots of another view: equal to what the set and
// the test of one box tell slot by slot, over a scene and over a host's objects.
#include "test.h"

#include <acre/draw_list.h>
#include <acre/objects.h>
#include <acre/visible_set.h>

#include <string.h>

enum { COUNT = 400, HIDDEN = 7, BARE = 11, ASKED = COUNT + 50 };

static acre_aabb boxes[COUNT];
static uint32_t flags[COUNT], keys[COUNT];
static uint16_t rules[COUNT]; // by slot; the first is number 1

static const acre_visibility_rule table[2] = {{.max_distance = 60, .lod_pixels = {80, 40, 10}},
                                              {.min_pixels = 30, .lod_pixels = {200, 25}}};

static void make_objects(test_random *random)
{
    for (uint32_t slot = 0; slot < COUNT; slot++) {
        for (int k = 0; k < 3; k++) {
            const float at = random_float(random, -60, 60);
            const float half = random_float(random, 0, 3);
            boxes[slot].min[k] = at - half;
            boxes[slot].max[k] = at + half;
        }
        flags[slot] = slot == HIDDEN   ? ACRE_ENTITY_HIDDEN
                      : slot % 50 == 1 ? ACRE_ENTITY_NEVER_CULL
                      : slot % 3 == 0  ? ACRE_ENTITY_STATIC
                                       : 0u;
        rules[slot] = (uint16_t)(slot % 3);
        keys[slot] = slot % 5;
    }
}

static bool fill_scene(acre_scene *scene)
{
    for (uint32_t slot = 0; slot < COUNT; slot++) {
        acre_entity entity;
        const acre_entity_def def = {.bounds = slot == BARE ? NULL : &boxes[slot],
                                     .flags = flags[slot]};
        if (acre_entity_create(scene, &def, &entity) != ACRE_OK) {
            return false;
        }
    }
    return acre_scene_commit(scene) == ACRE_OK;
}

static bool fill_host(acre_culling *host)
{
    uint32_t added[COUNT];
    acre_aabb given[COUNT];
    for (uint32_t slot = 0; slot < COUNT; slot++) {
        added[slot] = slot;
        given[slot] = slot == BARE ? acre_aabb_empty() : boxes[slot];
    }
    const acre_objects objects = {.slot_count = COUNT,
                                  .boxes = {.first = given[0].min,
                                            .second = given[0].max,
                                            .first_stride = sizeof given[0],
                                            .second_stride = sizeof given[0]},
                                  .flags = flags,
                                  .added = added,
                                  .added_count = COUNT};
    return acre_culling_update(host, &objects, NULL) == ACRE_OK;
}

// The view of a camera that wanders.
static bool make_view(acre_view *out, uint32_t frame, float hysteresis)
{
    acre_camera camera;
    const float at = (float)frame;
    const float eye[3] = {3 * at - 30, 5, 2 * at}, target[3] = {0, 0, -at}, up[3] = {0, 1, 0};
    if (acre_camera_perspective(&camera, 1.0f, 1.6f, 0.1f, 90, ACRE_CLIP_ZERO_TO_ONE) != ACRE_OK ||
        acre_camera_look_at(&camera, eye, target, up) != ACRE_OK ||
        acre_view_from_camera(out, &camera) != ACRE_OK ||
        acre_view_set_viewport(out, &camera, 600) != ACRE_OK) {
        return false;
    }
    out->hysteresis = hysteresis;
    return true;
}

// Slot by slot: what the set has, else what the test of one box says.
static uint8_t expected_lod(const acre_visible *seen, const acre_view *view, uint32_t slot)
{
    for (size_t i = 0; i < seen->count; i++) {
        if (seen->slots[i] == slot) {
            return seen->lods[i];
        }
    }
    uint32_t lod = 0;
    if (slot < COUNT && slot != HIDDEN && slot != BARE) {
        (void)acre_view_test_rules(view, rules[slot] ? &table[rules[slot] - 1] : NULL, &boxes[slot],
                                   NULL, &lod);
    }
    return (uint8_t)lod;
}

static bool same_draws(const acre_culling *culling, const uint32_t *slots, size_t count,
                       const uint8_t *lods, const uint8_t *expected)
{
    acre_draw_list *lists[2];
    acre_draw draws[2];
    bool is_good = true;
    for (int i = 0; i < 2; i++) {
        const acre_draw_input input = {.slots = slots,
                                       .count = count,
                                       .lods = i ? expected : lods,
                                       .keys = keys,
                                       .key_count = COUNT};
        is_good = acre_draw_list_create(NULL, &lists[i]) == ACRE_OK &&
                  acre_draw_list_build(lists[i], culling, &input) == ACRE_OK && is_good;
        draws[i] = acre_draw_list_get(lists[i]);
    }
    is_good = is_good && draws[0].range_count == draws[1].range_count &&
              memcmp(draws[0].ranges, draws[1].ranges,
                     draws[0].range_count * sizeof *draws[0].ranges) == 0 &&
              memcmp(draws[0].slots, draws[1].slots, count * sizeof *slots) == 0;
    acre_draw_list_destroy(lists[0]);
    acre_draw_list_destroy(lists[1]);
    return is_good;
}

static bool is_as_slot_by_slot(const acre_culling *culling, const acre_visible_set *set,
                               test_random *random, uint32_t *kinds)
{
    const acre_visible seen = acre_visible_set_get(set);
    const acre_view *const view = acre_visible_set_view(set);
    uint32_t slots[ASKED];
    uint8_t lods[ASKED + 1], expected[ASKED];
    size_t count = 0;
    for (uint32_t i = 0; i < ASKED; i++) {
        const uint32_t slot = random_below(random, COUNT);
        slots[count] = slot;
        expected[count] = expected_lod(&seen, view, slot);
        count += slot != HIDDEN && slot != BARE;
    }
    memset(lods, 0xa5, sizeof lods);
    if (acre_culling_find_lods(culling, set, slots, count, lods) != ACRE_OK ||
        memcmp(lods, expected, count) != 0 || lods[count] != 0xa5) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        *kinds |= 1u << lods[i];
    }
    return same_draws(culling, slots, count, lods, expected);
}

static void lods_are_those_of_the_set_and_of_its_view(void)
{
    test_random random = {test_seed};
    make_objects(&random);
    acre_scene *scene;
    acre_culling *cullers[2];
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &cullers[0]) ==
          ACRE_OK);
    CHECK(acre_culling_create_for_objects(NULL, &cullers[1]) == ACRE_OK);
    CHECK(fill_scene(scene) && fill_host(cullers[1]));
    for (int i = 0; i < 2; i++) {
        CHECK(acre_culling_set_rules(cullers[i], table, 2) == ACRE_OK);
        CHECK(acre_culling_set_rule_numbers(cullers[i], rules, 0, COUNT) == ACRE_OK);
        for (uint32_t kind = 0; kind < 4; kind++) {
            const acre_visible_set_def def = {.flags = ACRE_VISIBLE_LODS |
                                                       (kind & 1 ? ACRE_VISIBLE_CHANGES : 0)};
            acre_visible_set *set;
            uint32_t kinds = 0;
            CHECK(acre_visible_set_create(&def, &set) == ACRE_OK);
            for (uint32_t frame = 0; frame < 20; frame++) {
                acre_view view;
                CHECK(make_view(&view, frame, kind & 2 ? 0.3f : 0.0f));
                CHECK(acre_culling_find_visible(cullers[i], &view, set) == ACRE_OK);
                CHECK(is_as_slot_by_slot(cullers[i], set, &random, &kinds));
            }
            CHECK(kinds == 15); // LODs 0 to 3
            acre_visible_set_destroy(set);
        }
        acre_culling_destroy(cullers[i]);
    }
    acre_scene_destroy(scene);
}

static void what_has_no_lods_is_refused(void)
{
    static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;
    const acre_visible_set_def with_lods = {.flags = ACRE_VISIBLE_LODS};
    const uint32_t slots[4] = {0, HIDDEN, BARE, COUNT + 9};
    uint8_t lods[4] = {9, 9, 9, 9};
    test_random random = {test_seed};
    acre_culling *host, *other;
    acre_visible_set *set, *plain;
    acre_view view;
    make_objects(&random);
    CHECK(acre_culling_create_for_objects(NULL, &host) == ACRE_OK && fill_host(host));
    CHECK(acre_culling_create_for_objects(NULL, &other) == ACRE_OK && fill_host(other));
    CHECK(acre_visible_set_create(&with_lods, &set) == ACRE_OK);
    CHECK(acre_visible_set_create(NULL, &plain) == ACRE_OK);
    CHECK(make_view(&view, 1, 0));
    CHECK(acre_culling_find_lods(host, set, slots, 1, lods) == bad); // not found yet
    CHECK(acre_culling_find_visible(host, &view, set) == ACRE_OK);
    CHECK(acre_culling_find_visible(host, &view, plain) == ACRE_OK);
    CHECK(acre_culling_find_lods(host, plain, slots, 1, lods) == bad);
    CHECK(acre_culling_find_lods(other, set, slots, 1, lods) == bad);
    CHECK(acre_culling_find_lods(NULL, set, slots, 1, lods) == bad);
    CHECK(acre_culling_find_lods(host, NULL, slots, 1, lods) == bad);
    CHECK(acre_culling_find_lods(host, set, NULL, 1, lods) == bad);
    CHECK(acre_culling_find_lods(host, set, slots, 1, NULL) == bad && lods[0] == 9);
    CHECK(acre_culling_find_lods(host, set, NULL, 0, NULL) == ACRE_OK);
    CHECK(acre_culling_find_lods(host, set, slots, 4, lods) == ACRE_ERROR_NOT_FOUND);
    CHECK(lods[1] == 0 && lods[2] == 0 && lods[3] == 0);
    acre_visible_set_clear(set);
    CHECK(acre_culling_find_lods(host, set, slots, 1, lods) == bad);
    acre_visible_set_destroy(set);
    acre_visible_set_destroy(plain);
    acre_culling_destroy(host);
    acre_culling_destroy(other);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(lods_are_those_of_the_set_and_of_its_view),
        TEST(what_has_no_lods_is_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
