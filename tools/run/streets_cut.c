// SPDX-License-Identifier: MIT
// streets_cut.c - finds where segments meet, through a grid, and cuts them there.
//
// Maps drop the vertices that lie on a straight line, also those at a crossing: two streets that
// cross need not share a vertex. Each pair of segments that stands in one grid cell is tested once
// (in the cell that holds the lower corner of their common box).
#include "streets_cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_SIZE 64.0f     // meters; a town's segment spans one or two
#define SAME_LEVEL 2.0f     // meters; a bridge does not meet the street below it
#define MAX_CELLS 4194304.0 // of the grid; a wider world gets larger cells

typedef struct cut {
    uint32_t segment;
    float at; // 0..1 along it
} cut;

typedef struct cutter {
    const street_segment *segments;
    size_t count;
    float weld;
    float origin[2], cell;
    uint32_t columns, rows;
    uint32_t *first;   // per cell, and one more
    uint32_t *members; // segments by cell
    cut *cuts;
    size_t cut_count, cut_capacity;
    bool is_short_of_memory;
} cutter;

static bool is_finite_segment(const street_segment *segment)
{
    bool is_finite = true;
    for (int i = 0; i < 3; i++) {
        is_finite = is_finite && isfinite(segment->a[i]) && isfinite(segment->b[i]);
    }
    return is_finite;
}

static void add_cut(cutter *work, uint32_t segment, float at)
{
    if (work->cut_count == work->cut_capacity) {
        const size_t capacity = work->cut_capacity ? 2 * work->cut_capacity : 1024;
        cut *const grown = realloc(work->cuts, capacity * sizeof *grown);
        if (!grown) {
            work->is_short_of_memory = true;
            return;
        }
        work->cuts = grown;
        work->cut_capacity = capacity;
    }
    work->cuts[work->cut_count++] = (cut){segment, at};
}

// Where on `segment` the point lies, if it touches the inner part of it.
static void cut_at_point(cutter *work, uint32_t segment, const float *point)
{
    const street_segment *const s = &work->segments[segment];
    const float d[3] = {s->b[0] - s->a[0], s->b[1] - s->a[1], s->b[2] - s->a[2]};
    const float p[3] = {point[0] - s->a[0], point[1] - s->a[1], point[2] - s->a[2]};
    const float square = d[0] * d[0] + d[2] * d[2];
    if (!(square > work->weld * work->weld)) {
        return;
    }
    const float at = (d[0] * p[0] + d[2] * p[2]) / square;
    const float length = sqrtf(square);
    const float x = p[0] - at * d[0], z = p[2] - at * d[2];
    const bool is_inner = at * length > work->weld && (1.0f - at) * length > work->weld;
    if (is_inner && x * x + z * z <= work->weld * work->weld &&
        fabsf(p[1] - at * d[1]) <= SAME_LEVEL) {
        add_cut(work, segment, at);
    }
}

static void cut_pair(cutter *work, uint32_t i, uint32_t j)
{
    const street_segment *const s = &work->segments[i];
    const street_segment *const t = &work->segments[j];
    cut_at_point(work, i, t->a);
    cut_at_point(work, i, t->b);
    cut_at_point(work, j, s->a);
    cut_at_point(work, j, s->b);
    const float sx = s->b[0] - s->a[0], sz = s->b[2] - s->a[2];
    const float tx = t->b[0] - t->a[0], tz = t->b[2] - t->a[2];
    const float cross = sx * tz - sz * tx;
    const float lengths = sqrtf((sx * sx + sz * sz) * (tx * tx + tz * tz));
    if (!(fabsf(cross) > 1e-3f * lengths)) { // parallel
        return;
    }
    const float x = t->a[0] - s->a[0], z = t->a[2] - s->a[2];
    const float u = (x * tz - z * tx) / cross;
    const float v = (x * sz - z * sx) / cross;
    const float rise = (s->a[1] + u * (s->b[1] - s->a[1])) - (t->a[1] + v * (t->b[1] - t->a[1]));
    if (u > 0.0f && u < 1.0f && v > 0.0f && v < 1.0f && fabsf(rise) <= SAME_LEVEL) {
        add_cut(work, i, u);
        add_cut(work, j, v);
    }
}

typedef struct cell_range {
    uint32_t min[2], max[2];
} cell_range;

static cell_range cells_of(const cutter *work, const street_segment *segment)
{
    cell_range range;
    const uint32_t limits[2] = {work->columns - 1, work->rows - 1};
    for (int k = 0; k < 2; k++) {
        const float a = segment->a[2 * k], b = segment->b[2 * k];
        // The weld border lets a segment that ends just before a cell line still touch.
        const float low = (fminf(a, b) - work->weld - work->origin[k]) / work->cell;
        const float high = (fmaxf(a, b) + work->weld - work->origin[k]) / work->cell;
        range.min[k] = low <= 0.0f ? 0 : (uint32_t)fminf(low, (float)limits[k]);
        range.max[k] = high <= 0.0f ? 0 : (uint32_t)fminf(high, (float)limits[k]);
    }
    return range;
}

