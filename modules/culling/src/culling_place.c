// SPDX-License-Identifier: MIT
// culling_place.c - where one slot belongs, and how it gets there.
#include "culling_internal.h"

#include "bits_internal.h"

static void enter_never(acre_culling *culling, uint32_t slot)
{
    culling_slot *const own = culling_slot_at(culling, slot);
    if (!(own->bits & SLOT_IN_NEVER)) {
        ACRE_INVARIANT(!(*COLUMN_AT(culling->never, slot >> 6) >> (slot & 63) & 1));
        *COLUMN_AT(culling->never, slot >> 6) |= (uint64_t)1 << (slot & 63);
        *COLUMN_AT(culling->never_summary, slot >> 12) |= (uint64_t)1 << ((slot >> 6) & 63);
        culling->never_count++;
        own->bits |= SLOT_IN_NEVER;
    }
}

static void leave_never(acre_culling *culling, uint32_t slot)
{
    uint64_t *const word = COLUMN_AT(culling->never, slot >> 6);
    ACRE_INVARIANT((*word >> (slot & 63) & 1) && culling->never_count > 0);
    *word &= ~((uint64_t)1 << (slot & 63));
    if (*word == 0) {
        *COLUMN_AT(culling->never_summary, slot >> 12) &= ~((uint64_t)1 << ((slot >> 6) & 63));
    }
    culling->never_count--;
}

// Cost: one summary word for 4096 slots, then one step for each member of the set.
size_t acre_culling_list_never(const acre_culling *culling, uint32_t layers, uint32_t except,
                               uint32_t *slots, size_t capacity)
{
    if (culling->never_count == 0) {
        return 0;
    }
    const culling_table table = acre_culling_table(culling);
    if (table.slot_count == 0) {
        return 0; // a commit runs
    }
    const uint32_t any = layers ? layers : UINT32_MAX;
    const uint64_t *const words = culling->never.data;
    const uint64_t *const summary = culling->never_summary.data;
    size_t count = 0;
    for (size_t block = 0; block < culling->never_summary.capacity; block++) {
        for (uint64_t of_block = summary[block]; of_block; of_block &= of_block - 1) {
            const size_t word = block * 64 + lowest_bit(of_block);
            for (uint64_t bits = words[word]; bits; bits &= bits - 1) {
                const uint32_t slot = (uint32_t)(word * 64) + lowest_bit(bits);
                if (!(culling_layers(&table, slot) & any) || slot == except) {
                    continue;
                }
                if (count < capacity) {
                    slots[count] = slot;
                }
                count++;
            }
        }
    }
    return count;
}

void acre_culling_leave(acre_culling *culling, uint32_t slot)
{
    culling_slot *const own = culling_slot_at(culling, slot);
    const int tree = culling_tree_of(*own);
    if (tree != TREE_COUNT) {
        ACRE_INVARIANT(culling->tree_counts[tree] > 0);
        ACRE_INVARIANT_OK(acre_quadtree_remove(culling->trees[tree], slot));
        culling->tree_counts[tree]--;
        culling_count_edit(culling, tree);
    }
    if (own->bits & SLOT_IN_NEVER) {
        leave_never(culling, slot);
    }
    own->bits = (uint16_t)(own->bits & ~CULLING_PLACES);
}

// The rule that the entity in a slot of the scene was created with. No table has larger numbers.
static uint16_t created_rule(const acre_culling *culling, uint32_t slot)
{
    const uint32_t *rules;
    const size_t count = acre_scene_rules(culling->scene, &rules);
    return slot < count && rules[slot] <= UINT16_MAX ? (uint16_t)rules[slot] : 0;
}

bool acre_culling_reserve_rules(acre_culling *culling, size_t slots)
{
    const size_t before = culling->slot_rules.capacity;
    if (!COLUMN_RESERVE(&culling->allocator, culling->slot_rules, slots)) {
        return false;
    }
    for (size_t slot = before; slot < culling->slot_rules.capacity; slot++) {
        culling->slot_rules.data[slot] = created_rule(culling, (uint32_t)slot);
    }
    return true;
}

void acre_culling_bind_slot(acre_culling *culling, acre_entity entity)
{
    ACRE_ASSERT(entity.generation != 0);
    const uint32_t slot = entity.index1 - 1u;
    culling_slot *const own = culling_slot_at(culling, slot);
    culling->scene_number = entity.scene;
    if (own->generation != entity.generation) {
        if (slot < culling->slot_rules.capacity) {
            culling->slot_rules.data[slot] = created_rule(culling, slot);
        }
        acre_culling_drop_occluders(culling, slot);
        ACRE_INVARIANT(!(own->bits & CULLING_PLACES)); // no commit ever saw the other entity
        *own = (culling_slot){entity.generation, 0};
    }
}

