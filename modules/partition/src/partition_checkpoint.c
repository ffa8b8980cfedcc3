// SPDX-License-Identifier: MIT
// partition_checkpoint.c - the items of a part as bytes of a file, and back.
#include "partition_internal.h"

#include <acre/partition_checkpoint.h>

#include "float_bits.h"

#include <stdio.h>
#include <string.h>

static const unsigned char checkpoint_magic[8] = {'a', 'c', 'r', 'e', 'c', 'p', 0, 1};

enum {
    CHECKPOINT_WORDS = 11,
    CHECKPOINT_HEADER_BYTES = (int)sizeof checkpoint_magic + CHECKPOINT_WORDS * 8,
    CHECKPOINT_ITEM_BYTES = 32, // number and box
    CHECKPOINT_SUM_BYTES = 8
};

// ---- numbers ----

static void checkpoint_put_word(unsigned char *bytes, uint64_t word)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(word >> (8 * i));
    }
}

static uint64_t get_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) {
        word |= (uint64_t)bytes[i] << (8 * i);
    }
    return word;
}

// A sum of words that depends on their order; the last word of a file may be cut, the rest is zero.
static uint64_t add_to_sum(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0xbf58476d1ce4e5b9u; // the multiplier of SplitMix64
    return sum ^ sum >> 29;
}

static uint64_t checkpoint_sum_of(const unsigned char *bytes, size_t size)
{
    uint64_t sum = size;
    size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        sum = add_to_sum(sum, get_word(bytes + at));
    }
    unsigned char rest[8] = {0};
    if (at < size) {
        memcpy(rest, bytes + at, size - at);
        sum = add_to_sum(sum, get_word(rest));
    }
    return sum;
}

// ---- writing ----

// A file that grows: bytes wait in a buffer of whole words.
typedef struct checkpoint_file {
    acre_checkpoint_write write;
    void *context;
    uint64_t sum;
    size_t waiting;
    bool has_failed;
    unsigned char buffer[4096];
} checkpoint_file;

// The last flush alone may end within a word.
static void checkpoint_flush(checkpoint_file *file)
{
    for (size_t at = 0; at < file->waiting; at += 8) {
        unsigned char word[8] = {0};
        const size_t left = file->waiting - at;
        memcpy(word, file->buffer + at, left < 8 ? left : 8);
        file->sum = add_to_sum(file->sum, get_word(word));
    }
    ACRE_INVARIANT(file->waiting <= sizeof file->buffer);
    if (!file->has_failed && file->waiting > 0) {
        file->has_failed = !file->write(file->context, file->buffer, file->waiting);
    }
    file->waiting = 0;
}

static void checkpoint_put(checkpoint_file *file, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        ACRE_INVARIANT(file->waiting < sizeof file->buffer);
        const size_t room = sizeof file->buffer - file->waiting;
        const size_t piece = size < room ? size : room;
        memcpy(file->buffer + file->waiting, from, piece);
        file->waiting += piece;
        from += piece;
        size -= piece;
        if (file->waiting == sizeof file->buffer) {
            checkpoint_flush(file);
        }
    }
}

// The fields of a header that are the same for all saves of a part: its world and its ground.
static acre_checkpoint checkpoint_world_of(const acre_partition *part)
{
    const partition_ground *const ground = &part->ground;
    return (acre_checkpoint){.part = part->part,
                             .part_count = part->part_count,
                             .levels = ground->levels,
                             .migrant_bytes = (uint32_t)part->data.migrant_bytes,
                             .low = {ground->low[0], ground->low[1]},
                             .size = ground->size,
                             .is_periodic = ground->is_periodic};
}

// The bytes of a file before its checksum.
static uint64_t bytes_before_sum(const acre_checkpoint *header)
{
    return CHECKPOINT_HEADER_BYTES + (uint64_t)4 * header->part_count +
           header->items * (CHECKPOINT_ITEM_BYTES + (uint64_t)header->migrant_bytes);
}

static void checkpoint_put_header(checkpoint_file *file, const acre_checkpoint *header)
{
    uint64_t words[CHECKPOINT_WORDS] = {header->world,
                                        header->tick,
                                        header->items,
                                        header->content_hash,
                                        header->part | (uint64_t)header->part_count << 32,
                                        header->levels,
                                        header->migrant_bytes,
                                        [9] = bits_of_float(header->size),
                                        header->is_periodic};
    memcpy(&words[7], header->low, sizeof header->low); // the bits of two doubles
    checkpoint_put(file, checkpoint_magic, sizeof checkpoint_magic);
    for (int i = 0; i < CHECKPOINT_WORDS; i++) {
        unsigned char bytes[8];
        checkpoint_put_word(bytes, words[i]);
        checkpoint_put(file, bytes, sizeof bytes);
    }
}

