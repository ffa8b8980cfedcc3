// SPDX-License-Identifier: MIT
// cascades.h - shadow cascades: a camera's view cut into slices, and a light camera around each.
//
// Words used here:
//     depth     distance from the camera along the way it looks; a world unit each, as everywhere
//     slice     the part of a camera's view between two depths
//     cascade   an orthographic camera that looks along the light and holds a slice and whatever
//               may throw a shadow into it
//     texel     the world's width of one element of a cascade's shadow map; cascades move by whole
//               texels, so that edges of shadows do not crawl while the camera moves
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

/// What is asked for; the same for every frame of a light.
typedef struct acre_cascades_def {
    float light[3]; ///< the way the light shines; finite, of any length > 0
    float distance; ///< depth where shadows end; cut at the camera's far plane, which 0 means
    float caster_distance; ///< how far towards the light something may stand and still throw a
                           ///< shadow, from the sphere around the slice; finite, >= 0
    float log_share;       ///< where slices are cut: 0 uniformly .. 1 logarithmically
    const float *splits;   ///< count + 1 ascending depths to cut at, as they are: distance and
                           ///< log_share then count for nothing. NULL: cut by those two
    uint32_t count;        ///< 1..ACRE_CASCADE_MAX
    uint32_t resolution;   ///< texels along a side of a shadow map, 8..65536
    acre_clip clip;        ///< of the cascades' projections; 0: as the camera's
} acre_cascades_def;

/// Invariants, of each cascade that acre_cascades_fit writes:
///  1. Every point of the camera's view between the two depths is inside camera's volume, and so is
///     every point at most caster_distance from it against the light.
///  2. camera's volume is 2 * half_width, which is resolution * texel, wide and high, and deeper
///     by caster_distance.
///  3. camera.view's rotation depends on the light alone; its translation is a whole number of
///     texels, exactly.
///  4. half_width and texel depend on the def and on the camera's projection, not on its view, as
///     long as the slice is nearer than 2^18 texels to the origin; beyond it they grow in steps.
typedef struct acre_cascade {
    acre_camera camera;                ///< layers is 0: all. Give casters' layers where they differ
    acre_frustum slice;                ///< the camera's view between the two depths; its planes are
                                       ///< moved outwards as in acre_frustum_from_matrix, which
                                       ///< leaves out a far one 2^19 times as far as the near one
    float near_distance, far_distance; ///< the slice's depths
    float half_width;                  ///< of camera's volume
    float texel;
    float light[3]; ///< unit length, the way the light shines
} acre_cascade;

/// The depths at which acre_cascades_fit cuts, near to far: splits where given; else from the
/// camera's near plane to distance, each a mixture of the uniform and the logarithmic cut (Zhang,
/// Sun, Xu and Lun 2006). An orthographic camera's are uniform: what is far is as large as what is
/// near there.
/// @param out receives def->count + 1 depths, strictly ascending.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT as acre_cascades_fit, and *out is unchanged.
ACRE_API acre_result acre_cascades_split(const acre_cascades_def *def, const acre_camera *camera,
                                         float *out);

/// Cuts the camera's view into slices and puts a cascade around the bounding sphere of each:
/// turning a sphere changes nothing, so a cascade keeps its size while the camera moves and turns.
/// For slices that overlap, as blending between cascades wants, call it once a cascade with count 1
/// and splits. About two microseconds a cascade.
/// @param camera perspective or orthographic, also with an infinite far plane (distance is then
/// needed), mirrored or off its axis; without jitter, which would move the sizes. Its view turns,
/// mirrors and moves but does not scale; its projection has no oblique plane.
/// @param out receives def->count cascades, nearest slice first.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, a NaN, a light without direction, a
/// number out of its range, depths that do not ascend (those of a perspective start above 0), a
/// camera of another kind, and a slice too thin or too large for floats. Then
/// *out is unchanged.
ACRE_API acre_result acre_cascades_fit(const acre_cascades_def *def, const acre_camera *camera,
                                       acre_cascade *out);

ACRE_EXTERN_C_END

#endif
