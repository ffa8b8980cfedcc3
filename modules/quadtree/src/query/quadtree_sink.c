// SPDX-License-Identifier: MIT
// quadtree_sink.c - what all sinks do with the nodes that are wholly inside: they take their ids a
// block at a time.
#include "quadtree_walk.h"

void acre_take_chains(query_walk *walk, const node_lists *nodes, uint32_t first,
                      void (*take)(query_walk *walk, const uint32_t *ids, uint32_t count))
{
    const acre_quadtree *const tree = walk->tree;
    for (uint32_t i = first; i < nodes->inside_count && !walk->is_stopped; i++) {
        const uint32_t word = nodes->inside[i], last = chain_block(word);
        // A run is taken in the order of memory, its last block may be partly filled; another chain
        // in its own order, its first block may be.
        const bool is_run = chain_is_run(word);
        uint32_t block = is_run ? run_begin(tree->next, word) : last;
        while (block != NONE) {
            const uint32_t count = block == last ? chain_count(word) : BLOCK_SLOTS;
            walk->stats.items_accepted += count;
            take(walk, tree->ids[block].id, count);
            block = !is_run ? tree->next[block] : block == last ? NONE : block + 1;
        }
    }
}
