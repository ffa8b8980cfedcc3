// SPDX-License-Identifier: MIT
// horizon_add.c - what an occluder is for an eye or a region of eyes: parts of the four sides.
//
// Everything here is in doubles, relative to the middle of the region. The README derives why no
// part hides what is visible.
#include "horizon_internal.h"

#include "bits_internal.h"
#include "occluder_internal.h"
#include "occluder_shared.h"

#include <math.h>
#include <string.h>

// An occluder as it is seen from the middle of the region.
typedef struct seen_prism {
    double corners[ACRE_OCCLUDER_MAX_POINTS + 1][2]; // as those of a footprint, and the first again
    double crosses[ACRE_OCCLUDER_MAX_POINTS];        // of each corner and the next
    uint32_t count;
    uint32_t fronts, backs; // bits: edges that face the eye, and those that face away. An edge that
                            // is seen from its end is neither
    double bottom, top;     // above the eye
    bool is_over;           // the middle is over, under or in the footprint
} seen_prism;

// The ends of what is seen of a front, as places or turned to a side, as depth and side coordinate:
// v / d grows from the right to the left one.
typedef struct outline {
    double right[2], left[2];
    uint32_t fronts, backs; // bits: the edges where rays enter, and those where they leave; no
                            // backs: only the front counts
} outline;

// @return false: a corner is as good as at the eye.
static bool see_prism(seen_prism *out, const acre_horizon *horizon, const acre_occluder *occluder)
{
    const uint32_t count = occluder->point_count;
    for (uint32_t k = 0; k < count; k++) {
        out->corners[k][0] = (double)occluder->points[k][0] - horizon->eye[0];
        out->corners[k][1] = (double)occluder->points[k][1] - horizon->eye[2];
    }
    memcpy(out->corners[count], out->corners[0], sizeof out->corners[0]);
    uint32_t fronts = 0, backs = 0;
    double size = fabs(out->corners[0][0]) + fabs(out->corners[0][1]), least = (double)INFINITY;
    for (uint32_t k = 0; k < count; k++) {
        const double *const next = out->corners[k + 1];
        const double next_size = fabs(next[0]) + fabs(next[1]);
        const double cross = cross_2(out->corners[k], next);
        const double both = size * next_size, from_end = LEAST_CROSS * both;
        fronts |= (uint32_t)(cross < -from_end) << k;
        backs |= (uint32_t)(cross > from_end) << k;
        least = both < least ? both : least;
        out->crosses[k] = cross;
        size = next_size;
    }
    out->count = count;
    out->fronts = fronts;
    out->backs = backs;
    out->is_over = backs == (1u << count) - 1;
    out->bottom = (double)occluder->bottom - horizon->eye[1];
    out->top = (double)occluder->top - horizon->eye[1];
    return least > 1e-12;
}

// The vector from a corner to the next one.
static void prism_edge(const seen_prism *prism, uint32_t corner, double *out)
{
    out[0] = prism->corners[corner + 1][0] - prism->corners[corner][0];
    out[1] = prism->corners[corner + 1][1] - prism->corners[corner][1];
}

// ---- near ----

// Whether an eye of the region, or what is within the near radius of one, may be in a box.
static bool is_in_box(const acre_horizon *horizon, const acre_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const double reach = horizon->near_radius + (double)horizon->region[axis];
        if ((double)box->min[axis] - horizon->eye[axis] > reach ||
            horizon->eye[axis] - (double)box->max[axis] > reach) {
            return false;
        }
    }
    return true;
}

// Whether no eye of the region comes within the near radius of a prism: all of them stay above it,
// below it, or beyond the line of one edge.
static bool is_clear(const acre_horizon *horizon, const seen_prism *prism)
{
    const double half = (double)horizon->region[1];
    if (prism->bottom - half > horizon->near_radius || -prism->top - half > horizon->near_radius) {
        return true;
    }
    for (uint32_t bits = prism->fronts; bits; bits &= bits - 1) {
        double edge[2];
        const uint32_t k = lowest_bit(bits);
        prism_edge(prism, k, edge);
        const double length2 = edge[0] * edge[0] + edge[1] * edge[1];
        const double cross2 = prism->crosses[k] * prism->crosses[k];
        if (cross2 > horizon->clearance * horizon->clearance * length2) {
            return true;
        }
    }
    return false;
}

