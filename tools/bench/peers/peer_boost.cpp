// SPDX-License-Identifier: MIT
// peer_boost.cpp - Boost.Geometry's R-tree: packed anew in every frame, and edited.
//
// It knows boxes: the volume's box is asked, and each candidate is tested against the planes.
#include "peer_hits.hpp"
#include "peer_trees.hpp"

#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/geometries/segment.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>

#include <memory>
#include <utility>
#include <vector>

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

using tree = bgi::rtree<value, bgi::quadratic<16>, bgi::indexable<value>, bgi::equal_to<value>,
                        counting_allocator<value>>;

struct boost_state {
    tree items;
    std::vector<value> values; // as they are in the tree: it finds an item by its box
    size_t node_bytes = 0;
    peer_hits hits;
};

value value_of(const acre_aabb &from, uint32_t item)
{
    return value(box(point(from.min[0], from.min[1], from.min[2]),
                     point(from.max[0], from.max[1], from.max[2])),
                 item);
}

void *create(const contender_world *world)
{
    std::unique_ptr<boost_state> state(new boost_state);
    state->values.resize(world->count);
    return state.release();
}

void destroy(void *state)
{
    delete static_cast<boost_state *>(state);
}

bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    boost_state *const self = static_cast<boost_state *>(state);
    const size_t before = allocated_bytes;
    for (uint32_t i = 0; i < count; i++) {
        value &stored = self->values[items[i]];
        stored = value_of(boxes[items[i]], items[i]);
        self->items.insert(stored);
    }
    self->node_bytes += allocated_bytes - before;
    return true;
}

// The constructor from a range packs (sort-tile-recursive in kind).
bool build(void *state, const acre_aabb *boxes, uint32_t count)
{
    boost_state *const self = static_cast<boost_state *>(state);
    self->items.clear();
    const size_t before = allocated_bytes;
    for (uint32_t item = 0; item < count; item++) {
        self->values[item] = value_of(boxes[item], item);
    }
    self->items = tree(self->values.begin(), self->values.end());
    self->node_bytes = allocated_bytes - before;
    return true;
}

bool refresh_packed(void *state, const uint32_t *, size_t, const acre_aabb *boxes, uint32_t count)
{
    return build(state, boxes, count);
}

bool refresh_edited(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                    uint32_t)
{
    boost_state *const self = static_cast<boost_state *>(state);
    bool is_good = true;
    for (size_t i = 0; i < mover_count; i++) {
        value &stored = self->values[movers[i]];
        is_good = self->items.remove(stored) == 1 && is_good;
        stored = value_of(boxes[movers[i]], movers[i]);
        self->items.insert(stored);
    }
    return is_good;
}

acre_aabb box_of(const value &from)
{
    const point &low = from.first.min_corner(), &high = from.first.max_corner();
    return {{low.get<0>(), low.get<1>(), low.get<2>()},
            {high.get<0>(), high.get<1>(), high.get<2>()}};
}

size_t query(void *state, const contender_query *query, uint32_t *items)
{
    const boost_state *const self = static_cast<const boost_state *>(state);
    size_t count = 0;
    const auto write = [&](const value &found) {
        const acre_aabb candidate = box_of(found);
        if (query->is_visible(query->frustum, &candidate)) {
            items[count++] = found.second;
        }
    };
    self->items.query(bgi::intersects(value_of(*query->bounds, 0).first),
                      boost::make_function_output_iterator(write));
    return count;
}

bool is_found(const asked_question &question, const value &candidate)
{
    const acre_aabb box = box_of(candidate);
    return question.is_found(&question, candidate.second, &box);
}

segment segment_of(const asked_question &question)
{
    const acre_ray &ray = *question.query->ray;
    const float *const from = ray.origin, *const along = ray.direction;
    const float reach = question.reach;
    return segment(
        point(from[0], from[1], from[2]),
        point(from[0] + reach * along[0], from[1] + reach * along[1], from[2] + reach * along[2]));
}

