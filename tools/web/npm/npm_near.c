// SPDX-License-Identifier: MIT
// npm_near.c - who is near whom, as scripts ask it: neighbors of many rows, and pairs.
#include "npm_export.h"
#include <acre/quadtree_neighbors.h>
#include <acre/quadtree_pairs.h>
#include <assert.h>

static_assert(sizeof(acre_neighbor_row) == 12 && sizeof(acre_pair) == 8 &&
                  sizeof(acre_neighbors_query) == 32,
              "core.js reads rows as three words, pairs as two, and writes a query as eight");

// query: as core.js writes it. out receives the number of neighbors, of refused rows, and the first
// of these.
acre_result NPM_EXPORT(npm_tree_neighbors)(const acre_quadtree *tree,
                                           const acre_neighbors_query *query,
                                           acre_neighbor_row *rows, uint32_t *items,
                                           float *distances, size_t capacity, uint32_t *out)
{
    acre_neighbor_lists lists = {
        .rows = rows, .items = items, .distances = distances, .capacity = capacity};
    const acre_result result = acre_quadtree_neighbors(tree, query, &lists);
    out[0] = lists.total;
    out[1] = lists.refused.refused;
    out[2] = lists.refused.first_row;
    return result;
}

// second: NULL for the pairs within the first tree.
acre_result NPM_EXPORT(npm_tree_pairs)(const acre_quadtree *first, const acre_quadtree *second,
                                       acre_pair *pairs, size_t capacity, size_t *total)
{
    return second == NULL
               ? acre_quadtree_pairs(first, NULL, pairs, capacity, total)
               : acre_quadtree_pairs_between(first, second, NULL, pairs, capacity, total);
}
