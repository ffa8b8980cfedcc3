// SPDX-License-Identifier: MIT
// test_horizon.c - horizons one clause at a time: what is left out, slabs, walls on slabs, thin
// walls, regions, near radius; broken occluders and boxes; kernels that agree bit for bit; memory.
// campaigns/occluded_rays.c asks whether anything visible is ever hidden.
#include "failing_allocator.h"
#include "horizon_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const float at_eye[3] = {0, 1.75f, 0};

static acre_occluder occluder_of(float x0, float y0, float z0, float x1, float y1, float z1)
{
    acre_occluder out = {.point_count = 0};
    const acre_aabb box = {{x0, y0, z0}, {x1, y1, z1}};
    EXPECT(acre_occluder_from_box(&out, &box) == ACRE_OK);
    return out;
}

static acre_aabb cube(float x, float y, float z, float half)
{
    return (acre_aabb){{x - half, y - half, z - half}, {x + half, y + half, z + half}};
}

static acre_horizon *make_horizon(const acre_horizon_def *def, const float *region,
                                  float near_radius)
{
    acre_horizon *horizon = NULL;
    EXPECT(acre_horizon_create(def, &horizon) == ACRE_OK);
    EXPECT(acre_horizon_begin(horizon, at_eye, region, near_radius) == ACRE_OK);
    return horizon;
}

// Whether a horizon of these occluders hides a box.
static bool hides(const float *region, const acre_occluder *occluders, int count, acre_aabb box)
{
    acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, region, 0);
    for (int i = 0; i < count; i++) {
        (void)acre_horizon_add(horizon, &occluders[i]);
    }
    const bool is_hidden = acre_horizon_hides(horizon, &box);
    acre_horizon_destroy(horizon);
    return is_hidden;
}

// Whether a horizon takes an occluder.
static bool takes(const float *region, float near_radius, const acre_occluder *occluder)
{
    acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, region, near_radius);
    const bool is_taken = acre_horizon_add(horizon, occluder);
    acre_horizon_destroy(horizon);
    return is_taken;
}

// ---- what is refused ----

static void broken_arguments_are_refused(void)
{
    static const acre_horizon_def broken[] = {{.columns = 8},
                                              {.columns = 24},
                                              {.columns = 4112},
                                              {.least_angle = -1},
                                              {.least_angle = NAN},
                                              {.least_angle = INFINITY},
                                              {.kernel = ACRE_KERNEL_COUNT_}};
    const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;
    acre_horizon *horizon = NULL;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        CHECK(acre_horizon_create(&broken[i], &horizon) == invalid && horizon == NULL);
    }
    CHECK(acre_horizon_create(NULL, &horizon) == invalid);
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, NULL) == invalid);
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    static const float bad[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 9; i++) {
        float size[3] = {0, 0, 0}, eye[3] = {0, 0, 0};
        size[i / 3] = eye[i / 3] = bad[i % 3];
        CHECK(acre_horizon_begin(horizon, at_eye, size, 0) == invalid);
        CHECK(acre_horizon_begin(horizon, eye, NULL, 0) == (i % 3 < 2 ? invalid : ACRE_OK));
        CHECK(acre_horizon_begin(horizon, at_eye, NULL, bad[i % 3]) == invalid);
    }
    CHECK(acre_horizon_begin(NULL, at_eye, NULL, 0) == invalid);
    CHECK(acre_horizon_begin(horizon, NULL, NULL, 0) == invalid);
    const acre_occluder wall = occluder_of(10, 0, -9, 11, 9, 9);
    const acre_aabb box = cube(20, 1.75f, 0, 0.5f);
    CHECK(!acre_horizon_add(NULL, &wall) && !acre_horizon_add(horizon, NULL));
    CHECK(!acre_horizon_hides(NULL, &box) && !acre_horizon_hides(horizon, NULL));
    CHECK(acre_horizon_test(NULL, &box, 1, NULL) == 1); // nothing hides it
    acre_horizon_destroy(horizon);
    acre_horizon_destroy(NULL);
}

// Builds that do not watch for it let such a call read.
static void a_horizon_that_another_call_uses_hides_nothing(void)
{
    acre_horizon *horizon;
    const acre_occluder wall = occluder_of(10, 0, -9, 11, 9, 9);
    const acre_aabb box = cube(20, 1.75f, 0, 0.5f);
    const float eye[3] = {0, 1.75f, 0};
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    CHECK(acre_horizon_begin(horizon, eye, NULL, 0) == ACRE_OK && acre_horizon_add(horizon, &wall));
    CHECK(acre_horizon_hides(horizon, &box) && acre_horizon_test(horizon, &box, 1, NULL) == 0);
    CHECK(access_begin_write(&horizon->access));
    CHECK(acre_horizon_hides(horizon, &box) == !ACCESS_IS_WATCHED);
    CHECK(acre_horizon_test(horizon, &box, 1, NULL) == (size_t)ACCESS_IS_WATCHED);
    access_end_write(&horizon->access);
    CHECK(acre_horizon_test(horizon, &box, 1, NULL) == 0);
    acre_horizon_destroy(horizon);
}

static void nothing_is_hidden_before_the_first_begin_nor_from_very_far(void)
{
    const acre_occluder wall = occluder_of(10, 0, -9, 11, 9, 9);
    const acre_aabb behind = cube(20, 1.75f, 0, 0.5f);
    acre_horizon *horizon = NULL;
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    CHECK(!acre_horizon_add(horizon, &wall) && !acre_horizon_hides(horizon, &behind));
    CHECK(acre_horizon_begin(horizon, at_eye, NULL, 0) == ACRE_OK);
    CHECK(acre_horizon_add(horizon, &wall) && acre_horizon_hides(horizon, &behind));
    const float far[3] = {2e12f, 0, 0};
    CHECK(acre_horizon_begin(horizon, far, NULL, 0) == ACRE_OK);
    CHECK(!acre_horizon_add(horizon, &wall) && !acre_horizon_hides(horizon, &behind));
    const float beyond[3] = {1.1e12f, 0, 0}; // this one is near enough, the eye is not
    const acre_occluder huge = occluder_of(5e11f, -INFINITY, -9e11f, 9e11f, 9e11f, 9e11f);
    CHECK(acre_horizon_begin(horizon, beyond, NULL, 0) == ACRE_OK);
    CHECK(!acre_horizon_add(horizon, &huge));
    acre_horizon_destroy(horizon);
}

