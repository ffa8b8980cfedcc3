// SPDX-License-Identifier: MIT
// test_camera_pick.c - rays, parts of the picture and projected points, beside the same in double
// from the cameras' angles and places.
#include "frustum_kinds.h"
#include "shape_internal.h"
#include "test.h"

#include <acre/camera.h>

#include "told_calls.h"

#include <float.h>
#include <string.h>

typedef struct pick_case {
    projection_kind kind;
    test_view view;
    rounded_camera rounded;
    double offset;
} pick_case;

// Every kind of projection with every clip convention, at the origin and far away from it.
static void make_case(test_random *random, uint32_t i, pick_case *out)
{
    static const double offsets[] = {0, 1e3, 1e5};
    out->kind = projection_kinds[i % PROJECTION_KIND_COUNT];
    out->offset = offsets[i / PROJECTION_KIND_COUNT / 3 % 3];
    out->view =
        random_view(random, &out->kind, all_clips[i / PROJECTION_KIND_COUNT % 3], out->offset);
    out->view.size = 1.0;
    out->rounded = round_camera(&out->view);
}

// What the rounding of the camera to floats, and of results, may move a place of the world by.
static double world_tolerance(const pick_case *c, double distance)
{
    return 1e-5 * fabs(distance) + 2e-5 + 1e-6 * c->offset;
}

static double distance_to(const double *a, const double *b)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        square += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return sqrt(square);
}

// A depth of any magnitude that the camera sees.
static double random_depth(test_random *random, const projection_kind *kind)
{
    const double t = (double)random_float(random, 0, 1);
    const double last = fmin(kind->far_distance, 1000.0 * fmax(1.0, kind->near_distance));
    return kind->is_orthographic ? kind->near_distance + t * (last - kind->near_distance)
                                 : kind->near_distance * pow(last / kind->near_distance, t);
}

// ---- rays ----

static bool is_near_ray(const pick_case *c, const acre_ray *ray, double x, double y, double depth)
{
    double point[3], along = 0.0, foot[3];
    view_point(&c->view, 2.0 * x - 1.0, 1.0 - 2.0 * y, depth, point);
    for (int k = 0; k < 3; k++) {
        along += (point[k] - (double)ray->origin[k]) * (double)ray->direction[k];
    }
    for (int k = 0; k < 3; k++) {
        foot[k] = (double)ray->origin[k] + along * (double)ray->direction[k];
    }
    return along >= -world_tolerance(c, depth) &&
           distance_to(foot, point) <= world_tolerance(c, distance_to(point, c->view.eye));
}

static void a_ray_runs_from_the_near_plane_through_its_place_to_the_far_plane(void)
{
    test_random random = {test_seed};
    uint32_t endless = 0;
    for (uint32_t i = 0; i < 20000 * test_scale; i++) {
        pick_case c;
        make_case(&random, i, &c);
        const float x = random_float(&random, -0.2f, 1.2f), y = random_float(&random, 0, 1);
        acre_ray ray;
        CHECK(acre_camera_ray(&c.rounded.camera, x, y, &ray) == ACRE_OK);
        CHECK(acre_ray_is_valid(&ray));
        CHECK(ray.half_size[0] == 0.0f && ray.half_size[1] == 0.0f && ray.half_size[2] == 0.0f);
        double start[3], end[3], size = 0.0;
        view_point(&c.view, 2.0 * (double)x - 1.0, 1.0 - 2.0 * (double)y, c.kind.near_distance,
                   start);
        const double origin[3] = {(double)ray.origin[0], (double)ray.origin[1],
                                  (double)ray.origin[2]};
        const double rounded = c.kind.is_orthographic ? c.kind.far_distance : c.kind.near_distance;
        CHECK(distance_to(origin, start) <= world_tolerance(&c, rounded));
        for (int k = 0; k < 3; k++) {
            size += (double)ray.direction[k] * (double)ray.direction[k];
        }
        CHECK(fabs(size - 1.0) < 1e-6);
        CHECK(is_near_ray(&c, &ray, (double)x, (double)y, random_depth(&random, &c.kind)));
        CHECK(isinf(ray.length) == !is_bounded(&c.kind));
        endless += isinf(ray.length) ? 1 : 0;
        if (is_bounded(&c.kind) && c.kind.far_distance < 1e4 * c.kind.near_distance) {
            view_point(&c.view, 2.0 * (double)x - 1.0, 1.0 - 2.0 * (double)y, c.kind.far_distance,
                       end);
            const double length = distance_to(start, end); // depth's rounding grows with far / near
            CHECK(fabs((double)ray.length - length) <= 2e-3 * length + 1e-6 * c.offset);
        }
    }
    CHECK(endless > 1000 * test_scale);
}

