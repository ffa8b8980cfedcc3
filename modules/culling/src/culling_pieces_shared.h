// SPDX-License-Identifier: MIT
// culling_pieces_shared.h - a visit of one of a culler's trees in pieces: workers fill regions of
// arrays, which are then closed up to what one thread writes. Also for modules that stand on the
// culler.
//
//     1 acre_culling_visit_first   visits the first groups on this thread, and cuts the rest
//     2 acre_culling_fill_array    workers visit the pieces and write what they find to an array
// A call whose pieces write no array makes regions of nothing and runs the pieces:
// acre_culling_make_regions, acre_culling_run_pieces.
#ifndef ACRE_CULLING_PIECES_SHARED_H
#define ACRE_CULLING_PIECES_SHARED_H

#include "quadtree_pieces_shared.h"

#include "regions_internal.h"
#include "tasks_internal.h"

typedef struct culling_pieces {
    block_claim claim; ///< a block is a piece
    const acre_quadtree *tree;
    const acre_tasks *tasks;
    uint32_t most_shares;
    size_t capacity;  ///< of the array that the regions are in
    bool fills_again; ///< only pieces that did not fit into their regions are claimed
    acre_query_pieces rest;
    array_region regions[ACRE_QUERY_MOST_PIECES];
} culling_pieces;

/// A piece that a share has claimed.
typedef struct culling_piece {
    uint32_t number;
    size_t begin, room; ///< in the array
} culling_piece;

/// Visits what one thread visits sooner; pieces->rest.count tells whether something is left. The
/// tasks have workers.
/// @param least as of acre_quadtree_visit_first.
acre_result acre_culling_visit_first(culling_pieces *pieces, const acre_tasks *tasks,
                                     const acre_quadtree *tree, const acre_query *query,
                                     size_t least, acre_group_visitor visit, void *user);

/// @return in how many shares the rest is run.
static inline uint32_t culling_piece_shares(const culling_pieces *pieces)
{
    uint32_t shares = pieces->tasks->worker_count;
    shares = shares < pieces->most_shares ? shares : pieces->most_shares;
    return shares < pieces->rest.count ? shares : pieces->rest.count;
}

/// Divides an array among the pieces, by how many results each has at most.
void acre_culling_make_regions(culling_pieces *pieces, size_t capacity);

/// Runs shares until no piece is left. Each claims one piece after the other, writes its results
/// and sets the total of its region.
void acre_culling_run_pieces(culling_pieces *pieces, const char *name, share_function *run,
                             void *context);

/// @return false when no piece is left.
bool acre_culling_claim_piece(culling_pieces *pieces, culling_piece *out);

/// Room behind what stands in an array of slots.
typedef struct slot_room {
    uint32_t *slots;
    uint8_t *lods; ///< of slots; NULL: not wanted
    size_t capacity;
} slot_room;

/// Runs the rest of a visit, which writes the slots that it finds, in the order of the pieces: a
/// piece from its begin on. Pieces that have more than their region has room for run once more.
/// @return how many there are; those at or above the capacity are not written.
size_t acre_culling_fill_array(culling_pieces *pieces, const slot_room *room, const char *name,
                               share_function *run, void *context);

#endif
