// SPDX-License-Identifier: MIT
// occluder_move.c - occluders under matrices, rounded inward.
//
// A place of the footprint p and a height y become, with the parts of the matrix,
//
//     ground = A p + k y + t        height = a . p + s y + h
//
// Solved for y, all places at one height w of the world are B p + t + k (w - h) / s, with
// B = A - k a^T / s: the same polygon at each height, moved along k. So a prism from `low` to
// `high` lies within if its footprint does at both of these, and a . p moves neither beyond the
// ends.
#include "occluder_shared.h"

#include "float_bits.h"
#include "occluder_internal.h"

#include <math.h>
#include <string.h>

// Matrices that turn about y in several steps of floats tilt by less than this share.
#define ROUNDED_TILT 0x1p-16
// A share of the largest coordinate: each coordinate becomes a float.
#define ROUNDED_SHARE 0x1p-23

// Of what is measured in doubles.
#define FACTS_MARGIN 0x1p-40

// The image of an occluder before it is rounded.
typedef struct moved_prism {
    footprint shape;  // without `origin`, counterclockwise as footprints are
    double origin[2]; // t, and what k adds at the middle height
    double low, high;
    double swing[2]; // how far the polygon moves from there to the ends
} moved_prism;

// Heights that all of the footprint reaches. @return false: none, or upside down without an end.
static bool move_heights(moved_prism *out, const acre_occluder *in, const float *m, bool is_level)
{
    const double scale = (double)m[5];
    double least = is_level ? 0 : (double)INFINITY, most = -least; // of a . p
    for (uint32_t k = 0; k < in->point_count && !is_level; k++) {
        const double rise =
            (double)m[1] * (double)in->points[k][0] + (double)m[9] * (double)in->points[k][1];
        least = rise < least ? rise : least; // gcc 12 for arm64 does not compile fmin and fmax here
        most = rise > most ? rise : most;
    }
    const double lower = (double)(scale > 0 ? in->bottom : in->top);
    const double upper = (double)(scale > 0 ? in->top : in->bottom);
    out->low = (double)m[13] + (scale * lower + most);
    out->high = (double)m[13] + (scale * upper + least);
    return out->low < out->high && out->high <= FARTHEST_OCCLUDER &&
           (out->low >= -FARTHEST_OCCLUDER || out->low == -(double)INFINITY);
}

static bool is_upright(const float *m)
{
    const double ground = fmax(fmax(fabs((double)m[0]), fabs((double)m[2])),
                               fmax(fabs((double)m[8]), fabs((double)m[10])));
    const double scale = fabs((double)m[5]);
    return fmax(fabs((double)m[1]), fabs((double)m[9])) <= ROUNDED_TILT * fmin(ground, scale) &&
           fmax(fabs((double)m[4]), fabs((double)m[6])) <= ROUNDED_TILT * fmin(ground, scale);
}

static void move_footprint(moved_prism *out, const acre_occluder *in, const float *m, double low)
{
    const double shift[2] = {(double)m[4] / (double)m[5], (double)m[6] / (double)m[5]}; // k / s
    const double across[2][2] = {
        {(double)m[0] - shift[0] * (double)m[1], (double)m[2] - shift[1] * (double)m[1]},
        {(double)m[8] - shift[0] * (double)m[9], (double)m[10] - shift[1] * (double)m[9]}};
    const uint32_t count = in->point_count;
    const double origin[2] = {0, 0};
    const bool is_mirrored = cross_2(across[0], across[1]) < 0;
    footprint own;
    (void)acre_footprint_take(&own, in, origin);
    out->shape.count = count;
    for (uint32_t k = 0; k < count; k++) {
        const double *const from = own.corners[k];
        double *const to = out->shape.corners[is_mirrored ? count - 1 - k : k];
        to[0] = across[0][0] * from[0] + across[1][0] * from[1];
        to[1] = across[0][1] * from[0] + across[1][1] * from[1];
    }
    for (int i = 0; i < 2; i++) {
        out->origin[i] =
            (double)m[12 + 2 * i] + shift[i] * (0.5 * (low + out->high) - (double)m[13]);
        out->swing[i] = shift[i] * 0.5 * (out->high - low);
    }
}

static void middle_of_footprint(const footprint *shape, double *out)
{
    out[0] = out[1] = 0;
    for (uint32_t k = 0; k < shape->count; k++) {
        out[0] += shape->corners[k][0] / shape->count;
        out[1] += shape->corners[k][1] / shape->count;
    }
}

// Pulls the corners towards the middle until no edge's line is nearer to what it was than the swing
// and the rounding of corners ask for. @return false: nothing is left.
static bool pull_inward(footprint *shape, const double *swing, double rounding)
{
    double middle[2], share = 0;
    middle_of_footprint(shape, middle);
    for (uint32_t k = 0; k < shape->count; k++) {
        double edge[2];
        footprint_edge(shape, k, edge);
        const double to_middle[2] = {middle[0] - shape->corners[k][0],
                                     middle[1] - shape->corners[k][1]};
        const double room = cross_2(edge, to_middle);
        const double needed =
            fabs(cross_2(edge, swing)) + (fabs(edge[0]) + fabs(edge[1])) * rounding;
        if (!(needed < room)) {
            return false;
        }
        share = fmax(share, needed / room);
    }
    for (uint32_t k = 0; k < shape->count; k++) {
        for (int i = 0; i < 2; i++) {
            shape->corners[k][i] += share * (middle[i] - shape->corners[k][i]);
        }
    }
    return true;
}

static double farthest_coordinate(const moved_prism *moved)
{
    double largest = 0;
    for (uint32_t k = 0; k < moved->shape.count; k++) {
        for (int i = 0; i < 2; i++) {
            largest = fmax(largest, fabs(moved->shape.corners[k][i] + moved->origin[i]));
        }
    }
    return largest;
}

