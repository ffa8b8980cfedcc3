// SPDX-License-Identifier: MIT
// test_quadtree_picture.c - debug drawing of a tree: each kind of thing is drawn once, where it is.
//     test_quadtree_picture --write FILE    writes the picture of a small tree instead
#include "test.h"

#include <acre/debug_svg.h>
#include <acre/quadtree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 700 };

typedef struct drawn {
    size_t boxes, texts, lines;
    size_t text_sum;
    acre_aabb around;
    uint32_t colors[8];
    size_t color_count;
} drawn;

static void note_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    drawn *const out = (drawn *)user;
    out->boxes++;
    out->around = acre_aabb_merge(&out->around, box);
    for (size_t i = 0; i < out->color_count; i++) {
        if (out->colors[i] == rgba) {
            return;
        }
    }
    if (out->color_count < 8) {
        out->colors[out->color_count++] = rgba;
    }
}

static void note_text(void *user, const float *at, const char *text, uint32_t rgba)
{
    drawn *const out = (drawn *)user;
    (void)at;
    (void)rgba;
    out->texts++;
    out->text_sum += (size_t)strtoul(text, NULL, 10);
}

static void note_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    (void)a;
    (void)b;
    (void)rgba;
    ((drawn *)user)->lines++;
}

static acre_debug_draw draw_into(drawn *out, uint32_t flags)
{
    *out = (drawn){.around = acre_aabb_empty()};
    return (acre_debug_draw){
        .user = out, .flags = flags, .line = note_line, .box = note_box, .text = note_text};
}

// A tree of small boxes that stand closer towards one corner; NULL where a call failed.
static acre_quadtree *small_tree(acre_aabb *boxes)
{
    const acre_quadtree_def def = {.half_size = 64, .max_depth = 5, .node_capacity = 8};
    acre_quadtree *tree = NULL;
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return NULL;
    }
    test_random random = {test_seed};
    for (uint32_t i = 0; i < ITEMS; i++) {
        for (int k = 0; k < 3; k++) {
            const float u = random_float(&random, 0, 1);
            boxes[i].min[k] = 120.0f * u * u - 60.0f;
            boxes[i].max[k] = boxes[i].min[k] + random_float(&random, 0.2f, i % 20 ? 1 : 10);
        }
        if (acre_quadtree_insert(tree, i, &boxes[i]) != ACRE_OK) {
            acre_quadtree_destroy(tree);
            return NULL;
        }
    }
    return tree;
}

static void each_kind_is_drawn_alone_and_all_together(void)
{
    static acre_aabb boxes[ITEMS];
    acre_quadtree *const tree = small_tree(boxes);
    CHECK(tree);
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    CHECK(stats.outliers == 0 && stats.nodes > 20);
    drawn out;
    size_t boxes_of_kinds = 0;
    for (uint32_t kind = ACRE_DEBUG_STRICT_CELLS; kind <= ACRE_DEBUG_ITEMS; kind <<= 1) {
        const acre_debug_draw draw = draw_into(&out, kind);
        acre_quadtree_debug_draw(tree, &draw);
        CHECK(out.texts == 0 && out.lines == 0 && out.color_count == 1);
        CHECK(kind != ACRE_DEBUG_STRICT_CELLS || out.boxes == stats.nodes);
        CHECK(kind != ACRE_DEBUG_LOOSE_CELLS || out.boxes == stats.nodes);
        CHECK(kind != ACRE_DEBUG_STORED_BOUNDS || (out.boxes > 20 && out.boxes <= stats.nodes));
        CHECK(kind != ACRE_DEBUG_ITEMS || out.boxes == ITEMS);
        boxes_of_kinds += out.boxes;
    }
    acre_debug_draw draw = draw_into(&out, ACRE_DEBUG_COUNTS);
    acre_quadtree_debug_draw(tree, &draw);
    CHECK(out.boxes == 0 && out.texts > 20 && out.text_sum == ITEMS);
    draw = draw_into(&out, 0);
    acre_quadtree_debug_draw(tree, &draw);
    CHECK(out.boxes == boxes_of_kinds && out.text_sum == ITEMS && out.color_count == 4);
    acre_quadtree_destroy(tree);
}

