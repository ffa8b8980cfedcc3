// SPDX-License-Identifier: MIT
// vector_internal.h - three doubles as a vector, four as a plane.
#ifndef ACRE_VECTOR_INTERNAL_H
#define ACRE_VECTOR_INTERNAL_H

#include "compiler_internal.h"

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

// The point (out / out[3]) where three planes a b c d meet: by Cramer's rule. out[3] is 0 where
// that is at infinity.
ACRE_MAY_BE_UNUSED static void meet_planes(const double *a, const double *b, const double *c,
                                           double *out)
{
    double ab[3], bc[3], ca[3];
    cross3(a, b, ab);
    cross3(b, c, bc);
    cross3(c, a, ca);
    for (int i = 0; i < 3; i++) {
        out[i] = -(a[3] * bc[i] + b[3] * ca[i] + c[3] * ab[i]);
    }
    out[3] = dot3(a, bc);
}

#endif
