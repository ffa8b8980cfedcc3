// SPDX-License-Identifier: MIT
// run_json.c - what a run found, as JSON for programs.
#include "json_writer.h"
#include "run_report.h"

#include <inttypes.h>

static void add_summary(json_writer *writer, cJSON *parent, const char *name,
                        const sample_summary *summary)
{
    cJSON *const object = json_add_object(writer, parent, name);
    json_add_number(writer, object, "min", summary->least);
    json_add_number(writer, object, "median", summary->median);
    json_add_number(writer, object, "mean", summary->mean);
    json_add_number(writer, object, "max", summary->most);
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
    json_add_text(writer, parent, name, text);
}

static void add_input(json_writer *writer, cJSON *root, const run_report *report)
{
    json_add_text(writer, root, "scene", report->options->scene_path);
    json_add_number(writer, root, "frames", report->record->frames);
    add_wide(writer, root, "seed", report->options->seed, false);
    json_add_number(writer, root, "workers", report->options->workers);
    const uint32_t *const counts = report->world->kind_counts;
    cJSON *const entities = json_add_object(writer, root, "entities");
    json_add_number(writer, entities, "solids", counts[KIND_SOLID]);
    json_add_number(writer, entities, "street_lines", counts[KIND_STREET]);
    json_add_number(writer, entities, "cars", counts[KIND_CAR]);
    json_add_number(writer, entities, "groups", counts[KIND_GROUP]);
    add_summary(writer, root, "moved_per_frame", &report->moved);
}

static void add_cameras(json_writer *writer, cJSON *root, const run_report *report)
{
    cJSON *const cameras = json_add_array(writer, root, "cameras");
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        cJSON *const camera = json_add_row(writer, cameras);
        json_add_text(writer, camera, "name", run_camera_name(i));
        add_summary(writer, camera, "visible", &report->visible[i]);
        add_summary(writer, camera, "query_microseconds", &report->camera_query[i]);
    }
    add_wide(writer, root, "visible_hash", report->record->visible_hash, true);
}

static void add_casters(json_writer *writer, cJSON *root, const run_report *report)
{
    static const char *const names[] = {"extruded_slice", "ground_receives", "entities_alone"};
    cJSON *const object = json_add_object(writer, root, "casters");
    cJSON *const cascades = json_add_array(writer, object, "cascades");
    for (uint32_t i = 0; i < RUN_CASCADE_COUNT; i++) {
        cJSON *const cascade = json_add_row(writer, cascades);
        json_add_text(writer, cascade, "name", run_camera_name(1 + i));
        add_summary(writer, cascade, "light_volume", &report->visible[1 + i]);
        for (int kind = 0; kind < CASTER_KINDS_; kind++) {
            add_summary(writer, cascade, names[kind], &report->casters[kind][i]);
        }
        add_summary(writer, cascade, "microseconds", &report->caster_time[i]);
    }
    cJSON *const dropped = json_add_object(writer, object, "dropped_share");
    for (int kind = 0; kind < CASTER_KINDS_; kind++) {
        json_add_number(writer, dropped, names[kind],
                        run_report_dropped(report, (caster_kind)kind));
    }
}

static void add_times(json_writer *writer, cJSON *root, const run_report *report)
{
    cJSON *const times = json_add_object(writer, root, "microseconds");
    add_summary(writer, times, "set", &report->set);
    add_summary(writer, times, "commit", &report->commit);
    add_summary(writer, times, "refresh", &report->refresh);
    add_summary(writer, times, "query", &report->query);
}

