// SPDX-License-Identifier: MIT
// partition_questions.h - questions to a whole world: any part asks, the next exchange answers.
//
// Experimental: it may change in any minor version.
//
// A part knows the items on its ground and near it. For items farther away it asks other parts: for
// all items in a volume, or for the nearest items. A question goes to each part that may own such
// an item. Every item is reported by its owner. Giants are known to all parts, so the part that
// asks reports them itself. The answer is therefore the same for any part that asks, and for any
// number of parts.
//
// Rounds. Questions see the world as the exchange leaves it. Two more rounds of messages follow the
// exchange: one carries the questions, one the items found. Nothing is sent while nobody asks. The
// part that asks for the k nearest items first finds k among those that it knows. The question then
// goes to the parts whose ground is nearer than the farthest of these.
//
// Periodic ground. A volume stands at nine places: where it is, and moved by the size of the
// ground. An item is found if its box touches one of them; its distance is the least of nine.
//
// Typical use:
//     const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &place};
//     acre_partition_ask(part, &query, 8, &question);              // the eight nearest items
//     acre_partition_exchange(parts, count); // or acre_partition_mpi_exchange
//     acre_partition_get_answer(part, question, &answer);
//
// Programs that carry the bytes themselves, if any part has questions, after apply:
//     acre_partition_next_round(part);     // questions: message and take, as in an exchange
//     acre_partition_next_round(part);     // answers: message and take
//     acre_partition_next_round(part);     // acre_partition_get_answer has the answers
//
// Threading: as a part.
#ifndef ACRE_PARTITION_QUESTIONS_H
#define ACRE_PARTITION_QUESTIONS_H

#include <acre/partition.h>

ACRE_EXTERN_C_BEGIN

/// Asks for all items in a volume, or for the nearest of them. The query is copied. Items have no
/// layers here: query->layers, except_item1 and stats are 0. Of the flags
/// ACRE_QUERY_EXCLUDE_TOUCHING and ACRE_QUERY_NOT_TOUCHING are allowed; ACRE_QUERY_EXACT is not,
/// since a box on an edge may be found in one tree and not in another.
/// @param nearest 0: all, and query->max_distance is 0; else at most so many, the nearest to
/// query->origin, as acre_quadtree_query_nearest measures.
/// @param question receives the number of the question: 0 for the first one after an exchange.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, an invalid query, other flags, a
/// max_distance without nearest, on periodic ground also for a volume that is invalid once it is
/// moved; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_ask(acre_partition *part, const acre_query *query,
                                                     uint32_t nearest, uint32_t *question);

/// An item that a question found.
typedef struct acre_found {
    uint64_t number;
    acre_aabb box;
    float distance; ///< to the question, if it is for the nearest items; else 0
    uint32_t part;  ///< its owner
} acre_found;

/// What a question found, valid until the next exchange begins.
typedef struct acre_answer {
    acre_result result;      ///< ACRE_OK, or why there is no answer: the rounds had no memory
    const acre_found *found; ///< ascending by number; nearest items by distance first
    size_t count;
    uint32_t asked; ///< how many parts were asked, this one included
} acre_answer;

/// Writes the answer to a question of the last exchange.
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND if the last exchange had no such question;
/// ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_get_answer(const acre_partition *part,
                                                            uint32_t question, acre_answer *out);

// Rounds, for programs that carry the bytes. If any part has questions (acre_partition_stats says
// so), all parts make these calls.

/// Goes on to the next round: from the end of an exchange to the round of questions, from there to
/// the round of answers, and from there to rest, where acre_partition_get_answer has the answers.
/// In both rounds acre_partition_message has what goes to each part, and acre_partition_take takes
/// what comes.
/// @return ACRE_OK; on error the part stays where it is: ACRE_ERROR_INVALID_ARGUMENT for NULL;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_NOT_FOUND if a part that was asked has not answered;
/// ACRE_ERROR_BUSY within an exchange, and if the cut was set since the last one.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_next_round(acre_partition *part);

/// Gives up the rounds, on all parts, if one of them failed. The answers of this part have the
/// result. Nothing happens outside of the rounds without questions, and for NULL.
ACRE_EXPERIMENTAL_API void acre_partition_drop_questions(acre_partition *part, acre_result result);

ACRE_EXTERN_C_END

#endif
