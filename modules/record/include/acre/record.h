// SPDX-License-Identifier: MIT
// record.h - the calls on a quadtree as a file, which replays and prints as a C test.
//
// For the bug that shows after a million calls in somebody else's program: record there, send the
// file, replay it here against any version of the tree. What a recording checks is what the caller
// saw: each call's result, and of each query the number of items and the set of their numbers, or
// of pairs, not their order. Of a query that was not asked to the end (a full array, a visitor, a
// step) it checks what does not depend on where it stopped.
//
// File: "acreqt", a zero, the version 3; the def; then the calls. One call is its kind (a byte),
// its arguments, and its outcome. Files of versions 1 and 2 are read as well. Pairs between two
// trees are not recorded, since a recording is of one. Numbers are little endian,
// floats IEEE 754 single, so that NaN and -0 come back as they were. A box takes 24 bytes, so a
// refresh takes 30.
//
// Typical use:
//     acre_recorder recorder;
//     acre_recorder_begin(&recorder, tree, write_to_file, file);
//     ... calls on the tree ...
//     result = acre_recorder_end(&recorder);
//
//     acre_record_report report;
//     if (acre_record_replay(bytes, size, NULL, &report) != ACRE_OK) {
//         puts(report.message);
//     }
//
// Threading: as of a tree with a listener, see quadtree_calls.h. Replaying and printing may run
// from many threads.
#ifndef ACRE_RECORD_H
#define ACRE_RECORD_H

#include <acre/quadtree.h>

ACRE_EXTERN_C_BEGIN

/// Takes the next bytes of a file. @return false: not written; it is not called again.
typedef bool (*acre_record_write)(void *context, const void *bytes, size_t size);

/// A recording being made; its fields are the library's. Owns nothing.
typedef struct acre_recorder {
    acre_quadtree *tree;
    acre_record_write write;
    void *context;
    acre_result result;
    size_t length; // bytes in buffer
    unsigned char buffer[1024];
} acre_recorder;

/// Starts to record a tree's calls, as its listener. What the tree holds already is written as
/// inserts by item number. The recorder must stay where it is until acre_recorder_end, which must
/// come before the tree is destroyed.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY; ACRE_ERROR_IO (then
/// nothing is recorded).
ACRE_API acre_result acre_recorder_begin(acre_recorder *recorder, acre_quadtree *tree,
                                         acre_record_write write, void *context);

/// Ends the recording: the tree has no listener any more. A second call does nothing.
/// @return ACRE_OK; ACRE_ERROR_IO if write refused some bytes: the file ends there, after a whole
/// call or within one.
ACRE_API acre_result acre_recorder_end(acre_recorder *recorder);

/// What a replay found.
typedef struct acre_record_report {
    size_t calls;          ///< calls that were replayed, the failing one not counted
    size_t offset;         ///< byte where the failing call begins; the size if all is well
    uint64_t state_hash;   ///< acre_quadtree_state_hash at the end
    uint64_t content_hash; ///< acre_quadtree_content_hash at the end
    char message[160];     ///< "" or what is wrong, with byte and call
} acre_record_report;

/// Makes a tree as the recording says, repeats its calls and compares their outcomes.
/// acre_quadtree_validate runs after the last one.
/// @param allocator for the tree and for what a call needs; NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if the file is broken or cut short; ACRE_ERROR_NOT_FOUND if
/// an outcome differs or validate found a broken rule; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_INVALID_ARGUMENT for NULL. But for the last, *report says where.
ACRE_API acre_result acre_record_replay(const void *bytes, size_t size,
                                        const acre_allocator *allocator,
                                        acre_record_report *report);

/// Prints a recording as a C function, `bool replay(void)`, that makes the same calls and is true
/// if all outcomes are as recorded. The text is the same in every locale.
/// @return ACRE_OK; ACRE_ERROR_FORMAT; ACRE_ERROR_IO; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_INVALID_ARGUMENT. What was written before an error stays.
ACRE_API acre_result acre_record_print(const void *bytes, size_t size,
                                       const acre_allocator *allocator, acre_record_write write,
                                       void *context);

ACRE_EXTERN_C_END

#endif
