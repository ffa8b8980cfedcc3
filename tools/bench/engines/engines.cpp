// SPDX-License-Identifier: MIT
// engines.cpp - the list of engines that were built in.
#include "engines.hpp"

static const engine *const all[] = {
#ifdef ACRE_BENCH_OGRE
    &engine_ogre_octree, &engine_ogre_tree, &engine_ogre_scene,
#endif
#ifdef ACRE_BENCH_OSG
    &engine_osg,
#endif
    nullptr};

const engine *const *engines_of_others(uint32_t *count)
{
    *count = sizeof all / sizeof all[0] - 1;
    return all;
}
