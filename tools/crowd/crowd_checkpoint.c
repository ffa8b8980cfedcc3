// SPDX-License-Identifier: MIT
// crowd_checkpoint.c - folders and files of checkpoints.
#include "crowd_checkpoint.h"

#include "output_file.h"

#include <acre/partition_checkpoint.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, STAY = 2 };

static bool fail(crowd_failure *failure, const char *path, const char *reason)
{
    snprintf(failure->message, sizeof failure->message, "%.300s: %.180s", path, reason);
    return false;
}

static bool fail_errno(crowd_failure *failure, const char *path)
{
    return fail(failure, path, strerror(errno));
}

static const char *end_of_name(bool is_whole)
{
    return is_whole ? "" : ".writing";
}

static void tick_path(char *path, const char *folder, uint32_t tick, bool is_whole)
{
    snprintf(path, PATH_BYTES, "%s/tick_%08" PRIu32 "%s", folder, tick, end_of_name(is_whole));
}

static void part_path(char *path, const char *folder, uint32_t tick, uint32_t part, bool is_whole)
{
    char of_tick[PATH_BYTES];
    tick_path(of_tick, folder, tick, is_whole);
    const int length = snprintf(path, PATH_BYTES, "%s/part_%05" PRIu32, of_tick, part);
    if (length >= PATH_BYTES) {
        path[0] = '\0'; // too long: opening it fails
    }
}

// What tells this crowd from others: all that its walkers come from.
static uint64_t world_of(const crowd_def *def)
{
    return def->seed * 0x9e3779b97f4a7c15u ^ ((uint64_t)def->walkers << 32 | def->area);
}

// ---- folders ----

// Removes a folder of files. One that is not there is no failure.
static bool remove_folder(const char *path, crowd_failure *failure)
{
    DIR *const folder = opendir(path);
    if (!folder) {
        return errno == ENOENT || fail_errno(failure, path);
    }
    bool is_good = true;
    for (struct dirent *entry; is_good && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            is_good = unlinkat(dirfd(folder), entry->d_name, 0) == 0 || fail_errno(failure, path);
        }
    }
    closedir(folder);
    return is_good && (rmdir(path) == 0 || fail_errno(failure, path));
}

// What a folder contains is on the disk, names included.
static bool sync_folder(const char *path, crowd_failure *failure)
{
    const int file = open(path, O_RDONLY);
    const bool is_good = file >= 0 && fsync(file) == 0;
    if (!is_good) {
        (void)fail_errno(failure, path);
    }
    if (file >= 0) {
        close(file);
    }
    return is_good;
}

// The tick of a checkpoint's folder.
static bool read_name(const char *name, bool is_whole, uint32_t *tick)
{
    char expected[32];
    *tick = (uint32_t)strtoul(strncmp(name, "tick_", 5) == 0 ? name + 5 : "", NULL, 10);
    snprintf(expected, sizeof expected, "tick_%08" PRIu32 "%s", *tick, end_of_name(is_whole));
    return strcmp(name, expected) == 0;
}

// The newest checkpoint below a tick, of those that are whole or of those that are not.
static bool find_below(const char *path, uint64_t below, bool is_whole, uint32_t *tick)
{
    DIR *const folder = opendir(path);
    bool is_found = false;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        uint32_t found;
        if (read_name(entry->d_name, is_whole, &found) && found < below &&
            (!is_found || found > *tick)) {
            *tick = found;
            is_found = true;
        }
    }
    if (folder) {
        closedir(folder);
    }
    return is_found;
}

// ---- writing ----

bool crowd_checkpoint_open(const char *folder, uint32_t tick, crowd_failure *failure)
{
    char path[PATH_BYTES], inside[PATH_BYTES + 2];
    tick_path(path, folder, tick, false);
    if (!remove_folder(path, failure)) {
        return false;
    }
    snprintf(inside, sizeof inside, "%s/", path);
    return output_make_folders(inside) || fail_errno(failure, path);
}

