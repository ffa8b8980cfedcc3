// SPDX-License-Identifier: MIT
// regions_internal.h - an array that several workers fill, as if one had filled it in order.
//
// How many results each part of a call has is not known before it has run. So each part writes into
// a region of the array; afterwards the regions are closed up in the order of the parts. A part
// that has more results than its region has room is run once more, into its place.
//
//     1 the call sets begin and room of each region: they ascend and do not overlap
//     2 workers run the parts; each sets the total of its region
//     3 acre_place_regions, then acre_close_regions for each array
//     4 regions that do not fit are filled anew, from place on: region_room_at_place elements
#ifndef ACRE_REGIONS_INTERNAL_H
#define ACRE_REGIONS_INTERNAL_H

#include "assert_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct array_region {
    size_t begin;
    size_t room;  ///< elements
    size_t total; ///< results of the part, also those that did not fit
    size_t place; ///< where the results are to stand
} array_region;

static inline bool region_fits(const array_region *region)
{
    return region->total <= region->room;
}

/// @return how many of a region's results the array has room for at its place.
static inline size_t region_room_at_place(const array_region *region, size_t capacity)
{
    const size_t left = region->place < capacity ? capacity - region->place : 0;
    return region->total < left ? region->total : left;
}

/// Places the regions one after the other by their totals. @return the sum of the totals.
size_t acre_place_regions(array_region *regions, uint32_t count);

/// Moves the results of all regions that fit to their places.
/// @param array of capacity elements; NULL if capacity is 0. @param size of an element.
void acre_close_regions(const array_region *regions, uint32_t count, void *array, size_t capacity,
                        size_t size);

#endif
