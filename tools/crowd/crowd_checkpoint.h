// SPDX-License-Identifier: MIT
// crowd_checkpoint.h - writes checkpoints of a crowd into a folder: a set of files for a tick.
//
// A set gets its name when all its files are on the disk. So whatever is killed at whatever moment,
// and wherever the disk is full, each folder with such a name is whole. The newest two of a world
// stay. What a killed run left unfinished is not read, and is removed once a later checkpoint is
// whole. What the run did not write (see crowd_set.h) stays as it is; where that has a set's name,
// this checkpoint is left out, with a warning.
//
// A folder is one run's at a time: the lock ends with the process that took it. Of the ranks of one
// run only one locks, opens and closes.
//
// Typical use:
//     crowd_checkpoint_lock(&folder, &failure);                     // once, before all
//     crowd_checkpoint_open(&folder, tick, &failure);
//     crowd_checkpoint_write(&folder, crowd, tick, &failure);       // each part
//     crowd_checkpoint_close(&folder, tick, &failure);              // when all have written
#ifndef ACRE_TOOLS_CROWD_CHECKPOINT_H
#define ACRE_TOOLS_CROWD_CHECKPOINT_H

#include "crowd_set.h"

// Those that return false write a message that names a file or folder.

// Makes the folder, and refuses one that another run has locked.
bool crowd_checkpoint_lock(const crowd_folder *folder, crowd_failure *failure);

typedef enum crowd_opened { CHECKPOINT_FAILED, CHECKPOINT_LEFT_OUT, CHECKPOINT_OPEN } crowd_opened;

// CHECKPOINT_LEFT_OUT: there is something else of that name; a warning says so.
crowd_opened crowd_checkpoint_open(const crowd_folder *folder, uint32_t tick,
                                   crowd_failure *failure);

bool crowd_checkpoint_write(const crowd_folder *folder, const crowd_part *crowd, uint32_t tick,
                            crowd_failure *failure);

// Where a part could not be written: removes what is there of this checkpoint.
void crowd_checkpoint_abandon(const crowd_folder *folder, uint32_t tick);

bool crowd_checkpoint_close(const crowd_folder *folder, uint32_t tick, crowd_failure *failure);

#endif
