// SPDX-License-Identifier: MIT
// test_frustum.c - planes of many projections in all clip conventions, and the test of a box.
#include "frustum_kinds.h"

#include <fenv.h>
#include <float.h>
#include <string.h>

#if defined(__SSE__)
#include <xmmintrin.h>

#include "told_calls.h"
#endif

static const double offsets[] = {0.0, 1.0, 1e3, 1e5, 1e6, 1e7, 1e8, 1e9};
enum { OFFSET_COUNT = sizeof offsets / sizeof offsets[0] };

static double length(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// A point in the view or a little outside of it, every fourth on a border.
static void sample_point(test_random *random, const test_view *view, double *out)
{
    const projection_kind *const kind = view->kind;
    const double near = kind->near_distance;
    const double reach = fmin(kind->far_distance, 1e6);
    const double edge = random_below(random, 4) == 0 ? 1.0 - 1e-9 : 1.25;
    const double x = fmax(-edge, fmin(edge, (double)random_float(random, -1.5f, 1.5f)));
    const double y = fmax(-edge, fmin(edge, (double)random_float(random, -1.5f, 1.5f)));
    const double t = random_below(random, 8) == 0   ? 1e-9
                     : random_below(random, 8) == 0 ? 1.0 - 1e-9
                                                    : (double)random_float(random, -0.1f, 1.1f);
    view_point(view, x, y, view->size * (near + t * fabs(t) * (reach - near)), out);
}

// The smallest float box that has p in one corner, grown by size away from that corner.
static acre_aabb box_with_corner(const double *p, uint32_t corner, double size)
{
    acre_aabb box;
    for (int i = 0; i < 3; i++) {
        const double grown = (corner >> i & 1) ? -size : size;
        box.min[i] = float_below(fmin(p[i], p[i] + grown));
        box.max[i] = -float_below(-fmax(p[i], p[i] + grown));
    }
    return box;
}

static void round_matrix(const double *m, float *single, double *rounded)
{
    for (int i = 0; i < 16; i++) {
        single[i] = (float)m[i];
        rounded[i] = (double)single[i];
    }
}

static void no_box_with_a_point_proved_inside_is_hidden(void)
{
    test_random random = {test_seed};
    uint32_t proved[PROJECTION_KIND_COUNT][3] = {{0}};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int run = 0; run < 3 * OFFSET_COUNT; run++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[run % 3], offsets[run / 3]);
            double m[16];
            view_projection_matrix(&view, m);
            acre_frustum frustum;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            CHECK(frustum.plane_count == (is_bounded(view.kind) ? 6 : 5));
            for (uint32_t step = 0; step < 200 * test_scale; step++) {
                double p[3];
                sample_point(&random, &view, p);
                if (!is_proved_inside(m, view.clip, p)) {
                    continue;
                }
                proved[kind][run % 3]++;
                // All eight directions in which a box can lie away from its only visible point.
                const double size = step % 3 == 0 ? 0.0 : view.size * (step % 3 == 1 ? 1.0 : 1e4);
                for (uint32_t corner = 0; corner < 8; corner++) {
                    const acre_aabb box = box_with_corner(p, corner, size);
                    CHECK(acre_frustum_test_aabb(&frustum, &box));
                }
            }
        }
        for (int clip = 0; clip < 3; clip++) {
            CHECK(proved[kind][clip] > 100);
        }
    }
}

