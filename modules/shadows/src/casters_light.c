// SPDX-License-Identifier: MIT
// casters_light.c - a light at a place: receivers and casters on the six faces of a cube around it.
//
// A point is taken relative to the light and in units of its range. It is on the face of its
// largest coordinate w, at u and v: its two other coordinates, divided by w. A ray from the light
// keeps its face, u and v, so that a caster and what it shadows meet in one cell of one face.
//
// The depth of a point is -1 / w. It grows with the distance, and a plane n.p + s >= 0 bounds it by
// a linear function of u and v, since p = w d with d = (1, u, v): n.d >= s * depth. So each cell
// stores, as the columns of a cascade do, between which depths something seen and lit may be, and
// the most depth of a receiver. A box is a caster if it begins before that depth in one of its
// cells.
//
// Why none is lost: a point of a receiver, and the point where the light's ray to it meets the
// caster, are in one cell. Boxes are widened by LIGHT_MARGIN of the range, which covers what
// doubles err in finding that cell. In it the caster begins before the receiver ends, as each bound
// of a depth is moved outward by more than floats err: CELL_MARGIN.
#include "casters_internal.h"

#include "clip_internal.h"
#include "float_bits.h"
#include "vector_internal.h"

#include <math.h>
#include <string.h>

// Cells of a cascade's grid along a side, for one of a face.
#define FACE_SHARE 4u
// The least w of a part of a box: where a widened box is nearer, it contains the light.
#define NEAREST_PART 0x1p-60
// Share of their terms, which are at most 4, that covers the rounding of floats in cells' bounds.
#define CELL_MARGIN 0x1p-19f
// Radians that cover it in the test of a cell against a cone, if the cone is not nearly a sphere.
#define CONE_MARGIN 0x1p-12
#define WIDEST_CUT 3.1
// The widest spot light that is a cone for queries (shapes.h).
#define WIDEST_CONE 1.4f
// Farther than any depth.
#define NO_BOUND 1e30f
#define LARGEST_OF_LIGHT 0x1p50f
#define HALF_TURN 3.14159274f

static bool is_spot_light(const acre_local_light *light)
{
    const float *const d = light->direction;
    return d[0] != 0.0f || d[1] != 0.0f || d[2] != 0.0f;
}

// ---- the cube ----

static bool light_is_valid(const acre_local_light *light)
{
    bool is_valid = light && light->range > 0.0f && light->range <= LARGEST_OF_LIGHT;
    for (int k = 0; is_valid && k < 3; k++) {
        is_valid = fabsf(light->position[k]) <= LARGEST_OF_LIGHT &&
                   fabsf(light->direction[k]) <= LARGEST_OF_LIGHT;
    }
    return is_valid && (!is_spot_light(light) ||
                        (light->outer_angle > 0.0f && light->outer_angle <= HALF_TURN));
}

// The cone and the cells around its side have an angle of at most that of the light and of half the
// diagonal of a cell.
static void lay_cone(light_cube *cube, const acre_local_light *light)
{
    const double axis[3] = {(double)light->direction[0], (double)light->direction[1],
                            (double)light->direction[2]};
    const double around = asin(sqrt(2.0) / (double)cube->side) + CONE_MARGIN;
    const double angle = (double)light->outer_angle + around;
    const double length = length3(axis), cosine = cos(angle);
    cube->has_cone = is_spot_light(light) && angle < WIDEST_CUT;
    for (int k = 0; k < 3 && cube->has_cone; k++) {
        cube->axis[k] = axis[k] / length;
    }
    cube->cone_limit = (float)(cosine * fabs(cosine));
}

