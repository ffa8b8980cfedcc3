// SPDX-License-Identifier: MIT
// scenario_culling.c - the recorded scenario of the culler: registering, refreshing, cameras.
#include "culling_counts.h"
#include "scenario.h"
#include "scene_edits.h"

#include <acre/culling.h>
#include <acre/draw_list.h>

#include <string.h>

#define FRAMES 48u

typedef struct culling_scenario {
    scene_edits edits;
    acre_culling *culling;
    acre_draw_list *list;
    uint64_t queries, answers, draws;
    uint32_t slots[2 * SCENE_EDITS_ENTITIES];
} culling_scenario;

// The stored matrices as projections, behind a view that turns by a stored angle and flies ahead.
static acre_camera camera_of(int index, uint32_t frame)
{
    acre_camera camera = {.clip = scenario_clips[index], .layers = (uint32_t)index};
    memcpy(camera.projection, scenario_matrices[index], sizeof camera.projection);
    const float sine = frame % 2 == 0 ? 0.6f : -0.28f;
    const float cosine = frame % 2 == 0 ? 0.8f : 0.96f;
    const float view[16] = {cosine, 0.0f, -sine, 0.0f,  0.0f,
                            1.0f,   0.0f, 0.0f,  sine,  0.0f,
                            cosine, 0.0f, 0.0f,  -3.0f, 1.1f * (float)frame,
                            1.0f};
    memcpy(camera.view, view, sizeof camera.view);
    return camera;
}

// What was found, grouped by user values and sorted from the middle of the scene.
static void make_drawable(culling_scenario *scenario, size_t count, uint32_t frame)
{
    const acre_draw_input input = {.slots = scenario->slots,
                                   .count = count,
                                   .flags = ACRE_DRAW_USER_KEYS |
                                            (frame % 4 == 3 ? (uint32_t)ACRE_DRAW_UNGROUPED : 0),
                                   .order = (acre_draw_order)(frame % 3),
                                   .eye = {0.5f * (float)frame, 1.0f, -2.0f},
                                   .matrices = frame % 2 ? ACRE_MATRIX_ROWS : ACRE_MATRIX_COLUMNS};
    expect(acre_draw_list_build(scenario->list, scenario->culling, &input) == ACRE_OK, "draw list");
    const acre_draw draw = acre_draw_list_get(scenario->list);
    hash_words(&scenario->draws, draw.slots, draw.count);
    hash_floats(&scenario->draws, draw.matrices, draw.count * draw.matrix_floats);
    for (size_t i = 0; i < draw.range_count; i++) {
        hash_word(&scenario->draws, draw.ranges[i].key);
        hash_word(&scenario->draws, draw.ranges[i].count);
    }
}

static void query_cameras(culling_scenario *scenario, uint32_t frame)
{
    const size_t capacity = sizeof scenario->slots / sizeof scenario->slots[0];
    for (int i = 0; i < SCENARIO_CAMERAS; i++) {
        const acre_camera camera = camera_of(i, frame);
        size_t count = acre_culling_query(scenario->culling, &camera, scenario->slots, capacity);
        expect(count <= capacity, "every slot is found once");
        hash_words(&scenario->queries, scenario->slots, count);
        make_drawable(scenario, count, frame);

        acre_view view;
        expect(acre_view_from_camera(&view, &camera) == ACRE_OK, "view");
        view.layers = 2;
        count = count_in_view(scenario->culling, &view, scenario->slots, 10);
        hash_words(&scenario->queries, scenario->slots, count < 10 ? count : 10);
        hash_word(&scenario->queries, (uint32_t)count);
    }
}

// The answers count as well: what is refused here must be refused everywhere.
static void answer(culling_scenario *scenario, acre_result result)
{
    hash_word(&scenario->answers, (uint32_t)result);
}

static void edit_culling(culling_scenario *scenario)
{
    test_random *const random = &scenario->edits.random;
    for (int i = 0; i < 20; i++) {
        answer(scenario,
               acre_culling_unregister(scenario->culling, scene_edits_pick(&scenario->edits)));
        answer(scenario,
               acre_culling_register(scenario->culling, scene_edits_pick(&scenario->edits)));
        answer(scenario,
               acre_culling_refresh(scenario->culling, scene_edits_pick(&scenario->edits)));
        const acre_entity skinned = scene_edits_pick(&scenario->edits);
        const float x = random_float(random, -200.0f, 200.0f);
        const float size = random_float(random, -1.0f, 20.0f); // now and then inverted: refused
        const acre_aabb box = {{x, 0.0f, -x}, {x + size, 2.0f, 4.0f - x}};
        answer(scenario, acre_culling_refresh_bounds(scenario->culling, skinned, &box));
    }
}

static culling_scenario scenario; // too large for a small stack

