// SPDX-License-Identifier: MIT
// casters.h - which entities may throw a shadow on something visible: only these are drawn into a
// shadow map, that of a cascade or that of a spot or point light.
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
// A light at a place, a spot or point light, has the same grid on the faces of a cube around it. A
// cell is a pyramid of rays from the light, and stores how far along them something visible and lit
// reaches. Do not ask the light's view with the camera's frustum as acre_view.include: that loses
// every caster beside the camera's view whose shadow falls into it.
//
// Words used here:
//     receiver   what a shadow may fall on: the part of a visible box in the cascade's slice, or of
//                a light's: in the seen volume and within the light's reach
//     caster     what may throw a shadow: a box that meets a receiver when moved along the light;
//                of a light at a place: a box on the straight way from the light to a receiver
//     column     the space above and below a cell of the grid, along the light
//     face       of the cube around a light: the directions whose largest coordinate has the same
//                axis and sign, as the faces of a cube map have them. Neighbors share their edge
//
// Typical use, for each cascade:
//     acre_receivers_begin(receivers, &cascades[i]);
//     acre_receivers_add_boxes(receivers, &ground, 1);       // the ground is not an entity
//     acre_culling_add_receivers(culling, receivers, visible, visible_count);
//     acre_culling_query_casters(culling, receivers, casters, capacity, &caster_count);
//
// For each spot or point light:
//     acre_receivers_begin_light(receivers, &light, &camera_frustum);
//     acre_receivers_add_boxes(receivers, &ground, 1);
//     acre_culling_add_receivers_in_slice(culling, receivers, 0);    // what is seen and lit
//     acre_culling_query_casters_by_face(culling, receivers, casters, faces, capacity, &count);
//
// No caster in the volume of the cascade's camera is dropped, whatever rounding does: bounds are
// widened by 2^-40 of the volume's distance from the origin. Nothing beyond that volume is drawn
// into the shadow map.
//
// No caster of a light at a place is dropped either: a box through which a straight line leads from
// the light's position to a point of a receiver. Boxes are widened by 2^-40 of the range. Kept too
// many are boxes that begin nearer than a receiver ends and have a cell in common with it, without
// a ray in common: a cell is 90 degrees / (resolution / 4) wide, 5.6 degrees by default. A light
// that is large throws soft shadows from beside its position, too; those are not looked for.
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

/// A light that shines from a place.
typedef struct acre_local_light {
    float position[3];  ///< world units, at most 2^50 in size
    float range;        ///< farther away it lights nothing; > 0, at most 2^50
    float direction[3]; ///< where a spot light shines; need not have length 1. Zero: a point light
    float outer_angle;  ///< of a spot light: between direction and side, radians, > 0, at most pi
    uint32_t layers;    ///< of casters; 0: all
} acre_local_light;

/// Forgets all receivers and lays the grid around a light. O(cells): 3/8 of those of a cascade.
/// @param seen the volume that is seen, such as a camera's frustum: what is outside receives
/// nothing that counts. Any convex volume; planes with NaN hide nothing. NULL: all is seen.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL receivers or light and for a light that is
/// out of its ranges. On error the receivers are as before.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_receivers_begin_light(acre_receivers *receivers,
                                                             const acre_local_light *light,
                                                             const acre_frustum *seen);

/// Adds boxes that are not entities: the ground, terrain. A box may be large, also infinite: its
/// depth is found cell by cell. Only its part inside the slice counts; of a light its part that is
/// seen and lit. O(cells that the box covers).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, before acre_receivers_begin, or if a box
/// is invalid; the other boxes are added.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_receivers_add_boxes(acre_receivers *receivers,
                                                           const acre_aabb *boxes, size_t count);

/// Adds the entities of a visible set as far as their boxes are in the slice; an entity outside
/// costs one test. A never-cull entity counts as a receiver everywhere in the slice, so leave out
/// those that receive no shadow, such as a sky. What a horizon hides from the camera receives none
/// that it sees. Casters are found from the light's volume, whatever the camera's horizon hides.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or before acre_receivers_begin;
/// ACRE_ERROR_NOT_FOUND if queries cannot find a slot (the others are added); ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_add_receivers(const acre_culling *culling,
                                                             acre_receivers *receivers,
                                                             const uint32_t *slots, size_t count);

