// SPDX-License-Identifier: MIT
// peer_trees.cpp - the list of the peers that are built.
#include "peer.hpp"

#include <vector>

static const std::vector<bench_contender> &peers()
{
    static const std::vector<bench_contender> list = {
#if defined(ACRE_BENCH_BULLET)
        peer_bullet_tight(),
        peer_bullet_margin(),
#endif
#if defined(ACRE_BENCH_BOX2D)
        peer_box2d(),
#endif
#if defined(ACRE_BENCH_BOOST)
        peer_boost_packed(),
        peer_boost_quadratic(),
#endif
#if defined(ACRE_BENCH_EMBREE)
        peer_embree(),
#endif
#if defined(ACRE_BENCH_NANOFLANN)
        peer_nanoflann(),
#endif
    };
    return list;
}

uint32_t bench_peer_count(void)
{
    return static_cast<uint32_t>(peers().size());
}

const bench_contender *bench_peer(uint32_t index)
{
    return &peers()[index];
}
