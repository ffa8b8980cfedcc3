// SPDX-License-Identifier: MIT
// test_contacts.c - what began and what ended lead from one list of pairs to the next, in steady
// memory; what fails changes nothing.
#include "brute_force_pairs.h"
#include "failing_allocator.h"
#include "query_trees.h"
#include "test.h"

#include "access_internal.h"
#include "quadtree_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64, MOST_PAIRS = ITEMS * ITEMS };

static const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;

// ---- lists ----

static bool is_before(acre_pair left, acre_pair right)
{
    return left.a < right.a || (left.a == right.a && left.b < right.b);
}

static bool is_sorted(const acre_pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (!is_before(pairs[i - 1], pairs[i])) {
            return false;
        }
    }
    return true;
}

// Of a sorted list.
static bool has_pair(const acre_pair *pairs, size_t count, acre_pair wanted)
{
    size_t first = 0, end = count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (is_before(pairs[middle], wanted)) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first < count && pairs[first].a == wanted.a && pairs[first].b == wanted.b;
}

// A copy of a list, for after the update that overwrites it.
typedef struct kept_pairs {
    acre_pair *pairs;
    size_t count;
} kept_pairs;

static bool keep(kept_pairs *kept, const acre_pair *pairs, size_t count)
{
    kept->pairs = malloc((count + 1) * sizeof *pairs);
    kept->count = count;
    if (kept->pairs && count > 0) {
        memcpy(kept->pairs, pairs, count * sizeof *pairs);
    }
    return kept->pairs != NULL;
}

// Whether the last list, with what began and without what ended, is the one now.
static bool leads_to_now(const acre_contacts_lists *lists, const kept_pairs *last)
{
    bool ok = is_sorted(lists->now, lists->now_count) &&
              is_sorted(lists->began, lists->began_count) &&
              is_sorted(lists->ended, lists->ended_count) &&
              last->count + lists->began_count == lists->now_count + lists->ended_count;
    for (size_t i = 0; ok && i < lists->began_count; i++) {
        ok &= has_pair(lists->now, lists->now_count, lists->began[i]) &&
              !has_pair(last->pairs, last->count, lists->began[i]);
    }
    for (size_t i = 0; ok && i < lists->ended_count; i++) {
        ok &= has_pair(last->pairs, last->count, lists->ended[i]) &&
              !has_pair(lists->now, lists->now_count, lists->ended[i]);
    }
    return ok;
}

static bool is_now(const acre_contacts_lists *lists, const acre_pair *pairs, size_t count)
{
    return lists->now_count == count &&
           (count == 0 || memcmp(lists->now, pairs, count * sizeof *pairs) == 0);
}

// ---- steps ----

// Two worlds, a tracker of each kernel, and which pairs they followed last.
typedef struct followed {
    query_trees first, second;
    acre_contacts *trackers[ACRE_KERNEL_COUNT_];
    size_t began, ended, lasted; // summed up
} followed;

static bool begin_following(followed *run, test_random *random, uint32_t setting)
{
    bool ok = query_trees_init_setting(&run->first, setting, ITEMS) &&
              query_trees_init_setting(&run->second, setting, ITEMS / 2) &&
              query_trees_fill(&run->first, random, ITEMS / 2) &&
              query_trees_fill(&run->second, random, ITEMS / 4);
    for (uint32_t k = 0; ok && k < run->first.count; k++) {
        ok &= acre_contacts_create(NULL, &run->trackers[k]) == ACRE_OK;
    }
    run->began = run->ended = run->lasted = 0;
    return ok;
}

static void end_following(followed *run)
{
    for (uint32_t k = 0; k < run->first.count; k++) {
        acre_contacts_destroy(run->trackers[k]);
    }
    query_trees_free(&run->first);
    query_trees_free(&run->second);
}

