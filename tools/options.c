// SPDX-License-Identifier: MIT
// options.c - the command line of a subcommand of `acre`.
#include "options.h"

#include "near_name.h"
#include "terminal.h"

#include <acre/kernel.h>

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 22, HELP_WIDTH = 94 };

static bool refuse(const option_message *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, message->size, format, arguments);
    va_end(arguments);
    return false;
}

// strtoull alone would take a sign, blanks and "12x".
bool option_read_number(const char *name, const char *text, uint64_t least, uint64_t most,
                        uint64_t *out, const option_message *message)
{
    errno = 0;
    const unsigned long long value = strtoull(text, NULL, 10);
    const bool is_number = text[0] && strspn(text, "0123456789") == strlen(text) && errno == 0;
    *out = value;
    return (is_number && value >= least && value <= most) ||
           refuse(message, "--%s takes a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'",
                  name, least, most, text);
}

// Digits and at most one point.
static bool read_decimal(const option_spec *spec, const char *text, double *out,
                         const option_message *message)
{
    const char *const point = strchr(text, '.');
    const bool is_decimal = strspn(text, "0123456789.") == strlen(text) &&
                            strpbrk(text, "0123456789") && !(point && strchr(point + 1, '.'));
    *out = is_decimal ? strtod(text, NULL) : 0.0;
    return (*out > 0.0 && *out <= (double)spec->most) ||
           refuse(message, "--%s takes a number above 0 and up to %" PRIu64 ", not '%s'",
                  spec->name, spec->most, text);
}

static bool read_answer(const option_spec *spec, const char *text, bool *out,
                        const option_message *message)
{
    *out = strcmp(text, "yes") == 0;
    return *out || strcmp(text, "no") == 0 ||
           refuse(message, "--%s does not take '%s'", spec->name, text);
}

static bool read_kernel(const option_spec *spec, const char *text, acre_kernel *out,
                        const option_message *message)
{
    for (int kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        if (strcmp(text, acre_kernel_name((acre_kernel)kernel)) == 0) {
            *out = (acre_kernel)kernel;
            return true;
        }
    }
    return refuse(message, "--%s does not take '%s'", spec->name, text);
}

static bool set_value(const option_spec *spec, const char *text, void *options,
                      const option_message *message)
{
    void *const target = (char *)options + spec->offset;
    uint64_t number = 0;
    bool is_good = true;
    switch (spec->kind) {
    case OPTION_NUMBER:
        is_good = option_read_number(spec->name, text, spec->least, spec->most, &number, message);
        *(uint32_t *)target = (uint32_t)number;
        return is_good;
    case OPTION_NUMBER64:
        return option_read_number(spec->name, text, spec->least, spec->most, target, message);
    case OPTION_DECIMAL:
        return read_decimal(spec, text, target, message);
    case OPTION_YES_NO:
        return read_answer(spec, text, target, message);
    case OPTION_KERNEL:
        return read_kernel(spec, text, target, message);
    case OPTION_TEXT:
        *(const char **)target = text;
        return text[0] || refuse(message, "--%s takes a name that is not empty", spec->name);
    case OPTION_CUSTOM:
        return spec->set(target, text, message);
    case OPTION_FLAG:
    case OPTION_HELP:
        break;
    }
    *(bool *)target = true;
    return true;
}

bool options_take_value(const option_spec *spec)
{
    return spec->kind != OPTION_FLAG && spec->kind != OPTION_HELP;
}

// argument: "--name" or "--name=value".
static const option_spec *find_spec(const option_table *table, const char *argument)
{
    const size_t length = strcspn(argument + 2, "=");
    for (size_t i = 0; i < table->count; i++) {
        const char *const name = table->specs[i].name;
        if (strlen(name) == length && strncmp(argument + 2, name, length) == 0) {
            return &table->specs[i];
        }
    }
    return NULL;
}

static bool refuse_option(const option_table *table, const char *argument,
                          const option_message *message)
{
    const size_t dashes = strspn(argument, "-");
    near_name near = near_name_begin(argument + dashes);
    for (size_t i = 0; i < table->count; i++) {
        near_name_try(&near, table->specs[i].name);
    }
    return near.best
               ? refuse(message, "there is no option %s; did you mean --%s?", argument, near.best)
               : refuse(message, "there is no option %s", argument);
}

