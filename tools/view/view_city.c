// SPDX-License-Identifier: MIT
// view_city.c - a scene file with driving cars: what of it is drawn.
#include "view_city.h"

#include "run_statistics.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

// Texels around a point that the shadow filter reads, with those that its offsets add.
#define FILTER_TEXELS 6.0f

static bool fail(view_city *c, const char *what, acre_result result)
{
    snprintf(c->message, sizeof c->message, "%s: %s", what, acre_result_text(result));
    return false;
}

static acre_result create_lists(view_city *c)
{
    const acre_visible_set_def def = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES};
    acre_result result = acre_draw_list_create(NULL, &c->list);
    for (int i = 0; i < 2 && result == ACRE_OK; i++) {
        result = acre_visible_set_create(&def, &c->sets[i]);
    }
    c->set = c->sets[0];
    for (int i = 0; i < SHADOW_CASCADES && result == ACRE_OK; i++) {
        result = acre_draw_list_create(NULL, &c->caster_lists[i]);
    }
    if (result == ACRE_OK) {
        result = acre_receivers_create(NULL, &c->receivers);
    }
    c->slot_room = c->world.slot_count;
    if (result == ACRE_OK) {
        result = view_occlusion_create(&c->occlusion, &c->world);
    }
    c->slots = calloc((size_t)c->slot_room + 1, sizeof *c->slots);
    c->lods = calloc((size_t)c->slot_room + 1, sizeof *c->lods);
    c->grown = calloc((size_t)c->slot_room + 1, sizeof *c->grown);
    return result == ACRE_OK && (!c->slots || !c->lods || !c->grown) ? ACRE_ERROR_OUT_OF_MEMORY
                                                                     : result;
}

// Cars smaller than a pixel are hidden; levels of detail by size on the screen.
static acre_result set_rules(view_city *c)
{
    static const acre_visibility_rule rules[2] = {
        {.min_pixels = 1.0f, .lod_pixels = {220.0f, 90.0f, 30.0f}}, // solids
        {.min_pixels = 1.0f, .lod_pixels = {40.0f, 14.0f}}};        // cars
    acre_result result = acre_culling_set_rules(c->world.culling, rules, 2);
    for (uint32_t slot = 0; slot < c->world.slot_count && result == ACRE_OK; slot++) {
        const uint8_t kind = c->world.kinds[slot];
        if (kind == KIND_SOLID || kind == KIND_CAR) {
            const acre_entity entity = acre_scene_entity(c->world.scene, slot);
            result = acre_culling_set_rule(c->world.culling, entity, kind == KIND_SOLID ? 1 : 2);
        }
    }
    return result;
}

bool view_city_create(view_city *out, const run_options *options, char *message,
                      size_t message_size)
{
    *out = (view_city){0};
    if (!run_world_create(options, &out->world, message, message_size)) {
        return false;
    }
    acre_result result =
        city_meshes_create(&out->meshes, &out->world) ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
    if (result == ACRE_OK) {
        result = create_lists(out);
    }
    if (result == ACRE_OK) {
        result = set_rules(out);
    }
    if (result == ACRE_OK) {
        result = acre_scene_commit(out->world.scene);
    }
    if (result != ACRE_OK) {
        snprintf(message, message_size, "%s: %s", options->scene_path, acre_result_text(result));
        return false;
    }
    out->ground = out->world.bounds;
    for (int k = 0; k < 3; k++) {
        const float reach = k == 1 ? 0.05f : 4000.0f;
        out->ground.max[k] = (k == 1 ? out->ground.min[k] : out->ground.max[k]) + reach;
        out->ground.min[k] -= reach;
    }
    return true;
}

void view_city_free(view_city *c)
{
    acre_visible_set_destroy(c->sets[0]);
    acre_visible_set_destroy(c->sets[1]);
    view_occlusion_free(&c->occlusion);
    acre_draw_list_destroy(c->list);
    for (int i = 0; i < SHADOW_CASCADES; i++) {
        acre_draw_list_destroy(c->caster_lists[i]);
    }
    acre_receivers_destroy(c->receivers);
    free(c->slots);
    free(c->lods);
    free(c->grown);
    city_meshes_free(&c->meshes);
    run_world_free(&c->world);
    *c = (view_city){0};
}

bool view_city_set_tasks(view_city *c, const acre_tasks *tasks)
{
    acre_result result = acre_scene_set_tasks(c->world.scene, tasks);
    if (result == ACRE_OK) {
        result = acre_culling_set_tasks(c->world.culling, tasks);
    }
    return result == ACRE_OK || fail(c, "workers", result);
}