// An update of every tracker, each of which must come to the oracle's pairs.
static bool step(followed *run, bool takes_both, const acre_pairs_rules *rules)
{
    static acre_pair expected[MOST_PAIRS];
    const size_t count = brute_force_pairs(
        &run->first.oracle, takes_both ? &run->second.oracle : NULL, rules, expected, MOST_PAIRS);
    bool ok = true;
    for (uint32_t k = 0; ok && k < run->first.count; k++) {
        const acre_quadtree *const second = takes_both ? run->second.trees[k] : NULL;
        acre_contacts_lists lists = acre_contacts_get(run->trackers[k]);
        kept_pairs last;
        ok &= keep(&last, lists.now, lists.now_count) &&
              acre_contacts_update(run->trackers[k], run->first.trees[k], second, rules) == ACRE_OK;
        lists = acre_contacts_get(run->trackers[k]);
        ok &= is_now(&lists, expected, count) && leads_to_now(&lists, &last);
        run->began += lists.began_count;
        run->ended += lists.ended_count;
        run->lasted += lists.now_count - lists.began_count;
        free(last.pairs);
    }
    return ok;
}

// Mostly of one tree or of two for a while; now and then the other, or by other rules.
static void began_and_ended_lead_from_each_step_to_the_next(void)
{
    test_random random = {test_seed};
    size_t began = 0, ended = 0, lasted = 0;
    for (uint32_t setting = 0; setting < QUERY_SETTING_COUNT; setting++) {
        followed run;
        uint32_t meets[32];
        acre_pairs_rules rules = {0};
        bool takes_both = false;
        CHECK(begin_following(&run, &random, setting));
        for (uint32_t i = 0; i < 400 * test_scale; i++) {
            if (random_below(&random, 40) == 0) {
                rules = random_pairs_rules(&random, meets);
            }
            takes_both ^= random_below(&random, 50) == 0;
            CHECK(query_trees_edit(&run.first, &random, NULL));
            CHECK(query_trees_edit(&run.second, &random, NULL));
            CHECK(step(&run, takes_both, random_below(&random, 20) ? &rules : NULL));
        }
        began += run.began;
        ended += run.ended;
        lasted += run.lasted;
        end_following(&run);
    }
    CHECK(began > 30000 && ended > 30000 && lasted > 300000);
}

// ---- memory ----

// Points in one place, as items 0, gap, 2 gap, ...
static acre_quadtree *make_heap(uint32_t count, uint32_t gap)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 8};
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t i = 0; ok && i < count; i++) {
        const acre_aabb box = {{1, 1, 1}, {1, 1, 1}};
        const uint32_t item = i * 7 % count * gap; // in another order: 7 divides no count
        ok &= acre_quadtree_insert(tree, item, &box) == ACRE_OK;
    }
    return ok ? tree : NULL;
}

enum { DANCERS = 400, PERIOD = 120 };

static acre_aabb dancer_at(uint32_t dancer, uint32_t time)
{
    const float turn = 6.2831853f * (float)(time % PERIOD) / PERIOD;
    const float phase = (float)dancer * 2.4f, home = 0.5f * (float)(dancer % 20) - 5;
    const float x = home + 6 * sinf(turn + phase);
    const float z = 0.5f * (float)(dancer / 20) - 5 + 6 * sinf(2 * turn + 2 * phase);
    return (acre_aabb){{x - 0.8f, 0, z - 0.8f}, {x + 0.8f, 1, z + 0.8f}};
}

static bool move_dancers(acre_quadtree *tree, uint32_t time)
{
    acre_aabb boxes[DANCERS];
    for (uint32_t i = 0; i < DANCERS; i++) {
        boxes[i] = dancer_at(i, time);
    }
    return acre_quadtree_refresh_all(tree, boxes, DANCERS) == ACRE_OK &&
           acre_quadtree_maintain(tree) == ACRE_OK;
}

static acre_quadtree *make_dance(void)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 32, .node_capacity = 32};
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t i = 0; ok && i < DANCERS; i++) {
        const acre_aabb box = dancer_at(i, 0);
        ok &= acre_quadtree_insert(tree, i, &box) == ACRE_OK;
    }
    return ok ? tree : NULL;
}

