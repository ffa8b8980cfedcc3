// SPDX-License-Identifier: MIT
// gltf_meshopt.c - EXT_meshopt_compression: buffer views that meshoptimizer has compressed.
//
// Its functions assert what they ask of their arguments, so that everything is checked before.
// Where Acre is built without the library, files that need it are refused by name.
#include "gltf_internal.h"

#if defined(ACRE_IMPORT_MESHOPT)
#include <meshoptimizer.h>

typedef int decode_function(void *out, size_t count, size_t stride, const unsigned char *packed,
                            size_t size);
typedef void filter_function(void *out, size_t count, size_t stride);

/// What may be asked for.
typedef struct packed_form {
    const char *mode, *filter;
    uint64_t strides[2]; ///< these alone; 0, 0: multiples of 4 up to 256
    uint64_t multiple;   ///< of the count
    decode_function *decode;
    filter_function *apply; ///< may be NULL
} packed_form;

static const packed_form forms[] = {
    {"ATTRIBUTES", "NONE", {0, 0}, 1, meshopt_decodeVertexBuffer, NULL},
    {"ATTRIBUTES", "OCTAHEDRAL", {4, 8}, 1, meshopt_decodeVertexBuffer, meshopt_decodeFilterOct},
    {"ATTRIBUTES", "QUATERNION", {8, 8}, 1, meshopt_decodeVertexBuffer, meshopt_decodeFilterQuat},
    {"ATTRIBUTES", "EXPONENTIAL", {0, 0}, 1, meshopt_decodeVertexBuffer, meshopt_decodeFilterExp},
    {"TRIANGLES", "NONE", {2, 4}, 3, meshopt_decodeIndexBuffer, NULL},
    {"INDICES", "NONE", {2, 4}, 1, meshopt_decodeIndexSequence, NULL}};

static const packed_form *find_form(gltf_file *file, const cJSON *compression, uint64_t count,
                                    uint64_t stride)
{
    const char *const mode = acre_gltf_text(file, compression, "mode");
    const char *filter = acre_gltf_text(file, compression, "filter");
    filter = filter != NULL ? filter : "NONE";
    for (size_t i = 0; mode != NULL && i < sizeof forms / sizeof *forms; i++) {
        const packed_form *const form = &forms[i];
        const bool is_stride = form->strides[0] == 0
                                   ? stride > 0 && stride <= 256 && stride % 4 == 0
                                   : stride == form->strides[0] || stride == form->strides[1];
        if (strcmp(form->mode, mode) == 0 && strcmp(form->filter, filter) == 0) {
            return is_stride && count % form->multiple == 0 ? form : NULL;
        }
    }
    return NULL;
}

gltf_bytes acre_gltf_decompress(gltf_file *file, const cJSON *compression, gltf_bytes packed)
{
    const uint64_t count = acre_gltf_number(file, compression, "count");
    const uint64_t stride = acre_gltf_number(file, compression, "byteStride");
    const packed_form *const form = find_form(file, compression, count, stride);
    if (form == NULL) {
        acre_gltf_refuse(file, GLTF_COMPRESSION " has no such mode, filter, stride or count");
    }
    unsigned char *const out = form != NULL ? acre_gltf_take(file, count, (size_t)stride) : NULL;
    if (out == NULL) {
        return (gltf_bytes){NULL, 0};
    }
    if (form->decode(out, (size_t)count, (size_t)stride, packed.start, (size_t)packed.size) != 0) {
        acre_gltf_refuse(file, GLTF_COMPRESSION " does not decompress");
    } else if (form->apply != NULL) {
        form->apply(out, (size_t)count, (size_t)stride);
    }
    return (gltf_bytes){out, count * stride};
}

#else

gltf_bytes acre_gltf_decompress(gltf_file *file, const cJSON *compression, gltf_bytes packed)
{
    (void)compression;
    (void)packed;
    acre_gltf_refuse(file,
                     GLTF_COMPRESSION " needs meshoptimizer, which this copy is built without");
    return (gltf_bytes){NULL, 0};
}

#endif
