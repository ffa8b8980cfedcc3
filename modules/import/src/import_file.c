// SPDX-License-Identifier: MIT
// import_file.c - reads a file through assimp and keeps what a model holds.
//
// assimp's structures are taken as untrusted: a hostile file may have slipped through its checks.
// Two passes over them, one that counts and one that writes; the checks of what was written are
// acre_import_block_finish's.
#include "import_internal.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <stdarg.h>
#include <string.h>

/// Nothing changes while reading: no flattening of the hierarchy, no merging of meshes, points and
/// lines stay where they are. Faces of more than three corners become triangles afterwards, when
/// their indices are known to be sound.
static const unsigned int read_flags = 0;

typedef struct node_place {
    const struct aiNode *node;
    uint32_t parent; ///< index into the order
} node_place;

/// One call of acre_import_file.
typedef struct import_job {
    const char *path;
    const acre_allocator *allocator;
    char *message;
    size_t message_size;
    const struct aiScene *source;
    node_place *order; ///< nodes level by level, so that parents stand before children
    size_t node_count, node_capacity;
    import_counts counts;
} import_job;

static acre_result fail(const import_job *job, acre_result result, const char *format, ...)
{
    if (job->message_size == 0) {
        return result;
    }
    const int used = snprintf(job->message, job->message_size, "%s: ", job->path);
    if (used > 0 && (size_t)used < job->message_size) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(job->message + used, job->message_size - (size_t)used, format, arguments);
        va_end(arguments);
    }
    return result;
}

static acre_result fail_memory(const import_job *job)
{
    return fail(job, ACRE_ERROR_OUT_OF_MEMORY, "not enough memory for it");
}

static uint32_t read_little_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/// A binary glTF states its length, so a copy that broke off is told apart from an unknown format.
static acre_result probe_glb(const import_job *job, FILE *file, const unsigned char *head)
{
    const uint32_t stated = read_little_endian(head + 8);
    if (memcmp(head, "glTF", 4) != 0 || fseek(file, 0, SEEK_END) != 0) {
        return ACRE_OK;
    }
    const long size = ftell(file);
    if (size < 0 || (uint64_t)size >= stated) {
        return ACRE_OK;
    }
    return fail(job, ACRE_ERROR_FORMAT, "it is cut off at byte %ld of %lu", size,
                (unsigned long)stated);
}

/// assimp never returns from a PLY header that has no end.
static acre_result probe_ply(const import_job *job, FILE *file, const unsigned char *head)
{
    static const char end[] = "end_header";
    if (memcmp(head, "ply", 3) != 0 || fseek(file, 3, SEEK_SET) != 0) {
        return ACRE_OK;
    }
    char window[sizeof end - 1] = {0};
    for (int byte = getc(file); byte != EOF; byte = getc(file)) {
        const bool is_between_words = byte == '\n' || byte == '\r' || byte == ' ';
        if (is_between_words && memcmp(window, end, sizeof window) == 0) {
            return ACRE_OK;
        }
        memmove(window, window + 1, sizeof window - 1);
        window[sizeof window - 1] = (char)byte;
    }
    return fail(job, ACRE_ERROR_FORMAT, "its header has no end");
}

/// Tells files that cannot be read from files with wrong content, which assimp does not.
static acre_result probe(const import_job *job)
{
    FILE *file = fopen(job->path, "rb");
    if (file == NULL) {
        return fail(job, ACRE_ERROR_IO, "it cannot be opened");
    }
    unsigned char head[12]; // as long as that of a binary glTF
    const size_t read = fread(head, 1, sizeof head, file);
    acre_result result = ACRE_OK;
    if (ferror(file) != 0) { // a directory, for instance
        result = fail(job, ACRE_ERROR_IO, "it cannot be read");
    } else if (read == 0) {
        result = fail(job, ACRE_ERROR_FORMAT, "the file is empty");
    } else if (read == sizeof head) {
        result = probe_glb(job, file, head);
        if (result == ACRE_OK) {
            result = probe_ply(job, file, head);
        }
    }
    fclose(file);
    return result;
}

/// Hands on the reader's own words, without the white space that some of them end with.
static acre_result fail_reader(const import_job *job)
{
    const char *reason = aiGetErrorString();
    if (strstr(reason, "bad_alloc") != NULL) {
        return fail_memory(job);
    }
    size_t length = strlen(reason);
    while (length > 0 && strchr(" \t\r\n", reason[length - 1]) != NULL) {
        length--;
    }
    if (length == 0) {
        return fail(job, ACRE_ERROR_FORMAT, "the reader gives no reason");
    }
    return fail(job, ACRE_ERROR_FORMAT, "%.*s", (int)(length < 4096 ? length : 4096), reason);
}

