// SPDX-License-Identifier: MIT
// refusal_text.c - finds what is wrong with the arguments of a refused call, and says it.
//
// A program is linked with this file only if it sets a handler.
#include <acre/bounds.h>
#include <acre/frustum.h>
#include <acre/kernel.h>
#include <acre/refusal.h>

#include "assert_internal.h"
#include "float_bits.h"
#include "refusal_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define WORD_LETTERS "abcdefghijklmnopqrstuvwxyz_"
enum { MOST_ARGUMENTS = 8, NAME_SIZE = 48, TEXT_SIZE = 240 };

// Shapes of queries: a point on the ground reads the field of the shape before it, and the nearest
// of a ray need no origin.
enum { GROUND_POINT = 5, RAY = 11 };

// ---- what letters mean ----

// The fields of structs as public headers declare them, so that their places follow from the list:
//     [?] [count] letter [limit] ' ' name
// Names that are the same up to a dot or a bracket are one field. The letters of values, which have
// four bytes each:
//     x  a float, not NaN            g  finite                  f  finite, above 0
//     l  0 or more                   j  finite, 0 or more       h  0 to below 1
//     a  an angle, above 0, below pi r  one of four, not all 0  z  a float that must be 0
//     v  0 or more, and not above the one before it
//     n  a float, not above the one 3 floats behind it
//     y  a float of planes, which are counted behind all of them
//     e  a number from 1 to the limit
//     c  one up to the limit         b  one that has only bits of the limit
//     u  what is not tested; also smaller values that are followed by larger ones
// and of pointers:
//     p  not NULL                    s  not tested, or a size_t
//     capital letters: to such a struct, not NULL; ? it may be NULL
// A pointer's count is the shape of a query that has it: others do not read it.
#define TREE_FIELDS(of)                                                                            \
    "2g " of "center,j " of "half_size,c20 " of "max_depth,c65536 " of                             \
    "node_capacity,c67108864 " of "item_capacity,s " of "allocator,c4 " of "kernel"
#define QUERY_FIELDS(flags, rest)                                                                  \
    "e11 shape,1F frustum,2B box,u layers,b" flags " flags,s stats,4G point,6H sphere,"            \
    "7J circle,8L capsule,9M cone,10P oriented_box,11Y ray,?F exclude," rest

static const char *const structs_by_letter[128] = {
    ['A'] = "p first,p second,s first_stride,s second_stride,c1 form", // rows of boxes
    ['B'] = "3n min,3x max",
    ['C'] = "3x min,3x max", // a box that may be inverted
    ['D'] = TREE_FIELDS(""),
    ['E'] = "2u parent,?T local,?C bounds,u layers,b7 flags,2u user,u rule",
    ['F'] = "64y planes,u plane_count",
    ['G'] = "3x ",
    ['H'] = "3x center,x radius",
    ['I'] = "b3 flags,s allocator,c4 kernel", // of what observers see
    ['J'] = "2x center,x radius",
    ['K'] = "16g view,16g projection,e3 clip,u layers",
    ['L'] = "3x from,3x to,x radius",
    ['M'] = "3x apex,3x direction,x length,x angle",
    ['N'] = QUERY_FIELDS("86", "B origin,l max_distance"), // for the nearest
    ['O'] = "3g place,u follows_item,u item,2u entity,l enter_radius,l leave_radius,u in_space,"
            "u layers,3l band_limits,u limit,h limit_share,u sees_itself",
    ['P'] = "3x center,3x half_size,3x axes[0],3x axes[1],3x axes[2]",
    ['Q'] = QUERY_FIELDS("95", "s origin,z max_distance"),
    ['R'] = "l min_distance,l max_distance,l min_pixels,7v lod_pixels",
    ['S'] = "c67108864 entity_capacity,u scene,s allocator,c4 kernel,b1 flags",
    ['T'] = "3g translation,4r rotation,3g scale",
    ['U'] = TREE_FIELDS("tree."), // with a tree's def in it
    ['V'] = "65u frustum,u layers,b3 flags,3g eye,l min_distance,l max_distance,l pixels,"
            "u is_parallel,l min_pixels,l range_scale,l lod_scale,h hysteresis,?F include,"
            "?F exclude,4g depth,s horizon",
    ['W'] = "u worker_count,p enqueue,p finish",
    ['X'] = QUERY_FIELDS("86", "s origin,z max_distance"), // of visits, which write no array
    ['Y'] = "3x origin,3x direction,x length,3x half_size",
    ['Z'] = "b15 flags,s allocator", // of a set of what is visible
    // Arguments that are values without names.
    ['3'] = "3g ",
    ['m'] = "16g ",
    ['q'] = "p ",
};

