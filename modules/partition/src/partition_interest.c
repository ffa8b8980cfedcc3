// SPDX-License-Identifier: MIT
// partition_interest.c - the interest of a part: create, destroy, add, remove, ask.
#include "partition_interest_internal.h"

#include "interest_shared.h"

// ---- create and destroy ----

static void visit_sights(column_visitor *visitor, void *object)
{
    acre_partition_interest *const interest = object;
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        COLUMN_VISIT(visitor, interest->outputs[kind].offsets);
        COLUMN_VISIT(visitor, interest->outputs[kind].numbers);
        COLUMN_VISIT(visitor, interest->outputs[kind].bands);
    }
    COLUMN_VISIT(visitor, interest->observers);
    COLUMN_VISIT(visitor, interest->rows);
    COLUMN_VISIT(visitor, interest->numbers);
    COLUMN_VISIT(visitor, interest->sights);
    COLUMN_VISIT(visitor, interest->new_sights);
    COLUMN_VISIT(visitor, interest->items);
    COLUMN_VISIT(visitor, interest->bands);
    COLUMN_VISIT(visitor, interest->near);
    COLUMN_VISIT(visitor, interest->given);
    COLUMN_VISIT(visitor, interest->given_slots);
    COLUMN_VISIT(visitor, interest->given_ranges);
}

acre_result acre_partition_interest_create(acre_partition *part, const acre_interest_def *def,
                                           acre_partition_interest **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    if (!part || (def && def->flags != 0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST || part->rider.user) {
        return part->phase != PHASE_REST ? ACRE_ERROR_BUSY : ACRE_ERROR_EXISTS;
    }
    const acre_allocator *const given = def ? def->allocator : NULL;
    acre_partition_interest *const interest =
        acre_object_make(given ? given : &part->allocator, sizeof *interest);
    if (!interest) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    interest->part = part;
    acre_interest_def own = def ? *def : (acre_interest_def){0};
    own.allocator = &interest->allocator;
    const acre_result result = acre_interest_create(part->tree, &own, &interest->interest);
    if (result != ACRE_OK) {
        acre_object_free(interest, sizeof *interest, visit_sights);
        return result;
    }
    acre_interest_see_to_leave(interest->interest, part->ground.range);
    part->rider = (partition_rider){
        interest,        acre_sights_rider_size, acre_sights_pack_rider, acre_sights_check_rider,
        acre_sights_end, acre_sights_arrive};
    *out = interest;
    return ACRE_OK;
}

void acre_partition_interest_destroy(acre_partition_interest *interest)
{
    if (!interest) {
        return;
    }
    ACRE_ASSERT(interest->part->phase == PHASE_REST);
    interest->part->rider = (partition_rider){.user = NULL};
    acre_interest_destroy(interest->interest);
    acre_object_free(interest, sizeof *interest, visit_sights);
}

// ---- observers ----

acre_result acre_partition_interest_add(acre_partition_interest *interest, uint64_t number,
                                        const acre_observer_def *def)
{
    if (!interest || !def || !acre_sights_def_is_good(interest, def)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_partition *const part = interest->part;
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const uint32_t slot = acre_partition_slot_of(part, number, 0);
    if (slot == SLOT_NONE || part->kinds.data[slot] != ACRE_SLOT_OWN) {
        return ACRE_ERROR_NOT_FOUND;
    }
    return acre_sights_row(interest, slot) != SLOT_NONE
               ? ACRE_ERROR_EXISTS
               : acre_sights_add(interest, number, slot, def);
}

acre_result acre_partition_interest_remove(acre_partition_interest *interest, uint64_t number)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (interest->part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const uint32_t slot = acre_partition_slot_of(interest->part, number, 0);
    const uint32_t row = slot == SLOT_NONE ? SLOT_NONE : acre_sights_row(interest, slot);
    return row == SLOT_NONE ? ACRE_ERROR_NOT_FOUND : acre_sights_drop(interest, row);
}

acre_result acre_partition_interest_set_ranges(acre_partition_interest *interest,
                                               const float *ranges)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (interest->part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    interest->ranges = ranges;
    return ACRE_OK;
}

acre_sights acre_partition_interest_get_sights(const acre_partition_interest *interest)
{
    acre_sights sights = {0};
    if (!interest) {
        return sights;
    }
    acre_sight_list *const lists[SIGHT_KINDS] = {&sights.seen, &sights.entered, &sights.left,
                                                 &sights.changed};
    sights.row_count = interest->row_count;
    sights.observers = interest->numbers.data;
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        const sight_output *const output = &interest->outputs[kind];
        *lists[kind] = (acre_sight_list){output->offsets.data, output->numbers.data,
                                         output->bands.data, output->count};
    }
    return sights;
}
