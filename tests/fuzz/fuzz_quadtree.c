// SPDX-License-Identifier: MIT
// fuzz_quadtree.c - fuzz target: bytes are calls on a tree, each checked against brute force; what
// the tree's recorder wrote must replay to the same tree.
//
// Two kinds of input. One that begins as a recording is read as such, its outcomes ignored, so that
// recordings of real programs are seeds. Any other is read in small pieces: a def, then calls.
// Between the calls of the second kind pairs are asked for and compared with the list of all, and
// visitors try to edit the tree.
// With --print an input is shown as C that makes the same calls.
#include "brute_force_pairs.h"
#include "checked_tree.h"
#include "fuzz.h"
#include "quadtree_items_shared.h"
#include "query_generator.h"
#include "record_format.h"
#include "record_scenario.h"
#include "tall_world.h"

#include <acre/quadtree_inspect.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ITEMS = 4096, MAX_CALLS = 400, MAX_ROWS = 40, SMALL_ITEMS = 64, TOWN_ITEMS = 200 };
enum { MAX_PAIRS = TOWN_ITEMS * TOWN_ITEMS };

typedef struct session {
    checked_tree checked;
    acre_recorder recorder;
    recording written;
    acre_contacts *contacts; // NULL until pairs are asked for
} session;

static session *current; // for what is printed at death

static bool write_out(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

static void print_session(void)
{
    if (current) {
        ACRE_IGNORE(acre_recorder_end(&current->recorder));
        ACRE_IGNORE(acre_record_print(current->written.bytes, current->written.size, NULL,
                                      write_out, stdout));
        fflush(stdout);
        current = NULL;
    }
}

// A tree with a recorder. False for a def that is refused, as it must be.
static bool session_begin(session *run, const acre_quadtree_def *def)
{
    *run = (session){.written = {0}};
    const acre_result result = checked_tree_init(&run->checked, def);
    if (result != ACRE_OK) {
        FUZZ_CHECK(result == ACRE_ERROR_INVALID_ARGUMENT || result == ACRE_ERROR_OUT_OF_MEMORY);
        FUZZ_CHECK(run->checked.tree == NULL);
        return false;
    }
    FUZZ_CHECK(acre_recorder_begin(&run->recorder, run->checked.tree, recording_write,
                                   &run->written) == ACRE_OK);
    if (fuzz_prints) {
        current = run;
        fuzz_at_death = print_session;
    }
    return true;
}

// Replays what was recorded.
static void session_end(session *run)
{
    acre_record_report report;
    const uint64_t state = acre_quadtree_state_hash(run->checked.tree);
    const uint64_t content = acre_quadtree_content_hash(run->checked.tree);
    print_session();
    FUZZ_CHECK(acre_recorder_end(&run->recorder) == ACRE_OK);
    const acre_result result =
        acre_record_replay(run->written.bytes, run->written.size, NULL, &report);
    if (result != ACRE_OK) {
        fprintf(stderr, "%s\n", report.message);
    }
    FUZZ_CHECK(result == ACRE_OK && report.message[0] == '\0');
    FUZZ_CHECK(report.content_hash == content && report.state_hash == state);
    checked_tree_free(&run->checked);
    recording_free(&run->written);
    acre_contacts_destroy(run->contacts);
}

static void session_call(session *run, const acre_quadtree_call *call)
{
    const char *const fault = checked_tree_call(&run->checked, call);
    if (fault) {
        fuzz_fail(__FILE__, __LINE__, fault);
    }
}

// ---- recordings ----

static void run_recording(const uint8_t *bytes, size_t size)
{
    record_reader reader;
    acre_quadtree_def def;
    session run;
    if (!acre_record_open(&reader, bytes, size, NULL, &def)) {
        return;
    }
    if (def.item_capacity == 0 || def.item_capacity > MAX_ITEMS) {
        def.item_capacity = MAX_ITEMS;
    }
    if (session_begin(&run, &def)) {
        for (uint32_t i = 0; i < MAX_CALLS && acre_record_next(&reader); i++) {
            session_call(&run, &reader.now.call);
        }
        session_end(&run);
    }
    acre_record_close(&reader);
}

// ---- small pieces ----

typedef struct rows {
    uint32_t items[MAX_ROWS];
    acre_aabb boxes[MAX_ROWS];
    uint32_t masks[MAX_ROWS];
} rows;

static acre_quadtree_def read_def(fuzz_input *input)
{
    acre_quadtree_def def = {.max_depth = fuzz_byte(input) % 22,
                             .node_capacity = fuzz_below(input, 9),
                             .item_capacity = 1 + fuzz_below(input, SMALL_ITEMS)};
    // One that this processor lacks is refused. Some trees have room for a town.
    const uint32_t kernel = fuzz_byte(input);
    def.kernel = (acre_kernel)(kernel % (ACRE_KERNEL_AVX512 + 1));
    def.item_capacity = kernel < 192 ? def.item_capacity : TOWN_ITEMS;
    const uint32_t shape = fuzz_byte(input);
    def.half_size = shape < 200 ? (float)(shape % 16) * 8.0f : fuzz_float(input);
    for (int i = 0; i < 2 && (shape & 1); i++) {
        def.center[i] = fuzz_float(input);
    }
    return def;
}

// A few numbers above item_capacity are asked for as well.
static uint32_t read_item(const session *run, fuzz_input *input)
{
    const uint32_t byte = fuzz_byte(input);
    return byte == 255 ? fuzz_u32(input) : byte % (run->checked.item_capacity + 2);
}

// As wide as a cell of some level, or a float beside that: where an item changes its level. With
// its edges on cell lines or a float outside of them the rounded width is that of the cell, the
// true one is not.
static void stretch(const session *run, fuzz_input *input, uint32_t axis, acre_aabb *box)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(run->checked.tree, &stats);
    const uint32_t choice = fuzz_byte(input);
    const float width = ldexpf(stats.cell_size, (int)(choice % 24));
    if (choice & 64) {
        const float line = choice & 32 ? width : 0.0f;
        box->min[axis] = nextafterf(line, -INFINITY);
        box->max[axis] = line + width;
        return;
    }
    box->max[axis] = box->min[axis] + width;
    if (choice >= 128) {
        box->max[axis] = nextafterf(box->max[axis], choice & 1 ? INFINITY : -INFINITY);
    }
}

