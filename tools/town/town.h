// SPDX-License-Identifier: MIT
// town.h - `acre town`: a server without a window, of players, mobs and projectiles, and what it
// would send in each tick.
#ifndef ACRE_TOOLS_TOWN_H
#define ACRE_TOOLS_TOWN_H

#include "options.h"

// argv[0] is "town". @return an exit status.
int town_command(int argc, char **argv);

extern const option_table town_option_table;

#endif
