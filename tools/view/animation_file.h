// SPDX-License-Identifier: MIT
// animation_file.h - pictures one after the other, written as an animated PNG (APNG) of at most 255
// colors.
//
// Typical use:
//     animation movie = {.width = 640, .height = 360};
//     animation_add(&movie, rgb, 50);                   // takes the pixels
//     animation_write(&movie, "movie.png", 255, message, sizeof message);
//     animation_free(&movie);
#ifndef ACRE_TOOLS_ANIMATION_FILE_H
#define ACRE_TOOLS_ANIMATION_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct animation_frame {
    uint8_t *rgb;          // three bytes a pixel, rows from the top
    uint32_t milliseconds; // that it is shown
} animation_frame;

typedef struct animation {
    uint32_t width, height;
    animation_frame *frames;
    size_t count, capacity;
} animation;

// Adds a picture that malloc made and animation_free frees. NULL, and where memory is short: false.
bool animation_add(animation *a, uint8_t *rgb, uint32_t milliseconds);
void animation_free(animation *a);

// Plays without end. Programs that know no animations show the first picture. colors: at most so
// many, 1 to 255. Returns false and a message; the path is then as it was before.
bool animation_write(const animation *a, const char *path, uint32_t colors, char *message,
                     size_t message_size);

#endif
