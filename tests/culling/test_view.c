// SPDX-License-Identifier: MIT
// test_view.c - views: made from cameras, their valid ranges, and the rules of distance and size
// against the oracle's float definition, against what the words mean, and at their limits.
#include "view_oracle.h"
#include "view_rules_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "told_calls.h"

// ---- from a camera ----

static acre_camera random_camera(test_random *random, float *eye, float *target, float offset)
{
    static const acre_clip clips[3] = {ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE,
                                       ACRE_CLIP_REVERSED_ZERO_TO_ONE};
    const float up[3] = {0, 1, 0};
    const acre_clip clip = clips[random_below(random, 3)];
    acre_camera camera = {.layers = random_below(random, 8)};
    for (int i = 0; i < 3; i++) {
        eye[i] = offset + random_float(random, -500, 500);
        target[i] = eye[i] + random_float(random, 1, 50) * (random_below(random, 2) ? 1.0f : -1.0f);
    }
    const acre_result made =
        random_below(random, 2)
            ? acre_camera_perspective(&camera, random_float(random, 0.2f, 2.0f),
                                      random_float(random, 0.5f, 3.0f), 0.1f, 5000.0f, clip)
            : acre_camera_orthographic(&camera, random_float(random, 1, 500),
                                       random_float(random, 1, 500), -100.0f, 900.0f, clip);
    if (made != ACRE_OK || acre_camera_look_at(&camera, eye, target, up) != ACRE_OK) {
        camera.clip = 0;
    }
    return camera;
}

// What no camera sets.
static bool rest_is_zero(const acre_view *view)
{
    return view->min_distance == 0.0f && view->max_distance == 0.0f && view->pixels == 0.0f &&
           !view->is_parallel && view->min_pixels == 0.0f && view->range_scale == 0.0f &&
           view->lod_scale == 0.0f && view->hysteresis == 0.0f && !view->include && !view->exclude;
}

static bool same_planes(const acre_frustum *a, const acre_frustum *b)
{
    return a->plane_count == b->plane_count &&
           memcmp(a->planes, b->planes, a->plane_count * sizeof a->planes[0]) == 0;
}

static void the_eye_of_a_camera_that_looks_is_where_it_stands(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 3000 * test_scale; i++) {
        float eye[3], target[3];
        const float offset = i % 3 == 0 ? 0.0f : i % 3 == 1 ? 1e4f : -3e5f;
        const acre_camera camera = random_camera(&random, eye, target, offset);
        acre_frustum frustum;
        acre_view view;
        memset(&view, 255, sizeof view);
        CHECK(camera.clip != 0 && acre_camera_frustum(&camera, &frustum) == ACRE_OK);
        CHECK(acre_view_from_camera(&view, &camera) == ACRE_OK);
        CHECK(view.layers == camera.layers && same_planes(&view.frustum, &frustum));
        CHECK(view.flags == 0 && rest_is_zero(&view) && acre_view_is_valid(&view));
        // Twelve floats of the matrix are rounded, each by 2^-24 of a number up to |eye|.
        const float slack = 16.0f * 0x1p-24f * (fabsf(offset) + 900.0f);
        for (int k = 0; k < 3; k++) {
            CHECK(fabsf(view.eye[k] - eye[k]) <= slack);
        }
    }
}

// The view matrix, which may scale and mirror, sends the eye to the origin.
static void the_eye_of_any_matrix_is_what_it_sends_to_the_origin(void)
{
    test_random random = {test_seed + 1};
    for (uint32_t i = 0; i < 3000 * test_scale; i++) {
        float eye[3], target[3];
        acre_camera camera = random_camera(&random, eye, target, 0.0f);
        double factors[3], sum[3] = {0, 0, 0}, size = 0.0;
        for (int row = 0; row < 3; row++) {
            factors[row] = (double)random_float(&random, 0.1f, 10.0f) * (i & 1u << row ? -1 : 1);
            for (int k = 0; k < 4; k++) {
                float *const element = &camera.view[4 * k + row];
                *element = (float)(factors[row] * (double)*element);
            }
        }
        acre_view view;
        EXPECT(acre_view_from_camera(&view, &camera) == ACRE_OK);
        for (int row = 0; row < 3; row++) {
            sum[row] = (double)camera.view[12 + row];
            for (int k = 0; k < 3; k++) {
                sum[row] += (double)camera.view[4 * k + row] * (double)view.eye[k];
                size += fabs((double)camera.view[4 * k + row] * (double)view.eye[k]);
            }
        }
        for (int row = 0; row < 3; row++) {
            CHECK(fabs(sum[row]) <= 0x1p-22 * size);
        }
    }
}

