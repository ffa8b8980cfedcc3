// SPDX-License-Identifier: MIT
// camera_sets.c - the hull of several cameras' views as planes, and the cameras of a cube.
//
// A view has four edges; each begins in a corner of the near plane and ends in one of the far
// plane, or nowhere. Corners and endless directions together are the generators of the hull: each
// of its points is a weighted mean of corners plus a sum of positive shares of directions. A plane
// holds for the hull if it holds for the generators, and a facet is a plane through three of them.
//
// The margin, as in frustum.c: planes move outwards by PLANE_MARGIN (|d| + |p|), and |p| is bounded
// by a linear function,
//     |p| <= |c| + reach(p),    reach(p) = turn.(p - c) + least,
// c the middle of the near planes. A norm is convex, so that this holds in the hull if it holds for
// the generators: least + turn.(v - c) >= |v - c| for corners, turn.r >= |r| for directions. turn
// points ahead, so that the margin grows with depth and is small where the cameras are.
//
// Two eyes that look the same way have planes in common, but for the rounding of their matrices. So
// a generator counts as in a plane if it is nearer than SLACK (reach + |c|), on either side, and
// planes are moved by that much as well. A plane whose generators are all in another one is no
// facet of its own. A facet that is not found makes the volume larger, never wrong.
#include <acre/camera_sets.h>

#include "float_bits.h"
#include "vector_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a float matrix may be wrong by: its elements by 2^-24, its translation by 2^-24 |c|.
#define SLACK 0x1p-22
// As in frustum.c, 16 * 2^-24 for the float test; here that of SLACK in addition.
#define PLANE_MARGIN (0x1p-20 + SLACK)
#define UNDERFLOW_MARGIN (8.0 * (double)FLT_MIN)
#define FARTHEST (0.5 * (double)FLT_MAX)
// A far plane at 2^18 times the near distance and more counts as infinite: rounded elements of an
// infinite projection give one at 2^22 times or more.
#define ENDLESS 0x1p-18
// Pivots below this share of their row make a matrix singular.
#define SINGULAR 0x1p-40
// Cosine to the way ahead below which the margin does not grow with depth.
#define MIN_COSINE 0x1p-6
// One that is good enough to look no further for a better way ahead.
#define GOOD_COSINE 0.5
#define AXIS_STEPS 32
// Sine between two sides of a triangle that is too thin to tell a plane.
#define THIN 0x1p-20
#define MAX_GENERATORS (8 * ACRE_JOINT_MAX_CAMERAS)
// A polyhedron of n corners has at most 2 n - 4 facets.
#define MAX_FACETS (2 * MAX_GENERATORS)

// A corner, seen from c, or a direction of unit length.
typedef struct generator {
    double at[3];
    double weight; // 1; 0 of a direction
    double reach;
    double slack; // that much beside a plane it still counts as in it
    bool is_endless;
} generator;

// normal.(p - c) + d >= 0, normal of unit length.
typedef struct facet {
    double normal[3], d;
    double size;       // twice the area of its largest triangle, as seen from c
    uint32_t in_plane; // a bit for each generator
} facet;

typedef struct hull {
    generator generators[MAX_GENERATORS];
    uint32_t generator_count;
    facet facets[MAX_FACETS];
    uint32_t facet_count;
    double center[3]; // c
    double turn[3], least;
} hull;

// ---- corners ----

// Four rows of a projection, the eight corners of clip space as right sides, and each row's scale.
typedef struct equations {
    double rows[4][12];
    double scales[4];
} equations;

static void swap_rows(equations *set, int a, int b)
{
    const equations old = *set;
    memcpy(set->rows[a], old.rows[b], sizeof old.rows[b]);
    memcpy(set->rows[b], old.rows[a], sizeof old.rows[a]);
    set->scales[a] = old.scales[b];
    set->scales[b] = old.scales[a];
}

// Gauss and Jordan, with pivots; the right sides become the solutions.
static bool solve(equations *set)
{
    for (int column = 0; column < 4; column++) {
        int pivot = column;
        for (int row = column + 1; row < 4; row++) {
            if (fabs(set->rows[row][column]) * set->scales[pivot] >
                fabs(set->rows[pivot][column]) * set->scales[row]) {
                pivot = row;
            }
        }
        swap_rows(set, column, pivot);
        const double value = set->rows[column][column];
        if (!(fabs(value) > SINGULAR * set->scales[column])) {
            return false;
        }
        for (int k = column; k < 12; k++) {
            set->rows[column][k] /= value;
        }
        set->scales[column] /= fabs(value);
        for (int row = 0; row < 4; row++) {
            const double factor = set->rows[row][column];
            for (int k = column; k < 12 && row != column; k++) {
                set->rows[row][k] -= factor * set->rows[column][k];
            }
        }
    }
    return true;
}

