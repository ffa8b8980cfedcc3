// SPDX-License-Identifier: MIT
// quadtree_pairs.c - all pairs: for each node the groups near its items, for each group those that
// it overlaps.
#include "quadtree_pairing.h"
#include "quadtree_walk.h"

#include <math.h>
#include <string.h>

enum { MEETINGS_IN_LITTLE_ROOM = 16 };

typedef struct pair_search {
    const acre_quadtree *first, *second;
    pair_kernels kernels;
    const uint32_t *meets; // NULL: items that share a layer meet
    bool has_layers;       // some items may not meet
    uint32_t node;         // whose items have their turn
    acre_pair *pairs;
    size_t capacity, total;
    size_t named;        // of those before, the pairs are of items; of those behind, of locations
    query_volume volume; // around the node's own items
    pair_task task;
    acre_pair few[MEETINGS_IN_LITTLE_ROOM * PAIRS_OF_GROUPS];
} pair_search;

// ---- layers ----

// The layers that some of these meet.
static uint32_t met_by(const uint32_t *meets, uint32_t layers)
{
    uint32_t met = 0;
    while (layers) {
        met |= meets[take_lowest(&layers)];
    }
    return met;
}

static uint32_t layers_of(const acre_quadtree *tree, uint32_t item)
{
    return tree->layers ? tree->layers[item] : ~0u;
}

static bool do_meet(const uint32_t *meets, uint32_t a, uint32_t b)
{
    return meets ? (met_by(meets, a) & b) | (met_by(meets, b) & a) : a & b;
}

static size_t drop_strangers(const pair_search *search, acre_pair *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        pairs[kept] = pairs[i];
        kept += do_meet(search->meets, layers_of(search->first, pairs[i].a),
                        layers_of(search->second, pairs[i].b));
    }
    return kept;
}

// ---- pairs and where they go ----

// Where so many pairs have room: behind those found so far, or apart from them.
static acre_pair *room_for(pair_search *search, size_t most)
{
    const size_t room = search->total < search->capacity ? search->capacity - search->total : 0;
    return most <= room ? search->pairs + search->total : search->few;
}

// Locations to items, of one tree's the smaller one first.
static void name_items(const pair_search *search, acre_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = search->task.first_ids[pairs[i].a];
        const uint32_t b = search->task.second_ids[pairs[i].b];
        const bool turns = search->task.is_one_tree && b < a;
        pairs[i] = (acre_pair){turns ? b : a, turns ? a : b};
    }
}

// Those of a node at once: their ids were fetched when they were found.
static void name_found(pair_search *search)
{
    if (search->named < search->total) {
        name_items(search, search->pairs + search->named, search->total - search->named);
    }
    search->named = search->total;
}

static void keep_pairs(pair_search *search, acre_pair *found, size_t count)
{
    if (found != search->few && !search->has_layers) {
        search->total += count;
        return;
    }
    name_found(search);
    name_items(search, found, count);
    count = search->has_layers ? drop_strangers(search, found, count) : count;
    if (found == search->few && search->total < search->capacity) {
        const size_t room = search->capacity - search->total;
        memcpy(search->pairs + search->total, found, (count < room ? count : room) * sizeof *found);
    }
    search->total += count;
    search->named = search->total;
}

// The listed meetings: all at once, or else some at a time. That is the same to their order.
static void finish_meetings(pair_search *search)
{
    meeting_list *const meetings = &search->task.meetings;
    for (uint32_t first = 0, end; first < meetings->count; first = end) {
        end = meetings->count;
        acre_pair *out = room_for(search, (size_t)(end - first) * PAIRS_OF_GROUPS);
        if (out == search->few && end - first > MEETINGS_IN_LITTLE_ROOM) {
            end = first + MEETINGS_IN_LITTLE_ROOM;
            out = room_for(search, (size_t)(end - first) * PAIRS_OF_GROUPS);
        }
        keep_pairs(search, out,
                   search->kernels.pair->pair_meetings(&search->task, first, end, out));
    }
    meetings->count = meetings->run_count = 0;
}

// ---- a node and the groups near it ----

