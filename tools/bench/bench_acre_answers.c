// SPDX-License-Identifier: MIT
// bench_acre_answers.c - questions of bench_questions.h asked of Acre's tree, as a program would.
#include "bench_acre.h"

#include <string.h>

// What a visitor takes until it has enough.
typedef struct taken_items {
    uint32_t *items;
    size_t count, enough;
} taken_items;

static bool take(void *user, const uint32_t *items, size_t count)
{
    taken_items *const taken = user;
    const size_t rest = taken->enough - taken->count;
    const size_t some = count < rest ? count : rest;
    memcpy(taken->items + taken->count, items, some * sizeof *items);
    taken->count += some;
    return taken->count < taken->enough;
}

static size_t answer_in_steps(const acre_quadtree *tree, const contender_question *question,
                              uint32_t *items, size_t room)
{
    acre_query_cursor cursor = {0};
    size_t found = 0;
    while (!cursor.is_done) {
        size_t total = 0;
        const acre_result result = acre_quadtree_query_step(
            tree, question->query, &cursor, question->budget, items + found, room - found, &total);
        if (result != ACRE_OK || total > room - found) {
            return SIZE_MAX;
        }
        found += total;
    }
    return found;
}

size_t bench_acre_answer(const acre_quadtree *tree, const contender_question *question,
                         uint32_t *items, size_t room)
{
    const acre_query *const query = question->query;
    size_t total = 0;
    if (question->budget) {
        return answer_in_steps(tree, question, items, room);
    }
    if (question->capacity && !(query->flags & ACRE_QUERY_STOP_WHEN_FULL)) {
        taken_items taken = {items, 0, question->capacity};
        const acre_result result = acre_quadtree_query_visit(tree, query, take, &taken);
        return result == ACRE_OK ? taken.count : SIZE_MAX;
    }
    const size_t capacity = question->capacity ? question->capacity : room;
    return acre_quadtree_query(tree, query, items, capacity, &total) == ACRE_OK ? total : SIZE_MAX;
}

size_t bench_acre_nearest(const acre_quadtree *tree, const contender_question *question,
                          acre_query_hit *hits)
{
    size_t count = 0;
    const acre_result result =
        acre_quadtree_query_nearest(tree, question->query, hits, question->capacity, &count);
    return result == ACRE_OK ? count : SIZE_MAX;
}
