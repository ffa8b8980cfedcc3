// SPDX-License-Identifier: MIT
// query_generator.c - random queries of every shape, rich in ties with the boxes that they ask for.
#include "query_generator.h"

#include "frustum_kinds.h"

#include <float.h>
#include <string.h>

// No call here has two random draws among its arguments: compilers differ in their order.

// Numbers of a valid shape are finite and at most 2^50 in size.
static float usable(float value)
{
    const float limit = 0x1p50f;
    return isnan(value) ? 0.0f : value > limit ? limit : value < -limit ? -limit : value;
}

static acre_aabb random_anchor(test_random *random, const query_ground *ground)
{
    if (ground->box_count > 0 && random_below(random, 4)) {
        return ground->boxes[random_below(random, ground->box_count)];
    }
    return box_valid(random, &ground->world);
}

// A corner, the middle of a face or of the box, or a place anywhere around the world.
static void random_point(test_random *random, const query_ground *ground, float *out)
{
    const acre_aabb anchor = random_anchor(random, ground);
    const uint32_t kind = random_below(random, 4);
    for (int axis = 0; axis < 3; axis++) {
        const float reach = axis == 1 ? 8.0f * ground->world.cell_size : ground->world.half_size;
        const float middle = axis == 1 ? 0.0f : ground->world.center[axis / 2];
        const uint32_t side = random_below(random, 3);
        float value = middle + random_float(random, -1.1f, 1.1f) * reach;
        if (kind < 2) {
            value = side == 0   ? anchor.min[axis]
                    : side == 1 ? anchor.max[axis]
                                : 0.5f * anchor.min[axis] + 0.5f * anchor.max[axis];
        } else if (kind == 2) {
            value = 0.5f * anchor.min[axis] + 0.5f * anchor.max[axis];
        }
        const int steps = (int)random_below(random, 12) - 4;
        out[axis] = usable(steps > 4 || steps < -1 || steps > 1 ? value : nudge(value, steps));
    }
}

// From nothing over cells to beyond the world, rarely without any measure.
static float random_length(test_random *random, const query_ground *ground)
{
    const box_world *const world = &ground->world;
    const int exponent = (int)random_below(random, 12) - 6;
    const float part = random_float(random, 0.0f, 1.0f);
    switch (random_below(random, 12)) {
    case 0:
        return 0.0f;
    case 1:
        return random_below(random, 8) ? ldexpf(world->cell_size, exponent) : 1e-40f;
    case 2:
        return random_below(random, 8) ? 2.0f * part * world->half_size : 0x1p50f;
    case 3:
    case 4:
        return usable(ldexpf(world->cell_size, exponent));
    case 5:
    case 6:
    case 7:
        return 8.0f * part * world->cell_size;
    default:
        return part * part * 0.5f * world->half_size;
    }
}

// From a point just as far as an anchor, or any length.
static float random_reach(test_random *random, const query_ground *ground, const float *point)
{
    if (random_below(random, 3)) {
        return random_length(random, ground);
    }
    acre_aabb place;
    memcpy(place.min, point, sizeof place.min);
    memcpy(place.max, point, sizeof place.max);
    const acre_aabb anchor = random_anchor(random, ground);
    const float distance = acre_aabb_distance(&place, &anchor);
    return fmaxf(usable(nudge(distance, (int)random_below(random, 3) - 1)), 0.0f);
}

// Along an axis, towards another point, anywhere, rarely of length 0; of any length.
static void random_direction(test_random *random, const query_ground *ground, const float *from,
                             float *out)
{
    const uint32_t kind = random_below(random, 8), axis_only = random_below(random, 3);
    const float scale = random_below(random, 4) ? 1.0f : ldexpf(1.0f, (int)axis_only * 20 - 20);
    float target[3];
    random_point(random, ground, target);
    const float sign = random_below(random, 2) ? 1.0f : -1.0f;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const float any = random_float(random, -1.0f, 1.0f);
        float value = kind < 4 ? target[axis] - from[axis] : any;
        if (kind == 0 && axis == 1) {
            value = 0.0f; // level
        }
        if (kind >= 6) {
            value = axis == axis_only ? sign : 0.0f;
        }
        out[axis] = usable(value * scale);
    }
    if (random_below(random, 24) == 0) {
        memset(out, 0, 3 * sizeof *out);
    }
}

