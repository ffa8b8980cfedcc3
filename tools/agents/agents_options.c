// SPDX-License-Identifier: MIT
// agents_options.c - the command line of `acre agents`.
#include "agents_options.h"

#include "workers.h"

#include <math.h>

// What two options say together.
typedef struct agents_input {
    agents_options options;
    double area; // square meters; 0: not given
    double size; // meters; 0: not given
} agents_input;

#define AT(field) offsetof(agents_input, field)

static const option_spec specs[] = {
    {"agents", OPTION_NUMBER, AT(options.def.count), "N", .least = 1, .most = AGENTS_MAX,
     .help = "agents (default 100000)"},
    {"frames", OPTION_NUMBER, AT(options.frames), "N", .least = 1, .most = AGENTS_MAX_FRAMES,
     .help = "frames of 1/60 s (default 600)"},
    {"seed", OPTION_NUMBER64, AT(options.def.seed), "N", .most = UINT64_MAX,
     .help = "where the agents start and how fast (default 1)"},
    {"area", OPTION_DECIMAL, AT(area), "A", .most = (uint64_t)AGENTS_MOST_AREA,
     .help = "square meters of ground per agent, 4 to 1000000 (default 6)"},
    {"size", OPTION_DECIMAL, AT(size), "M", .most = 1000000,
     .help = "meters from wall to wall, instead of --area"},
    {"shuffle", OPTION_FLAG, AT(options.def.is_shuffled),
     .help = "agents that are neighbors have numbers far apart at the start, instead of numbers "
             "row by row"},
    {"churn", OPTION_NUMBER, AT(options.def.churn_percent), "P", .most = 100,
     .help = "percent of the agents that are removed and inserted anew in each frame, instead of "
             "being refreshed (default 0)"},
    {"node-capacity", OPTION_NUMBER, AT(options.def.node_capacity), "N", .least = 1, .most = 65536,
     .help = "a leaf of more agents splits (default: as fits the area)"},
    {"kernel", OPTION_KERNEL, AT(options.def.kernel), "NAME",
     .help = "scalar, sse4, avx2 or avx512 (default: the widest there is)"},
    {"workers", OPTION_NUMBER, AT(options.workers), "N", .least = 1, .most = WORKERS_MOST,
     .help = "threads that large calls run on (default 1)"},
    {"check", OPTION_NUMBER, AT(options.check_every), "K", .most = AGENTS_MAX_FRAMES,
     .help =
         "compare the pairs of every Kth frame and of the last one with those that a plain grid "
         "finds; 0: never (default 60)"},
    {"svg", OPTION_TEXT, AT(options.svg_folder), "FOLDER",
     .help =
         "a picture of every 60th frame as SVG, or of the last frame of a shorter run (default: "
         "none)"},
    {"png", OPTION_TEXT, AT(options.png_folder), "FOLDER", .help = "the same as PNG"},
    {"picture-every", OPTION_NUMBER, AT(options.picture_every), "K", .least = 1,
     .most = AGENTS_MAX_FRAMES, .help = "another number of frames"},
    {"view", OPTION_NUMBER, AT(options.view), "M", .least = 1, .most = 1000000,
     .help = "pictures show the middle M meters (default: all)"},
    {"json", OPTION_TEXT, AT(options.json_path), "FILE", .help = "the figures as JSON"},
    {"csv", OPTION_TEXT, AT(options.csv_path), "FILE",
     .help = "the figures as comma-separated values"},
    {"help", OPTION_HELP, AT(options.help), .help = "this text"},
};

static const option_example examples[] = {
    {"acre agents", "100,000 agents for 600 frames"},
    {"acre agents --agents 1000000 --frames 60 --workers 2", "a million on two threads"},
    {"acre agents --agents 2000 --png pictures --view 60", "pictures of the middle 60 m"},
    {NULL, NULL}};

const option_table agents_option_table = {
    .usage = "acre agents [options]",
    .about = "Boxes of 0.5 to 1.5 m move over the ground and bounce off each other and off four "
             "walls, in one thread. Ends with frames a second, bytes and pairs.",
    .end = "Exit status: 0 all well, 1 a failure or pairs that differ, 2 bad arguments.",
    .examples = examples,
    .specs = specs,
    .count = sizeof specs / sizeof specs[0]};

// A size becomes an area when the number of agents is known.
static bool apply_area(agents_input *input, char *message, size_t message_size)
{
    const double count = (double)input->options.def.count;
    const double least = (double)AGENTS_LEAST_AREA, most = (double)AGENTS_MOST_AREA;
    if (input->area > 0.0 && input->size > 0.0) {
        snprintf(message, message_size, "--area and --size are two ways to say one thing");
        return false;
    }
    if (input->area > 0.0 && input->area < least) {
        snprintf(message, message_size, "--area takes at least %.0f square meters, not '%g'", least,
                 input->area);
        return false;
    }
    const double area = input->size > 0.0 ? input->size * input->size / count : input->area;
    if (input->size > 0.0 && !(area >= least && area <= most)) {
        snprintf(message, message_size, "--size takes %.1f to %.0f meters for %.0f agents",
                 sqrt(least * count), sqrt(most * count), count);
        return false;
    }
    input->options.def.area = (float)area;
    return true;
}

bool agents_options_parse(int argc, char **argv, agents_options *out, char *message,
                          size_t message_size)
{
    agents_input input = {.options = {.def = {.count = 100000, .seed = 1},
                                      .frames = 600,
                                      .check_every = 60,
                                      .workers = 1,
                                      .picture_every = 60}};
    const bool is_good =
        options_parse(&agents_option_table, argc, argv, &input, message, message_size) &&
        apply_area(&input, message, message_size);
    *out = input.options;
    return is_good;
}
