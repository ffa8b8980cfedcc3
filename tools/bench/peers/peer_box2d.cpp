// SPDX-License-Identifier: MIT
// peer_box2d.cpp - Box2D 2.4's dynamic tree over the ground plane.
//
// It knows boxes of two dimensions: the volume's box is asked, and each candidate is then tested
// against the planes.
#include "peer_hits.hpp"
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
    peer_hits hits;

    uint32_t item_of(int32 proxy) const
    {
        return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(tree.GetUserData(proxy)));
    }
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
        const uint32_t item = self->item_of(proxy);
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

// Candidates of either of the tree's queries.
struct candidate_filter {
    const box2d_state *self;
    const asked_question *question;
    uint32_t *items;
    size_t count, enough;

    bool QueryCallback(int32 proxy)
    {
        const uint32_t item = self->item_of(proxy);
        if (question->is_found(question, item, &self->boxes[item])) {
            items[count++] = item;
        }
        return count < enough;
    }
    float RayCastCallback(const b2RayCastInput &, int32 proxy)
    {
        return QueryCallback(proxy) ? -1.0f : 0.0f; // goes on as it is, or ends
    }
};

// Along the ray's shadow on the ground. One that is thick, or too short to be one, is a box.
template <typename Callback>
void collide(const box2d_state &self, const asked_question &question, Callback &callback)
{
    const acre_query &query = *question.query;
    const acre_ray *const ray = query.shape == ACRE_QUERY_SHAPE_RAY ? query.ray : nullptr;
    if (!ray || ray->half_size[0] > 0.0f) {
        self.tree.Query(&callback, ground_box(question.bounds));
        return;
    }
    b2RayCastInput input;
    input.p1.Set(ray->origin[0], ray->origin[2]);
    input.p2.Set(ray->origin[0] + question.reach * ray->direction[0],
                 ray->origin[2] + question.reach * ray->direction[2]);
    input.maxFraction = 1.0f;
    self.tree.RayCast(&callback, input);
}

size_t answer(void *state, const asked_question *question, uint32_t *items)
{
    const box2d_state &self = *static_cast<const box2d_state *>(state);
    candidate_filter filter = {&self, question, items, 0,
                               question->capacity ? question->capacity : SIZE_MAX};
    peer_prepare(*question);
    collide(self, *question, filter);
    return filter.count;
}

struct candidate_hits {
    box2d_state *self;
    const asked_question *question;
    float closest; // of a ray that looks for one hit

    bool QueryCallback(int32 proxy)
    {
        const uint32_t item = self->item_of(proxy);
        const acre_aabb &box = self->boxes[item];
        if (question->is_found(question, item, &box)) {
            self->hits.add(*question, item, box);
        }
        return true;
    }
    // The closest hit so far ends the ray.
    float RayCastCallback(const b2RayCastInput &, int32 proxy)
    {
        const uint32_t item = self->item_of(proxy);
        self->hits.add(*question, item, self->boxes[item]);
        if (question->capacity > 1 || self->hits.found.empty()) {
            return -1.0f;
        }
        const float distance = self->hits.found.back().distance;
        if (!(distance < closest)) {
            return -1.0f;
        }
        closest = distance;
        return distance / question->reach;
    }
};

// It looks for boxes and along rays, not for what is near.
size_t nearest(void *state, const asked_question *question, acre_query_hit *hits)
{
    box2d_state &self = *static_cast<box2d_state *>(state);
    if (question->query->shape == ACRE_QUERY_SHAPE_ALL) {
        return CONTENDER_CANNOT;
    }
    candidate_hits callback = {&self, question, INFINITY};
    collide(self, *question, callback);
    return self.hits.take_nearest(question->capacity, hits);
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
    table.answer = answer;
    table.nearest = nearest;
    table.remove = remove_each;
    table.bytes = bytes;
    return table;
}
