// SPDX-License-Identifier: MIT
// walk_to_town.c - a view with rules, kept from frame to frame: what enters, what changes its level
// of detail, and why the rest is not seen.
#include <acre/explain.h>

#include <stdio.h>

enum { HOUSES = 6, LAMPS = 6, COUNT = HOUSES + LAMPS };

// By kind of entity; numbers in the culler are positions plus 1.
enum { RULE_HOUSE = 1, RULE_LAMP };
static const acre_visibility_rule rules[] = {
    {.lod_pixels = {200.0f, 60.0f}},               // three models, from fine to coarse
    {.max_distance = 120.0f, .min_pixels = 12.0f}, // lamps are for those who come near
};

typedef struct town {
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set;
    acre_entity entities[COUNT]; // a street of houses along -z, then its lamps
} town;

static acre_result create_entities(town *out)
{
    const acre_aabb house = {{-6, 0, -6}, {6, 9, 6}}, lamp = {{-0.2f, 0, -0.2f}, {0.2f, 5, 0.2f}};
    acre_result result = ACRE_OK;
    for (int i = 0; i < COUNT && result == ACRE_OK; i++) {
        const bool is_house = i < HOUSES;
        const float along = -60.0f * (float)(i % HOUSES) - 80.0f;
        const acre_transform at = {{is_house ? 14.0f : -4.0f, 0, along}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_entity_def def = {
            .local = &at, .bounds = is_house ? &house : &lamp, .flags = ACRE_ENTITY_STATIC};
        result = acre_entity_create(out->scene, &def, &out->entities[i]);
        if (result == ACRE_OK) {
            result = acre_culling_set_rule(out->culling, out->entities[i],
                                           is_house ? RULE_HOUSE : RULE_LAMP);
        }
    }
    return result == ACRE_OK ? acre_scene_commit(out->scene) : result;
}

static acre_result create_town(town *out)
{
    const acre_culling_def culling = {.register_all = true};
    const acre_visible_set_def set = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES};
    acre_result result = acre_scene_create(&(acre_scene_def){0}, &out->scene);
    if (result == ACRE_OK) {
        result = acre_culling_create(out->scene, &culling, &out->culling);
    }
    if (result == ACRE_OK) {
        result = acre_culling_set_rules(out->culling, rules, sizeof rules / sizeof rules[0]);
    }
    if (result == ACRE_OK) {
        result = acre_visible_set_create(&set, &out->set);
    }
    return result == ACRE_OK ? create_entities(out) : result;
}

static void destroy_town(town *it)
{
    acre_visible_set_destroy(it->set);
    acre_culling_destroy(it->culling);
    acre_scene_destroy(it->scene);
}

static acre_result look(float along, acre_view *out)
{
    const float eye[3] = {0, 2, along}, target[3] = {0, 2, along - 1}, up[3] = {0, 1, 0};
    acre_camera camera = {0};
    acre_result result = acre_camera_perspective(&camera, 1.0f, 16.0f / 9.0f, 0.1f, 400.0f,
                                                 ACRE_CLIP_REVERSED_ZERO_TO_ONE);
    if (result == ACRE_OK) {
        result = acre_camera_look_at(&camera, eye, target, up);
    }
    if (result == ACRE_OK) {
        result = acre_view_from_camera(out, &camera);
    }
    if (result == ACRE_OK) {
        result = acre_view_set_viewport(out, &camera, 1080.0f);
    }
    out->hysteresis = 0.1f;
    return result;
}

static void print_slots(const char *what, const uint32_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf("%s%s %u", i == 0 ? what : ",", slots[i] < HOUSES ? " house" : " lamp",
               slots[i] % HOUSES);
    }
    if (count > 0) {
        printf("\n");
    }
}

static acre_result show(town *it, float along)
{
    acre_view view;
    acre_result result = look(along, &view);
    if (result == ACRE_OK) {
        result = acre_culling_find_visible(it->culling, &view, it->set);
    }
    if (result == ACRE_OK) {
        const acre_visible visible = acre_visible_set_get(it->set);
        printf("at z %g: %zu visible\n", (double)along, visible.count);
        print_slots("    entered:", visible.entered, visible.entered_count);
        print_slots("    left:", visible.left, visible.left_count);
        print_slots("    another model:", visible.changed, visible.changed_count);
    }
    return result;
}

// Slots count from 0 in the order of creation, in a scene that was empty.
static acre_result explain_all(town *it, float along)
{
    acre_view view;
    acre_result result = look(along, &view);
    for (int i = 0; i < COUNT && result == ACRE_OK; i++) {
        acre_explanation why;
        char text[160];
        result = acre_culling_explain(it->culling, &view, it->set, it->entities[i], &why);
        if (result == ACRE_OK) {
            (void)acre_explanation_text(&why, text, sizeof text);
            printf("%s %d: %s\n", i < HOUSES ? "house" : "lamp", i % HOUSES, text);
        }
    }
    return result;
}

int main(void)
{
    town it = {0};
    acre_result result = create_town(&it);
    for (int step = 0; step < 6 && result == ACRE_OK; step++) {
        result = show(&it, 20.0f * (float)-step);
    }
    if (result == ACRE_OK) {
        result = explain_all(&it, -100.0f);
    }
    destroy_town(&it);
    if (result != ACRE_OK) {
        fprintf(stderr, "walk_to_town: %s\n", acre_result_text(result));
    }
    return result == ACRE_OK ? 0 : 1;
}
