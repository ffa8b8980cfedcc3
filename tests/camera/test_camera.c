// SPDX-License-Identifier: MIT
// test_camera.c - view and projection matrices in all clip conventions, and their errors.
#include "frustum_kinds.h"
#include "test.h"

#include <acre/camera.h>

#include "told_calls.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PI_F 3.14159265f

static const acre_clip clips[3] = {ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE,
                                   ACRE_CLIP_REVERSED_ZERO_TO_ONE};

static void transform(const float *matrix, const double *point, double *out)
{
    for (int row = 0; row < 4; row++) {
        out[row] = (double)matrix[row] * point[0] + (double)matrix[4 + row] * point[1] +
                   (double)matrix[8 + row] * point[2] + (double)matrix[12 + row] * point[3];
    }
}

static double depth_of(const acre_camera *camera, double distance)
{
    double clip[4];
    transform(camera->projection, (double[4]){0, 0, -distance, 1}, clip);
    return clip[2] / clip[3];
}

static double near_depth(acre_clip clip)
{
    return clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? -1.0 : clip == ACRE_CLIP_ZERO_TO_ONE ? 0.0 : 1.0;
}

static double far_depth(acre_clip clip)
{
    return clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 0.0 : 1.0;
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 2e-6 * fmax(1.0, fmax(fabs(a), fabs(b)));
}

static void perspective_maps_near_and_far_to_the_clip_depths(void)
{
    for (int i = 0; i < 3; i++) {
        acre_camera camera = {0};
        CHECK(acre_camera_perspective(&camera, 1.0f, 2.0f, 0.5f, 100.0f, clips[i]) == ACRE_OK);
        CHECK(camera.clip == clips[i]);
        CHECK(close_to(depth_of(&camera, 0.5), near_depth(clips[i])));
        CHECK(close_to(depth_of(&camera, 100.0), far_depth(clips[i])));
        double clip[4];
        const double half_height = 10.0 * tan(0.5);
        transform(camera.projection, (double[4]){2.0 * half_height, half_height, -10, 1}, clip);
        CHECK(close_to(clip[0] / clip[3], 1.0) && close_to(clip[1] / clip[3], 1.0));
    }
}

static void an_infinite_far_plane_is_the_limit_of_far_ones(void)
{
    for (int i = 0; i < 3; i++) {
        acre_camera camera = {0};
        CHECK(acre_camera_perspective(&camera, 1.0f, 2.0f, 0.5f, INFINITY, clips[i]) == ACRE_OK);
        CHECK(close_to(depth_of(&camera, 0.5), near_depth(clips[i])));
        CHECK(close_to(depth_of(&camera, 1e12), far_depth(clips[i])));
        acre_camera finite = {0};
        CHECK(acre_camera_perspective(&finite, 1.0f, 2.0f, 0.5f, FLT_MAX, clips[i]) == ACRE_OK);
        for (int k = 0; k < 16; k++) {
            CHECK(close_to((double)finite.projection[k], (double)camera.projection[k]));
        }
        acre_frustum frustum;
        CHECK(acre_camera_frustum(&camera, &frustum) == ACRE_OK);
        CHECK(frustum.plane_count == 5);
        const acre_aabb ahead = {{-1, -1, -1e7f}, {1, 1, -1e7f}};
        const acre_aabb behind = {{-1, -1, 100}, {1, 1, 101}};
        CHECK(acre_frustum_test_aabb(&frustum, &ahead));
        CHECK(!acre_frustum_test_aabb(&frustum, &behind));
    }
}

static void orthographic_maps_its_box_to_the_clip_box(void)
{
    for (int i = 0; i < 3; i++) {
        acre_camera camera = {0};
        CHECK(acre_camera_orthographic(&camera, 40.0f, 20.0f, -5.0f, 95.0f, clips[i]) == ACRE_OK);
        double clip[4];
        transform(camera.projection, (double[4]){20, -10, 5, 1}, clip);
        CHECK(close_to(clip[0], 1.0) && close_to(clip[1], -1.0) && close_to(clip[3], 1.0));
        CHECK(close_to(clip[2], near_depth(clips[i])));
        CHECK(close_to(depth_of(&camera, 95.0), far_depth(clips[i])));
    }
}

