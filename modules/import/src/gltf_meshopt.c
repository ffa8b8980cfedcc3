// SPDX-License-Identifier: MIT
// gltf_meshopt.c - EXT_meshopt_compression: buffer views that meshoptimizer has compressed.
//
// Its functions assert what they ask of their arguments, so that everything is checked before.
// Where Acre is built without the library, files that need it are refused by name.
#include "gltf_internal.h"

#if defined(ACRE_IMPORT_MESHOPT)
#include <meshoptimizer.h>

typedef struct compressed_view {
    gltf_bytes packed;
    size_t count;
    size_t stride;
    unsigned char *out;
} compressed_view;

static int decode(const char *mode, const compressed_view *view)
{
    if (strcmp(mode, "ATTRIBUTES") == 0) {
        return meshopt_decodeVertexBuffer(view->out, view->count, view->stride, view->packed.start,
                                          (size_t)view->packed.size);
    }
    if (strcmp(mode, "TRIANGLES") == 0) {
        return meshopt_decodeIndexBuffer(view->out, view->count, view->stride, view->packed.start,
                                         (size_t)view->packed.size);
    }
    return meshopt_decodeIndexSequence(view->out, view->count, view->stride, view->packed.start,
                                       (size_t)view->packed.size);
}

static void apply_filter(const char *filter, const compressed_view *view)
{
    if (strcmp(filter, "OCTAHEDRAL") == 0) {
        meshopt_decodeFilterOct(view->out, view->count, view->stride);
    } else if (strcmp(filter, "QUATERNION") == 0) {
        meshopt_decodeFilterQuat(view->out, view->count, view->stride);
    } else if (strcmp(filter, "EXPONENTIAL") == 0) {
        meshopt_decodeFilterExp(view->out, view->count, view->stride);
    }
}

/// Whether the library takes these arguments.
static bool is_sound(const char *mode, const char *filter, uint64_t count, uint64_t stride)
{
    const bool is_vertices = strcmp(mode, "ATTRIBUTES") == 0;
    const bool is_triangles = strcmp(mode, "TRIANGLES") == 0;
    if (!is_vertices && !is_triangles && strcmp(mode, "INDICES") != 0) {
        return false;
    }
    if (!is_vertices) {
        return (stride == 2 || stride == 4) && (!is_triangles || count % 3 == 0) &&
               strcmp(filter, "NONE") == 0;
    }
    const bool is_stride = stride > 0 && stride <= 256 && stride % 4 == 0;
    if (strcmp(filter, "OCTAHEDRAL") == 0) {
        return stride == 4 || stride == 8;
    }
    if (strcmp(filter, "QUATERNION") == 0) {
        return stride == 8;
    }
    return is_stride && (strcmp(filter, "NONE") == 0 || strcmp(filter, "EXPONENTIAL") == 0);
}

bool acre_gltf_decompress(gltf_file *file, const char *place, const cJSON *compression,
                          gltf_bytes packed, gltf_bytes *out)
{
    uint64_t count, stride;
    if (!acre_gltf_number(file, place, compression, "count", 0, &count) ||
        !acre_gltf_number(file, place, compression, "byteStride", 0, &stride)) {
        return false;
    }
    const char *const mode = acre_gltf_text(compression, "mode");
    const char *filter = acre_gltf_text(compression, "filter");
    filter = filter != NULL ? filter : "NONE";
    if (mode == NULL || !is_sound(mode, filter, count, stride)) {
        return acre_gltf_refuse(file, place,
                                GLTF_COMPRESSION " has no such mode, filter or stride");
    }
    if (!acre_gltf_spend(file, place, count, (size_t)stride)) {
        return false;
    }
    compressed_view view = {.packed = packed, .count = (size_t)count, .stride = (size_t)stride};
    view.out = acre_gltf_take(file, count, (size_t)stride);
    if (view.out == NULL) {
        return false;
    }
    if (decode(mode, &view) != 0) {
        return acre_gltf_refuse(file, place, GLTF_COMPRESSION " does not decompress");
    }
    apply_filter(filter, &view);
    *out = (gltf_bytes){view.out, count * stride};
    return true;
}

bool acre_gltf_can_decompress(void)
{
    return true;
}

#else

bool acre_gltf_decompress(gltf_file *file, const char *place, const cJSON *compression,
                          gltf_bytes packed, gltf_bytes *out)
{
    (void)compression;
    (void)packed;
    (void)out;
    return acre_gltf_refuse(
        file, place, GLTF_COMPRESSION " needs meshoptimizer, which this copy is built without");
}

bool acre_gltf_can_decompress(void)
{
    return false;
}

#endif
