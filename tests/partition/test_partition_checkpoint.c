// SPDX-License-Identifier: MIT
// test_partition_checkpoint.c - worlds that end in files and begin again, with as many parts or
// others; files that are broken, mixed or foreign.
#include "failing_allocator.h"
#include "partition_internal.h"
#include "parts_stream.h"

#include <acre/partition_checkpoint.h>

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300, PARTS_MOST = 7, LIFE_BYTES = 13, TICK = 20 };

// What goes with an item: its number, and a byte for each of its last ticks.
typedef unsigned char life[LIFE_BYTES];

typedef struct file {
    unsigned char *bytes;
    size_t size, capacity;
    size_t writes_left; // until one fails
} file;

typedef struct world_part {
    acre_partition *part;
    life *lives; // by slot
    size_t capacity;
} world_part;

typedef struct world {
    parts_stream stream;
    world_part parts[PARTS_MOST];
    uint32_t count;
} world;

// ---- a world ----

static bool reserve_lives(void *user, size_t slots)
{
    world_part *const w = user;
    if (slots > w->capacity) {
        life *const lives = realloc(w->lives, 2 * slots * sizeof *lives);
        w->lives = lives ? lives : w->lives;
        w->capacity = lives ? 2 * slots : w->capacity;
        return lives != NULL;
    }
    return true;
}

static void pack_life(void *user, uint32_t slot, bool is_migrant, unsigned char *bytes)
{
    if (is_migrant) {
        memcpy(bytes, ((world_part *)user)->lives[slot], LIFE_BYTES);
    }
}

static void unpack_life(void *user, uint32_t slot, bool is_migrant, const unsigned char *bytes)
{
    if (is_migrant) {
        memcpy(((world_part *)user)->lives[slot], bytes, LIFE_BYTES);
    }
}

static acre_partition_def def_of(world *w, uint32_t index)
{
    acre_partition_def def = stream_def(&w->stream, index, w->count);
    def.data = (acre_partition_data){LIFE_BYTES, 0,           reserve_lives,
                                     pack_life,  unpack_life, &w->parts[index]};
    return def;
}

static void close_world(world *w)
{
    for (uint32_t i = 0; w && i < w->count; i++) {
        acre_partition_destroy(w->parts[i].part);
        free(w->parts[i].lives);
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
        const acre_partition_def def = def_of(w, i);
        is_good = acre_partition_create(&def, &w->parts[i].part) == ACRE_OK;
    }
    if (!is_good) {
        close_world(w);
    }
    return is_good ? w : NULL;
}

static acre_result exchange(const world *w)
{
    acre_partition *parts[PARTS_MOST];
    for (uint32_t i = 0; i < w->count; i++) {
        parts[i] = w->parts[i].part;
    }
    return acre_partition_exchange(parts, w->count);
}

// New items have no life yet; each tick is a byte of it.
static void live(world *w, uint32_t tick)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const acre_partition_slots slots = acre_partition_get_slots(w->parts[i].part);
        const acre_quadtree *const tree = acre_partition_tree(w->parts[i].part);
        for (size_t slot = 0; slot < slots.count; slot++) {
            if (slots.kinds[slot] == ACRE_SLOT_OWN) {
                unsigned char *const bytes = w->parts[i].lives[slot];
                if (!acre_quadtree_contains(tree, (uint32_t)slot)) { // it was added in this tick
                    memset(bytes, 0, LIFE_BYTES);
                    memcpy(bytes, &slots.numbers[slot], 8);
                }
                bytes[8 + tick % (LIFE_BYTES - 8)] += (unsigned char)(tick + 1);
            }
        }
    }
}

static acre_result run_ticks(world *w, uint32_t from, uint32_t to)
{
    acre_result result = ACRE_OK;
    for (uint32_t tick = from; tick < to && result == ACRE_OK; tick++) {
        for (uint32_t i = 0; i < w->count && result == ACRE_OK; i++) {
            const stream_part part = {.part = w->parts[i].part, .index = i, .count = w->count};
            result =
                tick == 0 ? stream_fill(&w->stream, &part) : stream_move(&w->stream, &part, tick);
        }
        live(w, tick);
        result = result == ACRE_OK ? exchange(w) : result;
    }
    return result;
}

