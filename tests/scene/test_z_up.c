// SPDX-License-Identifier: MIT
// test_z_up.c - a world with z up, turned into Acre's, keeps every answer.
//
// Numbers are small whole ones, so that sums are exact in any order and answers must be equal.
#include "shape_internal.h"
#include "test.h"

#include <acre/z_up_scene.h>

#include <math.h>
#include <string.h>

static const acre_z_up hands[] = {ACRE_Z_UP_RIGHT_HANDED, ACRE_Z_UP_LEFT_HANDED};

enum { HANDS = 2, ROUNDS = 2000 };

static float whole(test_random *random)
{
    return (float)((int)random_below(random, 17) - 8);
}

static void fill(test_random *random, float *out, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = whole(random);
    }
}

static acre_aabb some_box(test_random *random)
{
    acre_aabb box;
    fill(random, box.min, 3);
    for (int k = 0; k < 3; k++) {
        box.max[k] = box.min[k] + (float)random_below(random, 6);
    }
    return box;
}

static bool is_same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static void the_up_axis_becomes_y(void)
{
    const float up[3] = {0, 0, 1}, ahead[3] = {0, 1, 0};
    for (int i = 0; i < HANDS; i++) {
        float inner[3];
        acre_z_up_point_in(hands[i], inner, up);
        CHECK(inner[0] == 0 && inner[1] == 1 && inner[2] == 0);
        acre_z_up_point_in(hands[i], inner, ahead);
        CHECK(inner[2] == (hands[i] == ACRE_Z_UP_RIGHT_HANDED ? -1.0f : 1.0f));
    }
}

static void what_goes_in_comes_out_bit_for_bit(void)
{
    test_random random = {test_seed};
    for (int round = 0; round < ROUNDS; round++) {
        const acre_z_up hand = hands[round % HANDS];
        float outer[16], inner[16], back[16];
        fill(&random, outer, 16);
        outer[random_below(&random, 16)] = random_below(&random, 2) ? INFINITY : 0x1p-149f;
        acre_z_up_point_in(hand, inner, outer);
        acre_z_up_point_out(hand, back, inner);
        CHECK(is_same(back, outer, 3 * sizeof(float)));
        acre_z_up_rotation_in(hand, inner, outer);
        acre_z_up_rotation_out(hand, back, inner);
        CHECK(is_same(back, outer, 4 * sizeof(float)));
        acre_z_up_matrix_in(hand, inner, outer);
        acre_z_up_matrix_out(hand, back, inner);
        CHECK(is_same(back, outer, sizeof outer));
        acre_z_up_matrix_in(hand, outer, outer); // in place
        CHECK(is_same(outer, inner, sizeof outer));
        acre_aabb box = some_box(&random);
        box.max[1] = INFINITY;
        const acre_aabb turned = acre_z_up_box_in(hand, &box);
        const acre_aabb again = acre_z_up_box_out(hand, &turned);
        CHECK(acre_aabb_is_valid(&turned) && is_same(&again, &box, sizeof box));
    }
}

static void invalid_boxes_stay_invalid(void)
{
    for (int i = 0; i < HANDS; i++) {
        for (int k = 0; k < 3; k++) {
            acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
            box.min[k] = 2;
            acre_aabb turned = acre_z_up_box_in(hands[i], &box);
            CHECK(!acre_aabb_is_valid(&turned));
            box.min[k] = NAN;
            turned = acre_z_up_box_in(hands[i], &box);
            CHECK(!acre_aabb_is_valid(&turned));
        }
    }
}

static acre_frustum some_frustum(test_random *random)
{
    acre_frustum frustum = {.plane_count = 1 + random_below(random, ACRE_FRUSTUM_MAX_PLANES)};
    for (uint32_t i = 0; i < frustum.plane_count; i++) {
        fill(random, frustum.planes[i], 4);
        frustum.planes[i][3] = 8 + fabsf(frustum.planes[i][3]) * 8;
    }
    return frustum;
}