static acre_frustum random_frustum(test_random *random, const query_ground *ground)
{
    acre_frustum frustum = frustum_valid(random, &ground->world);
    const uint32_t kind = random_below(random, 24);
    if (kind < 4) { // a camera's matrix
        const projection_kind *const projection =
            &projection_kinds[random_below(random, PROJECTION_KIND_COUNT)];
        test_view view = random_view(random, projection, all_clips[random_below(random, 3)], 0.0);
        float eye[3];
        double matrix[16];
        random_point(random, ground, eye);
        for (int axis = 0; axis < 3; axis++) {
            view.eye[axis] = (double)eye[axis];
        }
        view_projection_matrix(&view, matrix);
        if (acre_frustum_from_matrix_double(&frustum, matrix, view.clip) != ACRE_OK) {
            frustum = (acre_frustum){.plane_count = 0};
        }
    } else if (kind == 4) { // outside in: mostly nothing is inside
        for (uint32_t i = 0; i < frustum.plane_count; i++) {
            for (int k = 0; k < 4; k++) {
                frustum.planes[i][k] = -frustum.planes[i][k];
            }
        }
    } else if (kind == 5) { // read as 16 planes; those not set say nothing
        frustum.plane_count = ACRE_FRUSTUM_MAX_PLANES + random_below(random, 5);
    } else if (kind == 6) { // whatever is not NaN is a plane
        static const float odd[] = {INFINITY, -INFINITY, 0.0f, FLT_MAX, -FLT_MAX, 1e-45f};
        const uint32_t plane = random_below(random, 6), part = random_below(random, 4);
        frustum.planes[plane][part] = odd[random_below(random, 6)];
    } else if (kind == 7) {
        const acre_aabb box = random_anchor(random, ground);
        frustum = acre_aabb_is_finite(&box) ? frustum_of_box(&box) : frustum;
    }
    return frustum;
}

static acre_aabb random_box(test_random *random, const query_ground *ground)
{
    acre_aabb box = random_anchor(random, ground);
    if (random_below(random, 2)) {
        float point[3];
        random_point(random, ground, point);
        for (int axis = 0; axis < 3; axis++) {
            const float half = random_length(random, ground);
            box.min[axis] = point[axis] - half;
            box.max[axis] = point[axis] + half;
        }
    }
    return box;
}

static void random_cone(test_random *random, const query_ground *ground, acre_cone *out)
{
    random_point(random, ground, out->apex);
    random_direction(random, ground, out->apex, out->direction);
    out->length = random_reach(random, ground, out->apex);
    const float any = random_float(random, 0.0f, 1.4f);
    switch (random_below(random, 8)) {
    case 0:
        out->angle = 0.0f;
        break;
    case 1:
        out->angle = 1.4f;
        break;
    case 2:
        out->angle = 0.01f * any;
        break;
    default:
        out->angle = any;
        break;
    }
}

static void random_oriented_box(test_random *random, const query_ground *ground,
                                acre_oriented_box *out)
{
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t turn = random_below(random, 4);
    if (turn > 0) {
        random_rotation(random, axes);
    }
    const double ground_length = sqrt(axes[0][0] * axes[0][0] + axes[0][2] * axes[0][2]);
    if (turn == 1 && ground_length > 1e-3) { // about the vertical, as houses are
        const double x = axes[0][0] / ground_length, z = axes[0][2] / ground_length;
        const double upright[3][3] = {{x, 0, z}, {0, 1, 0}, {-z, 0, x}};
        memcpy(axes, upright, sizeof axes);
    }
    random_point(random, ground, out->center);
    for (int i = 0; i < 3; i++) {
        out->half_size[i] = random_length(random, ground);
        for (int k = 0; k < 3; k++) {
            out->axes[i][k] = (float)axes[i][k];
        }
    }
}

static void random_ray(test_random *random, const query_ground *ground, acre_ray *out)
{
    random_point(random, ground, out->origin);
    random_direction(random, ground, out->origin, out->direction);
    out->length = random_below(random, 3) ? random_reach(random, ground, out->origin) : INFINITY;
    const bool is_swept = random_below(random, 3) == 0;
    for (int axis = 0; axis < 3; axis++) {
        out->half_size[axis] = is_swept ? random_length(random, ground) : 0.0f;
    }
}

static void random_capsule(test_random *random, const query_ground *ground, acre_capsule *out)
{
    random_point(random, ground, out->from);
    random_point(random, ground, out->to);
    if (random_below(random, 8) == 0) {
        memcpy(out->to, out->from, sizeof out->to);
    }
    out->radius = random_reach(random, ground, out->from);
}

// Each query gets one volume; the others stay NULL.
static void set_volume(test_random *random, const query_ground *ground, generated_query *out)
{
    acre_query *const query = &out->query;
    random_point(random, ground, out->point);
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        out->frustum = random_frustum(random, ground);
        query->frustum = &out->frustum;
        break;
    case ACRE_QUERY_SHAPE_AABB:
        out->box = random_box(random, ground);
        query->box = &out->box;
        break;
    case ACRE_QUERY_SHAPE_ALL:
        break;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        query->point = out->point;
        break;
    case ACRE_QUERY_SHAPE_SPHERE:
        memcpy(out->sphere.center, out->point, sizeof out->sphere.center);
        out->sphere.radius = random_reach(random, ground, out->point);
        query->sphere = &out->sphere;
        break;
    case ACRE_QUERY_SHAPE_CIRCLE:
        out->circle.center[0] = out->point[0];
        out->circle.center[1] = out->point[2];
        out->circle.radius = random_reach(random, ground, out->point);
        query->circle = &out->circle;
        break;
    case ACRE_QUERY_SHAPE_CAPSULE:
        random_capsule(random, ground, &out->capsule);
        query->capsule = &out->capsule;
        break;
    case ACRE_QUERY_SHAPE_CONE:
        random_cone(random, ground, &out->cone);
        query->cone = &out->cone;
        break;
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        random_oriented_box(random, ground, &out->oriented_box);
        query->oriented_box = &out->oriented_box;
        break;
    case ACRE_QUERY_SHAPE_RAY:
        random_ray(random, ground, &out->ray);
        query->ray = &out->ray;
        break;
    }
}