static void lay_cube(acre_receivers *receivers, const acre_local_light *light)
{
    light_cube *const cube = &receivers->cube;
    light_space *const space = &receivers->space;
    const float *const d = light->direction, *const p = light->position;
    cube->range = (double)light->range;
    cube->side = receivers->resolution / FACE_SHARE;
    cube->is_empty = false;
    cube->laid = 0;
    cube->plane_count = 0;
    cube->is_cone = is_spot_light(light) && light->outer_angle <= WIDEST_CONE;
    cube->sphere = (acre_sphere){{p[0], p[1], p[2]}, light->range};
    cube->cone =
        (acre_cone){{p[0], p[1], p[2]}, {d[0], d[1], d[2]}, light->range, light->outer_angle};
    for (int k = 0; k < 3; k++) {
        const double at = (double)p[k], reach = cube->range * (1.0 + LIGHT_MARGIN);
        cube->position[k] = at;
        space->slice_bounds.min[k] = nextafterf((float)(at - reach), -FLT_MAX);
        space->slice_bounds.max[k] = nextafterf((float)(at + reach), FLT_MAX);
    }
    space->layers = light->layers;
    space->slice.plane_count = 0;
    receivers->cell_count = (size_t)ACRE_CUBE_FACES * cube->side * cube->side;
    ACRE_INVARIANT(receivers->cell_count <= receivers->offsets[1]);
    lay_cone(cube, light);
}

// Adds a plane of the seen volume: n.p + s >= 0, relative to the light and in units of its range.
// One that does not come into the light's reach cuts nothing off, or all.
static void add_seen_plane(light_cube *cube, const float *plane, double length)
{
    double *const n = cube->planes[cube->plane_count];
    double at = (double)plane[3] / length, terms = fabs(at);
    for (int k = 0; k < 3; k++) {
        n[k] = (double)plane[k] / length;
        at += n[k] * cube->position[k];
        terms += fabs(n[k] * cube->position[k]);
    }
    // More than it is: nothing is lost.
    const double s = (at + LIGHT_MARGIN * terms) / cube->range + LIGHT_MARGIN;
    n[3] = fabs(s) < LIGHT_MARGIN ? LIGHT_MARGIN : s;
    cube->plane_count += s < 1.0;
    cube->is_empty |= s < -1.0;
}

