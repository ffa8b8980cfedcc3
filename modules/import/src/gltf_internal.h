// SPDX-License-Identifier: MIT
// gltf_internal.h - what the files of the glTF reader share.
//
// The reader trusts no byte: whatever a file says is compared with what is there before it is used.
// Functions that may refuse the file return false, after the first fault is written down with the
// place where it stands: "meshes[3].primitives[0].POSITION: ...".
#ifndef ACRE_GLTF_INTERNAL_H
#define ACRE_GLTF_INTERNAL_H

#include "import_internal.h"

#include <cjson/cJSON.h>

/// The file's arrays. Everything in a glTF refers to other things by their numbers in these.
typedef enum gltf_array {
    GLTF_SCENES,
    GLTF_NODES,
    GLTF_MESHES,
    GLTF_ACCESSORS,
    GLTF_VIEWS,
    GLTF_BUFFERS,
    GLTF_SKINS,
    GLTF_ANIMATIONS,
    GLTF_ARRAY_COUNT_
} gltf_array;

typedef struct gltf_list {
    const cJSON **items;
    uint32_t count;
} gltf_list;

typedef struct gltf_bytes {
    const unsigned char *start; ///< NULL: not there
    uint64_t size;
} gltf_bytes;

/// Where something stands in the file: "meshes[3].primitives[0].POSITION".
typedef struct gltf_place {
    char text[96];
} gltf_place;

typedef struct gltf_block gltf_block; ///< memory that lives as long as the reader does

/// One glTF file while it is read.
typedef struct gltf_file {
    const char *path; ///< buffers in other files are looked for beside it
    const acre_allocator *allocator;
    gltf_block *blocks;
    cJSON *root;
    gltf_bytes chunk; ///< the binary chunk of a .glb
    gltf_list lists[GLTF_ARRAY_COUNT_];
    gltf_bytes *buffers; ///< by number, where they have been read
    gltf_bytes *views;   ///< by number, where they have been decompressed
    uint64_t room;       ///< how many bytes the file may still become: see acre_gltf_spend
    bool needs_assimp;   ///< it is a glTF, but not one that is read here
    acre_result result;  ///< of the first fault
    char fault[320];     ///< the first fault, with its place
    char *notes;         ///< import.h, acre_import_model.notes
    size_t notes_size;
} gltf_file;

typedef struct gltf_accessor {
    const unsigned char *bytes; ///< of the first element; NULL: all elements are zeros
    uint64_t stride;
    uint32_t count;
    uint32_t components;
    int type; ///< of a component, as the format numbers them
    bool is_normalized;
    // Elements that are replaced.
    uint32_t sparse_count;
    int sparse_type; ///< of their numbers
    const unsigned char *sparse_numbers;
    const unsigned char *sparse_values;
} gltf_accessor;

/// The types of components, as the format numbers them.
enum {
    GLTF_BYTE = 5120,
    GLTF_UNSIGNED_BYTE = 5121,
    GLTF_SHORT = 5122,
    GLTF_UNSIGNED_SHORT = 5123,
    GLTF_UNSIGNED_INT = 5125,
    GLTF_FLOAT = 5126
};

#define GLTF_COMPRESSION "EXT_meshopt_compression"
#define GLTF_INSTANCING "EXT_mesh_gpu_instancing"
#define GLTF_QUANTIZATION "KHR_mesh_quantization"
#define GLTF_DRACO "KHR_draco_mesh_compression"

/// Stands for a skin, a mesh or another thing with a number where there is none.
#define GLTF_NONE UINT32_MAX

// gltf_json.c

gltf_place acre_gltf_at(const char *format, ...);

/// Writes the fault down. @return false
bool acre_gltf_refuse(gltf_file *file, const char *place, const char *format, ...);
bool acre_gltf_refuse_memory(gltf_file *file);

/// Adds a line to the notes.
bool acre_gltf_note(gltf_file *file, const char *format, ...);

/// Zeros that are freed with the file. @return NULL after a refusal; not NULL for a count of 0
void *acre_gltf_take(gltf_file *file, uint64_t count, size_t element_size);

/// Whatever is stated without being stored takes from the file's room: a hundred bytes must not ask
/// for a gigabyte.
bool acre_gltf_spend(gltf_file *file, const char *place, uint64_t count, size_t element_size);

void acre_gltf_close(gltf_file *file);

bool acre_gltf_parse(gltf_file *file, const unsigned char *text, uint64_t size);

/// Numbers what the file's arrays hold.
bool acre_gltf_list_arrays(gltf_file *file);

/// A member that is a whole number from 0 to 2^53, or the fallback where it is missing.
bool acre_gltf_number(gltf_file *file, const char *place, const cJSON *object, const char *name,
                      uint64_t fallback, uint64_t *out);

/// The number of something in one of the file's arrays. A missing item gives GLTF_NONE.
bool acre_gltf_reference(gltf_file *file, const char *place, const cJSON *item, gltf_array array,
                         uint32_t *out);

