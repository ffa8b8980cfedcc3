// SPDX-License-Identifier: MIT
// test_explain_horizon.c - whom acre_culling_explain names as those behind whom an entity is
// hidden: in scenes where it is known, and in towns, where rays in doubles are stopped by those
// named alone.
#include "culling_internal.h"
#include "failing_allocator.h"
#include "occluded_town.h"

#include <acre/explain.h>
#include <acre/horizon.h>
#include <acre/objects.h>

#include <math.h>
#include <string.h>

enum { MOST_WALLS = 16 };

// Walls and a target, as entities or as a host's objects; slot i is wall i, the last the target.
typedef struct walls {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entities[MOST_WALLS + 1];
    acre_aabb boxes[MOST_WALLS + 1];
    uint32_t count; // of walls
    acre_horizon *horizon;
    acre_view view;
} walls;

// A wall across x, 4 high.
static acre_aabb wall_at(float x, float from_z, float to_z)
{
    return (acre_aabb){{x, -2, from_z}, {x + 0.5f, 2, to_z}};
}

static void make_entities(walls *w)
{
    EXPECT(acre_scene_create(NULL, &w->scene) == ACRE_OK);
    EXPECT(acre_culling_create(w->scene, &(acre_culling_def){.register_all = true}, &w->culling) ==
           ACRE_OK);
    for (uint32_t i = 0; i <= w->count; i++) {
        const acre_entity_def def = {.bounds = &w->boxes[i]};
        EXPECT(acre_entity_create(w->scene, &def, &w->entities[i]) == ACRE_OK);
    }
    EXPECT(acre_scene_commit(w->scene) == ACRE_OK);
}

static void make_objects(walls *w)
{
    uint32_t slots[MOST_WALLS + 1];
    for (uint32_t i = 0; i <= w->count; i++) {
        slots[i] = i;
    }
    const acre_objects objects = {.slot_count = w->count + 1,
                                  .boxes = {w->boxes[0].min, w->boxes[0].max, sizeof *w->boxes,
                                            sizeof *w->boxes, ACRE_BOX_FORM_MIN_MAX},
                                  .added = slots,
                                  .added_count = w->count + 1};
    EXPECT(acre_culling_create_for_objects(NULL, &w->culling) == ACRE_OK);
    EXPECT(acre_culling_update(w->culling, &objects, NULL) == ACRE_OK);
    for (uint32_t i = 0; i <= w->count; i++) {
        w->entities[i] = acre_culling_object(w->culling, i);
    }
}

// The target stands behind all walls, 2 wide.
static void make_walls(walls *w, const acre_aabb *boxes, uint32_t count, bool of_host)
{
    *w = (walls){.count = count};
    memcpy(w->boxes, boxes, count * sizeof *boxes);
    w->boxes[count] = (acre_aabb){{60, -0.5f, -1}, {61, 0.5f, 1}};
    if (of_host) {
        make_objects(w);
    } else {
        make_entities(w);
    }
    for (uint32_t i = 0; i < count; i++) {
        acre_occluder occluder;
        EXPECT(acre_occluder_from_box(&occluder, &boxes[i]) == ACRE_OK);
        EXPECT(acre_culling_set_occluders(w->culling, w->entities[i], &occluder, 1) == ACRE_OK);
    }
    const float eye[3] = {0, 0, 0};
    EXPECT(acre_horizon_create(&(acre_horizon_def){.columns = 4096}, &w->horizon) == ACRE_OK);
    w->view = town_view_at(eye, 0, 0, 1);
    EXPECT(acre_horizon_begin(w->horizon, w->view.eye, NULL, 0) == ACRE_OK);
    w->view.horizon = w->horizon;
}

