// SPDX-License-Identifier: MIT
// agents_draw.c - pictures of the agents from above, as SVG and as PNG.
#include "agents_draw.h"

#include "picture_page.h"
#include "png_writer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GROUND 0x0a0e14
#define FREE 0x6d86a6
#define TOUCHING 0xffa640
#define CELL 0x2f6fb0
#define WALL 0xd5dde8

enum { IMAGE_SIDE = 1200, IMAGE_MARGIN = 12 }; // of a PNG, pixels
enum { COLOR_GROUND, COLOR_FREE, COLOR_TOUCHING, COLOR_CELL, COLOR_WALL };

typedef struct agents_scene {
    const agents_world *world;
    acre_aabb region, walls;
    uint8_t *is_touching; // of each agent
} agents_scene;

static bool is_in_region(const agents_scene *scene, const acre_aabb *box)
{
    const acre_aabb *const region = &scene->region;
    return box->min[0] <= region->max[0] && box->max[0] >= region->min[0] &&
           box->min[2] <= region->max[2] && box->max[2] >= region->min[2];
}

static acre_aabb square_of(float half)
{
    return (acre_aabb){{-half, 0.0f, -half}, {half, 0.0f, half}};
}

static bool open_scene(agents_scene *scene, const agents_world *world, uint32_t view)
{
    const float half = 0.5f * (float)view;
    const float shown = view && half < world->half_size ? half : world->half_size;
    *scene = (agents_scene){
        .world = world, .region = square_of(shown), .walls = square_of(world->half_size)};
    scene->is_touching = calloc(world->def.count, 1);
    for (size_t i = 0; scene->is_touching && i < world->pair_count; i++) {
        scene->is_touching[world->pairs[i].a] = scene->is_touching[world->pairs[i].b] = 1;
    }
    return scene->is_touching;
}

// ---- SVG ----

typedef struct svg_cells {
    const agents_scene *scene;
    picture_page *page;
} svg_cells;

static void add_svg_cell(void *user, const acre_aabb *box, uint32_t rgba)
{
    const svg_cells *const cells = user;
    (void)rgba;
    if (is_in_region(cells->scene, box)) {
        page_rectangle(cells->page, box);
    }
}

static void style_of(char *out, size_t size, const char *format, uint32_t color)
{
    snprintf(out, size, format, (unsigned)color);
}

// With an edge of the ground's color, 4 cm wide, so that boxes that almost touch can be told
// apart.
static void draw_svg_agents(const agents_scene *scene, picture_page *page, uint8_t is_touching)
{
    char style[96];
    snprintf(style, sizeof style, "fill:#%06x;stroke:#%06x;stroke-width:%.1f",
             (unsigned)(is_touching ? TOUCHING : FREE), (unsigned)GROUND, 0.04 * page->scale);
    page_begin_layer(page, is_touching ? "touching" : "agents", style);
    for (uint32_t i = 0; i < scene->world->def.count; i++) {
        const acre_aabb box = agents_box(scene->world, i);
        if (scene->is_touching[i] == is_touching && is_in_region(scene, &box)) {
            page_rectangle(page, &box);
        }
    }
    page_end_layer(page);
}

static void draw_svg_layers(const agents_scene *scene, picture_page *page)
{
    char style[96];
    draw_svg_agents(scene, page, 0);
    draw_svg_agents(scene, page, 1);
    style_of(style, sizeof style, "fill:none;stroke:#%06x;stroke-width:40", CELL);
    page_begin_layer(page, "cells", style);
    svg_cells cells = {scene, page};
    const acre_debug_draw draw = {
        .user = &cells, .flags = ACRE_DEBUG_STRICT_CELLS, .box = add_svg_cell};
    acre_quadtree_debug_draw(scene->world->tree, &draw);
    page_end_layer(page);
    style_of(style, sizeof style, "fill:none;stroke:#%06x;stroke-width:60", WALL);
    page_begin_layer(page, "walls", style);
    page_rectangle(page, &scene->walls);
    page_end_layer(page);
}

static void draw_svg_legend(const agents_scene *scene, picture_page *page, uint32_t frame)
{
    static const char *const text_style = "font-family:sans-serif;font-size:620px;fill:#d5dde8";
    const agents_world *const world = scene->world;
    const struct {
        uint32_t color;
        const char *text;
    } keys[] = {{FREE, "agent"}, {TOUCHING, "overlaps another"}, {CELL, "cell of the tree"}};
    char text[160];
    snprintf(text, sizeof text, "frame %u: %u agents, %zu pairs, %.0f m across", (unsigned)frame,
             (unsigned)world->def.count, world->pair_count,
             (double)scene->region.max[0] - (double)scene->region.min[0]);
    page_text(page, 0.0, (double)page->height + 1300.0, text_style, text);
    for (int i = 0; i < 3; i++) {
        const int x = 8000 * i;
        fprintf(page->file,
                "<rect x=\"%d\" y=\"%ld\" width=\"600\" height=\"600\" "
                "style=\"fill:#%06x\"/>\n",
                x, page->height + 1950, (unsigned)keys[i].color);
        page_text(page, x + 900.0, (double)page->height + 2470.0, text_style, keys[i].text);
    }
}

