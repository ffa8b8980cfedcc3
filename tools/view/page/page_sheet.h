// SPDX-License-Identifier: MIT
// page_sheet.h - the picture's texts, for a page that has elements for them.
#ifndef ACRE_TOOLS_PAGE_SHEET_H
#define ACRE_TOOLS_PAGE_SHEET_H

// JSON: all texts since the last call, each as [kind, x, y, "#rrggbbaa", text].
const char *page_sheet_texts(void);

#endif
