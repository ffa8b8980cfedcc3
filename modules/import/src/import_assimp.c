// SPDX-License-Identifier: MIT
// import_assimp.c - reads a file through assimp and copies what a model holds.
//
// Nothing in assimp's structures is trusted: a hostile file may have passed its checks. One pass
// over them counts, a second pass writes; acre_import_block_finish checks what was written.
#include "assert_internal.h"
#include "import_reader.h"

#include "float_bits.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <stdarg.h>
#include <string.h>

/// The reader changes nothing: it flattens no hierarchy and merges no meshes. Faces of more than
/// three corners become triangles later, when their indices have been checked.
static const unsigned int read_flags = 0;

typedef struct node_place {
    const struct aiNode *node;
    uint32_t parent; ///< index into the order
} node_place;

/// What assimp has read, and the nodes of it in order.
typedef struct assimp_job {
    const import_job *call;
    const struct aiScene *source;
    node_place *order; ///< level by level, so that parents stand before children
    size_t node_count;
    size_t node_capacity;
    const struct aiNode **seen; ///< hash table of the nodes in the order; NULL: empty place
    size_t seen_capacity;       ///< a power of two, at least twice node_capacity
    import_counts counts;
} assimp_job;

/// Where no reader knows the ending, what the last of them says about the content misleads.
/// Otherwise these are the reader's own words, without trailing white space.
static acre_result fail_reader(const assimp_job *job)
{
    const char *reason = aiGetErrorString();
    if (strstr(reason, "bad_alloc") != NULL) {
        return acre_import_fail_size(job->call, ACRE_ERROR_OUT_OF_MEMORY);
    }
    const char *ending = acre_import_ending(job->call->path);
    if (ending == NULL) {
        return acre_import_fail(job->call, ACRE_ERROR_FORMAT,
                                "it has no ending, and no reader knows its content");
    }
    if (!aiIsExtensionSupported(ending)) {
        return acre_import_fail(job->call, ACRE_ERROR_FORMAT,
                                "no reader knows the ending '%.32s' or its content", ending);
    }
    size_t length = strlen(reason);
    while (length > 0 && strchr(" \t\r\n", reason[length - 1]) != NULL) {
        length--;
    }
    if (length == 0) {
        return acre_import_fail(job->call, ACRE_ERROR_FORMAT, "the reader gives no reason");
    }
    return acre_import_fail(job->call, ACRE_ERROR_FORMAT, "%.*s",
                            (int)(length < 4096 ? length : 4096), reason);
}

static acre_result read_source(assimp_job *job)
{
    job->source = aiImportFile(job->call->path, read_flags);
    if (job->source == NULL) {
        return fail_reader(job);
    }
    if (job->source->mRootNode == NULL) {
        return acre_import_fail(job->call, ACRE_ERROR_FORMAT, "there is no node in it");
    }
    return ACRE_OK;
}

/// @return a name for messages; "?" if it has no end.
static const char *printable_name(const struct aiString *name)
{
    return memchr(name->data, '\0', sizeof name->data) != NULL ? name->data : "?";
}

/// Length without the end; a name may hold zero bytes and must not pass its array.
static uint32_t name_length(const struct aiString *name)
{
    const size_t limit = name->length < sizeof name->data ? name->length : sizeof name->data - 1;
    const char *end = memchr(name->data, '\0', limit);
    return (uint32_t)(end != NULL ? (size_t)(end - name->data) : limit);
}

/// @return the place of a node in the hash table, or the empty place where it belongs.
static size_t seen_place(const assimp_job *job, const struct aiNode *node)
{
    ACRE_INVARIANT(job->node_count < job->seen_capacity); // there is an empty place
    uint64_t hash = (uint64_t)(uintptr_t)node * UINT64_C(0x9e3779b97f4a7c15);
    size_t place = (size_t)(hash >> 32) & (job->seen_capacity - 1);
    while (job->seen[place] != NULL && job->seen[place] != node) {
        place = (place + 1) & (job->seen_capacity - 1);
    }
    return place;
}