static void matrices_rounded_to_float_hide_nothing_of_their_own_volume(void)
{
    test_random random = {test_seed + 1};
    uint32_t proved = 0;
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int run = 0; run < 3 * OFFSET_COUNT; run++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[run % 3], offsets[run / 3]);
            double m[16], rounded[16];
            float single[16];
            view_projection_matrix(&view, m);
            round_matrix(m, single, rounded);
            acre_frustum frustum, same;
            const acre_result result = acre_frustum_from_matrix(&frustum, single, view.clip);
            // Far from the origin, rounding may leave a matrix without a volume.
            CHECK(result == ACRE_OK || offsets[run / 3] > 1e3);
            CHECK(acre_frustum_from_matrix_double(&same, rounded, view.clip) == result);
            CHECK(memcmp(&frustum, &same, sizeof same) == 0);
            for (uint32_t step = 0; step < 200 * test_scale; step++) {
                double p[3];
                sample_point(&random, &view, p);
                if (is_proved_inside(rounded, view.clip, p)) {
                    const acre_aabb box = random_box_around(&random, p, (float)view.size);
                    CHECK(acre_frustum_test_aabb(&frustum, &box));
                    proved++;
                }
            }
        }
    }
    CHECK(proved > 20000);
}

// Signed distance of the corner of a box that lies farthest inside one inequality of the clip
// volume; scale tells the length of its normal.
static double inner_distance(const double *m, acre_clip clip, int side, const acre_aabb *box)
{
    double plane[4], best = 0.0, norm = 0.0;
    for (int i = 0; i < 4; i++) {
        const double *const c = m + 4 * i;
        const double low = clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? c[3] + c[2] : c[2];
        const double rows[6] = {c[3] + c[0], c[3] - c[0], c[3] + c[1],
                                c[3] - c[1], low,         c[3] - c[2]};
        plane[i] = rows[side];
    }
    for (int i = 0; i < 3; i++) {
        best += plane[i] * (double)(plane[i] >= 0.0 ? box->max[i] : box->min[i]);
        norm += plane[i] * plane[i];
    }
    return (best + plane[3]) / sqrt(norm);
}

static double farthest_corner(const acre_aabb *box)
{
    double far[3];
    for (int i = 0; i < 3; i++) {
        far[i] = fmax(fabs((double)box->min[i]), fabs((double)box->max[i]));
    }
    return length(far);
}

// Which box is hidden and which is not is decided by margins alone: 2^-20 of three distances, plus
// the rounding of the test itself.
static void boxes_beyond_a_plane_by_more_than_the_margin_are_hidden(void)
{
    test_random random = {test_seed + 2};
    uint32_t hidden[6] = {0};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int run = 0; run < 3 * OFFSET_COUNT; run++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[run % 3], offsets[run / 3]);
            double m[16];
            view_projection_matrix(&view, m);
            acre_frustum frustum;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            const int far_side = view.clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 4 : 5;
            for (uint32_t step = 0; step < 200 * test_scale; step++) {
                double p[3];
                sample_point(&random, &view, p);
                const acre_aabb box = random_box_around(&random, p, (float)view.size);
                // Points of the box are at most this far; the wide kinds turn planes by 6 * 2^-20.
                const double reach = farthest_corner(&box) + length(view.eye);
                const double margin = 8.0 * 0x1p-20 * reach;
                for (int side = 0; side < 6; side++) {
                    if (side == far_side && !is_bounded(view.kind)) {
                        continue;
                    }
                    if (inner_distance(m, view.clip, side, &box) < -margin) {
                        CHECK(!acre_frustum_test_aabb(&frustum, &box));
                        hidden[side]++;
                    }
                }
            }
        }
    }
    for (int side = 0; side < 6; side++) {
        CHECK(hidden[side] > 300);
    }
}

static void near_and_far_lie_where_the_convention_says(void)
{
    test_random random = {test_seed + 3};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int clip = 0; clip < 3; clip++) {
            test_view view = random_view(&random, &projection_kinds[kind], all_clips[clip], 0.0);
            memset(view.eye, 0, sizeof view.eye);
            double m[16];
            view_projection_matrix(&view, m);
            acre_frustum frustum;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            const double near = view.kind->near_distance, far = view.kind->far_distance;
            // At the near plane points are near, so the margin is a small part of it.
            const double step = view.kind->is_orthographic ? 0.01 : 1e-4 * near;
            const double distances[4] = {near - step, near + step,
                                         isinf(far) ? 1e12 : far * (1.0 - 1e-4),
                                         is_bounded(view.kind) ? far * (1.0 + 1e-4) : near - step};
            for (int i = 0; i < 4; i++) {
                double p[3];
                view_point(&view, 0.0, 0.0, distances[i], p);
                const acre_aabb box = random_box_around(&random, p, 0.0f);
                const bool is_inside = i == 1 || i == 2;
                CHECK(acre_frustum_test_aabb(&frustum, &box) == is_inside);
            }
        }
    }
}