/// Reads an array of exactly so many floats. A missing item leaves *out as it is.
bool acre_gltf_floats(gltf_file *file, const char *place, const cJSON *item, float *out, int count);

/// @return NULL where the object is none, or has no such member
const cJSON *acre_gltf_member(const cJSON *object, const char *name);
const cJSON *acre_gltf_extension(const cJSON *object, const char *name);
const char *acre_gltf_text(const cJSON *object, const char *name); ///< NULL where there is none
const cJSON *acre_gltf_item(const gltf_file *file, gltf_array array, uint32_t number);
const char *acre_gltf_array_name(gltf_array array);

// gltf_bytes.c

/// Takes the head and the chunks of a .glb apart, or finds that the bytes are text.
bool acre_gltf_open(gltf_file *file, const unsigned char *bytes, uint64_t size);

/// The bytes of a buffer view. @param stride from one element to the next; 0: none is stated
bool acre_gltf_view(gltf_file *file, const char *place, const cJSON *number, gltf_bytes *out,
                    uint64_t *stride);

// gltf_meshopt.c

/// Decompresses a buffer view. @param packed the compressed bytes
bool acre_gltf_decompress(gltf_file *file, const char *place, const cJSON *compression,
                          gltf_bytes packed, gltf_bytes *out);
bool acre_gltf_can_decompress(void);

// gltf_accessor.c

bool acre_gltf_find_accessor(gltf_file *file, const char *place, const cJSON *number,
                             gltf_accessor *out);

/// Writes count * components floats.
void acre_gltf_read_floats(const gltf_accessor *accessor, float *out);

/// Writes count whole numbers. The accessor is of an unsigned type.
void acre_gltf_read_numbers(const gltf_accessor *accessor, uint32_t *out);
bool acre_gltf_is_unsigned(const gltf_accessor *accessor);

// gltf_nodes.c

/// A node of the model in the making.
typedef struct gltf_node {
    uint32_t file_node; ///< GLTF_NONE: a root above several
    uint32_t parent;    ///< in the model
    bool has_mesh;      ///< of those that a node of the file becomes, one has its mesh, or several
    uint32_t variant;   ///< of its mesh; GLTF_NONE
    float local[16];
    acre_aabb reach; ///< what its bounds hold beside its meshes; empty: nothing
} gltf_node;

typedef struct gltf_tree {
    // Of the file's nodes.
    uint32_t *parents;   ///< GLTF_NONE: a root
    uint32_t *order;     ///< all of them, parents before children
    uint32_t *meshes;    ///< GLTF_NONE
    uint32_t *skins;     ///< GLTF_NONE
    uint32_t *instances; ///< how many of its mesh there are; GLTF_NONE: one, in the node itself
    // Of the model.
    gltf_node *nodes; ///< level by level
    uint32_t count;
    uint32_t capacity;
} gltf_tree;

/// Reads the hierarchy and makes the model's nodes of it.
bool acre_gltf_read_tree(gltf_file *file, gltf_tree *tree);

/// The matrix of a translation, a rotation and a scale. @return false: the rotation has no length
bool acre_gltf_compose(const float translation[3], const float rotation[4], const float scale[3],
                       float matrix[16]);

/// The parts of a node's matrix.
typedef struct gltf_pose {
    float translation[3];
    float rotation[4];
    float scale[3];
} gltf_pose;

/// Reads a node's matrix. @param pose the parts that it is made of; as of no rotation where the
/// file has the matrix itself
bool acre_gltf_read_local(gltf_file *file, uint32_t node, gltf_pose *pose, float matrix[16]);

// gltf_meshes.c

/// A mesh as some nodes use it: with this skin and these weights of its morph targets.
typedef struct gltf_variant {
    uint32_t mesh;
    uint32_t skin;        ///< GLTF_NONE
    uint32_t weight_node; ///< whose weights it has; GLTF_NONE: the mesh's own
    uint32_t next;        ///< of the same mesh; GLTF_NONE
    uint32_t first;       ///< of its primitives among the model's meshes
    uint32_t count;       ///< of its primitives
    bool is_used;
    acre_aabb reach; ///< of a mesh with a skin; empty for others
} gltf_variant;

typedef struct gltf_meshes {
    gltf_variant *variants; ///< the first of each mesh, in the file's order, then the others
    uint32_t count;
} gltf_meshes;

/// Finds out which node needs which variant, and counts what they hold.
bool acre_gltf_count_meshes(gltf_file *file, gltf_tree *tree, gltf_meshes *meshes,
                            import_counts *counts);

/// Writes the meshes, and into the tree's nodes what the meshes with skins may reach.
bool acre_gltf_write_meshes(gltf_file *file, gltf_tree *tree, gltf_meshes *meshes,
                            const import_raw *raw);

#endif
