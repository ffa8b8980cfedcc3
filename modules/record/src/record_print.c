// SPDX-License-Identifier: MIT
// record_print.c - a recording as C: a function that makes the same calls.
#include "record_format.h"

#include "assert_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct printer {
    acre_record_write write;
    void *context;
    bool failed;
} printer;

// Prints integers and strings only, since floats would follow the locale.
static void print(printer *out, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ACRE_INVARIANT(length >= 0 && (size_t)length < sizeof text);
    out->failed = out->failed || length < 0 || (size_t)length >= sizeof text ||
                  !out->write(out->context, text, (size_t)length);
}

// Prints a float exactly: a whole number as it is, another as an odd number times a power of two.
static void print_float(printer *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const char *const sign = bits >> 31 ? "-" : "";
    const uint32_t exponent = bits >> 23 & 0xff;
    uint32_t fraction = bits & 0x7fffff;
    if (exponent == 0xff) {
        print(out, "%s%s", sign, fraction ? "NAN" : "INFINITY");
        return;
    }
    if (fraction == 0 && exponent == 0) {
        print(out, "%s0.0f", sign);
        return;
    }
    int power = (exponent ? (int)exponent : 1) - 150;
    fraction |= exponent ? 0x800000u : 0;
    ACRE_INVARIANT(fraction != 0); // or the loop would not end
    while (fraction % 2 == 0) {
        fraction /= 2;
        power++;
    }
    if (power >= 0 && power < 8 && fraction < 0x10000) {
        print(out, "%s%" PRIu32 ".0f", sign, fraction << power);
    } else {
        print(out, "%s0x%" PRIx32 "p%df", sign, fraction, power);
    }
}

static void print_floats(printer *out, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        print(out, i == 0 ? "{" : ", ");
        print_float(out, values[i]);
    }
    print(out, "}");
}

static void print_box(printer *out, const acre_aabb *box)
{
    print(out, "{");
    print_floats(out, box->min, 3);
    print(out, ", ");
    print_floats(out, box->max, 3);
    print(out, "}");
}

static void print_frustum(printer *out, const char *name, const acre_frustum *frustum)
{
    print(out, "        const acre_frustum %s = {{", name);
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        print(out, i == 0 ? "\n" : ",\n");
        print(out, "            ");
        print_floats(out, frustum->planes[i], 4);
    }
    print(out, "%s}, %" PRIu32 "};\n", frustum->plane_count ? "" : "{0}", frustum->plane_count);
}

static const char *result_name(acre_result result)
{
    static const char *const names[] = {"ACRE_OK",
                                        "ACRE_ERROR_INVALID_ARGUMENT",
                                        "ACRE_ERROR_OUT_OF_MEMORY",
                                        "ACRE_ERROR_CAPACITY",
                                        "ACRE_ERROR_STALE_HANDLE",
                                        "ACRE_ERROR_EXISTS",
                                        "ACRE_ERROR_NOT_FOUND",
                                        "ACRE_ERROR_BUSY",
                                        "ACRE_ERROR_IO",
                                        "ACRE_ERROR_FORMAT"};
    ACRE_ASSERT((size_t)result < sizeof names / sizeof names[0]); // the reader refuses others
    return names[result];
}

static void print_rows(printer *out, const acre_quadtree_call *call)
{
    if (call->boxes) {
        print(out, "        static const acre_aabb boxes[] = {\n");
        for (size_t i = 0; i < call->count; i++) {
            print(out, "            ");
            print_box(out, &call->boxes[i]);
            print(out, ",\n");
        }
        print(out, "        };\n");
    }
    if (call->items) {
        print(out, "        static const uint32_t items[] = {");
        for (size_t i = 0; i < call->count; i++) {
            print(out, i % 8 == 0 ? "\n            %" PRIu32 "," : " %" PRIu32 ",", call->items[i]);
        }
        print(out, "\n        };\n");
    }
}

// Prints an acre_box_array whose rows are the printed boxes.
static void print_array(printer *out, const acre_quadtree_call *call)
{
    print(out, "        const acre_box_array array = {\n");
    if (call->count > 0) {
        print(out, "            boxes->min, boxes->max, sizeof *boxes, sizeof *boxes,\n");
    }
    print(out, "            .form = %s};\n",
          call->array->form == ACRE_BOX_FORM_MIN_MAX ? "ACRE_BOX_FORM_MIN_MAX"
                                                     : "ACRE_BOX_FORM_CENTER_EXTENT");
}

