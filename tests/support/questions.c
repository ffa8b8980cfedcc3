// SPDX-License-Identifier: MIT
// questions.c - the kinds of queries, and where each of a set is asked.
#include "questions.h"

#include "country_random.h"
#include "oriented_box.h"

#include <math.h>
#include <string.h>

#define FAR_AWAY 1e6f      // meters: beyond every country
#define EYE_HEIGHT 1.7f    // meters
#define PLACE_TRIES 64     // until a place counts as free
#define VIEW_FAR 1000.0f   // meters
#define EXCLUDE_FAR 300.0f // meters

struct question_maker {
    const country *workload;
    uint64_t random;
    asked_question *question;
    question_parts *parts;
};

static float middle_of(const acre_aabb *box, int axis)
{
    return 0.5f * (box->min[axis] + box->max[axis]);
}

static const acre_aabb *draw_box(question_maker *maker)
{
    return &maker->workload->boxes[draw_bits(&maker->random) % maker->workload->count];
}

static void draw_place(question_maker *maker, float *out)
{
    const acre_aabb *const box = draw_box(maker);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = middle_of(box, axis);
    }
}

static bool is_free(const country *workload, const float *point)
{
    const acre_aabb here = {{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
    for (uint32_t item = 0; item < workload->count; item++) {
        if (acre_aabb_overlaps(&workload->boxes[item], &here)) {
            return false;
        }
    }
    return true;
}

// At eye height, in no box if that can be.
static void draw_eye(question_maker *maker, float *out)
{
    for (int i = 0; i < PLACE_TRIES; i++) {
        float ground[2];
        country_next_place(maker->workload, &maker->random, ground);
        out[0] = ground[0];
        out[1] = EYE_HEIGHT;
        out[2] = ground[1];
        if (is_free(maker->workload, out)) {
            return;
        }
    }
}

// Bounds around two corners, wider than any rounding of what lies between.
static acre_aabb padded(const float *low, const float *high, float reach)
{
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        const float margin = 1e-3f + 1e-5f * (reach + fabsf(low[axis]) + fabsf(high[axis]));
        box.min[axis] = fminf(low[axis], high[axis]) - reach - margin;
        box.max[axis] = fmaxf(low[axis], high[axis]) + reach + margin;
    }
    return box;
}

// What is certainly inside of the bounds that were padded so.
static acre_aabb shrunk(const acre_aabb *bounds)
{
    acre_aabb core;
    for (int axis = 0; axis < 3; axis++) {
        const float margin = 4e-3f + 4e-5f * (fabsf(bounds->min[axis]) + fabsf(bounds->max[axis]));
        core.min[axis] = bounds->min[axis] + margin;
        core.max[axis] = bounds->max[axis] - margin;
    }
    return core;
}

static acre_aabb everywhere(void)
{
    return (acre_aabb){{-FAR_AWAY, -FAR_AWAY, -FAR_AWAY}, {FAR_AWAY, FAR_AWAY, FAR_AWAY}};
}

static void make_box(question_maker *maker, float size)
{
    question_parts *const parts = maker->parts;
    float place[3];
    draw_place(maker, place);
    for (int axis = 0; axis < 3; axis++) {
        parts->box.min[axis] = place[axis] - size;
        parts->box.max[axis] = place[axis] + size;
    }
    parts->query.shape = ACRE_QUERY_SHAPE_AABB;
    parts->query.box = &parts->box;
    maker->question->bounds = parts->box;
    maker->question->is_box = true;
}

// The square around a circle of make_circle, of any height.
static void make_ground_square(question_maker *maker, float size)
{
    make_box(maker, size);
    maker->parts->box.min[1] = maker->question->bounds.min[1] = -FAR_AWAY;
    maker->parts->box.max[1] = maker->question->bounds.max[1] = FAR_AWAY;
}

static void make_point(question_maker *maker, float size)
{
    question_parts *const parts = maker->parts;
    (void)size;
    draw_place(maker, parts->point);
    parts->query.shape = ACRE_QUERY_SHAPE_POINT;
    parts->query.point = parts->point;
    memcpy(maker->question->bounds.min, parts->point, sizeof parts->point);
    memcpy(maker->question->bounds.max, parts->point, sizeof parts->point);
    maker->question->is_box = true;
}

static void make_ground_point(question_maker *maker, float size)
{
    make_point(maker, size);
    maker->parts->query.shape = ACRE_QUERY_SHAPE_GROUND_POINT;
    maker->question->bounds.min[1] = -FAR_AWAY;
    maker->question->bounds.max[1] = FAR_AWAY;
}

static void make_sphere(question_maker *maker, float size)
{
    acre_sphere *const sphere = &maker->parts->sphere;
    draw_place(maker, sphere->center);
    sphere->radius = size;
    maker->parts->query.shape = ACRE_QUERY_SHAPE_SPHERE;
    maker->parts->query.sphere = sphere;
    maker->question->bounds = padded(sphere->center, sphere->center, size);
}

static void make_circle(question_maker *maker, float size)
{
    acre_circle *const circle = &maker->parts->circle;
    float place[3];
    draw_place(maker, place);
    circle->center[0] = place[0];
    circle->center[1] = place[2];
    circle->radius = size;
    maker->parts->query.shape = ACRE_QUERY_SHAPE_CIRCLE;
    maker->parts->query.circle = circle;
    maker->question->bounds = padded(place, place, size);
    maker->question->bounds.min[1] = -FAR_AWAY;
    maker->question->bounds.max[1] = FAR_AWAY;
}

// A fifth as thick as it is long.
static void make_capsule(question_maker *maker, float size)
{
    acre_capsule *const capsule = &maker->parts->capsule;
    float heading[2];
    draw_place(maker, capsule->from);
    draw_direction(&maker->random, heading);
    capsule->to[0] = capsule->from[0] + 2.0f * size * heading[0];
    capsule->to[1] = capsule->from[1] + 0.1f * size;
    capsule->to[2] = capsule->from[2] + 2.0f * size * heading[1];
    capsule->radius = 0.2f * size;
    maker->parts->query.shape = ACRE_QUERY_SHAPE_CAPSULE;
    maker->parts->query.capsule = capsule;
    maker->question->bounds = padded(capsule->from, capsule->to, capsule->radius);
}

// A lamp that shines down at a slant.
static void make_cone(question_maker *maker, float size)
{
    acre_cone *const cone = &maker->parts->cone;
    float heading[2], end[3];
    draw_place(maker, cone->apex);
    draw_direction(&maker->random, heading);
    cone->apex[1] = 0.3f * size;
    cone->direction[0] = 0.8f * heading[0];
    cone->direction[1] = -0.6f;
    cone->direction[2] = 0.8f * heading[1];
    cone->length = size;
    cone->angle = 0.5f;
    for (int axis = 0; axis < 3; axis++) {
        end[axis] = cone->apex[axis] + size * cone->direction[axis];
    }
    maker->parts->query.shape = ACRE_QUERY_SHAPE_CONE;
    maker->parts->query.cone = cone;
    maker->question->bounds = padded(cone->apex, end, 0.0f);
    const acre_aabb base = padded(end, end, 0.5464f * size); // tan 0.5, a little more
    maker->question->bounds = acre_aabb_merge(&maker->question->bounds, &base);
}

// Turned about the vertical, and tilted by 16 degrees.
static void make_oriented_box(question_maker *maker, float size)
{
    acre_oriented_box *const oriented = &maker->parts->oriented_box;
    float heading[2];
    draw_place(maker, oriented->center);
    draw_direction(&maker->random, heading);
    const float x = heading[0], z = heading[1], cosine = 0.96f, sine = 0.28f;
    const float axes[3][3] = {
        {x, 0.0f, z}, {-sine * z, cosine, sine * x}, {-cosine * z, -sine, cosine * x}};
    const float half_size[3] = {size, 0.3f * size, 0.5f * size};
    memcpy(oriented->axes, axes, sizeof axes);
    memcpy(oriented->half_size, half_size, sizeof half_size);
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const float reach = fabsf(axes[0][axis]) * half_size[0] +
                            fabsf(axes[1][axis]) * half_size[1] +
                            fabsf(axes[2][axis]) * half_size[2];
        low[axis] = oriented->center[axis] - reach;
        high[axis] = oriented->center[axis] + reach;
    }
    maker->parts->query.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX;
    maker->parts->query.oriented_box = oriented;
    maker->question->bounds = padded(low, high, 0.0f);
    maker->question->core = shrunk(&maker->question->bounds);
    maker->parts->frustum = oriented_box_sides(oriented);
    maker->question->planes = &maker->parts->frustum;
}

