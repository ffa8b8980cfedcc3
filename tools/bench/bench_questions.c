// SPDX-License-Identifier: MIT
// bench_questions.c - what the answers should be, and how those of contenders differ.
#include "bench_order.h"
#include "bench_questions.h"

#include <stdlib.h>

static bool reserve(question_key *key, size_t more)
{
    if (key->count + more > key->capacity) {
        const size_t capacity = 2 * (key->count + more);
        acre_query_hit *const grown = realloc(key->hits, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        key->hits = grown;
        key->capacity = capacity;
    }
    return true;
}

bool question_key_find(question_key *key, const question_set *set, const brute_force *oracle)
{
    uint32_t *const items = calloc((size_t)oracle->capacity + 1, sizeof *items);
    bool is_good = items != NULL;
    key->count = 0;
    key->item_count = oracle->capacity;
    for (uint32_t i = 0; i < set->count && is_good; i++) {
        const asked_question *const question = &set->questions[i];
        key->first[i] = key->count;
        is_good = reserve(key, oracle->capacity);
        if (is_good && set->kind->is_nearest) {
            key->count += brute_force_nearest(oracle, question->query, key->hits + key->count,
                                              question->capacity);
        } else if (is_good) {
            const size_t found = brute_force_query(oracle, question->query, items);
            for (size_t k = 0; k < found; k++) {
                key->hits[key->count++] = (acre_query_hit){items[k], 0.0f};
            }
        }
    }
    key->first[set->count] = key->count;
    free(items);
    return is_good;
}

void question_key_free(question_key *key)
{
    free(key->hits);
    *key = (question_key){0};
}

enum { MARK_WANTED = 1, MARK_FOUND = 2 };

void question_compare_items(const question_key *key, const question_set *set, uint32_t index,
                            const uint32_t *items, size_t found, uint8_t *marks,
                            answer_faults *faults)
{
    const acre_query_hit *const wanted = key->hits + key->first[index];
    const size_t count = key->first[index + 1] - key->first[index];
    const size_t capacity = set->questions[index].capacity;
    const size_t enough = capacity && capacity < count ? capacity : count;
    size_t good = 0;
    for (size_t i = 0; i < count; i++) {
        marks[wanted[i].item] = MARK_WANTED;
    }
    for (size_t i = 0; i < found; i++) {
        const bool is_item = items[i] < key->item_count;
        if (is_item && marks[items[i]] == MARK_WANTED && good < enough) {
            marks[items[i]] = MARK_FOUND;
            good++;
        } else {
            faults->extra++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        marks[wanted[i].item] = 0;
    }
    faults->missing += enough - good;
}

// Both are in order: what only one of them has is a fault, and what is out of order two.
void question_compare_hits(const question_key *key, uint32_t index, const acre_query_hit *hits,
                           size_t found, bool is_exact, answer_faults *faults)
{
    const acre_query_hit *const wanted = key->hits + key->first[index];
    const size_t count = key->first[index + 1] - key->first[index];
    size_t i = 0, k = 0;
    while (i < count && k < found) {
        const bool is_near = wanted[i].distance == hits[k].distance;
        if (is_near && (wanted[i].item == hits[k].item || !is_exact)) {
            i++;
            k++;
        } else if (hit_is_before(&wanted[i], &hits[k])) {
            faults->missing++;
            i++;
        } else {
            faults->extra++;
            k++;
        }
    }
    faults->missing += count - i;
    faults->extra += found - k;
}
