// SPDX-License-Identifier: MIT
// picture_file.h - what was drawn, read back and written as a PNG file.
#ifndef ACRE_TOOLS_PICTURE_FILE_H
#define ACRE_TOOLS_PICTURE_FILE_H

#include "gl_parts.h"

// The target's picture, three bytes a pixel, rows from the top. It has been resolved. NULL where
// memory is short; to be freed.
uint8_t *picture_read(const gl_target *target);

// Its depths, a float a pixel, rows from the top.
float *picture_read_depth(const gl_target *target);

// Returns false and a message where the file cannot be written; the path is then as it was before.
bool picture_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height,
                   char *message, size_t message_size);

#endif
