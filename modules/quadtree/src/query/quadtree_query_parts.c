// SPDX-License-Identifier: MIT
// quadtree_query_parts.c - the rest of a walk cut into parts of whole portions.
//
// A part is what the stack was at its beginning, and how many portions of the walk follow. Portions
// are those of a walk on one thread, so that the parts one after the other have the same order.
#include "quadtree_walk.h"

#include "tasks_internal.h"

#include <string.h>

_Static_assert(STACK_DEPTH <= sizeof((acre_query_part *)0)->quads / sizeof(uint32_t),
               "a part has room for every stack");

// A visit of less than a share's least, divided by this, goes on alone.
enum { SERIAL_SHARE = 3 };

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

// Makes half as many parts, each of two.
static void join_parts(acre_query_parts *parts)
{
    ACRE_INVARIANT(parts->count == ACRE_QUERY_MOST_PARTS);
    for (uint32_t i = 0; i < ACRE_QUERY_MOST_PARTS / 2; i++) {
        const acre_query_part *const second = &parts->parts[2 * i + 1];
        const uint32_t portions = second->portions;
        const size_t inside = second->inside, tested = second->tested;
        parts->parts[i] = parts->parts[2 * i];
        parts->parts[i].portions += portions;
        parts->parts[i].inside += inside;
        parts->parts[i].tested += tested;
    }
    parts->count = ACRE_QUERY_MOST_PARTS / 2;
}

static void begin_part(acre_query_parts *parts, const node_lists *nodes)
{
    ACRE_INVARIANT(parts->count < ACRE_QUERY_MOST_PARTS);
    ACRE_INVARIANT(nodes->stack_count > 0 && nodes->stack_count <= STACK_DEPTH);
    acre_query_part *const part = &parts->parts[parts->count++];
    part->portions = 0;
    part->inside = part->tested = 0;
    part->quad_count = nodes->stack_count;
    memcpy(part->quads, nodes->stack, nodes->stack_count * sizeof *nodes->stack);
    memcpy(part->masks, nodes->stack_masks, nodes->stack_count * sizeof *nodes->stack_masks);
}

static void add_portion(acre_query_part *part, const acre_quadtree *tree, const node_lists *nodes)
{
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        part->inside += items_of_chain(tree, nodes->inside[i]);
    }
    for (uint32_t i = 0; i < nodes->intersecting_count; i++) {
        part->tested += items_of_chain(tree, nodes->intersecting[i]);
    }
    part->portions++;
}

// Runs the descent to its end. nodes: a copy of the walk's lists.
static void cut_at_portions(const query_walk *walk, node_lists *nodes, acre_query_parts *out)
{
    quad_descent descent = {.quads = walk->tree->quads,
                            .cold = walk->tree->cold,
                            .layers = walk->layers,
                            .most_listed = portion_nodes(walk),
                            .quads_left = SIZE_MAX};
    for (uint32_t portion = 0, stride = 1; nodes->stack_count > 0; portion++) {
        if (portion % stride == 0) {
            if (out->count == ACRE_QUERY_MOST_PARTS) {
                join_parts(out);
                stride *= 2;
            }
            begin_part(out, nodes);
        }
        nodes->inside_count = nodes->intersecting_count = 0;
        walk->kernel->descend(walk->volume, &descent, nodes);
        add_portion(&out->parts[out->count - 1], walk->tree, nodes);
    }
}

void acre_cut_walk(const query_walk *walk, const node_lists *nodes, acre_query_parts *out)
{
    node_lists rest; // its other lists are not read
    rest.stack_count = nodes->stack_count;
    memcpy(rest.stack, nodes->stack, nodes->stack_count * sizeof *rest.stack);
    memcpy(rest.stack_masks, nodes->stack_masks, nodes->stack_count * sizeof *rest.stack_masks);
    out->count = 0;
    out->inside = out->tested = 0;
    cut_at_portions(walk, &rest, out);
    for (uint32_t i = 0; i < out->count; i++) {
        out->inside += out->parts[i].inside;
        out->tested += out->parts[i].tested;
    }
}

void acre_walk_part(query_walk *walk, const acre_query_part *part)
{
    node_lists nodes; // not zeroed, as in acre_walk
    ACRE_INVARIANT(part->portions > 0 && part->quad_count > 0 && part->quad_count <= STACK_DEPTH);
    walk->portions = part->portions;
    walk->is_undivided = true;
    nodes.stack_count = part->quad_count;
    memcpy(nodes.stack, part->quads, part->quad_count * sizeof *nodes.stack);
    memcpy(nodes.stack_masks, part->masks, part->quad_count * sizeof *nodes.stack_masks);
    nodes.inside_count = nodes.intersecting_count = 0;
    acre_walk(walk, &nodes);
    // As cut_at_portions counted them.
    ACRE_INVARIANT(walk->is_stopped || walk->portions == 0 || nodes.stack_count == 0);
}

bool acre_leave_rest(query_walk *walk, const node_lists *nodes)
{
    const acre_tasks *const tasks = &walk->tree->tasks;
    acre_query_parts *const rest = walk->visit->rest;
    ACRE_INVARIANT(rest && rest->count == 0 && nodes->stack_count > 0);
    if (walk->tree->listener) {
        walk->is_undivided = true;
        return false;
    }
    const size_t least = walk->visit->least;
    const size_t visited = walk->stats.items_accepted + walk->stats.items_tested;
    if (visited < least / SERIAL_SHARE && !tasks->divides_small_calls) {
        return false;
    }
    walk->is_undivided = true; // it is now or never
    acre_cut_walk(walk, nodes, rest);
    if (rest->count < 2 || share_count_for(tasks, rest->inside + rest->tested, least) < 2) {
        rest->count = 0;
    }
    return rest->count > 0;
}