// Reads the option at argv[*at], and its value; *at is then at the last of both.
static bool read_option(const option_table *table, int argc, char **argv, int *at, void *options,
                        const option_message *message)
{
    const char *const argument = argv[*at];
    const option_spec *const spec =
        strcmp(argument, "-h") == 0 ? find_spec(table, "--help") : find_spec(table, argument);
    const char *const equals = strchr(argument, '=');
    const bool has_equals = equals && argument[1] == '-';
    if (!spec || (argument[1] != '-' && strcmp(argument, "-h") != 0)) {
        return refuse_option(table, argument, message);
    }
    if (!options_take_value(spec)) {
        return has_equals ? refuse(message, "--%s takes no value", spec->name)
                          : set_value(spec, "", options, message);
    }
    if (has_equals) {
        return set_value(spec, equals + 1, options, message);
    }
    if (*at + 1 == argc) {
        return refuse(message, "--%s needs a value", spec->name);
    }
    const char *const text = argv[++*at];
    if (strncmp(text, "--", 2) == 0) {
        return refuse(message, "--%s needs a value, and '%s' looks like an option", spec->name,
                      text);
    }
    return set_value(spec, text, options, message);
}

static bool read_operand(const option_table *table, const char *text, int before, void *options,
                         const option_message *message)
{
    const int most = table->second.name ? 2 : 1;
    if (!table->operand.name) {
        return refuse(message, "there is no use for '%s'", text);
    }
    if (before >= most) {
        return refuse(message, "one %s at a time, but there is also '%s'", table->operand.name,
                      text);
    }
    const size_t offset = before == 0 ? table->operand.offset : table->second.offset;
    *(const char **)(void *)((char *)options + offset) = text;
    return true;
}

bool options_parse(const option_table *table, int argc, char **argv, void *options, char *message,
                   size_t message_size)
{
    const option_message out = {message, message_size};
    bool is_good = true, is_option_allowed = true;
    int operands = 0;
    for (int i = 1; i < argc && is_good; i++) {
        if (is_option_allowed && strcmp(argv[i], "--") == 0) {
            is_option_allowed = false;
        } else if (is_option_allowed && argv[i][0] == '-' && argv[i][1]) {
            is_good = read_option(table, argc, argv, &i, options, &out);
        } else {
            is_good = read_operand(table, argv[i], operands++, options, &out);
        }
    }
    return is_good;
}

// Words from `column` on, in lines no longer than HELP_WIDTH.
static void print_wrapped(const char *text, int indent, int column, FILE *out)
{
    bool is_first = true;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (!is_first && column + 1 + length > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            is_first = true;
        }
        fprintf(out, "%s%.*s", is_first ? "" : " ", length, text);
        column += length + !is_first;
        is_first = false;
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}

static void print_line(const char *name, const char *help, FILE *out)
{
    const int length = fprintf(out, "  %s", name);
    if (length >= HELP_COLUMN) {
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    } else {
        fprintf(out, "%*s", HELP_COLUMN - length, "");
    }
    print_wrapped(help, HELP_COLUMN, HELP_COLUMN, out);
}

// The range stands before the default.
void options_describe(const option_spec *spec, char *out, size_t size)
{
    char range[64] = "";
    const bool has_range = spec->kind == OPTION_NUMBER || spec->kind == OPTION_NUMBER64;
    if (has_range && spec->most != UINT64_MAX) {
        snprintf(range, sizeof range, ", %" PRIu64 " to %" PRIu64, spec->least, spec->most);
    }
    const int head = (int)strcspn(spec->help, "(;");
    const int bare = head > 0 && spec->help[head - 1] == ' ' ? head - 1 : head;
    snprintf(out, size, "%.*s%s%s", range[0] ? bare : 0, spec->help, range,
             spec->help + (range[0] ? bare : 0));
}

static void print_examples(const option_table *table, FILE *out)
{
    fprintf(out, "\nExamples:\n");
    for (const option_example *example = table->examples; example->command; example++) {
        fprintf(out, "  %s\n      ", example->command);
        print_wrapped(example->outcome, 6, 6, out);
    }
}

void options_print_help(const option_table *table, FILE *out)
{
    fprintf(out, "usage: %s\n\n", table->usage);
    print_wrapped(table->about, 0, 0, out);
    fputc('\n', out);
    if (table->operand.name) {
        print_line("FILE", table->operand.help, out);
    }
    if (table->second.name) {
        print_line("OUT", table->second.help, out);
    }
    for (size_t i = 0; i < table->count; i++) {
        const option_spec *const spec = &table->specs[i];
        char name[64], help[1024];
        snprintf(name, sizeof name, "--%s %s", spec->name, spec->value ? spec->value : "");
        options_describe(spec, help, sizeof help);
        print_line(name, help, out);
    }
    if (table->examples) {
        print_examples(table, out);
    }
    fputc('\n', out);
    print_wrapped(table->end, 0, 0, out);
}

int options_complain(const char *command, const char *message, int status)
{
    fprintf(stderr, "%sacre %s:%s %s\n", terminal_style_text(stderr, TERMINAL_BAD), command,
            terminal_style_text(stderr, TERMINAL_PLAIN), message);
    if (status == 2) {
        fprintf(stderr, "`acre %s --help` lists the options.\n", command);
    }
    return status;
}
