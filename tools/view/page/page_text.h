// SPDX-License-Identifier: MIT
// page_text.h - JSON that a page's script reads, written piece by piece.
#ifndef ACRE_TOOLS_PAGE_TEXT_H
#define ACRE_TOOLS_PAGE_TEXT_H

#include <stddef.h>

typedef struct page_text {
    char text[32768];
    size_t length;
} page_text;

void page_text_add(page_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// With quotes around it; names may come from files.
void page_text_add_quoted(page_text *out, const char *text);

#endif
