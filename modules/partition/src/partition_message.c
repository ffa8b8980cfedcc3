// SPDX-License-Identifier: MIT
// partition_message.c - messages as bytes: what begin writes and take reads.
//
// A message is a header and records: a tag, the number, the image, the box, the caller's bytes, and
// with a migrant what rides on it. All parts run the same program on machines with the same order
// of bytes, which the header shows.
#include "partition_internal.h"

#include <string.h>

typedef struct message_header {
    uint32_t magic;
    uint32_t from, part_count;
    uint32_t migrant_bytes, ghost_bytes;
    uint32_t migrants, ghosts; // records
    uint32_t levels;
    uint64_t tick;
    uint64_t rider_bytes; // of all migrants
} message_header;

typedef struct message_record {
    uint64_t number;
    acre_aabb box;
    uint8_t tag, image, is_giant, unused;
    uint32_t rider_bytes; // of this one
} message_record;
_Static_assert(sizeof(message_record) == 40 && sizeof(message_header) == 48, "no hidden bytes");

#define MESSAGE_MAGIC UINT32_C(0x31706361) // "acp1"

static message_header header_of(const acre_partition *part)
{
    return (message_header){.magic = MESSAGE_MAGIC,
                            .from = part->part,
                            .part_count = part->part_count,
                            .migrant_bytes = (uint32_t)part->data.migrant_bytes,
                            .ghost_bytes = (uint32_t)part->data.ghost_bytes,
                            .levels = part->ground.levels,
                            .tick = part->ticks};
}

static size_t record_bytes(const acre_partition *part, bool is_migrant)
{
    return sizeof(message_record) +
           (is_migrant ? part->data.migrant_bytes : part->data.ghost_bytes);
}

// ---- writing ----

bool acre_partition_open_messages(acre_partition *part)
{
    ACRE_INVARIANT(part->phase == PHASE_REST);
    const message_header header = header_of(part);
    for (uint32_t to = 0; to < part->part_count; to++) {
        partition_message *const message = COLUMN_AT(part->messages, to);
        message->size = 0;
        if (part->neighbors.data[to]) {
            if (!COLUMN_RESERVE(&part->allocator, message->bytes, sizeof header)) {
                return false;
            }
            memcpy(message->bytes.data, &header, sizeof header);
            message->size = sizeof header;
        }
    }
    return true;
}

bool acre_partition_write_item(acre_partition *part, uint32_t to, uint32_t slot, uint8_t image,
                               bool is_migrant)
{
    ACRE_INVARIANT(!is_migrant || (image == 0 && to != part->part));
    partition_message *const message = COLUMN_AT(part->messages, to);
    const size_t start = message->size > 0 ? message->size : sizeof(message_header);
    const size_t own_size = record_bytes(part, is_migrant);
    const size_t rider =
        is_migrant && part->rider.user ? part->rider.size(part->rider.user, slot) : 0;
    const size_t size = start + own_size + rider;
    if (rider > UINT32_MAX || !COLUMN_RESERVE(&part->allocator, message->bytes, size)) {
        return false;
    }
    unsigned char *const bytes = message->bytes.data;
    message_header header = header_of(part);
    if (message->size > 0) {
        memcpy(&header, bytes, sizeof header);
    }
    *(is_migrant ? &header.migrants : &header.ghosts) += 1;
    header.rider_bytes += rider;
    memcpy(bytes, &header, sizeof header);
    const message_record record = {
        .number = *COLUMN_AT(part->numbers, slot),
        .box = acre_ground_image(&part->ground, COLUMN_AT(part->boxes, slot), image),
        .tag = is_migrant ? TAG_MIGRANT : TAG_GHOST,
        .image = image,
        .is_giant = *COLUMN_AT(part->is_giant, slot),
        .rider_bytes = (uint32_t)rider};
    memcpy(bytes + start, &record, sizeof record);
    if (own_size > sizeof record) {
        part->data.pack(part->data.user, slot, is_migrant, bytes + start + sizeof record);
    }
    if (rider > 0) {
        part->rider.pack(part->rider.user, slot, bytes + start + own_size);
    }
    message->size = size;
    return true;
}

