// SPDX-License-Identifier: MIT
// test_record.c - recordings of a tree's calls: replayed, damaged, cut short, printed.
#include "failing_allocator.h"
#include "record_scenario.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void a_replay_makes_the_same_tree_from_the_same_calls(void)
{
    for (uint32_t round = 0; round < 20; round++) {
        recording recorded = {0};
        uint64_t state_hash;
        acre_record_report report;
        CHECK(record_scenario(&recorded, test_seed + round, 2000, &state_hash));
        CHECK(acre_record_replay(recorded.bytes, recorded.size, NULL, &report) == ACRE_OK);
        CHECK(report.message[0] == '\0');
        CHECK(report.calls == 2000 || report.calls > 1800); // an uncalled clear is no call
        CHECK(report.state_hash == state_hash);
        recording_free(&recorded);
    }
}

static void a_recording_may_start_with_a_full_tree(void)
{
    recording recorded = {0};
    acre_quadtree *tree;
    acre_recorder recorder;
    acre_record_report report;
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.node_capacity = 4}, &tree) == ACRE_OK);
    record_edits(tree, test_seed, 900);
    CHECK(acre_recorder_begin(&recorder, tree, recording_write, &recorded) == ACRE_OK);
    record_edits(tree, test_seed + 1, 300);
    const uint64_t content = acre_quadtree_content_hash(tree);
    CHECK(acre_recorder_end(&recorder) == ACRE_OK);
    record_edits(tree, test_seed + 2, 100); // not heard any more
    CHECK(acre_record_replay(recorded.bytes, recorded.size, NULL, &report) == ACRE_OK);
    CHECK(report.content_hash == content);
    acre_quadtree_destroy(tree);
    recording_free(&recorded);
}

static void recording_changes_no_answer(void)
{
    acre_quadtree *alone, *recorded_tree;
    recording recorded = {0};
    acre_recorder recorder;
    const acre_quadtree_def def = {.node_capacity = 4};
    CHECK(acre_quadtree_create(&def, &alone) == ACRE_OK);
    CHECK(acre_quadtree_create(&def, &recorded_tree) == ACRE_OK);
    CHECK(acre_recorder_begin(&recorder, recorded_tree, recording_write, &recorded) == ACRE_OK);
    record_edits(alone, test_seed, 3000);
    record_edits(recorded_tree, test_seed, 3000);
    CHECK(acre_quadtree_state_hash(alone) == acre_quadtree_state_hash(recorded_tree));
    CHECK(acre_recorder_end(&recorder) == ACRE_OK);
    acre_quadtree_destroy(alone);
    acre_quadtree_destroy(recorded_tree);
    recording_free(&recorded);
}

static void a_recording_cut_anywhere_is_read_up_to_there(void)
{
    recording recorded = {0};
    uint64_t state_hash;
    acre_record_report report;
    size_t whole = 0, broken = 0, calls = 0;
    CHECK(record_scenario(&recorded, test_seed, 60, &state_hash));
    for (size_t size = 0; size < recorded.size; size++) {
        unsigned char *const part = malloc(size + 1); // its end is guarded in sanitizer builds
        memcpy(part, recorded.bytes, size);
        const acre_result result = acre_record_replay(part, size, NULL, &report);
        free(part);
        CHECK(result == ACRE_OK || result == ACRE_ERROR_FORMAT);
        CHECK((result == ACRE_OK) == (report.message[0] == '\0'));
        CHECK(report.calls >= calls && report.offset <= size);
        calls = report.calls;
        whole += result == ACRE_OK;
        broken += result == ACRE_ERROR_FORMAT;
    }
    CHECK(whole == calls + 1 && broken > 500);
    recording_free(&recorded);
}

// A damaged count may ask for gigabytes: the program decides what it gives.
static void *give_little(void *user, void *block, size_t old_size, size_t new_size,
                         size_t alignment)
{
    (void)user;
    return new_size > 4u << 20 ? NULL : acre_resize(NULL, block, old_size, new_size, alignment);
}

static void damage_is_told_and_never_crashes(void)
{
    const acre_allocator little = {give_little, NULL};
    recording recorded = {0};
    uint64_t state_hash;
    acre_record_report report;
    test_random random = {test_seed};
    size_t told = 0;
    CHECK(record_scenario(&recorded, test_seed, 60, &state_hash));
    for (uint32_t round = 0; round < 2000 * test_scale; round++) {
        const size_t at = random_bits(&random) % recorded.size;
        const unsigned char before = recorded.bytes[at];
        recorded.bytes[at] ^= (unsigned char)(1u << random_below(&random, 8));
        const acre_result result =
            acre_record_replay(recorded.bytes, recorded.size, &little, &report);
        CHECK(result == ACRE_OK || result == ACRE_ERROR_FORMAT || result == ACRE_ERROR_NOT_FOUND ||
              result == ACRE_ERROR_OUT_OF_MEMORY);
        told += result != ACRE_OK;
        recorded.bytes[at] = before;
    }
    CHECK(told > 200); // a plane's last bit, say, need not change any answer
    recording_free(&recorded);
}

