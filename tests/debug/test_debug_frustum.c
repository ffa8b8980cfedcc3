// SPDX-License-Identifier: MIT
// test_debug_frustum.c - the edges of convex volumes as lines.
#include <acre/debug_draw.h>

#include "test.h"

#include <math.h>

enum { LINE_ROOM = 256 };

typedef struct line_list {
    float from[LINE_ROOM][3], to[LINE_ROOM][3];
    uint32_t rgba[LINE_ROOM];
    uint32_t count;
} line_list;

static void add_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    line_list *const list = user;
    for (int k = 0; k < 3 && list->count < LINE_ROOM; k++) {
        list->from[list->count][k] = a[k];
        list->to[list->count][k] = b[k];
    }
    list->rgba[list->count < LINE_ROOM ? list->count : 0] = rgba;
    list->count += list->count < LINE_ROOM;
}

static uint32_t draw(line_list *list, const acre_frustum *frustum, float reach)
{
    const float middle[3] = {0.0f, 0.0f, 0.0f};
    const acre_debug_draw to = {.user = list, .line = add_line};
    list->count = 0;
    return acre_debug_draw_frustum(&to, frustum, middle, reach, 0x11223344u);
}

static float plane_distance(const float *plane, const float *p)
{
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3];
}

// An edge lies on two planes and outside of none.
static bool is_edge(const acre_frustum *frustum, const float *from, const float *to, float within)
{
    uint32_t on = 0;
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        const float a = plane_distance(frustum->planes[i], from);
        const float b = plane_distance(frustum->planes[i], to);
        if (a < -within || b < -within) {
            return false;
        }
        on += fabsf(a) <= within && fabsf(b) <= within;
    }
    return on >= 2;
}

static float length(const float *from, const float *to)
{
    return sqrtf((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]) +
                 (to[2] - from[2]) * (to[2] - from[2]));
}

// 45 degrees to each side, from 1 to 10 along -z.
static const acre_frustum pyramid = {{{0.70710678f, 0, -0.70710678f, 0},
                                      {-0.70710678f, 0, -0.70710678f, 0},
                                      {0, 0.70710678f, -0.70710678f, 0},
                                      {0, -0.70710678f, -0.70710678f, 0},
                                      {0, 0, -1, -1},
                                      {0, 0, 1, 10}},
                                     6};

static void a_camera_s_frustum_has_twelve_edges(void)
{
    line_list lines;
    CHECK(draw(&lines, &pyramid, 1000.0f) == 12 && lines.count == 12);
    float sum = 0.0f;
    for (uint32_t i = 0; i < lines.count; i++) {
        CHECK(is_edge(&pyramid, lines.from[i], lines.to[i], 1e-3f));
        CHECK(lines.rgba[i] == 0x11223344u);
        sum += length(lines.from[i], lines.to[i]);
    }
    // Near and far squares, and four edges of 9 sqrt(3).
    CHECK(fabsf(sum - (4.0f * 2.0f + 4.0f * 20.0f + 4.0f * 9.0f * sqrtf(3.0f))) < 0.1f);
}

static void planes_that_stand_twice_or_cut_nothing_add_no_edges(void)
{
    acre_frustum more = pyramid;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++) {
            more.planes[more.plane_count][k] = pyramid.planes[i][k] * 3.0f;
        }
        more.plane_count++;
    }
    const float far_away[4] = {1, 0, 0, 500}, through_an_edge[4] = {0, 0, -1, 1e-9f};
    for (int k = 0; k < 4; k++) {
        more.planes[more.plane_count][k] = far_away[k];
        more.planes[more.plane_count + 1][k] = through_an_edge[k];
    }
    more.plane_count += 2;
    line_list lines;
    CHECK(draw(&lines, &more, 1000.0f) == 12);
}

static void endless_volumes_end_at_the_reach(void)
{
    acre_frustum endless = pyramid;
    endless.plane_count = 5; // no far plane
    line_list lines;
    CHECK(draw(&lines, &endless, 100.0f) == 12);
    for (uint32_t i = 0; i < lines.count; i++) {
        for (int k = 0; k < 3; k++) {
            CHECK(fabsf(lines.from[i][k]) < 100.01f && fabsf(lines.to[i][k]) < 100.01f);
        }
    }
    const acre_frustum everything = {.plane_count = 0};
    CHECK(draw(&lines, &everything, 100.0f) == 12); // the cube itself
    for (uint32_t i = 0; i < lines.count; i++) {
        CHECK(fabsf(length(lines.from[i], lines.to[i]) - 200.0f) < 0.1f);
    }
}

static void empty_volumes_and_bad_arguments_draw_nothing(void)
{
    acre_frustum empty = pyramid;
    empty.planes[5][3] = -10.0f; // the far plane behind the eye
    line_list lines;
    CHECK(draw(&lines, &empty, 1000.0f) == 0);
    CHECK(draw(&lines, &pyramid, 0.0f) == 0 && draw(&lines, &pyramid, (float)NAN) == 0);
    const float middle[3] = {0.0f, 0.0f, 0.0f}, nowhere[3] = {0.0f, (float)INFINITY, 0.0f};
    const acre_debug_draw to = {.user = &lines, .line = add_line}, without_lines = {.user = &lines};
    CHECK(acre_debug_draw_frustum(NULL, &pyramid, middle, 10.0f, 0) == 0);
    CHECK(acre_debug_draw_frustum(&without_lines, &pyramid, middle, 10.0f, 0) == 0);
    CHECK(acre_debug_draw_frustum(&to, NULL, middle, 10.0f, 0) == 0);
    CHECK(acre_debug_draw_frustum(&to, &pyramid, NULL, 10.0f, 0) == 0);
    CHECK(acre_debug_draw_frustum(&to, &pyramid, nowhere, 10.0f, 0) == 0);
    acre_frustum broken = pyramid; // a plane with NaN hides nothing, as in queries
    broken.planes[5][0] = (float)NAN;
    CHECK(draw(&lines, &broken, 100.0f) == 12);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_camera_s_frustum_has_twelve_edges),
        TEST(planes_that_stand_twice_or_cut_nothing_add_no_edges),
        TEST(endless_volumes_end_at_the_reach),
        TEST(empty_volumes_and_bad_arguments_draw_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