static void an_infinite_far_plane_keeps_the_sides_tight_at_any_distance(void)
{
    for (int clip = 0; clip < 3; clip++) {
        const test_view view = {&projection_kinds[8],
                                all_clips[clip],
                                {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                {0, 0, 0},
                                1.0};
        double m[16];
        view_projection_matrix(&view, m);
        acre_frustum frustum;
        CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
        for (double distance = 0.2; distance < 1e37; distance *= 3.0) {
            for (int side = 0; side < 4; side++) {
                const double at = side & 1 ? 1.0 : -1.0;
                double in[3], out[3];
                const double x = side & 2 ? 0.3 : at, y = side & 2 ? at : 0.3;
                view_point(&view, x * (1.0 - 1e-12), y * (1.0 - 1e-12), distance, in);
                view_point(&view, x * (1.0 + 1e-4), y * (1.0 + 1e-4), distance, out);
                const acre_aabb inside = box_with_corner(in, 0, 0.0);
                const acre_aabb outside = box_with_corner(out, 0, 0.0);
                CHECK(acre_frustum_test_aabb(&frustum, &inside));
                CHECK(!acre_frustum_test_aabb(&frustum, &outside));
            }
        }
    }
}

static void planes_are_normalized_and_face_inwards(void)
{
    test_random random = {test_seed + 4};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int clip = 0; clip < 3; clip++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[clip], 1e3);
            double m[16], p[3];
            view_projection_matrix(&view, m);
            const double near = view.kind->near_distance;
            const double middle = isinf(view.kind->far_distance)
                                      ? near + 10.0
                                      : 0.5 * (near + view.kind->far_distance);
            view_point(&view, 0.0, 0.0, middle, p);
            acre_frustum frustum;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            for (uint32_t i = 0; i < frustum.plane_count; i++) {
                const float *const plane = frustum.planes[i];
                const double n[3] = {(double)plane[0], (double)plane[1], (double)plane[2]};
                CHECK(fabs(length(n) - 1.0) < 1e-6);
                CHECK(n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + (double)plane[3] > 0.0);
            }
        }
    }
}

// The margin that the guarantee rests on, of which no sample of points shows more than a part.
static void planes_move_outwards_by_the_stated_share_of_the_distances(void)
{
    test_random random = {test_seed + 15};
    uint32_t seen[6] = {0};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int run = 0; run < 3 * OFFSET_COUNT; run++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[run % 3], offsets[run / 3]);
            double m[16];
            view_projection_matrix(&view, m);
            acre_frustum frustum;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            for (int step = 0; step < 60; step++) {
                const uint32_t side = random_below(&random, is_bounded(view.kind) ? 6 : 5);
                double at[3] = {(double)random_float(&random, -1, 1),
                                (double)random_float(&random, -1, 1),
                                (double)random_float(&random, 0, 1)};
                at[side / 2] = side == 4 ? 0.0 : side & 1 ? 1.0 : -1.0;
                const double near = view.kind->near_distance;
                const double reach = fmin(view.kind->far_distance, 1e5) - near;
                double p[3];
                view_point(&view, at[0], at[1], view.size * (near + at[2] * reach), p);
                double least = (double)INFINITY, d = 0.0;
                for (uint32_t i = 0; i < frustum.plane_count; i++) {
                    const float *const n = frustum.planes[i];
                    const double distance = (double)n[0] * p[0] + (double)n[1] * p[1] +
                                            (double)n[2] * p[2] + (double)n[3];
                    d = distance < least ? fabs((double)n[3]) : d;
                    least = fmin(least, distance);
                }
                // Less than 2 * 2^-24 are lost where the planes are rounded to float.
                CHECK(least >= 13.0 * 0x1p-24 * (d + length(p)));
                seen[side]++;
            }
        }
    }
    for (int side = 0; side < 6; side++) {
        CHECK(seen[side] > 1000);
    }
}

