// SPDX-License-Identifier: MIT
// agents_options.h - the command line of `acre agents`.
#ifndef ACRE_TOOLS_AGENTS_OPTIONS_H
#define ACRE_TOOLS_AGENTS_OPTIONS_H

#include "agents_world.h"
#include "options.h"

#define AGENTS_MAX_FRAMES 1000000u

typedef struct agents_options {
    agents_def def;
    uint32_t frames;
    uint32_t workers;       // threads
    uint32_t check_every;   // frames; 0: never
    uint32_t picture_every; // frames
    uint32_t view;          // meters that a picture shows, across; 0: all
    const char *svg_folder; // NULL: no pictures of this kind
    const char *png_folder;
    const char *json_path; // NULL: none
    const char *csv_path;
    bool help;
} agents_options;

// argv[0] is the program's name and is skipped. Strings stay argv's. Returns false and a message
// without a full stop if an argument is unknown, has no value or a bad one.
bool agents_options_parse(int argc, char **argv, agents_options *out, char *message,
                          size_t message_size);

extern const option_table agents_option_table;

#endif