// ---- walls ----

static void a_wall_hides_what_is_behind_it_on_each_side(void)
{
    for (int side = 0; side < 4; side++) {
        const float s = side < 2 ? 1 : -1;
        const bool is_x = side % 2 == 0;
        const acre_occluder wall =
            is_x ? occluder_of(s > 0 ? 10 : -11, -INFINITY, -10, s > 0 ? 11 : -10, 5, 10)
                 : occluder_of(-10, -INFINITY, s > 0 ? 10 : -11, 10, 5, s > 0 ? 11 : -10);
        const acre_aabb places[] = {
            is_x ? cube(20 * s, 1, 0, 1) : cube(0, 1, 20 * s, 1),       // behind
            is_x ? cube(20 * s, 1, 17, 1) : cube(17, 1, 20 * s, 1),     // behind, near its end
            is_x ? cube(20 * s, -40, 0, 1) : cube(0, -40, 20 * s, 1),   // behind, below the ground
            is_x ? cube(20 * s, 9, 0, 1) : cube(0, 9, 20 * s, 1),       // over it
            is_x ? cube(20 * s, 1, 21, 1) : cube(21, 1, 20 * s, 1),     // beside it
            is_x ? cube(8 * s, 1, 0, 1) : cube(0, 1, 8 * s, 1),         // in front of it
            is_x ? cube(10.5f * s, 1, 0, 1) : cube(0, 1, 10.5f * s, 1), // in it, and before it
            is_x ? cube(-20 * s, 1, 0, 1) : cube(0, 1, -20 * s, 1)};    // on the other side
        for (int i = 0; i < 8; i++) {
            CHECK(hides(NULL, &wall, 1, places[i]) == (i < 3));
        }
    }
}

// Seen from its middle, it covers columns of three of the four sides.
static void a_long_wall_hides_on_three_sides(void)
{
    for (int side = 0; side < 4; side++) {
        const float s = side < 2 ? 1 : -1;
        const bool is_x = side % 2 == 0;
        const float near_end = s > 0 ? 10 : -11;
        const acre_occluder wall = is_x
                                       ? occluder_of(near_end, -INFINITY, -40, near_end + 1, 5, 40)
                                       : occluder_of(-40, -INFINITY, near_end, 40, 5, near_end + 1);
        static const float along[] = {0, 38, -38, 70, -70}; // the last two see past its ends
        for (int i = 0; i < 5; i++) {
            const acre_aabb place =
                is_x ? cube(15 * s, 1, along[i], 1) : cube(along[i], 1, 15 * s, 1);
            CHECK(hides(NULL, &wall, 1, place) == (i < 3));
        }
    }
}

static void both_directions_of_corners_are_the_same(void)
{
    const acre_occluder wall = occluder_of(10, 0, -9, 11, 9, 9);
    acre_occluder turned = wall;
    for (int k = 0; k < 4; k++) {
        memcpy(turned.points[k], wall.points[3 - k], sizeof turned.points[k]);
    }
    acre_horizon *const a = make_horizon(&(acre_horizon_def){0}, NULL, 0);
    acre_horizon *const b = make_horizon(&(acre_horizon_def){0}, NULL, 0);
    CHECK(acre_horizon_add(a, &wall) && acre_horizon_add(b, &turned));
    CHECK(memcmp(a->rows.data, b->rows.data, 3 * 2048 * sizeof(float)) == 0);
    acre_horizon_destroy(a);
    acre_horizon_destroy(b);
}

static void an_occluder_does_not_hide_its_own_box(void)
{
    for (int i = 0; i < 200; i++) {
        const float far = i < 100 ? 0 : 1e5f, x = far + 3 + 0.37f * (float)i;
        const float eye[3] = {far, 2, 0};
        const acre_occluder box = occluder_of(x, i % 3 ? 0 : -INFINITY, -5, x + 4, 6, 5);
        acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, NULL, 0);
        CHECK(acre_horizon_begin(horizon, eye, NULL, 0) == ACRE_OK);
        CHECK(acre_horizon_add(horizon, &box));
        const acre_aabb own = {{x, 0, -5}, {x + 4, 6, 5}};
        const acre_aabb front = {{x, 1, -1}, {nextafterf(x, INFINITY), 2, 1}};
        CHECK(!acre_horizon_hides(horizon, &own) && !acre_horizon_hides(horizon, &front));
        acre_horizon_destroy(horizon);
    }
}

static void at_most_max_occluders_are_taken_and_no_small_ones(void)
{
    const acre_horizon_def def = {.max_occluders = 2, .least_angle = 1e-2f};
    acre_horizon *const horizon = make_horizon(&def, NULL, 0);
    const acre_occluder far = occluder_of(100, 0, -2, 101, 4, 2);
    CHECK(!acre_horizon_add(horizon, &far)); // 16 m2 at 100 m
    for (int i = 0; i < 4; i++) {
        const float x = 40 - 10 * (float)i; // nearer and nearer
        const acre_occluder wall = occluder_of(x, 0, -9, x + 1, 9, 9);
        CHECK(acre_horizon_add(horizon, &wall) == (i < 2));
    }
    CHECK(acre_horizon_begin(horizon, at_eye, NULL, 0) == ACRE_OK); // counted anew
    const acre_occluder wall = occluder_of(10, 0, -9, 11, 9, 9);
    CHECK(acre_horizon_add(horizon, &wall));
    acre_horizon_destroy(horizon);
}