static void a_camera_without_a_volume_gives_a_view_that_sees_everything(void)
{
    acre_camera camera = {.layers = 5, .clip = ACRE_CLIP_ZERO_TO_ONE};
    acre_view view;
    CHECK(acre_view_from_camera(&view, &camera) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(view.layers == 5 && view.frustum.plane_count == 0 && rest_is_zero(&view));
    // Rules have no place to measure from.
    CHECK(view.flags == ACRE_VIEW_IGNORE_RULES);
    CHECK(acre_view_from_camera(&view, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(view.flags == ACRE_VIEW_IGNORE_RULES && view.layers == 0 &&
          view.frustum.plane_count == 0 && rest_is_zero(&view));
    CHECK(view.eye[0] == 0.0f && view.eye[1] == 0.0f && view.eye[2] == 0.0f);
    CHECK(acre_view_from_camera(NULL, &camera) == ACRE_ERROR_INVALID_ARGUMENT);
    // A flat view matrix: nothing is sent to the origin, or a whole line is.
    CHECK(acre_camera_perspective(&camera, 1.0f, 1.0f, 0.1f, 100.0f, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_OK);
    camera.view[10] = 0.0f;
    CHECK(acre_view_from_camera(&view, &camera) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(view.frustum.plane_count == 0 && view.layers == 5 && acre_view_is_valid(&view));
    camera.view[10] = NAN;
    CHECK(acre_view_from_camera(&view, &camera) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_view_is_valid(&view));
}

// ---- pixels ----

// Where the camera's matrices put a point: pixels from the middle of the picture.
static void project(const acre_camera *camera, float height, const double *point, double *x,
                    double *y, double *depth)
{
    double c[4] = {0, 0, 0, 0}, clip[4] = {0, 0, 0, 0};
    const double p[4] = {point[0], point[1], point[2], 1.0};
    for (int i = 0; i < 16; i++) {
        c[i % 4] += (double)camera->view[i] * p[i / 4];
    }
    for (int i = 0; i < 16; i++) {
        clip[i % 4] += (double)camera->projection[i] * c[i / 4];
    }
    // Pixels are square: those of x follow from y's.
    const double across = (double)camera->projection[5] / (double)camera->projection[0];
    *x = clip[0] / clip[3] * 0.5 * (double)height * across;
    *y = clip[1] / clip[3] * 0.5 * (double)height;
    *depth = -c[2];
}

static void corner(const acre_aabb *box, int number, double *point)
{
    for (int i = 0; i < 3; i++) {
        point[i] = (double)(number >> i & 1 ? box->max[i] : box->min[i]);
    }
}

// The largest distance of two corners in the picture, and the steepest angle to the axis.
// @return whether all corners are before the camera.
static bool picture_of(const acre_camera *camera, float height, const acre_aabb *box,
                       double *largest, double *tangent)
{
    double x[8], y[8], depth;
    *largest = *tangent = 0.0;
    for (int i = 0; i < 8; i++) {
        double point[3];
        corner(box, i, point);
        project(camera, height, point, &x[i], &y[i], &depth);
        const double unit = fabs((double)camera->projection[5]) * 0.5 * (double)height;
        *tangent = fmax(*tangent, hypot(x[i], y[i]) / unit);
        if (!(depth > 0.0)) {
            return false;
        }
        for (int k = 0; k < i; k++) {
            *largest = fmax(*largest, hypot(x[i] - x[k], y[i] - y[k]));
        }
    }
    return true;
}

// The size is an upper limit of what a box covers. With a parallel projection no two corners lie
// farther apart in the picture. Otherwise they are seen under an angle of at most 2 asin(D / 2 d),
// which the picture, at a slope of t to the axis, stretches by at most 1 + t t.
static void no_box_covers_more_pixels_than_its_size(void)
{
    test_random random = {test_seed + 2};
    uint32_t compared = 0;
    for (uint32_t i = 0; i < 20000 * test_scale; i++) {
        float eye[3], target[3];
        const float height = random_float(&random, 100, 2000);
        const acre_camera camera = random_camera(&random, eye, target, 0.0f);
        acre_view view;
        CHECK(acre_view_from_camera(&view, &camera) == ACRE_OK);
        CHECK(acre_view_set_viewport(&view, &camera, height) == ACRE_OK);
        acre_aabb box;
        for (int k = 0; k < 3; k++) {
            box.min[k] = target[k] + random_float(&random, -5, 5);
            box.max[k] = box.min[k] + random_float(&random, 0, 8);
        }
        double largest, tangent;
        if (!picture_of(&camera, height, &box, &largest, &tangent)) {
            continue;
        }
        const double size = (double)acre_view_measure_aabb(&view, &box).pixels;
        const double unit = (double)view.pixels;
        double most = size;
        if (!view.is_parallel && !(size < 2.0 * unit)) {
            continue; // the diagonal is longer than twice the distance
        }
        if (!view.is_parallel) {
            most = 2.0 * asin(0.5 * size / unit) * unit * (1.0 + tangent * tangent);
        }
        CHECK(largest <= most * (1.0 + 1e-4) + 1e-3);
        compared++;
    }
    CHECK(compared > 2000 * test_scale);
}

// Head on, the size is exactly what the diagonal covers.
static void a_sheet_that_faces_the_camera_covers_its_size(void)
{
    test_random random = {test_seed + 3};
    for (uint32_t i = 0; i < 2000 * test_scale; i++) {
        const float height = random_float(&random, 100, 2000), up[3] = {0, 1, 0};
        const float eye[3] = {random_float(&random, -50, 50), random_float(&random, -50, 50),
                              random_float(&random, -50, 50)};
        const float target[3] = {eye[0], eye[1], eye[2] - 1.0f};
        const float half = random_float(&random, 0.1f, 4), away = random_float(&random, 5, 200);
        acre_camera camera = {0};
        acre_view view = {0};
        CHECK((i & 1 ? acre_camera_perspective(&camera, random_float(&random, 0.2f, 2.0f), 1.5f,
                                               0.1f, 900.0f, ACRE_CLIP_REVERSED_ZERO_TO_ONE)
                     : acre_camera_orthographic(&camera, 30.0f, random_float(&random, 10, 60), 0.1f,
                                                900.0f, ACRE_CLIP_NEGATIVE_ONE_TO_ONE)) == ACRE_OK);
        CHECK(acre_camera_look_at(&camera, eye, target, up) == ACRE_OK);
        CHECK(acre_view_from_camera(&view, &camera) == ACRE_OK);
        CHECK(acre_view_set_viewport(&view, &camera, height) == ACRE_OK);
        CHECK(view.is_parallel == !(i & 1));
        const acre_aabb box = {{eye[0] - half, eye[1] - half, eye[2] - away},
                               {eye[0] + half, eye[1] + half, eye[2] - away}};
        double largest, tangent;
        CHECK(picture_of(&camera, height, &box, &largest, &tangent));
        const acre_view_measure measure = acre_view_measure_aabb(&view, &box);
        CHECK(fabs((double)measure.distance - (double)away) < 1e-4 * (double)away);
        CHECK(fabs((double)measure.pixels - largest) < 1e-3 * largest);
    }
}

static void a_viewport_without_a_height_or_projection_is_refused(void)
{
    const float heights[] = {0.0f, -1.0f, NAN, INFINITY, -INFINITY};
    acre_camera camera = {0};
    acre_view view = {.pixels = 3.0f, .is_parallel = true, .max_distance = 7.0f};
    const acre_view before = view;
    CHECK(acre_camera_perspective(&camera, 1.0f, 1.0f, 0.1f, 100.0f, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_OK);
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        CHECK(acre_view_set_viewport(&view, &camera, heights[i]) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    CHECK(acre_view_set_viewport(NULL, &camera, 9.0f) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_view_set_viewport(&view, NULL, 9.0f) == ACRE_ERROR_INVALID_ARGUMENT);
    const float elements[] = {0.0f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        acre_camera broken = camera;
        broken.projection[5] = elements[i];
        CHECK(acre_view_set_viewport(&view, &broken, 9.0f) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    CHECK(view.pixels == before.pixels && view.is_parallel && view.max_distance == 7.0f);
    camera.projection[5] = -camera.projection[5]; // y down, as Vulkan has it
    CHECK(acre_view_set_viewport(&view, &camera, 9.0f) == ACRE_OK);
    CHECK(view.pixels > 0.0f && !view.is_parallel && view.max_distance == 7.0f);
}

// ---- valid ranges ----

static void each_field_outside_its_range_makes_a_view_invalid(void)
{
    const acre_view zero = {0};
    CHECK(acre_view_is_valid(&zero) && !acre_view_is_valid(NULL));
    float *fields[8];
    acre_view view = zero;
    float *const of[8] = {
        &view.min_distance, &view.max_distance, &view.pixels,     &view.min_pixels,
        &view.range_scale,  &view.lod_scale,    &view.hysteresis, NULL};
    memcpy(fields, of, sizeof fields);
    for (int i = 0; i < 7; i++) {
        const float bad[] = {NAN, -NAN, -1e-30f, -1.0f, -INFINITY};
        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
            *fields[i] = bad[k];
            CHECK(!acre_view_is_valid(&view));
        }
        const float good[] = {0.0f, -0.0f, FLT_MIN, 0.99f};
        for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
            *fields[i] = good[k];
            CHECK(acre_view_is_valid(&view));
        }
        *fields[i] = INFINITY; // no limit, for all but the last
        CHECK(acre_view_is_valid(&view) == (i < 6));
        *fields[i] = FLT_MAX;
        CHECK(acre_view_is_valid(&view) == (i < 6));
        *fields[i] = 0.0f;
    }
    view.hysteresis = 1.0f;
    CHECK(!acre_view_is_valid(&view));
    view = zero;
    for (int i = 0; i < 3; i++) {
        const float bad[] = {NAN, INFINITY, -INFINITY};
        for (size_t k = 0; k < 3; k++) {
            view.eye[i] = bad[k];
            CHECK(!acre_view_is_valid(&view));
        }
        view.eye[i] = -FLT_MAX;
        CHECK(acre_view_is_valid(&view));
    }
    view = zero;
    view.flags = 1u << 2;
    CHECK(!acre_view_is_valid(&view));
    view.flags = ACRE_VIEW_IGNORE_RULES | ACRE_VIEW_EXCLUDE_TOUCHING;
    view.layers = UINT32_MAX;
    CHECK(acre_view_is_valid(&view));
}

static void a_plane_with_nan_is_allowed_in_the_frustum_alone(void)
{
    for (uint32_t plane = 0; plane < ACRE_FRUSTUM_MAX_PLANES; plane++) {
        for (int k = 0; k < 4; k++) {
            acre_frustum volume = {.plane_count = plane};
            volume.planes[plane][k] = NAN;
            acre_view view = {.frustum = volume, .include = &volume, .exclude = &volume};
            CHECK(acre_view_is_valid(&view)); // behind the last plane
            volume.plane_count = plane % 2 ? plane + 1 : UINT32_MAX;
            view = (acre_view){.frustum = volume};
            CHECK(acre_view_is_valid(&view));
            view.include = &volume;
            CHECK(!acre_view_is_valid(&view));
            view.include = NULL;
            view.exclude = &volume;
            CHECK(!acre_view_is_valid(&view));
            volume.planes[plane][k] = -INFINITY;
            view.include = &volume;
            CHECK(acre_view_is_valid(&view));
        }
    }
}

// ---- the rules ----

static acre_aabb random_box(test_random *random, const float *eye)
{
    acre_aabb box;
    const uint32_t kind = random_below(random, 24);
    const float spread = kind < 4 ? 3.0f : kind < 8 ? 900.0f : 150.0f;
    for (int i = 0; i < 3; i++) {
        box.min[i] = eye[i] + random_float(random, -spread, spread);
        box.max[i] = box.min[i] + random_float(random, 0.0f, 20.0f);
        switch (kind) {
        case 0: // no size
            box.max[i] = box.min[i];
            break;
        case 1: // the eye is within
            box.min[i] = eye[i] - random_float(random, 0.0f, 10.0f);
            box.max[i] = eye[i] + random_float(random, 0.0f, 10.0f);
            break;
        case 2: // a point in the eye
            box.min[i] = box.max[i] = eye[i];
            break;
        case 3: // endless
            box.min[i] = random_below(random, 2) ? -INFINITY : box.min[i];
            box.max[i] = random_below(random, 2) ? INFINITY : box.max[i];
            break;
        case 4: // squares overflow
            box.min[i] -= random_below(random, 2) ? 3e19f : 0.0f;
            box.max[i] += random_below(random, 2) ? 2e25f : 0.0f;
            break;
        case 5: // all at one end
            box.min[i] = box.max[i] = random_below(random, 2) ? INFINITY : -INFINITY;
            break;
        case 6: // squares underflow
            box.max[i] = box.min[i] = eye[i] + 1e-25f;
            break;
        default:
            break;
        }
    }
    return box;
}

static acre_view any_view(test_random *random)
{
    acre_view view = {0};
    view_oracle_random_limits(random, &view);
    switch (random_below(random, 40)) {
    case 0:
        view.min_distance = INFINITY;
        break;
    case 1:
        view.max_distance = INFINITY;
        break;
    case 2:
        view.pixels = 1e25f;
        break;
    case 3:
        view.min_pixels = FLT_MAX;
        break;
    case 4:
        view.range_scale = view.lod_scale = INFINITY;
        break;
    case 5:
        view.range_scale = view.lod_scale = 1e-30f;
        break;
    case 6:
        view.eye[0] = view.eye[2] = 1e30f;
        break;
    default:
        break;
    }
    return view;
}

static void the_rules_equal_their_definition_in_float(void)
{
    test_random random = {test_seed + 4};
    uint32_t by[ACRE_HIDDEN_BY_SIZE + 1] = {0}, lods = 0;
    for (uint32_t i = 0; i < 300000 * test_scale; i++) {
        const acre_view view = any_view(&random);
        const acre_visibility_rule rule = view_oracle_random_rule(&random);
        const acre_visibility_rule *const counted = random_below(&random, 4) ? &rule : NULL;
        const acre_aabb box = random_box(&random, view.eye);
        const uint32_t before = random_below(&random, ACRE_LOD_LIMITS + 1);
        const uint32_t *const last = random_below(&random, 2) ? &before : NULL;
        const view_answer expected = view_oracle_rules(&view, counted, &box, last);
        uint32_t lod = 99;
        const acre_hidden_by found = acre_view_test_rules(&view, counted, &box, last, &lod);
        CHECK(found == expected.hidden_by && lod == expected.lod);
        CHECK(acre_view_test_rules(&view, counted, &box, last, NULL) == found);
        by[found]++;
        lods += lod > 0;
    }
    CHECK(by[ACRE_HIDDEN_BY_NOTHING] > 30000 && by[ACRE_HIDDEN_BY_MIN_DISTANCE] > 3000);
    CHECK(by[ACRE_HIDDEN_BY_MAX_DISTANCE] > 3000 && by[ACRE_HIDDEN_BY_SIZE] > 3000);
    CHECK(lods > 3000);
}

static void away_from_the_limits_the_rules_mean_what_their_words_say(void)
{
    test_random random = {test_seed + 5};
    uint32_t sure = 0, sure_lods = 0;
    for (uint32_t i = 0; i < 100000 * test_scale; i++) {
        acre_view view = {0};
        view_oracle_random_limits(&random, &view);
        const acre_visibility_rule rule = view_oracle_random_rule(&random);
        acre_aabb box;
        for (int k = 0; k < 3; k++) {
            box.min[k] = view.eye[k] + random_float(&random, -200, 200);
            box.max[k] = box.min[k] + random_float(&random, 0, 20);
        }
        const uint32_t zero = 0;
        const bool was_visible = random_below(&random, 2) != 0;
        int meant;
        const int hides = view_oracle_meaning(&view, &rule, &box, was_visible, &meant);
        uint32_t lod;
        const acre_hidden_by found =
            acre_view_test_rules(&view, &rule, &box, was_visible ? &zero : NULL, &lod);
        CHECK(hides < 0 || hides == (found != ACRE_HIDDEN_BY_NOTHING));
        CHECK(meant < 0 || was_visible || (int)lod == meant);
        sure += hides >= 0;
        sure_lods += meant >= 0 && !was_visible;
    }
    CHECK(sure > 99000 * test_scale && sure_lods > 45000 * test_scale);
}

static void a_measure_is_the_nearest_point_and_the_diagonal(void)
{
    test_random random = {test_seed + 6};
    for (uint32_t i = 0; i < 50000 * test_scale; i++) {
        acre_view view = {0};
        view_oracle_random_limits(&random, &view);
        acre_aabb box;
        for (int k = 0; k < 3; k++) {
            box.min[k] = view.eye[k] + random_float(&random, -80, 40);
            box.max[k] = box.min[k] + random_float(&random, 0.01f, 60);
        }
        const acre_view_measure measure = acre_view_measure_aabb(&view, &box);
        const double distance = view_oracle_distance(&view, &box);
        const double pixels = view_oracle_pixels(&view, &box);
        CHECK(fabs((double)measure.distance - distance) <= 1e-5 * distance + 1e-5);
        if (view.pixels == 0.0f) {
            CHECK(measure.pixels == 0.0f);
        } else if (isinf(pixels)) {
            CHECK(isinf(measure.pixels));
        } else if (distance > 1.0) {
            CHECK(fabs((double)measure.pixels - pixels) <= 1e-4 * pixels);
        }
    }
    const acre_view view = {.pixels = 100.0f};
    const acre_aabb point = {{0, 0, 0}, {0, 0, 0}}, beside = {{1, 0, 0}, {1, 0, 0}};
    CHECK(isinf(acre_view_measure_aabb(&view, &point).pixels));
    CHECK(acre_view_measure_aabb(&view, &beside).pixels == 0.0f);
}

static void ignored_rules_do_not_count_but_the_limits_of_the_view_do(void)
{
    const acre_aabb box = {{10, 0, 0}, {11, 1, 1}};
    const acre_visibility_rule rule = {
        .max_distance = 5.0f, .min_pixels = 1e6f, .lod_pixels = {1e6f, 1e5f}};
    acre_view view = {.pixels = 100.0f};
    uint32_t lod;
    CHECK(acre_view_test_rules(&view, &rule, &box, NULL, &lod) == ACRE_HIDDEN_BY_MAX_DISTANCE);
    view.range_scale = 3.0f;
    CHECK(acre_view_test_rules(&view, &rule, &box, NULL, &lod) == ACRE_HIDDEN_BY_SIZE);
    view.flags = ACRE_VIEW_IGNORE_RULES;
    CHECK(acre_view_test_rules(&view, &rule, &box, NULL, &lod) == ACRE_HIDDEN_BY_NOTHING);
    CHECK(lod == 0);
    view.max_distance = 9.0f;
    CHECK(acre_view_test_rules(&view, &rule, &box, NULL, &lod) == ACRE_HIDDEN_BY_MAX_DISTANCE);
    view.max_distance = 0.0f;
    view.min_distance = 11.0f;
    CHECK(acre_view_test_rules(&view, NULL, &box, NULL, &lod) == ACRE_HIDDEN_BY_MIN_DISTANCE);
    view.min_distance = 0.0f;
    view.min_pixels = 100.0f;
    CHECK(acre_view_test_rules(&view, NULL, &box, NULL, &lod) == ACRE_HIDDEN_BY_SIZE);
    view.pixels = 0.0f; // sizes are not known
    CHECK(acre_view_test_rules(&view, NULL, &box, NULL, &lod) == ACRE_HIDDEN_BY_NOTHING);
}

// ---- hysteresis ----

// A unit box at a distance, and what became of it.
typedef struct watched {
    bool is_visible;
    uint32_t lod;
    uint32_t flips, lod_changes;
} watched;

static void step_to(watched *of, const acre_view *view, const acre_visibility_rule *rule,
                    float away)
{
    const acre_aabb box = {{away, 0, 0}, {away + 1.0f, 1, 1}};
    const uint32_t last = of->lod;
    uint32_t lod = 0;
    const bool is_visible = acre_view_test_rules(view, rule, &box, of->is_visible ? &last : NULL,
                                                 &lod) == ACRE_HIDDEN_BY_NOTHING;
    of->flips += is_visible != of->is_visible;
    of->lod_changes += is_visible && of->is_visible && lod != of->lod;
    of->is_visible = is_visible;
    of->lod = is_visible ? lod : 0;
}

// Goes to and fro around a limit of distance, within the band or across it.
static watched swing(const acre_view *view, const acre_visibility_rule *rule, float low, float high)
{
    watched box = {0};
    for (int i = 0; i < 200; i++) {
        step_to(&box, view, rule, i % 2 ? high : low);
    }
    return box;
}

static void an_entity_that_swings_within_the_band_never_flickers(void)
{
    const float h = 0.1f;
    const acre_visibility_rule none = {0};
    acre_view view = {.max_distance = 50.0f, .hysteresis = h};
    CHECK(swing(&view, &none, 49.9f, 54.9f).flips == 1);
    CHECK(swing(&view, &none, 50.1f, 54.9f).flips == 0); // it never was inside
    CHECK(swing(&view, &none, 49.9f, 55.1f).flips == 200);
    view = (acre_view){.min_distance = 50.0f, .hysteresis = h};
    CHECK(swing(&view, &none, 45.1f, 50.1f).flips == 1);
    CHECK(swing(&view, &none, 45.1f, 49.9f).flips == 0);
    CHECK(swing(&view, &none, 44.9f, 50.1f).flips == 199);
    // sqrt(3) 1000 / distance pixels: 40 of them at 43.3.
    view = (acre_view){.pixels = 1000.0f, .min_pixels = 40.0f, .hysteresis = h};
    CHECK(swing(&view, &none, 43.2f, 48.0f).flips == 1);
    CHECK(swing(&view, &none, 43.4f, 48.0f).flips == 0);
    CHECK(swing(&view, &none, 43.2f, 48.2f).flips == 200);
    const acre_visibility_rule rule = {.lod_pixels = {40.0f, 20.0f}};
    view = (acre_view){.pixels = 1000.0f, .hysteresis = h};
    CHECK(swing(&view, &rule, 43.2f, 48.0f).lod_changes == 0);
    CHECK(swing(&view, &rule, 43.2f, 48.2f).lod_changes == 199);
    view.hysteresis = 0.0f;
    CHECK(swing(&view, &rule, 43.2f, 43.4f).lod_changes == 199);
}

// For any rule: between two places whose answers differ for a box that was never seen, one that
// swings flips for ever only if the answers differ with the memory of being visible as well.
static void a_swing_between_any_two_places_flips_for_ever_or_at_most_once(void)
{
    test_random random = {test_seed + 7};
    uint32_t calm = 0, restless = 0;
    for (uint32_t i = 0; i < 3000 * test_scale; i++) {
        acre_view view = {0};
        view_oracle_random_limits(&random, &view);
        memset(view.eye, 0, sizeof view.eye);
        const acre_visibility_rule rule = view_oracle_random_rule(&random);
        const float low = random_float(&random, 1, 300);
        const float high = low * random_float(&random, 1.0f, 1.5f);
        const watched box = swing(&view, &rule, low, high);
        CHECK(box.flips <= 1 || box.flips >= 199);
        CHECK(box.flips >= 199 || box.lod_changes <= 1 || box.lod_changes >= 197);
        calm += box.flips <= 1;
        restless += box.flips > 1;
    }
    CHECK(calm > 1000 * test_scale && restless > 10 * test_scale);
}

// ---- order ----

static void the_lod_falls_as_the_size_grows_and_never_leaves_its_range(void)
{
    test_random random = {test_seed + 8};
    for (uint32_t i = 0; i < 3000 * test_scale; i++) {
        acre_view view = {0};
        view_oracle_random_limits(&random, &view);
        const acre_visibility_rule rule = view_oracle_random_rule(&random);
        const uint32_t kept = random_below(&random, ACRE_LOD_LIMITS + 1);
        uint32_t limits = 0, by_memory = 99, without = 99;
        while (limits < ACRE_LOD_LIMITS && rule.lod_pixels[limits] > 0.0f) {
            limits++;
        }
        for (float edge = 0.01f; edge < 1e4f; edge *= 1.17f) {
            const acre_aabb box = {{300, -edge, -edge}, {300 + edge, edge, edge}};
            uint32_t lod, next;
            (void)acre_view_test_rules(&view, &rule, &box, NULL, &lod);
            (void)acre_view_test_rules(&view, &rule, &box, &kept, &next);
            CHECK(lod <= limits && lod <= without && next <= by_memory && next <= limits);
            CHECK(next <= lod); // what has a LOD keeps the finer one longer
            without = lod;
            by_memory = next;
        }
    }
}

static void a_finer_scale_of_lods_never_gives_a_coarser_one(void)
{
    test_random random = {test_seed + 9};
    for (uint32_t i = 0; i < 20000 * test_scale; i++) {
        acre_view view = {0};
        view_oracle_random_limits(&random, &view);
        const acre_visibility_rule rule = view_oracle_random_rule(&random);
        const acre_aabb box = random_box(&random, view.eye);
        uint32_t lod, finer;
        view.lod_scale = random_float(&random, 0.1f, 2.0f);
        const acre_hidden_by by = acre_view_test_rules(&view, &rule, &box, NULL, &lod);
        view.lod_scale *= random_float(&random, 1.0f, 4.0f);
        CHECK(acre_view_test_rules(&view, &rule, &box, NULL, &finer) == by); // hides nothing more
        CHECK(finer <= lod);
        const bool was_hidden = by == ACRE_HIDDEN_BY_MAX_DISTANCE;
        view.range_scale = (view.range_scale > 0.0f ? view.range_scale : 1.0f) * 2.0f;
        view.min_distance = 0.0f;
        acre_visibility_rule far_rule = rule;
        far_rule.min_distance = 0.0f;
        CHECK(was_hidden ||
              acre_view_test_rules(&view, &far_rule, &box, NULL, NULL) !=
                  ACRE_HIDDEN_BY_MAX_DISTANCE ||
              by == ACRE_HIDDEN_BY_MIN_DISTANCE);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_eye_of_a_camera_that_looks_is_where_it_stands),
        TEST(the_eye_of_any_matrix_is_what_it_sends_to_the_origin),
        TEST(a_camera_without_a_volume_gives_a_view_that_sees_everything),
        TEST(no_box_covers_more_pixels_than_its_size),
        TEST(a_sheet_that_faces_the_camera_covers_its_size),
        TEST(a_viewport_without_a_height_or_projection_is_refused),
        TEST(each_field_outside_its_range_makes_a_view_invalid),
        TEST(a_plane_with_nan_is_allowed_in_the_frustum_alone),
        TEST(the_rules_equal_their_definition_in_float),
        TEST(away_from_the_limits_the_rules_mean_what_their_words_say),
        TEST(a_measure_is_the_nearest_point_and_the_diagonal),
        TEST(ignored_rules_do_not_count_but_the_limits_of_the_view_do),
        TEST(an_entity_that_swings_within_the_band_never_flickers),
        TEST(a_swing_between_any_two_places_flips_for_ever_or_at_most_once),
        TEST(the_lod_falls_as_the_size_grows_and_never_leaves_its_range),
        TEST(a_finer_scale_of_lods_never_gives_a_coarser_one),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
