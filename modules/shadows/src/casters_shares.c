// SPDX-License-Identifier: MIT
// casters_shares.c - receivers marked and casters found on the culler's workers.
//
// A share marks a grid of its own; afterwards each cell takes the most of all grids, which does not
// depend on their order. Casters are written as slots of a view are: into regions of the array.
#include "casters_internal.h"
#include "culling_pieces_shared.h"

enum {
    SHARE_CASTERS = 1000, // items that are worth a share: each takes some 50 ns
    SLOTS_A_BLOCK = 256,  // of a list that is marked
    MOST_MARKING = 16     // shares that mark: each has a grid of its own
};

typedef struct caster_pieces {
    culling_pieces pieces;
    const acre_query *query;
    const caster_walk *walk;
    slot_room room;                          // behind the casters that are there
    bool has_coarse[ACRE_TASKS_MAX_WORKERS]; // marks of a share
} caster_pieces;

static void visit_caster_piece(const caster_pieces *call, uint32_t piece, acre_group_visitor visit,
                               caster_walk *own)
{
    ACRE_INVARIANT_OK(acre_quadtree_visit_piece(call->pieces.tree, call->query,
                                                &call->pieces.rest.pieces[piece], visit, own));
}

// ---- marks ----

static void mark_pieces(void *context, uint32_t share)
{
    caster_pieces *const call = context;
    acre_receivers marked = acre_receivers_of_share(call->walk->receivers, share);
    caster_walk own = *call->walk;
    own.receivers = &marked;
    for (culling_piece piece; acre_culling_claim_piece(&call->pieces, &piece);) {
        visit_caster_piece(call, piece.number, acre_casters_mark_group, &own);
    }
    call->has_coarse[share] = marked.has_coarse;
}

static void mark_rest(caster_pieces *call, caster_walk *walk)
{
    culling_pieces *const pieces = &call->pieces;
    pieces->most_shares = MOST_MARKING;
    const uint32_t shares = culling_piece_shares(pieces);
    if (!acre_receivers_reserve_shares(walk->receivers, shares)) {
        for (uint32_t i = 0; i < pieces->rest.count; i++) {
            visit_caster_piece(call, i, acre_casters_mark_group, walk);
        }
        return;
    }
    acre_culling_make_regions(pieces, 0);
    acre_culling_run_pieces(pieces, "acre receivers", mark_pieces, call);
    for (uint32_t i = 0; i < shares; i++) {
        acre_receivers_join(walk->receivers, i, call->has_coarse[i]);
    }
}

// ---- casters ----

static void write_pieces(void *context, uint32_t share)
{
    (void)share;
    caster_pieces *const call = context;
    caster_walk own = *call->walk;
    for (culling_piece piece; acre_culling_claim_piece(&call->pieces, &piece);) {
        own.slots = piece.room > 0 ? call->room.slots + piece.begin : NULL;
        own.faces = piece.room > 0 && call->room.lods ? call->room.lods + piece.begin : NULL;
        own.capacity = piece.room;
        own.count = 0;
        visit_caster_piece(call, piece.number, acre_casters_test_group, &own);
        call->pieces.regions[piece.number].total = own.count;
    }
}

acre_result acre_casters_visit_in_shares(caster_walk *walk, const acre_quadtree *tree,
                                         const acre_query *query, bool marks)
{
    caster_pieces call; // not zeroed: it is large
    call.query = query;
    call.walk = walk;
    const acre_group_visitor visit = marks ? acre_casters_mark_group : acre_casters_test_group;
    const acre_result result = acre_culling_visit_first(&call.pieces, walk->reader.tasks, tree,
                                                        query, SHARE_CASTERS, visit, walk);
    if (result == ACRE_OK && call.pieces.rest.count > 0) {
        if (marks) {
            mark_rest(&call, walk);
        } else {
            const size_t room = culling_room(walk->count, walk->capacity);
            call.room =
                (slot_room){room > 0 ? walk->slots + walk->count : NULL,
                            room > 0 && walk->faces ? walk->faces + walk->count : NULL, room};
            walk->count += acre_culling_fill_array(&call.pieces, &call.room, "acre casters",
                                                   write_pieces, &call);
        }
    }
    return result;
}

// ---- lists ----

typedef struct marked_share {
    _Alignas(SHARE_ALIGNMENT) marked_slots met;
    bool has_coarse;
} marked_share;
ASSERT_OWN_LINES(marked_share);

typedef struct mark_list {
    block_claim claim; // a block is SLOTS_A_BLOCK slots
    const caster_walk *walk;
    const uint32_t *slots;
    size_t count;
    marked_share shares[MOST_MARKING];
} mark_list;

static void mark_blocks(void *context, uint32_t share)
{
    mark_list *const call = context;
    acre_receivers marked = acre_receivers_of_share(call->walk->receivers, share);
    caster_walk own = *call->walk;
    marked_slots met = {false, false};
    own.receivers = &marked;
    for (uint32_t block; claim_block(&call->claim, &block);) {
        const size_t first = (size_t)block * SLOTS_A_BLOCK, left = call->count - first;
        acre_casters_mark_slots(&own, call->slots + first,
                                left < SLOTS_A_BLOCK ? left : SLOTS_A_BLOCK, &met);
    }
    call->shares[share] = (marked_share){met, marked.has_coarse};
}

bool acre_casters_mark_in_shares(const caster_walk *walk, const uint32_t *slots, size_t count,
                                 marked_slots *met)
{
    const size_t blocks = (count + SLOTS_A_BLOCK - 1) / SLOTS_A_BLOCK;
    uint32_t shares = share_count_for(walk->reader.tasks, count, SHARE_CASTERS);
    shares = shares < MOST_MARKING ? shares : MOST_MARKING;
    shares = shares < blocks ? shares : (uint32_t)blocks;
    if (shares < 2 || blocks > UINT32_MAX ||
        !acre_receivers_reserve_shares(walk->receivers, shares)) {
        return false;
    }
    mark_list call = {
        .claim.count = (uint32_t)blocks, .walk = walk, .slots = slots, .count = count};
    acre_run_shares(walk->reader.tasks, "acre receivers", shares, mark_blocks, &call);
    for (uint32_t i = 0; i < shares; i++) {
        acre_receivers_join(walk->receivers, i, call.shares[i].has_coarse);
        met->has_missing |= call.shares[i].met.has_missing;
        met->has_never |= call.shares[i].met.has_never;
    }
    return true;
}
