// SPDX-License-Identifier: MIT
// sight_oracle.h - the parts of one world and their observers, against a look at each thing with
// two radii and a memory of its own. An image is the thing: the memory is of the thing, whichever
// image was seen.
#ifndef SIGHT_ORACLE_H
#define SIGHT_ORACLE_H

#include "parts_stream.h"

enum { SIGHT_ITEMS = 300, SIGHT_PARTS = 5, NOT_SEEN = 9 }; // at most
enum { SIGHT_SLOTS = 9 * SIGHT_ITEMS };                    // of a part: images, too

typedef struct sight_world {
    parts_stream stream;
    uint32_t count; // of parts
    acre_partition *parts[SIGHT_PARTS];
    acre_partition_interest *interests[SIGHT_PARTS];
    acre_aabb boxes[SIGHT_ITEMS];           // as their owners have them
    float ranges[SIGHT_PARTS][SIGHT_SLOTS]; // of each part, by slot
    bool has_ranges;
    size_t by_range; // sights that a range decided
    uint32_t looks;
    bool is_there[SIGHT_ITEMS];
    uint8_t bands[SIGHT_ITEMS][SIGHT_ITEMS]; // by observer and thing; NOT_SEEN
    uint8_t old_bands[SIGHT_ITEMS][SIGHT_ITEMS];
    size_t events;
} sight_world;

// A world with the first items of a stream. NULL: no memory.
sight_world *sight_world_open(uint64_t seed, bool is_periodic, uint32_t count, uint32_t items);

void sight_world_close(sight_world *w);

stream_part sight_world_part(const sight_world *w, uint32_t i);

// The box of an item as its owner has it, to be written; NULL: no part owns it. part, slot: receive
// where it is.
acre_aabb *sight_world_find(sight_world *w, uint64_t number, uint32_t *part, uint32_t *slot);

// After an exchange: makes observers of the new items, updates all parts, and looks too. @return
// whether all lists are those of the oracle.
bool sight_world_watch(sight_world *w);

#endif
