// SPDX-License-Identifier: MIT
// test_stereo.c - the frustum around two eyes loses nothing that an eye sees, and is not much
// larger than the hull of both views.
#include "float_modes.h"
#include "frustum_kinds.h"
#include "test.h"

#include <acre/stereo.h>

#include <float.h>
#include <string.h>

// A headset in the world: two eyes in head space, and the head.
typedef struct headset {
    projection_kind kinds[2];
    test_view eyes[2]; // in head space
    test_view head;
    acre_camera cameras[2]; // the eyes, rounded to floats
    float head_view[16];
} headset;

typedef enum headset_kind {
    HEADSET_PARALLEL, // mirrored eyes that look the same way
    HEADSET_CANTED,   // mirrored eyes, turned outwards or inwards by up to 14 degrees
    HEADSET_UNEQUAL,  // each eye of its own kind, turned, rolled and pitched a little
    HEADSET_KIND_COUNT
} headset_kind;

static void turn_axes(double axes[3][3], int first, int second, double angle)
{
    for (int k = 0; k < 3; k++) {
        const double a = axes[first][k], b = axes[second][k];
        axes[first][k] = cos(angle) * a + sin(angle) * b;
        axes[second][k] = cos(angle) * b - sin(angle) * a;
    }
}

static projection_kind random_lens(test_random *random)
{
    projection_kind kind = {"eye", false, 0, 0, 0, 0, 0, (double)INFINITY, {1, 1, 1}, 1};
    kind.left = -(double)random_float(random, 0.7f, 2.2f);
    kind.right = (double)random_float(random, 0.4f, 1.5f);
    kind.bottom = -(double)random_float(random, 0.7f, 1.6f);
    kind.top = (double)random_float(random, 0.7f, 1.4f);
    kind.near_distance = (double)random_float(random, 0.01f, 0.3f);
    if (random_below(random, 3) > 0) {
        kind.far_distance = kind.near_distance * (double)random_float(random, 2.0f, 1e5f);
    }
    kind.flip[1] = random_below(random, 4) ? 1.0 : -1.0; // for Vulkan
    kind.scale = random_below(random, 4) ? 1.0 : 7.0;
    return kind;
}

static void make_eyes(test_random *random, headset_kind kind, headset *out)
{
    static const test_view straight = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .size = 1.0};
    const double half_distance = (double)random_float(random, 0.025f, 0.04f);
    const double cant = kind == HEADSET_CANTED ? (double)random_float(random, -0.25f, 0.25f) : 0.0;
    out->kinds[0] = random_lens(random);
    out->kinds[1] = kind == HEADSET_UNEQUAL ? random_lens(random) : out->kinds[0];
    if (kind != HEADSET_UNEQUAL) {
        out->kinds[1].left = -out->kinds[0].right;
        out->kinds[1].right = -out->kinds[0].left;
    }
    for (int i = 0; i < 2; i++) {
        const double side = i == 0 ? -1.0 : 1.0;
        test_view *const eye = &out->eyes[i];
        *eye = straight;
        eye->kind = &out->kinds[i];
        eye->clip = all_clips[random_below(random, 3)];
        eye->eye[0] = side * half_distance;
        eye->eye[1] = 0.1;
        turn_axes(eye->axes, 0, 2, side * cant);
        if (kind == HEADSET_UNEQUAL) {
            eye->eye[2] = (double)random_float(random, -0.05f, 0.05f);
            turn_axes(eye->axes, 0, 2, (double)random_float(random, -0.2f, 0.2f));
            turn_axes(eye->axes, 1, 2, (double)random_float(random, -0.1f, 0.1f));
            turn_axes(eye->axes, 0, 1, (double)random_float(random, -0.1f, 0.1f));
        }
    }
}

static void make_headset(test_random *random, headset_kind kind, double offset, headset *out)
{
    make_eyes(random, kind, out);
    out->head = random_view(random, &projection_kinds[1], ACRE_CLIP_ZERO_TO_ONE, offset);
    out->head.size = 1.0;
    const rounded_camera head = round_camera(&out->head);
    memcpy(out->head_view, head.camera.view, sizeof out->head_view);
    for (int i = 0; i < 2; i++) {
        out->cameras[i] = round_camera(&out->eyes[i]).camera;
    }
}

static acre_result join(const headset *set, acre_frustum *out)
{
    acre_stereo stereo;
    const acre_result result = acre_stereo_prepare(&stereo, set->cameras);
    return result == ACRE_OK ? acre_stereo_place(&stereo, set->head_view, out) : result;
}

