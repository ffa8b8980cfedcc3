// SPDX-License-Identifier: MIT
// run_report.c - what a run found, as a table for people.
#include "run_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void run_report_fill(run_report *report, const run_options *options, const run_world *world,
                     run_record *record)
{
    report->options = options;
    report->world = world;
    report->record = record;
    acre_quadtree_get_stats(acre_culling_tree(world->culling), &report->tree);
    report->set = samples_summarise(&record->set);
    report->commit = samples_summarise(&record->commit);
    report->refresh = samples_summarise(&record->refresh);
    report->query = samples_summarise(&record->query);
    report->moved = samples_summarise(&record->moved);
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        report->camera_query[i] = samples_summarise(&record->camera_query[i]);
        report->visible[i] = samples_summarise(&record->visible[i]);
    }
    run_casters *const casters = &record->casters;
    for (uint32_t i = 0; i < RUN_CASCADE_COUNT; i++) {
        report->caster_time[i] = samples_summarise(&casters->times[i]);
        for (int kind = 0; kind < CASTER_KINDS_; kind++) {
            report->casters[kind][i] = samples_summarise(&casters->counts[kind][i]);
        }
    }
}

double run_report_dropped(const run_report *report, caster_kind kind)
{
    double kept = 0.0, all = 0.0;
    for (uint32_t i = 0; i < RUN_CASCADE_COUNT; i++) {
        kept += report->casters[kind][i].mean;
        all += report->visible[1 + i].mean;
    }
    return all > 0.0 ? 1.0 - kept / all : 0.0;
}

// 1234567 as "1,234,567"; a number of 64 bits has at most 26 characters.
typedef struct grouped_text {
    char text[32];
} grouped_text;

static grouped_text grouped(double value)
{
    grouped_text out = {{0}};
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, (uint64_t)llround(value));
    size_t at = 0;
    for (int i = 0; i < length && at + 2 < sizeof out.text; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out.text[at++] = ',';
        }
        out.text[at++] = digits[i];
    }
    return out;
}

static void print_entities(const run_report *report, FILE *out)
{
    const uint32_t *const counts = report->world->kind_counts;
    uint32_t total = 0;
    for (int kind = 0; kind < KIND_COUNT_; kind++) {
        total += counts[kind];
    }
    fprintf(out, "entities         %s: %s %s, %s street lines, %s cars, %s groups\n",
            grouped(total).text, grouped(counts[KIND_SOLID]).text, run_solid_name(report->world),
            grouped(counts[KIND_STREET]).text, grouped(counts[KIND_CAR]).text,
            grouped(counts[KIND_GROUP]).text);
    if (report->options->cars && counts[KIND_CAR] == 0) {
        fprintf(out, "                 no cars: the file has no streets\n");
    }
    if (report->options->has_occlusion) {
        fprintf(out, "occluders        %s\n",
                grouped((double)report->world->model->occluder_count).text);
    }
    fprintf(out, "moved per frame  %s\n", grouped(report->moved.mean).text);
}

static void print_cameras(const run_report *report, FILE *out)
{
    fprintf(out, "\n%-16s %30s   %32s\n", "", "visible entities", "query, microseconds");
    fprintf(out, "%-16s %10s%10s%10s   %12s%10s%10s\n", "", "min", "mean", "max", "min", "median",
            "max");
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        const sample_summary *const seen = &report->visible[i];
        const sample_summary *const time = &report->camera_query[i];
        fprintf(out, "%-16s %10s%10s%10s   %12.1f%10.1f%10.1f\n", run_camera_name(i),
                grouped(seen->least).text, grouped(seen->mean).text, grouped(seen->most).text,
                time->least, time->median, time->most);
    }
}

