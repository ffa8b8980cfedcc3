// SPDX-License-Identifier: MIT
// quadtree_item_pairs.c - the pairs of one item: a query of its box, and the rules for pairs.
#include "out_internal.h"
#include "quadtree_pairing.h"
#include "quadtree_walk.h"

#include <math.h>

typedef struct item_search {
    const acre_quadtree *tree;
    const uint32_t *meets; // as in acre_pairs_rules
    row_box box;           // the item's box
    uint32_t item;
    uint32_t flags; // ACRE_PAIRS_...
    uint32_t *items;
    size_t capacity;
    size_t total;
} item_search;

// Whether two boxes share more than a face, an edge or a corner.
static bool rows_overlap_inside(const row_box *a, const row_box *b, uint32_t flags)
{
    bool overlaps = true;
    for (int low = 0; low < ROW_COUNT; low += flags & ACRE_PAIRS_ON_GROUND ? 4 : 2) {
        overlaps &= a->row[low] < b->row[low + 1] && b->row[low] < a->row[low + 1];
    }
    return overlaps;
}

// A visitor of the query: keeps the items that make a pair with the item.
static bool take_partners(void *user, const uint32_t *items, size_t count)
{
    item_search *const search = user;
    const acre_quadtree *const tree = search->tree;
    for (size_t i = 0; i < count; i++) {
        const row_box box = location_box(tree, tree->locations[items[i]]);
        if (items[i] == search->item ||
            !layers_match(search->meets, layers_of(tree, items[i]),
                          layers_of(tree, search->item)) ||
            ((search->flags & ACRE_PAIRS_NOT_TOUCHING) &&
             !rows_overlap_inside(&box, &search->box, search->flags))) {
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
    return acre_visit_unrecorded(tree, &query, take_partners, search);
}

acre_result acre_quadtree_item_pairs(const acre_quadtree *tree, uint32_t item,
                                     const acre_pairs_rules *rules, uint32_t *items,
                                     size_t capacity, size_t *total)
{
    set_count(total, 0);
    if (!tree || !acre_pairs_rules_are_valid(rules) || (capacity > 0 && !items)) {
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
    if (result == ACRE_OK) {
        set_count(total, search.total);
    }
    return result;
}
