// SPDX-License-Identifier: MIT
// textbook_quadtree.c - the loose quadtree as textbooks draw it, made correct.
//
// Four rules carry everything:
//  1. The center of an item's box decides the cell. Cells of one level do not overlap, so each item
//     has one place and no search ever finds it twice.
//  2. An item lies in a node below the root only if the node's loose bounds hold its whole box.
//     A cell that is twice as large when loose holds every box of at most the cell's size whose
//     center is inside; the test is made on the box itself, so that no rounding can break the rule.
//  3. Items go down one child at a time, so an item is inside the loose bounds of all ancestors of
//     its node as well, and a query may leave out a subtree as soon as its loose bounds are missed.
//  4. The root's own list is always searched. It takes what no cell can hold.
#include "textbook_quadtree.h"

#include <float.h>
#include <stdlib.h>

static void init_node(textbook_node *node, const float *min, const float *max)
{
    for (int i = 0; i < 2; i++) {
        const float half = 0.5f * (max[i] - min[i]);
        node->min[i] = min[i];
        node->max[i] = max[i];
        node->loose.min[2 * i] = min[i] - half;
        node->loose.max[2 * i] = max[i] + half;
    }
    node->loose.min[1] = -FLT_MAX;
    node->loose.max[1] = FLT_MAX;
}

textbook_quadtree *textbook_create(const textbook_def *def, uint32_t item_capacity)
{
    textbook_quadtree *const tree = calloc(1, sizeof *tree);
    if (!tree) {
        return NULL;
    }
    tree->root = calloc(1, sizeof *tree->root);
    tree->items = calloc(item_capacity ? item_capacity : 1, sizeof *tree->items);
    tree->item_capacity = item_capacity;
    tree->node_capacity = def->node_capacity ? def->node_capacity : 16;
    tree->max_depth = def->max_depth ? def->max_depth : 14;
    tree->node_count = 1;
    if (!tree->root || !tree->items) {
        textbook_destroy(tree);
        return NULL;
    }
    const float min[2] = {def->center[0] - def->half_size, def->center[1] - def->half_size};
    const float max[2] = {def->center[0] + def->half_size, def->center[1] + def->half_size};
    init_node(tree->root, min, max);
    return tree;
}

textbook_node *textbook_next_beside(const textbook_node *node)
{
    while (node->parent && node == node->parent->children + 3) {
        node = node->parent;
    }
    return node->parent ? (textbook_node *)node + 1 : NULL;
}

textbook_node *textbook_next(const textbook_node *node)
{
    return node->children ? node->children : textbook_next_beside(node);
}

void textbook_destroy(textbook_quadtree *tree)
{
    textbook_node *node = tree ? tree->root : NULL;
    while (node) { // down to a first child without children, along its siblings, then up
        while (node->children) {
            node = node->children;
        }
        textbook_node *const parent = node->parent;
        if (parent && node < parent->children + 3) {
            node++;
        } else {
            free(parent ? parent->children : node);
            if (parent) {
                parent->children = NULL;
            }
            node = parent;
        }
    }
    if (tree) {
        free(tree->items);
    }
    free(tree);
}

// Rules 1 and 2. An infinite box is in no loose bounds, its center may even be NaN.
bool textbook_node_holds(const textbook_node *node, const acre_aabb *box)
{
    for (int i = 0; i < 2; i++) {
        const float center = 0.5f * box->min[2 * i] + 0.5f * box->max[2 * i];
        if (!(node->min[i] <= center && center < node->max[i])) {
            return false;
        }
    }
    return acre_aabb_contains(&node->loose, box);
}

static textbook_node *child_that_holds(const textbook_node *node, const acre_aabb *box)
{
    for (int i = 0; i < 4 && node->children; i++) {
        if (textbook_node_holds(node->children + i, box)) {
            return node->children + i;
        }
    }
    return NULL;
}

static void link_item(textbook_node *node, textbook_item *item)
{
    item->node = node;
    item->previous = NULL;
    item->next = node->first;
    if (node->first) {
        node->first->previous = item;
    }
    node->first = item;
    node->count++;
}

static void unlink_item(textbook_item *item)
{
    textbook_node *const node = item->node;
    if (item->previous) {
        item->previous->next = item->next;
    } else {
        node->first = item->next;
    }
    if (item->next) {
        item->next->previous = item->previous;
    }
    item->node = NULL;
    node->count--;
}