bool view_city_advance(view_city *c, float seconds)
{
    run_world *const world = &c->world;
    traffic_advance(world->traffic, seconds);
    const double begin = clock_seconds();
    acre_result result =
        acre_scene_set_locals(world->scene, world->cars, traffic_transforms(world->traffic),
                              traffic_car_count(world->traffic));
    if (result == ACRE_OK) {
        result = acre_scene_commit(world->scene);
    }
    c->times.refresh = 1e3 * (world->clock.end - world->clock.begin);
    c->times.commit = 1e3 * (clock_seconds() - begin) - c->times.refresh;
    return result == ACRE_OK || fail(c, "commit", result);
}

bool view_city_show_cars(view_city *c, uint32_t count)
{
    acre_result result = ACRE_OK;
    const uint32_t all = traffic_car_count(c->world.traffic);
    for (uint32_t i = 0; i < all && result == ACRE_OK; i++) {
        result = acre_entity_set_flags(c->world.scene, c->world.cars[i],
                                       i < count ? 0 : ACRE_ENTITY_HIDDEN);
    }
    return result == ACRE_OK || fail(c, "hiding cars", result);
}

// Of c->slots, in draw order: near ones first, so that they hide what comes later.
static acre_result build_list(view_city *c, acre_draw_list *list, size_t count, const uint8_t *lods,
                              const acre_view *view)
{
    acre_draw_input input = {.slots = c->slots,
                             .lods = lods,
                             .count = count,
                             .keys = c->meshes.keys,
                             .key_count = c->slot_room,
                             .order = ACRE_DRAW_NEAR_TO_FAR,
                             .matrices = ACRE_MATRIX_ROWS};
    for (int k = 0; k < 3; k++) {
        input.eye[k] = view->eye[k];
    }
    return acre_draw_list_build(list, c->world.culling, &input);
}

// The tree is asked once more, since the culler's query counts nothing.
static acre_result count_work(view_city *c, const acre_frustum *frustum)
{
    c->work = (acre_query_stats){0};
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = frustum, .stats = &c->work};
    size_t count;
    return acre_quadtree_query(acre_culling_tree(c->world.culling), &query, NULL, 0, &count);
}

// Set 1 is without what the horizon hides.
static acre_result find_set(view_city *c, const view_city_question *question, const acre_view *view,
                            int number)
{
    acre_view asked = *view;
    acre_result result = ACRE_OK;
    if (number == 1) {
        asked.horizon = c->occlusion.horizon;
        result = view_occlusion_begin(&c->occlusion, question->culling);
    }
    return result == ACRE_OK ? acre_culling_find_visible(c->world.culling, &asked, c->sets[number])
                             : result;
}

// What of a set is drawn, into c->slots and c->lods.
static size_t take_set(view_city *c, const acre_visible_set *set, uint32_t dropped_slot)
{
    const acre_visible visible = acre_visible_set_get(set);
    size_t count = 0;
    assert(visible.count <= c->slot_room);
    for (size_t i = 0; i < visible.count; i++) {
        if (visible.slots[i] != dropped_slot) {
            c->slots[count] = visible.slots[i];
            c->lods[count++] = visible.lods[i];
        }
    }
    return count;
}

// Both sets, and a draw list of what the frustum holds; one of the sets was found before.
static acre_result find_hidden(view_city *c, const view_city_question *question,
                               const acre_view *view)
{
    acre_result result = find_set(c, question, view, c->set == c->sets[0]);
    if (result == ACRE_OK) {
        result = acre_visible_set_masks(c->sets, 2, c->occlusion.masks, c->slot_room);
    }
    const size_t count = take_set(c, c->sets[0], question->dropped_slot);
    return result == ACRE_OK ? build_list(c, c->occlusion.list, count, c->lods, view) : result;
}

static acre_result find_visible(view_city *c, const view_city_question *question, acre_view *view)
{
    acre_result result = acre_view_from_camera(view, question->culling);
    if (result == ACRE_OK) {
        result = acre_view_set_viewport(view, question->culling, question->height);
    }
    if (question->is_everything) {
        view->frustum.plane_count = 0;
    }
    const bool can_hide =
        c->occlusion.horizon && question->method == METHOD_QUADTREE && !question->is_everything;
    const int drawn = can_hide && question->is_occlusion_on;
    const double begin = clock_seconds();
    if (result == ACRE_OK) {
        result = find_set(c, question, view, drawn);
    }
    c->times.query = 1e3 * (clock_seconds() - begin);
    c->set = c->sets[drawn];
    c->occlusion.is_known = can_hide && question->is_hidden_wanted;
    if (result == ACRE_OK && c->occlusion.is_known) {
        result = find_hidden(c, question, view);
    }
    if (result == ACRE_OK && question->is_work_counted) {
        result = count_work(c, &view->frustum);
    }
    return result;
}

