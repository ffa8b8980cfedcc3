// SPDX-License-Identifier: MIT
// import_internal.h - how a model lies in memory, shared by reading, packing and unpacking.
//
// A model is one block: import_block, the public nodes and meshes, then the raw sections. Raw
// sections hold no pointer and no sum that could contradict another number;
// acre_import_block_finish derives everything else from them and checks them on the way, whoever
// wrote them.
#ifndef ACRE_IMPORT_INTERNAL_H
#define ACRE_IMPORT_INTERNAL_H

#include <acre/import.h>

#include <stdio.h>
#include <string.h>

enum { IMPORT_SECTION_COUNT = 7 };

/// Entities are at most 2^26 in a scene, so more nodes could never be used.
#define IMPORT_NODE_LIMIT (UINT32_C(1) << 26)

/// A node as written by a reader. Meshes and names follow each other in the order of nodes, so
/// first indices are running sums.
typedef struct import_raw_node {
    uint32_t parent;
    uint32_t mesh_count;
    uint32_t name_size; ///< bytes, the terminating zero included
    float local[16];
} import_raw_node;

typedef struct import_raw_mesh {
    uint32_t point_count, triangle_count, line_count;
} import_raw_mesh;

/// Elements per section, in the order of the sections.
typedef struct import_counts {
    uint64_t nodes, meshes, node_meshes, points, triangles, lines, name_bytes;
} import_counts;

typedef struct import_raw {
    import_raw_node *nodes;
    import_raw_mesh *meshes;
    uint32_t *node_meshes;
    float *points;
    uint32_t *triangles;
    uint32_t *lines;
    char *names;
} import_raw;

typedef struct import_block {
    acre_import_model model; ///< first: the public pointer is the block's
    import_counts counts;
    import_raw raw;
    size_t raw_offset, raw_size; ///< bytes within the block
} import_block;

/// Where a reader writes what is wrong; the file's name is put in front later.
typedef struct import_fault {
    char text[192];
} import_fault;

/// By the bits, so that no compiler flag can change the answer.
static inline bool import_is_finite(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & UINT32_C(0x7f800000)) != UINT32_C(0x7f800000);
}

/// Allocates a block with room for the counts; the raw sections are not initialised.
/// @return ACRE_OK; ACRE_ERROR_CAPACITY if a count is above what 32-bit indices or the address
/// space hold; ACRE_ERROR_OUT_OF_MEMORY.
acre_result acre_import_block_allocate(const import_counts *counts, const acre_allocator *allocator,
                                       import_block **out);

/// Checks the raw sections and makes the public arrays.
/// @return ACRE_OK; ACRE_ERROR_FORMAT with the culprit in fault.
acre_result acre_import_block_finish(import_block *block, import_fault *fault);

#endif