// A box of a world of storeys, towers, aeroplanes or caves.
static acre_aabb read_tall_box(fuzz_input *input)
{
    const tall_world world = {(tall_world_kind)(fuzz_byte(input) % TALL_WORLD_KIND_COUNT_), 24.0f,
                              60, 0.8f};
    uint64_t random = fuzz_u32(input);
    return tall_world_box(&world, &random);
}

// Often the box of an item that is there, moved along one axis or stretched.
static acre_aabb read_box(const session *run, fuzz_input *input, uint32_t item)
{
    acre_aabb box;
    const uint32_t kind = fuzz_byte(input);
    if (kind >= 224) {
        return read_tall_box(input);
    }
    if ((kind & 1) || acre_quadtree_get_box(run->checked.tree, item, &box) != ACRE_OK) {
        return fuzz_box(input);
    }
    const uint32_t choice = fuzz_byte(input), axis = choice % 3;
    if (choice & 128) {
        stretch(run, input, axis, &box);
        return box;
    }
    const float step = fuzz_float(input);
    box.min[axis] += step;
    box.max[axis] += step;
    return box;
}

// arguments: of the operation whose rows are read.
static void read_rows(const session *run, fuzz_input *input, uint32_t arguments, rows *out,
                      acre_quadtree_call *call)
{
    const bool has_items = arguments & ARG_ITEMS, has_masks = arguments & ARG_MASKS;
    call->count = fuzz_below(input, MAX_ROWS + 1);
    for (uint32_t i = 0; i < call->count; i++) {
        out->items[i] = has_items ? read_item(run, input) : i;
        out->boxes[i] = read_box(run, input, out->items[i]);
    }
    for (uint32_t i = 0; i < call->count && has_masks; i++) {
        out->masks[i] = fuzz_byte(input);
    }
    call->items = out->items;
    call->boxes = out->boxes;
    call->row_layers = has_masks ? out->masks : NULL;
}

// The volume of a generated query as numbers of any kind, most of them usable.
static void read_numbers(fuzz_input *input, generated_query *out)
{
    float *const numbers[] = {out->point,          out->sphere.center, out->circle.center,
                              out->capsule.from,   out->capsule.to,    out->cone.apex,
                              out->cone.direction, out->ray.origin,    out->ray.direction};
    float *const sizes[] = {&out->sphere.radius,        &out->circle.radius, &out->capsule.radius,
                            &out->cone.length,          &out->ray.length,    &out->ray.half_size[1],
                            out->oriented_box.half_size};
    const uint32_t part = fuzz_byte(input);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        for (uint32_t k = 0; k < 2; k++) { // there are at least two
            if (part & (1u << k)) {
                numbers[i][k] = part & 4 ? fuzz_float(input) : fuzz_finite(input);
            }
        }
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && (part & 8); i++) {
        *sizes[i] = part & 4 ? fuzz_float(input) : fabsf(fuzz_finite(input));
    }
}

