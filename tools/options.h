// SPDX-License-Identifier: MIT
// options.h - the command line of a subcommand of `acre`: one table per subcommand gives its
// options, the checks of their values and the text of --help.
//
// Knows words and numbers; knows no subcommand.
//
// Typical use:
//     static const option_spec specs[] = {
//         {"frames", OPTION_NUMBER, offsetof(my_options, frames), "N", .least = 1, .most = 100,
//          .help = "frames to run (default 60)"},
//     };
//     static const option_table table = {.usage = "acre run [options]", .specs = specs, .count =
//     1}; my_options options = {.frames = 60}; if (!options_parse(&table, argc, argv, &options,
//     message, sizeof message)) { ... }
#ifndef ACRE_TOOLS_OPTIONS_H
#define ACRE_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum option_kind {
    OPTION_NUMBER,   // a whole number, least to most: uint32_t
    OPTION_NUMBER64, // the same: uint64_t
    OPTION_DECIMAL,  // above 0 and up to `most`: double
    OPTION_FLAG,     // takes no value: bool
    OPTION_YES_NO,   // "yes" or "no": bool
    OPTION_KERNEL,   // the name of a kernel: acre_kernel
    OPTION_TEXT,     // a name that is not empty: const char *, which stays argv's
    OPTION_HELP,     // shows the help: bool
    OPTION_CUSTOM    // whatever `set` makes of it
} option_kind;

// Where a message goes; it has no full stop.
typedef struct option_message {
    char *text;
    size_t size;
} option_message;

typedef struct option_spec {
    const char *name; // without dashes
    option_kind kind;
    size_t offset;     // of the target in the struct of options
    const char *value; // what --help calls the value; NULL: it has none
    const char *help;  // lines are broken where they are too long
    uint64_t least, most;
    // `target` is where the option's value goes. Returns false and says why.
    bool (*set)(void *target, const char *text, const option_message *message);
} option_spec;

typedef struct option_example {
    const char *command; // as it is typed
    const char *outcome; // what it does, in a few words
} option_example;

typedef struct option_operand {
    const char *name, *help;
    size_t offset; // const char *
} option_operand;

typedef struct option_table {
    const char *usage; // "acre run [FILE] [options]"
    const char *about; // what the subcommand does; lines are broken where they are too long
    const char *end;   // after the options: exit statuses
    const option_example *examples; // an example without a command ends them; NULL: none
    const option_spec *specs;
    size_t count;
    // Of the arguments that are no options; NULL name: there is none.
    option_operand operand, second;
} option_table;

// Writes into the struct at `options`, which has the defaults before. argv[0] is the subcommand's
// name and is skipped. Options may be written --name value, --name=value, and -h for --help. A
// value that begins with two dashes has to be written with "=". What stands behind "--" is no
// option. Returns false and a message if an argument is unknown, has no value or a bad one; the
// options are then undefined.
bool options_parse(const option_table *table, int argc, char **argv, void *options, char *message,
                   size_t message_size);

void options_print_help(const option_table *table, FILE *out);

// The option's help with its range, as --help and the manual page show it.
void options_describe(const option_spec *spec, char *out, size_t size);

bool options_take_value(const option_spec *spec);

// Says on the standard error what was wrong, and for exit status 2 where the options are listed.
// Returns the status.
int options_complain(const char *command, const char *message, int status);

// Digits alone, within the range. `name` is for the message.
bool option_read_number(const char *name, const char *text, uint64_t least, uint64_t most,
                        uint64_t *out, const option_message *message);

#endif
