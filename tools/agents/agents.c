// SPDX-License-Identifier: MIT
// agents.c - `acre agents`: boxes that bounce off each other, frame by frame.
#include "agents.h"

#include "agents_report.h"
#include "output_file.h"
#include "workers.h"

#include <stdio.h>

enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

static int complain(const char *message, int status)
{
    return options_complain("agents", message, status);
}

static bool write_files(const agents_report *report)
{
    char message[512];
    bool is_good = true;
    if (report->options->json_path && !agents_report_json(report, message, sizeof message)) {
        complain(message, EXIT_BAD);
        is_good = false;
    }
    if (report->options->csv_path && !agents_report_csv(report, message, sizeof message)) {
        complain(message, EXIT_BAD);
        is_good = false;
    }
    return is_good;
}

// Frames, then the table; what was measured is printed even where a check failed.
static bool run_in_world(agents_world *world, const agents_options *options)
{
    agents_record record;
    agents_report report;
    bool is_good = agents_run(world, options, &record);
    agents_report_fill(&report, options, world, &record);
    agents_report_print(&report, stdout);
    if (record.pictures) {
        printf("pictures         of %u frames in %s%s%s\n", (unsigned)record.pictures,
               options->svg_folder ? options->svg_folder : "",
               options->svg_folder && options->png_folder ? " and " : "",
               options->png_folder ? options->png_folder : "");
    }
    if (record.error[0]) {
        complain(record.error, EXIT_BAD);
    }
    if (record.difference.verdict != AGENTS_EQUAL) {
        agents_report_difference(&record, stderr);
    }
    is_good = write_files(&report) && is_good;
    agents_record_free(&record);
    return is_good;
}

typedef struct agents_call {
    agents_world *world;
    const agents_options *options;
} agents_call;

static bool run_with_workers(void *context, const acre_tasks *tasks)
{
    const agents_call *const call = context;
    acre_quadtree *const tree = call->world->tree;
    bool is_good = acre_quadtree_set_tasks(tree, tasks) == ACRE_OK;
    is_good = run_in_world(call->world, call->options) && is_good;
    return acre_quadtree_set_tasks(tree, NULL) == ACRE_OK && is_good;
}

int agents_command(int argc, char **argv)
{
    agents_options options;
    agents_world world;
    char message[256];
    if (!agents_options_parse(argc, argv, &options, message, sizeof message)) {
        return complain(message, EXIT_USAGE);
    }
    if (options.help) {
        options_print_help(&agents_option_table, stdout);
        return EXIT_GOOD;
    }
    if (!output_check(options.json_path, message, sizeof message) ||
        !output_check(options.csv_path, message, sizeof message)) {
        return complain(message, EXIT_BAD);
    }
    const acre_result result = agents_create(&options.def, &world);
    if (result != ACRE_OK) {
        // Of a def that the options let pass, only the kernel can be refused.
        return complain(result == ACRE_ERROR_INVALID_ARGUMENT
                            ? "this processor, or this program, has no such kernel"
                            : acre_result_text(result),
                        EXIT_BAD);
    }
    agents_call call = {&world, &options};
    const bool is_good = workers_run(options.workers, run_with_workers, &call);
    agents_free(&world);
    return is_good ? EXIT_GOOD : EXIT_BAD;
}
