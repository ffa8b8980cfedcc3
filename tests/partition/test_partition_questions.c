// SPDX-License-Identifier: MIT
// test_partition_questions.c - answers of worlds of several parts against a look at each item.
#include "brute_force_query.h"
#include "parts_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300, PARTS_MOST = 7 };

typedef struct world {
    parts_stream stream;
    acre_partition *parts[PARTS_MOST];
    uint32_t count;
    acre_found items[ITEMS]; // all, by number, as their owners have them
    size_t item_count;
    acre_found expected[ITEMS];
} world;

static stream_part part_of(const world *w, uint32_t index)
{
    return (stream_part){w->parts[index], index, w->count, NULL};
}

static void close_world(world *w)
{
    for (uint32_t i = 0; w && i < w->count; i++) {
        acre_partition_destroy(w->parts[i]);
    }
    free(w);
}

static world *open_world(uint32_t count, bool is_periodic)
{
    world *const w = calloc(1, sizeof *w);
    bool is_good = w != NULL;
    if (is_good) {
        w->stream = (parts_stream){test_seed, ITEMS, is_periodic};
        w->count = count;
    }
    for (uint32_t i = 0; i < count && is_good; i++) {
        const acre_partition_def def = stream_def(&w->stream, i, count);
        is_good = acre_partition_create(&def, &w->parts[i]) == ACRE_OK;
        const stream_part part = {w->parts[i], i, count, NULL};
        is_good = is_good && stream_fill(&w->stream, &part) == ACRE_OK;
    }
    if (!is_good) {
        close_world(w);
    }
    return is_good ? w : NULL;
}

// ---- the oracle ----

static int compare_numbers(const void *x, const void *y)
{
    const acre_found *const a = x, *const b = y;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_distances(const void *x, const void *y)
{
    const acre_found *const a = x, *const b = y;
    return a->distance != b->distance ? (a->distance < b->distance ? -1 : 1)
                                      : compare_numbers(x, y);
}

static void list_items(world *w)
{
    w->item_count = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const acre_partition_slots slots = acre_partition_get_slots(w->parts[i]);
        for (uint32_t slot = 0; slot < slots.count; slot++) {
            if (slots.kinds[slot] == ACRE_SLOT_OWN) {
                w->items[w->item_count++] = (acre_found){
                    slots.numbers[slot], acre_partition_get_slots(w->parts[i]).boxes[slot], 0, i};
            }
        }
    }
    qsort(w->items, w->item_count, sizeof *w->items, compare_numbers);
}

// The distance of an item that one place of the volume finds; NAN if it finds none.
static float distance_at(const acre_query *query, uint32_t nearest, const acre_aabb *box)
{
    if (!brute_force_finds(query, box)) {
        return NAN;
    }
    float distance = 0;
    if (nearest > 0 && query->origin) {
        distance = acre_aabb_distance(query->origin, box);
    } else if (nearest > 0) {
        (void)acre_ray_test_aabb(query->ray, box, &distance);
    }
    const bool is_near = query->max_distance == 0 || distance <= query->max_distance;
    return nearest == 0 || is_near ? distance : NAN;
}

static size_t find_expected(world *w, uint32_t tick, uint32_t at)
{
    size_t count = 0;
    uint32_t nearest = 0;
    for (int place = 0; place < 9; place++) {
        generated_query generated; // its pointers lead into itself
        nearest = stream_question(&w->stream, tick, at, &generated);
        if (!w->stream.is_periodic && place != 4) {
            continue;
        }
        stream_shift(&generated, place);
        for (size_t i = 0; i < w->item_count; i++) {
            acre_found *const item = &w->items[i];
            const float distance = distance_at(&generated.query, nearest, &item->box);
            const bool is_first = place == 0 || !w->stream.is_periodic;
            item->distance = is_first ? distance : fminf(item->distance, distance); // NAN is none
        }
    }
    for (size_t i = 0; i < w->item_count; i++) {
        if (!isnan(w->items[i].distance)) {
            w->expected[count++] = w->items[i];
        }
    }
    if (nearest > 0) {
        qsort(w->expected, count, sizeof *w->expected, compare_distances);
        count = count < nearest ? count : nearest;
    }
    return count;
}

static bool are_equal(const acre_found *a, const acre_found *b)
{
    bool is_equal = a->number == b->number && a->distance == b->distance && a->part == b->part;
    for (int axis = 0; axis < 3; axis++) {
        is_equal = is_equal && a->box.min[axis] == b->box.min[axis] &&
                   a->box.max[axis] == b->box.max[axis];
    }
    return is_equal;
}