void acre_partition_stamp_messages(acre_partition *part)
{
    for (uint32_t to = 0; to < part->part_count; to++) {
        partition_message *const message = COLUMN_AT(part->messages, to);
        if (message->size > 0) {
            message_header header;
            memcpy(&header, message->bytes.data, sizeof header);
            header.tick = part->ticks;
            memcpy(message->bytes.data, &header, sizeof header);
        }
    }
}

acre_partition_bytes acre_partition_message(const acre_partition *part, uint32_t to)
{
    if (!part || to >= part->part_count) {
        return (acre_partition_bytes){.bytes = NULL};
    }
    const partition_message *message = NULL;
    if (part->phase == PHASE_EXCHANGE) {
        message = COLUMN_AT(part->messages, to);
    } else if (part->phase != PHASE_REST) {
        message = acre_partition_round_message(part, to);
    }
    return (acre_partition_bytes){.bytes = message ? message->bytes.data : NULL,
                                  .size = message ? message->size : 0,
                                  .is_neighbor = part->neighbors.data[to] != 0};
}

// ---- reading ----

static bool header_is_good(const acre_partition *part, uint32_t from, const unsigned char *bytes,
                           size_t size, message_header *header)
{
    if (size < sizeof *header) {
        return false;
    }
    memcpy(header, bytes, sizeof *header);
    const message_header own = header_of(part);
    const uint64_t records = (uint64_t)header->migrants * record_bytes(part, true) +
                             (uint64_t)header->ghosts * record_bytes(part, false);
    return header->magic == own.magic && header->from == from &&
           header->part_count == own.part_count && header->migrant_bytes == own.migrant_bytes &&
           header->ghost_bytes == own.ghost_bytes && header->levels == own.levels &&
           header->tick == own.tick && header->rider_bytes <= size &&
           size - sizeof *header == records + header->rider_bytes;
}

static bool record_is_good(const acre_partition *part, const message_record *record)
{
    if ((record->tag != TAG_GHOST && record->tag != TAG_MIGRANT) || record->image > 8 ||
        record->is_giant > 1 || (record->rider_bytes > 0 && record->tag != TAG_MIGRANT) ||
        (record->image > 0 && (record->tag == TAG_MIGRANT || !part->ground.is_periodic)) ||
        !acre_aabb_is_valid(&record->box)) {
        return false;
    }
    // Nobody else sends an item to its owner.
    const uint32_t slot = acre_partition_slot_of(part, record->number, 0);
    return record->image > 0 || slot == SLOT_NONE || part->kinds.data[slot] != ACRE_SLOT_OWN;
}

static bool records_are_good(const acre_partition *part, const message_header *header,
                             const unsigned char *bytes)
{
    uint32_t migrants = 0;
    uint64_t riders_left = header->rider_bytes;
    const uint64_t count = (uint64_t)header->migrants + header->ghosts;
    for (uint64_t i = 0; i < count; i++) {
        message_record record;
        memcpy(&record, bytes, sizeof record);
        migrants += record.tag == TAG_MIGRANT;
        // A tag says how long a record is: with more migrants than the header has, the records
        // would go beyond the end.
        if (migrants > header->migrants || i + 1 - migrants > header->ghosts ||
            record.rider_bytes > riders_left || !record_is_good(part, &record)) {
            return false;
        }
        riders_left -= record.rider_bytes;
        bytes += record_bytes(part, record.tag == TAG_MIGRANT);
        if (record.rider_bytes > 0 && part->rider.user &&
            !part->rider.check(part->rider.user, bytes, record.rider_bytes)) {
            return false;
        }
        bytes += record.rider_bytes;
    }
    return migrants == header->migrants && riders_left == 0;
}

static void put_ghost_box(acre_partition *part, uint32_t slot, const acre_aabb *box)
{
    *COLUMN_AT(part->boxes, slot) = *box;
    *COLUMN_AT(part->stamps, slot) = part->ticks;
}

// Keeps the rider of the migrant that is next in `arrived`.
static void keep_rider(acre_partition *part, const unsigned char *bytes, size_t size)
{
    *COLUMN_AT(part->rider_places, part->arrived.count) = (rider_place){part->rider_bytes, size};
    if (size > 0) {
        ACRE_INVARIANT(part->rider_bytes + size <= part->riders.capacity);
        memcpy(part->riders.data + part->rider_bytes, bytes, size);
    }
    part->rider_bytes += size;
}

