// SPDX-License-Identifier: MIT
// peer_any_node.cpp - the quadtree of introductions: an item is a value of the smallest node whose
// cell contains it, so what straddles a border stays high up.
//
// A node is four pointers and a vector of values; its cell is computed on the way down. A leaf with
// more than 16 values splits, down to depth 8; leaves with no more than 16 together merge. It knows
// rectangles: the volume's box is asked, and each candidate is tested against the planes.
#include "peer.hpp"

#include <array>
#include <memory>

namespace
{

const size_t split_above = 16;
const size_t deepest = 8;
const float border = 400.0f; // meters around the ground: every value has to be inside of the root

struct rectangle {
    float min[2], max[2]; // x, z
};

struct tree_node {
    std::array<std::unique_ptr<tree_node>, 4> children; // all or none
    std::vector<uint32_t> values;

    bool is_leaf() const
    {
        return !children[0];
    }
};

bool overlap(const rectangle &a, const rectangle &b)
{
    return a.min[0] <= b.max[0] && b.min[0] <= a.max[0] && a.min[1] <= b.max[1] &&
           b.min[1] <= a.max[1];
}

rectangle ground_of(const acre_aabb &box)
{
    return {{box.min[0], box.min[2]}, {box.max[0], box.max[2]}};
}

// index: xbit | zbit << 1
rectangle quarter(const rectangle &cell, int index)
{
    rectangle part = cell;
    for (int k = 0; k < 2; k++) {
        const float middle = 0.5f * (cell.min[k] + cell.max[k]);
        (index >> k & 1 ? part.min : part.max)[k] = middle;
    }
    return part;
}

// The quarter that contains the value; -1 where it straddles two.
int quarter_of(const rectangle &cell, const rectangle &value)
{
    int index = 0;
    for (int k = 0; k < 2; k++) {
        const float middle = 0.5f * (cell.min[k] + cell.max[k]);
        if (value.min[k] >= middle) {
            index |= 1 << k;
        } else if (value.max[k] >= middle) {
            return -1;
        }
    }
    return index;
}

struct any_node_tree {
    tree_node root;
    rectangle world;
    std::vector<rectangle> places; // by item, as they are in the tree
    const acre_aabb *boxes = nullptr;

    explicit any_node_tree(const contender_world &from) : places(from.count)
    {
        const float half = from.half_size + border;
        world = {{-half, -half}, {half, half}};
    }

    bool refresh(uint32_t item, const acre_aabb &box)
    {
        const bool was_there = remove(item);
        insert(item, box);
        return was_there;
    }

    void insert(uint32_t item, const acre_aabb &box)
    {
        places[item] = ground_of(box);
        tree_node *node = &root;
        rectangle cell = world;
        for (size_t depth = 0;; depth++) {
            if (node->is_leaf() && (depth >= deepest || node->values.size() < split_above)) {
                break;
            }
            if (node->is_leaf()) {
                split(*node, cell);
            }
            const int index = quarter_of(cell, places[item]);
            if (index < 0) {
                break;
            }
            cell = quarter(cell, index);
            node = node->children[static_cast<size_t>(index)].get();
        }
        node->values.push_back(item);
    }

    void split(tree_node &node, const rectangle &cell)
    {
        std::vector<uint32_t> staying;
        for (auto &child : node.children) {
            child.reset(new tree_node);
        }
        for (const uint32_t item : node.values) {
            const int index = quarter_of(cell, places[item]);
            (index < 0 ? staying : node.children[static_cast<size_t>(index)]->values)
                .push_back(item);
        }
        node.values = std::move(staying);
    }

    // Returns whether the item was there.
    bool remove(uint32_t item)
    {
        std::array<tree_node *, deepest + 1> path;
        size_t depth = 0;
        rectangle cell = world;
        path[0] = &root;
        while (!path[depth]->is_leaf()) {
            const int index = quarter_of(cell, places[item]);
            if (index < 0) {
                break;
            }
            cell = quarter(cell, index);
            path[depth + 1] = path[depth]->children[static_cast<size_t>(index)].get();
            depth++;
        }
        std::vector<uint32_t> &values = path[depth]->values;
        const auto found = std::find(values.begin(), values.end(), item);
        if (found == values.end()) {
            return false;
        }
        *found = values.back();
        values.pop_back();
        bool is_merged = path[depth]->is_leaf();
        while (is_merged && depth-- > 0) {
            is_merged = merge(*path[depth]);
        }
        return true;
    }

    void end_frame()
    {
    }

    void visit(const tree_node &node, const rectangle &cell, const contender_query &query,
               const rectangle &area, uint32_t *&end) const
    {
        for (const uint32_t item : node.values) {
            if (overlap(area, places[item]) && query.is_visible(query.frustum, &boxes[item])) {
                *end++ = item;
            }
        }
        for (int i = 0; i < 4 && !node.is_leaf(); i++) {
            const rectangle part = quarter(cell, i);
            if (overlap(area, part)) {
                visit(*node.children[static_cast<size_t>(i)], part, query, area, end);
            }
        }
    }

    size_t query(const contender_query &query, uint32_t *items) const
    {
        uint32_t *end = items;
        visit(root, world, query, ground_of(*query.bounds), end);
        return static_cast<size_t>(end - items);
    }

    static size_t node_bytes(const tree_node &node)
    {
        size_t sum = sizeof node + bytes_of(node.values);
        for (size_t i = 0; i < 4 && !node.is_leaf(); i++) {
            sum += node_bytes(*node.children[i]);
        }
        return sum;
    }

    size_t bytes() const
    {
        return sizeof *this + node_bytes(root) + bytes_of(places);
    }

    static bool merge(tree_node &node)
    {
        size_t count = node.values.size();
        for (const auto &child : node.children) {
            if (!child->is_leaf()) {
                return false;
            }
            count += child->values.size();
        }
        if (count > split_above) {
            return false;
        }
        for (auto &child : node.children) {
            node.values.insert(node.values.end(), child->values.begin(), child->values.end());
            child.reset();
        }
        return true;
    }
};

} // namespace

bench_contender peer_any_node()
{
    return peer_table<any_node_tree>::make("quadtree, any node");
}
