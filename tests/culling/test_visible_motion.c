// SPDX-License-Identifier: MIT
// test_visible_motion.c - slow cameras over many frames: a set that remembers what it saw of the
// static tree names exactly what brute force names.
//
// Half of the boxes lie against the planes of the first frame, a hair or some metres to one side,
// so that any motion, and any rounding, turns the answer of some of them.
#include "test.h"

#include <acre/culling.h>
#include <acre/visible_set.h>

#include <math.h>
#include <string.h>

#define BOXES 1400

typedef struct eye_place {
    double at[3], yaw, pitch, fov; // radians
} eye_place;

// What a run is about.
typedef struct motion_run {
    test_random random;
    double offset[3]; // of all coordinates
    double extent;    // half a side of the world
    double large;     // edges of the largest boxes
    double depth;     // of what is seen
    bool all_but_stands;
    double turn, step, zoom;
    double scale; // of the planes
    uint32_t shape;
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set;
    acre_entity entities[BOXES];
    acre_aabb boxes[BOXES];
    uint32_t layers[BOXES];
    bool is_hidden[BOXES];
    eye_place eye;
    acre_view view;
    acre_frustum include, exclude;
    uint64_t crossed; // boxes whose answer was another than in the frame before
    bool was_visible[BOXES];
    size_t tested;
} motion_run;

static double between(test_random *random, double low, double high)
{
    return low + (high - low) * (double)random_float(random, 0.0f, 1.0f);
}

static double log_between(test_random *random, double low, double high)
{
    return low * pow(high / low, between(random, 0.0, 1.0));
}

// ---- planes ----

static void add_plane(motion_run *run, const double *normal, double inside)
{
    acre_frustum *const frustum = &run->view.frustum;
    float *const plane = frustum->planes[frustum->plane_count++];
    double d = inside * run->scale;
    for (int k = 0; k < 3; k++) {
        plane[k] = (float)(normal[k] * run->scale);
        d -= (double)plane[k] * run->eye.at[k];
    }
    plane[3] = (float)d;
}

// A plane through the eye, turned from the view axis by the angle, or beside it by the width.
static void add_side(motion_run *run, const double *side, const double *forward, double sign)
{
    double normal[3];
    const bool is_parallel = run->shape == 1;
    const double half = 0.5 * run->eye.fov;
    for (int k = 0; k < 3; k++) {
        normal[k] =
            is_parallel ? sign * side[k] : sign * cos(half) * side[k] + sin(half) * forward[k];
    }
    add_plane(run, normal, is_parallel ? 100.0 * run->eye.fov : 0.0);
}

static void make_view(motion_run *run)
{
    const eye_place *const eye = &run->eye;
    const double forward[3] = {sin(eye->yaw) * cos(eye->pitch), sin(eye->pitch),
                               -cos(eye->yaw) * cos(eye->pitch)};
    const double right[3] = {cos(eye->yaw), 0.0, sin(eye->yaw)};
    const double up[3] = {-sin(eye->yaw) * sin(eye->pitch), cos(eye->pitch),
                          cos(eye->yaw) * sin(eye->pitch)};
    const double back[3] = {-forward[0], -forward[1], -forward[2]};
    run->view.frustum.plane_count = 0;
    add_side(run, right, forward, 1.0);
    add_side(run, right, forward, -1.0);
    if (run->shape != 2) { // 2: a wedge without top and bottom
        add_side(run, up, forward, 1.0);
        add_side(run, up, forward, -1.0);
    }
    add_plane(run, forward, -0.1);
    if (run->shape != 3) { // 3: without a far plane
        add_plane(run, back, run->depth);
    }
    for (int k = 0; k < 3; k++) {
        run->view.eye[k] = (float)eye->at[k];
    }
}

// ---- boxes ----

static void random_box(motion_run *run, acre_aabb *box)
{
    test_random *const random = &run->random;
    const uint32_t kind = random_below(random, 40);
    const double size = kind == 0 ? run->large : kind < 16 ? 0.2 : 6.0;
    for (int k = 0; k < 3; k++) {
        const double reach = k == 1 ? 0.1 * run->extent : run->extent;
        box->min[k] = (float)(run->offset[k] + between(random, -reach, reach));
        box->max[k] = (float)((double)box->min[k] + between(random, 0.01, size));
    }
}