static void what_the_eye_is_over_or_in_is_visible(void)
{
    const acre_occluder court[] = {
        occluder_of(5, -INFINITY, -9, 7, 9, 9), occluder_of(-7, -INFINITY, -9, -5, 9, 9),
        occluder_of(-9, -INFINITY, 5, 9, 9, 7), occluder_of(-9, -INFINITY, -7, 9, 9, -5)};
    CHECK(hides(NULL, court, 4, cube(20, 1, 20, 1)) && hides(NULL, court, 4, cube(-20, 1, 0, 1)));
    CHECK(!hides(NULL, court, 4, cube(0, -9, 0, 1)) &&
          !hides(NULL, court, 4, cube(0.9f, -9, 0.9f, 1)));
    CHECK(!hides(NULL, court, 4, cube(0, 1.75f, 0, 1)) &&
          !hides(NULL, court, 4, cube(0, 20, 0, 1)));
    CHECK(!hides(NULL, court, 4, cube(0, -900, 0, 300)));
}

// Two intervals with a gap: the nearer to the level of the eye remains, in either order.
static void a_gap_between_two_occluders_stays_open(void)
{
    const acre_occluder sill = occluder_of(10, 0, -9, 11, 1, 9);
    const acre_occluder lintel = occluder_of(10, 2.5f, -9, 11, 9, 9);
    const acre_occluder up[] = {sill, lintel}, down[] = {lintel, sill};
    const acre_aabb in_gap = cube(20, 1.75f, 0, 0.1f);
    const acre_aabb over = cube(20, 10, 0, 1), under = {{20, -0.9f, -1}, {21, -0.2f, 1}};
    CHECK(!hides(NULL, up, 2, in_gap) && !hides(NULL, down, 2, in_gap));
    CHECK(hides(NULL, &lintel, 1, over) && hides(NULL, &sill, 1, under));
    for (int order = 0; order < 2; order++) {
        const acre_occluder *const both = order ? up : down;
        // Both are 0.75 m from the eye's level: what came first remains.
        CHECK(hides(NULL, both, 2, over) != hides(NULL, both, 2, under));
    }
}

// A low wall that stands joins a high one behind it that does not reach as far down.
static void what_stands_joins_what_rises_above_it(void)
{
    const acre_occluder high = occluder_of(20, 0, -20, 21, 30, 20);
    const acre_occluder low = occluder_of(10, -INFINITY, -20, 11, 3, 20);
    const acre_occluder both[] = {high, low}, turned[] = {low, high};
    for (int order = 0; order < 2; order++) {
        CHECK(hides(NULL, order ? turned : both, 2, cube(30, -5, 0, 0.5f)));
        CHECK(hides(NULL, order ? turned : both, 2, cube(30, 9, 0, 0.5f)));
    }
}

// The margins of a wall straight ahead are 2^-19 of its line, and 2^-20 of its slope and of a box's
// slope. A box that comes nearer to the outline than their sum is visible.
static void a_box_within_the_margins_is_visible(void)
{
    const float eye[3] = {0, 0, 0};
    const acre_occluder walls[] = {occluder_of(16, -INFINITY, -16, 17, 8, 16),
                                   occluder_of(16, -INFINITY, -16, 17, -8, 16),
                                   occluder_of(16, 8, -16, 17, 24, 16)};
    for (int i = 0; i < 4; i++) { // the top, a roof's far edge, an underside, and the depth
        acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, NULL, 0);
        CHECK(acre_horizon_begin(horizon, eye, NULL, 0) == ACRE_OK);
        CHECK(acre_horizon_add(horizon, &walls[i % 3]));
        for (int is_beyond = 0; is_beyond < 2; is_beyond++) {
            const float part = is_beyond ? 1.2f : 0.8f;
            const float all = part * 0x1p-18f, deep = part * 1.5f * 0x1p-19f;
            const float far = i == 0 ? 32 : 34; // twice as far as entry or exit
            acre_aabb box = {{far, -20, -1}, {40, 16 * (1 - all), 1}};
            if (i == 1) {
                box = (acre_aabb){{20, -60, -1}, {far, -16 * (1 + all), 1}};
            } else if (i == 2) {
                box = (acre_aabb){{20, 16 * (1 + all), -1}, {far, 20, 1}};
            } else if (i == 3) {
                box = (acre_aabb){{16 * (1 + deep), -1, -1}, {20, 1, 1}};
            }
            CHECK(acre_horizon_hides(horizon, &box) == is_beyond);
        }
        acre_horizon_destroy(horizon);
    }
}

// ---- near ----

static void what_comes_within_the_near_radius_is_left_out(void)
{
    acre_occluder wall = occluder_of(1, 0, -9, 5, 9, 9);
    wall.flags = ACRE_OCCLUDER_TWO_SIDED;
    const float region[3] = {0.5f, 0, 0}, beside[3] = {0, 0.5f, 0};
    CHECK(takes(NULL, 0.99f, &wall) && !takes(NULL, 1.01f, &wall));
    CHECK(takes(region, 0.49f, &wall) && !takes(region, 0.51f, &wall));
    CHECK(takes(beside, 0.99f, &wall));
    acre_occluder deck = occluder_of(-5, 0, -5, 5, 0.75f, 5); // 1 m below the eye
    deck.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(takes(NULL, 0.99f, &deck) && !takes(NULL, 1.01f, &deck));
    CHECK(takes(beside, 0.49f, &deck) && !takes(beside, 0.51f, &deck));
    acre_occluder roof = occluder_of(-5, 2.75f, -5, 5, 4, 5); // 1 m above it
    roof.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(takes(NULL, 0.99f, &roof) && !takes(NULL, 1.01f, &roof));
    CHECK(takes(beside, 0.49f, &roof) && !takes(beside, 0.51f, &roof));
}