static bool grow_seen(assimp_job *job, size_t capacity)
{
    ACRE_INVARIANT((capacity & (capacity - 1)) == 0);
    const struct aiNode **table = acre_resize(
        job->call->allocator, NULL, 0, capacity * sizeof *table, _Alignof(const struct aiNode *));
    if (table == NULL) {
        return false;
    }
    acre_resize(job->call->allocator, job->seen, job->seen_capacity * sizeof *table, 0,
                _Alignof(const struct aiNode *));
    job->seen = table;
    job->seen_capacity = capacity;
    for (size_t i = 0; i < capacity; i++) {
        table[i] = NULL;
    }
    for (size_t i = 0; i < job->node_count; i++) {
        table[seen_place(job, job->order[i].node)] = job->order[i].node;
    }
    return true;
}

static bool reserve_nodes(assimp_job *job, size_t count)
{
    if (count <= job->node_capacity) {
        return true;
    }
    size_t capacity = job->node_capacity > 0 ? job->node_capacity : 64;
    while (capacity < count) {
        capacity *= 2;
    }
    const size_t size = sizeof *job->order;
    node_place *grown = acre_resize(job->call->allocator, job->order, job->node_capacity * size,
                                    capacity * size, _Alignof(node_place));
    if (grown == NULL) {
        return false;
    }
    job->order = grown;
    job->node_capacity = capacity;
    return grow_seen(job, 2 * capacity);
}

/// @return false if the node is in the order already.
static bool append_node(assimp_job *job, const struct aiNode *node, uint32_t parent)
{
    ACRE_INVARIANT(node != NULL && job->node_count < job->node_capacity);
    ACRE_INVARIANT(parent == ACRE_IMPORT_NO_PARENT || parent < job->node_count);
    const size_t place = seen_place(job, node);
    if (job->seen[place] == node) {
        return false;
    }
    job->seen[place] = node;
    job->order[job->node_count++] = (node_place){node, parent};
    return true;
}

/// Appends the children of order[index]. Lists of children make the hierarchy: parent pointers of
/// some readers name other nodes. A node that is listed twice is refused, so that the hierarchy is
/// a finite tree. Some readers leave empty places in their lists.
static acre_result append_children(assimp_job *job, size_t index)
{
    const struct aiNode *node = job->order[index].node;
    if (node->mNumChildren > 0 && node->mChildren == NULL) {
        return acre_import_fail(job->call, ACRE_ERROR_FORMAT,
                                "node %zu ('%.64s'): its list of children is missing", index,
                                printable_name(&node->mName));
    }
    if (!reserve_nodes(job, job->node_count + node->mNumChildren)) {
        return acre_import_fail_size(job->call, ACRE_ERROR_OUT_OF_MEMORY);
    }
    for (unsigned int i = 0; i < node->mNumChildren; i++) {
        const struct aiNode *child = node->mChildren[i];
        if (child != NULL && !append_node(job, child, (uint32_t)index)) {
            return acre_import_fail(
                job->call, ACRE_ERROR_FORMAT,
                "node %zu ('%.64s'): child %u stands elsewhere in the hierarchy as well", index,
                printable_name(&node->mName), i);
        }
    }
    return ACRE_OK;
}

static acre_result count_nodes(assimp_job *job)
{
    if (!reserve_nodes(job, 1)) {
        return acre_import_fail_size(job->call, ACRE_ERROR_OUT_OF_MEMORY);
    }
    (void)append_node(job, job->source->mRootNode, ACRE_IMPORT_NO_PARENT);
    for (size_t i = 0; i < job->node_count; i++) {
        const struct aiNode *node = job->order[i].node;
        if (job->node_count > IMPORT_NODE_LIMIT) {
            return acre_import_fail_size(job->call, ACRE_ERROR_CAPACITY);
        }
        if (node->mNumMeshes > 0 && node->mMeshes == NULL) {
            return acre_import_fail(job->call, ACRE_ERROR_FORMAT,
                                    "node %zu ('%.64s'): its list of meshes is missing", i,
                                    printable_name(&node->mName));
        }
        job->counts.node_meshes += node->mNumMeshes;
        job->counts.name_bytes += name_length(&node->mName) + 1u;
        const acre_result result = append_children(job, i);
        if (result != ACRE_OK) {
            return result;
        }
    }
    job->counts.nodes = job->node_count;
    return ACRE_OK;
}