// What the set has, or what another method finds, into c->slots and c->lods.
static size_t take_visible(view_city *c, const view_city_question *question, const acre_view *view)
{
    if (question->method == METHOD_QUADTREE) {
        return take_set(c, c->set, question->dropped_slot);
    }
    const acre_aabb *const boxes = acre_scene_get_view(c->world.scene).world_bounds;
    const uint32_t *slots;
    const size_t found = view_scan(question->scans, question->method, boxes, &view->frustum, &slots,
                                   &c->times.query);
    size_t count = 0;
    assert(found <= c->slot_room);
    for (size_t i = 0; i < found; i++) {
        if (slots[i] != question->dropped_slot) {
            c->slots[count] = slots[i];
            c->lods[count++] = 0;
        }
    }
    return count;
}

// Receivers as large as the filter reads: the visible boxes grown, in a slice grown.
static acre_result add_receivers(view_city *c, acre_cascade *cascade)
{
    const float reach = FILTER_TEXELS * cascade->texel;
    for (uint32_t i = 0; i < cascade->slice.plane_count; i++) {
        cascade->slice.planes[i][3] += reach;
    }
    acre_result result = acre_receivers_begin(c->receivers, cascade);
    const acre_visible visible = acre_visible_set_get(c->set);
    const acre_aabb *const boxes = acre_scene_get_view(c->world.scene).world_bounds;
    for (size_t i = 0; i < visible.count; i++) {
        c->grown[i] = boxes[visible.slots[i]];
        for (int k = 0; k < 3; k++) {
            c->grown[i].min[k] -= reach;
            c->grown[i].max[k] += reach;
        }
    }
    if (result == ACRE_OK && c->set == c->sets[1]) {
        result = acre_receivers_set_horizon(c->receivers, c->occlusion.horizon, reach);
    }
    if (result == ACRE_OK) {
        result = acre_receivers_add_boxes(c->receivers, c->grown, visible.count);
    }
    if (result == ACRE_OK) {
        result = acre_receivers_add_boxes(c->receivers, &c->ground, 1);
    }
    return result;
}

static acre_result find_casters(view_city *c, const view_city_question *question,
                                const acre_view *view, int number)
{
    acre_cascade cascade = c->cascades[number];
    size_t count = 0;
    acre_result result = ACRE_OK;
    if (question->is_everything) {
        const acre_frustum all = {.plane_count = 0};
        result =
            acre_culling_query_frustum(c->world.culling, &all, 0, c->slots, c->slot_room, &count);
    } else {
        result = add_receivers(c, &cascade);
        if (result == ACRE_OK) {
            result = acre_culling_query_casters(c->world.culling, c->receivers, c->slots,
                                                c->slot_room, &count);
        }
    }
    if (result == ACRE_OK && count > c->slot_room) {
        result = ACRE_ERROR_CAPACITY;
    }
    return result == ACRE_OK ? build_list(c, c->caster_lists[number], count, NULL, view) : result;
}

bool view_city_ask(view_city *c, const view_city_question *question)
{
    // An afternoon sun, so that streets have a side in the shadow.
    static const acre_cascades_def shadows = {.light = {0.62f, -0.60f, 0.42f},
                                              .distance = CITY_SHADOW_DISTANCE,
                                              .caster_distance = 350.0f,
                                              .log_share = 0.72f,
                                              .count = SHADOW_CASCADES,
                                              .resolution = 2048};
    acre_view view = {0};
    acre_result result = find_visible(c, question, &view);
    double begin = clock_seconds();
    if (result == ACRE_OK) {
        result = build_list(c, c->list, take_visible(c, question, &view), c->lods, &view);
    }
    c->times.lists = 1e3 * (clock_seconds() - begin);
    begin = clock_seconds();
    if (result == ACRE_OK && question->are_shadows_wanted) {
        result = acre_cascades_fit(&shadows, question->culling, c->cascades);
        for (int i = 0; i < SHADOW_CASCADES && result == ACRE_OK; i++) {
            result = find_casters(c, question, &view, i);
        }
    }
    c->times.casters = 1e3 * (clock_seconds() - begin);
    return result == ACRE_OK || fail(c, "what is visible", result);
}
