// SPDX-License-Identifier: MIT
// camera.h - view, projection and clip convention; makes the frustum that queries take.
//
// Right-handed, y up, the camera looks along its own -z. Matrices are 16 floats, column-major, as
// cglm's mat4.
//
// Typical use:
//     acre_camera camera = {0};
//     acre_camera_perspective(&camera, 1.0f, 16.0f / 9.0f, 0.1f, INFINITY, ACRE_CLIP_ZERO_TO_ONE);
//     acre_camera_look_at(&camera, eye, target, up);
//     acre_camera_frustum(&camera, &frustum);
//
// Matrices are computed in double precision and rounded once. Every setter takes constant time.
//
// Threading: pure functions on the caller's struct.
#ifndef ACRE_CAMERA_H
#define ACRE_CAMERA_H

#include <acre/frustum.h>

ACRE_EXTERN_C_BEGIN

/// A camera. view and projection may also be written by the caller.
typedef struct acre_camera {
    float view[16];       ///< world to camera
    float projection[16]; ///< camera to clip space
    acre_clip clip;       ///< depth convention of projection
    uint32_t layers;      ///< what the camera sees; 0: all layers
} acre_camera;

/// Sets projection (x and y as in OpenGL: -1..1, y up) and clip; view, where it is all zero,
/// becomes the identity.
/// @param vertical_fov radians, 0 < fov < pi.      @param aspect width / height, > 0, finite.
/// @param near_distance world units, > 0, finite.  @param far_distance > near; INFINITY allowed.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and the camera is unchanged.
ACRE_API acre_result acre_camera_perspective(acre_camera *camera, float vertical_fov, float aspect,
                                             float near_distance, float far_distance,
                                             acre_clip clip);

/// Sets an orthographic projection around the view axis, and clip; view as above.
/// @param width, height of what is seen, world units, > 0, finite.
/// @param near_distance finite, may be negative.   @param far_distance > near, finite.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and the camera is unchanged.
ACRE_API acre_result acre_camera_orthographic(acre_camera *camera, float width, float height,
                                              float near_distance, float far_distance,
                                              acre_clip clip);

/// Sets view. Points are float[3] in world units, finite; eye differs from target; up, of any
/// length, is not along the view (their angle is at least a microradian).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and the camera is unchanged.
ACRE_API acre_result acre_camera_look_at(acre_camera *camera, const float *eye, const float *target,
                                         const float *up);

/// Planes of projection x view, multiplied in double precision; see acre_frustum_from_matrix for
/// what they promise. layers takes no part. About a microsecond.
/// @return as acre_frustum_from_matrix. On error *out has 0 planes.
ACRE_API acre_result acre_camera_frustum(const acre_camera *camera, acre_frustum *out);

/// Six cameras at a point, 90 degrees wide and high: along +x, -x, +y, -y, +z, -z. Together they
/// see every direction; two of them have only the plane between them in common. The pictures are
/// turned as cube maps are sampled by OpenGL, and by Vulkan where the picture is not flipped;
/// Direct3D wants them upside down.
/// @param eye float[3], finite.
/// @param near_distance, far_distance, clip as for acre_camera_perspective. Distances are those of
/// planes: what is at the edge of a face is sqrt(2), at a corner sqrt(3) times as far.
/// @param out receives six cameras; their layers are 0: all.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and *out is unchanged.
ACRE_API acre_result acre_cube_cameras(const float *eye, float near_distance, float far_distance,
                                       acre_clip clip, acre_camera *out);

ACRE_EXTERN_C_END

#endif
