// SPDX-License-Identifier: MIT
// brute_force_query.c - the first oracle answers every query: each box is asked alone.
#include "brute_force_query.h"

#include "hull_internal.h"
#include "oriented_box.h"

#include <math.h>
#include <stdlib.h>

typedef enum verdict { VERDICT_NO, VERDICT_YES, VERDICT_EITHER } verdict;

// A query with what its tests want prepared.
typedef struct asked_query {
    const acre_query *query;
    acre_frustum_hull hull; // of an exact query of planes
    acre_frustum sides;     // of an exact query of an oriented box
    acre_aabb point;        // of a query of a point
} asked_query;

static void prepare(asked_query *asked, const acre_query *query)
{
    asked->query = query;
    if (query->shape == ACRE_QUERY_SHAPE_FRUSTUM && (query->flags & ACRE_QUERY_EXACT)) {
        acre_frustum_hull_prepare(&asked->hull, query->frustum);
    }
    if (query->shape == ACRE_QUERY_SHAPE_ORIENTED_BOX) {
        asked->sides = oriented_box_sides(query->oriented_box);
    }
    const bool is_ground = query->shape == ACRE_QUERY_SHAPE_GROUND_POINT;
    for (int axis = 0; axis < 3 && query->point; axis++) {
        const bool is_open = is_ground && axis == 1;
        asked->point.min[axis] = is_open ? -INFINITY : query->point[axis];
        asked->point.max[axis] = is_open ? INFINITY : query->point[axis];
    }
}

static bool has_nan(const float *values, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found |= isnan(values[i]);
    }
    return found;
}

static bool has_nan_plane(const acre_frustum *frustum)
{
    const uint32_t count = frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count
                                                                          : ACRE_FRUSTUM_MAX_PLANES;
    return has_nan(frustum->planes[0], count * (size_t)4);
}

static bool is_valid_volume(const acre_query *query)
{
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        return query->frustum && !has_nan_plane(query->frustum);
    case ACRE_QUERY_SHAPE_AABB:
        return query->box && acre_aabb_is_valid(query->box);
    case ACRE_QUERY_SHAPE_ALL:
        return true;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        return query->point && !has_nan(query->point, 3);
    case ACRE_QUERY_SHAPE_SPHERE:
        return acre_sphere_is_valid(query->sphere);
    case ACRE_QUERY_SHAPE_CIRCLE:
        return acre_circle_is_valid(query->circle);
    case ACRE_QUERY_SHAPE_CAPSULE:
        return acre_capsule_is_valid(query->capsule);
    case ACRE_QUERY_SHAPE_CONE:
        return acre_cone_is_valid(query->cone);
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        return acre_oriented_box_is_valid(query->oriented_box);
    case ACRE_QUERY_SHAPE_RAY:
        return acre_ray_is_valid(query->ray);
    }
    return false;
}

bool is_valid_query(const acre_query *query)
{
    const uint32_t known = ACRE_QUERY_SORTED | ACRE_QUERY_EXACT | ACRE_QUERY_EXCLUDE_TOUCHING |
                           ACRE_QUERY_STOP_WHEN_FULL | ACRE_QUERY_NOT_TOUCHING |
                           ACRE_QUERY_UNDIVIDED;
    const bool may_be_open = query->shape == ACRE_QUERY_SHAPE_AABB ||
                             query->shape == ACRE_QUERY_SHAPE_POINT ||
                             query->shape == ACRE_QUERY_SHAPE_GROUND_POINT;
    return !(query->flags & ~known) && is_valid_volume(query) &&
           (may_be_open || !(query->flags & ACRE_QUERY_NOT_TOUCHING)) &&
           !(query->exclude && has_nan_plane(query->exclude));
}

static verdict exact_verdict(bool is_hit, const acre_frustum *planes, const acre_aabb *box)
{
    return is_hit                                    ? VERDICT_YES
           : acre_frustum_contains_aabb(planes, box) ? VERDICT_EITHER
                                                     : VERDICT_NO;
}

// Whether two boxes share more than a face, an edge or a corner.
static bool overlaps_open(const acre_query *query, const acre_aabb *a, const acre_aabb *b)
{
    bool overlaps = true;
    for (int axis = 0; axis < 3; axis++) {
        const bool counts = axis != 1 || query->shape != ACRE_QUERY_SHAPE_GROUND_POINT;
        overlaps =
            overlaps && (!counts || (a->min[axis] < b->max[axis] && b->min[axis] < a->max[axis]));
    }
    return overlaps;
}

