// SPDX-License-Identifier: MIT
// test_partition.c - worlds of several parts against one list of all items: who owns what, who
// knows what, pairs, bytes, contents, tick by tick.
#include "failing_allocator.h"
#include "partition_internal.h"

#include <acre/partition.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300, PARTS_MOST = 7, PAIRS_MOST = ITEMS * ITEMS / 2 };
static const float half_size = 64, cell = 8, range = 1.5f;

typedef struct world {
    acre_partition *parts[PARTS_MOST];
    uint64_t *payloads[PARTS_MOST]; // by slot: what the caller keeps of an item
    size_t payload_room[PARTS_MOST];
    uint32_t count;
    bool is_periodic;
    acre_aabb boxes[ITEMS]; // of the oracle, by number
    uint64_t values[ITEMS]; // the caller's
    bool is_there[ITEMS];
    acre_number_pair pairs[PAIRS_MOST], expected[PAIRS_MOST];
    test_random random;
    uint32_t ticks_done;
    bool has_been_empty; // a part owned nothing after an exchange
} world;

typedef struct part_user {
    world *owner;
    uint32_t part;
} part_user;
static part_user users[PARTS_MOST];

// ---- the caller's bytes ----

static bool reserve(void *user, size_t slots)
{
    const part_user *const self = user;
    world *const w = self->owner;
    if (slots > w->payload_room[self->part]) {
        uint64_t *const grown = realloc(w->payloads[self->part], 2 * slots * sizeof *grown);
        if (!grown) {
            return false;
        }
        w->payloads[self->part] = grown;
        w->payload_room[self->part] = 2 * slots;
    }
    return true;
}

static void pack(void *user, uint32_t slot, bool is_migrant, unsigned char *bytes)
{
    const part_user *const self = user;
    memcpy(bytes, &self->owner->payloads[self->part][slot], is_migrant ? 8 : 4);
}

static void unpack(void *user, uint32_t slot, bool is_migrant, const unsigned char *bytes)
{
    const part_user *const self = user;
    uint64_t *const value = &self->owner->payloads[self->part][slot];
    *value = 0;
    memcpy(value, bytes, is_migrant ? 8 : 4); // the lower half, on machines that tests run on
}

static acre_partition_def def_of(world *w, uint32_t part)
{
    users[part] = (part_user){w, part};
    return (acre_partition_def){.part_count = w->count,
                                .part = part,
                                .half_size = half_size,
                                .levels = 4,
                                .is_periodic = w->is_periodic,
                                .ghost_range = range,
                                .data = {8, 4, reserve, pack, unpack, &users[part]}};
}

static void close_world(world *w)
{
    for (uint32_t i = 0; w && i < w->count; i++) {
        acre_partition_destroy(w->parts[i]);
        free(w->payloads[i]);
    }
    free(w);
}

// ---- boxes ----

static float nudged(world *w, float value)
{
    const uint32_t steps = random_below(&w->random, 3);
    return steps == 0 ? value : nextafterf(value, steps == 1 ? -INFINITY : INFINITY);
}

// Mostly ordinary; often with an edge, a center or a grown edge on a line of cells or beside it.
static acre_aabb random_box(world *w)
{
    const uint32_t kind = random_below(&w->random, 40);
    float center[2], half[2];
    for (int axis = 0; axis < 2; axis++) {
        center[axis] = random_float(&w->random, -half_size, half_size);
        half[axis] = random_float(&w->random, 0, range);
        if (kind < 20) {
            static const float offsets[] = {0, 0.5f, 1.5f, -0.5f, -1.5f};
            half[axis] = random_below(&w->random, 2) ? 0.5f : range;
            center[axis] = cell * (float)((int)random_below(&w->random, 15) - 7) +
                           offsets[random_below(&w->random, 5)];
        } else if (kind == 39) {
            half[axis] = random_float(&w->random, range, half_size / 3); // a giant
        } else if (kind > 36 && !w->is_periodic) {
            center[axis] *= 3; // beyond the ground
        }
    }
    acre_aabb box = {{center[0] - half[0], 0, center[1] - half[1]},
                     {center[0] + half[0], 1, center[1] + half[1]}};
    for (int axis = 0; axis < 3 && kind < 10; axis += 2) {
        box.min[axis] = nudged(w, box.min[axis]);
        box.max[axis] = nudged(w, box.max[axis]);
    }
    return box;
}