// Moves the box so that its p-vertex lies beside a plane.
static void lay_against_plane(motion_run *run, acre_aabb *box)
{
    test_random *const random = &run->random;
    const acre_frustum *const frustum = &run->view.frustum;
    const float *const plane = frustum->planes[random_below(random, frustum->plane_count)];
    double distance = (double)plane[3], length2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const double n = (double)plane[k];
        distance += n * (double)(n >= 0.0 ? box->max[k] : box->min[k]);
        length2 += n * n;
    }
    const double side = random_below(random, 2) ? 1.0 : -1.0;
    const double far_away = fabs(run->offset[0]) + fabs(run->offset[2]);
    const double beside = side * log_between(random, 1e-8 * (1.0 + far_away), 5.0);
    const double by = (beside * sqrt(length2) - distance) / length2;
    for (int k = 0; k < 3; k++) {
        box->min[k] = (float)((double)box->min[k] + by * (double)plane[k]);
        box->max[k] = (float)((double)box->max[k] + by * (double)plane[k]);
    }
}

static bool create_boxes(motion_run *run)
{
    for (uint32_t i = 0; i < BOXES; i++) {
        random_box(run, &run->boxes[i]);
        if (i % 2) {
            lay_against_plane(run, &run->boxes[i]);
        }
        run->layers[i] = 1u << (i / 2 % 3);
        const acre_entity_def def = {
            .bounds = &run->boxes[i], .flags = ACRE_ENTITY_STATIC, .layers = run->layers[i]};
        if (acre_entity_create(run->scene, &def, &run->entities[i]) != ACRE_OK) {
            return false;
        }
    }
    return acre_scene_commit(run->scene) == ACRE_OK;
}

static bool open_run(motion_run *run, uint64_t seed, double offset, bool all_but_stands)
{
    memset(run, 0, sizeof *run);
    test_random *const random = &run->random;
    random->state = seed;
    run->offset[0] = run->offset[1] = all_but_stands ? 0.0 : offset;
    run->offset[2] = offset;
    run->all_but_stands = all_but_stands;
    run->extent = log_between(random, 50.0, 2000.0);
    run->large = random_below(random, 4) ? 300.0 : run->extent;
    run->depth = run->extent * (random_below(random, 2) ? 0.7 : log_between(random, 0.01, 0.7));
    run->shape = random_below(random, 5);
    run->scale = random_below(random, 3) ? 1.0 : log_between(random, 1e-6, 1e6);
    run->eye = (eye_place){.yaw = between(random, -3.0, 3.0),
                           .pitch = between(random, -0.6, 0.6),
                           .fov = between(random, 0.3, 1.6)};
    if (all_but_stands) {
        run->eye.yaw = run->eye.pitch = 0.0;
    }
    for (int k = 0; k < 3; k++) {
        run->eye.at[k] = run->offset[k] + between(random, -0.3, 0.3) * run->extent;
    }
    make_view(run);
    const acre_culling_def def = {
        .register_all = true,
        .tree = {.half_size = 2048, .center = {(float)run->offset[0], (float)run->offset[2]}}};
    const acre_visible_set_def set = {.flags = (uint32_t)(seed & 6u)};
    run->view.layers = random_below(random, 2) ? 0 : 3;
    return acre_scene_create(&(acre_scene_def){0}, &run->scene) == ACRE_OK &&
           acre_culling_create(run->scene, &def, &run->culling) == ACRE_OK &&
           acre_visible_set_create(&set, &run->set) == ACRE_OK && create_boxes(run);
}

static void close_run(motion_run *run)
{
    acre_visible_set_destroy(run->set);
    acre_culling_destroy(run->culling);
    acre_scene_destroy(run->scene);
}

// ---- frames ----

// Speeds of which a set may keep what it knows for some frames, or for very many.
static void choose_speeds(motion_run *run)
{
    test_random *const random = &run->random;
    const uint32_t kind = random_below(random, 8);
    const double sign = random_below(random, 2) ? 1.0 : -1.0;
    if (run->all_but_stands) {
        run->turn = sign * log_between(random, 1e-10, 1e-8);
        return;
    }
    run->turn = kind & 1 ? sign * log_between(random, 1e-9, 5e-4) : 0.0;
    run->step = kind & 2 ? sign * log_between(random, 1e-7, 5e-4) * run->extent : 0.0;
    run->zoom = kind & 4 ? sign * log_between(random, 1e-9, 5e-4) : 0.0;
}

static void move_eye(motion_run *run)
{
    run->eye.yaw += run->turn;
    run->eye.pitch += run->all_but_stands ? 0.0 : 0.4 * run->turn;
    run->eye.fov += run->zoom;
    run->eye.fov = fmin(fmax(run->eye.fov, 0.2), 2.0);
    run->eye.at[0] += run->step;
    run->eye.at[1] += 0.1 * run->step;
    run->eye.at[2] -= 0.7 * run->step;
    make_view(run);
}

