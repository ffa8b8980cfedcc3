// SPDX-License-Identifier: MIT
// quadtree_neighbors.c - the neighbors of many items or points: rows that are near each other are
// searched together.
#include "quadtree_neighboring.h"
#include "quadtree_walk.h"

#include <math.h>
#include <string.h>

// How much farther than those of the row before a row's nearest may be, and still be found in the
// groups that are listed together.
#define NEAREST_GUESS 1.25f

// A row that is searched now.
typedef struct taken_row {
    uint32_t row;
    row_place place;
    shape_round round;
} taken_row;

// The nearest hits of the row before. Those of a row that is `moved` away are no farther than its
// farthest hit was, and `moved` more.
typedef struct last_nearest {
    size_t count; // hits; 0: none yet
    float center[3];
    float farthest;
} last_nearest;

typedef struct neighbor_search {
    const acre_quadtree *tree;
    const acre_neighbors_query *query;
    acre_neighbor_lists *lists;
    uint32_t layers; // only items that share a bit; 0: all
    const query_kernel *box;
    const query_kernel *round;
    const neighbor_kernel *kernel;
    uint32_t together; // how many rows to search together next
    query_volume volume;
    taken_row taken[ROWS_TOGETHER];
    neighbor_task task;
    last_nearest last;
    uint32_t found[(MOST_NEAR_GROUPS + 1) * GROUP_SLOTS];   // where the array is short of room
    uint32_t squares[(MOST_NEAR_GROUPS + 1) * GROUP_SLOTS]; // of found: bits of squared distances
} neighbor_search;

static bool is_on_ground(const neighbor_search *search)
{
    return search->query->flags & ACRE_NEIGHBORS_ON_GROUND;
}

// ---- where neighbors go ----

static size_t room_in_lists(const acre_neighbor_lists *lists)
{
    return lists->total < lists->capacity ? lists->capacity - lists->total : 0;
}

static void begin_row(acre_neighbor_lists *lists, uint32_t row)
{
    lists->rows[row].first = lists->total;
    lists->rows[row].count = 0;
}

// Adds neighbors to the row that was begun last. ids: in the array already, or elsewhere.
static void add_neighbors(acre_neighbor_lists *lists, uint32_t row, const uint32_t *ids,
                          size_t count)
{
    const size_t room = room_in_lists(lists), fitting = count < room ? count : room;
    ACRE_INVARIANT(lists->total == lists->rows[row].first + lists->rows[row].count);
    if (fitting > 0 && ids != lists->items + lists->total) {
        memcpy(lists->items + lists->total, ids, fitting * sizeof *ids);
    }
    lists->rows[row].count += (uint32_t)count;
    lists->total += count;
}

static uint32_t keep_in_layers(const neighbor_search *search, uint32_t *ids, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = ids[i];
        ids[kept] = item;
        kept += (search->tree->layers[item] & search->layers) != 0;
    }
    return kept;
}

// ---- rows together ----

// A box around the spheres of some rows, with radii of at most `widest`. It reaches beyond
// everything that their tests accept, as acre_prepare_sphere says, and is rounded outward.
static row_box box_around(const neighbor_search *search, uint32_t first, uint32_t end, float widest)
{
    row_box box = {{0}};
    double reach = 0.0;
    for (uint32_t i = first; i < end; i++) {
        const float radius = search->taken[i].place.sphere.radius;
        const float own = radius < widest ? radius : widest;
        reach = (double)own > reach ? (double)own : reach;
    }
    reach += 2.0 * (reach * SHAPE_SLACK_SHARE + LEAST_SLACK);
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = first; i < end; i++) {
            const float center = search->taken[i].place.sphere.center[axis];
            low = center < low ? center : low;
            high = center > high ? center : high;
        }
        const double least = (double)low - reach, most = (double)high + reach;
        box.row[axis * 2] = (float)(least - fabs(least) * 0x1p-23 - 0x1p-148);
        box.row[axis * 2 + 1] = (float)(most + fabs(most) * 0x1p-23 + 0x1p-148);
    }
    if (is_on_ground(search)) {
        box.row[ROW_Y_MIN] = -INFINITY;
        box.row[ROW_Y_MAX] = INFINITY;
    }
    return box;
}