// projection x eye view x head view, exact but for double rounding.
static void multiply_exactly(const headset *set, int eye, double *out)
{
    double both[16];
    multiply_camera(&set->cameras[eye], both);
    for (int i = 0; i < 16; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            out[i] += both[4 * k + i % 4] * (double)set->head_view[4 * (i / 4) + k];
        }
    }
}

// The eye as a program draws with it: its view in the world is a product of floats.
static void multiply_in_floats(const headset *set, int eye, double *out)
{
    acre_camera camera = set->cameras[eye];
    for (int i = 0; i < 16; i++) {
        float sum = 0.0f;
        for (int k = 0; k < 4; k++) {
            sum += set->cameras[eye].view[4 * k + i % 4] * set->head_view[4 * (i / 4) + k];
        }
        camera.view[i] = sum;
    }
    multiply_camera(&camera, out);
}

// A place in the picture, a quarter of them on each border; and a depth of any magnitude.
static void find_point(test_random *random, const headset *set, int eye, float reach, double *out)
{
    const projection_kind *const kind = &set->kinds[eye];
    float at[2];
    for (int k = 0; k < 2; k++) {
        at[k] = random_float(random, -reach, reach);
        at[k] = random_below(random, 2) ? at[k] : at[k] > 0.0f ? 1.0f : -1.0f;
    }
    const double far_distance = fmin(kind->far_distance, 1e5 * kind->near_distance);
    const double share = random_below(random, 8) ? (double)random_float(random, 0, 1) : 1.0;
    double in_head[3];
    view_point(&set->eyes[eye], (double)at[0], (double)at[1],
               kind->near_distance * pow(far_distance / kind->near_distance, share), in_head);
    for (int i = 0; i < 3; i++) {
        out[i] = set->head.eye[i];
        for (int k = 0; k < 3; k++) {
            out[i] += set->head.axes[k][i] * in_head[k];
        }
    }
}

// ---- nothing is lost ----

// How many points that double precision proves to be seen by an eye were tried; 0: one was lost.
static uint32_t try_points(test_random *random, const headset *set, const acre_frustum *both)
{
    uint32_t tried = 1;
    for (int n = 0; n < 8; n++) {
        const int eye = n & 1;
        double point[3], matrix[16];
        find_point(random, set, eye, 1.0f, point);
        if (n & 2) {
            multiply_in_floats(set, eye, matrix);
        } else {
            multiply_exactly(set, eye, matrix);
        }
        if (is_proved_inside(matrix, set->cameras[eye].clip, point)) {
            const acre_aabb box = random_box_around(random, point, n & 4 ? 10.0f : 0.0f);
            if (!acre_frustum_test_aabb(both, &box)) {
                return 0;
            }
            tried++;
        }
    }
    return tried;
}

// With --scale 50 these are a million headsets.
static void no_box_with_a_point_that_an_eye_sees_is_rejected(void)
{
    static const double offsets[] = {0, 1e3, 1e5, 1e5, 1e6};
    test_random random = {test_seed};
    uint64_t tried = 0;
    for (uint32_t i = 0; i < 20000 * test_scale; i++) {
        headset set;
        acre_frustum both;
        make_headset(&random, (headset_kind)(i % HEADSET_KIND_COUNT), offsets[i % 5], &set);
        CHECK(join(&set, &both) == ACRE_OK);
        const uint32_t in_this = try_points(&random, &set, &both);
        CHECK(in_this > 0);
        tried += in_this - 1;
    }
    CHECK(tried > 70000ull * test_scale);
}

static void nothing_is_lost_in_programs_that_round_otherwise_or_flush_denormals(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 4000 * test_scale; i++) {
        headset set;
        acre_frustum both;
        make_headset(&random, (headset_kind)(i % HEADSET_KIND_COUNT), i % 5 ? 1e5 : 0.0, &set);
        const float_mode before = float_mode_enter(i % FLOAT_MODE_COUNT);
        const bool is_good = join(&set, &both) == ACRE_OK && try_points(&random, &set, &both) > 0;
        float_mode_leave(before);
        CHECK(is_good);
    }
}

// ---- not much more is kept ----

typedef struct point_set {
    double points[16][3];
    uint32_t count;
} point_set;

