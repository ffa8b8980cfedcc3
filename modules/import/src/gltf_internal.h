// SPDX-License-Identifier: MIT
// gltf_internal.h - what the files of the glTF reader share.
//
// The reader trusts no byte: whatever a file says is compared with what is there before it is used.
// The first fault is told, with the place where the reader was: "nodes[3].children: ...".
// Functions go on after a fault, with nothing in their hands: no members, no elements, bytes of
// length 0, GLTF_NONE. acre_gltf_take gives no memory any more, so that nobody goes far.
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

typedef struct gltf_place {
    char text[96];
} gltf_place;

/// The parts of a node's matrix: three numbers of a translation, four of a rotation, three of a
/// scale; and the matrix.
typedef struct gltf_pose {
    float parts[10];
    float matrix[16];
} gltf_pose;

/// Where each part begins, and the end.
static const uint32_t gltf_part_starts[4] = {0, 3, 7, 10};

/// Whether a mesh is used as it is, or with a skin or weights of a node's own.
typedef enum gltf_use { GLTF_AS_IT_IS = 1, GLTF_BENT = 2 } gltf_use;

/// A node of the file.
typedef struct gltf_node {
    uint32_t parent; ///< GLTF_NONE: a root
    const char *name;
    uint32_t mesh, skin;
    uint32_t way;           ///< see refuse_rings
    bool is_met;            ///< it is in the order
    bool has_weights;       ///< of its own, for morph targets
    gltf_use use;           ///< of its mesh
    uint32_t place;         ///< among the model's nodes, if the scene has it
    const float *places[3]; ///< of its mesh's instances: translations, rotations, scales; or NULL
    uint32_t instances;     ///< GLTF_NONE: one mesh, in the node itself
    acre_occluder *occluders;
    uint32_t occluder_count;
} gltf_node;

/// A node of the model.
typedef struct gltf_made {
    const char *name;
    uint32_t file_node; ///< GLTF_NONE: a root above several
    uint32_t parent;    ///< in the model
    uint32_t mesh;      ///< of the file, then a variant
    const acre_occluder *occluders;
    uint32_t occluder_count;
    float local[16];
} gltf_made;

/// A mesh as some nodes use it: with this skin and these weights of its morph targets.
typedef struct gltf_variant {
    uint32_t mesh;
    uint32_t node;   ///< whose skin and weights it has; GLTF_NONE: no skin, and the mesh's weights
    uint32_t first;  ///< of its primitives among the model's meshes
    uint32_t count;  ///< of its primitives
    acre_aabb reach; ///< what a skin may do with it; empty without one
} gltf_variant;

/// One glTF file while it is read.
typedef struct gltf_file {
    const import_job *job;     ///< buffers in other files are looked for beside its path
    struct gltf_block *blocks; ///< memory that lives as long as the reader does
    cJSON *root;
    gltf_bytes chunk; ///< the binary chunk of a .glb
    gltf_list lists[GLTF_ARRAY_COUNT_];
    gltf_bytes *buffers;  ///< by number, where they have been read
    gltf_bytes *views;    ///< by number, where they have been decompressed
    uint32_t other_count; ///< files beside it that have been read
    uint64_t room; ///< bytes that it may still become, and steps that it may take: acre_gltf_spend
    bool needs_assimp;   ///< it is a glTF, but not one that is read here
    gltf_place place;    ///< where the reader is
    acre_result result;  ///< of the first fault, which has been told
    bool may_change;     ///< extensions may hide nodes, or put others in their places
    uint32_t *materials; ///< by number: flags of meshes
    uint32_t material_count;
    uint32_t ground_flag; ///< of all meshes: ACRE_IMPORT_MESH_ON_GROUND or 0
    char notes[1024];     ///< import.h, acre_import_model.notes
    // The nodes of the file.
    gltf_node *nodes;
    gltf_pose *poses; ///< in rest; of no rotation where the file has a matrix
    uint32_t *order;  ///< first those of the scene; parents before children
    uint32_t met_count, root_count,
        scene_count;     ///< in the order: all, the scene's roots, its nodes
    bool has_skins;      ///< in the scene
    unsigned char *uses; ///< of its meshes: gltf_use, all in one
    // The nodes of the model that is made.
    gltf_made *made; ///< parents before children
    uint64_t made_room;
    gltf_variant *variants;
    uint32_t variant_count;
    import_counts counts;
    // How the nodes stand now, in rest or at a key of an animation; and the skins that follow.
    gltf_pose *moved;
    double (*worlds)[16];
    struct gltf_skin *skins;
} gltf_file;

/// The form of an accessor's components once they are read: uint32_t or float.
typedef enum gltf_kind { GLTF_NUMBERS, GLTF_FLOATS } gltf_kind;

#define GLTF_COMPRESSION "EXT_meshopt_compression"
#define GLTF_INSTANCING "EXT_mesh_gpu_instancing"
#define GLTF_QUANTIZATION "KHR_mesh_quantization"
#define GLTF_DRACO "KHR_draco_mesh_compression"

/// Stands for a skin, a mesh or another thing with a number where there is none.
#define GLTF_NONE UINT32_MAX

// gltf_json.c

/// Says where the reader is. @return where it was
gltf_place acre_gltf_at(gltf_file *file, const char *format, ...);

/// Tells a fault, if it is the first one. @return false
bool acre_gltf_refuse(gltf_file *file, const char *format, ...);