static void cells_items_and_bounds_lie_within_each_other(void)
{
    static acre_aabb boxes[ITEMS];
    acre_quadtree *const tree = small_tree(boxes);
    CHECK(tree);
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    drawn strict, loose, stored, items;
    acre_debug_draw draw = draw_into(&strict, ACRE_DEBUG_STRICT_CELLS);
    acre_quadtree_debug_draw(tree, &draw);
    draw = draw_into(&loose, ACRE_DEBUG_LOOSE_CELLS);
    acre_quadtree_debug_draw(tree, &draw);
    draw = draw_into(&stored, ACRE_DEBUG_STORED_BOUNDS);
    acre_quadtree_debug_draw(tree, &draw);
    draw = draw_into(&items, ACRE_DEBUG_ITEMS);
    acre_quadtree_debug_draw(tree, &draw);
    for (int k = 0; k < 2; k++) {
        const int axis = 2 * k;
        const float half = 0.5f * (stats.root_max[k] - stats.root_min[k]);
        CHECK(strict.around.min[axis] == stats.root_min[k]);
        CHECK(strict.around.max[axis] == stats.root_max[k]);
        // Loose bounds are the cell grown by half its size, and a little for rounding.
        CHECK(loose.around.min[axis] <= stats.root_min[k] - half);
        CHECK(loose.around.min[axis] >= stats.root_min[k] - half * 1.001f);
        CHECK(loose.around.max[axis] >= stats.root_max[k] + half);
        CHECK(loose.around.max[axis] <= stats.root_max[k] + half * 1.001f);
        CHECK(stored.around.min[axis] <= items.around.min[axis]);
        CHECK(stored.around.max[axis] >= items.around.max[axis]);
        CHECK(stored.around.min[axis] >= loose.around.min[axis]);
        CHECK(stored.around.max[axis] <= loose.around.max[axis]);
    }
    acre_quadtree_destroy(tree);
}

static void missing_functions_and_objects_are_passed_over(void)
{
    static acre_aabb boxes[ITEMS];
    acre_quadtree *const tree = small_tree(boxes);
    CHECK(tree);
    drawn out;
    acre_debug_draw draw = draw_into(&out, 0);
    draw.box = NULL;
    acre_quadtree_debug_draw(tree, &draw);
    CHECK(out.boxes == 0 && out.lines > 0 && out.text_sum == ITEMS);
    draw = draw_into(&out, 0);
    draw.box = NULL;
    draw.line = NULL;
    acre_quadtree_debug_draw(tree, &draw);
    CHECK(out.boxes == 0 && out.lines == 0 && out.text_sum == ITEMS);
    draw = draw_into(&out, 0);
    draw.text = NULL;
    acre_quadtree_debug_draw(tree, &draw);
    CHECK(out.boxes > ITEMS && out.texts == 0);
    test_expect_asserts(true);
    acre_quadtree_debug_draw(NULL, &draw);
    acre_quadtree_debug_draw(tree, NULL);
    test_expect_asserts(false);
    CHECK(test_take_asserts() == (ACRE_CHECK >= 1 ? 2 : 0));
    draw = (acre_debug_draw){.user = NULL};
    acre_quadtree_debug_draw(tree, &draw);
    acre_quadtree_destroy(tree);
}

// Adds up what is drawn by kind.
typedef struct kind_counts {
    uint32_t current;
    size_t boxes[5], lines[5], texts;
    size_t edges[5];  // of all boxes; a flat one has four
    acre_aabb around; // of all lines
} kind_counts;

static size_t *of_kind(kind_counts *out, size_t *counts)
{
    int kind = 0;
    while (out->current >> (kind + 1)) {
        kind++;
    }
    return &counts[kind];
}

static void enter_kind(void *user, uint32_t kind)
{
    ((kind_counts *)user)->current = kind;
}

static void count_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    kind_counts *const out = (kind_counts *)user;
    (void)rgba;
    ++*of_kind(out, out->boxes);
    *of_kind(out, out->edges) += box->min[1] == box->max[1] ? 4 : 12;
}

static void count_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    kind_counts *const out = (kind_counts *)user;
    acre_aabb line;
    (void)rgba;
    for (int k = 0; k < 3; k++) {
        line.min[k] = a[k] < b[k] ? a[k] : b[k];
        line.max[k] = a[k] < b[k] ? b[k] : a[k];
    }
    out->around = acre_aabb_merge(&out->around, &line);
    ++*of_kind(out, out->lines);
}

static void count_text(void *user, const float *at, const char *text, uint32_t rgba)
{
    kind_counts *const out = (kind_counts *)user;
    (void)at;
    (void)text;
    (void)rgba;
    out->texts += out->current == ACRE_DEBUG_COUNTS;
}

static kind_counts draw_kinds(const acre_quadtree *tree, bool has_boxes, const acre_aabb *area)
{
    kind_counts out = {.around = acre_aabb_empty()};
    const acre_debug_draw draw = {.user = &out,
                                  .line = count_line,
                                  .box = has_boxes ? count_box : NULL,
                                  .text = count_text,
                                  .kind = enter_kind,
                                  .area = area};
    acre_quadtree_debug_draw(tree, &draw);
    return out;
}

