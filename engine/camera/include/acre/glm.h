// SPDX-License-Identifier: MIT
// glm.h - Acre's functions with cglm's types. Optional; no other public header needs cglm.
//
// Experimental: it may change in any minor version.
//
// Matrices are copied: cglm expects its own at multiples of 16 or 32 bytes, and Acre's are plain
// float[16]. A cast would crash.
//
// Typical use:
//     mat4 view_projection;
//     glm_mat4_mul(projection, view, view_projection);
//     acre_glm_frustum(view_projection, ACRE_CLIP_NEGATIVE_ONE_TO_ONE, &frustum);
//
// Threading: pure functions.
#ifndef ACRE_GLM_H
#define ACRE_GLM_H

#include <acre/camera.h>

#include <cglm/types.h>

#include <string.h>

/// Extracts the planes of a view-projection matrix.
/// @param clip ACRE_CLIP_ZERO_TO_ONE with CGLM_FORCE_DEPTH_ZERO_TO_ONE, else
/// ACRE_CLIP_NEGATIVE_ONE_TO_ONE.
/// @return as acre_frustum_from_matrix.
static inline ACRE_RESULT acre_glm_frustum(mat4 view_projection, acre_clip clip, acre_frustum *out)
{
    float elements[16];
    memcpy(elements, view_projection, sizeof elements);
    return acre_frustum_from_matrix(out, elements, clip);
}

/// Sets view, projection and clip of a camera; its layers stay.
static inline void acre_glm_camera_set(acre_camera *camera, mat4 view, mat4 projection,
                                       acre_clip clip)
{
    memcpy(camera->view, view, sizeof camera->view);
    memcpy(camera->projection, projection, sizeof camera->projection);
    camera->clip = clip;
}

/// Copies the camera's view matrix to dest.
static inline void acre_glm_camera_view(const acre_camera *camera, mat4 dest)
{
    memcpy(dest, camera->view, sizeof camera->view);
}

/// Copies the camera's projection matrix to dest.
static inline void acre_glm_camera_projection(const acre_camera *camera, mat4 dest)
{
    memcpy(dest, camera->projection, sizeof camera->projection);
}

/// Sets view. @return as acre_camera_look_at.
static inline ACRE_RESULT acre_glm_camera_look_at(acre_camera *camera, vec3 eye, vec3 target,
                                                  vec3 up)
{
    return acre_camera_look_at(camera, eye, target, up);
}

/// @return the box between cglm's two corners, min and max.
static inline acre_aabb acre_glm_aabb(vec3 corners[2])
{
    acre_aabb box;
    memcpy(box.min, corners[0], sizeof box.min);
    memcpy(box.max, corners[1], sizeof box.max);
    return box;
}

/// Copies a box to cglm's two corners, min and max.
static inline void acre_glm_aabb_corners(const acre_aabb *box, vec3 dest[2])
{
    memcpy(dest[0], box->min, sizeof box->min);
    memcpy(dest[1], box->max, sizeof box->max);
}

#endif
