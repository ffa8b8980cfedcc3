// SPDX-License-Identifier: MIT
// plain_file.c - opens, locks and syncs what others may have put there.
#include "plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int close_with(int file, int reason)
{
    close(file);
    errno = reason;
    return -1;
}

// O_NONBLOCK: a pipe without a writer would wait in open. Of a plain file it changes nothing.
static int open_plain(int folder, const char *path, int flags)
{
    const int file = openat(folder, path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
    struct stat status;
    if (file < 0) {
        return -1;
    }
    if (fstat(file, &status) != 0) {
        return close_with(file, errno);
    }
    return S_ISREG(status.st_mode) ? file
                                   : close_with(file, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
}

const char *plain_file_reason(void)
{
    switch (errno) {
    case EINVAL:
        return "it is no plain file";
    case ELOOP:
        return "it is a link";
    case EPIPE:
        return "nobody writes into this pipe";
    default:
        return strerror(errno);
    }
}

FILE *plain_file_open(int folder, const char *path)
{
    const int file = open_plain(folder, path, O_RDONLY);
    FILE *const stream = file >= 0 ? fdopen(file, "rb") : NULL;
    if (file >= 0 && !stream) {
        (void)close_with(file, errno);
    }
    return stream;
}

int plain_folder_open(int folder, const char *path)
{
    return openat(folder, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
}

folder_lock plain_folder_lock(const char *folder, const char *name)
{
    const int place = plain_folder_open(AT_FDCWD, folder);
    if (place < 0) {
        return FOLDER_ERROR;
    }
    const int file = open_plain(place, name, O_RDWR | O_CREAT | O_NOFOLLOW);
    const int reason = errno;
    close(place);
    errno = reason;
    if (file < 0) {
        return FOLDER_ERROR;
    }
    if (flock(file, LOCK_EX | LOCK_NB) == 0) {
        return FOLDER_LOCKED; // the file stays open as long as the process lives
    }
    (void)close_with(file, errno);
    const bool has_none = errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP;
    return errno == EWOULDBLOCK ? FOLDER_IN_USE : has_none ? FOLDER_NO_LOCKS : FOLDER_ERROR;
}

bool plain_folder_sync(const char *path)
{
    const int folder = plain_folder_open(AT_FDCWD, path);
    if (folder < 0) {
        return false;
    }
    // Some file systems cannot sync a folder, and say so.
    const bool is_good = fsync(folder) == 0 || errno == EINVAL;
    const int reason = errno;
    close(folder);
    errno = reason;
    return is_good;
}

bool plain_folder_sync_around(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 2;
    char *const around = malloc(length + 1);
    if (!around) {
        errno = ENOMEM;
        return false;
    }
    snprintf(around, length + 1, "%s", slash ? path : "./");
    const bool is_good = plain_folder_sync(around);
    const int reason = errno;
    free(around);
    errno = reason;
    return is_good;
}
