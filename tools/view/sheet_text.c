// SPDX-License-Identifier: MIT
// sheet_text.c - texts on the picture, from a picture of their letters.
#include "font_letters.h"
#include "sheet.h"

#include <assert.h>
#include <math.h>

#define TAB 72.0f // pixels from a line's begin
#define BACKGROUND 0x10161cc8u

void sheet_upload_letters(void)
{
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, FONT_WIDTH, FONT_HEIGHT, 0, GL_RED, GL_UNSIGNED_BYTE,
                 font_picture);
}

static const font_letter *letter_of(sheet_font font, char letter)
{
    const int number = (unsigned char)letter - FONT_FIRST;
    const bool is_known = number >= 0 && number < FONT_LETTERS;
    return &font_letters[font][is_known ? number : '?' - FONT_FIRST];
}

float sheet_text_height(sheet_font font)
{
    return font == SHEET_SMALL ? FONT_SMALL_HEIGHT + 2.0f : FONT_LARGE_HEIGHT + 4.0f;
}

float sheet_text(sheet *s, sheet_font font, float x, float y, uint32_t rgba, const char *text)
{
    assert(text);
    const float ascent =
        font == SHEET_SMALL ? 0.82f * FONT_SMALL_HEIGHT : 0.82f * FONT_LARGE_HEIGHT;
    float pen = x, widest = 0.0f;
    for (; *text; text++) {
        if (*text == '\n') {
            pen = x;
            y += sheet_text_height(font);
            continue;
        }
        if (*text == '\t') {
            pen = x + TAB;
            continue;
        }
        const font_letter *const l = letter_of(font, *text);
        const float left = floorf(pen + l->left + 0.5f), top = floorf(y + ascent + l->top + 0.5f);
        const float right = left + (float)(l->x1 - l->x0), bottom = top + (float)(l->y1 - l->y0);
        float corners[4][4] = {{left, top, (float)l->x0, (float)l->y0},
                               {right, top, (float)l->x1, (float)l->y0},
                               {right, bottom, (float)l->x1, (float)l->y1},
                               {left, bottom, (float)l->x0, (float)l->y1}};
        sheet_quad(s, corners, rgba);
        pen += l->advance;
        widest = fmaxf(widest, pen - x);
    }
    return widest;
}

float sheet_text_width(sheet_font font, const char *text)
{
    float width = 0.0f, widest = 0.0f;
    for (; *text; text++) {
        width = *text == '\n'   ? 0.0f
                : *text == '\t' ? TAB
                                : width + letter_of(font, *text)->advance;
        widest = fmaxf(widest, width);
    }
    return widest;
}

void sheet_note(sheet *s, sheet_font font, float x, float y, const char *text)
{
    float lines = 1.0f;
    for (const char *at = text; *at; at++) {
        lines += *at == '\n' ? 1.0f : 0.0f;
    }
    sheet_rectangle(s, x, y, sheet_text_width(font, text) + 12.0f,
                    lines * sheet_text_height(font) + 5.0f, 0x10161cd8u);
    sheet_text(s, font, x + 6.0f, y + 2.0f, 0xf2f4f6ffu, text);
}

void sheet_label(sheet *s, float x, float y, const char *text)
{
    const float left = x - 0.5f * sheet_text_width(SHEET_SMALL, text);
    const float top = y - sheet_text_height(SHEET_SMALL);
    sheet_text(s, SHEET_SMALL, left + 1.0f, top + 1.0f, 0x000000c0u, text);
    sheet_text(s, SHEET_SMALL, left, top, 0xffffffffu, text);
}

void sheet_key(sheet *s, float x, float y, uint32_t rgba, const char *text)
{
    const float width = sheet_text_width(SHEET_SMALL, text) + 34.0f;
    sheet_rectangle(s, x, y, width, SHEET_KEY_HEIGHT, BACKGROUND);
    sheet_rectangle(s, x + 6.0f, y + 5.0f, 12.0f, 12.0f, rgba);
    sheet_text(s, SHEET_SMALL, x + 26.0f, y + 2.0f, 0xf4f5f6ffu, text);
}

void sheet_notice(sheet *s, float right, float bottom, const char *text)
{
    const float x = right - sheet_text_width(SHEET_SMALL, text) - 12.0f;
    sheet_note(s, SHEET_SMALL, x, bottom - 23.0f, text);
}
