// SPDX-License-Identifier: MIT
// question_tests.c - whether a box belongs to an answer, for loops and for candidates of
// trees that know boxes alone.
//
// The functions of shapes.h prepare a shape for each box anew. A loop would not: where a plain test
// is certain, it decides; only where rounding could, the definition does.
#include "questions.h"

#include "oriented_box.h"

#include <math.h>
#include <string.h>

// Share of a radius within which plain distances do not decide: more than shapes.h allows.
#define DOUBT 0x1p-12f
// By what plain slabs are thicker than a ray: meters, and a share of its length. More than what
// floats lose.
#define SLAB_MARGIN 0.01f
#define SLAB_SHARE 0x1p-18f

// Not fminf and fmaxf, which are calls where NaN counts.
static float least(float a, float b)
{
    return a < b ? a : b;
}

static float most(float a, float b)
{
    return a > b ? a : b;
}

// What shapes.h says of this box, where a plain test does not decide.
static bool is_defined(const asked_question *question, const acre_aabb *box)
{
    const acre_query *const query = question->query;
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_SPHERE:
        return acre_sphere_test_aabb(query->sphere, box);
    case ACRE_QUERY_SHAPE_CIRCLE:
        return acre_circle_test_aabb(query->circle, box);
    case ACRE_QUERY_SHAPE_CAPSULE:
        return acre_capsule_test_aabb(query->capsule, box);
    case ACRE_QUERY_SHAPE_CONE:
        return acre_cone_test_aabb(query->cone, box);
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        return query->flags & ACRE_QUERY_EXACT
                   ? oriented_box_test_exact(query->oriented_box, box)
                   : acre_oriented_box_test_aabb(query->oriented_box, box);
    default: // ACRE_QUERY_SHAPE_RAY
        return acre_ray_test_aabb(query->ray, box, NULL);
    }
}

static bool find_in_box(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)item;
    return acre_aabb_overlaps(&question->bounds, box);
}

static bool find_all(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)question, (void)item, (void)box;
    return true;
}

static bool find_in_view(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    const acre_query *const query = question->query;
    return (!query->layers || (question->layers[item] & query->layers)) &&
           acre_frustum_test_aabb(query->frustum, box) &&
           !(query->exclude && acre_frustum_contains_aabb(query->exclude, box));
}

// Of a volume with planes: whether its own bounds, which are the definition's affair, are touched.
static bool is_in_bounds(const asked_question *question, const acre_aabb *box)
{
    return question->query->shape != ACRE_QUERY_SHAPE_ORIENTED_BOX ||
           acre_aabb_overlaps(&question->core, box) ||
           (acre_aabb_overlaps(&question->bounds, box) && is_defined(question, box));
}

static void prepare_exact(const asked_question *question)
{
    acre_frustum_hull_prepare(question->hull, question->planes);
}

static bool find_exact(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)item;
    return acre_frustum_hull_test_aabb(question->hull, box) && is_in_bounds(question, box);
}

static bool find_in_oriented(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)item;
    return acre_frustum_test_aabb(question->planes, box) && is_in_bounds(question, box);
}

static float square_of_gap(float low, float high, float value)
{
    const float gap = most(most(low - value, value - high), 0.0f);
    return gap * gap;
}

static bool find_in_round(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)item;
    const acre_query *const query = question->query;
    const bool is_flat = query->shape == ACRE_QUERY_SHAPE_CIRCLE;
    const float radius = is_flat ? query->circle->radius : query->sphere->radius;
    const float *const center = is_flat ? query->circle->center : query->sphere->center;
    float square = square_of_gap(box->min[0], box->max[0], center[0]) +
                   square_of_gap(box->min[2], box->max[2], center[is_flat ? 1 : 2]);
    if (!is_flat) {
        square += square_of_gap(box->min[1], box->max[1], center[1]);
    }
    const float inner = radius * (1.0f - DOUBT), outer = radius * (1.0f + DOUBT);
    return square <= inner * inner || (square <= outer * outer && is_defined(question, box));
}