/// @return whether all of a face's corners are points of its mesh.
static bool face_is_sound(const struct aiFace *face, unsigned int point_count)
{
    if (face->mNumIndices > 0 && face->mIndices == NULL) {
        return false;
    }
    for (unsigned int i = 0; i < face->mNumIndices; i++) {
        if (face->mIndices[i] >= point_count) {
            return false;
        }
    }
    return true;
}

/// Checks what triangulation relies on. @param largest raised to the largest number of corners.
static acre_result check_source_mesh(const assimp_job *job, unsigned int index,
                                     unsigned int *largest)
{
    const struct aiMesh *mesh = job->source->mMeshes[index];
    if (mesh == NULL || (mesh->mNumVertices > 0 && mesh->mVertices == NULL) ||
        (mesh->mNumFaces > 0 && mesh->mFaces == NULL)) {
        return acre_import_fail(job->call, ACRE_ERROR_FORMAT,
                                "mesh %u: its points or faces are missing", index);
    }
    for (unsigned int i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D at = mesh->mVertices[i];
        if (!float_is_finite(at.x) || !float_is_finite(at.y) || !float_is_finite(at.z)) {
            return acre_import_fail(job->call, ACRE_ERROR_FORMAT,
                                    "mesh %u ('%.64s'): position %u is not finite", index,
                                    printable_name(&mesh->mName), i);
        }
    }
    for (unsigned int i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (!face_is_sound(face, mesh->mNumVertices)) {
            return acre_import_fail(
                job->call, ACRE_ERROR_FORMAT,
                "mesh %u ('%.64s'): face %u names a point that the mesh does not have", index,
                printable_name(&mesh->mName), i);
        }
        *largest = face->mNumIndices > *largest ? face->mNumIndices : *largest;
    }
    return ACRE_OK;
}

static acre_result triangulate(assimp_job *job)
{
    if (job->source->mNumMeshes > 0 && job->source->mMeshes == NULL) {
        return acre_import_fail(job->call, ACRE_ERROR_FORMAT, "its list of meshes is missing");
    }
    bool is_needed = false;
    for (unsigned int i = 0; i < job->source->mNumMeshes; i++) {
        unsigned int largest = 0;
        const acre_result result = check_source_mesh(job, i, &largest);
        if (result != ACRE_OK) {
            return result;
        }
        if (largest > 3) {
            is_needed = true;
        } else {
            // assimp counts a face without corners as a polygon, and aborts if it is the only one.
            job->source->mMeshes[i]->mPrimitiveTypes &= ~(unsigned int)aiPrimitiveType_POLYGON;
        }
    }
    if (is_needed) { // on failure the reader has freed the scene
        job->source = aiApplyPostProcessing(job->source, aiProcess_Triangulate);
    }
    return job->source != NULL ? ACRE_OK : fail_reader(job);
}

/// Adds a mesh's faces to the counts. Faces of no or one corner (points) leave no trace but their
/// positions.
static acre_result count_mesh(assimp_job *job, unsigned int index)
{
    const struct aiMesh *mesh = job->source->mMeshes[index];
    job->counts.points += mesh->mNumVertices;
    for (unsigned int i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices > 3) {
            return acre_import_fail(job->call, ACRE_ERROR_FORMAT,
                                    "mesh %u ('%.64s'): face %u has %u corners", index,
                                    printable_name(&mesh->mName), i, face->mNumIndices);
        }
        job->counts.triangles += face->mNumIndices == 3;
        job->counts.lines += face->mNumIndices == 2;
    }
    return ACRE_OK;
}

static acre_result count_meshes(assimp_job *job)
{
    job->counts.meshes = job->source->mNumMeshes;
    for (unsigned int i = 0; i < job->source->mNumMeshes; i++) {
        const acre_result result = count_mesh(job, i);
        if (result != ACRE_OK) {
            return result;
        }
    }
    return ACRE_OK;
}

