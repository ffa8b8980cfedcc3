// SPDX-License-Identifier: MIT
// culling_query.c - spans, the slots in a shape, the nearest: what trees answer, of both in one.
#include "view_find_internal.h"

#include "float_bits.h"
#include "sort_internal.h"

#include <string.h>

// Slots written and found so far.
typedef struct slot_output {
    uint32_t *slots;
    size_t capacity, count;
} slot_output;

static void list_word(uint64_t bits, uint32_t first, uint32_t layers, const uint32_t *slot_layers,
                      slot_output *output)
{
    for (; bits; bits &= bits - 1) {
        const uint32_t slot = first + lowest_bit(bits);
        if (slot_layers[slot] & layers) {
            if (output->count < output->capacity) {
                output->slots[output->count] = slot;
            }
            output->count++;
        }
    }
}

// Cost: one summary word for 4096 slots, then the set's members.
static void list_never_culled(const acre_culling *culling, uint32_t layers, slot_output *output)
{
    if (culling->never_count == 0) {
        return;
    }
    const uint32_t *const slot_layers = acre_scene_get_view(culling->scene).layers;
    if (!slot_layers) {
        return; // someone commits meanwhile
    }
    const uint64_t *const words = culling->never.data;
    const uint64_t *const summary = culling->never_summary.data;
    for (size_t block = 0; block < culling->never_summary.capacity; block++) {
        for (uint64_t bits = summary[block]; bits; bits &= bits - 1) {
            const size_t word = block * 64 + lowest_bit(bits);
            list_word(words[word], (uint32_t)(word * 64), layers, slot_layers, output);
        }
    }
}

size_t acre_culling_list_never(const acre_culling *culling, uint32_t layers, uint32_t *slots,
                               size_t capacity)
{
    slot_output output = {slots, capacity, 0};
    list_never_culled(culling, layers ? layers : UINT32_MAX, &output);
    return output.count;
}

// Every item is in some layer of the scene's, so that all layers ask nothing.
static uint32_t asked_layers(uint32_t layers)
{
    return layers == UINT32_MAX ? 0 : layers;
}

// Where a span query writes, and what it found so far.
typedef struct span_output {
    acre_item_span *spans;
    size_t span_capacity;
    uint32_t *slots;
    size_t capacity;
    acre_span_totals totals;
} span_output;

static acre_result span_tree(const acre_quadtree *tree, const acre_query *query,
                             span_output *output)
{
    acre_span_totals *const totals = &output->totals;
    const size_t span_room = culling_room(totals->spans, output->span_capacity);
    const size_t room = culling_room(totals->copied, output->capacity);
    acre_span_totals found;
    const acre_result result = acre_quadtree_query_spans(
        tree, query, span_room ? output->spans + totals->spans : NULL, span_room,
        room ? output->slots + totals->copied : NULL, room, &found);
    if (result == ACRE_OK) {
        totals->items += found.items;
        totals->copied += found.copied;
        totals->spans += found.spans;
    }
    return result;
}

static void span_never_culled(const acre_culling *culling, uint32_t layers, span_output *output)
{
    acre_span_totals *const totals = &output->totals;
    slot_output copies = {output->slots, output->capacity, totals->copied};
    list_never_culled(culling, layers ? layers : UINT32_MAX, &copies);
    const size_t added = copies.count - totals->copied;
    if (added > 0 && totals->spans < output->span_capacity) {
        const size_t room = culling_room(totals->copied, output->capacity);
        output->spans[totals->spans] = (acre_item_span){
            room > 0 ? output->slots + totals->copied : NULL, added < room ? added : room};
    }
    totals->spans += added > 0;
    totals->copied += added;
    totals->items += added;
}

acre_result acre_culling_query_spans(const acre_culling *culling, const acre_frustum *frustum,
                                     uint32_t layers, acre_item_span *spans, size_t span_capacity,
                                     uint32_t *slots, size_t capacity, acre_span_totals *totals)
{
    if (!culling || !frustum || !totals || (span_capacity > 0 && !spans) ||
        (capacity > 0 && !slots)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_view view = {.frustum = *frustum, .layers = layers};
    view_volume volume;
    acre_view_prepare_volume(&volume, &view);
    span_output output = {spans, span_capacity, slots, capacity, {0, 0, 0}};
    acre_result result = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK; i++) {
        if (culling->tree_counts[i] > 0) {
            result = span_tree(culling->trees[i], &volume.query, &output);
        }
    }
    if (result == ACRE_OK) {
        span_never_culled(culling, layers, &output);
        *totals = output.totals;
    }
    access_end_read(&culling->access);
    return result;
}