// ---- reading ----

// An argument as it was passed.
typedef struct argument {
    const char *name;
    char letter;
    bool is_array, may_be_null, is_likely;
    const void *pointer;
    uint64_t number; // of a float its bits
} argument;

// A field of a struct, while its list is gone through.
typedef struct field {
    const char *next; // the rest of the list
    const char *name;
    uint32_t number, count, limit; // count: 0 if none is given
    char letter;
    bool may_be_null;
    size_t offset, end;
} field;

typedef struct refused {
    const refused_arguments *call;
    argument arguments[MOST_ARGUMENTS];
    uint16_t count;
    bool has_rows; // first_row is a row of the arrays
    acre_batch_report report;
    const char *field; // at fault, or that points to what is; NULL: none
    field at;          // the values at fault, where a letter says what they must be
    uint32_t bits;     // of the first of them
} refused;

static_assert(ACRE_KERNEL_COUNT_ == 5, "the lists have c4 for a kernel");

static acre_refusal_handler told_handler;
static void *told_user;

static bool is_struct(char letter)
{
    return letter >= 'A' && letter <= 'Z';
}

static bool is_one_of(char letter, const char *list)
{
    return strchr(list, letter) != NULL;
}

static const char *behind_comma(const char *names)
{
    const char *const comma = strchr(names, ',');
    return comma ? comma + 1 : "";
}

// Goes to the next field. @return false: there is none.
static bool next_field(field *at)
{
    const char *const last = at->name ? at->name : ".";
    char *end = NULL;
    if (*at->next == '\0') {
        return false;
    }
    at->may_be_null = *at->next == '?';
    at->count = (uint32_t)strtoul(at->next + at->may_be_null, &end, 10);
    at->letter = *end;
    at->limit = (uint32_t)strtoul(end + 1, &end, 10);
    at->name = end + 1;
    at->next = behind_comma(at->name);
    at->number += strncmp(last, at->name, strcspn(last, ".[,") + 1) != 0;
    const bool is_pointer = is_struct(at->letter) || is_one_of(at->letter, "ps");
    const size_t size = is_pointer ? sizeof(void *) : 4;
    at->offset = (at->end + size - 1) / size * size;
    at->end = at->offset + (is_pointer || at->count == 0 ? size : size * at->count);
    return true;
}

