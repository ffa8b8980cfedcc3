// SPDX-License-Identifier: MIT
// peer_leaf_lists.cpp - the quadtree that forums recommend for much that moves: items in lists of
// all the leaves that they touch.
//
// Coordinates are integers. A node is 8 bytes, four siblings follow each other, and cells are
// computed on the way down. Elements are stored once; a leaf has a list of links to them. Arrays
// keep free places in lists of their own, so that a running tree allocates nothing. Nodes that fell
// empty are removed once a frame. The volume's box is asked, each candidate is tested against the
// planes, and a stamp keeps an item of several leaves from being found twice.
#include "peer.hpp"

namespace
{

const int32_t none = -1;
const int32_t split_above = 8;       // elements of a leaf
const float units_per_meter = 16.0f; // of integer coordinates
const int32_t least_half = 64;       // units of a cell: 8 m, a little more than a usual item
const float border = 400.0f;         // meters around the ground
const uint32_t deepest_possible = 14;

struct rectangle {
    int32_t min[2], max[2]; // x, z; both inside
};

struct tree_node {
    int32_t first; // of a branch: the first of four children; of a leaf: its first link
    int32_t count; // elements of a leaf; none: a branch
};

struct link {
    int32_t next;
    uint32_t item;
};

struct cell {
    int32_t node;
    int32_t middle[2];
    int32_t half;
    uint32_t depth;
};

int32_t round_down(float meters)
{
    return static_cast<int32_t>(std::floor(meters * units_per_meter));
}

rectangle rectangle_of(const acre_aabb &box)
{
    return {{round_down(box.min[0]), round_down(box.min[2])},
            {round_down(box.max[0]) + 1, round_down(box.max[2]) + 1}};
}

bool overlap(const rectangle &a, const rectangle &b)
{
    return a.min[0] <= b.max[0] && b.min[0] <= a.max[0] && a.min[1] <= b.max[1] &&
           b.min[1] <= a.max[1];
}

struct leaf_list_tree {
    std::vector<tree_node> nodes;
    std::vector<link> links;
    std::vector<rectangle> places; // by item, as they are in the tree
    std::vector<uint32_t> stamps;  // by item: the last query that met it
    std::vector<cell> stack, found;
    int32_t free_nodes = none, free_links = none;
    int32_t half = least_half; // of the root
    uint32_t max_depth = 0;
    uint32_t queries = 0;
    const acre_aabb *boxes = nullptr;

    explicit leaf_list_tree(const contender_world &world)
        : nodes(1, tree_node{none, 0}), places(world.count), stamps(world.count)
    {
        const int32_t wanted = round_down(world.half_size + border);
        while (half < wanted && max_depth < deepest_possible) {
            half *= 2;
            max_depth++;
        }
    }

    cell root() const
    {
        return {0, {0, 0}, half, 0};
    }

    // The leaves below `from` that the rectangle touches; valid until the next call.
    const std::vector<cell> &find_leaves(const cell &from, const rectangle &area)
    {
        found.clear();
        stack.clear();
        stack.push_back(from);
        while (!stack.empty()) {
            const cell top = stack.back();
            stack.pop_back();
            if (nodes[static_cast<size_t>(top.node)].count != none) {
                found.push_back(top);
                continue;
            }
            const int32_t first = nodes[static_cast<size_t>(top.node)].first;
            for (int32_t i = 0; i < 4; i++) {
                const cell child = child_of(top, first, i);
                const bool is_left = (i & 1) == 0, is_near = (i & 2) == 0;
                const bool in_x =
                    is_left ? area.min[0] <= top.middle[0] : area.max[0] > top.middle[0];
                const bool in_z =
                    is_near ? area.min[1] <= top.middle[1] : area.max[1] > top.middle[1];
                if (in_x && in_z) {
                    stack.push_back(child);
                }
            }
        }
        return found;
    }

    static cell child_of(const cell &parent, int32_t first, int32_t index)
    {
        const int32_t half = parent.half >> 1;
        return {first + index,
                {parent.middle[0] + (index & 1 ? half : -half),
                 parent.middle[1] + (index & 2 ? half : -half)},
                half,
                parent.depth + 1};
    }

    void insert(uint32_t item, const acre_aabb &box)
    {
        places[item] = rectangle_of(box);
        insert_below(root(), item);
    }

    bool refresh(uint32_t item, const acre_aabb &box)
    {
        const bool was_there = remove(item);
        insert(item, box);
        return was_there;
    }