static acre_result read_source(import_job *job)
{
    job->source = aiImportFile(job->path, read_flags);
    if (job->source == NULL) {
        return fail_reader(job);
    }
    if (job->source->mRootNode == NULL || job->source->mRootNode->mParent != NULL) {
        return fail(job, ACRE_ERROR_FORMAT, "there is no node in it");
    }
    return ACRE_OK;
}

/// @return the printable start of a name, for messages.
static const char *text_of(const struct aiString *name)
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

static bool reserve_nodes(import_job *job, size_t count)
{
    if (count <= job->node_capacity) {
        return true;
    }
    size_t capacity = job->node_capacity > 0 ? job->node_capacity : 64;
    while (capacity < count) {
        capacity *= 2;
    }
    const size_t size = sizeof *job->order;
    node_place *grown = acre_resize(job->allocator, job->order, job->node_capacity * size,
                                    capacity * size, _Alignof(node_place));
    if (grown == NULL) {
        return false;
    }
    job->order = grown;
    job->node_capacity = capacity;
    return true;
}

/// Appends the children of order[index]. A child that names another parent is refused: as the root
/// has none, there is no way into a loop.
static acre_result append_children(import_job *job, size_t index)
{
    const struct aiNode *node = job->order[index].node;
    if (node->mNumChildren > 0 && node->mChildren == NULL) {
        return fail(job, ACRE_ERROR_FORMAT, "node %zu ('%.64s'): its children are missing", index,
                    text_of(&node->mName));
    }
    if (!reserve_nodes(job, job->node_count + node->mNumChildren)) {
        return fail_memory(job);
    }
    for (unsigned int i = 0; i < node->mNumChildren; i++) {
        const struct aiNode *child = node->mChildren[i];
        if (child == NULL || child->mParent != node) {
            return fail(job, ACRE_ERROR_FORMAT, "node %zu ('%.64s'): child %u has another parent",
                        index, text_of(&node->mName), i);
        }
        job->order[job->node_count++] = (node_place){child, (uint32_t)index};
    }
    return ACRE_OK;
}