static world *open_world(uint32_t count, bool is_periodic, uint64_t seed)
{
    world *const w = calloc(1, sizeof *w);
    bool is_good = w != NULL;
    if (is_good) {
        w->count = count;
        w->is_periodic = is_periodic;
        w->random.state = seed;
    }
    for (uint32_t i = 0; i < count && is_good; i++) {
        const acre_partition_def def = def_of(w, i);
        is_good = acre_partition_create(&def, &w->parts[i]) == ACRE_OK;
    }
    for (uint32_t number = 0; number < ITEMS && is_good; number++) {
        uint32_t slot = 0;
        w->boxes[number] = random_box(w);
        w->values[number] = random_bits(&w->random);
        w->is_there[number] = true;
        const uint32_t part = number % count; // wherever that is
        is_good = acre_partition_add(w->parts[part], number, &w->boxes[number], &slot) == ACRE_OK;
        w->payloads[part][slot] = w->values[number];
    }
    if (!is_good) {
        close_world(w);
    }
    return is_good ? w : NULL;
}

// ---- a tick ----

// Which part owns a number; count if none or several do.
static uint32_t owner_of(const world *w, uint64_t number, uint32_t *slot)
{
    uint32_t owner = w->count, owners = 0, at = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (acre_partition_find(w->parts[i], number, &at) == ACRE_OK &&
            acre_partition_get_slots(w->parts[i]).kinds[at] == ACRE_SLOT_OWN) {
            owner = i;
            *slot = at;
            owners++;
        }
    }
    return owners == 1 ? owner : w->count;
}

static bool move_item(world *w, uint32_t number, bool all_in_one_cell)
{
    uint32_t slot = 0;
    const uint32_t owner = owner_of(w, number, &slot);
    if (owner == w->count) {
        return false;
    }
    acre_aabb box = w->boxes[number];
    const uint32_t what = random_below(&w->random, 10);
    if (all_in_one_cell) {
        const float x = random_float(&w->random, 17, 23);
        box = (acre_aabb){{x, 0, x}, {x + 0.5f, 1, x + 0.5f}};
    } else if (what == 0) {
        box = random_box(w); // a teleport
    } else if (what < 7) {
        const float x = random_float(&w->random, -2, 2), z = random_float(&w->random, -2, 2);
        box.min[0] += x, box.max[0] += x;
        box.min[2] += z, box.max[2] += z;
    }
    w->boxes[number] = box;
    w->values[number] += number;
    w->payloads[owner][slot] = w->values[number];
    acre_partition_get_slots(w->parts[owner]).boxes[slot] = box;
    return true;
}

static bool come_or_go(world *w, uint32_t number)
{
    uint32_t slot = 0;
    const uint32_t owner = owner_of(w, number, &slot);
    if (w->is_there[number]) {
        w->is_there[number] = false;
        return owner < w->count && acre_partition_remove(w->parts[owner], slot) == ACRE_OK;
    }
    const uint32_t part = random_below(&w->random, w->count);
    uint32_t unused;
    if (acre_partition_find(w->parts[part], number, &unused) == ACRE_OK) {
        return true; // a ghost of it is still there
    }
    w->is_there[number] = true;
    w->boxes[number] = random_box(w);
    if (acre_partition_add(w->parts[part], number, &w->boxes[number], &slot) != ACRE_OK) {
        return false;
    }
    w->payloads[part][slot] = w->values[number];
    return true;
}

