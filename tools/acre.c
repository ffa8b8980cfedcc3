// SPDX-License-Identifier: MIT
// acre.c - the program `acre`: finds the command that the first argument names.
#include "agents.h"
#include "bench.h"
#include "replay.h"
#include "run.h"
#ifdef ACRE_HAS_VIEW
#include "view_command.h"
#endif

#include <acre/base.h>

#include <stdio.h>
#include <string.h>

static const char help[] = "usage: acre COMMAND [arguments]\n"
                           "\n"
                           "  run        culls a scene, frame by frame; `acre run --help`\n"
                           "  replay     repeats a recording of a tree; `acre replay --help`\n"
                           "  bench      Acre beside loops and other trees; `acre bench --help`\n"
                           "  agents     boxes that collide, frame by frame; `acre agents --help`\n"
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

int main(int argc, char **argv)
{
    const char *const command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "run") == 0) {
        return run_command(argc - 1, argv + 1);
    }
    if (strcmp(command, "bench") == 0) {
        return bench_command(argc - 1, argv + 1);
    }
    if (strcmp(command, "agents") == 0) {
        return agents_command(argc - 1, argv + 1);
    }
    if (strcmp(command, "replay") == 0) {
        return replay_command(argc - 1, argv + 1);
    }
    if (strcmp(command, "view") == 0) {
        return view_command(argc - 1, argv + 1);
    }
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0) {
        fputs(help, stdout);
        return 0;
    }
    if (strcmp(command, "--version") == 0) {
        const uint32_t version = acre_version();
        printf("acre %u.%u.%u\n", (unsigned)(version >> 16), (unsigned)(version >> 8 & 0xff),
               (unsigned)(version & 0xff));
        return 0;
    }
    if (command[0]) {
        fprintf(stderr, "acre: there is no command '%s'\n", command);
    }
    fputs(help, stderr);
    return 2;
}
