// SPDX-License-Identifier: MIT
// test_record.c - recordings of a tree's calls: replayed, damaged, cut short, printed.
#include "failing_allocator.h"
#include "quadtree_pieces_shared.h"
#include "record_scenario.h"
#include "test.h"

#include <acre/quadtree_pairs.h>

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

typedef struct watcher {
    const acre_record_report *report; // that of the replay
    size_t asked, last_offset, limit;
    bool is_wrong; // a report was not that of the call before
} watcher;

// Ends the replay after `limit` calls.
static bool count_calls(void *context, const acre_record_report *report)
{
    watcher *const seen = context;
    seen->is_wrong |= report != seen->report || report->calls != seen->asked ||
                      report->offset <= seen->last_offset || report->message[0] != '\0';
    seen->last_offset = report->offset;
    return seen->asked++ < seen->limit;
}

static void a_watch_is_asked_before_each_call_and_after_the_last(void)
{
    recording recorded = {0};
    uint64_t state_hash;
    acre_record_report all, watched;
    CHECK(record_scenario(&recorded, test_seed, 300, &state_hash));
    CHECK(acre_record_replay(recorded.bytes, recorded.size, NULL, &all) == ACRE_OK);
    watcher seen = {.report = &watched, .limit = SIZE_MAX};
    CHECK(acre_record_replay_watched(recorded.bytes, recorded.size, NULL, count_calls, &seen,
                                     &watched, NULL) == ACRE_OK);
    CHECK(!seen.is_wrong && seen.asked == all.calls + 1 && watched.calls == all.calls);
    CHECK(watched.offset == all.offset && watched.state_hash == state_hash);
    CHECK(acre_record_replay_watched(recorded.bytes, recorded.size, NULL, NULL, NULL, &watched,
                                     NULL) == ACRE_OK);
    CHECK(watched.calls == all.calls && watched.state_hash == state_hash);
    recording_free(&recorded);
}

// Parts of growing length: the tree of each is a whole tree, and that of all calls is the last.
static void a_watch_that_ends_the_replay_gets_the_tree_as_it_was_then(void)
{
    recording recorded = {0};
    uint64_t state_hash;
    acre_record_report all, part;
    acre_quadtree *tree;
    CHECK(record_scenario(&recorded, test_seed, 600, &state_hash));
    CHECK(acre_record_replay(recorded.bytes, recorded.size, NULL, &all) == ACRE_OK);
    for (size_t limit = 0; limit <= all.calls + 50; limit += 50) {
        watcher seen = {.report = &part, .limit = limit};
        CHECK(acre_record_replay_watched(recorded.bytes, recorded.size, NULL, count_calls, &seen,
                                         &part, &tree) == ACRE_OK);
        CHECK(part.calls == (limit < all.calls ? limit : all.calls));
        CHECK(!seen.is_wrong && seen.asked == part.calls + 1);
        CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
        CHECK(acre_quadtree_state_hash(tree) == part.state_hash);
        CHECK(part.calls < all.calls || part.state_hash == state_hash);
        acre_quadtree_destroy(tree);
    }
    CHECK(acre_record_replay_watched(recorded.bytes, 3, NULL, NULL, NULL, &part, &tree) ==
          ACRE_ERROR_FORMAT);
    CHECK(!tree && part.message[0]);
    CHECK(acre_record_replay_watched(NULL, 3, NULL, NULL, NULL, &part, &tree) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    recording_free(&recorded);
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
        CHECK(result == ACRE_OK || result == ACRE_ERROR_FORMAT || result == ACRE_ERROR_DIFFERS ||
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
              ACRE_ERROR_DIFFERS);
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

// ---- queries ----

enum { HOUSES = 64 };

// A tree of boxes on a grid, recorded from its first call.
typedef struct grid_recording {
    acre_quadtree *tree;
    acre_recorder recorder;
    recording recorded;
    size_t query; // where the first call after the inserts begins
} grid_recording;

static void grid_begin(grid_recording *grid)
{
    *grid = (grid_recording){.tree = NULL};
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.node_capacity = 4}, &grid->tree) == ACRE_OK);
    CHECK(acre_recorder_begin(&grid->recorder, grid->tree, recording_write, &grid->recorded) ==
          ACRE_OK);
    for (uint32_t i = 0; i < HOUSES; i++) {
        const float x = 10.0f * (float)(i % 8), z = 10.0f * (float)(i / 8);
        const acre_aabb box = {{x, 0, z}, {x + 4, 6, z + 4}};
        CHECK(acre_quadtree_insert(grid->tree, i, &box) == ACRE_OK);
    }
    grid->query = 8 + 6 * 4 + HOUSES * (size_t)(1 + 4 + 24 + 1);
}

