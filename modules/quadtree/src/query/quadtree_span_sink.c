// SPDX-License-Identifier: MIT
// quadtree_span_sink.c - results as spans: of nodes wholly inside they point into the tree, all
// else is copied to the array.
#include "quadtree_walk.h"

// Adds the items copied since `begin` to the spans. If the last span is of copies, too, it grows.
static void span_copies(query_walk *walk, size_t begin)
{
    span_receiver *const out = walk->receiver;
    const size_t end = walk->total < walk->capacity ? walk->total : walk->capacity;
    if (walk->total == begin) {
        return;
    }
    if (!out->last_was_copied) {
        if (out->count < out->capacity) {
            uint32_t *const items = begin < end ? walk->items + begin : NULL;
            out->spans[out->count] = (acre_item_span){items, 0};
        }
        out->count++;
        out->last_was_copied = true;
    }
    if (begin < end && out->count <= out->capacity) {
        out->spans[out->count - 1].count += end - begin;
    }
}

// The end of the caller's spans, while chains are added.
typedef struct span_list {
    acre_item_span *next;
    size_t room;             // spans that still fit
    size_t beyond;           // spans that did not fit
    const uint32_t *all_ids; // of location 0, if spans are split
    size_t excepted;         // location of the excepted item
} span_list;

static inline void add_span(span_list *list, const uint32_t *ids, size_t count)
{
    if (list->room > 0) {
        *list->next++ = (acre_item_span){ids, count};
        list->room--;
    } else {
        list->beyond++;
    }
}

// Adds ids of the tree as a span, or what is before the excepted item and what is behind it.
// Returns how many items the spans have.
static size_t add_split_span(span_list *list, const uint32_t *ids, size_t count)
{
    const size_t first = (size_t)(ids - list->all_ids), before = list->excepted - first;
    if (list->excepted < first || before >= count) {
        add_span(list, ids, count);
        return count;
    }
    if (before > 0) {
        add_span(list, ids, before);
    }
    if (before + 1 < count) {
        add_span(list, ids + before + 1, count - before - 1);
    }
    return count - 1;
}

// Adds the chains of the inside list to the spans: a run as one span, other chains block by block.
// splits: an item of the tree is left out. Returns how many items the spans have.
ACRE_ALWAYS_INLINE size_t list_spans(query_walk *walk, const node_lists *nodes, span_list *list,
                                     bool splits)
{
    const block_ids *const ids = walk->tree->ids;
    const uint32_t *const next = walk->tree->next;
    size_t listed = 0, accepted = 0;
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        const uint32_t word = nodes->inside[i];
        uint32_t block = chain_block(word);
        size_t count = chain_count(word);
        if (chain_is_run(word)) {
            const uint32_t begin = run_begin(next, word);
            count += (size_t)(block - begin) * BLOCK_SLOTS;
            block = begin;
        }
        for (; block != NONE; block = chain_is_run(word) ? NONE : next[block]) {
            if (splits) {
                listed += add_split_span(list, ids[block].id, count);
            } else {
                add_span(list, ids[block].id, count);
            }
            accepted += count;
            count = BLOCK_SLOTS;
        }
    }
    walk->stats.items_accepted += accepted;
    return splits ? listed : accepted;
}

// Never inlined, so that the loop over the chains keeps its registers.
ACRE_NEVER_INLINE static void span_chains(query_walk *walk, const node_lists *nodes)
{
    span_receiver *const out = walk->receiver;
    const bool splits = walk->filter.except != NONE && has_item(walk->tree, walk->filter.except);
    const size_t room = out->count < out->capacity ? out->capacity - out->count : 0;
    span_list list = {.next = room > 0 ? out->spans + out->count : NULL, .room = room};
    if (splits) {
        list.all_ids = walk->tree->ids->id;
        list.excepted = walk->tree->locations[walk->filter.except];
        out->items_in_tree += list_spans(walk, nodes, &list, true);
    } else {
        out->items_in_tree += list_spans(walk, nodes, &list, false);
    }
    const size_t added = room - list.room + list.beyond;
    out->last_was_copied &= added == 0;
    out->count += added;
}

static void span_nodes(query_walk *walk, const node_lists *nodes)
{
    if (!walk->filter.layers) {
        span_chains(walk, nodes);
        return;
    }
    const size_t begin = walk->total;
    acre_take_chains(walk, nodes, 0, acre_write_ids);
    span_copies(walk, begin);
}

// Groups are too small for spans of their own: they are always copied.
static void span_groups(query_walk *walk, group_lists *groups)
{
    const size_t begin = walk->total;
    acre_write_groups(walk, groups);
    span_copies(walk, begin);
}

const query_sink acre_span_sink = {.take_nodes = span_nodes, .take_groups = span_groups};
