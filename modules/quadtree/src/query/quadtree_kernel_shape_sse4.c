// SPDX-License-Identifier: MIT
// quadtree_kernel_shape_sse4.c - queries of any volume, four lanes.
#include "quadtree_kernel_sse4.h"

#include "quadtree_kernel_shape_part.h"

SHAPE_KERNEL(sse4);
