// SPDX-License-Identifier: MIT
// test_culling_trace.c - the trace of a view shows what the view sees, entity by entity.
#include "view_world.h"

#include <acre/objects.h>

#include <stdlib.h>
#include <string.h>

enum { ROOM = 8192 };

static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;

// What a trace showed.
typedef struct traced {
    acre_trace_state of_slot[ROOM]; // 0: not shown
    size_t states[ACRE_TRACE_SKIPPED + 1];
    size_t calls, stop_after, without_node;
    bool is_wrong;
} traced;

static bool take_step(void *user, const acre_trace_step *step)
{
    traced *const out = user;
    out->calls++;
    if (step->part == ACRE_TRACE_ITEM) {
        out->is_wrong |= step->item >= ROOM || out->of_slot[step->item % ROOM] != 0;
        out->of_slot[step->item % ROOM] = step->state;
        out->states[step->state]++;
        out->without_node += step->node == NULL;
    }
    return out->calls != out->stop_after;
}

static bool is_found(acre_trace_state state)
{
    return state == ACRE_TRACE_INSIDE || state == ACRE_TRACE_KEPT;
}

// NULL, or what differs between a view's trace and what it sees.
static const char *compare_with_query(const acre_culling *culling, const acre_view *view,
                                      traced *out)
{
    static uint32_t slots[ROOM];
    acre_culling_stats stats;
    size_t found = 0, total = 0;
    memset(out, 0, sizeof *out);
    acre_culling_get_stats(culling, &stats);
    if (acre_culling_trace(culling, view, take_step, out) != ACRE_OK || out->is_wrong) {
        return "the trace fails";
    }
    if (acre_culling_query_view(culling, view, slots, ROOM, &total) != ACRE_OK) {
        return "the query fails";
    }
    for (size_t i = 0; i < total; i++) {
        if (!is_found(out->of_slot[slots[i]])) {
            return "the trace does not show what the view sees";
        }
    }
    for (uint32_t slot = 0; slot < ROOM; slot++) {
        found += is_found(out->of_slot[slot]);
    }
    const size_t shown = out->states[ACRE_TRACE_INSIDE] + out->states[ACRE_TRACE_KEPT] +
                         out->states[ACRE_TRACE_DROPPED] + out->states[ACRE_TRACE_SKIPPED];
    return found != total ? "the trace shows more than the view sees"
           : shown != stats.moving.items + stats.still.items + stats.never_culled
               ? "the trace does not show every entity"
           : out->without_node != stats.never_culled ? "never-culled entities stand in no node"
                                                     : NULL;
}

static void a_trace_shows_what_the_view_sees_in_random_worlds(void)
{
    static traced out;
    size_t states[ACRE_TRACE_SKIPPED + 1] = {0}, without_node = 0;
    for (uint32_t i = 0; i < 6 * test_scale; i++) {
        view_world world;
        view_rig rig;
        const view_world_def def = {
            .seed = test_seed + i, .entities = 400, .register_all = i % 2 == 0};
        CHECK(view_world_create(&world, &def));
        CHECK(view_rig_create(&rig, test_seed + i, 0, NULL));
        for (int frame = 0; frame < 60; frame++) {
            const char *fault = view_world_frame(&world);
            view_rig_move(&rig, &world);
            fault = fault ? fault : compare_with_query(world.culling, &rig.view, &out);
            if (fault) {
                printf("     world %u, frame %d: %s\n", i, frame, fault);
            }
            CHECK(!fault);
            for (int state = ACRE_TRACE_INSIDE; state <= ACRE_TRACE_SKIPPED; state++) {
                states[state] += out.states[state];
            }
            without_node += out.without_node;
        }
        view_rig_destroy(&rig);
        view_world_destroy(&world);
    }
    for (int state = ACRE_TRACE_INSIDE; state <= ACRE_TRACE_SKIPPED; state++) {
        CHECK(states[state] > 100);
    }
    CHECK(without_node > 100);
}

// Three boxes in a row along x; the last is static.
static bool make_row(acre_scene **scene, acre_culling **culling, acre_entity *out)
{
    bool ok =
        acre_scene_create(NULL, scene) == ACRE_OK &&
        acre_culling_create(*scene, &(acre_culling_def){.register_all = true}, culling) == ACRE_OK;
    for (uint32_t i = 0; ok && i < 3; i++) {
        const float x = 10.0f * (float)i;
        const acre_aabb box = {{x, 0, 0}, {x + 1, 1, 1}};
        ok = acre_entity_create(
                 *scene,
                 &(acre_entity_def){.bounds = &box, .flags = i == 2 ? ACRE_ENTITY_STATIC : 0},
                 &out[i]) == ACRE_OK;
    }
    return ok && acre_scene_commit(*scene) == ACRE_OK;
}

