// SPDX-License-Identifier: MIT
// quadtree_kernel_shape_scalar.c - queries of any volume, scalar.
#include "quadtree_kernel_scalar.h"

#include "lanes_one.h"

#include "quadtree_kernel_shape_part.h"

SHAPE_KERNEL(scalar);