static void an_eye_in_the_box_of_a_one_sided_object_sees_through_it(void)
{
    // A rhombus: the eye is in a corner of its bounding box, outside of the prism.
    acre_occluder prism = {
        .points = {{-1, 8}, {7, 0}, {15, 8}, {7, 16}}, .point_count = 4, .bottom = 0, .top = 9};
    CHECK(!takes(NULL, 0, &prism));
    prism.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(takes(NULL, 0, &prism));
    // The gap between a facade and the prism in it, and the other wing of the house: the box of the
    // object holds the eye, that of the prism does not.
    acre_occluder inner = occluder_of(3, 0, -9, 9, 9, 9);
    const acre_aabb house = {{-20, 0, -20}, {20, 9, 20}}, next_door = {{0.15f, 0, -9}, {9, 9, 9}};
    acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, NULL, 0.1f);
    CHECK(!acre_horizon_add_of(horizon, &inner, &house));
    CHECK(acre_horizon_add_of(horizon, &inner, &next_door)); // 5 cm beyond the near radius
    acre_horizon_destroy(horizon);
    acre_horizon *const nearer = make_horizon(&(acre_horizon_def){0}, NULL, 0.2f);
    CHECK(!acre_horizon_add_of(nearer, &inner, &next_door)); // the near plane cuts the facade
    inner.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(acre_horizon_add_of(nearer, &inner, &house));
    acre_horizon_destroy(nearer);
    const float region[3] = {0.1f, 0, 0};
    acre_horizon *const anywhere = make_horizon(&(acre_horizon_def){0}, region, 0.1f);
    inner.flags = 0;
    CHECK(!acre_horizon_add_of(anywhere, &inner, &next_door)); // by region and near radius
    acre_horizon_destroy(anywhere);
}

static void who_is_in_an_occluder_sees_through_it(void)
{
    acre_occluder around = occluder_of(-9, 0, -9, 9, 9, 9);
    CHECK(!takes(NULL, 0, &around));
    around.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(!takes(NULL, 0, &around));
    acre_occluder touching = occluder_of(0, 0, -9, 9, 9, 9);
    touching.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(!takes(NULL, 0, &touching));
}

// ---- slabs ----

static const float small_region[3] = {0.1f, 0.1f, 0.1f};

static void a_slab_hides_what_is_below_or_above_it(void)
{
    const acre_occluder floor = occluder_of(-10, -0.2f, -10, 10, 0, 10);
    const acre_occluder ceiling = occluder_of(-10, 3, -10, 10, 3.2f, 10);
    for (int i = 0; i < 2; i++) { // as thin for a region
        const float *const region = i ? small_region : NULL;
        CHECK(hides(region, &floor, 1, cube(3, -2, 3, 0.5f)));
        CHECK(!hides(region, &floor, 1, cube(3, 0, 3, 0.5f)));   // sticks out of it
        CHECK(!hides(region, &floor, 1, cube(30, -1, 3, 0.5f))); // beyond its edge
        CHECK(hides(region, &ceiling, 1, cube(3, 5, 3, 0.5f)));
        CHECK(!hides(region, &ceiling, 1, cube(30, 4, 3, 0.5f)));
        CHECK(!hides(region, &ceiling, 1, cube(3, 3, 3, 0.5f)));
    }
}

static void of_two_slabs_the_nearer_counts_in_either_order(void)
{
    const acre_occluder floors[] = {occluder_of(-10, -0.2f, -10, 10, 0, 10),
                                    occluder_of(-10, -3.2f, -10, 10, -3, 10)};
    const acre_occluder ceilings[] = {occluder_of(-10, 3, -10, 10, 3.2f, 10),
                                      occluder_of(-10, 6, -10, 10, 6.2f, 10)};
    for (int i = 0; i < 2; i++) {
        const float *const region = i ? small_region : NULL;
        const acre_occluder down[] = {floors[1], floors[0]}, up[] = {ceilings[1], ceilings[0]};
        CHECK(hides(region, floors, 2, cube(3, -2, 3, 0.5f)));
        CHECK(hides(region, down, 2, cube(3, -2, 3, 0.5f)));
        CHECK(hides(region, ceilings, 2, cube(3, 5, 3, 0.5f)));
        CHECK(hides(region, up, 2, cube(3, 5, 3, 0.5f)));
    }
}

static void a_wall_on_a_slab_leaves_no_gap(void)
{
    const acre_occluder room[] = {
        occluder_of(-10, -0.2f, -10, 10, 0, 10), occluder_of(-10, 3, -10, 10, 3.2f, 10),
        occluder_of(5, 0, -9, 5.1f, 3, 9),               // thinner than twice the region
        occluder_of(5, 0, -9, 7, 3, 9)};                 // thicker
    const acre_aabb next_room = {{6, 0, -1}, {8, 3, 1}}; // from floor to ceiling
    const acre_aabb outside = {{12, -30, -1}, {13, 40, 1}};
    for (int i = 0; i < 2; i++) {
        const float *const region = i ? small_region : NULL;
        CHECK(hides(region, room, 3, next_room));
        CHECK(hides(region, room, 3, outside));
        const acre_occluder thick[] = {room[0], room[1], room[3]};
        CHECK(hides(region, thick, 3, outside));
        CHECK(!hides(region, room + 2, 1, outside)); // the wall alone: one sees past its foot
        acre_occluder short_floor[3] = {occluder_of(-10, -0.2f, -10, 4, 0, 10), room[1], room[2]};
        CHECK(!hides(region, short_floor, 3, outside)); // the floor ends before the wall
        acre_occluder over_sill[3] = {room[0], room[1], occluder_of(5, 0.3f, -9, 5.1f, 3, 9)};
        CHECK(!hides(region, over_sill, 3, outside));
    }
}

