// SPDX-License-Identifier: MIT
// view_figures.c - what a camera's question costs, measured by repeats.
#include "view_figures.h"

#include "run_statistics.h"

#include <math.h>

#define LEAST_SECONDS 2e-3 // of the clocks of browsers one tick is a tenth of a millisecond

typedef struct question {
    view_scans *scans;
    const acre_culling *culling;
    const acre_frustum *frustum;
} question;

static void ask_culler(const question *q)
{
    size_t count;
    ACRE_IGNORE(acre_culling_query_frustum(q->culling, q->frustum, 0, q->scans->items,
                                           q->scans->count, &count));
}

static void ask_scan(const question *q)
{
    view_scan_again(q->scans, q->frustum);
}

static double microseconds(void (*ask)(const question *), const question *q)
{
    double seconds = 0.0;
    uint32_t repeats = 0;
    const double begin = clock_seconds();
    for (uint32_t batch = 1; seconds < LEAST_SECONDS; batch *= 2) {
        for (uint32_t i = 0; i < batch; i++) {
            ask(q);
        }
        repeats += batch;
        seconds = clock_seconds() - begin;
    }
    return 1e6 * seconds / repeats;
}

double view_clock_tick(void)
{
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        const double begin = clock_seconds();
        double now = begin;
        while (now == begin) {
            now = clock_seconds();
        }
        least = fmin(least, now - begin);
    }
    return least;
}

void view_figures_measure(view_figures *figures, view_scans *scans, const acre_culling *culling,
                          const acre_aabb *boxes, const acre_frustum *frustum)
{
    const question q = {scans, culling, frustum};
    view_scan_prepare(scans, boxes);
    const uint32_t at = figures->count++ % FIGURES_KEPT;
    figures->scan[at] = microseconds(ask_scan, &q);
    figures->query[at] = microseconds(ask_culler, &q);
}

static double least_of(const double *kept, uint32_t count)
{
    double least = count > 0 ? kept[0] : 0.0;
    for (uint32_t i = 1; i < count && i < FIGURES_KEPT; i++) {
        least = fmin(least, kept[i]);
    }
    return least;
}

double view_figures_query(const view_figures *figures)
{
    return least_of(figures->query, figures->count);
}

double view_figures_scan(const view_figures *figures)
{
    return least_of(figures->scan, figures->count);
}
