// SPDX-License-Identifier: MIT
// record_format.c - the table of calls, and recordings as bytes in both directions.
#include "record_format.h"

#include "assert_internal.h"

#include <string.h>

static const struct {
    const char *name;
    uint32_t args;
} calls[] = {[RECORD_END] = {NULL, 0},
#define X(kind, name, args) [ACRE_QUADTREE_CALL_##kind] = {#name, args},
             RECORD_CALLS(X)
#undef X
};

static const unsigned char magic[7] = {'a', 'c', 'r', 'e', 'q', 't', 0}; // the version follows

const char *acre_record_call_name(uint32_t kind)
{
    return kind < sizeof calls / sizeof calls[0] ? calls[kind].name : NULL;
}

uint32_t acre_record_call_args(uint32_t kind)
{
    return acre_record_call_name(kind) ? calls[kind].args : 0;
}

uint32_t acre_record_shape_floats(acre_query_shape shape)
{
    switch (shape) {
#define X(SHAPE, field, type, begin, layout)                                                       \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        return sizeof(type) / sizeof(float);
        RECORD_SHAPES(X)
#undef X
    default:
        return 0;
    }
}

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t hash_item(uint64_t item)
{
    uint64_t x = item + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t acre_record_set_hash(const uint32_t *items, size_t total, size_t capacity)
{
    uint64_t sum = 1;
    for (size_t i = 0; i < total && total <= capacity; i++) {
        sum += hash_item(items[i]);
    }
    return total <= capacity ? sum : 0;
}

uint64_t acre_record_hit_hash(const acre_query_hit *hits, size_t total, size_t capacity)
{
    uint64_t sum = 1;
    for (size_t i = 0; i < total && total <= capacity; i++) {
        sum += hash_item(hits[i].item);
    }
    return total <= capacity ? sum : 0;
}

uint64_t acre_record_pair_hash(const acre_pair *pairs, size_t total, size_t capacity)
{
    uint64_t sum = 1;
    for (size_t i = 0; i < total && total <= capacity; i++) {
        sum += hash_item((uint64_t)pairs[i].a << 32 | pairs[i].b);
    }
    return total <= capacity ? sum : 0;
}

// ---- writing ----

static void flush_buffer(acre_recorder *recorder)
{
    if (recorder->result == ACRE_OK && recorder->length > 0 &&
        !recorder->write(recorder->context, recorder->buffer, recorder->length)) {
        recorder->result = ACRE_ERROR_IO;
    }
    recorder->length = 0;
}

// Appends the lower bytes of a number, the lowest first.
static void put_integer(acre_recorder *recorder, uint64_t value, uint32_t bytes)
{
    ACRE_ASSERT(bytes <= sizeof value);
    if (recorder->length + bytes > sizeof recorder->buffer) {
        flush_buffer(recorder);
    }
    ACRE_INVARIANT(recorder->length + bytes <= sizeof recorder->buffer);
    for (uint32_t i = 0; i < bytes; i++) {
        recorder->buffer[recorder->length++] = (unsigned char)(value >> (8 * i));
    }
}

static void put_floats(acre_recorder *recorder, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_integer(recorder, bits, 4);
    }
}

static void put_aabb(acre_recorder *recorder, const acre_aabb *box)
{
    put_floats(recorder, box->min, 3);
    put_floats(recorder, box->max, 3);
}

static void put_frustum(acre_recorder *recorder, const acre_frustum *frustum)
{
    const uint32_t count = frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count
                                                                          : ACRE_FRUSTUM_MAX_PLANES;
    put_integer(recorder, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        put_floats(recorder, frustum->planes[i], 4);
    }
}

static const void *volume_of(const acre_query *query)
{
    switch (query->shape) {
#define X(SHAPE, field, type, begin, layout)                                                       \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        return query->field;
        RECORD_SHAPES(X)
#undef X
    default:
        return NULL;
    }
}

