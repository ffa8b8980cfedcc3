// SPDX-License-Identifier: MIT
// inspect_print.h - rows on the standard output and as JSON.
#ifndef ACRE_TOOLS_INSPECT_PRINT_H
#define ACRE_TOOLS_INSPECT_PRINT_H

#include "inspect_numbers.h"

// Prints the rows on the standard output, and into a file as JSON unless json_path is NULL. Returns
// false and a message where the file cannot be written.
bool inspect_print_rows(const inspect_rows *rows, const char *json_path, char *message,
                        size_t message_size);

#endif