/// Refuses what takes too much. @param result ACRE_ERROR_OUT_OF_MEMORY or ACRE_ERROR_CAPACITY
void acre_gltf_refuse_size(gltf_file *file, acre_result result);

/// Adds a line to the notes, where there is room.
void acre_gltf_note(gltf_file *file, const char *format, ...);

/// Whatever is stated without being stored takes from the file's room: a hundred bytes must not ask
/// for a gigabyte, nor for an hour. @return whether nothing is wrong so far
bool acre_gltf_spend(gltf_file *file, uint64_t count, size_t element_size);

/// Zeros that are freed with the file, and paid for from its room.
/// @return NULL after any fault; not NULL for a count of 0
void *acre_gltf_take(gltf_file *file, uint64_t count, size_t element_size);
void acre_gltf_close(gltf_file *file);

void acre_gltf_parse(gltf_file *file, gltf_bytes text);

/// Numbers what the file's arrays hold.
void acre_gltf_list_arrays(gltf_file *file);

/// Looks through all members, and pays for it. @return NULL where the object is none, or has none
const cJSON *acre_gltf_member(gltf_file *file, const cJSON *object, const char *name);
const cJSON *acre_gltf_extension(gltf_file *file, const cJSON *object, const char *name);
const char *acre_gltf_text(gltf_file *file, const cJSON *object, const char *name);
const cJSON *acre_gltf_item(const gltf_file *file, gltf_array array, uint32_t number);

/// The first item of a member that is an array; NULL: it has none, or is missing.
const cJSON *acre_gltf_first(gltf_file *file, const cJSON *object, const char *name);

/// A member that is a whole number from 0 to 2^53; 0: it is missing.
uint64_t acre_gltf_number(gltf_file *file, const cJSON *object, const char *name);

/// The number of something in one of the file's arrays; GLTF_NONE: the item is missing.
uint32_t acre_gltf_reference(gltf_file *file, const cJSON *item, gltf_array array);
uint32_t acre_gltf_link(gltf_file *file, const cJSON *object, const char *name, gltf_array array);

/// Reads an array of exactly so many floats. @param name what a fault calls it
void acre_gltf_fill(gltf_file *file, const cJSON *list, const char *name, float *out, int count);

/// Reads a member that is an array of exactly so many floats; *out stays where it is missing.
void acre_gltf_floats(gltf_file *file, const cJSON *object, const char *name, float *out,
                      int count);

// gltf_bytes.c

/// @return a whole number of 1, 2 or 4 bytes
static inline uint32_t gltf_word(const unsigned char *bytes, uint32_t size)
{
    uint32_t word = bytes[0];
    word |= size > 1 ? (uint32_t)bytes[1] << 8 : 0;
    return size > 2 ? word | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24 : word;
}

/// Takes a .glb apart, or finds that the bytes are text, and parses it.
void acre_gltf_open(gltf_file *file, gltf_bytes whole);

/// The bytes of a buffer view. @param stride from one element to the next; 0: none is stated
gltf_bytes acre_gltf_view(gltf_file *file, const cJSON *number, uint64_t *stride);

// gltf_meshopt.c

/// Decompresses a buffer view. @param packed the compressed bytes
gltf_bytes acre_gltf_decompress(gltf_file *file, const cJSON *compression, gltf_bytes packed);

// gltf_accessor.c

/// Checks the accessor that a member of an object names, and reads its elements.
/// @param out zeros, with room for count * components floats or uint32_t; NULL: they are not read
/// @return the count
uint32_t acre_gltf_read(gltf_file *file, const cJSON *object, const char *name, uint32_t components,
                        gltf_kind kind, void *out);

/// Makes room and reads; floats must be finite.
/// @param count how many elements there must be; GLTF_NONE: receives how many there are
void *acre_gltf_take_elements(gltf_file *file, const cJSON *object, const char *name,
                              uint32_t components, gltf_kind kind, uint32_t *count);

// gltf_nodes.c

/// Reads the hierarchy and makes the model's nodes of it.
void acre_gltf_read_nodes(gltf_file *file);

/// Makes the matrix of a pose; it is checked as acre_import_block_finish does.
void acre_gltf_compose(gltf_file *file, gltf_pose *pose);

// gltf_occluders.c

/// Reads the occluders of a node whose skin is known.
void acre_gltf_read_occluders(gltf_file *file, uint32_t number, const cJSON *json, gltf_node *node);

// gltf_materials.c

/// Reads what flags the materials give to meshes.
void acre_gltf_read_materials(gltf_file *file);

/// The flags of a mesh. @return ACRE_IMPORT_MESH_ values
uint32_t acre_gltf_mesh_flags(gltf_file *file, const gltf_variant *variant, const cJSON *primitive);

// gltf_meshes.c

/// Finds out which node needs which variant, and counts what they hold.
void acre_gltf_count_meshes(gltf_file *file);

/// Writes the meshes, and what those with skins may reach.
void acre_gltf_write_meshes(gltf_file *file, import_raw to);

// gltf_skin.c

/// Reads the skin that a variant's node has. @return NULL after a fault
struct gltf_skin *acre_gltf_open_skin(gltf_file *file, gltf_variant *variant);

/// Bends the points of a primitive into the rest pose, in the scene's coordinates.
void acre_gltf_bend(gltf_file *file, struct gltf_skin *skin, const cJSON *attributes, float *points,
                    uint32_t count);

/// Gives the variants with skins their reach: in the rest pose and at each key of each animation.
void acre_gltf_reach(gltf_file *file);

#endif
