// SPDX-License-Identifier: MIT
// view_missing.c - `acre view` where the packages of the viewer were missing: help alone.
#include "view_command.h"
#include "view_names.h"
#include "view_options.h"

#define REASON                                                                                     \
    "This program was built without the viewer: tools/setup.sh view installs what it needs, "      \
    "then build again."

// Any name: nobody here knows better.
bool view_set_sample(void *target, const char *text, const option_message *message)
{
    (void)message;
    *(const char **)target = text;
    return true;
}

bool view_set_overlays(void *target, const char *text, const option_message *message)
{
    (void)target;
    (void)text;
    (void)message;
    return true;
}

int view_command(int argc, char **argv)
{
    view_options options;
    char message[640];
    if (!view_options_parse(argc, argv, &options, message, sizeof message)) {
        return options_complain("view", message, 2);
    }
    if (!options.help) {
        return options_complain("view", REASON, 1);
    }
    options_print_help(&view_option_table, stdout);
    puts("\n" REASON);
    return 0;
}
