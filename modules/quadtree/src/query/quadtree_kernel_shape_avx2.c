// SPDX-License-Identifier: MIT
// quadtree_kernel_shape_avx2.c - queries of any volume, AVX2.
#include "quadtree_kernel_avx2.h"

#include "quadtree_kernel_shape_part.h"

SHAPE_KERNEL(avx2);
