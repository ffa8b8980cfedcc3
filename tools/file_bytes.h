// SPDX-License-Identifier: MIT
// file_bytes.h - reads recordings, and tells them from other files.
#ifndef ACRE_TOOLS_FILE_BYTES_H
#define ACRE_TOOLS_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

// Whether the first bytes of a file, up to seven, are those of a recording; see acre/record.h.
bool file_begins_as_recording(const unsigned char *bytes, size_t size);

// Reads a whole file, or as much as shows that it is no recording: a device may have no end. The
// caller frees the bytes. Returns NULL with errno set; EPIPE: nobody writes into this pipe.
unsigned char *file_read_recording(const char *path, size_t *size);

#endif
