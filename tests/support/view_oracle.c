// SPDX-License-Identifier: MIT
// view_oracle.c - the brute-force definition of what a view sees.
#include "view_oracle.h"

#include <math.h>

// ---- in float, as the library has to compute ----

static float factor_of(float factor)
{
    return factor == 0.0f ? 1.0f : factor;
}

// A limit of distance below which, or beyond which, a box is hidden: of the view and of the rule.
static float nearest_allowed(const acre_view *view, const acre_visibility_rule *rule)
{
    const float own = rule ? rule->min_distance * factor_of(view->range_scale) : 0.0f;
    return own > view->min_distance ? own : view->min_distance;
}

static float farthest_allowed(const acre_view *view, const acre_visibility_rule *rule)
{
    const float of_view = view->max_distance == 0.0f ? INFINITY : view->max_distance;
    if (!rule || rule->max_distance == 0.0f) {
        return of_view;
    }
    const float own = rule->max_distance * factor_of(view->range_scale);
    return own < of_view ? own : of_view;
}

static float smallest_allowed(const acre_view *view, const acre_visibility_rule *rule)
{
    return rule && rule->min_pixels > view->min_pixels ? rule->min_pixels : view->min_pixels;
}

typedef struct float_measure {
    float distance2, extent2;
} float_measure;

static float_measure measure(const acre_view *view, const acre_aabb *box)
{
    float d[3], e[3];
    for (int i = 0; i < 3; i++) {
        const float low = box->min[i] - view->eye[i];
        const float high = view->eye[i] - box->max[i];
        d[i] = 0.0f;
        if (low > d[i]) {
            d[i] = low;
        }
        if (high > d[i]) {
            d[i] = high;
        }
        e[i] = box->max[i] - box->min[i];
    }
    return (float_measure){(d[0] * d[0] + d[1] * d[1]) + d[2] * d[2],
                           (e[0] * e[0] + e[1] * e[1]) + e[2] * e[2]};
}

static bool is_smaller(const acre_view *view, float_measure of, float pixels, float limit)
{
    const float size2 = of.extent2 * (pixels * pixels);
    const float limit2 = limit * limit;
    return view->is_parallel ? size2 < limit2 : size2 < limit2 * of.distance2;
}

static uint32_t count_limits_missed(const acre_view *view, const acre_visibility_rule *rule,
                                    float_measure of, float down)
{
    uint32_t lod = 0;
    if (rule && view->pixels > 0.0f) {
        const float pixels = view->pixels * factor_of(view->lod_scale);
        while (lod < ACRE_LOD_LIMITS && rule->lod_pixels[lod] > 0.0f &&
               is_smaller(view, of, pixels, rule->lod_pixels[lod] * down)) {
            lod++;
        }
    }
    return lod;
}

view_answer view_oracle_rules(const acre_view *view, const acre_visibility_rule *rule,
                              const acre_aabb *box, const uint32_t *last)
{
    const acre_visibility_rule *const counted = view->flags & ACRE_VIEW_IGNORE_RULES ? NULL : rule;
    const float down = last ? 1.0f - view->hysteresis : 1.0f;
    const float up = last ? 1.0f + view->hysteresis : 1.0f;
    const float low = nearest_allowed(view, counted) * down;
    const float high = farthest_allowed(view, counted) * up;
    const float_measure of = measure(view, box);
    view_answer answer = {ACRE_HIDDEN_BY_NOTHING, 0};
    if (of.distance2 < low * low) {
        answer.hidden_by = ACRE_HIDDEN_BY_MIN_DISTANCE;
    } else if (of.distance2 > high * high) {
        answer.hidden_by = ACRE_HIDDEN_BY_MAX_DISTANCE;
    } else if (view->pixels > 0.0f &&
               is_smaller(view, of, view->pixels, smallest_allowed(view, counted) * down)) {
        answer.hidden_by = ACRE_HIDDEN_BY_SIZE;
    }
    // A box that had a LOD gets a coarser one only where it is below the limit by the hysteresis.
    const uint32_t coarsest = count_limits_missed(view, counted, of, 1.0f);
    answer.lod = coarsest;
    if (last) {
        const uint32_t finest = count_limits_missed(view, counted, of, down);
        answer.lod = *last < finest ? finest : *last > coarsest ? coarsest : *last;
    }
    return answer;
}