static void what_is_under_the_mouse_is_hit_by_the_ray_and_what_is_beside_it_is_not(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 20000 * test_scale; i++) {
        pick_case c;
        make_case(&random, i % (PROJECTION_KIND_COUNT * 3), &c); // at the origin
        const float x = random_float(&random, 0, 1), y = random_float(&random, 0, 1);
        const double depth = random_depth(&random, &c.kind);
        double point[3];
        view_point(&c.view, 2.0 * (double)x - 1.0, 1.0 - 2.0 * (double)y, depth, point);
        const double size = 0.001 * (1.0 + distance_to(point, c.view.eye));
        acre_aabb box, beside;
        for (int k = 0; k < 3; k++) {
            box.min[k] = (float)(point[k] - size);
            box.max[k] = (float)(point[k] + size);
            const double away = 40.0 * size * c.view.axes[0][k]; // to the camera's right
            beside.min[k] = (float)(point[k] - size + away);
            beside.max[k] = (float)(point[k] + size + away);
        }
        acre_ray ray;
        CHECK(acre_camera_ray(&c.rounded.camera, x, y, &ray) == ACRE_OK);
        CHECK(acre_ray_test_aabb(&ray, &box, NULL));
        const bool is_steep = !c.kind.is_orthographic && (c.kind.right > 2.0 || c.kind.left < -2.0);
        CHECK(is_steep || !acre_ray_test_aabb(&ray, &beside, NULL));
    }
}

// ---- points ----

static void a_point_is_projected_to_where_it_was_seen(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 40000 * test_scale; i++) {
        pick_case c;
        make_case(&random, i, &c);
        const double x = (double)random_float(&random, -0.2f, 1.2f);
        const double y = (double)random_float(&random, -0.2f, 1.2f);
        const double depth = random_depth(&random, &c.kind);
        double point[3], rounding = 0.0;
        float rounded[3], found[3];
        view_point(&c.view, 2.0 * x - 1.0, 1.0 - 2.0 * y, depth, point);
        for (int k = 0; k < 3; k++) {
            rounded[k] = (float)point[k];
            rounding = fmax(rounding, fabs((double)rounded[k] - point[k]));
        }
        rounding += 1e-6 * (c.offset + fabs(depth) + 1.0);
        CHECK(acre_camera_project(&c.rounded.camera, rounded, &found[0], &found[1], &found[2]) ==
                  ACRE_OK ||
              depth < 4.0 * rounding);
        if (c.kind.is_orthographic || depth > 16.0 * rounding) {
            const double unit = c.kind.is_orthographic ? 1.0 : depth;
            const double width = (c.kind.right - c.kind.left) * unit;
            const double height = (c.kind.top - c.kind.bottom) * unit;
            const double reach = 8.0 * (1.0 + distance_to(point, c.view.eye) / fabs(unit));
            CHECK(fabs((double)found[0] - x) <= 1e-4 + reach * rounding / width);
            CHECK(fabs((double)found[1] - y) <= 1e-4 + reach * rounding / height);
            CHECK(fabs((double)found[2] - depth) <= 4.0 * rounding + 1e-5 * fabs(depth));
        }
    }
}

static void a_point_on_a_ray_is_projected_back_to_the_ray_s_place(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 20000 * test_scale; i++) {
        pick_case c;
        make_case(&random, i % (PROJECTION_KIND_COUNT * 3), &c);
        const float x = random_float(&random, 0, 1), y = random_float(&random, 0, 1);
        acre_ray ray;
        float point[3], back[3];
        CHECK(acre_camera_ray(&c.rounded.camera, x, y, &ray) == ACRE_OK);
        const float t = 20.0f + random_float(&random, 0, fminf(ray.length, 100.0f));
        for (int k = 0; k < 3; k++) {
            point[k] = ray.origin[k] + t * ray.direction[k];
        }
        CHECK(acre_camera_project(&c.rounded.camera, point, &back[0], &back[1], &back[2]) ==
              ACRE_OK);
        const double unit = c.kind.is_orthographic ? 1.0 : (double)back[2];
        const double width = fmin(c.kind.right - c.kind.left, c.kind.top - c.kind.bottom) * unit;
        CHECK(fabs((double)back[0] - (double)x) <= 1e-4 + 1e-2 / width);
        CHECK(fabs((double)back[1] - (double)y) <= 1e-4 + 1e-2 / width);
    }
}

