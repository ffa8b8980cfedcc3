// SPDX-License-Identifier: MIT
// partition_validate.c - hashes, counts, and the invariants of partition_internal.h.
#include "partition_internal.h"

#include "bits_internal.h"

#include <stdio.h>
#include <string.h>

uint64_t acre_partition_content_hash(const acre_partition *part)
{
    uint64_t sum = 0;
    for (size_t slot = 0; part && slot < part->slots; slot++) {
        if (part->kinds.data[slot] != ACRE_SLOT_OWN) {
            continue;
        }
        uint32_t bits[6];
        memcpy(bits, &part->boxes.data[slot], sizeof bits);
        uint64_t hash = mix_bits(1 + part->numbers.data[slot] + MIX_STEP);
        for (int i = 0; i < 6; i++) {
            const uint32_t value = bits[i] == 0x80000000u ? 0 : bits[i]; // +0 for -0
            hash = mix_bits(hash + value + MIX_STEP);
        }
        sum += hash;
    }
    return sum;
}

void acre_partition_get_stats(const acre_partition *part, acre_partition_stats *out)
{
    *out = (acre_partition_stats){0};
    if (!part) {
        return;
    }
    *out =
        (acre_partition_stats){.own = part->own,
                               .ghosts = part->ghosts,
                               .giants = part->giants,
                               .border = part->border,
                               .cells = part->cut.data[part->part + 1] - part->cut.data[part->part],
                               .questions = part->rounds.question_count,
                               .bytes = acre_partition_memory(part),
                               .exchanges = part->ticks};
    for (uint32_t to = 0; to < part->part_count; to++) {
        const partition_message *const message = COLUMN_AT(part->messages, to);
        out->bytes_sent += to != part->part ? message->size : 0;
        out->messages += to != part->part && message->size > 0;
    }
}

static const char *check_one_slot(const acre_partition *part, uint32_t slot, bool is_settled)
{
    const uint8_t kind = part->kinds.data[slot];
    const bool is_in_tree = acre_quadtree_contains(part->tree, slot);
    if (kind == ACRE_SLOT_FREE) {
        return is_in_tree ? "rule 3: a free slot is in the tree" : NULL;
    }
    if (acre_partition_slot_of(part, part->numbers.data[slot], part->images.data[slot]) != slot) {
        return "rule 1: a slot is not found by its number";
    }
    acre_aabb box;
    if (is_settled && !is_in_tree) {
        return "rule 3: a used slot is not in the tree";
    }
    if (kind == ACRE_SLOT_GHOST && (acre_quadtree_get_box(part->tree, slot, &box) != ACRE_OK ||
                                    !acre_aabb_contains(&box, &part->boxes.data[slot]) ||
                                    !acre_aabb_contains(&part->boxes.data[slot], &box))) {
        return "rule 3: a ghost has another box in the tree";
    }
    return kind == ACRE_SLOT_OWN && part->images.data[slot] != 0 ? "rule 4: an own slot is an image"
                                                                 : NULL;
}

static const char *check_all_slots(const acre_partition *part)
{
    size_t own = 0, ghosts = 0, chain = 0;
    const bool is_settled = part->fresh_count == 0;
    for (uint32_t slot = 0; slot < part->slots; slot++) {
        own += part->kinds.data[slot] == ACRE_SLOT_OWN;
        ghosts += part->kinds.data[slot] == ACRE_SLOT_GHOST;
        const char *const fault = check_one_slot(part, slot, is_settled);
        if (fault) {
            return fault;
        }
    }
    const uint32_t chains[2] = {part->free_slot, part->resting_slot};
    for (int i = 0; i < 2; i++) {
        for (uint32_t slot = chains[i]; slot != SLOT_NONE && chain <= part->slots; chain++) {
            if (slot >= part->slots || part->kinds.data[slot] != ACRE_SLOT_FREE) {
                return "rule 2: a chain of free slots holds a used one";
            }
            slot = part->next_free.data[slot];
        }
    }
    return chain + own + ghosts != part->slots          ? "rule 2: a free slot is in no chain"
           : own != part->own || ghosts != part->ghosts ? "rule 4: slots are counted wrongly"
           : own + ghosts != part->table_used           ? "rule 1: the table has another number"
                                                        : NULL;
}

static const char *check_the_cut(const acre_partition *part)
{
    const uint32_t *const cut = part->cut.data;
    bool ascends = cut[0] == 0 && cut[part->part_count] == part->ground.side * part->ground.side;
    for (uint32_t i = 0; i < part->part_count; i++) {
        ascends = ascends && cut[i] <= cut[i + 1];
    }
    return ascends ? NULL : "rule 5: the cut does not ascend";
}

acre_result acre_partition_validate(const acre_partition *part, char *message, size_t size)
{
    if (!part) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const char *fault = check_the_cut(part);
    fault = fault ? fault : check_all_slots(part);
    if (message && size > 0) {
        (void)snprintf(message, size, "%s", fault ? fault : "");
    }
    return fault ? ACRE_ERROR_FORMAT : ACRE_OK;
}
