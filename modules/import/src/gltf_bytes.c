// SPDX-License-Identifier: MIT
// gltf_bytes.c - where a glTF keeps its bytes: chunks of a .glb, other files, base64, buffer views.
#include "assert_internal.h"
#include "gltf_internal.h"

#include <ctype.h>
#include <stdlib.h>

/// Each file beside the glTF makes room for a larger model.
static const uint32_t most_others = 1024;

#if defined(ACRE_IMPORT_MESHOPT)
static const bool can_decompress = true;
#else
static const bool can_decompress = false;
#endif

static const gltf_bytes no_bytes = {NULL, 0};

/// The chunk at *at, if it is of the type; moves *at behind it.
static gltf_bytes next_chunk(gltf_file *file, gltf_bytes whole, uint64_t *at, const char *type)
{
    const uint64_t left = whole.size - *at;
    const unsigned char *const head = whole.start + *at;
    if (left < 8 || gltf_word(head, 4) > left - 8) {
        acre_gltf_refuse(file, "the chunk at byte %llu passes the end of the file",
                         (unsigned long long)*at);
        *at = whole.size;
        return no_bytes;
    }
    const gltf_bytes chunk = {head + 8, gltf_word(head, 4)};
    *at += 8 + chunk.size;
    return memcmp(head + 4, type, 4) == 0 ? chunk : no_bytes;
}

static void open_chunks(gltf_file *file, gltf_bytes whole)
{
    uint64_t at = 12;
    const gltf_bytes text = next_chunk(file, whole, &at, "JSON");
    while (at < whole.size && file->chunk.start == NULL) {
        file->chunk = next_chunk(file, whole, &at, "BIN\0");
    }
    if (text.start == NULL) {
        acre_gltf_refuse(file, "its first chunk is not JSON");
    } else if (file->result == ACRE_OK) {
        acre_gltf_parse(file, text);
    }
}

void acre_gltf_open(gltf_file *file, gltf_bytes whole)
{
    if (whole.size < 4 || memcmp(whole.start, "glTF", 4) != 0) {
        acre_gltf_parse(file, whole);
        return;
    }
    acre_gltf_at(file, "GLB");
    const bool has_head = whole.size >= 12;
    const uint32_t version = has_head ? gltf_word(whole.start + 4, 4) : 2;
    const uint32_t stated = has_head ? gltf_word(whole.start + 8, 4) : 12;
    if (version == 1 && whole.size >= 20 && gltf_word(whole.start + 16, 4) == 0) {
        file->needs_assimp = true; // 0 says that its text is JSON; version 2 has no such word
    } else if (version != 2) {
        acre_gltf_refuse(file, "it has version %lu", (unsigned long)version);
    } else if (stated > whole.size) {
        acre_gltf_refuse(file, "it is cut off at byte %llu of %lu", (unsigned long long)whole.size,
                         (unsigned long)stated);
    } else {
        open_chunks(file, (gltf_bytes){whole.start, stated < 12 ? 12 : stated});
    }
}

