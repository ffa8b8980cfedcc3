// SPDX-License-Identifier: MIT
// draw_list.h - visible slots made ready for drawing: grouped, sorted, with their matrices.
//
// Experimental: it may change in any minor version.
//
// A draw list takes the slots that a query found and makes plain arrays: the slots in drawing
// order, ranges of equal key and LOD (one instanced draw each), and the world matrices in the same
// order. It knows no meshes and no graphics API; a key is any number of the caller's.
//
// Words used here:
//     key     names what the caller draws with one call: a mesh, a material, or both in one number
//     range   consecutive slots with the same key and LOD: one instanced draw
//     list    owns the arrays and reuses them, so that a steady frame allocates nothing
//
// Typical use:
//     acre_draw_list_create(NULL, &list);
//     ... each frame, after the query:
//     acre_draw_list_build(list, culling, &(acre_draw_input){.slots = slots, .count = count,
//         .keys = mesh_of_slot, .key_count = slot_count, .matrices = ACRE_MATRIX_ROWS});
//     const acre_draw draw = acre_draw_list_get(list);
//     upload(draw.matrices, draw.count * draw.matrix_floats * sizeof(float));
//     ... for each of draw.ranges: draw count instances of mesh key, from instance first on
//
// Threading: a build only reads the culler and its scene, so many threads may build at a time, each
// its own list. In a culler with tasks (acre_culling_set_tasks) a build of more than 16,000
// slots is divided; the list stays the same. The other functions are pure.
#ifndef ACRE_DRAW_LIST_H
#define ACRE_DRAW_LIST_H

#include <acre/culling.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_draw_list acre_draw_list;

/// Makes an empty list.
/// @param allocator copied; NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL out; ACRE_ERROR_OUT_OF_MEMORY. On error
/// *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_draw_list_create(const acre_allocator *allocator,
                                                        acre_draw_list **out);

/// Frees everything. NULL is allowed.
ACRE_EXPERIMENTAL_API void acre_draw_list_destroy(acre_draw_list *list);

/// The order of the entities in a group. The distance of an entity is that from the eye to the
/// nearest point of its box in the culler (acre_aabb_distance). Of two at the same distance the
/// smaller slot comes first, so that the order does not depend on the input's. A never-culled
/// entity without bounds is infinitely far, and so is a never-culled object of a host. With
/// acre_draw_input.boxes the row of each slot is its box.
typedef enum acre_draw_order {
    ACRE_DRAW_AS_GIVEN = 0, ///< the order of the input
    ACRE_DRAW_NEAR_TO_FAR,  ///< for opaque things: the front hides what is drawn later
    ACRE_DRAW_FAR_TO_NEAR   ///< for things that blend
} acre_draw_order;

/// acre_draw_input.flags
enum {
    ACRE_DRAW_UNGROUPED = 1u << 0, ///< one order for the whole list, for things that blend: ranges
                                   ///< are the runs of equal key and LOD in that order
    ACRE_DRAW_USER_KEYS = 1u << 1  ///< the low 32 bits of the scene's user values are the keys
};

/// World matrices as a program keeps them: row i is i * stride bytes behind `first`.
typedef struct acre_matrix_array {
    const void *first;
    size_t stride;         ///< bytes from row to row; 0: the form's size
    acre_matrix_form form; ///< of the rows. The list converts them to the form that it is to have
} acre_matrix_array;

/// What to draw. Zero in a field asks for nothing.
typedef struct acre_draw_input {
    const uint32_t *slots; ///< any order; may be the list's own
    size_t count;
    const uint8_t *lods;       ///< lods[i] of slots[i]; NULL: all 0
    const uint32_t *keys;      ///< by slot; NULL: all 0. Not together with ACRE_DRAW_USER_KEYS
    size_t key_count;          ///< elements of keys
    uint32_t flags;            ///< ACRE_DRAW_...
    acre_draw_order order;     ///< within each group; with ACRE_DRAW_UNGROUPED of the whole list
    float eye[3];              ///< from where distances are measured; finite. Unused by AS_GIVEN
    acre_matrix_form matrices; ///< 0: no matrices
    const acre_matrix_array *worlds; ///< world matrices by slot, a row for each slot of the input;
                                     ///< NULL: the scene's. Over a host's objects (objects.h) it
                                     ///< must be there if matrices are wanted
    const acre_box_array *boxes;     ///< world boxes by slot, from which distances are measured, a
                                     ///< row for each slot; NULL: those of the culler. Over a
                                     ///< host's objects they spare 5 ns a slot
} acre_draw_input;

