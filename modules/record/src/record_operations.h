// SPDX-License-Identifier: MIT
// record_operations.h - the calls on a tree that recordings hold, a row each.
//
// The writer, the reader, the replay, the printer and the fuzz target of the tree work by these
// rows. A row is
//
//     X(number, KIND, name, ANSWER, A, B, C, D)
//
// and stands for acre_quadtree_name(tree, A, B, C, D, and what the answer needs). The number is
// that of ACRE_QUADTREE_CALL_KIND, and that of the call in a file. A to D are the arguments in the
// order of the function; behind the last one stands NONE.
//
// Arguments, by the fields of acre_quadtree_call:
//     ITEM LAYERS COUNT    a number
//     ITEMS BOXES MASKS    as many rows as the count says; MASKS are row_layers
//     ARRAY                the same number of rows of an acre_box_array
//     BOX FRUSTUM QUERY    one of them
//     RULES                of pairs; may be NULL
//     OFFSET               three doubles
//
// Answers:
//     RESULT     an acre_result
//     NOTHING    nothing
//     SHIFT      an acre_result; what the report says is not recorded
//     TOTAL      how many items there are; their numbers go to an array with a capacity
//     ITEMS      an acre_result; the same numbers and their total
//     HITS       an acre_result; hits and their count
//     PAIRS      an acre_result; pairs and their total
#ifndef ACRE_RECORD_OPERATIONS_H
#define ACRE_RECORD_OPERATIONS_H

#include <acre/quadtree_calls.h>

// clang-format off
#define RECORD_OPERATIONS(X)                                                                    \
    X( 1, INSERT,                insert,                RESULT,  ITEM,    BOX,    NONE,  NONE)  \
    X( 2, REFRESH,               refresh,               RESULT,  ITEM,    BOX,    NONE,  NONE)  \
    X( 3, REFRESH_MANY,          refresh_many,          RESULT,  ITEMS,   BOXES,  COUNT, NONE)  \
    X( 4, REFRESH_ALL,           refresh_all,           RESULT,  BOXES,   COUNT,  NONE,  NONE)  \
    X( 5, REMOVE,                remove,                RESULT,  ITEM,    NONE,   NONE,  NONE)  \
    X( 6, CLEAR,                 clear,                 NOTHING, NONE,    NONE,   NONE,  NONE)  \
    X( 7, MAINTAIN,              maintain,              RESULT,  NONE,    NONE,   NONE,  NONE)  \
    X( 8, TIGHTEN,               tighten,               RESULT,  NONE,    NONE,   NONE,  NONE)  \
    X( 9, RESERVE,               reserve,               RESULT,  COUNT,   NONE,   NONE,  NONE)  \
    X(10, TRIM,                  trim,                  RESULT,  NONE,    NONE,   NONE,  NONE)  \
    X(11, SET_LAYERS,            set_layers,            RESULT,  ITEM,    LAYERS, NONE,  NONE)  \
    X(12, QUERY_FRUSTUM,         query_frustum,         TOTAL,   FRUSTUM, NONE,   NONE,  NONE)  \
    X(13, QUERY_AABB,            query_aabb,            TOTAL,   BOX,     NONE,   NONE,  NONE)  \
    X(14, QUERY,                 query,                 ITEMS,   QUERY,   NONE,   NONE,  NONE)  \
    X(15, REFRESH_MANY_FROM,     refresh_many_from,     RESULT,  ITEMS,   ARRAY,  COUNT, NONE)  \
    X(16, REFRESH_ALL_FROM,      refresh_all_from,      RESULT,  ARRAY,   COUNT,  NONE,  NONE)  \
    X(17, INSERT_MANY,           insert_many,           RESULT,  ITEMS,   BOXES,  COUNT, NONE)  \
    X(18, REMOVE_MANY,           remove_many,           RESULT,  ITEMS,   COUNT,  NONE,  NONE)  \
    X(19, OPTIMIZE,              optimize,              RESULT,  NONE,    NONE,   NONE,  NONE)  \
    X(20, MAINTAIN_BUDGET,       maintain_budget,       RESULT,  COUNT,   NONE,   NONE,  NONE)  \
    X(21, INSERT_MANY_FROM,      insert_many_from,      RESULT,  ITEMS,   ARRAY,  COUNT, NONE)  \
    X(22, QUERY_NEAREST,         query_nearest,         HITS,    QUERY,   NONE,   NONE,  NONE)  \
    X(23, PAIRS,                 pairs,                 PAIRS,   RULES,   NONE,   NONE,  NONE)  \
    X(24, ITEM_PAIRS,            item_pairs,            ITEMS,   ITEM,    RULES,  NONE,  NONE)  \
    X(25, SET_LAYERS_MANY,       set_layers_many,       RESULT,  ITEMS,   MASKS,  COUNT, NONE)  \
    X(26, INSERT_MANY_IN_LAYERS, insert_many_in_layers, RESULT,  ITEMS,   BOXES,  MASKS, COUNT) \
    X(27, SHIFT,                 shift,                 SHIFT,   OFFSET,  BOXES,  COUNT, NONE)
