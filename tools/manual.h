// SPDX-License-Identifier: MIT
// manual.h - manual pages of `acre` and its commands, made of the tables of their options.
#ifndef ACRE_TOOLS_MANUAL_H
#define ACRE_TOOLS_MANUAL_H

#include "commands.h"

// Writes the page of section 1 in the language of man(7). NULL: the page of the program. Every
// command needs a table.
void manual_print(const acre_command *command, FILE *out);

#endif
