// SPDX-License-Identifier: MIT
// brute_force.h - the first oracle: a plain array of boxes, every query tests all of them.
//
// Item numbers, boxes and layer masks as acre_quadtree takes them. Results come in ascending order.
#ifndef BRUTE_FORCE_H
#define BRUTE_FORCE_H

#include <acre/bounds.h>
#include <acre/frustum.h>

typedef struct brute_force {
    acre_aabb *boxes;
    uint32_t *layers;
    bool *present;
    uint32_t capacity; // item numbers lie below it
    size_t count;      // items present
} brute_force;

// False if memory is short.
bool brute_force_init(brute_force *oracle, uint32_t capacity);
void brute_force_free(brute_force *oracle);

// As the functions of acre_quadtree of that name, with the same answers.
acre_result brute_force_insert(brute_force *oracle, uint32_t item, const acre_aabb *box);
acre_result brute_force_refresh(brute_force *oracle, uint32_t item, const acre_aabb *box);
acre_result brute_force_remove(brute_force *oracle, uint32_t item);
acre_result brute_force_set_layers(brute_force *oracle, uint32_t item, uint32_t layers);
void brute_force_clear(brute_force *oracle);

// Moves every box outward to the next floats around where it stands then.
// @return how many of the items from `first` on are not exactly there.
size_t brute_force_shift(brute_force *oracle, const double *offset, uint32_t first);

// layers 0: all. items has room for all that are present. Return how many there are.
size_t brute_force_query_frustum(const brute_force *oracle, const acre_frustum *frustum,
                                 uint32_t layers, uint32_t *items);
size_t brute_force_query_aabb(const brute_force *oracle, const acre_aabb *box, uint32_t layers,
                              uint32_t *items);

// @return true if double arithmetic finds a point that lies in the box and at least `margin` inside
// each plane: an exact query must then not drop the box. False means "not proven", nothing more.
bool brute_force_proves_overlap(const acre_frustum *frustum, const acre_aabb *box, double margin);

// Sorts numbers in place.
void sort_numbers(uint32_t *numbers, size_t count);

#endif