// Casters are counted in each frame; what is printed is the mean.
static void print_casters(const run_report *report, FILE *out)
{
    fprintf(out, "\n%-16s %12s%12s%12s%12s   %16s\n", "casters", "light", "extruded", "ground",
            "entities", "microseconds,");
    fprintf(out, "%-16s %12s%12s%12s%12s   %16s\n", "", "volume", "slice", "receives", "alone",
            "median");
    for (uint32_t i = 0; i < RUN_CASCADE_COUNT; i++) {
        fprintf(out, "%-16s %12s", run_camera_name(1 + i),
                grouped(report->visible[1 + i].mean).text);
        for (int kind = 0; kind < CASTER_KINDS_; kind++) {
            fprintf(out, "%12s", grouped(report->casters[kind][i].mean).text);
        }
        fprintf(out, "   %16.1f\n", report->caster_time[i].median);
    }
    fprintf(out,
            "casters dropped  %.1f %% where the ground receives shadows, %.1f %% where entities "
            "alone do;\n                 %.1f %% by the extruded slice without receivers\n",
            100.0 * run_report_dropped(report, CASTERS_WITH_GROUND),
            100.0 * run_report_dropped(report, CASTERS_ALONE),
            100.0 * run_report_dropped(report, CASTERS_EXTRUDED));
}

static void print_time(const char *name, const sample_summary *time, const char *what, FILE *out)
{
    fprintf(out, "%-16s %10.1f%10.1f%10.1f   %s\n", name, time->least, time->median, time->most,
            what);
}

static void print_times(const run_report *report, FILE *out)
{
    fprintf(out, "\n%-16s %10s%10s%10s\n", "microseconds", "min", "median", "max");
    print_time("set", &report->set, "new transforms recorded", out);
    print_time("commit", &report->commit, "world matrices and boxes", out);
    print_time("refresh", &report->refresh, "the culler's part of the commit", out);
    print_time("query", &report->query, "all five cameras", out);
}

static void print_tree(const run_report *report, FILE *out)
{
    const acre_quadtree_stats *const tree = &report->tree;
    fprintf(out, "\ntree             %s items, %s nodes, %s leaves, depth %u, %s outliers\n",
            grouped((double)tree->items).text, grouped((double)tree->nodes).text,
            grouped((double)tree->leaves).text, (unsigned)tree->depth,
            grouped((double)tree->outliers).text);
    if (tree->has_many_outliers) {
        fprintf(out, "                 MANY OUTLIERS: every query tests each of them; the cells "
                     "reach too short a way (quadtree.h)\n");
    }
    if (tree->lattices > 0) {
        fprintf(out, "                 built %s times on another lattice, around the items\n",
                grouped((double)tree->lattices).text);
    }
    fprintf(out,
            "                 root %.0f m wide, finest cell %g m, %s moves, %s splits, "
            "%s collapses\n",
            (double)tree->root_max[0] - (double)tree->root_min[0], (double)tree->cell_size,
            grouped((double)tree->moves).text, grouped((double)tree->splits).text,
            grouped((double)tree->collapses).text);
    fprintf(out, "bytes            %s: nodes %s, blocks %s, locations %s; %.1f per item\n",
            grouped((double)tree->bytes).text, grouped((double)tree->bytes_nodes).text,
            grouped((double)tree->bytes_blocks).text, grouped((double)tree->bytes_locations).text,
            tree->items ? (double)tree->bytes / (double)tree->items : 0.0);
}

static void print_bars(const run_report *report, FILE *out)
{
    const run_bars *const bars = &report->bars;
    const bool is_large = bars->items >= BAR_ITEMS;
    fprintf(out, "\nrefresh all      %.1f ns per item: %s moving, one call (min %.1f, max %.1f",
            bars->refresh.median, grouped((double)bars->items).text, bars->refresh.least,
            bars->refresh.most);
    if (is_large) {
        fprintf(out, "; wanted: below %.0f", BAR_REFRESH_LIMIT);
    }
    fprintf(out, ")\n");
    for (uint32_t i = 0; i < BAR_DISTANCES; i++) {
        const bar_query *const query = &bars->queries[i];
        fprintf(out, "ground query     %.0f times faster than scalar brute force", query->ratio);
        if (i == 0 && is_large) {
            fprintf(out, " (wanted: %.0f)", BAR_QUERY_LIMIT);
        }
        fprintf(out,
                ", %.0f times than with prepared planes:\n                 %.1f, %.1f and %.1f "
                "microseconds; %u cameras that see %.0f m, %s entities, sets %s\n",
                query->tree > 0.0 ? query->prepared / query->tree : 0.0, query->tree, query->brute,
                query->prepared, (unsigned)query->views, (double)query->far_distance,
                grouped(query->visible).text, bars->are_sets_equal ? "equal" : "DIFFER");
    }
}