static void put_query(acre_recorder *recorder, const acre_query *query)
{
    put_integer(recorder, (uint32_t)query->shape, 1);
    put_integer(recorder, query->layers, 4);
    put_integer(recorder, query->flags, 4);
    if (query->shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        put_frustum(recorder, query->frustum);
    } else if (acre_record_shape_floats(query->shape) > 0) {
        float values[sizeof(record_volume) / sizeof(float)];
        const uint32_t count = acre_record_shape_floats(query->shape);
        ACRE_INVARIANT(count <= sizeof values / sizeof values[0]);
        ACRE_ASSERT(volume_of(query) != NULL); // a query without its volume is not recorded
        memcpy(values, volume_of(query), count * sizeof values[0]);
        put_floats(recorder, values, count);
    }
    const uint32_t parts = (query->exclude ? RECORD_EXCLUDE : 0u) |
                           (query->origin ? RECORD_ORIGIN : 0u) |
                           (query->max_distance > 0.0f ? RECORD_MAX_DISTANCE : 0u) |
                           (query->except_item1 ? RECORD_EXCEPT : 0u);
    put_integer(recorder, parts, 1);
    if (query->exclude) {
        put_frustum(recorder, query->exclude);
    }
    if (query->origin) {
        put_aabb(recorder, query->origin);
    }
    if (parts & RECORD_MAX_DISTANCE) {
        put_floats(recorder, &query->max_distance, 1);
    }
    if (query->except_item1) {
        put_integer(recorder, query->except_item1, 4);
    }
}

void acre_record_write_header(acre_recorder *recorder, const acre_quadtree_def *def)
{
    for (size_t i = 0; i < sizeof magic; i++) {
        put_integer(recorder, magic[i], 1);
    }
    put_integer(recorder, RECORD_VERSION, 1);
    put_floats(recorder, def->center, 2);
    put_floats(recorder, &def->half_size, 1);
    put_integer(recorder, def->max_depth, 4);
    put_integer(recorder, def->node_capacity, 4);
    put_integer(recorder, def->item_capacity, 4);
}

// Writes an array's rows one after the other; the strides are not recorded.
static void put_array(acre_recorder *recorder, const acre_box_array *array, size_t count)
{
    ACRE_ASSERT(count == 0 || (array->first != NULL && array->second != NULL));
    for (size_t i = 0; i < count; i++) {
        float parts[2][3];
        memcpy(parts[0], (const char *)array->first + i * array->first_stride, sizeof parts[0]);
        memcpy(parts[1], (const char *)array->second + i * array->second_stride, sizeof parts[1]);
        put_floats(recorder, parts[0], 3);
        put_floats(recorder, parts[1], 3);
    }
}

static void put_rows(acre_recorder *recorder, const acre_quadtree_call *call, uint32_t args)
{
    for (size_t i = 0; (args & ARG_ITEMS) && i < call->count; i++) {
        put_integer(recorder, call->items[i], 4);
    }
    if (args & ARG_FORM) {
        put_array(recorder, call->array, call->count);
        return;
    }
    const size_t boxes = args & ARG_BOX ? 1 : args & ARG_BOXES ? call->count : 0;
    for (size_t i = 0; i < boxes; i++) {
        put_aabb(recorder, &call->boxes[i]);
    }
}

static void put_rules(acre_recorder *recorder, const acre_pairs_rules *rules)
{
    const uint32_t *const meets = rules ? rules->meets : NULL;
    put_integer(recorder, rules ? rules->flags : 0, 4);
    put_integer(recorder, meets != NULL, 1);
    for (uint32_t layer = 0; meets && layer < 32; layer++) {
        put_integer(recorder, meets[layer], 4);
    }
}

// Where a query stopped because the array was full depends on the order of nodes in the tree, and
// so does the set that it found.
static bool has_stopped(const acre_quadtree_call *call)
{
    return call->query && (call->query->flags & ACRE_QUERY_STOP_WHEN_FULL) &&
           call->total == call->capacity;
}

static void put_outcome(acre_recorder *recorder, const acre_quadtree_call *call)
{
    uint64_t hash = 0;
    if (call->kind == ACRE_QUADTREE_CALL_QUERY_NEAREST) {
        hash = acre_record_hit_hash(call->hits, call->total, call->capacity);
    } else if (call->kind == ACRE_QUADTREE_CALL_PAIRS) {
        hash = acre_record_pair_hash(call->pairs, call->total, call->capacity);
    } else if (!has_stopped(call)) {
        hash = acre_record_set_hash(call->found, call->total, call->capacity);
    }
    put_integer(recorder, call->capacity, 8);
    put_integer(recorder, call->total == SIZE_MAX ? UINT64_MAX : call->total, 8);
    put_integer(recorder, hash, 8);
}

