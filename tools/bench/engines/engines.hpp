// SPDX-License-Identifier: MIT
// engines.hpp - the engines of others, each in a file of its own.
#ifndef ACRE_BENCH_ENGINES_HPP
#define ACRE_BENCH_ENGINES_HPP

#include "engine.h"

#include <cstdio>
#include <exception>

extern const engine engine_ogre_octree, engine_ogre_tree, engine_ogre_scene, engine_osg;

namespace host
{

// What a call answers; nothing if it threw, with a line that says why.
template <class Answer, class Call> Answer without_exceptions(const Call &call)
{
    try {
        return call();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "engines: %s\n", error.what());
        return {};
    }
}

} // namespace host

#endif
