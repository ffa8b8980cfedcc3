// SPDX-License-Identifier: MIT
// run_brute.h - culling by testing every box, without vectors: what the tree is compared with.
#ifndef ACRE_TOOLS_RUN_BRUTE_H
#define ACRE_TOOLS_RUN_BRUTE_H

#include <acre/frustum.h>

// Boxes as six arrays of floats: min x y z, max x y z.
typedef struct brute_boxes {
    float *edges[6];
    uint32_t *items; // the number that a query answers
    size_t count;
} brute_boxes;

// Room for count boxes. Returns false when memory is short; *out is then empty.
bool brute_boxes_create(brute_boxes *out, size_t count);
void brute_boxes_free(brute_boxes *boxes);

// The items that acre_frustum_test_aabb calls visible, in order. items has room for all.
// Built without vectorisation: one box at a time, and it stops at the first plane that hides it.
size_t brute_query(const brute_boxes *boxes, const acre_frustum *frustum, uint32_t *items);

#endif
