// SPDX-License-Identifier: MIT
// depth_buffer.c - what a hierarchical depth buffer drops from the views of `acre bench
// --occlusion`, beside the horizon: its time, and what it loses.
//
// As such systems do: the nearest objects with occluders are drawn into a small buffer, where each
// pixel has what its middle sees; a pyramid of the farthest depths is made of it; then the box of
// each object that the plain query found is asked, by the rectangle and the nearest depth of its
// corners.
//
// Usage: depth_buffer [ROUNDS]; a time is the least of so many, 5 where nothing is said.
#include "bench_occlusion.h"
#include "measure_turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 512, HEIGHT = 288, LEVELS = 9, TRUTH = 4096, MOST_VIEWS = 16, WAYS = 3 };

static const uint32_t drawn_most[WAYS] = {32, 128, 512};

// The farthest of each pixel's nearness, 1 / depth; level k + 1 has half of the width of level k.
typedef struct depth_buffer {
    float matrix[16];
    float *levels[LEVELS];
    int widths[LEVELS], heights[LEVELS];
} depth_buffer;

typedef struct screen_point {
    float x, y, nearness;
} screen_point;

typedef struct near_slot {
    float distance;
    uint32_t slot;
} near_slot;

static bool depth_buffer_create(depth_buffer *out)
{
    bool is_good = true;
    for (int level = 0, w = WIDTH, h = HEIGHT; level < LEVELS; level++) {
        out->widths[level] = w;
        out->heights[level] = h;
        out->levels[level] = malloc((size_t)w * (size_t)h * sizeof(float));
        is_good = is_good && out->levels[level];
        w = (w + 1) / 2;
        h = (h + 1) / 2;
    }
    return is_good;
}

static void depth_buffer_free(depth_buffer *buffer)
{
    for (int level = 0; level < LEVELS; level++) {
        free(buffer->levels[level]);
    }
}

static void depth_buffer_begin(depth_buffer *buffer, const acre_camera *camera)
{
    for (int i = 0; i < 16; i++) {
        float sum = 0;
        for (int k = 0; k < 4; k++) {
            sum += camera->projection[4 * k + i % 4] * camera->view[i / 4 * 4 + k];
        }
        buffer->matrix[i] = sum;
    }
    memset(buffer->levels[0], 0, (size_t)WIDTH * HEIGHT * sizeof(float));
}

static void clip_point(const depth_buffer *buffer, float x, float y, float z, float *out)
{
    const float *const m = buffer->matrix;
    for (int row = 0; row < 4; row++) {
        out[row] = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
    }
}

static screen_point project(const float *clip)
{
    const float inverse = 1 / clip[3];
    return (screen_point){(0.5f + 0.5f * clip[0] * inverse) * WIDTH,
                          (0.5f - 0.5f * clip[1] * inverse) * HEIGHT, inverse};
}

// Cuts a polygon by z = 0. Returns how many corners are left.
static int cut_by_near(float (*corners)[4], int count, float (*out)[4])
{
    int left = 0;
    for (int i = 0; i < count; i++) {
        const float *const a = corners[i], *const b = corners[(i + 1) % count];
        if (a[2] >= 0) {
            memcpy(out[left++], a, sizeof *out);
        }
        if ((a[2] >= 0) != (b[2] >= 0)) {
            const float share = a[2] / (a[2] - b[2]);
            for (int k = 0; k < 4; k++) {
                out[left][k] = a[k] + share * (b[k] - a[k]);
            }
            left++;
        }
    }
    return left;
}

// The part of a row whose middles lie within a convex polygon.
static void span_of_row(const screen_point *p, int count, float y, float *first, float *end)
{
    for (int i = 0; i < count; i++) {
        const screen_point *const a = &p[i], *const b = &p[(i + 1) % count];
        if ((a->y <= y) != (b->y <= y)) {
            const float x = a->x + (y - a->y) / (b->y - a->y) * (b->x - a->x);
            *first = fminf(*first, x);
            *end = fmaxf(*end, x);
        }
    }
}

static void fill(depth_buffer *buffer, const screen_point *p, int count)
{
    float area = 0, by_x = 0, by_y = 0, low = HEIGHT, high = 0;
    for (int i = 0; i < count; i++) {
        low = fminf(low, p[i].y);
        high = fmaxf(high, p[i].y);
    }
    for (int i = 2; i < count; i++) { // the plane of 1 / depth, over the whole fan
        const float bx = p[i - 1].x - p[0].x, by = p[i - 1].y - p[0].y;
        const float cx = p[i].x - p[0].x, cy = p[i].y - p[0].y;
        const float bn = p[i - 1].nearness - p[0].nearness, cn = p[i].nearness - p[0].nearness;
        area += bx * cy - cx * by;
        by_x += bn * cy - cn * by;
        by_y += cn * bx - bn * cx;
    }
    if (area >= 0) { // y of the picture goes down: it shows its back
        return;
    }
    by_x /= area;
    by_y /= area;
    const int end_row = (int)fminf(HEIGHT, floorf(high - 0.5f) + 1);
    for (int row = (int)fmaxf(0, ceilf(low - 0.5f)); row < end_row; row++) {
        float first = WIDTH, end = 0;
        span_of_row(p, count, (float)row + 0.5f, &first, &end);
        const int from = (int)fmaxf(0, ceilf(first - 0.5f));
        const int until = (int)fminf(WIDTH, floorf(end - 0.5f) + 1);
        float *const line = buffer->levels[0] + (size_t)row * WIDTH;
        const float start =
            p[0].nearness + by_y * ((float)row + 0.5f - p[0].y) + by_x * (0.5f - p[0].x);
        for (int x = from; x < until; x++) {
            const float nearness = start + by_x * (float)x;
            line[x] = line[x] > nearness ? line[x] : nearness;
        }
    }
}