// Takes over an item. There is room for it.
static void take_record(acre_partition *part, const message_record *record,
                        const unsigned char *bytes)
{
    const bool is_migrant = record->tag == TAG_MIGRANT;
    uint32_t slot = acre_partition_slot_of(part, record->number, record->image);
    const bool is_new = slot == SLOT_NONE;
    if (is_new) {
        slot = acre_partition_take_slot(part, record->number, record->image,
                                        is_migrant ? ACRE_SLOT_OWN : ACRE_SLOT_GHOST, &record->box);
        *COLUMN_AT(part->fresh, part->fresh_count++) = slot;
    } else if (part->kinds.data[slot] == ACRE_SLOT_OWN) {
        return; // twice in one message: the first record counts
    } else {
        put_ghost_box(part, slot, &record->box);
        if (is_migrant) {
            ACRE_INVARIANT(part->ghosts > 0 && record->image == 0);
            part->kinds.data[slot] = ACRE_SLOT_OWN;
            part->ghosts--;
            part->own++;
        }
    }
    *COLUMN_AT(part->is_giant, slot) = record->is_giant;
    if (record_bytes(part, is_migrant) > sizeof *record) {
        part->data.unpack(part->data.user, slot, is_migrant, bytes);
    }
    if (is_migrant) {
        keep_rider(part, bytes + record_bytes(part, true) - sizeof *record, record->rider_bytes);
    }
    partition_list *const list = is_migrant ? &part->arrived : &part->entered;
    if (is_migrant || is_new) {
        *COLUMN_AT(list->items, list->count++) =
            (acre_partition_item){record->number, slot, part->part};
    }
}

static acre_result reserve_records(acre_partition *part, const message_header *header)
{
    const acre_result result =
        acre_partition_reserve_slots(part, (size_t)header->migrants + header->ghosts);
    if (result != ACRE_OK) {
        return result;
    }
    partition_list *const arrived = &part->arrived, *const entered = &part->entered;
    return COLUMN_RESERVE(&part->allocator, arrived->items, arrived->count + header->migrants) &&
                   COLUMN_RESERVE(&part->allocator, entered->items,
                                  entered->count + header->ghosts) &&
                   COLUMN_RESERVE(&part->allocator, part->rider_places,
                                  arrived->count + header->migrants) &&
                   COLUMN_RESERVE(&part->allocator, part->riders,
                                  part->rider_bytes + (size_t)header->rider_bytes) &&
                   COLUMN_RESERVE(&part->allocator, part->left.items,
                                  part->slots + header->migrants + header->ghosts)
               ? ACRE_OK
               : ACRE_ERROR_OUT_OF_MEMORY;
}

acre_result acre_partition_take(acre_partition *part, uint32_t from, const void *bytes, size_t size)
{
    if (!part || (!bytes && size > 0) || from >= part->part_count) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase == PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    if (size == 0) {
        return ACRE_OK;
    }
    if (part->phase != PHASE_EXCHANGE) {
        return acre_partition_take_round(part, from, bytes, size);
    }
    message_header header;
    if (*COLUMN_AT(part->taken, from)) {
        return ACRE_ERROR_EXISTS;
    }
    if (!header_is_good(part, from, bytes, size, &header)) {
        return ACRE_ERROR_FORMAT;
    }
    const unsigned char *at = (const unsigned char *)bytes + sizeof header;
    if (!records_are_good(part, &header, at)) {
        return ACRE_ERROR_FORMAT;
    }
    const acre_result result = reserve_records(part, &header);
    if (result != ACRE_OK) {
        return result;
    }
    const uint64_t count = (uint64_t)header.migrants + header.ghosts;
    for (uint64_t i = 0; i < count; i++) {
        message_record record;
        memcpy(&record, at, sizeof record);
        take_record(part, &record, at + sizeof record);
        at += record_bytes(part, record.tag == TAG_MIGRANT) + record.rider_bytes;
    }
    ACRE_INVARIANT(at == (const unsigned char *)bytes + size);
    part->taken.data[from] = 1;
    return ACRE_OK;
}
