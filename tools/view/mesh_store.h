// SPDX-License-Identifier: MIT
// mesh_store.h - the triangles of all meshes in one array, a part for each mesh.
//
// Typical use:
//     const uint32_t mesh = mesh_begin(&store, 0);
//     mesh_add_triangle(&store, a, b, c, MATERIAL_ROOF, rgb);   // counter-clockwise from outside
//     if (store.is_short) { ... memory was short ... }
#ifndef ACRE_TOOLS_MESH_STORE_H
#define ACRE_TOOLS_MESH_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// As solid.vert and solid.frag know them.
typedef enum mesh_material {
    MATERIAL_PLAIN,
    MATERIAL_WALL,
    MATERIAL_ROOF,
    MATERIAL_PAINT, // of a car: its color follows its number
    MATERIAL_GLASS,
    MATERIAL_GROUND,
    MATERIAL_ASPHALT
} mesh_material;

typedef struct mesh_vertex {
    float position[3];
    int8_t normal[4]; // times 127; the fourth is the material
    uint8_t color[4];
    float wall[2]; // along a wall and down from its top, in windows
    float part;    // the number of its mesh, below 2^24
} mesh_vertex;

typedef struct mesh_part {
    uint32_t first, count; // vertices
    uint32_t coarser;      // meshes that follow and are this one at coarser levels of detail
} mesh_part;

typedef struct mesh_store {
    mesh_vertex *vertices;
    mesh_part *parts;
    uint32_t vertex_count, vertex_capacity;
    uint32_t part_count, part_capacity;
    bool is_short; // memory was; what came after that is missing
} mesh_store;

// Starts a mesh and returns its number; `coarser` of those to come are coarser ones of it.
uint32_t mesh_begin(mesh_store *store, uint32_t coarser);

// Adds a triangle to the mesh begun last. Returns its three vertices, valid until the next call, or
// NULL where it has no area or memory is short.
mesh_vertex *mesh_add_triangle(mesh_store *store, const float *a, const float *b, const float *c,
                               mesh_material material, const uint8_t *rgb);

// Two triangles: a b c and a c d.
void mesh_add_quad(mesh_store *store, const float *a, const float *b, const float *c,
                   const float *d, mesh_material material, const uint8_t *rgb);

void mesh_store_free(mesh_store *store);

#endif