static void look_at_puts_the_target_ahead_and_up_upwards(void)
{
    test_random random = {test_seed};
    for (uint32_t step = 0; step < 1000 * test_scale; step++) {
        float eye[3], target[3];
        double difference = 0.0;
        for (int i = 0; i < 3; i++) {
            eye[i] = random_float(&random, -100, 100);
            target[i] = random_float(&random, -100, 100);
            difference += pow((double)target[i] - (double)eye[i], 2.0);
        }
        const double flat =
            hypot((double)target[0] - (double)eye[0], (double)target[2] - (double)eye[2]);
        if (flat < 1.0) {
            continue;
        }
        acre_camera camera = {0};
        CHECK(acre_camera_look_at(&camera, eye, target, (float[]){0, 1, 0}) == ACRE_OK);
        double seen[4];
        transform(camera.view,
                  (double[4]){(double)target[0], (double)target[1], (double)target[2], 1}, seen);
        CHECK(fabs(seen[0]) < 1e-3 && fabs(seen[1]) < 1e-3);
        CHECK(fabs(seen[2] + sqrt(difference)) < 1e-3);
        transform(camera.view, (double[4]){0, 1, 0, 0}, seen);
        CHECK(seen[1] > 0.0 && fabs(seen[0]) < 1e-5);
    }
}

static void look_at_keeps_the_eye_in_place_far_from_the_origin(void)
{
    const float offsets[] = {0.0f, 1e4f, 1e6f, 1e9f};
    for (int i = 0; i < 4; i++) {
        const float eye[3] = {offsets[i], 2.0f, -offsets[i]};
        const float target[3] = {offsets[i] + 3.0f * fmaxf(1.0f, offsets[i] * 1e-6f), 1.0f,
                                 -offsets[i] * (1.0f + 1e-5f) - 4.0f};
        acre_camera camera = {0};
        CHECK(acre_camera_look_at(&camera, eye, target, (float[]){0, 2, 0}) == ACRE_OK);
        double seen[4];
        transform(camera.view, (double[4]){(double)eye[0], (double)eye[1], (double)eye[2], 1},
                  seen);
        for (int axis = 0; axis < 3; axis++) {
            // Half a unit in the last place of a translation of up to 2 x offset.
            CHECK(fabs(seen[axis]) <= 1e-6 + 1.2e-7 * (double)offsets[i]);
        }
    }
}

static void distances_that_overflow_when_squared_are_fine(void)
{
    acre_camera camera = {0};
    const float far_away[3] = {3e38f, -3e38f, 1e38f};
    const float opposite[3] = {-3e38f, 3e38f, -1e38f};
    CHECK(acre_camera_look_at(&camera, (float[]){0, 0, 0}, far_away, (float[]){0, 1e38f, 0}) ==
          ACRE_OK);
    CHECK(fabs((double)camera.view[0] * (double)camera.view[0] +
               (double)camera.view[4] * (double)camera.view[4] +
               (double)camera.view[8] * (double)camera.view[8] - 1.0) < 1e-5);
    CHECK(acre_camera_look_at(&camera, opposite, far_away, (float[]){0, 1e-40f, 0}) ==
              ACRE_ERROR_INVALID_ARGUMENT ||
          isfinite(camera.view[12]));
}

