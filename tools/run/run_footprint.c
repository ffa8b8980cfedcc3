// SPDX-License-Identifier: MIT
// run_footprint.c - the outline of a mesh as seen from above: the border of its upward triangles.
//
// Every upward triangle gives three directed edges. An edge between two of them is there once in
// each direction, and both cancel; what is left is the border, which falls into rings.
#include "run_footprint.h"

#include <math.h>
#include <stdlib.h>

typedef struct directed_edge {
    uint32_t low, high; // the two points
    uint32_t from;      // low or high
} directed_edge;

static uint32_t edge_to(const directed_edge *edge)
{
    return edge->from == edge->low ? edge->high : edge->low;
}

static int compare_points(const void *a, const void *b)
{
    const directed_edge *const x = a, *const y = b;
    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    if (x->high != y->high) {
        return x->high < y->high ? -1 : 1;
    }
    return (x->from > y->from) - (x->from < y->from);
}

static int compare_from(const void *a, const void *b)
{
    const directed_edge *const x = a, *const y = b;
    return (x->from > y->from) - (x->from < y->from);
}

// A point under the linear part of the matrix; the translation changes no normal.
static void turned_point(const acre_import_mesh *mesh, const float *world, uint32_t index,
                         double *out)
{
    const float *const p = mesh->points + 3 * (size_t)index;
    for (int k = 0; k < 3; k++) {
        out[k] = (double)world[k] * (double)p[0] + (double)world[4 + k] * (double)p[1] +
                 (double)world[8 + k] * (double)p[2];
    }
}

// Whether a triangle looks up, by more than a wall's normal does after rounding.
static bool looks_up(const acre_import_mesh *mesh, const float *world, const uint32_t *corners)
{
    double a[3], b[3], c[3], n[3];
    turned_point(mesh, world, corners[0], a);
    turned_point(mesh, world, corners[1], b);
    turned_point(mesh, world, corners[2], c);
    for (int k = 0; k < 3; k++) {
        const int y = (k + 1) % 3, z = (k + 2) % 3;
        n[k] = (b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]);
    }
    return n[1] > 1e-3 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static size_t collect_edges(const acre_import_mesh *mesh, const float *world, directed_edge *out)
{
    size_t count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *const corners = mesh->triangles + 3 * (size_t)t;
        if (!looks_up(mesh, world, corners)) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const uint32_t from = corners[k], to = corners[(k + 1) % 3];
            out[count++] = (directed_edge){from < to ? from : to, from < to ? to : from, from};
        }
    }
    return count;
}

// Drops pairs of opposite edges.
static size_t cancel_edges(directed_edge *edges, size_t count)
{
    qsort(edges, count, sizeof *edges, compare_points);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const directed_edge *const last = kept ? &edges[kept - 1] : NULL;
        if (last && last->low == edges[i].low && last->high == edges[i].high &&
            last->from != edges[i].from) {
            kept--;
        } else {
            edges[kept++] = edges[i];
        }
    }
    return kept;
}

// The first unused edge that leaves a point; count where there is none.
static size_t find_from(const directed_edge *edges, const uint8_t *used, size_t count,
                        uint32_t point)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (edges[middle].from < point) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low < count && edges[low].from == point && used[low]) {
        low++;
    }
    return low < count && edges[low].from == point ? low : count;
}

static void chain_rings(footprint *out, const directed_edge *edges, uint8_t *used, size_t count)
{
    for (size_t first = 0; first < count; first++) {
        if (used[first]) {
            continue;
        }
        out->starts[out->ring_count++] = out->point_count;
        for (size_t at = first; at < count;
             at = find_from(edges, used, count, edge_to(&edges[at]))) {
            used[at] = 1;
            out->points[out->point_count++] = edges[at].from;
        }
    }
    out->starts[out->ring_count] = out->point_count;
}

bool footprint_create(footprint *out, const acre_import_mesh *mesh, const float *world)
{
    *out = (footprint){0};
    const size_t most = 3 * (size_t)mesh->triangle_count + 1;
    directed_edge *const edges = calloc(most, sizeof *edges);
    uint8_t *const used = calloc(most, sizeof *used);
    out->points = calloc(most, sizeof *out->points);
    out->starts = calloc(most + 1, sizeof *out->starts);
    const bool is_good = edges && used && out->points && out->starts;
    if (is_good) {
        const size_t count = cancel_edges(edges, collect_edges(mesh, world, edges));
        qsort(edges, count, sizeof *edges, compare_from);
        chain_rings(out, edges, used, count);
    } else {
        footprint_free(out);
    }
    free(edges);
    free(used);
    return is_good;
}

void footprint_free(footprint *outline)
{
    free(outline->points);
    free(outline->starts);
    *outline = (footprint){0};
}
