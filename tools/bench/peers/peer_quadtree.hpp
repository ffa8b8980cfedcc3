// SPDX-License-Identifier: MIT
// peer_quadtree.hpp - the table of a quadtree of ours that knows single items: what all such share.
//
// A Tree has `boxes` and: place(item, box), which keeps the item's rectangle; add(item);
// remove(item), which answers whether the item was where it should be; end_frame(), its upkeep.
#ifndef ACRE_TOOLS_PEER_QUADTREE_HPP
#define ACRE_TOOLS_PEER_QUADTREE_HPP

#include "bench_contender.h"

template <typename Tree> struct quadtree_peer {
    static void destroy(void *state)
    {
        delete static_cast<Tree *>(state);
    }

    static bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
    {
        Tree *const tree = static_cast<Tree *>(state);
        tree->boxes = boxes;
        for (uint32_t i = 0; i < count; i++) {
            tree->place(items[i], boxes[items[i]]);
            tree->add(items[i]);
        }
        return true;
    }

    // To move is to remove and to insert.
    static bool refresh(void *state, const uint32_t *movers, size_t mover_count,
                        const acre_aabb *boxes, uint32_t)
    {
        Tree *const tree = static_cast<Tree *>(state);
        bool is_good = true;
        for (size_t i = 0; i < mover_count; i++) {
            is_good = tree->remove(movers[i]) && is_good;
            tree->place(movers[i], boxes[movers[i]]);
            tree->add(movers[i]);
        }
        tree->end_frame();
        return is_good;
    }

    static bool remove(void *state, const uint32_t *items, uint32_t count)
    {
        Tree *const tree = static_cast<Tree *>(state);
        bool is_good = true;
        for (uint32_t i = 0; i < count; i++) {
            is_good = tree->remove(items[i]) && is_good;
        }
        return is_good;
    }

    static bench_contender table(const char *name)
    {
        bench_contender table = {};
        table.name = name;
        table.destroy = destroy;
        table.insert = insert;
        table.refresh = refresh;
        table.remove = remove;
        return table;
    }
};

#endif
