// SPDX-License-Identifier: MIT
// crowd.h - `acre crowd`: walkers who steer by their neighbors, in a world of one part or of many.
#ifndef ACRE_TOOLS_CROWD_H
#define ACRE_TOOLS_CROWD_H

// argv[0] is "crowd". @return an exit status.
int crowd_command(int argc, char **argv);

#endif
