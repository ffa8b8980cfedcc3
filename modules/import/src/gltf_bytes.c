// SPDX-License-Identifier: MIT
// gltf_bytes.c - where a glTF keeps its bytes: chunks of a .glb, other files, base64, buffer views.
#include "assert_internal.h"
#include "gltf_internal.h"

#include <string.h>

static uint32_t little_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/// Reads the chunk at *at and moves *at behind it. @param type the four letters of its kind
static bool next_chunk(gltf_file *file, gltf_bytes whole, uint64_t *at, char type[4],
                       gltf_bytes *out)
{
    if (whole.size - *at < 8) {
        return acre_gltf_refuse(file, "GLB", "the chunk at byte %llu has no head",
                                (unsigned long long)*at);
    }
    const uint32_t size = little_endian(whole.start + *at);
    memcpy(type, whole.start + *at + 4, 4);
    if (size > whole.size - *at - 8) {
        return acre_gltf_refuse(file, "GLB", "the chunk at byte %llu passes the end of the file",
                                (unsigned long long)*at);
    }
    *out = (gltf_bytes){whole.start + *at + 8, size};
    *at += 8 + (uint64_t)size;
    return true;
}

bool acre_gltf_open(gltf_file *file, const unsigned char *bytes, uint64_t size)
{
    if (size < 4 || memcmp(bytes, "glTF", 4) != 0) {
        return acre_gltf_parse(file, bytes, size);
    }
    if (size < 12) {
        return acre_gltf_refuse(file, "GLB", "it is cut off at byte %llu of its head",
                                (unsigned long long)size);
    }
    const uint32_t version = little_endian(bytes + 4), stated = little_endian(bytes + 8);
    if (version == 1) {
        file->needs_assimp = true;
        return true;
    }
    if (version != 2) {
        return acre_gltf_refuse(file, "GLB", "it has version %lu", (unsigned long)version);
    }
    if (stated > size) {
        return acre_gltf_refuse(file, "GLB", "it is cut off at byte %llu of %lu",
                                (unsigned long long)size, (unsigned long)stated);
    }
    const gltf_bytes whole = {bytes, stated};
    uint64_t at = 12;
    char type[4];
    gltf_bytes text;
    if (!next_chunk(file, whole, &at, type, &text)) {
        return false;
    }
    if (memcmp(type, "JSON", 4) != 0) {
        return acre_gltf_refuse(file, "GLB", "its first chunk is not JSON");
    }
    while (at < whole.size && file->chunk.start == NULL) {
        gltf_bytes chunk;
        if (!next_chunk(file, whole, &at, type, &chunk)) {
            return false;
        }
        if (memcmp(type, "BIN\0", 4) == 0) {
            file->chunk = chunk;
        }
    }
    return acre_gltf_parse(file, text.start, text.size);
}

/// @return the value of a base64 letter, or 64
static uint32_t base64_value(char letter)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *const found = letter != '\0' ? strchr(letters, letter) : NULL;
    return found != NULL ? (uint32_t)(found - letters) : 64;
}

/// Decodes what stands behind "base64,". @return how many of its bytes there are, at most size
static uint64_t decode_base64(const char *text, unsigned char *out, uint64_t size)
{
    uint64_t count = 0;
    uint32_t bits = 0;
    for (uint32_t letter = 0; count < size && base64_value(*text) < 64; letter++, text++) {
        bits = bits << 6 | base64_value(*text);
        if (letter % 4 > 0) { // each letter behind the first of four completes a byte
            out[count++] = (unsigned char)(bits >> (6 - 2 * (letter % 4)));
        }
    }
    return count;
}

/// Bytes that stand in the text itself.
static bool read_data_uri(gltf_file *file, const char *place, const char *uri, gltf_bytes *out)
{
    const char *const comma = strchr(uri, ',');
    if (comma == NULL || comma - uri < 7 || memcmp(comma - 7, ";base64", 7) != 0) {
        return acre_gltf_refuse(file, place, "its data URI is not in base64");
    }
    const size_t most = strlen(comma) / 4 * 3 + 3;
    const uint64_t size = out->size < most ? out->size : most;
    unsigned char *const bytes = acre_gltf_take(file, size, 1);
    if (bytes == NULL) {
        return false;
    }
    *out = (gltf_bytes){bytes, decode_base64(comma + 1, bytes, size)};
    return true;
}

static int hex_digit(char letter)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *const found = letter != '\0' ? strchr(digits, letter) : NULL;
    return found != NULL ? (int)((found - digits) % 16) : -1;
}

