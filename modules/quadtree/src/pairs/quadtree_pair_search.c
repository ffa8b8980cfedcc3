// SPDX-License-Identifier: MIT
// quadtree_pair_search.c - pairs of a range of quads, a node at a time: candidates, then group
// pairs, then pairs of items.
#include "quadtree_pairing.h"
#include "quadtree_walk.h"

#include <math.h>
#include <string.h>

enum { LOCAL_GROUP_PAIRS = 16 };

typedef struct pair_search {
    const acre_quadtree *first;
    const acre_quadtree *second;
    pair_kernels kernels;
    const uint32_t *meets; // as in acre_pairs_rules
    bool has_layers;       // the layer filter may drop pairs
    uint32_t node;         // its items are paired now
    acre_pair *pairs;
    size_t capacity;
    size_t total;
    size_t named;        // pairs[0..named) hold item ids, pairs[named..total) still hold locations
    query_volume volume; // a box around the node's own items
    pair_task task;
    acre_pair local[LOCAL_GROUP_PAIRS * PAIRS_OF_GROUPS]; // where the array is short of room
} pair_search;

// Drops the pairs whose layers do not match. Returns how many are kept.
static size_t filter_layers(const pair_search *search, acre_pair *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        pairs[kept] = pairs[i];
        kept += layers_match(search->meets, layers_of(search->first, pairs[i].a),
                             layers_of(search->second, pairs[i].b));
    }
    return kept;
}

// ---- pairs and where they go ----

// Room for `most` pairs: at the end of the array, or in the local buffer.
static acre_pair *room_for(pair_search *search, size_t most)
{
    const size_t room = search->total < search->capacity ? search->capacity - search->total : 0;
    return most <= room ? search->pairs + search->total : search->local;
}

// Turns locations into item ids. In pairs of one tree the smaller id comes first.
static void name_items(const pair_search *search, acre_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = search->task.first_ids[pairs[i].a];
        const uint32_t b = search->task.second_ids[pairs[i].b];
        const bool is_swapped = search->task.is_one_tree && b < a;
        pairs[i] = (acre_pair){is_swapped ? b : a, is_swapped ? a : b};
    }
}

// Names the pairs that still hold locations: a whole node's at once, since their ids were
// prefetched when the pairs were found.
static void name_found(pair_search *search)
{
    ACRE_INVARIANT(search->named <= search->total);
    if (search->named < search->total) {
        name_items(search, search->pairs + search->named, search->total - search->named);
    }
    search->named = search->total;
}

// Adds pairs that a kernel wrote to the array's end or to the local buffer.
static void keep_pairs(pair_search *search, acre_pair *found, size_t count)
{
    ACRE_INVARIANT(found == search->local ? count <= sizeof search->local / sizeof *search->local
                                          : search->total + count <= search->capacity);
    if (found != search->local && !search->has_layers) {
        search->total += count;
        return;
    }
    name_found(search);
    name_items(search, found, count);
    count = search->has_layers ? filter_layers(search, found, count) : count;
    if (found == search->local && search->total < search->capacity) {
        const size_t room = search->capacity - search->total;
        memcpy(search->pairs + search->total, found, (count < room ? count : room) * sizeof *found);
    }
    search->total += count;
    search->named = search->total;
}

// Processes listed group pairs in one batch, or in smaller ones if output room is short; the order
// is the same.
static void finish_group_pairs(pair_search *search)
{
    group_pair_list *const group_pairs = &search->task.group_pairs;
    for (uint32_t first = 0, end; first < group_pairs->count; first = end) {
        end = group_pairs->count;
        acre_pair *out = room_for(search, (size_t)(end - first) * PAIRS_OF_GROUPS);
        if (out == search->local && end - first > LOCAL_GROUP_PAIRS) {
            end = first + LOCAL_GROUP_PAIRS;
            out = room_for(search, (size_t)(end - first) * PAIRS_OF_GROUPS);
        }
        keep_pairs(search, out,
                   search->kernels.pair->find_in_group_pairs(&search->task, first, end, out));
    }
    group_pairs->count = group_pairs->node_group_count = 0;
}

// ---- a node and its candidates ----

