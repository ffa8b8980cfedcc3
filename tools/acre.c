// SPDX-License-Identifier: MIT
// acre.c - the program `acre`: finds the command that the first argument names.
#include "commands.h"
#include "completion.h"
#include "manual.h"
#include "near_name.h"
#include "output_file.h"
#include "terminal.h"

#include <acre/base.h>
#include <acre/quadtree.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

// A name that Acre does not know would choose the widest kernel without a word.
static bool environment_is_good(void)
{
    const char *const name = getenv("ACRE_KERNEL");
    bool is_known = !name || !name[0];
    for (int kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_ && !is_known; kernel++) {
        is_known = strcmp(name, acre_kernel_name((acre_kernel)kernel)) == 0;
    }
    if (!is_known) {
        fprintf(stderr, "acre: ACRE_KERNEL is '%s'; it may be scalar, sse4, avx2 or avx512\n",
                name);
    }
    return is_known;
}

static void print_help(FILE *out)
{
    fputs("usage: acre COMMAND [arguments]\n\n", out);
    for (const acre_command *command = acre_commands; command->name; command++) {
        fprintf(out, "  %-20s%s\n", command->name, command->brief);
    }
    fputs(
        "\n"
        "  help [COMMAND]      this text, or the options of a command and examples\n"
        "  manual [COMMAND]    the manual page, for `man -l -`\n"
        "  completion SHELL    completes the words of a command line, for bash or zsh\n"
        "  --version           the version, and the kernels of this processor\n"
        "\n"
        "Exit status: 0 all well, 1 a failure or a result that differs, 2 bad arguments.\n"
        "Environment: ACRE_KERNEL chooses the kernel (scalar, sse4, avx2, avx512); NO_COLOR turns\n"
        "colors off.\n",
        out);
}

// Whether this program and this processor have the kernel: a tree takes it.
static bool has_kernel(acre_kernel kernel)
{
    acre_quadtree *tree;
    const acre_result result = acre_quadtree_create(&(acre_quadtree_def){.kernel = kernel}, &tree);
    acre_quadtree_destroy(tree);
    return result == ACRE_OK;
}

// "kernels scalar sse4 avx2 avx512 (default avx512)"
static void print_version(void)
{
    const uint32_t version = acre_version();
    const char *const chosen = getenv("ACRE_KERNEL");
    const char *widest = "";
    printf("acre %u.%u.%u\nkernels", (unsigned)(version >> 16), (unsigned)(version >> 8 & 0xff),
           (unsigned)(version & 0xff));
    for (int kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        if (has_kernel((acre_kernel)kernel)) {
            widest = acre_kernel_name((acre_kernel)kernel);
            printf(" %s", widest);
        }
    }
    printf(" (default %s)\n", chosen && chosen[0] ? chosen : widest);
}

static int refuse(const char *message, const char *argument)
{
    if (argument) {
        fprintf(stderr, "%sacre:%s %s '%s'\n", terminal_style_text(stderr, TERMINAL_BAD),
                terminal_style_text(stderr, TERMINAL_PLAIN), message, argument);
    }
    print_help(stderr);
    return EXIT_USAGE;
}

// The whole help would hide the one name that was meant.
static int refuse_name(const char *message, const char *name)
{
    near_name near = near_name_begin(name);
    for (const acre_command *command = acre_commands; command->name; command++) {
        near_name_try(&near, command->name);
    }
    if (!near.best) {
        return refuse(message, name);
    }
    fprintf(stderr, "%sacre:%s %s '%s'; did you mean '%s'?\n",
            terminal_style_text(stderr, TERMINAL_BAD), terminal_style_text(stderr, TERMINAL_PLAIN),
            message, name, near.best);
    return EXIT_USAGE;
}

static int help_about(const char *name)
{
    const acre_command *const command = name ? find_command(name) : NULL;
    if (!name) {
        print_help(stdout);
    } else if (!command) {
        return refuse_name("there is no command", name);
    } else {
        options_print_help(command->table, stdout);
    }
    return EXIT_GOOD;
}

static int manual_of(const char *name)
{
    const acre_command *const command = name ? find_command(name) : NULL;
    if (name && !command) {
        return refuse_name("there is no manual page of", name);
    }
    manual_print(command, stdout);
    return EXIT_GOOD;
}

static int completion_of(const char *shell)
{
    return shell && completion_print(shell, stdout)
               ? EXIT_GOOD
               : refuse("completion is for bash and zsh, not", shell);
}

static int version_of(const char *argument)
{
    if (argument) {
        return refuse("there is no use for", argument);
    }
    print_version();
    return EXIT_GOOD;
}

// What acre says about itself; all take at most one argument.
static const struct {
    const char *name;
    int (*run)(const char *argument);
} questions[] = {{"help", help_about},   {"--help", help_about},        {"-h", help_about},
                 {"manual", manual_of},  {"completion", completion_of}, {"--version", version_of},
                 {"version", version_of}};

static int run(int argc, char **argv)
{
    const char *const name = argc > 1 ? argv[1] : NULL;
    const acre_command *const command = name ? find_command(name) : NULL;
    if (command) {
        return command->run(argc - 1, argv + 1);
    }
    for (size_t i = 0; name && i < sizeof questions / sizeof questions[0]; i++) {
        if (strcmp(name, questions[i].name) == 0) {
            return argc > 3 ? refuse("there is no use for", argv[3])
                            : questions[i].run(argc > 2 ? argv[2] : NULL);
        }
    }
    return name ? refuse_name("there is no command", name) : refuse("there is no command", NULL);
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); // a write beyond a limit fails, as on a full disk
    return environment_is_good() ? output_end("acre", run(argc, argv)) : EXIT_USAGE;
}
