// SPDX-License-Identifier: MIT
// import_model.c - a model in one block of memory: layout, checks, bytes to carry it elsewhere.
#include "assert_internal.h"
#include "compiler_internal.h"
#include "import_internal.h"

#include "float_bits.h"

#include <string.h>

static const size_t section_align = 8;

typedef struct section {
    uint64_t count;
    size_t element_size;
    size_t offset;
} section;

typedef struct layout {
    section sections[IMPORT_SECTION_COUNT];
    size_t raw_size;
    // Bytes from the start of the block.
    size_t nodes_offset;
    size_t meshes_offset;
    size_t raw_offset;
    size_t block_size;
} layout;

/// Adds count elements to *total, rounded up to the section alignment.
/// @return false if the sum would pass half the address space.
static bool add_section(size_t *total, uint64_t count, size_t element_size)
{
    const size_t limit = SIZE_MAX / 2;
    if (*total > limit || count > (limit - *total) / element_size) {
        return false;
    }
    *total += (size_t)count * element_size;
    *total = (*total + section_align - 1) / section_align * section_align;
    return *total <= limit;
}

static bool counts_fit(const import_counts *counts)
{
    // Per mesh and per node the numbers are 32-bit; sums over meshes may be larger.
    return counts->nodes <= IMPORT_NODE_LIMIT && counts->meshes <= UINT32_MAX &&
           counts->node_meshes <= UINT32_MAX;
}

static bool layout_compute(const import_counts *counts, layout *out)
{
    *out = (layout){.sections = {
                        {counts->nodes, sizeof(import_raw_node), 0},
                        {counts->meshes, sizeof(import_raw_mesh), 0},
                        {counts->node_meshes, sizeof(uint32_t), 0},
                        {counts->points, 3 * sizeof(float), 0},
                        {counts->triangles, 3 * sizeof(uint32_t), 0},
                        {counts->lines, 2 * sizeof(uint32_t), 0},
                        {counts->name_bytes, 1, 0},
                        {counts->note_bytes, 1, 0},
                    }};
    if (!counts_fit(counts)) {
        return false;
    }
    for (int i = 0; i < IMPORT_SECTION_COUNT; i++) {
        section *at = &out->sections[i];
        at->offset = out->raw_size;
        if (!add_section(&out->raw_size, at->count, at->element_size)) {
            return false;
        }
    }
    size_t total = 0;
    if (!add_section(&total, 1, sizeof(import_block))) {
        return false;
    }
    out->nodes_offset = total;
    if (!add_section(&total, counts->nodes, sizeof(acre_import_node))) {
        return false;
    }
    out->meshes_offset = total;
    if (!add_section(&total, counts->meshes, sizeof(acre_import_mesh))) {
        return false;
    }
    out->raw_offset = total;
    if (!add_section(&total, out->raw_size, 1)) {
        return false;
    }
    out->block_size = total;
    return true;
}

