// SPDX-License-Identifier: MIT
// crowd_restart.c - reads sets of checkpoint files.
#include "crowd_restart.h"

#include "plain_file.h"

#include <acre/partition_checkpoint.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct bytes_of_file {
    unsigned char *bytes;
    size_t size;
} bytes_of_file;

// A file that does not begin as a checkpoint is not read to its end, which may be far away.
static bool begins_as_checkpoint(FILE *file)
{
    char magic[6];
    const bool is_one =
        fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "acrecp", 6) == 0;
    rewind(file);
    return is_one;
}

static bool read_file(const char *path, bytes_of_file *out, crowd_failure *failure)
{
    *out = (bytes_of_file){0};
    FILE *const file = plain_file_open(AT_FDCWD, path);
    struct stat status;
    if (!file || fstat(fileno(file), &status) != 0) {
        const char *const reason = plain_file_reason();
        if (file) {
            fclose(file);
        }
        return crowd_fail(failure, path, reason);
    }
    const char *reason = NULL;
    if (!begins_as_checkpoint(file)) {
        reason = "it is no checkpoint";
    } else if (!(out->bytes = malloc((size_t)status.st_size + 1))) {
        reason = strerror(ENOMEM);
    } else {
        out->size = fread(out->bytes, 1, (size_t)status.st_size, file);
        reason = out->size < (size_t)status.st_size ? "it cannot be read whole" : NULL;
    }
    fclose(file);
    if (reason) {
        free(out->bytes);
        *out = (bytes_of_file){0};
    }
    return !reason || crowd_fail(failure, path, reason);
}

// Reads and checks the file of a part.
static bool read_part(const crowd_folder *folder, uint32_t tick, uint32_t part, bytes_of_file *file,
                      acre_checkpoint *header, crowd_failure *failure)
{
    char path[CROWD_PATH_BYTES], reason[128];
    crowd_part_path(path, folder->path, tick, part, true);
    if (!read_file(path, file, failure)) {
        return false;
    }
    bool is_good =
        acre_checkpoint_read(file->bytes, file->size, header, reason, sizeof reason) == ACRE_OK;
    if (is_good && header->world != crowd_world_of(folder->def)) {
        snprintf(reason, sizeof reason, "it is of other walkers, another area or another seed");
        is_good = false;
    }
    if (is_good && (header->tick != tick || header->part != part)) {
        snprintf(reason, sizeof reason, "it is part %" PRIu32 " of tick %" PRIu64, header->part,
                 header->tick);
        is_good = false;
    }
    if (!is_good) {
        free(file->bytes);
        *file = (bytes_of_file){0};
        (void)crowd_fail(failure, path, reason);
    }
    return is_good;
}

// The parts of the saved world: as part 0 says.
static bool read_part_count(const crowd_folder *folder, uint32_t tick, uint32_t *count,
                            crowd_failure *failure)
{
    bytes_of_file file;
    acre_checkpoint header;
    if (!read_part(folder, tick, 0, &file, &header, failure)) {
        return false;
    }
    free(file.bytes);
    *count = header.part_count;
    return true;
}

// ---- find ----

// All files are whole, and of one checkpoint.
static bool check_set(const crowd_folder *folder, uint32_t tick, crowd_failure *failure)
{
    uint32_t saved = 0;
    if (!read_part_count(folder, tick, &saved, failure)) {
        return false;
    }
    acre_checkpoint *const headers = malloc(saved * sizeof *headers);
    bool is_good = headers || crowd_fail(failure, folder->path, strerror(ENOMEM));
    for (uint32_t i = 0; i < saved && is_good; i++) {
        bytes_of_file file;
        is_good = read_part(folder, tick, i, &file, &headers[i], failure);
        if (is_good) {
            free(file.bytes);
        }
    }
    char path[CROWD_PATH_BYTES], reason[128];
    crowd_set_path(path, folder->path, tick, true);
    if (is_good && acre_checkpoint_check_set(headers, saved, reason, sizeof reason) != ACRE_OK) {
        is_good = crowd_fail(failure, path, reason);
    }
    free(headers);
    return is_good;
}

// The first whole set of a list from an index on; the count where there is none.
static size_t find_whole(const crowd_folder *folder, const crowd_ticks *list, size_t from,
                         size_t end)
{
    for (size_t i = from; i < end; i++) {
        crowd_failure why;
        if (check_set(folder, list->ticks[i], &why)) {
            return i;
        }
        crowd_warn(folder, why.message, "this checkpoint is skipped");
    }
    return list->count;
}

static void warn_of_later(const crowd_folder *folder, const crowd_ticks *list, size_t count,
                          uint32_t last)
{
    char path[CROWD_PATH_BYTES], why[96];
    snprintf(why, sizeof why, "it is of a tick after the last, %" PRIu32 ", and is skipped", last);
    for (size_t i = 0; i < count; i++) {
        crowd_set_path(path, folder->path, list->ticks[i], true);
        crowd_warn(folder, path, why);
    }
}

bool crowd_restart_find(const crowd_folder *folder, uint32_t last, uint32_t *tick,
                        crowd_failure *failure)
{
    crowd_ticks list;
    if (!crowd_set_list(folder->path, true, &list) && errno != ENOENT) {
        return crowd_fail(failure, folder->path, strerror(errno));
    }
    size_t later = 0;
    while (later < list.count && list.ticks[later] > last) {
        later++;
    }
    size_t found = find_whole(folder, &list, later, list.count);
    if (found < list.count) {
        warn_of_later(folder, &list, later, last);
    } else {
        found = find_whole(folder, &list, 0, later);
    }
    const bool is_found = found < list.count;
    *tick = is_found ? list.ticks[found] : 0;
    free(list.ticks);
    return is_found ||
           crowd_fail(failure, folder->path, "there is no whole checkpoint of these walkers");
}

// ---- load ----

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

bool crowd_restart_load(const crowd_folder *folder, uint32_t tick, uint32_t part, crowd_part *crowd,
                        crowd_failure *failure)
{
    uint32_t saved = 0;
    bool is_good = read_part_count(folder, tick, &saved, failure);
    for (uint32_t i = part; i < saved && is_good; i += folder->def->parts) {
        bytes_of_file file;
        acre_checkpoint header;
        is_good = read_part(folder, tick, i, &file, &header, failure);
        if (is_good) {
            is_good = load_file(&file, saved, folder->def, crowd) ||
                      crowd_fail(failure, folder->path, "its walkers cannot be added");
            free(file.bytes);
        }
    }
    return is_good;
}
