// SPDX-License-Identifier: MIT
// record_format.h - how a recording stores calls, for writing and for reading.
#ifndef ACRE_RECORD_FORMAT_H
#define ACRE_RECORD_FORMAT_H

#include "column_internal.h"
#include "quadtree_shapes_shared.h"
#include "record_operations.h"

#include <acre/record.h>

// A row of the list of operations.
typedef struct record_operation {
    const char *name;
    record_answer answer;
    uint32_t arguments; // ARG_ bits
    uint32_t order[4];  // the same in the order of the function; ARG_NONE behind the last one
} record_operation;

// @return NULL for a kind that does not exist.
const record_operation *acre_record_operation(uint32_t kind);

// The optional parts that follow a query's volume, as bits.
enum {
    RECORD_EXCLUDE = 1u << 0,
    RECORD_ORIGIN = 1u << 1,
    RECORD_MAX_DISTANCE = 1u << 2,
    RECORD_EXCEPT = 1u << 3,
    RECORD_ALL_PARTS = (1u << 4) - 1
};

// Version 1 has frusta, boxes, and queries without optional parts. Version 2 has no pairs. Version
// 3 ends with a content hash of another kind, which is read and not compared. Version 4 has no
// batches with masks and no shifts.
enum {
    RECORD_FIRST_VERSION = 1,
    RECORD_VERSION_WITHOUT_PAIRS = 2,
    RECORD_VERSION_WITH_OTHER_HASH = 3,
    RECORD_VERSION_WITHOUT_MASKS = 4,
    RECORD_VERSION = 5
};

// The kind that ends a recording; the content hash of the tree follows.
enum { RECORD_END = 0 };

// A hash of the set of items, hits or pairs that a call found; their order does not matter.
// @return 0 if total is more than capacity, so that the rows are not all there.
uint64_t acre_record_found_hash(record_answer answer, const void *rows, size_t total,
                                size_t capacity);

// What a call found: items, hits or pairs, by its answer.
typedef struct record_found {
    void *rows;
    size_t capacity;
    size_t total;
} record_found;

// Repeats a call on a tree. found has room for the answer, if there is something to find.
acre_result acre_record_repeat(acre_quadtree *tree, const acre_quadtree_call *call,
                               record_found *found);

void acre_record_write_header(acre_recorder *recorder, const acre_quadtree_def *def);
void acre_record_write_call(acre_recorder *recorder, const acre_quadtree_call *call);
void acre_record_write_end(acre_recorder *recorder, uint64_t content_hash);

// A call and what its arguments point to, but for the rows of batches.
typedef struct record_call {
    acre_quadtree_call call;
    uint64_t set_hash; // of what it found
    acre_box_array array;
    volume_values volume; // of a query of any kind, or the box of an edit
    acre_query query;
    acre_frustum exclude;
    acre_aabb origin;
    acre_pairs_rules rules;
    uint32_t meets[32]; // of the rules
    double offset[3];
} record_call;

typedef COLUMN_OF(uint32_t) number_column;

// A recording that is being read. What the call points to is valid until the next one is read.
typedef struct record_reader {
    const unsigned char *bytes;
    size_t size;
    size_t offset; // of the next byte
    const acre_allocator *allocator;
    acre_result result; // the first error; after it nothing more is read
    uint32_t version;
    uint64_t content_hash; // that the recording ends with
    bool has_content_hash; // the recording has an end, with a hash that can be compared
    record_call now;
    number_column items;
    number_column masks;
    /// Or rows of an acre_box_array: the first part as min, the second as max.
    COLUMN_OF(acre_aabb) boxes;
} record_reader;

// Reads the header and the def.
// @return false if the bytes begin with no header of a version that can be read: then
// reader->offset is the byte that is wrong; the version is byte 7.
bool acre_record_open(record_reader *reader, const void *bytes, size_t size,
                      const acre_allocator *allocator, acre_quadtree_def *def);
// Reads the next call into reader->now.
// @return false at the end and after an error, which is in reader->result.
bool acre_record_next(record_reader *reader);
void acre_record_close(record_reader *reader);

#endif