// Nearly level, from somebody's eye.
static void make_ray(question_maker *maker, float size)
{
    acre_ray *const ray = &maker->parts->ray;
    float heading[2], end[3];
    draw_eye(maker, ray->origin);
    draw_direction(&maker->random, heading);
    ray->direction[0] = heading[0];
    ray->direction[1] = 0.1f * (draw_unit(&maker->random) - 0.5f);
    ray->direction[2] = heading[1];
    ray->length = size;
    const float leads_out = 4.0f * maker->workload->half_size + 1000.0f;
    maker->question->reach = fminf(size, leads_out);
    for (int axis = 0; axis < 3; axis++) {
        end[axis] = ray->origin[axis] + ray->direction[axis] * maker->question->reach;
    }
    maker->parts->query.shape = ACRE_QUERY_SHAPE_RAY;
    maker->parts->query.ray = ray;
    maker->question->bounds = padded(ray->origin, end, 0.0f);
}

// As large as a person.
static void make_swept_box(question_maker *maker, float size)
{
    static const float half_size[3] = {0.4f, 0.9f, 0.4f};
    make_ray(maker, size);
    memcpy(maker->parts->ray.half_size, half_size, sizeof half_size);
    for (int axis = 0; axis < 3; axis++) {
        maker->question->bounds.min[axis] -= half_size[axis] + 1e-3f;
        maker->question->bounds.max[axis] += half_size[axis] + 1e-3f;
    }
}

