// SPDX-License-Identifier: MIT
// stereo.c - planes around the views of two eyes: found once in head space, placed in every frame.
//
// What contains both eyes. Let e be the places of the two eyes and r the eight edges of their
// views, as unit vectors. Each view is a part of the cone of its four edges with its tip in its
// eye, so both views are in
//     C = { a point between the two e, plus a sum of positive multiples of the r }.
// Let f be the mean direction of the two eyes and c > 0 the least f.r, and let turn = f / c, so
// that turn.r >= 1 for every r. A plane n.p + d >= 0 holds for C if n.r >= 0 for the eight r and
// n.e + d >= 0 for the two e. For any unit vector n at all, both are established so:
//     n' = n + tilt turn,  tilt = max(0, -min n.r)     makes n'.r >= 0, and
//     d  = -min n'.e                                    does the rest.
// The choice of n decides how tight the planes are, not whether they hold: n is the normal of two
// edges that have all the others on one side, up to COPLANAR. Near and far planes have the normals
// f and -f; d is then the least over the corners of both views, which are e + depth * edge.
//
// The margin. Let q = R p + t be a world point p in head space, c the middle between the eyes.
// A float plane test errs by at most 5 u (|d| + |p|), u = 2^-24 (frustum.c). An eye's matrix that
// was multiplied in floats errs by 3 u in each element of its rotation and by 4 u (|t| + |e|) in
// its translation, which is as if p were wrong by 9 u |p| + 7 u |t| + 4 u |e| at most. In these,
//     |p| <= turn.(q - c) + least + |t - c|,    |t| <= |t - c| + |c|,    |e| <= least + |c|:
// a norm is convex, so |q - c| <= turn.(q - c) + least holds in all of C if it holds for the two e
// and if turn.r >= |r| = 1. No term is then counted more than 21 times, so that
//     32 u (|d| + turn.(q - c) + least + |t - c| + |c|)
// covers them, also where R changes lengths by the 0.6 % that RIGID_TOLERANCE allows. All of it but
// |d| and |t - c| is known in head space and added there.
#include <acre/stereo.h>

#include "lens_internal.h"

#include "assert_internal.h"
#include "float_bits.h"
#include "margin_internal.h"
#include "vector_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define STEREO_MARGIN 0x1p-19
// Least cosine between the mean direction and an edge.
#define MIN_COSINE 0x1p-6
// Sine below which an edge counts as in a plane, and two planes or edges as one.
#define COPLANAR 0x1p-14

enum { EYES = 2, EDGES = 8, SIDES_MAX = ACRE_STEREO_MAX_PLANES - 2 };

typedef struct eye_pair {
    double tips[EYES][3];
    double edges[EDGES][3]; // unit vectors, those of the second eye from EDGES / 2
    double near_depths[EYES], far_depths[EYES];
    double depth_share[EDGES];  // of an edge along its own eye's axis
    double forward[3];          // the mean direction, unit length
    double turn[3], least;      // |q - c| <= turn.(q - c) + least
    double sides[SIDES_MAX][3]; // normals
    uint32_t side_count;
} eye_pair;

static void scale_to(double *v, double length)
{
    const double factor = length / length3(v);
    for (int k = 0; k < 3; k++) {
        v[k] *= factor;
    }
}

static bool read_eye(const acre_camera *camera, int eye, eye_pair *out)
{
    camera_lens lens;
    camera_pose pose;
    if (!acre_read_lens(camera, &lens) || lens.is_orthographic ||
        !acre_read_pose(camera->view, &pose)) {
        return false;
    }
    out->near_depths[eye] = lens.near_distance;
    out->far_depths[eye] = lens.far_distance;
    for (int k = 0; k < 3; k++) {
        out->tips[eye][k] =
            pose.eye[k] + lens.shift[0] * pose.axes[0][k] + lens.shift[1] * pose.axes[1][k];
        out->forward[k] += lens.sign * pose.axes[2][k];
    }
    for (int corner = 0; corner < EDGES / 2; corner++) {
        const int edge = eye * (EDGES / 2) + corner;
        const double x = lens.mid[0] + (corner & 1 ? lens.half[0] : -lens.half[0]);
        const double y = lens.mid[1] + (corner & 2 ? lens.half[1] : -lens.half[1]);
        for (int k = 0; k < 3; k++) {
            out->edges[edge][k] =
                x * pose.axes[0][k] + y * pose.axes[1][k] + lens.sign * pose.axes[2][k];
        }
        out->depth_share[edge] = 1.0 / length3(out->edges[edge]);
        scale_to(out->edges[edge], 1.0);
    }
    return length3(out->tips[eye]) <= FARTHEST && out->near_depths[eye] <= FARTHEST;
}

