// SPDX-License-Identifier: MIT
// gltf_accessor.c - accessors: numbers of any type, interleaved, normalized, sparse, or zeros.
#include "assert_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

/// The types of components, as the format numbers them.
enum {
    BYTE = 5120,
    UNSIGNED_BYTE = 5121,
    SHORT = 5122,
    UNSIGNED_SHORT = 5123,
    UNSIGNED_INT = 5125,
    FLOAT = 5126
};

/// @return the bytes of a component; 0: there is no such type
static uint32_t component_size(uint64_t type)
{
    static const uint32_t sizes[] = {1, 1, 2, 2, 0, 4, 4};
    return type >= BYTE && type <= FLOAT ? sizes[type - BYTE] : 0;
}

static uint32_t component_count(const char *type)
{
    static const struct {
        const char *name;
        uint32_t count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, type) == 0) {
            return types[i].count;
        }
    }
    return 0;
}

static bool is_unsigned(uint64_t type)
{
    return type == UNSIGNED_BYTE || type == UNSIGNED_SHORT || type == UNSIGNED_INT;
}

/// The elements of this size behind the byteOffset of json in the buffer view that it names.
static gltf_bytes find_elements(gltf_file *file, const cJSON *json, uint64_t count, uint32_t size,
                                uint64_t *stride)
{
    const gltf_bytes view = acre_gltf_view(file, acre_gltf_member(json, "bufferView"), stride);
    const uint64_t offset = acre_gltf_number(file, json, "byteOffset");
    *stride = *stride == 0 ? size : *stride;
    if (*stride < size || *stride > 65536) {
        acre_gltf_refuse(file, "its elements of %u bytes have a stride of %llu", (unsigned)size,
                         (unsigned long long)*stride);
    } else if (count > 0 && (offset > view.size || view.size - offset < size ||
                             (view.size - offset - size) / *stride < count - 1)) {
        acre_gltf_refuse(file, "its %llu elements pass the end of its buffer view of %llu bytes",
                         (unsigned long long)count, (unsigned long long)view.size);
    }
    return file->result == ACRE_OK && count > 0
               ? (gltf_bytes){view.start + offset, view.size - offset}
               : (gltf_bytes){NULL, 0};
}

static uint32_t whole_component(const unsigned char *at, int type)
{
    switch (component_size((uint64_t)type)) {
    case 1:
        return at[0];
    case 2:
        return (uint32_t)at[0] | (uint32_t)at[1] << 8;
    default:
        return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
               (uint32_t)at[3] << 24;
    }
}

static uint32_t sparse_element(const gltf_accessor *accessor, uint32_t row)
{
    const size_t size = component_size((uint64_t)accessor->sparse_type);
    return whole_component(accessor->sparse_numbers + row * size, accessor->sparse_type);
}

/// Finds the elements that are replaced, and makes sure that they are there.
static void find_sparse(gltf_file *file, const cJSON *sparse, uint32_t size, gltf_accessor *out)
{
    const cJSON *const numbers = acre_gltf_member(sparse, "indices");
    const cJSON *const values = acre_gltf_member(sparse, "values");
    const uint64_t count = acre_gltf_number(file, sparse, "count");
    const uint64_t type = acre_gltf_number(file, numbers, "componentType");
    uint64_t number_stride = 0, value_stride = 0;
    if (count > out->count || !is_unsigned(type)) {
        acre_gltf_refuse(file, "its sparse part has no such count or type");
        return;
    }
    out->sparse_type = (int)type;
    out->sparse_numbers =
        find_elements(file, numbers, count, component_size(type), &number_stride).start;
    out->sparse_values = find_elements(file, values, count, size, &value_stride).start;
    if (number_stride != component_size(type) || value_stride != size) {
        acre_gltf_refuse(file, "its sparse part has a stride");
    }
    if (file->result == ACRE_OK) {
        out->sparse_count = (uint32_t)count;
    }
    for (uint32_t i = 0; i < out->sparse_count; i++) {
        if (sparse_element(out, i) >= out->count) {
            acre_gltf_refuse(file, "its sparse part replaces element %lu of %lu",
                             (unsigned long)sparse_element(out, i), (unsigned long)out->count);
        }
    }
}

static gltf_accessor open_accessor(gltf_file *file, const cJSON *json, uint32_t components,
                                   gltf_kind kind)
{
    const uint64_t type = acre_gltf_number(file, json, "componentType");
    const uint64_t count = acre_gltf_number(file, json, "count");
    const uint32_t size = component_size(type) * components;
    const uint32_t most = UINT32_MAX / 4; // a key of a spline has three values
    if (size == 0 || component_count(acre_gltf_text(json, "type")) != components ||
        (kind == GLTF_NUMBERS ? !is_unsigned(type) : type == UNSIGNED_INT) || count > most) {
        acre_gltf_refuse(file, "its type or count is not that of %u %s", (unsigned)components,
                         kind == GLTF_NUMBERS ? "whole numbers" : "floats");
        return (gltf_accessor){.count = 0};
    }
    gltf_accessor made = {.count = (uint32_t)count, .components = components, .type = (int)type};
    made.is_normalized = cJSON_IsTrue(acre_gltf_member(json, "normalized"));
    if (acre_gltf_member(json, "bufferView") != NULL) {
        made.bytes = find_elements(file, json, count, size, &made.stride);
    } else {
        acre_gltf_spend(file, count, size);
    }
    if (acre_gltf_member(json, "sparse") != NULL) {
        find_sparse(file, acre_gltf_member(json, "sparse"), size, &made);
    }
    return file->result == ACRE_OK ? made : (gltf_accessor){.count = 0};
}

