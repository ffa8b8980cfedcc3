// SPDX-License-Identifier: MIT
// view_rules_internal.h - the rules of distance and size as numbers that one box is compared with.
//
// acre_view_test_rules (view.h) is their definition. Many boxes prepare a view's limits once for
// each rule, and once more for entities that were visible before, to which the hysteresis applies.
#ifndef ACRE_VIEW_RULES_INTERNAL_H
#define ACRE_VIEW_RULES_INTERNAL_H

#include <acre/view.h>

#include "clip_internal.h"
#include "float_bits.h"
#include "refusal_internal.h"

/// Limits between LODs in one vector of eight lanes; ACRE_LOD_LIMITS of them count.
#define VIEW_LODS 8

/// The limits of one rule in one view, squared. Zero never hides.
typedef struct view_limits {
    float min_distance2;
    float max_distance2;        ///< INFINITY: no limit
    float size2;                ///< smaller boxes are hidden
    float lod_size2[VIEW_LODS]; ///< falling; the unused are 0, which no size is below
    uint32_t lod_count;         ///< used elements of lod_size2
} view_limits;

/// A rule prepared for one view: limits for boxes that were not visible, and for boxes that were.
typedef struct view_rule {
    view_limits entering;
    view_limits staying;
} view_rule;

/// The part of a view that all its rules share.
typedef struct view_scale {
    float eye[3];
    float pixels2;     ///< pixels of a unit at distance 1, squared; 0: sizes are not known
    float lod_pixels2; ///< pixels2 times the square of the view's LOD scale
    bool is_parallel;
} view_scale;

view_scale acre_view_scale(const acre_view *view);

/// @return whether all fields are in their ranges; false for NULL.
bool acre_view_is_valid(const acre_view *view);

/// Why a finding refuses a view whose fields are valid by themselves.
static inline acre_refusal_rule view_broken_rule(const acre_view *view)
{
    return view && view->horizon && acre_view_is_valid(view) ? ACRE_REFUSED_OUTSIDE
                                                             : ACRE_REFUSED_NOTHING;
}

/// acre_view_from_camera, of which no handler is told. @param out not NULL.
acre_result acre_view_of_camera(acre_view *out, const acre_camera *camera);

/// Where a view matrix has its eye, and the way back from its space: the inverse of its linear part
/// is `rows` over `determinant`.
typedef struct view_eye {
    double rows[3][3], determinant;
    float eye[3];
} view_eye;

/// @param view 16 numbers of an affine matrix.
/// @return false: it has no inverse.
bool acre_view_find_eye(view_eye *out, const float *view);

/// @param rule NULL: the view's own limits alone.
view_rule acre_view_prepare_rule(const acre_view *view, const acre_visibility_rule *rule);

/// @return whether a prepared rule hides nothing and has one LOD.
bool acre_view_rule_asks_nothing(const view_rule *rule);

static inline bool view_plane_has_nan(const float *plane)
{
    return float_is_nan(plane[0]) || float_is_nan(plane[1]) || float_is_nan(plane[2]) ||
           float_is_nan(plane[3]);
}

/// A box as a view measures it.
typedef struct view_squares {
    float distance2; ///< square of the distance from the eye to the nearest point
    float extent2;   ///< square of the box's diagonal
} view_squares;

static inline float view_gap(float min, float max, float eye)
{
    const float below = min - eye;
    const float above = eye - max;
    const float gap = below > above ? below : above;
    return gap > 0.0f ? gap : 0.0f;
}

static inline view_squares view_measure(const view_scale *scale, const acre_aabb *box)
{
    const float dx = view_gap(box->min[0], box->max[0], scale->eye[0]);
    const float dy = view_gap(box->min[1], box->max[1], scale->eye[1]);
    const float dz = view_gap(box->min[2], box->max[2], scale->eye[2]);
    const float ex = box->max[0] - box->min[0];
    const float ey = box->max[1] - box->min[1];
    const float ez = box->max[2] - box->min[2];
    return (view_squares){(dx * dx + dy * dy) + dz * dz, (ex * ex + ey * ey) + ez * ez};
}

/// The square that sizes are divided by.
static inline float view_divisor2(const view_scale *scale, view_squares squares)
{
    return scale->is_parallel ? 1.0f : squares.distance2;
}

static inline acre_hidden_by view_hidden_by(const view_scale *scale, const view_limits *limits,
                                            view_squares squares)
{
    if (squares.distance2 < limits->min_distance2) {
        return ACRE_HIDDEN_BY_MIN_DISTANCE;
    }
    if (squares.distance2 > limits->max_distance2) {
        return ACRE_HIDDEN_BY_MAX_DISTANCE;
    }
    if (squares.extent2 * scale->pixels2 < limits->size2 * view_divisor2(scale, squares)) {
        return ACRE_HIDDEN_BY_SIZE;
    }
    return ACRE_HIDDEN_BY_NOTHING;
}

/// The same test without the cause and without branches: neighboring entities have different rules,
/// so that branches would be mispredicted.
static inline bool view_is_hidden(const view_scale *scale, const view_limits *limits,
                                  view_squares squares)
{
    const bool is_near = squares.distance2 < limits->min_distance2;
    const bool is_far = squares.distance2 > limits->max_distance2;
    const bool is_small =
        squares.extent2 * scale->pixels2 < limits->size2 * view_divisor2(scale, squares);
    return (uint32_t)is_near | (uint32_t)is_far | (uint32_t)is_small;
}

/// @return the LOD of a box: the number of limits that its size is below.
static inline uint32_t view_lod(const view_scale *scale, const view_limits *limits,
                                view_squares squares)
{
    const float size2 = squares.extent2 * scale->lod_pixels2;
    const float divisor2 = view_divisor2(scale, squares);
    uint32_t lod = 0;
    for (int i = 0; i < VIEW_LODS; i++) {
        lod += size2 < limits->lod_size2[i] * divisor2;
    }
    return lod;
}

/// The LOD of a box that had one: it stays while the size is within the hysteresis of its limits.
static inline uint32_t view_next_lod(const view_scale *scale, const view_rule *rule,
                                     view_squares squares, uint32_t last)
{
    const uint32_t coarsest = view_lod(scale, &rule->entering, squares);
    const uint32_t finest = view_lod(scale, &rule->staying, squares);
    return last > coarsest ? coarsest : last < finest ? finest : last;
}

#endif
