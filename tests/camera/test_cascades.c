// SPDX-License-Identifier: MIT
// test_cascades.c - shadow cascades cover the view, hold their slices and casters, and do not
// shimmer.
#include "frustum_kinds.h"
#include "test.h"

#include <acre/cascades.h>

#include <string.h>

static const acre_cascades_def sun = {
    .light = {0.4f, -1.0f, 0.3f},
    .distance = 600.0f,
    .caster_distance = 400.0f,
    .log_share = 0.7f,
    .count = 4,
    .resolution = 2048,
};

static double row_of(const float *matrix, int row, const double *point)
{
    return (double)matrix[row] * point[0] + (double)matrix[4 + row] * point[1] +
           (double)matrix[8 + row] * point[2] + (double)matrix[12 + row];
}

static bool is_point_in(const acre_frustum *frustum, const double *point)
{
    acre_aabb box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = float_below(point[k]);
        box.max[k] = -float_below(-point[k]);
    }
    return acre_frustum_test_aabb(frustum, &box);
}

// A def that fits the kind: it ends before the view does, or at its end.
static acre_cascades_def random_def(test_random *random, const projection_kind *kind)
{
    acre_cascades_def def = sun;
    for (int k = 0; k < 3; k++) {
        def.light[k] = random_float(random, -1, 1) + 1e-3f;
    }
    const double end = fmin(kind->far_distance, 2000.0);
    const double share = (double)random_float(random, 0.1f, 1.0f);
    def.distance = (float)(kind->near_distance + share * (end - kind->near_distance));
    def.caster_distance = random_float(random, 0, 500);
    def.log_share = random_float(random, 0, 1);
    def.count = 1 + random_below(random, ACRE_CASCADE_MAX);
    def.resolution = 128u << random_below(random, 6);
    def.clip = (acre_clip)random_below(random, 4);
    return def;
}

static const projection_kind *any_kind(test_random *random)
{
    return &projection_kinds[random_below(random, PROJECTION_KIND_COUNT)];
}

// The depths at which the slices begin and end.
static acre_result find_depths(const acre_cascades_def *def, const acre_camera *camera, float *out)
{
    acre_cascade cascades[ACRE_CASCADE_MAX];
    const acre_result result = acre_cascades_fit(def, camera, cascades);
    for (uint32_t i = 0; i < def->count && result == ACRE_OK; i++) {
        out[i] = cascades[i].near_distance;
        out[i + 1] = cascades[i].far_distance;
    }
    return result;
}

static void split_depths_ascend_from_near_to_the_end_of_shadows(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 2000 * test_scale; i++) {
        const projection_kind *const kind = any_kind(&random);
        const test_view view = random_view(&random, kind, all_clips[i % 3], 0.0);
        const rounded_camera at = round_camera(&view);
        const acre_cascades_def def = random_def(&random, kind);
        float split[ACRE_CASCADE_MAX + 1];
        CHECK(find_depths(&def, &at.camera, split) == ACRE_OK);
        const double near_error = fabs((double)split[0] - kind->near_distance);
        CHECK(near_error <= 1e-5 * fmax(1.0, fabs(kind->near_distance)) * kind->near_distance ||
              (kind->is_orthographic && near_error < 0.1));
        const double end = fmin((double)def.distance, kind->far_distance);
        // A float projection knows its far plane only as exactly as it is near.
        const double doubt = kind->is_orthographic ? 1e-5 : 0x1p-22 * end / kind->near_distance;
        CHECK(fabs((double)split[def.count] - end) <= (doubt + 1e-5) * fabs(end));
        for (uint32_t k = 0; k < def.count; k++) {
            CHECK(split[k] < split[k + 1]);
        }
    }
}

