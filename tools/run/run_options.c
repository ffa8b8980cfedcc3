// SPDX-License-Identifier: MIT
// run_options.c - the command line of `acre run`.
#include "run_options.h"

#include "options.h"
#include "shared_file.h"
#include "workers.h"

#include <string.h>

static const option_spec specs[] = {
    {"frames", OPTION_NUMBER, offsetof(run_options, frames), "N", .least = 1,
     .most = RUN_MAX_FRAMES, .help = "frames to run (default 600: one round of the flight)"},
    {"cars", OPTION_NUMBER, offsetof(run_options, cars), "N", .most = RUN_MAX_CARS,
     .help = "cars on the streets (default 2000)"},
    {"seed", OPTION_NUMBER64, offsetof(run_options, seed), "N", .most = UINT64_MAX,
     .help = "where the cars start and which way they turn (default 1)"},
    {"check", OPTION_NUMBER, offsetof(run_options, check_every), "K", .most = RUN_MAX_FRAMES,
     .help = "compare every visible set of every Kth frame and of the last one with brute force in "
             "double precision, and the bounds of a glTF with what its accessors state; 0: never "
             "(default 60)"},
    {"occlusion", OPTION_YES_NO, offsetof(run_options, has_occlusion), "YES",
     .help = "yes or no: whether the flying camera leaves out what stands behind the occluders of "
             "the file, or where it has none behind those that are found in its meshes. Checked "
             "frames then send rays to all that it leaves out (default no)"},
    {"workers", OPTION_NUMBER, offsetof(run_options, workers), "N", .least = 1,
     .most = WORKERS_MOST, .help = "threads that large calls run on (default 1)"},
    {"svg", OPTION_TEXT, offsetof(run_options, svg_name), "FILE",
     .help = "where to write the map; none: no map (default out/NAME.svg)"},
    {"json", OPTION_TEXT, offsetof(run_options, json_path), "FILE",
     .help = "where to write the table as JSON"},
    {"help", OPTION_HELP, offsetof(run_options, help), .help = "this text"},
};

static const option_example examples[] = {
    {"acre run", "San Francisco with 2,000 cars; the map is out/san_francisco.svg"},
    {"acre run town.glb --frames 120 --check 1",
     "another scene, every visible set compared with brute force"},
    {"acre run --cars 87000 --workers 2 --json run.json",
     "more cars on two threads, the table as JSON"},
    {NULL, NULL}};

const option_table run_option_table = {
    .usage = "acre run [FILE] [options]",
    .about =
        "Drives cars through a scene and asks in every frame what a flying camera and its four "
        "shadow cascades see. Ends with a table of counts, times and bytes, and draws a map.",
    .end = "Exit status: 0 all well, 1 a failure or a visible set that differs, 2 bad arguments.",
    .examples = examples,
    .specs = specs,
    .count = sizeof specs / sizeof specs[0],
    .operand = {"scene file",
                "scene file: glTF, or any format that assimp reads (default: San "
                "Francisco); its line segments are the streets",
                offsetof(run_options, scene_path)}};

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
    static char scene[1024];
    default_scene_path(scene, sizeof scene);
    *out = (run_options){.scene_path = scene,
                         .frames = 600,
                         .cars = 2000,
                         .seed = 1,
                         .workers = 1,
                         .check_every = 60};
    if (!options_parse(&run_option_table, argc, argv, out, message, message_size)) {
        return false;
    }
    if (!out->svg_name) {
        return set_default_svg(out, message, message_size);
    }
    const char *const path = strcmp(out->svg_name, "none") == 0 ? "" : out->svg_name;
    return set_path(out->svg_path, sizeof out->svg_path, path, message, message_size);
}
