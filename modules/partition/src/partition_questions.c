// SPDX-License-Identifier: MIT
// partition_questions.c - questions that wait, and answers that are there.
#include "partition_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fields_are_good(const acre_query *query)
{
    const uint32_t flags = ACRE_QUERY_EXCLUDE_TOUCHING | ACRE_QUERY_NOT_TOUCHING;
    return !(query->flags & ~flags) && query->layers == 0 && query->except_item1 == 0 &&
           query->stats == NULL;
}

acre_result acre_partition_ask(acre_partition *part, const acre_query *query, uint32_t nearest,
                               uint32_t *question)
{
    partition_question asked = {.nearest = nearest};
    if (!part || !query || !question || !fields_are_good(query) ||
        !acre_volume_copy(&asked.volume, query)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    if (nearest == 0) {
        asked.volume.has_origin = false;
    }
    const acre_result result = acre_partition_check_question(part, &asked);
    if (result != ACRE_OK) {
        return result;
    }
    partition_rounds *const rounds = &part->rounds;
    // Room for the answer, too: an error of the rounds is written there.
    const size_t count = (size_t)rounds->question_count + 1;
    if (!COLUMN_RESERVE_FROM(&part->allocator, rounds->questions, count, 4) ||
        !COLUMN_RESERVE(&part->allocator, rounds->answers, count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *question = rounds->question_count;
    *COLUMN_AT(rounds->questions, rounds->question_count++) = asked;
    return ACRE_OK;
}

acre_result acre_partition_get_answer(const acre_partition *part, uint32_t question,
                                      acre_answer *out)
{
    if (!part || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = (acre_answer){.result = ACRE_ERROR_NOT_FOUND};
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    if (question >= part->rounds.answer_count) {
        return ACRE_ERROR_NOT_FOUND;
    }
    const partition_answer *const answer = COLUMN_AT(part->rounds.answers, question);
    *out = (acre_answer){.result = answer->result, .count = answer->count, .asked = answer->asked};
    if (answer->count > 0) {
        ACRE_INVARIANT(answer->first + answer->count <= part->rounds.found.capacity);
        out->found = COLUMN_AT(part->rounds.found, answer->first);
    }
    return ACRE_OK;
}

// ---- rounds ----

// Finds what this part's tree has. Where that is as many items as were asked for, nothing farther
// away than the last of them can be an answer, so other parts need not look there.
static acre_result answer_itself(acre_partition *part, uint32_t number, partition_question *asked)
{
    partition_rounds *const rounds = &part->rounds;
    const acre_result result = acre_partition_find_own(part, asked, true);
    if (result != ACRE_OK || !COLUMN_RESERVE(&part->allocator, rounds->entries,
                                             rounds->entry_count + rounds->own_count + 1)) {
        return result != ACRE_OK ? result : ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < rounds->own_count; i++) {
        *COLUMN_AT(rounds->entries, rounds->entry_count++) =
            (found_entry){number, *COLUMN_AT(rounds->own_found, i)};
    }
    if (asked->nearest > 0 && rounds->own_count == asked->nearest) {
        const float last = COLUMN_AT(rounds->own_found, rounds->own_count - 1)->distance;
        asked->volume.max_distance = last > FLT_MIN ? last : FLT_MIN; // 0 would be no limit
    }
    return ACRE_OK;
}

static acre_result ask_others(acre_partition *part, uint32_t number,
                              const partition_question *asked)
{
    partition_rounds *const rounds = &part->rounds;
    uint8_t *const marks = rounds->marks.data;
    memset(marks, 0, part->part_count);
    const float most = asked->volume.max_distance;
    acre_partition_route(part, asked, most > 0 ? most : INFINITY, marks);
    marks[part->part] = 1;
    acre_result result = ACRE_OK;
    uint32_t count = 0;
    for (uint32_t to = 0; to < part->part_count && result == ACRE_OK; to++) {
        count += marks[to];
        if (marks[to] && to != part->part) {
            result = acre_partition_write_question(part, to, number, asked);
        }
    }
    *COLUMN_AT(rounds->answers, number) =
        (partition_answer){.nearest = asked->nearest, .asked = count};
    return result;
}

static acre_result open_rounds(acre_partition *part)
{
    partition_rounds *const rounds = &part->rounds;
    rounds->entry_count = 0;
    rounds->answer_count = 0;
    for (uint32_t i = 0; i < part->part_count; i++) {
        asked_part *const other = COLUMN_AT(rounds->parts, i);
        other->question.size = other->answer.size = 0;
        other->asked = 0;
        other->has_asked = other->has_answered = false;
    }
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < rounds->question_count && result == ACRE_OK; i++) {
        partition_question asked = *COLUMN_AT(rounds->questions, i);
        result = answer_itself(part, i, &asked);
        result = result == ACRE_OK ? ask_others(part, i, &asked) : result;
    }
    return result;
}

static acre_result begin_questions(acre_partition *part)
{
    if (part->has_new_cut) {
        return ACRE_ERROR_BUSY;
    }
    const acre_result result = open_rounds(part);
    if (result == ACRE_OK) {
        part->phase = PHASE_QUESTIONS;
    }
    return result;
}

static int compare_entries(const void *x, const void *y)
{
    const found_entry *const a = x, *const b = y;
    if (a->question != b->question) {
        return a->question < b->question ? -1 : 1;
    }
    return (a->found.number > b->found.number) - (a->found.number < b->found.number);
}

static void merge_answers(acre_partition *part)
{
    partition_rounds *const rounds = &part->rounds;
    if (rounds->entry_count > 0) {
        qsort(rounds->entries.data, rounds->entry_count, sizeof *rounds->entries.data,
              compare_entries);
    }
    size_t at = 0, written = 0;
    for (uint32_t i = 0; i < rounds->question_count; i++) {
        partition_answer *const answer = COLUMN_AT(rounds->answers, i);
        const size_t first = written;
        for (; at < rounds->entry_count && rounds->entries.data[at].question == i; at++) {
            *COLUMN_AT(rounds->found, written++) = COLUMN_AT(rounds->entries, at)->found;
        }
        answer->first = first;
        answer->count =
            acre_partition_sort_found(&rounds->found.data[first], written - first, answer->nearest);
        written = first + answer->count;
    }
    ACRE_INVARIANT(at == rounds->entry_count);
}

static void close_rounds(acre_partition *part)
{
    ACRE_INVARIANT(part->rounds.question_count <= part->rounds.answers.capacity);
    part->rounds.answer_count = part->rounds.question_count;
    part->rounds.question_count = 0;
    part->phase = PHASE_REST;
}

static acre_result end_answers(acre_partition *part)
{
    for (uint32_t i = 0; i < part->part_count; i++) {
        const asked_part *const other = COLUMN_AT(part->rounds.parts, i);
        if (other->asked > 0 && !other->has_answered) {
            return ACRE_ERROR_NOT_FOUND;
        }
    }
    if (!COLUMN_RESERVE(&part->allocator, part->rounds.found, part->rounds.entry_count + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    merge_answers(part);
    close_rounds(part);
    return ACRE_OK;
}

acre_result acre_partition_next_round(acre_partition *part)
{
    if (!part) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    switch (part->phase) {
    case PHASE_REST:
        return begin_questions(part);
    case PHASE_EXCHANGE:
        break;
    case PHASE_QUESTIONS:
        part->phase = PHASE_ANSWERS;
        return ACRE_OK;
    case PHASE_ANSWERS:
        return end_answers(part);
    }
    return ACRE_ERROR_BUSY;
}

void acre_partition_drop_questions(acre_partition *part, acre_result result)
{
    if (!part || part->phase == PHASE_EXCHANGE ||
        (part->phase == PHASE_REST && part->rounds.question_count == 0)) {
        return;
    }
    ACRE_ASSERT(result != ACRE_OK);
    partition_rounds *const rounds = &part->rounds;
    for (uint32_t i = 0; i < rounds->question_count; i++) {
        *COLUMN_AT(rounds->answers, i) = (partition_answer){.result = result};
    }
    close_rounds(part);
}
