// SPDX-License-Identifier: MIT
// partition_exchange.c - one exchange: who must know what, and what came and went.
//
// An owner sends each ghost to each part that needs it in every exchange, so a part forgets what
// nobody sent. When an item changes its owner, the old owner sends the ghosts in that exchange, and
// the new owner from the next one on. So no ghost is missing, and none is sent twice.
#include "partition_internal.h"

#include "quadtree_items_shared.h"

#include <string.h>

// Writes a copy of the item that is looked at into the message to a part, once.
static bool send_copy(acre_partition *part, uint32_t to, uint32_t slot, uint8_t image)
{
    ACRE_INVARIANT(to < part->part_count && image < 9);
    uint64_t *const sent = COLUMN_AT(part->sent, (size_t)to * 9 + image);
    if (*sent == part->looks) {
        return true;
    }
    *sent = part->looks;
    part->border++;
    return acre_partition_write_item(part, to, slot, image, false);
}

// The part has the item, so it needs no copy.
static void mark_sent(acre_partition *part, uint32_t to)
{
    *COLUMN_AT(part->sent, (size_t)to * 9) = part->looks;
}

// A giant goes to all parts with all its images: two giants may meet beyond the ground.
static bool send_to_all(acre_partition *part, uint32_t slot)
{
    for (uint8_t image = 0; image < (part->ground.is_periodic ? 9 : 1); image++) {
        for (uint32_t to = 0; to < part->part_count; to++) {
            if (!send_copy(part, to, slot, image)) {
                return false;
            }
        }
    }
    return true;
}

static bool send_to_cell(acre_partition *part, uint32_t slot, int32_t x, int32_t z)
{
    const int32_t side = (int32_t)part->ground.side;
    // Beyond one side of a periodic ground its other side begins: the part there gets an image.
    const int step_x = x < 0 ? 1 : x >= side ? -1 : 0, step_z = z < 0 ? 1 : z >= side ? -1 : 0;
    ACRE_INVARIANT(part->ground.is_periodic || (step_x == 0 && step_z == 0));
    const uint32_t cell =
        acre_ground_morton((uint32_t)(x + step_x * side), (uint32_t)(z + step_z * side));
    if (step_x == 0 && step_z == 0 && partition_owns(part, cell)) {
        return send_copy(part, part->part, slot, 0);
    }
    return send_copy(part, acre_partition_owner(part, cell), slot, image_of(step_x, step_z));
}

static bool send_to_cells(acre_partition *part, uint32_t slot, const cell_range *range)
{
    for (int32_t z = range->low[1]; z <= range->high[1]; z++) {
        for (int32_t x = range->low[0]; x <= range->high[0]; x++) {
            if (!send_to_cell(part, slot, x, z)) {
                return false;
            }
        }
    }
    return true;
}

// Sends an item to its new owner. This part may keep it as a ghost.
static bool send_away(acre_partition *part, uint32_t slot, uint32_t owner)
{
    ACRE_INVARIANT(owner < part->part_count && owner != part->part);
    const acre_partition_item item = {*COLUMN_AT(part->numbers, slot), slot, owner};
    return partition_list_add(part, &part->departed, item) &&
           acre_partition_write_item(part, owner, slot, 0, true);
}

// Sends what others need of an item. This part needs no copy at image 0: it has the item, as its
// own or as a ghost.
static bool look_at_item(acre_partition *part, uint32_t slot)
{
    const acre_aabb *const box = COLUMN_AT(part->boxes, slot);
    const uint32_t cell = acre_ground_cell(&part->ground, box);
    const bool is_giant = acre_ground_is_giant(&part->ground, box);
    const bool stays = partition_owns(part, cell);
    part->giants += is_giant;
    *COLUMN_AT(part->is_giant, slot) = is_giant;
    const cell_range range = acre_ground_touched(&part->ground, box);
    if (stays && !is_giant && range.low[0] == range.high[0] && range.low[1] == range.high[1]) {
        return true; // the cell that holds its center is the only one
    }
    part->looks++;
    const uint32_t owner = stays ? part->part : acre_partition_owner(part, cell);
    mark_sent(part, part->part);
    mark_sent(part, owner);
    return (stays || send_away(part, slot, owner)) &&
           (is_giant ? send_to_all(part, slot) : send_to_cells(part, slot, &range));
}