// ---- parts ----

// Depth and side coordinate of a point or a direction.
static void turn_to_side(uint32_t side, const double *ground, double *d, double *v)
{
    const double x = ground[0], z = ground[1];
    *d = side == 0 ? x : side == 1 ? z : side == 2 ? -x : -z;
    *v = side == 0 ? z : side == 1 ? -x : side == 2 ? -z : x;
}

// 1 / depth of an edge is at_middle + slope * u, by Cramer's rule. `width` is half that of a
// column.
static horizon_line line_of_edge(uint32_t side, double width, const seen_prism *prism,
                                 uint32_t corner)
{
    double share[2], slope, at_middle;
    const double inverse = 1 / prism->crosses[corner];
    prism_edge(prism, corner, share);
    share[0] *= inverse;
    share[1] *= inverse;
    turn_to_side(side, share, &slope, &at_middle);
    slope = -slope;
    const double half_column = fabs(slope) * width;
    const double swing = half_column + EDGE_LINE_MARGIN * (fabs(at_middle) + fabs(slope));
    return (horizon_line){(float)(at_middle - swing), (float)(at_middle + swing), (float)slope};
}

static uint32_t set_lines(horizon_line *out, uint32_t side, uint32_t count, const seen_prism *prism,
                          uint32_t edges)
{
    const double width = 1.0 / count;
    uint32_t made = 0;
    for (; edges; edges &= edges - 1) {
        out[made++] = line_of_edge(side, width, prism, lowest_bit(edges));
    }
    return made;
}

// The columns of a side that an outline covers wholly. It is turned to that side.
// @return whether there are any.
static bool cover_columns(horizon_part *part, uint32_t count, const outline *seen)
{
    const double half = 0.5 * count;
    const double *const right = seen->right, *const left = seen->left;
    double from = 0, to = count;
    if (right[1] >= greater_of(right[0], 0) || left[1] <= -greater_of(left[0], 0)) {
        return false; // it begins or ends behind this side, or beyond its end
    }
    if (right[1] > -right[0]) {
        from = (right[1] / right[0] + 1) * half + COVER_MARGIN;
    }
    if (left[1] < left[0]) {
        to = (left[1] / left[0] + 1) * half - COVER_MARGIN;
    }
    if (!(from < to)) {
        return false;
    }
    part->first = (uint32_t)from;
    part->first += part->first < from; // rounded up
    part->end = (uint32_t)to;
    return part->first < part->end;
}

// The side that a place is on; at a corner of the square it is on both.
static uint32_t side_of(const double *ground)
{
    return fabs(ground[0]) >= fabs(ground[1]) ? (ground[0] > 0 ? 0 : 2) : ground[1] > 0 ? 1 : 3;
}

// Raises one side after the other, from that of an outline's right end to that of its left end.
// `part` has all that does not depend on the side. @return whether a column changed.
static bool raise_sides(const acre_horizon *horizon, horizon_part *part, const outline *seen,
                        const seen_prism *prism)
{
    const uint32_t count = horizon->columns.count, last = side_of(seen->left);
    bool changed = false;
    part->side = side_of(seen->right);
    for (;;) {
        outline turned;
        turn_to_side(part->side, seen->right, &turned.right[0], &turned.right[1]);
        turn_to_side(part->side, seen->left, &turned.left[0], &turned.left[1]);
        if (cover_columns(part, count, &turned)) {
            part->front_count = set_lines(part->front, part->side, count, prism, seen->fronts);
            part->back_count = set_lines(part->back, part->side, count, prism, seen->backs);
            changed |= horizon->kernel->raise(&horizon->columns, part);
        }
        if (part->side == last) {
            return changed;
        }
        part->side = (part->side + 1) % HORIZON_SIDES;
    }
}

// Heights, rounded inward.
static void set_heights(horizon_part *part, double bottom, double top)
{
    part->bottom = (float)(bottom * (bottom > 0 ? 1 + SLOPE_MARGIN : 1 - SLOPE_MARGIN));
    part->top = (float)(top * (top > 0 ? 1 - SLOPE_MARGIN : 1 + SLOPE_MARGIN));
}

