// SPDX-License-Identifier: MIT
// test_quadtree_refresh.c - refreshing from a program's own arrays does, bit for bit, what
// refreshing with the same boxes does: every form, stride and kernel, and every refused row.
#include "box_generator.h"
#include "float_modes.h"
#include "test.h"

#include <acre/quadtree_calls.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 700, MOST_KERNELS = 8, PART = 3 * sizeof(float) };

static const box_world world = {{0, 0}, 256, 0.5f};

// Where the parts of a row lie, in bytes from the memory's begin.
typedef struct layout {
    size_t first, first_stride, second, second_stride;
    bool is_shared; // one second part for all rows
} layout;

static const layout layouts[] = {
    {0, 24, 12, 24, false},             // as acre_aabb
    {0, 40, 12, 40, false},             // joined, in a larger record
    {4, 36, 20, 36, false},             // apart, in a record
    {24, 36, 4, 36, false},             // the second part before the first
    {1, 29, 13, 29, false},             // at odd addresses
    {0, 12, PART *ITEMS, 12, false},    // two arrays
    {0, 16, 16 * ITEMS + 3, 20, false}, // two arrays, padded, one of them unaligned
    {PART, 12, 0, 0, true},             // one half size for all
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

// A program's array: exactly as long as its last row, so that a read beyond it is found.
typedef struct program {
    const layout *where;
    unsigned char *memory;
    acre_box_array array;
} program;

static size_t end_of(size_t begin, size_t stride, size_t count)
{
    return begin + (count - 1) * stride + PART;
}

static bool make_program(program *out, const layout *where, acre_box_form form, size_t count)
{
    const size_t first = end_of(where->first, where->first_stride, count);
    const size_t second = end_of(where->second, where->second_stride, count);
    const size_t size = first > second ? first : second;
    *out = (program){.where = where, .memory = malloc(size)};
    if (!out->memory) {
        return false;
    }
    memset(out->memory, 0xa5, size);
    out->array = (acre_box_array){out->memory + where->first, out->memory + where->second,
                                  where->first_stride, where->second_stride, form};
    return true;
}

static void write_row(program *to, size_t row, const float *first, const float *second)
{
    const layout *const at = to->where;
    memcpy(to->memory + at->first + row * at->first_stride, first, PART);
    if (!at->is_shared || row == 0) {
        memcpy(to->memory + at->second + row * at->second_stride, second, PART);
    }
}

// What the header says that a row is, written anew.
static acre_aabb expected_box(const program *of, size_t row)
{
    const layout *const at = of->where;
    float first[3], second[3];
    acre_aabb box;
    memcpy(first, of->memory + at->first + row * at->first_stride, PART);
    memcpy(second, of->memory + at->second + row * at->second_stride, PART);
    for (int axis = 0; axis < 3; axis++) {
        const bool is_centered = of->array.form == ACRE_BOX_FORM_CENTER_EXTENT;
        box.min[axis] = is_centered ? first[axis] - second[axis] : first[axis];
        box.max[axis] = is_centered ? first[axis] + second[axis] : second[axis];
        if (is_centered && !(second[axis] >= 0.0f)) {
            box.min[axis] = NAN;
        }
    }
    return box;
}

// A row of what programs hold: mostly good, sometimes odd, sometimes no box.
static void random_row(test_random *random, acre_box_form form, float *first, float *second)
{
    static const float odd[] = {0.0f,      -0.0f,      INFINITY, -INFINITY,
                                0x1p-149f, -0x1p-149f, FLT_MAX,  NAN};
    const acre_aabb box = box_valid(random, &world);
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = box.min[axis];
        second[axis] = box.max[axis];
        if (form == ACRE_BOX_FORM_CENTER_EXTENT) {
            first[axis] = 0.5f * box.min[axis] + 0.5f * box.max[axis];
            second[axis] = 0.5f * box.max[axis] - 0.5f * box.min[axis];
        }
    }
    if (random_below(random, 40) == 0) {
        const uint32_t axis = random_below(random, 3);
        const float value = odd[random_below(random, sizeof odd / sizeof odd[0])];
        *(random_below(random, 2) ? &first[axis] : &second[axis]) = value;
    }
}

