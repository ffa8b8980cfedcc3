// SPDX-License-Identifier: MIT
// manual.c - manual pages of `acre` and its commands.
#include "manual.h"

#include <acre/base.h>

#include <ctype.h>

// A dash that the reader may copy is \-, and a line must not begin with a dot or a quote.
static void print_text(const char *text, FILE *out)
{
    if (*text == '.' || *text == '\'') {
        fputs("\\&", out);
    }
    for (; *text; text++) {
        if (*text == '\\') {
            fputs("\\e", out);
        } else {
            fprintf(out, "%s%c", *text == '-' ? "\\" : "", *text);
        }
    }
    fputc('\n', out);
}

// Without a date: the same program prints the same page on every day.
static void print_head(const acre_command *command, FILE *out)
{
    const uint32_t version = acre_version();
    fputs(".TH ACRE", out);
    for (const char *at = command ? command->name : ""; *at; at++) {
        fprintf(out, "%s%c", at == command->name ? "\\-" : "", toupper((unsigned char)*at));
    }
    fprintf(out, " 1 \"\" \"acre %u.%u.%u\" \"Acre\"\n.SH NAME\n", (unsigned)(version >> 16),
            (unsigned)(version >> 8 & 0xff), (unsigned)(version & 0xff));
    if (command) {
        fprintf(out, "acre\\-%s \\- ", command->name);
        print_text(command->brief, out);
    } else {
        fputs("acre \\- culls scenes with a loose quadtree, and measures it\n", out);
    }
}

static void print_option(const option_spec *spec, FILE *out)
{
    char help[1024];
    options_describe(spec, help, sizeof help);
    fputs(".TP\n.B \\-\\-", out);
    for (const char *at = spec->name; *at; at++) {
        fprintf(out, "%s%c", *at == '-' ? "\\" : "", *at);
    }
    if (spec->value) {
        fprintf(out, " \\fI%s\\fR", spec->value);
    }
    fputc('\n', out);
    print_text(help, out);
}

static void print_command_page(const acre_command *command, FILE *out)
{
    const option_table *const table = command->table;
    fputs(".SH SYNOPSIS\n", out);
    print_text(table->usage, out);
    fputs(".SH DESCRIPTION\n", out);
    print_text(table->about, out);
    fputs(".SH OPTIONS\n", out);
    if (table->operand.name) {
        fputs(".TP\n.I FILE\n", out);
        print_text(table->operand.help, out);
    }
    if (table->second.name) {
        fputs(".TP\n.I OUT\n", out);
        print_text(table->second.help, out);
    }
    for (size_t i = 0; i < table->count; i++) {
        print_option(&table->specs[i], out);
    }
    fputs(".SH EXAMPLES\n", out);
    for (const option_example *example = table->examples; example && example->command; example++) {
        fputs(".TP\n", out);
        print_text(example->command, out);
        print_text(example->outcome, out);
    }
    fputs(".SH EXIT STATUS\n", out);
    print_text(table->end + sizeof "Exit status: " - 1, out);
    fputs(".SH SEE ALSO\n.BR acre (1)\n", out);
}

static void print_program_page(FILE *out)
{
    fputs(".SH SYNOPSIS\n.B acre\n.I COMMAND\n[arguments]\n.SH COMMANDS\n", out);
    for (const acre_command *command = acre_commands; command->name; command++) {
        fprintf(out, ".TP\n.BR acre\\-%s (1)\n", command->name);
        print_text(command->brief, out);
    }
    fputs(".TP\n.B help\n[COMMAND]: the commands, or the options of one of them\n"
          ".TP\n.B manual\n[COMMAND]: this page, or that of a command\n"
          ".TP\n.B completion\nbash or zsh: a script that completes the words of a command line\n"
          ".TP\n.B \\-\\-version\nthe version, and the kernels of this processor\n"
          ".SH EXIT STATUS\n0 all well, 1 a failure or a result that differs, 2 bad arguments.\n"
          ".SH ENVIRONMENT\n.TP\n.B ACRE_KERNEL\n"
          "the kernel: scalar, sse4, avx2 or avx512; else the widest that the processor has\n"
          ".TP\n.B NO_COLOR\nturns colors off\n",
          out);
}

void manual_print(const acre_command *command, FILE *out)
{
    print_head(command, out);
    if (command) {
        print_command_page(command, out);
    } else {
        print_program_page(out);
    }
}