static void round_heights(acre_occluder *out, const moved_prism *moved)
{
    out->bottom = moved->low > -(double)INFINITY ? float_round_up(moved->low) : -INFINITY;
    out->top = float_round_down(moved->high);
}

static bool round_inward(acre_occluder *out, moved_prism *moved)
{
    const double largest = farthest_coordinate(moved);
    if (!(largest <= FARTHEST_OCCLUDER) ||
        !pull_inward(&moved->shape, moved->swing, ROUNDED_SHARE * largest)) {
        return false;
    }
    for (uint32_t k = 0; k < moved->shape.count; k++) {
        moved->shape.corners[k][0] += moved->origin[0];
        moved->shape.corners[k][1] += moved->origin[1];
    }
    acre_footprint_round(out, &moved->shape);
    round_heights(out, moved);
    return out->point_count >= 3 && out->bottom < out->top;
}

// ---- without a tilt ----

static double length_of(const double *edge)
{
    return fabs(edge[0]) + fabs(edge[1]);
}

occluder_facts acre_occluder_measure(const acre_occluder *occluder)
{
    footprint shape;
    const double origin[2] = {0, 0};
    double middle[2], arriving[2], leaving[2], pull = 0, reach = 0, turn = (double)INFINITY;
    (void)acre_footprint_take(&shape, occluder, origin);
    middle_of_footprint(&shape, middle);
    const occluder_facts at = {.middle = {(float)middle[0], (float)middle[1]}};
    footprint_edge(&shape, shape.count - 1, arriving);
    for (uint32_t k = 0; k < shape.count; k++) {
        const double *const corner = shape.corners[k];
        const double to_middle[2] = {(double)at.middle[0] - corner[0],
                                     (double)at.middle[1] - corner[1]};
        footprint_edge(&shape, k, leaving);
        const double room = cross_2(leaving, to_middle);
        const double bend = cross_2(arriving, leaving) / (length_of(arriving) + length_of(leaving));
        pull = room > 0 ? greater_of(pull, length_of(leaving) / room) : (double)INFINITY;
        turn = bend < turn ? bend : turn;
        reach = greater_of(reach, greater_of(fabs(corner[0]), fabs(corner[1])));
        memcpy(arriving, leaving, sizeof arriving);
    }
    return (occluder_facts){.middle = {at.middle[0], at.middle[1]},
                            .reach = float_round_up(reach),
                            .pull = float_round_up(pull * (1 + FACTS_MARGIN)),
                            .turn = float_round_down(turn * (1 - FACTS_MARGIN))};
}

// What is known of an occluder says by how much to pull it, and that no corner is lost: an edge
// becomes at most `norm` times as long, and cross products `area` times as large.
// @return false: too little is known.
static bool move_measured(acre_occluder *out, const acre_occluder *in, const occluder_facts *facts,
                          const float *m)
{
    const double xx = (double)m[0], xz = (double)m[8], zx = (double)m[2], zz = (double)m[10];
    const double x = (double)m[12], z = (double)m[14];
    const double area = xx * zz - xz * zx, norm = fabs(xx) + fabs(xz) + fabs(zx) + fabs(zz);
    const double largest = norm * (double)facts->reach + greater_of(fabs(x), fabs(z));
    const double rounding = ROUNDED_SHARE * largest;
    const double share = rounding * (double)facts->pull * norm / area, rest = 1 - share;
    if (!(largest <= FARTHEST_OCCLUDER && (double)facts->turn * area > 8 * norm * rounding &&
          rest > 0.5)) {
        return false;
    }
    const double middle[2] = {share * (double)facts->middle[0], share * (double)facts->middle[1]};
    const bool is_turned = xx != 1 || zz != 1 || xz != 0 || zx != 0;
    *out = (acre_occluder){.point_count = in->point_count, .flags = in->flags};
    for (uint32_t k = 0; k < in->point_count; k++) {
        double to[2] = {rest * (double)in->points[k][0] + middle[0],
                        rest * (double)in->points[k][1] + middle[1]};
        if (is_turned) {
            const double from[2] = {to[0], to[1]};
            to[0] = xx * from[0] + xz * from[1];
            to[1] = zx * from[0] + zz * from[1];
        }
        out->points[k][0] = (float)(to[0] + x);
        out->points[k][1] = (float)(to[1] + z);
    }
    return true;
}

bool acre_occluder_move(acre_occluder *out, const acre_occluder *in, const occluder_facts *facts,
                        const float *matrix, double height)
{
    static const float unmoved[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    ACRE_ASSERT(acre_occluder_is_valid(in));
    if (memcmp(matrix, unmoved, sizeof unmoved) == 0) {
        *out = *in;
        return true;
    }
    moved_prism moved;
    const bool is_level = matrix[1] == 0 && matrix[9] == 0 && matrix[4] == 0 && matrix[6] == 0;
    if (matrix[5] == 0 || !move_heights(&moved, in, matrix, is_level)) {
        return false;
    }
    if (is_level && facts && move_measured(out, in, facts, matrix)) {
        round_heights(out, &moved);
        return out->bottom < out->top;
    }
    if (!floats_are_finite(matrix, 16)) {
        return false;
    }
    double low = moved.low;
    if (low == -(double)INFINITY) {
        if (!is_upright(matrix)) {
            return false;
        }
        low = moved.high - height;
    }
    move_footprint(&moved, in, matrix, low);
    acre_occluder made = {.flags = in->flags};
    if (!round_inward(&made, &moved)) {
        return false;
    }
    *out = made;
    return true;
}