// Boxes, numbers and lives, whatever the number of parts.
static uint64_t hash_of(const world *w)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const acre_partition_slots slots = acre_partition_get_slots(w->parts[i].part);
        sum += acre_partition_content_hash(w->parts[i].part);
        for (size_t slot = 0; slot < slots.count; slot++) {
            uint64_t hash = slots.kinds[slot] == ACRE_SLOT_OWN ? 1 : 0;
            for (int k = 0; k < LIFE_BYTES && hash != 0; k++) {
                hash = (hash ^ w->parts[i].lives[slot][k]) * 0x100000001b3u;
            }
            sum += hash;
        }
    }
    return sum;
}

static bool is_valid(const world *w)
{
    bool is_good = true;
    for (uint32_t i = 0; i < w->count; i++) {
        is_good = is_good && acre_partition_validate(w->parts[i].part, NULL, 0) == ACRE_OK;
    }
    return is_good;
}

// ---- files ----

static bool write_file(void *context, const void *bytes, size_t size)
{
    file *const f = context;
    if (f->writes_left-- == 0) {
        return false;
    }
    if (f->size + size > f->capacity) {
        f->capacity = 2 * (f->size + size);
        unsigned char *const grown = realloc(f->bytes, f->capacity);
        if (!grown) {
            return false;
        }
        f->bytes = grown;
    }
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
    return true;
}

static file save(const world *w, uint32_t index, uint64_t tick)
{
    file f = {.writes_left = SIZE_MAX};
    if (acre_partition_save(w->parts[index].part, w->stream.seed, tick, write_file, &f) !=
        ACRE_OK) {
        f.size = 0;
    }
    return f;
}

// A world of `count` parts from the files of another one.
static world *begin_again(const world *old, const file *files, uint32_t count)
{
    world *const w = open_world(count, old->stream.is_periodic);
    bool is_good = w != NULL;
    for (uint32_t i = 0; i < old->count && is_good; i++) {
        acre_partition *const part = w->parts[(i + 1) % count].part;
        is_good = acre_partition_load(part, files[i].bytes, files[i].size) == ACRE_OK;
    }
    uint32_t firsts[PARTS_MOST];
    for (uint32_t i = 0; i < count && is_good && count == old->count; i++) {
        is_good =
            acre_checkpoint_get_cut(files[i].bytes, files[i].size, firsts, PARTS_MOST) == ACRE_OK &&
            acre_partition_set_cut(w->parts[i].part, firsts) == ACRE_OK;
    }
    if (!is_good || exchange(w) != ACRE_OK) {
        close_world(w);
        return NULL;
    }
    return w;
}

static bool check_restart(uint32_t from, uint32_t to, bool is_periodic)
{
    world *const w = open_world(from, is_periodic);
    bool is_good = w && run_ticks(w, 0, TICK) == ACRE_OK;
    file files[PARTS_MOST] = {{0}};
    acre_checkpoint headers[PARTS_MOST];
    char message[128];
    uint64_t items = 0, content = 0;
    for (uint32_t i = 0; i < from && is_good; i++) {
        files[i] = save(w, i, TICK);
        is_good = acre_checkpoint_read(files[i].bytes, files[i].size, &headers[i], message,
                                       sizeof message) == ACRE_OK &&
                  headers[i].part == i && headers[i].tick == TICK && message[0] == '\0';
        items += headers[i].items;
        content += headers[i].content_hash - acre_partition_content_hash(w->parts[i].part);
    }
    is_good = is_good && items > 0 && content == 0 &&
              acre_checkpoint_check_set(headers, from, message, sizeof message) == ACRE_OK;
    world *const again = is_good ? begin_again(w, files, to) : NULL;
    is_good = again && is_valid(again) && hash_of(again) == hash_of(w) &&
              run_ticks(w, TICK, 2 * TICK) == ACRE_OK &&
              run_ticks(again, TICK, 2 * TICK) == ACRE_OK && is_valid(again) &&
              hash_of(again) == hash_of(w);
    for (uint32_t i = 0; i < from; i++) {
        free(files[i].bytes);
    }
    close_world(again);
    close_world(w);
    return is_good;
}

