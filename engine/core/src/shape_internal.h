// SPDX-License-Identifier: MIT
// shape_internal.h - shapes as queries test them: the intersection of up to five parts.
//
//     bounds   a box
//     planes   a frustum: the sides of an oriented box, the base of a cone
//     ball     spheres whose centers lie on a segment and whose radii grow along it: a sphere, a
//              circle on the ground, all around a segment, the side of a cone
//     slab     a ray, or a box that moves along it
//     edges    for the exact test of an oriented box: axes that are perpendicular to an edge of it
//              and to an edge of another box
//
// The tests of balls, slabs and edges are written once, in shape_lanes.h, for one box and for four.
#ifndef ACRE_SHAPE_INTERNAL_H
#define ACRE_SHAPE_INTERNAL_H

#include <acre/shapes.h>

#include "shape_list.h"

enum { SHAPE_HAS_BALL = 1u << 0, SHAPE_HAS_SLAB = 1u << 1, SHAPE_HAS_EDGES = 1u << 2 };

// The sphere at 0 <= t <= length has the center start + t axis and the radius radius + t slope.
typedef struct shape_ball {
    float start[3];
    float axis[3];    // of length 1; zero where length is 0
    float inverse[3]; // 1 / axis; zero where that is not finite
    float length, radius;
    float slope;  // 0..1
    float tilt;   // how far ahead of a point its nearest sphere is, per distance from the axis
    float slack;  // added to radii: more than twice the rounding error
    bool is_flat; // y does not count
} shape_ball;

// The largest number of a shape: squares of sums of some of them are floats.
#define LARGEST_OF_SHAPE 0x1p50f
// Share of a shape's size, and of a plane's distance from the origin, that covers the rounding of
// float tests, which is below 2^-21.
#define SHAPE_SLACK_SHARE 0x1p-20
// The least slack: tests compare squares, and denormal floats have fewer digits.
#define LEAST_SLACK 0x1p-60

// A ball of one sphere, or a circle on the ground, for tests that need no more. It answers as the
// ball's tests do, bit for bit.
typedef struct shape_round {
    float center[3];
    float touch; // the sphere touches a box whose squared distance is at most this
    float hold;  // it holds a box whose farthest corner has at most this squared distance
} shape_round;

static inline shape_round shape_round_of(const float *center, float radius)
{
    const float slack = (float)(SHAPE_SLACK_SHARE * (double)radius + LEAST_SLACK);
    const float reach = radius + slack, depth = radius - 2.0f * slack;
    const float inside = depth > 0.0f ? depth : 0.0f;
    return (shape_round){{center[0], center[1], center[2]}, reach * reach, inside * inside};
}

// The largest length of a slab: with slack it is still a float, so that a ray touches nothing that
// begins infinitely far away.
#define LARGEST_OF_SLAB 0x1.ffffcp127f

typedef struct shape_slab {
    float origin[3];
    float inverse[3];    // 1 / direction, which has length 1; INFINITY if the ray stays where it is
    float shift[3];      // what is added to near edges: the half size, with slack, against the ray
    uint8_t near_row[3]; // rows of a box that hold the edges that the ray meets first
    float length;
} shape_slab;

// Nine axes: the cross product of each axis of the world with each of the box. It has no component
// along the former; the two others are along the world's next axis and the one after it.
typedef struct shape_edges {
    float center[3];
    float axes[3][3][2];
    float reach[3][3]; // half the oriented box's extent along each axis
} shape_edges;

typedef struct prepared_shape {
    uint32_t parts; // SHAPE_HAS_...: which of ball, slab and edges are set; bounds and planes are
    acre_aabb bounds;
    acre_frustum planes;
    shape_ball ball;
    shape_slab slab;
    shape_edges edges;
} prepared_shape;

// For every shape acre_sphere_is_valid and so on, as shapes.h has the word, false for NULL; and
// acre_prepare_sphere and so on, of valid shapes.
#define X(SHAPE, name, type, layout)                                                               \
    bool acre_##name##_is_valid(const type *name);                                                 \
    void acre_prepare_##name(prepared_shape *out, const type *name);
SHAPE_LIST(X)
#undef X
// Adds the edges, which exact tests alone need: they take as long as all the rest.
void acre_prepare_edges(prepared_shape *out, const acre_oriented_box *oriented);

#endif