// The front of a prism runs from the left end of its outline to the right one. @return false: it
// has none.
static bool outline_of_prism(outline *out, const seen_prism *prism)
{
    const uint32_t fronts = prism->fronts, last = prism->count - 1;
    const uint32_t after = (fronts << 1 | fronts >> last) & ((2u << last) - 1); // edges behind them
    const uint32_t begins = fronts & ~after, ends = after & ~fronts;
    if (!begins || !ends) {
        return false;
    }
    const uint32_t left = lowest_bit(begins), right = lowest_bit(ends);
    const bool sees_more = prism->top < 0 || prism->bottom > 0; // its roof or its underside
    *out = (outline){.right = {prism->corners[right][0], prism->corners[right][1]},
                     .left = {prism->corners[left][0], prism->corners[left][1]},
                     .fronts = fronts,
                     .backs = sees_more ? prism->backs : 0};
    return true;
}

// How much of the ground a prism spans along a direction, times the direction's length.
static double span_along(const seen_prism *prism, const double *direction)
{
    double nearest = (double)INFINITY, farthest = 0;
    for (uint32_t k = 0; k < prism->count; k++) {
        const double *const corner = prism->corners[k];
        const double along = corner[0] * direction[0] + corner[1] * direction[1];
        nearest = along < nearest ? along : nearest;
        farthest = greater_of(along, farthest);
    }
    return farthest - nearest;
}

// Compares about the solid angle of a prism: its width times what is seen of its height and roof.
static bool looks_large(const acre_horizon *horizon, const seen_prism *prism, const outline *seen)
{
    const double middle[2] = {0.5 * (seen->right[0] + seen->left[0]),
                              0.5 * (seen->right[1] + seen->left[1])};
    const double ground2 = middle[0] * middle[0] + middle[1] * middle[1];
    const double ground = sqrt(ground2);
    const double level = greater_of(0, greater_of(prism->bottom, -prism->top));
    // An occluder that goes far down is as high, for this estimate, as its distance at most.
    const double least_bottom = (prism->top < 0 ? prism->top : 0) - ground;
    double height = prism->top - greater_of(prism->bottom, least_bottom);
    double distance = ground;
    if (level > 0) { // its roof or its underside
        height += span_along(prism, middle) / ground2 * level;
        distance = sqrt(ground2 + level * level);
    }
    // The width is the cross product / ground, and what is seen of the height height * ground.
    return fabs(cross_2(seen->right, seen->left)) * height >=
           (double)horizon->least_angle * distance * distance * distance;
}

// ---- solids ----

// @param whole what the prism was before it was shrunk: only that stands exactly on a floor.
static bool raise_prism(acre_horizon *horizon, const seen_prism *prism, const acre_occluder *whole)
{
    const horizon_columns *const columns = &horizon->columns;
    outline seen;
    if (!outline_of_prism(&seen, prism) || !looks_large(horizon, prism, &seen)) {
        return false;
    }
    horizon_part part; // not zeroed: it is large
    part.is_on_floor = whole->bottom <= columns->floor_top && whole->bottom > -INFINITY;
    part.is_to_ceiling = whole->top >= columns->ceiling_bottom;
    set_heights(&part, prism->bottom, prism->top);
    return raise_sides(horizon, &part, &seen, prism);
}

// ---- slabs ----

// The highest slab below all eyes is the floor, the lowest one above them the ceiling.
static bool lay_slab(acre_horizon *horizon, const seen_prism *prism, const acre_occluder *whole)
{
    horizon_columns *const columns = &horizon->columns;
    const bool is_floor = prism->top < 0;
    const double half = (double)horizon->region[1];
    ACRE_INVARIANT(prism->is_over && (is_floor || prism->bottom > 0));
    if (is_floor ? whole->top <= columns->floor_top : whole->bottom >= columns->ceiling_bottom) {
        return false;
    }
    if (is_floor) {
        columns->floor_top = whole->top;
        columns->floor_height = (float)((prism->top - half) * (1 + SLOPE_MARGIN));
        horizon->floor = *whole;
    } else {
        columns->ceiling_bottom = whole->bottom;
        columns->ceiling_height = (float)((prism->bottom + half) * (1 + SLOPE_MARGIN));
        horizon->ceiling = *whole;
    }
    horizon_part part = {.first = 0, .end = columns->count};
    for (part.side = 0; part.side < HORIZON_SIDES; part.side++) {
        part.back_count = set_lines(part.back, part.side, columns->count, prism, prism->backs);
        horizon->kernel->lay(columns, &part, is_floor ? columns->floor : columns->ceiling);
    }
    return true;
}

