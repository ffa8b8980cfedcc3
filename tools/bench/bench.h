// SPDX-License-Identifier: MIT
// bench.h - `acre bench`: Acre beside loops and trees of others, in one run.
#ifndef ACRE_TOOLS_BENCH_H
#define ACRE_TOOLS_BENCH_H

// argv[0] is the name of the command. Returns the exit status: 0 all well, 1 a failure or a set
// that differs from the reference, 2 bad arguments.
int bench_command(int argc, char **argv);

#endif
