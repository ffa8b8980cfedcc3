// SPDX-License-Identifier: MIT
// partition_answers.c - the messages of the rounds of questions.
//
// A message is a header and as many records as it says. A question is a record, the volume's bytes
// and what it excludes. An answer is a record and the items found.
#include "partition_internal.h"

#include <string.h>

typedef struct round_header {
    uint32_t magic;
    uint32_t from, part_count;
    uint32_t count; // records
    uint64_t tick;
} round_header;

typedef struct question_record {
    uint32_t number, nearest;
    uint32_t shape, flags;
    float max_distance;
    uint32_t has; // HAS_ORIGIN, HAS_EXCLUDE
    acre_aabb origin;
} question_record;

typedef struct answer_record {
    uint32_t number, unused;
    uint64_t count; // of items
} answer_record;

_Static_assert(sizeof(round_header) == 24 && sizeof(question_record) == 48 &&
                   sizeof(answer_record) == 16 && sizeof(acre_found) == 40,
               "no hidden bytes");

enum { HAS_ORIGIN = 1, HAS_EXCLUDE = 2 };
#define QUESTION_MAGIC UINT32_C(0x31716361) // "acq1"
#define ANSWER_MAGIC UINT32_C(0x31616361)   // "aca1"

// ---- writing ----

// Room for more bytes of a message. @return where they go; NULL: no memory.
static unsigned char *grow_message(const acre_partition *part, partition_message *message,
                                   size_t more)
{
    if (!COLUMN_RESERVE(&part->allocator, message->bytes, message->size + more)) {
        return NULL;
    }
    unsigned char *const bytes = message->bytes.data + message->size;
    message->size += more;
    return bytes;
}

// Counts a record, and begins the message with the first one.
static bool begin_record(const acre_partition *part, partition_message *message, uint32_t magic)
{
    round_header header = {magic, part->part, part->part_count, 0, part->ticks};
    if (message->size == 0 && !grow_message(part, message, sizeof header)) {
        return false;
    }
    round_header old;
    memcpy(&old, message->bytes.data, sizeof old);
    header.count = message->size > sizeof header ? old.count + 1 : 1;
    memcpy(message->bytes.data, &header, sizeof header);
    return true;
}

acre_result acre_partition_write_question(acre_partition *part, uint32_t to, uint32_t number,
                                          const partition_question *question)
{
    ACRE_INVARIANT(to != part->part);
    const partition_volume *const volume = &question->volume;
    asked_part *const other = COLUMN_AT(part->rounds.parts, to);
    const size_t shape_size = acre_volume_size(volume->shape);
    ACRE_INVARIANT(shape_size <= sizeof volume->data);
    const size_t exclude_size = volume->has_exclude ? sizeof volume->exclude : 0;
    if (!begin_record(part, &other->question, QUESTION_MAGIC)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const question_record record = {.number = number,
                                    .nearest = question->nearest,
                                    .shape = (uint32_t)volume->shape,
                                    .flags = volume->flags,
                                    .max_distance = volume->max_distance,
                                    .has = (volume->has_origin ? HAS_ORIGIN : 0u) |
                                           (volume->has_exclude ? HAS_EXCLUDE : 0u),
                                    .origin = volume->origin};
    unsigned char *const bytes =
        grow_message(part, &other->question, sizeof record + shape_size + exclude_size);
    if (!bytes) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    memcpy(bytes, &record, sizeof record);
    memcpy(bytes + sizeof record, &volume->data, shape_size);
    memcpy(bytes + sizeof record + shape_size, &volume->exclude, exclude_size);
    other->asked++;
    return ACRE_OK;
}

const partition_message *acre_partition_round_message(const acre_partition *part, uint32_t to)
{
    ACRE_INVARIANT(part->phase == PHASE_QUESTIONS || part->phase == PHASE_ANSWERS);
    const asked_part *const other = COLUMN_AT(part->rounds.parts, to);
    return part->phase == PHASE_QUESTIONS ? &other->question : &other->answer;
}

// ---- reading ----

typedef struct round_reader {
    const unsigned char *at;
    size_t left;
} round_reader;

// @return whether there were so many bytes.
static bool read_bytes(round_reader *reader, void *out, size_t size)
{
    if (size > reader->left) {
        return false;
    }
    memcpy(out, reader->at, size);
    reader->at += size;
    reader->left -= size;
    return true;
}

static bool read_header(const acre_partition *part, uint32_t from, uint32_t magic,
                        round_reader *reader, round_header *header)
{
    return read_bytes(reader, header, sizeof *header) && header->magic == magic &&
           header->from == from && header->part_count == part->part_count &&
           header->tick == part->ticks && from != part->part;
}

static bool read_question(round_reader *reader, uint32_t *number, partition_question *out)
{
    question_record record;
    if (!read_bytes(reader, &record, sizeof record) || record.has > (HAS_ORIGIN | HAS_EXCLUDE)) {
        return false;
    }
    *number = record.number;
    memset(out, 0, sizeof *out);
    out->nearest = record.nearest;
    out->volume.shape = (acre_query_shape)record.shape;
    out->volume.flags = record.flags;
    out->volume.max_distance = record.max_distance;
    out->volume.has_origin = record.has & HAS_ORIGIN;
    out->volume.has_exclude = record.has & HAS_EXCLUDE;
    out->volume.origin = record.origin;
    const size_t size = acre_volume_size(out->volume.shape);
    return size <= sizeof out->volume.data && read_bytes(reader, &out->volume.data, size) &&
           (!out->volume.has_exclude ||
            read_bytes(reader, &out->volume.exclude, sizeof out->volume.exclude));
}

// Reads all questions before the first one is answered.
static bool questions_are_good(const acre_partition *part, round_reader reader, uint32_t count)
{
    partition_question question;
    uint32_t number;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_question(&reader, &number, &question) ||
            acre_partition_check_question(part, &question) != ACRE_OK) {
            return false;
        }
    }
    return reader.left == 0;
}

