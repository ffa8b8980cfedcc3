// SPDX-License-Identifier: MIT
// import_model.c - a model in one block of memory: layout, checks, bytes to carry it elsewhere.
#include "assert_internal.h"
#include "compiler_internal.h"
#include "import_internal.h"

#include "float_bits.h"

#include <string.h>

/// The sections of a block behind its head: the public arrays, then the raw ones.
enum {
    NODES,
    MESHES,
    RAW_NODES,
    RAW_MESHES,
    RAW_NODE_MESHES,
    RAW_POINTS,
    RAW_TRIANGLES,
    RAW_LINES,
    RAW_NAMES,
    RAW_NOTES,
    RAW_OCCLUDERS,
    PART_COUNT
};

static const size_t part_align = 8;

/// Where the parts of a block begin, in bytes from its start; the last one is its end.
typedef struct layout {
    size_t starts[PART_COUNT + 1];
} layout;

/// @return false if a count is too large, or the block would pass half the address space.
static bool layout_compute(const import_counts *counts, layout *out)
{
    const struct {
        uint64_t count;
        size_t size;
    } parts[PART_COUNT] = {[NODES] = {counts->nodes, sizeof(acre_import_node)},
                           [MESHES] = {counts->meshes, sizeof(acre_import_mesh)},
                           [RAW_NODES] = {counts->nodes, sizeof(import_raw_node)},
                           [RAW_MESHES] = {counts->meshes, sizeof(import_raw_mesh)},
                           [RAW_NODE_MESHES] = {counts->node_meshes, sizeof(uint32_t)},
                           [RAW_POINTS] = {counts->points, 3 * sizeof(float)},
                           [RAW_TRIANGLES] = {counts->triangles, 3 * sizeof(uint32_t)},
                           [RAW_LINES] = {counts->lines, 2 * sizeof(uint32_t)},
                           [RAW_OCCLUDERS] = {counts->occluders, sizeof(acre_occluder)},
                           [RAW_NAMES] = {counts->name_bytes, 1},
                           [RAW_NOTES] = {counts->note_bytes, 1}};
    const size_t limit = SIZE_MAX / 2;
    size_t total = sizeof(import_block);
    for (int i = 0; i < PART_COUNT; i++) {
        total = (total + part_align - 1) / part_align * part_align;
        out->starts[i] = total;
        if (total > limit || parts[i].count > (limit - total) / parts[i].size) {
            return false;
        }
        total += (size_t)parts[i].count * parts[i].size;
    }
    out->starts[PART_COUNT] = (total + part_align - 1) / part_align * part_align;
    // Per mesh and per node the numbers are 32-bit; sums over meshes may be larger.
    return counts->nodes <= IMPORT_NODE_LIMIT && counts->meshes <= UINT32_MAX &&
           counts->node_meshes <= UINT32_MAX && counts->occluders <= UINT32_MAX;
}

acre_result acre_import_block_allocate(const import_counts *counts, const acre_allocator *allocator,
                                       import_block **out)
{
    ACRE_ASSERT(counts != NULL && out != NULL);
    *out = NULL;
    layout plan;
    if (!layout_compute(counts, &plan)) {
        return ACRE_ERROR_CAPACITY;
    }
    const size_t *const at = plan.starts;
    unsigned char *bytes = acre_resize(allocator, NULL, 0, at[PART_COUNT], NATURAL_ALIGNMENT);
    if (bytes == NULL) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    import_block *block = (import_block *)(void *)bytes;
    *block =
        (import_block){.model = {.nodes = (const acre_import_node *)(void *)(bytes + at[NODES]),
                                 .node_count = (uint32_t)counts->nodes,
                                 .meshes = (const acre_import_mesh *)(void *)(bytes + at[MESHES]),
                                 .mesh_count = (uint32_t)counts->meshes,
                                 .node_mesh_count = (uint32_t)counts->node_meshes,
                                 .occluder_count = (uint32_t)counts->occluders,
                                 .byte_size = at[PART_COUNT]},
                       .counts = *counts,
                       .raw = {.nodes = (void *)(bytes + at[RAW_NODES]),
                               .meshes = (void *)(bytes + at[RAW_MESHES]),
                               .node_meshes = (void *)(bytes + at[RAW_NODE_MESHES]),
                               .points = (void *)(bytes + at[RAW_POINTS]),
                               .triangles = (void *)(bytes + at[RAW_TRIANGLES]),
                               .lines = (void *)(bytes + at[RAW_LINES]),
                               .occluders = (void *)(bytes + at[RAW_OCCLUDERS]),
                               .names = (char *)bytes + at[RAW_NAMES],
                               .notes = (char *)bytes + at[RAW_NOTES]},
                       .raw_offset = at[RAW_NODES],
                       .raw_size = at[PART_COUNT] - at[RAW_NODES]};
    if (allocator != NULL) {
        block->model.allocator = *allocator;
    }
    // acre_import_pack copies the padding between sections too, so it must have a value.
    memset(bytes + block->raw_offset, 0, block->raw_size);
    *out = block;
    return ACRE_OK;
}