// All corners of both views in the world; a view without an end is cut at 1e5 times its near plane.
static point_set corners_of(const headset *set)
{
    point_set out = {.count = 16};
    for (int i = 0; i < 16; i++) {
        const projection_kind *const kind = &set->kinds[i / 8];
        const double end = fmin(kind->far_distance, 1e5 * kind->near_distance);
        double in_head[3];
        view_point(&set->eyes[i / 8], i & 1 ? 1 : -1, i & 2 ? 1 : -1,
                   i & 4 ? end : kind->near_distance, in_head);
        for (int k = 0; k < 3; k++) {
            out.points[i][k] = set->head.eye[k];
            for (int axis = 0; axis < 3; axis++) {
                out.points[i][k] += set->head.axes[axis][k] * in_head[axis];
            }
        }
    }
    return out;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The point of the set less the box that lies farthest against a direction.
static void farthest_difference(const point_set *set, const acre_aabb *box, const double *direction,
                                double *out)
{
    uint32_t farthest = 0;
    for (uint32_t i = 1; i < set->count; i++) {
        if (dot(set->points[i], direction) < dot(set->points[farthest], direction)) {
            farthest = i;
        }
    }
    for (int k = 0; k < 3; k++) {
        out[k] =
            set->points[farthest][k] - (double)(direction[k] > 0.0 ? box->max[k] : box->min[k]);
    }
}

// A lower bound of the distance between the box and the hull of the points: the plane that proves
// it is found by Gilbert's iteration (1966), which goes towards the point of hull less box that is
// nearest to 0.
static double proved_distance(const point_set *set, const acre_aabb *box)
{
    double nearest[3], best = 0.0;
    farthest_difference(set, box, (const double[]){0, 0, 0}, nearest);
    for (int step = 0; step < 300; step++) {
        double support[3], way[3];
        farthest_difference(set, box, nearest, support);
        const double size = sqrt(dot(nearest, nearest));
        if (!(size > 1e-9)) {
            return 0.0;
        }
        best = fmax(best, dot(support, nearest) / size);
        for (int k = 0; k < 3; k++) {
            way[k] = support[k] - nearest[k];
        }
        const double length = dot(way, way);
        if (!(length > 0.0)) {
            break;
        }
        const double t = fmin(1.0, fmax(0.0, -dot(nearest, way) / length));
        for (int k = 0; k < 3; k++) {
            nearest[k] += t * way[k];
        }
    }
    return best;
}

// Of boxes beside and behind the views: at most a twentieth of those that are outside of the hull
// of both views, by a hundredth of their distance, is kept by planes.
static void few_boxes_outside_of_the_hull_of_both_views_are_kept(void)
{
    test_random random = {test_seed};
    uint32_t outside[HEADSET_KIND_COUNT] = {0}, kept[HEADSET_KIND_COUNT] = {0};
    for (uint32_t i = 0; i < 900 * test_scale; i++) {
        const headset_kind kind = (headset_kind)(i % HEADSET_KIND_COUNT);
        headset set;
        acre_frustum both;
        make_headset(&random, kind, 0.0, &set);
        CHECK(join(&set, &both) == ACRE_OK);
        const point_set corners = corners_of(&set);
        for (int n = 0; n < 40; n++) {
            double point[3];
            find_point(&random, &set, n & 1, 3.0f, point);
            const double away = sqrt(dot(point, point));
            const acre_aabb box = random_box_around(&random, point, n & 2 ? 0.1f : 3.0f);
            if (proved_distance(&corners, &box) > 0.05 + 0.01 * away) {
                outside[kind]++;
                kept[kind] += acre_frustum_test_aabb(&both, &box);
            }
        }
    }
    for (int kind = 0; kind < HEADSET_KIND_COUNT; kind++) {
        CHECK(outside[kind] > 2000 * test_scale);
        CHECK(kept[kind] < outside[kind] / 20);
    }
}

static void eyes_that_look_the_same_way_have_as_many_planes_as_one(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 1000 * test_scale; i++) {
        headset set;
        acre_frustum both;
        make_headset(&random, HEADSET_PARALLEL, i % 2 ? 1e5 : 0.0, &set);
        CHECK(join(&set, &both) == ACRE_OK);
        CHECK(both.plane_count == (isinf(set.kinds[0].far_distance) ? 5u : 6u));
    }
}

// ---- what is refused ----

static acre_camera eye_at(float x)
{
    acre_camera camera = {.view = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, 0, 0, 1}};
    if (acre_camera_perspective(&camera, 1.7f, 1.0f, 0.1f, 100, ACRE_CLIP_ZERO_TO_ONE) != ACRE_OK) {
        camera.clip = (acre_clip)0;
    }
    return camera;
}

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static bool is_refused(const acre_camera *eyes)
{
    acre_stereo stereo;
    acre_frustum both = {.plane_count = 7};
    memset(&stereo, 0xa5, sizeof stereo);
    return acre_stereo_prepare(&stereo, eyes) == ACRE_ERROR_INVALID_ARGUMENT &&
           acre_stereo_place(&stereo, identity, &both) == ACRE_ERROR_INVALID_ARGUMENT &&
           both.plane_count == 0;
}