static void a_share_of_0_cuts_uniformly_and_of_1_by_equal_ratios(void)
{
    acre_camera camera = {0};
    CHECK(acre_camera_perspective(&camera, 1, 1.5f, 0.5f, 3000, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    acre_cascades_def def = sun;
    def.distance = 512.0f;
    def.count = 5;
    float uniform[6], logarithmic[6], half[6];
    def.log_share = 0.0f;
    CHECK(find_depths(&def, &camera, uniform) == ACRE_OK);
    def.log_share = 1.0f;
    CHECK(find_depths(&def, &camera, logarithmic) == ACRE_OK);
    def.log_share = 0.5f;
    CHECK(find_depths(&def, &camera, half) == ACRE_OK);
    for (int i = 0; i < 5; i++) {
        CHECK(fabsf(uniform[i + 1] - uniform[i] - 102.3f) < 1e-3f);
        CHECK(fabsf(logarithmic[i + 1] / logarithmic[i] - 4.0f) < 1e-4f);
        CHECK(fabsf(half[i] - 0.5f * (uniform[i] + logarithmic[i])) < 1e-3f);
    }
}

static void own_split_depths_are_taken_as_they_are(void)
{
    const float splits[] = {0.25f, 7.0f, 7.5f, 5000.0f};
    acre_cascades_def def = sun;
    def.splits = splits;
    def.count = 3;
    def.distance = NAN; // not looked at
    def.log_share = -3.0f;
    acre_camera camera = {0};
    CHECK(acre_camera_perspective(&camera, 1, 1, 0.5f, INFINITY, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    acre_cascade cascades[3];
    CHECK(acre_cascades_fit(&def, &camera, cascades) == ACRE_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(cascades[i].near_distance == splits[i] && cascades[i].far_distance == splits[i + 1]);
    }
}

// The radius of the smallest sphere around a slice with its center on the line through the middles
// of its rectangles, by trying many.
static double sphere_radius(const test_view *view, const acre_cascade *cascade)
{
    double corners[8][3], least = (double)INFINITY;
    for (int c = 0; c < 8; c++) {
        view_point(view, c & 1 ? 1 : -1, c & 2 ? 1 : -1,
                   (double)(c & 4 ? cascade->far_distance : cascade->near_distance), corners[c]);
    }
    for (int step = 0; step <= 400; step++) {
        double center[3], radius = 0.0;
        const double t = step / 400.0;
        view_point(view, 0, 0,
                   (1.0 - t) * (double)cascade->near_distance + t * (double)cascade->far_distance,
                   center);
        for (int c = 0; c < 8; c++) {
            radius = fmax(radius, sqrt(pow(center[0] - corners[c][0], 2) +
                                       pow(center[1] - corners[c][1], 2) +
                                       pow(center[2] - corners[c][2], 2)));
        }
        least = fmin(least, radius);
    }
    return least;
}

// One slice and its cascade, in random points of it.
static bool holds_its_slice(test_random *random, const test_view *view, const acre_cascade *cascade,
                            const acre_cascades_def *def)
{
    double matrix[16];
    multiply_camera(&cascade->camera, matrix);
    for (int i = 0; i < 40; i++) {
        double point[3], caster[3], behind[3];
        const bool is_corner = i < 8;
        const float t = is_corner ? (float)(i >> 2) : random_float(random, 0, 1);
        const double depth = (double)cascade->near_distance * (1.0 - (double)t) +
                             (double)cascade->far_distance * (double)t;
        view_point(view, is_corner ? (i & 1) * 2 - 1 : (double)random_float(random, -1, 1),
                   is_corner ? (i & 2) - 1 : (double)random_float(random, -1, 1), depth, point);
        for (int k = 0; k < 3; k++) {
            caster[k] = point[k] - (double)def->caster_distance * (double)cascade->light[k];
            behind[k] = point[k] + 2.01 * (double)cascade->half_width * (double)cascade->light[k];
        }
        if (!is_proved_inside(matrix, cascade->camera.clip, point) ||
            !is_proved_inside(matrix, cascade->camera.clip, caster) ||
            is_proved_inside(matrix, cascade->camera.clip, behind)) {
            return false;
        }
    }
    return true;
}

static void each_cascade_holds_its_slice_and_its_casters_and_not_much_more(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 3000 * test_scale; i++) {
        const projection_kind *const kind = any_kind(&random);
        const test_view view = random_view(&random, kind, all_clips[i % 3], 0.0);
        const rounded_camera at = round_camera(&view);
        const acre_cascades_def def = random_def(&random, kind);
        acre_cascade cascades[ACRE_CASCADE_MAX];
        CHECK(acre_cascades_fit(&def, &at.camera, cascades) == ACRE_OK);
        for (uint32_t k = 0; k < def.count; k++) {
            const acre_cascade *const one = &cascades[k];
            CHECK(one->camera.clip == (def.clip ? def.clip : view.clip));
            CHECK(one->camera.layers == 0);
            CHECK(2.0 * (double)one->half_width == (double)one->texel * (double)def.resolution);
            CHECK(holds_its_slice(&random, &view, one, &def));
            const double needed = sphere_radius(&view, one) + 3.0 * (double)one->texel;
            CHECK((double)one->half_width <= 1.035 * needed);
        }
    }
}

// A point of the view, or beside it, and what the rounded camera says of it in double.
typedef struct probe {
    double point[3];
    double depth;
    bool is_inside;  // of the sides
    bool is_outside; // of a side, clearly
} probe;

static probe random_probe(test_random *random, const test_view *view, const rounded_camera *at,
                          float near_depth, float far_depth)
{
    probe out = {.is_inside = true};
    const float t = random_float(random, 0, 1);
    view_point(view, (double)random_float(random, -1.3f, 1.3f),
               (double)random_float(random, -1.3f, 1.3f),
               (double)(near_depth + t * t * (far_depth - near_depth)), out.point);
    double values[6], errors[6];
    clip_values(at->matrix, at->camera.clip, out.point, values, errors);
    const double w = 0.5 * (values[0] + values[1]);
    for (int side = 0; side < 4; side++) {
        out.is_inside = out.is_inside && values[side] >= errors[side];
        out.is_outside = out.is_outside || values[side] < -0.1 * w - 1e-3;
    }
    out.depth = at->depth_sign * row_of(at->camera.view, 2, out.point);
    return out;
}

static void slices_cover_the_view_and_each_ends_at_its_planes(void)
{
    test_random random = {test_seed};
    uint32_t inside = 0, outside = 0;
    for (uint32_t i = 0; i < 3000 * test_scale; i++) {
        const projection_kind *const kind = any_kind(&random);
        const test_view view = random_view(&random, kind, all_clips[i % 3], 0.0);
        const rounded_camera at = round_camera(&view);
        const acre_cascades_def def = random_def(&random, kind);
        acre_cascade cascades[ACRE_CASCADE_MAX];
        CHECK(acre_cascades_fit(&def, &at.camera, cascades) == ACRE_OK);
        for (uint32_t n = 0; n < 100; n++) {
            const probe p = random_probe(&random, &view, &at, cascades[0].near_distance,
                                         cascades[def.count - 1].far_distance);
            for (uint32_t k = 0; k < def.count; k++) {
                const acre_cascade *const one = &cascades[k];
                const double low = (double)one->near_distance, high = (double)one->far_distance;
                const double clear = 1e-3 + 1e-3 * fabs(p.depth);
                const bool is_cut = high < 0x1p18 * low || kind->is_orthographic;
                if (p.is_inside && p.depth >= low && p.depth <= high) {
                    CHECK(is_point_in(&one->slice, p.point));
                    inside++;
                } else if (p.depth < low - clear || (p.depth > high + clear && is_cut)) {
                    CHECK(!is_point_in(&one->slice, p.point));
                    outside++;
                } else if (p.is_outside && p.depth >= low && p.depth <= high) {
                    CHECK(!is_point_in(&one->slice, p.point));
                    outside++;
                }
            }
        }
    }
    CHECK(inside > 100000 * test_scale && outside > 100000 * test_scale);
}

// Whether two cascades of the same light are equal but for whole texels.
static bool differ_by_whole_texels(const acre_cascade *a, const acre_cascade *b)
{
    bool is_equal =
        a->half_width == b->half_width && a->texel == b->texel &&
        memcmp(a->camera.view, b->camera.view, 12 * sizeof(float)) == 0 &&
        memcmp(a->camera.projection, b->camera.projection, sizeof a->camera.projection) == 0;
    for (int axis = 12; axis < 15; axis++) {
        const double texels = (double)a->camera.view[axis] / (double)a->texel;
        is_equal = is_equal && texels == floor(texels);
    }
    return is_equal;
}

static void cascades_keep_their_size_and_move_by_whole_texels(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 200 * test_scale; i++) {
        const projection_kind *const kind = any_kind(&random);
        acre_cascades_def def = random_def(&random, kind);
        def.count = 4;
        acre_cascade first[4], now[4];
        for (int turn = 0; turn < 50; turn++) {
            const test_view view = random_view(&random, kind, all_clips[i % 3], 0.0);
            const rounded_camera at = round_camera(&view);
            CHECK(acre_cascades_fit(&def, &at.camera, turn ? now : first) == ACRE_OK);
            for (int k = 0; k < 4 && turn; k++) {
                // 100 m from the origin; nearer than 2^18 texels.
                if (first[k].texel > 0.001f) {
                    CHECK(differ_by_whole_texels(&now[k], &first[k]));
                }
            }
        }
    }
}

static void a_move_of_less_than_a_texel_moves_nothing_or_whole_texels(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 100 * test_scale; i++) {
        const projection_kind *const kind = &projection_kinds[1];
        const acre_cascades_def def = random_def(&random, kind);
        test_view view = random_view(&random, kind, all_clips[i % 3], 0.0);
        acre_cascade before[ACRE_CASCADE_MAX], now[ACRE_CASCADE_MAX];
        rounded_camera at = round_camera(&view);
        CHECK(acre_cascades_fit(&def, &at.camera, before) == ACRE_OK);
        const double stride = 0.02 * (double)before[def.count - 1].texel;
        uint32_t jumps = 0;
        for (int step = 0; step < 100; step++) { // two texels of the last cascade in all
            for (int k = 0; k < 3; k++) {
                view.eye[k] += stride;
            }
            at = round_camera(&view);
            CHECK(acre_cascades_fit(&def, &at.camera, now) == ACRE_OK);
            for (uint32_t k = 0; k < def.count; k++) {
                CHECK(differ_by_whole_texels(&now[k], &before[k]));
            }
            const uint32_t last = def.count - 1;
            for (int axis = 12; axis < 15; axis++) {
                const float jump =
                    fabsf(now[last].camera.view[axis] - before[last].camera.view[axis]);
                CHECK(jump == 0.0f || jump == now[last].texel);
                jumps += jump > 0.0f;
            }
            memcpy(before, now, sizeof now);
        }
        CHECK(jumps <= 15); // the way is 3.5 texels long: at most 5 along each of three axes
    }
}

static void far_from_the_origin_cascades_move_by_more_texels_and_lose_nothing(void)
{
    test_random random = {test_seed};
    static const double offsets[] = {1e4, 1e5, 1e6, 1e10};
    uint32_t coarse = 0;
    for (uint32_t i = 0; i < 2000 * test_scale; i++) {
        projection_kind kind = projection_kinds[1];
        kind.near_distance = 1.0;
        test_view view = random_view(&random, &kind, all_clips[i % 3], offsets[i / 3 % 4]);
        view.size = 1.0;
        const rounded_camera at = round_camera(&view);
        // What the float camera sees is what counts: its eye is where its translation puts it.
        for (int k = 0; k < 3; k++) {
            view.eye[k] = 0.0;
            for (int row = 0; row < 3; row++) {
                view.eye[k] -= view.axes[row][k] * (double)at.camera.view[12 + row];
            }
        }
        acre_cascades_def def = random_def(&random, &kind);
        def.resolution = 2048;
        def.log_share = 0.0f;
        acre_cascade cascades[ACRE_CASCADE_MAX];
        CHECK(acre_cascades_fit(&def, &at.camera, cascades) == ACRE_OK);
        for (uint32_t k = 0; k < def.count; k++) {
            double matrix[16];
            multiply_camera(&cascades[k].camera, matrix);
            for (int c = 0; c < 8; c++) {
                double corner[3];
                view_point(&view, c & 1 ? 1 : -1, c & 2 ? 1 : -1,
                           (double)(c & 4 ? cascades[k].far_distance : cascades[k].near_distance),
                           corner);
                // The rotation was rounded as well: 2^-24 of the way from the origin.
                const bool is_measurable = offsets[i / 3 % 4] < 2e5;
                CHECK(!is_measurable || is_proved_inside(matrix, cascades[k].camera.clip, corner));
            }
            bool is_coarse = true;
            for (int axis = 12; axis < 15; axis++) {
                const double texels =
                    (double)cascades[k].camera.view[axis] / (double)cascades[k].texel;
                CHECK(texels == floor(texels));
                is_coarse = is_coarse && fmod(texels, 2.0) == 0.0;
            }
            coarse += is_coarse;
        }
    }
    CHECK(coarse > 100 * test_scale);
}

static void an_infinite_view_gives_the_cascades_of_one_that_ends_behind_them(void)
{
    for (int i = 0; i < 3; i++) {
        acre_camera endless = {0}, finite = {0};
        acre_cascade a[4], b[4];
        CHECK(acre_camera_perspective(&endless, 1, 2, 0.5f, INFINITY, all_clips[i]) == ACRE_OK);
        CHECK(acre_camera_perspective(&finite, 1, 2, 0.5f, 2000, all_clips[i]) == ACRE_OK);
        CHECK(acre_cascades_fit(&sun, &endless, a) == ACRE_OK);
        CHECK(acre_cascades_fit(&sun, &finite, b) == ACRE_OK);
        for (int k = 0; k < 4; k++) {
            CHECK(fabsf(a[k].far_distance - b[k].far_distance) < 1e-3f);
            CHECK(a[k].texel == b[k].texel);
        }
        CHECK(a[3].far_distance == 600.0f);
        acre_cascades_def whole = sun;
        whole.distance = 0.0f; // as far as the camera sees
        CHECK(acre_cascades_fit(&whole, &endless, a) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(acre_cascades_fit(&whole, &finite, b) == ACRE_OK);
        CHECK(fabsf(b[3].far_distance - 2000.0f) < 2.0f);
    }
}

static void light_along_every_axis_is_a_direction(void)
{
    acre_camera camera = {0};
    CHECK(acre_camera_perspective(&camera, 1, 2, 0.5f, 900, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    for (int axis = 0; axis < 6; axis++) {
        acre_cascades_def def = sun;
        memset(def.light, 0, sizeof def.light);
        def.light[axis / 2] = axis % 2 ? 1e-40f : -3e38f;
        acre_cascade cascades[4];
        CHECK(acre_cascades_fit(&def, &camera, cascades) == ACRE_OK);
        for (int k = 0; k < 3; k++) {
            const float want = k == axis / 2 ? (axis % 2 ? 1.0f : -1.0f) : 0.0f;
            CHECK(cascades[0].light[k] == want && cascades[0].camera.view[4 * k + 2] == -want);
        }
    }
}

// One float that spoils a def or a camera.
typedef struct wrong_float {
    size_t offset;
    float value;
} wrong_float;

#define IN_DEF(field) offsetof(acre_cascades_def, field)
#define IN_CAMERA(field) offsetof(acre_camera, field)

static const wrong_float wrong_defs[] = {
    {IN_DEF(light[1]), NAN},
    {IN_DEF(light[2]), INFINITY},
    {IN_DEF(distance), NAN},
    {IN_DEF(distance), -1.0f},
    {IN_DEF(distance), 0.1f}, // the near plane's
    {IN_DEF(caster_distance), NAN},
    {IN_DEF(caster_distance), -1.0f},
    {IN_DEF(caster_distance), INFINITY},
    {IN_DEF(log_share), 1.5f},
    {IN_DEF(log_share), -0.1f},
    {IN_DEF(log_share), NAN},
};
static const wrong_float wrong_cameras[] = {
    {IN_CAMERA(projection[0]), 0.0f},
    {IN_CAMERA(projection[2]), 0.1f}, // an oblique near plane
    {IN_CAMERA(projection[4]), 0.1f}, // a shear
    {IN_CAMERA(projection[15]), 0.5f},
    {IN_CAMERA(projection[14]), 0.0f}, // the near plane in the
                                       // eye
    {IN_CAMERA(projection[10]), NAN},
    {IN_CAMERA(clip), 0.0f},
    {IN_CAMERA(view[5]), NAN},
    {IN_CAMERA(view[5]), 1.5f}, // scales
    {IN_CAMERA(view[7]), 0.5f}, // not affine
    {IN_CAMERA(view[13]), INFINITY},
    {IN_CAMERA(view[12]), 3e38f},
};
enum {
    WRONG_DEF_COUNT = sizeof wrong_defs / sizeof wrong_defs[0],
    WRONG_CAMERA_COUNT = sizeof wrong_cameras / sizeof wrong_cameras[0]
};

// What fit may not write to.
static acre_cascade fitted[ACRE_CASCADE_MAX + 1];

static bool is_untouched(const void *block, size_t size)
{
    const unsigned char *const bytes = block;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0xa5) {
            return false;
        }
    }
    return true;
}

static bool refuses(const acre_cascades_def *def, const acre_camera *camera)
{
    memset(fitted, 0xa5, sizeof fitted);
    return acre_cascades_fit(def, camera, fitted) == ACRE_ERROR_INVALID_ARGUMENT &&
           is_untouched(fitted, sizeof fitted);
}

static acre_camera good_camera(void)
{
    acre_camera camera = {0};
    const float eye[] = {1, 2, 3}, target[] = {1, 2, 0}, up[] = {0, 1, 0};
    if (acre_camera_perspective(&camera, 1, 2, 0.1f, 900, ACRE_CLIP_ZERO_TO_ONE) != ACRE_OK ||
        acre_camera_look_at(&camera, eye, target, up) != ACRE_OK) {
        camera.clip = (acre_clip)0; // then nothing works
    }
    return camera;
}

static void numbers_out_of_their_range_are_refused_and_write_nothing(void)
{
    const acre_camera good = good_camera();
    for (int i = 0; i < WRONG_DEF_COUNT; i++) {
        acre_cascades_def def = sun;
        memcpy((char *)&def + wrong_defs[i].offset, &wrong_defs[i].value, sizeof(float));
        CHECK(refuses(&def, &good));
    }
    for (int i = 0; i < WRONG_CAMERA_COUNT; i++) {
        acre_camera camera = good;
        memcpy((char *)&camera + wrong_cameras[i].offset, &wrong_cameras[i].value, sizeof(float));
        CHECK(refuses(&sun, &camera));
    }
    static const uint32_t counts[][2] = {
        {0, 2048}, {ACRE_CASCADE_MAX + 1, 2048}, {UINT32_MAX, 2048}, {4, 0}, {4, 7}, {4, 65537}};
    for (int i = 0; i < 6; i++) {
        acre_cascades_def def = sun;
        def.count = counts[i][0];
        def.resolution = counts[i][1];
        CHECK(refuses(&def, &good));
    }
    static const float splits[][5] = {{1, 5, 4, 6, 7},
                                      {-1, 2, 3, 4, 5},
                                      {1, 2, NAN, 4, 5},
                                      {1, 2, 3, 4, INFINITY},
                                      {1, 2, 2, 3, 4}};
    for (int i = 0; i < 5; i++) {
        acre_cascades_def def = sun;
        def.splits = splits[i];
        CHECK(refuses(&def, &good));
    }
    acre_cascades_def def = sun;
    def.clip = (acre_clip)4;
    CHECK(refuses(&def, &good));
    def = sun;
    memset(def.light, 0, sizeof def.light);
    CHECK(refuses(&def, &good));
}

static void what_is_not_there_is_refused_and_no_more_is_written_than_asked_for(void)
{
    const acre_camera good = good_camera(), none = {0};
    CHECK(refuses(NULL, &good) && refuses(&sun, NULL) && refuses(&sun, &none));
    CHECK(acre_cascades_fit(&sun, &good, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_cascades_fit(&sun, &good, fitted) == ACRE_OK);
    CHECK(fitted[3].far_distance == 600.0f && is_untouched(&fitted[4], sizeof fitted[4]));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(split_depths_ascend_from_near_to_the_end_of_shadows),
        TEST(a_share_of_0_cuts_uniformly_and_of_1_by_equal_ratios),
        TEST(own_split_depths_are_taken_as_they_are),
        TEST(each_cascade_holds_its_slice_and_its_casters_and_not_much_more),
        TEST(slices_cover_the_view_and_each_ends_at_its_planes),
        TEST(cascades_keep_their_size_and_move_by_whole_texels),
        TEST(a_move_of_less_than_a_texel_moves_nothing_or_whole_texels),
        TEST(far_from_the_origin_cascades_move_by_more_texels_and_lose_nothing),
        TEST(an_infinite_view_gives_the_cascades_of_one_that_ends_behind_them),
        TEST(light_along_every_axis_is_a_direction),
        TEST(numbers_out_of_their_range_are_refused_and_write_nothing),
        TEST(what_is_not_there_is_refused_and_no_more_is_written_than_asked_for),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
