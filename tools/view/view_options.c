// SPDX-License-Identifier: MIT
// view_options.c - the command line of `acre view`.
#include "view_options.h"

#include "shared_file.h"
#include "view_names.h"

#include <string.h>

#define MOST_FRAMES 2000 // of an animation

static bool set_size(void *target, const char *text, const option_message *message)
{
    view_options *const out = target;
    unsigned width = 0, height = 0;
    int length = 0;
    if (sscanf(text, "%5ux%5u%n", &width, &height, &length) != 2 || text[length] != '\0' ||
        width < 64 || height < 64 || width > 8192 || height > 8192) {
        snprintf(message->text, message->size, "--size takes WxH, each from 64 to 8192, not '%s'",
                 text);
        return false;
    }
    out->width = width;
    out->height = height;
    out->has_size = true;
    return true;
}

// A range of frames.
static bool set_frames(void *target, const char *text, const option_message *message)
{
    view_options *const out = target;
    unsigned first = 0, last = 0;
    int length = 0;
    if (sscanf(text, "%7u:%7u%n", &first, &last, &length) != 2 || text[length] != '\0' ||
        first > last || last - first >= MOST_FRAMES) {
        snprintf(message->text, message->size,
                 "--frames takes A:B, the first and the last of at most %d frames, not '%s'",
                 MOST_FRAMES, text);
        return false;
    }
    out->frame = first;
    out->last_frame = last;
    out->has_frames = true;
    return true;
}

#define AT(field) offsetof(view_options, field)

static const option_spec specs[] = {
    {"sample", OPTION_CUSTOM, AT(sample), "NAME", .set = view_set_sample,
     .help = "a small sample in place of the scene; an unknown NAME lists them"},
    {"overlay", OPTION_CUSTOM, AT(overlays), "A,B", .set = view_set_overlays,
     .help = "overlays to begin with; an unknown one lists them"},
    {"size", OPTION_CUSTOM, 0, "WxH", .set = set_size,
     .help = "pixels (default 1600x900; a window's is remembered)"},
    {"frame", OPTION_NUMBER, AT(frame), "N", .most = 1000000,
     .help = "the frame of the flight to begin with (default 0)"},
    {"png", OPTION_TEXT, AT(png_path), "FILE",
     .help = "draws that frame into a PNG file, without a display, and ends"},
    {"frames", OPTION_CUSTOM, 0, "A:B", .set = set_frames, .help = "with --apng: frames A to B"},
    {"apng", OPTION_TEXT, AT(apng_path), "FILE",
     .help = "draws those frames into an animated PNG file of 255 colors, and ends"},
    {"rise", OPTION_YES_NO, AT(is_rise), "A",
     .help =
         "yes or no (default no), with --apng: culling stays in frame A while the camera rises; "
         "first all of the frustum is drawn, then what is left with occlusion"},
    {"json", OPTION_TEXT, AT(json_path), "FILE",
     .help = "with --png: where to write the picture's figures as JSON"},
    {"cars", OPTION_NUMBER, AT(cars), "N", .most = 200000,
     .help = "cars on the streets (default 4000)"},
    {"seed", OPTION_NUMBER64, AT(seed), "N", .most = UINT64_MAX,
     .help = "where the cars start and which way they turn (default 1)"},
    {"samples", OPTION_NUMBER, AT(samples), "N", .least = 1, .most = 8,
     .help = "samples of a pixel (default 4; 1 in windows of drivers without a graphics card)"},
    {"shadows", OPTION_YES_NO, AT(are_shadows_drawn), "A", .help = "yes or no (default yes)"},
    {"occlusion", OPTION_YES_NO, AT(is_occlusion_on), "A",
     .help = "yes or no (default no): leaves out what stands behind the occluders of others"},
    {"help", OPTION_HELP, AT(help), .help = "this text"},
};

static const option_example examples[] = {
    {"acre view", "San Francisco in a window"},
    {"acre view --sample idea", "how a loose quadtree works, with a dozen boxes"},
    {"acre view --png street.png --size 1280x720 --frame 200", "a picture, without a display"},
    {NULL, NULL}};

const option_table view_option_table = {
    .usage = "acre view [FILE] [options]",
    .about =
        "Opens a window on a scene with driving cars and shows what culling does. F1 lists the "
        "keys.",
    .end = "Exit status: 0 all well, 1 a failure, 2 bad arguments.",
    .examples = examples,
    .specs = specs,
    .count = sizeof specs / sizeof specs[0],
    .operand = {"scene file",
                "scene file: glTF, or any format that assimp reads (default: San Francisco)",
                AT(scene_path)}};

bool view_options_parse(int argc, char **argv, view_options *out, char *message,
                        size_t message_size)
{
    static char scene[1024];
    default_scene_path(scene, sizeof scene);
    *out = (view_options){.scene_path = scene,
                          .width = 1600,
                          .height = 900,
                          .cars = 4000,
                          .seed = 1,
                          .are_shadows_drawn = true};
    if (!options_parse(&view_option_table, argc, argv, out, message, message_size)) {
        return false;
    }
    if (out->apng_path ? !out->has_frames || out->png_path : out->has_frames || out->is_rise) {
        snprintf(message, message_size,
                 "an animation takes --frames A:B and --apng FILE, with or without --rise, and no "
                 "--png");
        return false;
    }
    if (out->json_path && !out->png_path) {
        snprintf(message, message_size,
                 "--json takes the figures of a picture: --png FILE is missing");
        return false;
    }
    return true;
}
