// SPDX-License-Identifier: MIT
// import.h - reads scene files (glTF, OBJ, COLLADA, FBX, ...) into arrays and makes entities of
// them.
//
// Experimental: it may change in any minor version.
//
// Knows the scene, occluders, a reader of glTF and assimp, which reads the other formats; knows
// neither culling nor drawing. A model keeps the geometry and the hierarchy of a file: positions,
// triangles, line segments and nodes. It leaves out materials, normals, animations, cameras and
// lights. The reader of glTF trusts no byte. What assimp returns is checked before it is kept, but
// assimp itself may crash on hostile files: a program that opens files from strangers imports them
// in a child process and receives the model through acre_import_pack, as tools/import_sandbox.h
// does.
//
// Words used here:
//     mesh     positions with triangles, line segments or both; shared by any number of nodes
//     node     a place in the hierarchy: a local matrix and a range of meshes
//     local    coordinates of a node; its matrix maps them to the coordinates of its parent
//
// Typical use:
//     char message[256];
//     acre_import_model *model;
//     if (acre_import_file("city.glb", NULL, &model, message, sizeof message) != ACRE_OK) {
//         fprintf(stderr, "%s\n", message);
//     }
//     acre_import_to_scene(model, scene, (acre_entity){0}, NULL);
//     acre_import_free(model);
//
// Threading: a model does not change, so that many threads may use a const model. Only one thread
// of a process may call acre_import_file at a time, because assimp and cJSON keep their last error
// in globals.
#ifndef ACRE_IMPORT_H
#define ACRE_IMPORT_H

#include <acre/occluder.h>
#include <acre/scene.h>

ACRE_EXTERN_C_BEGIN

#define ACRE_IMPORT_NO_PARENT UINT32_MAX
#define ACRE_IMPORT_NO_NODE UINT32_MAX
#define ACRE_IMPORT_MAX_OCCLUDERS 32 ///< of a node

enum {
    /// A glTF says that it is drawn opaque, and as it stands here: its material has alphaMode
    /// OPAQUE, no transmission and no variants; nothing bends it, hides it or takes its place.
    ACRE_IMPORT_MESH_OPAQUE = 1u,
    ACRE_IMPORT_MESH_TWO_SIDED = 2u, ///< its material is double-sided
    ACRE_IMPORT_MESH_ON_GROUND = 4u  ///< its glTF says that the ground is opaque
};

/// Geometry. Every position is finite, and every index is less than point_count.
typedef struct acre_import_mesh {
    const float *points; ///< x y z of each point; NULL without points
    uint32_t point_count;
    const uint32_t *triangles; ///< 3 indices for each triangle; NULL without triangles
    uint32_t triangle_count;
    const uint32_t *lines; ///< 2 indices for each segment; NULL without lines
    uint32_t line_count;   ///< number of segments
    uint32_t flags;        ///< ACRE_IMPORT_MESH_ values
    acre_aabb bounds;      ///< of all points; empty without points
} acre_import_mesh;

/// Parents stand before their children, so that one pass in order computes all world matrices.
typedef struct acre_import_node {
    const char *name;    ///< as in the file; never NULL, not always unique
    uint32_t parent;     ///< less than the node's own index; ACRE_IMPORT_NO_PARENT for a root
    float local[16];     ///< column-major, finite, affine: the last row is 0 0 0 1
    acre_aabb bounds;    ///< of its meshes, in local coordinates; empty without meshes
    uint32_t first_mesh; ///< index into acre_import_model.node_meshes
    uint32_t mesh_count;
    uint32_t file_node;      ///< its number among a glTF's nodes, which several nodes may share;
                             ///< ACRE_IMPORT_NO_NODE in files of other formats
    uint32_t first_occluder; ///< index into acre_import_model.occluders
    uint32_t occluder_count; ///< at most ACRE_IMPORT_MAX_OCCLUDERS
} acre_import_node;

/// The content of a file in one block of memory. The caller must not change it.
typedef struct acre_import_model {
    const acre_import_node *nodes;
    uint32_t node_count; ///< at least 1
    const acre_import_mesh *meshes;
    uint32_t mesh_count;
    const uint32_t *node_meshes; ///< indices into meshes, grouped by node
    uint32_t node_mesh_count;
    uint64_t point_total;     ///< of all meshes; a mesh that two nodes use counts once
    uint64_t triangle_total;  ///< of all meshes
    uint64_t line_total;      ///< of all meshes
    size_t byte_size;         ///< of the whole block
    acre_allocator allocator; ///< that the block came from
    const char *notes;        ///< what was not read, and what bounds do not hold: a line for each
    const acre_occluder *occluders; ///< valid, in local coordinates, grouped by node; NULL: none
    uint32_t occluder_count;
} acre_import_model;

