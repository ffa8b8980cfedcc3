// SPDX-License-Identifier: MIT
// agents_draw.h - pictures of the agents from above, as SVG and as PNG.
#ifndef ACRE_TOOLS_AGENTS_DRAW_H
#define ACRE_TOOLS_AGENTS_DRAW_H

#include "agents_options.h"

// Writes frame_NNNNNN.svg and .png into the folders that the options name: the agents, those that
// overlap another in a color of their own, the tree's cells and the walls. Returns false and a
// message that names the file where it cannot be written.
bool agents_draw(const agents_world *world, const agents_options *options, uint32_t frame,
                 char *message, size_t message_size);

#endif