// Small steps keep most items in their cells, where kernels work; others jump.
static void step_rows(test_random *random, program *of, size_t count)
{
    const layout *const at = of->where;
    const bool is_jump = random_below(random, 3) == 0;
    for (size_t row = 0; row < count; row++) {
        float first[3], second[3];
        memcpy(first, of->memory + at->first + row * at->first_stride, PART);
        memcpy(second, of->memory + at->second + row * at->second_stride, PART);
        if (is_jump && random_below(random, 8) == 0) {
            random_row(random, of->array.form, first, second);
        } else {
            const float step = random_float(random, 0.0f, 0.05f);
            first[0] += step;
            second[0] += of->array.form == ACRE_BOX_FORM_MIN_MAX ? step : 0.0f;
        }
        write_row(of, row, first, second);
    }
}

// Two trees: one is refreshed from an array, by some kernel; its twin with boxes, by the scalar
// one.
typedef struct pair {
    acre_quadtree *from_array, *from_boxes;
} pair;

static bool make_pair(pair *out, acre_kernel kernel, uint32_t node_capacity)
{
    acre_quadtree_def def = {.half_size = 256.0f, .node_capacity = node_capacity, .kernel = kernel};
    *out = (pair){NULL, NULL};
    if (acre_quadtree_create(&def, &out->from_array) != ACRE_OK) {
        return false;
    }
    def.kernel = ACRE_KERNEL_SCALAR;
    return acre_quadtree_create(&def, &out->from_boxes) == ACRE_OK;
}

static void destroy_pair(pair *of)
{
    acre_quadtree_destroy(of->from_array);
    acre_quadtree_destroy(of->from_boxes);
}

static bool are_equal(const pair *of)
{
    const acre_quadtree_report a = acre_quadtree_last_report(of->from_array);
    const acre_quadtree_report b = acre_quadtree_last_report(of->from_boxes);
    return acre_quadtree_state_hash(of->from_array) == acre_quadtree_state_hash(of->from_boxes) &&
           a.refused == b.refused && a.first_row == b.first_row && a.first_result == b.first_result;
}

static void refresh_both(test_random *random, pair *of, const program *from, size_t count)
{
    static acre_aabb boxes[ITEMS];
    static uint32_t items[ITEMS];
    for (size_t row = 0; row < count; row++) {
        boxes[row] = expected_box(from, row);
        items[row] = random_below(random, ITEMS + 5);
    }
    acre_result got, wanted;
    if (random_below(random, 2)) {
        got = acre_quadtree_refresh_many_from(of->from_array, items, &from->array, count);
        wanted = acre_quadtree_refresh_many(of->from_boxes, items, boxes, count);
    } else {
        got = acre_quadtree_refresh_all_from(of->from_array, &from->array, count);
        wanted = acre_quadtree_refresh_all(of->from_boxes, boxes, count);
    }
    CHECK(got == wanted && got == acre_quadtree_last_report(of->from_array).first_result);
    CHECK(are_equal(of));
}

static void insert_both(test_random *random, pair *of)
{
    for (uint32_t item = 0; item < ITEMS; item++) {
        const acre_aabb box = box_valid(random, &world);
        if (random_below(random, 16) != 0) {
            CHECK(acre_quadtree_insert(of->from_array, item, &box) == ACRE_OK);
            CHECK(acre_quadtree_insert(of->from_boxes, item, &box) == ACRE_OK);
        }
    }
}

