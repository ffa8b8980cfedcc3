// SPDX-License-Identifier: MIT
// crowd_checkpoint.h - checkpoints of a crowd in a folder: FOLDER/tick_N has a file for each part.
//
// While parts write, the folder is called FOLDER/tick_N.writing. Only when all files are on the
// disk it gets its name. So whatever is killed at whatever moment, each folder with that name is
// whole. The newest two stay. A folder is one run's at a time: what a killed one left unfinished is
// not read, and is removed once a later checkpoint is whole.
//
// Typical use, on each rank, where only one of them opens and closes:
//     crowd_checkpoint_open(folder, tick, &failure);
//     crowd_checkpoint_write(folder, def, crowd, tick, &failure);   // each part
//     crowd_checkpoint_close(folder, tick, &failure);               // when all have written
//
//     crowd_checkpoint_find(folder, end, &tick, &failure);
//     crowd_checkpoint_load(folder, tick, def, part, crowd, &failure);
#ifndef ACRE_TOOLS_CROWD_CHECKPOINT_H
#define ACRE_TOOLS_CROWD_CHECKPOINT_H

#include "crowd_part.h"

typedef struct crowd_failure {
    char message[512];
} crowd_failure;

// All return false and a message that names a file or folder.

bool crowd_checkpoint_open(const char *folder, uint32_t tick, crowd_failure *failure);
bool crowd_checkpoint_write(const char *folder, const crowd_def *def, const crowd_part *crowd,
                            uint32_t tick, crowd_failure *failure);
bool crowd_checkpoint_close(const char *folder, uint32_t tick, crowd_failure *failure);

// The newest whole checkpoint, which has to be of a tick below `end`.
bool crowd_checkpoint_find(const char *folder, uint32_t end, uint32_t *tick,
                           crowd_failure *failure);

// Checks all files of a checkpoint, and adds the walkers of every file whose number is `part`
// modulo def->parts.
bool crowd_checkpoint_load(const char *folder, uint32_t tick, const crowd_def *def, uint32_t part,
                           crowd_part *crowd, crowd_failure *failure);

#endif
