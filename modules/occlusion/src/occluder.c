// SPDX-License-Identifier: MIT
// occluder.c - occluders: which are valid, and what remains of one for a region of eyes.
#include "occluder_internal.h"
#include "occluder_shared.h"

#include "float_bits.h"

#include <math.h>
#include <string.h>

double acre_footprint_take(footprint *out, const acre_occluder *occluder, const double *place)
{
    const uint32_t count = occluder->point_count;
    ACRE_INVARIANT(count >= 3 && count <= ACRE_OCCLUDER_MAX_POINTS);
    const double first[2] = {(double)occluder->points[0][0], (double)occluder->points[0][1]};
    double to_point[2] = {(double)occluder->points[1][0] - first[0],
                          (double)occluder->points[1][1] - first[1]};
    double area = 0;
    for (uint32_t k = 2; k < count; k++) {
        const double to_next[2] = {(double)occluder->points[k][0] - first[0],
                                   (double)occluder->points[k][1] - first[1]};
        area += cross_2(to_point, to_next);
        memcpy(to_point, to_next, sizeof to_point);
    }
    out->count = count;
    for (uint32_t k = 0; k < count; k++) {
        const float *const point = occluder->points[area < 0 ? count - 1 - k : k];
        out->corners[k][0] = (double)point[0] - place[0];
        out->corners[k][1] = (double)point[1] - place[1];
    }
    return area < 0 ? -area : area;
}

bool acre_occluder_is_turned(const acre_occluder *occluder)
{
    footprint shape;
    const double origin[2] = {0, 0};
    (void)acre_footprint_take(&shape, occluder, origin);
    return shape.corners[0][0] == (double)occluder->points[0][0] &&
           shape.corners[0][1] == (double)occluder->points[0][1];
}

void acre_occluder_turn(acre_occluder *occluder)
{
    const acre_occluder before = *occluder;
    const bool is_turned = acre_occluder_is_turned(occluder);
    for (uint32_t k = 0; k < before.point_count && !is_turned; k++) {
        memcpy(occluder->points[k], before.points[before.point_count - 1 - k],
               sizeof occluder->points[k]);
    }
}

// ---- valid ----

static bool number_is_near(float value)
{
    return fabs((double)value) <= FARTHEST_OCCLUDER; // false for NaN
}

// Whether each corner lies within each edge's line, and no two at one place. A polygon that goes
// around twice, or crosses itself, has a corner beyond a line.
static bool footprint_is_convex(const footprint *shape)
{
    for (uint32_t k = 0; k < shape->count; k++) {
        double edge[2];
        footprint_edge(shape, k, edge);
        if (edge[0] == 0 && edge[1] == 0) {
            return false;
        }
        const uint32_t next = next_corner(shape, k);
        for (uint32_t i = next_corner(shape, next); i != k; i = next_corner(shape, i)) {
            const double to_corner[2] = {shape->corners[i][0] - shape->corners[k][0],
                                         shape->corners[i][1] - shape->corners[k][1]};
            const bool is_twice = to_corner[0] == 0 && to_corner[1] == 0;
            if (is_twice || !(cross_2(edge, to_corner) >= 0)) {
                return false;
            }
        }
    }
    return true;
}

bool acre_occluder_is_valid(const acre_occluder *occluder)
{
    if (!occluder || occluder->point_count < 3 ||
        occluder->point_count > ACRE_OCCLUDER_MAX_POINTS ||
        (occluder->flags & ~(uint32_t)ACRE_OCCLUDER_TWO_SIDED) != 0) {
        return false;
    }
    for (uint32_t k = 0; k < occluder->point_count; k++) {
        if (!number_is_near(occluder->points[k][0]) || !number_is_near(occluder->points[k][1])) {
            return false;
        }
    }
    if (!number_is_near(occluder->top) ||
        !(number_is_near(occluder->bottom) || occluder->bottom == -INFINITY) ||
        !(occluder->bottom < occluder->top)) {
        return false;
    }
    footprint shape;
    const double origin[2] = {0, 0};
    return acre_footprint_take(&shape, occluder, origin) > 0 && footprint_is_convex(&shape);
}

