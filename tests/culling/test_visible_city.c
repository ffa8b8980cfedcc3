// SPDX-License-Identifier: MIT
// test_visible_city.c - the city that `acre run` shows, with rules for each kind of entity: what
// the sets of the flying camera and of its shadow cascades find along the way, against the oracle.
#include "view_world.h"

#include "run_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RIG_RULES, RIG_VOLUME, RIG_SHADOW, RIG_COUNT };

typedef struct city {
    run_world run;
    view_world world; // the records that the check reads; scene and culler are run's
    view_rig rigs[RIG_COUNT];
} city;

static bool open_city(city *c)
{
    static char program[] = "test";
    char *arguments[] = {program, NULL};
    run_options options;
    char message[512] = "";
    memset(c, 0, sizeof *c);
    if (!run_options_parse(1, arguments, &options, message, sizeof message) ||
        !run_world_create(&options, &c->run, message, sizeof message)) {
        printf("%s\n", message);
        return false;
    }
    return true;
}

// A rule for each entity_kind but groups, which have no box of their own.
static bool give_rules(city *c)
{
    view_world *const world = &c->world;
    world->rule_count = 3;
    world->rules[KIND_SOLID - 1] =
        (acre_visibility_rule){.min_pixels = 3.0f, .lod_pixels = {200.0f, 60.0f, 20.0f}};
    world->rules[KIND_STREET - 1] = (acre_visibility_rule){.max_distance = 1200.0f};
    world->rules[KIND_CAR - 1] = (acre_visibility_rule){
        .max_distance = 500.0f, .min_pixels = 4.0f, .lod_pixels = {80.0f, 12.0f}};
    bool is_good = acre_culling_set_rules(c->run.culling, world->rules, 3) == ACRE_OK;
    for (int i = 0; i < world->count && is_good; i++) {
        world_entity *const entity = &world->entities[i];
        if (entity->handle.index1 > 0) {
            entity->rule = c->run.kinds[i];
            is_good =
                acre_culling_set_rule(c->run.culling, entity->handle, entity->rule) == ACRE_OK;
        }
    }
    return is_good;
}

// All that the file has stands for ever.
static bool make_static(city *c)
{
    acre_result result = ACRE_OK;
    for (uint32_t n = 0; n < c->run.model->node_count && result == ACRE_OK; n++) {
        result = acre_entity_set_flags(c->run.scene, c->run.nodes[n], ACRE_ENTITY_STATIC);
    }
    return result == ACRE_OK && acre_scene_commit(c->run.scene) == ACRE_OK;
}

// One record for each slot.
static bool note_entities(city *c)
{
    view_world *const world = &c->world;
    const acre_scene_view view = acre_scene_get_view(c->run.scene);
    world->scene = c->run.scene;
    world->culling = c->run.culling;
    world->def.register_all = true; // as the run made its culler
    world->count = (int)view.slot_count;
    world->entities = calloc((size_t)view.slot_count + 1, sizeof *world->entities);
    for (int i = 0; i < world->count && world->entities; i++) {
        world_entity *const entity = &world->entities[i];
        acre_aabb box;
        entity->handle = acre_scene_entity(c->run.scene, (uint32_t)i);
        entity->parent = (int)acre_entity_parent(c->run.scene, entity->handle).index1 - 1;
        entity->is_alive = entity->is_published = entity->handle.index1 > 0;
        entity->is_registered =
            acre_entity_world_bounds(c->run.scene, entity->handle, &box) == ACRE_OK;
        entity->flags = entity->seen_flags = view.flags[i];
    }
    return world->entities && give_rules(c);
}

static bool make_rigs(city *c)
{
    const uint32_t all = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS;
    bool is_good = make_static(c) && note_entities(c);
    for (int i = 0; i < RIG_COUNT && is_good; i++) {
        is_good = view_rig_create(&c->rigs[i], 0, i == RIG_SHADOW ? 0 : all, NULL);
    }
    return is_good;
}

static void close_city(city *c)
{
    for (int i = 0; i < RIG_COUNT; i++) {
        view_rig_destroy(&c->rigs[i]);
    }
    free(c->world.entities);
    run_world_free(&c->run);
}

