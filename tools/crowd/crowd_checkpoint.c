// SPDX-License-Identifier: MIT
// crowd_checkpoint.c - writes sets of checkpoint files: all of a set, or nothing.
#define _GNU_SOURCE // renameat2

#include "crowd_checkpoint.h"

#include "output_file.h"
#include "plain_file.h"

#include <acre/partition_checkpoint.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STAY = 2 };

static const char lock_name[] = ".acre_crowd.lock";

static bool fail_errno(crowd_failure *failure, const char *path)
{
    return crowd_fail(failure, path, plain_file_reason());
}

bool crowd_checkpoint_lock(const crowd_folder *folder, crowd_failure *failure)
{
    char path[CROWD_PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/%s", folder->path, lock_name);
    if (length >= CROWD_PATH_BYTES) {
        return crowd_fail(failure, folder->path, strerror(ENAMETOOLONG));
    }
    if (!output_make_folders(path)) {
        return fail_errno(failure, folder->path);
    }
    switch (plain_folder_lock(folder->path, lock_name)) {
    case FOLDER_LOCKED:
        return plain_folder_sync_around(folder->path) || errno == EACCES ||
               fail_errno(failure, folder->path);
    case FOLDER_IN_USE:
        return crowd_fail(failure, folder->path, "another run writes its checkpoints there");
    case FOLDER_NO_LOCKS:
        crowd_warn(folder, folder->path, "it cannot be locked: let no other run write there");
        return true;
    default:
        return fail_errno(failure, errno == ENOTDIR ? folder->path : path);
    }
}

static crowd_opened leave_out(const crowd_folder *folder, const char *path)
{
    crowd_warn(folder, path, "it is not this run's: there is no checkpoint of this tick");
    return CHECKPOINT_LEFT_OUT;
}

crowd_opened crowd_checkpoint_open(const crowd_folder *folder, uint32_t tick,
                                   crowd_failure *failure)
{
    char path[CROWD_PATH_BYTES];
    crowd_set_path(path, folder->path, tick, true);
    const crowd_owner whole = crowd_set_owner(folder, tick, true);
    if (whole == SET_FOREIGN || whole == SET_MIXED) {
        return leave_out(folder, path);
    }
    crowd_set_path(path, folder->path, tick, false);
    const crowd_owner unfinished = crowd_set_owner(folder, tick, false);
    if (unfinished == SET_FOREIGN || unfinished == SET_MIXED) {
        return leave_out(folder, path);
    }
    crowd_set_remove(folder, tick, false);
    if (mkdir(path, 0777) == 0) {
        return CHECKPOINT_OPEN;
    }
    (void)fail_errno(failure, path);
    return CHECKPOINT_FAILED;
}

static bool write_bytes(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

bool crowd_checkpoint_write(const crowd_folder *folder, const crowd_part *crowd, uint32_t tick,
                            crowd_failure *failure)
{
    char path[CROWD_PATH_BYTES];
    output_file file;
    crowd_part_path(path, folder->path, tick, crowd->index, false);
    if (!output_open_new(&file, path, failure->message, sizeof failure->message)) {
        return false;
    }
    errno = 0;
    const acre_result result = acre_partition_save(crowd->part, crowd_world_of(folder->def), tick,
                                                   write_bytes, file.stream);
    if (result == ACRE_OK) {
        return output_close(&file, failure->message, sizeof failure->message);
    }
    (void)crowd_fail(failure, path, errno ? strerror(errno) : acre_result_text(result));
    output_discard(&file);
    return false;
}

void crowd_checkpoint_abandon(const crowd_folder *folder, uint32_t tick)
{
    crowd_set_remove(folder, tick, false);
}

// Removes sets before that of a tick: whole ones but for the newest, and all that are unfinished.
// Since the folder is one run's, nobody writes those any more.
static void remove_old(const crowd_folder *folder, uint32_t tick)
{
    for (int is_whole = 0; is_whole < 2; is_whole++) {
        crowd_ticks old;
        int kept = is_whole; // the set of the tick itself
        if (!crowd_set_list(folder->path, is_whole != 0, &old)) {
            crowd_warn(folder, folder->path, strerror(errno));
        }
        for (size_t i = 0; i < old.count; i++) {
            const crowd_owner owner = old.ticks[i] < tick
                                          ? crowd_set_owner(folder, old.ticks[i], is_whole != 0)
                                          : SET_FOREIGN;
            if (owner != SET_OWN && owner != SET_MIXED) {
                continue;
            }
            if (!is_whole || kept >= STAY) {
                crowd_set_remove(folder, old.ticks[i], is_whole != 0);
            }
            kept++;
        }
        free(old.ticks);
    }
}

// Gives a set its name. One of the same tick, of an earlier run, is never gone before the new one
// is there, where the system can exchange two names.
static bool name_set(const crowd_folder *folder, uint32_t tick, const char *writing,
                     const char *whole)
{
    if (crowd_set_owner(folder, tick, true) == SET_ABSENT) {
        return rename(writing, whole) == 0;
    }
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, writing, AT_FDCWD, whole, RENAME_EXCHANGE) == 0) {
        crowd_set_remove(folder, tick, false);
        return true;
    }
#endif
    crowd_set_remove(folder, tick, true);
    return rename(writing, whole) == 0;
}

bool crowd_checkpoint_close(const crowd_folder *folder, uint32_t tick, crowd_failure *failure)
{
    char writing[CROWD_PATH_BYTES], whole[CROWD_PATH_BYTES];
    crowd_set_path(writing, folder->path, tick, false);
    crowd_set_path(whole, folder->path, tick, true);
    const crowd_owner owner = crowd_set_owner(folder, tick, true);
    if (owner == SET_FOREIGN || owner == SET_MIXED) { // somebody was faster
        crowd_checkpoint_abandon(folder, tick);
        (void)leave_out(folder, whole);
        return true;
    }
    if (!plain_folder_sync(writing) || !name_set(folder, tick, writing, whole) ||
        !plain_folder_sync(folder->path)) {
        return fail_errno(failure, whole);
    }
    remove_old(folder, tick);
    return true;
}
