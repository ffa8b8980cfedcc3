// SPDX-License-Identifier: MIT
// inspect_numbers.h - what a model or a recording is, in numbers: the same in the program and on a
// page.
//
// None of them depends on a clock, on the processor or on the C library, so that a difference
// between two machines is a fault.
#ifndef ACRE_TOOLS_INSPECT_NUMBERS_H
#define ACRE_TOOLS_INSPECT_NUMBERS_H

#include "run_world.h"

#include <acre/record.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct inspect_row {
    const char *name;
    char text[256];
} inspect_row;

typedef struct inspect_rows {
    inspect_row rows[40];
    size_t count;
} inspect_rows;

// Appends a row; where there is no room, it is left out.
void inspect_add_row(inspect_rows *rows, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Adds rows about the world that was made of a model.
typedef void inspect_more(const run_world *world, const char *path, inspect_rows *rows,
                          void *context);

// Reads the file without cars, culls it in eight directions, and then calls `more`, which may be
// NULL. Returns false and a message.
bool inspect_model(const char *path, inspect_more *more, void *context, inspect_rows *rows,
                   char *message, size_t message_size);

// One of the eight directions, from the middle of the scene.
acre_frustum inspect_frustum(const acre_aabb *bounds, int direction);

// Replays the recording; the watch may be NULL. A replay that differs is a row, too. Returns false
// for bytes from which no tree can be made.
bool inspect_recording(const void *bytes, size_t size, acre_record_watch watch, void *context,
                       inspect_rows *rows);

#endif
