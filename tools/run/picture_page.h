// SPDX-License-Identifier: MIT
// picture_page.h - an SVG file with a map of the ground on it: x to the right, z down.
//
// Knows shapes and colors; knows no scene. Coordinates are whole numbers, so that a city fits in
// a megabyte: the map is PAGE_WIDTH units wide whatever the size of the world.
//
// Words used here:
//     unit     the page's measure; a map of 3 km has 0.1 m
//     layer    a group of the SVG with a name, one style and one path; viewers can switch it off
//
// Typical use:
//     picture_page page;
//     if (page_open(&page, "out/map.svg", &world, "a city")) {
//         page_begin_layer(&page, "streets", "fill:none;stroke:#fff;stroke-width:70");
//         page_move(&page, 0.0, 0.0); page_line(&page, 10.0, 5.0);
//         page_end_layer(&page);
//     }
//     is_written = page_close(&page);
#ifndef ACRE_TOOLS_PICTURE_PAGE_H
#define ACRE_TOOLS_PICTURE_PAGE_H

#include "output_file.h"

#include <acre/bounds.h>

enum {
    PAGE_WIDTH = 30000, // of the map, units
    PAGE_MARGIN = 600,  // around the map, units
    PAGE_LEGEND = 3300, // height of the strip below the map, units
    PAGE_PIXELS = 1600  // nominal width of the picture
};

typedef struct picture_page {
    FILE *file; // of the output
    output_file output;
    double origin[2]; // x, z of the map's corner
    double scale;     // units per world unit
    long height;      // of the map, units
    long last[2];     // the pen
} picture_page;

// Makes the folders of the path. Returns false with errno where the file cannot be made.
bool page_open(picture_page *page, const char *path, const acre_aabb *world, const char *title);

// Returns false if anything could not be written. The page may be one that did not open.
bool page_close(picture_page *page);

// style: CSS of the group. Between begin and end only the pen is used.
void page_begin_layer(picture_page *page, const char *name, const char *style);
void page_end_layer(picture_page *page);

// The pen. Points are x, z in world units; what is farther than ten pages away is drawn there.
void page_move(picture_page *page, double x, double z);
void page_line(picture_page *page, double x, double z);
void page_shut(picture_page *page);
void page_rectangle(picture_page *page, const acre_aabb *box);

// At x, z in units of the page, the map's corner being 0, 0.
void page_text(picture_page *page, double x, double z, const char *style, const char *text);

// The same place for a point of the world.
double page_x(const picture_page *page, double x);
double page_z(const picture_page *page, double z);

#endif
