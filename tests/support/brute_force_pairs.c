// SPDX-License-Identifier: MIT
// brute_force_pairs.c - the oracle of pairs: every two boxes are compared, axis by axis.
#include "brute_force_pairs.h"

#include <stdlib.h>
#include <string.h>

static bool do_meet(uint32_t a_layers, uint32_t b_layers, const uint32_t *meets)
{
    for (uint32_t a = 0; a < 32; a++) {
        for (uint32_t b = 0; (a_layers >> a & 1) && b < 32; b++) {
            const bool knows = meets ? (meets[a] >> b & 1) || (meets[b] >> a & 1) : a == b;
            if (knows && (b_layers >> b & 1)) {
                return true;
            }
        }
    }
    return false;
}

// What two intervals share: from the larger of the low ends to the smaller of the high ends. Two
// points at one place share it, but no more than that.
static bool is_shared(float a_min, float a_max, float b_min, float b_max, bool drops_touching)
{
    if (drops_touching) {
        return a_min < b_max && b_min < a_max;
    }
    const float from = a_min > b_min ? a_min : b_min, to = a_max < b_max ? a_max : b_max;
    return from <= to;
}

bool brute_force_is_pair(const acre_aabb *a, uint32_t a_layers, const acre_aabb *b,
                         uint32_t b_layers, const acre_pairs_rules *rules)
{
    const uint32_t flags = rules ? rules->flags : 0;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == 1 && (flags & ACRE_PAIRS_ON_GROUND)) {
            continue;
        }
        if (!is_shared(a->min[axis], a->max[axis], b->min[axis], b->max[axis],
                       flags & ACRE_PAIRS_NOT_TOUCHING)) {
            return false;
        }
    }
    return do_meet(a_layers, b_layers, rules ? rules->meets : NULL);
}

size_t brute_force_pairs(const brute_force *first, const brute_force *second,
                         const acre_pairs_rules *rules, acre_pair *pairs, size_t capacity)
{
    const brute_force *const other = second ? second : first;
    size_t total = 0;
    for (uint32_t a = 0; a < first->capacity; a++) {
        for (uint32_t b = second ? 0 : a + 1; first->present[a] && b < other->capacity; b++) {
            if (!other->present[b] ||
                !brute_force_is_pair(&first->boxes[a], first->layers[a], &other->boxes[b],
                                     other->layers[b], rules)) {
                continue;
            }
            if (total < capacity) {
                pairs[total] = (acre_pair){a, b};
            }
            total++;
        }
    }
    return total;
}

static int compare_pairs(const void *left, const void *right)
{
    const acre_pair *const a = left, *const b = right;
    const int by_a = (a->a > b->a) - (a->a < b->a);
    return by_a ? by_a : (a->b > b->b) - (a->b < b->b);
}

void sort_pairs(acre_pair *pairs, size_t count)
{
    if (count > 1) {
        qsort(pairs, count, sizeof *pairs, compare_pairs);
    }
}

acre_pairs_rules random_pairs_rules(test_random *random, uint32_t *meets)
{
    const uint32_t flags = random_below(random, 4), kind = random_below(random, 8);
    const acre_pairs_rules rules = {.flags = flags, .meets = kind < 4 ? NULL : meets};
    memset(meets, kind == 6 ? 0xff : 0, 32 * sizeof *meets);
    for (uint32_t i = 0; i < 6 && (kind == 4 || kind == 5); i++) { // the generators' four layers
        const uint32_t a = random_below(random, 4), b = random_below(random, 4);
        meets[a] |= 1u << b;
        meets[b] |= kind == 4 ? 1u << a : 0;
    }
    return rules;
}
