// SPDX-License-Identifier: MIT
// debug_draw.h - how Acre shows its insides: lines, boxes and texts handed to the caller's
// functions.
//
// A back end fills acre_debug_draw with functions and passes it to acre_x_debug_draw. debug_svg.h
// is such a back end; a game gives its own line renderer.
//
// Typical use:
//     const acre_debug_draw draw = {.user = renderer, .flags = ACRE_DEBUG_ITEMS, .box = add_box};
//     acre_x_debug_draw(x, &draw);
//
// Threading: the functions are called from the thread that calls acre_x_debug_draw, and may not
// change the object that is being drawn.
#ifndef ACRE_DEBUG_DRAW_H
#define ACRE_DEBUG_DRAW_H

#include <acre/frustum.h>

ACRE_EXTERN_C_BEGIN

/// What to draw; 0 in acre_debug_draw.flags draws everything.
enum {
    ACRE_DEBUG_STRICT_CELLS = 1u << 0,  ///< the cell that owns the centres
    ACRE_DEBUG_LOOSE_CELLS = 1u << 1,   ///< the cell grown by half its size on every side
    ACRE_DEBUG_STORED_BOUNDS = 1u << 2, ///< the fitted bounds that queries test
    ACRE_DEBUG_ITEMS = 1u << 3,         ///< boxes of the items
    ACRE_DEBUG_COUNTS = 1u << 4         ///< number of own items at each cell's centre
};

/// Where drawing goes. Places are float[3] in world units, colours 0xRRGGBBAA. What is pointed to
/// lives until the function returns. A NULL function is not called.
typedef struct acre_debug_draw {
    void *user;     ///< handed to the functions
    uint32_t flags; ///< ACRE_DEBUG_ values to draw; 0: everything
    /// A line from a to b.
    void (*line)(void *user, const float *a, const float *b, uint32_t rgba);
    /// A box, which may have infinite edges; a cell of the ground is a flat box at y = 0.
    void (*box)(void *user, const acre_aabb *box, uint32_t rgba);
    /// A short UTF-8 text centred at a place.
    void (*text)(void *user, const float *at, const char *text, uint32_t rgba);
} acre_debug_draw;

/// Draws the edges of a convex volume as lines, of a camera's frustum twelve of them: where a
/// frozen culling camera looks.
/// @param around, reach what lies farther than reach from this point (on any axis) is cut off, so
/// that unbounded volumes are drawn as well; float[3], finite, reach > 0.
/// @return how many lines were drawn; 0 for NULL and for a volume that is empty.
ACRE_API uint32_t acre_debug_draw_frustum(const acre_debug_draw *draw, const acre_frustum *frustum,
                                          const float *around, float reach, uint32_t rgba);

ACRE_EXTERN_C_END

#endif
