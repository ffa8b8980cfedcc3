// SPDX-License-Identifier: MIT
// import_reader.h - one call of acre_import_file, and the readers that it chooses from.
#ifndef ACRE_IMPORT_READER_H
#define ACRE_IMPORT_READER_H

#include "import_internal.h"

typedef struct import_job {
    const char *path;
    const acre_allocator *allocator;
    char *message;
    size_t message_size;
} import_job;

/// Writes "path: what is wrong". @return the result that it is given
acre_result acre_import_fail(const import_job *job, acre_result result, const char *format, ...);

/// @param result ACRE_ERROR_OUT_OF_MEMORY or ACRE_ERROR_CAPACITY
acre_result acre_import_fail_size(const import_job *job, acre_result result);

/// What is said of such a result.
const char *acre_import_size_words(acre_result result);

/// @return the path's ending with its dot, or NULL if the file's name has none
const char *acre_import_ending(const char *path);

/// Reads any format through assimp.
acre_result acre_import_read_assimp(const import_job *job, acre_import_model **out);

/// Reads a glTF from memory, and the files beside it that it names.
/// @param needs_assimp receives whether that is a job for assimp: it is no glTF, or one of version
/// 1 or with Draco's compression. The result is then ACRE_OK, and there is no model yet.
acre_result acre_import_read_gltf(const import_job *job, const void *bytes, size_t size,
                                  acre_import_model **out, bool *needs_assimp);

#endif
