// SPDX-License-Identifier: MIT
// view_overlays.c - the overlays by name: one table for keys, switches, help and command line.
#include "view_overlays.h"

#include <string.h>

const view_overlay_info view_overlays[OVERLAY_COUNT_] = {
    {"freeze", "freeze camera (1)", '1',
     "freeze the culling camera and fly on; its frustum is drawn"},
    {"states", "found or not (2)", '2',
     "entities by what the query did: found, tested, dropped, not looked at; casters"},
    {"cells", "cells (3)", '3', "strict cells of the tree: a cell owns the centers inside it"},
    {"loose", "loose cells (4)", '4', "loose cells: each cell grown to twice its size"},
    {"bounds", "stored bounds (5)", '5', "stored bounds: what queries test"},
    {"bands", "height bands (9)", '9',
     "bands of height, into which a cell splits where boxes are stacked"},
    {"lods", "detail levels (6)", '6', "levels of detail by color"},
    {"changes", "came and left (7)", '7',
     "what entered the view flashes yellow, what left it orange"},
    {"cascades", "cascades (8)", '8', "shadow cascades by color, and the light's volumes"},
    {"hidden", "behind others (H)", 'h',
     "what the frustum holds and the eye does not see, as it stands behind others, in red"},
    {"occluders", "occluders (K)", 'k',
     "what hides others, as prisms; of a frozen camera also all that they block, as a ring"},
    {"map", "map (M)", 'm', "the map: what is visible, seen from above"},
    {"graphs", "graphs (G)", 'g', "graphs of the last 240 frames"},
    {"panel", "panel (P)", 'p', "the panel of switches and sliders"}};

bool view_overlay_is_of_cells(int overlay)
{
    return overlay >= OVERLAY_CELLS && overlay <= OVERLAY_BANDS;
}

int view_overlay_find(const char *name, size_t length)
{
    for (int i = 0; i < OVERLAY_COUNT_; i++) {
        if (strlen(view_overlays[i].name) == length &&
            memcmp(view_overlays[i].name, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

const char *view_overlay_list(void)
{
    return "freeze, states, cells, loose, bounds, bands, lods, changes, cascades, hidden, "
           "occluders, map, graphs, panel";
}