// Between two frames of the flight, so that the camera may be as slow as one likes.
static bool look_from(city *c, float frame)
{
    run_view view, next;
    const uint32_t whole = (uint32_t)frame;
    if (!run_view_at(&c->run, whole, &view) || !run_view_at(&c->run, whole + 1, &next)) {
        return false;
    }
    const float share = frame - (float)whole;
    for (int k = 0; k < 3; k++) {
        view.pose.eye[k] += share * (next.pose.eye[k] - view.pose.eye[k]);
        view.pose.target[k] += share * (next.pose.target[k] - view.pose.target[k]);
    }
    acre_camera *const camera = &view.cameras[0];
    acre_view *const by_rules = &c->rigs[RIG_RULES].view;
    if (acre_camera_look_at(camera, view.pose.eye, view.pose.target, view.pose.up) != ACRE_OK ||
        acre_view_from_camera(by_rules, camera) != ACRE_OK ||
        acre_view_set_viewport(by_rules, camera, 1080.0f) != ACRE_OK ||
        acre_view_from_camera(&c->rigs[RIG_SHADOW].view, &view.cameras[3]) != ACRE_OK) {
        return false;
    }
    by_rules->hysteresis = 0.1f;
    by_rules->min_pixels = 1.0f;
    c->rigs[RIG_VOLUME].view =
        (acre_view){.frustum = by_rules->frustum, .flags = ACRE_VIEW_IGNORE_RULES};
    memcpy(c->rigs[RIG_VOLUME].view.eye, by_rules->eye, sizeof by_rules->eye);
    c->rigs[RIG_SHADOW].view.flags = ACRE_VIEW_IGNORE_RULES;
    return true;
}

// Cars drive; in some frames a building is hidden, shown or gets a box of its own.
static const char *advance(city *c, uint32_t frame, uint32_t edit_every, bool cars_drive)
{
    view_world *const world = &c->world;
    world_entity *const house = &world->entities[c->run.nodes[frame * 37 % 5000].index1 - 1];
    acre_result result = ACRE_OK;
    if (cars_drive) {
        traffic_advance(c->run.traffic, 1.0f / 60.0f);
        result =
            acre_scene_set_locals(c->run.scene, c->run.cars, traffic_transforms(c->run.traffic),
                                  traffic_car_count(c->run.traffic));
    }
    if (result == ACRE_OK && frame % edit_every == 5) {
        house->flags ^= ACRE_ENTITY_HIDDEN;
        result = acre_entity_set_flags(c->run.scene, house->handle, house->flags);
    }
    if (result != ACRE_OK || acre_scene_commit(c->run.scene) != ACRE_OK) {
        return "commit";
    }
    house->seen_flags = house->flags;
    if (frame % edit_every == 9 && house->is_registered) {
        const acre_aabb box = {{0, 0, 0}, {(float)frame, 40, 60}};
        result = acre_culling_refresh_bounds(c->run.culling, house->handle, &box);
    }
    world->touched++;
    return result == ACRE_OK ? NULL : "refresh_bounds";
}

static const char *check_frame(city *c, uint32_t frame, uint32_t edit_every, float at,
                               bool cars_drive)
{
    const char *fault = advance(c, frame, edit_every, cars_drive);
    fault = fault ? fault : look_from(c, at) ? NULL : "camera";
    for (uint32_t i = 0; i < RIG_COUNT && !fault; i++) {
        fault = view_rig_find(&c->rigs[i], &c->world, (frame + i) % 25 == 24);
    }
    if (fault) {
        printf("frame %u: %s\n", frame, fault);
    }
    return fault;
}

static void a_flight_over_the_city_equals_the_oracle_in_every_frame(void)
{
    static city c;
    CHECK(open_city(&c) && make_rigs(&c));
    for (uint32_t frame = 0; frame < 60 * test_scale; frame++) {
        CHECK(check_frame(&c, frame, 12, 3.0f * (float)frame, true) == NULL);
    }
    // Slower and slower, from meters a frame to millimetres; then it stands. What was found so fast
    // is forgotten, and the set soon keeps what it sees of the static tree.
    view_rig_clear(&c.rigs[RIG_VOLUME]);
    float at = 30.0f;
    for (uint32_t frame = 0; frame < 80 * test_scale; frame++) {
        at += powf(0.8f, (float)(frame < 35 ? frame : 35));
        CHECK(check_frame(&c, frame, 40, frame < 75 ? at : 40.0f, frame % 2 == 0) == NULL);
    }
    const view_rig *const rules = &c.rigs[RIG_RULES], *const volume = &c.rigs[RIG_VOLUME];
    CHECK(rules->visible > 100 * rules->findings && volume->visible > rules->visible * 11 / 10);
    CHECK(rules->compared > 1000000);
    close_city(&c);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_flight_over_the_city_equals_the_oracle_in_every_frame),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
