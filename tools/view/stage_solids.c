// SPDX-License-Identifier: MIT
// stage_solids.c - solids of a stage that let through what is behind them.
#include "stage_solids.h"

#include "view_camera.h"

#include <math.h>
#include <string.h>

enum { SIDES = 40, RINGS = 8 };

// A side that looks at the light is as bright as the color says.
static uint32_t shade(uint32_t rgba, const float *normal)
{
    static const float light[3] = {0.45f, 0.75f, 0.48f};
    float toward = 0.0f;
    for (int k = 0; k < 3; k++) {
        toward += light[k] * normal[k];
    }
    const float part = 0.8f + 0.2f * toward;
    uint32_t shaded = rgba & 0xffu;
    for (int shift = 8; shift < 32; shift += 8) {
        shaded |= (uint32_t)(part * (float)(rgba >> shift & 0xffu)) << shift;
    }
    return shaded;
}

// Two directions that stand square on a third of length 1, and on each other.
static void find_across(const float *way, float *a, float *b)
{
    const float flat = hypotf(way[0], way[2]);
    const bool is_upright = flat < 1e-3f;
    a[0] = is_upright ? 1.0f : -way[2] / flat;
    a[1] = 0.0f;
    a[2] = is_upright ? 0.0f : way[0] / flat;
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        b[k] = way[u] * a[v] - way[v] * a[u];
    }
}

// A solid of rings around a line: each at a place along it, with a radius.
typedef struct turned_solid {
    const float *from, *way;
    float a[3], b[3];
} turned_solid;

static void point_on(const turned_solid *solid, float along, float radius, int side, float *out)
{
    const float angle = 6.2831853f * (float)side / SIDES;
    for (int k = 0; k < 3; k++) {
        out[k] = solid->from[k] + along * solid->way[k] +
                 radius * (cosf(angle) * solid->a[k] + sinf(angle) * solid->b[k]);
    }
}

static void add_band(stage *s, const turned_solid *solid, const float (*rings)[2], uint32_t rgba)
{
    for (int side = 0; side < SIDES; side++) {
        float corners[4][3], normal[3];
        point_on(solid, rings[0][0], rings[0][1], side, corners[0]);
        point_on(solid, rings[0][0], rings[0][1], side + 1, corners[1]);
        point_on(solid, rings[1][0], rings[1][1], side + 1, corners[2]);
        point_on(solid, rings[1][0], rings[1][1], side, corners[3]);
        const float angle = 6.2831853f * ((float)side + 0.5f) / SIDES;
        for (int k = 0; k < 3; k++) {
            normal[k] = cosf(angle) * solid->a[k] + sinf(angle) * solid->b[k];
        }
        const float *const quad[4] = {corners[0], corners[1], corners[2], corners[3]};
        stage_quad(s, quad, shade(rgba, normal));
    }
}

static void add_rings(stage *s, const float *from, const float *way, const float (*rings)[2],
                      int count, uint32_t rgba)
{
    turned_solid solid = {.from = from, .way = way};
    find_across(way, solid.a, solid.b);
    for (int i = 0; i + 1 < count; i++) {
        add_band(s, &solid, rings + i, rgba);
    }
}

void stage_cone(stage *s, const acre_cone *cone, uint32_t rgba)
{
    const float radius = cone->length * tanf(cone->angle);
    const float rings[3][2] = {{0.0f, 0.0f}, {cone->length, radius}, {cone->length, 0.0f}};
    add_rings(s, cone->apex, cone->direction, rings, 3, rgba);
}

void stage_capsule(stage *s, const acre_capsule *capsule, uint32_t rgba)
{
    float way[3], length = 0.0f, rings[2 * RINGS][2];
    for (int k = 0; k < 3; k++) {
        way[k] = capsule->to[k] - capsule->from[k];
        length += way[k] * way[k];
    }
    length = sqrtf(length);
    for (int k = 0; k < 3; k++) {
        way[k] = length > 0.0f ? way[k] / length : (float)(k == 0);
    }
    for (int i = 0; i < RINGS; i++) { // a half of a sphere at each end
        const float angle = 1.5707963f * (float)i / (RINGS - 1);
        const float aside = capsule->radius * sinf(angle), along = capsule->radius * cosf(angle);
        rings[i][0] = -along;
        rings[i][1] = aside;
        rings[2 * RINGS - 1 - i][0] = length + along;
        rings[2 * RINGS - 1 - i][1] = aside;
    }
    add_rings(s, capsule->from, way, (const float(*)[2])rings, 2 * RINGS, rgba);
}

void stage_sphere(stage *s, const acre_sphere *sphere, uint32_t rgba)
{
    acre_capsule both = {.radius = sphere->radius};
    memcpy(both.from, sphere->center, sizeof both.from);
    memcpy(both.to, sphere->center, sizeof both.to);
    stage_capsule(s, &both, rgba);
}

void stage_fill_square(stage *s, const float *min, const float *max, float y, uint32_t rgba)
{
    const float corners[4][3] = {
        {min[0], y, min[1]}, {max[0], y, min[1]}, {max[0], y, max[1]}, {min[0], y, max[1]}};
    const float *const quad[4] = {corners[0], corners[1], corners[2], corners[3]};
    stage_quad(s, quad, rgba);
}

void stage_fill_box(stage *s, const acre_aabb *box, uint32_t rgba)
{
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int end = 0; end < 2; end++) {
            float corners[4][3];
            for (int i = 0; i < 4; i++) {
                corners[i][axis] = end ? box->max[axis] : box->min[axis];
                corners[i][u] = i == 1 || i == 2 ? box->max[u] : box->min[u];
                corners[i][v] = i >= 2 ? box->max[v] : box->min[v];
            }
            const float *const quad[4] = {corners[0], corners[1], corners[2], corners[3]};
            stage_quad(s, quad, rgba);
        }
    }
}

void stage_fill_view(stage *s, const acre_camera *camera, float reach, float y, uint32_t rgba)
{
    const float *const v = camera->view, *const p = camera->projection;
    float corners[3][3];
    view_camera_eye(camera, corners[0]);
    for (int i = 1; i < 3; i++) {
        const float aside = ((i == 1 ? -1.0f : 1.0f) + p[8]) / p[0];
        for (int k = 0; k < 3; k++) {
            corners[i][k] = corners[0][k] + reach * (aside * v[4 * k] - v[4 * k + 2]);
        }
    }
    for (int i = 0; i < 3; i++) {
        corners[i][1] = y;
    }
    const float *const face[4] = {corners[0], corners[1], corners[2], corners[0]};
    stage_quad(s, face, rgba);
}