static void make_near_point(question_maker *maker, float size)
{
    question_parts *const parts = maker->parts;
    (void)size;
    draw_place(maker, parts->origin.min);
    memcpy(parts->origin.max, parts->origin.min, sizeof parts->origin.max);
    parts->query.shape = ACRE_QUERY_SHAPE_ALL;
    parts->query.origin = &parts->origin;
    maker->question->bounds = everywhere();
}

static void make_near_box(question_maker *maker, float size)
{
    make_near_point(maker, size);
    maker->parts->origin = *draw_box(maker);
}

// Of somebody who stands there, as the workload's ground views; the nearest are near to the eye.
static void make_view(question_maker *maker, float size)
{
    question_parts *const parts = maker->parts;
    country_view view, near_part;
    float heading[2];
    draw_eye(maker, parts->origin.min);
    draw_direction(&maker->random, heading);
    (void)view_from_eye(&near_part, parts->origin.min, heading, EXCLUDE_FAR);
    (void)view_from_eye(&view, parts->origin.min, heading, size);
    memcpy(parts->origin.max, parts->origin.min, sizeof parts->origin.max);
    parts->frustum = view.frustum;
    parts->exclude = near_part.frustum;
    parts->query.shape = ACRE_QUERY_SHAPE_FRUSTUM;
    parts->query.frustum = &parts->frustum;
    maker->question->bounds = view.bounds;
    maker->question->planes = &parts->frustum;
}

static void make_near_in_view(question_maker *maker, float size)
{
    make_view(maker, size);
    maker->parts->query.origin = &maker->parts->origin;
}

static void make_far_view(question_maker *maker, float size)
{
    make_view(maker, size);
    maker->parts->query.exclude = &maker->parts->exclude;
}

static void make_layer_view(question_maker *maker, float size)
{
    make_view(maker, size);
    maker->parts->query.layers = QUESTION_LAYER;
}

