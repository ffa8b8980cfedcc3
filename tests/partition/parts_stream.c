// SPDX-License-Identifier: MIT
// parts_stream.c - a world that moves and asks the same whatever the number of its parts.
#include "parts_stream.h"

#include "partition_internal.h"

#include "brute_force_query.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const box_world ground = {{0, 0}, 64, 8};
enum { ANCHORS = 64 };

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static test_random random_of(const parts_stream *stream, uint32_t tick, uint64_t number,
                             uint32_t what)
{
    return (test_random){mix(mix(mix(stream->seed, tick), number), what)};
}

acre_partition_def stream_def(const parts_stream *stream, uint32_t index, uint32_t count)
{
    return (acre_partition_def){.part_count = count,
                                .part = index,
                                .half_size = ground.half_size,
                                .levels = 4,
                                .is_periodic = stream->is_periodic,
                                .ghost_range = 1.5f};
}

// ---- boxes ----

static float middle_of(const acre_aabb *box, int axis)
{
    return 0.5f * box->min[axis] + 0.5f * box->max[axis];
}

// What a part takes on this ground: on periodic ground boxes are finite, not far away, and not so
// large that their centers are lost where they are moved. Those of observers are finite.
static bool is_usable(const parts_stream *stream, uint64_t number, const acre_aabb *box)
{
    const float most = 1.9f * ground.half_size;
    return acre_aabb_is_valid(box) &&
           (number % STREAM_OBSERVERS_OF > 0 || acre_aabb_is_finite(box)) &&
           (!stream->is_periodic ||
            (acre_aabb_is_finite(box) && fabsf(middle_of(box, 0)) < most &&
             fabsf(middle_of(box, 2)) < most && box->max[0] - box->min[0] < 1e4f &&
             box->max[2] - box->min[2] < 1e4f));
}

// Rich in ties with cells, and with borders of ghosts.
static acre_aabb some_box(const parts_stream *stream, uint32_t tick, uint64_t number)
{
    test_random random = random_of(stream, tick, number, 1);
    acre_aabb box = box_valid(&random, &ground);
    const float x = random_float(&random, -ground.half_size, ground.half_size);
    const float z = random_float(&random, -ground.half_size, ground.half_size);
    const float half = random_below(&random, 2) ? 1.5f : random_float(&random, 0, 1.5f);
    if (random_below(&random, 4) > 0 || !is_usable(stream, number, &box)) {
        box = (acre_aabb){{x - half, 0, z - half}, {x + half, 1, z + half}};
    }
    return box;
}

static acre_aabb moved_box(const parts_stream *stream, uint32_t tick, uint64_t number,
                           const acre_aabb *old)
{
    test_random random = random_of(stream, tick, number, 2);
    const uint32_t what = random_below(&random, 10);
    const float x = random_float(&random, 17, 23);
    acre_aabb box = *old;
    if (tick % 9 == 7) {
        box = (acre_aabb){{x, 0, x}, {x + 0.5f, 1, x + 0.5f}}; // all in one cell
    } else if (what == 0 || tick % 9 == 8) {
        box = some_box(stream, tick, number);
    } else if (what < 7) {
        box = box_moved(&random, &ground, old);
    }
    return is_usable(stream, number, &box) ? box : *old;
}

// Away for eight ticks, long enough for all to forget it.
static bool is_there(const parts_stream *stream, uint32_t tick, uint64_t number)
{
    return mix(mix(stream->seed, tick / 8), number) % 16 > 0;
}

static acre_result add_item(const parts_stream *stream, const stream_part *part, uint32_t tick,
                            uint64_t number)
{
    const acre_aabb box = some_box(stream, tick, number);
    uint32_t slot = 0;
    return number % part->count == part->index ? acre_partition_add(part->part, number, &box, &slot)
                                               : ACRE_OK;
}

acre_result stream_fill(const parts_stream *stream, const stream_part *part)
{
    acre_result result = ACRE_OK;
    for (uint64_t number = 0; number < stream->items && result == ACRE_OK; number++) {
        if (is_there(stream, 0, number)) {
            result = add_item(stream, part, 0, number);
        }
    }
    return result;
}