void acre_import_free(acre_import_model *model)
{
    if (model == NULL) {
        return;
    }
    ACRE_ASSERT(model->byte_size > sizeof(import_block));
    const acre_allocator allocator = model->allocator;
    acre_resize(allocator.resize != NULL ? &allocator : NULL, model, model->byte_size, 0,
                NATURAL_ALIGNMENT);
}

// ---- checks ----

/// Whether all indices name points of a mesh.
static bool are_sound(const uint32_t *indices, uint64_t count, uint32_t point_count)
{
    uint64_t i = 0;
    while (i < count && indices[i] < point_count) {
        i++;
    }
    return i == count;
}

static acre_result finish_meshes(import_block *block, acre_import_mesh *meshes,
                                 const import_job *job)
{
    const import_counts *counts = &block->counts;
    const import_raw *raw = &block->raw;
    acre_import_model *const model = &block->model;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const import_raw_mesh from = raw->meshes[i];
        const char *fault = NULL;
        if (from.point_count > counts->points - model->point_total ||
            from.triangle_count > counts->triangles - model->triangle_total ||
            from.line_count > counts->lines - model->line_total) {
            return IMPORT_REFUSE(job, "mesh %lu passes the end of the data", (unsigned long)i);
        }
        const float *const points = raw->points + 3 * (size_t)model->point_total;
        const uint32_t *const triangles = raw->triangles + 3 * (size_t)model->triangle_total;
        const uint32_t *const lines = raw->lines + 2 * (size_t)model->line_total;
        meshes[i] = (acre_import_mesh){
            .points = from.point_count > 0 ? points : NULL,
            .point_count = from.point_count,
            .triangles = from.triangle_count > 0 ? triangles : NULL,
            .triangle_count = from.triangle_count,
            .lines = from.line_count > 0 ? lines : NULL,
            .line_count = from.line_count,
            .flags = from.flags,
            .bounds = acre_aabb_from_points(points, from.point_count, 3 * sizeof(float))};
        if (from.flags > 7) {
            fault = "it has an unknown flag";
        } else if (!acre_aabb_is_finite(&meshes[i].bounds)) {
            fault = "a position is not finite";
        } else if (!are_sound(triangles, 3 * (uint64_t)from.triangle_count, from.point_count) ||
                   !are_sound(lines, 2 * (uint64_t)from.line_count, from.point_count)) {
            fault = "an index is out of range";
        }
        if (fault != NULL) {
            return IMPORT_REFUSE(job, "mesh %lu: %s", (unsigned long)i, fault);
        }
        model->point_total += from.point_count;
        model->triangle_total += from.triangle_count;
        model->line_total += from.line_count;
    }
    if (model->point_total != counts->points || model->triangle_total != counts->triangles ||
        model->line_total != counts->lines) {
        return IMPORT_REFUSE(job, "there are data without a mesh");
    }
    return ACRE_OK;
}

