// SPDX-License-Identifier: MIT
// gltf_skin.h - meshes that joints bend: where their points are, and what their bounds must hold.
#ifndef ACRE_GLTF_SKIN_H
#define ACRE_GLTF_SKIN_H

#include "gltf_internal.h"

/// A joint, in coordinates of its own.
typedef struct gltf_joint {
    uint32_t node;
    double inverse_bind[16]; ///< from the mesh's coordinates
    double low[3], high[3];  ///< the box of the points that it moves; low > high: none
} gltf_joint;

typedef struct gltf_skin {
    struct gltf_skin *next;
    const struct gltf_skins *all;
    gltf_joint *joints;
    uint32_t count;
    double low[3], high[3]; ///< what its spheres have reached so far
    acre_aabb *reach;       ///< where that goes in the end
} gltf_skin;

/// What all skins of a file share. It begins with the tree, and zeros.
typedef struct gltf_skins {
    const gltf_tree *tree;
    gltf_skin *first;
    // Of the file's nodes, as they stand now: in rest, or at a key of an animation.
    gltf_pose *poses;
    float (*locals)[16];
    double (*worlds)[16];
} gltf_skins;

/// @param reach receives, by acre_gltf_reach, the bounds of all that the skin has bent
/// @return NULL after a fault
gltf_skin *acre_gltf_open_skin(gltf_file *file, gltf_skins *skins, uint32_t number,
                               acre_aabb *reach);

/// Bends the points of a primitive into the rest pose, in the scene's coordinates.
void acre_gltf_skin_points(gltf_file *file, gltf_skin *skin, const cJSON *primitive, float *points,
                           uint32_t count);

/// The bounds of all skins, in the rest pose and at each key of each animation.
void acre_gltf_reach(gltf_file *file, gltf_skins *skins);

#endif
