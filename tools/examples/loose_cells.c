// SPDX-License-Identifier: MIT
// loose_cells.c - draws a small tree of capacity 4 that explains strict and loose cells.
//     loose_cells FILE.svg
#include <acre/debug_svg.h>
#include <acre/quadtree.h>

#include <stdio.h>

enum { COUNT = 25 };

#define STRICT 0x2a6fb0ffu
#define LOOSE 0xd9822bffu
#define OTHER 0x9aa5b1ffu

// x, z of the middle, width, depth: sheds and houses of a village of 64 x 64 meters.
static const float village[COUNT][4] = {
    {-26, -27, 5, 4},  {-19, -25, 4, 4}, {-27, -18, 4, 6}, {-20, -19, 5, 4}, {-6, -27, 6, 4},
    {-26, -6, 5, 5},   {10, -21, 8, 6},  {24, -26, 5, 7},  {26, -8, 6, 5},   {-25, 8, 6, 6},
    {-12, 13, 7, 5},   {-22, 25, 5, 5},  {-9, 26, 9, 5},   {-1, -13, 20, 9}, {7, 12, 4, 3},
    {14.6f, 9, 11, 6}, {4, 6, 3, 4},     {11, 14, 3, 3},   {24, 6, 5, 5},    {28, 13, 4, 5},
    {20, 19, 4, 3},    {20, 23, 3, 3},   {25, 19, 4, 4},   {29, 25, 3, 5},   {24, 29, 5, 3},
};

static acre_aabb box_of(int item)
{
    const float *const at = village[item];
    return (acre_aabb){{at[0] - 0.5f * at[2], 0.0f, at[1] - 0.5f * at[3]},
                       {at[0] + 0.5f * at[2], 4.0f, at[1] + 0.5f * at[3]}};
}

// Selects the boxes of the tree's drawing that are this wide and have their middle here.
typedef struct one_cell {
    acre_debug_draw to;
    float width, middle[2];
    uint32_t rgba;
} one_cell;

static bool is_near(float a, float b)
{
    return a - b < 0.01f && b - a < 0.01f; // loose bounds are rounded outward a little
}

static void draw_one(void *user, const acre_aabb *box, uint32_t rgba)
{
    const one_cell *const only = user;
    (void)rgba;
    if (is_near(box->max[0] - box->min[0], only->width) &&
        is_near(0.5f * (box->min[0] + box->max[0]), only->middle[0]) &&
        is_near(0.5f * (box->min[2] + box->max[2]), only->middle[1])) {
        only->to.box(only->to.user, box, only->rgba);
    }
}

static bool layer(acre_debug_svg *svg, acre_debug_draw *draw, const acre_debug_svg_style *style)
{
    return acre_debug_svg_layer(svg, style, draw) == ACRE_OK;
}

// Shows one cell of the tree, or its loose bounds, and nothing else.
static bool draw_cell(acre_debug_svg *svg, const acre_quadtree *tree, one_cell *only, uint32_t kind,
                      const acre_debug_svg_style *style)
{
    if (!layer(svg, &only->to, style)) {
        return false;
    }
    const acre_debug_draw draw = {.user = only, .flags = kind, .box = draw_one};
    acre_quadtree_debug_draw(tree, &draw);
    return true;
}

// Draws all strict cells, and the loose bounds of the cell from (0, 0) to (16, 16).
static bool draw_cells(acre_debug_svg *svg, const acre_quadtree *tree)
{
    static const acre_debug_svg_style loose_style = {
        .name = "a loose cell", .fill = 0.12f, .line_width = 3.0f};
    static const acre_debug_svg_style all_style = {.kinds = ACRE_DEBUG_STRICT_CELLS,
                                                   .line_width = 1.5f};
    static const acre_debug_svg_style strict_style = {
        .name = "a strict cell", .fill = 0.15f, .line_width = 4.0f};
    one_cell loose = {.width = 32.0f, .middle = {8.0f, 8.0f}, .rgba = LOOSE};
    one_cell strict = {.width = 16.0f, .middle = {8.0f, 8.0f}, .rgba = STRICT};
    acre_debug_draw draw;
    if (!draw_cell(svg, tree, &loose, ACRE_DEBUG_LOOSE_CELLS, &loose_style) ||
        !layer(svg, &draw, &all_style)) {
        return false;
    }
    acre_quadtree_debug_draw(tree, &draw);
    return draw_cell(svg, tree, &strict, ACRE_DEBUG_STRICT_CELLS, &strict_style);
}

static bool is_in_cell(int item)
{
    const float x = village[item][0], z = village[item][1];
    return x >= 0.0f && x < 16.0f && z >= 0.0f && z < 16.0f;
}

// Draws the boxes with their centers; those in the cell have its color.
static bool draw_items(acre_debug_svg *svg)
{
    acre_debug_draw draw;
    if (!layer(svg, &draw,
               &(acre_debug_svg_style){
                   .name = "items and their centers", .fill = 0.3f, .line_width = 1.5f})) {
        return false;
    }
    for (int i = 0; i < COUNT; i++) {
        const acre_aabb box = box_of(i);
        const uint32_t rgba = is_in_cell(i) ? STRICT : OTHER;
        const float x = village[i][0], z = village[i][1];
        draw.box(draw.user, &box, rgba);
        draw.line(draw.user, (float[3]){x - 0.6f, 0, z}, (float[3]){x + 0.6f, 0, z}, rgba);
        draw.line(draw.user, (float[3]){x, 0, z - 0.6f}, (float[3]){x, 0, z + 0.6f}, rgba);
    }
    return true;
}

static bool draw_words(acre_debug_svg *svg)
{
    acre_debug_draw draw;
    if (!layer(svg, &draw, &(acre_debug_svg_style){.name = "words", .text_height = 17.0f})) {
        return false;
    }
    draw.text(draw.user, (float[3]){8, 0, 2.2f}, "strict cell", STRICT);
    draw.text(draw.user, (float[3]){8, 0, -5.8f}, "its loose cell, twice as wide", LOOSE);
    draw.text(draw.user, (float[3]){5, 0, 18.6f}, "centers lie in the strict cell,", 0x404a55ff);
    draw.text(draw.user, (float[3]){5, 0, 20.6f}, "boxes in the loose cell", 0x404a55ff);
    return true;
}

int main(int argc, char **argv)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 32.0f, .max_depth = 3, .node_capacity = 4};
    acre_result result = acre_quadtree_create(&def, &tree);
    for (int i = 0; i < COUNT && result == ACRE_OK; i++) {
        const acre_aabb box = box_of(i);
        result = acre_quadtree_insert(tree, (uint32_t)i, &box);
    }
    FILE *const file = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (result != ACRE_OK || !file) {
        fprintf(stderr, "usage: loose_cells FILE.svg\n");
        return 2;
    }
    const acre_debug_svg_def page = {.write = acre_debug_svg_to_file,
                                     .user = file,
                                     .min = {-34, -34},
                                     .max = {34, 34},
                                     .size = 720,
                                     .title = "Strict and loose cells of a tree of capacity 4"};
    acre_debug_svg svg;
    bool is_good = acre_debug_svg_begin(&svg, &page) == ACRE_OK && draw_cells(&svg, tree) &&
                   draw_items(&svg) && draw_words(&svg);
    is_good = acre_debug_svg_end(&svg) == ACRE_OK && is_good;
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    printf("%zu items, %zu cells, %zu without children, depth %u\n", stats.items, stats.nodes,
           stats.leaves, (unsigned)stats.depth);
    acre_quadtree_destroy(tree);
    return fclose(file) == 0 && is_good ? 0 : 1;
}
