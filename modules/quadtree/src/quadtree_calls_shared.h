// SPDX-License-Identifier: MIT
// quadtree_calls_shared.h - whether a tree has a listener, which one thread at a time must notify.
//
// For modules that would search a tree on several threads.
#ifndef ACRE_QUADTREE_CALLS_SHARED_H
#define ACRE_QUADTREE_CALLS_SHARED_H

#include <acre/quadtree_calls.h>

// @return false for NULL.
bool acre_quadtree_has_listener(const acre_quadtree *tree);

#endif