// Whether an item that this part gives away stays here as a ghost.
static bool stays_as_ghost(const acre_partition *part, uint32_t slot)
{
    const acre_aabb *const box = &part->boxes.data[slot];
    if (part->is_giant.data[slot]) {
        return true;
    }
    const cell_range range = acre_ground_touched(&part->ground, box);
    const int32_t side = (int32_t)part->ground.side;
    for (int32_t z = range.low[1]; z <= range.high[1]; z++) {
        for (int32_t x = range.low[0]; x <= range.high[0]; x++) {
            if (x >= 0 && z >= 0 && x < side && z < side &&
                partition_owns(part, acre_ground_morton((uint32_t)x, (uint32_t)z))) {
                return true;
            }
        }
    }
    return false;
}

// ---- begin ----

// Replaces an invalid box by the one in the tree, and lists the item as refused. An item that was
// added since the last exchange is not in the tree yet: it goes to the lower corner of the ground.
static bool check_box(acre_partition *part, uint32_t slot)
{
    acre_aabb *const box = COLUMN_AT(part->boxes, slot);
    if (acre_aabb_is_valid(box) &&
        (!part->ground.is_periodic || acre_ground_wrap(&part->ground, box))) {
        return true;
    }
    if (!partition_list_add(part, &part->refused,
                            (acre_partition_item){part->numbers.data[slot], slot, part->part})) {
        return false;
    }
    part->is_refusing = true;
    if (!acre_quadtree_find_box(part->tree, slot, box)) {
        *box = (acre_aabb){{(float)part->ground.low[0], 0, (float)part->ground.low[1]},
                           {(float)part->ground.low[0], 0, (float)part->ground.low[1]}};
    }
    return true;
}

static bool look_at_items(acre_partition *part)
{
    for (uint32_t slot = 0; slot < part->slots; slot++) {
        if (part->kinds.data[slot] == ACRE_SLOT_OWN &&
            !(check_box(part, slot) && look_at_item(part, slot))) {
            return false;
        }
    }
    return true;
}

static void clear_lists(acre_partition *part)
{
    part->arrived.count = part->departed.count = 0;
    part->entered.count = part->left.count = 0;
    part->giants = part->border = part->rider_bytes = 0;
    part->rounds.answer_count = 0; // they belong to the exchange before
}

acre_result acre_partition_begin(acre_partition *part)
{
    if (!part) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    clear_lists(part);
    if (!part->has_failed) { // else the caller does not know yet what was refused
        part->refused.count = 0;
        part->is_refusing = false;
    }
    part->has_failed = true;
    if (!COLUMN_RESERVE(&part->allocator, part->left.items, part->slots + 1) ||
        !acre_partition_open_messages(part) || !look_at_items(part)) {
        clear_lists(part);
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    part->has_failed = false; // nothing can fail from here on
    for (size_t i = 0; i < part->departed.count; i++) {
        const uint32_t slot = COLUMN_AT(part->departed.items, i)->slot;
        ACRE_INVARIANT(part->kinds.data[slot] == ACRE_SLOT_OWN && part->own > 0);
        part->kinds.data[slot] = ACRE_SLOT_GHOST;
        part->own--;
        part->ghosts++;
        part->stamps.data[slot] = stays_as_ghost(part, slot) ? part->ticks + 1 : 0;
    }
    part->ticks++;
    // The headers have the number of the exchange, which counts from here.
    acre_partition_stamp_messages(part);
    part->phase = PHASE_EXCHANGE;
    part->has_new_cut = false;
    memset(part->taken.data, 0, part->part_count);
    return ACRE_OK;
}

// ---- apply ----

// Forgets the ghosts that nobody sent. A stamp of 0 means that the part gave the item away: it
// stands in `departed`, not in `left`.
static void drop_stale(acre_partition *part)
{
    for (uint32_t slot = 0; slot < part->slots; slot++) {
        if (part->kinds.data[slot] != ACRE_SLOT_GHOST || part->stamps.data[slot] == part->ticks) {
            continue;
        }
        if (acre_quadtree_contains(part->tree, slot)) {
            ACRE_INVARIANT_OK(acre_quadtree_remove(part->tree, slot));
        }
        if (part->stamps.data[slot] != 0) {
            *COLUMN_AT(part->left.items, part->left.count++) =
                (acre_partition_item){part->numbers.data[slot], slot, part->part};
        }
        acre_partition_free_slot(part, slot, false);
    }
}

// Inserts the new slots that were not freed again.
static acre_result insert_fresh(acre_partition *part)
{
    size_t kept = 0;
    for (size_t i = 0; i < part->fresh_count; i++) {
        const uint32_t slot = *COLUMN_AT(part->fresh, i);
        if (part->kinds.data[slot] != ACRE_SLOT_FREE && !acre_quadtree_contains(part->tree, slot)) {
            part->fresh.data[kept] = slot;
            *COLUMN_AT(part->fresh_boxes, kept++) = *COLUMN_AT(part->boxes, slot);
        }
    }
    part->fresh_count = kept;
    const acre_result result =
        acre_quadtree_insert_many(part->tree, part->fresh.data, part->fresh_boxes.data, kept);
    part->fresh_count = result == ACRE_OK ? 0 : kept;
    return kept > 0 ? result : ACRE_OK;
}

acre_result acre_partition_apply(acre_partition *part)
{
    if (!part) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_EXCHANGE) {
        return ACRE_ERROR_BUSY;
    }
    drop_stale(part);
    acre_result result = insert_fresh(part);
    if (result == ACRE_OK && part->slots > 0) {
        result = acre_quadtree_refresh_all(part->tree, part->boxes.data, part->slots);
    }
    if (result == ACRE_OK) {
        result = acre_quadtree_maintain(part->tree);
    }
    if (result == ACRE_OK && part->rider.user) {
        result = part->rider.arrive(part->rider.user);
    }
    if (result != ACRE_OK) {
        return result;
    }
    ACRE_INVARIANT(part->fresh_count == 0);
    acre_partition_free_resting(part);
    part->phase = PHASE_REST;
    return part->is_refusing ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK;
}

