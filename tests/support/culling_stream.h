// SPDX-License-Identifier: MIT
// culling_stream.h - a random stream of scene edits, registrations and refreshes, and what the
// culler should know after each.
//
// Typical use:
//     culling_stream stream;
//     culling_stream_init(&stream, true, 100, seed);
//     for (...) {
//         fault = culling_stream_step(&stream);
//         fault = fault ? fault : culling_stream_grow(&stream);   // before entities are looked at
//     }
//     culling_stream_free(&stream);
#ifndef CULLING_STREAM_H
#define CULLING_STREAM_H

#include "scene_oracle.h"

#include <acre/culling.h>

// What the culler should know of an entity, by its index in the oracle.
typedef struct model_entity {
    bool is_registered, is_excluded;
} model_entity;

typedef struct culling_stream {
    scene_oracle oracle;
    acre_culling *culling;
    bool register_all;
    float spread; // how far from the middle boxes of the caller's are; init: 80
    model_entity *model;
    int model_capacity;
    uint32_t *found; // room for a query's slots
    size_t found_capacity;
    uint8_t *times; // by slot
} culling_stream;

// @return whether there was memory; it is to be freed all the same.
bool culling_stream_init(culling_stream *stream, bool register_all, int limit, uint64_t seed);
void culling_stream_free(culling_stream *stream);

// Room for all entities and slots. @return NULL, or what is wrong.
const char *culling_stream_grow(culling_stream *stream);

// An edit, a commit, a refresh or a registration. @return NULL, or which call answered wrongly.
const char *culling_stream_step(culling_stream *stream);

// Gives an entity a random box of the caller's. @return as culling_stream_step.
const char *culling_stream_refresh_bounds(culling_stream *stream, int index);

// Whether the entity is registered, in the last commit and not hidden.
bool culling_stream_sees(const culling_stream *stream, int index);

// Its box, as the culler should have it; of one that it sees.
acre_aabb culling_stream_box(const culling_stream *stream, int index);

// Where a committed entity stands: at the center of its box, else at the origin of its matrix.
// @return false: nowhere, as it is hidden.
bool culling_stream_place(const culling_stream *stream, const oracle_entity *entity, float *place);

#endif
