// SPDX-License-Identifier: MIT
// import.h - scene files (glTF, OBJ, COLLADA, FBX, ...) as plain arrays, and as entities of a
// scene.
//
// Knows the scene and a file reader (assimp); knows neither culling nor drawing. What it keeps of a
// file is geometry and hierarchy: positions, triangles, line segments, nodes. Materials, normals,
// animations, cameras and lights are left out. Reads untrusted files: whatever assimp hands over is
// checked before it is kept. assimp itself may crash on hostile files; who opens such files imports
// in a process of its own and carries the model over with acre_import_pack (see tools/).
//
// Words used here:
//     mesh     positions with triangles, line segments or both; shared by any number of nodes
//     node     a place in the hierarchy: a local matrix and a range of meshes
//     local    a node's coordinates; its matrix maps them to those of its parent
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
// Threading: a model is immutable; functions on a const model may run from many threads. One call
// of acre_import_file at a time in a process, because assimp keeps its last error in a global.
#ifndef ACRE_IMPORT_H
#define ACRE_IMPORT_H

#include <acre/scene.h>

ACRE_EXTERN_C_BEGIN

#define ACRE_IMPORT_NO_PARENT UINT32_MAX

/// Geometry. Every position is finite, every index is below point_count.
typedef struct acre_import_mesh {
    const float *points; ///< x y z
    uint32_t point_count;
    const uint32_t *triangles; ///< 3 indices each; NULL without triangles
    uint32_t triangle_count;
    const uint32_t *lines; ///< 2 indices a segment; NULL without lines
    uint32_t line_count;   ///< segments
    acre_aabb bounds;      ///< of all points; empty without points
} acre_import_mesh;

/// Parents stand before their children, so one pass in order computes world matrices.
typedef struct acre_import_node {
    const char *name;    ///< as in the file, never NULL, not always unique
    uint32_t parent;     ///< < own index, or ACRE_IMPORT_NO_PARENT for a root
    float local[16];     ///< column-major, finite, affine: the last row is 0 0 0 1
    acre_aabb bounds;    ///< of its meshes, in local coordinates; empty if there are none
    uint32_t first_mesh; ///< into acre_import_model.node_meshes
    uint32_t mesh_count;
} acre_import_node;

/// A file's content in one block of memory; read-only to the caller.
typedef struct acre_import_model {
    const acre_import_node *nodes;
    uint32_t node_count; ///< >= 1
    const acre_import_mesh *meshes;
    uint32_t mesh_count;
    const uint32_t *node_meshes; ///< indices into meshes, grouped by node
    uint32_t node_mesh_count;
    uint64_t point_total; ///< sums over meshes, each counted once
    uint64_t triangle_total;
    uint64_t line_total;
    size_t byte_size;         ///< of the whole block
    acre_allocator allocator; ///< the block's
} acre_import_model;

/// Reads a file of any format that assimp knows; faces of more than three corners are
/// triangulated, the hierarchy is kept as it is in the file. The reader's own memory comes from the
/// C++ heap; only the model comes from the allocator.
/// @param path a file's name; assimp chooses the format by its ending, then by its content.
/// @param allocator NULL: the C library's heap.
/// @param message receives, on any error, the file's name and what is wrong; cut at message_size.
/// NULL is allowed where message_size is 0.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL path or out; ACRE_ERROR_IO if the file
/// cannot be opened or read; ACRE_ERROR_FORMAT if its content is broken, of an unknown format or
/// without a node; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API ACRE_NODISCARD acre_result acre_import_file(const char *path,
                                                     const acre_allocator *allocator,
                                                     acre_import_model **out, char *message,
                                                     size_t message_size);

/// NULL is allowed.
ACRE_API void acre_import_free(acre_import_model *model);

/// Creates one entity per node: its parent's child, with the node's matrix and box (none for a node
/// without meshes) and the node's index as user value. Nothing is committed.
/// @param parent of the model's roots; null: they become roots of the scene.
/// @param entities receives node_count handles, in the order of nodes; may be NULL.
/// @return ACRE_OK, or the scene's error: then every entity made here is destroyed again and
/// entities holds null handles.
ACRE_API ACRE_NODISCARD acre_result acre_import_to_scene(const acre_import_model *model,
                                                         acre_scene *scene, acre_entity parent,
                                                         acre_entity *entities);

// A model as bytes, to carry it from one process to another of the same build on one machine.
// Native byte order: not a file format.

/// @return how many bytes the model needs; they are written if size is at least that.
/// @param bytes may be NULL where size is 0.
ACRE_API size_t acre_import_pack(const acre_import_model *model, void *bytes, size_t size);

/// The reverse. Trusts nothing: counts, ranges, indices, finiteness and order are checked.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_FORMAT;
/// ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API ACRE_NODISCARD acre_result acre_import_unpack(const void *bytes, size_t size,
                                                       const acre_allocator *allocator,
                                                       acre_import_model **out);

ACRE_EXTERN_C_END

#endif
