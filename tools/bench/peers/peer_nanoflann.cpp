// SPDX-License-Identifier: MIT
// peer_nanoflann.cpp - nanoflann's k-d tree of points, built anew when points moved: what is within
// a radius, and the nearest.
//
// It knows points alone, and says that it cannot answer where boxes are none.
#include "peer.hpp"

#include <nanoflann.hpp>

#include <limits>
#include <memory>
#include <utility>

namespace
{

// As nanoflann reads it.
struct point_cloud {
    const acre_aabb *boxes = nullptr;
    size_t count = 0;

    size_t kdtree_get_point_count() const
    {
        return count;
    }
    float kdtree_get_pt(size_t item, size_t axis) const
    {
        return boxes[item].min[axis];
    }
    template <typename Box> bool kdtree_get_bbox(Box &) const
    {
        return false;
    }
};

using metric = nanoflann::L2_Simple_Adaptor<float, point_cloud>;
using kd_tree = nanoflann::KDTreeSingleIndexAdaptor<metric, point_cloud, 3, uint32_t>;

struct nanoflann_tree {
    point_cloud points;
    std::unique_ptr<kd_tree> tree; // none: boxes are no points
    std::vector<std::pair<uint32_t, float>> found;
    std::vector<uint32_t> items;
    std::vector<float> squares;

    explicit nanoflann_tree(const contender_world &)
    {
    }

    void build(const acre_aabb *boxes, uint32_t count)
    {
        points.boxes = boxes;
        points.count = count;
        tree.reset();
        const auto is_point = [](const acre_aabb &box) {
            return std::equal(box.min, box.min + 3, box.max);
        };
        if (std::all_of(boxes, boxes + count, is_point)) {
            tree.reset(new kd_tree(3, points));
        }
    }

    static bool is_plain(const asked_question &question)
    {
        const acre_query &query = *question.query;
        return !query.layers && !query.exclude && !query.except_item1;
    }

    // Its radius does not count as within.
    size_t answer(const asked_question &question, uint32_t *out)
    {
        const acre_query &query = *question.query;
        if (!tree || query.shape != ACRE_QUERY_SHAPE_SPHERE || question.capacity ||
            !is_plain(question)) {
            return CONTENDER_CANNOT;
        }
        const float radius = query.sphere->radius;
        const float beyond = std::nextafter(radius * radius, std::numeric_limits<float>::max());
        found.clear();
        tree->radiusSearch(query.sphere->center, beyond, found,
                           nanoflann::SearchParams(32, 0.0f, false));
        for (size_t i = 0; i < found.size(); i++) {
            out[i] = found[i].first;
        }
        return found.size();
    }

    size_t nearest(const asked_question &question, acre_query_hit *hits)
    {
        const acre_query &query = *question.query;
        if (!tree || query.shape != ACRE_QUERY_SHAPE_ALL || !query.origin ||
            !std::equal(query.origin->min, query.origin->min + 3, query.origin->max) ||
            !is_plain(question)) {
            return CONTENDER_CANNOT;
        }
        items.resize(question.capacity);
        squares.resize(question.capacity);
        const size_t count =
            tree->knnSearch(query.origin->min, question.capacity, items.data(), squares.data());
        for (size_t i = 0; i < count; i++) {
            hits[i] = {items[i], std::sqrt(squares[i])};
        }
        return count;
    }
};

nanoflann_tree &tree_of(void *state)
{
    return *static_cast<nanoflann_tree *>(state);
}

bool build_tree(void *state, const acre_aabb *boxes, uint32_t count)
{
    tree_of(state).build(boxes, count);
    return true;
}

} // namespace

bench_contender peer_nanoflann()
{
    bench_contender table = {};
    table.name = "nanoflann, points";
    table.create = [](const contender_world *world) -> void * {
        return new nanoflann_tree(*world);
    };
    table.destroy = [](void *state) { delete &tree_of(state); };
    table.build = build_tree;
    table.refresh = [](void *state, const uint32_t *, size_t, const acre_aabb *boxes,
                       uint32_t count) { return build_tree(state, boxes, count); };
    table.answer = [](void *state, const asked_question *question, uint32_t *items) {
        return tree_of(state).answer(*question, items);
    };
    table.nearest = [](void *state, const asked_question *question, acre_query_hit *hits) {
        return tree_of(state).nearest(*question, hits);
    };
    table.bytes = [](const void *state) {
        const nanoflann_tree &self = *static_cast<const nanoflann_tree *>(state);
        return sizeof self + (self.tree ? self.tree->usedMemory(*self.tree) : 0);
    };
    return table;
}