void acre_culling_release_slot(acre_culling *culling, uint32_t slot)
{
    acre_culling_leave(culling, slot);
    if (slot < culling->slot_rules.capacity) {
        culling->slot_rules.data[slot] = 0;
    }
    acre_culling_drop_occluders(culling, slot);
    *culling_slot_at(culling, slot) = (culling_slot){0, 0};
}

// An item that finds no room in its tree stays in the other, or else is visible to every query
// until it does: doubt means visible. @return whether it is in the tree.
static bool enter_tree(acre_culling *culling, uint32_t slot, int tree, const acre_aabb *box,
                       uint32_t layers)
{
    acre_result result = acre_culling_reserve_item(culling, tree, slot, layers);
    if (result == ACRE_OK) {
        result = acre_quadtree_insert(culling->trees[tree], slot, box);
        ACRE_INVARIANT(result != ACRE_ERROR_OUT_OF_MEMORY);
    }
    ACRE_INVARIANT(result != ACRE_ERROR_EXISTS && result != ACRE_ERROR_INVALID_ARGUMENT);
    culling_slot *const own = culling_slot_at(culling, slot);
    if (result == ACRE_OK) {
        acre_culling_leave(culling, slot);
        own->bits = (uint16_t)(own->bits | culling_tree_bit(tree));
        culling->tree_counts[tree]++;
        culling_count_edit(culling, tree);
    } else if (!(own->bits & CULLING_TREES)) {
        enter_never(culling, slot);
    }
    culling_note_item(culling, result);
    return result == ACRE_OK;
}

void acre_culling_update_layers(acre_culling *culling, uint32_t slot, uint32_t layers)
{
    const int tree = culling_tree_of(*culling_slot_at(culling, slot));
    if (tree != TREE_COUNT && acre_quadtree_get_layers(culling->trees[tree], slot) != layers) {
        culling_note_item(culling, acre_quadtree_set_layers(culling->trees[tree], slot, layers));
    }
}

static void update_in_tree(acre_culling *culling, uint32_t slot, int tree, const acre_aabb *box,
                           uint32_t layers)
{
    ACRE_INVARIANT(!culling_box_is_empty(box));
    const int before = culling_tree_of(*culling_slot_at(culling, slot));
    const bool has_entered = before != tree && enter_tree(culling, slot, tree, box, layers);
    if (before != TREE_COUNT && !has_entered) {
        culling_note_item(culling, acre_quadtree_refresh(culling->trees[before], slot, box));
        culling_count_edit(culling, before);
    }
    acre_culling_update_layers(culling, slot, layers);
}

void acre_culling_settle(acre_culling *culling, uint32_t slot, uint32_t place, const acre_aabb *box,
                         uint32_t layers)
{
    if (place & CULLING_TREES) {
        const int tree = place == SLOT_IN_STATIC ? TREE_STATIC : TREE_MOVING;
        update_in_tree(culling, slot, tree, box, layers);
        return;
    }
    if ((culling_slot_at(culling, slot)->bits & CULLING_PLACES) != place) {
        acre_culling_leave(culling, slot);
    }
    if (place == SLOT_IN_NEVER) {
        enter_never(culling, slot);
    }
}

void acre_culling_update_place(acre_culling *culling, const culling_table *table, uint32_t slot)
{
    const uint32_t bits = culling_slot_at(culling, slot)->bits;
    if (!(bits & SLOT_PUBLISHED)) {
        ACRE_INVARIANT(!(bits & CULLING_PLACES));
    } else if (slot >= table->slot_count) {
        culling_note(culling, ACRE_ERROR_BUSY); // the table is empty: someone commits meanwhile
    } else {
        const acre_aabb *const box = &table->boxes[slot];
        const uint32_t place = culling_wanted_place(bits, table->flags[slot], box);
        acre_culling_settle(culling, slot, place, box, table->layers[slot]);
    }
}

// Whether register_all registers the entity: it has bounds, or every query finds it.
static bool registers_by_itself(const culling_table *table, uint32_t slot)
{
    const published_slot published = culling_published(table, slot);
    return published.generation != 0 &&
           (published.has_bounds || (table->flags[slot] & ACRE_ENTITY_NEVER_CULL));
}

void acre_culling_register_if_all(acre_culling *culling, const culling_table *table, uint32_t slot)
{
    culling_slot *const own = culling_slot_at(culling, slot);
    if (!culling->register_all || (own->bits & (SLOT_REGISTERED | SLOT_EXCLUDED)) ||
        !registers_by_itself(table, slot)) {
        return;
    }
    if (slot < culling->item_capacity) {
        own->bits |= SLOT_REGISTERED;
    } else {
        culling_note(culling, ACRE_ERROR_CAPACITY);
    }
}
