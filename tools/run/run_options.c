// SPDX-License-Identifier: MIT
// run_options.c - the command line of `acre run`.
#include "run_options.h"

#include "option_values.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#ifndef ACRE_DEFAULT_SCENE
#define ACRE_DEFAULT_SCENE "tools/scenes/san_francisco.glb"
#endif

static const char help[] =
    "usage: acre run [FILE] [options]\n"
    "\n"
    "Drives cars through a scene and asks in every frame what a flying camera and its four\n"
    "shadow cascades see. Ends with a table of counts, times and bytes, and draws a map.\n"
    "\n"
    "  FILE         scene file of any format that assimp reads (default: San Francisco);\n"
    "               its line segments are the streets\n"
    "  --frames N   frames to run, 1 to 1000000 (default 600: one round of the flight)\n"
    "  --cars N     cars on the streets, 0 to 10000000 (default 2000)\n"
    "  --seed N     where the cars start and which way they turn (default 1)\n"
    "  --check K    compare every visible set of every Kth frame and of the last one with\n"
    "               brute force in double precision; 0: never (default 60)\n"
    "  --svg FILE   where to write the map; none: no map (default out/NAME.svg)\n"
    "  --json FILE  where to write the table as JSON\n"
    "  --help       this text\n"
    "\n"
    "Exit status: 0 all well, 1 a failure or a visible set that differs, 2 bad arguments.\n";

enum { OPTION_FRAMES = 256, OPTION_CARS, OPTION_SEED, OPTION_CHECK, OPTION_SVG, OPTION_JSON };

static const struct option long_options[] = {
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"cars", required_argument, NULL, OPTION_CARS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"check", required_argument, NULL, OPTION_CHECK},
    {"svg", required_argument, NULL, OPTION_SVG},
    {"json", required_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool set_path(char *out, size_t size, const char *path, char *message, size_t message_size)
{
    if (strlen(path) >= size) {
        snprintf(message, message_size, "the path given to --svg is longer than %zu bytes",
                 size - 1);
        return false;
    }
    memcpy(out, path, strlen(path) + 1);
    return true;
}

// Applies one option that has a value.
static bool set_option(int option, const char *value, run_options *out, char *message, size_t size)
{
    static const number_range frames = {"--frames", 1, RUN_MAX_FRAMES};
    static const number_range cars = {"--cars", 0, RUN_MAX_CARS};
    static const number_range seed = {"--seed", 0, UINT64_MAX};
    static const number_range check = {"--check", 0, RUN_MAX_FRAMES};
    uint64_t number = 0;
    bool is_good = true;
    switch (option) {
    case OPTION_FRAMES:
        is_good = option_parse_number(value, &frames, &number, message, size);
        out->frames = (uint32_t)number;
        return is_good;
    case OPTION_CARS:
        is_good = option_parse_number(value, &cars, &number, message, size);
        out->cars = (uint32_t)number;
        return is_good;
    case OPTION_SEED:
        return option_parse_number(value, &seed, &out->seed, message, size);
    case OPTION_CHECK:
        is_good = option_parse_number(value, &check, &number, message, size);
        out->check_every = (uint32_t)number;
        return is_good;
    case OPTION_JSON:
        out->json_path = value;
        return true;
    default: // OPTION_SVG
        value = strcmp(value, "none") == 0 ? "" : value;
        return set_path(out->svg_path, sizeof out->svg_path, value, message, size);
    }
}

static bool set_default_svg(run_options *out, char *message, size_t message_size)
{
    const char *const slash = strrchr(out->scene_path, '/');
    const char *const name = slash ? slash + 1 : out->scene_path;
    const char *const dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char path[sizeof out->svg_path + 16];
    if (length >= sizeof out->svg_path - 16) {
        snprintf(message, message_size,
                 "the scene's name is too long for a default picture's; "
                 "name one with --svg");
        return false;
    }
    snprintf(path, sizeof path, "out/%.*s.svg", (int)length, name);
    return set_path(out->svg_path, sizeof out->svg_path, path, message, message_size);
}

bool run_options_parse(int argc, char **argv, run_options *out, char *message, size_t message_size)
{
    *out = (run_options){.scene_path = ACRE_DEFAULT_SCENE,
                         .frames = 600,
                         .cars = 2000,
                         .seed = 1,
                         .check_every = 60};
    bool has_svg = false;
    int option;
    optind = 0; // starts anew, also where it is called twice
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (option == 'h') {
            out->help = true;
        } else if (option == '?' || option == ':') {
            return option_complain(option, argv, message, message_size);
        } else if (!set_option(option, optarg, out, message, message_size)) {
            return false;
        }
        has_svg |= option == OPTION_SVG;
    }
    if (argc - optind > 1) {
        snprintf(message, message_size, "one scene file at a time, but there is also '%s'",
                 argv[optind + 1]);
        return false;
    }
    if (optind < argc) {
        out->scene_path = argv[optind];
    }
    return has_svg || set_default_svg(out, message, message_size);
}

const char *run_options_help(void)
{
    return help;
}