static void a_point_that_is_not_ahead_of_a_perspective_eye_has_no_place(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 4000 * test_scale; i++) {
        pick_case c;
        make_case(&random, i % (PROJECTION_KIND_COUNT * 3), &c);
        double point[3];
        float rounded[3], found[3] = {7, 8, 9};
        const double depth = -(double)random_float(&random, 0.1f, 100);
        view_point(&c.view, (double)random_float(&random, -1, 1),
                   (double)random_float(&random, -1, 1), depth, point);
        for (int k = 0; k < 3; k++) {
            rounded[k] = (float)point[k];
        }
        const acre_result result =
            acre_camera_project(&c.rounded.camera, rounded, &found[0], &found[1], &found[2]);
        if (c.kind.is_orthographic) {
            CHECK(result == ACRE_OK && fabs((double)found[2] - depth) < 1e-3);
        } else {
            CHECK(result == ACRE_ERROR_INVALID_ARGUMENT);
            CHECK(found[0] == 7 && found[1] == 8 && found[2] == 9);
        }
    }
}

// ---- parts of the picture ----

static void a_part_of_the_picture_holds_what_is_seen_there_and_not_what_is_beside(void)
{
    test_random random = {test_seed};
    uint32_t inside = 0, outside = 0;
    for (uint32_t i = 0; i < 6000 * test_scale; i++) {
        pick_case c;
        make_case(&random, i, &c);
        const float x_min = random_float(&random, -0.1f, 0.9f);
        const float y_min = random_float(&random, -0.1f, 0.9f);
        const float x_max = x_min + random_float(&random, 0.01f, 0.3f);
        const float y_max = y_min + random_float(&random, 0.01f, 0.3f);
        acre_frustum part;
        CHECK(acre_camera_sub_frustum(&c.rounded.camera, x_min, y_min, x_max, y_max, &part) ==
              ACRE_OK);
        for (int n = 0; n < 20; n++) {
            const bool is_aimed = n & 1;
            const float x =
                is_aimed ? random_float(&random, x_min, x_max) : random_float(&random, -0.2f, 1.3f);
            const float y =
                is_aimed ? random_float(&random, y_min, y_max) : random_float(&random, -0.2f, 1.3f);
            const double depth = random_depth(&random, &c.kind);
            const double unit = c.kind.is_orthographic ? 1.0 : depth;
            const double size = fmin(c.kind.right - c.kind.left, c.kind.top - c.kind.bottom) * unit;
            double point[3], values[6], errors[6];
            view_point(&c.view, 2.0 * (double)x - 1.0, 1.0 - 2.0 * (double)y, depth, point);
            const acre_aabb box = random_box_around(&random, point, 0.0f);
            clip_values(c.rounded.matrix, c.view.clip, point, values, errors);
            const double w = 0.5 * (values[0] + values[1]);
            const double at[2] = {0.25 * (values[0] - values[1]) / w + 0.5,
                                  0.5 - 0.25 * (values[2] - values[3]) / w};
            const double low[2] = {(double)x_min, (double)y_min};
            const double high[2] = {(double)x_max, (double)y_max};
            const double margin = 0.01 + 0.005 / size; // planes are moved outwards
            bool is_inside = values[4] > errors[4] && values[5] > errors[5], is_outside = false;
            for (int k = 0; k < 2; k++) {
                is_inside = is_inside && at[k] > low[k] + 1e-9 && at[k] < high[k] - 1e-9;
                is_outside = is_outside || at[k] < low[k] - margin || at[k] > high[k] + margin;
            }
            const bool is_kept = acre_frustum_test_aabb(&part, &box);
            CHECK(!is_inside || is_kept);
            CHECK(!is_outside || !is_kept || c.offset > 0.0);
            inside += is_inside;
            outside += is_outside;
        }
    }
    CHECK(inside > 30000 * test_scale && outside > 20000 * test_scale);
}

// Places closer to each other than clip space can tell apart near its border.
static void a_rectangle_of_any_size_gives_planes_or_is_refused(void)
{
    static const float sizes[] = {1e-45f, 1e-38f, 1e-20f, 1e-10f, 1e-6f, 1.0f, 1e10f, FLT_MAX};
    const acre_camera camera = {.view = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                                .projection = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0},
                                .clip = ACRE_CLIP_ZERO_TO_ONE};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        acre_frustum part;
        const acre_result result =
            acre_camera_sub_frustum(&camera, 0, 0, sizes[i], sizes[i], &part);
        CHECK(result == ACRE_OK || sizes[i] < 1e-6f || sizes[i] > 1e9f);
        CHECK((result == ACRE_OK) == (part.plane_count > 0));
        for (uint32_t k = 0; k < part.plane_count * 4; k++) {
            CHECK(fabsf(part.planes[k / 4][k % 4]) <= FLT_MAX);
        }
    }
}

static void the_whole_picture_is_the_camera_s_frustum(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 1000 * test_scale; i++) {
        pick_case c;
        make_case(&random, i, &c);
        acre_frustum part, whole;
        CHECK(acre_camera_sub_frustum(&c.rounded.camera, 0, 0, 1, 1, &part) == ACRE_OK);
        CHECK(acre_camera_frustum(&c.rounded.camera, &whole) == ACRE_OK);
        CHECK(part.plane_count == whole.plane_count);
        CHECK(memcmp(part.planes, whole.planes, sizeof part.planes) == 0);
    }
}

