// SPDX-License-Identifier: MIT
// bench_plots.c - the figures of `acre bench` as pictures: against size, visible items and movers.
#include "bench_chart.h"
#include "bench_growth.h"
#include "bench_measure.h"
#include "bench_report.h"
#include "bench_workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Names of all contenders that have the measure, in the order of the rows.
static void list_names(const bench_rows *rows, const char *measure, chart *out)
{
    for (size_t i = 0; i < rows->count; i++) {
        const bench_row *const row = &rows->rows[i];
        bool is_new = strcmp(row->measure, measure) == 0;
        for (uint32_t s = 0; s < out->series_count && is_new; s++) {
            is_new = strcmp(row->contender, out->names[s]) != 0;
        }
        if (is_new && out->series_count < CHART_MAX_SERIES) {
            out->names[out->series_count++] = row->contender;
        }
    }
}

// The least of all repetitions: what a busy machine disturbs least.
static double least_of(const bench_rows *rows, const bench_row *like)
{
    const bench_row *const row = rows_find(rows, like);
    return row ? row->value.least : 0.0;
}

// What the table holds of one contender, one kind of view and one size.
static double query_time(const bench_rows *rows, const char *name, uint32_t items, int kind)
{
    return least_of(rows, &(bench_row){.items = items,
                                       .contender = name,
                                       .measure = "query",
                                       .detail = view_kind_name((view_kind)kind),
                                       .state = "hot"});
}

static void add_point(chart_series *series, double x, double y)
{
    if (series->count < CHART_MAX_POINTS) {
        series->points[series->count++] = (chart_point){x, y};
    }
}

static void plot_by_size(const bench_options *options, const bench_rows *rows, chart *out)
{
    out->title = "Time of a query against the number of boxes, at constant density";
    out->x_title = "boxes";
    out->y_title = "microseconds";
    list_names(rows, "query", out);
    out->panel_count = VIEW_KIND_COUNT_;
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        chart_panel *const panel = &out->panels[kind];
        snprintf(panel->title, sizeof panel->title, "%s", view_kind_name((view_kind)kind));
        for (uint32_t s = 0; s < out->series_count; s++) {
            for (uint32_t i = 0; i < options->size_count; i++) {
                const uint32_t items = options->sizes[i];
                add_point(&panel->series[s], items, query_time(rows, out->names[s], items, kind));
            }
        }
    }
}

static int compare_points(const void *a, const void *b)
{
    const chart_point *const p = a, *const q = b;
    return (p->x > q->x) - (p->x < q->x);
}

static void plot_by_visible(const bench_options *options, const bench_rows *rows, chart *out)
{
    out->title = "Time of a query against what it finds";
    out->x_title = "visible boxes, mean of the views of a kind";
    out->y_title = "microseconds";
    list_names(rows, "query", out);
    out->panel_count = options->size_count;
    for (uint32_t i = 0; i < options->size_count; i++) {
        chart_panel *const panel = &out->panels[i];
        const uint32_t items = options->sizes[i];
        snprintf(panel->title, sizeof panel->title, "%u boxes", (unsigned)items);
        for (uint32_t s = 0; s < out->series_count; s++) {
            chart_series *const series = &panel->series[s];
            for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
                const bench_row visible = {.items = items,
                                           .contender = bench_acre.name,
                                           .measure = "items visible",
                                           .detail = view_kind_name((view_kind)kind),
                                           .state = ""};
                add_point(series, least_of(rows, &visible),
                          query_time(rows, out->names[s], items, kind));
            }
            qsort(series->points, series->count, sizeof series->points[0], compare_points);
        }
    }
}

static void plot_refresh(const bench_options *options, const bench_rows *rows, chart *out)
{
    static const struct {
        const char *name;
        double percent;
    } shares[] = {{"2 % moving", 2.0}, {"10 % moving", 10.0}, {"100 % moving", 100.0}};
    out->title = "Refresh against the share of boxes that move";
    out->x_title = "% moving";
    out->y_title = "nanoseconds per box that moved";
    list_names(rows, "refresh", out);
    out->panel_count = options->size_count;
    for (uint32_t i = 0; i < options->size_count; i++) {
        chart_panel *const panel = &out->panels[i];
        snprintf(panel->title, sizeof panel->title, "%u boxes", (unsigned)options->sizes[i]);
        for (uint32_t s = 0; s < out->series_count; s++) {
            for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++) {
                const bench_row like = {.items = options->sizes[i],
                                        .contender = out->names[s],
                                        .measure = "refresh",
                                        .detail = shares[k].name,
                                        .state = ""};
                add_point(&panel->series[s], shares[k].percent, least_of(rows, &like));
            }
        }
    }
}

