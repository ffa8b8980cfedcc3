// SPDX-License-Identifier: MIT
// test_frustum_exact.c - the exact box test against separating axes over computed corners.
#include "frustum_kinds.h"
#include "hull_internal.h"

#include <float.h>
#include <string.h>

static void cross(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Gap between box and corners along an axis; negative where they overlap.
static double gap_along(const double *axis, double (*corners)[3], const acre_aabb *box)
{
    const double length = sqrt(dot(axis, axis));
    if (length < 1e-9) {
        return -(double)INFINITY;
    }
    double low = (double)INFINITY, high = -(double)INFINITY, box_low = 0.0, box_high = 0.0;
    for (int i = 0; i < 8; i++) {
        const double at = dot(axis, corners[i]);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    for (int i = 0; i < 3; i++) {
        const double a = axis[i] * (double)box->min[i], b = axis[i] * (double)box->max[i];
        box_low += fmin(a, b);
        box_high += fmax(a, b);
    }
    return fmax(low - box_high, box_low - high) / length;
}

// The largest gap over all separating axes of a box and a frustum with 8 corners, numbered so that
// bits 0, 1 and 2 choose right, top and far.
static double separation(double (*corners)[3], const acre_aabb *box)
{
    static const int faces[6][3] = {{0, 2, 4}, {1, 3, 5}, {0, 1, 4},
                                    {2, 3, 6}, {0, 1, 2}, {4, 5, 6}};
    double edges[12][3], axis[3], gap = -(double)INFINITY;
    int count = 0;
    for (int a = 0; a < 8; a++) {
        for (int bit = 1; bit < 8; bit *= 2) {
            for (int i = 0; i < 3 && !(a & bit); i++) {
                edges[count][i] = corners[a | bit][i] - corners[a][i];
            }
            count += !(a & bit);
        }
    }
    for (int face = 0; face < 6; face++) {
        double u[3], v[3];
        for (int i = 0; i < 3; i++) {
            u[i] = corners[faces[face][1]][i] - corners[faces[face][0]][i];
            v[i] = corners[faces[face][2]][i] - corners[faces[face][0]][i];
        }
        cross(u, v, axis);
        gap = fmax(gap, gap_along(axis, corners, box));
    }
    for (int i = 0; i < 3; i++) {
        const double world[3] = {i == 0, i == 1, i == 2};
        gap = fmax(gap, gap_along(world, corners, box));
        for (int edge = 0; edge < 12; edge++) {
            cross(edges[edge], world, axis);
            const double length = sqrt(dot(edges[edge], edges[edge]));
            for (int k = 0; k < 3; k++) {
                axis[k] /= length;
            }
            gap = fmax(gap, gap_along(axis, corners, box));
        }
    }
    return gap;
}

static void view_corners(const test_view *view, double (*corners)[3])
{
    for (int i = 0; i < 8; i++) {
        view_point(view, i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0,
                   view->size * (i & 4 ? view->kind->far_distance : view->kind->near_distance),
                   corners[i]);
    }
}

static double far_corner_distance(double (*corners)[3])
{
    double farthest = 0.0;
    for (int i = 0; i < 8; i++) {
        farthest = fmax(farthest, sqrt(dot(corners[i], corners[i])));
    }
    return farthest;
}

// A box in the neighborhood of the frustum, from a point of its outer surroundings.
static acre_aabb nearby_box(test_random *random, const test_view *view, float largest)
{
    const double reach = view->size * fmin(view->kind->far_distance, 2000.0);
    double p[3];
    view_point(view, (double)random_float(random, -2.5f, 2.5f),
               (double)random_float(random, -2.5f, 2.5f),
               reach * (double)random_float(random, -0.3f, 1.3f), p);
    const float size = (float)reach * largest;
    return random_box_around(random, p, size * random_float(random, 0, 1));
}

static void the_exact_test_equals_separating_axes_up_to_the_stated_margin(void)
{
    test_random random = {test_seed};
    const double offsets[] = {0.0, 1e4, 1e6};
    uint32_t only_exact = 0, separated = 0;
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        if (!is_bounded(&projection_kinds[kind])) {
            continue;
        }
        for (int run = 0; run < 9; run++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[run % 3], offsets[run / 3]);
            double m[16], corners[8][3];
            view_projection_matrix(&view, m);
            view_corners(&view, corners);
            acre_frustum frustum;
            acre_frustum_hull hull;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            acre_frustum_hull_prepare(&hull, &frustum);
            // Planes move by 2^-20 (|d| + R) each; a corner of a narrow volume by a multiple.
            const double margin = 0x1p-19 * far_corner_distance(corners);
            const double slack = 300.0 * margin;
            for (uint32_t step = 0; step < 300 * test_scale; step++) {
                const acre_aabb box = nearby_box(&random, &view, 0.5f);
                const double gap = separation(corners, &box);
                const bool plain = acre_frustum_test_aabb(&frustum, &box);
                const bool exact = acre_frustum_hull_test_aabb(&hull, &box);
                CHECK(plain || !exact);
                CHECK(!(gap < 0.0) || exact);
                CHECK(!(gap > slack) || !exact);
                CHECK(step % 16 > 0 || exact == acre_frustum_test_aabb_exact(&frustum, &box));
                separated += gap > slack;
                only_exact += plain && !exact;
            }
        }
    }
    CHECK(separated > 1000 && only_exact > 100);
}