static acre_result grid_replay(const grid_recording *grid, acre_record_report *report)
{
    return acre_record_replay(grid->recorded.bytes, grid->recorded.size, NULL, report);
}

static void grid_end(grid_recording *grid)
{
    acre_quadtree_destroy(grid->tree);
    recording_free(&grid->recorded);
}

static const float point[3] = {21, 1, 22};
static const acre_aabb box = {{8, 0, 8}, {31, 1, 31}};
static const acre_sphere sphere = {{35, 2, 35}, 12};
static const acre_circle circle = {{35, 35}, 12};
static const acre_capsule capsule = {{5, 1, 5}, {60, 1, 70}, 3};
static const acre_cone cone = {{-5, 5, -5}, {1, 0, 1}, 60, 0.3f};
static const acre_oriented_box oriented = {
    {35, 0, 35}, {25, 5, 4}, {{0.8f, 0, 0.6f}, {0, 1, 0}, {-0.6f, 0, 0.8f}}};
static const acre_ray ray = {{-5, 3, -5}, {1, 0, 1}, 70, {1, 1, 1}};
static const acre_frustum wedge = {{{0.8f, 0, -0.6f, 0}, {-0.6f, 0, 0.8f, 0}}, 2};
static const acre_frustum half = {{{1, 0, 0, -35}}, 1};

// A query of every shape; each finds some of the boxes and not all, but for that which takes all.
static acre_query query_of(acre_query_shape shape)
{
    return (acre_query){.shape = shape,
                        .frustum = &wedge,
                        .box = &box,
                        .point = point,
                        .sphere = &sphere,
                        .circle = &circle,
                        .capsule = &capsule,
                        .cone = &cone,
                        .oriented_box = &oriented,
                        .ray = &ray};
}

// The last call of a recording ends with its total and the hash of its set, before the end.
static void check_damage(grid_recording *grid, size_t from_end, const char *text)
{
    acre_record_report report;
    unsigned char *const byte = grid->recorded.bytes + grid->recorded.size - 9 - from_end;
    *byte ^= 1;
    CHECK(grid_replay(grid, &report) == ACRE_ERROR_DIFFERS);
    CHECK(strstr(report.message, text) && report.offset == grid->query);
    *byte ^= 1;
}

static void check_recorded_query(const acre_query *query, bool is_nearest, size_t capacity)
{
    grid_recording grid;
    acre_record_report report;
    uint32_t found[HOUSES];
    acre_query_hit hits[HOUSES];
    size_t total = 0;
    grid_begin(&grid);
    if (is_nearest) {
        CHECK(acre_quadtree_query_nearest(grid.tree, query, hits, capacity, &total) == ACRE_OK);
    } else {
        CHECK(acre_quadtree_query(grid.tree, query, found, capacity, &total) == ACRE_OK);
    }
    CHECK(total > 0 && (total < HOUSES || query->shape == ACRE_QUERY_SHAPE_ALL));
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.message[0] == '\0');
    CHECK(report.calls == HOUSES + 1);
    check_damage(&grid, 16, ": found");
    if (total <= capacity && !(query->flags & ACRE_QUERY_STOP_WHEN_FULL)) {
        check_damage(&grid, 8, ": set of items");
    }
    grid_end(&grid);
}

static void every_shape_is_recorded(void)
{
    for (int shape = ACRE_QUERY_SHAPE_FRUSTUM; shape <= ACRE_QUERY_SHAPE_RAY; shape++) {
        acre_query query = query_of((acre_query_shape)shape);
        check_recorded_query(&query, false, HOUSES);
        query.flags = ACRE_QUERY_SORTED | ACRE_QUERY_EXACT;
        check_recorded_query(&query, false, 0);
        query.layers = 5;
        check_recorded_query(&query, false, HOUSES);
    }
    acre_query query = query_of(ACRE_QUERY_SHAPE_ALL);
    query.exclude = &half;
    check_recorded_query(&query, false, HOUSES);
    query.flags = ACRE_QUERY_EXCLUDE_TOUCHING;
    check_recorded_query(&query, false, HOUSES);
}

