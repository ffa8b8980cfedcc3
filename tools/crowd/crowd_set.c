// SPDX-License-Identifier: MIT
// crowd_set.c - names, owners and removal of sets of checkpoint files.
#include "crowd_set.h"

#include "options.h"
#include "plain_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// How a file begins: the magic of acre/partition_checkpoint.h with its version, the world, the
// tick.
enum { HEAD_BYTES = 24 };

bool crowd_fail(crowd_failure *failure, const char *path, const char *reason)
{
    snprintf(failure->message, sizeof failure->message, "%.300s: %.180s", path, reason);
    return false;
}

void crowd_warn(const crowd_folder *folder, const char *message, const char *what)
{
    char text[CROWD_PATH_BYTES + 256];
    snprintf(text, sizeof text, "%s; %s", message, what);
    (void)options_complain(folder->program, text, 1);
}

uint64_t crowd_world_of(const crowd_def *def)
{
    return def->seed * 0x9e3779b97f4a7c15u ^ ((uint64_t)def->walkers << 32 | def->area);
}

// ---- names ----

static const char *end_of_name(bool is_whole)
{
    return is_whole ? "" : ".writing";
}

void crowd_set_path(char *path, const char *folder, uint32_t tick, bool is_whole)
{
    const int length = snprintf(path, CROWD_PATH_BYTES, "%s/tick_%08" PRIu32 "%s", folder, tick,
                                end_of_name(is_whole));
    path[0] = length < CROWD_PATH_BYTES ? path[0] : '\0';
}

void crowd_part_path(char *path, const char *folder, uint32_t tick, uint32_t part, bool is_whole)
{
    char set[CROWD_PATH_BYTES];
    crowd_set_path(set, folder, tick, is_whole);
    const int length = snprintf(path, CROWD_PATH_BYTES, "%s/part_%05" PRIu32, set, part);
    path[0] = set[0] && length < CROWD_PATH_BYTES ? path[0] : '\0';
}

// Whether the name is the start, a number as it is printed, and the end.
static bool read_name(const char *name, const char *start, int digits, const char *end,
                      uint32_t *number)
{
    char expected[64];
    const size_t length = strlen(start);
    *number = (uint32_t)strtoul(strncmp(name, start, length) == 0 ? name + length : "", NULL, 10);
    snprintf(expected, sizeof expected, "%s%0*" PRIu32 "%s", start, digits, *number, end);
    return strcmp(name, expected) == 0;
}

static int compare_ticks(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first < second) - (first > second);
}

bool crowd_set_list(const char *folder, bool is_whole, crowd_ticks *out)
{
    *out = (crowd_ticks){NULL, 0};
    DIR *const entries = opendir(folder);
    bool is_good = entries != NULL;
    size_t capacity = 0;
    for (struct dirent *entry; is_good && (entry = readdir(entries));) {
        uint32_t tick;
        if (!read_name(entry->d_name, "tick_", 8, end_of_name(is_whole), &tick)) {
            continue;
        }
        if (out->count == capacity) {
            capacity = 2 * capacity + 64;
            uint32_t *const ticks = realloc(out->ticks, capacity * sizeof *ticks);
            is_good = ticks != NULL;
            out->ticks = ticks ? ticks : out->ticks;
        }
        if (is_good) {
            out->ticks[out->count++] = tick;
        }
    }
    const int reason = errno;
    if (entries) {
        closedir(entries);
    }
    if (!is_good) {
        free(out->ticks);
        *out = (crowd_ticks){NULL, 0};
    } else if (out->count > 0) {
        qsort(out->ticks, out->count, sizeof *out->ticks, compare_ticks);
    }
    errno = reason;
    return is_good;
}

// ---- owners ----

static void put_word(unsigned char *bytes, uint64_t word)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(word >> (8 * i));
    }
}

// A link is nobody's own.
static bool is_own_file(int set, const char *name, uint64_t world, uint32_t tick, bool is_whole)
{
    uint32_t part;
    struct stat status;
    if (!read_name(name, "part_", 5, "", &part) ||
        fstatat(set, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    FILE *const file = plain_file_open(set, name);
    if (!file) {
        return false;
    }
    unsigned char own[HEAD_BYTES] = {'a', 'c', 'r', 'e', 'c', 'p', 0, 1}, bytes[HEAD_BYTES];
    put_word(own + 8, world);
    put_word(own + 16, tick);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return (size == sizeof bytes || !is_whole) && memcmp(bytes, own, size) == 0;
}

typedef struct set_counts {
    size_t own, foreign;
} set_counts;

// Counts the files of a set, and removes its own where that is wanted.
static set_counts visit_set(int set, const crowd_folder *folder, uint32_t tick, bool is_whole,
                            bool is_removed)
{
    set_counts counts = {0, 0};
    DIR *const entries = fdopendir(set);
    if (!entries) {
        close(set);
        return (set_counts){0, 1};
    }
    const uint64_t world = crowd_world_of(folder->def);
    for (struct dirent *entry; (entry = readdir(entries));) {
        const char *const name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
            continue;
        }
        const bool is_own = is_own_file(set, name, world, tick, is_whole);
        *(is_own ? &counts.own : &counts.foreign) += 1;
        if (is_own && is_removed && unlinkat(set, name, 0) != 0) {
            crowd_warn(folder, name, strerror(errno));
        }
    }
    closedir(entries);
    return counts;
}

// A link to a folder is none. @return a descriptor; -1 with errno
static int open_set(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        return -1;
    }
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode) ? plain_folder_open(AT_FDCWD, path) : -1;
}

crowd_owner crowd_set_owner(const crowd_folder *folder, uint32_t tick, bool is_whole)
{
    char path[CROWD_PATH_BYTES];
    crowd_set_path(path, folder->path, tick, is_whole);
    const int set = open_set(path);
    if (set < 0) {
        return errno == ENOENT ? SET_ABSENT : SET_FOREIGN;
    }
    const set_counts counts = visit_set(set, folder, tick, is_whole, false);
    if (counts.foreign > 0) {
        return counts.own > 0 ? SET_MIXED : SET_FOREIGN;
    }
    return counts.own > 0 || !is_whole ? SET_OWN : SET_FOREIGN;
}

void crowd_set_remove(const crowd_folder *folder, uint32_t tick, bool is_whole)
{
    char path[CROWD_PATH_BYTES];
    crowd_set_path(path, folder->path, tick, is_whole);
    const int set = open_set(path);
    if (set < 0) {
        return;
    }
    const set_counts counts = visit_set(set, folder, tick, is_whole, true);
    if (counts.foreign == 0 && rmdir(path) != 0) {
        crowd_warn(folder, path, strerror(errno));
    }
}
