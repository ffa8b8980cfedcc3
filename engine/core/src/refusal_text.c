// SPDX-License-Identifier: MIT
// refusal_text.c - finds what is wrong with the arguments of a refused call, and says it.
//
// A program is linked with this file only if it sets a handler.
#include <acre/bounds.h>
#include <acre/frustum.h>
#include <acre/refusal.h>
#include <acre/tasks.h>

#include "assert_internal.h"
#include "float_bits.h"
#include "refusal_internal.h"

#include <stdio.h>

#define WORD_LETTERS "abcdefghijklmnopqrstuvwxyz_"
enum { MOST_ARGUMENTS = 8, NAME_SIZE = 48, TEXT_SIZE = 240 };

// An argument as it was passed.
typedef struct argument {
    const char *name;
    char letter;
    bool is_array;
    const void *pointer;
    const refused_struct *fields; // what is tested of it, or of its elements; NULL: nothing
    size_t number;
    float value;
} argument;

typedef struct refused {
    const refused_arguments *call;
    argument arguments[MOST_ARGUMENTS];
    uint16_t count;
    bool has_rows; // first_row is a row of the arrays
    acre_batch_report report;
    const refused_field *field; // the one at fault, or NULL
} refused;

static acre_refusal_handler told_handler;
static void *told_user;

// ---- what letters mean ----

static const refused_field box_fields[] = {
    REFUSED_FIELD(acre_aabb, 1, min, FIELD_NUMBER, 0),
    REFUSED_FIELD(acre_aabb, 2, max, FIELD_NUMBER, 0),
    REFUSED_FIELD(acre_aabb, 1, min, FIELD_BELOW_MAX, 0),
};
static const refused_field tasks_fields[] = {
    REFUSED_FIELD(acre_tasks, 2, enqueue, FIELD_PRESENT, 0),
    REFUSED_FIELD(acre_tasks, 3, finish, FIELD_PRESENT, 0),
};

// Values without a name of their own.
#define VALUES(count, test, most)                                                                  \
    {                                                                                              \
        4 * (count), 1, &(const refused_field)                                                     \
        {                                                                                          \
            "", 0, 0, 0, count, test, most                                                         \
        }                                                                                          \
    }

static const struct {
    char letter;
    refused_struct fields;
} letters[] = {
    {'b', REFUSED_STRUCT(acre_aabb, box_fields)},
    {'c', {sizeof(acre_aabb), 2, box_fields}},
    {'w', REFUSED_STRUCT(acre_tasks, tasks_fields)},
    {'3', VALUES(3, FIELD_FINITE, 0)},
    {'V', VALUES(3, FIELD_FINITE, 0)},
    {'m', VALUES(16, FIELD_FINITE, 0)},
    {'f', VALUES(1, FIELD_POSITIVE, 0)},
    {'g', VALUES(1, FIELD_FINITE, 0)},
    {'h', VALUES(1, FIELD_NUMBER, 0)},
    {'a', VALUES(1, FIELD_ANGLE, 0)},
    {'k', VALUES(1, FIELD_ENUM, ACRE_CLIP_REVERSED_ZERO_TO_ONE)},
    {'i', VALUES(1, FIELD_TRUE, 0)},
    {'q', {sizeof(void *), 1, &(const refused_field){"", 0, 0, 0, 1, FIELD_PRESENT, 0}}},
    {'#', {sizeof(uint32_t), 0, NULL}},
    {'@', {2 * sizeof(uint32_t), 0, NULL}}, // index1, and the rest of a handle
};

static const refused_struct *fields_of_letter(char letter)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letters[i].letter == letter) {
            return &letters[i].fields;
        }
    }
    return NULL;
}

static bool is_letter_of(char letter, const char *list)
{
    return strchr(list, letter) != NULL;
}

// ---- reading ----

static const char *next_name(const char *names)
{
    const char *const comma = strchr(names, ',');
    return comma ? comma + 1 : "";
}

