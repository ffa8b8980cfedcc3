// SPDX-License-Identifier: MIT
// completion.h - scripts that complete the words of a command line of `acre` in a shell.
//
// They are made of the same tables as the checks of the options and the text of --help.
#ifndef ACRE_TOOLS_COMPLETION_H
#define ACRE_TOOLS_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

// shell: "bash" or "zsh". Returns false for another one and writes nothing.
bool completion_print(const char *shell, FILE *out);

#endif