static void rules_drop_what_the_tree_found(void)
{
    static traced out;
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_entity row[3];
    CHECK(make_row(&scene, &culling, row));
    acre_view view = {.max_distance = 12.0f};
    CHECK(compare_with_query(culling, &view, &out) == NULL);
    CHECK(out.of_slot[0] == ACRE_TRACE_INSIDE && out.of_slot[1] == ACRE_TRACE_INSIDE);
    CHECK(out.of_slot[2] == ACRE_TRACE_DROPPED);
    view.max_distance = 0.0f;
    CHECK(compare_with_query(culling, &view, &out) == NULL);
    CHECK(out.of_slot[2] == ACRE_TRACE_INSIDE);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

// Six objects in a row: one hidden, one static, one never culled, one in another layer, one
// removed.
static void a_trace_shows_the_objects_of_a_host(void)
{
    enum { OBJECTS = 6 };
    static traced out;
    static const uint32_t slots[OBJECTS] = {0, 1, 2, 3, 4, 5};
    static const uint32_t layers[OBJECTS] = {1, 1, 1, 1, 2, 1};
    static const uint32_t flags[OBJECTS] = {0, ACRE_ENTITY_HIDDEN, ACRE_ENTITY_STATIC,
                                            ACRE_ENTITY_NEVER_CULL};
    acre_aabb boxes[OBJECTS];
    acre_culling *host = NULL;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        const float x = 10.0f * (float)i;
        boxes[i] = (acre_aabb){{x, 0, 0}, {x + 1, 1, 1}};
    }
    acre_objects objects = {
        .slot_count = OBJECTS,
        .boxes = {boxes[0].min, boxes[0].max, sizeof *boxes, sizeof *boxes, ACRE_BOX_FORM_MIN_MAX},
        .flags = flags,
        .layers = layers,
        .added = slots,
        .added_count = OBJECTS};
    CHECK(acre_culling_create_for_objects(NULL, &host) == ACRE_OK);
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
    objects.added_count = 0;
    objects.removed = &slots[5];
    objects.removed_count = 1;
    CHECK(acre_culling_update(host, &objects, NULL) == ACRE_OK);
    acre_view view = {.layers = 1};
    CHECK(compare_with_query(host, &view, &out) == NULL);
    CHECK(is_found(out.of_slot[0]) && is_found(out.of_slot[2]) && is_found(out.of_slot[3]));
    CHECK(out.of_slot[1] == 0 && !is_found(out.of_slot[4]) && out.of_slot[5] == 0);
    view.max_distance = 15.0f;
    CHECK(compare_with_query(host, &view, &out) == NULL);
    CHECK(is_found(out.of_slot[0]) && out.of_slot[2] == ACRE_TRACE_DROPPED);
    acre_culling_destroy(host);
}

static bool draw_step(void *user, const acre_trace_step *step)
{
    acre_debug_draw_trace_step(user, step);
    return true;
}

static void a_trace_stops_when_told_to_in_either_tree(void)
{
    static traced out;
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_entity row[3];
    const acre_view view = {.layers = 0};
    CHECK(make_row(&scene, &culling, row));
    CHECK(compare_with_query(culling, &view, &out) == NULL);
    const size_t all = out.calls;
    for (size_t most = 1; most <= all; most++) {
        out = (traced){.stop_after = most};
        CHECK(acre_culling_trace(culling, &view, take_step, &out) == ACRE_OK);
        CHECK(out.calls == most);
    }
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static void count_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    (void)box;
    (void)rgba;
    ++*(size_t *)user;
}

static void a_trace_is_drawn_of_both_trees(void)
{
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_entity row[3];
    size_t boxes = 0;
    const acre_view view = {.layers = 0};
    acre_debug_draw draw = {.user = &boxes, .flags = ACRE_DEBUG_ITEMS, .box = count_box};
    CHECK(make_row(&scene, &culling, row));
    CHECK(acre_culling_trace(culling, &view, draw_step, &draw) == ACRE_OK && boxes == 3);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static void what_is_no_view_is_not_traced(void)
{
    static traced out;
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_entity row[3];
    const acre_view view = {.layers = 0}, wrong = {.max_distance = -1.0f};
    CHECK(make_row(&scene, &culling, row));
    out = (traced){.calls = 0};
    CHECK(acre_culling_trace(NULL, &view, take_step, &out) == bad);
    CHECK(acre_culling_trace(culling, NULL, take_step, &out) == bad);
    CHECK(acre_culling_trace(culling, &wrong, take_step, &out) == bad);
    CHECK(acre_culling_trace(culling, &view, NULL, &out) == bad);
    CHECK(out.calls == 0);
    acre_scene_destroy(scene); // an orphan sees nothing
    CHECK(acre_culling_trace(culling, &view, take_step, &out) == ACRE_OK && out.calls == 0);
    acre_culling_destroy(culling);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_trace_shows_what_the_view_sees_in_random_worlds),
        TEST(rules_drop_what_the_tree_found),
        TEST(a_trace_shows_the_objects_of_a_host),
        TEST(a_trace_stops_when_told_to_in_either_tree),
        TEST(a_trace_is_drawn_of_both_trees),
        TEST(what_is_no_view_is_not_traced),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
