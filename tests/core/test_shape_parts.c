// SPDX-License-Identifier: MIT
// test_shape_parts.c - what queries build on: a box that holds another is never told to be farther
// away, and what is told to be inside is.
#include "lanes_one.h"
#include "shape_generator.h"
#include "shape_lanes.h"

#include <float.h>

static const float sizes[] = {1e-3f, 1.0f, 1e3f, 0x1p49f, 1e-20f};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

static void prepare(prepared_shape *out, const any_shape *shape)
{
    switch (shape->kind) {
    case SHAPE_SPHERE:
        acre_prepare_sphere(out, &shape->sphere);
        break;
    case SHAPE_CIRCLE:
        acre_prepare_circle(out, &shape->circle);
        break;
    case SHAPE_CAPSULE:
        acre_prepare_capsule(out, &shape->capsule);
        break;
    case SHAPE_CONE:
        acre_prepare_cone(out, &shape->cone);
        break;
    default:
        acre_prepare_ray(out, &shape->ray);
        break;
    }
}

static any_shape random_shape(test_random *random, shape_kind kind, float size)
{
    float place[3];
    const float offset = random_below(random, 2) ? fminf(100.0f * size, 0x1p49f) : 0.0f;
    for (int i = 0; i < 3; i++) {
        place[i] = random_float(random, -offset, offset);
    }
    return shape_random(random, kind, place, size);
}

static void to_rows(const acre_aabb *box, float *rows)
{
    for (int axis = 0; axis < 3; axis++) {
        rows[axis * 2] = box->min[axis];
        rows[axis * 2 + 1] = box->max[axis];
    }
}

// A box that holds the other: by a float, a little, or much.
static acre_aabb holding(test_random *random, const acre_aabb *box, float size)
{
    acre_aabb outer = *box;
    for (int i = 0; i < 3; i++) {
        const float more = size * exp2f(random_float(random, -24.0f, 2.0f));
        switch (random_below(random, 6)) {
        case 0:
            outer.min[i] -= more;
            break;
        case 1:
            outer.max[i] += more;
            break;
        case 2:
            outer.min[i] = nextafterf(outer.min[i], -INFINITY);
            break;
        case 3:
            outer.max[i] = nextafterf(outer.max[i], INFINITY);
            break;
        case 4:
            outer.max[i] = random_below(random, 8) ? outer.max[i] : INFINITY;
            break;
        default:
            outer.min[i] -= more;
            outer.max[i] += more;
            break;
        }
    }
    return outer;
}

// A box that touches the shape, or is about as far away as rounding leaves in doubt.
static acre_aabb doubtful_box(test_random *random, const any_shape *shape, float size)
{
    const shape_surface surface = shape_random_surface(random, shape);
    const double share = (double)random_float(random, -0.2f, 0.6f);
    const double doubt = isinf(surface.doubt) ? 0.0 : surface.doubt;
    return shape_box_beyond(random, shape, &surface, fmax(share, 0.0) * doubt, size);
}

static void a_ball_comes_near_what_holds_a_box_that_it_touches(void)
{
    test_random random = {test_seed};
    uint32_t touching = 0, apart = 0;
    for (uint32_t run = 0; run < 200000 * test_scale; run++) {
        const float size = sizes[run / SHAPE_ORIENTED_BOX % SIZE_COUNT];
        const any_shape shape = random_shape(&random, (shape_kind)(run % SHAPE_ORIENTED_BOX), size);
        prepared_shape prepared;
        prepare(&prepared, &shape);
        const acre_aabb box = doubtful_box(&random, &shape, size);
        const acre_aabb outer = holding(&random, &box, size);
        float rows[6], outer_rows[6];
        to_rows(&box, rows);
        to_rows(&outer, outer_rows);
        const bool touches = ball_touches(&prepared.ball, rows);
        CHECK(!touches || ball_comes_near(&prepared.ball, outer_rows));
        touching += touches;
        apart += !touches;
    }
    CHECK(touching > 10000 && apart > 10000);
}

static void a_ray_touches_what_holds_a_box_it_touches_and_enters_it_no_later(void)
{
    test_random random = {test_seed + 1};
    uint32_t touching = 0, apart = 0;
    for (uint32_t run = 0; run < 100000 * test_scale; run++) {
        const float size = sizes[run % SIZE_COUNT];
        const any_shape shape = random_shape(&random, SHAPE_RAY, size);
        prepared_shape prepared;
        prepare(&prepared, &shape);
        const acre_aabb box = doubtful_box(&random, &shape, size);
        const acre_aabb outer = holding(&random, &box, size);
        float rows[6], outer_rows[6], enters, outer_enters;
        to_rows(&box, rows);
        to_rows(&outer, outer_rows);
        const bool touches =
            slab_touches(&prepared.slab, rows, rows, 1, prepared.slab.length, &enters);
        const bool outer_touches = slab_touches(&prepared.slab, outer_rows, outer_rows, 1,
                                                prepared.slab.length, &outer_enters);
        CHECK(!touches || (outer_touches && outer_enters <= enters));
        touching += touches;
        apart += !touches;
    }
    CHECK(touching > 10000 && apart > 1000);
}

