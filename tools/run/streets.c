// SPDX-License-Identifier: MIT
// streets.c - welds and splits line segments into a graph of directed edges.
//
// Three steps: cut (streets_cut.c) splits segments where they meet; weld gives every end point a
// node; link sorts the pieces, drops doubles and makes two edges of each.
#include "streets.h"
#include "streets_cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Hash of the square cells, weld meters wide, that hold the nodes: chains through `next`.
typedef struct weld_table {
    uint32_t *heads; // node + 1, 0: none
    uint32_t *next;  // by node; node + 1 of the following one
    uint32_t mask;
    float weld;
} weld_table;

static uint32_t hash_cell(const weld_table *table, int32_t x, int32_t z)
{
    const uint32_t mixed = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)z * 0x85EBCA77u;
    return (mixed ^ mixed >> 15) & table->mask;
}

static uint32_t find_node(const weld_table *table, const street_graph *graph, const float *point,
                          int32_t x, int32_t z)
{
    uint32_t link = table->heads[hash_cell(table, x, z)];
    for (; link; link = table->next[link - 1]) {
        const float *const at = graph->nodes[link - 1].position;
        const float dx = at[0] - point[0], dy = at[1] - point[1], dz = at[2] - point[2];
        if (dx * dx + dy * dy + dz * dz <= table->weld * table->weld) {
            break;
        }
    }
    return link;
}

// Far points share the last cell: slower, never wrong.
static int32_t weld_cell(const weld_table *table, float at)
{
    return (int32_t)fmaxf(-1e9f, fminf(floorf(at / table->weld), 1e9f));
}

static uint32_t weld_point(weld_table *table, street_graph *graph, const float *point)
{
    const int32_t x = weld_cell(table, point[0]);
    const int32_t z = weld_cell(table, point[2]);
    for (int32_t around = 0; around < 9; around++) {
        const uint32_t link =
            find_node(table, graph, point, x + around % 3 - 1, z + around / 3 - 1);
        if (link) {
            return link - 1;
        }
    }
    const uint32_t node = graph->node_count++;
    memcpy(graph->nodes[node].position, point, sizeof graph->nodes[node].position);
    uint32_t *const head = &table->heads[hash_cell(table, x, z)];
    table->next[node] = *head;
    *head = node + 1;
    return node;
}

typedef struct node_pair {
    uint32_t low, high;
} node_pair;

static int compare_pairs(const void *left, const void *right)
{
    const node_pair *const a = left;
    const node_pair *const b = right;
    const uint64_t x = (uint64_t)a->low << 32 | a->high;
    const uint64_t y = (uint64_t)b->low << 32 | b->high;
    return (x > y) - (x < y);
}

static bool weld_pieces(street_graph *graph, node_pair *pairs, const street_segment *pieces,
                        size_t count, float weld)
{
    uint32_t slots = 16;
    while (slots < 4 * count) {
        slots *= 2;
    }
    weld_table table = {.mask = slots - 1, .weld = weld};
    table.heads = calloc(slots, sizeof *table.heads);
    table.next = calloc(2 * count + 1, sizeof *table.next);
    if (table.heads && table.next) {
        for (size_t i = 0; i < count; i++) {
            const uint32_t a = weld_point(&table, graph, pieces[i].a);
            const uint32_t b = weld_point(&table, graph, pieces[i].b);
            pairs[i] = a < b ? (node_pair){a, b} : (node_pair){b, a};
        }
    }
    const bool is_done = table.heads && table.next;
    free(table.heads);
    free(table.next);
    return is_done;
}

static void add_edges(street_graph *graph, node_pair pair)
{
    const float *const a = graph->nodes[pair.low].position;
    const float *const b = graph->nodes[pair.high].position;
    const float dx = b[0] - a[0], dz = b[2] - a[2];
    const float length = sqrtf(dx * dx + dz * dz);
    if (!(length > 1e-3f)) { // a point or a pole: nothing to drive along
        return;
    }
    const float unit_x = dx / length, unit_z = dz / length;
    street_edge *const edges = graph->edges + graph->edge_count;
    edges[0] = (street_edge){pair.low, pair.high, 0, length, {unit_x, unit_z}};
    edges[1] = (street_edge){pair.high, pair.low, 0, length, {-unit_x, -unit_z}};
    graph->edge_count += 2;
    graph->nodes[pair.low].count++;
    graph->nodes[pair.high].count++;
    graph->length += 2.0 * (double)length;
}

static void link_edges(street_graph *graph, node_pair *pairs, size_t count)
{
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_pairs(&pairs[i - 1], &pairs[i]) != 0) {
            add_edges(graph, pairs[i]);
        }
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        graph->nodes[i].first = first;
        first += graph->nodes[i].count;
        graph->nodes[i].count = 0;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        street_node *const node = &graph->nodes[graph->edges[i].from];
        graph->edges[i].place = node->count;
        graph->outgoing[node->first + node->count++] = i;
    }
}

static bool build_from_pieces(street_graph *graph, const street_segment *pieces, size_t count,
                              float weld)
{
    if (count > UINT32_MAX / 8) {
        return false;
    }
    node_pair *const pairs = calloc(count + 1, sizeof *pairs);
    graph->nodes = calloc(2 * count + 1, sizeof *graph->nodes);
    graph->edges = calloc(2 * count + 1, sizeof *graph->edges);
    graph->outgoing = calloc(2 * count + 1, sizeof *graph->outgoing);
    const bool is_done = pairs && graph->nodes && graph->edges && graph->outgoing &&
                         weld_pieces(graph, pairs, pieces, count, weld);
    if (is_done) {
        link_edges(graph, pairs, count);
    }
    free(pairs);
    return is_done;
}

bool streets_build(street_graph *out, const street_segment *segments, size_t count, float weld)
{
    *out = (street_graph){0};
    if (!(weld > 0.0f)) {
        return false;
    }
    street_segment *pieces = NULL;
    size_t piece_count = 0;
    const bool is_done = streets_cut(segments, count, weld, &pieces, &piece_count) &&
                         build_from_pieces(out, pieces, piece_count, weld);
    free(pieces);
    if (!is_done) {
        streets_free(out);
    }
    return is_done;
}

void streets_free(street_graph *graph)
{
    free(graph->nodes);
    free(graph->edges);
    free(graph->outgoing);
    *graph = (street_graph){0};
}

uint32_t streets_next(const street_graph *graph, uint32_t edge, uint32_t pick)
{
    const uint32_t back = edge ^ 1u;
    const street_node *const node = &graph->nodes[graph->edges[edge].to];
    if (node->count < 2) {
        return back;
    }
    uint32_t place = pick % (node->count - 1);
    if (place >= graph->edges[back].place) { // skip the way back
        place++;
    }
    return graph->outgoing[node->first + place];
}