static void choose_grid(cutter *work)
{
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    double length = 0.0; // of the boxes' longer sides: cells of about the mean keep lists short
    for (size_t i = 0; i < work->count; i++) {
        const street_segment *const s = &work->segments[i];
        length +=
            fmax(fabs((double)s->b[0] - (double)s->a[0]), fabs((double)s->b[2] - (double)s->a[2]));
        for (int k = 0; k < 2; k++) {
            const float a = work->segments[i].a[2 * k], b = work->segments[i].b[2 * k];
            low[k] = fminf(low[k], fminf(a, b));
            high[k] = fmaxf(high[k], fmaxf(a, b));
        }
    }
    double cell = fmax((double)CELL_SIZE, length / (double)work->count);
    const double width = (double)high[0] - (double)low[0];
    const double depth = (double)high[1] - (double)low[1];
    while ((width / cell + 1.0) * (depth / cell + 1.0) > MAX_CELLS) {
        cell *= 2.0;
    }
    work->cell = (float)cell;
    work->origin[0] = low[0];
    work->origin[1] = low[1];
    work->columns = (uint32_t)(width / cell) + 1;
    work->rows = (uint32_t)(depth / cell) + 1;
}

// Calls for each cell of each segment: counts them first, then writes the members.
static bool fill_grid(cutter *work)
{
    const size_t cells = (size_t)work->columns * work->rows;
    work->first = calloc(cells + 2, sizeof *work->first);
    for (int pass = 0; work->first && pass < 2; pass++) {
        for (uint32_t i = 0; i < work->count; i++) {
            const cell_range range = cells_of(work, &work->segments[i]);
            for (uint32_t z = range.min[1]; z <= range.max[1]; z++) {
                for (uint32_t x = range.min[0]; x <= range.max[0]; x++) {
                    const size_t cell = (size_t)z * work->columns + x;
                    if (pass == 0) {
                        work->first[cell + 2]++;
                    } else {
                        work->members[work->first[cell + 1]++] = i;
                    }
                }
            }
        }
        for (size_t cell = 0; pass == 0 && cell < cells; cell++) {
            work->first[cell + 2] += work->first[cell + 1];
        }
        if (pass == 0) {
            work->members = malloc((work->first[cells + 1] + (size_t)1) * sizeof *work->members);
            if (!work->members) {
                return false;
            }
        }
    }
    return work->first != NULL;
}

static void cut_in_cell(cutter *work, uint32_t x, uint32_t z)
{
    const size_t cell = (size_t)z * work->columns + x;
    for (uint32_t m = work->first[cell]; m < work->first[cell + 1]; m++) {
        const uint32_t i = work->members[m];
        const cell_range a = cells_of(work, &work->segments[i]);
        for (uint32_t n = m + 1; n < work->first[cell + 1]; n++) {
            const uint32_t j = work->members[n];
            const cell_range b = cells_of(work, &work->segments[j]);
            const uint32_t common_x = a.min[0] > b.min[0] ? a.min[0] : b.min[0];
            const uint32_t common_z = a.min[1] > b.min[1] ? a.min[1] : b.min[1];
            if (common_x == x && common_z == z) {
                cut_pair(work, i, j);
            }
        }
    }
}

static int compare_cuts(const void *left, const void *right)
{
    const cut *const a = left;
    const cut *const b = right;
    if (a->segment != b->segment) {
        return a->segment < b->segment ? -1 : 1;
    }
    return (a->at > b->at) - (a->at < b->at);
}

static street_segment *cut_segments(cutter *work, size_t *piece_count)
{
    street_segment *const pieces = malloc((work->count + work->cut_count + 1) * sizeof *pieces);
    if (!pieces) {
        return NULL;
    }
    if (work->cut_count) {
        qsort(work->cuts, work->cut_count, sizeof *work->cuts, compare_cuts);
    }
    size_t made = 0, next = 0;
    for (uint32_t i = 0; i < work->count; i++) {
        const street_segment whole = work->segments[i];
        street_segment rest = whole;
        for (; next < work->cut_count && work->cuts[next].segment == i; next++) {
            const float at = work->cuts[next].at;
            float point[3];
            for (int k = 0; k < 3; k++) {
                point[k] = whole.a[k] + at * (whole.b[k] - whole.a[k]);
            }
            memcpy(rest.b, point, sizeof point);
            pieces[made++] = rest;
            memcpy(rest.a, point, sizeof point);
            memcpy(rest.b, whole.b, sizeof point);
        }
        pieces[made++] = rest;
    }
    *piece_count = made;
    return pieces;
}

bool streets_cut(const street_segment *segments, size_t count, float weld, street_segment **pieces,
                 size_t *piece_count)
{
    *pieces = NULL;
    *piece_count = 0;
    street_segment *const kept = malloc((count + 1) * sizeof *kept);
    if (!kept || count > UINT32_MAX / 8) {
        free(kept);
        return false;
    }
    cutter work = {.segments = kept, .weld = weld};
    for (size_t i = 0; i < count; i++) {
        if (is_finite_segment(&segments[i])) {
            kept[work.count++] = segments[i];
        }
    }
    if (work.count) {
        choose_grid(&work);
    }
    if (work.count == 0 || fill_grid(&work)) {
        for (uint32_t z = 0; z < work.rows; z++) {
            for (uint32_t x = 0; x < work.columns; x++) {
                cut_in_cell(&work, x, z);
            }
        }
        *pieces = work.is_short_of_memory ? NULL : cut_segments(&work, piece_count);
    }
    free(kept);
    free(work.first);
    free(work.members);
    free(work.cuts);
    return *pieces != NULL;
}
