// SPDX-License-Identifier: MIT
// file_bytes.c - reads recordings, and tells them from other files.
#include "file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A recording of a million refreshes has 30 MB.
static const size_t most_bytes = (size_t)4000 << 20;

bool file_begins_as_recording(const unsigned char *bytes, size_t size)
{
    static const char start[] = "acreqt"; // with its zero
    return memcmp(bytes, start, size < sizeof start ? size : sizeof start) == 0;
}

// Opens a file. A pipe that nobody has opened to write into, within a second, is refused with EPIPE
// in place of waiting for ever.
static FILE *open_to_read(const char *path)
{
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *const stream = file >= 0 ? fdopen(file, "rb") : NULL;
    if (!stream) {
        const int reason = errno;
        if (file >= 0) {
            close(file);
        }
        errno = reason;
        return NULL;
    }
    struct pollfd pipe = {.fd = file, .events = POLLIN};
    struct stat status;
    const bool is_pipe = fstat(file, &status) == 0 && S_ISFIFO(status.st_mode);
    unsigned char first;
    const ssize_t got = is_pipe && poll(&pipe, 1, 1000) == 0 ? read(file, &first, 1) : -1;
    if (got == 0) {
        fclose(stream);
        errno = EPIPE;
        return NULL;
    }
    (void)fcntl(file, F_SETFL, 0); // from here on a reader waits for what it reads
    if (got == 1) {
        (void)ungetc(first, stream);
    }
    return stream;
}

unsigned char *file_read_recording(const char *path, size_t *size)
{
    FILE *const file = open_to_read(path);
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
        if ((got == 0 && feof(file)) || (*size > 0 && !file_begins_as_recording(bytes, *size))) {
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
