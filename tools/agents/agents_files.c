// SPDX-License-Identifier: MIT
// agents_files.c - what a run of agents found, as JSON and as comma-separated values.
#include "agents_report.h"
#include "json_writer.h"
#include "measure_rows.h"
#include "output_file.h"

#include <inttypes.h>

// As programs name them.
static const char *const names[MEASURE_COUNT_] = {"frame",    "move",     "refresh", "find_pairs",
                                                  "response", "maintain", "pairs",   "bounces"};

static void add_summary(json_writer *writer, cJSON *parent, const char *name,
                        const sample_summary *summary)
{
    cJSON *const object = json_add_object(writer, parent, name);
    json_add_number(writer, object, "min", summary->least);
    json_add_number(writer, object, "median", summary->median);
    json_add_number(writer, object, "mean", summary->mean);
    json_add_number(writer, object, "p99.9", summary->p999);
    json_add_number(writer, object, "max", summary->most);
}

// Numbers of 64 bits as text: a double holds 53.
static void add_hash(json_writer *writer, cJSON *parent, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    json_add_text(writer, parent, name, text);
}

static void add_input(json_writer *writer, cJSON *root, const agents_report *report)
{
    const agents_def *const def = &report->world->def;
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, def->seed);
    json_add_number(writer, root, "agents", def->count);
    json_add_number(writer, root, "frames", report->record->frames);
    json_add_text(writer, root, "seed", seed);
    json_add_number(writer, root, "workers", report->options->workers);
    json_add_number(writer, root, "area", (double)def->area);
    json_add_number(writer, root, "size", 2.0 * (double)report->world->half_size);
    json_add_number(writer, root, "churn", def->churn_percent);
    json_add_flag(writer, root, "shuffled", def->is_shuffled);
    json_add_text(writer, root, "kernel", acre_kernel_name(def->kernel));
}

static void add_tree(json_writer *writer, cJSON *root, const agents_report *report)
{
    const agents_record *const record = report->record;
    const agents_world *const world = report->world;
    cJSON *const tree = json_add_object(writer, root, "tree");
    json_add_number(writer, tree, "items", (double)report->tree.items);
    json_add_number(writer, tree, "leaves", (double)report->tree.leaves);
    json_add_number(writer, tree, "depth", report->tree.depth);
    json_add_number(writer, tree, "node_capacity", world->def.node_capacity);
    json_add_number(writer, tree, "bytes", (double)world->memory->bytes);
    json_add_number(writer, tree, "bytes_loaded", (double)record->bytes_loaded);
    json_add_number(writer, tree, "bytes_while_built", (double)record->bytes_load_peak);
    json_add_number(writer, tree, "bytes_after_warm_up", (double)record->bytes_warm);
    json_add_number(writer, tree, "steady_allocations", (double)world->steady_changes);
}

static void add_outcome(json_writer *writer, cJSON *root, const agents_report *report)
{
    const agents_record *const record = report->record;
    cJSON *const energy = json_add_object(writer, root, "energy");
    json_add_number(writer, energy, "now", record->energy_now);
    json_add_number(writer, energy, "min", record->energy_least);
    json_add_number(writer, energy, "max", record->energy_most);
    cJSON *const check = json_add_object(writer, root, "check");
    json_add_number(writer, check, "frames", record->checked_frames);
    json_add_number(writer, check, "pairs", (double)record->checked_pairs);
    json_add_flag(writer, check, "equal", record->difference.verdict == AGENTS_EQUAL);
    json_add_number(writer, root, "pictures", record->pictures);
    add_hash(writer, root, "state", agents_hash(report->world));
}

static char *make_text(const agents_report *report)
{
    json_writer writer = {.ok = true};
    cJSON *const root = cJSON_CreateObject();
    if (!root) {
        return NULL;
    }
    add_input(&writer, root, report);
    cJSON *const times = json_add_object(&writer, root, "microseconds");
    for (int i = MEASURE_FRAME; i <= MEASURE_MAINTAIN; i++) {
        add_summary(&writer, times, names[i], &report->measures[i]);
    }
    add_summary(&writer, root, names[MEASURE_PAIRS], &report->measures[MEASURE_PAIRS]);
    add_summary(&writer, root, names[MEASURE_BOUNCES], &report->measures[MEASURE_BOUNCES]);
    add_tree(&writer, root, report);
    add_outcome(&writer, root, report);
    char *const text = writer.ok ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}

bool agents_report_json(const agents_report *report, char *message, size_t message_size)
{
    return json_write_file(make_text(report), report->options->json_path, message, message_size);
}

bool agents_report_csv(const agents_report *report, char *message, size_t message_size)
{
    const double memory = (double)report->world->memory->bytes;
    measure_rows rows = {.items = report->world->def.count};
    output_file file;
    if (!output_open(&file, report->options->csv_path, message, message_size)) {
        return false;
    }
    for (int i = 0; i < MEASURE_COUNT_; i++) {
        rows_add(&rows, "acre",
                 (row_name){names[i], "", "", i <= MEASURE_MAINTAIN ? "us" : "count"},
                 report->measures[i]);
    }
    rows_add_value(&rows, "acre", (row_name){"tree memory", "", "", "bytes"}, memory);
    rows_add_value(&rows, "acre", (row_name){"steady allocations", "", "", "count"},
                   (double)report->world->steady_changes);
    rows_add_value(&rows, "acre", (row_name){"energy", "", "", "share"},
                   report->record->energy_now);
    rows_print_csv(&rows, "agents", file.stream);
    const bool is_whole = !rows.is_out_of_memory;
    rows_free(&rows);
    if (!is_whole) {
        snprintf(message, message_size, "%s: out of memory", report->options->csv_path);
        output_discard(&file);
    }
    return is_whole && output_close(&file, message, message_size);
}
