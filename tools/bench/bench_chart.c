// SPDX-License-Identifier: MIT
// bench_chart.c - an SVG file with panels of lines on axes and one legend.
#include "bench_chart.h"

#include <math.h>
#include <stdio.h>

// Pixels.
enum {
    PANEL_WIDTH = 380,
    PANEL_HEIGHT = 330,
    PLOT_LEFT = 58,
    PLOT_TOP = 34,
    PLOT_WIDTH = 305,
    PLOT_HEIGHT = 240,
    HEAD_HEIGHT = 56,
    LEGEND_ROW = 22,
    LEGEND_WIDTH = 215
};

// Decades that the axes of a panel cover; tens of percent where x is not logarithmic.
typedef struct axes {
    int x_first, x_last, y_first, y_last;
    bool is_percent;
} axes;

static const char *color_of(uint32_t series)
{
    static const char *const colors[] = {
        "#0a7d3c", "#c0392b", "#7f8c8d", "#b8b8b8", "#8e5ea2", "#d68910", "#e8b04a", "#2471a3",
        "#117a8b", "#5dade2", "#3e9f6e", "#76c893", "#6e2c00", "#a569bd", "#1b4f72", "#b7950b"};
    return colors[series % (sizeof colors / sizeof colors[0])];
}

static bool is_drawn(const axes *at, const chart_point *point)
{
    return point->y > 0.0 && (point->x > 0.0 || (at->is_percent && point->x >= 0.0));
}

static axes find_axes(const chart *drawing, const chart_panel *panel)
{
    const axes kind = {0, 10, 0, 1, drawing->is_percent};
    double x_least = HUGE_VAL, x_most = 0.0, y_least = HUGE_VAL, y_most = 0.0;
    for (uint32_t s = 0; s < drawing->series_count; s++) {
        for (uint32_t i = 0; i < panel->series[s].count; i++) {
            const chart_point *const point = &panel->series[s].points[i];
            if (is_drawn(&kind, point)) {
                x_least = fmin(x_least, point->x);
                x_most = fmax(x_most, point->x);
                y_least = fmin(y_least, point->y);
                y_most = fmax(y_most, point->y);
            }
        }
    }
    if (y_most <= 0.0) {
        return kind;
    }
    axes found = kind;
    found.y_first = (int)floor(log10(y_least));
    found.y_last = (int)ceil(log10(y_most));
    if (!kind.is_percent) {
        found.x_first = (int)floor(log10(x_least));
        found.x_last = (int)ceil(log10(x_most));
    }
    found.x_last += found.x_last == found.x_first;
    found.y_last += found.y_last == found.y_first;
    return found;
}

static double place_x(const axes *at, double x)
{
    const double along = at->is_percent ? 0.1 * x : log10(x);
    return PLOT_LEFT + PLOT_WIDTH * (along - at->x_first) / (at->x_last - at->x_first);
}

static double place_y(const axes *at, double y)
{
    return PLOT_TOP + PLOT_HEIGHT * (at->y_last - log10(y)) / (at->y_last - at->y_first);
}

// 0.001, 1, 1000, 10k, 1M
static void format_power(char *out, size_t size, int power)
{
    if (power >= 6) {
        snprintf(out, size, "%.0fM", pow(10.0, power - 6));
    } else if (power >= 4) {
        snprintf(out, size, "%.0fk", pow(10.0, power - 3));
    } else {
        snprintf(out, size, "%.*f", power < 0 ? -power : 0, pow(10.0, power));
    }
}

