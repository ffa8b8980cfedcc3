// SPDX-License-Identifier: MIT
// mesh_store.c - the triangles of all meshes in one array, a part for each mesh.
#include "mesh_store.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Makes room for one more element. Returns the array, or NULL where memory is short.
static void *grow(void *array, uint32_t count, uint32_t *capacity, size_t size)
{
    assert(count <= *capacity);
    if (count < *capacity) {
        return array;
    }
    const uint32_t wanted = *capacity ? 2 * *capacity : 1024;
    void *const grown = wanted > *capacity ? realloc(array, wanted * size) : NULL;
    *capacity = grown ? wanted : *capacity;
    return grown;
}

uint32_t mesh_begin(mesh_store *store, uint32_t coarser)
{
    mesh_part *const parts =
        grow(store->parts, store->part_count, &store->part_capacity, sizeof *parts);
    if (!parts) {
        store->is_short = true;
        return 0;
    }
    store->parts = parts;
    parts[store->part_count] = (mesh_part){.first = store->vertex_count, .coarser = coarser};
    return store->part_count++;
}

// The unit normal of a triangle; false where it has no area.
static bool find_normal(const float *a, const float *b, const float *c, float *out)
{
    const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
    const float length = sqrtf(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    if (!(length > 1e-8f)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        out[k] /= length;
    }
    return true;
}

mesh_vertex *mesh_add_triangle(mesh_store *store, const float *a, const float *b, const float *c,
                               mesh_material material, const uint8_t *rgb)
{
    assert(store->part_count > 0 || store->is_short);
    float normal[3];
    if (store->is_short || !find_normal(a, b, c, normal)) {
        return NULL;
    }
    const float *const corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        mesh_vertex *const vertices =
            grow(store->vertices, store->vertex_count, &store->vertex_capacity, sizeof *vertices);
        if (!vertices) {
            store->is_short = true;
            return NULL;
        }
        store->vertices = vertices;
        mesh_vertex *const vertex = &vertices[store->vertex_count++];
        *vertex = (mesh_vertex){.color = {rgb[0], rgb[1], rgb[2], 255},
                                .part = (float)(store->part_count - 1)};
        memcpy(vertex->position, corners[i], sizeof vertex->position);
        for (int k = 0; k < 3; k++) {
            vertex->normal[k] = (int8_t)lrintf(127.0f * normal[k]);
        }
        vertex->normal[3] = (int8_t)material;
    }
    store->parts[store->part_count - 1].count += 3;
    return &store->vertices[store->vertex_count - 3];
}

void mesh_add_quad(mesh_store *store, const float *a, const float *b, const float *c,
                   const float *d, mesh_material material, const uint8_t *rgb)
{
    mesh_add_triangle(store, a, b, c, material, rgb);
    mesh_add_triangle(store, a, c, d, material, rgb);
}

void mesh_store_free(mesh_store *store)
{
    free(store->vertices);
    free(store->parts);
    *store = (mesh_store){0};
}