static void run_layout(test_random *random, acre_kernel kernel, const layout *where,
                       acre_box_form form)
{
    pair trees;
    program from = {NULL, NULL, {.first = NULL}};
    const uint32_t capacity = random_below(random, 2) ? 8 : 64;
    CHECK(make_pair(&trees, kernel, capacity) && make_program(&from, where, form, ITEMS));
    insert_both(random, &trees);
    for (size_t row = 0; row < ITEMS; row++) {
        float first[3], second[3];
        random_row(random, form, first, second);
        write_row(&from, row, first, second);
    }
    for (uint32_t round = 0; round < 12 * test_scale; round++) {
        const bool is_part = random_below(random, 4) == 0;
        refresh_both(random, &trees, &from, is_part ? random_below(random, ITEMS) : ITEMS);
        step_rows(random, &from, ITEMS);
    }
    char message[160];
    CHECK(acre_quadtree_validate(trees.from_array, message, sizeof message) == ACRE_OK);
    free(from.memory);
    destroy_pair(&trees);
}

static void every_layout_and_kernel_equals_the_plain_calls(void)
{
    test_random random = {test_seed};
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel <= ACRE_KERNEL_AVX512; kernel++) {
        acre_quadtree *tree;
        if (acre_quadtree_create(&(acre_quadtree_def){.kernel = (acre_kernel)kernel}, &tree) !=
            ACRE_OK) {
            continue; // not built, or not for this processor
        }
        acre_quadtree_destroy(tree);
        for (uint32_t i = 0; i < LAYOUTS; i++) {
            run_layout(&random, (acre_kernel)kernel, &layouts[i], ACRE_BOX_FORM_CENTER_EXTENT);
            if (!layouts[i].is_shared) {
                run_layout(&random, (acre_kernel)kernel, &layouts[i], ACRE_BOX_FORM_MIN_MAX);
            }
        }
    }
}

static void ignore_call(void *context, const acre_quadtree_call *call)
{
    (void)context, (void)call;
}

// Three trees: in one call, one by one, and one by one with a listener, which takes a longer way.
static void one_by_one_with_or_without_a_listener_equals_many(void)
{
    static acre_aabb boxes[ITEMS];
    static uint32_t items[ITEMS];
    test_random random = {test_seed};
    acre_quadtree *trees[3];
    for (int i = 0; i < 3; i++) {
        const acre_quadtree_def def = {.half_size = 256.0f, .node_capacity = 16};
        CHECK(acre_quadtree_create(&def, &trees[i]) == ACRE_OK);
    }
    CHECK(acre_quadtree_set_listener(trees[2], ignore_call, NULL) == ACRE_OK);
    for (uint32_t item = 0; item < ITEMS; item++) {
        boxes[item] = box_valid(&random, &world);
        items[item] = item;
        for (int i = 0; i < 3; i++) {
            CHECK(acre_quadtree_insert(trees[i], item, &boxes[item]) == ACRE_OK);
        }
    }
    for (uint32_t round = 0; round < 40 * test_scale; round++) {
        for (uint32_t row = 0; row < ITEMS; row++) {
            boxes[row] =
                round % 4 ? box_moved(&random, &world, &boxes[row]) : box_any(&random, &world);
        }
        acre_result first = ACRE_OK;
        for (uint32_t row = 0; row < ITEMS; row++) {
            const acre_result result = acre_quadtree_refresh(trees[1], items[row], &boxes[row]);
            first = first == ACRE_OK ? result : first;
            CHECK(acre_quadtree_refresh(trees[2], items[row], &boxes[row]) == result);
        }
        CHECK(acre_quadtree_refresh_many(trees[0], items, boxes, ITEMS) == first);
        CHECK(acre_quadtree_state_hash(trees[0]) == acre_quadtree_state_hash(trees[1]));
        CHECK(acre_quadtree_state_hash(trees[0]) == acre_quadtree_state_hash(trees[2]));
    }
    for (int i = 0; i < 3; i++) {
        CHECK(acre_quadtree_validate(trees[i], NULL, 0) == ACRE_OK);
        acre_quadtree_destroy(trees[i]);
    }
}

static acre_box_array centered(const float *middles, const float *halves)
{
    return (acre_box_array){middles, halves, PART, PART, ACRE_BOX_FORM_CENTER_EXTENT};
}