static double first_depth(acre_clip clip)
{
    return clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE    ? -1.0
           : clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 1.0
                                                    : 0.0;
}

// The corners of the view in the camera, homogeneous: 0..3 those of the near plane, 4..7 those of
// the far one.
static bool find_corners(const acre_camera *camera, double (*corners)[4])
{
    equations set = {.scales = {0}};
    const double depths[2] = {first_depth(camera->clip),
                              camera->clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 0.0 : 1.0};
    for (int row = 0; row < 4; row++) {
        for (int k = 0; k < 4; k++) {
            set.rows[row][k] = (double)camera->projection[4 * k + row];
            set.scales[row] = fmax(set.scales[row], fabs(set.rows[row][k]));
        }
        for (int corner = 0; corner < 8; corner++) {
            const double clip[4] = {corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0,
                                    depths[corner >> 2], 1.0};
            set.rows[row][4 + corner] = clip[row];
        }
    }
    if (!solve(&set)) {
        return false;
    }
    for (int corner = 0; corner < 8; corner++) {
        for (int k = 0; k < 4; k++) {
            corners[corner][k] = set.rows[k][4 + corner];
        }
    }
    return true;
}

// A camera's place and axes: world = eye + x axes[0] + y axes[1] + z axes[2].
typedef struct stand {
    double eye[3], axes[3][3];
} stand;

static bool find_stand(const float *view, stand *out)
{
    if (view[3] != 0.0f || view[7] != 0.0f || view[11] != 0.0f || view[15] != 1.0f) {
        return false;
    }
    double rows[3][3];
    for (int i = 0; i < 9; i++) {
        rows[i / 3][i % 3] = (double)view[4 * (i % 3) + i / 3];
    }
    memset(out->eye, 0, sizeof out->eye);
    for (int i = 0; i < 3; i++) {
        const double *const a = rows[(i + 1) % 3], *const b = rows[(i + 2) % 3];
        cross3(a, b, out->axes[i]);
        const double determinant = dot3(rows[i], out->axes[i]);
        if (!(fabs(determinant) > SINGULAR * length3(a) * length3(b) * length3(rows[i]))) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            out->axes[i][k] /= determinant;
            out->eye[k] -= out->axes[i][k] * (double)view[12 + i];
        }
    }
    return true;
}

static void turn_to_world(const stand *place, const double *v, double *out)
{
    for (int k = 0; k < 3; k++) {
        out[k] = v[0] * place->axes[0][k] + v[1] * place->axes[1][k] + v[2] * place->axes[2][k];
    }
}

// An edge of a view: both its corners, or one and a direction. In the world, not yet seen from c.
// @return false for a view that lies behind its camera or has no corner at all.
static bool add_edge(hull *out, const stand *place, const double *first, const double *last)
{
    // A matrix may have depth the other way round than its convention says.
    const double *const near_end = first[3] >= last[3] ? first : last;
    const double *const far_end = first[3] >= last[3] ? last : first;
    double local[3], far_local[3];
    if (!(near_end[3] > 0.0)) {
        return false;
    }
    const bool is_endless = far_end[3] <= ENDLESS * near_end[3];
    for (int k = 0; k < 3; k++) {
        local[k] = near_end[k] / near_end[3];
        far_local[k] = is_endless ? far_end[k] - far_end[3] * local[k] : far_end[k] / far_end[3];
    }
    generator *const corner = &out->generators[out->generator_count++];
    generator *const end = &out->generators[out->generator_count++];
    turn_to_world(place, local, corner->at);
    turn_to_world(place, far_local, end->at);
    corner->is_endless = false;
    end->is_endless = is_endless;
    const double size = is_endless ? length3(end->at) : 1.0;
    for (int k = 0; k < 3; k++) {
        corner->at[k] += place->eye[k];
        end->at[k] = is_endless ? end->at[k] / size : end->at[k] + place->eye[k];
    }
    return length3(corner->at) <= FARTHEST && length3(end->at) <= FARTHEST && size > 0.0;
}

