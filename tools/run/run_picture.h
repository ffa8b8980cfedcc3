// SPDX-License-Identifier: MIT
// run_picture.h - the map of a run: the city from above, what the cameras see, the tree's cells.
#ifndef ACRE_TOOLS_RUN_PICTURE_H
#define ACRE_TOOLS_RUN_PICTURE_H

#include "run_frames.h"

// A run_picture_function; user is the path of the SVG file, a const char *.
bool run_picture_write(const run_world *world, const run_view *view, const run_visible *visible,
                       uint32_t frame, char *message, size_t message_size, void *user);

// The part of the ground that a convex volume covers: the section of its planes with y = height,
// within `around` on x and z. Returns the number of corners, at most ACRE_FRUSTUM_MAX_PLANES + 4.
size_t ground_section(const acre_frustum *frustum, float height, const acre_aabb *around,
                      double (*corners)[2]);

#endif
