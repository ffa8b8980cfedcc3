// SPDX-License-Identifier: MIT
// png_writer.c - a picture of at most 16 colors as a PNG file, by libpng.
#include "png_writer.h"

#include "output_file.h"

#include <png.h>

bool png_write(const png_picture *picture, const char *path)
{
    png_byte map[PNG_COLORS][3];
    for (int i = 0; i < PNG_COLORS; i++) {
        for (int k = 0; k < 3; k++) {
            map[i][k] = (png_byte)(picture->colors[i] >> (16 - 8 * k));
        }
    }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = picture->width,
                       .height = picture->height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = PNG_COLORS};
    output_file file;
    char message[256];
    if (!output_open(&file, path, message, sizeof message)) {
        return false;
    }
    if (!png_image_write_to_stdio(&image, file.stream, 0, picture->pixels, 0, map)) {
        output_discard(&file);
        return false;
    }
    return output_close(&file, message, sizeof message);
}