// A volume of two planes upright to z, wandering as well.
static const acre_frustum *make_slab(motion_run *run, acre_frustum *slab, double middle)
{
    const float low = (float)(run->eye.at[2] + middle - 0.2 * run->extent);
    const float high = (float)(run->eye.at[2] + middle + 0.2 * run->extent);
    *slab = (acre_frustum){{{0, 0, 1, -low}, {0, 0, -1, high}}, 2};
    return slab;
}

static acre_result edit(motion_run *run)
{
    test_random *const random = &run->random;
    const uint32_t i = random_below(random, BOXES);
    const acre_transform none = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    acre_result result = ACRE_OK;
    switch (random_below(random, 5)) {
    case 0:
        random_box(run, &run->boxes[i]);
        lay_against_plane(run, &run->boxes[i]);
        return acre_culling_refresh_bounds(run->culling, run->entities[i], &run->boxes[i]);
    case 1:
        random_box(run, &run->boxes[i]);
        result = acre_entity_set_bounds(run->scene, run->entities[i], &run->boxes[i]);
        result = result ? result : acre_entity_set_local(run->scene, run->entities[i], &none);
        break;
    case 2:
        run->layers[i] = 1u << random_below(random, 3);
        result = acre_entity_set_layers(run->scene, run->entities[i], run->layers[i]);
        break;
    case 3:
        run->is_hidden[i] = !run->is_hidden[i];
        result = acre_entity_set_flags(run->scene, run->entities[i],
                                       ACRE_ENTITY_STATIC |
                                           (run->is_hidden[i] ? ACRE_ENTITY_HIDDEN : 0u));
        break;
    default:
        return acre_culling_optimize(run->culling);
    }
    return result == ACRE_OK ? acre_scene_commit(run->scene) : result;
}

static bool is_seen(const motion_run *run, uint32_t i)
{
    const acre_view *const view = &run->view;
    const acre_aabb *const box = &run->boxes[i];
    return !run->is_hidden[i] && (view->layers == 0 || (run->layers[i] & view->layers)) &&
           acre_frustum_test_aabb(&view->frustum, box) &&
           (!view->include || acre_frustum_test_aabb(view->include, box)) &&
           (!view->exclude || !acre_frustum_contains_aabb(view->exclude, box));
}

static bool check(motion_run *run)
{
    static bool is_named[BOXES];
    const acre_visible visible = acre_visible_set_get(run->set);
    memset(is_named, 0, sizeof is_named);
    for (size_t i = 0; i < visible.count; i++) {
        if (visible.slots[i] >= BOXES || is_named[visible.slots[i]]) {
            printf("slot %u is named twice or is none\n", visible.slots[i]);
            return false;
        }
        is_named[visible.slots[i]] = true;
    }
    for (uint32_t i = 0; i < BOXES; i++) {
        const bool sees = is_seen(run, i);
        if (sees != is_named[run->entities[i].index1 - 1]) {
            printf("box %u is %s\n", i, sees ? "lost" : "named, but hidden");
            return false;
        }
        run->crossed += sees != run->was_visible[i];
        run->was_visible[i] = sees;
    }
    run->tested += visible.tested;
    return true;
}

// The frames of a run. kind: 0 nothing but the camera, 1 edits, 2 other layers and volumes as well,
// 3 nothing, and the camera turns by less than floats can tell of most planes.
static bool run_frames(motion_run *run, uint32_t frames, uint32_t kind)
{
    test_random *const random = &run->random;
    for (uint32_t frame = 0; frame < frames; frame++) {
        if (frame % 50 == 0) {
            choose_speeds(run);
        }
        move_eye(run);
        const uint32_t dice = random_below(random, 20);
        if ((kind == 1 || kind == 2) && dice == 3 && edit(run) != ACRE_OK) {
            return false;
        }
        if (kind == 2 && dice == 0) {
            run->view.layers = random_below(random, 8);
        } else if (kind == 2 && dice == 1) {
            run->view.include = run->view.include ? NULL : make_slab(run, &run->include, 50.0);
        } else if (kind == 2 && dice == 2) {
            run->view.exclude = run->view.exclude ? NULL : make_slab(run, &run->exclude, -50.0);
        }
        if (run->view.exclude) {
            (void)make_slab(run, &run->exclude, -50.0 + 0.01 * (double)frame);
        }
        if (acre_culling_find_visible(run->culling, &run->view, run->set) != ACRE_OK ||
            !check(run)) {
            printf("frame %u\n", frame);
            return false;
        }
    }
    return true;
}

