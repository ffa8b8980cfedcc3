// SPDX-License-Identifier: MIT
// commands.h - the commands of the program `acre`, in the order in which its help names them.
#ifndef ACRE_TOOLS_COMMANDS_H
#define ACRE_TOOLS_COMMANDS_H

#include "options.h"

typedef struct acre_command {
    const char *name;
    const char *brief; // a few words, lower case, no full stop
    const option_table *table;
    int (*run)(int argc, char **argv); // argv[0] is the name; returns the exit status
} acre_command;

// A command without a name ends them.
extern const acre_command acre_commands[];

// NULL: there is no such command.
const acre_command *find_command(const char *name);

#endif