// Any shape around the items: mostly as the generator makes it from a seed.
static void read_shape(const session *run, fuzz_input *input, generated_query *out)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(run->checked.tree, &stats);
    const query_ground ground = {.world = {{0, 0}, 64.0f, fmaxf(stats.cell_size, 0x1p-6f)},
                                 .boxes = run->checked.oracle.boxes,
                                 .box_count = run->checked.item_capacity};
    test_random random = {fuzz_u32(input)};
    generate_any_query(&random, &ground, out);
    generate_origin(&random, &ground, out);
    const uint32_t choice = fuzz_byte(input);
    if (choice & 1) {
        read_numbers(input, out);
    }
    if (choice & 2) {
        out->origin = fuzz_box(input);
        out->query.max_distance = fuzz_float(input);
    }
    out->query.flags |= choice & 4 ? (uint32_t)ACRE_QUERY_SORTED : 0;
    out->query.flags |= choice & 8 ? (uint32_t)ACRE_QUERY_STOP_WHEN_FULL : 0;
}

static void read_query(const session *run, fuzz_input *input, generated_query *out)
{
    const uint32_t flags = fuzz_byte(input);
    if ((flags & 48) == 48) {
        read_shape(run, input, out);
        return;
    }
    memset(out, 0, sizeof *out);
    acre_query *const query = &out->query;
    query->flags = flags < 250 ? flags & 3 : flags;
    query->layers = flags & 4 ? fuzz_byte(input) : 0;
    if (flags & 8) {
        out->box = fuzz_box(input);
        query->shape = ACRE_QUERY_SHAPE_AABB;
        query->box = &out->box;
    } else {
        out->frustum = fuzz_frustum(input);
        query->shape = ACRE_QUERY_SHAPE_FRUSTUM;
        query->frustum = &out->frustum;
    }
}

// ---- pairs ----

static acre_pairs_rules read_rules(fuzz_input *input, uint32_t *meets)
{
    const uint32_t flags = fuzz_byte(input);
    memset(meets, 0, 32 * sizeof *meets);
    for (uint32_t layer = 0; layer < 8 && (flags & 4); layer++) { // those that calls set
        meets[layer] = fuzz_byte(input) & fuzz_byte(input);
    }
    return (acre_pairs_rules){.flags = flags < 240 ? flags & 3 : flags,
                              .meets = flags & 4 ? meets : NULL};
}

// What was written for a capacity: pairs of the list, each once, as many as there was room for.
static void check_written(acre_pair *pairs, size_t written, const acre_pair *expected, size_t count)
{
    size_t at = 0;
    sort_pairs(pairs, written);
    for (size_t i = 0; i < written; i++, at++) {
        while (at < count && memcmp(&expected[at], &pairs[i], sizeof *pairs) != 0) {
            at++;
        }
        FUZZ_CHECK(at < count);
    }
}

// What each item answers adds up to all pairs, twice.
static void check_item_pairs(const session *run, const acre_pairs_rules *rules, size_t count)
{
    const brute_force *const oracle = &run->checked.oracle;
    uint32_t items[TOWN_ITEMS];
    size_t sum = 0;
    for (uint32_t item = 0; item < oracle->capacity; item++) {
        size_t total = 0;
        const acre_result result =
            acre_quadtree_item_pairs(run->checked.tree, item, rules, items, TOWN_ITEMS, &total);
        FUZZ_CHECK(result == (oracle->present[item] ? ACRE_OK : ACRE_ERROR_NOT_FOUND));
        FUZZ_CHECK(total < TOWN_ITEMS);
        for (size_t i = 0; i < total; i++) {
            FUZZ_CHECK(items[i] != item &&
                       brute_force_is_pair(&oracle->boxes[item], oracle->layers[item],
                                           &oracle->boxes[items[i]], oracle->layers[items[i]],
                                           rules));
        }
        sum += total;
    }
    FUZZ_CHECK(sum == 2 * count);
}

