// SPDX-License-Identifier: MIT
// inspect.h - `acre inspect`: what is in a model or a recording, as numbers or as a page.
#ifndef ACRE_TOOLS_INSPECT_H
#define ACRE_TOOLS_INSPECT_H

#include "options.h"

// Returns the program's exit status.
int inspect_command(int argc, char **argv);

extern const option_table inspect_option_table;

#endif