// Reads one argument. @return the next one's name.
static const char *read_argument(argument *out, va_list *values, bool has_rows)
{
    const char *next = next_name(out->name);
    out->fields = fields_of_letter(out->letter);
    if (out->is_array) {
        out->pointer = va_arg(*values, const void *);
    } else if (is_letter_of(out->letter, "nN")) {
        out->number = va_arg(*values, size_t);
    } else if (is_letter_of(out->letter, "uUki#@")) {
        const uint32_t bits = va_arg(*values, uint32_t);
        memcpy(&out->value, &bits, sizeof bits);
        out->number = bits;
    } else if (is_letter_of(out->letter, "fgha")) {
        out->value = (float)va_arg(*values, double);
    } else {
        out->pointer = va_arg(*values, const void *);
    }
    if (is_letter_of(out->letter, "std")) {
        out->fields = va_arg(*values, const refused_struct *);
        next = next_name(next);
    }
    if (out->letter == 'd') {
        const acre_aabb *const box = va_arg(*values, const acre_aabb *);
        out->pointer = has_rows ? box : out->pointer;
        out->fields = has_rows ? fields_of_letter('b') : out->fields;
        next = next_name(next);
    }
    return next;
}

static void read_arguments(refused *out, va_list *values)
{
    const char *names = strchr(out->call->text, ':') + 1;
    out->report.refused = 1;
    for (const char *at = out->call->text; *at != ':'; at++) {
        if (*at == 'r') {
            const size_t rows = va_arg(*values, size_t);
            const size_t first_row = va_arg(*values, size_t);
            out->has_rows = rows > 0;
            out->report.first_row = rows > 0 ? first_row : 0;
            out->report.refused = rows > 0 ? rows : 1;
            names = next_name(next_name(names));
            continue;
        }
        ACRE_INVARIANT(out->count < MOST_ARGUMENTS);
        argument *const read = &out->arguments[out->count++];
        *read = (argument){.name = names, .is_array = *at == '['};
        at += read->is_array;
        read->letter = *at;
        names = read_argument(read, values, out->has_rows);
    }
}

// ---- judging ----

