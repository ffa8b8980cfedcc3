// SPDX-License-Identifier: MIT
// peer_trees.hpp - the tables of the peers that are built.
#ifndef ACRE_TOOLS_PEER_TREES_HPP
#define ACRE_TOOLS_PEER_TREES_HPP

#include "bench_contender.h"

bench_contender peer_any_node();
bench_contender peer_leaf_lists();
bench_contender peer_bullet_tight();
bench_contender peer_bullet_margin();
bench_contender peer_box2d();
bench_contender peer_boost_packed();
bench_contender peer_boost_quadratic();

#endif
