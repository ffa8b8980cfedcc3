// SPDX-License-Identifier: MIT
// recording_player.c - a recording of a tree's calls, and the tree as it was after each of them.
#include "recording_player.h"

#include <acre/quadtree_calls.h>

#include <assert.h>
#include <stdlib.h>

// What the tree holds now.
static bool list_items(recording_player *player)
{
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(player->tree, &stats);
    if (stats.items > player->item_room) {
        uint32_t *const grown = realloc(player->items, stats.items * sizeof *grown);
        if (!grown) {
            return false;
        }
        player->items = grown;
        player->item_room = stats.items;
    }
    return acre_quadtree_query(player->tree, &all, player->items, player->item_room,
                               &player->item_count) == ACRE_OK;
}

// An acre_record_watch: ends the replay after *context calls.
static bool is_before(void *context, const acre_record_report *report)
{
    return report->calls < *(const size_t *)context;
}

bool recording_player_seek(recording_player *player, size_t call)
{
    assert(player->bytes);
    acre_quadtree_destroy(player->tree);
    ACRE_IGNORE(acre_record_replay_watched(player->bytes, player->size, NULL, is_before, &call,
                                           &player->part,
                                           &player->tree)); // player->part says what is wrong
    player->call = call;
    player->item_count = 0;
    return !player->tree || list_items(player);
}

bool recording_player_open(recording_player *out, const void *bytes, size_t size)
{
    *out = (recording_player){.bytes = bytes, .size = size};
    const bool is_good = recording_player_seek(out, SIZE_MAX);
    out->whole = out->part;
    out->call = out->whole.calls;
    return is_good;
}

void recording_player_close(recording_player *player)
{
    acre_quadtree_destroy(player->tree);
    free(player->items);
    *player = (recording_player){0};
}
