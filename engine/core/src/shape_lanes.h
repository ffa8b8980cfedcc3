// SPDX-License-Identifier: MIT
// shape_lanes.h - the tests of balls, slabs and edges, and distances of boxes: LANES boxes at a
// time.
//
// A file includes lanes_one.h or lanes_four.h and then this file. Both do the same operations in
// the same order, so that their results are the same bits. Boxes come as six vectors: x min, x max,
// y min, y max, z min, z max.
//
// If a box is accepted, every box that contains it must be accepted too: a walk tests the outer one
// first. Tests of single spheres and of slabs, and distances of boxes, are monotone under rounding:
// a larger box is never farther away. The search along a ball's segment is not monotone; boxes that
// contain others have a test of their own, ball_comes_near.
#ifndef ACRE_SHAPE_LANES_H
#define ACRE_SHAPE_LANES_H

#include "compiler_internal.h"
#include "shape_internal.h"

#include <math.h>

// More than twice the rounding error of a slab's distances, as a share of the distance.
#define SLAB_SLACK 0x1p-20f

static inline floats floats_square(floats v)
{
    return floats_mul(v, v);
}

static inline floats floats_size(floats v)
{
    return floats_max(v, floats_sub(floats_all(0.0f), v));
}

// ---- ball ----

// A box relative to the ball's start.
typedef struct ball_box {
    floats low[3], high[3];
} ball_box;

static inline ball_box ball_relative(const shape_ball *ball, const floats *rows)
{
    ball_box box;
    for (int axis = 0; axis < 3; axis++) {
        const floats start = floats_all(ball->start[axis]);
        box.low[axis] = floats_sub(rows[axis * 2], start);
        box.high[axis] = floats_sub(rows[axis * 2 + 1], start);
    }
    return box;
}

// Half the slope of the squared distance at t; *squared receives that distance. An axis adds
// nothing while t is between the box's edges.
static inline floats ball_slope(const shape_ball *ball, const ball_box *box, floats t,
                                floats *squared)
{
    const floats zero = floats_all(0.0f);
    floats slope = zero, sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == 1 && ball->is_flat) {
            continue;
        }
        const floats at = floats_mul(t, floats_all(ball->axis[axis]));
        const floats below = floats_max(floats_sub(box->low[axis], at), zero);
        const floats above = floats_max(floats_sub(at, box->high[axis]), zero);
        const floats gap = floats_sub(above, below);
        slope = floats_add(slope, floats_mul(gap, floats_all(ball->axis[axis])));
        sum = floats_add(sum, floats_square(gap));
    }
    *squared = sum;
    return slope;
}

// Whether the sphere at t, slack times larger, touches the box.
static inline choice ball_reaches(const shape_ball *ball, floats squared, floats t, float slack)
{
    const floats grown = floats_mul(t, floats_all(ball->slope));
    const floats reach = floats_add(floats_all(ball->radius + slack), grown);
    return floats_not_above(squared, floats_square(reach));
}

// Finds from and to between which distance less radius, a convex function of t, is least. They are
// where the segment passes an edge of the box, or the segment's ends.
static inline void ball_bracket(const shape_ball *ball, const ball_box *box, floats *from,
                                floats *to)
{
    const floats zero = floats_all(0.0f), length = floats_all(ball->length);
    const floats steepness = floats_all(ball->slope * ball->slope);
    *from = zero;
    *to = length;
    for (int edge = 0; edge < 6; edge++) {
        const floats at = edge & 1 ? box->high[edge >> 1] : box->low[edge >> 1];
        floats t = floats_mul(at, floats_all(ball->inverse[edge >> 1]));
        t = floats_min(floats_max(t, zero), length); // NaN becomes 0
        floats squared;
        const floats slope = ball_slope(ball, box, t, &squared);
        // The distance grows faster than the radius: slope / sqrt(squared) > ball->slope.
        const choice rises =
            choice_and(floats_less(zero, slope),
                       floats_less(floats_mul(steepness, squared), floats_square(slope)));
        *from = floats_choose(rises, *from, floats_max(*from, t));
        *to = floats_choose(rises, floats_min(*to, t), *to);
    }
}

