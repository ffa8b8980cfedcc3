// SPDX-License-Identifier: MIT
// test_horizon_casters.c - casters that a camera's horizon leaves out: of their own points, moved
// along the light to the ground and aside by the filter, the eye sees none in the slice.
#include "test.h"

#include <acre/casters.h>
#include <acre/horizon.h>
#include <acre/objects.h>

#include <math.h>
#include <string.h>

enum { SIDE = 7, HOUSES = SIDE * SIDE, THINGS = HOUSES + 150, SAMPLES = 200, CASCADES = 3 };

static const acre_aabb ground = {{-400, -0.01f, -400}, {400, 0, 400}};

// Houses in rows, and things in the air and in the streets.
typedef struct street {
    acre_aabb boxes[THINGS];
    float eye[3];
    acre_camera camera;
    acre_cascade cascades[CASCADES];
    acre_horizon *horizon;
    acre_receivers *receivers;
    float filter;
} street;

static void draw_boxes(street *out, test_random *random)
{
    for (int i = 0; i < THINGS; i++) {
        const bool is_house = i < HOUSES;
        const float reach = 0.5f * SIDE * 16;
        const float x =
            is_house ? (float)(i % SIDE - SIDE / 2) * 16 : random_float(random, -reach, reach);
        const float z =
            is_house ? (float)(i / SIDE - SIDE / 2) * 16 : random_float(random, -reach, reach);
        const float y = is_house ? 0 : random_float(random, 0, 25);
        const float small = i % 2 ? 0.3f : 3; // shorter than a piece of its shadow's way
        const float half =
            is_house ? random_float(random, 4, 6) : random_float(random, 0.05f, small);
        const float high = is_house ? random_float(random, 5, 20) : half;
        out->boxes[i] = (acre_aabb){{x - half, y, z - half}, {x + half, y + high, z + half}};
    }
}

static void look_down_a_street(street *out, test_random *random)
{
    const float up[3] = {0, 1, 0};
    const float target[3] = {random_float(random, -50, 50), random_float(random, 0, 4),
                             random_float(random, -50, 50)};
    const float light[3] = {random_float(random, -1, 1), random_float(random, -1, -0.2f),
                            random_float(random, -1, 1)};
    const acre_cascades_def def = {.light = {light[0], light[1], light[2]},
                                   .distance = 120,
                                   .caster_distance = 60,
                                   .log_share = 0.5f,
                                   .count = CASCADES,
                                   .resolution = 1024};
    for (int k = 0; k < 3; k++) {
        out->eye[k] =
            k == 1 ? random_float(random, 1, 3) : 8 + 16 * ((float)random_below(random, 5) - 2);
    }
    EXPECT(acre_camera_perspective(&out->camera, 1, 1.6f, 0.1f, 300, ACRE_CLIP_ZERO_TO_ONE) ==
           ACRE_OK);
    EXPECT(acre_camera_look_at(&out->camera, out->eye, target, up) == ACRE_OK);
    EXPECT(acre_cascades_fit(&def, &out->camera, out->cascades) == ACRE_OK);
    EXPECT(acre_horizon_begin_camera(out->horizon, &out->camera, NULL) == ACRE_OK);
    for (int i = 0; i < HOUSES; i++) {
        acre_occluder house;
        EXPECT(acre_occluder_from_box(&house, &out->boxes[i]) == ACRE_OK);
        (void)acre_horizon_add(out->horizon, &house);
    }
}

// Whether a house stands between the eye and a point, or around the point.
static bool is_blocked(const street *from, const double *point)
{
    for (int i = 0; i < HOUSES; i++) {
        double begin = 0, end = 1;
        for (int k = 0; k < 3; k++) {
            const double step = point[k] - (double)from->eye[k];
            const double a = ((double)from->boxes[i].min[k] - (double)from->eye[k]) / step;
            const double b = ((double)from->boxes[i].max[k] - (double)from->eye[k]) / step;
            begin = fmax(begin, fmin(a, b));
            end = fmin(end, fmax(a, b));
        }
        if (begin < end || (begin <= end && begin < 1)) {
            return true;
        }
    }
    return false;
}