acre_result acre_receivers_begin_light(acre_receivers *receivers, const acre_local_light *light,
                                       const acre_frustum *seen)
{
    if (!receivers || !light_is_valid(light)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    lay_cube(receivers, light);
    acre_frustum *const kept = &receivers->space.slice;
    for (uint32_t i = 0; seen && i < frustum_plane_count(seen); i++) {
        const float *const plane = seen->planes[i];
        const double normal[3] = {(double)plane[0], (double)plane[1], (double)plane[2]};
        if (floats_are_finite(plane, 4) && length3(normal) > 0.0) { // others hide nothing
            memcpy(kept->planes[kept->plane_count++], plane, sizeof kept->planes[0]);
            add_seen_plane(&receivers->cube, plane, length3(normal));
        }
    }
    receivers->is_begun = receivers->is_light = receivers->is_settled = true;
    receivers->has_coarse = false;
    return ACRE_OK;
}

// ---- the cells of a face ----

// Where cell i of a side begins: exact, as sides are powers of two.
static inline double cell_begin(const light_cube *cube, uint32_t i)
{
    return (double)(int32_t)i * (2.0 / (double)cube->side) - 1.0;
}

// The axes of a face: [0] across it, [1] of u, [2] of v.
static inline void face_axes(uint32_t face, int *axes)
{
    for (int k = 0; k < 3; k++) {
        axes[k] = ((int)face / 2 + k) % 3;
    }
}

// A vector as a face has it: across the face, along u, along v.
static void turn_to_face(uint32_t face, const double *vector, double *out)
{
    int axes[3];
    face_axes(face, axes);
    for (int k = 0; k < 3; k++) {
        out[k] = k == 0 && (face & 1) ? -vector[axes[k]] : vector[axes[k]];
    }
}

// The light's reach: a cell ends at the depth -|(1, u, v)| of its nearest point.
static void fill_row_by_range(const light_cube *cube, double v, float *most)
{
    const float size = 2.0f / (float)cube->side, low = (float)v;
    const float near_v = low < 0.0f ? low + size : low, square = 1.0f + near_v * near_v;
    for (int32_t x = 0; x < (int32_t)cube->side; x++) {
        const float u = (float)x * size - 1.0f, near_u = u < 0.0f ? u + size : u;
        most[x] = -sqrtf(square + near_u * near_u) * (1.0f - CELL_MARGIN);
    }
}

// Empties the cells whose middles are outside a spot light's cone, widened by half a cell.
static void cut_row_by_cone(const light_cube *cube, const double *axis, double v, float *most)
{
    const float step = 2.0f / (float)cube->side, first = 0.5f * step - 1.0f;
    const float at = (float)(axis[0] + axis[2] * v), along_u = (float)axis[1];
    const float square = (float)(1.0 + v * v);
    for (int32_t x = 0; x < (int32_t)cube->side; x++) {
        const float u = (float)x * step + first, along = at + along_u * u;
        const bool is_out = along * fabsf(along) < cube->cone_limit * (square + u * u);
        most[x] = is_out ? NO_RECEIVER : most[x];
    }
}

// Bounds the depths by a plane, in the middles of cells and widened by half a cell: where s > 0
// from above.
static void cut_row_by_plane(const light_cube *cube, const double *n, double s, double v,
                             float *least, float *most)
{
    const int32_t side = (int32_t)cube->side;
    const double half = 1.0 / (double)cube->side;
    const double spread = (fabs(n[1]) + fabs(n[2])) * half + (double)CELL_MARGIN;
    const float at = (float)((n[0] + n[1] * (half - 1.0) + n[2] * v + spread) / s);
    const float step = (float)(2.0 * half * n[1] / s);
    if (s > 0.0) {
        for (int32_t x = 0; x < side; x++) {
            most[x] = depth_min(at + (float)x * step, most[x]);
        }
    } else {
        for (int32_t x = 0; x < side; x++) {
            least[x] = depth_max(at + (float)x * step, least[x]);
        }
    }
}

// Only faces that receive something are laid.
static void lay_face(acre_receivers *receivers, uint32_t face)
{
    light_cube *const cube = &receivers->cube;
    double axis[3], planes[ACRE_FRUSTUM_MAX_PLANES][3];
    turn_to_face(face, cube->axis, axis);
    for (uint32_t i = 0; i < cube->plane_count; i++) {
        turn_to_face(face, cube->planes[i], planes[i]);
    }
    for (uint32_t y = 0; y < cube->side; y++) {
        const size_t row = ((size_t)face * cube->side + y) * cube->side;
        float *const least = receivers->slice[0] + row, *const most = receivers->slice[1] + row;
        const double low = cell_begin(cube, y), v = low + 1.0 / (double)cube->side;
        fill_row_by_range(cube, low, most);
        for (uint32_t x = 0; x < cube->side; x++) {
            least[x] = -FLT_MAX;
            receivers->marks[row + x] = NO_RECEIVER;
        }
        if (cube->has_cone) {
            cut_row_by_cone(cube, axis, v, most);
        }
        for (uint32_t i = 0; i < cube->plane_count; i++) {
            cut_row_by_plane(cube, planes[i], cube->planes[i][3], v, least, most);
        }
    }
    cube->laid |= 1u << face;
}

void acre_light_lay_faces(acre_receivers *receivers)
{
    for (uint32_t face = 0; face < ACRE_CUBE_FACES; face++) {
        if (!(receivers->cube.laid >> face & 1)) {
            lay_face(receivers, face);
        }
    }
}

// ---- a box on a face ----

// What the two sides of a box across one axis say of its depth in a cell from `low` to `high` along
// that axis: it is between low * begin[0] - open[0], high * begin[1] - open[1] and low * end[0],
// high * end[1].
typedef struct side_bounds {
    float begin[2], end[2];
    float open[2];        // 0, or NO_BOUND
    uint32_t first, last; // cells
} side_bounds;

// A box on one face.
typedef struct face_box {
    float begin, end; // depths of its sides across the face's axis
    side_bounds u, v;
} face_box;

// The box relative to the light, in units of the range: [axis][least, most].
typedef struct near_box {
    double sides[3][2];
} near_box;

// Returns false for a box out of reach.
static bool bring_near(const light_cube *cube, const acre_aabb *box, near_box *out)
{
    for (int k = 0; k < 3; k++) {
        const double low = ((double)box->min[k] - cube->position[k]) / cube->range - LIGHT_MARGIN;
        const double high = ((double)box->max[k] - cube->position[k]) / cube->range + LIGHT_MARGIN;
        if (low > 1.0 || high < -1.0) {
            return false;
        }
        out->sides[k][0] = larger_bound(low, -1.0 - LIGHT_MARGIN);
        out->sides[k][1] = smaller_bound(high, 1.0 + LIGHT_MARGIN);
    }
    return true;
}

static uint32_t face_cell(const light_cube *cube, double at)
{
    const uint32_t cell = (uint32_t)((at + 1.0) * 0.5 * (double)cube->side);
    return cell < cube->side ? cell : cube->side - 1;
}

// Returns false if the box, which is between two distances from the light, is beside the face.
static bool put_between(const light_cube *cube, const double *sides, double near, double far,
                        side_bounds *out)
{
    const double low = sides[0], high = sides[1];
    const double least = low / (low < 0.0 ? near : far), most = high / (high > 0.0 ? near : far);
    if (least > 1.0 || most < -1.0) {
        return false;
    }
    out->first = face_cell(cube, larger_bound(least, -1.0));
    out->last = face_cell(cube, smaller_bound(most, 1.0));
    const bool is_above = low > 0.0, is_below = high < 0.0;
    out->begin[0] = (float)(is_below ? -1.0 / high : 0.0);
    out->begin[1] = (float)(is_above ? -1.0 / low : 0.0);
    out->open[0] = is_below ? 0.0f : NO_BOUND;
    out->open[1] = is_above ? 0.0f : NO_BOUND;
    out->end[0] = (float)(high > 0.0 ? -1.0 / high : 0.0);
    out->end[1] = (float)(low < 0.0 ? -1.0 / low : 0.0);
    return true;
}

static bool put_on_face(const light_cube *cube, const near_box *box, uint32_t face, face_box *out)
{
    int axes[3];
    face_axes(face, axes);
    const double *const across = box->sides[axes[0]];
    const double far = face & 1 ? -across[0] : across[1];
    if (far <= 0.0) {
        return false;
    }
    const double near = larger_bound(face & 1 ? -across[1] : across[0], NEAREST_PART);
    out->begin = (float)(-1.0 / near);
    out->end = (float)(-1.0 / larger_bound(far, near));
    return put_between(cube, box->sides[axes[1]], near, larger_bound(far, near), &out->u) &&
           put_between(cube, box->sides[axes[2]], near, larger_bound(far, near), &out->v);
}

// A box in a row of a face's cells.
typedef struct face_row {
    float begin, end; // what the face's axis and that of v say
    float size;       // of a cell
    side_bounds u;
    size_t first;          // cell of the grid
    int32_t column, count; // the first of them in the row, and how many
} face_row;

static inline float begin_of(const side_bounds *sides, float low, float high)
{
    return depth_max(low * sides->begin[0] - sides->open[0],
                     high * sides->begin[1] - sides->open[1]);
}

static inline float end_of(const side_bounds *sides, float low, float high)
{
    return depth_min(low * sides->end[0], high * sides->end[1]);
}

static inline face_row light_row(const light_cube *cube, const face_box *box, uint32_t face,
                                 uint32_t y)
{
    ACRE_INVARIANT(y < cube->side && box->u.first <= box->u.last && box->u.last < cube->side);
    const float size = 2.0f / (float)cube->side, v = (float)(int32_t)y * size - 1.0f;
    return (face_row){
        .begin = depth_max(box->begin, begin_of(&box->v, v, v + size)),
        .end = depth_min(box->end, end_of(&box->v, v, v + size)),
        .size = size,
        .u = box->u,
        .first = ((size_t)face * cube->side + y) * cube->side + box->u.first,
        .column = (int32_t)box->u.first,
        .count = (int32_t)(box->u.last - box->u.first) + 1,
    };
}

// Where the box begins and ends in cell x of the row. If begin > end, it is not in the cell.
static inline float begin_in_cell(const face_row *row, int32_t x)
{
    const float u = (float)(row->column + x) * row->size - 1.0f;
    return depth_max(row->begin, begin_of(&row->u, u, u + row->size)) * (1.0f + CELL_MARGIN);
}

static inline float end_in_cell(const face_row *row, int32_t x)
{
    const float u = (float)(row->column + x) * row->size - 1.0f;
    return depth_min(row->end, end_of(&row->u, u, u + row->size)) * (1.0f - CELL_MARGIN);
}

// ---- marks ----

static void mark_row(const acre_receivers *receivers, const face_row *from)
{
    const face_row row = *from;
    const float *const least = receivers->slice[0] + row.first;
    const float *const most = receivers->slice[1] + row.first;
    float *const marks = receivers->marks + row.first;
    for (int32_t x = 0; x < row.count; x++) {
        const float begin = begin_in_cell(&row, x), end = end_in_cell(&row, x);
        const bool is_in =
            (begin <= end) & (least[x] <= most[x]) & (begin <= most[x]) & (end >= least[x]);
        marks[x] = depth_max(marks[x], is_in ? depth_min(end, most[x]) : NO_RECEIVER);
    }
}

void acre_light_mark(acre_receivers *receivers, const acre_aabb *box)
{
    near_box near;
    if (receivers->cube.is_empty || !bring_near(&receivers->cube, box, &near)) {
        return;
    }
    for (uint32_t face = 0; face < ACRE_CUBE_FACES; face++) {
        face_box on;
        if (put_on_face(&receivers->cube, &near, face, &on)) {
            if (!(receivers->cube.laid >> face & 1)) {
                lay_face(receivers, face);
            }
            for (uint32_t y = on.v.first; y <= on.v.last; y++) {
                const face_row row = light_row(&receivers->cube, &on, face, y);
                if (row.begin <= row.end) {
                    mark_row(receivers, &row);
                }
            }
        }
    }
}

static bool reaches_row(const acre_receivers *receivers, const face_row *row)
{
    const float *const marks = receivers->marks + row->first;
    for (int32_t x = 0; x < row->count; x++) {
        const float begin = begin_in_cell(row, x);
        if (marks[x] >= begin && begin <= end_in_cell(row, x)) {
            return true;
        }
    }
    return false;
}

uint32_t acre_light_reach(const acre_receivers *receivers, const acre_aabb *box, bool all_faces)
{
    near_box near;
    uint32_t faces = 0;
    if (!bring_near(&receivers->cube, box, &near)) {
        return 0;
    }
    for (uint32_t face = 0; face < ACRE_CUBE_FACES && (all_faces || faces == 0); face++) {
        face_box on;
        bool is_caster = false;
        if ((receivers->cube.laid >> face & 1) && put_on_face(&receivers->cube, &near, face, &on)) {
            for (uint32_t y = on.v.first; y <= on.v.last && !is_caster; y++) {
                const face_row row = light_row(&receivers->cube, &on, face, y);
                is_caster = row.begin <= row.end && reaches_row(receivers, &row);
            }
        }
        faces |= (uint32_t)is_caster << face;
    }
    return faces;
}
