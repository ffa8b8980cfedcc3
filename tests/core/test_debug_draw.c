// SPDX-License-Identifier: MIT
// test_debug_draw.c - boxes and texts as a back end can take them: kinds, an area, lines alone.
#include "test.h"

#include <acre/debug_draw.h>

#include <math.h>
#include <string.h>

// The calls of a back end.
typedef struct drawn {
    float lines[16][6];
    uint32_t line_count, box_count, text_count, kind_count;
    uint32_t kind, rgba;
    acre_aabb box;
} drawn;

static void note_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    drawn *const out = (drawn *)user;
    if (out->line_count < 16) {
        memcpy(out->lines[out->line_count], a, 3 * sizeof *a);
        memcpy(out->lines[out->line_count] + 3, b, 3 * sizeof *b);
    }
    out->line_count++;
    out->rgba = rgba;
}

static void note_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    drawn *const out = (drawn *)user;
    out->box_count++;
    out->box = *box;
    out->rgba = rgba;
}

static void note_text(void *user, const float *at, const char *text, uint32_t rgba)
{
    drawn *const out = (drawn *)user;
    (void)at;
    out->text_count += strcmp(text, "7") == 0;
    out->rgba = rgba;
}

static void note_kind(void *user, uint32_t kind)
{
    drawn *const out = (drawn *)user;
    out->kind_count++;
    out->kind = kind;
}

static acre_debug_draw draw_into(drawn *out)
{
    memset(out, 0, sizeof *out);
    return (acre_debug_draw){
        .user = out, .line = note_line, .box = note_box, .text = note_text, .kind = note_kind};
}

static const acre_aabb small_box = {{-1, 2, 3}, {4, 6, 8}};

static void a_box_goes_to_the_function_for_boxes(void)
{
    drawn out;
    const acre_debug_draw draw = draw_into(&out);
    const acre_aabb endless = {{-INFINITY, 0, 0}, {INFINITY, 1, INFINITY}};
    acre_debug_draw_box(&draw, ACRE_DEBUG_ITEMS, &small_box, 0x11223344u);
    CHECK(out.box_count == 1 && out.line_count == 0 && out.rgba == 0x11223344u);
    CHECK(memcmp(&out.box, &small_box, sizeof small_box) == 0);
    CHECK(out.kind_count == 1 && out.kind == ACRE_DEBUG_ITEMS);
    acre_debug_draw_box(&draw, 0, &endless, 1);
    CHECK(out.box_count == 2 && out.kind_count == 1);
    CHECK(memcmp(&out.box, &endless, sizeof endless) == 0);
}

// Each edge of a box once: its ends differ in one axis, and are edges of the box in all.
static bool are_edges(const drawn *out, const acre_aabb *box, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const float *const a = out->lines[i], *const b = a + 3;
        int differing = 0;
        for (int k = 0; k < 3; k++) {
            const bool is_along = a[k] == box->min[k] && b[k] == box->max[k];
            const bool is_across = a[k] == b[k] && (a[k] == box->min[k] || a[k] == box->max[k]);
            differing += is_along && a[k] != b[k];
            if (!is_along && !is_across) {
                return false;
            }
        }
        for (uint32_t j = 0; j < i; j++) {
            if (memcmp(out->lines[i], out->lines[j], sizeof out->lines[i]) == 0) {
                return false;
            }
        }
        if (differing != 1) {
            return false;
        }
    }
    return out->line_count == count;
}

static void a_back_end_of_lines_gets_twelve_edges_and_four_of_a_flat_box(void)
{
    drawn out;
    acre_debug_draw draw = draw_into(&out);
    draw.box = NULL;
    acre_debug_draw_box(&draw, ACRE_DEBUG_STORED_BOUNDS, &small_box, 5);
    CHECK(are_edges(&out, &small_box, 12) && out.kind_count == 1 && out.rgba == 5);
    const acre_aabb square = {{0, 0, 0}, {2, 0, 4}};
    draw = draw_into(&out);
    draw.box = NULL;
    acre_debug_draw_box(&draw, 0, &square, 5);
    CHECK(are_edges(&out, &square, 4) && out.kind_count == 0);
}