static void free_walls(walls *w)
{
    acre_horizon_destroy(w->horizon);
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

static acre_explanation why_not(const walls *w, uint32_t slot)
{
    acre_explanation why = {.rule = 99};
    EXPECT(acre_culling_explain(w->culling, &w->view, NULL, w->entities[slot], &why) == ACRE_OK);
    return why;
}

// @param slots of those that should be named, in this order
static bool names(const walls *w, const acre_explanation *why, const uint32_t *slots,
                  uint32_t count)
{
    bool is_so = why->hidden_by == ACRE_HIDDEN_BY_OCCLUSION && why->margin == 0 &&
                 why->hidden_behind_count == count;
    for (uint32_t i = 0; i < count && is_so; i++) {
        is_so = memcmp(&why->hidden_behind[i], &w->entities[slots[i]], sizeof(acre_entity)) == 0;
    }
    return is_so;
}

static void the_walls_before_an_object_are_named(void)
{
    for (int of_host = 0; of_host < 2; of_host++) {
        walls w;
        // One before the target, one beside it, one behind the first.
        const acre_aabb one[] = {wall_at(20, -4, 4), wall_at(10, 6, 9), wall_at(30, -2, 2)};
        make_walls(&w, one, 3, of_host);
        acre_explanation why = why_not(&w, 3);
        CHECK(names(&w, &why, (uint32_t[]){0}, 1));
        char text[200];
        CHECK(acre_explanation_text(&why, text, sizeof text) == strlen(text));
        CHECK(strcmp(text, "hidden behind others: slot 0; in the moving tree") == 0);
        why = why_not(&w, 0);
        CHECK(why.hidden_by == ACRE_HIDDEN_BY_NOTHING && why.hidden_behind_count == 0);
        why = why_not(&w, 2);
        CHECK(names(&w, &why, (uint32_t[]){0}, 1));
        w.view.horizon = NULL;
        CHECK(why_not(&w, 3).hidden_by == ACRE_HIDDEN_BY_NOTHING);
        free_walls(&w);
        // Two that hide it together, the nearer one second; and one before neither.
        const acre_aabb two[] = {wall_at(30, -0.2f, 4), wall_at(10, 6, 9), wall_at(20, -4, 0.2f)};
        make_walls(&w, two, 3, of_host);
        why = why_not(&w, 3);
        CHECK(names(&w, &why, (uint32_t[]){2, 0}, 2));
        CHECK(acre_explanation_text(&why, text, sizeof text) == strlen(text));
        CHECK(strcmp(text, "hidden behind others: slots 2, 0; in the moving tree") == 0);
        free_walls(&w);
    }
}

// Ten slats, each a little farther than the one before, all needed.
static void of_many_the_nearest_are_named(void)
{
    acre_aabb boxes[10];
    uint32_t slots[10];
    for (uint32_t i = 0; i < 10; i++) {
        const float x = 50 - (float)i, z = -1.1f + 0.22f * (float)i; // the last is the nearest
        boxes[i] = wall_at(x, (z - 0.06f) * x / 60, (z + 0.28f) * x / 60);
        slots[i] = 9 - i;
    }
    walls w;
    make_walls(&w, boxes, 10, false);
    const acre_explanation why = why_not(&w, 10);
    CHECK(names(&w, &why, slots, ACRE_EXPLANATION_OCCLUDERS));
    char text[200];
    CHECK(acre_explanation_text(&why, text, sizeof text) == strlen(text));
    CHECK(strstr(text, "slots 9, 8, 7, 6, 5, 4, 3, 2;") != NULL);
    free_walls(&w);
}

// One over the other: each hides a part of the height.
static void what_stands_over_another_is_named_with_it(void)
{
    acre_aabb boxes[2] = {wall_at(20, -4, 4), wall_at(25, -5, 5)};
    boxes[0].max[1] = 0.05f;
    boxes[1].min[1] = -0.05f;
    walls w;
    make_walls(&w, boxes, 2, true);
    const acre_explanation why = why_not(&w, 2);
    CHECK(names(&w, &why, (uint32_t[]){0, 1}, 2));
    free_walls(&w);
}

static void an_explanation_leaves_the_horizon_as_a_query_does(void)
{
    const acre_aabb boxes[] = {wall_at(20, -4, 4), wall_at(10, 6, 9), wall_at(30, -9, -2)};
    walls w;
    size_t total;
    make_walls(&w, boxes, 3, false);
    const acre_aabb behind_all[] = {
        {{60, 0, -1}, {61, 1, 0}}, {{20, 0, 13}, {21, 1, 14}}, {{60, 0, -9}, {61, 1, -8}}};
    CHECK(why_not(&w, 3).hidden_behind_count == 1);
    for (int i = 0; i < 3; i++) {
        CHECK(acre_horizon_hides(w.horizon, &behind_all[i]));
    }
    acre_horizon_stats before, after;
    acre_horizon_get_stats(w.horizon, &before);
    CHECK(before.asked == 0 && before.occluders == 0); // there was no query yet
    CHECK(acre_culling_query_view(w.culling, &w.view, NULL, 0, &total) == ACRE_OK && total == 3);
    acre_horizon_get_stats(w.horizon, &before);
    CHECK(why_not(&w, 3).hidden_behind_count == 1);
    acre_horizon_get_stats(w.horizon, &after);
    CHECK(before.occluders == 3 && before.asked == after.asked && before.kept == after.kept &&
          before.dropped == after.dropped && before.occluders == after.occluders);
    free_walls(&w);
}

// ---- refusals ----

static void what_a_query_refuses_is_not_explained(void)
{
    const acre_aabb boxes[] = {wall_at(20, -4, 4)};
    walls w;
    make_walls(&w, boxes, 1, false);
    acre_explanation why = {.rule = 77};
    const float beside[3] = {0, 0, 1};
    CHECK(acre_horizon_begin(w.horizon, beside, NULL, 0) == ACRE_OK);
    CHECK(acre_culling_explain(w.culling, &w.view, NULL, w.entities[1], &why) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    // An entity that something else hides does not ask the horizon.
    w.view.max_distance = 50;
    CHECK(why_not(&w, 1).hidden_by == ACRE_HIDDEN_BY_MAX_DISTANCE);
    w.view.max_distance = 0;
    acre_horizon_destroy(w.horizon);
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(acre_horizon_create(&(acre_horizon_def){.allocator = &memory.allocator}, &w.horizon) ==
          ACRE_OK);
    w.view.horizon = w.horizon;
    CHECK(acre_horizon_begin(w.horizon, w.view.eye, NULL, 0) == ACRE_OK);
    for (int i = 0; i < 600; i++) { // twice as many do not fit into what a horizon has at first
        acre_entity entity;
        CHECK(acre_entity_create(w.scene, &(acre_entity_def){.flags = ACRE_ENTITY_NEVER_CULL},
                                 &entity) == ACRE_OK);
    }
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    CHECK(acre_culling_explain(w.culling, &w.view, NULL, w.entities[1], &why) ==
          ACRE_ERROR_OUT_OF_MEMORY);
    CHECK(why.rule == 77);
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    why = why_not(&w, 1);
    CHECK(names(&w, &why, (uint32_t[]){0}, 1));
    free_walls(&w);
    CHECK(failing_allocator_fault(&memory) == NULL && memory.live_blocks == 0);
}

// ---- towns ----

typedef struct tally {
    int hidden, lists, named, enough, needed;
} tally;

static int body_of(const town *w, acre_entity entity)
{
    int found = -1;
    for (int i = 0; i < TOWN_BODIES; i++) {
        found = memcmp(&w->bodies[i].entity, &entity, sizeof entity) == 0 ? i : found;
    }
    return found;
}

// Whether the occluders of the named ones hide a box, all but one; the nearest first.
static bool named_hide(const town *w, const acre_view *view, const acre_explanation *why,
                       uint32_t but, acre_horizon *by_hand)
{
    const culling_table table = acre_culling_table(w->culling);
    EXPECT(acre_horizon_begin(by_hand, view->eye, NULL, TOWN_NEAR_RADIUS) == ACRE_OK);
    for (uint32_t i = 0; i < why->hidden_behind_count; i++) {
        if (i != but) {
            const uint32_t slot = why->hidden_behind[i].index1 - 1;
            (void)acre_culling_add_occluders(w->culling, &table, slot, by_hand);
        }
    }
    return acre_horizon_hides(by_hand, &why->box);
}

// Rays to what is hidden are stopped by those named alone.
static void check_named(town *w, const acre_view *view, const acre_explanation *why,
                        acre_horizon *by_hand, tally *sum)
{
    bool drawn[TOWN_BODIES] = {false};
    sum->hidden++;
    if (why->hidden_behind_count == ACRE_EXPLANATION_OCCLUDERS) {
        return; // there may be more
    }
    for (uint32_t i = 0; i < why->hidden_behind_count; i++) {
        const int body = body_of(w, why->hidden_behind[i]);
        CHECK(body >= 0 && w->bodies[body].is_occluder && !drawn[body]);
        drawn[body] = true;
        sum->needed += !named_hide(w, view, why, i, by_hand);
    }
    CHECK(why->hidden_behind_count > 0 && !town_ray_reaches(w, view, drawn, &why->box));
    sum->lists++;
    sum->named += (int)why->hidden_behind_count;
    sum->enough += named_hide(w, view, why, UINT32_MAX, by_hand);
}

static bool holds_slot(const uint32_t *slots, size_t count, uint32_t slot)
{
    bool is_there = false;
    for (size_t i = 0; i < count; i++) {
        is_there |= slots[i] == slot;
    }
    return is_there;
}

// What a query and an explanation say of each body must agree.
static void explain_all(town *w, acre_view view, acre_horizon *horizon, acre_horizon *by_hand,
                        tally *sum)
{
    uint32_t plain[TOWN_BODIES], walk[TOWN_BODIES];
    size_t plain_count, walk_count;
    EXPECT(acre_culling_query_view(w->culling, &view, plain, TOWN_BODIES, &plain_count) == ACRE_OK);
    view.horizon = horizon;
    EXPECT(acre_horizon_begin(horizon, view.eye, NULL, TOWN_NEAR_RADIUS) == ACRE_OK);
    EXPECT(acre_culling_query_view(w->culling, &view, walk, TOWN_BODIES, &walk_count) == ACRE_OK);
    for (int i = 0; i < TOWN_BODIES; i++) {
        acre_explanation why;
        const uint32_t slot = w->bodies[i].entity.index1 - 1;
        CHECK(acre_culling_explain(w->culling, &view, NULL, w->bodies[i].entity, &why) == ACRE_OK);
        const bool is_behind = why.hidden_by == ACRE_HIDDEN_BY_OCCLUSION;
        CHECK(is_behind ==
              (holds_slot(plain, plain_count, slot) && !holds_slot(walk, walk_count, slot)));
        CHECK((why.hidden_by == ACRE_HIDDEN_BY_NOTHING) == holds_slot(walk, walk_count, slot));
        if (is_behind) {
            check_named(w, &view, &why, by_hand, sum);
        }
    }
}

static void those_named_hide_by_themselves(void)
{
    tally sum = {0};
    town w;
    acre_horizon *horizon, *by_hand;
    CHECK(town_make(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &by_hand) == ACRE_OK);
    for (uint32_t frame = 0; frame < 6 * test_scale; frame++) {
        explain_all(&w, town_draw_view(&w), horizon, by_hand, &sum);
        town_edit(&w);
    }
    // Added by their distance and not in the order of the walk, they may do a little less.
    CHECK(sum.lists > 100 && sum.lists * 2 > sum.hidden);
    CHECK(sum.enough * 50 >= sum.lists * 49 && sum.needed * 50 >= sum.named * 49);
    acre_horizon_destroy(horizon);
    acre_horizon_destroy(by_hand);
    town_free(&w);
}

// What a set will find, and what one that is frozen keeps.
static void a_set_is_explained_by_what_it_finds(void)
{
    town w;
    acre_horizon *horizon;
    acre_visible_set *set;
    CHECK(town_make(&w, test_seed + 1, ACRE_KERNEL_DEFAULT, NULL));
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    CHECK(acre_visible_set_create(NULL, &set) == ACRE_OK);
    const float eye[3] = {3, 1.7f, 2};
    acre_view view = town_view_at(eye, 0.3f, 0, 1.2f);
    view.horizon = horizon;
    view.hysteresis = 0.1f;
    view.max_distance = 30;
    bool is_kept[TOWN_BODIES];
    int hidden = 0;
    for (int frame = 0; frame < 6; frame++) { // the last ones find it frozen
        const bool is_frozen = frame >= 3;
        CHECK(acre_horizon_begin(horizon, view.eye, NULL, TOWN_NEAR_RADIUS) == ACRE_OK);
        int differ = 0;
        acre_hidden_by by[TOWN_BODIES];
        for (int i = 0; i < TOWN_BODIES; i++) {
            acre_explanation why;
            CHECK(acre_culling_explain(w.culling, &view, set, w.bodies[i].entity, &why) == ACRE_OK);
            by[i] = why.hidden_by;
            hidden += by[i] == ACRE_HIDDEN_BY_OCCLUSION;
            CHECK((why.hidden_behind_count > 0) ==
                  (by[i] == ACRE_HIDDEN_BY_OCCLUSION && !is_frozen));
        }
        CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
        const acre_visible found = acre_visible_set_get(set);
        for (int i = 0; i < TOWN_BODIES; i++) {
            is_kept[i] = holds_slot(found.slots, found.count, w.bodies[i].entity.index1 - 1);
            differ += is_kept[i] != (by[i] == ACRE_HIDDEN_BY_NOTHING);
        }
        CHECK(differ == 0);
        if (frame == 2) {
            CHECK(acre_visible_set_freeze(set, true) == ACRE_OK);
        } else {
            town_edit(&w);
        }
    }
    CHECK(hidden > 5);
    acre_visible_set_destroy(set);
    acre_horizon_destroy(horizon);
    town_free(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_walls_before_an_object_are_named),
        TEST(of_many_the_nearest_are_named),
        TEST(what_stands_over_another_is_named_with_it),
        TEST(an_explanation_leaves_the_horizon_as_a_query_does),
        TEST(what_a_query_refuses_is_not_explained),
        TEST(those_named_hide_by_themselves),
        TEST(a_set_is_explained_by_what_it_finds),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