static void print_edit(printer *out, const acre_quadtree_call *call)
{
    const uint32_t args = acre_record_call_args((uint32_t)call->kind);
    const char *const name = acre_record_call_name((uint32_t)call->kind);
    const bool has_rows = (args & (ARG_BOXES | ARG_ITEMS)) && call->count > 0;
    const bool is_array = args & ARG_FORM;
    const bool is_nested = has_rows || is_array;
    if (call->kind == ACRE_QUADTREE_CALL_CLEAR) {
        print(out, "    acre_quadtree_clear(tree);\n");
        return;
    }
    print(out, "%s", is_nested ? "    {\n" : "");
    if (has_rows) {
        print_rows(out, call);
    }
    if (is_array) {
        print_array(out, call);
    }
    print(out, "%s    all &= acre_quadtree_%s(tree", is_nested ? "    " : "", name);
    if (args & ARG_ITEM) {
        print(out, ", %" PRIu32 "u", call->item);
    }
    if (args & ARG_BOX) {
        print(out, ", &(acre_aabb)");
        print_box(out, call->boxes);
    }
    if (args & ARG_ITEMS) {
        print(out, has_rows ? ", items" : ", NULL");
    }
    if (args & ARG_BOXES) {
        print(out, is_array ? ", &array" : has_rows ? ", boxes" : ", NULL");
    }
    if (args & ARG_COUNT) {
        print(out, ", %zu", call->count);
    }
    if (args & ARG_LAYERS) {
        print(out, ", 0x%" PRIx32 "u", call->layers);
    }
    print(out, ") == %s;\n%s", result_name(call->result), is_nested ? "    }\n" : "");
}

typedef struct shape_text {
    const char *name, *field, *begin, *layout;
} shape_text;

static shape_text shape_text_of(acre_query_shape shape)
{
    switch (shape) {
#define X(SHAPE, field, type, begin, layout)                                                       \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        return (shape_text){"ACRE_QUERY_SHAPE_" #SHAPE, #field, begin, layout};
        RECORD_SHAPES(X)
#undef X
    case ACRE_QUERY_SHAPE_FRUSTUM:
        return (shape_text){"ACRE_QUERY_SHAPE_FRUSTUM", "frustum", "&frustum", ""};
    default:
        return (shape_text){"ACRE_QUERY_SHAPE_ALL", NULL, NULL, NULL};
    }
}

// Prints a volume's floats as its type nests them.
static void print_layout(printer *out, const char *layout, const float *values)
{
    print(out, "{");
    for (const char *at = layout; *at; at++) {
        const bool is_first = at == layout || at[-1] == '{';
        if (*at == '{' || *at == '}') {
            print(out, *at == '{' && !is_first ? ", %c" : "%c", *at);
            continue;
        }
        print(out, is_first ? "" : ", ");
        ACRE_INVARIANT(*at == 's' || (*at >= '2' && *at <= '9'));
        if (*at == 's') {
            print_float(out, *values++);
        } else {
            print_floats(out, values, (size_t)(*at - '0'));
            values += *at - '0';
        }
    }
    print(out, "}");
}

static void print_description(printer *out, const record_reader *reader)
{
    const acre_query *const query = reader->call.query;
    const shape_text text = shape_text_of(query->shape);
    if (query->frustum) {
        print_frustum(out, "frustum", query->frustum);
    }
    if (query->exclude) {
        print_frustum(out, "exclude", query->exclude);
    }
    print(out, "        const acre_query query = {.shape = %s", text.name);
    if (text.field) {
        print(out, ",\n            .%s = %s", text.field, text.begin);
    }
    if (acre_record_shape_floats(query->shape) > 0) {
        print_layout(out, text.layout, reader->volume.values);
    }
    if (query->exclude) {
        print(out, ",\n            .exclude = &exclude");
    }
    if (query->origin) {
        print(out, ",\n            .origin = &(acre_aabb)");
        print_box(out, query->origin);
    }
    if (query->max_distance > 0.0f) {
        print(out, ",\n            .max_distance = ");
        print_float(out, query->max_distance);
    }
    if (query->except_item1) {
        print(out, ",\n            .except_item1 = %" PRIu32 "u", query->except_item1);
    }
    print(out, ",\n            .layers = 0x%" PRIx32 "u, .flags = %" PRIu32 "u};\n", query->layers,
          query->flags);
}

// The printed function has one array with room for more than any query found. The caller's
// capacity matters only if the query stops when it is full, or asks for the nearest.
static void print_described(printer *out, const record_reader *reader)
{
    const acre_quadtree_call *const call = &reader->call;
    ACRE_ASSERT(call->query != NULL);
    const char *const result = result_name(call->result);
    const bool stops = call->query->flags & ACRE_QUERY_STOP_WHEN_FULL;
    print_description(out, reader);
    char room[32] = "ROOM";
    if (call->total == call->capacity) {
        snprintf(room, sizeof room, "%zu", call->capacity);
    }
    if (call->kind == ACRE_QUADTREE_CALL_QUERY_NEAREST) {
        print(out,
              "        all &= acre_quadtree_query_nearest(tree, &query, hits, %s, &total) == %s;\n"
              "        take_items(total);\n",
              room, result);
    } else {
        print(out, "        all &= acre_quadtree_query(tree, &query, found, %s, &total) == %s;\n",
              stops ? room : "ROOM", result);
    }
}