/// The path of another file: the URI, whose %20 and the like are decoded, in the folder of this
/// one.
static char *path_beside(gltf_file *file, const char *uri)
{
    const char *const slash = strrchr(file->path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash + 1 - file->path) : 0;
    char *const path = acre_gltf_take(file, folder + strlen(uri) + 1, 1);
    if (path == NULL) {
        return NULL;
    }
    memcpy(path, file->path, folder);
    char *to = path + folder;
    while (*uri != '\0') {
        const int high = *uri == '%' ? hex_digit(uri[1]) : -1;
        const int low = high >= 0 ? hex_digit(uri[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *uri;
        uri += low >= 0 ? 3 : 1;
    }
    return path;
}

/// Bytes that stand in another file: no more than out->size of them.
static bool read_other_file(gltf_file *file, const char *place, const char *uri, gltf_bytes *out)
{
    if (uri[0] == '/' || uri[0] == '\\' || strchr(uri, ':') != NULL) {
        return acre_gltf_refuse(file, place, "'%.64s' is no path beside the file", uri);
    }
    char *const path = path_beside(file, uri);
    if (path == NULL) {
        return false;
    }
    FILE *const other = fopen(path, "rb");
    if (other == NULL) {
        return acre_gltf_refuse(file, place, "'%.64s' cannot be opened", uri);
    }
    // What is stated may be far more than what is there, so the block grows with what is read.
    uint64_t room = 0, count = 0;
    unsigned char *bytes = NULL;
    bool is_good = true, is_whole = false;
    while (is_good && !is_whole) {
        room = out->size < 2 * room + 65536 ? out->size : 2 * room + 65536;
        unsigned char *const grown = acre_gltf_take(file, room, 1);
        is_good = grown != NULL;
        if (is_good) {
            if (count > 0) {
                memcpy(grown, bytes, (size_t)count);
            }
            bytes = grown;
            count += fread(bytes + count, 1, (size_t)(room - count), other);
            is_whole = count < room || room == out->size;
        }
    }
    if (is_good && ferror(other) != 0) {
        is_good = acre_gltf_refuse(file, place, "'%.64s' cannot be read", uri);
    }
    fclose(other);
    file->room += 256 * count;
    *out = (gltf_bytes){bytes, count};
    return is_good;
}

/// The bytes of a buffer, as many as it states; NULL: it has none of its own.
static bool read_buffer(gltf_file *file, uint32_t number, gltf_bytes *out)
{
    *out = file->buffers[number];
    if (out->start != NULL) {
        return true;
    }
    const gltf_place place = acre_gltf_at("buffers[%u]", (unsigned)number);
    const cJSON *const json = acre_gltf_item(file, GLTF_BUFFERS, number);
    uint64_t stated;
    if (!acre_gltf_number(file, place.text, json, "byteLength", 0, &stated)) {
        return false;
    }
    out->size = stated;
    const char *const uri = acre_gltf_text(json, "uri");
    if (uri == NULL) {
        *out = number == 0 ? file->chunk : (gltf_bytes){0};
    } else if (!(strncmp(uri, "data:", 5) == 0 ? read_data_uri(file, place.text, uri, out)
                                               : read_other_file(file, place.text, uri, out))) {
        return false;
    }
    if (out->start != NULL && out->size < stated) {
        return acre_gltf_refuse(file, place.text, "it states %llu bytes and has %llu",
                                (unsigned long long)stated, (unsigned long long)out->size);
    }
    out->size = out->start != NULL ? stated : 0;
    file->buffers[number] = *out;
    return true;
}

/// The part of a buffer that a view, or the compressed form of a view, names.
static bool read_part(gltf_file *file, const char *place, const cJSON *json, gltf_bytes *out)
{
    uint32_t buffer;
    uint64_t offset, size;
    if (!acre_gltf_reference(file, place, acre_gltf_member(json, "buffer"), GLTF_BUFFERS,
                             &buffer) ||
        !acre_gltf_number(file, place, json, "byteOffset", 0, &offset) ||
        !acre_gltf_number(file, place, json, "byteLength", 0, &size)) {
        return false;
    }
    if (buffer == GLTF_NONE) {
        return acre_gltf_refuse(file, place, "it names no buffer");
    }
    gltf_bytes whole;
    if (!read_buffer(file, buffer, &whole)) {
        return false;
    }
    if (whole.start == NULL) {
        return acre_gltf_refuse(file, place, "buffers[%u] has no bytes", (unsigned)buffer);
    }
    if (offset > whole.size || size > whole.size - offset) {
        return acre_gltf_refuse(file, place, "it ends at byte %llu of buffers[%u], which has %llu",
                                (unsigned long long)(offset + size), (unsigned)buffer,
                                (unsigned long long)whole.size);
    }
    *out = (gltf_bytes){whole.start + offset, size};
    return true;
}

/// Whether the bytes of a view stand in the file as they are, beside their compressed form.
static bool has_plain_bytes(const gltf_file *file, const cJSON *view)
{
    const cJSON *const item = acre_gltf_member(view, "buffer");
    if (!cJSON_IsNumber(item) || item->valuedouble < 0.0 ||
        item->valuedouble >= (double)file->lists[GLTF_BUFFERS].count) {
        return false;
    }
    const uint32_t buffer = (uint32_t)item->valuedouble;
    return acre_gltf_text(acre_gltf_item(file, GLTF_BUFFERS, buffer), "uri") != NULL ||
           (buffer == 0 && file->chunk.start != NULL &&
            acre_gltf_extension(acre_gltf_item(file, GLTF_BUFFERS, buffer), GLTF_COMPRESSION) ==
                NULL);
}

bool acre_gltf_view(gltf_file *file, const char *place, const cJSON *number, gltf_bytes *out,
                    uint64_t *stride)
{
    uint32_t view;
    if (!acre_gltf_reference(file, place, number, GLTF_VIEWS, &view)) {
        return false;
    }
    ACRE_INVARIANT(view != GLTF_NONE); // nobody asks for a view that is not named
    const gltf_place here = acre_gltf_at("bufferViews[%u]", (unsigned)view);
    const cJSON *const json = acre_gltf_item(file, GLTF_VIEWS, view);
    if (!acre_gltf_number(file, here.text, json, "byteStride", 0, stride)) {
        return false;
    }
    const cJSON *const compression = acre_gltf_extension(json, GLTF_COMPRESSION);
    *out = file->views[view];
    if (out->start != NULL) {
        return true;
    }
    if (compression == NULL || (!acre_gltf_can_decompress() && has_plain_bytes(file, json))) {
        return read_part(file, here.text, json, out);
    }
    gltf_bytes packed;
    if (!read_part(file, here.text, compression, &packed) ||
        !acre_gltf_decompress(file, here.text, compression, packed, out)) {
        return false;
    }
    file->views[view] = *out;
    return true;
}
