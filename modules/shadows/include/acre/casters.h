// SPDX-License-Identifier: MIT
// casters.h - which entities may throw a shadow on what is seen, so that only they are drawn into a
// cascade's shadow map.
//
// The volume of a cascade's light camera holds much that shadows nothing visible: it goes round a
// sphere, and a shadow may fall where nothing receives it. Two steps, each useful alone, leave that
// out:
//     1 acre_cascade_caster_frustum  the slice of the view extruded towards the light, as planes
//                                    for any query
//     2 acre_receivers               a grid across the light; each cell knows how far from the
//                                    light something visible reaches in it. What is behind that, or
//                                    in no marked cell, shadows nothing (Bittner, Mattausch,
//                                    Silvennoinen and Wimmer 2011, there with the image of a
//                                    graphics card)
//
// Words used here:
//     receiver   what a shadow may fall on: the part of a visible box inside the cascade's slice,
//                which is inside the volume of its camera
//     caster     what may throw it: a box that, moved along the light, meets a receiver
//     column     what is above and below a cell of the grid, along the light
//
// Typical use, for each cascade:
//     acre_receivers_begin(receivers, &cascades[i]);
//     acre_receivers_add_boxes(receivers, &ground, 1);       // what is no entity
//     acre_culling_add_receivers(culling, receivers, visible, visible_count);
//     acre_culling_query_casters(culling, receivers, casters, capacity, &caster_count);
//
// No caster inside the volume of the cascade's camera is left out, whatever rounding does: widths
// are widened by 2^-40 of the volume's distance from the origin. Beyond that volume nothing is
// drawn into the shadow map.
//
// Threading: the culler is only read, so that many threads may each fill and ask their own
// acre_receivers. One acre_receivers is for one thread at a time.
#ifndef ACRE_CASTERS_H
#define ACRE_CASTERS_H

#include <acre/alloc.h>
#include <acre/cascades.h>
#include <acre/culling.h>

ACRE_EXTERN_C_BEGIN

/// The cascade's slice extruded towards the light, inside the volume of its camera: at most 16
/// planes, moved outwards by 2^-20 of the volume's distance from the origin. The planes of the
/// slice that face the light stay; each pair of one that faces it and one that does not gives a
/// plane along the light (an elimination after Fourier and Motzkin), of which those on the outline
/// are kept. A slice without planes is the whole volume. Some microseconds.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, a light that is no direction, a camera
/// that does not look along it or is not orthographic, a volume beyond 2^50. On error *out has 0
/// planes.
ACRE_API acre_result acre_cascade_caster_frustum(const acre_cascade *cascade, acre_frustum *out);

typedef struct acre_receivers acre_receivers;

typedef struct acre_receivers_def {
    uint32_t resolution; ///< cells along a side of the grid: a power of two, 8..512; 0: 64
    const acre_allocator *allocator; ///< NULL: the heap
} acre_receivers_def;

/// All memory there ever is: about 21 bytes a cell, 88 KB for a resolution of 64.
/// @param def NULL: defaults.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API acre_result acre_receivers_create(const acre_receivers_def *def, acre_receivers **out);

/// NULL is allowed.
ACRE_API void acre_receivers_destroy(acre_receivers *receivers);

/// Forgets all receivers and lays the grid across a cascade. O(cells).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT as acre_cascade_caster_frustum, and what was there
/// before is there still.
ACRE_API acre_result acre_receivers_begin(acre_receivers *receivers, const acre_cascade *cascade);

/// Boxes that receive: the ground, terrain, whatever is no entity. Each may be large: its depth is
/// found cell by cell. Only what is inside the slice counts. O(cells that a box covers).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, before acre_receivers_begin, or if a box
/// is invalid; the other boxes are added.
ACRE_API acre_result acre_receivers_add_boxes(acre_receivers *receivers, const acre_aabb *boxes,
                                              size_t count);

/// Everything in the slice receives. O(cells).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or before acre_receivers_begin.
ACRE_API acre_result acre_receivers_add_all(acre_receivers *receivers);

/// The entities of a visible set receive, where their boxes are in the slice; those outside cost a
/// test each. A never-cull entity has no box: it receives everywhere in the slice, so leave out
/// those that do not receive, such as a sky.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or before acre_receivers_begin;
/// ACRE_ERROR_NOT_FOUND if a slot is in no place that queries name; the others are added;
/// ACRE_ERROR_BUSY.
ACRE_API acre_result acre_culling_add_receivers(const acre_culling *culling,
                                                acre_receivers *receivers, const uint32_t *slots,
                                                size_t count);

/// The same for every entity in the slice: what a view without rules of distance or size sees,
/// found by a query of the slice instead of a test of every visible entity.
/// @param layers 0: all.
/// @return as acre_culling_add_receivers.
ACRE_API acre_result acre_culling_add_receivers_in_slice(const acre_culling *culling,
                                                         acre_receivers *receivers,
                                                         uint32_t layers);

/// The definition of a caster: acre_frustum_test_aabb with the planes of
/// acre_cascade_caster_frustum, and in some cell the box begins before the farthest receiver ends.
/// @param box a valid box; infinite edges are valid.
/// @return false also before acre_receivers_begin.
ACRE_API bool acre_receivers_test_aabb(acre_receivers *receivers, const acre_aabb *box);

/// Slots of the entities that are casters and share a layer with the cascade's camera, each once:
/// those of the moving tree, then those of the static tree, then the never-cull entities in
/// ascending order. O(cells + candidates): about a tenth of a microsecond for each entity that the
/// planes leave.
/// @param total receives how many there are; at most capacity are written. May be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or before acre_receivers_begin;
/// ACRE_ERROR_BUSY.
ACRE_API acre_result acre_culling_query_casters(const acre_culling *culling,
                                                acre_receivers *receivers, uint32_t *slots,
                                                size_t capacity, size_t *total);

ACRE_EXTERN_C_END

#endif