static void draw_face(depth_buffer *buffer, float (*corners)[4], int count)
{
    float cut[2 * ACRE_OCCLUDER_MAX_POINTS][4];
    screen_point points[2 * ACRE_OCCLUDER_MAX_POINTS];
    const int left = cut_by_near(corners, count, cut);
    for (int i = 0; i < left; i++) {
        points[i] = project(cut[i]);
    }
    if (left > 2) {
        fill(buffer, points, left);
    }
}

static void draw_prism(depth_buffer *buffer, const acre_occluder *prism)
{
    float low[ACRE_OCCLUDER_MAX_POINTS][4], high[ACRE_OCCLUDER_MAX_POINTS][4];
    const int n = (int)prism->point_count;
    const float *const p = prism->points[0], *const q = prism->points[1],
                       *const r = prism->points[2];
    const bool is_reversed = (q[0] - p[0]) * (r[1] - p[1]) < (q[1] - p[1]) * (r[0] - p[0]);
    // Below one without a bottom nothing shows: it covers what the boxes of such worlds reach down
    // to.
    const float bottom = fmaxf(prism->bottom, -1000);
    for (int k = 0; k < n; k++) {
        const float *const at = prism->points[is_reversed ? n - 1 - k : k];
        clip_point(buffer, at[0], bottom, at[1], low[k]);
        clip_point(buffer, at[0], prism->top, at[1], high[k]);
    }
    for (int k = 0; k < n; k++) {
        const int next = (k + 1) % n;
        float side[4][4];
        memcpy(side[0], low[k], sizeof side[0]);
        memcpy(side[1], high[k], sizeof side[0]);
        memcpy(side[2], high[next], sizeof side[0]);
        memcpy(side[3], low[next], sizeof side[0]);
        draw_face(buffer, side, 4);
    }
    float top[ACRE_OCCLUDER_MAX_POINTS][4];
    for (int k = 0; k < n; k++) {
        memcpy(top[k], high[n - 1 - k], sizeof top[k]);
    }
    draw_face(buffer, top, n);
}

static void make_pyramid(depth_buffer *buffer)
{
    for (int level = 1; level < LEVELS; level++) {
        const float *const from = buffer->levels[level - 1];
        const int w = buffer->widths[level - 1], h = buffer->heights[level - 1];
        float *out = buffer->levels[level];
        for (int y = 0; y < h; y += 2) {
            const float *const a = from + (size_t)y * (size_t)w;
            const float *const b = y + 1 < h ? a + w : a;
            for (int x = 0; x < w; x += 2) {
                const int next = x + 1 < w ? x + 1 : x;
                const float left = a[x] < b[x] ? a[x] : b[x];
                const float right = a[next] < b[next] ? a[next] : b[next];
                *out++ = left < right ? left : right;
            }
        }
    }
}

static bool is_hidden(const depth_buffer *buffer, const acre_aabb *box)
{
    float x0 = WIDTH, x1 = 0, y0 = HEIGHT, y1 = 0, nearest = 0;
    for (int corner = 0; corner < 8; corner++) {
        float clip[4];
        clip_point(buffer, corner & 1 ? box->max[0] : box->min[0],
                   corner & 2 ? box->max[1] : box->min[1], corner & 4 ? box->max[2] : box->min[2],
                   clip);
        if (clip[2] < 0) {
            return false;
        }
        const screen_point p = project(clip);
        x0 = fminf(x0, p.x);
        x1 = fmaxf(x1, p.x);
        y0 = fminf(y0, p.y);
        y1 = fmaxf(y1, p.y);
        nearest = fmaxf(nearest, p.nearness);
    }
    int left = (int)fmaxf(0, x0), right = (int)fminf(WIDTH - 1, x1);
    int top = (int)fmaxf(0, y0), bottom = (int)fminf(HEIGHT - 1, y1), level = 0;
    while (level < LEVELS - 1 && (right - left > 3 || bottom - top > 3)) {
        left /= 2;
        right /= 2;
        top /= 2;
        bottom /= 2;
        level++;
    }
    for (int y = top; y <= bottom; y++) {
        const float *const line = buffer->levels[level] + (size_t)y * (size_t)buffer->widths[level];
        for (int x = left; x <= right; x++) {
            if (line[x] <= nearest) {
                return false;
            }
        }
    }
    return true;
}

