// SPDX-License-Identifier: MIT
// quadtree_step.c - queries in steps: the cells that are left are kept between the calls.
//
// A cursor names cells, not rows of the tree, so that the tree may change. What stands still is
// never missed: its cell is below one of the cursor's, or that cell has joined the one around it,
// or has items from there since a split. Where cells lie otherwise than before, because the root
// shrank and grew towards another side, everything is looked at once more.
#include "quadtree_walk.h"

#include "sort_internal.h"

// Where the cells of a cursor's quad are now.
typedef struct found_place {
    uint32_t quad; // NONE: there is only the node
    uint32_t node; // the deepest one around the cells; NONE: they are gone
} found_place;

// first: the cell of the quad's slot 0; the quad covers twice its size.
static found_place find_place(const acre_quadtree *tree, cell first)
{
    const found_place everything = {0, NONE};
    const cell root = node_cell(tree, ROOT_NODE);
    const int32_t last = (int32_t)(2u << first.level) - 1;
    if (first.level >= root.level || !cell_holds(&root, first.x, first.z)) {
        return everything;
    }
    uint32_t node = ROOT_NODE;
    for (uint32_t child; (child = node_child(tree, node)) != 0;) {
        const quad_cold *const cold = &tree->cold[child];
        if (cold->level == first.level) {
            const bool is_same = cold->x == first.x && cold->z == first.z;
            return is_same ? (found_place){child, NONE} : everything;
        }
        const uint32_t east = (uint32_t)(first.x - cold->x) >> cold->level;
        const uint32_t south = (uint32_t)(first.z - cold->z) >> cold->level;
        node = child * 4 + (east | south << 1);
    }
    const cell around = node_cell(tree, node);
    return cell_holds(&around, first.x + last, first.z + last) ? (found_place){NONE, node}
                                                               : everything;
}

// Puts the cursor's cells into the lists; for those that joined another, its items.
static void resume(const query_walk *walk, node_lists *nodes, uint32_t mask)
{
    const acre_quadtree *const tree = walk->tree;
    const acre_query_cursor *const cursor = walk->cursor;
    found_place last = {NONE, NONE};
    nodes->stack_count = nodes->cut_count = nodes->inside_count = 0;
    for (uint32_t i = 0; i < cursor->cell_count; i++) {
        const cell first = {cursor->cells[i].x, cursor->cells[i].z, cursor->cells[i].level};
        const found_place place = find_place(tree, first);
        if (place.quad == last.quad && place.node == last.node) {
            continue;
        }
        last = place;
        if (place.quad == 0) {
            // Alone, so that the stack is again that of one way down.
            nodes->stack[0] = 0;
            nodes->stack_masks[0] = mask;
            nodes->stack_count = 1;
            nodes->cut_count = nodes->inside_count = 0;
            return;
        }
        if (place.quad == NONE) {
            acre_list_chain(nodes, *node_items(tree, place.node), mask);
        } else {
            nodes->stack[nodes->stack_count] = place.quad;
            nodes->stack_masks[nodes->stack_count++] = mask;
        }
    }
}

static void keep_rest(const acre_quadtree *tree, const node_lists *nodes, acre_query_cursor *cursor)
{
    cursor->state = 1;
    cursor->cell_count = nodes->stack_count;
    cursor->is_done = nodes->stack_count == 0;
    for (uint32_t i = 0; i < nodes->stack_count; i++) {
        const quad_cold *const cold = &tree->cold[nodes->stack[i]];
        cursor->cells[i].level = cold->level;
        cursor->cells[i].x = cold->x;
        cursor->cells[i].z = cold->z;
    }
}

static void walk_step(query_walk *walk, uint32_t mask)
{
    node_lists nodes;
    if (walk->cursor->state == 0) {
        acre_begin_walk(walk->tree, &nodes, mask);
    } else {
        resume(walk, &nodes, mask);
    }
    acre_walk(walk, &nodes);
    if (walk->total <= walk->capacity) {
        keep_rest(walk->tree, &nodes, walk->cursor);
    }
}

// A cursor that the tree has not written may hold anything. Of each level a way down leaves at most
// three quads behind, finer ones above coarser ones; then the stack has room for the rest of it.
static bool is_valid_cursor(const acre_query_cursor *cursor)
{
    bool good = cursor->state <= 1 && cursor->cell_count <= 3 * MAX_LEVEL + 1;
    uint32_t level = MAX_LEVEL - 1;
    for (uint32_t i = 0; good && i < cursor->cell_count; i++) {
        good = cursor->cells[i].level <= level;
        level = cursor->cells[i].level;
        good = good && i <= 3 * (MAX_LEVEL - level);
    }
    return good;
}
static_assert(sizeof((acre_query_cursor *)0)->cells / sizeof(uint32_t[3]) >= STACK_ROOM,
              "a cursor has room for the stack");

acre_result acre_quadtree_query_step(const acre_quadtree *tree, const acre_query *query,
                                     acre_query_cursor *cursor, size_t budget, uint32_t *items,
                                     size_t capacity, size_t *total)
{
    if (!tree || !cursor || !total || (capacity > 0 && !items) || !is_valid_cursor(cursor) ||
        !acre_query_is_valid(query, QUERY_FLAGS | ACRE_QUERY_SORTED)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    query_walk walk;
    start_walk(&walk, tree, items, capacity);
    walk.budget = budget > 0 ? budget : 1;
    walk.cursor = cursor;
    if (!cursor->is_done) {
        acre_run_query(&walk, query, walk_step);
    }
    if (query->flags & ACRE_QUERY_SORTED) {
        sort_ascending(items, walk.total < capacity ? walk.total : capacity);
    }
    *total = walk.total;
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = query, .total = SIZE_MAX);
    access_end_read(&tree->access);
    return ACRE_OK;
}