static bool add_view(hull *out, const acre_camera *camera)
{
    double corners[8][4];
    stand place;
    if (!floats_are_finite(camera->view, 16) || !floats_are_finite(camera->projection, 16) ||
        camera->clip < ACRE_CLIP_NEGATIVE_ONE_TO_ONE ||
        camera->clip > ACRE_CLIP_REVERSED_ZERO_TO_ONE || !find_stand(camera->view, &place) ||
        !find_corners(camera, corners)) {
        return false;
    }
    for (int edge = 0; edge < 4; edge++) {
        if (!add_edge(out, &place, corners[edge], corners[4 + edge])) {
            return false;
        }
    }
    return true;
}

// ---- the margin ----

// The middle of the corners with even numbers: those of the near planes.
static void move_to_center(hull *out)
{
    memset(out->center, 0, sizeof out->center);
    for (uint32_t i = 0; i < out->generator_count; i += 2) {
        for (int k = 0; k < 3; k++) {
            out->center[k] += out->generators[i].at[k] * 2.0 / (double)out->generator_count;
        }
    }
    for (uint32_t i = 0; i < out->generator_count; i++) {
        for (int k = 0; k < 3 && !out->generators[i].is_endless; k++) {
            out->generators[i].at[k] -= out->center[k];
        }
    }
}

// The directions from c to the ends of edges, of unit length. @return how many.
static uint32_t find_directions(const hull *from, bool only_endless, double (*out)[3])
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < from->generator_count; i += 2) {
        const generator *const end = &from->generators[i];
        const double size = fmax(length3(end->at), DBL_MIN);
        if (end->is_endless || !only_endless) {
            for (int k = 0; k < 3; k++) {
                out[count][k] = end->at[k] / size;
            }
            count++;
        }
    }
    return count;
}

// Sets turn so that it holds for the ends of edges. The way ahead is the axis of the narrowest cone
// around them: the middle of the smallest ball around their directions, which taking ever shorter
// steps towards the farthest one leads to (Badoiu and Clarkson 2003).
// @return false, and turn is 0, if they are too far apart for one way ahead.
static bool find_turn(hull *out, bool only_endless)
{
    double directions[MAX_GENERATORS / 2][3], ahead[3] = {0, 0, 0}, cosine = -1.0;
    const uint32_t count = find_directions(out, only_endless, directions);
    uint32_t widest = 0;
    for (int step = 1; step <= AXIS_STEPS && cosine < GOOD_COSINE; step++) {
        for (int k = 0; k < 3; k++) {
            ahead[k] += (directions[widest][k] - ahead[k]) / step;
        }
        widest = 0;
        for (uint32_t i = 1; i < count; i++) {
            if (dot3(ahead, directions[i]) < dot3(ahead, directions[widest])) {
                widest = i;
            }
        }
        cosine = dot3(ahead, directions[widest]) / fmax(length3(ahead), DBL_MIN);
    }
    const bool is_narrow = cosine >= MIN_COSINE;
    for (int k = 0; k < 3; k++) {
        out->turn[k] = is_narrow ? ahead[k] / (length3(ahead) * cosine) : 0.0;
    }
    return is_narrow;
}

// @return false if the hull has no end and opens too wide.
static bool find_reach(hull *out)
{
    bool is_endless = false;
    for (uint32_t i = 1; i < out->generator_count; i += 2) {
        is_endless = is_endless || out->generators[i].is_endless;
    }
    if (!find_turn(out, false) && is_endless && !find_turn(out, true)) {
        return false;
    }
    out->least = 0.0;
    for (uint32_t i = 0; i < out->generator_count; i++) {
        const generator *const one = &out->generators[i];
        if (!one->is_endless) {
            out->least = fmax(out->least, length3(one->at) - dot3(out->turn, one->at));
        }
    }
    const double distance = length3(out->center);
    for (uint32_t i = 0; i < out->generator_count; i++) {
        generator *const one = &out->generators[i];
        one->weight = one->is_endless ? 0.0 : 1.0;
        one->reach = dot3(out->turn, one->at) + one->weight * out->least;
        one->slack = SLACK * (one->reach + one->weight * distance);
    }
    return true;
}

// ---- facets ----

