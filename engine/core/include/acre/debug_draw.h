// SPDX-License-Identifier: MIT
// debug_draw.h - how Acre shows its insides: lines, boxes and texts handed to the caller's
// functions.
//
// A back end fills acre_debug_draw with functions and passes it to acre_x_debug_draw. debug_svg.h
// is such a back end; a game gives its own line renderer.
//
// Threading: the functions are called from the thread that calls acre_x_debug_draw.
#ifndef ACRE_DEBUG_DRAW_H
#define ACRE_DEBUG_DRAW_H

#include <acre/bounds.h>

ACRE_EXTERN_C_BEGIN

/// What to draw; 0 in acre_debug_draw.flags draws everything.
enum {
    ACRE_DEBUG_STRICT_CELLS = 1u << 0,  ///< the cell that owns the centres
    ACRE_DEBUG_LOOSE_CELLS = 1u << 1,   ///< the cell grown by half its size on every side
    ACRE_DEBUG_STORED_BOUNDS = 1u << 2, ///< the fitted bounds that queries test
    ACRE_DEBUG_ITEMS = 1u << 3,         ///< boxes of the items
    ACRE_DEBUG_COUNTS = 1u << 4         ///< number of own items at each cell's centre
};

/// Colours are 0xRRGGBBAA. A NULL function is not called.
typedef struct acre_debug_draw {
    void *user;
    uint32_t flags;
    void (*line)(void *user, const float *a, const float *b, uint32_t rgba);
    void (*box)(void *user, const acre_aabb *box, uint32_t rgba);
    void (*text)(void *user, const float *at, const char *text, uint32_t rgba);
} acre_debug_draw;

ACRE_EXTERN_C_END

#endif