static int compare_distances(const void *a, const void *b)
{
    const float x = ((const near_slot *)a)->distance, y = ((const near_slot *)b)->distance;
    return (x > y) - (x < y);
}

// The plain query, the nearest `most` objects drawn, the others asked. Returns how many are kept.
static size_t ask(depth_buffer *buffer, sight_bench *bench, const sight_world *world,
                  const acre_camera *camera, const acre_view *view, uint32_t most, near_slot *order)
{
    const acre_scene_view scene = acre_scene_get_view(world->scene);
    size_t count = 0, kept = 0, drawn = 0;
    if (acre_culling_query_view(world->culling, view, bench->plain, world->count, &count) !=
        ACRE_OK) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        const acre_aabb *const box = &scene.world_bounds[bench->plain[i]];
        const float x = fmaxf(0, fmaxf(box->min[0] - view->eye[0], view->eye[0] - box->max[0]));
        const float z = fmaxf(0, fmaxf(box->min[2] - view->eye[2], view->eye[2] - box->max[2]));
        order[i] = (near_slot){x * x + z * z, bench->plain[i]};
    }
    qsort(order, count, sizeof *order, compare_distances);
    depth_buffer_begin(buffer, camera);
    for (size_t i = 0; i < count && drawn < most; i++) {
        acre_occluder occluders[ACRE_HEIGHT_BLOCK_OCCLUDERS];
        const uint32_t prisms = sight_occluders(world, order[i].slot, occluders);
        for (uint32_t k = 0; k < prisms; k++) {
            draw_prism(buffer, &occluders[k]);
        }
        drawn += prisms > 0;
    }
    make_pyramid(buffer);
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = bench->plain[i];
        if (!is_hidden(buffer, &scene.world_bounds[slot])) {
            bench->kept[kept++] = slot;
        }
    }
    return kept;
}

typedef struct way_sums {
    double time, worst;
    size_t kept, kept_seen;
} way_sums;

static bool look(depth_buffer *buffer, sight_bench *bench, const sight_world *world,
                 uint32_t number, int rounds, near_slot *order, way_sums *sums, sight_find *find)
{
    acre_camera camera;
    acre_view view;
    if (!sight_look(bench, world, number, find) || !sight_camera(world, number, &camera) ||
        acre_view_from_camera(&view, &camera) != ACRE_OK) {
        return false;
    }
    for (int way = 0; way < WAYS; way++) {
        double best = HUGE_VAL;
        size_t kept = 0;
        for (int round = 0; round < rounds; round++) {
            const double begin = clock_seconds();
            kept = ask(buffer, bench, world, &camera, &view, drawn_most[way], order);
            best = fmin(best, clock_seconds() - begin);
        }
        if (kept == SIZE_MAX) {
            return false;
        }
        sums[way].time += 1e6 * best;
        sums[way].worst = fmax(sums[way].worst, 1e6 * best);
        for (size_t i = 0; i < kept; i++) {
            sums[way].kept += world->are_drawn[bench->kept[i]];
            sums[way].kept_seen += bench->pixels[bench->kept[i]] > 0;
        }
    }
    return true;
}

static bool measure(sight_kind kind, int rounds)
{
    sight_world world;
    sight_bench bench = {0};
    depth_buffer buffer = {.levels = {NULL}};
    way_sums sums[WAYS] = {{0}};
    char message[256];
    size_t found = 0, seen = 0;
    uint32_t views = 0;
    bool is_good = sight_world_create(&world, kind, message, sizeof message) &&
                   sight_bench_create(&bench, &world, ACRE_KERNEL_DEFAULT, TRUTH) &&
                   depth_buffer_create(&buffer);
    near_slot *const order = is_good ? calloc(world.count, sizeof *order) : NULL;
    const uint32_t stride = is_good ? 1 + (world.view_count - 1) / MOST_VIEWS : 1;
    is_good = is_good && order;
    for (uint32_t i = 0; is_good && i < world.view_count; i += stride) {
        sight_find find;
        is_good = look(&buffer, &bench, &world, i, rounds, order, sums, &find);
        found += find.found;
        seen += find.seen;
        views++;
    }
    for (int way = 0; is_good && way < WAYS; way++) {
        const size_t dropped = found - seen - (sums[way].kept - sums[way].kept_seen);
        printf("| %s | %u | %.0f, %.0f | %.3f | %.2f | %zu |\n", sight_names[kind], drawn_most[way],
               sums[way].time / views, sums[way].worst,
               found > seen ? (double)dropped / (double)(found - seen) : 1,
               (double)sums[way].kept / (double)(seen ? seen : 1), seen - sums[way].kept_seen);
        fflush(stdout);
    }
    free(order);
    depth_buffer_free(&buffer);
    sight_bench_free(&bench);
    sight_world_free(&world);
    return is_good;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 5;
    printf("| World | Drawn at most | us: mean, most | Dropped | Kept | Lost "
           "|\n|---|---|---|---|---|---|\n");
    for (int kind = 0; kind < SIGHT_KIND_COUNT_; kind++) {
        if (!measure((sight_kind)kind, rounds)) {
            printf("%s: failed\n", sight_names[kind]);
            return 1;
        }
    }
    return 0;
}