static void the_scale_of_a_matrix_does_not_matter(void)
{
    test_random random = {test_seed + 5};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        const test_view view =
            random_view(&random, &projection_kinds[kind], all_clips[kind % 3], 1e4);
        double m[16];
        view_projection_matrix(&view, m);
        acre_frustum frustum;
        CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
        for (int exponent = -900; exponent <= 900; exponent += 300) {
            double scaled[16];
            for (int i = 0; i < 16; i++) {
                scaled[i] = ldexp(m[i], exponent);
            }
            acre_frustum same;
            CHECK(acre_frustum_from_matrix_double(&same, scaled, view.clip) == ACRE_OK);
            CHECK(memcmp(&frustum, &same, sizeof same) == 0);
        }
    }
}

static bool is_refused(const double *m, acre_clip clip)
{
    acre_frustum frustum;
    memset(&frustum, 0x5a, sizeof frustum);
    const acre_aabb box = {{1, 2, 3}, {1, 2, 3}};
    return acre_frustum_from_matrix_double(&frustum, m, clip) == ACRE_ERROR_INVALID_ARGUMENT &&
           frustum.plane_count == 0 && acre_frustum_test_aabb(&frustum, &box);
}

static void broken_arguments_give_an_error_and_a_frustum_that_hides_nothing(void)
{
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    acre_frustum frustum;
    float single[16];
    double unused[16];
    round_matrix(identity, single, unused);
    CHECK(acre_frustum_from_matrix(&frustum, single, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    CHECK(acre_frustum_from_matrix(NULL, single, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_frustum_from_matrix_double(NULL, identity, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    memset(&frustum, 0x5a, sizeof frustum);
    CHECK(acre_frustum_from_matrix(&frustum, NULL, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(frustum.plane_count == 0);
    CHECK(is_refused(NULL, ACRE_CLIP_ZERO_TO_ONE));
    CHECK(is_refused(identity, (acre_clip)0) && is_refused(identity, (acre_clip)4));
    const float odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 16; i++) {
        for (int k = 0; k < 3; k++) {
            double m[16];
            memcpy(m, identity, sizeof m);
            m[i] = (double)odd[k];
            CHECK(is_refused(m, ACRE_CLIP_NEGATIVE_ONE_TO_ONE));
            single[i] = odd[k];
            memset(&frustum, 0x5a, sizeof frustum);
            CHECK(acre_frustum_from_matrix(&frustum, single, ACRE_CLIP_ZERO_TO_ONE) ==
                  ACRE_ERROR_INVALID_ARGUMENT);
            CHECK(frustum.plane_count == 0);
            single[i] = (float)identity[i];
        }
    }
}

static void matrices_without_a_volume_are_refused(void)
{
    test_random random = {test_seed + 6};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int clip = 0; clip < 3; clip++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[clip], 100.0);
            double m[16], broken[16];
            view_projection_matrix(&view, m);
            for (int i = 0; i < 16; i++) {
                broken[i] = -m[i]; // the volume behind infinity
            }
            CHECK(is_refused(broken, view.clip));
            for (int row = 0; row < 4; row++) { // singular: a row of zeros, a row twice
                memcpy(broken, m, sizeof m);
                for (int i = 0; i < 4; i++) {
                    broken[4 * i + row] = 0.0;
                }
                CHECK(is_refused(broken, view.clip));
                for (int i = 0; i < 4; i++) {
                    broken[4 * i + row] = m[4 * i + (row + 1) % 4];
                }
                CHECK(is_refused(broken, view.clip));
            }
        }
    }
    CHECK(is_refused((const double[16]){0}, ACRE_CLIP_ZERO_TO_ONE));
    // A point at the origin, and a cube of 1e39 around it.
    CHECK(is_refused((const double[16]){[15] = 1}, ACRE_CLIP_ZERO_TO_ONE));
    CHECK(is_refused((const double[16]){[0] = 1, [5] = 1, [10] = 1, [12] = 1e39, [15] = 1},
                     ACRE_CLIP_NEGATIVE_ONE_TO_ONE));
}

// Seen from the middle of the near plane every other plane's distance cancels to nothing: what is
// left of the determinant says nothing of how far the volume reaches. Found by fuzzing.
static void a_matrix_whose_determinant_is_lost_in_rounding_is_refused(void)
{
    const double a = -0x1p75, b = 0x1p64, c = 0x1p72;
    const double m[16] = {b, b, c, b, 0, a, a, a, a, a, a, -1, a, a, a, 0};
    CHECK(is_refused(m, ACRE_CLIP_ZERO_TO_ONE));
}

static void no_random_matrix_crashes_or_gives_a_nan_plane(void)
{
    test_random random = {test_seed + 7};
    const float odd[] = {0.0f, 0.0f, 1.0f, -1.0f, FLT_MAX, 1e-45f, -FLT_MIN, 1e30f, 1e-30f};
    uint32_t accepted = 0;
    for (uint32_t run = 0; run < 100000 * test_scale; run++) {
        float m[16];
        for (int i = 0; i < 16; i++) {
            m[i] = random_below(&random, 3) ? odd[random_below(&random, 9)]
                                            : random_float(&random, -2, 2);
        }
        acre_frustum frustum;
        const acre_result result =
            acre_frustum_from_matrix(&frustum, m, all_clips[random_below(&random, 3)]);
        CHECK(result == ACRE_OK || frustum.plane_count == 0);
        for (uint32_t i = 0; i < frustum.plane_count; i++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) {
                sum += (double)frustum.planes[i][k] * (double)frustum.planes[i][k];
            }
            CHECK(fabs(sum - 1.0) < 1e-5 && isfinite(frustum.planes[i][3]));
        }
        accepted += result == ACRE_OK;
    }
    CHECK(accepted > 10000);
}

// Random points of a random projective volume, found by mapping the clip cube back.
static void volumes_of_random_matrices_lose_no_point(void)
{
    test_random random = {test_seed + 8};
    uint32_t proved = 0;
    for (uint32_t run = 0; run < 2000 * test_scale; run++) {
        double m[16];
        for (int i = 0; i < 16; i++) {
            m[i] = (double)random_float(&random, -1, 1) *
                   (random_below(&random, 4) ? 1.0 : 1e-3 * (double)random_float(&random, 0, 1));
        }
        const acre_clip clip = all_clips[run % 3];
        acre_frustum frustum;
        const acre_result result = acre_frustum_from_matrix_double(&frustum, m, clip);
        for (int step = 0; step < 200; step++) {
            double p[3];
            const double size = pow(10.0, (double)random_float(&random, -1, 6));
            for (int i = 0; i < 3; i++) {
                p[i] = size * (double)random_float(&random, -1, 1);
            }
            if (is_proved_inside(m, clip, p)) {
                const acre_aabb box = random_box_around(&random, p, 0.0f);
                CHECK(result == ACRE_OK && acre_frustum_test_aabb(&frustum, &box));
                proved++;
            }
        }
    }
    CHECK(proved > 1000);
}

static void the_test_of_a_box_is_the_documented_sum_in_order(void)
{
    test_random random = {test_seed + 9};
    uint32_t visible = 0;
    for (uint32_t run = 0; run < 20000 * test_scale; run++) {
        acre_frustum frustum = {.plane_count = 1 + random_below(&random, 16)};
        acre_aabb box;
        for (int k = 0; k < 3; k++) {
            box.min[k] = random_float(&random, -10, 10);
            box.max[k] = box.min[k] + random_float(&random, 0, 10);
            if (random_below(&random, 20) == 0) {
                box.max[k] = INFINITY;
            } else if (random_below(&random, 20) == 0) {
                box.min[k] = -INFINITY;
            }
        }
        bool expected = true;
        for (uint32_t i = 0; i < frustum.plane_count; i++) {
            float *const n = frustum.planes[i];
            for (int k = 0; k < 4; k++) {
                n[k] = random_below(&random, 6) == 0   ? -0.0f
                       : random_below(&random, 6) == 0 ? 0.0f
                                                       : random_float(&random, -1, 1);
            }
            n[3] += 6.0f;
            float products[3];
            for (int k = 0; k < 3; k++) {
                products[k] = n[k] * (n[k] >= 0.0f ? box.max[k] : box.min[k]);
            }
            float sum = products[0] + products[1];
            sum = sum + products[2];
            sum = sum + n[3];
            expected = expected && !(sum < 0.0f);
        }
        CHECK(acre_frustum_test_aabb(&frustum, &box) == expected);
        visible += expected;
    }
    CHECK(visible > 1000 && visible < 19000 * test_scale);
}

static void doubt_means_visible(void)
{
    const acre_aabb box = {{5, 5, 5}, {6, 6, 6}};
    const acre_frustum none = {.plane_count = 0};
    CHECK(acre_frustum_test_aabb(&none, &box) && acre_frustum_contains_aabb(&none, &box));
    for (int k = 0; k < 4; k++) {
        acre_frustum frustum = {.planes = {{1, 0, 0, -100}}, .plane_count = 1};
        CHECK(!acre_frustum_test_aabb(&frustum, &box));
        frustum.planes[0][k] = NAN;
        CHECK(acre_frustum_test_aabb(&frustum, &box));
        CHECK(!acre_frustum_contains_aabb(&frustum, &box));
    }
    const acre_frustum slab = {.planes = {{1, 0, 0, -100}, {-1, 0, 0, 200}}, .plane_count = 2};
    const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb half = {{-INFINITY, 0, 0}, {150, 1, 1}};
    const acre_aabb away = {{-INFINITY, 0, 0}, {99, 1, 1}};
    CHECK(acre_frustum_test_aabb(&slab, &endless) && !acre_frustum_contains_aabb(&slab, &endless));
    CHECK(acre_frustum_test_aabb(&slab, &half) && !acre_frustum_contains_aabb(&slab, &half));
    CHECK(!acre_frustum_test_aabb(&slab, &away));
}

static void a_plane_count_above_the_limit_is_read_as_the_limit(void)
{
    acre_frustum frustum = {.plane_count = UINT32_MAX};
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    CHECK(acre_frustum_test_aabb(&frustum, &box));
    frustum.planes[ACRE_FRUSTUM_MAX_PLANES - 1][3] = -1.0f;
    CHECK(!acre_frustum_test_aabb(&frustum, &box));
    CHECK(!acre_frustum_contains_aabb(&frustum, &box));
}

static void planes_beyond_the_count_are_not_read(void)
{
    const acre_frustum frustum = {.planes = {{1, 0, 0, 5}, {1, 0, 0, -5}}, .plane_count = 1};
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    CHECK(acre_frustum_test_aabb(&frustum, &box) && acre_frustum_contains_aabb(&frustum, &box));
}

static void points_and_touching_boxes_are_visible(void)
{
    const acre_frustum frustum = {.planes = {{1, 0, 0, -2}, {-1, 0, 0, 4}}, .plane_count = 2};
    for (int corner = 0; corner < 2; corner++) {
        const float x = corner ? 4.0f : 2.0f;
        const acre_aabb touching = {{corner ? x : -9, 0, 0}, {corner ? 9 : x, 0, 0}};
        const float beyond = nextafterf(x, corner ? 9.0f : -9.0f);
        const acre_aabb point = {{x, 0, 0}, {x, 0, 0}};
        const acre_aabb away = {{beyond, 0, 0}, {beyond, 0, 0}};
        CHECK(acre_frustum_test_aabb(&frustum, &touching));
        CHECK(acre_frustum_test_aabb(&frustum, &point));
        CHECK(!acre_frustum_test_aabb(&frustum, &away));
    }
}

static void a_contained_box_has_every_corner_inside_and_is_visible(void)
{
    test_random random = {test_seed + 10};
    uint32_t contained = 0, crossing = 0;
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int run = 0; run < 3 * OFFSET_COUNT; run++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[run % 3], offsets[run / 3]);
            double m[16];
            view_projection_matrix(&view, m);
            acre_frustum frustum;
            CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
            for (uint32_t step = 0; step < 100 * test_scale; step++) {
                double p[3];
                sample_point(&random, &view, p);
                const acre_aabb box = random_box_around(&random, p, (float)view.size);
                bool all = true;
                for (int corner = 0; corner < 8; corner++) {
                    acre_aabb point;
                    for (int i = 0; i < 3; i++) {
                        point.min[i] = point.max[i] = (corner >> i & 1) ? box.max[i] : box.min[i];
                    }
                    all = all && acre_frustum_test_aabb(&frustum, &point);
                }
                const bool is_contained = acre_frustum_contains_aabb(&frustum, &box);
                CHECK(is_contained == all);
                CHECK(!is_contained || acre_frustum_test_aabb(&frustum, &box));
                contained += is_contained;
                crossing += !is_contained && acre_frustum_test_aabb(&frustum, &box);
            }
        }
    }
    CHECK(contained > 1000 && crossing > 1000);
}

