// SPDX-License-Identifier: MIT
// partition_checkpoint.h - the items of a part as a file, to begin again from: with as many parts
// as before or with another number.
//
// Experimental: it may change in any minor version.
//
// A checkpoint of a world is a set of files, one for each part, of the same tick. To begin again,
// any part loads any of them: each file once, in any part. The next exchange sends all items home
// and makes the ghosts. Questions that wait for an answer and lists of observers are not kept.
//
// File: "acrecp", a zero byte, the version (1), the header, the cut, the items, a checksum of all
// bytes before it. Numbers are little endian; floats are IEEE 754. An item takes 32 bytes and its
// migrant_bytes, which stand there as pack wrote them.
//
// Typical use:
//     acre_partition_save(part, world, tick, write_to_file, file);        // on each part
//
//     acre_checkpoint headers[...];                                       // of all files
//     acre_checkpoint_read(bytes, size, &headers[i], message, sizeof message);
//     acre_checkpoint_check_set(headers, count, message, sizeof message);
//     acre_partition_load(part, bytes, size);                             // each file once
//     ... an exchange
//
// Write each file under another name, and give it its own when all parts have written theirs: then
// a checkpoint is there as a whole or not at all. `acre crowd` does so.
//
// Threading: as a part.
#ifndef ACRE_PARTITION_CHECKPOINT_H
#define ACRE_PARTITION_CHECKPOINT_H

#include <acre/partition.h>

ACRE_EXTERN_C_BEGIN

/// The header of a file.
typedef struct acre_checkpoint {
    uint64_t world;         ///< the caller's name for the world
    uint64_t tick;          ///< the caller's time of the save
    uint64_t items;         ///< in this file
    uint64_t content_hash;  ///< of numbers and boxes; the sum over all files is that of one part
    uint32_t part;          ///< the part that wrote the file
    uint32_t part_count;    ///< number of parts of the saved world
    uint32_t levels;        ///< levels of its ground
    uint32_t migrant_bytes; ///< bytes that each item carries
    double low[2];          ///< x, z of the ground's lower corner
    float size;             ///< the side of its ground
    bool is_periodic;
} acre_checkpoint;

/// Writes the next bytes of a file.
/// @return false if they could not be written: then it is not called again.
typedef bool (*acre_checkpoint_write)(void *context, const void *bytes, size_t size);

/// Writes the items that a part owns. Call it between exchanges, on all parts after the same one.
/// @param world is the caller's: files of one checkpoint have the same.
/// @param tick likewise.
/// @param context is passed to write.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, and for an invalid box of an item;
/// ACRE_ERROR_IO if write failed; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_save(acre_partition *part, uint64_t world,
                                                      uint64_t tick, acre_checkpoint_write write,
                                                      void *context);

/// Reads what a file says of itself, and checks all of it.
/// @param message receives what is wrong, "" if nothing is; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_FORMAT for another kind of file, another version, a file that ends
/// early or goes on, and a wrong checksum; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_checkpoint_read(const void *bytes, size_t size,
                                                       acre_checkpoint *out, char *message,
                                                       size_t message_size);

/// Checks that headers are those of one whole checkpoint: of the same world, tick and ground, and
/// each part once, in any order.
/// @param message receives what is wrong, with the part's number; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if they are not, and for a header that no part writes, such
/// as one of zeros; ACRE_ERROR_INVALID_ARGUMENT for NULL and for none.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_checkpoint_check_set(const acre_checkpoint *headers,
                                                            size_t count, char *message,
                                                            size_t message_size);

/// Reads the cut of the world that was saved. Where as many parts begin again, on cells of the same
/// size, pass it to acre_partition_set_cut on all of them: then few items move at first.
/// @param firsts receives part_count numbers.
/// @return ACRE_OK; ACRE_ERROR_FORMAT, as acre_checkpoint_read; ACRE_ERROR_CAPACITY, and nothing is
/// written; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_checkpoint_get_cut(const void *bytes, size_t size,
                                                          uint32_t *firsts, size_t capacity);

/// Adds all items of a file, as acre_partition_add does, with what pack wrote.
/// @return ACRE_OK; ACRE_ERROR_FORMAT for a file that is not good, of another ground or with
/// another size of migrant_bytes; ACRE_ERROR_EXISTS if the part has one of the items;
/// ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_BUSY. On error no item was added.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_load(acre_partition *part, const void *bytes,
                                                      size_t size);

ACRE_EXTERN_C_END

#endif
