// SPDX-License-Identifier: MIT
// view_hud.h - flat overlays: the legend, the map, graphs of the last frames, the help.
#ifndef ACRE_TOOLS_VIEW_HUD_H
#define ACRE_TOOLS_VIEW_HUD_H

#include "sheet.h"
#include "view_cells.h"
#include "view_city.h"
#include "view_marks.h"

enum { HUD_FRAMES = 240, HUD_ROWS = 9, HUD_TIMES = 6 }; // the first rows are milliseconds

typedef struct view_graphs {
    float values[HUD_ROWS][HUD_FRAMES];
    uint32_t next, count;
} view_graphs;

// Milliseconds of commit, refresh, query, lists, casters and draw, then how many are visible, and
// how many nodes and items the tree's query tested.
void view_graphs_add(view_graphs *graphs, const float *values);

typedef struct view_hud {
    sheet *sheet;
    float width, height; // of the picture
    float left;          // what the panel covers
    const bool *is_on;   // by view_overlay
    double clock_tick;   // milliseconds, a microsecond at least; what is shorter is not told
} view_hud;

void hud_draw_graphs(const view_hud *hud, const view_graphs *graphs);
void hud_draw_map(const view_hud *hud, const view_city *c, const acre_camera *culling,
                  const acre_camera *render);
// marks: NULL in samples, which have overlays of cells alone.
void hud_draw_legend(const view_hud *hud, const view_marks *marks, cell_colors colors);
void hud_draw_help(const view_hud *hud);

// Whose data it is, in the lower right corner.
void hud_draw_notice(const view_hud *hud);

#endif