static void a_frustum_sees_the_same_boxes(void)
{
    test_random random = {test_seed};
    size_t seen = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const acre_z_up hand = hands[round % HANDS];
        const acre_frustum outer = some_frustum(&random);
        acre_frustum inner, back = outer;
        acre_z_up_frustum_in(hand, &inner, &outer);
        acre_z_up_frustum_in(hand, &back, &back);
        CHECK(inner.plane_count == outer.plane_count);
        CHECK(is_same(inner.planes, back.planes, outer.plane_count * sizeof outer.planes[0]));
        acre_z_up_frustum_out(hand, &back, &back);
        CHECK(is_same(&back, &outer, sizeof outer));
        for (int i = 0; i < 8; i++) {
            const acre_aabb box = some_box(&random);
            const acre_aabb turned = acre_z_up_box_in(hand, &box);
            const bool is_seen = acre_frustum_test_aabb(&outer, &box);
            CHECK(acre_frustum_test_aabb(&inner, &turned) == is_seen);
            seen += is_seen;
        }
    }
    CHECK(seen > ROUNDS && seen < 7 * ROUNDS);
}

static void a_view_projection_takes_turned_points_to_the_same_place(void)
{
    test_random random = {test_seed};
    for (int round = 0; round < ROUNDS; round++) {
        const acre_z_up hand = hands[round % HANDS];
        float outer[16], inner[16], point[3], turned[3];
        fill(&random, outer, 16);
        fill(&random, point, 3);
        acre_z_up_view_projection_in(hand, inner, outer);
        acre_z_up_point_in(hand, turned, point);
        for (int row = 0; row < 4; row++) {
            const float there = outer[row] * point[0] + outer[4 + row] * point[1] +
                                outer[8 + row] * point[2] + outer[12 + row];
            CHECK(inner[row] * turned[0] + inner[4 + row] * turned[1] + inner[8 + row] * turned[2] +
                      inner[12 + row] ==
                  there);
        }
    }
}

static void shapes_touch_the_same_boxes(void)
{
    test_random random = {test_seed};
    size_t touched = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const acre_z_up hand = hands[round % HANDS];
        const acre_aabb box = some_box(&random), turned = acre_z_up_box_in(hand, &box);
        acre_sphere sphere = {.radius = (float)random_below(&random, 6)};
        fill(&random, sphere.center, 3);
        const acre_sphere sphere_in = acre_z_up_sphere_in(hand, &sphere);
        CHECK(acre_sphere_test_aabb(&sphere, &box) == acre_sphere_test_aabb(&sphere_in, &turned));
        touched += acre_sphere_test_aabb(&sphere, &box);

        acre_ray ray = {.length = 9, .half_size = {0, 1, 2}};
        fill(&random, ray.origin, 3);
        ray.direction[random_below(&random, 3)] = random_below(&random, 2) ? 1.0f : -1.0f;
        const acre_ray ray_in = acre_z_up_ray_in(hand, &ray);
        float distance = 0, distance_in = 0;
        CHECK(acre_ray_test_aabb(&ray, &box, &distance) ==
              acre_ray_test_aabb(&ray_in, &turned, &distance_in));
        CHECK(distance == distance_in);

        const acre_circle circle = {{sphere.center[0], sphere.center[1]}, sphere.radius};
        const acre_circle circle_in = acre_z_up_circle_in(hand, &circle);
        const float x = circle.center[0] - fminf(fmaxf(circle.center[0], box.min[0]), box.max[0]);
        const float y = circle.center[1] - fminf(fmaxf(circle.center[1], box.min[1]), box.max[1]);
        CHECK(acre_circle_test_aabb(&circle_in, &turned) ==
              (x * x + y * y <= circle.radius * circle.radius));
    }
    CHECK(touched > ROUNDS / 50 && touched < ROUNDS);
}

