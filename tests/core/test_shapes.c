// SPDX-License-Identifier: MIT
// test_shapes.c - which shapes are valid, and the tests of one box, against the oracle.
#include "shape_generator.h"

#include "oriented_box.h"

#include <float.h>
#include <math.h>

// Where shapes are and how large: millimeters to a thousand kilometres, at the origin and far away;
// the largest valid numbers; so small that squares are denormal, and that all is.
typedef struct test_place {
    float size, offset;
} test_place;

static const test_place places[] = {
    {1e-3f, 0.0f},   {1.0f, 0.0f},  {1e3f, 0.0f},   {1e6f, 0.0f},       {1e-3f, 1e5f},
    {1.0f, 1e5f},    {50.0f, 1e4f}, {1e3f, 1e5f},   {0x1p49f, 0x1p49f}, {1.0f, 0x1p49f},
    {0x1p49f, 1.0f}, {1e-9f, 0.0f}, {1e-20f, 0.0f}, {1e-41f, 1e-41f}};
enum { PLACE_COUNT = sizeof places / sizeof places[0], ORDINARY_COUNT = PLACE_COUNT - 2 };

static any_shape random_shape(test_random *random, shape_kind kind, const test_place *at)
{
    float place[3];
    for (int i = 0; i < 3; i++) {
        place[i] = at->offset * random_float(random, -1.0f, 1.0f);
        place[i] = random_below(random, 8) ? place[i] : 0.0f;
    }
    return shape_random(random, kind, place, at->size);
}

static void report(const any_shape *shape, const acre_aabb *box)
{
    static const char *const names[] = {
        "sphere", "circle", "capsule", "cone", "oriented box", "oriented box, exact", "ray"};
    printf("%s:", names[shape->kind]);
    const float *const values = (const float *)&shape->sphere;
    for (size_t i = 0; i < (sizeof *shape - offsetof(any_shape, sphere)) / sizeof(float); i++) {
        printf(" %a", (double)values[i]);
    }
    printf("\nbox: %a %a %a to %a %a %a\n", (double)box->min[0], (double)box->min[1],
           (double)box->min[2], (double)box->max[0], (double)box->max[1], (double)box->max[2]);
}

static bool is_tested(const any_shape *shape, const acre_aabb *box, bool answer)
{
    const bool right = acre_aabb_is_valid(box) && shape_test(shape, box) == answer;
    if (!right) {
        report(shape, box);
    }
    return right;
}

static void no_box_that_contains_a_point_of_a_shape_is_lost(void)
{
    test_random random = {test_seed};
    for (uint32_t run = 0; run < 400 * test_scale * SHAPE_KIND_COUNT * PLACE_COUNT; run++) {
        const test_place *const at = &places[run / SHAPE_KIND_COUNT % PLACE_COUNT];
        const any_shape shape = random_shape(&random, run % SHAPE_KIND_COUNT, at);
        CHECK(shape_is_valid(&shape));
        for (int step = 0; step < 6; step++) {
            double point[3];
            shape_random_point(&random, &shape, point);
            const acre_aabb around = shape_box_around(&random, &shape, point, at->size);
            CHECK(is_tested(&shape, &around, true));
            const shape_surface surface = shape_random_surface(&random, &shape);
            const acre_aabb tangent = shape_box_beyond(&random, &shape, &surface, 0.0, at->size);
            CHECK(is_tested(&shape, &tangent, true));
        }
    }
}

static void no_box_beyond_the_stated_doubt_is_found(void)
{
    test_random random = {test_seed + 1};
    for (uint32_t run = 0; run < 400 * test_scale * SHAPE_KIND_COUNT * PLACE_COUNT; run++) {
        const test_place *const at = &places[run / SHAPE_KIND_COUNT % PLACE_COUNT];
        const any_shape shape = random_shape(&random, run % SHAPE_KIND_COUNT, at);
        for (int step = 0; step < 6; step++) {
            const shape_surface surface = shape_random_surface(&random, &shape);
            const double distance = 1.001 * surface.doubt + 1e-6 * (double)at->size;
            if (isinf(distance)) {
                continue;
            }
            const acre_aabb box = shape_box_beyond(&random, &shape, &surface, distance, at->size);
            const bool is_doubted =
                shape.kind == SHAPE_ORIENTED_BOX_EXACT // whose doubt grows with the box
                    ? shape_judge(&shape, &box) != SHAPE_OUTSIDE
                    : shape_doubts_box(&shape, &box);
            CHECK(is_doubted || is_tested(&shape, &box, false));
        }
    }
}

