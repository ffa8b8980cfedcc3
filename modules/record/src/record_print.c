// SPDX-License-Identifier: MIT
// record_print.c - a recording as C: a function that makes the same calls.
#include "record_format.h"

#include "assert_internal.h"
#include "float_bits.h"

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
    const uint32_t bits = bits_of_float(value);
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

// Prints a volume's floats as its type nests them. A point alone is an array.
static void print_layout(printer *out, const char *layout, const float *values)
{
    const bool is_struct = layout[1] != '\0';
    print(out, is_struct ? "{" : "");
    for (const char *at = layout; *at; at++) {
        const uint32_t count = SHAPE_LAYOUT_FLOATS(*at);
        const bool is_first = at == layout || at[-1] == '{';
        print(out, is_first || *at == '}' ? "" : ", ");
        if (count == 0) {
            print(out, "%c", *at);
        } else if (count == 1) {
            print_float(out, *values);
        } else {
            print_floats(out, values, count);
        }
        values += count;
    }
    print(out, is_struct ? "}" : "");
}

static void print_box(printer *out, const acre_aabb *box)
{
    print_layout(out, "pp", (const float *)box);
}

static void print_frustum(printer *out, const char *name, const acre_frustum *frustum)
{
    print(out, "        const acre_frustum %s = {{", name);
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        print(out, i == 0 ? "\n            " : ",\n            ");
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

static void print_numbers(printer *out, const char *name, const uint32_t *numbers, size_t count)
{
    print(out, "        static const uint32_t %s[] = {", name);
    for (size_t i = 0; i < count; i++) {
        print(out, i % 8 == 0 ? "\n            %" PRIu32 "u," : " %" PRIu32 "u,", numbers[i]);
    }
    print(out, "\n        };\n");
}

static void print_rows(printer *out, const acre_quadtree_call *call, uint32_t arguments)
{
    if (arguments & (ARG_BOXES | ARG_ARRAY)) {
        print(out, "        static const acre_aabb boxes[] = {\n");
        for (size_t i = 0; i < call->count; i++) {
            print(out, "            ");
            print_box(out, &call->boxes[i]);
            print(out, ",\n");
        }
        print(out, "        };\n");
    }
    if (arguments & ARG_ITEMS) {
        print_numbers(out, "items", call->items, call->count);
    }
    if (arguments & ARG_MASKS) {
        print_numbers(out, "masks", call->row_layers, call->count);
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

static void print_volume(printer *out, const record_call *now)
{
    const volume_kind kind = volume_kind_of(now->query.shape);
    if (now->query.shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        print(out, "&frustum");
        return;
    }
    print(out, kind.layout[1] ? "&(%s)" : "(float[])", kind.type);
    print_layout(out, kind.layout, now->volume.values);
}

static void print_query(printer *out, const record_call *now)
{
    const acre_query *const query = &now->query;
    if (query->shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        print_frustum(out, "frustum", query->frustum);
    }
    if (query->exclude) {
        print_frustum(out, "exclude", query->exclude);
    }
    const volume_kind kind = volume_kind_of(query->shape);
    print(out, "        const acre_query query = {.shape = ACRE_QUERY_SHAPE_%s", kind.name);
    if (kind.field) {
        print(out, ",\n            .%s = ", kind.field);
        print_volume(out, now);
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

// ---- calls ----

// What a call's arguments need to have a name.
static void print_declarations(printer *out, const record_call *now, uint32_t arguments)
{
    const acre_quadtree_call *const call = &now->call;
    if ((arguments & ARG_ROWS) && call->count > 0) {
        print_rows(out, call, arguments);
    }
    if (arguments & ARG_ARRAY) {
        print_array(out, call);
    }
    if (arguments & ARG_FRUSTUM) {
        print_frustum(out, "frustum", call->frustum);
    }
    if (arguments & ARG_QUERY) {
        print_query(out, now);
    }
    if (arguments & ARG_RULES) {
        print_rules(out, call->rules);
    }
}

static void print_argument(printer *out, const acre_quadtree_call *call, uint32_t argument)
{
    switch (argument) {
    case ARG_ITEM:
        print(out, ", %" PRIu32 "u", call->item);
        break;
    case ARG_LAYERS:
        print(out, ", 0x%" PRIx32 "u", call->layers);
        break;
    case ARG_COUNT:
        print(out, ", %zu", call->count);
        break;
    case ARG_BOX:
        print(out, ", &(acre_aabb)");
        print_box(out, call->boxes);
        break;
    case ARG_ITEMS:
        print(out, call->count > 0 ? ", items" : ", NULL");
        break;
    case ARG_MASKS:
        print(out, call->count > 0 ? ", masks" : ", NULL");
        break;
    case ARG_BOXES:
        print(out, call->count > 0 ? ", boxes" : ", NULL");
        break;
    case ARG_OFFSET:
        print(out, ", (const double[]){%a, %a, %a}", call->offset[0], call->offset[1],
              call->offset[2]);
        break;
    default:
        ACRE_INVARIANT(argument == ARG_NONE || argument == ARG_ARRAY || argument >= ARG_FRUSTUM);
        print(out, "%s",
              argument == ARG_ARRAY     ? ", &array"
              : argument == ARG_FRUSTUM ? ", &frustum"
              : argument == ARG_QUERY   ? ", &query"
              : argument == ARG_RULES   ? ", &rules"
                                        : "");
        break;
    }
}

// How the room for an answer is written, and the hash of what was found.
static const struct {
    const char *rows, *hash;
} found_text[] = {[ANSWER_TOTAL] = {"found", "set_hash(total)"},
                  [ANSWER_ITEMS] = {"found", "set_hash(total)"},
                  [ANSWER_HITS] = {"hits", "hit_hash(total)"},
                  [ANSWER_PAIRS] = {"pairs", "pair_hash(total)"}};

// The printed function has arrays with room for more than any call found. The caller's capacity
// matters only if a query stops when it is full, or asks for the nearest.
static void print_room(printer *out, const acre_quadtree_call *call, record_answer answer)
{
    const bool is_limited =
        answer == ANSWER_HITS || (call->query && (call->query->flags & ACRE_QUERY_STOP_WHEN_FULL));
    print(out, ", %s, ", found_text[answer].rows);
    if (is_limited && call->total == call->capacity) {
        print(out, "%zu", call->capacity);
    } else {
        print(out, answer == ANSWER_PAIRS ? "PAIR_ROOM" : "ROOM");
    }
    print(out, answer == ANSWER_TOTAL ? "" : ", &total");
}

// Whether a visitor or a step ended the query, so that it is not known how many there were.
static bool is_partial(const acre_quadtree_call *call)
{
    return call->kind == ACRE_QUADTREE_CALL_QUERY && call->total == SIZE_MAX;
}

static void print_call(printer *out, const record_call *now)
{
    const acre_quadtree_call *const call = &now->call;
    const record_operation *const operation = acre_record_operation((uint32_t)call->kind);
    const record_answer answer = operation->answer;
    if (call->result == ACRE_ERROR_OUT_OF_MEMORY) {
        print(out, "    // %s ran out of memory\n", operation->name);
        return;
    }
    const bool is_nested = operation->arguments & (ARG_ROWS | ARG_FRUSTUM | ARG_QUERY | ARG_RULES);
    const char *const indent = is_nested ? "        " : "    ";
    print(out, is_nested ? "    {\n" : "");
    print_declarations(out, now, operation->arguments);
    print(out, "%s%sacre_quadtree_%s(tree", indent,
          answer == ANSWER_NOTHING ? ""
          : answer == ANSWER_TOTAL ? "total = "
                                   : "all &= ",
          operation->name);
    for (int i = 0; i < 4; i++) {
        print_argument(out, call, operation->order[i]);
    }
    if (answer >= ANSWER_TOTAL) {
        print_room(out, call, answer);
    }
    print(out, answer == ANSWER_SHIFT ? ", NULL" : "");
    const bool has_result = answer != ANSWER_NOTHING && answer != ANSWER_TOTAL;
    print(out, has_result ? ") == %s;\n" : ");\n", result_name(call->result));
    if (answer >= ANSWER_TOTAL && call->result == ACRE_OK && !is_partial(call)) {
        print(out, "%sall &= total == %zu", indent, call->total);
        if (now->set_hash != 0) {
            print(out, " && %s == 0x%" PRIx64 "u", found_text[answer].hash, now->set_hash);
        }
        print(out, ";\n");
    }
    print(out, is_nested ? "    }\n" : "");
}

// ---- the function ----

// The sizes of the arrays that all queries of the printed function share.
typedef struct query_room {
    size_t found; // more than any query found
    size_t pairs; // more pairs than any call found
} query_room;

// The hashes are those of record_format.c.
static const char *const helpers[] = {"static uint32_t found[ROOM];\n"
                                      "static acre_query_hit hits[ROOM];\n"
                                      "static acre_pair pairs[PAIR_ROOM];\n\n",
                                      "static inline uint64_t mixed(uint64_t x)\n{\n"
                                      "    x += 0x9e3779b97f4a7c15u;\n"
                                      "    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;\n"
                                      "    x = (x ^ x >> 27) * 0x94d049bb133111ebu;\n"
                                      "    return x ^ x >> 31;\n}\n\n",
                                      "// Hashes of what was found; its order does not matter.\n"};

static void print_hash_helper(printer *out, const char *name, const char *row)
{
    print(out,
          "static inline uint64_t %s(size_t count)\n{\n"
          "    uint64_t sum = 1;\n"
          "    for (size_t i = 0; i < count; i++) {\n"
          "        sum += mixed(%s);\n"
          "    }\n"
          "    return sum;\n}\n\n",
          name, row);
}

static void print_begin(printer *out, const acre_quadtree_def *def, const query_room *room)
{
    print(out,
          "// Printed from a recording: the calls on one tree, and what they answered.\n"
          "#include <acre/quadtree_pairs.h>\n\n#include <math.h>\n\n"
          "bool replay(void);\n\n"
          "enum { ROOM = %zu, PAIR_ROOM = %zu }; // more than any call found\n",
          room->found, room->pairs);
    for (size_t i = 0; i < sizeof helpers / sizeof helpers[0]; i++) {
        print(out, "%s", helpers[i]);
    }
    print_hash_helper(out, "set_hash", "found[i]");
    print_hash_helper(out, "hit_hash", "hits[i].item");
    print_hash_helper(out, "pair_hash", "(uint64_t)pairs[i].a << 32 | pairs[i].b");
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
    query_room room = {1, 1};
    while (acre_record_next(reader)) {
        const acre_quadtree_call *const call = &reader->now.call;
        const record_answer answer = acre_record_operation((uint32_t)call->kind)->answer;
        const size_t total =
            call->result == ACRE_ERROR_OUT_OF_MEMORY || is_partial(call) ? 0 : call->total;
        size_t *const most = answer == ANSWER_PAIRS ? &room.pairs : &room.found;
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
        print_call(&out, &reader.now);
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
