// SPDX-License-Identifier: MIT
// culling_load.c - many new entities at once: a batch for each tree, which then builds itself anew.
#include "culling_internal.h"

#include "box_array_internal.h"

typedef struct load_batch {
    COLUMN_OF(uint32_t) items;
    COLUMN_OF(acre_aabb) boxes;
    size_t count;
} load_batch;

// The slots that a load may put into the trees, and where their boxes are.
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

// A host's box; empty where its row is no valid box.
static acre_aabb host_box(const load_list *list, size_t i)
{
    const acre_aabb box = box_array_row(list->rows, list->by_slot ? listed_slot(list, i) : i);
    return acre_aabb_is_valid(&box) ? box : acre_aabb_empty();
}

// The box that a slot is to have. room: for a host's
ACRE_ALWAYS_INLINE const acre_aabb *listed_box(const load_list *list, size_t i, acre_aabb *room)
{
    if (list->rows) {
        *room = host_box(list, i);
        return room;
    }
    return culling_find_box(list->table, listed_slot(list, i), room);
}

// The bit of the tree into which a slot is to be loaded; 0: none.
static uint32_t tree_to_load(const load_list *list, size_t i)
{
    const uint32_t slot = listed_slot(list, i), bits = list->table->slots[slot].bits;
    if (bits & CULLING_PLACES) {
        return 0;
    }
    acre_aabb room;
    const acre_aabb *const box = listed_box(list, i, &room);
    return culling_wanted_place(bits, culling_flags(list->table, slot), box) & CULLING_TREES;
}

// Marks the slots of a batch that the tree has taken: a slot that is listed twice once.
static void enter_batch(acre_culling *culling, const culling_table *table, int tree,
                        const load_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const uint32_t slot = *COLUMN_AT(batch->items, i);
        culling_slot *const own = culling_slot_at(culling, slot);
        culling->tree_counts[tree] += !(own->bits & culling_tree_bit(tree));
        own->bits = (uint16_t)(own->bits | culling_tree_bit(tree));
        acre_culling_update_layers(culling, slot, culling_layers(table, slot));
    }
}

// Lists the slots that the tree is to have, and gives them to it.
static void load_batched(acre_culling *culling, const load_list *list, int tree, load_batch *batch)
{
    acre_aabb room;
    for (size_t i = 0; i < list->count; i++) {
        if (tree_to_load(list, i) == culling_tree_bit(tree)) {
            *COLUMN_AT(batch->items, batch->count) = listed_slot(list, i);
            *COLUMN_AT(batch->boxes, batch->count++) = *listed_box(list, i, &room);
        }
    }
    const acre_result result = acre_quadtree_insert_many(culling->trees[tree], batch->items.data,
                                                         batch->boxes.data, batch->count);
    if (result == ACRE_OK || result == ACRE_ERROR_EXISTS) {
        enter_batch(culling, list->table, tree, batch);
    }
}

// wanted: how many slots the tree is to have
static void load_tree(acre_culling *culling, const load_list *list, int tree, size_t wanted)
{
    if (wanted < LOAD_LEAST || wanted < culling->tree_counts[tree] ||
        acre_culling_need_tree(culling, tree) != ACRE_OK) {
        return;
    }
    const acre_allocator *const allocator = &culling->allocator;
    load_batch batch = {.count = 0};
    if (COLUMN_RESERVE(allocator, batch.items, wanted) &&
        COLUMN_RESERVE(allocator, batch.boxes, wanted)) {
        load_batched(culling, list, tree, &batch);
        ACRE_INVARIANT(batch.count == wanted);
    }
    COLUMN_FREE(allocator, batch.items);
    COLUMN_FREE(allocator, batch.boxes);
}

void acre_culling_load(acre_culling *culling, const culling_table *table, const uint32_t *slots,
                       size_t count, const acre_box_array *rows, bool by_slot)
{
    const load_list list = {table, slots, count, rows, by_slot};
    size_t wanted[TREE_COUNT] = {0};
    if (count < LOAD_LEAST) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t bit = tree_to_load(&list, i);
        wanted[TREE_MOVING] += bit == SLOT_IN_MOVING;
        wanted[TREE_STATIC] += bit == SLOT_IN_STATIC;
    }
    for (int tree = 0; tree < TREE_COUNT; tree++) {
        load_tree(culling, &list, tree, wanted[tree]);
    }
}