static void a_mirrored_projection_sees_the_mirrored_boxes(void)
{
    test_random random = {test_seed + 11};
    uint32_t visible = 0;
    for (int run = 0; run < 300; run++) {
        test_view view = random_view(&random, &projection_kinds[1], all_clips[run % 3], 10.0);
        double m[16];
        view_projection_matrix(&view, m);
        acre_frustum plain, mirrored;
        CHECK(acre_frustum_from_matrix_double(&plain, m, view.clip) == ACRE_OK);
        const int axis = run % 4 % 3; // world x, y or z changes its sign
        for (int row = 0; row < 4; row++) {
            m[4 * axis + row] = -m[4 * axis + row];
        }
        CHECK(acre_frustum_from_matrix_double(&mirrored, m, view.clip) == ACRE_OK);
        for (int step = 0; step < 100; step++) {
            double p[3];
            sample_point(&random, &view, p);
            const acre_aabb box = random_box_around(&random, p, 5.0f);
            acre_aabb twin = box;
            twin.min[axis] = -box.max[axis];
            twin.max[axis] = -box.min[axis];
            const bool is_visible = acre_frustum_test_aabb(&plain, &box);
            CHECK(acre_frustum_test_aabb(&mirrored, &twin) == is_visible);
            visible += is_visible;
        }
    }
    CHECK(visible > 5000 && visible < 29000);
}

