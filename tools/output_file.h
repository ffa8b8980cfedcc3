// SPDX-License-Identifier: MIT
// output_file.h - a file that a program writes: whole or not at all.
//
// The bytes go to a temporary file beside the path, which takes the path's place once all are on
// the disk. So a full disk, an interrupted run or a power failure leaves no cut file: the path is
// as it was before. A link stays, and what it names is written so. What is no plain file (a device,
// a pipe) or is the program's own output already is written directly. A pipe that nobody reads is
// refused; opening one never waits.
//
// Typical use:
//     if (!output_check("figures.csv", message, sizeof message)) { ... } // before a long run
//     ...
//     output_file out;
//     if (!output_open(&out, "figures.csv", message, sizeof message)) { ... }
//     fprintf(out.stream, ...);
//     if (!output_close(&out, message, sizeof message)) { ... }
#ifndef ACRE_TOOLS_OUTPUT_FILE_H
#define ACRE_TOOLS_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct output_file {
    FILE *stream;    // NULL: not open
    char *path;      // where the bytes belong
    char *temporary; // NULL: the stream is the path itself
    bool is_new;     // nothing was there before, so a cut file is removed
} output_file;

// Whether the path can be written; it stays as it is. NULL: nothing is to be written. A pipe stays
// open until the program ends, as its reader would see the end otherwise.
bool output_check(const char *path, char *message, size_t message_size);

// Makes the folders of the path that are missing. Returns false and a message that names the path.
bool output_open(output_file *out, const char *path, char *message, size_t message_size);

// For a file in a folder that gets its name when all its files are whole: the path must name
// nothing yet, and has the bytes from the beginning. Syncing the folder is up to the caller.
bool output_open_new(output_file *out, const char *path, char *message, size_t message_size);

// Returns false and a message if anything could not be written; the path is then as it was before.
// Of a file that is not open: true.
bool output_close(output_file *out, char *message, size_t message_size);

// Closes the file without a result; the path is as it was before.
void output_discard(output_file *out);

// As `mkdir -p` of the folders in the path before its last slash. Returns false with errno.
bool output_make_folders(const char *path);

// At the end of main: flushes the standard output. Returns the exit status, which becomes 1, with a
// message on the standard error, if something did not reach its place.
int output_end(const char *program, int status);

#endif
