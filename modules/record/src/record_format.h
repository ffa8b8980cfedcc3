// SPDX-License-Identifier: MIT
// record_format.h - how a recording stores calls: one table of what each kind has, for writing and
// for reading.
#ifndef ACRE_RECORD_FORMAT_H
#define ACRE_RECORD_FORMAT_H

#include <acre/quadtree_calls.h>
#include <acre/record.h>

// The parts of a call, in the order in which they are written.
enum {
    ARG_ITEM = 1u << 0,
    ARG_LAYERS = 1u << 1,
    ARG_COUNT = 1u << 2,
    ARG_ITEMS = 1u << 3, // as many item numbers as the count
    ARG_BOX = 1u << 4,   // one box
    ARG_BOXES = 1u << 5, // as many boxes as the count
    ARG_FRUSTUM = 1u << 6,
    ARG_QUERY = 1u << 7,
    ARG_CAPACITY = 1u << 8, // of the caller's array; the outcome has the number found and a hash
    ARG_FORM = 1u << 9,     // of an acre_box_array, whose rows are the boxes
    ARG_RULES = 1u << 10    // of pairs
};

#define RECORD_CALLS(X)                                                                            \
    X(INSERT, insert, ARG_ITEM | ARG_BOX)                                                          \
    X(REFRESH, refresh, ARG_ITEM | ARG_BOX)                                                        \
    X(REFRESH_MANY, refresh_many, ARG_COUNT | ARG_ITEMS | ARG_BOXES)                               \
    X(REFRESH_ALL, refresh_all, ARG_COUNT | ARG_BOXES)                                             \
    X(REMOVE, remove, ARG_ITEM)                                                                    \
    X(CLEAR, clear, 0)                                                                             \
    X(MAINTAIN, maintain, 0)                                                                       \
    X(TIGHTEN, tighten, 0)                                                                         \
    X(RESERVE, reserve, ARG_COUNT)                                                                 \
    X(TRIM, trim, 0)                                                                               \
    X(SET_LAYERS, set_layers, ARG_ITEM | ARG_LAYERS)                                               \
    X(QUERY_FRUSTUM, query_frustum, ARG_FRUSTUM | ARG_CAPACITY)                                    \
    X(QUERY_AABB, query_aabb, ARG_BOX | ARG_CAPACITY)                                              \
    X(QUERY, query, ARG_QUERY | ARG_CAPACITY)                                                      \
    X(REFRESH_MANY_FROM, refresh_many_from, ARG_COUNT | ARG_FORM | ARG_ITEMS | ARG_BOXES)          \
    X(REFRESH_ALL_FROM, refresh_all_from, ARG_COUNT | ARG_FORM | ARG_BOXES)                        \
    X(INSERT_MANY, insert_many, ARG_COUNT | ARG_ITEMS | ARG_BOXES)                                 \
    X(REMOVE_MANY, remove_many, ARG_COUNT | ARG_ITEMS)                                             \
    X(OPTIMIZE, optimize, 0)                                                                       \
    X(MAINTAIN_BUDGET, maintain_budget, ARG_COUNT)                                                 \
    X(INSERT_MANY_FROM, insert_many_from, ARG_COUNT | ARG_FORM | ARG_ITEMS | ARG_BOXES)            \
    X(QUERY_NEAREST, query_nearest, ARG_QUERY | ARG_CAPACITY)                                      \
    X(PAIRS, pairs, ARG_RULES | ARG_CAPACITY)                                                      \
    X(ITEM_PAIRS, item_pairs, ARG_ITEM | ARG_RULES | ARG_CAPACITY)

// The shapes that consist of floats alone. For each: the field of acre_query that points to it, its
// type, the beginning of a C initializer, and the layout of its floats, where a digit is an array
// of that length, `s` a single float, and braces nest.
#define RECORD_SHAPES(X)                                                                           \
    X(AABB, box, acre_aabb, "&(acre_aabb)", "33")                                                  \
    X(POINT, point, float[3], "(float[])", "sss")                                                  \
    X(GROUND_POINT, point, float[3], "(float[])", "sss")                                           \
    X(SPHERE, sphere, acre_sphere, "&(acre_sphere)", "3s")                                         \
    X(CIRCLE, circle, acre_circle, "&(acre_circle)", "2s")                                         \
    X(CAPSULE, capsule, acre_capsule, "&(acre_capsule)", "33s")                                    \
    X(CONE, cone, acre_cone, "&(acre_cone)", "33ss")                                               \
    X(ORIENTED_BOX, oriented_box, acre_oriented_box, "&(acre_oriented_box)", "33{333}")            \
    X(RAY, ray, acre_ray, "&(acre_ray)", "33s3")

