// SPDX-License-Identifier: MIT
// view_options.c - the command line of `acre view`.
#include "view_options.h"

#include "option_values.h"
#include "view_overlays.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: acre view [FILE] [options]\n"
    "\n"
    "Opens a window on a scene with driving cars and shows what culling does. F1 lists the keys.\n"
    "\n"
    "  FILE            scene file of any format that assimp reads (default: San Francisco)\n"
    "  --sample NAME   a small sample in place of the scene; --sample list names them\n"
    "  --overlay A,B   overlays to begin with; --overlay list names them\n"
    "  --size WxH      pixels (default 1600x900; a window's is remembered)\n"
    "  --frame N       the frame of the flight to begin with (default 0)\n"
    "  --png FILE      draws that frame into a PNG file, without a display, and ends\n"
    "  --cars N        cars on the streets, 0 to 200000 (default 4000)\n"
    "  --seed N        where the cars start and which way they turn (default 1)\n"
    "  --samples N     samples of a pixel, 1 to 8 (default 4; 1 in windows of drivers\n"
    "                  without a graphics card)\n"
    "  --shadows A     yes or no (default yes)\n"
    "  --help          this text\n"
    "\n"
    "Exit status: 0 all well, 1 a failure, 2 bad arguments.\n";

enum {
    OPTION_SAMPLE = 256,
    OPTION_OVERLAY,
    OPTION_SIZE,
    OPTION_FRAME,
    OPTION_PNG,
    OPTION_CARS,
    OPTION_SEED,
    OPTION_SAMPLES,
    OPTION_SHADOWS
};

static const struct option long_options[] = {
    {"sample", required_argument, NULL, OPTION_SAMPLE},
    {"overlay", required_argument, NULL, OPTION_OVERLAY},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"frame", required_argument, NULL, OPTION_FRAME},
    {"png", required_argument, NULL, OPTION_PNG},
    {"cars", required_argument, NULL, OPTION_CARS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"samples", required_argument, NULL, OPTION_SAMPLES},
    {"shadows", required_argument, NULL, OPTION_SHADOWS},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct complaint {
    char *message;
    size_t size;
} complaint;

static bool set_number(const char *value, const number_range *range, uint32_t *out, complaint to)
{
    uint64_t number = 0;
    if (!option_parse_number(value, range, &number, to.message, to.size)) {
        return false;
    }
    *out = (uint32_t)number;
    return true;
}

static bool set_size(const char *value, view_options *out, complaint to)
{
    unsigned width = 0, height = 0;
    int length = 0;
    if (sscanf(value, "%5ux%5u%n", &width, &height, &length) != 2 || value[length] != '\0' ||
        width < 64 || height < 64 || width > 8192 || height > 8192) {
        snprintf(to.message, to.size, "--size takes WxH, each from 64 to 8192, not '%s'", value);
        return false;
    }
    out->width = width;
    out->height = height;
    out->has_size = true;
    return true;
}

// Names with commas between them.
static bool set_overlays(const char *value, view_options *out, complaint to)
{
    while (*value) {
        const size_t length = strcspn(value, ",");
        const int overlay = view_overlay_find(value, length);
        if (overlay < 0) {
            snprintf(to.message, to.size, "there is no overlay '%.*s'; the overlays are %s",
                     (int)length, value, view_overlay_list());
            return false;
        }
        out->overlays |= 1u << overlay;
        value += length + (value[length] == ',' ? 1 : 0);
    }
    return true;
}

static bool set_shadows(const char *value, view_options *out, complaint to)
{
    out->are_shadows_drawn = strcmp(value, "yes") == 0;
    if (!out->are_shadows_drawn && strcmp(value, "no") != 0) {
        snprintf(to.message, to.size, "--shadows takes yes or no, not '%s'", value);
        return false;
    }
    return true;
}

static bool set_option(int option, const char *value, view_options *out, complaint to)
{
    static const number_range frame = {"--frame", 0, 1000000};
    static const number_range cars = {"--cars", 0, 200000};
    static const number_range seed = {"--seed", 0, UINT64_MAX};
    static const number_range samples = {"--samples", 1, 8};
    switch (option) {
    case OPTION_SAMPLE:
        out->sample = value;
        return true;
    case OPTION_OVERLAY:
        return set_overlays(value, out, to);
    case OPTION_SIZE:
        return set_size(value, out, to);
    case OPTION_FRAME:
        return set_number(value, &frame, &out->frame, to);
    case OPTION_PNG:
        out->png_path = value;
        return true;
    case OPTION_CARS:
        return set_number(value, &cars, &out->cars, to);
    case OPTION_SEED:
        return option_parse_number(value, &seed, &out->seed, to.message, to.size);
    case OPTION_SAMPLES:
        return set_number(value, &samples, &out->samples, to);
    default: // OPTION_SHADOWS
        return set_shadows(value, out, to);
    }
}

bool view_options_parse(int argc, char **argv, view_options *out, char *message,
                        size_t message_size)
{
    *out = (view_options){.scene_path = ACRE_DEFAULT_SCENE,
                          .width = 1600,
                          .height = 900,
                          .cars = 4000,
                          .seed = 1,
                          .are_shadows_drawn = true};
    const complaint to = {message, message_size};
    int option;
    optind = 0; // starts anew, also where it is called twice
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (option == 'h') {
            out->help = true;
        } else if (option == '?' || option == ':') {
            return option_complain(option, argv, message, message_size);
        } else if (!set_option(option, optarg, out, to)) {
            return false;
        }
    }
    if (argc - optind > 1) {
        snprintf(message, message_size, "one scene file at a time, but there is also '%s'",
                 argv[optind + 1]);
        return false;
    }
    if (optind < argc) {
        out->scene_path = argv[optind];
    }
    return true;
}

const char *view_options_help(void)
{
    return help;
}
