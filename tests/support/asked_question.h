// SPDX-License-Identifier: MIT
// asked_question.h - a query with what a tree has to know that does not have it: valid in C and
// C++.
#ifndef ASKED_QUESTION_H
#define ASKED_QUESTION_H

#include <acre/quadtree_query.h>

#include "hull_internal.h"

ACRE_EXTERN_C_BEGIN

typedef struct asked_question asked_question;
struct asked_question {
    const acre_query *query;
    size_t capacity;  // how many of the nearest are wanted; of other answers, how many are enough,
                      // 0: all
    acre_aabb bounds; // of the volume, finite
    bool is_box;      // what touches the bounds is the answer
    acre_aabb core;   // of an oriented box: bounds so small that what touches them touches its own
    const acre_frustum *planes; // that the volume lies inside; NULL: it has none
    acre_frustum_hull *hull;    // of the planes, where the query is exact; else NULL
    float reach;                // of a ray: its length, or what leads out of the country
    const uint32_t *layers;     // by item; NULL: the query asks for all
    // To be called once a query by those who ask is_found; NULL: there is nothing to prepare.
    void (*prepare)(const asked_question *question);
    // Whether an item belongs to the answer, so that peers link to nothing of Acre.
    bool (*is_found)(const asked_question *question, uint32_t item, const acre_aabb *box);
    // From what the nearest are near to.
    float (*distance)(const asked_question *question, const acre_aabb *box);
};

ACRE_EXTERN_C_END

#endif
