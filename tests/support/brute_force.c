// SPDX-License-Identifier: MIT
// brute_force.c - the first oracle: a plain array of boxes, every query tests all of them.
#include "brute_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool brute_force_init(brute_force *oracle, uint32_t capacity)
{
    const size_t room = capacity ? capacity : 1;
    *oracle = (brute_force){
        .boxes = calloc(room, sizeof *oracle->boxes),
        .layers = calloc(room, sizeof *oracle->layers),
        .present = calloc(room, sizeof *oracle->present),
        .capacity = capacity,
    };
    if (!oracle->boxes || !oracle->layers || !oracle->present) {
        brute_force_free(oracle);
        return false;
    }
    return true;
}

void brute_force_free(brute_force *oracle)
{
    free(oracle->boxes);
    free(oracle->layers);
    free(oracle->present);
    *oracle = (brute_force){0};
}

static bool is_present(const brute_force *oracle, uint32_t item)
{
    return item < oracle->capacity && oracle->present[item];
}

// -0 becomes +0, by its bits: in a program that has denormals flushed they compare as equal to 0.
static float positive_zero(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits << 1 == 0 ? 0.0f : value;
}

static acre_aabb without_negative_zero(const acre_aabb *box)
{
    acre_aabb stored;
    for (int i = 0; i < 3; i++) {
        stored.min[i] = positive_zero(box->min[i]);
        stored.max[i] = positive_zero(box->max[i]);
    }
    return stored;
}