void acre_record_write_call(acre_recorder *recorder, const acre_quadtree_call *call)
{
    ACRE_ASSERT(acre_record_call_name((uint32_t)call->kind) != NULL); // RECORD_CALLS lists it
    ACRE_ASSERT((uint32_t)call->result <= ACRE_ERROR_FORMAT);
    const uint32_t args = acre_record_call_args((uint32_t)call->kind);
    put_integer(recorder, (uint32_t)call->kind, 1);
    if (args & ARG_ITEM) {
        put_integer(recorder, call->item, 4);
    }
    if (args & ARG_LAYERS) {
        put_integer(recorder, call->layers, 4);
    }
    if (args & ARG_COUNT) {
        put_integer(recorder, call->count, 8);
    }
    if (args & ARG_FORM) {
        put_integer(recorder, (uint32_t)call->array->form, 1);
    }
    put_rows(recorder, call, args);
    if (args & ARG_FRUSTUM) {
        put_frustum(recorder, call->frustum);
    }
    if (args & ARG_QUERY) {
        put_query(recorder, call->query);
    }
    if (args & ARG_RULES) {
        put_rules(recorder, call->rules);
    }
    put_integer(recorder, (uint32_t)call->result, 1);
    if (args & ARG_CAPACITY) {
        put_outcome(recorder, call);
    }
}

void acre_record_write_end(acre_recorder *recorder, uint64_t content_hash)
{
    put_integer(recorder, RECORD_END, 1);
    put_integer(recorder, content_hash, 8);
    flush_buffer(recorder);
}

// ---- reading ----

static size_t bytes_left(const record_reader *reader)
{
    ACRE_INVARIANT(reader->offset <= reader->size);
    return reader->size - reader->offset;
}

// @return 0 after an error or at the end of the bytes, which is an error.
static uint64_t get_integer(record_reader *reader, uint32_t bytes)
{
    ACRE_ASSERT(bytes <= sizeof(uint64_t));
    uint64_t value = 0;
    if (reader->result != ACRE_OK || bytes_left(reader) < bytes) {
        reader->result = reader->result == ACRE_OK ? ACRE_ERROR_FORMAT : reader->result;
        return 0;
    }
    for (uint32_t i = 0; i < bytes; i++) {
        value |= (uint64_t)reader->bytes[reader->offset++] << (8 * i);
    }
    return value;
}

// The number that a query found. All ones mean SIZE_MAX, also where size_t has 32 bits.
static size_t get_total(record_reader *reader)
{
    const uint64_t value = get_integer(reader, 8);
    if (value > SIZE_MAX && value < UINT64_MAX) {
        reader->result = ACRE_ERROR_FORMAT;
    }
    return (size_t)value;
}

static size_t get_size(record_reader *reader)
{
    const uint64_t value = get_integer(reader, 8);
    if (value > SIZE_MAX) {
        reader->result = ACRE_ERROR_FORMAT;
    }
    return (size_t)value;
}

static void get_floats(record_reader *reader, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = (uint32_t)get_integer(reader, 4);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

static void get_aabb(record_reader *reader, acre_aabb *box)
{
    get_floats(reader, box->min, 3);
    get_floats(reader, box->max, 3);
}

static void get_frustum(record_reader *reader, acre_frustum *out)
{
    const uint64_t count = get_integer(reader, 4);
    *out = (acre_frustum){.plane_count = 0};
    if (count > ACRE_FRUSTUM_MAX_PLANES) {
        reader->result = ACRE_ERROR_FORMAT;
        return;
    }
    out->plane_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        get_floats(reader, out->planes[i], 4);
    }
}

// Makes the query point to the volume that was read.
static void set_volume(record_reader *reader)
{
    acre_query *const query = &reader->query;
    switch (query->shape) {
#define X(SHAPE, field, type, begin, layout)                                                       \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        query->field = (const void *)&reader->volume;                                              \
        break;
        RECORD_SHAPES(X)
#undef X
    default:
        break;
    }
}

static void get_parts(record_reader *reader)
{
    const uint64_t parts = reader->version > RECORD_FIRST_VERSION ? get_integer(reader, 1) : 0;
    if (parts > (RECORD_EXCLUDE | RECORD_ORIGIN | RECORD_MAX_DISTANCE | RECORD_EXCEPT)) {
        reader->result = ACRE_ERROR_FORMAT;
    }
    if (parts & RECORD_EXCLUDE) {
        get_frustum(reader, &reader->exclude);
        reader->query.exclude = &reader->exclude;
    }
    if (parts & RECORD_ORIGIN) {
        get_aabb(reader, &reader->origin);
        reader->query.origin = &reader->origin;
    }
    if (parts & RECORD_MAX_DISTANCE) {
        get_floats(reader, &reader->query.max_distance, 1);
    }
    if (parts & RECORD_EXCEPT) {
        reader->query.except_item1 = (uint32_t)get_integer(reader, 4);
    }
}

