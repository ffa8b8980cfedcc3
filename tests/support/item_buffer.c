// SPDX-License-Identifier: MIT
// item_buffer.c - what an eye really sees: triangles, cut by the near plane, filled row by row.
#include "item_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A corner before the eye: x, y and z of the clip volume, and w, its depth.
typedef struct clip_corner {
    double at[4];
} clip_corner;

// A corner on the picture, in pixels, and 1 / depth, which is a plane over the picture.
typedef struct screen_corner {
    double x, y, nearness;
} screen_corner;

bool item_buffer_create(item_buffer *out, uint32_t width, uint32_t height)
{
    const size_t count = (size_t)width * height;
    *out = (item_buffer){.width = width,
                         .height = height,
                         .items = malloc(count * sizeof *out->items),
                         .nearness = malloc(count * sizeof *out->nearness)};
    return out->items && out->nearness;
}

void item_buffer_free(item_buffer *buffer)
{
    free(buffer->items);
    free(buffer->nearness);
    *buffer = (item_buffer){0};
}

void item_buffer_begin(item_buffer *buffer, const acre_camera *camera)
{
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                sum +=
                    (double)camera->projection[4 * k + row] * (double)camera->view[4 * column + k];
            }
            buffer->matrix[4 * column + row] = sum;
        }
    }
    const size_t count = (size_t)buffer->width * buffer->height;
    for (size_t i = 0; i < count; i++) {
        buffer->items[i] = ITEM_BUFFER_NONE;
        buffer->nearness[i] = 0;
    }
}

static clip_corner clip_point(const item_buffer *buffer, const float *point, const float *matrix)
{
    double world[3];
    clip_corner out;
    for (int row = 0; row < 3; row++) {
        world[row] = matrix
                         ? (double)matrix[row] * (double)point[0] +
                               (double)matrix[4 + row] * (double)point[1] +
                               (double)matrix[8 + row] * (double)point[2] + (double)matrix[12 + row]
                         : (double)point[row];
    }
    const double *const m = buffer->matrix;
    for (int row = 0; row < 4; row++) {
        out.at[row] =
            m[row] * world[0] + m[4 + row] * world[1] + m[8 + row] * world[2] + m[12 + row];
    }
    return out;
}

// Cuts a triangle by the near plane, z = 0. Returns the corners that are left: 0, 3 or 4.
static int cut_by_near(const clip_corner *corners, clip_corner *out)
{
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const double *const a = corners[i].at, *const b = corners[(i + 1) % 3].at;
        if (a[2] >= 0) {
            out[count++] = corners[i];
        }
        if ((a[2] >= 0) != (b[2] >= 0)) {
            const double share = a[2] / (a[2] - b[2]);
            for (int k = 0; k < 4; k++) {
                out[count].at[k] = a[k] + share * (b[k] - a[k]);
            }
            count++;
        }
    }
    return count;
}

// The pixels of a row whose middles lie within all edges: first <= x < end.
static void span_of_row(const screen_corner *const *corners, double y, double *first, double *end)
{
    for (int i = 0; i < 3; i++) {
        const screen_corner *const a = corners[i], *const b = corners[(i + 1) % 3];
        const double dx = b->x - a->x, dy = b->y - a->y; // inside: dx (y - ay) >= dy (x - ax)
        const double reach = dx * (y - a->y);
        if (dy > 0) {
            *end = fmin(*end, a->x + reach / dy);
        } else if (dy < 0) {
            *first = fmax(*first, a->x + reach / dy);
        } else if (reach < 0) {
            *end = -1;
        }
    }
}

// Fills a triangle whose corners stand so that its inside is to the left of each edge.
static void fill(item_buffer *buffer, uint32_t item, const screen_corner *a, const screen_corner *b,
                 const screen_corner *c, double area)
{
    const screen_corner *const corners[3] = {a, b, c};
    const double low = fmin(a->y, fmin(b->y, c->y)), high = fmax(a->y, fmax(b->y, c->y));
    const double by_x = ((b->nearness - a->nearness) * (c->y - a->y) -
                         (c->nearness - a->nearness) * (b->y - a->y)) /
                        area;
    const double by_y = ((c->nearness - a->nearness) * (b->x - a->x) -
                         (b->nearness - a->nearness) * (c->x - a->x)) /
                        area;
    const double first_row = fmax(0, ceil(low - 0.5));
    const double end_row = fmin((double)buffer->height, floor(high - 0.5) + 1);
    for (double row = first_row; row < end_row; row++) {
        double first = 0, end = buffer->width;
        span_of_row(corners, row + 0.5, &first, &end);
        if (!(first < end)) {
            continue;
        }
        const size_t base = (size_t)row * buffer->width;
        const double start = a->nearness + by_y * (row + 0.5 - a->y) + by_x * (0.5 - a->x);
        for (size_t x = (size_t)fmax(0, ceil(first - 0.5)); (double)x + 0.5 <= end; x++) {
            const double nearness = start + by_x * (double)x;
            if (x < buffer->width && nearness > buffer->nearness[base + x]) {
                buffer->nearness[base + x] = nearness;
                buffer->items[base + x] = item;
            }
        }
    }
}

