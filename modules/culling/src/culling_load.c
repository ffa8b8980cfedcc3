// SPDX-License-Identifier: MIT
// culling_load.c - many new entities at once: a batch for each tree, which then builds itself anew.
#include "culling_internal.h"

#include "box_array_internal.h"

typedef struct load_batch {
    COLUMN_OF(uint32_t) items;
    COLUMN_OF(acre_aabb) boxes;
    size_t count;
} load_batch;

// What a load may put into the trees.
typedef struct load_list {
    const culling_table *table;
    const uint32_t *slots; // NULL: all below count
    size_t count;
    const acre_box_array *rows; // NULL: the table's boxes
    bool by_slot;
} load_list;

static uint32_t listed_slot(const load_list *list, size_t i)
{
    return list->slots ? list->slots[i] : (uint32_t)i;
}

// The box that a slot is to have; empty where a host's row is no valid box. room: for that row
static const acre_aabb *listed_box(const load_list *list, size_t i, acre_aabb *room)
{
    const uint32_t slot = listed_slot(list, i);
    if (!list->rows) {
        return culling_scene_box(list->table, slot);
    }
    *room = box_array_row(list->rows, list->by_slot ? slot : i);
    if (!acre_aabb_is_valid(room)) {
        *room = acre_aabb_empty();
    }
    return room;
}

static bool is_to_be_loaded(const load_list *list, size_t i, int tree)
{
    const uint32_t slot = listed_slot(list, i), bits = list->table->slots[slot].bits;
    const uint32_t flags = culling_flags(list->table, slot);
    const bool is_static = (flags & ACRE_ENTITY_STATIC) != 0;
    acre_aabb room;
    return !(bits & CULLING_PLACES) && is_static == (tree == TREE_STATIC) &&
           culling_wanted_place(bits, flags, listed_box(list, i, &room)) == culling_tree_bit(tree);
}

// Marks the slots of a batch that the tree has taken.
static acre_result enter_batch(acre_culling *culling, const culling_table *table, int tree,
                               const load_batch *batch)
{
    acre_result first = ACRE_OK;
    for (size_t i = 0; i < batch->count; i++) {
        const uint32_t slot = *COLUMN_AT(batch->items, i);
        culling_slot *const own = culling_slot_at(culling, slot);
        own->bits = (uint16_t)(own->bits | culling_tree_bit(tree));
        culling_first_error(&first,
                            acre_culling_update_layers(culling, slot, culling_layers(table, slot)));
    }
    culling->tree_counts[tree] += (uint32_t)batch->count;
    culling->is_behind |= first != ACRE_OK;
    return first;
}

// Lists the slots that the tree is to have, and gives them to it.
static acre_result load_batched(acre_culling *culling, const load_list *list, int tree,
                                load_batch *batch)
{
    acre_aabb room;
    for (size_t i = 0; i < list->count; i++) {
        if (is_to_be_loaded(list, i, tree)) {
            *COLUMN_AT(batch->items, batch->count) = listed_slot(list, i);
            *COLUMN_AT(batch->boxes, batch->count++) = *listed_box(list, i, &room);
        }
    }
    return acre_quadtree_insert_many(culling->trees[tree], batch->items.data, batch->boxes.data,
                                     batch->count) == ACRE_OK
               ? enter_batch(culling, list->table, tree, batch)
               : ACRE_OK;
}

static acre_result load_tree(acre_culling *culling, const load_list *list, int tree)
{
    size_t wanted = 0;
    for (size_t i = 0; i < list->count; i++) {
        wanted += is_to_be_loaded(list, i, tree);
    }
    if (wanted < LOAD_LEAST || wanted < culling->tree_counts[tree] ||
        acre_culling_need_tree(culling, tree) != ACRE_OK) {
        return ACRE_OK;
    }
    const acre_allocator *const allocator = &culling->allocator;
    load_batch batch = {.count = 0};
    acre_result first = ACRE_OK;
    if (COLUMN_RESERVE(allocator, batch.items, wanted) &&
        COLUMN_RESERVE(allocator, batch.boxes, wanted)) {
        first = load_batched(culling, list, tree, &batch);
        ACRE_INVARIANT(batch.count == wanted);
    }
    COLUMN_FREE(allocator, batch.items);
    COLUMN_FREE(allocator, batch.boxes);
    return first;
}

acre_result acre_culling_load(acre_culling *culling, const culling_table *table,
                              const uint32_t *slots, size_t count, const acre_box_array *rows,
                              bool by_slot)
{
    const load_list list = {table, slots, count, rows, by_slot};
    acre_result first = ACRE_OK;
    for (int tree = 0; tree < TREE_COUNT && count >= LOAD_LEAST; tree++) {
        culling_first_error(&first, load_tree(culling, &list, tree));
    }
    return first;
}
