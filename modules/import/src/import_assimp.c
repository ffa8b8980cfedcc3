// SPDX-License-Identifier: MIT
// import_assimp.c - reads a file through assimp and copies what a model holds.
//
// Nothing in assimp's structures is trusted: a hostile file may have passed its checks. One pass
// over them counts, a second pass writes; acre_import_block_finish checks what was written.
#include "assert_internal.h"
#include "import_internal.h"

#include "float_bits.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <string.h>

/// The reader changes nothing: it flattens no hierarchy and merges no meshes. Faces of more than
/// three corners become triangles later, when their indices have been checked.
static const unsigned int read_flags = 0;

typedef struct node_place {
    struct aiNode *node;
    uint32_t parent; ///< index into the order
} node_place;

/// What assimp has read, and the nodes of it in order.
typedef struct assimp_job {
    const import_job *call;
    const struct aiScene *source;
    node_place *order; ///< level by level, so that parents stand before children
    size_t node_count;
    size_t node_capacity;
    import_counts counts;
    bool has_motion; ///< whatever moves points, and is left out
} assimp_job;

static const char motion_note[] = "bones, morph targets and animations are not applied: bounds are "
                                  "those of the points as the file states them\n";

/// Where no reader knows the ending, what the last of them says about the content misleads.
/// Otherwise these are the reader's own words, without trailing white space.
static acre_result fail_reader(const assimp_job *job)
{
    const char *reason = aiGetErrorString();
    const char *ending = acre_import_ending(job->call->path);
    if (strstr(reason, "bad_alloc") != NULL) {
        return acre_import_fail_size(job->call, ACRE_ERROR_OUT_OF_MEMORY);
    }
    if (ending == NULL) {
        return IMPORT_REFUSE(job->call, "it has no ending, and no reader knows its content");
    }
    if (!aiIsExtensionSupported(ending)) {
        return IMPORT_REFUSE(job->call, "no reader knows the ending '%.32s' or its content",
                             ending);
    }
    size_t length = strlen(reason);
    while (length > 0 && strchr(" \t\r\n", reason[length - 1]) != NULL) {
        length--;
    }
    return IMPORT_REFUSE(job->call, "%.*s", (int)(length < 4096 ? length : 4096),
                         length > 0 ? reason : "the reader gives no reason");
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

static acre_result fail_node(const assimp_job *job, size_t index, const char *what)
{
    return IMPORT_REFUSE(job->call, "node %zu ('%.64s'): %s", index,
                         printable_name(&job->order[index].node->mName), what);
}

static acre_result reserve_nodes(assimp_job *job, size_t count)
{
    size_t capacity = job->node_capacity > 0 ? job->node_capacity : 64;
    while (capacity < count) {
        capacity *= 2;
    }
    if (capacity > job->node_capacity) {
        const size_t size = sizeof *job->order;
        node_place *grown = acre_resize(job->call->allocator, job->order, job->node_capacity * size,
                                        capacity * size, _Alignof(node_place));
        if (grown == NULL) {
            return acre_import_fail_size(job->call, ACRE_ERROR_OUT_OF_MEMORY);
        }
        job->order = grown;
        job->node_capacity = capacity;
    }
    return ACRE_OK;
}

/// A node's parent pointer, which some readers set wrongly and nobody needs, becomes its place in
/// the order. Before that it may be anything, so that the order must agree.
/// @return false if the node is in the order already.
static bool append_node(assimp_job *job, struct aiNode *node, uint32_t parent)
{
    const uintptr_t place = (uintptr_t)node->mParent;
    ACRE_INVARIANT(job->node_count < job->node_capacity);
    ACRE_INVARIANT(parent == ACRE_IMPORT_NO_PARENT || parent < job->node_count);
    if (place < job->node_count && job->order[place].node == node) {
        return false;
    }
    node->mParent = (struct aiNode *)(uintptr_t)job->node_count;
    job->order[job->node_count++] = (node_place){node, parent};
    return true;
}

/// Appends the children of order[index]. Lists of children make the hierarchy. A node that is
/// listed twice is refused, so that the hierarchy is a finite tree. Some readers leave empty places
/// in their lists.
static acre_result append_children(assimp_job *job, size_t index)
{
    const struct aiNode *node = job->order[index].node;
    if (node->mNumChildren > 0 && node->mChildren == NULL) {
        return fail_node(job, index, "its list of children is missing");
    }
    const acre_result result = reserve_nodes(job, job->node_count + node->mNumChildren);
    for (unsigned int i = 0; result == ACRE_OK && i < node->mNumChildren; i++) {
        struct aiNode *child = node->mChildren[i];
        if (child != NULL && !append_node(job, child, (uint32_t)index)) {
            char what[64];
            snprintf(what, sizeof what, "child %u stands elsewhere in the hierarchy as well", i);
            return fail_node(job, index, what);
        }
    }
    return result;
}

static acre_result count_nodes(assimp_job *job)
{
    acre_result result = reserve_nodes(job, 1);
    if (result == ACRE_OK) {
        (void)append_node(job, job->source->mRootNode, ACRE_IMPORT_NO_PARENT);
    }
    for (size_t i = 0; result == ACRE_OK && i < job->node_count; i++) {
        const struct aiNode *node = job->order[i].node;
        if (job->node_count > IMPORT_NODE_LIMIT) {
            return acre_import_fail_size(job->call, ACRE_ERROR_CAPACITY);
        }
        if (node->mNumMeshes > 0 && node->mMeshes == NULL) {
            return fail_node(job, i, "its list of meshes is missing");
        }
        job->counts.node_meshes += node->mNumMeshes;
        job->counts.name_bytes += name_length(&node->mName) + 1u;
        result = append_children(job, i);
    }
    job->counts.nodes = job->node_count;
    return result;
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
static acre_result check_source_mesh(assimp_job *job, unsigned int index, unsigned int *largest)
{
    const struct aiMesh *mesh = job->source->mMeshes[index];
    if (mesh == NULL || (mesh->mNumVertices > 0 && mesh->mVertices == NULL) ||
        (mesh->mNumFaces > 0 && mesh->mFaces == NULL)) {
        return IMPORT_REFUSE(job->call, "mesh %u: its points or faces are missing", index);
    }
    job->has_motion |= mesh->mNumBones > 0 || mesh->mNumAnimMeshes > 0;
    for (unsigned int i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D at = mesh->mVertices[i];
        if (!float_is_finite(at.x) || !float_is_finite(at.y) || !float_is_finite(at.z)) {
            return IMPORT_REFUSE(job->call, "mesh %u ('%.64s'): position %u is not finite", index,
                                 printable_name(&mesh->mName), i);
        }
    }
    for (unsigned int i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (!face_is_sound(face, mesh->mNumVertices)) {
            return IMPORT_REFUSE(
                job->call, "mesh %u ('%.64s'): face %u names a point that the mesh does not have",
                index, printable_name(&mesh->mName), i);
        }
        *largest = face->mNumIndices > *largest ? face->mNumIndices : *largest;
    }
    return ACRE_OK;
}

static acre_result triangulate(assimp_job *job)
{
    if (job->source->mNumMeshes > 0 && job->source->mMeshes == NULL) {
        return IMPORT_REFUSE(job->call, "its list of meshes is missing");
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

/// Faces of no or one corner (points) leave no trace but their positions.
static acre_result count_meshes(assimp_job *job)
{
    job->counts.meshes = job->source->mNumMeshes;
    for (unsigned int i = 0; i < job->source->mNumMeshes; i++) {
        const struct aiMesh *mesh = job->source->mMeshes[i];
        job->counts.points += mesh->mNumVertices;
        for (unsigned int k = 0; k < mesh->mNumFaces; k++) {
            const unsigned int corners = mesh->mFaces[k].mNumIndices;
            if (corners > 3) {
                return IMPORT_REFUSE(job->call, "mesh %u ('%.64s'): face %u has %u corners", i,
                                     printable_name(&mesh->mName), k, corners);
            }
            job->counts.triangles += corners == 3;
            job->counts.lines += corners == 2;
        }
    }
    return ACRE_OK;
}

/// assimp's matrices are row-major: b4 is the second row's translation.
static void write_matrix(const struct aiMatrix4x4 *from, float *to)
{
    float rows[16];
    _Static_assert(sizeof rows == sizeof *from, "a build of assimp with floats");
    memcpy(rows, from, sizeof rows);
    for (int i = 0; i < 16; i++) {
        to[i] = rows[4 * (i % 4) + i / 4];
    }
    acre_import_settle_matrix(to);
}

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

static int32_t number_setting(const struct aiScene *source, const char *key, int32_t fallback)
{
    const void *data = setting_of(source, key, AI_INT32);
    if (data != NULL) {
        memcpy(&fallback, data, sizeof fallback);
    }
    return fallback;
}

/// Reads which axes of the file point to the right, up, and to the front: the model's x, y and z.
/// They are 1, 2, 3, or less than 0 where they point the other way.
/// The readers of FBX, which states its axes, and of Blender, which has z up, leave them to us; the
/// others turn the model themselves, or their format has y up, or none. False: the file states no
/// axes, or those that it states are not three.
static bool read_axes(const struct aiScene *source, int axes[3])
{
    static const int of_blender[3] = {1, 3, -2};
    static const char *const keys[3][2] = {
        {"CoordAxis", "CoordAxisSign"}, {"UpAxis", "UpAxisSign"}, {"FrontAxis", "FrontAxisSign"}};
    const struct aiString *format = setting_of(source, "SourceAsset_Format", AI_AISTRING);
    if (format != NULL && strncmp(printable_name(format), "Blender", 7) == 0) {
        memcpy(axes, of_blender, sizeof of_blender);
        return true;
    }
    unsigned int found = 0;
    for (int i = 0; i < 3; i++) {
        const int32_t axis = number_setting(source, keys[i][0], -1);
        if (axis < 0 || axis > 2) {
            return false;
        }
        axes[i] = number_setting(source, keys[i][1], 1) < 0 ? -1 - axis : 1 + axis;
        found |= 1u << axis;
    }
    return found == 7;
}

/// Turns a matrix so that what it places stands upright.
static void turn_matrix(const int axes[3], float *matrix)
{
    for (float *to = matrix; to < matrix + 16; to += 4) {
        const float from[3] = {to[0], to[1], to[2]};
        for (int i = 0; i < 3; i++) {
            to[i] = axes[i] < 0 ? 0.0f - from[-axes[i] - 1] : from[axes[i] - 1]; // 0 stays +0
        }
    }
}

static void write_nodes(const assimp_job *job, const import_raw *raw)
{
    uint32_t *node_mesh = raw->node_meshes;
    char *name = raw->names;
    int axes[3];
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
    ACRE_INVARIANT(node_mesh == raw->node_meshes + job->counts.node_meshes);
    ACRE_INVARIANT(name == raw->names + job->counts.name_bytes);
}

static void write_meshes(const assimp_job *job, const import_raw *raw)
{
    float *points = raw->points;
    uint32_t *triangles = raw->triangles, *lines = raw->lines;
    for (unsigned int i = 0; i < job->source->mNumMeshes; i++) {
        const struct aiMesh *mesh = job->source->mMeshes[i];
        import_raw_mesh *const out = &raw->meshes[i];
        out->point_count = mesh->mNumVertices;
        for (unsigned int k = 0; k < mesh->mNumVertices; k++) {
            *points++ = mesh->mVertices[k].x;
            *points++ = mesh->mVertices[k].y;
            *points++ = mesh->mVertices[k].z;
        }
        for (unsigned int k = 0; k < mesh->mNumFaces; k++) {
            const struct aiFace *face = &mesh->mFaces[k];
            ACRE_INVARIANT(face->mNumIndices <= 3); // count_meshes refuses others
            uint32_t **to = face->mNumIndices == 3 ? &triangles : &lines;
            for (unsigned int c = 0; face->mNumIndices >= 2 && c < face->mNumIndices; c++) {
                *(*to)++ = face->mIndices[c];
            }
            out->triangle_count += face->mNumIndices == 3;
            out->line_count += face->mNumIndices == 2;
        }
    }
    ACRE_INVARIANT(triangles == raw->triangles + 3 * job->counts.triangles);
    ACRE_INVARIANT(lines == raw->lines + 2 * job->counts.lines);
}

static acre_result make_model(assimp_job *job, acre_import_model **out)
{
    import_block *block;
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
    job->has_motion |= job->source->mNumAnimations > 0;
    job->counts.note_bytes = job->has_motion ? sizeof motion_note : 0;
    result = acre_import_block_allocate(&job->counts, job->call->allocator, &block);
    if (result != ACRE_OK) {
        return acre_import_fail_size(job->call, result);
    }
    write_nodes(job, &block->raw);
    write_meshes(job, &block->raw);
    memcpy(block->raw.notes, motion_note, (size_t)job->counts.note_bytes);
    result = acre_import_block_finish(block, job->call);
    if (result == ACRE_OK) {
        *out = &block->model;
    } else {
        acre_import_free(&block->model);
    }
    return result;
}

acre_result acre_import_read_assimp(const import_job *call, acre_import_model **out)
{
    assimp_job job = {.call = call, .source = aiImportFile(call->path, read_flags)};
    acre_result result;
    if (job.source == NULL) {
        result = fail_reader(&job);
    } else if (job.source->mRootNode == NULL) {
        result = IMPORT_REFUSE(call, "there is no node in it");
    } else {
        result = make_model(&job, out);
    }
    acre_resize(call->allocator, job.order, job.node_capacity * sizeof *job.order, 0,
                _Alignof(node_place));
    if (job.source != NULL) {
        aiReleaseImport(job.source);
    }
    return result;
}
