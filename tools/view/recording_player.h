// SPDX-License-Identifier: MIT
// recording_player.h - a recording of a tree's calls, and the tree as it was after each of them.
#ifndef ACRE_TOOLS_RECORDING_PLAYER_H
#define ACRE_TOOLS_RECORDING_PLAYER_H

#include <acre/record.h>

typedef struct recording_player {
    const void *bytes; // the caller's, which live as long as the player
    size_t size;
    acre_quadtree *tree; // after `call` calls; NULL where a broken recording makes none
    uint32_t *items;     // in the tree
    size_t item_count, item_room;
    size_t call;
    acre_record_report whole, part; // of the recording, and of its calls up to this one
} recording_player;

// Replays the whole recording; broken ones are read as far as they are good. Returns false where
// memory is short; recording_player_close is called all the same.
bool recording_player_open(recording_player *out, const void *bytes, size_t size);
void recording_player_close(recording_player *player);

// Replays the first calls anew. Returns false where memory is short.
bool recording_player_seek(recording_player *player, size_t call);

#endif
