// SPDX-License-Identifier: MIT
// picture_file.c - what was drawn, read back and written as a PNG file.
#include "picture_file.h"

#include "output_file.h"

#include <assert.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

// Turns rows upside down; OpenGL's first is the lowest.
static void flip(unsigned char *bytes, size_t row, uint32_t height)
{
    for (uint32_t low = 0, high = height - 1; low < high; low++, high--) {
        for (size_t i = 0; i < row; i++) {
            const unsigned char byte = bytes[low * row + i];
            bytes[low * row + i] = bytes[high * row + i];
            bytes[high * row + i] = byte;
        }
    }
}

uint8_t *picture_read(const gl_target *target)
{
    assert(target->width > 0 && target->height > 0);
    const size_t pixels = (size_t)target->width * target->height;
    uint8_t *const bytes = malloc(4 * pixels);
    if (!bytes) {
        return NULL;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->resolved);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, (GLsizei)target->width, (GLsizei)target->height, GL_RGBA, GL_UNSIGNED_BYTE,
                 bytes);
    for (size_t i = 0; i < pixels; i++) {
        memmove(bytes + 3 * i, bytes + 4 * i, 3);
    }
    flip(bytes, 3 * (size_t)target->width, target->height);
    return bytes;
}

float *picture_read_depth(const gl_target *target)
{
    float *const depths = calloc((size_t)target->width * target->height, sizeof *depths);
    if (!depths) {
        return NULL;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->resolved);
    glReadPixels(0, 0, (GLsizei)target->width, (GLsizei)target->height, GL_DEPTH_COMPONENT,
                 GL_FLOAT, depths);
    flip((unsigned char *)depths, target->width * sizeof *depths, target->height);
    return depths;
}

bool picture_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height,
                   char *message, size_t message_size)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
    output_file file;
    if (!output_open(&file, path, message, message_size)) {
        return false;
    }
    if (!png_image_write_to_stdio(&image, file.stream, 0, rgb, 0, NULL)) {
        snprintf(message, message_size, "%s: %.64s", path, image.message);
        output_discard(&file);
        return false;
    }
    return output_close(&file, message, message_size);
}