// ---- what is refused ----

static acre_camera plain_camera(void)
{
    acre_camera camera = {.view = {0}};
    if (acre_camera_perspective(&camera, 1.0f, 1.5f, 0.1f, 100, ACRE_CLIP_ZERO_TO_ONE) != ACRE_OK) {
        camera.clip = (acre_clip)0;
    }
    return camera;
}

// Whether all three functions refuse the camera and write nothing, or 0 planes.
static bool is_refused(const acre_camera *camera)
{
    acre_ray ray, before;
    acre_frustum part = {.plane_count = 7};
    float found[3] = {7, 8, 9};
    memset(&ray, 0x5a, sizeof ray);
    before = ray;
    return acre_camera_ray(camera, 0.5f, 0.5f, &ray) == ACRE_ERROR_INVALID_ARGUMENT &&
           memcmp(&ray, &before, sizeof ray) == 0 &&
           acre_camera_sub_frustum(camera, 0, 0, 1, 1, &part) == ACRE_ERROR_INVALID_ARGUMENT &&
           part.plane_count == 0 &&
           acre_camera_project(camera, (float[]){0, 0, -5}, &found[0], &found[1], &found[2]) ==
               ACRE_ERROR_INVALID_ARGUMENT &&
           found[0] == 7 && found[1] == 8 && found[2] == 9;
}

static void cameras_that_are_none_are_refused(void)
{
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    acre_camera camera = plain_camera();
    CHECK(!is_refused(&camera) && is_refused(NULL));
    for (int i = 0; i < 32 * 3; i++) {
        camera = plain_camera();
        (i < 48 ? camera.view : camera.projection)[i / 3 % 16] = wrong[i % 3];
        CHECK(is_refused(&camera));
    }
    camera = plain_camera();
    memset(camera.projection, 0, sizeof camera.projection);
    CHECK(is_refused(&camera));
    camera = plain_camera();
    memset(camera.view, 0, sizeof camera.view);
    CHECK(is_refused(&camera));
    camera = plain_camera();
    camera.clip = (acre_clip)0;
    CHECK(is_refused(&camera));
    camera.clip = (acre_clip)4;
    CHECK(is_refused(&camera));
}

static void places_that_are_none_are_refused(void)
{
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    const acre_camera camera = plain_camera();
    acre_ray ray;
    acre_frustum part;
    float found[3];
    for (int i = 0; i < 12; i++) {
        float at[4] = {0.25f, 0.25f, 0.75f, 0.75f};
        at[i / 3] = wrong[i % 3];
        part.plane_count = 7;
        CHECK(acre_camera_sub_frustum(&camera, at[0], at[1], at[2], at[3], &part) ==
              ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(part.plane_count == 0);
        CHECK(i >= 6 ||
              acre_camera_ray(&camera, at[0], at[1], &ray) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(i >= 9 || acre_camera_project(&camera, at, &found[0], &found[1], &found[2]) ==
                            ACRE_ERROR_INVALID_ARGUMENT);
    }
    const acre_result error = ACRE_ERROR_INVALID_ARGUMENT;
    CHECK(acre_camera_sub_frustum(&camera, 0.5f, 0, 0.5f, 1, &part) == error);
    CHECK(acre_camera_sub_frustum(&camera, 0, 0.75f, 1, 0.5f, &part) == error);
    CHECK(acre_camera_sub_frustum(&camera, 0, 0, 1, 1, NULL) == error);
    CHECK(acre_camera_ray(&camera, 0, 0, NULL) == error);
    const float ahead[3] = {0, 0, -5};
    CHECK(acre_camera_project(&camera, NULL, &found[0], &found[1], &found[2]) == error);
    CHECK(acre_camera_project(&camera, ahead, NULL, &found[1], &found[2]) == error);
    CHECK(acre_camera_project(&camera, ahead, &found[0], NULL, &found[2]) == error);
    CHECK(acre_camera_project(&camera, ahead, &found[0], &found[1], NULL) == error);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_ray_runs_from_the_near_plane_through_its_place_to_the_far_plane),
        TEST(what_is_under_the_mouse_is_hit_by_the_ray_and_what_is_beside_it_is_not),
        TEST(a_point_is_projected_to_where_it_was_seen),
        TEST(a_point_on_a_ray_is_projected_back_to_the_ray_s_place),
        TEST(a_point_that_is_not_ahead_of_a_perspective_eye_has_no_place),
        TEST(a_part_of_the_picture_holds_what_is_seen_there_and_not_what_is_beside),
        TEST(a_rectangle_of_any_size_gives_planes_or_is_refused),
        TEST(the_whole_picture_is_the_camera_s_frustum),
        TEST(cameras_that_are_none_are_refused),
        TEST(places_that_are_none_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