// @return whether all runs were right, and answers turned.
static bool run_all(uint32_t runs, uint32_t frames, uint32_t kind, double offset)
{
    static motion_run run; // too large for a small stack
    uint64_t crossed = 0;
    for (uint32_t i = 0; i < runs; i++) {
        const uint64_t seed = test_seed + 1000u * kind + i + (uint64_t)fabs(offset);
        if (!open_run(&run, seed, offset, kind == 3) || !run_frames(&run, frames, kind)) {
            printf("run %llu\n", (unsigned long long)seed);
            return false;
        }
        crossed += run.crossed;
        close_run(&run);
    }
    return crossed > runs;
}

static void a_slow_camera_sees_what_brute_force_sees(void)
{
    CHECK(run_all(16 * test_scale, 400, 0, 0.0));
}

static void so_it_does_far_from_the_origin_where_floats_are_coarse(void)
{
    CHECK(run_all(6 * test_scale, 300, 0, 3e4));
    CHECK(run_all(8 * test_scale, 300, 0, -1e6));
}

static void so_it_does_among_edits_of_what_is_static(void)
{
    CHECK(run_all(8 * test_scale, 400, 1, 0.0));
}

// What is known holds for a thousand frames then: rounding alone turns answers.
static void so_it_does_where_it_all_but_stands_far_from_the_origin(void)
{
    CHECK(run_all(6 * test_scale, 300, 3, 1e6));
    CHECK(run_all(3 * test_scale, 300, 3, -3e7));
}

static void so_it_does_with_other_layers_and_volumes(void)
{
    CHECK(run_all(8 * test_scale, 400, 2, 0.0));
}

// ---- the first static entity, larger than all that can be seen ----

// It touches the left plane two kilometres away, where a hair of a turn is metres.
static const acre_aabb giant_box = {{-2960.9f, -500.0f, -1755.2f}, {-960.9f, 500.0f, 244.8f}};

// The giant is static from the second commit on, alone; then small ones come, static too.
static bool create_giant(acre_scene *scene, test_random *random)
{
    const acre_entity_def giant_def = {.bounds = &giant_box};
    acre_entity giant, other;
    bool is_ok = acre_entity_create(scene, &giant_def, &giant) == ACRE_OK &&
                 acre_scene_commit(scene) == ACRE_OK &&
                 acre_entity_set_flags(scene, giant, ACRE_ENTITY_STATIC) == ACRE_OK &&
                 acre_scene_commit(scene) == ACRE_OK;
    for (int i = 0; i < 600 && is_ok; i++) {
        const float x = random_float(random, -150, 150), z = random_float(random, -150, 150);
        const acre_aabb box = {{x, 0, z}, {x + 1, 2, z + 1}};
        const acre_entity_def def = {.bounds = &box, .flags = ACRE_ENTITY_STATIC};
        is_ok = acre_entity_create(scene, &def, &other) == ACRE_OK;
    }
    return is_ok && acre_scene_commit(scene) == ACRE_OK;
}

static bool look_left(double angle, acre_view *out)
{
    const float eye[3] = {0, 2, 0}, up[3] = {0, 1, 0};
    const float target[3] = {(float)(-1000.0 * sin(angle)), 2, (float)(-1000.0 * cos(angle))};
    acre_camera camera = {0};
    return acre_camera_perspective(&camera, 1.0f, 1.0f, 0.1f, 100.0f, ACRE_CLIP_ZERO_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
           acre_view_from_camera(out, &camera) == ACRE_OK;
}

static void a_giant_that_became_static_first_is_seen_when_its_turn_comes(void)
{
    test_random random = {test_seed};
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set;
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling) ==
          ACRE_OK);
    CHECK(acre_visible_set_create(&(acre_visible_set_def){.flags = ACRE_VISIBLE_CHANGES}, &set) ==
          ACRE_OK);
    CHECK(create_giant(scene, &random));
    uint32_t slots[601], entered = 0;
    for (int frame = 0; frame < 250; frame++) {
        acre_view view;
        CHECK(look_left(1e-5 * frame, &view));
        const size_t count = acre_culling_query_view(culling, &view, slots, 601);
        CHECK(acre_culling_find_visible(culling, &view, set) == ACRE_OK);
        const acre_visible visible = acre_visible_set_get(set);
        CHECK(visible.count == count);
        for (size_t i = 0; i < visible.entered_count; i++) {
            entered += frame > 10 && visible.entered[i] == 0; // the giant has slot 0
        }
    }
    CHECK(entered == 1);
    acre_visible_set_destroy(set);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_slow_camera_sees_what_brute_force_sees),
        TEST(so_it_does_far_from_the_origin_where_floats_are_coarse),
        TEST(so_it_does_among_edits_of_what_is_static),
        TEST(so_it_does_where_it_all_but_stands_far_from_the_origin),
        TEST(so_it_does_with_other_layers_and_volumes),
        TEST(a_giant_that_became_static_first_is_seen_when_its_turn_comes),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
