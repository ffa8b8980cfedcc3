// SPDX-License-Identifier: MIT
// test_flight.c - the camera's path is closed and smooth, and its low parts are over streets.
#include "test.h"

#include "flight.h"

#include <math.h>
#include <string.h>

static const acre_aabb world = {{-1000, 0, -1000}, {1000, 150, 1000}};

// Streets every 200 meters, each in pieces of 50.
static size_t make_grid(street_segment *out)
{
    size_t count = 0;
    for (int line = -4; line <= 4; line++) {
        for (int piece = -16; piece < 16; piece++) {
            const float at = 200.0f * (float)line, from = 50.0f * (float)piece;
            out[count++] = (street_segment){{from, 0, at}, {from + 50.0f, 0, at}};
            out[count++] = (street_segment){{at, 0, from}, {at, 0, from + 50.0f}};
        }
    }
    return count;
}

static float distance(const float *a, const float *b)
{
    return hypotf(hypotf(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
}

// Checks one round; returns how many frames were at eye height.
static int fly(const flight *path, float *longest_step, float *sharpest_turn)
{
    view_pose last, pose;
    int low = 0;
    *longest_step = *sharpest_turn = 0.0f;
    flight_pose(path, FLIGHT_FRAMES - 1, &last);
    for (uint32_t frame = 0; frame < FLIGHT_FRAMES; frame++) {
        flight_pose(path, frame, &pose);
        *longest_step = fmaxf(*longest_step, distance(last.eye, pose.eye));
        float dot = 0.0f;
        for (int k = 0; k < 3; k++) {
            dot += (pose.target[k] - pose.eye[k]) * (last.target[k] - last.eye[k]);
        }
        dot /= distance(pose.eye, pose.target) * distance(last.eye, last.target);
        *sharpest_turn = fmaxf(*sharpest_turn, acosf(fminf(dot, 1.0f)));
        low += pose.eye[1] < 3.0f;
        last = pose;
    }
    return low;
}

static void the_path_is_closed_and_smooth_and_visits_streets_and_roofs(void)
{
    static street_segment grid[1024];
    street_graph streets;
    flight path;
    CHECK(streets_build(&streets, grid, make_grid(grid), 0.5f));
    CHECK(flight_plan(&path, &streets, &world));
    float step, turn;
    const int low = fly(&path, &step, &turn);
    const float total = path.lengths[path.point_count * 32];
    CHECK(total > 3000.0f && total < 12000.0f);
    CHECK(step < 1.05f * total / FLIGHT_FRAMES);
    CHECK(turn < 0.35f); // radians a frame, in the tightest loop between passes
    CHECK(low > FLIGHT_FRAMES / 10 && low < FLIGHT_FRAMES * 8 / 10);
    flight_free(&path);
    streets_free(&streets);
}

static void below_the_roofs_the_camera_is_over_a_street_and_above_its_surface(void)
{
    static street_segment grid[1024];
    street_graph streets;
    flight path;
    CHECK(streets_build(&streets, grid, make_grid(grid), 0.5f));
    CHECK(flight_plan(&path, &streets, &world));
    float highest = 0.0f;
    for (uint32_t frame = 0; frame < FLIGHT_FRAMES; frame++) {
        view_pose pose;
        flight_pose(&path, frame, &pose);
        const float x = remainderf(pose.eye[0], 200.0f), z = remainderf(pose.eye[2], 200.0f);
        CHECK(pose.eye[1] >= 1.69f);
        CHECK(pose.eye[1] > world.max[1] || fminf(fabsf(x), fabsf(z)) < 1.0f);
        highest = fmaxf(highest, pose.eye[1]);
    }
    CHECK(highest > world.max[1]);
    flight_free(&path);
    streets_free(&streets);
}

static void without_streets_the_path_is_a_ring_inside_the_world(void)
{
    const street_graph none = {0};
    flight path;
    float step, turn;
    CHECK(flight_plan(&path, &none, &world));
    const int low = fly(&path, &step, &turn);
    CHECK(low > 0 && turn < 0.25f);
    for (uint32_t frame = 0; frame < FLIGHT_FRAMES; frame++) {
        view_pose pose;
        flight_pose(&path, frame, &pose);
        CHECK(fabsf(pose.eye[0]) < 1000.0f && fabsf(pose.eye[2]) < 1000.0f);
    }
    flight_free(&path);
}

static void any_world_gives_finite_poses(void)
{
    const street_graph none = {0};
    const acre_aabb point = {{5, 5, 5}, {5, 5, 5}};
    const acre_aabb huge = {{-1e9f, 0, -1e9f}, {1e9f, 1e9f, 1e9f}};
    const acre_aabb worlds[2] = {point, huge};
    for (int i = 0; i < 2; i++) {
        flight path;
        CHECK(flight_plan(&path, &none, &worlds[i]));
        for (uint32_t frame = 0; frame < 1300; frame++) {
            view_pose pose;
            flight_pose(&path, frame, &pose);
            for (int k = 0; k < 3; k++) {
                CHECK(isfinite(pose.eye[k]) && isfinite(pose.target[k]));
            }
            CHECK(hypotf(pose.target[0] - pose.eye[0], pose.target[2] - pose.eye[2]) > 0.0f);
        }
        flight_free(&path);
    }
    flight path;
    const acre_aabb empty = acre_aabb_empty();
    const acre_aabb infinite = {{-INFINITY, 0, 0}, {1, 1, 1}};
    CHECK(!flight_plan(&path, &none, &empty));
    CHECK(!flight_plan(&path, &none, &infinite));
}

static void a_frame_is_the_same_in_every_flight(void)
{
    static street_segment grid[1024];
    street_graph streets;
    flight a, b;
    CHECK(streets_build(&streets, grid, make_grid(grid), 0.5f));
    CHECK(flight_plan(&a, &streets, &world) && flight_plan(&b, &streets, &world));
    for (uint32_t frame = 0; frame < FLIGHT_FRAMES; frame += 7) {
        view_pose first, second;
        flight_pose(&a, frame, &first);
        flight_pose(&b, frame + FLIGHT_FRAMES, &second);
        CHECK(memcmp(&first, &second, sizeof first) == 0);
    }
    flight_free(&a);
    flight_free(&b);
    streets_free(&streets);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_path_is_closed_and_smooth_and_visits_streets_and_roofs),
        TEST(below_the_roofs_the_camera_is_over_a_street_and_above_its_surface),
        TEST(without_streets_the_path_is_a_ring_inside_the_world),
        TEST(any_world_gives_finite_poses),
        TEST(a_frame_is_the_same_in_every_flight),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