// Pairs with another tree that has every third item's box.
static void check_between(const session *run, const acre_pairs_rules *rules, size_t room)
{
    static acre_pair pairs[MAX_PAIRS], expected[MAX_PAIRS];
    const brute_force *const oracle = &run->checked.oracle;
    const acre_quadtree_def def = {.half_size = 24, .max_depth = 6, .node_capacity = 2};
    acre_quadtree *second = NULL;
    brute_force copy;
    FUZZ_CHECK(acre_quadtree_create(&def, &second) == ACRE_OK);
    FUZZ_CHECK(brute_force_init(&copy, oracle->capacity));
    for (uint32_t item = 0; item < oracle->capacity; item += 3) {
        if (oracle->present[item]) {
            const uint32_t number = oracle->capacity - 1 - item;
            FUZZ_CHECK(acre_quadtree_insert(second, number, &oracle->boxes[item]) == ACRE_OK);
            FUZZ_CHECK(brute_force_insert(&copy, number, &oracle->boxes[item]) == ACRE_OK);
        }
    }
    size_t total = SIZE_MAX;
    const size_t count = brute_force_pairs(oracle, &copy, rules, expected, MAX_PAIRS);
    FUZZ_CHECK(acre_quadtree_pairs_between(run->checked.tree, second, rules, pairs, room, &total) ==
               ACRE_OK);
    FUZZ_CHECK(total == count);
    check_written(pairs, total < room ? total : room, expected, count);
    acre_quadtree_destroy(second);
    brute_force_free(&copy);
}

// The tracker goes on from the pairs of the last time, by other rules perhaps.
static void check_contacts(session *run, const acre_pairs_rules *rules, const acre_pair *expected,
                           size_t count)
{
    FUZZ_CHECK(run->contacts || acre_contacts_create(NULL, &run->contacts) == ACRE_OK);
    const size_t last_count = acre_contacts_get(run->contacts).now_count;
    FUZZ_CHECK(acre_contacts_update(run->contacts, run->checked.tree, NULL, rules) == ACRE_OK);
    const acre_contacts_lists lists = acre_contacts_get(run->contacts);
    FUZZ_CHECK(lists.now_count == count);
    FUZZ_CHECK(count == 0 || memcmp(lists.now, expected, count * sizeof *expected) == 0);
    FUZZ_CHECK(last_count + lists.began_count == lists.now_count + lists.ended_count);
}

static void check_pairs(session *run, fuzz_input *input)
{
    static acre_pair pairs[MAX_PAIRS], expected[MAX_PAIRS];
    uint32_t meets[32];
    const acre_pairs_rules rules = read_rules(input, meets);
    const uint32_t choice = fuzz_byte(input);
    const size_t room = choice & 1 ? MAX_PAIRS : choice / 2;
    size_t total = SIZE_MAX;
    const acre_result result = acre_quadtree_pairs(run->checked.tree, &rules, pairs, room, &total);
    if (rules.flags & ~3u) {
        FUZZ_CHECK(result == ACRE_ERROR_INVALID_ARGUMENT && total == 0);
        return;
    }
    const size_t count = brute_force_pairs(&run->checked.oracle, NULL, &rules, expected, MAX_PAIRS);
    FUZZ_CHECK(result == ACRE_OK && total == count);
    check_written(pairs, count < room ? count : room, expected, count);
    check_item_pairs(run, &rules, count);
    check_contacts(run, &rules, expected, count);
    check_between(run, &rules, room);
}

// A town anywhere, by inserts or by refreshes of all: far away, and with the upkeep that follows,
// it makes the tree change its lattice.
static void call_town(session *run, fuzz_input *input)
{
    static uint32_t items[TOWN_ITEMS];
    static acre_aabb boxes[TOWN_ITEMS];
    const uint32_t choice = fuzz_byte(input), count = 65 + choice / 2;
    const float x = fuzz_float(input) * (choice & 1 ? 1e6f : 1.0f), z = fuzz_float(input);
    test_random random = {choice};
    for (uint32_t i = 0; i < count; i++) {
        const float east = x + random_float(&random, -64, 64);
        const float south = z + random_float(&random, -64, 64);
        items[i] = i;
        boxes[i] = (acre_aabb){{east, 0, south}, {east + 1, 1, south + 1}};
    }
    const acre_quadtree_call call = {.kind = fuzz_byte(input) & 1 ? ACRE_QUADTREE_CALL_INSERT_MANY
                                                                  : ACRE_QUADTREE_CALL_REFRESH_ALL,
                                     .count = count,
                                     .items = items,
                                     .boxes = boxes};
    session_call(run, &call);
    session_call(run, &(acre_quadtree_call){.kind = ACRE_QUADTREE_CALL_MAINTAIN});
}