static void print_rules(printer *out, const acre_pairs_rules *rules)
{
    if (rules->meets) {
        print(out, "        static const uint32_t meets[32] = {");
        for (uint32_t layer = 0; layer < 32; layer++) {
            print(out, layer % 6 == 0 ? "\n            0x%" PRIx32 "u," : " 0x%" PRIx32 "u,",
                  rules->meets[layer]);
        }
        print(out, "\n        };\n");
    }
    print(out, "        const acre_pairs_rules rules = {.flags = %" PRIu32 "u, .meets = %s};\n",
          rules->flags, rules->meets ? "meets" : "NULL");
}

static void print_pairs(printer *out, const record_reader *reader)
{
    const acre_quadtree_call *const call = &reader->call;
    const char *const result = result_name(call->result);
    const bool is_one = call->kind == ACRE_QUADTREE_CALL_ITEM_PAIRS;
    print(out, "    {\n");
    print_rules(out, call->rules);
    if (is_one) {
        print(out,
              "        all &= acre_quadtree_item_pairs(tree, %" PRIu32
              "u, &rules, found, ROOM, &total) == %s;\n",
              call->item, result);
    } else {
        print(out,
              "        all &= acre_quadtree_pairs(tree, &rules, pairs, PAIR_ROOM, &total) == %s;\n",
              result);
    }
    if (call->result == ACRE_OK) {
        print(out, "        all &= total == %zu", call->total);
        if (reader->set_hash != 0) {
            print(out, " && %s == 0x%" PRIx64 "u",
                  is_one ? "set_hash(found, total)" : "pair_hash(total)", reader->set_hash);
        }
        print(out, ";\n");
    }
    print(out, "    }\n");
}

static void print_query(printer *out, const record_reader *reader)
{
    const acre_quadtree_call *const call = &reader->call;
    if (call->rules) {
        print_pairs(out, reader);
        return;
    }
    print(out, "    {\n");
    if (call->query) {
        print_described(out, reader);
    } else {
        if (call->frustum) {
            print_frustum(out, "frustum", call->frustum);
        } else {
            print(out, "        const acre_aabb box = ");
            print_box(out, call->boxes);
            print(out, ";\n");
        }
        print(out, "        total = acre_quadtree_%s(tree, &%s, found, ROOM);\n",
              acre_record_call_name((uint32_t)call->kind), call->frustum ? "frustum" : "box");
    }
    if (call->kind != ACRE_QUADTREE_CALL_QUERY || call->total != SIZE_MAX) {
        print(out, "        all &= total == %zu", call->total);
        if (reader->set_hash != 0) {
            print(out, " && set_hash(found, total) == 0x%" PRIx64 "u", reader->set_hash);
        }
        print(out, ";\n");
    }
    print(out, "    }\n");
}

// The sizes of the arrays that all queries of the printed function share.
typedef struct query_room {
    size_t found; // more than any query found; 0: there is no query
    size_t pairs; // more pairs than any call found; 0: no call asks for pairs
    bool has_nearest;
} query_room;

// The same function as hash_item in record_format.c.
static void print_hash_helper(printer *out)
{
    print(out, "static inline uint64_t mixed(uint64_t x)\n{\n"
               "    x += 0x9e3779b97f4a7c15u;\n"
               "    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;\n"
               "    x = (x ^ x >> 27) * 0x94d049bb133111ebu;\n"
               "    return x ^ x >> 31;\n}\n\n");
}

static void print_pair_helpers(printer *out, const query_room *room)
{
    print(out,
          "enum { PAIR_ROOM = %zu }; // more pairs than any call found\n"
          "static acre_pair pairs[PAIR_ROOM];\n\n"
          "// A hash of a set of pairs; their order does not matter.\n"
          "static inline uint64_t pair_hash(size_t count)\n{\n"
          "    uint64_t sum = 1;\n"
          "    for (size_t i = 0; i < count; i++) {\n"
          "        sum += mixed((uint64_t)pairs[i].a << 32 | pairs[i].b);\n"
          "    }\n"
          "    return sum;\n}\n\n",
          room->pairs);
}

