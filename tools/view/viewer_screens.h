// SPDX-License-Identifier: MIT
// viewer_screens.h - smaller pictures along the lower edge, each with a camera of its own.
#ifndef ACRE_TOOLS_VIEWER_SCREENS_H
#define ACRE_TOOLS_VIEWER_SCREENS_H

#include "viewer.h"

// What samples stand on, in every picture, and how soon haze hides it.
extern const render_box sample_floor;
#define SAMPLE_HAZE 0.0006f // a meter's share

// The boxes of the stage's screens, after the picture itself.
void viewer_draw_screens(viewer *v);

// Adds their names to the sheet.
void viewer_name_screens(viewer *v);

#endif
