// SPDX-License-Identifier: MIT
// gltf_accessor.c - accessors: numbers of any type, interleaved, normalized, sparse, or zeros.
#include "assert_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

/// @return the bytes of a component; 0: there is no such type
static uint32_t component_size(uint64_t type)
{
    switch (type) {
    case GLTF_BYTE:
    case GLTF_UNSIGNED_BYTE:
        return 1;
    case GLTF_SHORT:
    case GLTF_UNSIGNED_SHORT:
        return 2;
    case GLTF_UNSIGNED_INT:
    case GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static uint32_t component_count(const char *type)
{
    static const struct {
        const char *name;
        uint32_t count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, type) == 0) {
            return types[i].count;
        }
    }
    return 0;
}

/// Finds count elements of this size behind the byteOffset of json in the buffer view that it
/// names.
static bool find_elements(gltf_file *file, const char *place, const cJSON *json, uint64_t count,
                          uint32_t size, gltf_accessor *out)
{
    gltf_bytes view;
    uint64_t offset, stride;
    if (!acre_gltf_view(file, place, acre_gltf_member(json, "bufferView"), &view, &stride) ||
        !acre_gltf_number(file, place, json, "byteOffset", 0, &offset)) {
        return false;
    }
    stride = stride == 0 ? size : stride;
    if (stride < size || stride > 65536) {
        return acre_gltf_refuse(file, place, "its elements of %u bytes have a stride of %llu",
                                (unsigned)size, (unsigned long long)stride);
    }
    if (count > 0 && (offset > view.size || view.size - offset < size ||
                      (view.size - offset - size) / stride < count - 1)) {
        return acre_gltf_refuse(file, place,
                                "its %llu elements pass the end of its buffer view of %llu bytes",
                                (unsigned long long)count, (unsigned long long)view.size);
    }
    out->bytes = count > 0 ? view.start + offset : NULL;
    out->stride = stride;
    return true;
}

static bool find_sparse(gltf_file *file, const char *place, const cJSON *sparse, uint32_t size,
                        gltf_accessor *out)
{
    const cJSON *const indices = acre_gltf_member(sparse, "indices");
    const cJSON *const values = acre_gltf_member(sparse, "values");
    uint64_t count, type;
    if (!acre_gltf_number(file, place, sparse, "count", 0, &count) ||
        !acre_gltf_number(file, place, indices, "componentType", 0, &type)) {
        return false;
    }
    if (acre_gltf_member(indices, "bufferView") == NULL ||
        acre_gltf_member(values, "bufferView") == NULL ||
        (type != GLTF_UNSIGNED_BYTE && type != GLTF_UNSIGNED_SHORT && type != GLTF_UNSIGNED_INT)) {
        return acre_gltf_refuse(file, place, "its sparse part has no indices or no values");
    }
    gltf_accessor numbers = {.type = (int)type, .components = 1}, replaced = {0};
    if (!find_elements(file, place, indices, count, component_size(type), &numbers) ||
        !find_elements(file, place, values, count, size, &replaced)) {
        return false;
    }
    if (count > out->count || numbers.stride != component_size(type) || replaced.stride != size) {
        return acre_gltf_refuse(file, place, "its sparse part has a count or stride of no use");
    }
    out->sparse_count = (uint32_t)count;
    out->sparse_type = (int)type;
    out->sparse_numbers = numbers.bytes;
    out->sparse_values = replaced.bytes;
    return true;
}

static uint32_t whole_component(const unsigned char *at, int type)
{
    switch (type) {
    case GLTF_UNSIGNED_BYTE:
        return at[0];
    case GLTF_UNSIGNED_SHORT:
        return (uint32_t)at[0] | (uint32_t)at[1] << 8;
    default:
        return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
               (uint32_t)at[3] << 24;
    }
}

/// Whether every element that is replaced is there.
static bool check_sparse(gltf_file *file, const char *place, const gltf_accessor *accessor)
{
    const uint32_t size = component_size((uint64_t)accessor->sparse_type);
    for (uint32_t i = 0; i < accessor->sparse_count; i++) {
        const uint32_t element =
            whole_component(accessor->sparse_numbers + (size_t)i * size, accessor->sparse_type);
        if (element >= accessor->count) {
            return acre_gltf_refuse(file, place, "its sparse part replaces element %lu of %lu",
                                    (unsigned long)element, (unsigned long)accessor->count);
        }
    }
    return true;
}