static void put_half(unsigned char *bytes, uint32_t half)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(half >> (8 * i));
    }
}

static uint32_t get_half(const unsigned char *bytes)
{
    return (uint32_t)(bytes[0] | bytes[1] << 8 | bytes[2] << 16) | (uint32_t)bytes[3] << 24;
}

static void checkpoint_put_item(checkpoint_file *file, const acre_partition *part, uint32_t slot)
{
    const acre_aabb *const box = COLUMN_AT(part->boxes, slot);
    unsigned char bytes[CHECKPOINT_ITEM_BYTES];
    checkpoint_put_word(bytes, *COLUMN_AT(part->numbers, slot));
    for (int axis = 0; axis < 3; axis++) {
        put_half(bytes + 8 + 4 * axis, bits_of_float(box->min[axis]));
        put_half(bytes + 20 + 4 * axis, bits_of_float(box->max[axis]));
    }
    checkpoint_put(file, bytes, sizeof bytes);
    const size_t extra = part->data.migrant_bytes;
    if (extra > 0) {
        part->data.pack(part->data.user, slot, true, part->packed.data);
        checkpoint_put(file, part->packed.data, extra);
    }
}

static bool boxes_are_valid(const acre_partition *part)
{
    for (size_t slot = 0; slot < part->slots; slot++) {
        if (*COLUMN_AT(part->kinds, slot) == ACRE_SLOT_OWN &&
            !acre_aabb_is_valid(COLUMN_AT(part->boxes, slot))) {
            return false;
        }
    }
    return true;
}

