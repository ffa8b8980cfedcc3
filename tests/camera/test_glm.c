// SPDX-License-Identifier: MIT
// test_glm.c - the wrappers with cglm's types give what the functions beneath give.
#include "test.h"

#include <acre/glm.h>

#include <cglm/cglm.h>

#include <math.h>
#include <string.h>

static void matrices_pass_through_a_camera_unchanged(void)
{
    mat4 view, projection, out;
    glm_lookat((vec3){1, 2, 3}, (vec3){4, 5, -6}, (vec3){0, 1, 0}, view);
    glm_perspective(1.0f, 1.5f, 0.5f, 100.0f, projection);
    acre_camera camera;
    memset(&camera, 0, sizeof camera);
    camera.layers = 5;
    acre_glm_camera_set(&camera, view, projection, ACRE_CLIP_NEGATIVE_ONE_TO_ONE);
    CHECK(camera.layers == 5 && camera.clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE);
    for (int i = 0; i < 16; i++) {
        CHECK(camera.view[i] == view[i / 4][i % 4]);
        CHECK(camera.projection[i] == projection[i / 4][i % 4]);
    }
    acre_glm_camera_view(&camera, out);
    CHECK(memcmp(out, view, sizeof out) == 0);
    acre_glm_camera_projection(&camera, out);
    CHECK(memcmp(out, projection, sizeof out) == 0);
}

static void cameras_anywhere_in_memory_are_copied_without_an_aligned_load(void)
{
    unsigned char bytes[sizeof(acre_camera) + 16];
    mat4 view = GLM_MAT4_IDENTITY_INIT, projection = GLM_MAT4_IDENTITY_INIT, out;
    view[3][0] = 7.0f;
    for (size_t shift = 0; shift < 16; shift += _Alignof(acre_camera)) {
        acre_camera *const camera = (acre_camera *)(void *)(bytes + shift);
        if ((uintptr_t)camera % _Alignof(acre_camera) == 0) {
            acre_glm_camera_set(camera, view, projection, ACRE_CLIP_ZERO_TO_ONE);
            acre_glm_camera_view(camera, out);
            CHECK(out[3][0] == 7.0f);
        }
    }
}

static void frusta_of_cglms_matrices_see_what_cglm_projects_into_the_picture(void)
{
    test_random random = {test_seed};
    uint32_t inside = 0, outside = 0;
    for (int run = 0; run < 100; run++) {
        vec3 eye, target;
        for (int k = 0; k < 3; k++) {
            eye[k] = random_float(&random, -50, 50);
            target[k] = eye[k] + random_float(&random, 0.1f, 1);
        }
        mat4 view, projection, product;
        glm_lookat(eye, target, (vec3){0, 1, 0}, view);
        glm_perspective(1.2f, 1.5f, 0.5f, 100.0f, projection);
        glm_mat4_mul(projection, view, product);
        acre_frustum frustum, same;
        CHECK(acre_glm_frustum(product, ACRE_CLIP_NEGATIVE_ONE_TO_ONE, &frustum) == ACRE_OK);
        CHECK(acre_frustum_from_matrix(&same, (const float *)product,
                                       ACRE_CLIP_NEGATIVE_ONE_TO_ONE) == ACRE_OK);
        CHECK(memcmp(&frustum, &same, sizeof same) == 0);
        for (int step = 0; step < 200; step++) {
            vec4 point = {0, 0, 0, 1}, clip;
            for (int k = 0; k < 3; k++) {
                point[k] = eye[k] + random_float(&random, -60, 60);
            }
            glm_mat4_mulv(product, point, clip);
            vec3 corners[2] = {{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
            const acre_aabb box = acre_glm_aabb(corners);
            float farthest = -clip[3];
            for (int k = 0; k < 3; k++) {
                farthest = fmaxf(farthest, fabsf(clip[k]) - clip[3]);
            }
            if (fabsf(farthest) > 0.01f) {
                CHECK(acre_frustum_test_aabb(&frustum, &box) == (farthest < 0.0f));
                inside += farthest < 0.0f;
                outside += farthest > 0.0f;
            }
        }
    }
    CHECK(inside > 500 && outside > 5000);
    mat4 broken = GLM_MAT4_ZERO_INIT;
    acre_frustum frustum;
    CHECK(acre_glm_frustum(broken, ACRE_CLIP_ZERO_TO_ONE, &frustum) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(frustum.plane_count == 0);
}

static void looking_at_a_point_gives_cglms_view(void)
{
    vec3 eye = {3, 4, -5}, target = {-1, 0, 2}, up = {0, 1, 0};
    mat4 expected, out;
    glm_lookat(eye, target, up, expected);
    acre_camera camera;
    memset(&camera, 0, sizeof camera);
    CHECK(acre_glm_camera_look_at(&camera, eye, target, up) == ACRE_OK);
    acre_glm_camera_view(&camera, out);
    for (int i = 0; i < 16; i++) {
        CHECK(fabsf(out[i / 4][i % 4] - expected[i / 4][i % 4]) < 1e-5f);
    }
    CHECK(acre_glm_camera_look_at(&camera, eye, eye, up) == ACRE_ERROR_INVALID_ARGUMENT);
}

static void boxes_are_cglms_pairs_of_corners(void)
{
    vec3 corners[2] = {{1, 2, 3}, {4, 5, 6}}, out[2];
    const acre_aabb box = acre_glm_aabb(corners);
    CHECK(box.min[0] == 1 && box.min[1] == 2 && box.min[2] == 3);
    CHECK(box.max[0] == 4 && box.max[1] == 5 && box.max[2] == 6);
    acre_glm_aabb_corners(&box, out);
    CHECK(memcmp(out, corners, sizeof out) == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(matrices_pass_through_a_camera_unchanged),
        TEST(cameras_anywhere_in_memory_are_copied_without_an_aligned_load),
        TEST(frusta_of_cglms_matrices_see_what_cglm_projects_into_the_picture),
        TEST(looking_at_a_point_gives_cglms_view),
        TEST(boxes_are_cglms_pairs_of_corners),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