static void nearest_items_are_recorded(void)
{
    const acre_aabb origin = {{33, 1, 33}, {34, 1, 34}};
    for (int shape = ACRE_QUERY_SHAPE_FRUSTUM; shape <= ACRE_QUERY_SHAPE_RAY; shape++) {
        acre_query query = query_of((acre_query_shape)shape);
        query.origin = shape == ACRE_QUERY_SHAPE_RAY ? NULL : &origin;
        check_recorded_query(&query, true, HOUSES);
        check_recorded_query(&query, true, 1);
        query.max_distance = shape == ACRE_QUERY_SHAPE_RAY ? 40.0f : 20.0f;
        check_recorded_query(&query, true, HOUSES);
    }
}

static bool stop(void *user, const uint32_t *items, size_t count)
{
    *(size_t *)user += count;
    (void)items;
    return false;
}

// How far a part of an answer goes depends on the tree's inside, so that it is not compared.
static void parts_of_answers_are_recorded(void)
{
    grid_recording grid;
    acre_record_report report;
    uint32_t found[HOUSES];
    size_t total = 0;
    acre_query query = query_of(ACRE_QUERY_SHAPE_ALL);
    grid_begin(&grid);
    CHECK(acre_quadtree_query_visit(grid.tree, &query, stop, &total) == ACRE_OK && total > 0);
    query.flags = ACRE_QUERY_STOP_WHEN_FULL;
    CHECK(acre_quadtree_query(grid.tree, &query, found, 5, &total) == ACRE_OK && total == 5);
    query.shape = ACRE_QUERY_SHAPE_SPHERE;
    CHECK(acre_quadtree_query(grid.tree, &query, found, HOUSES, &total) == ACRE_OK);
    CHECK(total > 0 && total < HOUSES);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.calls == HOUSES + 3);
    grid_end(&grid);
    check_recorded_query(&query, false, 3);
}

static bool stop_at_hit(void *user, const acre_query_hit *hit)
{
    *(uint32_t *)user = hit->item;
    return false;
}

// The nearest that were visited, that were added to those of another tree, and that were counted.
static void parts_of_the_nearest_are_recorded(void)
{
    grid_recording grid;
    acre_record_report report;
    acre_query_hit hits[2] = {{HOUSES + 1, 3}, {0, 0}};
    const acre_aabb origin = {{31, 0, 42}, {31, 0, 42}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &origin, .max_distance = 25};
    uint32_t first = HOUSES;
    size_t count = 1, total = 0;
    grid_begin(&grid);
    CHECK(acre_quadtree_query_visit_nearest(grid.tree, &query, stop_at_hit, &first) == ACRE_OK);
    CHECK(first < HOUSES);
    CHECK(acre_quadtree_add_nearest(grid.tree, &query, hits, 2, &count) == ACRE_OK && count == 2);
    CHECK(acre_quadtree_query_nearest(grid.tree, &query, NULL, 0, &total) == ACRE_OK);
    CHECK(total > 2 && total < HOUSES);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.calls == HOUSES + 3);
    grid_end(&grid);
}

// ---- pairs ----

// Every second house and the one eight further on get a box that lies on both.
static void lay_beams(grid_recording *grid)
{
    for (uint32_t i = 0; i < HOUSES - 8; i += 2) {
        const float x = 10.0f * (float)(i % 8), z = 10.0f * (float)(i / 8);
        const acre_aabb beam = {{x, 6, z}, {x + 4, 7, z + 14}};
        CHECK(acre_quadtree_insert(grid->tree, HOUSES + i, &beam) == ACRE_OK);
        grid->query += 1 + 4 + 24 + 1;
    }
}

