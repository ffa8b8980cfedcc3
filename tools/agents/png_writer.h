// SPDX-License-Identifier: MIT
// png_writer.h - a picture of at most 16 colors as a PNG file, by libpng.
#ifndef ACRE_TOOLS_PNG_WRITER_H
#define ACRE_TOOLS_PNG_WRITER_H

#include <stdbool.h>
#include <stdint.h>

enum { PNG_COLORS = 16 };

typedef struct png_picture {
    uint32_t width, height;      // at least 1
    const uint8_t *pixels;       // rows from the top, a byte per pixel: its color's number
    uint32_t colors[PNG_COLORS]; // 0xRRGGBB
} png_picture;

// Returns false, as a rule with errno, where the file cannot be written.
bool png_write(const png_picture *picture, const char *path);

#endif
