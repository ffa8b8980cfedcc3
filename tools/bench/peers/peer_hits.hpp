// SPDX-License-Identifier: MIT
// peer_hits.hpp - what peers share that answer questions: the nearest of what was found, in order.
#ifndef ACRE_TOOLS_PEER_HITS_HPP
#define ACRE_TOOLS_PEER_HITS_HPP

#include "bench_contender.h"

#include <algorithm>
#include <cmath>
#include <vector>

inline void peer_prepare(const asked_question &question)
{
    if (question.prepare) {
        question.prepare(&question);
    }
}

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
    size_t take_nearest(size_t capacity, acre_query_hit *hits)
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

#endif