static void a_middle_and_a_half_size_are_the_box_between_their_difference_and_sum(void)
{
    acre_quadtree *tree;
    acre_aabb box;
    const uint32_t item = 0;
    const float middles[][3] = {{1.5f, 2.0f, -3.0f}}, halves[][3] = {{0.5f, 0.0f, 4.0f}};
    const acre_box_array array = centered(middles[0], halves[0]);
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, item, &(acre_aabb){{0, 0, 0}, {1, 1, 1}}) == ACRE_OK);
    CHECK(acre_quadtree_refresh_many_from(tree, &item, &array, 1) == ACRE_OK);
    CHECK(acre_quadtree_get_box(tree, item, &box) == ACRE_OK);
    CHECK(box.min[0] == 1.0f && box.min[1] == 2.0f && box.min[2] == -7.0f);
    CHECK(box.max[0] == 2.0f && box.max[1] == 2.0f && box.max[2] == 1.0f);
    acre_quadtree_destroy(tree);
}

// Large middles swallow small sizes: the difference and the sum are equal, the sign still counts.
static void a_negative_or_nan_half_size_is_refused_however_small(void)
{
    const float bad[] = {-1.0f, -0x1p-149f, NAN, -INFINITY};
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            acre_quadtree *tree;
            float middles[20][3], halves[20][3];
            uint32_t items[20];
            CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
            for (uint32_t row = 0; row < 20; row++) {
                items[row] = row;
                for (uint32_t k = 0; k < 3; k++) {
                    middles[row][k] = 900.0f;
                    halves[row][k] = 1.0f;
                }
                CHECK(acre_quadtree_insert(tree, row, &(acre_aabb){{9, 9, 9}, {9, 9, 9}}) ==
                      ACRE_OK);
            }
            halves[13][axis] = halves[17][axis] = bad[i];
            const acre_box_array array = centered(middles[0], halves[0]);
            acre_result result = acre_quadtree_refresh_many_from(tree, items, &array, 20);
            acre_quadtree_report report = acre_quadtree_last_report(tree);
            CHECK(result == ACRE_ERROR_INVALID_ARGUMENT && report.first_result == result);
            CHECK(report.refused == 2 && report.first_row == 13);
            result = acre_quadtree_refresh_all_from(tree, &array, 20);
            report = acre_quadtree_last_report(tree);
            CHECK(result == ACRE_ERROR_INVALID_ARGUMENT && report.first_result == result);
            CHECK(report.refused == 2 && report.first_row == 13);
            acre_aabb box;
            CHECK(acre_quadtree_get_box(tree, 13, &box) == ACRE_OK && box.min[0] == 9.0f);
            CHECK(acre_quadtree_get_box(tree, 14, &box) == ACRE_OK && box.min[0] == 899.0f);
            acre_quadtree_destroy(tree);
        }
    }
}

static void rows_of_absent_items_are_refused_by_many_and_ignored_by_all(void)
{
    acre_quadtree *tree;
    const float middles[3][3] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
    const float halves[3][3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    const acre_box_array array = centered(middles[0], halves[0]);
    const uint32_t items[3] = {0, 7, UINT32_MAX};
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 0, &(acre_aabb){{9, 9, 9}, {9, 9, 9}}) == ACRE_OK);
    CHECK(acre_quadtree_refresh_all_from(tree, &array, 3) == ACRE_OK);
    CHECK(acre_quadtree_last_report(tree).refused == 0);
    CHECK(acre_quadtree_refresh_many_from(tree, items, &array, 3) == ACRE_ERROR_NOT_FOUND);
    const acre_quadtree_report report = acre_quadtree_last_report(tree);
    CHECK(report.refused == 2 && report.first_row == 1);
    CHECK(report.first_result == ACRE_ERROR_NOT_FOUND);
    acre_quadtree_destroy(tree);
}

