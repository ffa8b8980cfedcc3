// SPDX-License-Identifier: MIT
// gltf_skin.h - meshes that joints bend: where their points are, and what their bounds must hold.
#ifndef ACRE_GLTF_SKIN_H
#define ACRE_GLTF_SKIN_H

#include "gltf_internal.h"

/// A joint, in coordinates of its own.
typedef struct gltf_joint {
    uint32_t node;
    double inverse_bind[16]; ///< from the mesh's coordinates
    double low[3], high[3];  ///< the box of the points that it moves; empty: none
} gltf_joint;

typedef struct gltf_skin {
    gltf_joint *joints;
    uint32_t count;
} gltf_skin;

typedef struct gltf_motion gltf_motion; ///< an animation

/// What all skins of a file share.
typedef struct gltf_skins {
    const gltf_tree *tree;
    // Of the file's nodes.
    gltf_pose *rest_poses;
    double (*rest_locals)[16];
    bool *is_bone; ///< a joint, or above one
    // As they stand now, in rest or at a key.
    gltf_pose *poses;
    double (*locals)[16];
    double (*worlds)[16]; ///< of bones alone
    gltf_motion *motions;
} gltf_skins;

/// Reads the rest pose and the animations. It does nothing where the file has no skin.
bool acre_gltf_read_skins(gltf_file *file, const gltf_tree *tree, gltf_skins *skins);

bool acre_gltf_open_skin(gltf_file *file, uint32_t number, gltf_skin *skin);

/// Bends the points of a primitive into the rest pose, in the scene's coordinates.
bool acre_gltf_skin_points(gltf_file *file, const gltf_skins *skins, gltf_skin *skin,
                           const char *place, const cJSON *primitive, float *points,
                           uint32_t count);

/// The bounds of all that the skin has bent, in the rest pose and at each key of each animation.
bool acre_gltf_skin_reach(gltf_file *file, gltf_skins *skins, const gltf_skin *skin,
                          acre_aabb *out);

#endif