static bool shares_layer(uint32_t layers, uint32_t of_view)
{
    return of_view == 0 ? layers != 0 : (layers & of_view) != 0;
}

static acre_hidden_by test_volumes(const acre_view *view, const acre_aabb *box)
{
    if (!acre_frustum_test_aabb(&view->frustum, box)) {
        return ACRE_HIDDEN_BY_PLANE;
    }
    if (view->include && !acre_frustum_test_aabb(view->include, box)) {
        return ACRE_HIDDEN_BY_INCLUDE;
    }
    if (view->exclude && (view->flags & ACRE_VIEW_EXCLUDE_TOUCHING
                              ? acre_frustum_test_aabb(view->exclude, box)
                              : acre_frustum_contains_aabb(view->exclude, box))) {
        return ACRE_HIDDEN_BY_EXCLUDE;
    }
    return ACRE_HIDDEN_BY_NOTHING;
}

view_answer view_oracle_see(const acre_view *view, const view_subject *subject,
                            const view_past *past)
{
    const uint32_t *const last = past->was_visible ? &past->lod : NULL;
    const bool has_box = !acre_aabb_is_empty(&subject->box);
    view_answer answer = {ACRE_HIDDEN_BY_NOTHING, 0};
    if (!subject->is_registered) {
        answer.hidden_by =
            subject->is_left_out ? ACRE_HIDDEN_BY_NO_BOX : ACRE_HIDDEN_BY_REGISTRATION;
    } else if (!subject->is_committed) {
        answer.hidden_by = ACRE_HIDDEN_BY_COMMIT;
    } else if (subject->is_hidden) {
        answer.hidden_by = ACRE_HIDDEN_BY_FLAG;
    } else if (!has_box && !subject->is_never_cull) {
        answer.hidden_by = ACRE_HIDDEN_BY_NO_BOX;
    } else if (!shares_layer(subject->layers, view->layers)) {
        answer.hidden_by = ACRE_HIDDEN_BY_LAYERS;
    } else if (subject->is_never_cull) {
        answer.lod = has_box ? view_oracle_rules(view, subject->rule, &subject->box, last).lod : 0;
    } else {
        answer.hidden_by = test_volumes(view, &subject->box);
        if (answer.hidden_by == ACRE_HIDDEN_BY_NOTHING) {
            answer = view_oracle_rules(view, subject->rule, &subject->box, last);
        }
    }
    return answer;
}

// ---- in double, as the words mean it ----

static double scale_of(float factor)
{
    return factor == 0.0f ? 1.0 : (double)factor;
}

view_bounds view_oracle_bounds(const acre_view *view, const acre_visibility_rule *rule,
                               bool was_visible)
{
    const double slack = was_visible ? (double)view->hysteresis : 0.0;
    view_bounds bounds = {(double)view->min_distance,
                          view->max_distance > 0.0f ? (double)view->max_distance : (double)INFINITY,
                          (double)view->min_pixels};
    if (rule && !(view->flags & ACRE_VIEW_IGNORE_RULES)) {
        const double scale = scale_of(view->range_scale);
        bounds.min_distance = fmax(bounds.min_distance, (double)rule->min_distance * scale);
        bounds.min_pixels = fmax(bounds.min_pixels, (double)rule->min_pixels);
        if (rule->max_distance > 0.0f) {
            bounds.max_distance = fmin(bounds.max_distance, (double)rule->max_distance * scale);
        }
    }
    bounds.min_distance *= 1.0 - slack;
    bounds.min_pixels *= 1.0 - slack;
    bounds.max_distance *= 1.0 + slack;
    return bounds;
}

double view_oracle_distance(const acre_view *view, const acre_aabb *box)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double eye = (double)view->eye[i];
        const double nearest = fmin(fmax(eye, (double)box->min[i]), (double)box->max[i]);
        sum += (eye - nearest) * (eye - nearest);
    }
    return sqrt(sum);
}

