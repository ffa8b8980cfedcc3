// SPDX-License-Identifier: MIT
// frustum_kinds.h - projections of many kinds, in double, and proofs in clip space: the tests'
// oracle, which shares no code with the library.
#ifndef ACRE_FRUSTUM_KINDS_H
#define ACRE_FRUSTUM_KINDS_H

#include "test.h"

#include <acre/camera.h>

#include <math.h>

// A projection: the rectangle at distance 1 (perspective) or its size (orthographic), a depth
// range, and how the result is mirrored or scaled. Looks along -z, with flip -1 along z = +1.
typedef struct projection_kind {
    const char *name;
    bool is_orthographic;
    double left, right, bottom, top;
    double near_distance, far_distance;
    double flip[3]; // on x, y and z of the camera
    double scale;   // of the whole matrix; clip space is homogeneous
} projection_kind;

static const projection_kind projection_kinds[] = {
    {"narrow", false, -0.01, 0.01, -0.01, 0.01, 1, 5000, {1, 1, 1}, 1},
    {"usual", false, -0.9, 0.9, -0.5, 0.5, 0.1, 1000, {1, 1, 1}, 1},
    {"wide", false, -4, 4, -3, 3, 0.5, 300, {1, 1, 1}, 1},
    {"off center", false, -0.2, 0.9, -0.7, 0.1, 0.3, 500, {1, 1, 1}, 1},
    {"beside the axis", false, 0.3, 1.1, 0.2, 0.6, 0.3, 500, {1, 1, 1}, 1},
    {"tiny near", false, -0.9, 0.9, -0.5, 0.5, 0.005, 2000, {1, 1, 1}, 1},
    {"almost infinite", false, -0.9, 0.9, -0.5, 0.5, 0.001, 3000, {1, 1, 1}, 1},
    {"slab", false, -1, 1, -1, 1, 50, 51, {1, 1, 1}, 1},
    {"infinite", false, -0.9, 0.9, -0.5, 0.5, 0.1, (double)INFINITY, {1, 1, 1}, 1},
    {"infinite off center", false, 0.1, 0.9, -0.5, 0.3, 0.1, (double)INFINITY, {1, 1, 1}, 1},
    {"mirrored x", false, -0.9, 0.9, -0.5, 0.5, 0.1, 1000, {-1, 1, 1}, 1},
    {"mirrored y, infinite", false, -0.9, 0.9, -0.5, 0.5, 0.1, (double)INFINITY, {1, -1, 1}, 1},
    {"left-handed", false, -0.9, 0.9, -0.5, 0.5, 0.1, 1000, {1, 1, -1}, 1},
    {"scaled up", false, -0.9, 0.9, -0.5, 0.5, 0.1, 1000, {1, 1, 1}, 3e4},
    {"scaled down", false, -0.9, 0.9, -0.5, 0.5, 0.1, 1000, {1, 1, 1}, 1e-5},
    {"orthographic", true, -100, 100, -60, 60, 0, 400, {1, 1, 1}, 1},
    {"orthographic off center", true, 20, 90, -300, -10, -50, 400, {1, 1, 1}, 1},
    {"orthographic sheet", true, -0.05, 0.05, -300, 300, 1, 1000, {1, 1, 1}, 1},
    {"orthographic mirrored", true, -100, 100, -60, 60, -200, 400, {-1, 1, -1}, 1},
};
enum { PROJECTION_KIND_COUNT = sizeof projection_kinds / sizeof projection_kinds[0] };

// Whether the library keeps the far plane: not if it is 2^20 times as far as the near plane.
static inline bool is_bounded(const projection_kind *kind)
{
    return kind->is_orthographic || kind->far_distance < 0x1p20 * kind->near_distance;
}

static const acre_clip all_clips[3] = {ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE,
                                       ACRE_CLIP_REVERSED_ZERO_TO_ONE};

static inline double clip_near(acre_clip clip)
{
    return clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? -1.0 : clip == ACRE_CLIP_ZERO_TO_ONE ? 0.0 : 1.0;
}

static inline double clip_far(acre_clip clip)
{
    return clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 0.0 : 1.0;
}

// A camera of the test: its projection, a rotation (rows: right, up, back) and a place.
typedef struct test_view {
    const projection_kind *kind;
    acre_clip clip;
    double axes[3][3];
    double eye[3];
    double size; // factor on all distances of the kind
} test_view;

static inline void random_rotation(test_random *random, double axes[3][3])
{
    double q[4], length = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = (double)random_float(random, -1, 1);
        length += q[i] * q[i];
    }
    length = sqrt(length) + 1e-30;
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 9; i++) {
        axes[i / 3][i % 3] = rows[i / 3][i % 3];
    }
}

// A view turned at random (a quarter of them not at all: planes parallel to the axes), about
// offset away from the origin.
static inline test_view random_view(test_random *random, const projection_kind *kind,
                                    acre_clip clip, double offset)
{
    test_view view = {kind, clip, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, 1.0};
    if (random_below(random, 4) > 0) {
        random_rotation(random, view.axes);
    }
    view.size = fmax(1.0, offset * 1e-6);
    for (int i = 0; i < 3; i++) {
        const double side = random_below(random, 2) ? 1.0 : -1.0;
        view.eye[i] = side * offset + (double)random_float(random, -100, 100);
    }
    return view;
}

