// SPDX-License-Identifier: MIT
// acre_python.h - what the Python package calls in C beside the tree: many rays at once, workers,
// and which instruction set to load.
#ifndef ACRE_PYTHON_H
#define ACRE_PYTHON_H

#include <acre/tasks.h>

/// The first hit of each of `count` rays, in hits[row]; a row that hits nothing has the item
/// UINT32_MAX and an infinite distance, and so has a ray that is refused.
/// @param query its shape and ray are set for each row; layers and the excepted item hold for all.
/// @return ACRE_OK or the first refused row's error; *first_refused is that row.
acre_result acre_python_cast_rays(const acre_quadtree *tree, const acre_query *query,
                                  const acre_ray *rays, size_t count, acre_query_hit *hits,
                                  size_t *first_refused);

/// @return which of the package's libraries suits the processor: "base", "avx2" or "avx512".
const char *acre_python_instruction_set(void);

/// Gives a tree so many workers, at most those of the machine; 1: none. They are started at the
/// first call and live as long as the process.
acre_result acre_python_set_workers(acre_quadtree *tree, uint32_t count);

#endif