static bool write_bytes(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

bool crowd_checkpoint_write(const char *folder, const crowd_def *def, const crowd_part *crowd,
                            uint32_t tick, crowd_failure *failure)
{
    char path[PATH_BYTES];
    part_path(path, folder, tick, crowd->index, false);
    FILE *const file = fopen(path, "wb");
    if (!file) {
        return fail_errno(failure, path);
    }
    errno = 0;
    const acre_result result =
        acre_partition_save(crowd->part, world_of(def), tick, write_bytes, file);
    const bool is_written = result == ACRE_OK && fflush(file) == 0 && fsync(fileno(file)) == 0;
    const int reason = errno;
    const bool is_closed = fclose(file) == 0;
    if (!is_written || !is_closed) {
        return fail(failure, path, reason ? strerror(reason) : acre_result_text(result));
    }
    return true;
}

// Removes checkpoints before that of a tick: whole ones but for the newest, and all that are
// unfinished. Since the folder is one run's, nobody writes those any more.
static bool remove_old(const char *folder, uint32_t tick, crowd_failure *failure)
{
    char path[PATH_BYTES];
    uint32_t old = tick;
    for (int kept = 1; find_below(folder, old, true, &old); kept++) {
        tick_path(path, folder, old, true);
        if (kept >= STAY && !remove_folder(path, failure)) {
            return false;
        }
    }
    for (old = tick; find_below(folder, old, false, &old);) {
        tick_path(path, folder, old, false);
        if (!remove_folder(path, failure)) {
            return false;
        }
    }
    return true;
}

bool crowd_checkpoint_close(const char *folder, uint32_t tick, crowd_failure *failure)
{
    char writing[PATH_BYTES], whole[PATH_BYTES];
    tick_path(writing, folder, tick, false);
    tick_path(whole, folder, tick, true);
    if (!sync_folder(writing, failure) || !remove_folder(whole, failure)) {
        return false;
    }
    if (rename(writing, whole) != 0) {
        return fail_errno(failure, whole);
    }
    return remove_old(folder, tick, failure) && sync_folder(folder, failure);
}

// ---- reading ----

bool crowd_checkpoint_find(const char *folder, uint32_t end, uint32_t *tick, crowd_failure *failure)
{
    if (!find_below(folder, UINT64_MAX, true, tick)) {
        return fail(failure, folder, "there is no whole checkpoint");
    }
    char reason[128];
    snprintf(reason, sizeof reason, "its checkpoint is of tick %" PRIu32 ", the last is %" PRIu32,
             *tick, end);
    return *tick < end || fail(failure, folder, reason);
}

typedef struct bytes_of_file {
    unsigned char *bytes;
    size_t size;
} bytes_of_file;

static bool read_file(const char *path, bytes_of_file *out, crowd_failure *failure)
{
    errno = 0;
    FILE *const file = fopen(path, "rb");
    *out = (bytes_of_file){0};
    bool is_good = file && fseek(file, 0, SEEK_END) == 0;
    const long size = is_good ? ftell(file) : -1;
    out->bytes = size >= 0 && fseek(file, 0, SEEK_SET) == 0 ? malloc((size_t)size + 1) : NULL;
    out->size = out->bytes ? fread(out->bytes, 1, (size_t)size, file) : 0;
    is_good = out->bytes && out->size == (size_t)size;
    if (!is_good) {
        (void)fail(failure, path, errno ? strerror(errno) : "it cannot be read whole");
        free(out->bytes);
        *out = (bytes_of_file){0};
    }
    if (file) {
        fclose(file);
    }
    return is_good;
}

// Reads and checks the file of a part.
static bool read_part(const char *folder, uint32_t tick, uint32_t part, const crowd_def *def,
                      bytes_of_file *file, acre_checkpoint *header, crowd_failure *failure)
{
    char path[PATH_BYTES], reason[128];
    part_path(path, folder, tick, part, true);
    if (!read_file(path, file, failure)) {
        return false;
    }
    bool is_good =
        acre_checkpoint_read(file->bytes, file->size, header, reason, sizeof reason) == ACRE_OK;
    if (is_good && header->world != world_of(def)) {
        snprintf(reason, sizeof reason, "it is of other walkers, another area or another seed");
        is_good = false;
    }
    if (!is_good) {
        free(file->bytes);
        return fail(failure, path, reason);
    }
    return true;
}

// The parts of the saved world: as part 0 says.
static bool read_part_count(const char *folder, uint32_t tick, const crowd_def *def,
                            uint32_t *count, crowd_failure *failure)
{
    bytes_of_file file;
    acre_checkpoint header;
    if (!read_part(folder, tick, 0, def, &file, &header, failure)) {
        return false;
    }
    free(file.bytes);
    *count = header.part_count;
    return true;
}

static bool load_file(const bytes_of_file *file, uint32_t saved, const crowd_def *def,
                      crowd_part *crowd)
{
    acre_result result = acre_partition_load(crowd->part, file->bytes, file->size);
    if (result != ACRE_OK || saved != def->parts) {
        return result == ACRE_OK;
    }
    uint32_t *const firsts = malloc(saved * sizeof *firsts);
    result = firsts ? acre_checkpoint_get_cut(file->bytes, file->size, firsts, saved)
                    : ACRE_ERROR_OUT_OF_MEMORY;
    result = result == ACRE_OK ? acre_partition_set_cut(crowd->part, firsts) : result;
    free(firsts);
    return result == ACRE_OK;
}

// All files are whole, and of one checkpoint.
static bool check_files(const char *folder, uint32_t tick, uint32_t saved, const crowd_def *def,
                        crowd_failure *failure)
{
    acre_checkpoint *const headers = malloc(saved * sizeof *headers);
    bool is_good = headers || fail(failure, folder, "out of memory");
    for (uint32_t i = 0; i < saved && is_good; i++) {
        bytes_of_file file;
        is_good = read_part(folder, tick, i, def, &file, &headers[i], failure);
        if (is_good) {
            free(file.bytes);
        }
    }
    char path[PATH_BYTES], reason[128];
    tick_path(path, folder, tick, true);
    if (is_good && acre_checkpoint_check_set(headers, saved, reason, sizeof reason) != ACRE_OK) {
        is_good = fail(failure, path, reason);
    }
    free(headers);
    return is_good;
}

bool crowd_checkpoint_load(const char *folder, uint32_t tick, const crowd_def *def, uint32_t part,
                           crowd_part *crowd, crowd_failure *failure)
{
    uint32_t saved = 0;
    bool is_good = read_part_count(folder, tick, def, &saved, failure) &&
                   check_files(folder, tick, saved, def, failure);
    for (uint32_t i = part; i < saved && is_good; i += def->parts) {
        bytes_of_file file;
        acre_checkpoint header;
        is_good = read_part(folder, tick, i, def, &file, &header, failure);
        if (is_good) {
            is_good = load_file(&file, saved, def, crowd) ||
                      fail(failure, folder, "its walkers cannot be added");
            free(file.bytes);
        }
    }
    return is_good;
}
