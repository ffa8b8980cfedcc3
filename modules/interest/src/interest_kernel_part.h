// SPDX-License-Identifier: MIT
// interest_kernel_part.h - the part of all kernels that is the same: see interest_kernel.h.
#ifndef LANES
#error "interest_kernel_SET.c include this behind what interest_kernel.h asks of a set"
#endif

#include "interest_internal.h"

#include "bits_internal.h"
#include "compiler_internal.h"

// The square of how far boxes are from a place along one axis. Boxes in slots `first` and up.
static inline floats squared_gap(const float *edges, int axis, float place, int first)
{
    const floats at = floats_all(place);
    const floats low = floats_load(edges + 2 * axis * ACRE_GROUP_ITEMS + first);
    const floats high = floats_load(edges + (2 * axis + 1) * ACRE_GROUP_ITEMS + first);
    const floats gap =
        floats_max(floats_max(floats_sub(low, at), floats_sub(at, high)), floats_all(0));
    return floats_mul(gap, gap);
}

static inline floats squared_distances(const near_limits *limits, const float *edges, int first)
{
    const floats ground = floats_add(squared_gap(edges, 0, limits->place[0], first),
                                     squared_gap(edges, 2, limits->place[2], first));
    return limits->in_space ? floats_add(ground, squared_gap(edges, 1, limits->place[1], first))
                            : ground;
}

// The slots of which a square is surely below a limit, and in *doubt those that may be.
static inline uint32_t below_limit(limit_range limit, const floats *squares, uint32_t *doubt)
{
    uint32_t below = 0, not_above = 0;
    for (int first = 0; first < ACRE_GROUP_ITEMS; first += LANES) {
        below |= less_bits(squares[first / LANES], floats_all(limit.low)) << first;
        not_above |= not_above_bits(squares[first / LANES], floats_all(limit.high)) << first;
    }
    *doubt = not_above & ~below;
    return below;
}

// `count` of limits, which is a constant where there are no bands.
ACRE_ALWAYS_INLINE uint32_t sift(const near_limits *limits, const acre_item_group *group,
                                 uint32_t count, uint32_t *items, uint8_t *marks,
                                 uint32_t *doubtful)
{
    floats squares[ACRE_GROUP_ITEMS / LANES];
    uint32_t below[MOST_LIMITS], doubt, all_doubt = 0;
    for (int first = 0; first < ACRE_GROUP_ITEMS; first += LANES) {
        squares[first / LANES] = squared_distances(limits, group->edges, first);
    }
    for (uint32_t i = 0; i < count; i++) {
        below[i] = below_limit(limits->limits[i], squares, &doubt);
        all_doubt |= doubt;
    }
    const uint32_t found = group->found & ~same_bits(group->items, limits->hidden);
    const uint32_t near = found & below[LIMIT_LEAVE] & ~all_doubt;
    *doubtful = found & all_doubt;
    if (!near) {
        return 0;
    }
    append_set_items(group->items, near, items);
    if (count > LIMIT_ENTER) {
        append_marks(near, below, count, marks);
    }
    return lane_count(near);
}

static uint32_t sift_group(const near_limits *limits, const acre_item_group *group, uint32_t *items,
                           uint8_t *marks, uint32_t *doubtful)
{
    return limits->count == LIMIT_BANDS ? sift(limits, group, LIMIT_BANDS, items, marks, doubtful)
           : limits->count == LIMIT_ENTER
               ? sift(limits, group, LIMIT_ENTER, items, marks, doubtful)
               : sift(limits, group, limits->count, items, marks, doubtful);
}

static uint32_t sift_rings(const near_limits *limits, const acre_item_group *group)
{
    floats squares[ACRE_GROUP_ITEMS / LANES];
    uint32_t doubt, all_doubt = 0;
    for (int first = 0; first < ACRE_GROUP_ITEMS; first += LANES) {
        squares[first / LANES] = squared_distances(limits, group->edges, first);
    }
    for (uint32_t i = 0; i < limits->count; i++) {
        (void)below_limit(limits->limits[i], squares, &doubt);
        all_doubt |= doubt;
    }
    return group->found & all_doubt & ~same_bits(group->items, limits->hidden);
}

// ---- runs ----

static size_t equal_numbers(const uint32_t *a, const uint32_t *b, size_t most)
{
    for (size_t at = 0; at < most; at += RUN_STEP) {
        const uint32_t unequal = ~equal_bits(a + at, b + at) & 0xffffu;
        if (unequal) {
            at += lowest_bit(unequal);
            return at < most ? at : most;
        }
    }
    return most;
}

// Where a number stands between two places of a list; `end`: nowhere.
static size_t find_between(const uint32_t *list, size_t begin, size_t end, uint32_t number)
{
    for (size_t at = begin; at < end; at += RUN_STEP) {
        const uint32_t same = same_bits(list + at, number);
        if (same) {
            at += lowest_bit(same);
            return at < end ? at : end;
        }
    }
    return end;
}

// Where a number stands in a list, looked for from a place on; count: nowhere.
static size_t find_number_from(const uint32_t *list, size_t count, size_t from, uint32_t number)
{
    const size_t at = find_between(list, from, count, number);
    if (at < count) {
        return at;
    }
    const size_t before = find_between(list, 0, from, number);
    return before < from ? before : count;
}

static bool list_runs(list_pair *pair)
{
    size_t k = 0, searches = 0;
    pair->run_count = pair->fresh_count = 0;
    for (size_t i = 0; i < pair->count;) {
        const size_t left = pair->count - i, old_left = pair->old_count - k;
        const size_t most = left < old_left ? left : old_left;
        const size_t equal = equal_numbers(pair->items + i, pair->old + k, most);
        if (equal > 0) {
            pair->runs[pair->run_count++] =
                (interest_run){(uint32_t)i, (uint32_t)k, (uint32_t)equal};
            i += equal;
            k += equal;
            continue;
        }
        const size_t found = searches++ < MOST_SEARCHES
                                 ? find_number_from(pair->old, pair->old_count, k, pair->items[i])
                                 : pair->old_count;
        if (found < pair->old_count) {
            k = found;
        } else {
            pair->fresh[pair->fresh_count++] = (uint32_t)i++;
        }
    }
    return searches <= MOST_SEARCHES;
}

static void look_up(const uint32_t *list, size_t count, const uint64_t *words, size_t word_count,
                    uint32_t *sets)
{
    for (size_t at = 0; at < count; at += RUN_STEP) {
        *sets++ = set_of_words(list + at, words, word_count);
    }
}

static bool mark_planes(uint64_t *words, size_t word_count, const uint32_t *items, uint32_t count)
{
    const uint32_t last = (uint32_t)(word_count * 64) - 1;
    uint32_t sign = 0; // of how far each is below the last one: items are far below 2^31
    for (uint32_t i = 0; i < count; i++) {
        sign |= last - items[i];
    }
    for (uint32_t i = 0; i < count && !(sign >> 31); i++) {
        words[items[i] / 64] |= UINT64_C(1) << (items[i] & 63);
    }
    return !(sign >> 31);
}
