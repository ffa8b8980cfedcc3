// SPDX-License-Identifier: MIT
// view_memory.h - what the window remembers from one run to the next, in the user's folder of
// settings.
#ifndef ACRE_TOOLS_VIEW_MEMORY_H
#define ACRE_TOOLS_VIEW_MEMORY_H

#include "view_camera.h"

typedef struct view_memory {
    uint32_t width, height; // of the window; 0: nothing is remembered
    float text_scale;       // see viewer.h
    int steering;
    view_camera camera;
} view_memory;

// Zero where there is no such file or it makes no sense.
view_memory view_memory_read(void);

// Where it cannot be written, nothing is remembered.
void view_memory_write(const view_memory *memory);

#endif
