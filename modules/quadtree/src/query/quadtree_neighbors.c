// SPDX-License-Identifier: MIT
// quadtree_neighbors.c - the neighbors of many items or points: rows that are near each other are
// searched together.
#include "float_bits.h"
#include "quadtree_neighboring.h"

#include <math.h>
#include <string.h>

// squares: beside the ids; NULL: none.
static uint32_t keep_in_layers(const acre_quadtree *tree, uint32_t layers, uint32_t *ids,
                               uint32_t *squares, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = ids[i];
        ids[kept] = item;
        if (squares) {
            squares[kept] = squares[i];
        }
        kept += (tree->layers[item] & layers) != 0;
    }
    return kept;
}

// Writes how far the neighbors are that are added next, as far as there is room.
static void write_distances(const acre_neighbor_lists *lists, const uint32_t *squares,
                            uint32_t count)
{
    const size_t room = room_in_lists(lists);
    for (uint32_t i = 0; i < count && i < room; i++) {
        lists->distances[lists->total + i] = sqrtf(float_of_bits(squares[i]));
    }
}

static void find_in_listed_groups(neighbor_search *search, const taken_row *row)
{
    acre_neighbor_lists *const lists = search->lists;
    const neighbor_kernel *const kernel = search->kernel;
    const size_t most = ((size_t)search->task.count + 1) * GROUP_SLOTS;
    uint32_t *const out =
        room_in_lists(lists) >= most ? lists->items + lists->total : search->found;
    uint32_t *const squares = lists->distances ? search->found_squares : NULL;
    uint32_t count =
        squares ? kernel->measure_near(&search->task, &row->round, row->place.own, out, squares)
                : kernel->find_near(&search->task, &row->round, row->place.own, out);
    ACRE_INVARIANT(count + GROUP_SLOTS <= most);
    count = row->layers ? keep_in_layers(search->tree, row->layers, out, squares, count) : count;
    begin_row(lists, row->row);
    if (squares) {
        write_distances(lists, squares, count);
    }
    add_neighbors(lists, row->row, out, count);
}

// ---- one row ----

// Writes how far items are from a row.
static void measure_found(const neighbor_search *search, const taken_row *row,
                          const uint32_t *items, size_t count, float *out)
{
    const acre_aabb origin = origin_of_row(search, row);
    for (size_t i = 0; i < count; i++) {
        const row_box rows = location_box(search->tree, search->tree->locations[items[i]]);
        const acre_aabb box = aabb_of_rows(&rows);
        out[i] = acre_aabb_distance(&origin, &box);
    }
}

// Searches for the neighbors of one row by a query of its own.
static void find_alone(neighbor_search *search, const taken_row *row)
{
    acre_neighbor_lists *const lists = search->lists;
    const size_t room = room_in_lists(lists);
    uint32_t *const out = room > 0 ? lists->items + lists->total : NULL;
    query_walk walk = array_walk(search->tree, out, room);
    search->volume.round = row->round;
    walk.filter.layers = row->layers;
    walk.filter.except = item_of_location(search->tree, row->place.own);
    walk.volume = &search->volume;
    walk.kernel = search->round;
    const bool is_endless = !float_is_finite(row->place.sphere.radius);
    acre_walk_all(&walk, is_endless ? 0 : MASK_BOX | MASK_BALL);
    begin_row(lists, row->row);
    if (lists->distances && room > 0) {
        measure_found(search, row, out, walk.total < room ? walk.total : room,
                      lists->distances + lists->total);
    }
    lists->rows[row->row].count = (uint32_t)walk.total;
    lists->total += walk.total;
}

// Where distances are wanted: those of all items count.
static void name_all_slots(neighbor_search *search)
{
    neighbor_task *const task = &search->task;
    for (uint32_t i = 0; search->lists->distances && i < task->count; i++) {
        task->slots[i] = present_slots(group_count(task->words[i]));
    }
}

// Searches taken rows together, in as few parts as pay.
static void find_within(neighbor_search *search, uint32_t count)
{
    for (uint32_t at = 0; at < count;) {
        const uint32_t left = count - at;
        const uint32_t take = search->together < left ? search->together : left;
        if (acre_list_groups_near(search, at, at + take, INFINITY, take * GROUPS_A_ROW)) {
            name_all_slots(search);
            for (uint32_t i = at; i < at + take; i++) {
                find_in_listed_groups(search, &search->taken[i]);
            }
        } else if (take > 1) {
            search->together = take / 2;
            continue;
        } else {
            find_alone(search, &search->taken[at]);
        }
        at += take;
    }
    // What was too many here may be right where the next rows are.
    search->together = search->together < ROWS_TOGETHER / 2 ? search->together * 2 : ROWS_TOGETHER;
}

// ---- all rows ----

