// SPDX-License-Identifier: MIT
// engine_acre.h - frames by Acre's scene and culler, by its tree alone, and by a plain loop.
#ifndef ACRE_BENCH_ENGINE_ACRE_H
#define ACRE_BENCH_ENGINE_ACRE_H

#include "engine.h"

extern const engine engine_acre_scene, engine_acre_tree, engine_loop;

#endif
