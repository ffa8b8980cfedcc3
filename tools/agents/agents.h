// SPDX-License-Identifier: MIT
// agents.h - `acre agents`: boxes that bounce off each other, frame by frame.
#ifndef ACRE_TOOLS_AGENTS_H
#define ACRE_TOOLS_AGENTS_H

// argv[0] is the name of the command. Returns the exit status: 0 all well, 1 a failure or pairs
// that differ from those of a grid, 2 bad arguments.
int agents_command(int argc, char **argv);

#endif
