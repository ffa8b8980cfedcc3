// SPDX-License-Identifier: MIT
// peer_box2d.cpp - Box2D 2.4's dynamic tree over the ground plane.
//
// It knows boxes of two dimensions: the volume's box is asked, and each candidate is then tested
// against the planes.
#include "peer_trees.hpp"

#include <box2d/b2_dynamic_tree.h>

#include <memory>
#include <vector>

namespace
{

struct box2d_state {
    b2DynamicTree tree;
    std::vector<int32> proxies;
    std::vector<b2Vec2> centers;      // where an item was: the tree predicts from its step
    const acre_aabb *boxes = nullptr; // the caller's
};

b2AABB ground_box(const acre_aabb &box)
{
    b2AABB flat;
    flat.lowerBound.Set(box.min[0], box.min[2]);
    flat.upperBound.Set(box.max[0], box.max[2]);
    return flat;
}

void *create(const contender_world *world)
{
    std::unique_ptr<box2d_state> state(new box2d_state);
    state->proxies.resize(world->count);
    state->centers.resize(world->count);
    return state.release();
}

void destroy(void *state)
{
    delete static_cast<box2d_state *>(state);
}

bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    box2d_state *const self = static_cast<box2d_state *>(state);
    self->boxes = boxes;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = items[i];
        const b2AABB box = ground_box(boxes[item]);
        void *const data = reinterpret_cast<void *>(static_cast<uintptr_t>(item));
        self->proxies[item] = self->tree.CreateProxy(box, data);
        self->centers[item] = box.GetCenter();
    }
    return true;
}

bool refresh(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
             uint32_t)
{
    box2d_state *const self = static_cast<box2d_state *>(state);
    for (size_t i = 0; i < mover_count; i++) {
        const uint32_t item = movers[i];
        const b2AABB box = ground_box(boxes[item]);
        const b2Vec2 center = box.GetCenter();
        self->tree.MoveProxy(self->proxies[item], box, center - self->centers[item]);
        self->centers[item] = center;
    }
    return true;
}

struct candidate_test {
    const box2d_state *self;
    const contender_query *query;
    uint32_t *items;
    size_t count;

    bool QueryCallback(int32 proxy)
    {
        const uint32_t item =
            static_cast<uint32_t>(reinterpret_cast<uintptr_t>(self->tree.GetUserData(proxy)));
        if (query->is_visible(query->frustum, &self->boxes[item])) {
            items[count++] = item;
        }
        return true;
    }
};

size_t query(void *state, const contender_query *query, uint32_t *items)
{
    const box2d_state *const self = static_cast<const box2d_state *>(state);
    candidate_test test = {self, query, items, 0};
    self->tree.Query(&test, ground_box(*query->bounds));
    return test.count;
}

bool remove_each(void *state, const uint32_t *items, uint32_t count)
{
    box2d_state *const self = static_cast<box2d_state *>(state);
    for (uint32_t i = 0; i < count; i++) {
        self->tree.DestroyProxy(self->proxies[items[i]]);
    }
    return true;
}

// The tree does not tell: a pool of nodes that begins with 16 and doubles, two nodes an item.
size_t bytes(const void *state)
{
    const box2d_state *const self = static_cast<const box2d_state *>(state);
    size_t nodes = 16;
    while (nodes + 1 < 2 * self->proxies.size()) {
        nodes *= 2;
    }
    return sizeof *self + nodes * sizeof(b2TreeNode) +
           self->proxies.size() * (sizeof(int32) + sizeof(b2Vec2));
}

} // namespace

bench_contender peer_box2d()
{
    bench_contender table = {};
    table.name = "Box2D 2.4, 0.1 m";
    table.create = create;
    table.destroy = destroy;
    table.insert = insert;
    table.refresh = refresh;
    table.query = query;
    table.remove = remove_each;
    table.bytes = bytes;
    return table;
}
