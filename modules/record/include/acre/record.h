// SPDX-License-Identifier: MIT
// record.h - writes the calls on a quadtree to a file, replays such a file, and prints it as a C
// test.
//
// Experimental: it may change in any minor version.
//
// For a bug that shows after a million calls in somebody else's program: record there, send the
// file, replay it here with any version of the tree. A replay compares what the caller saw: the
// result of each call, and for each query the number of items (or pairs) and their set, in any
// order. Of a query that ended early (a full array, a visitor) it compares only what does not
// depend on where the query ended.
//
// Words used here:
//     recording    the bytes of a file: a header, the def of the tree, calls, an end
//     outcome      what a call answered: its result, and for a query what it found
//
// File: "acreqt", a zero byte, the version (5; versions 1 to 4 can be read), the def, the calls. A
// call is its kind (one byte), its arguments and its outcome. Numbers are little endian. Floats are
// IEEE 754 single, so that NaN and -0 are kept. A box takes 24 bytes, a refresh 30. A recording is
// of one tree; pairs between two trees are not recorded.
//
// Typical use:
//     acre_recorder recorder;
//     result = acre_recorder_begin(&recorder, tree, write_to_file, file);
//     ... calls on the tree ...
//     result = acre_recorder_end(&recorder);
//
//     acre_record_report report;
//     if (acre_record_replay(bytes, size, NULL, &report) != ACRE_OK) {
//         puts(report.message);
//     }
//
// Threading: a recorder has the rules of a listener, see quadtree_calls.h. Replaying and printing
// may run from many threads.
#ifndef ACRE_RECORD_H
#define ACRE_RECORD_H

#include <acre/quadtree.h>

ACRE_EXTERN_C_BEGIN

/// Writes the next bytes of a file.
/// @return false if they could not be written: then it is not called again.
typedef bool (*acre_record_write)(void *context, const void *bytes, size_t size);

/// A recording that is being made. Only the library uses the fields. It owns no memory.
typedef struct acre_recorder {
    acre_quadtree *tree;
    acre_record_write write;
    void *context;
    acre_result result; // ACRE_ERROR_IO once write has failed
    size_t length;      // bytes in buffer
    unsigned char buffer[1024];
} acre_recorder;

/// Starts to record the calls on a tree, as its listener; it replaces any other listener, also
/// another recorder. Items that the tree holds already are written as inserts, in the order of
/// their numbers. Do not move the recorder in memory until acre_recorder_end, and end it before you
/// destroy the tree.
/// @param context is passed to write.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT if recorder, tree or write is NULL;
/// ACRE_ERROR_BUSY if the tree is in use; ACRE_ERROR_IO if write failed. On error nothing is
/// recorded.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_recorder_begin(acre_recorder *recorder, acre_quadtree *tree,
                                                      acre_record_write write, void *context);

/// Ends the recording; the tree has no listener then. A second call does nothing.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_IO if write failed: the file
/// ends there, perhaps within a call.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_recorder_end(acre_recorder *recorder);

/// The result of a replay.
typedef struct acre_record_report {
    size_t calls;          ///< number of calls that were replayed, without the failing one
    size_t offset;         ///< byte where the failing call begins; the size if none failed
    uint64_t state_hash;   ///< acre_quadtree_state_hash after the last call
    uint64_t content_hash; ///< acre_quadtree_content_hash after the last call
    char message[160];     ///< what is wrong, with byte and call; "" if nothing is
} acre_record_report;

/// Creates a tree with the recorded def, repeats the recorded calls, compares their outcomes, and
/// validates the tree after the last call.
/// @param allocator for the tree and for arrays of arguments; NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if the recording is broken or ends within a call;
/// ACRE_ERROR_DIFFERS if an outcome differs or the tree breaks one of its rules;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_INVALID_ARGUMENT if bytes or report is NULL. *report says
/// where it ended and why.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_record_replay(const void *bytes, size_t size,
                                                     const acre_allocator *allocator,
                                                     acre_record_report *report);

/// Is told how far a replay is: before each of its calls, and once more after the last one. Only
/// calls and offset of the report are set.
/// @return false to end the replay there; after the last call that skips the comparison of
/// contents.
typedef bool (*acre_record_watch)(void *context, const acre_record_report *report);

/// acre_record_replay for a program that shows how far the replay is, repeats the first calls
/// alone, or looks at the tree.
/// @param watch may be NULL; context is passed to it.
/// @param tree receives the tree, also where an outcome differs, for the caller to destroy; NULL
/// where there is none. May be NULL.
/// @return as acre_record_replay. The content of the tree is compared with the recorded one where
/// watch has not ended the replay.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_record_replay_watched(const void *bytes, size_t size,
                                                             const acre_allocator *allocator,
                                                             acre_record_watch watch, void *context,
                                                             acre_record_report *report,
                                                             acre_quadtree **tree);

/// Prints a recording as a C function, `bool replay(void)`, which makes the same calls and returns
/// whether all outcomes are the recorded ones. The text is the same in every locale.
/// @param context is passed to write.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if the recording is broken; ACRE_ERROR_IO if write failed;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_INVALID_ARGUMENT if bytes or write is NULL. On error part
/// of the text may have been written.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_record_print(const void *bytes, size_t size,
                                                    const acre_allocator *allocator,
                                                    acre_record_write write, void *context);

ACRE_EXTERN_C_END

#endif