// More blocks than caches hold: the tree guesses what is refreshed next. Wherever the guess leads.
static void items_of_a_large_tree_are_refreshed_in_steps_of_any_width(void)
{
    enum { SIDE = 640, COUNT = SIDE * SIDE };
    static const uint32_t steps[] = {1,       7, 0, 333, COUNT / 2, UINT32_MAX, UINT32_MAX - 40,
                                     1u << 31};
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 256, .node_capacity = 1};
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t item = 0; item < COUNT; item++) {
        const float x = (float)(item % SIDE) * 5 - 250, z = (float)(item / SIDE) * 5 - 250;
        const acre_aabb box = {{x, 0, z}, {x + 1, 1, z + 1}};
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    CHECK(stats.bytes_blocks > (size_t)24 << 20);
    for (uint32_t item = 0; item < COUNT; item += 10) {
        CHECK(acre_quadtree_remove(tree, item) == ACRE_OK);
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        uint32_t item = COUNT / 3;
        for (uint32_t round = 0; round < COUNT; round++, item += steps[i]) {
            const float x = (float)(item % SIDE) * 5 - 250 + 0.001f * (float)(round % 100);
            const acre_aabb box = {{x, 0, 7}, {x + 1, (float)i, 8}};
            acre_aabb got;
            const bool is_there = item < COUNT && item % 10 != 0;
            CHECK(acre_quadtree_refresh(tree, item, &box) ==
                  (is_there ? ACRE_OK : ACRE_ERROR_NOT_FOUND));
            CHECK((acre_quadtree_get_box(tree, item, &got) == ACRE_OK) == is_there);
            CHECK(!is_there || memcmp(&got, &box, sizeof box) == 0);
        }
        CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    }
    acre_quadtree_destroy(tree);
}

// ---- edges smaller than FLT_MIN ----

typedef struct tiny_case {
    const char *what;
    float min, max;  // edges of one axis
    bool is_refused; // by every call, in every float mode
} tiny_case;

static const tiny_case tiny_cases[] = {
    {"a normal side", -3.0f, 2.0f, false},
    {"no side", 0.0f, 0.0f, false},
    {"no side elsewhere", 0.5f, 0.5f, false},
    {"zeros of both signs", 0.0f, -0.0f, false},
    {"denormals", -1e-40f, 1e-45f, false},
    {"one denormal", 1e-45f, 1e-45f, false},
    {"denormal and normal", 1e-39f, 4.0f, false},
    {"normal and denormal", -4.0f, -1e-39f, false},
    {"inverted by one denormal", 0.0f, -1e-45f, true},
    {"inverted above 0", 2e-40f, 1e-40f, true},
    {"inverted below 0", -1e-40f, -2e-40f, true},
    {"inverted by less than the least normal", 1.25f * FLT_MIN, FLT_MIN, true},
    {"inverted by the least normal", 0.0f, -FLT_MIN, true},
    {"inverted", 1.0f, -1.0f, true},
};

enum { TINY_CASES = sizeof tiny_cases / sizeof tiny_cases[0], TINY_ITEMS = 40 };
typedef enum tiny_call { BY_ONE, BY_MANY, BY_ALL, BY_PARTS, TINY_CALLS } tiny_call;

static acre_result refresh_first(acre_quadtree *tree, tiny_call call, const acre_aabb *boxes)
{
    const uint32_t items[] = {0};
    const acre_box_array parts = {boxes->min, boxes->max, sizeof *boxes, sizeof *boxes,
                                  ACRE_BOX_FORM_MIN_MAX};
    switch (call) {
    case BY_ONE:
        return acre_quadtree_refresh(tree, 0, boxes);
    case BY_MANY:
        return acre_quadtree_refresh_many(tree, items, boxes, 1);
    case BY_ALL:
        return acre_quadtree_refresh_all(tree, boxes, TINY_ITEMS);
    default:
        return acre_quadtree_refresh_all_from(tree, &parts, TINY_ITEMS);
    }
}

