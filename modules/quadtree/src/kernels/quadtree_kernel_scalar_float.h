// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar_float.h - the smaller and the larger of two floats, as the vector sets
// decide.
#ifndef ACRE_QUADTREE_KERNEL_SCALAR_FLOAT_H
#define ACRE_QUADTREE_KERNEL_SCALAR_FLOAT_H

// b where either is NaN.
static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

#endif