static double least_along_edges(const eye_pair *pair, const double *direction)
{
    double least = dot3(direction, pair->edges[0]);
    for (int i = 1; i < EDGES; i++) {
        least = fmin(least, dot3(direction, pair->edges[i]));
    }
    return least;
}

// Sets turn and least.
// @return false if the edges are too far apart for one direction ahead.
static bool find_bound(eye_pair *pair)
{
    if (!(length3(pair->forward) > MIN_COSINE)) {
        return false;
    }
    scale_to(pair->forward, 1.0);
    const double cosine = least_along_edges(pair, pair->forward);
    if (!(cosine >= MIN_COSINE)) {
        return false;
    }
    double half_way[3]; // from the middle to one eye; to the other it is the opposite
    for (int k = 0; k < 3; k++) {
        pair->turn[k] = pair->forward[k] / cosine;
        half_way[k] = 0.5 * (pair->tips[1][k] - pair->tips[0][k]);
    }
    pair->least = length3(half_way) + fabs(dot3(pair->turn, half_way));
    return true;
}

// A plane of that normal that holds for both views wherever they end, before the margin.
static void support_plane(const eye_pair *pair, const double *normal, double *out)
{
    const double tilt = fmax(0.0, -least_along_edges(pair, normal));
    for (int k = 0; k < 3; k++) {
        out[k] = normal[k] + tilt * pair->turn[k];
    }
    out[3] = -fmin(dot3(out, pair->tips[0]), dot3(out, pair->tips[1]));
    ACRE_INVARIANT(least_along_edges(pair, out) > -0x1p-40);
}

// Adds a plane, moved by the part of the margin that does not depend on where the head is.
static void add_stereo_plane(acre_stereo *out, const eye_pair *pair, const double *plane)
{
    ACRE_INVARIANT(out->plane_count < ACRE_STEREO_MAX_PLANES);
    double *const stored = out->planes[out->plane_count++];
    const double from_center = pair->least - dot3(pair->turn, out->center);
    for (int k = 0; k < 3; k++) {
        stored[k] = plane[k] + STEREO_MARGIN * pair->turn[k];
    }
    stored[3] = plane[3] + STEREO_MARGIN * (from_center + length3(out->center));
}

// Whether a side was found that has about that normal.
static bool has_side(const eye_pair *pair, const double *normal)
{
    for (uint32_t i = 0; i < pair->side_count; i++) {
        double difference[3];
        for (int k = 0; k < 3; k++) {
            difference[k] = pair->sides[i][k] - normal[k];
        }
        if (length3(difference) < COPLANAR) {
            return true;
        }
    }
    return false;
}

// Every two edges that have all the others on one side of them are in a side.
static void find_sides(eye_pair *pair)
{
    for (int pick = 0; pick < EDGES * EDGES; pick++) {
        double normal[3];
        cross3(pair->edges[pick / EDGES], pair->edges[pick % EDGES], normal);
        if (!(length3(normal) > COPLANAR) || pair->side_count == SIDES_MAX) {
            continue;
        }
        scale_to(normal, 1.0);
        if (least_along_edges(pair, normal) > -COPLANAR && !has_side(pair, normal)) {
            memcpy(pair->sides[pair->side_count++], normal, sizeof normal);
        }
    }
}

static void add_sides(acre_stereo *out, const eye_pair *pair)
{
    for (uint32_t i = 0; i < pair->side_count; i++) {
        double plane[4];
        support_plane(pair, pair->sides[i], plane);
        add_stereo_plane(out, pair, plane);
    }
}

// The corners of both views at the given depths have at least that coordinate along a direction.
static double least_of_corners(const eye_pair *pair, const double *depths, const double *direction)
{
    double least = (double)INFINITY;
    for (int i = 0; i < EDGES; i++) {
        const int eye = i / (EDGES / 2);
        const double length = depths[eye] / pair->depth_share[i];
        const double tip = dot3(direction, pair->tips[eye]);
        least = fmin(least, tip + length * dot3(direction, pair->edges[i]));
    }
    return least;
}

