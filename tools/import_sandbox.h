// SPDX-License-Identifier: MIT
// import_sandbox.h - imports a file in a child process with limits on memory and time.
//
// The file reader runs uninstrumented on whatever a user opens. Here its crash, its endless loop or
// its hunger for memory ends a child process and becomes an error code with a message. What the
// child sends back is checked as if it came from an enemy. POSIX only.
//
// Threading: one call at a time, because the reader keeps its last error in a global.
#ifndef ACRE_TOOLS_IMPORT_SANDBOX_H
#define ACRE_TOOLS_IMPORT_SANDBOX_H

#include <acre/import.h>

typedef struct import_sandbox_def {
    uint64_t memory_bytes;           // address space of the child; 0 = 4 GiB; see below
    uint32_t seconds;                // of processor time, and twice that by the clock; 0 = 60
    const acre_allocator *allocator; // of the model; NULL: the C library's heap
    bool finds_occluders;            // in its meshes, where the file states none
} import_sandbox_def;

// As acre_import_file. A crash, a timeout and a broken answer are ACRE_ERROR_FORMAT; a process or
// pipe that cannot be made is ACRE_ERROR_OUT_OF_MEMORY. def may be NULL. memory_bytes has no effect
// in builds with a sanitizer whose shadow memory needs the address space.
acre_result import_sandbox_file(const char *path, const import_sandbox_def *def,
                                acre_import_model **out, char *message, size_t message_size);

#endif