// What a recording says of an outcome is what a replay compares.
static void a_wrong_outcome_is_named_with_byte_and_call(void)
{
    const acre_aabb box = {{1, 2, 3}, {4, 5, 6}};
    recording recorded = {0};
    acre_quadtree *tree;
    acre_recorder recorder;
    acre_record_report report;
    uint32_t found[4];
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    CHECK(acre_recorder_begin(&recorder, tree, recording_write, &recorded) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 3, &box) == ACRE_OK);
    CHECK(acre_quadtree_query_aabb(tree, &box, found, 4) == 1);
    CHECK(acre_recorder_end(&recorder) == ACRE_OK);
    acre_quadtree_destroy(tree);
    const size_t insert = 8 + 6 * 4, query = insert + 1 + 4 + 24 + 1;
    const size_t total = query + 1 + 24 + 1 + 8, set = total + 8, content = set + 8 + 1;
    CHECK(recorded.size == content + 8);
    const struct {
        size_t at, offset, calls;
        const char *text;
    } damages[] = {
        {query - 1, insert, 0, "insert: result"},
        {total, query, 1, "query_aabb: found: recorded 5, now 1"},
        {set, query, 1, "query_aabb: set of items"},
        {content, recorded.size - 9, 2, "content"},
        {insert + 1, query, 1, "query_aabb: set of items"}, // another item
    };
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        recorded.bytes[damages[i].at] ^= 4;
        CHECK(acre_record_replay(recorded.bytes, recorded.size, NULL, &report) ==
              ACRE_ERROR_NOT_FOUND);
        CHECK(report.offset == damages[i].offset && report.calls == damages[i].calls);
        CHECK(strstr(report.message, damages[i].text));
        recorded.bytes[damages[i].at] ^= 4;
    }
    recording_free(&recorded);
}

static void a_full_disk_ends_the_recording_and_not_the_program(void)
{
    for (size_t limit = 1; limit < 6000; limit += 97) {
        recording recorded = {.limit = limit};
        acre_quadtree *tree;
        acre_recorder recorder;
        CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
        CHECK(acre_recorder_begin(&recorder, tree, recording_write, &recorded) == ACRE_OK);
        record_edits(tree, test_seed, 2000);
        CHECK(acre_recorder_end(&recorder) == ACRE_ERROR_IO);
        CHECK(acre_recorder_end(&recorder) == ACRE_ERROR_IO);
        CHECK(recorded.size <= limit);
        CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
        acre_quadtree_destroy(tree);
        recording_free(&recorded);
    }
}

static void a_replay_without_memory_says_so_and_leaks_nothing(void)
{
    recording recorded = {0};
    uint64_t state_hash;
    acre_record_report report;
    CHECK(record_scenario(&recorded, test_seed, 200, &state_hash));
    bool is_done = false;
    uint64_t failures = 0;
    for (uint64_t k = 1; !is_done; k++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_ONCE, k);
        const acre_result result =
            acre_record_replay(recorded.bytes, recorded.size, &memory.allocator, &report);
        is_done = memory.failed == 0;
        failures += result == ACRE_ERROR_OUT_OF_MEMORY;
        // A tree may do without memory that it only wanted, and answer as if nothing had been.
        CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
        CHECK(failing_allocator_verdict(&memory) == NULL);
        CHECK(!is_done || result == ACRE_OK);
    }
    CHECK(failures > 5);
    recording_free(&recorded);
}

static void what_is_no_recording_is_refused(void)
{
    acre_record_report report;
    acre_recorder recorder;
    acre_quadtree *tree;
    recording out = {0};
    CHECK(acre_record_replay("", 0, NULL, &report) == ACRE_ERROR_FORMAT);
    CHECK(acre_record_replay("acreqt", 6, NULL, &report) == ACRE_ERROR_FORMAT);
    CHECK(acre_record_replay(NULL, 0, NULL, &report) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_record_replay("", 0, NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_record_print("acre", 4, NULL, recording_write, &out) == ACRE_ERROR_FORMAT);
    CHECK(acre_record_print(NULL, 4, NULL, recording_write, &out) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    CHECK(acre_recorder_begin(NULL, tree, recording_write, &out) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_recorder_begin(&recorder, NULL, recording_write, &out) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_recorder_begin(&recorder, tree, NULL, &out) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_recorder_end(&recorder) == ACRE_OK); // nothing had begun
    CHECK(acre_recorder_end(NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_quadtree_destroy(tree);
    recording_free(&out);
}

static void printing_stops_where_nothing_can_be_written(void)
{
    recording recorded = {0}, text = {0};
    uint64_t state_hash;
    CHECK(record_scenario(&recorded, test_seed, 40, &state_hash));
    CHECK(acre_record_print(recorded.bytes, recorded.size, NULL, recording_write, &text) ==
          ACRE_OK);
    CHECK(text.size > 2000);
    const size_t size = text.size;
    recording_free(&text);
    for (size_t limit = 1; limit < size; limit += 211) {
        text = (recording){.limit = limit};
        CHECK(acre_record_print(recorded.bytes, recorded.size, NULL, recording_write, &text) ==
              ACRE_ERROR_IO);
        recording_free(&text);
    }
    recording_free(&recorded);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(a_replay_makes_the_same_tree_from_the_same_calls),
        TEST(a_recording_may_start_with_a_full_tree),
        TEST(recording_changes_no_answer),
        TEST(a_recording_cut_anywhere_is_read_up_to_there),
        TEST(damage_is_told_and_never_crashes),
        TEST(a_wrong_outcome_is_named_with_byte_and_call),
        TEST(a_full_disk_ends_the_recording_and_not_the_program),
        TEST(a_replay_without_memory_says_so_and_leaks_nothing),
        TEST(what_is_no_recording_is_refused),
        TEST(printing_stops_where_nothing_can_be_written),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