// Four children, and each item of the node moves into the one that holds it, if one does. Splitting
// is optional: without memory, or where floats are too coarse to halve the cell, the node stays.
static void split(textbook_quadtree *tree, textbook_node *node)
{
    const float x[3] = {node->min[0], 0.5f * node->min[0] + 0.5f * node->max[0], node->max[0]};
    const float z[3] = {node->min[1], 0.5f * node->min[1] + 0.5f * node->max[1], node->max[1]};
    if (!(x[0] < x[1] && x[1] < x[2] && z[0] < z[1] && z[1] < z[2])) {
        return;
    }
    node->children = calloc(4, sizeof *node->children);
    if (!node->children) {
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        textbook_node *const child = node->children + i;
        const float min[2] = {x[i & 1], z[i >> 1]};
        const float max[2] = {x[(i & 1) + 1], z[(i >> 1) + 1]};
        init_node(child, min, max);
        child->parent = node;
        child->depth = node->depth + 1;
    }
    tree->node_count += 4;
    for (textbook_item *item = node->first, *next; item; item = next) {
        next = item->next;
        textbook_node *const child = child_that_holds(node, &item->box);
        if (child) {
            unlink_item(item);
            link_item(child, item);
        }
    }
}

static void place_item(textbook_quadtree *tree, textbook_item *item)
{
    textbook_node *node = tree->root;
    textbook_node *child = child_that_holds(node, &item->box);
    while (child) {
        node = child;
        child = child_that_holds(node, &item->box);
    }
    link_item(node, item);
    // A child overflows only if it got all items of its parent, the new one among them.
    while (!node->children && node->count > tree->node_capacity && node->depth < tree->max_depth) {
        split(tree, node);
        if (!node->children) {
            return;
        }
        node = item->node;
    }
}

// Parent collapse: four leaves whose items and their parent's fill at most half a node go back into
// the parent. Half, so that an item that goes to and fro does not split and collapse each time.
static void collapse_upwards(textbook_quadtree *tree, textbook_node *node)
{
    node = node->children ? node : node->parent;
    for (; node; node = node->parent) {
        uint32_t count = node->count;
        for (int i = 0; i < 4; i++) {
            if (node->children[i].children) {
                return;
            }
            count += node->children[i].count;
        }
        if (2 * count > tree->node_capacity) {
            return;
        }
        for (int i = 0; i < 4; i++) {
            textbook_node *const child = node->children + i;
            while (child->first) {
                textbook_item *const item = child->first;
                unlink_item(item);
                link_item(node, item);
            }
        }
        free(node->children);
        node->children = NULL;
        tree->node_count -= 4;
    }
}

bool textbook_insert(textbook_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    if (item >= tree->item_capacity || tree->items[item].node) {
        return false;
    }
    tree->items[item].box = *box;
    place_item(tree, &tree->items[item]);
    return true;
}

bool textbook_remove(textbook_quadtree *tree, uint32_t item)
{
    if (item >= tree->item_capacity || !tree->items[item].node) {
        return false;
    }
    textbook_node *const node = tree->items[item].node;
    unlink_item(&tree->items[item]);
    collapse_upwards(tree, node);
    return true;
}

// Found by its stored node, never by a search with the new box.
bool textbook_refresh(textbook_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    if (item >= tree->item_capacity || !tree->items[item].node) {
        return false;
    }
    textbook_item *const refreshed = &tree->items[item];
    textbook_node *const node = refreshed->node;
    refreshed->box = *box;
    if ((node != tree->root && !textbook_node_holds(node, box)) || child_that_holds(node, box)) {
        textbook_remove(tree, item);
        place_item(tree, refreshed);
    }
    return true;
}

static bool finds(const acre_frustum *frustum, const acre_aabb *area, const acre_aabb *box)
{
    return frustum ? acre_frustum_test_aabb(frustum, box) : acre_aabb_overlaps(area, box);
}

// Rules 3 and 4. Either frustum or area is NULL.
static size_t query(const textbook_quadtree *tree, const acre_frustum *frustum,
                    const acre_aabb *area, uint32_t *items, size_t capacity)
{
    size_t found = 0;
    const textbook_node *node = tree->root;
    while (node) {
        if (node != tree->root && !finds(frustum, area, &node->loose)) {
            node = textbook_next_beside(node);
            continue;
        }
        for (const textbook_item *item = node->first; item; item = item->next) {
            if (finds(frustum, area, &item->box)) {
                if (found < capacity) {
                    items[found] = (uint32_t)(item - tree->items);
                }
                found++;
            }
        }
        node = textbook_next(node);
    }
    return found;
}

size_t textbook_query_frustum(const textbook_quadtree *tree, const acre_frustum *frustum,
                              uint32_t *items, size_t capacity)
{
    return query(tree, frustum, NULL, items, capacity);
}

size_t textbook_query_aabb(const textbook_quadtree *tree, const acre_aabb *box, uint32_t *items,
                           size_t capacity)
{
    return acre_aabb_is_valid(box) ? query(tree, NULL, box, items, capacity) : 0;
}