static void a_thin_wall_hides_by_its_face_from_a_region(void)
{
    const acre_occluder wall = occluder_of(10, 0, -9, 10.05f, 4, 9);
    const float region[3] = {0.3f, 0.2f, 0.3f}, close[3] = {6, 0.2f, 0.3f};
    CHECK(hides(region, &wall, 1, cube(20, 2, 0, 0.5f)));
    CHECK(!hides(region, &wall, 1, cube(20, 2, 16.9f, 0.5f))); // the middle alone does not see it
    CHECK(hides(NULL, &wall, 1, cube(20, 2, 16.9f, 0.5f)));
    CHECK(!takes(close, 0, &wall)); // more than half of the distance
}

// ---- broken and odd ----

static float draw_odd(test_random *random)
{
    static const float odd[] = {0,         -0.0f,   1,        -1,    NAN,    INFINITY,
                                -INFINITY, FLT_MAX, -FLT_MAX, 1e12f, -1e12f, 1e-30f,
                                FLT_MIN,   1e-42f,  3e5f,     -7e9f};
    const uint32_t kind = random_below(random, 8);
    return kind == 0   ? odd[random_below(random, sizeof odd / sizeof *odd)]
           : kind == 1 ? ldexpf(random_float(random, -1, 1), (int)random_below(random, 80) - 40)
                       : random_float(random, -20, 20);
}

// Whether the segment from the eye to a point meets the bounding box of an occluder.
static bool meets_box(const acre_occluder *occluder, const float *to)
{
    double low[3] = {(double)INFINITY, (double)occluder->bottom, (double)INFINITY};
    double high[3] = {-(double)INFINITY, (double)occluder->top, -(double)INFINITY};
    for (uint32_t k = 0; k < occluder->point_count; k++) {
        for (int i = 0; i < 2; i++) {
            low[2 * i] = fmin(low[2 * i], (double)occluder->points[k][i]);
            high[2 * i] = fmax(high[2 * i], (double)occluder->points[k][i]);
        }
    }
    double begin = 0, end = 1;
    for (int axis = 0; axis < 3; axis++) {
        const double from = (double)at_eye[axis], way = (double)to[axis] - from;
        const double a = (low[axis] - from) / way, b = (high[axis] - from) / way;
        if (way == 0 && (from < low[axis] || from > high[axis])) {
            return false;
        }
        begin = way == 0 ? begin : fmax(begin, fmin(a, b));
        end = way == 0 ? end : fmin(end, fmax(a, b));
    }
    return begin <= end;
}

static void draw_odd_occluder(test_random *random, acre_occluder *out)
{
    memset(out, 0, sizeof *out);
    if (random_below(random, 4) == 0) { // a good one, of which some numbers become odd
        const float x = random_float(random, -20, 20), z = random_float(random, -20, 20);
        const float wide = random_float(random, 0.1f, 9), deep = random_float(random, 0.1f, 9);
        *out = occluder_of(x - wide, -3, z - deep, x + wide, random_float(random, -2, 9), z + deep);
        if (random_below(random, 2)) {
            out->points[random_below(random, 4)][random_below(random, 2)] = draw_odd(random);
        }
    } else {
        out->point_count = 3 + random_below(random, 6);
        for (uint32_t k = 0; k < out->point_count; k++) {
            out->points[k][0] = draw_odd(random);
            out->points[k][1] = draw_odd(random);
        }
        out->bottom = draw_odd(random);
        out->top = draw_odd(random);
    }
    if (random_below(random, 50) == 0) {
        out->point_count = (uint32_t)random_bits(random);
    }
    out->flags =
        random_below(random, 50) == 0 ? (uint32_t)random_bits(random) : random_below(random, 2);
}

static bool columns_are_numbers(const acre_horizon *horizon)
{
    for (size_t i = 0; i < 4 * (size_t)horizon->columns.count; i++) {
        if (isnan(horizon->columns.low[i]) || isnan(horizon->columns.high[i]) ||
            !(horizon->columns.inverse[i] >= 0)) {
            return false;
        }
    }
    return true;
}

static void odd_occluders_are_valid_or_left_out_and_hide_nothing_beside_them(void)
{
    test_random random = {test_seed};
    const acre_horizon_def def = {.columns = 16, .least_angle = 1e-20f};
    acre_horizon *const horizon = make_horizon(&def, NULL, 0);
    uint32_t taken = 0, hidden = 0;
    for (uint32_t round = 0; round < 300000 * test_scale; round++) {
        acre_occluder occluder;
        draw_odd_occluder(&random, &occluder);
        const float region[3] = {0, 0, random_below(&random, 4) == 0 ? 0.2f : 0};
        CHECK(acre_horizon_begin(horizon, at_eye, region, 0) == ACRE_OK);
        const bool is_taken = acre_horizon_add(horizon, &occluder);
        if (!is_taken) {
            continue;
        }
        CHECK(acre_occluder_is_valid(&occluder));
        CHECK(columns_are_numbers(horizon));
        taken++;
        for (int i = 0; i < 8; i++) {
            const float to[3] = {draw_odd(&random), draw_odd(&random), draw_odd(&random)};
            const acre_aabb point = {{to[0], to[1], to[2]}, {to[0], to[1], to[2]}};
            if (acre_horizon_hides(horizon, &point)) {
                CHECK(meets_box(&occluder, to));
                hidden++;
            }
        }
    }
    CHECK(taken > 1000 && hidden > 1000);
    acre_horizon_destroy(horizon);
}

