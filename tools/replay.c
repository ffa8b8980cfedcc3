// SPDX-License-Identifier: MIT
// replay.c - `acre replay`: repeats the recorded calls on a quadtree, or prints them as C.
#include "replay.h"

#include "file_bytes.h"
#include "json_writer.h"
#include "options.h"
#include "plain_file.h"
#include "replay_watch.h"

#include <acre/record.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct replay_options {
    const char *path, *json_path;
    bool is_print, help;
} replay_options;

static const option_spec specs[] = {
    {"print", OPTION_FLAG, offsetof(replay_options, is_print),
     .help = "write the same calls as a C function to the standard output"},
    {"json", OPTION_TEXT, offsetof(replay_options, json_path), "OUT",
     .help = "also write the number of calls and the state after them as JSON"},
    {"help", OPTION_HELP, offsetof(replay_options, help), .help = "this text"},
};

static const option_example examples[] = {
    {"acre replay bug.acre", "whether this version answers as the recorded one did"},
    {"acre replay bug.acre --print > bug.c", "the recorded calls as a C function, for a debugger"},
    {NULL, NULL}};

const option_table replay_option_table = {
    .usage = "acre replay FILE [options]",
    .about = "Repeats the calls of a recording (modules/record) and compares what they answer.",
    .end = "Exit status: 0 all answers are the recorded ones, 1 one differs or the file is broken, "
           "2 bad arguments.",
    .examples = examples,
    .specs = specs,
    .count = sizeof specs / sizeof specs[0],
    .operand = {"recording", "the recording", offsetof(replay_options, path)}};

typedef struct printer {
    progress line;
    size_t written;
} printer;

// An acre_record_write to the standard output; context is a printer.
static bool print_part(void *context, const void *bytes, size_t size)
{
    printer *const out = context;
    out->written += size;
    progress_show(&out->line, "printing: %zu KB", out->written / 1000);
    return fwrite(bytes, 1, size, stdout) == size;
}

static acre_result print_calls(const void *bytes, size_t size)
{
    printer out = {progress_begin_beside(stdout), 0};
    const acre_result result = acre_record_print(bytes, size, NULL, print_part, &out);
    progress_end(&out.line);
    return result;
}

static acre_result repeat_calls(const void *bytes, size_t size, acre_record_report *report)
{
    replay_watch watch = {progress_begin(), size};
    const acre_result result =
        acre_record_replay_watched(bytes, size, NULL, replay_watch_show, &watch, report, NULL);
    progress_end(&watch.line);
    return result;
}

// A state is text: a JSON number holds 53 of its 64 bits.
static int write_json(const char *path, const acre_record_report *report)
{
    json_writer writer = {.ok = true};
    char message[512];
    snprintf(message, sizeof message, "%016" PRIx64, report->state_hash);
    cJSON *const root = cJSON_CreateObject();
    json_add_number(&writer, root, "calls", (double)report->calls);
    json_add_text(&writer, root, "state", message);
    char *const text = writer.ok ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return json_write_file(text, path, message, sizeof message)
               ? 0
               : options_complain("replay", message, 1);
}

static int replay_file(const replay_options *options)
{
    const char *const path = options->path;
    const bool is_print = options->is_print;
    size_t size;
    unsigned char *const bytes = file_read_recording(path, &size);
    if (!bytes) {
        fprintf(stderr, "acre replay: %s: %s\n", path, plain_file_reason());
        return 1;
    }
    acre_record_report report = {.message = ""};
    const acre_result result =
        is_print ? print_calls(bytes, size) : repeat_calls(bytes, size, &report);
    free(bytes);
    if (result != ACRE_OK) {
        fprintf(stderr, "acre replay: %s: %s\n", path,
                report.message[0] ? report.message : acre_result_text(result));
        return 1;
    }
    if (!is_print) {
        printf("%s: all %zu calls answer as recorded; state %016" PRIx64 "\n", path, report.calls,
               report.state_hash);
    }
    return is_print || !options->json_path ? 0 : write_json(options->json_path, &report);
}

int replay_command(int count, char **arguments)
{
    replay_options options = {0};
    char message[256];
    if (!options_parse(&replay_option_table, count, arguments, &options, message, sizeof message)) {
        return options_complain("replay", message, 2);
    }
    if (options.help) {
        options_print_help(&replay_option_table, stdout);
        return 0;
    }
    if (!options.path) {
        options_print_help(&replay_option_table, stderr);
        return 2;
    }
    return replay_file(&options);
}
