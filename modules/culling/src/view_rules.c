// SPDX-License-Identifier: MIT
// view_rules.c - limits of distance and size: prepared for many boxes, and asked of one.
#include "view_rules_internal.h"

#include <math.h>

static float squared(float v)
{
    return v * v;
}

static float or_one(float factor)
{
    return factor > 0.0f ? factor : 1.0f;
}

view_scale acre_view_scale(const acre_view *view)
{
    return (view_scale){
        .eye = {view->eye[0], view->eye[1], view->eye[2]},
        .pixels2 = squared(view->pixels),
        .lod_pixels2 = squared(view->pixels * or_one(view->lod_scale)),
        .is_parallel = view->is_parallel,
    };
}

// The stricter of the view's limit and the rule's, one by one.
typedef struct joint_limits {
    float min_distance;
    float max_distance;
    float min_pixels;
} joint_limits;

static joint_limits join_limits(const acre_view *view, const acre_visibility_rule *rule)
{
    joint_limits limits = {view->min_distance, INFINITY, view->min_pixels};
    if (view->max_distance > 0.0f) {
        limits.max_distance = view->max_distance;
    }
    if (rule) {
        const float scale = or_one(view->range_scale);
        limits.min_distance = fmaxf(limits.min_distance, rule->min_distance * scale);
        if (rule->max_distance > 0.0f) {
            limits.max_distance = fminf(limits.max_distance, rule->max_distance * scale);
        }
        limits.min_pixels = fmaxf(limits.min_pixels, rule->min_pixels);
    }
    return limits;
}

// The factor down applies to limits that hide what is below them, up to the maximum distance.
static view_limits prepare_limits(const acre_view *view, const acre_visibility_rule *rule,
                                  float down, float up)
{
    const joint_limits joint = join_limits(view, rule);
    const bool has_sizes = view->pixels > 0.0f;
    view_limits out = {
        .min_distance2 = squared(joint.min_distance * down),
        .max_distance2 = squared(joint.max_distance * up),
        .size2 = has_sizes ? squared(joint.min_pixels * down) : 0.0f,
    };
    while (has_sizes && rule && out.lod_count < ACRE_LOD_LIMITS &&
           rule->lod_pixels[out.lod_count] > 0.0f) {
        out.lod_size2[out.lod_count] = squared(rule->lod_pixels[out.lod_count] * down);
        out.lod_count++;
    }
    return out;
}

view_rule acre_view_prepare_rule(const acre_view *view, const acre_visibility_rule *rule)
{
    const acre_visibility_rule *const counted = view->flags & ACRE_VIEW_IGNORE_RULES ? NULL : rule;
    return (view_rule){
        .entering = prepare_limits(view, counted, 1.0f, 1.0f),
        .staying = prepare_limits(view, counted, 1.0f - view->hysteresis, 1.0f + view->hysteresis),
    };
}

bool acre_view_rule_asks_nothing(const view_rule *rule)
{
    const view_limits *const limits = &rule->entering;
    return limits->min_distance2 == 0.0f && isinf(limits->max_distance2) && limits->size2 == 0.0f &&
           limits->lod_count == 0;
}

acre_hidden_by acre_view_test_rules(const acre_view *view, const acre_visibility_rule *rule,
                                    const acre_aabb *box, const uint32_t *last, uint32_t *lod)
{
    const view_scale scale = acre_view_scale(view);
    const view_rule limits = acre_view_prepare_rule(view, rule);
    const view_squares squares = view_measure(&scale, box);
    if (lod) {
        *lod = last ? view_next_lod(&scale, &limits, squares, *last)
                    : view_lod(&scale, &limits.entering, squares);
    }
    return view_hidden_by(&scale, last ? &limits.staying : &limits.entering, squares);
}

acre_view_measure acre_view_measure_aabb(const acre_view *view, const acre_aabb *box)
{
    const view_scale scale = acre_view_scale(view);
    const view_squares squares = view_measure(&scale, box);
    const float size = sqrtf(squares.extent2) * view->pixels;
    const float divisor = sqrtf(view_divisor2(&scale, squares));
    acre_view_measure measure = {.distance = sqrtf(squares.distance2)};
    if (view->pixels > 0.0f) {
        // A point at the eye is not small: no rule hides it.
        measure.pixels = size > 0.0f ? size / divisor : divisor == 0.0f ? INFINITY : 0.0f;
    }
    return measure;
}