// group_word of a block's group.
static uint32_t word_of_group(uint32_t block, uint32_t group, uint32_t block_count)
{
    const uint32_t first = group * GROUP_SLOTS;
    const uint32_t rest = block_count > first ? block_count - first : 0;
    return group_word(block * BLOCK_GROUPS + group, rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
}

// The meetings of a group with those listed from `first` on.
static void list_meetings(pair_search *search, uint32_t word, const float *bounds, uint32_t first)
{
    meeting_list *const meetings = &search->task.meetings;
    const uint32_t count = search->kernels.pair->list_meetings(&search->task, bounds, first,
                                                               meetings->near + meetings->count);
    meetings->count += count;
    meetings->runs[meetings->run_count] = (group_run){word, meetings->count, bounds};
    meetings->run_count += count > 0;
    if (meetings->count > MEETINGS_LISTED) {
        finish_meetings(search);
    }
}

// All groups of the node and all that are listed. Two groups of one tree meet when it is the turn
// of the one that was listed first.
static void finish_listed(pair_search *search)
{
    const acre_quadtree *const tree = search->first;
    near_groups *const near = &search->task.near;
    uint32_t number = 0; // of a group in the node, and in one tree's list
    for (chain_walk at = chain_first(tree, search->node); at.count; at = chain_next(tree, at)) {
        const four_boxes *const bounds = &tree->headers[at.block].bounds;
        for (uint32_t group = 0; group < BLOCK_GROUPS; group++, number++) {
            const uint32_t behind = number + 1 > near->before ? number + 1 - near->before : 0;
            const uint32_t first = search->task.is_one_tree ? behind : 0;
            if (first < near->count && group * GROUP_SLOTS < at.count) {
                list_meetings(search, word_of_group(at.block, group, at.count),
                              &bounds->row[0][group], first);
            }
        }
    }
    finish_meetings(search);
    near->before += near->count;
    near->count = 0;
}

static void fetch_group(const pair_task *task, uint32_t number)
{
    const item_group *const group = &task->second_groups[number];
    for (int row = 0; row < ROW_COUNT; row++) {
        if (!task->is_on_ground || row / 2 != 1) {
            prefetch_line(group->row[row]);
        }
    }
}

// The node's own groups. Those without items have bounds that meet nothing; of outliers all meet.
static void list_own_blocks(pair_search *search)
{
    const acre_quadtree *const tree = search->first;
    near_groups *const near = &search->task.near;
    for (chain_walk own = chain_first(tree, search->node); own.count; own = chain_next(tree, own)) {
        if (near->count == NEAR_GROUPS_MAX) {
            finish_listed(search);
        }
        const uint32_t at = near->count;
        const four_boxes *const bounds = &tree->headers[own.block].bounds;
        for (int row = 0; row < ROW_COUNT; row++) {
            memcpy(near->bounds[at / GROUP_SLOTS].row[row] + at % GROUP_SLOTS, bounds->row[row],
                   sizeof bounds->row[row]);
        }
        for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
            const uint32_t word = word_of_group(own.block, group, own.count);
            near->groups[at + group] = (near_group){word, present_slots(group_count(word))};
            fetch_group(&search->task, group_number(word));
        }
        near->count += BLOCK_GROUPS;
    }
}

// Pairs within the groups of the node.
static void pair_own_blocks(pair_search *search)
{
    const acre_quadtree *const tree = search->first;
    for (chain_walk at = chain_first(tree, search->node); at.count; at = chain_next(tree, at)) {
        acre_pair *const out = room_for(search, BLOCK_GROUPS * PAIRS_IN_GROUP);
        keep_pairs(search, out,
                   search->kernels.pair->pair_block(&search->task, at.block, at.count, out));
    }
}

static void list_near(pair_search *search, const uint32_t *words, uint32_t count)
{
    near_groups *const near = &search->task.near;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = group_number(words[i]);
        if (near->count == NEAR_GROUPS_MAX) {
            finish_listed(search);
        }
        const uint32_t at = near->count++;
        const row_box bounds =
            lane_box(&search->second->headers[number / BLOCK_GROUPS].bounds, number % BLOCK_GROUPS);
        near->groups[at] = (near_group){words[i], present_slots(group_count(words[i]))};
        for (int row = 0; row < ROW_COUNT; row++) {
            near->bounds[at / GROUP_SLOTS].row[row][at % GROUP_SLOTS] = bounds.row[row];
        }
        fetch_group(&search->task, number);
    }
}

// Of one tree's nodes those that come behind the node: before, they met it in their turn.
static void drop_earlier(const pair_search *search, node_lists *nodes)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; search->task.is_one_tree && i < nodes->cut_count; i++) {
        const uint32_t word = nodes->cut[i], mask = nodes->cut_masks[i];
        nodes->cut[kept] = word;
        nodes->cut_masks[kept] = mask;
        kept += search->first->headers[chain_block(word)].node > search->node;
    }
    nodes->cut_count = search->task.is_one_tree ? kept : nodes->cut_count;
}

