// SPDX-License-Identifier: MIT
// import_file.c - opens a file, finds out what it is, and lets the reader of its format read it.
#include "assert_internal.h"
#include "import_internal.h"

#include <ctype.h>

/// assimp never returns from a PLY header that has no end.
static acre_result probe_ply(const import_job *job, FILE *file, const unsigned char *head)
{
    static const char end[] = "end_header";
    if (memcmp(head, "ply", 3) != 0 || fseek(file, 3, SEEK_SET) != 0) {
        return ACRE_OK;
    }
    char window[sizeof end - 1] = {0};
    for (int byte = getc(file); byte != EOF; byte = getc(file)) {
        const bool is_between_words = byte == '\n' || byte == '\r' || byte == ' ';
        if (is_between_words && memcmp(window, end, sizeof window) == 0) {
            return ACRE_OK;
        }
        memmove(window, window + 1, sizeof window - 1);
        window[sizeof window - 1] = (char)byte;
    }
    return IMPORT_REFUSE(job, "its header has no end");
}

/// Whether the ending is that of a glTF.
static bool is_named_gltf(const char *path)
{
    const char *ending = acre_import_ending(path);
    char lower[6] = "";
    for (size_t i = 0; ending != NULL && i < 5 && ending[i] != '\0'; i++) {
        lower[i] = (char)tolower((unsigned char)ending[i]);
    }
    return strcmp(lower, ".glb") == 0 || (strcmp(lower, ".gltf") == 0 && ending[5] == '\0');
}

/// Whether a file that begins like this may be a glTF, whatever its name: binary, or JSON.
static bool may_be_gltf(const unsigned char *head, size_t size)
{
    size_t at = size >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size && isspace(head[at])) {
        at++;
    }
    return (size >= 4 && memcmp(head, "glTF", 4) == 0) || (at < size && head[at] == '{');
}

static acre_result read_gltf(const import_job *job, FILE *file, acre_import_model **out,
                             bool *needs_assimp)
{
    size_t size;
    *needs_assimp = false;
    if (!acre_import_file_size(file, &size)) {
        return acre_import_fail(job, ACRE_ERROR_IO, "it cannot be read");
    }
    unsigned char *const bytes = acre_resize(job->allocator, NULL, 0, size + 1, 16);
    if (bytes == NULL) {
        return acre_import_fail_size(job, ACRE_ERROR_OUT_OF_MEMORY);
    }
    const size_t count = fread(bytes, 1, size, file);
    const acre_result result = ferror(file) != 0
                                   ? acre_import_fail(job, ACRE_ERROR_IO, "it cannot be read")
                                   : acre_import_read_gltf(job, bytes, count, out, needs_assimp);
    acre_resize(job->allocator, bytes, size + 1, 0, 16);
    return result;
}

/// Tells files that cannot be read from files with wrong content, which assimp does not.
static acre_result read_file(const import_job *job, FILE *file, acre_import_model **out,
                             bool *needs_assimp)
{
    unsigned char head[64];
    const size_t read = fread(head, 1, sizeof head, file);
    *needs_assimp = true;
    if (ferror(file) != 0) { // a directory, for instance
        return acre_import_fail(job, ACRE_ERROR_IO, "it cannot be read");
    }
    if (read == 0) {
        return IMPORT_REFUSE(job, "the file is empty");
    }
    if (is_named_gltf(job->path)) {
        return read_gltf(job, file, out, needs_assimp);
    }
    if (may_be_gltf(head, read)) { // or another format that is written in JSON
        const acre_result result = read_gltf(job, file, out, needs_assimp);
        *needs_assimp |= result == ACRE_ERROR_FORMAT && memcmp(head, "glTF", 4) != 0;
        return *needs_assimp ? ACRE_OK : result;
    }
    return read >= 12 ? probe_ply(job, file, head) : ACRE_OK;
}

acre_result acre_import_file(const char *path, const acre_allocator *allocator,
                             acre_import_model **out, char *message, size_t message_size)
{
    const import_job job = {.path = path != NULL ? path : "(no path)",
                            .allocator = allocator,
                            .message = message,
                            .message_size = message != NULL ? message_size : 0};
    if (out != NULL) {
        *out = NULL;
    }
    if (path == NULL || out == NULL) {
        return acre_import_fail(&job, ACRE_ERROR_INVALID_ARGUMENT, "path or out is NULL");
    }
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        return acre_import_fail(&job, ACRE_ERROR_IO, "it cannot be opened");
    }
    bool needs_assimp;
    acre_result result = read_file(&job, file, out, &needs_assimp);
    fclose(file);
    if (result == ACRE_OK && needs_assimp) {
        result = acre_import_read_assimp(&job, out);
    }
    if (result == ACRE_OK) { // a reader that did not know the format may have said so
        snprintf(job.message, job.message_size, "%s", "");
    }
    return result;
}
