// SPDX-License-Identifier: MIT
// camera_sets.h - cameras that belong together: the eyes of a headset, the six faces of a cube.
//
// A split screen needs nothing of its own: each player's camera is acre_camera_perspective with the
// aspect of that player's part of the screen. For shadow cascades see cascades.h.
//
// Words used here:
//     joint frustum   one convex volume around the views of several cameras: what both eyes see is
//                     then found by one query instead of two
//
// Typical use:
//     acre_camera eyes[2]; // as the headset's runtime gives them
//     acre_frustum both;
//     acre_camera_joint_frustum(eyes, 2, &both);
//     acre_frustum_test_aabb(&both, &box); // seen by an eye, perhaps
//
// Threading: pure functions.
#ifndef ACRE_CAMERA_SETS_H
#define ACRE_CAMERA_SETS_H

#include <acre/camera.h>

ACRE_EXTERN_C_BEGIN

#define ACRE_JOINT_MAX_CAMERAS 4

/// The planes of the convex hull of the cameras' views, moved outwards as those of
/// acre_frustum_from_matrix and with the same promise: no box that contains a point inside the
/// exact clip volume of a camera, or a point between two such points, is ever rejected, up to a
/// distance of 2^126. (A box that is outside of a camera's view near an edge, and which that
/// camera's own frustum only fails to reject, may be rejected here.)
///
/// Two eyes that look the same way have 6 planes, or 5 without a far plane; eyes that are turned
/// and rolled against each other 8 to 16. Of a hull with more facets the 16 largest are kept: the
/// volume is then a little larger than the hull. So it is where a far plane is 2^18 times as far as
/// its near plane, which counts as infinite. If endless views together open by almost 180 degrees
/// or more, there are no planes: everything is visible.
///
/// Takes 8 microseconds for two eyes that look the same way, 18 for others, 280 for four cameras.
/// In a tree of 100,000 boxes a query with the joint frustum took 6 microseconds instead of 12 for
/// the two eyes one after the other (turned by 20 degrees: 10 instead of 12); what is gained beyond
/// that is what need not be done twice with the result.
/// @param cameras count of them, in any order: perspective (symmetric or not, turned in any way,
/// with an infinite far plane or an oblique near one) or orthographic, each with its own clip
/// convention. View is affine: its last row is 0 0 0 1. Layers take no part.
/// @param count 1..ACRE_JOINT_MAX_CAMERAS.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, a count out of its range, an unknown
/// clip, elements that are NaN or infinite, a singular matrix, and a view that is empty or beyond
/// all floats. On error *out has 0 planes.
ACRE_API acre_result acre_camera_joint_frustum(const acre_camera *cameras, uint32_t count,
                                               acre_frustum *out);

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
