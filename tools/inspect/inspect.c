// SPDX-License-Identifier: MIT
// inspect.c - `acre inspect`: what is in a model or a recording, as numbers or as a page.
#include "inspect.h"

#include "file_bytes.h"
#include "gltf_check.h"
#include "import_sandbox.h"
#include "inspect_numbers.h"
#include "inspect_occluders.h"
#include "inspect_page.h"
#include "inspect_print.h"
#include "options.h"
#include "plain_file.h"
#include "replay_watch.h"
#include "run_statistics.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct inspect_options {
    const char *path, *html_path, *json_path;
    bool check, help;
} inspect_options;

static const option_spec specs[] = {
    {"html", OPTION_TEXT, offsetof(inspect_options, html_path), "OUT",
     .help = "also write a page that shows the file, in any browser, without a network; "
             "tools/package.sh web OUT builds what it needs"},
    {"json", OPTION_TEXT, offsetof(inspect_options, json_path), "OUT",
     .help = "also write what is printed as JSON"},
    {"check", OPTION_FLAG, offsetof(inspect_options, check),
     .help = "compare the bounds of a glTF with what its accessors state; what is compressed, "
             "sparse or "
             "not stated is counted and not compared"},
    {"help", OPTION_HELP, offsetof(inspect_options, help), .help = "this text"},
};

static const option_example examples[] = {
    {"acre inspect town.glb", "how many entities a model has, how large they are, what views cost"},
    {"acre inspect bug.acre --html bug.html", "a recording as a page to attach to a bug report"},
    {NULL, NULL}};

const option_table inspect_option_table = {
    .usage = "acre inspect FILE [options]",
    .about = "Prints what is in a model (glTF, or any format that assimp reads) or in a recording "
             "of a tree's "
             "calls. The page shows the same numbers, but for the time that a view takes.",
    .end = "Exit status: 0 all well, 1 the file cannot be read or written or its bounds differ, 2 "
           "bad arguments.",
    .examples = examples,
    .specs = specs,
    .count = sizeof specs / sizeof specs[0],
    .operand = {"file", "a model or a recording", offsetof(inspect_options, path)}};

static int fail(const char *message)
{
    fprintf(stderr, "acre inspect: %s\n", message);
    return 1;
}

static bool print_rows(const inspect_options *options, const inspect_rows *rows)
{
    char message[640];
    return inspect_print_rows(rows, options->json_path, message, sizeof message) ||
           (fail(message), false);
}

// The path without its folders.
static const char *name_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int write_page(const inspect_options *options, const void *bytes, size_t size)
{
    char message[640];
    if (!inspect_write_page(options->html_path, name_of(options->path), bytes, size, message,
                            sizeof message)) {
        return fail(message);
    }
    return 0;
}

static int inspect_recorded(const inspect_options *options, const void *bytes, size_t size)
{
    inspect_rows rows;
    replay_watch watch = {progress_begin(), size};
    const bool is_recording = inspect_recording(bytes, size, replay_watch_show, &watch, &rows);
    progress_end(&watch.line);
    const bool is_written = print_rows(options, &rows);
    if (!is_recording) {
        return fail("that is no recording of a tree");
    }
    if (!is_written) {
        return 1;
    }
    return options->html_path ? write_page(options, bytes, size) : 0;
}

// The page has no file reader: it gets the model as the reader's process sends it.
static int write_model_page(const inspect_options *options)
{
    char message[640];
    acre_import_model *model;
    const import_sandbox_def def = {.finds_occluders = true};
    if (import_sandbox_file(options->path, &def, &model, message, sizeof message) != ACRE_OK) {
        return fail(message);
    }
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    const size_t size = acre_import_pack(model, NULL, 0);
    void *const bytes = low == 1 ? malloc(size) : NULL;
    int status;
    if (bytes) {
        acre_import_pack(model, bytes, size);
        status = write_page(options, bytes, size);
    } else {
        status = fail(low == 1 ? "memory is short" : "a big-endian machine writes no pages");
    }
    free(bytes);
    acre_import_free(model);
    return status;
}

enum { TIMED_ROUNDS = 101 };

// Microseconds of a view: the mean of the eight directions, in the median of many rounds.
static double view_time(const run_world *world)
{
    uint32_t *const slots = calloc((size_t)world->slot_count + 1, sizeof *slots);
    sample_list times = {0};
    const bool is_ready = slots && samples_reserve(&times, TIMED_ROUNDS);
    for (int round = 0; is_ready && round < TIMED_ROUNDS; round++) {
        const double begin = clock_seconds();
        for (int i = 0; i < 8; i++) {
            const acre_frustum frustum = inspect_frustum(&world->bounds, i);
            size_t count;
            ACRE_IGNORE(acre_culling_query_frustum(world->culling, &frustum, 0, slots,
                                                   world->slot_count, &count));
        }
        samples_add(&times, 1e6 * (clock_seconds() - begin) / 8.0);
    }
    const double median = samples_summarise(&times).median;
    samples_free(&times);
    free(slots);
    return median;
}

typedef struct more_of_model {
    bool is_checked;
    gltf_check check;
} more_of_model;

// What only this program says, since it depends on the clock or needs the file.
static void add_more(const run_world *world, const char *path, inspect_rows *rows, void *context)
{
    more_of_model *const more = context;
    inspect_add_row(rows, "a view takes", "%.1f microseconds, the median of %d rounds of eight",
                    view_time(world), (int)TIMED_ROUNDS);
    inspect_add_occluders(world->model, rows);
    if (more->is_checked) {
        char text[sizeof rows->rows[0].text];
        gltf_check_model(path, world->model, &more->check);
        gltf_check_text(&more->check, text, sizeof text);
        inspect_add_row(rows, "bounds", "%s", text);
    }
}

static int inspect_scene(const inspect_options *options)
{
    char message[640];
    inspect_rows rows;
    more_of_model more = {.is_checked = options->check};
    FILE *const plain = plain_file_open(AT_FDCWD, options->path);
    if (!plain) {
        snprintf(message, sizeof message, "%s: a model is read from a plain file", options->path);
        return fail(message);
    }
    fclose(plain);
    if (!inspect_model(options->path, add_more, &more, &rows, message, sizeof message)) {
        return fail(message);
    }
    if (!print_rows(options, &rows)) {
        return 1;
    }
    if (more.check.different > 0) {
        return fail(more.check.first);
    }
    return options->html_path ? write_model_page(options) : 0;
}

int inspect_command(int argc, char **argv)
{
    inspect_options options = {0};
    char message[640];
    if (!options_parse(&inspect_option_table, argc, argv, &options, message, sizeof message)) {
        return options_complain("inspect", message, 2);
    }
    if (options.help) {
        options_print_help(&inspect_option_table, stdout);
        return 0;
    }
    if (!options.path) {
        options_print_help(&inspect_option_table, stderr);
        return 2;
    }
    if (options.html_path && !inspect_page_is_there(message, sizeof message)) {
        return fail(message);
    }
    size_t size;
    unsigned char *const bytes = file_read_recording(options.path, &size);
    if (!bytes) {
        snprintf(message, sizeof message, "%s: %s", options.path, plain_file_reason());
        return fail(message);
    }
    if (size == 0) {
        free(bytes);
        snprintf(message, sizeof message, "%s: the file is empty", options.path);
        return fail(message);
    }
    const int status = file_begins_as_recording(bytes, size)
                           ? inspect_recorded(&options, bytes, size)
                           : inspect_scene(&options);
    free(bytes);
    return status;
}
