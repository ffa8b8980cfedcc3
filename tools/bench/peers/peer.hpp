// SPDX-License-Identifier: MIT
// peer.hpp - what the trees of others share: the table of a contender, from a class's members.
#ifndef ACRE_TOOLS_PEER_HPP
#define ACRE_TOOLS_PEER_HPP

#include "bench_contender.h"

#include <algorithm>
#include <cmath>
#include <vector>

// A Peer is made from a contender_world and has: insert(item, box); remove(item), which answers
// whether the item was where it should be; refresh(item, box), the same; end_frame(), its upkeep;
// query(query, items); bytes(); and `boxes`, the caller's.
template <typename Peer> struct peer_table {
    static Peer &of(void *state)
    {
        return *static_cast<Peer *>(state);
    }
    static void *create(const contender_world *world)
    {
        return new Peer(*world);
    }
    static void destroy(void *state)
    {
        delete static_cast<Peer *>(state);
    }
    static bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
    {
        of(state).boxes = boxes;
        for (uint32_t i = 0; i < count; i++) {
            of(state).insert(items[i], boxes[items[i]]);
        }
        return true;
    }
    static bool refresh(void *state, const uint32_t *movers, size_t mover_count,
                        const acre_aabb *boxes, uint32_t)
    {
        bool is_good = true;
        for (size_t i = 0; i < mover_count; i++) {
            is_good = of(state).refresh(movers[i], boxes[movers[i]]) && is_good;
        }
        of(state).end_frame();
        return is_good;
    }
    static bool remove(void *state, const uint32_t *items, uint32_t count)
    {
        bool is_good = true;
        for (uint32_t i = 0; i < count; i++) {
            is_good = of(state).remove(items[i]) && is_good;
        }
        return is_good;
    }
    static size_t query(void *state, const contender_query *query, uint32_t *items)
    {
        return of(state).query(*query, items);
    }
    static size_t bytes(const void *state)
    {
        return static_cast<const Peer *>(state)->bytes();
    }

    // Of those that can be asked any question: answer(question, items), and find_hits(question),
    // which fills `hits` or answers false where there is no such query.
    static size_t answer(void *state, const asked_question *question, uint32_t *items)
    {
        if (question->prepare) {
            question->prepare(question);
        }
        return of(state).answer(*question, items);
    }
    static size_t nearest(void *state, const asked_question *question, acre_query_hit *hits)
    {
        return of(state).find_hits(*question) ? of(state).hits.take(question->capacity, hits)
                                              : CONTENDER_CANNOT;
    }

    static bench_contender make(const char *name)
    {
        bench_contender table = {};
        table.name = name;
        table.create = create;
        table.destroy = destroy;
        table.insert = insert;
        table.refresh = refresh;
        table.query = query;
        table.remove = remove;
        table.bytes = bytes;
        return table;
    }
    static bench_contender make_asked(const char *name)
    {
        bench_contender table = make(name);
        table.answer = answer;
        table.nearest = nearest;
        return table;
    }
};

// The nearest of what was found, in order.
struct peer_hits {
    std::vector<acre_query_hit> found;

    // What is infinitely far away is none.
    void add(const asked_question &question, uint32_t item, const acre_aabb &box)
    {
        const acre_query_hit hit = {item, question.distance(&question, &box)};
        if (std::isfinite(hit.distance)) {
            found.push_back(hit);
        }
    }

    static bool is_before(const acre_query_hit &a, const acre_query_hit &b)
    {
        return a.distance < b.distance || (a.distance == b.distance && a.item < b.item);
    }

    // Empties the list.
    size_t take(size_t capacity, acre_query_hit *hits)
    {
        const size_t count = std::min(capacity, found.size());
        const auto end = found.begin() + static_cast<std::ptrdiff_t>(count);
        if (count < found.size()) {
            std::partial_sort(found.begin(), end, found.end(), is_before);
        } else {
            std::sort(found.begin(), end, is_before);
        }
        std::copy(found.begin(), end, hits);
        found.clear();
        return count;
    }
};

// Items stand in the trees' pointers.
inline void *pointer_of(uint32_t item)
{
    return reinterpret_cast<void *>(static_cast<uintptr_t>(item));
}

inline uint32_t item_of(const void *pointer)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer));
}

template <typename T> size_t bytes_of(const std::vector<T> &list)
{
    return list.capacity() * sizeof(T);
}

// The peers that are built.
bench_contender peer_bullet_tight();
bench_contender peer_bullet_margin();
bench_contender peer_box2d();
bench_contender peer_boost_packed();
bench_contender peer_boost_quadratic();
bench_contender peer_embree();
bench_contender peer_nanoflann();

#endif