bool acre_gltf_find_accessor(gltf_file *file, const char *place, const cJSON *number,
                             gltf_accessor *out)
{
    uint32_t index;
    uint64_t type, count;
    *out = (gltf_accessor){0};
    if (!acre_gltf_reference(file, place, number, GLTF_ACCESSORS, &index)) {
        return false;
    }
    if (index == GLTF_NONE) {
        return acre_gltf_refuse(file, place, "it is missing");
    }
    const gltf_place here = acre_gltf_at("%s: accessors[%u]", place, (unsigned)index);
    const cJSON *const json = acre_gltf_item(file, GLTF_ACCESSORS, index);
    if (!acre_gltf_number(file, here.text, json, "componentType", 0, &type) ||
        !acre_gltf_number(file, here.text, json, "count", 0, &count)) {
        return false;
    }
    out->components = component_count(acre_gltf_text(json, "type"));
    const uint32_t size = component_size(type) * out->components;
    if (size == 0) {
        return acre_gltf_refuse(file, here.text, "there is no such type");
    }
    if (count > INT32_MAX) {
        return acre_gltf_refuse(file, here.text, "it has %llu elements", (unsigned long long)count);
    }
    out->type = (int)type;
    out->count = (uint32_t)count;
    out->is_normalized = cJSON_IsTrue(acre_gltf_member(json, "normalized"));
    if (acre_gltf_member(json, "bufferView") != NULL) {
        if (!find_elements(file, here.text, json, count, size, out)) {
            return false;
        }
    } else if (!acre_gltf_spend(file, here.text, count, size)) {
        return false;
    }
    const cJSON *const sparse = acre_gltf_member(json, "sparse");
    return sparse == NULL ||
           (find_sparse(file, here.text, sparse, size, out) && check_sparse(file, here.text, out));
}

static float float_component(const unsigned char *at, int type, bool is_normalized)
{
    const uint32_t whole = whole_component(at, type == GLTF_BYTE    ? GLTF_UNSIGNED_BYTE
                                               : type == GLTF_SHORT ? GLTF_UNSIGNED_SHORT
                                                                    : type);
    if (type == GLTF_FLOAT) {
        return float_of_bits(whole);
    }
    float value = (float)whole, largest = 1.0f;
    switch (type) {
    case GLTF_BYTE:
        value = whole < 128 ? value : value - 256.0f;
        largest = 127.0f;
        break;
    case GLTF_SHORT:
        value = whole < 32768 ? value : value - 65536.0f;
        largest = 32767.0f;
        break;
    case GLTF_UNSIGNED_BYTE:
        largest = 255.0f;
        break;
    case GLTF_UNSIGNED_SHORT:
        largest = 65535.0f;
        break;
    default:
        return value; // whole numbers of 32 bits are never normalized
    }
    if (!is_normalized) {
        return value;
    }
    return value < -largest ? -1.0f : value / largest;
}

static void read_element(const gltf_accessor *accessor, const unsigned char *at, float *out)
{
    const uint32_t size = component_size((uint64_t)accessor->type);
    for (uint32_t i = 0; i < accessor->components; i++) {
        out[i] = at != NULL ? float_component(at + (size_t)i * size, accessor->type,
                                              accessor->is_normalized)
                            : 0.0f;
    }
}

void acre_gltf_read_floats(const gltf_accessor *accessor, float *out)
{
    const unsigned char *at = accessor->bytes;
    for (uint32_t i = 0; i < accessor->count; i++) {
        read_element(accessor, at != NULL ? at + (size_t)i * accessor->stride : NULL,
                     out + (size_t)i * accessor->components);
    }
    const uint32_t size = component_size((uint64_t)accessor->type) * accessor->components;
    const uint32_t number_size = component_size((uint64_t)accessor->sparse_type);
    for (uint32_t i = 0; i < accessor->sparse_count; i++) {
        const uint32_t element = whole_component(accessor->sparse_numbers + (size_t)i * number_size,
                                                 accessor->sparse_type);
        ACRE_INVARIANT(element < accessor->count); // check_sparse
        read_element(accessor, accessor->sparse_values + (size_t)i * size,
                     out + (size_t)element * accessor->components);
    }
}

bool acre_gltf_is_unsigned(const gltf_accessor *accessor)
{
    return accessor->type == GLTF_UNSIGNED_BYTE || accessor->type == GLTF_UNSIGNED_SHORT ||
           accessor->type == GLTF_UNSIGNED_INT;
}

void acre_gltf_read_numbers(const gltf_accessor *accessor, uint32_t *out)
{
    ACRE_INVARIANT(acre_gltf_is_unsigned(accessor));
    const uint32_t size = component_size((uint64_t)accessor->type);
    const uint32_t number_size = component_size((uint64_t)accessor->sparse_type);
    for (uint64_t i = 0; i < (uint64_t)accessor->count * accessor->components; i++) {
        const uint64_t element = i / accessor->components, part = i % accessor->components;
        out[i] = accessor->bytes != NULL
                     ? whole_component(accessor->bytes + element * accessor->stride + part * size,
                                       accessor->type)
                     : 0;
    }
    for (uint64_t i = 0; i < (uint64_t)accessor->sparse_count * accessor->components; i++) {
        const uint64_t row = i / accessor->components, part = i % accessor->components;
        const uint32_t element =
            whole_component(accessor->sparse_numbers + row * number_size, accessor->sparse_type);
        ACRE_INVARIANT(element < accessor->count); // check_sparse
        out[(uint64_t)element * accessor->components + part] =
            whole_component(accessor->sparse_values + i * size, accessor->type);
    }
}