static void the_memory_of_a_tracker_stops_growing(void)
{
    failing_allocator memory;
    acre_contacts *contacts = NULL;
    acre_quadtree *const tree = make_dance();
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(tree && acre_contacts_create(&memory.allocator, &contacts) == ACRE_OK);
    size_t most = 0, began = 0;
    for (uint32_t time = 0; time < 4 * PERIOD; time++) {
        CHECK(move_dancers(tree, time));
        CHECK(acre_contacts_update(contacts, tree, NULL, NULL) == ACRE_OK);
        const acre_contacts_lists lists = acre_contacts_get(contacts);
        CHECK(lists.bytes == memory.live_bytes);
        most = lists.now_count > most ? lists.now_count : most;
        began += lists.began_count;
        if (time == PERIOD) { // all has been seen once
            failing_allocator_arm(&memory, FAIL_FROM, 1);
        }
    }
    printf("     %zu pairs at most, %zu bytes\n", most, memory.live_bytes);
    CHECK(memory.requests == 0 && began > 10000 && most > 1024);
    CHECK(memory.live_bytes <= 80 * most + 1024);
    acre_contacts_destroy(contacts);
    acre_quadtree_destroy(tree);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// The lists change places from call to call: all have room for the most pairs after one call.
static void one_update_makes_room_for_all_that_have_no_more_pairs(void)
{
    failing_allocator memory;
    acre_contacts *contacts = NULL;
    acre_quadtree *const heap = make_heap(130, 3), *const small = make_heap(90, 5);
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(heap && small && acre_contacts_create(&memory.allocator, &contacts) == ACRE_OK);
    CHECK(acre_contacts_update(contacts, heap, NULL, NULL) == ACRE_OK);
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    for (uint32_t i = 0; i < 12; i++) {
        const acre_quadtree *const tree = i % 4 < 2 ? small : heap;
        CHECK(acre_contacts_update(contacts, tree, NULL, NULL) == ACRE_OK);
    }
    CHECK(memory.requests == 0 && acre_contacts_get(contacts).now_count == 130 * 129 / 2);
    acre_contacts_destroy(contacts);
    acre_quadtree_destroy(heap);
    acre_quadtree_destroy(small);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static void what_ended_and_what_began_again_add_up_over_a_period(void)
{
    acre_contacts *contacts = NULL;
    acre_quadtree *const tree = make_dance();
    CHECK(tree && acre_contacts_create(NULL, &contacts) == ACRE_OK);
    CHECK(move_dancers(tree, 0) && !acre_contacts_update(contacts, tree, NULL, NULL));
    const acre_contacts_lists first = acre_contacts_get(contacts);
    CHECK(first.began_count == first.now_count && first.ended_count == 0);
    const size_t at_first = first.now_count;
    size_t began = 0, ended = 0;
    for (uint32_t time = 1; time <= PERIOD; time++) {
        CHECK(move_dancers(tree, time) && !acre_contacts_update(contacts, tree, NULL, NULL));
        const acre_contacts_lists lists = acre_contacts_get(contacts);
        began += lists.began_count;
        ended += lists.ended_count;
    }
    CHECK(began == ended && began > 1000 && acre_contacts_get(contacts).now_count == at_first);
    CHECK(acre_contacts_update(contacts, tree, NULL, NULL) == ACRE_OK); // nothing moved
    acre_contacts_lists still = acre_contacts_get(contacts);
    CHECK(still.now_count == at_first && still.began_count == 0 && still.ended_count == 0);
    acre_quadtree_clear(tree);
    CHECK(acre_contacts_update(contacts, tree, NULL, NULL) == ACRE_OK);
    still = acre_contacts_get(contacts);
    CHECK(still.now_count == 0 && still.began_count == 0 && still.ended_count == at_first);
    acre_contacts_destroy(contacts);
    acre_quadtree_destroy(tree);
}

// ---- numbers of all sizes ----

static void lists_are_sorted_whatever_the_numbers(void)
{
    static const uint32_t gaps[] = {1, 3, 60, 1000, 40000};
    enum { COUNT = 50, PAIRS = COUNT * (COUNT - 1) / 2 };
    acre_contacts *contacts = NULL;
    CHECK(acre_contacts_create(NULL, &contacts) == ACRE_OK);
    for (uint32_t i = 0; i < 25; i++) {
        acre_quadtree *const first = make_heap(COUNT, gaps[i % 5]);
        acre_quadtree *const second = make_heap(COUNT, gaps[i / 5]);
        CHECK(first && second);
        CHECK(acre_contacts_update(contacts, first, NULL, NULL) == ACRE_OK);
        acre_contacts_lists lists = acre_contacts_get(contacts);
        CHECK(lists.now_count == PAIRS && is_sorted(lists.now, PAIRS));
        CHECK(is_sorted(lists.began, lists.began_count));
        CHECK(is_sorted(lists.ended, lists.ended_count));
        CHECK(acre_contacts_update(contacts, first, second, NULL) == ACRE_OK);
        lists = acre_contacts_get(contacts);
        CHECK(lists.now_count == COUNT * COUNT);
        for (uint32_t k = 0; k < COUNT * COUNT; k++) {
            CHECK(lists.now[k].a == k / COUNT * gaps[i % 5]);
            CHECK(lists.now[k].b == k % COUNT * gaps[i / 5]);
        }
        acre_quadtree_destroy(first);
        acre_quadtree_destroy(second);
    }
    acre_contacts_destroy(contacts);
}

// ---- what fails ----

// All lists of a tracker.
typedef struct kept_lists {
    kept_pairs now, began, ended;
} kept_lists;

static bool keep_lists(kept_lists *kept, const acre_contacts *contacts)
{
    const acre_contacts_lists lists = acre_contacts_get(contacts);
    const bool has_now = keep(&kept->now, lists.now, lists.now_count);
    const bool has_began = keep(&kept->began, lists.began, lists.began_count);
    return keep(&kept->ended, lists.ended, lists.ended_count) && has_now && has_began;
}

static void drop_lists(kept_lists *kept)
{
    free(kept->now.pairs);
    free(kept->began.pairs);
    free(kept->ended.pairs);
}

static bool are_pairs(const acre_pair *pairs, size_t count, const kept_pairs *kept)
{
    return count == kept->count &&
           (count == 0 || memcmp(pairs, kept->pairs, count * sizeof *pairs) == 0);
}

static bool are_kept(const acre_contacts *contacts, const kept_lists *kept)
{
    const acre_contacts_lists lists = acre_contacts_get(contacts);
    return are_pairs(lists.now, lists.now_count, &kept->now) &&
           are_pairs(lists.began, lists.began_count, &kept->began) &&
           are_pairs(lists.ended, lists.ended_count, &kept->ended);
}

// A tracker that has seen a dance, and the heap that it will see: most pairs are new, and more.
// Request number `at` fails, and where it is FAIL_FROM all behind it.
// @return whether some request failed and all went well; *is_good: whether all went well.
static bool fail_an_update(failing_mode mode, uint64_t at, bool is_first, bool *is_good)
{
    failing_allocator memory;
    acre_contacts *contacts = NULL;
    kept_lists kept;
    acre_quadtree *const dance = make_dance(), *const heap = make_heap(130, 3);
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    bool ok = dance && heap && acre_contacts_create(&memory.allocator, &contacts) == ACRE_OK;
    for (uint32_t time = 0; ok && !is_first && time < 3; time++) {
        ok &= move_dancers(dance, time) && !acre_contacts_update(contacts, dance, NULL, NULL);
    }
    ok = ok && keep_lists(&kept, contacts);
    *is_good = ok;
    if (!ok) {
        return false;
    }
    failing_allocator_arm(&memory, mode, at);
    const acre_result result = acre_contacts_update(contacts, heap, NULL, NULL);
    const bool has_failed = memory.failed > 0;
    ok &= result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK);
    ok &= !has_failed || are_kept(contacts, &kept);
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    ok &= !has_failed || acre_contacts_update(contacts, heap, NULL, NULL) == ACRE_OK;
    const acre_contacts_lists lists = acre_contacts_get(contacts);
    ok &= lists.now_count == 130 * 129 / 2 && leads_to_now(&lists, &kept.now);
    drop_lists(&kept);
    acre_contacts_destroy(contacts);
    acre_quadtree_destroy(dance);
    acre_quadtree_destroy(heap);
    *is_good = ok && failing_allocator_verdict(&memory) == NULL;
    return has_failed;
}

static void an_update_without_memory_leaves_the_lists_as_before(void)
{
    static const failing_mode modes[] = {FAIL_ONCE, FAIL_FROM};
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t at = 1;
        bool is_good = true;
        while (fail_an_update(modes[i % 2], at, i >= 2, &is_good) && is_good) {
            at++;
        }
        CHECK(is_good && at >= 6); // five columns grow
    }
}

