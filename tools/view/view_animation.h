// SPDX-License-Identifier: MIT
// view_animation.h - many frames of a viewer as one animated PNG.
#ifndef ACRE_TOOLS_VIEW_ANIMATION_H
#define ACRE_TOOLS_VIEW_ANIMATION_H

#include "viewer.h"

// Draws the frames that the options name and writes them. With the overlay `freeze` the drawing
// camera stays where freezing at the first frame puts it, and the culling camera flies on.
//
// Where the options say `rise`, the culling camera stays in the first frame. The drawing camera
// rises from it while the frames go by, and looks at what the frustum holds, then at what stands
// behind others, then at what is left with occlusion.
//
// Needs a current context and a viewer that was just created. Returns false and a message.
bool view_animation_write(viewer *v, char *message, size_t message_size);

#endif