// A volume of any of these shapes, also as its floats.
typedef union record_volume {
    acre_aabb box;
    acre_sphere sphere;
    acre_circle circle;
    acre_capsule capsule;
    acre_cone cone;
    acre_oriented_box oriented_box;
    acre_ray ray;
    float values[15];
} record_volume;

#define X(SHAPE, field, type, begin, layout)                                                       \
    _Static_assert(sizeof(type) % sizeof(float) == 0 && sizeof(type) <= sizeof(record_volume),     \
                   "a shape consists of floats, and fits a volume");
RECORD_SHAPES(X)
#undef X

// The optional parts that follow a query's volume, as bits.
enum {
    RECORD_EXCLUDE = 1u << 0,
    RECORD_ORIGIN = 1u << 1,
    RECORD_MAX_DISTANCE = 1u << 2,
    RECORD_EXCEPT = 1u << 3
};

// Version 1 has frusta, boxes, and queries without optional parts. Version 2 has no pairs. Version
// 3 ends with a content hash of another kind, which is read and not compared.
enum {
    RECORD_FIRST_VERSION = 1,
    RECORD_VERSION_WITHOUT_PAIRS = 2,
    RECORD_VERSION_WITH_OTHER_HASH = 3,
    RECORD_VERSION = 4
};

// The kind that ends a recording; the content hash of the tree follows.
enum { RECORD_END = 0 };

// @return NULL for a kind that does not exist.
const char *acre_record_call_name(uint32_t kind);
// @return the ARG_ bits of a kind; 0 for one that does not exist.
uint32_t acre_record_call_args(uint32_t kind);

// Hashes of sets of items, hits and pairs; their order does not matter.
// @return 0 if total is more than capacity, so that the array does not have them all.
uint64_t acre_record_set_hash(const uint32_t *items, size_t total, size_t capacity);
uint64_t acre_record_hit_hash(const acre_query_hit *hits, size_t total, size_t capacity);
uint64_t acre_record_pair_hash(const acre_pair *pairs, size_t total, size_t capacity);

// @return how many floats the volume of a shape has; 0 for a frustum, for ACRE_QUERY_SHAPE_ALL and
// for unknown shapes.
uint32_t acre_record_shape_floats(acre_query_shape shape);

void acre_record_write_header(acre_recorder *recorder, const acre_quadtree_def *def);
void acre_record_write_call(acre_recorder *recorder, const acre_quadtree_call *call);
void acre_record_write_end(acre_recorder *recorder, uint64_t content_hash);

// A recording that is being read. The call points to the fields below it, which are valid until
// the next call is read.
typedef struct record_reader {
    const unsigned char *bytes;
    size_t size;
    size_t offset; // of the next byte
    const acre_allocator *allocator;
    acre_result result; // the first error; after it nothing more is read
    uint32_t version;
    uint64_t content_hash; // that the recording ends with
    bool has_content_hash; // the recording has an end, with a hash that can be compared
    acre_quadtree_call call;
    uint64_t set_hash; // of what the call found
    uint32_t *items;
    size_t item_room;
    acre_aabb *boxes; // or rows of an acre_box_array: the first part as min, the second as max
    size_t box_room;
    acre_frustum frustum;
    acre_frustum exclude;
    acre_aabb box;
    acre_aabb origin;
    acre_box_array array;
    acre_query query;
    record_volume volume; // of the query
    acre_pairs_rules rules;
    uint32_t meets[32]; // of the rules
} record_reader;

// Reads the header and the def.
// @return false if the bytes begin with no header of a version that can be read: then
// reader->offset is the byte that is wrong; the version is byte 7.
bool acre_record_open(record_reader *reader, const void *bytes, size_t size,
                      const acre_allocator *allocator, acre_quadtree_def *def);
// Reads the next call into reader->call.
// @return false at the end and after an error, which is in reader->result.
bool acre_record_next(record_reader *reader);
void acre_record_close(record_reader *reader);

#endif
