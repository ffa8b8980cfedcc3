// SPDX-License-Identifier: MIT
// run_brute.h - culling by testing every box, without vectors: what the tree is compared with.
#ifndef ACRE_TOOLS_RUN_BRUTE_H
#define ACRE_TOOLS_RUN_BRUTE_H

#include <acre/frustum.h>

// The same boxes twice: as they are, and as six arrays of floats.
typedef struct brute_boxes {
    acre_aabb *boxes;
    float *edges[6]; // min x y z, max x y z
    uint32_t *items; // the number that a query answers
    size_t count;
} brute_boxes;

// Room for count boxes. Returns false when memory is short; *out is then empty.
bool brute_boxes_create(brute_boxes *out, size_t count);
void brute_boxes_free(brute_boxes *boxes);

void brute_boxes_set(brute_boxes *boxes, size_t row, uint32_t item, const acre_aabb *box);

// The items that acre_frustum_test_aabb calls visible, in order. items has room for all.

// What programs do: the function is called for one box after the other.
size_t brute_query(const brute_boxes *boxes, const acre_frustum *frustum, uint32_t *items);

// The best that one box at a time can be: corners chosen before, arrays of floats, the end at the
// first plane that hides the box. Built without vectorisation.
size_t brute_query_prepared(const brute_boxes *boxes, const acre_frustum *frustum, uint32_t *items);

#endif
