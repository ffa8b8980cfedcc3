// SPDX-License-Identifier: MIT
// occluded_town.c - makes the town, changes it, and sends rays through it.
#include "occluded_town.h"

#include <math.h>

// ---- the world ----

float town_spread(town *w, float reach)
{
    return random_float(&w->random, -reach, reach);
}

bool town_one_in(town *w, uint32_t count)
{
    return random_below(&w->random, count) == 0;
}

static acre_transform transform_of(const town_body *b)
{
    return (acre_transform){{b->place[0], b->place[1], b->place[2]},
                            {0, sinf(0.5f * b->turn), 0, cosf(0.5f * b->turn)},
                            {1, 1, 1}};
}

void town_give_occluders(town *w, town_body *b)
{
    const acre_aabb solid = {{-b->half[0], 0, -b->half[2]}, {b->half[0], b->half[1], b->half[2]}};
    acre_occluder occluder;
    EXPECT(acre_occluder_from_box(&occluder, &solid) == ACRE_OK);
    occluder.flags = b->is_two_sided ? ACRE_OCCLUDER_TWO_SIDED : 0;
    EXPECT(acre_culling_set_occluders(w->culling, b->entity, &occluder, b->is_occluder) == ACRE_OK);
}

// Kinds: a house, a wall or door, a prop, a slab in the air.
static void make_body(town *w, town_body *b)
{
    const uint32_t kind = random_below(&w->random, 8);
    const bool is_house = kind < 3, is_wall = kind == 3, is_slab = kind == 4;
    *b = (town_body){.place = {town_spread(w, TOWN_REACH),
                               is_slab ? random_float(&w->random, 2, 9) : 0,
                               town_spread(w, TOWN_REACH)},
                     .turn = town_one_in(w, 2) ? 0 : town_spread(w, 3)};
    b->half[0] = is_house ? random_float(&w->random, 2, 5) : is_wall || is_slab ? 6 : 0.4f;
    b->half[1] = is_house  ? random_float(&w->random, 4, 12)
                 : is_wall ? random_float(&w->random, 2, 5)
                           : random_float(&w->random, 0.3f, 1);
    b->half[2] = is_wall ? 0.1f : is_slab ? 3 : b->half[0];
    b->flags = town_one_in(w, 60)  ? (uint32_t)ACRE_ENTITY_NEVER_CULL
               : town_one_in(w, 2) ? (uint32_t)ACRE_ENTITY_STATIC
                                   : 0;
    b->is_occluder = kind < 5;
    b->is_two_sided = town_one_in(w, 2);
    const float more = town_one_in(w, 2) ? 0 : random_float(&w->random, 0, 0.5f);
    const acre_aabb bounds = {{-b->half[0] - more, 0, -b->half[2] - more},
                              {b->half[0] + more, b->half[1] + more, b->half[2] + more}};
    const acre_transform local = transform_of(b);
    const acre_entity_def def = {.bounds = &bounds, .local = &local, .flags = b->flags};
    EXPECT(acre_entity_create(w->scene, &def, &b->entity) == ACRE_OK);
    town_give_occluders(w, b);
}

bool town_make(town *w, uint64_t seed, acre_kernel kernel, const acre_tasks *tasks)
{
    static const uint32_t capacities[] = {0, 4, 16, 64};
    w->random = (test_random){seed};
    acre_culling_def def = {.register_all = true};
    def.tree.kernel = kernel;
    def.tree.node_capacity = capacities[random_below(&w->random, 4)];
    if (acre_scene_create(NULL, &w->scene) != ACRE_OK ||
        acre_culling_create(w->scene, &def, &w->culling) != ACRE_OK ||
        (tasks && acre_culling_set_tasks(w->culling, tasks) != ACRE_OK)) {
        return false;
    }
    for (int i = 0; i < TOWN_BODIES; i++) {
        make_body(w, &w->bodies[i]);
    }
    return acre_scene_commit(w->scene) == ACRE_OK;
}

