// SPDX-License-Identifier: MIT
// bench_questions_key.c - what the answers should be, and how those of contenders differ.
#include "bench_queries.h"

#include <math.h>
#include <stdlib.h>

static bool add_hit(question_key *key, const acre_query_hit *hit)
{
    if (key->count == key->capacity) {
        const size_t capacity = key->capacity ? 2 * key->capacity : 65536;
        acre_query_hit *const grown = realloc(key->hits, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        key->hits = grown;
        key->capacity = capacity;
    }
    key->hits[key->count++] = *hit;
    return true;
}

enum { MOST_ORDERED = 64 }; // hits kept in order; where more are wanted all are sorted

static int compare_hits(const void *a, const void *b)
{
    return hit_is_before(a, b) ? -1 : hit_is_before(b, a);
}

static bool find_nearest(question_key *key, const contender_question *question,
                         const acre_aabb *boxes, uint32_t count)
{
    acre_query_hit hits[MOST_ORDERED];
    best_hits best = {.hits = hits, .capacity = question->capacity};
    bool is_good = true;
    for (uint32_t item = 0; item < count; item++) {
        const float distance = question->distance(question, &boxes[item]);
        if (distance <= best_limit(&best) && distance < INFINITY &&
            question_defines(question, item, &boxes[item])) {
            best_offer(&best, item, distance);
        }
    }
    for (size_t i = 0; i < best.count && is_good; i++) {
        is_good = add_hit(key, &hits[i]);
    }
    return is_good;
}

// Planes alone do not keep to the bounds of their volume: what is near its edge may count as in it.
static bool find_all(question_key *key, const contender_question *question, bool has_order,
                     const acre_aabb *boxes, uint32_t count)
{
    const size_t first = key->count;
    const bool is_asked = key->is_thorough || question->query->shape == ACRE_QUERY_SHAPE_FRUSTUM;
    bool is_good = true;
    for (uint32_t item = 0; item < count && is_good; item++) {
        const acre_aabb *const box = &boxes[item];
        if ((is_asked || acre_aabb_overlaps(&question->bounds, box)) &&
            question_defines(question, item, box)) {
            const float distance = has_order ? question->distance(question, box) : 0.0f;
            is_good = add_hit(key, &(acre_query_hit){item, distance});
        }
    }
    if (has_order && is_good && key->count > first) {
        qsort(key->hits + first, key->count - first, sizeof *key->hits, compare_hits);
    }
    return is_good;
}

bool question_key_find(question_key *key, const question_set *set, const acre_aabb *boxes,
                       uint32_t count)
{
    const bool has_order = set->kind->is_nearest;
    bool is_good = true;
    key->count = 0;
    key->item_count = count;
    for (uint32_t i = 0; i < set->count && is_good; i++) {
        key->first[i] = key->count;
        const contender_question *const question = &set->questions[i];
        is_good = has_order && question->capacity <= MOST_ORDERED
                      ? find_nearest(key, question, boxes, count)
                      : find_all(key, question, has_order, boxes, count);
    }
    key->first[set->count] = key->count;
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