static bool is_in_slice(const acre_cascade *cascade, const double *point)
{
    acre_aabb there;
    for (int k = 0; k < 3; k++) {
        there.min[k] = there.max[k] = (float)point[k];
    }
    return acre_frustum_test_aabb(&cascade->slice, &there);
}

// Draws a point that a caster may darken: one of its own, often at an edge or a corner, moved along
// the light up to the ground, often just to it, and aside by the filter at most, often by all of
// it. @return false: nothing in the slice receives light behind it, or it is not in the slice.
static bool draw_darkened(const street *from, const acre_cascade *cascade, const acre_aabb *box,
                          test_random *random, double *point)
{
    double aside[3], foot[3], length2 = 0;
    for (int k = 0; k < 3; k++) {
        const uint32_t at = random_below(random, 3);
        point[k] = at == 0   ? (double)box->min[k]
                   : at == 1 ? (double)box->max[k]
                             : (double)random_float(random, box->min[k], box->max[k]);
        aside[k] = (double)random_float(random, -1, 1);
        length2 += aside[k] * aside[k];
    }
    const double way = -point[1] / (double)cascade->light[1];
    const double share = random_below(random, 3) ? (double)random_float(random, 0, 1) : 1;
    const double more = random_below(random, 2) ? (double)random_float(random, 0, 1) : 1;
    for (int k = 0; k < 3; k++) {
        foot[k] = k == 1 ? -0.001 : point[k] + way * (double)cascade->light[k];
        point[k] += share * way * (double)cascade->light[k] +
                    0.999 * more * (double)from->filter * aside[k] / sqrt(length2);
    }
    return is_in_slice(cascade, foot) && is_in_slice(cascade, point);
}

// Whether the eye sees one of some points that a caster may darken, whatever stands there.
static bool is_shadow_seen(const street *from, const acre_cascade *cascade, const acre_aabb *box,
                           test_random *random)
{
    for (int i = 0; i < SAMPLES; i++) {
        double point[3];
        if (draw_darkened(from, cascade, box, random, point) && !is_blocked(from, point)) {
            return true;
        }
    }
    return false;
}

// @return whether `dropped` is the number of casters that the horizon leaves out, none of them
// seen.
static void look_at_casters(street *from, const acre_cascade *cascade, test_random *random,
                            uint32_t *casters, uint32_t *dropped)
{
    bool was_caster[THINGS];
    CHECK(acre_receivers_begin(from->receivers, cascade) == ACRE_OK);
    CHECK(acre_receivers_add_boxes(from->receivers, &ground, 1) == ACRE_OK);
    CHECK(acre_receivers_add_boxes(from->receivers, from->boxes, HOUSES) == ACRE_OK);
    for (int i = 0; i < THINGS; i++) {
        was_caster[i] = acre_receivers_test_aabb(from->receivers, &from->boxes[i]);
        *casters += was_caster[i];
    }
    CHECK(acre_receivers_set_horizon(from->receivers, from->horizon, from->filter) == ACRE_OK);
    for (int i = 0; i < THINGS; i++) {
        const bool is_caster = acre_receivers_test_aabb(from->receivers, &from->boxes[i]);
        CHECK(!is_caster || was_caster[i]);
        if (was_caster[i] && !is_caster) {
            ++*dropped;
            CHECK(!is_shadow_seen(from, cascade, &from->boxes[i], random));
        }
    }
}

static bool make_street(street *out)
{
    memset(out, 0, sizeof *out);
    return acre_horizon_create(&(acre_horizon_def){0}, &out->horizon) == ACRE_OK &&
           acre_receivers_create(NULL, &out->receivers) == ACRE_OK;
}

static void free_street(street *from)
{
    acre_horizon_destroy(from->horizon);
    acre_receivers_destroy(from->receivers);
}