static void a_back_end_of_lines_alone_draws_every_box_by_its_edges(void)
{
    static acre_aabb boxes[ITEMS];
    acre_quadtree *const tree = small_tree(boxes);
    CHECK(tree);
    const kind_counts by_boxes = draw_kinds(tree, true, NULL);
    const kind_counts by_lines = draw_kinds(tree, false, NULL);
    for (int kind = 0; kind < 4; kind++) {
        CHECK(by_boxes.boxes[kind] > 20 && by_boxes.lines[kind] == 0);
        CHECK(by_lines.boxes[kind] == 0);
        CHECK(by_lines.lines[kind] == by_boxes.edges[kind]);
    }
    CHECK(by_lines.texts == by_boxes.texts && by_lines.texts > 20);
    for (uint32_t i = 0; i < ITEMS; i++) {
        CHECK(acre_aabb_contains(&by_lines.around, &boxes[i]));
    }
    acre_quadtree_destroy(tree);
}

static void an_area_leaves_out_what_lies_beside_it(void)
{
    static acre_aabb boxes[ITEMS];
    acre_quadtree *const tree = small_tree(boxes);
    CHECK(tree);
    const acre_aabb area = {{-50, 1000, -50}, {-20, 1001, 0}}; // its height does not count
    const kind_counts all = draw_kinds(tree, true, NULL);
    const kind_counts some = draw_kinds(tree, true, &area);
    size_t in_area = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        in_area += boxes[i].min[0] <= area.max[0] && boxes[i].max[0] >= area.min[0] &&
                   boxes[i].min[2] <= area.max[2] && boxes[i].max[2] >= area.min[2];
    }
    CHECK(in_area > 10 && in_area < ITEMS / 2 && some.boxes[3] == in_area);
    for (int kind = 0; kind < 3; kind++) {
        CHECK(some.boxes[kind] > 0 && some.boxes[kind] < all.boxes[kind]);
    }
    CHECK(some.texts > 0 && some.texts < all.texts);
    acre_quadtree_destroy(tree);
}

// A picture of the tree, a layer for each kind.
static acre_result write_tree(const acre_quadtree *tree, const acre_debug_svg_def *def)
{
    acre_debug_svg svg;
    if (acre_debug_svg_begin(&svg, def) != ACRE_OK) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t kind = ACRE_DEBUG_STRICT_CELLS; kind <= ACRE_DEBUG_COUNTS; kind <<= 1) {
        const acre_debug_svg_style style = {.kinds = kind,
                                            .fill = kind == ACRE_DEBUG_ITEMS ? 0.4f : 0.0f,
                                            .line_width =
                                                kind == ACRE_DEBUG_STRICT_CELLS ? 2.0f : 1.0f};
        acre_debug_draw draw;
        if (acre_debug_svg_layer(&svg, &style, &draw) == ACRE_OK) {
            acre_quadtree_debug_draw(tree, &draw);
        }
    }
    return acre_debug_svg_end(&svg);
}

typedef struct svg_count {
    size_t bytes, shapes, texts, layers;
} svg_count;

static bool count_write(void *user, const char *bytes, size_t size)
{
    svg_count *const count = (svg_count *)user;
    count->bytes += size;
    for (size_t i = 0; i < size; i++) {
        count->shapes += bytes[i] == 'M'; // no name of a layer has one
    }
    return true;
}

static void a_picture_has_a_shape_for_every_box(void)
{
    static acre_aabb boxes[ITEMS];
    acre_quadtree *const tree = small_tree(boxes);
    CHECK(tree);
    drawn out;
    const acre_debug_draw draw = draw_into(&out, 0);
    acre_quadtree_debug_draw(tree, &draw);
    svg_count count = {0, 0, 0, 0};
    const acre_debug_svg_def def = {
        .write = count_write, .user = &count, .min = {-300, -300}, .max = {300, 300}};
    CHECK(write_tree(tree, &def) == ACRE_OK);
    CHECK(count.shapes >= out.boxes && count.shapes < out.boxes + 8);
    CHECK(count.bytes < 40 * out.boxes + 80 * out.texts + 4000);
    acre_quadtree_destroy(tree);
}

static int write_file(const char *path)
{
    static acre_aabb boxes[ITEMS];
    acre_quadtree *const tree = small_tree(boxes);
    FILE *const file = fopen(path, "wb");
    const acre_debug_svg_def def = {.write = acre_debug_svg_to_file,
                                    .user = file,
                                    .min = {-140, -140},
                                    .max = {140, 140},
                                    .title = "A small tree"};
    bool is_written = tree && file && write_tree(tree, &def) == ACRE_OK;
    is_written = file && fclose(file) == 0 && is_written;
    acre_quadtree_destroy(tree);
    return is_written ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(each_kind_is_drawn_alone_and_all_together),
        TEST(cells_items_and_bounds_lie_within_each_other),
        TEST(missing_functions_and_objects_are_passed_over),
        TEST(a_back_end_of_lines_alone_draws_every_box_by_its_edges),
        TEST(an_area_leaves_out_what_lies_beside_it),
        TEST(a_picture_has_a_shape_for_every_box),
    };
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        return write_file(argv[2]);
    }
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
