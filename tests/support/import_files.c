// SPDX-License-Identifier: MIT
// import_files.c - scene files made in memory, imported from a temporary folder, and a model's
// check.
#define _GNU_SOURCE // mkdtemp

#include "import_files.h"

#include "import_sandbox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char import_path[512];
char import_message[512];

const float triangle_points[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};

static char folder[256];

static void remove_folder(void)
{
    rmdir(folder);
}

const char *import_temporary_path(const char *name)
{
    static char path[512];
    if (folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/acre_import_XXXXXX", base != NULL ? base : "/tmp");
        if (mkdtemp(folder) == NULL) {
            perror(folder);
            exit(1);
        }
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

acre_result import_bytes(import_way way, const char *name, const void *bytes, size_t size,
                         const acre_allocator *allocator, acre_import_model **out)
{
    snprintf(import_path, sizeof import_path, "%s", import_temporary_path(name));
    FILE *file = fopen(import_path, "wb");
    if (file == NULL || (size > 0 && fwrite(bytes, size, 1, file) != 1) || fclose(file) != 0) {
        perror(import_path);
        exit(1);
    }
    memset(import_message, '?', sizeof import_message);
    acre_result result;
    if (way != IMPORT_HERE) {
        const import_sandbox_def def = {.seconds = way == IMPORT_BRIEFLY ? 1 : 120,
                                        .allocator = allocator};
        result = import_sandbox_file(import_path, &def, out, import_message, sizeof import_message);
    } else {
        result =
            acre_import_file(import_path, allocator, out, import_message, sizeof import_message);
    }
    remove(import_path);
    return result;
}

acre_result import_text(import_way way, const char *name, const char *text, acre_import_model **out)
{
    return import_bytes(way, name, text, strlen(text), NULL, out);
}

static void *checked(void *block)
{
    if (block == NULL) {
        perror("test memory");
        exit(1);
    }
    return block;
}

static unsigned char *put(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        *at++ = (unsigned char)(value >> (8 * i));
    }
    return at;
}

unsigned char *glb_make(const char *json, const void *binary, size_t binary_size, size_t *size)
{
    const size_t json_size = strlen(json);
    const size_t json_padded = (json_size + 3) / 4 * 4;
    const size_t binary_padded = (binary_size + 3) / 4 * 4;
    *size = 12 + 8 + json_padded + (binary_size > 0 ? 8 + binary_padded : 0);
    unsigned char *const bytes = checked(calloc(1, *size));
    unsigned char *at = put(put(put(bytes, 0x46546c67), 2), (uint32_t)*size);
    at = put(put(at, (uint32_t)json_padded), 0x4e4f534a);
    memset(at, ' ', json_padded);
    memcpy(at, json, json_size);
    at += json_padded;
    if (binary_size > 0) {
        at = put(put(at, (uint32_t)binary_padded), 0x004e4942);
        memcpy(at, binary, binary_size);
    }
    return bytes;
}

char *triangle_json(const char *nodes)
{
    static const char head[] = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,"
                               "\"scenes\":[{\"nodes\":[0]}],\"nodes\":";
    static const char tail[] =
        ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[1,2,0]},"
        "{\"bufferView\":1,\"componentType\":5125,\"count\":3,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36},"
        "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12}],\"buffers\":[{\"byteLength\":48}]}";
    const size_t length = strlen(nodes);
    char *const json = checked(malloc(sizeof head + sizeof tail + length));
    memcpy(json, head, sizeof head - 1);
    memcpy(json + sizeof head - 1, nodes, length);
    memcpy(json + sizeof head - 1 + length, tail, sizeof tail);
    return json;
}

unsigned char *triangle_glb(const char *nodes, const float *points, const uint32_t *indices,
                            size_t *size)
{
    static const uint32_t in_order[3] = {0, 1, 2};
    unsigned char binary[48];
    unsigned char *at = binary;
    for (int i = 0; i < 9; i++) {
        uint32_t bits;
        memcpy(&bits, (points != NULL ? points : triangle_points) + i, sizeof bits);
        at = put(at, bits);
    }
    for (int i = 0; i < 3; i++) {
        at = put(at, (indices != NULL ? indices : in_order)[i]);
    }
    char *const json = triangle_json(nodes);
    unsigned char *const bytes = glb_make(json, binary, sizeof binary, size);
    free(json);
    return bytes;
}

static bool indices_are_below(const uint32_t *indices, uint64_t count, uint32_t limit)
{
    for (uint64_t i = 0; i < count; i++) {
        if (indices[i] >= limit) {
            return false;
        }
    }
    return true;
}

