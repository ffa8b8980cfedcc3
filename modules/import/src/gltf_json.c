// SPDX-License-Identifier: MIT
// gltf_json.c - the text of a glTF: its arrays, its numbers, and what is said of a fault in them.
#include "assert_internal.h"
#include "compiler_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

#include <stdarg.h>

/// Whole numbers are exact up to here in JSON, whose numbers are doubles.
static const double largest_number = 9007199254740992.0;

static const char *const array_names[GLTF_ARRAY_COUNT_] = {
    "scenes", "nodes", "meshes", "accessors", "bufferViews", "buffers", "skins", "animations"};

typedef struct gltf_block {
    struct gltf_block *next;
    size_t size; // with this head
} gltf_block;

// The head keeps the alignment of what stands behind it.
static const size_t head_size = 64;

gltf_place acre_gltf_at(gltf_file *file, const char *format, ...)
{
    const gltf_place old = file->place;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(file->place.text, sizeof file->place.text, format, arguments);
    va_end(arguments);
    return old;
}

bool acre_gltf_refuse(gltf_file *file, const char *format, ...)
{
    char words[224];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (file->result == ACRE_OK) {
        file->result = IMPORT_REFUSE(file->job, "%s: %s", file->place.text, words);
    }
    return false;
}

void acre_gltf_refuse_size(gltf_file *file, acre_result result)
{
    if (file->result == ACRE_OK) {
        file->result = acre_import_fail_size(file->job, result);
    }
}

void acre_gltf_note(gltf_file *file, const char *format, ...)
{
    const size_t used = strlen(file->notes);
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(file->notes + used, sizeof file->notes - used, format, arguments);
    va_end(arguments);
    if (more < 0 || used + (size_t)more + 2 > sizeof file->notes) {
        file->notes[used] = '\0'; // what is cut off would mislead
        return;
    }
    memcpy(file->notes + used + (size_t)more, "\n", 2);
    if (strstr(file->notes, file->notes + used) < file->notes + used) {
        file->notes[used] = '\0'; // it stands there already
    }
}

bool acre_gltf_spend(gltf_file *file, uint64_t count, size_t element_size)
{
    if (count > file->room / element_size) {
        return acre_gltf_refuse(file,
                                "reading it would take more than 256 bytes or steps for each byte "
                                "of the file; with all instances it has up to %llu nodes",
                                (unsigned long long)file->made_room);
    }
    file->room -= count * element_size;
    return file->result == ACRE_OK;
}

void *acre_gltf_take(gltf_file *file, uint64_t count, size_t element_size)
{
    _Static_assert(sizeof(gltf_block) <= 64, "the head holds it");
    if (!acre_gltf_spend(file, count, element_size)) {
        return NULL;
    }
    gltf_block *block = NULL;
    size_t size = 0;
    if (count <= (SIZE_MAX / 2 - head_size) / element_size) {
        size = head_size + (size_t)count * element_size;
        block = acre_resize(file->job->allocator, NULL, 0, size, NATURAL_ALIGNMENT);
    }
    if (block == NULL) {
        acre_gltf_refuse_size(file, ACRE_ERROR_OUT_OF_MEMORY);
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
        acre_resize(file->job->allocator, block, block->size, 0, NATURAL_ALIGNMENT);
    }
}

void acre_gltf_parse(gltf_file *file, gltf_bytes text)
{
    const char *const start = (const char *)text.start, *end = start;
    file->root = cJSON_ParseWithLengthOpts(start, (size_t)text.size, &end, false);
    // A chunk of a .glb is padded.
    while (file->root != NULL && end < start + text.size && strchr(" \t\r\n", *end) != NULL) {
        end++;
    }
    if (file->root == NULL || end != start + text.size) {
        const bool is_other = text.size == 0 || (end == start && *start != '{');
        acre_gltf_at(file, is_other ? "glTF" : "JSON");
        acre_gltf_refuse(file,
                         is_other
                             ? "it is neither GLB nor JSON"
                             : "it is broken, or nested deeper than 1000, at byte %llu of %llu",
                         (unsigned long long)(end - start), (unsigned long long)text.size);
    }
}

