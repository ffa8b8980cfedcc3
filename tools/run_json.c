// SPDX-License-Identifier: MIT
// run_json.c - what a run found, as JSON for programs.
#include "run_report.h"

#include <cjson/cJSON.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// cJSON answers NULL where memory is short, and its adding functions pass NULL on; the text then
// comes out NULL or without that part. `ok` remembers it.
typedef struct json_writer {
    bool ok;
} json_writer;

static cJSON *add_object(json_writer *writer, cJSON *parent, const char *name)
{
    cJSON *const object = cJSON_AddObjectToObject(parent, name);
    writer->ok = writer->ok && object;
    return object;
}

static cJSON *add_array(json_writer *writer, cJSON *parent, const char *name)
{
    cJSON *const array = cJSON_AddArrayToObject(parent, name);
    writer->ok = writer->ok && array;
    return array;
}

// An object at the end of an array. NULL when memory is short.
static cJSON *add_row(json_writer *writer, cJSON *array)
{
    cJSON *const row = cJSON_CreateObject();
    if (row && cJSON_AddItemToArray(array, row)) {
        return row;
    }
    cJSON_Delete(row);
    writer->ok = false;
    return NULL;
}

static void add_number(json_writer *writer, cJSON *parent, const char *name, double value)
{
    writer->ok = cJSON_AddNumberToObject(parent, name, value) && writer->ok;
}

static void add_text(json_writer *writer, cJSON *parent, const char *name, const char *value)
{
    writer->ok = cJSON_AddStringToObject(parent, name, value) && writer->ok;
}

static void add_flag(json_writer *writer, cJSON *parent, const char *name, bool value)
{
    writer->ok = cJSON_AddBoolToObject(parent, name, value) && writer->ok;
}

static void add_summary(json_writer *writer, cJSON *parent, const char *name,
                        const sample_summary *summary)
{
    cJSON *const object = add_object(writer, parent, name);
    add_number(writer, object, "min", summary->least);
    add_number(writer, object, "median", summary->median);
    add_number(writer, object, "mean", summary->mean);
    add_number(writer, object, "max", summary->most);
}

// Numbers of 64 bits as text: a double holds 53.
static void add_wide(json_writer *writer, cJSON *parent, const char *name, uint64_t value,
                     bool is_hash)
{
    char text[32];
    if (is_hash) {
        snprintf(text, sizeof text, "%016" PRIx64, value);
    } else {
        snprintf(text, sizeof text, "%" PRIu64, value);
    }
    add_text(writer, parent, name, text);
}

static void add_input(json_writer *writer, cJSON *root, const run_report *report)
{
    add_text(writer, root, "scene", report->options->scene_path);
    add_number(writer, root, "frames", report->record->frames);
    add_wide(writer, root, "seed", report->options->seed, false);
    const uint32_t *const counts = report->world->kind_counts;
    cJSON *const entities = add_object(writer, root, "entities");
    add_number(writer, entities, "solids", counts[KIND_SOLID]);
    add_number(writer, entities, "street_lines", counts[KIND_STREET]);
    add_number(writer, entities, "cars", counts[KIND_CAR]);
    add_number(writer, entities, "groups", counts[KIND_GROUP]);
    add_summary(writer, root, "moved_per_frame", &report->moved);
}

static void add_cameras(json_writer *writer, cJSON *root, const run_report *report)
{
    cJSON *const cameras = add_array(writer, root, "cameras");
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        cJSON *const camera = add_row(writer, cameras);
        add_text(writer, camera, "name", run_camera_name(i));
        add_summary(writer, camera, "visible", &report->visible[i]);
        add_summary(writer, camera, "query_microseconds", &report->camera_query[i]);
    }
    add_wide(writer, root, "visible_hash", report->record->visible_hash, true);
}

static void add_times(json_writer *writer, cJSON *root, const run_report *report)
{
    cJSON *const times = add_object(writer, root, "microseconds");
    add_summary(writer, times, "set", &report->set);
    add_summary(writer, times, "commit", &report->commit);
    add_summary(writer, times, "refresh", &report->refresh);
    add_summary(writer, times, "query", &report->query);
}