static void no_shadow_that_is_seen_loses_its_caster(void)
{
    static street from;
    test_random random = {test_seed};
    uint32_t casters = 0, dropped = 0;
    CHECK(make_street(&from));
    for (uint32_t round = 0; round < 60 * test_scale; round++) {
        draw_boxes(&from, &random);
        look_down_a_street(&from, &random);
        from.filter = round % 3 ? random_float(&random, 0, 5) : 0;
        for (int i = 0; i < CASCADES; i++) {
            look_at_casters(&from, &from.cascades[i], &random, &casters, &dropped);
        }
    }
    CHECK(casters > 1000 && dropped > casters / 5);
    free_street(&from);
}

static size_t count_casters(const acre_culling *culling, const street *from)
{
    static uint32_t found[THINGS];
    size_t count = 0;
    EXPECT(acre_culling_query_casters(culling, from->receivers, found, THINGS, &count) == ACRE_OK);
    return count;
}

static void begin_on_ground(const street *from)
{
    EXPECT(acre_receivers_begin(from->receivers, &from->cascades[1]) == ACRE_OK);
    EXPECT(acre_receivers_add_boxes(from->receivers, &ground, 1) == ACRE_OK);
}

static acre_culling *make_culler(street *from)
{
    static uint32_t slots[THINGS];
    acre_culling *culling = NULL;
    for (uint32_t i = 0; i < THINGS; i++) {
        slots[i] = i;
    }
    const acre_objects objects = {.slot_count = THINGS,
                                  .boxes = {from->boxes[0].min, from->boxes[0].max,
                                            sizeof *from->boxes, sizeof *from->boxes,
                                            ACRE_BOX_FORM_MIN_MAX},
                                  .added = slots,
                                  .added_count = THINGS};
    EXPECT(acre_culling_create_for_objects(NULL, &culling) == ACRE_OK);
    EXPECT(acre_culling_update(culling, &objects, NULL) == ACRE_OK);
    return culling;
}

static void a_culler_leaves_out_the_same(void)
{
    static street from;
    test_random random = {test_seed};
    size_t all = 0, left = 0;
    CHECK(make_street(&from));
    for (int round = 0; round < 6; round++) {
        draw_boxes(&from, &random);
        look_down_a_street(&from, &random);
        acre_culling *const culling = make_culler(&from);
        begin_on_ground(&from);
        const size_t before = count_casters(culling, &from);
        CHECK(acre_receivers_set_horizon(from.receivers, from.horizon, 0.1f) == ACRE_OK);
        size_t expected = 0;
        for (uint32_t i = 0; i < THINGS; i++) {
            expected += acre_receivers_test_aabb(from.receivers, &from.boxes[i]);
        }
        CHECK(count_casters(culling, &from) == expected);
        all += before;
        left += expected;
        // Taken away again, and by the next begin.
        CHECK(acre_receivers_set_horizon(from.receivers, NULL, 0) == ACRE_OK);
        CHECK(count_casters(culling, &from) == before);
        CHECK(acre_receivers_set_horizon(from.receivers, from.horizon, 0) == ACRE_OK);
        begin_on_ground(&from);
        CHECK(count_casters(culling, &from) == before);
        acre_culling_destroy(culling);
    }
    CHECK(0 < left && left < all);
    free_street(&from);
}

static void bad_calls_are_refused(void)
{
    static street from;
    CHECK(make_street(&from));
    const acre_local_light lamp = {.position = {0, 4, 0}, .range = 9};
    CHECK(acre_receivers_set_horizon(NULL, from.horizon, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_receivers_set_horizon(from.receivers, from.horizon, 0) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_receivers_begin_light(from.receivers, &lamp, NULL) == ACRE_OK);
    CHECK(acre_receivers_set_horizon(from.receivers, from.horizon, 0) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    test_random random = {test_seed};
    draw_boxes(&from, &random);
    look_down_a_street(&from, &random);
    CHECK(acre_receivers_begin(from.receivers, &from.cascades[0]) == ACRE_OK);
    CHECK(acre_receivers_set_horizon(from.receivers, from.horizon, -1) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_receivers_set_horizon(from.receivers, from.horizon, NAN) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    free_street(&from);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_shadow_that_is_seen_loses_its_caster),
        TEST(a_culler_leaves_out_the_same),
        TEST(bad_calls_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
