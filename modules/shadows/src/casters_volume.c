// SPDX-License-Identifier: MIT
// casters_volume.c - a cascade's slice seen along the light: its outline, and the slice
// extruded toward the light.
//
// q is in the extruded slice if some q + t w, t >= 0, is in the slice. Eliminating t from the
// inequalities n.q + t (n.w) + d >= 0 (Fourier and Motzkin) leaves
//     those with n.w <= 0, as they are: t only makes them smaller, and
//     for each pair with a.w > 0 > b.w the sum (-b.w) a + (a.w) b, in which t cancels.
// A sum with factors that are not negative holds in the whole slice, whatever rounding did to the
// factors, so no error of theirs makes the volume too small. The sums do not depend on w: they are
// lines in the plane (u, v), and what is inside all of them is the slice's outline. Only those on
// the outline are needed; clipping a rectangle by one after the other tells which they are.
#include "casters_internal.h"

#include "clip_internal.h"
#include "float_bits.h"
#include "hull_internal.h"
#include "vector_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Lines at most: 8 * 8 pairs of 16 planes, 16 planes along the light, and 4 of the light volume.
// A line comes from a pair or from a plane along the light; inside is [0] u + [1] v + [2] >= 0, and
// ([0], [1]) has length 1.
#define MAX_LINES 84
// Each line that clips a convex polygon adds at most one corner.
#define MAX_CORNERS (4 + MAX_LINES)
// A sum of two planes that nearly cancel says little: below this share of the terms it is skipped.
#define CANCELED_SUM 0x1p-10
// At most so many planes that face the light are kept, so that lines find room.
#define MAX_FACING 7
// Share of reach by which stored planes move outward, as in acre_frustum_from_matrix.
#define CASTER_PLANE_MARGIN 0x1p-20
#define NO_LINE UINT32_MAX
// A slice with more planes than this takes the bounds of the light volume.
#define BOUNDED_PLANES 8u
// Share of the volume's reach by which the bounds of a hull may err (frustum_exact.c).
#define HULL_MARGIN 0x1p-31

// Convex.
typedef struct light_polygon {
    uint32_t count;
    double corners[MAX_CORNERS][2];
    uint32_t edges[MAX_CORNERS]; // the line on which the way from a corner to the next one lies
} light_polygon;

typedef struct slice_outline {
    uint32_t line_count;
    double lines[MAX_LINES][3]; // a, b, c
    light_polygon shape;
} slice_outline;