static int compare_pairs(const void *x, const void *y)
{
    const acre_number_pair *const a = x, *const b = y;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

// Both as the parts have them, so that a periodic world has wrapped them.
static bool read_boxes(world *w)
{
    for (uint32_t number = 0; number < ITEMS; number++) {
        uint32_t slot = 0;
        const uint32_t owner = owner_of(w, number, &slot);
        if ((owner < w->count) != w->is_there[number]) {
            return false;
        }
        if (w->is_there[number]) {
            const acre_aabb *const box = &acre_partition_get_slots(w->parts[owner]).boxes[slot];
            if (!w->is_periodic && memcmp(box, &w->boxes[number], sizeof *box) != 0) {
                return false;
            }
            w->boxes[number] = *box;
            if (w->payloads[owner][slot] != w->values[number]) {
                return false;
            }
        }
    }
    return true;
}

static bool is_giant(const acre_aabb *box)
{
    bool is_ordinary = true;
    for (int axis = 0; axis < 3; axis += 2) {
        const float center = 0.5f * box->min[axis] + 0.5f * box->max[axis];
        is_ordinary = is_ordinary && (double)center - (double)box->min[axis] <= (double)range &&
                      (double)box->max[axis] - (double)center <= (double)range;
    }
    return !is_ordinary;
}

// On periodic ground the one that answers stands where it is, and the other one has images: floats
// round where a box is moved.
static bool meet(const world *w, const acre_aabb *a, const acre_aabb *b)
{
    bool do_meet = acre_aabb_overlaps(a, b);
    if (is_giant(a) && !is_giant(b)) {
        const acre_aabb *const giant = a;
        a = b;
        b = giant;
    }
    for (int x = -1; x <= 1 && w->is_periodic; x++) {
        for (int z = -1; z <= 1; z++) {
            acre_aabb image = *b;
            image.min[0] += (float)x * 2 * half_size, image.max[0] += (float)x * 2 * half_size;
            image.min[2] += (float)z * 2 * half_size, image.max[2] += (float)z * 2 * half_size;
            do_meet = do_meet || acre_aabb_overlaps(a, &image);
        }
    }
    return do_meet;
}

static const char *check_pairs(world *w)
{
    size_t expected = 0, found = 0;
    for (uint32_t a = 0; a < ITEMS; a++) {
        for (uint32_t b = a + 1; b < ITEMS; b++) {
            if (w->is_there[a] && w->is_there[b] && meet(w, &w->boxes[a], &w->boxes[b])) {
                w->expected[expected++] = (acre_number_pair){a, b};
            }
        }
    }
    for (uint32_t i = 0; i < w->count; i++) {
        size_t total = 0;
        if (acre_partition_pairs(w->parts[i], NULL, w->pairs + found, PAIRS_MOST - found, &total) !=
            ACRE_OK) {
            return "pairs fail";
        }
        found += total;
        if (found > PAIRS_MOST) {
            return "too many pairs";
        }
    }
    qsort(w->pairs, found, sizeof *w->pairs, compare_pairs);
    return found == expected && memcmp(w->pairs, w->expected, found * sizeof *w->pairs) == 0
               ? NULL
               : "other pairs than those of one list";
}

// Every part knows what is within range of the center of an item that it owns, and all giants.
static const char *check_knowledge(const world *w)
{
    for (uint32_t a = 0; a < ITEMS; a++) {
        uint32_t slot = 0, other;
        const uint32_t owner = w->is_there[a] ? owner_of(w, a, &slot) : w->count;
        for (uint32_t b = 0; b < ITEMS && owner < w->count; b++) {
            bool is_near = w->is_there[b];
            for (int axis = 0; axis < 3; axis += 2) {
                const float at = 0.5f * w->boxes[a].min[axis] + 0.5f * w->boxes[a].max[axis];
                is_near = is_near && w->boxes[b].min[axis] - range <= at &&
                          w->boxes[b].max[axis] + range >= at;
            }
            is_near = is_near || (w->is_there[b] && is_giant(&w->boxes[b]));
            if (is_near && acre_partition_find(w->parts[owner], b, &other) != ACRE_OK) {
                return "a part does not know what is near";
            }
            if (is_near && (uint32_t)w->payloads[owner][other] != (uint32_t)w->values[b]) {
                return "a ghost has other bytes than its item";
            }
        }
    }
    return NULL;
}

static const char *check_world(world *w)
{
    char message[128];
    for (uint32_t i = 0; i < w->count; i++) {
        if (acre_partition_validate(w->parts[i], message, sizeof message) != ACRE_OK) {
            printf("part %u: %s\n", (unsigned)i, message);
            return "a rule is broken";
        }
    }
    const char *fault = read_boxes(w) ? NULL : "an item is lost, or has another box or value";
    fault = fault ? fault : check_knowledge(w);
    return fault ? fault : check_pairs(w);
}

static uint64_t hash_of(const world *w)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        sum += acre_partition_content_hash(w->parts[i]);
    }
    return sum;
}

