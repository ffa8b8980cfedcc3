// SPDX-License-Identifier: MIT
// view_overlays.h - the overlays by name: one table for keys, switches, help and command line.
#ifndef ACRE_TOOLS_VIEW_OVERLAYS_H
#define ACRE_TOOLS_VIEW_OVERLAYS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum view_overlay {
    OVERLAY_FREEZE,
    OVERLAY_STATES,
    OVERLAY_CELLS,
    OVERLAY_LOOSE,
    OVERLAY_BOUNDS,
    OVERLAY_BANDS,
    OVERLAY_LODS,
    OVERLAY_CHANGES,
    OVERLAY_CASCADES,
    OVERLAY_HIDDEN,
    OVERLAY_OCCLUDERS,
    OVERLAY_MAP,
    OVERLAY_GRAPHS,
    OVERLAY_PANEL,
    OVERLAY_COUNT_
} view_overlay;

typedef struct view_overlay_info {
    const char *name;
    const char *label; // of its switch: what it shows, and the key
    char key;          // a letter or digit as on the keyboard
    const char *help;
} view_overlay_info;

extern const view_overlay_info view_overlays[OVERLAY_COUNT_];

// Whether it shows the cells of a tree, which samples have too.
bool view_overlay_is_of_cells(int overlay);

// The number of an overlay; -1: there is none of that name.
int view_overlay_find(const char *name, size_t length);

// All names with commas between them.
const char *view_overlay_list(void);

#endif
