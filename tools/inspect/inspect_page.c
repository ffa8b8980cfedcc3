// SPDX-License-Identifier: MIT
// inspect_page.c - puts a file into the viewer's page.
//
// The page has one line for the file and one for its name; everything else is copied.
#include "inspect_page.h"

#include "output_file.h"
#include "plain_file.h"
#include "shared_file.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char file_line[] = "<script id=\"file\" type=\"text/plain\"></script>";
static const char name_line[] = "<title>Acre</title>";

static FILE *open_empty_page(void)
{
    char path[1024];
    if (getenv("ACRE_PAGE")) {
        return plain_file_open(AT_FDCWD, getenv("ACRE_PAGE"));
    }
    shared_file_path("page.html", ACRE_PAGE_BUILT, path, sizeof path);
    return plain_file_open(AT_FDCWD, path);
}

bool inspect_page_is_there(char *message, size_t message_size)
{
    FILE *const file = open_empty_page();
    if (!file) {
        snprintf(message, message_size,
                 "the page that shows files is missing; tools/package.sh web OUT builds it");
        return false;
    }
    fclose(file);
    return true;
}

// The whole page as text; NULL where there is none. The caller frees it.
static char *read_empty_page(void)
{
    FILE *const file = open_empty_page();
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        text = size > 0 && fseek(file, 0, SEEK_SET) == 0 ? malloc((size_t)size + 1) : NULL;
        if (text && fread(text, 1, (size_t)size, file) == (size_t)size) {
            text[size] = '\0';
        } else {
            free(text);
            text = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    return text;
}

// With the head and the end of a gzip file, which browsers unpack. The caller frees it; NULL where
// memory is short.
static unsigned char *compress_bytes(const void *bytes, size_t size, size_t *out_size)
{
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
    if (size > UINT32_MAX / 2 ||
        deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        return NULL;
    }
    const size_t room = deflateBound(&stream, (uLong)size);
    unsigned char *packed = malloc(room);
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    if (packed && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
        free(packed);
        packed = NULL;
    }
    *out_size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

static void write_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);
        const char four[4] = {letters[three >> 18], letters[three >> 12 & 63],
                              left > 1 ? letters[three >> 6 & 63] : '=',
                              left > 2 ? letters[three & 63] : '='};
        fwrite(four, 1, sizeof four, out);
    }
}

// A file's name may have any character; a page has some that are its own.
static void write_name(FILE *out, const char *name)
{
    for (const char *at = name; *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&' || (unsigned char)*at < 0x20) {
            fprintf(out, "&#%d;", (unsigned char)*at);
        } else {
            fputc(*at, out);
        }
    }
}

static bool write_page(FILE *out, const char *page, const char *name, const unsigned char *packed,
                       size_t packed_size)
{
    const char *const title = strstr(page, name_line), *const file = strstr(page, file_line);
    if (!title || !file || file < title) {
        return false;
    }
    const char *const after_title = title + sizeof name_line - 1;
    const size_t open_tag = sizeof file_line - sizeof "</script>";
    fwrite(page, 1, (size_t)(title - page), out);
    fputs("<title>", out);
    write_name(out, name);
    fputs(" - Acre</title>", out);
    fwrite(after_title, 1, (size_t)(file - after_title) + open_tag, out);
    write_base64(out, packed, packed_size);
    fputs(file + open_tag, out);
    return true;
}

bool inspect_write_page(const char *path, const char *name, const void *bytes, size_t size,
                        char *message, size_t message_size)
{
    if (!inspect_page_is_there(message, message_size)) {
        return false;
    }
    char *const page = read_empty_page();
    if (!page) {
        snprintf(message, message_size, "the page that shows files cannot be read");
        return false;
    }
    size_t packed_size = 0;
    unsigned char *const packed = compress_bytes(bytes, size, &packed_size);
    output_file out = {0};
    bool is_good = packed != NULL;
    if (!is_good) {
        snprintf(message, message_size, "%s: memory is short", path);
    }
    is_good = is_good && output_open(&out, path, message, message_size);
    if (is_good && !write_page(out.stream, page, name, packed, packed_size)) {
        snprintf(message, message_size,
                 "the page that shows files is not of this version; "
                 "tools/package.sh web OUT builds it anew");
        output_discard(&out);
        is_good = false;
    }
    is_good = is_good && output_close(&out, message, message_size);
    free(packed);
    free(page);
    return is_good;
}