static const char *run_tick(world *w, uint32_t tick, const acre_recut_def *recut)
{
    bool is_good = true;
    for (uint32_t number = 0; number < ITEMS && is_good; number++) {
        is_good = !w->is_there[number] || move_item(w, number, tick % 9 == 7);
    }
    for (uint32_t i = 0; i < 8 && is_good; i++) {
        is_good = come_or_go(w, random_below(&w->random, ITEMS));
    }
    if (!is_good) {
        return "an edit is refused";
    }
    if (acre_partition_exchange(w->parts, w->count) != ACRE_OK) {
        return "an exchange fails";
    }
    w->ticks_done++;
    for (uint32_t i = 0; i < w->count; i++) {
        acre_partition_stats stats;
        acre_partition_get_stats(w->parts[i], &stats);
        w->has_been_empty |= stats.own == 0;
    }
    const char *const fault = check_world(w);
    return fault                                                              ? fault
           : acre_partition_recut(w->parts, w->count, recut, NULL) == ACRE_OK ? NULL
                                                                              : "a recut fails";
}

static void run_worlds(bool is_periodic)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 7};
    const acre_recut_def recut = {.tolerance = 1, .most_moved = 60};
    const uint32_t ticks = 18 * test_scale;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        world *const w = open_world(counts[c], is_periodic, test_seed);
        CHECK(w != NULL);
        const char *fault = acre_partition_exchange(w->parts, w->count) == ACRE_OK
                                ? check_world(w)
                                : "the first exchange fails";
        for (uint32_t tick = 0; tick < ticks && !fault; tick++) {
            fault = run_tick(w, tick, &recut);
        }
        if (fault) {
            printf("%u parts, after %u exchanges: %s\n", (unsigned)counts[c],
                   (unsigned)w->ticks_done, fault);
        }
        const bool has_been_empty = w->has_been_empty;
        close_world(w);
        CHECK(fault == NULL);
        CHECK(has_been_empty || counts[c] < 7);
    }
}

static void parts_are_equal_to_one_list(void)
{
    run_worlds(false);
}

static void parts_of_periodic_ground_are_equal_to_one_list(void)
{
    run_worlds(true);
}

// The moves do not ask who owns an item, so they are the same for each number of parts.
static void contents_are_the_same_for_each_number_of_parts(void)
{
    uint64_t hashes[20];
    for (uint32_t count = 1; count <= PARTS_MOST; count++) {
        world *const w = open_world(count, true, test_seed);
        CHECK(w != NULL);
        bool is_good = acre_partition_exchange(w->parts, count) == ACRE_OK && read_boxes(w);
        for (uint32_t tick = 0; tick < 20 && is_good; tick++) {
            for (uint32_t number = 0; number < ITEMS && is_good; number++) {
                is_good = move_item(w, number, tick == 10);
            }
            is_good = is_good && acre_partition_exchange(w->parts, count) == ACRE_OK &&
                      read_boxes(w) && acre_partition_recut(w->parts, count, NULL, NULL) == ACRE_OK;
            hashes[tick] = count == 1 ? hash_of(w) : hashes[tick];
            is_good = is_good && hash_of(w) == hashes[tick];
        }
        close_world(w);
        CHECK(is_good);
    }
}

// ---- the cut ----