// Boxes in the neighborhood of a shape, however they lie.
static void random_boxes_are_found_if_they_touch_and_not_if_they_are_outside(void)
{
    test_random random = {test_seed + 2};
    uint32_t verdicts[SHAPE_KIND_COUNT][3] = {{0, 0, 0}};
    for (uint32_t run = 0; run < 200 * test_scale * SHAPE_KIND_COUNT * PLACE_COUNT; run++) {
        const test_place *const at = &places[run / SHAPE_KIND_COUNT % PLACE_COUNT];
        const any_shape shape = random_shape(&random, run % SHAPE_KIND_COUNT, at);
        for (int step = 0; step < 5; step++) {
            double point[3];
            shape_random_point(&random, &shape, point);
            const float reach = at->size * exp2f(random_float(&random, -12.0f, 0.0f));
            for (int i = 0; i < 3; i++) {
                point[i] += (double)random_float(&random, -reach, reach);
            }
            const acre_aabb box = shape_box_around(&random, &shape, point, at->size);
            const shape_verdict verdict = shape_judge(&shape, &box);
            verdicts[shape.kind][verdict]++;
            CHECK(verdict == SHAPE_DOUBT || is_tested(&shape, &box, verdict == SHAPE_TOUCHES));
        }
    }
    for (int kind = 0; kind < SHAPE_KIND_COUNT; kind++) {
        CHECK(verdicts[kind][SHAPE_TOUCHES] > 1000 && verdicts[kind][SHAPE_OUTSIDE] > 1000);
    }
}