void acre_import_settle_matrix(float *matrix)
{
    static const float last_row[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    static const float tolerance = 1e-5f; // what rounding may do
    bool is_affine = true;
    for (int column = 0; column < 4; column++) {
        const float difference = matrix[4 * column + 3] - last_row[column];
        is_affine &= difference > -tolerance && difference < tolerance;
    }
    for (int column = 0; is_affine && column < 4; column++) {
        matrix[4 * column + 3] = last_row[column];
    }
}

const char *acre_import_matrix_fault(const float *matrix)
{
    if (!floats_are_finite(matrix, 16)) {
        return "its matrix has a number that is not finite";
    }
    return matrix[3] != 0.0f || matrix[7] != 0.0f || matrix[11] != 0.0f || matrix[15] != 1.0f
               ? "its matrix is not affine: the last row is not 0 0 0 1"
               : NULL;
}

/// Whether a reach is a box of finite numbers or, bit by bit, the empty one.
static bool is_sound_reach(const acre_aabb *reach)
{
    const acre_aabb empty = acre_aabb_empty();
    return memcmp(reach, &empty, sizeof empty) == 0 ||
           (acre_aabb_is_finite(reach) && acre_aabb_is_valid(reach));
}

/// Merges the boxes of a node's meshes with its reach. @return what is wrong with it, or NULL
static const char *finish_node(const import_block *block, acre_import_node *node, uint32_t index)
{
    const char *fault = acre_import_matrix_fault(node->local);
    if (node->parent != ACRE_IMPORT_NO_PARENT && node->parent >= index) {
        return "its parent does not stand before it";
    }
    if (!is_sound_reach(&node->bounds)) {
        return "its reach is no box";
    }
    for (uint32_t i = 0; i < node->mesh_count && fault == NULL; i++) {
        const uint32_t mesh = block->raw.node_meshes[node->first_mesh + i];
        if (mesh >= block->model.mesh_count) {
            return "a mesh index is out of range";
        }
        node->bounds = acre_aabb_merge(&node->bounds, &block->model.meshes[mesh].bounds);
    }
    for (uint32_t i = 0; i < node->occluder_count && fault == NULL; i++) {
        if (!acre_occluder_is_valid(&block->raw.occluders[node->first_occluder + i])) {
            fault = "an occluder is not valid";
        }
    }
    return fault;
}

static acre_result finish_nodes(import_block *block, acre_import_node *nodes, const import_job *job)
{
    const import_counts *counts = &block->counts;
    const import_raw *raw = &block->raw;
    uint64_t name = 0;
    uint32_t mesh = 0, occluder = 0;
    for (uint32_t i = 0; i < block->model.node_count; i++) {
        const import_raw_node *from = &raw->nodes[i];
        if (from->name_size == 0 || from->name_size > counts->name_bytes - name ||
            raw->names[name + from->name_size - 1] != '\0' ||
            from->mesh_count > counts->node_meshes - mesh ||
            from->occluder_count > counts->occluders - occluder) {
            return IMPORT_REFUSE(job,
                                 "node %lu: its name, meshes or occluders pass the end of the data",
                                 (unsigned long)i);
        }
        nodes[i] = (acre_import_node){.name = raw->names + name,
                                      .parent = from->parent,
                                      .file_node = from->file_node,
                                      .first_mesh = mesh,
                                      .mesh_count = from->mesh_count,
                                      .first_occluder = occluder,
                                      .occluder_count = from->occluder_count,
                                      .bounds = from->reach};
        memcpy(nodes[i].local, from->local, sizeof from->local);
        const char *const fault = finish_node(block, &nodes[i], i);
        if (fault != NULL) {
            return IMPORT_REFUSE(job, "node %lu ('%.64s'): %s", (unsigned long)i, nodes[i].name,
                                 fault);
        }
        name += from->name_size;
        mesh += from->mesh_count;
        occluder += from->occluder_count;
    }
    if (name != counts->name_bytes || mesh != counts->node_meshes ||
        occluder != counts->occluders) {
        return IMPORT_REFUSE(job, "there are data without a node");
    }
    return ACRE_OK;
}

acre_result acre_import_block_finish(import_block *block, const import_job *job)
{
    ACRE_ASSERT(block != NULL && job != NULL);
    const uint64_t note_bytes = block->counts.note_bytes;
    if (block->model.node_count == 0) {
        return IMPORT_REFUSE(job, "there is no node in it");
    }
    if (note_bytes > 0 && block->raw.notes[note_bytes - 1] != '\0') {
        return IMPORT_REFUSE(job, "its notes have no end");
    }
    block->model.notes = note_bytes > 0 ? block->raw.notes : "";
    block->model.occluders = block->counts.occluders > 0 ? block->raw.occluders : NULL;
    block->model.node_meshes = block->counts.node_meshes > 0 ? block->raw.node_meshes : NULL;
    // The public arrays lie in this block; they are const for the caller alone.
    const acre_result result = finish_meshes(block, (acre_import_mesh *)block->model.meshes, job);
    return result == ACRE_OK ? finish_nodes(block, (acre_import_node *)block->model.nodes, job)
                             : result;
}

// ---- bytes to carry a model elsewhere ----

// Packed bytes: this head, then the raw sections as they lie in the block.
typedef struct packed_head {
    char magic[8];
    uint64_t byte_size; // of head and sections
    import_counts counts;
} packed_head;

static const char packed_magic[8] = {'A', 'C', 'R', 'E', 'I', 'M', 'P', '4'};

size_t acre_import_pack(const acre_import_model *model, void *bytes, size_t size)
{
    const import_block *block = (const import_block *)(const void *)model;
    ACRE_ASSERT(model != NULL && (bytes != NULL || size == 0));
    const size_t needed = sizeof(packed_head) + block->raw_size;
    ACRE_INVARIANT(block->raw_offset + block->raw_size <= model->byte_size);
    if (size >= needed) {
        packed_head head = {.byte_size = needed, .counts = block->counts};
        memcpy(head.magic, packed_magic, sizeof head.magic);
        memcpy(bytes, &head, sizeof head);
        memcpy((unsigned char *)bytes + sizeof head,
               (const unsigned char *)model + block->raw_offset, block->raw_size);
    }
    return needed;
}

acre_result acre_import_unpack(const void *bytes, size_t size, const acre_allocator *allocator,
                               acre_import_model **out)
{
    if (out != NULL) {
        *out = NULL;
    }
    if (out == NULL || bytes == NULL) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    packed_head head;
    layout plan;
    if (size < sizeof head) {
        return ACRE_ERROR_FORMAT;
    }
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, packed_magic, sizeof head.magic) != 0 || head.byte_size != size ||
        !layout_compute(&head.counts, &plan) ||
        plan.starts[PART_COUNT] - plan.starts[RAW_NODES] != size - sizeof head) {
        return ACRE_ERROR_FORMAT;
    }
    import_block *block;
    acre_result result = acre_import_block_allocate(&head.counts, allocator, &block);
    if (result != ACRE_OK) {
        return result;
    }
    memcpy((unsigned char *)block + block->raw_offset, (const unsigned char *)bytes + sizeof head,
           block->raw_size);
    result = acre_import_block_finish(block, &(import_job){.path = ""});
    if (result != ACRE_OK) {
        acre_import_free(&block->model);
        return result;
    }
    *out = &block->model;
    return ACRE_OK;
}
