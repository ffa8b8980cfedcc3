// SPDX-License-Identifier: MIT
// car_mesh.c - a car of some two hundred triangles, and coarser ones.
#include "city_meshes.h"

#include <math.h>

// A body between two rectangles, one above the other: half widths, z from and to, y.
typedef struct slab {
    float half_width, back, front, y;
} slab;

static void slab_corner(const slab *s, int corner, float *out)
{
    out[0] = corner == 0 || corner == 3 ? -s->half_width : s->half_width;
    out[1] = s->y;
    out[2] = corner < 2 ? s->front : s->back;
}

static void add_body(mesh_store *store, const slab *low, const slab *high, mesh_material sides,
                     mesh_material top, const uint8_t *rgb)
{
    float a[4][3], b[4][3];
    for (int i = 0; i < 4; i++) {
        slab_corner(low, i, a[i]);
        slab_corner(high, i, b[i]);
    }
    for (int i = 0; i < 4; i++) {
        const int next = (i + 1) % 4;
        mesh_add_quad(store, a[i], a[next], b[next], b[i], sides, rgb);
    }
    mesh_add_quad(store, b[0], b[1], b[2], b[3], top, rgb);
}

static void add_wheel(mesh_store *store, float x, float z)
{
    static const uint8_t rubber[3] = {28, 28, 30}, rim[3] = {150, 152, 156};
    const float radius = 0.33f, half = 0.11f;
    const float side = x > 0.0f ? 1.0f : -1.0f;
    for (int i = 0; i < 8; i++) {
        const float from = 0.7853982f * (float)i, to = 0.7853982f * (float)(i + 1);
        const float a[2] = {radius * cosf(from), radius * sinf(from)};
        const float b[2] = {radius * cosf(to), radius * sinf(to)};
        const float inner[4][3] = {{x - half, radius + a[0], z + a[1]},
                                   {x - half, radius + b[0], z + b[1]},
                                   {x + half, radius + b[0], z + b[1]},
                                   {x + half, radius + a[0], z + a[1]}};
        mesh_add_quad(store, inner[0], inner[1], inner[2], inner[3], MATERIAL_PLAIN, rubber);
        const float face = x + side * half;
        const float hub[3] = {face, radius, z};
        const float p[3] = {face, radius + a[0], z + a[1]}, q[3] = {face, radius + b[0], z + b[1]};
        mesh_add_triangle(store, hub, side > 0.0f ? p : q, side > 0.0f ? q : p, MATERIAL_PLAIN,
                          i % 2 ? rim : rubber);
    }
}

static void add_lamps(mesh_store *store, float z, float y, const uint8_t *rgb)
{
    const float toward = z > 0.0f ? 0.02f : -0.02f;
    for (int side = -1; side <= 1; side += 2) {
        const slab low = {0.0f, z - 0.01f, z + toward, y}, high = {0.0f, z - 0.01f, z + toward, y};
        const float x0 = (float)side * 0.78f, x1 = (float)side * 0.45f;
        const float a[3] = {fminf(x0, x1), low.y - 0.07f, low.front};
        const float b[3] = {fmaxf(x0, x1), low.y - 0.07f, low.front};
        const float c[3] = {b[0], high.y + 0.07f, high.front}, d[3] = {a[0], c[1], c[2]};
        if (z > 0.0f) {
            mesh_add_quad(store, a, b, c, d, MATERIAL_PLAIN, rgb);
        } else {
            mesh_add_quad(store, b, a, d, c, MATERIAL_PLAIN, rgb);
        }
    }
}

void car_mesh_add(mesh_store *store, int lod)
{
    static const uint8_t paint[3] = {200, 200, 200}, glass[3] = {30, 36, 42};
    static const uint8_t dark[3] = {40, 41, 44}, white[3] = {255, 250, 235}, red[3] = {190, 28, 24};
    const slab floor = {0.80f, -2.05f, 2.05f, 0.22f}, sill = {0.88f, -2.15f, 2.14f, 0.36f};
    const slab belt = {0.88f, -2.15f, 2.12f, 0.68f}, deck = {0.80f, -2.05f, 1.95f, 0.90f};
    const slab waist = {0.78f, -1.75f, 0.95f, 0.89f}, brow = {0.64f, -1.25f, 0.15f, 1.40f};
    const slab roof = {0.58f, -1.15f, 0.02f, 1.46f};
    if (lod == CITY_CAR_LODS - 1) { // two boxes
        add_body(store, &floor, &deck, MATERIAL_PAINT, MATERIAL_PAINT, paint);
        add_body(store, &waist, &roof, MATERIAL_GLASS, MATERIAL_PAINT, glass);
        return;
    }
    add_body(store, &floor, &sill, MATERIAL_PLAIN, MATERIAL_PLAIN, dark);
    add_body(store, &sill, &belt, MATERIAL_PAINT, MATERIAL_PAINT, paint);
    add_body(store, &belt, &deck, MATERIAL_PAINT, MATERIAL_PAINT, paint);
    add_body(store, &waist, &brow, MATERIAL_GLASS, MATERIAL_PAINT, glass);
    add_body(store, &brow, &roof, MATERIAL_PAINT, MATERIAL_PAINT, paint);
    for (int i = 0; i < 4 && lod == 0; i++) {
        add_wheel(store, i % 2 ? 0.76f : -0.76f, i < 2 ? 1.32f : -1.32f);
    }
    add_lamps(store, 2.15f, 0.60f, white);
    add_lamps(store, -2.16f, 0.62f, red);
}