static void no_box_with_a_point_proved_inside_is_dropped(void)
{
    test_random random = {test_seed + 1};
    const double offsets[] = {0.0, 1e4, 1e6, 1e9};
    uint32_t proved = 0;
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int run = 0; run < 12; run++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[run % 3], offsets[run / 3]);
            double m[16];
            view_projection_matrix(&view, m);
            acre_frustum frustum;
            acre_frustum_hull hull;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            acre_frustum_hull_prepare(&hull, &frustum);
            const double reach = fmin(view.kind->far_distance, 1e5);
            for (uint32_t step = 0; step < 200 * test_scale; step++) {
                const double edge = step % 4 == 0 ? 1.0 - 1e-9 : 1.0;
                const double x = fmax(-edge, fmin(edge, (double)random_float(&random, -1.5, 1.5)));
                const double y = fmax(-edge, fmin(edge, (double)random_float(&random, -1.5, 1.5)));
                const double t = (double)random_float(&random, 0, 1);
                double p[3];
                view_point(&view, x, y,
                           view.size * (view.kind->near_distance +
                                        t * t * (reach - view.kind->near_distance)),
                           p);
                const acre_aabb box =
                    random_box_around(&random, p, (float)view.size * (step % 3 ? 100.0f : 0.0f));
                const bool inside = is_proved_inside(m, view.clip, p);
                CHECK(!inside || acre_frustum_hull_test_aabb(&hull, &box));
                proved += inside;
            }
        }
    }
    CHECK(proved > 5000);
}

// Random planes tangent to a ball around the center, so that the center is inside.
static acre_frustum random_planes(test_random *random, uint32_t count, const double *center,
                                  double radius)
{
    acre_frustum frustum = {.plane_count = count};
    for (uint32_t i = 0; i < count; i++) {
        double axes[3][3];
        random_rotation(random, axes);
        const float length = powf(2.0f, random_float(random, -3, 3)); // need not be normalized
        const bool is_straight = random_below(random, 4) == 0;        // parallel to a world axis
        float *const plane = frustum.planes[i];
        double d = radius * (double)length * (double)random_float(random, 0.5f, 2.0f);
        for (int k = 0; k < 3; k++) {
            plane[k] = is_straight ? (k == (int)(i % 3) ? (i & 1 ? length : -length) : 0.0f)
                                   : length * (float)axes[0][k];
            d -= (double)plane[k] * center[k];
        }
        plane[3] = (float)d;
    }
    return frustum;
}