// Boxes that no finite shape is far from, or near to.
static void boxes_at_the_end_of_all_floats_get_the_right_answer(void)
{
    test_random random = {test_seed + 3};
    const float most = FLT_MAX;
    const acre_aabb all[] = {{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
                             {{-most, -most, -most}, {most, most, most}},
                             {{-INFINITY, -most, -INFINITY}, {most, INFINITY, INFINITY}}};
    const acre_aabb none[] = {{{most, most, most}, {most, most, most}},
                              {{most, 0, 0}, {INFINITY, 0, 0}},
                              {{-INFINITY, -INFINITY, -INFINITY}, {-most, most, most}},
                              {{INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
                              {{-most, 0, -INFINITY}, {-most, most, -0x1p70f}}};
    for (uint32_t run = 0; run < 20 * SHAPE_KIND_COUNT * PLACE_COUNT; run++) {
        const test_place *const at = &places[run / SHAPE_KIND_COUNT % PLACE_COUNT];
        const any_shape shape = random_shape(&random, run % SHAPE_KIND_COUNT, at);
        const bool is_endless = shape.kind == SHAPE_RAY && isinf(shape.ray.length);
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            CHECK(is_tested(&shape, &all[i], true));
        }
        for (size_t i = 0; i < sizeof none / sizeof none[0] && !is_endless; i++) {
            CHECK(is_tested(&shape, &none[i], false));
        }
    }
}

// Lengths whose squares are about the largest float: such a square may be infinite where that of a
// length that is hardly less is not.
static void boxes_whose_squared_diagonal_is_about_the_largest_float_are_not_lost(void)
{
    test_random random = {test_seed + 10};
    const test_place at = {0x1p50f, 0.0f};
    for (uint32_t run = 0; run < 30000 * test_scale; run++) {
        const any_shape shape = random_shape(&random, run % SHAPE_KIND_COUNT, &at);
        const shape_surface surface = shape_random_surface(&random, &shape);
        acre_aabb box = shape_box_beyond(&random, &shape, &surface, 0.0, at.size);
        const float edge = 0x1.279a74p+64f * random_float(&random, 0.999f, 1.001f); // 2^65 / 3^0.5
        for (int i = 0; i < 3; i++) {
            if (surface.normal[i] > 1e-12) {
                box.max[i] = box.min[i] + edge;
            } else if (surface.normal[i] < -1e-12) {
                box.min[i] = box.max[i] - edge;
            }
        }
        CHECK(is_tested(&shape, &box, true));
    }
}

static void the_exact_test_of_oriented_boxes_finds_less_than_the_plain_one(void)
{
    test_random random = {test_seed + 4};
    uint32_t only_plain = 0;
    for (uint32_t run = 0; run < 20000 * test_scale; run++) {
        const test_place *const at = &places[run % PLACE_COUNT];
        const any_shape shape = random_shape(&random, SHAPE_ORIENTED_BOX_EXACT, at);
        const shape_surface surface = shape_random_surface(&random, &shape);
        const double distance = 3.0 * surface.doubt;
        const acre_aabb box = shape_box_beyond(&random, &shape, &surface, distance, at->size);
        const bool plain = acre_oriented_box_test_aabb(&shape.oriented, &box);
        const bool exact = oriented_box_test_exact(&shape.oriented, &box);
        CHECK(plain || !exact);
        only_plain += plain && !exact;
    }
    CHECK(only_plain > 1000);
}

// Queries accept unseen what lies wholly within the planes, however small it is beside their doubt.
static void what_the_planes_of_an_oriented_box_contain_passes_its_exact_test(void)
{
    test_random random = {test_seed + 11};
    uint32_t contained = 0, beyond = 0;
    for (uint32_t run = 0; run < 60000 * test_scale; run++) {
        const test_place *const at = &places[run % PLACE_COUNT];
        const any_shape shape = random_shape(&random, SHAPE_ORIENTED_BOX_EXACT, at);
        const acre_frustum planes = oriented_box_sides(&shape.oriented);
        shape_surface surface = shape_random_surface(&random, &shape);
        const double share = (double)random_float(&random, 0.0f, 0.5f);
        for (int i = 0; i < 3; i++) {
            surface.offset[i] += share * surface.doubt * surface.normal[i];
        }
        const float size = at->size * exp2f(random_float(&random, -30.0f, 0.0f));
        const acre_aabb box = shape_box_around(&random, &shape, surface.offset, size);
        const bool is_found = acre_oriented_box_test_aabb(&shape.oriented, &box);
        if (is_found && acre_frustum_contains_aabb(&planes, &box)) {
            CHECK(is_tested(&shape, &box, true));
            contained++;
            beyond += shape_judge(&shape, &box) != SHAPE_TOUCHES;
        }
    }
    CHECK(contained > 1000 && beyond > 300);
}

// ---- rays ----

static void a_ray_enters_a_box_where_the_oracle_says(void)
{
    test_random random = {test_seed + 5};
    uint32_t starts_inside = 0, enters_later = 0;
    for (uint32_t run = 0; run < 40000 * test_scale; run++) {
        const test_place *const at = &places[run % ORDINARY_COUNT];
        const any_shape shape = random_shape(&random, SHAPE_RAY, at);
        double point[3], low, high;
        shape_random_point(&random, &shape, point);
        const acre_aabb box = shape_box_around(&random, &shape, point, at->size);
        float distance = -1.0f;
        CHECK(acre_ray_test_aabb(&shape.ray, &box, &distance));
        shape_ray_enters(&shape.ray, &box, &low, &high);
        if (!((double)distance >= low && (double)distance <= high &&
              distance <= shape.ray.length)) {
            report(&shape, &box);
            printf("%.9g, should be %.9g to %.9g\n", (double)distance, low, high);
        }
        CHECK((double)distance >= low && (double)distance <= high);
        CHECK(distance <= shape.ray.length);
        starts_inside += distance == 0.0f;
        enters_later += distance > 0.0f;
    }
    CHECK(starts_inside > 1000 && enters_later > 1000);
}

static void a_ray_that_hits_nothing_enters_at_infinity(void)
{
    const acre_ray ray = {{0, 0, 0}, {2, 0, 0}, 10, {0, 0, 0}};
    const acre_aabb at_end = {{10, -1, -1}, {11, 1, 1}}, behind_end = {{10.1f, -1, -1}, {11, 1, 1}};
    const acre_aabb beside = {{0, 0.1f, 0}, {5, 1, 1}},
                    behind_start = {{-1, -1, -1}, {-0.1f, 1, 1}};
    float distance = 0.0f;
    CHECK(acre_ray_test_aabb(&ray, &at_end, &distance) && distance == 10.0f);
    const acre_aabb *const missed[] = {&behind_end, &beside, &behind_start};
    for (int i = 0; i < 3; i++) {
        distance = 0.0f;
        CHECK(!acre_ray_test_aabb(&ray, missed[i], &distance) && distance == INFINITY);
        CHECK(!acre_ray_test_aabb(&ray, missed[i], NULL));
    }
}

// ---- degenerate shapes ----

static void shapes_without_size_are_their_place(void)
{
    const acre_sphere sphere = {{1, 2, 3}, 0};
    const acre_circle circle = {{1, 3}, 0};
    const acre_capsule capsule = {{1, 2, 3}, {1, 2, 3}, 0};
    const acre_cone without_direction = {{1, 2, 3}, {0, 0, 0}, 5, 1};
    const acre_cone without_length = {{1, 2, 3}, {0, 1, 0}, 0, 1};
    const acre_ray still = {{1, 2, 3}, {0, 0, 0}, INFINITY, {0, 0, 0}};
    const acre_ray short_ray = {{1, 2, 3}, {0, 0, 1}, 0, {0, 0, 0}};
    for (int side = 0; side < 27; side++) {
        acre_aabb box = {{1, 2, 3}, {1, 2, 3}};
        const int sides[3] = {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1};
        for (int i = 0; i < 3; i++) {
            const float away = nextafterf(box.min[i], sides[i] > 0 ? 9.0f : -9.0f);
            box.min[i] = box.max[i] = sides[i] == 0 ? box.min[i] : away;
        }
        const bool is_place = side == 13;
        CHECK(acre_sphere_test_aabb(&sphere, &box) == is_place);
        CHECK(acre_capsule_test_aabb(&capsule, &box) == is_place);
        CHECK(acre_cone_test_aabb(&without_direction, &box) == is_place);
        CHECK(acre_cone_test_aabb(&without_length, &box) == is_place);
        CHECK(acre_ray_test_aabb(&still, &box, NULL) == is_place);
        CHECK(acre_ray_test_aabb(&short_ray, &box, NULL) == is_place);
        CHECK(acre_circle_test_aabb(&circle, &box) == (sides[0] == 0 && sides[2] == 0));
    }
}

static void shapes_that_are_the_same_volume_give_the_same_answers(void)
{
    test_random random = {test_seed + 6};
    uint32_t found = 0;
    for (uint32_t run = 0; run < 10000 * test_scale; run++) {
        const any_shape any = random_shape(&random, SHAPE_SPHERE, &places[run % PLACE_COUNT]);
        const acre_sphere *const sphere = &any.sphere;
        const float *const c = sphere->center;
        const acre_capsule capsule = {{c[0], c[1], c[2]}, {c[0], c[1], c[2]}, sphere->radius};
        const acre_circle circle = {{c[0], c[2]}, sphere->radius};
        const shape_surface surface = shape_random_surface(&random, &any);
        const double share = (double)random_float(&random, -1.0f, 2.0f); // touching, or in doubt
        const double distance = fmax(share, 0.0) * surface.doubt;
        acre_aabb box = shape_box_beyond(&random, &any, &surface, distance, 1.0f);
        const bool touches = acre_sphere_test_aabb(sphere, &box);
        CHECK(touches == acre_capsule_test_aabb(&capsule, &box));
        CHECK(!touches || acre_circle_test_aabb(&circle, &box));
        box.min[1] = -INFINITY;
        box.max[1] = INFINITY;
        CHECK(acre_sphere_test_aabb(sphere, &box) == acre_circle_test_aabb(&circle, &box));
        found += touches;
    }
    CHECK(found > 1000);
}

// ---- which are valid ----

// What the numbers of each shape are, in order: a coordinate, a size, an angle, part of an axis,
// the length of a ray.
static const char *const roles[SHAPE_KIND_COUNT] = {
    "cccs", "ccs", "ccccccs", "ccccccsa", "cccsssxxxxxxxxx", "cccsssxxxxxxxxx", "ccccccLsss",
};

static bool is_right_answer(any_shape *shape, float *number, float value, bool answer)
{
    const float before = *number;
    *number = value;
    const bool right = shape_is_valid(shape) == answer;
    if (!right) {
        printf("number %td: %g\n", number - (float *)&shape->sphere, (double)value);
    }
    *number = before;
    return right;
}

static void a_shape_is_valid_unless_one_of_its_numbers_is_out_of_range(void)
{
    test_random random = {test_seed + 7};
    const float most = 0x1p50f, more = nextafterf(most, INFINITY);
    for (int kind = 0; kind < SHAPE_KIND_COUNT; kind++) {
        any_shape shape = random_shape(&random, (shape_kind)kind, &places[1]);
        CHECK(shape_is_valid(&shape));
        for (int i = 0; roles[kind][i]; i++) {
            float *const number = (float *)&shape.sphere + i;
            const char role = roles[kind][i];
            const bool has_sign = role == 'c', is_range = role != 'a' && role != 'x';
            CHECK(is_right_answer(&shape, number, NAN, false));
            CHECK(is_right_answer(&shape, number, -NAN, false));
            CHECK(is_right_answer(&shape, number, INFINITY, role == 'L'));
            CHECK(is_right_answer(&shape, number, -INFINITY, false));
            CHECK(is_right_answer(&shape, number, more, false));
            CHECK(is_right_answer(&shape, number, -more, false));
            CHECK(is_right_answer(&shape, number, most, is_range));
            CHECK(is_right_answer(&shape, number, -most, has_sign));
            CHECK(role == 'x' || is_right_answer(&shape, number, -1e-45f, has_sign));
            CHECK(role == 'x' || is_right_answer(&shape, number, 0.0f, true));
            CHECK(role == 'x' || is_right_answer(&shape, number, -0.0f, true));
        }
    }
    any_shape cone = {.kind = SHAPE_CONE, .cone = {{0, 0, 0}, {1, 0, 0}, 1, 1.4f}};
    CHECK(shape_is_valid(&cone));
    CHECK(is_right_answer(&cone, &cone.cone.angle, nextafterf(1.4f, 2.0f), false));
}

static void axes_may_be_wrong_by_a_thousandth(void)
{
    const acre_oriented_box right = {{0, 0, 0}, {1, 1, 1}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    CHECK(acre_oriented_box_is_valid(&right));
    for (int i = 0; i < 9; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            acre_oriented_box box = right;
            box.axes[i / 3][i % 3] += 0.0009f * (float)sign;
            CHECK(acre_oriented_box_is_valid(&box));
            box.axes[i / 3][i % 3] += 0.0002f * (float)sign;
            CHECK(!acre_oriented_box_is_valid(&box));
        }
    }
    const acre_oriented_box flat = {{0, 0, 0}, {1, 1, 1}, {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}}};
    const acre_oriented_box zero = {{0, 0, 0}, {1, 1, 1}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}};
    CHECK(!acre_oriented_box_is_valid(&flat) && !acre_oriented_box_is_valid(&zero));
}