static void add_tree(json_writer *writer, cJSON *root, const acre_quadtree_stats *stats)
{
    cJSON *const tree = json_add_object(writer, root, "tree");
    json_add_number(writer, tree, "items", (double)stats->items);
    json_add_number(writer, tree, "nodes", (double)stats->nodes);
    json_add_number(writer, tree, "leaves", (double)stats->leaves);
    json_add_number(writer, tree, "outliers", (double)stats->outliers);
    json_add_flag(writer, tree, "has_many_outliers", stats->has_many_outliers);
    json_add_number(writer, tree, "lattices", (double)stats->lattices);
    json_add_number(writer, tree, "depth", stats->depth);
    json_add_number(writer, tree, "bytes", (double)stats->bytes);
    json_add_number(writer, tree, "bytes_nodes", (double)stats->bytes_nodes);
    json_add_number(writer, tree, "bytes_blocks", (double)stats->bytes_blocks);
    json_add_number(writer, tree, "bytes_locations", (double)stats->bytes_locations);
    json_add_number(writer, tree, "bytes_layers", (double)stats->bytes_layers);
    json_add_number(writer, tree, "moves", (double)stats->moves);
    json_add_number(writer, tree, "splits", (double)stats->splits);
    json_add_number(writer, tree, "collapses", (double)stats->collapses);
}

static void add_bars(json_writer *writer, cJSON *root, const run_bars *bars)
{
    cJSON *const object = json_add_object(writer, root, "bars");
    add_summary(writer, object, "refresh_nanoseconds_per_item", &bars->refresh);
    cJSON *const queries = json_add_array(writer, object, "ground_queries");
    for (uint32_t i = 0; i < BAR_DISTANCES; i++) {
        const bar_query *const query = &bars->queries[i];
        cJSON *const row = json_add_row(writer, queries);
        json_add_number(writer, row, "far_meters", (double)query->far_distance);
        json_add_number(writer, row, "cameras", query->views);
        json_add_number(writer, row, "visible", query->visible);
        json_add_number(writer, row, "tree_microseconds", query->tree);
        json_add_number(writer, row, "brute_microseconds", query->brute);
        json_add_number(writer, row, "prepared_microseconds", query->prepared);
        json_add_number(writer, row, "times_faster", query->ratio);
    }
    json_add_flag(writer, object, "ground_sets_equal", bars->are_sets_equal);
}

static void add_check(json_writer *writer, cJSON *root, const run_record *record,
                      const gltf_check *bounds)
{
    const check_difference *const found = &record->difference;
    cJSON *const check = json_add_object(writer, root, "check");
    json_add_number(writer, check, "frames", record->checked_frames);
    json_add_number(writer, check, "sets", record->checked_sets);
    json_add_number(writer, check, "shadow_rays", (double)record->casters.rays.rays);
    json_add_number(writer, check, "shadows", (double)record->casters.rays.shadows);
    json_add_number(writer, check, "hidden", (double)record->sight.dropped);
    json_add_number(writer, check, "sight_rays", (double)record->sight.rays);
    json_add_flag(writer, check, "equal", found->kind == CHECK_EQUAL);
    json_add_flag(writer, check, "bounds_have_a_second_path", bounds->has_path);
    json_add_number(writer, check, "bounds_compared", bounds->compared);
    json_add_number(writer, check, "bounds_passed_by",
                    (double)bounds->passed[GLTF_COMPRESSED] + bounds->passed[GLTF_SPARSE] +
                        bounds->passed[GLTF_NOTHING_STATED]);
    json_add_number(writer, check, "bounds_different", bounds->different);
    json_add_number(writer, check, "flat_meshes", bounds->flat);
    if (found->kind != CHECK_EQUAL) {
        cJSON *const difference = json_add_object(writer, check, "difference");
        json_add_text(writer, difference, "what", check_kind_text(found->kind));
        json_add_number(writer, difference, "frame", record->difference_frame);
        json_add_text(writer, difference, "camera", run_camera_name(record->difference_camera));
        json_add_number(writer, difference, "slot", found->slot);
        json_add_number(writer, difference, "plane", found->plane);
        json_add_number(writer, difference, "margin", found->margin);
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
        add_casters(&writer, root, report);
        add_times(&writer, root, report);
        add_tree(&writer, root, &report->tree);
        if (report->has_bars) {
            add_bars(&writer, root, &report->bars);
        }
        add_check(&writer, root, report->record, &report->bounds);
        text = writer.ok ? cJSON_Print(root) : NULL;
        cJSON_Delete(root);
    }
    return text;
}

bool run_report_json(const run_report *report, const char *path, char *message, size_t message_size)
{
    return json_write_file(make_text(report), path, message, message_size);
}