static void what_holds_a_box_is_no_farther_away(void)
{
    test_random random = {test_seed + 2};
    for (uint32_t run = 0; run < 50000 * test_scale; run++) {
        const float size = sizes[run % SIZE_COUNT];
        const any_shape shape = random_shape(&random, SHAPE_SPHERE, size);
        const acre_aabb box = doubtful_box(&random, &shape, size);
        const acre_aabb other = doubtful_box(&random, &shape, size);
        const acre_aabb outer = holding(&random, &box, size);
        float rows[6], outer_rows[6], other_rows[6];
        to_rows(&box, rows);
        to_rows(&outer, outer_rows);
        to_rows(&other, other_rows);
        CHECK(box_distance(other_rows, outer_rows) <= box_distance(other_rows, rows));
    }
}

// A box around a point of the segment, about as large as fits in the sphere there.
static acre_aabb box_inside(test_random *random, const shape_ball *ball)
{
    acre_aabb box;
    const float t = random_float(random, 0.0f, 1.0f) * ball->length;
    const float fits = (ball->radius + t * ball->slope) * random_float(random, 0.0f, 0.8f);
    for (int i = 0; i < 3; i++) {
        const float middle = ball->start[i] + t * ball->axis[i];
        const float half_size = random_below(random, 4) ? fits : 0.1f * fits;
        box.min[i] = middle - half_size;
        box.max[i] = middle + half_size;
    }
    return box;
}

// Each corner of a box that is told to be inside touches, as its own test says and the oracle
// allows.
static void what_a_ball_holds_has_all_its_corners_in_the_shape(void)
{
    test_random random = {test_seed + 3};
    uint32_t held = 0, not_held = 0;
    for (uint32_t run = 0; run < 60000 * test_scale; run++) {
        const float size = sizes[run / SHAPE_ORIENTED_BOX % SIZE_COUNT];
        const any_shape shape = random_shape(&random, (shape_kind)(run % SHAPE_ORIENTED_BOX), size);
        prepared_shape prepared;
        prepare(&prepared, &shape);
        const acre_aabb box = box_inside(&random, &prepared.ball);
        float rows[6];
        to_rows(&box, rows);
        const bool holds = ball_holds(&prepared.ball, rows);
        for (int bits = 0; bits < 8 && holds; bits++) {
            acre_aabb corner;
            for (int i = 0; i < 3; i++) {
                corner.min[i] = corner.max[i] = bits >> i & 1 ? box.max[i] : box.min[i];
            }
            to_rows(&corner, rows);
            CHECK(ball_touches(&prepared.ball, rows));
            // A cone's spheres go on behind its base, which other parts cut off.
            CHECK(shape.kind == SHAPE_CONE || shape_judge(&shape, &corner) != SHAPE_OUTSIDE);
        }
        held += holds;
        not_held += !holds;
    }
    CHECK(held > 10000 && not_held > 1000);
}

// The squared distances of a box's nearest point and of its farthest corner, as kernels measure.
static void measure_round(const shape_round *round, bool is_flat, const float *rows, float *nearest,
                          float *farthest)
{
    *nearest = *farthest = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float below = rows[axis * 2] - round->center[axis];
        const float above = round->center[axis] - rows[axis * 2 + 1];
        const float gap = fmaxf(fmaxf(below, above), 0.0f), far_edge = fminf(below, above);
        if (axis != 1 || !is_flat) {
            *nearest += gap * gap;
            *farthest += far_edge * far_edge;
        }
    }
}

// Queries of spheres and circles test the round alone: neither the ball nor the bounds.
static void a_round_answers_as_its_ball_does_and_its_bounds_hold_all_that_it_touches(void)
{
    test_random random = {test_seed + 4};
    uint32_t touching = 0, apart = 0, held = 0;
    for (uint32_t run = 0; run < 200000 * test_scale; run++) {
        const float size = sizes[run / 2 % SIZE_COUNT];
        const any_shape shape = random_shape(&random, run % 2 ? SHAPE_SPHERE : SHAPE_CIRCLE, size);
        prepared_shape prepared;
        prepare(&prepared, &shape);
        const acre_aabb box = random_below(&random, 4) ? doubtful_box(&random, &shape, size)
                                                       : box_inside(&random, &prepared.ball);
        const shape_round round = shape_round_of(prepared.ball.start, prepared.ball.radius);
        float rows[6], nearest, farthest;
        to_rows(&box, rows);
        measure_round(&round, prepared.ball.is_flat, rows, &nearest, &farthest);
        const bool touches = ball_touches(&prepared.ball, rows);
        const bool holds = ball_holds(&prepared.ball, rows);
        CHECK(touches == (nearest <= round.touch) && holds == (farthest <= round.hold));
        CHECK(!touches || acre_aabb_overlaps(&prepared.bounds, &box));
        touching += touches;
        apart += !touches;
        held += holds;
    }
    CHECK(touching > 10000 && apart > 10000 && held > 1000);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(a_ball_comes_near_what_holds_a_box_that_it_touches),
        TEST(a_ray_touches_what_holds_a_box_it_touches_and_enters_it_no_later),
        TEST(what_holds_a_box_is_no_farther_away),
        TEST(what_a_ball_holds_has_all_its_corners_in_the_shape),
        TEST(a_round_answers_as_its_ball_does_and_its_bounds_hold_all_that_it_touches),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
