// SPDX-License-Identifier: MIT
// regions.c - closes up what workers wrote into regions of an array.
#include "regions_internal.h"

#include <string.h>

size_t acre_place_regions(array_region *regions, uint32_t count)
{
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        ACRE_INVARIANT(i == 0 || regions[i].begin >= regions[i - 1].begin + regions[i - 1].room);
        regions[i].place = total;
        total += regions[i].total;
    }
    return total;
}

static void move_region(const array_region *region, unsigned char *array, size_t capacity,
                        size_t size)
{
    const size_t count = region_room_at_place(region, capacity);
    ACRE_INVARIANT(region->begin + count <= capacity || count == 0);
    if (count > 0 && region->place != region->begin) {
        memmove(array + region->place * size, array + region->begin * size, count * size);
    }
}

// Regions that move to the left go first, ascending, then those that move to the right, descending:
// no region is overwritten before it has moved.
void acre_close_regions(const array_region *regions, uint32_t count, void *array, size_t capacity,
                        size_t size)
{
    for (uint32_t i = 0; i < count; i++) {
        if (region_fits(&regions[i]) && regions[i].place <= regions[i].begin) {
            move_region(&regions[i], array, capacity, size);
        }
    }
    for (uint32_t i = count; i-- > 0;) {
        if (region_fits(&regions[i]) && regions[i].place > regions[i].begin) {
            move_region(&regions[i], array, capacity, size);
        }
    }
}
