// SPDX-License-Identifier: MIT
// interest_samples.c - what the sample of modules/interest/README.md uses.
#include "must.h"

#include <acre/interest.h>
#include <acre/quadtree.h>

void spawn(uint32_t player, uint32_t item);
void tick(acre_quadtree *tree, uint32_t player, const uint32_t *moved, const acre_aabb *boxes,
          size_t moved_count);
void tick(acre_quadtree *tree, uint32_t player, const uint32_t *moved, const acre_aabb *boxes,
          size_t moved_count)
{
    acre_interest *interest;
    acre_observer observer;
#include "interest_1.inc"
}