    // Splitting inserts again, so the list of leaves is copied.
    void insert_below(const cell &from, uint32_t item)
    {
        const std::vector<cell> leaves = find_leaves(from, places[item]);
        for (const cell &leaf : leaves) {
            tree_node &node = nodes[static_cast<size_t>(leaf.node)];
            node.first = new_link(node.first, item);
            node.count++;
            if (node.count > split_above && leaf.depth < max_depth) {
                split(leaf);
            }
        }
    }

    void split(const cell &leaf)
    {
        int32_t at = nodes[static_cast<size_t>(leaf.node)].first;
        const int32_t first = new_children();
        nodes[static_cast<size_t>(leaf.node)] = {first, none};
        while (at != none) {
            const link old = links[static_cast<size_t>(at)];
            free_link(at);
            insert_below(leaf, old.item);
            at = old.next;
        }
    }

    // Returns whether the item was in every leaf that it touches.
    bool remove(uint32_t item)
    {
        bool is_good = true;
        for (const cell &leaf : find_leaves(root(), places[item])) {
            tree_node &node = nodes[static_cast<size_t>(leaf.node)];
            int32_t *at = &node.first;
            while (*at != none && links[static_cast<size_t>(*at)].item != item) {
                at = &links[static_cast<size_t>(*at)].next;
            }
            if (*at == none) {
                is_good = false;
                continue;
            }
            const int32_t gone = *at;
            *at = links[static_cast<size_t>(gone)].next;
            free_link(gone);
            node.count--;
        }
        return is_good;
    }

    // Branches of four empty leaves become empty leaves, one level a frame.
    void end_frame()
    {
        std::vector<int32_t> branches;
        if (nodes[0].count == none) {
            branches.push_back(0);
        }
        while (!branches.empty()) {
            const size_t at = static_cast<size_t>(branches.back());
            branches.pop_back();
            const int32_t first = nodes[at].first;
            int empty = 0;
            for (int32_t i = 0; i < 4; i++) {
                const int32_t count = nodes[static_cast<size_t>(first + i)].count;
                empty += count == 0;
                if (count == none) {
                    branches.push_back(first + i);
                }
            }
            if (empty == 4) {
                nodes[static_cast<size_t>(first)].first = free_nodes;
                free_nodes = first;
                nodes[at] = {none, 0};
            }
        }
    }

    size_t query(const contender_query &query, uint32_t *items)
    {
        const rectangle area = rectangle_of(*query.bounds);
        const uint32_t stamp = ++queries;
        size_t count = 0;
        for (const cell &leaf : find_leaves(root(), area)) {
            for (int32_t at = nodes[static_cast<size_t>(leaf.node)].first; at != none;) {
                const link &element = links[static_cast<size_t>(at)];
                at = element.next;
                if (stamps[element.item] == stamp) {
                    continue;
                }
                stamps[element.item] = stamp;
                if (overlap(area, places[element.item]) &&
                    query.is_visible(query.frustum, &boxes[element.item])) {
                    items[count++] = element.item;
                }
            }
        }
        return count;
    }

    size_t bytes() const
    {
        return sizeof *this + bytes_of(nodes) + bytes_of(links) + bytes_of(places) +
               bytes_of(stamps) + bytes_of(stack) + bytes_of(found);
    }

    int32_t new_children()
    {
        int32_t first = free_nodes;
        if (first != none) {
            free_nodes = nodes[static_cast<size_t>(first)].first;
        } else {
            first = static_cast<int32_t>(nodes.size());
            nodes.resize(nodes.size() + 4);
        }
        for (int32_t i = 0; i < 4; i++) {
            nodes[static_cast<size_t>(first + i)] = {none, 0};
        }
        return first;
    }

    int32_t new_link(int32_t next, uint32_t item)
    {
        int32_t at = free_links;
        if (at != none) {
            free_links = links[static_cast<size_t>(at)].next;
            links[static_cast<size_t>(at)] = {next, item};
        } else {
            at = static_cast<int32_t>(links.size());
            links.push_back({next, item});
        }
        return at;
    }

    void free_link(int32_t at)
    {
        links[static_cast<size_t>(at)].next = free_links;
        free_links = at;
    }
};

} // namespace

bench_contender peer_leaf_lists()
{
    return peer_table<leaf_list_tree>::make("quadtree, leaf lists");
}
