// SPDX-License-Identifier: MIT
// crowd_set.h - sets of checkpoint files in a folder that others use, too: names, owners, removal.
//
// A set is a folder FOLDER/tick_N with a file part_K for each part. While parts write, its name is
// FOLDER/tick_N.writing.
//
// Words used here:
//     own      a file that has such a name and begins as a checkpoint of this world and tick; in an
//              unfinished set also one that ends before that shows
//     foreign  everything else. It is neither removed nor changed
#ifndef ACRE_TOOLS_CROWD_SET_H
#define ACRE_TOOLS_CROWD_SET_H

#include "crowd_part.h"

typedef struct crowd_failure {
    char message[512];
} crowd_failure;

// A folder of checkpoints, and whose.
typedef struct crowd_folder {
    const char *program; // which writes warnings: "crowd"
    const char *path;
    const crowd_def *def;
} crowd_folder;

enum { CROWD_PATH_BYTES = 4096 };

// Writes "PATH: REASON" to the failure. @return false
bool crowd_fail(crowd_failure *failure, const char *path, const char *reason);

// Prints "acre PROGRAM: MESSAGE; WHAT".
void crowd_warn(const crowd_folder *folder, const char *message, const char *what);

// What tells this crowd from others: all that its walkers come from.
uint64_t crowd_world_of(const crowd_def *def);

void crowd_set_path(char *path, const char *folder, uint32_t tick, bool is_whole);

// "" where the path is too long: opening it fails.
void crowd_part_path(char *path, const char *folder, uint32_t tick, uint32_t part, bool is_whole);

typedef struct crowd_ticks {
    uint32_t *ticks; // the newest first
    size_t count;
} crowd_ticks;

// The ticks for which there is a name in the folder, whatever it names. The caller frees them.
// Returns false with errno.
bool crowd_set_list(const char *folder, bool is_whole, crowd_ticks *out);

typedef enum crowd_owner {
    SET_ABSENT,
    SET_OWN,    // all files are; an unfinished set may have none
    SET_MIXED,  // some are
    SET_FOREIGN // no file is, or it is no folder
} crowd_owner;

crowd_owner crowd_set_owner(const crowd_folder *folder, uint32_t tick, bool is_whole);

// Removes the own files of a set, and its folder if that is empty then.
void crowd_set_remove(const crowd_folder *folder, uint32_t tick, bool is_whole);

#endif
