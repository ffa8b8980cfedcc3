// SPDX-License-Identifier: MIT
// npm_query.h - a query from what a script passes: the kind of a shape, and where its floats lie.
#ifndef ACRE_NPM_QUERY_H
#define ACRE_NPM_QUERY_H

#include <acre/quadtree_query.h>

/// @param volume the shape's struct; not read for ACRE_QUERY_SHAPE_ALL.
/// @return a query that reads the shape where it lies; an unknown shape is refused by the query.
acre_query npm_query(acre_query_shape shape, const void *volume, uint32_t layers, uint32_t flags);

#endif
