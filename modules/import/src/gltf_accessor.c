// SPDX-License-Identifier: MIT
// gltf_accessor.c - accessors: numbers of any type, interleaved, normalized, sparse, or zeros.
#include "assert_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

/// The types of components, as the format numbers them.
enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT = 5125, FLOAT };

/// Elements in a buffer view.
typedef struct elements {
    const unsigned char *start; ///< NULL: zeros
    uint64_t stride;
    uint64_t type; ///< of a component
    uint32_t components;
    bool is_normalized;
} elements;

/// @return the bytes of a component; 0: there is no such type
static uint32_t component_size(uint64_t type)
{
    static const uint32_t sizes[] = {1, 1, 2, 2, 0, 4, 4};
    return type >= BYTE && type <= FLOAT ? sizes[type - BYTE] : 0;
}

static bool is_unsigned(uint64_t type)
{
    return type == UNSIGNED_BYTE || type == UNSIGNED_SHORT || type == UNSIGNED_INT;
}

/// The name of the type of an accessor with so many components.
static const char *type_name(uint32_t components)
{
    static const char *const names[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return components == 16 ? "MAT4" : names[components];
}

/// Finds so many elements behind the byteOffset of json in the buffer view that it names.
static void find_elements(gltf_file *file, const cJSON *json, uint64_t count, elements *out)
{
    const gltf_bytes view =
        acre_gltf_view(file, acre_gltf_member(file, json, "bufferView"), &out->stride);
    const uint64_t offset = acre_gltf_number(file, json, "byteOffset");
    const uint32_t size = component_size(out->type) * out->components;
    out->stride = out->stride == 0 ? size : out->stride;
    if (out->stride < size || out->stride > 65536) {
        acre_gltf_refuse(file, "its elements of %u bytes have a stride of %llu", (unsigned)size,
                         (unsigned long long)out->stride);
    } else if (count > 0 && (offset > view.size || view.size - offset < size ||
                             (view.size - offset - size) / out->stride < count - 1)) {
        acre_gltf_refuse(file, "its %llu elements pass the end of its buffer view of %llu bytes",
                         (unsigned long long)count, (unsigned long long)view.size);
    }
    out->start = file->result == ACRE_OK && count > 0 ? view.start + offset : NULL;
}

static double component(const unsigned char *at, uint64_t type, bool is_normalized)
{
    static const double largest[] = {127.0, 255.0, 32767.0, 65535.0};
    const uint32_t bits = gltf_word(at, component_size(type));
    if (type == FLOAT) {
        return (double)float_of_bits(bits);
    }
    const double value = type == BYTE    ? (double)(int8_t)bits
                         : type == SHORT ? (double)(int16_t)bits
                                         : (double)bits;
    if (!is_normalized || type > UNSIGNED_SHORT) {
        return value;
    }
    return value < -largest[type - BYTE] ? -1.0 : value / largest[type - BYTE];
}

/// Reads an element to its place among others.
static void read_element(const elements *from, uint64_t element, gltf_kind kind, void *out,
                         uint64_t place)
{
    const unsigned char *const at = from->start + element * from->stride;
    const size_t size = component_size(from->type), width = from->components;
    for (size_t i = 0; i < width; i++) {
        const double value = component(at + i * size, from->type, from->is_normalized);
        if (kind == GLTF_FLOATS) {
            ((float *)out)[place * width + i] = (float)value;
        } else {
            ((uint32_t *)out)[place * width + i] = (uint32_t)value;
        }
    }
}

/// Replaces elements by others, once it is sure that they are there.
static void read_sparse(gltf_file *file, const cJSON *sparse, uint32_t count, elements values,
                        gltf_kind kind, void *out)
{
    const cJSON *const json = acre_gltf_member(file, sparse, "indices");
    const uint64_t changes = acre_gltf_number(file, sparse, "count");
    elements places = {.type = acre_gltf_number(file, json, "componentType"), .components = 1};
    if (changes > count || !is_unsigned(places.type)) {
        acre_gltf_refuse(file, "its sparse part has no such count or type");
        return;
    }
    find_elements(file, json, changes, &places);
    find_elements(file, acre_gltf_member(file, sparse, "values"), changes, &values);
    if (places.stride != component_size(places.type) ||
        values.stride != component_size(values.type) * values.components) {
        acre_gltf_refuse(file, "its sparse part has a stride");
    }
    for (uint64_t i = 0; file->result == ACRE_OK && i < changes; i++) {
        uint32_t place;
        read_element(&places, i, GLTF_NUMBERS, &place, 0);
        if (place >= count) {
            acre_gltf_refuse(file, "its sparse part replaces element %lu of %lu",
                             (unsigned long)place, (unsigned long)count);
        } else if (out != NULL) {
            read_element(&values, i, kind, out, place);
        }
    }
}

static uint32_t read_accessor(gltf_file *file, const cJSON *json, uint32_t components,
                              gltf_kind kind, void *out)
{
    elements from = {.type = acre_gltf_number(file, json, "componentType"),
                     .components = components};
    const uint64_t count = acre_gltf_number(file, json, "count");
    const char *const name = acre_gltf_text(file, json, "type");
    const uint32_t size = component_size(from.type) * components;
    const cJSON *const sparse = acre_gltf_member(file, json, "sparse");
    const uint32_t most = UINT32_MAX / 4; // a key of a spline has three values
    if (size == 0 || name == NULL || strcmp(name, type_name(components)) != 0 || count > most ||
        (kind == GLTF_NUMBERS ? !is_unsigned(from.type) : from.type == UNSIGNED_INT)) {
        acre_gltf_refuse(file, "componentType %llu, type %.16s and count %llu do not fit %s of %s",
                         (unsigned long long)from.type, name != NULL ? name : "none",
                         (unsigned long long)count, type_name(components),
                         kind == GLTF_NUMBERS ? "whole numbers" : "floats");
        return 0;
    }
    from.is_normalized =
        kind == GLTF_FLOATS && cJSON_IsTrue(acre_gltf_member(file, json, "normalized"));
    if (acre_gltf_member(file, json, "bufferView") != NULL) {
        find_elements(file, json, count, &from);
    } else if (out == NULL) {
        acre_gltf_spend(file, count, size);
    }
    for (uint64_t i = 0; from.start != NULL && out != NULL && i < count; i++) {
        read_element(&from, i, kind, out, i);
    }
    if (sparse != NULL) {
        read_sparse(file, sparse, (uint32_t)count, from, kind, out);
    }
    return file->result == ACRE_OK ? (uint32_t)count : 0;
}

uint32_t acre_gltf_read(gltf_file *file, const cJSON *object, const char *name, uint32_t components,
                        gltf_kind kind, void *out)
{
    const gltf_place place = file->place;
    acre_gltf_at(file, "%.64s.%.16s", place.text, name);
    const uint32_t index = acre_gltf_link(file, object, name, GLTF_ACCESSORS);
    uint32_t count = 0;
    if (index == GLTF_NONE) {
        acre_gltf_refuse(file, "it is missing");
    } else {
        acre_gltf_at(file, "%.56s.%.16s: accessors[%u]", place.text, name, (unsigned)index);
        count =
            read_accessor(file, acre_gltf_item(file, GLTF_ACCESSORS, index), components, kind, out);
    }
    file->place = place;
    return count;
}

void *acre_gltf_take_elements(gltf_file *file, const cJSON *object, const char *name,
                              uint32_t components, gltf_kind kind, uint32_t *count)
{
    const uint32_t found = acre_gltf_read(file, object, name, components, kind, NULL);
    if (*count != GLTF_NONE && found != *count) {
        acre_gltf_refuse(file, "%.24s has %u elements instead of %u", name, (unsigned)found,
                         (unsigned)*count);
    }
    *count = found;
    void *const out = acre_gltf_take(file, found, components * sizeof(float));
    if (out != NULL) {
        acre_gltf_read(file, object, name, components, kind, out);
    }
    for (size_t i = 0; out != NULL && kind == GLTF_FLOATS && i < (size_t)found * components; i++) {
        if (!float_is_finite(((float *)out)[i])) {
            acre_gltf_refuse(file, "element %zu of %.24s is not finite", i / components, name);
        }
    }
    return file->result == ACRE_OK ? out : NULL;
}
