// SPDX-License-Identifier: MIT
// crowd_options.c - the command lines of `acre crowd` and of crowd_mpi.
#include "crowd_options.h"

#include "workers.h"

#define AT(field) offsetof(crowd_options, field)

const option_spec crowd_option_specs[CROWD_OPTIONS] = {
    {"walkers", OPTION_NUMBER, AT(def.walkers), "N", .least = 1, .most = 1000000000,
     .help = "walkers of the world (default 20000)"},
    {"frames", OPTION_NUMBER, AT(frames), "N", .least = 1, .most = 1000000,
     .help = "ticks to run (default 100)"},
    {"recut", OPTION_NUMBER, AT(recut_every), "N", .most = 1000000,
     .help = "ticks between recuts; 0: never (default 16)"},
    {"area", OPTION_NUMBER, AT(def.area), "N", .least = 1, .most = 1000,
     .help = "square meters a walker (default 4)"},
    {"seed", OPTION_NUMBER64, AT(def.seed), "N", .most = UINT64_MAX,
     .help = "where all begin (default 1)"},
    {"checkpoint", OPTION_TEXT, AT(checkpoint), "FOLDER",
     .help = "writes checkpoints there, for this run alone; the newest two stay, and all that "
             "others have there"},
    {"every", OPTION_NUMBER, AT(checkpoint_every), "N", .least = 1, .most = 1000000,
     .help = "ticks between checkpoints (default 50)"},
    {"restart", OPTION_TEXT, AT(restart), "FOLDER",
     .help = "begins with the newest whole checkpoint of these walkers there, of any number of "
             "parts; names those that it skips"},
    {"help", OPTION_HELP, AT(help), .help = "this text"},
    {"parts", OPTION_NUMBER, AT(def.parts), "N", .least = 1, .most = 256,
     .help = "parts of the world in this process (default 1)"},
    {"workers", OPTION_NUMBER, AT(workers), "N", .least = 1, .most = WORKERS_MOST,
     .help = "threads (default 1)"},
    {"kernel", OPTION_KERNEL, AT(def.kernel), "NAME",
     .help = "scalar, sse4, avx2 or avx512 (default: the widest there is)"},
    {"json", OPTION_TEXT, AT(json_path), "FILE", .help = "where to write the figures as JSON"},
};

static const option_example examples[] = {
    {"acre crowd --walkers 200000 --frames 50", "one part, one thread"},
    {"acre crowd --walkers 200000 --frames 50 --parts 4 --workers 2", "ends with the same line"},
    {"acre crowd --frames 500 --checkpoint saved", "writes a checkpoint every 50 ticks"},
    {"acre crowd --frames 500 --restart saved --parts 3",
     "goes on from there; the last line is that of a run that was not interrupted"},
    {0}};

const option_table crowd_option_table = {
    .usage = "acre crowd [options]",
    .about = "Walkers who steer by their neighbors, in a world that is cut into parts "
             "(acre/partition.h). The last line is a hash of all walkers: the same for each number "
             "of parts and of workers, also after a restart.",
    .end = "Exit status: 0 all well, 1 a failure, 2 bad arguments.",
    .examples = examples,
    .specs = crowd_option_specs,
    .count = CROWD_OPTIONS};