// ---- faces ----

// One vertical face of a wall that is too thin for a region. Along it, places are measured from the
// foot of the perpendicular from the middle.
typedef struct wall_face {
    uint32_t corner; // from which its edge leads to the next
    double edge[2], along[2];
    double foot[2];
    double begin, length;
    double half, kappa; // half the region along the face; across it, as a share of the distance
} wall_face;

// @return false: an eye comes close to the face's plane, or the face is seen from its end.
static bool take_face(wall_face *out, const acre_horizon *horizon, const seen_prism *prism,
                      uint32_t corner)
{
    const double *const from = prism->corners[corner];
    const double x = (double)horizon->region[0], z = (double)horizon->region[2];
    const double cross = -prism->crosses[corner]; // length times distance
    ACRE_INVARIANT(cross > 0);
    out->corner = corner;
    prism_edge(prism, corner, out->edge);
    out->length = sqrt(out->edge[0] * out->edge[0] + out->edge[1] * out->edge[1]);
    out->along[0] = out->edge[0] / out->length;
    out->along[1] = out->edge[1] / out->length;
    out->begin = from[0] * out->along[0] + from[1] * out->along[1];
    out->foot[0] = from[0] - out->begin * out->along[0];
    out->foot[1] = from[1] - out->begin * out->along[1];
    out->half = (fabs(out->along[0]) * x + fabs(out->along[1]) * z) * (1 + REGION_MARGIN);
    out->kappa = (fabs(out->edge[1]) * x + fabs(out->edge[0]) * z) / cross * (1 + REGION_MARGIN);
    const double size = fabs(from[0]) + fabs(from[1]) + out->length;
    return out->kappa <= 0.5 && cross > 1e-4 * size * out->length;
}

// The end of a face, as far as it hides from each eye: the place where a ray passes the face is, by
// the eye, up to 1 + kappa or down to 1 - kappa times as far from the foot, and up to `half`
// beside.
static double shrink_end(double end, double half, double kappa)
{
    return end > half ? (end - half) / (1 + kappa) : (end - half) / (1 - kappa);
}

// Whether the edge of a face lies over or under a slab, so that no ray passes between the two.
static bool face_is_over(const acre_horizon *horizon, const seen_prism *prism, uint32_t corner,
                         const acre_occluder *slab)
{
    footprint shape;
    const double place[2] = {horizon->eye[0], horizon->eye[2]};
    (void)acre_footprint_take(&shape, slab, place);
    for (uint32_t k = 0; k < 2 * shape.count; k++) {
        double edge[2];
        footprint_edge(&shape, k / 2, edge);
        const double *const end = prism->corners[corner + k % 2];
        const double to_end[2] = {end[0] - shape.corners[k / 2][0],
                                  end[1] - shape.corners[k / 2][1]};
        if (!(cross_2(edge, to_end) >= 0)) {
            return false;
        }
    }
    return true;
}

static void set_face_heights(horizon_part *part, const acre_horizon *horizon,
                             const seen_prism *prism, const wall_face *face,
                             const acre_occluder *whole)
{
    const double half = (double)horizon->region[1];
    double bottom = -shrink_end(-prism->bottom, half, face->kappa);
    double top = shrink_end(prism->top, half, face->kappa);
    if (whole->bottom <= horizon->columns.floor_top && bottom > -(double)INFINITY &&
        face_is_over(horizon, prism, face->corner, &horizon->floor)) {
        bottom = -(double)INFINITY;
    }
    if (whole->top >= horizon->columns.ceiling_bottom &&
        face_is_over(horizon, prism, face->corner, &horizon->ceiling)) {
        top = (double)INFINITY;
    }
    set_heights(part, bottom, top);
}