/// Bytes that stand in the text itself: at most so many.
static gltf_bytes read_data_uri(gltf_file *file, const char *uri, uint64_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *text = strchr(uri, ',');
    if (text == NULL || text - uri < 7 || memcmp(text - 7, ";base64", 7) != 0) {
        acre_gltf_refuse(file, "its data URI is not in base64");
        return no_bytes;
    }
    const uint64_t most = strlen(text) / 4 * 3 + 3;
    size = size < most ? size : most;
    unsigned char *const bytes = acre_gltf_take(file, size, 1);
    uint64_t count = 0;
    uint32_t bits = 0;
    for (uint32_t i = 0; bytes != NULL && count < size; i++) {
        const char *const letter = *++text != '\0' ? strchr(letters, *text) : NULL;
        if (letter == NULL) {
            break;
        }
        bits = bits << 6 | (uint32_t)(letter - letters);
        if (i % 4 > 0) { // each letter behind the first of four completes a byte
            bytes[count++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
        }
    }
    return (gltf_bytes){bytes, count};
}

/// The path of another file: the URI, whose %20 and the like are decoded, in the folder of this
/// one.
static char *path_beside(gltf_file *file, const char *uri)
{
    const char *const slash = strrchr(file->job->path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash + 1 - file->job->path) : 0;
    char *const path = acre_gltf_take(file, folder + strlen(uri) + 1, 1);
    if (path == NULL) {
        return NULL;
    }
    memcpy(path, file->job->path, folder);
    for (char *to = path + folder; *uri != '\0'; uri++) {
        const bool is_code = *uri == '%' && isxdigit((unsigned char)uri[1]) != 0 &&
                             isxdigit((unsigned char)uri[2]) != 0;
        *to++ = is_code ? (char)strtol((char[3]){uri[1], uri[2]}, NULL, 16) : *uri;
        uri += is_code ? 2 : 0;
    }
    if (path[folder] == '/' || strpbrk(path + folder, "\\:") != NULL ||
        strncmp(path + folder, "../", 3) == 0 || strstr(path + folder, "/../") != NULL) {
        acre_gltf_refuse(file, "'%.64s' is no path beside the file", path + folder);
        return NULL;
    }
    return path;
}

/// Bytes that stand in another file: at most so many.
static gltf_bytes read_other_file(gltf_file *file, const char *uri, uint64_t size)
{
    const char *const path = path_beside(file, uri);
    FILE *const other = path != NULL ? fopen(path, "rb") : NULL;
    size_t length = 0;
    if (other == NULL || !acre_import_file_size(other, &length)) {
        acre_gltf_refuse(file, "'%.64s' cannot be read", uri);
    }
    size = length < size ? length : size; // far more may be stated than is there
    file->room += 256 * size;
    unsigned char *const bytes = acre_gltf_take(file, size, 1);
    size = bytes != NULL ? fread(bytes, 1, (size_t)size, other) : 0;
    if (other != NULL) {
        fclose(other);
    }
    return (gltf_bytes){bytes, size};
}

/// The same, from memory where a buffer that has been read names the file.
static gltf_bytes find_other_file(gltf_file *file, const char *uri, uint64_t size)
{
    for (uint32_t i = 0; i < file->lists[GLTF_BUFFERS].count && acre_gltf_spend(file, 1, 1); i++) {
        const gltf_bytes known = file->buffers[i];
        const char *const other =
            acre_gltf_text(file, acre_gltf_item(file, GLTF_BUFFERS, i), "uri");
        if (known.start != NULL && known.size >= size && other != NULL && strcmp(other, uri) == 0) {
            return known;
        }
    }
    if (file->other_count++ == most_others) {
        acre_gltf_refuse(file, "the file names more than %u others", (unsigned)most_others);
        return no_bytes;
    }
    return read_other_file(file, uri, size);
}

/// The bytes of a buffer, as many as it states; NULL: it has none of its own.
static gltf_bytes read_buffer(gltf_file *file, uint32_t number)
{
    gltf_bytes *const known = &file->buffers[number];
    if (known->start != NULL) {
        return *known;
    }
    const gltf_place place = acre_gltf_at(file, "buffers[%u]", (unsigned)number);
    const cJSON *const json = acre_gltf_item(file, GLTF_BUFFERS, number);
    const uint64_t stated = acre_gltf_number(file, json, "byteLength");
    const char *const uri = acre_gltf_text(file, json, "uri");
    if (uri == NULL) {
        *known = number == 0 ? file->chunk : no_bytes;
    } else {
        *known = strncmp(uri, "data:", 5) == 0 ? read_data_uri(file, uri, stated)
                                               : find_other_file(file, uri, stated);
    }
    if (known->start != NULL && known->size < stated) {
        acre_gltf_refuse(file, "it states %llu bytes and has %llu", (unsigned long long)stated,
                         (unsigned long long)known->size);
    }
    known->size = known->start != NULL ? stated : 0;
    file->place = place;
    return *known;
}

/// The part of a buffer that a view, or the compressed form of a view, names.
static gltf_bytes read_part(gltf_file *file, const cJSON *json)
{
    const uint32_t buffer = acre_gltf_link(file, json, "buffer", GLTF_BUFFERS);
    const uint64_t offset = acre_gltf_number(file, json, "byteOffset");
    const uint64_t size = acre_gltf_number(file, json, "byteLength");
    const gltf_bytes whole = buffer != GLTF_NONE ? read_buffer(file, buffer) : no_bytes;
    if (buffer == GLTF_NONE) {
        acre_gltf_refuse(file, "it names no buffer");
    } else if (whole.start == NULL) {
        acre_gltf_refuse(file, "buffers[%u] has neither a uri nor a chunk", (unsigned)buffer);
    } else if (offset > whole.size || size > whole.size - offset) {
        acre_gltf_refuse(file, "it ends at byte %llu of buffers[%u], which has %llu",
                         (unsigned long long)(offset + size), (unsigned)buffer,
                         (unsigned long long)whole.size);
    }
    return file->result == ACRE_OK ? (gltf_bytes){whole.start + offset, size} : no_bytes;
}

/// Whether a buffer's bytes may be asked for, beside their compressed form.
static bool has_plain_bytes(gltf_file *file, const cJSON *view)
{
    const uint32_t buffer = acre_gltf_link(file, view, "buffer", GLTF_BUFFERS);
    const cJSON *const json =
        buffer != GLTF_NONE ? acre_gltf_item(file, GLTF_BUFFERS, buffer) : NULL;
    return acre_gltf_text(file, json, "uri") != NULL ||
           (buffer == 0 && acre_gltf_extension(file, json, GLTF_COMPRESSION) == NULL);
}

gltf_bytes acre_gltf_view(gltf_file *file, const cJSON *number, uint64_t *stride)
{
    const uint32_t view = acre_gltf_reference(file, number, GLTF_VIEWS);
    *stride = 0;
    if (view == GLTF_NONE) {
        acre_gltf_refuse(file, "it names no buffer view");
        return no_bytes;
    }
    const gltf_place place = acre_gltf_at(file, "bufferViews[%u]", (unsigned)view);
    const cJSON *const json = acre_gltf_item(file, GLTF_VIEWS, view);
    const cJSON *const packed = acre_gltf_extension(file, json, GLTF_COMPRESSION);
    gltf_bytes bytes = file->views[view];
    *stride = acre_gltf_number(file, json, "byteStride");
    if (packed == NULL || (!can_decompress && has_plain_bytes(file, json))) {
        bytes = read_part(file, json);
    } else if (bytes.start == NULL) {
        bytes = acre_gltf_decompress(file, packed, read_part(file, packed));
        file->views[view] = bytes;
    }
    file->place = place;
    return bytes;
}
