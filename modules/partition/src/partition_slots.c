// SPDX-License-Identifier: MIT
// partition_slots.c - slots, and the table that finds them by number and image.
#include "partition_internal.h"

#include "bits_internal.h"

#include <string.h>

static size_t home_of(const acre_partition *part, uint64_t number, uint8_t image)
{
    ACRE_INVARIANT((part->table.capacity & (part->table.capacity - 1)) == 0);
    return (size_t)mix_bits(number + MIX_STEP * (image + 1u)) & (part->table.capacity - 1);
}

static size_t next_in_table(const acre_partition *part, size_t at)
{
    return (at + 1) & (part->table.capacity - 1);
}

// Where a number stands, or the empty place where it would.
static size_t place_of(const acre_partition *part, uint64_t number, uint8_t image)
{
    size_t at = home_of(part, number, image);
    for (;; at = next_in_table(part, at)) {
        const uint32_t slot = *COLUMN_AT(part->table, at);
        if (slot == SLOT_NONE || (*COLUMN_AT(part->numbers, slot) == number &&
                                  *COLUMN_AT(part->images, slot) == image)) {
            return at;
        }
    }
}

uint32_t acre_partition_slot_of(const acre_partition *part, uint64_t number, uint8_t image)
{
    return part->table_used == 0 ? SLOT_NONE : part->table.data[place_of(part, number, image)];
}

static void put_in_table(acre_partition *part, uint32_t slot)
{
    const size_t at =
        place_of(part, *COLUMN_AT(part->numbers, slot), *COLUMN_AT(part->images, slot));
    ACRE_INVARIANT(*COLUMN_AT(part->table, at) == SLOT_NONE);
    part->table.data[at] = slot;
    part->table_used++;
    ACRE_INVARIANT(part->table_used < part->table.capacity);
}

// Half of the table stays empty.
static bool reserve_table(acre_partition *part, size_t used)
{
    size_t capacity = part->table.capacity > 0 ? part->table.capacity : 64;
    while (capacity < 2 * used) {
        capacity *= 2;
    }
    if (capacity == part->table.capacity) {
        return true;
    }
    const acre_partition old = *part;
    part->table.any = (column){NULL, 0};
    if (!COLUMN_RESERVE(&part->allocator, part->table, capacity) ||
        part->table.capacity != capacity) {
        COLUMN_FREE(&part->allocator, part->table);
        part->table.any = old.table.any;
        return false;
    }
    memset(part->table.data, 0xff, capacity * sizeof *part->table.data); // SLOT_NONE
    part->table_used = 0;
    for (size_t i = 0; i < old.table.capacity; i++) {
        if (old.table.data[i] != SLOT_NONE) {
            put_in_table(part, old.table.data[i]);
        }
    }
    ACRE_INVARIANT(part->table_used == old.table_used);
    column rest = old.table.any;
    acre_column_free(&part->allocator, &rest, sizeof *part->table.data);
    return true;
}

acre_result acre_partition_reserve_slots(acre_partition *part, size_t more)
{
    const size_t slots = part->slots + more;
    if (slots > SLOTS_MOST) {
        return ACRE_ERROR_CAPACITY;
    }
    const acre_allocator *const allocator = &part->allocator;
    const bool has_room = COLUMN_RESERVE(allocator, part->boxes, slots) &&
                          COLUMN_RESERVE(allocator, part->numbers, slots) &&
                          COLUMN_RESERVE(allocator, part->stamps, slots) &&
                          COLUMN_RESERVE(allocator, part->next_free, slots) &&
                          COLUMN_RESERVE(allocator, part->kinds, slots) &&
                          COLUMN_RESERVE(allocator, part->images, slots) &&
                          COLUMN_RESERVE(allocator, part->is_giant, slots) &&
                          COLUMN_RESERVE(allocator, part->fresh, slots) &&
                          COLUMN_RESERVE(allocator, part->fresh_boxes, slots) &&
                          reserve_table(part, slots) &&
                          (!part->data.reserve || part->data.reserve(part->data.user, slots));
    return has_room ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}

uint32_t acre_partition_take_slot(acre_partition *part, uint64_t number, uint8_t image,
                                  acre_slot_kind kind, const acre_aabb *box)
{
    ACRE_INVARIANT(kind != ACRE_SLOT_FREE);
    uint32_t slot = part->free_slot;
    if (slot != SLOT_NONE) {
        ACRE_INVARIANT(*COLUMN_AT(part->kinds, slot) == ACRE_SLOT_FREE);
        part->free_slot = *COLUMN_AT(part->next_free, slot);
    } else {
        slot = (uint32_t)part->slots++;
    }
    *COLUMN_AT(part->numbers, slot) = number;
    *COLUMN_AT(part->images, slot) = image;
    *COLUMN_AT(part->kinds, slot) = (uint8_t)kind;
    *COLUMN_AT(part->stamps, slot) = part->ticks;
    *COLUMN_AT(part->boxes, slot) = *box;
    *(kind == ACRE_SLOT_OWN ? &part->own : &part->ghosts) += 1;
    put_in_table(part, slot);
    return slot;
}

void acre_partition_free_slot(acre_partition *part, uint32_t slot, bool rests)
{
    const uint8_t kind = *COLUMN_AT(part->kinds, slot);
    ACRE_INVARIANT(kind != ACRE_SLOT_FREE);
    size_t hole = place_of(part, *COLUMN_AT(part->numbers, slot), *COLUMN_AT(part->images, slot));
    ACRE_INVARIANT(part->table.data[hole] == slot);
    // What stands behind moves up, unless it would stand before its home (Knuth 1973, 6.4 R).
    for (size_t at = next_in_table(part, hole); part->table.data[at] != SLOT_NONE;
         at = next_in_table(part, at)) {
        const uint32_t other = part->table.data[at];
        const size_t home =
            home_of(part, *COLUMN_AT(part->numbers, other), *COLUMN_AT(part->images, other));
        const size_t mask = part->table.capacity - 1;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            part->table.data[hole] = other;
            hole = at;
        }
    }
    part->table.data[hole] = SLOT_NONE;
    part->table_used--;
    *(kind == ACRE_SLOT_OWN ? &part->own : &part->ghosts) -= 1;
    *COLUMN_AT(part->kinds, slot) = ACRE_SLOT_FREE;
    uint32_t *const chain = rests ? &part->resting_slot : &part->free_slot;
    *COLUMN_AT(part->next_free, slot) = *chain;
    *chain = slot;
}

// An interest that watches the tree from exchange to exchange has seen each of them empty.
void acre_partition_free_resting(acre_partition *part)
{
    while (part->resting_slot != SLOT_NONE) {
        const uint32_t slot = part->resting_slot;
        ACRE_INVARIANT(*COLUMN_AT(part->kinds, slot) == ACRE_SLOT_FREE);
        part->resting_slot = *COLUMN_AT(part->next_free, slot);
        *COLUMN_AT(part->next_free, slot) = part->free_slot;
        part->free_slot = slot;
    }
}
