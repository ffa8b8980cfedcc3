// SPDX-License-Identifier: MIT
// casters.h - which entities may throw a shadow on something visible: only these are drawn into a
// cascade's shadow map.
//
// Experimental: it may change in any minor version.
//
// The light camera of a cascade sees much that shadows nothing visible: its volume encloses a
// sphere, and many shadows fall where nothing receives them. Two steps, each useful alone, drop
// those:
//     1 acre_cascade_caster_frustum  the slice of the view, extruded toward the light, as planes
//                                    for any query
//     2 acre_receivers               a grid across the light; each cell stores how far from the
//                                    light something visible reaches. A box behind that depth, or
//                                    in no marked cell, shadows nothing (after Bittner, Mattausch,
//                                    Silvennoinen and Wimmer 2011, who render it on the GPU)
//
// Words used here:
//     receiver   what a shadow may fall on: the part of a visible box in the cascade's slice
//     caster     what may throw a shadow: a box that meets a receiver when moved along the light
//     column     the space above and below a cell of the grid, along the light
//
// Typical use, for each cascade:
//     acre_receivers_begin(receivers, &cascades[i]);
//     acre_receivers_add_boxes(receivers, &ground, 1);       // the ground is not an entity
//     acre_culling_add_receivers(culling, receivers, visible, visible_count);
//     acre_culling_query_casters(culling, receivers, casters, capacity, &caster_count);
//
// No caster in the volume of the cascade's camera is dropped, whatever rounding does: bounds are
// widened by 2^-40 of the volume's distance from the origin. Nothing beyond that volume is drawn
// into the shadow map.
//
// Threading: the culler is only read, so many threads may work at a time, each with an
// acre_receivers of its own. In a culler with tasks (acre_culling_set_tasks) the functions that
// take the culler divide what takes longer than about 50 us; results and their order stay the same.
// They need 100 KiB of stack.
#ifndef ACRE_CASTERS_H
#define ACRE_CASTERS_H

#include <acre/alloc.h>
#include <acre/cascades.h>
#include <acre/culling.h>

ACRE_EXTERN_C_BEGIN

/// Extrudes the cascade's slice toward the light, within the volume of its camera. The result has
/// at most 16 planes, moved outward by 2^-20 of the volume's distance from the origin. Planes of
/// the slice that face the light stay. Each pair of a plane that faces the light and one that does
/// not gives a plane along the light (elimination after Fourier and Motzkin); those on the outline
/// are kept. A slice without planes gives the whole volume.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, a light that is not a direction, a camera
/// that does not look along the light or is not orthographic, or a volume beyond 2^50. On error
/// *out has 0 planes.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_cascade_caster_frustum(const acre_cascade *cascade,
                                                              acre_frustum *out);

typedef struct acre_receivers acre_receivers;

typedef struct acre_receivers_def {
    uint32_t resolution; ///< cells along a side of the grid: a power of two, 8..512; 0: 64
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
} acre_receivers_def;

/// Allocates all memory at once: about 21 bytes a cell, 88 KB for a resolution of 64. Where a
/// culler with tasks adds receivers, each share takes 5.3 bytes a cell more when it is first
/// needed, for at most 16 shares; without that memory one thread adds them.
/// @param def NULL: zero, so that all defaults hold.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL out and another resolution;
/// ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_receivers_create(const acre_receivers_def *def,
                                                        acre_receivers **out);

/// Frees everything. NULL is allowed.
ACRE_EXPERIMENTAL_API void acre_receivers_destroy(acre_receivers *receivers);

/// Forgets all receivers and lays the grid across a cascade. O(cells).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and as acre_cascade_caster_frustum. On
/// error the receivers are as before.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_receivers_begin(acre_receivers *receivers,
                                                       const acre_cascade *cascade);

/// Adds boxes that are not entities: the ground, terrain. A box may be large, also infinite: its
/// depth is found cell by cell. Only its part inside the slice counts. O(cells that the box
/// covers).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, before acre_receivers_begin, or if a box
/// is invalid; the other boxes are added.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_receivers_add_boxes(acre_receivers *receivers,
                                                           const acre_aabb *boxes, size_t count);

/// Adds the entities of a visible set as far as their boxes are in the slice; an entity outside
/// costs one test. A never-cull entity counts as a receiver everywhere in the slice, so leave out
/// those that receive no shadow, such as a sky.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or before acre_receivers_begin;
/// ACRE_ERROR_NOT_FOUND if queries cannot find a slot (the others are added); ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_add_receivers(const acre_culling *culling,
                                                             acre_receivers *receivers,
                                                             const uint32_t *slots, size_t count);

/// Adds every entity in the slice, found by a query of the slice: what a view without rules of
/// distance or size sees.
/// @param layers 0: all.
/// @return as acre_culling_add_receivers.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_add_receivers_in_slice(const acre_culling *culling,
                                                                      acre_receivers *receivers,
                                                                      uint32_t layers);

/// Whether a box is a caster: acre_frustum_test_aabb accepts it with the planes of
/// acre_cascade_caster_frustum, and in some column it begins before the farthest receiver ends.
/// @param box a valid box; infinite edges are valid.
/// @return false also before acre_receivers_begin.
ACRE_EXPERIMENTAL_API bool acre_receivers_test_aabb(acre_receivers *receivers,
                                                    const acre_aabb *box);

/// Lists the casters that share a layer with the cascade's camera, as slots, each once: first those
/// of the moving tree, then those of the static tree, then the never-cull entities, ascending.
/// O(cells + entities that the planes accept).
/// @param total receives the number of casters; at most capacity are written. May be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or before acre_receivers_begin;
/// ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_query_casters(const acre_culling *culling,
                                                             acre_receivers *receivers,
                                                             uint32_t *slots, size_t capacity,
                                                             size_t *total);

ACRE_EXTERN_C_END

#endif
