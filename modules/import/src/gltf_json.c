// SPDX-License-Identifier: MIT
// gltf_json.c - the text of a glTF: its arrays, its numbers, and what is said of a fault in them.
#include "assert_internal.h"
#include "compiler_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

#include <stdarg.h>

/// Whole numbers are exact up to here in JSON, whose numbers are doubles.
static const double largest_number = 9007199254740992.0;

struct gltf_block {
    gltf_block *next;
    size_t size; // with this head
};

// The head keeps the alignment of what stands behind it.
static const size_t head_size = 64;

gltf_place acre_gltf_at(const char *format, ...)
{
    gltf_place place;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(place.text, sizeof place.text, format, arguments);
    va_end(arguments);
    return place;
}

bool acre_gltf_refuse(gltf_file *file, const char *place, const char *format, ...)
{
    ACRE_INVARIANT(file->result == ACRE_OK); // nothing is read behind the first fault
    file->result = ACRE_ERROR_FORMAT;
    const int used = snprintf(file->fault, sizeof file->fault, "%s: ", place);
    if (used > 0 && (size_t)used < sizeof file->fault) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(file->fault + used, sizeof file->fault - (size_t)used, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool acre_gltf_refuse_memory(gltf_file *file)
{
    file->result = ACRE_ERROR_OUT_OF_MEMORY;
    snprintf(file->fault, sizeof file->fault, "not enough memory for it");
    return false;
}

bool acre_gltf_note(gltf_file *file, const char *format, ...)
{
    char line[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const size_t old = file->notes_size > 0 ? file->notes_size - 1 : 0, length = strlen(line);
    char *notes = acre_gltf_take(file, old + length + 2, 1);
    if (notes == NULL) {
        return false;
    }
    if (old > 0) {
        memcpy(notes, file->notes, old);
    }
    memcpy(notes + old, line, length);
    notes[old + length] = '\n';
    file->notes = notes;
    file->notes_size = old + length + 2;
    return true;
}

void *acre_gltf_take(gltf_file *file, uint64_t count, size_t element_size)
{
    _Static_assert(sizeof(gltf_block) <= 64, "the head holds it");
    if (count > (SIZE_MAX / 2 - head_size) / element_size) {
        acre_gltf_refuse_memory(file);
        return NULL;
    }
    const size_t size = head_size + (size_t)count * element_size;
    gltf_block *block = acre_resize(file->allocator, NULL, 0, size, NATURAL_ALIGNMENT);
    if (block == NULL) {
        acre_gltf_refuse_memory(file);
        return NULL;
    }
    memset(block, 0, size);
    *block = (gltf_block){.next = file->blocks, .size = size};
    file->blocks = block;
    return (unsigned char *)block + head_size;
}

void acre_gltf_close(gltf_file *file)
{
    cJSON_Delete(file->root);
    while (file->blocks != NULL) {
        gltf_block *const block = file->blocks;
        file->blocks = block->next;
        acre_resize(file->allocator, block, block->size, 0, NATURAL_ALIGNMENT);
    }
}

bool acre_gltf_spend(gltf_file *file, const char *place, uint64_t count, size_t element_size)
{
    if (count > file->room / element_size) {
        return acre_gltf_refuse(file, place,
                                "the model would be more than 256 times as large as the file");
    }
    file->room -= count * element_size;
    return true;
}

const char *acre_gltf_array_name(gltf_array array)
{
    static const char *const names[GLTF_ARRAY_COUNT_] = {
        "scenes", "nodes", "meshes", "accessors", "bufferViews", "buffers", "skins", "animations"};
    return names[array];
}

static bool list_array(gltf_file *file, gltf_array array)
{
    const char *const name = acre_gltf_array_name(array);
    const cJSON *const json = acre_gltf_member(file->root, name);
    gltf_list *const list = &file->lists[array];
    if (json == NULL) {
        return true;
    }
    if (!cJSON_IsArray(json)) {
        return acre_gltf_refuse(file, name, "it is no array");
    }
    uint64_t count = 0;
    for (const cJSON *item = json->child; item != NULL; item = item->next) {
        count++;
    }
    list->items = acre_gltf_take(file, count, sizeof *list->items);
    if (list->items == NULL) {
        return false;
    }
    for (const cJSON *item = json->child; item != NULL; item = item->next) {
        if (!cJSON_IsObject(item)) {
            return acre_gltf_refuse(file, name, "[%u] is no object", (unsigned)list->count);
        }
        ACRE_INVARIANT(list->count < count);
        list->items[list->count++] = item;
    }
    return true;
}

/// Whether what stands behind the JSON text is padding.
static bool is_padding(const unsigned char *from, const unsigned char *end)
{
    while (from < end && (*from == ' ' || (*from >= '\t' && *from <= '\r') || *from == '\0')) {
        from++;
    }
    return from == end;
}

bool acre_gltf_parse(gltf_file *file, const unsigned char *text, uint64_t size)
{
    const char *end = (const char *)text;
    file->root = cJSON_ParseWithLengthOpts((const char *)text, (size_t)size, &end, false);
    if (file->root == NULL || !is_padding((const unsigned char *)end, text + size)) {
        return acre_gltf_refuse(file, "JSON", "it is broken at byte %llu of %llu",
                                (unsigned long long)(end - (const char *)text),
                                (unsigned long long)size);
    }
    return true;
}

bool acre_gltf_list_arrays(gltf_file *file)
{
    for (int array = 0; array < GLTF_ARRAY_COUNT_; array++) {
        if (!list_array(file, (gltf_array)array)) {
            return false;
        }
    }
    file->buffers = acre_gltf_take(file, file->lists[GLTF_BUFFERS].count, sizeof *file->buffers);
    file->views = acre_gltf_take(file, file->lists[GLTF_VIEWS].count, sizeof *file->views);
    return file->buffers != NULL && file->views != NULL;
}

const cJSON *acre_gltf_member(const cJSON *object, const char *name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

const cJSON *acre_gltf_extension(const cJSON *object, const char *name)
{
    return acre_gltf_member(acre_gltf_member(object, "extensions"), name);
}

const char *acre_gltf_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(acre_gltf_member(object, name));
}

const cJSON *acre_gltf_item(const gltf_file *file, gltf_array array, uint32_t number)
{
    ACRE_INVARIANT(number < file->lists[array].count); // acre_gltf_reference has checked it
    return file->lists[array].items[number];
}

static bool is_whole(const cJSON *item)
{
    return cJSON_IsNumber(item) && item->valuedouble >= 0.0 &&
           item->valuedouble <= largest_number &&
           item->valuedouble == (double)(uint64_t)item->valuedouble;
}

bool acre_gltf_number(gltf_file *file, const char *place, const cJSON *object, const char *name,
                      uint64_t fallback, uint64_t *out)
{
    const cJSON *const item = acre_gltf_member(object, name);
    *out = fallback;
    if (item == NULL) {
        return true;
    }
    if (!is_whole(item)) {
        return acre_gltf_refuse(file, place, "its %s is no whole number", name);
    }
    *out = (uint64_t)item->valuedouble;
    return true;
}

bool acre_gltf_reference(gltf_file *file, const char *place, const cJSON *item, gltf_array array,
                         uint32_t *out)
{
    *out = GLTF_NONE;
    if (item == NULL) {
        return true;
    }
    if (!is_whole(item)) {
        return acre_gltf_refuse(file, place, "a number among the %s is no whole number",
                                acre_gltf_array_name(array));
    }
    if (item->valuedouble >= (double)file->lists[array].count) {
        return acre_gltf_refuse(file, place, "there is no %s[%.0f]", acre_gltf_array_name(array),
                                item->valuedouble);
    }
    *out = (uint32_t)item->valuedouble;
    return true;
}

bool acre_gltf_floats(gltf_file *file, const char *place, const cJSON *item, float *out, int count)
{
    if (item == NULL) {
        return true;
    }
    const cJSON *number = cJSON_IsArray(item) ? item->child : NULL;
    for (int i = 0; i < count; i++) {
        if (!cJSON_IsNumber(number)) {
            return acre_gltf_refuse(file, place, "its %s is no array of %d numbers", item->string,
                                    count);
        }
        out[i] = (float)number->valuedouble;
        if (!float_is_finite(out[i])) {
            return acre_gltf_refuse(file, place, "its %s has a number that is not finite",
                                    item->string);
        }
        number = number->next;
    }
    return number == NULL ||
           acre_gltf_refuse(file, place, "its %s has more than %d numbers", item->string, count);
}
