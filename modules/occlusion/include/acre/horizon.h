// SPDX-License-Identifier: MIT
// horizon.h - what is surely hidden behind occluders, from an eye or from every eye of a region.
//
// Experimental: it may change in any minor version.
//
// A horizon stands around an eye as columns on the four sides of a square. Each column keeps one
// interval of slopes that is surely blocked, and the depth from which on. Adding an occluder raises
// columns; a box is hidden where all columns that it touches block it. All rounding goes one way: a
// box of which any point can be seen is never called hidden.
//
// A view that has a horizon (view.h) fills and asks it by itself, in one walk near first. By hand:
// what a horizon knows depends on the order of the occluders: add near ones first. It hides nothing
// from an orthographic camera, and a mirror or a portal needs a horizon of its own.
//
// Words used here:
//     region       the box of places where the eye may be, around its middle
//     near radius  what is drawn nearer to an eye than this may be cut open by the near plane
//
// Typical use:
//     acre_horizon *horizon;
//     acre_result result = acre_horizon_create(&(acre_horizon_def){0}, &horizon);
//     result = acre_horizon_begin(horizon, eye, NULL, 0.2f);
//     for (i = 0; i < count; i++) { acre_horizon_add(horizon, &nearest_first[i]); }
//     if (!acre_horizon_hides(horizon, &box)) { draw(); }
//
// Threading: calls on a const horizon may run beside each other; all others run alone.
#ifndef ACRE_HORIZON_H
#define ACRE_HORIZON_H

#include <acre/alloc.h>
#include <acre/debug_draw.h>
#include <acre/kernel.h>
#include <acre/occluder.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_horizon acre_horizon;

typedef struct acre_horizon_def {
    uint32_t columns;       ///< of each of the four sides: a multiple of 16 up to 4096; 0: 512. A
                            ///< column of all four sides takes 80 bytes
    float least_angle;      ///< steradians, finite, >= 0: occluders that look smaller than about
                            ///< this are left out; 0: 1e-4
    uint32_t max_occluders; ///< how many are taken from one begin to the next; 0: 1000
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
    acre_kernel kernel;              ///< changes the speed alone
} acre_horizon_def;

/// Makes a horizon that hides nothing until the first acre_horizon_begin. It takes more memory
/// later only for a query that keeps more than 1,000 objects: 4 bytes for each.
/// @return ACRE_ERROR_INVALID_ARGUMENT for a def out of range and for a kernel that cannot be had,
/// ACRE_ERROR_OUT_OF_MEMORY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_horizon_create(const acre_horizon_def *def,
                                                      acre_horizon **out);

/// Frees a horizon. NULL is allowed.
ACRE_EXPERIMENTAL_API void acre_horizon_destroy(acre_horizon *horizon);

/// Empties the horizon for an eye. From an eye beyond 1e12 nothing is hidden. A query fills it
/// again. A visible set does so only if it is found anew: if it is reused, as nothing moved, the
/// horizon stays empty. So do not begin it again where the eye has not moved.
/// @param eye float[3], finite.
/// @param region float[3], finite, >= 0: half the size of the box of places where the eye may be,
/// with `eye` in its middle. NULL: it is exactly there. All that the horizon hides from then on is
/// hidden from each place of the region.
/// @param near_radius finite, >= 0: at least the distance from the eye to the farthest corner of
/// the camera's near plane. An occluder that comes nearer is left out.
/// @return ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_BUSY while another call uses the horizon.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_horizon_begin(acre_horizon *horizon, const float *eye,
                                                     const float *region, float near_radius);

/// Adds an occluder in world space.
///
/// Where the region is not a point, add asks first whether the whole occluder comes near, and then
/// shrinks it by the region. Of one that is too thin for that, such as a wall, the faces that look
/// at the whole region hide for themselves; so does the top of a slab under all eyes, and the
/// underside of one over them.
/// @param occluder left out if it is not valid; if an eye of the region comes within the near
/// radius of it, or is in it; if it looks too small; and if it is not two-sided while an eye of the
/// region, or a point within the near radius of one, is in its bounding box. Where what the
/// occluder stands for reaches farther than the occluder, and is not two-sided, do not add it while
/// an eye, in the same way, is in the box of that object: back faces are not drawn.
/// @return false: it was left out, or changed nothing.
ACRE_EXPERIMENTAL_API bool acre_horizon_add(acre_horizon *horizon, const acre_occluder *occluder);

/// @param box must hold all that is drawn of the target. NaN, inverted and endless boxes are
/// visible.
/// @return true only if no eye of the region can see any point of the box.
ACRE_EXPERIMENTAL_API bool acre_horizon_hides(const acre_horizon *horizon, const acre_aabb *box);

/// Lists the boxes that are not hidden, ascending. The same answers as acre_horizon_hides, eight at
/// a time.
/// Without a horizon, and while another call uses it, nothing is hidden.
/// @param visible receives their rows; room for `count`. NULL: they are only counted.
/// @return how many there are; 0 for NULL boxes.
ACRE_EXPERIMENTAL_API size_t acre_horizon_test(const acre_horizon *horizon, const acre_aabb *boxes,
                                               size_t count, uint32_t *visible);

/// The work of the last query with a horizon (acre_view.horizon). All machines count the same.
typedef struct acre_horizon_stats {
    size_t asked; ///< objects that were asked about, one by one; 16 for each hidden group of a
                  ///< tree, 64 for each hidden cell. Those asked about once more are counted twice
    size_t dropped;     ///< how many of them were hidden
    size_t kept;        ///< objects that were not hidden when they were met
    uint32_t occluders; ///< that the columns took
    bool gave_up;       ///< it does not pay here: the query has hidden nothing
} acre_horizon_stats;

/// @param out receives zeros before the first query and where horizon is NULL or in use. NULL:
/// nothing happens.
ACRE_EXPERIMENTAL_API void acre_horizon_get_stats(const acre_horizon *horizon,
                                                  acre_horizon_stats *out);

/// Draws what is blocked, whatever the back end's flags: a square ring around the eye, 10 units
/// away, with a line for each column that blocks something, from its lowest slope to its highest.
/// Slopes are cut off at 4. Floors and ceilings are not drawn.
/// @param draw NULL, or one without line: nothing happens. The same for a NULL horizon and one that
/// another call uses.
ACRE_EXPERIMENTAL_API void acre_horizon_debug_draw(const acre_horizon *horizon,
                                                   const acre_debug_draw *draw);

ACRE_EXTERN_C_END

#endif