/// assimp's matrices are row-major: b4 is the second row's translation.
static void write_matrix(const struct aiMatrix4x4 *from, float *to)
{
    const float rows[4][4] = {{from->a1, from->a2, from->a3, from->a4},
                              {from->b1, from->b2, from->b3, from->b4},
                              {from->c1, from->c2, from->c3, from->c4},
                              {from->d1, from->d2, from->d3, from->d4}};
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            to[4 * column + row] = rows[row][column];
        }
    }
    acre_import_settle_matrix(to);
}

/// The axis of a file that becomes an axis of the model.
typedef struct axis_source {
    int axis;
    bool is_negative;
} axis_source;

/// @return what the reader has found in the file's settings, or NULL.
static const void *setting_of(const struct aiScene *source, const char *key, aiMetadataType type)
{
    const struct aiMetadata *settings = source->mMetaData;
    if (settings == NULL || settings->mKeys == NULL || settings->mValues == NULL) {
        return NULL;
    }
    for (unsigned int i = 0; i < settings->mNumProperties; i++) {
        const struct aiMetadataEntry *value = &settings->mValues[i];
        if (value->mType == type && strcmp(printable_name(&settings->mKeys[i]), key) == 0) {
            return value->mData;
        }
    }
    return NULL;
}

static int number_setting(const struct aiScene *source, const char *key, int fallback)
{
    const void *data = setting_of(source, key, AI_INT32);
    int32_t number = fallback;
    if (data != NULL) {
        memcpy(&number, data, sizeof number);
    }
    return (int)number;
}

static bool is_of_blender(const struct aiScene *source)
{
    const struct aiString *format = setting_of(source, "SourceAsset_Format", AI_AISTRING);
    return format != NULL && strncmp(printable_name(format), "Blender", 7) == 0;
}

/// Reads which axes of the file point to the right, up, and to the front: the model's x, y and z.
/// The readers of FBX, which states its axes, and of Blender, which has z up, leave them to us; the
/// others turn the model themselves, or their format has y up, or none. False: the file states no
/// axes, or those that it states are not three.
static bool read_axes(const struct aiScene *source, axis_source axes[3])
{
    if (is_of_blender(source)) {
        static const axis_source of_blender[3] = {{0, false}, {2, false}, {1, true}};
        memcpy(axes, of_blender, sizeof of_blender);
        return true;
    }
    static const char *const keys[3][2] = {
        {"CoordAxis", "CoordAxisSign"}, {"UpAxis", "UpAxisSign"}, {"FrontAxis", "FrontAxisSign"}};
    unsigned int found = 0;
    for (int i = 0; i < 3; i++) {
        axes[i].axis = number_setting(source, keys[i][0], -1);
        axes[i].is_negative = number_setting(source, keys[i][1], 1) < 0;
        found |= axes[i].axis >= 0 && axes[i].axis < 3 ? 1u << axes[i].axis : 0;
    }
    return found == 7;
}

/// Turns a matrix so that what it places stands upright.
static void turn_matrix(const axis_source axes[3], float *matrix)
{
    for (int column = 0; column < 4; column++) {
        float *const to = &matrix[4 * column];
        const float from[3] = {to[0], to[1], to[2]};
        for (int i = 0; i < 3; i++) {
            ACRE_INVARIANT(axes[i].axis >= 0 && axes[i].axis < 3); // read_axes
            const float number = from[axes[i].axis];
            to[i] = axes[i].is_negative ? 0.0f - number : number; // 0 stays +0
        }
    }
}

/// Asserts that a cursor has passed exactly so many bytes of a section; both are NULL for a section
/// without elements.
static void check_end(const void *cursor, const void *section, uint64_t bytes)
{
    ACRE_INVARIANT(section == NULL ? cursor == NULL && bytes == 0
                                   : cursor == (const void *)((const char *)section + bytes));
    (void)cursor;
    (void)section;
    (void)bytes;
}