static bool is_in_all_planes(const acre_frustum *frustum, const double *p)
{
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        const float *const n = frustum->planes[i];
        const double terms[4] = {(double)n[0] * p[0], (double)n[1] * p[1], (double)n[2] * p[2],
                                 (double)n[3]};
        const double error = 1e-6 * (fabs(terms[0]) + fabs(terms[1]) + fabs(terms[2]) +
                                     fabs(terms[3])); // the plain test is in float
        if (!(terms[0] + terms[1] + terms[2] + terms[3] >= error)) {
            return false;
        }
    }
    return true;
}

static void any_set_of_planes_keeps_every_box_with_a_point_inside_all(void)
{
    test_random random = {test_seed + 2};
    uint32_t inside = 0, dropped = 0;
    for (uint32_t run = 0; run < 400 * test_scale; run++) {
        const double offset = run % 3 == 0 ? 0.0 : run % 3 == 1 ? 1e4 : 1e6;
        const double center[3] = {offset, -offset, 0.5 * offset};
        acre_frustum frustum = random_planes(&random, 1 + run % 16, center, 10.0);
        acre_frustum_hull hull;
        acre_frustum_hull_prepare(&hull, &frustum);
        for (int step = 0; step < 200; step++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = center[k] + (double)random_float(&random, -40, 40);
            }
            const acre_aabb box = random_box_around(&random, p, random_float(&random, 0, 30));
            const bool exact = acre_frustum_hull_test_aabb(&hull, &box);
            if (is_in_all_planes(&frustum, p)) {
                CHECK(exact);
                inside++;
            }
            dropped += !exact && acre_frustum_test_aabb(&frustum, &box);
        }
    }
    CHECK(inside > 1000 && dropped > 100);
}

static void shadow_casters_between_light_and_view_stay_visible(void)
{
    // The volume of a box of receivers, extruded against the light (1, -1, 0): six outward faces
    // become side planes through the silhouette and the faces that look away from the light.
    const float s = 0.70710678f;
    const acre_frustum frustum = {.planes = {{-1, 0, 0, 10},
                                             {0, 1, 0, 0},
                                             {0, 0, 1, 10},
                                             {0, 0, -1, 10},
                                             {s, s, 0, 10.0f * s},
                                             {-s, -s, 0, 20.0f * s}},
                                  .plane_count = 6};
    acre_frustum_hull hull;
    acre_frustum_hull_prepare(&hull, &frustum);
    const acre_aabb caster = {{-90, 90, -1}, {-80, 100, 1}};
    const acre_aabb beside = {{-90, 40, -1}, {-80, 50, 1}};
    CHECK(acre_frustum_hull_test_aabb(&hull, &caster));
    CHECK(!acre_frustum_hull_test_aabb(&hull, &beside));
    CHECK(hull.bounds.max[0] == 10.0f ||
          (hull.bounds.max[0] > 10.0f && hull.bounds.max[0] < 10.0001f));
    CHECK(hull.bounds.min[0] == -INFINITY && hull.bounds.max[1] == INFINITY);
}