static void check_recorded_pairs(const acre_pairs_rules *rules, size_t capacity, size_t expected)
{
    static acre_pair pairs[4 * HOUSES];
    grid_recording grid;
    acre_record_report report;
    size_t total = 0;
    grid_begin(&grid);
    lay_beams(&grid);
    CHECK(acre_quadtree_pairs(grid.tree, rules, pairs, capacity, &total) == ACRE_OK);
    CHECK(total == expected);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.message[0] == '\0');
    CHECK(report.calls == HOUSES + HOUSES / 2 - 4 + 1);
    check_damage(&grid, 16, ": found");
    if (total <= capacity && total > 0) { // damaged, the hash of nothing is none
        check_damage(&grid, 8, ": set of pairs");
    }
    grid_end(&grid);
}

static void pairs_are_recorded_with_their_rules(void)
{
    static const uint32_t meets[32] = {0}; // nobody meets anybody
    const acre_pairs_rules ground = {.flags = ACRE_PAIRS_ON_GROUND};
    const acre_pairs_rules inside = {.flags = ACRE_PAIRS_NOT_TOUCHING};
    const acre_pairs_rules strangers = {.meets = meets};
    const size_t beams = HOUSES / 2 - 4;
    const size_t neighbors = beams - 4; // beams of one column overlap at their ends
    check_recorded_pairs(NULL, 4 * HOUSES, 2 * beams + neighbors);
    check_recorded_pairs(NULL, 3, 2 * beams + neighbors);
    check_recorded_pairs(&ground, 4 * HOUSES, 2 * beams + neighbors);
    check_recorded_pairs(&inside, 4 * HOUSES, neighbors);
    check_recorded_pairs(&strangers, 4 * HOUSES, 0);
}

static void pairs_of_an_item_and_contacts_are_recorded(void)
{
    grid_recording grid;
    acre_record_report report;
    acre_contacts *contacts;
    uint32_t found[HOUSES];
    size_t total = 0;
    const acre_pairs_rules inside = {.flags = ACRE_PAIRS_NOT_TOUCHING};
    CHECK(acre_contacts_create(NULL, &contacts) == ACRE_OK);
    grid_begin(&grid);
    lay_beams(&grid);
    CHECK(acre_contacts_update(contacts, grid.tree, NULL, NULL) == ACRE_OK);
    CHECK(acre_quadtree_item_pairs(grid.tree, 999, NULL, found, HOUSES, &total) ==
          ACRE_ERROR_NOT_FOUND);
    CHECK(acre_quadtree_item_pairs(grid.tree, HOUSES, NULL, found, HOUSES, &total) == ACRE_OK);
    CHECK(total == 3); // two houses and a beam
    CHECK(acre_quadtree_item_pairs(grid.tree, HOUSES, &inside, found, HOUSES, &total) == ACRE_OK);
    CHECK(total == 1);
    CHECK(acre_quadtree_item_pairs(grid.tree, 9, NULL, found, HOUSES, &total) == ACRE_OK);
    CHECK(total == 0);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.message[0] == '\0');
    CHECK(report.calls == HOUSES + HOUSES / 2 - 4 + 5);
    unsigned char *const set = grid.recorded.bytes + grid.recorded.size - 9 - 8;
    *set ^= 2;
    CHECK(grid_replay(&grid, &report) == ACRE_ERROR_DIFFERS);
    CHECK(strstr(report.message, "item_pairs: set of items"));
    *set ^= 2;
    grid.recorded.bytes[7] = 2; // a version that knows no pairs
    CHECK(grid_replay(&grid, &report) == ACRE_ERROR_FORMAT && report.offset == grid.query);
    acre_contacts_destroy(contacts);
    grid_end(&grid);
}

// ---- versions ----

// The third version is the fourth with another content hash, which is not compared.
static void the_third_version_is_read_without_its_content_hash(void)
{
    grid_recording grid;
    acre_record_report report;
    grid_begin(&grid);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    grid.recorded.bytes[grid.recorded.size - 1] ^= 1;
    CHECK(grid_replay(&grid, &report) == ACRE_ERROR_DIFFERS && report.calls == HOUSES);
    CHECK(strstr(report.message, "content differs"));
    grid.recorded.bytes[7] = 3;
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.calls == HOUSES);
    grid_end(&grid);
}

// Without pairs, batches of layers and the content hash the fifth version is the second.
static void the_second_version_is_read(void)
{
    grid_recording grid;
    acre_record_report report;
    uint32_t found[HOUSES];
    size_t total = 0;
    grid_begin(&grid);
    const acre_query query = query_of(ACRE_QUERY_SHAPE_SPHERE);
    CHECK(acre_quadtree_query(grid.tree, &query, found, HOUSES, &total) == ACRE_OK);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    grid.recorded.bytes[7] = 2;
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.calls == HOUSES + 1);
    grid_end(&grid);
}

