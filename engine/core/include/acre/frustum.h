// SPDX-License-Identifier: MIT
// frustum.h - a convex volume as up to 16 inward planes, and the test that defines what is visible.
//
// Words used here:
//     plane      (n, d): the point p is inside where n.p + d >= 0
//     p-vertex   the corner of a box that lies farthest along a plane's normal
//     clip       how a projection maps depth: -1..1 (OpenGL), 0..1 (Vulkan, Direct3D, Metal),
//                or 1..0 (reversed Z)
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

/// A frustum's limit: six of a camera, or the planes of a volume extruded towards a light.
#define ACRE_FRUSTUM_MAX_PLANES 16

/// Depth convention of a projection. Zero is no convention: it must be chosen.
typedef enum acre_clip {
    ACRE_CLIP_NEGATIVE_ONE_TO_ONE = 1, ///< near at -w, far at +w
    ACRE_CLIP_ZERO_TO_ONE,             ///< near at 0, far at +w
    ACRE_CLIP_REVERSED_ZERO_TO_ONE     ///< near at +w, far at 0; an infinite far plane is usual
} acre_clip;

/// The intersection of plane_count half-spaces. With 0 planes everything is visible. Planes may be
/// written by the caller: any convex volume, also an unbounded one; they need not be normalised.
typedef struct acre_frustum {
    float planes[ACRE_FRUSTUM_MAX_PLANES][4]; ///< nx ny nz d
    uint32_t plane_count;                     ///< 0..16; more is read as 16
} acre_frustum;

/// Extracts the planes of a view-projection matrix (Gribb and Hartmann 2001), in double precision,
/// normalised, and moves each outwards by 2^-20 (|d| + |c| + r(p)): c is the middle of the near
/// plane, r a linear function that is at least |p - c| in the whole volume, also where the far
/// plane is infinite; r grows with depth, so that planes turn outwards by some 2^-20 radians.
/// No box that contains a point inside the exact clip volume is then ever rejected, up to a
/// distance of 2^126: a box's float distance at the p-vertex is, by monotone rounding, at least
/// that of the point p, whose error is at most 5 * 2^-24 (|d| + |p|). A plane that clips nothing is
/// left out: an infinite far plane, and one 2^20 times or more as far as the near plane.
/// Costs about a microsecond.
/// @param view_projection 16 floats, column-major, clip = M * (x, y, z, 1).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, an unknown clip, a matrix with NaN or
/// infinite elements, one that is singular, or one whose volume is empty or beyond all floats. On
/// error *out has 0 planes.
ACRE_API acre_result acre_frustum_from_matrix(acre_frustum *out, const float *view_projection,
                                              acre_clip clip);

/// As above, from 16 doubles: the product of a view and a projection loses nothing on the way.
/// @return as acre_frustum_from_matrix.
ACRE_API acre_result acre_frustum_from_matrix_double(acre_frustum *out,
                                                     const double *view_projection, acre_clip clip);

/// The definition of "visible", for every query and kernel: for each plane, in order,
///     distance = ((nx * px + ny * py) + nz * pz) + d
/// in float without FMA, p the p-vertex (max where the normal's component is >= 0, else min); the
/// box is hidden if any distance < 0. NaN is doubt, and doubt means visible. Some nanoseconds a
/// plane, up to the first that hides the box.
/// @param box a valid box.
/// @return whether it is visible. Boxes outside near an edge of the volume may count as visible.
ACRE_API bool acre_frustum_test_aabb(const acre_frustum *frustum, const acre_aabb *box);

/// @return whether the whole box is certainly inside: for each plane the distance of the corner
/// opposite to the p-vertex is >= 0. Implies acre_frustum_test_aabb. NaN is doubt: not inside.
/// @param box a valid box.
ACRE_API bool acre_frustum_contains_aabb(const acre_frustum *frustum, const acre_aabb *box);

/// An outline of a volume of n planes has at most (n / 2)^2 lines.
#define ACRE_FRUSTUM_HULL_MAX_LINES 64

/// A frustum prepared for the exact test: made once a query, read by many tests. Beside the planes
/// of the frustum it holds the planes that separating axes could use: those perpendicular to an
/// axis of the world, which are the outline of the volume as seen along that axis, and those
/// perpendicular to two, which are the volume's bounds. 4.9 KiB, no pointers.
typedef struct acre_frustum_hull {
    acre_frustum frustum;
    acre_aabb bounds;       ///< contains the volume; infinite where the volume is unbounded
    uint32_t line_count[3]; ///< per axis along which one looks
    /// Inside is line[0] * p[(axis + 1) % 3] + line[1] * p[(axis + 2) % 3] + line[2] >= 0.
    double lines[3][ACRE_FRUSTUM_HULL_MAX_LINES][3];
} acre_frustum_hull;

/// Prepares the exact test of any set of planes, also an unbounded one. Planes with NaN or infinite
/// elements take part in acre_frustum_test_aabb only. About three microseconds for six planes; the
/// time grows with the fourth power of their number.
ACRE_API void acre_frustum_hull_prepare(acre_frustum_hull *hull, const acre_frustum *frustum);

/// The exact test: acre_frustum_test_aabb, and additionally false where the box certainly has no
/// point in common with the volume of the planes (separating axes; Gottschalk, Lin and Manocha
/// 1996). Doubt means visible: a box with an infinite edge gets the answer of
/// acre_frustum_test_aabb. Boxes that stay visible cost several times as much as there.
/// @param box a valid box.
/// @return whether it is visible.
ACRE_API bool acre_frustum_hull_test_aabb(const acre_frustum_hull *hull, const acre_aabb *box);

/// Prepares and tests in one call, for a single box. @return as acre_frustum_hull_test_aabb.
ACRE_API bool acre_frustum_test_aabb_exact(const acre_frustum *frustum, const acre_aabb *box);

ACRE_EXTERN_C_END

#endif