// Name, maker, size, capacity, whether hits in order, flags.
static const question_kind kinds[] = {
    {"box, 10 m", make_box, 10.0f, 0, false, 0},
    {"box, 100 m", make_box, 100.0f, 0, false, 0},
    {"box, any one item", make_box, 100.0f, 1, false, ACRE_QUERY_STOP_WHEN_FULL},
    {"sphere, 10 m", make_sphere, 10.0f, 0, false, 0},
    {"sphere, 100 m", make_sphere, 100.0f, 0, false, 0},
    {"square, 10 m", make_ground_square, 10.0f, 0, false, 0},
    {"square, 100 m", make_ground_square, 100.0f, 0, false, 0},
    {"circle, 10 m", make_circle, 10.0f, 0, false, 0},
    {"circle, 100 m", make_circle, 100.0f, 0, false, 0},
    {"oriented box, 10 m", make_oriented_box, 10.0f, 0, false, 0},
    {"oriented box, 100 m", make_oriented_box, 100.0f, 0, false, 0},
    {"oriented, exact, 10 m", make_oriented_box, 10.0f, 0, false, ACRE_QUERY_EXACT},
    {"oriented, exact, 100 m", make_oriented_box, 100.0f, 0, false, ACRE_QUERY_EXACT},
    {"capsule, 20 m long", make_capsule, 10.0f, 0, false, 0},
    {"capsule, 200 m long", make_capsule, 100.0f, 0, false, 0},
    {"cone, 30 m", make_cone, 30.0f, 0, false, 0},
    {"point", make_point, 0.0f, 0, false, 0},
    {"ground point", make_ground_point, 0.0f, 0, false, 0},
    {"ray, closest, 200 m", make_ray, 200.0f, 1, true, 0},
    {"ray, all hits", make_ray, INFINITY, 0, false, 0},
    {"ray, near to far", make_ray, INFINITY, SIZE_MAX, true, 0},
    {"segment, 50 m", make_ray, 50.0f, 0, false, 0},
    {"swept box, 50 m", make_swept_box, 50.0f, 0, false, 0},
    {"nearest to a point", make_near_point, 0.0f, 1, true, 0},
    {"8 nearest to a point", make_near_point, 0.0f, 8, true, 0},
    {"64 nearest to a point", make_near_point, 0.0f, 64, true, 0},
    {"nearest to a box", make_near_box, 0.0f, 1, true, 0},
    {"8 nearest to a box", make_near_box, 0.0f, 8, true, 0},
    {"64 nearest to a box", make_near_box, 0.0f, 64, true, 0},
    {"8 nearest in view", make_near_in_view, VIEW_FAR, 8, true, 0},
    {"view, near to far", make_near_in_view, VIEW_FAR, SIZE_MAX, true, 0},
    {"view", make_view, VIEW_FAR, 0, false, 0},
    {"view, exact", make_view, VIEW_FAR, 0, false, ACRE_QUERY_EXACT},
    {"view, not within 300 m", make_far_view, VIEW_FAR, 0, false, 0},
    {"view, one layer of four", make_layer_view, VIEW_FAR, 0, false, 0},
    {"view, first 64 visited", make_view, VIEW_FAR, 64, false, 0},
};
_Static_assert(sizeof kinds / sizeof kinds[0] <= QUESTION_MAX_KINDS, "room in tables");

uint32_t question_kind_count(void)
{
    return sizeof kinds / sizeof kinds[0];
}

const question_kind *question_kind_at(uint32_t index)
{
    return &kinds[index];
}

const question_kind *question_kind_named(const char *name)
{
    size_t index = 0;
    while (strcmp(kinds[index].name, name) != 0) {
        index++;
    }
    return &kinds[index];
}

// Drawn from the bits of the number, so that neighbors in the order of items differ.
uint32_t question_layers_of(uint32_t item)
{
    uint64_t random = item;
    return draw_bits(&random) % 4u == 0 ? 1u | QUESTION_LAYER : 1u;
}

void questions_make(question_set *out, const question_kind *kind, const country *workload,
                    const uint32_t *layers, uint32_t count)
{
    out->kind = kind;
    out->count = count;
    question_maker maker = {.workload = workload, .random = 0x71756572790000u};
    for (uint32_t i = 0; i < count; i++) {
        asked_question *const question = &out->questions[i];
        question_parts *const parts = &out->parts[i];
        memset(parts, 0, sizeof *parts);
        parts->query.flags = kind->flags;
        *question = (asked_question){.query = &parts->query, .capacity = kind->capacity};
        if (kind->capacity == SIZE_MAX) {
            question->capacity = workload->count;
        }
        maker.question = question;
        maker.parts = parts;
        kind->make(&maker, kind->size);
        question->layers = parts->query.layers ? layers : NULL;
        question_set_tests(question, parts);
    }
}
