// SPDX-License-Identifier: MIT
// peer_box2d.cpp - Box2D 2.4's dynamic tree over the ground plane.
//
// It knows boxes of two dimensions: the volume's box is asked, and each candidate is then tested
// against the planes. It looks for boxes and along rays, not for what is near.
#include "peer.hpp"

#include <box2d/b2_dynamic_tree.h>

namespace
{

b2AABB ground_box(const acre_aabb &box)
{
    b2AABB flat;
    flat.lowerBound.Set(box.min[0], box.min[2]);
    flat.upperBound.Set(box.max[0], box.max[2]);
    return flat;
}

// Hands the candidates of a query to a function; it answers what a ray goes on with.
template <typename Take> struct each_candidate {
    const b2DynamicTree *tree;
    Take take;

    bool QueryCallback(int32 proxy)
    {
        return take(item_of(tree->GetUserData(proxy))) != 0.0f;
    }
    float RayCastCallback(const b2RayCastInput &, int32 proxy)
    {
        return take(item_of(tree->GetUserData(proxy)));
    }
};

const float go_on = -1.0f, stop = 0.0f; // what a ray is told

struct box2d_tree {
    b2DynamicTree tree;
    std::vector<int32> proxies;
    std::vector<b2Vec2> centers; // where an item was: the tree predicts from its step
    const acre_aabb *boxes = nullptr;
    peer_hits hits;

    explicit box2d_tree(const contender_world &world) : proxies(world.count), centers(world.count)
    {
    }

    void insert(uint32_t item, const acre_aabb &box)
    {
        const b2AABB flat = ground_box(box);
        proxies[item] = tree.CreateProxy(flat, pointer_of(item));
        centers[item] = flat.GetCenter();
    }

    bool refresh(uint32_t item, const acre_aabb &box)
    {
        const b2AABB flat = ground_box(box);
        const b2Vec2 center = flat.GetCenter();
        tree.MoveProxy(proxies[item], flat, center - centers[item]);
        centers[item] = center;
        return true;
    }

    void end_frame()
    {
    }

    bool remove(uint32_t item)
    {
        tree.DestroyProxy(proxies[item]);
        return true;
    }

    size_t query(const contender_query &query, uint32_t *items) const
    {
        size_t count = 0;
        const auto take = [&](uint32_t item) {
            if (query.is_visible(query.frustum, &boxes[item])) {
                items[count++] = item;
            }
            return go_on;
        };
        each_candidate<decltype(take)> each = {&tree, take};
        tree.Query(&each, ground_box(*query.bounds));
        return count;
    }

    // Along the ray's shadow on the ground. One that is thick, or too short to be one, is a box.
    template <typename Take> void collide(const asked_question &question, const Take &take) const
    {
        each_candidate<Take> each = {&tree, take};
        const acre_query &query = *question.query;
        const acre_ray *const ray = query.shape == ACRE_QUERY_SHAPE_RAY ? query.ray : nullptr;
        if (!ray || ray->half_size[0] > 0.0f) {
            tree.Query(&each, ground_box(question.bounds));
            return;
        }
        b2RayCastInput input;
        input.p1.Set(ray->origin[0], ray->origin[2]);
        input.p2.Set(ray->origin[0] + question.reach * ray->direction[0],
                     ray->origin[2] + question.reach * ray->direction[2]);
        input.maxFraction = 1.0f;
        tree.RayCast(&each, input);
    }

    size_t answer(const asked_question &question, uint32_t *items) const
    {
        const size_t enough = question.capacity ? question.capacity : SIZE_MAX;
        size_t count = 0;
        collide(question, [&](uint32_t item) {
            if (question.is_found(&question, item, &boxes[item])) {
                items[count++] = item;
            }
            return count < enough ? go_on : stop;
        });
        return count;
    }

    // The closest hit so far ends a ray that looks for one.
    bool find_hits(const asked_question &question)
    {
        const bool is_ray = question.query->shape == ACRE_QUERY_SHAPE_RAY;
        float closest = INFINITY;
        if (question.query->shape == ACRE_QUERY_SHAPE_ALL) {
            return false;
        }
        collide(question, [&](uint32_t item) {
            if (is_ray || question.is_found(&question, item, &boxes[item])) {
                hits.add(question, item, boxes[item]);
            }
            if (!is_ray || question.capacity > 1 || hits.found.empty() ||
                !(hits.found.back().distance < closest)) {
                return go_on;
            }
            closest = hits.found.back().distance;
            return closest / question.reach;
        });
        return true;
    }

    // The tree does not tell: a pool of nodes that begins with 16 and doubles, two nodes an item.
    size_t bytes() const
    {
        size_t nodes = 16;
        while (nodes + 1 < 2 * proxies.size()) {
            nodes *= 2;
        }
        return sizeof *this + nodes * sizeof(b2TreeNode) + bytes_of(proxies) + bytes_of(centers);
    }
};

} // namespace

bench_contender peer_box2d()
{
    return peer_table<box2d_tree>::make_asked("Box2D 2.4, 0.1 m");
}
