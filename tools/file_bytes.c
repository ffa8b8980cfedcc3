// SPDX-License-Identifier: MIT
// file_bytes.c - reads recordings, and tells them from other files.
#include "file_bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A recording of a million refreshes has 30 MB.
static const size_t most_bytes = (size_t)4000 << 20;

bool file_begins_as_recording(const unsigned char *bytes, size_t size)
{
    static const char start[] = "acreqt"; // with its zero
    return memcmp(bytes, start, size < sizeof start ? size : sizeof start) == 0;
}

unsigned char *file_read_recording(const char *path, size_t *size)
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