/// Adds every entity in the slice, found by a query of the slice: what a view without rules of
/// distance or size sees. Of a light: every entity within its reach that is in the seen volume. For
/// many small lights that is cheaper than to give each the slots of all that is visible.
/// @param layers 0: all.
/// @return as acre_culling_add_receivers.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_add_receivers_in_slice(const acre_culling *culling,
                                                                      acre_receivers *receivers,
                                                                      uint32_t layers);

/// Leaves out casters that nobody sees the shadow of: those whose box, moved along the light up to
/// the last receiver in its columns, is hidden in each part of its way. No caster is dropped whose
/// shadow falls on a point that an eye of the horizon's region can see. Call it once the horizon
/// knows its occluders, such as after a query of the camera's view; it must stay as it is, and be
/// there, until the casters are found or the next begin, which forgets it. An empty horizon leaves
/// nothing out: one whose query gave up, and one that was begun again for a visible set that was
/// then reused (acre_visible.is_reused). O(1); each caster takes up to eight questions about a box.
/// @param horizon of the camera that sees the receivers. NULL: none.
/// @param filter how far beside its place a shadow may still darken something, as a soft edge does;
/// world units, finite, >= 0.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL receivers, before acre_receivers_begin,
/// for a light at a place, and for a filter out of its range. The receivers are as before then.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_receivers_set_horizon(acre_receivers *receivers,
                                                             const struct acre_horizon *horizon,
                                                             float filter);

/// Whether a box is a caster: acre_frustum_test_aabb accepts it with the planes of
/// acre_cascade_caster_frustum, and in some column it begins before the farthest receiver ends. Of
/// a light: it is within its reach (acre_sphere_test_aabb; acre_cone_test_aabb for a spot light of
/// at most 1.4 radians), and in some cell it begins before the farthest receiver ends. With a
/// horizon (acre_receivers_set_horizon) also, some of its shadow is not hidden.
/// @param box a valid box; infinite edges are valid.
/// @return false also before acre_receivers_begin.
ACRE_EXPERIMENTAL_API bool acre_receivers_test_aabb(acre_receivers *receivers,
                                                    const acre_aabb *box);

/// Lists the casters that share a layer with the cascade's camera, or the light, as slots, each
/// once: first those of the moving tree, then those of the static tree, then the never-cull
/// entities, ascending. O(cells + entities that the planes accept); of a light O(entities within
/// its reach).
/// @param total receives the number of casters; at most capacity are written. May be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or before acre_receivers_begin;
/// ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_query_casters(const acre_culling *culling,
                                                             acre_receivers *receivers,
                                                             uint32_t *slots, size_t capacity,
                                                             size_t *total);

/// Faces of the cube around a light, as bits: +x, -x, +y, -y, +z, -z, in the order of cube maps.
#define ACRE_CUBE_FACES 6

/// The same for the six pictures of a point light's cube map, in one pass: lists each caster once,
/// with the faces that it throws a shadow on. Draw it into these alone. In a world whose z axis
/// points up (acre/z_up.h) position and direction of the light are turned as points; the picture of
/// its +z is then face 2, that of its +y face 5, or with left-handed axes 4.
/// @param faces faces[i] receives the faces of slots[i]: bit 0 is +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z;
/// never 0, and all six for a never-cull entity. Room for capacity. NULL: not wanted.
/// @return as acre_culling_query_casters; ACRE_ERROR_INVALID_ARGUMENT also for faces of a cascade.
ACRE_EXPERIMENTAL_API ACRE_RESULT
acre_culling_query_casters_by_face(const acre_culling *culling, acre_receivers *receivers,
                                   uint32_t *slots, uint8_t *faces, size_t capacity, size_t *total);

ACRE_EXTERN_C_END

#endif
