// SPDX-License-Identifier: MIT
// option_values.h - what the commands of `acre` share when they read their command lines.
#ifndef ACRE_TOOLS_OPTION_VALUES_H
#define ACRE_TOOLS_OPTION_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct number_range {
    const char *option; // its name, for messages
    uint64_t least, most;
} number_range;

// A whole number of digits alone. Returns false and a message without a full stop where it is none
// or out of range.
bool option_parse_number(const char *text, const number_range *range, uint64_t *out, char *message,
                         size_t message_size);

// What getopt_long calls wrong, '?' or ':', in words. Returns false.
bool option_complain(int option, char **argv, char *message, size_t message_size);

#endif