static void write_nodes(const assimp_job *job, const import_raw *raw)
{
    uint32_t *node_mesh = raw->node_meshes;
    char *name = raw->names;
    axis_source axes[3];
    const bool has_axes = read_axes(job->source, axes);
    for (size_t i = 0; i < job->node_count; i++) {
        const struct aiNode *node = job->order[i].node;
        const uint32_t length = name_length(&node->mName);
        raw->nodes[i] = (import_raw_node){.parent = job->order[i].parent,
                                          .file_node = ACRE_IMPORT_NO_NODE,
                                          .mesh_count = node->mNumMeshes,
                                          .name_size = length + 1,
                                          .reach = acre_aabb_empty()};
        write_matrix(&node->mTransformation, raw->nodes[i].local);
        if (has_axes && job->order[i].parent == ACRE_IMPORT_NO_PARENT) {
            turn_matrix(axes, raw->nodes[i].local);
        }
        memcpy(name, node->mName.data, length);
        name[length] = '\0';
        name += length + 1;
        for (unsigned int mesh = 0; mesh < node->mNumMeshes; mesh++) {
            *node_mesh++ = node->mMeshes[mesh];
        }
    }
    check_end(node_mesh, raw->node_meshes, 4 * job->counts.node_meshes);
    check_end(name, raw->names, job->counts.name_bytes);
}

/// Writes a mesh's points, and appends its faces to *triangles and *lines.
static void write_mesh(const struct aiMesh *mesh, import_raw_mesh *out, float *points,
                       uint32_t **triangles, uint32_t **lines)
{
    *out = (import_raw_mesh){.point_count = mesh->mNumVertices};
    for (unsigned int i = 0; i < mesh->mNumVertices; i++) {
        points[3 * (size_t)i + 0] = mesh->mVertices[i].x;
        points[3 * (size_t)i + 1] = mesh->mVertices[i].y;
        points[3 * (size_t)i + 2] = mesh->mVertices[i].z;
    }
    for (unsigned int i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        ACRE_INVARIANT(face->mNumIndices <= 3); // count_mesh refuses others
        uint32_t **to = face->mNumIndices == 3 ? triangles : lines;
        for (unsigned int corner = 0; face->mNumIndices >= 2 && corner < face->mNumIndices;
             corner++) {
            *(*to)++ = face->mIndices[corner];
        }
        out->triangle_count += face->mNumIndices == 3;
        out->line_count += face->mNumIndices == 2;
    }
}

static void write_meshes(const assimp_job *job, const import_raw *raw)
{
    float *points = raw->points;
    uint32_t *triangles = raw->triangles;
    uint32_t *lines = raw->lines;
    for (unsigned int i = 0; i < job->source->mNumMeshes; i++) {
        const struct aiMesh *mesh = job->source->mMeshes[i];
        write_mesh(mesh, &raw->meshes[i], points, &triangles, &lines);
        points = points != NULL ? points + 3 * (size_t)mesh->mNumVertices : NULL;
    }
    check_end(triangles, raw->triangles, 12 * job->counts.triangles);
    check_end(lines, raw->lines, 8 * job->counts.lines);
}

static acre_result make_model(assimp_job *job, acre_import_model **out)
{
    acre_result result = triangulate(job);
    if (result == ACRE_OK) {
        result = count_nodes(job);
    }
    if (result == ACRE_OK) {
        result = count_meshes(job);
    }
    if (result != ACRE_OK) {
        return result;
    }
    import_block *block;
    result = acre_import_block_allocate(&job->counts, job->call->allocator, &block);
    if (result != ACRE_OK) {
        return acre_import_fail_size(job->call, result);
    }
    write_nodes(job, &block->raw);
    write_meshes(job, &block->raw);
    import_fault fault;
    result = acre_import_block_finish(block, &fault);
    if (result != ACRE_OK) {
        acre_import_free(&block->model);
        return acre_import_fail(job->call, result, "%s", fault.text);
    }
    *out = &block->model;
    return ACRE_OK;
}

static void release_job(assimp_job *job)
{
    acre_resize(job->call->allocator, job->order, job->node_capacity * sizeof *job->order, 0,
                _Alignof(node_place));
    acre_resize(job->call->allocator, job->seen, job->seen_capacity * sizeof *job->seen, 0,
                _Alignof(const struct aiNode *));
    if (job->source != NULL) {
        aiReleaseImport(job->source);
    }
}

acre_result acre_import_read_assimp(const import_job *call, acre_import_model **out)
{
    assimp_job job = {.call = call};
    acre_result result = read_source(&job);
    if (result == ACRE_OK) {
        result = make_model(&job, out);
    }
    release_job(&job);
    return result;
}
