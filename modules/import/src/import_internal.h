// SPDX-License-Identifier: MIT
// import_internal.h - how a model lies in memory, and the readers that make it.
//
// A model is one block: import_block, the public nodes and meshes, then the raw sections. A raw
// section holds no pointer and no sum that could contradict another number.
// acre_import_block_finish checks the raw sections, whoever wrote them, and derives everything else
// from them.
#ifndef ACRE_IMPORT_INTERNAL_H
#define ACRE_IMPORT_INTERNAL_H

#include <acre/import.h>

#include <stdio.h>
#include <string.h>

/// A scene has at most 2^26 entities, so a model with more nodes would be of no use.
#define IMPORT_NODE_LIMIT (UINT32_C(1) << 26)

/// A node as a reader writes it. Meshes, occluders and names stand in the order of the nodes, so
/// that the first index of a node is the sum of the counts before it.
typedef struct import_raw_node {
    uint32_t parent;
    uint32_t file_node;
    uint32_t mesh_count;
    uint32_t occluder_count;
    uint32_t name_size; ///< bytes, with the terminating zero
    float local[16];
    acre_aabb reach; ///< what its bounds hold beside its meshes; empty: nothing
} import_raw_node;

typedef struct import_raw_mesh {
    uint32_t point_count;
    uint32_t triangle_count;
    uint32_t line_count;
    uint32_t flags; ///< ACRE_IMPORT_MESH_ values
} import_raw_mesh;

/// The number of elements of each section, in the order of the sections.
typedef struct import_counts {
    uint64_t nodes;
    uint64_t meshes;
    uint64_t node_meshes;
    uint64_t points;
    uint64_t triangles;
    uint64_t lines;
    uint64_t name_bytes;
    uint64_t note_bytes;
    uint64_t occluders;
} import_counts;

typedef struct import_raw {
    import_raw_node *nodes;
    import_raw_mesh *meshes;
    uint32_t *node_meshes;
    float *points;
    uint32_t *triangles;
    uint32_t *lines;
    char *names;
    char *notes;
    acre_occluder *occluders;
} import_raw;

typedef struct import_block {
    acre_import_model model; ///< first: the public pointer is the block's
    import_counts counts;
    import_raw raw;
    size_t raw_offset; ///< bytes from the start of the block
    size_t raw_size;
} import_block;

/// One call of acre_import_file.
typedef struct import_job {
    const char *path;
    const acre_allocator *allocator;
    char *message;
    size_t message_size;
} import_job;

/// Writes "path: what is wrong". @return the result that it is given
acre_result acre_import_fail(const import_job *job, acre_result result, const char *format, ...);

/// The same for what is wrong with the file itself.
#define IMPORT_REFUSE(job, ...) acre_import_fail(job, ACRE_ERROR_FORMAT, __VA_ARGS__)

/// Allocates a block with room for the counts; the raw sections hold zeros.
/// @return ACRE_OK; ACRE_ERROR_CAPACITY if a count exceeds 32-bit indices or the address
/// space; ACRE_ERROR_OUT_OF_MEMORY.
acre_result acre_import_block_allocate(const import_counts *counts, const acre_allocator *allocator,
                                       import_block **out);

/// A last row of a matrix that rounding in the file has changed a little becomes 0 0 0 1 again.
void acre_import_settle_matrix(float *matrix);

/// @return what is wrong with a matrix, or NULL
const char *acre_import_matrix_fault(const float *matrix);

/// Checks the raw sections and makes the public arrays.
/// @return ACRE_OK; ACRE_ERROR_FORMAT: the job's message says what is wrong.
acre_result acre_import_block_finish(import_block *block, const import_job *job);

// ---- the readers that acre_import_file chooses from, and what they share ----

/// @param result ACRE_ERROR_OUT_OF_MEMORY or ACRE_ERROR_CAPACITY. @return the same
acre_result acre_import_fail_size(const import_job *job, acre_result result);

/// @return the path's ending with its dot, or NULL if the file's name has none
const char *acre_import_ending(const char *path);

/// Finds a file's size and goes to its begin. @return false: it is a folder, or has no size
bool acre_import_file_size(FILE *file, size_t *size);

/// Reads any format through assimp.
acre_result acre_import_read_assimp(const import_job *job, acre_import_model **out);

/// Reads a glTF from memory, and the files beside it that it names.
/// @param needs_assimp receives whether that is a job for assimp: it is no glTF, or one of version
/// 1 or with Draco's compression. The result is then ACRE_OK, and there is no model yet.
acre_result acre_import_read_gltf(const import_job *job, const void *bytes, size_t size,
                                  acre_import_model **out, bool *needs_assimp);

#endif