acre_result stream_move(const parts_stream *stream, const stream_part *part, uint32_t tick)
{
    acre_result result = ACRE_OK;
    const acre_partition_slots slots = acre_partition_get_slots(part->part);
    acre_aabb *const boxes = acre_partition_get_slots(part->part).boxes;
    for (uint32_t slot = 0; slot < slots.count && result == ACRE_OK; slot++) {
        if (slots.kinds[slot] != ACRE_SLOT_OWN) {
            continue;
        }
        const uint64_t number = slots.numbers[slot];
        if (is_there(stream, tick, number)) {
            boxes[slot] = moved_box(stream, tick, number, &boxes[slot]);
        } else {
            result = acre_partition_remove(part->part, slot);
        }
    }
    for (uint64_t number = 0; number < stream->items && result == ACRE_OK; number++) {
        if (tick > 0 && is_there(stream, tick, number) && !is_there(stream, tick - 1, number)) {
            result = add_item(stream, part, tick, number);
        }
    }
    return result;
}

// ---- questions ----

static void shift(float *point, float x, float z)
{
    point[0] += x;
    point[2] += z;
}

static void shift_planes(acre_frustum *frustum, float x, float z)
{
    const uint32_t most = ACRE_FRUSTUM_MAX_PLANES;
    for (uint32_t i = 0; i < (frustum->plane_count < most ? frustum->plane_count : most); i++) {
        float *const plane = frustum->planes[i];
        const double along = (double)plane[0] * (double)x + (double)plane[2] * (double)z;
        plane[3] = (float)((double)plane[3] - along);
    }
}

void stream_shift(generated_query *q, int place)
{
    if (place == 4) {
        return; // an infinite plane that is moved by 0 would be NaN
    }
    const float x = (float)(place / 3 - 1) * 2 * ground.half_size;
    const float z = (float)(place % 3 - 1) * 2 * ground.half_size;
    shift_planes(&q->frustum, x, z);
    shift_planes(&q->exclude, x, z);
    shift(q->box.min, x, z), shift(q->box.max, x, z);
    shift(q->origin.min, x, z), shift(q->origin.max, x, z);
    shift(q->point, x, z);
    shift(q->sphere.center, x, z);
    q->circle.center[0] += x, q->circle.center[1] += z;
    shift(q->capsule.from, x, z), shift(q->capsule.to, x, z);
    shift(q->cone.apex, x, z);
    shift(q->oriented_box.center, x, z);
    shift(q->ray.origin, x, z);
}

// Whether the library takes a question: on periodic ground at all nine places.
static bool may_be_asked(const parts_stream *stream, const generated_query *q)
{
    bool is_good = true;
    for (int place = 0; place < 9 && stream->is_periodic && is_good; place++) {
        generated_query moved = *q;
        moved.query.frustum = &moved.frustum;
        moved.query.exclude = q->query.exclude ? &moved.exclude : NULL;
        moved.query.box = &moved.box;
        moved.query.point = moved.point;
        moved.query.sphere = &moved.sphere;
        moved.query.circle = &moved.circle;
        moved.query.capsule = &moved.capsule;
        moved.query.cone = &moved.cone;
        moved.query.oriented_box = &moved.oriented_box;
        moved.query.ray = &moved.ray;
        stream_shift(&moved, place);
        is_good =
            is_valid_query(&moved.query) && (!q->query.origin || acre_aabb_is_valid(&moved.origin));
    }
    return is_good;
}

uint32_t stream_question(const parts_stream *stream, uint32_t tick, uint32_t at,
                         generated_query *out)
{
    test_random random = random_of(stream, tick, at, 3);
    acre_aabb anchors[ANCHORS];
    for (uint32_t i = 0; i < ANCHORS; i++) {
        anchors[i] = some_box(stream, tick - i % 8, random_below(&random, stream->items));
    }
    const query_ground asked = {ground, anchors, ANCHORS};
    do {
        generate_any_query(&random, &asked, out);
        generate_origin(&random, &asked, out);
        out->query.flags &= ACRE_QUERY_EXCLUDE_TOUCHING | ACRE_QUERY_NOT_TOUCHING;
        out->query.layers = 0;
        out->query.except_item1 = 0;
        out->query.stats = NULL;
    } while (!may_be_asked(stream, out));
    if (at % 2 == 0) {
        out->query.max_distance = 0; // refused in a question that is not for the nearest
        return 0;
    }
    return 1 + random_below(&random, 12);
}