// Where a query by shape writes, and what its trees did.
typedef struct shape_output {
    slot_output slots;
    acre_query_stats stats;
} shape_output;

static bool is_full(const slot_output *output, const acre_query *query)
{
    return (query->flags & ACRE_QUERY_STOP_WHEN_FULL) && output->count >= output->capacity;
}

static void add_stats(acre_query_stats *sum, const acre_query_stats *stats)
{
    sum->nodes_tested += stats->nodes_tested;
    sum->items_tested += stats->items_tested;
    sum->items_accepted += stats->items_accepted;
}

// What one tree finds, behind what is there already.
static acre_result shape_of_tree(const acre_quadtree *tree, const acre_query *query,
                                 shape_output *output)
{
    slot_output *const slots = &output->slots;
    const size_t room = culling_room(slots->count, slots->capacity);
    acre_query_stats stats;
    acre_query part = *query;
    part.layers = asked_layers(query->layers);
    part.flags &= ~(uint32_t)ACRE_QUERY_SORTED; // at the end, of all
    part.stats = query->stats ? &stats : NULL;
    size_t found = 0;
    const acre_result result =
        acre_quadtree_query(tree, &part, room ? slots->slots + slots->count : NULL, room, &found);
    if (result == ACRE_OK) {
        slots->count += found;
        if (part.stats) {
            add_stats(&output->stats, &stats);
        }
    }
    return result;
}

// The moving tree is asked also when it is empty: it refuses what is no query.
static acre_result query_shape(const acre_culling *culling, const acre_query *query,
                               shape_output *output)
{
    acre_result result = shape_of_tree(culling->trees[TREE_MOVING], query, output);
    if (result == ACRE_OK && culling->tree_counts[TREE_STATIC] > 0 &&
        !is_full(&output->slots, query)) {
        result = shape_of_tree(culling->trees[TREE_STATIC], query, output);
    }
    if (result == ACRE_OK && !is_full(&output->slots, query)) {
        list_never_culled(culling, query->layers ? query->layers : UINT32_MAX, &output->slots);
    }
    if (result == ACRE_OK && is_full(&output->slots, query)) {
        output->slots.count = output->slots.capacity;
    }
    return result;
}

acre_result acre_culling_query_shape(const acre_culling *culling, const acre_query *query,
                                     uint32_t *slots, size_t capacity, size_t *total)
{
    if (!culling || !query || (capacity > 0 && !slots)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    shape_output output = {.slots = {slots, capacity, 0}};
    const acre_result result = query_shape(culling, query, &output);
    access_end_read(&culling->access);
    if (result != ACRE_OK) {
        return result;
    }
    if (query->flags & ACRE_QUERY_SORTED) {
        sort_ascending(slots, output.slots.count < capacity ? output.slots.count : capacity);
    }
    if (total) {
        *total = output.slots.count;
    }
    if (query->stats) {
        *query->stats = output.stats;
    }
    return ACRE_OK;
}

acre_result acre_culling_query_nearest(const acre_culling *culling, const acre_query *query,
                                       acre_query_hit *hits, size_t capacity, size_t *count)
{
    if (!culling || !query) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_query_stats stats;
    acre_query part = *query;
    part.layers = asked_layers(query->layers);
    acre_result result =
        acre_quadtree_query_nearest(culling->trees[TREE_MOVING], &part, hits, capacity, count);
    if (result == ACRE_OK && culling->tree_counts[TREE_STATIC] > 0) {
        part.stats = query->stats ? &stats : NULL;
        result = acre_quadtree_query_add_nearest(culling->trees[TREE_STATIC], &part, hits, capacity,
                                                 count);
        if (result == ACRE_OK && query->stats) {
            add_stats(query->stats, &stats);
        }
    }
    access_end_read(&culling->access);
    return result;
}
