// SPDX-License-Identifier: MIT
// quadtree_step.c - queries in steps: a cursor keeps the cells that are left between the calls.
//
// A cursor names cells, not rows of the tree, so that the tree may change between steps. An item
// that does not move is never missed: its cell lies below one of the cursor's cells, or one of them
// has merged into the cell that now holds the item, or a split has moved the item into one of them.
// If cells no longer lie where they did, because the root shrank and grew to another side, the
// query starts over.
//
// On another lattice there are other cells. Then the query starts over, and leaves out the items
// that it has returned: those that do not lie in the cells which were left on the old lattice. A
// cell of a lattice is a function of an item's box alone, so the old tree is not needed for that.
//
// Upkeep may put an item into another band of height, perhaps from one that is left into one that
// was visited. If that may have happened, a query that has stopped among bands starts over and runs
// to its end in one step; starting over in each step, it might never end.
#include "quadtree_walk.h"

#include "sort_internal.h"

// Where to find the cells of a cursor's quad now. 0 and NONE: in the whole tree.
typedef struct cursor_target {
    uint32_t quad; // NONE: the cells have merged into a node
    uint32_t node; // the deepest node around the cells; NONE: the quad is there
} cursor_target;

// A quad in words that hold while the tree changes: its cells, and the bands on the way to it.
typedef struct quad_name {
    cell first;     // the cell of slot 0; of a banded quad the cell of all four
    bool is_banded; // the quad's own four are bands
    uint32_t count; // bands on the way down to the quad
    uint32_t path;  // their slots, two bits each, the last one lowest
} quad_name;

// In a cursor the level has the rest of the name beside it: a bit for a banded quad, then the path
// behind a bit that says how long it is. Without bands the word is the level.
enum { NAME_BANDED = 1 << 5, NAME_LEVEL = NAME_BANDED - 1, NAME_PATH = 6 };
static_assert(NAME_PATH + 2 * MAX_BANDS + 1 <= 32, "a path has room beside a level");

static uint32_t name_word(const quad_name *name)
{
    const uint32_t path = name->count > 0 ? name->path | 1u << 2 * name->count : 0;
    ACRE_INVARIANT(name->count <= MAX_BANDS && name->first.level <= MAX_LEVEL);
    return name->first.level | (name->is_banded ? NAME_BANDED : 0u) | path << NAME_PATH;
}

static quad_name name_of_quad(const acre_quadtree *tree, uint32_t q)
{
    quad_name name = {.first = node_cell(tree, q * 4), .is_banded = is_banded(tree, q)};
    for (uint32_t node = tree->cold[q].parent; tree->banded_quads > 0 && node != NONE;
         node = node_parent(tree, node)) {
        if (is_banded(tree, node >> 2)) {
            name.path |= (node & 3) << 2 * name.count++;
        }
    }
    return name;
}

// Reads a name from a cursor, which may hold anything. False: it is none.
static bool read_name(const acre_query_cells *cells, uint32_t i, quad_name *out)
{
    const uint32_t word = cells->cells[i].level;
    uint32_t path = word >> NAME_PATH;
    *out = (quad_name){.first = {cells->cells[i].x, cells->cells[i].z, word & NAME_LEVEL},
                       .is_banded = word & NAME_BANDED};
    const bool has_path = path > 0;
    for (; path > 1; path >>= 2) {
        out->path |= (word >> NAME_PATH & 3u << 2 * out->count);
        out->count++;
    }
    return path == (uint32_t)has_path && out->count <= MAX_BANDS && out->first.level <= MAX_LEVEL &&
           out->count + out->is_banded <= out->first.level;
}

// How many steps down there can be from a quad's cells: each step halves the cells or goes into a
// band, of which there are no more than levels (I4).
static uint32_t steps_below(const quad_name *name)
{
    ACRE_INVARIANT(name->count + name->is_banded <= name->first.level);
    return name->first.level - name->count - name->is_banded;
}

static bool is_at(const quad_name *name, cell square)
{
    return square.level == name->first.level && square.x == name->first.x &&
           square.z == name->first.z;
}

