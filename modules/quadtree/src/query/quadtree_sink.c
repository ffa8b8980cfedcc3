// SPDX-License-Identifier: MIT
// quadtree_sink.c - what sinks share: they drop items by layer, by number and by separating axes,
// and take the ids of nodes that are wholly inside a block at a time.
//
// Sinks that write ids ask for layers and numbers themselves, after the kernel.
#include "quadtree_walk.h"

bool acre_passes_hull(const acre_quadtree *tree, const acre_frustum_hull *hull, uint32_t item)
{
    const row_box rows = location_box(tree, tree->locations[item]);
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = rows.row[axis * 2];
        box.max[axis] = rows.row[axis * 2 + 1];
    }
    return acre_frustum_hull_test_aabb(hull, &box);
}

uint32_t acre_filter_slots(const query_walk *walk, size_t group, uint32_t found, bool is_tested)
{
    const uint32_t *const ids = group_ids(walk->tree, group);
    const acre_frustum_hull *const hull = is_tested ? walk->filter.hull : NULL;
    uint32_t kept = found;
    for (uint32_t left = hull || !walk_takes_all(walk) ? found : 0; left;) {
        const uint32_t slot = take_lowest(&left);
        if (!walk_takes_item(walk, ids[slot]) ||
            (hull && !acre_passes_hull(walk->tree, hull, ids[slot]))) {
            kept &= ~(UINT32_C(1) << slot);
        }
    }
    return kept;
}

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