// The bytes from one struct of an array to the next. Those in arrays fill whole pointers.
static size_t size_of_struct(const char *fields)
{
    field at = {.next = fields};
    while (next_field(&at)) {
    }
    return (at.end + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
}

static void read_arguments(refused *out, va_list *values)
{
    const char *at = out->call->text, *name = strchr(at, ':') + 1;
    out->report.refused = 1;
    if (*at == 'r') {
        const size_t rows = va_arg(*values, size_t), first_row = va_arg(*values, size_t);
        out->has_rows = rows > 0;
        out->report.first_row = rows > 0 ? first_row : 0;
        out->report.refused = rows > 0 ? rows : 1;
        name = behind_comma(behind_comma(name));
        at++;
    }
    for (; *at != ':'; at++, name = behind_comma(name)) {
        ACRE_INVARIANT(out->count < MOST_ARGUMENTS);
        argument *const read = &out->arguments[out->count++];
        *read = (argument){.name = name};
        for (; is_one_of(*at, "[?!"); at++) {
            read->is_array |= *at == '[';
            read->may_be_null |= *at == '?';
            read->is_likely |= *at == '!';
        }
        read->letter = *at;
        if (read->is_array || is_struct(*at) || is_one_of(*at, "op-3m")) {
            read->pointer = va_arg(*values, const void *);
        } else if (*at == 'n') {
            read->number = va_arg(*values, size_t);
        } else if (is_one_of(*at, "xgfa")) {
            read->number = bits_of_float((float)va_arg(*values, double));
        } else {
            read->number = va_arg(*values, uint32_t);
        }
        if (*at == 'A') { // and the box of its first refused row
            const acre_aabb *const box = va_arg(*values, const acre_aabb *);
            read->pointer = out->has_rows ? box : read->pointer;
            name = behind_comma(name);
        }
    }
}

// ---- judging ----

static acre_refusal_rule judge_float(char letter, float value)
{
    const float end = letter == 'a' ? 3.14159265f : letter == 'h' ? 1.0f : INFINITY;
    const bool is_low =
        (is_one_of(letter, "fa") && value <= 0) || (is_one_of(letter, "ljh") && value < 0);
    return float_is_nan(value)                                    ? ACRE_REFUSED_NAN
           : is_one_of(letter, "gfaj") && !float_is_finite(value) ? ACRE_REFUSED_INFINITE
           : is_low || (end < INFINITY && value >= end)           ? ACRE_REFUSED_RANGE
                                                                  : ACRE_REFUSED_NOTHING;
}

// Four floats; the sign of a zero does not count.
static bool is_all_zero(const unsigned char *at)
{
    float rotation[4];
    uint32_t magnitudes = 0;
    memcpy(rotation, at, sizeof rotation);
    for (int i = 0; i < 4; i++) {
        magnitudes |= float_magnitude_bits(rotation[i]);
    }
    return magnitudes == 0;
}

static acre_refusal_rule rule_if(bool is_broken, acre_refusal_rule rule)
{
    return is_broken ? rule : ACRE_REFUSED_NOTHING;
}

// Judges number `axis` of the values of a field.
static acre_refusal_rule judge_value(const field *of, const unsigned char *at, uint32_t axis)
{
    uint32_t bits;
    float value, other = 0;
    const void *pointer;
    memcpy(&bits, at, sizeof bits);
    memcpy(&value, at, sizeof value);
    const uint32_t least = of->letter == 'e';
    switch (of->letter) {
    case 'p':
        memcpy(&pointer, at, sizeof pointer);
        return rule_if(!pointer, ACRE_REFUSED_NULL);
    case 'i':
        return rule_if(bits == 0, ACRE_REFUSED_NULL);
    case 'e':
    case 'c':
        return rule_if(bits < least || bits > of->limit, ACRE_REFUSED_RANGE);
    case 'b':
        return rule_if(bits & ~of->limit, ACRE_REFUSED_UNKNOWN);
    case 'z':
        return rule_if(value != 0, ACRE_REFUSED_MISPLACED);
    case 'n':
        memcpy(&other, at + sizeof(float[3]), sizeof other);
        return float_is_nan(value) || float_is_nan(other)
                   ? judge_float('x', value)
                   : rule_if(float_order(value) > float_order(other), ACRE_REFUSED_INVERTED);
    case 'v':
        memcpy(&other, axis > 0 ? at - sizeof other : at, sizeof other);
        return value > other ? ACRE_REFUSED_RISING : judge_float('l', value);
    case 'r':
        return axis == 0 && is_all_zero(at) ? ACRE_REFUSED_ZERO : judge_float('g', value);
    case 'u':
    case 's':
        return ACRE_REFUSED_NOTHING;
    default:
        return judge_float(of->letter, value);
    }
}

static acre_refusal_rule judge_values(refused *out, const field *of, const unsigned char *at)
{
    uint32_t count = of->count > 0 ? of->count : 1;
    if (of->letter == 'y') {
        memcpy(&count, at + count * sizeof(float), sizeof count);
        count = 4 * (count < ACRE_FRUSTUM_MAX_PLANES ? count : ACRE_FRUSTUM_MAX_PLANES);
    }
    for (uint32_t axis = 0; axis < count; axis++, at += sizeof(float)) {
        const acre_refusal_rule rule = judge_value(of, at, axis);
        if (rule != ACRE_REFUSED_NOTHING) {
            out->at = *of;
            memcpy(&out->bits, at, sizeof out->bits);
            out->report.first.axis = (uint8_t)axis;
            return rule;
        }
    }
    return ACRE_REFUSED_NOTHING;
}

// Judges the fields of a struct, and those of structs that they point to.
static acre_refusal_rule judge_struct(refused *out, const char *fields, const unsigned char *start)
{
    field of = {.next = fields};
    uint32_t shape; // if it is a query
    memcpy(&shape, start, sizeof shape);
    shape -= shape == GROUND_POINT;
    while (next_field(&of)) {
        const bool is_spare = of.count == 0 && shape == RAY && strncmp(of.name, "origin", 6) == 0;
        field inner = {.next = is_struct(of.letter) ? structs_by_letter[(int)of.letter] : ""};
        const unsigned char *at = start + of.offset;
        acre_refusal_rule rule = ACRE_REFUSED_NOTHING;
        if (!is_struct(of.letter)) {
            rule = judge_values(out, &of, at);
        } else if (of.count == 0 || of.count == shape) {
            memcpy(&at, start + of.offset, sizeof(void *));
            rule = at || of.may_be_null || is_spare ? ACRE_REFUSED_NOTHING : ACRE_REFUSED_NULL;
            while (rule == ACRE_REFUSED_NOTHING && at && next_field(&inner)) {
                rule = judge_values(out, &inner, at + inner.offset);
            }
        }
        if (rule != ACRE_REFUSED_NOTHING) {
            out->field = *of.name ? of.name : NULL;
            out->report.first.field = (uint16_t)(out->field ? of.number : 0);
            return rule;
        }
    }
    return ACRE_REFUSED_NOTHING;
}

// The count of the array that is argument number `index`.
static uint64_t array_count(const refused *call, size_t index)
{
    for (; index < call->count; index++) {
        if (call->arguments[index].letter == 'n') {
            return call->arguments[index].number;
        }
    }
    return 1;
}

// Judges one argument without looking at the others.
static acre_refusal_rule judge_argument(refused *out, uint16_t index)
{
    const argument *const of = &out->arguments[index];
    const char letter = of->letter == 'A' && out->has_rows ? 'B' : of->letter;
    const unsigned char *const start = of->pointer;
    if (!of->is_array && is_one_of(letter, "xgfaik")) {
        const field value = {.name = "",
                             .letter = letter == 'k' ? 'e' : letter,
                             .limit = ACRE_CLIP_REVERSED_ZERO_TO_ONE};
        const uint32_t bits = (uint32_t)of->number;
        return judge_values(out, &value, (const unsigned char *)&bits);
    }
    if (!of->is_array && is_one_of(letter, "-u@#n")) {
        return ACRE_REFUSED_NOTHING;
    }
    if (!start) {
        const bool is_right = of->may_be_null || (of->is_array && array_count(out, index) == 0);
        return is_right ? ACRE_REFUSED_NOTHING : ACRE_REFUSED_NULL;
    }
    const char *const fields = structs_by_letter[(int)letter];
    const size_t row = of->is_array ? out->report.first_row : 0;
    return fields && (!of->is_array || out->has_rows)
               ? judge_struct(out, fields, start + row * size_of_struct(fields))
               : ACRE_REFUSED_NOTHING;
}

// ---- blaming ----

// The first argument of a kind: `!` a likely one, `*` a struct, else its letter. The kinds are
// tried in their order. @return count: none.
static uint16_t find_argument(const refused *call, const char *kinds)
{
    for (; *kinds; kinds++) {
        for (uint16_t i = 0; i < call->count; i++) {
            const argument *const at = &call->arguments[i];
            if (*kinds == '!'   ? at->is_likely
                : *kinds == '*' ? is_struct(at->letter)
                                : at->letter == *kinds) {
                return i;
            }
        }
    }
    return call->count;
}

// The arguments that are to blame for a result if no argument is wrong by itself.
static const struct {
    acre_refusal_rule rule;
    bool may_differ;   // the function may pass a rule of its own
    const char *kinds; // of the arguments to blame, the likeliest first
} faults[] = {
    [ACRE_ERROR_INVALID_ARGUMENT] = {ACRE_REFUSED_RANGE, true, "!3m*@"},
    [ACRE_ERROR_CAPACITY] = {ACRE_REFUSED_CAPACITY, false, "#@!o"},
    [ACRE_ERROR_STALE_HANDLE] = {ACRE_REFUSED_STALE, false, "@*"},
    [ACRE_ERROR_EXISTS] = {ACRE_REFUSED_EXISTS, true, "#@po"},
    [ACRE_ERROR_NOT_FOUND] = {ACRE_REFUSED_ABSENT, true, "#@po"},
    [ACRE_ERROR_BUSY] = {ACRE_REFUSED_BUSY, false, "o"},
    [ACRE_ERROR_FORMAT] = {ACRE_REFUSED_BROKEN, false, "o"},
    [ACRE_ERROR_NOT_COMMITTED] = {ACRE_REFUSED_NOT_COMMITTED, false, "@"},
};

static void find_fault(refused *out)
{
    acre_refusal *const first = &out->report.first;
    const acre_result result = out->call->result;
    const acre_refusal_rule own = out->call->rule;
    acre_refusal_rule rule = ACRE_REFUSED_NOTHING;
    uint16_t index = 0;
    if ((size_t)result >= sizeof faults / sizeof faults[0] || !faults[result].kinds) {
        return; // no argument: memory is short, or a hook refused
    }
    while (result == ACRE_ERROR_INVALID_ARGUMENT && rule == ACRE_REFUSED_NOTHING &&
           index < out->count) {
        rule = judge_argument(out, index++);
    }
    if (rule == ACRE_REFUSED_NOTHING) {
        // Only the function can tell a handle that is not committed yet from a stale one.
        const bool is_own = own != ACRE_REFUSED_NOTHING &&
                            (faults[result].may_differ || own == ACRE_REFUSED_NOT_COMMITTED);
        index = find_argument(out, faults[result].kinds) + 1;
        rule = is_own ? own : faults[result].rule;
    }
    if (index <= out->count) {
        first->argument = index;
        first->rule = (uint8_t)rule;
    }
    if (rule == ACRE_REFUSED_OUTSIDE || rule == ACRE_REFUSED_SHARED) {
        out->field = rule == ACRE_REFUSED_OUTSIDE ? "eye" : "horizon";
        first->field = rule == ACRE_REFUSED_OUTSIDE ? 4 : 16;
    }
    if (result == ACRE_ERROR_STALE_HANDLE && index > 0 && out->arguments[index - 1].letter == 'E') {
        out->field = "parent";
        first->field = 1;
    }
}

// ---- saying ----

static void say(char *text, const char *format, ...)
{
    va_list values;
    const size_t length = strlen(text);
    va_start(values, format);
    (void)vsnprintf(text + length, TEXT_SIZE - length, format, values);
    va_end(values);
}

// The first word of an argument, behind what it was cast to.
static void copy_name(const argument *of, char name[NAME_SIZE])
{
    const char *const from = of->name + strspn(of->name, " &");
    const char *const cast_end = *from == '(' ? strchr(from, ')') : NULL;
    const char *const word = cast_end ? cast_end + 1 : from;
    const size_t length = strspn(word, WORD_LETTERS);
    ACRE_INVARIANT(length < NAME_SIZE);
    memcpy(name, word, length < NAME_SIZE ? length : 0);
}

// Names the item, or the slot of the handle, that the call was about.
static void say_owner(const refused *call, char *text)
{
    const uint16_t index = find_argument(call, "#@");
    const argument *const owner = &call->arguments[index];
    if (index == call->count || (owner->is_array && !(call->has_rows && owner->pointer))) {
        return;
    }
    uint32_t number = (uint32_t)owner->number;
    if (owner->is_array) {
        const size_t at = call->report.first_row * (owner->letter == '@' ? 8 : 4);
        memcpy(&number, (const unsigned char *)owner->pointer + at, sizeof number);
    }
    if (owner->letter == '#' || number > 0) { // a handle has its slot plus 1
        say(text, owner->letter == '#' ? " (item %lu)" : " (slot %lu)",
            (unsigned long)number - (owner->letter == '@'));
    }
}

static void say_names(const refused *call, const argument *of, const char *name, char *text)
{
    const acre_refusal *const first = &call->report.first;
    const unsigned axis = first->axis;
    say(text, "%s", name);
    if (call->has_rows && (of->is_array || of->letter == 'A')) {
        say(text, "[%lu]", (unsigned long)call->report.first_row);
    }
    if (call->field) {
        say(text, ".%.*s", (int)strcspn(call->field, ","), call->field);
    }
    if (call->field != call->at.name && call->at.name && *call->at.name) {
        say(text, ".%.*s", (int)strcspn(call->at.name, ","), call->at.name);
    }
    if (call->at.letter == 'y') {
        say(text, "[%u][%u]", axis / 4, axis % 4);
    } else if (call->at.count > 1 && first->rule != ACRE_REFUSED_ZERO) {
        say(text, "[%u]", axis);
    }
}

// Says a number that is out of range, and the range.
static void say_range(const refused *call, const argument *of, char *text)
{
    const char letter = call->at.letter ? call->at.letter : of->letter;
    const double value = is_one_of(letter, "ec") ? (double)call->bits
                         : call->at.letter       ? (double)float_of_bits(call->bits)
                                                 : (double)of->number;
    const char *const range = letter == 'f'   ? "above 0"
                              : letter == 'a' ? "(0, pi)"
                              : letter == 'h' ? "0 to below 1"
                                              : "0 or more";
    if (is_one_of(letter, "faljhv")) {
        say(text, " is %g, the range is %s", value, range);
    } else if (is_one_of(letter, "ec")) {
        say(text, " is %.0f, the range is %d to %lu", value, letter == 'e',
            (unsigned long)call->at.limit);
    } else {
        say(text, " is not in the range that the function takes");
    }
}

static void say_fault(const refused *call, const char *name, char *text)
{
    static const char *const texts[ACRE_REFUSED_COUNT_] = {
        [ACRE_REFUSED_NULL] = "is NULL",
        [ACRE_REFUSED_NAN] = "is NaN",
        [ACRE_REFUSED_INFINITE] = "is infinite",
        [ACRE_REFUSED_INVERTED] = "is above its maximum",
        [ACRE_REFUSED_ZERO] = "is all zero",
        [ACRE_REFUSED_UNKNOWN] = "has bits that the function does not know",
        [ACRE_REFUSED_CAPACITY] = "is above the capacity",
        [ACRE_REFUSED_STALE] = "is null, destroyed or of another scene",
        [ACRE_REFUSED_EXISTS] = "is there already",
        [ACRE_REFUSED_ABSENT] = "is not there",
        [ACRE_REFUSED_BUSY] = "is in use by another call",
        [ACRE_REFUSED_NOT_COMMITTED] = "is not in the last commit",
        [ACRE_REFUSED_NOT_REGISTERED] = "is not registered: register it first",
        [ACRE_REFUSED_NO_BOUNDS] = "has no bounds",
        [ACRE_REFUSED_MATRIX] = "was set as a matrix: acre_entity_get_local_matrix reads it",
        [ACRE_REFUSED_CYCLE] = "is the entity itself, or below it",
        [ACRE_REFUSED_NOT_AFFINE] = "is not affine",
        [ACRE_REFUSED_EMPTY] = "was never found: find it first",
        [ACRE_REFUSED_BROKEN] = "breaks its own rules",
        [ACRE_REFUSED_RISING] = "is above the one before it",
        [ACRE_REFUSED_MISPLACED] = "is not for this function",
        [ACRE_REFUSED_OUTSIDE] = "is outside the region of the view's horizon",
        [ACRE_REFUSED_SHARED] = "is that of another view: each needs its own",
    };
    const acre_refusal *const first = &call->report.first;
    if (first->argument == 0) {
        say(text, "%s", acre_result_text(call->call->result));
        return;
    }
    const argument *const of = &call->arguments[first->argument - 1];
    say_names(call, of, name, text);
    if (first->rule == ACRE_REFUSED_RANGE) {
        say_range(call, of, text);
    } else if (first->rule == ACRE_REFUSED_CAPACITY && of->letter == 'o') {
        say(text, " is full: it has as many as its capacity");
    } else {
        say(text, " %s", texts[first->rule]);
    }
}

static void tell_handler(const refused_arguments *call, va_list *values)
{
    refused found = {.call = call, .report.first.result = call->result};
    char name[NAME_SIZE] = "", text[TEXT_SIZE] = "";
    read_arguments(&found, values);
    find_fault(&found);
    if (found.report.first.argument > 0) {
        copy_name(&found.arguments[found.report.first.argument - 1], name);
    }
    say(text, "%s: ", call->function);
    say_fault(&found, name, text);
    say_owner(&found, text);
    if (found.report.refused > 1) {
        say(text, ", %lu rows refused", (unsigned long)found.report.refused);
    }
    const acre_refused_call told = {call->function, name, text, found.report};
    told_handler(told_user, &told);
}

void acre_set_refusal_handler(acre_refusal_handler handler, void *user)
{
    told_handler = handler;
    told_user = user;
    acre_set_refusal_hook(handler ? tell_handler : NULL);
}
