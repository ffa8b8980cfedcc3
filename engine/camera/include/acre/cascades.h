// SPDX-License-Identifier: MIT
// cascades.h - shadow cascades: a camera's view cut into slices, and a light camera around each.
//
// Experimental: it may change in any minor version.
//
// Words used here:
//     depth     distance from the camera along the way it looks, world units
//     slice     the part of a camera's view between two depths
//     cascade   an orthographic camera that looks along the light and sees a slice and whatever may
//               throw a shadow into it
//     texel     width of one element of a cascade's shadow map, world units. Cascades move by whole
//               texels: edges of shadows do not crawl while the camera moves
//
// Typical use:
//     acre_cascades_def def = {.light = {0.5f, -0.8f, 0.3f}, .distance = 500, .count = 4,
//                              .caster_distance = 300, .log_share = 0.7f, .resolution = 2048};
//     acre_cascade cascades[4];
//     acre_cascades_fit(&def, &camera, cascades);
//     acre_camera_frustum(&cascades[0].camera, &frustum); // what to draw into the first map
//
// Threading: pure functions.
#ifndef ACRE_CASCADES_H
#define ACRE_CASCADES_H

#include <acre/camera.h>

ACRE_EXTERN_C_BEGIN

#define ACRE_CASCADE_MAX 8

/// A light's settings, the same in every frame.
typedef struct acre_cascades_def {
    float light[3]; ///< direction in which the light shines; finite, any length > 0
    float distance; ///< depth where shadows end, at most the far distance; 0: the far distance
    float caster_distance; ///< casters count up to this far beyond the sphere around a slice,
                           ///< toward the light; finite, >= 0
    float log_share;       ///< where to cut: 0 uniformly .. 1 logarithmically
    const float *splits;   ///< count + 1 ascending depths to cut at, in place of distance and
                           ///< log_share; NULL: distance and log_share say where to cut
    uint32_t count;        ///< 1..ACRE_CASCADE_MAX
    uint32_t resolution;   ///< texels along a side of a shadow map, 8..65536
    acre_clip clip;        ///< clip convention of the cascades; 0: that of the camera
} acre_cascades_def;

/// Invariants of each cascade that acre_cascades_fit writes:
///  1. Every point of the camera's view between the two depths is inside camera's volume, and so is
///     every point that is at most caster_distance from it toward the light.
///  2. camera's volume is 2 * half_width wide and high, which is resolution * texel. It is deeper
///     by caster_distance.
///  3. camera.view's rotation depends on the light alone; its translation is a whole number of
///     texels, exactly.
///  4. half_width and texel depend on the def and on the camera's projection, not on its view, as
///     long as the slice is nearer than 2^18 texels to the origin; beyond it they grow in steps.
typedef struct acre_cascade {
    acre_camera camera;  ///< layers is 0: all; set it if casters have layers
    acre_frustum slice;  ///< the camera's view between the two depths, as planes of
                         ///< acre_frustum_from_matrix
    float near_distance; ///< depth where the slice begins
    float far_distance;  ///< depth where it ends
    float half_width;    ///< half the width of camera's volume
    float texel;         ///< width of a texel, world units
    float light[3];      ///< direction in which the light shines, unit length
} acre_cascade;

/// Cuts the camera's view into slices and puts a cascade around the bounding sphere of each. A
/// sphere looks the same from every side, so a cascade keeps its size while the camera moves and
/// turns. For slices that overlap, which blending needs, call it once for each cascade with count 1
/// and splits.
/// Without splits the depths lead from the camera's near plane to distance, each a mixture of the
/// uniform and the logarithmic cut (Zhang, Sun, Xu and Lun 2006). An orthographic camera is cut
/// uniformly: what is far is as large there as what is near.
/// @param camera perspective or orthographic; it may be mirrored or off its axis. With an infinite
/// far plane, distance must be set. Leave jitter out of it, or sizes change from frame to frame.
/// Its view must not scale, and its projection must not have an oblique plane.
/// @param out receives def->count cascades, nearest slice first.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, NaN, a light without direction, a number
/// out of range, depths that do not ascend or do not start above 0 (in a perspective), a camera of
/// another kind, and a slice that is too thin or too large for floats. *out is unchanged then.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_cascades_fit(const acre_cascades_def *def,
                                                    const acre_camera *camera, acre_cascade *out);

ACRE_EXTERN_C_END

#endif