static const char *mesh_fault(const acre_import_mesh *mesh)
{
    acre_aabb box = acre_aabb_empty();
    for (uint64_t i = 0; i < 3 * (uint64_t)mesh->point_count; i++) {
        const float value = mesh->points[i];
        if (!isfinite(value)) {
            return "a position is not finite";
        }
        box.min[i % 3] = fminf(box.min[i % 3], value);
        box.max[i % 3] = fmaxf(box.max[i % 3], value);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (box.min[axis] != mesh->bounds.min[axis] || box.max[axis] != mesh->bounds.max[axis]) {
            return "a mesh's box is not that of its points";
        }
    }
    if ((mesh->triangles != NULL) != (mesh->triangle_count > 0) ||
        (mesh->lines != NULL) != (mesh->line_count > 0)) {
        return "an array without elements";
    }
    if (!indices_are_below(mesh->triangles, 3 * (uint64_t)mesh->triangle_count,
                           mesh->point_count) ||
        !indices_are_below(mesh->lines, 2 * (uint64_t)mesh->line_count, mesh->point_count)) {
        return "an index is out of range";
    }
    return NULL;
}

static const char *node_fault(const acre_import_model *model, uint32_t index)
{
    const acre_import_node *node = &model->nodes[index];
    if (node->parent != ACRE_IMPORT_NO_PARENT && node->parent >= index) {
        return "a parent does not stand before its child";
    }
    if (node->name == NULL || strlen(node->name) > model->byte_size) {
        return "a name is missing";
    }
    for (int i = 0; i < 16; i++) {
        if (!isfinite(node->local[i]) ||
            (i % 4 == 3 && node->local[i] != (i == 15 ? 1.0f : 0.0f))) {
            return "a matrix is not finite and affine";
        }
    }
    acre_aabb box = acre_aabb_empty();
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const uint32_t mesh = model->node_meshes[node->first_mesh + i];
        if (mesh >= model->mesh_count) {
            return "a node's mesh is out of range";
        }
        box = acre_aabb_merge(&box, &model->meshes[mesh].bounds);
    }
    return memcmp(&box, &node->bounds, sizeof box) == 0 ? NULL : "a node's box is not its meshes'";
}

const char *model_fault(const acre_import_model *model)
{
    if (model == NULL || model->node_count == 0) {
        return "there is no node";
    }
    uint64_t points = 0, triangles = 0, lines = 0, node_meshes = 0;
    const char *fault = NULL;
    for (uint32_t i = 0; fault == NULL && i < model->mesh_count; i++) {
        fault = mesh_fault(&model->meshes[i]);
        points += model->meshes[i].point_count;
        triangles += model->meshes[i].triangle_count;
        lines += model->meshes[i].line_count;
    }
    for (uint32_t i = 0; fault == NULL && i < model->node_count; i++) {
        if (model->nodes[i].first_mesh != node_meshes) {
            return "ranges of meshes have gaps";
        }
        node_meshes += model->nodes[i].mesh_count;
        fault = node_fault(model, i);
    }
    if (fault == NULL && (points != model->point_total || triangles != model->triangle_total ||
                          lines != model->line_total || node_meshes != model->node_mesh_count)) {
        fault = "a total is not the sum";
    }
    return fault;
}

bool refusal_is_told(const acre_import_model *model)
{
    const size_t length = strlen(import_path);
    return model == NULL && memchr(import_message, '\0', sizeof import_message) != NULL &&
           strncmp(import_message, import_path, length) == 0 &&
           strncmp(import_message + length, ": ", 2) == 0 && strlen(import_message) > length + 8;
}

uint32_t model_node(const acre_import_model *model, const char *name)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (strcmp(model->nodes[i].name, name) == 0) {
            if (found != UINT32_MAX) {
                return UINT32_MAX;
            }
            found = i;
        }
    }
    return found;
}

void node_world(const acre_import_model *model, uint32_t node, double *world)
{
    for (int i = 0; i < 16; i++) {
        world[i] = i % 5 == 0;
    }
    for (uint32_t at = node; at != ACRE_IMPORT_NO_PARENT; at = model->nodes[at].parent) {
        double product[16];
        for (int i = 0; i < 16; i++) {
            product[i] = 0;
            for (int k = 0; k < 4; k++) {
                product[i] += (double)model->nodes[at].local[4 * k + i % 4] * world[i / 4 * 4 + k];
            }
        }
        memcpy(world, product, sizeof product);
    }
}