static void add_tree(json_writer *writer, cJSON *root, const acre_quadtree_stats *stats)
{
    cJSON *const tree = add_object(writer, root, "tree");
    add_number(writer, tree, "items", (double)stats->items);
    add_number(writer, tree, "nodes", (double)stats->nodes);
    add_number(writer, tree, "leaves", (double)stats->leaves);
    add_number(writer, tree, "outliers", (double)stats->outliers);
    add_number(writer, tree, "depth", stats->depth);
    add_number(writer, tree, "bytes", (double)stats->bytes);
    add_number(writer, tree, "bytes_nodes", (double)stats->bytes_nodes);
    add_number(writer, tree, "bytes_blocks", (double)stats->bytes_blocks);
    add_number(writer, tree, "bytes_locations", (double)stats->bytes_locations);
    add_number(writer, tree, "bytes_layers", (double)stats->bytes_layers);
    add_number(writer, tree, "moves", (double)stats->moves);
    add_number(writer, tree, "splits", (double)stats->splits);
    add_number(writer, tree, "collapses", (double)stats->collapses);
}

static void add_bars(json_writer *writer, cJSON *root, const run_bars *bars)
{
    cJSON *const object = add_object(writer, root, "bars");
    add_summary(writer, object, "refresh_nanoseconds_per_item", &bars->refresh);
    cJSON *const queries = add_array(writer, object, "ground_queries");
    for (uint32_t i = 0; i < BAR_DISTANCES; i++) {
        const bar_query *const query = &bars->queries[i];
        cJSON *const row = add_row(writer, queries);
        add_number(writer, row, "far_metres", (double)query->far_distance);
        add_number(writer, row, "cameras", query->views);
        add_number(writer, row, "visible", query->visible);
        add_number(writer, row, "tree_microseconds", query->tree);
        add_number(writer, row, "brute_microseconds", query->brute);
        add_number(writer, row, "prepared_microseconds", query->prepared);
        add_number(writer, row, "times_faster", query->ratio);
    }
    add_flag(writer, object, "ground_sets_equal", bars->are_sets_equal);
}

static void add_check(json_writer *writer, cJSON *root, const run_record *record)
{
    const check_difference *const found = &record->difference;
    cJSON *const check = add_object(writer, root, "check");
    add_number(writer, check, "frames", record->checked_frames);
    add_number(writer, check, "sets", record->checked_sets);
    add_flag(writer, check, "equal", found->kind == CHECK_EQUAL);
    if (found->kind != CHECK_EQUAL) {
        cJSON *const difference = add_object(writer, check, "difference");
        add_text(writer, difference, "what", check_kind_text(found->kind));
        add_number(writer, difference, "frame", record->difference_frame);
        add_text(writer, difference, "camera", run_camera_name(record->difference_camera));
        add_number(writer, difference, "slot", found->slot);
        add_number(writer, difference, "plane", found->plane);
        add_number(writer, difference, "margin", found->margin);
    }
}

static char *make_text(const run_report *report)
{
    json_writer writer = {.ok = true};
    cJSON *const root = cJSON_CreateObject();
    char *text = NULL;
    if (root) {
        add_input(&writer, root, report);
        add_cameras(&writer, root, report);
        add_times(&writer, root, report);
        add_tree(&writer, root, &report->tree);
        if (report->has_bars) {
            add_bars(&writer, root, &report->bars);
        }
        add_check(&writer, root, report->record);
        text = writer.ok ? cJSON_Print(root) : NULL;
        cJSON_Delete(root);
    }
    return text;
}

bool run_report_json(const run_report *report, const char *path, char *message, size_t message_size)
{
    char *const text = make_text(report);
    if (!text) {
        snprintf(message, message_size, "%s: out of memory", path);
        return false;
    }
    errno = 0;
    FILE *const file = fopen(path, "w");
    bool is_written = file && fprintf(file, "%s\n", text) >= 0;
    is_written = file && fclose(file) == 0 && is_written;
    if (!is_written) {
        snprintf(message, message_size, "%s: %s", path, errno ? strerror(errno) : "cannot write");
    }
    cJSON_free(text);
    return is_written;
}