// The segment against the box, both thick: what misses it misses the shape.
static bool is_near_segment(const float *from, const float *along, float length,
                            const float *half_size, const acre_aabb *box)
{
    const float margin = SLAB_MARGIN + SLAB_SHARE * length;
    float enters = -margin, leaves = length + margin;
    for (int axis = 0; axis < 3; axis++) {
        const float reach = half_size[axis] + margin;
        const float low = box->min[axis] - from[axis] - reach;
        const float high = box->max[axis] - from[axis] + reach;
        const float inverse = along[axis] != 0.0f ? 1.0f / along[axis] : 1e30f;
        enters = most(enters, least(low * inverse, high * inverse));
        leaves = least(leaves, most(low * inverse, high * inverse));
    }
    return enters <= leaves;
}

static bool find_on_ray(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)item;
    const acre_ray *const ray = question->query->ray;
    return is_near_segment(ray->origin, ray->direction, question->reach, ray->half_size, box) &&
           is_defined(question, box);
}

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float middle_along(const acre_aabb *box, const float *from, const float *along)
{
    float offset[3];
    for (int axis = 0; axis < 3; axis++) {
        offset[axis] = 0.5f * (box->min[axis] + box->max[axis]) - from[axis];
    }
    return dot(offset, along);
}

// The sphere whose middle is next to the box's is certain to be a part of the capsule.
static bool find_in_capsule(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)item;
    const acre_capsule *const capsule = question->query->capsule;
    const float radius = capsule->radius, thick[3] = {radius, radius, radius};
    float along[3];
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = capsule->to[axis] - capsule->from[axis];
    }
    if (!is_near_segment(capsule->from, along, 1.0f, thick, box)) {
        return false;
    }
    const float t = middle_along(box, capsule->from, along) / dot(along, along);
    const float at = least(most(t, 0.0f), 1.0f), inner = radius * (1.0f - DOUBT);
    float square = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        square +=
            square_of_gap(box->min[axis], box->max[axis], capsule->from[axis] + at * along[axis]);
    }
    return square <= inner * inner - DOUBT || is_defined(question, box);
}

// A box whose middle is inside touches the cone; one of which the sphere around it is outside does
// not. `along` is the middle's height below the apex, `aside` its distance from the axis.
static bool find_in_cone(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)item;
    const acre_cone *const cone = question->query->cone;
    if (!acre_aabb_overlaps(&question->bounds, box)) {
        return false;
    }
    float square = 0.0f, reach = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float half = 0.5f * (box->max[axis] - box->min[axis]);
        const float offset = box->min[axis] + half - cone->apex[axis];
        square += offset * offset;
        reach += half * half;
    }
    const float along = middle_along(box, cone->apex, cone->direction); // of length 1
    const float aside = sqrtf(most(square - along * along, 0.0f));
    const float sine = sinf(cone->angle), cosine = cosf(cone->angle);
    const float outside = most(aside * cosine - along * sine, along - cone->length);
    if (outside > sqrtf(reach) + SLAB_MARGIN) {
        return false;
    }
    return outside < -SLAB_MARGIN || is_defined(question, box);
}

static float distance_to_origin(const asked_question *question, const acre_aabb *box)
{
    return acre_aabb_distance(question->query->origin, box);
}

static float distance_along_ray(const asked_question *question, const acre_aabb *box)
{
    float distance;
    (void)acre_ray_test_aabb(question->query->ray, box, &distance);
    return distance;
}

void question_set_tests(asked_question *question, question_parts *parts)
{
    const acre_query *const query = question->query;
    question->distance = query->origin ? distance_to_origin : distance_along_ray;
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        question->is_found = find_in_view;
        break;
    case ACRE_QUERY_SHAPE_SPHERE:
    case ACRE_QUERY_SHAPE_CIRCLE:
        question->is_found = find_in_round;
        break;
    case ACRE_QUERY_SHAPE_CAPSULE:
        question->is_found = find_in_capsule;
        break;
    case ACRE_QUERY_SHAPE_CONE:
        question->is_found = find_in_cone;
        break;
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        question->is_found = find_in_oriented;
        break;
    case ACRE_QUERY_SHAPE_RAY:
        question->is_found = find_on_ray;
        break;
    case ACRE_QUERY_SHAPE_ALL:
        question->is_found = find_all;
        break;
    default: // boxes and points
        question->is_found = find_in_box;
        break;
    }
    if ((query->flags & ACRE_QUERY_EXACT) && question->planes) {
        question->hull = &parts->hull;
        question->prepare = prepare_exact;
        question->is_found = find_exact;
    }
}