static double diagonal(const acre_aabb *box)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double edge = (double)box->max[i] - (double)box->min[i];
        sum += edge * edge;
    }
    return sqrt(sum);
}

double view_oracle_pixels(const acre_view *view, const acre_aabb *box)
{
    const double length = diagonal(box) * (double)view->pixels;
    return view->is_parallel ? length : length / view_oracle_distance(view, box);
}

// 1: below the limit, 0: not, -1: too near to tell.
static int is_below(double value, double limit)
{
    const double band = 1e-5 * limit;
    if (limit == 0.0 || isinf(limit)) {
        return limit > 0.0;
    }
    return value < limit - band ? 1 : value > limit + band ? 0 : -1;
}

static int meant_lod(const acre_view *view, const acre_visibility_rule *rule, double pixels)
{
    int lod = 0;
    if (rule && view->pixels > 0.0f && !(view->flags & ACRE_VIEW_IGNORE_RULES)) {
        for (; lod < ACRE_LOD_LIMITS && rule->lod_pixels[lod] > 0.0f; lod++) {
            const int below =
                is_below(pixels * scale_of(view->lod_scale), (double)rule->lod_pixels[lod]);
            if (below != 1) {
                return below == 0 ? lod : -1;
            }
        }
    }
    return lod;
}

int view_oracle_meaning(const acre_view *view, const acre_visibility_rule *rule,
                        const acre_aabb *box, bool was_visible, int *lod)
{
    const view_bounds bounds = view_oracle_bounds(view, rule, was_visible);
    const double distance = view_oracle_distance(view, box);
    const double pixels = view_oracle_pixels(view, box);
    *lod = meant_lod(view, rule, pixels);
    const int is_near = is_below(distance, bounds.min_distance);
    const int is_within = is_below(distance, bounds.max_distance);
    const int is_small = view->pixels > 0.0f ? is_below(pixels, bounds.min_pixels) : 0;
    if (is_near == 1 || is_within == 0 || is_small == 1) {
        return 1;
    }
    return is_near < 0 || is_within < 0 || is_small < 0 ? -1 : 0;
}

// ---- random numbers ----

// Of a scale of its own, often 0.
static float random_limit(test_random *random, float low, float high)
{
    return random_below(random, 2) ? 0.0f
                                   : low * powf(high / low, random_float(random, 0.0f, 1.0f));
}

void view_oracle_random_limits(test_random *random, acre_view *view)
{
    for (int i = 0; i < 3; i++) {
        view->eye[i] = random_float(random, -100, 100);
    }
    view->flags = random_below(random, 8) ? 0 : ACRE_VIEW_IGNORE_RULES;
    view->min_distance = random_below(random, 2) ? 0.0f : random_limit(random, 0.5f, 60.0f);
    view->max_distance = random_limit(random, 20.0f, 800.0f);
    view->pixels = random_below(random, 4) ? random_float(random, 200, 2000) : 0.0f;
    view->is_parallel = random_below(random, 4) == 0;
    if (view->is_parallel) {
        view->pixels *= 0.01f;
    }
    view->min_pixels = random_limit(random, 1.0f, 60.0f);
    view->range_scale = random_limit(random, 0.3f, 3.0f);
    view->lod_scale = random_limit(random, 0.3f, 3.0f);
    view->hysteresis = random_limit(random, 0.01f, 0.9f);
}

acre_visibility_rule view_oracle_random_rule(test_random *random)
{
    acre_visibility_rule rule = {
        .min_distance = random_below(random, 2) ? 0.0f : random_limit(random, 0.5f, 60.0f),
        .max_distance = random_limit(random, 20.0f, 800.0f),
        .min_pixels = random_limit(random, 1.0f, 60.0f),
    };
    const uint32_t count = random_below(random, ACRE_LOD_LIMITS + 1);
    float limit = random_float(random, 20.0f, 800.0f);
    for (uint32_t i = 0; i < count; i++) {
        rule.lod_pixels[i] = limit;
        limit *= random_float(random, 0.3f, 1.0f);
    }
    return rule;
}