static void a_recut_evens_loads_and_moves_no_more_than_it_may(void)
{
    world *const w = open_world(4, false, test_seed);
    CHECK(w != NULL);
    const acre_recut_def recut = {.tolerance = 20, .most_moved = 10};
    bool is_good = acre_partition_exchange(w->parts, 4) == ACRE_OK, is_cut = true;
    for (uint32_t number = 0; number < ITEMS && is_good; number++) {
        // All in one quarter of the ground: one part of four.
        uint32_t slot = 0;
        const uint32_t owner = owner_of(w, number, &slot);
        const float x = random_float(&w->random, -63, -1), z = random_float(&w->random, -63, -1);
        acre_partition_get_slots(w->parts[owner]).boxes[slot] = (acre_aabb){{x, 0, z}, {x, 0, z}};
    }
    is_good = is_good && acre_partition_exchange(w->parts, 4) == ACRE_OK;
    acre_partition_stats stats;
    acre_partition_get_stats(w->parts[0], &stats);
    is_good = is_good && stats.own == ITEMS;
    uint32_t cuts = 0;
    for (; cuts < 200 && is_cut && is_good; cuts++) {
        is_good = acre_partition_recut(w->parts, 4, &recut, &is_cut) == ACRE_OK &&
                  acre_partition_exchange(w->parts, 4) == ACRE_OK;
        size_t most = 0, moved = 0;
        for (uint32_t i = 0; i < 4; i++) {
            acre_partition_get_stats(w->parts[i], &stats);
            most = stats.own > most ? stats.own : most;
            moved += acre_partition_get_changes(w->parts[i]).departed_count;
        }
        // Three borders, a tenth of the mean each, and one cell that a border lies in.
        is_good = is_good && moved <= 3 * (ITEMS / 4 / 10 + 1 + 20) &&
                  (is_cut || most <= ITEMS / 4 * 12 / 10 + 1);
    }
    close_world(w);
    CHECK(is_good && !is_cut && cuts > 8);
}

// ---- refusals ----

static void broken_messages_are_refused_and_change_nothing(void)
{
    world *const w = open_world(2, false, test_seed);
    CHECK(w != NULL);
    acre_partition *const from = w->parts[0], *const to = w->parts[1];
    bool is_good = acre_partition_begin(from) == ACRE_OK && acre_partition_begin(to) == ACRE_OK;
    const acre_partition_bytes message = acre_partition_message(from, 1);
    is_good = is_good && message.size > 48;
    unsigned char *const bytes = malloc(message.size + 1);
    for (size_t size = 1; size < message.size && is_good && bytes; size++) {
        memcpy(bytes, message.bytes, size); // a sanitizer sees what is read behind it
        unsigned char *const exact = realloc(NULL, size);
        memcpy(exact, bytes, size);
        is_good = acre_partition_take(to, 0, exact, size) == ACRE_ERROR_FORMAT;
        free(exact);
    }
    for (size_t at = 0; at < 48 && is_good && bytes; at++) {
        memcpy(bytes, message.bytes, message.size);
        bytes[at] ^= 0x40;
        is_good = acre_partition_take(to, 0, bytes, message.size) == ACRE_ERROR_FORMAT;
    }
    // Of the first record: the box's first float, the tag, the image, the giant's flag,
    // the rider's size.
    static const struct {
        size_t at;
        unsigned char bytes[4];
        size_t size;
    } faults[] = {{56, {0, 0, 0xc0, 0x7f}, 4},
                  {80, {3}, 1},
                  {81, {9}, 1},
                  {81, {1}, 1},
                  {82, {2}, 1},
                  {84, {1}, 1}};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0] && is_good && bytes; i++) {
        memcpy(bytes, message.bytes, message.size);
        memcpy(bytes + faults[i].at, faults[i].bytes, faults[i].size);
        is_good = acre_partition_take(to, 0, bytes, message.size) == ACRE_ERROR_FORMAT;
    }
    is_good = is_good && acre_partition_take(to, 1, message.bytes, message.size) ==
                             ACRE_ERROR_FORMAT; // another part's
    is_good = is_good && acre_partition_take(to, 0, message.bytes, message.size) == ACRE_OK;
    const acre_partition_bytes back = acre_partition_message(to, 0);
    is_good = is_good && acre_partition_take(from, 1, back.bytes, back.size) == ACRE_OK &&
              acre_partition_apply(from) == ACRE_OK && acre_partition_apply(to) == ACRE_OK &&
              check_world(w) == NULL;
    free(bytes);
    close_world(w);
    CHECK(is_good);
}