// Where in the bracket distance less radius is least. The squared distance is a parabola there, and
// the axes that add to it give its second derivative.
static inline floats ball_least(const shape_ball *ball, const ball_box *box, floats from, floats to)
{
    const floats zero = floats_all(0.0f), tiny = floats_all(0x1p-100f);
    const floats middle = floats_mul(floats_all(0.5f), floats_add(from, to));
    floats curve = zero, squared;
    for (int axis = 0; axis < 3; axis++) {
        const floats at = floats_mul(middle, floats_all(ball->axis[axis]));
        const choice adds =
            choice_or(floats_less(at, box->low[axis]), floats_less(box->high[axis], at));
        const floats part = floats_all(ball->axis[axis] * ball->axis[axis]);
        curve = floats_add(curve, floats_choose(adds, part, zero));
    }
    curve = floats_max(curve, tiny);
    floats slope = ball_slope(ball, box, middle, &squared);
    floats t = floats_sub(middle, floats_div(slope, curve)); // the vertex
    t = floats_max(floats_min(t, to), from);
    if (ball->slope > 0.0f) {
        // From near the vertex, so that little cancels: the vertex, and the distance there.
        slope = ball_slope(ball, box, t, &squared);
        const floats vertex = floats_sub(t, floats_div(slope, curve));
        const floats least =
            floats_max(floats_sub(squared, floats_div(floats_square(slope), curve)), zero);
        const floats steepness = floats_all(ball->slope * ball->slope);
        const floats left = floats_max(floats_sub(curve, steepness), zero);
        const floats ahead = floats_sqrt(
            floats_div(floats_mul(steepness, least), floats_max(floats_mul(curve, left), tiny)));
        t = floats_max(floats_min(floats_add(vertex, ahead), to), from);
    }
    return t;
}

// Decides lanes by the sphere nearest to the box's middle. If it touches the box, the ball does. If
// the middle is farther away than half the diagonal, the ball does not; doubt is a share of all
// lengths far above the rounding error. @return the lanes that are decided.
static inline choice ball_decides(const shape_ball *ball, const ball_box *box, float slack,
                                  choice *touches)
{
    const float doubt = 0x1p-16f;
    const floats half = floats_all(0.5f), zero = floats_all(0.0f);
    floats middle[3], diagonal = zero, along = zero, aside = zero, apart = zero, squared;
    for (int axis = 0; axis < 3; axis++) {
        const floats low = floats_mul(half, box->low[axis]);
        const floats high = floats_mul(half, box->high[axis]);
        middle[axis] = floats_add(low, high);
        diagonal = floats_add(diagonal, floats_square(floats_sub(high, low)));
        along = floats_add(along, floats_mul(middle[axis], floats_all(ball->axis[axis])));
    }
    for (int axis = 0; axis < 3; axis++) {
        const floats at = floats_mul(along, floats_all(ball->axis[axis]));
        aside = floats_add(aside, floats_square(floats_sub(middle[axis], at)));
    }
    const floats tilted = floats_mul(floats_sqrt(aside), floats_all(ball->tilt));
    const floats length = floats_all(ball->length);
    const floats t = floats_min(floats_max(floats_add(along, tilted), zero), length);
    for (int axis = 0; axis < 3; axis++) {
        const floats at = floats_mul(t, floats_all(ball->axis[axis]));
        apart = floats_add(apart, floats_square(floats_sub(middle[axis], at)));
    }
    const floats reach = floats_add(floats_all(ball->radius + slack + doubt * ball->length),
                                    floats_mul(t, floats_all(ball->slope)));
    const floats far_edge = floats_mul(floats_sqrt(diagonal), floats_all(1.0f + doubt));
    // Where the square exceeds all floats, so may that of a diagonal that is hardly longer.
    const floats distance =
        floats_mul(floats_sqrt(floats_min(apart, floats_all(0x1p126f))), floats_all(1.0f - doubt));
    (void)ball_slope(ball, box, t, &squared);
    *touches = ball_reaches(ball, squared, t, slack);
    return choice_or(*touches, floats_less(floats_add(far_edge, reach), distance));
}