static screen_corner project(const item_buffer *buffer, const clip_corner *corner)
{
    const double inverse = 1 / corner->at[3];
    return (screen_corner){.x = (0.5 + 0.5 * corner->at[0] * inverse) * buffer->width,
                           .y = (0.5 - 0.5 * corner->at[1] * inverse) * buffer->height,
                           .nearness = inverse};
}

static void draw_triangle(item_buffer *buffer, uint32_t item, const clip_corner *corners,
                          bool is_two_sided)
{
    clip_corner cut[4];
    const int count = cut_by_near(corners, cut);
    for (int i = 2; i < count; i++) {
        const screen_corner a = project(buffer, &cut[0]), b = project(buffer, &cut[i - 1]);
        const screen_corner c = project(buffer, &cut[i]);
        const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if (area < 0) { // y of the picture goes down: this is counterclockwise to the eye
            fill(buffer, item, &a, &c, &b, -area);
        } else if (area > 0 && is_two_sided) {
            fill(buffer, item, &a, &b, &c, area);
        }
    }
}

// Whether all corners are beyond one side of the picture.
static bool is_beside(const clip_corner *corners)
{
    uint32_t beside = 31;
    for (int i = 0; i < 3; i++) {
        const double *const at = corners[i].at;
        beside &= (uint32_t)(at[0] < -at[3]) | (uint32_t)(at[0] > at[3]) << 1 |
                  (uint32_t)(at[1] < -at[3]) << 2 | (uint32_t)(at[1] > at[3]) << 3 |
                  (uint32_t)(at[2] < 0) << 4;
    }
    return beside != 0;
}

void item_buffer_draw(item_buffer *buffer, uint32_t item, const item_mesh *mesh,
                      const float *matrix)
{
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        clip_corner corners[3];
        for (int k = 0; k < 3; k++) {
            const uint32_t point = mesh->triangles[3 * (size_t)i + (size_t)k];
            corners[k] = clip_point(buffer, mesh->points + 3 * (size_t)point, matrix);
        }
        if (!is_beside(corners)) {
            draw_triangle(buffer, item, corners, mesh->is_two_sided);
        }
    }
}

void item_buffer_draw_prism(item_buffer *buffer, uint32_t item, const acre_occluder *prism)
{
    enum { MOST = ACRE_OCCLUDER_MAX_POINTS };
    float points[2 * MOST][3];
    uint32_t triangles[4 * MOST][3], count = 0;
    const uint32_t n = prism->point_count;
    const float *const p = prism->points[0], *const q = prism->points[1],
                       *const r = prism->points[2];
    const bool is_reversed = (q[0] - p[0]) * (r[1] - p[1]) < (q[1] - p[1]) * (r[0] - p[0]);
    const float bottom = prism->bottom == -INFINITY ? fminf(prism->top, 0) - 1 : prism->bottom;
    for (uint32_t k = 0; k < n; k++) {
        const float *const point = prism->points[is_reversed ? n - 1 - k : k];
        memcpy(points[k], (const float[3]){point[0], bottom, point[1]}, sizeof points[k]);
        memcpy(points[n + k], (const float[3]){point[0], prism->top, point[1]}, sizeof points[k]);
    }
    for (uint32_t k = 0; k < n; k++) { // seen from above, z down the page, corners run clockwise
        const uint32_t next = (k + 1) % n;
        const uint32_t sides[4][3] = {
            {k, n + k, next}, {next, n + k, n + next}, {n, n + next, n + k}, {0, k, next}};
        memcpy(triangles[count], sides, sizeof sides);
        count += 4;
    }
    const item_mesh mesh = {
        .points = points[0], .triangles = triangles[0], .triangle_count = count};
    item_buffer_draw(buffer, item, &mesh, NULL);
}

void item_buffer_count(const item_buffer *buffer, uint32_t *pixels)
{
    const size_t count = (size_t)buffer->width * buffer->height;
    for (size_t i = 0; i < count; i++) {
        if (buffer->items[i] != ITEM_BUFFER_NONE) {
            pixels[buffer->items[i]]++;
        }
    }
}