void acre_gltf_list_arrays(gltf_file *file)
{
    acre_gltf_at(file, "glTF");
    for (int array = 0; array < GLTF_ARRAY_COUNT_; array++) {
        gltf_list *const list = &file->lists[array];
        const cJSON *item = acre_gltf_first(file, file->root, array_names[array]);
        uint64_t most = 0;
        for (const cJSON *at = item; at != NULL; at = at->next) {
            most++;
        }
        list->items = acre_gltf_take(file, most, sizeof *list->items);
        for (; list->items != NULL && item != NULL; item = item->next) {
            if (!cJSON_IsObject(item)) {
                acre_gltf_refuse(file, "one of its %s is no object", array_names[array]);
            }
            list->items[list->count++] = item;
        }
    }
    file->buffers = acre_gltf_take(file, file->lists[GLTF_BUFFERS].count, sizeof *file->buffers);
    file->views = acre_gltf_take(file, file->lists[GLTF_VIEWS].count, sizeof *file->views);
}

const cJSON *acre_gltf_member(gltf_file *file, const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_IsObject(object) ? object->child : NULL;
    while (item != NULL && strcmp(item->string, name) != 0) {
        item = acre_gltf_spend(file, 1, 1) ? item->next : NULL;
    }
    return item;
}

const cJSON *acre_gltf_extension(gltf_file *file, const cJSON *object, const char *name)
{
    return acre_gltf_member(file, acre_gltf_member(file, object, "extensions"), name);
}

const char *acre_gltf_text(gltf_file *file, const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(acre_gltf_member(file, object, name));
}

const cJSON *acre_gltf_item(const gltf_file *file, gltf_array array, uint32_t number)
{
    ACRE_INVARIANT(number < file->lists[array].count); // acre_gltf_reference has checked it
    return file->lists[array].items[number];
}

const cJSON *acre_gltf_first(gltf_file *file, const cJSON *object, const char *name)
{
    const cJSON *const list = acre_gltf_member(file, object, name);
    if (list != NULL && !cJSON_IsArray(list)) {
        acre_gltf_refuse(file, "its %s is no array", name);
        return NULL;
    }
    return list != NULL ? list->child : NULL;
}

static bool is_whole(const cJSON *item)
{
    return cJSON_IsNumber(item) && item->valuedouble >= 0.0 &&
           item->valuedouble <= largest_number &&
           item->valuedouble == (double)(uint64_t)item->valuedouble;
}

uint64_t acre_gltf_number(gltf_file *file, const cJSON *object, const char *name)
{
    const cJSON *const item = acre_gltf_member(file, object, name);
    if (item != NULL && !is_whole(item)) {
        acre_gltf_refuse(file, "its %s is no whole number", name);
        return 0;
    }
    return item != NULL ? (uint64_t)item->valuedouble : 0;
}

uint32_t acre_gltf_reference(gltf_file *file, const cJSON *item, gltf_array array)
{
    if (item == NULL) {
        return GLTF_NONE;
    }
    if (!is_whole(item)) {
        acre_gltf_refuse(file, "a number among the %s is no whole number", array_names[array]);
    } else if (item->valuedouble >= (double)file->lists[array].count) {
        acre_gltf_refuse(file, "there is no %s[%.0f]", array_names[array], item->valuedouble);
    }
    return file->result == ACRE_OK ? (uint32_t)item->valuedouble : GLTF_NONE;
}

uint32_t acre_gltf_link(gltf_file *file, const cJSON *object, const char *name, gltf_array array)
{
    return acre_gltf_reference(file, acre_gltf_member(file, object, name), array);
}

void acre_gltf_fill(gltf_file *file, const cJSON *list, const char *name, float *out, int count)
{
    const cJSON *number = cJSON_IsArray(list) ? list->child : NULL;
    int found = 0;
    for (; found < count && cJSON_IsNumber(number); number = number->next) {
        out[found++] = (float)number->valuedouble;
    }
    if (found < count || number != NULL) {
        acre_gltf_refuse(file, "its %s is no array of %d numbers", name, count);
    } else if (!floats_are_finite(out, count)) {
        acre_gltf_refuse(file, "its %s has a number that is not finite", name);
    }
}

void acre_gltf_floats(gltf_file *file, const cJSON *object, const char *name, float *out, int count)
{
    const cJSON *const list = acre_gltf_member(file, object, name);
    if (list != NULL) {
        acre_gltf_fill(file, list, name, out, count);
    }
}
