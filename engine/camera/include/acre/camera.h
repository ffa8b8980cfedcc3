// SPDX-License-Identifier: MIT
// camera.h - view, projection and clip convention; what a camera sees, as planes and rays.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor
// version.
//
// A camera is right-handed, y is up, and it looks along its own -z. Matrices are 16 floats,
// column-major, as cglm's mat4. Functions calculate in double precision and round once.
//
// Words used here:
//     picture   what the camera sees, as a rectangle: (0, 0) is its upper left corner, (1, 1) its
//               lower right one; a pixel's center is ((column + 0.5) / width, (row + 0.5) / height)
//     depth     distance from the camera along the way it looks, world units
//
// Typical use:
//     acre_camera camera = {0};
//     acre_camera_perspective(&camera, 1.0f, 16.0f / 9.0f, 0.1f, INFINITY, ACRE_CLIP_ZERO_TO_ONE);
//     acre_camera_look_at(&camera, eye, target, up);
//     acre_camera_frustum(&camera, &frustum);                     // what it sees
//     acre_camera_ray(&camera, mouse_x / width, mouse_y / height, &ray); // what is under the mouse
//
// The upper edge of the picture is y = +w in clip space, as in OpenGL, Direct3D and Metal. If
// your projection flips y for Vulkan, put 1 - y for y in arguments and results.
//
// Threading: pure functions on the caller's struct.
#ifndef ACRE_CAMERA_H
#define ACRE_CAMERA_H

#include <acre/frustum.h>
#include <acre/shapes.h>

ACRE_EXTERN_C_BEGIN

/// A camera. view and projection may also be written by the caller.
typedef struct acre_camera {
    float view[16];       ///< world to camera
    float projection[16]; ///< camera to clip space
    acre_clip clip;       ///< depth convention of projection
    uint32_t layers;      ///< layers that the camera sees; 0: all
} acre_camera;

/// Sets projection and clip. A view that is all zero becomes the identity.
/// @param vertical_fov radians, 0 < fov < pi.
/// @param aspect width / height, > 0, finite.
/// @param near_distance > 0, finite.
/// @param far_distance > near_distance; INFINITY is allowed.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and the camera is unchanged.
ACRE_API ACRE_RESULT acre_camera_perspective(acre_camera *camera, float vertical_fov, float aspect,
                                             float near_distance, float far_distance,
                                             acre_clip clip);

/// Sets projection and clip to an orthographic view along the camera's axis. A view that is all
/// zero becomes the identity.
/// @param width of what is seen, world units, > 0, finite.
/// @param height of what is seen, likewise.
/// @param near_distance finite; it may be negative.
/// @param far_distance > near_distance, finite.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and the camera is unchanged.
ACRE_API ACRE_RESULT acre_camera_orthographic(acre_camera *camera, float width, float height,
                                              float near_distance, float far_distance,
                                              acre_clip clip);

/// Sets view: the camera stands at eye and looks at target.
/// @param eye float[3], finite.
/// @param target float[3], finite, different from eye.
/// @param up float[3] of any length, finite, at least a microradian away from the line of sight.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and the camera is unchanged.
ACRE_API ACRE_RESULT acre_camera_look_at(acre_camera *camera, const float *eye, const float *target,
                                         const float *up);

/// The planes of what the camera sees; acre_frustum_from_matrix says what they promise. The
/// camera's layers do not matter.
/// @return as acre_frustum_from_matrix. On error *out has 0 planes.
ACRE_API ACRE_RESULT acre_camera_frustum(const acre_camera *camera, acre_frustum *out);

/// The ray that goes through a place in the picture, for picking. It begins on the near plane and
/// ends on the far plane; without a far plane its length is INFINITY. Its direction has length 1,
/// its half size is zero.
/// @param x place in the picture, finite; beyond 0..1 the ray runs outside of the picture.
/// @param y likewise.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, numbers that are not finite, an unknown
/// clip, a singular matrix, and a ray that is not valid (shapes.h). *out is unchanged then.
ACRE_API ACRE_RESULT acre_camera_ray(const acre_camera *camera, float x, float y, acre_ray *out);

/// The planes of what the camera sees in a rectangle of the picture, for selecting with a dragged
/// rectangle. They promise the same as the planes of acre_camera_frustum.
/// @param x_min of the upper left corner, finite; the rectangle may reach beyond the picture.
/// @param y_min likewise.
/// @param x_max of the lower right corner, finite, greater than x_min.
/// @param y_max likewise, greater than y_min.
/// @return as acre_camera_frustum; ACRE_ERROR_INVALID_ARGUMENT also for a rectangle without size.
/// On error *out has 0 planes.
ACRE_API ACRE_RESULT acre_camera_sub_frustum(const acre_camera *camera, float x_min, float y_min,
                                             float x_max, float y_max, acre_frustum *out);

/// Where a point of the world is in the picture, for labels. A point beside the picture has x or y
/// beyond 0..1; one nearer than the near plane or farther than the far plane is projected too.
/// @param point float[3], finite.
/// @param x receives the place in the picture.
/// @param y likewise.
/// @param depth receives the depth.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, numbers that are not finite, an unknown
/// clip, a point that is not ahead of a perspective camera's eye, and a result beyond all floats.
/// Nothing is written then.
ACRE_API ACRE_RESULT acre_camera_project(const acre_camera *camera, const float *point, float *x,
                                         float *y, float *depth);

/// Six cameras at one point, 90 degrees wide and high: along +x, -x, +y, -y, +z, -z. Together they
/// see every direction. The pictures are turned as OpenGL samples cube maps, and Vulkan where the
/// picture is not flipped; Direct3D wants them upside down.
/// @param eye float[3], finite.
/// @param near_distance as for acre_camera_perspective, a depth: the distance is sqrt(2) times the
/// depth at the edge of a face, sqrt(3) times at a corner.
/// @param far_distance likewise.
/// @param clip as for acre_camera_perspective.
/// @param out receives six cameras; their layers are 0: all.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and *out is unchanged.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_cube_cameras(const float *eye, float near_distance,
                                                    float far_distance, acre_clip clip,
                                                    acre_camera *out);

ACRE_EXTERN_C_END

#endif