static void planes_and_boxes_in_the_denormal_range_lose_no_point(void)
{
    test_random random = {test_seed + 12};
    uint32_t proved = 0;
    for (int run = 0; run < 300; run++) {
        test_view view =
            random_view(&random, &projection_kinds[run % 3 + 1], all_clips[run % 3], 0);
        memset(view.eye, 0, sizeof view.eye);
        view.size = run % 2 ? 0x1p-135 : 0x1p-145; // near and far below the smallest normal float
        double m[16];
        view_projection_matrix(&view, m);
        acre_frustum frustum;
        CHECK(acre_frustum_from_matrix_double(&frustum, m, view.clip) == ACRE_OK);
        for (int step = 0; step < 50; step++) {
            double p[3];
            sample_point(&random, &view, p);
            if (is_proved_inside(m, view.clip, p)) {
                const acre_aabb box = random_box_around(&random, p, 0.0f);
                CHECK(acre_frustum_test_aabb(&frustum, &box));
                proved++;
            }
        }
    }
    CHECK(proved > 1000);
}

// Counts boxes around points proved inside; returns UINT32_MAX if one is hidden.
static uint32_t count_visible(test_random *random, double size)
{
    uint32_t proved = 0;
    for (int run = 0; run < 6 * PROJECTION_KIND_COUNT; run++) {
        test_view view = random_view(random, &projection_kinds[run % PROJECTION_KIND_COUNT],
                                     all_clips[run % 3], run % 2 ? 0.0 : 1e6);
        if (size < 1.0) {
            memset(view.eye, 0, sizeof view.eye);
            view.size = size;
        }
        double m[16];
        view_projection_matrix(&view, m);
        acre_frustum frustum;
        if (acre_frustum_from_matrix_double(&frustum, m, view.clip) != ACRE_OK) {
            return UINT32_MAX;
        }
        for (int step = 0; step < 100; step++) {
            double p[3];
            sample_point(random, &view, p);
            if (is_proved_inside(m, view.clip, p)) {
                const acre_aabb box = random_box_around(random, p, 0.0f);
                if (!acre_frustum_test_aabb(&frustum, &box)) {
                    return UINT32_MAX;
                }
                proved++;
            }
        }
    }
    return proved;
}