// Adds the plane in front of all that the eyes see, or with sign -1 the one behind it.
static void add_depth_plane(acre_stereo *out, const eye_pair *pair, const double *depths,
                            double sign)
{
    double plane[4];
    for (int k = 0; k < 3; k++) {
        plane[k] = sign * pair->forward[k];
    }
    plane[3] = -least_of_corners(pair, depths, plane);
    add_stereo_plane(out, pair, plane);
}

acre_result acre_stereo_prepare(acre_stereo *out, const acre_camera *eyes)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = (acre_stereo){.plane_count = 0};
    eye_pair pair = {.least = 0.0};
    if (!eyes || !read_eye(&eyes[0], 0, &pair) || !read_eye(&eyes[1], 1, &pair) ||
        !find_bound(&pair)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    for (int k = 0; k < 3; k++) {
        out->center[k] = 0.5 * (pair.tips[0][k] + pair.tips[1][k]);
    }
    find_sides(&pair);
    add_sides(out, &pair);
    add_depth_plane(out, &pair, pair.near_depths, 1.0);
    if (pair.far_depths[0] <= FARTHEST && pair.far_depths[1] <= FARTHEST) {
        add_depth_plane(out, &pair, pair.far_depths, -1.0);
    }
    return ACRE_OK;
}

// A head view taken apart: head = R p + t.
typedef struct head_pose {
    double columns[3][3]; // of R
    double translation[3];
} head_pose;

static bool read_head(const float *view, head_pose *out)
{
    if (!floats_are_finite(view, 16) || view[3] != 0.0f || view[7] != 0.0f || view[11] != 0.0f ||
        view[15] != 1.0f) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        out->columns[i / 3][i % 3] = (double)view[4 * (i / 3) + i % 3];
    }
    for (int k = 0; k < 3; k++) {
        out->translation[k] = (double)view[12 + k];
    }
    bool is_rigid = true;
    for (int i = 0; i < 3; i++) {
        const double *const column = out->columns[i], *const next = out->columns[(i + 1) % 3];
        is_rigid = is_rigid && fabs(dot3(column, column) - 1.0) <= RIGID_TOLERANCE &&
                   fabs(dot3(column, next)) <= RIGID_TOLERANCE;
    }
    return is_rigid && length3(out->translation) <= FARTHEST;
}

// Head space's n.q + d with q = R p + t is (R^T n).p + (n.t + d) in the world.
static void place_plane(const double *plane, const head_pose *head, double away, acre_frustum *out)
{
    double placed[4];
    for (int k = 0; k < 3; k++) {
        placed[k] = dot3(head->columns[k], plane);
    }
    placed[3] = dot3(head->translation, plane) + plane[3];
    const double scale = 1.0 / length3(placed);
    const double d = scale * (placed[3] + STEREO_MARGIN * (away + fabs(placed[3])));
    if (!(d + UNDERFLOW_MARGIN <= (double)FLT_MAX)) {
        return; // beyond all floats
    }
    ACRE_INVARIANT(out->plane_count < ACRE_FRUSTUM_MAX_PLANES);
    float *const stored = out->planes[out->plane_count++];
    for (int k = 0; k < 3; k++) {
        stored[k] = (float)(placed[k] * scale);
    }
    stored[3] = (float)fmax(d + UNDERFLOW_MARGIN, -(double)FLT_MAX);
}

acre_result acre_stereo_place(const acre_stereo *stereo, const float *head_view, acre_frustum *out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = (acre_frustum){.plane_count = 0};
    head_pose head;
    if (!stereo || !head_view || stereo->plane_count == 0 || !read_head(head_view, &head)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    ACRE_ASSERT(stereo->plane_count <= ACRE_STEREO_MAX_PLANES);
    double from_center[3];
    for (int k = 0; k < 3; k++) {
        from_center[k] = head.translation[k] - stereo->center[k];
    }
    const double away = length3(from_center);
    for (uint32_t i = 0; i < stereo->plane_count; i++) {
        place_plane(stereo->planes[i], &head, away, out);
    }
    return ACRE_OK;
}
