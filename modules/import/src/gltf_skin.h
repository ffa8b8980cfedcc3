// SPDX-License-Identifier: MIT
// gltf_skin.h - meshes that joints bend: where their points are, and what their bounds must hold.
#ifndef ACRE_GLTF_SKIN_H
#define ACRE_GLTF_SKIN_H

#include "gltf_internal.h"

/// Low above high: it holds nothing.
typedef struct gltf_box {
    double low[3], high[3];
} gltf_box;

/// A joint, in coordinates of its own.
typedef struct gltf_joint {
    uint32_t node;
    double inverse_bind[16]; ///< from the mesh's coordinates
    gltf_box box;            ///< of the points that it moves
} gltf_joint;

typedef struct gltf_skin {
    struct gltf_skin *next;
    const struct gltf_skins *all;
    gltf_joint *joints;
    uint32_t count;
    gltf_box box;          ///< what its spheres have reached so far
    gltf_variant *variant; ///< where that goes in the end
} gltf_skin;

/// What all skins of a file share. It begins with the tree, and zeros.
typedef struct gltf_skins {
    const gltf_tree *tree;
    gltf_skin *first;
    // Of the file's nodes, as they stand now: in rest, or at a key of an animation.
    gltf_pose *poses;
    double (*worlds)[16];
} gltf_skins;

/// @param variant of a node with a skin; acre_gltf_reach gives it its reach
/// @return NULL after a fault
gltf_skin *acre_gltf_open_skin(gltf_file *file, gltf_skins *skins, gltf_variant *variant);

/// Bends the points of a primitive into the rest pose, in the scene's coordinates.
void acre_gltf_skin_points(gltf_file *file, gltf_skin *skin, const cJSON *primitive, float *points,
                           uint32_t count);

/// The bounds of all skins, in the rest pose and at each key of each animation.
void acre_gltf_reach(gltf_file *file, gltf_skins *skins);

#endif
