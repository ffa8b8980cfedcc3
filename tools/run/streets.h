// SPDX-License-Identifier: MIT
// streets.h - a graph of streets made from loose line segments: crossings joined, dead ends known.
//
// Knows lines on the ground; knows no car and no scene.
//
// Words used here:
//     segment   a straight piece of street as the file has it
//     node      a place where segments meet, bend or end
//     edge      one direction of travel between two nodes; edge ^ 1 is the way back
//     weld      distance below which two points are the same place, meters
//
// Typical use:
//     street_graph graph;
//     if (streets_build(&graph, segments, count, 0.5f)) { ... streets_free(&graph); }
#ifndef ACRE_TOOLS_STREETS_H
#define ACRE_TOOLS_STREETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct street_segment {
    float a[3], b[3];
} street_segment;

typedef struct street_node {
    float position[3];
    uint32_t first; // its outgoing edges are graph.outgoing[first .. first + count - 1]
    uint32_t count;
} street_node;

typedef struct street_edge {
    uint32_t from, to;  // nodes
    uint32_t place;     // position among the outgoing edges of `from`
    float length;       // on the ground, meters, > 0
    float direction[2]; // x, z; length 1
} street_edge;

typedef struct street_graph {
    street_node *nodes;
    street_edge *edges;
    uint32_t *outgoing;
    uint32_t node_count, edge_count;
    double length; // of all edges, both directions, meters
} street_graph;

// Joins end points nearer than weld, splits segments where they cross or touch at the same height
// (2 m), drops pieces that lie on each other. Linear in the number of segments for a usual town.
// Returns false when memory is short or weld is not > 0; *out is then empty.
bool streets_build(street_graph *out, const street_segment *segments, size_t count, float weld);

// Frees the arrays; an empty graph is allowed.
void streets_free(street_graph *graph);

// The edge to take after `edge`, picked by `pick` (any number); the way back only at a dead end.
uint32_t streets_next(const street_graph *graph, uint32_t edge, uint32_t pick);

#endif