static bool check_answer(world *w, uint32_t tick, uint32_t at, size_t *found)
{
    acre_answer answer = {0};
    const acre_result result =
        acre_partition_get_answer(w->parts[at % w->count], at / w->count, &answer);
    const size_t count = find_expected(w, tick, at);
    bool is_good = result == ACRE_OK && answer.result == ACRE_OK && answer.count == count &&
                   answer.asked >= 1 && answer.asked <= w->count;
    for (size_t i = 0; i < count && is_good; i++) {
        is_good = are_equal(&w->expected[i], &answer.found[i]);
    }
    if (!is_good) {
        generated_query generated;
        const uint32_t nearest = stream_question(&w->stream, tick, at, &generated);
        printf("%u parts, tick %u, question %u, nearest %u: %u instead of %u\n", (unsigned)w->count,
               (unsigned)tick, (unsigned)at, (unsigned)nearest, (unsigned)answer.count,
               (unsigned)count);
        print_query(&generated, stdout);
    }
    *found += count;
    return is_good;
}

static bool succeeds(const char *what, acre_result result)
{
    if (result != ACRE_OK) {
        printf("%s fails: %s\n", what, acre_result_text(result));
    }
    return result == ACRE_OK;
}

static bool run_tick(world *w, uint32_t tick, size_t *found)
{
    const acre_recut_def recut = {.tolerance = 1, .most_moved = 60};
    bool is_good = true;
    for (uint32_t i = 0; i < w->count && is_good; i++) {
        const stream_part part = part_of(w, i);
        is_good = succeeds("an edit", stream_move(&w->stream, &part, tick)) &&
                  succeeds("a question", stream_ask(&w->stream, &part, tick));
    }
    is_good = is_good && succeeds("an exchange", acre_partition_exchange(w->parts, w->count));
    list_items(w);
    for (uint32_t at = 0; at < STREAM_QUESTIONS && is_good; at++) {
        is_good = check_answer(w, tick, at, found);
    }
    return is_good && acre_partition_recut(w->parts, w->count, &recut, NULL) == ACRE_OK;
}

static void run_worlds(bool is_periodic)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 7};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        world *const w = open_world(counts[c], is_periodic);
        CHECK(w != NULL);
        bool is_good = true;
        size_t found = 0;
        for (uint32_t tick = 1; tick <= 20 * test_scale && is_good; tick++) {
            is_good = run_tick(w, tick, &found);
        }
        close_world(w);
        CHECK(is_good && found > 2000);
    }
}

static void answers_are_those_of_one_list(void)
{
    run_worlds(false);
}

static void answers_on_periodic_ground_are_those_of_one_list(void)
{
    run_worlds(true);
}

// ---- refusals ----

static size_t waiting_questions(const acre_partition *part)
{
    acre_partition_stats stats;
    acre_partition_get_stats(part, &stats);
    return stats.questions;
}

// Carries the messages of the exchange itself. Part 0 asks one question, which reaches all parts.
static bool exchange_by_hand(world *w)
{
    static const acre_aabb place = {{0, 0, 0}, {0, 0, 0}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &place};
    uint32_t question = 7;
    bool is_good = acre_partition_ask(w->parts[0], &query, 0, &question) == ACRE_OK &&
                   question == 0 && waiting_questions(w->parts[0]) == 1;
    for (uint32_t i = 0; i < w->count; i++) {
        is_good = is_good && acre_partition_begin(w->parts[i]) == ACRE_OK;
    }
    for (uint32_t i = 0; i < w->count * w->count; i++) {
        const uint32_t from = i / w->count, to = i % w->count;
        const acre_partition_bytes message = acre_partition_message(w->parts[from], to);
        is_good = is_good &&
                  acre_partition_take(w->parts[to], from, message.bytes, message.size) == ACRE_OK;
    }
    for (uint32_t i = 0; i < w->count; i++) {
        is_good = is_good && acre_partition_apply(w->parts[i]) == ACRE_OK;
    }
    return is_good;
}

// Takes each beginning of a message, and the whole with each byte of its first records changed so
// that it cannot be good.
static bool broken_ones_are_refused(acre_partition *to, uint32_t from, acre_partition_bytes message)
{
    bool is_good = message.size > 40;
    for (size_t size = 1; size < message.size && is_good; size++) {
        unsigned char *const exact = malloc(size); // a sanitizer sees what is read behind it
        memcpy(exact, message.bytes, size);
        is_good = acre_partition_take(to, from, exact, size) == ACRE_ERROR_FORMAT;
        free(exact);
    }
    // The header, and the highest byte of the first record's number.
    static const size_t places[] = {0, 4, 8, 12, 16, 20, 23};
    unsigned char *const bytes = malloc(message.size + 1);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && is_good; i++) {
        memcpy(bytes, message.bytes, message.size);
        bytes[places[i]] ^= 0x55;
        is_good = acre_partition_take(to, from, bytes, message.size) == ACRE_ERROR_FORMAT;
    }
    memcpy(bytes, message.bytes, message.size);
    bytes[message.size] = 0;
    is_good = is_good && acre_partition_take(to, from, bytes, message.size + 1) ==
                             ACRE_ERROR_FORMAT; // longer than it says
    free(bytes);
    return is_good;
}