// The groups of the nodes listed so far that come near the node's items.
static void list_near_of_nodes(pair_search *search, node_lists *nodes)
{
    group_lists groups;
    chain_place place = {.node = 0, .block = NONE};
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        acre_list_chain(nodes, nodes->inside[i], MASK_BOX);
    }
    drop_earlier(search, nodes);
    while (place.node < nodes->cut_count) {
        groups.inside_count = groups.cut_count = 0;
        search->kernels.box->visit_chains(&search->volume, search->second, nodes, MOST_LISTED,
                                          &place, &groups);
        list_near(search, groups.inside, groups.inside_count);
        list_near(search, groups.cut, groups.cut_count);
    }
    nodes->inside_count = nodes->cut_count = 0;
}

static void find_near(pair_search *search)
{
    const acre_quadtree *const tree = search->second;
    quad_walk way = {.quads = tree->quads,
                     .cold = tree->cold,
                     .most_listed = LISTED_NODES - 4,
                     .quads_left = SIZE_MAX};
    node_lists nodes;
    acre_begin_walk(tree, &nodes, MASK_BOX);
    do {
        search->kernels.box->descend(&search->volume, &way, &nodes);
        list_near_of_nodes(search, &nodes);
    } while (nodes.stack_count > 0);
}

// Bounds of a node's own items.
static row_box own_bounds(const acre_quadtree *tree, uint32_t node)
{
    if (node != OUTLIER_NODE && !node_child(tree, node)) {
        return node_bounds(tree, node);
    }
    row_box bounds = rows_empty();
    for (chain_walk at = chain_first(tree, node); at.count; at = chain_next(tree, at)) {
        for (uint32_t group = 0; group * GROUP_SLOTS < at.count; group++) {
            const row_box part = lane_box(&tree->headers[at.block].bounds, group);
            rows_merge(&bounds, &part);
        }
    }
    return bounds;
}

static void pair_node(pair_search *search, uint32_t node)
{
    const acre_quadtree *const tree = search->first;
    row_box bounds = own_bounds(tree, node);
    if (search->task.is_on_ground) {
        bounds.row[ROW_Y_MIN] = -INFINITY;
        bounds.row[ROW_Y_MAX] = INFINITY;
    }
    search->node = node;
    search->volume.box = bounds;
    search->task.near.before = 0;
    if (search->task.is_one_tree) {
        list_own_blocks(search);
    }
    find_near(search);
    if (search->task.is_one_tree) {
        pair_own_blocks(search);
    }
    finish_listed(search);
    name_found(search);
}

static void pair_all(pair_search *search)
{
    const acre_quadtree *const tree = search->first;
    pair_node(search, ROOT_NODE);
    pair_node(search, OUTLIER_NODE);
    for (uint32_t q = 1; q < tree->quad_count; q++) {
        for (uint32_t slot = 0; tree->cold[q].level != NONE && slot < 4; slot++) {
            if (tree->quads[q].items[slot]) {
                pair_node(search, q * 4 + slot);
            }
        }
    }
}

// ---- what a program calls ----

static bool are_valid_rules(const acre_pairs_rules *rules)
{
    const uint32_t known = ACRE_PAIRS_ON_GROUND | ACRE_PAIRS_NOT_TOUCHING;
    return !rules || !(rules->flags & ~known);
}

static void start_task(pair_task *task, const acre_quadtree *first, const acre_quadtree *second,
                       uint32_t flags)
{
    task->first_groups = first->boxes->groups;
    task->second_groups = second->boxes->groups;
    task->first_ids = first->ids->id;
    task->second_ids = second->ids->id;
    task->is_one_tree = first == second;
    task->is_on_ground = flags & ACRE_PAIRS_ON_GROUND;
    task->drops_touching = flags & ACRE_PAIRS_NOT_TOUCHING;
    for (uint32_t i = 0; i < sizeof task->numbers / sizeof *task->numbers; i++) {
        task->numbers[i] = i;
    }
    task->near.count = 0;
    task->meetings.count = task->meetings.run_count = 0;
}

// A tree without items may have no arrays.
size_t acre_search_pairs(pair_kernels kernels, const acre_quadtree *first,
                         const acre_quadtree *second, const acre_pairs_rules *rules,
                         acre_pair *pairs, size_t capacity)
{
    if (first->item_count == 0 || second->item_count == 0) {
        return 0;
    }
    pair_search search; // not zeroed: its lists are large
    search.first = first;
    search.second = second;
    search.kernels = kernels;
    search.meets = rules ? rules->meets : NULL;
    search.has_layers = search.meets || first->layers || second->layers;
    start_task(&search.task, first, second, rules ? rules->flags : 0);
    search.pairs = pairs;
    search.capacity = capacity;
    search.total = search.named = 0;
    pair_all(&search);
    return search.total;
}