// The word of a group of a block.
static uint32_t word_of_group(uint32_t block, uint32_t group, uint32_t block_count)
{
    const uint32_t first = group * GROUP_SLOTS;
    const uint32_t rest = block_count > first ? block_count - first : 0;
    return group_word(block * BLOCK_GROUPS + group, rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
}

// Lists the group pairs of a group of the node with the candidates from `first` on.
static void list_pairs_of_group(pair_search *search, uint32_t word, const float *bounds,
                                uint32_t first)
{
    group_pair_list *const group_pairs = &search->task.group_pairs;
    const uint32_t count = search->kernels.pair->list_group_pairs(
        &search->task, bounds, first, group_pairs->candidates + group_pairs->count);
    group_pairs->count += count;
    ACRE_INVARIANT(group_pairs->count <= GROUP_PAIRS_LISTED + MOST_CANDIDATES &&
                   group_pairs->node_group_count <= GROUP_PAIRS_LISTED);
    group_pairs->node_groups[group_pairs->node_group_count] =
        (node_group){word, group_pairs->count, bounds};
    group_pairs->node_group_count += count > 0;
    if (group_pairs->count > GROUP_PAIRS_LISTED) {
        finish_group_pairs(search);
    }
}

// Pairs all groups of the node with all candidates. Of one tree, the node's groups are candidates
// too: each is paired with those listed after it.
static void finish_listed(pair_search *search)
{
    const acre_quadtree *const tree = search->first;
    candidate_groups *const candidates = &search->task.candidates;
    uint32_t number = 0; // of the group in the node; of one tree, also among the candidates
    for (chain_walk at = chain_first(tree, search->node); at.count; at = chain_next(tree, at)) {
        const four_boxes *const bounds = &tree->headers[at.block].bounds;
        for (uint32_t group = 0; group < BLOCK_GROUPS; group++, number++) {
            const uint32_t after =
                number + 1 > candidates->before ? number + 1 - candidates->before : 0;
            const uint32_t first = search->task.is_one_tree ? after : 0;
            if (first < candidates->count && group * GROUP_SLOTS < at.count) {
                list_pairs_of_group(search, word_of_group(at.block, group, at.count),
                                    &bounds->row[0][group], first);
            }
        }
    }
    finish_group_pairs(search);
    candidates->before += candidates->count;
    candidates->count = 0;
}

static void prefetch_candidate(const pair_task *task, uint32_t number)
{
    const item_group *const group = &task->second_groups[number];
    for (int row = 0; row < ROW_COUNT; row++) {
        if (!task->is_on_ground || row / 2 != 1) {
            prefetch_line(group->row[row]);
        }
    }
}

// Lists the node's own groups as candidates, empty ones too: their bounds overlap nothing.
static void list_own_blocks(pair_search *search)
{
    const acre_quadtree *const tree = search->first;
    candidate_groups *const candidates = &search->task.candidates;
    for (chain_walk own = chain_first(tree, search->node); own.count; own = chain_next(tree, own)) {
        if (candidates->count == MOST_CANDIDATES) {
            finish_listed(search);
        }
        ACRE_INVARIANT(candidates->count + BLOCK_GROUPS <= MOST_CANDIDATES);
        const uint32_t at = candidates->count;
        const four_boxes *const bounds = &tree->headers[own.block].bounds;
        for (int row = 0; row < ROW_COUNT; row++) {
            memcpy(candidates->bounds[at / GROUP_SLOTS].row[row] + at % GROUP_SLOTS,
                   bounds->row[row], sizeof bounds->row[row]);
        }
        for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
            const uint32_t word = word_of_group(own.block, group, own.count);
            candidates->groups[at + group] =
                (candidate_group){word, present_slots(group_count(word))};
            prefetch_candidate(&search->task, group_number(word));
        }
        candidates->count += BLOCK_GROUPS;
    }
}

// Finds the pairs within each group of the node.
static void pair_own_blocks(pair_search *search)
{
    const acre_quadtree *const tree = search->first;
    for (chain_walk at = chain_first(tree, search->node); at.count; at = chain_next(tree, at)) {
        acre_pair *const out = room_for(search, BLOCK_GROUPS * PAIRS_IN_GROUP);
        keep_pairs(search, out,
                   search->kernels.pair->find_in_block(&search->task, at.block, at.count, out));
    }
}

