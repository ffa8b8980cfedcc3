// SPDX-License-Identifier: MIT
// interest_stream.h - a random stream of edits of a tree and of an interest over it, and a model of
// plain loops that says what each observer sees.
//
// Typical use:
//     interest_stream stream;
//     interest_stream_init(&stream, &def, true, seed);
//     for (...) {
//         fault = interest_stream_edit(&stream);     // one random edit
//         fault = interest_stream_update(&stream);   // the interest's and the model's
//         fault = interest_stream_check(&stream);
//     }
//     interest_stream_free(&stream);
// Every function that compares answers NULL, or what differs.
#ifndef INTEREST_STREAM_H
#define INTEREST_STREAM_H

#include "test.h"

#include <acre/interest.h>

enum { STREAM_ITEMS = 150, STREAM_OBSERVERS = 14, STREAM_ROOMS = 6 };

typedef struct stream_item {
    bool is_there;
    bool is_reborn; // since the last update
    acre_aabb box;
    uint32_t layers;
    uint32_t births; // how often the number became another thing
    uint32_t rooms;  // a bit for each
    float range;     // of its own; 0: none
} stream_item;

typedef struct stream_observer {
    bool is_used, is_lost;
    acre_observer handle;
    acre_observer_def def;
    float place[3];
    uint32_t follow_births;
    uint32_t rooms;
    bool in_range[STREAM_ITEMS], sees[STREAM_ITEMS];
    uint8_t bands[STREAM_ITEMS];
    // What the last update should list.
    bool entered[STREAM_ITEMS], left[STREAM_ITEMS], changed[STREAM_ITEMS], stayed[STREAM_ITEMS];
} stream_observer;

typedef struct interest_stream {
    acre_quadtree *tree;
    acre_interest *interest;
    uint32_t flags;
    bool may_fail; // the interest's allocator fails: calls may answer so, and change nothing
    size_t failed; // calls that did
    test_random random;
    uint32_t generations[STREAM_ITEMS];
    bool has_generations;
    stream_item items[STREAM_ITEMS];
    stream_observer observers[STREAM_OBSERVERS]; // by row
    uint32_t touched[100000];                    // since the last update
    size_t touched_count;
    bool updates_by_change; // the last update was told what changed
    size_t events[4];       // seen so far: entered, left, changed, stayed
} interest_stream;

// @return whether there was memory.
bool interest_stream_init(interest_stream *stream, const acre_interest_def *def,
                          bool has_generations, uint64_t seed);
void interest_stream_free(interest_stream *stream);

const char *interest_stream_edit(interest_stream *stream);
const char *interest_stream_update(interest_stream *stream);
const char *interest_stream_check(interest_stream *stream);

// What observers see, without the changes of the last update.
const char *interest_stream_check_seen(interest_stream *stream);

#endif
