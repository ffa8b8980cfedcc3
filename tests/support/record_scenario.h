// SPDX-License-Identifier: MIT
// record_scenario.h - a recording in memory, of every kind of call on a quadtree.
#ifndef RECORD_SCENARIO_H
#define RECORD_SCENARIO_H

#include <acre/record.h>

// Bytes that were written; the caller frees them.
typedef struct recording {
    unsigned char *bytes;
    size_t size, room;
    size_t limit; // refuses to grow beyond it; 0: no limit
} recording;

bool recording_write(void *context, const void *bytes, size_t size);
void recording_free(recording *made);

// Random edits and queries on a tree, all of them valid or refused as their header says.
void record_edits(acre_quadtree *tree, uint64_t seed, uint32_t calls);

// A tree's recording, from the first call to the last; what the tree was in the end.
bool record_scenario(recording *out, uint64_t seed, uint32_t calls, uint64_t *state_hash);

#endif