static void lines_of_an_infinite_box_end_at_the_area_or_are_left_out(void)
{
    drawn out;
    acre_debug_draw draw = draw_into(&out);
    const acre_aabb column = {{1, -INFINITY, 1}, {2, INFINITY, INFINITY}};
    const acre_aabb area = {{0, -5, 0}, {10, 5, 10}}, cut = {{1, -5, 1}, {2, 5, 10}};
    draw.box = NULL;
    acre_debug_draw_box(&draw, 0, &column, 5);
    CHECK(out.line_count == 0);
    draw.area = &area;
    acre_debug_draw_box(&draw, 0, &column, 5);
    CHECK(are_edges(&out, &cut, 12));
}

static void flags_and_area_choose_what_is_drawn(void)
{
    drawn out;
    acre_debug_draw draw = draw_into(&out);
    const acre_aabb near = {{4, 100, 8}, {9, 101, 9}}, beside = {{4.5f, 2, 3}, {9, 6, 8}};
    const acre_aabb behind = {{-1, 2, 8.5f}, {4, 6, 9}};
    draw.flags = ACRE_DEBUG_ITEMS | ACRE_DEBUG_COUNTS;
    acre_debug_draw_box(&draw, ACRE_DEBUG_LOOSE_CELLS, &small_box, 1);
    CHECK(out.box_count == 0 && out.kind_count == 0);
    acre_debug_draw_box(&draw, ACRE_DEBUG_ITEMS, &small_box, 1);
    acre_debug_draw_box(&draw, 0, &small_box, 1);
    CHECK(out.box_count == 2);
    acre_debug_draw_text(&draw, ACRE_DEBUG_ITEMS, (float[]){0, 0, 0}, "7", 1);
    acre_debug_draw_text(&draw, ACRE_DEBUG_COUNTS, (float[]){0, 0, 0}, "7", 1);
    acre_debug_draw_text(&draw, ACRE_DEBUG_STRICT_CELLS, (float[]){0, 0, 0}, "7", 1);
    CHECK(out.text_count == 2 && out.kind_count == 3);
    draw = draw_into(&out);
    draw.area = &near; // touches the small box in x and z
    acre_debug_draw_box(&draw, 0, &small_box, 1);
    CHECK(out.box_count == 1);
    acre_debug_draw_text(&draw, 0, (float[]){5, 0, 8.5f}, "7", 1);
    acre_debug_draw_text(&draw, 0, (float[]){5, 0, 7.5f}, "7", 1);
    CHECK(out.text_count == 1);
    draw.area = &small_box;
    acre_debug_draw_box(&draw, 0, &beside, 1);
    acre_debug_draw_box(&draw, 0, &behind, 1);
    CHECK(out.box_count == 1);
}

static void broken_shapes_and_missing_functions_are_left_out(void)
{
    drawn out;
    acre_debug_draw draw = draw_into(&out);
    const acre_aabb empty = acre_aabb_empty(), broken = {{0, 0, 0}, {1, NAN, 1}};
    acre_debug_draw_box(&draw, 0, &empty, 1);
    acre_debug_draw_box(&draw, 0, &broken, 1);
    acre_debug_draw_text(&draw, 0, (float[]){0, INFINITY, 0}, "7", 1);
    CHECK(out.box_count == 0 && out.text_count == 0);
    draw = (acre_debug_draw){.user = NULL};
    acre_debug_draw_box(&draw, ACRE_DEBUG_ITEMS, &small_box, 1);
    acre_debug_draw_text(&draw, ACRE_DEBUG_COUNTS, (float[]){0, 0, 0}, "7", 1);
    draw = draw_into(&out);
    test_expect_asserts(true);
    acre_debug_draw_box(NULL, 0, &small_box, 1);
    acre_debug_draw_box(&draw, 0, NULL, 1);
    acre_debug_draw_text(NULL, 0, (float[]){0, 0, 0}, "7", 1);
    acre_debug_draw_text(&draw, 0, NULL, "7", 1);
    acre_debug_draw_text(&draw, 0, (float[]){0, 0, 0}, NULL, 1);
    const uint32_t asserts = test_take_asserts();
    test_expect_asserts(false);
    CHECK(out.box_count == 0 && out.text_count == 0);
#if ACRE_CHECK >= 1
    CHECK(asserts == 5);
#else
    CHECK(asserts == 0);
#endif
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_box_goes_to_the_function_for_boxes),
        TEST(a_back_end_of_lines_gets_twelve_edges_and_four_of_a_flat_box),
        TEST(lines_of_an_infinite_box_end_at_the_area_or_are_left_out),
        TEST(flags_and_area_choose_what_is_drawn),
        TEST(broken_shapes_and_missing_functions_are_left_out),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