static cursor_target find_target(const acre_quadtree *tree, const quad_name *name)
{
    const cursor_target everything = {0, NONE};
    const cell root = node_cell(tree, ROOT_NODE), first = name->first;
    const int32_t last = (int32_t)((name->is_banded ? 1u : 2u) << first.level) - 1;
    if (first.level + !name->is_banded > root.level || !cell_holds(&root, first.x, first.z)) {
        return everything;
    }
    uint32_t node = ROOT_NODE, bands_left = name->count;
    for (uint32_t child; (child = node_child(tree, node)) != 0;) {
        const quad_cold *const cold = &tree->cold[child];
        const bool has_bands = is_banded(tree, child);
        if (has_bands && bands_left > 0) {
            bands_left--;
            node = child * 4 + (name->path >> 2 * bands_left & 3);
            continue;
        }
        if (has_bands || cold->level + name->is_banded <= first.level) {
            const bool is_same = has_bands == name->is_banded && bands_left == 0 &&
                                 is_at(name, node_cell(tree, child * 4));
            return is_same ? (cursor_target){child, NONE} : everything;
        }
        const uint32_t east = (uint32_t)(first.x - cold->x) >> cold->level;
        const uint32_t south = (uint32_t)(first.z - cold->z) >> cold->level;
        node = child * 4 + (east | south << 1);
    }
    const cell around = node_cell(tree, node);
    return cell_holds(&around, first.x + last, first.z + last) ? (cursor_target){NONE, node}
                                                               : everything;
}

// Fills the lists from the cursor: stacks the quads of its cells, and lists the chains of nodes
// into which cells have merged.
static void resume(const query_walk *walk, node_lists *nodes, uint32_t mask)
{
    const acre_quadtree *const tree = walk->tree;
    const acre_query_cells *const left = &walk->step->cursor->left;
    cursor_target last = {NONE, NONE};
    nodes->stack_count = nodes->intersecting_count = nodes->inside_count = 0;
    for (uint32_t i = 0; i < left->count; i++) {
        quad_name name;
        const bool is_name = read_name(left, i, &name);
        ACRE_INVARIANT(is_name); // are_valid_cells
        (void)is_name;
        const cursor_target target = find_target(tree, &name);
        if (target.quad == last.quad && target.node == last.node) {
            continue;
        }
        last = target;
        if (target.quad == 0) {
            // Only the whole tree, so that the stack is again that of one descent.
            nodes->stack[0] = 0;
            nodes->stack_masks[0] = mask;
            nodes->stack_count = 1;
            nodes->intersecting_count = nodes->inside_count = 0;
            return;
        }
        if (target.quad == NONE) {
            ACRE_INVARIANT(target.node != NONE);
            acre_list_chain(nodes, *node_items(tree, target.node), mask);
        } else {
            ACRE_INVARIANT(nodes->stack_count < STACK_DEPTH);
            nodes->stack[nodes->stack_count] = target.quad;
            nodes->stack_masks[nodes->stack_count++] = mask;
        }
    }
}

// Whether cells are of the tree's lattice.
static bool is_same_lattice(const acre_quadtree *tree, const acre_query_cells *cells)
{
    return cells->cell_size == tree->grid.cell && cells->origin[0] == tree->grid.origin[0] &&
           cells->origin[1] == tree->grid.origin[1];
}

// Whether an item that has not moved stood in one of the cells or below. It did so at the deepest
// level that existed, so at the cell's own level or below if its size allows that. Which band it
// stood in is not known: it may have been any.
static bool was_in_cells(const acre_query_cells *cells, const row_box *box)
{
    const ground_grid grid = {
        {cells->origin[0], cells->origin[1]}, cells->cell_size, 1.0f / cells->cell_size};
    const placement place = acre_grid_place(&grid, box);
    for (uint32_t i = 0; !place.is_outlier && i < cells->count; i++) {
        quad_name name;
        const bool is_name = read_name(cells, i, &name);
        const cell around = {name.first.x, name.first.z, name.first.level + !name.is_banded};
        ACRE_INVARIANT(is_name); // are_valid_cells
        if (is_name && place.level <= name.first.level && cell_holds(&around, place.x, place.z)) {
            return true;
        }
    }
    return false;
}

// Drops the items of a step that were returned before the tree was built on another lattice.
static void drop_returned(query_walk *walk, const acre_query_cells *cells)
{
    size_t kept = 0;
    ACRE_INVARIANT(walk->total <= walk->capacity);
    for (size_t i = 0; i < walk->total; i++) {
        const row_box box = location_box(walk->tree, walk->tree->locations[walk->items[i]]);
        walk->items[kept] = walk->items[i];
        kept += was_in_cells(cells, &box);
    }
    walk->total = kept;
}

