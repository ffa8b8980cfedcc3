// SPDX-License-Identifier: MIT
// run.c - `acre run`: a scene, cars, a flying camera, culled frame by frame.
#include "run.h"

#include "output_file.h"
#include "run_picture.h"
#include "run_report.h"
#include "workers.h"

#include <stdio.h>

enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

static int complain(const char *message, int status)
{
    return options_complain("run", message, status);
}

// Frames, then the bars, then the table; what was measured is printed even where a check failed.
static bool run_in_world(run_world *world, run_options *options)
{
    run_record record;
    run_report report = {0};
    char message[512] = "";
    const bool has_picture = options->svg_path[0] != '\0';
    bool is_good = run_frames(world, options, has_picture ? run_picture_write : NULL,
                              options->svg_path, &record);
    if (is_good) {
        const acre_result result = run_bars_measure(world, options->seed, &report.bars);
        report.has_bars = result == ACRE_OK;
        if (!report.has_bars) {
            snprintf(record.error, sizeof record.error, "measuring: %s", acre_result_text(result));
        }
        is_good = report.has_bars && report.bars.are_sets_equal;
    }
    if (options->check_every > 0) {
        gltf_check_model(options->scene_path, world->model, &report.bounds);
        is_good = is_good && report.bounds.different == 0;
    }
    run_report_fill(&report, options, world, &record);
    run_report_print(&report, stdout);
    if (has_picture && is_good) {
        printf("map              %s (frame %u)\n", options->svg_path,
               (unsigned)record.picture_frame);
    }
    if (record.error[0]) {
        complain(record.error, EXIT_BAD);
    }
    if (report.bounds.different > 0) {
        complain(report.bounds.first, EXIT_BAD);
    }
    if (record.difference.kind != CHECK_EQUAL) {
        run_report_difference(&report, stderr);
    }
    if (options->json_path &&
        !run_report_json(&report, options->json_path, message, sizeof message)) {
        complain(message, EXIT_BAD);
        is_good = false;
    }
    run_record_free(&record);
    return is_good;
}

typedef struct run_call {
    run_world *world;
    run_options *options;
} run_call;

static bool run_with_workers(void *context, const acre_tasks *tasks)
{
    run_call *const call = context;
    bool is_good = acre_scene_set_tasks(call->world->scene, tasks) == ACRE_OK &&
                   acre_culling_set_tasks(call->world->culling, tasks) == ACRE_OK;
    is_good = run_in_world(call->world, call->options) && is_good;
    return acre_scene_set_tasks(call->world->scene, NULL) == ACRE_OK &&
           acre_culling_set_tasks(call->world->culling, NULL) == ACRE_OK && is_good;
}

int run_command(int argc, char **argv)
{
    run_options options;
    run_world world;
    char message[512];
    if (!run_options_parse(argc, argv, &options, message, sizeof message)) {
        return complain(message, EXIT_USAGE);
    }
    if (options.help) {
        options_print_help(&run_option_table, stdout);
        return EXIT_GOOD;
    }
    if (!output_check(options.json_path, message, sizeof message) ||
        !output_check(options.svg_path[0] ? options.svg_path : NULL, message, sizeof message)) {
        return complain(message, EXIT_BAD);
    }
    int status = EXIT_BAD;
    if (run_world_create(&options, &world, message, sizeof message)) {
        run_call call = {&world, &options};
        status = workers_run(options.workers, run_with_workers, &call) ? EXIT_GOOD : EXIT_BAD;
    } else {
        complain(message, EXIT_BAD);
    }
    run_world_free(&world);
    return status;
}