acre_result stream_ask(const parts_stream *stream, const stream_part *part, uint32_t tick)
{
    acre_result result = ACRE_OK;
    for (uint32_t at = part->index; at < STREAM_QUESTIONS && result == ACRE_OK; at += part->count) {
        generated_query generated;
        const uint32_t nearest = stream_question(stream, tick, at, &generated);
        uint32_t question = 0;
        result = acre_partition_ask(part->part, &generated.query, nearest, &question);
    }
    return result;
}

// ---- observers ----

acre_observer_def stream_observer(void)
{
    return (acre_observer_def){
        .enter_radius = 0.8f, .leave_radius = 1.5f, .band_limits = {0.3f, 1.0f}};
}

acre_result stream_watch(const stream_part *part)
{
    const acre_partition_slots slots = acre_partition_get_slots(part->part);
    const acre_observer_def def = stream_observer();
    acre_result result = ACRE_OK;
    for (uint32_t slot = 0; slot < slots.count && result == ACRE_OK; slot++) {
        if (slots.kinds[slot] == ACRE_SLOT_OWN && slots.numbers[slot] % STREAM_OBSERVERS_OF == 0) {
            result = acre_partition_interest_add(part->interest, slots.numbers[slot], &def);
            result = result == ACRE_ERROR_EXISTS ? ACRE_OK : result;
        }
    }
    return result == ACRE_OK ? acre_partition_interest_update(part->interest) : result;
}

// ---- hashes ----

static uint64_t hash_found(uint64_t hash, const acre_found *found)
{
    uint32_t bits[7];
    memcpy(bits, &found->box, sizeof found->box);
    memcpy(&bits[6], &found->distance, sizeof found->distance);
    hash = mix(hash, found->number);
    for (int i = 0; i < 7; i++) {
        hash = mix(hash, bits[i]);
    }
    return hash;
}

uint64_t stream_hash_answers(const stream_part *part)
{
    uint64_t sum = 0;
    acre_answer answer;
    for (uint32_t i = 0; acre_partition_get_answer(part->part, i, &answer) == ACRE_OK; i++) {
        uint64_t hash = mix(part->index + i * part->count, (uint64_t)answer.result);
        for (size_t k = 0; k < answer.count; k++) {
            hash = hash_found(hash, &answer.found[k]);
        }
        sum += hash;
    }
    return sum;
}

static uint64_t hash_row(uint64_t hash, const acre_sight_list *list, size_t row)
{
    for (size_t i = list->offsets[row]; i < list->offsets[row + 1]; i++) {
        hash = mix(mix(hash, list->numbers[i]), list->bands[i]);
    }
    return mix(hash, 1);
}

static uint64_t hash_sights(const acre_partition_interest *interest)
{
    const acre_sights sights = acre_partition_interest_get_sights(interest);
    uint64_t sum = 0;
    for (size_t row = 0; row < sights.row_count; row++) {
        uint64_t hash = hash_row(mix(5, sights.observers[row]), &sights.seen, row);
        hash = hash_row(hash, &sights.entered, row);
        hash = hash_row(hash, &sights.left, row);
        sum += hash_row(hash, &sights.changed, row);
    }
    return sum;
}

uint64_t stream_hash_pairs(const acre_number_pair *pairs, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += mix(mix(7, pairs[i].a), pairs[i].b);
    }
    return sum;
}

acre_result stream_add_sums(const stream_part *part, uint64_t *sums)
{
    size_t count = 0;
    acre_result result = acre_partition_pairs(part->part, NULL, NULL, 0, &count);
    acre_number_pair *const pairs = malloc((count + 1) * sizeof *pairs);
    if (result == ACRE_OK && pairs) {
        result = acre_partition_pairs(part->part, NULL, pairs, count, &count);
    }
    if (result == ACRE_OK && pairs) {
        sums[STREAM_CONTENT] += acre_partition_content_hash(part->part);
        sums[STREAM_PAIRS] += stream_hash_pairs(pairs, count);
        sums[STREAM_ANSWERS] += stream_hash_answers(part);
        sums[STREAM_SIGHTS] += hash_sights(part->interest);
    }
    free(pairs);
    return pairs ? result : ACRE_ERROR_OUT_OF_MEMORY;
}

void stream_print_line(uint32_t tick, const uint64_t *sums)
{
    static const char *const names[STREAM_SUM_COUNT] = {"content", "pairs", "answers", "sights"};
    printf("tick %u", (unsigned)tick);
    for (int i = 0; i < STREAM_SUM_COUNT; i++) {
        printf(" %s %016" PRIx64, names[i], sums[i]);
    }
    printf("\n");
}