static void wrong_calls_are_refused(void)
{
    world *const w = open_world(2, false, test_seed);
    CHECK(w != NULL);
    acre_partition *part = w->parts[0];
    uint32_t slot;
    bool is_good =
        acre_partition_add(part, 0, &w->boxes[0], &slot) == ACRE_ERROR_EXISTS &&
        acre_partition_remove(part, 4000) == ACRE_ERROR_NOT_FOUND &&
        acre_partition_apply(part) == ACRE_ERROR_BUSY &&
        acre_partition_take(part, 0, "", 0) == ACRE_ERROR_BUSY &&
        acre_partition_begin(NULL) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_exchange(w->parts, 1) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_exchange((acre_partition *const[]){w->parts[1], part}, 2) ==
            ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_set_cut(part, (const uint32_t[]){0, 300}) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_set_cut(part, (const uint32_t[]){1, 30}) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_begin(part) == ACRE_OK && acre_partition_begin(part) == ACRE_ERROR_BUSY &&
        acre_partition_remove(part, 0) == ACRE_ERROR_BUSY && acre_partition_apply(part) == ACRE_OK;
    acre_partition_def def = def_of(w, 0);
    acre_partition *none = part;
    def.ghost_range = 0;
    is_good = is_good && acre_partition_create(&def, &none) == ACRE_ERROR_INVALID_ARGUMENT && !none;
    def.ghost_range = 1;
    def.part = 2;
    is_good = is_good && acre_partition_create(&def, &none) == ACRE_ERROR_INVALID_ARGUMENT;
    close_world(w);
    CHECK(is_good);
}

static bool refuses_def(const acre_partition_def *def)
{
    acre_partition *part = NULL;
    const acre_result result = acre_partition_create(def, &part);
    acre_partition_destroy(part);
    return result == ACRE_ERROR_INVALID_ARGUMENT && !part;
}

// Every comparison with NaN is false, also those that choose a default.
static void sizes_that_are_no_numbers_are_refused(void)
{
    const acre_partition_def good = {.part_count = 1, .ghost_range = 1};
    for (int i = 0; i < 7; i++) {
        acre_partition_def def = good;
        float *const sizes[] = {&def.half_size,     &def.ghost_range,    &def.center[0],
                                &def.center[1],     &def.tree.half_size, &def.half_size,
                                &def.tree.half_size};
        *sizes[i] = i < 5 ? NAN : -1.0f;
        CHECK(refuses_def(&def));
    }
    CHECK(!refuses_def(&good));
}

static void an_invalid_box_is_refused_and_named(void)
{
    world *const w = open_world(3, false, test_seed);
    CHECK(w != NULL);
    uint32_t slot = 0;
    bool is_good = acre_partition_exchange(w->parts, 3) == ACRE_OK;
    const uint32_t owner = owner_of(w, 5, &slot);
    acre_partition_get_slots(w->parts[owner]).boxes[slot].min[0] = NAN;
    is_good = is_good && acre_partition_exchange(w->parts, 3) == ACRE_ERROR_INVALID_ARGUMENT;
    const acre_partition_changes changes = acre_partition_get_changes(w->parts[owner]);
    is_good = is_good && changes.refused_count == 1 && changes.refused[0].number == 5 &&
              check_world(w) == NULL;
    close_world(w);
    CHECK(is_good);
}

static void a_create_without_memory_answers_so(void)
{
    failing_allocator memory;
    acre_partition *part;
    bool has_failed = true;
    for (uint64_t at = 1; has_failed && at < 100; at++) {
        failing_allocator_init(&memory, FAIL_FROM, at);
        const acre_partition_def def = {
            .part_count = 3, .ghost_range = 1, .allocator = &memory.allocator};
        const acre_result result = acre_partition_create(&def, &part);
        has_failed = memory.failed > 0;
        CHECK(result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK));
        acre_partition_destroy(part);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(!has_failed);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(parts_are_equal_to_one_list),
        TEST(parts_of_periodic_ground_are_equal_to_one_list),
        TEST(contents_are_the_same_for_each_number_of_parts),
        TEST(a_recut_evens_loads_and_moves_no_more_than_it_may),
        TEST(broken_messages_are_refused_and_change_nothing),
        TEST(wrong_calls_are_refused),
        TEST(sizes_that_are_no_numbers_are_refused),
        TEST(an_invalid_box_is_refused_and_named),
        TEST(a_create_without_memory_answers_so),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
