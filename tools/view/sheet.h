// SPDX-License-Identifier: MIT
// sheet.h - texts and shapes drawn flat on the picture: notes, graphs, maps.
//
// Places are pixels from the upper left corner. Colors are 0xRRGGBBAA. What is added is kept until
// sheet_draw draws it, in the order in which it was added.
#ifndef ACRE_TOOLS_SHEET_H
#define ACRE_TOOLS_SHEET_H

#include "gl_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sheet_font { SHEET_SMALL, SHEET_LARGE } sheet_font;

typedef struct sheet_vertex {
    float at[2], letter[2];
    uint8_t rgba[4];
} sheet_vertex;

typedef struct sheet {
    GLuint program, array, buffer, letters;
    GLint size_uniform;
    sheet_vertex *vertices;
    size_t count, capacity;
} sheet;

bool sheet_create(sheet *out, char *message, size_t message_size);
void sheet_free(sheet *s);

void sheet_rectangle(sheet *s, float x, float y, float width, float height, uint32_t rgba);
void sheet_line(sheet *s, const float *from, const float *to, float width, uint32_t rgba);

// Two-dimensional points, counter-clockwise or clockwise.
void sheet_triangle(sheet *s, const float *a, const float *b, const float *c, uint32_t rgba);

// ASCII text whose upper left corner is at x, y; what is no such letter becomes '?'. A newline
// starts another line, a tab a second column. Returns the width.
float sheet_text(sheet *s, sheet_font font, float x, float y, uint32_t rgba, const char *text);

// How wide the widest line of a text would be, and how high a line is.
float sheet_text_width(sheet_font font, const char *text);
float sheet_text_height(sheet_font font);

// Text with a dark box behind it.
void sheet_note(sheet *s, sheet_font font, float x, float y, const char *text);

// Above a place, its middle over it.
void sheet_label(sheet *s, float x, float y, const char *text);

// What a color means: a row of a legend.
void sheet_key(sheet *s, float x, float y, uint32_t rgba, const char *text);
#define SHEET_KEY_HEIGHT 22.0f

// Whose data it is; its lower right corner.
void sheet_notice(sheet *s, float right, float bottom, const char *text);

// Of sheet.c and who draws texts: a page has elements for them in place of sheet_text.c.
// Four corners, each x, y and the place in the picture of letters.
void sheet_quad(sheet *s, float corners[4][4], uint32_t rgba);
// Into the texture that is bound. The last texel is full.
void sheet_upload_letters(void);

// Draws what was added since, on a picture that is so many of the sheet's pixels wide and high, and
// forgets it.
void sheet_draw(sheet *s, float width, float height);

#endif
