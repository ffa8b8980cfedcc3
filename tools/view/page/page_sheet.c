// SPDX-License-Identifier: MIT
// page_sheet.c - the picture's texts, for a page that has elements for them: sharp and of full size
// however small the picture is. In the place of sheet_text.c.
#include "page_sheet.h"

#include "page_text.h"
#include "sheet.h"

// About: the page's letters are those of the visitor's machine.
#define LETTER_WIDTH 7.5f
#define LINE_HEIGHT 18.0f

static page_text texts;

// A texel that is full, for shapes.
void sheet_upload_letters(void)
{
    static const uint8_t full = 255;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, 1, 1, 0, GL_RED, GL_UNSIGNED_BYTE, &full);
}

static void add(const char *kind, float x, float y, uint32_t rgba, const char *text)
{
    page_text_add(&texts, "%s[\"%s\",%.1f,%.1f,\"#%08x\",", texts.length ? "," : "[", kind,
                  (double)x, (double)y, (unsigned)rgba);
    page_text_add_quoted(&texts, text);
    page_text_add(&texts, "]");
}

float sheet_text_height(sheet_font font)
{
    (void)font;
    return LINE_HEIGHT;
}

float sheet_text_width(sheet_font font, const char *text)
{
    (void)font;
    float width = 0.0f, widest = 0.0f;
    for (; *text; text++) {
        width = *text == '\n' ? 0.0f : width + LETTER_WIDTH;
        widest = width > widest ? width : widest;
    }
    return widest;
}

float sheet_text(sheet *s, sheet_font font, float x, float y, uint32_t rgba, const char *text)
{
    (void)s;
    add("text", x, y, rgba, text);
    return sheet_text_width(font, text);
}

void sheet_note(sheet *s, sheet_font font, float x, float y, const char *text)
{
    (void)s;
    (void)font;
    add("note", x, y, 0, text);
}

void sheet_label(sheet *s, float x, float y, const char *text)
{
    (void)s;
    add("label", x, y, 0, text);
}

void sheet_key(sheet *s, float x, float y, uint32_t rgba, const char *text)
{
    (void)s;
    add("key", x, y, rgba, text);
}

void sheet_notice(sheet *s, float right, float bottom, const char *text)
{
    (void)s;
    add("notice", right, bottom, 0, text);
}

const char *page_sheet_texts(void)
{
    page_text_add(&texts, texts.length ? "]" : "[]");
    texts.length = 0; // what is there stays until something is added
    return texts.text;
}
