// SPDX-License-Identifier: MIT
// plain_file.h - files and folders that others may have put there: opened without waiting, refused
// where they are something else, locked, and kept on the disk.
#ifndef ACRE_TOOLS_PLAIN_FILE_H
#define ACRE_TOOLS_PLAIN_FILE_H

#include <stdbool.h>
#include <stdio.h>

// Opens a plain file to read it. A pipe, a socket, a device and a folder are refused at once, with
// errno; opening one of them could wait for ever. A link is followed.
// @param folder descriptor of the folder that a relative path begins in; or AT_FDCWD
FILE *plain_file_open(int folder, const char *path);

// Why one of these functions failed: of errno.
const char *plain_file_reason(void);

// Opens a folder, and nothing else. @return a descriptor; -1 with errno.
int plain_folder_open(int folder, const char *path);

typedef enum folder_lock {
    FOLDER_LOCKED,
    FOLDER_IN_USE,   // another process has locked it
    FOLDER_NO_LOCKS, // this file system has no locks
    FOLDER_ERROR     // errno says why
} folder_lock;

// Locks a folder for this process, by a file of that name in it, which stays there. The lock ends
// with the process, however that ends. Of a file that is there already nothing is changed.
folder_lock plain_folder_lock(const char *folder, const char *name);

// Names that were made or changed in a folder are on the disk. @return false with errno.
bool plain_folder_sync(const char *path);

// The same for the folder that the path stands in.
bool plain_folder_sync_around(const char *path);

#endif
