// SPDX-License-Identifier: MIT
// record_format.h - how calls stand in a recording: one table of what each kind has, two
// directions.
#ifndef ACRE_RECORD_FORMAT_H
#define ACRE_RECORD_FORMAT_H

#include <acre/quadtree_calls.h>
#include <acre/record.h>

// What a call has, in the order in which it is written.
enum {
    ARG_ITEM = 1u << 0,
    ARG_LAYERS = 1u << 1,
    ARG_COUNT = 1u << 2,
    ARG_ITEMS = 1u << 3, // count numbers
    ARG_BOX = 1u << 4,   // one
    ARG_BOXES = 1u << 5, // count
    ARG_FRUSTUM = 1u << 6,
    ARG_QUERY = 1u << 7,
    ARG_CAPACITY = 1u << 8, // and as outcome the number found, and the hash of their set
    ARG_FORM = 1u << 9,     // the boxes are rows of an acre_box_array, of this form
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

// The shapes of queries that are floats and nothing else: the field that points to them, its type,
// what a C initialiser of it begins with, and its floats: a digit is an array of so many, `s` a
// single float, braces are nested ones.
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

// A volume of any of them, as its floats.
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
                   "a shape is floats that a volume has room for");
RECORD_SHAPES(X)
#undef X

// What stands behind a query's volume, if the bit is set.
enum { RECORD_EXCLUDE = 1u << 0, RECORD_ORIGIN = 1u << 1, RECORD_MAX_DISTANCE = 1u << 2 };

// The first version knows frusta and boxes, and queries without what may stand behind a volume; the
// second one knows no pairs.
enum { RECORD_FIRST_VERSION = 1, RECORD_VERSION_WITHOUT_PAIRS = 2, RECORD_VERSION = 3 };

// Ends a recording: the kind, then the content hash of the tree.
enum { RECORD_END = 0 };

// 0 for a kind that does not exist: every kind has a name.
const char *acre_record_call_name(uint32_t kind);
uint32_t acre_record_call_args(uint32_t kind);

// A hash of a set of item numbers, whatever their order; 0 if not all of them are there.
uint64_t acre_record_set_hash(const uint32_t *items, size_t total, size_t capacity);
uint64_t acre_record_hit_hash(const acre_query_hit *hits, size_t total, size_t capacity);
uint64_t acre_record_pair_hash(const acre_pair *pairs, size_t total, size_t capacity);

// How many floats the volume of a shape has; 0 for a frustum, for everything and unknown shapes.
uint32_t acre_record_shape_floats(acre_query_shape shape);

void acre_record_write_header(acre_recorder *recorder, const acre_quadtree_def *def);
void acre_record_write_call(acre_recorder *recorder, const acre_quadtree_call *call);
void acre_record_write_end(acre_recorder *recorder, uint64_t content_hash);

// A recording being read. What a call points to is kept here and is valid until the next one.
typedef struct record_reader {
    const unsigned char *bytes;
    size_t size, offset;
    const acre_allocator *allocator;
    acre_result result; // the first error; then nothing more is read
    acre_quadtree_call call;
    uint64_t set_hash;
    uint64_t content_hash; // of the end
    bool is_cut;           // the recording stops without an end, after a whole call
    uint32_t *items;
    acre_aabb *boxes; // or an array's rows: first and second parts
    size_t item_room, box_room;
    uint32_t version;
    acre_frustum frustum, exclude;
    acre_aabb box, origin;
    acre_box_array array;
    acre_query query;
    record_volume volume; // of the query
    acre_pairs_rules rules;
    uint32_t meets[32]; // of the rules
} record_reader;

// @return whether there is a header; *def is what follows it. Without one of a version that can be
// read, reader->offset says where it is wrong: 7 is the version.
bool acre_record_open(record_reader *reader, const void *bytes, size_t size,
                      const acre_allocator *allocator, acre_quadtree_def *def);
// @return whether there is another call, now in reader->call.
bool acre_record_next(record_reader *reader);
void acre_record_close(record_reader *reader);

#endif