acre_result acre_partition_save(acre_partition *part, uint64_t world, uint64_t tick,
                                acre_checkpoint_write write, void *context)
{
    if (!part || !write || (part->phase == PHASE_REST && !boxes_are_valid(part))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const size_t extra = part->data.migrant_bytes;
    if (extra > 0 && !COLUMN_RESERVE(&part->allocator, part->packed, extra)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_checkpoint header = checkpoint_world_of(part);
    header.world = world;
    header.tick = tick;
    header.items = part->own;
    header.content_hash = acre_partition_content_hash(part);
    checkpoint_file file = {.write = write, .context = context};
    file.sum = bytes_before_sum(&header);
    checkpoint_put_header(&file, &header);
    for (size_t i = 0; i < part->part_count; i++) {
        unsigned char bytes[4];
        put_half(bytes, *COLUMN_AT(part->cut, i));
        checkpoint_put(&file, bytes, sizeof bytes);
    }
    uint64_t items = 0;
    for (uint32_t slot = 0; slot < part->slots; slot++) {
        if (*COLUMN_AT(part->kinds, slot) == ACRE_SLOT_OWN) {
            checkpoint_put_item(&file, part, slot);
            items++;
        }
    }
    ACRE_INVARIANT(items == header.items);
    checkpoint_flush(&file);
    unsigned char sum[CHECKPOINT_SUM_BYTES];
    checkpoint_put_word(sum, file.sum);
    const bool is_whole = !file.has_failed && write(context, sum, sizeof sum);
    return is_whole ? ACRE_OK : ACRE_ERROR_IO;
}

// ---- reading ----

static void checkpoint_get_header(const unsigned char *bytes, acre_checkpoint *out)
{
    uint64_t words[CHECKPOINT_WORDS];
    for (int i = 0; i < CHECKPOINT_WORDS; i++) {
        words[i] = get_word(bytes + sizeof checkpoint_magic + 8 * (size_t)i);
    }
    *out = (acre_checkpoint){.world = words[0],
                             .tick = words[1],
                             .items = words[2],
                             .content_hash = words[3],
                             .part = (uint32_t)words[4],
                             .part_count = (uint32_t)(words[4] >> 32),
                             .levels = (uint32_t)words[5],
                             .migrant_bytes = (uint32_t)words[6],
                             .size = float_of_bits((uint32_t)words[9]),
                             .is_periodic = words[10] != 0};
    memcpy(out->low, &words[7], sizeof out->low);
}

static bool is_coordinate(double value)
{
    return value > -0x1p128 && value < 0x1p128;
}

// As far as one header shows: what acre_partition_create accepts.
static bool checkpoint_is_good(const acre_checkpoint *header)
{
    return header->part_count >= 1 && header->part_count <= 65536 &&
           header->part < header->part_count && header->levels >= 1 && header->levels <= 12 &&
           header->migrant_bytes <= 65536 && header->items <= SLOTS_MOST &&
           header->size >= 0x1p-19f && header->size <= 0x1p41f && is_coordinate(header->low[0]) &&
           is_coordinate(header->low[1]);
}

acre_result acre_checkpoint_read(const void *data, size_t size, acre_checkpoint *out, char *message,
                                 size_t message_size)
{
    if (!data || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const unsigned char *const bytes = data;
    message_size = message ? message_size : 0;
    (void)snprintf(message, message_size, "%s", "");
    if (size < sizeof checkpoint_magic ||
        memcmp(bytes, checkpoint_magic, sizeof checkpoint_magic - 1) != 0) {
        (void)snprintf(message, message_size, "it is no checkpoint");
        return ACRE_ERROR_FORMAT;
    }
    if (bytes[sizeof checkpoint_magic - 1] != checkpoint_magic[sizeof checkpoint_magic - 1]) {
        (void)snprintf(message, message_size, "it has version %u; this program reads version 1",
                       (unsigned)bytes[sizeof checkpoint_magic - 1]);
        return ACRE_ERROR_FORMAT;
    }
    if (size < CHECKPOINT_HEADER_BYTES + CHECKPOINT_SUM_BYTES) {
        (void)snprintf(message, message_size, "it ends within its header");
        return ACRE_ERROR_FORMAT;
    }
    checkpoint_get_header(bytes, out);
    if (!checkpoint_is_good(out)) {
        (void)snprintf(message, message_size, "its header is damaged");
        return ACRE_ERROR_FORMAT;
    }
    const uint64_t whole = bytes_before_sum(out) + CHECKPOINT_SUM_BYTES;
    if (size != whole) {
        (void)snprintf(message, message_size, "it has %zu bytes in place of %llu", size,
                       (unsigned long long)whole);
        return ACRE_ERROR_FORMAT;
    }
    if (get_word(bytes + whole - CHECKPOINT_SUM_BYTES) !=
        checkpoint_sum_of(bytes, (size_t)whole - CHECKPOINT_SUM_BYTES)) {
        (void)snprintf(message, message_size, "it is damaged: its checksum is another one");
        return ACRE_ERROR_FORMAT;
    }
    return ACRE_OK;
}

// ---- sets ----

// Where two grounds lie, and how large an item is. Their cells may differ.
static bool is_same_ground(const acre_checkpoint *a, const acre_checkpoint *b)
{
    return a->migrant_bytes == b->migrant_bytes && memcmp(a->low, b->low, sizeof a->low) == 0 &&
           bits_of_float(a->size) == bits_of_float(b->size) && a->is_periodic == b->is_periodic;
}

static bool is_same_world(const acre_checkpoint *a, const acre_checkpoint *b)
{
    return a->world == b->world && a->part_count == b->part_count && a->levels == b->levels &&
           is_same_ground(a, b);
}

// Parts that are looked for in one pass over the headers: a world has two passes at the most.
enum { PARTS_A_PASS = 32768 };

// Which parts from a first one on have a header.
typedef struct part_marks {
    uint64_t once[PARTS_A_PASS / 64];
    uint64_t twice[PARTS_A_PASS / 64]; // and have another one
} part_marks;

static void mark_headers(const acre_checkpoint *headers, size_t count, uint64_t first,
                         part_marks *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        if (headers[i].part < first || headers[i].part - first >= PARTS_A_PASS) {
            continue;
        }
        const size_t place = (size_t)(headers[i].part - first);
        const uint64_t bit = UINT64_C(1) << (place & 63);
        out->twice[place / 64] |= out->once[place / 64] & bit;
        out->once[place / 64] |= bit;
    }
}

// Whether each part has one header.
static bool check_parts(const acre_checkpoint *headers, size_t count, char *message,
                        size_t message_size)
{
    part_marks marks;
    for (uint64_t part = 0; part < headers[0].part_count; part++) {
        const size_t place = (size_t)(part % PARTS_A_PASS);
        if (place == 0) {
            mark_headers(headers, count, part, &marks);
        }
        const bool is_there = marks.once[place / 64] >> (place & 63) & 1;
        if (!is_there || (marks.twice[place / 64] >> (place & 63) & 1)) {
            (void)snprintf(message, message_size, "part %u of %u %s", (unsigned)part,
                           (unsigned)headers[0].part_count,
                           is_there ? "stands twice" : "is missing");
            return false;
        }
    }
    return true;
}

acre_result acre_checkpoint_check_set(const acre_checkpoint *headers, size_t count, char *message,
                                      size_t message_size)
{
    if (!headers || count == 0) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    message_size = message ? message_size : 0;
    (void)snprintf(message, message_size, "%s", "");
    const acre_checkpoint *const first = &headers[0];
    for (size_t i = 0; i < count; i++) {
        if (!checkpoint_is_good(&headers[i])) {
            (void)snprintf(message, message_size, "header %zu is none of a checkpoint", i);
            return ACRE_ERROR_FORMAT;
        }
        if (!is_same_world(first, &headers[i])) {
            (void)snprintf(message, message_size, "parts %u and %u are of different worlds",
                           (unsigned)first->part, (unsigned)headers[i].part);
            return ACRE_ERROR_FORMAT;
        }
        if (first->tick != headers[i].tick) {
            (void)snprintf(message, message_size, "part %u is of tick %llu, part %u of tick %llu",
                           (unsigned)first->part, (unsigned long long)first->tick,
                           (unsigned)headers[i].part, (unsigned long long)headers[i].tick);
            return ACRE_ERROR_FORMAT;
        }
    }
    return check_parts(headers, count, message, message_size) ? ACRE_OK : ACRE_ERROR_FORMAT;
}

// ---- loading ----

static acre_aabb checkpoint_get_box(const unsigned char *bytes)
{
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = float_of_bits(get_half(bytes + 8 + 4 * axis));
        box.max[axis] = float_of_bits(get_half(bytes + 20 + 4 * axis));
    }
    return box;
}

// The items that were added last; they are not in the tree yet.
static void take_back(acre_partition *part, size_t count)
{
    ACRE_INVARIANT(count <= part->fresh_count);
    for (; count > 0; count--) {
        part->fresh_count--;
        acre_partition_free_slot(part, *COLUMN_AT(part->fresh, part->fresh_count), false);
    }
}

static acre_result checkpoint_add_items(acre_partition *part, const unsigned char *bytes,
                                        uint64_t count)
{
    const size_t item_bytes = CHECKPOINT_ITEM_BYTES + part->data.migrant_bytes;
    acre_result result = acre_partition_reserve_slots(part, (size_t)count);
    size_t added = 0;
    for (; added < count && result == ACRE_OK; added++) {
        const unsigned char *const item = bytes + added * item_bytes;
        const acre_aabb box = checkpoint_get_box(item);
        uint32_t slot;
        result = acre_partition_add(part, get_word(item), &box, &slot);
        if (result == ACRE_OK && part->data.migrant_bytes > 0) {
            part->data.unpack(part->data.user, slot, true, item + CHECKPOINT_ITEM_BYTES);
        }
    }
    if (result != ACRE_OK) {
        take_back(part, added - (added > 0));
    }
    return result == ACRE_ERROR_INVALID_ARGUMENT ? ACRE_ERROR_FORMAT : result;
}

acre_result acre_checkpoint_get_cut(const void *data, size_t size, uint32_t *firsts,
                                    size_t capacity)
{
    acre_checkpoint header;
    if (!data || !firsts) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (acre_checkpoint_read(data, size, &header, NULL, 0) != ACRE_OK) {
        return ACRE_ERROR_FORMAT;
    }
    if (capacity < header.part_count) {
        return ACRE_ERROR_CAPACITY;
    }
    const unsigned char *const bytes = data;
    for (size_t i = 0; i < header.part_count; i++) {
        firsts[i] = get_half(bytes + CHECKPOINT_HEADER_BYTES + 4 * i);
    }
    return ACRE_OK;
}

acre_result acre_partition_load(acre_partition *part, const void *data, size_t size)
{
    acre_checkpoint header;
    if (!part || !data) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const acre_checkpoint own = checkpoint_world_of(part);
    if (acre_checkpoint_read(data, size, &header, NULL, 0) != ACRE_OK ||
        !is_same_ground(&own, &header)) {
        return ACRE_ERROR_FORMAT;
    }
    const unsigned char *const bytes = data;
    return checkpoint_add_items(
        part, bytes + CHECKPOINT_HEADER_BYTES + 4 * (size_t)header.part_count, header.items);
}