// Adds groups to the candidates.
static void list_candidates(pair_search *search, const uint32_t *words, uint32_t count)
{
    candidate_groups *const candidates = &search->task.candidates;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = group_number(words[i]);
        if (candidates->count == MOST_CANDIDATES) {
            finish_listed(search);
        }
        ACRE_INVARIANT(candidates->count < MOST_CANDIDATES);
        const uint32_t at = candidates->count++;
        const row_box bounds =
            lane_box(&search->second->headers[number / BLOCK_GROUPS].bounds, number % BLOCK_GROUPS);
        candidates->groups[at] = (candidate_group){words[i], present_slots(group_count(words[i]))};
        for (int row = 0; row < ROW_COUNT; row++) {
            candidates->bounds[at / GROUP_SLOTS].row[row][at % GROUP_SLOTS] = bounds.row[row];
        }
        prefetch_candidate(&search->task, number);
    }
}

// Of one tree, drops the nodes before this one: they were paired with it when it was their turn.
static void drop_earlier(const pair_search *search, node_lists *nodes)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; search->task.is_one_tree && i < nodes->intersecting_count; i++) {
        const uint32_t word = nodes->intersecting[i], mask = nodes->intersecting_masks[i];
        nodes->intersecting[kept] = word;
        nodes->intersecting_masks[kept] = mask;
        kept += search->first->headers[chain_block(word)].node > search->node;
    }
    nodes->intersecting_count = search->task.is_one_tree ? kept : nodes->intersecting_count;
}

// Lists the candidates in the nodes listed so far.
static void list_candidates_of_nodes(pair_search *search, node_lists *nodes)
{
    group_lists groups;
    chain_position position = {.node = 0, .block = NONE};
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        acre_list_chain(nodes, nodes->inside[i], MASK_BOX);
    }
    drop_earlier(search, nodes);
    while (position.node < nodes->intersecting_count) {
        groups.inside_count = groups.intersecting_count = 0;
        search->kernels.box->visit_chains(&search->volume, search->second, nodes, MOST_LISTED,
                                          &position, &groups);
        list_candidates(search, groups.inside, groups.inside_count);
        list_candidates(search, groups.intersecting, groups.intersecting_count);
    }
    nodes->inside_count = nodes->intersecting_count = 0;
}

static void find_candidates(pair_search *search)
{
    const acre_quadtree *const tree = search->second;
    quad_descent descent = {.quads = tree->quads,
                            .cold = tree->cold,
                            .most_listed = PORTION_NODES,
                            .quads_left = SIZE_MAX};
    node_lists nodes;
    acre_begin_walk(tree, &nodes, MASK_BOX);
    do {
        search->kernels.box->descend(&search->volume, &descent, &nodes);
        list_candidates_of_nodes(search, &nodes);
    } while (nodes.stack_count > 0);
}

// Bounds of a node's own items, without those of its descendants.
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
    search->task.candidates.before = 0;
    if (search->task.is_one_tree) {
        list_own_blocks(search);
    }
    find_candidates(search);
    if (search->task.is_one_tree) {
        pair_own_blocks(search);
    }
    finish_listed(search);
    name_found(search);
}

static void pair_quads(pair_search *search, quad_range range)
{
    const acre_quadtree *const tree = search->first;
    if (range.begin == 0) {
        pair_node(search, ROOT_NODE);
        pair_node(search, OUTLIER_NODE);
    }
    for (uint32_t q = range.begin > 0 ? range.begin : 1; q < range.end; q++) {
        for (uint32_t slot = 0; tree->cold[q].level != NONE && slot < 4; slot++) {
            if (tree->quads[q].items[slot]) {
                pair_node(search, q * 4 + slot);
            }
        }
    }
}

static void begin_task(pair_task *task, const acre_quadtree *first, const acre_quadtree *second,
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
    task->candidates.count = 0;
    task->group_pairs.count = task->group_pairs.node_group_count = 0;
}

size_t acre_search_quads(const pair_question *question, quad_range range, acre_pair *pairs,
                         size_t capacity)
{
    const acre_quadtree *const first = question->first, *const second = question->second;
    const acre_pairs_rules *const rules = question->rules;
    pair_search search; // not zeroed: its lists are large
    search.first = first;
    search.second = second;
    search.kernels = question->kernels;
    search.meets = rules ? rules->meets : NULL;
    search.has_layers = search.meets || first->layers || second->layers;
    begin_task(&search.task, first, second, rules ? rules->flags : 0);
    search.pairs = pairs;
    search.capacity = capacity;
    search.total = search.named = 0;
    pair_quads(&search, range);
    return search.total;
}
