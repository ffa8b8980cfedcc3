// SPDX-License-Identifier: MIT
// test_cascades.c - shadow cascades hold their slices, their casters, and do not shimmer.
#include "test.h"

#include "cascades.h"

#include <math.h>
#include <string.h>

static const cascades_def sun = {
    .light = {0.4f, -1.0f, 0.3f},
    .distance = 600.0f,
    .caster_distance = 400.0f,
    .log_share = 0.7f,
    .resolution = 2048,
};

static view_pose random_pose(test_random *random)
{
    view_pose pose = {.up = {0, 1, 0}, .near_distance = 0.1f, .far_distance = 1500.0f};
    const float turn = random_float(random, -3.14f, 3.14f);
    const float pitch = random_float(random, -1.5f, 1.5f);
    pose.eye[0] = random_float(random, -2000, 2000);
    pose.eye[1] = random_float(random, 1, 300);
    pose.eye[2] = random_float(random, -2000, 2000);
    pose.target[0] = pose.eye[0] + 10.0f * sinf(turn) * cosf(pitch);
    pose.target[1] = pose.eye[1] + 10.0f * sinf(pitch);
    pose.target[2] = pose.eye[2] + 10.0f * cosf(turn) * cosf(pitch);
    pose.vertical_fov = random_float(random, 0.3f, 2.0f);
    pose.aspect = random_float(random, 0.5f, 2.5f);
    return pose;
}

static bool sees_point(const acre_camera *camera, const float *point)
{
    acre_frustum frustum;
    acre_aabb box;
    memcpy(box.min, point, sizeof box.min);
    memcpy(box.max, point, sizeof box.max);
    return acre_camera_frustum(camera, &frustum) == ACRE_OK &&
           acre_frustum_test_aabb(&frustum, &box);
}

static void split_distances_ascend_from_near_to_the_end_of_shadows(void)
{
    test_random random = {test_seed};
    for (int i = 0; i < 100; i++) {
        const view_pose pose = random_pose(&random);
        cascades_def def = sun;
        def.log_share = random_float(&random, 0, 1);
        float split[CASCADE_COUNT + 1];
        cascades_split(&def, &pose, split);
        CHECK(split[0] == pose.near_distance && split[CASCADE_COUNT] == def.distance);
        for (int k = 0; k < CASCADE_COUNT; k++) {
            CHECK(split[k] < split[k + 1]);
        }
    }
}

static void each_slice_lies_inside_its_cascade(void)
{
    test_random random = {test_seed};
    for (int i = 0; i < 500; i++) {
        const view_pose pose = random_pose(&random);
        cascades_def def = sun;
        def.light[0] = random_float(&random, -1, 1);
        def.light[2] = random_float(&random, -1, 1);
        cascade cascades[CASCADE_COUNT];
        CHECK(cascades_fit(&def, &pose, cascades) == ACRE_OK);
        for (int k = 0; k < CASCADE_COUNT; k++) {
            float corners[8][3];
            cascades_slice(&pose, cascades[k].near_distance, cascades[k].far_distance, corners);
            for (int c = 0; c < 8; c++) {
                CHECK(sees_point(&cascades[k].camera, corners[c]));
            }
        }
    }
}

static void what_stands_towards_the_light_is_caught_and_what_stands_behind_is_not(void)
{
    test_random random = {test_seed};
    const float length = sqrtf(0.4f * 0.4f + 1.0f + 0.3f * 0.3f);
    for (int i = 0; i < 500; i++) {
        const view_pose pose = random_pose(&random);
        cascade cascades[CASCADE_COUNT];
        CHECK(cascades_fit(&sun, &pose, cascades) == ACRE_OK);
        for (int k = 0; k < CASCADE_COUNT; k++) {
            float corners[8][3], caster[3], behind[3];
            cascades_slice(&pose, cascades[k].near_distance, cascades[k].far_distance, corners);
            for (int axis = 0; axis < 3; axis++) {
                const float light = sun.light[axis] / length;
                caster[axis] = corners[5][axis] - 0.99f * sun.caster_distance * light;
                behind[axis] = corners[5][axis] + 2.1f * cascades[k].half_width * light;
            }
            CHECK(sees_point(&cascades[k].camera, caster));
            CHECK(!sees_point(&cascades[k].camera, behind));
        }
    }
}

static void cascades_keep_their_size_and_move_by_whole_texels(void)
{
    test_random random = {test_seed};
    view_pose pose = random_pose(&random);
    cascade first[CASCADE_COUNT], now[CASCADE_COUNT];
    CHECK(cascades_fit(&sun, &pose, first) == ACRE_OK);
    for (int i = 0; i < 500; i++) {
        const view_pose other = random_pose(&random);
        memcpy(pose.eye, other.eye, sizeof pose.eye);
        memcpy(pose.target, other.target, sizeof pose.target);
        CHECK(cascades_fit(&sun, &pose, now) == ACRE_OK);
        for (int k = 0; k < CASCADE_COUNT; k++) {
            CHECK(now[k].half_width == first[k].half_width && now[k].texel == first[k].texel);
            CHECK(memcmp(now[k].camera.view, first[k].camera.view, 12 * sizeof(float)) == 0);
            for (int axis = 12; axis < 15; axis++) {
                const float texels = now[k].camera.view[axis] / now[k].texel;
                CHECK(texels == floorf(texels));
            }
        }
    }
}

static void a_light_without_direction_is_refused(void)
{
    test_random random = {test_seed};
    const view_pose pose = random_pose(&random);
    cascade cascades[CASCADE_COUNT];
    cascades_def def = sun;
    memset(def.light, 0, sizeof def.light);
    CHECK(cascades_fit(&def, &pose, cascades) == ACRE_ERROR_INVALID_ARGUMENT);
    def.light[1] = NAN;
    CHECK(cascades_fit(&def, &pose, cascades) == ACRE_ERROR_INVALID_ARGUMENT);
    def.light[1] = -1.0f; // straight down is a direction
    CHECK(cascades_fit(&def, &pose, cascades) == ACRE_OK);
    def.resolution = 0;
    CHECK(cascades_fit(&def, &pose, cascades) == ACRE_ERROR_INVALID_ARGUMENT);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(split_distances_ascend_from_near_to_the_end_of_shadows),
        TEST(each_slice_lies_inside_its_cascade),
        TEST(what_stands_towards_the_light_is_caught_and_what_stands_behind_is_not),
        TEST(cascades_keep_their_size_and_move_by_whole_texels),
        TEST(a_light_without_direction_is_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