static bool touches(const asked_query *asked, const acre_aabb *box)
{
    const acre_query *const query = asked->query;
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        return acre_frustum_test_aabb(query->frustum, box);
    case ACRE_QUERY_SHAPE_AABB:
        return query->flags & ACRE_QUERY_NOT_TOUCHING ? overlaps_open(query, query->box, box)
                                                      : acre_aabb_overlaps(query->box, box);
    case ACRE_QUERY_SHAPE_ALL:
        return true;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        return query->flags & ACRE_QUERY_NOT_TOUCHING ? overlaps_open(query, &asked->point, box)
                                                      : acre_aabb_overlaps(&asked->point, box);
    case ACRE_QUERY_SHAPE_SPHERE:
        return acre_sphere_test_aabb(query->sphere, box);
    case ACRE_QUERY_SHAPE_CIRCLE:
        return acre_circle_test_aabb(query->circle, box);
    case ACRE_QUERY_SHAPE_CAPSULE:
        return acre_capsule_test_aabb(query->capsule, box);
    case ACRE_QUERY_SHAPE_CONE:
        return acre_cone_test_aabb(query->cone, box);
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        return acre_oriented_box_test_aabb(query->oriented_box, box);
    case ACRE_QUERY_SHAPE_RAY:
        return acre_ray_test_aabb(query->ray, box, NULL);
    }
    return false;
}

static verdict judge_shape(const asked_query *asked, const acre_aabb *box)
{
    const acre_query *const query = asked->query;
    if (!touches(asked, box)) {
        return VERDICT_NO;
    }
    if ((query->flags & ACRE_QUERY_EXACT) && query->shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        const bool is_hit = acre_frustum_hull_test_aabb(&asked->hull, box);
        return exact_verdict(is_hit, query->frustum, box);
    }
    if ((query->flags & ACRE_QUERY_EXACT) && query->shape == ACRE_QUERY_SHAPE_ORIENTED_BOX) {
        const bool is_hit = oriented_box_test_exact(query->oriented_box, box);
        return exact_verdict(is_hit, &asked->sides, box);
    }
    return VERDICT_YES;
}

static bool is_excluded(const acre_query *query, const acre_aabb *box)
{
    return query->exclude && (query->flags & ACRE_QUERY_EXCLUDE_TOUCHING
                                  ? acre_frustum_test_aabb(query->exclude, box)
                                  : acre_frustum_contains_aabb(query->exclude, box));
}

static verdict judge(const asked_query *asked, const brute_force *oracle, uint32_t item)
{
    const acre_query *const query = asked->query;
    const acre_aabb *const box = &oracle->boxes[item];
    if (!oracle->present[item] || (query->layers && !(oracle->layers[item] & query->layers)) ||
        (query->except_item1 > 0 && item == query->except_item1 - 1) || is_excluded(query, box)) {
        return VERDICT_NO;
    }
    return judge_shape(asked, box);
}

bool brute_force_finds(const acre_query *query, const acre_aabb *box)
{
    asked_query asked;
    prepare(&asked, query);
    return !is_excluded(query, box) && judge_shape(&asked, box) == VERDICT_YES;
}

size_t brute_force_query(const brute_force *oracle, const acre_query *query, uint32_t *items)
{
    asked_query asked;
    size_t found = 0;
    prepare(&asked, query);
    for (uint32_t item = 0; item < oracle->capacity; item++) {
        if (judge(&asked, oracle, item) == VERDICT_YES) {
            items[found++] = item;
        }
    }
    return found;
}

bool brute_force_agrees(const brute_force *oracle, const acre_query *query, const uint32_t *items,
                        size_t count)
{
    asked_query asked;
    size_t next = 0;
    prepare(&asked, query);
    for (uint32_t item = 0; item < oracle->capacity; item++) {
        const bool is_found = next < count && items[next] == item;
        const verdict wanted = judge(&asked, oracle, item);
        if (wanted != VERDICT_EITHER && is_found != (wanted == VERDICT_YES)) {
            return false;
        }
        next += is_found;
    }
    return next == count;
}

static int compare_hits(const void *a, const void *b)
{
    const acre_query_hit *const x = a;
    const acre_query_hit *const y = b;
    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    return (x->item > y->item) - (x->item < y->item);
}

static float distance_of(const acre_query *query, const acre_aabb *box)
{
    float along = INFINITY;
    if (query->origin) {
        return acre_aabb_distance(query->origin, box);
    }
    (void)acre_ray_test_aabb(query->ray, box, &along);
    return along;
}

size_t brute_force_nearest(const brute_force *oracle, const acre_query *query, acre_query_hit *hits,
                           size_t capacity)
{
    asked_query asked;
    size_t found = 0;
    prepare(&asked, query);
    for (uint32_t item = 0; item < oracle->capacity; item++) {
        if (judge(&asked, oracle, item) != VERDICT_YES) {
            continue;
        }
        const float distance = distance_of(query, &oracle->boxes[item]);
        if (query->max_distance == 0.0f || distance <= query->max_distance) {
            hits[found++] = (acre_query_hit){item, distance};
        }
    }
    if (found > 1) {
        qsort(hits, found, sizeof *hits, compare_hits);
    }
    return found < capacity ? found : capacity;
}