static acre_result count_nodes(import_job *job)
{
    if (!reserve_nodes(job, 1)) {
        return fail_memory(job);
    }
    job->order[0] = (node_place){job->source->mRootNode, ACRE_IMPORT_NO_PARENT};
    job->node_count = 1;
    for (size_t i = 0; i < job->node_count; i++) {
        const struct aiNode *node = job->order[i].node;
        if (job->node_count > IMPORT_NODE_LIMIT) {
            return fail(job, ACRE_ERROR_FORMAT, "it has more than %lu nodes",
                        (unsigned long)IMPORT_NODE_LIMIT);
        }
        if (node->mNumMeshes > 0 && node->mMeshes == NULL) {
            return fail(job, ACRE_ERROR_FORMAT, "node %zu ('%.64s'): its meshes are missing", i,
                        text_of(&node->mName));
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
static acre_result check_mesh(const import_job *job, unsigned int index, unsigned int *largest)
{
    const struct aiMesh *mesh = job->source->mMeshes[index];
    if (mesh == NULL || (mesh->mNumVertices > 0 && mesh->mVertices == NULL) ||
        (mesh->mNumFaces > 0 && mesh->mFaces == NULL)) {
        return fail(job, ACRE_ERROR_FORMAT, "mesh %u: its data is missing", index);
    }
    for (unsigned int i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D at = mesh->mVertices[i];
        if (!import_is_finite(at.x) || !import_is_finite(at.y) || !import_is_finite(at.z)) {
            return fail(job, ACRE_ERROR_FORMAT, "mesh %u ('%.64s'): position %u is not finite",
                        index, text_of(&mesh->mName), i);
        }
    }
    for (unsigned int i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (!face_is_sound(face, mesh->mNumVertices)) {
            return fail(job, ACRE_ERROR_FORMAT, "mesh %u ('%.64s'): face %u has no such point",
                        index, text_of(&mesh->mName), i);
        }
        *largest = face->mNumIndices > *largest ? face->mNumIndices : *largest;
    }
    return ACRE_OK;
}

static acre_result triangulate(import_job *job)
{
    if (job->source->mNumMeshes > 0 && job->source->mMeshes == NULL) {
        return fail(job, ACRE_ERROR_FORMAT, "its meshes are missing");
    }
    bool is_needed = false;
    for (unsigned int i = 0; i < job->source->mNumMeshes; i++) {
        unsigned int largest = 0;
        const acre_result result = check_mesh(job, i, &largest);
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
static acre_result count_mesh(import_job *job, unsigned int index)
{
    const struct aiMesh *mesh = job->source->mMeshes[index];
    job->counts.points += mesh->mNumVertices;
    for (unsigned int i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices > 3) {
            return fail(job, ACRE_ERROR_FORMAT, "mesh %u ('%.64s'): face %u has %u corners", index,
                        text_of(&mesh->mName), i, face->mNumIndices);
        }
        job->counts.triangles += face->mNumIndices == 3;
        job->counts.lines += face->mNumIndices == 2;
    }
    return ACRE_OK;
}

static acre_result count_meshes(import_job *job)
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
}

static void write_nodes(const import_job *job, const import_raw *raw)
{
    uint32_t *node_mesh = raw->node_meshes;
    char *name = raw->names;
    for (size_t i = 0; i < job->node_count; i++) {
        const struct aiNode *node = job->order[i].node;
        const uint32_t length = name_length(&node->mName);
        raw->nodes[i] = (import_raw_node){.parent = job->order[i].parent,
                                          .mesh_count = node->mNumMeshes,
                                          .name_size = length + 1};
        write_matrix(&node->mTransformation, raw->nodes[i].local);
        memcpy(name, node->mName.data, length);
        name[length] = '\0';
        name += length + 1;
        for (unsigned int mesh = 0; mesh < node->mNumMeshes; mesh++) {
            *node_mesh++ = node->mMeshes[mesh];
        }
    }
}

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
        uint32_t **to = face->mNumIndices == 3 ? triangles : lines;
        for (unsigned int corner = 0; face->mNumIndices >= 2 && corner < face->mNumIndices;
             corner++) {
            *(*to)++ = face->mIndices[corner];
        }
        out->triangle_count += face->mNumIndices == 3;
        out->line_count += face->mNumIndices == 2;
    }
}

static void write_meshes(const import_job *job, const import_raw *raw)
{
    float *points = raw->points;
    uint32_t *triangles = raw->triangles;
    uint32_t *lines = raw->lines;
    for (unsigned int i = 0; i < job->source->mNumMeshes; i++) {
        const struct aiMesh *mesh = job->source->mMeshes[i];
        write_mesh(mesh, &raw->meshes[i], points, &triangles, &lines);
        points = points != NULL ? points + 3 * (size_t)mesh->mNumVertices : NULL;
    }
}

static acre_result make_model(import_job *job, acre_import_model **out)
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
    result = acre_import_block_allocate(&job->counts, job->allocator, &block);
    if (result != ACRE_OK) {
        return fail_memory(job); // what passes the address space is too much memory as well
    }
    write_nodes(job, &block->raw);
    write_meshes(job, &block->raw);
    import_fault fault;
    result = acre_import_block_finish(block, &fault);
    if (result != ACRE_OK) {
        acre_import_free(&block->model);
        return fail(job, result, "%s", fault.text);
    }
    *out = &block->model;
    return ACRE_OK;
}

static void release(import_job *job)
{
    acre_resize(job->allocator, job->order, job->node_capacity * sizeof *job->order, 0,
                _Alignof(node_place));
    if (job->source != NULL) {
        aiReleaseImport(job->source);
    }
}

acre_result acre_import_file(const char *path, const acre_allocator *allocator,
                             acre_import_model **out, char *message, size_t message_size)
{
    if (message == NULL) {
        message_size = 0;
    }
    if (message_size > 0) {
        message[0] = '\0';
    }
    import_job job = {.path = path != NULL ? path : "(no path)",
                      .allocator = allocator,
                      .message = message,
                      .message_size = message_size};
    if (out != NULL) {
        *out = NULL;
    }
    if (path == NULL || out == NULL) {
        return fail(&job, ACRE_ERROR_INVALID_ARGUMENT, "path or out is NULL");
    }
    acre_result result = probe(&job);
    if (result == ACRE_OK) {
        result = read_source(&job);
    }
    if (result == ACRE_OK) {
        result = make_model(&job, out);
    }
    release(&job);
    return result;
}
