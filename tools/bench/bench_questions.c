// SPDX-License-Identifier: MIT
// bench_questions.c - the kinds of queries, and where each of a set is asked.
#include "bench_questions.h"

#include "bench_draw.h"

#include <math.h>
#include <string.h>

#define FAR_AWAY 1e6f      // metres: beyond every country
#define EYE_HEIGHT 1.7f    // metres
#define PLACE_TRIES 64     // until a place counts as free
#define VIEW_FAR 1000.0f   // metres
#define VIEW_NEAR 0.1f     // metres
#define EXCLUDE_FAR 300.0f // metres

// Of 60 degrees from top to bottom at 16:9.
#define VIEW_UP 0.577350269
#define VIEW_ASIDE (VIEW_UP * 16.0 / 9.0)

struct question_maker {
    const bench_workload *workload;
    uint64_t random;
    contender_question *question;
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

static bool is_free(const bench_workload *workload, const float *point)
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
        workload_next_place(maker->workload, &maker->random, ground);
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
    if (acre_oriented_box_frustum(&maker->parts->frustum, oriented) == ACRE_OK) {
        maker->question->planes = &maker->parts->frustum;
    }
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

typedef struct view_axes {
    double forward[3], right[3], up[3]; // length 1
    float eye[3];
} view_axes;

static void add_plane(acre_frustum *out, const view_axes *view, double forward, double right,
                      double up, double distance)
{
    const double length = sqrt(forward * forward + right * right + up * up);
    float *const plane = out->planes[out->plane_count++];
    double d = distance;
    for (int axis = 0; axis < 3; axis++) {
        const double n =
            (forward * view->forward[axis] + right * view->right[axis] + up * view->up[axis]) /
            length;
        plane[axis] = (float)n;
        d -= n * (double)view->eye[axis];
    }
    plane[3] = (float)d;
}

static void make_pyramid(acre_frustum *out, const view_axes *view, double near_distance,
                         double far_distance)
{
    *out = (acre_frustum){.plane_count = 0};
    add_plane(out, view, VIEW_ASIDE, 1.0, 0.0, 0.0);
    add_plane(out, view, VIEW_ASIDE, -1.0, 0.0, 0.0);
    add_plane(out, view, VIEW_UP, 0.0, 1.0, 0.0);
    add_plane(out, view, VIEW_UP, 0.0, -1.0, 0.0);
    add_plane(out, view, 1.0, 0.0, 0.0, -near_distance);
    add_plane(out, view, -1.0, 0.0, 0.0, far_distance);
}

static acre_aabb pyramid_bounds(const view_axes *view, double far_distance)
{
    acre_aabb bounds = padded(view->eye, view->eye, 0.0f);
    for (int corner = 0; corner < 4; corner++) {
        const double right = (corner & 1 ? far_distance : -far_distance) * VIEW_ASIDE;
        const double up = (corner & 2 ? far_distance : -far_distance) * VIEW_UP;
        float point[3];
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = (float)((double)view->eye[axis] + far_distance * view->forward[axis] +
                                  right * view->right[axis] + up * view->up[axis]);
        }
        const acre_aabb around = padded(point, point, 0.0f);
        bounds = acre_aabb_merge(&bounds, &around);
    }
    return bounds;
}