// The plane through three generators, at least one of them a corner; its normal as long as *size.
// @return false where they are none or tell no plane.
static bool plane_through(const generator *const *three, facet *out, double *size)
{
    const int first = three[0]->weight > 0.0 ? 0 : three[1]->weight > 0.0 ? 1 : 2;
    const generator *const corner = three[first];
    double sides[2][3];
    for (int i = 0; i < 2; i++) {
        const generator *const other = three[(first + i + 1) % 3];
        for (int k = 0; k < 3; k++) {
            sides[i][k] = other->at[k] - other->weight * corner->at[k];
        }
    }
    cross3(sides[0], sides[1], out->normal);
    out->d = -dot3(out->normal, corner->at);
    const double square = dot3(out->normal, out->normal);
    *size = sqrt(square);
    return corner->weight > 0.0 &&
           square > THIN * THIN * dot3(sides[0], sides[0]) * dot3(sides[1], sides[1]);
}

// Whether all generators are on one side of the plane, or in it. Turns the plane so that they are
// inside, and gives its normal unit length.
static bool is_facet(const hull *from, double size, facet *plane)
{
    bool has_inside = false, has_outside = false;
    plane->in_plane = 0;
    for (uint32_t i = 0; i < from->generator_count; i++) {
        const generator *const one = &from->generators[i];
        const double value = dot3(plane->normal, one->at) + one->weight * plane->d;
        const double slack = one->slack * size;
        plane->in_plane |= fabs(value) <= slack ? 1u << i : 0u;
        has_inside = has_inside || value > slack;
        has_outside = has_outside || value < -slack;
        if (has_inside && has_outside) {
            return false;
        }
    }
    const double scale = has_outside ? -1.0 / size : 1.0 / size;
    for (int k = 0; k < 3; k++) {
        plane->normal[k] *= scale;
    }
    plane->d *= scale;
    return true;
}

static bool is_part_of_facet(const hull *of, uint32_t generators)
{
    for (uint32_t i = 0; i < of->facet_count; i++) {
        if ((generators & ~of->facets[i].in_plane) == 0) {
            return true;
        }
    }
    return false;
}

// Adds a facet, and drops those that are part of it.
static void add_facet(hull *out, const facet *plane)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->facet_count; i++) {
        if (out->facets[i].in_plane & ~plane->in_plane) {
            out->facets[kept++] = out->facets[i];
        }
    }
    out->facet_count = kept;
    if (kept < MAX_FACETS) {
        out->facets[out->facet_count++] = *plane;
    }
}

static void try_plane(hull *out, uint32_t a, uint32_t b, uint32_t c)
{
    if (is_part_of_facet(out, 1u << a | 1u << b | 1u << c)) {
        return;
    }
    const generator *const three[3] = {&out->generators[a], &out->generators[b],
                                       &out->generators[c]};
    facet plane;
    double size;
    if (plane_through(three, &plane, &size) && is_facet(out, size, &plane)) {
        add_facet(out, &plane);
    }
}

// The eight generators of a view are numbered as the corners of a cube, a bit for each direction.
// So the four of a facet have a bit in common, and the two of an edge differ in one.
static void try_facets_of_view(hull *out, uint32_t view)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
        try_plane(out, view, view + u, view + v);
        try_plane(out, view + 7, view + 7 - u, view + 7 - v);
    }
}

static void try_edges_with_corners(hull *out, uint32_t view, uint32_t other)
{
    for (uint32_t edge = 0; edge < 24; edge++) {
        const uint32_t corner = edge / 3, bit = 1u << edge % 3;
        for (uint32_t end = 0; end < 8 && !(corner & bit); end++) {
            try_plane(out, view + corner, view + corner + bit, other + end);
        }
    }
}

static void try_corners_of_three(hull *out, uint32_t a, uint32_t b, uint32_t c)
{
    for (uint32_t i = 0; i < 512; i++) {
        try_plane(out, a + i % 8, b + i / 8 % 8, c + i / 64);
    }
}

// A facet of the hull has corners of one view, and is a facet of it; or those of two, and has an
// edge of one; or of three at least.
static void find_facets(hull *out)
{
    const uint32_t count = out->generator_count;
    out->facet_count = 0;
    for (uint32_t a = 0; a < count; a += 8) {
        try_facets_of_view(out, a);
        for (uint32_t b = 0; b < count; b += 8) {
            if (a != b) {
                try_edges_with_corners(out, a, b);
            }
            for (uint32_t c = b + 8; c < count && b > a; c += 8) {
                try_corners_of_three(out, a, b, c);
            }
        }
    }
}

// Twice the area of a triangle. Divided by reach the hull fits into a sphere, and what is far
// counts as much as what is near.
static double triangle_size(const generator *a, const generator *b, const generator *c)
{
    double first[3], second[3], normal[3];
    for (int k = 0; k < 3; k++) {
        first[k] = a->at[k] / a->reach - c->at[k] / c->reach;
        second[k] = b->at[k] / b->reach - c->at[k] / c->reach;
    }
    cross3(first, second, normal);
    return length3(normal);
}