// Adds groups to the task. Returns false if there are more than `most` then.
static bool add_groups_to_task(neighbor_search *search, const uint32_t *words, uint32_t count,
                               uint32_t most)
{
    neighbor_task *const task = &search->task;
    if (task->count + count > most) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t group = group_number(words[i]), at = task->count++;
        const four_boxes *const bounds = &search->tree->headers[group / BLOCK_GROUPS].bounds;
        ACRE_INVARIANT(at < MOST_NEAR_GROUPS);
        task->words[at] = words[i];
        for (int row = 0; row < ROW_COUNT; row++) {
            task->bounds[at / GROUP_SLOTS].row[row][at % GROUP_SLOTS] =
                bounds->row[row][group % BLOCK_GROUPS];
        }
    }
    return true;
}

// Adds the groups of the nodes listed so far.
static bool add_nodes_to_task(neighbor_search *search, node_lists *nodes, uint32_t most)
{
    group_lists groups;
    chain_position position = {.node = 0, .block = NONE};
    bool fits = true;
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        acre_list_chain(nodes, nodes->inside[i], MASK_BOX);
    }
    while (fits && position.node < nodes->intersecting_count) {
        groups.inside_count = groups.intersecting_count = 0;
        search->box->visit_chains(&search->volume, search->tree, nodes, MOST_LISTED, &position,
                                  &groups);
        fits = add_groups_to_task(search, groups.inside, groups.inside_count, most) &&
               add_groups_to_task(search, groups.intersecting, groups.intersecting_count, most);
    }
    nodes->inside_count = nodes->intersecting_count = 0;
    return fits;
}

// Lists the groups near some rows. widest: as box_around. Returns false if they are so many that
// rows had better be searched by fewer.
static bool list_groups_near(neighbor_search *search, uint32_t first, uint32_t end, float widest)
{
    const uint32_t most = (end - first) * GROUPS_A_ROW;
    quad_descent descent = descent_through(search->tree, search->layers, PORTION_NODES);
    node_lists nodes;
    bool fits = true;
    search->volume.box = box_around(search, first, end, widest);
    search->task.count = 0;
    acre_begin_walk(search->tree, &nodes, MASK_BOX);
    do {
        search->box->descend(&search->volume, &descent, &nodes);
        fits = add_nodes_to_task(search, &nodes, most);
    } while (fits && nodes.stack_count > 0);
    return fits;
}

static void find_in_listed_groups(neighbor_search *search, const taken_row *row)
{
    acre_neighbor_lists *const lists = search->lists;
    const size_t most = ((size_t)search->task.count + 1) * GROUP_SLOTS;
    uint32_t *const out =
        room_in_lists(lists) >= most ? lists->items + lists->total : search->found;
    uint32_t count = search->kernel->find_near(&search->task, &row->round, row->place.own, out);
    ACRE_INVARIANT(count + GROUP_SLOTS <= most);
    count = search->layers ? keep_in_layers(search, out, count) : count;
    begin_row(lists, row->row);
    add_neighbors(lists, row->row, out, count);
}

// ---- one row ----

static uint32_t item_of_location(const acre_quadtree *tree, uint32_t location)
{
    return location == ABSENT ? NONE
                              : tree->ids[location_block(location)].id[location_slot(location)];
}

// Searches for the neighbors of one row by a query of its own.
static void find_alone(neighbor_search *search, const taken_row *row)
{
    acre_neighbor_lists *const lists = search->lists;
    const size_t room = room_in_lists(lists);
    uint32_t *const out = room > 0 ? lists->items + lists->total : NULL;
    query_walk walk = array_walk(search->tree, out, room);
    search->volume.round = row->round;
    walk.filter.layers = search->layers;
    walk.filter.except = item_of_location(search->tree, row->place.own);
    walk.volume = &search->volume;
    walk.kernel = search->round;
    const bool is_endless = !float_is_finite(row->place.sphere.radius);
    acre_walk_all(&walk, is_endless ? 0 : MASK_BOX | MASK_BALL);
    begin_row(lists, row->row);
    lists->rows[row->row].count = (uint32_t)walk.total;
    lists->total += walk.total;
}

