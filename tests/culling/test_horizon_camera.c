// SPDX-License-Identifier: MIT
// test_horizon_camera.c - the near radius of a camera's horizon, by the corners of the near plane
// in the camera's own space.
#include "horizon_internal.h"

#include "test.h"

#include <acre/culling.h>

#include <math.h>
#include <string.h>

typedef struct near_camera {
    acre_camera camera;
    float eye[3];
    double plane[4];   // the near plane in the camera's space; inside is positive
    double across, up; // half the picture at depth 1
    double scale;      // of the camera's space: its lengths are those of the world times this
} near_camera;

// What an oblique near plane is: clip z is that plane, by the convention.
static void set_near_plane(near_camera *out)
{
    float *const p = out->camera.projection;
    for (int k = 0; k < 4; k++) {
        const double w = (double)p[4 * k + 3];
        const double z = out->camera.clip == ACRE_CLIP_ZERO_TO_ONE           ? out->plane[k]
                         : out->camera.clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? out->plane[k] - w
                                                                             : w - out->plane[k];
        p[4 * k + 2] = (float)z;
    }
}

static near_camera draw_camera(test_random *random, acre_clip clip, bool is_oblique)
{
    near_camera out = {.plane = {0, 0, -1, 0}, .scale = 1};
    const float far = random_below(random, 2) ? 1e4f : 10.0f, aspect = random_float(random, 1, 3);
    const float near_distance = random_float(random, 0.05f, 2);
    float target[3];
    for (int k = 0; k < 3; k++) {
        out.eye[k] = random_float(random, -far, far);
        target[k] = out.eye[k] + random_float(random, -far, far);
    }
    const float fov = random_float(random, 0.4f, 1.6f), up[3] = {0, 1, 0};
    out.up = tan(0.5 * (double)fov);
    out.across = out.up * (double)aspect;
    out.plane[3] = -(double)near_distance;
    EXPECT(acre_camera_perspective(&out.camera, fov, aspect, near_distance, INFINITY, clip) ==
           ACRE_OK);
    EXPECT(acre_camera_look_at(&out.camera, out.eye, target, up) == ACRE_OK);
    if (random_below(random, 4) == 0) {
        const float scale = random_float(random, 0.25f, 4);
        for (int i = 0; i < 15; i++) {
            out.camera.view[i] *= scale;
        }
        out.scale = (double)scale;
    }
    if (is_oblique) {
        out.plane[0] = (double)random_float(random, -0.9f, 0.9f);
        out.plane[1] = (double)random_float(random, -0.9f, 0.9f);
        set_near_plane(&out);
    }
    return out;
}

// The way from the eye through a place of the picture to the near plane. INFINITY: it never comes
// there.
static double near_distance_at(const near_camera *from, double x, double y)
{
    const double ahead[3] = {x * from->across, y * from->up, -1};
    double falls = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        falls += from->plane[k] * ahead[k];
        square += ahead[k] * ahead[k];
    }
    return falls > 1e-9 ? -from->plane[3] / falls * sqrt(square) / from->scale : (double)INFINITY;
}

static void the_near_radius_is_that_of_the_farthest_corner(void)
{
    static const acre_clip clips[] = {ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE,
                                      ACRE_CLIP_REVERSED_ZERO_TO_ONE};
    test_random random = {test_seed};
    acre_horizon *horizon;
    uint32_t begun = 0, open = 0;
    const uint32_t rounds = 6000 * test_scale;
    CHECK(acre_horizon_create(&(acre_horizon_def){.columns = 16}, &horizon) == ACRE_OK);
    for (uint32_t round = 0; round < rounds; round++) {
        const near_camera from = draw_camera(&random, clips[round % 3], round % 2 == 0);
        double farthest = 0, met = 0;
        for (int i = 0; i < 4; i++) {
            farthest = fmax(farthest, near_distance_at(&from, i & 1 ? 1 : -1, i & 2 ? 1 : -1));
        }
        for (int i = 0; i < 8; i++) {
            const double x = (double)random_float(&random, -1, 1);
            met = fmax(met, near_distance_at(&from, x, (double)random_float(&random, -1, 1)));
        }
        CHECK(acre_horizon_begin_camera(horizon, &from.camera, NULL) == ACRE_OK);
        CHECK(met <= farthest);
        if (farthest > 1e6) {
            open++;
            CHECK(!horizon->is_begun || horizon->near_radius > 1e5);
            continue;
        }
        begun += horizon->is_begun;
        const double rounding =
            2e-5 * farthest + 1e-6 * (fabs((double)from.eye[0]) + fabs((double)from.eye[1]) +
                                      fabs((double)from.eye[2]));
        CHECK(horizon->is_begun && horizon->near_radius >= farthest * (1 - 2e-5) - rounding);
        CHECK(horizon->near_radius <= farthest + 4 * rounding);
        for (int k = 0; k < 3; k++) {
            CHECK(fabs(horizon->eye[k] - (double)from.eye[k]) <= 2 * rounding);
        }
    }
    CHECK(begun > rounds * 6 / 10 && open > rounds / 50);
    acre_horizon_destroy(horizon);
}

// Begun before at another place: nothing of that is left.
static void cameras_without_an_eye_hide_nothing(void)
{
    const acre_aabb wall = {{3, -9, -9}, {4, 9, 9}}, target = {{6, -1, -1}, {7, 1, 1}};
    const float eye[3] = {0, 0, 0}, ahead[3] = {1, 0, 0}, up[3] = {0, 1, 0};
    acre_occluder occluder;
    acre_horizon *horizon;
    acre_camera cameras[3] = {{.layers = 0}};
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    CHECK(acre_occluder_from_box(&occluder, &wall) == ACRE_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(acre_camera_perspective(&cameras[i], 1, 1, 0.1f, 100, ACRE_CLIP_ZERO_TO_ONE) ==
              ACRE_OK);
        CHECK(acre_camera_look_at(&cameras[i], eye, ahead, up) == ACRE_OK);
    }
    CHECK(acre_camera_orthographic(&cameras[1], 4, 4, 0.1f, 100, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    cameras[2].projection[12] = 0.3f; // an eye beside that of the view, as of a headset
    for (int i = 0; i < 3; i++) {
        CHECK(acre_horizon_begin(horizon, eye, NULL, 0) == ACRE_OK);
        CHECK(acre_horizon_add(horizon, &occluder) && acre_horizon_hides(horizon, &target));
        CHECK(acre_horizon_begin_camera(horizon, &cameras[i], NULL) == ACRE_OK);
        CHECK(!acre_horizon_hides(horizon, &target));
        CHECK(acre_horizon_add(horizon, &occluder) == (i == 0));
        CHECK(acre_horizon_hides(horizon, &target) == (i == 0));
    }
    const float region[3] = {0.5f, 0.5f, 0.5f}, bad[3] = {NAN, 0, 0};
    CHECK(acre_horizon_begin_camera(horizon, &cameras[0], region) == ACRE_OK);
    CHECK(horizon->has_region);
    CHECK(acre_horizon_begin_camera(horizon, &cameras[0], bad) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_horizon_begin_camera(horizon, NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_horizon_begin_camera(NULL, &cameras[0], NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    memset(cameras[0].projection, 0, sizeof cameras[0].projection);
    CHECK(acre_horizon_begin_camera(horizon, &cameras[0], NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_horizon_destroy(horizon);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_near_radius_is_that_of_the_farthest_corner),
        TEST(cameras_without_an_eye_hide_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