static void odd_boxes_are_visible(void)
{
    const acre_occluder wall = occluder_of(10, -INFINITY, -10, 11, 500, 10);
    acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, NULL, 0);
    CHECK(acre_horizon_add(horizon, &wall));
    const acre_aabb good = cube(20, 2, 0, 1);
    CHECK(acre_horizon_hides(horizon, &good));
    for (int i = 0; i < 6; i++) {
        acre_aabb box = good;
        float *const edge = i < 3 ? &box.min[i] : &box.max[i - 3];
        *edge = NAN;
        CHECK(!acre_horizon_hides(horizon, &box));
        *edge = i < 3 ? -INFINITY : INFINITY;
        CHECK(!acre_horizon_hides(horizon, &box));
        *edge = i < 3 ? -1e30f : 1e30f;
        CHECK(!acre_horizon_hides(horizon, &box));
        *edge = i < 3 ? good.max[i] + 1 : good.min[i - 3] - 1; // inverted
        CHECK(!acre_horizon_hides(horizon, &box));
    }
    acre_horizon_destroy(horizon);
}

// ---- kernels ----

static acre_occluder draw_occluder(test_random *random)
{
    acre_occluder out = {.point_count = 3 + random_below(random, 6)};
    const float x = random_float(random, -40, 40), z = random_float(random, -40, 40);
    const float size = random_float(random, 0.3f, 12), turn = random_float(random, 0, 6);
    for (uint32_t k = 0; k < out.point_count; k++) {
        const float at = turn + 6.2831853f * (float)k / (float)out.point_count;
        out.points[k][0] = x + size * cosf(at);
        out.points[k][1] = z + 0.5f * size * sinf(at);
    }
    out.top = random_float(random, -4, 12);
    out.bottom = random_below(random, 2) ? -INFINITY : out.top - random_float(random, 0.1f, 9);
    out.flags = random_below(random, 2);
    return out;
}

// Fills a horizon of a kernel as the seed says. @return NULL: the processor lacks the kernel.
static acre_horizon *fill_horizon(acre_kernel kernel, uint64_t seed)
{
    test_random random = {seed};
    const acre_horizon_def def = {.columns = 16 * (1 + random_below(&random, 20)),
                                  .kernel = kernel};
    acre_horizon *horizon = NULL;
    if (acre_horizon_create(&def, &horizon) != ACRE_OK) {
        return NULL;
    }
    const float half = random_below(&random, 2) ? 0 : random_float(&random, 0, 0.4f);
    const float region[3] = {half, half, half};
    ACRE_IGNORE(acre_horizon_begin(horizon, at_eye, region, 0));
    const acre_occluder slabs[2] = {occluder_of(-9, -0.2f, -9, 9, 0, 9),
                                    occluder_of(-9, 3, -9, 9, 3.2f, 9)};
    for (int i = 0; i < 40; i++) {
        acre_occluder occluder = draw_occluder(&random);
        if (i < 2 && random_below(&random, 2)) {
            occluder = slabs[i];
        } else if (random_below(&random, 4) == 0) {
            occluder.bottom = 0;
            occluder.top = 3;
        }
        (void)acre_horizon_add(horizon, &occluder);
    }
    return horizon;
}

static void draw_boxes(test_random *random, acre_aabb *boxes, int count)
{
    for (int i = 0; i < count; i++) {
        const float half = random_below(random, 2) ? 0.2f : random_float(random, 0, 6);
        boxes[i] = cube(random_float(random, -70, 70), random_float(random, -9, 12),
                        random_float(random, -70, 70), half);
        if (random_below(random, 16) == 0) {
            boxes[i].min[random_below(random, 3)] = draw_odd(random);
        }
    }
}

static void kernels_agree_bit_for_bit(void)
{
    enum { BOXES = 101 };
    uint32_t hidden = 0, kernels = 0, rounds = 150 * test_scale;
    for (uint32_t round = 0; round < rounds; round++) {
        const uint64_t seed = test_seed + round;
        acre_horizon *const reference = fill_horizon(ACRE_KERNEL_SCALAR, seed);
        CHECK(reference);
        test_random random = {seed};
        acre_aabb boxes[BOXES];
        draw_boxes(&random, boxes, BOXES);
        uint32_t expected[BOXES], visible[BOXES];
        const size_t count = acre_horizon_test(reference, boxes, BOXES, expected);
        CHECK(acre_horizon_test(reference, boxes, BOXES, NULL) == count);
        hidden += BOXES - (uint32_t)count;
        for (uint32_t i = 0, k = 0; i < BOXES; i++) {
            const bool is_visible = k < count && expected[k] == i;
            CHECK(acre_horizon_hides(reference, &boxes[i]) != is_visible);
            k += is_visible;
        }
        for (int kernel = ACRE_KERNEL_SSE4; kernel < ACRE_KERNEL_COUNT_; kernel++) {
            acre_horizon *const other = fill_horizon((acre_kernel)kernel, seed);
            if (!other) {
                continue;
            }
            const size_t length = 4 * (size_t)reference->columns.count * sizeof(float);
            CHECK(memcmp(reference->rows.data, other->rows.data, 3 * length) == 0);
            CHECK(reference->taken == other->taken);
            if (reference->columns.floor_top > -INFINITY) {
                CHECK(memcmp(reference->columns.floor, other->columns.floor, length) == 0);
            }
            if (reference->columns.ceiling_bottom < INFINITY) {
                CHECK(memcmp(reference->columns.ceiling, other->columns.ceiling, length) == 0);
            }
            CHECK(acre_horizon_test(other, boxes, BOXES, visible) == count);
            CHECK(memcmp(visible, expected, count * sizeof *visible) == 0);
            acre_horizon_destroy(other);
            kernels++;
        }
        acre_horizon_destroy(reference);
    }
    CHECK(hidden > rounds * BOXES / 10 && hidden < rounds * BOXES * 9 / 10);
    printf("     %.1f other kernels\n", (double)kernels / (double)rounds);
}