// A panel for each size, a point for each of `count` rows.
typedef struct share_plot {
    const char *measure, *state;
    int count;
    const char *(*name)(int);
    double (*percent)(const bench_rows *, uint32_t items, int);
} share_plot;

static const char *view_share_name(int i)
{
    return growth_shares[i].name;
}

static double view_share_percent(const bench_rows *rows, uint32_t items, int i)
{
    return least_of(rows, &(bench_row){.items = items,
                                       .contender = bench_acre.name,
                                       .measure = "share visible",
                                       .detail = growth_shares[i].name,
                                       .state = ""});
}

static const char *moving_share_name(int i)
{
    return measure_shares[i].name;
}

static double moving_share_percent(const bench_rows *rows, uint32_t items, int i)
{
    (void)rows, (void)items;
    return measure_shares[i].percent;
}

static void plot_shares(const bench_options *options, const bench_rows *rows,
                        const share_plot *from, chart *out)
{
    out->is_percent = true;
    out->y_title = "microseconds";
    list_names(rows, from->measure, out);
    out->panel_count = options->size_count;
    for (uint32_t p = 0; p < options->size_count; p++) {
        chart_panel *const panel = &out->panels[p];
        const uint32_t items = options->sizes[p];
        snprintf(panel->title, sizeof panel->title, "%u boxes", (unsigned)items);
        for (uint32_t s = 0; s < out->series_count; s++) {
            for (int i = 0; i < from->count; i++) {
                const bench_row like = {.items = items,
                                        .contender = out->names[s],
                                        .measure = from->measure,
                                        .detail = from->name(i),
                                        .state = from->state};
                add_point(&panel->series[s], from->percent(rows, items, i), least_of(rows, &like));
            }
        }
    }
}

static void plot_growth_by_visible(const bench_options *options, const bench_rows *rows, chart *out)
{
    static const share_plot plot = {"share query", "hot", VIEW_SHARE_COUNT, view_share_name,
                                    view_share_percent};
    out->title = "Time of a query against the share of boxes in view";
    out->x_title = "% in view";
    plot_shares(options, rows, &plot, out);
}

static void plot_growth_by_moving(const bench_options *options, const bench_rows *rows, chart *out)
{
    static const share_plot plot = {"frame", "", MOVING_SHARE_COUNT, moving_share_name,
                                    moving_share_percent};
    out->title = "Time of a frame's refresh against the share of boxes that move";
    out->x_title = "% moving";
    plot_shares(options, rows, &plot, out);
}

typedef struct bench_plot {
    const char *name;
    void (*fill)(const bench_options *, const bench_rows *, chart *);
} bench_plot;

static const bench_plot race_plots[] = {{"query_by_size", plot_by_size},
                                        {"query_by_visible", plot_by_visible},
                                        {"refresh_by_share", plot_refresh}};
static const bench_plot growth_plots[] = {{"growth_by_size", plot_by_size},
                                          {"growth_by_visible", plot_growth_by_visible},
                                          {"growth_by_moving", plot_growth_by_moving}};
enum { PLOT_COUNT = sizeof race_plots / sizeof race_plots[0] };
_Static_assert(sizeof growth_plots == sizeof race_plots, "the same number of pictures");

static bool write_plot(const bench_options *options, const bench_rows *rows, const bench_plot *plot)
{
    char path[1024], subtitle[512];
    chart *const drawing = calloc(1, sizeof *drawing);
    snprintf(subtitle, sizeof subtitle, "%s, %s; the least of the repetitions, caches hot",
             bench_processor(), bench_compiler());
    const int length = snprintf(path, sizeof path, "%s/%s.svg", options->svg_folder, plot->name);
    bool is_good = drawing && length > 0 && (size_t)length < sizeof path;
    if (is_good) {
        drawing->subtitle = subtitle;
        plot->fill(options, rows, drawing);
        is_good = chart_write(drawing, path);
    }
    free(drawing);
    return is_good;
}

bool bench_report_svg(const bench_options *options, const bench_rows *rows, char *message,
                      size_t message_size)
{
    const bench_plot *const plots = options->is_growth ? growth_plots : race_plots;
    bool is_good = true;
    errno = 0;
    for (int i = 0; i < PLOT_COUNT && is_good; i++) {
        is_good = write_plot(options, rows, &plots[i]);
    }
    if (!is_good) {
        snprintf(message, message_size, "%s: %s", options->svg_folder,
                 errno ? strerror(errno) : "cannot write");
    }
    return is_good;
}