/// A section without elements is NULL.
static void *section_start(unsigned char *raw, const section *at)
{
    ACRE_INVARIANT(at->offset % section_align == 0);
    return at->count > 0 ? raw + at->offset : NULL;
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
    unsigned char *bytes = acre_resize(allocator, NULL, 0, plan.block_size, NATURAL_ALIGNMENT);
    if (bytes == NULL) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    unsigned char *raw = bytes + plan.raw_offset;
    import_block *block = (import_block *)(void *)bytes;
    *block = (import_block){
        .model = {.nodes = (const acre_import_node *)(void *)(bytes + plan.nodes_offset),
                  .node_count = (uint32_t)counts->nodes,
                  .meshes = (const acre_import_mesh *)(void *)(bytes + plan.meshes_offset),
                  .mesh_count = (uint32_t)counts->meshes,
                  .node_mesh_count = (uint32_t)counts->node_meshes,
                  .byte_size = plan.block_size},
        .counts = *counts,
        .raw = {.nodes = section_start(raw, &plan.sections[0]),
                .meshes = section_start(raw, &plan.sections[1]),
                .node_meshes = section_start(raw, &plan.sections[2]),
                .points = section_start(raw, &plan.sections[3]),
                .triangles = section_start(raw, &plan.sections[4]),
                .lines = section_start(raw, &plan.sections[5]),
                .names = section_start(raw, &plan.sections[6]),
                .notes = section_start(raw, &plan.sections[7])},
        .raw_offset = plan.raw_offset,
        .raw_size = plan.raw_size};
    if (allocator != NULL) {
        block->model.allocator = *allocator;
    }
    // acre_import_pack copies the padding between sections too, so it must have a value.
    memset(raw, 0, plan.raw_size);
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

static acre_result fault_at(import_fault *fault, const char *kind, uint64_t index, const char *what,
                            uint64_t at)
{
    snprintf(fault->text, sizeof fault->text, "%s %llu: %s (at %llu)", kind,
             (unsigned long long)index, what, (unsigned long long)at);
    return ACRE_ERROR_FORMAT;
}

static acre_result fault_node(import_fault *fault, uint32_t index, const char *name,
                              const char *what)
{
    snprintf(fault->text, sizeof fault->text, "node %lu ('%.64s'): %s", (unsigned long)index, name,
             what);
    return ACRE_ERROR_FORMAT;
}

/// @return the position of the first index that is not below point_count, or count.
static uint64_t first_wrong_index(const uint32_t *indices, uint64_t count, uint32_t point_count)
{
    uint64_t i = 0;
    while (i < count && indices[i] < point_count) {
        i++;
    }
    return i;
}

/// Box of finite points; *wrong is the first point that is not finite, or count.
static acre_aabb bounds_of(const float *points, uint32_t count, uint32_t *wrong)
{
    acre_aabb box = acre_aabb_empty();
    for (uint32_t i = 0; i < count; i++) {
        const float *point = points + 3 * (size_t)i;
        for (int axis = 0; axis < 3; axis++) {
            if (!float_is_finite(point[axis])) {
                *wrong = i;
                return box;
            }
            box.min[axis] = point[axis] < box.min[axis] ? point[axis] : box.min[axis];
            box.max[axis] = point[axis] > box.max[axis] ? point[axis] : box.max[axis];
        }
    }
    *wrong = count;
    return box;
}

static acre_result check_mesh(acre_import_mesh *mesh, uint32_t index, import_fault *fault)
{
    uint32_t wrong;
    mesh->bounds = bounds_of(mesh->points, mesh->point_count, &wrong);
    if (wrong < mesh->point_count) {
        return fault_at(fault, "mesh", index, "a position is not finite", wrong);
    }
    const uint64_t triangle_indices = 3 * (uint64_t)mesh->triangle_count;
    uint64_t at = first_wrong_index(mesh->triangles, triangle_indices, mesh->point_count);
    if (at < triangle_indices) {
        return fault_at(fault, "mesh", index, "a triangle's index is out of range", at / 3);
    }
    const uint64_t line_indices = 2 * (uint64_t)mesh->line_count;
    at = first_wrong_index(mesh->lines, line_indices, mesh->point_count);
    if (at < line_indices) {
        return fault_at(fault, "mesh", index, "a line's index is out of range", at / 2);
    }
    return ACRE_OK;
}

static acre_result finish_meshes(import_block *block, acre_import_mesh *meshes, import_fault *fault)
{
    const import_counts *counts = &block->counts;
    const import_raw *raw = &block->raw;
    // Where the mesh begins in each section.
    uint64_t point = 0;
    uint64_t triangle = 0;
    uint64_t line = 0;
    for (uint32_t i = 0; i < block->model.mesh_count; i++) {
        const import_raw_mesh from = raw->meshes[i];
        if (from.point_count > counts->points - point ||
            from.triangle_count > counts->triangles - triangle ||
            from.line_count > counts->lines - line) {
            return fault_at(fault, "mesh", i, "its counts pass the end of the data", point);
        }
        meshes[i] = (acre_import_mesh){
            .points = from.point_count > 0 ? raw->points + 3 * (size_t)point : NULL,
            .point_count = from.point_count,
            .triangles = from.triangle_count > 0 ? raw->triangles + 3 * (size_t)triangle : NULL,
            .triangle_count = from.triangle_count,
            .lines = from.line_count > 0 ? raw->lines + 2 * (size_t)line : NULL,
            .line_count = from.line_count};
        const acre_result result = check_mesh(&meshes[i], i, fault);
        if (result != ACRE_OK) {
            return result;
        }
        point += from.point_count;
        triangle += from.triangle_count;
        line += from.line_count;
    }
    if (point != counts->points || triangle != counts->triangles || line != counts->lines) {
        return fault_at(fault, "mesh", block->model.mesh_count, "data without a mesh", point);
    }
    block->model.point_total = point;
    block->model.triangle_total = triangle;
    block->model.line_total = line;
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

/// Says what is wrong with a matrix, or leaves *fault alone.
static acre_result check_matrix(const float *matrix, uint32_t index, const char *name,
                                import_fault *fault)
{
    for (int i = 0; i < 16; i++) {
        if (!float_is_finite(matrix[i])) {
            return fault_node(fault, index, name, "its matrix has a number that is not finite");
        }
    }
    if (matrix[3] != 0.0f || matrix[7] != 0.0f || matrix[11] != 0.0f || matrix[15] != 1.0f) {
        return fault_node(fault, index, name,
                          "its matrix is not affine: the last row is not 0 0 0 1");
    }
    return ACRE_OK;
}

/// Whether a reach is a box of finite numbers or, bit by bit, the empty one.
static bool is_sound_reach(const acre_aabb *reach)
{
    const acre_aabb empty = acre_aabb_empty();
    return memcmp(reach, &empty, sizeof empty) == 0 ||
           (acre_aabb_is_finite(reach) && acre_aabb_is_valid(reach));
}

/// Checks one node and merges the boxes of its meshes with its reach.
static acre_result check_node(const import_block *block, acre_import_node *node, uint32_t index,
                              import_fault *fault)
{
    if (node->parent != ACRE_IMPORT_NO_PARENT && node->parent >= index) {
        return fault_node(fault, index, node->name, "its parent does not stand before it");
    }
    const acre_result result = check_matrix(node->local, index, node->name, fault);
    if (result != ACRE_OK) {
        return result;
    }
    if (!is_sound_reach(&block->raw.nodes[index].reach)) {
        return fault_node(fault, index, node->name, "its reach is no box");
    }
    node->bounds = block->raw.nodes[index].reach;
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const uint32_t mesh = block->raw.node_meshes[node->first_mesh + i];
        if (mesh >= block->model.mesh_count) {
            return fault_node(fault, index, node->name, "a mesh index is out of range");
        }
        node->bounds = acre_aabb_merge(&node->bounds, &block->model.meshes[mesh].bounds);
    }
    return ACRE_OK;
}

static acre_result finish_model_nodes(import_block *block, acre_import_node *nodes,
                                      import_fault *fault)
{
    const import_counts *counts = &block->counts;
    const import_raw *raw = &block->raw;
    uint64_t name = 0;
    uint32_t mesh = 0;
    for (uint32_t i = 0; i < block->model.node_count; i++) {
        const import_raw_node *from = &raw->nodes[i];
        if (from->name_size == 0 || from->name_size > counts->name_bytes - name ||
            raw->names[name + from->name_size - 1] != '\0' ||
            from->mesh_count > counts->node_meshes - mesh) {
            return fault_at(fault, "node", i, "its name or meshes pass the end of the data", name);
        }
        nodes[i] = (acre_import_node){.name = raw->names + name,
                                      .parent = from->parent,
                                      .file_node = from->file_node,
                                      .first_mesh = mesh,
                                      .mesh_count = from->mesh_count};
        memcpy(nodes[i].local, from->local, sizeof from->local);
        const acre_result result = check_node(block, &nodes[i], i, fault);
        if (result != ACRE_OK) {
            return result;
        }
        name += from->name_size;
        mesh += from->mesh_count;
    }
    if (name != counts->name_bytes || mesh != counts->node_meshes) {
        return fault_at(fault, "node", block->model.node_count, "data without a node", name);
    }
    return ACRE_OK;
}

acre_result acre_import_block_finish(import_block *block, import_fault *fault)
{
    ACRE_ASSERT(block != NULL && fault != NULL);
    if (block->model.node_count == 0) {
        snprintf(fault->text, sizeof fault->text, "there is no node in it");
        return ACRE_ERROR_FORMAT;
    }
    const uint64_t note_bytes = block->counts.note_bytes;
    if (note_bytes > 0 && block->raw.notes[note_bytes - 1] != '\0') {
        snprintf(fault->text, sizeof fault->text, "its notes have no end");
        return ACRE_ERROR_FORMAT;
    }
    block->model.notes = note_bytes > 0 ? block->raw.notes : "";
    block->model.node_meshes = block->raw.node_meshes;
    // The public arrays lie in this block; they are const for the caller alone.
    acre_result result = finish_meshes(block, (acre_import_mesh *)block->model.meshes, fault);
    if (result == ACRE_OK) {
        result = finish_model_nodes(block, (acre_import_node *)block->model.nodes, fault);
    }
    return result;
}

// Packed bytes: this head, then the raw sections as they lie in the block.
typedef struct packed_head {
    char magic[8];
    uint64_t byte_size; // of head and sections
    import_counts counts;
} packed_head;

static const char packed_magic[8] = {'A', 'C', 'R', 'E', 'I', 'M', 'P', '2'};

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
    if (out == NULL) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    if (bytes == NULL) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    packed_head head;
    if (size < sizeof head) {
        return ACRE_ERROR_FORMAT;
    }
    memcpy(&head, bytes, sizeof head);
    layout plan;
    if (memcmp(head.magic, packed_magic, sizeof head.magic) != 0 || head.byte_size != size ||
        !layout_compute(&head.counts, &plan) || plan.raw_size != size - sizeof head) {
        return ACRE_ERROR_FORMAT;
    }
    import_block *block;
    acre_result result = acre_import_block_allocate(&head.counts, allocator, &block);
    if (result != ACRE_OK) {
        return result;
    }
    memcpy((unsigned char *)block + block->raw_offset, (const unsigned char *)bytes + sizeof head,
           block->raw_size);
    import_fault fault;
    result = acre_import_block_finish(block, &fault);
    if (result != ACRE_OK) {
        acre_import_free(&block->model);
        return result;
    }
    *out = &block->model;
    return ACRE_OK;
}