// ---- memory ----

static void memory_is_taken_once_and_a_failure_leaves_none(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_horizon_def def = {.allocator = &memory.allocator};
    acre_horizon *horizon = NULL;
    CHECK(acre_horizon_create(&def, &horizon) == ACRE_OK);
    CHECK(memory.live_bytes <= 48 * 1024);
    const uint64_t calls = memory.total_calls;
    CHECK(acre_horizon_begin(horizon, at_eye, small_region, 0.2f) == ACRE_OK);
    const acre_occluder wall = occluder_of(10, 0, -9, 11, 9, 9);
    const acre_aabb box = cube(20, 1.75f, 0, 0.5f);
    CHECK(acre_horizon_add(horizon, &wall) && acre_horizon_hides(horizon, &box));
    CHECK(memory.total_calls == calls);
    acre_horizon_destroy(horizon);
    for (uint64_t at = 1; at <= memory.requests; at++) {
        for (int mode = FAIL_ONCE; mode <= FAIL_FROM; mode++) {
            failing_allocator failing;
            failing_allocator_init(&failing, (failing_mode)mode, at);
            const acre_horizon_def short_of = {.allocator = &failing.allocator};
            CHECK(acre_horizon_create(&short_of, &horizon) == ACRE_ERROR_OUT_OF_MEMORY);
            CHECK(horizon == NULL && failing_allocator_verdict(&failing) == NULL);
        }
    }
    CHECK(memory.requests == 3 && failing_allocator_verdict(&memory) == NULL);
}

// ---- drawing ----

typedef struct drawn_ring {
    const acre_occluder *wall;
    uint32_t lines, beside;
} drawn_ring;

// A line of the ring lies in the direction of the wall, and between its bottom and top.
static void check_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    drawn_ring *const ring = user;
    (void)rgba;
    ring->lines++;
    const float share = 10 / ring->wall->points[0][0]; // the wall stands across x
    const bool is_on_it = a[0] == 10 && b[0] == 10 && a[2] == b[2] && a[1] <= b[1] &&
                          a[2] >= share * ring->wall->points[0][1] &&
                          a[2] <= share * ring->wall->points[2][1] &&
                          a[1] >= share * ring->wall->bottom && b[1] <= share * ring->wall->top;
    ring->beside += !is_on_it;
}

static void a_ring_shows_what_is_blocked(void)
{
    const acre_aabb box = {{20, -2, -6}, {21, 3, 8}};
    const float eye[3] = {0, 0, 0};
    acre_occluder wall;
    acre_horizon *horizon;
    CHECK(acre_occluder_from_box(&wall, &box) == ACRE_OK);
    CHECK(acre_horizon_create(&(acre_horizon_def){0}, &horizon) == ACRE_OK);
    CHECK(acre_horizon_begin(horizon, eye, NULL, 0) == ACRE_OK && acre_horizon_add(horizon, &wall));
    drawn_ring ring = {.wall = &wall};
    const acre_debug_draw draw = {.user = &ring, .line = check_line}, none = {.user = &ring};
    acre_horizon_debug_draw(horizon, &draw);
    CHECK(ring.beside == 0 && ring.lines > 170 && ring.lines <= 180); // 14 / 40 of 512 columns
    acre_horizon_debug_draw(horizon, &none);
    acre_horizon_debug_draw(horizon, NULL);
    acre_horizon_debug_draw(NULL, &draw);
    CHECK(ring.lines <= 180);
    acre_horizon_destroy(horizon);
}

// ---- a walk ----

static void lay_box(float edges[6][ACRE_HORIZON_BLOCK], uint32_t lane, acre_aabb box)
{
    for (int axis = 0; axis < 3; axis++) {
        edges[2 * axis][lane] = box.min[axis];
        edges[2 * axis + 1][lane] = box.max[axis];
    }
}

// Adds a wall some times, asks about a hidden box that stands for `objects`, then about one that is
// seen, until the walk gives up.
static uint32_t questions_before_giving_up(uint32_t walls, uint32_t hidden, uint32_t objects)
{
    acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, NULL, 0);
    const acre_occluder wall = occluder_of(-20, 0, 5, 20, 9, 6);
    const acre_aabb whole = {{-20, 0, 5}, {20, 9, 6}};
    float edges[6][ACRE_HORIZON_BLOCK] = {{0}};
    uint32_t asked = 0;
    lay_box(edges, 0, cube(0, 1, 20, 0.5f));
    lay_box(edges, 1, cube(0, 1, -20, 0.5f));
    EXPECT(acre_horizon_begin_walk(horizon, at_eye) == ACRE_OK);
    for (uint32_t i = 0; i < walls; i++) {
        (void)acre_horizon_add_of(horizon, &wall, &whole);
    }
    for (uint32_t i = 0; i < hidden; i++) {
        EXPECT(acre_horizon_ask(horizon, edges[0], ACRE_HORIZON_BLOCK, 1, objects) == 1);
    }
    for (; asked < 100000 && !acre_horizon_gave_up(horizon); asked++) {
        const uint32_t found = acre_horizon_ask(horizon, edges[0], ACRE_HORIZON_BLOCK, 2, 1);
        EXPECT(found == (acre_horizon_gave_up(horizon) ? 2 : 0));
    }
    acre_horizon_end_walk(horizon);
    acre_horizon_destroy(horizon);
    return asked;
}

static void a_walk_gives_up_2048_questions_beyond_what_it_won(void)
{
    CHECK(questions_before_giving_up(1, 0, 1) == 2049 - 10);
    CHECK(questions_before_giving_up(7, 0, 1) == 2049 - 10 * 7);
    CHECK(questions_before_giving_up(1, 50, 1) == 2049 - 10 + 19 * 50);
    CHECK(questions_before_giving_up(2, 3, 16) == 2049 - 10 * 2 + 319 * 3);
}