gltf_accessor acre_gltf_find_accessor(gltf_file *file, const cJSON *number, const char *name,
                                      uint32_t components, gltf_kind kind)
{
    gltf_accessor made = {.count = 0};
    const gltf_place place = file->place;
    acre_gltf_at(file, "%.64s.%.16s", place.text, name);
    const uint32_t index = acre_gltf_reference(file, number, GLTF_ACCESSORS);
    if (index == GLTF_NONE) {
        acre_gltf_refuse(file, "it is missing");
    } else {
        acre_gltf_at(file, "%.56s.%.16s: accessors[%u]", place.text, name, (unsigned)index);
        made = open_accessor(file, acre_gltf_item(file, GLTF_ACCESSORS, index), components, kind);
    }
    file->place = place;
    return made;
}

static float float_component(const unsigned char *at, int type, bool is_normalized)
{
    static const float largest[] = {127.0f, 255.0f, 32767.0f, 65535.0f};
    const uint32_t whole = whole_component(at, type);
    if (type == FLOAT) {
        return float_of_bits(whole);
    }
    float value = (float)whole;
    if (type == BYTE && whole > 127) {
        value -= 256.0f;
    } else if (type == SHORT && whole > 32767) {
        value -= 65536.0f;
    }
    if (!is_normalized) {
        return value;
    }
    ACRE_INVARIANT(type <= UNSIGNED_SHORT); // open_accessor takes no floats of 32 whole bits
    value /= largest[type - BYTE];
    return value < -1.0f ? -1.0f : value;
}

/// The bytes of an element; NULL: it is a zero.
static const unsigned char *element_at(const gltf_accessor *accessor, uint64_t element)
{
    return accessor->bytes.start != NULL ? accessor->bytes.start + element * accessor->stride
                                         : NULL;
}

static void read_element(const gltf_accessor *accessor, const unsigned char *at, float *out)
{
    const uint32_t size = component_size((uint64_t)accessor->type);
    for (uint32_t i = 0; i < accessor->components; i++) {
        out[i] = at == NULL ? 0.0f
                            : float_component(at + (size_t)i * size, accessor->type,
                                              accessor->is_normalized);
    }
}

void acre_gltf_read_floats(const gltf_accessor *accessor, float *out)
{
    const size_t width = accessor->components;
    for (uint32_t i = 0; i < accessor->count; i++) {
        read_element(accessor, element_at(accessor, i), out + i * width);
    }
    for (uint32_t i = 0; i < accessor->sparse_count; i++) {
        const size_t size = width * component_size((uint64_t)accessor->type);
        ACRE_INVARIANT(sparse_element(accessor, i) < accessor->count); // find_sparse
        read_element(accessor, accessor->sparse_values + i * size,
                     out + sparse_element(accessor, i) * width);
    }
}

void acre_gltf_read_numbers(const gltf_accessor *accessor, uint32_t *out)
{
    const size_t width = accessor->components, size = component_size((uint64_t)accessor->type);
    for (size_t i = 0; i < accessor->count * width; i++) {
        const unsigned char *const at = element_at(accessor, i / width);
        out[i] = at == NULL ? 0 : whole_component(at + i % width * size, accessor->type);
    }
    for (size_t i = 0; i < accessor->sparse_count * width; i++) {
        const uint32_t element = sparse_element(accessor, (uint32_t)(i / width));
        ACRE_INVARIANT(element < accessor->count); // find_sparse
        out[element * width + i % width] =
            whole_component(accessor->sparse_values + i * size, accessor->type);
    }
}

float *acre_gltf_take_floats(gltf_file *file, const cJSON *number, const char *name,
                             uint32_t components, uint32_t *count)
{
    const gltf_accessor accessor =
        acre_gltf_find_accessor(file, number, name, components, GLTF_FLOATS);
    if (*count != GLTF_NONE && accessor.count != *count) {
        acre_gltf_refuse(file, "%.24s has %u elements instead of %u", name,
                         (unsigned)accessor.count, (unsigned)*count);
    }
    *count = accessor.count;
    const size_t size = components * sizeof(float);
    float *const out = acre_gltf_spend(file, accessor.count, size)
                           ? acre_gltf_take(file, accessor.count, size)
                           : NULL;
    if (out != NULL) {
        acre_gltf_read_floats(&accessor, out);
    }
    for (uint32_t i = 0; out != NULL && i < accessor.count; i++) {
        if (!floats_are_finite(out + (size_t)i * components, (int)components)) {
            acre_gltf_refuse(file, "element %u of %.24s is not finite", (unsigned)i, name);
        }
    }
    return file->result == ACRE_OK ? out : NULL;
}