static void draw_grid(FILE *file, const axes *at)
{
    char text[24];
    for (int power = at->x_first; power <= at->x_last; power++) {
        const double x = place_x(at, at->is_percent ? 10.0 * power : pow(10.0, power));
        if (at->is_percent) {
            snprintf(text, sizeof text, "%d", 10 * power);
        } else {
            format_power(text, sizeof text, power);
        }
        fprintf(file,
                "<path class=\"grid\" d=\"M%.1f %dv%d\"/>"
                "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                x, PLOT_TOP, PLOT_HEIGHT, x, PLOT_TOP + PLOT_HEIGHT + 15, text);
    }
    for (int power = at->y_first; power <= at->y_last; power++) {
        const double y = place_y(at, pow(10.0, power));
        format_power(text, sizeof text, power);
        fprintf(file,
                "<path class=\"grid\" d=\"M%d %.1fh%d\"/>"
                "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                PLOT_LEFT, y, PLOT_WIDTH, PLOT_LEFT - 6, y + 4.0, text);
    }
}

static void draw_series(FILE *file, const axes *at, const chart_series *series, uint32_t number)
{
    fprintf(file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" d=\"", color_of(number),
            number == 0 ? "3.5" : "1.8");
    const char *command = "M";
    for (uint32_t i = 0; i < series->count; i++) {
        if (is_drawn(at, &series->points[i])) {
            fprintf(file, "%s%.1f %.1f", command, place_x(at, series->points[i].x),
                    place_y(at, series->points[i].y));
            command = "L";
        }
    }
    fprintf(file, "\"/>");
    for (uint32_t i = 0; i < series->count; i++) {
        if (is_drawn(at, &series->points[i])) {
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"/>",
                    place_x(at, series->points[i].x), place_y(at, series->points[i].y),
                    number == 0 ? "4" : "2.5", color_of(number));
        }
    }
    fprintf(file, "\n");
}

static void draw_panel(FILE *file, const chart *drawing, const chart_panel *panel, int x, int y)
{
    const axes at = find_axes(drawing, panel);
    fprintf(file, "<g transform=\"translate(%d %d)\">\n", x, y);
    fprintf(file, "<text class=\"panel\" x=\"%d\" y=\"%d\">%s</text>\n", PLOT_LEFT, PLOT_TOP - 10,
            panel->title);
    draw_grid(file, &at);
    for (uint32_t s = drawing->series_count; s-- > 0;) {
        draw_series(file, &at, &panel->series[s], s);
    }
    fprintf(file,
            "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
            "<text class=\"tick\" transform=\"translate(14 %d) rotate(-90)\" "
            "text-anchor=\"middle\">%s</text>\n</g>\n",
            PLOT_LEFT + PLOT_WIDTH / 2, PLOT_TOP + PLOT_HEIGHT + 34, drawing->x_title,
            PLOT_TOP + PLOT_HEIGHT / 2, drawing->y_title);
}

static void draw_legend(FILE *file, const chart *drawing, int width, int y)
{
    const int columns = width / LEGEND_WIDTH > 0 ? width / LEGEND_WIDTH : 1;
    for (uint32_t s = 0; s < drawing->series_count; s++) {
        const int x = PLOT_LEFT + (int)s % columns * LEGEND_WIDTH;
        const int row = y + (int)s / columns * LEGEND_ROW;
        fprintf(file,
                "<path stroke=\"%s\" stroke-width=\"%s\" d=\"M%d %dh24\"/>"
                "<text x=\"%d\" y=\"%d\">%s</text>\n",
                color_of(s), s == 0 ? "3.5" : "1.8", x, row, x + 32, row + 4, drawing->names[s]);
    }
}

static void draw(FILE *file, const chart *drawing)
{
    const int panels = (int)drawing->panel_count;
    const int columns = panels < 3 ? (panels > 1 ? panels : 1) : 3;
    const int rows = (panels + columns - 1) / columns;
    const int width = columns * PANEL_WIDTH + 20;
    const int legend_columns = width / LEGEND_WIDTH > 0 ? width / LEGEND_WIDTH : 1;
    const int legend_rows = ((int)drawing->series_count + legend_columns - 1) / legend_columns;
    const int legend = HEAD_HEIGHT + rows * PANEL_HEIGHT + 20;
    const int height = legend + legend_rows * LEGEND_ROW + 6;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n"
            "<style>.grid{stroke:#ddd;fill:none}.tick{font-size:11px;fill:#555}"
            ".panel{font-weight:bold}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height);
    fprintf(file,
            "<text x=\"%d\" y=\"24\" font-size=\"18\" font-weight=\"bold\">%s</text>\n"
            "<text class=\"tick\" x=\"%d\" y=\"44\">%s</text>\n",
            PLOT_LEFT, drawing->title, PLOT_LEFT, drawing->subtitle);
    for (int i = 0; i < panels; i++) {
        draw_panel(file, drawing, &drawing->panels[i], i % columns * PANEL_WIDTH,
                   HEAD_HEIGHT + i / columns * PANEL_HEIGHT);
    }
    draw_legend(file, drawing, width, legend);
    fprintf(file, "</svg>\n");
}

bool chart_write(const chart *drawing, const char *path)
{
    FILE *const file = fopen(path, "w");
    if (!file) {
        return false;
    }
    draw(file, drawing);
    const bool is_written = !ferror(file);
    return fclose(file) == 0 && is_written;
}