static void no_box_is_lost_in_another_rounding_mode_of_the_program(void)
{
    test_random random = {test_seed + 13};
    static const int modes[] = {
        FE_TONEAREST,
#ifdef FE_UPWARD
        FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
        FE_DOWNWARD,
#endif
#ifdef FE_TOWARDZERO
        FE_TOWARDZERO,
#endif
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (fesetround(modes[i]) == 0) {
            const uint32_t proved = count_visible(&random, 1.0);
            fesetround(FE_TONEAREST);
            CHECK(proved > 3000 && proved < UINT32_MAX);
        }
    }
}

// A frustum of a few denormal floats across, seen by a program that flushes them to zero.
static void no_box_is_lost_when_denormals_are_flushed(void)
{
    test_random random = {test_seed + 14};
#if defined(__SSE__)
    const unsigned int saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040u); // flush to zero, denormals are zero
    const uint32_t flushed = count_visible(&random, 0x1p-135);
    _mm_setcsr(saved);
    CHECK(flushed > 1000 && flushed < UINT32_MAX);
#endif
    const uint32_t kept = count_visible(&random, 0x1p-135);
    CHECK(kept > 1000 && kept < UINT32_MAX);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_box_with_a_point_proved_inside_is_hidden),
        TEST(matrices_rounded_to_float_hide_nothing_of_their_own_volume),
        TEST(boxes_beyond_a_plane_by_more_than_the_margin_are_hidden),
        TEST(near_and_far_lie_where_the_convention_says),
        TEST(an_infinite_far_plane_keeps_the_sides_tight_at_any_distance),
        TEST(planes_are_normalized_and_face_inwards),
        TEST(planes_move_outwards_by_the_stated_share_of_the_distances),
        TEST(the_scale_of_a_matrix_does_not_matter),
        TEST(broken_arguments_give_an_error_and_a_frustum_that_hides_nothing),
        TEST(matrices_without_a_volume_are_refused),
        TEST(a_matrix_whose_determinant_is_lost_in_rounding_is_refused),
        TEST(no_random_matrix_crashes_or_gives_a_nan_plane),
        TEST(volumes_of_random_matrices_lose_no_point),
        TEST(the_test_of_a_box_is_the_documented_sum_in_order),
        TEST(doubt_means_visible),
        TEST(a_plane_count_above_the_limit_is_read_as_the_limit),
        TEST(planes_beyond_the_count_are_not_read),
        TEST(points_and_touching_boxes_are_visible),
        TEST(a_contained_box_has_every_corner_inside_and_is_visible),
        TEST(a_mirrored_projection_sees_the_mirrored_boxes),
        TEST(planes_and_boxes_in_the_denormal_range_lose_no_point),
        TEST(no_box_is_lost_in_another_rounding_mode_of_the_program),
        TEST(no_box_is_lost_when_denormals_are_flushed),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
