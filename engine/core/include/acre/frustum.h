// SPDX-License-Identifier: MIT
// frustum.h - a convex volume as up to 16 planes, and the test that defines what is visible.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor
// version.
//
// Words used here:
//     plane      (n, d): the point p is inside where n.p + d >= 0
//     p-vertex   the corner of a box that lies farthest along a plane's normal
//     clip       how a projection maps depth, from near to far: -1..1 (OpenGL), 0..1 (Vulkan,
//                Direct3D, Metal) or 1..0 (reversed Z)
//
// Typical use:
//     acre_frustum frustum;
//     acre_frustum_from_matrix(&frustum, (const float *)view_projection, ACRE_CLIP_ZERO_TO_ONE);
//     if (acre_frustum_test_aabb(&frustum, &box)) { draw(); }
//
// Threading: pure functions.
#ifndef ACRE_FRUSTUM_H
#define ACRE_FRUSTUM_H

#include <acre/bounds.h>

ACRE_EXTERN_C_BEGIN

/// A camera's view has six planes; a volume that is extruded toward a light has more.
#define ACRE_FRUSTUM_MAX_PLANES 16

/// Depth convention of a projection. Zero is none: you must choose.
typedef enum acre_clip {
    ACRE_CLIP_NEGATIVE_ONE_TO_ONE = 1, ///< near at -w, far at +w
    ACRE_CLIP_ZERO_TO_ONE,             ///< near at 0, far at +w
    ACRE_CLIP_REVERSED_ZERO_TO_ONE     ///< near at +w, far at 0
} acre_clip;

/// The intersection of plane_count half-spaces. With 0 planes everything is visible. You may write
/// the planes yourself: they need not have unit length, and the volume may be unbounded.
typedef struct acre_frustum {
    float planes[ACRE_FRUSTUM_MAX_PLANES][4]; ///< nx ny nz d
    uint32_t plane_count;                     ///< 0..16; more is read as 16
} acre_frustum;

/// Extracts the planes of a view-projection matrix (Gribb and Hartmann 2001), with unit length, and
/// moves each outward by about 2^-20 of a point's distance. No box that contains a point of the
/// exact clip volume is then ever rejected, up to a distance of 2^126: frustum.c has the proof. A
/// plane that clips nothing is left out: an infinite far plane, and a far plane that is at least
/// 2^20 times as far as the near plane.
/// @param view_projection 16 floats, column-major, clip = M * (x, y, z, 1).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, an unknown clip, a matrix with NaN or
/// infinite elements, one that is singular, or one whose volume is empty or beyond all floats. On
/// error *out has 0 planes.
ACRE_API ACRE_RESULT acre_frustum_from_matrix(acre_frustum *out, const float *view_projection,
                                              acre_clip clip);

/// The same from 16 doubles: the product of a view and a projection then loses nothing.
/// @return as acre_frustum_from_matrix.
ACRE_API ACRE_RESULT acre_frustum_from_matrix_double(acre_frustum *out,
                                                     const double *view_projection, acre_clip clip);

/// The definition of "visible", for every query and kernel: for each plane, in order,
///     distance = ((nx * px + ny * py) + nz * pz) + d
/// in float without FMA, where p is the p-vertex: max where the normal's component is >= 0, else
/// min. The box is hidden if any distance is < 0. NaN is doubt, and doubt means visible.
/// @param box a valid box.
/// @return whether it is visible. A box that is outside the volume but near one of its edges may
/// count as visible.
ACRE_API bool acre_frustum_test_aabb(const acre_frustum *frustum, const acre_aabb *box);

/// @return whether the whole box is certainly inside: for each plane, the corner opposite to the
/// p-vertex has a distance >= 0. Then acre_frustum_test_aabb is true as well. NaN is doubt, and
/// doubt means not inside.
/// @param box a valid box.
ACRE_API bool acre_frustum_contains_aabb(const acre_frustum *frustum, const acre_aabb *box);

/// The exact test, by separating axes (Gottschalk, Lin and Manocha 1996). It hides what
/// acre_frustum_test_aabb hides, and every box that certainly has no point in common with the
/// volume. Doubt means visible: a box with an infinite edge gets the answer of
/// acre_frustum_test_aabb. It prepares the axes for each box anew, which takes O(planes^4); a query
/// with ACRE_QUERY_EXACT prepares them once.
/// @param frustum it may be unbounded. Planes with NaN or infinite elements count in
/// acre_frustum_test_aabb only.
/// @param box a valid box.
/// @return whether it is visible.
ACRE_EXPERIMENTAL_API bool acre_frustum_test_aabb_exact(const acre_frustum *frustum,
                                                        const acre_aabb *box);

ACRE_EXTERN_C_END

#endif
