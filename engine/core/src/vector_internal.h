// SPDX-License-Identifier: MIT
// vector_internal.h - three doubles as a vector.
#ifndef ACRE_VECTOR_INTERNAL_H
#define ACRE_VECTOR_INTERNAL_H

#include <math.h>

static inline double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double length3(const double *v)
{
    return sqrt(dot3(v, v));
}

static inline void cross3(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
