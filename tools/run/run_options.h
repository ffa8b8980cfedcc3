// SPDX-License-Identifier: MIT
// run_options.h - the command line of `acre run`.
#ifndef ACRE_TOOLS_RUN_OPTIONS_H
#define ACRE_TOOLS_RUN_OPTIONS_H

#include "options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_MAX_FRAMES 1000000u
#define RUN_MAX_CARS 10000000u

typedef struct run_options {
    const char *scene_path;
    const char *json_path; // NULL: none
    const char *svg_name;  // as it was given; NULL: it was not
    char svg_path[1024];   // empty: none
    uint32_t frames;
    uint32_t cars;
    uint32_t workers; // threads
    uint64_t seed;
    uint32_t check_every; // frames; 0: never
    bool has_occlusion;
    bool help;
} run_options;

// argv[0] is the program's name and is skipped. Strings stay argv's. Where no picture is named it
// is out/NAME.svg, NAME the scene file's without folder and ending.
// Returns false and a message without a full stop if an argument is unknown, has no value or a bad
// one; *out is then undefined.
bool run_options_parse(int argc, char **argv, run_options *out, char *message, size_t message_size);

extern const option_table run_option_table;

#endif