static void oriented_shapes_keep_their_directions(void)
{
    for (int i = 0; i < HANDS; i++) {
        const acre_oriented_box wall = {
            .center = {1, 2, 3}, .half_size = {4, 5, 6}, .axes = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
        const acre_oriented_box turned = acre_z_up_oriented_box_in(hands[i], &wall);
        CHECK(acre_oriented_box_is_valid(&turned) && turned.half_size[1] == 5);
        CHECK(turned.axes[1][1] == 1 && turned.center[1] == 3);
        const acre_cone cone = {
            .apex = {0, 0, 9}, .direction = {0, 0, -1}, .length = 3, .angle = 1};
        const acre_cone cone_in = acre_z_up_cone_in(hands[i], &cone);
        CHECK(cone_in.apex[1] == 9 && cone_in.direction[1] == -1 && cone_in.length == 3);
        const acre_capsule pole = {.from = {1, 1, 0}, .to = {1, 1, 5}, .radius = 1};
        const acre_capsule pole_in = acre_z_up_capsule_in(hands[i], &pole);
        CHECK(pole_in.from[1] == 0 && pole_in.to[1] == 5 && pole_in.from[2] == pole_in.to[2]);
    }
}

// Where a scene puts a point of an entity: the outer world's own arithmetic, turned, must agree.
static bool scene_agrees(acre_z_up hand, const acre_transform *outer, const float *point)
{
    acre_scene *scene = NULL;
    acre_entity entity;
    const acre_transform inner = acre_z_up_transform_in(hand, outer);
    const acre_entity_def def = {.local = &inner};
    float matrix[16], turned[3], expected[3];
    if (acre_scene_create(&(acre_scene_def){0}, &scene) != ACRE_OK ||
        acre_entity_create(scene, &def, &entity) != ACRE_OK ||
        acre_scene_commit(scene) != ACRE_OK ||
        acre_entity_world_matrix(scene, entity, matrix) != ACRE_OK) {
        return false;
    }
    acre_scene_destroy(scene);
    // q p q*, with q = (v, w): p + 2 v x (v x p + w p), the same formula for either hand.
    const float *const v = outer->rotation, w = v[3];
    float p[3], t[3];
    for (int k = 0; k < 3; k++) {
        p[k] = point[k] * outer->scale[k];
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        t[k] = (v[a] * p[b] - v[b] * p[a]) + w * p[k];
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        expected[k] = p[k] + 2 * (v[a] * t[b] - v[b] * t[a]) + outer->translation[k];
    }
    acre_z_up_point_in(hand, expected, expected);
    acre_z_up_point_in(hand, turned, point);
    for (int row = 0; row < 3; row++) {
        const float at = matrix[row] * turned[0] + matrix[4 + row] * turned[1] +
                         matrix[8 + row] * turned[2] + matrix[12 + row];
        if (fabsf(at - expected[row]) > 1e-3f) {
            return false;
        }
    }
    return true;
}

static void a_transform_moves_points_as_outside(void)
{
    test_random random = {test_seed};
    for (int round = 0; round < 200; round++) {
        acre_transform outer;
        float point[3], length = 0;
        fill(&random, outer.translation, 3);
        fill(&random, outer.scale, 3);
        fill(&random, point, 3);
        for (int k = 0; k < 4; k++) {
            outer.rotation[k] = random_float(&random, -1, 1);
            length += outer.rotation[k] * outer.rotation[k];
        }
        for (int k = 0; k < 4; k++) {
            outer.rotation[k] /= sqrtf(length);
        }
        const acre_z_up hand = hands[round % HANDS];
        CHECK(scene_agrees(hand, &outer, point));
        const acre_transform inner = acre_z_up_transform_in(hand, &outer);
        const acre_transform back = acre_z_up_transform_out(hand, &inner);
        CHECK(is_same(&back, &outer, sizeof back));
    }
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(the_up_axis_becomes_y),
        TEST(what_goes_in_comes_out_bit_for_bit),
        TEST(invalid_boxes_stay_invalid),
        TEST(a_frustum_sees_the_same_boxes),
        TEST(a_view_projection_takes_turned_points_to_the_same_place),
        TEST(shapes_touch_the_same_boxes),
        TEST(oriented_shapes_keep_their_directions),
        TEST(a_transform_moves_points_as_outside),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