static bool normalize_axis(double *v)
{
    const double length = sqrt(dot3(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
    return length > 0.0 && length <= DBL_MAX;
}

static bool make_axes(light_space *out, const float *light)
{
    double *const w = out->axes[2];
    int least = 0;
    for (int k = 0; k < 3; k++) {
        if (!float_is_finite(light[k])) {
            return false;
        }
        w[k] = (double)light[k];
        least = fabs(w[k]) < fabs(w[least]) ? k : least;
    }
    const double axis[3] = {least == 0, least == 1, least == 2};
    if (!normalize_axis(w)) {
        return false;
    }
    cross3(axis, w, out->axes[0]);
    (void)normalize_axis(out->axes[0]); // at least sqrt(2 / 3)
    cross3(w, out->axes[0], out->axes[1]);
    return true;
}

// Turns a plane into light space and to length 1. Returns false for a plane that hides nothing.
static bool turn_plane(const light_space *space, const float *plane, double *out)
{
    double world[4];
    for (int i = 0; i < 4; i++) {
        if (!float_is_finite(plane[i])) {
            return false;
        }
        world[i] = (double)plane[i];
    }
    const double length = sqrt(dot3(world, world));
    if (!(length > 0.0)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = dot3(space->axes[k], world) / length;
    }
    out[3] = world[3] / length;
    return true;
}

static float round_edge_down(double value)
{
    return nextafterf((float)value, -FLT_MAX);
}

static float round_edge_up(double value)
{
    return nextafterf((float)value, FLT_MAX);
}

// Planes of the camera in light space, in the order of acre_frustum_from_matrix: two and two along
// the light, and two across it.
static bool is_along_light(double (*planes)[4])
{
    for (int i = 0; i < 4; i++) {
        if (!(fabs(planes[i][2]) < 0.01)) {
            return false;
        }
    }
    return fabs(planes[4][2]) > 0.99 && planes[4][2] * planes[5][2] < 0.0 &&
           fabs(planes[5][2]) > 0.99;
}

// Computes reach, depth, bounds and the first rectangle from the corners of the light volume.
static bool measure_volume(light_space *out, double (*planes)[4])
{
    double least[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, most[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    double square = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double p[4];
        // Three planes that are nearly perpendicular meet in a point.
        meet_planes(planes[corner & 1], planes[2 + (corner >> 1 & 1)], planes[4 + (corner >> 2)],
                    p);
        for (int k = 0; k < 3; k++) {
            p[k] /= p[3];
        }
        square = fmax(square, dot3(p, p));
        for (int k = 0; k < 3; k++) {
            least[k] = fmin(least[k], p[k]);
            most[k] = fmax(most[k], p[k]);
            const double world =
                out->axes[0][k] * p[0] + out->axes[1][k] * p[1] + out->axes[2][k] * p[2];
            low[k] = fmin(low[k], world);
            high[k] = fmax(high[k], world);
        }
    }
    out->reach = sqrt(square);
    if (!(out->reach < 0x1p50)) {
        return false;
    }
    out->margin = LIGHT_MARGIN * out->reach + (double)FLT_MIN;
    for (int k = 0; k < 3; k++) {
        out->bounds.min[k] = round_edge_down(low[k] - out->margin);
        out->bounds.max[k] = round_edge_up(high[k] + out->margin);
    }
    for (int k = 0; k < 2; k++) {
        out->rectangle[k][0] = least[k] - out->margin;
        out->rectangle[k][1] = most[k] + out->margin;
    }
    out->depth[0] = least[2] - out->margin;
    out->depth[1] = most[2] + out->margin;
    return true;
}

// Planes with NaN or infinite elements hide nothing.
static void turn_slice(light_space *out, const acre_frustum *slice)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < frustum_plane_count(slice); i++) {
        double *const plane = out->planes[kept];
        if (turn_plane(out, slice->planes[i], plane)) {
            plane[3] += LIGHT_MARGIN * fabs(plane[3]) + out->margin;
            memcpy(out->slice.planes[kept++], slice->planes[i], sizeof out->slice.planes[0]);
        }
    }
    out->plane_count = out->slice.plane_count = kept;
}

// Bounds only save work, and their cost grows with the fourth power of the number of planes.
static void find_slice_bounds(light_space *out)
{
    acre_frustum_hull hull;
    out->slice_bounds = out->bounds;
    if (out->slice.plane_count <= BOUNDED_PLANES) {
        const double margin = HULL_MARGIN * out->reach;
        acre_frustum_hull_prepare(&hull, &out->slice);
        for (int k = 0; k < 3; k++) {
            const float least = round_edge_down((double)hull.bounds.min[k] - margin);
            const float most = round_edge_up((double)hull.bounds.max[k] + margin);
            out->slice_bounds.min[k] = fmaxf(out->bounds.min[k], least);
            out->slice_bounds.max[k] = fminf(out->bounds.max[k], most);
        }
    }
}

// Adds the line a u + b v + c >= 0, if its direction is more than rounding.
static void add_outline_line(slice_outline *of, double a, double b, double c, double whole,
                             double margin)
{
    const double length = sqrt(a * a + b * b);
    if (length > CANCELED_SUM * whole && of->line_count < MAX_LINES) {
        ACRE_INVARIANT(length > 0.0);
        double *const line = of->lines[of->line_count++];
        line[0] = a / length;
        line[1] = b / length;
        line[2] = c / length + margin;
    }
}

// Adds the line of a plane along the light, or nearly: its w may still move the line outward.
static void add_side(slice_outline *of, const light_space *space, const double *plane)
{
    const double lean = fabs(plane[2]) * space->reach;
    add_outline_line(of, plane[0], plane[1], plane[3] + lean, 1.0, space->margin);
}

static void add_lines(slice_outline *of, const light_space *space)
{
    for (uint32_t i = 0; i < space->plane_count; i++) {
        const double *const a = space->planes[i];
        if (fabs(a[2]) <= LIGHT_PARALLEL) {
            add_side(of, space, a);
        }
        for (uint32_t k = 0; k < space->plane_count && a[2] > LIGHT_PARALLEL; k++) {
            const double *const b = space->planes[k];
            if (b[2] < -LIGHT_PARALLEL) {
                const double of_a = -b[2], of_b = a[2];
                add_outline_line(of, of_a * a[0] + of_b * b[0], of_a * a[1] + of_b * b[1],
                                 of_a * a[3] + of_b * b[3], of_a + of_b, space->margin);
            }
        }
    }
}

static void start_with_rectangle(light_polygon *shape, double (*rectangle)[2])
{
    for (int i = 0; i < 4; i++) {
        shape->corners[i][0] = rectangle[0][i == 1 || i == 2];
        shape->corners[i][1] = rectangle[1][i >= 2];
        shape->edges[i] = NO_LINE;
    }
    shape->count = 4;
}

static double distance_to(const double *line, const double *corner)
{
    return line[0] * corner[0] + line[1] * corner[1] + line[2];
}

static void add_polygon_corner(light_polygon *shape, double x, double y, uint32_t edge)
{
    ACRE_INVARIANT(shape->count < MAX_CORNERS);
    shape->corners[shape->count][0] = x;
    shape->corners[shape->count][1] = y;
    shape->edges[shape->count++] = edge;
}

// Sutherland and Hodgman 1974, for one line.
static void clip_polygon(const light_polygon *shape, const double *line, uint32_t number,
                         light_polygon *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        const double *const from = shape->corners[i];
        const double *const to = shape->corners[i + 1 < shape->count ? i + 1 : 0];
        const double start = distance_to(line, from), end = distance_to(line, to);
        if (start >= 0.0) {
            add_polygon_corner(out, from[0], from[1], shape->edges[i]);
        }
        if ((start >= 0.0) != (end >= 0.0)) {
            const double share = start / (start - end);
            add_polygon_corner(out, from[0] + share * (to[0] - from[0]),
                               from[1] + share * (to[1] - from[1]),
                               start >= 0.0 ? number : shape->edges[i]);
        }
    }
}

