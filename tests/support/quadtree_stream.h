// SPDX-License-Identifier: MIT
// quadtree_stream.h - random calls on a quadtree, each checked against both oracles.
//
// A stream is an array of small operations; boxes, frusta and batches follow from an operation's
// seed and from what is in the tree at that moment. So any part of a failing stream can be left
// out and the rest still runs: a failing stream shrinks to a few calls and prints as a C test.
//
// Typical use:
//     stream_generate(ops, count, seed, def.items);
//     if (!stream_run(&def, ops, count, &result)) {
//         count = stream_shrink(&def, ops, count);
//         stream_print(&def, ops, count, stdout);
//     }
#ifndef QUADTREE_STREAM_H
#define QUADTREE_STREAM_H

#include "box_generator.h"
#include "failing_allocator.h"
#include "tall_world.h"

#include <acre/quadtree.h>

typedef enum stream_kind {
    STREAM_INSERT,
    STREAM_REFRESH,
    STREAM_REFRESH_MANY,
    STREAM_REFRESH_ALL,
    STREAM_REMOVE,
    STREAM_CLEAR,
    STREAM_MAINTAIN,
    STREAM_TIGHTEN,
    STREAM_RESERVE,
    STREAM_TRIM,
    STREAM_SET_LAYERS,
    STREAM_QUERY_FRUSTUM,
    STREAM_QUERY_AABB,
    STREAM_QUERY_FULL,
    STREAM_INSERT_MANY,
    STREAM_REMOVE_MANY,
    STREAM_OPTIMIZE,
    STREAM_MAINTAIN_BUDGET,
    STREAM_KIND_COUNT
} stream_kind;

typedef struct stream_op {
    stream_kind kind;
    uint32_t item;
    uint64_t seed; // of everything else in the call
} stream_op;

typedef struct stream_def {
    acre_quadtree_def tree;  // allocator is set by the run
    float spread;            // the boxes' ground, as a multiple of the tree's half_size; 0 = 1
    float offset[2];         // of the boxes' ground from the tree's center, x and z
    const tall_world *tall;  // three of four new boxes are of this world; NULL: none
    uint32_t items;          // item_capacity; operations also name two numbers beyond it
    uint32_t validate_every; // 0 = 1: after each operation
    failing_mode fail;       // of the allocator, once the tree is there
    uint64_t fail_at;
    bool (*extra_check)(const acre_quadtree *tree); // NULL: none; false is a failure
} stream_def;

typedef struct stream_result {
    size_t failed_at; // index of the failing operation
    char message[256];
    uint64_t digest;          // of all answers in their order, and of the last state
    uint64_t memory_refusals; // operations that answered ACRE_ERROR_OUT_OF_MEMORY
    uint64_t failed_requests; // of the allocator, those of optional work included
    uint64_t found;           // items in all query results
    uint64_t splits, collapses, grows, shrinks, outliers, lattices; // what the tree was made to do
    uint64_t bands; // cells that were bands, over all states
} stream_result;

void stream_generate(stream_op *ops, size_t count, uint64_t seed, uint32_t items);

// @return whether every check held.
bool stream_run(const stream_def *def, const stream_op *ops, size_t count, stream_result *result);

// Deletes operations as long as the stream still fails. @return how many are left.
size_t stream_shrink(const stream_def *def, stream_op *ops, size_t count);

// Prints the calls as a C test.
void stream_print(const stream_def *def, const stream_op *ops, size_t count, FILE *out);

#endif
