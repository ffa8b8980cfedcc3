// SPDX-License-Identifier: MIT
// debug_draw.h - how Acre shows its insides: lines, boxes and texts, handed to your functions.
//
// Experimental: it may change in any minor version.
//
// A back end fills acre_debug_draw with functions and passes it to acre_x_debug_draw. A game gives
// its own line renderer; debug_svg.h makes pictures.
//
// Words used here:
//     kind   what a shape shows: one of the ACRE_DEBUG_ values
//
// Typical use:
//     const acre_debug_draw draw = {.user = renderer, .flags = ACRE_DEBUG_ITEMS, .line = add_line};
//     acre_scene_debug_draw(scene, &draw);
//
// Threading: your functions are called from the thread that calls acre_x_debug_draw. They must not
// edit the object that is being drawn.
#ifndef ACRE_DEBUG_DRAW_H
#define ACRE_DEBUG_DRAW_H

#include <acre/frustum.h>

ACRE_EXTERN_C_BEGIN

enum {
    ACRE_DEBUG_STRICT_CELLS = 1u << 0,  ///< the cell that owns the centers
    ACRE_DEBUG_LOOSE_CELLS = 1u << 1,   ///< the cell grown by half its size on every side
    ACRE_DEBUG_STORED_BOUNDS = 1u << 2, ///< the fitted bounds that queries test
    ACRE_DEBUG_ITEMS = 1u << 3,         ///< the boxes of the items
    ACRE_DEBUG_COUNTS = 1u << 4,        ///< the number of own items, at each cell's center
    ACRE_DEBUG_GROUPS = 1u << 5         ///< the bounds of each group of items; only traces draw it
};

/// A back end. Places are float[3] in world units, colors 0xRRGGBBAA. Pointers are valid until the
/// function returns. Functions that are NULL are not called.
typedef struct acre_debug_draw {
    void *user;     ///< handed to the functions
    uint32_t flags; ///< kinds to draw; 0: all
    /// A line from a to b. Both ends are finite.
    void (*line)(void *user, const float *a, const float *b, uint32_t rgba);
    /// A valid box, which may have infinite edges; a cell of the ground is a flat box at y = 0.
    /// NULL: boxes are drawn by line.
    void (*box)(void *user, const acre_aabb *box, uint32_t rgba);
    /// A short UTF-8 text around a place.
    void (*text)(void *user, const float *at, const char *text, uint32_t rgba);
    /// Called before each box and text of a kind, and before the lines of such a box.
    void (*kind)(void *user, uint32_t kind);
    /// Boxes and texts that lie outside this box in x or z are left out; its y does not matter.
    /// NULL: nothing is left out.
    const acre_aabb *area;
} acre_debug_draw;

/// Draws a box, for debug drawing of your own. A back end without box gets the 12 edges as lines,
/// or the 4 of a flat box. Infinite edges are moved to those of the area; a box that is still
/// infinite is left out.
/// @param kind an ACRE_DEBUG_ value; the box is left out if flags do not have it. 0: always drawn,
/// and draw->kind is not called.
/// @param box left out if it is not valid.
ACRE_EXPERIMENTAL_API void acre_debug_draw_box(const acre_debug_draw *draw, uint32_t kind,
                                               const acre_aabb *box, uint32_t rgba);

/// Draws a text, for debug drawing of your own.
/// @param kind as for acre_debug_draw_box.
/// @param at left out if a number is not finite.
ACRE_EXPERIMENTAL_API void acre_debug_draw_text(const acre_debug_draw *draw, uint32_t kind,
                                                const float *at, const char *text, uint32_t rgba);

/// Draws the edges of a convex volume as lines: where a frozen culling camera looks. A camera's
/// frustum has twelve.
/// @param around float[3], finite: the middle of the cube that is drawn.
/// @param reach half the size of that cube, > 0, finite; the volume is cut at its faces, so an
/// unbounded volume is drawn too.
/// @return the number of lines; 0 for NULL, for a back end without line and for an empty volume.
ACRE_EXPERIMENTAL_API uint32_t acre_debug_draw_frustum(const acre_debug_draw *draw,
                                                       const acre_frustum *frustum,
                                                       const float *around, float reach,
                                                       uint32_t rgba);

ACRE_EXTERN_C_END

#endif
