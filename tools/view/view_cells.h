// SPDX-License-Identifier: MIT
// view_cells.h - overlays of a tree's cells: which cells are drawn, and what their colors say.
//
// Draws the trees that stage_tree has named: those of the city, or of a sample.
#ifndef ACRE_TOOLS_VIEW_CELLS_H
#define ACRE_TOOLS_VIEW_CELLS_H

#include "stage.h"

#include <acre/culling.h>

// What the color of a cell says.
typedef enum cell_colors {
    CELLS_BY_KIND,  // whether it is the strict cell, the loose one, bounds or a band
    CELLS_BY_DEPTH, // how many cells hold it
    CELLS_BY_FILL,  // how many items it has of its own
    CELLS_BY_QUERY, // what the query of the culling camera did with it
    CELLS_BY_COUNT_
} cell_colors;

extern const char *const cell_colors_names[CELLS_BY_COUNT_];

// A row of the legend.
typedef struct cell_color_word {
    uint32_t rgba;
    const char *text;
} cell_color_word;

// What the colors mean, from the last to the first. *count is 0 for CELLS_BY_KIND.
const cell_color_word *view_cells_words(cell_colors colors, size_t *count);

typedef struct cells_question {
    const bool *is_on; // a flag for each view_overlay
    cell_colors colors;
    float ground, lift;         // where the ground is and how far above it squares are drawn
    float around[2], reach;     // x, z: cells near this place are drawn
    const acre_view *view;      // of the query, for CELLS_BY_QUERY
    const acre_culling *culler; // which is asked then
} cells_question;

// Adds the cells to the stage.
void view_cells_draw(stage *s, const cells_question *question);

#endif
