// SPDX-License-Identifier: MIT
// culling_load.c - many new entities at once: a batch for each tree, which then builds itself anew.
#include "culling_internal.h"

// Fewer new entities than this are inserted one by one, and so is a batch smaller than its tree,
// because the tree would not be built anew for it. At a million entities a batch costs 320 ns an
// entity, single inserts 370 ns, and queries cost 5 to 9 % less after a batch.
#define LOAD_LEAST 64

typedef struct load_batch {
    uint32_t *items;
    acre_aabb *boxes;
    size_t capacity;
    size_t count;
} load_batch;

static void free_batch(const acre_culling *culling, load_batch *batch)
{
    if (batch->items) {
        (void)acre_resize(&culling->allocator, batch->items, batch->capacity * sizeof *batch->items,
                          0, _Alignof(uint32_t));
    }
    if (batch->boxes) {
        (void)acre_resize(&culling->allocator, batch->boxes, batch->capacity * sizeof *batch->boxes,
                          0, _Alignof(acre_aabb));
    }
}

// @return whether there was memory.
static bool make_batch(const acre_culling *culling, size_t capacity, load_batch *out)
{
    *out = (load_batch){.capacity = capacity};
    out->items = acre_resize(&culling->allocator, NULL, 0, capacity * sizeof *out->items,
                             _Alignof(uint32_t));
    out->boxes = acre_resize(&culling->allocator, NULL, 0, capacity * sizeof *out->boxes,
                             _Alignof(acre_aabb));
    if (!out->items || !out->boxes) {
        free_batch(culling, out);
        return false;
    }
    return true;
}

static bool is_to_be_loaded(const culling_table *table, uint32_t slot, int tree)
{
    return !(table->slots[slot].bits & CULLING_PLACES) &&
           acre_culling_wanted_place(table, slot) == culling_tree_bit(tree);
}

static uint32_t listed_slot(const uint32_t *slots, size_t i)
{
    return slots ? slots[i] : (uint32_t)i;
}

// Marks the slots of a batch that the tree has taken.
static acre_result enter_batch(acre_culling *culling, const culling_table *table, int tree,
                               const load_batch *batch)
{
    acre_result first = ACRE_OK;
    for (size_t i = 0; i < batch->count; i++) {
        culling_slot *const own = culling_slot_at(culling, batch->items[i]);
        own->bits = (uint16_t)(own->bits | culling_tree_bit(tree));
        culling_first_error(&first, acre_culling_update_layers(culling, batch->items[i],
                                                               table->layers[batch->items[i]]));
    }
    culling->tree_counts[tree] += (uint32_t)batch->count;
    culling->is_behind |= first != ACRE_OK;
    return first;
}

static acre_result load_tree(acre_culling *culling, const culling_table *table,
                             const uint32_t *slots, size_t count, int tree)
{
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++) {
        wanted += is_to_be_loaded(table, listed_slot(slots, i), tree);
    }
    load_batch batch;
    if (wanted < LOAD_LEAST || wanted < culling->tree_counts[tree] ||
        acre_culling_need_tree(culling, tree) != ACRE_OK || !make_batch(culling, wanted, &batch)) {
        return ACRE_OK;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = listed_slot(slots, i);
        if (is_to_be_loaded(table, slot, tree)) {
            ACRE_INVARIANT(batch.count < batch.capacity);
            batch.items[batch.count] = slot;
            batch.boxes[batch.count++] = *culling_box(table, slot);
        }
    }
    acre_result first = ACRE_OK;
    ACRE_INVARIANT(batch.count == wanted);
    if (acre_quadtree_insert_many(culling->trees[tree], batch.items, batch.boxes, batch.count) ==
        ACRE_OK) {
        first = enter_batch(culling, table, tree, &batch);
    }
    free_batch(culling, &batch);
    return first;
}

acre_result acre_culling_load(acre_culling *culling, const culling_table *table,
                              const uint32_t *slots, size_t count)
{
    acre_result first = ACRE_OK;
    for (int tree = 0; tree < TREE_COUNT && count >= LOAD_LEAST; tree++) {
        culling_first_error(&first, load_tree(culling, table, slots, count, tree));
    }
    return first;
}