static void print_query_helpers(printer *out, const query_room *room)
{
    print(out,
          "enum { ROOM = %zu }; // more than any query found\n"
          "static uint32_t found[ROOM];\n\n",
          room->found);
    if (room->has_nearest) {
        print(out, "static acre_query_hit hits[ROOM];\n\n"
                   "static void take_items(size_t count)\n{\n"
                   "    for (size_t i = 0; i < count; i++) {\n"
                   "        found[i] = hits[i].item;\n"
                   "    }\n}\n\n");
    }
    print(out, "// A hash of a set of items; their order does not matter.\n"
               "static inline uint64_t set_hash(const uint32_t *items, size_t count)\n{\n"
               "    uint64_t sum = 1;\n"
               "    for (size_t i = 0; i < count; i++) {\n"
               "        sum += mixed(items[i]);\n"
               "    }\n"
               "    return sum;\n}\n\n");
}

static void print_begin(printer *out, const acre_quadtree_def *def, const query_room *room)
{
    print(out, "// Printed from a recording: the calls on one tree, and what they answered.\n"
               "#include <acre/quadtree_pairs.h>\n\n#include <math.h>\n\n"
               "bool replay(void);\n\n");
    if (room->found > 0 || room->pairs > 0) {
        print_hash_helper(out);
    }
    if (room->found > 0) {
        print_query_helpers(out, room);
    }
    if (room->pairs > 0) {
        print_pair_helpers(out, room);
    }
    print(out, "bool replay(void)\n{\n"
               "    const acre_quadtree_def def = {\n        .center = ");
    print_floats(out, def->center, 2);
    print(out, ",\n        .half_size = ");
    print_float(out, def->half_size);
    print(out,
          ",\n        .max_depth = %" PRIu32 ",\n        .node_capacity = %" PRIu32
          ",\n        .item_capacity = %" PRIu32 ",\n    };\n",
          def->max_depth, def->node_capacity, def->item_capacity);
    print(out, "    acre_quadtree *tree;\n    size_t total = 0;\n"
               "    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {\n"
               "        return false;\n    }\n    bool all = total == 0;\n");
}

// Reads the whole recording.
static query_room room_for_queries(record_reader *reader)
{
    query_room room = {0, 0, false};
    while (acre_record_next(reader)) {
        const acre_quadtree_call *const call = &reader->call;
        const bool is_query = acre_record_call_args((uint32_t)call->kind) & ARG_CAPACITY;
        if (!is_query || call->result == ACRE_ERROR_OUT_OF_MEMORY) {
            continue;
        }
        room.has_nearest |= call->kind == ACRE_QUADTREE_CALL_QUERY_NEAREST;
        const bool is_partial = call->kind == ACRE_QUADTREE_CALL_QUERY && call->total == SIZE_MAX;
        const size_t total = is_partial ? 0 : call->total;
        size_t *const most = call->kind == ACRE_QUADTREE_CALL_PAIRS ? &room.pairs : &room.found;
        if (total >= *most) {
            *most = total < SIZE_MAX ? total + 1 : SIZE_MAX;
        }
    }
    return room;
}

acre_result acre_record_print(const void *bytes, size_t size, const acre_allocator *allocator,
                              acre_record_write write, void *context)
{
    if (!bytes || !write) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    enum { MOST_FOUND = 1 << 26 }; // a tree has no more items
    record_reader reader;
    acre_quadtree_def def;
    acre_record_open(&reader, bytes, size, allocator, &def);
    const query_room room = room_for_queries(&reader);
    acre_record_close(&reader);
    if (reader.result != ACRE_OK || room.found > MOST_FOUND || room.pairs > MOST_FOUND) {
        return reader.result != ACRE_OK ? reader.result : ACRE_ERROR_FORMAT;
    }
    printer out = {write, context, false};
    acre_record_open(&reader, bytes, size, allocator, &def);
    print_begin(&out, &def, &room);
    while (acre_record_next(&reader)) {
        if (reader.call.result == ACRE_ERROR_OUT_OF_MEMORY) {
            print(&out, "    // %s ran out of memory\n",
                  acre_record_call_name((uint32_t)reader.call.kind));
        } else if (acre_record_call_args((uint32_t)reader.call.kind) & ARG_CAPACITY) {
            print_query(&out, &reader);
        } else {
            print_edit(&out, &reader.call);
        }
    }
    acre_record_close(&reader);
    print(&out, "    all &= acre_quadtree_validate(tree, NULL, 0) == ACRE_OK;\n");
    if (reader.has_content_hash) {
        print(&out, "    all &= acre_quadtree_content_hash(tree) == 0x%" PRIx64 "u;\n",
              reader.content_hash);
    }
    print(&out, "    acre_quadtree_destroy(tree);\n    return all;\n}\n");
    return out.failed ? ACRE_ERROR_IO : reader.result;
}