static void a_zero_view_becomes_the_identity_and_others_stay(void)
{
    acre_camera camera = {.layers = 5};
    CHECK(acre_camera_perspective(&camera, 1, 1, 1, 2, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    for (int i = 0; i < 16; i++) {
        CHECK(camera.view[i] == (i % 5 == 0 ? 1.0f : 0.0f));
    }
    CHECK(camera.layers == 5);
    camera.view[12] = 7.0f;
    CHECK(acre_camera_orthographic(&camera, 1, 1, 1, 2, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    CHECK(camera.view[12] == 7.0f);
}

typedef struct perspective_case {
    float fov, aspect, near_distance, far_distance;
    int clip;
} perspective_case;

static void degenerate_perspectives_are_refused_and_change_nothing(void)
{
    const perspective_case bad[] = {
        {0, 1, 1, 10, 1},
        {-1, 1, 1, 10, 1},
        {PI_F, 1, 1, 10, 1},
        {NAN, 1, 1, 10, 1},
        {INFINITY, 1, 1, 10, 1},
        {1, 0, 1, 10, 1},
        {1, -1, 1, 10, 1},
        {1, NAN, 1, 10, 1},
        {1, INFINITY, 1, 10, 1},
        {1, 1, 0, 10, 1},
        {1, 1, -1, 10, 1},
        {1, 1, NAN, 10, 1},
        {1, 1, INFINITY, INFINITY, 1},
        {1, 1, 1, 1, 1},
        {1, 1, 2, 1, 1},
        {1, 1, 1, NAN, 1},
        {1, 1, 1, 10, 0},
        {1, 1, 1, 10, 4},
        {1e-40f, 1, 1, 10, 1},
        {1, 1e-40f, 1, 10, 1},
        {1, 1, 1, -INFINITY, 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        acre_camera camera;
        memset(&camera, 0x11, sizeof camera);
        const acre_camera before = camera;
        CHECK(acre_camera_perspective(&camera, bad[i].fov, bad[i].aspect, bad[i].near_distance,
                                      bad[i].far_distance,
                                      (acre_clip)bad[i].clip) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(memcmp(&camera, &before, sizeof camera) == 0);
    }
    CHECK(acre_camera_perspective(NULL, 1, 1, 1, 2, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_ERROR_INVALID_ARGUMENT);
}

static void degenerate_orthographics_are_refused_and_change_nothing(void)
{
    const float bad[][4] = {{0, 1, 0, 1},        {1, 0, 0, 1},     {-1, 1, 0, 1},
                            {NAN, 1, 0, 1},      {1, 1, 1, 1},     {1, 1, 2, 1},
                            {1, 1, NAN, 1},      {1, 1, 0, NAN},   {1, 1, 0, INFINITY},
                            {INFINITY, 1, 0, 1}, {1e-40f, 1, 0, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        acre_camera camera;
        memset(&camera, 0x11, sizeof camera);
        const acre_camera before = camera;
        CHECK(acre_camera_orthographic(&camera, bad[i][0], bad[i][1], bad[i][2], bad[i][3],
                                       ACRE_CLIP_ZERO_TO_ONE) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(memcmp(&camera, &before, sizeof camera) == 0);
    }
    acre_camera camera = {0};
    CHECK(acre_camera_orthographic(&camera, 1, 1, 0, 1, (acre_clip)0) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_camera_orthographic(&camera, 1, 1, 0, 1, (acre_clip)4) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_camera_orthographic(NULL, 1, 1, 0, 1, ACRE_CLIP_ZERO_TO_ONE) ==
          ACRE_ERROR_INVALID_ARGUMENT);
}

static void a_view_without_direction_is_refused_and_changes_nothing(void)
{
    const float bad[][9] = {
        {1, 2, 3, 1, 2, 3, 0, 1, 0},         {0, 0, 0, 0, 5, 0, 0, 1, 0},
        {0, 0, 0, 0, -5, 0, 0, 1, 0},        {0, 0, 0, 1, 0, 0, 0, 0, 0},
        {NAN, 0, 0, 1, 0, 0, 0, 1, 0},       {0, 0, 0, INFINITY, 0, 0, 0, 1, 0},
        {0, 0, 0, 1, 0, 0, 0, -INFINITY, 0}, {0, 0, 0, 2, 2, 2, -1, -1, -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        acre_camera camera;
        memset(&camera, 0x11, sizeof camera);
        const acre_camera before = camera;
        CHECK(acre_camera_look_at(&camera, bad[i], bad[i] + 3, bad[i] + 6) ==
              ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(memcmp(&camera, &before, sizeof camera) == 0);
    }
    acre_camera camera = {0};
    const acre_result refused = ACRE_ERROR_INVALID_ARGUMENT;
    const float eye[3] = {0, 0, 0}, target[3] = {0, 0, -1}, up[3] = {0, 1, 0};
    for (int i = 0; i < 27; i++) {
        float of[3][3] = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}};
        of[i / 3 % 3][i % 3] = i < 9 ? NAN : i < 18 ? INFINITY : -INFINITY;
        CHECK(acre_camera_look_at(&camera, of[0], of[1], of[2]) == refused);
    }
    CHECK(acre_camera_look_at(NULL, eye, target, up) == refused);
    CHECK(acre_camera_look_at(&camera, NULL, target, up) == refused);
    CHECK(acre_camera_look_at(&camera, eye, NULL, up) == refused);
    CHECK(acre_camera_look_at(&camera, eye, target, NULL) == refused);
}

static void a_broken_camera_gives_an_error_and_a_frustum_that_hides_nothing(void)
{
    const acre_aabb anywhere = {{1e6f, 1e6f, 1e6f}, {1e6f, 1e6f, 1e6f}};
    for (int i = 0; i < 34; i++) {
        acre_camera camera = {0};
        CHECK(acre_camera_perspective(&camera, 1, 1, 1, 20, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
        if (i < 16) {
            camera.view[i] = NAN;
        } else if (i < 32) {
            camera.projection[i - 16] = INFINITY;
        } else if (i == 32) {
            memset(camera.view, 0, sizeof camera.view);
        } else {
            camera.clip = (acre_clip)0;
        }
        acre_frustum frustum;
        memset(&frustum, 0xff, sizeof frustum);
        CHECK(acre_camera_frustum(&camera, &frustum) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(frustum.plane_count == 0 && acre_frustum_test_aabb(&frustum, &anywhere));
    }
    acre_frustum frustum;
    CHECK(acre_camera_frustum(NULL, &frustum) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_camera_frustum(&(acre_camera){0}, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
}

static void the_frustum_of_a_camera_sees_its_target_and_not_what_is_behind(void)
{
    test_random random = {test_seed};
    for (uint32_t step = 0; step < 300 * test_scale; step++) {
        const float offset = step % 3 == 0 ? 0.0f : step % 3 == 1 ? 1e4f : 1e6f;
        float eye[3], target[3];
        for (int i = 0; i < 3; i++) {
            eye[i] = offset + random_float(&random, -100, 100);
            target[i] = offset + random_float(&random, -100, 100);
        }
        const float flat = fabsf(target[0] - eye[0]) + fabsf(target[2] - eye[2]);
        if (flat < 10.0f) {
            continue;
        }
        acre_camera camera = {0};
        CHECK(acre_camera_look_at(&camera, eye, target, (float[]){0, 1, 0}) == ACRE_OK);
        CHECK(acre_camera_perspective(&camera, 0.8f, 1.5f, 0.1f, step & 1 ? INFINITY : 1000.0f,
                                      clips[step % 3]) == ACRE_OK);
        acre_frustum frustum;
        CHECK(acre_camera_frustum(&camera, &frustum) == ACRE_OK);
        acre_aabb ahead, behind;
        for (int i = 0; i < 3; i++) {
            ahead.min[i] = ahead.max[i] = target[i];
            behind.min[i] = behind.max[i] = eye[i] - 10.0f * (target[i] - eye[i]);
        }
        CHECK(acre_frustum_test_aabb(&frustum, &ahead));
        CHECK(!acre_frustum_test_aabb(&frustum, &behind));
    }
}

// ---- cubes ----

static const float cube_eye[3] = {3.5f, -20.25f, 1000.0f};

// How many faces see a point: those that have it inside, and those that touch it.
static void count_faces(double matrices[6][16], acre_clip clip, const double *point, int *inside,
                        int *touching)
{
    *inside = *touching = 0;
    for (int face = 0; face < 6; face++) {
        double values[6], errors[6];
        clip_values(matrices[face], clip, point, values, errors);
        double least = (double)INFINITY;
        for (int i = 0; i < 6; i++) {
            least = fmin(least, values[i]);
        }
        *inside += least > 0.0;
        *touching += least >= 0.0;
    }
}

static void the_faces_of_a_cube_see_every_direction_once_up_to_borders(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 30000 * test_scale; i++) {
        const acre_clip clip = all_clips[i % 3];
        acre_camera faces[6];
        double matrices[6][16], point[3];
        CHECK(acre_cube_cameras(cube_eye, 0.125f, i % 2 ? 64.0f : INFINITY, clip, faces) ==
              ACRE_OK);
        for (int face = 0; face < 6; face++) {
            multiply_camera(&faces[face], matrices[face]);
            CHECK(faces[face].clip == clip && faces[face].layers == 0);
        }
        // Multiples of 1/64: sums are exact, and equal components, the borders, are frequent.
        int largest = 0;
        for (int k = 0; k < 3; k++) {
            const int steps = (int)random_below(&random, 65) - 32;
            largest = steps > largest ? steps : -steps > largest ? -steps : largest;
            point[k] = (double)cube_eye[k] + steps / 2.0;
        }
        int inside, touching;
        count_faces(matrices, clip, point, &inside, &touching);
        CHECK(inside <= 1);
        CHECK(largest == 0 ? touching == 0 : touching >= 1);
        for (int face = 0; face < 6 && largest > 0; face++) {
            acre_frustum frustum;
            CHECK(acre_camera_frustum(&faces[face], &frustum) == ACRE_OK);
            const double along =
                (point[face / 2] - (double)cube_eye[face / 2]) * (face % 2 ? -1.0 : 1.0);
            const acre_aabb box = random_box_around(&random, point, 0.0f);
            CHECK(acre_frustum_test_aabb(&frustum, &box) == (2.0 * along == largest));
        }
    }
}

// The table of cube maps in the OpenGL specification: for each face the axes along which its
// texture coordinates s and t grow.
static void pictures_of_faces_are_turned_as_cube_maps_are_sampled(void)
{
    static const double s_axes[6][3] = {{0, 0, -1}, {0, 0, 1}, {1, 0, 0},
                                        {1, 0, 0},  {1, 0, 0}, {-1, 0, 0}};
    static const double t_axes[6][3] = {{0, -1, 0}, {0, -1, 0}, {0, 0, 1},
                                        {0, 0, -1}, {0, -1, 0}, {0, -1, 0}};
    acre_camera faces[6];
    CHECK(acre_cube_cameras(cube_eye, 0.5f, 64.0f, ACRE_CLIP_ZERO_TO_ONE, faces) == ACRE_OK);
    for (int face = 0; face < 6; face++) {
        double matrix[16], point[3], clip[4];
        multiply_camera(&faces[face], matrix);
        for (int k = 0; k < 3; k++) {
            const double ahead = k == face / 2 ? (face % 2 ? -8.0 : 8.0) : 0.0;
            point[k] = (double)cube_eye[k] + ahead + 2.0 * s_axes[face][k] + 4.0 * t_axes[face][k];
        }
        for (int row = 0; row < 4; row++) {
            clip[row] = matrix[row] * point[0] + matrix[4 + row] * point[1] +
                        matrix[8 + row] * point[2] + matrix[12 + row];
        }
        CHECK(clip[3] == 8.0 && clip[0] == 2.0 && clip[1] == 4.0);
    }
}

static void a_cube_without_a_place_or_a_size_is_refused(void)
{
    static const float places[][3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}};
    static const float distances[][2] = {{0, 1}, {-1, 1}, {2, 2}, {3, 2}, {NAN, 2}, {1, NAN}};
    acre_camera faces[6], before[6];
    memset(faces, 0xa5, sizeof faces);
    memcpy(before, faces, sizeof faces);
    const acre_clip clip = ACRE_CLIP_ZERO_TO_ONE;
    for (int i = 0; i < 3; i++) {
        CHECK(acre_cube_cameras(places[i], 1, 2, clip, faces) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    for (int i = 0; i < 6; i++) {
        CHECK(acre_cube_cameras(cube_eye, distances[i][0], distances[i][1], clip, faces) ==
              ACRE_ERROR_INVALID_ARGUMENT);
    }
    CHECK(acre_cube_cameras(cube_eye, 1, 2, (acre_clip)0, faces) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_cube_cameras(NULL, 1, 2, clip, faces) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_cube_cameras(cube_eye, 1, 2, clip, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(memcmp(faces, before, sizeof faces) == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(perspective_maps_near_and_far_to_the_clip_depths),
        TEST(an_infinite_far_plane_is_the_limit_of_far_ones),
        TEST(orthographic_maps_its_box_to_the_clip_box),
        TEST(look_at_puts_the_target_ahead_and_up_upwards),
        TEST(look_at_keeps_the_eye_in_place_far_from_the_origin),
        TEST(distances_that_overflow_when_squared_are_fine),
        TEST(a_zero_view_becomes_the_identity_and_others_stay),
        TEST(degenerate_perspectives_are_refused_and_change_nothing),
        TEST(degenerate_orthographics_are_refused_and_change_nothing),
        TEST(a_view_without_direction_is_refused_and_changes_nothing),
        TEST(a_broken_camera_gives_an_error_and_a_frustum_that_hides_nothing),
        TEST(the_frustum_of_a_camera_sees_its_target_and_not_what_is_behind),
        TEST(the_faces_of_a_cube_see_every_direction_once_up_to_borders),
        TEST(pictures_of_faces_are_turned_as_cube_maps_are_sampled),
        TEST(a_cube_without_a_place_or_a_size_is_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