// The state of a cursor that has begun: changes with the tree's bands, and is never 0.
static uint32_t begun_state(const acre_quadtree *tree)
{
    return (tree->band_changes & INT32_MAX) + 1;
}

// Saves the quads that are left on the stack as the cursor's cells.
static void keep_rest(const acre_quadtree *tree, const node_lists *nodes, acre_query_cursor *cursor)
{
    acre_query_cells *const left = &cursor->left;
    ACRE_INVARIANT(nodes->stack_count <= sizeof left->cells / sizeof *left->cells);
    cursor->state = begun_state(tree);
    cursor->is_done = nodes->stack_count == 0;
    left->origin[0] = tree->grid.origin[0];
    left->origin[1] = tree->grid.origin[1];
    left->cell_size = tree->grid.cell;
    left->count = nodes->stack_count;
    for (uint32_t i = 0; i < nodes->stack_count; i++) {
        const quad_name name = name_of_quad(tree, nodes->stack[i]);
        left->cells[i].level = name_word(&name);
        left->cells[i].x = name.first.x;
        left->cells[i].z = name.first.z;
    }
}

// Whether the cursor stands among bands that may since have got items from one another.
static bool has_lost_bands(const acre_quadtree *tree, const acre_query_cursor *cursor)
{
    bool has_bands = false;
    for (uint32_t i = 0; i < cursor->left.count; i++) {
        has_bands |= cursor->left.cells[i].level > NAME_LEVEL;
    }
    return has_bands && cursor->state != begun_state(tree);
}

static void run_step(query_walk *walk, uint32_t mask)
{
    acre_query_cursor *const cursor = walk->step->cursor;
    const bool has_begun = cursor->state != 0, was_before = cursor->before.count > 0;
    const bool is_elsewhere = has_begun && !is_same_lattice(walk->tree, &cursor->left);
    const bool is_lost = has_begun && !is_elsewhere && has_lost_bands(walk->tree, cursor);
    node_lists nodes;
    if (has_begun && !is_elsewhere && !is_lost) {
        resume(walk, &nodes, mask);
    } else {
        acre_begin_walk(walk->tree, &nodes, mask);
    }
    if (is_lost || (is_elsewhere && was_before)) {
        walk->step->budget = SIZE_MAX; // a cursor keeps the cells of two lattices, not of three
    }
    acre_walk(walk, &nodes);
    if (walk->total > walk->capacity) {
        return; // the step is repeated
    }
    if (was_before) {
        drop_returned(walk, &cursor->before);
    }
    if (is_elsewhere) {
        drop_returned(walk, &cursor->left);
        cursor->before = cursor->left;
    }
    keep_rest(walk->tree, &nodes, cursor);
}

// Whether a tree can have written cells; the caller may pass any. A descent leaves at most three
// quads of each step on the stack, lower ones above higher ones. With such cells the stack has room
// for the rest of the descent.
static bool are_valid_cells(const acre_query_cells *cells)
{
    bool good = cells->count <= 3 * MAX_LEVEL + 1;
    uint32_t steps = MAX_LEVEL - 1;
    for (uint32_t i = 0; good && i < cells->count; i++) {
        quad_name name;
        good = read_name(cells, i, &name) && steps_below(&name) <= steps;
        steps = good ? steps_below(&name) : 0;
        good = good && i <= 3 * (MAX_LEVEL - steps);
    }
    return good;
}

static bool is_valid_cursor(const acre_query_cursor *cursor)
{
    return are_valid_cells(&cursor->left) && are_valid_cells(&cursor->before);
}
static_assert(sizeof((acre_query_cells *)0)->cells / sizeof(uint32_t[3]) >= STACK_ROOM,
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
    walk_step step = {.cursor = cursor, .budget = budget > 0 ? budget : 1};
    walk.step = &step;
    if (!cursor->is_done) {
        acre_run_query(&walk, query, run_step);
    }
    if (query->flags & ACRE_QUERY_SORTED) {
        sort_ascending(items, walk.total < capacity ? walk.total : capacity);
    }
    *total = walk.total;
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = query, .total = SIZE_MAX);
    access_end_read(&tree->access);
    return ACRE_OK;
}