static acre_result write_answer(acre_partition *part, partition_message *message, uint32_t number,
                                const partition_question *question)
{
    const acre_result result = acre_partition_find_own(part, question, false);
    if (result != ACRE_OK) {
        return result;
    }
    const size_t count = part->rounds.own_count;
    const answer_record record = {.number = number, .count = count};
    unsigned char *const bytes =
        begin_record(part, message, ANSWER_MAGIC)
            ? grow_message(part, message, sizeof record + count * sizeof(acre_found))
            : NULL;
    if (!bytes) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    memcpy(bytes, &record, sizeof record);
    if (count > 0) {
        memcpy(bytes + sizeof record, part->rounds.own_found.data, count * sizeof(acre_found));
    }
    return ACRE_OK;
}

static acre_result take_questions(acre_partition *part, uint32_t from, round_reader reader)
{
    round_header header;
    asked_part *const other = COLUMN_AT(part->rounds.parts, from);
    if (!read_header(part, from, QUESTION_MAGIC, &reader, &header) || other->has_asked ||
        !questions_are_good(part, reader, header.count)) {
        return ACRE_ERROR_FORMAT;
    }
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < header.count && result == ACRE_OK; i++) {
        partition_question question;
        uint32_t number = 0;
        const bool is_read = read_question(&reader, &number, &question);
        ACRE_INVARIANT(is_read);
        (void)is_read;
        result = write_answer(part, &other->answer, number, &question);
    }
    if (result != ACRE_OK) {
        other->answer.size = 0;
        return result;
    }
    other->has_asked = true;
    return ACRE_OK;
}

static bool found_is_good(const acre_partition *part, const acre_found *found)
{
    return acre_aabb_is_valid(&found->box) && found->distance >= 0 &&
           found->part < part->part_count;
}

// Adds the items of an answer behind those that are there.
static acre_result read_answer(acre_partition *part, round_reader *reader, uint32_t *least)
{
    partition_rounds *const rounds = &part->rounds;
    answer_record record;
    if (!read_bytes(reader, &record, sizeof record) || record.number < *least ||
        record.number >= rounds->question_count ||
        record.count > reader->left / sizeof(acre_found)) {
        return ACRE_ERROR_FORMAT;
    }
    *least = record.number + 1;
    const size_t count = (size_t)record.count;
    if (!COLUMN_RESERVE(&part->allocator, rounds->entries, rounds->entry_count + count + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        found_entry *const entry = COLUMN_AT(rounds->entries, rounds->entry_count);
        *entry = (found_entry){.question = record.number};
        if (!read_bytes(reader, &entry->found, sizeof entry->found) ||
            !found_is_good(part, &entry->found)) {
            return ACRE_ERROR_FORMAT;
        }
        rounds->entry_count++;
    }
    return ACRE_OK;
}

static acre_result take_answers(acre_partition *part, uint32_t from, round_reader reader)
{
    partition_rounds *const rounds = &part->rounds;
    asked_part *const other = COLUMN_AT(rounds->parts, from);
    round_header header;
    if (!read_header(part, from, ANSWER_MAGIC, &reader, &header) || other->has_answered ||
        header.count != other->asked) {
        return ACRE_ERROR_FORMAT;
    }
    const size_t before = rounds->entry_count;
    acre_result result = ACRE_OK;
    uint32_t least = 0; // numbers ascend
    for (uint32_t i = 0; i < header.count && result == ACRE_OK; i++) {
        result = read_answer(part, &reader, &least);
    }
    result = result == ACRE_OK && reader.left > 0 ? ACRE_ERROR_FORMAT : result;
    if (result != ACRE_OK) {
        rounds->entry_count = before;
        return result;
    }
    other->has_answered = true;
    return ACRE_OK;
}

acre_result acre_partition_take_round(acre_partition *part, uint32_t from, const void *bytes,
                                      size_t size)
{
    ACRE_INVARIANT(part->phase == PHASE_QUESTIONS || part->phase == PHASE_ANSWERS);
    const round_reader reader = {bytes, size};
    return part->phase == PHASE_QUESTIONS ? take_questions(part, from, reader)
                                          : take_answers(part, from, reader);
}
