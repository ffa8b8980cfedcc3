// SPDX-License-Identifier: MIT
// acre.c - the program `acre`: finds the command that the first argument names.
#include "agents.h"
#include "bench.h"
#include "inspect.h"
#include "output_file.h"
#include "replay.h"
#include "run.h"
#include "town.h"
#ifdef ACRE_HAS_VIEW
#include "view_command.h"
#endif

#include <acre/base.h>
#include <acre/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "usage: acre COMMAND [arguments]\n"
                           "\n"
                           "  run        culls a scene, frame by frame; `acre run --help`\n"
                           "  replay     repeats a recording of a tree; `acre replay --help`\n"
                           "  bench      Acre beside loops and other trees; `acre bench --help`\n"
                           "  agents     boxes that collide, frame by frame; `acre agents --help`\n"
                           "  inspect    what is in a model or a recording; `acre inspect --help`\n"
                           "  town       a server's ticks: who sees whom; `acre town --help`\n"
                           "  view       a window on a scene, or pictures; `acre view --help`\n"
                           "  --help     this text\n"
                           "  --version  the version of the library\n";

#ifndef ACRE_HAS_VIEW
// Where the packages of the viewer were missing.
static int view_command(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fprintf(stderr, "acre view: built without the viewer; tools/setup.sh view installs what it "
                    "needs, then build again\n");
    return 1;
}
#endif

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"run", run_command},         {"bench", bench_command},
                {"agents", agents_command},   {"replay", replay_command},
                {"inspect", inspect_command}, {"town", town_command},
                {"view", view_command}};

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

static int refuse(const char *message, const char *argument)
{
    if (argument) {
        fprintf(stderr, "acre: %s '%s'\n", message, argument);
    }
    fputs(help, stderr);
    return 2;
}

static int run(int argc, char **argv)
{
    const char *const command = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(command, commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    const bool is_help = strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0;
    const bool is_version = strcmp(command, "--version") == 0;
    if (!is_help && !is_version) {
        return refuse("there is no command", command[0] ? command : NULL);
    }
    if (argc > 2) {
        return refuse("there is no use for", argv[2]);
    }
    const uint32_t version = acre_version();
    if (is_help) {
        fputs(help, stdout);
    } else {
        printf("acre %u.%u.%u\n", (unsigned)(version >> 16), (unsigned)(version >> 8 & 0xff),
               (unsigned)(version & 0xff));
    }
    return 0;
}

int main(int argc, char **argv)
{
    return environment_is_good() ? output_end("acre", run(argc, argv)) : 2;
}