// The fourth version has no batches of layers.
static void the_fourth_version_is_read(void)
{
    grid_recording grid;
    acre_record_report report;
    const uint32_t items[] = {3, 4}, layers[] = {8, 0};
    grid_begin(&grid);
    CHECK(acre_quadtree_set_layers_many(grid.tree, items, layers, 2) == ACRE_OK);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.calls == HOUSES + 1);
    grid.recorded.bytes[7] = 4;
    CHECK(grid_replay(&grid, &report) == ACRE_ERROR_FORMAT && report.calls == HOUSES);
    grid_end(&grid);
    grid_begin(&grid);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    grid.recorded.bytes[7] = 4;
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.calls == HOUSES);
    grid_end(&grid);
}

// The first version's queries are the second's without the byte that stands behind the volume.
static void the_first_version_is_read(void)
{
    grid_recording grid;
    acre_record_report report;
    uint32_t found[HOUSES];
    size_t total = 0;
    grid_begin(&grid);
    acre_query query = query_of(ACRE_QUERY_SHAPE_AABB);
    CHECK(acre_quadtree_query(grid.tree, &query, found, HOUSES, &total) == ACRE_OK);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    unsigned char *const bytes = grid.recorded.bytes;
    const size_t parts = grid.query + 1 + 1 + 4 + 4 + 24;
    CHECK(bytes[7] == 5 && bytes[parts] == 0);
    memmove(bytes + parts, bytes + parts + 1, grid.recorded.size - parts - 1);
    grid.recorded.size--;
    CHECK(grid_replay(&grid, &report) == ACRE_ERROR_FORMAT);
    bytes[7] = 1;
    CHECK(grid_replay(&grid, &report) == ACRE_OK && report.calls == HOUSES + 1);
    bytes[grid.query + 1] = ACRE_QUERY_SHAPE_SPHERE; // not in the first version
    CHECK(grid_replay(&grid, &report) == ACRE_ERROR_FORMAT && report.calls == HOUSES);
    grid_end(&grid);
}

static void other_versions_are_refused_by_name(void)
{
    grid_recording grid;
    acre_record_report report;
    grid_begin(&grid);
    CHECK(acre_recorder_end(&grid.recorder) == ACRE_OK);
    grid.recorded.bytes[7] = 6;
    CHECK(grid_replay(&grid, &report) == ACRE_ERROR_FORMAT);
    CHECK(strcmp(report.message, "byte 7: version 6 of a recording; this library reads 1 to 5") ==
          0);
    grid.recorded.bytes[7] = 0;
    CHECK(grid_replay(&grid, &report) == ACRE_ERROR_FORMAT);
    CHECK(strstr(report.message, "not a recording"));
    grid_end(&grid);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(a_replay_makes_the_same_tree_from_the_same_calls),
        TEST(a_watch_is_asked_before_each_call_and_after_the_last),
        TEST(a_watch_that_ends_the_replay_gets_the_tree_as_it_was_then),
        TEST(a_recording_may_start_with_a_full_tree),
        TEST(recording_changes_no_answer),
        TEST(a_recording_cut_anywhere_is_read_up_to_there),
        TEST(damage_is_told_and_never_crashes),
        TEST(a_wrong_outcome_is_named_with_byte_and_call),
        TEST(a_full_disk_ends_the_recording_and_not_the_program),
        TEST(a_replay_without_memory_says_so_and_leaks_nothing),
        TEST(printing_stops_where_nothing_can_be_written),
        TEST(every_shape_is_recorded),
        TEST(nearest_items_are_recorded),
        TEST(parts_of_answers_are_recorded),
        TEST(parts_of_the_nearest_are_recorded),
        TEST(pairs_are_recorded_with_their_rules),
        TEST(pairs_of_an_item_and_contacts_are_recorded),
        TEST(the_first_version_is_read),
        TEST(the_second_version_is_read),
        TEST(the_third_version_is_read_without_its_content_hash),
        TEST(the_fourth_version_is_read),
        TEST(other_versions_are_refused_by_name),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