// A single sphere: lanes whose box it touches.
static inline choice sphere_touches(const shape_ball *ball, const ball_box *box)
{
    const floats zero = floats_all(0.0f);
    floats squared;
    (void)ball_slope(ball, box, zero, &squared);
    return ball_reaches(ball, squared, zero, ball->slack);
}

// Lanes whose box the ball touches.
static inline choice ball_touches(const shape_ball *ball, const floats *rows)
{
    const ball_box box = ball_relative(ball, rows);
    const float slack = ball->slack;
    floats squared;
    choice touches;
    if (!(ball->length > 0.0f)) {
        return sphere_touches(ball, &box);
    }
    if (choice_bits(ball_decides(ball, &box, slack, &touches)) == (1u << LANES) - 1) {
        return touches;
    }
    floats from, to;
    ball_bracket(ball, &box, &from, &to);
    const floats candidates[3] = {from, ball_least(ball, &box, from, to), to};
    for (int i = 0; i < 3; i++) {
        (void)ball_slope(ball, &box, candidates[i], &squared);
        touches = choice_or(touches, ball_reaches(ball, squared, candidates[i], slack));
    }
    return touches;
}

// Lanes whose box may contain a box that the ball touches: never fewer lanes than ball_touches, in
// fewer steps.
static inline choice ball_comes_near(const shape_ball *ball, const floats *rows)
{
    const ball_box box = ball_relative(ball, rows);
    choice touches;
    if (!(ball->length > 0.0f)) {
        return sphere_touches(ball, &box);
    }
    const choice decided = ball_decides(ball, &box, ball->slack, &touches);
    return choice_or(touches, choice_not(decided));
}

// Lanes whose box lies in a single sphere of the ball, without slack. Misses boxes that need
// several spheres.
static inline choice ball_holds(const shape_ball *ball, const floats *rows)
{
    const ball_box box = ball_relative(ball, rows);
    const floats half = floats_all(0.5f), zero = floats_all(0.0f);
    floats t = zero;
    for (int axis = 0; axis < 3 && ball->length > 0.0f; axis++) {
        const floats middle =
            floats_add(floats_mul(half, box.low[axis]), floats_mul(half, box.high[axis]));
        t = floats_add(t, floats_mul(middle, floats_all(ball->axis[axis])));
    }
    t = floats_min(floats_max(t, zero), floats_all(ball->length));
    floats farthest = zero;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == 1 && ball->is_flat) {
            continue;
        }
        const floats at = floats_mul(t, floats_all(ball->axis[axis]));
        const floats far_edge =
            floats_max(floats_sub(at, box.low[axis]), floats_sub(box.high[axis], at));
        farthest = floats_add(farthest, floats_square(far_edge));
    }
    const floats grown = floats_mul(t, floats_all(ball->slope));
    const floats reach =
        floats_max(floats_add(floats_all(ball->radius - 2.0f * ball->slack), grown), zero);
    return floats_not_above(farthest, floats_square(reach));
}

// ---- slab ----