static void clip_by_lines(slice_outline *of)
{
    light_polygon cut;
    for (uint32_t i = 0; i < of->line_count; i++) {
        clip_polygon(&of->shape, of->lines[i], i, &cut);
        of->shape = cut;
    }
}

static double polygon_edge(const light_polygon *shape, uint32_t i, double *direction)
{
    const uint32_t next = i + 1 < shape->count ? i + 1 : 0;
    for (int k = 0; k < 2; k++) {
        direction[k] = shape->corners[next][k] - shape->corners[i][k];
    }
    return sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
}

// The extent of the corners along a direction of length 1 and across it.
static void measure_polygon(const light_polygon *shape, const double *along, double (*out)[2])
{
    for (int k = 0; k < 2; k++) {
        out[k][0] = DBL_MAX;
        out[k][1] = -DBL_MAX;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        const double *const c = shape->corners[i];
        const double at[2] = {along[0] * c[0] + along[1] * c[1], along[0] * c[1] - along[1] * c[0]};
        for (int k = 0; k < 2; k++) {
            out[k][0] = fmin(out[k][0], at[k]);
            out[k][1] = fmax(out[k][1], at[k]);
        }
    }
}

// The smallest rectangle around a convex outline has a side in common with it (Freeman and Shapira
// 1975).
static void smallest_rectangle(const light_polygon *shape, double margin, double *along,
                               double (*rectangle)[2])
{
    double least = DBL_MAX;
    along[0] = 1.0;
    along[1] = 0.0;
    for (uint32_t i = 0; i < shape->count; i++) {
        double direction[2], extent[2][2];
        const double length = polygon_edge(shape, i, direction);
        if (length > margin) {
            direction[0] /= length;
            direction[1] /= length;
            measure_polygon(shape, direction, extent);
            const double area = (extent[0][1] - extent[0][0]) * (extent[1][1] - extent[1][0]);
            if (area < least) {
                least = area;
                memcpy(along, direction, 2 * sizeof *along);
            }
        }
    }
    measure_polygon(shape, along, rectangle);
    for (int k = 0; k < 2; k++) {
        rectangle[k][0] -= margin;
        rectangle[k][1] += margin;
    }
}