static void no_shape_is_not_valid(void)
{
    CHECK(!acre_sphere_is_valid(NULL) && !acre_circle_is_valid(NULL));
    CHECK(!acre_capsule_is_valid(NULL) && !acre_cone_is_valid(NULL));
    CHECK(!acre_oriented_box_is_valid(NULL) && !acre_ray_is_valid(NULL));
}

// ---- distances of boxes, planes of oriented boxes ----

static double box_distance_double(const acre_aabb *a, const acre_aabb *b)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double gap =
            fmax((double)a->min[i] - (double)b->max[i], (double)b->min[i] - (double)a->max[i]);
        sum += gap > 0.0 ? gap * gap : 0.0;
    }
    return sqrt(sum);
}

static void the_distance_of_boxes_is_that_of_their_nearest_points(void)
{
    test_random random = {test_seed + 8};
    uint32_t apart = 0;
    for (uint32_t run = 0; run < 40000 * test_scale; run++) {
        const test_place *const at = &places[run % PLACE_COUNT];
        const any_shape sphere = random_shape(&random, SHAPE_SPHERE, at);
        double point[2][3];
        shape_random_point(&random, &sphere, point[0]);
        shape_random_point(&random, &sphere, point[1]);
        const acre_aabb a = shape_box_around(&random, &sphere, point[0], at->size);
        const acre_aabb b = shape_box_around(&random, &sphere, point[1], 0.01f * at->size);
        const float distance = acre_aabb_distance(&a, &b);
        const double right = box_distance_double(&a, &b);
        CHECK(distance == acre_aabb_distance(&b, &a));
        CHECK(distance == 0.0f || !acre_aabb_overlaps(&a, &b));
        CHECK(fabs((double)distance - right) <= 0x1p-22 * right + 0x1p-70);
        apart += distance > 0.0f;
    }
    CHECK(apart > 1000);
}

