// SPDX-License-Identifier: MIT
// worlds.h - worlds as they come: tall, flown over, dug under, far from the origin, with strays.
// Each is a country of country.h, with boxes and views of its own.
#ifndef WORLDS_H
#define WORLDS_H

#include "country.h"

typedef enum world_kind {
    WORLD_TOWN, // the country as it is
    WORLD_STOREYS_5,
    WORLD_STOREYS_20,
    WORLD_STOREYS_50,
    WORLD_STOREYS_100,
    WORLD_STOREYS_500,
    WORLD_TOWERS,
    WORLD_AEROPLANES_2, // percent, over the town
    WORLD_AEROPLANES_5,
    WORLD_CAVES,
    WORLD_UTM,      // the town at coordinates of UTM, zone 21 south
    WORLD_MERCATOR, // of Web Mercator, in the east of New Zealand
    WORLD_STRAYS,   // the town, and up to 64 things 10^8 to 10^17 m away
    WORLD_KIND_COUNT_
} world_kind;

// "town", "storeys 5" ..
const char *world_name(world_kind kind);

// A world of count boxes and view_count views of each kind; country_free frees it. Cameras stand on
// boxes, and those that see the whole see all but strays. Returns false when memory is short or a
// volume is none.
bool world_create(country *out, world_kind kind, uint32_t count, uint32_t view_count);

#endif
