// SPDX-License-Identifier: MIT
// find_polygon.c - polygons cut by planes, and footprints of prisms measured.
#include "find_internal.h"

#include <math.h>

static double height_over(const double *plane, const double *point)
{
    return plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] + plane[3];
}

void acre_find_cut(const find_polygon *from, const double *plane, find_polygon *to)
{
    ACRE_INVARIANT(from != to && from->count + 1 <= FIND_CORNERS); // a plane adds one corner
    to->count = 0;
    const double *a = from->points[from->count - 1];
    double high_a = height_over(plane, a);
    for (uint32_t i = 0; i < from->count; i++) {
        const double *const b = from->points[i];
        const double high_b = height_over(plane, b);
        if ((high_a < 0.0 && high_b > 0.0) || (high_a > 0.0 && high_b < 0.0)) {
            const double t = high_a / (high_a - high_b);
            for (int k = 0; k < 3; k++) {
                to->points[to->count][k] = a[k] + t * (b[k] - a[k]);
            }
            to->count++;
        }
        if (high_b >= 0.0) {
            memcpy(to->points[to->count++], b, sizeof to->points[0]);
        }
        a = b;
        high_a = high_b;
    }
}

double acre_find_measure(const acre_occluder *o, double *around)
{
    double area = 0.0, length = 0.0;
    for (uint32_t k = 0; k < o->point_count; k++) {
        const float *const a = o->points[k], *const b = o->points[(k + 1) % o->point_count];
        const double to[2] = {(double)b[0] - (double)a[0], (double)b[1] - (double)a[1]};
        area += ((double)a[0] - (double)o->points[0][0]) * to[1] -
                ((double)a[1] - (double)o->points[0][1]) * to[0];
        length += around != NULL ? sqrt(to[0] * to[0] + to[1] * to[1]) : 0.0;
    }
    if (around != NULL) {
        *around = length;
    }
    return area;
}

void acre_find_middle(const acre_occluder *o, double *middle)
{
    middle[0] = middle[2] = 0.0;
    middle[1] = 0.5 * (double)o->bottom + 0.5 * (double)o->top;
    for (uint32_t k = 0; k < o->point_count; k++) {
        middle[0] += (double)o->points[k][0] / (double)o->point_count;
        middle[2] += (double)o->points[k][1] / (double)o->point_count;
    }
}
