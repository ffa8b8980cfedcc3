// SPDX-License-Identifier: MIT
// page_file.c - the file that a page carries: a packed model or a recording.
#include "page_file.h"

#include "import_sandbox.h"

#include <stdio.h>
#include <string.h>

static struct {
    const void *bytes;
    size_t size;
} given;

static bool begins_with(const void *bytes, size_t size, const char *text)
{
    const size_t length = strlen(text);
    return bytes && size >= length && memcmp(bytes, text, length) == 0;
}

bool page_file_is_model(const void *bytes, size_t size)
{
    return begins_with(bytes, size, "ACREIMP");
}

bool page_file_is_recording(const void *bytes, size_t size)
{
    return begins_with(bytes, size, "acreqt");
}

void page_file_give(const void *bytes, size_t size)
{
    given.bytes = bytes;
    given.size = size;
}

// In the place of import_sandbox.c.
acre_result import_sandbox_file(const char *path, const import_sandbox_def *def,
                                acre_import_model **out, char *message, size_t message_size)
{
    (void)path;
    *out = NULL;
    if (!page_file_is_model(given.bytes, given.size)) {
        snprintf(message, message_size, "this page carries no city");
        return ACRE_ERROR_IO;
    }
    const acre_result result =
        acre_import_unpack(given.bytes, given.size, def ? def->allocator : NULL, out);
    if (result != ACRE_OK) {
        snprintf(message, message_size, "the scene in this page: %s", acre_result_text(result));
    }
    return result;
}