// What the importer did not read, and how its bounds compare with the file's own words.
static void print_notes(const run_report *report, FILE *out)
{
    const char *title = "note";
    for (const char *line = report->world->model->notes; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "%-16s %.*s\n", title, (int)length, line);
        line += length + (line[length] == '\n');
        title = "";
    }
    if (report->visible[0].most == 0.0) {
        const acre_aabb *const box = &report->world->bounds;
        fprintf(
            out, "camera           IT SAW NOTHING: the scene is only %.3g m wide and %.3g m deep\n",
            (double)box->max[0] - (double)box->min[0], (double)box->max[2] - (double)box->min[2]);
    }
    if (report->options->check_every > 0) {
        char text[256];
        gltf_check_text(&report->bounds, text, sizeof text);
        fprintf(out, "bounds           %s\n", text);
    }
}

void run_report_print(const run_report *report, FILE *out)
{
    const uint32_t workers = report->options->workers;
    fprintf(out, "\n%s, %s frames, seed %" PRIu64 ", %u worker%s\n", report->options->scene_path,
            grouped(report->record->frames).text, report->options->seed, (unsigned)workers,
            workers == 1 ? "" : "s");
    print_entities(report, out);
    print_cameras(report, out);
    print_casters(report, out);
    print_times(report, out);
    print_tree(report, out);
    if (report->has_bars) {
        print_bars(report, out);
    }
    print_notes(report, out);
    if (report->record->checked_sets == 0) {
        fprintf(out, "checked          nothing\n");
    } else if (report->record->difference.kind == CHECK_EQUAL) {
        fprintf(out, "checked          %s visible sets of %s frames against brute force: equal\n",
                grouped(report->record->checked_sets).text,
                grouped(report->record->checked_frames).text);
        const ray_counts *const rays = &report->record->casters.rays;
        fprintf(out, "                 %s shadow rays meet %s boxes: all are among the casters\n",
                grouped((double)rays->rays).text, grouped((double)rays->shadows).text);
        if (report->options->has_occlusion) {
            const sight_counts *const sight = &report->record->sight;
            fprintf(out, "                 %s of %s entities hidden: none of %s rays reaches one\n",
                    grouped((double)sight->dropped).text, grouped((double)sight->found).text,
                    grouped((double)sight->rays).text);
        }
    }
}

void run_report_difference(const run_report *report, FILE *out)
{
    const run_record *const record = report->record;
    const check_difference *const found = &record->difference;
    fprintf(out, "acre run: frame %u, %s: ", (unsigned)record->difference_frame,
            run_camera_name(record->difference_camera));
    if (found->kind == CHECK_FOREIGN) {
        fprintf(out, "slot %u %s\n", (unsigned)found->slot, check_kind_text(found->kind));
        return;
    }
    uint64_t number;
    const char *const name = run_entity_name(report->world, found->slot, &number);
    fprintf(out, "entity in slot %u (%s, number %" PRIu64 ") %s; ", (unsigned)found->slot, name,
            number, check_kind_text(found->kind));
    if (found->kind == CHECK_NO_CASTER) {
        fprintf(out, "%.9g m away\n", found->margin);
    } else if (found->plane >= 0) {
        fprintf(out, "plane %d, margin %.9g\n", found->plane, found->margin);
    } else {
        fprintf(out, "no plane decides\n");
    }
}
