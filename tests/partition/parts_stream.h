// SPDX-License-Identifier: MIT
// parts_stream.h - a world that moves and asks the same whatever the number of its parts: every
// choice depends on the seed, the tick and an item's or a question's number.
//
// A part is given with its index and with the number of parts; the others may be in other
// processes.
#ifndef PARTS_STREAM_H
#define PARTS_STREAM_H

#include "query_generator.h"

#include <acre/partition_interest.h>
#include <acre/partition_questions.h>

enum { STREAM_QUESTIONS = 24, STREAM_OBSERVERS_OF = 5 }; // every fifth item observes

typedef struct parts_stream {
    uint64_t seed;
    uint32_t items;
    bool is_periodic;
} parts_stream;

typedef struct stream_part {
    acre_partition *part;
    uint32_t index, count;
    acre_partition_interest *interest; // NULL: none
} stream_part;

// The part's def, without data functions.
acre_partition_def stream_def(const parts_stream *stream, uint32_t index, uint32_t count);

// Adds the items of tick 0 that begin in this part, wherever they stand.
acre_result stream_fill(const parts_stream *stream, const stream_part *part);

// Moves the items that the part owns, removes some, and adds some that come back. Items teleport,
// all meet in one cell, stand still, and go beyond the ground.
acre_result stream_move(const parts_stream *stream, const stream_part *part, uint32_t tick);

// Writes question number `at` of a tick. @return how many nearest it asks for; 0: all.
uint32_t stream_question(const parts_stream *stream, uint32_t tick, uint32_t at,
                         generated_query *out);

// Moves the volume of a question to one of nine places of a periodic ground; 4 is where it is.
void stream_shift(generated_query *q, int place);

// Asks what this part asks in a tick: every count-th question, in order.
acre_result stream_ask(const parts_stream *stream, const stream_part *part, uint32_t tick);

// What observers are.
acre_observer_def stream_observer(void);

// After an exchange: makes observers of the new items, and updates the interest.
acre_result stream_watch(const stream_part *part);

// Hashes, whose sums over all parts depend on the world alone.
uint64_t stream_hash_answers(const stream_part *part);
uint64_t stream_hash_pairs(const acre_number_pair *pairs, size_t count);

// What a tick leaves: sums over the parts are those of one part.
typedef enum stream_sum {
    STREAM_CONTENT,
    STREAM_PAIRS,
    STREAM_ANSWERS,
    STREAM_SIGHTS,
    STREAM_SUM_COUNT
} stream_sum;

// Adds what a part has after an exchange and stream_watch.
acre_result stream_add_sums(const stream_part *part, uint64_t *sums);

// Prints the line of a tick.
void stream_print_line(uint32_t tick, const uint64_t *sums);

#endif