static bool is_known_shape(const record_reader *reader, uint64_t shape)
{
    const uint64_t last =
        reader->version > RECORD_FIRST_VERSION ? ACRE_QUERY_SHAPE_RAY : ACRE_QUERY_SHAPE_AABB;
    return shape >= ACRE_QUERY_SHAPE_FRUSTUM && shape <= last;
}

static void get_query(record_reader *reader)
{
    const uint64_t shape = get_integer(reader, 1);
    reader->call.query = &reader->query;
    reader->query = (acre_query){.layers = (uint32_t)get_integer(reader, 4)};
    reader->query.flags = (uint32_t)get_integer(reader, 4);
    if (!is_known_shape(reader, shape)) {
        reader->result = ACRE_ERROR_FORMAT;
        return;
    }
    reader->query.shape = (acre_query_shape)shape;
    if (shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        get_frustum(reader, &reader->frustum);
        reader->query.frustum = &reader->frustum;
    } else {
        const uint32_t count = acre_record_shape_floats(reader->query.shape);
        ACRE_INVARIANT(count <= sizeof reader->volume.values / sizeof reader->volume.values[0]);
        get_floats(reader, reader->volume.values, count);
        set_volume(reader);
    }
    get_parts(reader);
}

// Makes room for count rows of a file. A count that the rest of the file cannot hold is an error,
// so that a damaged file does not allocate more than its size.
static void *room_for_rows(record_reader *reader, void *array, size_t *room, uint64_t count,
                           size_t size)
{
    if (reader->result != ACRE_OK || count > bytes_left(reader) / size) {
        reader->result = reader->result == ACRE_OK ? ACRE_ERROR_FORMAT : reader->result;
        return array;
    }
    if (count <= *room) {
        return array;
    }
    void *const grown =
        acre_resize(reader->allocator, array, *room * size, (size_t)count * size, 4);
    if (!grown) {
        reader->result = ACRE_ERROR_OUT_OF_MEMORY;
        return array;
    }
    *room = (size_t)count;
    return grown;
}

static void get_rows(record_reader *reader, uint32_t args)
{
    const size_t count = reader->call.count;
    if (args & ARG_ITEMS) {
        reader->items = room_for_rows(reader, reader->items, &reader->item_room, count, 4);
        ACRE_INVARIANT(reader->result != ACRE_OK || count <= reader->item_room);
        for (size_t i = 0; reader->result == ACRE_OK && i < count; i++) {
            reader->items[i] = (uint32_t)get_integer(reader, 4);
        }
        reader->call.items = reader->items;
    }
    if (args & ARG_BOXES) {
        reader->boxes =
            room_for_rows(reader, reader->boxes, &reader->box_room, count, sizeof *reader->boxes);
        ACRE_INVARIANT(reader->result != ACRE_OK || count <= reader->box_room);
        for (size_t i = 0; reader->result == ACRE_OK && i < count; i++) {
            get_aabb(reader, &reader->boxes[i]);
        }
        reader->call.boxes = reader->boxes;
    }
    if (args & ARG_FORM) {
        reader->array.first = reader->boxes;
        reader->array.second = reader->boxes ? reader->boxes->max : NULL;
        reader->array.first_stride = reader->array.second_stride = sizeof *reader->boxes;
        reader->call.array = &reader->array;
    }
}

static void get_rules(record_reader *reader)
{
    reader->rules = (acre_pairs_rules){.flags = (uint32_t)get_integer(reader, 4)};
    reader->call.rules = &reader->rules;
    const uint64_t has_meets = get_integer(reader, 1);
    if (has_meets > 1) {
        reader->result = ACRE_ERROR_FORMAT;
    }
    for (uint32_t layer = 0; has_meets == 1 && layer < 32; layer++) {
        reader->meets[layer] = (uint32_t)get_integer(reader, 4);
    }
    reader->rules.meets = has_meets == 1 ? reader->meets : NULL;
}

static void get_form(record_reader *reader)
{
    const uint64_t form = get_integer(reader, 1);
    if (form > ACRE_BOX_FORM_CENTER_EXTENT) {
        reader->result = ACRE_ERROR_FORMAT;
    }
    reader->array.form = form == 0 ? ACRE_BOX_FORM_MIN_MAX : ACRE_BOX_FORM_CENTER_EXTENT;
}

