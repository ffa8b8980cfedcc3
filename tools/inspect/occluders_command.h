// SPDX-License-Identifier: MIT
// occluders_command.h - `acre occluders`: writes what is found in the meshes of a glTF into it.
#ifndef ACRE_TOOLS_OCCLUDERS_COMMAND_H
#define ACRE_TOOLS_OCCLUDERS_COMMAND_H

#include "options.h"

// Returns the program's exit status.
int occluders_command(int argc, char **argv);

extern const option_table occluders_option_table;

#endif