void generate_query(test_random *random, const query_ground *ground, acre_query_shape shape,
                    generated_query *out)
{
    memset(out, 0, sizeof *out);
    out->query.shape = shape;
    set_volume(random, ground, out);
    if (random_below(random, 4) == 0) {
        out->query.layers = 1u << random_below(random, 4);
    }
    if (random_below(random, 3) == 0) {
        out->query.flags |= ACRE_QUERY_EXACT;
    }
    if (random_below(random, 4) == 0) {
        out->exclude = random_frustum(random, ground);
        out->query.exclude = &out->exclude;
    }
    if (random_below(random, 2)) {
        out->query.flags |= ACRE_QUERY_EXCLUDE_TOUCHING;
    }
    const bool may_be_open = shape == ACRE_QUERY_SHAPE_AABB || shape == ACRE_QUERY_SHAPE_POINT ||
                             shape == ACRE_QUERY_SHAPE_GROUND_POINT;
    if (random_below(random, 4) == 0 && may_be_open) {
        out->query.flags |= ACRE_QUERY_NOT_TOUCHING;
    }
    if (random_below(random, 4) == 0) { // also one that is not there
        out->query.except_item1 = random_below(random, ground->box_count + 3);
    }
}

void generate_any_query(test_random *random, const query_ground *ground, generated_query *out)
{
    const uint32_t shape = 1 + random_below(random, QUERY_SHAPE_COUNT);
    generate_query(random, ground, (acre_query_shape)shape, out);
}

void generate_origin(test_random *random, const query_ground *ground, generated_query *out)
{
    const bool is_ray = out->query.shape == ACRE_QUERY_SHAPE_RAY;
    float point[3];
    random_point(random, ground, point);
    memcpy(out->origin.min, point, sizeof point);
    memcpy(out->origin.max, point, sizeof point);
    if (random_below(random, 3) == 0) {
        out->origin = random_box(random, ground);
    }
    out->query.origin = is_ray && random_below(random, 4) ? NULL : &out->origin;
    out->query.max_distance = random_below(random, 3) ? 0.0f : random_reach(random, ground, point);
}

const char *query_shape_name(acre_query_shape shape)
{
    static const char *const names[] = {"none",    "frustum",      "box",          "all",
                                        "point",   "ground point", "sphere",       "circle",
                                        "capsule", "cone",         "oriented box", "ray"};
    return (uint32_t)shape <= QUERY_SHAPE_COUNT ? names[shape] : names[0];
}

static void print_floats(const char *name, const float *values, size_t count, FILE *out)
{
    fprintf(out, " %s {", name);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, i ? ", %a" : "%a", (double)values[i]);
    }
    fprintf(out, "}");
}

static void print_frustum(const char *name, const acre_frustum *frustum, FILE *out)
{
    for (uint32_t i = 0; i < frustum->plane_count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        print_floats(name, frustum->planes[i], 4, out);
    }
}

void print_query(const generated_query *generated, FILE *out)
{
    const acre_query *const query = &generated->query;
    fprintf(out, "%s, flags %u, layers %u, except_item1 %u:", query_shape_name(query->shape),
            query->flags, query->layers, query->except_item1);
    if (query->frustum) {
        print_frustum("plane", query->frustum, out);
    }
    const struct {
        const char *name;
        const void *floats;
        size_t size;
    } parts[] = {{"box", query->box, sizeof *query->box},
                 {"point", query->point, 3 * sizeof *query->point},
                 {"sphere", query->sphere, sizeof *query->sphere},
                 {"circle", query->circle, sizeof *query->circle},
                 {"capsule", query->capsule, sizeof *query->capsule},
                 {"cone", query->cone, sizeof *query->cone},
                 {"oriented box", query->oriented_box, sizeof *query->oriented_box},
                 {"ray", query->ray, sizeof *query->ray},
                 {"origin", query->origin, sizeof *query->origin}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].floats) {
            print_floats(parts[i].name, parts[i].floats, parts[i].size / sizeof(float), out);
        }
    }
    if (query->exclude) {
        print_frustum("exclude", query->exclude, out);
    }
    fprintf(out, " max_distance %a\n", (double)query->max_distance);
}