// Defines `name` for a type of vector and the operations that are named after it: the set of boxes
// that the ray touches within `reach`, which is at most its length. rows: the boxes' first row;
// each further row begins `stride` floats behind the one before. others: the same for the second
// half of the boxes, for a `load` that joins two places. enters receives where the ray enters the
// boxes. Along an axis where the ray stays where it is, products are infinite, or NaN for an edge
// that it touches, which min and max ignore.
#define SLAB_TOUCHES(name, vector, load)                                                           \
    ACRE_ALWAYS_INLINE uint32_t name(const shape_slab *slab, const float *rows,                    \
                                     const float *others, size_t stride, float reach,              \
                                     float *enters)                                                \
    {                                                                                              \
        vector first = vector##_all(0.0f), last = vector##_all(reach);                             \
        for (int axis = 0; axis < 3; axis++) {                                                     \
            const size_t from = slab->near_row[axis] * stride;                                     \
            const size_t to = (slab->near_row[axis] ^ 1u) * stride;                                \
            const vector origin = vector##_all(slab->origin[axis]);                                \
            const vector shift = vector##_all(slab->shift[axis]);                                  \
            const vector inverse = vector##_all(slab->inverse[axis]);                              \
            const vector in = vector##_sub(load(rows + from, others + from), origin);              \
            const vector out = vector##_sub(load(rows + to, others + to), origin);                 \
            first = vector##_max(vector##_mul(vector##_add(in, shift), inverse), first);           \
            last = vector##_min(vector##_mul(vector##_sub(out, shift), inverse), last);            \
        }                                                                                          \
        vector##_store(enters, vector##_min(first, vector##_all(slab->length)));                   \
        const vector early = vector##_mul(first, vector##_all(1.0f - SLAB_SLACK));                 \
        /* Denormal floats are wrong by more than their share. */                                  \
        const vector late = vector##_add(vector##_mul(last, vector##_all(1.0f + SLAB_SLACK)),      \
                                         vector##_all(0x1p-126f));                                 \
        return vector##_bits_not_above(early, late);                                               \
    }

// Bit i: lane i of a is at most that of b.
static inline uint32_t floats_bits_not_above(floats a, floats b)
{
    return choice_bits(floats_not_above(a, b));
}

static inline floats floats_of_rows(const float *rows, const float *others)
{
    (void)others;
    return floats_load(rows);
}

SLAB_TOUCHES(slab_touches, floats, floats_of_rows)

// ---- edges ----

// Lanes whose box is certainly separated from the oriented box by an axis that is perpendicular to
// an edge of each (Gottschalk, Lin and Manocha 1996). Boxes with infinite edges never are.
static inline choice edges_separate(const shape_edges *edges, const floats *rows)
{
    const float doubt = 0x1p-21f; // twice what rounding may be wrong by
    const floats half = floats_all(0.5f);
    floats middle[3], reach[3];
    choice separates = choice_of(false);
    for (int axis = 0; axis < 3; axis++) {
        const floats center = floats_all(edges->center[axis]);
        const floats low = floats_mul(half, floats_sub(rows[axis * 2], center));
        const floats high = floats_mul(half, floats_sub(rows[axis * 2 + 1], center));
        middle[axis] = floats_add(low, high);
        reach[axis] = floats_sub(high, low);
    }
    for (int axis = 0; axis < 9; axis++) {
        const int world = axis / 3, next = (world + 1) % 3, last = (world + 2) % 3;
        const float *const along = edges->axes[world][axis % 3];
        const floats one = floats_mul(middle[next], floats_all(along[0]));
        const floats other = floats_mul(middle[last], floats_all(along[1]));
        const floats apart = floats_size(floats_add(one, other));
        const floats size = floats_add(floats_mul(reach[next], floats_all(fabsf(along[0]))),
                                       floats_mul(reach[last], floats_all(fabsf(along[1]))));
        const floats spread = floats_add(floats_size(one), floats_size(other)); // what may cancel
        const floats together = floats_add(size, floats_all(edges->reach[world][axis % 3]));
        const floats limit =
            floats_add(together, floats_mul(floats_all(doubt), floats_add(together, spread)));
        separates = choice_or(separates, floats_less(limit, apart));
    }
    return separates;
}

// ---- distance ----

// The least distance to another box, given as six floats in the same order.
static inline floats box_distance(const float *other, const floats *rows)
{
    const floats zero = floats_all(0.0f);
    floats sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        const floats below = floats_sub(rows[axis * 2], floats_all(other[axis * 2 + 1]));
        const floats above = floats_sub(floats_all(other[axis * 2]), rows[axis * 2 + 1]);
        sum = floats_add(sum, floats_square(floats_max(floats_max(below, above), zero)));
    }
    return floats_sqrt(sum);
}

#endif
