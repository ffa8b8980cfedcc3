// SPDX-License-Identifier: MIT
// replay.c - `acre replay`: repeats the recorded calls on a quadtree, or prints them as C.
#include "replay.h"

#include "options.h"

#include <acre/record.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct replay_options {
    const char *path;
    bool is_print, help;
} replay_options;

static const option_spec specs[] = {
    {"print", OPTION_FLAG, offsetof(replay_options, is_print),
     .help = "write the same calls as a C function to the standard output"},
    {"help", OPTION_HELP, offsetof(replay_options, help), .help = "this text"},
};

static const option_table table = {
    .usage = "acre replay FILE [--print]",
    .about = "Repeats the calls of a recording (modules/record) and compares what they answer.",
    .end = "Exit status: 0 all answers are the recorded ones, 1 one differs or the file is broken, "
           "2 bad arguments.",
    .specs = specs,
    .count = sizeof specs / sizeof specs[0],
    .operand = {"recording", "the recording", offsetof(replay_options, path)}};

static bool write_to_file(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

// A recording of a million refreshes has 30 MB.
static const size_t most_bytes = (size_t)4000 << 20;

// Whether the file's first bytes are those of a recording, see record.h.
static bool begins_as_recording(const unsigned char *bytes, size_t size)
{
    static const char start[] = "acreqt"; // with its zero
    return memcmp(bytes, start, size < sizeof start ? size : sizeof start) == 0;
}

// Reads a whole file, or as much as shows that it is no recording: a device may have no end. The
// caller frees it. @return NULL with errno set.
static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    while (file) {
        if (*size == room) {
            room = room * 2 + 65536;
            unsigned char *const grown = realloc(bytes, room);
            if (!grown) {
                break;
            }
            bytes = grown;
        }
        const size_t got = fread(bytes + *size, 1, room - *size, file);
        *size += got;
        if ((got == 0 && feof(file)) || (*size > 0 && !begins_as_recording(bytes, *size))) {
            fclose(file);
            return bytes;
        }
        if (got == 0 || *size > most_bytes) {
            errno = got == 0 ? errno : EFBIG;
            break;
        }
    }
    const int reason = errno;
    if (file) {
        fclose(file);
    }
    free(bytes);
    errno = reason;
    return NULL;
}

static int replay_file(const char *path, bool is_print)
{
    size_t size;
    unsigned char *const bytes = read_file(path, &size);
    if (!bytes) {
        fprintf(stderr, "acre replay: %s: %s\n", path, strerror(errno));
        return 1;
    }
    acre_record_report report = {.message = ""};
    const acre_result result = is_print
                                   ? acre_record_print(bytes, size, NULL, write_to_file, stdout)
                                   : acre_record_replay(bytes, size, NULL, &report);
    free(bytes);
    if (result != ACRE_OK) {
        fprintf(stderr, "acre replay: %s: %s\n", path,
                report.message[0] ? report.message : acre_result_text(result));
        return 1;
    }
    if (!is_print) {
        printf("%s: all %zu calls answer as recorded; state %016" PRIx64 "\n", path, report.calls,
               report.state_hash);
    }
    return 0;
}

int replay_command(int count, char **arguments)
{
    replay_options options = {0};
    char message[256];
    if (!options_parse(&table, count, arguments, &options, message, sizeof message)) {
        return options_complain("replay", message, 2);
    }
    if (options.help) {
        options_print_help(&table, stdout);
        return 0;
    }
    if (!options.path) {
        options_print_help(&table, stderr);
        return 2;
    }
    return replay_file(options.path, options.is_print);
}