// Searches taken rows together, in as few parts as pay.
static void find_within(neighbor_search *search, uint32_t count)
{
    for (uint32_t at = 0; at < count;) {
        const uint32_t left = count - at;
        const uint32_t take = search->together < left ? search->together : left;
        if (list_groups_near(search, at, at + take, INFINITY)) {
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

// ---- the nearest ----

// How far the hits of a row can be, by those of the row before; 0: unknown.
static float nearest_limit(const neighbor_search *search, const float *center, size_t wanted)
{
    const last_nearest *const last = &search->last;
    if (last->count < wanted) {
        return 0.0f;
    }
    double squared = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double moved = (double)center[axis] - (double)last->center[axis];
        squared += moved * moved;
    }
    // More than what floats lose in distances.
    const double limit = ((double)last->farthest + sqrt(squared)) * (1.0 + 0x1p-18) + 0x1p-60;
    return limit < (double)FLT_MAX ? (float)limit : 0.0f;
}

// Adds the nearest of some hits, nearest first, and remembers how far they are.
static void add_hits(neighbor_search *search, const taken_row *row, const acre_query_hit *hits,
                     size_t count, size_t measured)
{
    const uint32_t own = item_of_location(search->tree, row->place.own);
    ACRE_INVARIANT(measured <= count);
    begin_row(search->lists, row->row);
    for (size_t i = 0; i < count && search->lists->rows[row->row].count < search->query->nearest;
         i++) {
        if (hits[i].item != own) {
            add_neighbors(search->lists, row->row, &hits[i].item, 1);
        }
    }
    search->last.count = measured;
    search->last.farthest = measured > 0 ? hits[measured - 1].distance : 0.0f;
    memcpy(search->last.center, row->place.sphere.center, sizeof search->last.center);
}

// A query of its own, which begins with what the row before says.
static void find_nearest_alone(neighbor_search *search, const taken_row *row)
{
    acre_query_hit hits[ACRE_NEIGHBORS_MOST_NEAREST + 1];
    const acre_sphere *const sphere = &row->place.sphere;
    const float *const center = sphere->center;
    const acre_circle circle = {{center[0], center[2]}, sphere->radius};
    const bool is_flat = is_on_ground(search);
    const acre_aabb origin = {{center[0], is_flat ? -INFINITY : center[1], center[2]},
                              {center[0], is_flat ? INFINITY : center[1], center[2]}};
    const size_t wanted = (size_t)search->query->nearest + (row->place.own != ABSENT);
    acre_query query = {.shape = is_flat ? ACRE_QUERY_SHAPE_CIRCLE : ACRE_QUERY_SHAPE_SPHERE,
                        .sphere = sphere,
                        .circle = &circle,
                        .layers = search->layers,
                        .origin = &origin,
                        .max_distance = nearest_limit(search, center, wanted)};
    if (!float_is_finite(sphere->radius)) {
        query.shape = ACRE_QUERY_SHAPE_ALL;
    }
    size_t count = 0;
    acre_find_nearest(search->tree, &query, hits, wanted, &count);
    add_hits(search, row, hits, count, count);
}

static float hit_distance(uint32_t square_bits)
{
    float square;
    memcpy(&square, &square_bits, sizeof square);
    return sqrtf(square);
}

// Measures the items of the listed groups within a guessed distance. Returns false if the nearest
// may be elsewhere.
static bool find_nearest_in_listed_groups(neighbor_search *search, const taken_row *row,
                                          float widest)
{
    acre_query_hit hits[ACRE_NEIGHBORS_MOST_NEAREST + 1];
    const size_t wanted = search->query->nearest;
    const float guess = NEAREST_GUESS * search->last.farthest;
    const float reach = guess < widest ? guess : widest;
    const bool is_whole = row->place.sphere.radius <= reach;
    const shape_round round =
        is_whole ? row->round : shape_round_of(row->place.sphere.center, reach);
    const uint32_t found = search->kernel->measure_near(&search->task, &round, row->place.own,
                                                        search->found, search->squares);
    size_t count = 0;
    if (found > sizeof hits / sizeof *hits) {
        return false;
    }
    for (uint32_t i = 0; i < found; i++) {
        const uint32_t item = search->found[i];
        hits[count] = (acre_query_hit){item, hit_distance(search->squares[i])};
        count += !search->layers || (search->tree->layers[item] & search->layers);
    }
    acre_sort_hits(hits, count);
    if (!is_whole && (count < wanted || !(hits[wanted - 1].distance <= reach))) {
        return false;
    }
    add_hits(search, row, hits, count, count < wanted + 1 ? count : wanted + 1);
    return true;
}

// Searches taken rows together as far as the hits of the rows before say how far away the nearest
// are.
static void find_nearest_within(neighbor_search *search, uint32_t count)
{
    const float widest = NEAREST_GUESS * NEAREST_GUESS * search->last.farthest;
    const bool is_listed =
        count > 0 && search->last.count > 0 && list_groups_near(search, 0, count, widest);
    for (uint32_t i = 0; i < count; i++) {
        const taken_row *const row = &search->taken[i];
        if (!is_listed || !find_nearest_in_listed_groups(search, row, widest)) {
            find_nearest_alone(search, row);
        }
    }
}

// ---- all rows ----

// Takes rows in their order, from place `first` on. Returns how many of them have a place; the
// others are empty.
static uint32_t take_rows(neighbor_search *search, size_t first, size_t end)
{
    uint32_t count = 0;
    ACRE_INVARIANT(end - first <= ROWS_TOGETHER);
    for (size_t at = first; at < end; at++) {
        taken_row *const taken = &search->taken[count];
        taken->row = search->lists->rows[at].order;
        begin_row(search->lists, taken->row);
        if (acre_find_row_place(search->tree, search->query, taken->row, &taken->place)) {
            taken->round = shape_round_of(taken->place.sphere.center, taken->place.sphere.radius);
            count++;
        }
    }
    return count;
}

static void search_chunk(neighbor_search *search, size_t begin, size_t end_of_chunk)
{
    search->together = ROWS_TOGETHER;
    search->last.count = 0;
    for (size_t first = begin; first < end_of_chunk; first += ROWS_TOGETHER) {
        const size_t left = end_of_chunk - first;
        const uint32_t count =
            take_rows(search, first, left < ROWS_TOGETHER ? end_of_chunk : first + ROWS_TOGETHER);
        if (search->query->nearest > 0) {
            find_nearest_within(search, count);
        } else {
            find_within(search, count);
        }
    }
}

void acre_search_rows(const acre_quadtree *tree, const acre_neighbors_query *query,
                      acre_neighbor_lists *lists, size_t first, size_t end)
{
    neighbor_search search; // not zeroed: its lists are large
    const bool is_flat = query->flags & ACRE_NEIGHBORS_ON_GROUND;
    const size_t most = rows_a_chunk(tree);
    ACRE_INVARIANT(first % most == 0 && end <= query->count);
    search.tree = tree;
    search.query = query;
    search.lists = lists;
    search.layers = tree->layers ? query->layers : 0;
    search.box = &volume_kernel_of(tree)->box;
    search.round = is_flat ? &shape_kernel_of(tree)->circle : &shape_kernel_of(tree)->sphere;
    search.kernel = neighbor_kernel_of(tree);
    search.task.groups = tree->boxes->groups;
    search.task.ids = tree->ids->id;
    search.task.is_on_ground = is_flat;
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

static bool is_valid_neighbors_query(const acre_neighbors_query *query)
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
    if (!tree || !lists || !is_valid_neighbors_query(query) || (query->count > 0 && !lists->rows) ||
        (lists->capacity > 0 && !lists->items)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    search_neighbors(tree, query, lists);
    access_end_read(&tree->access);
    return lists->refused.first_result;
}
