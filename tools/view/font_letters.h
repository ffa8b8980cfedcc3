// SPDX-License-Identifier: MIT
// font_letters.h - a picture of the letters that texts are drawn with, made by make_font.
#ifndef ACRE_TOOLS_FONT_LETTERS_H
#define ACRE_TOOLS_FONT_LETTERS_H

#include <stdbool.h>

enum {
    FONT_WIDTH = 512,
    FONT_HEIGHT = 256,
    FONT_FIRST = 32, // the first letter's code
    FONT_LETTERS = 95,
    FONT_SIZES = 2
};
#define FONT_SMALL_HEIGHT 16.0f // pixels from one line to the next
#define FONT_LARGE_HEIGHT 30.0f

typedef struct font_letter {
    int x0, y0, x1, y1; // in the picture, pixels
    float left, top;    // of the letter's rectangle from the pen
    float advance;      // of the pen
} font_letter;

extern const font_letter font_letters[FONT_SIZES][FONT_LETTERS];

// A byte a pixel, rows from the top, 255 inside a letter. The last pixel is 255.
extern const unsigned char font_picture[FONT_WIDTH * FONT_HEIGHT];

#endif