// Hands over what the tree's own query for the shape finds. A ray that is thick is a box.
template <typename Output>
void find(const tree &items, const asked_question &question, const Output &output)
{
    const acre_query &query = *question.query;
    const auto iterator = boost::make_function_output_iterator(output);
    if (query.shape == ACRE_QUERY_SHAPE_RAY && !(query.ray->half_size[0] > 0.0f)) {
        items.query(bgi::intersects(segment_of(question)), iterator);
    } else {
        items.query(bgi::intersects(value_of(question.bounds, 0).first), iterator);
    }
}

size_t answer_first(const tree &items, const asked_question &question, uint32_t *out)
{
    const auto area = bgi::intersects(value_of(question.bounds, 0).first);
    size_t count = 0;
    for (auto at = items.qbegin(area); at != items.qend() && count < question.capacity; ++at) {
        if (question.is_box || is_found(question, *at)) {
            out[count++] = at->second;
        }
    }
    return count;
}

size_t answer(void *state, const asked_question *question, uint32_t *items)
{
    const boost_state &self = *static_cast<const boost_state *>(state);
    peer_prepare(*question);
    if (question->capacity) {
        return answer_first(self.items, *question, items);
    }
    size_t count = 0;
    find(self.items, *question, [&](const value &found) {
        if (question->is_box || is_found(*question, found)) {
            items[count++] = found.second;
        }
    });
    return count;
}

// The tree's own search; it hands over without order.
template <typename Near>
void find_nearest(boost_state &self, const asked_question &question, const Near &near)
{
    const auto add = [&](const value &found) {
        self.hits.add(question, found.second, box_of(found));
    };
    const auto output = boost::make_function_output_iterator(add);
    if (question.query->shape == ACRE_QUERY_SHAPE_ALL) {
        self.items.query(near, output);
    } else {
        const auto is_wanted = [&](const value &candidate) {
            return is_found(question, candidate);
        };
        self.items.query(bgi::intersects(value_of(question.bounds, 0).first) &&
                             bgi::satisfies(is_wanted) && near,
                         output);
    }
}

// Of all that a query finds there is nothing to search for.
size_t nearest(void *state, const asked_question *question, acre_query_hit *hits)
{
    boost_state &self = *static_cast<boost_state *>(state);
    const acre_aabb *const origin = question->query->origin;
    const unsigned count = static_cast<unsigned>(question->capacity);
    if (!origin || question->capacity >= self.items.size()) {
        find(self.items, *question, [&](const value &found) {
            const acre_aabb box = box_of(found);
            if (question->is_found(question, found.second, &box)) {
                self.hits.add(*question, found.second, box);
            }
        });
    } else if (origin->min[0] < origin->max[0]) {
        find_nearest(self, *question, bgi::nearest(value_of(*origin, 0).first, count));
    } else {
        const point middle(origin->min[0], origin->min[1], origin->min[2]);
        find_nearest(self, *question, bgi::nearest(middle, count));
    }
    return self.hits.take_nearest(question->capacity, hits);
}

bool remove_each(void *state, const uint32_t *items, uint32_t count)
{
    boost_state *const self = static_cast<boost_state *>(state);
    bool is_good = true;
    for (uint32_t i = 0; i < count; i++) {
        is_good = self->items.remove(self->values[items[i]]) == 1 && is_good;
    }
    return is_good;
}

size_t bytes(const void *state)
{
    const boost_state *const self = static_cast<const boost_state *>(state);
    return sizeof *self + self->node_bytes;
}

// The values are the tree's key to its items.
size_t bytes_edited(const void *state)
{
    const boost_state *const self = static_cast<const boost_state *>(state);
    return bytes(state) + self->values.capacity() * sizeof(value);
}

} // namespace

bench_contender peer_boost_packed()
{
    bench_contender table = {};
    table.name = "Boost rtree, packed";
    table.create = create;
    table.destroy = destroy;
    table.build = build;
    table.refresh = refresh_packed;
    table.query = query;
    table.answer = answer;
    table.nearest = nearest;
    table.bytes = bytes;
    return table;
}

bench_contender peer_boost_quadratic()
{
    bench_contender table = peer_boost_packed();
    table.name = "Boost rtree, quadratic";
    table.build = nullptr;
    table.insert = insert;
    table.refresh = refresh_edited;
    table.remove = remove_each;
    table.bytes = bytes_edited;
    return table;
}