// ---- edits from visitors ----

// A visitor that edits the tree that it visits, and reads it.
typedef struct intruder {
    session *run;
    fuzz_input *input;
    uint32_t calls;
} intruder;

// The edits of the list of operations, with arguments that are none of a wrong call, and three
// more.
static acre_result edit(acre_quadtree *tree, uint32_t choice, acre_quadtree_call *call)
{
    switch (choice) {
    case RECORD_OPERATION_COUNT + 1:
        return acre_quadtree_reserve_item(tree, 0, 1);
    case RECORD_OPERATION_COUNT + 2:
        return acre_quadtree_set_tasks(tree, NULL);
    case RECORD_OPERATION_COUNT + 3:
        return acre_quadtree_set_listener(tree, NULL, NULL);
    default:
        call->count = acre_record_operation(choice)->arguments & ARG_ROWS ? call->count : 1;
        return acre_record_operation(choice)->answer == ANSWER_RESULT ||
                       acre_record_operation(choice)->answer == ANSWER_SHIFT
                   ? acre_record_repeat(tree, call, NULL)
                   : ACRE_ERROR_BUSY;
    }
}

// @return whether the visit goes on.
static bool intrude(void *user)
{
    intruder *const inside = user;
    acre_quadtree *const tree = inside->run->checked.tree;
    const uint32_t choice = 1 + fuzz_byte(inside->input) % (RECORD_OPERATION_COUNT + 3);
    acre_quadtree_call call = {.kind = (acre_quadtree_call_kind)choice, .layers = 5};
    rows batch;
    memset(&batch, 0, sizeof batch);
    inside->calls++;
    read_rows(inside->run, inside->input, ARG_ITEMS | ARG_MASKS, &batch, &call);
    const acre_box_array array = {batch.boxes->min, batch.boxes->max, sizeof *batch.boxes,
                                  sizeof *batch.boxes, ACRE_BOX_FORM_MIN_MAX};
    call.array = &array;
    static const double offset[3] = {1.0, 2.0, 3.0};
    call.item = batch.items[0];
    call.offset = offset;
    FUZZ_CHECK(edit(tree, choice, &call) == ACRE_ERROR_BUSY);
#if ACRE_CHECK < 1 // others assert: a visitor must not call these
    acre_quadtree_clear(tree);
    acre_quadtree_destroy(tree);
#endif
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    size_t total = 0;
    FUZZ_CHECK(acre_quadtree_query(tree, &all, NULL, 0, &total) == ACRE_OK);
    FUZZ_CHECK(total == inside->run->checked.oracle.count);
    return fuzz_byte(inside->input) % 8 != 7;
}

static bool intrude_items(void *user, const uint32_t *items, size_t count)
{
    FUZZ_CHECK(items && count > 0);
    return intrude(user);
}

static bool intrude_group(void *user, const acre_item_group *group)
{
    FUZZ_CHECK(group->found != 0);
    return intrude(user);
}

static bool intrude_cell(void *user, const acre_quadtree_place *cell)
{
    FUZZ_CHECK(!cell->is_outlier);
    return intrude(user);
}

static bool intrude_step(void *user, const acre_trace_step *step)
{
    FUZZ_CHECK(step->node != NULL);
    return intrude(user);
}

static bool intrude_text(void *user, const char *text, size_t length)
{
    FUZZ_CHECK(length > 0 && text[length - 1] == '\n');
    return intrude(user);
}

static void intrude_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    FUZZ_CHECK(acre_aabb_is_valid(box) && rgba != 0);
    (void)intrude(user);
}

