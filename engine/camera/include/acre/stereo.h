// SPDX-License-Identifier: MIT
// stereo.h - one frustum around what both eyes of a headset see.
//
// Experimental: it may change in any minor version.
//
// One query with it finds what either eye sees. The eyes may be asymmetric, canted (turned outward
// or inward) and unequal. A split screen does not need it: each player has a camera.
//
// Words used here:
//     head space   the space that moves with the headset; an eye's view maps it to the eye
//     head view    maps the world to head space, as a camera's view does
//
// Typical use:
//     acre_camera eyes[2]; // view: head space to the eye; projection and clip: the runtime's
//     acre_stereo stereo;
//     acre_stereo_prepare(&stereo, eyes);              // again when the eye distance changes
//     acre_stereo_place(&stereo, head_view, &frustum); // every frame
//
// OpenXR and OpenVR give the pose of an eye, which maps the eye to head space: its inverse is the
// eye's view. Where only the two world views are known, let the left eye's space be head space: its
// view is then the identity, the right eye's is right * inverse(left), and the head view is left.
//
// Threading: pure functions on the caller's struct.
#ifndef ACRE_STEREO_H
#define ACRE_STEREO_H

#include <acre/camera.h>

ACRE_EXTERN_C_BEGIN

#define ACRE_STEREO_MAX_PLANES 16

/// Planes around both eyes in head space; its fields are the library's. No pointers. Zeroed, it is
/// not prepared.
typedef struct acre_stereo {
    double planes[ACRE_STEREO_MAX_PLANES][4]; // of about unit length, moved outward
    double center[3];                         // between the eyes
    uint32_t plane_count;
} acre_stereo;

/// Finds the planes that hold the views of both eyes. Eyes that look the same way give 6 planes, or
/// 5 without a far plane; canted eyes give more. The far plane is that of the eye that sees
/// farther; there is none if one of the eyes has none.
/// @param eyes two cameras in head space, in any order: perspective, symmetric or not, each with
/// its own clip convention. Their layers do not matter.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, for a camera that is not perspective, has
/// an oblique plane or a view that is not a rotation and a translation, and for eyes that together
/// see more than about 178 degrees. On error *out is not prepared.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_stereo_prepare(acre_stereo *out, const acre_camera *eyes);

/// Moves the planes to where the head is. No box that contains a point that an eye sees is ever
/// rejected, up to a distance of 2^126. What an eye sees is the clip volume of
/// projection x eye view x head view, whether these are multiplied exactly or in floats.
/// @param head_view 16 floats, column-major: a rotation and a translation.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, for a head view of another kind, and
/// if *stereo is not prepared. On error *out has 0 planes: everything is visible.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_stereo_place(const acre_stereo *stereo,
                                                    const float *head_view, acre_frustum *out);

ACRE_EXTERN_C_END

#endif