static void store_caster_plane(acre_frustum *out, const light_space *space, const double *plane)
{
    const double d =
        plane[3] + CASTER_PLANE_MARGIN * (fabs(plane[3]) + space->reach) + 8.0 * (double)FLT_MIN;
    if (out->plane_count < ACRE_FRUSTUM_MAX_PLANES && d <= (double)FLT_MAX) {
        float *const stored = out->planes[out->plane_count++];
        for (int k = 0; k < 3; k++) {
            stored[k] = (float)(space->axes[0][k] * plane[0] + space->axes[1][k] * plane[1] +
                                space->axes[2][k] * plane[2]);
        }
        stored[3] = (float)fmax(d, -(double)FLT_MAX);
    }
}

// Stores the planes of the extruded slice and the end of the light volume on the light's side; also
// the other end if no plane of the slice closes the volume there.
static void store_casters(light_space *out, const slice_outline *of, const acre_frustum *volume,
                          double (*planes)[4])
{
    acre_frustum *const casters = &out->casters;
    uint32_t facing = 0;
    casters->plane_count = 0;
    for (uint32_t i = 0; i < out->plane_count && facing < MAX_FACING; i++) {
        if (out->planes[i][2] < -LIGHT_PARALLEL) {
            store_caster_plane(casters, out, out->planes[i]);
            facing++;
        }
    }
    for (int i = 4; i < 6; i++) {
        if (planes[i][2] > 0.0 || facing == 0) {
            ACRE_INVARIANT(casters->plane_count < ACRE_FRUSTUM_MAX_PLANES);
            memcpy(casters->planes[casters->plane_count++], volume->planes[i],
                   sizeof casters->planes[0]);
        }
    }
    const light_polygon *const shape = &of->shape;
    for (uint32_t i = 0; i < shape->count; i++) {
        double direction[2];
        if (shape->edges[i] != NO_LINE && polygon_edge(shape, i, direction) > out->margin) {
            ACRE_INVARIANT(shape->edges[i] < of->line_count);
            const double *const line = of->lines[shape->edges[i]];
            const double plane[4] = {line[0], line[1], 0.0, line[2]};
            store_caster_plane(casters, out, plane);
        }
    }
}

// Turns u and v so that u has a given direction.
static void turn_axes(light_space *space, const double *along)
{
    for (int k = 0; k < 3; k++) {
        const double u = space->axes[0][k], v = space->axes[1][k];
        space->axes[0][k] = along[0] * u + along[1] * v;
        space->axes[1][k] = along[0] * v - along[1] * u;
    }
    for (uint32_t i = 0; i < space->plane_count; i++) {
        double *const plane = space->planes[i];
        const double u = plane[0], v = plane[1];
        plane[0] = along[0] * u + along[1] * v;
        plane[1] = along[0] * v - along[1] * u;
    }
}

acre_result acre_light_space_make(light_space *out, const acre_cascade *cascade)
{
    acre_frustum volume;
    double planes[6][4];
    if (!cascade || !make_axes(out, cascade->light) ||
        acre_camera_frustum(&cascade->camera, &volume) != ACRE_OK || volume.plane_count != 6) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    for (int i = 0; i < 6; i++) {
        (void)turn_plane(out, volume.planes[i], planes[i]);
    }
    if (!is_along_light(planes) || !measure_volume(out, planes)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    out->layers = cascade->camera.layers;
    turn_slice(out, &cascade->slice);
    find_slice_bounds(out);
    slice_outline of;
    of.line_count = 0;
    start_with_rectangle(&of.shape, out->rectangle);
    for (int i = 0; i < 4; i++) {
        add_side(&of, out, planes[i]);
    }
    add_lines(&of, out);
    clip_by_lines(&of);
    out->is_empty = of.shape.count == 0;
    store_casters(out, &of, &volume, planes);
    if (!out->is_empty) {
        double along[2];
        smallest_rectangle(&of.shape, out->margin, along, out->rectangle);
        turn_axes(out, along);
    }
    return ACRE_OK;
}

acre_result acre_cascade_caster_frustum(const acre_cascade *cascade, acre_frustum *out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    light_space space;
    const acre_result result = acre_light_space_make(&space, cascade);
    if (result == ACRE_OK) {
        *out = space.casters;
    } else {
        *out = (acre_frustum){.plane_count = 0};
    }
    return result;
}
