// SPDX-License-Identifier: MIT
// query_shapes.c - every shape that a query can have, between two points.
#include "query_shapes.h"

#include "stage_solids.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SOLID_ALPHA 0x30u // what is found shines through in its color

const char *const query_shape_names[SHAPE_COUNT_] = {"box",  "sphere",       "circle", "capsule",
                                                     "cone", "oriented box", "ray",    "swept box"};

// Those along the line: `way` has the length 1.
static void make_along(query_shapes *out, const float *way, float length)
{
    const float *const from = out->from, *const to = out->to, half = 0.5f * out->width;
    const float flat = hypotf(way[0], way[2]);
    const bool is_upright = flat < 1e-3f; // the turned box needs a direction on the ground
    const float x = is_upright ? 1.0f : way[0] / flat, z = is_upright ? 0.0f : way[2] / flat;
    out->capsule = (acre_capsule){{from[0], from[1], from[2]}, {to[0], to[1], to[2]}, 0.5f * half};
    out->cone = (acre_cone){{from[0], from[1], from[2]},
                            {way[0], way[1], way[2]},
                            length,
                            fminf(atanf(half / length), 1.4f)};
    out->oriented = (acre_oriented_box){{0.5f * (from[0] + to[0]), 2.0f, 0.5f * (from[2] + to[2])},
                                        {0.5f * length, 2.0f, 0.5f * half},
                                        {{x, 0.0f, z}, {0.0f, 1.0f, 0.0f}, {-z, 0.0f, x}}};
    out->ray = (acre_ray){.origin = {from[0], from[1], from[2]},
                          .direction = {way[0], way[1], way[2]},
                          .length = length};
    out->swept = out->ray;
    for (int k = 0; k < 3; k++) {
        out->swept.half_size[k] = 0.25f * half;
    }
}

void query_shapes_make(query_shapes *out, const float *from, const float *to, float width)
{
    assert(width > 0.0f);
    *out = (query_shapes){.width = width};
    memcpy(out->from, from, sizeof out->from);
    memcpy(out->to, to, sizeof out->to);
    const float middle[2] = {0.5f * (from[0] + to[0]), 0.5f * (from[2] + to[2])};
    const float radius = 0.5f * hypotf(to[0] - from[0], to[2] - from[2]);
    out->box = (acre_aabb){{fminf(from[0], to[0]), 0.0f, fminf(from[2], to[2])},
                           {fmaxf(from[0], to[0]), width, fmaxf(from[2], to[2])}};
    out->sphere = (acre_sphere){{middle[0], 0.0f, middle[1]}, radius};
    out->circle = (acre_circle){{middle[0], middle[1]}, radius};
    float way[3], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        way[k] = to[k] - from[k];
        length += way[k] * way[k];
    }
    length = sqrtf(length);
    if (length < 1e-3f) { // the points are one: along x
        length = 1e-3f;
        way[0] = length;
        way[1] = way[2] = 0.0f;
    }
    for (int k = 0; k < 3; k++) {
        way[k] /= length;
    }
    make_along(out, way, length);
}

acre_query query_shapes_ask(const query_shapes *shapes, query_shape shape)
{
    static const acre_query_shape kinds[SHAPE_COUNT_] = {
        ACRE_QUERY_SHAPE_AABB,    ACRE_QUERY_SHAPE_SPHERE, ACRE_QUERY_SHAPE_CIRCLE,
        ACRE_QUERY_SHAPE_CAPSULE, ACRE_QUERY_SHAPE_CONE,   ACRE_QUERY_SHAPE_ORIENTED_BOX,
        ACRE_QUERY_SHAPE_RAY,     ACRE_QUERY_SHAPE_RAY};
    assert((int)shape >= 0 && shape < SHAPE_COUNT_);
    return (acre_query){.shape = kinds[shape],
                        .box = &shapes->box,
                        .sphere = &shapes->sphere,
                        .circle = &shapes->circle,
                        .capsule = &shapes->capsule,
                        .cone = &shapes->cone,
                        .oriented_box = &shapes->oriented,
                        .ray = shape == SHAPE_SWEPT_BOX ? &shapes->swept : &shapes->ray};
}

static void draw_oriented(const acre_oriented_box *box, stage *s, uint32_t rgba)
{
    float corners[4][3];
    for (int i = 0; i < 4; i++) {
        const float a = i == 1 || i == 2 ? box->half_size[0] : -box->half_size[0];
        const float b = i >= 2 ? box->half_size[2] : -box->half_size[2];
        for (int k = 0; k < 3; k++) {
            corners[i][k] = box->center[k] + a * box->axes[0][k] + b * box->axes[2][k];
        }
    }
    for (int i = 0; i < 4; i++) {
        stage_line(s, corners[i], corners[(i + 1) % 4], rgba);
    }
}

void query_shapes_draw(const query_shapes *shapes, query_shape shape, stage *s, uint32_t rgba)
{
    const float middle[3] = {shapes->sphere.center[0], 0.2f, shapes->sphere.center[2]};
    const uint32_t solid = (rgba & ~0xffu) | SOLID_ALPHA;
    if (shape == SHAPE_BOX) {
        stage_outline(s, &shapes->box, rgba);
        stage_fill_box(s, &shapes->box, solid);
    } else if (shape == SHAPE_SPHERE || shape == SHAPE_CIRCLE) {
        stage_circle(s, middle, shapes->sphere.radius, rgba);
        if (shape == SHAPE_SPHERE) {
            stage_sphere(s, &shapes->sphere, solid);
        }
    } else if (shape == SHAPE_CONE) {
        stage_cone(s, &shapes->cone, solid);
    } else if (shape == SHAPE_CAPSULE) {
        stage_capsule(s, &shapes->capsule, solid);
    } else if (shape == SHAPE_ORIENTED_BOX) {
        draw_oriented(&shapes->oriented, s, rgba);
    } else {
        const float radius = shape == SHAPE_SWEPT_BOX ? shapes->swept.half_size[0] : 0.4f;
        stage_line(s, shapes->from, shapes->to, rgba);
        stage_circle(s, shapes->to, radius, rgba);
        stage_circle(s, shapes->from, radius, rgba);
    }
}