acre_result brute_force_insert(brute_force *oracle, uint32_t item, const acre_aabb *box)
{
    if (!acre_aabb_is_valid(box)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (item >= oracle->capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    if (oracle->present[item]) {
        return ACRE_ERROR_EXISTS;
    }
    oracle->boxes[item] = without_negative_zero(box);
    oracle->layers[item] = UINT32_MAX;
    oracle->present[item] = true;
    oracle->count++;
    return ACRE_OK;
}

acre_result brute_force_refresh(brute_force *oracle, uint32_t item, const acre_aabb *box)
{
    if (!acre_aabb_is_valid(box)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!is_present(oracle, item)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    oracle->boxes[item] = without_negative_zero(box);
    return ACRE_OK;
}

acre_result brute_force_remove(brute_force *oracle, uint32_t item)
{
    if (!is_present(oracle, item)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    oracle->present[item] = false;
    oracle->count--;
    return ACRE_OK;
}

acre_result brute_force_set_layers(brute_force *oracle, uint32_t item, uint32_t layers)
{
    if (!is_present(oracle, item)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    oracle->layers[item] = layers ? layers : UINT32_MAX;
    return ACRE_OK;
}

// The sign of place - (edge + offset), from two doubles that add up to place - offset exactly.
static int beyond(float place, float edge, double offset)
{
    const double to = (double)place, difference = to - offset;
    const double used = to - difference;
    const double rest = (to - (difference + used)) + (used - offset);
    const double excess = (difference - (double)edge) + rest;
    return (excess > 0.0) - (excess < 0.0);
}

// The float at edge + offset, or the next one in a direction.
static float shifted_edge(float edge, double offset, float toward, bool *is_rounded)
{
    float place = (float)((double)edge + offset);
    if (isinf(edge)) {
        return edge;
    }
    const int way = toward > 0.0f ? -1 : 1;
    *is_rounded |= beyond(place, edge, offset) != 0;
    if (isinf(place) || beyond(place, edge, offset) == way) {
        place = isinf(place) && place == toward ? place : nextafterf(place, toward);
    }
    return positive_zero(place);
}

size_t brute_force_shift(brute_force *oracle, const double *offset, uint32_t first)
{
    size_t rounded = 0;
    for (uint32_t item = 0; item < oracle->capacity; item++) {
        acre_aabb *const box = &oracle->boxes[item];
        bool is_rounded = false;
        for (int i = 0; i < 3 && oracle->present[item]; i++) {
            box->min[i] = shifted_edge(box->min[i], offset[i], -INFINITY, &is_rounded);
            box->max[i] = shifted_edge(box->max[i], offset[i], INFINITY, &is_rounded);
        }
        rounded += is_rounded && item >= first;
    }
    return rounded;
}

void brute_force_clear(brute_force *oracle)
{
    for (uint32_t item = 0; item < oracle->capacity; item++) {
        oracle->present[item] = false;
    }
    oracle->count = 0;
}

// Either frustum or area is NULL.
static size_t query(const brute_force *oracle, const acre_frustum *frustum, const acre_aabb *area,
                    uint32_t layers, uint32_t *items)
{
    const uint32_t wanted = layers ? layers : UINT32_MAX;
    size_t found = 0;
    for (uint32_t item = 0; item < oracle->capacity; item++) {
        if (!oracle->present[item] || !(layers == 0 || (oracle->layers[item] & wanted))) {
            continue;
        }
        const acre_aabb *const box = &oracle->boxes[item];
        if (frustum ? acre_frustum_test_aabb(frustum, box) : acre_aabb_overlaps(area, box)) {
            items[found++] = item;
        }
    }
    return found;
}

size_t brute_force_query_frustum(const brute_force *oracle, const acre_frustum *frustum,
                                 uint32_t layers, uint32_t *items)
{
    return query(oracle, frustum, NULL, layers, items);
}

size_t brute_force_query_aabb(const brute_force *oracle, const acre_aabb *box, uint32_t layers,
                              uint32_t *items)
{
    return acre_aabb_is_valid(box) ? query(oracle, NULL, box, layers, items) : 0;
}

// A convex polygon: a face of the box has 4 corners, each plane adds at most one, or a few more
// where rounding makes it concave.
typedef struct polygon {
    double points[8 + 2 * ACRE_FRUSTUM_MAX_PLANES][3];
    uint32_t count;
} polygon;

static double inside_by(const float *plane, const double *point)
{
    return (double)plane[0] * point[0] + (double)plane[1] * point[1] + (double)plane[2] * point[2] +
           (double)plane[3];
}

// Sutherland and Hodgman 1974: keeps the part of the polygon at least margin inside the plane.
static polygon clip(const polygon *in, const float *plane, double margin)
{
    const uint32_t room = (uint32_t)(sizeof in->points / sizeof in->points[0]);
    polygon out = {.count = 0};
    for (uint32_t i = 0; i < in->count && out.count + 2 <= room; i++) {
        const double *const a = in->points[i];
        const double *const b = in->points[(i + 1) % in->count];
        const double da = inside_by(plane, a) - margin;
        const double db = inside_by(plane, b) - margin;
        if (da >= 0.0) {
            for (int k = 0; k < 3; k++) {
                out.points[out.count][k] = a[k];
            }
            out.count++;
        }
        if ((da >= 0.0) != (db >= 0.0)) {
            const double t = da / (da - db);
            for (int k = 0; k < 3; k++) {
                out.points[out.count][k] = a[k] + t * (b[k] - a[k]);
            }
            out.count++;
        }
    }
    return out;
}

static polygon box_face(const acre_aabb *box, int axis, bool is_max)
{
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    polygon face = {.count = 4};
    for (int i = 0; i < 4; i++) {
        face.points[i][axis] = (double)(is_max ? box->max : box->min)[axis];
        face.points[i][u] = (double)(i == 1 || i == 2 ? box->max : box->min)[u];
        face.points[i][v] = (double)(i >= 2 ? box->max : box->min)[v];
    }
    return face;
}

static uint32_t planes_in(const acre_frustum *frustum)
{
    return frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count
                                                          : ACRE_FRUSTUM_MAX_PLANES;
}

static bool face_survives(const acre_frustum *frustum, polygon face, double margin)
{
    for (uint32_t i = 0; i < planes_in(frustum) && face.count > 0; i++) {
        face = clip(&face, frustum->planes[i], margin);
    }
    return face.count > 0;
}

// The point where three planes meet (Cramer's rule); false if they meet in no single point.
static bool meeting_point(const float *a, const float *b, const float *c, double *point)
{
    const double m[3][4] = {{(double)a[0], (double)a[1], (double)a[2], -(double)a[3]},
                            {(double)b[0], (double)b[1], (double)b[2], -(double)b[3]},
                            {(double)c[0], (double)c[1], (double)c[2], -(double)c[3]}};
    double determinants[4]; // of the normals, then with column 0, 1, 2 replaced by -d
    for (int column = -1; column < 3; column++) {
        const int x = column == 0 ? 3 : 0;
        const int y = column == 1 ? 3 : 1;
        const int z = column == 2 ? 3 : 2;
        determinants[column + 1] = m[0][x] * (m[1][y] * m[2][z] - m[1][z] * m[2][y]) -
                                   m[0][y] * (m[1][x] * m[2][z] - m[1][z] * m[2][x]) +
                                   m[0][z] * (m[1][x] * m[2][y] - m[1][y] * m[2][x]);
    }
    for (int k = 0; k < 3; k++) {
        point[k] = determinants[k + 1] / determinants[0];
    }
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

// A corner of the volume: three planes meet there, it is inside all others, and inside the box.
static bool box_holds_a_corner(const acre_frustum *frustum, const acre_aabb *box, double margin)
{
    const uint32_t count = planes_in(frustum);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            for (uint32_t k = 0; k < j; k++) {
                double point[3];
                if (!meeting_point(frustum->planes[i], frustum->planes[j], frustum->planes[k],
                                   point)) {
                    continue;
                }
                bool inside = true;
                for (uint32_t p = 0; p < count && inside; p++) {
                    inside = p == i || p == j || p == k ||
                             inside_by(frustum->planes[p], point) >= margin;
                }
                for (int axis = 0; axis < 3 && inside; axis++) {
                    inside = point[axis] >= (double)box->min[axis] + margin &&
                             point[axis] <= (double)box->max[axis] - margin;
                }
                if (inside) {
                    return true;
                }
            }
        }
    }
    return false;
}

// A convex volume and a box overlap if a face of the box reaches into the volume, or else if the
// box holds a corner of the volume (it then holds all of it).
bool brute_force_proves_overlap(const acre_frustum *frustum, const acre_aabb *box, double margin)
{
    if (!acre_aabb_is_finite(box)) {
        return false;
    }
    for (int face = 0; face < 6; face++) {
        if (face_survives(frustum, box_face(box, face % 3, face >= 3), margin)) {
            return true;
        }
    }
    return box_holds_a_corner(frustum, box, margin);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void sort_numbers(uint32_t *numbers, size_t count)
{
    if (count > 1) {
        qsort(numbers, count, sizeof *numbers, compare_numbers);
    }
}
