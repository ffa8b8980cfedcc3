// SPDX-License-Identifier: MIT
// test_bench_occlusion.c - what a horizon drops from views of the city, beside an item buffer of
// its true triangles: nothing that has a pixel is lost.
#include "bench_occlusion.h"
#include "run_sight.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 480 };

typedef struct sight_sums {
    size_t seen, hidden, dropped, lost, gave_up;
} sight_sums;

// Every `stride`th view.
static bool look_at(sight_kind kind, uint32_t stride, sight_sums *sums)
{
    sight_world world;
    sight_bench bench = {0};
    char message[256];
    *sums = (sight_sums){0};
    bool is_good = sight_world_create(&world, kind, message, sizeof message) &&
                   sight_bench_create(&bench, &world, ACRE_KERNEL_DEFAULT, WIDTH);
    for (uint32_t view = 0; view < world.view_count && is_good; view += stride) {
        sight_find find;
        is_good = sight_look(&bench, &world, view, &find);
        sums->seen += find.seen;
        sums->hidden += find.found - find.seen;
        sums->dropped += find.hidden_dropped;
        sums->lost += find.lost;
        sums->gave_up += find.gave_up;
    }
    sight_bench_free(&bench);
    sight_world_free(&world);
    return is_good;
}

static void no_building_of_a_street_is_lost(void)
{
    sight_sums sums;
    CHECK(look_at(SIGHT_STREET, 1, &sums));
    CHECK(sums.lost == 0 && sums.seen > 64 * 20);
    CHECK((double)sums.dropped > 0.96 * (double)sums.hidden);
}

static void no_building_seen_from_above_is_lost(void)
{
    sight_sums sums;
    CHECK(look_at(SIGHT_AERIAL, 1, &sums));
    CHECK(sums.lost == 0 && sums.seen > 16 * 200);
}

static void nothing_in_a_house_of_three_storeys_is_lost(void)
{
    sight_sums sums;
    CHECK(look_at(SIGHT_STOREYS, 1, &sums));
    CHECK(sums.lost == 0 && sums.seen > 16 * 5);
    CHECK((double)sums.dropped > 0.99 * (double)sums.hidden);
}

// The building with the most pixels, dropped by a mistake, is met by a ray; what the horizon drops
// is not.
static void check_rays_to_dropped(const sight_world *world, const sight_bench *bench,
                                  uint8_t *marks)
{
    acre_camera camera;
    acre_frustum frustum;
    CHECK(sight_camera(world, 0, &camera) && acre_camera_frustum(&camera, &frustum) == ACRE_OK);
    const sight_check check = {&world->city,       &camera, &frustum, bench->plain,
                               bench->plain_count, marks,   8,        1};
    sight_counts counts = {0};
    uint32_t slot, largest = 0;
    for (size_t i = 0; i < bench->kept_count; i++) {
        marks[bench->kept[i]] = 1;
        largest = bench->pixels[bench->kept[i]] > bench->pixels[largest] ? bench->kept[i] : largest;
    }
    CHECK(check_sight(&check, &counts, &slot));
    CHECK(counts.dropped == bench->plain_count - bench->kept_count && counts.rays > counts.dropped);
    marks[largest] = 0;
    CHECK(!check_sight(&check, &counts, &slot) && slot == largest);
}

static void rays_find_what_is_dropped_by_mistake(void)
{
    sight_world world;
    sight_bench bench = {0};
    char message[256];
    sight_find find;
    CHECK(sight_world_create(&world, SIGHT_STREET, message, sizeof message));
    CHECK(sight_bench_create(&bench, &world, ACRE_KERNEL_DEFAULT, WIDTH));
    uint8_t *const marks = calloc(world.count, 1);
    CHECK(marks != NULL && sight_look(&bench, &world, 0, &find) && find.hidden_dropped > 0);
    check_rays_to_dropped(&world, &bench, marks);
    free(marks);
    sight_bench_free(&bench);
    sight_world_free(&world);
}

// The buffer itself: a wall before a box, and the box beside it.
static void an_item_buffer_has_the_nearest_triangle(void)
{
    static const float eye[3] = {0, 1, 10}, target[3] = {0, 1, 0}, up[3] = {0, 1, 0};
    acre_camera camera = {0};
    item_buffer buffer;
    acre_occluder wall, behind, beside;
    uint32_t pixels[3] = {0};
    CHECK(acre_camera_perspective(&camera, 1, 1, 0.1f, 100, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    CHECK(acre_camera_look_at(&camera, eye, target, up) == ACRE_OK);
    CHECK(acre_occluder_from_box(&wall, &(acre_aabb){{-1, 0, 4}, {1, 2, 5}}) == ACRE_OK);
    CHECK(acre_occluder_from_box(&behind, &(acre_aabb){{-1, 0, -5}, {1, 2, -4}}) == ACRE_OK);
    CHECK(acre_occluder_from_box(&beside, &(acre_aabb){{2.5f, 0, -5}, {4, 2, -4}}) == ACRE_OK);
    CHECK(item_buffer_create(&buffer, 256, 256));
    item_buffer_begin(&buffer, &camera);
    item_buffer_draw_prism(&buffer, 1, &behind);
    item_buffer_draw_prism(&buffer, 0, &wall);
    item_buffer_draw_prism(&buffer, 2, &beside);
    item_buffer_count(&buffer, pixels);
    item_buffer_free(&buffer);
    // The wall's front is 2 by 2 m at 5 m; the picture is 2 tan 0.5 wide at 1 m.
    const double scale = 256 / (2 * tan(0.5));
    CHECK(fabs((double)pixels[0] - 4 * scale * scale / 25) < 200);
    CHECK(pixels[1] == 0 && pixels[2] > 400);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(an_item_buffer_has_the_nearest_triangle),
        TEST(rays_find_what_is_dropped_by_mistake),
        TEST(no_building_of_a_street_is_lost),
        TEST(no_building_seen_from_above_is_lost),
        TEST(nothing_in_a_house_of_three_storeys_is_lost),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
