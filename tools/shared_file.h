// SPDX-License-Identifier: MIT
// shared_file.h - files that are installed with the program, or stand where it was built.
#ifndef ACRE_SHARED_FILE_H
#define ACRE_SHARED_FILE_H

#include <stddef.h>

/// Looks in share/acre beside the folder of the program, and in that folder itself.
/// @param built where the file stands in the sources; the answer where nobody installed it.
/// @param out receives the path, which may name a file that is not there; cut to size.
void shared_file_path(const char *name, const char *built, char *out, size_t size);

/// The scene that programs take where none is named: San Francisco.
void default_scene_path(char *out, size_t size);

#endif