// The message's first question is not for the nearest; its limit begins at byte 40.
static bool a_limit_is_refused(acre_partition *to, uint32_t from, acre_partition_bytes message)
{
    const float limit = 5;
    unsigned char *const bytes = malloc(message.size);
    memcpy(bytes, message.bytes, message.size);
    memcpy(bytes + 40, &limit, sizeof limit);
    const acre_result result = acre_partition_take(to, from, bytes, message.size);
    free(bytes);
    return result == ACRE_ERROR_FORMAT;
}

static bool take_whole(world *w, uint32_t from, uint32_t to)
{
    const acre_partition_bytes message = acre_partition_message(w->parts[from], to);
    return acre_partition_take(w->parts[to], from, message.bytes, message.size) == ACRE_OK &&
           acre_partition_take(w->parts[to], from, message.bytes, message.size) ==
               ACRE_ERROR_FORMAT; // twice
}

static void broken_rounds_are_refused_and_change_nothing(void)
{
    world *const w = open_world(2, false);
    CHECK(w != NULL);
    acre_partition *const asker = w->parts[0], *const asked = w->parts[1];
    bool is_good = exchange_by_hand(w) && acre_partition_next_round(asker) == ACRE_OK &&
                   acre_partition_next_round(asked) == ACRE_OK &&
                   acre_partition_message(asked, 0).size == 0 &&
                   broken_ones_are_refused(asked, 0, acre_partition_message(asker, 1)) &&
                   a_limit_is_refused(asked, 0, acre_partition_message(asker, 1)) &&
                   take_whole(w, 0, 1) && acre_partition_next_round(asker) == ACRE_OK &&
                   acre_partition_next_round(asked) == ACRE_OK &&
                   acre_partition_next_round(asker) == ACRE_ERROR_NOT_FOUND &&
                   broken_ones_are_refused(asker, 1, acre_partition_message(asked, 0)) &&
                   take_whole(w, 1, 0) && acre_partition_next_round(asker) == ACRE_OK &&
                   acre_partition_next_round(asked) == ACRE_OK;
    list_items(w);
    acre_answer answer;
    is_good = is_good && acre_partition_get_answer(asker, 0, &answer) == ACRE_OK &&
              answer.count == w->item_count && answer.asked == 2;
    close_world(w);
    CHECK(is_good);
}

static void wrong_questions_are_refused(void)
{
    world *const w = open_world(1, false);
    CHECK(w != NULL);
    acre_partition *const part = w->parts[0];
    const acre_sphere invalid = {{0, 0, 0}, -1};
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_query layers = all, exact = all, sphere = all, none = {0}, item = all, near = all;
    layers.layers = 1;
    exact.flags = ACRE_QUERY_EXACT;
    sphere.shape = ACRE_QUERY_SHAPE_SPHERE;
    item.except_item1 = 1;
    near.max_distance = 5;
    const acre_query *const wrong[] = {&layers, &exact, &sphere, &none, &item, &near, NULL};
    uint32_t question = 0;
    acre_answer answer;
    bool is_good = true;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        is_good = is_good &&
                  acre_partition_ask(part, wrong[i], 0, &question) == ACRE_ERROR_INVALID_ARGUMENT;
    }
    sphere.sphere = &invalid;
    is_good = is_good &&
              acre_partition_ask(part, &sphere, 0, &question) == ACRE_ERROR_INVALID_ARGUMENT &&
              acre_partition_ask(part, &all, 3, &question) == ACRE_ERROR_INVALID_ARGUMENT &&
              waiting_questions(part) == 0 &&
              acre_partition_next_round(NULL) == ACRE_ERROR_INVALID_ARGUMENT &&
              acre_partition_get_answer(part, 0, &answer) == ACRE_ERROR_NOT_FOUND &&
              acre_partition_begin(part) == ACRE_OK &&
              acre_partition_ask(part, &all, 0, &question) == ACRE_ERROR_BUSY &&
              acre_partition_next_round(part) == ACRE_ERROR_BUSY &&
              acre_partition_apply(part) == ACRE_OK &&
              acre_partition_ask(part, &all, 0, &question) == ACRE_OK;
    acre_partition_drop_questions(part, ACRE_ERROR_IO);
    is_good = is_good && acre_partition_get_answer(part, question, &answer) == ACRE_OK &&
              answer.result == ACRE_ERROR_IO && answer.count == 0;
    close_world(w);
    CHECK(is_good);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(answers_are_those_of_one_list),
        TEST(answers_on_periodic_ground_are_those_of_one_list),
        TEST(broken_rounds_are_refused_and_change_nothing),
        TEST(wrong_questions_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