static acre_refusal_rule judge_float(float value, refused_test test)
{
    const bool is_above_zero = test == FIELD_POSITIVE || test == FIELD_ANGLE;
    const bool is_limit = test == FIELD_LIMIT || test == FIELD_SHARE || test == FIELD_FALLING;
    const float end = test == FIELD_ANGLE ? 3.14159265f : test == FIELD_SHARE ? 1.0f : INFINITY;
    if (float_is_nan(value)) {
        return ACRE_REFUSED_NAN;
    }
    if ((is_above_zero || test == FIELD_FINITE) && !float_is_finite(value)) {
        return ACRE_REFUSED_INFINITE;
    }
    const bool is_low = (is_above_zero && value <= 0) || (is_limit && value < 0);
    const bool is_high = end < INFINITY && value >= end;
    return is_low || is_high ? ACRE_REFUSED_RANGE : ACRE_REFUSED_NOTHING;
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

// Judges value number `axis` of a field, of which more may follow.
static acre_refusal_rule judge_value(const refused_field *field, const unsigned char *at,
                                     uint32_t axis)
{
    const void *pointer;
    uint32_t bits;
    float value, above;
    memcpy(&bits, at, sizeof bits);
    memcpy(&value, at, sizeof value);
    switch (field->test) {
    case FIELD_PRESENT:
        memcpy(&pointer, at, sizeof pointer);
        return pointer ? ACRE_REFUSED_NOTHING : ACRE_REFUSED_NULL;
    case FIELD_TRUE:
        return bits ? ACRE_REFUSED_NOTHING : ACRE_REFUSED_NULL;
    case FIELD_ENUM:
    case FIELD_AT_MOST:
        return bits > field->most || (field->test == FIELD_ENUM && bits == 0)
                   ? ACRE_REFUSED_RANGE
                   : ACRE_REFUSED_NOTHING;
    case FIELD_BITS:
        return bits & ~field->most ? ACRE_REFUSED_UNKNOWN : ACRE_REFUSED_NOTHING;
    case FIELD_BELOW_MAX:
        memcpy(&above, at + sizeof(float[3]), sizeof above);
        return float_order(value) > float_order(above) ? ACRE_REFUSED_INVERTED
                                                       : ACRE_REFUSED_NOTHING;
    case FIELD_FALLING:
        memcpy(&above, axis > 0 ? at - sizeof above : at, sizeof above);
        return value > above ? ACRE_REFUSED_RISING : judge_float(value, FIELD_FALLING);
    case FIELD_UNUSED:
        return value != 0.0f ? ACRE_REFUSED_MISPLACED : ACRE_REFUSED_NOTHING;
    case FIELD_ROTATION:
        return is_all_zero(at) ? ACRE_REFUSED_ZERO : ACRE_REFUSED_NOTHING;
    case FIELD_HANDLE:
        return ACRE_REFUSED_NOTHING;
    default:
        return judge_float(value, (refused_test)field->test);
    }
}

// The values of a field, and how many there are: 0 where the function did not read them.
static uint32_t find_values(const refused_field *field, const unsigned char *at,
                            const unsigned char **values)
{
    uint32_t kind, planes;
    const bool is_of_kind = field->pointer1 || field->test == FIELD_PRESENT;
    if (is_of_kind && field->most > 0) {
        memcpy(&kind, at, sizeof kind);
        if (kind != field->most) {
            return 0;
        }
    }
    if (field->pointer1) {
        memcpy(&at, at + field->pointer1 - 1, sizeof at);
    }
    *values = at ? at + field->offset : NULL;
    if (!at || field->test != FIELD_PLANES) {
        return at ? field->count : 0;
    }
    memcpy(&planes, *values + offsetof(acre_frustum, plane_count), sizeof planes);
    return 4 * (planes < ACRE_FRUSTUM_MAX_PLANES ? planes : ACRE_FRUSTUM_MAX_PLANES);
}

static acre_refusal_rule judge_fields(refused *out, const refused_struct *fields,
                                      const unsigned char *at)
{
    for (size_t i = 0; i < fields->count; i++) {
        const refused_field *const field = &fields->fields[i];
        const unsigned char *values = NULL;
        const uint32_t count = find_values(field, at, &values);
        for (uint32_t axis = 0; axis < count; axis++) {
            const acre_refusal_rule rule = judge_value(field, values + axis * sizeof(float), axis);
            if (rule != ACRE_REFUSED_NOTHING) {
                out->field = field;
                out->report.first.field = field->number;
                out->report.first.axis = (uint8_t)axis;
                return rule;
            }
        }
    }
    return ACRE_REFUSED_NOTHING;
}

// The count of the array that is argument number `index`.
static size_t array_count(const refused *call, size_t index)
{
    for (; index < call->count; index++) {
        if (is_letter_of(call->arguments[index].letter, "nN")) {
            return call->arguments[index].number;
        }
    }
    return 1;
}

// Judges one argument without looking at the others.
static acre_refusal_rule judge_argument(refused *out, uint16_t index)
{
    const argument *const at = &out->arguments[index];
    const unsigned char *value = at->pointer;
    if (at->is_array) {
        if (!value) {
            return at->letter != 'U' && array_count(out, index) > 0 ? ACRE_REFUSED_NULL
                                                                    : ACRE_REFUSED_NOTHING;
        }
        if (!out->has_rows || !at->fields) {
            return ACRE_REFUSED_NOTHING;
        }
        return judge_fields(out, at->fields, value + out->report.first_row * at->fields->size);
    }
    if (is_letter_of(at->letter, "uUnN#@fghaki")) {
        value = (const unsigned char *)&at->value;
    } else if (!value) {
        return is_letter_of(at->letter, "-ctw") ? ACRE_REFUSED_NOTHING : ACRE_REFUSED_NULL;
    }
    return at->fields ? judge_fields(out, at->fields, value) : ACRE_REFUSED_NOTHING;
}

// ---- blaming ----

// The first argument whose letter is the first one of the list that the call has. @return count:
// none.
static uint16_t find_letter(const refused *call, const char *list)
{
    for (; *list; list++) {
        for (uint16_t i = 0; i < call->count; i++) {
            if (call->arguments[i].letter == *list) {
                return i;
            }
        }
    }
    return call->count;
}

// ACRE_ERROR_INVALID_ARGUMENT: the first argument that is wrong by itself. @return count: none.
static uint16_t find_wrong_value(refused *out)
{
    for (uint16_t i = 0; i < out->count; i++) {
        const acre_refusal_rule rule = judge_argument(out, i);
        if (rule != ACRE_REFUSED_NOTHING) {
            out->report.first.rule = (uint8_t)rule;
            return i;
        }
    }
    return out->count;
}

// A stale handle that is a field of an argument.
static void find_handle_field(refused *out, const refused_struct *fields)
{
    for (size_t i = 0; fields && i < fields->count; i++) {
        if (fields->fields[i].test == FIELD_HANDLE) {
            out->field = &fields->fields[i];
            out->report.first.field = out->field->number;
        }
    }
}

// What each result blames where no argument is wrong by itself.
static const struct {
    acre_refusal_rule rule;
    bool may_differ;     // the function may pass a rule of its own
    const char *letters; // of the arguments to blame, the likeliest first
} faults[] = {
    [ACRE_ERROR_INVALID_ARGUMENT] = {ACRE_REFUSED_RANGE, true, "UNhV3mMst@"},
    [ACRE_ERROR_CAPACITY] = {ACRE_REFUSED_CAPACITY, false, "#@No"},
    [ACRE_ERROR_STALE_HANDLE] = {ACRE_REFUSED_STALE, false, "@st"},
    [ACRE_ERROR_EXISTS] = {ACRE_REFUSED_EXISTS, true, "#@po"},
    [ACRE_ERROR_NOT_FOUND] = {ACRE_REFUSED_ABSENT, true, "#@po"},
    [ACRE_ERROR_BUSY] = {ACRE_REFUSED_BUSY, false, "o"},
    [ACRE_ERROR_FORMAT] = {ACRE_REFUSED_BROKEN, false, "o"},
    [ACRE_ERROR_NOT_COMMITTED] = {ACRE_REFUSED_NOT_COMMITTED, false, "@"},
};

static void find_fault(refused *out)
{
    const acre_result result = out->call->result;
    if ((size_t)result >= sizeof faults / sizeof faults[0] || !faults[result].letters) {
        return; // no argument: memory is short, or a hook refused
    }
    uint16_t index = result == ACRE_ERROR_INVALID_ARGUMENT ? find_wrong_value(out) : out->count;
    if (index == out->count) {
        // Only the function can tell a handle that is not committed yet from a stale one.
        const acre_refusal_rule own = out->call->rule;
        const bool is_own = (own != ACRE_REFUSED_NOTHING && faults[result].may_differ) ||
                            own == ACRE_REFUSED_NOT_COMMITTED;
        index = find_letter(out, faults[result].letters);
        out->report.first.rule = (uint8_t)(is_own ? own : faults[result].rule);
    }
    if (index == out->count) {
        out->report.first.rule = ACRE_REFUSED_NOTHING;
        return;
    }
    out->report.first.argument = (uint16_t)(index + 1);
    if (result == ACRE_ERROR_STALE_HANDLE) {
        find_handle_field(out, out->arguments[index].fields);
    }
}

// ---- saying ----

static void append_text(char *text, const char *format, ...)
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
static void add_owner(const refused *call, char *text)
{
    const uint16_t index = find_letter(call, "#@");
    const argument *const owner = &call->arguments[index];
    if (index == call->count || (owner->is_array && !(call->has_rows && owner->pointer))) {
        return;
    }
    uint32_t number = (uint32_t)owner->number;
    if (owner->is_array) {
        const size_t at = call->report.first_row * owner->fields->size;
        memcpy(&number, (const unsigned char *)owner->pointer + at, sizeof number);
    }
    if (owner->letter == '#' || number > 0) { // a handle has its slot plus 1
        append_text(text, owner->letter == '#' ? " (item %lu)" : " (slot %lu)",
                    (unsigned long)number - (owner->letter == '@'));
    }
}

static void add_fault(const refused *call, const char *name, char *text)
{
    static const char *const texts[ACRE_REFUSED_COUNT_] = {
        [ACRE_REFUSED_NULL] = "is NULL",
        [ACRE_REFUSED_NAN] = "is NaN",
        [ACRE_REFUSED_INFINITE] = "is infinite",
        [ACRE_REFUSED_INVERTED] = "is above its maximum",
        [ACRE_REFUSED_RANGE] = "is not in the range that the function takes",
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
    };
    const acre_refusal *const first = &call->report.first;
    if (first->argument == 0) {
        append_text(text, "%s", acre_result_text(call->call->result));
        return;
    }
    const argument *const at = &call->arguments[first->argument - 1];
    append_text(text, "%s", name);
    if (call->has_rows && (at->is_array || at->letter == 'd')) {
        append_text(text, "[%lu]", (unsigned long)call->report.first_row);
    }
    if (call->field) {
        append_text(text, "%s%s", *call->field->name ? "." : "", call->field->name);
        if (call->field->count > 1 && call->field->test < FIELD_ENUM) { // floats
            append_text(text, "[%lu]", (unsigned long)first->axis);
        }
    }
    append_text(text, " %s", texts[first->rule]);
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
    append_text(text, "%s: ", call->function);
    add_fault(&found, name, text);
    add_owner(&found, text);
    if (found.report.refused > 1) {
        append_text(text, ", %lu rows refused", (unsigned long)found.report.refused);
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
