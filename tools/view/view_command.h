// SPDX-License-Identifier: MIT
// view_command.h - the command `acre view`.
#ifndef ACRE_TOOLS_VIEW_COMMAND_H
#define ACRE_TOOLS_VIEW_COMMAND_H

// Opens a window, or draws a picture with --png. Returns the exit status: 0 all well, 1 a failure,
// 2 bad arguments.
int view_command(int argc, char **argv);

#endif