static void eyes_that_are_none_are_refused(void)
{
    const acre_camera left = eye_at(-0.03f), right = eye_at(0.03f);
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    CHECK(!is_refused((acre_camera[]){left, right}) && is_refused(NULL));
    CHECK(acre_stereo_prepare(NULL, (acre_camera[]){left, right}) == ACRE_ERROR_INVALID_ARGUMENT);
    for (int i = 0; i < 96; i++) {
        acre_camera eyes[2] = {left, right};
        (i < 48 ? eyes[i % 2].view : eyes[i % 2].projection)[i / 3 % 16] = wrong[i % 3];
        CHECK(is_refused(eyes));
    }
    acre_camera bad[7] = {right, right, right, right, right, right, right};
    bad[0].clip = (acre_clip)0;
    bad[1].clip = (acre_clip)4;
    memset(bad[2].projection, 0, sizeof bad[2].projection);
    memset(bad[3].view, 0, sizeof bad[3].view);
    bad[4].view[3] = 0.5f;                    // not affine
    bad[5].view[0] = 2.0f;                    // not rigid
    bad[6].view[0] = bad[6].view[10] = -1.0f; // looks the other way
    for (int i = 0; i < 7; i++) {
        CHECK(is_refused((acre_camera[]){left, bad[i]}) &&
              is_refused((acre_camera[]){bad[i], left}));
    }
    acre_camera flat = right;
    CHECK(acre_camera_orthographic(&flat, 10, 10, 1, 100, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    CHECK(is_refused((acre_camera[]){left, flat}));
}

static void heads_that_are_none_are_refused(void)
{
    const acre_camera eyes[2] = {eye_at(-0.03f), eye_at(0.03f)};
    acre_stereo stereo, unprepared = {.plane_count = 0};
    acre_frustum both;
    CHECK(acre_stereo_prepare(&stereo, eyes) == ACRE_OK);
    CHECK(acre_stereo_place(&stereo, identity, &both) == ACRE_OK && both.plane_count == 6);
    CHECK(acre_stereo_place(&stereo, identity, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_stereo_place(&stereo, NULL, &both) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_stereo_place(NULL, identity, &both) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_stereo_place(&unprepared, identity, &both) == ACRE_ERROR_INVALID_ARGUMENT);
    static const float wrong[] = {NAN, INFINITY, -INFINITY, 0.5f, FLT_MAX};
    for (int i = 0; i < 16 * 5; i++) {
        float head[16];
        memcpy(head, identity, sizeof head);
        head[i / 5] = wrong[i % 5];
        both.plane_count = 7;
        const bool is_translation = i / 5 >= 12 && i / 5 < 15;
        if (is_translation && i % 5 == 3) {
            continue;
        }
        CHECK(acre_stereo_place(&stereo, head, &both) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(both.plane_count == 0);
    }
}

static void numbers_beyond_all_floats_give_an_error_or_finite_planes(void)
{
    test_random random = {test_seed};
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < 20000 * test_scale; i++) {
        acre_camera eyes[2] = {eye_at(-0.03f), eye_at(0.03f)};
        float head[16];
        memcpy(head, identity, sizeof head);
        for (int k = 0; k < 6; k++) {
            const int exponent = (int)random_below(&random, 276) - 149;
            const float value = ldexpf(random_float(&random, -1, 1), exponent);
            float *const matrices[] = {eyes[k & 1].projection, eyes[k & 1].view, head};
            static const int places[] = {0, 5, 8, 9, 10, 11, 12, 13, 14};
            const uint32_t which = random_below(&random, 3);
            matrices[which][which ? 12 + random_below(&random, 3)
                                  : (uint32_t)places[random_below(&random, 9)]] = value;
        }
        acre_stereo stereo;
        acre_frustum both = {.plane_count = 7};
        if (acre_stereo_prepare(&stereo, eyes) != ACRE_OK ||
            acre_stereo_place(&stereo, head, &both) != ACRE_OK) {
            continue;
        }
        accepted++;
        CHECK(both.plane_count <= ACRE_FRUSTUM_MAX_PLANES);
        for (uint32_t k = 0; k < both.plane_count * 4; k++) {
            CHECK(fabsf(both.planes[k / 4][k % 4]) <= FLT_MAX);
        }
    }
    CHECK(accepted > 200 * test_scale);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_box_with_a_point_that_an_eye_sees_is_rejected),
        TEST(nothing_is_lost_in_programs_that_round_otherwise_or_flush_denormals),
        TEST(few_boxes_outside_of_the_hull_of_both_views_are_kept),
        TEST(eyes_that_look_the_same_way_have_as_many_planes_as_one),
        TEST(eyes_that_are_none_are_refused),
        TEST(heads_that_are_none_are_refused),
        TEST(numbers_beyond_all_floats_give_an_error_or_finite_planes),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