static inline void projection_matrix(const projection_kind *kind, double size, acre_clip clip,
                                     double *m)
{
    const double n = kind->near_distance * size, f = kind->far_distance * size;
    const double first = clip_near(clip), last = clip_far(clip);
    const double unit = kind->is_orthographic ? size : 1.0;
    const double width = (kind->right - kind->left) * unit;
    const double height = (kind->top - kind->bottom) * unit;
    const double x0 = (kind->right + kind->left) / (kind->right - kind->left);
    const double y0 = (kind->top + kind->bottom) / (kind->top - kind->bottom);
    for (int i = 0; i < 16; i++) {
        m[i] = 0.0;
    }
    m[0] = 2.0 / width;
    m[5] = 2.0 / height;
    if (kind->is_orthographic) {
        m[12] = -x0;
        m[13] = -y0;
        m[10] = -(last - first) / (f - n);
        m[14] = first - n * (last - first) / (f - n);
        m[15] = 1.0;
    } else {
        // z(distance) = a * distance + b with z(n) = first * n and z(f) = last * f.
        const double a = isinf(f) ? last : (last * f - first * n) / (f - n);
        m[8] = x0;
        m[9] = y0;
        m[10] = -a;
        m[14] = first * n - a * n;
        m[11] = -1.0;
    }
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 4; row++) {
            m[4 * column + row] *= kind->flip[column];
        }
    }
    for (int i = 0; i < 16; i++) {
        m[i] *= kind->scale;
    }
}

static inline void view_projection_matrix(const test_view *view, double *out)
{
    double projection[16], camera[16] = {0};
    projection_matrix(view->kind, view->size, view->clip, projection);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            camera[4 * column + row] = view->axes[row][column];
            camera[12 + row] -= view->axes[row][column] * view->eye[column];
        }
    }
    camera[15] = 1.0;
    for (int i = 0; i < 16; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            out[i] += projection[4 * k + i % 4] * camera[4 * (i / 4) + k];
        }
    }
}

// The world point at (x, y) in -1..1 of the picture and a distance along the view.
static inline void view_point(const test_view *view, double x, double y, double distance,
                              double *out)
{
    const projection_kind *const kind = view->kind;
    const double unit = kind->is_orthographic ? view->size : distance;
    const double local[3] = {
        unit * 0.5 * ((kind->left + kind->right) + x * (kind->right - kind->left)),
        unit * 0.5 * ((kind->bottom + kind->top) + y * (kind->top - kind->bottom)), -distance};
    for (int i = 0; i < 3; i++) {
        out[i] = view->eye[i];
        for (int k = 0; k < 3; k++) {
            out[i] += view->axes[k][i] * kind->flip[k] * local[k];
        }
    }
}

// The inequalities of the clip volume at a point, as value and bound of the rounding in value.
static inline void clip_values(const double *m, acre_clip clip, const double *p, double *values,
                               double *errors)
{
    double c[4], e[4];
    for (int row = 0; row < 4; row++) {
        const double terms[4] = {m[row] * p[0], m[4 + row] * p[1], m[8 + row] * p[2], m[12 + row]};
        c[row] = terms[0] + terms[1] + terms[2] + terms[3];
        e[row] = 0x1p-50 * (fabs(terms[0]) + fabs(terms[1]) + fabs(terms[2]) + fabs(terms[3]));
    }
    for (int side = 0; side < 4; side++) {
        values[side] = side & 1 ? c[3] - c[side / 2] : c[3] + c[side / 2];
        errors[side] = e[3] + e[side / 2];
    }
    values[4] = clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? c[3] + c[2] : c[2];
    values[5] = c[3] - c[2];
    errors[4] = errors[5] = e[3] + e[2];
}

// Whether double precision proves the point inside the clip volume of the matrix.
static inline bool is_proved_inside(const double *m, acre_clip clip, const double *p)
{
    double values[6], errors[6];
    clip_values(m, clip, p, values, errors);
    for (int i = 0; i < 6; i++) {
        if (!(values[i] >= errors[i])) {
            return false;
        }
    }
    return true;
}

static inline float float_below(double value)
{
    const float rounded = (float)value;
    return (double)rounded > value ? nextafterf(rounded, -INFINITY) : rounded;
}

// The smallest float box around p, grown by up to size on each side, each side with chance 1/2.
static inline acre_aabb random_box_around(test_random *random, const double *p, float size)
{
    acre_aabb box;
    for (int i = 0; i < 3; i++) {
        const double below = random_below(random, 2) ? (double)random_float(random, 0, size) : 0.0;
        const double above = random_below(random, 2) ? (double)random_float(random, 0, size) : 0.0;
        box.min[i] = float_below(p[i] - below);
        box.max[i] = -float_below(-p[i] - above);
    }
    return box;
}

// The camera of a test's view, rounded to floats, and its product in double: what is checked is the
// rounded one.
typedef struct rounded_camera {
    acre_camera camera;
    double matrix[16];
    double depth_sign; // of z in the camera
} rounded_camera;

static inline void multiply_camera(const acre_camera *camera, double *out)
{
    for (int i = 0; i < 16; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            out[i] +=
                (double)camera->projection[4 * k + i % 4] * (double)camera->view[4 * (i / 4) + k];
        }
    }
}

static inline rounded_camera round_camera(const test_view *view)
{
    rounded_camera out = {.camera = {.clip = view->clip}};
    double projection[16];
    projection_matrix(view->kind, view->size, view->clip, projection);
    for (int row = 0; row < 3; row++) {
        double translation = 0.0;
        for (int column = 0; column < 3; column++) {
            out.camera.view[4 * column + row] = (float)view->axes[row][column];
            translation -= (double)(float)view->axes[row][column] * view->eye[column];
        }
        out.camera.view[12 + row] = (float)translation;
    }
    out.camera.view[15] = 1.0f;
    for (int i = 0; i < 16; i++) {
        out.camera.projection[i] = (float)projection[i];
    }
    multiply_camera(&out.camera, out.matrix);
    out.depth_sign = -view->kind->flip[2];
    return out;
}

#endif