// Of somebody who stands there, as the workload's ground views; the nearest are near to the eye.
static void make_view(question_maker *maker, float size)
{
    question_parts *const parts = maker->parts;
    view_axes view = {.up = {0.0, 1.0, 0.0}};
    float heading[2];
    draw_eye(maker, view.eye);
    draw_direction(&maker->random, heading);
    view.forward[0] = view.right[2] = (double)heading[0];
    view.forward[2] = (double)heading[1];
    view.right[0] = -(double)heading[1];
    make_pyramid(&parts->frustum, &view, (double)VIEW_NEAR, (double)size);
    make_pyramid(&parts->exclude, &view, (double)VIEW_NEAR, (double)EXCLUDE_FAR);
    memcpy(parts->origin.min, view.eye, sizeof view.eye);
    memcpy(parts->origin.max, view.eye, sizeof view.eye);
    parts->query.shape = ACRE_QUERY_SHAPE_FRUSTUM;
    parts->query.frustum = &parts->frustum;
    maker->question->bounds = pyramid_bounds(&view, (double)size);
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

static const question_kind kinds[] = {
    {.name = "box, 10 m", .make = make_box, .size = 10.0f},
    {.name = "box, 100 m", .make = make_box, .size = 100.0f},
    {.name = "box, any one item",
     .make = make_box,
     .size = 100.0f,
     .capacity = 1,
     .flags = ACRE_QUERY_STOP_WHEN_FULL},
    {.name = "sphere, 10 m", .make = make_sphere, .size = 10.0f},
    {.name = "sphere, 100 m", .make = make_sphere, .size = 100.0f},
    {.name = "circle, 10 m", .make = make_circle, .size = 10.0f},
    {.name = "circle, 100 m", .make = make_circle, .size = 100.0f},
    {.name = "oriented box, 10 m", .make = make_oriented_box, .size = 10.0f},
    {.name = "oriented box, 100 m", .make = make_oriented_box, .size = 100.0f},
    {.name = "oriented, exact, 10 m",
     .make = make_oriented_box,
     .size = 10.0f,
     .flags = ACRE_QUERY_EXACT},
    {.name = "oriented, exact, 100 m",
     .make = make_oriented_box,
     .size = 100.0f,
     .flags = ACRE_QUERY_EXACT},
    {.name = "capsule, 20 m long", .make = make_capsule, .size = 10.0f},
    {.name = "capsule, 200 m long", .make = make_capsule, .size = 100.0f},
    {.name = "cone, 30 m", .make = make_cone, .size = 30.0f},
    {.name = "point", .make = make_point},
    {.name = "ground point", .make = make_ground_point},
    {.name = "ray, closest, 200 m",
     .make = make_ray,
     .size = 200.0f,
     .is_nearest = true,
     .capacity = 1},
    {.name = "ray, all hits", .make = make_ray, .size = INFINITY},
    {.name = "ray, near to far",
     .make = make_ray,
     .size = INFINITY,
     .is_nearest = true,
     .capacity = SIZE_MAX},
    {.name = "segment, 50 m", .make = make_ray, .size = 50.0f},
    {.name = "swept box, 50 m", .make = make_swept_box, .size = 50.0f},
    {.name = "nearest to a point", .make = make_near_point, .is_nearest = true, .capacity = 1},
    {.name = "8 nearest to a point", .make = make_near_point, .is_nearest = true, .capacity = 8},
    {.name = "64 nearest to a point", .make = make_near_point, .is_nearest = true, .capacity = 64},
    {.name = "nearest to a box", .make = make_near_box, .is_nearest = true, .capacity = 1},
    {.name = "8 nearest to a box", .make = make_near_box, .is_nearest = true, .capacity = 8},
    {.name = "64 nearest to a box", .make = make_near_box, .is_nearest = true, .capacity = 64},
    {.name = "8 nearest in view",
     .make = make_near_in_view,
     .size = VIEW_FAR,
     .is_nearest = true,
     .capacity = 8},
    {.name = "view, near to far",
     .make = make_near_in_view,
     .size = VIEW_FAR,
     .is_nearest = true,
     .capacity = SIZE_MAX},
    {.name = "view", .make = make_view, .size = VIEW_FAR},
    {.name = "view, exact", .make = make_view, .size = VIEW_FAR, .flags = ACRE_QUERY_EXACT},
    {.name = "view, not within 300 m", .make = make_far_view, .size = VIEW_FAR},
    {.name = "view, one layer of four", .make = make_layer_view, .size = VIEW_FAR},
    {.name = "view, steps of 64 nodes", .make = make_view, .size = VIEW_FAR, .budget = 64},
    {.name = "view, first 64 visited", .make = make_view, .size = VIEW_FAR, .capacity = 64},
};

uint32_t question_kind_count(void)
{
    return sizeof kinds / sizeof kinds[0];
}

const question_kind *question_kind_at(uint32_t index)
{
    return &kinds[index];
}

// Drawn from the bits of the number, so that neighbours in the order of items differ.
uint32_t question_layers_of(uint32_t item)
{
    uint64_t random = item;
    return draw_bits(&random) % 4u == 0 ? 1u | QUESTION_LAYER : 1u;
}

void questions_make(question_set *out, const question_kind *kind, const bench_workload *workload,
                    const uint32_t *layers, uint32_t count)
{
    out->kind = kind;
    out->count = count;
    question_maker maker = {.workload = workload, .random = 0x71756572790000u};
    for (uint32_t i = 0; i < count; i++) {
        contender_question *const question = &out->questions[i];
        question_parts *const parts = &out->parts[i];
        memset(parts, 0, sizeof *parts);
        parts->query.flags = kind->flags;
        *question = (contender_question){
            .query = &parts->query, .capacity = kind->capacity, .budget = kind->budget};
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