static void boxes_at_infinity_have_a_distance_that_is_a_number(void)
{
    const float most = FLT_MAX;
    const acre_aabb low = {{-most, -most, -most}, {-most, -most, -most}};
    const acre_aabb high = {{most, most, most}, {most, most, most}};
    const acre_aabb far = {{INFINITY, 0, 0}, {INFINITY, 1, 1}};
    const acre_aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb half = {{2, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb unit_box = {{0, 0, 0}, {1, 1, 1}};
    CHECK(acre_aabb_distance(&low, &high) == INFINITY);
    CHECK(acre_aabb_distance(&unit_box, &far) == INFINITY);
    CHECK(acre_aabb_distance(&far, &far) == 0.0f);
    CHECK(acre_aabb_distance(&all, &all) == 0.0f && acre_aabb_distance(&far, &all) == 0.0f);
    CHECK(acre_aabb_distance(&unit_box, &half) == 1.0f);
    CHECK(acre_aabb_distance(&half, &all) == 0.0f);
}

// The corner of an oriented box, by three bits.
static void corner_of(const acre_oriented_box *box, int bits, double *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = (double)box->center[i];
        for (int axis = 0; axis < 3; axis++) {
            const double side = bits >> axis & 1 ? 1.0 : -1.0;
            out[i] += side * (double)box->half_size[axis] * (double)box->axes[axis][i];
        }
    }
}

// Each plane has four corners near it and four inside, or all near it.
static void the_planes_of_an_oriented_box_are_its_sides_moved_outwards(void)
{
    test_random random = {test_seed + 9};
    for (uint32_t run = 0; run < 5000 * test_scale; run++) {
        const any_shape shape =
            random_shape(&random, SHAPE_ORIENTED_BOX, &places[run % PLACE_COUNT]);
        const double margin = shape_plane_doubt(&shape);
        const acre_frustum frustum = oriented_box_sides(&shape.oriented);
        CHECK(frustum.plane_count == 6);
        for (int i = 0; i < 6; i++) {
            const float *const plane = frustum.planes[i];
            int near_count = 0;
            for (int bits = 0; bits < 8; bits++) {
                double corner[3], distance = (double)plane[3];
                corner_of(&shape.oriented, bits, corner);
                for (int k = 0; k < 3; k++) {
                    distance += (double)plane[k] * corner[k];
                }
                CHECK(distance >= 0.0);
                near_count += distance <= margin;
            }
            CHECK(near_count >= 4);
        }
    }
}

static void an_empty_box_is_at_an_infinite_distance_of_every_box(void)
{
    const acre_aabb empty = acre_aabb_empty(), box = {{-1, 2, 3}, {4, 5, 6}};
    const acre_aabb everything = {{-INFINITY, -INFINITY, -INFINITY},
                                  {INFINITY, INFINITY, INFINITY}};
    CHECK(acre_aabb_distance(&empty, &box) == INFINITY);
    CHECK(acre_aabb_distance(&box, &empty) == INFINITY);
    CHECK(acre_aabb_distance(&empty, &empty) == INFINITY);
    CHECK(acre_aabb_distance(&everything, &box) == 0.0f);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(no_box_that_contains_a_point_of_a_shape_is_lost),
        TEST(no_box_beyond_the_stated_doubt_is_found),
        TEST(random_boxes_are_found_if_they_touch_and_not_if_they_are_outside),
        TEST(boxes_at_the_end_of_all_floats_get_the_right_answer),
        TEST(boxes_whose_squared_diagonal_is_about_the_largest_float_are_not_lost),
        TEST(the_exact_test_of_oriented_boxes_finds_less_than_the_plain_one),
        TEST(what_the_planes_of_an_oriented_box_contain_passes_its_exact_test),
        TEST(a_ray_enters_a_box_where_the_oracle_says),
        TEST(a_ray_that_hits_nothing_enters_at_infinity),
        TEST(shapes_without_size_are_their_place),
        TEST(shapes_that_are_the_same_volume_give_the_same_answers),
        TEST(a_shape_is_valid_unless_one_of_its_numbers_is_out_of_range),
        TEST(axes_may_be_wrong_by_a_thousandth),
        TEST(no_shape_is_not_valid),
        TEST(the_distance_of_boxes_is_that_of_their_nearest_points),
        TEST(boxes_at_infinity_have_a_distance_that_is_a_number),
        TEST(the_planes_of_an_oriented_box_are_its_sides_moved_outwards),
        TEST(an_empty_box_is_at_an_infinite_distance_of_every_box),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
