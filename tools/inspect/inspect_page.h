// SPDX-License-Identifier: MIT
// inspect_page.h - puts a file into the viewer's page.
#ifndef ACRE_TOOLS_INSPECT_PAGE_H
#define ACRE_TOOLS_INSPECT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

// Writes a page that carries the bytes, compressed, and the name under which it shows them. The
// page without a file is looked for beside the program and where tools/package.sh builds it; the
// variable ACRE_PAGE names another place. Returns false and a message.
bool inspect_write_page(const char *path, const char *name, const void *bytes, size_t size,
                        char *message, size_t message_size);

// Whether the page without a file is there. Returns false and a message.
bool inspect_page_is_there(char *message, size_t message_size);

#endif
