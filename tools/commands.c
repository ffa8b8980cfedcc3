// SPDX-License-Identifier: MIT
// commands.c - the commands of the program `acre`.
#include "commands.h"

#include "agents_options.h"
#include "agents.h"
#include "bench.h"
#include "bench_options.h"
#include "crowd.h"
#include "crowd_options.h"
#include "inspect.h"
#include "occluders_command.h"
#include "replay.h"
#include "run.h"
#include "run_options.h"
#include "town.h"
#include "view_command.h"
#include "view_options.h"

#include <string.h>

const acre_command acre_commands[] = {
    {"run", "culls a scene, frame by frame", &run_option_table, run_command},
    {"view", "a window on a scene, or pictures", &view_option_table, view_command},
    {"inspect", "what is in a model or a recording", &inspect_option_table, inspect_command},
    {"occluders", "finds what a model hides others with", &occluders_option_table,
     occluders_command},
    {"replay", "repeats a recording of a tree", &replay_option_table, replay_command},
    {"agents", "boxes that collide, frame by frame", &agents_option_table, agents_command},
    {"town", "a server's ticks: who sees whom", &town_option_table, town_command},
    {"crowd", "walkers, in a world of many parts", &crowd_option_table, crowd_command},
    {"bench", "Acre beside loops and other trees", &bench_option_table, bench_command},
    {0}};

const acre_command *find_command(const char *name)
{
    for (const acre_command *command = acre_commands; command->name; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}
