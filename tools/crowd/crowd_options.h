// SPDX-License-Identifier: MIT
// crowd_options.h - the command lines of `acre crowd` and of crowd_mpi.
#ifndef ACRE_TOOLS_CROWD_OPTIONS_H
#define ACRE_TOOLS_CROWD_OPTIONS_H

#include "crowd_part.h"
#include "options.h"

typedef struct crowd_options {
    crowd_def def;
    uint32_t frames, workers, recut_every, checkpoint_every;
    const char *checkpoint; // a folder; NULL: none
    const char *restart;    // a folder; NULL: from the beginning
    const char *json_path;  // NULL: none
    bool help;
} crowd_options;

// What both take where nothing is said.
#define CROWD_DEFAULTS                                                                             \
    {                                                                                              \
        .def = {.walkers = 20000, .parts = 1, .area = 4, .seed = 1}, .frames = 100, .workers = 1,  \
        .recut_every = 16, .checkpoint_every = 50                                                  \
    }

// The first CROWD_OPTIONS_OF_BOTH are options of both; the others of `acre crowd` alone.
enum { CROWD_OPTIONS_OF_BOTH = 9, CROWD_OPTIONS = 13 };
extern const option_spec crowd_option_specs[CROWD_OPTIONS];

extern const option_table crowd_option_table;

#endif