// clang-format on

enum {
    RECORD_OPERATION_COUNT = 0
#define X(number, KIND, name, answer, a, b, c, d) +1
    RECORD_OPERATIONS(X)
#undef X
};

// Arguments as bits. A file holds them in this order.
enum {
    ARG_NONE = 0,
    ARG_ITEM = 1u << 0,
    ARG_LAYERS = 1u << 1,
    ARG_COUNT = 1u << 2,
    ARG_ITEMS = 1u << 3,
    ARG_ARRAY = 1u << 4, // its form stands before the items, its rows behind them
    ARG_BOXES = 1u << 5,
    ARG_BOX = 1u << 6,
    ARG_FRUSTUM = 1u << 7,
    ARG_QUERY = 1u << 8,
    ARG_RULES = 1u << 9,
    ARG_MASKS = 1u << 10, // stand behind the boxes
    ARG_OFFSET = 1u << 11,
    ARG_ROWS = ARG_ITEMS | ARG_ARRAY | ARG_BOXES | ARG_MASKS
};

typedef enum record_answer {
    ANSWER_NOTHING,
    ANSWER_RESULT,
    ANSWER_SHIFT,
    ANSWER_TOTAL, // from here on, something is found
    ANSWER_ITEMS,
    ANSWER_HITS,
    ANSWER_PAIRS
} record_answer;

// ---- what a row must have ----

// clang-format off
#define TYPE_NONE
#define TYPE_ITEM    , uint32_t
#define TYPE_LAYERS  , uint32_t
#define TYPE_COUNT   , size_t
#define TYPE_ITEMS   , const uint32_t *
#define TYPE_ARRAY   , const acre_box_array *
#define TYPE_BOXES   , const acre_aabb *
#define TYPE_MASKS   , const uint32_t *
#define TYPE_BOX     , const acre_aabb *
#define TYPE_FRUSTUM , const acre_frustum *
#define TYPE_QUERY   , const acre_query *
#define TYPE_RULES   , const acre_pairs_rules *
#define TYPE_OFFSET  , const double *
#define FUNCTION_RESULT(...)  acre_result (*)(acre_quadtree * __VA_ARGS__)
#define FUNCTION_NOTHING(...) void (*)(acre_quadtree * __VA_ARGS__)
#define FUNCTION_SHIFT(...)   acre_result (*)(acre_quadtree * __VA_ARGS__, acre_shift_report *)
#define FUNCTION_TOTAL(...)   size_t (*)(const acre_quadtree * __VA_ARGS__, uint32_t *, size_t)
#define FUNCTION_ITEMS(...)                                                                        \
    acre_result (*)(const acre_quadtree * __VA_ARGS__, uint32_t *, size_t, size_t *)
#define FUNCTION_HITS(...)                                                                         \
    acre_result (*)(const acre_quadtree * __VA_ARGS__, acre_query_hit *, size_t, size_t *)
#define FUNCTION_PAIRS(...)                                                                        \
    acre_result (*)(const acre_quadtree * __VA_ARGS__, acre_pair *, size_t, size_t *)
// clang-format on

#define X(number, KIND, name, answer, a, b, c, d)                                                  \
    _Static_assert(ACRE_QUADTREE_CALL_##KIND == number, "the number is that of the listener");     \
    _Static_assert(!((ARG_##a | ARG_##b | ARG_##c | ARG_##d) & ARG_ROWS) ||                        \
                       ((ARG_##a | ARG_##b | ARG_##c | ARG_##d) & ARG_COUNT),                      \
                   "rows have a count");                                                           \
    _Static_assert(_Generic(&acre_quadtree_##name,                                                 \
                            FUNCTION_##answer(TYPE_##a TYPE_##b TYPE_##c TYPE_##d) : 1,            \
                            default : 0),                                                          \
                   "arguments and answer are those of the function");
RECORD_OPERATIONS(X)
#undef X

#define X(number, KIND, name, answer, a, b, c, d) +(UINT64_C(1) << number)
_Static_assert((RECORD_OPERATIONS(X)) == (UINT64_C(2) << RECORD_OPERATION_COUNT) - 2,
               "the numbers go from 1 to the count, each once");
#undef X

#endif
