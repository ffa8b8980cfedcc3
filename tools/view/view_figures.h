// SPDX-License-Identifier: MIT
// view_figures.h - what a camera's question costs, measured by repeats: once a frame is too short
// and too cold for a clock.
#ifndef ACRE_TOOLS_VIEW_FIGURES_H
#define ACRE_TOOLS_VIEW_FIGURES_H

#include "view_method.h"

#include <acre/culling.h>

enum { FIGURES_KEPT = 9 };

typedef struct view_figures {
    double query[FIGURES_KEPT], scan[FIGURES_KEPT]; // the last ones, microseconds
    uint32_t count;                                 // of all
} view_figures;

// Asks the culler and scans all boxes, each some milliseconds long. Without rules, as a scan knows
// none.
void view_figures_measure(view_figures *figures, view_scans *scans, const acre_culling *culling,
                          const acre_aabb *boxes, const acre_frustum *frustum);

// From one step of the clock to the next, seconds: browsers let it stand still for a tenth of a
// millisecond, or longer.
double view_clock_tick(void);

// The least of those kept, microseconds; 0 before the first. The renderer's threads and a browser's
// compiler disturb most of them.
double view_figures_query(const view_figures *figures);
double view_figures_scan(const view_figures *figures);

#endif
