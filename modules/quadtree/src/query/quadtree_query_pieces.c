// SPDX-License-Identifier: MIT
// quadtree_query_pieces.c - the rest of a walk cut into pieces of whole portions.
//
// A piece is what the stack was at its beginning, and how many portions of the walk follow.
// Portions are those of a walk on one thread, so that the pieces one after the other have the same
// order.
#include "quadtree_walk.h"

#include <string.h>

_Static_assert(STACK_DEPTH <= sizeof((acre_query_piece *)0)->quads / sizeof(uint32_t),
               "a piece has room for every stack");

static size_t items_of_chain(const acre_quadtree *tree, uint32_t word)
{
    size_t count = chain_count(word);
    if (chain_is_run(word)) {
        return count + (size_t)(chain_block(word) - run_begin(tree->next, word)) * BLOCK_SLOTS;
    }
    for (uint32_t block = tree->next[chain_block(word)]; block != NONE; block = tree->next[block]) {
        count += BLOCK_SLOTS;
    }
    return count;
}

// Makes half as many pieces, each of two.
static void join_pieces(acre_query_pieces *pieces)
{
    ACRE_INVARIANT(pieces->count == ACRE_QUERY_MOST_PIECES);
    for (uint32_t i = 0; i < ACRE_QUERY_MOST_PIECES / 2; i++) {
        const acre_query_piece *const second = &pieces->pieces[2 * i + 1];
        const uint32_t portions = second->portions;
        const size_t inside = second->inside, tested = second->tested;
        pieces->pieces[i] = pieces->pieces[2 * i];
        pieces->pieces[i].portions += portions;
        pieces->pieces[i].inside += inside;
        pieces->pieces[i].tested += tested;
    }
    pieces->count = ACRE_QUERY_MOST_PIECES / 2;
}

static void begin_piece(acre_query_pieces *pieces, const node_lists *nodes)
{
    ACRE_INVARIANT(pieces->count < ACRE_QUERY_MOST_PIECES);
    ACRE_INVARIANT(nodes->stack_count > 0 && nodes->stack_count <= STACK_DEPTH);
    acre_query_piece *const piece = &pieces->pieces[pieces->count++];
    piece->portions = 0;
    piece->inside = piece->tested = 0;
    piece->quad_count = nodes->stack_count;
    memcpy(piece->quads, nodes->stack, nodes->stack_count * sizeof *nodes->stack);
    memcpy(piece->masks, nodes->stack_masks, nodes->stack_count * sizeof *nodes->stack_masks);
}

static void add_portion(acre_query_piece *piece, const acre_quadtree *tree, const node_lists *nodes)
{
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        piece->inside += items_of_chain(tree, nodes->inside[i]);
    }
    for (uint32_t i = 0; i < nodes->intersecting_count; i++) {
        piece->tested += items_of_chain(tree, nodes->intersecting[i]);
    }
    piece->portions++;
}

// Runs the descent to its end. nodes: a copy of the walk's lists.
static void cut_at_portions(const query_walk *walk, node_lists *nodes, acre_query_pieces *out)
{
    quad_descent descent = descent_through(walk->tree, walk->filter.layers, walk->most_nodes);
    for (uint32_t portion = 0, stride = 1; nodes->stack_count > 0; portion++) {
        if (portion % stride == 0) {
            if (out->count == ACRE_QUERY_MOST_PIECES) {
                join_pieces(out);
                stride *= 2;
            }
            begin_piece(out, nodes);
        }
        nodes->inside_count = nodes->intersecting_count = 0;
        walk->kernel->descend(walk->volume, &descent, nodes);
        add_portion(&out->pieces[out->count - 1], walk->tree, nodes);
    }
}

void acre_cut_walk(const query_walk *walk, const node_lists *nodes, acre_query_pieces *out)
{
    node_lists rest; // its other lists are not read
    rest.stack_count = nodes->stack_count;
    memcpy(rest.stack, nodes->stack, nodes->stack_count * sizeof *rest.stack);
    memcpy(rest.stack_masks, nodes->stack_masks, nodes->stack_count * sizeof *rest.stack_masks);
    out->count = 0;
    out->inside = out->tested = 0;
    cut_at_portions(walk, &rest, out);
    for (uint32_t i = 0; i < out->count; i++) {
        out->inside += out->pieces[i].inside;
        out->tested += out->pieces[i].tested;
    }
}

void acre_walk_piece(query_walk *walk, const acre_query_piece *piece)
{
    node_lists nodes; // not zeroed, as in acre_walk
    ACRE_INVARIANT(piece->portions > 0 && piece->quad_count > 0 &&
                   piece->quad_count <= STACK_DEPTH);
    walk->portions = piece->portions;
    nodes.stack_count = piece->quad_count;
    memcpy(nodes.stack, piece->quads, piece->quad_count * sizeof *nodes.stack);
    memcpy(nodes.stack_masks, piece->masks, piece->quad_count * sizeof *nodes.stack_masks);
    nodes.inside_count = nodes.intersecting_count = 0;
    acre_walk(walk, &nodes);
    // As cut_at_portions counted them.
    ACRE_INVARIANT(walk->is_stopped || walk->portions == 0 || nodes.stack_count == 0);
}