static bool write_svg(const agents_scene *scene, const char *path, uint32_t frame)
{
    picture_page page;
    if (!page_open(&page, path, &scene->region, "agents that collide")) {
        return false;
    }
    fprintf(page.file,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%ld\" style=\"fill:#%06x\"/>\n",
            -PAGE_MARGIN, -PAGE_MARGIN, PAGE_WIDTH + 2 * PAGE_MARGIN,
            page.height + 2 * PAGE_MARGIN + PAGE_LEGEND, GROUND);
    draw_svg_layers(scene, &page);
    draw_svg_legend(scene, &page, frame);
    return page_close(&page);
}

// ---- PNG ----

typedef struct agents_raster {
    const agents_scene *scene;
    uint8_t *pixels;
    double scale; // pixels per meter
} agents_raster;

// The pixel that holds a place along x or z; -1 or IMAGE_SIDE for all beyond the picture.
static int pixel_of(const agents_raster *raster, float at)
{
    const double from = (double)at - (double)raster->scene->region.min[0];
    const double pixel = floor(from * raster->scale) + IMAGE_MARGIN;
    return (int)fmin(fmax(pixel, -1.0), IMAGE_SIDE);
}

// As far as it lies in the picture.
static void fill_pixels(agents_raster *raster, const int *low, const int *high, uint8_t color)
{
    const int left = low[0] < 0 ? 0 : low[0], top = low[1] < 0 ? 0 : low[1];
    const int right = high[0] < IMAGE_SIDE ? high[0] : IMAGE_SIDE - 1;
    for (int y = top; y <= high[1] && y < IMAGE_SIDE && left <= right; y++) {
        memset(raster->pixels + (size_t)y * IMAGE_SIDE + left, color, (size_t)(right - left + 1));
    }
}

static void pixels_of(const agents_raster *raster, const acre_aabb *box, int *low, int *high)
{
    for (int k = 0; k < 2; k++) {
        low[k] = pixel_of(raster, box->min[2 * k]);
        high[k] = pixel_of(raster, box->max[2 * k]);
    }
}

// A box of at least one pixel. The last pixels of larger ones stay ground, so that boxes that
// almost touch can be told apart.
static void fill_box(agents_raster *raster, const acre_aabb *box, uint8_t color)
{
    int low[2], high[2];
    pixels_of(raster, box, low, high);
    high[0] -= high[0] > low[0];
    high[1] -= high[1] > low[1];
    fill_pixels(raster, low, high, color);
}

static void draw_frame(agents_raster *raster, const acre_aabb *box, uint8_t color)
{
    int low[2], high[2];
    pixels_of(raster, box, low, high);
    fill_pixels(raster, low, (const int[2]){high[0], low[1]}, color);
    fill_pixels(raster, low, (const int[2]){low[0], high[1]}, color);
    fill_pixels(raster, (const int[2]){low[0], high[1]}, high, color);
    fill_pixels(raster, (const int[2]){high[0], low[1]}, high, color);
}

static void add_png_cell(void *user, const acre_aabb *box, uint32_t rgba)
{
    agents_raster *const raster = user;
    (void)rgba;
    if (is_in_region(raster->scene, box)) {
        draw_frame(raster, box, COLOR_CELL);
    }
}

static void draw_png(agents_raster *raster)
{
    const agents_scene *const scene = raster->scene;
    const acre_debug_draw draw = {
        .user = raster, .flags = ACRE_DEBUG_STRICT_CELLS, .box = add_png_cell};
    acre_quadtree_debug_draw(scene->world->tree, &draw);
    for (uint8_t is_touching = 0; is_touching < 2; is_touching++) {
        for (uint32_t i = 0; i < scene->world->def.count; i++) {
            const acre_aabb box = agents_box(scene->world, i);
            if (scene->is_touching[i] == is_touching && is_in_region(scene, &box)) {
                fill_box(raster, &box, is_touching ? COLOR_TOUCHING : COLOR_FREE);
            }
        }
    }
    draw_frame(raster, &scene->walls, COLOR_WALL);
}

static bool write_png(const agents_scene *scene, const char *path)
{
    agents_raster raster = {.scene = scene, .pixels = calloc((size_t)IMAGE_SIDE * IMAGE_SIDE, 1)};
    const double across = (double)scene->region.max[0] - (double)scene->region.min[0];
    raster.scale = (IMAGE_SIDE - 2 * IMAGE_MARGIN) / across;
    bool is_good = raster.pixels != NULL;
    if (is_good) {
        draw_png(&raster);
        const png_picture picture = {.width = IMAGE_SIDE,
                                     .height = IMAGE_SIDE,
                                     .pixels = raster.pixels,
                                     .colors = {GROUND, FREE, TOUCHING, CELL, WALL}};
        is_good = png_write(&picture, path);
    }
    free(raster.pixels);
    return is_good;
}

// ---- both ----

bool agents_draw(const agents_world *world, const agents_options *options, uint32_t frame,
                 char *message, size_t message_size)
{
    agents_scene scene;
    char path[1024] = "the picture";
    bool is_good = open_scene(&scene, world, options->view);
    errno = is_good ? 0 : ENOMEM;
    if (is_good && options->svg_folder) {
        snprintf(path, sizeof path, "%s/frame_%06u.svg", options->svg_folder, (unsigned)frame);
        is_good = write_svg(&scene, path, frame);
    }
    if (is_good && options->png_folder) {
        snprintf(path, sizeof path, "%s/frame_%06u.png", options->png_folder, (unsigned)frame);
        is_good = write_png(&scene, path);
    }
    if (!is_good) {
        snprintf(message, message_size, "%s: %s", path, errno ? strerror(errno) : "cannot write");
    }
    free(scene.is_touching);
    return is_good;
}
