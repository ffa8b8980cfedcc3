// SPDX-License-Identifier: MIT
// record_format.c - recordings as bytes, in both directions.
//
// What a call has is passed to or from the bytes by one function for both directions, so that a
// reader cannot read other than what was written.
#include "record_format.h"

#include "assert_internal.h"
#include "bits_internal.h"
#include "clip_internal.h"

#include <string.h>

static const record_operation operations[RECORD_OPERATION_COUNT + 1] = {
#define X(number, KIND, name, answer, a, b, c, d)                                                  \
    [number] = {#name,                                                                             \
                ANSWER_##answer,                                                                   \
                ARG_##a | ARG_##b | ARG_##c | ARG_##d,                                             \
                {ARG_##a, ARG_##b, ARG_##c, ARG_##d}},
    RECORD_OPERATIONS(X)
#undef X
};

static const unsigned char magic[7] = {'a', 'c', 'r', 'e', 'q', 't', 0}; // the version follows

const record_operation *acre_record_operation(uint32_t kind)
{
    return kind > 0 && kind <= RECORD_OPERATION_COUNT ? &operations[kind] : NULL;
}

uint64_t acre_record_found_hash(record_answer answer, const void *rows, size_t total,
                                size_t capacity)
{
    uint64_t sum = 1;
    const uint32_t *const items = rows;
    const acre_query_hit *const hits = rows;
    const acre_pair *const pairs = rows;
    for (size_t i = 0; i < total && total <= capacity; i++) {
        const uint64_t row = answer == ANSWER_PAIRS  ? (uint64_t)pairs[i].a << 32 | pairs[i].b
                             : answer == ANSWER_HITS ? hits[i].item
                                                     : items[i];
        sum += mix_bits(row + MIX_STEP);
    }
    return total <= capacity ? sum : 0;
}

// ---- bytes ----

// Where the parts of a call go to or come from; one of the two is NULL.
typedef struct record_stream {
    acre_recorder *out;
    record_reader *in;
} record_stream;

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

static size_t bytes_left(const record_reader *reader)
{
    ACRE_INVARIANT(reader->offset <= reader->size);
    return reader->size - reader->offset;
}

// The first error counts.
static void fail(record_reader *reader, acre_result result)
{
    reader->result = reader->result == ACRE_OK ? result : reader->result;
}

// @return 0 after an error or at the end of the bytes, which is an error.
static uint64_t get_integer(record_reader *reader, uint32_t bytes)
{
    ACRE_ASSERT(bytes <= sizeof(uint64_t));
    uint64_t value = 0;
    if (reader->result != ACRE_OK || bytes_left(reader) < bytes) {
        fail(reader, ACRE_ERROR_FORMAT);
        return 0;
    }
    for (uint32_t i = 0; i < bytes; i++) {
        value |= (uint64_t)reader->bytes[reader->offset++] << (8 * i);
    }
    return value;
}

// Writes a number, or reads one. A number above `most` makes a recording broken.
// @return the number that was written or read.
static uint64_t pass_integer(const record_stream *stream, uint64_t value, uint32_t bytes,
                             uint64_t most)
{
    if (stream->out) {
        ACRE_ASSERT(value <= most);
        put_integer(stream->out, value, bytes);
        return value;
    }
    const uint64_t read = get_integer(stream->in, bytes);
    if (read > most) {
        fail(stream->in, ACRE_ERROR_FORMAT);
        return 0;
    }
    return read;
}

static void pass_u32(const record_stream *stream, uint32_t *value)
{
    *value = (uint32_t)pass_integer(stream, *value, 4, UINT32_MAX);
}

// All ones mean SIZE_MAX, also where size_t has 32 bits.
static void pass_size(const record_stream *stream, size_t *value)
{
    const uint64_t wide =
        pass_integer(stream, *value == SIZE_MAX ? UINT64_MAX : *value, 8, UINT64_MAX);
    if (wide > SIZE_MAX && wide < UINT64_MAX) {
        fail(stream->in, ACRE_ERROR_FORMAT);
    }
    *value = (size_t)wide;
}

static void pass_floats(const record_stream *stream, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        pass_u32(stream, &bits);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

static void pass_box(const record_stream *stream, acre_aabb *box)
{
    pass_floats(stream, box->min, 3);
    pass_floats(stream, box->max, 3);
}

static void pass_frustum(const record_stream *stream, acre_frustum *frustum)
{
    const uint32_t count = stream->out ? frustum_plane_count(frustum) : 0;
    frustum->plane_count = (uint32_t)pass_integer(stream, count, 4, ACRE_FRUSTUM_MAX_PLANES);
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        pass_floats(stream, frustum->planes[i], 4);
    }
}

// ---- queries ----

static uint32_t parts_of(const acre_query *query)
{
    return (query->exclude ? RECORD_EXCLUDE : 0u) | (query->origin ? RECORD_ORIGIN : 0u) |
           (query->max_distance > 0.0f ? RECORD_MAX_DISTANCE : 0u) |
           (query->except_item1 ? RECORD_EXCEPT : 0u);
}

// Copies what the query of a call points to.
static void take_query(record_call *now)
{
    const acre_query *const query = now->call.query;
    const volume_kind kind = volume_kind_of(query->shape);
    const void *const volume = volume_of_query(query);
    ACRE_ASSERT(kind.name && (volume || !kind.field)); // other queries are refused, not recorded
    now->query = *query;
    if (volume) {
        memcpy(&now->volume, volume, kind.size);
    }
    if (query->exclude) {
        now->exclude = *query->exclude;
    }
    if (query->origin) {
        now->origin = *query->origin;
    }
}

static void pass_parts(const record_stream *stream, record_call *now, uint32_t parts)
{
    if (parts & RECORD_EXCLUDE) {
        pass_frustum(stream, &now->exclude);
    }
    if (parts & RECORD_ORIGIN) {
        pass_box(stream, &now->origin);
    }
    if (parts & RECORD_MAX_DISTANCE) {
        pass_floats(stream, &now->query.max_distance, 1);
    }
    if (parts & RECORD_EXCEPT) {
        pass_u32(stream, &now->query.except_item1);
    }
}

static void pass_volume(const record_stream *stream, record_call *now)
{
    const acre_query_shape shape = now->query.shape;
    const volume_kind kind = volume_kind_of(shape);
    const bool is_first = stream->in && stream->in->version == RECORD_FIRST_VERSION;
    if (!kind.name ||
        (is_first && shape != ACRE_QUERY_SHAPE_FRUSTUM && shape != ACRE_QUERY_SHAPE_AABB)) {
        fail(stream->in, ACRE_ERROR_FORMAT);
    } else if (shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        pass_frustum(stream, &now->volume.frustum);
    } else {
        pass_floats(stream, now->volume.values, kind.size / sizeof(float));
    }
}

static void pass_query(const record_stream *stream, record_call *now)
{
    acre_query *const query = &now->query;
    if (stream->out) {
        take_query(now);
    } else {
        *query = (acre_query){.layers = 0};
    }
    const uint32_t shape = (uint32_t)query->shape;
    query->shape = (acre_query_shape)pass_integer(stream, shape, 1, UINT8_MAX);
    pass_u32(stream, &query->layers);
    pass_u32(stream, &query->flags);
    pass_volume(stream, now);
    const bool has_parts = stream->out || stream->in->version > RECORD_FIRST_VERSION;
    const uint32_t parts =
        has_parts ? (uint32_t)pass_integer(stream, parts_of(query), 1, RECORD_ALL_PARTS) : 0;
    pass_parts(stream, now, parts);
    set_volume_of_query(query, &now->volume);
    query->exclude = parts & RECORD_EXCLUDE ? &now->exclude : NULL;
    query->origin = parts & RECORD_ORIGIN ? &now->origin : NULL;
    now->call.query = query;
}

// ---- batches, rules ----

// Makes room for the rows of a call. A count that the rest of the file cannot hold is an error, so
// that a damaged file does not allocate much more than its size.
static bool reserve_rows(record_reader *reader, column *rows, size_t size)
{
    const size_t count = reader->now.call.count;
    if (count > bytes_left(reader) / size) {
        fail(reader, ACRE_ERROR_FORMAT);
    } else if (!acre_column_reserve(reader->allocator, rows, count, size)) {
        fail(reader, ACRE_ERROR_OUT_OF_MEMORY);
    }
    return reader->result == ACRE_OK;
}

// Items or masks. given: what is written, NULL for a reader. Returns the rows as they are now.
static const uint32_t *pass_numbers(const record_stream *stream, size_t count,
                                    const uint32_t *given, number_column *read)
{
    record_reader *const in = stream->in;
    if (in && !reserve_rows(in, &read->any, sizeof *read->data)) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t number = in ? 0 : given[i];
        pass_u32(stream, in ? COLUMN_AT(*read, i) : &number);
    }
    return in ? read->data : given;
}

// A row of a batch that is written; an array's strides are not recorded.
static acre_aabb row_of(const acre_quadtree_call *call, size_t row)
{
    const acre_box_array *const array = call->array;
    acre_aabb box;
    if (!array) {
        return call->boxes[row];
    }
    memcpy(box.min, (const char *)array->first + row * array->first_stride, sizeof box.min);
    memcpy(box.max, (const char *)array->second + row * array->second_stride, sizeof box.max);
    return box;
}

static void pass_boxes(const record_stream *stream, record_call *now)
{
    record_reader *const in = stream->in;
    if (in && !reserve_rows(in, &in->boxes.any, sizeof *in->boxes.data)) {
        return;
    }
    for (size_t i = 0; i < now->call.count; i++) {
        acre_aabb box = in ? (acre_aabb){{0}, {0}} : row_of(&now->call, i);
        pass_box(stream, in ? COLUMN_AT(in->boxes, i) : &box);
    }
    now->call.boxes = in ? in->boxes.data : now->call.boxes;
}

static void pass_rows(const record_stream *stream, record_call *now, uint32_t arguments)
{
    acre_box_array *const array = &now->array;
    acre_quadtree_call *const call = &now->call;
    record_reader *const in = stream->in;
    if (arguments & ARG_ARRAY) {
        const uint32_t form = stream->out ? (uint32_t)call->array->form : 0;
        array->form = (acre_box_form)pass_integer(stream, form, 1, ACRE_BOX_FORM_CENTER_EXTENT);
    }
    if (arguments & ARG_ITEMS) {
        call->items = pass_numbers(stream, call->count, call->items, in ? &in->items : NULL);
    }
    if (arguments & (ARG_BOXES | ARG_ARRAY)) {
        pass_boxes(stream, now);
    }
    if (arguments & ARG_MASKS) {
        call->row_layers =
            pass_numbers(stream, call->count, call->row_layers, in ? &in->masks : NULL);
    }
    if (in && (arguments & ARG_ARRAY)) {
        const acre_aabb *const boxes = call->boxes;
        array->first = boxes;
        array->second = boxes ? boxes->max : NULL;
        array->first_stride = array->second_stride = sizeof *boxes;
        call->array = array;
    }
}

static void pass_pairs_rules(const record_stream *stream, record_call *now)
{
    const acre_pairs_rules *const given = now->call.rules; // NULL also when reading
    now->rules = given ? *given : (acre_pairs_rules){.flags = 0};
    pass_u32(stream, &now->rules.flags);
    const bool has_meets = pass_integer(stream, now->rules.meets != NULL, 1, 1);
    for (uint32_t layer = 0; has_meets && layer < 32; layer++) {
        now->meets[layer] = stream->out ? now->rules.meets[layer] : 0;
        pass_u32(stream, &now->meets[layer]);
    }
    now->rules.meets = has_meets ? now->meets : NULL;
    now->call.rules = &now->rules;
}

static void pass_offset(const record_stream *stream, record_call *now)
{
    for (int axis = 0; axis < 3; axis++) {
        uint64_t bits = 0;
        memcpy(&bits, stream->out ? &now->call.offset[axis] : &now->offset[axis], sizeof bits);
        bits = pass_integer(stream, bits, 8, UINT64_MAX);
        memcpy(&now->offset[axis], &bits, sizeof bits);
    }
    now->call.offset = now->offset;
}

// ---- calls ----

// The arguments of a call, in the order of their bits, but for the form of an array.
static void pass_arguments(const record_stream *stream, record_call *now, uint32_t arguments)
{
    acre_quadtree_call *const call = &now->call;
    if (arguments & ARG_ITEM) {
        pass_u32(stream, &call->item);
    }
    if (arguments & ARG_LAYERS) {
        pass_u32(stream, &call->layers);
    }
    if (arguments & ARG_COUNT) {
        pass_size(stream, &call->count);
    }
    pass_rows(stream, now, arguments);
    if (arguments & ARG_BOX) {
        if (stream->out) {
            now->volume.box = *call->boxes;
        }
        pass_box(stream, &now->volume.box);
        call->boxes = &now->volume.box;
    }
    if (arguments & ARG_FRUSTUM) {
        if (stream->out) {
            now->volume.frustum = *call->frustum;
        }
        pass_frustum(stream, &now->volume.frustum);
        call->frustum = &now->volume.frustum;
    }
    if (arguments & ARG_QUERY) {
        pass_query(stream, now);
    }
    if (arguments & ARG_RULES) {
        pass_pairs_rules(stream, now);
    }
    if (arguments & ARG_OFFSET) {
        pass_offset(stream, now);
    }
}

// What follows a call's kind.
static void pass_call(const record_stream *stream, record_call *now)
{
    const record_operation *const operation = acre_record_operation((uint32_t)now->call.kind);
    acre_quadtree_call *const call = &now->call;
    pass_arguments(stream, now, operation->arguments);
    call->result = (acre_result)pass_integer(stream, (uint32_t)call->result, 1, ACRE_ERROR_FORMAT);
    if (operation->answer >= ANSWER_TOTAL) {
        pass_size(stream, &call->capacity);
        pass_size(stream, &call->total);
        now->set_hash = pass_integer(stream, now->set_hash, 8, UINT64_MAX);
    }
}

// Where a query stopped because the array was full depends on the order of nodes in the tree, and
// so does the set that it found: it has no hash.
static uint64_t hash_of_call(const acre_quadtree_call *call, record_answer answer)
{
    const bool has_stopped = call->query && (call->query->flags & ACRE_QUERY_STOP_WHEN_FULL) &&
                             call->total == call->capacity;
    const void *const rows = answer == ANSWER_PAIRS  ? (const void *)call->pairs
                             : answer == ANSWER_HITS ? (const void *)call->hits
                                                     : call->found;
    return has_stopped ? 0 : acre_record_found_hash(answer, rows, call->total, call->capacity);
}

void acre_record_write_call(acre_recorder *recorder, const acre_quadtree_call *call)
{
    const record_stream stream = {.out = recorder};
    const record_operation *const operation = acre_record_operation((uint32_t)call->kind);
    ACRE_ASSERT(operation != NULL); // it has a row in RECORD_OPERATIONS
    record_call now;                // only what the call has is set
    now.call = *call;
    now.set_hash = operation->answer >= ANSWER_TOTAL ? hash_of_call(call, operation->answer) : 0;
    put_integer(recorder, (uint32_t)call->kind, 1);
    pass_call(&stream, &now);
}

static void pass_def(const record_stream *stream, acre_quadtree_def *def)
{
    pass_floats(stream, def->center, 2);
    pass_floats(stream, &def->half_size, 1);
    pass_u32(stream, &def->max_depth);
    pass_u32(stream, &def->node_capacity);
    pass_u32(stream, &def->item_capacity);
}

void acre_record_write_header(acre_recorder *recorder, const acre_quadtree_def *def)
{
    acre_quadtree_def copy = *def;
    for (size_t i = 0; i < sizeof magic; i++) {
        put_integer(recorder, magic[i], 1);
    }
    put_integer(recorder, RECORD_VERSION, 1);
    pass_def(&(record_stream){.out = recorder}, &copy);
}

void acre_record_write_end(acre_recorder *recorder, uint64_t content_hash)
{
    put_integer(recorder, RECORD_END, 1);
    put_integer(recorder, content_hash, 8);
    flush_buffer(recorder);
}

bool acre_record_open(record_reader *reader, const void *bytes, size_t size,
                      const acre_allocator *allocator, acre_quadtree_def *def)
{
    *reader = (record_reader){.bytes = bytes, .size = size, .allocator = allocator};
    bool is_magic = true;
    for (size_t i = 0; i < sizeof magic; i++) {
        is_magic &= get_integer(reader, 1) == magic[i];
    }
    reader->version = (uint32_t)get_integer(reader, 1);
    if (!is_magic || reader->version < RECORD_FIRST_VERSION || reader->version > RECORD_VERSION) {
        reader->offset = is_magic ? sizeof magic : 0;
        reader->result = ACRE_ERROR_FORMAT;
    }
    *def = (acre_quadtree_def){.center = {0.0f}};
    pass_def(&(record_stream){.in = reader}, def);
    return reader->result == ACRE_OK;
}

// Reads what follows a call's kind.
static void get_call(record_reader *reader, uint32_t kind)
{
    const record_operation *const operation = acre_record_operation(kind);
    const bool has_pairs = reader->version > RECORD_VERSION_WITHOUT_PAIRS;
    const bool has_masks = reader->version > RECORD_VERSION_WITHOUT_MASKS;
    if (!operation || (!has_pairs && (operation->arguments & ARG_RULES)) ||
        (!has_masks && (operation->arguments & (ARG_MASKS | ARG_OFFSET)))) {
        fail(reader, ACRE_ERROR_FORMAT);
        return;
    }
    reader->now.call = (acre_quadtree_call){.kind = (acre_quadtree_call_kind)kind};
    reader->now.set_hash = 0;
    pass_call(&(record_stream){.in = reader}, &reader->now);
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
    COLUMN_FREE(reader->allocator, reader->items);
    COLUMN_FREE(reader->allocator, reader->boxes);
    COLUMN_FREE(reader->allocator, reader->masks);
}