bool acre_record_open(record_reader *reader, const void *bytes, size_t size,
                      const acre_allocator *allocator, acre_quadtree_def *def)
{
    *reader = (record_reader){.bytes = bytes, .size = size, .allocator = allocator};
    bool is_magic = true;
    for (size_t i = 0; i < sizeof magic; i++) {
        is_magic &= get_integer(reader, 1) == magic[i];
    }
    if (!is_magic) {
        reader->offset = 0;
        reader->result = ACRE_ERROR_FORMAT;
    }
    reader->version = (uint32_t)get_integer(reader, 1);
    if (is_magic && (reader->version < RECORD_FIRST_VERSION || reader->version > RECORD_VERSION)) {
        reader->offset = sizeof magic;
        reader->result = ACRE_ERROR_FORMAT;
    }
    *def = (acre_quadtree_def){.center = {0.0f}};
    get_floats(reader, def->center, 2);
    get_floats(reader, &def->half_size, 1);
    def->max_depth = (uint32_t)get_integer(reader, 4);
    def->node_capacity = (uint32_t)get_integer(reader, 4);
    def->item_capacity = (uint32_t)get_integer(reader, 4);
    return reader->result == ACRE_OK;
}

static bool is_known_call(const record_reader *reader, uint32_t kind)
{
    const bool has_pairs = reader->version > RECORD_VERSION_WITHOUT_PAIRS;
    return acre_record_call_name(kind) && (has_pairs || !(acre_record_call_args(kind) & ARG_RULES));
}

// Reads what follows a call's kind.
static void get_call(record_reader *reader, uint32_t kind)
{
    const uint32_t args = acre_record_call_args(kind);
    reader->call = (acre_quadtree_call){.kind = (acre_quadtree_call_kind)kind};
    reader->result = is_known_call(reader, kind) ? ACRE_OK : ACRE_ERROR_FORMAT;
    reader->call.item = args & ARG_ITEM ? (uint32_t)get_integer(reader, 4) : 0;
    reader->call.layers = args & ARG_LAYERS ? (uint32_t)get_integer(reader, 4) : 0;
    reader->call.count = args & ARG_COUNT ? get_size(reader) : 0;
    if (args & ARG_FORM) {
        get_form(reader);
    }
    get_rows(reader, args);
    if (args & ARG_BOX) {
        get_aabb(reader, &reader->box);
        reader->call.boxes = &reader->box;
    }
    if (args & ARG_FRUSTUM) {
        get_frustum(reader, &reader->frustum);
        reader->call.frustum = &reader->frustum;
    }
    if (args & ARG_QUERY) {
        get_query(reader);
    }
    if (args & ARG_RULES) {
        get_rules(reader);
    }
    const uint64_t result = get_integer(reader, 1);
    if (result > ACRE_ERROR_FORMAT) {
        reader->result = ACRE_ERROR_FORMAT;
    }
    reader->call.result = (acre_result)result;
    reader->call.capacity = args & ARG_CAPACITY ? get_size(reader) : 0;
    reader->call.total = args & ARG_CAPACITY ? get_total(reader) : 0;
    reader->set_hash = args & ARG_CAPACITY ? get_integer(reader, 8) : 0;
}

bool acre_record_next(record_reader *reader)
{
    const size_t start = reader->offset;
    if (reader->result == ACRE_OK && bytes_left(reader) == 0) {
        return false; // the recording has no end, but its last call is whole
    }
    const uint32_t kind = (uint32_t)get_integer(reader, 1);
    if (reader->result != ACRE_OK) {
        return false;
    }
    if (kind == RECORD_END) {
        reader->content_hash = get_integer(reader, 8);
        reader->has_content_hash = reader->version > RECORD_VERSION_WITH_OTHER_HASH;
        reader->result = bytes_left(reader) > 0 ? ACRE_ERROR_FORMAT : reader->result;
        return false;
    }
    get_call(reader, kind);
    if (reader->result != ACRE_OK) {
        reader->offset = start; // where the broken call begins
    }
    return reader->result == ACRE_OK;
}

void acre_record_close(record_reader *reader)
{
    if (reader->items) {
        acre_resize(reader->allocator, reader->items, reader->item_room * sizeof *reader->items, 0,
                    4);
    }
    if (reader->boxes) {
        acre_resize(reader->allocator, reader->boxes, reader->box_room * sizeof *reader->boxes, 0,
                    4);
    }
}