// Takes rows in their order, from place `first` on, those of the nearest as long as they ask for
// the same layers. count: receives how many of them have a place; the others are empty. Returns
// which row comes next.
static size_t take_rows(neighbor_search *search, size_t first, size_t end, uint32_t *count)
{
    const acre_neighbor_row *const rows = search->lists->rows;
    const uint32_t *const own = search->tree->layers ? search->query->row_layers : NULL;
    uint32_t all = own ? own[rows[first].order] : search->layers, taken = 0;
    size_t at = first;
    for (; at < end && at - first < ROWS_TOGETHER; at++) {
        const uint32_t row = rows[at].order, layers = own ? own[row] : all;
        if (layers != all) {
            if (search->query->nearest > 0) {
                break;
            }
            all = all && layers ? all | layers : 0;
        }
        begin_row(search->lists, row);
        taken = take_near_row(search, taken, row, layers);
    }
    search->layers = all;
    *count = taken;
    return at;
}

// Puts rows that ask for the same layers side by side: they share what is near them.
static void sort_by_layers(const neighbor_search *search, acre_neighbor_row *rows, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint32_t row = rows[i].order, layers = layers_of_row(search->query, row);
        size_t at = i;
        for (; at > 0 && layers_of_row(search->query, rows[at - 1].order) > layers; at--) {
            rows[at].order = rows[at - 1].order;
        }
        rows[at].order = row;
    }
}

// What the row before says is of no use to one that asks for other layers.
static void begin_nearest(neighbor_search *search)
{
    search->guess.count = 0;
    search->hits_are_shared = false;
}

static void search_chunk(neighbor_search *search, size_t begin, size_t end_of_chunk)
{
    const acre_neighbors_query *const query = search->query;
    search->together = ROWS_TOGETHER;
    search->guess = (nearest_guess){.is_known = false};
    search->hits_are_shared = false;
    for (size_t at = begin; at < end_of_chunk && query->nearest > 0 && query->row_layers;
         at += FEW_ROWS_A_CHUNK) {
        const size_t left = end_of_chunk - at;
        sort_by_layers(search, search->lists->rows + at,
                       left < FEW_ROWS_A_CHUNK ? left : FEW_ROWS_A_CHUNK);
    }
    for (size_t at = begin; at < end_of_chunk;) {
        const uint32_t layers = search->layers;
        uint32_t count;
        at = take_rows(search, at, end_of_chunk, &count);
        if (query->nearest == 0) {
            find_within(search, count);
        } else {
            if (layers != search->layers) {
                begin_nearest(search);
            }
            acre_find_nearest_of_rows(search, count);
        }
    }
}

void acre_begin_search(neighbor_search *search, const acre_quadtree *tree,
                       const acre_neighbors_query *query)
{
    const bool is_flat = query->flags & ACRE_NEIGHBORS_ON_GROUND;
    search->tree = tree;
    search->query = query;
    search->layers = tree->layers ? query->layers : 0;
    search->box = &volume_kernel_of(tree)->box;
    search->round = is_flat ? &shape_kernel_of(tree)->circle : &shape_kernel_of(tree)->sphere;
    search->kernel = neighbor_kernel_of(tree);
    search->task.groups = tree->boxes->groups;
    search->task.ids = tree->ids->id;
    search->task.is_on_ground = is_flat;
}

void acre_search_rows(const acre_quadtree *tree, const acre_neighbors_query *query,
                      acre_neighbor_lists *lists, size_t first, size_t end)
{
    neighbor_search search; // not zeroed: its lists are large
    const size_t most = rows_a_chunk(tree);
    ACRE_INVARIANT(first % most == 0 && end <= query->count);
    acre_begin_search(&search, tree, query);
    search.lists = lists;
    for (size_t chunk = first; chunk < end; chunk += most) {
        search_chunk(&search, chunk, end - chunk < most ? end : chunk + most);
    }
}

static void search_neighbors(const acre_quadtree *tree, const acre_neighbors_query *query,
                             acre_neighbor_lists *lists)
{
    const size_t placed = acre_order_rows(tree, query, lists);
    lists->total = 0;
    const bool has_items = tree->item_count > 0; // or the tree may have no arrays
    if (has_items && !acre_search_rows_in_shares(tree, query, lists, placed)) {
        acre_search_rows(tree, query, lists, 0, placed);
    }
    for (size_t place = has_items ? placed : 0; place < query->count; place++) {
        begin_row(lists, lists->rows[place].order);
    }
}

// ---- what a program calls ----

bool acre_neighbors_query_is_valid(const acre_neighbors_query *query)
{
    return query && query->count <= UINT32_MAX &&
           (query->spheres || is_neighbor_radius(query->radius)) &&
           query->nearest <= ACRE_NEIGHBORS_MOST_NEAREST &&
           !(query->flags & ~(uint32_t)ACRE_NEIGHBORS_ON_GROUND);
}

acre_result acre_quadtree_neighbors(const acre_quadtree *tree, const acre_neighbors_query *query,
                                    acre_neighbor_lists *lists)
{
    if (lists) {
        lists->total = 0;
    }
    if (!tree || !lists || !acre_neighbors_query_is_valid(query) ||
        (query->count > 0 && !lists->rows) || (lists->capacity > 0 && !lists->items)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    search_neighbors(tree, query, lists);
    access_end_read(&tree->access);
    return lists->refused.first_result;
}
