// SPDX-License-Identifier: MIT
// peer_boost.cpp - Boost.Geometry's R-tree: packed anew in every frame, and edited.
//
// It knows boxes: the volume's box is asked, and each candidate is tested against the planes.
#include "peer.hpp"

#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/geometries/segment.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>

#include <memory>
#include <utility>

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

namespace
{

using point = bg::model::point<float, 3, bg::cs::cartesian>;
using box = bg::model::box<point>;
using segment = bg::model::segment<point>;
using value = std::pair<box, uint32_t>;

size_t allocated_bytes = 0;

template <typename T> struct counting_allocator {
    using value_type = T;

    counting_allocator() = default;
    template <typename U> counting_allocator(const counting_allocator<U> &)
    {
    }
    T *allocate(size_t count)
    {
        allocated_bytes += count * sizeof(T);
        return std::allocator<T>().allocate(count);
    }
    void deallocate(T *memory, size_t count)
    {
        allocated_bytes -= count * sizeof(T);
        std::allocator<T>().deallocate(memory, count);
    }
    template <typename U> bool operator==(const counting_allocator<U> &) const
    {
        return true;
    }
    template <typename U> bool operator!=(const counting_allocator<U> &) const
    {
        return false;
    }
};

using rtree = bgi::rtree<value, bgi::quadratic<16>, bgi::indexable<value>, bgi::equal_to<value>,
                         counting_allocator<value>>;

point point_of(const float *from)
{
    return point(from[0], from[1], from[2]);
}

box box_of(const acre_aabb &from)
{
    return box(point_of(from.min), point_of(from.max));
}

acre_aabb aabb_of(const value &from)
{
    const point &low = from.first.min_corner(), &high = from.first.max_corner();
    return {{low.get<0>(), low.get<1>(), low.get<2>()},
            {high.get<0>(), high.get<1>(), high.get<2>()}};
}

bool is_found(const asked_question &question, const value &candidate)
{
    const acre_aabb candidate_box = aabb_of(candidate);
    return question.is_found(&question, candidate.second, &candidate_box);
}

struct boost_tree {
    rtree tree;
    std::vector<value> values; // as they are in the tree: it finds an item by its box
    size_t node_bytes = 0;
    const acre_aabb *boxes = nullptr;
    peer_hits hits;

    explicit boost_tree(const contender_world &world) : values(world.count)
    {
    }

    void insert(uint32_t item, const acre_aabb &from)
    {
        const size_t before = allocated_bytes;
        values[item] = value(box_of(from), item);
        tree.insert(values[item]);
        node_bytes += allocated_bytes - before;
    }

    bool refresh(uint32_t item, const acre_aabb &from)
    {
        const bool was_there = remove(item);
        values[item] = value(box_of(from), item);
        tree.insert(values[item]);
        return was_there;
    }

    void end_frame()
    {
    }

    bool remove(uint32_t item)
    {
        return tree.remove(values[item]) == 1;
    }

    // The constructor from a range packs (sort-tile-recursive in kind).
    void pack(const acre_aabb *from, uint32_t count)
    {
        tree.clear();
        const size_t before = allocated_bytes;
        for (uint32_t item = 0; item < count; item++) {
            values[item] = value(box_of(from[item]), item);
        }
        tree = rtree(values.begin(), values.end());
        node_bytes = allocated_bytes - before;
    }

    size_t query(const contender_query &query, uint32_t *items) const
    {
        size_t count = 0;
        const auto write = [&](const value &found) {
            const acre_aabb candidate = aabb_of(found);
            if (query.is_visible(query.frustum, &candidate)) {
                items[count++] = found.second;
            }
        };
        tree.query(bgi::intersects(box_of(*query.bounds)),
                   boost::make_function_output_iterator(write));
        return count;
    }

    // Hands over what the tree's own query for the shape finds. A ray that is thick is a box.
    template <typename Output> void find(const asked_question &question, const Output &output) const
    {
        const acre_query &query = *question.query;
        const auto iterator = boost::make_function_output_iterator(output);
        if (query.shape == ACRE_QUERY_SHAPE_RAY && !(query.ray->half_size[0] > 0.0f)) {
            float end[3];
            for (int axis = 0; axis < 3; axis++) {
                end[axis] = query.ray->origin[axis] + question.reach * query.ray->direction[axis];
            }
            tree.query(bgi::intersects(segment(point_of(query.ray->origin), point_of(end))),
                       iterator);
        } else {
            tree.query(bgi::intersects(box_of(question.bounds)), iterator);
        }
    }

    size_t answer(const asked_question &question, uint32_t *items) const
    {
        size_t count = 0;
        if (question.capacity) {
            const auto area = bgi::intersects(box_of(question.bounds));
            for (auto at = tree.qbegin(area); at != tree.qend() && count < question.capacity;
                 ++at) {
                if (question.is_box || is_found(question, *at)) {
                    items[count++] = at->second;
                }
            }
            return count;
        }
        find(question, [&](const value &found) {
            if (question.is_box || is_found(question, found)) {
                items[count++] = found.second;
            }
        });
        return count;
    }

    // The tree's own search; it hands over without order.
    template <typename Near> void search(const asked_question &question, const Near &near)
    {
        const auto add = [&](const value &found) {
            hits.add(question, found.second, aabb_of(found));
        };
        const auto output = boost::make_function_output_iterator(add);
        if (question.query->shape == ACRE_QUERY_SHAPE_ALL) {
            tree.query(near, output);
        } else {
            const auto is_wanted = [&](const value &candidate) {
                return is_found(question, candidate);
            };
            tree.query(bgi::intersects(box_of(question.bounds)) && bgi::satisfies(is_wanted) &&
                           near,
                       output);
        }
    }

    // Of all that a query finds there is nothing to search for.
    bool find_hits(const asked_question &question)
    {
        const acre_aabb *const origin = question.query->origin;
        const unsigned count = static_cast<unsigned>(question.capacity);
        if (!origin || question.capacity >= tree.size()) {
            find(question, [&](const value &found) {
                if (is_found(question, found)) {
                    hits.add(question, found.second, aabb_of(found));
                }
            });
        } else if (origin->min[0] < origin->max[0]) {
            search(question, bgi::nearest(box_of(*origin), count));
        } else {
            search(question, bgi::nearest(point_of(origin->min), count));
        }
        return true;
    }

    // The values are the tree's key to its items.
    size_t bytes() const
    {
        return sizeof *this + node_bytes + bytes_of(values);
    }
};

bool build_packed(void *state, const acre_aabb *boxes, uint32_t count)
{
    static_cast<boost_tree *>(state)->pack(boxes, count);
    return true;
}

bool refresh_packed(void *state, const uint32_t *, size_t, const acre_aabb *boxes, uint32_t count)
{
    return build_packed(state, boxes, count);
}

// A program that packs anew keeps no values.
size_t bytes_packed(const void *state)
{
    const boost_tree &peer = *static_cast<const boost_tree *>(state);
    return peer.bytes() - bytes_of(peer.values);
}

} // namespace

bench_contender peer_boost_packed()
{
    bench_contender table = peer_table<boost_tree>::make_asked("Boost rtree, packed");
    table.insert = nullptr;
    table.remove = nullptr;
    table.build = build_packed;
    table.refresh = refresh_packed;
    table.bytes = bytes_packed;
    return table;
}

bench_contender peer_boost_quadratic()
{
    return peer_table<boost_tree>::make_asked("Boost rtree, quadratic");
}
