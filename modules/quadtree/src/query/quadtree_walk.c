// SPDX-License-Identifier: MIT
// quadtree_walk.c - the walk: descends from the root, and hands what it lists to a sink.
//
// Kernels list nodes; then the groups of the blocks whose nodes intersect the volume; then a sink
// has the items of the groups that intersect it tested. The order of results depends only on the
// lengths of the lists, so it is the same for all kernels: outliers first, then quads depth first,
// in portions. Each portion holds items of nodes inside, then of groups inside, then tested items.
#include "quadtree_walk.h"

// Hands the nodes listed so far to the sink: those inside, then the groups of the others.
static void take_portion(query_walk *walk, node_lists *nodes, group_lists *groups)
{
    const acre_quadtree *const tree = walk->tree;
    chain_position position = {.node = 0, .block = NONE};
    for (uint32_t i = 0; i < NODES_AHEAD && i < nodes->intersecting_count; i++) {
        prefetch_line(tree->headers[chain_block(nodes->intersecting[i])].bounds.row[0]);
        prefetch_line(tree->headers[chain_block(nodes->intersecting[i])].bounds.row[4]);
    }
    if (nodes->inside_count > 0) {
        walk->sink->take_nodes(walk, nodes);
    }
    while (position.node < nodes->intersecting_count && !walk->is_stopped) {
        walk->kernel->visit_chains(walk->volume, tree, nodes, walk->most_groups, &position, groups);
        if (groups->inside_count + groups->intersecting_count > 0) {
            walk->sink->take_groups(walk, groups);
            groups->inside_count = groups->intersecting_count = 0;
        }
    }
    nodes->inside_count = nodes->intersecting_count = 0;
}

void acre_walk(query_walk *walk, node_lists *nodes)
{
    ACRE_INVARIANT(walk->volume && walk->kernel && walk->sink && walk->portions > 0);
    group_lists groups; // not zeroed: most queries use little of it
    quad_descent descent = descent_through(walk->tree, walk->filter.layers, walk->most_nodes);
    groups.inside_count = groups.intersecting_count = 0;
    for (;;) {
        walk->kernel->descend(walk->volume, &descent, nodes);
        take_portion(walk, nodes, &groups);
        if (nodes->stack_count == 0 || walk->is_stopped || --walk->portions == 0) {
            break;
        }
        if (walk->sink->end_portion) {
            walk->sink->end_portion(walk, nodes);
            if (walk->is_stopped) {
                break;
            }
        }
    }
    walk->stats.nodes_tested += descent.nodes_tested;
}

void acre_list_chain(node_lists *nodes, uint32_t word, uint32_t mask)
{
    ACRE_INVARIANT(nodes->inside_count < LISTED_NODES + LIST_STEP &&
                   nodes->intersecting_count < LISTED_NODES + LIST_STEP);
    nodes->intersecting[nodes->intersecting_count] = nodes->inside[nodes->inside_count] = word;
    nodes->intersecting_masks[nodes->intersecting_count] = mask;
    nodes->intersecting_count += word && mask;
    nodes->inside_count += word && !mask;
}

void acre_begin_walk(const acre_quadtree *tree, node_lists *nodes, uint32_t mask)
{
    const quad *const top = &tree->quads[0];
    // If the root has children and no items of its own, testing them says as much as testing it.
    nodes->stack[0] = top->items[ROOT_NODE] ? 0 : top->child[ROOT_NODE];
    nodes->stack_masks[0] = mask;
    nodes->stack_count = 1;
    nodes->intersecting_count = nodes->inside_count = 0;
    if (top->items[OUTLIER_NODE]) {
        acre_list_chain(nodes, top->items[OUTLIER_NODE], mask);
    }
}

// ---- the shortcut for few results ----

// The deepest node whose cell holds the middle of a box. NONE: the middle is outside the root.
static uint32_t middle_node(const acre_quadtree *tree, const row_box *box)
{
    const float middle[2] = {box_center(box->row[ROW_X_MIN], box->row[ROW_X_MAX]),
                             box_center(box->row[ROW_Z_MIN], box->row[ROW_Z_MAX])};
    const cell root = node_cell(tree, ROOT_NODE);
    const int32_t x = grid_index(&tree->grid, 0, middle[0]);
    const int32_t z = grid_index(&tree->grid, 1, middle[1]);
    if (!cell_holds(&root, x, z)) {
        return NONE;
    }
    const uint32_t east = (uint32_t)x - (uint32_t)root.x, south = (uint32_t)z - (uint32_t)root.z;
    uint32_t node = ROOT_NODE, level = root.level;
    for (uint32_t child; (child = node_child(tree, node)) != 0;) {
        level--;
        node = child * 4 + ((east >> level & 1) | (south >> level & 1) << 1);
    }
    return node;
}

// If any few results will do, most volumes are answered by the cell in their middle, which is found
// without testing nodes. Returns false if that cell did not have enough; then nothing was found.
static bool walk_middle(query_walk *walk, node_lists *nodes, uint32_t mask)
{
    group_lists groups; // not zeroed, as in acre_walk
    const uint32_t node = middle_node(walk->tree, &walk->volume->box);
    const uint32_t word = node == NONE ? 0 : *node_items(walk->tree, node);
    if (!word) {
        return false;
    }
    groups.inside_count = groups.intersecting_count = 0;
    nodes->inside_count = 0;
    nodes->intersecting_count = 1;
    nodes->intersecting[0] = word;
    nodes->intersecting_masks[0] = mask;
    take_portion(walk, nodes, &groups);
    walk->total = walk->is_stopped ? walk->total : 0;
    return walk->is_stopped;
}

// Whether the walk ends when its array is full, and that is soon.
static bool wants_few(const query_walk *walk)
{
    return walk->sink->stops_when_full && walk->capacity <= FEW_RESULTS;
}

void acre_walk_all(query_walk *walk, uint32_t mask)
{
    node_lists nodes; // not zeroed, as in acre_walk
    if (wants_few(walk) && (mask & MASK_BOX) && walk_middle(walk, &nodes, mask)) {
        return;
    }
    acre_begin_walk(walk->tree, &nodes, mask);
    acre_walk(walk, &nodes);
}