static void bounds_contain_the_corners_and_are_tight(void)
{
    test_random random = {test_seed + 3};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int run = 0; run < 6; run++) {
            const test_view view = random_view(&random, &projection_kinds[kind], all_clips[run % 3],
                                               run < 3 ? 0 : 1e4);
            double m[16], corners[8][3];
            view_projection_matrix(&view, m);
            acre_frustum frustum;
            acre_frustum_hull hull;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            acre_frustum_hull_prepare(&hull, &frustum);
            if (!is_bounded(view.kind)) {
                int unbounded = 0;
                for (int i = 0; i < 3; i++) {
                    unbounded += isinf(hull.bounds.min[i]) || isinf(hull.bounds.max[i]);
                }
                CHECK(unbounded >= 1);
                continue;
            }
            view_corners(&view, corners);
            const double slack = 0x1p-19 * 300.0 * far_corner_distance(corners);
            for (int i = 0; i < 3; i++) {
                double low = (double)INFINITY, high = -(double)INFINITY;
                for (int k = 0; k < 8; k++) {
                    low = fmin(low, corners[k][i]);
                    high = fmax(high, corners[k][i]);
                }
                CHECK((double)hull.bounds.min[i] <= low && high <= (double)hull.bounds.max[i]);
                CHECK((double)hull.bounds.min[i] >= low - slack);
                CHECK((double)hull.bounds.max[i] <= high + slack);
            }
        }
    }
}

static void planes_that_say_nothing_or_are_broken_never_hide_more_than_the_plain_test(void)
{
    test_random random = {test_seed + 4};
    const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, FLT_MAX, -FLT_MAX, 1e-45f, 1.0f};
    for (uint32_t run = 0; run < 2000 * test_scale; run++) {
        acre_frustum broken = {.plane_count = 1 + random_below(&random, 16)};
        acre_frustum sound = {.plane_count = 0};
        for (uint32_t i = 0; i < broken.plane_count; i++) {
            bool is_sound = true;
            for (int k = 0; k < 4; k++) {
                const float value = odd[random_below(&random, 8)];
                broken.planes[i][k] = value;
                is_sound = is_sound && isfinite(value);
            }
            if (is_sound) {
                memcpy(sound.planes[sound.plane_count++], broken.planes[i], sizeof(float[4]));
            }
        }
        acre_frustum_hull hull, sound_hull;
        acre_frustum_hull_prepare(&hull, &broken);
        acre_frustum_hull_prepare(&sound_hull, &sound);
        const double p[3] = {(double)random_float(&random, -10, 10), 0.0, 1e10};
        const acre_aabb box = random_box_around(&random, p, 10);
        CHECK(acre_frustum_hull_test_aabb(&hull, &box) ==
              (acre_frustum_test_aabb(&broken, &box) &&
               acre_frustum_hull_test_aabb(&sound_hull, &box)));
    }
    acre_frustum_hull hull;
    acre_frustum_hull_prepare(&hull, &(acre_frustum){.plane_count = 0});
    CHECK(acre_frustum_hull_test_aabb(&hull, &(acre_aabb){{1e38f, 0, 0}, {1e38f, 0, 0}}));
}

static void a_box_with_an_infinite_edge_gets_the_plain_answer(void)
{
    test_random random = {test_seed + 5};
    const test_view view = random_view(&random, &projection_kinds[1], ACRE_CLIP_ZERO_TO_ONE, 100);
    double m[16];
    view_projection_matrix(&view, m);
    acre_frustum frustum;
    acre_frustum_hull hull;
    CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
    acre_frustum_hull_prepare(&hull, &frustum);
    for (int step = 0; step < 2000; step++) {
        acre_aabb box = nearby_box(&random, &view, 0.5f);
        const uint32_t edge = random_below(&random, 6);
        if (edge < 3) {
            box.min[edge] = -INFINITY;
        } else {
            box.max[edge - 3] = INFINITY;
        }
        CHECK(acre_frustum_hull_test_aabb(&hull, &box) == acre_frustum_test_aabb(&frustum, &box));
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_exact_test_equals_separating_axes_up_to_the_stated_margin),
        TEST(no_box_with_a_point_proved_inside_is_dropped),
        TEST(any_set_of_planes_keeps_every_box_with_a_point_inside_all),
        TEST(shadow_casters_between_light_and_view_stay_visible),
        TEST(bounds_contain_the_corners_and_are_tight),
        TEST(planes_that_say_nothing_or_are_broken_never_hide_more_than_the_plain_test),
        TEST(a_box_with_an_infinite_edge_gets_the_plain_answer),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