static bool wants(acre_horizon *horizon, float x, float z, float top)
{
    const acre_aabb object = {{x, -5, z}, {x + 1, top, z + 1}};
    return acre_horizon_wants(horizon, &object);
}

static void a_walk_wants_what_rises_and_what_is_under_the_eye(void)
{
    acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, NULL, 0);
    CHECK(acre_horizon_begin_walk(horizon, at_eye) == ACRE_OK);
    CHECK(wants(horizon, -0.5f, -0.5f, -3) && !horizon->walk.rises);
    for (int i = 0; i < 4; i++) { // 10 m away; a tenth of that is 1 m below the eye
        const float x = i == 0 ? 10 : i == 1 ? -11 : i == 2 ? 6 : -7;
        const float z = i < 2 ? -0.5f : i == 2 ? 8 : -9;
        CHECK(!wants(horizon, x, z, 0.74f) && !horizon->walk.rises);
        CHECK(wants(horizon, x, z, 0.76f) && horizon->walk.rises);
        horizon->walk.rises = false;
    }
    acre_horizon_end_walk(horizon);
    acre_horizon_destroy(horizon);
}

static uint32_t kept_before_giving_up(acre_horizon *horizon, bool is_occluder, bool rises)
{
    uint32_t kept = 0;
    EXPECT(acre_horizon_begin_walk(horizon, at_eye) == ACRE_OK);
    EXPECT(!rises || wants(horizon, 10, 10, 9));
    for (; kept < 1000 && !acre_horizon_gave_up(horizon); kept++) {
        acre_horizon_count_kept(horizon, is_occluder);
    }
    horizon->walk.stats.gave_up = false; // the next one begins
    acre_horizon_end_walk(horizon);
    return kept;
}

static void a_walk_in_which_nothing_rises_gives_up(void)
{
    acre_horizon *const horizon = make_horizon(&(acre_horizon_def){0}, NULL, 0);
    for (int round = 0; round < 2; round++) { // one walk knows nothing of the last
        CHECK(kept_before_giving_up(horizon, true, false) == 16);
        CHECK(kept_before_giving_up(horizon, false, false) == 256);
        CHECK(kept_before_giving_up(horizon, true, true) == 1000);
    }
    acre_horizon_destroy(horizon);
}

// Boxes about as wide as a column, as a point and a region see them.
static void what_a_walk_does_not_want_would_change_nothing(void)
{
    static const float size[3] = {0.05f, 0.1f, 0.02f};
    const acre_horizon_def def = {.columns = 64, .least_angle = 1e-9f};
    test_random random = {test_seed};
    uint32_t unwanted = 0, useless = 0, taken = 0;
    for (int pass = 0; pass < 2; pass++) {
        acre_horizon *const horizon = make_horizon(&def, pass ? size : NULL, 0);
        for (int i = 0; i < 10000; i++) {
            const float x = random_float(&random, -40, 40), z = random_float(&random, -40, 40);
            const float right = x + random_float(&random, 0.01f, 3),
                        back = z + random_float(&random, 0.01f, 3);
            const acre_aabb box = {{x, 0, z}, {right, 9, back}};
            const acre_occluder wall = occluder_of(x, 0, z, right, 9, back);
            EXPECT(acre_horizon_begin_walk(horizon, at_eye) == ACRE_OK);
            const bool is_wanted = acre_horizon_wants(horizon, &box);
            const bool is_taken = acre_horizon_add_of(horizon, &wall, &box);
            acre_horizon_end_walk(horizon);
            CHECK(is_wanted || !is_taken);
            unwanted += !is_wanted;
            useless += is_wanted && !is_taken && !pass;
            taken += is_taken;
        }
        acre_horizon_destroy(horizon);
    }
    CHECK(unwanted > 2000 && taken > 2000 && useless < 2000);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(broken_arguments_are_refused),
        TEST(a_horizon_that_another_call_uses_hides_nothing),
        TEST(nothing_is_hidden_before_the_first_begin_nor_from_very_far),
        TEST(a_wall_hides_what_is_behind_it_on_each_side),
        TEST(a_long_wall_hides_on_three_sides),
        TEST(both_directions_of_corners_are_the_same),
        TEST(an_occluder_does_not_hide_its_own_box),
        TEST(at_most_max_occluders_are_taken_and_no_small_ones),
        TEST(what_the_eye_is_over_or_in_is_visible),
        TEST(a_gap_between_two_occluders_stays_open),
        TEST(what_stands_joins_what_rises_above_it),
        TEST(a_box_within_the_margins_is_visible),
        TEST(what_comes_within_the_near_radius_is_left_out),
        TEST(an_eye_in_the_box_of_a_one_sided_object_sees_through_it),
        TEST(who_is_in_an_occluder_sees_through_it),
        TEST(a_slab_hides_what_is_below_or_above_it),
        TEST(of_two_slabs_the_nearer_counts_in_either_order),
        TEST(a_wall_on_a_slab_leaves_no_gap),
        TEST(a_thin_wall_hides_by_its_face_from_a_region),
        TEST(odd_occluders_are_valid_or_left_out_and_hide_nothing_beside_them),
        TEST(odd_boxes_are_visible),
        TEST(kernels_agree_bit_for_bit),
        TEST(memory_is_taken_once_and_a_failure_leaves_none),
        TEST(a_ring_shows_what_is_blocked),
        TEST(a_walk_gives_up_2048_questions_beyond_what_it_won),
        TEST(a_walk_wants_what_rises_and_what_is_under_the_eye),
        TEST(a_walk_in_which_nothing_rises_gives_up),
        TEST(what_a_walk_does_not_want_would_change_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