/// One instanced draw: slots[first] to slots[first + count - 1] and their matrices.
typedef struct acre_draw_range {
    uint32_t key;
    uint32_t lod;
    uint32_t first;
    uint32_t count; ///< at least 1
} acre_draw_range;

/// Groups and sorts. Unless ungrouped, ranges ascend by key, then by LOD. Linear in count: radix
/// sorts that skip the bits that all keys share. If an entity is gone since the query, its slot
/// keeps its place and gets a zero matrix, which draws nothing; with worlds, it gets the row that
/// stands there.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, unknown flags, order or form, an eye that
/// is not finite, keys given twice, a slot without a key in keys, arrays without rows, and over a
/// host's objects for ACRE_DRAW_USER_KEYS and for matrices without worlds; ACRE_ERROR_NOT_FOUND for
/// a slot that the last commit or update does not have; ACRE_ERROR_CAPACITY for 2^32 - 1 slots or
/// more; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY. On error the list is as it was; it may be empty
/// if a commit ran at the same time, which is misuse.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_draw_list_build(acre_draw_list *list,
                                                       const acre_culling *culling,
                                                       const acre_draw_input *input);

/// The result of the last build. The arrays are valid until the list is built again or destroyed.
typedef struct acre_draw {
    const uint32_t *slots; ///< the slots of the input, in drawing order
    size_t count;
    const acre_draw_range *ranges; ///< in drawing order; together they cover all slots
    size_t range_count;
    /// slots[i] has matrix_floats floats from matrices[i * matrix_floats] on; NULL without
    /// matrices.
    const float *matrices;
    size_t matrix_floats; ///< 16, 12 or 0
    size_t bytes;         ///< memory that the list holds; a build that fails may add to it
} acre_draw;

/// To write matrices into memory of your own (a mapped buffer, a struct for each instance), build
/// without matrices and pass the slots to acre_scene_gather_matrices. Constant time.
/// @return the result of the last build; zeros before the first one and for NULL.
ACRE_EXPERIMENTAL_API acre_draw acre_draw_list_get(const acre_draw_list *list);

/// One mesh in the caller's index and vertex buffers.
typedef struct acre_draw_mesh {
    uint32_t index_count;
    uint32_t first_index;
    int32_t base_vertex;
} acre_draw_mesh;

/// One record of an indirect indexed draw, 20 bytes, as VkDrawIndexedIndirectCommand,
/// DrawElementsIndirectCommand of OpenGL and D3D12_DRAW_INDEXED_ARGUMENTS have it.
typedef struct acre_draw_command {
    uint32_t index_count;
    uint32_t instance_count;
    uint32_t first_index;
    int32_t base_vertex;
    uint32_t first_instance;
} acre_draw_command;

/// The caller's meshes by key and LOD: meshes[key * lod_count + lod].
typedef struct acre_draw_meshes {
    const acre_draw_mesh *meshes;
    size_t count;       ///< elements of meshes
    uint32_t lod_count; ///< LODs of each key, at least 1
} acre_draw_meshes;

/// The list's ranges as indirect draws, in drawing order.
/// @param commands receives up to capacity records.
/// @param total receives how many ranges there are; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or no LODs; ACRE_ERROR_NOT_FOUND if a
/// range has no mesh in the table. On error no record is written.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_draw_list_commands(const acre_draw_list *list,
                                                          const acre_draw_meshes *table,
                                                          acre_draw_command *commands,
                                                          size_t capacity, size_t *total);

ACRE_EXTERN_C_END

#endif