static void a_world_begins_again_with_any_number_of_parts(void)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 7};
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < 5; k++) {
            CHECK(check_restart(counts[i], counts[k], (i + k) % 2 == 1));
        }
    }
}

// ---- what is refused ----

static world *small_world(file *out)
{
    world *const w = open_world(2, false);
    *out = (file){0};
    if (w && run_ticks(w, 0, 3) == ACRE_OK) {
        *out = save(w, 1, 3);
    }
    return w;
}

static void broken_files_are_refused(void)
{
    file f;
    world *const w = small_world(&f), *const fresh = open_world(2, false);
    bool is_good = f.size > 500 && fresh;
    acre_checkpoint header;
    char message[128];
    for (size_t size = 0; size < f.size && is_good; size++) { // each end, in memory of that size
        unsigned char *const cut = malloc(size + (size == 0));
        memcpy(cut, f.bytes, size);
        is_good = acre_checkpoint_read(cut, size, &header, message, sizeof message) ==
                      ACRE_ERROR_FORMAT &&
                  message[0] != '\0' &&
                  acre_partition_load(fresh->parts[0].part, cut, size) == ACRE_ERROR_FORMAT;
        free(cut);
    }
    CHECK(is_good);
    for (size_t at = 0; at < f.size && is_good; at++) { // each byte
        f.bytes[at] ^= (unsigned char)(1 + at % 255);
        is_good = acre_checkpoint_read(f.bytes, f.size, &header, message, sizeof message) ==
                      ACRE_ERROR_FORMAT &&
                  message[0] != '\0' &&
                  acre_partition_load(fresh->parts[0].part, f.bytes, f.size) == ACRE_ERROR_FORMAT;
        f.bytes[at] ^= (unsigned char)(1 + at % 255);
    }
    CHECK(is_good);
    CHECK(is_good && hash_of(fresh) == 0 &&
          acre_partition_load(fresh->parts[0].part, f.bytes, f.size) == ACRE_OK);
    f.bytes[7] = 9;
    CHECK(acre_checkpoint_read(f.bytes, f.size, &header, message, sizeof message) ==
          ACRE_ERROR_FORMAT);
    CHECK(strstr(message, "version 9"));
    free(f.bytes);
    close_world(fresh);
    close_world(w);
}

static bool refuses_set(const acre_checkpoint *headers, size_t count, const char *words)
{
    char message[128];
    return acre_checkpoint_check_set(headers, count, message, sizeof message) ==
               ACRE_ERROR_FORMAT &&
           strstr(message, words);
}

