// SPDX-License-Identifier: MIT
// page_text.c - JSON that a page's script reads, written piece by piece.
#include "page_text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void page_text_add(page_text *out, const char *format, ...)
{
    const size_t room = sizeof out->text - out->length;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(out->text + out->length, room, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < room);
    out->length += length > 0 && (size_t)length < room ? (size_t)length : 0;
}

void page_text_add_quoted(page_text *out, const char *text)
{
    page_text_add(out, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\') {
            page_text_add(out, "\\%c", *at);
        } else if (*at < 0x20) {
            page_text_add(out, "\\u%04x", *at);
        } else {
            page_text_add(out, "%c", *at);
        }
    }
    page_text_add(out, "\"");
}
