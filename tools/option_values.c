// SPDX-License-Identifier: MIT
// option_values.c - what the commands of `acre` share when they read their command lines.
#include "option_values.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Digits only: strtoull alone would take a sign, blanks and "12x".
bool option_parse_number(const char *text, const number_range *range, uint64_t *out, char *message,
                         size_t message_size)
{
    errno = 0;
    char *end = NULL;
    const unsigned long long value = strtoull(text, &end, 10);
    const bool is_number = text[0] && strspn(text, "0123456789") == strlen(text) && errno == 0;
    if (!is_number || value < range->least || value > range->most) {
        snprintf(message, message_size,
                 "%s takes a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'", range->option,
                 range->least, range->most, text);
        return false;
    }
    *out = value;
    return true;
}

bool option_complain(int option, char **argv, char *message, size_t message_size)
{
    if (option == ':') {
        snprintf(message, message_size, "%s needs a value", argv[optind - 1]);
    } else if (optopt && optopt < 256) {
        snprintf(message, message_size, "there is no option -%c", optopt);
    } else {
        snprintf(message, message_size, "there is no option %s", argv[optind - 1]);
    }
    return false;
}
