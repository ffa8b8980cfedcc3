// SPDX-License-Identifier: MIT
// crowd_restart.h - finds a checkpoint of a crowd in a folder, and loads it.
//
// Typical use, on each rank, where only one of them finds:
//     crowd_restart_find(&folder, last, &tick, &failure);
//     crowd_restart_load(&folder, tick, part, crowd, &failure);
#ifndef ACRE_TOOLS_CROWD_RESTART_H
#define ACRE_TOOLS_CROWD_RESTART_H

#include "crowd_set.h"

// The newest whole set of this world at or before the tick `last`, which is checked to the last
// byte; where there is none, the newest after it. Sets that it passes over are named in warnings.
// Returns false and a message where there is no set.
bool crowd_restart_find(const crowd_folder *folder, uint32_t last, uint32_t *tick,
                        crowd_failure *failure);

// Adds the walkers of every file of a set whose number is `part` modulo the number of parts.
// Returns false and a message.
bool crowd_restart_load(const crowd_folder *folder, uint32_t tick, uint32_t part, crowd_part *crowd,
                        crowd_failure *failure);

#endif
