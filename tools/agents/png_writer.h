// SPDX-License-Identifier: MIT
// png_writer.h - a picture of at most 16 colours as a PNG file, without a library.
//
// The pixels are not compressed: half a byte each.
#ifndef ACRE_TOOLS_PNG_WRITER_H
#define ACRE_TOOLS_PNG_WRITER_H

#include <stdbool.h>
#include <stdint.h>

enum { PNG_COLOURS = 16 };

typedef struct png_image {
    uint32_t width, height;        // 1 to 16384
    const uint8_t *pixels;         // rows from the top, a byte per pixel: its colour's number
    uint32_t colours[PNG_COLOURS]; // 0xRRGGBB
} png_image;

// Returns false with errno where the file cannot be written.
bool png_write(const png_image *image, const char *path);

#endif
