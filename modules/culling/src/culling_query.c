// SPDX-License-Identifier: MIT
// culling_query.c - the queries that answer slots: of a view, a camera or a volume; in a shape; the
// nearest.
#include "out_internal.h"
#include "quadtree_pieces_shared.h"
#include "view_find_internal.h"

#include "sort_internal.h"

// ---- views ----

static acre_result query_view(const acre_culling *culling, const acre_view *view, uint32_t *slots,
                              size_t capacity, size_t *total)
{
    set_count(total, 0);
    acre_result result = culling_begin_read(culling, acre_view_is_valid(view));
    if (result != ACRE_OK) {
        return result;
    }
    view_find find;
    acre_view_begin_find(&find, culling, view);
    find.slots = slots;
    find.room = slots ? capacity : 0;
    result = acre_view_find(&find);
    access_end_read(&culling->access);
    if (result == ACRE_OK) {
        set_count(total, find.count);
    }
    return result;
}

acre_result acre_culling_query_view(const acre_culling *culling, const acre_view *view,
                                    uint32_t *slots, size_t capacity, size_t *total)
{
    const acre_result result = query_view(culling, view, slots, capacity, total);
    return ACRE_ANSWER_RULE(result, view_broken_rule(view), "oV", culling, view);
}

acre_result acre_culling_query_frustum(const acre_culling *culling, const acre_frustum *frustum,
                                       uint32_t layers, uint32_t *slots, size_t capacity,
                                       size_t *total)
{
    acre_view view = {.layers = layers, .flags = ACRE_VIEW_IGNORE_RULES};
    if (frustum) {
        view.frustum = *frustum;
    }
    const acre_result result = query_view(culling, frustum ? &view : NULL, slots, capacity, total);
    return ACRE_ANSWER(result, "op", culling, frustum);
}

size_t acre_culling_query(const acre_culling *culling, const acre_camera *camera, uint32_t *slots,
                          size_t capacity)
{
    acre_view view;
    size_t total;
    ACRE_IGNORE(acre_view_of_camera(&view, camera)); // on an error the view sees everything
    const acre_result result = query_view(culling, camera ? &view : NULL, slots, capacity, &total);
    return result == ACRE_OK                    ? total
           : result == ACRE_ERROR_OUT_OF_MEMORY ? ACRE_NOTHING(result, "op", culling, camera)
                                                : ACRE_MISUSED(result, "op", culling, camera);
}

// ---- shapes ----

// Slots written and found so far.
typedef struct slot_output {
    uint32_t *slots;
    size_t capacity, count;
} slot_output;

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
    part.layers = culling_asked_layers(query->layers);
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
static acre_result query_trees(const acre_culling *culling, const acre_query *query,
                               shape_output *output)
{
    acre_result result = shape_of_tree(culling->trees[TREE_MOVING], query, output);
    if (result == ACRE_OK && culling->tree_counts[TREE_STATIC] > 0 &&
        !is_full(&output->slots, query)) {
        result = shape_of_tree(culling->trees[TREE_STATIC], query, output);
    }
    if (result == ACRE_OK && !is_full(&output->slots, query)) {
        slot_output *const slots = &output->slots;
        const size_t room = culling_room(slots->count, slots->capacity);
        slots->count += acre_culling_list_never(culling, query->layers, query->except_item1 - 1,
                                                room ? slots->slots + slots->count : NULL, room);
    }
    if (result == ACRE_OK && is_full(&output->slots, query)) {
        output->slots.count = output->slots.capacity;
    }
    return result;
}

static acre_result query_shape(const acre_culling *culling, const acre_query *query,
                               uint32_t *slots, size_t capacity, size_t *total)
{
    set_count(total, 0);
    acre_result result = culling_begin_read(culling, query && (capacity == 0 || slots));
    if (result != ACRE_OK) {
        return result;
    }
    shape_output output = {.slots = {slots, capacity, 0}};
    result = ACRE_UNTOLD(query_trees(culling, query, &output));
    access_end_read(&culling->access);
    if (result != ACRE_OK) {
        return result;
    }
    if (query->flags & ACRE_QUERY_SORTED) {
        sort_ascending(slots, output.slots.count < capacity ? output.slots.count : capacity);
    }
    set_count(total, output.slots.count);
    if (query->stats) {
        *query->stats = output.stats;
    }
    return ACRE_OK;
}

acre_result acre_culling_query_shape(const acre_culling *culling, const acre_query *query,
                                     uint32_t *slots, size_t capacity, size_t *total)
{
    const acre_result result = query_shape(culling, query, slots, capacity, total);
    return ACRE_ANSWER(result, "oQ[-n", culling, query, slots, capacity);
}

static acre_result nearest_of_trees(const acre_culling *culling, const acre_query *query,
                                    acre_query_hit *hits, size_t capacity, size_t *count)
{
    acre_query_stats stats;
    acre_query part = *query;
    part.layers = culling_asked_layers(query->layers);
    acre_result result =
        acre_quadtree_query_nearest(culling->trees[TREE_MOVING], &part, hits, capacity, count);
    if (result == ACRE_OK && culling->tree_counts[TREE_STATIC] > 0) {
        part.stats = query->stats ? &stats : NULL;
        result =
            acre_quadtree_add_nearest(culling->trees[TREE_STATIC], &part, hits, capacity, count);
        if (result == ACRE_OK && query->stats) {
            add_stats(query->stats, &stats);
        }
    }
    return result;
}

acre_result acre_culling_query_nearest(const acre_culling *culling, const acre_query *query,
                                       acre_query_hit *hits, size_t capacity, size_t *count)
{
    set_count(count, 0);
    acre_result result = culling_begin_read(culling, query != NULL);
    if (result == ACRE_OK) {
        result = ACRE_UNTOLD(nearest_of_trees(culling, query, hits, capacity, count));
        access_end_read(&culling->access);
    }
    if (result != ACRE_OK) {
        set_count(count, 0);
    }
    return ACRE_ANSWER(result, "oN[-np", culling, query, hits, capacity, count);
}