// ---- all parts in one process ----

// Carries messages to the parts that are in a round. What a part took before stays taken.
static acre_result carry_all(acre_partition *const *parts, uint32_t count)
{
    acre_result result = ACRE_OK;
    for (uint32_t to = 0; to < count && result == ACRE_OK; to++) {
        for (uint32_t from = 0; from < count && parts[to]->phase != PHASE_REST; from++) {
            const acre_partition_bytes message = acre_partition_message(parts[from], to);
            result = acre_partition_take(parts[to], from, message.bytes, message.size);
            result = result == ACRE_ERROR_EXISTS ? ACRE_OK : result;
            if (result != ACRE_OK) {
                break;
            }
        }
    }
    return result;
}

// Begins the exchange on all parts; after one that had no memory, on the parts that it left out.
static acre_result begin_all(acre_partition *const *parts, uint32_t count)
{
    bool goes_on = false;
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < count; i++) {
        goes_on |= parts[i]->phase == PHASE_EXCHANGE;
        ticks = parts[i]->ticks > ticks ? parts[i]->ticks : ticks;
    }
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        const bool has_begun = goes_on && parts[i]->ticks == ticks;
        ACRE_ASSERT(has_begun || parts[i]->phase == PHASE_REST);
        result = has_begun ? ACRE_OK : acre_partition_begin(parts[i]);
    }
    return result;
}

// Applies on the parts that have not. A refused box is no reason to stop here.
static acre_result apply_all(acre_partition *const *parts, uint32_t count)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        if (parts[i]->phase == PHASE_EXCHANGE) {
            result = acre_partition_apply(parts[i]);
            result =
                parts[i]->is_refusing && result == ACRE_ERROR_INVALID_ARGUMENT ? ACRE_OK : result;
        }
    }
    return result;
}

static acre_result run_rounds(acre_partition *const *parts, uint32_t count)
{
    enum { ROUNDS = 2 }; // questions, answers
    acre_result result = ACRE_OK;
    for (int round = 0; round <= ROUNDS; round++) {
        for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
            result = acre_partition_next_round(parts[i]);
        }
        result = result == ACRE_OK && round < ROUNDS ? carry_all(parts, count) : result;
    }
    return result;
}

// Answers the questions of all parts. An error here is the result of the answers, not of the
// exchange.
static void answer_all(acre_partition *const *parts, uint32_t count)
{
    bool has_asked = false;
    for (uint32_t i = 0; i < count; i++) {
        has_asked |= parts[i]->rounds.question_count > 0;
    }
    const acre_result result = has_asked ? run_rounds(parts, count) : ACRE_OK;
    for (uint32_t i = 0; i < count && result != ACRE_OK; i++) {
        acre_partition_drop_questions(parts[i], result);
    }
}

acre_result acre_partition_exchange(acre_partition *const *parts, uint32_t count)
{
    if (!parts || count == 0) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!parts[i] || parts[i]->part_count != count || parts[i]->part != i) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
    }
    acre_result result = begin_all(parts, count);
    result = result == ACRE_OK ? carry_all(parts, count) : result;
    result = result == ACRE_OK ? apply_all(parts, count) : result;
    if (result != ACRE_OK) {
        return result;
    }
    answer_all(parts, count);
    bool is_refusing = false;
    for (uint32_t i = 0; i < count; i++) {
        is_refusing |= parts[i]->is_refusing;
    }
    return is_refusing ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK;
}