acre_result acre_occluder_from_box(acre_occluder *out, const acre_aabb *box)
{
    if (!out || !box) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const float x0 = box->min[0], x1 = box->max[0], z0 = box->min[2], z1 = box->max[2];
    const acre_occluder made = {.points = {{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}},
                                .point_count = 4,
                                .bottom = box->min[1],
                                .top = box->max[1]};
    if (!(x0 < x1 && z0 < z1) || !acre_occluder_is_valid(&made)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = made;
    return ACRE_OK;
}

// A corner that turns by a smaller share of the product of its edges is none. So doubles agree
// about each corner, whichever way they ask.
#define LEAST_TURN 0x1p-40

// ---- shrink ----

// Keeps what lies at least `least` within a line through a corner; cross products measure it.
static void cut_footprint(footprint *shape, const double *corner, const double *edge, double least)
{
    footprint kept = {.count = 0};
    for (uint32_t k = 0; k < shape->count; k++) {
        const double *const from = shape->corners[k];
        const double *const to = shape->corners[next_corner(shape, k)];
        const double from_corner[2] = {from[0] - corner[0], from[1] - corner[1]};
        const double to_corner[2] = {to[0] - corner[0], to[1] - corner[1]};
        const double begin = cross_2(edge, from_corner) - least;
        const double end = cross_2(edge, to_corner) - least;
        ACRE_INVARIANT(kept.count + 2 <= 2 * ACRE_OCCLUDER_MAX_POINTS);
        if (begin >= 0) {
            memcpy(kept.corners[kept.count++], from, sizeof kept.corners[0]);
        }
        if ((begin < 0) != (end < 0)) {
            const double share = begin / (begin - end);
            kept.corners[kept.count][0] = from[0] + share * (to[0] - from[0]);
            kept.corners[kept.count++][1] = from[1] + share * (to[1] - from[1]);
        }
        if (kept.count + 2 > 2 * ACRE_OCCLUDER_MAX_POINTS) {
            kept.count = 0; // only rounding makes so many corners, of a rest without a size
            break;
        }
    }
    *shape = kept;
}

// All points around which a box lies within the shape; `rounding` is added to the box.
static void shrink_footprint(footprint *shape, const float *half, double rounding)
{
    const footprint whole = *shape;
    for (uint32_t k = 0; k < whole.count && shape->count >= 3; k++) {
        double edge[2];
        footprint_edge(&whole, k, edge);
        const double least = fabs(edge[1]) * ((double)half[0] + rounding) +
                             fabs(edge[0]) * ((double)half[2] + rounding);
        cut_footprint(shape, whole.corners[k], edge, least);
    }
}

void acre_footprint_round(acre_occluder *out, const footprint *shape)
{
    float points[2 * ACRE_OCCLUDER_MAX_POINTS][2];
    uint32_t count = shape->count;
    for (uint32_t k = 0; k < count; k++) {
        points[k][0] = (float)shape->corners[k][0];
        points[k][1] = (float)shape->corners[k][1];
    }
    for (uint32_t k = 0; k < count;) {
        const float *const before = points[k > 0 ? k - 1 : count - 1], *const here = points[k];
        const float *const after = points[k + 1 < count ? k + 1 : 0];
        const double arriving[2] = {(double)here[0] - (double)before[0],
                                    (double)here[1] - (double)before[1]};
        const double leaving[2] = {(double)after[0] - (double)here[0],
                                   (double)after[1] - (double)here[1]};
        const double size =
            (fabs(arriving[0]) + fabs(arriving[1])) * (fabs(leaving[0]) + fabs(leaving[1]));
        if (cross_2(arriving, leaving) > LEAST_TURN * size) {
            k++;
            continue;
        }
        count--;
        memmove(points[k], points[k + 1], (count - k) * sizeof points[0]);
        k = k > 0 ? k - 1 : 0; // the corner before has another neighbor now
    }
    out->point_count = count;
    memset(out->points, 0, sizeof out->points);
    if (count <= ACRE_OCCLUDER_MAX_POINTS) {
        memcpy(out->points, points, count * sizeof points[0]);
    }
}

acre_result acre_occluder_shrink(acre_occluder *out, const acre_occluder *in, const float *half)
{
    if (!out || !half || !acre_occluder_is_valid(in) || !floats_are_finite(half, 3) ||
        !(half[0] >= 0 && half[1] >= 0 && half[2] >= 0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    // Corners become floats: each coordinate moves by at most 2^-24 of its size.
    double x = 0, z = 0; // with one for both gcc 12 for arm64 ends with an error of its own
    for (uint32_t k = 0; k < in->point_count; k++) {
        x = fmax(x, fabs((double)in->points[k][0]));
        z = fmax(z, fabs((double)in->points[k][1]));
    }
    footprint shape;
    const double origin[2] = {0, 0};
    (void)acre_footprint_take(&shape, in, origin);
    shrink_footprint(&shape, half, 0x1p-23 * fmax(x, z));

    acre_occluder made = {.flags = in->flags};
    acre_footprint_round(&made, &shape);
    made.bottom =
        in->bottom == -INFINITY ? -INFINITY : float_round_up((double)in->bottom + (double)half[1]);
    made.top = float_round_down((double)in->top - (double)half[1]);
    if (!acre_occluder_is_valid(&made)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    *out = made;
    return ACRE_OK;
}