static void open_culling(bool register_all, uint32_t flags)
{
    memset(&scenario, 0, sizeof scenario);
    scenario.edits.random.state = 4711;
    scenario.queries = scenario.answers = scenario.draws = HASH_START;
    const acre_scene_def def = {.scene = 1, .flags = flags};
    expect(acre_scene_create(&def, &scenario.edits.scene) == ACRE_OK, "scene");
    const acre_culling_def culling = {.tree = {.half_size = 200.0f, .node_capacity = 16},
                                      .register_all = register_all};
    expect(acre_culling_create(scenario.edits.scene, &culling, &scenario.culling) == ACRE_OK,
           "culling");
    expect(acre_draw_list_create(NULL, &scenario.list) == ACRE_OK, "list");
    scene_edits_create_all(&scenario.edits);
}

static void close_culling(void)
{
    acre_draw_list_destroy(scenario.list);
    acre_culling_destroy(scenario.culling);
    acre_scene_destroy(scenario.edits.scene);
}

static void run_culling(bool register_all)
{
    open_culling(register_all, 0);
    acre_scene *const scene = scenario.edits.scene;
    for (uint32_t index = 0; index < SCENE_EDITS_ENTITIES; index += 2) {
        answer(&scenario, acre_culling_register(scenario.culling, scenario.edits.entities[index]));
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        expect(acre_scene_commit(scene) == ACRE_OK, "commit");
        query_cameras(&scenario, frame);
        scene_edits_run(&scenario.edits);
        edit_culling(&scenario);
        query_cameras(&scenario, frame);
    }
    expect(scenario.edits.unexpected == 0, "edits");
    const acre_quadtree *const moving = acre_culling_tree(scenario.culling);
    const acre_quadtree *const still = acre_culling_static_tree(scenario.culling);
    expect(acre_quadtree_validate(moving, NULL, 0) == ACRE_OK, "validate");
    expect(acre_quadtree_validate(still, NULL, 0) == ACRE_OK, "validate the static tree");
    acre_culling_stats stats;
    acre_culling_get_stats(scenario.culling, &stats);
    printf(
        "culling %d queries %016llx answers %016llx moving %016llx static %016llx items %zu %zu\n",
        register_all, (unsigned long long)scenario.queries, (unsigned long long)scenario.answers,
        (unsigned long long)acre_quadtree_state_hash(moving),
        (unsigned long long)acre_quadtree_state_hash(still), stats.moving.items, stats.still.items);
    printf("draw lists %d %016llx\n", register_all, (unsigned long long)scenario.draws);
    close_culling();
}

// Offsets that are exact, that floats round, and that no float is; in one of four frames the world
// comes back.
static void shift_world(uint32_t frame, double *away)
{
    double offset[3];
    for (int axis = 0; axis < 3; axis++) {
        const double steps = (double)random_below(&scenario.edits.random, 4000) - 2000.0;
        offset[axis] = frame % 4 == 3   ? -away[axis]
                       : frame % 4 == 0 ? 0.25 * steps
                       : frame % 4 == 1 ? 0x1p-9 * steps
                                        : steps / 3.0;
        away[axis] += offset[axis];
    }
    answer(&scenario, acre_scene_shift_origin(scenario.edits.scene, offset));
}

static void run_shifts(uint32_t flags)
{
    double away[3] = {0, 0, 0};
    uint64_t boxes = HASH_START, places = HASH_START;
    open_culling(true, flags);
    acre_scene *const scene = scenario.edits.scene;
    for (uint32_t frame = 0; frame < FRAMES / 2; frame++) {
        scene_edits_run(&scenario.edits);
        edit_culling(&scenario);
        const double there[3] = {7.0 / 3.0 - away[0], 0.1, 5e-7 - away[2]};
        answer(&scenario,
               acre_entity_set_translation(scene, scene_edits_pick(&scenario.edits), there));
        shift_world(frame, away);
        expect(acre_scene_commit(scene) == ACRE_OK, "commit");
        query_cameras(&scenario, frame);
        const acre_scene_view view = acre_scene_get_view(scene);
        for (uint32_t slot = 0; slot < view.slot_count; slot++) {
            hash_box(&boxes, &view.world_bounds[slot]);
        }
        const acre_shift_report report = acre_scene_shift_report(scene);
        hash_word(&places, (uint32_t)report.rounded);
        hash_word(&places, (uint32_t)report.moved);
    }
    printf("shifts %u queries %016llx answers %016llx boxes %016llx reports %016llx tree %016llx\n",
           (unsigned)flags, (unsigned long long)scenario.queries,
           (unsigned long long)scenario.answers, (unsigned long long)boxes,
           (unsigned long long)places,
           (unsigned long long)acre_quadtree_state_hash(acre_culling_tree(scenario.culling)));
    expect(acre_culling_validate(scenario.culling, NULL, 0) == ACRE_OK, "validate shifts");
    close_culling();
}

int main(void)
{
    run_culling(false);
    run_culling(true);
    run_shifts(0);
    run_shifts(ACRE_SCENE_DOUBLES);
    return scenario_failures > 0;
}