/// Reads a glTF, or a file of any format that assimp knows. Faces of more than three corners become
/// triangles; the hierarchy stays as it is in the file. Of a glTF the default scene is read, or the
/// first. An instance of EXT_mesh_gpu_instancing becomes a child of its node. A mesh with a skin
/// hangs at a root, in the rest pose; its node's bounds hold it at every key of the animations.
/// `extras.acre_occluders` of a node are what it hides other things with, for
/// acre_culling_set_occluders; where the node has instances, each of them has these. A
/// matrix whose last row differs from 0 0 0 1 by less than 1e-5 gets 0 0 0 1. Files that state
/// which axis points up (FBX, COLLADA), or whose format says so (Blender, 3DS, glTF), come in with
/// y up: the matrix of the root turns the model, and mirrors it where the file's axes are
/// left-handed. Other files (OBJ, PLY, STL) are taken as they are; if z is up in yours, turn the
/// entities' parent. The model's memory comes from the allocator; that of assimp and of cJSON from
/// the heap.
/// @param path the file's name. A glTF is known by its content; for other files assimp chooses the
/// format by the ending, then by the content.
/// @param allocator NULL: the C library's heap.
/// @param message on any error receives the file's name and what is wrong, cut at message_size.
/// It may be NULL if message_size is 0.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT if path or out is NULL; ACRE_ERROR_IO if the file
/// cannot be opened or read; ACRE_ERROR_FORMAT if the content is broken, has no node, demands what
/// is not known, or is of an unknown format; ACRE_ERROR_CAPACITY for more than 2^26 nodes, and for
/// more points or indices than 32 bits count; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_import_file(const char *path,
                                                   const acre_allocator *allocator,
                                                   acre_import_model **out, char *message,
                                                   size_t message_size);

/// Frees a model. Entities that were made of it stay.
/// @param model NULL: nothing happens.
ACRE_EXPERIMENTAL_API void acre_import_free(acre_import_model *model);

/// Creates one entity for each node, with the node's matrix, its box and its index as user value.
/// A node without meshes gives an entity without bounds. The scene is not committed.
/// @param parent the parent of the model's roots; null: they become roots of the scene.
/// @param entities receives node_count handles in the order of the nodes; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT if model or scene is NULL;
/// ACRE_ERROR_OUT_OF_MEMORY; or the scene's error, as acre_entity_create. On error all entities
/// made by this call are destroyed, and entities holds null handles.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_import_to_scene(const acre_import_model *model,
                                                       acre_scene *scene, acre_entity parent,
                                                       acre_entity *entities);

// Occluders from meshes, where a file states none.

/// Why a node has the occluders that it has, or has none.
typedef enum acre_import_reason {
    ACRE_IMPORT_FOUND,
    ACRE_IMPORT_HAS_ITS_OWN,      ///< in the file
    ACRE_IMPORT_NO_TRIANGLES,     ///< so that it hides nothing
    ACRE_IMPORT_NOT_OPAQUE,       ///< or not surely so, or something may move its points
    ACRE_IMPORT_HAS_HOLES,        ///< edges with more triangles on one side than on the other
    ACRE_IMPORT_OPEN_BELOW,       ///< and not upright on the ground, so that one sees into it
    ACRE_IMPORT_LIES_ON_ITS_SIDE, ///< the y axis of the node is not upright in the file
    ACRE_IMPORT_NOTHING_FITS,     ///< nothing that hides 1 % of what its box would hide
    ACRE_IMPORT_TOO_LARGE,        ///< it has too many triangles, or the file
    ACRE_IMPORT_REASON_COUNT_
} acre_import_reason;

typedef struct acre_import_finding {
    acre_import_reason reason;
    uint32_t occluder_count;
    float share; ///< of what one sees of its meshes from the side: how much has an occluder behind
                 ///< it, 0 to 1. 0 where the file states them
} acre_import_finding;

typedef struct acre_import_find_def {
    bool replace; ///< nodes get what is found in place of what the file states
} acre_import_find_def;

/// Finds the largest prisms inside the meshes of a model that came from a glTF. A node has some
/// where its meshes are opaque and rigid (ACRE_IMPORT_MESH_OPAQUE) and a part of them encloses
/// something: each of the part's edges has as many of its triangles on one side as on the other,
/// points at one place being one. Edges within 2 % of the node's height above its lowest point may
/// be open where the node stands upright and that point is at most 1 m, and at most a quarter of
/// its height, above that of the file: no eye should be lower than it. Each prism is proved to lie
/// inside its part, in doubles: no triangle of it meets the prism, whose middle is inside. It is
/// two-sided where the material is double-sided and the part is at most 1 m thick there. It has no
/// bottom where the part is open below and the file says that the ground is opaque. San Francisco's
/// 13,077 buildings take 0.09 s.
/// @param findings acre_import_finding[node_count]; may be NULL.
/// @param out receives a model of its own, with the occluders; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT if model or def is NULL; ACRE_ERROR_CAPACITY;
/// ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_import_find_occluders(const acre_import_model *model,
                                                             const acre_import_find_def *def,
                                                             acre_import_finding *findings,
                                                             acre_import_model **out);

// A model as bytes, for another process of the same build on the same machine. It has the byte
// order of the machine and is no file format.

/// Writes a model to bytes, if size is large enough.
/// @param bytes may be NULL if size is 0.
/// @return how many bytes the model needs.
ACRE_EXPERIMENTAL_API size_t acre_import_pack(const acre_import_model *model, void *bytes,
                                              size_t size);

/// Makes a model of the bytes of acre_import_pack. It trusts none of them: it checks counts,
/// ranges, indices, numbers and the order of nodes.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT if bytes or out is NULL; ACRE_ERROR_FORMAT if the
/// bytes are broken; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_import_unpack(const void *bytes, size_t size,
                                                     const acre_allocator *allocator,
                                                     acre_import_model **out);

ACRE_EXTERN_C_END

#endif