void town_free(town *w)
{
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

void town_edit(town *w)
{
    for (int i = 0; i < TOWN_BODIES; i++) {
        town_body *const b = &w->bodies[i];
        const uint32_t edit = random_below(&w->random, 40);
        if (edit < 8) {
            b->turn += edit < 4 ? 1.5f : 0;
            b->place[0] += town_spread(w, 2);
            b->place[2] += town_spread(w, 2);
            const acre_transform local = transform_of(b);
            EXPECT(acre_entity_set_local(w->scene, b->entity, &local) == ACRE_OK);
        } else if (edit == 8) {
            EXPECT(acre_entity_destroy(w->scene, b->entity) == ACRE_OK);
            make_body(w, b);
        } else if (edit == 9) {
            b->flags ^= ACRE_ENTITY_HIDDEN;
            EXPECT(acre_entity_set_flags(w->scene, b->entity, b->flags) == ACRE_OK);
        } else if (edit == 10) {
            b->is_occluder = !b->is_occluder;
            town_give_occluders(w, b);
        }
    }
    EXPECT(acre_scene_commit(w->scene) == ACRE_OK);
}

acre_view town_view_at(const float *eye, float yaw, float down, float fov)
{
    const float target[3] = {eye[0] + cosf(yaw), eye[1] - down, eye[2] + sinf(yaw)};
    const float up[3] = {0, 1, 0};
    acre_camera camera = {0};
    acre_view view = {0};
    EXPECT(acre_camera_perspective(&camera, fov, 1.6f, 0.05f, 500, ACRE_CLIP_ZERO_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
           acre_view_from_camera(&view, &camera) == ACRE_OK);
    return view;
}

acre_view town_draw_view(town *w)
{
    const float eye[3] = {town_spread(w, TOWN_REACH),
                          town_one_in(w, 4) ? random_float(&w->random, 0.2f, 14) : 1.7f,
                          town_spread(w, TOWN_REACH)};
    acre_view view =
        town_view_at(eye, town_spread(w, 3.1f), 0.05f, random_float(&w->random, 0.5f, 1.6f));
    view.max_distance = town_one_in(w, 4) ? 30 : 0;
    view.layers = 0;
    return view;
}

// ---- rays ----

// Whether a segment enters the solid of a town_body that is drawn, from outside and not too near;
// the solid is larger by a hair, as doubles and floats turn it differently. What is two-sided stops
// rays that leave it as well.
static bool stops_ray(const town_body *b, const double *from, const double *to)
{
    const double c = cos((double)b->turn), s = sin((double)b->turn), hair = 1e-5;
    double begin = 0, end = 1, length = 0;
    for (int axis = 0; axis < 3; axis++) {
        double ends[2];
        for (int i = 0; i < 2; i++) {
            const double *const p = i == 0 ? from : to;
            const double x = p[0] - (double)b->place[0], z = p[2] - (double)b->place[2];
            ends[i] = axis == 0   ? c * x - s * z
                      : axis == 2 ? s * x + c * z
                                  : p[1] - (double)b->place[1] - 0.5 * (double)b->half[1];
        }
        const double half = (axis == 1 ? 0.5 : 1) * (double)b->half[axis] + hair;
        const double step = ends[1] - ends[0];
        length += (to[axis] - from[axis]) * (to[axis] - from[axis]);
        if (fabs(step) < 1e-12) {
            if (fabs(ends[0]) > half) {
                return false;
            }
            continue;
        }
        const double a = (-half - ends[0]) / step, z = (half - ends[0]) / step;
        begin = fmax(begin, fmin(a, z));
        end = fmin(end, fmax(a, z));
    }
    const double near = (double)TOWN_NEAR_RADIUS / sqrt(length);
    return begin <= end && (begin >= near || (b->is_two_sided && end < 1 && end >= near));
}

bool town_ray_reaches(town *w, const acre_view *view, const bool *drawn, const acre_aabb *box)
{
    const double from[3] = {(double)view->eye[0], (double)view->eye[1], (double)view->eye[2]};
    for (int ray = 0; ray < 20; ray++) {
        double to[3];
        for (int axis = 0; axis < 3; axis++) {
            const float share = ray < 8 ? (float)(ray >> axis & 1) : random_float(&w->random, 0, 1);
            to[axis] = (double)box->min[axis] +
                       (double)share * ((double)box->max[axis] - (double)box->min[axis]);
        }
        bool is_stopped = false;
        for (int i = 0; i < TOWN_BODIES && !is_stopped; i++) {
            is_stopped = drawn[i] && w->bodies[i].is_occluder && stops_ray(&w->bodies[i], from, to);
        }
        if (!is_stopped) {
            return true;
        }
    }
    return false;
}

acre_aabb town_box(const town *w, int i)
{
    acre_aabb box;
    EXPECT(acre_entity_world_bounds(w->scene, w->bodies[i].entity, &box) == ACRE_OK);
    return box;
}
