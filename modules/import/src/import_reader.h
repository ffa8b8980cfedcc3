// SPDX-License-Identifier: MIT
// import_reader.h - the readers that acre_import_file chooses from, and what they share.
#ifndef ACRE_IMPORT_READER_H
#define ACRE_IMPORT_READER_H

#include "import_internal.h"

/// @param result ACRE_ERROR_OUT_OF_MEMORY or ACRE_ERROR_CAPACITY. @return the same
acre_result acre_import_fail_size(const import_job *job, acre_result result);

/// @return the path's ending with its dot, or NULL if the file's name has none
const char *acre_import_ending(const char *path);

/// Finds a file's size and goes to its begin. @return false: it is a folder, or has no size
bool acre_import_file_size(FILE *file, size_t *size);

/// Reads any format through assimp.
acre_result acre_import_read_assimp(const import_job *job, acre_import_model **out);

/// Reads a glTF from memory, and the files beside it that it names.
/// @param needs_assimp receives whether that is a job for assimp: it is no glTF, or one of version
/// 1 or with Draco's compression. The result is then ACRE_OK, and there is no model yet.
acre_result acre_import_read_gltf(const import_job *job, const void *bytes, size_t size,
                                  acre_import_model **out, bool *needs_assimp);

#endif