static bool raise_face(acre_horizon *horizon, const seen_prism *prism, uint32_t corner,
                       const acre_occluder *whole)
{
    wall_face face;
    if (!take_face(&face, horizon, prism, corner)) {
        return false;
    }
    const double left = -shrink_end(-face.begin, face.half, face.kappa);
    const double right = shrink_end(face.begin + face.length, face.half, face.kappa);
    horizon_part part = {0};
    set_face_heights(&part, horizon, prism, &face, whole);
    if (!(left < right) || !(part.bottom < part.top)) {
        return false;
    }
    outline seen = {.fronts = 1u << corner};
    for (int i = 0; i < 2; i++) {
        seen.left[i] = face.foot[i] + left * face.along[i];
        seen.right[i] = face.foot[i] + right * face.along[i];
    }
    return raise_sides(horizon, &part, &seen, prism);
}

static bool raise_faces(acre_horizon *horizon, const seen_prism *prism, const acre_occluder *whole)
{
    outline seen;
    bool changed = false;
    if (!outline_of_prism(&seen, prism) || !looks_large(horizon, prism, &seen)) {
        return false;
    }
    for (uint32_t bits = prism->fronts; bits; bits &= bits - 1) {
        changed |= raise_face(horizon, prism, lowest_bit(bits), whole);
    }
    return changed;
}

// ---- add ----

static bool add_for_region(acre_horizon *horizon, const seen_prism *prism,
                           const acre_occluder *whole)
{
    acre_occluder shrunk;
    seen_prism seen;
    const float ground[3] = {horizon->region[0], 0, horizon->region[2]};
    if (prism->is_over && acre_occluder_shrink(&shrunk, whole, ground) == ACRE_OK &&
        see_prism(&seen, horizon, &shrunk) && seen.is_over) {
        return lay_slab(horizon, &seen, whole); // all eyes are over it, or under it
    }
    const acre_result result = acre_occluder_shrink(&shrunk, whole, horizon->region);
    ACRE_INVARIANT(result == ACRE_OK || result == ACRE_ERROR_NOT_FOUND);
    if (result == ACRE_OK) {
        return see_prism(&seen, horizon, &shrunk) && raise_prism(horizon, &seen, whole);
    }
    return raise_faces(horizon, prism, whole);
}

static bool add_prism(acre_horizon *horizon, const acre_occluder *occluder, const acre_aabb *object)
{
    seen_prism prism;
    const bool is_two_sided = occluder->flags & ACRE_OCCLUDER_TWO_SIDED;
    if (!horizon->is_begun || horizon->taken >= horizon->max_occluders ||
        (!is_two_sided && is_in_box(horizon, object)) || !see_prism(&prism, horizon, occluder) ||
        !is_clear(horizon, &prism)) {
        return false;
    }
    bool is_taken;
    horizon->is_clear = false;
    horizon->tried++;
    if (horizon->has_region) {
        is_taken = add_for_region(horizon, &prism, occluder);
    } else {
        is_taken = prism.is_over ? lay_slab(horizon, &prism, occluder)
                                 : raise_prism(horizon, &prism, occluder);
    }
    horizon->taken += is_taken;
    return is_taken;
}

bool acre_horizon_add_of(acre_horizon *horizon, const acre_occluder *occluder,
                         const acre_aabb *object)
{
    ACRE_ASSERT(acre_occluder_is_valid(occluder) && acre_occluder_is_turned(occluder));
    return add_prism(horizon, occluder, object);
}

bool acre_horizon_add(acre_horizon *horizon, const acre_occluder *occluder)
{
    if (!horizon || !acre_occluder_is_valid(occluder)) {
        return false;
    }
    acre_aabb box = {.min = {INFINITY, occluder->bottom, INFINITY},
                     .max = {-INFINITY, occluder->top, -INFINITY}};
    for (uint32_t k = 0; k < occluder->point_count; k++) {
        for (int i = 0; i < 2; i++) {
            const float edge = occluder->points[k][i];
            box.min[2 * i] = edge < box.min[2 * i] ? edge : box.min[2 * i];
            box.max[2 * i] = edge > box.max[2 * i] ? edge : box.max[2 * i];
        }
    }
    if (!access_begin_write(&horizon->access)) {
        return false;
    }
    acre_occluder turned = *occluder;
    acre_occluder_turn(&turned);
    const bool is_taken = acre_horizon_add_of(horizon, &turned, &box);
    access_end_write(&horizon->access);
    return is_taken;
}
