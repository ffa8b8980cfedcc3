// SPDX-License-Identifier: MIT
// horizon_add.c - what an occluder is for an eye or a region of eyes: parts of the four sides.
//
// Everything here is in doubles, relative to the middle of the region. The README derives why no
// part hides what is visible.
#include "horizon_internal.h"

#include "occluder_internal.h"

#include <math.h>

// An occluder as it is seen from the middle of the region.
typedef struct seen_prism {
    footprint shape;
    double crosses[ACRE_OCCLUDER_MAX_POINTS]; // of each corner and the next: below 0, their edge
                                              // faces the eye; 0: it is seen from its end
    double bottom, top;                       // above the eye
    bool is_over;                             // the middle is over, under or in the footprint
} seen_prism;

// The ends of what is seen of a front: v / d grows from the right to the left one.
typedef struct outline {
    double right[2], left[2];
} outline;

// @return false: a corner is as good as at the eye.
static bool see_prism(seen_prism *out, const acre_horizon *horizon, const acre_occluder *occluder)
{
    const double place[2] = {horizon->eye[0], horizon->eye[2]};
    (void)acre_footprint_take(&out->shape, occluder, place);
    out->bottom = (double)occluder->bottom - horizon->eye[1];
    out->top = (double)occluder->top - horizon->eye[1];
    out->is_over = true;
    for (uint32_t k = 0; k < out->shape.count; k++) {
        const double *const here = out->shape.corners[k];
        const double *const next = out->shape.corners[next_corner(&out->shape, k)];
        const double size = (fabs(here[0]) + fabs(here[1])) * (fabs(next[0]) + fabs(next[1]));
        const double cross = cross_2(here, next);
        if (!(size > 1e-12)) {
            return false;
        }
        out->crosses[k] = fabs(cross) > LEAST_CROSS * size ? cross : 0;
        out->is_over &= out->crosses[k] > 0;
    }
    return true;
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
    for (uint32_t k = 0; k < prism->shape.count; k++) {
        double edge[2];
        footprint_edge(&prism->shape, k, edge);
        const double length2 = edge[0] * edge[0] + edge[1] * edge[1];
        const double cross2 = prism->crosses[k] * prism->crosses[k];
        if (prism->crosses[k] < 0 && cross2 > horizon->clearance * horizon->clearance * length2) {
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

// 1 / depth of an edge is at_middle + slope * u, by Cramer's rule.
// @param share the edge, divided by the cross product of its ends
static horizon_line line_of_edge(uint32_t side, uint32_t count, const double *share)
{
    double slope, at_middle;
    turn_to_side(side, share, &slope, &at_middle);
    slope = -slope;
    const double half_column = fabs(slope) / count;
    const double swing = half_column + EDGE_LINE_MARGIN * (fabs(at_middle) + fabs(slope));
    return (horizon_line){(float)(at_middle - swing), (float)(at_middle + swing), (float)slope};
}

// The columns of a side that an outline covers wholly. @return whether there are any.
static bool cover_columns(horizon_part *part, uint32_t count, const outline *seen)
{
    const double half = 0.5 * count;
    double d, v, from = 0, to = count;
    turn_to_side(part->side, seen->right, &d, &v);
    if (v >= greater_of(d, 0)) {
        return false; // it begins behind this side, or beyond its end
    }
    if (v > -d) {
        from = (v / d + 1) * half + COVER_MARGIN;
    }
    turn_to_side(part->side, seen->left, &d, &v);
    if (v <= -greater_of(d, 0)) {
        return false;
    }
    if (v < d) {
        to = (v / d + 1) * half - COVER_MARGIN;
    }
    if (!(from < to)) {
        return false;
    }
    part->first = (uint32_t)from;
    part->first += part->first < from; // rounded up
    part->end = (uint32_t)to;
    return part->first < part->end;
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
    bool has_left = false, has_right = false;
    for (uint32_t k = 0; k < prism->shape.count; k++) {
        const uint32_t before = k > 0 ? k - 1 : prism->shape.count - 1;
        const bool is_front = prism->crosses[k] < 0, was_front = prism->crosses[before] < 0;
        if (is_front != was_front) {
            double *const end = is_front ? out->left : out->right;
            end[0] = prism->shape.corners[k][0];
            end[1] = prism->shape.corners[k][1];
            has_left |= is_front;
            has_right |= !is_front;
        }
    }
    return has_left && has_right;
}

// How much of the ground a prism spans along a direction, times the direction's length.
static double span_along(const seen_prism *prism, const double *direction)
{
    double nearest = (double)INFINITY, farthest = 0;
    for (uint32_t k = 0; k < prism->shape.count; k++) {
        const double *const corner = prism->shape.corners[k];
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

// The edges that make lines, each divided by the cross product of its ends.
typedef struct edge_shares {
    double ground[ACRE_OCCLUDER_MAX_POINTS][2];
    bool is_front[ACRE_OCCLUDER_MAX_POINTS];
    uint32_t count;
} edge_shares;

static void divide_edges(edge_shares *out, const seen_prism *prism, bool has_back)
{
    out->count = 0;
    for (uint32_t k = 0; k < prism->shape.count; k++) {
        const double cross = prism->crosses[k];
        if (cross < 0 || (cross > 0 && has_back)) {
            double *const share = out->ground[out->count];
            footprint_edge(&prism->shape, k, share);
            const double inverse = 1 / cross;
            share[0] *= inverse;
            share[1] *= inverse;
            out->is_front[out->count++] = cross < 0;
        }
    }
}

static void set_edges(horizon_part *part, const edge_shares *edges, uint32_t count)
{
    part->front_count = part->back_count = 0;
    for (uint32_t k = 0; k < edges->count; k++) {
        horizon_line *const line = edges->is_front[k] ? &part->front[part->front_count++]
                                                      : &part->back[part->back_count++];
        *line = line_of_edge(part->side, count, edges->ground[k]);
    }
}

// @param whole what the prism was before it was shrunk: only that stands exactly on a floor.
static bool raise_prism(acre_horizon *horizon, const seen_prism *prism, const acre_occluder *whole)
{
    const horizon_columns *const columns = &horizon->columns;
    outline seen;
    if (!outline_of_prism(&seen, prism) || !looks_large(horizon, prism, &seen)) {
        return false;
    }
    horizon_part part = {.is_on_floor =
                             whole->bottom <= columns->floor_top && whole->bottom > -INFINITY,
                         .is_to_ceiling = whole->top >= columns->ceiling_bottom};
    set_heights(&part, prism->bottom, prism->top);
    edge_shares edges;
    divide_edges(&edges, prism, prism->top < 0 || prism->bottom > 0);
    bool changed = false;
    for (part.side = 0; part.side < HORIZON_SIDES; part.side++) {
        if (cover_columns(&part, columns->count, &seen)) {
            set_edges(&part, &edges, columns->count);
            changed |= horizon->kernel->raise(columns, &part);
        }
    }
    return changed;
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
    edge_shares edges;
    divide_edges(&edges, prism, true);
    horizon_part part = {.first = 0, .end = columns->count};
    for (part.side = 0; part.side < HORIZON_SIDES; part.side++) {
        set_edges(&part, &edges, columns->count);
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
    const double *const from = prism->shape.corners[corner];
    const double x = (double)horizon->region[0], z = (double)horizon->region[2];
    const double cross = -prism->crosses[corner]; // length times distance
    ACRE_INVARIANT(cross > 0);
    out->corner = corner;
    footprint_edge(&prism->shape, corner, out->edge);
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
    const double *const ends[2] = {prism->shape.corners[corner],
                                   prism->shape.corners[next_corner(&prism->shape, corner)]};
    for (uint32_t k = 0; k < 2 * shape.count; k++) {
        double edge[2];
        footprint_edge(&shape, k / 2, edge);
        const double to_end[2] = {ends[k % 2][0] - shape.corners[k / 2][0],
                                  ends[k % 2][1] - shape.corners[k / 2][1]};
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
    horizon_part part = {.front_count = 1};
    set_face_heights(&part, horizon, prism, &face, whole);
    if (!(left < right) || !(part.bottom < part.top)) {
        return false;
    }
    outline seen;
    for (int i = 0; i < 2; i++) {
        seen.left[i] = face.foot[i] + left * face.along[i];
        seen.right[i] = face.foot[i] + right * face.along[i];
    }
    const uint32_t count = horizon->columns.count;
    const double cross = prism->crosses[corner];
    const double share[2] = {face.edge[0] / cross, face.edge[1] / cross};
    bool changed = false;
    for (part.side = 0; part.side < HORIZON_SIDES; part.side++) {
        if (cover_columns(&part, count, &seen)) {
            part.front[0] = line_of_edge(part.side, count, share);
            changed |= horizon->kernel->raise(&horizon->columns, &part);
        }
    }
    return changed;
}

static bool raise_faces(acre_horizon *horizon, const seen_prism *prism, const acre_occluder *whole)
{
    outline seen;
    bool changed = false;
    if (!outline_of_prism(&seen, prism) || !looks_large(horizon, prism, &seen)) {
        return false;
    }
    for (uint32_t k = 0; k < prism->shape.count; k++) {
        if (prism->crosses[k] < 0) {
            changed |= raise_face(horizon, prism, k, whole);
        }
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
    ACRE_ASSERT(acre_occluder_is_valid(occluder));
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
    const bool is_taken = acre_horizon_add_of(horizon, occluder, &box);
    access_end_write(&horizon->access);
    return is_taken;
}