static double facet_size(const hull *of, uint32_t in_plane)
{
    generator in[MAX_GENERATORS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < of->generator_count; i++) {
        if (in_plane >> i & 1u) {
            in[count++] = of->generators[i];
        }
    }
    double size = 0.0;
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = a + 1; b < count; b++) {
            for (uint32_t c = b + 1; c < count; c++) {
                size = fmax(size, triangle_size(&in[a], &in[b], &in[c]));
            }
        }
    }
    return size;
}

// Drops the smallest until a frustum can hold them.
static void drop_small_facets(hull *out)
{
    for (uint32_t i = 0; i < out->facet_count && out->facet_count > ACRE_FRUSTUM_MAX_PLANES; i++) {
        out->facets[i].size = facet_size(out, out->facets[i].in_plane);
    }
    while (out->facet_count > ACRE_FRUSTUM_MAX_PLANES) {
        uint32_t smallest = 0;
        for (uint32_t i = 1; i < out->facet_count; i++) {
            if (out->facets[i].size < out->facets[smallest].size) {
                smallest = i;
            }
        }
        out->facet_count--;
        memmove(&out->facets[smallest], &out->facets[smallest + 1],
                (out->facet_count - smallest) * sizeof out->facets[0]);
    }
}

static void store_plane(const hull *from, const facet *plane, acre_frustum *out)
{
    double moved[3];
    for (int k = 0; k < 3; k++) {
        moved[k] = plane->normal[k] + PLANE_MARGIN * from->turn[k];
    }
    const double in_world = plane->d - dot3(plane->normal, from->center);
    const double margin = PLANE_MARGIN * (from->least + length3(from->center) + fabs(in_world));
    const double size = length3(moved);
    const double d = (plane->d + margin - dot3(moved, from->center)) / size + UNDERFLOW_MARGIN;
    if (!(d <= (double)FLT_MAX)) {
        return; // beyond all floats
    }
    float *const stored = out->planes[out->plane_count++];
    for (int k = 0; k < 3; k++) {
        stored[k] = (float)(moved[k] / size);
    }
    stored[3] = (float)fmax(d, -(double)FLT_MAX);
}

acre_result acre_camera_joint_frustum(const acre_camera *cameras, uint32_t count, acre_frustum *out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = (acre_frustum){.plane_count = 0};
    if (!cameras || count < 1 || count > ACRE_JOINT_MAX_CAMERAS) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    hull views = {.generator_count = 0};
    for (uint32_t i = 0; i < count; i++) {
        if (!add_view(&views, &cameras[i])) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
    }
    move_to_center(&views);
    if (!find_reach(&views)) {
        return ACRE_OK;
    }
    find_facets(&views);
    drop_small_facets(&views);
    for (uint32_t i = 0; i < views.facet_count; i++) {
        store_plane(&views, &views.facets[i], out);
    }
    return ACRE_OK;
}

// ---- cubes ----

acre_result acre_cube_cameras(const float *eye, float near_distance, float far_distance,
                              acre_clip clip, acre_camera *out)
{
    // Right, up and back of each face, as axis numbers 1..3 with a sign.
    static const int faces[6][3] = {{-3, -2, -1}, {3, -2, 1},  {1, 3, -2},
                                    {1, -3, 2},   {1, -2, -3}, {-1, -2, 3}};
    acre_camera cube = {.layers = 0};
    if (!eye || !out || !floats_are_finite(eye, 3)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_result result =
        acre_camera_perspective(&cube, 1.5707964f, 1.0f, near_distance, far_distance, clip);
    if (result != ACRE_OK) {
        return result;
    }
    // Of a right angle, exactly: faces then have their sides in common, to the bit.
    cube.projection[0] = cube.projection[5] = 1.0f;
    for (int face = 0; face < 6; face++) {
        out[face] = cube;
        memset(out[face].view, 0, sizeof out[face].view);
        out[face].view[15] = 1.0f;
        for (int row = 0; row < 3; row++) {
            const int axis = abs(faces[face][row]) - 1;
            const float sign = faces[face][row] > 0 ? 1.0f : -1.0f;
            out[face].view[4 * axis + row] = sign;
            out[face].view[12 + row] = -sign * eye[axis];
        }
    }
    return ACRE_OK;
}
