// SPDX-License-Identifier: MIT
// sample_shapes.c - every shape that a query can have, moved with the mouse.
#include "samples.h"

#include <acre/quadtree.h>

#include <math.h>

enum { BOXES = 1500, SHAPES = 8 };

typedef struct shapes_state {
    acre_quadtree *tree;
    acre_aabb boxes[BOXES];
    uint32_t found[BOXES];
    int shape;
    int size;
} shapes_state;

static const char *const names[SHAPES] = {"box",  "sphere",       "circle", "capsule",
                                          "cone", "oriented box", "ray",    "swept box"};

static bool create(void *memory)
{
    shapes_state *const state = memory;
    uint64_t random = 41;
    state->size = 16;
    state->shape = 4;
    const acre_quadtree_def def = {.half_size = 80.0f, .node_capacity = 16};
    bool is_good = acre_quadtree_create(&def, &state->tree) == ACRE_OK;
    for (uint32_t i = 0; i < BOXES && is_good; i++) {
        const float x = 150.0f * sample_random(&random) - 75.0f;
        const float z = 150.0f * sample_random(&random) - 75.0f;
        state->boxes[i] = sample_box(x, z, 0.5f + 0.6f * sample_random(&random),
                                     0.8f + 4.0f * powf(sample_random(&random), 2.0f));
        is_good = acre_quadtree_insert(state->tree, i, &state->boxes[i]) == ACRE_OK;
    }
    return is_good;
}

static void destroy(void *memory)
{
    acre_quadtree_destroy(((shapes_state *)memory)->tree);
}

// All shapes start at `from` and reach towards `to`, where the mouse is.
typedef struct all_shapes {
    acre_aabb box;
    acre_sphere sphere;
    acre_circle circle;
    acre_capsule capsule;
    acre_cone cone;
    acre_oriented_box oriented;
    acre_ray ray;
} all_shapes;

static void make_shapes(const float *from, const float *to, float size, all_shapes *out)
{
    float way[3], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        way[k] = to[k] - from[k];
        length += way[k] * way[k];
    }
    length = fmaxf(sqrtf(length), 1e-3f);
    for (int k = 0; k < 3; k++) {
        way[k] /= length;
    }
    const float flat = fmaxf(hypotf(way[0], way[2]), 1e-3f);
    const float x = way[0] / flat, z = way[2] / flat;
    *out = (all_shapes){
        .box = {{to[0] - size, 0.0f, to[2] - size}, {to[0] + size, size, to[2] + size}},
        .sphere = {{to[0], 0.0f, to[2]}, size},
        .circle = {{to[0], to[2]}, size},
        .capsule = {{from[0], from[1], from[2]}, {to[0], to[1], to[2]}, 0.3f * size},
        .cone = {{from[0], from[1], from[2]}, {way[0], way[1], way[2]}, length, 0.02f * size},
        .oriented = {{to[0], 2.0f, to[2]},
                     {size, 2.0f, 0.4f * size},
                     {{x, 0.0f, z}, {0.0f, 1.0f, 0.0f}, {-z, 0.0f, x}}},
        .ray = {.origin = {from[0], from[1], from[2]},
                .direction = {way[0], way[1], way[2]},
                .length = length}};
}

static acre_query make_query(int shape, all_shapes *shapes)
{
    static const acre_query_shape kinds[SHAPES] = {
        ACRE_QUERY_SHAPE_AABB,    ACRE_QUERY_SHAPE_SPHERE, ACRE_QUERY_SHAPE_CIRCLE,
        ACRE_QUERY_SHAPE_CAPSULE, ACRE_QUERY_SHAPE_CONE,   ACRE_QUERY_SHAPE_ORIENTED_BOX,
        ACRE_QUERY_SHAPE_RAY,     ACRE_QUERY_SHAPE_RAY};
    if (shape == SHAPES - 1) {
        for (int k = 0; k < 3; k++) {
            shapes->ray.half_size[k] = 3.0f;
        }
    }
    return (acre_query){.shape = kinds[shape],
                        .box = &shapes->box,
                        .sphere = &shapes->sphere,
                        .circle = &shapes->circle,
                        .capsule = &shapes->capsule,
                        .cone = &shapes->cone,
                        .oriented_box = &shapes->oriented,
                        .ray = &shapes->ray};
}

// Its outline on the ground, or the line it goes along.
static void draw_shape(stage *s, int shape, const all_shapes *shapes, const float *from,
                       const float *to, float size)
{
    const float at[3] = {to[0], 0.2f, to[2]};
    if (shape == 0) {
        stage_outline(s, &shapes->box, STAGE_RED);
    } else if (shape <= 2) {
        stage_circle(s, at, size, STAGE_RED);
    } else if (shape == 5) {
        for (int i = 0; i < 4; i++) {
            float corners[2][3];
            for (int end = 0; end < 2; end++) {
                const int corner = (i + end) % 4;
                const float a = corner == 1 || corner == 2 ? size : -size;
                const float b = corner >= 2 ? 0.4f * size : -0.4f * size;
                for (int k = 0; k < 3; k++) {
                    corners[end][k] = shapes->oriented.center[k] + a * shapes->oriented.axes[0][k] +
                                      b * shapes->oriented.axes[2][k];
                }
            }
            stage_line(s, corners[0], corners[1], STAGE_RED);
        }
    } else {
        const float radius = shape == 3   ? shapes->capsule.radius
                             : shape == 4 ? tanf(shapes->cone.angle) * shapes->cone.length
                             : shape == 7 ? 3.0f
                                          : 0.4f;
        stage_line(s, from, to, STAGE_RED);
        stage_circle(s, to, radius, STAGE_RED);
        stage_circle(s, from, shape == 4 ? 0.4f : radius, STAGE_RED);
    }
}

static bool step(void *memory, stage *s)
{
    shapes_state *const state = memory;
    stage_choice(s, "shape", &state->shape, names, SHAPES);
    stage_slider(s, "size", &state->size, 2, 40);
    const float from[3] = {-40.0f, 3.0f, 30.0f};
    const float to[3] = {s->pointer[0], 2.0f, s->pointer[2]};
    all_shapes shapes;
    make_shapes(from, to, (float)state->size, &shapes);
    acre_query_stats stats = {0};
    acre_query query = make_query(state->shape, &shapes);
    query.stats = &stats;
    size_t count = 0;
    if (acre_quadtree_query(state->tree, &query, state->found, BOXES, &count) != ACRE_OK) {
        return false;
    }
    bool is_found[BOXES] = {false};
    for (size_t i = 0; i < count; i++) {
        is_found[state->found[i]] = true;
    }
    for (uint32_t i = 0; i < BOXES; i++) {
        stage_box(s, &state->boxes[i], is_found[i] ? STAGE_ORANGE : 0xa9b4beffu);
    }
    draw_shape(s, state->shape, &shapes, from, to, (float)state->size);
    stage_readout(s, "found", "%zu of %d", count, BOXES);
    stage_readout(s, "taken without a test", "%zu", stats.items_accepted);
    stage_readout(s, "boxes tested", "%zu", stats.items_tested);
    stage_tree(s, state->tree);
    return true;
}

const view_sample sample_shapes = {
    .name = "shapes",
    .title = "Every query shape",
    .about = "Boxes, spheres, circles, capsules, cones, turned boxes, rays and boxes\n"
             "that move: the shape ends where the mouse points.",
    .state_size = sizeof(shapes_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.4f,
    .pitch = -0.75f,
    .distance = 150.0f};