// A visit of any kind, in which edits must be refused and change nothing.
static void check_intrusion(session *run, fuzz_input *input)
{
    acre_quadtree *const tree = run->checked.tree;
    intruder inside = {run, input, 0};
    generated_query query;
    read_query(run, input, &query);
    const uint64_t state = acre_quadtree_state_hash(tree);
    const uint64_t content = acre_quadtree_content_hash(tree);
    const acre_aabb box = fuzz_box(input);
    const acre_debug_draw draw = {.user = &inside, .box = intrude_box};
    switch (fuzz_byte(input) % 6) {
    case 0:
        ACRE_IGNORE(acre_quadtree_query_visit(tree, &query.query, intrude_items, &inside));
        break;
    case 1:
        ACRE_IGNORE(acre_quadtree_query_visit_groups(tree, &query.query, intrude_group, &inside));
        break;
    case 2:
        ACRE_IGNORE(
            acre_quadtree_visit_cells(tree, &box, ACRE_CELL_BOUNDS_LOOSE, intrude_cell, &inside));
        break;
    case 3:
        ACRE_IGNORE(acre_quadtree_trace(tree, &query.query, intrude_step, &inside));
        break;
    case 4:
        ACRE_IGNORE(acre_quadtree_dump(tree, 0, intrude_text, &inside));
        break;
    default:
        acre_quadtree_debug_draw(tree, &draw);
        break;
    }
    FUZZ_CHECK(acre_quadtree_state_hash(tree) == state);
    FUZZ_CHECK(acre_quadtree_content_hash(tree) == content);
    FUZZ_CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    FUZZ_CHECK(acre_quadtree_maintain_budget(tree, 0) == ACRE_OK); // and it is free again
}

static void call_from_bytes(session *run, fuzz_input *input)
{
    // More inserts and refreshes than anything else.
    static const uint8_t kinds[] = {1,  1, 1,  1,  1,  1,  2,  2,  2,  2,  3,  4,  5,  5,  5,
                                    6,  7, 7,  8,  9,  10, 11, 12, 12, 12, 13, 13, 13, 14, 14,
                                    14, 1, 17, 17, 17, 18, 19, 20, 15, 16, 21, 22, 22, 14};
    const uint32_t byte = fuzz_byte(input);
    if (byte >= 240) {
        check_pairs(run, input);
        return;
    }
    if (byte >= 236) {
        check_intrusion(run, input);
        return;
    }
    if (byte >= 232) {
        call_town(run, input);
        return;
    }
    // A new call is among these, before it has a place above.
    const uint32_t kind =
        byte >= 230 ? 1 + fuzz_byte(input) % RECORD_OPERATION_COUNT : kinds[byte % sizeof kinds];
    acre_quadtree_call call = {.kind = (acre_quadtree_call_kind)kind};
    rows batch;
    acre_box_array array;
    acre_aabb box;
    acre_frustum frustum;
    generated_query query;
    acre_pairs_rules rules;
    uint32_t meets[32];
    const uint32_t args = acre_record_operation(kind)->arguments;
    call.item = args & ARG_ITEM ? read_item(run, input) : 0;
    call.layers = args & ARG_LAYERS ? fuzz_byte(input) : 0;
    if (args & ARG_ROWS) {
        read_rows(run, input, args, &batch, &call);
    } else if (args & ARG_COUNT) {
        call.count = fuzz_below(input, 80);
    }
    if (args & ARG_ARRAY) {
        array = (acre_box_array){batch.boxes->min, batch.boxes->max, sizeof *batch.boxes,
                                 sizeof *batch.boxes, (acre_box_form)(fuzz_byte(input) & 1)};
        call.array = &array;
    }
    if (args & ARG_BOX) {
        box = read_box(run, input, call.item);
        call.boxes = &box;
    }
    if (args & ARG_FRUSTUM) {
        frustum = fuzz_frustum(input);
        call.frustum = &frustum;
    }
    if (args & ARG_QUERY) {
        read_query(run, input, &query);
        call.query = &query.query;
    }
    if (args & ARG_RULES) {
        rules = read_rules(input, meets);
        call.rules = &rules;
    }
    // Whole numbers, fractions that floats hold, and those that they do not.
    const double offset[3] = {fuzz_below(input, 200) * 0.5 - 50.0, fuzz_below(input, 9) - 4.0,
                              fuzz_below(input, 200) / 3.0 - 30.0};
    call.offset = args & ARG_OFFSET ? offset : NULL;
    const record_answer answer = acre_record_operation(kind)->answer;
    call.capacity = answer >= ANSWER_TOTAL ? fuzz_byte(input) : 0;
    session_call(run, &call);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size >= 6 && memcmp(bytes, "acreqt", 6) == 0) {
        run_recording(bytes, size);
        return 0;
    }
    fuzz_input input = {bytes, size, 0};
    const acre_quadtree_def def = read_def(&input);
    session run;
    if (session_begin(&run, &def)) {
        for (uint32_t i = 0; i < MAX_CALLS && fuzz_has_more(&input); i++) {
            call_from_bytes(&run, &input);
        }
        session_end(&run);
    }
    return 0;
}