static void mixed_files_are_refused_by_name(void)
{
    acre_checkpoint headers[3], other;
    for (uint32_t i = 0; i < 3; i++) {
        headers[i] = (acre_checkpoint){
            .world = 5, .tick = 40, .part = i, .part_count = 3, .levels = 5, .size = 100};
    }
    CHECK(acre_checkpoint_check_set(headers, 3, NULL, 0) == ACRE_OK);
    CHECK(refuses_set(headers, 2, "part 2 of 3 is missing"));
    other = headers[1];
    headers[1].part = 2;
    CHECK(refuses_set(headers, 3, "part 1 of 3 is missing"));
    headers[1] = headers[2];
    headers[2] = headers[0];
    CHECK(refuses_set(headers, 3, "part 0 of 3 stands twice"));
    headers[1] = other;
    headers[2].part = 2;
    headers[2].tick = 50;
    CHECK(refuses_set(headers, 3, "part 0 is of tick 40, part 2 of tick 50"));
    headers[2].tick = 40;
    headers[2].world = 6;
    CHECK(refuses_set(headers, 3, "parts 0 and 2 are of different worlds"));
    CHECK(acre_checkpoint_check_set(NULL, 3, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_checkpoint_check_set(headers, 0, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
}

// Headers that no part writes: a set of them would have no part that is missing.
static void wrong_headers_are_refused(void)
{
    const acre_checkpoint good = {.part_count = 1, .levels = 5, .size = 100};
    CHECK(acre_checkpoint_check_set(&good, 1, NULL, 0) == ACRE_OK);
    acre_checkpoint wrong[9] = {{0}};
    for (int i = 1; i < 9; i++) {
        wrong[i] = good;
    }
    wrong[1].part_count = 0;
    wrong[2].part = 1;
    wrong[3].levels = 0;
    wrong[4].levels = 13;
    wrong[5].size = 0;
    wrong[6].size = NAN;
    wrong[7].low[0] = (double)NAN;
    wrong[8].low[1] = -HUGE_VAL;
    for (int i = 0; i < 9; i++) {
        CHECK(refuses_set(&wrong[i], 1, "header 0 is none of a checkpoint"));
    }
    const acre_checkpoint mixed[2] = {{.part_count = 2, .levels = 5, .size = 100}, {0}};
    CHECK(refuses_set(mixed, 2, "header 1 is none of a checkpoint"));
}

// The most parts that a world may have, in two passes over their headers.
static void large_sets_are_checked_by_name(void)
{
    enum { PARTS = 65536 };
    acre_checkpoint *const headers = calloc(PARTS, sizeof *headers);
    CHECK(headers != NULL);
    for (uint32_t i = 0; i < PARTS; i++) {
        headers[i] = (acre_checkpoint){
            .part = (i * 77u + 5) % PARTS, .part_count = PARTS, .levels = 9, .size = 100};
    }
    bool is_good = acre_checkpoint_check_set(headers, PARTS, NULL, 0) == ACRE_OK;
    for (uint32_t i = 0; i < PARTS && is_good; i++) {
        if (headers[i].part == 40000) {
            headers[i].part = 65535;
            is_good = refuses_set(headers, PARTS, "part 40000 of 65536 is missing");
            headers[i].part = 7;
            is_good = is_good && refuses_set(headers, PARTS, "part 7 of 65536 stands twice");
            headers[i].part = 40000;
        }
    }
    headers[0].part = 6; // which has a header already
    is_good = is_good && refuses_set(headers, PARTS, "part 5 of 65536 is missing");
    free(headers);
    CHECK(is_good);
}

static void foreign_files_and_items_that_exist_change_nothing(void)
{
    file f;
    world *const w = small_world(&f);
    CHECK(f.size > 0);
    const uint64_t before = hash_of(w);
    CHECK(acre_partition_load(w->parts[1].part, f.bytes, f.size) == ACRE_ERROR_EXISTS);
    CHECK(hash_of(w) == before && is_valid(w) && exchange(w) == ACRE_OK && hash_of(w) == before);
    acre_partition_def def = def_of(w, 0);
    for (int i = 0; i < 3; i++) { // another ground, another kind, other bytes
        acre_partition_def other = def;
        other.half_size *= i == 0 ? 2.0f : 1.0f;
        other.is_periodic = i == 1;
        other.data.migrant_bytes -= i == 2;
        acre_partition *part = NULL;
        CHECK(acre_partition_create(&other, &part) == ACRE_OK &&
              acre_partition_load(part, f.bytes, f.size) == ACRE_ERROR_FORMAT);
        acre_partition_destroy(part);
    }
    CHECK(acre_partition_begin(w->parts[0].part) == ACRE_OK);
    file none = {.writes_left = SIZE_MAX};
    CHECK(acre_partition_load(w->parts[0].part, f.bytes, f.size) == ACRE_ERROR_BUSY);
    CHECK(acre_partition_save(w->parts[0].part, 0, 0, write_file, &none) == ACRE_ERROR_BUSY);
    CHECK(acre_partition_load(NULL, f.bytes, f.size) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_partition_load(w->parts[0].part, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    uint32_t firsts[2];
    CHECK(acre_checkpoint_get_cut(f.bytes, f.size, firsts, 1) == ACRE_ERROR_CAPACITY);
    CHECK(acre_checkpoint_get_cut(f.bytes, f.size - 1, firsts, 2) == ACRE_ERROR_FORMAT);
    CHECK(acre_checkpoint_get_cut(NULL, 0, firsts, 2) == ACRE_ERROR_INVALID_ARGUMENT);
    free(f.bytes);
    close_world(w);
}

static void a_write_that_fails_is_an_error(void)
{
    file f;
    world *const w = small_world(&f);
    CHECK(f.size > 4096);
    const uint64_t before = hash_of(w);
    bool is_good = true;
    size_t writes = 0;
    for (bool ended = false; !ended && is_good; writes++) {
        file out = {.writes_left = writes};
        const acre_result result = acre_partition_save(w->parts[1].part, 1, 2, write_file, &out);
        ended = result == ACRE_OK;
        is_good = ended || (result == ACRE_ERROR_IO && out.writes_left == SIZE_MAX);
        free(out.bytes);
    }
    CHECK(is_good && writes >= 3 && hash_of(w) == before);
    const uint8_t *const kinds = acre_partition_get_slots(w->parts[1].part).kinds;
    size_t slot = 0;
    while (kinds[slot] != ACRE_SLOT_OWN) {
        slot++;
    }
    acre_partition_get_slots(w->parts[1].part).boxes[slot].min[0] = NAN;
    file out = {.writes_left = SIZE_MAX};
    CHECK(acre_partition_save(w->parts[1].part, 1, 2, write_file, &out) ==
              ACRE_ERROR_INVALID_ARGUMENT &&
          out.size == 0);
    CHECK(acre_partition_save(NULL, 1, 2, write_file, &out) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_partition_save(w->parts[0].part, 1, 2, NULL, &out) == ACRE_ERROR_INVALID_ARGUMENT);
    free(out.bytes);
    free(f.bytes);
    close_world(w);
}

static void a_load_without_memory_adds_nothing(void)
{
    file f;
    world *const w = small_world(&f);
    world_part loaded = {0};
    bool is_good = f.size > 0, ended = false;
    for (uint64_t at = 1; !ended && is_good; at++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        acre_partition_def def = def_of(w, 0);
        def.data.user = &loaded;
        def.allocator = &memory.allocator;
        acre_partition *part = NULL;
        is_good = acre_partition_create(&def, &part) == ACRE_OK;
        failing_allocator_arm(&memory, FAIL_FROM, at);
        const acre_result result = acre_partition_load(part, f.bytes, f.size);
        ended = result == ACRE_OK;
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        is_good = is_good && (ended || (result == ACRE_ERROR_OUT_OF_MEMORY &&
                                        acre_partition_content_hash(part) == 0 &&
                                        acre_partition_validate(part, NULL, 0) == ACRE_OK &&
                                        acre_partition_load(part, f.bytes, f.size) == ACRE_OK));
        acre_partition_destroy(part);
        is_good = is_good && failing_allocator_verdict(&memory) == NULL && at < 200;
    }
    CHECK(is_good && ended);
    free(loaded.lives);
    free(f.bytes);
    close_world(w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_world_begins_again_with_any_number_of_parts),
        TEST(broken_files_are_refused),
        TEST(mixed_files_are_refused_by_name),
        TEST(wrong_headers_are_refused),
        TEST(large_sets_are_checked_by_name),
        TEST(foreign_files_and_items_that_exist_change_nothing),
        TEST(a_write_that_fails_is_an_error),
        TEST(a_load_without_memory_adds_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
