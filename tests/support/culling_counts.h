// SPDX-License-Identifier: MIT
// culling_counts.h - how many entities a culler's query finds, as one value.
#ifndef ACRE_TESTS_CULLING_COUNTS_H
#define ACRE_TESTS_CULLING_COUNTS_H

#include <acre/culling.h>

// acre_culling_query_view. @return the number of visible entities; SIZE_MAX on an error.
static inline size_t count_in_view(const acre_culling *culling, const acre_view *view,
                                   uint32_t *slots, size_t capacity)
{
    size_t total;
    return acre_culling_query_view(culling, view, slots, capacity, &total) == ACRE_OK ? total
                                                                                      : SIZE_MAX;
}

// acre_culling_query_frustum. @return the number of visible entities; SIZE_MAX on an error.
static inline size_t count_in_frustum(const acre_culling *culling, const acre_frustum *frustum,
                                      uint32_t layers, uint32_t *slots, size_t capacity)
{
    size_t total;
    return acre_culling_query_frustum(culling, frustum, layers, slots, capacity, &total) == ACRE_OK
               ? total
               : SIZE_MAX;
}

#endif