// By bits, but -0 as +0: no float mode counts.
static bool has_box(const acre_quadtree *tree, const acre_aabb *expected)
{
    acre_aabb box;
    bool ok = acre_quadtree_get_box(tree, 0, &box) == ACRE_OK;
    for (int axis = 0; axis < 3; axis++) {
        const float edges[2] = {expected->min[axis], expected->max[axis]};
        const float stored[2] = {box.min[axis], box.max[axis]};
        for (int i = 0; i < 2; i++) {
            uint32_t wanted, found;
            memcpy(&wanted, &edges[i], sizeof wanted);
            memcpy(&found, &stored[i], sizeof found);
            ok &= found == (wanted << 1 == 0 ? 0 : wanted);
        }
    }
    return ok;
}

// One box of a crowd gets other edges along one axis, by every call that takes boxes.
static bool tiny_edges_are_judged(acre_kernel kernel, const tiny_case *of, int axis, tiny_call call)
{
    const acre_aabb usual = {{-1, -1, -1}, {1, 1, 1}};
    acre_aabb boxes[TINY_ITEMS];
    uint32_t items[TINY_ITEMS];
    for (uint32_t i = 0; i < TINY_ITEMS; i++) {
        boxes[i] = usual;
        items[i] = i;
    }
    acre_quadtree *tree;
    const acre_quadtree_def def = {.half_size = 64, .max_depth = 4, .kernel = kernel};
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK &&
              acre_quadtree_insert_many(tree, items, boxes, TINY_ITEMS) == ACRE_OK;
    boxes[0].min[axis] = of->min;
    boxes[0].max[axis] = of->max;
    const acre_result expected = of->is_refused ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK;
    ok = ok && refresh_first(tree, call, boxes) == expected;
    ok = ok && has_box(tree, of->is_refused ? &usual : &boxes[0]);
    acre_quadtree_clear(tree);
    ok = ok && acre_quadtree_insert(tree, 0, boxes) == expected;
    ok = ok && (of->is_refused ? !acre_quadtree_contains(tree, 0) : has_box(tree, &boxes[0]));
    acre_quadtree_clear(tree);
    ok = ok && acre_quadtree_insert_many(tree, items, boxes, TINY_ITEMS) == expected;
    ok = ok && (of->is_refused ? !acre_quadtree_contains(tree, 0) : has_box(tree, &boxes[0]));
    acre_quadtree_destroy(tree);
    return ok;
}

static void tiny_edges_are_judged_by_their_bits_and_stored_as_they_are(void)
{
    for (uint32_t mode = 0; mode < FLOAT_MODE_COUNT; mode++) {
        const char *wrong = NULL;
        const float_mode before = float_mode_enter(mode);
        for (uint32_t i = 0; i < MOST_KERNELS * TINY_CASES * 3 * TINY_CALLS; i++) {
            const acre_kernel kernel = (acre_kernel)(i % MOST_KERNELS);
            const tiny_case *const of = &tiny_cases[i / MOST_KERNELS % TINY_CASES];
            const int axis = (int)(i / (MOST_KERNELS * TINY_CASES) % 3);
            const tiny_call call = (tiny_call)(i / (MOST_KERNELS * TINY_CASES * 3));
            acre_quadtree *tree = NULL;
            const acre_quadtree_def def = {.kernel = kernel};
            const bool is_there = acre_quadtree_create(&def, &tree) == ACRE_OK;
            acre_quadtree_destroy(tree);
            if (is_there && !tiny_edges_are_judged(kernel, of, axis, call)) {
                wrong = of->what;
            }
        }
        float_mode_leave(before);
        if (wrong) {
            printf("     mode %u: %s\n", (unsigned)mode, wrong);
        }
        CHECK(!wrong);
    }
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(every_layout_and_kernel_equals_the_plain_calls),
        TEST(one_by_one_with_or_without_a_listener_equals_many),
        TEST(a_middle_and_a_half_size_are_the_box_between_their_difference_and_sum),
        TEST(a_negative_or_nan_half_size_is_refused_however_small),
        TEST(rows_of_absent_items_are_refused_by_many_and_ignored_by_all),
        TEST(items_of_a_large_tree_are_refreshed_in_steps_of_any_width),
        TEST(tiny_edges_are_judged_by_their_bits_and_stored_as_they_are),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
