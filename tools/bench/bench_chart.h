// SPDX-License-Identifier: MIT
// bench_chart.h - an SVG file with panels of lines on axes and one legend.
//
// Knows numbers and names; knows no benchmark.
#ifndef ACRE_TOOLS_BENCH_CHART_H
#define ACRE_TOOLS_BENCH_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHART_MAX_POINTS = 32, CHART_MAX_SERIES = 24, CHART_MAX_PANELS = 16 };

typedef struct chart_point {
    double x, y; // those that have no place on the axes are left out
} chart_point;

typedef struct chart_series {
    chart_point points[CHART_MAX_POINTS];
    uint32_t count;
} chart_series;

// Series i of every panel has the same name and colour; the first is drawn last and thickest.
typedef struct chart_panel {
    char title[64];
    chart_series series[CHART_MAX_SERIES];
} chart_panel;

typedef struct chart {
    const char *title, *subtitle; // no character that XML would have to escape
    const char *x_title, *y_title;
    bool is_percent; // x goes evenly from 0 to 100; else both axes are logarithmic
    const char *names[CHART_MAX_SERIES];
    uint32_t series_count, panel_count;
    chart_panel panels[CHART_MAX_PANELS];
} chart;

// Returns false with errno where the file cannot be written.
bool chart_write(const chart *drawing, const char *path);

#endif
