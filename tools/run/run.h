// SPDX-License-Identifier: MIT
// run.h - `acre run`: a scene, cars, a flying camera, culled frame by frame.
#ifndef ACRE_TOOLS_RUN_H
#define ACRE_TOOLS_RUN_H

// argv[0] is the name of the command. Returns the exit status: 0 all well, 1 a failure or a
// visible set that differs from brute force, 2 bad arguments.
int run_command(int argc, char **argv);

#endif