static pair_kernels kernels_of(const acre_quadtree *tree)
{
    return (pair_kernels){&volume_kernel_of(tree)->box, pair_kernel_of(tree)};
}

acre_result acre_quadtree_pairs(const acre_quadtree *tree, const acre_pairs_rules *rules,
                                acre_pair *pairs, size_t capacity, size_t *total)
{
    if (!tree || !are_valid_rules(rules) || (capacity > 0 && !pairs)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    const size_t found = acre_search_pairs(kernels_of(tree), tree, tree, rules, pairs, capacity);
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_PAIRS, .rules = rules, .capacity = capacity,
           .total = found, .pairs = pairs);
    access_end_read(&tree->access);
    if (total) {
        *total = found;
    }
    return ACRE_OK;
}

acre_result acre_quadtree_pairs_between(const acre_quadtree *first, const acre_quadtree *second,
                                        const acre_pairs_rules *rules, acre_pair *pairs,
                                        size_t capacity, size_t *total)
{
    if (!first || !second || first == second || !are_valid_rules(rules) ||
        (capacity > 0 && !pairs)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&first->access)) {
        return ACRE_ERROR_BUSY;
    }
    if (!access_begin_read(&second->access)) {
        access_end_read(&first->access);
        return ACRE_ERROR_BUSY;
    }
    const size_t found =
        acre_search_pairs(kernels_of(first), first, second, rules, pairs, capacity);
    access_end_read(&second->access);
    access_end_read(&first->access);
    if (total) {
        *total = found;
    }
    return ACRE_OK;
}

// ---- one item ----

typedef struct item_search {
    const acre_quadtree *tree;
    const uint32_t *meets;
    row_box box;
    uint32_t item, flags;
    uint32_t *items;
    size_t capacity, total;
} item_search;

static bool overlaps_inside(const row_box *a, const row_box *b, uint32_t flags)
{
    bool overlaps = true;
    for (int low = 0; low < ROW_COUNT; low += flags & ACRE_PAIRS_ON_GROUND ? 4 : 2) {
        overlaps &= a->row[low] < b->row[low + 1] && b->row[low] < a->row[low + 1];
    }
    return overlaps;
}

// A query's visitor: keeps what makes a pair with the item.
static bool take_partners(void *user, const uint32_t *items, size_t count)
{
    item_search *const search = user;
    const acre_quadtree *const tree = search->tree;
    for (size_t i = 0; i < count; i++) {
        const row_box box = location_box(tree, tree->locations[items[i]]);
        if (items[i] == search->item ||
            !do_meet(search->meets, layers_of(tree, items[i]), layers_of(tree, search->item)) ||
            ((search->flags & ACRE_PAIRS_NOT_TOUCHING) &&
             !overlaps_inside(&box, &search->box, search->flags))) {
            continue;
        }
        if (search->total < search->capacity) {
            search->items[search->total] = items[i];
        }
        search->total++;
    }
    return true;
}

static acre_result search_item(item_search *search)
{
    acre_aabb box;
    const acre_quadtree *const tree = search->tree;
    const acre_result found = acre_quadtree_get_box(tree, search->item, &box);
    if (found != ACRE_OK) {
        return found;
    }
    search->box = location_box(tree, tree->locations[search->item]);
    if (search->flags & ACRE_PAIRS_ON_GROUND) {
        box.min[1] = -INFINITY;
        box.max[1] = INFINITY;
    }
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &box};
    return acre_visit_untold(tree, &query, take_partners, search);
}

acre_result acre_quadtree_item_pairs(const acre_quadtree *tree, uint32_t item,
                                     const acre_pairs_rules *rules, uint32_t *items,
                                     size_t capacity, size_t *total)
{
    if (!tree || !are_valid_rules(rules) || (capacity > 0 && !items)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    item_search search = {.tree = tree,
                          .meets = rules ? rules->meets : NULL,
                          .item = item,
                          .flags = rules ? rules->flags : 0,
                          .items = items,
                          .capacity = capacity};
    const acre_result result = search_item(&search);
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_ITEM_PAIRS, .result = result, .item = item,
           .rules = rules, .capacity = capacity, .total = search.total, .found = items);
    access_end_read(&tree->access);
    if (result == ACRE_OK && total) {
        *total = search.total;
    }
    return result;
}