static void a_tracker_without_memory_is_none(void)
{
    failing_allocator memory;
    acre_contacts *contacts = (acre_contacts *)&memory;
    failing_allocator_init(&memory, FAIL_FROM, 1);
    CHECK(acre_contacts_create(&memory.allocator, &contacts) == ACRE_ERROR_OUT_OF_MEMORY);
    CHECK(contacts == NULL && memory.requests == 1);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static void what_cannot_be_followed_is_refused_and_the_lists_stay(void)
{
    const acre_pairs_rules unknown = {.flags = 8};
    acre_contacts *contacts = NULL;
    kept_lists kept;
    acre_quadtree *const tree = make_dance(), *const other = make_heap(10, 1);
    CHECK(tree && other && acre_contacts_create(NULL, &contacts) == ACRE_OK);
    acre_contacts_lists lists = acre_contacts_get(contacts);
    CHECK(lists.now_count == 0 && lists.began_count == 0 && lists.ended_count == 0);
    CHECK(acre_contacts_update(contacts, tree, NULL, NULL) == ACRE_OK);
    CHECK(move_dancers(tree, 1) && !acre_contacts_update(contacts, tree, NULL, NULL));
    CHECK(keep_lists(&kept, contacts));
    CHECK(kept.now.count > 0 && kept.began.count > 0 && kept.ended.count > 0);
    CHECK(acre_contacts_create(NULL, NULL) == invalid);
    CHECK(acre_contacts_update(NULL, tree, NULL, NULL) == invalid);
    CHECK(acre_contacts_update(contacts, NULL, NULL, NULL) == invalid);
    CHECK(acre_contacts_update(contacts, NULL, tree, NULL) == invalid);
    CHECK(acre_contacts_update(contacts, tree, tree, NULL) == invalid);
    CHECK(acre_contacts_update(contacts, tree, NULL, &unknown) == invalid);
    CHECK(acre_contacts_update(contacts, tree, other, &unknown) == invalid);
    CHECK(are_kept(contacts, &kept));
    if (ACRE_CHECK >= 1) {
        CHECK(access_begin_write(&other->access));
        CHECK(acre_contacts_update(contacts, other, NULL, NULL) == ACRE_ERROR_BUSY);
        CHECK(acre_contacts_update(contacts, tree, other, NULL) == ACRE_ERROR_BUSY);
        access_end_write(&other->access);
        CHECK(are_kept(contacts, &kept));
    }
    lists = acre_contacts_get(NULL);
    CHECK(!lists.now && !lists.began && !lists.ended && lists.bytes == 0);
    CHECK(lists.now_count == 0 && lists.began_count == 0 && lists.ended_count == 0);
    acre_contacts_destroy(NULL);
    acre_contacts_destroy(contacts);
    drop_lists(&kept);
    acre_quadtree_destroy(tree);
    acre_quadtree_destroy(other);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(began_and_ended_lead_from_each_step_to_the_next),
        TEST(the_memory_of_a_tracker_stops_growing),
        TEST(one_update_makes_room_for_all_that_have_no_more_pairs),
        TEST(what_ended_and_what_began_again_add_up_over_a_period),
        TEST(lists_are_sorted_whatever_the_numbers),
        TEST(an_update_without_memory_leaves_the_lists_as_before),
        TEST(a_tracker_without_memory_is_none),
        TEST(what_cannot_be_followed_is_refused_and_the_lists_stay),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
